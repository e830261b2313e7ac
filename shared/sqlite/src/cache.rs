//! What may be forgotten.

use crate::SqliteStore;
use crate::read::int;
use async_trait::async_trait;
use meadow_service::cache::{Cache, MAX_KEY, MAX_VALUE};
use meadow_service::{StoreError, Timestamp};
use rusqlite::{Connection, OptionalExtension, params};
use std::sync::Arc;

/// How many values are kept, and how many bytes of them.
const KEPT: u64 = 20_000;
const KEPT_BYTES: u64 = 200_000_000;

/// A value to keep, or a mark, which is an empty one.
#[derive(Debug)]
pub(crate) struct Entry {
    key: String,
    value: Vec<u8>,
    now: Timestamp,
    expires: Timestamp,
}

/// The value under a key.
fn get(connection: &Connection, key: &str, now: Timestamp) -> rusqlite::Result<Option<Arc<[u8]>>> {
    const SQL: &str = "SELECT value FROM cache WHERE key = ?1 AND expires > ?2";
    let mut query = connection.prepare_cached(SQL)?;
    let value = query.query_row(params![key, int(now.0)], |row| {
        Ok(Arc::from(row.get_ref(0)?.as_blob()?))
    });
    value.optional()
}

/// Writes an entry over another one, where a condition holds.
macro_rules! write {
    ($condition:literal) => {
        concat!(
            "INSERT INTO cache (key, expires, size, value) VALUES (?1, ?2, length(?3), ?3) ON CONFLICT (key)
             DO UPDATE SET expires = excluded.expires, size = excluded.size, value = excluded.value ",
            $condition
        )
    };
}

/// Keeps a value.
fn put(connection: &Connection, entry: &Entry) -> rusqlite::Result<()> {
    let values = params![entry.key, int(entry.expires.0), entry.value];
    connection.prepare_cached(write!(""))?.execute(values)?;
    tidy(connection, entry.now)
}

/// Marks a key; whether it was marked already.
fn mark(connection: &Connection, entry: &Entry) -> rusqlite::Result<bool> {
    const SQL: &str = write!("WHERE cache.expires <= ?4");
    let values = params![entry.key, int(entry.expires.0), entry.value, int(entry.now.0)];
    let written = connection.prepare_cached(SQL)?.execute(values)?;
    tidy(connection, entry.now)?;
    Ok(written == 0)
}

/// Takes away what has expired, and where too much is left, what expires first: a tenth more than need be, so that a
/// full cache is not gone through at each put.
fn tidy(connection: &Connection, now: Timestamp) -> rusqlite::Result<()> {
    const EXPIRED: &str = "DELETE FROM cache WHERE expires <= ?1";
    const HELD: &str = "SELECT count(*), total(size) FROM cache";
    const SURPLUS: &str = "DELETE FROM cache WHERE rowid IN (
        SELECT rowid FROM (
            SELECT rowid, row_number() OVER later AS number, sum(size) OVER later AS bytes FROM cache
            WINDOW later AS (ORDER BY expires DESC, rowid DESC ROWS UNBOUNDED PRECEDING)
        ) WHERE number > ?1 OR bytes > ?2)";
    connection.prepare_cached(EXPIRED)?.execute([int(now.0)])?;
    let (held, bytes): (u64, f64) = connection
        .prepare_cached(HELD)?
        .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    if held > KEPT || bytes > KEPT_BYTES as f64 {
        let most = params![int(KEPT / 10 * 9), int(KEPT_BYTES / 10 * 9)];
        connection.prepare_cached(SURPLUS)?.execute(most)?;
    }
    Ok(())
}

#[async_trait]
impl Cache for SqliteStore {
    async fn get(&self, key: &str, now: Timestamp) -> Result<Option<Arc<[u8]>>, StoreError> {
        let key = key.to_owned();
        self.read(move |connection, _| get(connection, &key, now)).await
    }

