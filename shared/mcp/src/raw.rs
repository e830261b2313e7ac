//! Takes `params.arguments` out of a `tools/call` message as text.
//!
//! rmcp reads messages into `serde_json::Value`, which costs 20 to 50 ms of CPU at 1 MB and loses equal keys, their
//! order and the tokens of numbers. So it is given the same message with `arguments: {}`, and the tool finds the
//! text in the extensions of the request. The bytes are spliced, never written anew: whatever else the message
//! holds stays exact.

use meadow_model::limits::MAX_TEXT;
use rmcp::model::Extensions;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// Bytes of what stands around a document in a message.
pub(crate) const MAX_AROUND: usize = 64 << 10;

/// Bytes of a message: a document of full size as JSON text, whose escapes take the most where each character of two
/// bytes is written as `\u00e9`; what counts for a document is its text without them.
pub(crate) const MAX_MESSAGE: usize = 3 * MAX_TEXT + MAX_AROUND;

/// The text of `params.arguments`, exactly as it was sent.
#[derive(Clone)]
pub(crate) struct RawArguments {
    message: Arc<String>,
    range: Range<usize>,
}

impl RawArguments {
    /// The text.
    pub(crate) fn get(&self) -> &str {
        &self.message[self.range.clone()]
    }

    /// How many bytes they have, where that is more than a document may. Of a document under `document` only its own
    /// bytes count; the escapes of one that is JSON text do not, so that the tool counts it.
    pub(crate) fn excess(&self) -> Option<usize> {
        #[derive(Deserialize)]
        struct Members<'a> {
            #[serde(borrow)]
            document: &'a RawValue,
        }
        let text = self.get();
        if text.len() <= MAX_TEXT || text.starts_with('"') {
            return None;
        }
        // serde reads lists into structs too.
        let members = text
            .starts_with('{')
            .then(|| serde_json::from_str::<Members<'_>>(text).ok());
        let document = members.flatten().map(|members| members.document.get());
        let counted = match document {
            Some(document) if text.len() - document.len() > MAX_AROUND => text.len(),
            Some(document) if document.starts_with('"') => return None,
            Some(document) => document.len(),
            None => text.len(),
        };
        (counted > MAX_TEXT).then_some(counted)
    }
}

/// Only the length: rmcp traces messages, and logs hold no documents.
impl fmt::Debug for RawArguments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RawArguments({} bytes)", self.range.len())
    }
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    method: Cow<'a, str>,
    #[serde(borrow)]
    params: Params<'a>,
}

#[derive(Deserialize)]
struct Params<'a> {
    #[serde(borrow)]
    arguments: &'a RawValue,
}

/// The message without a leading byte order mark.
pub(crate) fn unmarked(mut message: Vec<u8>) -> Vec<u8> {
    if message.starts_with(b"\xef\xbb\xbf") {
        message.drain(..3);
    }
    message
}

/// The message for rmcp and, where it is a `tools/call` with arguments, their text.
pub(crate) fn take_out(message: Vec<u8>) -> (Vec<u8>, Option<RawArguments>) {
    // serde reads arrays into structs too; a batch is none of ours.
    if message.trim_ascii_start().first() != Some(&b'{') {
        return (message, None);
    }
    let message = match String::from_utf8(message) {
        Ok(message) => message,
        Err(error) => return (error.into_bytes(), None),
    };
    let range = match serde_json::from_str::<Envelope<'_>>(&message) {
        Ok(envelope) if envelope.method == "tools/call" => {
            let raw = envelope.params.arguments.get();
            // RawValue borrows from `message`, so the difference of the addresses is the place.
            let start = raw.as_ptr() as usize - message.as_ptr() as usize;
            start..start + raw.len()
        }
        _ => return (message.into_bytes(), None),
    };
    let bytes = message.as_bytes();
    let mut short = Vec::with_capacity(bytes.len() - range.len() + 2);
    short.extend_from_slice(&bytes[..range.start]);
    short.extend_from_slice(b"{}");
    short.extend_from_slice(&bytes[range.end..]);
    let message = Arc::new(message);
    (short, Some(RawArguments { message, range }))
}

