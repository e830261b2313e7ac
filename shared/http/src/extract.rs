//! What a request says, read strictly: path, query and body. What cannot be read is a [`Problem`].

use crate::negotiate::body_is_json;
use crate::problem::Problem;
use crate::unread;
use axum::body::{Body, HttpBody};
use axum::extract::{FromRequest, FromRequestParts, Request};
use bytes::Bytes;
use http::request::Parts;
use http_body_util::BodyExt;
use meadow_model::limits::MAX_TEXT;
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// The most items of a list that one answer holds: 100 heads with the longest names and ids stay under 300 kB.
const MAX_ITEMS: usize = 100;

/// The parameters in a path.
#[derive(Debug)]
pub(crate) struct Path<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        match axum::extract::Path::from_request_parts(parts, state).await {
            Ok(axum::extract::Path(value)) => Ok(Self(value)),
            Err(refused) => Err(Problem::bad_request(format!(
                "the path cannot be read: {}",
                refused.body_text()
            ))),
        }
    }
}

/// The parameters of a query.
#[derive(Debug)]
pub(crate) struct Query<T>(pub(crate) T);

impl<S: Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        match axum::extract::Query::try_from_uri(&parts.uri) {
            Ok(axum::extract::Query(value)) => Ok(Self(value)),
            Err(refused) => Err(Problem::bad_request(format!(
                "the query cannot be read: {}",
                refused.body_text()
            ))),
        }
    }
}

/// No parameters.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nothing {}

/// How many items of a list are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Limit(pub(crate) usize);

impl Default for Limit {
    fn default() -> Self {
        Self(MAX_ITEMS)
    }
}

impl TryFrom<String> for Limit {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.parse() {
            Ok(limit) if (1..=MAX_ITEMS).contains(&limit) => Ok(Self(limit)),
            _ => Err(format!(
                "{text:?} is given, a whole number from 1 to {MAX_ITEMS} is expected"
            )),
        }
    }
}

/// The body of a request that gives a document: JSON as far as its headers say, and of an allowed size.
#[derive(Debug)]
pub(crate) struct Posted(pub(crate) Bytes);

impl<S: Send + Sync> FromRequest<S> for Posted {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        let (parts, body) = request.into_parts();
        body_is_json(&parts.headers)?;
        read(body).await.map(Self)
    }
}

/// Reads a body of at most [`MAX_TEXT`] bytes. One that does not declare its size is counted further, so that the client
/// hears how large it is.
async fn read(mut body: Body) -> Result<Bytes, Problem> {
    const LIMIT: u64 = MAX_TEXT as u64;
    let declared = body.size_hint().lower();
    if declared > LIMIT {
        return Err(Problem::body_too_large(declared, true));
    }
    let mut kept = Vec::with_capacity(declared as usize);
    let mut size = 0;
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|e| Problem::bad_request(format!("the body broke off after {size} bytes: {e}")))?;
        let Ok(data) = frame.into_data() else {
            continue;
        };
        size += data.len() as u64;
        if size <= LIMIT {
            kept.extend_from_slice(&data);
        } else if size > unread::MOST {
            return Err(Problem::body_too_large(size, false));
        } else {
            kept = Vec::new();
        }
    }
    if size > LIMIT {
        return Err(Problem::body_too_large(size, true));
    }
    Ok(kept.into())
}
