//! `systems_thinking_patch`: changes parts of a stored document.

use super::systems_thinking_writer::{explain, report};
use super::{Call, Run, Tool, answer, cut, failed, not_found, refused, schema};
use crate::arguments::{Arguments, is_blank, unwrapped};
use futures_util::future::BoxFuture;
use meadow_access::Scope;
use meadow_model::patch::{Kind, Patch, PatchError, inside};
use meadow_service::{Changed, Error, Expectation, Head, Values};
use rmcp::model::{CallToolResult, ToolAnnotations};
use serde::Serialize;
use serde_json::json;
use serde_json::value::RawValue;

const NAME: &str = "systems_thinking_patch";
const DESCRIPTION: &str = "Changes parts of a stored model by JSON Patch, all operations or none, and checks as the writer does. \
     After a list an item's id may stand, /stocks/tub/unit; a number is an index, id=5 an id; - appends. put inserts or \
     replaces by its id.\n按 JSON Patch 修改模型的一部分。";

/// Bytes of the list of what was applied.
const APPLIED: usize = 4_000;

pub(super) fn tool() -> Tool {
    let text = |about: &str| json!({"type": "string", "description": about});
    let whole = |about: &str| json!({"type": "integer", "description": about});
    let input = schema(json!({
        "type": "object",
        "properties": {
            "model": text("Model id; else the latest"),
            "operations": {"type": "array", "description": "In order", "items": {"type": "object", "properties": {
                "op": text(&Kind::ALL.map(Kind::name).join(", ")),
                "path": text("JSON Pointer"),
                "value": text("Any JSON"),
                "from": text("Of move, copy"),
            }}},
            "expected_revision": whole("Else conflict"),
            "restore_revision": whole("Instead of operations: bring this one back")
        }
    }));
    // The list of tools has to stay small.
    let output = json!({"type": "object", "properties": {"status": {"type": "string", "enum": ["stored", "unchanged", "conflict", "not_found", "test_failed"]}, "revision": {"type": "integer"}}, "required": ["status"]});
    Tool {
        definition: rmcp::model::Tool::new(NAME, DESCRIPTION, input)
            .with_title("Change a systems-thinking model")
            .with_raw_output_schema(schema(output))
            .with_annotations(
                ToolAnnotations::new()
                    .read_only(false)
                    .destructive(false)
                    .idempotent(false)
                    .open_world(false),
            ),
        scope: Scope::ModelWrite,
        run: Run::Exact(run),
        after_timeout: "whether the change was stored is not known: look with systems_thinking_reader before you send it again",
    }
}

/// What is asked for.
#[derive(Debug)]
struct Asked {
    model: Option<String>,
    change: Change,
    expected_revision: Option<u64>,
}

#[derive(Debug)]
enum Change {
    Patch(Patch),
    Restore(u64),
}

