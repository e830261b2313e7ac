//! Events of API Gateway (HTTP API, payload 2.0, and REST API) and of function URLs (payload 2.0 too) as requests to the
//! router, and its answers as theirs.
//!
//! The router meets what it would meet on a socket: a path without the stage, as the client encoded it.

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use http::header::{
    ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE,
    HeaderName, SET_COOKIE, VARY,
};
use http::uri::PathAndQuery;
use http::{HeaderMap, HeaderValue, StatusCode, Uri};
use http_body_util::BodyExt;
use lambda_http::request::RequestContext;
use lambda_http::{Body as Payload, RequestExt};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use std::convert::Infallible;
use std::future::ready;
use std::pin::Pin;
use std::task::{Context, Poll};
use tower::{Service, ServiceExt};

/// Bytes of the JSON in which a function answers, at most (6,291,556), less what its headers may take.
const MAX_ANSWER: usize = 6_291_556 - (16 << 10);

/// What a URL's path cannot show as it is. `%` is left: paths come encoded from HTTP APIs of some kinds and decoded from
/// others, and ids hold no `%`.
const ESCAPED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'`')
    .add(b'{')
    .add(b'}');

const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// A router that answers events.
#[derive(Debug, Clone)]
pub struct Gateway {
    router: Router,
}

impl Gateway {
    /// Answers with this router.
    #[must_use]
    pub fn new(router: Router) -> Self {
        Self { router }
    }
}

impl Service<lambda_http::Request> for Gateway {
    type Response = Answer;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Answer, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, event: lambda_http::Request) -> Self::Future {
        let answer = self.router.clone().oneshot(request(event));
        Box::pin(async move {
            let Ok(response) = answer.await;
            Ok(Answer::of(response).await)
        })
    }
}

/// What an event asks, as it would come over a socket.
fn request(event: lambda_http::Request) -> Request {
    let target = target(&event);
    let id = event
        .lambda_context_ref()
        .and_then(|context| HeaderValue::from_str(&context.request_id).ok());
    let (mut parts, payload) = event.into_parts();
    parts.uri = target;
    // The request's name in our logs and answers is the one that Lambda's own lines have.
    if let Some(id) = id {
        parts.headers.entry(X_REQUEST_ID).or_insert(id);
    }
    let body = match payload {
        Payload::Text(text) => Body::from(text),
        Payload::Binary(bytes) => Body::from(bytes),
        _ => Body::empty(),
    };
    Request::from_parts(parts, body)
}

/// The path without the stage, and the query.
fn target(event: &lambda_http::Request) -> Uri {
    let raw = event.raw_http_path();
    let path = match event.request_context_ref() {
        // `/prod/model`, where the stage is not `$default`. A REST API leaves the stage out by itself.
        Some(RequestContext::ApiGatewayV2(context)) => match &context.stage {
            Some(stage) => without(raw, stage),
            None => raw,
        },
        _ => raw,
    };
    let mut target = utf8_percent_encode(path, ESCAPED).to_string();
    if !target.starts_with('/') {
        target.insert(0, '/');
    }
    if let Some(query) = event.uri().query() {
        target.push('?');
        target.push_str(query);
    }
    // A target that is none came from no gateway; the router finds nothing there.
    target
        .parse::<PathAndQuery>()
        .map_or_else(|_| Uri::from_static("/%00"), Uri::from)
}

fn without<'a>(path: &'a str, stage: &str) -> &'a str {
    let rest = path.strip_prefix('/').and_then(|path| path.strip_prefix(stage));
    rest.filter(|rest| rest.is_empty() || rest.starts_with('/'))
        .unwrap_or(path)
}

/// An answer of the router, whole, in the form that API Gateway passes on unchanged.
#[derive(Debug)]
pub struct Answer(http::Response<Payload>);

impl lambda_http::IntoResponse for Answer {
    fn into_response(self) -> Pin<Box<dyn Future<Output = http::Response<Payload>> + Send>> {
        Box::pin(ready(self.0))
    }
}

impl Answer {
    async fn of(response: Response) -> Self {
        let (mut parts, body) = response.into_parts();
        let packed = parts.headers.contains_key(CONTENT_ENCODING);
        let payload = match body.collect().await {
            Ok(body) => payload(body.to_bytes().into(), packed),
            Err(error) => {
                tracing::error!(%error, "an answer broke");
                Err((
                    StatusCode::INTERNAL_SERVER_ERROR,
                    "the answer broke while it was made; ask again".to_owned(),
                ))
            }
        };
        let payload = payload.unwrap_or_else(|(status, detail)| refuse(&mut parts, status, &detail));
        join(&mut parts.headers);
        Self(http::Response::from_parts(parts, payload))
    }
}

