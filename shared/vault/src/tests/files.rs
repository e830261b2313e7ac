//! What else a folder can hold: names in NFD, twins in case, pipes, devices, deep trees; and a vault that goes.

use super::{Place, left_over, names, outside};
use crate::Vault;
use meadow_notes::NotePath;
use meadow_service::notes::{Expect, Mode, SaveStatus, VaultError, WriteOutcome};
use meadow_service::{NoteStore, Timestamp, Workspace};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::time::{Duration, SystemTime};

#[tokio::test]
async fn names_in_nfd_are_found() {
    let place = Place::new();
    fs::create_dir(place.vault("cafe\u{301}s")).unwrap();
    fs::write(place.vault("cafe\u{301}s/u\u{308}ber.md"), "nfd").unwrap();
    let nfc = "caf\u{e9}s/\u{fc}ber.md";
    assert_eq!(place.list().await, [nfc, "own.md"]);
    assert_eq!(place.read(nfc).await.unwrap().as_deref(), Some("nfd"));
    let taken = place.write_if(nfc, "x", Expect::Absent).await.unwrap();
    assert!(matches!(taken, WriteOutcome::Conflict(Some(_))), "{taken:?}");
    place.write(nfc, "changed").await.unwrap();
    place.write("caf\u{e9}s/n\u{e9}w.md", "new").await.unwrap();
    assert_eq!(
        names(&place.vault("cafe\u{301}s")),
        ["n\u{e9}w.md", "u\u{308}ber.md"],
        "no second folder or file"
    );
    assert_eq!(
        fs::read_to_string(place.vault("cafe\u{301}s/u\u{308}ber.md")).unwrap(),
        "changed"
    );
    // Both forms: one path, which means the composed one.
    fs::write(place.vault("cafe\u{301}s/\u{fc}ber.md"), "composed").unwrap();
    assert_eq!(place.list().await.len(), 3);
    assert_eq!(place.read(nfc).await.unwrap().as_deref(), Some("composed"));
}

#[tokio::test]
async fn twins_in_case_are_not_made() {
    let place = Place::new();
    let saved = place.save("OWN.md", Mode::Create).await.unwrap();
    assert_eq!((saved.status, saved.path.as_str()), (SaveStatus::Ambiguous, "own.md"));
    assert_eq!(names(&place.vault("")), ["own.md"]);
}

#[tokio::test]
async fn what_is_no_file_is_refused_at_once() {
    let place = Place::new();
    let made = Command::new("mkfifo").arg(place.vault("pipe.md")).status().unwrap();
    assert!(made.success());
    let _socket = std::os::unix::net::UnixListener::bind(place.vault("socket.md")).unwrap();
    fs::create_dir(place.vault("folder.md")).unwrap();
    let mut odd = vec!["pipe.md", "socket.md", "folder.md"];
    let device = Command::new("mknod")
        .arg(place.vault("device.md"))
        .args(["c", "1", "5"])
        .output()
        .unwrap();
    if device.status.success() {
        odd.push("device.md");
    } else {
        println!("vault: the device was left out: only root makes one");
    }
    for name in odd {
        outside(place.read(name).await);
        outside(place.write(name, "x").await);
        outside(place.write_if(name, "x", Expect::Absent).await);
    }
    // A file where a folder should be.
    outside(place.write("own.md/below.md", "x").await);
    assert!(!matches!(place.read("own.md/below.md").await, Ok(Some(_))));
    assert_eq!(place.list().await, ["own.md"]);
    assert_eq!(left_over(&place.vault("")), 0);
}

#[tokio::test]
async fn deep_trees_are_walked_as_far_as_paths_go() {
    let place = Place::new();
    let deep = "f/".repeat(490);
    fs::create_dir_all(place.vault(&deep)).unwrap();
    fs::write(place.vault(&format!("{deep}x.md")), "deep").unwrap();
    let beyond = "long-name-of-a-folder/".repeat(60);
    fs::create_dir_all(place.vault(&beyond)).unwrap();
    fs::write(place.vault(&format!("{beyond}x.md")), "beyond").unwrap();
    assert_eq!(place.list().await, [format!("{deep}x.md"), "own.md".to_owned()]);
    assert_eq!(
        place.read(&format!("{deep}x.md")).await.unwrap().as_deref(),
        Some("deep")
    );
}

#[tokio::test]
async fn odd_names_are_left_alone() {
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new();
    let root = place.vault("");
    for name in [
        b"\xff\xfe.md".as_slice(),
        b"a\xe2\x80\xaeb.md",
        b"con.md",
        b"trailing .md",
        b"x.txt",
        b"y.markdown",
        b"a\\b.md",
    ] {
        fs::write(root.join(std::ffi::OsStr::from_bytes(name)), "x").unwrap();
    }
    assert_eq!(place.list().await, ["own.md", "trailing .md"]);
}

#[tokio::test]
async fn a_vault_is_made_at_the_first_write_and_may_go() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("new/vault");
    let vault = Vault::new(&root, Workspace::default());
    let (workspace, path) = (Workspace::default(), NotePath::parse("a/b.md").unwrap());
    assert_eq!(vault.list(&workspace).await, Ok(vec![]));
    assert_eq!(vault.read(&workspace, &path, 9).await, Ok(None));
    assert!(!root.exists(), "looking makes nothing");
    for _ in 0..2 {
        let written = vault
            .write(&workspace, &path, b"x", &Expect::Absent, Timestamp(0))
            .await;
        assert!(matches!(written, Ok(WriteOutcome::Written(_))), "{written:?}");
        assert_eq!(fs::metadata(&root).unwrap().permissions().mode() & 0o777, 0o700);
        assert_eq!(
            vault.location(&workspace, &path).as_deref(),
            root.join("a/b.md").to_str()
        );
        fs::remove_dir_all(&root).unwrap();
        assert_eq!(vault.list(&workspace).await, Ok(vec![]));
    }
    fs::write(&root, "a file").unwrap();
    assert!(matches!(vault.list(&workspace).await, Err(VaultError::Unusable(_))));
    let other = Workspace::new("other").unwrap();
    assert!(matches!(vault.list(&other).await, Err(VaultError::NoVault(_))));
    assert_eq!(vault.location(&other, &path), None);
}

#[tokio::test]
async fn permissions_of_a_note_stay() {
    let place = Place::new();
    fs::set_permissions(place.vault("own.md"), fs::Permissions::from_mode(0o640)).unwrap();
    place.write("own.md", "new").await.unwrap();
    assert_eq!(
        fs::metadata(place.vault("own.md")).unwrap().permissions().mode() & 0o777,
        0o640
    );
}

/// Whose time of change cannot be set back: only young ones can be made here, and they stay.
#[tokio::test]
async fn unfinished_files_of_others_stay_while_they_are_young() {
    let place = Place::new();
    let left = place.vault(".meadow-1-2-0.tmp");
    fs::write(&left, "half a no").unwrap();
    let old = SystemTime::now() - Duration::from_secs(86_400);
    fs::File::options()
        .write(true)
        .open(&left)
        .unwrap()
        .set_modified(old)
        .unwrap();
    assert_eq!(place.list().await, ["own.md"]);
    assert!(left.exists(), "its content has an old time, but somebody is at it now");
}
