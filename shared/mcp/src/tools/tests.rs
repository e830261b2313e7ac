//! The tools as clients meet them.

mod leniency;
mod literature;
mod notes;
mod patch;
mod saving;
mod thinking;

use crate::Config;
use crate::testing::{ANALYZE, Client, ERAS, EXAMPLES, Era, Faulty, PATCH, READER, SIMULATE, WRITER, service};
use meadow_service::MemoryStore;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

fn client() -> Client {
    Client::new(Era::Handshake)
}

/// The text of a refusal.
#[track_caller]
fn error(result: &Value) -> &str {
    assert_eq!(result["isError"], true, "{result}");
    result["content"][0]["text"].as_str().unwrap()
}

#[tokio::test]
async fn every_example_is_complete_in_both_eras() {
    for era in ERAS {
        let client = Client::new(era);
        for name in EXAMPLES {
            let text = client.text(&format!("example://{name}")).await;
            let result = client.call(WRITER, &text).await;
            let report = &result["structuredContent"];
            assert_eq!(report["complete"], true, "{name}: {report}");
            assert_eq!((&report["status"], &report["revision"]), (&json!("stored"), &json!(1)));
            let id = report["model"].as_str().unwrap();
            assert_eq!(
                client.text(&format!("model://{}", crate::resources::encoded(id))).await,
                text.trim_end()
            );
        }
    }
}

#[tokio::test]
async fn an_agent_goes_from_an_empty_document_to_a_complete_one() {
    let client = client();
    let result = client.call(WRITER, "{}").await;
    let report = &result["structuredContent"];
    assert_eq!(
        (&report["complete"], &report["model"]),
        (&json!(false), &json!("untitled"))
    );
    assert!(
        report["missing_fields"]
            .as_array()
            .unwrap()
            .contains(&json!("system_name")),
        "{report}"
    );
    let text = client.text("example://bathtub").await;
    let result = client.call(WRITER, &text).await;
    assert_eq!(result["structuredContent"]["complete"], true);
    let read = client.call(READER, "{}").await;
    assert_eq!(
        read["structuredContent"]["document"],
        serde_json::from_str::<Value>(&text).unwrap()
    );
}

