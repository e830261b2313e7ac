//! What stands in a note: headings with their sections, lines, links and tags. Code is skipped.

mod headings;
mod links;

pub use headings::{Heading, NoSection, headings, section};
pub use links::{Link, links, tags};

use crate::front;
use std::ops::Range;

/// Where the lines `from` to `to` of a text stand, counted from 1, both included; what is beyond the end is left out.
#[must_use]
pub fn lines(text: &str, from: usize, to: usize) -> Range<usize> {
    let mut at = 0;
    let (mut start, mut end) = (text.len(), text.len());
    for (n, line) in text.split_inclusive('\n').enumerate() {
        if n + 1 == from.max(1) {
            start = at;
        }
        at += line.len();
        if n + 1 == to {
            end = at;
        }
    }
    start..end.max(start)
}

/// A line of the body that is no code.
struct Line<'t> {
    /// Counted from 1 at the beginning of the note.
    number: usize,
    /// Its bytes in the note, with its end.
    range: Range<usize>,
    /// Without its end.
    text: &'t str,
}

/// The lines behind the front matter that are not in a fenced block of code.
fn prose(text: &str) -> impl Iterator<Item = Line<'_>> {
    let body = front::split(text).body;
    let before = text[..body.start].matches('\n').count();
    let mut at = body.start;
    let mut fence: Option<(char, usize)> = None;
    let lines = text[body].split_inclusive('\n').enumerate();
    lines.filter_map(move |(n, line)| {
        let range = at..at + line.len();
        at = range.end;
        let text = line.trim_end_matches(['\n', '\r']);
        if let Some(open) = fence {
            if closes(text, open) {
                fence = None;
            }
            return None;
        }
        fence = opens(text);
        let number = before + n + 1;
        fence.is_none().then_some(Line { number, range, text })
    })
}

/// A line without the up to three blanks that may stand before a block.
fn unindented(line: &str) -> Option<&str> {
    let bare = line.trim_start_matches(' ');
    (line.len() - bare.len() <= 3 && !bare.starts_with('\t')).then_some(bare)
}

/// The fence that a line begins a block of code with, and its length.
fn opens(line: &str) -> Option<(char, usize)> {
    // Also in quotes and lists, whose code is code.
    let bare = line.trim_start_matches([' ', '\t', '>']);
    let bare = bare.strip_prefix("- ").map_or(bare, str::trim_start);
    let mark = bare.chars().next().filter(|c| "`~".contains(*c))?;
    let length = bare.len() - bare.trim_start_matches(mark).len();
    let info = &bare[length..];
    (length >= 3 && !(mark == '`' && info.contains('`'))).then_some((mark, length))
}

fn closes(line: &str, (mark, length): (char, usize)) -> bool {
    let bare = line.trim_start_matches([' ', '\t', '>']).trim_end();
    bare.len() >= length && bare.chars().all(|c| c == mark)
}

#[cfg(test)]
mod tests;
