//! `/mcp` over HTTP: judges every message before rmcp sees it, and gives every refusal a JSON-RPC body.
//!
//! Without sessions, and with JSON answers; a client that accepts only `text/event-stream` gets its answer as one
//! event. Host, Origin, access and CORS are checked outside, for all routes alike.

mod event;
mod incoming;

use self::incoming::{plain_json, whole};
use crate::Config;
use crate::denial::Denial;
use crate::raw::{self, MAX_MESSAGE};
use crate::rpc::{self, Kind, Refusal};
use crate::server::Server;
use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use http::header::{ACCEPT, ALLOW, CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use http_body::Body as _;
use http_body_util::BodyExt;
use meadow_service::{Caller, Service};
use rmcp::ServerHandler;
use rmcp::model::ProtocolVersion;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::json;
use serde_json::value::RawValue;
use std::sync::Arc;

const JSON: &str = "application/json";
const VERSION: &str = "mcp-protocol-version";
const EVENTS: &str = "text/event-stream";
const METHODS: &str = "POST, OPTIONS";

/// Bytes of the errors that rmcp makes itself.
const MAX_ERROR: u64 = 1024;

/// The router of `/mcp`. Whose models a request sees says the [`Caller`] in its extensions; without one it is the
/// default workspace.
pub fn route(service: Service, config: Config) -> Router {
    around(Server::new(service, Caller::default(), config))
}

/// The router of `/mcp` around any handler, of which each request gets a clone. It finds the arguments of a call empty:
/// their text stands beside them. The suite's fixtures are tried through this.
pub fn around(handler: impl ServerHandler + Clone) -> Router {
    let settings = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(MAX_MESSAGE)
        .disable_allowed_hosts();
    let rmcp = StreamableHttpService::new(
        move || Ok(handler.clone()),
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
    let (mut parts, body) = request.into_parts();
    if let Err(response) = plain_json(&mut parts.headers) {
        return *response;
    }
    let message = match whole(&parts.headers, body).await {
        Ok(message) => raw::unmarked(message),
        Err(response) => return *response,
    };
    let (message, arguments) = raw::take_out(message);
    let kind = rpc::judge(&message);
    let opens = matches!(kind, Ok(Kind::Handshake(_)));
    let id = match kind {
        Ok(Kind::Request(id) | Kind::Handshake(id)) => Some(id.to_owned()),
        Ok(Kind::Notification) => None,
        Ok(Kind::Response) => {
            return refuse(
                StatusCode::BAD_REQUEST,
                "Invalid Request: an answer, and nothing was asked; send requests and notifications",
            );
        }
        Err(refusal) => return respond(StatusCode::BAD_REQUEST, &refusal),
    };
    if let Some(arguments) = arguments {
        if let Some(bytes) = arguments.excess() {
            return respond(StatusCode::PAYLOAD_TOO_LARGE, &rpc::too_large(bytes).to(id.as_deref()));
        }
        parts.extensions.insert(arguments);
    }
    // A client may say in a header which version it speaks before it knows which one is spoken: the handshake decides.
    if opens {
        parts.headers.remove(VERSION);
    }
    // rmcp insists on both forms; which one the client takes is settled above.
    parts
        .headers
        .insert(ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
    if parts.headers.contains_key(CONTENT_LENGTH) {
        parts.headers.insert(CONTENT_LENGTH, HeaderValue::from(message.len()));
    }
    let denial = Denial::default();
    parts.extensions.insert(denial.clone());
    let answer = async move {
        let response = next.run(Request::from_parts(parts, Body::from(message))).await;
        denial.shown(as_rpc(response, id.as_deref()).await)
    };
    match form {
        Form::Json => answer.await,
        Form::Event => event::answered(answer).await,
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

fn refuse(status: StatusCode, message: impl Into<String>) -> Response {
    respond(status, &Refusal::new(rpc::INVALID_REQUEST, message))
}

fn respond(status: StatusCode, refusal: &Refusal) -> Response {
    (status, [(CONTENT_TYPE, JSON)], refusal.body()).into_response()
}

/// A refusal of rmcp as a JSON-RPC error with an id and a sentence; any other response as it is.
async fn as_rpc(response: Response, id: Option<&RawValue>) -> Response {
    let status = response.status();
    if is_json(response.headers()) {
        return in_words(response).await;
    }
    if !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    // rmcp's texts come whole, from memory.
    let text = match response.into_body().collect().await {
        Ok(body) => String::from_utf8_lossy(&body.to_bytes()).into_owned(),
        Err(_) => String::new(),
    };
    if let Some(requested) = text.strip_prefix("Bad Request: Unsupported MCP-Protocol-Version: ") {
        let refusal = Refusal::new(rpc::UNSUPPORTED_VERSION, "Unsupported protocol version")
            .with_data(json!({"requested": requested, "supported": ProtocolVersion::KNOWN_VERSIONS}))
            .to(id);
        return respond(status, &refusal);
    }
    let refusal = match status {
        // JSON by now, so it is no request that rmcp can read.
        StatusCode::UNSUPPORTED_MEDIA_TYPE => Refusal::new(rpc::INVALID_REQUEST, format!("Invalid Request: {text}")),
        status if status.is_server_error() => {
            tracing::error!(%status, "mcp.transport_failed");
            Refusal::new(rpc::INTERNAL_ERROR, "internal error")
        }
        _ => Refusal::new(rpc::INVALID_REQUEST, text),
    };
    let status = match status {
        StatusCode::UNSUPPORTED_MEDIA_TYPE => StatusCode::BAD_REQUEST,
        status => status,
    };
    respond(status, &refusal.to(id))
}

/// An error answer with what rmcp leaves out of it. Where the status does not tell that it is one, only a small answer
/// is read again: larger ones are results.
async fn in_words(response: Response) -> Response {
    let size = response.body().size_hint().exact();
    if size.is_none_or(|bytes| bytes > MAX_ERROR && response.status().is_success()) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Ok(body) = body.collect().await else {
        return respond(
            StatusCode::INTERNAL_SERVER_ERROR,
            &Refusal::new(rpc::INTERNAL_ERROR, "internal error"),
        );
    };
    parts.headers.remove(CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(rpc::told(body.to_bytes().into())))
}

#[cfg(test)]
mod tests;
