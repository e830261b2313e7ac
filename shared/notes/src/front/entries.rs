//! The top level of front matter line by line, without understanding the values: for changing one and leaving the rest
//! alone, and for what YAML does not keep or does not read.

use std::ops::Range;

/// A key with its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// The key, unquoted.
    pub(super) key: String,
    /// What stands behind the colon on its line, trimmed.
    pub(super) value: String,
    /// Its lines, with the end of the last one.
    pub(super) lines: Range<usize>,
    /// Whether more lines belong to it than that of the key.
    pub(super) more: bool,
}

/// The entries of a YAML text. Blank lines and comments behind an entry are none of its lines.
pub(super) fn entries(yaml: &str) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut at = 0;
    for line in yaml.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let bare = line.trim_end();
        if bare.is_empty() || bare.starts_with('#') {
            continue;
        }
        if let Some((key, value)) = key_of(bare) {
            entries.push(Entry {
                key,
                value: value.trim().to_owned(),
                lines: start..at,
                more: false,
            });
        } else if let Some(last) = entries.last_mut() {
            // Indented, an item of a list, or the end of a bracket: it goes on, with what stood between.
            last.lines.end = at;
            last.more = true;
        }
    }
    entries
}

/// The key that a line begins with, and what follows its colon.
fn key_of(line: &str) -> Option<(String, &str)> {
    let first = line.chars().next()?;
    if let '"' | '\'' = first {
        let end = line[1..].find(first)? + 1;
        let rest = line[end + 1..].trim_start().strip_prefix(':')?;
        return (rest.is_empty() || rest.starts_with([' ', '\t'])).then(|| (line[1..end].to_owned(), rest));
    }
    if " \t-?:,[]{}#&*!|>%@`".contains(first) && !(first == '-' && !line.starts_with("- ") && line != "-") {
        return None;
    }
    let colon = line.match_indices(':').find(|(at, _)| {
        let rest = &line[at + 1..];
        rest.is_empty() || rest.starts_with([' ', '\t'])
    })?;
    Some((line[..colon.0].trim_end().to_owned(), &line[colon.0 + 1..]))
}

/// A value of one line as it is written: without quotes, and without a comment behind it.
pub(super) fn plain(value: &str) -> String {
    for quote in ['"', '\''] {
        if let Some(rest) = value.strip_prefix(quote)
            && let Some(end) = rest.find(quote)
        {
            return rest[..end].to_owned();
        }
    }
    value.split(" #").next().unwrap_or_default().trim().to_owned()
}
