//! What surrounds every route.

use super::{Client, TUB};
use crate::{Access, Config};
use axum::Router;
use axum::body::Body;
use axum::routing::{get, post};
use bytes::Bytes;
use http::{Response, StatusCode};
use http_body::Frame;
use http_body_util::{BodyExt, StreamBody};
use meadow_service::{Caller, MemoryStore, Service, SystemClock, Workspace};
use serde_json::{Value, json};
use std::convert::Infallible;
use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tower::{ServiceExt, service_fn};
use tower_http::decompression::Decompression;

#[tokio::test]
async fn request_ids_go_round() {
    let client = Client::new();
    let given = client.send("GET", "/healthz", &[("x-request-id", "trace-1")], "").await;
    assert_eq!(given.header("x-request-id"), "trace-1");
    let (a, b) = (client.get("/healthz").await, client.get("/model").await);
    assert_ne!(a.header("x-request-id"), b.header("x-request-id"));
    let odd = client.send("GET", "/healthz", &[("x-request-id", "a b")], "").await;
    assert_ne!(odd.header("x-request-id"), "a b");
}

#[tokio::test]
async fn foreign_hosts_and_origins_are_refused() {
    let mcp = Router::new().route("/mcp", post(|| async { "in" }));
    let service = Service::new(Arc::new(MemoryStore::new()), Arc::new(SystemClock));
    let client = Client::to(crate::routes(service).merge(mcp), Config::default());
    let check = async |headers: &[(&str, &str)], status: u16, part: &str| {
        let reply = client.send("POST", "/model", headers, TUB).await;
        let over_mcp = client.send("POST", "/mcp", headers, TUB).await;
        assert_eq!((reply.status, over_mcp.status), (status, status), "{headers:?}");
        assert_eq!(
            client.send("GET", "/healthz", headers, "").await.status,
            200,
            "{headers:?}"
        );
        if status == 200 {
            return;
        }
        let detail = reply.problem(status)["detail"].clone();
        assert!(detail.as_str().is_some_and(|d| d.contains(part)), "{detail}");
        assert_eq!(
            over_mcp.json(),
            json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32600, "message": detail,
                "data": {"status": status, "request_id": over_mcp.header("x-request-id")}}})
        );
    };
    check(&[], 200, "").await;
    check(&[("host", "127.0.0.1:1")], 200, "").await;
    check(&[("host", "[::1]")], 200, "").await;
    check(&[("origin", "http://localhost:5173")], 200, "").await;
    check(&[("host", "evil.example")], 403, "--allow-host evil.example").await;
    check(
        &[("origin", "https://evil.example")],
        403,
        "--allow-origin https://evil.example",
    )
    .await;
    check(&[("origin", "null")], 403, "--allow-origin null").await;
    // What the options would not take is not proposed.
    check(&[("host", "")], 403, "for this server, send Host: localhost").await;
    check(&[("host", "*")], 403, "send Host: localhost").await;
    check(&[("host", "http://x/y")], 403, "send Host: localhost").await;
    check(&[("origin", "")], 403, "leave Origin out").await;
    check(&[("origin", "x")], 403, "leave Origin out").await;
}

#[tokio::test]
async fn the_refusal_names_the_setting_of_this_server() {
    let config = Config {
        hosts: vec!["*".into(), "models.example".into()],
        ..Config::default()
    };
    let settings = crate::Settings {
        hosts: "let HOSTS name",
        origins: "let ORIGINS name",
    };
    let check = async |config: Config, headers: &[(&str, &str)], status: u16, expected: &str| {
        let service = Service::new(Arc::new(MemoryStore::new()), Arc::new(SystemClock));
        let client = Client::to(crate::routes(service), Config { settings, ..config });
        let problem = client.send("GET", "/model", headers, "").await.problem(status);
        let detail = problem["detail"].as_str().expect("a text");
        assert!(detail.ends_with(&format!("for this server, {expected}")), "{detail}");
    };
    let origin = [("origin", "https://app.example")];
    check(config, &origin, 403, "let ORIGINS name https://app.example").await;
    let named = || Config {
        hosts: vec!["models.example".into()],
        ..Config::default()
    };
    check(named(), &[("host", "evil.example")], 403, "let HOSTS name evil.example").await;
    check(named(), &[("host", "a b")], 403, "send Host: models.example").await;
}

