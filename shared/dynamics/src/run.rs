//! Running a program: Euler or RK4 on the exact grid, within limits, with every fault named where it began.

pub(crate) mod faults;
pub(crate) mod functions;
mod machine;
mod random;
#[cfg(test)]
mod tests;

use crate::grid::Method;
use crate::problem::{Level, Problem};
use crate::program::{ColumnKind, Floor, Place, Program};
use faults::{FaultKind, Faults, Seen};
use machine::Machine;
use std::ops::ControlFlow;

/// How much a run may take, and what its random draws start from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Numbers that are kept: saved rows times variables, and values under way in delays. Eight bytes each.
    pub values: u64,
    /// Instructions that are carried out: a measure of time, about 1e9 in a second or two, the same everywhere.
    pub operations: u64,
    /// The seed of all random draws.
    pub seed: u64,
}

impl Default for Limits {
    /// 32 MiB of numbers, about two seconds, seed 1.
    fn default() -> Self {
        Self {
            values: 4 << 20,
            operations: 1_000_000_000,
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
    extremes: Extremes,
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

/// The least and greatest values of a variable over every step, saved or not.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extreme {
    /// The least value, and the first time it had it.
    pub min: (f64, f64),
    /// The greatest value, and the first time it had it.
    pub max: (f64, f64),
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

    /// The extremes of a variable over every step; none where it never was a finite number.
    #[must_use]
    pub fn extreme(&self, column: usize) -> Option<Extreme> {
        self.outcome.extreme(self.program, column)
    }
}

impl Outcome {
    /// The extremes of a variable over every step; none where it never was a number.
    #[must_use]
    pub fn extreme(&self, program: &Program, column: usize) -> Option<Extreme> {
        let start = program.grid.start;
        match program.columns[column].place {
            Place::Constant(value) => (!value.is_nan()).then_some(Extreme {
                min: (value, start),
                max: (value, start),
            }),
            Place::Row(at) => self.extremes.of(at as usize, program),
        }
    }
}

/// Runs a program and keeps its rows.
///
/// A run that would take more than the limits is cut: fewer rows are kept, or it ends early. Then the outcome is not
/// complete, and a problem says what was left out.
#[must_use]
pub fn run<'p>(program: &'p Program, limits: &Limits) -> Run<'p> {
    let mut times = Vec::new();
    let mut rows = Vec::new();
    // Every how many of the due rows one is kept.
    let width = program.row.len() as u64 + 1;
    let due = program.grid.rows();
    let most = (limits.values / width).max(2);
    let thinning = due.div_ceil(most).max(1);
    let last = program.grid.steps;
    let kept = due.div_ceil(thinning).min(most) as usize + 1;
    times.reserve_exact(kept);
    rows.reserve_exact(kept * program.row.len());
    let mut row_number = 0_u64;
    let mut outcome = each_row(program, limits, |step, time, row| {
        if row_number.is_multiple_of(thinning) || step == last {
            times.push(time);
            rows.extend_from_slice(row);
        }
        row_number += 1;
        ControlFlow::Continue(())
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
            "save fewer rows, or write the run to a CSV file, which has no such limit",
        ));
        outcome.problems.sort_by_key(|problem| problem.level);
    }
    Run {
        program,
        outcome,
        times,
        rows,
    }
}

/// Runs a program, handing on each saved row as it is computed: the step, its time, and the values that change.
/// Stops when `save` says so.
pub(crate) fn each_row(
    program: &Program,
    limits: &Limits,
    mut save: impl FnMut(u64, f64, &[f64]) -> ControlFlow<()>,
) -> Outcome {
    let grid = &program.grid;
    let mut machine = Machine::new(program, limits.seed);
    machine.memory[program.time as usize] = grid.start;
    machine.execute::<false>(&program.initial);
    // What the other equations did in the initial pass they do again in the first step.
    machine
        .faults
        .keep(|column| program.columns[column as usize].kind == ColumnKind::Stock);

    let last = last_step(program, limits, &mut machine);
    machine.fill_rings(last);
    let mut run = Running {
        program,
        extremes: Extremes::new(program.row.len()),
        not_finite: None,
        floored: vec![Floored::default(); program.floors.len()],
        stage: Stages::new(program),
    };
    let mut step = 0;
    loop {
        let time = grid.time(step);
        machine.step = step;
        machine.now = time;
        machine.memory[program.time as usize] = time;
        machine.execute::<false>(&program.values);
        let row = &machine.memory[program.row.clone()];
        run.observe(step, time, row);
        let stopped = (grid.saves(step) || step == last) && save(step, time, row).is_break();
        if step == last || stopped {
            break;
        }
        machine.execute::<false>(&program.changes);
        machine.push_rings();
        run.advance(&mut machine, grid.time(step + 1));
        step += 1;
    }
    let mut outcome = Outcome {
        complete: step == grid.steps,
        steps: step,
        not_finite: run.not_finite.take(),
        problems: program.advice.clone(),
        seed: (!program.draws.is_empty()).then_some(limits.seed),
        extremes: run.extremes,
    };
    report(program, limits, &machine.faults, &run.floored, &mut outcome);
    outcome
}

