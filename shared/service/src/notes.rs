//! Notes: the use cases, and where notes are kept.
//!
//! # Layout, in reading order
//! - [`store`]: the port, with what every vault promises. [`memory`]: one that forgets everything at exit.
//! - [`save`]: writing, never over what somebody else wrote.
//! - [`list`]: finding. [`index`](self): what is known of notes without reading them again.
//! - [`read`]: text, headings, links there and back. `resolve`: which note a name or a link means.

mod index;
pub mod list;
pub mod memory;
pub mod read;
mod resolve;
pub mod save;
pub mod store;
#[cfg(test)]
mod tests;

pub use list::{List, Listed, Listing};
pub use meadow_notes::path::visible;
pub use memory::MemoryNotes;
pub use read::{Found, Read, ReadNote};
pub use save::{Existing, Mode, Save, SaveStatus, Saved};
pub use store::{Expect, NoVault, Note, NoteHead, NoteStore, NoteVersion, VaultError, WriteOutcome};

use crate::clock::Clock;
use crate::ids::Workspace;
use index::Index;
use meadow_notes::{BadPath, Front, NotePath, front};
use std::sync::Arc;

/// The longest note that is written, in bytes: four times what an agent writes at most.
pub const MAX_WRITE: usize = 4 << 20;

/// The longest note that is read, in bytes; a longer one is listed by its name alone.
pub const MAX_READ: u64 = 8 << 20;

/// The folder with a user's own frameworks.
pub const FRAMEWORKS: &str = "_frameworks";

/// The use cases of notes. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Notes {
    store: Arc<dyn NoteStore>,
    clock: Arc<dyn Clock>,
    index: Arc<Index>,
    /// Held by a save that is tried again.
    retries: Arc<tokio::sync::Mutex<()>>,
}

/// Why a use case did not do what was asked. What can be mended by another call is an answer and none of these.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotesError {
    /// A text is no path of a note.
    #[error(transparent)]
    BadPath(#[from] BadPath),
    /// Something else cannot be taken; the text says what to give.
    #[error("{0}")]
    Refused(String),
    /// The vault failed.
    #[error(transparent)]
    Vault(#[from] VaultError),
}

/// A note as a template: for frameworks of a user's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// Where it stands.
    pub path: NotePath,
    /// Its title, or its name.
    pub title: String,
    /// Other names of it.
    pub aliases: Vec<String>,
    /// The text behind its front matter.
    pub body: String,
}

impl Notes {
    /// Use cases over this vault.
    #[must_use]
    pub fn new(store: Arc<dyn NoteStore>, clock: Arc<dyn Clock>) -> Self {
        Self {
            store,
            clock,
            index: Arc::default(),
            retries: Arc::default(),
        }
    }

    /// Where a note stands, for people to open.
    #[must_use]
    pub fn location(&self, workspace: &Workspace, path: &NotePath) -> Option<String> {
        self.store.location(workspace, path)
    }

    /// The folder of the vault, with the separator behind it; none where the vault is not on this machine.
    #[must_use]
    pub fn folder_of(&self, workspace: &Workspace) -> Option<String> {
        let probe = NotePath::parse("x.md").ok()?;
        let location = self.location(workspace, &probe)?;
        let local = !location.contains("://");
        location.strip_suffix("x.md").filter(|_| local).map(str::to_owned)
    }

    /// The note that an absolute path of this machine names, as [`Self::location`] gives them; none outside the vault,
    /// and where the vault is not on this machine.
    #[must_use]
    pub fn at(&self, workspace: &Workspace, absolute: &str) -> Option<NotePath> {
        let slashes = |text: &str| {
            if text.starts_with('/') {
                text.to_owned()
            } else {
                text.replace('\\', "/")
            }
        };
        let folder = slashes(&self.folder_of(workspace)?);
        NotePath::parse(slashes(absolute).strip_prefix(&folder)?).ok()
    }

    /// The note that a `note:///` URI names, or a `file:///` URI of a file in the vault.
    ///
    /// # Errors
    /// Where it names none; the text says why.
    pub fn by_uri(&self, workspace: &Workspace, uri: &str) -> Result<NotePath, BadPath> {
        if !uri
            .get(..7)
            .is_some_and(|scheme| scheme.eq_ignore_ascii_case("file://"))
        {
            return NotePath::from_uri(uri);
        }
        let absolute = meadow_notes::path::file_path(uri)?;
        self.at(workspace, &absolute)
            .ok_or_else(|| BadPath("it is no note of the vault; list_local_notes tells which there are".to_owned()))
    }

