//! Errors of the system in our words.

use meadow_service::notes::VaultError;
use std::io::{Error, ErrorKind};
use std::path::Path;

/// What an error at `place` (relative to `root`, empty for itself) means.
pub(crate) fn failure(root: &Path, place: &str, error: &Error) -> VaultError {
    let at = root.join(place);
    let at = at.display();
    match error.kind() {
        // cap-std's word for a way out; one of the system has a number.
        ErrorKind::PermissionDenied if error.raw_os_error().is_none() => VaultError::Outside(format!(
            "the way to {at} leaves the vault through a link; use a path without that link"
        )),
        ErrorKind::NotADirectory | ErrorKind::IsADirectory => VaultError::Outside(format!(
            "on the way to {at} a file stands where a folder should be, or the other way round; choose another name"
        )),
        ErrorKind::PermissionDenied => VaultError::Denied(format!(
            "{at} may not be read or written by this user; change its permissions, or name another folder with --vault DIR"
        )),
        ErrorKind::ReadOnlyFilesystem => VaultError::Denied(format!(
            "{at} stands on a read-only file system; name another folder with --vault DIR"
        )),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => VaultError::Full(format!(
            "no room is left for {at}; nothing was written; make room on that disk, then try again"
        )),
        ErrorKind::InvalidFilename => VaultError::Full(format!(
            "the file system does not take the name {at}; shorten it, or leave out its unusual characters"
        )),
        _ if is_loop(error) => VaultError::Outside(format!("the way to {at} is a loop of links; use another path")),
        _ => VaultError::Unavailable(format!("{at}: {error}")),
    }
}

#[cfg(unix)]
fn is_loop(error: &Error) -> bool {
    rustix::io::Errno::from_io_error(error) == Some(rustix::io::Errno::LOOP)
}

#[cfg(not(unix))]
fn is_loop(_: &Error) -> bool {
    false
}

/// What stands there is neither a folder nor a file, or leads to nothing.
pub(crate) fn no_file(root: &Path, place: &str) -> VaultError {
    VaultError::Outside(format!(
        "{} is no file: a folder, a pipe, a device, or a link that leads nowhere; choose another name",
        root.join(place).display()
    ))
}
