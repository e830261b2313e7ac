//! `/models/{id}/simulation` and `/models/{id}/analysis`.

use super::Client;
use axum::body::Body;
use serde_json::{Value, json};

const BATH: &str = r#"{"system_name":"Bath","stocks":[{"id":"water","initial":20}],
    "flows":[{"id":"in, \"fast\"","from_stock":null,"to_stock":"water","rate_expr":"8 + 0 * rate"},
    {"id":"out","from_stock":"water","to_stock":null,"rate_expr":"rate * water"}],
    "variables":[{"id":"rate","expr":"0.1"}],
    "interconnections":[{"from":"water","to":"out","type":"info","evidence":["note:///bath.md"]}],
    "simulation":{"stop":1,"dt":0.25}}"#;

async fn with(document: impl Into<Body>) -> Client {
    let client = Client::new();
    assert_eq!(client.send("PUT", "/models/b", &[], document).await.status, 201);
    client
}

#[tokio::test]
async fn a_run_comes_as_summaries() {
    let client = with(BATH).await;
    for target in ["/models/b/simulation", "/models/b/simulation?format=json"] {
        let run = client.get(target).await.json();
        assert_eq!(
            (&run["model"], &run["revision"], &run["status"]),
            (&json!("b"), &json!(1), &json!("ok"))
        );
        assert_eq!(run["grid"]["steps"], 4);
        let water = &run["summaries"][0];
        assert_eq!((&water["name"], &water["kind"]), (&json!("water"), &json!("stock")));
        assert_eq!(water["series"].as_array().map(Vec::len), Some(5));
        assert_eq!(run["constants"][0]["value"], 0.1);
    }
}

#[tokio::test]
async fn a_run_comes_as_a_table_of_every_step_in_full_digits() {
    let client = with(BATH).await;
    for accept in ["text/csv", "*/*"] {
        let reply = client
            .send("GET", "/models/b/simulation?format=csv", &[("accept", accept)], "")
            .await;
        assert_eq!(reply.status, 200, "{reply:?}");
        assert!(reply.header("content-type").starts_with("text/csv"));
        assert!(reply.header("content-disposition").ends_with("b.csv"));
        let text = std::str::from_utf8(&reply.body).expect("UTF-8");
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 6, "{text}");
        assert_eq!(lines[0], "time,water,\"in, \"\"fast\"\"\",out,rate");
        assert_eq!(lines[2], "0.25,21.5,8,2.15,0.1");
    }
    let refused = client
        .send(
            "GET",
            "/models/b/simulation?format=csv",
            &[("accept", "application/json")],
            "",
        )
        .await;
    refused.problem(406);
    client.get("/models/b/simulation?format=xml").await.problem(400);
    client.get("/models/c/simulation?format=csv").await.problem(404);
}

#[tokio::test]
async fn a_model_that_cannot_run_is_an_answer_as_json_and_a_fault_as_a_table() {
    let client = with(r#"{"stocks":[{"id":"a"}],"flows":[{"id":"f","rate_expr":"b"}],"simulation":{"stop":1}}"#).await;
    let run = client.get("/models/b/simulation").await.json();
    assert_eq!(run["status"], "not_runnable");
    assert!(
        run["problems"].as_array().is_some_and(|problems| problems.len() >= 2),
        "{run}"
    );
    let problem = client.get("/models/b/simulation?format=csv").await.problem(422);
    let pointers: Vec<_> = problem["errors"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|error| &error["pointer"])
        .collect();
    assert_eq!(pointers, ["/stocks/0/initial", "/flows/0/rate_expr"]);
}

#[tokio::test]
async fn a_table_that_is_too_large_is_refused() {
    let variables: Vec<String> = (0..100)
        .map(|n| format!(r#"{{"id":"v{n}","expr":"TIME / 7"}}"#))
        .collect();
    let client = with(format!(
        r#"{{"variables":[{}],"simulation":{{"stop":100000}}}}"#,
        variables.join(",")
    ))
    .await;
    let problem = client.get("/models/b/simulation?format=csv").await.problem(422);
    assert!(
        problem["detail"]
            .as_str()
            .is_some_and(|detail| detail.contains("100001 rows")),
        "{problem}"
    );
    // The summaries hold all the same.
    assert_eq!(client.get("/models/b/simulation").await.status, 200);
}

#[tokio::test]
async fn the_structure_comes_with_graph_loops_and_evidence() {
    let client = with(BATH).await;
    let structure = client.get("/models/b/analysis").await.json();
    assert_eq!((&structure["status"], &structure["total"]), (&json!("ok"), &json!(1)));
    assert_eq!(structure["loops"][0]["class"], "balancing");
    assert_eq!(structure["scc"], json!([["water", "out"]]));
    assert_eq!(structure["evidence"][0]["uris"], json!(["note:///bath.md"]));
    let edges = structure["edges"].as_array().expect("a list");
    let edge = |from: &str, to: &str| -> Value {
        let mut found = edges.iter().filter(|edge| edge["from"] == from && edge["to"] == to);
        found.next().map_or(Value::Null, |edge| edge["sign"].clone())
    };
    assert_eq!((edge("water", "out"), edge("out", "water")), (json!("+"), json!("-")));
    client.get("/models/c/analysis").await.problem(404);
    client.get("/models/b/analysis?format=json").await.problem(400);
}
