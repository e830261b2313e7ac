//! The tables, as a list of migrations.
//!
//! Several versions of Meadow may use one file at the same time, so that a change comes in two releases: first the
//! steps that add what the new code needs and leave what the old code uses; in a later release those that take it away.

use crate::failure::Unfit;
use rusqlite::{Connection, TransactionBehavior};

/// `application_id` of our files, "MEDW" in ASCII: tells them from those of other programs.
pub(crate) const APPLICATION: i32 = 0x4d45_4457;

/// What makes each version out of the one before; the version of a file is how many of them it has seen. Steps that
/// were released never change.
pub(crate) const MIGRATIONS: &[&str] = &[
    // 1: `models` holds each model as it stands, tombstones included; `revisions` what it was, tombstones without a
    // text; `latest` the model whose put was acknowledged last. Ids compare as bytes, which for UTF-8 is by code point.
    // `text` is the last column: what stands before it is read without it.
    "PRAGMA application_id = 0x4d454457;
     CREATE TABLE models (
         workspace TEXT NOT NULL, id TEXT NOT NULL, revision INTEGER NOT NULL, name TEXT NOT NULL,
         complete INTEGER NOT NULL, deleted INTEGER NOT NULL, size INTEGER NOT NULL, sha256 BLOB NOT NULL,
         updated_at INTEGER NOT NULL,
         PRIMARY KEY (workspace, id)
     ) STRICT, WITHOUT ROWID;
     CREATE INDEX models_by_change ON models (updated_at, workspace, id);
     CREATE TABLE revisions (
         workspace TEXT NOT NULL, id TEXT NOT NULL, revision INTEGER NOT NULL, name TEXT NOT NULL,
         complete INTEGER NOT NULL, deleted INTEGER NOT NULL, size INTEGER NOT NULL, sha256 BLOB NOT NULL,
         updated_at INTEGER NOT NULL, text TEXT,
         PRIMARY KEY (workspace, id, revision)
     ) STRICT;
     CREATE TABLE latest (workspace TEXT NOT NULL PRIMARY KEY, id TEXT NOT NULL) STRICT, WITHOUT ROWID;",
    // 2: the last acknowledged writes of each model, as a ring: write number n of a model stands in slot n modulo the
    // length of the ring.
    "ALTER TABLE models ADD COLUMN writes INTEGER NOT NULL DEFAULT 0;
     CREATE TABLE writes (
         workspace TEXT NOT NULL, id TEXT NOT NULL, slot INTEGER NOT NULL,
         write BLOB NOT NULL, outcome INTEGER NOT NULL, revision INTEGER NOT NULL,
         PRIMARY KEY (workspace, id, slot)
     ) STRICT, WITHOUT ROWID;",
    // 3: access tokens, of which only hashes are kept. Their key has no workspace: they are what tells it.
    "CREATE TABLE tokens (
         id TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL, workspace TEXT NOT NULL, scopes TEXT NOT NULL,
         hash BLOB NOT NULL, created INTEGER NOT NULL, expires INTEGER, revoked INTEGER
     ) STRICT, WITHOUT ROWID;",
    // 4: what may be forgotten, and turns. The index answers how much there is, without a look at the values.
    "CREATE TABLE cache (
         key TEXT NOT NULL PRIMARY KEY, expires INTEGER NOT NULL, size INTEGER NOT NULL, value BLOB NOT NULL
     ) STRICT;
     CREATE INDEX cache_by_expiry ON cache (expires, size);
     CREATE TABLE slots (name TEXT NOT NULL PRIMARY KEY, holder BLOB, until INTEGER NOT NULL) STRICT, WITHOUT ROWID;",
    // 5: the last acknowledged writes of a model stand in its row. What the second step made for them is not used any
    // more. Those that were noted there are forgotten: whoever made them has its answer, since it lived in a process
    // of an older version.
    "ALTER TABLE models ADD COLUMN recent BLOB NOT NULL DEFAULT x'';
     DELETE FROM writes;",
];

/// Brings a file to the version that `migrations` end with.
pub(crate) fn migrate(connection: &mut Connection, migrations: &[&str]) -> Result<(), Unfit> {
    if seen(connection, migrations.len())? == migrations.len() {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Again, now that nobody else can write: another process may have been faster.
    let from = check(&transaction, migrations.len())?;
    for step in &migrations[from..] {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "user_version", migrations.len())?;
    transaction.commit()?;
    Ok(())
}

/// The version of a file that is ours or empty. In one snapshot: another process may be making the tables right now.
pub(crate) fn seen(connection: &Connection, known: usize) -> Result<usize, Unfit> {
    check(&*connection.unchecked_transaction()?, known)
}

/// The same within a transaction.
fn check(connection: &Connection, known: usize) -> Result<usize, Unfit> {
    let found = version(connection)?;
    let application: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    match (application, tables) {
        (APPLICATION, _) if found > known => Err(Unfit::Newer { found, known }),
        (APPLICATION, _) => Ok(found),
        (0, 0) if found == 0 => Ok(0),
        _ => Err(Unfit::Foreign),
    }
}

/// How many migrations a file has seen.
pub(crate) fn version(connection: &Connection) -> rusqlite::Result<usize> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}
