//! What went wrong, in words that name the file and the repair.

use meadow_service::StoreError;
use rusqlite::{Error, ErrorCode};
use std::fs::OpenOptions;
use std::io::{self, ErrorKind};
use std::path::Path;

/// Why a file cannot be used as a store.
#[derive(Debug)]
pub(crate) enum Unfit {
    /// SQLite says so.
    Sqlite(Error),
    /// It can only be read.
    ReadOnly,
    /// It holds another program's tables.
    Foreign,
    /// It has seen more migrations than we know.
    Newer { found: usize, known: usize },
    /// Acknowledged writes would not outlive a crash; the pragmas as they were read back.
    Forgetful { journal_mode: String, synchronous: i64 },
}

impl From<Error> for Unfit {
    fn from(error: Error) -> Self {
        Self::Sqlite(error)
    }
}

const ANOTHER_FILE: &str = "name another file with --store sqlite:PATH";

/// Why the file at `path` cannot be used.
pub(crate) fn unfit(path: &Path, unfit: Unfit) -> StoreError {
    let path_shown = path.display();
    StoreError::Unavailable(match unfit {
        Unfit::Sqlite(error) => return told(path, &error),
        Unfit::ReadOnly => return read_only(path),
        Unfit::Foreign => format!("{path_shown} holds another program's tables; {ANOTHER_FILE}"),
        Unfit::Newer { found, known } => format!(
            "{path_shown} was written by a newer Meadow (schema {found}; this one knows up to {known}); use that one, or {ANOTHER_FILE}"
        ),
        Unfit::Forgetful {
            journal_mode,
            synchronous,
        } => format!(
            "{path_shown} would lose acknowledged writes in a crash (journal_mode={journal_mode}, wal is needed; synchronous={synchronous}, 2 is needed), as on many network drives; {ANOTHER_FILE} on a local disk"
        ),
    })
}

/// What SQLite's error means for the file at `path`.
pub(crate) fn told(path: &Path, error: &Error) -> StoreError {
    let path_shown = path.display();
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => StoreError::Full(format!(
            "no room is left for {path_shown}; nothing was written; make room on that disk, then try again"
        )),
        Some(ErrorCode::ReadOnly) => read_only(path),
        Some(ErrorCode::NotADatabase) => StoreError::Damaged(format!(
            "{path_shown} is no SQLite database; move it away, or {ANOTHER_FILE}"
        )),
        Some(ErrorCode::DatabaseCorrupt) => StoreError::Damaged(format!(
            "{path_shown}: {error}; put a backup in its place, or save what can be read with `sqlite3 FILE .recover`"
        )),
        Some(ErrorCode::CannotOpen) => cannot_open(path),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Unavailable(format!(
            "another process keeps {path_shown} locked; try again, or end that process"
        )),
        Some(_) => StoreError::Unavailable(format!("{path_shown}: {error}; look at that disk, then try again")),
        // A column that holds something else than we write.
        None => StoreError::Damaged(format!("{path_shown}: {error}; put a backup in its place")),
    }
}

fn read_only(path: &Path) -> StoreError {
    StoreError::ReadOnly(format!(
        "{} or its folder may not be written; change its permissions, or {ANOTHER_FILE}",
        path.display()
    ))
}

/// SQLite does not say why; the folder does.
fn cannot_open(path: &Path) -> StoreError {
    let Some(folder) = path.parent() else {
        return is_folder(path);
    };
    let probe = folder.join(format!(".meadow-probe-{}", std::process::id()));
    match OpenOptions::new().write(true).create_new(true).open(&probe) {
        Err(error) => io_failure(path, &error),
        Ok(_) => {
            // Left behind it would be an empty file and do no harm.
            let _ = std::fs::remove_file(&probe);
            StoreError::Unavailable(format!(
                "{} cannot be opened; change its permissions, or {ANOTHER_FILE}",
                path.display()
            ))
        }
    }
}

/// A folder stands where the file should.
pub(crate) fn is_folder(path: &Path) -> StoreError {
    StoreError::Unavailable(format!(
        "{0} is a folder; name a file in it with --store sqlite:{0}/meadow.db",
        path.display()
    ))
}

/// What the operating system's error means for the file or folder at `path`.
pub(crate) fn io_failure(path: &Path, error: &io::Error) -> StoreError {
    let path_shown = path.display();
    match error.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => read_only(path),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => StoreError::Full(format!(
            "no room is left for {path_shown}; nothing was written; make room on that disk, then try again"
        )),
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists => StoreError::Unavailable(format!(
            "{path_shown} cannot be made, since a file stands where a folder is needed; {ANOTHER_FILE}"
        )),
        _ => StoreError::Unavailable(format!("{path_shown}: {error}; {ANOTHER_FILE}")),
    }
}
