//! `undeclared-end`: an interconnection begins or ends at a name that nothing declares.

use super::Rule;
use crate::context::Context;
use crate::found::{Found, Hint, quote};
use crate::report::{Level, Operation};
use meadow_model::Pointer;

pub(super) const RULE: Rule = Rule {
    code: "undeclared-end",
    about: "an interconnection's from or to is no element, stock, flow or variable",
    check,
};

fn check(cx: &Context<'_>, found: &mut Found) {
    // Where elements are missing, every end is undeclared, and `missing-fields` says all that there is to say.
    if !cx.has_elements {
        return;
    }
    for end in &cx.unresolved.link_ends {
        found.advice(Level::Warning, || {
            let pointer = Pointer::root().key("interconnections").index(end.index).key(end.member);
            let (fix, patch) = match cx.near_any(end.name) {
                Some(near) => (
                    format!("did you mean {}?", quote(near)),
                    Some(vec![Operation::replace(pointer.clone(), near.into())]),
                ),
                None => ("add it to elements or correct it".to_owned(), cx.declare(end.name)),
            };
            Hint {
                pointer,
                message: format!("{} is no element, stock, flow or variable", quote(end.name)),
                fix,
                patch,
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::advice;

    #[test]
    fn cases() {
        let links = r#""interconnections":[{"from":"tub","to":"tap"},{"from":"v","to":"bather"},{"from":" "},{"from":"moon","to":"Bather"},{"to":"moon"}]"#;
        let rest = r#""stocks":[{"id":"tub"}],"flows":[{"id":"tap"}],"variables":[{"id":"v"}]"#;
        advice(
            "undeclared-end",
            &format!(r#"{{"elements":["bather"],{links},{rest}}}"#),
            &[
                (
                    "/interconnections/3/from: `moon` is no element, stock, flow or variable; add it to elements or correct it",
                    r#"[{"op":"add","path":"/elements/-","value":"moon"}]"#,
                ),
                (
                    "/interconnections/3/to: `Bather` is no element, stock, flow or variable; did you mean `bather`?",
                    r#"[{"op":"replace","path":"/interconnections/3/to","value":"bather"}]"#,
                ),
                (
                    "/interconnections/4/to: `moon` is no element, stock, flow or variable; add it to elements or correct it",
                    "",
                ),
            ],
        );
        advice("undeclared-end", &format!("{{{links},{rest}}}"), &[]);
    }
}
