//! Faults, told as RFC 9457 problem details, or as JSON-RPC errors where a JSON-RPC client listens.

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderValue, StatusCode};
use meadow_access::{Refusal as NoAccess, refusal};
use meadow_dynamics::problem::Level;
use meadow_model::Refusal;
use meadow_model::limits::{MAX_NAMED, MAX_PACKED, MAX_TEXT};
use meadow_model::parse::Faults;
use meadow_model::patch::PatchError;
use meadow_service::tokens::Denied;
use meadow_service::{Error, Head, NoTable, StoreError};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::conditions;

/// A fault on its way out. As a response it is empty and carries itself as an extension, until
/// [`layers`](crate::layers) writes it with the request's id.
#[derive(Debug, Clone)]
pub(crate) struct Problem(Box<Parts>);

#[derive(Debug, Clone)]
struct Parts {
    status: StatusCode,
    detail: String,
    errors: Vec<Located>,
    members: Map<String, Value>,
    headers: HeaderMap,
    /// The code for JSON-RPC clients; none: the general one.
    code: Option<i32>,
    cause: Option<String>,
}

/// A fault as RFC 9457 writes it.
#[derive(Debug, Serialize)]
struct Details<'a> {
    r#type: &'static str,
    title: Option<&'static str>,
    status: u16,
    detail: &'a str,
    #[serde(skip_serializing_if = "<[Located]>::is_empty")]
    errors: &'a [Located],
    #[serde(flatten)]
    members: &'a Map<String, Value>,
    request_id: &'a str,
}

/// One fault of several, with its place in the document.
#[derive(Debug, Clone, Serialize)]
struct Located {
    pointer: String,
    detail: String,
}

/// Who reads the fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reader {
    /// Anybody over HTTP.
    Http,
    /// A JSON-RPC client, to which any other body is a broken transport.
    JsonRpc,
}

