//! What is sent back when nothing is wrong.

use crate::conditions::{self, Conditions};
use crate::problem::Problem;
use axum::body::{Body, HttpBody};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::header::{CONTENT_DISPOSITION, CONTENT_LOCATION, CONTENT_TYPE, ETAG, HeaderName, LAST_MODIFIED, LOCATION};
use http::{HeaderValue, StatusCode};
use http_body::{Frame, SizeHint};
use meadow_service::{Changed, Head, ModelId, Revision, Stored, Written};
use meadow_validation::{Finding, Report};
use serde::Serialize;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::SystemTime;

const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// What was found in which revision.
#[derive(Debug, Serialize)]
struct Verdict<'a> {
    #[serde(flatten)]
    report: &'a Report,
    #[serde(skip_serializing_if = "Option::is_none")]
    findings: Option<&'a [Finding]>,
    model: &'a ModelId,
    revision: Revision,
}

/// A value as JSON.
pub(crate) fn json(value: &impl Serialize) -> Result<Response, Problem> {
    Ok(([(CONTENT_TYPE, JSON)], text(value)?).into_response())
}

fn text(value: &impl Serialize) -> Result<Vec<u8>, Problem> {
    serde_json::to_vec(value).map_err(|error| Problem::internal(error.to_string()))
}

/// The latest document, byte for byte; or only that the client has it already. It has no date: see [`conditions`].
pub(crate) fn latest(stored: Stored, conditions: &Conditions) -> Result<Response, Problem> {
    document(stored, conditions, None)
}

/// The document of a model, which was changed then, as far as a date can tell.
pub(crate) fn model(stored: Stored, conditions: &Conditions, changed: Option<SystemTime>) -> Result<Response, Problem> {
    let modified = modified(&stored.head);
    let mut response = document(stored, conditions, changed)?;
    response.headers_mut().insert(LAST_MODIFIED, modified);
    Ok(response)
}

/// The document of one revision, which is found where it stays when the model goes on.
pub(crate) fn revision(stored: Stored, conditions: &Conditions) -> Result<Response, Problem> {
    let place = format!(
        "{}/revisions/{}",
        conditions::url(&stored.head.id),
        stored.head.revision
    );
    let changed = conditions::second(&stored.head);
    let mut response = model(stored, conditions, Some(changed))?;
    response
        .headers_mut()
        .insert(CONTENT_LOCATION, conditions::ascii(&place));
    Ok(response)
}

fn document(stored: Stored, conditions: &Conditions, changed: Option<SystemTime>) -> Result<Response, Problem> {
    let Stored { head, text } = stored;
    let about = about(&head);
    if conditions.not_modified(&head, changed)? {
        return Ok((StatusCode::NOT_MODIFIED, about).into_response());
    }
    let body = Body::from(Bytes::from_owner(Shared(text)));
    Ok((about, [(CONTENT_TYPE, JSON)], body).into_response())
}

fn modified(head: &Head) -> HeaderValue {
    conditions::ascii(&httpdate::fmt_http_date(conditions::second(head)))
}

/// A stored text as bytes, without a copy.
struct Shared(Arc<str>);

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

/// What came of a write, with the document as it was given.
pub(crate) fn written(written: &Written, document: Bytes) -> Result<Response, Problem> {
    let mut start = text(&Verdict {
        report: &written.report,
        findings: None,
        model: &written.head.id,
        revision: written.head.revision,
    })?;
    start.pop();
    start.extend_from_slice(b",\"document\":");
    let body = Body::new(Spliced(VecDeque::from([
        start.into(),
        document,
        Bytes::from_static(b"}"),
    ])));
    Ok((about(&written.head), [(CONTENT_TYPE, JSON)], body).into_response())
}

/// The same for a write to a model's own place, which says when it is new there.
pub(crate) fn put(result: &Written, document: Bytes) -> Result<Response, Problem> {
    let mut response = written(result, document)?;
    if result.created {
        *response.status_mut() = StatusCode::CREATED;
        let place = conditions::ascii(&conditions::url(&result.head.id));
        response.headers_mut().insert(LOCATION, place);
    }
    Ok(response)
}

/// What came of a patch, with the document as it is now.
pub(crate) fn patched(changed: Changed) -> Result<Response, Problem> {
    put(&changed.written, Bytes::from_owner(Shared(changed.text)))
}

/// What is found in a stored model.
pub(crate) fn report(head: &Head, report: &Report) -> Result<Response, Problem> {
    json(&Verdict {
        report,
        findings: Some(&report.findings),
        model: &head.id,
        revision: head.revision,
    })
}

/// What was computed of a stored model.
pub(crate) fn of_model(head: &Head, computed: &impl Serialize) -> Result<Response, Problem> {
    #[derive(Serialize)]
    struct OfModel<'a, T> {
        model: &'a ModelId,
        revision: Revision,
        #[serde(flatten)]
        computed: &'a T,
    }
    json(&OfModel {
        model: &head.id,
        revision: head.revision,
        computed,
    })
}

/// A run of a stored model as CSV.
pub(crate) fn table(head: &Head, rows: Vec<u8>) -> Result<Response, Problem> {
    let name = format!("attachment; filename*=UTF-8''{}.csv", conditions::encoded(&head.id));
    let headers = [
        (
            CONTENT_TYPE,
            HeaderValue::from_static("text/csv; charset=utf-8; header=present"),
        ),
        (CONTENT_DISPOSITION, conditions::ascii(&name)),
    ];
    Ok((headers, rows).into_response())
}

/// Which revision an answer speaks of, and where it is found.
fn about(head: &Head) -> [(HeaderName, HeaderValue); 2] {
    [
        (ETAG, conditions::tag(head)),
        (CONTENT_LOCATION, conditions::ascii(&conditions::url(&head.id))),
    ]
}

/// Several pieces as one body of known size, none of them copied.
struct Spliced(VecDeque<Bytes>);

impl HttpBody for Spliced {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.0.pop_front().map(|piece| Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.0.iter().map(|piece| piece.len() as u64).sum())
    }
}
