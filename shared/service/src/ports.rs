//! What the use cases need from the world, with what each promises.

use crate::clock::Timestamp;
use crate::ids::{ModelId, Revision, Workspace, WriteId};
use crate::source::{Source, hex};
use async_trait::async_trait;
use serde::Serialize;
use std::fmt;
use std::sync::Arc;

/// How many revisions of a model stay readable; older texts may go.
pub const KEPT_REVISIONS: u64 = 50;

/// Of how many acknowledged writes of a model the [`WriteId`] is remembered. Not more than [`KEPT_REVISIONS`], so that
/// what such a write made is still known.
pub const KEPT_WRITES: u64 = 50;

/// What must be true of a model for a write to happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// Nothing.
    Any,
    /// There is no such model, or only the tombstone of one.
    Absent,
    /// It stands at this revision and is not deleted.
    Revision(Revision),
}

impl Expected {
    /// Whether a model that stands like this, a tombstone included, is as expected.
    #[must_use]
    pub fn holds(self, current: Option<&Head>) -> bool {
        let alive = current.filter(|head| !head.deleted);
        match self {
            Self::Any => true,
            Self::Absent => alive.is_none(),
            Self::Revision(revision) => alive.is_some_and(|head| head.revision == revision),
        }
    }
}

/// One attempt to write a model.
#[derive(Debug, Clone)]
pub struct Put {
    /// Whose model.
    pub workspace: Workspace,
    /// Which model.
    pub id: ModelId,
    /// What to store.
    pub source: Arc<Source>,
    /// What must be true of the model.
    pub expected: Expected,
    /// Tells this attempt from all others.
    pub write: WriteId,
    /// Now.
    pub at: Timestamp,
}

/// What is known of a revision without its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Head {
    /// Which model.
    #[serde(rename = "model")]
    pub id: ModelId,
    /// Which revision.
    pub revision: Revision,
    /// `system_name`; its first 200 characters.
    #[serde(rename = "system_name")]
    pub name: String,
    /// Whether the report was complete.
    pub complete: bool,
    /// True for a tombstone, which has no text.
    pub deleted: bool,
    /// Bytes of the text; 0 of a tombstone.
    #[serde(rename = "bytes")]
    pub size: u64,
    /// SHA-256 of the text; of a tombstone the one before it, as are its `name` and `complete`.
    #[serde(serialize_with = "as_hex")]
    pub sha256: [u8; 32],
    /// When this revision was made; never before the one before it, even where clocks differ or are set back.
    pub updated_at: Timestamp,
}

impl Head {
    /// The revision that a put makes of a model that stands like this.
    #[must_use]
    pub fn after(current: Option<&Self>, put: &Put) -> Self {
        Self {
            id: put.id.clone(),
            revision: current.map_or(0, |head| head.revision) + 1,
            name: put.source.name.clone(),
            complete: put.source.complete,
            deleted: false,
            size: put.source.text.len() as u64,
            sha256: put.source.sha256,
            updated_at: current.map_or(put.at, |head| put.at.max(head.updated_at)),
        }
    }

    /// The revision that a delete makes of this one.
    #[must_use]
    pub fn tombstone(&self, at: Timestamp) -> Self {
        Self {
            revision: self.revision + 1,
            deleted: true,
            size: 0,
            updated_at: at.max(self.updated_at),
            ..self.clone()
        }
    }

    /// Whether this is the text of `source`.
    #[must_use]
    pub fn is(&self, source: &Source) -> bool {
        !self.deleted && self.sha256 == source.sha256
    }
}

fn as_hex<S: serde::Serializer>(bytes: &[u8; 32], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&hex(bytes))
}

/// A revision with its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// What is known of it.
    pub head: Head,
    /// The exact text that was put.
    pub text: Arc<str>,
}

/// An acknowledged write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ack {
    /// What the write made of the model, or found there already.
    pub head: Head,
    /// The name it had before, where it existed and was not deleted. Not known of a repeated write.
    pub previous_name: Option<String>,
    /// Which model was the workspace's latest before, where there was one. Not known of a repeated write.
    pub previous_latest: Option<ModelId>,
}

impl Ack {
    /// The answer to a write that was acknowledged before.
    #[must_use]
    pub fn repeated(head: Head) -> Self {
        Self {
            head,
            previous_name: None,
            previous_latest: None,
        }
    }
}

/// What came of a put.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PutOutcome {
    /// A new revision.
    Stored(Ack),
    /// The bytes were those of the current revision: no new one, but an acknowledged put.
    Unchanged(Ack),
    /// The expectation did not hold; nothing was written. The model as it stands, a tombstone included.
    Conflict(Option<Head>),
}

/// What came of a delete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deleted {
    /// The tombstone.
    Done(Head),
    /// There was no such model, or only its tombstone.
    Absent,
    /// The expectation did not hold; nothing was written.
    Conflict(Head),
}

