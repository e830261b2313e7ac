//! Conditional requests: 304, 412, and two clients that race.

use super::{Client, TUB};
use axum::body::Body;
use meadow_service::{Clock, Timestamp};
use serde_json::json;
use std::sync::Arc;

/// A header with a value.
type Header = (&'static str, &'static str);

const PAST: &str = "Mon, 01 Jan 2001 00:00:00 GMT";
const FUTURE: &str = "Fri, 01 Jan 2100 00:00:00 GMT";

async fn with_tub() -> Client {
    let client = Client::new();
    assert_eq!(client.post(TUB).await.header("etag"), "\"tub@1\"");
    client
}

#[tokio::test]
async fn reads() {
    let client = with_tub().await;
    let check = async |headers: &[Header], status: u16| {
        for target in ["/model", "/models/tub", "/models/tub/revisions/1"] {
            // Without a date of its own it hears none.
            let dated = target != "/model";
            let named = |name| headers.iter().any(|header| header.0 == name);
            let by_date = named("if-modified-since") && !named("if-none-match")
                || named("if-unmodified-since") && !named("if-match");
            let status = if by_date && !dated { 200 } else { status };
            let reply = client.send("GET", target, headers, Body::empty()).await;
            assert_eq!(reply.status, status, "{target} {headers:?}");
            match status {
                304 => {
                    assert!(
                        reply.body.is_empty() && !reply.headers.contains_key("content-length"),
                        "{reply:?}"
                    );
                    assert!(reply.header("content-location").starts_with("/models/tub"));
                    assert_eq!(reply.headers.contains_key("last-modified"), dated, "{target}");
                    assert_eq!(reply.header("etag"), "\"tub@1\"");
                }
                412 => assert_eq!(reply.problem(412)["etag"], "\"tub@1\""),
                200 => assert_eq!(reply.body, TUB),
                _ => {}
            }
        }
    };
    check(&[("if-none-match", "\"tub@1\"")], 304).await;
    check(&[("if-none-match", "W/\"tub@1\"")], 304).await;
    check(&[("if-none-match", "*")], 304).await;
    check(&[("if-none-match", "\"a\", \"tub@1\"")], 304).await;
    check(&[("if-none-match", "\"tub@2\"")], 200).await;
    check(&[("if-none-match", "tub@1")], 400).await;
    check(&[("if-modified-since", FUTURE)], 304).await;
    check(&[("if-modified-since", PAST)], 200).await;
    check(&[("if-modified-since", "yesterday")], 200).await;
    check(&[("if-none-match", "\"tub@2\""), ("if-modified-since", FUTURE)], 200).await;
    check(&[("if-none-match", "\"tub@1\""), ("if-modified-since", PAST)], 304).await;
    check(&[("if-match", "\"tub@1\"")], 200).await;
    check(&[("if-match", "*")], 200).await;
    check(&[("if-match", "W/\"tub@1\"")], 412).await;
    check(&[("if-match", "\"tub@2\"")], 412).await;
    check(&[("if-match", "\"tub@2\""), ("if-none-match", "\"tub@1\"")], 412).await;
    check(&[("if-match", "\"tub@1\""), ("if-none-match", "\"tub@1\"")], 304).await;
    check(&[("if-unmodified-since", PAST)], 412).await;
    check(&[("if-unmodified-since", FUTURE)], 200).await;
    check(&[("if-unmodified-since", PAST), ("if-match", "\"tub@1\"")], 200).await;
    check(&[("if-none-match", "\"tub@1\""), ("accept-encoding", "gzip")], 304).await;
}

