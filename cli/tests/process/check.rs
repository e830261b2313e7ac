//! `meadow check`, and wrong use of any command.

use crate::client::{repository, run, run_with};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

#[track_caller]
fn check(arguments: &[&str], code: i32, stdout: &str, stderr: &str) {
    let (is, out, err) = run(arguments);
    assert_eq!(is, code, "{arguments:?}: {out} {err}");
    assert!(
        out.contains(stdout) && err.contains(stderr),
        "{arguments:?}: {out} {err}"
    );
    assert_eq!(err.is_empty(), stderr.is_empty(), "{err}");
}

/// What `check --json` says of a file, and its exit code.
#[track_caller]
fn judged(file: &str) -> (i32, Value) {
    let (code, out, err) = run(&["check", "--json", file]);
    assert_eq!(err, "", "{file}");
    (code, serde_json::from_str(&out).expect("JSON"))
}

fn strings(list: &Value) -> BTreeSet<&str> {
    list.as_array()
        .expect("a list")
        .iter()
        .filter_map(Value::as_str)
        .collect()
}

#[test]
fn every_example_is_complete() {
    let mut seen = 0;
    for entry in fs::read_dir(repository("models")).expect("the models") {
        let path = entry.expect("an entry").path();
        let (code, report) = judged(path.to_str().expect("a path"));
        assert_eq!((code, &report["complete"]), (0, &Value::Bool(true)), "{report}");
        seen += 1;
    }
    assert_eq!(seen, 12);
}

#[test]
fn every_judged_document_is_judged_so() {
    let folder = repository("tests/documents");
    let expected = fs::read_to_string(folder.join("expected.json")).expect("what is expected");
    let expected: Value = serde_json::from_str(&expected).expect("JSON");
    let rows = expected.as_object().expect("an object");
    assert_eq!(rows.len(), 38);
    for (name, wanted) in rows {
        let (code, report) = judged(folder.join(format!("{name}.json")).to_str().expect("a path"));
        let complete = wanted["http"] == 200 && wanted["complete"] == true;
        assert_eq!(report["complete"], complete, "{name}: {report}");
        assert_eq!(code, i32::from(!complete), "{name}: {report}");
        if wanted["http"] == 200 {
            assert_eq!(
                strings(&report["missing_fields"]),
                strings(&wanted["missing_fields"]),
                "{name}"
            );
            assert!(report.get("refused").is_none(), "{name}: {report}");
        } else {
            assert!(report["refused"].is_string(), "{name}: {report}");
            assert!(
                !report["findings"].as_array().expect("a list").is_empty(),
                "{name}: {report}"
            );
        }
    }
}

#[test]
fn standard_input_is_a_file_too() {
    let (code, out, err) = run_with(&["check", "-"], r#"{"version":"1","stocks":[{"id":"water"}]}"#);
    assert_eq!((code, err.as_str()), (1, ""));
    assert!(out.starts_with("standard input: not complete\n"), "{out}");
    assert!(out.contains("stocks[0].unit"), "{out}");
}

#[test]
fn a_refused_document_names_every_fault() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    fs::write(&file, r#"{"version":1,"stocks":{},"loops":{"balancing":[7]}}"#).expect("written");
    let path = file.path().to_str().expect("a path");
    for fault in ["3 faults", "/version", "/stocks", "/loops/balancing/0"] {
        check(&["check", path], 1, fault, "");
    }
}

#[test]
fn a_document_that_is_too_large_is_refused() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    for size in [5 << 20, 9 << 20] {
        fs::write(&file, vec![b' '; size]).expect("written");
        check(
            &["check", file.path().to_str().expect("a path")],
            1,
            "at most 4194304 ",
            "",
        );
    }
}

#[test]
fn the_world_fails_with_3() {
    check(
        &["check", "no/such/file.json"],
        3,
        "",
        "no/such/file.json cannot be read",
    );
    check(
        &[
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--store",
            "sqlite:/dev/null/models.db",
        ],
        3,
        "",
        "/dev/null",
    );
    check(&["stdio", "--store", "sqlite:/dev/null/models.db"], 3, "", "/dev/null");
}

#[test]
fn wrong_use_is_2_and_names_the_repair() {
    check(&[], 2, "", "Usage: meadow <COMMAND>");
    check(&["check"], 2, "", "<FILE>");
    check(
        &["serve", "--listen", "0.0.0.0:0"],
        2,
        "",
        "only this machine's own addresses",
    );
    check(
        &["stdio", "--listen", "[::]:0"],
        2,
        "",
        "only this machine's own addresses",
    );
    check(
        &["serve", "--store", "dynamodb:a b"],
        2,
        "",
        "no name of a DynamoDB table",
    );
    check(&["serve", "--workspace", "a/b"], 2, "", "ASCII letters");
    check(&["serve", "--log", "loud"], 2, "", "--log");
}

#[test]
fn help_has_examples() {
    check(&["--version"], 0, concat!("meadow ", env!("CARGO_PKG_VERSION")), "");
    check(&["--help"], 0, "Examples:", "");
    for command in ["serve", "stdio", "check", "simulate", "analyze", "import", "token"] {
        check(&[command, "--help"], 0, "Examples:", "");
    }
}
