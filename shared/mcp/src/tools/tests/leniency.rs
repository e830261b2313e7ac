//! What clients send in other forms than the schemas have, tool by tool.
//!
//! The forms are made from a plain call by what stands in it, so that no option is forgotten: each must be answered, and
//! leave the store, as the plain one. That `POST /model` refuses the same forms of a document show the situations "… as
//! text" of `functions/tests/events/situations.rs`, which this crate cannot reach.

use super::error;
use crate::Config;
use crate::testing::{ANALYZE, Client, Era, One, PATCH, READER, SIMULATE, WRITER, with_everything};
use crate::tools;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

const TUB: &str = r#"{"model":"tub","system_name":"Tub","version":"1","stocks":[{"id":"water","initial":1}],"flows":[{"id":"in","from_stock":null,"to_stock":"water","rate_expr":"1"}],"simulation":{"stop":10}}"#;

/// Calls in their plain form, in which each option of each tool occurs.
fn plain() -> Vec<(&'static str, Value)> {
    vec![
        (
            "fetch_framework_template",
            json!({"framework_name": "SWOT", "topic": "tea", "language": "en"}),
        ),
        ("generate_5_whys", json!({"query": "tea", "style": "ladder"})),
        ("get_paper", json!({"ids": ["2301.00010"]})),
        (
            "list_local_notes",
            json!({"folder": "papers", "tag": "t", "text": "line", "limit": 5}),
        ),
        ("list_local_notes", json!({"cursor": "1796040000000:a.md"})),
        (
            "read_local_note",
            json!({"paths": ["papers/a"], "from_line": 2, "to_line": 3}),
        ),
        ("read_local_note", json!({"paths": ["papers/a"], "heading": "H"})),
        (
            "save_literature",
            json!({"ids": ["2301.00010"], "tags": ["t"], "folder": "papers", "bibtex": true}),
        ),
        ("save_note", json!({"filename": "b", "content": "x", "mode": "create"})),
        (
            "save_note",
            json!({"filename": "papers/a", "content": "x", "overwrite": true, "if_match": "abc"}),
        ),
        (
            "search_arxiv",
            json!({"query": "graph", "max_results": 3, "start": 2, "date_from": "2020", "date_to": "2024",
                "categories": "cs.AI", "sort": "date", "sources": "arxiv"}),
        ),
        (ANALYZE, json!({"model": "tub", "revision": 1})),
        (
            PATCH,
            json!({"model": "tub", "expected_revision": 2,
            "operations": [{"op": "add", "path": "/version", "value": "3"}]}),
        ),
        (PATCH, json!({"restore_revision": 1})),
        (READER, json!({"model": "tub", "revision": 1})),
        (READER, json!({"part": "stocks", "cursor": "0"})),
        (READER, json!({"compare_with": 1})),
        (SIMULATE, json!({"model": "tub", "revision": 1, "variables": ["water"]})),
        (WRITER, json!({"model": "tub", "expected_revision": 2, "version": "3"})),
        (
            WRITER,
            json!({"model": "tub", "document": {"version": "3", "stocks": [{"id": "a"}]}}),
        ),
    ]
}

