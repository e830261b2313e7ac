//! Changes to a stored model: patches, earlier revisions brought back, what is different between two.

use crate::ids::{ModelId, Revision};
use crate::ports::{Head, StoreError};
use crate::service::{Caller, Error, Expectation, Service, Written, apart};
use meadow_model::diff::{Diff, diff};
use meadow_model::patch::{Patch, Patched};
use meadow_model::texts::{Within, taken_out};
use meadow_model::{Refusal, parse};
use std::sync::Arc;

/// How often a patch is made anew because somebody else wrote in between, where the caller expects nothing. Of many who
/// patch at once one gets through each time.
const ATTEMPTS: usize = 20;

/// How values of a patch are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Values {
    /// As they were given.
    Strict,
    /// JSON text counts as what it says where something else than a text is demanded: many agents send text for all.
    Lenient,
}

/// A model that was changed.
#[derive(Debug, Clone)]
pub struct Changed {
    /// As after any write.
    pub written: Written,
    /// The document as it is now.
    pub text: Arc<str>,
    /// The operations, each with the place where it worked.
    pub applied: Vec<String>,
}

impl Service {
    /// Patches a model, the latest where `id` is none, and stores the result as [`Service::write_model`] does: against the
    /// revision that was read. Where nothing was expected, a patch that met another write is made again on what that left.
    ///
    /// # Errors
    /// [`Error::Patch`], and as [`Service::find`] and [`Service::write_model`]; nothing is stored then.
    pub async fn patch_model(
        &self,
        caller: &Caller,
        id: Option<&str>,
        patch: Patch,
        values: Values,
        expectation: Expectation,
    ) -> Result<Changed, Error> {
        let patch = Arc::new(patch);
        let mut stored = self.find(caller, id, None).await?;
        let id = stored.head.id.clone();
        self.holds(caller, &stored.head, &expectation).await?;
        let mut attempt = 1;
        loop {
            let read = stored.head.revision;
            let (patch, document) = (Arc::clone(&patch), stored.text);
            let Patched { text, applied } = apart(document.len(), move || {
                let mut patched = patch.apply(&document).map_err(Error::Patch)?;
                if values == Values::Lenient
                    && let Err(Refusal::Schema(faults)) = parse(&patched.text)
                    && let Some(mended) = taken_out(&patched.text, &faults, Within::Everything)
                {
                    patched.text = mended;
                }
                Ok(patched)
            })
            .await?;
            let expected = Expectation::OneOf(vec![read]);
            match self.write_model(caller, &text, Some(id.as_str()), expected).await {
                Ok(written) => {
                    return Ok(Changed {
                        written,
                        text: text.into(),
                        applied,
                    });
                }
                Err(Error::Conflict(_)) if expectation == Expectation::Any && attempt < ATTEMPTS => {
                    attempt += 1;
                    stored = self.model(caller, id.as_str(), None).await?;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Writes an earlier revision of a model, the latest model where `id` is none, as its newest one.
    ///
    /// # Errors
    /// As [`Service::find`] and [`Service::write_model`].
    pub async fn restore_revision(
        &self,
        caller: &Caller,
        id: Option<&str>,
        revision: Revision,
        expectation: Expectation,
    ) -> Result<Changed, Error> {
        let stored = self.find(caller, id, Some(revision)).await?;
        let id = stored.head.id.as_str();
        let written = self.write_model(caller, &stored.text, Some(id), expectation).await?;
        Ok(Changed {
            written,
            text: stored.text,
            applied: Vec::new(),
        })
    }

    /// Whether a model that stands like this is as expected.
    async fn holds(&self, caller: &Caller, head: &Head, expectation: &Expectation) -> Result<(), Error> {
        let expected = self.expected(caller, &head.id, expectation.clone()).await?;
        if expected.holds(Some(head)) {
            Ok(())
        } else {
            Err(Error::Conflict(Some(head.clone())))
        }
    }

    /// What is different in a model, the latest where `id` is none, since the revision `before`, up to `after` or to how it
    /// stands.
    ///
    /// # Errors
    /// As [`Service::find`]; [`Error::Store`] where a stored text is damaged.
    pub async fn compare(
        &self,
        caller: &Caller,
        id: Option<&str>,
        before: Revision,
        after: Option<Revision>,
    ) -> Result<(Head, Diff), Error> {
        let after = self.find(caller, id, after).await?;
        let before = self.model(caller, after.head.id.as_str(), Some(before)).await?;
        let head = after.head;
        let found = apart(before.text.len() + after.text.len(), move || {
            diff(&before.text, &after.text)
                .ok_or_else(|| StoreError::Damaged("the text of a revision is no document".to_owned()).into())
        });
        Ok((head, found.await?))
    }

    /// How a model stands, a tombstone included; the workspace's latest where `id` is none.
    ///
    /// # Errors
    /// [`Error::BadId`], [`Error::Store`].
    pub async fn head(&self, caller: &Caller, id: Option<&str>) -> Result<Option<Head>, Error> {
        Ok(match id {
            Some(id) => self.store().head(&caller.workspace, &ModelId::new(id)?).await?,
            None => self.store().latest_head(&caller.workspace).await?,
        })
    }
}

#[cfg(test)]
mod tests;
