//! The small item of a model. Replacing it on a condition commits a write.

use crate::failure::damaged;
use crate::hex::{Hex128, Hex256};
use crate::history::{Did, History};
use crate::keys::{self, Item, text};
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use meadow_service::{Head, ModelId, StoreError, Timestamp, Workspace, WriteId};
use std::str::FromStr;

/// The write that last replaced the item, which the next one expects.
pub(crate) const WRITE: &str = "write";
/// Whether the model is deleted.
pub(crate) const DELETED: &str = "deleted";
const REVISION: &str = "revision";
const NAME: &str = "name";
const COMPLETE: &str = "complete";
const BYTES: &str = "bytes";
const SHA256: &str = "sha256";
const UPDATED_AT: &str = "updated_at";
const HISTORY: &str = "history";

/// What a [`Head`] is read from, for queries that need no more.
pub(crate) const HEAD_ATTRIBUTES: [&str; 8] = [keys::SK, REVISION, NAME, COMPLETE, DELETED, BYTES, SHA256, UPDATED_AT];

/// A model as it stands, with what it remembers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Model {
    pub(crate) head: Head,
    pub(crate) history: History,
}

/// A write that is to be committed: how the model stands after it, and which bodies nothing names then.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) after: Model,
    pub(crate) unnamed: Vec<Hex128>,
}

impl Step {
    /// The step from `current` to `head`.
    pub(crate) fn new(current: Option<&Model>, did: Did, write: WriteId, head: Head, pointer: Option<WriteId>) -> Self {
        let mut history = current.map(|model| model.history.clone()).unwrap_or_default();
        let unnamed = history.add(did, write, &head, pointer);
        Self {
            after: Model { head, history },
            unnamed,
        }
    }
}

impl Model {
    /// The item.
    pub(crate) fn item(&self, workspace: &Workspace) -> Result<Item, StoreError> {
        let head = &self.head;
        let history = self.history.pack().map_err(|error| {
            StoreError::Unavailable(format!("the history of {} cannot be packed: {error}", head.id))
        })?;
        let mut item = keys::head(workspace, &head.id);
        item.extend(keys::change(workspace, &head.id, head.updated_at));
        let write = self
            .history
            .newest()
            .map_or_else(String::new, |write| Hex128::from(write).to_string());
        item.extend(
            [
                (WRITE, text(write)),
                (REVISION, number(head.revision)),
                (NAME, text(&head.name)),
                (COMPLETE, AttributeValue::Bool(head.complete)),
                (DELETED, AttributeValue::Bool(head.deleted)),
                (BYTES, number(head.size)),
                (SHA256, text(Hex256(head.sha256).to_string())),
                (UPDATED_AT, number(head.updated_at.0)),
                (HISTORY, AttributeValue::B(Blob::new(history))),
            ]
            .map(|(name, value)| (name.to_owned(), value)),
        );
        Ok(item)
    }

    /// Reads the item.
    pub(crate) fn read(item: &Item) -> Result<Self, StoreError> {
        let head = read(item)?;
        let packed = item.get(HISTORY).and_then(|value| value.as_b().ok());
        let history = packed.map(|packed| History::unpack(packed.as_ref()));
        match history {
            Some(Ok(history)) if history.last() == Some(head.revision) => Ok(Self { head, history }),
            Some(Ok(_)) => Err(damaged(format!(
                "the history of model {} does not end with its revision {}",
                head.id, head.revision
            ))),
            Some(Err(error)) => Err(damaged(format!(
                "the history of model {} cannot be read: {error}",
                head.id
            ))),
            None => Err(damaged(format!("the head of model {} has no history", head.id))),
        }
    }
}

/// Reads a head from its item, or from [`HEAD_ATTRIBUTES`] of it.
pub(crate) fn read(item: &Item) -> Result<Head, StoreError> {
    let sk = item.get(keys::SK).and_then(|value| value.as_s().ok());
    let id = sk.and_then(|sk| sk.strip_prefix(keys::HEADS)).unwrap_or_default();
    let found = || -> Option<Head> {
        Some(Head {
            id: ModelId::from_stored(id.to_owned()),
            revision: read_number(item, REVISION)?,
            name: item.get(NAME)?.as_s().ok()?.clone(),
            complete: *item.get(COMPLETE)?.as_bool().ok()?,
            deleted: *item.get(DELETED)?.as_bool().ok()?,
            size: read_number(item, BYTES)?,
            sha256: Hex256::from_str(item.get(SHA256)?.as_s().ok()?).ok()?.0,
            updated_at: Timestamp(read_number(item, UPDATED_AT)?),
        })
    };
    found().ok_or_else(|| damaged(format!("the head of model {id:?} lacks something")))
}

/// A number as an attribute.
pub(crate) fn number(value: u64) -> AttributeValue {
    AttributeValue::N(value.to_string())
}

/// A number that was one.
pub(crate) fn read_number(item: &Item, name: &str) -> Option<u64> {
    item.get(name)?.as_n().ok()?.parse().ok()
}

/// Which model is the workspace's latest, and by which write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pointer {
    pub(crate) id: ModelId,
    pub(crate) write: WriteId,
}

impl Pointer {
    const MODEL: &str = "model";

    /// The item.
    pub(crate) fn item(&self, workspace: &Workspace) -> Item {
        let mut item = keys::latest(workspace);
        let write = Hex128::from(self.write).to_string();
        item.insert(Self::MODEL.to_owned(), text(self.id.as_str()));
        item.insert(WRITE.to_owned(), text(write));
        item
    }

    /// Reads the item.
    pub(crate) fn read(item: &Item) -> Result<Self, StoreError> {
        let found = || -> Option<Self> {
            let write = item.get(WRITE)?.as_s().ok()?.parse::<Hex128>().ok()?;
            Some(Self {
                id: ModelId::from_stored(item.get(Self::MODEL)?.as_s().ok()?.clone()),
                write: write.into(),
            })
        };
        found().ok_or_else(|| {
            let place = item.get(keys::PK).and_then(|pk| pk.as_s().ok()).map_or("", String::as_str);
            damaged(format!(
                "the pointer to the latest model (LATEST of {place}) lacks something; delete that item, and the next write makes it anew"
            ))
        })
    }
}
