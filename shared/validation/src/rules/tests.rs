//! What the tests of all rules share, and the tests of the whole table.

use super::*;
use std::collections::BTreeSet;

/// The report on a document.
#[track_caller]
pub(super) fn report(text: &str) -> Report {
    let document = meadow_model::parse(text).expect("a document");
    super::check(&document)
}

/// A message, and the patch as JSON; empty where there is none.
pub(super) type Expected<'e> = (&'e str, &'e str);

/// The rule `code` finds exactly `expected` in `text`.
#[track_caller]
pub(super) fn check(code: &str, text: &str, expected: &[Expected<'_>]) {
    let report = report(text);
    let findings = report.findings.iter().filter(|f| f.code == code);
    let found: Vec<_> = findings.map(|f| (f.message.clone(), json(&f.patch))).collect();
    assert_eq!(found, owned(expected));
}

/// The rule `code` advises exactly `expected` about `text`: pointer, message and fix.
#[track_caller]
pub(super) fn advice(code: &str, text: &str, expected: &[Expected<'_>]) {
    let report = report(text);
    let findings = report.findings.iter().filter(|f| f.code == code);
    let found: Vec<_> = findings
        .map(|f| (format!("{}: {}", f.pointer, f.message), json(&f.patch)))
        .collect();
    assert_eq!(found, owned(expected));
    assert_eq!(report.advice.iter().filter(|a| a.code == code).count(), expected.len());
    assert!(
        !report
            .inconsistency_warnings
            .iter()
            .any(|w| expected.iter().any(|(e, _)| e.ends_with(w)))
    );
}

fn json(patch: &Option<Vec<crate::Operation>>) -> String {
    patch
        .as_ref()
        .map_or(String::new(), |p| serde_json::to_string(p).unwrap())
}

fn owned(expected: &[Expected<'_>]) -> Vec<(String, String)> {
    expected
        .iter()
        .map(|(m, p)| ((*m).to_owned(), (*p).to_owned()))
        .collect()
}

#[test]
fn each_rule_has_its_own_code_and_a_line_in_the_docs() {
    let page = include_str!("../../../../docs/rules/README.md");
    let codes: BTreeSet<_> = ALL.iter().map(|rule| rule.code).collect();
    assert_eq!(codes.len(), ALL.len());
    for rule in ALL {
        let row = format!("| [`{0}`](#{0}) |", rule.code);
        assert!(
            page.contains(&row) && page.contains(&format!("\n## {}\n", rule.code)),
            "{row}"
        );
        assert!(page.contains(rule.about), "{}: {}", rule.code, rule.about);
    }
    assert_eq!(
        page.matches("\n## ").count(),
        ALL.len() + 1,
        "model-forked looks at no document"
    );
    assert!(page.contains("\n## model-forked\n"));
}
