//! Access by token: every route, every kind of header, and what logs show.

use super::{Client, Reply, TUB};
use crate::routes::{Operation, ROUTES, routes};
use crate::{Access, Config};
use async_trait::async_trait;
use axum::Router;
use axum::extract::Request;
use axum::routing::{any, get};
use meadow_access::{Scope, Scopes, TokenId, token};
use meadow_service::tokens::{DEFAULT_LIFE, Made, Wanted};
use meadow_service::{
    Caller, Clock, MemoryStore, MemoryTokens, Service, StoreError, SystemClock, Timestamp, TokenRecord, TokenStore,
    Tokens, Workspace,
};
use serde_json::{Value, json};
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

const ALL: &str = "model:read model:write notes:read notes:write research";

#[derive(Debug, Default)]
struct SetClock(AtomicU64);

impl Clock for SetClock {
    fn now(&self) -> Timestamp {
        Timestamp(self.0.load(Ordering::SeqCst))
    }
}

/// A server that asks for tokens, and whoever makes them.
struct Gate {
    client: Client,
    tokens: Arc<Tokens>,
    clock: Arc<SetClock>,
}

impl Gate {
    /// With a route `/mcp` of another surface, which tells the headers that it sees.
    fn new() -> Self {
        Self::over(Arc::new(MemoryTokens::new()))
    }

    fn over(store: Arc<dyn TokenStore>) -> Self {
        let seen =
            async |request: Request| format!("{:?} {:?}", request.headers(), request.extensions().get::<Caller>());
        let others = Router::new()
            .route("/mcp", any(seen))
            .route("/broken", get(async |request: Request| panic!("{request:?}") as &str));
        let clock = Arc::new(SetClock::default());
        let tokens = Arc::new(Tokens::new(store, clock.clone()));
        let service = Service::new(Arc::new(MemoryStore::new()), Arc::new(SystemClock));
        let config = Config {
            access: Access::Tokens(Arc::clone(&tokens)),
            ..Config::default()
        };
        Self {
            client: Client::to(routes(service).merge(others), config),
            tokens,
            clock,
        }
    }

    async fn made(&self, workspace: &str, scopes: Scopes) -> Made {
        let wanted = Wanted {
            name: "test".into(),
            workspace: Workspace::new(workspace).expect("a workspace"),
            scopes,
            life: Some(DEFAULT_LIFE),
            replaces: None,
        };
        self.tokens.create(wanted).await.expect("a token")
    }

    /// The header with a new token.
    async fn pass(&self, workspace: &str, scopes: Scopes) -> String {
        format!("Bearer {}", self.made(workspace, scopes).await.text.reveal())
    }

    async fn ask(&self, method: &str, target: &str, pass: &str, body: &'static str) -> Reply {
        self.client.send(method, target, &[("authorization", pass)], body).await
    }
}

/// The operations of all routes, with a path that can be asked.
fn operations() -> impl Iterator<Item = (String, &'static Operation)> {
    ROUTES.iter().flat_map(|route| {
        let path = route.path.replace("{id}", "tub").replace("{revision}", "1");
        route.operations.iter().map(move |operation| (path.clone(), operation))
    })
}

#[track_caller]
fn refused(reply: &Reply, status: u16, challenge: &str) {
    assert_eq!(reply.status, status, "{reply:?}");
    assert_eq!(reply.header("www-authenticate"), challenge);
    assert_eq!(reply.header("cache-control"), "no-store");
    assert_eq!(reply.header("vary"), "accept-encoding, authorization, origin");
}

