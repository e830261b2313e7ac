//! What a model does and how it is built: simulation and analysis as answers that every surface can show.
//!
//! [`simulation`] and [`structure`] are the answers for any model, whatever file it came from; the use cases in
//! [`crate::service`] give them for stored models. Budgets count work, so that the same model has the same answer
//! everywhere; only on a machine so slow that nobody would wait for it is a run cut by the clock.

use crate::lanes::Share;
use meadow_dynamics::analysis::{Shown, analyze};
use meadow_dynamics::bounds::{fitting, short, size};
use meadow_dynamics::compile::compile;
use meadow_dynamics::loops;
use meadow_dynamics::model::Model;
use meadow_dynamics::names::{Names, name as folded};
use meadow_dynamics::numbers::rounded;
use meadow_dynamics::problem::{Level, Problem};
use meadow_dynamics::program::{ColumnKind, Program};
use meadow_dynamics::run::{Limits, Run, operations, run_until};
use meadow_dynamics::summary::{Behaviour, Detail, Summary, reading_order, summarize};
use meadow_model::Document;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::{Duration, Instant};

/// Problems that one answer names; those beyond are counted.
const PROBLEMS: usize = 100;

/// Variables that one answer tells of: a summary is about a kilobyte, and an answer over HTTP has 5.5 MB.
pub const MOST_VARIABLES: usize = 2_000;

/// Loops, edges and nodes that one answer over HTTP names, each.
pub const MOST_LOOPS: usize = 1_000;

/// URIs of evidence that one answer names.
const EVIDENCE: usize = 200;

/// Bytes that parts of an answer may take, whatever its names and units are.
const COURSES_ROOM: usize = 3_000_000;
const PROBLEMS_ROOM: usize = 400_000;
const UNKNOWN_ROOM: usize = 300_000;
const EVIDENCE_ROOM: usize = 300_000;
const COMPONENTS_ROOM: usize = 300_000;
const NOTES_ROOM: usize = 100_000;

/// Characters of a text that stands in an answer for itself, and of a problem's message.
const TEXT: usize = 500;
const MESSAGE: usize = 5_000;

/// How far loops are searched for in the small share: a few milliseconds.
const SMALL_SEARCH: loops::Limits = loops::Limits {
    counted: 2_000,
    kept: 3_000_000,
    steps: 200_000,
    listed: 1_000,
};

/// What the run may take that only tells signs: a fifth of a second.
const RUN_FOR_SIGNS: Limits = Limits {
    values: 1 << 20,
    operations: 100_000_000,
    seed: 1,
};

/// How long a request's run may take, whatever its limits are: half of its deadline; the rest is for its turn to come.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// How long the run may take that only tells signs.
const PATIENCE_FOR_SIGNS: Duration = Duration::from_secs(2);

/// Codes of problems that stop a run but say nothing about the structure.
const ONLY_OF_RUNS: [&str; 3] = ["simulation-without-stop", "time-grid", "missing-equation"];

/// Which variables a simulation tells of, and how much.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Wanted {
    /// Their names; empty: all.
    pub variables: Vec<String>,
    /// Points and digits.
    pub detail: Detail,
}

/// How it went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// All of it was done.
    Ok,
    /// A budget was spent before the end; the problems or counts say what is left out.
    Partial,
    /// The model cannot be run; the problems say why.
    NotRunnable,
}

/// What a model does.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Simulation {
    /// How it went.
    pub status: Status,
    /// The points of time; none where there was no run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grid: Option<Points>,
    /// Variables that are computed anew at each step: stocks, flows, then others.
    pub summaries: Vec<Course>,
    /// Variables that never change.
    pub constants: Vec<Constant>,
    /// Variables that were left out because there are too many.
    #[serde(skip_serializing_if = "is_zero")]
    pub omitted: usize,
    /// Names that were asked for and that no variable has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown_variables: Vec<Unknown>,
    /// Where a value first was infinite or no number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_finite: Option<NotFinite>,
    /// What the random draws started from; none where the model draws nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// What is wrong or could be better, errors first.
    pub problems: Vec<Problem>,
    /// Problems beyond those.
    #[serde(skip_serializing_if = "is_zero")]
    pub problems_omitted: usize,
    /// What was read differently than it stands, or could not be held.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// The points of time of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Points {
    /// The first.
    pub start: f64,
    /// The last that was computed.
    pub stop: f64,
    /// From one to the next.
    pub dt: f64,
    /// How many steps were computed.
    pub steps: u64,
    /// `euler` or `rk4`.
    pub method: &'static str,
    /// The unit of time; empty where unknown.
    pub time_unit: String,
}

