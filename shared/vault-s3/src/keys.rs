//! How a note is called in the bucket, and which keys are notes. Nowhere else is a key put together.

use crate::S3Vault;
use meadow_notes::NotePath;
use meadow_service::Workspace;
use meadow_service::notes::VaultError;

/// The longest key that S3 takes, in bytes.
const MAX_KEY: usize = 1024;

impl S3Vault {
    /// What each key of a workspace begins with. It ends in `/`, so that none is the beginning of another.
    pub(crate) fn folder(&self, workspace: &Workspace) -> Result<String, VaultError> {
        if let Some(fault) = fault(workspace.as_str()) {
            return Err(VaultError::NoVault(format!(
                "the workspace {workspace:?} can have no folder in a bucket: its name {fault}; use another workspace",
                workspace = workspace.as_str()
            )));
        }
        Ok(match self.prefix.as_str() {
            "" => format!("{workspace}/"),
            prefix => format!("{prefix}/{workspace}/"),
        })
    }

    /// The key of a note.
    pub(crate) fn key(&self, workspace: &Workspace, path: &NotePath) -> Result<String, VaultError> {
        let mut key = self.folder(workspace)?;
        let path = path.as_str();
        // A `NotePath` is nothing of this; what guards the other workspaces does not count on it.
        if let Some(fault) = fault(path) {
            return Err(VaultError::Outside(format!(
                "the path {path:?} {fault}; give another one"
            )));
        }
        if !is_note(path) {
            return Err(VaultError::Outside(format!(
                "{path:?} is no note: its name ends in .md"
            )));
        }
        key.push_str(path);
        if key.len() > MAX_KEY {
            return Err(VaultError::Full(format!(
                "the key of {path:?} would have {} bytes in the bucket, where {MAX_KEY} are possible; shorten its names",
                key.len()
            )));
        }
        Ok(key)
    }
}

/// The note that an object is, by what follows the workspace's folder in its key. None for the objects of folders, for
/// hidden ones, and for whatever else other programs keep here.
pub(crate) fn note(rest: &str) -> Option<NotePath> {
    if fault(rest).is_some() || !is_note(rest) {
        return None;
    }
    // Read back as it stands here, or it could not be opened by the path that it was listed with.
    NotePath::parse(rest).ok().filter(|path| path.as_str() == rest)
}

/// Whether a name is that of a note.
pub(crate) fn is_note(path: &str) -> bool {
    let bytes = path.as_bytes();
    bytes.len() > 3 && bytes[bytes.len() - 3..].eq_ignore_ascii_case(b".md") && !path.ends_with("/.md")
}

/// Why a text is no way into a folder of the bucket.
pub(crate) fn fault(path: &str) -> Option<&'static str> {
    if path.chars().any(|c| c.is_control() || c == '\\') {
        return Some("has a control character or a backslash");
    }
    path.split('/').find_map(|segment| match segment {
        "" => Some("has an empty segment"),
        "." | ".." => Some("has a segment that leads elsewhere"),
        _ if segment.starts_with('.') => Some("is hidden"),
        _ => None,
    })
}
