//! Reading notes: whole, a section or some lines, with what they link to and what links to them.

use super::index::{AllKnown, Known, name_of};
use super::resolve::{Meant, Names, meant};
use super::store::Note;
use super::{MAX_READ, Notes, NotesError, sha256};
use crate::clock::Timestamp;
use crate::ids::Workspace;
use meadow_notes::body;
use meadow_notes::{BadPath, Front, NotePath, fold};

/// Bytes of text in one answer, of all notes together: what common clients show whole.
pub const MAX_TEXT: usize = 60_000;

/// The most notes in one call.
pub const MAX_NOTES: usize = 20;

/// The most links in an answer about one note, in each direction.
const MAX_LINKS: usize = 50;

/// What to read.
#[derive(Debug, Clone, Copy, Default)]
pub struct Read<'a> {
    /// The notes: paths, also absolute ones, `note:///` URIs, names or titles.
    pub paths: &'a [&'a str],
    /// Only the section below this heading.
    pub heading: Option<&'a str>,
    /// Only from this line on, counted from 1 at the beginning of the note (with a heading: of the section).
    pub from: Option<usize>,
    /// Only up to this line.
    pub to: Option<usize>,
    /// At most so many bytes of text; 0 for [`MAX_TEXT`], which is the most.
    pub most: usize,
}

impl Read<'_> {
    /// Bytes of text in the answer, at most.
    fn room(&self) -> usize {
        match self.most {
            0 => MAX_TEXT,
            most => most.min(MAX_TEXT),
        }
    }
}

/// What was found for one name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// The note.
    Note(Box<ReadNote>),
    /// Several are meant; which.
    Ambiguous(Vec<NotePath>),
    /// None is meant; the nearest, at most three.
    NotFound(Vec<NotePath>),
    /// The name is none; what to change.
    Bad(String),
    /// The note is there, the heading is not; the headings that there are.
    NoSection(NotePath, Vec<String>),
    /// It cannot be read, such as since it is too large; why.
    Unreadable(String),
}

/// A note that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadNote {
    /// Which.
    pub path: NotePath,
    /// Where people find it.
    pub location: Option<String>,
    /// Its title; its name where it has none.
    pub title: String,
    /// Bytes of the whole note.
    pub size: u64,
    /// When it was last written.
    pub modified: Timestamp,
    /// SHA-256 of the whole note, in hexadecimal.
    pub sha256: String,
    /// What its front matter says, with the reason where it is no YAML.
    pub front: Front,
    /// What was asked for, as it stands in the note, front matter included.
    pub text: String,
    /// The line of the note that the text begins with.
    pub first_line: usize,
    /// How many lines the note has.
    pub lines: usize,
    /// The line to go on with, where the text was cut. The last line of the text, where that was cut for other notes.
    pub next_line: Option<usize>,
    /// Whether the text is the beginning of one line that is longer than there is room for; its rest is left out.
    pub rest_left_out: bool,
    /// Whether bytes that are no UTF-8 were replaced.
    pub not_utf8: bool,
    /// Its headings with their levels and lines, at most fifty.
    pub headings: Vec<(usize, String, usize)>,
    /// What it links to: as it is written, the line, and the note where there is one.
    pub links: Vec<(String, usize, Option<NotePath>)>,
    /// What links to it: the note and the line.
    pub backlinks: Vec<(NotePath, usize)>,
    /// Whether backlinks may be missing, since not all notes could be read in time.
    pub partial: bool,
}

impl Notes {
    /// Reads notes, in the order of their names.
    ///
    /// # Errors
    /// No name or too many, or a vault that fails.
    pub async fn read(&self, workspace: &Workspace, read: Read<'_>) -> Result<Vec<Found>, NotesError> {
        if read.paths.is_empty() || read.paths.len() > MAX_NOTES {
            return Err(NotesError::Refused(format!(
                "{} notes are asked for; name 1 to {MAX_NOTES}",
                read.paths.len()
            )));
        }
        if let (Some(from), Some(to)) = (read.from, read.to)
            && from > to
        {
            return Err(NotesError::Refused(format!(
                "lines {from} to {to} are none: the first is behind the last; give from_line at most to_line"
            )));
        }
        let known = self.known(workspace).await?;
        let names = Names::of(&known.notes);
        let mut room = read.room();
        let mut found = Vec::new();
        for (n, name) in read.paths.iter().enumerate() {
            // What one note leaves is for those behind it.
            let share = room / (read.paths.len() - n);
            let answer = self.one(workspace, name, &read, share, &known, &names).await?;
            if let Found::Note(note) = &answer {
                room -= note.text.len().min(room);
            }
            found.push(answer);
        }
        Ok(found)
    }