/// What one variable did. A member without a finite number is left out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Course {
    /// Its name.
    pub name: String,
    /// `stock`, `flow` or `auxiliary`.
    pub kind: &'static str,
    /// Its unit; empty where unknown.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// Its mode of behaviour, such as `goal-seeking`, `S-shape`, `damped oscillation`.
    pub behaviour: &'static str,
    /// The value at the start.
    #[serde(skip_serializing_if = "not_finite")]
    pub start: f64,
    /// The value at the end.
    #[serde(skip_serializing_if = "not_finite")]
    pub end: f64,
    /// The least value over every step, and its time.
    #[serde(skip_serializing_if = "nothing_finite")]
    pub min: Option<f64>,
    /// When it was least first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_time: Option<f64>,
    /// The greatest value over every step.
    #[serde(skip_serializing_if = "nothing_finite")]
    pub max: Option<f64>,
    /// When it was greatest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_time: Option<f64>,
    /// How long it took to become twice what it was at the start.
    #[serde(skip_serializing_if = "nothing_finite")]
    pub doubling_time: Option<f64>,
    /// How long it took to become half of what it was at the start.
    #[serde(skip_serializing_if = "nothing_finite")]
    pub half_life: Option<f64>,
    /// The course at a glance.
    pub sparkline: String,
    /// Times and values, among them the start and the end.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub series: Vec<[f64; 2]>,
}

/// A variable that never changes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Constant {
    /// Its name.
    pub name: String,
    /// Its value.
    #[serde(skip_serializing_if = "not_finite")]
    pub value: f64,
    /// Its unit; empty where unknown.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub unit: String,
}

/// A name that was asked for and that no variable has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unknown {
    /// The name.
    pub name: String,
    /// What may be meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub did_you_mean: Option<String>,
}

/// Where a value first was infinite or no number.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NotFinite {
    /// The variable.
    pub variable: String,
    /// The step.
    pub step: u64,
    /// Its time.
    pub time: f64,
    /// `inf`, `-inf` or `NaN`.
    pub value: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn not_finite(value: &f64) -> bool {
    !value.is_finite()
}

fn nothing_finite(value: &Option<f64>) -> bool {
    !value.is_some_and(f64::is_finite)
}

/// Runs a model, within limits and so much time, and tells what it does.
#[must_use]
pub fn simulation(model: &Model, wanted: &Wanted, limits: &Limits, patience: Duration) -> Simulation {
    match compile(model) {
        Ok(program) => ran(model, &timed(&program, limits, patience), wanted),
        Err(problems) => not_runnable(model, problems),
    }
}

/// What a request gets of [`simulation`]; none where the run takes more than its share.
pub(crate) fn simulation_within(model: &Model, wanted: &Wanted, share: Share) -> Option<Simulation> {
    match compile(model) {
        Ok(program) => share
            .holds(operations(&program))
            .then(|| ran(model, &timed(&program, &Limits::default(), PATIENCE), wanted)),
        Err(problems) => Some(not_runnable(model, problems)),
    }
}

/// A run within limits and so much time.
fn timed<'p>(program: &'p Program, limits: &Limits, patience: Duration) -> Run<'p> {
    let started = Instant::now();
    run_until(program, limits, || started.elapsed() > patience)
}

/// The answer about a model that cannot be run.
#[must_use]
pub fn not_runnable(model: &Model, problems: Vec<Problem>) -> Simulation {
    let (problems, problems_omitted) = bounded(problems);
    Simulation {
        status: Status::NotRunnable,
        grid: None,
        summaries: Vec::new(),
        constants: Vec::new(),
        omitted: 0,
        unknown_variables: Vec::new(),
        not_finite: None,
        seed: None,
        problems,
        problems_omitted,
        notes: notes(model),
    }
}

