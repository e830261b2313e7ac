//! The tables.

use crate::config::Config;
use crate::connect::answer;
use meadow_service::export::TargetError;
use tokio_postgres::Client;

/// The tables, as SQL that may be run again.
pub const SCHEMA: &str = include_str!("schema.sql");

/// Makes the tables where they are missing.
pub(crate) async fn make(config: &Config, client: &Client) -> Result<(), TargetError> {
    // Not by "if not exists" alone: a role that may write the tables may not be allowed to create them.
    let there = "select to_regclass('meadow.models') is not null and to_regclass('meadow.exports') is not null";
    let there = answer(config, client.query_typed_one(there, &[])).await?;
    if there.get(0) {
        return Ok(());
    }
    answer(config, client.batch_execute(SCHEMA)).await
}