impl Problem {
    /// A fault of this status; `detail` names what was found and what repairs it.
    pub(crate) fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        Self(Box::new(Parts {
            status,
            detail: detail.into(),
            errors: Vec::new(),
            members: Map::new(),
            headers: HeaderMap::new(),
            code: None,
            cause: None,
        }))
    }

    /// 400.
    pub(crate) fn bad_request(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, detail)
    }

    /// 500: the text stays here, for the log.
    pub(crate) fn internal(cause: impl Into<String>) -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "something failed in the server, not in the request; its log tells more under this request_id",
        )
        .cause(cause)
    }

    /// The server failed with this text, which the log gets too.
    pub(crate) fn failing(status: StatusCode, detail: impl Into<String>) -> Self {
        let detail = detail.into();
        Self::new(status, detail.clone()).cause(detail)
    }

    /// 413 for a body of this size, as far as it was counted.
    pub(crate) fn body_too_large(size: u64, counted_all: bool) -> Self {
        let more = if counted_all { "" } else { "more than " };
        Self::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            format!(
                "the body has {more}{size} bytes, at most {MAX_TEXT} are allowed; split the model in two, or shorten its descriptions"
            ),
        )
        .member("size", size)
        .member("limit", MAX_TEXT)
    }

    /// With one more member.
    pub(crate) fn member(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.0.members.insert(name.to_owned(), value.into());
        self
    }

    /// With a header of the answer.
    pub(crate) fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.0.headers.insert(name, value);
        self
    }

    /// With what failed, for the log only.
    fn cause(mut self, cause: impl Into<String>) -> Self {
        self.0.cause = Some(cause.into());
        self
    }

    /// What the log should hold of it: set where the server failed, not the request.
    pub(crate) fn logged(&self) -> Option<&str> {
        self.0.cause.as_deref()
    }

    /// Writes the fault into `response`, which came of it.
    pub(crate) fn render(&self, response: &mut Response, reader: Reader, request_id: &str) {
        let status = self.0.status;
        let (kind, body) = match reader {
            Reader::Http => (
                HeaderValue::from_static("application/problem+json"),
                serde_json::to_vec(&self.details(request_id)),
            ),
            Reader::JsonRpc => (
                HeaderValue::from_static("application/json"),
                serde_json::to_vec(&self.json_rpc(request_id)),
            ),
        };
        *response.status_mut() = status;
        // Texts and numbers always have a JSON form.
        *response.body_mut() = Body::from(body.unwrap_or_default());
        response.headers_mut().insert(CONTENT_TYPE, kind);
    }

    fn details<'a>(&'a self, request_id: &'a str) -> Details<'a> {
        let parts = &self.0;
        Details {
            r#type: "about:blank",
            title: parts.status.canonical_reason(),
            status: parts.status.as_u16(),
            detail: &parts.detail,
            errors: &parts.errors,
            members: &parts.members,
            request_id,
        }
    }

    fn json_rpc(&self, request_id: &str) -> Value {
        // Invalid Request and Internal error (JSON-RPC 2.0, section 5.1).
        let general = if self.0.status.is_server_error() {
            -32603
        } else {
            -32600
        };
        let mut data = self.0.members.clone();
        data.insert("status".into(), self.0.status.as_u16().into());
        data.insert("request_id".into(), request_id.into());
        json!({"jsonrpc": "2.0", "id": null, "error": {
            "code": self.0.code.unwrap_or(general),
            "message": self.0.detail,
            "data": data,
        }})
    }

    fn schema(faults: &Faults) -> Self {
        let (named, total) = (faults.named().len(), faults.total());
        let count = match total {
            1 => "there is 1 fault".to_owned(),
            n if n == named => format!("there are {n} faults"),
            n => format!("there are {n} faults, the first {named} of which are named"),
        };
        let mut problem = Self::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            format!("the body is JSON, but no systems-thinking document: {count}; nothing was stored"),
        );
        problem.0.errors = faults
            .named()
            .iter()
            .map(|fault| Located {
                pointer: fault.pointer.as_str().to_owned(),
                detail: fault.detail(),
            })
            .collect();
        problem
    }

    /// 400 for what is no patch; 409 where the document has not what the patch needs (RFC 5789 section 2.2).
    fn patch(error: PatchError, text: String) -> Self {
        let said = format!("{text}; nothing was changed");
        match error {
            PatchError::NotJson(at) => Self::bad_request(said)
                .member("line", at.line)
                .member("column", at.column),
            PatchError::Malformed { operation, .. } => {
                let problem = Self::bad_request(said);
                match operation {
                    Some(n) => problem.member("operation", n),
                    None => problem,
                }
            }
            PatchError::Inapplicable {
                operation,
                pointer,
                detail,
            } => Self::new(StatusCode::CONFLICT, said)
                .member("operation", operation)
                .located(pointer, detail),
            PatchError::TestFailed {
                operation,
                pointer,
                found,
                expected,
            } => Self::new(StatusCode::CONFLICT, said)
                .member("operation", operation)
                .member("test_failed", true)
                .located(pointer, format!("found {found}, expected {expected}")),
        }
    }

    /// With the one place that is at fault.
    fn located(mut self, pointer: String, detail: String) -> Self {
        self.0.errors = vec![Located { pointer, detail }];
        self
    }

    fn stale(current: Option<&Head>) -> Self {
        let status = StatusCode::PRECONDITION_FAILED;
        match current {
            Some(head) if !head.deleted => Self::new(
                status,
                format!(
                    "the precondition does not hold: model {:?} stands at revision {}; read it, merge your change, and send its ETag in If-Match. Nothing was changed",
                    head.id.as_str(),
                    head.revision
                ),
            )
            .member("etag", conditions::tag_text(head))
            .header(http::header::ETAG, conditions::tag(head)),
            _ => Self::new(
                status,
                "the precondition does not hold: there is no such model; send If-None-Match: * to create it. Nothing was changed",
            )
            .member("etag", Value::Null),
        }
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        let text = error.to_string();
        match error {
            Error::Refused(Refusal::NotJson(at)) => {
                Self::bad_request(format!("the body is not JSON: {at}; nothing was stored"))
                    .member("line", at.line)
                    .member("column", at.column)
            }
            Error::Refused(Refusal::Schema(faults)) => Self::schema(&faults),
            Error::Patch(error) => Self::patch(error, text),
            Error::TooLarge(sizes) => Self::new(StatusCode::PAYLOAD_TOO_LARGE, text)
                .member("size", sizes.size)
                .member("limit", MAX_TEXT)
                .member("packed_size", sizes.packed)
                .member("packed_limit", MAX_PACKED),
            Error::BadId(_) => Self::bad_request(text),
            Error::Conflict(current) => Self::stale(current.as_ref()),
            Error::NotFound(_) => Self::new(StatusCode::NOT_FOUND, text),
            Error::Busy => Self::new(StatusCode::SERVICE_UNAVAILABLE, text)
                .header(RETRY_AFTER, HeaderValue::from(meadow_service::BUSY_SECONDS)),
            Error::Store(StoreError::Damaged(_)) => Self::failing(StatusCode::INTERNAL_SERVER_ERROR, text),
            Error::Store(StoreError::Unavailable(_)) => {
                Self::failing(StatusCode::SERVICE_UNAVAILABLE, text).header(RETRY_AFTER, HeaderValue::from_static("1"))
            }
            Error::Store(_) => Self::failing(StatusCode::SERVICE_UNAVAILABLE, text),
            Error::Internal(_) => Self::internal(text),
        }
    }
}

