//! What a client sends: whether its headers say that the body is JSON, and the body's bytes.

use super::{JSON, refuse};
use crate::raw::MAX_MESSAGE;
use axum::body::Body;
use axum::response::Response;
use http::header::{ACCEPT, ACCEPT_ENCODING, CONNECTION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, EXPECT};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use http_body::Body as _;
use http_body_util::BodyExt;
use meadow_model::limits::MAX_TEXT;
use std::time::Duration;

/// Bytes of a body that is too large which are still read, and dropped at once: a client that is still sending would
/// meet a reset instead of the answer.
pub(super) const MAX_DRAINED: u64 = 64 << 20;

/// How long such a client may pause before it is answered all the same. Under the deadline of a request, 20 s.
const PATIENCE: Duration = Duration::from_secs(5);

/// Refuses a body that is no plain JSON by its headers (415), and makes those plain that rmcp reads.
pub(super) fn plain_json(headers: &mut HeaderMap) -> Result<(), Box<Response>> {
    let unsupported = |text: String, (name, value): (HeaderName, &'static str)| {
        let mut response = refuse(StatusCode::UNSUPPORTED_MEDIA_TYPE, text);
        response.headers_mut().insert(name, HeaderValue::from_static(value));
        Err(Box::new(response))
    };
    let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    if let Some(coding) = headers.get(CONTENT_ENCODING).map(text)
        && !coding.trim().eq_ignore_ascii_case("identity")
    {
        return unsupported(
            format!("the body is encoded ({coding:?}); send it as it is, without Content-Encoding"),
            (ACCEPT_ENCODING, "identity"),
        );
    }
    let given = headers.get(CONTENT_TYPE).map(text).unwrap_or_default();
    let mut parts = given.split(';').map(str::trim);
    let kind = parts.next().unwrap_or_default().to_ascii_lowercase();
    if kind != JSON && !(kind.contains('/') && kind.ends_with("+json")) {
        return unsupported(
            format!("the body is {given:?}; send JSON with Content-Type: application/json"),
            (ACCEPT, JSON),
        );
    }
    let charset = parts
        .filter_map(|parameter| parameter.split_once('='))
        .filter(|(name, _)| name.trim().eq_ignore_ascii_case("charset"))
        .map(|(_, value)| value.trim().trim_matches('"'))
        .find(|charset| {
            !["utf-8", "utf8"]
                .iter()
                .any(|known| charset.eq_ignore_ascii_case(known))
        });
    if let Some(charset) = charset {
        return unsupported(
            format!("the body's charset is {charset:?}; JSON is sent as UTF-8"),
            (ACCEPT, JSON),
        );
    }
    headers.remove(CONTENT_ENCODING);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(JSON));
    Ok(())
}

/// The whole body, or the answer to one that is too large or breaks off.
pub(super) async fn whole(headers: &HeaderMap, mut body: Body) -> Result<Vec<u8>, Box<Response>> {
    const LIMIT: u64 = MAX_MESSAGE as u64;
    const END: u64 = LIMIT + MAX_DRAINED;
    let declared = body.size_hint().lower().max(declared(headers).unwrap_or(0));
    // A client that waits for `100 Continue` has not begun, and reading would tell it to.
    if declared > END || (declared > LIMIT && headers.contains_key(EXPECT)) {
        return Err(closing(too_large(declared, true)));
    }
    let mut kept = Vec::with_capacity(if declared > LIMIT { 0 } else { declared as usize });
    let mut bytes = 0;
    loop {
        let frame = if declared.max(bytes) > LIMIT {
            match tokio::time::timeout(PATIENCE, body.frame()).await {
                Ok(frame) => frame,
                Err(_) => return Err(closing(too_large(declared.max(bytes), declared > 0))),
            }
        } else {
            body.frame().await
        };
        let Some(frame) = frame else {
            break;
        };
        let frame = frame.map_err(|error| {
            tracing::debug!(%error, "mcp.body_broke_off");
            refuse(StatusCode::BAD_REQUEST, "the body broke off; send the message again")
        })?;
        let Ok(data) = frame.into_data() else {
            continue;
        };
        bytes += data.len() as u64;
        if bytes > END {
            return Err(closing(too_large(bytes, false)));
        }
        if declared.max(bytes) > LIMIT {
            kept = Vec::new();
        } else {
            kept.extend_from_slice(&data);
        }
    }
    match declared.max(bytes) {
        bytes if bytes > LIMIT => Err(Box::new(too_large(bytes, true))),
        _ => Ok(kept),
    }
}

fn declared(headers: &HeaderMap) -> Option<u64> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

fn too_large(bytes: u64, counted_all: bool) -> Response {
    let more = if counted_all { "" } else { "more than " };
    let text =
        format!("the message has {more}{bytes} bytes; at most {MAX_MESSAGE} are allowed, {MAX_TEXT} for a document");
    refuse(StatusCode::PAYLOAD_TOO_LARGE, text)
}

/// Where the rest of the body is not read.
fn closing(mut response: Response) -> Box<Response> {
    let headers = response.headers_mut();
    headers.insert(CONNECTION, HeaderValue::from_static("close"));
    Box::new(response)
}
