//! Copies of models in PostgreSQL, for analysts: each model as `jsonb` beside its exact text.
//!
//! # Layout, in reading order
//! - [`PostgresTarget`]: the target of an export; `run` is a run under way in it.
//! - `copies`: the models as an import reads them.
//! - [`Config`]: where the database is, and how it is reached: never in the clear over a network.
//! - [`SCHEMA`]: the tables. `document`: which texts become `jsonb`.
//! - `connect`: connections that notice when the other side is gone; `tls`: whom they trust.
//! - `failure`: what went wrong, in words that name the repair and never a password.

mod config;
mod connect;
mod copies;
mod document;
mod failure;
mod run;
mod schema;
mod tls;

#[cfg(test)]
mod tests;

pub use config::{BadConfig, Config};
pub use schema::SCHEMA;

use async_trait::async_trait;
use meadow_service::Timestamp;
use meadow_service::export::{ExportTarget, TargetError, TargetRun};
use meadow_service::import::ImportSource;
use std::fmt;

/// A database that copies of models are kept in.
#[derive(Debug, Clone)]
pub struct PostgresTarget {
    config: Config,
}

impl PostgresTarget {
    /// The database that `config` names. Nothing is connected yet.
    #[must_use]
    pub fn new(config: Config) -> Self {
        Self { config }
    }

    /// Begins to read the copies back.
    ///
    /// # Errors
    /// Where the database cannot be reached, or has no such tables.
    pub async fn copies(&self) -> Result<Box<dyn ImportSource>, TargetError> {
        Ok(Box::new(copies::Copies::open(&self.config).await?))
    }
}

/// The server and the database, without user or password.
impl fmt::Display for PostgresTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.config.fmt(f)
    }
}

#[async_trait]
impl ExportTarget for PostgresTarget {
    async fn begin(&self, started: Timestamp) -> Result<Box<dyn TargetRun>, TargetError> {
        Ok(Box::new(run::Run::begin(&self.config, started).await?))
    }
}
