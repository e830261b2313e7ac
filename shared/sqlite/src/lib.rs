//! Models, access tokens, and what processes share for a while, on one machine: a SQLite file that several processes use
//! at once.
//!
//! # Layout, in reading order
//! - [`SqliteStore`]: the store; it sends writes to one thread and reads on its own connections.
//! - `writer`: that thread, which commits up to 16 queued writes together and acknowledges them afterwards.
//! - `write`: what a put and a delete do within a transaction. `read`: the queries. `recent`: writes that were
//!   acknowledged.
//! - `tokens`: the same for access tokens. `cache`, `slots`: for what is kept for a while, and for turns.
//! - `texts`: recently used texts in memory.
//! - `schema`: the tables, as a list of migrations. `connection`: connections that keep what was acknowledged.
//! - `failure`: what went wrong, in words that name the file and the repair.
//!
//! The crate knows nothing of documents: texts are stored and given back as they are.

mod cache;
mod connection;
mod failure;
mod read;
mod recent;
mod schema;
mod slots;
mod texts;
mod tokens;
mod write;
mod writer;

#[cfg(test)]
mod tests;

use async_trait::async_trait;
use connection::File;
use meadow_access::TokenId;
use meadow_service::ports::ChangeCursor;
use meadow_service::{
    Change, Deleted, Expected, Head, ModelId, ModelStore, Page, Put, PutOutcome, Revision, StoreError, Stored,
    Timestamp, TokenRecord, TokenStore, Workspace, WriteId,
};
use rusqlite::Connection;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use texts::Texts;
use tokens::Revoke;
use tokio::sync::Semaphore;
use write::Delete;
use writer::Writer;

/// How many reads run at once. A read is short, so that more would only cost memory: each connection caches pages.
const READERS: usize = 4;

/// The store. Dropping it closes the file; a write whose future was dropped before is done whole or not at all.
pub struct SqliteStore {
    shared: Arc<Shared>,
    readers: Arc<Semaphore>,
    writer: Writer,
}

/// What reads need.
struct Shared {
    file: File,
    idle: Mutex<Vec<Connection>>,
    texts: Texts,
}

impl SqliteStore {
    /// Opens the store in the file at `path`; makes the file, and folders above it, where they are missing, for this
    /// user only.
    ///
    /// # Errors
    /// [`StoreError`], which names the file and the repair: not writable, no room, no database, another program's
    /// database, one of a newer Meadow, or a place where SQLite cannot keep what it acknowledged.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let (file, writing) = File::open(path.as_ref())?;
        Ok(Self {
            writer: Writer::start(file.clone(), writing)?,
            readers: Arc::new(Semaphore::new(READERS)),
            shared: Arc::new(Shared {
                file,
                idle: Mutex::default(),
                texts: Texts::default(),
            }),
        })
    }

    /// Looks a head up on the caller's thread. It takes a few pages, which nearly always are in memory: 4 µs, where
    /// another thread would cost three times that for the handing over.
    fn find<T>(&self, find: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        self.shared.read(|connection, _| find(connection))
    }

    /// The revision that `find` finds, with its text.
    async fn with_text(
        &self,
        workspace: &Workspace,
        find: impl Fn(&Connection) -> rusqlite::Result<Option<Head>> + Send + 'static,
    ) -> Result<Option<Stored>, StoreError> {
        let Some(head) = self.find(&find)?.filter(|head| !head.deleted) else {
            return Ok(None);
        };
        if let Some(text) = self.shared.texts.get(&head.sha256) {
            return Ok(Some(Stored { head, text }));
        }
        let workspace = workspace.clone();
        self.read(move |connection, texts| read::with_text(connection, texts, &workspace, find))
            .await
    }

    /// Reads on a thread that may wait for the disk.
    async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection, &Texts) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let stopped = |_| StoreError::Unavailable(format!("{}: a read was cut off", self.shared.file));
        let permit = Arc::clone(&self.readers)
            .acquire_owned()
            .await
            .map_err(|_| stopped(()))?;
        let shared = Arc::clone(&self.shared);
        let reading = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            shared.read(read)
        });
        reading.await.map_err(|_| stopped(()))?
    }
}

