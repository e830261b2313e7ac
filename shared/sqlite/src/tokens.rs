//! Access tokens: the queries, and what making and revoking do within a transaction.

use crate::read::{all, int};
use meadow_access::{Scopes, TokenId};
use meadow_service::{Timestamp, TokenRecord, Workspace};
use rusqlite::types::FromSqlError;
use rusqlite::{Connection, OptionalExtension, Row, params};

/// One attempt to revoke a token.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Revoke {
    pub(crate) id: TokenId,
    pub(crate) at: Timestamp,
}

/// The columns of a [`TokenRecord`].
macro_rules! columns {
    () => {
        "id, name, workspace, scopes, hash, created, expires, revoked"
    };
}

fn to_record(row: &Row<'_>) -> rusqlite::Result<TokenRecord> {
    let (id, workspace, scopes): (String, String, String) = (row.get(0)?, row.get(2)?, row.get(3)?);
    Ok(TokenRecord {
        id: id.parse().map_err(FromSqlError::other)?,
        name: row.get(1)?,
        workspace: Workspace::new(&workspace).map_err(FromSqlError::other)?,
        scopes: Scopes::known(&scopes),
        hash: row.get(4)?,
        created: Timestamp(row.get(5)?),
        expires: row.get::<_, Option<u64>>(6)?.map(Timestamp),
        revoked: row.get::<_, Option<u64>>(7)?.map(Timestamp),
    })
}

/// The record of a token.
pub(crate) fn get(connection: &Connection, id: TokenId) -> rusqlite::Result<Option<TokenRecord>> {
    const SQL: &str = concat!("SELECT ", columns!(), " FROM tokens WHERE id = ?1");
    let mut query = connection.prepare_cached(SQL)?;
    query.query_row([id.as_str()], to_record).optional()
}

/// All records, by the time when they were made.
pub(crate) fn list(connection: &Connection) -> rusqlite::Result<Vec<TokenRecord>> {
    const SQL: &str = concat!("SELECT ", columns!(), " FROM tokens ORDER BY created, id");
    all(connection, SQL, [], to_record)
}

/// Makes a record; false where another has its id.
pub(crate) fn make(connection: &Connection, record: &TokenRecord) -> rusqlite::Result<bool> {
    const SQL: &str = concat!(
        "INSERT INTO tokens (",
        columns!(),
        ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO NOTHING"
    );
    let made = connection.prepare_cached(SQL)?.execute(params![
        record.id.as_str(),
        record.name,
        record.workspace.as_str(),
        record.scopes.to_string(),
        record.hash,
        int(record.created.0),
        record.expires.map(|at| int(at.0)),
        record.revoked.map(|at| int(at.0)),
    ])?;
    Ok(made == 1 || get(connection, record.id)?.is_some_and(|kept| kept.hash == record.hash))
}

/// Revokes a token, from the earliest time that was said; gives its record as it stands then.
pub(crate) fn revoke(connection: &Connection, Revoke { id, at }: &Revoke) -> rusqlite::Result<Option<TokenRecord>> {
    const SQL: &str = "UPDATE tokens SET revoked = ?2 WHERE id = ?1 AND (revoked IS NULL OR revoked > ?2)";
    connection
        .prepare_cached(SQL)?
        .execute(params![id.as_str(), int(at.0)])?;
    get(connection, *id)
}