#[tokio::test]
async fn allowed_hosts_and_origins_pass() {
    let mut config = Config::default();
    config.hosts.push("meadow.example".into());
    config.origins.push("https://app.example".into());
    let service = Service::new(Arc::new(MemoryStore::new()), Arc::new(SystemClock));
    let client = Client::to(crate::routes(service), config);
    let headers = [("host", "meadow.example:443"), ("origin", "https://app.example")];
    assert_eq!(client.send("POST", "/model", &headers, TUB).await.status, 200);
    assert_eq!(
        client
            .send("GET", "http://evil.example/model", &headers, "")
            .await
            .status,
        403
    );
}

#[tokio::test]
async fn a_request_without_a_host_or_with_two_is_refused() {
    let client = Client::new();
    for hosts in [&[][..], &["localhost", "localhost"]] {
        let mut request = http::Request::get("/model");
        for host in hosts {
            request = request.header("host", *host);
        }
        let reply = client
            .0
            .clone()
            .oneshot(request.body(Body::empty()).expect("a request"))
            .await
            .expect("an answer");
        assert_eq!(reply.status(), StatusCode::BAD_REQUEST);
    }
}

#[tokio::test]
async fn the_caller_decides_whose_models() {
    let service = Service::new(Arc::new(MemoryStore::new()), Arc::new(SystemClock));
    let client = |name: &str| {
        let caller = Caller::local(Workspace::new(name).expect("a workspace"));
        let config = Config {
            access: Access::Open(caller),
            ..Config::default()
        };
        Client::to(crate::routes(service.clone()), config)
    };
    client("a").post(TUB).await;
    assert_eq!(client("a").get("/model").await.status, 200);
    assert_eq!(client("b").get("/model").await.status, 404);
}

