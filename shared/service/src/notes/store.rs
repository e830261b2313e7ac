//! Where notes are kept: a vault, which other programs write too.

use crate::clock::Timestamp;
use crate::ids::Workspace;
use async_trait::async_trait;
use meadow_notes::NotePath;
use std::fmt;

/// Tells one content of a note from another, as its store sees it: an `ETag`, or the time and size of a file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct NoteVersion(pub String);

/// What is known of a note without its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoteHead {
    /// Which note.
    pub path: NotePath,
    /// Bytes.
    pub size: u64,
    /// When it was last written.
    pub modified: Timestamp,
    /// Which content.
    pub version: NoteVersion,
}

/// A note with its bytes, which need not be UTF-8: other programs write here too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// What is known of it.
    pub head: NoteHead,
    /// All of it.
    pub bytes: Vec<u8>,
}

/// What must be true of a note before it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expect {
    /// Nothing.
    Any,
    /// There is none.
    Absent,
    /// It has this content.
    Version(NoteVersion),
}

impl Expect {
    /// Whether it is true of a note as it stands.
    #[must_use]
    pub fn holds(&self, current: Option<&NoteHead>) -> bool {
        match self {
            Self::Any => true,
            Self::Absent => current.is_none(),
            Self::Version(version) => current.is_some_and(|head| head.version == *version),
        }
    }
}

/// What came of a write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WriteOutcome {
    /// It stands there now.
    Written(NoteHead),
    /// The expectation did not hold; nothing was written. The note as it stands, where there is one.
    Conflict(Option<NoteHead>),
}

/// Why a vault did not do its work. Nothing was written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VaultError {
    /// There is no vault for this workspace.
    #[error("{0}")]
    NoVault(String),
    /// The way there leaves the vault, such as through a link, or is something other than a folder or a note.
    #[error("{0}")]
    Outside(String),
    /// No room left, or a name or a text that is too long for it.
    #[error("{0}")]
    Full(String),
    /// It may not be read or written.
    #[error("{0}")]
    Denied(String),
    /// It cannot be reached, or did not answer in time; trying again may help.
    #[error("the vault cannot be reached: {0}")]
    Unavailable(String),
    /// What stands there cannot be used, such as an encrypted vault.
    #[error("{0}")]
    Unusable(String),
}

impl VaultError {
    /// A note of `size` bytes that was to be read with at most `most`.
    #[must_use]
    pub fn too_large(path: &NotePath, size: u64, most: u64) -> Self {
        Self::Full(format!(
            "the note {:?} has {size} bytes; at most {most} are read, split it",
            path.as_str()
        ))
    }
}

/// A vault.
///
/// Promises, which `contract::notes` holds against every store:
/// - What is written is read back byte for byte; a write is all or nothing, also for readers meanwhile.
/// - Of N racing writers who expect [`Expect::Absent`] exactly one wins.
/// - A note that changed since the version that is expected stays as it is. (In a folder another program can still
///   write in the instant between the look and the change of name.)
/// - Names come back as they were given, in every script.
/// - Nothing outside the vault is ever read or written, whatever links stand in it.
/// - Hidden files and folders (`.obsidian`, `.trash`, `.git`, all that begin with a dot) are neither listed nor touched.
/// - Workspaces see nothing of each other.
#[async_trait]
pub trait NoteStore: Send + Sync + fmt::Debug {
    /// All notes (`.md` files) of the workspace, by path. A vault that is not there yet has none.
    async fn list(&self, workspace: &Workspace) -> Result<Vec<NoteHead>, VaultError>;

    /// A note, by its exact path. Of at most `most` bytes; a larger one is [`VaultError::Full`].
    async fn read(&self, workspace: &Workspace, path: &NotePath, most: u64) -> Result<Option<Note>, VaultError>;

    /// Writes a note, with the folders above it.
    async fn write(
        &self,
        workspace: &Workspace,
        path: &NotePath,
        bytes: &[u8],
        expected: &Expect,
        at: Timestamp,
    ) -> Result<WriteOutcome, VaultError>;

    /// Where a note stands, for people to open: an absolute path on this machine, or `s3://bucket/key`.
    fn location(&self, workspace: &Workspace, path: &NotePath) -> Option<String>;
}

/// Where nobody set up a vault.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoVault;

impl NoVault {
    fn error<T>() -> Result<T, VaultError> {
        Err(VaultError::NoVault(
            "no vault is set up here; start meadow with --vault DIR, or give the function a bucket for notes"
                .to_owned(),
        ))
    }
}

#[async_trait]
impl NoteStore for NoVault {
    async fn list(&self, _: &Workspace) -> Result<Vec<NoteHead>, VaultError> {
        Self::error()
    }

    async fn read(&self, _: &Workspace, _: &NotePath, _: u64) -> Result<Option<Note>, VaultError> {
        Self::error()
    }

    async fn write(
        &self,
        _: &Workspace,
        _: &NotePath,
        _: &[u8],
        _: &Expect,
        _: Timestamp,
    ) -> Result<WriteOutcome, VaultError> {
        Self::error()
    }

    fn location(&self, _: &Workspace, _: &NotePath) -> Option<String> {
        None
    }
}
