//! What a path may not be, rule by rule.

use super::{BadPath, NotePath};

/// How much of a name is shown, in characters.
const SHOWN: usize = 80;

/// A name as errors show it: invisible characters as escapes.
pub(super) fn shown(text: &str) -> String {
    let mut shown = String::from("\"");
    for (n, c) in text.chars().enumerate() {
        if n == SHOWN {
            shown.push('…');
            break;
        }
        if c == '"' || c == '\\' || is_control(c) || is_bidi(c) || is_invisible(c) {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown.push('"');
    shown
}

/// C0, DEL, C1, and the separators of lines and paragraphs.
pub(super) fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

/// What turns the direction of writing: with it a name reads as another.
pub(super) fn is_bidi(c: char) -> bool {
    matches!(c, '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// What takes no room, so that two names look alike. Variation selectors, which emoji have, are none of them; joiners
/// are where [`joins`] says so.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{00ad}' | '\u{034f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}' | '\u{3164}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Whether a joiner (U+200C, U+200D) changes how `before` is written: in emoji, and in scripts from Arabic to Sinhala.
pub(super) fn joins(before: Option<char>) -> bool {
    before.is_some_and(
        |c| matches!(c, '\u{0600}'..='\u{0dff}' | '\u{2190}'..='\u{2bff}' | '\u{fe0f}' | '\u{1f000}'..='\u{1faff}'),
    )
}

/// Rules about the path as a whole.
pub(super) fn whole(text: &str) -> Result<(), BadPath> {
    if text.trim().is_empty() {
        return bad("the path is empty; give the name of a note, such as \"papers/quantum.md\"");
    }
    structure(text)?;
    if text.contains('\\') {
        return bad(format!(
            "the path {} has a backslash; write '/' between folders",
            shown(text)
        ));
    }
    length(text)
}

/// Rules that no cleaning mends, since what was meant cannot be known.
pub(super) fn structure(text: &str) -> Result<(), BadPath> {
    if let Some(c) = text.chars().find(|c| *c == '\0' || is_bidi(*c)) {
        let what = if c == '\0' {
            "a NUL".to_owned()
        } else {
            format!("U+{:04X}, which turns the direction of writing", u32::from(c))
        };
        return bad(format!("the path {} has {what}; leave it out", shown(text)));
    }
    if text.starts_with(['/', '\\']) || text == "~" || text.starts_with("~/") || text.starts_with("~\\") {
        return bad(format!(
            "the path {} is absolute; give it relative to the vault, such as \"papers/quantum.md\"",
            shown(text)
        ));
    }
    if drive(text) {
        return bad(format!(
            "the path {} begins with a drive letter; give it relative to the vault, such as \"papers/quantum.md\"",
            shown(text)
        ));
    }
    for segment in text.split(['/', '\\']) {
        // Windows drops blanks and dots at the end of a name, so that ".. " is "..".
        let bare = segment.trim();
        if bare.len() >= 2 && bare.chars().all(|c| c == '.' || c == ' ') {
            return bad(format!(
                "the segment {} of the path {} leads out of its folder; name the folders from the vault down",
                shown(segment),
                shown(text)
            ));
        }
        if bare.starts_with('.') && bare != "." {
            return bad(format!(
                "the segment {} of the path {} is hidden; hidden files and folders are left alone, leave out the dot at \
                 its beginning",
                shown(segment),
                shown(text)
            ));
        }
    }
    Ok(())
}

fn drive(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic()) && chars.next() == Some(':')
}

/// Whether the whole is not too long.
pub(super) fn length(text: &str) -> Result<(), BadPath> {
    if text.len() > NotePath::MAX {
        return bad(format!(
            "the path {} has {} bytes; at most {} are possible, shorten its names",
            shown(text),
            text.len(),
            NotePath::MAX
        ));
    }
    match text.split('/').find(|segment| segment.len() > NotePath::MAX_SEGMENT) {
        Some(long) => bad(format!(
            "the segment {} has {} bytes; at most {} are possible, shorten it (a Chinese character has 3)",
            shown(long),
            long.len(),
            NotePath::MAX_SEGMENT
        )),
        None => Ok(()),
    }
}

/// Rules about one segment.
pub(super) fn segment(segment: &str) -> Result<(), BadPath> {
    if segment.is_empty() {
        return bad("the path has an empty segment; write one '/' between folders and none at the end");
    }
    let show = shown(segment);
    if segment == "." {
        return bad("the segment \".\" says nothing; leave it out");
    }
    let mut before = None;
    for c in segment.chars() {
        let joiner = matches!(c, '\u{200c}' | '\u{200d}');
        if is_control(c) || (is_invisible(c) && !(joiner && joins(before))) {
            let kind = if is_control(c) {
                "a control character"
            } else {
                "which is invisible"
            };
            return bad(format!(
                "the segment {show} has U+{:04X}, {kind}; leave it out",
                u32::from(c)
            ));
        }
        before = Some(c);
    }
    if segment.ends_with([' ', '.']) || segment.starts_with(' ') {
        return bad(format!(
            "the segment {show} begins or ends with a blank or ends with a dot, which not every system keeps; leave it \
             out"
        ));
    }
    if let Some(name) = reserved(segment) {
        return bad(format!(
            "the segment {show} is called {name:?}, a device of Windows; put something before it, such as {}",
            shown(&format!("_{segment}"))
        ));
    }
    Ok(())
}

/// The device of Windows that a segment names, whatever its extension.
pub(super) fn reserved(segment: &str) -> Option<String> {
    let stem = segment.split('.').next().unwrap_or_default();
    let stem = stem.trim_end().to_uppercase();
    let numbered = |rest: &str| {
        let mut chars = rest.chars();
        matches!(chars.next(), Some('0'..='9' | '¹' | '²' | '³')) && chars.next().is_none()
    };
    let device = matches!(
        stem.as_str(),
        "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$" | "CLOCK$"
    ) || stem.strip_prefix("COM").is_some_and(numbered)
        || stem.strip_prefix("LPT").is_some_and(numbered);
    device.then_some(stem)
}

/// The extension `.md` of a name; none where it has none. What follows a dot is an extension where it is short and
/// begins with a letter: `2301.00010` has none.
///
/// # Errors
/// Where it has another.
pub(super) fn extension(name: &str) -> Result<Option<&str>, BadPath> {
    let Some((_, extension)) = name.rsplit_once('.') else {
        return Ok(None);
    };
    if extension.eq_ignore_ascii_case("md") {
        return Ok(Some(extension));
    }
    let letter = extension.starts_with(|c: char| c.is_ascii_alphabetic());
    if letter && extension.len() <= 10 && extension.bytes().all(|b| b.is_ascii_alphanumeric()) {
        return bad(format!(
            "the name {} ends in .{extension}; notes end in .md, call it {}",
            shown(name),
            shown(&format!("{name}.md"))
        ));
    }
    Ok(None)
}

pub(super) fn bad<T>(text: impl Into<String>) -> Result<T, BadPath> {
    Err(BadPath(text.into()))
}
