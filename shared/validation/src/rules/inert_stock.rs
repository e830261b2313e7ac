//! `inert-stock`: no flow fills or drains a stock, so that it never changes.

use super::Rule;
use crate::context::Context;
use crate::found::{Found, Hint, quote};
use crate::names::Kinds;
use crate::report::Level;
use meadow_model::Pointer;

pub(super) const RULE: Rule = Rule {
    code: "inert-stock",
    about: "no flow fills or drains a stock",
    check,
};

fn check(cx: &Context<'_>, found: &mut Found) {
    // Where flows are missing, every stock is inert, and `missing-fields` says all that there is to say.
    if cx.document.flows.is_empty() {
        return;
    }
    for (i, stock) in cx.document.stocks.iter().enumerate() {
        let Some(id) = stock.id.given() else { continue };
        if !cx.names.kinds(id).has(Kinds::FLOWING) {
            found.advice(Level::Warning, || Hint {
                pointer: Pointer::root().key("stocks").index(i),
                message: format!("no flow fills or drains {}", quote(id)),
                fix: "add a flow from or to it, or make it an element or a variable".to_owned(),
                patch: None,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::advice;

    #[test]
    fn cases() {
        let stocks = r#""stocks":[{"id":"tub"},{"id":"rock"},{"id":"sea"},{}]"#;
        advice(
            "inert-stock",
            &format!(r#"{{{stocks},"flows":[{{"from_stock":"tub","to_stock":"sea"}}]}}"#),
            &[(
                "/stocks/1: no flow fills or drains `rock`; add a flow from or to it, or make it an element or a variable",
                "",
            )],
        );
        advice("inert-stock", &format!("{{{stocks}}}"), &[]);
    }
}