/// A workspace with a model of two revisions, and a note.
async fn client() -> Client {
    let client = Client::of(
        with_everything(Arc::new(One::default())),
        Config::default(),
        Era::Handshake,
    );
    client.call(WRITER, TUB).await;
    client
        .call(WRITER, &TUB.replace(r#""version":"1""#, r#""version":"2""#))
        .await;
    let note = r##"{"filename":"papers/a","content":"# H\nline 2 #t\nline 3\n# I\nend"}"##;
    client.call("save_note", note).await;
    client
}

/// What a call is answered, and what stands in the workspace after it.
async fn outcome(tool: &str, arguments: &str) -> Vec<Value> {
    let client = client().await;
    vec![
        client.call(tool, arguments).await,
        client.read("model://latest").await,
        client.ask("resources/list", None, "").await,
        client.read("note:///b.md").await,
    ]
}

/// Other forms of a value, as JSON.
fn forms(value: &Value) -> Vec<String> {
    let text = |json: &str| Value::from(json).to_string();
    match value {
        Value::Number(n) => vec![text(&n.to_string()), text(&format!(" {n} ")), format!("{n}.0")],
        Value::Bool(true) => ["\"true\"", "\"True\"", "1", "\"yes\""].map(str::to_owned).into(),
        Value::Array(items) => {
            let all = value.to_string();
            let alone = items.first().filter(|_| items.len() == 1).map(Value::to_string);
            [text(&all)].into_iter().chain(alone).collect()
        }
        Value::Object(_) => vec![text(&value.to_string())],
        // Clients write what looks like a number as one.
        Value::String(said) if said.parse::<u32>().is_ok() => vec![said.clone()],
        _ => Vec::new(),
    }
}

/// The arguments with one of them in another form.
fn with(arguments: &Value, name: &str, json: &str) -> String {
    let members = arguments
        .as_object()
        .unwrap()
        .iter()
        .filter(|(other, _)| *other != name);
    let members = members.map(|(name, value)| format!("{}:{value}", Value::from(name.as_str())));
    let members: Vec<_> = members.chain([format!("{}:{json}", Value::from(name))]).collect();
    format!("{{{}}}", members.join(","))
}

/// The options of a tool; of the writer only those that are no members of a document.
fn options(tool: &str) -> Vec<String> {
    let schema = Value::Object((*tools::find(tool).unwrap().definition.input_schema).clone());
    let names = schema["properties"].as_object().unwrap().keys().cloned();
    let own = ["document", "expected_revision", "model"];
    names.filter(|name| tool != WRITER || own.contains(&&**name)).collect()
}

#[test]
fn every_option_of_every_tool_is_tried() {
    for tool in tools::names() {
        let calls = plain().into_iter().filter(|(name, _)| *name == tool);
        let tried: BTreeSet<String> = calls
            .flat_map(|(_, arguments)| arguments.as_object().unwrap().keys().cloned().collect::<Vec<_>>())
            .collect();
        for option in options(tool) {
            assert!(tried.contains(&option), "{tool}: {option}");
        }
    }
}

#[tokio::test]
async fn a_call_may_come_in_every_form() {
    for (tool, arguments) in plain() {
        let expected = outcome(tool, &arguments.to_string()).await;
        assert_eq!(expected[0]["isError"], false, "{tool} {arguments}: {}", expected[0]);
        let mut others = vec![Value::from(arguments.to_string()).to_string()];
        for (name, value) in arguments.as_object().unwrap() {
            // What is to be kept is kept as it comes; a version is a text and nothing else.
            if !["content", "version"].contains(&name.as_str()) {
                others.extend(forms(value).iter().map(|form| with(&arguments, name, form)));
            }
        }
        for option in options(tool)
            .iter()
            .filter(|name| arguments.get(name.as_str()).is_none())
        {
            others.extend(["null", "\"\"", "[]", "\" \""].map(|nothing| with(&arguments, option, nothing)));
        }
        for other in others {
            assert_eq!(outcome(tool, &other).await, expected, "{tool} {other}");
        }
    }
}

#[tokio::test]
async fn arguments_that_are_nothing_are_none() {
    for tool in tools::names() {
        let expected = outcome(tool, "{}").await;
        for nothing in ["null", "[]", "\"\"", "\"null\"", "\" {} \"", "\"[]\""] {
            let found = outcome(tool, nothing).await;
            match (tool, nothing) {
                // An empty document is one, and kept with its blanks; nothing is none.
                (WRITER, "\" {} \"") => {
                    assert_eq!(found[0]["structuredContent"]["status"], "stored");
                    assert_eq!(found[1]["result"]["contents"][0]["text"], " {} ");
                }
                (WRITER, _) => assert!(error(&found[0]).contains("nothing was sent"), "{nothing}"),
                _ => assert_eq!(found, expected, "{tool} {nothing}"),
            }
        }
    }
}

#[tokio::test]
async fn every_tool_names_the_arguments_that_it_does_not_know() {
    for (tool, arguments) in plain() {
        let client = client().await;
        let result = client.call(tool, &with(&arguments, "zzz", "[1]")).await;
        assert_eq!(result["isError"], false, "{tool}: {result}");
        if tool == WRITER && arguments.get("document").is_none() {
            // It is a member of the document, and kept.
            assert_eq!(client.text("model://latest").await, r#"{"version":"3","zzz":[1]}"#);
            continue;
        }
        let told = match result["structuredContent"].is_object() {
            true => &result["structuredContent"]["ignored_arguments"],
            false => &result["_meta"]["meadow/ignored_arguments"],
        };
        assert_eq!(told, &json!(["zzz"]), "{tool}: {result}");
    }
}

#[tokio::test]
async fn what_is_nested_too_deeply_is_told_so() {
    let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    for tool in tools::names() {
        // A patch may have two levels around what it brings into the document.
        let least = if tool == PATCH { 103 } else { 101 };
        for levels in [least, 200, 100_000] {
            let arguments = format!(r#"{{"model":"deep","zzz":{}}}"#, deep(levels));
            for arguments in [Value::from(arguments.as_str()).to_string(), arguments] {
                let result = client().await.call(tool, &arguments).await;
                let said = error(&result);
                assert!(said.contains("nested objects and arrays"), "{tool}: {said}");
                assert!(
                    !said.contains("no JSON") && !said.contains("not JSON"),
                    "{tool}: {said}"
                );
            }
        }
    }
    let operations = format!(r#"[{{"op":"add","path":"/x","value":{}}}]"#, deep(101));
    for operations in [Value::from(operations.as_str()).to_string(), operations] {
        let result = client()
            .await
            .call(PATCH, &format!(r#"{{"operations":{operations}}}"#))
            .await;
        let said = error(&result);
        assert!(said.contains("more than 100 nested objects and arrays"), "{said}");
        assert!(!said.contains("no JSON") && !said.contains("not JSON"), "{said}");
    }
}

/// Inside a document: a whole member, numbers and flags may come as text.
#[tokio::test]
async fn a_document_is_stored_as_if_its_texts_had_been_json() {
    for (sent, stored) in [
        (
            r#"{"stocks":"[{\"id\":\"水\",\"initial\":\"1.50\"}]" , "version":"1.10"}"#,
            r#"{"stocks":[{"id":"水","initial":"1.50"}] , "version":"1.10"}"#,
        ),
        (
            r#"{"loops":"{\"balancing\":\"[]\"}","elements":"[\"a\"]","boundary":"{\"scope_in\":\"[]\"}"}"#,
            r#"{"loops":{"balancing":[]},"elements":["a"],"boundary":{"scope_in":[]}}"#,
        ),
        (
            r#"{"leverage_points":"[{\"id\":\"12\",\"is_applicable\":\"false\"}]"}"#,
            r#"{"leverage_points":[{"id":12,"is_applicable":false}]}"#,
        ),
        (
            r#"{"interventions":[{"confidence":"0.7","target_leverage_id":"3"}],"interconnections":[{"delay":"True"}]}"#,
            r#"{"interventions":[{"confidence":0.7,"target_leverage_id":3}],"interconnections":[{"delay":true}]}"#,
        ),
        (
            r#"{"simulation":"{\"stop\":\"1e1\",\"dt\":\"0.50\"}","variables":[{"id":"v","points":[["0","1"],[1,2]]}]}"#,
            r#"{"simulation":{"stop":1e1,"dt":0.50},"variables":[{"id":"v","points":[[0,1],[1,2]]}]}"#,
        ),
        // A text where a text is demanded stays one, and null stays null.
        (
            r#"{"system_name":"123","version":"true"}"#,
            r#"{"system_name":"123","version":"true"}"#,
        ),
        (
            r#"{"system_name":"{\"a\":1}","elements":["[1]","7"]}"#,
            r#"{"system_name":"{\"a\":1}","elements":["[1]","7"]}"#,
        ),
        (
            r#"{"flows":[{"id":"f","from_stock":null,"to_stock":"null"}],"boundary":null}"#,
            r#"{"flows":[{"id":"f","from_stock":null,"to_stock":"null"}],"boundary":null}"#,
        ),
    ] {
        for arguments in [
            sent.to_owned(),
            Value::from(sent).to_string(),
            format!(r#"{{"document":{sent}}}"#),
            format!(r#"{{"document":{}}}"#, Value::from(sent)),
        ] {
            let client = Client::new(Era::Handshake);
            let result = client.call(WRITER, &arguments).await;
            assert_eq!(result["structuredContent"]["status"], "stored", "{arguments}: {result}");
            assert_eq!(client.text("model://latest").await, stored, "{arguments}");
        }
    }
    let client = Client::new(Era::Handshake);
    let ends = r#"{"system_name":"123","flows":[{"id":"f","from_stock":null,"to_stock":"null"}]}"#;
    let report = client.call(WRITER, ends).await["structuredContent"].clone();
    assert_eq!(report["model"], "123");
    let missing = report["missing_fields"].to_string();
    assert!(
        !missing.contains("from_stock") && !missing.contains("to_stock"),
        "{missing}"
    );
    let warnings = report["inconsistency_warnings"].to_string();
    assert!(
        warnings.contains("to_stock") && warnings.contains("`null`"),
        "{warnings}"
    );
}

#[tokio::test]
async fn what_is_no_number_flag_or_list_is_named_with_its_place_and_value() {
    let client = Client::new(Era::Handshake);
    for (sent, told) in [
        (
            r#"{"interventions":[{"confidence":"high"}]}"#,
            "/interventions/0/confidence: found the text \"high\", expected a number from 0 to 1",
        ),
        (
            r#"{"interventions":[{"confidence":"0.7"},{"confidence":"1.5"}]}"#,
            "/interventions/1/confidence: found the number 1.5, expected a number from 0 to 1",
        ),
        (
            r#"{"leverage_points":[{"is_applicable":"yes"}]}"#,
            "/leverage_points/0/is_applicable: found the text \"yes\", expected true or false",
        ),
        (
            r#"{"stocks":"a, b"}"#,
            "/stocks: found the text \"a, b\", expected a list",
        ),
        (r#"{"stocks":["{\"id\":\"a\"}"]}"#, "/stocks/0: found the text"),
    ] {
        let result = client.call(WRITER, sent).await;
        assert!(error(&result).contains(told), "{sent}: {result}");
        assert!(!error(&result).contains("times over"), "{result}");
    }
    assert!(
        client.read("model://latest").await["error"].is_object(),
        "nothing was stored"
    );
}

/// However many there are: far more than a refusal names.
#[tokio::test]
async fn ten_thousand_numbers_as_text_are_all_read() {
    let client = Client::new(Era::Handshake);
    let item = |quote: &str| format!(r#"{{"confidence":{quote}0.5{quote},"target_leverage_id":{quote}3{quote}}}"#);
    let all = |quote: &str| format!(r#"{{"interventions":[{}]}}"#, vec![item(quote); 5_000].join(","));
    let result = client.call(WRITER, &all("\"")).await;
    assert_eq!(result["structuredContent"]["status"], "stored", "{result}");
    let same = client.call(WRITER, &all("")).await;
    assert_eq!(same["structuredContent"]["status"], "unchanged", "byte for byte");
}