/// Part of a list, and where the next part begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T, C> {
    /// The items.
    pub items: Vec<T>,
    /// Pass it to get the next part; none at the end.
    pub next: Option<C>,
}

/// Where a walk through changes stands: after the change of this time, workspace and model.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChangeCursor {
    /// `updated_at` of the change.
    pub at: Timestamp,
    /// Its workspace.
    pub workspace: Workspace,
    /// Its model.
    pub id: ModelId,
}

/// A model that changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Whose model.
    pub workspace: Workspace,
    /// Which model.
    pub id: ModelId,
    /// The model as it stands now, a tombstone included; or why it cannot be read, which keeps no other one out.
    pub head: Result<Head, String>,
}

/// A store that could not do its work. Nothing was acknowledged.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// No room left.
    #[error("the store is full: {0}")]
    Full(String),
    /// The store may not be written.
    #[error("the store is read-only: {0}")]
    ReadOnly(String),
    /// It cannot be reached, or did not answer in time; trying again may help.
    #[error("the store cannot be reached: {0}")]
    Unavailable(String),
    /// What was read is not what was written.
    #[error("the store is damaged: {0}")]
    Damaged(String),
}

/// Where models are kept.
///
/// Promises, which `contract` holds against every store:
/// - A put is all or nothing; a reader never sees a torn text, nor one older than was already acknowledged.
/// - Of N racing writers with the same expectation exactly one wins.
/// - Revisions of an id only grow: a delete writes a tombstone revision and a later put goes on counting.
/// - Bytes equal to the current ones make no new revision, but are an acknowledged put: the model becomes the
///   workspace's latest; `updated_at` stays.
/// - A put or delete repeated with the same [`WriteId`], because its reply was lost, is never applied a second time. It
///   is answered as the first time, with the head that it made then, even where other writes or a delete came in
///   between: they stay, the latest model too, and a next write that expects the answered revision gets the conflict.
///   The last [`KEPT_WRITES`] acknowledged writes of each model are remembered. A conflict was no write: it is
///   not remembered, and its repetition is an attempt like any other.
/// - The latest model is the one whose put was acknowledged last. When it is deleted there is no latest, until the
///   next put.
/// - [`ModelStore::changed_since`] gives each change at least once.
/// - Workspaces see nothing of each other.
#[async_trait]
pub trait ModelStore: Send + Sync + fmt::Debug {
    /// Writes a model.
    async fn put(&self, put: Put) -> Result<PutOutcome, StoreError>;

    /// Marks a model as deleted.
    async fn delete(
        &self,
        workspace: &Workspace,
        id: &ModelId,
        expected: Expected,
        write: WriteId,
        at: Timestamp,
    ) -> Result<Deleted, StoreError>;

    /// What is known of a model as it stands, a tombstone included.
    async fn head(&self, workspace: &Workspace, id: &ModelId) -> Result<Option<Head>, StoreError>;

    /// A model as it stands, or one of its kept revisions. None for a tombstone.
    async fn get(
        &self,
        workspace: &Workspace,
        id: &ModelId,
        revision: Option<Revision>,
    ) -> Result<Option<Stored>, StoreError>;

    /// The workspace's latest model.
    async fn latest(&self, workspace: &Workspace) -> Result<Option<Stored>, StoreError>;

    /// What is known of the workspace's latest model. A store that need not read the text for that says so.
    async fn latest_head(&self, workspace: &Workspace) -> Result<Option<Head>, StoreError> {
        Ok(self.latest(workspace).await?.map(|stored| stored.head))
    }

    /// The models of a workspace by id (code points), without tombstones, after `after`; at most `limit`.
    async fn list(
        &self,
        workspace: &Workspace,
        after: Option<&ModelId>,
        limit: usize,
    ) -> Result<Page<Head, ModelId>, StoreError>;

    /// The kept revisions of a model, the newest first, tombstones included, before `before`; at most `limit`.
    async fn revisions(
        &self,
        workspace: &Workspace,
        id: &ModelId,
        before: Option<Revision>,
        limit: usize,
    ) -> Result<Page<Head, Revision>, StoreError>;

    /// The models of all workspaces that changed at or after `since`, oldest change first, tombstones included,
    /// after `after`; at most `limit`.
    ///
    /// `updated_at` is the caller's time, taken before the commit, and clocks differ: who walks again from where the
    /// last walk ended must begin some minutes earlier.
    async fn changed_since(
        &self,
        since: Timestamp,
        after: Option<&ChangeCursor>,
        limit: usize,
    ) -> Result<Page<Change, ChangeCursor>, StoreError>;

    /// Answers when the store can be reached.
    async fn ping(&self) -> Result<(), StoreError>;
}
