//! Where a note stands in its vault.

mod clean;
mod rules;
mod uri;

pub use clean::{Cleaned, clean_name};
pub use uri::{file_path, file_uri};

use serde::{Deserialize, Serialize};
use std::fmt;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// The path of a note, relative to its vault, with `/` between segments: NFC, and no segment that leaves the vault, is
/// hidden or reserved; it ends in `.md`. Whoever has one may hand it to a file system.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct NotePath(String);

impl NotePath {
    /// The longest path, in bytes: an S3 key has 1,024, of which a prefix needs some.
    pub const MAX: usize = 1000;

    /// The longest segment, in bytes: what the file systems of Linux take, and the others at least. A file that is
    /// written before it gets this name has a short name of its own.
    pub const MAX_SEGMENT: usize = 255;

    /// Reads a path that was given, and puts it into NFC. Without an extension it gets `.md`.
    ///
    /// # Errors
    /// Where it is none; the text names the segment, what was found, and what to change.
    pub fn parse(text: &str) -> Result<Self, BadPath> {
        let text = composed(text);
        rules::whole(&text)?;
        let (folders, name) = text.rsplit_once('/').map_or(("", text.as_str()), |(f, n)| (f, n));
        for segment in folders.split('/').skip(usize::from(folders.is_empty())) {
            rules::segment(segment)?;
        }
        rules::segment(name)?;
        let mut path = text;
        if rules::extension(path.rsplit('/').next().unwrap_or_default())?.is_none() {
            path.push_str(".md");
        }
        rules::length(&path)?;
        Ok(Self(path))
    }

    /// Makes a path from what an agent made up: characters that some file system, Obsidian or a link cannot hold are
    /// replaced, long names cut, and everything that was changed is told.
    ///
    /// # Errors
    /// Where the structure is at fault: a path that is absolute, leaves the vault, is hidden, or holds NUL or characters
    /// that turn the direction of writing. There is no telling what was meant.
    pub fn clean(text: &str) -> Result<Cleaned, BadPath> {
        clean::path(text)
    }

    /// The same as [`Self::parse`] for the path of a folder; none for the vault itself (empty, `.` or `/`).
    ///
    /// # Errors
    /// As [`Self::parse`] does; a folder has no extension.
    pub fn parse_folder(text: &str) -> Result<Option<String>, BadPath> {
        let text: String = text.trim().trim_matches('/').nfc().collect();
        if text.is_empty() || text == "." {
            return Ok(None);
        }
        rules::whole(&text)?;
        for segment in text.split('/') {
            rules::segment(segment)?;
        }
        rules::length(&text)?;
        Ok(Some(text))
    }

    /// As it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name of its file without `.md`: what a link calls it.
    #[must_use]
    pub fn stem(&self) -> &str {
        let name = self.name();
        &name[..name.len() - 3]
    }

    /// The name of its file.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or_default()
    }

    /// The folder that it stands in; empty for the vault itself.
    #[must_use]
    pub fn folder(&self) -> &str {
        self.0.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// Whether it stands in this folder, or in one below.
    #[must_use]
    pub fn is_in(&self, folder: &str) -> bool {
        folder.is_empty() || self.0.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
    }

    /// The same for paths that differ in case only, which some file systems take for one.
    #[must_use]
    pub fn fold(&self) -> String {
        fold(&self.0)
    }

    /// The same path with a number behind the name: `a/b.md` becomes `a/b 2.md`. None where the name gets too long.
    #[must_use]
    pub fn numbered(&self, number: u32) -> Option<Self> {
        let (stem, extension) = self.0.split_at(self.0.len() - 3);
        Self::parse(&format!("{stem} {number}{extension}")).ok()
    }

    /// Its URI: `note:///` and the path, percent-encoded.
    #[must_use]
    pub fn uri(&self) -> String {
        uri::note(self)
    }

    /// The path that a `note:///` URI names, percent-decoded once.
    ///
    /// # Errors
    /// Where it is no such URI, or names no path of a note.
    pub fn from_uri(text: &str) -> Result<Self, BadPath> {
        uri::path(text)
    }
}

/// A text for comparing names without regard to case: NFC, in lower case.
#[must_use]
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.nfc().flat_map(char::to_lowercase).nfc().collect()
}

/// A text in NFC, which most texts are.
fn composed(text: &str) -> String {
    match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => text.to_owned(),
        _ => text.nfc().collect(),
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

/// A text as it may stand in lists and on terminals: without control characters, and without those that cannot be seen
/// or that turn the direction of writing. A tab or the end of a line is a blank.
#[must_use]
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        let joiner = matches!(c, '\u{200c}' | '\u{200d}') && rules::joins(shown.chars().next_back());
        if matches!(c, '\t' | '\n' | '\r' | '\u{2028}' | '\u{2029}') {
            shown.push(' ');
        } else if joiner || !(rules::is_control(c) || rules::is_bidi(c) || rules::is_invisible(c)) {
            shown.push(c);
        }
    }
    shown
}

#[cfg(test)]
mod tests;
