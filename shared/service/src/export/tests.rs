//! The rules of a run that need no database: an in-memory store, an in-memory target, a clock that is set.

use super::*;
use crate::ids::{ModelId, WriteId};
use crate::ports::{Deleted, Expected, Page, Put, PutOutcome, Stored};
use crate::{MemoryStore, Source};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A clock that goes on by `step` each time it is looked at.
#[derive(Debug)]
struct SetClock {
    now: AtomicU64,
    step: u64,
}

impl SetClock {
    fn at(minutes: u64) -> Self {
        Self::going(minutes, 0)
    }

    fn going(minutes: u64, step: u64) -> Self {
        Self {
            now: AtomicU64::new(minute(minutes).0),
            step,
        }
    }
}

impl Clock for SetClock {
    fn now(&self) -> Timestamp {
        Timestamp(self.now.fetch_add(self.step, Ordering::SeqCst))
    }
}

/// That many minutes after some day.
fn minute(minutes: u64) -> Timestamp {
    Timestamp(1_796_000_000_000 + minutes * 60_000)
}

/// A target that keeps rows in memory.
#[derive(Debug, Clone, Default)]
struct MemoryTarget(Arc<Mutex<Kept>>);

#[derive(Debug, Default)]
struct Kept {
    rows: BTreeMap<(Workspace, ModelId), Row>,
    cursor: Option<Timestamp>,
    busy: bool,
    /// Rows and bytes of each batch.
    batches: Vec<(usize, usize)>,
    ends: Vec<(ExportRun, Option<String>)>,
    /// The batch at which the connection breaks.
    breaks_at: Option<usize>,
}

impl MemoryTarget {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn row(&self, id: &str) -> Row {
        self.kept().rows[&key(id)].clone()
    }
}

fn key(id: &str) -> (Workspace, ModelId) {
    (Workspace::default(), ModelId::new(id).unwrap())
}

struct MemoryRun {
    target: MemoryTarget,
    cursor: Option<Timestamp>,
}

impl Drop for MemoryRun {
    fn drop(&mut self) {
        self.target.kept().busy = false;
    }
}

#[async_trait]
impl ExportTarget for MemoryTarget {
    async fn begin(&self, _: Timestamp) -> Result<Box<dyn TargetRun>, TargetError> {
        let mut kept = self.kept();
        if std::mem::replace(&mut kept.busy, true) {
            return Err(TargetError::Busy("another run is at work".into()));
        }
        Ok(Box::new(MemoryRun {
            target: self.clone(),
            cursor: kept.cursor,
        }))
    }
}

#[async_trait]
impl TargetRun for MemoryRun {
    fn cursor(&self) -> Option<Timestamp> {
        self.cursor
    }

    async fn held(&mut self, models: &[Change]) -> Result<Vec<Option<Revision>>, TargetError> {
        let kept = self.target.kept();
        let held = models.iter().map(|change| {
            let key = (change.workspace.clone(), change.id.clone());
            kept.rows.get(&key).map(|row| row.head.revision)
        });
        Ok(held.collect())
    }

    async fn commit(&mut self, rows: &[Row], cursor: Option<Timestamp>) -> Result<Committed, TargetError> {
        let mut kept = self.target.kept();
        if kept.breaks_at == Some(kept.batches.len()) {
            return Err(TargetError::Unavailable("the connection broke".into()));
        }
        let bytes = rows.iter().filter_map(|row| row.text.as_ref()).map(|text| text.len());
        let bytes = bytes.sum();
        kept.batches.push((rows.len(), bytes));
        kept.cursor = cursor;
        let mut committed = Committed::default();
        for (place, row) in rows.iter().enumerate() {
            if row
                .text
                .as_ref()
                .is_some_and(|text| text.contains("not for this target"))
            {
                committed.without_document.push((place, "refused".into()));
            }
            let key = (row.workspace.clone(), row.head.id.clone());
            if kept
                .rows
                .get(&key)
                .is_none_or(|old| old.head.revision < row.head.revision)
            {
                kept.rows.insert(key, row.clone());
                committed.written += 1;
            }
        }
        Ok(committed)
    }

