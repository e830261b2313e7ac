//! The table of tools, one file each. To add a tool: a file and a line in [`TOOLS`].

mod fetch_framework_template;
mod generate_5_whys;
mod get_paper;
mod list_local_notes;
mod notes;
mod read_local_note;
mod save_literature;
mod save_note;
mod search_arxiv;
mod systems_thinking_analyze;
mod systems_thinking_patch;
mod systems_thinking_reader;
mod systems_thinking_simulate;
mod systems_thinking_writer;

pub(crate) use systems_thinking_reader::too_large;

use crate::arguments::Arguments;
use crate::server::Shared;
use futures_util::future::BoxFuture;
use meadow_access::Scope;
use meadow_service::{Caller, Error};
use rmcp::RoleServer;
use rmcp::model::{CallToolResult, ContentBlock, JsonObject};
use rmcp::service::RequestContext;
use serde::Serialize;
use serde_json::{Value, json};
use std::sync::{Arc, LazyLock};

/// Bytes of text in an answer: what clients show whole. Documents have a limit of their own.
pub(crate) const MAX_ANSWER: usize = 16_000;

/// The tools, by name.
static TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(|| {
    let mut tools = vec![
        generate_5_whys::tool(),
        fetch_framework_template::tool(),
        search_arxiv::tool(),
        save_literature::tool(),
        get_paper::tool(),
        save_note::tool(),
        list_local_notes::tool(),
        read_local_note::tool(),
        systems_thinking_writer::tool(),
        systems_thinking_patch::tool(),
        systems_thinking_reader::tool(),
        systems_thinking_simulate::tool(),
        systems_thinking_analyze::tool(),
    ];
    tools.sort_by(|a, b| a.definition.name.cmp(&b.definition.name));
    tools
});

/// A tool.
#[derive(Debug)]
pub(crate) struct Tool {
    /// What clients are told.
    pub(crate) definition: rmcp::model::Tool,
    /// What its caller must be allowed.
    pub(crate) scope: Scope,
    /// What it does.
    pub(crate) run: Run,
    /// What to do when it took too long.
    pub(crate) after_timeout: &'static str,
}

impl Tool {
    /// True where it changes nothing, so that a call that nobody waits for any more may end anywhere.
    pub(crate) fn only_reads(&self) -> bool {
        let annotations = self.definition.annotations.as_ref();
        annotations.and_then(|annotations| annotations.read_only_hint) == Some(true)
    }
}

/// What a tool does with what was sent to it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Run {
    /// It reads the text of `arguments` itself.
    Raw(for<'a> fn(Call<'a>, Option<&'a str>) -> BoxFuture<'a, CallToolResult>),
    /// It reads arguments, in which what is not quite JSON is mended: texts for people.
    Arguments(for<'a> fn(Call<'a>, Arguments) -> BoxFuture<'a, CallToolResult>),
    /// It reads arguments that hold parts of documents: as they were sent, or not at all.
    Exact(for<'a> fn(Call<'a>, Arguments) -> BoxFuture<'a, CallToolResult>),
}

/// One call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Call<'a> {
    /// What all calls share.
    pub(crate) shared: &'a Shared,
    /// Who asks.
    pub(crate) caller: &'a Caller,
    /// How it came.
    pub(crate) context: &'a RequestContext<RoleServer>,
}

impl<'a> Call<'a> {
    /// Returns once its client has cancelled it, or gone away.
    pub(crate) fn left(self) -> impl Future<Output = ()> + 'a {
        self.context.ct.cancelled()
    }
}

/// The tool of this name.
pub(crate) fn find(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.definition.name == name)
}

/// What clients are told of all tools.
pub(crate) fn definitions() -> Vec<rmcp::model::Tool> {
    TOOLS.iter().map(|tool| tool.definition.clone()).collect()
}

/// The names of all tools.
pub(crate) fn names() -> Vec<&'static str> {
    TOOLS.iter().map(|tool| tool.definition.name.as_ref()).collect()
}

/// An answer: one block of compact JSON, and the same as structured content.
///
/// Structured content is a value, in which the number 1.10 reads 1.1; the text keeps every byte of a document.
fn answer(value: &impl Serialize) -> CallToolResult {
    let written = serde_json::to_string(value).and_then(|text| {
        let structured: Value = serde_json::from_str(&text)?;
        Ok((text, structured))
    });
    match written {
        Ok((text, structured)) => {
            let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
            result.structured_content = Some(structured);
            result
        }
        Err(error) => {
            tracing::error!(%error, "mcp.answer_unwritable");
            refused("internal error; the answer could not be written".to_owned())
        }
    }
}

