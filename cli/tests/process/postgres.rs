//! `meadow export` and `meadow import --postgres`, against the PostgreSQL that `MEADOW_POSTGRES` names.

use crate::client::{Process, meadow, run};
use meadow_service::{Clock, PutOutcome, Timestamp};
use meadow_service::{Expected, ModelId, ModelStore, Put, Source, SystemClock, Workspace, WriteId};
use meadow_sqlite::SqliteStore;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use tokio::runtime::Runtime;
use tokio_postgres::{Client, NoTls};

/// A database of one test and a way to ask it; gone after the test.
struct Database {
    runtime: Runtime,
    server: String,
    name: String,
    client: Client,
}

/// A fresh database, where there is a server; says so where there is none.
fn database() -> Option<Database> {
    static MADE: AtomicU32 = AtomicU32::new(0);
    let Ok(server) = std::env::var("MEADOW_POSTGRES") else {
        println!("left out: MEADOW_POSTGRES names no server");
        return None;
    };
    let name = format!(
        "meadow_cli_{}_{}_{}",
        SystemClock.now().0,
        std::process::id(),
        MADE.fetch_add(1, Ordering::SeqCst)
    );
    let runtime = Runtime::new().expect("threads");
    let admin = runtime.block_on(connect(&server));
    let create = format!("create database {name} template template0 encoding 'UTF8'");
    runtime.block_on(admin.batch_execute(&create)).expect("created");
    let client = runtime.block_on(connect(&named(&server, &name)));
    Some(Database {
        runtime,
        server,
        name,
        client,
    })
}

async fn connect(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.expect("a connection");
    tokio::spawn(connection);
    client
}

/// The URL of a database of this name on the server of that URL.
fn named(server: &str, name: &str) -> String {
    let (before, _) = server.rsplit_once('/').expect("a path");
    format!("{before}/{name}")
}

impl Database {
    fn url(&self) -> String {
        named(&self.server, &self.name)
    }

    fn run(&self, sql: &str) {
        self.runtime.block_on(self.client.batch_execute(sql)).expect(sql);
    }

    fn count(&self, of: &str) -> i64 {
        let query = format!("select count(*) from {of}");
        let row = self.runtime.block_on(self.client.query_one(&query, &[]));
        row.expect("a row").get(0)
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let drop = format!("drop database if exists {} with (force)", self.name);
        let gone = self.runtime.block_on(async {
            let admin = connect(&self.server).await;
            admin.batch_execute(&drop).await
        });
        gone.expect("dropped");
    }
}

/// A store of so many models in a file; what `--store` names it.
fn store(folder: &Path, models: usize) -> String {
    let path = folder.join("models.db");
    let store = Arc::new(SqliteStore::open(&path).expect("a store"));
    let runtime = Runtime::new().expect("threads");
    let puts: Vec<_> = (0..models)
        .map(|n| {
            let put = Put {
                workspace: Workspace::new(if n % 2 == 0 { "default" } else { "team-b" }).expect("a name"),
                id: ModelId::new(&format!("模型-{n:04}")).expect("an id"),
                source: Arc::new(Source::new(format!("{{ \"n\":{n}.10 }}\n"), "", false)),
                expected: Expected::Absent,
                write: WriteId::random().expect("randomness"),
                at: Timestamp(1_796_000_000_000 + n as u64),
            };
            let store = Arc::clone(&store);
            runtime.spawn(async move { store.put(put).await })
        })
        .collect();
    for put in puts {
        let put = runtime.block_on(put).expect("no panic").expect("stored");
        assert!(matches!(put, PutOutcome::Stored(_)));
    }
    format!("sqlite:{}", path.display())
}

/// What a model's text is in a store.
fn text(store: &str, workspace: &str, id: &str) -> Option<String> {
    let path = store.strip_prefix("sqlite:").expect("a file");
    let store = SqliteStore::open(Path::new(path)).expect("a store");
    let (workspace, id) = (
        Workspace::new(workspace).expect("a name"),
        ModelId::new(id).expect("an id"),
    );
    let stored = Runtime::new()
        .expect("threads")
        .block_on(store.get(&workspace, &id, None));
    stored.expect("read").map(|stored| stored.text.to_string())
}