    async fn end(self: Box<Self>, run: &ExportRun, error: Option<&str>) -> Result<(), TargetError> {
        self.target.kept().ends.push((run.clone(), error.map(str::to_owned)));
        Ok(())
    }
}

/// Stores a text, dated some minutes after the day.
async fn put(store: &dyn ModelStore, id: &str, text: &str, minutes: u64) -> Revision {
    let put = Put {
        workspace: Workspace::default(),
        id: ModelId::new(id).unwrap(),
        source: Arc::new(Source::new(text, id, false)),
        expected: Expected::Any,
        write: WriteId::random().unwrap(),
        at: minute(minutes),
    };
    match store.put(put).await.unwrap() {
        PutOutcome::Stored(ack) | PutOutcome::Unchanged(ack) => ack.head.revision,
        PutOutcome::Conflict(_) => panic!("nothing was expected"),
    }
}

async fn delete(store: &dyn ModelStore, id: &str, minutes: u64) {
    let id = ModelId::new(id).unwrap();
    let write = WriteId::random().unwrap();
    let workspace = Workspace::default();
    let deleted = store
        .delete(&workspace, &id, Expected::Any, write, minute(minutes))
        .await;
    assert!(matches!(deleted.unwrap(), Deleted::Done(_)));
}

async fn run_at(store: &dyn ModelStore, target: &MemoryTarget, minutes: u64) -> ExportRun {
    export(
        store,
        target,
        &SetClock::at(minutes),
        &ExportOptions::default(),
        &mut |_| {},
    )
    .await
    .unwrap()
}

#[tokio::test]
async fn a_run_takes_what_changed_since_the_last_one() {
    let (store, target) = (MemoryStore::new(), MemoryTarget::default());
    put(&store, "a", "{}", 0).await;
    put(&store, "b", "{}", 60).await;
    let first = run_at(&store, &target, 100).await;
    assert_eq!((first.since, first.written, first.finished), (None, 2, true));
    assert_eq!(first.cursor, Some(minute(60)), "the newest change");

    put(&store, "a", "{\"x\":1}", 200).await;
    let second = run_at(&store, &target, 300).await;
    assert_eq!(second.since, Some(minute(45)), "fifteen minutes before the cursor");
    assert_eq!((second.walked, second.written, second.present), (2, 1, 1));
    assert_eq!(target.row("a").head.revision, 2);

    let third = run_at(&store, &target, 400).await;
    assert_eq!(
        (third.walked, third.written, third.present),
        (1, 0, 1),
        "a rerun is harmless"
    );
    assert_eq!(third.cursor, second.cursor);
    let all = ExportOptions {
        all: true,
        ..ExportOptions::default()
    };
    let fourth = export(&store, &target, &SetClock::at(500), &all, &mut |_| {})
        .await
        .unwrap();
    assert_eq!((fourth.since, fourth.walked, fourth.present), (None, 2, 2));
    assert_eq!(target.kept().ends.len(), 4);
}

#[tokio::test]
async fn a_change_dated_before_the_cursor_is_caught_by_the_overlap() {
    let (store, target) = (MemoryStore::new(), MemoryTarget::default());
    put(&store, "ahead", "{}", 1_000).await;
    put(&store, "now", "{}", 99).await;
    let run = run_at(&store, &target, 100).await;
    assert_eq!(
        run.cursor,
        Some(minute(100)),
        "not beyond the run's begin, whatever a writer's clock says"
    );
    put(&store, "late", "{}", 86).await;
    run_at(&store, &target, 110).await;
    assert_eq!(target.row("late").head.revision, 1);
}

#[tokio::test]
async fn the_cursor_never_goes_back() {
    let (store, target) = (MemoryStore::new(), MemoryTarget::default());
    put(&store, "a", "{}", 60).await;
    run_at(&store, &target, 100).await;
    for n in 0..250 {
        put(&store, &format!("late-{n}"), "{}", 46).await;
    }
    // The second batch of the second run, which has not got to the cursor yet.
    target.kept().breaks_at = Some(2);
    let broken = export(
        &store,
        &target,
        &SetClock::at(110),
        &ExportOptions::default(),
        &mut |_| {},
    )
    .await;
    assert!(broken.is_err());
    assert_eq!(target.kept().rows.len(), 201);
    assert_eq!(target.kept().cursor, Some(minute(60)));
    target.kept().breaks_at = None;
    assert_eq!(run_at(&store, &target, 120).await.written, 50);
}

