//! The documents in tests/documents, which pin how the requirements are read; expected.json says what each must get.

use meadow_model::{Refusal, parse, text_of};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

#[expect(
    clippy::disallowed_methods,
    reason = "the test reads its documents; the crate itself reads nothing"
)]
fn read(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/documents");
    std::fs::read(folder.join(name)).expect("a document of the tests")
}

#[test]
fn each_gets_what_is_expected() {
    let expected: BTreeMap<String, Value> = serde_json::from_slice(&read("expected.json")).expect("JSON");
    assert_eq!(expected.len(), 38);
    for (name, expected) in &expected {
        let bytes = read(&format!("{name}.json"));
        let parsed = text_of(&bytes).and_then(|text| Ok((parse(text)?, text)));
        let (document, _) = match (parsed, expected["http"].as_u64()) {
            (Ok(parsed), Some(200)) => parsed,
            (Err(Refusal::Schema(_) | Refusal::NotJson(_)), Some(400 | 422)) => continue,
            (parsed, http) => panic!("{name}: {http:?}, but {parsed:?}"),
        };
        let report = crate::check(&document);
        assert_eq!(Value::from(report.complete), expected["complete"], "{name}: {report:?}");
        let missing: BTreeSet<_> = report.missing_fields.iter().map(String::as_str).collect();
        let fields = expected["missing_fields"].as_array().expect("a list").iter();
        assert_eq!(missing, fields.filter_map(Value::as_str).collect(), "{name}");
        assert_eq!(
            Value::from(report.inconsistency_warnings.len()),
            expected["warnings"],
            "{name}: {:?}",
            report.inconsistency_warnings
        );
    }
}
