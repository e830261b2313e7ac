//! `duplicate-name`: a stock, a flow and a variable share a name, or two names differ only in case, blanks,
//! underscores and hyphens. Expressions could mean either. An element may repeat the name of any of them.

use super::Rule;
use crate::context::Context;
use crate::found::{Found, Hint, quote};
use crate::names::{Kinds, Name};
use crate::near::{fold, fold_into};
use crate::report::Level;
use foldhash::fast::RandomState;
use meadow_model::Pointer;
use std::collections::HashMap;
use std::hash::BuildHasher;

pub(super) const RULE: Rule = Rule {
    code: "duplicate-name",
    about: "a name is used for a stock, a flow or a variable at once, or two names are equal but for case and blanks",
    check,
};

/// The kinds that expressions mean by a name.
const VALUES: [(Kinds, &str, &str); 3] = [
    (Kinds::STOCK, "stock", "stocks"),
    (Kinds::FLOW, "flow", "flows"),
    (Kinds::VARIABLE, "variable", "variables"),
];

fn check(cx: &Context<'_>, found: &mut Found) {
    for name in cx.names.all() {
        if VALUES.iter().filter(|(kind, ..)| name.kinds.has(*kind)).count() > 1 {
            found.advice(Level::Warning, || across_kinds(cx, name));
        }
    }
    // A name that is its own fold can only be met by one that is not, so looking at the latter is enough.
    let hasher = RandomState::default();
    let mut folds: HashMap<u64, &Name<'_>, RandomState> = HashMap::default();
    let mut buffer = String::new();
    for name in cx.names.all().iter().filter(|name| !name.is_folded) {
        buffer.clear();
        fold_into(name.name, &mut buffer);
        let twin = cx.names.get(&buffer).or_else(|| {
            let known = *folds.entry(hasher.hash_one(&buffer)).or_insert(name);
            (known.name != name.name && fold(known.name) == *buffer).then_some(known)
        });
        if let Some(twin) = twin {
            found.advice(Level::Warning, || Hint {
                pointer: place(name),
                message: format!(
                    "{} and {} ({}) differ only in case, blanks, underscores or hyphens",
                    quote(name.name),
                    quote(twin.name),
                    place(twin).dotted()
                ),
                fix: "use one spelling, or names that are told apart".to_owned(),
                patch: None,
            });
        }
    }
}

/// Where `name` was declared first.
fn place(name: &Name<'_>) -> Pointer {
    match VALUES.iter().find(|(kind, ..)| *kind == name.first_kind) {
        Some((_, _, list)) => Pointer::root().key(list).index(name.index()).key("id"),
        None => Pointer::root().key("elements").index(name.index()),
    }
}

fn across_kinds(cx: &Context<'_>, name: &Name<'_>) -> Hint {
    let mut kinds = VALUES.iter().filter(|(kind, ..)| name.kinds.has(*kind));
    let words: Vec<_> = kinds.clone().map(|(_, word, _)| format!("a {word}")).collect();
    // The place of the last kind: a stock keeps its name.
    let last = kinds.next_back().map_or("stocks", |(.., list)| *list);
    let d = cx.document;
    let index = match last {
        "flows" => d.flows.iter().position(|f| f.id.as_str() == name.name),
        _ => d.variables.iter().position(|v| v.id.as_str() == name.name),
    };
    Hint {
        pointer: Pointer::root().key(last).index(index.unwrap_or(0)).key("id"),
        message: format!("{} is {} at once", quote(name.name), words.join(" and ")),
        fix: "rename one of them".to_owned(),
        patch: None,
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::advice;

    #[test]
    fn cases() {
        let check = |text: &str, expected: &[(&str, &str)]| advice("duplicate-name", text, expected);
        check(
            r#"{"elements":["tub","tap","v"," ","-"],"stocks":[{"id":"tub"}],"flows":[{"id":"tap"}],"variables":[{"id":"v"}]}"#,
            &[],
        );
        check(
            r#"{"stocks":[{"id":"a"},{"id":"tub"}],"flows":[{"id":"x"},{"id":"tub"}],"variables":[{"id":"tub"},{"id":"x"}]}"#,
            &[
                (
                    "/variables/0/id: `tub` is a stock and a flow and a variable at once; rename one of them",
                    "",
                ),
                (
                    "/variables/1/id: `x` is a flow and a variable at once; rename one of them",
                    "",
                ),
            ],
        );
        let fix = "use one spelling, or names that are told apart";
        let differ = "differ only in case, blanks, underscores or hyphens";
        check(
            r#"{"elements":["Tub Water","水 位"],"stocks":[{"id":"tub_water"},{"id":"水_位"}],"flows":[{"id":"A-b"}],"variables":[{"id":"a B"}]}"#,
            &[
                (
                    &format!("/elements/0: `Tub Water` and `tub_water` (stocks[0].id) {differ}; {fix}"),
                    "",
                ),
                (
                    &format!("/elements/1: `水 位` and `水_位` (stocks[1].id) {differ}; {fix}"),
                    "",
                ),
                (
                    &format!("/variables/0/id: `a B` and `A-b` (flows[0].id) {differ}; {fix}"),
                    "",
                ),
            ],
        );
    }
}
