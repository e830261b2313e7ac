//! `/model`: the workspace's latest model.

use crate::answer;
use crate::conditions::{Conditions, Target};
use crate::extract::{Nothing, Patched, Posted, Query, Wait};
use crate::problem::Problem;
use crate::wait::{Stopping, newer};
use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use meadow_model::text_of;
use meadow_service::{Caller, Service, Values};

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

/// Changes the document that is the latest.
pub(crate) async fn patch(
    State(service): State<Service>,
    Extension(caller): Extension<Caller>,
    Query(Nothing {}): Query<Nothing>,
    conditions: Conditions,
    Patched(patch): Patched,
) -> Result<Response, Problem> {
    let expectation = conditions.expectation(&service, &caller, Target::Latest).await?;
    let changed = service.patch_model(&caller, None, patch, Values::Strict, expectation);
    answer::patched(changed.await?)
}

/// The document as it was given, once there is another than the client has.
pub(crate) async fn read(
    State(service): State<Service>,
    Extension(caller): Extension<Caller>,
    Query(wait): Query<Wait>,
    stopping: Stopping,
    conditions: Conditions,
) -> Result<Response, Problem> {
    let mut stored = service.latest(&caller).await?;
    if conditions.waits(&stored.head, wait)? && newer(&service, &caller, None, &stored.head, wait, &stopping).await? {
        stored = service.latest(&caller).await?;
    }
    answer::latest(stored, &conditions)
}
