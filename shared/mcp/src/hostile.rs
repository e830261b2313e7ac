//! Whatever comes, over HTTP and over lines: one well-formed answer or none where none is due, never a panic, and the
//! server lives on. What comes is made of real messages that were damaged, so that most of it gets past the first check.

use crate::stdio::tests::Peer;
use crate::testing::{Client, Era, META, READER, WRITER, service};
use meadow_service::{MemoryStore, Service};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, TestRunner};
use serde_json::Value;

/// How many messages are tried at least; `PROPTEST_CASES` makes it more. Each goes both ways.
const CASES: u32 = 2_000;

const PING: &str = r#"{"jsonrpc":"2.0","id":"the ping behind it","method":"ping"}"#;

/// Sound messages, of both eras.
fn messages() -> Vec<String> {
    let handshake = Client::new(Era::Handshake);
    let stateless = Client::new(Era::Stateless);
    let document =
        r#"{"system_name":"Tub","stocks":[{"id":"water","unit":"l","initial":"50"}],"x":[1.10,"\u00e9",null,true]}"#;
    let text = Value::from(document).to_string();
    let mut all = Vec::new();
    for client in [handshake, stateless] {
        for (method, params) in [
            ("ping", String::new()),
            ("server/discover", String::new()),
            ("tools/list", String::new()),
            ("resources/list", String::new()),
            ("resources/templates/list", String::new()),
            ("resources/read", r#""uri":"model://%E6%B0%B4""#.to_owned()),
            ("resources/read", r#""uri":"example://bathtub""#.to_owned()),
            (
                "completion/complete",
                r#""ref":{"type":"ref/resource","uri":"model://{id}"},"argument":{"name":"id","value":"t"}"#.to_owned(),
            ),
            (
                "tools/call",
                format!(r#""name":"{READER}","arguments":{{"model":"tub","revision":1}}"#),
            ),
            ("tools/call", format!(r#""name":"{WRITER}","arguments":{document}"#)),
            ("tools/call", format!(r#""name":"{WRITER}","arguments":{text}"#)),
            (
                "tools/call",
                format!(r#""arguments":{{"document":{text},"model":"tub"}},"name":"{WRITER}""#),
            ),
            (
                "initialize",
                r#""protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}"#
                    .to_owned(),
            ),
        ] {
            all.push(client.message(method, &params));
        }
    }
    all.push(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.to_owned());
    all.push(format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":7,{META}}}}}"#
    ));
    all.push(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#.to_owned());
    all
}

/// Pieces that stand where others are expected.
const PIECES: [&str; 34] = [
    "{",
    "}",
    "[",
    "]",
    "\"",
    "\\",
    ",",
    ":",
    "null",
    "true",
    "-0",
    "1e400",
    "1.5",
    "9007199254740993",
    "123456789012345678901234567890",
    "\"\\u0000\"",
    "\"\\ud800\"",
    "\\u0061",
    "\u{feff}",
    "\u{0}",
    "\r",
    "\t",
    "水",
    "{}",
    "[]",
    "\"id\":null,",
    "\"id\":1,\"id\":2,",
    "\"params\":[],",
    "\"arguments\":{},",
    "\"_meta\":{},",
    "\"method\":\"tools/call\",",
    "[[[[[[[[[[[[[[[[[[[[",
    "{\"a\":{\"a\":{\"a\":{\"a\":",
    "//",
];

#[derive(Debug, Clone)]
enum Damage {
    Cut(Index),
    Flip(Index, u8),
    Insert(Index, &'static str),
    Remove(Index, usize),
    Repeat(Index, usize, usize),
    Swap(Index, &'static str),
    Noise(Index, Vec<u8>),
}

impl Damage {
    fn done(&self, bytes: &mut Vec<u8>) {
        let length = bytes.len();
        if length == 0 {
            return;
        }
        let part = |at: &Index, size: usize| {
            let start = at.index(length);
            start..(start + size).min(length)
        };
        match self {
            Self::Cut(at) => bytes.truncate(at.index(length)),
            Self::Flip(at, bits) => bytes[at.index(length)] ^= bits,
            Self::Insert(at, piece) => drop(bytes.splice(part(at, 0), piece.bytes())),
            Self::Remove(at, size) => drop(bytes.drain(part(at, *size))),
            Self::Repeat(at, size, times) => {
                let piece = bytes[part(at, *size)].repeat(*times);
                drop(bytes.splice(part(at, 0), piece));
            }
            // What is a number, a word or a text there becomes another piece.
            Self::Swap(at, piece) => {
                let start = at.index(length);
                let ends = |byte: &u8| b",:{}[]\"".contains(byte);
                let size = bytes[start..].iter().position(ends).unwrap_or(1).max(1);
                drop(bytes.splice(part(at, size), piece.bytes()));
            }
            Self::Noise(at, noise) => drop(bytes.splice(part(at, 0), noise.iter().copied())),
        }
    }
}

fn damage() -> impl Strategy<Value = Damage> {
    let at = any::<Index>;
    prop_oneof![
        1 => at().prop_map(Damage::Cut),
        2 => (at(), 1_u8..).prop_map(|(at, bits)| Damage::Flip(at, bits)),
        4 => (at(), select(&PIECES[..])).prop_map(|(at, piece)| Damage::Insert(at, piece)),
        2 => (at(), 1_usize..40).prop_map(|(at, size)| Damage::Remove(at, size)),
        2 => (at(), 1_usize..60, 2_usize..200).prop_map(|(at, size, times)| Damage::Repeat(at, size, times)),
        6 => (at(), select(&PIECES[..])).prop_map(|(at, piece)| Damage::Swap(at, piece)),
        1 => (at(), vec(any::<u8>(), 1..20)).prop_map(|(at, noise)| Damage::Noise(at, noise)),
    ]
}

fn hostile() -> impl Strategy<Value = Vec<u8>> {
    let damaged = (select(messages()), vec(damage(), 0..5)).prop_map(|(message, all)| {
        let mut bytes = message.into_bytes();
        all.iter().for_each(|damage| damage.done(&mut bytes));
        bytes
    });
    prop_oneof![
        8 => damaged,
        1 => vec(any::<u8>(), 0..400),
    ]
}

/// An answer as JSON-RPC has it.
fn is_well_formed(answer: &Value) -> Result<(), TestCaseError> {
    prop_assert_eq!(&answer["jsonrpc"], "2.0", "{}", answer);
    prop_assert!(answer.get("id").is_some(), "{}", answer);
    prop_assert!(
        answer["result"].is_object() != answer["error"].is_object(),
        "{}",
        answer
    );
    if let Some(error) = answer.get("error") {
        prop_assert!(
            error["message"].as_str().is_some_and(|text| text.len() > 3),
            "{}",
            answer
        );
        prop_assert!(error["code"].is_i64() && error["code"] != -32603, "{}", answer);
    }
    Ok(())
}

/// The answers that are due to a body: none or one.
async fn over_http(client: &Client, body: &[u8], headers: &[(&str, &str)]) -> Result<Option<Value>, TestCaseError> {
    let answer = client.post(body.to_vec(), headers).await;
    let status = answer.status.as_u16();
    if status == 202 {
        prop_assert_eq!(&answer.body, "");
        return Ok(None);
    }
    prop_assert!([200, 400, 404].contains(&status), "{:?}", answer);
    prop_assert_eq!(answer.header("content-type"), "application/json", "{:?}", answer);
    let json = crate::testing::read(&answer.body).map_err(|error| TestCaseError::fail(error.to_string()))?;
    is_well_formed(&json)?;
    prop_assert!(status == 200 || json["error"].is_object(), "{:?}", answer);
    // To an answer of the client's there is none, but HTTP has to say something.
    let to_answer = json["error"]["message"]
        .as_str()
        .is_some_and(|text| text.contains("an answer, and nothing"));
    Ok((!to_answer).then_some(json))
}

async fn over_lines(service: &Service, line: &[u8]) -> Result<Option<Value>, TestCaseError> {
    let mut peer = Peer::new(service.clone(), 1 << 20);
    peer.bytes(line).await;
    peer.bytes(format!("\n{PING}\n").as_bytes()).await;
    let mut answers = peer.end().await;
    for answer in &answers {
        is_well_formed(answer)?;
    }
    let pong = answers.iter().position(|answer| answer["id"] == "the ping behind it");
    let pong = answers.remove(pong.ok_or_else(|| TestCaseError::fail(format!("no pong: {answers:?}")))?);
    prop_assert!(pong["result"].is_object());
    prop_assert!(answers.len() <= 1, "{:?}", answers);
    Ok(answers.pop())
}

#[test]
fn whatever_comes_one_answer_goes_back_both_ways() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let service = service(MemoryStore::new());
    let client = Client::of(service.clone(), crate::Config::default(), Era::Handshake);
    let mut runner = TestRunner::new(Config {
        cases: CASES.max(Config::default().cases),
        failure_persistence: None,
        ..Config::default()
    });
    let tried = runner.run(&hostile(), |bytes| {
        runtime.block_on(async {
            let line: Vec<u8> = bytes.iter().copied().filter(|byte| *byte != b'\n').collect();
            let http = over_http(&client, &line, &[]).await?;
            let lines = over_lines(&service, &line).await?;
            if line.trim_ascii().is_empty() || line == b"\xef\xbb\xbf" {
                // No line at all, but an empty body.
                prop_assert!(lines.is_none() && http.is_some());
            } else {
                let id = |answer: &Option<Value>| answer.as_ref().map(|answer| answer["id"].clone());
                prop_assert_eq!(id(&http), id(&lines), "{:?} {:?}", http, lines);
            }
            let modern = [
                ("mcp-protocol-version", "2026-07-28"),
                ("mcp-method", "tools/call"),
                ("mcp-name", WRITER),
            ];
            over_http(&client, &line, &modern).await?;
            over_http(&client, PING.as_bytes(), &[]).await?;
            Ok(())
        })
    });
    tried.unwrap_or_else(|failed| panic!("{failed}"));
}

/// What stands in the headers hinders no answer either.
#[test]
fn whatever_the_headers_say_one_answer_goes_back() {
    const NAMES: [&str; 9] = [
        "mcp-protocol-version",
        "mcp-method",
        "mcp-name",
        "mcp-session-id",
        "last-event-id",
        "accept",
        "content-type",
        "mcp-param-model",
        "expect",
    ];
    const VALUES: [&str; 16] = [
        "",
        "2026-07-28",
        "2025-11-25",
        "1900-01-01",
        "nonsense",
        "tools/call",
        "tools/list",
        WRITER,
        "=?base64?!!?=",
        "=?base64?5rC0?=",
        "application/json",
        "text/event-stream",
        "*/*;q=nan",
        ",,;;==",
        "application/json;charset=x",
        "\u{7f}\u{ff}",
    ];
    let value = prop_oneof![select(&VALUES[..]).prop_map(str::to_owned), "[ -~]{0,40}"];
    let headers = vec((select(&NAMES[..]), value), 0..6);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let client = Client::new(Era::Handshake);
    let mut runner = TestRunner::new(Config {
        cases: CASES.max(Config::default().cases),
        failure_persistence: None,
        ..Config::default()
    });
    let tried = runner.run(&(select(messages()), headers), |(message, headers)| {
        let mut request = http::Request::post("/mcp").header("host", "localhost");
        for (name, value) in &headers {
            let Ok(value) = http::HeaderValue::from_bytes(value.as_bytes()) else {
                continue;
            };
            request = request.header(*name, value);
        }
        let request = request.body(axum::body::Body::from(message.clone())).unwrap();
        let answer = runtime.block_on(client.send(request));
        let status = answer.status.as_u16();
        prop_assert!([200, 202, 400, 404, 406, 415].contains(&status), "{:?}", answer);
        prop_assert!(!answer.headers.contains_key("mcp-session-id"));
        if status != 202 {
            let json = answer
                .body
                .strip_prefix("event: message\ndata: ")
                .unwrap_or(&answer.body);
            let json =
                serde_json::from_str(json).map_err(|error| TestCaseError::fail(format!("{error}: {answer:?}")))?;
            is_well_formed(&json)?;
        }
        Ok(())
    });
    tried.unwrap_or_else(|failed| panic!("{failed}"));
}
