//! What a case works with: one workspace of a new store, and short ways to write and read.

use crate::clock::Timestamp;
use crate::ids::{ModelId, Revision, Workspace, WriteId};
use crate::ports::{Ack, Deleted, Expected, Head, ModelStore, Put, PutOutcome, Stored};
use crate::source::Source;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// When a write happens whose time does not matter.
pub(super) const NOON: Timestamp = Timestamp(1_764_500_000_000);

/// A workspace of the store under test.
#[derive(Debug, Clone)]
pub struct Trial {
    pub(super) store: Arc<dyn ModelStore>,
    pub(super) workspace: Workspace,
    pub(super) rounds: usize,
    raced: Count,
}

/// How many raced writes were acknowledged so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Count(Arc<AtomicU64>);

impl Count {
    pub(super) fn get(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }
}

impl Trial {
    pub(super) fn new(store: Arc<dyn ModelStore>, rounds: usize) -> Self {
        Self {
            store,
            workspace: Workspace::default(),
            rounds,
            raced: Count::default(),
        }
    }

    pub(super) fn count(&self) -> Count {
        self.raced.clone()
    }

    /// Counts an acknowledged write that raced.
    pub(super) fn raced(&self) {
        self.raced.0.fetch_add(1, Ordering::SeqCst);
    }

    /// Another workspace of the same store.
    pub(super) fn in_workspace(&self, name: &str) -> Self {
        Self {
            workspace: Workspace::new(name).expect("a name of a workspace"),
            ..self.clone()
        }
    }

    /// A put with everything said.
    pub(super) async fn put_as(
        &self,
        write: WriteId,
        id: &str,
        text: &str,
        expected: Expected,
        at: Timestamp,
    ) -> PutOutcome {
        let put = Put {
            workspace: self.workspace.clone(),
            id: model(id),
            source: source(text),
            expected,
            write,
            at,
        };
        self.store.put(put).await.expect("the store puts")
    }

    /// A first attempt to put.
    pub(super) async fn put(&self, id: &str, text: &str, expected: Expected) -> PutOutcome {
        self.put_as(write(), id, text, expected, NOON).await
    }

    /// A put that must make a new revision.
    pub(super) async fn stored(&self, id: &str, text: &str) -> Head {
        stored(self.put(id, text, Expected::Any).await).head
    }

    /// The same at a certain time.
    pub(super) async fn stored_at(&self, id: &str, text: &str, at: u64) -> Head {
        stored(self.put_as(write(), id, text, Expected::Any, Timestamp(at)).await).head
    }

    /// A delete with everything said.
    pub(super) async fn delete_as(&self, write: WriteId, id: &str, expected: Expected, at: Timestamp) -> Deleted {
        let deleted = self
            .store
            .delete(&self.workspace, &model(id), expected, write, at)
            .await;
        deleted.expect("the store deletes")
    }

    /// A first attempt to delete.
    pub(super) async fn delete(&self, id: &str, expected: Expected) -> Deleted {
        self.delete_as(write(), id, expected, NOON).await
    }

    /// A delete that must be done.
    pub(super) async fn deleted(&self, id: &str) -> Head {
        match self.delete(id, Expected::Any).await {
            Deleted::Done(head) => head,
            other => panic!("{id} was not deleted: {other:?}"),
        }
    }

    pub(super) async fn head(&self, id: &str) -> Option<Head> {
        let head = self.store.head(&self.workspace, &model(id)).await;
        head.expect("the store gives a head")
    }

    pub(super) async fn get(&self, id: &str) -> Option<Stored> {
        let got = self.store.get(&self.workspace, &model(id), None).await;
        got.expect("the store gives a model")
    }

    pub(super) async fn revision(&self, id: &str, revision: Revision) -> Option<Stored> {
        let got = self.store.get(&self.workspace, &model(id), Some(revision)).await;
        got.expect("the store gives a revision")
    }

    pub(super) async fn latest(&self) -> Option<Stored> {
        self.store
            .latest(&self.workspace)
            .await
            .expect("the store gives the latest")
    }

    /// The same while nobody writes: what is known of it without its text is said of the same model.
    pub(super) async fn quiet_latest(&self) -> Option<Stored> {
        let latest = self.latest().await;
        let head = self.store.latest_head(&self.workspace).await;
        let head = head.expect("the store gives the latest's head");
        assert_eq!(head, latest.as_ref().map(|stored| stored.head.clone()));
        latest
    }

    /// The text of the model as it stands; empty where there is none.
    pub(super) async fn text(&self, id: &str) -> String {
        self.get(id)
            .await
            .map_or_else(String::new, |stored| stored.text.to_string())
    }

    /// The id of the latest model; empty where there is none.
    pub(super) async fn latest_id(&self) -> String {
        self.latest()
            .await
            .map_or_else(String::new, |stored| stored.head.id.as_str().to_owned())
    }

    /// The kept revisions, the newest first.
    pub(super) async fn revisions(&self, id: &str) -> Vec<Head> {
        let page = self.store.revisions(&self.workspace, &model(id), None, 1000).await;
        page.expect("the store gives revisions").items
    }
}

/// An id; a store takes any, whatever ids the use cases give out.
pub(super) fn model(id: &str) -> ModelId {
    ModelId::from_stored(id.to_owned())
}

/// A new write id.
pub(super) fn write() -> WriteId {
    WriteId::random().expect("randomness")
}

/// A document as far as a store looks at it: its name is its first line.
pub(super) fn source(text: &str) -> Arc<Source> {
    let name = text.lines().next().unwrap_or_default();
    Arc::new(Source::new(text, name, text.contains("complete")))
}

/// The acknowledgement of a put that made a revision.
#[track_caller]
pub(super) fn stored(outcome: PutOutcome) -> Ack {
    match outcome {
        PutOutcome::Stored(ack) => ack,
        other => panic!("no new revision: {other:?}"),
    }
}

/// The acknowledgement of a put that found its bytes there.
#[track_caller]
pub(super) fn unchanged(outcome: PutOutcome) -> Ack {
    match outcome {
        PutOutcome::Unchanged(ack) => ack,
        other => panic!("not unchanged: {other:?}"),
    }
}

/// How the model stood when a put was refused.
#[track_caller]
pub(super) fn conflict(outcome: PutOutcome) -> Option<Head> {
    match outcome {
        PutOutcome::Conflict(current) => current,
        other => panic!("no conflict: {other:?}"),
    }
}
