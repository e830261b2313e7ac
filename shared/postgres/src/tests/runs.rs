//! Runs: what they take, and what is left when they end early.

use super::*;
use async_trait::async_trait;
use meadow_service::export::{ExportTarget, Row, TargetError};
use meadow_service::ports::ChangeCursor;
use meadow_service::{Change, Head, Page, Revision, StoreError, Stored};
use std::sync::{Mutex, Weak};

#[tokio::test]
async fn a_run_takes_what_changed_and_a_rerun_is_harmless() {
    let Some(database) = database().await else { return };
    let store = store_of(450).await;
    let first = database.export(&store).await;
    assert_eq!(
        (first.since, first.walked, first.written, first.finished),
        (None, 450, 450, true)
    );
    let before: String = database.one("select max(exported_at)::text from meadow.models").await;
    let again = database.export(&store).await;
    assert_eq!(
        (again.walked, again.written, again.present),
        (450, 0, 450),
        "all within the overlap"
    );
    assert!(again.since.is_some() && again.cursor == first.cursor);
    assert_eq!(
        database
            .one::<String>("select max(exported_at)::text from meadow.models")
            .await,
        before
    );
    put(&store, "default", "m-0007", "{\"n\":\"seven\"}").await;
    let third = database.export(&store).await;
    assert_eq!(third.written, 1);
    let seven = "select document ->> 'n' = 'seven' and revision = 2 from meadow.models where id = 'm-0007'";
    assert!(database.one::<bool>(seven).await);
    let recorded = "select string_agg(walked || ' ' || written || ' ' || present, ', ' order by id) from meadow.exports \
        where ended_at >= started_at and finished and error is null";
    assert_eq!(
        database.one::<String>(recorded).await,
        "450 450 0, 450 0 450, 450 1 449"
    );
}

/// A revision of model `tub`.
fn revision(revision: Revision) -> Row {
    let text = format!("{{\"n\":{revision}}}");
    let source = Source::new(text.as_str(), "tub", true);
    Row {
        workspace: Workspace::default(),
        head: Head {
            id: ModelId::new("tub").unwrap(),
            revision,
            name: source.name.clone(),
            complete: true,
            deleted: false,
            size: text.len() as u64,
            sha256: source.sha256,
            updated_at: Timestamp(1_796_000_000_123),
        },
        text: Some(source.text),
    }
}

#[tokio::test]
async fn an_older_revision_that_arrives_later_changes_nothing() {
    let Some(database) = database().await else { return };
    let mut run = database.target().begin(SystemClock.now()).await.unwrap();
    for (sent, written) in [(5, 1), (3, 0), (5, 0), (6, 1), (1, 0)] {
        let committed = run.commit(&[revision(sent)], None).await.unwrap();
        assert_eq!(committed.written, written, "revision {sent}");
    }
    let row = "select revision = 6 and document = '{\"n\": 6}' and complete \
        and updated_at = to_timestamp(1796000000.123) from meadow.models";
    assert!(database.one::<bool>(row).await);
    // A delete that arrives after the model was made again.
    let mut tombstone = revision(5);
    tombstone.text = None;
    tombstone.head.deleted = true;
    assert_eq!(run.commit(&[tombstone], None).await.unwrap().written, 0);
    assert!(database.one::<bool>(row).await);
}

#[tokio::test]
async fn of_two_runs_at_once_the_second_ends_at_once() {
    let Some(database) = database().await else { return };
    let store = store_of(3).await;
    let first = database.target().begin(SystemClock.now()).await.unwrap();
    match exported(&store, &database.target()).await {
        Err(ExportError::Target(TargetError::Busy(said))) => assert!(said.contains("another export into"), "{said}"),
        other => panic!("{other:?}"),
    }
    assert_eq!(database.one::<i64>("select count(*) from meadow.models").await, 0);
    drop(first);
    until_unlocked(&database).await;
    assert_eq!(database.export(&store).await.written, 3);
}

