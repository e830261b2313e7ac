//! URIs of notes. They are percent-decoded exactly once.

use super::rules::{bad, shown};
use super::{BadPath, NotePath};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

pub(super) fn note(path: &NotePath) -> String {
    format!("note:///{}", encoded(path.as_str()))
}

pub(super) fn path(uri: &str) -> Result<NotePath, BadPath> {
    let Some(rest) = scheme(uri, "note") else {
        return bad(format!(
            "{} is no URI of a note; it looks like note:///papers/quantum.md",
            shown(uri)
        ));
    };
    let Some(path) = rest.strip_prefix('/') else {
        return bad(format!(
            "{} names a host; write three slashes, as in note:///papers/quantum.md",
            shown(uri)
        ));
    };
    NotePath::parse(&decoded(path, uri)?)
}

/// The URI of a file by its absolute path, as this machine writes it.
#[must_use]
pub fn file_uri(absolute: &str) -> String {
    let path = absolute.replace('\\', if absolute.starts_with('/') { "\\" } else { "/" });
    let (drive, rest) = match path.split_once(":/") {
        Some((drive, rest)) if drive.len() == 1 => (format!("/{drive}:"), format!("/{rest}")),
        _ => (String::new(), path),
    };
    format!("file://{drive}{}", encoded(&rest))
}

/// The absolute path that a `file:///` URI names, percent-decoded once. Whether it may be read is another question.
///
/// # Errors
/// Where it is no such URI, names a host, or hides a separator or a step upwards in escapes.
pub fn file_path(uri: &str) -> Result<String, BadPath> {
    let rest = scheme(uri, "file").map(|rest| rest.strip_prefix("localhost").unwrap_or(rest));
    let Some(path) = rest.filter(|rest| rest.starts_with('/')) else {
        return bad(format!(
            "{} is no URI of a file; it looks like file:///home/...",
            shown(uri)
        ));
    };
    let path = decoded(path, uri)?;
    if path.contains('\0') || path.split(['/', '\\']).any(|segment| segment == ".." || segment == ".") {
        return bad(format!(
            "{} has a segment that leads elsewhere; name the file itself",
            shown(uri)
        ));
    }
    let drive = path.as_bytes().get(2) == Some(&b':') && path.as_bytes()[1].is_ascii_alphabetic();
    Ok(if drive { path[1..].to_owned() } else { path })
}

/// What follows `scheme://`.
fn scheme<'u>(uri: &'u str, name: &str) -> Option<&'u str> {
    let (scheme, rest) = uri.split_once("://")?;
    scheme.eq_ignore_ascii_case(name).then_some(rest)
}

/// All but `/` and the unreserved characters of RFC 3986.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~')
    .remove(b'/');

fn encoded(path: &str) -> String {
    utf8_percent_encode(path, ENCODED).to_string()
}

fn decoded(path: &str, uri: &str) -> Result<String, BadPath> {
    if path.contains(['?', '#']) {
        return bad(format!(
            "{} has a query or a fragment; write ? as %3F and # as %23 where they belong to the name",
            shown(uri)
        ));
    }
    let mut bytes = Vec::new();
    let mut rest = path.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        if first != b'%' {
            bytes.push(first);
            rest = after;
            continue;
        }
        let digit = |n: usize| after.get(n).and_then(|b| char::from(*b).to_digit(16));
        let (Some(high), Some(low)) = (digit(0), digit(1)) else {
            return bad(format!("{} has a % that begins no escape; write it as %25", shown(uri)));
        };
        let byte = u8::try_from(high * 16 + low).unwrap_or_default();
        if matches!(byte, b'/' | b'\\' | 0) {
            return bad(format!(
                "{} has %{byte:02X}, a separator or a NUL inside a name; leave it out",
                shown(uri)
            ));
        }
        bytes.push(byte);
        rest = &after[2..];
    }
    String::from_utf8(bytes).or_else(|_| bad(format!("the escapes of {} are not UTF-8", shown(uri))))
}