/// 401, or 403 where the token lacks a scope, with the challenge of RFC 6750.
impl From<NoAccess> for Problem {
    fn from(refusal: NoAccess) -> Self {
        let (status, code) = match refusal {
            NoAccess::Scope(_) => (StatusCode::FORBIDDEN, refusal::NO_SCOPE),
            _ => (StatusCode::UNAUTHORIZED, refusal::NO_ACCESS),
        };
        let mut problem = Self::new(status, refusal.to_string())
            .member("scope", refusal.scopes().to_string())
            .header(WWW_AUTHENTICATE, conditions::ascii(&refusal.challenge()))
            .header(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(error) = refusal.error() {
            problem = problem.member("error", error);
        }
        problem.0.code = Some(code);
        problem
    }
}

/// A store that cannot be asked is no refusal: a client that is told 401 throws its token away.
impl From<Denied> for Problem {
    fn from(denied: Denied) -> Self {
        match denied {
            Denied::Refused(refusal) => refusal.into(),
            Denied::Store(error) => Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "the token cannot be looked up just now; try again in a moment",
            )
            .header(RETRY_AFTER, HeaderValue::from_static("1"))
            .header(CACHE_CONTROL, HeaderValue::from_static("no-store"))
            .cause(error.to_string()),
        }
    }
}

/// 422: what was asked for cannot be made of the model; each problem of level error with its place.
impl From<NoTable> for Problem {
    fn from(no_table: NoTable) -> Self {
        let mut problem = Self::new(StatusCode::UNPROCESSABLE_ENTITY, no_table.reason);
        let errors = no_table.problems.into_iter().filter(|one| one.level == Level::Error);
        problem.0.errors = errors
            .take(MAX_NAMED)
            .map(|one| Located {
                pointer: one.pointer,
                detail: format!("{}; {}", one.message, one.fix),
            })
            .collect();
        problem
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        Error::from(refusal).into()
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = self.0.status.into_response();
        response.headers_mut().extend(self.0.headers.clone());
        response.extensions_mut().insert(self);
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_finds_the_server_busy_is_told_when_to_come_again() {
        let problem = Problem::from(Error::Busy);
        assert_eq!(problem.0.status, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(problem.0.headers[RETRY_AFTER], "5");
        assert!(
            problem.0.detail.contains("try again in 5 seconds"),
            "{}",
            problem.0.detail
        );
        // It is no fault of ours that the log has to tell.
        assert!(problem.0.cause.is_none());
    }
}
