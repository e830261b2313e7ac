//! `untouched-element`: an element that nothing else in the document mentions.

use super::Rule;
use crate::context::Context;
use crate::found::{Found, Hint, quote};
use crate::names::{Kinds, Name};
use crate::near::fold;
use crate::report::Level;
use foldhash::fast::RandomState;
use meadow_model::{Initial, Pointer};
use std::borrow::Cow;
use std::collections::HashSet;

pub(super) const RULE: Rule = Rule {
    code: "untouched-element",
    about: "no interconnection, loop, expression, stock, flow or variable mentions an element",
    check,
};

fn check(cx: &Context<'_>, found: &mut Found) {
    let d = cx.document;
    // While there are no links, every element is untouched.
    if d.interconnections.is_empty() {
        return;
    }
    let is_lone = |name: &&Name<'_>| name.kinds == Kinds::ELEMENT;
    let lone = cx.names.all().iter().filter(is_lone);
    if lone.clone().next().is_none() {
        return;
    }
    let words = words(cx);
    for name in lone.filter(|name| !words.contains(&fold(name.name))) {
        found.advice(Level::Info, || Hint {
            pointer: Pointer::root().key("elements").index(name.first.1),
            message: format!("nothing mentions the element {}", quote(name.name)),
            fix: "link it by an interconnection, or remove it".to_owned(),
            patch: None,
        });
    }
}

/// The names in all expressions, folded.
fn words<'d>(cx: &Context<'d>) -> HashSet<Cow<'d, str>, RandomState> {
    let d = cx.document;
    let mut words = HashSet::default();
    let mut read = |expression: &'d str| {
        // Names are quoted where they hold more than letters, digits and underscores.
        for (i, part) in expression.split('"').enumerate() {
            if i % 2 == 1 {
                words.insert(fold(part));
            } else {
                let is_gap = |c: char| !(c.is_alphanumeric() || c == '_');
                words.extend(part.split(is_gap).filter(|word| !word.is_empty()).map(fold));
            }
        }
    };
    for stock in &d.stocks {
        if let Initial::Expression(text) = &stock.initial {
            read(text);
        }
    }
    d.flows.iter().for_each(|flow| read(flow.rate_expr.as_str()));
    d.variables.iter().for_each(|variable| read(variable.expr.as_str()));
    let changes = d.interventions.iter().flat_map(|intervention| &intervention.changes);
    changes.for_each(|change| read(change.expr.as_str()));
    words
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::advice;

    #[test]
    fn cases() {
        let text = r#"{"elements":["tub","bather","moon","fill time","Drain Fraction","x y","Fill Up B","v","w","sea","sea"],
            "interconnections":[{"from":"bather","to":"?"}],"stocks":[{"id":"tub","initial":"w"}],"variables":[{"id":"v","expr":"1 + \"X Y\""}],
            "flows":[{"id":"tap","rate_expr":"(3 - tub) / fill_time * drain_fraction"}],"loops":{"balancing":[{"id":"Fill Up B"}]}}"#;
        let text_of = |i, name| {
            format!("/elements/{i}: nothing mentions the element `{name}`; link it by an interconnection, or remove it")
        };
        advice(
            "untouched-element",
            text,
            &[(&text_of(2, "moon"), ""), (&text_of(9, "sea"), "")],
        );
        advice("untouched-element", r#"{"elements":["a"]}"#, &[]);
    }
}
