//! How long a document takes: `serde_json` into a `Value`, our parser, and the check.
//!
//! `cargo bench -p meadow-validation [-- PATH]`. Without a path a document of about 1 MB is made up. Each line is the
//! median of many batches, in CPU time of this thread, and its ratio to the first.

#[path = "../../../tests/bench/cpu.rs"]
mod cpu;

use meadow_validation::check;
use serde_json::{Value, json};
use std::hint::black_box;

/// How often each is measured.
const BATCHES: usize = 15;

#[expect(clippy::print_stdout, clippy::expect_used, reason = "a benchmark prints")]
fn main() {
    let text = text();
    let document = meadow_model::parse(&text).expect("a document");
    let value = median(|| drop(black_box(serde_json::from_str::<Value>(black_box(&text)))));
    let parse = median(|| drop(black_box(meadow_model::parse(black_box(&text)))));
    let checked = median(|| drop(black_box(check(black_box(&document)))));
    println!("{} bytes, {:?} complete", text.len(), check(&document).complete);
    for (what, time) in [
        ("serde_json Value", value),
        ("model::parse", parse),
        ("validation::check", checked),
    ] {
        println!("{what:18} {:8.3} ms  {:.2} x", time / 1e6, time / value);
    }
}

/// The document to measure with.
#[expect(
    clippy::disallowed_methods,
    clippy::expect_used,
    reason = "a benchmark reads its arguments and files"
)]
fn text() -> String {
    match std::env::args().skip(1).find(|argument| !argument.starts_with('-')) {
        Some(path) => std::fs::read_to_string(path).expect("a readable file"),
        None => made_up(3_000).to_string(),
    }
}

/// The median CPU time of one call, in nanoseconds.
fn median(call: impl FnMut()) -> f64 {
    cpu::median(BATCHES, call)
}

/// A complete document of `n` stocks, flows, variables, links and loops.
fn made_up(n: usize) -> Value {
    let list = |item: &dyn Fn(usize) -> Value| (0..n).map(item).collect::<Value>();
    let elements: Vec<String> = ["stock", "flow", "rate"]
        .iter()
        .flat_map(|kind| (0..n).map(move |i| format!("{kind}_{i}")))
        .collect();
    json!({
        "version": "1.0.0",
        "system_name": "benchmark",
        "boundary": {"purpose": "be measured", "scope_in": ["everything"], "scope_out": ["nothing"]},
        "elements": elements,
        "interconnections": list(&|i| json!({"from": format!("rate_{i}"), "to": format!("flow_{i}"), "type": "causal"})),
        "stocks": list(&|i| json!({"id": format!("stock_{i}"), "unit": "litre", "description": format!("Water in tank {i} of the city")})),
        "flows": list(&|i| json!({
            "id": format!("flow_{i}"), "from_stock": format!("stock_{i}"), "to_stock": format!("stock_{}", (i + 1) % n),
            "rate_expr": format!("rate_{i} * stock_{i}"),
        })),
        "variables": list(&|i| json!({"id": format!("rate_{i}"), "expr": "0.1"})),
        "loops": {"balancing": list(&|i| json!({
            "id": format!("Tank {i} Drains B"), "description": format!("stock_{i} -> flow_{i} -> stock_{i}: the fuller, the faster"),
        }))},
        "leverage_points": [{"id": 12, "label": "Constants, parameters, numbers", "is_applicable": true}],
        "interventions": [{"target_leverage_id": 12, "proposal": "Turn the taps", "expected_effect": "Less water", "confidence": 0.5}],
    })
}
