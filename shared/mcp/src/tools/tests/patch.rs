//! `systems_thinking_patch`, and the reader's parts.

use super::{client, error};
use crate::Config;
use crate::testing::{Client, ERAS, Era, PATCH, READER, WRITER, service};
use crate::tools::MAX_ANSWER;
use meadow_service::MemoryStore;
use serde_json::{Value, json};

const TUB: &str = r#"{ "system_name":"Tub", "stocks":[{"id":"water","unit":"l","initial":1.50}], "elements":["tap"] }"#;

async fn with_tub(era: Era) -> Client {
    let client = Client::new(era);
    let written = client.call(WRITER, TUB).await;
    assert_eq!(written["structuredContent"]["revision"], 1);
    client
}

/// The answer of a call, which is the same in both places.
#[track_caller]
fn answer(result: &Value) -> Value {
    assert_ne!(result["isError"], true, "{result}");
    let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(text, result["structuredContent"]);
    text
}

#[tokio::test]
async fn parts_of_a_model_are_changed_and_judged_in_both_eras() {
    for era in ERAS {
        let client = with_tub(era).await;
        let operations = r#"{"operations":[
            {"op":"replace","path":"/stocks/water/unit","value":"m3"},
            {"op":"put","path":"/stocks/sink","value":{"id":"sink","unit":"m3","initial":2.0}},
            {"op":"add","path":"/elements/-","value":"drain"}],"expected_revision":"1","why":"x"}"#;
        let found = answer(&client.call(PATCH, operations).await);
        assert_eq!(
            (&found["status"], &found["revision"], &found["model"]),
            (&json!("stored"), &json!(2), &json!("tub"))
        );
        assert_eq!(
            found["applied"],
            json!([
                "replace /stocks/0/unit (id water)",
                "put /stocks/1 (id sink)",
                "add /elements/1"
            ])
        );
        assert_eq!(found["ignored_arguments"], json!(["why"]));
        assert!(
            found["missing_fields"]
                .as_array()
                .unwrap()
                .contains(&json!("stocks[1].description")),
            "{found}"
        );
        assert!(found.get("document").is_none());
        let text = r#"{ "system_name":"Tub", "stocks":[{"id":"water","unit":"m3","initial":1.50},{"id":"sink","unit":"m3","initial":2.0}], "elements":["tap","drain"] }"#;
        assert_eq!(client.text("model://tub").await, text);
    }
}

