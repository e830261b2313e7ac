//! Everything that can be wrong with a request, or behind it.

use super::{Client, TUB};
use async_trait::async_trait;
use axum::body::Body;
use bytes::Bytes;
use futures_util::stream;
use http_body::Frame;
use http_body_util::StreamBody;
use meadow_model::limits::MAX_TEXT;
use meadow_service::ports::ChangeCursor;
use meadow_service::{
    Change, Deleted, Expected, Head, MemoryStore, ModelId, ModelStore, Page, Put, PutOutcome, Revision, StoreError,
    Stored, Timestamp, Workspace, WriteId,
};
use serde_json::json;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

#[tokio::test]
async fn faults_of_requests() {
    let client = Client::new();
    client.post(TUB).await;
    let check =
        async |method: &str, target: &str, headers: &[(&str, &str)], body: &'static str, status: u16, part: &str| {
            let problem = client.send(method, target, headers, body).await.problem(status);
            let detail = problem["detail"].as_str().expect("a detail");
            assert!(detail.contains(part), "{method} {target} {headers:?}: {detail}");
        };
    check("POST", "/model", &[], "", 400, "line 1, column 1").await;
    check("POST", "/model", &[], "{\n \"a\": nul}", 400, "line 2, column 7").await;
    check("PUT", "/models/tub", &[], "not json", 400, "is not JSON").await;
    check("POST", "/model", &[], "[]", 422, "1 fault").await;
    check("POST", "/model", &[], r#"{"stocks":1,"flows":1}"#, 422, "2 faults").await;
    check(
        "POST",
        "/model",
        &[("content-type", "text/plain")],
        TUB,
        415,
        "Content-Type: application/json",
    )
    .await;
    check(
        "PUT",
        "/models/tub",
        &[("content-type", "application/json; charset=utf-16")],
        TUB,
        415,
        "utf-16",
    )
    .await;
    check(
        "POST",
        "/model",
        &[("content-encoding", "gzip")],
        TUB,
        415,
        "without Content-Encoding",
    )
    .await;
    check(
        "POST",
        "/model",
        &[("accept", "text/html")],
        TUB,
        406,
        "Accept: application/json",
    )
    .await;
    check(
        "GET",
        "/model",
        &[("accept", "application/json;q=0")],
        "",
        406,
        "application/json",
    )
    .await;
    check("POST", "/model?model=x", &[], TUB, 400, "`model`").await;
    check("PUT", "/models/a%20b", &[], TUB, 400, "\"a-b\"").await;
    check("PUT", "/models/latest", &[], TUB, 400, "latest model").await;
    check("GET", "/models/a%2Fb", &[], "", 400, "\"a/b\"").await;
    check("GET", "/models/%ff", &[], "", 400, "path cannot be read").await;
    check(
        "GET",
        &format!("/models/{}", "x".repeat(201)),
        &[],
        "",
        400,
        "200 bytes",
    )
    .await;
    check("GET", "/models/x", &[], "", 404, "\"x\"").await;
    check("GET", "/models/x/report", &[], "", 404, "\"x\"").await;
    check("GET", "/models/x/revisions", &[], "", 404, "\"x\"").await;
    check("GET", "/models/tub/revisions/2", &[], "", 404, "no revision 2").await;
    check("GET", "/models/tub/revisions/two", &[], "", 400, "`two`").await;
    check("GET", "/models/tub/revisions/-1", &[], "", 400, "`-1`").await;
    check("DELETE", "/models/x", &[], "", 404, "\"x\"").await;
    check("GET", "/models?limit=0", &[], "", 400, "from 1 to 100").await;
    check("GET", "/models?limit=101", &[], "", 400, "limit").await;
    check("GET", "/models?limit=ten", &[], "", 400, "\"ten\"").await;
    check(
        "GET",
        "/models?limit=1&limit=2",
        &[],
        "",
        400,
        "duplicate field `limit`",
    )
    .await;
    check("GET", "/models?cursor=a%20b", &[], "", 400, "\"a b\"").await;
    check("GET", "/models?offset=3", &[], "", 400, "`limit` or `cursor`").await;
    check("GET", "/models/tub/revisions?cursor=x", &[], "", 400, "cursor").await;
    check("GET", "/nowhere", &[], "", 404, "/models/{id}").await;
    check("GET", "/", &[], "", 404, "/openapi.json").await;
    check("GET", "/models/tub/nothing", &[], "", 404, "nothing at").await;
    check("PATCH", "/models", &[], "{}", 405, "PATCH").await;
    assert_eq!(client.get("/model").await.body, TUB);
}

