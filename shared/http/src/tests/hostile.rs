//! Whatever a request says: one answer in the form of this surface, never a 500, and the server lives on.

use super::Client;
use axum::body::Body;
use http::{HeaderValue, Request};
use http_body_util::BodyExt;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, TestRunner};
use serde_json::Value;
use tower::ServiceExt;

const CASES: u32 = 2_000;

const METHODS: [&str; 9] = [
    "GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "odd",
];

const HEADERS: [&str; 20] = [
    "accept",
    "accept-encoding",
    "access-control-request-method",
    "authorization",
    "content-encoding",
    "content-length",
    "content-type",
    "cookie",
    "expect",
    "host",
    "if-match",
    "if-modified-since",
    "if-none-match",
    "if-unmodified-since",
    "origin",
    "range",
    "traceparent",
    "tracestate",
    "transfer-encoding",
    "x-request-id",
];

const VALUES: [&str; 22] = [
    "",
    "*",
    "application/json",
    "application/merge-patch+json",
    "text/html",
    "gzip",
    "\"1\"",
    "W/\"x\", \"y\"",
    "localhost",
    "localhost:99999",
    "evil.example",
    "http://localhost:1",
    "null",
    "Tue, 01 Dec 2026 00:00:00 GMT",
    "yesterday",
    "-1",
    "18446744073709551616",
    "q=;;q",
    "bytes=0-1",
    "100-continue",
    "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    "\u{fe}",
];

const SEGMENTS: [&str; 24] = [
    "model",
    "models",
    "tub",
    "latest",
    "revisions",
    "report",
    "simulation",
    "analysis",
    "healthz",
    "openapi.json",
    "mcp",
    "",
    ".",
    "..",
    "%2e%2e",
    "%00",
    "%2F",
    "%ff",
    "%",
    "%E6%B0%B4",
    "1",
    "-1",
    "18446744073709551616",
    "a%0d%0ab",
];

const QUERIES: [&str; 14] = [
    "",
    "?",
    "?wait=1",
    "?wait=-1",
    "?limit=1",
    "?limit=x",
    "?cursor=tub",
    "?cursor=%00",
    "?deep=1",
    "?format=csv",
    "?format=%ff",
    "?a=b&a=b",
    "?&&==",
    "?limit=1&limit=1",
];

const BODIES: [&str; 12] = [
    "",
    "{}",
    "[]",
    "null",
    "{\"system_name\":\"Tub\"}",
    "{\"a\":1,\"a\":2}",
    "{\"a\":\"\\u0000\"}",
    "{\"a\":\"\\ud800\"}",
    "{\"a\":1e400}",
    "[{\"op\":\"test\",\"path\":\"/a\",\"value\":1}]",
    "{\"stocks\":[null,7,{}]}",
    "\u{feff}{}",
];

fn target() -> impl Strategy<Value = String> {
    let segment = prop_oneof![
        6 => select(&SEGMENTS[..]).prop_map(str::to_owned),
        1 => "[!-~]{0,12}".prop_map(|text| text.replace(['#', '?', '/', '"', '<', '>', '\\', '^', '`', '{', '|', '}'], "_")),
    ];
    (vec(segment, 0..5), select(&QUERIES[..])).prop_map(|(path, query)| format!("/{}{query}", path.join("/")))
}

fn body() -> impl Strategy<Value = Vec<u8>> {
    let text = prop_oneof![
        4 => select(&BODIES[..]).prop_map(|text| text.as_bytes().to_vec()),
        1 => vec(any::<u8>(), 0..200),
    ];
    let nested = (1_usize..200).prop_map(|depth| [b"[".repeat(depth), b"]".repeat(depth)].concat());
    prop_oneof![9 => text, 1 => nested]
}

#[test]
fn whatever_a_request_says_it_is_answered() {
    // Long polls end by themselves.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .build()
        .expect("a runtime");
    let client = Client::new();
    let headers = vec((select(&HEADERS[..]), select(&VALUES[..])), 0..5);
    let mut runner = TestRunner::new(Config {
        cases: CASES.max(Config::default().cases),
        failure_persistence: None,
        ..Config::default()
    });
    let requests = (select(&METHODS[..]), target(), headers, body());
    let tried = runner.run(&requests, |(method, target, headers, body)| {
        let mut request = Request::builder()
            .method(method)
            .uri(&target)
            .header("host", "localhost");
        for (name, value) in &headers {
            let value = HeaderValue::from_bytes(value.as_bytes()).expect("a value");
            request = request.header(*name, value);
        }
        let Ok(request) = request.body(Body::from(body.clone())) else {
            return Ok(());
        };
        let (parts, answer) = runtime.block_on(async {
            let (parts, body) = client.0.clone().oneshot(request).await.expect("an answer").into_parts();
            (parts, body.collect().await.expect("a body").to_bytes())
        });
        let status = parts.status.as_u16();
        prop_assert!(status < 500, "{} {} {:?}: {:?}", method, target, headers, answer);
        let header = |name| {
            parts
                .headers
                .get(name)
                .and_then(|value: &HeaderValue| value.to_str().ok())
                .unwrap_or("")
        };
        prop_assert!(!header("x-request-id").is_empty());
        prop_assert!(header("vary").contains("origin"));
        if status >= 400 && method != "HEAD" {
            let json: Value =
                serde_json::from_slice(&answer).map_err(|error| TestCaseError::fail(error.to_string()))?;
            match header("content-type") {
                "application/problem+json" => prop_assert_eq!(&json["status"], status),
                _ => prop_assert_eq!(&json["error"]["data"]["status"], status),
            }
        }
        Ok(())
    });
    tried.unwrap_or_else(|failed| panic!("{failed}"));
    let lives = runtime.block_on(client.get("/healthz?deep=1"));
    assert_eq!(lives.status, 200);
}
