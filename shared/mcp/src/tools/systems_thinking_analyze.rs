//! `systems_thinking_analyze`: the feedback structure of a stored model.

use super::{
    Call, MAX_ANSWER, Run, Tool, answer, cut, failed, not_found, output_schema, problems_schema, refused, schema, size,
};
use crate::arguments::Arguments;
use futures_util::future::BoxFuture;
use meadow_access::Scope;
use meadow_dynamics::analysis::{ShownDeclared, ShownLoop};
use meadow_dynamics::loops::{AtMost, Counts};
use meadow_dynamics::problem::Problem;
use meadow_service::dynamics::{Evidence, Status, Structure};
use meadow_service::{Error, Head};
use rmcp::model::{CallToolResult, ToolAnnotations};
use serde::Serialize;
use serde_json::{Value, json};

const NAME: &str = "systems_thinking_analyze";
const DESCRIPTION: &str = "Finds the feedback loops of a stored systems-thinking model from its interconnections, flows and \
     expressions, shortest first: class reinforcing, balancing or undetermined, members, signs, delay. Declared loops are \
     matched with computed ones: wrong class, not closed, missing link; `problems` names links whose declared polarity \
     contradicts the expressions. It needs no initial values. 分析反馈回路，并与声明的回路和极性比较。";

/// Loops looked at for an answer: more than fit.
const MOST: usize = 200;

/// Bytes that parts of an answer may take; loops take the rest.
const PROBLEMS: usize = 4_000;
const DECLARED: usize = 3_000;
const EVIDENCE: usize = 1_500;
const COMPONENTS: usize = 1_000;
const UNDECLARED: usize = 500;
const NOTES: usize = 500;

pub(super) fn tool() -> Tool {
    let input = schema(json!({
        "type": "object",
        "properties": {
            "model": {"type": "string", "description": "Id of the model (optional; else the latest)"},
            "revision": {"type": "integer", "description": "An earlier revision (optional)"}
        }
    }));
    Tool {
        definition: rmcp::model::Tool::new(NAME, DESCRIPTION, input)
            .with_title("Find the feedback loops of a model")
            .with_raw_output_schema(schema(output()))
            .with_annotations(ToolAnnotations::new().read_only(true).open_world(false)),
        scope: Scope::ModelRead,
        run: Run::Arguments(run),
        after_timeout: "try again",
    }
}

/// The members that a program looks for first; the others say themselves what they are.
fn output() -> Value {
    output_schema(
        &["ok", "partial", "not_found"],
        json!({
            "complete": {"type": "boolean", "description": "Every loop was counted"},
            "total": {"type": "integer"},
            "counts": {"type": "object"},
            "loops": {"type": "array", "items": {"type": "object"}, "description": "id, class, members, signs of the link from each member to the next, delay, in_run (class in a run), independent, declared_as"},
            "declared": {"type": "array", "items": {"type": "object"}, "description": "Declared loops: name, declared and computed class, status"},
            "undeclared": {"type": "array", "items": {"type": "string"}, "description": "Independent loops that nobody declared"},
            "evidence": {"type": "array", "items": {"type": "object"}, "description": "What supports links"},
            "problems": problems_schema()
        }),
    )
}

#[derive(Debug, Serialize)]
struct Answer<'a> {
    status: Status,
    model: &'a str,
    revision: u64,
    nodes: usize,
    links: usize,
    complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<u64>,
    at_least: u64,
    complete_to_length: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<AtMost>,
    counts: Counts,
    loops: Vec<ShownLoop>,
    #[serde(skip_serializing_if = "Option::is_none")]
    loops_omitted: Option<u64>,
    independent: Independent,
    undeclared: Vec<String>,
    declared: Vec<ShownDeclared>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scc: Option<Vec<Vec<String>>>,
    components: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    evidence: Vec<Evidence>,
    ran: bool,
    problems: Vec<Problem>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problems_omitted: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ignored_arguments: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Independent {
    loops: usize,
    complete: bool,
}

fn run(call: Call<'_>, mut arguments: Arguments) -> BoxFuture<'_, CallToolResult> {
    Box::pin(async move {
        let asked = (|| {
            let model = arguments.text("model")?.filter(|model| model != "latest");
            Ok((model, arguments.whole_number("revision")?))
        })();
        let (model, revision) = match asked {
            Ok(asked) => asked,
            Err(error) => return refused(error),
        };
        let mut ignored = arguments.unread();
        cut(&mut ignored, NOTES);
        let service = &call.shared.service;
        match service.analyze(call.caller, model.as_deref(), revision, MOST).await {
            Ok((head, structure)) => {
                let url = call.shared.url(head.id.as_str());
                let url = url.map(|url| format!("{url}/analysis"));
                answer(&fitting(&head, structure, url, ignored))
            }
            Err(Error::NotFound(message)) => not_found(message, ignored),
            Err(error) => failed(&error),
        }
    })
}

/// The answer with as much as fits: the loops, shortest first, take the room that the rest leaves.
fn fitting(head: &Head, structure: Structure, url: Option<String>, ignored_arguments: Vec<String>) -> Answer<'_> {
    let Structure {
        status,
        shown,
        scc,
        evidence,
        ran,
        notes,
    } = structure;
    let mut answer = Answer {
        status,
        model: head.id.as_str(),
        revision: head.revision,
        nodes: shown.node_count,
        links: shown.edge_count,
        complete: shown.complete,
        total: shown.total,
        at_least: shown.at_least,
        complete_to_length: shown.complete_to_length,
        next: shown.next,
        counts: shown.counts,
        loops: Vec::new(),
        loops_omitted: None,
        independent: Independent {
            loops: shown.independent_count,
            complete: shown.independent_complete,
        },
        undeclared: shown.undeclared,
        declared: shown.declared,
        scc,
        components: shown.components,
        evidence,
        ran,
        problems: shown.problems,
        problems_omitted: None,
        notes,
        url,
        message: None,
        ignored_arguments,
    };
    cut(&mut answer.undeclared, UNDECLARED);
    cut(&mut answer.declared, DECLARED);
    cut(&mut answer.evidence, EVIDENCE);
    cut(&mut answer.notes, NOTES);
    // A component that is shown in part would be a wrong one.
    answer.scc = answer.scc.filter(|scc| size(scc) <= COMPONENTS);
    cut(&mut answer.problems, PROBLEMS);
    let omitted = shown.problem_count - answer.problems.len();
    answer.problems_omitted = (omitted > 0).then_some(omitted);
    // What the message and the counts will take.
    let room = MAX_ANSWER.saturating_sub(size(&answer) + 400);
    let mut loops = shown.loops;
    let lengths: Vec<usize> = loops.iter().map(|one| one.length).collect();
    cut(&mut loops, room);
    if let Some(first_left_out) = lengths.get(loops.len()) {
        answer.complete_to_length = answer.complete_to_length.min(first_left_out - 1);
    }
    let omitted = shown.at_least.saturating_sub(loops.len() as u64);
    answer.loops_omitted = (omitted > 0).then_some(omitted);
    answer.loops = loops;
    answer.message = message(&answer);
    answer
}

fn message(answer: &Answer<'_>) -> Option<&'static str> {
    if answer.at_least == 0 {
        return Some(
            "there is no feedback loop: links and expressions lead nowhere back. Let flows depend on the stocks they \
             change, or add the interconnections that close a loop",
        );
    }
    if !answer.complete {
        return Some(
            "there are too many loops to count: the shortest are listed. The independent set tells more than their number",
        );
    }
    (answer.loops_omitted.is_some()).then_some("not every loop found room; the shortest are listed")
}
