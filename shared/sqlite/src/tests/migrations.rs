//! Files of other versions.

use super::{a_put, text, written};
use crate::SqliteStore;
use crate::failure::Unfit;
use crate::schema::{MIGRATIONS, migrate, version};
use meadow_access::{Scopes, token};
use meadow_service::source::sha256;
use meadow_service::{Expected, ModelStore, PutOutcome, StoreError, Timestamp, TokenRecord, TokenStore, Workspace};
use rusqlite::{Connection, params};

#[tokio::test]
async fn a_file_of_every_older_version_opens_with_its_data() {
    for old in 1..MIGRATIONS.len() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("meadow.db");
        let mut connection = Connection::open(&path).unwrap();
        migrate(&mut connection, &MIGRATIONS[..old]).unwrap();
        assert_eq!(version(&connection).unwrap(), old);
        let head = params!["default", "tub", 1, "Tub", 1, 0, 4, sha256("text"), 1000];
        for table in ["models", "revisions"] {
            let sql = format!(
                "INSERT INTO {table} (workspace, id, revision, name, complete, deleted, size, sha256, updated_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"
            );
            connection.execute(&sql, head).unwrap();
        }
        connection
            .execute_batch("UPDATE revisions SET text = 'text'; INSERT INTO latest VALUES ('default', 'tub');")
            .unwrap();
        drop(connection);

        let store = SqliteStore::open(&path).unwrap();
        assert_eq!(text(&store, "tub").await.as_deref(), Some("text"), "from version {old}");
        let new = token::make(&[7; token::RANDOM]);
        let record = TokenRecord {
            id: new.id,
            name: "laptop".into(),
            workspace: Workspace::default(),
            scopes: Scopes::all(),
            hash: new.hash,
            created: Timestamp(1000),
            expires: None,
            revoked: None,
        };
        assert!(TokenStore::put(&store, &record).await.unwrap(), "from version {old}");
        assert_eq!(TokenStore::get(&store, new.id).await.unwrap(), Some(record));
        let put = a_put("tub", "next", Expected::Revision(1));
        let first = ModelStore::put(&store, put.clone()).await.unwrap();
        assert!(
            matches!(&first, PutOutcome::Stored(ack) if ack.head.revision == 2),
            "{first:?}"
        );
        written(&store, "tub", "after that").await.unwrap();
        let again = ModelStore::put(&store, put).await.unwrap();
        assert!(
            matches!(&again, PutOutcome::Stored(ack) if ack.head.revision == 2),
            "{again:?}"
        );
        drop(store);
        assert_eq!(version(&Connection::open(&path).unwrap()).unwrap(), MIGRATIONS.len());
    }
}

#[test]
fn a_file_of_a_newer_version_is_refused_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("meadow.db");
    drop(SqliteStore::open(&path).unwrap());
    Connection::open(&path)
        .unwrap()
        .pragma_update(None, "user_version", 99)
        .unwrap();
    let before = std::fs::read(&path).unwrap();
    let error = SqliteStore::open(&path).unwrap_err();
    let expected = format!(
        "the store cannot be reached: {} was written by a newer Meadow (schema 99; this one knows up to {}); use that one, or name another file with --store sqlite:PATH",
        path.display(),
        MIGRATIONS.len()
    );
    assert_eq!(error.to_string(), expected);
    assert!(matches!(error, StoreError::Unavailable(_)));
    assert!(std::fs::read(&path).unwrap() == before, "the file was changed");
}

#[test]
fn a_failed_migration_leaves_the_file_as_it_was() {
    let mut connection = Connection::open_in_memory().unwrap();
    migrate(&mut connection, &MIGRATIONS[..1]).unwrap();
    let steps = [MIGRATIONS[0], "CREATE TABLE half (a) STRICT; CREATE TABLE models (a);"];
    assert!(matches!(migrate(&mut connection, &steps), Err(Unfit::Sqlite(_))));
    assert_eq!(version(&connection).unwrap(), 1);
    let tables: i64 = connection
        .query_row("SELECT count(*) FROM sqlite_schema WHERE name = 'half'", [], |row| {
            row.get(0)
        })
        .unwrap();
    assert_eq!(tables, 0);
}

#[test]
fn another_programs_database_is_refused_as_it_is() {
    for sql in [
        "CREATE TABLE theirs (a)",
        "PRAGMA user_version = 1",
        "PRAGMA application_id = 7",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("theirs.db");
        Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        let before = std::fs::read(&path).unwrap();
        let error = SqliteStore::open(&path).unwrap_err().to_string();
        assert!(
            error.contains("theirs.db holds another program's tables; name another file"),
            "{sql}: {error}"
        );
        assert!(std::fs::read(&path).unwrap() == before, "the file was changed");
    }
}
