//! How long a simulation takes: the models of the field notes, with every step saved.
//!
//! `cargo bench -p meadow-dynamics --bench run`. Times are the median of several batches, in CPU time of this thread.
//! For comparison, pysimlin 0.8.5 on the machine of the notes: SIR 0.70 ms, chain 15 ms; first load, compile and run of
//! SIR about 4 ms.

#[path = "../../../tests/bench/cpu.rs"]
mod cpu;

use meadow_dynamics::compile::compile;
use meadow_dynamics::csv;
use meadow_dynamics::model::{Kind, Model, Specs, Variable};
use meadow_dynamics::run::{Limits, run};
use meadow_dynamics::summary::{Detail, summarize};
use std::hint::black_box;

/// How often each is measured.
const BATCHES: usize = 11;

#[expect(clippy::print_stdout, clippy::expect_used, reason = "a benchmark prints")]
fn main() {
    let limits = Limits::default();
    for (name, model) in [
        ("SIR, 800 steps", sir("100")),
        ("SIR, 10,000 steps", sir("1250")),
        ("SIR, 10,000 steps, RK4", with_rk4(sir("1250"))),
        ("chain of 100, 1,000 steps", chain(100)),
        ("chain of 1,000, 1,000 steps", chain(1_000)),
        ("the same, none below zero", non_negative(chain(1_000))),
    ] {
        let program = compile(&model).expect("a model");
        assert!(run(&program, &limits).outcome.complete);
        let compiled = median(|| drop(black_box(compile(black_box(&model)))));
        let spent = median(|| drop(black_box(run(black_box(&program), &limits))));
        let cold = median(|| {
            let program = compile(black_box(&model)).expect("a model");
            drop(black_box(run(&program, &limits)));
        });
        println!("{name:30} parse+compile {compiled:9.4} ms   run {spent:9.4} ms   all {cold:9.4} ms");
    }
    let program = compile(&sir("1250")).expect("a model");
    let run = run(&program, &limits);
    let summaries = median(|| {
        for column in 0..program.columns.len() {
            drop(black_box(summarize(&run, column, Detail::default())));
        }
    });
    let text = median(|| drop(black_box(csv::write(&program, &limits, &mut Vec::new()))));
    println!("SIR, 10,000 steps: summaries {summaries:.4} ms, run and CSV {text:.4} ms");
}

/// The median CPU time of one call, in milliseconds.
fn median(call: impl FnMut()) -> f64 {
    cpu::median(BATCHES, call) / 1e6
}

fn model(stop: &str, variables: Vec<Variable>) -> Model {
    Model {
        specs: Specs {
            stop: Some(stop.to_owned()),
            dt: "0.125".to_owned(),
            ..Specs::default()
        },
        variables,
        ..Model::default()
    }
}

fn variable(name: impl Into<String>, kind: Kind, equation: impl Into<String>) -> Variable {
    Variable {
        name: name.into(),
        kind,
        equation: Some(equation.into()),
        ..Variable::default()
    }
}

fn stock(inflow: &str, outflow: &str) -> Kind {
    let flows = |name: &str| match name {
        "" => Vec::new(),
        name => vec![name.to_owned()],
    };
    Kind::Stock {
        inflows: flows(inflow),
        outflows: flows(outflow),
        non_negative: false,
    }
}

const FLOW: Kind = Kind::Flow { uniflow: false };

fn sir(stop: &str) -> Model {
    model(
        stop,
        vec![
            variable("susceptible", stock("", "succumbing"), "total_population - infectious"),
            variable("infectious", stock("succumbing", "recovering"), "5"),
            variable("recovered", stock("recovering", ""), "0"),
            variable(
                "succumbing",
                FLOW,
                "susceptible * infectious / total_population * contact_infectivity",
            ),
            variable("recovering", FLOW, "infectious / duration"),
            variable("total_population", Kind::Auxiliary, "1000"),
            variable("contact_infectivity", Kind::Auxiliary, "0.3"),
            variable("duration", Kind::Auxiliary, "5"),
        ],
    )
}

fn with_rk4(mut model: Model) -> Model {
    "rk4".clone_into(&mut model.specs.method);
    model
}

/// Stocks in a line; the last outflow feeds the first inflow.
fn chain(n: usize) -> Model {
    let mut variables: Vec<Variable> = (0..n)
        .map(|i| {
            let kind = stock(&format!("f_{i}"), &format!("f_{}", i + 1));
            variable(format!("s_{i}"), kind, if i == 0 { "100" } else { "0" })
        })
        .collect();
    variables.push(variable("f_0", FLOW, format!("base_input + 0.1 * f_{n}")));
    variables.extend((1..=n).map(|i| variable(format!("f_{i}"), FLOW, format!("s_{} / tau_{}", i - 1, i % 10))));
    variables.extend((0..10).map(|i| {
        let tau = 1.0 + f64::from(i) * 0.5;
        variable(format!("tau_{i}"), Kind::Auxiliary, tau.to_string())
    }));
    variables.push(variable("base_input", Kind::Auxiliary, "10"));
    model("125", variables)
}

fn non_negative(mut model: Model) -> Model {
    for variable in &mut model.variables {
        if let Kind::Stock { non_negative, .. } = &mut variable.kind {
            *non_negative = true;
        }
    }
    model
}