#[tokio::test]
async fn answers_are_packed_when_asked() {
    let client = Client::new();
    let long = format!(r#"{{"system_name":"Long","version":"{}"}}"#, "x".repeat(50_000));
    assert_eq!(client.send("POST", "/model", &[], long.clone()).await.status, 200);
    for coding in ["gzip", "zstd"] {
        let packed = client.send("GET", "/model", &[("accept-encoding", coding)], "").await;
        assert_eq!((packed.status, packed.header("content-encoding")), (200, coding));
        assert!(packed.body.len() < 1000 && !packed.headers.contains_key("content-length"));
        let tag = packed.header("etag");
        let again = client
            .send(
                "GET",
                "/model",
                &[("if-none-match", tag), ("accept-encoding", coding)],
                "",
            )
            .await;
        assert_eq!((again.status, again.header("etag")), (304, tag));
        assert_eq!(
            client
                .send("PUT", "/models/long", &[("if-match", tag)], long.clone())
                .await
                .status,
            200
        );

        let (headers, body) = (packed.headers.clone(), packed.body.clone());
        let replay = service_fn(move |_: http::Request<Body>| {
            let mut response = Response::new(Body::from(body.clone()));
            response.headers_mut().extend(headers.clone());
            async move { Ok::<_, Infallible>(response) }
        });
        let unpacked = Decompression::new(replay)
            .oneshot(http::Request::new(Body::empty()))
            .await
            .expect("an answer");
        let unpacked = unpacked.into_body().collect().await.expect("a body").to_bytes();
        assert_eq!(unpacked, long);
    }
    let posted = client
        .send("POST", "/model", &[("accept-encoding", "gzip")], long.clone())
        .await;
    assert_eq!(posted.header("content-encoding"), "gzip");
    let small = client.send("GET", "/healthz", &[("accept-encoding", "gzip")], "").await;
    assert_eq!(small.header("content-encoding"), "");
    // What nobody can satisfy is answered as it is, not refused after the work was done.
    for coding in ["br", "identity;q=0, br", "*;q=0", "identity"] {
        let plain = client.send("GET", "/model", &[("accept-encoding", coding)], "").await;
        assert_eq!(
            (plain.status, plain.header("content-encoding"), plain.body.len()),
            (200, "", long.len())
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_body_that_never_ends_is_given_up() {
    let client = Client::new();
    let frames = futures_util::stream::pending::<Result<Frame<Bytes>, Infallible>>();
    let reply = client
        .send("POST", "/model", &[], Body::new(StreamBody::new(frames)))
        .await;
    let problem = reply.problem(408);
    assert!(
        problem["detail"].as_str().is_some_and(|d| d.contains("within 20 s")),
        "{problem}"
    );
    assert_eq!(reply.header("connection"), "close");
    client.get("/model").await.problem(404);
}

#[tokio::test(start_paused = true)]
async fn other_surfaces_are_surrounded_too() {
    let slow = || async { tokio::time::sleep(Duration::from_secs(60)).await };
    let breaks = || async { panic!("a fault of ours") as &str };
    let others = Router::new()
        .route("/mcp", get(breaks).post(slow))
        .route("/page", get(breaks));
    let client = Client::to(others, Config::default());
    let rpc = |status: u16, code: i64, reply: Value| {
        assert_eq!(
            (&reply["error"]["code"], &reply["error"]["data"]["status"]),
            (&json!(code), &json!(status)),
            "{reply}"
        );
    };
    rpc(503, -32603, client.send("POST", "/mcp", &[], "").await.json());
    rpc(500, -32603, client.get("/mcp").await.json());
    rpc(404, -32600, client.get("/mcp/other").await.json());
    client.get("/page/").await.problem(500);
    client.get("/other").await.problem(404);
}

/// Where log lines go in a test.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("a lock").write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn one_line_is_logged_for_each_request_and_one_more_for_a_failure() {
    let lines = Lines::default();
    let sink = lines.clone();
    let subscriber = tracing_subscriber::fmt()
        .json()
        .with_writer(move || sink.clone())
        .finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let broken = Router::new().route("/broken", get(|| async { panic!("secret of ours") as &str }));
    let service = Service::new(Arc::new(MemoryStore::new()), Arc::new(SystemClock));
    let client = Client::to(crate::routes(service).merge(broken), Config::default());
    client
        .send(
            "POST",
            "/model",
            &[("x-request-id", "one")],
            r#"{"system_name":"Hidden name"}"#,
        )
        .await;
    let traced = [
        ("x-request-id", "two"),
        ("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
        ("tracestate", "a=1"),
        ("tracestate", "b=2"),
    ];
    client.send("HEAD", "/models/?cursor=private", &traced, "").await;
    let failed = client
        .send(
            "GET",
            "/broken",
            &[("x-request-id", "three"), ("traceparent", "nonsense")],
            "",
        )
        .await;
    assert!(!String::from_utf8_lossy(&failed.body).contains("secret"));

    let text = String::from_utf8(lines.0.lock().expect("a lock").clone()).expect("UTF-8");
    assert!(!text.contains("Hidden") && !text.contains("private"), "{text}");
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let shown: Vec<_> = lines
        .iter()
        .map(|line| {
            let fields = &line["fields"];
            let word = |name: &str| fields[name].as_str().unwrap_or_default().to_owned();
            format!(
                "{} {} {} {} {}",
                line["level"],
                word("method"),
                word("path"),
                fields["status"],
                word("request_id")
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            "\"INFO\" POST /model 200 one",
            "\"INFO\" HEAD /models/ 200 two",
            "\"ERROR\" GET /broken null three",
            "\"INFO\" GET /broken 500 three",
        ]
    );
    assert!(lines[0]["fields"]["bytes"].as_u64() > Some(100) && lines[0]["fields"]["duration_ms"].is_number());
    let trace = |line: &Value| {
        let names = ["trace_id", "parent_id", "trace_state"];
        names.map(|name| line["fields"][name].as_str().unwrap_or("-").to_owned())
    };
    assert_eq!(trace(&lines[0]), ["-"; 3]);
    assert_eq!(
        trace(&lines[1]),
        ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7", "a=1,b=2"]
    );
    assert_eq!(trace(&lines[3]), ["-"; 3]);
    assert!(
        lines[2]["fields"]["cause"]
            .as_str()
            .is_some_and(|cause| cause.contains("secret of ours"))
    );
}