#[tokio::test]
async fn every_fault_of_a_document_has_its_pointer() {
    let client = Client::new();
    let text = r#"{"version":1,"stocks":[{"id":2}],"a/b":{"x":1,"x":2}}"#;
    let problem = client.post(text).await.problem(422);
    let pointers: Vec<_> = problem["errors"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|e| e["pointer"].clone())
        .collect();
    assert_eq!(pointers, [json!("/version"), json!("/stocks/0/id"), json!("/a~1b/x")]);
    let many = format!("{{\"elements\":[{}]}}", vec!["1"; 5000].join(","));
    let problem = client.send("POST", "/model", &[], many).await.problem(422);
    assert_eq!(problem["errors"].as_array().map(Vec::len), Some(100));
    assert!(
        problem["detail"].as_str().is_some_and(|d| d.contains("5000")),
        "{}",
        problem["detail"]
    );
    let problem = client
        .send("POST", "/model", &[], &b"{\"a\":\"\xff\"}"[..])
        .await
        .problem(400);
    assert_eq!((&problem["line"], &problem["column"]), (&json!(1), &json!(7)));
}

/// A document of exactly `size` bytes that packs well.
fn sized(size: usize) -> String {
    let start = r#"{"system_name":"Big","version":""#;
    format!("{start}{}\"}}", "x".repeat(size - start.len() - 2))
}

/// A body whose size is not declared.
fn chunked(text: &str) -> Body {
    let chunks: Vec<_> = text
        .as_bytes()
        .chunks(64 << 10)
        .map(|chunk| Ok::<_, Infallible>(Frame::data(Bytes::copy_from_slice(chunk))))
        .collect();
    Body::new(StreamBody::new(stream::iter(chunks)))
}

#[tokio::test]
async fn a_document_of_the_largest_size_passes_and_one_byte_more_does_not() {
    let client = Client::new();
    let largest = sized(MAX_TEXT);
    for body in [Body::from(largest.clone()), chunked(&largest)] {
        let reply = client.send("POST", "/model", &[], body).await;
        assert_eq!(reply.status, 200);
        assert!(reply.body.len() > MAX_TEXT);
    }
    let stored = client.get("/model").await;
    assert_eq!(stored.body, largest);
    let larger = sized(MAX_TEXT + 1);
    for (body, waits) in [
        (Body::from(larger.clone()), false),
        (chunked(&larger), false),
        (Body::from(larger.clone()), true),
    ] {
        let headers: &[_] = if waits { &[("expect", "100-continue")] } else { &[] };
        let reply = client.send("PUT", "/models/big", headers, body).await;
        let problem = reply.problem(413);
        assert_eq!(
            (&problem["size"], &problem["limit"]),
            (&json!(MAX_TEXT + 1), &json!(MAX_TEXT))
        );
        assert_eq!(reply.header("connection"), if waits { "close" } else { "" });
    }
    assert_eq!(client.get("/model").await.body, largest);
}

/// A body of `chunks` mebibytes, and how many of them were read.
fn counted(chunks: usize) -> (Body, Arc<AtomicUsize>) {
    let read = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&read);
    let chunk = Bytes::from(vec![b' '; 1 << 20]);
    let frames = (0..chunks).map(move |_| {
        counter.fetch_add(1, Ordering::SeqCst);
        Ok::<_, Infallible>(Frame::data(chunk.clone()))
    });
    (Body::new(StreamBody::new(stream::iter(frames))), read)
}

/// Whatever the reason: a client that is still sending must come to read the answer.
#[tokio::test]
async fn the_rest_of_a_body_that_no_answer_needs_is_read_within_bounds() {
    let client = Client::new();
    let check = async |method: &str, target: &str, headers: &[(&str, &str)], chunks: usize, status: u16| {
        let (body, read) = counted(chunks);
        let reply = client.send(method, target, headers, body).await;
        assert_eq!(reply.status, status, "{method} {target} {headers:?}");
        let waits = headers.iter().any(|header| header.0 == "expect");
        assert_eq!(reply.header("connection"), if waits { "close" } else { "" });
        // Read behind the answer, by a task of this same thread.
        for _ in 0..1000 {
            tokio::task::yield_now().await;
        }
        let expected = if waits { 0 } else { chunks.min(65) };
        assert_eq!(read.load(Ordering::SeqCst), expected, "{method} {target} {headers:?}");
    };
    check("POST", "/model", &[], 20, 413).await;
    check("PUT", "/models/tub", &[], 20, 413).await;
    for (method, target, headers, status) in [
        ("POST", "/model", &[("content-type", "text/plain")], 415),
        ("PUT", "/models/tub", &[("content-encoding", "gzip")], 415),
        ("PUT", "/models/tub", &[("accept", "text/html")], 406),
        ("POST", "/model", &[("host", "evil.example")], 403),
        ("POST", "/model", &[("if-match", "nonsense")], 400),
        ("POST", "/models", &[("x-a", "b")], 405),
        ("GET", "/healthz", &[("x-a", "b")], 200),
        ("POST", "/nothing", &[("x-a", "b")], 404),
    ] {
        check(method, target, headers, 20, status).await;
        check(method, target, headers, 100, status).await;
        check(method, target, &[headers[0], ("expect", "100-continue")], 20, status).await;
    }
}