#[tokio::test]
async fn operations_are_read_in_every_form_that_clients_send() {
    let client = with_tub(Era::Handshake).await;
    let check = async |arguments: Value, part: &str| {
        let result = client.call(PATCH, &arguments.to_string()).await;
        assert_eq!(answer(&result)["status"], "stored", "{arguments}: {result}");
        let text = client.text("model://tub").await;
        assert!(text.contains(part), "{arguments}: {text}");
    };
    let unit = json!({"op": "replace", "path": "/stocks/water/unit", "value": "a"});
    check(json!({"operations": [unit]}), r#""unit":"a""#).await;
    let unit = json!({"op": "replace", "path": "/stocks/water/unit", "value": "b"});
    check(json!({"operations": unit}), r#""unit":"b""#).await;
    let unit = json!([{"op": "replace", "path": "/stocks/water/unit", "value": "c"}]).to_string();
    check(
        json!({"operations": unit, "model": "", "expected_revision": null}),
        r#""unit":"c""#,
    )
    .await;
    let unit = json!({"op": "replace", "path": "/stocks/water/unit", "value": "d"}).to_string();
    check(json!({"operations": [unit], "model": "latest"}), r#""unit":"d""#).await;
    // Values as text, as the schema has them, are read where a text cannot be.
    let put = json!({"op": "put", "path": "/stocks/-", "value": "{\"id\":\"e\",\"initial\":1.0}"});
    check(json!({"operations": [put]}), r#"{"id":"e","initial":1.0}"#).await;
    let add = json!({"op": "add", "path": "/flows", "value": "[{\"id\":\"f\"}]"});
    check(
        json!({"operations": [add]}),
        r#""flows": [{"id":"f"}]"#.replace(": ", ":").as_str(),
    )
    .await;
    let add = json!({"op": "add", "path": "/simulation", "value": {"stop": "10"}});
    check(json!({"operations": [add]}), r#"{"stop":10}"#).await;
    let add = json!({"op": "add", "path": "/stocks/water/description", "value": "{\"is\":\"text\"}"});
    check(json!({"operations": [add]}), r#""{\"is\":\"text\"}""#).await;
}

#[tokio::test]
async fn what_cannot_be_done_is_told_and_changes_nothing() {
    let client = with_tub(Era::Stateless).await;
    for (arguments, part) in [
        ("{}", "nothing was asked for; send `operations`"),
        (r#"{"operations":[]}"#, "nothing was asked for"),
        (
            r#"{"operations":[{"op":"set","path":"/version","value":"1"}]}"#,
            "operation 0: `op` is \"set\", expected one of add",
        ),
        (
            r#"{"operations":[{"op":"remove","path":"stocks[0].unit"}]}"#,
            "write \"/stocks/0/unit\"",
        ),
        (
            r#"{"operations":[{"op":"remove","path":"/stocks/watr"}]}"#,
            "did you mean \"water\"?; nothing was changed",
        ),
        (
            r#"{"operations":"what"}"#,
            "`operations`: the patch could not be read: line 1, column 1: found 'w'",
        ),
        (r#"{"operations":5}"#, "a patch is a list of operations"),
        (r#"{"operations":[{"op":"remove","path":""}]}"#, "cannot be removed"),
        (
            r#"{"operations":[{"op":"add","path":"/version","value":5}]}"#,
            "/version: found the number 5, expected a text",
        ),
        (
            r#"{"operations":[{"op":"add","path":"/a","value":1}],"restore_revision":1}"#,
            "not both",
        ),
        (
            r#"{"operations":[{"op":"add","path":"/a","value":1}],"expected_revision":"x"}"#,
            "argument `expected_revision`",
        ),
        (
            r#"{"operations":[{"op":"add","path":"/a","value":1}],"model":"a b"}"#,
            "model id \"a b\"",
        ),
    ] {
        let result = client.call(PATCH, arguments).await;
        assert!(error(&result).contains(part), "{arguments}: {result}");
    }
    let failed = client
        .call(
            PATCH,
            r#"{"operations":[{"op":"test","path":"/stocks/water/unit","value":"m3"}]}"#,
        )
        .await;
    let failed = answer(&failed);
    assert_eq!(
        (
            &failed["status"],
            &failed["operation"],
            &failed["pointer"],
            &failed["found"],
            &failed["expected"]
        ),
        (
            &json!("test_failed"),
            &json!(0),
            &json!("/stocks/water/unit"),
            &json!("\"l\""),
            &json!("\"m3\"")
        )
    );
    let conflict = answer(
        &client
            .call(
                PATCH,
                r#"{"operations":[{"op":"remove","path":"/elements"}],"expected_revision":7}"#,
            )
            .await,
    );
    assert_eq!(
        (
            &conflict["status"],
            &conflict["expected_revision"],
            &conflict["current_revision"]
        ),
        (&json!("conflict"), &json!(7), &json!(1))
    );
    assert!(conflict["message"].as_str().unwrap().contains("compare_with 7"));
    let absent = answer(
        &client
            .call(
                PATCH,
                r#"{"operations":[{"op":"remove","path":"/elements"}],"model":"moon"}"#,
            )
            .await,
    );
    assert_eq!(absent["status"], "not_found");
    let many = vec![r#"{"op":"remove","path":"/x"}"#; 1_001].join(",");
    let result = client.call(PATCH, &format!(r#"{{"operations":[{many}]}}"#)).await;
    assert!(error(&result).contains("1001 operations, at most 1000"));
    assert_eq!(client.text("model://latest").await, TUB);
}

/// The arguments that put a value into a document at `/x`, in every form that clients send.
fn forms_of_a_patch(value: &str) -> Vec<String> {
    let operation = format!(r#"{{"op":"add","path":"/x","value":{value}}}"#);
    let arguments = format!(r#"{{"operations":[{operation}]}}"#);
    vec![
        json!(arguments).to_string(),
        format!(r#"{{"operations":{}}}"#, json!(format!("[{operation}]"))),
        format!(r#"{{"operations":[{}]}}"#, json!(operation)),
        arguments,
    ]
}

fn forms_of_a_write(value: &str) -> Vec<String> {
    let document = format!(r#"{{"system_name":"Tub","x":{value}}}"#);
    let arguments = format!(r#"{{"document":{document}}}"#);
    vec![
        json!(document).to_string(),
        json!(arguments).to_string(),
        format!(r#"{{"document":{}}}"#, json!(document)),
        document,
        arguments,
    ]
}

type Forms = fn(&str) -> Vec<String>;

/// The two tools that carry documents.
const CARRIERS: [(&str, Forms); 2] = [(PATCH, forms_of_a_patch), (WRITER, forms_of_a_write)];

#[tokio::test]
async fn what_is_stored_is_what_was_sent() {
    for (tool, forms) in CARRIERS {
        let client = with_tub(Era::Stateless).await;
        for value in [
            r#""a\tb\bc\fd""#,
            r#""\u0008\u000c\/\" \\beta \\d""#,
            r#""\ud83d\ude00 \\ud800""#,
            r#"{"\b":["\f",1.10,-0.0,1E+2]}"#,
            r#"" he said \"no\", to: it } ""#,
            "\"{}\"",
        ] {
            for arguments in forms(value) {
                client.call(WRITER, r#"{"system_name":"Tub"}"#).await;
                let result = client.call(tool, &arguments).await;
                assert_eq!(answer(&result)["status"], "stored", "{arguments}");
                let text = client.text("model://tub").await;
                assert_eq!(text, format!(r#"{{"system_name":"Tub","x":{value}}}"#), "{arguments}");
            }
        }
    }
}

/// Notes are mended, documents never: one fault in a patch would change what stands elsewhere in it.
#[tokio::test]
async fn what_is_no_json_is_refused_and_never_mended() {
    for (tool, forms) in CARRIERS {
        let client = with_tub(Era::Stateless).await;
        for (value, part) in [
            (r#""a\tb\bc\fd \ud800""#, "surrogate"),
            (r#"{"\udc00":1}"#, "surrogate"),
        ] {
            for arguments in forms(value) {
                let result = client.call(tool, &arguments).await;
                let error = error(&result);
                assert!(
                    error.contains(part) && error.contains("nothing was"),
                    "{arguments}: {error}"
                );
            }
        }
        // Only within a text can there be what is no JSON at all.
        for value in [r#""\d""#, r#""he said "no" to it""#, "\"two\nlines\"", r#""\u12""#] {
            for arguments in forms(value)
                .into_iter()
                .filter(|sent| serde_json::from_str::<Value>(sent).is_ok())
            {
                let result = client.call(tool, &arguments).await;
                assert!(error(&result).contains("nothing was"), "{arguments}: {result}");
            }
        }
        assert_eq!(client.text("model://latest").await, TUB);
    }
    // Two operations: the one is as it should be.
    let client = with_tub(Era::Handshake).await;
    let operations =
        r#"{"operations":[{"op":"add","path":"/x","value":"a\tb\bc\fd"},{"op":"add","path":"/y","value":"\ud800"}]}"#;
    assert!(error(&client.call(PATCH, operations).await).contains("line 1, column"));
    assert_eq!(client.text("model://latest").await, TUB);
}

/// A document has 100 levels, the value at `/x` 99: what stands around it in a call does not count.
#[tokio::test]
async fn values_are_as_deep_as_documents() {
    let of = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    for (tool, forms) in CARRIERS {
        let client = with_tub(Era::Stateless).await;
        for arguments in forms(&of(99)) {
            client.call(WRITER, r#"{"system_name":"Tub"}"#).await;
            assert_eq!(
                answer(&client.call(tool, &arguments).await)["status"],
                "stored",
                "{tool}"
            );
            let text = client.text("model://tub").await;
            assert_eq!(text, format!(r#"{{"system_name":"Tub","x":{}}}"#, of(99)));
        }
        for levels in [100, 101, 102, 103, 100_000] {
            for arguments in forms(&of(levels)) {
                let result = client.call(tool, &arguments).await;
                let error = error(&result);
                assert!(
                    error.contains("more than 100 nested objects and arrays"),
                    "{tool} {levels}: {error}"
                );
                assert!(error.contains("nothing was"), "{tool} {levels}: {error}");
            }
        }
    }
}

#[tokio::test]
async fn the_number_of_a_leverage_point_is_never_taken_for_an_index() {
    let client = client();
    let points: Vec<_> = (1..=12)
        .map(|id| json!({"id": id, "label": format!("L{id}"), "is_applicable": false}))
        .collect();
    client
        .call(
            WRITER,
            &json!({"system_name": "Tub", "leverage_points": points}).to_string(),
        )
        .await;
    let label = |path: &str| {
        json!({"operations": [{"op": "replace", "path": format!("/leverage_points/{path}/label"), "value": "new"}]})
            .to_string()
    };
    let result = client.call(PATCH, &label("5")).await;
    assert!(
        error(&result).contains(
            "the index 5 is an item with the id 6, and the item with the id 5 has the index 4; write id=5 or index=5 instead; \
             nothing was changed"
        ),
        "{result}"
    );
    let found = answer(&client.call(PATCH, &label("id=5")).await);
    assert_eq!(found["applied"], json!(["replace /leverage_points/4/label (id 5)"]));
    // As text, as many agents send all.
    let put = json!({"operations": [{"op": "put", "path": "/leverage_points/-", "value": {"id": "7", "label": "new", "is_applicable": "false"}}]});
    let found = answer(&client.call(PATCH, &put.to_string()).await);
    assert_eq!(found["applied"], json!(["put /leverage_points/6 (id 7)"]));
    let read = answer(&client.call(READER, r#"{"part":"leverage_points"}"#).await);
    let labels: Vec<_> = (1..=12)
        .map(|id| match id {
            5 | 7 => json!({"id": id, "label": "new", "is_applicable": false}),
            _ => points[id - 1].clone(),
        })
        .collect();
    assert_eq!(read["leverage_points"], json!(labels));
}

#[tokio::test]
async fn put_a_level_off_destroys_nothing() {
    let client = client();
    const LOOPS: &str =
        r#"{"system_name":"Tub","loops":{"balancing":[{"id":"B","description":"x"}],"reinforcing":[]}}"#;
    client.call(WRITER, LOOPS).await;
    let put = async |path: &str, value: Value| {
        let operations = json!({"operations": [{"op": "put", "path": path, "value": value}]});
        client.call(PATCH, &operations.to_string()).await
    };
    let item = json!({"id": "N", "description": "a -> b"});
    for path in ["/loops", "/loops/N", "", "/N"] {
        let result = put(path, item.clone()).await;
        let error = error(&result);
        assert!(
            error.contains("/loops/balancing or /loops/reinforcing") && error.ends_with("nothing was changed"),
            "{path}: {error}"
        );
        // The value as text.
        let result = put(path, json!(item.to_string())).await;
        assert!(result["isError"] == true, "{path}: {result}");
    }
    assert_eq!(client.text("model://tub").await, LOOPS);
    assert_eq!(
        answer(&put("/variables", json!({"id": "v", "expr": "1"})).await)["status"],
        "stored"
    );
    assert_eq!(
        answer(&put("/loops/reinforcing", item).await)["applied"],
        json!(["put /loops/reinforcing/0 (id N)"])
    );
    let read: Value = serde_json::from_str(&client.text("model://tub").await).unwrap();
    assert_eq!(read["variables"], json!([{"id": "v", "expr": "1"}]));
    assert_eq!(read["loops"]["balancing"][0]["id"], "B");
    assert_eq!(
        read["loops"]["reinforcing"],
        json!([{"id": "N", "description": "a -> b"}])
    );
}

#[tokio::test]
async fn cursors_that_no_answer_gave_are_refused() {
    let client = with_tub(Era::Handshake).await;
    for cursor in ["zzz", "a b", "../x", "latest", "7", "\u{fffd}"] {
        let result = client
            .call(READER, &json!({"part": "models", "cursor": cursor}).to_string())
            .await;
        assert_eq!(
            error(&result),
            "argument `cursor` is none of ours; leave it out to begin anew"
        );
    }
    for (part, cursor) in [
        ("stocks", "1"),
        ("stocks", "-1"),
        ("history", "1"),
        ("history", "x"),
        ("elements", "99"),
    ] {
        let result = client
            .call(READER, &json!({"part": part, "cursor": cursor}).to_string())
            .await;
        assert_eq!(
            error(&result),
            "argument `cursor` is none of ours; leave it out to begin anew",
            "{part}"
        );
    }
    // One of ours stays one when its model is gone.
    client.call(WRITER, r#"{"system_name":"Zoo"}"#).await;
    let models = async || answer(&client.call(READER, r#"{"part":"models","cursor":"tub"}"#).await);
    assert_eq!(models().await["models"][0]["model"], "zoo");
}

#[tokio::test]
async fn revisions_are_restored_listed_and_compared() {
    let client = with_tub(Era::Handshake).await;
    client.call(PATCH, r#"{"operations":[{"op":"replace","path":"/stocks/water/unit","value":"m3"},{"op":"add","path":"/version","value":"2"}]}"#).await;
    let found = answer(&client.call(READER, r#"{"compare_with":1}"#).await);
    assert_eq!(
        (&found["status"], &found["revision"], &found["compare_with"]),
        (&json!("ok"), &json!(2), &json!(1))
    );
    assert_eq!(found["changed"], json!([r#"/stocks/water/unit: "l" -> "m3""#]));
    assert_eq!(
        (&found["added"], &found["removed"]),
        (&json!([r#"/version: "2""#]), &json!([]))
    );
    let found = answer(
        &client
            .call(PATCH, r#"{"restore_revision":"1","expected_revision":2}"#)
            .await,
    );
    assert_eq!((&found["status"], &found["revision"]), (&json!("stored"), &json!(3)));
    assert_eq!(client.text("model://tub").await, TUB);
    let same = answer(&client.call(READER, r#"{"compare_with":"1","model":"tub"}"#).await);
    assert!(same["message"].as_str().unwrap().contains("nothing changed"), "{same}");
    let none = answer(&client.call(READER, r#"{"compare_with":77}"#).await);
    assert_eq!(none["status"], "not_found");
    assert_eq!(
        answer(&client.call(PATCH, r#"{"restore_revision":77}"#).await)["status"],
        "not_found"
    );
    let history = answer(&client.call(READER, r#"{"part":"history"}"#).await);
    let revisions: Vec<_> = history["history"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| r["revision"].as_u64().unwrap())
        .collect();
    assert_eq!(revisions, [3, 2, 1]);
    assert!(history.get("next_cursor").is_none());
}

#[tokio::test]
async fn the_reader_gives_parts() {
    let client = client();
    let text = client.text("example://bathtub").await;
    client.call(WRITER, &text).await;
    let document: Value = serde_json::from_str(&text).unwrap();
    for part in [
        "boundary",
        "stocks",
        "flows",
        "variables",
        "loops",
        "leverage_points",
        "interventions",
        "interconnections",
        "elements",
    ] {
        let found = answer(&client.call(READER, &json!({"part": part}).to_string()).await);
        assert_eq!(found[part], document[part], "{part}");
        assert_eq!((&found["part"], &found["revision"]), (&json!(part), &json!(1)));
        assert!(found.get("document").is_none() && found.get("missing_fields").is_none());
    }
    let report = answer(&client.call(READER, r#"{"part":"Report"}"#).await);
    assert_eq!(
        (&report["complete"], &report["missing_fields"]),
        (&json!(true), &json!([]))
    );
    let models = answer(&client.call(READER, r#"{"part":"models"}"#).await);
    assert_eq!(models["models"][0]["system_name"], document["system_name"]);
    assert!(error(&client.call(READER, r#"{"part":"poem"}"#).await).contains("expected one of version"));
    assert!(
        error(&client.call(READER, r#"{"part":"stocks","cursor":"x"}"#).await)
            .contains("argument `cursor` is none of ours")
    );
    client.call(WRITER, r#"{"system_name":"Bare"}"#).await;
    let none = answer(&client.call(READER, r#"{"part":"flows"}"#).await);
    assert_eq!(none["message"], "the document has no flows");
    assert_eq!(
        answer(&client.call(READER, r#"{"part":"flows","model":"moon"}"#).await)["status"],
        "not_found"
    );
}

/// All items of a part, over as many answers as it takes; each is bounded.
async fn walk(client: &Client, part: &str, most: usize, items: impl Fn(&Value) -> Vec<Value>) -> Vec<Value> {
    let (mut all, mut cursor) = (Vec::new(), Value::Null);
    loop {
        let result = client
            .call(READER, &json!({"part": part, "cursor": cursor}).to_string())
            .await;
        assert!(result["content"][0]["text"].as_str().unwrap().len() <= most);
        let found = answer(&result);
        all.extend(items(&found[part]));
        cursor = found["next_cursor"].clone();
        if cursor.is_null() {
            return all;
        }
    }
}

#[tokio::test]
async fn what_is_large_comes_in_parts_that_are_bounded() {
    let client = client();
    let stocks: Vec<_> = (0..500)
        .map(|n| json!({"id": format!("s{n}"), "description": "x".repeat(300)}))
        .collect();
    let loops = json!({"balancing": stocks[..300], "reinforcing": stocks[300..]});
    let document =
        json!({"system_name": "Large", "stocks": stocks, "loops": loops, "boundary": {"purpose": "x".repeat(70_000)}});
    client.call(WRITER, &document.to_string()).await;
    let most = crate::resources::MAX_DOCUMENT + 2_000;
    let list = |found: &Value| found.as_array().unwrap().clone();
    assert_eq!(walk(&client, "stocks", most, list).await, stocks);
    let both = |found: &Value| [list(&found["balancing"]), list(&found["reinforcing"])].concat();
    assert_eq!(walk(&client, "loops", most, both).await, stocks);
    let boundary = answer(&client.call(READER, r#"{"part":"boundary"}"#).await);
    assert_eq!(boundary["status"], "too_large");
    client.call(PATCH, r#"{"operations":[{"op":"remove","path":"/stocks"},{"op":"remove","path":"/loops"},{"op":"add","path":"/elements","value":["a"]}]}"#).await;
    let flows: Vec<_> = (0..500)
        .map(|n| {
            format!(
                "{{\"op\":\"put\",\"path\":\"/flows/f{n}\",\"value\":{{\"id\":\"f{n}\",\"description\":\"{}\"}}}}",
                "x".repeat(200)
            )
        })
        .collect();
    let result = client
        .call(PATCH, &format!(r#"{{"operations":[{}]}}"#, flows.join(",")))
        .await;
    assert!(
        result["content"][0]["text"].as_str().unwrap().len() <= MAX_ANSWER,
        "{}",
        result["content"][0]["text"].as_str().unwrap().len()
    );
    let changed = client.call(READER, r#"{"compare_with":2}"#).await;
    assert!(changed["content"][0]["text"].as_str().unwrap().len() <= MAX_ANSWER);
    let changed = answer(&changed);
    assert_eq!(changed["added"][0].as_str().unwrap().split(':').next(), Some("/flows"));
    client
        .call(PATCH, r#"{"operations":[{"op":"remove","path":"/flows/f3"}]}"#)
        .await;
    let changed = answer(&client.call(READER, r#"{"compare_with":3,"revision":1}"#).await);
    assert_eq!(changed["revision"], 1);
    for n in 0..120 {
        client
            .call(
                WRITER,
                &json!({"system_name": format!("{n:03} {}", "名".repeat(50)), "version": n.to_string()}).to_string(),
            )
            .await;
    }
    let names = walk(&client, "models", MAX_ANSWER, list).await;
    assert_eq!(names.len(), 121);
    let report = client.call(READER, r#"{"part":"report","model":"large"}"#).await;
    assert!(report["content"][0]["text"].as_str().unwrap().len() <= MAX_ANSWER);
}

/// The list of tools has to stay small: whoever connects pays for it.
#[tokio::test]
async fn the_tool_and_the_readers_arguments_are_small() {
    let sizes: std::collections::BTreeMap<_, _> = crate::tools::definitions()
        .into_iter()
        .map(|tool| (tool.name.to_string(), serde_json::to_string(&tool).unwrap().len()))
        .collect();
    assert!(sizes[PATCH] <= 1_300, "{sizes:?}");
    assert!(sizes[READER] <= 1_900, "{sizes:?}");
    let definitions = crate::tools::definitions();
    let patch = definitions.iter().find(|tool| tool.name == PATCH).unwrap();
    assert!(patch.description.as_ref().unwrap().len() <= 600);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn agents_that_patch_at_once_lose_nothing() {
    let client = Client::of(service(MemoryStore::new()), Config::default(), Era::Stateless);
    client.call(WRITER, r#"{"system_name":"Tub","elements":[]}"#).await;
    let patch = |n: usize| {
        let client = client.clone();
        tokio::spawn(async move {
            let add = format!(r#"{{"operations":[{{"op":"add","path":"/elements/-","value":"e{n}"}}]}}"#);
            answer(&client.call(PATCH, &add).await)["revision"].as_u64().unwrap()
        })
    };
    let all: Vec<_> = (0..8).map(patch).collect();
    let mut revisions = Vec::new();
    for one in all {
        revisions.push(one.await.unwrap());
    }
    revisions.sort_unstable();
    assert_eq!(revisions, (2..10).collect::<Vec<_>>());
    let read = answer(&client.call(READER, r#"{"part":"elements"}"#).await);
    assert_eq!(read["elements"].as_array().unwrap().len(), 8);
}
