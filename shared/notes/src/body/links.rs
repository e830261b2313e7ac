//! Links from a note to others, and its tags.

use super::prose;
use crate::front;
use percent_encoding::percent_decode_str;
use std::collections::{BTreeMap, BTreeSet};

/// A link as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// What it names: `x`, `folder/x`, `../x.md`, `note:///x.md`; percent-decoded where it is no URI.
    pub target: String,
    /// The heading or block behind `#`.
    pub heading: Option<String>,
    /// Whether `target` is a name as `[[x]]` has it, which may stand anywhere; else it is relative to the note.
    pub wiki: bool,
    /// Its line, counted from 1 at the beginning of the note.
    pub line: usize,
}

/// The links of a note to others, the first `most` of them: `[[x]]`, `[[x#heading|text]]`, `![[x]]`, `[text](x.md)`,
/// `note:///x.md`. Those in the front matter too. Takes time in proportion to the text, whatever it is.
#[must_use]
pub fn links(text: &str, most: usize) -> Vec<Link> {
    let mut found = Vec::new();
    if let Some(front) = front::split(text).front {
        for (n, line) in text[front.yaml].lines().enumerate() {
            of_line(line, n + 2, most, &mut found);
        }
    }
    for line in prose(text) {
        if found.len() >= most {
            break;
        }
        of_line(line.text, line.number, most, &mut found);
    }
    found
}

/// Where a mark stands next in a line. Places are asked for in rising order, so that the line is looked through once.
struct Seek<'l> {
    line: &'l str,
    mark: &'static str,
    next: Option<usize>,
}

impl<'l> Seek<'l> {
    fn of(line: &'l str, mark: &'static str) -> Self {
        let next = line.find(mark);
        Self { line, mark, next }
    }

    /// The first one at this place or behind it; once there is none, nothing is looked at any more.
    fn from(&mut self, at: usize) -> Option<usize> {
        if self.next.is_some_and(|next| next < at) {
            self.next = self.line[at..].find(self.mark).map(|next| at + next);
        }
        self.next
    }
}

fn of_line(line: &str, number: usize, most: usize, found: &mut Vec<Link>) {
    if !(line.contains("[[") || line.contains("](") || line.contains("note:///")) {
        return;
    }
    let line = without_code(line);
    let line = line.as_str();
    let seek = |mark| Seek::of(line, mark);
    let (mut wikis, mut texts, mut notes) = (seek("[["), seek("]("), seek("note:///"));
    let (mut ends, mut angles) = (seek("]]"), seek(">"));
    let closing = closing(line);
    let mut at = 0;
    while found.len() < most {
        let next = [wikis.from(at), texts.from(at), notes.from(at)];
        let Some(start) = next.iter().flatten().min().copied() else {
            break;
        };
        let from = start + 2;
        let link = if next[0] == Some(start) {
            ends.from(from).map(|end| (wiki(&line[from..end], number), end + 2))
        } else if next[1] == Some(start) {
            let open = from + line[from..].len() - line[from..].trim_start().len();
            if line[open..].starts_with('<') {
                let end = angles.from(open + 1);
                end.map(|end| (markdown(&line[open + 1..end], number), end + 1))
            } else {
                // Without a title.
                let target = |end: usize| line[from..end].split([' ', '\t']).next().unwrap_or_default();
                let end = closing.get(&from).copied();
                end.map(|end| (markdown(target(end), number), end))
            }
        } else {
            let here = &line[start..];
            let end = here
                .find([' ', '\t', ')', ']', '>', '"', '\'', '`'])
                .unwrap_or(here.len());
            let target = here[..end].trim_end_matches(['.', ',', ';', '。', '，']);
            Some((markdown(target, number), start + end))
        };
        match link {
            Some((link, end)) => {
                found.extend(link);
                at = end;
            }
            None => at = from,
        }
    }
}