#[tokio::test]
async fn a_delete_leaves_a_tombstone_and_a_new_model_takes_its_place() {
    let (store, target) = (MemoryStore::new(), MemoryTarget::default());
    put(&store, "a", "{}", 0).await;
    run_at(&store, &target, 1).await;
    delete(&store, "a", 2).await;
    let run = run_at(&store, &target, 3).await;
    assert_eq!((run.written, run.tombstones), (1, 1));
    let row = target.row("a");
    assert_eq!((row.head.deleted, row.head.revision, row.text), (true, 2, None));
    put(&store, "a", "{\"again\":true}", 4).await;
    run_at(&store, &target, 5).await;
    let row = target.row("a");
    assert_eq!((row.head.deleted, row.head.revision), (false, 3));
    assert_eq!(row.text.as_deref(), Some("{\"again\":true}"));
}

#[tokio::test]
async fn batches_are_bounded_in_models_and_bytes() {
    let (store, target) = (MemoryStore::new(), MemoryTarget::default());
    for n in 0..450 {
        put(&store, &format!("small-{n}"), "{}", 0).await;
    }
    let large = "x".repeat(3 << 20);
    for n in 0..5 {
        put(&store, &format!("large-{n}"), &large, 1).await;
    }
    put(&store, "huge", &"x".repeat(9 << 20), 2).await;
    put(&store, "last", "{}", 3).await;
    let mut heard = Vec::new();
    let target_seen = target.clone();
    let run = export(
        &store,
        &target,
        &SetClock::at(9),
        &ExportOptions::default(),
        &mut |run| {
            heard.push((run.walked, run.written));
            assert_eq!(
                run.written as usize,
                target_seen.kept().rows.len(),
                "what is told is committed"
            );
        },
    )
    .await
    .unwrap();
    assert_eq!(run.written, 457);
    let batches: Vec<_> = target.kept().batches.iter().map(|batch| batch.0).collect();
    assert_eq!(batches, [200, 200, 52, 2, 1, 1, 1]);
    let bytes = target.kept().batches.iter().map(|batch| batch.1).max();
    assert_eq!(bytes, Some(9 << 20), "only what is too large by itself");
    assert_eq!(heard.last(), Some(&(457, 457)));
}

#[tokio::test]
async fn a_broken_run_is_recorded_and_the_next_one_completes() {
    let (store, target) = (MemoryStore::new(), MemoryTarget::default());
    for n in 0..500 {
        put(&store, &format!("m-{n:03}"), "{}", n).await;
    }
    target.kept().breaks_at = Some(1);
    let broken = export(
        &store,
        &target,
        &SetClock::at(900),
        &ExportOptions::default(),
        &mut |_| {},
    )
    .await;
    assert!(
        matches!(broken, Err(ExportError::Target(TargetError::Unavailable(_)))),
        "{broken:?}"
    );
    assert_eq!(target.kept().rows.len(), 200, "the first batch stays");
    let (run, error) = target.kept().ends[0].clone();
    assert_eq!((run.finished, run.cursor), (false, Some(minute(199))));
    assert_eq!(error.as_deref(), Some("the connection broke"));

    target.kept().breaks_at = None;
    let next = run_at(&store, &target, 1_000).await;
    assert_eq!(next.since, Some(minute(184)));
    assert_eq!((next.written, next.present), (300, 16));
    assert_eq!(target.kept().rows.len(), 500);
}