    async fn put(&self, key: &str, value: &[u8], now: Timestamp, expires: Timestamp) -> Result<(), StoreError> {
        if key.len() > MAX_KEY || value.len() > MAX_VALUE {
            return Ok(());
        }
        let (key, value) = (key.to_owned(), value.to_owned());
        let entry = Entry {
            key,
            value,
            now,
            expires,
        };
        self.writer.ask(entry, put).await
    }

    async fn mark(&self, key: &str, now: Timestamp, expires: Timestamp) -> Result<bool, StoreError> {
        if key.len() > MAX_KEY {
            return Ok(false);
        }
        let (key, value) = (key.to_owned(), Vec::new());
        let entry = Entry {
            key,
            value,
            now,
            expires,
        };
        self.writer.ask(entry, mark).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connection::File;

    fn entry(key: u64, value: &[u8], now: u64, expires: u64) -> Entry {
        Entry {
            key: format!("key {key}"),
            value: value.to_owned(),
            now: Timestamp(now),
            expires: Timestamp(expires),
        }
    }

    fn keys(connection: &Connection) -> Vec<String> {
        let mut query = connection.prepare("SELECT key FROM cache ORDER BY expires").unwrap();
        let keys = query.query_map([], |row| row.get(0)).unwrap();
        keys.map(Result::unwrap).collect()
    }

    fn file() -> (tempfile::TempDir, Connection) {
        let folder = tempfile::tempdir().unwrap();
        let (_, connection) = File::open(&folder.path().join("meadow.db")).unwrap();
        (folder, connection)
    }

    #[test]
    fn what_has_expired_goes_as_something_new_comes() {
        let (_folder, connection) = file();
        put(&connection, &entry(1, b"a", 0, 10)).unwrap();
        put(&connection, &entry(2, b"b", 0, 11)).unwrap();
        assert!(!mark(&connection, &entry(3, b"", 10, 20)).unwrap());
        assert_eq!(keys(&connection), ["key 2", "key 3"]);
        put(&connection, &entry(4, b"d", 20, 30)).unwrap();
        assert_eq!(keys(&connection), ["key 4"]);
    }

    #[test]
    fn too_many_or_too_large_go_by_their_expiry() {
        let (_folder, mut connection) = file();
        let transaction = connection.transaction().unwrap();
        let sql = "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?1)
            INSERT INTO cache (key, expires, size, value) SELECT 'key ' || n, 100 + n, 1, x'00' FROM n";
        transaction.execute(sql, [int(KEPT)]).unwrap();
        put(&transaction, &entry(1, b"again", 0, 50)).unwrap();
        assert_eq!(keys(&transaction).len() as u64, KEPT, "full, and not too full");
        put(&transaction, &entry(KEPT + 1, b"new", 0, 1_000_000)).unwrap();
        let left = keys(&transaction);
        assert_eq!(left.len() as u64, KEPT / 10 * 9);
        assert_eq!(left.last().unwrap(), &format!("key {}", KEPT + 1));
        assert_eq!(left.first().unwrap(), &format!("key {}", KEPT / 10 + 2));

        let large = vec![7; MAX_VALUE];
        let most = KEPT_BYTES / MAX_VALUE as u64;
        for n in 0..=most {
            put(&transaction, &entry(n + 50_000, &large, 90_000, 2_000_000 + n)).unwrap();
        }
        // As many of the largest values as nine tenths hold.
        assert_eq!(keys(&transaction).len() as u64, KEPT_BYTES / 10 * 9 / MAX_VALUE as u64);
    }

    /// The question how much there is, which each put asks, is answered from the index alone.
    #[test]
    fn values_are_not_read_to_count_them() {
        let (_folder, connection) = file();
        let sql = "EXPLAIN QUERY PLAN SELECT count(*), total(size) FROM cache";
        let plan: String = connection.query_row(sql, [], |row| row.get(3)).unwrap();
        assert!(plan.contains("COVERING INDEX cache_by_expiry"), "{plan}");
    }
}
