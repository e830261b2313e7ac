//! The parts of a text one level down: the members of an object, the items of a list, as they stand.

use super::{Kind, Reader, Stop, SyntaxError, syntax_error};
use crate::limits::MAX_DEPTH;
use crate::parse::Faults;
use crate::pointer::Path;
use std::borrow::Cow;
use std::ops::Range;

/// One member of a top-level object, as it stands in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member<'a> {
    /// The name, escapes resolved.
    pub name: Cow<'a, str>,
    /// The bytes from the name's first quotation mark to the value's end.
    pub range: Range<usize>,
    /// The value's text.
    pub value: &'a str,
}

/// The members of the object that `text` is, or none where it is no object. Values are passed over, not judged; each
/// may have as many levels as a document.
///
/// # Errors
/// Where the text is not JSON, or nested too deep to be passed over.
pub fn members(text: &str) -> Result<Option<Vec<Member<'_>>>, SyntaxError> {
    members_around(text, 0)
}

/// The same where each value may have so many levels around what counts.
///
/// # Errors
/// As [`members`].
pub fn members_around(text: &str, around: usize) -> Result<Option<Vec<Member<'_>>>, SyntaxError> {
    let mut reader = Reader::new(text);
    reader.around = around;
    let mut found = Vec::new();
    let mut read = || {
        if reader.peek()? != Kind::Object {
            return Ok(None);
        }
        let mut start = reader.at + 1;
        reader.object(&Path::Root, |r, name| {
            let name_at = start + text[start..].find('"').unwrap_or(0);
            r.peek()?;
            let value_at = r.at;
            // A value may be a whole document, with all the levels that one may have.
            r.depth -= 1;
            r.any(&Path::Root)?;
            r.depth += 1;
            found.push(Member {
                name,
                range: name_at..r.at,
                value: &text[value_at..r.at],
            });
            start = r.at;
            Ok(())
        })?;
        reader.end()?;
        Ok(Some(()))
    };
    match read() {
        Ok(Some(())) => Ok(Some(found)),
        Ok(None) => Ok(None),
        Err(Stop::Syntax(error)) => Err(error),
        Err(Stop::Limit) => Err(too_deep(text, "")),
    }
}

/// The items of the list that `text` is, or none where it is no list; as [`members`], with room for one level more in
/// each.
pub(crate) fn items(text: &str) -> Result<Option<Vec<&str>>, SyntaxError> {
    let mut reader = Reader::new(text);
    let mut found = Vec::new();
    let mut read = || {
        if reader.peek()? != Kind::Array {
            return Ok(None);
        }
        reader.array(&Path::Root, |r, _| {
            r.peek()?;
            let from = r.at;
            r.depth = 0;
            // An operation of a patch, whose value may be a whole document.
            match r.peek()? {
                Kind::Object => r.object(&Path::Root, |r, _| {
                    r.depth = 0;
                    r.any(&Path::Root)?;
                    r.depth = 1;
                    Ok(())
                })?,
                _ => r.any(&Path::Root)?,
            }
            r.depth = 1;
            found.push(&text[from..r.at]);
            Ok(())
        })?;
        reader.end()?;
        Ok(Some(()))
    };
    match read() {
        Ok(Some(())) => Ok(Some(found)),
        Ok(None) => Ok(None),
        Err(Stop::Syntax(error)) => Err(error),
        Err(Stop::Limit) => Err(too_deep(text, " in a value")),
    }
}

/// What keeps any value at all from standing in a document: equal keys, NUL, numbers, depth.
pub(crate) fn judged(text: &str) -> Result<Faults, SyntaxError> {
    let mut reader = Reader::new(text);
    match reader.any(&Path::Root).and_then(|()| reader.end()) {
        Ok(()) | Err(Stop::Limit) => Ok(reader.faults),
        Err(Stop::Syntax(error)) => Err(error),
    }
}

fn too_deep(text: &str, where_: &str) -> SyntaxError {
    syntax_error(
        text,
        0,
        format!("more than {MAX_DEPTH} nested objects and arrays{where_}"),
    )
}

/// `text`, an object, without the members whose names are in `names`; every other byte stays.
///
/// `members` are those of `text`, from [`members`].
#[must_use]
pub fn without(text: &str, members: &[Member<'_>], names: &[&str]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    let mut kept = false;
    for (i, member) in members.iter().enumerate() {
        if names.contains(&&*member.name) {
            // With the member goes one comma: the one before it, or, at the front, the one after it.
            let (cut_from, cut_to) = match (kept, members.get(i + 1)) {
                (true, _) => (members[i - 1].range.end.max(from), member.range.end),
                (false, Some(next)) => (member.range.start, next.range.start),
                (false, None) => (member.range.start, member.range.end),
            };
            out.push_str(&text[from..cut_from]);
            from = cut_to;
        } else {
            kept = true;
        }
    }
    out.push_str(&text[from..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_members_out_and_leaves_every_other_byte() {
        #[track_caller]
        fn check(text: &str, expected: &str) {
            let members = members(text).expect("JSON").expect("an object");
            assert_eq!(without(text, &members, &["m", "n"]), expected);
        }
        check(r#"{ "a" : 1 , "m":2, "b":[1.10 ] }"#, r#"{ "a" : 1, "b":[1.10 ] }"#);
        check(r#"{ "m":2, "b":3}"#, r#"{ "b":3}"#);
        check(r#"{ "m":2, "n":3, "b":3 }"#, r#"{ "b":3 }"#);
        check(r#"{"b":3,"m":2, "n":3 }"#, r#"{"b":3 }"#);
        check(r#"{"m":2,"b":3,"n":3}"#, r#"{"b":3}"#);
        check(r#"{"m":2}"#, r#"{}"#);
        check(r#"{"m":2, "n":"}"}"#, r#"{}"#);
        check(r#"{"a":{"m":2},"\u006d":1}"#, r#"{"a":{"m":2}}"#);
        check(r#"{"a":1}"#, r#"{"a":1}"#);
        assert_eq!(members("[1]"), Ok(None));
        let nested = |n: usize| format!("{{\"a\":{}{}}}", "[".repeat(n), "]".repeat(n));
        assert!(members(&nested(MAX_DEPTH)).is_ok());
        assert!(members(&nested(MAX_DEPTH + 1)).is_err());
    }

    #[test]
    fn lists_items_as_they_stand() {
        assert_eq!(
            items(" [ 1.10 , {\"a\":[ ]},\"x,]\" ] "),
            Ok(Some(vec!["1.10", "{\"a\":[ ]}", "\"x,]\""]))
        );
        assert_eq!(items("[]"), Ok(Some(vec![])));
        assert_eq!(items("{}"), Ok(None));
        assert!(items("[1").is_err() && items("[] x").is_err());
        let nested = |n: usize| format!("[{{\"value\":{}{}}}]", "[".repeat(n), "]".repeat(n));
        assert!(items(&nested(MAX_DEPTH)).is_ok());
        assert!(items(&nested(MAX_DEPTH + 1)).is_err());
        assert!(items(&"[".repeat(100_000)).is_err());
    }
}
