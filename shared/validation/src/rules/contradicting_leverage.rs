//! `contradicting-leverage`: a leverage point is listed as applicable and as not applicable.

use super::Rule;
use crate::context::Context;
use crate::found::{Found, Note};
use crate::report::Operation;
use meadow_model::Pointer;

pub(super) const RULE: Rule = Rule {
    code: "contradicting-leverage",
    about: "the same leverage id stands there twice with different is_applicable",
    check,
};

/// What is known of one id.
#[derive(Clone, Copy, Default)]
struct Seen {
    first: Option<usize>,
    applicable: bool,
    inapplicable: bool,
    warned: bool,
}

fn check(cx: &Context<'_>, found: &mut Found) {
    let points = &cx.document.leverage_points;
    let mut seen = [Seen::default(); 13];
    for (i, point) in points.iter().enumerate() {
        if let Some(seen) = point.id.0.and_then(|id| seen.get_mut(usize::from(id))) {
            seen.first.get_or_insert(i);
            seen.applicable |= point.is_applicable == Some(true);
            seen.inapplicable |= point.is_applicable == Some(false);
        }
    }
    if !seen.iter().any(|seen| seen.applicable && seen.inapplicable) {
        return;
    }
    let place = |i| Pointer::root().key("leverage_points").index(i);
    for (i, point) in points.iter().enumerate() {
        let Some(id) = point.id.0 else { continue };
        let seen = &mut seen[usize::from(id)];
        let Some(first) = seen
            .first
            .filter(|first| *first < i && seen.applicable && seen.inapplicable)
        else {
            continue;
        };
        let is_first = !std::mem::replace(&mut seen.warned, true);
        found.repetition(is_first, || {
            let mut patch = vec![Operation::remove(place(i))];
            if is_first {
                let right = cx.targets(id).into();
                patch.push(Operation::add(place(first).key("is_applicable"), right));
            }
            Note {
                pointer: place(i),
                text: format!(
                    "{id} is also leverage_points[{first}], but they differ in is_applicable; keep the one that is right"
                ),
                patch: Some(patch),
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::check;

    #[test]
    fn cases() {
        let text = r#"{"leverage_points":[{"id":12,"is_applicable":true},{"id":3,"is_applicable":true},{"id":12,"is_applicable":true},
            {"id":3,"is_applicable":false},{"id":3},{"id":4,"is_applicable":true},{"id":4}],"interventions":[{"target_leverage_id":3}]}"#;
        check(
            "contradicting-leverage",
            text,
            &[
                (
                    "leverage_points[3]: 3 is also leverage_points[1], but they differ in is_applicable; keep the one that is right",
                    r#"[{"op":"remove","path":"/leverage_points/3"},{"op":"add","path":"/leverage_points/1/is_applicable","value":true}]"#,
                ),
                (
                    "leverage_points[4]: 3 is also leverage_points[1], but they differ in is_applicable; keep the one that is right",
                    r#"[{"op":"remove","path":"/leverage_points/4"}]"#,
                ),
            ],
        );
    }
}
