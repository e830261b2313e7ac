//! What a put and a delete do within a transaction.

use crate::read::{self, int};
use meadow_service::ports::{KEPT_REVISIONS, KEPT_WRITES};
use meadow_service::{Ack, Deleted, Expected, Head, ModelId, Put, PutOutcome, Timestamp, Workspace, WriteId};
use rusqlite::{Connection, OptionalExtension, params};

/// One attempt to delete a model.
#[derive(Debug)]
pub(crate) struct Delete {
    pub(crate) workspace: Workspace,
    pub(crate) id: ModelId,
    pub(crate) expected: Expected,
    pub(crate) write: WriteId,
    pub(crate) at: Timestamp,
}

/// `writes.outcome`: what an acknowledged write did.
const STORED: i64 = 0;
const UNCHANGED: i64 = 1;
const DELETED: i64 = 2;

/// Writes a model.
pub(crate) fn put(connection: &Connection, put: &Put) -> rusqlite::Result<PutOutcome> {
    let model = Model {
        connection,
        workspace: &put.workspace,
        id: &put.id,
    };
    match model.done(put.write)? {
        Some((STORED, head)) => return Ok(PutOutcome::Stored(Ack::repeated(head))),
        Some((UNCHANGED, head)) => return Ok(PutOutcome::Unchanged(Ack::repeated(head))),
        _ => {}
    }
    let current = read::head(connection, &put.workspace, &put.id)?;
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
        model.remember(put.write, UNCHANGED, same)?;
        return Ok(PutOutcome::Unchanged(ack(same.clone())));
    }
    let head = Head::after(current.as_ref(), put);
    model.advance(&head, Some(&put.source.text))?;
    model.remember(put.write, STORED, &head)?;
    Ok(PutOutcome::Stored(ack(head)))
}

/// Marks a model as deleted.
pub(crate) fn delete(connection: &Connection, delete: &Delete) -> rusqlite::Result<Deleted> {
    let model = Model {
        connection,
        workspace: &delete.workspace,
        id: &delete.id,
    };
    if let Some((DELETED, head)) = model.done(delete.write)? {
        return Ok(Deleted::Done(head));
    }
    let current = read::head(connection, &delete.workspace, &delete.id)?;
    let Some(current) = current.filter(|head| !head.deleted) else {
        return Ok(Deleted::Absent);
    };
    if !delete.expected.holds(Some(&current)) {
        return Ok(Deleted::Conflict(current));
    }
    let head = current.tombstone(delete.at);
    model.advance(&head, None)?;
    model.remember(delete.write, DELETED, &head)?;
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
    /// What this write did and made, if it was acknowledged before.
    fn done(self, write: WriteId) -> rusqlite::Result<Option<(i64, Head)>> {
        const SQL: &str = "SELECT outcome, revision FROM writes WHERE workspace = ?1 AND id = ?2 AND write = ?3";
        let mut query = self.connection.prepare_cached(SQL)?;
        let at = params![self.workspace.as_str(), self.id.as_str(), write.0.to_be_bytes()];
        let done = query.query_row(at, |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
        let Some((outcome, revision)) = done else {
            return Ok(None);
        };
        let head = read::revision(self.connection, self.workspace, self.id, revision)?;
        Ok(head.map(|head| (outcome, head)))
    }

    /// Makes `head` the model's current revision; revisions that need not be kept go.
    fn advance(self, head: &Head, text: Option<&str>) -> rusqlite::Result<()> {
        const REVISION: &str = "INSERT INTO revisions
            (workspace, id, revision, name, complete, deleted, size, sha256, updated_at, text)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
        const MODEL: &str = "INSERT INTO models
            (workspace, id, revision, name, complete, deleted, size, sha256, updated_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            ON CONFLICT DO UPDATE SET revision = ?3, name = ?4, complete = ?5, deleted = ?6, size = ?7, sha256 = ?8,
            updated_at = ?9";
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
            workspace, id, revision, name, complete, deleted, size, sha256, at
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

    /// Notes an acknowledged write of the model, which stands at `head`, in place of the oldest noted one.
    fn remember(self, write: WriteId, outcome: i64, head: &Head) -> rusqlite::Result<()> {
        const COUNT: &str = "UPDATE models SET writes = writes + 1 WHERE workspace = ?1 AND id = ?2 RETURNING writes";
        const WRITE: &str = "INSERT OR REPLACE INTO writes (workspace, id, slot, write, outcome, revision)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        let (workspace, id) = (self.workspace.as_str(), self.id.as_str());
        let mut count = self.connection.prepare_cached(COUNT)?;
        let number: u64 = count.query_row(params![workspace, id], |row| row.get(0))?;
        let slot = int(number % KEPT_WRITES);
        self.connection.prepare_cached(WRITE)?.execute(params![
            workspace,
            id,
            slot,
            write.0.to_be_bytes(),
            outcome,
            int(head.revision)
        ])?;
        Ok(())
    }
}
