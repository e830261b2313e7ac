//! Paths that hold no store, and files that are damaged or go away.

use super::{a_put, text, written};
use crate::SqliteStore;
use crate::connection::check;
use crate::failure::{self, Unfit};
use meadow_service::{Expected, ModelId, ModelStore, StoreError, Timestamp, Workspace, WriteId};
use rusqlite::Connection;
use std::fs;
use std::io::{Seek, Write};
use std::path::Path;

#[track_caller]
fn refused(path: &Path, expected: &str) -> StoreError {
    let error = SqliteStore::open(path).unwrap_err();
    assert_eq!(error.to_string(), expected);
    error
}

#[test]
fn a_folder_is_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let shown = folder.path().display();
    let expected = format!(
        "the store cannot be reached: {shown} is a folder; name a file in it with --store sqlite:{shown}/meadow.db"
    );
    assert!(matches!(refused(folder.path(), &expected), StoreError::Unavailable(_)));
}

#[test]
fn what_is_no_database_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    for text in ["short", &"a long text, of several pages\n".repeat(1000)] {
        fs::write(&path, text).unwrap();
        let expected = format!(
            "the store is damaged: {} is no SQLite database; move it away, or name another file with --store sqlite:PATH",
            path.display()
        );
        assert!(matches!(refused(&path, &expected), StoreError::Damaged(_)));
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
}

#[test]
fn a_file_is_no_folder() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let error = SqliteStore::open(file.join("sub").join("meadow.db"))
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("a file stands where a folder is needed; name another file"),
        "{error}"
    );
}

#[tokio::test]
async fn missing_folders_are_made() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a").join("水 b").join(":memory:");
    let store = SqliteStore::open(&path).unwrap();
    written(&store, "m", "text").await.unwrap();
    drop(store);
    assert_eq!(
        text(&SqliteStore::open(&path).unwrap(), "m").await.as_deref(),
        Some("text")
    );
}

/// Databases that follow one of the pragmas only, as a file does on a network drive.
#[test]
fn a_place_that_forgets_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let wal = Connection::open(&path).unwrap();
    wal.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))
        .unwrap();
    wal.pragma_update(None, "synchronous", "NORMAL").unwrap();
    let memory = Connection::open_in_memory().unwrap();
    memory.pragma_update(None, "synchronous", "FULL").unwrap();
    for (connection, found) in [
        (wal, "journal_mode=wal, wal is needed; synchronous=1, 2 is needed"),
        (memory, "journal_mode=memory, wal is needed; synchronous=2, 2 is needed"),
    ] {
        let unfit = check(&connection).unwrap_err();
        assert!(matches!(unfit, Unfit::Forgetful { .. }));
        let error = failure::unfit(&path, unfit).to_string();
        assert!(
            error.contains(found) && error.contains("a.db") && error.contains("--store"),
            "{error}"
        );
    }
}

#[tokio::test]
async fn a_damaged_text_is_told_from_what_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("meadow.db");
    let store = SqliteStore::open(&path).unwrap();
    let marker = "a text that spans pages, ";
    written(&store, "flipped", &marker.repeat(2000)).await.unwrap();
    written(&store, "gone", "text").await.unwrap();
    written(&store, "sound", "text").await.unwrap();
    drop(store);
    let mut bytes = fs::read(&path).unwrap();
    let at = bytes
        .windows(marker.len())
        .position(|window| window == marker.as_bytes())
        .unwrap();
    bytes[at] = b'A';
    fs::write(&path, bytes).unwrap();
    Connection::open(&path)
        .unwrap()
        .execute("UPDATE revisions SET text = NULL WHERE id = 'gone'", [])
        .unwrap();

    let store = SqliteStore::open(&path).unwrap();
    for id in ["flipped", "gone"] {
        let error = store
            .get(&Workspace::default(), &ModelId::new(id).unwrap(), None)
            .await
            .unwrap_err();
        assert!(matches!(error, StoreError::Damaged(_)), "{error}");
        let error = error.to_string();
        assert!(
            error.contains(&format!("revision 1 of model \"{id}\" is not what was written")),
            "{error}"
        );
        assert!(error.contains("meadow.db"), "{error}");
    }
    assert_eq!(text(&store, "sound").await.as_deref(), Some("text"));
    takes_no_writes(&store).await;
    drop(store);
    // What was damaged can be written anew, once somebody has looked at it.
    let store = SqliteStore::open(&path).unwrap();
    written(&store, "flipped", "whole again").await.unwrap();
    assert_eq!(text(&store, "flipped").await.as_deref(), Some("whole again"));
}

/// Panics unless writes are refused since damage was seen.
async fn takes_no_writes(store: &SqliteStore) {
    let (workspace, id, write) = (
        Workspace::default(),
        ModelId::new("m1").unwrap(),
        WriteId::random().unwrap(),
    );
    let results = [
        store.put(a_put("m1", "new", Expected::Any)).await.map(drop),
        store
            .delete(&workspace, &id, Expected::Any, write, Timestamp(0))
            .await
            .map(drop),
    ];
    for result in results {
        let error = result.unwrap_err();
        assert!(matches!(error, StoreError::Damaged(_)), "{error:?}");
        let error = error.to_string();
        assert!(
            error.contains("nothing is written any more") && error.contains("meadow.db"),
            "{error}"
        );
    }
}

