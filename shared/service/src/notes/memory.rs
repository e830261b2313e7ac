//! A vault that forgets everything at exit: for tests and trials.

use super::store::{Expect, Note, NoteHead, NoteStore, NoteVersion, VaultError, WriteOutcome};
use crate::clock::Timestamp;
use crate::ids::Workspace;
use async_trait::async_trait;
use meadow_notes::NotePath;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The vault. Everything happens under one lock, so every promise of [`NoteStore`] holds by construction.
#[derive(Debug, Default)]
pub struct MemoryNotes(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    workspaces: HashMap<Workspace, BTreeMap<NotePath, Note>>,
    /// How many writes there were, which makes versions.
    writes: u64,
}

impl MemoryNotes {
    /// An empty vault for every workspace.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl NoteStore for MemoryNotes {
    async fn list(&self, workspace: &Workspace) -> Result<Vec<NoteHead>, VaultError> {
        let kept = self.lock();
        let notes = kept.workspaces.get(workspace);
        Ok(notes.map_or_else(Vec::new, |notes| notes.values().map(|note| note.head.clone()).collect()))
    }

    async fn read(&self, workspace: &Workspace, path: &NotePath, most: u64) -> Result<Option<Note>, VaultError> {
        let kept = self.lock();
        let note = kept.workspaces.get(workspace).and_then(|notes| notes.get(path));
        match note {
            Some(note) if note.head.size > most => Err(VaultError::too_large(path, note.head.size, most)),
            note => Ok(note.cloned()),
        }
    }

    async fn write(
        &self,
        workspace: &Workspace,
        path: &NotePath,
        bytes: &[u8],
        expected: &Expect,
        at: Timestamp,
    ) -> Result<WriteOutcome, VaultError> {
        let mut kept = self.lock();
        kept.writes += 1;
        let version = NoteVersion(kept.writes.to_string());
        let notes = kept.workspaces.entry(workspace.clone()).or_default();
        let current = notes.get(path).map(|note| &note.head);
        if !expected.holds(current) {
            return Ok(WriteOutcome::Conflict(current.cloned()));
        }
        let head = NoteHead {
            path: path.clone(),
            size: bytes.len() as u64,
            modified: at,
            version,
        };
        let note = Note {
            head: head.clone(),
            bytes: bytes.to_owned(),
        };
        notes.insert(path.clone(), note);
        Ok(WriteOutcome::Written(head))
    }

    fn location(&self, _: &Workspace, _: &NotePath) -> Option<String> {
        None
    }
}
