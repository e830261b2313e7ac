//! JSON-RPC 2.0: tells messages apart, and writes the answers to what is none.
//!
//! rmcp answers such messages with plain text, or not at all.

use crate::params;
use crate::raw::MAX_AROUND;
use meadow_model::limits::MAX_TEXT;
use meadow_model::{Refusal as BadText, text_of};
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::fmt;

/// The text is no JSON.
pub(crate) const PARSE_ERROR: i32 = -32700;
/// JSON, but no request.
pub(crate) const INVALID_REQUEST: i32 = -32600;
/// There is no such method.
pub(crate) const METHOD_NOT_FOUND: i32 = -32601;
/// The params of a method are wrong.
pub(crate) const INVALID_PARAMS: i32 = -32602;
/// Something of ours failed.
pub(crate) const INTERNAL_ERROR: i32 = -32603;
/// MCP 2026-07-28: the protocol version is not spoken here.
pub(crate) const UNSUPPORTED_VERSION: i32 = -32022;

/// What a message is.
#[derive(Debug)]
pub(crate) enum Kind<'a> {
    /// It wants an answer, under this id.
    Request(&'a RawValue),
    /// So does this, with which a client opens that has a handshake.
    Handshake(&'a RawValue),
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

    /// The code of the error.
    pub(crate) fn code(&self) -> i32 {
        self.error.code
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

/// The members of params that decide what a request means. Equal names are an error.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "of most only their names matter")]
struct Params<'a> {
    #[serde(borrow, rename = "_meta")]
    meta: Option<&'a RawValue>,
    name: Option<IgnoredAny>,
    arguments: Option<IgnoredAny>,
    uri: Option<IgnoredAny>,
    r#ref: Option<IgnoredAny>,
    argument: Option<IgnoredAny>,
    #[serde(borrow)]
    cursor: Option<&'a RawValue>,
    protocol_version: Option<IgnoredAny>,
    capabilities: Option<IgnoredAny>,
    client_info: Option<IgnoredAny>,
}

fn present<'de: 'a, 'a, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'a RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

/// Tells what a message is, or what is to be answered. The arguments of a call are taken out of it before.
pub(crate) fn judge(message: &[u8]) -> Result<Kind<'_>, Refusal> {
    let text = text_of(message).map_err(|refusal| {
        let at = match refusal {
            BadText::NotJson(at) => at.to_string(),
            BadText::Schema(_) => String::new(),
        };
        Refusal::new(PARSE_ERROR, format!("Parse error: {at}"))
    })?;
    let invalid = |what: &str| Refusal::new(INVALID_REQUEST, format!("Invalid Request: {what}"));
    let shape: Shape<'_> = match serde_json::from_str(text) {
        Ok(shape) if text.trim_start().starts_with('{') => shape,
        judged => {
            let whole: &RawValue =
                serde_json::from_str(text).map_err(|e| Refusal::new(PARSE_ERROR, format!("Parse error: {e}")))?;
            return Err(match (whole.get().as_bytes().first(), judged.err()) {
                (Some(b'['), _) => invalid(
                    "a batch, which MCP has no more since 2025-06-18; send each message by itself, in a request or a line \
                     of its own",
                ),
                (Some(b'{'), Some(error)) => invalid(&error.to_string()).to(id_in(message).as_deref()),
                _ => invalid("a message is a JSON object"),
            });
        }
    };
    // An id that is none of MCP's comes back with the refusal all the same, so that its sender finds what was refused.
    let id = shape.id.filter(|id| is_echoed(id));
    let refuse = |what: &str| Err(invalid(what).to(id));
    if shape.jsonrpc.map(RawValue::get) != Some("\"2.0\"") {
        return refuse("`jsonrpc` must be \"2.0\"");
    }
    // MCP knows no params by position.
    if shape.params.is_some_and(|params| !params.get().starts_with('{')) {
        return refuse("`params` must be an object");
    }
    let read = shape
        .params
        .map(|params| serde_json::from_str::<Params<'_>>(params.get()));
    // The other era names its version there, and knows no handshake.
    let meta = read
        .as_ref()
        .and_then(|read| read.as_ref().ok()?.meta)
        .map(RawValue::get);
    let modern = meta.is_some_and(|meta| meta.contains("io.modelcontextprotocol/protocolVersion"));
    let wrong = match read {
        Some(Err(error)) => Some(format!("{error} of the params; send each of their members once")),
        Some(Ok(Params { meta: Some(meta), .. })) if !meta.get().starts_with('{') => {
            Some("`params._meta` must be an object".to_owned())
        }
        Some(Ok(Params {
            cursor: Some(cursor), ..
        })) => {
            let method = shape.method.map(RawValue::get).unwrap_or_default();
            let method = serde_json::from_str::<Cow<'_, str>>(method).unwrap_or_default();
            params::cursor_fault(&method, cursor.get())
        }
        _ => None,
    };
    if let Some(wrong) = wrong {
        return Err(Refusal::new(INVALID_PARAMS, format!("Invalid params: {wrong}")).to(id));
    }
    if message.len() > MAX_AROUND {
        let bytes = message.len();
        return refuse(&format!(
            "the message has {bytes} bytes, the `arguments` of a call not counted; at most {MAX_AROUND} are allowed"
        ));
    }
    match (shape.method, shape.id) {
        (Some(method), _) if !method.get().starts_with('"') => refuse("`method` must be a text"),
        (Some(_), None) => Ok(Kind::Notification),
        (Some(method), Some(id)) if is_id(id) => Ok(match reads(method, "initialize") && !modern {
            true => Kind::Handshake(id),
            false => Kind::Request(id),
        }),
        (Some(_), Some(_)) => refuse(
            "`id` must be a text or a whole number of at most 64 bits with its sign: up to 9223372036854775807; longer \
             ones pass as a text",
        ),
        (None, _) if shape.result.is_some() || shape.error.is_some() => Ok(Kind::Response),
        (None, _) => refuse("`method` is missing"),
    }
}

/// True for the text of this method, however it is escaped.
fn reads(json: &RawValue, method: &str) -> bool {
    serde_json::from_str::<Cow<'_, str>>(json.get()).is_ok_and(|read| read == method)
}

/// True for the ids that rmcp gives back as they were: texts, and whole numbers in their one form (`-0` is another).
fn is_id(id: &RawValue) -> bool {
    let number = || id.get().parse::<i64>();
    id.get().starts_with('"') || number().is_ok_and(|number| number.to_string() == id.get())
}

/// True for texts and numbers of any size and form, which JSON-RPC knows as ids.
fn is_echoed(id: &RawValue) -> bool {
    id.get()
        .starts_with(|first: char| first == '"' || first == '-' || first.is_ascii_digit())
}

/// The refusal of arguments that are larger than a document may be.
pub(crate) fn too_large(bytes: usize) -> Refusal {
    let text = format!(
        "the arguments have {bytes} bytes; at most {MAX_TEXT} are allowed, as for a document; split the model in two, or \
         shorten its descriptions"
    );
    Refusal::new(INVALID_REQUEST, text).with_data(json!({"size": bytes, "limit": MAX_TEXT}))
}

/// The id of the request that begins with `head`, where it stands in there. The rest may be missing.
pub(crate) fn id_in(head: &[u8]) -> Option<Box<RawValue>> {
    let mut found = Head::default();
    // The end of a head that was cut off is a syntax error; what stands before it was read.
    let _ = serde_json::Deserializer::from_slice(head.trim_ascii_start()).deserialize_map(&mut found);
    let id = found.id.filter(|id| is_echoed(id))?;
    // A number at the very end may go on.
    let is_whole = !head.ends_with(id.get().as_bytes());
    (is_whole && found.ids == 1 && !found.is_answer).then_some(id)
}

/// What the beginning of a message tells.
#[derive(Default)]
struct Head {
    id: Option<Box<RawValue>>,
    ids: usize,
    is_answer: bool,
}

impl<'de> Visitor<'de> for &mut Head {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a message")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        while let Some(name) = members.next_key::<Cow<'de, str>>()? {
            if name == "id" {
                self.ids += 1;
                self.id = Some(members.next_value()?);
                continue;
            }
            self.is_answer |= ["result", "error"].contains(&&*name);
            members.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }
}

