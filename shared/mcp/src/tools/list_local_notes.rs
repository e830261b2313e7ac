//! `list_local_notes`: which notes there are, and which have a word in them.

use super::notes::{bytes, failed, line};
use super::{Call, MAX_ANSWER, Run, Tool, plain, refused, schema};
use crate::arguments::Arguments;
use futures_util::future::BoxFuture;
use meadow_access::Scope;
use meadow_service::notes::{List, Listed, Listing};
use rmcp::model::{CallToolResult, ToolAnnotations};
use serde_json::json;

const NAME: &str = "list_local_notes";
const DESCRIPTION: &str = "Lists the notes of the user's vault, newest first: path, title, type, tags, size, time; with text also the \
     line that was found. Use it when the user asks about their notes, then read_local_note. 列出或搜索本地笔记。";

pub(super) fn tool() -> Tool {
    let input = schema(json!({
        "type": "object",
        "properties": {
            "folder": {"type": "string", "description": "Only below it (optional)"},
            "tag": {"type": "string", "description": "Only with it (optional)"},
            "text": {"type": "string", "description": "Words that must occur (optional)"},
            "cursor": {"type": "string", "description": "Of the page before (optional)"},
            "limit": {"type": "integer", "description": "1 to 200 (optional; 50)"}
        },
        "required": []
    }));
    Tool {
        definition: rmcp::model::Tool::new(NAME, DESCRIPTION, input)
            .with_title("List local notes")
            .with_annotations(ToolAnnotations::new().read_only(true).open_world(false)),
        scope: Scope::NotesRead,
        run: Run::Arguments(run),
        after_timeout: "ask again with a folder or a tag; what was read is known by then",
    }
}

fn run(call: Call<'_>, mut arguments: Arguments) -> BoxFuture<'_, CallToolResult> {
    Box::pin(async move {
        let read = |arguments: &mut Arguments| -> Result<_, String> {
            let text = arguments.any_of(&["text", "query", "search"]).unwrap_or_default();
            let folder = arguments.text("folder")?.unwrap_or_default();
            let tag = arguments.any("tag").unwrap_or_default();
            Ok((
                folder,
                tag,
                text,
                arguments.text("cursor")?,
                arguments.whole_number("limit")?,
            ))
        };
        let (folder, tag, text, cursor, limit) = match read(&mut arguments) {
            Ok(read) => read,
            Err(error) => return refused(error),
        };
        let list = List {
            folder: &folder,
            tag: &tag,
            text: &text,
            cursor: cursor.as_deref(),
            limit: limit.map_or(0, |limit| usize::try_from(limit).unwrap_or(usize::MAX)),
        };
        match call.shared.service.notes().list(&call.caller.workspace, list).await {
            Ok(listing) => {
                let status = if listing.partial { "partial" } else { "ok" };
                plain(status, told(listing, &text), arguments.unread())
            }
            Err(error) => failed(&error),
        }
    })
}

/// The list in words, as much as an answer holds.
fn told(listing: Listing, text: &str) -> String {
    let Listing {
        notes,
        total,
        mut next,
        partial,
    } = listing;
    let mut lines = String::new();
    let mut shown = 0;
    for note in &notes {
        let line = one(note);
        if shown > 0 && lines.len() + line.len() > MAX_ANSWER - 1000 {
            // The place behind the last one that is shown.
            next = notes.get(shown - 1).map(Listed::cursor);
            break;
        }
        lines.push_str(&line);
        shown += 1;
    }
    let mut told = match (shown, text) {
        (0, "") if total == 0 => "No notes here.".to_owned(),
        (0, _) => format!("None of {total} notes was found."),
        (_, "") => {
            format!("{shown} of {total} notes, the newest first. The resource of a note is note:/// and its path.")
        }
        _ => format!(
            "{shown} notes found among {total}, the newest first. The resource of a note is note:/// and its path."
        ),
    };
    told.push('\n');
    told.push_str(&lines);
    if partial {
        told.push_str("\nPartial: not all notes could be read in time; asking again, or with the cursor, goes on.");
    }
    if let Some(next) = next {
        told.push_str(&format!("\nMore: cursor {next}"));
    }
    told.trim_end().to_owned()
}

fn one(note: &Listed) -> String {
    let mut told = format!("- `{}`", meadow_service::notes::visible(note.path.as_str()));
    if note.title != note.path.stem() {
        told.push_str(&format!(" · {}", line(&note.title, 120)));
    }
    if let Some(kind) = &note.kind {
        told.push_str(&format!(" · {}", line(kind, 40)));
    }
    for tag in note.tags.iter().take(10) {
        told.push_str(&format!(" #{}", line(tag, 40)));
    }
    let modified = note.modified.to_string();
    told.push_str(&format!(
        " · {} · {}\n",
        bytes(note.size),
        modified.get(..16).unwrap_or(&modified)
    ));
    if let Some((number, found)) = &note.hit {
        told.push_str(&format!("  line {number}: {}\n", line(found, 160)));
    }
    told
}
