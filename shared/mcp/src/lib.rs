//! The MCP surface: tools, resources and instructions, over HTTP and over a pair of streams.
//!
//! # Layout, in reading order
//! - [`route`] (`endpoint`): `/mcp` as an axum router; judges every message before rmcp sees it. [`around`] is the same
//!   for another handler than ours.
//! - [`stdio`]: the same server over lines of JSON.
//! - `raw`: takes `params.arguments` out of a message as text, so that no document goes through rmcp.
//! - `rpc`: what is JSON-RPC and what is answered to the rest.
//! - `params`: what is wrong with the params of a method.
//! - `server`: the handler that rmcp calls.
//! - `tools`: the table of tools, one file each. `arguments` reads what clients send to them.
//! - `resources`: guides, examples and models.
//! - `completion`: names in templates of resources, while a client types them.
//! - `denial`: calls that their caller may not make.
//! - `guard`: panics, deadlines, the server's end, and clients that do not wait.
//!
//! This crate knows rmcp; it does not know the HTTP API, nor any store.

mod arguments;
mod completion;
mod denial;
mod endpoint;
mod guard;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod leaving;
mod params;
mod raw;
mod resources;
mod rpc;
mod server;
pub mod stdio;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod texts;
mod tools;

pub use endpoint::{around, route};

use std::time::Duration;
use tokio::sync::watch;

/// What a caller of this crate may choose.
#[derive(Debug, Clone)]
pub struct Config {
    /// Where the HTTP API can be reached, such as `http://127.0.0.1:8787`, for answers that point to it.
    pub base_url: Option<String>,
    /// How long a tool or a resource may work before the client is told that it took too long.
    pub deadline: Duration,
    /// True once the server ends and gives up what still runs: that is answered so. None where it gives no notice.
    pub ending: Option<watch::Receiver<bool>>,
}

impl Default for Config {
    /// No HTTP API, and 20 s: below the 25 s of the function and the 29 s of API Gateway.
    fn default() -> Self {
        Self {
            base_url: None,
            deadline: Duration::from_secs(20),
            ending: None,
        }
    }
}
