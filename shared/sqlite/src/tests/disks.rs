//! Disks that are full or may not be written.
//!
//! The disks are real ones: small file systems in memory, which a child mounts where only it sees them. That takes root,
//! or a system where users may make namespaces.

use super::child;
use super::{a_put, in_order, text, written};
use crate::SqliteStore;
use meadow_service::{Deleted, Expected, ModelId, ModelStore, StoreError, Timestamp, Workspace, WriteId};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use tempfile::TempDir;

/// Runs the test `name` again as a child that has a disk of one megabyte for itself, mounted at the file it is given.
#[track_caller]
fn on_a_small_disk(name: &str) {
    let folder: TempDir = tempfile::tempdir().unwrap();
    let mount = "mount -t tmpfs -o size=1m tmpfs \"$MEADOW_TEST_CHILD_FILE\" && exec \"$@\"";
    let in_shell = ["sh", "-c", mount, "sh"];
    let programs = [
        [&["unshare", "--mount"], in_shell.as_slice()].concat(),
        [&["unshare", "--map-root-user", "--mount"], in_shell.as_slice()].concat(),
    ];
    let works = |program: &Vec<&str>| {
        let mut probe = Command::new(program[0]);
        probe
            .args(&program[1..])
            .arg("true")
            .env("MEADOW_TEST_CHILD_FILE", folder.path());
        probe.output().is_ok_and(|output| output.status.success())
    };
    let program = programs.into_iter().find(works).expect(
        "no file system can be mounted here: run the tests as root, or allow users their own namespaces \
         (sysctl kernel.unprivileged_userns_clone=1, in a container --privileged)",
    );
    child::run_child(
        child::behind(&program, module_path!(), name, "child", folder.path()),
        "util-linux",
    );
}

