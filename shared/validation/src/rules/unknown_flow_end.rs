//! `unknown-flow-end`: a flow begins or ends at a stock that is not declared.

use super::Rule;
use crate::context::{Context, Reference};
use crate::found::{Found, Note, quote};
use crate::near::fold;
use crate::report::Operation;
use meadow_model::{Flow, Pointer};
use serde_json::Value;

pub(super) const RULE: Rule = Rule {
    code: "unknown-flow-end",
    about: "a flow's from_stock or to_stock names no stock",
    check,
};

/// What people write for a source or sink outside the boundary.
const CLOUDS: [&str; 7] = ["cloud", "source", "sink", "null", "none", "云", "雲"];

fn check(cx: &Context<'_>, found: &mut Found) {
    for end in &cx.unresolved.flow_ends {
        found.warning(|| describe(cx, end));
    }
}

fn describe<'d>(cx: &Context<'d>, end: &Reference<'d>) -> Note {
    let pointer = Pointer::root().key("flows").index(end.index).key(end.member);
    let name = quote(end.name);
    let near = cx.near_stock(end.name);
    let (repair, value) = if let Some(near) = near {
        (format!("did you mean {}?", quote(near)), Some(near.into()))
    } else if CLOUDS.contains(&&*fold(end.name)) {
        let value = other_is_stock(cx, &cx.document.flows[end.index], end.member).then_some(Value::Null);
        ("write null for a cloud".to_owned(), value)
    } else {
        ("declare it, correct it, or write null for a cloud".to_owned(), None)
    };
    Note {
        patch: value.map(|value| vec![Operation::replace(pointer.clone(), value)]),
        pointer,
        text: format!("no stock has the id {name}; {repair}"),
    }
}

/// True when the end of `flow` that is not `member` is a stock.
pub(super) fn other_is_stock(cx: &Context<'_>, flow: &Flow<'_>, member: &str) -> bool {
    let other = if member == "from_stock" {
        &flow.to_stock
    } else {
        &flow.from_stock
    };
    other
        .stock()
        .is_some_and(|name| cx.names.kinds(name).has(crate::names::Kinds::STOCK))
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::{Expected, check};

    #[test]
    fn cases() {
        let doc = |ends: &str| {
            format!(
                r#"{{"stocks":[{{"id":"tub_water"}},{{"id":"sewer"}}],"flows":[{{"from_stock":"sewer","to_stock":"sewer"}},{{{ends}}}]}}"#
            )
        };
        let check = |ends: &str, expected: &[Expected<'_>]| check("unknown-flow-end", &doc(ends), expected);
        check(r#""from_stock":"tub_water","to_stock":"sewer""#, &[]);
        check(r#""from_stock":null,"to_stock":" ""#, &[]);
        check(
            r#""from_stock":"mains","to_stock":"sewer""#,
            &[(
                "flows[1].from_stock: no stock has the id `mains`; declare it, correct it, or write null for a cloud",
                "",
            )],
        );
        check(
            r#""from_stock":"Tub Water","to_stock":"sewr""#,
            &[
                (
                    "flows[1].from_stock: no stock has the id `Tub Water`; did you mean `tub_water`?",
                    r#"[{"op":"replace","path":"/flows/1/from_stock","value":"tub_water"}]"#,
                ),
                (
                    "flows[1].to_stock: no stock has the id `sewr`; did you mean `sewer`?",
                    r#"[{"op":"replace","path":"/flows/1/to_stock","value":"sewer"}]"#,
                ),
            ],
        );
        check(
            r#""from_stock":"Cloud","to_stock":"sewer""#,
            &[(
                "flows[1].from_stock: no stock has the id `Cloud`; write null for a cloud",
                r#"[{"op":"replace","path":"/flows/1/from_stock","value":null}]"#,
            )],
        );
        check(
            r#""from_stock":"source","to_stock":"sink""#,
            &[
                (
                    "flows[1].from_stock: no stock has the id `source`; write null for a cloud",
                    "",
                ),
                (
                    "flows[1].to_stock: no stock has the id `sink`; write null for a cloud",
                    "",
                ),
            ],
        );
    }
}
