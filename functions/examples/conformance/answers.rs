//! The fixtures that answer at once, under the names that the suite calls.

use serde_json::{Value, json};

/// One red pixel.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";
/// A WAV file without a sample.
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

/// Tools that always answer the same: name and result.
pub(crate) fn tools() -> [(&'static str, Value); 7] {
    let image = json!({"type": "image", "data": PNG, "mimeType": "image/png"});
    let audio = json!({"type": "audio", "data": WAV, "mimeType": "audio/wav"});
    let embedded = json!({"type": "resource", "resource": text("test://embedded", "an embedded text")});
    [
        ("test_audio_content", json!({"content": [audio]})),
        ("test_embedded_resource", json!({"content": [embedded.clone()]})),
        (
            "test_error_handling",
            json!({"content": [said("this tool always fails")], "isError": true}),
        ),
        ("test_image_content", json!({"content": [image.clone()]})),
        (
            "test_logging_tool",
            json!({"content": [said("nobody asked for a log")]}),
        ),
        (
            "test_multiple_content_types",
            json!({"content": [said("three kinds"), image, embedded]}),
        ),
        ("test_simple_text", json!({"content": [said("a simple text")]})),
    ]
}

/// What a resource holds; none where there is no such resource.
pub(crate) fn resource(uri: &str) -> Option<Value> {
    Some(match uri {
        "test://static-text" => text(uri, "a static text"),
        "test://static-binary" => json!({"uri": uri, "mimeType": "image/png", "blob": PNG}),
        _ => {
            let id = uri.strip_prefix("test://template/")?.strip_suffix("/data")?;
            text(uri, &format!("the data of {id}"))
        }
    })
}

/// What is listed of them.
pub(crate) fn resources() -> Value {
    json!([
        {"uri": "test://static-binary", "name": "static-binary", "mimeType": "image/png"},
        {"uri": "test://static-text", "name": "static-text", "mimeType": "text/plain"},
    ])
}

/// The template that [`resource`] reads.
pub(crate) fn templates() -> Value {
    json!([{"uriTemplate": "test://template/{id}/data", "name": "template", "mimeType": "text/plain"}])
}

/// What is listed of the prompts, that of [`inquiries`](crate::inquiries) among them.
pub(crate) fn prompts() -> Value {
    let needed = |name: &str| json!({"name": name, "required": true});
    let prompts = [
        ("test_input_required_result_prompt", vec![]),
        ("test_prompt_with_arguments", vec![needed("arg1"), needed("arg2")]),
        ("test_prompt_with_embedded_resource", vec![needed("resourceUri")]),
        ("test_prompt_with_image", vec![]),
        ("test_simple_prompt", vec![]),
    ];
    let listed = prompts.map(|(name, needed)| json!({"name": name, "description": "A fixture", "arguments": needed}));
    json!(listed)
}

/// The messages of a prompt; none where there is no such prompt.
pub(crate) fn prompt(name: &str, argument: impl Fn(&str) -> String) -> Option<Value> {
    let contents = match name {
        "test_simple_prompt" => vec![said("a simple prompt")],
        "test_prompt_with_arguments" => vec![said(&format!("{} and {}", argument("arg1"), argument("arg2")))],
        "test_prompt_with_embedded_resource" => {
            let embedded = text(&argument("resourceUri"), "an embedded text");
            vec![
                json!({"type": "resource", "resource": embedded}),
                said("read the above"),
            ]
        }
        "test_prompt_with_image" => {
            vec![
                json!({"type": "image", "data": PNG, "mimeType": "image/png"}),
                said("look at the above"),
            ]
        }
        _ => return None,
    };
    let messages: Vec<_> = contents
        .into_iter()
        .map(|content| json!({"role": "user", "content": content}))
        .collect();
    Some(json!({ "messages": messages }))
}

/// The schema of `json_schema_2020_12_tool`: keywords that must reach the client as they are.
pub(crate) fn schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {"address": {"$anchor": "address", "type": "object", "properties": {"street": {"type": "string"}}}},
        "properties": {
            "address": {"$ref": "#/$defs/address"},
            "by": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"by": {"const": "phone"}}, "required": ["by"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": false,
    })
}

/// A block of text.
pub(crate) fn said(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn text(uri: &str, text: &str) -> Value {
    json!({"uri": uri, "mimeType": "text/plain", "text": text})
}
