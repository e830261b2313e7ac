//! What surrounds every route, those of other surfaces included.

use crate::access::{Access, identify};
use crate::cors::Cors;
use crate::guard;
use crate::limit::{Limit, Place};
use crate::negotiate;
use crate::problem::{Problem, Reader};
use crate::request_id::{RequestId, X_REQUEST_ID};
use crate::unread::Rest;
use crate::wait::Stopping;
use axum::Router;
use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONNECTION, CONTENT_LENGTH, HeaderName, RETRY_AFTER, VARY, X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderValue, Method, StatusCode, Uri};
use meadow_service::{Caller, Subject, Trace};
use std::any::Any;
use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tower::{ServiceExt, service_fn};
use tower_http::CompressionLevel;
use tower_http::compression::predicate::{And, Predicate, SizeAbove};
use tower_http::compression::{Compression, DefaultPredicate};

/// For connections on which nothing more can be read, or will be.
const CLOSE: HeaderValue = HeaderValue::from_static("close");

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
    /// What allows a host or an origin that is refused.
    pub settings: guard::Settings,
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
            settings: guard::Settings::default(),
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
    let config = Arc::new(config);
    let guarded = if router.has_routes() {
        router.route_layer(from_fn_with_state(Arc::clone(&config), identify))
    } else {
        router
    };
    let routes = Compression::new(guarded.fallback(nothing_here))
        .quality(CompressionLevel::Fastest)
        .compress_when(DefaultPredicate::new().and(SizeAbove::new(WORTH_PACKING)));
    let limit = Limit::new(config.at_once);
    let outer = Arc::new(Outer { config, limit, routes });
    // As a fallback, so that a request passes through `around` before it is routed: paths and methods change there. And
    // with the routes in its hands: a layer of axum's around all of them costs each request a copy of every layer below.
    Router::new().fallback_service(service_fn(move |request: Request| {
        around(Arc::clone(&outer), request).map(Ok::<_, Infallible>)
    }))
}

/// What [`around`] works with.
struct Outer {
    config: Arc<Config>,
    limit: Limit,
    /// Everything that is surrounded, its answers packed where the client takes that.
    routes: Compression<Router, And<DefaultPredicate, SizeAbove>>,
}

/// One request, from outside in and back.
async fn around(outer: Arc<Outer>, mut request: Request) -> Response {
    let asked = Asked::of(&mut request);
    straighten(&mut request);
    let config = &outer.config;
    let reader = reader(request.uri().path());
    let by_token = config.access.guards(request.uri().path());
    let cors = Cors::of(&mut request, &config.origins);
    let mut response = outer.answer(request).await;
    if let Some(problem) = response.extensions_mut().remove::<Problem>() {
        problem.render(&mut response, reader, asked.id.as_str());
        asked.log_failure(&problem);
    }
    let caller = response.extensions_mut().remove::<Subject>();
    let bytes = finish(&mut response, &asked.id, by_token);
    cors.shown(&mut response);
    if asked.method == Method::HEAD {
        *response.body_mut() = Body::empty();
    }
    asked.log(response.status(), caller, bytes);
    response
}

impl Outer {
    /// What the routes answer, or what is answered in their place.
    async fn answer(&self, request: Request) -> Response {
        let Self { config, limit, routes } = self;
        let stopping = Stopping::of(request.extensions());
        let rest = Rest::default();
        let mut response = match admit(config, limit, rest.of(request)) {
            Ok((request, place)) => {
                let answer = routes.clone().oneshot(request).map(IntoResponse::into_response);
                let response = run(answer, config.deadline, &stopping, &rest).await;
                match place.was_refused() {
                    true => limit.refusal().into_response(),
                    false => place.until(response),
                }
            }
            Err(problem) => problem.into_response(),
        };
        if !response.headers().contains_key(CONNECTION) && !rest.drain(config.deadline) {
            response.headers_mut().insert(CONNECTION, CLOSE);
        }
        response
    }
}

/// A request as it came, for the log.
struct Asked {
    started: Instant,
    method: Method,
    uri: Uri,
    id: RequestId,
    trace: Option<Trace>,
}

impl Asked {
    fn of(request: &mut Request) -> Self {
        Self {
            started: Instant::now(),
            method: request.method().clone(),
            uri: request.uri().clone(),
            id: RequestId::of(request.headers()),
            trace: trace(request),
        }
    }

    /// One line more where the server failed.
    fn log_failure(&self, problem: &Problem) {
        if let Some(cause) = problem.logged() {
            let trace_id = self.trace.as_ref().map(Trace::id);
            tracing::error!(request_id = self.id.as_str(), trace_id, method = %self.method, path = self.uri.path(), cause, "request failed");
        }
    }

