//! One key of front matter changed by its lines alone: every other byte stays.

use super::entries::{Entry, entries};
use super::read::parse;
use super::write::{self, Value, quoted};
use super::{line_ending, split};

/// Why front matter cannot be changed by its lines.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadEdit(pub String);

/// The note with `key` set to `value`, on one line (a list that is written a line an item stays so). A new key comes
/// last; a note without front matter gets some.
///
/// # Errors
/// Where the front matter is not written as lines of `key: value`, or has the key twice.
pub fn set(text: &str, key: &str, value: &Value) -> Result<String, BadEdit> {
    let end = line_ending(text);
    let Some(front) = split(text).front else {
        let start = split(text).bom.end;
        let line = format!("{}: {}", write::key(key), write::inline(value));
        let front = format!("---{end}{line}{end}---{end}");
        return checked(text, format!("{}{front}{}", &text[..start], &text[start..]), key);
    };
    let yaml = &text[front.yaml.clone()];
    let (lines, new) = match entry(yaml, key)? {
        Some(entry) => {
            let written = &yaml[entry.lines.clone()];
            let indent = block_indent(written);
            (entry.lines, render(key, value, indent, line_ending(written)))
        }
        None => (yaml.len()..yaml.len(), render(key, value, None, end)),
    };
    let (from, to) = (front.yaml.start + lines.start, front.yaml.start + lines.end);
    checked(text, format!("{}{new}{}", &text[..from], &text[to..]), key)
}

/// The note without `key`; the same where it has none.
///
/// # Errors
/// As for [`set`].
pub fn remove(text: &str, key: &str) -> Result<String, BadEdit> {
    let Some(front) = split(text).front else {
        return Ok(text.to_owned());
    };
    let Some(entry) = entry(&text[front.yaml.clone()], key)? else {
        return Ok(text.to_owned());
    };
    let (from, to) = (front.yaml.start + entry.lines.start, front.yaml.start + entry.lines.end);
    checked(text, format!("{}{}", &text[..from], &text[to..]), key)
}

fn entry(yaml: &str, key: &str) -> Result<Option<Entry>, BadEdit> {
    let mut found = entries(yaml).into_iter().filter(|entry| entry.key == key);
    let first = found.next();
    if found.next().is_some() {
        return Err(BadEdit(format!(
            "the front matter has {key:?} twice; take one out by hand first"
        )));
    }
    Ok(first)
}

/// The blanks before the items of a list that is written a line an item.
fn block_indent(lines: &str) -> Option<&str> {
    let second = lines.lines().nth(1)?;
    let item = second.trim_start_matches([' ', '\t']);
    (item.starts_with("- ") || item == "-").then(|| &second[..second.len() - item.len()])
}

fn render(key: &str, value: &Value, indent: Option<&str>, end: &str) -> String {
    match (value, indent) {
        (Value::List(items), Some(indent)) if !items.is_empty() => {
            let items: String = items
                .iter()
                .map(|item| format!("{indent}- {}{end}", quoted(item)))
                .collect();
            format!("{}:{end}{items}", write::key(key))
        }
        _ => format!("{}: {}{end}", write::key(key), write::inline(value)),
    }
}

/// The new note, where all other keys still say what they said.
fn checked(old: &str, new: String, key: &str) -> Result<String, BadEdit> {
    let members = |text: &str| {
        let front = split(text).front;
        front.map_or(Ok(Vec::new()), |front| parse(&text[front.yaml]))
    };
    // What was no YAML before cannot be held against anything.
    let Ok(mut before) = members(old) else {
        return Ok(new);
    };
    let kept = members(&new).is_ok_and(|mut after| {
        before.retain(|(name, _)| name != key);
        after.retain(|(name, _)| name != key);
        before == after
    });
    if kept {
        Ok(new)
    } else {
        Err(BadEdit(format!(
            "the front matter is not written as lines of `key: value` that can be changed one by one; change {key:?} by \
             hand"
        )))
    }
}
