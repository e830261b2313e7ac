//! Models back from where copies of them are kept.

use crate::clock::Clock;
use crate::export::{Named, TargetError};
use crate::ids::{ModelId, Workspace, WriteId};
use crate::ports::{Expected, ModelStore, Put, PutOutcome, StoreError};
use crate::service::{Error, judge};
use crate::source::{Source, hex, sha256};
use async_trait::async_trait;
use meadow_model::Refusal;
use std::fmt::Write as _;
use std::sync::Arc;

/// A copy of a model, as somebody else kept it: nothing of it is trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// Whose model.
    pub workspace: String,
    /// Which model.
    pub id: String,
    /// The text; none where somebody took it out.
    pub text: Option<String>,
    /// SHA-256 of the text as it was copied, in hexadecimal digits.
    pub sha256: String,
}

/// Copies of models, one after the other; those that changed last come last.
#[async_trait]
pub trait ImportSource: Send {
    /// The next copy; tombstones are left out.
    async fn next(&mut self) -> Result<Option<Saved>, TargetError>;
}

/// What an import did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ImportRun {
    /// Models that were stored.
    pub stored: u64,
    /// Models that were in the store already with the same text.
    pub unchanged: u64,
    /// Models that are in the store with another text, which stays.
    pub kept: Named,
    /// Copies that are no document, or not what was copied.
    pub refused: Named,
}

impl ImportRun {
    /// How many copies there were.
    #[must_use]
    pub fn seen(&self) -> u64 {
        self.stored + self.unchanged + self.kept.count + self.refused.count
    }
}

/// Why an import ended early. What it stored before stays; it may be done again.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The copies cannot be read.
    #[error(transparent)]
    Source(#[from] TargetError),
    /// Something of ours failed.
    #[error("{0}")]
    Internal(String),
}

/// Brings every model back that the store does not have. `progress` hears of each.
///
/// # Errors
/// See [`ImportError`].
pub async fn import(
    store: &dyn ModelStore,
    source: &mut dyn ImportSource,
    clock: &dyn Clock,
    progress: &mut (dyn FnMut(&ImportRun) + Send),
) -> Result<ImportRun, ImportError> {
    let mut run = ImportRun::default();
    while let Some(saved) = source.next().await? {
        let Saved { workspace, id, .. } = &saved;
        match prepare(&saved, clock)? {
            Err(why) => run.refused.add(workspace, id, why),
            Ok(put) => {
                let sent = Arc::clone(&put.source);
                match store.put(put).await? {
                    PutOutcome::Stored(_) => run.stored += 1,
                    PutOutcome::Unchanged(_) => run.unchanged += 1,
                    PutOutcome::Conflict(Some(head)) if head.is(&sent) => run.unchanged += 1,
                    PutOutcome::Conflict(_) => run.kept.add(workspace, id, "the store has another text, which stays"),
                }
            }
        }
        progress(&run);
    }
    Ok(run)
}

/// The write that stores a copy, or why there is none.
fn prepare(saved: &Saved, clock: &dyn Clock) -> Result<Result<Put, String>, ImportError> {
    let names = Workspace::new(&saved.workspace).and_then(|workspace| Ok((workspace, ModelId::new(&saved.id)?)));
    let (workspace, id) = match names {
        Ok(names) => names,
        Err(bad) => return Ok(Err(bad.to_string())),
    };
    let Some(text) = &saved.text else {
        return Ok(Err("its text was taken out after it was copied".to_owned()));
    };
    let own = hex(&sha256(text));
    if own != saved.sha256 {
        return Ok(Err(format!(
            "the text was changed after it was copied: its SHA-256 is {own}, not {}",
            saved.sha256
        )));
    }
    let (document, report) = match judge(text) {
        Ok(judged) => judged,
        Err(Error::Refused(refusal)) => return Ok(Err(explain(&refusal))),
        Err(error @ Error::TooLarge(_)) => return Ok(Err(error.to_string())),
        Err(error) => return Err(ImportError::Internal(error.to_string())),
    };
    Ok(Ok(Put {
        workspace,
        id,
        source: Arc::new(Source::new(
            text.as_str(),
            document.system_name.as_str(),
            report.complete,
        )),
        expected: Expected::Absent,
        write: WriteId::random().map_err(|error| ImportError::Internal(error.to_string()))?,
        at: clock.now(),
    }))
}

/// What is wrong with a text, with the first fault.
fn explain(refusal: &Refusal) -> String {
    match refusal {
        Refusal::NotJson(error) => format!("the text is not JSON: {error}"),
        Refusal::Schema(faults) => {
            let mut why = format!("the text is no document, faults: {}", faults.total());
            if let Some(fault) = faults.named().first() {
                // Writing to a string cannot fail.
                let _ = write!(why, ", the first: {} {}", fault.pointer, fault.detail());
            }
            why
        }
    }
}

#[cfg(test)]
mod tests;
