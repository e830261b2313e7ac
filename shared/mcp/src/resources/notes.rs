//! `note:///...`: the workspace's notes; `file:///...` is the same for a vault on this machine.

use super::{MARKDOWN, MAX_DOCUMENT, PLAIN};
use crate::server::Shared;
use meadow_access::Scope;
use meadow_service::Caller;
use meadow_service::notes::{List, NotesError, VaultError};
use rmcp::model::{Resource, ResourceTemplate};

/// How many notes are listed: the newest.
const NEWEST: usize = 50;

/// The newest notes; none where there is no vault, or the caller may not see them.
pub(super) async fn list(shared: &Shared, caller: &Caller) -> Vec<Resource> {
    if caller.need(Scope::NotesRead).is_err() {
        return Vec::new();
    }
    let list = List {
        limit: NEWEST,
        ..List::default()
    };
    let listing = match shared.service.notes().list(&caller.workspace, list).await {
        Ok(listing) => listing,
        Err(NotesError::Vault(VaultError::NoVault(_))) => return Vec::new(),
        // The other resources are there all the same.
        Err(error) => {
            tracing::warn!(%error, "mcp.notes_unlisted");
            return Vec::new();
        }
    };
    let resources = listing.notes.into_iter().map(|note| {
        let tags: String = note.tags.iter().take(10).map(|tag| format!(" #{tag}")).collect();
        super::resource(
            note.path.uri(),
            note.path.as_str(),
            &note.title,
            format!("Note, last written {}{tags}", note.modified),
            MARKDOWN,
            usize::try_from(note.size).unwrap_or(usize::MAX),
        )
    });
    resources.collect()
}

pub(super) fn template() -> ResourceTemplate {
    ResourceTemplate::new("note:///{+path}", "note")
        .with_title("Note")
        .with_description("A note of the workspace by its path in the vault, such as note:///papers/quantum.md")
        .with_mime_type(MARKDOWN)
}

/// Where the vault is on this machine.
pub(super) fn file_template(shared: &Shared, caller: &Caller) -> Option<ResourceTemplate> {
    shared.service.notes().folder_of(&caller.workspace)?;
    let template = ResourceTemplate::new("file:///{+path}", "file")
        .with_title("Note as a file")
        .with_description("A note by the absolute path of its file; files outside the vault are not read")
        .with_mime_type(MARKDOWN);
    Some(template)
}

/// The text of a note with its media type; in place of one that is too large, how to read it.
pub(super) async fn read(shared: &Shared, caller: &Caller, uri: &str) -> Result<(String, &'static str), String> {
    let notes = shared.service.notes();
    let path = notes.by_uri(&caller.workspace, uri).map_err(|bad| bad.to_string())?;
    let text = notes
        .text(&caller.workspace, &path)
        .await
        .map_err(|error| error.to_string())?;
    let text = text.ok_or("list_local_notes and resources/list tell which notes there are")?;
    if text.len() > MAX_DOCUMENT {
        let told = format!(
            "The note {path} has {} bytes, more than a resource holds ({MAX_DOCUMENT}). Read it in parts with the tool \
             read_local_note and its arguments heading, from_line and to_line.",
            text.len()
        );
        return Ok((told, PLAIN));
    }
    Ok((text, MARKDOWN))
}