/// The writing connection still holds sound pages in memory, and would acknowledge what no one could read later.
#[tokio::test]
async fn a_file_that_is_damaged_while_it_is_open_takes_no_writes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("meadow.db");
    let store = SqliteStore::open(&path).unwrap();
    for n in 0..200 {
        written(&store, &format!("m{n}"), &"text ".repeat(100)).await.unwrap();
    }
    drop(store);
    let store = SqliteStore::open(&path).unwrap();
    written(&store, "m1", "before").await.unwrap();
    let pages = fs::read(&path).unwrap();
    // In place: another file would be told by `still_there`.
    let mut file = fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.write_all(&[&pages[..8192], &vec![0xff; pages.len() - 8192]].concat())
        .unwrap();
    let found = store.list(&Workspace::default(), None, 1000).await.unwrap_err();
    assert!(matches!(found, StoreError::Damaged(_)), "{found:?}");
    takes_no_writes(&store).await;
    file.rewind().unwrap();
    file.write_all(&pages).unwrap();
    takes_no_writes(&store).await;
}

#[tokio::test]
async fn a_file_that_was_emptied_is_told_and_takes_no_writes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("meadow.db");
    let store = SqliteStore::open(&path).unwrap();
    written(&store, "m", "text").await.unwrap();
    fs::OpenOptions::new()
        .write(true)
        .open(&path)
        .unwrap()
        .set_len(0)
        .unwrap();
    let id = ModelId::new("m").unwrap();
    let results = [
        store.get(&Workspace::default(), &id, None).await.map(drop),
        store.put(a_put("m", "lost", Expected::Any)).await.map(drop),
        store.ping().await,
    ];
    for result in results {
        let error = result.unwrap_err();
        assert!(matches!(error, StoreError::Damaged(_)), "{error:?}");
        assert_eq!(
            error.to_string(),
            format!(
                "the store is damaged: {} was emptied while it was open; put a backup in its place and start again",
                path.display()
            )
        );
    }
}

#[cfg(unix)]
#[tokio::test]
async fn what_is_made_is_for_this_user_only() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let path = folder.path().join("a").join("b").join("meadow.db");
    let store = SqliteStore::open(&path).unwrap();
    written(&store, "m", "text").await.unwrap();
    for made in ["a", "a/b"] {
        assert_eq!(mode(&folder.path().join(made)), 0o700, "{made}");
    }
    for end in ["", "-wal", "-shm"] {
        let made = format!("{}{end}", path.display());
        assert_eq!(mode(Path::new(&made)), 0o600, "{made}");
    }
    drop(store);
    // What the user has chosen stays.
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let store = SqliteStore::open(&path).unwrap();
    written(&store, "m", "next").await.unwrap();
    assert_eq!(mode(&path), 0o640);
}

#[tokio::test]
async fn damaged_pages_are_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("meadow.db");
    let store = SqliteStore::open(&path).unwrap();
    for n in 0..200 {
        written(&store, &format!("m{n}"), &"text ".repeat(100)).await.unwrap();
    }
    drop(store);
    let mut bytes = fs::read(&path).unwrap();
    // All but the first page, which tells that it is a database.
    bytes[8192..].fill(0xff);
    fs::write(&path, bytes).unwrap();
    // Whether opening or reading meets the damage first is SQLite's choice.
    let found = match SqliteStore::open(&path) {
        Err(error) => error,
        Ok(store) => {
            let put = store.put(a_put("m1", "new", Expected::Any)).await;
            assert!(matches!(put, Err(StoreError::Damaged(_))), "{put:?}");
            store.list(&Workspace::default(), None, 10).await.unwrap_err()
        }
    };
    assert!(matches!(found, StoreError::Damaged(_)), "{found:?}");
    assert!(found.to_string().contains("put a backup in its place"), "{found}");
}

#[cfg(unix)]
#[tokio::test]
async fn a_file_that_went_away_takes_no_writes() {
    for replaced in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("meadow.db");
        let store = SqliteStore::open(&path).unwrap();
        written(&store, "m", "text").await.unwrap();
        if replaced {
            fs::copy(&path, folder.path().join("copy")).unwrap();
            fs::rename(folder.path().join("copy"), &path).unwrap();
        } else {
            fs::remove_file(&path).unwrap();
        }
        let id = ModelId::new("m").unwrap();
        let results = [
            store.put(a_put("m", "lost", Expected::Any)).await.map(drop),
            store.ping().await,
            store.get(&Workspace::default(), &id, None).await.map(drop),
        ];
        for result in results {
            let error = result.unwrap_err().to_string();
            assert!(
                error.contains("was deleted or replaced while it was open; put it back and start again"),
                "{error}"
            );
        }
    }
}
