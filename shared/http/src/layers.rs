//! What surrounds every route, those of other surfaces included.

use crate::access::{Access, identify};
use crate::cors::Cors;
use crate::guard;
use crate::limit::{Limit, Place};
use crate::negotiate;
use crate::problem::{Problem, Reader};
use crate::request_id::{RequestId, X_REQUEST_ID};
use crate::unread::Rest;
use axum::Router;
use axum::body::{Body, HttpBody};
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONNECTION, CONTENT_LENGTH, HeaderName, VARY, X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderValue, Method, StatusCode, Uri};
use meadow_service::{Caller, Subject, Trace};
use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tower_http::CompressionLevel;
use tower_http::compression::predicate::{Predicate, SizeAbove};
use tower_http::compression::{CompressionLayer, DefaultPredicate};

/// Smaller answers fit one TCP segment as they are.
const WORTH_PACKING: u64 = 1024;

/// How every route is surrounded.
#[derive(Debug, Clone)]
pub struct Config {
    /// Who may ask, and how that is told; the `Caller` is an extension of every request behind it.
    pub access: Access,
    /// Hosts that a request may name, as [`read_host`](crate::read_host) takes them.
    pub hosts: Vec<String>,
    /// Origins whose pages may send requests and read the answers, as [`read_origin`](crate::read_origin) takes them.
    /// Where requests bring tokens, `*` allows none: a token is not for every page that gets hold of it.
    pub origins: Vec<String>,
    /// How long a request may take until its answer begins, its own body included; and how long the rest of a body that
    /// no answer needs may take to arrive.
    pub deadline: Duration,
    /// How many requests are worked on at a time; more are told to come again (503). Health checks always are.
    pub at_once: usize,
}

/// Requests at a time when nothing else is said: half as many as the connections of `meadow serve`. It is no measure of
/// speed, but keeps the memory of bodies and answers within bounds.
const AT_ONCE: usize = 512;

impl Default for Config {
    /// A server on one machine: its loopback names, the default workspace, 20 s, which is under the 29 s of an API
    /// Gateway and over the 18 s of a tool.
    fn default() -> Self {
        Self {
            access: Access::Open(Caller::default()),
            hosts: guard::LOOPBACK_HOSTS.map(str::to_owned).into(),
            origins: guard::LOOPBACK_ORIGINS.map(str::to_owned).into(),
            deadline: Duration::from_secs(20),
            at_once: AT_ONCE,
        }
    }
}

/// Surrounds all routes of `router`: request ids, the access log, Host and Origin, CORS, access, how many at a time, the
/// deadline, panics, compression, headers of every answer, and the rendering of faults. Under `/mcp` faults are written
/// as JSON-RPC.
///
/// A main composes `layers(routes(service).merge(others), config)`; what no route answers is answered here.
pub fn layers(router: Router, mut config: Config) -> Router {
    if matches!(config.access, Access::Tokens(_)) {
        config.origins.retain(|origin| origin != "*");
    }
    let compression = CompressionLayer::new()
        .quality(CompressionLevel::Fastest)
        .compress_when(DefaultPredicate::new().and(SizeAbove::new(WORTH_PACKING)));
    let config = Arc::new(config);
    let guarded = if router.has_routes() {
        router.route_layer(from_fn_with_state(Arc::clone(&config), identify))
    } else {
        router
    };
    let routes = guarded.fallback(nothing_here).layer(compression);
    // As a fallback, so that a request passes through `around` before it is routed: paths and methods change there.
    let limit = Limit::new(config.at_once);
    Router::new()
        .fallback_service(routes)
        .layer(from_fn_with_state(Arc::new(Outer { config, limit }), around))
}

/// What [`around`] works with.
#[derive(Debug)]
struct Outer {
    config: Arc<Config>,
    limit: Limit,
}

/// One request, from outside in and back.
async fn around(State(outer): State<Arc<Outer>>, mut request: Request, next: Next) -> Response {
    let Outer { config, limit } = &*outer;
    let started = Instant::now();
    let (method, uri) = (request.method().clone(), request.uri().clone());
    let id = RequestId::of(request.headers());
    let trace = trace(&mut request);
    straighten(&mut request);
    let reader = reader(request.uri().path());
    let by_token = config.access.guards(request.uri().path());
    let cors = Cors::of(&mut request, &config.origins);
    let rest = Rest::default();
    let request = rest.of(request);
    let mut response = match admit(config, limit, request) {
        Ok((request, place)) => {
            let response = run(request, next, config.deadline, &rest).await;
            match place.was_refused() {
                true => limit.refusal().into_response(),
                false => place.until(response),
            }
        }
        Err(problem) => problem.into_response(),
    };
    if !response.headers().contains_key(CONNECTION) && !rest.drain(config.deadline) {
        response
            .headers_mut()
            .insert(CONNECTION, HeaderValue::from_static("close"));
    }
    if let Some(problem) = response.extensions_mut().remove::<Problem>() {
        problem.render(&mut response, reader, id.as_str());
        if let Some(cause) = problem.logged() {
            let trace_id = trace.as_ref().map(Trace::id);
            tracing::error!(request_id = id.as_str(), trace_id, %method, path = uri.path(), cause, "request failed");
        }
    }
    let caller = response.extensions_mut().remove::<Subject>();
    let bytes = finish(&mut response, &id, by_token);
    cors.shown(&mut response);
    if method == Method::HEAD {
        *response.body_mut() = Body::empty();
    }
    tracing::info!(
        %method,
        path = uri.path(),
        status = response.status().as_u16(),
        duration_ms = micros(started.elapsed()) / 1000.0,
        request_id = id.as_str(),
        trace_id = trace.as_ref().map(Trace::id),
        parent_id = trace.as_ref().map(Trace::parent),
        trace_state = trace.as_ref().and_then(Trace::state),
        caller = caller.map(tracing::field::display),
        bytes,
        "request"
    );
    response
}

