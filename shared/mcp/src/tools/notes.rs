//! What the tools of notes share.

use super::refused;
use meadow_service::notes::{NotesError, VaultError};
use rmcp::model::CallToolResult;

/// A failure of a use case of notes.
pub(super) fn failed(error: &NotesError) -> CallToolResult {
    match error {
        NotesError::Vault(VaultError::Unavailable(_)) => {
            tracing::error!(%error, "mcp.vault_failed");
            refused(format!("{error}; try again"))
        }
        error => refused(error.to_string()),
    }
}

/// A size for people.
pub(super) fn bytes(size: u64) -> String {
    match size {
        0..1000 => format!("{size} B"),
        1000..1_000_000 => format!("{}.{} kB", size / 1000, size % 1000 / 100),
        _ => format!("{}.{} MB", size / 1_000_000, size % 1_000_000 / 100_000),
    }
}

/// A text on one line, at most so many characters.
pub(super) fn line(text: &str, most: usize) -> String {
    let mut line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((cut, _)) = line.char_indices().nth(most) {
        line.truncate(cut);
        line.push('…');
    }
    line
}
