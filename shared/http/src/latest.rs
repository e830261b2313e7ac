//! `/model`: the workspace's latest model.

use crate::answer;
use crate::conditions::{Conditions, Target};
use crate::extract::{Nothing, Posted, Query};
use crate::problem::Problem;
use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use meadow_model::text_of;
use meadow_service::{Caller, Service};

/// Checks and stores the document; its name says under which id.
pub(crate) async fn write(
    State(service): State<Service>,
    Extension(caller): Extension<Caller>,
    Query(Nothing {}): Query<Nothing>,
    conditions: Conditions,
    Posted(body): Posted,
) -> Result<Response, Problem> {
    let text = text_of(&body)?;
    let expectation = conditions.expectation(&service, &caller, Target::Latest).await?;
    let written = service.write_model(&caller, text, None, expectation).await?;
    answer::written(&written, body.slice_ref(text.as_bytes()))
}

/// The document as it was given.
pub(crate) async fn read(
    State(service): State<Service>,
    Extension(caller): Extension<Caller>,
    Query(Nothing {}): Query<Nothing>,
    conditions: Conditions,
) -> Result<Response, Problem> {
    answer::latest(service.latest(&caller).await?, &conditions)
}