fn run(call: Call<'_>, mut arguments: Arguments) -> BoxFuture<'_, CallToolResult> {
    Box::pin(async move {
        let asked = match asked(&mut arguments) {
            Ok(asked) => asked,
            Err(error) => return refused(format!("{error}; nothing was changed")),
        };
        let ignored = arguments.unread();
        let Asked {
            model,
            change,
            expected_revision,
        } = asked;
        let expectation = match expected_revision {
            None => Expectation::Any,
            Some(revision) => Expectation::OneOf(vec![revision]),
        };
        let (service, caller, id) = (&call.shared.service, call.caller, model.as_deref());
        let changed = match change {
            Change::Patch(patch) => {
                service
                    .patch_model(caller, id, patch, Values::Lenient, expectation)
                    .await
            }
            Change::Restore(revision) => service.restore_revision(caller, id, revision, expectation).await,
        };
        match changed {
            Ok(Changed {
                written, mut applied, ..
            }) => {
                let omitted = cut(&mut applied, APPLIED);
                if omitted > 0 {
                    applied.push(format!("... and {omitted} more"));
                }
                report(call, &written, &applied, ignored)
            }
            Err(Error::Refused(refusal)) => refused(explain(&refusal)),
            Err(Error::Conflict(current)) => conflict(model, expected_revision, current.as_ref()),
            Err(Error::NotFound(message)) => not_found(message, ignored),
            Err(Error::Patch(PatchError::TestFailed {
                operation,
                pointer,
                found,
                expected,
            })) => answer(&TestFailed {
                status: "test_failed",
                operation,
                pointer,
                found,
                expected,
                message: "nothing was changed: the model is not as the test has it. Read it with systems_thinking_reader, and \
                          send operations that fit",
                ignored_arguments: ignored,
            }),
            Err(error @ (Error::Patch(_) | Error::TooLarge(_) | Error::BadId(_))) => {
                refused(format!("{error}; nothing was changed"))
            }
            Err(error) => failed(&error),
        }
    })
}

fn asked(arguments: &mut Arguments) -> Result<Asked, String> {
    let model = arguments.text("model")?.filter(|model| model != "latest");
    let expected_revision = arguments.whole_number("expected_revision")?;
    let restored = arguments.whole_number("restore_revision")?;
    let operations = arguments.json("operations").filter(|json| !is_blank(json));
    let change = match (operations, restored) {
        (Some(_), Some(_)) => return Err("send `operations` or `restore_revision`, not both".to_owned()),
        (None, Some(revision)) => Change::Restore(revision),
        (Some(json), None) => Change::Patch(operations_of(&json)?),
        (None, None) => {
            return Err(
                "nothing was asked for; send `operations`, such as [{\"op\": \"replace\", \"path\": \"/stocks/tub/unit\", \
                 \"value\": \"litre\"}], or `restore_revision`"
                    .to_owned(),
            );
        }
    };
    Ok(Asked {
        model,
        change,
        expected_revision,
    })
}

/// A list of operations, one of them, or JSON text of either; each may be JSON text too.
fn operations_of(json: &str) -> Result<Patch, String> {
    let text = unwrapped(json).map_err(|error| format!("`operations`: {error}"))?;
    let list: Result<Vec<&RawValue>, _> = serde_json::from_str(&text);
    let text = match list {
        Ok(items) => {
            let items = items.iter().map(|item| unwrapped(item.get()));
            let items: Result<Vec<_>, _> = items.collect();
            format!("[{}]", items?.join(","))
        }
        Err(_) if text.trim_start().starts_with('{') => format!("[{text}]"),
        Err(_) => text.into_owned(),
    };
    let patch = Patch::operations(&text).map_err(|error| format!("`operations`: {error}"))?;
    let mut patch = patch.unmistakable();
    if let Patch::Operations(operations) = &mut patch {
        for operation in operations.iter_mut().filter(|operation| operation.kind == Kind::Put) {
            let item = operation.value.as_deref().and_then(inside);
            if let Some(item) = item.filter(|item| item.starts_with('{')) {
                operation.value = Some(item.into());
            }
        }
    }
    Ok(patch)
}

#[derive(Serialize)]
struct TestFailed {
    status: &'static str,
    operation: usize,
    pointer: String,
    found: String,
    expected: String,
    message: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ignored_arguments: Vec<String>,
}

#[derive(Serialize)]
struct Conflict {
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_revision: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    current_revision: Option<u64>,
    message: String,
}

fn conflict(asked: Option<String>, expected_revision: Option<u64>, current: Option<&Head>) -> CallToolResult {
    let current = current.filter(|head| !head.deleted);
    let message = match (current, expected_revision) {
        (Some(head), Some(expected)) => format!(
            "nothing was changed: the model stands at revision {0}. See what is new with systems_thinking_reader (compare_with \
             {expected}), and send operations that fit with expected_revision {0}",
            head.revision
        ),
        (Some(_), None) => "nothing was changed: others write this model all the time; send it again".to_owned(),
        (None, _) => {
            "nothing was changed: there is no such model now; list them with systems_thinking_reader (part models)"
                .to_owned()
        }
    };
    answer(&Conflict {
        status: "conflict",
        model: current.map(|head| head.id.as_str().to_owned()).or(asked),
        expected_revision,
        current_revision: current.map(|head| head.revision),
        message,
    })
}
