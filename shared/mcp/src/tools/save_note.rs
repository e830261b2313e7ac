//! `save_note`: a note in the vault, never over another one unasked.

use super::notes::failed;
use super::{Call, Run, Tool, plain, refused, schema};
use crate::arguments::Arguments;
use futures_util::future::BoxFuture;
use meadow_access::Scope;
use meadow_service::notes::{Mode, Save, SaveStatus, Saved};
use rmcp::model::{CallToolResult, ToolAnnotations};
use serde_json::json;
use std::fmt::Write;

const NAME: &str = "save_note";
const DESCRIPTION: &str = "NEVER save without the user's explicit consent. 未经用户明确同意，绝不保存。 Saves a Markdown note in the user's vault \
     and tells where. A name that is taken is left alone unless mode is append (adds to the end) or overwrite; with if_match \
     (the sha256 of an earlier answer) only if nobody changed it since. Save long texts in parts: the first, then append. \
     Papers: save_literature.";

pub(super) fn tool() -> Tool {
    let input = schema(json!({
        "type": "object",
        "properties": {
            "filename": {"type": "string", "description": "Path in the vault, e.g. 论文/量子计算.md"},
            "content": {"type": "string", "description": "Markdown; any other JSON value is saved as indented JSON"},
            "mode": {"type": "string", "enum": ["create", "overwrite", "append"], "description": "Optional; create"},
            "if_match": {"type": "string", "description": "sha256 that the note must have (optional)"},
            "overwrite": {"type": "boolean", "description": "As mode overwrite (optional)"}
        },
        "required": ["filename", "content"]
    }));
    Tool {
        definition: rmcp::model::Tool::new(NAME, DESCRIPTION, input)
            .with_title("Save a note")
            .with_annotations(
                ToolAnnotations::new()
                    .read_only(false)
                    .destructive(true)
                    .idempotent(false)
                    .open_world(false),
            ),
        scope: Scope::NotesWrite,
        run: Run::Arguments(run),
        after_timeout: "it may be saved or not; read it before you save again",
    }
}

fn run(call: Call<'_>, mut arguments: Arguments) -> BoxFuture<'_, CallToolResult> {
    Box::pin(async move {
        let filename = match arguments.name_of(&["filename", "path", "name", "title"], "the path of the note as a text")
        {
            Ok(filename) => filename.unwrap_or_default(),
            Err(error) => return refused(format!("{error}; nothing was saved")),
        };
        let Some(content) = arguments.kept("content") else {
            return refused(
                "`content` is missing or null, so that nothing was saved; send the text of the note".to_owned(),
            );
        };
        let read = |arguments: &mut Arguments| -> Result<_, String> {
            let mode = arguments.choice("mode", &["create", "overwrite", "append"])?;
            let overwrite = arguments.flag("overwrite")?.unwrap_or_default();
            let mode = match mode {
                Some("append") => Mode::Append,
                Some("overwrite") => Mode::Overwrite,
                _ if overwrite => Mode::Overwrite,
                _ => Mode::Create,
            };
            Ok((mode, arguments.text("if_match")?))
        };
        let (mode, if_match) = match read(&mut arguments) {
            Ok(read) => read,
            Err(error) => return refused(format!("{error}; nothing was saved")),
        };
        let save = Save {
            filename: &filename,
            content: &content,
            mode,
            if_match: if_match.as_deref(),
        };
        match call.shared.service.notes().save(&call.caller.workspace, save).await {
            Ok(saved) => plain(saved.status.as_str(), told(&saved), arguments.unread()),
            Err(error) => failed(&error),
        }
    })
}

/// The answer in words.
fn told(saved: &Saved) -> String {
    let path = &saved.path;
    let (before, after) = (saved.bytes_before, saved.bytes_after);
    let mut text = match saved.status {
        SaveStatus::Saved if saved.created => format!("Status: saved. `{path}` is a new note of {after} bytes."),
        SaveStatus::Saved => format!("Status: saved. `{path}` was replaced: {before} bytes before, {after} now."),
        SaveStatus::Appended => format!("Status: appended. `{path}` had {before} bytes, now {after}."),
        SaveStatus::Unchanged => {
            format!("Status: unchanged. `{path}` has exactly this content already ({after} bytes).")
        }
        SaveStatus::Exists => format!("Status: exists. Nothing was saved: there is a note `{path}` of {after} bytes."),
        SaveStatus::Conflict if saved.sha256.is_empty() => {
            format!(
                "Status: conflict. Nothing was saved: there is no note `{path}` any more. mode create makes it anew."
            )
        }
        SaveStatus::Conflict => {
            format!(
                "Status: conflict. Nothing was saved: `{path}` has other content than if_match says, or was changed just now."
            )
        }
        SaveStatus::Ambiguous => format!(
            "Status: ambiguous. Nothing was saved: the same name is there in another case. Use `{path}` if that is meant, \
             else another name."
        ),
    };
    if let Some(location) = &saved.location
        && saved.status != SaveStatus::Ambiguous
    {
        let _ = write!(text, "\nLocation: {location}");
    }
    if !saved.sha256.is_empty() {
        let _ = write!(text, "\nURI: {}\nsha256: {}", path.uri(), saved.sha256);
    }
    if !saved.changes.is_empty() {
        let _ = write!(text, "\nName: {}", saved.changes.join("; "));
    }
    if let Some(existing) = &saved.existing {
        let beginning = existing.beginning.replace('\n', "\n> ");
        let _ = write!(text, "\nIt begins:\n> {beginning}\nWhat the user can choose: ");
        if let Some(free) = &existing.free {
            let _ = write!(text, "another name, such as `{free}`; ");
        }
        let _ = write!(
            text,
            "mode append, which adds to it; mode overwrite with if_match {}, which replaces it.",
            saved.sha256
        );
    }
    text
}
