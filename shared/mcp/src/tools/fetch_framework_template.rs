//! `fetch_framework_template`: the template of a thinking framework, as plain text that ends a model's calls.

use super::{Call, Run, Tool, bare, refused, schema};
use crate::arguments::Arguments;
use futures_util::future::BoxFuture;
use meadow_access::Scope;
use meadow_service::Wanted;
use meadow_thinking::Language;
use rmcp::model::{CallToolResult, ToolAnnotations};
use serde_json::json;

const NAME: &str = "fetch_framework_template";
const DESCRIPTION: &str = "Gives the template of a thinking framework as plain text. Use it when the user wants something analysed \
     with SWOT, SCQA, PESTEL, five forces, fishbone, first principles, six hats, premortem, RICE, issue tree, pyramid, \
     iceberg, leverage points and more; any usual name will do, an unknown one is answered with the list. Call it once, then \
     write the analysis in the chat at once. 思维框架模板：只调用一次，随后立即在对话中写出分析。";

pub(super) fn tool() -> Tool {
    let input = schema(json!({
        "type": "object",
        "properties": {
            "framework_name": {"type": "string", "description": "e.g. SWOT, 鱼骨图"},
            "topic": {"type": "string", "description": "What is to be analysed; any JSON (optional)"},
            "language": {"type": "string", "enum": ["zh", "en"], "description": "Optional"}
        },
        "required": ["framework_name"]
    }));
    Tool {
        definition: rmcp::model::Tool::new(NAME, DESCRIPTION, input)
            .with_title("Fetch a framework's template")
            .with_annotations(ToolAnnotations::new().read_only(true).open_world(false)),
        scope: Scope::Research,
        run: Run::Arguments(run),
        after_timeout: "try again",
    }
}

fn run(call: Call<'_>, mut arguments: Arguments) -> BoxFuture<'_, CallToolResult> {
    Box::pin(async move {
        let name = arguments
            .any_of(&["framework_name", "framework", "name"])
            .unwrap_or_default();
        let topic = arguments.any_of(&["topic", "user_input", "payload"]);
        let language = match arguments.choice("language", &["zh", "en"]) {
            Ok(said) => said.map(|said| match said {
                "zh" => Language::Chinese,
                _ => Language::English,
            }),
            Err(error) => return refused(error),
        };
        let wanted = Wanted { name, topic, language };
        let answer = call.shared.service.template(call.caller, &wanted).await;
        let status = if answer.found.is_some() { "ok" } else { "not_found" };
        // The brake is the first line, and the last of a repeated answer.
        bare(status, answer.text, arguments.unread())
    })
}
