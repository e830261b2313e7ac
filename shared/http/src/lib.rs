//! The HTTP surface: `/model`, the `/models` family, `/healthz`, `/openapi.json`, and the layers around every route.
//!
//! # Layout, in reading order
//! - [`layers`](mod@layers): what surrounds every route, those of other surfaces included; start with `around`.
//! - `access`: who asks. `guard`: which hosts and origins may ask; `cors`: what pages may read; `limit`: how many
//!   requests at a time; `unread`: what becomes of bodies that no answer needs.
//! - `routes`: the one table of routes; the router and `openapi` come from it.
//! - `latest`, `models`, `dynamics`, `health`: the handlers; each decodes, calls one use case, encodes.
//! - `extract`, `negotiate`, `conditions`: what a request says, read strictly.
//! - `wait`: reads that wait for something newer.
//! - `answer`, `problem`: what is sent back.
//!
//! A handler never renders a fault. It returns a `Problem`, and the layers write that: as `application/problem+json`
//! with the request's id, or as JSON-RPC under `/mcp`.
//!
//! This crate knows axum and the use cases; it knows neither MCP nor a store.

mod access;
mod answer;
mod conditions;
mod cors;
mod dynamics;
mod extract;
mod guard;
mod health;
mod latest;
pub mod layers;
mod limit;
mod models;
mod negotiate;
mod openapi;
mod problem;
mod request_id;
mod routes;
#[cfg(test)]
mod tests;
mod unread;
mod wait;

pub use access::Access;
pub use guard::{Settings, read_host, read_origin};
pub use layers::{Config, layers};
pub use routes::routes;
pub use wait::Stopping;