#[track_caller]
fn full<T: std::fmt::Debug>(result: Result<T, StoreError>, path: &Path) {
    let error = result.unwrap_err();
    assert!(matches!(error, StoreError::Full(_)), "{error:?}");
    let expected = format!(
        "the store is full: no room is left for {}; nothing was written; make room on that disk, then try again",
        path.display()
    );
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_full_disk_loses_nothing_and_works_again_when_there_is_room() {
    let Some((_, disk)) = child::role() else {
        return on_a_small_disk("a_full_disk_loses_nothing_and_works_again_when_there_is_room");
    };
    let (path, ballast) = (disk.join("meadow.db"), disk.join("ballast"));
    child::runtime().block_on(async {
        fs::write(&ballast, vec![1; 300_000]).unwrap();
        let store = SqliteStore::open(&path).unwrap();
        let text_of = |n: usize| format!("text {n} ").repeat(3000);
        let mut there = 0;
        let refused = loop {
            match written(&store, &format!("m{there}"), &text_of(there)).await {
                Ok(_) => there += 1,
                Err(error) => break error,
            }
        };
        full::<()>(Err(refused), &path);
        assert!(there > 3, "{there} fitted");
        full(written(&store, "large", &"large ".repeat(500_000)).await, &path);
        for n in 0..there {
            assert!(text(&store, &format!("m{n}")).await == Some(text_of(n)), "m{n}");
        }
        assert_eq!(
            text(&store, &format!("m{there}")).await,
            None,
            "what failed is not there"
        );
        assert_eq!(text(&store, "large").await, None);

        fs::remove_file(&ballast).unwrap();
        written(&store, &format!("m{there}"), &text_of(there)).await.unwrap();
        let (workspace, id, write) = (
            Workspace::default(),
            ModelId::new("m0").unwrap(),
            WriteId::random().unwrap(),
        );
        let deleted = store.delete(&workspace, &id, Expected::Revision(1), write, Timestamp(0));
        assert!(matches!(deleted.await, Ok(Deleted::Done(_))));
        drop(store);

        let store = SqliteStore::open(&path).unwrap();
        for n in 1..=there {
            assert!(
                text(&store, &format!("m{n}")).await == Some(text_of(n)),
                "m{n} after opening again"
            );
        }
        drop(store);
        in_order(&path);
    });
}

#[test]
fn a_disk_that_is_full_from_the_beginning_is_named() {
    let Some((_, disk)) = child::role() else {
        return on_a_small_disk("a_disk_that_is_full_from_the_beginning_is_named");
    };
    let (path, ballast) = (disk.join("meadow.db"), disk.join("ballast"));
    assert!(
        fs::write(&ballast, vec![1; 2 << 20]).is_err(),
        "the disk has more than a megabyte"
    );
    full(SqliteStore::open(&path), &path);
    fs::remove_file(&ballast).unwrap();
    child::runtime().block_on(async {
        let store = SqliteStore::open(&path).unwrap();
        written(&store, "m", "text").await.unwrap();
    });
}

#[track_caller]
fn read_only(path: &Path) {
    let error = SqliteStore::open(path).unwrap_err();
    assert!(matches!(error, StoreError::ReadOnly(_)), "{error:?}");
    let text = error.to_string();
    let end = "or its folder may not be written; change its permissions, or name another file with --store sqlite:PATH";
    assert!(
        text.starts_with("the store is read-only: ") && text.ends_with(end),
        "{text}"
    );
}

fn mount(args: &[&str], path: &Path) {
    let mut command = Command::new("mount");
    command.args(args).arg(path);
    child::run(command, "mount");
}

#[test]
fn a_read_only_folder_is_refused_and_keeps_its_data() {
    let Some((_, disk)) = child::role() else {
        return on_a_small_disk("a_read_only_folder_is_refused_and_keeps_its_data");
    };
    child::runtime().block_on(async {
        let path = disk.join("meadow.db");
        let store = SqliteStore::open(&path).unwrap();
        written(&store, "m", "text").await.unwrap();
        drop(store);
        // With `bind` the mount is changed and not its file system, which root of a namespace may not change.
        mount(&["-o", "remount,bind,ro"], &disk);
        read_only(&path);
        read_only(&disk.join("new.db"));
        read_only(&disk.join("new").join("folder").join("new.db"));
        mount(&["-o", "remount,bind,rw"], &disk);
        let store = SqliteStore::open(&path).unwrap();
        assert_eq!(text(&store, "m").await.as_deref(), Some("text"));
        written(&store, "m", "next").await.unwrap();
    });
}

/// A write-protected file in a folder that may be written: an empty one, a closed store, and one with a log left behind.
#[test]
fn a_read_only_file_is_refused() {
    let Some((_, disk)) = child::role() else {
        return on_a_small_disk("a_read_only_file_is_refused");
    };
    let (empty, closed, killed) = (disk.join("empty.db"), disk.join("closed.db"), disk.join("killed.db"));
    fs::write(&empty, "").unwrap();
    let store = SqliteStore::open(&closed).unwrap();
    child::runtime().block_on(written(&store, "m", "text")).unwrap();
    // As a killed process leaves it.
    fs::copy(&closed, &killed).unwrap();
    fs::copy(disk.join("closed.db-wal"), disk.join("killed.db-wal")).unwrap();
    drop(store);
    for path in [empty, closed, killed] {
        mount(&["--bind", path.to_str().unwrap()], &path);
        mount(&["-o", "remount,bind,ro"], &path);
        read_only(&path);
    }
}

/// Writes that are queued while the disk is full fail together, each with its own answer.
#[test]
fn queued_writes_fail_together() {
    let Some((_, disk)) = child::role() else {
        return on_a_small_disk("queued_writes_fail_together");
    };
    let path = disk.join("meadow.db");
    child::runtime().block_on(async {
        let store = Arc::new(SqliteStore::open(&path).unwrap());
        let tasks: Vec<_> = (0..40)
            .map(|n| {
                let store = Arc::clone(&store);
                let put = a_put(&format!("m{n}"), &format!("text {n} ").repeat(10_000), Expected::Any);
                tokio::spawn(async move { (n, store.put(put).await) })
            })
            .collect();
        let mut failed = 0;
        for task in tasks {
            let (n, outcome) = task.await.unwrap();
            let there = text(&store, &format!("m{n}")).await.is_some();
            assert_eq!(there, outcome.is_ok(), "m{n}: {outcome:?}");
            if outcome.is_err() {
                full(outcome, &path);
                failed += 1;
            }
        }
        assert!(failed > 20, "{failed} of 40 writes of 80 kB failed on a disk of 1 MB");
    });
}
