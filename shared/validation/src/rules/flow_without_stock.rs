//! `flow-without-stock`: both ends of a flow are clouds, so that it fills and drains nothing.

use super::Rule;
use crate::context::Context;
use crate::found::{Found, Note, quote};
use meadow_model::{End, Pointer};

pub(super) const RULE: Rule = Rule {
    code: "flow-without-stock",
    about: "both ends of a flow are null",
    check,
};

fn check(cx: &Context<'_>, found: &mut Found) {
    for (i, flow) in cx.document.flows.iter().enumerate() {
        if flow.from_stock == End::Cloud && flow.to_stock == End::Cloud {
            found.warning(|| Note {
                pointer: Pointer::root().key("flows").index(i),
                text: format!(
                    "both ends of {} are null; name the stock that it drains or fills",
                    quote(flow.id.as_str())
                ),
                patch: None,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::check;

    #[test]
    fn cases() {
        let text = r#"{"stocks":[{"id":"tub"}],"flows":[{"from_stock":null,"to_stock":"tub"},{"from_stock":null},
            {"id":"rain","from_stock":null,"to_stock":null},{"from_stock":"","to_stock":null},{}]}"#;
        check(
            "flow-without-stock",
            text,
            &[(
                "flows[2]: both ends of `rain` are null; name the stock that it drains or fills",
                "",
            )],
        );
    }
}
