//! Shapes that make a careless check quadratic, or its answer endless.

use super::report;
use crate::Report;
use serde_json::{Value, json};

/// The most that the four members of an answer may take as JSON.
const ANSWER: usize = 16_000;

#[track_caller]
fn size(report: &Report) -> usize {
    let text = serde_json::to_string(report).expect("JSON");
    assert!(!text.contains("findings"));
    text.len()
}

fn list<T: Into<Value>>(length: usize, item: impl Fn(usize) -> T) -> Value {
    (0..length).map(|i| item(i).into()).collect()
}

/// A document with `count` faults of each of several kinds, whose names come from `name`.
fn faulty(count: usize, name: &dyn Fn(&str, usize) -> String) -> Report {
    let document = json!({
        "elements": list(count, |i| name("twin", i / 2)),
        "stocks": list(count, |i| json!({"id": name("stock", i), "unitt": "l"})),
        "flows": list(count, |i| json!({"id": name("flow", i), "from_stock": name("ghost", i), "to_stock": name("Stock", i)})),
        "interconnections": list(count, |i| json!({"from": name("nobody", i), "to": name("Stock", i), "type": "info"})),
        "loops": {"balancing": list(count, |i| json!({"id": name("loop", i), "description": format!("{} -> x", name("lost", i))}))},
        "interventions": list(count, |i| json!({"changes": [{"variable": name("nothing", i)}]})),
        "leverage_points": list(count, |i| json!({"id": i % 12 + 1, "is_applicable": i % 5 == 0})),
    });
    report(&document.to_string())
}

#[test]
fn an_answer_is_bounded_whatever_the_names() {
    let tails = [
        String::new(),
        "x".repeat(500),
        "水".repeat(60),
        "\u{1}".repeat(60),
        "\"\\".repeat(30),
        "`😀".repeat(30),
    ];
    for tail in tails {
        let report = faulty(2_000, &|word, i| format!("{word} {i} {tail}"));
        let bytes = size(&report);
        assert!(bytes < ANSWER, "{bytes} with {tail:?}");
        assert_eq!(report.missing_fields.len(), 101);
        assert!(
            report.inconsistency_warnings.len() > 10,
            "{:?}",
            report.inconsistency_warnings
        );
        assert_eq!(report.advice.len(), 8);
        let last = report.inconsistency_warnings.last().expect("a line");
        // 12 leverage points contradict themselves and lack an intervention; 1 is the name x in 2,000 loops.
        let total = 1_000 + 2 * 2_000 + 2 * 2_000 + 2_000 + 2 * 12;
        assert_eq!(
            *last,
            format!("... and {} more", total - (report.inconsistency_warnings.len() - 1))
        );
    }
}

#[test]
fn twenty_thousand_dangling_flows_show_a_hundred() {
    let flows = list(
        20_000,
        |i| json!({"id": format!("f{i}"), "from_stock": "tub_water", "to_stock": format!("missing_stock_{i}"), "rate_expr": "1"}),
    );
    let stocks = json!([{"id": "tub_water", "unit": "litre", "description": "water"}]);
    let report = report(&json!({"stocks": stocks, "flows": flows}).to_string());
    assert_eq!(report.inconsistency_warnings.len(), 101);
    assert_eq!(report.inconsistency_warnings[100], "... and 19900 more");
    assert!(size(&report) < ANSWER);
    assert_eq!(
        report.findings.iter().filter(|f| f.code == "unknown-flow-end").count(),
        1_000
    );
}

#[test]
fn many_elements_are_no_fault() {
    let report = report(
        &json!({"elements": list(100_000, |i| format!("e{i}")), "interconnections": [{"from": "e1", "to": "e2"}]})
            .to_string(),
    );
    assert_eq!(report.inconsistency_warnings, [] as [&str; 0]);
    let untouched = report
        .advice
        .iter()
        .rfind(|a| a.code == "untouched-element")
        .expect("an advice");
    assert!(untouched.message.ends_with("(and 99995 more like it)"), "{untouched:?}");
}

