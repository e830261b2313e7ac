//! A run under way: two connections, of which one holds the lock that keeps other runs out.

use crate::config::Config;
use crate::connect::{answer, connect};
use crate::{document, schema};
use async_trait::async_trait;
use meadow_service::export::{Committed, ExportRun, Row, TargetError, TargetRun};
use meadow_service::source::hex;
use meadow_service::{Change, Revision, Timestamp};
use std::time::SystemTime;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Error, Transaction};

/// The advisory lock of exports, in each database its own: "meadow" in ASCII.
const LOCK: i64 = 0x6d65_6164_6f77;

/// The last moment of the year 9999, beyond which dates have no common form.
const LAST: Timestamp = Timestamp(253_402_300_799_999);

/// Rows are written over older revisions only. One statement for a whole batch.
const UPSERT: &str = "\
insert into meadow.models as m
    (workspace, id, revision, complete, deleted, document, source, sha256, updated_at, exported_at)
select r.workspace, r.id, r.revision, r.complete, r.deleted, case when r.held then r.source::jsonb end, r.source,
    r.sha256, r.updated_at, clock_timestamp()
from unnest($1, $2, $3, $4, $5, $6, $7, $8, $9)
    as r (workspace, id, revision, complete, deleted, held, source, sha256, updated_at)
on conflict (workspace, id) do update set
    revision = excluded.revision, complete = excluded.complete, deleted = excluded.deleted,
    document = excluded.document, source = excluded.source, sha256 = excluded.sha256,
    updated_at = excluded.updated_at, exported_at = excluded.exported_at
where m.revision < excluded.revision";

const HELD: &str = "\
select m.revision::bigint
from unnest($1, $2) with ordinality as r (workspace, id, place)
left join meadow.models as m on m.workspace = r.workspace and m.id = r.id
order by r.place";

const END: &str = "\
update meadow.exports set ended_at = $2, finished = $3, walked = $4, written = $5, tombstones = $6, present = $7,
    without_document = $8, ahead = $9, unreadable = $10, problems = $11, error = $12, cursor = $13
where id = $1";

/// A run in the database.
pub(crate) struct Run {
    config: Config,
    /// Holds the lock by a transaction that stays open. Not by the session: poolers hand sessions on.
    lock: Client,
    client: Client,
    id: i64,
    cursor: Option<Timestamp>,
}

impl Run {
    pub(crate) async fn begin(config: &Config, started: Timestamp) -> Result<Self, TargetError> {
        let lock = connect(config).await?;
        take(config, &lock).await?;
        let client = connect(config).await?;
        let encoding = answer(
            config,
            client.query_typed_one("select current_setting('server_encoding')", &[]),
        )
        .await?;
        let encoding: String = encoding.get(0);
        if encoding != "UTF8" {
            return Err(TargetError::Failed(format!(
                "the database at {config} is encoded in {encoding}, which cannot hold every model; create one with encoding 'UTF8'"
            )));
        }
        schema::make(config, &client).await?;
        let died = "update meadow.exports set ended_at = clock_timestamp(), error = 'killed, or cut off from the database' \
            where ended_at is null";
        answer(config, client.execute_typed(died, &[])).await?;
        let last = "select cursor::timestamptz from meadow.exports where cursor is not null order by id desc limit 1";
        let last = answer(config, client.query_typed_opt(last, &[])).await?;
        let cursor = last.map(|row| timestamp(row.get(0)));
        let begun = "insert into meadow.exports (started_at, cursor) values ($1, $2) returning id::bigint";
        let (at, from) = (time(started), cursor.map(time));
        let params: [(&(dyn ToSql + Sync), Type); 2] = [(&at, Type::TIMESTAMPTZ), (&from, Type::TIMESTAMPTZ)];
        let begun = client.query_typed_one(begun, &params);
        let id = answer(config, begun).await?.get(0);
        Ok(Self {
            config: config.clone(),
            lock,
            client,
            id,
            cursor,
        })
    }

    /// Commits a batch in one statement.
    async fn batch(&mut self, rows: &[Row], cursor: Option<Timestamp>, committed: &mut Committed) -> Result<(), Error> {
        let mut held = vec![true; rows.len()];
        for (place, _) in &committed.without_document {
            held[*place] = false;
        }
        let transaction = self.client.transaction().await?;
        committed.written = upsert(&transaction, rows, &held).await?;
        reached(&transaction, self.id, cursor, committed.written).await?;
        transaction.commit().await
    }

