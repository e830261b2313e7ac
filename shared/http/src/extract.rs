//! What a request says, read strictly: path, query and body. What cannot be read is a [`Problem`].

use crate::negotiate::{PatchKind, body_is_json, patch_kind};
use crate::problem::Problem;
use crate::unread;
use axum::body::{Body, HttpBody};
use axum::extract::{FromRequest, FromRequestParts, Request};
use bytes::Bytes;
use http::request::Parts;
use http_body_util::BodyExt;
use meadow_model::limits::MAX_TEXT;
use meadow_model::patch::Patch;
use meadow_model::text_of;
use meadow_service::Error;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::time::Duration;

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

/// The body of a request that gives a patch, of the kind that its headers say.
#[derive(Debug)]
pub(crate) struct Patched(pub(crate) Patch);

impl<S: Send + Sync> FromRequest<S> for Patched {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        let (parts, body) = request.into_parts();
        let kind = patch_kind(&parts.headers)?;
        let body = read(body).await?;
        let text = text_of(&body)?;
        let patch = match kind {
            PatchKind::Operations => Patch::operations(text),
            PatchKind::Merge => Patch::merge(text),
        };
        patch.map(Self).map_err(|error| Error::Patch(error).into())
    }
}

/// Whether a read is to wait until there is something newer, and how long at most.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wait {
    #[serde(default)]
    wait: Seconds,
}

impl Wait {
    /// How long; zero: not at all.
    pub(crate) fn time(self) -> Duration {
        Duration::from_secs(self.wait.0)
    }
}

/// Seconds to wait: under the deadline of a request, with time to read.
const MAX_WAIT: u64 = 15;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
struct Seconds(u64);

impl TryFrom<String> for Seconds {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.parse() {
            Ok(seconds) if seconds <= MAX_WAIT && text.bytes().all(|b| b.is_ascii_digit()) => Ok(Self(seconds)),
            _ => Err(format!(
                "wait is {text:?}, a whole number of seconds from 0 to {MAX_WAIT} is expected"
            )),
        }
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
