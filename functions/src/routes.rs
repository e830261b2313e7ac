//! What each function of the HTTP API answers.

use crate::{BadConfig, Config};
use axum::Router;
use axum::extract::Request;
use axum::routing::any;
use meadow_service::Service;
use tower::ServiceExt;

/// `/mcp`: what agents reach. It alone has notes and papers.
///
/// # Errors
/// A setting about papers that is wrong.
pub fn mcp(service: Service, config: &Config) -> Result<Router, BadConfig> {
    let service = service.with_notes(config.vault()).with_sources(config.sources()?);
    Ok(meadow_mcp::route(service, config.mcp()))
}

/// Every other route: what people and programs reach.
///
/// # Errors
/// None.
pub fn model(service: Service, _: &Config) -> Result<Router, BadConfig> {
    Ok(meadow_http::routes(service))
}

/// `/healthz` alone.
///
/// # Errors
/// None.
pub fn health(service: Service, _: &Config) -> Result<Router, BadConfig> {
    let routes = meadow_http::routes(service);
    let healthz = async |request: Request, routes: Router| routes.oneshot(request).await;
    Ok(Router::new().route("/healthz", any(move |request| healthz(request, routes))))
}
