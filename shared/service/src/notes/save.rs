//! Saving a note: never over what somebody else wrote, unless it is said that this is what is wanted.

use super::store::{Expect, Note, NoteHead, WriteOutcome};
use super::{MAX_READ, MAX_WRITE, Notes, NotesError, VaultError, sha256};
use crate::ids::Workspace;
use meadow_notes::{NotePath, fold, front};
use std::time::Duration;

/// How often a save that depends on no earlier look is tried where others write at the same moment.
const TRIES: u64 = 40;

/// How a note is saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// A new one; what has that name stays.
    #[default]
    Create,
    /// In place of what has that name.
    Overwrite,
    /// Behind what has that name.
    Append,
}

/// What to save.
#[derive(Debug, Clone, Copy, Default)]
pub struct Save<'a> {
    /// The path in the vault, as somebody made it up: see [`NotePath::clean`]; also its URI or absolute path.
    pub filename: &'a str,
    /// The text.
    pub content: &'a str,
    /// How.
    pub mode: Mode,
    /// SHA-256 in hexadecimal of the content that the caller has seen; another content stays.
    pub if_match: Option<&'a str>,
}

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SaveStatus {
    /// It stands there now.
    Saved,
    /// It stands behind what was there.
    Appended,
    /// Exactly this stood there already.
    Unchanged,
    /// Nothing was written: the name is taken.
    Exists,
    /// Nothing was written: the note is not what `if_match` says, or was changed at the same moment.
    Conflict,
    /// Nothing was written: a note or folder has the same name in another case.
    Ambiguous,
}

impl SaveStatus {
    /// In a word, as answers have it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Saved => "saved",
            Self::Appended => "appended",
            Self::Unchanged => "unchanged",
            Self::Exists => "exists",
            Self::Conflict => "conflict",
            Self::Ambiguous => "ambiguous",
        }
    }
}

/// A note that is in the way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Existing {
    /// Its first lines.
    pub beginning: String,
    /// A name that is free.
    pub free: Option<NotePath>,
}

/// The answer to a save.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// What came of it.
    pub status: SaveStatus,
    /// The path, as it was made fit; with [`SaveStatus::Ambiguous`] that of the twin.
    pub path: NotePath,
    /// Where people find it.
    pub location: Option<String>,
    /// Whether there was no such note before.
    pub created: bool,
    /// Bytes before; 0 where there was none.
    pub bytes_before: u64,
    /// Bytes now.
    pub bytes_after: u64,
    /// SHA-256 of what stands there now, in hexadecimal; empty where nothing does.
    pub sha256: String,
    /// What was changed about the name.
    pub changes: Vec<String>,
    /// The note that is in the way, where one is.
    pub existing: Option<Existing>,
}

impl Notes {
    /// Saves a note.
    ///
    /// # Errors
    /// A name that cannot be made fit, a text that is too long, or a vault that fails.
    pub async fn save(&self, workspace: &Workspace, save: Save<'_>) -> Result<Saved, NotesError> {
        let (path, changes) = match self.located(workspace, save.filename)? {
            Some(path) => (path, Vec::new()),
            None => {
                let cleaned = NotePath::clean(save.filename)?;
                (cleaned.path, cleaned.changes)
            }
        };
        if save.content.len() > MAX_WRITE {
            return Err(NotesError::Refused(format!(
                "the content has {} bytes; at most {MAX_WRITE} are saved at once, split it into several notes",
                save.content.len()
            )));
        }
        let mut saved = self.tried(workspace, path, &save).await?;
        saved.changes = changes;
        Ok(saved)
    }

