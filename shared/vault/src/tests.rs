mod attacks;
mod child;
mod crashes;
mod disks;
mod files;
mod links;

use crate::Vault;
use meadow_notes::NotePath;
use meadow_service::contract::notes::assert_keeps_the_contract;
use meadow_service::notes::{Expect, Mode, Notes, Save, Saved, VaultError, WriteOutcome};
use meadow_service::{NoteStore, SystemClock, Timestamp, Workspace};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use tempfile::TempDir;

#[tokio::test(flavor = "multi_thread")]
async fn keeps_the_contract() {
    let folders = Mutex::new(Vec::new());
    let make = || {
        let folder = tempfile::tempdir().unwrap();
        let vault = Vault::new(&folder.path().join("vault"), Workspace::default());
        folders.lock().unwrap().push(folder);
        Arc::new(vault) as Arc<_>
    };
    assert_keeps_the_contract(make, 20).await;
    for folder in &*folders.lock().unwrap() {
        assert_eq!(left_over(folder.path()), 0);
    }
}

/// What stands in the file outside that nobody may see or change.
const SECRET: &str = "SECRET: not for you\n";

/// A vault with a neighbour.
struct Place {
    folder: TempDir,
    store: Arc<Vault>,
    notes: Notes,
    workspace: Workspace,
}

impl Place {
    /// `vault` with `own.md`, and `outside` with `secret.md` beside it.
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [("vault/own.md", "own"), ("outside/secret.md", SECRET)] {
            let file = folder.path().join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        let workspace = Workspace::default();
        let store = Arc::new(Vault::new(&folder.path().join("vault"), workspace.clone()));
        Self {
            notes: Notes::new(store.clone(), Arc::new(SystemClock)),
            folder,
            store,
            workspace,
        }
    }

    fn vault(&self, name: &str) -> PathBuf {
        self.folder.path().join("vault").join(name)
    }

    fn outside(&self, name: &str) -> PathBuf {
        self.folder.path().join("outside").join(name)
    }

    async fn read(&self, path: &str) -> Result<Option<String>, VaultError> {
        let path = NotePath::parse(path).unwrap();
        let note = self.store.read(&self.workspace, &path, 1 << 20).await?;
        Ok(note.map(|note| String::from_utf8(note.bytes).unwrap()))
    }

    async fn write(&self, path: &str, text: &str) -> Result<WriteOutcome, VaultError> {
        self.write_if(path, text, Expect::Any).await
    }

    async fn write_if(&self, path: &str, text: &str, expected: Expect) -> Result<WriteOutcome, VaultError> {
        let path = NotePath::parse(path).unwrap();
        let at = Timestamp(1_764_500_000_000);
        self.store
            .write(&self.workspace, &path, text.as_bytes(), &expected, at)
            .await
    }

    async fn list(&self) -> Vec<String> {
        let heads = self.store.list(&self.workspace).await.unwrap();
        heads.into_iter().map(|head| head.path.to_string()).collect()
    }

    async fn save(&self, filename: &str, mode: Mode) -> Result<Saved, meadow_service::NotesError> {
        let save = Save {
            filename,
            content: "attack",
            mode,
            if_match: None,
        };
        self.notes.save(&self.workspace, save).await
    }

    /// Outside nothing came, went or changed.
    #[track_caller]
    fn nothing_outside(&self) {
        assert_eq!(names(self.folder.path()), ["outside", "vault"]);
        assert_eq!(names(&self.outside("")), ["secret.md"]);
        assert_eq!(fs::read_to_string(self.outside("secret.md")).unwrap(), SECRET);
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// How many unfinished files stand in a folder and below.
fn left_over(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let count = entries.map(|entry| match entry.file_type().unwrap().is_dir() {
        true => left_over(&entry.path()),
        false => usize::from(entry.file_name().to_string_lossy().starts_with(".meadow-")),
    });
    count.sum()
}

#[track_caller]
fn outside<T: std::fmt::Debug>(result: Result<T, VaultError>) {
    assert!(matches!(result, Err(VaultError::Outside(_))), "{result:?}");
}
