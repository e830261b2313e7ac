//! A store that breaks one promise, in ways that are easy to write and pass every test without a race or a lost reply.
//! The suite must fail it.

use super::run;
use crate::clock::Timestamp;
use crate::ids::{ModelId, Revision, Workspace, WriteId};
use crate::memory::MemoryStore;
use crate::ports::{
    Change, ChangeCursor, Deleted, Expected, Head, ModelStore, Page, Put, PutOutcome, StoreError, Stored,
};
use async_trait::async_trait;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use tokio::task::yield_now;

/// Fewer than in earnest: such a store fails in the first ones.
const ROUNDS: usize = 10;

/// How many bytes of a text the torn store writes at once.
const AT_ONCE: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// The expectation is looked at, then the write is done whatever happened in between.
    CheckThenWrite,
    /// Who reads during a write gets the beginning of the new text and the rest of the old one.
    Torn,
    /// What was read is kept for the next reader. A write empties that cache, too early for a read that is under way.
    Stale,
    /// A repeated write is a write like any other.
    ForgottenWriteId,
}

/// The cases that must fail are all that fail.
async fn check(fault: Fault, expected: &[&str]) {
    let make = || Arc::new(Broken::new(fault)) as Arc<dyn ModelStore>;
    let outcome = run(make, ROUNDS).await;
    let failed: Vec<&str> = outcome.failures.iter().map(|failure| failure.case).collect();
    assert_eq!(failed, expected, "{:#?}", outcome.failures);
}

#[tokio::test]
async fn check_then_write_is_caught() {
    let cases = [
        "of_racing_writers_exactly_one_wins",
        "no_increment_is_lost",
        "no_patch_is_lost",
    ];
    check(Fault::CheckThenWrite, &cases).await;
}

#[tokio::test]
async fn torn_texts_are_caught() {
    check(Fault::Torn, &["no_text_is_torn", "no_patch_is_lost"]).await;
}

#[tokio::test]
async fn stale_reads_are_caught() {
    check(Fault::Stale, &["no_read_is_older_than_acknowledged"]).await;
}

#[tokio::test]
async fn a_forgotten_write_id_is_caught() {
    let cases = [
        "a_repeated_put_is_not_applied_again",
        "a_repeated_put_leaves_later_writes_alone",
        "a_repeated_put_leaves_a_later_delete_alone",
        "a_repeated_unchanged_put_leaves_later_writes_alone",
        "a_repeated_delete_is_not_applied_again",
        "a_repeated_delete_leaves_a_later_put_alone",
        "a_repeated_put_leaves_latest_alone",
        "writes_are_remembered_for_long",
    ];
    check(Fault::ForgottenWriteId, &cases).await;
}

#[derive(Debug)]
struct Broken {
    fault: Fault,
    inner: MemoryStore,
    /// Of [`Fault::Torn`] what stood there before the write that is under way, of [`Fault::Stale`] what was read.
    aside: Mutex<HashMap<(Workspace, ModelId), Stored>>,
}

impl Broken {
    fn new(fault: Fault) -> Self {
        Self {
            fault,
            inner: MemoryStore::new(),
            aside: Mutex::default(),
        }
    }

    fn aside(&self, workspace: &Workspace, id: &ModelId) -> Option<Stored> {
        self.aside
            .lock()
            .unwrap()
            .get(&(workspace.clone(), id.clone()))
            .cloned()
    }

    fn put_aside(&self, workspace: &Workspace, id: &ModelId, stored: Option<Stored>) {
        let mut aside = self.aside.lock().unwrap();
        match stored {
            Some(stored) => aside.insert((workspace.clone(), id.clone()), stored),
            None => aside.remove(&(workspace.clone(), id.clone())),
        };
    }
}

#[async_trait]
impl ModelStore for Broken {
    async fn put(&self, mut put: Put) -> Result<PutOutcome, StoreError> {
        let (workspace, id) = (put.workspace.clone(), put.id.clone());
        match self.fault {
            Fault::CheckThenWrite => {
                let current = self.inner.head(&workspace, &id).await?;
                if put.expected.holds(current.as_ref()) {
                    yield_now().await;
                    put.expected = Expected::Any;
                }
                self.inner.put(put).await
            }
            Fault::Torn => {
                let before = self.inner.get(&workspace, &id, None).await?;
                self.put_aside(&workspace, &id, before);
                let outcome = self.inner.put(put).await;
                yield_now().await;
                self.put_aside(&workspace, &id, None);
                outcome
            }
            Fault::Stale => {
                self.put_aside(&workspace, &id, None);
                // A write takes a while; long enough here that some reader always looks in between.
                for _ in 0..8 {
                    yield_now().await;
                }
                self.inner.put(put).await
            }
            Fault::ForgottenWriteId => {
                put.write = WriteId::random().unwrap();
                self.inner.put(put).await
            }
        }
    }

    async fn delete(
        &self,
        workspace: &Workspace,
        id: &ModelId,
        mut expected: Expected,
        mut write: WriteId,
        at: Timestamp,
    ) -> Result<Deleted, StoreError> {
        match self.fault {
            Fault::CheckThenWrite => {
                let current = self.inner.head(workspace, id).await?;
                if expected.holds(current.as_ref()) {
                    yield_now().await;
                    expected = Expected::Any;
                }
            }
            Fault::Stale => self.put_aside(workspace, id, None),
            Fault::ForgottenWriteId => write = WriteId::random().unwrap(),
            Fault::Torn => {}
        }
        self.inner.delete(workspace, id, expected, write, at).await
    }

    async fn get(
        &self,
        workspace: &Workspace,
        id: &ModelId,
        revision: Option<Revision>,
    ) -> Result<Option<Stored>, StoreError> {
        let stored = self.inner.get(workspace, id, revision).await?;
        if revision.is_some() {
            return Ok(stored);
        }
        let aside = self.aside(workspace, id);
        match self.fault {
            Fault::Torn => Ok(stored.map(|new| match aside {
                Some(old) if new.text.len().min(old.text.len()) > AT_ONCE => {
                    let text = format!("{}{}", &new.text[..AT_ONCE], &old.text[AT_ONCE..]);
                    Stored {
                        text: text.into(),
                        ..new
                    }
                }
                _ => new,
            })),
            Fault::Stale if aside.is_some() => Ok(aside),
            Fault::Stale => {
                yield_now().await;
                self.put_aside(workspace, id, stored.clone());
                Ok(stored)
            }
            Fault::CheckThenWrite | Fault::ForgottenWriteId => Ok(stored),
        }
    }

    async fn head(&self, workspace: &Workspace, id: &ModelId) -> Result<Option<Head>, StoreError> {
        self.inner.head(workspace, id).await
    }

    async fn latest(&self, workspace: &Workspace) -> Result<Option<Stored>, StoreError> {
        self.inner.latest(workspace).await
    }

    async fn list(
        &self,
        workspace: &Workspace,
        after: Option<&ModelId>,
        limit: usize,
    ) -> Result<Page<Head, ModelId>, StoreError> {
        self.inner.list(workspace, after, limit).await
    }

    async fn revisions(
        &self,
        workspace: &Workspace,
        id: &ModelId,
        before: Option<Revision>,
        limit: usize,
    ) -> Result<Page<Head, Revision>, StoreError> {
        self.inner.revisions(workspace, id, before, limit).await
    }

    async fn changed_since(
        &self,
        since: Timestamp,
        after: Option<&ChangeCursor>,
        limit: usize,
    ) -> Result<Page<Change, ChangeCursor>, StoreError> {
        self.inner.changed_since(since, after, limit).await
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.inner.ping().await
    }
}
