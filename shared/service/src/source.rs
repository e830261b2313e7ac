//! A document as it is stored: the exact text and what is known of it.

use meadow_model::limits::MAX_PACKED;
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// Characters of a name that are kept beside the text: lists of a hundred models stay small, whatever they are called.
const MAX_NAME: usize = 200;

/// What a store keeps of one revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The exact text, without a leading byte order mark.
    pub text: Arc<str>,
    /// SHA-256 of the text.
    pub sha256: [u8; 32],
    /// `system_name`, as far as it is given; its first 200 characters.
    pub name: String,
    /// Whether the report was complete.
    pub complete: bool,
}

impl Source {
    /// A text with what is known of it.
    #[must_use]
    pub fn new(text: impl Into<Arc<str>>, name: &str, complete: bool) -> Self {
        let text = text.into();
        Self {
            sha256: sha256(&text),
            text,
            name: name.chars().take(MAX_NAME).collect(),
            complete,
        }
    }
}

/// SHA-256 of a text.
#[must_use]
pub fn sha256(text: &str) -> [u8; 32] {
    Sha256::digest(text).into()
}

/// Bytes as hexadecimal digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The size of `text` after zstd, where it is larger than [`MAX_PACKED`] as it stands; `None` where it need not be
/// packed to fit.
///
/// Level 1 on every store: the limit must not depend on where a model is kept.
///
/// # Errors
/// Where zstd cannot get memory.
pub fn packed_size(text: &str) -> std::io::Result<Option<usize>> {
    if text.len() <= MAX_PACKED {
        return Ok(None);
    }
    zstd::bulk::compress(text.as_bytes(), 1).map(|packed| Some(packed.len()))
}
