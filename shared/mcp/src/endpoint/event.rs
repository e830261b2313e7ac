//! The answer for a client that takes only `text/event-stream`: one event, and nothing else in the stream.

use super::{EVENTS, is_json, refuse};
use axum::body::Body;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use http::StatusCode;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName};
use http_body_util::BodyExt;
use std::convert::Infallible;
use std::time::Duration;

/// After this the head of the answer leaves, so that clients and proxies which wait for a first byte see one. Refusals
/// are known long before, and keep their status.
const PATIENCE: Duration = Duration::from_millis(250);

/// What `answer` gives, as an event; the head at once where that takes long.
pub(super) async fn answered(answer: impl Future<Output = Response> + Send + 'static) -> Response {
    let mut answer = Box::pin(answer);
    match tokio::time::timeout(PATIENCE, &mut answer).await {
        Ok(response) if response.status() == StatusCode::OK && is_json(response.headers()) => {
            match event(response).await {
                Some(event) => streamed(Body::from(event)),
                None => refuse(StatusCode::INTERNAL_SERVER_ERROR, "internal error"),
            }
        }
        Ok(response) => response,
        Err(_) => {
            let late = async move { Ok::<_, Infallible>(event(answer.await).await.unwrap_or_default()) };
            streamed(Body::from_stream(stream::once(late)))
        }
    }
}

fn streamed(body: Body) -> Response {
    let headers = [
        (CONTENT_TYPE, EVENTS),
        (CACHE_CONTROL, "no-cache"),
        (HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    (headers, body).into_response()
}

/// The JSON of an answer as an event; none where it has no JSON.
async fn event(response: Response) -> Option<Vec<u8>> {
    if !is_json(response.headers()) {
        return None;
    }
    // It comes whole, from memory.
    let json = response.into_body().collect().await.ok()?.to_bytes();
    // serde_json writes no line breaks, which would end the field.
    Some([b"event: message\ndata: ", &json[..], b"\n\n"].concat())
}
