//! `meadow simulate`, `analyze` and `import`, and `check` of other tools' files.

use crate::client::{repository, run, run_with};
use serde_json::Value;
use std::fs;

const TEACUP: &str = r#"<xmile version="1.0" xmlns="http://docs.oasis-open.org/xmile/ns/XMILE/v1.0">
<header><name>Teacup</name></header><sim_specs time_units="minute"><start>0</start><stop>30</stop><dt>0.125</dt></sim_specs>
<model><variables>
<stock name="Teacup Temperature"><eqn>180</eqn><outflow>Heat Loss</outflow></stock>
<flow name="Heat Loss"><eqn>(Teacup_Temperature - Room) / Time_Constant</eqn></flow>
<aux name="Room"><eqn>70</eqn></aux><aux name="Time Constant"><eqn>10</eqn></aux>
</variables></model></xmile>"#;

const MDL: &str = "{UTF-8}\ntub = INTEG(tap - drain, 10) ~ litre ~ |\ntap = 2 ~ ~ |\ndrain = tub * 0.1 ~ ~ |\n\
    INITIAL TIME = 0 ~ ~ |\nFINAL TIME = 100 ~ ~ |\nTIME STEP = 1 ~ ~ |\nSAVEPER = 50 ~ ~ |\n";

const SDAI: &str = r#"{"variables":[{"name":"tub","type":"stock","equation":"10","inflows":["tap"],"outflows":[]},
    {"name":"tap","type":"flow","equation":"2"}],"relationships":[],
    "specs":{"startTime":0,"stopTime":4,"dt":1}}"#;

/// Runs with a text on standard input; gives standard output. Nothing may stand on standard error.
#[track_caller]
fn given(arguments: &[&str], input: &str, code: i32) -> String {
    let (is, out, err) = run_with(arguments, input);
    assert_eq!((is, err.as_str()), (code, ""), "{arguments:?}: {out}");
    out
}

#[test]
fn every_example_runs_and_is_analysed() {
    let mut seen = 0;
    for entry in fs::read_dir(repository("models")).expect("the models") {
        let path = entry.expect("an entry").path();
        let path = path.to_str().expect("a path");
        let run: Value = serde_json::from_str(&given(&["simulate", path, "--json"], "", 0)).expect("JSON");
        assert_eq!(run["status"], "ok", "{path}: {run}");
        let structure: Value = serde_json::from_str(&given(&["analyze", path, "--json"], "", 0)).expect("JSON");
        assert_eq!(structure["complete"], true, "{path}: {structure}");
        seen += 1;
    }
    assert_eq!(seen, 12);
}

