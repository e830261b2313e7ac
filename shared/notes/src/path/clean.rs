//! Paths from names that agents make up.

use super::rules::{self, is_control, is_invisible, joins, shown};
use super::{BadPath, NotePath};
use unicode_normalization::UnicodeNormalization;

/// What some file system (`\/:*?"<>|`), or a link of Obsidian (`#^[]|`), cannot hold.
const UNFIT: &str = "\\/:*?\"<>|#^[]";

/// A path that was made fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cleaned {
    /// The path.
    pub path: NotePath,
    /// What was changed, a sentence each; empty where nothing was.
    pub changes: Vec<String>,
}

pub(super) fn path(text: &str) -> Result<Cleaned, BadPath> {
    let mut changes = Vec::new();
    let text: String = text.trim().nfc().collect();
    if text.is_empty() {
        rules::whole(&text)?;
    }
    rules::structure(&text)?;
    let mut segments: Vec<&str> = text.split('/').collect();
    let given = segments.len();
    segments.retain(|segment| !segment.trim().is_empty() && *segment != ".");
    if segments.len() != given {
        changes.push("empty segments were left out".to_owned());
    }
    let Some((name, folders)) = segments.split_last() else {
        return rules::bad(format!("the path {} has no name", shown(&text)));
    };
    let mut path = String::new();
    for folder in folders {
        path.push_str(&fit(folder, "", &mut changes));
        path.push('/');
    }
    // Another extension stays in the name: plan.json becomes plan.json.md.
    let (stem, extension) = match name.trim().rsplit_once('.') {
        Some((stem, extension)) if extension.eq_ignore_ascii_case("md") => (stem, extension),
        _ => (name.trim(), ""),
    };
    if extension.is_empty() && rules::extension(name.trim()).is_err() {
        changes.push(format!("{} got .md, which notes end in", shown(name)));
    }
    let extension = if extension.is_empty() { "md" } else { extension };
    path.push_str(&fit(stem, &format!(".{extension}"), &mut changes));
    Ok(Cleaned {
        path: NotePath::parse(&path)?,
        changes,
    })
}

/// A title as the name of one file, without an extension: nothing in it parts folders, and room is left for `.md`.
#[must_use]
pub fn clean_name(title: &str) -> String {
    let plain: String = title.nfc().filter(|c| *c != '\0' && !rules::is_bidi(*c)).collect();
    fit(plain.trim().trim_start_matches('.'), ".md", &mut Vec::new())
        .trim_end_matches(".md")
        .to_owned()
}

/// One segment made fit, `end` appended.
fn fit(given: &str, end: &str, changes: &mut Vec<String>) -> String {
    let mut name = String::new();
    let mut before = None;
    for c in given.chars() {
        let joiner = matches!(c, '\u{200c}' | '\u{200d}') && joins(before);
        before = Some(c);
        if is_control(c) || c == '\u{3000}' {
            name.push(' ');
        } else if UNFIT.contains(c) {
            name.push('-');
        } else if joiner || !(is_invisible(c) || rules::is_bidi(c)) {
            name.push(c);
        }
    }
    let mut name = once(&name);
    // What was put in for a question mark at the end says nothing.
    if !given.ends_with('-') {
        name.truncate(name.trim_end_matches(['-', ' ']).len());
    }
    if !given.starts_with('-') {
        name = name.trim_start_matches(['-', ' ', '.']).to_owned();
    }
    name.truncate(name.trim_end_matches(['.', ' ']).len());
    if name.is_empty() {
        name.push_str("untitled");
    }
    if let Some(device) = rules::reserved(&format!("{name}{end}")) {
        changes.push(format!(
            "{} got a \"_\" in front: {device} is a device of Windows",
            shown(given)
        ));
        name.insert(0, '_');
    } else if name != given {
        changes.push(format!("{} became {}", shown(given), shown(&name)));
    }
    let room = NotePath::MAX_SEGMENT - end.len();
    if name.len() > room {
        let mut cut = room;
        while !name.is_char_boundary(cut) {
            cut -= 1;
        }
        let rest = name[..cut].trim_end_matches(['.', ' ', '-', '\u{200d}']).len();
        name.truncate(rest);
        changes.push(format!(
            "{} was cut to {} bytes, which is what file systems hold",
            shown(given),
            name.len() + end.len()
        ));
    }
    name.push_str(end);
    name
}

/// Runs of blanks, and of hyphens that were put in, as one.
fn once(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if c != ' ' || !out.ends_with(' ') {
            out.push(c);
        }
    }
    out
}
