//! `systems_thinking_simulate`: what a stored model does over time.

use super::{
    Call, MAX_ANSWER, Run, Tool, answer, cut, failed, not_found, output_schema, problems_schema, refused, schema, size,
};
use crate::arguments::Arguments;
use futures_util::future::BoxFuture;
use meadow_access::Scope;
use meadow_service::Error;
use meadow_service::dynamics::{Course, Simulation, Status, Wanted};
use rmcp::model::{CallToolResult, ToolAnnotations};
use serde::Serialize;
use serde_json::{Value, json};

const NAME: &str = "systems_thinking_simulate";
const DESCRIPTION: &str = "Runs a stored systems-thinking model and tells how it behaves: for each stock, flow and changing variable \
     the mode (growth, decay, goal-seeking, S-shape, oscillation, overshoot and collapse), start, end, extremes, doubling \
     time or half-life, a sparkline and a short series. It needs an initial value for each stock, an expression for each flow \
     and variable, and simulation.stop; not_runnable names in `problems` what is missing, with its repair. \
     运行已保存的模型，概述各存量与流量随时间的行为。";

/// Points of a series, the first that fits into an answer.
const POINTS: [usize; 4] = [24, 12, 6, 0];

/// Bytes that parts of an answer may take.
const PROBLEMS: usize = 3_500;
const CONSTANTS: usize = 3_000;
const NOTES: usize = 800;
const UNKNOWN: usize = 800;

pub(super) fn tool() -> Tool {
    let input = schema(json!({
        "type": "object",
        "properties": {
            "model": {"type": "string", "description": "Id of the model (optional; else the latest)"},
            "revision": {"type": "integer", "description": "An earlier revision (optional)"},
            "variables": {"type": "array", "items": {"type": "string"}, "description": "Names of stocks, flows and variables to tell of, in this order (optional; else all that fit)"}
        }
    }));
    Tool {
        definition: rmcp::model::Tool::new(NAME, DESCRIPTION, input)
            .with_title("Run a systems-thinking model")
            .with_raw_output_schema(schema(output()))
            .with_annotations(ToolAnnotations::new().read_only(true).open_world(false)),
        scope: Scope::ModelRead,
        run: Run::Arguments(run),
        after_timeout: "try again, or run the model with a larger dt",
    }
}

/// The members that a program looks for first; the others say themselves what they are.
fn output() -> Value {
    output_schema(
        &["ok", "partial", "not_runnable", "not_found"],
        json!({
            "grid": {"type": "object"},
            "summaries": {"type": "array", "items": {"type": "object"}, "description": "Stocks, flows, then variables that change: behaviour (mode), start, end, min, max, peak_time, doubling_time, half_life, sparkline, series ([time, value])"},
            "constants": {"type": "array", "items": {"type": "object"}},
            "csv": {"type": "string", "description": "Where every step can be fetched"},
            "problems": problems_schema()
        }),
    )
}

#[derive(Debug, Serialize)]
struct Answer<'a> {
    model: &'a str,
    revision: u64,
    #[serde(flatten)]
    simulation: Simulation,
    #[serde(skip_serializing_if = "Option::is_none")]
    csv: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ignored_arguments: Vec<String>,
}

fn run(call: Call<'_>, mut arguments: Arguments) -> BoxFuture<'_, CallToolResult> {
    Box::pin(async move {
        let asked = (|| {
            let model = arguments.text("model")?.filter(|model| model != "latest");
            Ok((
                model,
                arguments.whole_number("revision")?,
                arguments.texts("variables")?,
            ))
        })();
        let (model, revision, variables) = match asked {
            Ok(asked) => asked,
            Err(error) => return refused(error),
        };
        let ignored_arguments = arguments.unread();
        let wanted = Wanted {
            variables,
            ..Wanted::default()
        };
        let service = &call.shared.service;
        match service.simulate(call.caller, model.as_deref(), revision, wanted).await {
            Ok((head, simulation)) => answer(&fitting(Answer {
                model: head.id.as_str(),
                revision: head.revision,
                csv: (simulation.grid.is_some())
                    .then(|| call.shared.url(head.id.as_str()))
                    .flatten()
                    .map(|url| format!("{url}/simulation?format=csv")),
                simulation,
                message: None,
                ignored_arguments,
            })),
            Err(Error::NotFound(message)) => not_found(message, ignored_arguments),
            Err(error) => failed(&error),
        }
    })
}

/// The answer with as much as fits: first series get shorter, then variables are left out.
fn fitting(mut answer: Answer<'_>) -> Answer<'_> {
    let simulation = &mut answer.simulation;
    simulation.problems_omitted += cut(&mut simulation.problems, PROBLEMS);
    simulation.omitted += cut(&mut simulation.constants, CONSTANTS);
    cut(&mut simulation.notes, NOTES);
    cut(&mut simulation.unknown_variables, UNKNOWN);
    cut(&mut answer.ignored_arguments, UNKNOWN);
    let summaries = std::mem::take(&mut answer.simulation.summaries);
    // What the message and the counts will take.
    let room = MAX_ANSWER.saturating_sub(size(&answer) + 300);
    let mut shown = Vec::new();
    for points in POINTS {
        shown = summaries.iter().map(|one| thinned(one, points)).collect();
        if size(&shown) <= room {
            break;
        }
    }
    answer.simulation.omitted += cut(&mut shown, room);
    answer.simulation.summaries = shown;
    answer.message = message(&answer.simulation);
    answer
}

/// The same with at most so many points, the first and the last among them.
fn thinned(course: &Course, points: usize) -> Course {
    let mut course = course.clone();
    let count = course.series.len();
    if points == 0 {
        course.series.clear();
    } else if count > points {
        let kept = (0..points).map(|i| course.series[i * (count - 1) / (points - 1)]);
        course.series = kept.collect();
    }
    course
}

fn message(simulation: &Simulation) -> Option<&'static str> {
    match simulation.status {
        Status::NotRunnable => Some(
            "the model cannot be run yet: mend what the problems of level error name, write the whole document again, \
             then run it again",
        ),
        Status::Partial => Some("the run was cut; problems say where and what helps"),
        Status::Ok if !simulation.unknown_variables.is_empty() => Some(
            "nothing is called as in unknown_variables: use the ids of stocks, flows and variables, one in each item of \
             variables; without variables the answer tells of all",
        ),
        Status::Ok if simulation.omitted > 0 => Some("not every variable found room: name those you need in variables"),
        Status::Ok => None,
    }
}