impl Shared {
    fn read<T>(&self, read: impl FnOnce(&Connection, &Texts) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        self.file.still_there()?;
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let connection = idle.map_or_else(|| self.file.reader(), Ok)?;
        let found = read(&connection, &self.texts).map_err(|error| self.file.failure(&error))?;
        // Not after an error: a fresh connection is the surest way out of whatever state that one is in.
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push(connection);
        Ok(found)
    }
}

impl Drop for SqliteStore {
    fn drop(&mut self) {
        // Readers first: the last connection tidies the write-ahead log away, and only the writer may do that.
        self.shared.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.writer.stop();
    }
}

/// Without the texts that are held.
impl fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteStore")
            .field("file", &self.shared.file)
            .finish_non_exhaustive()
    }
}

#[async_trait]
impl ModelStore for SqliteStore {
    async fn put(&self, put: Put) -> Result<PutOutcome, StoreError> {
        let source = Arc::clone(&put.source);
        let outcome = self.writer.ask(put, write::put).await?;
        if let PutOutcome::Stored(_) = outcome {
            self.shared.texts.keep(source.sha256, &source.text);
        }
        Ok(outcome)
    }

    async fn delete(
        &self,
        workspace: &Workspace,
        id: &ModelId,
        expected: Expected,
        write: WriteId,
        at: Timestamp,
    ) -> Result<Deleted, StoreError> {
        let delete = Delete {
            workspace: workspace.clone(),
            id: id.clone(),
            expected,
            write,
            at,
        };
        self.writer.ask(delete, write::delete).await
    }

    async fn head(&self, workspace: &Workspace, id: &ModelId) -> Result<Option<Head>, StoreError> {
        self.find(|connection| read::head(connection, workspace, id))
    }

    async fn get(
        &self,
        workspace: &Workspace,
        id: &ModelId,
        revision: Option<Revision>,
    ) -> Result<Option<Stored>, StoreError> {
        let (of, id) = (workspace.clone(), id.clone());
        let find = move |connection: &Connection| match revision {
            None => read::head(connection, &of, &id),
            Some(revision) => read::revision(connection, &of, &id, revision),
        };
        self.with_text(workspace, find).await
    }

    async fn latest(&self, workspace: &Workspace) -> Result<Option<Stored>, StoreError> {
        let of = workspace.clone();
        self.with_text(workspace, move |connection| read::latest(connection, &of))
            .await
    }

    async fn latest_head(&self, workspace: &Workspace) -> Result<Option<Head>, StoreError> {
        let workspace = workspace.clone();
        self.read(move |connection, _| read::latest(connection, &workspace))
            .await
    }

    async fn list(
        &self,
        workspace: &Workspace,
        after: Option<&ModelId>,
        limit: usize,
    ) -> Result<Page<Head, ModelId>, StoreError> {
        let (workspace, after) = (workspace.clone(), after.cloned());
        self.read(move |connection, _| read::list(connection, &workspace, after.as_ref(), limit))
            .await
    }

    async fn revisions(
        &self,
        workspace: &Workspace,
        id: &ModelId,
        before: Option<Revision>,
        limit: usize,
    ) -> Result<Page<Head, Revision>, StoreError> {
        let (workspace, id) = (workspace.clone(), id.clone());
        self.read(move |connection, _| read::revisions(connection, &workspace, &id, before, limit))
            .await
    }

    async fn changed_since(
        &self,
        since: Timestamp,
        after: Option<&ChangeCursor>,
        limit: usize,
    ) -> Result<Page<Change, ChangeCursor>, StoreError> {
        let after = after.cloned();
        self.read(move |connection, _| read::changed_since(connection, since, after.as_ref(), limit))
            .await
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.read(|connection, _| schema::version(connection)).await.map(drop)
    }
}

#[async_trait]
impl TokenStore for SqliteStore {
    async fn get(&self, id: TokenId) -> Result<Option<TokenRecord>, StoreError> {
        self.find(|connection| tokens::get(connection, id))
    }

    async fn put(&self, record: &TokenRecord) -> Result<bool, StoreError> {
        self.writer.ask(record.clone(), tokens::make).await
    }

    async fn revoke(&self, id: TokenId, at: Timestamp) -> Result<Option<TokenRecord>, StoreError> {
        self.writer.ask(Revoke { id, at }, tokens::revoke).await
    }

    async fn list(&self) -> Result<Vec<TokenRecord>, StoreError> {
        self.read(|connection, _| tokens::list(connection)).await
    }
}
