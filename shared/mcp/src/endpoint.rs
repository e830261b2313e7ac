//! `/mcp` over HTTP: judges every message before rmcp sees it, and gives every refusal a JSON-RPC body.
//!
//! Without sessions, and with JSON answers; a client that accepts only `text/event-stream` gets its answer as one
//! event. Host, Origin, access and CORS are checked outside, for all routes alike.

use crate::Config;
use crate::raw::{self, MAX_MESSAGE};
use crate::rpc::{self, Refusal};
use crate::server::Server;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use http::header::{ACCEPT, ALLOW, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, EXPECT};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use http_body::Body as _;
use http_body_util::BodyExt;
use meadow_service::{Caller, Service};
use rmcp::model::ProtocolVersion;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::json;
use std::sync::Arc;

const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";
const METHODS: &str = "POST, OPTIONS";

/// Bytes of a refused body that are still read, and dropped at once.
const MAX_DRAINED: usize = 64 << 20;

/// The router of `/mcp`. Whose models a request sees says the [`Caller`] in its extensions; without one it is the
/// default workspace.
pub fn route(service: Service, config: Config) -> Router {
    let server = Server::new(service, Caller::default(), config);
    let settings = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(MAX_MESSAGE)
        .disable_allowed_hosts();
    let rmcp = StreamableHttpService::new(
        move || Ok(server.clone()),
        Arc::new(NeverSessionManager::default()),
        settings,
    );
    Router::new()
        .route_service("/mcp", rmcp.clone())
        .route_service("/mcp/", rmcp)
        .route_layer(from_fn(judged))
}

/// In which form a client takes the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Json,
    Event,
}

async fn judged(request: Request, next: Next) -> Response {
    if request.method() == Method::OPTIONS {
        return (StatusCode::NO_CONTENT, [(ALLOW, METHODS)]).into_response();
    }
    if request.method() != Method::POST {
        let mut response = refuse(
            StatusCode::METHOD_NOT_ALLOWED,
            "send each message by POST; there are no sessions and no streams here",
        );
        response.headers_mut().insert(ALLOW, HeaderValue::from_static(METHODS));
        return response;
    }
    let Some(form) = form(request.headers()) else {
        return refuse(
            StatusCode::NOT_ACCEPTABLE,
            "the answer is application/json or text/event-stream; Accept excludes both",
        );
    };
    if !is_json(request.headers()) {
        return refuse(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "the message must be JSON; send Content-Type: application/json",
        );
    }
    let (mut parts, body) = request.into_parts();
    let message = match whole(body, parts.headers.contains_key(EXPECT)).await {
        Ok(message) => message,
        Err(response) => return response,
    };
    let (message, arguments) = raw::take_out(message);
    if let Err(refusal) = rpc::judge(&message) {
        return respond(StatusCode::BAD_REQUEST, &refusal);
    }
    if let Some(arguments) = arguments {
        parts.extensions.insert(arguments);
    }
    // rmcp insists on both forms; which one the client takes is settled above.
    parts
        .headers
        .insert(ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
    if parts.headers.contains_key(CONTENT_LENGTH) {
        parts.headers.insert(CONTENT_LENGTH, HeaderValue::from(message.len()));
    }
    let response = next.run(Request::from_parts(parts, Body::from(message))).await;
    let response = as_rpc(response).await;
    match form {
        Form::Event if response.status() == StatusCode::OK => as_event(response).await,
        _ => response,
    }
}

/// The form that Accept asks for: JSON wherever it is accepted, none where both are excluded.
fn form(headers: &HeaderMap) -> Option<Form> {
    let values = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let ranges: Vec<_> = values
        .flat_map(|value| value.split(','))
        .filter(|range| !range.trim().is_empty())
        .map(|range| {
            let mut parts = range.split(';').map(str::trim);
            let name = parts.next().unwrap_or_default().to_ascii_lowercase();
            let quality = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
            let excluded = quality.is_some_and(|q| q.parse::<f32>().is_ok_and(|q| q <= 0.0));
            (name, !excluded)
        })
        .collect();
    // The most specific range that names a type decides (RFC 9110, section 12.5.1).
    let accepts = |names: [&str; 3]| {
        let mut named = names
            .iter()
            .filter_map(|name| ranges.iter().find(|(range, _)| range == name));
        named.next().is_some_and(|(_, accepted)| *accepted)
    };
    if ranges.is_empty() || accepts([JSON, "application/*", "*/*"]) {
        return Some(Form::Json);
    }
    accepts([EVENTS, "text/*", "*/*"]).then_some(Form::Event)
}

fn is_json(headers: &HeaderMap) -> bool {
    let value = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = value.and_then(|value| value.split(';').next());
    essence.is_some_and(|essence| essence.trim().eq_ignore_ascii_case(JSON))
}

/// The whole body, or the answer to one that is too large or breaks off.
async fn whole(mut body: Body, expects_continue: bool) -> Result<Vec<u8>, Response> {
    let length = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    if length > MAX_MESSAGE {
        return Err(too_large(body, expects_continue).await);
    }
    let mut bytes = Vec::with_capacity(length);
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| {
            tracing::debug!(%error, "mcp.body_broke_off");
            refuse(StatusCode::BAD_REQUEST, "the body broke off; send the message again")
        })?;
        if let Ok(data) = frame.into_data() {
            if bytes.len() + data.len() > MAX_MESSAGE {
                drop(bytes);
                return Err(too_large(body, expects_continue).await);
            }
            bytes.extend_from_slice(&data);
        }
    }
    Ok(bytes)
}

