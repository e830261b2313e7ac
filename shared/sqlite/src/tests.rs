//! The store against a real file.

use crate::SqliteStore;
use meadow_service::{ModelStore, contract};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

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