#[expect(clippy::cast_precision_loss, reason = "a duration for people; exact for 285 years")]
fn micros(duration: Duration) -> f64 {
    duration.as_micros() as f64
}

/// Who reads what goes wrong at this path.
fn reader(path: &str) -> Reader {
    if path == "/mcp" || path.starts_with("/mcp/") {
        Reader::JsonRpc
    } else {
        Reader::Http
    }
}

/// Makes requests that mean the same look the same: HEAD is a GET whose body is left out in the end, a path
/// answers with and without a slash at its end, and of the codings that the client takes ours is named alone.
fn straighten(request: &mut Request) {
    if request.method() == Method::HEAD {
        *request.method_mut() = Method::GET;
    }
    if let Some(uri) = without_slash(request.uri()) {
        *request.uri_mut() = uri;
    }
    match negotiate::coding(request.headers()) {
        Some(coding) => request
            .headers_mut()
            .insert(ACCEPT_ENCODING, HeaderValue::from_static(coding)),
        None => request.headers_mut().remove(ACCEPT_ENCODING),
    };
}

fn without_slash(uri: &Uri) -> Option<Uri> {
    let path = uri.path().strip_suffix('/').filter(|path| !path.is_empty())?;
    let mut parts = uri.clone().into_parts();
    let target = match uri.query() {
        Some(query) => format!("{path}?{query}"),
        None => path.to_owned(),
    };
    parts.path_and_query = Some(target.try_into().ok()?);
    Uri::from_parts(parts).ok()
}

/// Lets a request in by the host and origin that it names, while there is a place for it. Health checks come from
/// machines that name the server as they like.
fn admit(config: &Config, limit: &Limit, request: Request) -> Result<(Request, Place), Problem> {
    if request.uri().path() != "/healthz" {
        guard::check(&request, &config.hosts, &config.origins)?;
    }
    limit.place(request)
}

/// Under which trace the request is to be found; the routes find it in the request's extensions.
fn trace(request: &mut Request) -> Option<Trace> {
    let text = |name| {
        let lines = request.headers().get_all(name).iter();
        let lines: Option<Vec<_>> = lines.map(|line| line.to_str().ok()).collect();
        lines.map(|lines| lines.join(",")).filter(|text| !text.is_empty())
    };
    let trace = Trace::read(&text("traceparent")?, text("tracestate").as_deref())?;
    request.extensions_mut().insert(trace.clone());
    Some(trace)
}

/// Runs the routes within the deadline. What panics in them is answered; the server lives on.
async fn run(request: Request, next: Next, deadline: Duration, rest: &Rest) -> Response {
    let answer = AssertUnwindSafe(next.run(request)).catch_unwind();
    // Pinned here, so that it still holds the request's body when the time is up.
    let mut answer = std::pin::pin!(answer);
    match tokio::time::timeout(deadline, answer.as_mut()).await {
        Ok(Ok(response)) => response,
        Ok(Err(panic)) => Problem::internal(format!("a handler panicked: {}", said(panic.as_ref()))).into_response(),
        Err(_) => late(rest.is_arriving(), deadline).into_response(),
    }
}

/// The text of a panic.
fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("without a text")
}

/// The time is up: the client was slow, or we were.
fn late(body_still_arriving: bool, deadline: Duration) -> Problem {
    let seconds = deadline.as_secs_f64();
    if body_still_arriving {
        return Problem::new(
            StatusCode::REQUEST_TIMEOUT,
            format!(
                "the body did not arrive within {seconds} s; send it again, faster or smaller. Nothing was changed"
            ),
        )
        .header(CONNECTION, HeaderValue::from_static("close"));
    }
    let detail = format!(
        "there was no answer within {seconds} s; a write may have happened all the same: read before you write again"
    );
    Problem::failing(StatusCode::SERVICE_UNAVAILABLE, detail)
}

/// Gives an answer the headers that every answer has; `by_token` says whether another token may get another. How many bytes its body has, where that is known.
fn finish(response: &mut Response, id: &RequestId, by_token: bool) -> Option<u64> {
    const DEFAULTS: [(HeaderName, HeaderValue); 2] = [
        (CACHE_CONTROL, HeaderValue::from_static("private, no-cache")),
        (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    ];
    let bodiless = matches!(response.status(), StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED);
    let bytes = response.body().size_hint().exact();
    let headers = response.headers_mut();
    for (name, value) in DEFAULTS {
        headers.entry(name).or_insert(value);
    }
    let vary = match by_token {
        true => "accept-encoding, authorization, origin",
        false => "accept-encoding, origin",
    };
    headers.insert(VARY, HeaderValue::from_static(vary));
    headers.insert(X_REQUEST_ID, id.header());
    match bytes {
        _ if bodiless => {
            headers.remove(CONTENT_LENGTH);
        }
        Some(bytes) => {
            headers.insert(CONTENT_LENGTH, bytes.into());
        }
        None => {}
    }
    bytes
}

async fn nothing_here(uri: Uri) -> Problem {
    let path: String = uri.path().chars().take(200).collect();
    Problem::new(
        StatusCode::NOT_FOUND,
        format!(
            "there is nothing at {path:?}; there are {}; GET /openapi.json describes them",
            crate::routes::listed()
        ),
    )
}
