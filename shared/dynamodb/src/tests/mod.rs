//! The store against a real server that speaks DynamoDB: `MEADOW_DYNAMODB` is its URL. `tests/run tests` starts
//! tests/dynamodb and sets it.

mod contract;
mod crashes;
mod damage;
mod faults;
mod items;
mod shared;
mod wire;

use crate::table::{self, Place};
use crate::{DynamoStore, create_table};
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::Builder;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use meadow_service::{
    Ack, Expected, ModelId, ModelStore, Put, PutOutcome, Source, StoreError, Timestamp, Workspace, WriteId,
};
use std::sync::Arc;
use std::time::Duration;
use wire::ConsistentReads;

/// When a write happens whose time does not matter.
const NOON: Timestamp = Timestamp(1_764_500_000_000);

/// The server of the environment. Without one says that the test is left out.
fn server(variable: &str) -> Option<String> {
    let url = std::env::var(variable).ok().filter(|url| !url.is_empty());
    if url.is_none() {
        println!("left out: {variable} does not name a server that speaks DynamoDB; `tests/run tests` starts one");
    }
    url
}

/// A table of its own on the server.
#[derive(Debug, Clone)]
struct Table(Place);

impl Table {
    async fn new(url: &str) -> Self {
        let WriteId(name) = WriteId::random().expect("randomness");
        let table = Self(Place {
            table: format!("meadow-{name:032x}"),
            endpoint: Some(url.to_owned()),
        });
        create_table(&table.store().await)
            .await
            .expect("the server makes a table");
        table
    }

    /// The store as it is everywhere, but that each read that is not consistent fails, and retries wait for nothing.
    async fn store(&self) -> DynamoStore {
        self.store_with(|config| config).await
    }

    /// The store with a client that is changed.
    async fn store_with(&self, change: impl FnOnce(Builder) -> Builder) -> DynamoStore {
        let quick = RetryConfig::standard()
            .with_max_attempts(3)
            .with_initial_backoff(Duration::from_millis(1));
        let config = table::config(&self.0)
            .await
            .interceptor(ConsistentReads)
            .retry_config(quick);
        DynamoStore::new(Client::from_conf(change(config).build()), &self.0.table)
    }
}

fn model(id: &str) -> ModelId {
    ModelId::from_stored(id.to_owned())
}

/// A put of `text` under `id`.
fn put_of(id: &str, text: &str, expected: Expected) -> Put {
    Put {
        workspace: Workspace::default(),
        id: model(id),
        source: Arc::new(Source::new(text, text, true)),
        expected,
        write: WriteId::random().expect("randomness"),
        at: NOON,
    }
}

/// A put that must make a new revision.
async fn stored(store: &DynamoStore, id: &str, text: &str) -> Ack {
    match store.put(put_of(id, text, Expected::Any)).await {
        Ok(PutOutcome::Stored(ack)) => ack,
        other => panic!("not stored: {other:?}"),
    }
}

/// The text of the latest model; empty where there is none.
async fn latest(store: &DynamoStore) -> Result<String, StoreError> {
    let latest = store.latest(&Workspace::default()).await?;
    Ok(latest.map_or_else(String::new, |stored| stored.text.to_string()))
}

/// How many bodies the table has.
async fn bodies(store: &DynamoStore) -> usize {
    let mut count = 0;
    for shard in crate::keys::body_shards() {
        count += store
            .sorted(shard, " ".into(), 10_000, crate::keys::read_body)
            .await
            .expect("the index")
            .len();
    }
    count
}

/// When a sweep takes what was written at [`NOON`].
const LATER: Timestamp = Timestamp(NOON.0 + 2 * 60 * 60 * 1000);
