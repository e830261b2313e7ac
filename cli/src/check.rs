//! `meadow check`: what is missing in a document and what contradicts itself. No store is touched.

use crate::failure::Failure;
use clap::Args;
use meadow_model::limits::MAX_TEXT;
use meadow_model::{Pointer, Refusal, text_of};
use meadow_service::{Error, judge};
use meadow_validation::{Finding, Report};
use serde_json::json;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read, Write as _};
use std::process::ExitCode;

/// Say what is missing in a model and what contradicts itself
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Check {
    /// The model as JSON text; - is standard input
    file: String,

    /// Answer as JSON: `complete`, `missing_fields`, `inconsistency_warnings`, `advice`, `findings` with JSON Patches
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  meadow check model.json
  curl -s http://127.0.0.1:8787/model | meadow check -
  meadow check model.json --json | jq '.findings[].patch'

Exit codes: 0 complete, 1 the document has faults, 2 wrong use, 3 the file cannot be read.";

/// What came of a text.
#[derive(Debug)]
enum Judged {
    /// It is a document.
    Checked(Report),
    /// A server would store nothing of it.
    Refused(Refused),
}

/// Why a text is refused, and at which places.
#[derive(Debug)]
struct Refused {
    reason: String,
    findings: Vec<Finding>,
}

impl Check {
    pub(crate) fn run(&self) -> Result<ExitCode, Failure> {
        let bytes = self
            .read()
            .map_err(|error| Failure::World(format!("{} cannot be read: {error}", self.name())))?;
        let judged = judged(&bytes)?;
        let complete = matches!(&judged, Judged::Checked(report) if report.complete);
        let answer = if self.json {
            as_json(&judged)
        } else {
            as_text(self.name(), &judged)
        };
        match io::stdout().write_all(answer.as_bytes()) {
            // A reader that has seen enough, such as `head`, changes nothing.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(Failure::World(format!("standard output cannot be written: {error}")))
            }
            _ if complete => Ok(ExitCode::SUCCESS),
            _ => Ok(ExitCode::from(1)),
        }
    }

    fn name(&self) -> &str {
        if self.file == "-" { "standard input" } else { &self.file }
    }

    /// The bytes; of what is too large only as many as show it.
    fn read(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let limit = 2 * MAX_TEXT as u64;
        if self.file == "-" {
            io::stdin().lock().take(limit).read_to_end(&mut bytes)?;
        } else {
            File::open(&self.file)?.take(limit).read_to_end(&mut bytes)?;
        }
        Ok(bytes)
    }
}

fn judged(bytes: &[u8]) -> Result<Judged, Failure> {
    if bytes.len() == 2 * MAX_TEXT {
        return Ok(Judged::Refused(Refused {
            reason: format!(
                "the text has {} bytes or more, at most {MAX_TEXT} are allowed; split the model",
                bytes.len()
            ),
            findings: Vec::new(),
        }));
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

fn refused_text(out: &mut String, name: &str, refused: &Refused) {
    line(out, format_args!("{name}: {}", refused.reason));
    let places = refused.findings.iter().filter(|finding| finding.code != "not-json");
    section(out, "Faults", places.map(|f| format!("{} {}", f.pointer, f.message)));
}

/// A heading and its items; nothing where there are none.
fn section(out: &mut String, heading: &str, items: impl Iterator<Item = impl std::fmt::Display>) {
    let mut items = items.peekable();
    if items.peek().is_some() {
        line(out, format_args!("\n{heading}"));
    }
    for item in items {
        line(out, format_args!("  {item}"));
    }
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{text}");
}