#[test]
fn models_go_to_postgresql_and_come_back() {
    let Some(database) = database() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let (url, from) = (database.url(), store(folder.path(), 5));
    let (code, out, err) = run(&["export", "--postgres", &url, "--store", &from]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let place = url.rsplit('@').next().expect("a host");
    assert_eq!(
        out,
        format!("{place}: all models: 5 walked, 5 written (0 deleted), 0 there already")
    );
    let (code, out, _) = run(&["export", "--postgres", &url, "--store", &from, "--deadline", "15m"]);
    assert_eq!(code, 0);
    assert!(
        out.contains("changes since 2026-") && out.ends_with("5 walked, 0 written (0 deleted), 5 there already"),
        "{out}"
    );
    let (code, out, _) = run(&["export", "--postgres", &url, "--store", &from, "--all"]);
    assert!(code == 0 && out.contains("all models: 5 walked, 0 written"), "{out}");

    let fresh = format!("sqlite:{}", folder.path().join("fresh.db").display());
    let (code, out, err) = run(&["import", "--postgres", &url, "--store", &fresh]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert_eq!(out, format!("{place}: 5 models, 5 stored, 0 in the store already"));
    for (workspace, id) in [("default", "模型-0004"), ("team-b", "模型-0003")] {
        assert_eq!(text(&fresh, workspace, id), text(&from, workspace, id));
        assert!(text(&fresh, workspace, id).is_some());
    }

    // What the store has stays; the URL may come from the environment.
    database.run("update meadow.models set source = '{}', sha256 = encode(sha256('{}'), 'hex') where id = '模型-0001'");
    let mut again = meadow(&["import", "--postgres", "--store", &fresh]);
    again.env("MEADOW_POSTGRES", &url);
    let out = again.output().expect("it runs");
    let said = String::from_utf8(out.stdout).expect("text");
    assert_eq!(out.status.code(), Some(1), "{said}");
    assert!(said.contains("5 models, 0 stored, 4 in the store already"), "{said}");
    assert!(
        said.contains("\n  team-b/模型-0001: the store has another text"),
        "{said}"
    );
    assert_eq!(text(&fresh, "team-b", "模型-0001").as_deref(), Some("{ \"n\":1.10 }\n"));
}

#[test]
fn an_export_that_is_killed_is_completed_by_the_next() {
    let Some(database) = database() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let (url, from) = (database.url(), store(folder.path(), 1_500));
    // Somebody holds the row of the model at which the run is to be killed.
    let (code, schema, _) = run(&["export", "--print-schema"]);
    assert_eq!(code, 0);
    database.run(&schema);
    database.run(
        "insert into meadow.models values ('default', '模型-1300', 0, false, true, null, null, '', now(), now());
        begin; select * from meadow.models for update",
    );
    let (process, _) = Process::start(meadow(&["export", "--postgres", &url, "--store", &from]));
    process.says("meadow: ");
    let waits = "pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    while database.count(waits) == 0 {
        std::thread::yield_now();
    }
    // SIGKILL.
    drop(process);
    database.run("commit");
    let left = database.count("meadow.models where not deleted");
    assert_eq!(left, 1_200, "six batches of 200");
    let unlocked =
        "pg_locks join pg_database d on d.oid = database where locktype = 'advisory' and datname = current_database()";
    while database.count(unlocked) > 0 {
        std::thread::yield_now();
    }
    let (code, out, err) = run(&["export", "--postgres", &url, "--store", &from]);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("300 written"), "{out}");
    assert_eq!(
        database.count("meadow.models where not deleted and document = source::jsonb"),
        1_500
    );
    assert_eq!(database.count("meadow.exports where error like 'killed%'"), 1);
}

#[test]
fn the_second_export_at_once_ends_with_3() {
    let Some(database) = database() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let (url, from) = (database.url(), store(folder.path(), 1));
    database.run("begin; select pg_advisory_xact_lock(x'6d6561646f77'::bigint)");
    let (code, out, err) = run(&["export", "--postgres", &url, "--store", &from]);
    assert_eq!((code, out.as_str()), (3, ""));
    assert!(
        err.starts_with("meadow: another export into ") && err.contains("is at work"),
        "{err}"
    );
    database.run("commit");
    let (code, _, err) = run(&["export", "--postgres", &url, "--store", &from]);
    assert_eq!(code, 0, "{err}");
}

#[track_caller]
fn check(arguments: &[&str], code: i32, part: &str) {
    let (is, out, err) = run(arguments);
    assert_eq!((is, out.as_str()), (code, ""), "{arguments:?}: {err}");
    assert!(err.contains(part), "{part}: {err}");
    assert!(!err.contains("s3cret"), "{err}");
}

#[test]
fn what_cannot_be_exported_says_why_without_a_password() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = format!("sqlite:{}", folder.path().join("models.db").display());
    check(&["export", "--store", &store], 2, "--postgres postgres://");
    check(
        &["export", "--postgres", "app:s3cret@h/x", "--store", &store],
        2,
        "begin with postgres://",
    );
    check(
        &[
            "export",
            "--postgres",
            "postgres://app:s3cret@db.example.org/x?sslmode=disable",
            "--store",
            &store,
        ],
        2,
        "in the clear",
    );
    check(
        &[
            "export",
            "--postgres",
            "postgres://app:s3cret@127.0.0.1:1/x",
            "--store",
            &store,
        ],
        3,
        "127.0.0.1:1/x cannot be reached",
    );
    check(
        &[
            "import",
            "--postgres",
            "postgres://app:s3cret@127.0.0.1:1/x",
            "--store",
            &store,
        ],
        3,
        "cannot be reached",
    );
    check(&["export", "--deadline", "30s"], 2, "more than that");
    check(
        &["import", "--postgres", "--store", &store],
        2,
        "begin with postgres://",
    );
    check(&["import"], 2, "FILE");
    check(
        &["import", "x.json", "--postgres", "postgres://h/x"],
        2,
        "cannot be used with",
    );
}

#[test]
fn a_password_from_the_environment_is_used() {
    let Some(database) = database() else { return };
    let role = format!("{}_r", database.name);
    database.run(&format!(
        "create role {role} login password 'ri:ght'; grant create on database {} to {role}",
        database.name
    ));
    let url = database.url();
    let (_, host) = url.split_once('@').expect("a user");
    let url = format!("postgres://{role}@{host}");
    let folder = tempfile::tempdir().expect("a folder");
    let from = store(folder.path(), 2);
    for (password, code) in [("s3cret", 3), ("ri:ght", 0)] {
        let mut command = meadow(&["export", "--store", &from]);
        let out = command
            .env("MEADOW_POSTGRES", &url)
            .env("PGPASSWORD", password)
            .output();
        let out = out.expect("it runs");
        let said = String::from_utf8(out.stderr).expect("text");
        assert_eq!(out.status.code(), Some(code), "{said}");
        assert!(!said.contains("s3cret"), "{said}");
    }
    assert_eq!(database.count("meadow.models"), 2);
    database.run(&format!("drop owned by {role}; drop role {role}"));
}