/// Swallows a bounded rest of the body: a client that is still sending would meet a reset instead of the answer.
/// One that waits for `100 Continue` has not begun, and reading would tell it to.
async fn too_large(mut body: Body, expects_continue: bool) -> Response {
    let mut left = if expects_continue { 0 } else { MAX_DRAINED };
    while left > 0
        && let Some(Ok(frame)) = body.frame().await
    {
        left = left.saturating_sub(frame.data_ref().map_or(0, Bytes::len));
    }
    let text = format!("the message is larger than {MAX_MESSAGE} bytes; a document may have 4 MiB");
    refuse(StatusCode::PAYLOAD_TOO_LARGE, text)
}

fn refuse(status: StatusCode, message: impl Into<String>) -> Response {
    respond(status, &Refusal::new(rpc::INVALID_REQUEST, message))
}

fn respond(status: StatusCode, refusal: &Refusal) -> Response {
    (status, [(CONTENT_TYPE, JSON)], refusal.body()).into_response()
}

/// A refusal of rmcp that is plain text, as a JSON-RPC error; any other response as it is.
async fn as_rpc(response: Response) -> Response {
    let status = response.status();
    let plain = !is_json(response.headers());
    if !plain || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    // rmcp's texts come whole, from memory.
    let text = match response.into_body().collect().await {
        Ok(body) => String::from_utf8_lossy(&body.to_bytes()).into_owned(),
        Err(_) => String::new(),
    };
    if let Some(requested) = text.strip_prefix("Bad Request: Unsupported MCP-Protocol-Version: ") {
        let refusal = Refusal::new(rpc::UNSUPPORTED_VERSION, "Unsupported protocol version")
            .with_data(json!({"requested": requested, "supported": ProtocolVersion::KNOWN_VERSIONS}));
        return respond(status, &refusal);
    }
    match status {
        // JSON by now, so it is no request that rmcp can read.
        StatusCode::UNSUPPORTED_MEDIA_TYPE => refuse(StatusCode::BAD_REQUEST, format!("Invalid Request: {text}")),
        status if status.is_server_error() => {
            tracing::error!(%status, "mcp.transport_failed");
            respond(status, &Refusal::new(rpc::INTERNAL_ERROR, "internal error"))
        }
        status => refuse(status, text),
    }
}

/// A JSON answer as the one event of a stream.
async fn as_event(response: Response) -> Response {
    if !is_json(response.headers()) {
        return response;
    }
    let Ok(body) = response.into_body().collect().await else {
        return respond(
            StatusCode::INTERNAL_SERVER_ERROR,
            &Refusal::new(rpc::INTERNAL_ERROR, "internal error"),
        );
    };
    let json = body.to_bytes();
    // serde_json writes no line breaks, which would end the field.
    let event = [b"event: message\ndata: ", &json[..], b"\n\n"].concat();
    let headers = [
        (CONTENT_TYPE, EVENTS),
        (CACHE_CONTROL, "no-cache"),
        (http::HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    (headers, event).into_response()
}

#[cfg(test)]
mod tests;
