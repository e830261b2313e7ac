//! `meadow import`: a file of another tool into the store, as a document of ours, or every model back from PostgreSQL.

use crate::failure::Failure;
use crate::file;
use crate::logs;
use crate::options::{self, Kept, Whose};
use crate::postgres::{Authorities, Progress, lines};
use crate::report::{line, print, section};
use crate::store::Stores;
use clap::Args;
use meadow_interchange::{Source, to_document};
use meadow_postgres::PostgresTarget;
use meadow_service::import::{ImportRun, import};
use meadow_service::{Error, Expectation, SystemClock, Written};
use std::process::ExitCode;
use tracing_subscriber::filter::LevelFilter;

/// Store a model that comes from another tool (XMILE, SD-AI JSON, Vensim .mdl, or a document of ours), or bring every
/// exported model back from PostgreSQL
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Import {
    /// The file, told by its content; - is standard input
    #[arg(required_unless_present = "postgres")]
    file: Option<String>,

    /// The id under which it is stored [default: made from the model's name]
    #[arg(long, value_name = "ID", conflicts_with = "postgres")]
    model: Option<String>,

    /// Bring every model of all workspaces back from the database that meadow export wrote to [default URL:
    /// `MEADOW_POSTGRES`]. What the store has stays as it is
    #[arg(long, value_name = "URL", num_args = 0..=1, conflicts_with = "file")]
    postgres: Option<Option<String>>,

    #[command(flatten)]
    authorities: Authorities,

    #[command(flatten)]
    kept: Kept,

    #[command(flatten)]
    whose: Whose,
}

const EXAMPLES: &str = "\
Examples:
  meadow import model.xmile
  meadow import world3.mdl --model world3 --store sqlite:models.db
  meadow import --postgres postgres://meadow@127.0.0.1/analytics

Exit codes: 0 stored, 1 the file is no model, or some models did not come back, 2 wrong use, 3 the file, the database or
the store failed.";

/// A document, and what of the file it does not hold.
struct Imported {
    text: String,
    lost: Vec<String>,
}

impl Import {
    pub(crate) fn run(&self) -> Result<ExitCode, Failure> {
        logs::start(self.kept.log.as_ref(), LevelFilter::WARN);
        match &self.file {
            Some(file) => self.import_file(file),
            None => self.import_copies(),
        }
    }

    fn import_file(&self, file: &str) -> Result<ExitCode, Failure> {
        let imported = document(file)?;
        let written = options::runtime()?.block_on(self.store(file, &imported.text))?;
        print(&as_text(file::name(file), &written, &imported.lost))?;
        Ok(ExitCode::SUCCESS)
    }

    fn import_copies(&self) -> Result<ExitCode, Failure> {
        let given = self.postgres.clone().flatten();
        let url = given
            .or_else(|| std::env::var("MEADOW_POSTGRES").ok())
            .unwrap_or_default();
        let database = self.authorities.database(&url)?;
        let run = options::runtime()?.block_on(self.bring_back(&database))?;
        print(&brought_back(&database, &run))?;
        let whole = run.kept.count == 0 && run.refused.count == 0;
        Ok(ExitCode::from(u8::from(!whole)))
    }

    async fn bring_back(&self, database: &PostgresTarget) -> Result<ImportRun, Failure> {
        let store = Stores::open(&self.kept.place()?).await?.models;
        let mut copies = database.copies().await?;
        let mut progress = Progress::new();
        let mut tell = |run: &ImportRun| progress.tell(run.seen(), &format!("{} of them stored", run.stored));
        let done = import(&*store, &mut *copies, &SystemClock, &mut tell).await;
        done.map_err(|error| Failure::World(error.to_string()))
    }

    async fn store(&self, file: &str, text: &str) -> Result<Written, Failure> {
        let service = Stores::open(&self.kept.place()?).await?.service()?;
        let written = service
            .write_model(&self.whose.caller(), text, self.model.as_deref(), Expectation::Any)
            .await;
        written.map_err(|error| match error {
            Error::Refused(refusal) => Failure::Fault(file::explain(file, &refusal)),
            Error::TooLarge(_) => Failure::Fault(error.to_string()),
            Error::BadId(_) => Failure::Usage(error.to_string()),
            error => Failure::World(error.to_string()),
        })
    }
}

/// What is in a file, as a document.
fn document(file: &str) -> Result<Imported, Failure> {
    Ok(match file::source(file)? {
        Source::Document(text) => Imported { text, lost: Vec::new() },
        Source::Model { mut model, .. } => {
            if model.name.trim().is_empty() {
                model.name = stem(file);
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

/// A file's name without its ending, for a model that has none.
fn stem(file: &str) -> String {
    let stem = std::path::Path::new(file).file_stem();
    let stem = stem.map(|stem| stem.to_string_lossy().into_owned());
    stem.filter(|_| file != "-").unwrap_or_default()
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

fn brought_back(database: &PostgresTarget, run: &ImportRun) -> String {
    let mut out = String::new();
    line(
        &mut out,
        format_args!(
            "{database}: {} models, {} stored, {} in the store already",
            run.seen(),
            run.stored,
            run.unchanged
        ),
    );
    section(
        &mut out,
        "In the store with another text, which stays; delete the model there to have it back",
        lines(&run.kept),
    );
    section(&mut out, "Not brought back", lines(&run.refused));
    out
}
