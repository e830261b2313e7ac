//! `duplicate-ids`: two items of one kind have the same id, so that a reference to it is ambiguous.
//!
//! One warning for each id that repeats; its second item has the warning, the further ones only findings.

use super::Rule;
use crate::context::Context;
use crate::found::{Found, Note, quote};
use crate::names::Kinds;
use crate::report::Operation;
use foldhash::fast::RandomState;
use meadow_model::fields::Fielded;
use meadow_model::{Loop, Pointer};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

pub(super) const RULE: Rule = Rule {
    code: "duplicate-ids",
    about: "two elements, stocks, flows, variables or loops have the same id",
    check,
};

/// How the items of one kind are told apart.
struct Kind<'k> {
    /// Where the item of an index stands.
    place: &'k dyn Fn(usize) -> Pointer,
    /// True when the second item says nothing that the first does not.
    is_copy: &'k dyn Fn(usize, usize) -> bool,
    /// True when a name is taken.
    is_used: &'k dyn Fn(&str) -> bool,
}

fn check(cx: &Context<'_>, found: &mut Found) {
    let d = cx.document;
    let is_used = &|name: &str| cx.names.get(name).is_some();
    let place = |list: &'static str| move |i| Pointer::root().key(list).index(i);
    let repeated = cx.names.repeated();
    if repeated.has(Kinds::ELEMENT) {
        repeats(d.elements.iter().map(|name| &**name), |id, first, i, is_first| {
            let place = place("elements");
            let describe = || Note {
                pointer: place(i),
                text: format!("{} is already {}; remove one of them", quote(id), place(first).dotted()),
                patch: Some(vec![Operation::remove(place(i))]),
            };
            found.repetition(is_first, describe);
        });
    }
    if repeated.has(Kinds::STOCK) {
        let kind = Kind {
            place: &place("stocks"),
            is_copy: &|a, b| is_copy(&d.stocks[a], &d.stocks[b]),
            is_used,
        };
        records(cx, found, d.stocks.iter().map(|s| s.id.as_str()), &kind);
    }
    if repeated.has(Kinds::FLOW) {
        let kind = Kind {
            place: &place("flows"),
            is_copy: &|a, b| is_copy(&d.flows[a], &d.flows[b]),
            is_used,
        };
        records(cx, found, d.flows.iter().map(|f| f.id.as_str()), &kind);
    }
    if repeated.has(Kinds::VARIABLE) {
        let kind = Kind {
            place: &place("variables"),
            is_copy: &|a, b| is_copy(&d.variables[a], &d.variables[b]),
            is_used,
        };
        records(cx, found, d.variables.iter().map(|v| v.id.as_str()), &kind);
    }
    loops(cx, found);
}

/// Loops of both lists share their names.
fn loops(cx: &Context<'_>, found: &mut Found) {
    let all: Vec<(&'static str, usize, &Loop<'_>)> = cx.document.loops.all().collect();
    let ids: std::collections::HashSet<&str, RandomState> = all.iter().map(|(_, _, one)| one.id.as_str()).collect();
    if ids.len() == all.len() {
        return;
    }
    let kind = Kind {
        place: &|i| Pointer::root().key("loops").key(all[i].0).index(all[i].1),
        is_copy: &|a, b| all[a].0 == all[b].0 && is_copy(all[a].2, all[b].2),
        is_used: &|name| ids.contains(name),
    };
    records(cx, found, all.iter().map(|(_, _, one)| one.id.as_str()), &kind);
}

/// Warns of repeated ids of records. A copy is taken away, another thing of the same name gets a new one.
fn records<'d>(cx: &Context<'d>, found: &mut Found, ids: impl Iterator<Item = &'d str>, kind: &Kind<'_>) {
    repeats(ids, |id, first, i, is_first| {
        found.repetition(is_first, || {
            let place = (kind.place)(i);
            let pointer = place.clone().key("id");
            let operation = if (kind.is_copy)(first, i) {
                Operation::remove(place)
            } else {
                Operation::replace(pointer.clone(), cx.fresh(id, kind.is_used).into())
            };
            let first = (kind.place)(first).dotted();
            Note {
                pointer,
                text: format!(
                    "{} is already the id of {first}; rename or remove one of them",
                    quote(id)
                ),
                patch: Some(vec![operation]),
            }
        });
    });
}

