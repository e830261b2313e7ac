//! Disks that are full or may not be written: small file systems in memory, which a child mounts where only it sees them.

use super::{child, left_over};
use crate::Vault;
use meadow_notes::NotePath;
use meadow_service::notes::{Expect, VaultError, WriteOutcome};
use meadow_service::{NoteStore, Timestamp, Workspace};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Runs the test `name` again as a child that has a disk of one megabyte for itself. Where none can be mounted, says so.
#[track_caller]
fn on_a_small_disk(name: &str) {
    let folder = tempfile::tempdir().unwrap();
    let mount = "mount -t tmpfs -o size=1m tmpfs \"$MEADOW_TEST_CHILD_FOLDER\" && exec \"$@\"";
    for namespace in [&["unshare", "--mount"][..], &["unshare", "--map-root-user", "--mount"]] {
        let program = [namespace, &["sh", "-c", mount, "sh"]].concat();
        let mut probe = Command::new(program[0]);
        probe
            .args(&program[1..])
            .arg("true")
            .env("MEADOW_TEST_CHILD_FOLDER", folder.path());
        if probe.output().is_ok_and(|output| output.status.success()) {
            let output = child::command(&program, module_path!(), name, folder.path())
                .output()
                .unwrap();
            let printed = String::from_utf8_lossy(&output.stdout);
            assert!(
                output.status.success() && printed.contains("1 passed"),
                "{printed}\n{}",
                String::from_utf8_lossy(&output.stderr)
            );
            return;
        }
    }
    println!("vault: {name} was left out: no file system can be mounted here");
}

async fn write(vault: &Vault, name: &str, bytes: &[u8]) -> Result<WriteOutcome, VaultError> {
    let path = NotePath::parse(name).unwrap();
    vault
        .write(&Workspace::default(), &path, bytes, &Expect::Any, Timestamp(0))
        .await
}

async fn bytes(vault: &Vault, name: &str) -> Option<Vec<u8>> {
    let path = NotePath::parse(name).unwrap();
    let note = vault.read(&Workspace::default(), &path, 1 << 20).await.unwrap();
    note.map(|note| note.bytes)
}

#[test]
fn a_full_disk_loses_nothing_and_works_again_when_there_is_room() {
    let Some(disk) = child::folder() else {
        return on_a_small_disk("a_full_disk_loses_nothing_and_works_again_when_there_is_room");
    };
    child::runtime().block_on(async {
        let vault = Vault::new(&disk.join("vault"), Workspace::default());
        write(&vault, "old.md", &[b'o'; 300_000]).await.unwrap();
        write(&vault, "f/ballast.md", &[b'b'; 400_000]).await.unwrap();
        for name in ["old.md", "new.md", "g/new.md"] {
            let error = write(&vault, name, &[b'n'; 500_000]).await.unwrap_err();
            assert!(
                matches!(&error, VaultError::Full(why) if why.contains("no room")),
                "{error:?}"
            );
        }
        assert!(bytes(&vault, "old.md").await.unwrap() == [b'o'; 300_000]);
        assert_eq!(bytes(&vault, "new.md").await, None);
        assert_eq!(left_over(&disk), 0, "what did not fit is taken away");
        fs::remove_file(disk.join("vault/f/ballast.md")).unwrap();
        write(&vault, "old.md", &[b'n'; 500_000]).await.unwrap();
        assert!(bytes(&vault, "old.md").await.unwrap() == [b'n'; 500_000]);
    });
}

fn mount(args: &[&str], path: &Path) {
    let status = Command::new("mount").args(args).arg(path).status().unwrap();
    assert!(status.success());
}

#[test]
fn a_read_only_vault_is_read_and_says_why_it_is_not_written() {
    let Some(disk) = child::folder() else {
        return on_a_small_disk("a_read_only_vault_is_read_and_says_why_it_is_not_written");
    };
    child::runtime().block_on(async {
        let vault = Vault::new(&disk, Workspace::default());
        write(&vault, "a.md", b"text").await.unwrap();
        mount(&["-o", "remount,bind,ro"], &disk);
        for name in ["a.md", "new.md", "f/new.md"] {
            let error = write(&vault, name, b"x").await.unwrap_err();
            assert!(
                matches!(&error, VaultError::Denied(why) if why.contains("read-only")),
                "{error:?}"
            );
        }
        assert_eq!(bytes(&vault, "a.md").await.as_deref(), Some(b"text".as_slice()));
        assert_eq!(vault.list(&Workspace::default()).await.unwrap().len(), 1);
    });
}
