//! Notes in a folder of this machine.
//!
//! # Layout, in reading order
//! - [`Vault`]: the adapter of [`NoteStore`]; each call does its work on a blocking thread.
//! - `folder`: the folder, opened anew for each call, and everything below it through that capability alone.
//! - `walk`: all notes. `write`: one note, whole or not at all. `failure`: errors of the system in our words.
//!
//! Nothing keeps a path of the system: every name is resolved below the opened folder (cap-std), so that no link, no
//! `..` and no folder that is swapped for a link meanwhile leads out. Links within the vault are followed.

mod failure;
mod folder;
#[cfg(test)]
#[cfg(unix)]
mod tests;
mod walk;
mod write;

use async_trait::async_trait;
use folder::Folder;
use meadow_notes::NotePath;
use meadow_service::notes::{Expect, Note, NoteHead, NoteStore, VaultError, WriteOutcome};
use meadow_service::{Timestamp, Workspace};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A folder with notes, of one workspace. Other programs may read and write there too.
#[derive(Debug, Clone)]
pub struct Vault {
    folder: Arc<Folder>,
    workspace: Workspace,
}

impl Vault {
    /// The vault in `dir`, for `workspace`. The folder need not be there; the first write makes it.
    #[must_use]
    pub fn new(dir: &Path, workspace: Workspace) -> Self {
        // Where there is no current folder, errors come with the first use.
        let root = std::path::absolute(dir).unwrap_or_else(|_| PathBuf::from(dir));
        Self {
            folder: Arc::new(Folder::new(root)),
            workspace,
        }
    }

    /// Runs `work` where it may block.
    async fn run<T: Send + 'static>(
        &self,
        workspace: &Workspace,
        work: impl FnOnce(&Folder) -> Result<T, VaultError> + Send + 'static,
    ) -> Result<T, VaultError> {
        if *workspace != self.workspace {
            return Err(VaultError::NoVault(format!(
                "the notes here belong to the workspace {:?}, not to {:?}",
                self.workspace.as_str(),
                workspace.as_str()
            )));
        }
        let folder = Arc::clone(&self.folder);
        let worked = tokio::task::spawn_blocking(move || work(&folder)).await;
        worked.unwrap_or_else(|error| Err(VaultError::Unavailable(error.to_string())))
    }
}

#[async_trait]
impl NoteStore for Vault {
    async fn list(&self, workspace: &Workspace) -> Result<Vec<NoteHead>, VaultError> {
        self.run(workspace, walk::list).await
    }

    async fn read(&self, workspace: &Workspace, path: &NotePath, most: u64) -> Result<Option<Note>, VaultError> {
        let path = path.clone();
        self.run(workspace, move |folder| folder.read(&path, most)).await
    }

    async fn write(
        &self,
        workspace: &Workspace,
        path: &NotePath,
        bytes: &[u8],
        expected: &Expect,
        at: Timestamp,
    ) -> Result<WriteOutcome, VaultError> {
        let (path, bytes, expected) = (path.clone(), bytes.to_owned(), expected.clone());
        self.run(workspace, move |folder| {
            write::write(folder, &path, &bytes, &expected, at)
        })
        .await
    }

    fn location(&self, workspace: &Workspace, path: &NotePath) -> Option<String> {
        let place = || self.folder.root.join(path.as_str()).display().to_string();
        (*workspace == self.workspace).then(place)
    }
}