/// The last step that the limits allow.
fn last_step(program: &Program, limits: &Limits, machine: &mut Machine<'_>) -> u64 {
    let stages = match program.grid.method {
        Method::Euler => 1,
        Method::Rk4 => 4,
    };
    let instructions = (program.values.ops.len() + program.changes.ops.len() + program.states) * stages;
    let cost = (instructions + program.row.len() + 1) as u64;
    let affordable = (limits.operations / cost).max(1);
    let steps = program.grid.steps.min(affordable);
    // Values under way in rings are kept, too.
    if machine.measure_rings(steps) <= limits.values {
        return steps;
    }
    steps.min(limits.values / program.rings.len().max(1) as u64).max(1)
}

/// How often a stock was kept from falling below zero, and when first.
#[derive(Debug, Clone, Copy, Default)]
struct Floored {
    count: u64,
    time: f64,
}

struct Running<'p> {
    program: &'p Program,
    extremes: Extremes,
    not_finite: Option<NotFinite>,
    floored: Vec<Floored>,
    stage: Stages,
}

/// What RK4 keeps between its stages: the states at the start of the step, and the weighted sum of the rates.
struct Stages {
    start: Vec<f64>,
    sum: Vec<f64>,
}

impl Stages {
    fn new(program: &Program) -> Self {
        let size = match program.grid.method {
            Method::Euler => 0,
            Method::Rk4 => program.states,
        };
        Self {
            start: vec![0.0; size],
            sum: vec![0.0; size],
        }
    }
}

impl Running<'_> {
    /// Notes what a row shows.
    fn observe(&mut self, step: u64, time: f64, row: &[f64]) {
        let is_finite = self.extremes.observe(step, row);
        if is_finite || self.not_finite.is_some() {
            return;
        }
        let first = self.program.order.iter().find_map(|column| {
            let column = &self.program.columns[*column as usize];
            match column.place {
                Place::Row(at) if !row[at as usize].is_finite() => Some((column, row[at as usize])),
                _ => None,
            }
        });
        self.not_finite = first.map(|(column, value)| NotFinite {
            variable: column.name.clone(),
            step,
            time,
            value,
        });
    }

    /// Takes the states to the next step, whose time is `next`.
    fn advance(&mut self, machine: &mut Machine<'_>, next: f64) {
        let program = self.program;
        let dt = program.grid.dt;
        match program.grid.method {
            Method::Euler => {
                let (states, rates) = states_and_rates(&mut machine.memory, program);
                for (state, rate) in states.iter_mut().zip(rates) {
                    *state += dt * rate;
                }
            }
            Method::Rk4 => self.rk4(machine, next),
        }
        for (at, floor) in program.floors.iter().enumerate() {
            self.keep_above_zero(machine, at, floor, next);
        }
    }

    fn rk4(&mut self, machine: &mut Machine<'_>, next: f64) {
        let program = self.program;
        let dt = program.grid.dt;
        let (states, rates) = states_and_rates(&mut machine.memory, program);
        self.stage.start.copy_from_slice(states);
        self.stage.sum.copy_from_slice(rates);
        // Stages 2 to 4: how far each goes along the rates of the one before, and its weight.
        for (part, time, weight) in [
            (dt / 2.0, machine.now + dt / 2.0, 2.0),
            (dt / 2.0, machine.now + dt / 2.0, 2.0),
            (dt, next, 1.0),
        ] {
            let (states, rates) = states_and_rates(&mut machine.memory, program);
            for ((state, start), rate) in states.iter_mut().zip(&self.stage.start).zip(rates) {
                *state = start + part * rate;
            }
            machine.memory[program.time as usize] = time;
            machine.execute::<true>(&program.values);
            machine.execute::<true>(&program.changes);
            let (_, rates) = states_and_rates(&mut machine.memory, program);
            for (sum, rate) in self.stage.sum.iter_mut().zip(rates) {
                *sum += weight * rate;
            }
        }
        let (states, _) = states_and_rates(&mut machine.memory, program);
        for ((state, start), sum) in states.iter_mut().zip(&self.stage.start).zip(&self.stage.sum) {
            *state = start + dt / 6.0 * sum;
        }
    }

    /// Makes a negative non-negative stock zero: any negative value, or only what rounding leaves.
    fn keep_above_zero(&mut self, machine: &mut Machine<'_>, at: usize, floor: &Floor, time: f64) {
        /// What rounding can leave, in parts of what there was and what moved.
        const DUST: f64 = 1e-9;
        let state = machine.at(floor.state);
        if state >= 0.0 || state.is_nan() {
            return;
        }
        let dt = self.program.grid.dt;
        let moved: f64 = floor.flows.iter().map(|flow| machine.at(*flow).abs() * dt).sum();
        // The stock before is at most what moved, and the little that is negative now.
        let is_dust = state >= -DUST * moved;
        if is_dust || floor.always {
            machine.memory[floor.state as usize] = 0.0;
        }
        if !is_dust && floor.always {
            let floored = &mut self.floored[at];
            if floored.count == 0 {
                floored.time = time;
            }
            floored.count += 1;
        }
    }
}

