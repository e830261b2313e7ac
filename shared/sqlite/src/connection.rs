//! Connections that keep what was acknowledged, through a crash of the machine too.

use crate::failure::{self, Unfit};
use crate::schema;
use meadow_service::StoreError;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, MAIN_DB, OpenFlags};
use std::cell::Cell;
use std::fmt;
use std::fs::{DirBuilder, Metadata, OpenOptions};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

/// Bytes of a page. Measured: against 4,096 a model of 1 MB costs a third less CPU to write, one of 2 KB the same;
/// larger pages cost small models more, since a write logs whole pages.
const PAGE_SIZE: u32 = 8192;

/// Kibibytes of pages that a connection caches. The index of thousands of models fits; texts are held by `texts`.
const PAGE_CACHE: i32 = -1024;

/// Compiled statements that a connection holds; more than there are.
const STATEMENTS: usize = 48;

/// How long to wait for other processes, and between two attempts. Whoever asked must still be there when the wait is
/// over. SQLite's own `busy_timeout` pauses up to 100 ms, in which a process that writes without a break always is
/// faster.
const PATIENCE: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(1);

/// `synchronous=FULL` as it is read back.
const FULL: i64 = 2;

/// The file of a store.
#[derive(Debug, Clone)]
pub(crate) struct File {
    path: Arc<Path>,
    identity: Identity,
    /// The first damage that was seen, by whichever connection.
    damage: Arc<OnceLock<String>>,
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
            make_folder(folder).map_err(|error| failure::io_failure(folder, &error))?;
        }
        make_file(&path);
        let mut file = Self {
            path: path.into(),
            identity: None,
            damage: Arc::default(),
        };
        let writing = file.writer().map_err(|unfit| failure::unfit(&file.path, unfit))?;
        file.identity = std::fs::metadata(&*file.path).ok().as_ref().and_then(identity);
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
            .map_err(|unfit| self.noted(failure::unfit(&self.path, unfit)))
    }

    fn connect(&self, flags: OpenFlags) -> rusqlite::Result<Connection> {
        let mut connection = Connection::open_with_flags(&self.path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
        connection.busy_handler(Some(wait))?;
        // Without, a statement is compiled anew whenever a value that it is given changes: a fifth of the CPU of a put.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        connection.pragma_update(None, "cache_size", PAGE_CACHE)?;
        Ok(connection)
    }

    /// An error where the file was deleted or emptied, or another one stands in its place: what is written now would be
    /// lost.
    pub(crate) fn still_there(&self) -> Result<(), StoreError> {
        let metadata = std::fs::metadata(&*self.path).ok();
        if metadata.as_ref().and_then(identity) != self.identity {
            return Err(StoreError::Unavailable(format!(
                "{self} was deleted or replaced while it was open; put it back and start again"
            )));
        }
        // Every database has a first page, from the moment that it is opened here.
        if metadata.is_some_and(|metadata| metadata.len() == 0) {
            return Err(self.noted(StoreError::Damaged(format!(
                "{self} was emptied while it was open; put a backup in its place and start again"
            ))));
        }
        Ok(())
    }

    /// An error where a write could be lost, in a damaged file too: SQLite may write to pages that nothing leads to any
    /// more, or that only this process still holds in memory.
    pub(crate) fn takes_writes(&self) -> Result<(), StoreError> {
        self.still_there()?;
        match self.damage.get() {
            None => Ok(()),
            Some(seen) => Err(StoreError::Damaged(format!(
                "{seen}; nothing is written any more before that is done and Meadow was started again"
            ))),
        }
    }

    /// What SQLite's error means for this file.
    pub(crate) fn failure(&self, error: &rusqlite::Error) -> StoreError {
        self.noted(failure::told(&self.path, error))
    }

    /// The same error, remembered if it is damage.
    fn noted(&self, error: StoreError) -> StoreError {
        if let StoreError::Damaged(text) = &error {
            // Set already: the first damage is the one to tell.
            let _ = self.damage.set(text.clone());
        }
        error
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
fn identity(metadata: &Metadata) -> Identity {
    use std::os::unix::fs::MetadataExt;
    Some((metadata.dev(), metadata.ino()))
}

/// Elsewhere an open file can be neither deleted nor replaced.
#[cfg(not(unix))]
fn identity(_: &Metadata) -> Identity {
    None
}

/// Makes a folder and those above it, for this user only, as far as they are missing.
fn make_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Makes the file for this user only, where it is missing; SQLite gives its log the same permissions. What keeps the
/// file from being made, SQLite meets and tells of.
fn make_file(path: &Path) {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let _ = options.open(path);
}

/// SQLite's question whether to go on waiting for a lock.
fn wait(attempts: i32) -> bool {
    thread_local!(static SINCE: Cell<Instant> = Cell::new(Instant::now()));
    if attempts == 0 {
        SINCE.set(Instant::now());
    }
    thread::sleep(PAUSE);
    SINCE.get().elapsed() < PATIENCE
}

/// Sets the journal mode. While another process does the same with a new file, SQLite gives up at once and calls no busy
/// handler.
fn use_wal(connection: &Connection) -> rusqlite::Result<()> {
    let mut attempts = 0;
    loop {
        match connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(())) {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) && wait(attempts) => attempts += 1,
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