#[tokio::test]
async fn what_was_given_is_stored_byte_for_byte() {
    let client = client();
    let document =
        r#"{ "z":1.10, "system_name" : "Ab\u0063", "n":123456789012345678901234567890, "e":1E+2,	"a":[ ],"b":-0.0 }"#;
    let escaped = serde_json::to_string(document).unwrap();
    for arguments in [
        document.to_owned(),
        escaped.clone(),
        format!(r#"{{"document":{document},"model":"abc"}}"#),
        format!(r#"{{"model":null,"document":{escaped}}}"#),
        document.replacen("{ ", r#"{ "expected_revision":"1", "#, 1),
    ] {
        let result = client.call(WRITER, &arguments).await;
        assert_eq!(result["structuredContent"]["model"], "abc", "{arguments}: {result}");
        assert_eq!(result["structuredContent"]["revision"], 1, "{arguments}: {result}");
        assert_eq!(client.text("model://abc").await, document);
    }
    let read = client.call(READER, r#"{"model":"abc"}"#).await;
    assert!(
        read["content"][0]["text"].as_str().unwrap().contains(document),
        "{read}"
    );
}

#[tokio::test]
async fn a_refused_document_names_every_fault_and_changes_nothing() {
    let client = client();
    client.call(WRITER, r#"{"system_name":"Before"}"#).await;
    let deep = format!(r#"{{"a":{}{}}}"#, "[".repeat(100), "]".repeat(100));
    let deepest = format!(r#"{{"a":{}{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
    for (arguments, parts) in [
        (
            r#"{"version":1,"elements":["a",2,null],"stocks":{}}"#,
            &[
                "/version: found the number 1, expected a text",
                "/elements/1",
                "/elements/2",
                "/stocks",
                "nothing was stored",
            ][..],
        ),
        (
            r#"{"a":{"b":1,"b":2},"a":3}"#,
            &["/a/b: found the same member name a second time", "/a:"],
        ),
        (r#"{"a":"\u0000"}"#, &["/a: found a text with NUL"]),
        (r#"{"a":1e400}"#, &["/a: found the number 1e400"]),
        (r#"{"a":"\ud800"}"#, &["not JSON", "line 1, column 7", "surrogate"]),
        (r#""{\"a\":""#, &["not JSON", "line 1"]),
        (r#"{"document":"\ud800"}"#, &["not JSON", "surrogate"]),
        (
            r#""\ud800""#,
            &["`arguments`: the text could not be read", "hex escape"],
        ),
        (r#"{"document":"{\"a\":NaN}"}"#, &["not JSON", "column 6"]),
        (
            r#"{"leverage_points":[{"id":3.5},{"id":13}],"interventions":[{"confidence":1.5}]}"#,
            &[
                "/leverage_points/0/id",
                "/leverage_points/1/id",
                "/interventions/0/confidence",
            ],
        ),
        ("[1]", &["the whole document: found an array"]),
        ("5", &["the whole document: found the number 5"]),
        (&deep, &["more than 100 nested"]),
        (&deepest, &["more than 100 nested"]),
        ("null", &["nothing was sent"]),
        ("[]", &["nothing was sent"]),
        ("\"\"", &["nothing was sent"]),
        (
            r#"{"model":"x y","system_name":"A"}"#,
            &["model id \"x y\"", "x-y", "nothing was stored"],
        ),
        (r#"{"model":"latest","system_name":"A"}"#, &["latest-model"]),
    ] {
        let result = client.call(WRITER, arguments).await;
        for part in parts {
            assert!(error(&result).contains(part), "{part}: {result}");
        }
    }
    for (arguments, part) in [
        (r#"{"document":{"system_name":"A"},"version":"9"}"#, "one or the other"),
        (r#"{"document":{"document":{"system_name":"A"}}}"#, "not wrapped twice"),
        (
            r#"{"expected_revision":99999999999999999999,"version":"9"}"#,
            "found the number 99999999999999999999, expected",
        ),
    ] {
        assert!(
            error(&client.call(WRITER, arguments).await).contains(part),
            "{arguments}"
        );
    }
    let absent = client
        .ask("tools/call", Some(WRITER), &format!(r#""name":"{WRITER}""#))
        .await;
    assert!(error(&absent["result"]).contains("nothing was sent"));
    assert_eq!(client.text("model://latest").await, r#"{"system_name":"Before"}"#);
}

#[tokio::test]
async fn an_answer_is_bounded_however_many_faults_there_are() {
    let client = client();
    let wrong = format!(r#"{{"elements":[{}]}}"#, vec!["1"; 20_000].join(","));
    let result = client.call(WRITER, &wrong).await;
    assert!(error(&result).contains("faults: 20000") && error(&result).contains("... and 19900 more"));
    let long = "x".repeat(5_000);
    let wrong = format!(
        r#"{{"stocks":[{}]}}"#,
        vec![format!(r#"{{"{long}":1e999}}"#); 500].join(",")
    );
    error(&client.call(WRITER, &wrong).await);
    let mut flows = Vec::new();
    for n in 0..20_000 {
        flows.push(format!(
            r#"{{"id":"flow_{n}","from_stock":"nowhere_{n}","to_stock":"elsewhere_{n}"}}"#
        ));
    }
    let result = client
        .call(WRITER, &format!(r#"{{"flows":[{}]}}"#, flows.join(",")))
        .await;
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.len() <= super::MAX_ANSWER, "{}", text.len());
    assert_eq!(result["structuredContent"]["complete"], false);
}

#[tokio::test]
async fn expectations_hold_and_conflicts_say_what_to_do() {
    for era in ERAS {
        let client = Client::new(era);
        let write = async |expected: &str, version: &str| {
            let arguments = format!(r#"{{"model":"tub","expected_revision":{expected},"version":"{version}"}}"#);
            client.call(WRITER, &arguments).await["structuredContent"].clone()
        };
        assert_eq!(write("0", "1").await["revision"], 1);
        let conflict = write("\"0\"", "2").await;
        assert_eq!(
            (
                &conflict["status"],
                &conflict["model"],
                &conflict["expected_revision"],
                &conflict["current_revision"]
            ),
            (&json!("conflict"), &json!("tub"), &json!(0), &json!(1))
        );
        assert_eq!(write("1", "2").await["revision"], 2);
        let conflict = write("1", "3").await;
        assert!(
            conflict["message"].as_str().unwrap().contains("expected_revision 2"),
            "{conflict}"
        );
        assert_eq!(write("\"2\"", "2").await["status"], "unchanged");
        assert_eq!(client.text("model://tub").await, r#"{"version":"2"}"#);
        let nowhere = client
            .call(WRITER, r#"{"model":"sea","expected_revision":4,"version":"1"}"#)
            .await;
        let conflict = &nowhere["structuredContent"];
        assert_eq!(
            (&conflict["status"], &conflict["model"]),
            (&json!("conflict"), &json!("sea"))
        );
        assert!(conflict.get("current_revision").is_none());
    }
}

/// The text of an answer, which is bounded, and the answer.
#[track_caller]
fn bounded(result: &Value) -> &Value {
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.len() <= super::MAX_ANSWER, "{}", text.len());
    &result["structuredContent"]
}

#[tokio::test]
async fn every_example_is_run_and_analysed() {
    for era in ERAS {
        let client = Client::new(era);
        for name in EXAMPLES {
            let text = client.text(&format!("example://{name}")).await;
            let written = client.call(WRITER, &text).await;
            let advice = written["structuredContent"]["advice"].as_array().unwrap();
            assert!(
                advice.iter().all(|advice| advice["level"] != "error"),
                "{name}: {advice:#?}"
            );
            let result = client.call(SIMULATE, "{}").await;
            let run = bounded(&result);
            assert_eq!(run["status"], "ok", "{name}: {run}");
            assert_eq!(run.get("omitted"), None, "{name}");
            for course in run["summaries"].as_array().unwrap() {
                assert!(course["series"].as_array().unwrap().len() >= 6, "{name}: {course}");
                assert!(!course["sparkline"].as_str().unwrap().is_empty());
            }
            let result = client.call(ANALYZE, "{}").await;
            let structure = bounded(&result);
            assert_eq!(structure["status"], "ok", "{name}: {structure}");
            assert_eq!(structure["complete"], true);
            assert_eq!(
                structure["total"].as_u64(),
                Some(structure["loops"].as_array().unwrap().len() as u64)
            );
            for declared in structure["declared"].as_array().unwrap() {
                let closed = ["agrees", "contradicts", "undetermined"].map(|status| json!(status));
                assert!(closed.contains(&declared["status"]), "{name}: {declared}");
            }
        }
    }
}

#[tokio::test]
async fn a_run_tells_what_was_asked_for() {
    let config = Config {
        base_url: Some("http://127.0.0.1:8787".into()),
        ..Config::default()
    };
    let client = Client::of(service(MemoryStore::new()), config, Era::Handshake);
    assert_eq!(
        client.call(SIMULATE, "{}").await["structuredContent"]["status"],
        "not_found"
    );
    assert_eq!(
        client.call(ANALYZE, "{}").await["structuredContent"]["status"],
        "not_found"
    );
    let text = client.text("example://bathtub").await;
    client.call(WRITER, &text).await;
    for variables in [
        r#"["tub_water","fill_time","tub_watr"]"#,
        r#""[\"tub_water\",\"fill_time\",\"tub_watr\"]""#,
    ] {
        let result = client
            .call(
                SIMULATE,
                &format!(r#"{{"variables":{variables},"revision":"1","model":"bathtub","x":1}}"#),
            )
            .await;
        let run = bounded(&result);
        assert_eq!(run["grid"]["stop"], 60.0);
        assert_eq!(
            (&run["grid"]["method"], &run["grid"]["time_unit"]),
            (&json!("euler"), &json!("minute"))
        );
        let courses = run["summaries"].as_array().unwrap();
        assert_eq!(courses.len(), 1);
        assert_eq!(
            (&courses[0]["behaviour"], &courses[0]["end"], &courses[0]["unit"]),
            (&json!("goal-seeking"), &json!(109.1), &json!("litre"))
        );
        assert_eq!(courses[0]["series"][0], json!([0.0, 20.0]));
        assert_eq!(
            run["constants"],
            json!([{"name": "fill_time", "value": 5.0, "unit": "minute"}])
        );
        assert_eq!(
            run["unknown_variables"],
            json!([{"name": "tub_watr", "did_you_mean": "tub_water"}])
        );
        let message = run["message"].as_str().unwrap();
        assert!(
            message.contains("use the ids of stocks, flows and variables"),
            "{message}"
        );
        assert_eq!(run["ignored_arguments"], json!(["x"]));
        assert_eq!(run["csv"], "http://127.0.0.1:8787/models/bathtub/simulation?format=csv");
    }
    let missing = client.call(SIMULATE, r#"{"revision":2}"#).await;
    assert_eq!(missing["structuredContent"]["status"], "not_found");
    error(&client.call(SIMULATE, r#"{"variables":[{}]}"#).await);
}

#[tokio::test]
async fn a_model_that_cannot_run_says_what_to_mend_and_is_analysed_all_the_same() {
    let client = client();
    let document = r#"{"system_name":"Tub","stocks":[{"id":"tub"}],"flows":[{"id":"drain","from_stock":"tub",
        "to_stock":null,"rate_expr":"drian_rate * tub"}],"variables":[{"id":"drain_rate","expr":"0.1 +"}],
        "interconnections":[{"from":"tub","to":"drain","type":"info","polarity":"-","evidence":["https://example.org/a"]}],
        "loops":{"reinforcing":[{"id":"R","description":"tub -> drain -> tub: wrong"}]},"simulation":{"stop":10}}"#;
    let written = client.call(WRITER, document).await;
    let advice = written["structuredContent"]["advice"].as_array().unwrap();
    let codes: Vec<_> = advice.iter().map(|advice| advice["code"].as_str().unwrap()).collect();
    for code in ["missing-equation", "undefined-name", "unparsable-expression"] {
        assert!(codes.contains(&code), "{codes:?}");
    }
    let result = client.call(SIMULATE, "{}").await;
    let run = bounded(&result);
    assert_eq!(run["status"], "not_runnable");
    let problems = run["problems"].as_array().unwrap();
    let undefined = problems
        .iter()
        .find(|problem| problem["code"] == "undefined-name")
        .unwrap();
    assert_eq!(
        (&undefined["level"], &undefined["pointer"]),
        (&json!("error"), &json!("/flows/0/rate_expr"))
    );
    assert!(
        undefined.to_string().contains("did you mean `drain_rate`"),
        "{undefined}"
    );
    let result = client.call(ANALYZE, "{}").await;
    let structure = bounded(&result);
    assert_eq!(structure["status"], "ok", "{structure}");
    assert_eq!(structure["evidence"][0]["uris"], json!(["https://example.org/a"]));
    let codes: Vec<_> = structure["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| p["code"].as_str().unwrap())
        .collect();
    for code in [
        "link-polarity-contradiction",
        "loop-class-contradiction",
        "unparsable-expression",
    ] {
        assert!(codes.contains(&code), "{codes:?}");
    }
    assert!(!codes.contains(&"missing-equation"), "{codes:?}");
    assert_eq!(structure["declared"][0]["status"], "contradicts");
}

#[tokio::test]
async fn answers_about_large_models_say_what_found_no_room() {
    let client = client();
    let (mut stocks, mut flows, mut links) = (Vec::new(), Vec::new(), Vec::new());
    for n in 0..200 {
        stocks.push(format!(r#"{{"id":"stock number {n} 水","initial":{n}}}"#));
        flows.push(format!(
            r#"{{"id":"flow {n}","from_stock":"stock number {n} 水","to_stock":"stock number {} 水","rate_expr":"stock_number_{n}_水 / 7"}}"#,
            (n + 1) % 200
        ));
        for step in [3, 5] {
            links.push(format!(
                r#"{{"from":"flow {n}","to":"flow {}","type":"causal","polarity":"+"}}"#,
                (n + step) % 200
            ));
        }
    }
    let document = format!(
        r#"{{"system_name":"Large","stocks":[{}],"flows":[{}],"interconnections":[{}],"simulation":{{"stop":100,"dt":0.5}}}}"#,
        stocks.join(","),
        flows.join(","),
        links.join(",")
    );
    client.call(WRITER, &document).await;
    let result = client.call(SIMULATE, "{}").await;
    let run = bounded(&result);
    assert_eq!(run["status"], "ok", "{run}");
    let told = run["summaries"].as_array().unwrap().len() as u64;
    assert!(told >= 20, "{told}");
    assert_eq!(told + run["omitted"].as_u64().unwrap(), 400);
    assert!(run["message"].as_str().unwrap().contains("variables"));
    let result = client.call(ANALYZE, "{}").await;
    let structure = bounded(&result);
    assert_eq!(
        (&structure["status"], &structure["complete"]),
        (&json!("partial"), &json!(false))
    );
    let loops = structure["loops"].as_array().unwrap();
    assert!(
        !loops.is_empty() && structure["at_least"].as_u64().unwrap() > 10_000,
        "{structure}"
    );
    let lengths: Vec<_> = loops
        .iter()
        .map(|one| one["members"].as_array().unwrap().len())
        .collect();
    assert!(lengths.is_sorted(), "{lengths:?}");
    let omitted = structure["loops_omitted"].as_u64().unwrap();
    assert_eq!(omitted + loops.len() as u64, structure["at_least"].as_u64().unwrap());
}

#[tokio::test]
async fn the_reader_gives_models_and_revisions() {
    let config = Config {
        base_url: Some("http://127.0.0.1:8787/".into()),
        ..Config::default()
    };
    let client = Client::of(service(MemoryStore::new()), config, Era::Handshake);
    let none = client.call(READER, "{}").await;
    assert_eq!(none["structuredContent"]["status"], "not_found");
    for version in ["1", "2"] {
        client
            .call(
                WRITER,
                &format!(r#"{{"system_name":"城市 交通","version":"{version}"}}"#),
            )
            .await;
    }
    client.call(WRITER, r#"{"system_name":"Sea"}"#).await;
    let url = "http://127.0.0.1:8787/models/%E5%9F%8E%E5%B8%82-%E4%BA%A4%E9%80%9A";
    for (arguments, status, model, revision) in [
        ("{}", "ok", Some("sea"), Some(1)),
        ("null", "ok", Some("sea"), Some(1)),
        (r#"{"model":"latest"}"#, "ok", Some("sea"), Some(1)),
        (r#"{"model":"","revision":null}"#, "ok", Some("sea"), Some(1)),
        (r#"{"model":"城市-交通"}"#, "ok", Some("城市-交通"), Some(2)),
        (
            r#"{"model":"城市-交通","revision":"1"}"#,
            "ok",
            Some("城市-交通"),
            Some(1),
        ),
        (
            r#""{\"model\":\"城市-交通\",\"revision\":1.0}""#,
            "ok",
            Some("城市-交通"),
            Some(1),
        ),
        (r#"{"revision":9}"#, "not_found", None, None),
        (r#"{"model":"nope"}"#, "not_found", None, None),
    ] {
        let result = client.call(READER, arguments).await;
        let answer = &result["structuredContent"];
        assert_eq!(answer["status"], status, "{arguments}: {answer}");
        assert_eq!(answer["model"].as_str(), model, "{arguments}");
        assert_eq!(answer["revision"].as_u64(), revision, "{arguments}");
        if model == Some("城市-交通") {
            assert_eq!(answer["url"], url);
            assert_eq!(answer["document"]["version"], revision.unwrap().to_string());
            assert_eq!(answer["updated_at"], "2026-11-30T12:00:00.000Z");
        }
    }
    let written = client.call(WRITER, r#"{"system_name":"城市 交通"}"#).await;
    assert_eq!(written["structuredContent"]["url"], url);
    let odd = client.call(READER, r#"{"modell":"sea","limit":3}"#).await;
    assert_eq!(
        odd["structuredContent"]["ignored_arguments"],
        json!(["limit", "modell"])
    );
    for (arguments, part) in [
        (r#"{"model":"a b"}"#, "a-b"),
        (r#"{"revision":"x"}"#, "argument `revision`"),
        (r#"{"model":{"a":1}}"#, "argument `model`: found an object"),
        ("5", "expected an object"),
    ] {
        assert!(
            error(&client.call(READER, arguments).await).contains(part),
            "{arguments}"
        );
    }
}

#[tokio::test]
async fn a_document_that_does_not_fit_into_an_answer_is_pointed_to() {
    let large = format!(r#"{{"system_name":"Large","note":"{}"}}"#, "水".repeat(30_000));
    for (base_url, part) in [
        (Some("https://m.example"), "https://m.example/models/large"),
        (None, "GET /models/large"),
    ] {
        let config = Config {
            base_url: base_url.map(str::to_owned),
            ..Config::default()
        };
        let client = Client::of(service(MemoryStore::new()), config, Era::Handshake);
        client.call(WRITER, &large).await;
        let result = client.call(READER, "{}").await;
        let answer = &result["structuredContent"];
        assert_eq!(
            (&answer["status"], &answer["bytes"]),
            (&json!("too_large"), &json!(large.len()))
        );
        assert!(
            answer["message"].as_str().unwrap().contains(part) && answer.get("document").is_none(),
            "{answer}"
        );
        assert!(answer["missing_fields"].is_array());
        let resource = client.read("model://large").await;
        let contents = &resource["result"]["contents"][0];
        assert_eq!(contents["mimeType"], "text/plain");
        assert!(contents["text"].as_str().unwrap().contains(part));
    }
}

#[tokio::test]
async fn a_fault_of_the_store_is_answered_and_the_server_lives_on() {
    for era in ERAS {
        let full = Client::of(service(Faulty::Full), Config::default(), era);
        let result = full.call(WRITER, "{}").await;
        assert!(
            error(&result).contains("the store is full: no room on the disk"),
            "{result}"
        );
        error(&full.call(READER, "{}").await);
        assert_eq!(full.read("model://latest").await["error"]["code"], -32603);

        let broken = Client::of(service(Faulty::Broken), Config::default(), era);
        for _ in 0..3 {
            let result = broken.call(WRITER, "{}").await;
            assert!(error(&result).contains("internal error"), "{result}");
            assert!(error(&broken.call(READER, "{}").await).contains("internal error"));
            assert_eq!(broken.read("model://latest").await["error"]["code"], -32603);
            assert_eq!(broken.ask("resources/list", None, "").await["error"]["code"], -32603);
        }
        assert!(broken.read("guide://systems-thinking").await["result"].is_object());
    }
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_takes_too_long_is_answered() {
    let config = Config {
        deadline: Duration::from_millis(500),
        ..Config::default()
    };
    for era in ERAS {
        let client = Client::of(service(Faulty::Stuck), config.clone(), era);
        let result = client.call(WRITER, "{}").await;
        assert!(error(&result).contains("no answer within 0.5 s; whether the document was stored is not known"));
        assert!(error(&client.call(READER, "{}").await).contains("no answer within 0.5 s"));
        let read = client.read("model://latest").await;
        assert_eq!(read["error"]["code"], -32603);
        assert!(
            read["error"]["message"]
                .as_str()
                .unwrap()
                .contains("no answer within 0.5 s")
        );
    }
}

#[tokio::test]
async fn the_list_is_sorted_small_and_the_same_each_time() {
    for era in ERAS {
        let client = Client::new(era);
        let list = client.ask("tools/list", None, "").await;
        let tools = list["result"]["tools"].as_array().unwrap();
        let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        assert!(names.is_sorted(), "{names:?}");
        assert_eq!(names, super::names());
        assert!(list.to_string().len() < 24_000, "{}", list.to_string().len());
        assert_eq!(list, client.ask("tools/list", None, "").await);
        for tool in tools {
            for part in ["title", "description", "inputSchema", "annotations"] {
                assert!(!tool[part].is_null(), "{part} of {}", tool["name"]);
            }
            let structured = tool["name"].as_str().unwrap().starts_with("systems_thinking_");
            assert_eq!(structured, tool["outputSchema"].is_object(), "{}", tool["name"]);
            for hint in ["readOnlyHint", "openWorldHint"] {
                assert!(tool["annotations"][hint].is_boolean(), "{hint} of {}", tool["name"]);
            }
            let name = tool["name"].as_str().unwrap();
            assert!(
                name.len() <= 40
                    && name
                        .bytes()
                        .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
            );
            let limit = if name == WRITER { 2_000 } else { 1_000 };
            assert!(tool["description"].as_str().unwrap().chars().count() <= limit, "{name}");
            assert!(!tool.to_string().contains("x-mcp-header"));
        }
    }
}

/// What clients ask their users about is decided by these.
#[test]
fn every_tool_says_what_it_does_to_the_world() {
    let hints = |read_only: bool, open: bool| json!({"readOnlyHint": read_only, "openWorldHint": open});
    let reads = |open| hints(true, open);
    let writes = |destructive: bool, idempotent: bool, open| {
        let mut all = hints(false, open);
        all["destructiveHint"] = destructive.into();
        all["idempotentHint"] = idempotent.into();
        all
    };
    let expected = [
        ("fetch_framework_template", reads(false)),
        ("generate_5_whys", reads(false)),
        ("get_paper", reads(true)),
        ("list_local_notes", reads(false)),
        ("read_local_note", reads(false)),
        ("save_literature", writes(false, true, true)),
        ("save_note", writes(true, false, false)),
        ("search_arxiv", reads(true)),
        (ANALYZE, reads(false)),
        (PATCH, writes(false, false, false)),
        (READER, reads(false)),
        (SIMULATE, reads(false)),
        (WRITER, writes(false, true, false)),
    ];
    let found = super::definitions().into_iter().map(|tool| {
        let annotations = serde_json::to_value(&tool.annotations).unwrap();
        (tool.name.to_string(), annotations)
    });
    let expected = expected.map(|(name, annotations)| (name.to_owned(), annotations));
    assert_eq!(found.collect::<Vec<_>>(), expected);
}

/// `testing::undeclared` is the whole of it: every call of every test is held against it, and each of its members comes.
#[tokio::test]
async fn what_answers_have_beyond_their_schemas_is_known() {
    let config = Config {
        base_url: Some("http://127.0.0.1:8787".into()),
        ..Config::default()
    };
    let client = Client::of(service(MemoryStore::new()), config, Era::Handshake);
    let mut found: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    // Much of everything: loops and advice that find no room, and history.
    let many = |what: &dyn Fn(usize) -> String| (0..300).map(what).collect::<Vec<_>>().join(",");
    let stocks = many(&|n| {
        format!(
            r#"{{"id":"stock {n}","initial":{n},"description":"{}"}}"#,
            "x".repeat(300)
        )
    });
    let flows = many(&|n| {
        let next = (n + 1) % 300;
        format!(r#"{{"id":"flow {n}","from_stock":"stock {n}","to_stock":"stock {next}","rate_expr":"stock_{n} / 7"}}"#)
    });
    let links = many(&|n| {
        let next = (n + 3) % 300;
        format!(r#"{{"from":"flow {n}","to":"flow {next}","type":"causal","polarity":"-"}}"#)
    });
    // Faults that leave no room for advice, nor for each other.
    let faulty = many(&|n| {
        let nowhere = format!("{}{n}", "y".repeat(100));
        format!(r#"{{"id":"f{n}","from_stock":"{nowhere}","to_stock":"{nowhere}","rate_expr":"undefined_{n}"}}"#)
    });
    let faulty = format!(r#"{{"model":"faulty","system_name":"Faulty","flows":[{faulty}],"simulation":{{"stop":9}}}}"#);
    let operations = many(&|n| format!(r#"{{"op":"add","path":"/member{n}","value":{n}}}"#));
    let large = format!(
        r#"{{"model":"large","system_name":"Large","stocks":[{stocks}],"flows":[{flows}],"interconnections":[{links}],"simulation":{{"stop":100,"dt":0.5}}}}"#
    );
    let bathtub = client.text("example://bathtub").await;
    // Each of twelve acts on each other: too many loops to count. One flow ends nowhere, and draws.
    let pairs = (0..12).flat_map(|from| (0..12).filter(move |to| *to != from).map(move |to| (from, to)));
    let pairs = pairs.map(|(from, to)| format!(r#"{{"from":"e{from}","to":"e{to}","type":"causal","polarity":"+"}}"#));
    let dense = format!(
        r#"{{"system_name":"Dense","interconnections":[{}],"stocks":[{{"id":"s","initial":1}}],"flows":[{{"id":"f","from_stock":"nowhere","to_stock":"s","rate_expr":"RANDOM(0, 1)"}}],"simulation":{{"stop":3}}}}"#,
        pairs.collect::<Vec<_>>().join(",")
    );
    let grows = r#"{"system_name":"Grows","stocks":[{"id":"s","initial":1}],"flows":[{"id":"f","from_stock":null,"to_stock":"s","rate_expr":"s * 1e200"}],"simulation":{"stop":10}}"#;
    let parts = [
        "boundary",
        "elements",
        "flows",
        "history",
        "interconnections",
        "interventions",
        "leverage_points",
        "loops",
        "models",
        "report",
        "simulation",
        "stocks",
        "system_name",
        "variables",
        "version",
    ];
    let mut calls = vec![
        (WRITER, grows.to_owned()),
        (SIMULATE, "{}".to_owned()),
        (WRITER, large),
        (SIMULATE, r#"{"model":"large"}"#.to_owned()),
        (ANALYZE, r#"{"model":"large"}"#.to_owned()),
        (READER, r#"{"model":"large","part":"stocks"}"#.to_owned()),
        (READER, r#"{"model":"large","part":"report"}"#.to_owned()),
        (
            PATCH,
            r#"{"model":"large","operations":[{"op":"add","path":"/version","value":"2"}]}"#.to_owned(),
        ),
        (
            PATCH,
            r#"{"model":"large","operations":[{"op":"replace","path":"/stocks","value":[]}]}"#.to_owned(),
        ),
        (READER, r#"{"model":"large","compare_with":1}"#.to_owned()),
        (WRITER, faulty),
        (READER, r#"{"part":"report"}"#.to_owned()),
        (SIMULATE, "{}".to_owned()),
        (PATCH, format!(r#"{{"operations":[{operations}]}}"#)),
        (WRITER, dense),
        (ANALYZE, "{}".to_owned()),
        (SIMULATE, "{}".to_owned()),
        (WRITER, bathtub),
        (WRITER, r#"{"expected_revision":9,"system_name":"Large"}"#.to_owned()),
        (
            PATCH,
            r#"{"operations":[{"op":"add","path":"/version","value":"2"}],"zzz":1,"expected_revision":9}"#.to_owned(),
        ),
        (
            PATCH,
            r#"{"operations":[{"op":"test","path":"/version","value":"zzz"}],"zzz":1}"#.to_owned(),
        ),
        (SIMULATE, r#"{"variables":["tub_watr"]}"#.to_owned()),
        (ANALYZE, "{}".to_owned()),
        (READER, "{}".to_owned()),
    ];
    calls.extend(parts.map(|part| (READER, format!(r#"{{"part":"{part}"}}"#))));
    for (tool, arguments) in calls {
        let result = client.call(tool, &arguments).await;
        assert_eq!(result["isError"], false, "{tool}: {result}");
        let beyond = crate::testing::beyond_schema(tool, &result["structuredContent"]);
        found.entry(tool).or_default().extend(beyond);
    }
    let known = |tool| crate::testing::undeclared(tool).iter().map(|name| (*name).to_owned());
    let known = found.keys().map(|tool| (*tool, known(tool).collect())).collect();
    assert_eq!(found, known);
}

/// The profile of schemas that every client accepts: one type on each property, and few keywords.
#[test]
fn every_input_schema_keeps_the_profile() {
    fn walk(schema: &Value, at: &str) {
        for keyword in schema.as_object().unwrap().keys() {
            assert!(
                ["type", "description", "properties", "items", "enum", "required"].contains(&keyword.as_str()),
                "{at}: {keyword}"
            );
        }
        match schema["type"].as_str().unwrap_or_else(|| panic!("{at}: one type")) {
            "object" => {
                let properties = schema["properties"].as_object().unwrap();
                assert!(!properties.is_empty(), "{at}");
                for (name, property) in properties {
                    let at = format!("{at}/{name}");
                    assert!(property["description"].is_string(), "{at}");
                    walk(property, &at);
                }
            }
            "array" => walk(&schema["items"], &format!("{at}[]")),
            "string" | "integer" | "number" | "boolean" => {}
            other => panic!("{at}: {other}"),
        }
        assert!(schema.get("enum").is_none() || schema["type"] == "string", "{at}");
    }
    for tool in super::definitions() {
        let schema = Value::Object((*tool.input_schema).clone());
        walk(&schema, &tool.name);
        if tool.name == WRITER {
            assert!(schema.get("required").is_none());
            for own in ["model", "expected_revision", "document"] {
                assert!(schema["properties"][own].is_object());
            }
        }
    }
}

#[test]
fn who_finds_the_server_busy_is_told_when_to_come_again() {
    let refused = json!(super::failed(&meadow_service::Error::Busy));
    assert_eq!(refused["isError"], true);
    let said = refused["content"][0]["text"].as_str().unwrap();
    assert!(
        said.contains("busy") && said.contains("try again in 5 seconds"),
        "{said}"
    );
}
