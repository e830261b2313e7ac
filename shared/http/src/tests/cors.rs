//! What pages of other origins may send and read.

use super::{Client, Reply, TUB};
use crate::routes::ROUTES;
use crate::{Access, Config};
use axum::Router;
use axum::routing::{any, get};
use http::StatusCode;
use http::header::ALLOW;
use meadow_service::{MemoryStore, MemoryTokens, Service, SystemClock, Tokens};
use std::sync::Arc;

const PAGE: &str = "https://app.example";

/// A server that pages of [`PAGE`] may use, with a surface of others under `/mcp`.
fn client(access: Option<Access>, origins: &[&str]) -> Client {
    let mut config = Config::default();
    config.origins.extend(origins.iter().map(|origin| (*origin).to_owned()));
    config.access = access.unwrap_or(config.access);
    let service = Service::new(Arc::new(MemoryStore::new()), Arc::new(SystemClock));
    let others = Router::new()
        .route(
            "/mcp",
            any(|| async { (StatusCode::NO_CONTENT, [(ALLOW, "POST, OPTIONS")]) }),
        )
        .route("/broken", get(|| async { panic!("a fault of ours") as &str }));
    Client::to(crate::routes(service).merge(others), config)
}

fn by_token() -> Access {
    Access::Tokens(Arc::new(Tokens::new(
        Arc::new(MemoryTokens::new()),
        Arc::new(SystemClock),
    )))
}

async fn preflight(client: &Client, path: &str, origin: &str) -> Reply {
    let headers = [
        ("origin", origin),
        ("access-control-request-method", "POST"),
        (
            "access-control-request-headers",
            "content-type,mcp-session-id,mcp-protocol-version,mcp-method,mcp-name,authorization",
        ),
    ];
    client.send("OPTIONS", path, &headers, "").await
}

#[track_caller]
fn readable(reply: &Reply, origin: &str) {
    assert_eq!(reply.header("access-control-allow-origin"), origin, "{reply:?}");
    let exposed = reply.header("access-control-expose-headers");
    let expected = if origin.is_empty() { "" } else { "x-request-id" };
    assert!(
        exposed.contains(expected) && exposed.is_empty() == origin.is_empty(),
        "{reply:?}"
    );
    for name in [
        "mcp-session-id",
        "mcp-protocol-version",
        "www-authenticate",
        "retry-after",
        "etag",
    ] {
        assert_eq!(exposed.split(", ").any(|one| one == name), !origin.is_empty(), "{name}");
    }
    // Whoever keeps the answer must not show it to pages of another origin.
    assert!(reply.header("vary").contains("origin"), "{reply:?}");
    assert_eq!(reply.header("access-control-allow-credentials"), "");
}

#[tokio::test]
async fn a_preflight_is_answered_for_every_route_without_a_token() {
    for access in [None, Some(by_token())] {
        let client = client(access, &[PAGE]);
        let mut routes: Vec<_> = ROUTES.iter().map(|route| (route.path, route.allow())).collect();
        routes.push(("/mcp", "POST, OPTIONS".to_owned()));
        routes.push(("/model/", "GET, HEAD, OPTIONS, PATCH, POST".to_owned()));
        for (path, methods) in routes {
            let path = path.replace("{id}", "tub").replace("{revision}", "1");
            let reply = preflight(&client, &path, PAGE).await;
            assert_eq!(reply.status, 204, "{path}: {reply:?}");
            readable(&reply, PAGE);
            assert_eq!(reply.header("access-control-allow-methods"), methods, "{path}");
            assert_eq!(reply.header("access-control-max-age"), "7200");
            let allowed: Vec<_> = reply.header("access-control-allow-headers").split(", ").collect();
            for name in [
                "content-type",
                "authorization",
                "accept",
                "mcp-protocol-version",
                "mcp-session-id",
                "mcp-method",
                "mcp-name",
                "last-event-id",
                "if-match",
                "traceparent",
            ] {
                assert!(allowed.contains(&name), "{name}: {allowed:?}");
            }
        }
        let nowhere = preflight(&client, "/nowhere", PAGE).await;
        readable(&nowhere, PAGE);
        assert_eq!(
            (nowhere.status, nowhere.header("access-control-allow-methods")),
            (404, "")
        );
    }
}

#[tokio::test]
async fn every_answer_can_be_read_by_allowed_pages_and_by_no_others() {
    let open = client(None, &[PAGE]);
    let guarded = client(Some(by_token()), &[PAGE]);
    for (client, method, target, more, status) in [
        (&open, "POST", "/model", ("x-a", "b"), 200),
        (&open, "GET", "/model", ("x-a", "b"), 200),
        (&open, "GET", "/model", ("if-none-match", "*"), 304),
        (&open, "GET", "/healthz", ("x-a", "b"), 200),
        (&open, "POST", "/model", ("content-type", "text/plain"), 415),
        (&open, "POST", "/model", ("if-match", "\"x\""), 412),
        (&open, "GET", "/model", ("accept", "text/html"), 406),
        (&open, "GET", "/model?x=1", ("x-a", "b"), 400),
        (&open, "DELETE", "/model", ("x-a", "b"), 405),
        (&open, "GET", "/nowhere", ("x-a", "b"), 404),
        (&open, "GET", "/broken", ("x-a", "b"), 500),
        (&open, "POST", "/mcp", ("x-a", "b"), 204),
        (&open, "GET", "/mcp/x", ("x-a", "b"), 404),
        (&open, "OPTIONS", "/model", ("x-a", "b"), 204),
        (&guarded, "GET", "/model", ("x-a", "b"), 401),
        (&guarded, "POST", "/mcp", ("x-a", "b"), 401),
        (&guarded, "POST", "/mcp", ("authorization", "Bearer mdw_x"), 401),
        // Without a method that is asked for it is no preflight, and needs a token as ever.
        (&guarded, "OPTIONS", "/model", ("x-a", "b"), 401),
    ] {
        for (origin, shown) in [(PAGE, PAGE), ("http://localhost:5173", "http://localhost:5173")] {
            let reply = client.send(method, target, &[("origin", origin), more], TUB).await;
            assert_eq!(reply.status, status, "{method} {target}: {reply:?}");
            readable(&reply, shown);
        }
        let plain = client.send(method, target, &[more], TUB).await;
        assert_eq!(plain.status, status, "{method} {target}");
        readable(&plain, "");
        let foreign = client
            .send(method, target, &[("origin", "https://evil.example"), more], TUB)
            .await;
        assert_eq!(
            foreign.status,
            if target == "/healthz" { 200 } else { 403 },
            "{method} {target}"
        );
        readable(&foreign, "");
    }
    for origin in ["https://evil.example", "null", ""] {
        let refused = preflight(&guarded, "/mcp", origin).await;
        readable(&refused, "");
        assert_eq!(
            (refused.status, refused.header("access-control-allow-methods")),
            (403, "")
        );
    }
    let two = [("origin", PAGE), ("origin", "http://localhost:1")];
    readable(&open.send("GET", "/model", &two, "").await, "");
}

#[tokio::test]
async fn all_origins_are_never_allowed_beside_tokens() {
    let open = client(None, &["*"]);
    readable(
        &preflight(&open, "/mcp", "https://any.example").await,
        "https://any.example",
    );
    readable(&open.send("GET", "/model", &[("origin", "null")], "").await, "null");
    let guarded = client(Some(by_token()), &["*"]);
    let refused = preflight(&guarded, "/mcp", "https://any.example").await;
    assert_eq!(refused.status, 403);
    readable(&refused, "");
}