/// For each place behind a `](`: where its `)` stands, those within left out.
fn closing(line: &str) -> BTreeMap<usize, usize> {
    let mut open = Vec::new();
    let mut found = BTreeMap::new();
    for (at, byte) in line.bytes().enumerate() {
        match byte {
            b'(' => open.push(at),
            b')' => {
                if let Some(start) = open.pop()
                    && line[..start].ends_with(']')
                {
                    found.insert(start + 1, at);
                }
            }
            _ => {}
        }
    }
    found
}

fn wiki(inner: &str, line: usize) -> Option<Link> {
    // In tables the bar is escaped.
    let target = inner.split('|').next().unwrap_or_default().trim_end_matches('\\');
    let (target, heading) = target.split_once('#').map_or((target, None), |(t, h)| (t, Some(h)));
    let target = target.trim();
    let plain = !target.is_empty() && !target.contains(['[', ']', '\n']);
    plain.then(|| Link {
        target: target.to_owned(),
        heading: heading.map(|heading| heading.trim().to_owned()),
        wiki: true,
        line,
    })
}

fn markdown(target: &str, line: usize) -> Option<Link> {
    let (target, heading) = target.split_once('#').map_or((target, None), |(t, h)| (t, Some(h)));
    let decode = |text: &str| percent_decode_str(text).decode_utf8().map(|text| text.into_owned());
    let note = target.starts_with("note:///");
    if target.is_empty() || (!note && target.contains(':')) {
        return None;
    }
    let plain = if note { target.to_owned() } else { decode(target).ok()? };
    let name = plain.rsplit('/').next().unwrap_or_default();
    let other = name
        .rsplit_once('.')
        .is_some_and(|(_, end)| !end.eq_ignore_ascii_case("md"));
    (note || !other).then(|| Link {
        target: plain,
        heading: heading.and_then(|heading| decode(heading).ok()),
        wiki: false,
        line,
    })
}

/// The tags in the text, `#tag` and `#tag/below`, each once, the first `most` of them; those of the front matter are
/// told by it.
#[must_use]
pub fn tags(text: &str, most: usize) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut known: BTreeSet<String> = BTreeSet::new();
    for line in prose(text).filter(|line| line.text.contains('#')) {
        let line = without_code(line.text);
        let mut before = ' ';

        for (at, c) in line.char_indices() {
            if found.len() >= most {
                return found;
            }
            if c == '#' && (before.is_whitespace() || "([（，。、,;".contains(before)) {
                let tag: String = line[at + 1..]
                    .chars()
                    .take_while(|c| c.is_alphanumeric() || "_-/".contains(*c))
                    .collect();
                let tag = tag.trim_end_matches('/');
                let number = tag.chars().all(|c| c.is_ascii_digit());
                if !tag.is_empty() && !number && known.insert(tag.to_owned()) {
                    found.push(tag.to_owned());
                }
            }
            before = c;
        }
    }
    found
}

/// A line with its code in backticks blanked out.
fn without_code(line: &str) -> String {
    // The runs of backticks, each with its length and the next one that is exactly as long, which closes it.
    let mut runs: Vec<(usize, usize, Option<usize>)> = Vec::new();
    for (at, _) in line.match_indices('`') {
        match runs.last_mut() {
            Some((start, length, _)) if *start + *length == at => *length += 1,
            _ => runs.push((at, 1, None)),
        }
    }
    let mut later: BTreeMap<usize, usize> = BTreeMap::new();
    for n in (0..runs.len()).rev() {
        runs[n].2 = later.insert(runs[n].1, n);
    }
    let mut out = String::with_capacity(line.len());
    let (mut from, mut n) = (0, 0);
    while let Some((start, length, closing)) = runs.get(n) {
        match closing.and_then(|closing| Some((closing, runs.get(closing)?))) {
            Some((closing, (end, ..))) => {
                out.push_str(&line[from..*start]);
                out.push(' ');
                (from, n) = (end + length, closing + 1);
            }
            None => n += 1,
        }
    }
    out.push_str(&line[from..]);
    out
}