/// Tells programs and the log how a plain answer came about.
const STATUS: &str = "meadow/status";

/// An answer in plain text: one block and nothing beside it that a client would show. `status` and the arguments that
/// were not asked for stand in `_meta`.
fn bare(status: &str, text: String, ignored_arguments: Vec<String>) -> CallToolResult {
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    let meta = result.meta.get_or_insert_default();
    meta.insert(STATUS.to_owned(), status.into());
    if !ignored_arguments.is_empty() {
        meta.insert("meadow/ignored_arguments".to_owned(), ignored_arguments.into());
    }
    result
}

/// The same for a text that has room for a last line about the arguments that were not asked for.
fn plain(status: &str, mut text: String, ignored_arguments: Vec<String>) -> CallToolResult {
    if !ignored_arguments.is_empty() {
        text.push_str("\n\nArguments that are not known and were ignored: ");
        text.push_str(&ignored_arguments.join(", "));
    }
    bare(status, text, ignored_arguments)
}

/// The answer about a model that is not there.
fn not_found(message: String, ignored_arguments: Vec<String>) -> CallToolResult {
    #[derive(Serialize)]
    struct NotFound {
        status: &'static str,
        message: String,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        ignored_arguments: Vec<String>,
    }
    answer(&NotFound {
        status: "not_found",
        message,
        ignored_arguments,
    })
}

/// How many bytes `value` takes as JSON.
fn size(value: &impl Serialize) -> usize {
    serde_json::to_string(value).map_or(0, |text| text.len())
}

/// Cuts a list to its first items, as many as take `room` bytes as JSON; how many were left out.
fn cut<T: Serialize>(list: &mut Vec<T>, room: usize) -> usize {
    let mut used = 2;
    let fit = list.iter().take_while(|item| {
        used += size(item) + 1;
        used <= room
    });
    let fit = fit.count();
    let omitted = list.len() - fit;
    list.truncate(fit);
    omitted
}

/// The schema of an answer about a model: these members beside the ones that each has. The list of tools has to stay
/// small, so that it names what a program looks for, not all there is.
fn output_schema(statuses: &[&str], members: Value) -> Value {
    let mut properties = json!({
        "status": {"type": "string", "enum": statuses},
        "model": {"type": "string"},
        "revision": {"type": "integer"},
        "message": {"type": "string", "description": "What to do"},
        "ignored_arguments": {"type": "array", "items": {"type": "string"}}
    });
    if let (Value::Object(all), Value::Object(members)) = (&mut properties, members) {
        all.extend(members);
    }
    json!({"type": "object", "properties": properties, "required": ["status"]})
}

/// The schema of a list of problems.
fn problems_schema() -> Value {
    json!({"type": "array", "description": "code, level, variable, pointer, message, fix; errors first", "items": {"type": "object"}})
}

/// How a call went, in a word: the status of the answer, where it has one.
pub(crate) fn outcome(result: &CallToolResult) -> &str {
    let structured = || result.structured_content.as_ref()?.get("status")?.as_str();
    let plain = || result.meta.as_ref()?.get(STATUS)?.as_str();
    match result.is_error {
        Some(true) => "refused",
        _ => structured().or_else(plain).unwrap_or("ok"),
    }
}

/// A refusal or a failure, in words.
pub(crate) fn refused(text: String) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(text)])
}

/// A failure of a use case that no tool answers in a way of its own.
fn failed(error: &Error) -> CallToolResult {
    match error {
        Error::Store(error) => {
            tracing::error!(%error, "mcp.store_failed");
            refused(format!("{error}; try again, and tell the operator if it stays so"))
        }
        Error::Internal(reason) => {
            tracing::error!(%reason, "mcp.internal_error");
            refused("internal error; the server's log says more".to_owned())
        }
        error => refused(error.to_string()),
    }
}

/// A JSON Schema that is an object.
fn schema(value: Value) -> Arc<JsonObject> {
    match value {
        Value::Object(members) => Arc::new(members),
        _ => Arc::default(),
    }
}

#[cfg(test)]
mod tests;