/// The answer about a run of a model.
#[must_use]
pub fn ran(model: &Model, run: &Run<'_>, wanted: &Wanted) -> Simulation {
    let (program, outcome) = (run.program, &run.outcome);
    let (columns, unknown_variables) = chosen(program, &wanted.variables);
    let mut omitted = columns.len();
    let (mut summaries, mut constants) = (Vec::new(), Vec::new());
    let told = columns.into_iter().take(MOST_VARIABLES);
    let told = told.map(|column| summarize(run, column, wanted.detail));
    // A course takes less than its summary and these bytes for the names of its members.
    let mut room = COURSES_ROOM;
    for summary in told {
        let Some(left) = room.checked_sub(size(&summary) + 150) else {
            break;
        };
        room = left;
        omitted -= 1;
        if summary.kind == ColumnKind::Auxiliary && summary.behaviour == Behaviour::Constant {
            constants.push(Constant {
                name: summary.name,
                value: summary.start,
                unit: summary.unit,
            });
        } else {
            summaries.push(course(summary));
        }
    }
    let (problems, problems_omitted) = bounded(outcome.problems.clone());
    Simulation {
        status: if outcome.complete { Status::Ok } else { Status::Partial },
        grid: Some(Points {
            start: program.grid.start,
            stop: program.grid.time(outcome.steps),
            dt: program.grid.dt,
            steps: outcome.steps,
            method: program.grid.method.as_str(),
            time_unit: short(&model.specs.time_unit, TEXT),
        }),
        summaries,
        constants,
        omitted,
        unknown_variables: fitting(unknown_variables, UNKNOWN_ROOM),
        not_finite: outcome.not_finite.as_ref().map(|first| NotFinite {
            variable: short(&first.variable, TEXT),
            step: first.step,
            time: rounded(first.time, wanted.detail.digits.max(6)),
            value: first.value.to_string(),
        }),
        seed: outcome.seed,
        problems,
        problems_omitted,
        notes: notes(model),
    }
}

fn course(summary: Summary) -> Course {
    Course {
        kind: match summary.kind {
            ColumnKind::Stock => "stock",
            ColumnKind::Flow => "flow",
            ColumnKind::Auxiliary => "auxiliary",
        },
        behaviour: summary.behaviour.as_str(),
        name: summary.name,
        unit: summary.unit,
        start: summary.start,
        end: summary.end,
        min: summary.min,
        min_time: summary.min_time,
        max: summary.max,
        peak_time: summary.peak_time,
        doubling_time: summary.doubling_time,
        half_life: summary.half_life,
        sparkline: summary.sparkline,
        series: summary.series,
    }
}

/// The columns of these names in the order asked for; all in reading order where no name is given.
fn chosen(program: &Program, wanted: &[String]) -> (Vec<usize>, Vec<Unknown>) {
    if wanted.is_empty() {
        return (reading_order(program), Vec::new());
    }
    let index = Names::new(program.columns.iter().map(|column| column.name.as_str()));
    let mut suggestions = index.suggestions();
    let (mut columns, mut unknown) = (Vec::new(), Vec::new());
    let mut asked = HashSet::new();
    for name in wanted.iter().take(MOST_VARIABLES).filter(|name| asked.insert(*name)) {
        match index.find_text(name) {
            Some(column) if columns.contains(&column) => {}
            Some(column) => columns.push(column),
            None => {
                let name: String = name.chars().take(100).collect();
                let meant = suggestions.find(&folded(name.clone()));
                unknown.push(Unknown {
                    did_you_mean: meant.map(str::to_owned),
                    name,
                });
            }
        }
    }
    (columns, unknown)
}

/// The first problems, the weightiest first, and how many more there are.
fn bounded(mut problems: Vec<Problem>) -> (Vec<Problem>, usize) {
    problems.sort_by_key(|problem| problem.level);
    let all = problems.len();
    let texts = |problem: Problem| Problem {
        variable: short(&problem.variable, TEXT),
        message: short(&problem.message, MESSAGE),
        fix: short(&problem.fix, MESSAGE),
        ..problem
    };
    let problems = fitting(problems.into_iter().take(PROBLEMS).map(texts), PROBLEMS_ROOM);
    let omitted = all - problems.len();
    (problems, omitted)
}

/// What was read differently than it stands, as far as there is room.
fn notes(model: &Model) -> Vec<String> {
    fitting(model.notes.iter().cloned(), NOTES_ROOM)
}

/// How a model is built.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Structure {
    /// [`Status::Partial`] where not all loops were counted.
    pub status: Status,
    /// Graph, loops, declared loops.
    #[serde(flatten)]
    pub shown: Shown,
    /// The members of each strongly connected component that holds a loop, the largest first; none where the model is
    /// too large to tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scc: Option<Vec<Vec<String>>>,
    /// What supports the links, as they are declared.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
    /// True where signs rest on a run, too.
    pub ran: bool,
    /// What was read differently than it stands, or could not be held.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// What supports a declared link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Evidence {
    /// The cause.
    pub from: String,
    /// The effect.
    pub to: String,
    /// Where the link stands.
    pub pointer: String,
    /// URIs, as they stand in the document.
    pub uris: Vec<String>,
    /// The titles of those papers and notes of which one is known, by URI.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub titles: BTreeMap<String, String>,
}

