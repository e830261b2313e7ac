//! Front matter: the YAML between two lines of hyphens at the beginning of a note. There is one splitter, this one.

mod edit;
mod entries;
mod read;
mod write;

pub use edit::{BadEdit, remove, set};
pub use read::Front;
pub use write::{Value, compose, quoted};

use std::ops::Range;

/// The byte order mark that some editors of Windows write.
const BOM: &str = "\u{feff}";

/// The parts of a note, as ranges of its bytes. Together they are all of it, in this order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parts {
    /// A byte order mark, or nothing.
    pub bom: Range<usize>,
    /// The front matter, where there is one.
    pub front: Option<FrontRange>,
    /// What follows.
    pub body: Range<usize>,
}

/// Where front matter stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrontRange {
    /// The line `---`, with its end.
    pub open: Range<usize>,
    /// The YAML, with the end of its last line.
    pub yaml: Range<usize>,
    /// The line `---` or `...`, with its end, which is missing at the end of a file.
    pub close: Range<usize>,
}

/// Splits a note. Front matter begins with a line `---` at the very beginning (behind a byte order mark) and ends with
/// the next line `---` or `...`, blanks at their ends allowed; without an end there is none.
#[must_use]
pub fn split(text: &str) -> Parts {
    let start = if text.starts_with(BOM) { BOM.len() } else { 0 };
    let none = Parts {
        bom: 0..start,
        front: None,
        body: start..text.len(),
    };
    let mut at = start;
    let mut open = None;
    for line in text[start..].split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        let Some(open) = &open else {
            if !(is_fence(line, "---") && line.ends_with('\n')) {
                return none;
            }
            open = Some(range);
            continue;
        };
        if is_fence(line, "---") || is_fence(line, "...") {
            return Parts {
                body: range.end..text.len(),
                front: Some(FrontRange {
                    open: open.clone(),
                    yaml: open.end..range.start,
                    close: range,
                }),
                ..none
            };
        }
    }
    none
}

/// Whether a line is this and nothing but blanks.
fn is_fence(line: &str, fence: &str) -> bool {
    line.strip_prefix(fence)
        .is_some_and(|rest| rest.trim_end_matches(['\n', '\r']).trim_matches([' ', '\t']).is_empty())
}

/// The line ending that a text uses: that of its first line.
#[must_use]
pub fn line_ending(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

#[cfg(test)]
mod tests;
