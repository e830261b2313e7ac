//! Copies of models elsewhere: the port to such a place, and the walk that brings it up to date.
//!
//! The walk follows [`ModelStore::changed_since`] and commits batch by batch, so that a run may end anywhere: what it
//! committed stays, and the next one goes on from the cursor that was committed with it.

use crate::clock::{Clock, Timestamp};
use crate::ids::{Revision, Workspace};
use crate::ports::{Change, ChangeCursor, Head, ModelStore, StoreError};
use async_trait::async_trait;
use futures_util::future::try_join_all;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Models in a batch, at most.
pub const MAX_BATCH: usize = 200;

/// Bytes of text in a batch, at most; a text that is larger by itself makes a batch of its own.
pub const MAX_BATCH_BYTES: usize = 8 << 20;

/// How long before its deadline a run stops, so that what is under way can be committed and the run's end recorded.
pub const STOP_BEFORE: Duration = Duration::from_secs(60);

/// How far before the last cursor a walk begins: clocks of writers differ, and a change is dated before its commit.
pub const OVERLAP: Duration = Duration::from_secs(15 * 60);

/// Changes that are asked for at once.
const PAGE: usize = 200;

/// Texts that are fetched at once. With 4 MiB each they are four times a batch.
const FETCHED: usize = 8;

/// How often a model is looked at that is deleted and made again all the time.
const LOOKS: usize = 5;

/// Something that is to be known of each of many models: how many there are, and the first of them by name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Named {
    /// How many.
    pub count: u64,
    /// The first [`Named::MAX`] of them, `workspace/model: why`.
    pub first: Vec<String>,
}

impl Named {
    /// How many are named.
    pub const MAX: usize = 1_000;

    /// Counts one, and names it while there is room.
    pub fn add(&mut self, workspace: impl fmt::Display, id: impl fmt::Display, why: impl fmt::Display) {
        self.count += 1;
        if self.first.len() < Self::MAX {
            self.first.push(format!("{workspace}/{id}: {why}"));
        }
    }
}

/// A model as it stands, to be copied. Without text it is a tombstone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Whose model.
    pub workspace: Workspace,
    /// What is known of it.
    pub head: Head,
    /// The exact text.
    pub text: Option<Arc<str>>,
}

/// What a batch did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Committed {
    /// Rows that were new, or newer than what was there.
    pub written: u64,
    /// Rows whose document the target cannot hold, by their place in the batch, and why. Their text is kept.
    pub without_document: Vec<(usize, String)>,
}

/// A target that could not do its work. Nothing of the batch was committed.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    /// Another run is at work.
    #[error("{0}")]
    Busy(String),
    /// It cannot be reached, or did not answer in time; trying again may help.
    #[error("{0}")]
    Unavailable(String),
    /// It refuses; somebody has to repair it.
    #[error("{0}")]
    Failed(String),
}

/// Where copies of models are kept.
#[async_trait]
pub trait ExportTarget: Send + Sync + fmt::Debug {
    /// Begins a run. No other run can begin until this one ends, its process dies, or it is dropped; the other gets
    /// [`TargetError::Busy`] at once.
    async fn begin(&self, started: Timestamp) -> Result<Box<dyn TargetRun>, TargetError>;
}

/// A run under way in an [`ExportTarget`].
#[async_trait]
pub trait TargetRun: Send {
    /// The cursor that was committed last, by whichever run.
    fn cursor(&self) -> Option<Timestamp>;

    /// Which revision of each of these models is there, tombstones included.
    async fn held(&mut self, models: &[Change]) -> Result<Vec<Option<Revision>>, TargetError>;

    /// Commits a batch together with the cursor. A row is written only over an older revision; no model is twice in
    /// a batch. A document that cannot be held does not keep the others out.
    async fn commit(&mut self, rows: &[Row], cursor: Option<Timestamp>) -> Result<Committed, TargetError>;

    /// Records how the run ended.
    async fn end(self: Box<Self>, run: &ExportRun, error: Option<&str>) -> Result<(), TargetError>;
}

/// How a run is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ExportOptions {
    /// When whoever waits gives up; the run stops [`STOP_BEFORE`] it.
    pub deadline: Option<Timestamp>,
    /// Walk all models, not only those that changed since the last run.
    pub all: bool,
}

