//! What is known of notes without reading them again: front matter, tags and links, by path and version.

use super::store::NoteHead;
use super::{MAX_READ, Notes, NotesError, VaultError};
use crate::ids::Workspace;
use futures_util::StreamExt;
use futures_util::stream;
use meadow_notes::body::{self, Link};
use meadow_notes::{Front, NotePath, fold};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// How long one call reads notes that are not known yet. What it read is known to the next one.
const BUDGET: Duration = Duration::from_secs(8);

/// How many notes are read at once.
pub(super) const AT_ONCE: usize = 16;

/// Of how many workspaces something is kept.
const WORKSPACES: usize = 32;

/// What is kept of a note, in items: more than people write, and a bound on memory.
const MOST: usize = 500;

/// From how many bytes on a note is looked through beside the other work of the process: a long one takes a while.
const LONG: usize = 64 << 10;

/// What is known of the notes of each workspace.
#[derive(Debug, Default)]
pub(super) struct Index(Mutex<HashMap<Workspace, Arc<Vec<Known>>>>);

/// What a note says about itself.
#[derive(Debug, Default)]
pub(super) struct Entry {
    pub(super) title: Option<String>,
    pub(super) kind: Option<String>,
    /// Of front matter and text, each once.
    pub(super) tags: Vec<String>,
    pub(super) aliases: Vec<String>,
    /// arXiv id and DOI, as [`paper_id`] has them.
    pub(super) ids: Vec<String>,
    /// Its links, with the folded name that the last segment of each has.
    pub(super) links: Vec<(String, Link)>,
}

/// A note of which something is known.
#[derive(Debug, Clone)]
pub(super) struct Known {
    pub(super) head: NoteHead,
    pub(super) entry: Arc<Entry>,
    /// Its name without `.md`, folded.
    pub(super) name: Arc<str>,
    /// Whether the entry is of this version; else it is still to be read.
    read: bool,
}

impl Known {
    /// Its title; its name where it has none.
    pub(super) fn title(&self) -> &str {
        self.entry.title.as_deref().unwrap_or_else(|| self.head.path.stem())
    }
}

/// All notes of a workspace.
#[derive(Debug)]
pub(super) struct AllKnown {
    /// By path.
    pub(super) notes: Arc<Vec<Known>>,
    /// Whether some are known by their names alone, since reading them takes longer than a call may.
    pub(super) partial: bool,
}

impl Notes {
    /// All notes, with what is known of each. Reads those that are new or changed.
    pub(super) async fn known(&self, workspace: &Workspace) -> Result<AllKnown, NotesError> {
        let heads = self.store.list(workspace).await?;
        let mut notes = joined(heads, &self.index.get(workspace));
        let missing: Vec<(usize, NoteHead)> = notes
            .iter()
            .enumerate()
            .filter(|(_, note)| !note.read)
            .map(|(n, note)| (n, note.head.clone()))
            .collect();
        if !missing.is_empty() {
            let until = Instant::now() + BUDGET;
            let reads = missing.into_iter().map(|(n, head)| async move {
                match self.store.read(workspace, &head.path, MAX_READ).await {
                    Ok(Some(note)) => Some((n, note.head, Entry::read(note.bytes).await)),
                    // May be read the next time.
                    Err(VaultError::Unavailable(_)) => None,
                    // Too large, not readable, or gone meanwhile: known by its name.
                    _ => Some((n, head, Entry::default())),
                }
            });
            let mut reads = stream::iter(reads).buffer_unordered(AT_ONCE);
            while let Some(read) = reads.next().await {
                if let Some((n, head, entry)) = read {
                    let note = &mut notes[n];
                    (note.head, note.entry, note.read) = (head, Arc::new(entry), true);
                }
                if Instant::now() >= until {
                    break;
                }
            }
        }
        let partial = notes.iter().any(|note| !note.read);
        let notes = Arc::new(notes);
        self.index.put(workspace, Arc::clone(&notes));
        Ok(AllKnown { notes, partial })
    }
}

/// The notes as they stand, with what was known of those that did not change. Both lists are by path.
fn joined(heads: Vec<NoteHead>, before: &[Known]) -> Vec<Known> {
    let mut before = before.iter().peekable();
    let known = heads.into_iter().map(|head| {
        while before.next_if(|known| known.head.path < head.path).is_some() {}
        let known = before.next_if(|known| known.head.path == head.path);
        let same = known.is_some_and(|known| known.read && known.head.version == head.version);
        Known {
            entry: known
                .filter(|_| same)
                .map(|known| Arc::clone(&known.entry))
                .unwrap_or_default(),
            name: known.map_or_else(|| fold(head.path.stem()).into(), |known| Arc::clone(&known.name)),
            read: same,
            head,
        }
    });
    known.collect()
}

impl Index {
    fn get(&self, workspace: &Workspace) -> Arc<Vec<Known>> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(workspace).map(Arc::clone).unwrap_or_default()
    }

    fn put(&self, workspace: &Workspace, known: Arc<Vec<Known>>) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= WORKSPACES && !all.contains_key(workspace) {
            all.clear();
        }
        all.insert(workspace.clone(), known);
    }
}

impl Entry {
    /// What the bytes of a note say.
    async fn read(bytes: Vec<u8>) -> Self {
        if bytes.len() <= LONG {
            return Self::of(&String::from_utf8_lossy(&bytes));
        }
        let read = tokio::task::spawn_blocking(move || Self::of(&String::from_utf8_lossy(&bytes)));
        // It fails only where the process ends; then the note is known by its name.
        read.await.unwrap_or_default()
    }

    fn of(text: &str) -> Self {
        let front = Front::of(text);
        let mut tags = front.tags;
        tags.truncate(MOST);
        for tag in body::tags(text, MOST) {
            if tags.len() < MOST && !tags.contains(&tag) {
                tags.push(tag);
            }
        }
        let mut aliases = front.aliases;
        aliases.truncate(MOST);
        let links = body::links(text, MOST).into_iter();
        Self {
            title: front.title.map(|title| title.chars().take(300).collect()),
            kind: front.kind,
            tags,
            aliases,
            ids: front.arxiv_id.iter().chain(&front.doi).map(|id| paper_id(id)).collect(),
            links: links.map(|link| (name_of(&link.target), link)).collect(),
        }
    }
}

/// The folded name that a link's target ends with, without `.md`.
pub(super) fn name_of(target: &str) -> String {
    let path = match target.starts_with("note:///") {
        true => NotePath::from_uri(target).map(String::from).unwrap_or_default(),
        false => target.to_owned(),
    };
    let folded = fold(path.rsplit('/').next().unwrap_or_default());
    folded.strip_suffix(".md").unwrap_or(&folded).to_owned()
}

/// An arXiv id or a DOI as they are compared: in lower case, without resolver, prefix and version.
pub(super) fn paper_id(text: &str) -> String {
    let mut id = text.trim().to_lowercase();
    for prefix in [
        "literature://",
        "https://",
        "http://",
        "dx.doi.org/",
        "doi.org/",
        "arxiv.org/abs/",
        "arxiv:",
        "doi:",
    ] {
        id = id.strip_prefix(prefix).unwrap_or(&id).trim().to_owned();
    }
    id = id.strip_prefix("10.48550/arxiv.").unwrap_or(&id).to_owned();
    if let Some((base, version)) = id.rsplit_once('v')
        && !id.starts_with("10.")
        && base.ends_with(|c: char| c.is_ascii_digit())
        && !version.is_empty()
        && version.bytes().all(|b| b.is_ascii_digit())
    {
        return base.to_owned();
    }
    id
}