#[tokio::test]
async fn every_operation_asks_for_its_scope() {
    for (path, operation) in operations() {
        for scope in Scope::ALL {
            let gate = Gate::new();
            let writer = gate.pass("default", Scopes::all()).await;
            assert_eq!(gate.ask("POST", "/model", &writer, TUB).await.status, 200);
            let pass = gate.pass("default", scope.into()).await;
            let body = if operation.takes_document { TUB } else { "" };
            let methods: &[&str] = if operation.method == "GET" {
                &["GET", "HEAD"]
            } else {
                &[operation.method]
            };
            for method in methods {
                let without = gate.client.send(method, &path, &[], body).await;
                let with = gate.ask(method, &path, &pass, body).await;
                match operation.scope {
                    None => {
                        assert_eq!((without.status, with.status), (200, 200), "{method} {path}");
                        assert_eq!(without.header("vary"), "accept-encoding, origin");
                    }
                    Some(needed) => {
                        refused(&without, 401, &format!("Bearer scope=\"{ALL}\""));
                        if needed == scope {
                            // Without a kind of patch the handler is reached, and no more.
                            let done = (200..300).contains(&with.status) || *method == "PATCH" && with.status == 415;
                            assert!(done, "{method} {path}: {with:?}");
                            assert_eq!(with.header("vary"), "accept-encoding, authorization, origin");
                            assert!(with.header("cache-control").starts_with("private"), "{with:?}");
                        } else {
                            let challenge = format!(
                                "Bearer error=\"insufficient_scope\", scope=\"{needed}\", error_description=\"token lacks the scope\""
                            );
                            refused(&with, 403, &challenge);
                        }
                    }
                }
            }
        }
    }
}

