//! Notes: the use cases, and where notes are kept.

pub mod store;

pub use store::{Expect, NoVault, Note, NoteHead, NoteStore, NoteVersion, VaultError, WriteOutcome};

use crate::clock::Clock;
use std::sync::Arc;

/// The use cases of notes. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Notes {
    store: Arc<dyn NoteStore>,
    clock: Arc<dyn Clock>,
}

impl Notes {
    /// Use cases over this vault.
    #[must_use]
    pub fn new(store: Arc<dyn NoteStore>, clock: Arc<dyn Clock>) -> Self {
        Self { store, clock }
    }
}
