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
            json!(["replace /stocks/0/unit", "put /stocks/1", "add /elements/1"])
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
