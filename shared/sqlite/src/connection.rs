//! Connections that keep what was acknowledged, through a crash of the machine too.

use crate::failure::{self, Unfit};
use crate::schema;
use meadow_service::StoreError;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, MAIN_DB, OpenFlags};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// Bytes of a page. Measured: against 4,096 a model of 1 MB costs a third less CPU to write, one of 2 KB the same;
/// larger pages cost small models more, since a write logs whole pages.
const PAGE_SIZE: u32 = 8192;

/// Kibibytes of pages that a connection caches. The index of thousands of models fits; texts are held by `texts`.
const PAGE_CACHE: i32 = -1024;

/// Compiled statements that a connection holds; more than there are.
const STATEMENTS: usize = 32;

/// How long to wait for other processes: this often, this long. SQLite's own `busy_timeout` waits up to 100 ms between
/// two attempts, in which a process that writes without a break always is faster.
const ATTEMPTS: i32 = 10_000;
const PAUSE: Duration = Duration::from_millis(1);

/// `synchronous=FULL` as it is read back.
const FULL: i64 = 2;

/// The file of a store.
#[derive(Debug, Clone)]
pub(crate) struct File {
    path: Arc<Path>,
    identity: Identity,
}

/// Tells the file that was opened from another one that stands in its place.
type Identity = Option<(u64, u64)>;

impl File {
    /// Opens or makes the file; gives the connection that writes.
    pub(crate) fn open(path: &Path) -> Result<(Self, Connection), StoreError> {
        let path = absolute(path)?;
        if path.is_dir() {
            return Err(failure::is_folder(&path));
        }
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| failure::io_failure(folder, &error))?;
        }
        let mut file = Self {
            path: path.into(),
            identity: None,
        };
        let writing = file.writer().map_err(|unfit| failure::unfit(&file.path, unfit))?;
        file.identity = identity(&file.path);
        Ok((file, writing))
    }

    fn writer(&self) -> Result<Connection, Unfit> {
        let mut connection = self.connect(OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)?;
        if connection.is_readonly(MAIN_DB)? {
            // SQLite opens such a file nevertheless, and would fail at the first write.
            return Err(Unfit::ReadOnly);
        }
        // Before anything is changed: it may be somebody else's.
        schema::seen(&connection, schema::MIGRATIONS.len())?;
        connection.pragma_update(None, "page_size", PAGE_SIZE)?;
        use_wal(&connection)?;
        keep_what_was_acknowledged(&connection)?;
        schema::migrate(&mut connection, schema::MIGRATIONS)?;
        Ok(connection)
    }

    /// A connection that only reads.
    pub(crate) fn reader(&self) -> Result<Connection, StoreError> {
        let connection = self.connect(OpenFlags::SQLITE_OPEN_READ_ONLY);
        connection
            .map_err(Unfit::from)
            .and_then(|connection| keep_what_was_acknowledged(&connection).map(|()| connection))
            .map_err(|unfit| failure::unfit(&self.path, unfit))
    }

    fn connect(&self, flags: OpenFlags) -> rusqlite::Result<Connection> {
        let mut connection = Connection::open_with_flags(&self.path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
        connection.busy_handler(Some(|attempts| {
            thread::sleep(PAUSE);
            attempts < ATTEMPTS
        }))?;
        // Without, a statement is compiled anew whenever a value that it is given changes: a fifth of the CPU of a put.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        connection.pragma_update(None, "cache_size", PAGE_CACHE)?;
        Ok(connection)
    }

    /// An error where the file was deleted, or another one stands in its place: what is written now would be lost.
    pub(crate) fn still_there(&self) -> Result<(), StoreError> {
        if identity(&self.path) == self.identity {
            return Ok(());
        }
        Err(StoreError::Unavailable(format!(
            "{self} was deleted or replaced while it was open; put it back and start again"
        )))
    }

    /// What SQLite's error means for this file.
    pub(crate) fn failure(&self, error: &rusqlite::Error) -> StoreError {
        failure::told(&self.path, error)
    }
}

impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.path.display().fmt(f)
    }
}

/// The path from the root: it stays right, messages are plain, and `:memory:` is a name like any other.
fn absolute(path: &Path) -> Result<PathBuf, StoreError> {
    std::path::absolute(path)
        .map_err(|error| StoreError::Unavailable(format!("{:?} names no file: {error}", path.display())))
}

#[cfg(unix)]
fn identity(path: &Path) -> Identity {
    use std::os::unix::fs::MetadataExt;
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.dev(), metadata.ino()))
}

/// Elsewhere an open file can be neither deleted nor replaced.
#[cfg(not(unix))]
fn identity(_: &Path) -> Identity {
    None
}

/// Sets the journal mode. While another process does the same with a new file, SQLite gives up at once and calls no busy
/// handler.
fn use_wal(connection: &Connection) -> rusqlite::Result<()> {
    let mut attempts = 0;
    loop {
        match connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(())) {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) && attempts < ATTEMPTS => {
                attempts += 1;
                thread::sleep(PAUSE);
            }
            done => return done,
        }
    }
}

/// Sets `synchronous=FULL` and refuses a connection that would lose acknowledged writes all the same: SQLite answers a
/// pragma that it cannot follow by going on as before.
fn keep_what_was_acknowledged(connection: &Connection) -> Result<(), Unfit> {
    connection.pragma_update(None, "synchronous", "FULL")?;
    check(connection)
}

/// Refuses a connection whose pragmas, as they are read back, are not those.
pub(crate) fn check(connection: &Connection) -> Result<(), Unfit> {
    let journal_mode: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
    let synchronous: i64 = connection.pragma_query_value(None, "synchronous", |row| row.get(0))?;
    if journal_mode == "wal" && synchronous == FULL {
        return Ok(());
    }
    Err(Unfit::Forgetful {
        journal_mode,
        synchronous,
    })
}
