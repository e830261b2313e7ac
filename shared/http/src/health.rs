//! `/healthz`: whether the process lives and, when asked, whether its store does.

use crate::answer;
use crate::extract::Query;
use crate::problem::Problem;
use axum::extract::State;
use axum::response::Response;
use meadow_service::Service;
use serde::{Deserialize, Serialize};

/// How deep to look.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Depth {
    #[serde(default)]
    deep: Switch,
}

#[derive(Debug, Default, Deserialize)]
#[serde(try_from = "String")]
struct Switch(bool);

impl TryFrom<String> for Switch {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.as_str() {
            "1" | "true" => Ok(Self(true)),
            "0" | "false" => Ok(Self(false)),
            _ => Err(format!("{text:?} is given, 1 or 0 is expected")),
        }
    }
}

#[derive(Debug, Serialize)]
struct Health {
    status: &'static str,
    version: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    store: Option<&'static str>,
}

/// Answers while the process lives; with `deep` only when the store can be reached too.
pub(crate) async fn check(State(service): State<Service>, Query(depth): Query<Depth>) -> Result<Response, Problem> {
    let mut store = None;
    if depth.deep.0 {
        service.ping().await?;
        store = Some("ok");
    }
    answer::json(&Health {
        status: "ok",
        version: env!("CARGO_PKG_VERSION"),
        store,
    })
}
