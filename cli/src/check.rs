//! `meadow check`: what is missing in a document and what contradicts itself, or what keeps a model of another tool
//! from running. No store is touched.

use crate::failure::Failure;
use crate::file;
use crate::report::{line, print, problems, section};
use clap::Args;
use meadow_dynamics::compile::compile;
use meadow_dynamics::problem::{Level, Problem};
use meadow_interchange::{Format, MAX_BYTES, Source};
use meadow_model::{Pointer, Refusal, text_of};
use meadow_service::{Error, judge};
use meadow_validation::{Finding, Report};
use serde::Serialize;
use serde_json::json;
use std::process::ExitCode;

/// Say what is missing in a model and what contradicts itself
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Check {
    /// The model: a document of ours, XMILE, SD-AI JSON or Vensim .mdl, told by its content; - is standard input
    file: String,

    /// Answer as JSON: `complete`, `missing_fields`, `inconsistency_warnings`, `advice`, `findings` with JSON Patches
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  meadow check model.json
  meadow check model.xmile
  curl -s http://127.0.0.1:8787/model | meadow check -
  meadow check model.json --json | jq '.findings[].patch'

Exit codes: 0 complete, 1 the document has faults, 2 wrong use, 3 the file cannot be read.";

/// What came of a text.
#[derive(Debug)]
enum Judged {
    /// It is a document.
    Checked(Report),
    /// It is a model of another tool.
    Model(Model),
    /// A server would store nothing of it.
    Refused(Refused),
}

/// What is wrong with a model of another tool.
#[derive(Debug, Serialize)]
struct Model {
    /// True where nothing is wrong.
    complete: bool,
    missing_fields: [(); 0],
    inconsistency_warnings: [(); 0],
    advice: Vec<Problem>,
    findings: [(); 0],
    /// What the file is.
    format: &'static str,
    /// What was read differently than it stands, or could not be held.
    notes: Vec<String>,
}

/// Why a text is refused, and at which places.
#[derive(Debug)]
struct Refused {
    reason: String,
    findings: Vec<Finding>,
}

impl Check {
    pub(crate) fn run(&self) -> Result<ExitCode, Failure> {
        let judged = judged(&file::bytes(&self.file)?)?;
        let complete = match &judged {
            Judged::Checked(report) => report.complete,
            Judged::Model(model) => model.complete,
            Judged::Refused(_) => false,
        };
        let answer = if self.json {
            as_json(&judged)
        } else {
            as_text(file::name(&self.file), &judged)
        };
        print(&answer)?;
        Ok(ExitCode::from(u8::from(!complete)))
    }
}

fn judged(bytes: &[u8]) -> Result<Judged, Failure> {
    match meadow_interchange::read(bytes) {
        Ok(Source::Model { format, model }) => return Ok(Judged::Model(of_model(format, *model))),
        Err(error) if error.format.is_some_and(|format| format != Format::Document) || bytes.len() > MAX_BYTES => {
            return Ok(Judged::Refused(Refused {
                reason: error.to_string(),
                findings: Vec::new(),
            }));
        }
        // Documents are read as strictly as a server does.
        Ok(Source::Document(_)) | Err(_) => {}
    }
    match text_of(bytes).map_err(Error::from).and_then(judge) {
        Ok((_, report)) => Ok(Judged::Checked(report)),
        Err(Error::Refused(refusal)) => Ok(Judged::Refused(refused(&refusal))),
        Err(error @ Error::TooLarge(_)) => Ok(Judged::Refused(Refused {
            reason: error.to_string(),
            findings: Vec::new(),
        })),
        Err(error) => Err(Failure::World(error.to_string())),
    }
}

fn of_model(format: Format, model: meadow_dynamics::model::Model) -> Model {
    let problems = match compile(&model) {
        Ok(program) => program.advice,
        Err(problems) => problems,
    };
    Model {
        complete: problems.iter().all(|problem| problem.level != Level::Error),
        missing_fields: [],
        inconsistency_warnings: [],
        advice: problems,
        findings: [],
        format: format.name(),
        notes: model.notes,
    }
}

fn refused(refusal: &Refusal) -> Refused {
    match refusal {
        Refusal::NotJson(error) => Refused {
            reason: format!("not JSON: {error}"),
            findings: vec![finding("not-json", Pointer::root(), error.to_string())],
        },
        Refusal::Schema(faults) => Refused {
            reason: match faults.total() {
                1 => "no document, it has 1 fault".to_owned(),
                total => format!("no document, it has {total} faults"),
            },
            findings: faults
                .named()
                .iter()
                .map(|fault| finding("schema-fault", fault.pointer.clone(), fault.detail()))
                .collect(),
        },
    }
}

fn finding(code: &'static str, pointer: Pointer, message: String) -> Finding {
    Finding {
        code,
        pointer,
        message,
        patch: None,
    }
}

/// The same members for every text, so that a script need not ask first; `refused` says why there is no report.
fn as_json(judged: &Judged) -> String {
    let mut answer = match judged {
        Judged::Checked(report) => {
            let mut answer = json!(report);
            answer["findings"] = json!(report.findings);
            answer
        }
        Judged::Model(model) => json!(model),
        Judged::Refused(refused) => {
            let mut answer = json!(Report::default());
            answer["refused"] = json!(refused.reason);
            answer["findings"] = json!(refused.findings);
            answer
        }
    }
    .to_string();
    answer.push('\n');
    answer
}

fn as_text(name: &str, judged: &Judged) -> String {
    let mut out = String::new();
    match judged {
        Judged::Checked(report) => report_text(&mut out, name, report),
        Judged::Model(model) => model_text(&mut out, name, model),
        Judged::Refused(refused) => refused_text(&mut out, name, refused),
    }
    out
}

fn report_text(out: &mut String, name: &str, report: &Report) {
    let verdict = if report.complete { "complete" } else { "not complete" };
    line(out, format_args!("{name}: {verdict}"));
    // With what the member means, which the finding of the same place says; "... and 7 more" has none.
    let missing = report.missing_fields.iter().map(|path| {
        let mut findings = report.findings.iter();
        let finding = findings.find(|f| f.code == "missing-fields" && f.pointer.dotted() == *path);
        finding.map_or(path, |finding| &finding.message)
    });
    section(out, "Missing", missing);
    section(out, "Contradictions", report.inconsistency_warnings.iter());
    let advice = report.advice.iter().map(|advice| {
        let place = match advice.pointer.dotted() {
            place if place.is_empty() => place,
            place => format!("{place}: "),
        };
        format!("{place}{}; {} ({})", advice.message, advice.fix, advice.code)
    });
    section(out, "Advice", advice);
}

fn model_text(out: &mut String, name: &str, model: &Model) {
    let verdict = if model.complete { "can be run" } else { "cannot be run" };
    line(out, format_args!("{name}: {}, {verdict}", model.format));
    section(out, "Notes", model.notes.iter());
    problems(out, &model.advice);
}

fn refused_text(out: &mut String, name: &str, refused: &Refused) {
    line(out, format_args!("{name}: {}", refused.reason));
    let places = refused.findings.iter().filter(|finding| finding.code != "not-json");
    section(out, "Faults", places.map(|f| format!("{} {}", f.pointer, f.message)));
}
