//! Takes away bodies that no head names.
//!
//! A writer that ended between its body and its commit, or between the commit and the removal of what fell out of the
//! history, leaves one. The nightly export's function runs this; it alone may read the index.

use crate::DynamoStore;
use crate::head::Model;
use crate::keys::{self, BodyKey};
use meadow_service::{StoreError, Timestamp};

/// How old a body must be before it counts as left behind: no request lives this long, so that no writer can still
/// commit it.
const AGE_MS: u64 = 60 * 60 * 1000;

/// Entries of the index that are read at once.
const PART: usize = 1000;

/// What a sweep did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Swept {
    /// Bodies that were looked at.
    pub seen: u64,
    /// Bodies that were taken away.
    pub removed: u64,
}

impl DynamoStore {
    /// Takes away the bodies that no head names and that are older than an hour. Bounded memory; safe beside writers and
    /// beside another sweep. Ends early, with what it did so far, when `stop` says so.
    ///
    /// # Errors
    /// [`StoreError`] where the table cannot be read or written; what was done stays done.
    pub async fn sweep(&self, now: Timestamp, stop: impl Fn() -> bool) -> Result<Swept, StoreError> {
        let mut swept = Swept::default();
        for shard in keys::body_shards() {
            let mut from = String::new();
            let mut model: Option<(BodyKey, Option<Model>)> = None;
            loop {
                // Sort keys are not empty, so that an empty one comes before all of them; DynamoDB takes none as a value.
                let after = if from.is_empty() { " ".to_owned() } else { from.clone() };
                let part = self.sorted(shard.clone(), after, PART, keys::read_body).await?;
                for (_, body) in &part {
                    if stop() {
                        return Ok(swept);
                    }
                    swept.seen += 1;
                    if body.at.0.saturating_add(AGE_MS) > now.0 {
                        continue;
                    }
                    let same = model
                        .as_ref()
                        .is_some_and(|(of, _)| of.workspace == body.workspace && of.id == body.id);
                    if !same {
                        model = match self.model(&body.workspace, &body.id).await {
                            // What it names cannot be known; it keeps no other out.
                            Err(StoreError::Damaged(why)) => {
                                tracing::warn!(why, "dynamodb.left_by_the_sweep");
                                model = None;
                                continue;
                            }
                            found => Some((body.clone(), found?)),
                        };
                    }
                    let named = model
                        .as_ref()
                        .and_then(|(_, model)| model.as_ref())
                        .is_some_and(|model| model.history.names(body.body));
                    if !named {
                        self.delete_body(&body.workspace, &body.id, body.body).await?;
                        swept.removed += 1;
                    }
                }
                match part.into_iter().last() {
                    Some((last, _)) => from = last,
                    None => break,
                }
            }
        }
        Ok(swept)
    }
}
