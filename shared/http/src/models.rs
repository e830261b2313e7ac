//! `/models`: all models of the workspace, their revisions and reports.

use crate::answer;
use crate::conditions::{Conditions, Target};
use crate::extract::{Limit, Nothing, Patched, Path, Posted, Query, Wait};
use crate::problem::Problem;
use crate::wait::{Stopping, newer};
use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use meadow_model::text_of;
use meadow_service::{Caller, Head, ModelId, Revision, Service, Values};
use serde::{Deserialize, Serialize};

/// Which part of a list is wanted; `C` is what stands at the end of the part before.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Part<C> {
    #[serde(default)]
    limit: Limit,
    cursor: Option<C>,
}

#[derive(Debug, Serialize)]
struct Models {
    models: Vec<Head>,
    next_cursor: Option<ModelId>,
}

#[derive(Debug, Serialize)]
struct Revisions {
    model: String,
    revisions: Vec<Head>,
    next_cursor: Option<Revision>,
}

/// What is known of every model, without the documents.
pub(crate) async fn list(
    State(service): State<Service>,
    Extension(caller): Extension<Caller>,
    Query(part): Query<Part<String>>,
) -> Result<Response, Problem> {
    let page = service.list(&caller, part.cursor.as_deref(), part.limit.0).await?;
    answer::json(&Models {
        models: page.items,
        next_cursor: page.next,
    })
}

/// Checks and stores the document under the path's id.
pub(crate) async fn write(
    State(service): State<Service>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    Query(Nothing {}): Query<Nothing>,
    conditions: Conditions,
    Posted(body): Posted,
) -> Result<Response, Problem> {
    let text = text_of(&body)?;
    let expectation = conditions.expectation(&service, &caller, Target::Model(&id)).await?;
    let written = service.write_model(&caller, text, Some(&id), expectation).await?;
    answer::put(&written, body.slice_ref(text.as_bytes()))
}

/// Changes the document under the path's id.
pub(crate) async fn patch(
    State(service): State<Service>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    Query(Nothing {}): Query<Nothing>,
    conditions: Conditions,
    Patched(patch): Patched,
) -> Result<Response, Problem> {
    let expectation = conditions.expectation(&service, &caller, Target::Model(&id)).await?;
    let changed = service.patch_model(&caller, Some(&id), patch, Values::Strict, expectation);
    answer::patched(changed.await?)
}

/// The document as it was given, once there is another than the client has.
pub(crate) async fn read(
    State(service): State<Service>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    Query(wait): Query<Wait>,
    stopping: Stopping,
    conditions: Conditions,
) -> Result<Response, Problem> {
    let mut stored = service.model(&caller, &id, None).await?;
    if conditions.waits(&stored.head, wait)?
        && newer(&service, &caller, Some(&id), &stored.head, wait, &stopping).await?
    {
        stored = service.model(&caller, &id, None).await?;
    }
    let changed = conditions.changed(&service, &caller, &stored.head).await?;
    answer::model(stored, &conditions, changed)
}

/// Deletes the model; its earlier revisions stay readable.
pub(crate) async fn delete(
    State(service): State<Service>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    Query(Nothing {}): Query<Nothing>,
    conditions: Conditions,
) -> Result<StatusCode, Problem> {
    let expectation = conditions.expectation(&service, &caller, Target::Model(&id)).await?;
    service.delete(&caller, &id, expectation).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// What is known of the model's revisions, the newest first.
pub(crate) async fn revisions(
    State(service): State<Service>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    Query(part): Query<Part<Revision>>,
) -> Result<Response, Problem> {
    let page = service.revisions(&caller, &id, part.cursor, part.limit.0).await?;
    answer::json(&Revisions {
        model: id,
        revisions: page.items,
        next_cursor: page.next,
    })
}

/// The document of one revision as it was given.
pub(crate) async fn revision(
    State(service): State<Service>,
    Extension(caller): Extension<Caller>,
    Path((id, revision)): Path<(String, Revision)>,
    Query(Nothing {}): Query<Nothing>,
    conditions: Conditions,
) -> Result<Response, Problem> {
    answer::revision(service.model(&caller, &id, Some(revision)).await?, &conditions)
}

/// What is found in the model, with repairs.
pub(crate) async fn report(
    State(service): State<Service>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    Query(Nothing {}): Query<Nothing>,
) -> Result<Response, Problem> {
    let (head, report) = service.report(&caller, &id).await?;
    answer::report(&head, &report)
}
