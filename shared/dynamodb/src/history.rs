//! What a head remembers: its model's kept revisions and acknowledged writes.
//!
//! In the item it is JSON under zstd, about 4 kB when full, so that the one write that commits a revision also
//! remembers it.

use crate::hex::{Hex128, Hex256};
use meadow_service::ports::{KEPT_REVISIONS, KEPT_WRITES};
use meadow_service::{Head, ModelId, Page, Revision, Timestamp, WriteId};
use serde::{Deserialize, Serialize};
use std::io;

/// The most that a history takes unpacked: 50 revisions with names of 200 characters, each escaped.
const MAX_UNPACKED: usize = 1 << 20;

/// The kept revisions, the oldest first, and the remembered writes, the oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct History {
    revisions: Vec<Kept>,
    writes: Vec<Done>,
}

/// A kept revision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Kept {
    revision: Revision,
    /// Its body; a tombstone has none.
    body: Option<Hex128>,
    name: String,
    complete: bool,
    size: u64,
    sha256: Hex256,
    updated_at: u64,
}

/// What a write did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Did {
    /// It made the revision, with this body.
    Stored(Hex128),
    /// It found its bytes in the revision.
    Unchanged,
    /// It made the revision, a tombstone.
    Deleted,
}

/// An acknowledged write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Done {
    write: Hex128,
    did: Did,
    revision: Revision,
    /// Which write the pointer to the latest model named when this one began; `None` where there was no pointer.
    pointer: Option<Hex128>,
}

/// A remembered write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Remembered {
    pub(crate) did: Did,
    /// What the write made or found.
    pub(crate) head: Head,
    /// Whether no other write of the model came after it.
    pub(crate) newest: bool,
    /// Which write the pointer named before.
    pub(crate) pointer: Option<WriteId>,
}

impl History {
    /// Adds a write of the revision `head`.
    ///
    /// Gives the bodies of the revisions that are not kept any more.
    pub(crate) fn add(&mut self, did: Did, write: WriteId, head: &Head, pointer: Option<WriteId>) -> Vec<Hex128> {
        if did != Did::Unchanged {
            let body = match did {
                Did::Stored(body) => Some(body),
                Did::Unchanged | Did::Deleted => None,
            };
            self.revisions.push(Kept {
                revision: head.revision,
                body,
                name: head.name.clone(),
                complete: head.complete,
                size: head.size,
                sha256: Hex256(head.sha256),
                updated_at: head.updated_at.0,
            });
        }
        self.writes.push(Done {
            write: write.into(),
            did,
            revision: head.revision,
            pointer: pointer.map(Hex128::from),
        });
        let forgotten = self.writes.len().saturating_sub(KEPT_WRITES as usize);
        self.writes.drain(..forgotten);
        let gone = self.revisions.len().saturating_sub(KEPT_REVISIONS as usize);
        self.revisions.drain(..gone).filter_map(|kept| kept.body).collect()
    }

    /// What is remembered of a write.
    pub(crate) fn find(&self, id: &ModelId, write: WriteId) -> Option<Remembered> {
        let at = self.writes.iter().position(|done| done.write == write.into())?;
        let done = self.writes[at];
        let kept = self.kept(done.revision)?;
        Some(Remembered {
            did: done.did,
            head: kept.head(id),
            newest: at + 1 == self.writes.len(),
            pointer: done.pointer.map(WriteId::from),
        })
    }

    /// The last write.
    pub(crate) fn newest(&self) -> Option<WriteId> {
        self.writes.last().map(|done| done.write.into())
    }

    /// The newest kept revision.
    pub(crate) fn last(&self) -> Option<Revision> {
        self.revisions.last().map(|kept| kept.revision)
    }

    /// A kept revision that is no tombstone, and its body.
    pub(crate) fn revision(&self, id: &ModelId, revision: Revision) -> Option<(Head, Hex128)> {
        let kept = self.kept(revision)?;
        Some((kept.head(id), kept.body?))
    }

    /// Whether a kept revision has this body.
    pub(crate) fn names(&self, body: Hex128) -> bool {
        self.revisions.iter().any(|kept| kept.body == Some(body))
    }

    fn kept(&self, revision: Revision) -> Option<&Kept> {
        self.revisions.iter().find(|kept| kept.revision == revision)
    }

    /// The kept revisions, the newest first, before `before`.
    pub(crate) fn page(&self, id: &ModelId, before: Option<Revision>, limit: usize) -> Page<Head, Revision> {
        let mut older = self
            .revisions
            .iter()
            .rev()
            .filter(|kept| before.is_none_or(|before| kept.revision < before));
        let items: Vec<Head> = older.by_ref().take(limit).map(|kept| kept.head(id)).collect();
        let next = older.next().and_then(|_| items.last()).map(|head| head.revision);
        Page { items, next }
    }

    /// Packs it for the item.
    pub(crate) fn pack(&self) -> io::Result<Vec<u8>> {
        zstd::bulk::compress(&serde_json::to_vec(self)?, 1)
    }

    /// Reads what [`Self::pack`] made.
    pub(crate) fn unpack(packed: &[u8]) -> io::Result<Self> {
        Ok(serde_json::from_slice(&zstd::bulk::decompress(packed, MAX_UNPACKED)?)?)
    }
}

impl Kept {
    fn head(&self, id: &ModelId) -> Head {
        Head {
            id: id.clone(),
            revision: self.revision,
            name: self.name.clone(),
            complete: self.complete,
            deleted: self.body.is_none(),
            size: self.size,
            sha256: self.sha256.0,
            updated_at: Timestamp(self.updated_at),
        }
    }
}