#[tokio::test]
async fn a_body_that_is_declared_beyond_all_bounds_is_refused_at_once() {
    let (size, client) = (65 << 20, Client::new());
    for headers in [&[][..], &[("content-type", "text/plain")]] {
        let body = Bytes::from_owner(vec![b' '; size]);
        let reply = client.send("POST", "/model", headers, body).await;
        let problem = reply.problem(if headers.is_empty() { 413 } else { 415 });
        assert!(!headers.is_empty() || problem["size"] == size, "{problem}");
        assert_eq!(reply.header("connection"), "close");
    }
}

/// What is too large is read to its end, so that the client hears why; but not without an end.
#[tokio::test]
async fn a_body_without_an_end_is_cut() {
    let client = Client::new();
    let chunk = Bytes::from(vec![b' '; 1 << 20]);
    let endless = stream::repeat_with(move || Ok::<_, Infallible>(Frame::data(chunk.clone())));
    let reply = client
        .send("POST", "/model", &[], Body::new(StreamBody::new(endless)))
        .await;
    let problem = reply.problem(413);
    assert!(
        problem["detail"].as_str().is_some_and(|d| d.contains("more than")),
        "{problem}"
    );
    assert_eq!(reply.header("connection"), "close");
}

#[tokio::test]
async fn a_document_that_packs_badly_is_refused_with_both_sizes() {
    let client = Client::new();
    // A linear congruential generator: no packer finds its rule.
    let mut state = 1_u64;
    let noise: String = std::iter::repeat_with(|| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        format!("{:016x}", state ^ (state >> 29))
    })
    .take(60_000)
    .collect();
    let text = format!(r#"{{"version":"{noise}"}}"#);
    let problem = client.send("POST", "/model", &[], text.clone()).await.problem(413);
    assert_eq!(problem["size"], text.len());
    assert!(
        problem["packed_size"].as_u64() > problem["packed_limit"].as_u64(),
        "{problem}"
    );
}

#[tokio::test]
async fn a_body_that_breaks_off_is_told() {
    let frames = stream::iter([Ok(Frame::data(Bytes::from("{"))), Err(std::io::Error::other("reset"))]);
    let reply = Client::new()
        .send("POST", "/model", &[], Body::new(StreamBody::new(frames)))
        .await;
    let problem = reply.problem(400);
    assert!(
        problem["detail"].as_str().is_some_and(|d| d.contains("after 1 bytes")),
        "{problem}"
    );
}

