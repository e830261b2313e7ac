//! Several processes on one file.

use super::child;
use super::{a_put, in_order, text, written};
use crate::SqliteStore;
use meadow_service::{Expected, ModelId, ModelStore, PutOutcome, Workspace};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::{Arc, Barrier};

/// What each child does.
const TASKS: usize = 8;
const INCREMENTS: usize = 40;

#[test]
fn two_processes_lose_no_increment() {
    if let Some((_, file)) = child::role() {
        return child::runtime().block_on(increment(&file));
    }
    let folder = tempfile::tempdir().unwrap();
    // Neither file nor folder is there: both processes make them.
    let path = folder.path().join("missing").join("meadow.db");
    let command = || child::command(module_path!(), "two_processes_lose_no_increment", "increment", &path);
    let children: Vec<Child> = (0..2)
        .map(|_| command().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap())
        .collect();
    let children: Vec<_> = children
        .into_iter()
        .map(|mut child| {
            let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
            assert!(lines.any(|line| line == "ready"), "the child did not get ready");
            (child, lines)
        })
        .collect();
    let mut attempts = Vec::new();
    let mut running = Vec::new();
    for (mut child, lines) in children {
        child.stdin.take().unwrap().write_all(b"go\n").unwrap();
        running.push((child, lines));
    }
    for (mut child, mut lines) in running {
        let line = lines.find_map(|line| line.strip_prefix("attempts ").map(str::to_owned));
        let line = line.expect("the child said what it did");
        let (tried, met) = line.split_once(", met the other ").unwrap();
        attempts.push(tried.parse::<usize>().unwrap());
        assert_ne!(met, "0", "one process was done before the other began");
        assert!(child.wait().unwrap().success());
    }
    let total = 2 * TASKS * INCREMENTS;
    let store = SqliteStore::open(&path).unwrap();
    let counter = child::runtime().block_on(text(&store, "counter")).unwrap();
    assert_eq!(number(&counter), total);
    // One more attempt than increments is one increment that another got ahead of.
    assert!(attempts.iter().sum::<usize>() > total, "nobody raced: {attempts:?}");
    println!("sqlite: two processes, {total} increments, none lost; attempts: {attempts:?}");
    drop(store);
    in_order(&path);
}

async fn increment(path: &Path) {
    let store = Arc::new(SqliteStore::open(path).unwrap());
    println!("\nready");
    std::io::stdin().read_line(&mut String::new()).unwrap();
    let tasks: Vec<_> = (0..TASKS)
        .map(|task| {
            let store = Arc::clone(&store);
            tokio::spawn(async move {
                let own = format!(" of {}", std::process::id());
                let (mut done, mut attempts, mut met) = (0, 0, 0);
                while done < INCREMENTS {
                    let id = ModelId::new("counter").unwrap();
                    let current = store.get(&Workspace::default(), &id, None).await.unwrap();
                    met += usize::from(current.as_ref().is_some_and(|c| !c.text.ends_with(&own)));
                    let expected = current
                        .as_ref()
                        .map_or(Expected::Absent, |c| Expected::Revision(c.head.revision));
                    let next = current.map_or(0, |current| number(&current.text)) + 1;
                    let text = format!("{next} by {task}{own}");
                    attempts += 1;
                    if let PutOutcome::Stored(_) = store.put(a_put("counter", &text, expected)).await.unwrap() {
                        done += 1;
                    }
                }
                (attempts, met)
            })
        })
        .collect();
    let (mut attempts, mut met) = (0, 0);
    for task in tasks {
        let of_task = task.await.unwrap();
        attempts += of_task.0;
        met += of_task.1;
    }
    println!("\nattempts {attempts}, met the other {met}");
}

fn number(text: &str) -> usize {
    text.split(' ').next().unwrap().parse().unwrap()
}

/// Within one process, where the race is closer than between two.
#[test]
fn many_at_once_open_a_new_file() {
    const OPENERS: usize = 8;
    let folder = tempfile::tempdir().unwrap();
    for round in 0..20 {
        let path = folder.path().join(format!("{round}.db"));
        let start = Barrier::new(OPENERS);
        std::thread::scope(|scope| {
            for n in 0..OPENERS {
                let (path, start) = (&path, &start);
                scope.spawn(move || {
                    start.wait();
                    let store = SqliteStore::open(path).unwrap();
                    child::runtime()
                        .block_on(written(&store, &format!("m{n}"), "text"))
                        .unwrap();
                });
            }
        });
        let store = SqliteStore::open(&path).unwrap();
        let list = child::runtime()
            .block_on(store.list(&Workspace::default(), None, 100))
            .unwrap();
        assert_eq!(list.items.len(), OPENERS, "round {round}");
    }
}
