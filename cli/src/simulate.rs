//! `meadow simulate`: what a model does over time. No store is touched.

use crate::failure::Failure;
use crate::file;
use crate::report::{self, line, print, print_json, problems, section};
use clap::Args;
use meadow_dynamics::compile::compile;
use meadow_dynamics::csv;
use meadow_dynamics::model::Model;
use meadow_dynamics::numbers::shortest;
use meadow_dynamics::problem::{Level, Problem};
use meadow_dynamics::program::Program;
use meadow_dynamics::run::{Limits, Outcome};
use meadow_service::dynamics::{Course, Simulation, Status, Wanted, simulation};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;
use std::time::Duration;

/// Run a model and say what it does
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Simulate {
    /// The model: a document of ours, XMILE, SD-AI JSON or Vensim .mdl, told by its content; - is standard input
    file: String,

    /// Write every saved step of every variable in full digits instead, a billion numbers at most; - is standard output
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    csv: Option<String>,

    /// Answer as JSON: `status`, `grid`, `summaries`, `constants`, `problems`
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  meadow simulate model.json
  meadow simulate model.xmile --csv model.csv
  curl -s http://127.0.0.1:8787/model | meadow simulate - --csv - | head

Exit codes: 0 done, 1 the model cannot be run, 2 wrong use, 3 a file cannot be read or written.";

/// What a run on one's own machine may take: ten seconds or so, 256 MiB.
const LIMITS: Limits = Limits {
    values: 32 << 20,
    operations: 4_000_000_000,
    seed: 1,
};

/// A table is written as it is computed: only values under way in delays take memory, of which this is 1 GiB. The
/// operations take ten minutes or so.
const LIMITS_OF_A_TABLE: Limits = Limits {
    values: 128 << 20,
    operations: 200_000_000_000,
    seed: 1,
};

/// The most numbers of a table: 10 GB or so.
const MOST_NUMBERS: u64 = 1_000_000_000;

impl Simulate {
    pub(crate) fn run(&self) -> Result<ExitCode, Failure> {
        let model = file::load(&self.file)?.model;
        if let Some(path) = &self.csv {
            let real = |path: &str| fs::canonicalize(path).ok().filter(|path| path.is_file());
            if real(path).is_some_and(|target| real(&self.file) == Some(target)) {
                return Err(Failure::Usage(format!(
                    "{path} is the model itself; name another file for the table"
                )));
            }
            return self.table(&model, path);
        }
        let simulation = simulation(&model, &Wanted::default(), &LIMITS, Duration::MAX);
        if self.json {
            print_json(&simulation)?;
        } else {
            print(&as_text(&self.title(&model), &simulation))?;
        }
        Ok(match simulation.status {
            Status::Ok => ExitCode::SUCCESS,
            Status::Partial | Status::NotRunnable => ExitCode::from(1),
        })
    }

    fn title(&self, model: &Model) -> String {
        match model.name.trim() {
            "" => file::name(&self.file).to_owned(),
            name => name.replace('\n', " "),
        }
    }

    /// The run as CSV. What is wrong goes to standard error.
    fn table(&self, model: &Model, path: &str) -> Result<ExitCode, Failure> {
        let name = file::name(&self.file);
        for note in &model.notes {
            // Nobody is left to tell when stderr is closed.
            let _ = writeln!(io::stderr(), "meadow: {name}: {note}");
        }
        let program = match compile(model) {
            Ok(program) => program,
            Err(problems) => {
                let mut out = format!("{name} cannot be run");
                section(
                    &mut out,
                    "",
                    problems.iter().filter(|p| p.level == Level::Error).map(report::one),
                );
                return Err(Failure::Fault(out.trim_end().to_owned()));
            }
        };
        let (rows, columns) = (program.grid.rows(program.grid.steps), program.columns.len());
        if rows.saturating_mul(columns as u64 + 1) > MOST_NUMBERS {
            return Err(Failure::Fault(format!(
                "{name}: the table would have {rows} rows of {columns} variables, more than {MOST_NUMBERS} numbers; \
                 choose a greater dt or an earlier stop, or have fewer rows saved"
            )));
        }
        let unwritable = |error: io::Error| Failure::World(format!("{path} cannot be written: {error}"));
        let outcome = if path == "-" {
            match write(&program, io::stdout().lock()) {
                // A reader that has seen enough, such as `head`, changes nothing.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(ExitCode::SUCCESS),
                outcome => {
                    outcome.map_err(|error| Failure::World(format!("standard output cannot be written: {error}")))?
                }
            }
        } else {
            let file = File::create(path).map_err(unwritable)?;
            write(&program, file).map_err(unwritable)?
        };
        warn(name, &outcome.problems);
        if path != "-" {
            print(&format!(
                "{path}: {} rows of time and {columns} variables\n",
                program.grid.rows(outcome.steps)
            ))?;
        }
        Ok(ExitCode::from(u8::from(!outcome.complete)))
    }
}

fn write(program: &Program, out: impl Write) -> io::Result<Outcome> {
    let mut out = BufWriter::with_capacity(1 << 16, out);
    csv::write(program, &LIMITS_OF_A_TABLE, &mut out)
}

/// Says on standard error what a table does not show.
fn warn(name: &str, problems: &[Problem]) {
    for problem in problems.iter().filter(|problem| problem.level <= Level::Warning) {
        // Nobody is left to tell when stderr is closed.
        let _ = writeln!(io::stderr(), "meadow: {name}: {}", report::one(problem));
    }
}

fn as_text(title: &str, simulation: &Simulation) -> String {
    let mut out = String::new();
    match &simulation.grid {
        None => line(&mut out, format_args!("{title}: cannot be run")),
        Some(grid) => line(
            &mut out,
            format_args!(
                "{title}: {} steps of {} from {} to {}{}, {}{}",
                grid.steps,
                shortest(grid.dt),
                shortest(grid.start),
                shortest(grid.stop),
                blank_before(&grid.time_unit),
                grid.method,
                if simulation.status == Status::Partial {
                    ", cut short"
                } else {
                    ""
                }
            ),
        ),
    }
    let heading = ["", "unit", "start", "end", "min", "at", "max", "at", "behaviour", ""];
    for (kind, title) in [("stock", "Stocks"), ("flow", "Flows"), ("auxiliary", "Variables")] {
        let of_kind = simulation.summaries.iter().filter(|course| course.kind == kind);
        let mut rows: Vec<Vec<String>> = of_kind.map(row).collect();
        if rows.is_empty() {
            continue;
        }
        let mut first: Vec<String> = heading.iter().map(|&cell| cell.to_owned()).collect();
        title.clone_into(&mut first[0]);
        rows.insert(0, first);
        out.push('\n');
        report::table(&mut out, &rows, 2..8);
    }
    let constants = simulation.constants.iter();
    section(
        &mut out,
        "Constants",
        constants.map(|one| format!("{} = {}{}", one.name, shortest(one.value), blank_before(&one.unit))),
    );
    if let Some(first) = &simulation.not_finite {
        line(
            &mut out,
            format_args!(
                "\n{} became {} at step {} (time {})",
                first.variable,
                first.value,
                first.step,
                shortest(first.time)
            ),
        );
    }
    if simulation.omitted > 0 {
        line(
            &mut out,
            format_args!("\n... and {} variables more; --csv has all", simulation.omitted),
        );
    }
    section(&mut out, "Notes", simulation.notes.iter());
    problems(&mut out, &simulation.problems);
    if simulation.problems_omitted > 0 {
        line(
            &mut out,
            format_args!("\n... and {} problems more", simulation.problems_omitted),
        );
    }
    out
}

fn blank_before(unit: &str) -> String {
    if unit.is_empty() {
        String::new()
    } else {
        format!(" {unit}")
    }
}

/// The mode of behaviour, with the time that goes with it.
fn mode(course: &Course) -> String {
    match (course.behaviour, course.doubling_time, course.half_life) {
        ("growth", Some(time), _) => format!("growth, doubles in {}", shortest(time)),
        ("decay", _, Some(time)) => format!("decay, halves in {}", shortest(time)),
        (mode, ..) => mode.to_owned(),
    }
}

fn row(course: &Course) -> Vec<String> {
    let number = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), shortest);
    vec![
        course.name.replace('\n', " "),
        course.unit.clone(),
        shortest(course.start),
        shortest(course.end),
        number(course.min),
        number(course.min_time),
        number(course.max),
        number(course.peak_time),
        mode(course),
        course.sparkline.clone(),
    ]
}
