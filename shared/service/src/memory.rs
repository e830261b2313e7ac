//! A store that forgets everything at exit: for tests, trials and `--store memory:`.

use crate::clock::Timestamp;
use crate::ids::{ModelId, Revision, Workspace, WriteId};
use crate::ports::{
    Ack, Change, ChangeCursor, Deleted, Expected, Head, KEPT_REVISIONS, KEPT_WRITES, ModelStore, Page, Put, PutOutcome,
    StoreError, Stored,
};
use async_trait::async_trait;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::ops::Bound;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The store. Everything happens under one lock, so every promise of [`ModelStore`] holds by construction.
#[derive(Debug, Default)]
pub struct MemoryStore {
    workspaces: Mutex<HashMap<Workspace, Models>>,
}

/// What a workspace holds.
#[derive(Debug, Default)]
struct Models {
    models: BTreeMap<ModelId, Model>,
    latest: Option<ModelId>,
}

/// A model: its kept revisions, of which the last is the current one, and its remembered writes.
#[derive(Debug, Default)]
struct Model {
    revisions: Vec<Kept>,
    writes: VecDeque<(WriteId, Done)>,
}

/// A kept revision; without text a tombstone.
#[derive(Debug, Clone)]
struct Kept {
    head: Head,
    text: Option<Arc<str>>,
}

/// What an acknowledged write did.
#[derive(Debug, Clone)]
enum Done {
    Stored(Head),
    Unchanged(Head),
    Deleted(Head),
}

impl MemoryStore {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Workspace, Models>> {
        self.workspaces.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read<T>(&self, workspace: &Workspace, read: impl FnOnce(&Models) -> Option<T>) -> Option<T> {
        self.lock().get(workspace).and_then(read)
    }
}

impl Models {
    fn current(&self, id: &ModelId) -> Option<&Kept> {
        self.models.get(id)?.revisions.last()
    }

    /// The latest model, unless it is deleted.
    fn latest(&self) -> Option<&Kept> {
        self.current(self.latest.as_ref()?).filter(|kept| !kept.head.deleted)
    }
}

impl Model {
    fn push(&mut self, kept: Kept) {
        let oldest = (kept.head.revision + 1).saturating_sub(KEPT_REVISIONS);
        self.revisions.retain(|old| old.head.revision >= oldest);
        self.revisions.push(kept);
    }

    fn done(&self, write: WriteId) -> Option<&Done> {
        self.writes.iter().find(|(own, _)| *own == write).map(|(_, done)| done)
    }

    fn remember(&mut self, write: WriteId, done: Done) {
        if self.writes.len() as u64 == KEPT_WRITES {
            self.writes.pop_front();
        }
        self.writes.push_back((write, done));
    }
}

impl Kept {
    fn stored(&self) -> Option<Stored> {
        Some(Stored {
            head: self.head.clone(),
            text: self.text.clone()?,
        })
    }
}

#[async_trait]
impl ModelStore for MemoryStore {
    async fn put(&self, put: Put) -> Result<PutOutcome, StoreError> {
        let mut workspaces = self.lock();
        let models = workspaces.entry(put.workspace.clone()).or_default();
        match models.models.get(&put.id).and_then(|model| model.done(put.write)) {
            Some(Done::Stored(head)) => return Ok(PutOutcome::Stored(Ack::repeated(head.clone()))),
            Some(Done::Unchanged(head)) => return Ok(PutOutcome::Unchanged(Ack::repeated(head.clone()))),
            Some(Done::Deleted(_)) | None => {}
        }
        let current = models.current(&put.id).map(|kept| kept.head.clone());
        if !put.expected.holds(current.as_ref()) {
            return Ok(PutOutcome::Conflict(current));
        }
        let alive = current.as_ref().filter(|head| !head.deleted);
        let previous_name = alive.map(|head| head.name.clone());
        let previous_latest = models.latest().map(|kept| kept.head.id.clone());
        let ack = |head: &Head| Ack {
            head: head.clone(),
            previous_name,
            previous_latest,
        };
        models.latest = Some(put.id.clone());
        let model = models.models.entry(put.id.clone()).or_default();
        if let Some(same) = current.as_ref().filter(|head| head.is(&put.source)) {
            model.remember(put.write, Done::Unchanged(same.clone()));
            return Ok(PutOutcome::Unchanged(ack(same)));
        }
        let head = Head::after(current.as_ref(), &put);
        model.push(Kept {
            head: head.clone(),
            text: Some(Arc::clone(&put.source.text)),
        });
        model.remember(put.write, Done::Stored(head.clone()));
        Ok(PutOutcome::Stored(ack(&head)))
    }