/// Another model that is older becomes the latest.
#[tokio::test]
async fn no_date_hides_that_another_model_is_the_latest() {
    let client = with_tub().await;
    let old = client.get("/models/tub").await.header("last-modified").to_owned();
    let other = r#"{"system_name":"Sea"}"#;
    assert_eq!(client.post(other).await.status, 200);
    let latest = client.get("/model").await;
    assert_eq!(
        (&latest.body[..], latest.header("last-modified")),
        (other.as_bytes(), "")
    );
    // Equal bytes: it becomes the latest and keeps its date.
    assert_eq!(client.post(TUB).await.header("etag"), "\"tub@1\"");
    for date in [&old, FUTURE] {
        let reply = client.send("GET", "/model", &[("if-modified-since", date)], "").await;
        assert_eq!((reply.status, &reply.body[..]), (200, TUB.as_bytes()));
        let headers = [("if-modified-since", date), ("if-none-match", "\"sea@1\"")];
        assert_eq!(client.send("GET", "/model", &headers, "").await.status, 200);
    }
}

/// Dates count whole seconds.
#[tokio::test]
async fn a_date_tells_two_changes_of_one_second_apart() {
    let client = Client::of_clock(Arc::new(Stopped(1_764_500_000_700)));
    assert_eq!(client.post(TUB).await.status, 200);
    let date = client.get("/models/tub").await.header("last-modified").to_owned();
    let since = [("if-modified-since", &*date)];
    let unchanged = [("if-unmodified-since", &*date)];
    assert_eq!(client.send("GET", "/models/tub", &since, "").await.status, 304);
    let put = |text: &'static str| client.send("PUT", "/models/tub", &unchanged, text);
    assert_eq!(put("{}").await.status, 200);
    // Whoever read the first revision has the same date.
    let lost = put(r#"{"version":"lost"}"#).await;
    assert_eq!(lost.problem(412)["etag"], "\"tub@2\"");
    assert_eq!(client.send("DELETE", "/models/tub", &unchanged, "").await.status, 412);
    let read = client.send("GET", "/models/tub", &since, "").await;
    assert_eq!((read.status, &read.body[..]), (200, &b"{}"[..]));
    assert_eq!(
        client.send("GET", "/models/tub/revisions/1", &since, "").await.status,
        304,
        "a revision never changes"
    );
    // Deleted and written anew within the second.
    assert_eq!(client.send("DELETE", "/models/tub", &[], "").await.status, 204);
    assert_eq!(client.send("PUT", "/models/tub", &[], TUB).await.status, 201);
    assert_eq!(put("{}").await.status, 412);
}

/// A clock that stands still, at these milliseconds since 1970.
#[derive(Debug)]
struct Stopped(u64);

impl Clock for Stopped {
    fn now(&self) -> Timestamp {
        Timestamp(self.0)
    }
}

#[tokio::test]
async fn writes_to_a_model() {
    let check = async |headers: &[Header], with_model: u16, without: u16| {
        for (there, status) in [(true, with_model), (false, without)] {
            let client = if there { with_tub().await } else { Client::new() };
            let reply = client.send("PUT", "/models/tub", headers, "{}").await;
            assert_eq!(reply.status, status, "{headers:?} {there}");
            let now = client.get("/models/tub").await;
            if status == 412 {
                let etag = if there { json!("\"tub@1\"") } else { json!(null) };
                assert_eq!(reply.problem(412)["etag"], etag);
                assert_eq!(reply.header("etag"), if there { "\"tub@1\"" } else { "" });
            }
            let body = if status < 300 { "{}" } else { TUB };
            assert!(now.status == 404 || now.body == body, "{headers:?} {now:?}");
        }
    };
    check(&[], 200, 201).await;
    check(&[("if-match", "\"tub@1\"")], 200, 412).await;
    check(&[("if-match", "\"x\", \"tub@7\", \"tub@1\"")], 200, 412).await;
    check(&[("if-match", "\"tub@2\"")], 412, 412).await;
    check(&[("if-match", "\"other@1\"")], 412, 412).await;
    check(&[("if-match", "\"nonsense\"")], 412, 412).await;
    check(&[("if-match", "W/\"tub@1\"")], 412, 412).await;
    check(&[("if-match", "*")], 200, 412).await;
    check(&[("if-match", "tub@1")], 400, 400).await;
    check(&[("if-match", "")], 400, 400).await;
    check(&[("if-none-match", "*")], 412, 201).await;
    check(&[("if-none-match", "\"tub@1\"")], 412, 201).await;
    check(&[("if-none-match", "\"tub@2\"")], 200, 201).await;
    check(&[("if-none-match", "*"), ("if-match", "*")], 412, 412).await;
    check(&[("if-none-match", "\"tub@2\""), ("if-match", "\"tub@1\"")], 200, 412).await;
    check(&[("if-unmodified-since", FUTURE)], 200, 201).await;
    check(&[("if-unmodified-since", PAST)], 412, 201).await;
    check(&[("if-unmodified-since", PAST), ("if-match", "\"tub@1\"")], 200, 412).await;
}

#[tokio::test]
async fn writes_to_the_latest() {
    let other = r#"{"system_name":"Sea"}"#;
    let check = async |headers: &[Header], with_latest: u16, without: u16| {
        for (there, status) in [(true, with_latest), (false, without)] {
            for document in [r#"{"system_name":"Tub"}"#, other] {
                let client = if there { with_tub().await } else { Client::new() };
                let reply = client.send("POST", "/model", headers, document).await;
                assert_eq!(reply.status, status, "{headers:?} {there} {document}");
                if status == 412 {
                    assert_eq!(reply.header("etag"), if there { "\"tub@1\"" } else { "" });
                }
            }
        }
    };
    check(&[("if-match", "\"tub@1\"")], 200, 412).await;
    check(&[("if-match", "\"tub@2\"")], 412, 412).await;
    check(&[("if-match", "*")], 200, 412).await;
    check(&[("if-none-match", "*")], 412, 200).await;
    check(&[("if-none-match", "\"tub@1\"")], 412, 200).await;
    check(&[("if-unmodified-since", PAST)], 200, 200).await;
    check(&[("if-unmodified-since", FUTURE)], 200, 200).await;
}

#[tokio::test]
async fn deletes() {
    let check = async |headers: &[Header], status: u16| {
        let client = with_tub().await;
        assert_eq!(
            client.send("DELETE", "/models/tub", headers, "").await.status,
            status,
            "{headers:?}"
        );
        let left = if status == 204 { 404 } else { 200 };
        assert_eq!(client.get("/models/tub").await.status, left);
    };
    check(&[], 204).await;
    check(&[("if-match", "\"tub@1\"")], 204).await;
    check(&[("if-match", "*")], 204).await;
    check(&[("if-match", "\"tub@2\"")], 412).await;
    check(&[("if-none-match", "*")], 412).await;
    check(&[("if-unmodified-since", PAST)], 412).await;
    let client = Client::new();
    for headers in [&[][..], &[("if-match", "\"tub@1\"")]] {
        client.send("DELETE", "/models/tub", headers, "").await.problem(404);
    }
}

/// Each round both send a different text against the same tag; one is told that it was too late.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_clients_that_race_one_wins() {
    for (method, target) in [("PUT", "/models/tub"), ("POST", "/model")] {
        let client = with_tub().await;
        for round in 1..200 {
            let tag = format!("\"tub@{round}\"");
            let send = |who: &'static str| {
                let (client, tag) = (client.clone(), tag.clone());
                let text = format!(r#"{{"system_name":"Tub","version":"{who} {round}"}}"#);
                tokio::spawn(async move {
                    let reply = client.send(method, target, &[("if-match", &tag)], text.clone()).await;
                    (reply.status, text)
                })
            };
            let (a, b) = (send("a"), send("b"));
            let (a, b) = (a.await.expect("an answer"), b.await.expect("an answer"));
            let winner = match (a.0, b.0) {
                (200, 412) => a.1,
                (412, 200) => b.1,
                other => panic!("round {round}: {other:?}"),
            };
            assert_eq!(client.get("/model").await.body, winner);
        }
    }
}
