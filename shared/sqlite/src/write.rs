//! What a put and a delete do within a transaction.

use crate::read::{self, int};
use crate::recent::{Did, Recent};
use meadow_service::ports::KEPT_REVISIONS;
use meadow_service::{Ack, Deleted, Expected, Head, ModelId, Put, PutOutcome, Timestamp, Workspace, WriteId};
use rusqlite::{Connection, params};

/// One attempt to delete a model.
#[derive(Debug)]
pub(crate) struct Delete {
    pub(crate) workspace: Workspace,
    pub(crate) id: ModelId,
    pub(crate) expected: Expected,
    pub(crate) write: WriteId,
    pub(crate) at: Timestamp,
}

/// Writes a model.
pub(crate) fn put(connection: &Connection, put: &Put) -> rusqlite::Result<PutOutcome> {
    let model = Model {
        connection,
        workspace: &put.workspace,
        id: &put.id,
    };
    let (current, recent) = model.stands()?;
    match model.done(&recent, put.write)? {
        Some((Did::Store, head)) => return Ok(PutOutcome::Stored(Ack::repeated(head))),
        Some((Did::Nothing, head)) => return Ok(PutOutcome::Unchanged(Ack::repeated(head))),
        Some((Did::Delete, _)) | None => {}
    }
    if !put.expected.holds(current.as_ref()) {
        return Ok(PutOutcome::Conflict(current));
    }
    let previous_latest = read::latest(connection, &put.workspace)?.map(|head| head.id);
    if previous_latest.as_ref() != Some(&put.id) {
        model.make_latest()?;
    }
    let alive = current.as_ref().filter(|head| !head.deleted);
    let previous_name = alive.map(|head| head.name.clone());
    let ack = |head| Ack {
        head,
        previous_name,
        previous_latest,
    };
    if let Some(same) = current.as_ref().filter(|head| head.is(&put.source)) {
        model.remember(&recent.with(put.write, Did::Nothing, same.revision))?;
        return Ok(PutOutcome::Unchanged(ack(same.clone())));
    }
    let head = Head::after(current.as_ref(), put);
    let recent = recent.with(put.write, Did::Store, head.revision);
    model.advance(&head, Some(&put.source.text), &recent)?;
    Ok(PutOutcome::Stored(ack(head)))
}

/// Marks a model as deleted.
pub(crate) fn delete(connection: &Connection, delete: &Delete) -> rusqlite::Result<Deleted> {
    let model = Model {
        connection,
        workspace: &delete.workspace,
        id: &delete.id,
    };
    let (current, recent) = model.stands()?;
    if let Some((Did::Delete, head)) = model.done(&recent, delete.write)? {
        return Ok(Deleted::Done(head));
    }
    let Some(current) = current.filter(|head| !head.deleted) else {
        return Ok(Deleted::Absent);
    };
    if !delete.expected.holds(Some(&current)) {
        return Ok(Deleted::Conflict(current));
    }
    let head = current.tombstone(delete.at);
    let recent = recent.with(delete.write, Did::Delete, head.revision);
    model.advance(&head, None, &recent)?;
    Ok(Deleted::Done(head))
}

/// A model within a transaction.
#[derive(Clone, Copy)]
struct Model<'t> {
    connection: &'t Connection,
    workspace: &'t Workspace,
    id: &'t ModelId,
}

impl Model<'_> {
    /// How it stands, and its last acknowledged writes.
    fn stands(self) -> rusqlite::Result<(Option<Head>, Recent)> {
        let there = read::with_recent(self.connection, self.workspace, self.id)?;
        Ok(there.map_or_else(Default::default, |(head, recent)| (Some(head), recent)))
    }

    /// What this write did and made, if it was acknowledged before.
    fn done(self, recent: &Recent, write: WriteId) -> rusqlite::Result<Option<(Did, Head)>> {
        let Some((did, revision)) = recent.find(write) else {
            return Ok(None);
        };
        let head = read::revision(self.connection, self.workspace, self.id, revision)?;
        Ok(head.map(|head| (did, head)))
    }

    /// Makes `head` the model's current revision, by the last of `recent`; revisions that need not be kept go.
    fn advance(self, head: &Head, text: Option<&str>, recent: &Recent) -> rusqlite::Result<()> {
        const REVISION: &str = "INSERT INTO revisions
            (workspace, id, revision, name, complete, deleted, size, sha256, updated_at, text)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
        const MODEL: &str = "INSERT INTO models
            (workspace, id, revision, name, complete, deleted, size, sha256, updated_at, recent)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            ON CONFLICT DO UPDATE SET revision = ?3, name = ?4, complete = ?5, deleted = ?6, size = ?7, sha256 = ?8,
            updated_at = ?9, recent = ?10";
        const OLD: &str = "DELETE FROM revisions WHERE workspace = ?1 AND id = ?2 AND revision <= ?3";
        let (workspace, id, revision) = (self.workspace.as_str(), self.id.as_str(), int(head.revision));
        let (size, at) = (int(head.size), int(head.updated_at.0));
        let Head {
            name,
            complete,
            deleted,
            sha256,
            ..
        } = head;
        self.connection.prepare_cached(REVISION)?.execute(params![
            workspace, id, revision, name, complete, deleted, size, sha256, at, text
        ])?;
        self.connection.prepare_cached(MODEL)?.execute(params![
            workspace, id, revision, name, complete, deleted, size, sha256, at, recent
        ])?;
        if head.revision > KEPT_REVISIONS {
            let old = int(head.revision - KEPT_REVISIONS);
            self.connection
                .prepare_cached(OLD)?
                .execute(params![workspace, id, old])?;
        }
        Ok(())
    }

    /// Makes it the latest model of its workspace.
    fn make_latest(self) -> rusqlite::Result<()> {
        const SQL: &str = "INSERT OR REPLACE INTO latest (workspace, id) VALUES (?1, ?2)";
        let at = params![self.workspace.as_str(), self.id.as_str()];
        self.connection.prepare_cached(SQL)?.execute(at)?;
        Ok(())
    }

    /// Notes a write that was acknowledged and changed nothing, the last of `recent`.
    fn remember(self, recent: &Recent) -> rusqlite::Result<()> {
        const SQL: &str = "UPDATE models SET recent = ?3 WHERE workspace = ?1 AND id = ?2";
        let at = params![self.workspace.as_str(), self.id.as_str(), recent];
        self.connection.prepare_cached(SQL)?.execute(at)?;
        Ok(())
    }
}
