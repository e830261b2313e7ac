//! Against a real PostgreSQL, whose address `MEADOW_POSTGRES` names (`tests/run tests` starts one): each test makes a
//! database of its own there. `MEADOW_TEST_POSTGRES_CA` is the authority that issued its certificate, for `localhost`.

mod connections;
mod documents;
mod imports;
mod runs;

use crate::config::Config;
use crate::connect::connect;
use crate::{PostgresTarget, SCHEMA};
use meadow_service::export::{ExportError, ExportOptions, ExportRun, export};
use meadow_service::{
    Clock, Deleted, Expected, MemoryStore, ModelId, ModelStore, Put, PutOutcome, Source, SystemClock, Timestamp,
    Workspace, WriteId,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use tokio_postgres::Client;
use tokio_postgres::types::FromSqlOwned;

/// A database of one test, gone after it.
struct Database {
    server: String,
    name: String,
    client: Client,
}

/// A fresh database, where there is a server; says so where there is none.
async fn database() -> Option<Database> {
    made_as("encoding 'UTF8'").await
}

async fn made_as(options: &str) -> Option<Database> {
    static MADE: AtomicU32 = AtomicU32::new(0);
    let Ok(server) = std::env::var("MEADOW_POSTGRES") else {
        println!("left out: MEADOW_POSTGRES names no server");
        return None;
    };
    let name = format!(
        "meadow_{}_{}_{}",
        SystemClock.now().0,
        std::process::id(),
        MADE.fetch_add(1, Ordering::SeqCst)
    );
    let admin = connect(&Config::from_url(&server, None).unwrap()).await.unwrap();
    let create = format!("create database {name} template template0 {options}");
    admin.batch_execute(&create).await.unwrap();
    let client = connect(&Config::from_url(&named(&server, &name), None).unwrap())
        .await
        .unwrap();
    Some(Database { server, name, client })
}

/// The URL of a database of this name on the server of that URL.
fn named(server: &str, name: &str) -> String {
    let (before, _) = server.rsplit_once('/').unwrap();
    format!("{before}/{name}")
}

impl Database {
    fn url(&self) -> String {
        named(&self.server, &self.name)
    }

    /// The URL for another user.
    fn url_of(&self, user: &str) -> String {
        let url = self.url();
        let (_, host) = url.split_once('@').unwrap();
        format!("postgres://{user}@{host}")
    }

    fn target(&self) -> PostgresTarget {
        target(&self.url())
    }

    /// One value of the one row that a query gives.
    async fn one<T: FromSqlOwned>(&self, query: &str) -> T {
        self.client.query_one(query, &[]).await.unwrap().get(0)
    }

    async fn run(&self, sql: &str) {
        self.client.batch_execute(sql).await.unwrap();
    }

    async fn export(&self, store: &dyn ModelStore) -> ExportRun {
        exported(store, &self.target()).await.unwrap()
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let server = self.server.clone();
        let drop = format!("drop database if exists {} with (force)", self.name);
        let gone = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async {
                let admin = connect(&Config::from_url(&server, None).unwrap()).await.unwrap();
                admin.batch_execute(&drop).await.unwrap();
            });
        });
        gone.join().unwrap();
    }
}

fn target(url: &str) -> PostgresTarget {
    PostgresTarget::new(Config::from_url(url, None).unwrap())
}

async fn exported(store: &dyn ModelStore, target: &PostgresTarget) -> Result<ExportRun, ExportError> {
    export(store, target, &SystemClock, &ExportOptions::default(), &mut |_| {}).await
}

async fn put(store: &dyn ModelStore, workspace: &str, id: &str, text: &str) {
    let put = Put {
        workspace: Workspace::new(workspace).unwrap(),
        id: ModelId::new(id).unwrap(),
        source: Arc::new(Source::new(text, id, false)),
        expected: Expected::Any,
        write: WriteId::random().unwrap(),
        at: SystemClock.now(),
    };
    assert!(!matches!(store.put(put).await.unwrap(), PutOutcome::Conflict(_)));
}

async fn delete(store: &dyn ModelStore, id: &str) {
    let (workspace, id) = (Workspace::default(), ModelId::new(id).unwrap());
    let write = WriteId::random().unwrap();
    let deleted = store
        .delete(&workspace, &id, Expected::Any, write, SystemClock.now())
        .await;
    assert!(matches!(deleted.unwrap(), Deleted::Done(_)));
}

/// A store with so many small models.
async fn store_of(models: usize) -> MemoryStore {
    let store = MemoryStore::new();
    for n in 0..models {
        put(&store, "default", &format!("m-{n:04}"), &format!("{{\"n\":{n}}}")).await;
    }
    store
}

/// A clock that stands.
#[derive(Debug)]
struct Standing(Timestamp);

impl Clock for Standing {
    fn now(&self) -> Timestamp {
        self.0
    }
}
