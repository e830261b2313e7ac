//! `save_literature`: papers as notes, by their ids.

use super::{Call, Run, Tool, get_paper, plain, refused, schema};
use crate::arguments::Arguments;
use futures_util::future::BoxFuture;
use meadow_access::Scope;
use meadow_papers::PaperId;
use meadow_papers::markdown::escaped;
use meadow_service::notes::SaveStatus;
use meadow_service::saving::{Outcome, SaveLiterature, SavedPaper};
use rmcp::model::{CallToolResult, ToolAnnotations};
use serde_json::json;

const NAME: &str = "save_literature";
const DESCRIPTION: &str = "NEVER save without the user's explicit consent. 未经用户明确同意，绝不保存。 Saves papers by their ids as \
     Markdown notes with front matter and abstract, linked to the models that cite them. The server writes them: do not \
     retype abstracts.";

/// Characters of a title that are shown.
const TITLE: usize = 200;

pub(super) fn tool() -> Tool {
    let input = schema(json!({
        "type": "object",
        "properties": {
            "ids": {"type": "array", "items": {"type": "string"}, "description": "As get_paper takes them"},
            "tags": {"type": "array", "items": {"type": "string"}, "description": "Optional"},
            "folder": {"type": "string", "description": "e.g. papers (optional)"},
            "bibtex": {"type": "boolean", "description": "With BibTeX (optional)"}
        },
        "required": ["ids"]
    }));
    let annotations = ToolAnnotations::new()
        .read_only(false)
        .destructive(false)
        .idempotent(true)
        .open_world(true);
    Tool {
        definition: rmcp::model::Tool::new(NAME, DESCRIPTION, input)
            .with_title("Save papers as notes")
            .with_annotations(annotations),
        scope: Scope::NotesWrite,
        run: Run::Arguments(run),
        after_timeout: "some may have been saved: look with list_local_notes, then save the others",
    }
}

/// What was asked for.
struct Asked {
    ids: Vec<PaperId>,
    /// What is wrong with what names no paper.
    bad: Vec<String>,
    tags: Vec<String>,
    folder: String,
    bibtex: bool,
}

fn read(arguments: &mut Arguments) -> Result<Asked, String> {
    let (read, bad) = get_paper::read_ids(arguments)?;
    let mut ids: Vec<PaperId> = Vec::with_capacity(read.len());
    for id in read {
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    let tags = arguments.texts("tags")?;
    let tags = tags.iter().flat_map(|tag| tag.split([',', '，', '、', ';']));
    Ok(Asked {
        ids,
        bad,
        tags: tags
            .map(|tag| tag.trim().to_owned())
            .filter(|tag| !tag.is_empty())
            .collect(),
        folder: arguments.text("folder")?.unwrap_or_default(),
        bibtex: arguments.flag("bibtex")?.unwrap_or_default(),
    })
}

fn run(call: Call<'_>, mut arguments: Arguments) -> BoxFuture<'_, CallToolResult> {
    Box::pin(async move {
        let asked = match read(&mut arguments) {
            Ok(asked) => asked,
            Err(error) => return refused(format!("{error}; nothing was saved")),
        };
        let wanted = SaveLiterature {
            ids: &asked.ids,
            tags: &asked.tags,
            folder: &asked.folder,
            bibtex: asked.bibtex,
        };
        let service = &call.shared.service;
        let (answer, saved) = match service.save_literature(call.caller, wanted, call.left()).await {
            Ok(Some(done)) => done,
            Ok(None) => return plain("cancelled", "nothing was saved".to_owned(), Vec::new()),
            Err(error) => return refused(format!("{error}; nothing was saved")),
        };
        let mut lines: Vec<String> = saved.iter().map(line).collect();
        lines.extend(asked.bad.iter().map(|fault| format!("- {fault}")));
        lines.extend(
            answer
                .unknown
                .iter()
                .map(|id| format!("- not found: {id}; look for it with search_arxiv")),
        );
        for id in &answer.missed {
            let reason = answer.reason.as_deref().unwrap_or("no source answered");
            lines.push(format!("- not fetched: {id} ({reason}); try again later"));
        }
        let made = |paper: &&SavedPaper| matches!(&paper.outcome, Outcome::Saved(note) if note.created);
        let made = saved.iter().filter(made).count();
        let there = |paper: &&SavedPaper| matches!(&paper.outcome, Outcome::AlreadySaved(..));
        let there = saved.iter().filter(there).count();
        let all = saved.len() + answer.unknown.len() + answer.missed.len() + asked.bad.len();
        let nobody_answered = saved.is_empty() && answer.unknown.is_empty() && !answer.missed.is_empty();
        let status = match (made + there == all, nobody_answered) {
            (true, _) => "saved".to_owned(),
            (false, true) => answer.status.to_string(),
            (false, false) => "partial".to_owned(),
        };
        let already = match there {
            0 => String::new(),
            there => format!(", {there} were there already"),
        };
        let lines = lines.join("\n");
        let text = format!("Saved {made} of {all} papers{already} (status: {status})\n\n{lines}");
        plain(&status, text, arguments.unread())
    })
}

/// What became of one paper.
fn line(paper: &SavedPaper) -> String {
    let title = escaped(&paper.title.chars().take(TITLE).collect::<String>());
    let place = |path: &str, location: &Option<String>| match location {
        Some(location) => format!("{path} ({location})"),
        None => path.to_owned(),
    };
    let mut line = match &paper.outcome {
        Outcome::Saved(note) if note.status == SaveStatus::Saved => {
            format!("- saved **{title}**: {}", place(note.path.as_str(), &note.location))
        }
        Outcome::Saved(note) => format!(
            "- {} **{title}**: {}",
            note.status.as_str(),
            place(note.path.as_str(), &note.location)
        ),
        Outcome::AlreadySaved(path, location) => {
            format!(
                "- already saved **{title}**: {}; it stays as it is",
                place(path.as_str(), location)
            )
        }
        Outcome::Failed(reason) => format!("- not saved **{title}**: {reason}"),
    };
    if !paper.cited_by.is_empty() {
        let models: Vec<_> = paper.cited_by.iter().map(|citing| citing.model.as_str()).collect();
        line.push_str(&format!("; cited by the models {}", models.join(", ")));
    }
    line
}
