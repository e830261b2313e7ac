//! The store against real files, processes and disks.

mod child;
mod crashes;
mod disks;
mod files;
mod migrations;
mod processes;

use crate::SqliteStore;
use meadow_service::{
    Expected, ModelId, ModelStore, Put, PutOutcome, Source, StoreError, Timestamp, Workspace, WriteId, contract,
};
use std::path::Path;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Waker};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn keeps_the_contract() {
    let folder = tempfile::tempdir().unwrap();
    let number = AtomicU64::new(0);
    let make = || {
        let name = format!("{}.db", number.fetch_add(1, Ordering::SeqCst));
        Arc::new(SqliteStore::open(folder.path().join(name)).unwrap()) as Arc<dyn ModelStore>
    };
    let raced = contract::assert_keeps_the_contract(make, contract::ROUNDS).await;
    println!("sqlite: {raced} raced writes, none lost, torn or older");
    assert!(raced >= 10_000, "{raced} raced writes");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn keeps_the_contract_of_tokens() {
    let folder = tempfile::tempdir().unwrap();
    let number = AtomicU64::new(0);
    let make = || {
        let name = format!("{}.db", number.fetch_add(1, Ordering::SeqCst));
        Arc::new(SqliteStore::open(folder.path().join(name)).unwrap()) as Arc<dyn meadow_service::TokenStore>
    };
    contract::tokens::assert_keeps_the_contract(make, contract::ROUNDS).await;
}

/// Two stores on a new file, as two processes have them.
fn two(folder: &tempfile::TempDir) -> [Arc<SqliteStore>; 2] {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let path = folder
        .path()
        .join(format!("{}.db", NUMBER.fetch_add(1, Ordering::SeqCst)));
    [(); 2].map(|()| Arc::new(SqliteStore::open(&path).unwrap()))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn keeps_the_contract_of_caches() {
    let folder = tempfile::tempdir().unwrap();
    let make = || two(&folder).map(|store| store as Arc<dyn meadow_service::Cache>);
    contract::cache::assert_keeps_the_contract(make, contract::ROUNDS).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn keeps_the_contract_of_turns() {
    let folder = tempfile::tempdir().unwrap();
    let make = || two(&folder).map(|store| store as Arc<dyn meadow_service::Slots>);
    contract::slots::assert_keeps_the_contract(make, contract::ROUNDS).await;
}

#[tokio::test]
async fn a_dropped_store_has_kept_what_it_acknowledged_and_tidied_up() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("meadow.db");
    let store = SqliteStore::open(&path).unwrap();
    for n in 0..40 {
        written(&store, &format!("kept{n}"), "text").await.unwrap();
        // Asked once, so that it is queued, and given up before the answer: may be done or not.
        let mut put = pin!(store.put(a_put(&format!("m{n}"), "text", Expected::Any)));
        let _ = put.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    }
    assert!(text(&store, "m0").await.is_none_or(|text| text == "text"));
    drop(store);
    let left: Vec<_> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(left, ["meadow.db"]);
    let store = SqliteStore::open(&path).unwrap();
    for n in 0..40 {
        assert_eq!(text(&store, &format!("kept{n}")).await.as_deref(), Some("text"));
        assert!(text(&store, &format!("m{n}")).await.is_none_or(|text| text == "text"));
    }
}

#[tokio::test]
async fn two_stores_on_one_file_see_each_others_writes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("meadow.db");
    let (a, b) = (SqliteStore::open(&path).unwrap(), SqliteStore::open(&path).unwrap());
    for n in 0..10 {
        let (writer, reader) = if n % 2 == 0 { (&a, &b) } else { (&b, &a) };
        written(writer, "m", &n.to_string()).await.unwrap();
        assert_eq!(text(reader, "m").await, Some(n.to_string()));
    }
}

/// A put of a new text at some time.
fn a_put(id: &str, text: &str, expected: Expected) -> Put {
    Put {
        workspace: Workspace::default(),
        id: ModelId::new(id).unwrap(),
        source: Arc::new(Source::new(text, id, true)),
        expected,
        write: WriteId::random().unwrap(),
        at: Timestamp(1_764_500_000_000),
    }
}

/// Writes a model whatever stands there; gives its revision.
async fn written(store: &SqliteStore, id: &str, text: &str) -> Result<u64, StoreError> {
    match store.put(a_put(id, text, Expected::Any)).await? {
        PutOutcome::Stored(ack) => Ok(ack.head.revision),
        other => panic!("{id} was not written: {other:?}"),
    }
}

/// The text of a model as it stands.
async fn text(store: &SqliteStore, id: &str) -> Option<String> {
    let stored = store
        .get(&Workspace::default(), &ModelId::new(id).unwrap(), None)
        .await
        .unwrap();
    stored.map(|stored| stored.text.to_string())
}

/// Panics unless SQLite finds the whole file in order.
#[track_caller]
fn in_order(path: &Path) {
    let connection = rusqlite::Connection::open(path).unwrap();
    let found: String = connection
        .pragma_query_value(None, "integrity_check", |row| row.get(0))
        .unwrap();
    assert_eq!(found, "ok");
}