    /// Commits a batch row by row, where a document of it is refused.
    async fn one_by_one(
        &mut self,
        rows: &[Row],
        cursor: Option<Timestamp>,
        committed: &mut Committed,
    ) -> Result<(), Error> {
        let left_out = std::mem::take(&mut committed.without_document);
        committed.written = 0;
        let mut transaction = self.client.transaction().await?;
        for (place, row) in rows.iter().enumerate() {
            let row = std::slice::from_ref(row);
            let why = left_out
                .iter()
                .find(|(out, _)| *out == place)
                .map(|(_, why)| why.clone());
            let mut why = why;
            if why.is_none() {
                let attempt = transaction.savepoint("attempt").await?;
                match upsert(&attempt, row, &[true]).await {
                    Ok(written) => {
                        attempt.commit().await?;
                        committed.written += written;
                    }
                    Err(error) if refuses_a_document(&error) => {
                        attempt.rollback().await?;
                        why = Some(reason(&error));
                    }
                    Err(error) => return Err(error),
                }
            }
            if let Some(why) = why {
                committed.written += upsert(&transaction, row, &[false]).await?;
                committed.without_document.push((place, why));
            }
        }
        reached(&transaction, self.id, cursor, committed.written).await?;
        transaction.commit().await
    }

    /// Commits a batch, whatever its documents are.
    async fn write(&mut self, rows: &[Row], cursor: Option<Timestamp>) -> Result<Committed, Error> {
        let refused = rows.iter().enumerate().filter_map(|(place, row)| {
            let text = row.text.as_deref()?;
            Some((place, document::refusal(text)?))
        });
        let mut committed = Committed {
            written: 0,
            without_document: refused.collect(),
        };
        match self.batch(rows, cursor, &mut committed).await {
            Err(error) if refuses_a_document(&error) => self.one_by_one(rows, cursor, &mut committed).await?,
            done => done?,
        }
        Ok(committed)
    }
}

#[async_trait]
impl TargetRun for Run {
    fn cursor(&self) -> Option<Timestamp> {
        self.cursor
    }

    async fn held(&mut self, models: &[Change]) -> Result<Vec<Option<Revision>>, TargetError> {
        let workspaces: Vec<_> = models.iter().map(|change| change.workspace.as_str()).collect();
        let ids: Vec<_> = models.iter().map(|change| change.id.as_str()).collect();
        let params: [(&(dyn ToSql + Sync), Type); 2] = [(&workspaces, Type::TEXT_ARRAY), (&ids, Type::TEXT_ARRAY)];
        let rows = answer(&self.config, self.client.query_typed(HELD, &params)).await?;
        let revision = |held: Option<i64>| held.map(|held| u64::try_from(held).unwrap_or_default());
        Ok(rows.iter().map(|row| revision(row.get(0))).collect())
    }

    async fn commit(&mut self, rows: &[Row], cursor: Option<Timestamp>) -> Result<Committed, TargetError> {
        if self.lock.is_closed() {
            return Err(TargetError::Unavailable(format!(
                "the connection to PostgreSQL at {} that keeps other exports out broke; a next run goes on where this one got to",
                self.config
            )));
        }
        let config = self.config.clone();
        answer(&config, self.write(rows, cursor)).await
    }

    async fn end(self: Box<Self>, run: &ExportRun, error: Option<&str>) -> Result<(), TargetError> {
        let Self {
            config,
            mut client,
            id,
            lock,
            ..
        } = *self;
        if error.is_some() {
            // What failed may be the connection, or still stand in the way on it.
            client = connect(&config).await?;
        }
        let recorded = answer(&config, record(&client, id, run, error)).await;
        // Only now may another run begin; and at once, not when PostgreSQL notices that the connection is closed. Where it
        // does not answer, it will.
        let _ = answer(&config, lock.batch_execute("rollback")).await;
        drop(lock);
        recorded
    }
}

/// Takes the lock, or tells who has it.
async fn take(config: &Config, client: &Client) -> Result<(), TargetError> {
    // The transaction has nothing to do while it is open, which some servers end after a while.
    let open = "begin; set local idle_in_transaction_session_timeout = 0";
    answer(config, client.batch_execute(open)).await?;
    let lock = client.query_typed_one("select pg_try_advisory_xact_lock($1)", &[(&LOCK, Type::INT8)]);
    if answer(config, lock).await?.get(0) {
        return Ok(());
    }
    Err(TargetError::Busy(format!(
        "another export into {config} is at work; this one did nothing. Let it end (meadow.exports tells when it began), or end its session"
    )))
}