    async fn delete(
        &self,
        workspace: &Workspace,
        id: &ModelId,
        expected: Expected,
        write: WriteId,
        at: Timestamp,
    ) -> Result<Deleted, StoreError> {
        let mut workspaces = self.lock();
        let Some(model) = workspaces
            .get_mut(workspace)
            .and_then(|models| models.models.get_mut(id))
        else {
            return Ok(Deleted::Absent);
        };
        if let Some(Done::Deleted(head)) = model.done(write) {
            return Ok(Deleted::Done(head.clone()));
        }
        let current = model.revisions.last().map(|kept| kept.head.clone());
        let Some(current) = current.filter(|head| !head.deleted) else {
            return Ok(Deleted::Absent);
        };
        if !expected.holds(Some(&current)) {
            return Ok(Deleted::Conflict(current));
        }
        let head = current.tombstone(at);
        model.push(Kept {
            head: head.clone(),
            text: None,
        });
        model.remember(write, Done::Deleted(head.clone()));
        Ok(Deleted::Done(head))
    }

    async fn head(&self, workspace: &Workspace, id: &ModelId) -> Result<Option<Head>, StoreError> {
        Ok(self.read(workspace, |models| models.current(id).map(|c| c.head.clone())))
    }

    async fn get(
        &self,
        workspace: &Workspace,
        id: &ModelId,
        revision: Option<Revision>,
    ) -> Result<Option<Stored>, StoreError> {
        Ok(self.read(workspace, |models| match revision {
            None => models.current(id)?.stored(),
            Some(revision) => models
                .models
                .get(id)?
                .revisions
                .iter()
                .find(|k| k.head.revision == revision)?
                .stored(),
        }))
    }

    async fn latest(&self, workspace: &Workspace) -> Result<Option<Stored>, StoreError> {
        Ok(self.read(workspace, |models| models.latest()?.stored()))
    }

    async fn latest_head(&self, workspace: &Workspace) -> Result<Option<Head>, StoreError> {
        Ok(self.read(workspace, |models| models.latest().map(|kept| kept.head.clone())))
    }

    async fn list(
        &self,
        workspace: &Workspace,
        after: Option<&ModelId>,
        limit: usize,
    ) -> Result<Page<Head, ModelId>, StoreError> {
        let heads = self.read(workspace, |models| {
            let from = after.map_or(Bound::Unbounded, Bound::Excluded);
            let heads = models
                .models
                .range::<ModelId, _>((from, Bound::Unbounded))
                .filter_map(|(_, model)| model.revisions.last());
            Some(
                heads
                    .filter(|k| !k.head.deleted)
                    .map(|k| k.head.clone())
                    .take(limit.saturating_add(1))
                    .collect(),
            )
        });
        Ok(page(heads.unwrap_or_default(), limit, |head| head.id.clone()))
    }

    async fn revisions(
        &self,
        workspace: &Workspace,
        id: &ModelId,
        before: Option<Revision>,
        limit: usize,
    ) -> Result<Page<Head, Revision>, StoreError> {
        let heads = self.read(workspace, |models| {
            let kept = models.models.get(id)?.revisions.iter().rev().map(|k| k.head.clone());
            let kept = kept.filter(|head| before.is_none_or(|before| head.revision < before));
            Some(kept.take(limit.saturating_add(1)).collect())
        });
        Ok(page(heads.unwrap_or_default(), limit, |head| head.revision))
    }

    async fn changed_since(
        &self,
        since: Timestamp,
        after: Option<&ChangeCursor>,
        limit: usize,
    ) -> Result<Page<Change, ChangeCursor>, StoreError> {
        let mut found: Vec<(ChangeCursor, Head)> = Vec::new();
        for (workspace, models) in self.lock().iter() {
            let heads = models
                .models
                .values()
                .filter_map(|model| model.revisions.last())
                .map(|k| k.head.clone());
            let heads = heads.filter(|head| head.updated_at >= since);
            found.extend(heads.map(|head| (place(workspace, &head), head)));
        }
        found.retain(|(place, _)| after.is_none_or(|after| place > after));
        found.sort_by(|(one, _), (other, _)| one.cmp(other));
        found.truncate(limit.saturating_add(1));
        let Page { items, next } = page(found, limit, |(place, _)| place.clone());
        let change = |(place, head): (ChangeCursor, Head)| Change {
            workspace: place.workspace,
            id: place.id,
            head: Ok(head),
        };
        Ok(Page {
            items: items.into_iter().map(change).collect(),
            next,
        })
    }

    async fn ping(&self) -> Result<(), StoreError> {
        Ok(())
    }
}

fn place(workspace: &Workspace, head: &Head) -> ChangeCursor {
    ChangeCursor {
        at: head.updated_at,
        workspace: workspace.clone(),
        id: head.id.clone(),
    }
}

/// A page of at most `limit` out of up to `limit + 1` items.
pub fn page<T, C>(mut items: Vec<T>, limit: usize, cursor: impl Fn(&T) -> C) -> Page<T, C> {
    let more = items.len() > limit;
    items.truncate(limit);
    let next = items.last().filter(|_| more).map(cursor);
    Page { items, next }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract;

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn keeps_the_contract() {
        let make = || Arc::new(MemoryStore::new()) as Arc<dyn ModelStore>;
        let raced = contract::assert_keeps_the_contract(make, contract::ROUNDS).await;
        println!("memory: {raced} raced writes, none lost, torn or older");
        assert!(raced >= 10_000, "{raced} raced writes");
    }
}
