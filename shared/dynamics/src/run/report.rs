//! What a run showed, as problems.

use super::faults::{FaultKind, Faults, Seen};
use super::integrate::Low;
use super::{Limits, Outcome};
use crate::numbers::shortest;
use crate::problem::{Level, Problem, sorted};
use crate::program::{Basin, Keeps, Program};

/// A run that ended after so many steps because of these limits, or where there are none because it took too long.
pub(super) fn cut(program: &Program, steps: u64, limits: Option<&Limits>) -> Problem {
    let grid = &program.grid;
    let why = match limits {
        Some(limits) => format!(
            "more would pass the limit of {} operations or {} numbers under way in delays",
            limits.operations, limits.values
        ),
        None => "more would take too long here".to_owned(),
    };
    Problem::of_model(
        "run-cut",
        Level::Warning,
        format!(
            "the run ended at time {} after {steps} of {} steps: {why}",
            shortest(grid.time(steps)),
            grid.steps
        ),
        "choose a greater dt or an earlier stop",
    )
}

/// Adds what the run showed to the problems.
pub(super) fn report(program: &Program, faults: &Faults, lows: &[Option<Low>], outcome: &mut Outcome) {
    let mut found = Vec::new();
    if let Some(begin) = &outcome.not_finite {
        let column = program.columns.iter().find(|column| column.name == begin.variable);
        let what = if begin.value.is_nan() {
            "is no number"
        } else {
            "is infinite"
        };
        found.push(Problem {
            variable: begin.variable.clone(),
            pointer: column.map(|column| column.pointer.clone()).unwrap_or_default(),
            ..Problem::of_model(
                "not-finite",
                Level::Warning,
                format!(
                    "`{}` {what} from step {} (time {}) on; nothing before it was",
                    begin.variable,
                    begin.step,
                    shortest(begin.time)
                ),
                "look for a division by zero, an overflow, or a function outside its range in this equation",
            )
        });
    }
    for (column, kind, seen) in faults.in_order() {
        found.push(fault(program, column, kind, seen));
    }
    let lows = lows
        .iter()
        .zip(&program.basins)
        .filter_map(|(low, basin)| Some((low.as_ref()?, basin)));
    for (low, basin) in lows {
        below_zero(program, basin, low, &mut outcome.problems, &mut found);
    }
    outcome.problems.append(&mut found);
    outcome.problems = sorted(std::mem::take(&mut outcome.problems));
}

/// A stock that was drained below zero: it was kept there, an outflow does not stop, or steps are too long.
fn below_zero(program: &Program, basin: &Basin, low: &Low, advice: &mut [Problem], found: &mut Vec<Problem>) {
    let name = &program.columns[basin.column as usize].name;
    let time = shortest(low.time);
    if basin.keeps != Keeps::Nothing {
        found.push(of_column(
            program,
            basin.column,
            "kept-at-zero",
            Level::Info,
            format!(
                "`{name}` was kept at 0 at time {time} although its flows took more{}; they do not add up there",
                times(low.count)
            ),
            "let its outflows depend on the stock",
        ));
        return;
    }
    let explains = |problem: &&mut Problem| {
        matches!(problem.code, "no-first-order-control" | "dt-too-large") && problem.variable == *name
    };
    match advice.iter_mut().find(explains) {
        Some(advice) => {
            advice.level = Level::Warning;
            advice.message.push_str(&format!("; in this run it does at time {time}"));
        }
        None => found.push(of_column(
            program,
            basin.column,
            "dt-too-large",
            Level::Warning,
            format!("the outflows of `{name}` take more than there is in the step to time {time}, although they go to zero with it"),
            "choose a smaller dt",
        )),
    }
}

fn of_column(program: &Program, column: u32, code: &'static str, level: Level, message: String, fix: &str) -> Problem {
    let column = &program.columns[column as usize];
    Problem {
        variable: column.name.clone(),
        pointer: column.pointer.clone(),
        ..Problem::of_model(code, level, message, fix)
    }
}

/// `, 12 times in all`, where it is more than one.
fn times(count: u64) -> String {
    match count {
        1 => String::new(),
        count => format!(", {count} times in all"),
    }
}

fn fault(program: &Program, column: u32, kind: FaultKind, seen: Seen) -> Problem {
    let name = &program.columns[column as usize].name;
    let (code, level, what, fix) = match kind {
        FaultKind::DivisionByZero => (
            "division-by-zero",
            Level::Warning,
            "divides by zero",
            "use SAFEDIV(a, b, value where b is 0), or keep the divisor from reaching 0",
        ),
        FaultKind::Domain => (
            "outside-domain",
            Level::Warning,
            "takes a logarithm, a root or an inverse sine of a number that has none",
            "keep the argument within the function's range, as with MAX",
        ),
        FaultKind::DelayTime => (
            "delay-time",
            Level::Warning,
            "delays or averages over a time that is not greater than 0, which gives no number",
            "keep the time greater than 0, as with MAX(time, DT)",
        ),
        FaultKind::OutsideTable => (
            "outside-table",
            Level::Info,
            "asks a graphical function beyond its points, where it stays constant",
            "add points, or extrapolate",
        ),
    };
    let message = format!(
        "`{name}` {what} at step {} (time {}){}",
        seen.step,
        shortest(seen.time),
        times(seen.count)
    );
    of_column(program, column, code, level, message, fix)
}