/// How the sentence about a method that is not there begins.
const NO_METHOD: &str = "this server has no method ";

/// An error answer as clients need it: with `id: null` where rmcp leaves the id out, and with a sentence where rmcp
/// says only the name of a method. Any other answer as it is.
pub(crate) fn told(answer: Vec<u8>) -> Vec<u8> {
    if memchr::memmem::find(&answer, b"\"error\"").is_none() {
        return answer;
    }
    let Ok(Value::Object(mut members)) = serde_json::from_slice(&answer) else {
        return answer;
    };
    let Some(error) = members.get_mut("error") else {
        return answer;
    };
    if error["code"] == METHOD_NOT_FOUND
        && let Some(method) = error["message"].as_str().filter(|text| !text.starts_with(NO_METHOD))
    {
        error["message"] = no_method(method).into();
    }
    members.entry("id").or_insert(Value::Null);
    serde_json::to_vec(&members).unwrap_or(answer)
}

/// That there is no such method, and which there are.
pub(crate) fn no_method(method: &str) -> String {
    let method: String = method.chars().take(60).collect();
    format!(
        "{NO_METHOD}{method:?}; it has tools and resources: tools/list, tools/call, resources/list, \
         resources/templates/list, resources/read, completion/complete"
    )
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
        check(
            b"{\"method\":\"ping\xff\"}",
            PARSE_ERROR,
            "null",
            "line 1, column 16: byte 0xff is no UTF-8",
        );
        let second_line = ["{\n\"ü\":\"é".as_bytes(), b"\xc3\"}"].concat();
        check(
            &second_line,
            PARSE_ERROR,
            "null",
            "line 2, column 7: byte 0xc3 is no UTF-8",
        );
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
            "1.5",
            "`id`",
        );
        check(
            br#"{"jsonrpc":"2.0","id":-0,"method":"ping"}"#,
            INVALID_REQUEST,
            "-0.0",
            "`id`",
        );
        for id in ["{}", "[1]", "true"] {
            let message = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
            check(message.as_bytes(), INVALID_REQUEST, "null", "`id`");
        }
        for id in [
            "123456789012345678901234567890",
            "9223372036854775808",
            "-0",
            "1e3",
            "1.50",
            "\"\\ud800\"",
        ] {
            let message = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":7}}"#);
            let body = judge(message.as_bytes()).expect_err("refused").body();
            let body = String::from_utf8(body).unwrap();
            assert!(body.contains(&format!("\"id\":{id},")), "{body}");
        }
        check(
            br#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#,
            INVALID_REQUEST,
            "null",
            "duplicate",
        );
        check(
            br#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{},"params":{}}"#,
            INVALID_REQUEST,
            "1",
            "duplicate field `params`",
        );
        for name in [
            "arguments",
            "name",
            "uri",
            "cursor",
            "_meta",
            "clientInfo",
            "ref",
            "argument",
        ] {
            let twice = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"x","params":{{"{name}":1,"a":2,"{name}":[]}}}}"#);
            check(
                twice.as_bytes(),
                INVALID_PARAMS,
                "1",
                &format!("duplicate field `{name}`"),
            );
        }
        let large = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{"x":"{}"}}}}"#,
            "x".repeat(MAX_AROUND)
        );
        check(large.as_bytes(), INVALID_REQUEST, "1", "at most 65536 are allowed");
    }

    #[test]
    fn the_id_is_found_in_the_beginning_of_a_message() {
        #[track_caller]
        fn check(head: &str, id: Option<&str>) {
            assert_eq!(id_in(head.as_bytes()).as_deref().map(RawValue::get), id, "{head}");
        }
        check(
            r#" {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"arguments":{"id":8,"#,
            Some("7"),
        );
        check(r#"{"method":"x","id" : "a\"b","params":"#, Some(r#""a\"b""#));
        check(
            r#"{"\u0069d":9007199254740993,"params":{"a":"ü"#,
            Some("9007199254740993"),
        );
        check(r#"{"id":7}"#, Some("7"));
        // What is nested, cut off, no id, twice there, or of an answer, is none.
        check(r#"{"params":{"id":8,"arguments":{"#, None);
        check(r#"{"params":{"id":8},"arguments":"id":9"#, None);
        check(r#"{"id":12"#, None);
        check(r#"{"id":"12"#, None);
        check(r#"{"id":null,"params":{"#, None);
        check(r#"{"id":1.50,"params":{"#, Some("1.50"));
        check(r#"{"id":1,"id":2,"params":{"#, None);
        check(r#"{"id":1,"result":{"x":"#, None);
        check(r#"[{"id":1,"params":{"#, None);
        check("xxxx", None);
        check("", None);
    }

    #[test]
    fn an_error_answer_has_an_id_and_a_sentence() {
        #[track_caller]
        fn check(answer: &str, expected: &str) {
            assert_eq!(String::from_utf8(told(answer.into())).unwrap(), expected);
        }
        let sentence = no_method("logging/setLevel");
        assert!(sentence.starts_with("this server has no method \"logging/setLevel\"; it has tools"));
        let named = |message: &str, id: &str| {
            format!(
                r#"{{"error":{{"code":-32601,"message":{}}},"id":{id},"jsonrpc":"2.0"}}"#,
                Value::from(message)
            )
        };
        check(
            &named("logging/setLevel", "9007199254740993"),
            &named(&sentence, "9007199254740993"),
        );
        check(&named(&sentence, "\"a\""), &named(&sentence, "\"a\""));
        check(
            r#"{"error":{"code":-32600,"message":"x"},"jsonrpc":"2.0"}"#,
            r#"{"error":{"code":-32600,"message":"x"},"id":null,"jsonrpc":"2.0"}"#,
        );
        for other in [r#"{"jsonrpc":"2.0","id":1,"result":{"z":1.10}}"#, "[1.10]", "no JSON"] {
            check(other, other);
        }
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
