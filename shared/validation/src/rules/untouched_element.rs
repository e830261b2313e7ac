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
    // While there are no links, every element is untouched.
    if cx.document.interconnections.is_empty() {
        return;
    }
    let all = cx.names.all();
    if !all.iter().any(is_lone) {
        return;
    }
    let words = Words::of(cx);
    for (at, name) in all.iter().enumerate() {
        if !is_lone(name) || words.declared[at] || (!name.is_folded && words.folded.contains(&fold(name.name))) {
            continue;
        }
        found.advice(Level::Info, || Hint {
            pointer: Pointer::root().key("elements").index(name.index()),
            message: format!("nothing mentions the element {}", quote(name.name)),
            fix: "link it by an interconnection, or remove it".to_owned(),
            patch: None,
        });
    }
}

/// True for an element that is nothing else, and that no interconnection or loop mentions.
fn is_lone(name: &Name<'_>) -> bool {
    name.kinds == Kinds::ELEMENT
}

/// The names in all expressions.
struct Words<'d> {
    /// For each declared name whether an expression has it, or its fold.
    declared: Vec<bool>,
    /// The folds of the names in expressions: declared names that are no folds may be meant by them.
    folded: HashSet<Cow<'d, str>, RandomState>,
}

impl<'d> Words<'d> {
    fn of(cx: &Context<'d>) -> Self {
        let d = cx.document;
        let mut words = Self {
            declared: vec![false; cx.names.all().len()],
            folded: HashSet::default(),
        };
        let mut read = |expression: &'d str| words.read(cx, expression);
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

    fn read(&mut self, cx: &Context<'d>, expression: &'d str) {
        for (i, part) in expression.split('"').enumerate() {
            // Names are quoted where they hold more than letters, digits and underscores.
            if i % 2 == 1 {
                self.word(cx, part);
            } else {
                let is_gap = |c: char| !(c.is_alphanumeric() || c == '_');
                part.split(is_gap)
                    .filter(|word| !word.is_empty())
                    .for_each(|word| self.word(cx, word));
            }
        }
    }

    fn word(&mut self, cx: &Context<'d>, word: &'d str) {
        let exact = cx.names.find(word);
        let folded = fold(word);
        let at = exact.or_else(|| cx.names.find(&folded));
        if let Some(at) = at {
            self.declared[at] = true;
        }
        if exact.is_none() {
            self.folded.insert(folded);
        }
    }
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
