//! Running a program: Euler or RK4 on the exact grid, within limits, with every fault named where it began.

mod extremes;
mod faults;
pub(crate) mod functions;
mod integrate;
mod machine;
mod random;
mod report;
#[cfg(test)]
mod tests;

use crate::grid::Method;
use crate::problem::{Level, Problem, sorted};
use crate::program::{ColumnKind, Place, Program};
pub use extremes::Extreme;
use extremes::Extremes;
use integrate::Integrator;
use machine::Machine;
use std::ops::ControlFlow;

/// How much a run may take, and what its random draws start from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Numbers that are kept: saved rows times variables, and values under way in delays. Eight bytes each.
    pub values: u64,
    /// Additions, or as much work as one takes: a measure of time that is the same everywhere. 1e9 take two to four
    /// seconds.
    pub operations: u64,
    /// The seed of all random draws.
    pub seed: u64,
}

impl Default for Limits {
    /// 32 MiB of numbers, one to two seconds, seed 1.
    fn default() -> Self {
        Self {
            values: 4 << 20,
            operations: 500_000_000,
            seed: 1,
        }
    }
}

/// A run, its rows apart.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// True when every step up to the last was computed and every row that was due was saved.
    pub complete: bool,
    /// The last step that was computed.
    pub steps: u64,
    /// Where a value first was not finite.
    pub not_finite: Option<NotFinite>,
    /// What was found in the model and in the run, the weightiest first.
    pub problems: Vec<Problem>,
    /// The seed of the random draws; none where the model draws nothing.
    pub seed: Option<u64>,
    /// None where every step was kept: then the rows have them.
    extremes: Option<Extremes>,
}

/// Where a value first was not finite.
#[derive(Debug, Clone, PartialEq)]
pub struct NotFinite {
    /// The variable's name: the first in the order in which they are computed.
    pub variable: String,
    /// The step.
    pub step: u64,
    /// Its time.
    pub time: f64,
    /// The value: an infinity or NaN.
    pub value: f64,
}

/// A run with its saved rows.
#[derive(Debug, Clone)]
pub struct Run<'p> {
    /// What was run.
    pub program: &'p Program,
    /// How it went.
    pub outcome: Outcome,
    /// The times of the saved rows.
    pub times: Vec<f64>,
    rows: Vec<f64>,
}

impl Run<'_> {
    /// The saved values of the variable at this place of the program's columns.
    pub fn series(&self, column: usize) -> impl Iterator<Item = f64> + '_ {
        let place = self.program.columns[column].place;
        let width = self.program.row.len();
        (0..self.times.len()).map(move |row| match place {
            Place::Constant(value) => value,
            Place::Row(at) => self.rows[row * width + at as usize],
        })
    }

    /// The least and greatest values of a variable over every step, saved or not; none where it never was a number.
    #[must_use]
    pub fn extreme(&self, column: usize) -> Option<Extreme> {
        let grid = &self.program.grid;
        match (self.program.columns[column].place, &self.outcome.extremes) {
            (Place::Row(at), Some(extremes)) => extremes.of(at as usize, grid),
            _ => Extreme::of(self.times.iter().copied().zip(self.series(column))),
        }
    }
}

/// How many rows are computed before [`run_until`] asks again.
const ROWS_AT_A_TIME: usize = 64;

/// Runs a program and keeps its rows.
///
/// A run that would take more than the limits is cut: fewer rows are kept, or it ends early. Then the outcome is not
/// complete, and a problem says what was left out.
#[must_use]
pub fn run<'p>(program: &'p Program, limits: &Limits) -> Run<'p> {
    run_until(program, limits, || false)
}

