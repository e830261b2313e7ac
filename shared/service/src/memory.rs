//! A store that forgets everything at exit: for tests, trials and `--store memory:`.

use crate::clock::Timestamp;
use crate::ids::{ModelId, Revision, Workspace, WriteId};
use crate::ports::{
    Ack, Change, ChangeCursor, Deleted, Expected, Head, KEPT_REVISIONS, ModelStore, Page, Put, PutOutcome, StoreError,
    Stored,
};
use async_trait::async_trait;
use std::collections::{BTreeMap, HashMap};
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
    models: BTreeMap<ModelId, Vec<Kept>>,
    latest: Option<ModelId>,
}

/// A kept revision; without text a tombstone.
#[derive(Debug, Clone)]
struct Kept {
    head: Head,
    text: Option<Arc<str>>,
    write: WriteId,
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
        self.models.get(id).and_then(|kept| kept.last())
    }

    fn push(&mut self, kept: Kept) {
        let revisions = self.models.entry(kept.head.id.clone()).or_default();
        let oldest = (kept.head.revision + 1).saturating_sub(KEPT_REVISIONS);
        revisions.retain(|old| old.head.revision >= oldest);
        revisions.push(kept);
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

/// True where the model stands as expected.
fn holds(expected: Expected, current: Option<&Head>) -> bool {
    let alive = current.filter(|head| !head.deleted);
    match expected {
        Expected::Any => true,
        Expected::Absent => alive.is_none(),
        Expected::Revision(revision) => alive.is_some_and(|head| head.revision == revision),
    }
}

#[async_trait]
impl ModelStore for MemoryStore {
    async fn put(&self, put: Put) -> Result<PutOutcome, StoreError> {
        let mut workspaces = self.lock();
        let models = workspaces.entry(put.workspace.clone()).or_default();
        let current = models.current(&put.id).cloned();
        let previous_latest = models.latest.clone();
        let previous_name = current
            .as_ref()
            .filter(|c| !c.head.deleted)
            .map(|c| c.head.name.clone());
        let ack = |head| Ack {
            head,
            previous_name,
            previous_latest,
        };
        if let Some(own) = current.as_ref().filter(|c| c.write == put.write && c.text.is_some()) {
            return Ok(PutOutcome::Stored(ack(own.head.clone())));
        }
        if !holds(put.expected, current.as_ref().map(|c| &c.head)) {
            return Ok(PutOutcome::Conflict(current.map(|c| c.head)));
        }
        models.latest = Some(put.id.clone());
        if let Some(same) = current.as_ref().filter(|c| c.text.as_ref() == Some(&put.source.text)) {
            return Ok(PutOutcome::Unchanged(ack(same.head.clone())));
        }
        let head = Head {
            id: put.id,
            revision: current.map_or(0, |c| c.head.revision) + 1,
            name: put.source.name.clone(),
            complete: put.source.complete,
            deleted: false,
            size: put.source.text.len() as u64,
            sha256: put.source.sha256,
            updated_at: put.at,
        };
        models.push(Kept {
            head: head.clone(),
            text: Some(Arc::clone(&put.source.text)),
            write: put.write,
        });
        Ok(PutOutcome::Stored(ack(head)))
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
        let Some(models) = workspaces.get_mut(workspace) else {
            return Ok(Deleted::Absent);
        };
        let Some(current) = models.current(id).cloned() else {
            return Ok(Deleted::Absent);
        };
        if current.head.deleted {
            let own = current.write == write;
            return Ok(if own {
                Deleted::Done(current.head)
            } else {
                Deleted::Absent
            });
        }
        if !holds(expected, Some(&current.head)) {
            return Ok(Deleted::Conflict(current.head));
        }
        let head = Head {
            revision: current.head.revision + 1,
            deleted: true,
            size: 0,
            updated_at: at,
            ..current.head
        };
        models.push(Kept {
            head: head.clone(),
            text: None,
            write,
        });
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
                .iter()
                .find(|k| k.head.revision == revision)?
                .stored(),
        }))
    }

    async fn latest(&self, workspace: &Workspace) -> Result<Option<Stored>, StoreError> {
        Ok(self.read(workspace, |models| models.current(models.latest.as_ref()?)?.stored()))
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
                .filter_map(|(_, kept)| kept.last());
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
            let kept = models.models.get(id)?.iter().rev().map(|k| k.head.clone());
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
        let mut changes: Vec<Change> = Vec::new();
        for (workspace, models) in self.lock().iter() {
            let heads = models
                .models
                .values()
                .filter_map(|kept| kept.last())
                .map(|k| k.head.clone());
            let heads = heads.filter(|head| head.updated_at >= since);
            changes.extend(heads.map(|head| Change {
                workspace: workspace.clone(),
                head,
            }));
        }
        changes.retain(|change| after.is_none_or(|after| place(change) > *after));
        changes.sort_by_cached_key(place);
        changes.truncate(limit.saturating_add(1));
        Ok(page(changes, limit, place))
    }

    async fn ping(&self) -> Result<(), StoreError> {
        Ok(())
    }
}

fn place(change: &Change) -> ChangeCursor {
    ChangeCursor {
        at: change.head.updated_at,
        workspace: change.workspace.clone(),
        id: change.head.id.clone(),
    }
}

/// A page of at most `limit` out of up to `limit + 1` items.
pub fn page<T, C>(mut items: Vec<T>, limit: usize, cursor: impl Fn(&T) -> C) -> Page<T, C> {
    let more = items.len() > limit;
    items.truncate(limit);
    let next = items.last().filter(|_| more).map(cursor);
    Page { items, next }
}
