//! How long the loops of a graph take.
//!
//! `cargo bench -p meadow-dynamics --bench loops [-- GRAPH.json ...]`. A graph is `{"n": nodes, "edges": [[from, to,
//! sign], ...]}`. Without files, graphs of the kind used in the field notes are made up: a ring and random edges, 30 %
//! of them minus. Times are the median of several batches, in CPU time of this thread; `peak` is that of the process.

#[path = "../../../tests/bench/cpu.rs"]
mod cpu;

use meadow_dynamics::graph::{Graph, Sign};
use meadow_dynamics::independent::independent;
use meadow_dynamics::loops::{Limits, loops};
use std::collections::BTreeSet;
use std::hint::black_box;

/// Nodes and edges of the graphs that are made up.
const SHAPES: [(u32, usize); 10] = [
    (20, 30),
    (20, 40),
    (20, 60),
    (20, 80),
    (50, 75),
    (50, 100),
    (50, 150),
    (100, 120),
    (100, 150),
    (100, 200),
];

/// How often each is measured.
const BATCHES: usize = 7;

#[expect(clippy::print_stdout, reason = "a benchmark prints")]
fn main() {
    println!(
        "{:>22} {:>9} {:>8} {:>8} {:>8}  {:>9}  independent",
        "graph (nodes, edges)", "loops", "listed", "complete", "to", "ms"
    );
    for (name, graph) in graphs() {
        let found = loops(&graph, &Limits::default());
        let time = median(|| drop(black_box(loops(black_box(&graph), &Limits::default()))));
        let set = independent(&graph);
        let set_time = median(|| drop(black_box(independent(black_box(&graph)))));
        let count = match found.total {
            Some(total) => total.to_string(),
            None => format!(">={}", found.at_least),
        };
        println!(
            "{:>22} {count:>9} {:>8} {:>8} {:>8}  {:>9.3}  {} in {:.3} ms",
            format!("{name} ({}, {})", graph.nodes().len(), graph.edges().len()),
            found.len(),
            found.complete,
            found.complete_to_length,
            time / 1e6,
            set.loops.len(),
            set_time / 1e6,
        );
    }
    println!("peak {} MB", peak() / 1024);
}

/// The graphs to measure with.
#[expect(
    clippy::disallowed_methods,
    clippy::expect_used,
    reason = "a benchmark reads its arguments and files"
)]
fn graphs() -> Vec<(String, Graph)> {
    let files: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with('-'))
        .collect();
    if files.is_empty() {
        return SHAPES
            .iter()
            .map(|&(nodes, edges)| ("made up".to_owned(), made_up(nodes, edges)))
            .collect();
    }
    let read = |path: String| {
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let number = |value: &serde_json::Value| value.as_i64().expect("a whole number");
        let edges = value["edges"].as_array().expect("a list of edges").iter().map(|edge| {
            let sign = Sign::declared(number(&edge[2]) as i8);
            (number(&edge[0]) as u32, number(&edge[1]) as u32, sign)
        });
        let graph = Graph::bare(number(&value["n"]) as u32, edges);
        let name = path
            .rsplit('/')
            .next()
            .unwrap_or(&path)
            .trim_end_matches(".json")
            .to_owned();
        (name, graph)
    };
    files.into_iter().map(read).collect()
}

/// A ring and random edges up to so many, the same for the same numbers.
fn made_up(nodes: u32, edges: usize) -> Graph {
    let mut seed = u64::from(nodes) * 1_000 + edges as u64;
    // SplitMix64.
    let mut draw = |below: u32| {
        seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = (seed ^ (seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % u64::from(below)) as u32
    };
    let mut seen: BTreeSet<(u32, u32)> = (0..nodes).map(|i| (i, (i + 1) % nodes)).collect();
    let mut list: Vec<_> = seen.iter().map(|&(from, to)| (from, to, Sign::Plus)).collect();
    while seen.len() < edges {
        let (from, to) = (draw(nodes), draw(nodes));
        let sign = if draw(10) < 7 { Sign::Plus } else { Sign::Minus };
        if from != to && seen.insert((from, to)) {
            list.push((from, to, sign));
        }
    }
    Graph::bare(nodes, list)
}

/// The median CPU time of one call, in nanoseconds.
fn median(call: impl FnMut()) -> f64 {
    cpu::median(BATCHES, call)
}

/// The most memory that the process had, in KiB; 0 where the system does not say.
#[expect(clippy::disallowed_methods, reason = "a benchmark reads what the system says")]
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|rest| rest.trim().trim_end_matches(" kB").trim().parse().ok())
        .unwrap_or(0)
}