/// What a run did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ExportRun {
    /// When it began.
    pub started: Timestamp,
    /// When it ended.
    pub ended: Option<Timestamp>,
    /// From which change on it walked; none: all models.
    pub since: Option<Timestamp>,
    /// Everything that changed [`OVERLAP`] before this or earlier has been copied; the next run begins there.
    pub cursor: Option<Timestamp>,
    /// Whether the walk got to the newest change.
    pub finished: bool,
    /// Models that were walked.
    pub walked: u64,
    /// Rows that were written, tombstones included.
    pub written: u64,
    /// Tombstones among the rows that were sent.
    pub tombstones: u64,
    /// Models that were there already as they stand.
    pub present: u64,
    /// Models whose text is there, but no document.
    pub without_document: Named,
    /// Models of which the target has a newer revision than the store, and keeps it: it was filled from another
    /// store, or from this one before it was restored.
    pub ahead: Named,
    /// Models that the store could not give, because what it keeps is damaged.
    pub unreadable: Named,
}

impl ExportRun {
    /// Whether every model that was walked stands in the target as it stands in the store.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.without_document.count == 0 && self.ahead.count == 0 && self.unreadable.count == 0
    }
}

/// Why a run failed. What it committed before stays.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The target failed.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// The deadline was too near for anything to be done.
    #[error(
        "the run stopped {} s before its deadline without any progress; give it more time than that",
        STOP_BEFORE.as_secs()
    )]
    NoProgress,
}

/// Copies every model that changed since the last run. `progress` hears of each page and batch.
///
/// # Errors
/// See [`ExportError`]. The failure is recorded in the target, where it can be reached.
pub async fn export(
    store: &dyn ModelStore,
    target: &dyn ExportTarget,
    clock: &dyn Clock,
    options: &ExportOptions,
    progress: &mut (dyn FnMut(&ExportRun) + Send),
) -> Result<ExportRun, ExportError> {
    let started = clock.now();
    let target = target.begin(started).await?;
    let before = target.cursor();
    let run = ExportRun {
        started,
        since: before.filter(|_| !options.all).map(|cursor| earlier(cursor, OVERLAP)),
        cursor: before,
        ..ExportRun::default()
    };
    let stop = options.deadline.map(|deadline| earlier(deadline, STOP_BEFORE));
    let mut walk = Walk {
        store,
        clock,
        stop,
        target,
        run,
        reached: before,
        batch: Vec::new(),
        bytes: 0,
        progress,
    };
    let walked = walk.walk().await;
    let Walk { target, mut run, .. } = walk;
    run.ended = Some(clock.now());
    let advanced = run.finished || run.written > 0 || run.cursor > before;
    match walked {
        Ok(()) if advanced => {
            target.end(&run, None).await?;
            Ok(run)
        }
        walked => {
            let error = walked.err().unwrap_or(ExportError::NoProgress);
            // The reason of the failure matters more than that it could not be recorded; the next run closes the record.
            let _ = target.end(&run, Some(&error.to_string())).await;
            Err(error)
        }
    }
}

fn earlier(time: Timestamp, by: Duration) -> Timestamp {
    let millis = u64::try_from(by.as_millis()).unwrap_or(u64::MAX);
    Timestamp(time.0.saturating_sub(millis))
}

/// A run on its way through the changes.
struct Walk<'a> {
    store: &'a dyn ModelStore,
    clock: &'a dyn Clock,
    stop: Option<Timestamp>,
    target: Box<dyn TargetRun>,
    run: ExportRun,
    /// The cursor once the batch is committed.
    reached: Option<Timestamp>,
    batch: Vec<Row>,
    bytes: usize,
    progress: &'a mut (dyn FnMut(&ExportRun) + Send),
}

/// What a change comes to.
enum Found {
    /// The target has it.
    Present,
    /// The store has the first revision, the target the second, which is newer.
    Ahead(Revision, Revision),
    /// The store cannot give it.
    Unreadable(String),
    /// It is to be copied.
    Row(Row),
}

