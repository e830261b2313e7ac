//! `applicable-without-intervention`: a leverage point is ticked, but nothing is proposed there.

use super::Rule;
use crate::context::Context;
use crate::found::{Found, Note};
use meadow_model::Pointer;

pub(super) const RULE: Rule = Rule {
    code: "applicable-without-intervention",
    about: "an applicable leverage point has no intervention",
    check,
};

fn check(cx: &Context<'_>, found: &mut Found) {
    let mut seen = 0u16;
    for (i, point) in cx.document.leverage_points.iter().enumerate() {
        let (Some(id), Some(true)) = (point.id.0, point.is_applicable) else {
            continue;
        };
        if cx.targets(id) || seen >> id & 1 == 1 {
            continue;
        }
        seen |= 1 << id;
        found.warning(|| Note {
            pointer: Pointer::root().key("leverage_points").index(i),
            text: format!(
                "{id} is applicable, but no intervention has target_leverage_id {id}; add one, or set is_applicable to false"
            ),
            patch: None,
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::check;

    #[test]
    fn cases() {
        let text = r#"{"leverage_points":[{"id":12,"is_applicable":true},{"id":3,"is_applicable":true},{"id":3,"is_applicable":true},
            {"id":4,"is_applicable":false},{"id":5},{"is_applicable":true}],
            "interventions":[{"target_leverage_id":12},{"target_leverage_id":4}]}"#;
        check(
            "applicable-without-intervention",
            text,
            &[(
                "leverage_points[1]: 3 is applicable, but no intervention has target_leverage_id 3; add one, or set is_applicable to false",
                "",
            )],
        );
    }
}
