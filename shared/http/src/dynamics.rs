//! `/models/{id}/simulation` and `/models/{id}/analysis`: what a model does, and how it is built.

use crate::answer;
use crate::extract::{Nothing, Path, Query};
use crate::problem::Problem;
use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use meadow_service::dynamics::{MOST_LOOPS, Wanted};
use meadow_service::{Caller, Service};
use serde::Deserialize;

/// Bytes of a table: what an answer may have (5.5 MB) with room for its headers.
const MAX_TABLE: usize = 5_400_000;

/// In which form a run is wanted.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Format {
    /// Summaries and short series.
    #[default]
    Json,
    /// Every saved step of every variable.
    Csv,
}

/// What is wanted of a run.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Form {
    #[serde(default)]
    format: Format,
}

/// Runs the model.
pub(crate) async fn simulation(
    State(service): State<Service>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    Query(form): Query<Form>,
) -> Result<Response, Problem> {
    match form.format {
        Format::Json => {
            let wanted = Wanted::default();
            let (head, simulation) = service.simulate(&caller, Some(&id), None, wanted).await?;
            answer::of_model(&head, &simulation)
        }
        Format::Csv => {
            let (head, table) = service.simulate_csv(&caller, &id, MAX_TABLE).await?;
            answer::table(&head, table?)
        }
    }
}

/// Finds the model's feedback loops.
pub(crate) async fn analysis(
    State(service): State<Service>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    Query(Nothing {}): Query<Nothing>,
) -> Result<Response, Problem> {
    let (head, structure) = service.analyze(&caller, Some(&id), None, MOST_LOOPS).await?;
    answer::of_model(&head, &structure)
}