/// The same, cut where it is over too: for those who have a clock and cannot wait.
#[must_use]
pub fn run_until<'p>(program: &'p Program, limits: &Limits, mut is_over: impl FnMut() -> bool) -> Run<'p> {
    let mut times = Vec::new();
    let mut rows = Vec::new();
    // Every how many of the due rows one is kept.
    let width = program.row.len() as u64 + 1;
    let due = program.grid.rows(affordable_steps(program, limits));
    let most = (limits.values / width).max(2);
    let thinning = due.div_ceil(most).max(1);
    let kept = due.div_ceil(thinning).min(most) as usize + 1;
    times.reserve_exact(kept);
    rows.reserve_exact(kept * program.row.len());
    let (mut skip, mut seen) = (0, 0);
    let every_step = thinning == 1 && program.grid.save_every == 1;
    let extremes = (!every_step).then(|| Extremes::new(program.row.len()));
    let mut outcome = each_row(program, limits, extremes, |row| {
        seen += 1;
        let cut = seen % ROWS_AT_A_TIME == 0 && is_over();
        if skip == 0 || row.is_last || cut {
            times.push(row.time);
            rows.extend_from_slice(row.values);
            skip = thinning;
        }
        skip -= 1;
        if cut {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    if thinning > 1 {
        outcome.complete = false;
        outcome.problems.push(Problem::of_model(
            "run-cut",
            Level::Warning,
            format!(
                "{due} rows of {} variables are more than the limit of {} numbers; every {thinning}th row is kept, extremes are of all",
                program.row.len(),
                limits.values
            ),
            "save fewer rows, or write the run to a CSV file, which may have more",
        ));
        outcome.problems = sorted(outcome.problems);
    }
    Run {
        program,
        outcome,
        times,
        rows,
    }
}

/// A row that is due.
pub(crate) struct Row<'m> {
    /// Its time.
    pub(crate) time: f64,
    /// The values of the variables that change.
    pub(crate) values: &'m [f64],
    /// True for the last one.
    pub(crate) is_last: bool,
}

/// Runs a program, handing on each row that is due as it is computed. Stops when `save` says so. The extremes of every
/// step are taken where they are asked for.
pub(crate) fn each_row(
    program: &Program,
    limits: &Limits,
    mut extremes: Option<Extremes>,
    mut save: impl FnMut(Row<'_>) -> ControlFlow<()>,
) -> Outcome {
    let grid = &program.grid;
    let mut machine = Machine::new(program, limits.seed);
    machine.memory[program.time as usize] = grid.start;
    machine.execute::<false>(&program.initial, program.initial.ops.len());
    // What the other equations did in the initial pass they do again in the first step.
    machine
        .faults
        .keep(|column| program.columns[column as usize].kind == ColumnKind::Stock);

    let last = last_step(program, limits, &mut machine);
    machine.fill_rings(last);
    let mut integrator = Integrator::new(program);
    let mut not_finite = None;
    let (mut step, mut time, mut due) = (0, grid.start, 0);
    loop {
        machine.step = step;
        machine.now = time;
        machine.memory[program.time as usize] = time;
        let is_last = step == last;
        // The last point has no rates of change.
        let end = if is_last {
            program.values
        } else {
            program.step.ops.len()
        };
        machine.execute::<false>(&program.step, end);
        let values = &machine.memory[program.row.clone()];
        if not_finite.is_none() && !extremes::are_finite(values) {
            not_finite = first_not_finite(program, step, time, values);
        }
        if let Some(extremes) = &mut extremes {
            extremes.observe(step, values);
        }
        if step == due || is_last {
            due += grid.save_every;
            let row = Row { time, values, is_last };
            if save(row).is_break() || is_last {
                break;
            }
        }
        machine.push_rings();
        step += 1;
        time = grid.time(step);
        integrator.advance(&mut machine, time);
    }
    let mut outcome = Outcome {
        complete: step == grid.steps,
        steps: step,
        not_finite,
        problems: program.advice.clone(),
        seed: (!program.draws.is_empty()).then_some(limits.seed),
        extremes,
    };
    if step < grid.steps {
        outcome
            .problems
            .push(report::cut(program, step, (step == last).then_some(limits)));
    }
    report::report(program, &machine.faults, integrator.lows(), &mut outcome);
    outcome
}

/// The first variable, in the order in which they are computed, that is not finite.
fn first_not_finite(program: &Program, step: u64, time: f64, values: &[f64]) -> Option<NotFinite> {
    program.order.iter().find_map(|column| {
        let column = &program.columns[*column as usize];
        let Place::Row(at) = column.place else { return None };
        let value = values[at as usize];
        (!value.is_finite()).then(|| NotFinite {
            variable: column.name.clone(),
            step,
            time,
            value,
        })
    })
}

/// How many operations a whole run takes, as [`Limits`] count them.
#[must_use]
pub fn operations(program: &Program) -> u64 {
    program.grid.steps.saturating_mul(cost(program))
}

/// How many steps the limit of operations allows.
fn affordable_steps(program: &Program, limits: &Limits) -> u64 {
    program.grid.steps.min((limits.operations / cost(program)).max(1))
}

/// How many operations a step takes.
fn cost(program: &Program) -> u64 {
    let stages = match program.grid.method {
        Method::Euler => 1,
        Method::Rk4 => 4,
    };
    let equations: u64 = program.step.ops.iter().map(|op| op.cost()).sum();
    let states = (program.nets.len() + program.states) as u64;
    (equations + states) * stages + program.row.len() as u64 + 1
}

/// The last step that the limits allow; the values that are under way in rings count as kept.
fn last_step(program: &Program, limits: &Limits, machine: &mut Machine<'_>) -> u64 {
    let steps = affordable_steps(program, limits);
    if machine.measure_rings(steps) <= limits.values {
        return steps;
    }
    steps.min(limits.values / program.rings.len().max(1) as u64).max(1)
}
