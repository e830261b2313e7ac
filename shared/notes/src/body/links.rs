//! Links from a note to others, and its tags.

use super::prose;
use crate::front;
use percent_encoding::percent_decode_str;

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

/// The links of a note to others: `[[x]]`, `[[x#heading|text]]`, `![[x]]`, `[text](x.md)`, `note:///x.md`. Those in the
/// front matter too.
#[must_use]
pub fn links(text: &str) -> Vec<Link> {
    let mut found = Vec::new();
    if let Some(front) = front::split(text).front {
        for (n, line) in text[front.yaml].lines().enumerate() {
            of_line(line, n + 2, &mut found);
        }
    }
    for line in prose(text) {
        of_line(line.text, line.number, &mut found);
    }
    found
}

fn of_line(line: &str, number: usize, found: &mut Vec<Link>) {
    if !(line.contains("[[") || line.contains("](") || line.contains("note:///")) {
        return;
    }
    let line = without_code(line);
    let mut rest = line.as_str();
    while let Some(at) = ["[[", "](", "note:///"].iter().filter_map(|mark| rest.find(mark)).min() {
        let here = &rest[at..];
        let link = if let Some(inner) = here.strip_prefix("[[") {
            inner
                .split_once("]]")
                .map(|(inner, after)| (wiki(inner, number), after))
        } else if let Some(inner) = here.strip_prefix("](") {
            destination(inner).map(|(inner, after)| (markdown(inner, number), after))
        } else {
            let end = here
                .find([' ', '\t', ')', ']', '>', '"', '\'', '`'])
                .unwrap_or(here.len());
            Some((
                markdown(here[..end].trim_end_matches(['.', ',', ';', '。', '，']), number),
                &here[end..],
            ))
        };
        match link {
            Some((link, after)) => {
                found.extend(link);
                rest = after;
            }
            None => rest = &here[2..],
        }
    }
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

/// What stands between the brackets of `](...)`, without a title, and what follows.
fn destination(inner: &str) -> Option<(&str, &str)> {
    if let Some(inner) = inner.trim_start().strip_prefix('<') {
        return inner.split_once('>');
    }
    let mut depth = 0;
    let end = inner.char_indices().find(|(_, c)| {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return true,
            ')' => depth -= 1,
            _ => {}
        }
        false
    })?;
    let (inner, after) = inner.split_at(end.0);
    let inner = inner.split([' ', '\t']).next().unwrap_or_default();
    Some((inner, after))
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

/// The tags in the text, `#tag` and `#tag/below`, each once; those of the front matter are told by it.
#[must_use]
pub fn tags(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in prose(text).filter(|line| line.text.contains('#')) {
        let line = without_code(line.text);
        let mut before = ' ';

        for (at, c) in line.char_indices() {
            if c == '#' && (before.is_whitespace() || "([（，。、,;".contains(before)) {
                let tag: String = line[at + 1..]
                    .chars()
                    .take_while(|c| c.is_alphanumeric() || "_-/".contains(*c))
                    .collect();
                let tag = tag.trim_end_matches('/');
                let number = tag.chars().all(|c| c.is_ascii_digit());
                if !tag.is_empty() && !number && !found.iter().any(|known| known == tag) {
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
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find('`') {
        out.push_str(&rest[..at]);
        let marks = rest[at..].len() - rest[at..].trim_start_matches('`').len();
        let (mark, inner) = rest[at..].split_at(marks);
        // The run that closes is exactly as long.
        let mut from = 0;
        let end = loop {
            let Some(next) = inner[from..].find('`') else {
                break None;
            };
            let start = from + next;
            let length = inner[start..].len() - inner[start..].trim_start_matches('`').len();
            if length == marks {
                break Some(start + length);
            }
            from = start + length;
        };
        match end {
            Some(end) => {
                out.push(' ');
                rest = &inner[end..];
            }
            None => {
                out.push_str(mark);
                rest = inner;
            }
        }
    }
    out.push_str(rest);
    out
}