impl Walk<'_> {
    async fn walk(&mut self) -> Result<(), ExportError> {
        let since = self.run.since.unwrap_or_default();
        let mut after: Option<ChangeCursor> = None;
        loop {
            if self.out_of_time() {
                break;
            }
            let page = self.store.changed_since(since, after.as_ref(), PAGE).await?;
            if !self.page(&page.items).await? {
                break;
            }
            (self.progress)(&self.run);
            after = page.next;
            if after.is_none() {
                self.run.finished = true;
                break;
            }
        }
        self.commit().await
    }

    /// Takes a page of changes in; false where the time ran out before its end.
    async fn page(&mut self, changes: &[Change]) -> Result<bool, ExportError> {
        let held = self.target.held(changes).await?;
        let known: Vec<_> = changes.iter().zip(held).collect();
        for some in known.chunks(FETCHED) {
            if self.out_of_time() {
                return Ok(false);
            }
            let found = try_join_all(some.iter().map(|(change, held)| find(self.store, change, *held))).await?;
            for ((change, _), found) in some.iter().zip(found) {
                self.take(change, found).await?;
            }
        }
        Ok(true)
    }

    async fn take(&mut self, change: &Change, found: Found) -> Result<(), ExportError> {
        let Change { workspace, id, head } = change;
        match found {
            Found::Present => self.run.present += 1,
            Found::Ahead(ours, held) => self.run.ahead.add(
                workspace,
                id,
                format_args!("revision {ours} in the store, {held} in the target"),
            ),
            Found::Unreadable(why) => self.run.unreadable.add(workspace, id, why),
            Found::Row(row) => self.push(row).await?,
        }
        self.run.walked += 1;
        // Not beyond the run's begin: a writer's clock may be ahead, and what commits during a walk may be dated before
        // the place where the walk has got to. Never back, so that runs that fail do not walk ever more.
        let passed = head.as_ref().ok().map(|head| head.updated_at.min(self.run.started));
        self.reached = self.reached.max(passed);
        Ok(())
    }

    async fn push(&mut self, row: Row) -> Result<(), ExportError> {
        let bytes = row.text.as_ref().map_or(0, |text| text.len());
        // A model that changes during the walk comes by again.
        let twice = self
            .batch
            .iter()
            .any(|old| old.head.id == row.head.id && old.workspace == row.workspace);
        if twice || self.batch.len() == MAX_BATCH || self.bytes + bytes > MAX_BATCH_BYTES {
            self.commit().await?;
        }
        self.bytes += bytes;
        self.batch.push(row);
        Ok(())
    }

    async fn commit(&mut self) -> Result<(), ExportError> {
        if self.batch.is_empty() && self.run.cursor == self.reached {
            return Ok(());
        }
        let committed = self.target.commit(&self.batch, self.reached).await?;
        self.run.cursor = self.reached;
        self.run.written += committed.written;
        self.run.tombstones += self.batch.iter().filter(|row| row.head.deleted).count() as u64;
        for (place, why) in committed.without_document {
            if let Some(row) = self.batch.get(place) {
                self.run.without_document.add(&row.workspace, &row.head.id, why);
            }
        }
        self.batch.clear();
        self.bytes = 0;
        (self.progress)(&self.run);
        Ok(())
    }

    fn out_of_time(&self) -> bool {
        self.stop.is_some_and(|stop| self.clock.now() >= stop)
    }
}

/// What is to be done about a change, of which the target has the revision `held`.
async fn find(store: &dyn ModelStore, change: &Change, held: Option<Revision>) -> Result<Found, StoreError> {
    match look(store, change, held).await {
        // One bad model keeps no other out.
        Err(StoreError::Damaged(why)) => Ok(Found::Unreadable(why)),
        found => found,
    }
}

/// The same of a model that the store can give. It may have changed again.
async fn look(store: &dyn ModelStore, change: &Change, held: Option<Revision>) -> Result<Found, StoreError> {
    let Change { workspace, id, head } = change;
    let mut head = head.clone().map_err(StoreError::Damaged)?;
    if held.is_some_and(|held| held > head.revision) {
        // Newer than the list, not yet than the store.
        head = store.head(workspace, id).await?.unwrap_or(head);
    }
    match held {
        Some(held) if held == head.revision => return Ok(Found::Present),
        Some(held) if held > head.revision => return Ok(Found::Ahead(head.revision, held)),
        _ => {}
    }
    for _ in 0..LOOKS {
        if head.deleted {
            return Ok(Found::Row(row(workspace, head, None)));
        }
        if let Some(stored) = store.get(workspace, id, None).await? {
            return Ok(Found::Row(row(workspace, stored.head, Some(stored.text))));
        }
        match store.head(workspace, id).await? {
            Some(now) => head = now,
            None => break,
        }
    }
    Ok(Found::Unreadable("the store lists it, but has no text of it".into()))
}

fn row(workspace: &Workspace, head: Head, text: Option<Arc<str>>) -> Row {
    Row {
        workspace: workspace.clone(),
        head,
        text,
    }
}

#[cfg(test)]
mod tests;