/// Analyses a model: graph, loops, what was declared about them. At most `most` loops, nodes and edges are named.
#[must_use]
pub fn structure(model: &Model, most: usize) -> Structure {
    built(model, &compile(model), most, &loops::Limits::default())
}

/// What a request gets of [`structure`]; none where that takes more than its share.
pub(crate) fn structure_within(model: &Model, most: usize, share: Share) -> Option<Structure> {
    if share == Share::Whole {
        return Some(structure(model, most));
    }
    let compiled = compile(model);
    let run = compiled.as_ref().map_or(0, operations);
    if !share.holds(run) {
        return None;
    }
    // Loops that were all counted are the same, however many there might have been.
    Some(built(model, &compiled, most, &SMALL_SEARCH)).filter(|structure| structure.shown.complete)
}

fn built(model: &Model, compiled: &Result<Program, Vec<Problem>>, most: usize, search: &loops::Limits) -> Structure {
    let run = compiled
        .as_ref()
        .ok()
        .map(|program| timed(program, &RUN_FOR_SIGNS, PATIENCE_FOR_SIGNS));
    let run = run.filter(|run| run.outcome.complete);
    let analysis = analyze(model, run.as_ref(), search);
    let mut shown = analysis.shown(model, most);
    let is_equation = |problem: &Problem| problem.level == Level::Error && !ONLY_OF_RUNS.contains(&problem.code);
    let before = shown.problems.len();
    let wrong = compiled.as_ref().err().into_iter().flatten().filter(|p| is_equation(p));
    shown.problems.extend(wrong.cloned());
    shown.problem_count += shown.problems.len() - before;
    shown.problems = bounded(shown.problems).0;
    Structure {
        status: if shown.complete { Status::Ok } else { Status::Partial },
        scc: components(&shown).filter(|scc| size(scc) <= COMPONENTS_ROOM),
        evidence: Vec::new(),
        ran: run.is_some(),
        notes: notes(model),
        shown,
    }
}

/// The strongly connected components: loops of a complete independent set cover every link inside one, so those that
/// share members make it up. None where that set is not shown as a whole.
fn components(shown: &Shown) -> Option<Vec<Vec<String>>> {
    let mut independent = shown.loops.iter().filter(|one| one.independent);
    if !shown.independent_complete || independent.any(|one| one.length > one.members.len()) {
        return None;
    }
    let mut of: HashMap<&str, usize> = HashMap::new();
    // Each group's members; a group that was merged into another is empty.
    let mut groups: Vec<Vec<&str>> = Vec::new();
    for one in shown.loops.iter().filter(|one| one.independent) {
        let mut touched: Vec<usize> = one.members.iter().filter_map(|m| of.get(m.as_str()).copied()).collect();
        touched.sort_unstable();
        touched.dedup();
        let into = touched.first().copied().unwrap_or(groups.len());
        if into == groups.len() {
            groups.push(Vec::new());
        }
        for other in touched.into_iter().skip(1) {
            let moved = std::mem::take(&mut groups[other]);
            for member in &moved {
                of.insert(member, into);
            }
            groups[into].extend(moved);
        }
        for member in &one.members {
            if of.insert(member, into).is_none() {
                groups[into].push(member);
            }
        }
    }
    let mut components: Vec<Vec<String>> = (groups.into_iter().filter(|group| !group.is_empty()))
        .map(|group| group.into_iter().map(str::to_owned).collect())
        .collect();
    components.sort_by_key(|members| std::cmp::Reverse(members.len()));
    Some(components)
}

/// What supports the links of a document, in its order.
#[must_use]
pub fn evidence(document: &Document<'_>) -> Vec<Evidence> {
    let mut room = EVIDENCE;
    let mut found = Vec::new();
    for (index, link) in document.interconnections.iter().enumerate() {
        let uris: Vec<String> = (link.evidence.iter().filter(|uri| !uri.trim().is_empty()))
            .take(room)
            .map(|uri| uri.chars().take(500).collect())
            .collect();
        room -= uris.len();
        if !uris.is_empty() {
            found.push(Evidence {
                from: link.from.as_str().to_owned(),
                to: link.to.as_str().to_owned(),
                pointer: format!("/interconnections/{index}"),
                uris,
                titles: BTreeMap::new(),
            });
        }
    }
    fitting(found, EVIDENCE_ROOM)
}

#[cfg(test)]
mod tests;