    /// The line that each request has.
    fn log(&self, status: StatusCode, caller: Option<Subject>, bytes: Option<u64>) {
        let trace = self.trace.as_ref();
        tracing::info!(
            method = %self.method,
            path = self.uri.path(),
            status = status.as_u16(),
            duration_ms = micros(self.started.elapsed()) / 1000.0,
            request_id = self.id.as_str(),
            trace_id = trace.map(Trace::id),
            parent_id = trace.map(Trace::parent),
            trace_state = trace.and_then(Trace::state),
            caller = caller.map(tracing::field::display),
            bytes,
            "request"
        );
    }
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
        guard::check(&request, &config.hosts, &config.origins, config.settings)?;
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

/// What the routes answer, within the deadline and before the server's end. What panics in them is answered; the server
/// lives on.
async fn run(answer: impl Future<Output = Response>, deadline: Duration, stopping: &Stopping, rest: &Rest) -> Response {
    // Pinned here, so that it still holds the request's body when the time is up.
    let mut answer = std::pin::pin!(AssertUnwindSafe(answer).catch_unwind());
    tokio::select! {
        biased;
        answered = answer.as_mut() => answered.unwrap_or_else(|panic| {
            Problem::internal(format!("a handler panicked: {}", said(panic.as_ref()))).into_response()
        }),
        () = tokio::time::sleep(deadline) => late(rest.is_arriving(), deadline).into_response(),
        () = stopping.given_up() => ending(rest.is_arriving()).into_response(),
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
        .header(CONNECTION, CLOSE);
    }
    let detail = format!(
        "there was no answer within {seconds} s; a write may have happened all the same: read before you write again"
    );
    Problem::failing(StatusCode::SERVICE_UNAVAILABLE, detail)
}

/// The server ends before there is an answer.
fn ending(body_still_arriving: bool) -> Problem {
    let detail = match body_still_arriving {
        true => "the server is ending; send the request again in some seconds. Nothing was changed",
        false => {
            "the server is ending and there is no answer yet; send the request again in some seconds; a write may have \
             happened all the same: read before you write again"
        }
    };
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail)
        .header(RETRY_AFTER, HeaderValue::from_static("5"))
        .header(CONNECTION, CLOSE)
}

/// Gives an answer the headers that every answer has; `by_token` says whether another token may get another. How many
/// bytes its body has, where that is known.
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

#[cfg(test)]
mod tests {
    use super::*;
    use http::header::{HOST, ORIGIN};
    use std::future::{pending, ready};

    fn request(method: &str, target: &str, headers: &[(HeaderName, &'static str)]) -> Request {
        let mut request = http::Request::builder().method(method).uri(target);
        for (name, value) in headers {
            request = request.header(name, *value);
        }
        request.body(Body::empty()).expect("a request")
    }

    #[test]
    fn requests_that_mean_the_same_look_the_same() {
        #[track_caller]
        fn check(method: &str, target: &str, coding: Option<&'static str>, expected: (&str, &str, Option<&str>)) {
            let headers: Vec<_> = coding.map(|coding| (ACCEPT_ENCODING, coding)).into_iter().collect();
            let mut request = request(method, target, &headers);
            straighten(&mut request);
            let coding = request.headers().get(ACCEPT_ENCODING);
            let coding = coding.map(|coding| coding.to_str().expect("ASCII"));
            let found = (request.method().as_str(), &*request.uri().to_string(), coding);
            assert_eq!(found, expected);
        }
        check("GET", "/model", None, ("GET", "/model", None));
        check("HEAD", "/models/?limit=1", None, ("GET", "/models?limit=1", None));
        check("POST", "/mcp/", Some("br"), ("POST", "/mcp", None));
        check("GET", "/", Some("gzip, br"), ("GET", "/", Some("gzip")));
        check("GET", "/a//", Some("zstd;q=0"), ("GET", "/a/", None));
        check("GET", "http://localhost/a/", None, ("GET", "http://localhost/a", None));
    }

    #[test]
    fn a_request_is_let_in_by_its_host_and_origin_where_there_is_a_place() {
        #[track_caller]
        fn check(limit: &Limit, target: &str, headers: &[(HeaderName, &'static str)], status: u16) {
            let admitted = admit(&Config::default(), limit, request("GET", target, headers));
            let found = admitted.map_or_else(|problem| problem.into_response().status().as_u16(), |_| 200);
            assert_eq!(found, status, "{target} {headers:?}");
        }
        let (free, full) = (Limit::new(1), Limit::new(0));
        let own = (HOST, "localhost");
        check(&free, "/model", std::slice::from_ref(&own), 200);
        check(&free, "/model", &[], 400);
        check(&free, "/model", &[(HOST, "evil.example")], 403);
        check(&free, "/model", &[own.clone(), (ORIGIN, "https://evil.example")], 403);
        check(&full, "/model", &[own], 503);
        // Who is not let in takes no place; health checks need neither.
        check(&full, "/model", &[(HOST, "evil.example")], 403);
        check(&full, "/healthz", &[], 200);
    }

    #[tokio::test(start_paused = true)]
    async fn the_deadline_a_panic_and_the_end_are_answered() {
        const DEADLINE: Duration = Duration::from_secs(20);
        async fn check(
            answer: impl Future<Output = Response>,
            stopping: Stopping,
            rest: &Rest,
            status: u16,
            part: &str,
        ) {
            let response = run(answer, DEADLINE, &stopping, rest).await;
            assert_eq!(response.status().as_u16(), status);
            let problem = response.extensions().get::<Problem>();
            let said = problem.map_or_else(String::new, |problem| format!("{problem:?}"));
            assert!(said.contains(part), "{said}");
            let closes = response.headers().get(CONNECTION) == Some(&CLOSE);
            assert_eq!(closes, said.contains("ending") || status == 408, "{said}");
            assert_eq!(
                response.headers().contains_key(RETRY_AFTER),
                said.contains("ending"),
                "{said}"
            );
        }
        let never = || Stopping::when(pending);
        let now = || never().giving_up(|| ready(()));
        let read = Rest::default();
        check(async { "well".into_response() }, never(), &read, 200, "").await;
        // An answer that is there goes out.
        check(async { "well".into_response() }, now(), &read, 200, "").await;
        check(async { panic!("on purpose") }, never(), &read, 500, "on purpose").await;
        check(pending(), never(), &read, 503, "no answer within 20 s").await;
        check(
            pending(),
            now(),
            &read,
            503,
            "the server is ending and there is no answer",
        )
        .await;
        let arriving = Rest::default();
        let _held = arriving.clone();
        check(pending(), never(), &arriving, 408, "did not arrive within 20 s").await;
        check(pending(), now(), &arriving, 503, "Nothing was changed").await;
    }
}