#[tokio::test]
async fn a_run_stops_before_its_deadline_and_the_next_one_goes_on() {
    let (store, target) = (MemoryStore::new(), MemoryTarget::default());
    for n in 0..1_000 {
        put(&store, &format!("m-{n:03}"), "{}", n).await;
    }
    // Each look at the clock is a second; the run stops a minute before its deadline.
    let options = |minutes| ExportOptions {
        deadline: Some(minute(minutes)),
        all: false,
    };
    let clock = SetClock::going(2_000, 1_000);
    let first = export(&store, &target, &clock, &options(2_002), &mut |_| {})
        .await
        .unwrap();
    assert!(
        !first.finished && first.written > 0 && first.written < 1_000,
        "{first:?}"
    );
    assert!(clock.now() < minute(2_002), "before the deadline");
    assert_eq!(first.written as usize, target.kept().rows.len());
    assert_eq!(first.cursor, Some(minute(first.written - 1)));
    let next = run_at(&store, &target, 3_000).await;
    assert_eq!(next.since, Some(minute(first.written - 16)));
    assert!(next.finished);
    assert_eq!(target.kept().rows.len(), 1_000);

    put(&store, "new", "{}", 3_001).await;
    let none = export(&store, &target, &SetClock::at(3_002), &options(3_003), &mut |_| {}).await;
    assert!(matches!(none, Err(ExportError::NoProgress)), "{none:?}");
    let (run, error) = target.kept().ends.last().cloned().unwrap();
    assert_eq!(run.cursor, next.cursor);
    assert!(error.is_some_and(|error| error.contains("60 s before its deadline")));
}

#[tokio::test]
async fn two_runs_at_once_are_refused() {
    let (store, target) = (MemoryStore::new(), MemoryTarget::default());
    let first = target.begin(minute(0)).await.unwrap();
    let second = export(
        &store,
        &target,
        &SetClock::at(0),
        &ExportOptions::default(),
        &mut |_| {},
    )
    .await;
    assert!(
        matches!(second, Err(ExportError::Target(TargetError::Busy(_)))),
        "{second:?}"
    );
    drop(first);
    run_at(&store, &target, 1).await;
}

#[tokio::test]
async fn a_document_that_cannot_be_held_keeps_no_other_out() {
    let (store, target) = (MemoryStore::new(), MemoryTarget::default());
    for (n, text) in ["{}", "not for this target", "{\"x\":1}"].into_iter().enumerate() {
        put(&store, &format!("m-{n}"), text, n as u64).await;
    }
    let run = run_at(&store, &target, 9).await;
    assert_eq!((run.written, run.without_document.count), (3, 1));
    assert_eq!(run.without_document.first, ["default/m-1: refused"]);
    assert!(!run.is_whole());
}

#[tokio::test]
async fn a_target_that_is_ahead_is_named_and_left_as_it_is() {
    let (old, target) = (MemoryStore::new(), MemoryTarget::default());
    put(&old, "a", "{\"x\":1}", 0).await;
    put(&old, "a", "{\"x\":2}", 1).await;
    run_at(&old, &target, 2).await;
    let fresh = MemoryStore::new();
    put(&fresh, "a", "{\"x\":3}", 3).await;
    let run = run_at(&fresh, &target, 4).await;
    assert_eq!((run.written, run.ahead.count), (0, 1));
    assert_eq!(run.ahead.first, ["default/a: revision 1 in the store, 2 in the target"]);
    assert_eq!(target.row("a").head.revision, 2);
}

/// What a store does between the moment it lists a model and the moment its text is asked for.
#[derive(Debug, Clone, Copy)]
enum Meanwhile {
    Write,
    Delete,
    DeleteAndWrite,
    Lose,
    LoseHead,
}

/// A store in which something happens to model `m-1` before its text is given.
#[derive(Debug)]
struct Restless {
    store: MemoryStore,
    meanwhile: Mutex<Option<Meanwhile>>,
}

#[async_trait]
impl ModelStore for Restless {
    async fn get(&self, w: &Workspace, id: &ModelId, r: Option<Revision>) -> Result<Option<Stored>, StoreError> {
        if id.as_str() == "m-1" {
            let meanwhile = self.meanwhile.lock().unwrap().take();
            match meanwhile {
                None => {}
                Some(Meanwhile::Write) => {
                    put(&self.store, "m-1", "{\"newer\":1}", 50).await;
                }
                Some(Meanwhile::Delete) => delete(&self.store, "m-1", 50).await,
                Some(Meanwhile::DeleteAndWrite) => {
                    delete(&self.store, "m-1", 50).await;
                    let gone = self.store.get(w, id, r).await;
                    put(&self.store, "m-1", "{\"newer\":1}", 51).await;
                    return gone;
                }
                Some(Meanwhile::Lose | Meanwhile::LoseHead) => {
                    return Err(StoreError::Damaged("its text is gone".into()));
                }
            }
        }
        self.store.get(w, id, r).await
    }

