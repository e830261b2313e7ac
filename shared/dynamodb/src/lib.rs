//! Models, access tokens, and what processes share for a while, on AWS: one DynamoDB table for all workspaces.
//!
//! # Layout, in reading order
//! - `keys`: every key of the table, made in one place.
//! - [`DynamoStore`]: the store. `write`: what a put and a delete do; `read`: the queries.
//! - `head`: the small item of a model, whose conditional write commits. `history`: what it remembers.
//! - `body`: the immutable item of one revision's text.
//! - [`sweep`](DynamoStore::sweep): takes away bodies that no head names, which crashed writers left.
//! - `tokens`: access tokens, in the same table; `cache`, `slots`: what is kept for a while, and turns.
//! - `table`: how the table looks and how it is reached ([`Place`], [`connect`], [`connect_with`]).
//! - `failure`: what went wrong, in words that name the table and the repair.
//!
//! # How a put commits
//! 1. The head and the pointer to the workspace's latest model are read (consistently, as everything is).
//! 2. The text becomes a body item, under a key that no other write uses.
//! 3. The head is replaced on the condition that nobody wrote it since step 1. **This is the commit.**
//! 4. The pointer moves; bodies that nothing names any more go.
//!
//! A crash before 3 leaves an unnamed body for the sweep. A crash between 3 and 4 leaves a revision that was never
//! acknowledged as a put: it is read under its id, the latest model is still the one before, and whoever repeats the
//! write moves the pointer. A reply that was lost at 3 is recognised by the write id in the head.

mod body;
mod cache;
mod failure;
mod head;
mod hex;
mod history;
mod keys;
mod read;
mod slots;
mod sweep;
mod table;
mod tokens;
mod write;

#[cfg(test)]
mod tests;

pub use sweep::Swept;
pub use table::{Place, connect, connect_with, create_table};

use async_trait::async_trait;
use aws_sdk_dynamodb::Client;
use meadow_service::ports::ChangeCursor;
use meadow_service::{
    Change, Deleted, Expected, Head, ModelId, ModelStore, Page, Put, PutOutcome, Revision, StoreError, Stored,
    Timestamp, Workspace, WriteId,
};

/// The store. Cheap to clone; holds no state but the client's connections.
#[derive(Debug, Clone)]
pub struct DynamoStore {
    client: Client,
    table: String,
}

impl DynamoStore {
    /// The store in `table`, which [`create_table`] or the deployment made.
    #[must_use]
    pub fn new(client: Client, table: impl Into<String>) -> Self {
        Self {
            client,
            table: table.into(),
        }
    }
}

#[async_trait]
impl ModelStore for DynamoStore {
    async fn put(&self, put: Put) -> Result<PutOutcome, StoreError> {
        self.write(&put).await
    }

    async fn delete(
        &self,
        workspace: &Workspace,
        id: &ModelId,
        expected: Expected,
        write: WriteId,
        at: Timestamp,
    ) -> Result<Deleted, StoreError> {
        self.mark_deleted(workspace, id, expected, write, at).await
    }

    async fn head(&self, workspace: &Workspace, id: &ModelId) -> Result<Option<Head>, StoreError> {
        Ok(self.model(workspace, id).await?.map(|model| model.head))
    }

    async fn get(
        &self,
        workspace: &Workspace,
        id: &ModelId,
        revision: Option<Revision>,
    ) -> Result<Option<Stored>, StoreError> {
        self.stored(workspace, id, revision).await
    }

    async fn latest(&self, workspace: &Workspace) -> Result<Option<Stored>, StoreError> {
        match self.pointer(workspace).await? {
            Some(pointer) => self.stored(workspace, &pointer.id, None).await,
            None => Ok(None),
        }
    }

    async fn latest_head(&self, workspace: &Workspace) -> Result<Option<Head>, StoreError> {
        let Some(pointer) = self.pointer(workspace).await? else {
            return Ok(None);
        };
        let model = self.model(workspace, &pointer.id).await?;
        Ok(model.map(|model| model.head).filter(|head| !head.deleted))
    }

    async fn list(
        &self,
        workspace: &Workspace,
        after: Option<&ModelId>,
        limit: usize,
    ) -> Result<Page<Head, ModelId>, StoreError> {
        self.heads(workspace, after, limit).await
    }

    async fn revisions(
        &self,
        workspace: &Workspace,
        id: &ModelId,
        before: Option<Revision>,
        limit: usize,
    ) -> Result<Page<Head, Revision>, StoreError> {
        let model = self.model(workspace, id).await?;
        Ok(model.map_or_else(
            || Page {
                items: Vec::new(),
                next: None,
            },
            |model| model.history.page(id, before, limit),
        ))
    }

    async fn changed_since(
        &self,
        since: Timestamp,
        after: Option<&ChangeCursor>,
        limit: usize,
    ) -> Result<Page<Change, ChangeCursor>, StoreError> {
        self.changes(since, after, limit).await
    }

    async fn ping(&self) -> Result<(), StoreError> {
        // What stands there is not judged: one damaged item says nothing of the store.
        self.item(keys::latest(&Workspace::default())).await.map(drop)
    }
}