#[test]
fn a_run_is_told_to_people() {
    let out = given(&["simulate", "-"], TEACUP, 0);
    for part in [
        "Teacup: 240 steps of 0.125 from 0 to 30 minute, euler",
        "Teacup Temperature",
        "goal-seeking",
        "█",
        "Room = 70",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
}

#[test]
fn a_table_has_every_saved_step_of_every_variable() {
    let out = given(&["simulate", "-", "--csv", "-"], TEACUP, 0);
    let rows: Vec<_> = out.lines().collect();
    assert_eq!(rows.len(), 242);
    assert_eq!(rows[0], "time,Teacup Temperature,Heat Loss,Room,Time Constant");
    assert_eq!(rows[1], "0,180,11,70,10");
    assert_eq!(rows[2], "0.125,178.625,10.8625,70,10");

    let out = given(&["simulate", "-", "--csv", "-"], MDL, 0);
    let times: Vec<_> = out.lines().map(|row| row.split(',').next().expect("a field")).collect();
    assert_eq!(times, ["time", "0", "50", "100"]);

    let out = given(&["simulate", "-", "--csv", "-"], SDAI, 0);
    assert_eq!(out.lines().last(), Some("4,18,2"));

    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("teacup.csv");
    let path = path.to_str().expect("a path");
    let out = given(&["simulate", "-", "--csv", path], TEACUP, 0);
    assert!(out.ends_with("241 rows of time and 4 variables"), "{out}");
    assert_eq!(fs::read_to_string(path).expect("the table").lines().count(), 242);

    let model = folder.path().join("teacup.xmile");
    fs::write(&model, TEACUP).expect("a model");
    let model = model.to_str().expect("a path");
    let (code, _, err) = run(&["simulate", model, "--csv", model]);
    assert_eq!(code, 2, "{err}");
    assert_eq!(fs::read_to_string(model).expect("the model"), TEACUP);
}

#[test]
fn a_table_without_end_is_refused_before_anything_is_written() {
    let endless = TEACUP.replace("<dt>0.125</dt>", "<dt>1e-9</dt>");
    assert_ne!(endless, TEACUP);
    let (code, out, err) = run_with(&["simulate", "-", "--csv", "-"], &endless);
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(
        err.contains("30000000001 rows of 4 variables, more than 1000000000 numbers"),
        "{err}"
    );
}

#[test]
fn what_a_file_has_and_the_table_lacks_is_told() {
    let macro_called = TEACUP
        .replace("</xmile>", "<macro name=\"WARM\"><eqn>1</eqn></macro></xmile>")
        .replace("</variables>", "<aux name=\"w\"><eqn>WARM(1)</eqn></aux></variables>");
    let (code, _, err) = run_with(&["simulate", "-", "--csv", "-"], &macro_called);
    assert_eq!(code, 1);
    assert!(err.contains("Macros are not supported: WARM."), "{err}");
}

#[test]
fn numbers_of_any_size_take_few_digits() {
    let huge = TEACUP.replace("<eqn>180</eqn>", "<eqn>1.8e300</eqn>");
    assert_ne!(huge, TEACUP);
    let out = given(&["simulate", "-"], &huge, 0);
    assert!(out.contains("1.8e300"), "{out}");
}

#[test]
fn what_cannot_be_run_names_the_places() {
    let broken = TEACUP.replace("Room) /", "Rooom) /");
    let out = given(&["simulate", "-"], &broken, 1);
    assert!(out.contains("cannot be run") && out.contains("undefined-name"), "{out}");
    assert!(out.contains("^^^^^"), "{out}");
    let (code, out, err) = run_with(&["simulate", "-", "--csv", "-"], &broken);
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(
        err.contains("undefined-name") && err.contains("did you mean `Room`"),
        "{err}"
    );
    let (code, _, err) = run_with(&["simulate", "-"], r#"{"version":1,"stocks":{}}"#);
    assert_eq!(code, 1);
    assert!(err.contains("/version") && err.contains("/stocks"), "{err}");
    let (code, _, err) = run_with(&["analyze", "-"], "hello");
    assert_eq!(code, 1);
    assert!(err.contains("standard input: the file begins with \"hello\""), "{err}");
    for command in ["simulate", "analyze", "import"] {
        let (code, _, err) = run(&[command, "no/such/file"]);
        assert_eq!(code, 3, "{err}");
        assert!(err.contains("no/such/file cannot be read"), "{err}");
    }
    let (code, _, err) = run(&["simulate", "x", "--json", "--csv", "-"]);
    assert_eq!(code, 2, "{err}");
    let (code, _, err) = run_with(&["simulate", "-", "--csv", "no/such/folder/x.csv"], TEACUP);
    assert_eq!(code, 3, "{err}");
}

#[test]
fn loops_are_told_to_people() {
    let out = given(&["analyze", "-"], TEACUP, 0);
    assert!(out.contains("1 loop, 1 balancing"), "{out}");
    assert!(
        out.contains("Teacup Temperature -+> Heat Loss --> Teacup Temperature"),
        "{out}"
    );
    let wrong = r#"{"system_name":"Tub","interconnections":[{"from":"a","to":"b","type":"causal","polarity":"+"},
        {"from":"b","to":"a","type":"causal","polarity":"+"}],
        "loops":{"balancing":[{"id":"B","description":"a -> b -> a: wrong"},{"id":"C","description":"a -> c -> a: open"}]}}"#;
    let out = given(&["analyze", "-"], wrong, 0);
    for part in [
        "B: has the other class (R1)",
        "C: nothing declares c",
        "loop-class-contradiction",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
}

#[test]
fn other_tools_files_are_checked() {
    let out = given(&["check", "-"], TEACUP, 0);
    assert!(out.starts_with("standard input: XMILE, can be run"), "{out}");
    let out = given(
        &["check", "-", "--json"],
        &TEACUP.replace("<eqn>70</eqn>", "<eqn>70 +</eqn>"),
        1,
    );
    let report: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(
        (&report["complete"], &report["format"]),
        (&Value::Bool(false), &"XMILE".into())
    );
    assert_eq!(report["advice"][0]["code"], "unparsable-expression");
    assert!(report["findings"].is_array() && report["missing_fields"].is_array());
    let out = given(&["check", "-"], "<xmile", 1);
    assert!(out.starts_with("standard input: XMILE: "), "{out}");
}

#[test]
fn a_file_is_imported_and_read_back_as_a_document() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = format!("sqlite:{}", folder.path().join("models.db").display());
    let out = given(&["import", "-", "--store", &store], TEACUP, 0);
    assert!(out.starts_with("standard input: model teacup, revision 1"), "{out}");
    assert!(out.contains("Missing") && out.contains("boundary.purpose"), "{out}");
    let out = given(&["import", "-", "--store", &store, "--model", "tub"], MDL, 0);
    assert!(out.starts_with("standard input: model tub, revision 1"), "{out}");
    assert!(
        out.contains("Not held, or held in other words"),
        "a save step is lost: {out}"
    );
    let out = given(&["import", "-", "--store", &store], TEACUP, 0);
    assert!(
        out.starts_with("standard input: unchanged, model teacup, revision 1"),
        "{out}"
    );
    let (code, _, err) = run_with(&["import", "-", "--store", &store, "--model", "a/b"], TEACUP);
    assert_eq!(code, 2, "{err}");
    let path = folder.path().join("Two taps.json");
    fs::write(&path, SDAI).expect("written");
    let out = given(&["import", path.to_str().expect("a path"), "--store", &store], "", 0);
    assert!(out.contains("model two-taps, revision 1"), "{out}");
}
