//! What was acknowledged is on the disk: the pragmas, the waits for the disk, and processes that are killed.

use super::child;
use super::{in_order, written};
use crate::SqliteStore;
use crate::connection::File;
use meadow_service::ports::KEPT_REVISIONS;
use meadow_service::{ModelId, ModelStore, Workspace};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;

#[test]
fn every_connection_waits_for_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let (file, writing) = File::open(&folder.path().join("meadow.db")).unwrap();
    let reading = file.reader().unwrap();
    drop(writing);
    // A file that is there already, and a reader that comes when nobody else is connected.
    drop(reading);
    let (file, writing) = File::open(&folder.path().join("meadow.db")).unwrap();
    for connection in [&writing, &file.reader().unwrap()] {
        let mode: String = connection
            .pragma_query_value(None, "journal_mode", |row| row.get(0))
            .unwrap();
        let synchronous: i64 = connection
            .pragma_query_value(None, "synchronous", |row| row.get(0))
            .unwrap();
        assert_eq!((mode.as_str(), synchronous), ("wal", 2), "2 is FULL");
    }
}

/// Counted from outside, by the system calls of a child.
#[test]
fn each_commit_waits_for_the_disk_and_queued_puts_share_one() {
    const ALONE: usize = 20;
    const TOGETHER: usize = 320;
    if let Some((role, file)) = child::role() {
        return child::runtime().block_on(async {
            let store = Arc::new(SqliteStore::open(file).unwrap());
            match role.as_str() {
                "open" => {}
                "alone" => {
                    for n in 0..ALONE {
                        written(&store, "m", &n.to_string()).await.unwrap();
                    }
                }
                _ => put_together(&store, TOGETHER).await,
            }
        });
    }
    let name = "each_commit_waits_for_the_disk_and_queued_puts_share_one";
    let folder = tempfile::tempdir().unwrap();
    let syncs = |role: &str| {
        let calls = folder.path().join(format!("{role}.calls"));
        let strace = [
            "strace",
            "-f",
            "-e",
            "trace=fdatasync,fsync",
            "-o",
            calls.to_str().unwrap(),
        ];
        let file = folder.path().join(format!("{role}.db"));
        child::run_child(child::behind(&strace, module_path!(), name, role, &file), "strace");
        let calls = std::fs::read_to_string(calls).unwrap();
        calls.lines().filter(|call| call.contains("sync(")).count()
    };
    let opening = syncs("open");
    let alone = syncs("alone").checked_sub(opening).unwrap();
    let together = syncs("together").checked_sub(opening).unwrap();
    println!("sqlite: waits for the disk: {alone} for {ALONE} puts, {together} for {TOGETHER} queued together");
    assert!(alone >= ALONE, "{alone} waits for {ALONE} puts");
    assert!(
        together >= TOGETHER / 16,
        "{together} waits for {TOGETHER} puts, 16 at most in a group"
    );
    assert!(
        together < TOGETHER,
        "{together} waits for {TOGETHER} puts that could share them"
    );
}

async fn put_together(store: &Arc<SqliteStore>, puts: usize) {
    let puts: Vec<_> = (0..puts)
        .map(|n| {
            let store = Arc::clone(store);
            tokio::spawn(async move { written(&store, &format!("m{}", n % 8), &n.to_string()).await.unwrap() })
        })
        .collect();
    for put in puts {
        put.await.unwrap();
    }
}

/// Rounds on one file, each of them with a child that is killed after more or fewer acknowledged writes.
#[test]
fn a_killed_process_loses_nothing_that_was_acknowledged() {
    const ROUNDS: usize = 25;
    const NAME: &str = "a_killed_process_loses_nothing_that_was_acknowledged";
    if let Some((role, file)) = child::role() {
        return child::runtime().block_on(write_for_ever(&file, role.parse().unwrap()));
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("meadow.db");
    let mut acknowledged = 0;
    for round in 0..ROUNDS {
        let mut command = child::command(module_path!(), NAME, &round.to_string(), &path);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        let (mut acks, mut line, mut killed) = (Vec::new(), String::new(), false);
        while lines.read_line(&mut line).unwrap() > 0 {
            // The last line may have been cut off.
            if let Some(ack) = line.strip_suffix('\n').and_then(|line| line.strip_prefix("ack ")) {
                acks.push(ack.to_owned());
            }
            line.clear();
            if !killed && acks.len() > 5 + round * 17 % 60 {
                child.kill().unwrap();
                killed = true;
            }
        }
        assert!(
            !child.wait().unwrap().success() && killed,
            "the child ended by itself in round {round}"
        );
        acknowledged += acks.len();
        child::runtime().block_on(all_there(&path, round, &acks));
        in_order(&path);
    }
    println!("sqlite: {ROUNDS} kills, {acknowledged} acknowledged writes, none lost");
}

async fn write_for_ever(path: &Path, round: usize) {
    let store = Arc::new(SqliteStore::open(path).unwrap());
    println!();
    for task in 0..8 {
        let store = Arc::clone(&store);
        tokio::spawn(async move {
            for n in 0.. {
                let revision = written(&store, &format!("m{task}"), &text(round, task, n))
                    .await
                    .unwrap();
                println!("ack {task} {n} {revision}");
            }
        });
    }
    std::future::pending().await
}

/// Small and large ones, so that some need many pages.
fn text(round: usize, task: usize, n: usize) -> String {
    format!("round {round} task {task} number {n}\n").repeat([1, 10, 400, 5000][(task + n) % 4])
}

async fn all_there(path: &Path, round: usize, acks: &[String]) {
    let store = SqliteStore::open(path).unwrap();
    let workspace = Workspace::default();
    for ack in acks {
        let [task, n, revision] = ack.split(' ').map(|n| n.parse().unwrap()).collect::<Vec<u64>>()[..] else {
            panic!("not an acknowledgement: {ack}");
        };
        let id = ModelId::new(&format!("m{task}")).unwrap();
        let head = store.head(&workspace, &id).await.unwrap().expect("the model");
        assert!(head.revision >= revision, "{ack} was lost: {head:?}");
        let kept = head.revision < revision + KEPT_REVISIONS;
        let stored = store.get(&workspace, &id, Some(revision)).await.unwrap();
        assert_eq!(stored.is_some(), kept, "{ack}");
        let expected = text(round, usize::try_from(task).unwrap(), usize::try_from(n).unwrap());
        assert!(
            stored.is_none_or(|stored| *stored.text == *expected),
            "{ack} came back changed"
        );
    }
}