/// Writes rows over older revisions, with the documents of those that can be `held`.
async fn upsert(transaction: &Transaction<'_>, rows: &[Row], held: &[bool]) -> Result<u64, Error> {
    if rows.is_empty() {
        return Ok(0);
    }
    let workspaces: Vec<_> = rows.iter().map(|row| row.workspace.as_str()).collect();
    let ids: Vec<_> = rows.iter().map(|row| row.head.id.as_str()).collect();
    let revisions: Vec<_> = rows.iter().map(|row| revision(row.head.revision)).collect();
    let complete: Vec<_> = rows.iter().map(|row| row.head.complete).collect();
    let deleted: Vec<_> = rows.iter().map(|row| row.head.deleted).collect();
    let sources: Vec<_> = rows.iter().map(|row| row.text.as_deref()).collect();
    let sha256: Vec<_> = rows.iter().map(|row| hex(&row.head.sha256)).collect();
    let updated: Vec<_> = rows.iter().map(|row| time(row.head.updated_at)).collect();
    let params: [(&(dyn ToSql + Sync), Type); 9] = [
        (&workspaces, Type::TEXT_ARRAY),
        (&ids, Type::TEXT_ARRAY),
        (&revisions, Type::INT8_ARRAY),
        (&complete, Type::BOOL_ARRAY),
        (&deleted, Type::BOOL_ARRAY),
        (&held, Type::BOOL_ARRAY),
        (&sources, Type::TEXT_ARRAY),
        (&sha256, Type::TEXT_ARRAY),
        (&updated, Type::TIMESTAMPTZ_ARRAY),
    ];
    transaction.execute_typed(UPSERT, &params).await
}

/// Notes how far the run has got, in the transaction that got it there.
async fn reached(transaction: &Transaction<'_>, id: i64, cursor: Option<Timestamp>, written: u64) -> Result<(), Error> {
    let update = "update meadow.exports set cursor = $2, written = written + $3 where id = $1";
    let params: [(&(dyn ToSql + Sync), Type); 3] = [
        (&id, Type::INT8),
        (&cursor.map(time), Type::TIMESTAMPTZ),
        (&count(written), Type::INT8),
    ];
    transaction.execute_typed(update, &params).await.map(drop)
}

/// Records how the run ended.
async fn record(client: &Client, id: i64, run: &ExportRun, error: Option<&str>) -> Result<(), Error> {
    let named = [
        ("no document", &run.without_document),
        ("newer here", &run.ahead),
        ("unreadable", &run.unreadable),
    ];
    let problems = named
        .iter()
        .flat_map(|(kind, named)| named.first.iter().map(move |one| format!("{kind}: {one}")));
    let problems: Vec<String> = problems.collect();
    let params: [(&(dyn ToSql + Sync), Type); 13] = [
        (&id, Type::INT8),
        (&run.ended.map(time), Type::TIMESTAMPTZ),
        (&run.finished, Type::BOOL),
        (&count(run.walked), Type::INT8),
        (&count(run.written), Type::INT8),
        (&count(run.tombstones), Type::INT8),
        (&count(run.present), Type::INT8),
        (&count(run.without_document.count), Type::INT8),
        (&count(run.ahead.count), Type::INT8),
        (&count(run.unreadable.count), Type::INT8),
        (&problems, Type::TEXT_ARRAY),
        (&error, Type::TEXT),
        (&run.cursor.map(time), Type::TIMESTAMPTZ),
    ];
    client.execute_typed(END, &params).await.map(drop)
}

/// Whether the server can read the texts, but not hold them as documents: data exceptions, limits of its parser,
/// and memory.
fn refuses_a_document(error: &Error) -> bool {
    let code = error.code().map(|code| code.code().to_owned()).unwrap_or_default();
    code.starts_with("22") || code.starts_with("54") || code == "53200"
}

/// The server's reason, without its details, which quote the document.
fn reason(error: &Error) -> String {
    let refusal = error.as_db_error();
    refusal.map_or_else(
        || error.to_string(),
        |refusal| format!("PostgreSQL: {}", refusal.message()),
    )
}

fn revision(revision: Revision) -> i64 {
    i64::try_from(revision).unwrap_or(i64::MAX)
}

fn count(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn time(at: Timestamp) -> SystemTime {
    at.min(LAST).system()
}

fn timestamp(time: SystemTime) -> Timestamp {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    Timestamp(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}