/// Waits for the server to notice that a run's connection is closed.
async fn until_unlocked(database: &Database) {
    let held = "select count(*) from pg_locks join pg_database d on d.oid = database \
        where locktype = 'advisory' and datname = current_database()";
    while database.one::<i64>(held).await > 0 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_run_that_is_killed_between_batches_is_told_and_the_next_one_completes() {
    let Some(database) = database().await else { return };
    let store = store_of(3).await;
    let mut run = database.target().begin(SystemClock.now()).await.unwrap();
    let reached = Timestamp(1_796_000_000_000);
    run.commit(&[revision(1)], Some(reached)).await.unwrap();
    drop(run);
    until_unlocked(&database).await;
    assert_eq!(
        database
            .one::<i64>("select count(*) from meadow.exports where ended_at is null")
            .await,
        1
    );
    let next = database.export(&store).await;
    let quarter = 15 * 60_000;
    assert_eq!(
        next.since,
        Some(Timestamp(reached.0 - quarter)),
        "the cursor was committed with the batch"
    );
    let told = "select error = 'killed, or cut off from the database' and written = 1 and ended_at is not null \
        from meadow.exports order by id limit 1";
    assert!(database.one::<bool>(told).await);
}

/// A store of memory during whose walk something happens when the text of one model is asked for.
#[derive(Debug)]
struct Interrupted {
    store: MemoryStore,
    at: ModelId,
    url: String,
}

#[async_trait]
impl ModelStore for Interrupted {
    async fn get(&self, w: &Workspace, id: &ModelId, r: Option<Revision>) -> Result<Option<Stored>, StoreError> {
        if *id == self.at {
            let client = connect(&Config::from_url(&self.url, None).unwrap()).await.unwrap();
            let end = "select pg_terminate_backend(pid, 10000) from pg_stat_activity \
                where datname = current_database() and application_name = 'meadow' and pid <> pg_backend_pid()";
            client.query(end, &[]).await.unwrap();
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
        self.store.changed_since(since, after, limit).await
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.store.ping().await
    }
}

#[tokio::test]
async fn a_run_whose_connections_die_is_recorded_and_the_next_one_completes() {
    let Some(database) = database().await else { return };
    let store = Interrupted {
        store: store_of(700).await,
        at: ModelId::new("m-0450").unwrap(),
        url: database.url(),
    };
    // The database's own client would be ended, too.
    database.run("set application_name = 'test'").await;
    let broken = exported(&store, &database.target()).await.unwrap_err();
    assert!(
        matches!(broken, ExportError::Target(TargetError::Unavailable(_))),
        "{broken:?}"
    );
    let left: i64 = database.one("select count(*) from meadow.models").await;
    assert_eq!(left, 400, "two batches were committed");
    let recorded: String = database
        .one("select error from meadow.exports where ended_at is not null")
        .await;
    assert_eq!(recorded, broken.to_string());
    let next = database.export(&store.store).await;
    assert_eq!((next.written, next.present, next.finished), (300, 400, true));
    assert_eq!(database.one::<i64>("select count(*) from meadow.models").await, 700);
}

#[tokio::test]
async fn a_deadline_that_is_near_is_recorded() {
    let Some(database) = database().await else { return };
    let store = store_of(1).await;
    let now = SystemClock.now();
    let options = ExportOptions {
        deadline: Some(Timestamp(now.0 + 60_000)),
        all: false,
    };
    let none = export(&store, &database.target(), &Standing(now), &options, &mut |_| {}).await;
    assert!(matches!(none, Err(ExportError::NoProgress)), "{none:?}");
    let error: String = database
        .one("select error from meadow.exports where not finished")
        .await;
    assert!(error.contains("without any progress"), "{error}");
    assert_eq!(database.export(&store).await.written, 1);
}

/// Models that are made when they are asked for, and a count of the bytes of text that anybody still holds.
#[derive(Debug)]
struct Endless {
    models: u64,
    size: usize,
    given: Mutex<(Vec<Weak<str>>, usize)>,
}

impl Endless {
    fn head(&self, n: u64) -> Head {
        Head {
            id: ModelId::from_stored(format!("m-{n:06}")),
            revision: 1,
            name: String::new(),
            complete: false,
            deleted: false,
            size: self.size as u64,
            sha256: [7; 32],
            updated_at: Timestamp(1_796_000_000_000 + n),
        }
    }
}

#[async_trait]
impl ModelStore for Endless {
    async fn changed_since(
        &self,
        _: Timestamp,
        after: Option<&ChangeCursor>,
        limit: usize,
    ) -> Result<Page<Change, ChangeCursor>, StoreError> {
        let first = after.map_or(0, |after| after.at.0 - 1_796_000_000_000 + 1);
        let end = self.models.min(first + limit as u64);
        let change = |n| Change {
            workspace: Workspace::default(),
            id: self.head(n).id,
            head: Ok(self.head(n)),
        };
        Ok(Page {
            items: (first..end).map(change).collect(),
            next: (end < self.models).then(|| ChangeCursor {
                at: self.head(end - 1).updated_at,
                workspace: Workspace::default(),
                id: self.head(end - 1).id,
            }),
        })
    }

    async fn get(&self, _: &Workspace, id: &ModelId, _: Option<Revision>) -> Result<Option<Stored>, StoreError> {
        let n = id.as_str()[2..].parse().unwrap();
        let text: Arc<str> = format!("{{\"n\":{n},\"pad\":\"{}\"}}", "x".repeat(self.size)).into();
        let mut given = self.given.lock().unwrap();
        given.0.retain(|text| text.strong_count() > 0);
        given.0.push(Arc::downgrade(&text));
        let held = given.0.iter().filter_map(Weak::upgrade).map(|text| text.len()).sum();
        given.1 = given.1.max(held);
        Ok(Some(Stored {
            head: self.head(n),
            text,
        }))
    }

    async fn put(&self, _: Put) -> Result<PutOutcome, StoreError> {
        Err(StoreError::ReadOnly(String::new()))
    }

    async fn delete(
        &self,
        _: &Workspace,
        _: &ModelId,
        _: Expected,
        _: WriteId,
        _: Timestamp,
    ) -> Result<Deleted, StoreError> {
        Err(StoreError::ReadOnly(String::new()))
    }

    async fn head(&self, _: &Workspace, _: &ModelId) -> Result<Option<Head>, StoreError> {
        Ok(None)
    }

    async fn latest(&self, _: &Workspace) -> Result<Option<Stored>, StoreError> {
        Ok(None)
    }

    async fn list(&self, _: &Workspace, _: Option<&ModelId>, _: usize) -> Result<Page<Head, ModelId>, StoreError> {
        Err(StoreError::ReadOnly(String::new()))
    }

    async fn revisions(
        &self,
        _: &Workspace,
        _: &ModelId,
        _: Option<Revision>,
        _: usize,
    ) -> Result<Page<Head, Revision>, StoreError> {
        Err(StoreError::ReadOnly(String::new()))
    }

    async fn ping(&self) -> Result<(), StoreError> {
        Ok(())
    }
}

#[tokio::test]
async fn ten_thousand_models_are_copied_in_bounded_memory() {
    let Some(database) = database().await else { return };
    let endless = |models, size| Endless {
        models,
        size,
        given: Mutex::default(),
    };
    let store = endless(10_000, 4_000);
    let mut told = Vec::new();
    let mut tell = |run: &ExportRun| told.push(run.written);
    let run = export(
        &store,
        &database.target(),
        &SystemClock,
        &ExportOptions::default(),
        &mut tell,
    )
    .await;
    assert_eq!(run.unwrap().written, 10_000);
    assert!(told.len() >= 50 && told.is_sorted(), "{told:?}");
    assert_eq!(
        database
            .one::<i64>("select count(*) from meadow.models where document ->> 'n' is not null")
            .await,
        10_000
    );
    let held = store.given.lock().unwrap().1;
    assert!(held <= 208 * 4_100, "{held} bytes of text were held at once");

    database.run("truncate meadow.models, meadow.exports").await;
    let large = endless(24, 4 << 20);
    assert_eq!(database.export(&large).await.written, 24);
    let held = large.given.lock().unwrap().1;
    assert!(
        held <= (8 << 20) + 8 * ((4 << 20) + 100),
        "{held} bytes of text were held at once"
    );
}

#[tokio::test]
async fn a_run_that_waits_for_a_lock_gives_up_in_time() {
    let Some(database) = database().await else { return };
    let store = store_of(1).await;
    database.export(&store).await;
    put(&store, "default", "m-0000", "{\"n\":\"new\"}").await;
    database.run("begin; lock table meadow.models in share mode").await;
    let mut run = database.target().begin(SystemClock.now()).await.unwrap();
    tokio::time::pause();
    let refused = run.commit(&[revision(1)], None).await;
    tokio::time::resume();
    match refused {
        Err(TargetError::Unavailable(said)) => assert!(said.contains("did not answer within 40 s"), "{said}"),
        other => panic!("{other:?}"),
    }
    // At once, though what was given up still waits on its connection.
    run.end(&ExportRun::default(), Some("gave up")).await.unwrap();
    let why = "select error from meadow.exports order by id desc limit 1";
    assert_eq!(database.one::<String>(why).await, "gave up");
    database.run("commit").await;
    until_unlocked(&database).await;
    assert_eq!(database.export(&store).await.written, 1);
    assert_eq!(
        database.one::<i64>("select count(*) from meadow.models").await,
        1,
        "what was given up is not there"
    );
}
