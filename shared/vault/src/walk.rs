//! All notes of the folder.

use crate::folder::{Folder, head, join};
use crate::write::is_left_over;
use cap_std::fs::{Dir, DirEntry, Metadata};
use meadow_notes::NotePath;
use meadow_service::notes::{NoteHead, VaultError};
use std::io::ErrorKind;

/// The notes by path. Folders behind links are left out: those within the vault are listed where they stand.
pub(crate) fn list(folder: &Folder) -> Result<Vec<NoteHead>, VaultError> {
    let Some(root) = folder.open()? else {
        return Ok(Vec::new());
    };
    let mut notes = Vec::new();
    // By path and not by handle, so that a deep tree does not use up what a process may open.
    let mut folders = vec![String::new()];
    while let Some(here) = folders.pop() {
        let opened = if here.is_empty() {
            root.try_clone()
        } else {
            root.open_dir(&here)
        };
        let entries = match opened.and_then(|dir| dir.entries()) {
            Ok(entries) => entries,
            Err(error) if here.is_empty() && error.kind() != ErrorKind::NotFound => {
                return Err(folder.failure("", &error));
            }
            // Gone, swapped, or not for us; the rest is still worth listing.
            Err(_) => continue,
        };
        for entry in entries.flatten() {
            // A name that is no UTF-8 cannot be asked for.
            let Ok(name) = entry.file_name().into_string() else {
                continue;
            };
            if name.starts_with('.') {
                sweep(&entry, &name);
                continue;
            }
            let Ok(kind) = entry.file_type() else { continue };
            let place = join(&here, &name);
            if kind.is_dir() {
                if place.len() < NotePath::MAX {
                    folders.push(place);
                }
            } else if is_note(&name)
                && let Ok(path) = NotePath::parse(&place)
                && let Some(metadata) = metadata_of(&root, &entry, &place, kind.is_symlink())
            {
                notes.push(head(&path, &metadata));
            }
        }
    }
    notes.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    // A name in two forms of Unicode is one path, and the form that a path has is the one that is read.
    notes.dedup_by(|later, first| {
        let same = later.path == first.path;
        if same && let Ok(Some(metadata)) = folder.stat(&root, &first.path) {
            *first = head(&first.path, &metadata);
        }
        same
    });
    Ok(notes)
}

fn is_note(name: &str) -> bool {
    name.len() > 3 && name.as_bytes()[name.len() - 3..].eq_ignore_ascii_case(b".md")
}

/// What is known of a file, or of the one that a link leads to within the vault.
fn metadata_of(root: &Dir, entry: &DirEntry, place: &str, link: bool) -> Option<Metadata> {
    let metadata = if link { root.metadata(place) } else { entry.metadata() };
    metadata.ok().filter(Metadata::is_file)
}

/// Takes away what a write left that was killed long ago. Where that does not work it stays, hidden as it is.
fn sweep(entry: &DirEntry, name: &str) {
    let old = || entry.metadata().is_ok_and(|metadata| is_left_over(&metadata));
    if name.starts_with(crate::write::PREFIX) && old() {
        let _ = entry.remove_file();
    }
}
