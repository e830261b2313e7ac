//! Writing a note: a file beside it, complete and on the disk, gets its name in one step.

use crate::failure::no_file;
use crate::folder::{Folder, find, head, join};
use cap_std::fs::{Dir, File, Metadata, OpenOptions};
use meadow_notes::NotePath;
use meadow_service::Timestamp;
use meadow_service::notes::{Expect, NoteHead, VaultError, WriteOutcome};
use std::fs::TryLockError;
use std::io::{Error, ErrorKind, Write};
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// What the names of unfinished files begin with: hidden, and short whatever the note's name is.
pub(crate) const PREFIX: &str = ".meadow-";

/// After this time nobody writes such a file any more.
const LEFT_OVER: Duration = Duration::from_secs(60 * 60);

/// How long a write waits for those of other processes, which take milliseconds.
const PATIENCE: Duration = Duration::from_secs(5);

/// Tells the writes of this process apart, in names and in times.
static WRITES: AtomicU64 = AtomicU64::new(0);

pub(crate) fn write(
    folder: &Folder,
    path: &NotePath,
    bytes: &[u8],
    expected: &Expect,
    at: Timestamp,
) -> Result<WriteOutcome, VaultError> {
    let failed = |error: &Error| folder.failure(path.as_str(), error);
    // What is refused makes no folders.
    let current = match folder.open()? {
        Some(root) => folder.stat(&root, path)?,
        None => None,
    };
    if let Some(conflict) = conflict(path, current.as_ref(), expected) {
        return Ok(conflict);
    }
    let root = folder.make()?;
    let (parent, name) = parent(folder, &root, path)?;
    let new = Unfinished::write(&parent, bytes, current.as_ref(), at).map_err(|error| failed(&error))?;

    let _writing = folder.writing.lock().unwrap_or_else(PoisonError::into_inner);
    let _others = lock(&root, folder)?;
    let current = folder.stat(&root, path)?;
    if let Some(conflict) = conflict(path, current.as_ref(), expected) {
        return Ok(conflict);
    }
    let named = match current {
        None => new.link(&parent, &name),
        Some(_) => new.rename(&parent, &name),
    };
    match named {
        Ok(()) => {}
        // Another program was faster, between the look and the change of name.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            return match folder.stat(&root, path)? {
                Some(metadata) if *expected != Expect::Any => Ok(WriteOutcome::Conflict(Some(head(path, &metadata)))),
                _ => Err(no_file(&folder.root, path.as_str())),
            };
        }
        Err(error) => return Err(failed(&error)),
    }
    sync(&parent).map_err(|error| failed(&error))?;
    new.head(path)
        .map(WriteOutcome::Written)
        .map_err(|error| failed(&error))
}

fn conflict(path: &NotePath, current: Option<&Metadata>, expected: &Expect) -> Option<WriteOutcome> {
    let current = current.map(|metadata| head(path, metadata));
    (!expected.holds(current.as_ref())).then_some(WriteOutcome::Conflict(current))
}

/// The folder of a note, made where it is missing, and the note's name in it.
fn parent(folder: &Folder, root: &Dir, path: &NotePath) -> Result<(Dir, String), VaultError> {
    let failed = |error: Error| folder.failure(path.as_str(), &error);
    let name = find(root, path.as_str()).unwrap_or_else(|| path.to_string());
    let Some((above, name)) = name.rsplit_once('/') else {
        return Ok((root.try_clone().map_err(failed)?, name));
    };
    // The way as a whole from the root, so that links to elsewhere in the vault lead there.
    let mut here = String::new();
    let mut last = root.try_clone().map_err(failed)?;
    for segment in above.split('/') {
        here = join(&here, segment);
        match root.create_dir(&here) {
            Ok(()) => sync(&last).map_err(failed)?,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(failed(error)),
        }
        last = root.open_dir(&here).map_err(failed)?;
    }
    Ok((last, name.to_owned()))
}

/// A complete file without its name. Dropped without one, it is taken away.
struct Unfinished<'d> {
    parent: &'d Dir,
    name: String,
    file: std::fs::File,
    named: std::cell::Cell<bool>,
}

