//! Tests of the whole surface, layers included, by requests that go through all of it.

mod access;
mod conditional;
mod cors;
mod documents;
mod dynamics;
mod faults;
mod hostile;
mod layers;
mod limit;
mod patches;
mod ways;

use crate::routes::{ROUTES, Route, routes};
use crate::{Config, layers as surround};
use axum::Router;
use axum::body::Body;
use bytes::Bytes;
use http::{HeaderMap, Method, Request};
use http_body_util::BodyExt;
use meadow_service::{Clock, MemoryStore, ModelStore, Service, SystemClock};
use serde_json::Value;
use std::sync::Arc;
use tower::ServiceExt;

/// A small document that misses much.
const TUB: &str = r#"{ "system_name" : "Tub",  "version":"1" }"#;

/// Somebody who sends requests.
#[derive(Clone)]
struct Client(Router);

/// What came back.
#[derive(Debug)]
struct Reply {
    status: u16,
    headers: HeaderMap,
    body: Bytes,
}

impl Client {
    /// To a server with an empty store.
    fn new() -> Self {
        Self::of(MemoryStore::new())
    }

    /// To a server over this store.
    fn of(store: impl ModelStore + 'static) -> Self {
        let service = Service::new(Arc::new(store), Arc::new(SystemClock));
        Self::to(routes(service), Config::default())
    }

    /// To a server with an empty store, by this clock.
    fn of_clock(clock: Arc<dyn Clock>) -> Self {
        let service = Service::new(Arc::new(MemoryStore::new()), clock);
        Self::to(routes(service), Config::default())
    }

    /// To a server of these routes.
    fn to(routes: Router, config: Config) -> Self {
        Self(surround(routes, config))
    }

    /// Sends a request and checks what holds of every answer.
    #[track_caller]
    fn send<B: Into<Body>>(
        &self,
        method: &str,
        target: &str,
        headers: &[(&str, &str)],
        body: B,
    ) -> impl Future<Output = Reply> + use<B> {
        let mut request = Request::builder()
            .method(method)
            .uri(target)
            .header("host", "localhost:8787");
        for (name, value) in headers {
            if name.eq_ignore_ascii_case("host") {
                request.headers_mut().expect("a request").remove("host");
            }
            request = request.header(*name, *value);
        }
        let request = request.body(body.into()).expect("a request");
        let (app, method, path) = (
            self.0.clone(),
            request.method().clone(),
            request.uri().path().to_owned(),
        );
        async move {
            let (parts, body) = app.oneshot(request).await.expect("an answer").into_parts();
            let body = body.collect().await.expect("a body").to_bytes();
            let reply = Reply {
                status: parts.status.as_u16(),
                headers: parts.headers,
                body,
            };
            let cached = reply.header("cache-control");
            match reply.header("www-authenticate") {
                "" => assert!(cached.starts_with("private") || reply.status == 503, "{reply:?}"),
                _ => assert_eq!(cached, "no-store", "{reply:?}"),
            }
            assert_eq!(reply.header("x-content-type-options"), "nosniff");
            assert!(reply.header("vary").starts_with("accept-encoding"), "{reply:?}");
            assert!(!reply.header("x-request-id").is_empty());
            assert!(reply.body.len() < 5_500_000, "{} bytes", reply.body.len());
            assert!(
                described(&method, &path).is_none_or(|all| all.contains(&reply.status)),
                "{method} {path}: {reply:?}"
            );
            reply
        }
    }

    async fn get(&self, target: &str) -> Reply {
        self.send("GET", target, &[], Body::empty()).await
    }

    async fn post(&self, document: &'static str) -> Reply {
        self.send("POST", "/model", &[], document).await
    }
}

impl Reply {
    fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().expect("ASCII"))
    }

    #[track_caller]
    fn json(&self) -> Value {
        assert_eq!(self.header("content-type"), "application/json", "{self:?}");
        serde_json::from_slice(&self.body).expect("JSON")
    }

    /// The problem details of an answer with this status.
    #[track_caller]
    fn problem(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{self:?}");
        assert_eq!(self.header("content-type"), "application/problem+json");
        let problem: Value = serde_json::from_slice(&self.body).expect("JSON");
        assert_eq!(problem["status"], status);
        assert_eq!(problem["type"], "about:blank");
        assert_eq!(problem["request_id"], self.header("x-request-id"));
        assert!(problem["title"].as_str().is_some_and(|title| !title.is_empty()));
        problem
    }
}

/// The statuses that the description gives for a request, where it is one of the described.
fn described(method: &Method, path: &str) -> Option<Vec<u16>> {
    let path = path.strip_suffix('/').unwrap_or(path);
    let of = |route: &&Route| {
        let (template, path) = (route.path.split('/'), path.split('/'));
        template.clone().count() == path.clone().count()
            && template.zip(path).all(|(t, p)| t == p || t.starts_with('{'))
    };
    let method = if method == Method::HEAD {
        "get"
    } else {
        &method.as_str().to_ascii_lowercase()
    };
    let operation = &crate::openapi::DESCRIPTION["paths"][ROUTES.iter().find(of)?.path][method];
    let statuses = operation["responses"].as_object()?.keys();
    Some(statuses.map(|status| status.parse().expect("a status")).collect())
}
