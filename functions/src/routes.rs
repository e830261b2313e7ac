//! What each function of the HTTP API answers.

use crate::Config;
use axum::Router;
use meadow_service::Service;

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
    Router::new().route_service("/healthz", meadow_http::routes(service))
}
