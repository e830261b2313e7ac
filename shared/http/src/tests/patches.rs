//! PATCH, and reads that wait.

use super::{Client, TUB};
use crate::wait::Stopping;
use axum::Extension;
use meadow_model::limits::MAX_TEXT;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep};

const JSON_PATCH: (&str, &str) = ("content-type", "application/json-patch+json");
const MERGE: (&str, &str) = ("content-type", "application/merge-patch+json");
const UNIT: &str = r#"[{"op":"add","path":"/version","value":"2"}]"#;

async fn with_tub() -> Client {
    let client = Client::new();
    assert_eq!(client.post(TUB).await.header("etag"), "\"tub@1\"");
    client
}

#[tokio::test]
async fn both_kinds_of_patches_are_taken_at_both_places() {
    for target in ["/model", "/models/tub"] {
        let client = with_tub().await;
        let reply = client.send("PATCH", target, &[JSON_PATCH], UNIT).await;
        assert_eq!((reply.status, reply.header("etag")), (200, "\"tub@2\""), "{reply:?}");
        assert_eq!(reply.header("content-location"), "/models/tub");
        let answer = reply.json();
        assert_eq!(
            (&answer["revision"], &answer["document"]["version"]),
            (&json!(2), &json!("2"))
        );
        assert!(answer["missing_fields"].is_array());
        let charset = ("content-type", "Application/Merge-Patch+JSON; charset=utf-8");
        let merged = client
            .send("PATCH", target, &[charset], "\u{feff}{\"version\":null}")
            .await;
        assert_eq!(merged.header("etag"), "\"tub@3\"");
        assert_eq!(client.get(target).await.body, r#"{ "system_name" : "Tub" }"#);
        assert_eq!(
            client.send("PATCH", target, &[JSON_PATCH], "[]").await.header("etag"),
            "\"tub@3\""
        );
    }
    let client = Client::new();
    for target in ["/model", "/models/tub"] {
        client.send("PATCH", target, &[JSON_PATCH], UNIT).await.problem(404);
    }
}

#[tokio::test]
async fn other_kinds_are_told_which_there_are() {
    let client = with_tub().await;
    let kinds = "application/json-patch+json, application/merge-patch+json";
    for headers in [
        &[][..],
        &[("content-type", "application/json")],
        &[("content-type", "text/plain")],
        &[("content-type", "application/json-patch+json; charset=latin1")],
    ] {
        let reply = client.send("PATCH", "/models/tub", headers, UNIT).await;
        assert_eq!(reply.header("accept-patch"), kinds, "{headers:?}");
        reply.problem(415);
    }
    let options = client.send("OPTIONS", "/models/tub", &[], "").await;
    assert_eq!((options.status, options.header("accept-patch")), (204, kinds));
    assert!(options.header("allow").contains("PATCH"));
    assert_eq!(
        client.send("OPTIONS", "/models", &[], "").await.header("accept-patch"),
        ""
    );
}

#[tokio::test]
async fn preconditions_hold() {
    let client = with_tub().await;
    for target in ["/model", "/models/tub"] {
        let stale = client
            .send("PATCH", target, &[JSON_PATCH, ("if-match", "\"tub@9\"")], UNIT)
            .await;
        assert_eq!(stale.problem(412)["etag"], "\"tub@1\"", "{target}");
    }
    let first = client
        .send("PATCH", "/model", &[JSON_PATCH, ("if-match", "\"tub@1\"")], UNIT)
        .await;
    assert_eq!(first.header("etag"), "\"tub@2\"");
    let second = client
        .send(
            "PATCH",
            "/models/tub",
            &[MERGE, ("if-match", "*")],
            r#"{"version":"3"}"#,
        )
        .await;
    assert_eq!(second.header("etag"), "\"tub@3\"");
}

#[tokio::test]
async fn what_cannot_be_applied_changes_nothing() {
    let client = with_tub().await;
    let patch = async |body: &str, status: u16| {
        let reply = client
            .send("PATCH", "/models/tub", &[JSON_PATCH], body.to_owned())
            .await;
        reply.problem(status)
    };
    let problem = patch(
        r#"[{"op":"test","path":"/system_name","value":"Tub"},{"op":"test","path":"/system_name","value":"Sea"}]"#,
        409,
    )
    .await;
    assert_eq!(
        (&problem["operation"], &problem["test_failed"]),
        (&json!(1), &json!(true))
    );
    assert_eq!(problem["errors"][0]["pointer"], "/system_name");
    assert_eq!(problem["errors"][0]["detail"], "found \"Tub\", expected \"Sea\"");
    let problem = patch(r#"[{"op":"replace","path":"/system_nam","value":"Sea"}]"#, 409).await;
    assert!(
        problem["errors"][0]["detail"]
            .as_str()
            .unwrap()
            .contains("did you mean \"system_name\""),
        "{problem}"
    );
    let problem = patch(
        r#"[{"op":"add","path":"/version","value":5},{"op":"add","path":"/elements","value":[1]}]"#,
        422,
    )
    .await;
    assert_eq!(
        (&problem["errors"][0]["pointer"], &problem["errors"][1]["pointer"]),
        (&json!("/version"), &json!("/elements/0"))
    );
    let problem = patch(
        r#"[{"op":"test","path":""  ,"value":1},{"op":"replace","path":"/a"}]"#,
        400,
    )
    .await;
    assert_eq!(problem["operation"], 1);
    let problem = patch("[{]", 400).await;
    assert_eq!((&problem["line"], &problem["column"]), (&json!(1), &json!(3)));
    patch(r#"{"version":"2"}"#, 400).await;
    let large = format!(r#"[{{"op":"add","path":"/x","value":"{}"}}]"#, "x".repeat(MAX_TEXT));
    patch(&large, 413).await;
    assert_eq!(client.get("/models/tub").await.body, TUB);
}

/// RFC 6902: ids that are numbers do not matter.
#[tokio::test]
async fn a_number_in_a_path_is_an_index() {
    let client = Client::new();
    let levers: Vec<_> = (1..=12).map(|id| json!({"id": id, "label": "x"})).collect();
    let document = json!({"system_name": "Tub", "leverage_points": levers});
    assert_eq!(
        client.send("POST", "/model", &[], document.to_string()).await.status,
        200
    );
    let body = r#"[{"op":"replace","path":"/leverage_points/5/label","value":"new"}]"#;
    let reply = client.send("PATCH", "/models/tub", &[JSON_PATCH], body).await;
    let document = &reply.json()["document"];
    assert_eq!(document["leverage_points"][5], json!({"id": 6, "label": "new"}));
    assert_eq!(document["leverage_points"][4], json!({"id": 5, "label": "x"}));
}

/// As over MCP.
#[tokio::test]
async fn values_are_as_deep_as_documents() {
    let client = with_tub().await;
    for (levels, status) in [(99, 200), (100, 422), (101, 400)] {
        let value = format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        let body = format!(r#"[{{"op":"add","path":"/x","value":{value}}}]"#);
        let reply = client.send("PATCH", "/models/tub", &[JSON_PATCH], body).await;
        assert_eq!(reply.status, status, "{levels}: {reply:?}");
    }
}

/// Four clients that expect nothing, and four that send the tag they read until it holds.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_that_race_lose_nothing() {
    let client = Client::new();
    assert_eq!(client.post(r#"{"system_name":"Tub","elements":[]}"#).await.status, 200);
    let patch = |n: usize, careful: bool| {
        let client = client.clone();
        tokio::spawn(async move {
            let body = format!(r#"[{{"op":"add","path":"/elements/-","value":"{n}"}}]"#);
            loop {
                let tag = client.get("/models/tub").await.header("etag").to_owned();
                let headers = if careful {
                    vec![JSON_PATCH, ("if-match", &*tag)]
                } else {
                    vec![JSON_PATCH]
                };
                let reply = client.send("PATCH", "/models/tub", &headers, body.clone()).await;
                match reply.status {
                    200 => return,
                    412 => assert!(careful),
                    status => panic!("{status}"),
                }
            }
        })
    };
    let all: Vec<_> = (0..8).map(|n| patch(n, n % 2 == 0)).collect();
    for one in all {
        one.await.expect("an answer");
    }
    let elements = client.get("/model").await.json()["elements"].clone();
    let mut elements: Vec<_> = elements
        .as_array()
        .unwrap()
        .iter()
        .map(|e| e.as_str().unwrap().to_owned())
        .collect();
    elements.sort();
    assert_eq!(elements, ["0", "1", "2", "3", "4", "5", "6", "7"]);
}

/// Time stands still but for sleeps.
#[tokio::test(start_paused = true)]
async fn a_read_waits_for_something_newer() {
    let client = with_tub().await;
    let has = [("if-none-match", "\"tub@1\"")];
    for target in ["/models/tub?wait=15", "/model?wait=15"] {
        let started = Instant::now();
        assert_eq!(client.send("GET", target, &has, "").await.status, 304);
        assert_eq!(started.elapsed(), Duration::from_secs(15));
    }
    let write = async |method: &'static str, target: &'static str, body: &'static str| {
        sleep(Duration::from_secs(4)).await;
        client.send(method, target, &[], body).await
    };
    let (read, _) = tokio::join!(
        client.send("GET", "/models/tub?wait=15", &has, ""),
        write("PUT", "/models/tub", "{}")
    );
    assert_eq!(
        (read.status, read.header("etag"), &read.body[..]),
        (200, "\"tub@2\"", &b"{}"[..])
    );
    // Another model becomes the latest.
    let has = [("if-none-match", "\"tub@2\"")];
    let (read, _) = tokio::join!(
        client.send("GET", "/model?wait=15", &has, ""),
        write("POST", "/model", r#"{"system_name":"Sea"}"#)
    );
    assert_eq!((read.status, read.header("etag")), (200, "\"sea@1\""));
    let (read, _) = tokio::join!(
        client.send("GET", "/models/tub?wait=15", &has, ""),
        write("DELETE", "/models/tub", "")
    );
    read.problem(404);
}

#[tokio::test(start_paused = true)]
async fn a_read_that_need_not_wait_does_not() {
    let client = with_tub().await;
    let started = Instant::now();
    for (target, headers, status) in [
        ("/models/tub?wait=15", &[][..], 200),
        ("/models/tub?wait=15", &[("if-none-match", "\"tub@7\"")], 200),
        ("/models/tub?wait=0", &[("if-none-match", "\"tub@1\"")], 304),
        ("/models/tub?wait=15", &[("if-none-match", "*")], 304),
        (
            "/models/tub?wait=15",
            &[("if-none-match", "\"tub@1\""), ("if-match", "\"tub@2\"")],
            412,
        ),
        ("/models/moon?wait=15", &[("if-none-match", "\"moon@1\"")], 404),
        ("/model?wait=16", &[], 400),
        ("/model?wait=1.5", &[], 400),
        ("/model?wait=-1", &[], 400),
        ("/model?wait=+1", &[], 400),
        ("/model?wait=", &[], 400),
        ("/model?waits=1", &[], 400),
        ("/models/tub?wait=x", &[], 400),
    ] {
        assert_eq!(
            client.send("GET", target, headers, "").await.status,
            status,
            "{target} {headers:?}"
        );
    }
    assert_eq!(started.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn a_read_that_waits_ends_with_the_server() {
    let client = with_tub().await;
    let end = Arc::new(Notify::new());
    let notice = Arc::clone(&end);
    let stopping = Stopping::when(move || {
        let notice = Arc::clone(&notice);
        async move { notice.notified().await }
    });
    let client = Client(client.0.clone().layer(Extension(stopping)));
    let started = Instant::now();
    let stop = async {
        sleep(Duration::from_secs(2)).await;
        end.notify_waiters();
    };
    let (read, ()) = tokio::join!(
        client.send("GET", "/model?wait=15", &[("if-none-match", "\"tub@1\"")], ""),
        stop
    );
    assert_eq!((read.status, started.elapsed()), (304, Duration::from_secs(2)));
}