    async fn put(&self, put: Put) -> Result<PutOutcome, StoreError> {
        self.store.put(put).await
    }

    async fn delete(
        &self,
        workspace: &Workspace,
        id: &ModelId,
        expected: Expected,
        write: WriteId,
        at: Timestamp,
    ) -> Result<Deleted, StoreError> {
        self.store.delete(workspace, id, expected, write, at).await
    }

    async fn head(&self, workspace: &Workspace, id: &ModelId) -> Result<Option<Head>, StoreError> {
        self.store.head(workspace, id).await
    }

    async fn latest(&self, workspace: &Workspace) -> Result<Option<Stored>, StoreError> {
        self.store.latest(workspace).await
    }

    async fn list(
        &self,
        workspace: &Workspace,
        after: Option<&ModelId>,
        limit: usize,
    ) -> Result<Page<Head, ModelId>, StoreError> {
        self.store.list(workspace, after, limit).await
    }

    async fn revisions(
        &self,
        workspace: &Workspace,
        id: &ModelId,
        before: Option<Revision>,
        limit: usize,
    ) -> Result<Page<Head, Revision>, StoreError> {
        self.store.revisions(workspace, id, before, limit).await
    }

    async fn changed_since(
        &self,
        since: Timestamp,
        after: Option<&ChangeCursor>,
        limit: usize,
    ) -> Result<Page<Change, ChangeCursor>, StoreError> {
        let mut page = self.store.changed_since(since, after, limit).await?;
        if let Some(Meanwhile::LoseHead) = *self.meanwhile.lock().unwrap() {
            page.items[1].head = Err("its head is gone".into());
        }
        Ok(page)
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.store.ping().await
    }
}

/// What is exported of `m-1`: revision, whether deleted, text.
async fn exported_meanwhile(meanwhile: Meanwhile) -> (ExportRun, Option<Row>) {
    let store = MemoryStore::new();
    for n in 0..3 {
        put(&store, &format!("m-{n}"), "{\"old\":1}", 0).await;
    }
    let store = Restless {
        store,
        meanwhile: Mutex::new(Some(meanwhile)),
    };
    let target = MemoryTarget::default();
    let run = run_at(&store, &target, 60).await;
    assert_eq!(target.row("m-0").text.as_deref(), Some("{\"old\":1}"));
    assert_eq!(target.row("m-2").text.as_deref(), Some("{\"old\":1}"));
    let row = target.kept().rows.get(&key("m-1")).cloned();
    (run, row)
}

#[tokio::test]
async fn a_model_that_changes_during_the_walk_is_exported_as_it_stands() {
    let (_, row) = exported_meanwhile(Meanwhile::Write).await;
    let row = row.unwrap();
    assert_eq!((row.head.revision, row.text.as_deref()), (2, Some("{\"newer\":1}")));
    let (_, row) = exported_meanwhile(Meanwhile::Delete).await;
    let row = row.unwrap();
    assert_eq!((row.head.revision, row.head.deleted, row.text), (2, true, None));
    let (_, row) = exported_meanwhile(Meanwhile::DeleteAndWrite).await;
    let row = row.unwrap();
    assert_eq!((row.head.revision, row.text.as_deref()), (3, Some("{\"newer\":1}")));
}

#[tokio::test]
async fn a_model_that_the_store_has_lost_is_named_and_keeps_no_other_out() {
    let (run, row) = exported_meanwhile(Meanwhile::Lose).await;
    assert_eq!(row, None);
    assert_eq!(run.unreadable.first, ["default/m-1: its text is gone"]);
    assert!(run.finished && !run.is_whole());
    let (run, row) = exported_meanwhile(Meanwhile::LoseHead).await;
    assert_eq!(row, None);
    assert_eq!(run.unreadable.first, ["default/m-1: its head is gone"]);
    assert!(run.finished && !run.is_whole());
}