impl<'d> Unfinished<'d> {
    fn write(parent: &'d Dir, bytes: &[u8], replaced: Option<&Metadata>, at: Timestamp) -> Result<Self, Error> {
        let number = WRITES.fetch_add(1, Ordering::Relaxed);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        // Another process, or an earlier one with this id, may have left such a name.
        let mut tries = 0;
        let (name, file) = loop {
            let name = format!("{PREFIX}{}-{number}-{tries}.tmp", std::process::id());
            match parent.open_with(&name, &options) {
                Ok(file) => break (name, file),
                Err(error) if error.kind() == ErrorKind::AlreadyExists && tries < 1000 => tries += 1,
                Err(error) => return Err(error),
            }
        };
        let new = Self {
            parent,
            name,
            file: File::into_std(file),
            named: std::cell::Cell::new(false),
        };
        (&new.file).write_all(bytes)?;
        if let Some(replaced) = replaced {
            // Some file systems have none to set.
            let _ = new.file.set_permissions(replaced.permissions().into_std(&new.file)?);
        }
        // A time of its own below the millisecond: equal times, sizes and inodes would make equal versions.
        let time = at.system() + Duration::from_nanos(number % 1_000_000);
        let _ = new.file.set_modified(time);
        new.file.sync_all()?;
        Ok(new)
    }

    /// Gives it a name that nobody has.
    fn link(&self, parent: &Dir, name: &str) -> Result<(), Error> {
        match parent.hard_link(&self.name, parent, name) {
            // Its first name is taken away when it is dropped.
            Err(error) if is_unsupported(&error) => {
                // Without hard links another program can come in between; ours cannot, by the lock.
                if parent.symlink_metadata(name).is_ok() {
                    return Err(ErrorKind::AlreadyExists.into());
                }
                self.rename(parent, name)
            }
            linked => linked,
        }
    }

    /// Puts it in place of what has the name.
    fn rename(&self, parent: &Dir, name: &str) -> Result<(), Error> {
        parent.rename(&self.name, parent, name)?;
        self.named.set(true);
        Ok(())
    }

    fn head(&self, path: &NotePath) -> Result<NoteHead, Error> {
        Ok(head(path, &Metadata::from_file(&self.file)?))
    }
}

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        if !self.named.get() {
            let _ = self.parent.remove_file(&self.name);
        }
    }
}

/// Whether the file system has no hard links: FAT, and some that stand on other machines.
fn is_unsupported(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Unsupported)
        || (error.kind() == ErrorKind::PermissionDenied && error.raw_os_error() == Some(1))
}

/// Waits until the names in a folder are on the disk.
fn sync(dir: &Dir) -> Result<(), Error> {
    if cfg!(windows) {
        return Ok(());
    }
    match dir.open(".").and_then(|file| file.sync_all()) {
        // Some file systems cannot wait for folders.
        Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => Ok(()),
        synced => synced,
    }
}

/// Keeps other processes that are Meadow from writing into this vault, as long as the file is held.
fn lock(root: &Dir, folder: &Folder) -> Result<Option<std::fs::File>, VaultError> {
    let Ok(file) = root.open(".").map(File::into_std) else {
        return Ok(None);
    };
    let until = Instant::now() + PATIENCE;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Some(file)),
            Err(TryLockError::WouldBlock) if Instant::now() < until => thread::sleep(Duration::from_millis(2)),
            Err(TryLockError::WouldBlock) => {
                return Err(VaultError::Unavailable(format!(
                    "another process keeps {} locked; try again",
                    folder.root.display()
                )));
            }
            // Not every file system has locks. Then processes are as careful as any two programs.
            Err(TryLockError::Error(_)) => return Ok(None),
        }
    }
}

/// Whether an unfinished file is so old that nobody finishes it. By the time of its last change of any kind: that of
/// its content is set.
pub(crate) fn is_left_over(metadata: &Metadata) -> bool {
    #[cfg(unix)]
    let changed = {
        let seconds = cap_std::fs::MetadataExt::ctime(metadata);
        std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(u64::try_from(seconds).unwrap_or_default())
    };
    #[cfg(not(unix))]
    let Ok(changed) = metadata.created().map(cap_std::time::SystemTime::into_std) else {
        return false;
    };
    changed.elapsed().is_ok_and(|age| age > LEFT_OVER)
}
