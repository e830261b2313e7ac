//! `unknown-change`: an intervention changes a variable that is not declared.

use super::Rule;
use crate::context::Context;
use crate::found::{Found, Note, quote};
use crate::report::Operation;
use meadow_model::Pointer;

pub(super) const RULE: Rule = Rule {
    code: "unknown-change",
    about: "an intervention's change names no variable",
    check,
};

fn check(cx: &Context<'_>, found: &mut Found) {
    for &(i, j, name) in &cx.unresolved.changes {
        found.warning(|| {
            let place = Pointer::root().key("interventions").index(i).key("changes").index(j);
            let pointer = place.key("variable");
            let near = cx.near_variable(name);
            let repair = match near {
                Some(near) => format!("did you mean {}?", quote(near)),
                None => "declare it in variables or correct it".to_owned(),
            };
            Note {
                patch: near.map(|near| vec![Operation::replace(pointer.clone(), near.into())]),
                pointer,
                text: format!("no variable has the id {}; {repair}", quote(name)),
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::check;

    #[test]
    fn cases() {
        let text = r#"{"elements":["tax"],"variables":[{"id":"tax_rate"}],"interventions":[{"changes":[{"variable":"tax_rate"},
            {"variable":"tax"},{"variable":"tax_rat"},{"variable":" "},{}]}]}"#;
        check(
            "unknown-change",
            text,
            &[
                (
                    "interventions[0].changes[1].variable: no variable has the id `tax`; declare it in variables or correct it",
                    "",
                ),
                (
                    "interventions[0].changes[2].variable: no variable has the id `tax_rat`; did you mean `tax_rate`?",
                    r#"[{"op":"replace","path":"/interventions/0/changes/2/variable","value":"tax_rate"}]"#,
                ),
            ],
        );
    }
}