/// A body as text where it is text and that is shorter, else in Base64; or why it cannot be sent.
fn payload(body: Vec<u8>, packed: bool) -> Result<Payload, (StatusCode, String)> {
    let length = body.len();
    let base64 = length.div_ceil(3) * 4;
    let text = if packed {
        Err(body)
    } else {
        String::from_utf8(body).map_err(std::string::FromUtf8Error::into_bytes)
    };
    let (payload, sent) = match text {
        Ok(text) => match escaped(&text) {
            // Short of the limit the reader's ease counts.
            sent if sent <= MAX_ANSWER || sent <= base64 => (Payload::Text(text), sent),
            _ => (Payload::Binary(text.into()), base64),
        },
        Err(body) => (Payload::Binary(body), base64),
    };
    if sent <= MAX_ANSWER {
        return Ok(payload);
    }
    let repair = if packed {
        "ask for less"
    } else {
        "ask again with Accept-Encoding: gzip"
    };
    Err((
        StatusCode::NOT_ACCEPTABLE,
        format!(
            "the answer has {length} bytes, which a function on AWS can send in {sent} of at most {MAX_ANSWER}; {repair}"
        ),
    ))
}

/// Bytes of a text inside a JSON string, without the quotes.
fn escaped(text: &str) -> usize {
    let more = |byte| match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 8 | 12 => 1,
        0..0x20 => 5,
        _ => 0,
    };
    text.len() + text.bytes().map(more).sum::<usize>()
}

/// Another answer in place of one that cannot be sent.
fn refuse(parts: &mut http::response::Parts, status: StatusCode, detail: &str) -> Payload {
    let id = parts.headers.remove(X_REQUEST_ID);
    let problem = serde_json::json!({
        "title": status.canonical_reason(),
        "status": status.as_u16(),
        "detail": detail,
        "request_id": id.as_ref().and_then(|id| id.to_str().ok()),
    });
    parts.status = status;
    let before = std::mem::take(&mut parts.headers);
    parts.headers.extend([
        (CONTENT_TYPE, HeaderValue::from_static("application/problem+json")),
        (CACHE_CONTROL, HeaderValue::from_static("private, no-cache")),
    ]);
    parts.headers.extend(id.map(|id| (X_REQUEST_ID, id)));
    // Of the caller, not of the answer.
    for name in [VARY, ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS] {
        parts
            .headers
            .extend(before.get(&name).cloned().map(|value| (name, value)));
    }
    Payload::Text(problem.to_string())
}

