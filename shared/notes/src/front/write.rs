//! Values as YAML, in a form that every reader takes for the same: strings in double quotes on one line.

use std::fmt::Write;

/// A value to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A text.
    Text(String),
    /// A whole number.
    Number(i64),
    /// True or false.
    Flag(bool),
    /// Texts.
    List(Vec<String>),
}

/// A text in double quotes, on one line, with escapes for all that is not plainly visible.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{2028}' => out.push_str("\\L"),
            '\u{2029}' => out.push_str("\\P"),
            c if c.is_control() => {
                let _ = write!(out, "\\x{:02X}", u32::from(c));
            }
            '\u{feff}' | '\u{fffe}' | '\u{ffff}' => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A note of these fields, in this order, lists a line an item; then a blank line and the body.
#[must_use]
pub fn compose(fields: &[(&str, Value)], body: &str) -> String {
    let mut note = String::from("---\n");
    for (key, value) in fields {
        match value {
            Value::List(items) if !items.is_empty() => {
                let _ = writeln!(note, "{}:", self::key(key));
                for item in items {
                    let _ = writeln!(note, "  - {}", quoted(item));
                }
            }
            value => {
                let _ = writeln!(note, "{}: {}", self::key(key), inline(value));
            }
        }
    }
    note.push_str("---\n\n");
    note.push_str(body);
    note
}

/// A value on one line.
pub(super) fn inline(value: &Value) -> String {
    match value {
        Value::Text(text) => quoted(text),
        Value::Number(number) => number.to_string(),
        Value::Flag(flag) => flag.to_string(),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(|item| bare_or_quoted(item)).collect();
            format!("[{}]", items.join(", "))
        }
    }
}

/// A key, in quotes where it is not plain.
pub(super) fn key(key: &str) -> String {
    bare_or_quoted(key)
}

/// A word as it is, everything else in quotes: what a reader could take for a number, a date or a flag is no word.
fn bare_or_quoted(text: &str) -> String {
    let word = text.starts_with(char::is_alphabetic)
        && text.chars().all(|c| c.is_alphanumeric() || "_/-".contains(c))
        && !["true", "false", "yes", "no", "on", "off", "null", "y", "n"].contains(&text.to_lowercase().as_str());
    if word { text.to_owned() } else { quoted(text) }
}