/// Calls `f` for each repetition of an id, with the index of its first item, its own, and whether it is the first
/// repetition of this id. Blank ids are missing, not equal.
fn repeats<'d>(ids: impl Iterator<Item = &'d str>, mut f: impl FnMut(&'d str, usize, usize, bool)) {
    let mut seen: HashMap<&str, (usize, bool), RandomState> = HashMap::default();
    for (i, id) in ids.enumerate() {
        if id.trim().is_empty() {
            continue;
        }
        match seen.entry(id) {
            Entry::Vacant(new) => {
                new.insert((i, true));
            }
            Entry::Occupied(mut known) => {
                let (first, is_first) = known.get_mut();
                f(id, *first, i, std::mem::take(is_first));
            }
        }
    }
}

/// True when the two are equal. The values of members that we do not know are not at hand, so items that have some
/// count as different.
fn is_copy<T: PartialEq + Fielded>(first: &T, second: &T) -> bool {
    first == second && first.unknown().is_empty()
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::check;

    const STOCK: &str = "is already the id of stocks[0]; rename or remove one of them";

    #[test]
    fn stocks() {
        let text = r#"{"stocks":[{"id":"tub","unit":"l"},{"id":"tub","unit":"l"},{"id":"tub","unit":"m3"},{"id":"tub_2"},{"id":" "},{"id":" "},{},{},
            {"id":"sea","note":1},{"id":"sea","note":2}]}"#;
        let tub = |i| format!("stocks[{i}].id: `tub` {STOCK}");
        check(
            "duplicate-ids",
            text,
            &[
                (&tub(1), r#"[{"op":"remove","path":"/stocks/1"}]"#),
                (&tub(2), r#"[{"op":"replace","path":"/stocks/2/id","value":"tub_3"}]"#),
                (
                    "stocks[9].id: `sea` is already the id of stocks[8]; rename or remove one of them",
                    r#"[{"op":"replace","path":"/stocks/9/id","value":"sea_2"}]"#,
                ),
            ],
        );
    }

    #[test]
    fn other_kinds() {
        let text = r#"{"elements":["a","b","a",""," "],"flows":[{"id":"f"},{"id":"f"}],"variables":[{"id":"v","expr":"1"},{"id":"v","expr":"2"}],
            "stocks":[{"id":"a"}],"loops":{"balancing":[{"id":"Fill Up B"},{"id":"x"}],"reinforcing":[{"id":"Fill Up B"},{"id":"x","description":"y"},{"id":"x","description":"y"},{}]}}"#;
        let again = "rename or remove one of them";
        check(
            "duplicate-ids",
            text,
            &[
                (
                    "elements[2]: `a` is already elements[0]; remove one of them",
                    r#"[{"op":"remove","path":"/elements/2"}]"#,
                ),
                (
                    &format!("flows[1].id: `f` is already the id of flows[0]; {again}"),
                    r#"[{"op":"remove","path":"/flows/1"}]"#,
                ),
                (
                    &format!("variables[1].id: `v` is already the id of variables[0]; {again}"),
                    r#"[{"op":"replace","path":"/variables/1/id","value":"v_2"}]"#,
                ),
                (
                    &format!("loops.reinforcing[0].id: `Fill Up B` is already the id of loops.balancing[0]; {again}"),
                    r#"[{"op":"replace","path":"/loops/reinforcing/0/id","value":"Fill Up B 2"}]"#,
                ),
                (
                    &format!("loops.reinforcing[1].id: `x` is already the id of loops.balancing[1]; {again}"),
                    r#"[{"op":"replace","path":"/loops/reinforcing/1/id","value":"x_2"}]"#,
                ),
                (
                    &format!("loops.reinforcing[2].id: `x` is already the id of loops.balancing[1]; {again}"),
                    r#"[{"op":"replace","path":"/loops/reinforcing/2/id","value":"x_3"}]"#,
                ),
            ],
        );
    }
}
