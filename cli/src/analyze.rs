//! `meadow analyze`: the feedback loops of a model, and what was declared about them. No store is touched.

use crate::failure::Failure;
use crate::file::{self, Loaded};
use crate::report::{line, print, print_json, problems, section};
use clap::Args;
use meadow_dynamics::analysis::{Shown, ShownDeclared, ShownLoop};
use meadow_dynamics::declared::Outcome;
use meadow_dynamics::problem::Level;
use meadow_service::dynamics::{MOST_LOOPS, Structure, structure};
use std::process::ExitCode;

/// Find the feedback loops of a model and hold declared ones against them
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Analyze {
    /// The model: a document of ours, XMILE, SD-AI JSON or Vensim .mdl, told by its content; - is standard input
    file: String,

    /// Answer as JSON: graph, `loops`, `declared`, `problems`
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  meadow analyze model.json
  meadow analyze world3.mdl --json | jq '.loops[] | select(.independent)'

Exit codes: 0 done, 1 the model has faults, 2 wrong use, 3 the file cannot be read.";

/// Loops shown to people.
const LISTED: usize = 50;

impl Analyze {
    pub(crate) fn run(&self) -> Result<ExitCode, Failure> {
        let Loaded { model, evidence } = file::load(&self.file)?;
        let structure = Structure {
            evidence,
            ..structure(&model, MOST_LOOPS)
        };
        if self.json {
            print_json(&structure)?;
        } else {
            let title = match model.name.trim() {
                "" => file::name(&self.file).to_owned(),
                name => name.replace('\n', " "),
            };
            print(&as_text(&title, &structure))?;
        }
        let faults = structure
            .shown
            .problems
            .iter()
            .any(|problem| problem.level == Level::Error);
        Ok(ExitCode::from(u8::from(faults)))
    }
}

fn as_text(title: &str, structure: &Structure) -> String {
    let shown = &structure.shown;
    let mut out = String::new();
    line(
        &mut out,
        format_args!(
            "{title}: {} nodes, {} links; {}",
            shown.node_count,
            shown.edge_count,
            counted(shown)
        ),
    );
    section(&mut out, "Loops", shown.loops.iter().take(LISTED).map(one));
    if shown.loops.len() > LISTED {
        line(&mut out, format_args!("  ... --json lists {}", shown.loops.len()));
    }
    section(&mut out, "Declared loops", shown.declared.iter().map(declared));
    let evidence = structure.evidence.iter();
    section(
        &mut out,
        "Evidence",
        evidence.map(|one| format!("{} -> {}: {}", one.from, one.to, one.uris.join(", "))),
    );
    section(&mut out, "Notes", structure.notes.iter());
    problems(&mut out, &shown.problems);
    if let more @ 1.. = shown.problem_count.saturating_sub(shown.problems.len()) {
        line(&mut out, format_args!("\n... and {more} problems more"));
    }
    out
}

/// How many loops there are.
fn counted(shown: &Shown) -> String {
    let classes = [
        (shown.counts.reinforcing, "reinforcing"),
        (shown.counts.balancing, "balancing"),
        (shown.counts.undetermined, "undetermined"),
    ];
    let classes = classes.iter().filter(|(count, _)| *count > 0);
    let classes: Vec<String> = classes.map(|(count, class)| format!("{count} {class}")).collect();
    match shown.total {
        Some(0) => "no loop".to_owned(),
        Some(1) => format!("1 loop, {}", classes.join("")),
        Some(total) => format!(
            "{total} loops ({}), {} of them in the shortest independent set",
            classes.join(", "),
            shown.independent_count
        ),
        None => format!(
            "more than {} loops, too many to count; all of at most {} links are listed",
            shown.at_least, shown.complete_to_length
        ),
    }
}

/// `B1 * tub -> outflow -> tub`, the star for the independent set.
fn one(shown: &ShownLoop) -> String {
    let first = shown.members.first().map(String::as_str).unwrap_or_default();
    let mut text = format!("{:<4}{} ", shown.id, if shown.independent { '*' } else { ' ' });
    for (member, sign) in shown.members.iter().zip(shown.signs.chars()) {
        text.push_str(&format!("{member} -{sign}> "));
    }
    if shown.length > shown.members.len() {
        text.push_str(&format!("... {} more -> ", shown.length - shown.members.len()));
    }
    text.push_str(first);
    if shown.delay {
        text.push_str(", delayed");
    }
    if !shown.unknown.is_empty() {
        text.push_str(&format!("; sign not known: {}", shown.unknown.join(", ")));
    }
    if let Some(class) = shown.in_run {
        text.push_str(&format!("; {} in the run", class.letter()));
    }
    if !shown.declared_as.is_empty() {
        text.push_str(&format!("; declared as {}", shown.declared_as.join(", ")));
    }
    text.replace(['\n', '\r'], " ")
}

fn declared(shown: &ShownDeclared) -> String {
    let what = match &shown.outcome {
        Outcome::Agrees => "agrees".to_owned(),
        Outcome::Contradicts => "has the other class".to_owned(),
        Outcome::Undetermined => "closed, its class is not known".to_owned(),
        Outcome::NotClosed { missing } => {
            let steps: Vec<String> = missing.iter().map(|(from, to)| format!("{from} -> {to}")).collect();
            format!("not closed, no path {}", steps.join(", "))
        }
        Outcome::UnknownMembers { names } => format!("nothing declares {}", names.join(", ")),
        Outcome::NoMembers => "names no members".to_owned(),
        Outcome::NotChecked => "not checked, the model is too large".to_owned(),
    };
    let id = shown.is.as_ref().map(|id| format!(" ({id})")).unwrap_or_default();
    format!("{}: {what}{id}", shown.name).replace(['\n', '\r'], " ")
}
