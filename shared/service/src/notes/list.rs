//! Finding notes: by folder, tag and text, the newest first.

use super::index::{AT_ONCE, Known};
use super::{MAX_READ, Notes, NotesError};
use crate::clock::Timestamp;
use crate::ids::Workspace;
use futures_util::StreamExt;
use futures_util::stream;
use meadow_notes::{NotePath, fold};
use std::time::Duration;
use tokio::time::Instant;

/// The most notes on a page.
pub const MAX_LIMIT: usize = 200;

/// How long one call looks into bodies, and how many bytes of them it reads.
const BUDGET: (Duration, u64) = (Duration::from_secs(6), 256 << 20);

/// Which notes.
#[derive(Debug, Clone, Copy, Default)]
pub struct List<'a> {
    /// In this folder or below; empty: everywhere.
    pub folder: &'a str,
    /// With this tag or one below it, `#` or not; empty: whatever tags.
    pub tag: &'a str,
    /// With all these words in path, title, aliases, tags or text, without regard to case; empty: whatever text.
    pub text: &'a str,
    /// Behind this place: the `next` of the page before.
    pub cursor: Option<&'a str>,
    /// At most so many; 0 for 50.
    pub limit: usize,
}

/// A note in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Which.
    pub path: NotePath,
    /// Its title; its name where it has none.
    pub title: String,
    /// Its `type`.
    pub kind: Option<String>,
    /// Its tags.
    pub tags: Vec<String>,
    /// Bytes.
    pub size: u64,
    /// When it was last written.
    pub modified: Timestamp,
    /// The first line with the first word that was looked for, and its number, where it is the text that has it.
    pub hit: Option<(usize, String)>,
}

impl Listed {
    /// The place behind it, for the next page.
    #[must_use]
    pub fn cursor(&self) -> String {
        format!("{}:{}", self.modified.0, self.path)
    }
}

/// A page of notes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// The newest first.
    pub notes: Vec<Listed>,
    /// How many there are in folder and tag, whatever their text.
    pub total: usize,
    /// Where to go on, where there is more.
    pub next: Option<String>,
    /// Whether something is missing since looking took too long: going on with `next`, or asking again, finds it.
    pub partial: bool,
}

impl Notes {
    /// Lists notes.
    ///
    /// # Errors
    /// A folder or a cursor that is none, or a vault that fails.
    pub async fn list(&self, workspace: &Workspace, list: List<'_>) -> Result<Listing, NotesError> {
        let folder = NotePath::parse_folder(list.folder)?.map(|folder| fold(&folder));
        let cursor = list.cursor.filter(|text| !text.is_empty()).map(place).transpose()?;
        let limit = if list.limit == 0 { 50 } else { list.limit.min(MAX_LIMIT) };
        let tag = fold(list.tag.trim().trim_start_matches('#'));
        let words: Vec<String> = list.text.split_whitespace().map(fold).collect();

        let known = self.known(workspace).await?;
        let inside = |note: &Known| {
            let path = if folder.is_some() {
                note.head.path.fold()
            } else {
                String::new()
            };
            folder.as_ref().is_none_or(|folder| {
                path.strip_prefix(folder.as_str())
                    .is_some_and(|rest| rest.starts_with('/'))
            })
        };
        let tagged = |note: &Known| {
            let is = |own: &String| {
                fold(own)
                    .strip_prefix(&tag)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            };
            tag.is_empty() || note.entry.tags.iter().any(is)
        };
        let mut notes: Vec<&Known> = known.notes.iter().filter(|note| inside(note) && tagged(note)).collect();
        notes.sort_unstable_by(|a, b| order(a).cmp(&order(b)));
        let total = notes.len();
        if let Some((modified, path)) = &cursor {
            notes.retain(|note| order(note) > (std::cmp::Reverse(*modified), path.as_str()));
        }

        let mut page = Listing {
            notes: Vec::new(),
            total,
            next: None,
            partial: known.partial,
        };
        if words.is_empty() {
            if notes.len() > limit {
                page.next = notes.get(limit - 1).map(|note| cursor_of(note));
                notes.truncate(limit);
            }
            page.notes = notes.iter().map(|note| listed(note, None)).collect();
            return Ok(page);
        }
        // Owned, for a future that borrows from a closure's argument is not one that can be sent.
        let notes = notes.into_iter().cloned().collect();
        self.search(workspace, notes, &words, limit, &mut page).await;
        Ok(page)
    }

