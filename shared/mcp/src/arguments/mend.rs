//! Reads what is not quite JSON, so that a long text is not lost over one escape: models write `\d`, raw line ends and
//! bare quotation marks into their strings, and clients hand on what they could not read themselves.
//!
//! It guesses, and so is for texts that people read. Parts of documents are never mended.

use serde::de::IgnoredAny;

/// `json` with what stands wrongly in its strings mended: escapes that JSON has not (`\d` becomes the two characters),
/// raw control characters, halves of surrogate pairs (U+FFFD), and quotation marks that cannot end their string since
/// neither `,`, `:`, `}` nor `]` follows. Other faults stay. Where only such halves are wrong, nothing else is touched.
pub(super) fn mended(json: &str) -> String {
    let whole = whole(json);
    match serde_json::from_str::<IgnoredAny>(&whole) {
        Ok(_) => whole,
        Err(_) => guessed(json),
    }
}

fn guessed(json: &str) -> String {
    let mut out = String::with_capacity(json.len() + 16);
    let mut rest = json;
    let mut inside = false;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        let mut read = c.len_utf8();
        match c {
            '"' if !inside => {
                inside = true;
                out.push('"');
            }
            '"' => {
                let next = after.trim_start().chars().next();
                if matches!(next, None | Some(',' | ':' | '}' | ']')) {
                    inside = false;
                    out.push('"');
                } else {
                    out.push_str("\\\"");
                }
            }
            '\\' if inside => {
                let (escape, length) = escape(after);
                out.push_str(&escape);
                read += length;
            }
            c if inside && c < ' ' => {
                let _ = std::fmt::Write::write_fmt(&mut out, format_args!("\\u{:04x}", u32::from(c)));
            }
            c => out.push(c),
        }
        rest = &rest[read..];
    }
    out
}

/// What stands after a backslash, as JSON has it, and how many bytes were read.
fn escape(after: &str) -> (String, usize) {
    let Some(c) = after.chars().next() else {
        return ("\\\\".to_owned(), 0);
    };
    match c {
        // `\b` and `\f` are meant as TeX's \beta and \frac by whoever also wrote \d.
        '"' | '\\' | '/' | 'n' | 'r' | 't' => (format!("\\{c}"), 1),
        'u' => match unit(&after[1..]) {
            None => ("\\\\u".to_owned(), 1),
            Some(high @ 0xd800..=0xdbff) => match after[5..].strip_prefix("\\u").and_then(unit) {
                Some(low @ 0xdc00..=0xdfff) => (format!("\\u{high:04x}\\u{low:04x}"), 11),
                _ => ("\\ufffd".to_owned(), 5),
            },
            Some(0xdc00..=0xdfff) => ("\\ufffd".to_owned(), 5),
            Some(unit) => (format!("\\u{unit:04x}"), 5),
        },
        _ => ("\\\\".to_owned(), 0),
    }
}

/// The four hexadecimal digits at the beginning.
fn unit(text: &str) -> Option<u16> {
    let digits = text.get(..4)?;
    let hexadecimal = digits.bytes().all(|b| b.is_ascii_hexdigit());
    hexadecimal.then(|| u16::from_str_radix(digits, 16).ok()).flatten()
}

/// `json` with U+FFFD for halves of surrogate pairs, and nothing else mended: each other escape means what it says.
fn whole(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let mut rest = json;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        let length = match after.chars().next() {
            Some('u') => {
                let (escape, length) = escape(after);
                out.push_str(&escape);
                length
            }
            c => {
                out.push('\\');
                out.extend(c);
                c.map_or(0, char::len_utf8)
            }
        };
        rest = &after[length..];
    }
    out + rest
}

/// What a JSON string says; halves of surrogate pairs in it become U+FFFD.
pub(super) fn text(json: &str) -> String {
    let read = serde_json::from_str(json).or_else(|_| serde_json::from_str(&whole(json)));
    // It was a string of a JSON text that was read whole, so that it reads now.
    read.unwrap_or_else(|_| json.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[track_caller]
    fn check(sent: &str, expected: Value) {
        let read: Value =
            serde_json::from_str(&mended(sent)).unwrap_or_else(|error| panic!("{error}: {}", mended(sent)));
        assert_eq!(read, expected, "{sent}");
    }

    #[test]
    fn json_stays_as_it_is() {
        for sent in [
            r#"{"a":"x\n\"y\" \\ \u00e9 \ud83d\ude00","b":[1,"",{"c":null}]}"#,
            r#"[ "a" , "b" ]"#,
            "\"\"",
        ] {
            assert_eq!(mended(sent), sent);
            assert_eq!(whole(sent), sent);
        }
    }

    #[test]
    fn beside_half_of_a_pair_nothing_else_is_mended() {
        let sent = r#"["a\tb\bc\fd\\\"", "\ud800", "x\\ud800", "\ud83d\ude00\ude00", "\ud83d\u0041\u0008"]"#;
        let read: Value = serde_json::from_str(&whole(sent)).unwrap();
        assert_eq!(
            read,
            json!([
                "a\tb\u{8}c\u{c}d\\\"",
                "\u{fffd}",
                "x\\ud800",
                "😀\u{fffd}",
                "\u{fffd}A\u{8}"
            ])
        );
        assert_eq!(text(r#""\b\f \udc00""#), "\u{8}\u{c} \u{fffd}");
    }

    #[test]
    fn what_models_write_wrongly_is_mended() {
        check(r#"{"a":"\d+\.\s*"}"#, json!({"a": "\\d+\\.\\s*"}));
        check("{\"a\":\"one\n\ttwo\u{1}\"}", json!({"a": "one\n\ttwo\u{1}"}));
        check(r#"{"a":"C:\users\名"}"#, json!({"a": "C:\\users\\名"}));
        check(r#"{"a":"\u12"}"#, json!({"a": "\\u12"}));
        check(r#"{"a":"\u12é!"}"#, json!({"a": "\\u12é!"}));
        check(
            r#"{"a":"\ud83d","b":"\ude00x","c":"\ud83d\u0041"}"#,
            json!({"a": "\u{fffd}", "b": "\u{fffd}x", "c": "\u{fffd}A"}),
        );
        check(
            r#"{"a":"he said "no" to it","b":1}"#,
            json!({"a": "he said \"no\" to it", "b": 1}),
        );
        check(
            r#"{"a":"$\frac{1}{2}$ \alpha \beta"}"#,
            json!({"a": "$\\frac{1}{2}$ \\alpha \\beta"}),
        );
    }

    #[test]
    fn nothing_panics() {
        for sent in [
            "",
            "\"",
            "\\",
            "\"\\",
            "\"\\u",
            "\"\\ud83d\\",
            "\"\\ud83d\\u12",
            "{\"a\":\"x",
            "\"\\ud83d中文\"",
        ] {
            let _ = mended(sent);
            let _ = whole(sent);
            let _ = text(sent);
        }
    }
}