/// The states and, beside them, their rates of change.
fn states_and_rates<'m>(memory: &'m mut [f64], program: &Program) -> (&'m mut [f64], &'m [f64]) {
    let (states, rest) = memory.split_at_mut(program.rates);
    let states = &mut states[..program.states];
    let rates = &rest[..states.len()];
    (states, rates)
}

/// The extremes of every value of a row, and the steps at which they were reached first.
#[derive(Debug, Clone)]
struct Extremes {
    min: Vec<f64>,
    max: Vec<f64>,
    min_step: Vec<f64>,
    max_step: Vec<f64>,
    /// The first row.
    first: Vec<f64>,
}

impl Extremes {
    fn new(width: usize) -> Self {
        Self {
            min: vec![f64::INFINITY; width],
            max: vec![f64::NEG_INFINITY; width],
            min_step: vec![0.0; width],
            max_step: vec![0.0; width],
            first: Vec::new(),
        }
    }

    /// Takes in a row; false when one of its values is not finite.
    fn observe(&mut self, step: u64, row: &[f64]) -> bool {
        if step == 0 {
            self.first = row.to_vec();
        }
        let step = step as f64;
        let mut not_finite = 0.0;
        let lows = self.min.iter_mut().zip(&mut self.min_step);
        let highs = self.max.iter_mut().zip(&mut self.max_step);
        for ((&x, (min, min_step)), (max, max_step)) in row.iter().zip(lows).zip(highs) {
            // Without branches, so that several are done at once.
            *min_step = if x < *min { step } else { *min_step };
            *min = if x < *min { x } else { *min };
            *max_step = if x > *max { step } else { *max_step };
            *max = if x > *max { x } else { *max };
            not_finite += x * 0.0;
        }
        not_finite == 0.0
    }

    fn of(&self, at: usize, program: &Program) -> Option<Extreme> {
        let time = |step: f64| program.grid.time(step as u64);
        (self.min[at] <= self.max[at]).then(|| Extreme {
            min: (self.min[at], time(self.min_step[at])),
            max: (self.max[at], time(self.max_step[at])),
        })
    }
}

/// Adds what the run showed to the problems.
fn report(program: &Program, limits: &Limits, faults: &Faults, floored: &[Floored], outcome: &mut Outcome) {
    let mut found = Vec::new();
    if outcome.steps < program.grid.steps {
        found.push(Problem::of_model(
            "run-cut",
            Level::Warning,
            format!(
                "the run ended at time {} after {} of {} steps: more would pass the limit of {} operations or {} numbers under way in delays",
                program.grid.time(outcome.steps),
                outcome.steps,
                program.grid.steps,
                limits.operations,
                limits.values
            ),
            "choose a greater dt or an earlier stop",
        ));
    }
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
                    begin.variable, begin.step, begin.time
                ),
                "look for a division by zero, an overflow, or a function outside its range in this equation",
            )
        });
    }
    for (column, kind, seen) in faults.in_order() {
        found.push(fault(program, column, kind, seen));
    }
    for (floored, floor) in floored
        .iter()
        .zip(&program.floors)
        .filter(|(floored, _)| floored.count > 0)
    {
        let column = &program.columns[floor.column as usize];
        found.push(of_column(
            program,
            floor.column,
            "kept-at-zero",
            Level::Info,
            format!(
                "`{}` was kept at 0 at time {} although its flows took more{}; they do not add up there",
                column.name,
                floored.time,
                times(floored.count)
            ),
            "let its outflows depend on the stock",
        ));
    }
    for column in 0..program.columns.len() as u32 {
        if program.columns[column as usize].kind == ColumnKind::Stock {
            below_zero(program, column, outcome, &mut found);
        }
    }
    outcome.problems.extend(found);
    outcome.problems.sort_by_key(|problem| problem.level);
}

/// A stock that was drained below zero: by an outflow that does not stop, or in steps that are too long.
fn below_zero(program: &Program, column: u32, outcome: &mut Outcome, found: &mut Vec<Problem>) {
    let Place::Row(at) = program.columns[column as usize].place else {
        return;
    };
    let Some(extreme) = outcome.extremes.of(at as usize, program) else {
        return;
    };
    let (min, time) = extreme.min;
    let started = outcome.extremes.first.get(at as usize).copied().unwrap_or_default();
    if min >= 0.0 || started < 0.0 || !program.columns[column as usize].is_drained {
        return;
    }
    let name = &program.columns[column as usize].name;
    let advice = outcome
        .problems
        .iter_mut()
        .find(|problem| problem.code == "no-first-order-control" && problem.variable == *name);
    match advice {
        Some(advice) => {
            advice.level = Level::Warning;
            advice.message.push_str(&format!("; it falls to {min} at time {time}"));
        }
        None => found.push(of_column(
            program,
            column,
            "dt-too-large",
            Level::Warning,
            format!("`{name}` falls below zero, to {min} at time {time}, although its outflows go to zero with it: one step takes more than there is"),
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
        seen.time,
        times(seen.count)
    );
    of_column(program, column, code, level, message, fix)
}
