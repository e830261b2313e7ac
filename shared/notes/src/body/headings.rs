//! Headings, and the sections below them.

use super::{prose, unindented};
use crate::path::fold;
use std::ops::Range;

/// A heading with its section: up to the next heading that is not deeper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// 1 to 6.
    pub level: usize,
    /// Its text.
    pub text: String,
    /// Its line, counted from 1 at the beginning of the note.
    pub line: usize,
    /// The section in the note, the heading included.
    pub section: Range<usize>,
}

/// The headings of a note: lines that begin with `#`, and lines that are underlined with `=` or `-`.
#[must_use]
pub fn headings(text: &str) -> Vec<Heading> {
    let mut found: Vec<Heading> = Vec::new();
    let mut before: Option<(usize, Range<usize>, &str)> = None;
    for line in prose(text) {
        let above = before.take();
        let heading = atx(line.text).map(|(level, title)| (level, title, line.number, line.range.start));
        let under = || {
            let level = underline(line.text)?;
            let (number, range, title) = above.filter(|(_, range, _)| range.end == line.range.start)?;
            Some((level, title.trim().to_owned(), number, range.start))
        };
        match heading.or_else(under) {
            Some((level, text, line, start)) => found.push(Heading {
                level,
                text,
                line,
                section: start..usize::MAX,
            }),
            None => before = is_paragraph(line.text).then_some((line.number, line.range, line.text)),
        }
    }
    for n in 0..found.len() {
        let next = found[n + 1..].iter().find(|next| next.level <= found[n].level);
        found[n].section.end = next.map_or(text.len(), |next| next.section.start);
    }
    found
}

fn atx(line: &str) -> Option<(usize, String)> {
    let line = unindented(line)?;
    let rest = line.trim_start_matches('#');
    let level = line.len() - rest.len();
    if !(1..=6).contains(&level) || !(rest.is_empty() || rest.starts_with([' ', '\t'])) {
        return None;
    }
    let title = rest.trim();
    // A closing run of # is none of the title, where a blank stands before it.
    let open = title.trim_end_matches('#');
    let closed = open.is_empty() || open.ends_with([' ', '\t']);
    Some((level, if closed { open.trim_end() } else { title }.to_owned()))
}

fn underline(line: &str) -> Option<usize> {
    let line = unindented(line)?.trim_end();
    let all = |mark: char| !line.is_empty() && line.chars().all(|c| c == mark);
    if all('=') { Some(1) } else { all('-').then_some(2) }
}

fn is_paragraph(line: &str) -> bool {
    unindented(line).is_some_and(|bare| {
        let list = bare.split_once([' ', '\t']).is_some_and(|(mark, _)| {
            matches!(mark, "-" | "*" | "+") || mark.trim_end_matches(['.', ')']).bytes().all(|b| b.is_ascii_digit())
        });
        !bare.trim().is_empty() && !bare.starts_with(['>', '|', '<']) && !list && underline(bare).is_none()
    })
}

/// There is no such heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoSection {
    /// The headings that there are, at most twenty.
    pub headings: Vec<String>,
}

/// The section below a heading: its text (`Results`, `## Results`), or the way to it through those above
/// (`Methods/Results`, `Methods#Results`). Without regard to case, the first one that fits.
///
/// # Errors
/// Where there is none.
pub fn section(text: &str, wanted: &str) -> Result<Heading, NoSection> {
    let all = headings(text);
    let is = |heading: &Heading, name: &str| fold(heading.text.trim()) == fold(name.trim());
    let bare = wanted.trim().trim_start_matches('#').trim();
    if let Some(heading) = all.iter().find(|heading| is(heading, bare)) {
        return Ok(heading.clone());
    }
    let way: Vec<&str> = bare
        .split(['/', '#'])
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .collect();
    // Those above the one that is looked at, at most one of each level: a note with very many is read once.
    let mut above: Vec<&Heading> = Vec::new();
    let found = all.iter().find(|heading| {
        while above.pop_if(|outer| outer.level >= heading.level).is_some() {}
        let fits = way.split_last().is_some_and(|(last, names)| {
            let mut outer = above.iter();
            is(heading, last) && names.iter().all(|name| outer.any(|heading| is(heading, name)))
        });
        above.push(heading);
        fits
    });
    found.cloned().ok_or_else(|| NoSection {
        headings: all.into_iter().map(|heading| heading.text).take(20).collect(),
    })
}