    /// Looks for the words in notes, in their order, until the page is full or it took too long.
    async fn search(
        &self,
        workspace: &Workspace,
        notes: Vec<Known>,
        words: &[String],
        limit: usize,
        page: &mut Listing,
    ) {
        let until = Instant::now() + BUDGET.0;
        let mut bytes = 0;
        let last = notes.last().map(|note| note.head.path.clone());
        let looked = notes.into_iter().map(|note| async move {
            let about = about(&note);
            let missing: Vec<&String> = words.iter().filter(|word| !about.contains(word.as_str())).collect();
            if missing.is_empty() {
                return (note, 0, Some(None));
            }
            // What cannot be read has no text to find.
            let Ok(Some(read)) = self.store.read(workspace, &note.head.path, MAX_READ).await else {
                return (note, 0, None);
            };
            let text = String::from_utf8_lossy(&read.bytes);
            (note, read.head.size, hit(&text, &missing).map(Some))
        });
        let mut looked = stream::iter(looked).buffered(AT_ONCE);
        while let Some((note, read, found)) = looked.next().await {
            bytes += read;
            if let Some(hit) = found {
                page.notes.push(listed(&note, hit));
            }
            let slow = Instant::now() >= until || bytes > BUDGET.1;
            if page.notes.len() == limit || slow {
                let last = last.as_ref() == Some(&note.head.path);
                page.next = (!last).then(|| cursor_of(&note));
                page.partial |= slow && !last;
                return;
            }
        }
    }
}

fn order(note: &Known) -> (std::cmp::Reverse<Timestamp>, &str) {
    (std::cmp::Reverse(note.head.modified), note.head.path.as_str())
}

/// A place in the list, by what stands there: it stays one when notes come and go.
fn cursor_of(note: &Known) -> String {
    format!("{}:{}", note.head.modified.0, note.head.path)
}

fn place(cursor: &str) -> Result<(Timestamp, String), NotesError> {
    let parts = cursor.split_once(':');
    let place = parts.and_then(|(modified, path)| Some((Timestamp(modified.parse().ok()?), path.to_owned())));
    place.ok_or_else(|| NotesError::Refused("`cursor` is none of ours; leave it out to begin anew".to_owned()))
}

/// All that is known of a note without its text, folded.
fn about(note: &Known) -> String {
    let mut about = note.head.path.fold();
    let entry = &note.entry;
    for text in entry.title.iter().chain(&entry.aliases).chain(&entry.tags) {
        about.push('\n');
        about.push_str(&fold(text));
    }
    about
}

/// Whether a text has all the words; the first line that has the first of them, with its number.
fn hit(text: &str, words: &[&String]) -> Option<(usize, String)> {
    let folded = if text.is_ascii() {
        text.to_ascii_lowercase()
    } else {
        fold(text)
    };
    if !words.iter().all(|word| folded.contains(word.as_str())) {
        return None;
    }
    // Folding leaves lines as they are.
    let number = folded.lines().position(|line| line.contains(words[0].as_str()));
    let line = number.and_then(|number| text.lines().nth(number)).unwrap_or_default();
    Some((number.unwrap_or_default() + 1, line.trim().chars().take(160).collect()))
}

fn listed(note: &Known, hit: Option<(usize, String)>) -> Listed {
    Listed {
        path: note.head.path.clone(),
        title: note.title().to_owned(),
        kind: note.entry.kind.clone(),
        tags: note.entry.tags.clone(),
        size: note.head.size,
        modified: note.head.modified,
        hit,
    }
}