/// The text that [`take_out`] took out of the request: put into its extensions by `stdio`, into those of its HTTP
/// parts by `endpoint`.
pub(crate) fn of(extensions: &Extensions) -> Option<&RawArguments> {
    let parts = || extensions.get::<http::request::Parts>();
    extensions
        .get::<RawArguments>()
        .or_else(|| parts()?.extensions.get::<RawArguments>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(message: &str, expected: Option<(&str, &str)>) {
        let (short, raw) = take_out(message.as_bytes().to_vec());
        let short = String::from_utf8(short).unwrap();
        match expected {
            Some((rest, arguments)) => {
                assert_eq!(short, rest);
                assert_eq!(raw.expect("arguments").get(), arguments);
            }
            None => {
                assert_eq!(short, message);
                assert!(raw.is_none());
            }
        }
    }

    #[test]
    fn takes_out_the_arguments_of_a_call_and_nothing_else() {
        check(
            r#" {"id":9007199254740993,"params":{"arguments":{ "b":1.10, "a":[1e400] },"x":1.0},"method":"tools\/call"}"#,
            Some((
                r#" {"id":9007199254740993,"params":{"arguments":{},"x":1.0},"method":"tools\/call"}"#,
                r#"{ "b":1.10, "a":[1e400] }"#,
            )),
        );
        check(
            r#"{"method":"tools/call","params":{"arguments":"{\"a\":1}"}}"#,
            Some((r#"{"method":"tools/call","params":{"arguments":{}}}"#, r#""{\"a\":1}""#)),
        );
        for other in [
            r#"{"method":"tools/list","params":{"arguments":{"a":1}}}"#,
            r#"{"method":"tools/call","params":{"x":{"arguments":{"a":1}}}}"#,
            r#"{"method":"tools/call","arguments":{"a":1}}"#,
            r#"["tools/call",{"arguments":{}}]"#,
            r#"{"method":"tools/call","params":{"arguments":{},"arguments":{"a":1}}}"#,
            r#"{"method":"tools/call","params":{"arguments":{"a":1}"#,
            "",
        ] {
            check(other, None);
        }
        let invalid = b"{\"method\":\"tools/call\",\"params\":{\"arguments\":{\"a\":\"\xff\"}}}".to_vec();
        let (same, raw) = take_out(invalid.clone());
        assert!(same == invalid && raw.is_none());
    }

    #[test]
    fn a_deep_text_is_passed_over_without_recursion() {
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        let (_, raw) = take_out(format!(r#"{{"method":"tools/call","params":{{"arguments":{deep}}}}}"#).into_bytes());
        assert_eq!(raw.expect("arguments").get(), deep);
    }

    #[test]
    fn what_is_too_large_is_counted_as_the_document_is() {
        #[track_caller]
        fn check(arguments: &str, excess: Option<usize>) {
            let message = format!(r#"{{"method":"tools/call","params":{{"arguments":{arguments}}}}}"#);
            let (_, raw) = take_out(message.into_bytes());
            assert_eq!(raw.expect("arguments").excess(), excess, "{} bytes", arguments.len());
        }
        let of = |size: usize| format!(r#"{{"a":"{}"}}"#, "x".repeat(size - 8));
        check(&of(MAX_TEXT), None);
        check(&of(MAX_TEXT + 1), Some(MAX_TEXT + 1));
        check(&format!(r#"{{"model":"m","document":{}}}"#, of(MAX_TEXT)), None);
        check(
            &format!(r#"{{"model":"m","document":{}}}"#, of(MAX_TEXT + 1)),
            Some(MAX_TEXT + 1),
        );
        let text = serde_json::to_string(&of(MAX_TEXT + 1)).unwrap();
        check(&text, None);
        check(&format!(r#"{{"document":{text}}}"#), None);
        let beside = format!(r#"{{"document":"x","a":{text}}}"#);
        check(&beside, Some(beside.len()));
        let list = format!("[{text}]");
        check(&list, Some(list.len()));
    }

    #[test]
    fn debug_shows_no_text() {
        let (_, raw) = take_out(br#"{"method":"tools/call","params":{"arguments":{"a":"secret"}}}"#.to_vec());
        assert_eq!(format!("{:?}", raw.unwrap()), "RawArguments(14 bytes)");
    }
}