#[tokio::test]
async fn what_a_token_may_not_do_is_not_done() {
    let gate = Gate::new();
    let (writer, reader) = (
        gate.pass("default", Scopes::all()).await,
        gate.pass("default", Scope::ModelRead.into()).await,
    );
    gate.ask("POST", "/model", &writer, TUB).await;
    let before = gate.ask("GET", "/models/tub", &reader, "").await;
    for (method, path) in [
        ("POST", "/model"),
        ("PATCH", "/model"),
        ("PUT", "/models/tub"),
        ("PATCH", "/models/tub"),
        ("DELETE", "/models/tub"),
    ] {
        let problem = gate
            .ask(method, path, &reader, r#"{"system_name":"Tub","version":"2"}"#)
            .await
            .problem(403);
        assert_eq!(
            (&problem["error"], &problem["scope"]),
            (&json!("insufficient_scope"), &json!("model:write"))
        );
        let detail = problem["detail"].as_str().expect("a text");
        assert!(detail.contains("needs the scope model:write"), "{detail}");
    }
    let after = gate.ask("GET", "/models/tub", &reader, "").await;
    assert_eq!(
        (after.header("etag"), &after.body),
        (before.header("etag"), &before.body)
    );
}

#[tokio::test]
async fn other_methods_are_told_to_those_who_are_let_in() {
    let gate = Gate::new();
    let pass = gate.pass("default", Scope::Research.into()).await;
    for route in ROUTES {
        let path = route.path.replace("{id}", "tub").replace("{revision}", "1");
        for (method, status) in [("PROPFIND", 405), ("OPTIONS", 204)] {
            let without = gate.client.send(method, &path, &[], "").await;
            let with = gate.ask(method, &path, &pass, "").await;
            let open = route.operations.iter().all(|operation| operation.scope.is_none());
            assert_eq!(without.status, if open { status } else { 401 }, "{method} {path}");
            assert_eq!(with.status, status, "{method} {path}");
        }
    }
}

#[tokio::test]
async fn other_surfaces_are_guarded_too() {
    let gate = Gate::new();
    for method in ["GET", "DELETE", "POST", "OPTIONS", "PUT"] {
        let reply = gate.client.send(method, "/mcp", &[], "").await;
        refused(&reply, 401, &format!("Bearer scope=\"{ALL}\""));
        let body = reply.json();
        assert_eq!(
            (&body["id"], &body["error"]["code"], &body["error"]["data"]["scope"]),
            (&Value::Null, &json!(1401), &json!(ALL)),
            "{body}"
        );
        assert_eq!(body["error"]["data"].get("error"), None);
    }
    let reply = gate.ask("POST", "/mcp", "Bearer x", "").await;
    assert_eq!(reply.json()["error"]["data"]["error"], "invalid_token");
    let made = gate.made("team-a", Scope::Research.into()).await;
    let pass = format!("bearer  {} ", made.text.reveal());
    let seen = gate.ask("POST", "/mcp", &pass, "").await;
    let seen = String::from_utf8_lossy(&seen.body).into_owned();
    assert!(!seen.contains("mdw_") && !seen.contains("authorization"), "{seen}");
    assert!(seen.contains("team-a") && seen.contains("research"), "{seen}");
}

#[tokio::test]
async fn without_tokens_nobody_needs_one_nor_shows_one() {
    let seen = async |request: Request| format!("{:?}", request.headers());
    let others = Router::new().route("/mcp", any(seen));
    let service = Service::new(Arc::new(MemoryStore::new()), Arc::new(SystemClock));
    let client = Client::to(routes(service).merge(others), Config::default());
    let reply = client
        .send("POST", "/mcp", &[("authorization", "Bearer abc")], "")
        .await;
    assert!(!String::from_utf8_lossy(&reply.body).contains("abc"), "{reply:?}");
    let reply = client
        .send("POST", "/model", &[("authorization", "Basic abc")], TUB)
        .await;
    assert_eq!((reply.status, reply.header("vary")), (200, "accept-encoding, origin"));
}

#[tokio::test]
async fn paths_that_are_not_there_need_no_token() {
    let gate = Gate::new();
    for path in [
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/mcp",
        "/.well-known/oauth-authorization-server",
        "/MCP",
        "//mcp",
        "/mcp;x",
        "/%6dcp",
        "/models/tub/other",
        "/register",
    ] {
        let reply = gate.client.get(path).await;
        assert_eq!((reply.status, reply.header("www-authenticate")), (404, ""), "{path}");
    }
    // The same path as /mcp.
    assert_eq!(gate.client.get("/mcp/").await.status, 401);
}

#[tokio::test]
async fn headers_that_let_nobody_in() {
    let gate = Gate::new();
    let (good, revoked, expired) = (
        gate.made("default", Scopes::all()).await,
        gate.made("default", Scopes::all()).await,
        gate.made("default", Scopes::all()).await,
    );
    gate.tokens.revoke(revoked.record.id).await.expect("revoked");
    let good = good.text.reveal();
    let pass = format!("Bearer {good}");
    let check = async |headers: &[&str], said: &str| {
        let headers: Vec<_> = headers.iter().map(|value| ("authorization", *value)).collect();
        let reply = gate.client.send("GET", "/models", &headers, "").await;
        let challenge = match said {
            "" => format!("Bearer scope=\"{ALL}\""),
            said => format!("Bearer error=\"invalid_token\", scope=\"{ALL}\", error_description=\"{said}\""),
        };
        refused(&reply, 401, &challenge);
        let problem = reply.problem(401);
        assert_eq!(problem["scope"], ALL);
        assert!(!problem.to_string().contains(&good[15..]), "{problem}");
        (reply, problem)
    };
    check(&[], "").await;
    check(&[&pass, &pass], "more than one Authorization header").await;
    check(&[&pass, "Basic dTpw"], "more than one Authorization header").await;
    check(
        &[&format!("Bearer {}", "a".repeat(9 << 10))],
        "Authorization header too long",
    )
    .await;
    check(&["Basic dTpw"], "scheme is not Bearer").await;
    check(&[good], "scheme is not Bearer").await;
    check(&[""], "no token after Bearer").await;
    check(&["Bearer"], "no token after Bearer").await;
    check(&["Bearer  "], "no token after Bearer").await;
    check(&[&format!("Bearer {}", &good[..63])], "token cut off or mistyped").await;
    check(&[&format!("Bearer {}, {good}", good)], "token cut off or mistyped").await;
    check(&[&format!("Bearer \"{good}\"")], "unknown token").await;
    let wrong: String = good.chars().rev().collect();
    check(&[&format!("Bearer {wrong}")], "unknown token").await;
    let place = if good.ends_with('0') { "1" } else { "0" };
    check(
        &[&format!("Bearer {}{place}", &good[..63])],
        "token cut off or mistyped",
    )
    .await;
    // Those that are not known, for whatever reason, get the same.
    let unknown = token::make(&[5; token::RANDOM]);
    let answers = [
        check(&[&format!("Bearer {}", unknown.text.reveal())], "unknown token").await,
        check(&[&format!("Bearer {}", revoked.text.reveal())], "unknown token").await,
    ];
    let bodies = answers.map(|(reply, mut problem)| {
        problem["request_id"] = Value::Null;
        let mut headers = reply.headers;
        headers.remove("x-request-id");
        (problem, headers)
    });
    assert_eq!(bodies[0], bodies[1]);
    gate.clock
        .0
        .store(u64::try_from(DEFAULT_LIFE.as_millis()).expect("few"), Ordering::SeqCst);
    check(&[&format!("Bearer {}", expired.text.reveal())], "token expired").await;
}

#[tokio::test]
async fn headers_that_let_in() {
    let gate = Gate::new();
    let made = gate.made("default", Scopes::all()).await;
    let token = made.text.reveal();
    for pass in [
        format!("Bearer {token}"),
        format!("bearer {token}"),
        format!("BEARER   {token}  "),
    ] {
        assert_eq!(gate.ask("GET", "/models", &pass, "").await.status, 200, "{pass}");
    }
}

#[tokio::test]
async fn a_token_that_is_no_text_is_unknown() {
    let gate = Gate::new();
    let mut request = http::Request::get("/models").header("host", "localhost");
    let value = http::HeaderValue::from_bytes(b"Bearer mdw_\xff\xfe").expect("a header");
    request = request.header("authorization", value);
    let request = request.body(axum::body::Body::empty()).expect("a request");
    let reply = tower::ServiceExt::oneshot(gate.client.0.clone(), request)
        .await
        .expect("an answer");
    assert_eq!(reply.status(), 401);
    let query = gate.made("default", Scopes::all()).await;
    let target = format!("/models?access_token={}", query.text.reveal());
    assert_eq!(gate.client.get(&target).await.status, 401);
}

#[tokio::test]
async fn hosts_and_origins_are_checked_before_tokens() {
    let gate = Gate::new();
    let pass = gate.pass("default", Scopes::all()).await;
    for foreign in [("host", "evil.example"), ("origin", "https://evil.example")] {
        let reply = gate
            .client
            .send("GET", "/models", &[foreign, ("authorization", &pass)], "")
            .await;
        assert_eq!((reply.status, reply.header("www-authenticate")), (403, ""));
    }
    for path in ["/healthz", "/healthz?deep=1"] {
        let reply = gate.client.send("GET", path, &[("host", "evil.example")], "").await;
        assert_eq!(reply.status, 200, "{path}");
        assert!(!String::from_utf8_lossy(&reply.body).contains("default"), "{reply:?}");
    }
}

#[tokio::test]
async fn a_model_of_another_workspace_is_as_one_that_never_was() {
    let gate = Gate::new();
    let (a, b) = (
        gate.pass("team-a", Scopes::all()).await,
        gate.pass("team-b", Scopes::all()).await,
    );
    assert_eq!(gate.ask("POST", "/model", &b, TUB).await.status, 200);
    let theirs = gate.ask("GET", "/models/tub", &b, "").await;
    for (method, path) in [
        ("GET", "/models/{}"),
        ("HEAD", "/models/{}"),
        ("DELETE", "/models/{}"),
        ("GET", "/models/{}/revisions"),
        ("GET", "/models/{}/revisions/1"),
        ("GET", "/models/{}/report"),
        ("GET", "/models/{}/simulation"),
        ("GET", "/models/{}/analysis"),
    ] {
        let mut answers = Vec::new();
        for id in ["tub", "tab"] {
            let reply = gate.ask(method, &path.replace("{}", id), &a, "").await;
            assert_eq!(reply.status, 404, "{method} {path}");
            let mut headers = reply.headers.clone();
            headers.remove("x-request-id");
            let id_of_request = reply.header("x-request-id");
            let body = String::from_utf8_lossy(&reply.body)
                .replace(id_of_request, "")
                .replace(id, "");
            answers.push((headers, body));
        }
        assert_eq!(answers[0], answers[1], "{method} {path}");
    }
    assert_eq!(gate.ask("GET", "/model", &a, "").await.status, 404);
    assert_eq!(gate.ask("GET", "/models", &a, "").await.json()["models"], json!([]));
    // What is said about workspaces elsewhere counts for nothing.
    for headers in [[("authorization", &*a), ("x-workspace", "team-b")]] {
        assert_eq!(gate.client.send("GET", "/models/tub", &headers, "").await.status, 404);
    }
    assert_eq!(gate.ask("PUT", "/models/tub", &a, TUB).await.status, 201);
    let after = gate.ask("GET", "/models/tub", &b, "").await;
    assert_eq!(
        (after.header("etag"), &after.body),
        (theirs.header("etag"), &theirs.body)
    );
}

/// A store that is away.
#[derive(Debug)]
struct Away;

#[async_trait]
impl TokenStore for Away {
    async fn get(&self, _: TokenId) -> Result<Option<TokenRecord>, StoreError> {
        Err(StoreError::Damaged("/srv/secret.db is no database".into()))
    }

    async fn put(&self, _: &TokenRecord) -> Result<bool, StoreError> {
        Ok(true)
    }

    async fn revoke(&self, _: TokenId, _: Timestamp) -> Result<Option<TokenRecord>, StoreError> {
        Ok(None)
    }

    async fn list(&self) -> Result<Vec<TokenRecord>, StoreError> {
        Ok(Vec::new())
    }
}

#[tokio::test]
async fn a_store_that_is_away_refuses_no_token() {
    let gate = Gate::over(Arc::new(Away));
    let pass = gate.pass("default", Scopes::all()).await;
    for path in ["/models", "/mcp"] {
        let reply = gate.ask("GET", path, &pass, "").await;
        assert_eq!((reply.status, reply.header("retry-after")), (503, "1"), "{reply:?}");
        assert_eq!(
            (reply.header("www-authenticate"), reply.header("cache-control")),
            ("", "no-store")
        );
        assert!(!String::from_utf8_lossy(&reply.body).contains("secret"), "{reply:?}");
    }
    assert_eq!(
        gate.client.get("/models").await.status,
        401,
        "there is nothing to look up"
    );
}

/// Where log lines go.
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
async fn no_log_shows_a_token() {
    let lines = Lines::default();
    let sink = lines.clone();
    let subscriber = tracing_subscriber::fmt()
        .json()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(move || sink.clone())
        .finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let gate = Gate::new();
    let made = gate.made("default", Scope::ModelRead.into()).await;
    let token = made.text.reveal();
    let pass = format!("Bearer {token}");
    for (method, path) in [
        ("GET", "/models".to_owned()),
        ("POST", "/model".to_owned()),
        ("GET", "/mcp".to_owned()),
        // It panics with all that it was given.
        ("GET", "/broken".to_owned()),
        ("GET", "/nowhere".to_owned()),
        ("GET", format!("/models?access_token={token}")),
    ] {
        gate.ask(method, &path, &pass, "").await;
        gate.ask(method, &path, &format!("Basic {token}"), "").await;
        gate.ask(method, &path, &format!("{pass}0"), "").await;
        gate.client
            .send(method, &path, &[("authorization", &pass), ("authorization", &pass)], "")
            .await;
        gate.client
            .send(method, &path, &[("host", "evil.example"), ("authorization", &pass)], "")
            .await;
    }
    let text = String::from_utf8(lines.0.lock().expect("a lock").clone()).expect("UTF-8");
    assert!(text.contains("a handler panicked: Request"), "{text}");
    assert!(!text.contains(&token[15..]) && !text.contains(&token[15..40]), "{text}");
    // Who it was is told by the token's public name.
    let caller = format!("\"caller\":\"token:{}\"", made.record.id);
    assert!(text.contains(&caller), "{text}");
}

#[tokio::test]
async fn the_description_tells_the_scopes() {
    let description = Gate::new().client.get("/openapi.json").await.json();
    assert_eq!(
        description["components"]["securitySchemes"]["token"]["scheme"],
        "bearer"
    );
    for route in ROUTES {
        for operation in route.operations {
            let described = &description["paths"][route.path][operation.method.to_ascii_lowercase()];
            let expected = operation
                .scope
                .map_or(json!([]), |scope| json!([{"token": [scope.as_str()]}]));
            assert_eq!(described["security"], expected, "{} {}", operation.method, route.path);
            assert_eq!(described["responses"].get("401").is_some(), operation.scope.is_some());
        }
    }
    // A route that is added says what it needs: a write is no read.
    let writes = operations().filter(|(_, operation)| operation.method != "GET");
    for (path, operation) in writes {
        assert_eq!(operation.scope, Some(Scope::ModelWrite), "{} {path}", operation.method);
    }
}
