//! JSON-RPC 2.0: tells messages apart, and writes the answers to what is none.
//!
//! rmcp answers such messages with plain text, or not at all.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

/// The text is no JSON.
pub(crate) const PARSE_ERROR: i32 = -32700;
/// JSON, but no request.
pub(crate) const INVALID_REQUEST: i32 = -32600;
/// Something of ours failed.
pub(crate) const INTERNAL_ERROR: i32 = -32603;
/// MCP 2026-07-28: the protocol version is not spoken here.
pub(crate) const UNSUPPORTED_VERSION: i32 = -32022;

/// What a message is.
#[derive(Debug)]
pub(crate) enum Kind<'a> {
    /// It wants an answer, under this id.
    Request(&'a RawValue),
    /// It wants none.
    Notification,
    /// It answers something.
    Response,
}

/// An error answer.
#[derive(Debug, Serialize)]
pub(crate) struct Refusal {
    jsonrpc: &'static str,
    /// Null where the message's id could not be read.
    id: Option<Box<RawValue>>,
    error: Problem,
}

#[derive(Debug, Serialize)]
struct Problem {
    code: i32,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Value>,
}

impl Refusal {
    /// An answer to a message whose id is not known.
    pub(crate) fn new(code: i32, message: impl Into<String>) -> Self {
        Self {
            jsonrpc: "2.0",
            id: None,
            error: Problem {
                code,
                message: message.into(),
                data: None,
            },
        }
    }

    /// The same, under an id.
    pub(crate) fn to(mut self, id: Option<&RawValue>) -> Self {
        self.id = id.map(ToOwned::to_owned);
        self
    }

    /// The same, with facts for programs.
    pub(crate) fn with_data(mut self, data: Value) -> Self {
        self.error.data = Some(data);
        self
    }

    /// The answer as JSON, on one line.
    pub(crate) fn body(&self) -> Vec<u8> {
        // A struct of texts and numbers can always be written.
        serde_json::to_vec(self).unwrap_or_default()
    }
}

/// The members that tell a message. `id: null` is not the same as no id.
#[derive(Deserialize)]
struct Shape<'a> {
    #[serde(borrow, default, deserialize_with = "present")]
    jsonrpc: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    method: Option<&'a RawValue>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    result: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    error: Option<&'a RawValue>,
}

fn present<'de: 'a, 'a, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'a RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

/// Tells what a message is, or what is to be answered.
pub(crate) fn judge(message: &[u8]) -> Result<Kind<'_>, Refusal> {
    let text = std::str::from_utf8(message).map_err(|error| {
        let at = error.valid_up_to();
        Refusal::new(PARSE_ERROR, format!("Parse error: byte {at} is no UTF-8; send UTF-8"))
    })?;
    let invalid = |what: &str| Refusal::new(INVALID_REQUEST, format!("Invalid Request: {what}"));
    let shape: Shape<'_> = match serde_json::from_str(text) {
        Ok(shape) if text.trim_start().starts_with('{') => shape,
        judged => {
            let whole: &RawValue =
                serde_json::from_str(text).map_err(|e| Refusal::new(PARSE_ERROR, format!("Parse error: {e}")))?;
            return Err(match (whole.get().as_bytes().first(), judged.err()) {
                (Some(b'['), _) => invalid("a batch; send each message by itself"),
                (Some(b'{'), Some(error)) => invalid(&error.to_string()),
                _ => invalid("a message is a JSON object"),
            });
        }
    };
    let id = shape.id.filter(|id| is_id(id));
    let refuse = |what: &str| Err(invalid(what).to(id));
    if shape.jsonrpc.map(RawValue::get) != Some("\"2.0\"") {
        return refuse("`jsonrpc` must be \"2.0\"");
    }
    // MCP knows no params by position.
    if shape.params.is_some_and(|params| !params.get().starts_with('{')) {
        return refuse("`params` must be an object");
    }
    match (shape.method, shape.id) {
        (Some(method), _) if !method.get().starts_with('"') => refuse("`method` must be a text"),
        (Some(_), None) => Ok(Kind::Notification),
        (Some(_), Some(_)) => match id {
            Some(id) => Ok(Kind::Request(id)),
            None => refuse("`id` must be a text or a whole number of at most 64 bits"),
        },
        (None, _) if shape.result.is_some() || shape.error.is_some() => Ok(Kind::Response),
        (None, _) => refuse("`method` is missing"),
    }
}

fn is_id(id: &RawValue) -> bool {
    id.get().starts_with('"') || id.get().parse::<i64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(message: &[u8], code: i32, id: &str, part: &str) {
        let refusal = judge(message).expect_err("refused");
        let body: Value = serde_json::from_slice(&refusal.body()).unwrap();
        assert_eq!(body["jsonrpc"], "2.0");
        assert_eq!(body["error"]["code"], code, "{body}");
        assert_eq!(body["id"].to_string(), id, "{body}");
        assert!(body["error"]["message"].as_str().unwrap().contains(part), "{body}");
    }

    #[test]
    fn refuses_what_is_no_message() {
        check(b"", PARSE_ERROR, "null", "EOF");
        check(b"{\"jsonrpc\":\"2.0\",", PARSE_ERROR, "null", "line 1 column 17");
        check(b"{} x", PARSE_ERROR, "null", "trailing");
        check(b"{\"a\":NaN}", PARSE_ERROR, "null", "expected");
        check(b"{\"method\":\"ping\xff\"}", PARSE_ERROR, "null", "byte 15 is no UTF-8");
        check(b"[]", INVALID_REQUEST, "null", "batch");
        check(
            br#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
            INVALID_REQUEST,
            "null",
            "batch",
        );
        check(b"null", INVALID_REQUEST, "null", "object");
        check(b"\"x\"", INVALID_REQUEST, "null", "object");
        check(br#"{"a":1}"#, INVALID_REQUEST, "null", "jsonrpc");
        check(
            br#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#,
            INVALID_REQUEST,
            "7",
            "jsonrpc",
        );
        check(
            br#"{"jsonrpc":"2.0","id":"a","method":5}"#,
            INVALID_REQUEST,
            "\"a\"",
            "method",
        );
        check(br#"{"jsonrpc":"2.0","id":"a"}"#, INVALID_REQUEST, "\"a\"", "missing");
        check(
            br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            INVALID_REQUEST,
            "null",
            "`id`",
        );
        check(
            br#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
            INVALID_REQUEST,
            "null",
            "`id`",
        );
        check(
            br#"{"jsonrpc":"2.0","id":123456789012345678901,"method":"ping"}"#,
            INVALID_REQUEST,
            "null",
            "`id`",
        );
        check(
            br#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#,
            INVALID_REQUEST,
            "null",
            "duplicate",
        );
    }

    #[test]
    fn tells_messages_apart() {
        let request = judge(br#" {"method":"ping","id":9007199254740993,"jsonrpc":"2.0"}"#);
        assert!(matches!(request, Ok(Kind::Request(id)) if id.get() == "9007199254740993"));
        let notification = judge(br#"{"jsonrpc":"2.0","method":"notifications/x","params":null}"#);
        assert!(matches!(notification, Ok(Kind::Notification)));
        assert!(matches!(
            judge(br#"{"jsonrpc":"2.0","id":1,"result":{}}"#),
            Ok(Kind::Response)
        ));
        assert!(matches!(
            judge(br#"{"jsonrpc":"2.0","id":null,"error":{}}"#),
            Ok(Kind::Response)
        ));
    }
}
