//! `generate_5_whys`: five deepening questions about any matter.

use super::{Call, Run, Tool, bare, refused, schema};
use crate::arguments::Arguments;
use futures_util::future::BoxFuture;
use meadow_access::Scope;
use meadow_thinking::{Style, five_whys};
use rmcp::model::{CallToolResult, ToolAnnotations};
use serde_json::json;

const NAME: &str = "generate_5_whys";
const DESCRIPTION: &str = "Turns a topic or problem into five deepening \"why\" questions, a JSON array of five strings. Use it when the \
     user wants to get to the bottom of something, asks for 5 Whys or root causes. Call it once with the user's own words, \
     then answer the questions yourself in the chat. 五个为什么：只调用一次，随后在对话中逐一回答。";

pub(super) fn tool() -> Tool {
    let input = schema(json!({
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "In the user's words, e.g. 中国开源人才的现状分析"},
            "style": {"type": "string", "enum": ["facets", "ladder"], "description": "facets (default): five sides; ladder: each builds on the answer before"}
        },
        "required": ["query"]
    }));
    Tool {
        definition: rmcp::model::Tool::new(NAME, DESCRIPTION, input)
            .with_title("Ask five whys")
            .with_annotations(ToolAnnotations::new().read_only(true).open_world(false)),
        scope: Scope::Research,
        run: Run::Arguments(run),
        after_timeout: "try again",
    }
}

fn run(_: Call<'_>, mut arguments: Arguments) -> BoxFuture<'_, CallToolResult> {
    Box::pin(async move {
        let query = arguments.any_of(&["query", "topic", "question"]).unwrap_or_default();
        let style = match arguments.choice("style", &["facets", "ladder"]) {
            Ok(Some("ladder")) => Style::Ladder,
            Ok(_) => Style::Facets,
            Err(error) => return refused(error),
        };
        // The array and nothing else: programs read it.
        bare("ok", five_whys(&query, style).text(), arguments.unread())
    })
}
