//! `meadow import`: a file of another tool into the store, as a document of ours.

use crate::failure::Failure;
use crate::file;
use crate::logs;
use crate::options::{self, Options};
use crate::report::{line, print, section};
use crate::store;
use clap::Args;
use meadow_interchange::{Source, to_document};
use meadow_service::{Error, Expectation, Written};
use std::process::ExitCode;
use tracing_subscriber::filter::LevelFilter;

/// Store a model that comes from another tool: XMILE, SD-AI JSON, Vensim .mdl, or a document of ours
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Import {
    /// The file, told by its content; - is standard input
    file: String,

    /// The id under which it is stored [default: made from the model's name]
    #[arg(long, value_name = "ID")]
    model: Option<String>,

    #[command(flatten)]
    options: Options,
}

const EXAMPLES: &str = "\
Examples:
  meadow import teacup.xmile
  meadow import world3.mdl --model world3 --store sqlite:models.db

Exit codes: 0 stored, 1 the file is no model, 2 wrong use, 3 the file or the store failed.";

/// A document, and what of the file it does not hold.
struct Imported {
    text: String,
    lost: Vec<String>,
}

impl Import {
    pub(crate) fn run(&self) -> Result<ExitCode, Failure> {
        logs::start(self.options.log.as_ref(), LevelFilter::WARN);
        let imported = self.document()?;
        let written = options::runtime()?.block_on(self.store(&imported.text))?;
        print(&as_text(file::name(&self.file), &written, &imported.lost))?;
        Ok(ExitCode::SUCCESS)
    }

    fn document(&self) -> Result<Imported, Failure> {
        Ok(match file::source(&self.file)? {
            Source::Document(text) => Imported { text, lost: Vec::new() },
            Source::Model { mut model, .. } => {
                if model.name.trim().is_empty() {
                    model.name = self.stem();
                }
                let derived = to_document(&model);
                let mut lost = model.notes;
                lost.extend(derived.not_held);
                Imported {
                    text: derived.text,
                    lost,
                }
            }
        })
    }

    /// The file's name without its ending, for a model that has none.
    fn stem(&self) -> String {
        let stem = std::path::Path::new(&self.file).file_stem();
        let stem = stem.map(|stem| stem.to_string_lossy().into_owned());
        stem.filter(|_| self.file != "-").unwrap_or_default()
    }

    async fn store(&self, text: &str) -> Result<Written, Failure> {
        let service = store::open(&self.options.place()?)?;
        let written = service
            .write_model(&self.options.caller(), text, self.model.as_deref(), Expectation::Any)
            .await;
        written.map_err(|error| match error {
            Error::Refused(refusal) => Failure::Fault(file::explain(&self.file, &refusal)),
            Error::TooLarge(_) => Failure::Fault(error.to_string()),
            Error::BadId(_) => Failure::Usage(error.to_string()),
            error => Failure::World(error.to_string()),
        })
    }
}

fn as_text(name: &str, written: &Written, lost: &[String]) -> String {
    let (head, report) = (&written.head, &written.report);
    let mut out = String::new();
    let state = if written.unchanged { "unchanged, " } else { "" };
    line(
        &mut out,
        format_args!("{name}: {state}model {}, revision {}", head.id, head.revision),
    );
    section(&mut out, "Not held, or held in other words", lost.iter());
    section(&mut out, "Missing", report.missing_fields.iter());
    section(&mut out, "Contradictions", report.inconsistency_warnings.iter());
    out
}