    /// Saves; again where somebody else wrote between look and write, and the caller did not say what must stand there.
    /// Nothing was written then, so that nothing is there twice.
    async fn tried(&self, workspace: &Workspace, path: NotePath, save: &Save<'_>) -> Result<Saved, NotesError> {
        // Those of this process that were not fast enough go on one by one.
        let mut turn = None;
        for tried in 1..=TRIES {
            let current = match self.store.read(workspace, &path, MAX_READ).await {
                Err(VaultError::Full(reason)) if save.mode == Mode::Append => return Err(NotesError::Refused(reason)),
                current => current?,
            };
            let saved = match current {
                Some(note) => self.over(workspace, &path, note, save).await?,
                None => self.new_note(workspace, &path, save).await?,
            };
            if let Some(saved) = saved {
                return Ok(saved);
            }
            if turn.is_none() {
                turn = Some(self.retries.lock().await);
            } else {
                // Other processes come first for a moment.
                tokio::time::sleep(Duration::from_millis((5 * tried).min(50))).await;
            }
        }
        let now = self.store.read(workspace, &path, MAX_READ).await?;
        let mut saved = self.answer(workspace, SaveStatus::Conflict, &path, now.as_ref());
        saved.existing = now.as_ref().map(|note| existing(note, None));
        Ok(saved)
    }

    /// Where nothing stands yet; none where somebody was faster.
    async fn new_note(
        &self,
        workspace: &Workspace,
        path: &NotePath,
        save: &Save<'_>,
    ) -> Result<Option<Saved>, NotesError> {
        let heads = self.store.list(workspace).await?;
        if heads.iter().any(|head| head.path == *path) {
            return Ok(None);
        }
        if let Some(twin) = twin(&heads, path) {
            return Ok(Some(self.answer(workspace, SaveStatus::Ambiguous, &twin, None)));
        }
        if save.if_match.is_some() && save.mode != Mode::Create {
            return Ok(Some(self.answer(workspace, SaveStatus::Conflict, path, None)));
        }
        let bytes = save.content.as_bytes();
        let now = self.clock.now();
        let outcome = self.store.write(workspace, path, bytes, &Expect::Absent, now).await?;
        let WriteOutcome::Written(_) = outcome else {
            return Ok(None);
        };
        let mut saved = self.answer(workspace, SaveStatus::Saved, path, None);
        saved.created = true;
        Ok(Some(after(saved, bytes)))
    }

    /// Where a note stands; none where it was changed meanwhile and may be tried again.
    async fn over(
        &self,
        workspace: &Workspace,
        path: &NotePath,
        note: Note,
        save: &Save<'_>,
    ) -> Result<Option<Saved>, NotesError> {
        if save.mode == Mode::Create {
            return self.in_the_way(workspace, path.clone(), &note, save).await.map(Some);
        }
        if let Some(wanted) = save.if_match
            && !is_digest(wanted, &note.bytes)
        {
            // A lost answer to the very same overwrite is no conflict.
            if save.mode == Mode::Overwrite && note.bytes == save.content.as_bytes() {
                return Ok(Some(self.answer(workspace, SaveStatus::Unchanged, path, Some(&note))));
            }
            let mut saved = self.answer(workspace, SaveStatus::Conflict, path, Some(&note));
            saved.existing = Some(existing(&note, None));
            return Ok(Some(saved));
        }
        let (bytes, status) = match save.mode {
            Mode::Append => (appended(&note.bytes, save.content), SaveStatus::Appended),
            _ => (save.content.as_bytes().to_owned(), SaveStatus::Saved),
        };
        if bytes == note.bytes {
            return Ok(Some(self.answer(workspace, SaveStatus::Unchanged, path, Some(&note))));
        }
        if bytes.len() as u64 > MAX_READ {
            return Err(NotesError::Refused(format!(
                "the note {:?} would have {} bytes; at most {MAX_READ} are kept in one, begin another",
                path.as_str(),
                bytes.len()
            )));
        }
        let expected = match (save.mode, save.if_match) {
            (Mode::Overwrite, None) => Expect::Any,
            _ => Expect::Version(note.head.version.clone()),
        };
        let outcome = self
            .store
            .write(workspace, path, &bytes, &expected, self.clock.now())
            .await?;
        Ok(match outcome {
            WriteOutcome::Written(_) => {
                let saved = self.answer(workspace, status, path, Some(&note));
                Some(after(saved, &bytes))
            }
            // The next look finds what is there now, which is not what `if_match` says where that is given.
            WriteOutcome::Conflict(_) => None,
        })
    }