    async fn one(
        &self,
        workspace: &Workspace,
        name: &str,
        read: &Read<'_>,
        room: usize,
        known: &AllKnown,
        names: &Names<'_>,
    ) -> Result<Found, NotesError> {
        let located = self.located(workspace, name);
        let wanted = match located.and_then(|path| path.map_or_else(|| path_of(name), Ok)) {
            Ok(path) => path,
            Err(bad) => return Ok(Found::Bad(bad.0)),
        };
        let exact = known.notes.iter().any(|note| note.head.path == wanted);
        let path = match exact {
            true => wanted,
            false => match meant(&known.notes, &wanted) {
                Meant::One(path) => path,
                Meant::Several(paths) => return Ok(Found::Ambiguous(paths)),
                Meant::None(near) => return Ok(Found::NotFound(near)),
            },
        };
        let note = match self.store.read(workspace, &path, MAX_READ).await {
            Ok(Some(note)) => note,
            Ok(None) => return Ok(Found::NotFound(Vec::new())),
            Err(super::VaultError::Full(why) | super::VaultError::Denied(why) | super::VaultError::Outside(why)) => {
                return Ok(Found::Unreadable(why));
            }
            Err(error) => return Err(error.into()),
        };
        let (text, not_utf8) = match std::str::from_utf8(&note.bytes) {
            Ok(text) => (text.to_owned(), false),
            Err(_) => (String::from_utf8_lossy(&note.bytes).into_owned(), true),
        };
        let part = match part_of(&text, read) {
            Ok(part) => part,
            Err(headings) => return Ok(Found::NoSection(path, headings)),
        };
        Ok(Found::Note(Box::new(ReadNote {
            location: self.location(workspace, &path),
            not_utf8,
            backlinks: backlinks(known, names, &path),
            partial: known.partial,
            ..described(&note, &text, part, (room, read.room()), names)
        })))
    }
}

/// The path that a name stands for: a link as notes have it, or a path.
fn path_of(name: &str) -> Result<NotePath, BadPath> {
    let name = name.trim();
    let link = name.strip_prefix("[[").and_then(|rest| rest.strip_suffix("]]"));
    let name = link.map_or(name, |link| link.split(['|', '#']).next().unwrap_or_default());
    NotePath::parse(name.strip_prefix("./").unwrap_or(name))
}

/// The part that is asked for: its bytes, and the line it begins with.
fn part_of(text: &str, read: &Read<'_>) -> Result<(std::ops::Range<usize>, usize), Vec<String>> {
    let (mut range, mut line) = (0..text.len(), 1);
    if let Some(heading) = read.heading.filter(|heading| !heading.trim().is_empty()) {
        let heading = body::section(text, heading).map_err(|none| none.headings)?;
        (range, line) = (heading.section, heading.line);
    }
    if read.from.is_some() || read.to.is_some() {
        let from = read.from.unwrap_or(1).max(1);
        let inner = &text[range.clone()];
        let lines = body::lines(inner, from, read.to.unwrap_or(usize::MAX));
        line = line.saturating_add(from - 1);
        range = range.start + lines.start..range.start + lines.end;
    }
    Ok((range, line))
}

fn described(
    note: &Note,
    text: &str,
    (range, first_line): (std::ops::Range<usize>, usize),
    (room, most): (usize, usize),
    names: &Names<'_>,
) -> ReadNote {
    let path = &note.head.path;
    let front = Front::of(text);
    let part = &text[range];
    let shown = cut(part, room);
    // A line that does not fit even alone would be the next one for ever: what follows it is.
    let line_end = part.find('\n').map_or(part.len(), |end| end + 1);
    let rest_left_out = shown.len() < line_end && line_end > most;
    let behind = if rest_left_out { line_end } else { shown.len() };
    let next_line = first_line.saturating_add(part[..behind].matches('\n').count());
    let links = body::links(text, MAX_LINKS).into_iter().map(|link| {
        let to = names.follow(path, &name_of(&link.target), &link).cloned();
        (link.target, link.line, to)
    });
    let headings = body::headings(text).into_iter().take(50);
    ReadNote {
        path: path.clone(),
        location: None,
        title: front.title.clone().unwrap_or_else(|| path.stem().to_owned()),
        size: note.head.size,
        modified: note.head.modified,
        sha256: sha256(&note.bytes),
        text: shown.to_owned(),
        first_line,
        lines: text.lines().count(),
        next_line: (behind < part.len()).then_some(next_line),
        rest_left_out,
        not_utf8: false,
        headings: headings
            .map(|heading| (heading.level, heading.text, heading.line))
            .collect(),
        links: links.collect(),
        backlinks: Vec::new(),
        partial: false,
        front,
    }
}

/// As much of a text as has room: whole lines, or a part of the first one.
fn cut(text: &str, room: usize) -> &str {
    if text.len() <= room {
        return text;
    }
    let mut end = room;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let lines = text[..end].rfind('\n').map_or(0, |at| at + 1);
    if lines == 0 { &text[..end] } else { &text[..lines] }
}

/// The notes that link to this one, and where.
fn backlinks(known: &AllKnown, names: &Names<'_>, path: &NotePath) -> Vec<(NotePath, usize)> {
    let name = fold(path.stem());
    let mut found = Vec::new();
    for Known { head, entry, .. } in known.notes.iter() {
        let to = entry.links.iter().filter(|(last, _)| *last == name);
        let mut to = to.filter(|(last, link)| names.follow(&head.path, last, link) == Some(path));
        if let Some((_, link)) = to.next()
            && head.path != *path
        {
            found.push((head.path.clone(), link.line));
            if found.len() == MAX_LINKS {
                break;
            }
        }
    }
    found
}
