//! The table of rules, one file each. To add a rule: a file, its `mod` line, a line in [`ALL`], and a line in
//! docs/rules/README.md.

mod applicable_without_intervention;
mod contradicting_leverage;
mod duplicate_ids;
mod duplicate_name;
mod flow_without_stock;
mod inert_stock;
mod missing_fields;
pub mod model_forked;
mod simulation_without_stop;
mod undeclared_end;
mod unknown_change;
mod unknown_flow_end;
mod unknown_loop_member;
mod unknown_member;
mod unreadable_evidence;
mod untouched_element;

use crate::context::Context;
use crate::found::Found;
use crate::report::{Advice, Report};
use meadow_model::Document;

/// A rule about documents.
pub struct Rule {
    /// Its code, as reports name it.
    pub code: &'static str,
    /// What it finds, in one line.
    pub about: &'static str,
    /// Looks through the document and writes down what it finds.
    check: fn(&Context<'_>, &mut Found),
}

impl std::fmt::Debug for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.code)
    }
}

/// Every rule that looks at a document alone: what is missing, contradictions, then advice, most useful first.
pub const ALL: &[Rule] = &[
    missing_fields::RULE,
    unknown_flow_end::RULE,
    flow_without_stock::RULE,
    unknown_loop_member::RULE,
    applicable_without_intervention::RULE,
    contradicting_leverage::RULE,
    duplicate_ids::RULE,
    unknown_change::RULE,
    unknown_member::RULE,
    simulation_without_stop::RULE,
    undeclared_end::RULE,
    duplicate_name::RULE,
    inert_stock::RULE,
    unreadable_evidence::RULE,
    untouched_element::RULE,
];

/// Checks a document against every rule.
#[must_use]
pub fn check(document: &Document<'_>) -> Report {
    check_with(document, Vec::new())
}

/// The same with advice that others gave about the document, most useful first; it counts as advice of rules that
/// stand behind all of ours.
#[must_use]
pub fn check_with(document: &Document<'_>, more: Vec<Advice>) -> Report {
    let context = Context::new(document);
    let mut found = Found::default();
    for rule in ALL {
        found.begin(rule.code);
        (rule.check)(&context, &mut found);
        found.end();
    }
    found.take(more);
    found.report()
}

#[cfg(test)]
mod tests;
