//! The folder, and one note in it.

use crate::failure::{failure, no_file};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, Metadata, OpenOptions};
use meadow_notes::NotePath;
use meadow_service::Timestamp;
use meadow_service::notes::{Note, NoteHead, NoteVersion, VaultError};
use std::io::{ErrorKind, Read};
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::SystemTime;
use unicode_normalization::UnicodeNormalization;

/// How often a note is read again that another program writes at the same moment.
const TRIES: usize = 5;

/// The folder by its path. It may come and go between calls.
#[derive(Debug)]
pub(crate) struct Folder {
    /// Absolute.
    pub(crate) root: PathBuf,
    /// Held by the write that looks and then changes a name.
    pub(crate) writing: Mutex<()>,
}

impl Folder {
    pub(crate) fn new(root: PathBuf) -> Self {
        Self {
            root,
            writing: Mutex::new(()),
        }
    }

    pub(crate) fn failure(&self, place: &str, error: &std::io::Error) -> VaultError {
        failure(&self.root, place, error)
    }

    /// The opened folder; none where there is none. It may itself be a link, or on another machine.
    pub(crate) fn open(&self) -> Result<Option<Dir>, VaultError> {
        match Dir::open_ambient_dir(&self.root, ambient_authority()) {
            Ok(dir) => Ok(Some(dir)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) if error.kind() == ErrorKind::NotADirectory => Err(VaultError::Unusable(format!(
                "the vault {} is no folder; name one with --vault DIR",
                self.root.display()
            ))),
            Err(error) => Err(self.failure("", &error)),
        }
    }

    /// The same, made where it is missing; nobody else may look into it.
    pub(crate) fn make(&self) -> Result<Dir, VaultError> {
        if let Some(dir) = self.open()? {
            return Ok(dir);
        }
        let mut builder = std::fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&self.root).map_err(|error| self.failure("", &error))?;
        let missing = || VaultError::Unavailable(format!("{} is gone again", self.root.display()));
        self.open()?.ok_or_else(missing)
    }

    /// A note as it stands.
    pub(crate) fn read(&self, path: &NotePath, most: u64) -> Result<Option<Note>, VaultError> {
        let Some(root) = self.open()? else {
            return Ok(None);
        };
        let failed = |error: std::io::Error| self.failure(path.as_str(), &error);
        for _ in 0..TRIES {
            let Some((mut file, before)) = self.open_note(&root, path)? else {
                return Ok(None);
            };
            if before.len() > most {
                return Err(VaultError::too_large(path, before.len(), most));
            }
            let mut bytes = Vec::with_capacity(usize::try_from(before.len()).unwrap_or_default());
            let read = Read::by_ref(&mut file)
                .take(most.saturating_add(1))
                .read_to_end(&mut bytes);
            read.map_err(failed)?;
            let after = head(path, &file.metadata().map_err(failed)?);
            // Ours are never changed in place; another program may be at it.
            if after.version == head(path, &before).version && after.size == bytes.len() as u64 {
                return Ok(Some(Note { head: after, bytes }));
            }
        }
        Err(VaultError::Unavailable(format!(
            "{} is being written by another program; try again",
            self.root.join(path.as_str()).display()
        )))
    }

    /// What is known of a note without reading it.
    pub(crate) fn stat(&self, root: &Dir, path: &NotePath) -> Result<Option<Metadata>, VaultError> {
        let Some(name) = find(root, path.as_str()) else {
            return Ok(None);
        };
        match root.metadata(&name) {
            Ok(metadata) if metadata.is_file() => Ok(Some(metadata)),
            Ok(_) => Err(no_file(&self.root, path.as_str())),
            Err(error) if error.kind() == ErrorKind::NotFound => match root.symlink_metadata(&name) {
                Ok(metadata) if metadata.is_symlink() => Err(no_file(&self.root, path.as_str())),
                // It came between the two looks.
                Ok(metadata) if metadata.is_file() => Ok(Some(metadata)),
                Ok(_) => Err(no_file(&self.root, path.as_str())),
                Err(_) => Ok(None),
            },
            Err(error) => Err(self.failure(path.as_str(), &error)),
        }
    }

    /// A note opened to be read. Opening waits for nobody, not even at the end of a pipe.
    fn open_note(&self, root: &Dir, path: &NotePath) -> Result<Option<(File, Metadata)>, VaultError> {
        let Some(name) = find(root, path.as_str()) else {
            return Ok(None);
        };
        if self.stat(root, path)?.is_none() {
            return Ok(None);
        }
        let mut options = OpenOptions::new();
        options.read(true);
        #[cfg(unix)]
        {
            let flags = rustix::fs::OFlags::NONBLOCK.bits();
            cap_std::fs::OpenOptionsExt::custom_flags(&mut options, flags.cast_signed());
        }
        let file = match root.open_with(&name, &options) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(self.failure(path.as_str(), &error)),
        };
        let metadata = file.metadata().map_err(|error| self.failure(path.as_str(), &error))?;
        match metadata.is_file() {
            true => Ok(Some((file, metadata))),
            false => Err(no_file(&self.root, path.as_str())),
        }
    }
}

/// The name by which a path stands in the folder: macOS and some programs write names in NFD. None where a folder on
/// the way is missing; the name as given where only the file is, or where looking failed, which the next call tells.
pub(crate) fn find(root: &Dir, path: &str) -> Option<String> {
    // Most names have one form.
    if path.is_ascii() || path.nfd().eq(path.chars()) || root.symlink_metadata(path).is_ok() {
        return Some(path.to_owned());
    }
    let mut found = String::new();
    for segment in path.split('/') {
        let here = if found.is_empty() { "." } else { &found };
        let there = join(&found, segment);
        let missing = matches!(root.symlink_metadata(&there), Err(error) if error.kind() == ErrorKind::NotFound);
        let other = missing.then(|| in_another_form(root, here, segment)).flatten();
        found = other.map_or(there, |name| join(&found, &name));
    }
    Some(found)
}

fn in_another_form(root: &Dir, folder: &str, segment: &str) -> Option<String> {
    let entries = root.read_dir(folder).ok()?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    names
        .filter(|name| !name.is_ascii())
        .find(|name| name.nfc().eq(segment.chars()))
}

pub(crate) fn join(folder: &str, name: &str) -> String {
    match folder {
        "" => name.to_owned(),
        folder => format!("{folder}/{name}"),
    }
}

/// The head of a file.
pub(crate) fn head(path: &NotePath, metadata: &Metadata) -> NoteHead {
    let modified = metadata.modified().map(cap_std::time::SystemTime::into_std);
    let since = modified
        .ok()
        .and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok())
        .unwrap_or_default();
    #[cfg(unix)]
    let inode = cap_std::fs::MetadataExt::ino(metadata);
    #[cfg(not(unix))]
    let inode = 0;
    NoteHead {
        path: path.clone(),
        size: metadata.len(),
        modified: Timestamp(u64::try_from(since.as_millis()).unwrap_or(u64::MAX)),
        version: NoteVersion(format!("{}-{}-{inode}", since.as_nanos(), metadata.len())),
    }
}
