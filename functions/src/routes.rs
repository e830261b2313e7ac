//! What each function of the HTTP API answers.

use crate::Config;
use axum::Router;
use axum::extract::Request;
use axum::routing::any;
use meadow_service::Service;
use tower::ServiceExt;

/// `/mcp`: what agents reach.
pub fn mcp(service: Service, config: &Config) -> Router {
    meadow_mcp::route(service, config.mcp())
}

/// Every other route: what people and programs reach.
pub fn model(service: Service, _: &Config) -> Router {
    meadow_http::routes(service)
}

/// `/healthz` alone.
pub fn health(service: Service, _: &Config) -> Router {
    let routes = meadow_http::routes(service);
    let healthz = async |request: Request, routes: Router| routes.oneshot(request).await;
    Router::new().route("/healthz", any(move |request| healthz(request, routes)))
}