#[test]
fn a_loop_over_300_000_unknown_names() {
    let chain: Vec<_> = (0..300_000).map(|i| format!("n{i}")).collect();
    let text =
        json!({"elements": ["n"], "loops": {"balancing": [{"id": "B", "description": chain.join("->")}]}}).to_string();
    assert!(text.len() > 2_000_000);
    let report = report(&text);
    assert_eq!(report.inconsistency_warnings[100], "... and 299900 more");
    assert!(size(&report) < ANSWER);
}

#[test]
fn a_loop_over_the_same_misspelt_name_again_and_again() {
    let chain = ["Tub-Water"; 100_000].join(" -> ");
    let text =
        json!({"elements": ["tub_water"], "loops": {"reinforcing": [{"id": "R", "description": chain}]}}).to_string();
    let report = report(&text);
    assert_eq!(report.inconsistency_warnings.len(), 1);
    let patch = report
        .findings
        .iter()
        .find_map(|f| f.patch.as_ref().filter(|_| f.code == "unknown-loop-member"));
    let value = patch.expect("a patch")[0].value.as_ref().expect("a value");
    assert_eq!(value.as_str(), Some(&*["tub_water"; 100_000].join(" -> ")));
}

#[test]
fn fifty_thousand_items_of_one_id() {
    let stocks = list(50_000, |i| json!({"id": "tub", "unit": i.to_string()}));
    let report = report(&json!({"stocks": stocks}).to_string());
    assert_eq!(
        report.inconsistency_warnings,
        ["stocks[1].id: `tub` is already the id of stocks[0]; rename or remove one of them"]
    );
    assert_eq!(
        report.findings.iter().filter(|f| f.code == "duplicate-ids").count(),
        1_000
    );
}

#[test]
fn a_new_name_is_found_among_many_that_are_taken() {
    let taken = list(30_000, |i| json!({"id": format!("tub_{i}")}))
        .as_array()
        .expect("a list")
        .clone();
    let twins = list(1_500, |i| json!({"id": "tub", "unit": i.to_string()}))
        .as_array()
        .expect("a list")
        .clone();
    let stocks = [twins, taken].concat();
    let report = report(&json!({"stocks": stocks}).to_string());
    let mut patches = report
        .findings
        .iter()
        .filter_map(|f| f.patch.as_ref().filter(|_| f.code == "duplicate-ids"));
    let last = patches.next_back().expect("a patch")[0].value.clone();
    assert_eq!(last, Some("tub_30999".into()));
}

#[test]
fn names_of_a_megabyte() {
    let long = "Water ".repeat(200_000);
    let near = format!("{long}s");
    let document = json!({
        "elements": [&long, &near, &long],
        "stocks": [{"id": &near}, {"id": &long}],
        "flows": [{"id": &long, "from_stock": long.to_lowercase(), "to_stock": "x"}],
        "loops": {"balancing": [{"id": &long, "description": format!("{} -> {long}x", long.trim())}]},
    });
    let report = report(&document.to_string());
    assert!(size(&report) < ANSWER);
    assert!(report.findings.iter().all(|f| f.message.len() < 1_000));
    let flow = report
        .inconsistency_warnings
        .iter()
        .find(|w| w.starts_with("flows[0].from_stock"))
        .expect("a warning");
    assert!(flow.contains("did you mean `Water"), "{flow}");
}

#[test]
fn members_that_nobody_knows() {
    let stocks = list(
        100_000,
        |i| json!({"id": format!("s{i}"), "unitz": "l", "colour": "red"}),
    );
    let report = report(&json!({"stocks": stocks}).to_string());
    assert_eq!(report.advice.iter().filter(|a| a.code == "unknown-member").count(), 3);
    assert!(size(&report) < ANSWER);
}
