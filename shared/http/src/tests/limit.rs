//! How many requests are worked on at a time.

use super::{Client, Reply};
use crate::Config;
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::routing::{any, get};
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use http_body_util::BodyExt;
use meadow_service::{MemoryStore, Service, SystemClock};
use serde_json::json;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::{Notify, Semaphore};
use tower::ServiceExt;

/// A server whose work is done when it is told so.
#[derive(Clone)]
struct Slow {
    /// One for each piece of work that has begun.
    begun: Arc<Semaphore>,
    go_on: Arc<Notify>,
    done: Arc<AtomicUsize>,
}

impl Slow {
    fn new(at_once: usize) -> (Self, Client) {
        let slow = Self {
            begun: Arc::new(Semaphore::new(0)),
            go_on: Arc::default(),
            done: Arc::default(),
        };
        let work = async |State(slow): State<Self>, request: Request| {
            if request.into_body().collect().await.is_err() {
                return "broken";
            }
            slow.begun.add_permits(1);
            slow.go_on.notified().await;
            slow.done.fetch_add(1, Ordering::SeqCst);
            "done"
        };
        let streams = async |State(slow): State<Self>| {
            slow.begun.add_permits(1);
            Body::from_stream(stream::once(async move {
                slow.go_on.notified().await;
                Ok::<_, Infallible>("late")
            }))
        };
        let routes = Router::new()
            .route("/work", any(work))
            .route("/mcp", any(work))
            .route("/stream", get(streams))
            .with_state(slow.clone());
        let service = Service::new(Arc::new(MemoryStore::new()), Arc::new(SystemClock));
        let config = Config {
            at_once,
            ..Config::default()
        };
        (slow, Client::to(crate::routes(service).merge(routes), config))
    }

    async fn begun(&self, number: u32) {
        self.begun.acquire_many(number).await.expect("open").forget();
    }
}

#[track_caller]
fn refused(reply: &Reply, limit: usize) {
    assert_eq!(reply.header("retry-after"), "1");
    let problem = reply.problem(503);
    assert_eq!(problem["limit"], limit);
    assert!(
        problem["detail"]
            .as_str()
            .is_some_and(|d| d.contains("send this one again")),
        "{problem}"
    );
}

fn start(client: &Client, method: &'static str, target: &'static str, body: Body) -> tokio::task::JoinHandle<Reply> {
    let client = client.clone();
    tokio::spawn(async move { client.send(method, target, &[], body).await })
}

#[tokio::test]
async fn what_comes_beyond_the_limit_is_told_to_come_again() {
    let (slow, client) = Slow::new(2);
    let first = [("GET", ""), ("POST", "{}")].map(|(method, body)| start(&client, method, "/work", Body::from(body)));
    slow.begun(2).await;
    for (method, body) in [("GET", ""), ("POST", "{}"), ("DELETE", "")] {
        refused(&client.send(method, "/work", &[], body).await, 2);
        refused(&client.send(method, "/model", &[], body).await, 2);
    }
    let over_mcp = client
        .send("POST", "/mcp", &[("origin", "http://localhost:1")], "{}")
        .await;
    let body = over_mcp.json();
    assert_eq!((over_mcp.status, over_mcp.header("retry-after")), (503, "1"));
    assert_eq!(
        (
            &body["jsonrpc"],
            &body["error"]["code"],
            &body["error"]["data"]["limit"]
        ),
        (&json!("2.0"), &json!(-32603), &json!(2))
    );
    assert_eq!(over_mcp.header("access-control-allow-origin"), "http://localhost:1");
    // Neither health checks nor preflights take a place, nor what is refused before.
    assert_eq!(client.get("/healthz?deep=1").await.status, 200);
    assert_eq!(client.send("OPTIONS", "/model", &[], "").await.status, 204);
    assert_eq!(
        client
            .send("GET", "/work", &[("host", "evil.example")], "")
            .await
            .status,
        403
    );
    slow.go_on.notify_waiters();
    for one in first {
        assert_eq!(one.await.expect("an answer").status, 200);
    }
    for _ in 0..10 {
        assert_eq!(client.get("/model").await.status, 404, "places are given back");
    }
}