    async fn in_the_way(
        &self,
        workspace: &Workspace,
        path: NotePath,
        note: &Note,
        save: &Save<'_>,
    ) -> Result<Saved, NotesError> {
        if note.bytes == save.content.as_bytes() {
            return Ok(self.answer(workspace, SaveStatus::Unchanged, &path, Some(note)));
        }
        let heads = self.store.list(workspace).await?;
        let taken: Vec<String> = heads.iter().map(|head| head.path.fold()).collect();
        let mut numbers = (2..1000).filter_map(|number| path.numbered(number));
        let free = numbers.find(|free| !taken.contains(&free.fold()));
        let mut saved = self.answer(workspace, SaveStatus::Exists, &path, Some(note));
        saved.existing = Some(existing(note, free));
        Ok(saved)
    }

    /// An answer about a note as it stands.
    fn answer(&self, workspace: &Workspace, status: SaveStatus, path: &NotePath, note: Option<&Note>) -> Saved {
        let size = note.map_or(0, |note| note.bytes.len() as u64);
        Saved {
            status,
            location: self.location(workspace, path),
            path: path.clone(),
            created: false,
            bytes_before: size,
            bytes_after: size,
            sha256: note.map_or_else(String::new, |note| sha256(&note.bytes)),
            changes: Vec::new(),
            existing: None,
        }
    }
}

fn after(saved: Saved, bytes: &[u8]) -> Saved {
    Saved {
        bytes_after: bytes.len() as u64,
        sha256: sha256(bytes),
        ..saved
    }
}

/// The path that somebody probably means who writes `path` in another case than what is there: the note, or the same
/// name in the folder that is there.
fn twin(heads: &[NoteHead], path: &NotePath) -> Option<NotePath> {
    let folded = path.fold();
    if let Some(head) = heads.iter().find(|head| head.path.fold() == folded) {
        return Some(head.path.clone());
    }
    let folder = path.folder();
    if folder.is_empty() || heads.iter().any(|head| head.path.is_in(folder)) {
        return None;
    }
    // The longest part of the way that is there in another case.
    let segments: Vec<&str> = folder.split('/').collect();
    for length in (1..=segments.len()).rev() {
        let part = segments[..length].join("/");
        if heads.iter().any(|head| head.path.is_in(&part)) {
            return None;
        }
        let wanted = fold(&part);
        let found = heads.iter().find_map(|head| {
            let there: Vec<&str> = head.path.folder().split('/').collect();
            let there = there.get(..length)?.join("/");
            (fold(&there) == wanted).then_some(there)
        });
        if let Some(found) = found {
            return NotePath::parse(&format!("{found}{}", &path.as_str()[part.len()..])).ok();
        }
    }
    None
}

/// Whether this is the SHA-256 of the bytes, however it is written.
fn is_digest(text: &str, bytes: &[u8]) -> bool {
    let text = text.trim().trim_matches('"').to_ascii_lowercase();
    text.strip_prefix("sha256:").unwrap_or(&text) == sha256(bytes)
}

/// A note with a text behind it, on a line of its own, with the note's line ending.
fn appended(note: &[u8], text: &str) -> Vec<u8> {
    let end = front::line_ending(&String::from_utf8_lossy(note));
    let mut bytes = note.to_owned();
    let bare = note.strip_prefix("\u{feff}".as_bytes()).unwrap_or(note);
    if !bare.is_empty() && !bare.ends_with(b"\n") && !text.is_empty() {
        bytes.extend(end.as_bytes());
    }
    if end == "\r\n" {
        bytes.extend(text.replace("\r\n", "\n").replace('\n', end).as_bytes());
    } else {
        bytes.extend(text.as_bytes());
    }
    bytes
}

fn existing(note: &Note, free: Option<NotePath>) -> Existing {
    let text = String::from_utf8_lossy(&note.bytes);
    let mut beginning: String = text.lines().take(5).collect::<Vec<_>>().join("\n");
    if let Some((cut, _)) = beginning.char_indices().nth(400) {
        beginning.truncate(cut);
        beginning.push('…');
    }
    Existing { beginning, free }
}