/// A document with `count` items of each kind, all of them faulty, with names of `length` bytes.
fn faulty(count: usize, length: usize) -> String {
    let name = "n".repeat(length);
    let upper = name.to_uppercase();
    let list = |item: &dyn Fn(usize) -> String| (0..count).map(item).collect::<Vec<_>>().join(",");
    let flows = list(&|i| format!(r#"{{"id":"{name}","from_stock":"{name}x","to_stock":"{upper}","form_stock":{i}}}"#));
    let stocks = list(&|_| format!(r#"{{"id":"{name}","unti":"l"}}"#));
    let loops = list(&|i| format!(r#"{{"id":"{name}","elements":["{i}{name}"]}}"#));
    let changes = list(&|i| format!(r#"{{"target_leverage_id":1,"changes":[{{"variable":"{i}{name}"}}]}}"#));
    let points = list(&|i| format!(r#"{{"id":2,"is_applicable":{}}}"#, i % 2 == 0));
    let elements = list(&|_| format!("\"{name}\""));
    format!(
        r#"{{"system_name":"Big","flows":[{flows}],"stocks":[{stocks}],"loops":{{"balancing":[{loops}]}},"interventions":[{changes}],"leverage_points":[{points}],"elements":[{elements}],"{name}":1}}"#
    )
}

/// Texts of a document appear in its report; however long or many they are, the answers stay deliverable.
#[tokio::test]
async fn the_answers_to_a_large_faulty_document_stay_deliverable() {
    let client = Client::new();
    for (count, length) in [(20, 20_000), (1_000, 400), (5_000, 30), (12_000, 1)] {
        let text = faulty(count, length);
        let reply = client.send("POST", "/model", &[], text.clone()).await;
        assert_eq!(reply.status, 200, "{} bytes", text.len());
        let report = reply.body.len() - text.len();
        assert!(report < 200_000, "{count} x {length}: a report of {report} bytes");
        let report = client.get("/models/big/report").await;
        assert_eq!(report.status, 200);
    }
}

#[tokio::test]
async fn lists_stay_small_whatever_the_models_are_called() {
    let client = Client::new();
    for id in ["a", "b", "c"] {
        let text = format!(r#"{{"system_name":"{}"}}"#, "水".repeat(100_000));
        let target = format!("/models/{id}");
        assert_eq!(client.send("PUT", &target, &[], text.clone()).await.status, 201);
        assert_eq!(client.get(&target).await.body, text);
    }
    let list = client.get("/models").await;
    assert!(
        list.json()["models"].as_array().map(Vec::len) == Some(3) && list.body.len() < 4_000,
        "{}",
        list.body.len()
    );
}

/// How a store fails.
#[derive(Debug, Clone, Copy)]
enum Failure {
    Full,
    ReadOnly,
    Unavailable,
    Damaged,
    Hangs,
    Panics,
}

/// A store that fails at everything.
#[derive(Debug)]
struct Failing(Failure, MemoryStore);

impl Failing {
    async fn fail(&self) -> Result<(), StoreError> {
        match self.0 {
            Failure::Full => Err(StoreError::Full("no room".into())),
            Failure::ReadOnly => Err(StoreError::ReadOnly("locked".into())),
            Failure::Unavailable => Err(StoreError::Unavailable("no route".into())),
            Failure::Damaged => Err(StoreError::Damaged("bad page".into())),
            Failure::Hangs => std::future::pending().await,
            Failure::Panics => panic!("a fault of ours"),
        }
    }
}

#[async_trait]
impl ModelStore for Failing {
    async fn put(&self, put: Put) -> Result<PutOutcome, StoreError> {
        self.fail().await?;
        self.1.put(put).await
    }

    async fn delete(
        &self,
        w: &Workspace,
        id: &ModelId,
        e: Expected,
        write: WriteId,
        at: Timestamp,
    ) -> Result<Deleted, StoreError> {
        self.fail().await?;
        self.1.delete(w, id, e, write, at).await
    }

    async fn head(&self, w: &Workspace, id: &ModelId) -> Result<Option<Head>, StoreError> {
        self.fail().await?;
        self.1.head(w, id).await
    }

    async fn get(&self, w: &Workspace, id: &ModelId, revision: Option<Revision>) -> Result<Option<Stored>, StoreError> {
        self.fail().await?;
        self.1.get(w, id, revision).await
    }

    async fn latest(&self, w: &Workspace) -> Result<Option<Stored>, StoreError> {
        self.fail().await?;
        self.1.latest(w).await
    }

    async fn list(
        &self,
        w: &Workspace,
        after: Option<&ModelId>,
        limit: usize,
    ) -> Result<Page<Head, ModelId>, StoreError> {
        self.fail().await?;
        self.1.list(w, after, limit).await
    }

    async fn revisions(
        &self,
        w: &Workspace,
        id: &ModelId,
        before: Option<Revision>,
        limit: usize,
    ) -> Result<Page<Head, Revision>, StoreError> {
        self.fail().await?;
        self.1.revisions(w, id, before, limit).await
    }

    async fn changed_since(
        &self,
        since: Timestamp,
        after: Option<&ChangeCursor>,
        limit: usize,
    ) -> Result<Page<Change, ChangeCursor>, StoreError> {
        self.fail().await?;
        self.1.changed_since(since, after, limit).await
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.fail().await
    }
}

/// Time is paused: it jumps to the deadline when nothing else can happen.
#[tokio::test(start_paused = true)]
async fn a_failing_store_is_told_and_the_server_lives_on() {
    let check = async |failure: Failure, status: u16, part: &str| {
        let client = Client::of(Failing(failure, MemoryStore::new()));
        for (method, target) in [
            ("POST", "/model"),
            ("GET", "/model"),
            ("GET", "/models"),
            ("PUT", "/models/tub"),
            ("DELETE", "/models/tub"),
            ("GET", "/models/tub"),
            ("GET", "/models/tub/report"),
            ("GET", "/models/tub/revisions"),
            ("GET", "/models/tub/revisions/1"),
            ("GET", "/healthz?deep=1"),
        ] {
            let reply = client.send(method, target, &[], TUB).await;
            let problem = reply.problem(status);
            let detail = problem["detail"].as_str().expect("a detail");
            assert!(detail.contains(part), "{method} {target}: {detail}");
            assert_eq!(reply.headers.contains_key("retry-after"), part == "no route");
        }
        assert_eq!(client.get("/healthz").await.status, 200);
    };
    check(Failure::Full, 503, "full: no room").await;
    check(Failure::ReadOnly, 503, "read-only").await;
    check(Failure::Unavailable, 503, "no route").await;
    check(Failure::Damaged, 500, "damaged").await;
    check(Failure::Hangs, 503, "within 20 s").await;
    check(Failure::Panics, 500, "something failed").await;
}