#[tokio::test]
async fn bodies_that_come_slowly_take_no_place_from_others() {
    let (slow, client) = Slow::new(1);
    let (ends, waits) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let body = |end: &Arc<Notify>| {
        let end = Arc::clone(end);
        let begin = stream::iter([Ok::<_, Infallible>(Bytes::from("{"))]);
        Body::from_stream(begin.chain(stream::once(async move {
            end.notified().await;
            Ok(Bytes::from("}"))
        })))
    };
    let arriving: Vec<_> = (0..20).map(|_| start(&client, "POST", "/work", body(&ends))).collect();
    let abandoned = start(&client, "POST", "/work", body(&waits));
    tokio::task::yield_now().await;
    assert_eq!(client.get("/model").await.status, 404);
    abandoned.abort();
    // Of those that come at once, one finds a place.
    ends.notify_waiters();
    slow.begun(1).await;
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    slow.go_on.notify_one();
    let mut statuses = Vec::new();
    for one in arriving {
        let reply = one.await.expect("an answer");
        if reply.status == 503 {
            refused(&reply, 1);
        }
        statuses.push(reply.status);
    }
    statuses.sort_unstable();
    assert_eq!((statuses[0], &statuses[1..]), (200, &[503; 19][..]));
    assert_eq!(slow.done.load(Ordering::SeqCst), 1, "what was refused did nothing");
    assert_eq!(client.get("/model").await.status, 404);
}

#[tokio::test]
async fn long_polls_have_places_of_their_own() {
    let (slow, client) = Slow::new(2);
    let polls = [0; 2].map(|_| start(&client, "GET", "/work?wait=15", Body::empty()));
    slow.begun(2).await;
    assert_eq!(client.get("/model").await.status, 404);
    refused(&client.get("/work?x=1&wait=1").await, 2);
    slow.go_on.notify_waiters();
    for one in polls {
        assert_eq!(one.await.expect("an answer").status, 200);
    }
    // Only a read can wait.
    let writes = [0; 2].map(|_| start(&client, "POST", "/work?wait=1", Body::from("{}")));
    slow.begun(2).await;
    refused(&client.get("/model").await, 2);
    slow.go_on.notify_waiters();
    for one in writes {
        assert_eq!(one.await.expect("an answer").status, 200);
    }
}

/// An answer whose head leaves before its body is made keeps its place until then.
#[tokio::test]
async fn an_answer_that_is_being_made_keeps_its_place() {
    let (slow, client) = Slow::new(1);
    let request = http::Request::get("/stream").header("host", "localhost");
    let request = request.body(Body::empty()).expect("a request");
    let mut answer = client.0.clone().oneshot(request).await.expect("an answer");
    refused(&client.get("/model").await, 1);
    slow.go_on.notify_one();
    let frame = answer.body_mut().frame().await.expect("a frame").expect("sound");
    assert_eq!(frame.into_data().expect("data"), "late");
    assert_eq!(client.get("/model").await.status, 404);
    drop(answer);
}

/// The deadline gives the place back; and a panic does.
#[tokio::test(start_paused = true)]
async fn a_place_is_given_back_whatever_happens() {
    let (slow, client) = Slow::new(1);
    let late = client.get("/work").await;
    assert_eq!(late.status, 503);
    assert!(
        late.problem(503)["detail"]
            .as_str()
            .is_some_and(|d| d.contains("within 20 s"))
    );
    assert_eq!(client.get("/model").await.status, 404);
    let gone = start(&client, "GET", "/work", Body::empty());
    slow.begun(2).await;
    refused(&client.get("/model").await, 1);
    gone.abort();
    tokio::time::sleep(Duration::from_millis(1)).await;
    assert_eq!(client.get("/model").await.status, 404);
}
