//! The models as an import reads them: one after the other, whatever their number.

use crate::config::Config;
use crate::connect::{answer, connect};
use async_trait::async_trait;
use futures_util::TryStreamExt;
use meadow_service::export::TargetError;
use meadow_service::import::{ImportSource, Saved};
use std::pin::Pin;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, RowStream};

/// Those that changed last come last, so that a workspace's latest model is what it was, as far as that is known.
const ALL: &str = "\
select workspace::text, id::text, source::text, coalesce(sha256::text, '') from meadow.models
where not deleted
order by updated_at, workspace, id";

/// A query under way; it is read as fast as rows are taken.
pub(crate) struct Copies {
    config: Config,
    rows: Pin<Box<RowStream>>,
    /// Ends the connection when dropped.
    _client: Client,
}

impl Copies {
    pub(crate) async fn open(config: &Config) -> Result<Self, TargetError> {
        let client = connect(config).await?;
        let there = client.query_typed_one("select to_regclass('meadow.models') is not null", &[]);
        if !answer(config, there).await?.get::<_, bool>(0) {
            return Err(TargetError::Failed(format!(
                "the database at {config} has no table meadow.models; is it the one that meadow export wrote to?"
            )));
        }
        let rows = answer(config, client.query_typed_raw::<&(dyn ToSql + Sync), _>(ALL, [])).await?;
        Ok(Self {
            config: config.clone(),
            rows: Box::pin(rows),
            _client: client,
        })
    }
}

#[async_trait]
impl ImportSource for Copies {
    async fn next(&mut self) -> Result<Option<Saved>, TargetError> {
        let row = answer(&self.config, self.rows.try_next()).await?;
        Ok(row.map(|row| Saved {
            workspace: row.get(0),
            id: row.get(1),
            text: row.get(2),
            sha256: row.get(3),
        }))
    }
}