/// Makes one header of several with the same name, since an answer to an HTTP API holds one of each. `Set-Cookie`, which
/// must not be joined, has a place of its own there.
fn join(headers: &mut HeaderMap) {
    let several: Vec<_> = headers
        .keys()
        .filter(|name| *name != SET_COOKIE && headers.get_all(*name).iter().count() > 1)
        .cloned()
        .collect();
    for name in several {
        let values: Vec<_> = headers.get_all(&name).iter().map(HeaderValue::as_bytes).collect();
        if let Ok(joined) = HeaderValue::from_bytes(&values.join(&b", "[..])) {
            headers.insert(name, joined);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::routing::{any, get};
    use lambda_http::IntoResponse;
    use lambda_http::request::from_str;
    use serde_json::{Value, json};

    /// An event of an HTTP API.
    fn v2(path: &str, stage: &str) -> Value {
        json!({"version": "2.0", "rawPath": path, "rawQueryString": "a=%20&b", "headers": {"host": "a.example"},
            "requestContext": {"stage": stage, "http": {"method": "GET", "path": path}}, "isBase64Encoded": false})
    }

    /// An event of a REST API.
    fn v1(path: &str, stage: &str) -> Value {
        json!({"resource": "/{proxy+}", "path": path, "httpMethod": "GET", "headers": {"Host": "a.example"}, "multiValueHeaders": {},
            "requestContext": {"stage": stage, "httpMethod": "GET", "identity": {}, "resourceId": "1"}, "isBase64Encoded": false})
    }

    fn read(event: &Value) -> lambda_http::Request {
        from_str(&event.to_string()).expect("an event")
    }

    async fn answer(router: Router, event: lambda_http::Request) -> http::Response<Payload> {
        let Ok(answer) = Gateway::new(router).oneshot(event).await;
        answer.into_response().await
    }

    #[test]
    fn the_router_meets_the_path_that_the_client_sent() {
        #[track_caller]
        fn check(event: &Value, expected: &str) {
            let request = request(read(event));
            assert_eq!(request.uri().to_string(), expected);
        }
        check(&v2("/model", "$default"), "/model?a=%20&b");
        check(&v2("/prod/model", "prod"), "/model?a=%20&b");
        check(&v2("/prod", "prod"), "/?a=%20&b");
        check(&v2("/production/model", "prod"), "/production/model?a=%20&b");
        // A custom domain that names the stage by itself.
        check(&v2("/model", "prod"), "/model?a=%20&b");
        check(&v2("/models/models/a", "models"), "/models/a?a=%20&b");
        check(&v2("/models/%E6%B5%B4", "$default"), "/models/%E6%B5%B4?a=%20&b");
        check(&v2("/models/浴", "$default"), "/models/%E6%B5%B4?a=%20&b");
        check(&v2("/models/a b", "$default"), "/models/a%20b?a=%20&b");
        check(&v2("/models/..", "$default"), "/models/..?a=%20&b");
        check(&v2("", "$default"), "/?a=%20&b");
        check(&v1("/model", "prod"), "/model");
        check(&v1("/models/a", "models"), "/models/a");
        check(&v1("/", "prod"), "/");
    }

    #[tokio::test]
    async fn an_answer_is_text_or_base64() {
        async fn of(headers: &[(HeaderName, &'static str)], body: Vec<u8>) -> http::Response<Payload> {
            let mut response = Response::new(Body::from(body));
            for (name, value) in headers {
                response
                    .headers_mut()
                    .append(name.clone(), HeaderValue::from_static(value));
            }
            Answer::of(response).await.into_response().await
        }
        let bom = "\u{feff}a,b\n";
        assert!(matches!(of(&[], bom.into()).await.body(), Payload::Text(text) if text == bom));
        assert!(matches!(of(&[], vec![0xff]).await.body(), Payload::Binary(bytes) if *bytes == [0xff]));
        let packed = of(&[(CONTENT_ENCODING, "gzip")], b"as text".to_vec()).await;
        assert!(matches!(packed.body(), Payload::Binary(bytes) if *bytes == b"as text"));
        // Quotes cost more than Base64 only where that decides.
        assert!(matches!(of(&[], vec![b'"'; 1 << 20]).await.body(), Payload::Text(_)));
        let quotes = of(&[(X_REQUEST_ID, "r")], vec![b'"'; 4 << 20]).await;
        assert!(matches!(quotes.body(), Payload::Binary(bytes) if bytes.len() == 4 << 20));
        // Neither form fits.
        let headers = [
            (X_REQUEST_ID, "r"),
            (CONTENT_TYPE, "text/csv"),
            (VARY, "origin"),
            (ACCESS_CONTROL_ALLOW_ORIGIN, "https://app.example"),
        ];
        let large = of(&headers, vec![b'"'; 5 << 20]).await;
        assert_eq!(large.headers()[VARY], "origin");
        assert_eq!(large.headers()[ACCESS_CONTROL_ALLOW_ORIGIN], "https://app.example");
        assert_eq!(large.status(), StatusCode::NOT_ACCEPTABLE);
        assert_eq!(large.headers()[X_REQUEST_ID], "r");
        assert_eq!(large.headers()[CONTENT_TYPE], "application/problem+json");
        let Payload::Text(text) = large.body() else {
            panic!("{large:?}")
        };
        assert!(
            text.contains("5242880 bytes") && text.contains("Accept-Encoding: gzip"),
            "{text}"
        );
        let headers = [(VARY, "accept-encoding"), (VARY, "authorization")];
        assert_eq!(
            of(&headers, Vec::new()).await.headers()[VARY],
            "accept-encoding, authorization"
        );
    }

    #[tokio::test]
    async fn bodies_and_ids_arrive() {
        async fn echo(headers: HeaderMap, body: axum::body::Bytes) -> Response {
            let mut response = Response::new(Body::from(body));
            response
                .headers_mut()
                .insert(X_REQUEST_ID, headers[X_REQUEST_ID].clone());
            response
        }
        async fn check(event: Value, id: &str, expected: &Payload) {
            let mut context = lambda_http::Context::default();
            context.request_id = "from-lambda".to_owned();
            let event = read(&event).with_lambda_context(context);
            let response = answer(Router::new().fallback(any(echo)), event).await;
            assert_eq!(response.headers()[X_REQUEST_ID], id);
            assert_eq!(response.body(), expected);
        }
        let with = |body: &str, base64: bool| {
            let mut event = v2("/model", "$default");
            event["body"] = json!(body);
            event["isBase64Encoded"] = json!(base64);
            event
        };
        check(
            with("{\"浴\":1}", false),
            "from-lambda",
            &Payload::Text("{\"浴\":1}".to_owned()),
        )
        .await;
        check(with("/wA=", true), "from-lambda", &Payload::Binary(vec![0xff, 0])).await;
        let mut named = with("", false);
        named["headers"]["x-request-id"] = json!("from-client");
        check(named, "from-client", &Payload::Text(String::new())).await;
    }

    #[tokio::test]
    async fn a_panic_is_answered_and_the_next_event_is_too() {
        async fn panics() -> &'static str {
            panic!("on purpose")
        }
        let router = Router::new()
            .route("/panics", get(panics))
            .route("/works", get(|| async { "well" }));
        let config = meadow_http::Config {
            hosts: vec!["*".to_owned()],
            ..meadow_http::Config::default()
        };
        let router = meadow_http::layers(router, config);
        let response = answer(router.clone(), read(&v2("/panics", "$default"))).await;
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        assert_eq!(response.headers()[CONTENT_TYPE], "application/problem+json");
        let response = answer(router, read(&v2("/works", "$default"))).await;
        assert_eq!(
            (response.status(), response.body()),
            (StatusCode::OK, &Payload::Text("well".to_owned()))
        );
    }
}