    /// The note that a name is the URI or the absolute path of; none where it is another name.
    fn located(&self, workspace: &Workspace, name: &str) -> Result<Option<NotePath>, BadPath> {
        let name = name.trim();
        let uri = |scheme: &str| {
            let start = name.get(..scheme.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(scheme))
        };
        if uri("note://") || uri("file://") {
            return self.by_uri(workspace, name).map(Some);
        }
        Ok(self.at(workspace, name))
    }

    /// The text of a note by its exact path; none where there is none. Bytes that are no UTF-8 are replaced.
    ///
    /// # Errors
    /// Where the vault fails.
    pub async fn text(&self, workspace: &Workspace, path: &NotePath) -> Result<Option<String>, NotesError> {
        let note = self.store.read(workspace, path, MAX_READ).await?;
        Ok(note.map(|note| String::from_utf8_lossy(&note.bytes).into_owned()))
    }

    /// The saved papers with these arXiv ids (without version) or DOIs, in the same order: the note and its title.
    ///
    /// # Errors
    /// Where the vault fails.
    pub async fn find_by_ids(
        &self,
        workspace: &Workspace,
        ids: &[&str],
    ) -> Result<Vec<Option<(NotePath, String)>>, NotesError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let known = self.known(workspace).await?;
        let find = |id: &&str| {
            let id = index::paper_id(id);
            let found = known.notes.iter().find(|note| note.entry.ids.contains(&id))?;
            Some((found.head.path.clone(), found.title().to_owned()))
        };
        Ok(ids.iter().map(find).collect())
    }

    /// The saved paper with this arXiv id or DOI.
    ///
    /// # Errors
    /// Where the vault fails.
    pub async fn find_by_id(&self, workspace: &Workspace, id: &str) -> Result<Option<(NotePath, String)>, NotesError> {
        Ok(self.find_by_ids(workspace, &[id]).await?.pop().flatten())
    }

    /// The titles of the notes at these paths, in the same order; none where there is no note.
    ///
    /// # Errors
    /// Where the vault fails.
    pub async fn titles(&self, workspace: &Workspace, paths: &[&NotePath]) -> Result<Vec<Option<String>>, NotesError> {
        if paths.is_empty() {
            return Ok(Vec::new());
        }
        let known = self.known(workspace).await?;
        let title = |path: &&NotePath| {
            let found = known.notes.iter().find(|note| note.head.path == **path)?;
            Some(found.title().to_owned())
        };
        Ok(paths.iter().map(title).collect())
    }

    /// The paths of all notes.
    ///
    /// # Errors
    /// Where the vault fails.
    pub async fn paths(&self, workspace: &Workspace) -> Result<Vec<String>, NotesError> {
        let heads = self.store.list(workspace).await?;
        Ok(heads.into_iter().map(|head| head.path.into()).collect())
    }

    /// The arXiv ids and DOIs of all saved papers.
    ///
    /// # Errors
    /// Where the vault fails.
    pub async fn paper_ids(&self, workspace: &Workspace) -> Result<Vec<String>, NotesError> {
        let known = self.known(workspace).await?;
        Ok(known.notes.iter().flat_map(|note| note.entry.ids.clone()).collect())
    }

    /// The notes of a folder as templates, by path: at most 100, of at most 64 kB each.
    ///
    /// # Errors
    /// Where the vault fails.
    pub async fn folder(&self, workspace: &Workspace, folder: &str) -> Result<Vec<Template>, NotesError> {
        let heads = self.store.list(workspace).await?;
        let inside = heads
            .into_iter()
            .filter(|head| head.path.is_in(folder) && head.size <= 64 << 10);
        let mut found = Vec::new();
        for head in inside.take(100) {
            // One that was taken away meanwhile, or grew, is none.
            let Ok(Some(note)) = self.store.read(workspace, &head.path, 64 << 10).await else {
                continue;
            };
            let text = String::from_utf8_lossy(&note.bytes);
            let front = Front::of(&text);
            found.push(Template {
                title: front.title.unwrap_or_else(|| head.path.stem().to_owned()),
                aliases: front.aliases,
                body: text[front::split(&text).body].to_owned(),
                path: head.path,
            });
        }
        Ok(found)
    }
}

/// SHA-256 of bytes, in hexadecimal digits.
fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest;
    use std::fmt::Write;
    sha2::Sha256::digest(bytes).iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
