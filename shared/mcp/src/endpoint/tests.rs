//! The situations that clients bring about, in both eras.

use super::*;
use crate::testing::{Client, EXAMPLES, Era, Faulty, META, READER, WRITER, service};
use futures_util::stream;
use meadow_service::{MemoryStore, Workspace};
use serde_json::Value;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use tower::ServiceExt;

const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;

fn client() -> Client {
    Client::new(Era::Handshake)
}

fn modern(method: &str, params: &str) -> String {
    Client::new(Era::Stateless).message(method, params)
}

/// The answer is an error with this status and code, in JSON.
#[track_caller]
fn refused(answer: &crate::testing::Answer, status: u16, code: i32, part: &str) {
    assert_eq!(answer.status.as_u16(), status, "{answer:?}");
    assert_eq!(answer.header("content-type"), "application/json", "{answer:?}");
    let body = answer.json();
    assert_eq!(body["jsonrpc"], "2.0");
    assert_eq!(body["error"]["code"], code, "{body}");
    assert!(body["error"]["message"].as_str().unwrap().contains(part), "{body}");
}

#[tokio::test]
async fn bodies_that_are_no_messages_get_json_rpc_errors() {
    for (body, code, part) in [
        (r#"{"jsonrpc":"2.0","#, -32700, "Parse error"),
        ("", -32700, "Parse error"),
        ("[]", -32600, "batch"),
        (
            r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]"#,
            -32600,
            "batch",
        ),
        ("null", -32600, "object"),
        (r#"{"a":1}"#, -32600, "jsonrpc"),
        (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600, "jsonrpc"),
        (r#"{"jsonrpc":"2.0","id":null,"method":"tools/list"}"#, -32600, "id"),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600, "id"),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[{"name":"x","arguments":{}}]}"#,
            -32600,
            "`params`",
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#,
            -32600,
            "duplicate",
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":"x"}}"#,
            -32602,
            "`params._meta` must be an object",
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":}}"#,
            -32700,
            "Parse error",
        ),
    ] {
        refused(&client().post(body, &[]).await, 400, code, part);
    }
    let invalid = client()
        .post(&b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\xff\"}"[..], &[])
        .await;
    refused(&invalid, 400, -32700, "line 1, column 39: byte 0xff is no UTF-8");
    let response = client().post(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, &[]).await;
    refused(&response, 400, -32600, "");
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"a":{}{}}}}}"#,
        "[".repeat(200),
        "]".repeat(200)
    );
    refused(&client().post(deep, &[]).await, 400, -32600, "Invalid Request");
}

#[tokio::test]
async fn ids_come_back_as_they_were() {
    for id in ["9007199254740993", "-1", "9223372036854775807", "\"ü-1\"", "\"\""] {
        let answer = client()
            .post(format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#), &[])
            .await;
        assert!(
            answer.status.is_success() && answer.body.contains(&format!("\"id\":{id}")),
            "{answer:?}"
        );
    }
    let refusal = client()
        .post(r#"{"jsonrpc":"2.0","id":9007199254740993,"method":5}"#, &[])
        .await;
    assert!(refusal.body.contains(r#""id":9007199254740993"#), "{refusal:?}");
    // What MCP does not know as an id is refused, and found again by its sender.
    for id in [
        "1.5",
        "1e3",
        "-0",
        "9223372036854775808",
        "18446744073709551615",
        "123456789012345678901234567890",
    ] {
        let message = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
        let answer = client().post(message, &[]).await;
        refused(
            &answer,
            400,
            -32600,
            "`id` must be a text or a whole number of at most 64 bits with its sign: up to 9223372036854775807",
        );
        assert!(answer.body.contains(&format!("\"id\":{id},")), "{answer:?}");
    }
}

#[tokio::test]
async fn every_accept_that_does_not_exclude_both_is_answered() {
    for (accept, form) in [
        ("-", JSON),
        ("", JSON),
        ("application/json", JSON),
        ("*/*", JSON),
        ("application/*", JSON),
        ("text/event-stream, application/json", JSON),
        ("text/html, */*;q=0.1", JSON),
        ("text/event-stream", EVENTS),
        ("Text/Event-Stream;q=0.5", EVENTS),
        ("application/json;q=0, */*", EVENTS),
    ] {
        let answer = client().post(LIST, &[("accept", accept)]).await;
        assert_eq!(
            (answer.status.as_u16(), answer.header("content-type")),
            (200, form),
            "{accept}"
        );
        let json = answer
            .body
            .strip_prefix("event: message\ndata: ")
            .unwrap_or(&answer.body);
        let message: Value = serde_json::from_str(json).unwrap();
        assert!(message["result"]["tools"].is_array());
        assert_eq!(form == EVENTS, answer.body.ends_with("}\n\n"));
    }
    for accept in [
        "text/html",
        "application/json;q=0",
        "text/event-stream;q=0.0",
        "image/*",
    ] {
        refused(&client().post(LIST, &[("accept", accept)]).await, 406, -32600, "Accept");
    }
}

#[tokio::test]
async fn only_json_is_read() {
    for good in [
        "application/json",
        "application/json; charset=utf-8",
        "Application/JSON",
        "application/json; charset=\"UTF-8\"",
        "application/mcp+json",
        "application/vnd.x+json;charset=utf8",
    ] {
        assert!(
            client().post(LIST, &[("content-type", good)]).await.status.is_success(),
            "{good}"
        );
    }
    for bad in ["text/plain", "application/jsonp", "-"] {
        refused(
            &client().post(LIST, &[("content-type", bad)]).await,
            415,
            -32600,
            "Content-Type",
        );
    }
    for charset in ["utf-16", "latin1", "\"ISO-8859-1\""] {
        let kind = format!("application/json; charset={charset}");
        let answer = client().post(LIST, &[("content-type", &kind)]).await;
        refused(&answer, 415, -32600, "JSON is sent as UTF-8");
        assert_eq!((answer.header("accept"), &answer.json()["id"]), (JSON, &Value::Null));
    }
    let packed = client().post(LIST, &[("content-encoding", "gzip")]).await;
    refused(
        &packed,
        415,
        -32600,
        "(\"gzip\"); send it as it is, without Content-Encoding",
    );
    assert_eq!(packed.header("accept-encoding"), "identity");
    let plain = client().post(LIST, &[("content-encoding", "identity")]).await;
    assert!(plain.status.is_success(), "{plain:?}");
    let marked = client().post(format!("\u{feff}{LIST}"), &[]).await;
    assert!(marked.json()["result"]["tools"].is_array(), "{marked:?}");
}

#[tokio::test]
async fn every_refusal_has_an_id_or_null() {
    // Too deep for rmcp.
    let levels = ("[".repeat(200), "]".repeat(200));
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"a":{}{}}}}}"#,
        levels.0, levels.1
    );
    for (body, headers, id) in [
        (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, &[][..], Value::Null),
        (
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}"#,
            &[],
            Value::Null,
        ),
        (
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            &[("mcp-protocol-version", "1900-01-01")],
            Value::Null,
        ),
        (
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            &[("mcp-protocol-version", "2026-07-28"), ("mcp-method", "other")],
            Value::Null,
        ),
        (r#"{"jsonrpc":"2.0","id":1,"method":"x","params":[]}"#, &[], 1.into()),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"x","params":{},"params":{}}"#,
            &[],
            1.into(),
        ),
        (&deep, &[], 1.into()),
    ] {
        let answer = client().post(body.to_owned(), headers).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{answer:?}");
        assert_eq!(answer.json().get("id"), Some(&id), "{answer:?}");
    }
}

#[tokio::test]
async fn other_methods_are_refused_with_the_allowed_ones() {
    for method in ["GET", "DELETE", "PUT", "PATCH", "HEAD"] {
        for path in ["/mcp", "/mcp/"] {
            let request = http::Request::builder()
                .method(method)
                .uri(path)
                .header("mcp-session-id", "x");
            let answer = client().send(request.body(Body::empty()).unwrap()).await;
            assert_eq!(
                (answer.status.as_u16(), answer.header("allow")),
                (405, "POST, OPTIONS"),
                "{method}"
            );
            if method != "HEAD" {
                refused(&answer, 405, -32600, "POST");
            }
        }
    }
    let options = http::Request::options("/mcp").body(Body::empty()).unwrap();
    let answer = client().send(options).await;
    assert_eq!((answer.status.as_u16(), answer.header("allow")), (204, "POST, OPTIONS"));
}

#[tokio::test]
async fn sessions_are_neither_needed_nor_made() {
    for headers in [&[][..], &[("mcp-session-id", "00000000000000000000000000000000")][..]] {
        for body in [
            LIST.to_owned(),
            initialize("2025-06-18"),
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{READER}"}}}}"#),
        ] {
            let answer = client().post(body, headers).await;
            assert!(
                answer.status.is_success() && answer.json()["result"].is_object(),
                "{answer:?}"
            );
            assert!(!answer.headers.contains_key("mcp-session-id"));
        }
    }
    let slash = http::Request::post("/mcp/")
        .header("host", "x")
        .header("content-type", JSON);
    let answer = client().send(slash.body(Body::from(LIST)).unwrap()).await;
    assert!(answer.status.is_success(), "{answer:?}");
    let note = client()
        .post(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, &[])
        .await;
    assert_eq!((note.status.as_u16(), note.body.as_str()), (202, ""));
}

fn initialize(version: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"protocolVersion":"{version}","capabilities":{{}},"clientInfo":{{"name":"t","version":"1"}}}}}}"#
    )
}

#[tokio::test]
async fn initialize_answers_a_version_that_we_speak() {
    for (asked, answered) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("2099-01-01", "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
        ("nonsense", "2025-11-25"),
    ] {
        // A client that opens again sends the version that it was answered, or one that it always sends.
        let headers = |version: &'static str| vec![("mcp-protocol-version", version)];
        for headers in [
            vec![],
            headers(asked),
            headers(answered),
            headers("2025-03-26"),
            headers("9"),
        ] {
            let answer = client().post(initialize(asked), &headers).await;
            assert!(answer.status.is_success(), "{asked}: {answer:?}");
            let result = &answer.json()["result"];
            assert_eq!(result["protocolVersion"], answered, "{asked}");
            assert_eq!(result["serverInfo"]["name"], "meadow");
            assert!(
                result["instructions"]
                    .as_str()
                    .unwrap()
                    .contains("guide://systems-thinking")
            );
        }
    }
}

#[tokio::test]
async fn versions_and_headers_that_do_not_fit_are_refused() {
    let unknown = client().post(LIST, &[("mcp-protocol-version", "1900-01-01")]).await;
    refused(&unknown, 400, -32022, "Unsupported");
    let data = &unknown.json()["error"]["data"];
    assert_eq!(data["requested"], "1900-01-01");
    assert!(data["supported"].as_array().unwrap().contains(&"2026-07-28".into()));

    const V: (&str, &str) = ("mcp-protocol-version", "2026-07-28");
    let list = || modern("tools/list", "");
    let call = || modern("tools/call", &format!(r#""name":"{READER}","arguments":{{}}"#));
    for (body, headers, status, code) in [
        (list(), vec![V], 400, -32020),
        (
            list(),
            vec![("mcp-protocol-version", "2025-11-25"), ("mcp-method", "tools/list")],
            400,
            -32020,
        ),
        (call(), vec![V, ("mcp-method", "tools/call")], 400, -32020),
        (
            call(),
            vec![V, ("mcp-method", "tools/call"), ("mcp-name", "other")],
            400,
            -32020,
        ),
        (
            call(),
            vec![V, ("mcp-method", "tools/list"), ("mcp-name", READER)],
            400,
            -32020,
        ),
        (LIST.to_owned(), vec![V, ("mcp-method", "tools/list")], 400, -32602),
        (
            list().replace("2026-07-28", "2099-01-01"),
            vec![("mcp-protocol-version", "2099-01-01"), ("mcp-method", "tools/list")],
            400,
            -32022,
        ),
        (modern("ping", ""), vec![V, ("mcp-method", "ping")], 404, -32601),
        (
            modern("initialize", ""),
            vec![V, ("mcp-method", "initialize")],
            404,
            -32601,
        ),
        (modern("foo/bar", ""), vec![V, ("mcp-method", "foo/bar")], 404, -32601),
        (
            modern("logging/setLevel", r#""level":"info""#),
            vec![V, ("mcp-method", "logging/setLevel")],
            404,
            -32601,
        ),
        (
            modern("subscriptions/listen", r#""notifications":{}"#),
            vec![V, ("mcp-method", "subscriptions/listen")],
            404,
            -32601,
        ),
    ] {
        let asked = body.contains("2099-01-01");
        let answer = client().post(body, &headers).await;
        refused(&answer, status, code, "");
        if asked {
            let data = &answer.json()["error"]["data"];
            assert_eq!(data["requested"], "2099-01-01", "{answer:?}");
            assert!(
                data["supported"].as_array().unwrap().contains(&"2026-07-28".into()),
                "{answer:?}"
            );
        }
    }
    for (body, code, part) in [
        (r#"{"jsonrpc":"2.0","id":1,"method":"foo/bar"}"#, -32601, "foo/bar"),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nope","arguments":{}}}"#,
            -32602,
            READER,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{}}}"#,
            -32602,
            "`name`",
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{}}"#,
            -32602,
            "`uri`",
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}"#,
            -32602,
            "leave it out to begin anew",
        ),
    ] {
        refused(&client().post(body, &[]).await, 200, code, part);
    }
}

/// Names that no header can hold come in base64, and any name may: here the reader's, the writer's, `model://水` and
/// `model://火`.
#[tokio::test]
async fn a_name_in_base64_is_held_against_the_body() {
    let client = Client::new(Era::Stateless);
    client.call(WRITER, r#"{"system_name":"水"}"#).await;
    let call = modern("tools/call", &format!(r#""name":"{READER}","arguments":{{}}"#));
    let read = modern("resources/read", r#""uri":"model://水""#);
    for (body, method, name, fits) in [
        (&call, "tools/call", "=?base64?c3lzdGVtc190aGlua2luZ19yZWFkZXI=?=", true),
        (
            &call,
            "tools/call",
            "=?base64?c3lzdGVtc190aGlua2luZ193cml0ZXI=?=",
            false,
        ),
        (&call, "tools/call", "=?base64?!!?=", false),
        (&read, "resources/read", "=?base64?bW9kZWw6Ly/msLQ=?=", true),
        (&read, "resources/read", "=?base64?bW9kZWw6Ly/ngas=?=", false),
    ] {
        let headers = [
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", method),
            ("mcp-name", name),
        ];
        let answer = client.post(body.clone(), &headers).await;
        match fits {
            true => assert!(
                answer.status == StatusCode::OK && answer.json()["result"].is_object(),
                "{answer:?}"
            ),
            false => refused(&answer, 400, -32020, ""),
        }
    }
}

#[tokio::test]
async fn discovery_says_everything_to_the_stateless_era() {
    let discovered = Client::new(Era::Stateless).ask("server/discover", None, "").await;
    let result = &discovered["result"];
    assert_eq!(
        result["supportedVersions"].as_array().unwrap().len(),
        ProtocolVersion::KNOWN_VERSIONS.len()
    );
    assert_eq!(
        result["capabilities"],
        serde_json::json!({"completions": {}, "prompts": {}, "resources": {}, "tools": {}})
    );
    assert_eq!(
        (&result["ttlMs"], &result["cacheScope"]),
        (&300_000.into(), &"public".into())
    );
    for (method, params, scope) in [
        ("server/discover", "", "public"),
        ("tools/list", "", "public"),
        ("resources/list", "", "private"),
        ("resources/templates/list", "", "public"),
        ("resources/read", r#""uri":"guide://systems-thinking""#, "public"),
    ] {
        let name = (method == "resources/read").then_some("guide://systems-thinking");
        let answer = Client::new(Era::Stateless).ask(method, name, params).await;
        let result = &answer["result"];
        assert_eq!(result["cacheScope"], scope, "{method}");
        assert!(
            result["ttlMs"].is_u64() && result["resultType"] == "complete",
            "{method}"
        );
        assert_eq!(
            result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "meadow",
            "{method}"
        );
    }
    let result = Client::new(Era::Stateless).call(READER, "{}").await;
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["title"], "Meadow");
    assert!(
        Client::new(Era::Handshake)
            .call(READER, "{}")
            .await
            .get("_meta")
            .is_none()
    );
}

/// A message of this many bytes: a document with much white space in it.
fn message_of(size: usize) -> String {
    let (head, tail) = (
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{WRITER}","arguments":{{"#),
        "}}}",
    );
    format!("{head}{}{tail}", " ".repeat(size - head.len() - tail.len()))
}

#[tokio::test]
async fn a_message_that_is_too_large_is_refused_and_drained() {
    // The message fits; the document in it is larger than one may be.
    let fits = client().post(message_of(MAX_MESSAGE), &[]).await;
    refused(&fits, 413, -32600, "at most 4194304 are allowed");
    let text = message_of(MAX_MESSAGE + 1);
    let told = format!(
        "has {} bytes; at most {MAX_MESSAGE} are allowed, 4194304 for a document",
        MAX_MESSAGE + 1
    );
    refused(&client().post(text.clone(), &[]).await, 413, -32600, &told);

    // Without a length, in pieces: all of them are taken, or the client would meet a reset.
    let taken = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&taken);
    let pieces = std::iter::repeat_with(move || {
        count.fetch_add(1, Relaxed);
        Ok::<_, std::io::Error>(vec![b' '; 16 << 10])
    });
    let pieces_of = |number: usize| Body::from_stream(stream::iter(pieces.clone().take(number)));
    let drained = client().post(pieces_of(1000), &[]).await;
    refused(&drained, 413, -32600, "has 16384000 bytes; at most");
    assert_eq!((taken.swap(0, Relaxed), drained.header("connection")), (1000, ""));
    // But not without end.
    let endless = client().post(pieces_of(usize::MAX), &[]).await;
    refused(&endless, 413, -32600, "has more than ");
    assert_eq!(endless.header("connection"), "close");
    assert!(taken.swap(0, Relaxed) * (16 << 10) <= MAX_MESSAGE + incoming::MAX_DRAINED as usize + (64 << 10));

    let broken = stream::iter([Ok(&b"{"[..]), Err(std::io::Error::other("gone"))]);
    refused(
        &client().post(Body::from_stream(broken), &[]).await,
        400,
        -32600,
        "broke off",
    );
    // One that waits to be told to go on has sent nothing, and is told at once.
    let waiting = client().post(text, &[("expect", "100-continue")]).await;
    refused(&waiting, 413, -32600, &told);
    assert_eq!(waiting.header("connection"), "close");
}

/// Paused: the clock goes on only when nothing else can.
#[tokio::test(start_paused = true)]
async fn a_client_that_announces_too_much_is_answered_whether_it_sends_or_not() {
    let silent = || Body::from_stream(stream::pending::<Result<Vec<u8>, std::io::Error>>());
    for (length, pauses) in [
        ("1000000000000", false),
        ("18446744073709551615", false),
        ("20000000", true),
    ] {
        let before = tokio::time::Instant::now();
        let answer = client().post(silent(), &[("content-length", length)]).await;
        refused(&answer, 413, -32600, &format!("the message has {length} bytes"));
        assert_eq!(answer.header("connection"), "close");
        assert_eq!(before.elapsed().as_secs(), if pauses { 5 } else { 0 }, "{length}");
    }
}

/// What counts is the document, not the escapes that it needs as JSON text.
#[tokio::test]
async fn a_document_of_full_size_passes_in_every_form() {
    use meadow_model::limits::MAX_TEXT;
    // An `é` takes two bytes, and six where a client writes all texts in ASCII, which is the most.
    let filled = |size: usize| {
        let head = r#"{"system_name":"Full","note":""#;
        let left = size - head.len() - 2;
        format!("{head}{}\"{}}}", "é".repeat(left / 2), " ".repeat(left % 2))
    };
    let ascii = |text: &str| serde_json::to_string(text).unwrap().replace('é', "\\u00e9");
    let document = filled(MAX_TEXT);
    assert_eq!(document.len(), MAX_TEXT);
    let text = ascii(&document);
    let client = client();
    for (arguments, status) in [
        (document.clone(), "stored"),
        (format!(r#"{{"document":{document},"model":"full"}}"#), "unchanged"),
        (format!(r#"{{"model":"full","document":{text}}}"#), "unchanged"),
        (text, "unchanged"),
    ] {
        let result = client.call(WRITER, &arguments).await;
        assert_eq!(
            result["structuredContent"]["status"],
            status,
            "{} bytes",
            arguments.len()
        );
    }
    let document = filled(MAX_TEXT + 1);
    let text = ascii(&document);
    // Many members cost memory before anything is known of the document.
    let members: Vec<_> = (0..400_000).map(|n| format!(r#""m{n}":1"#)).collect();
    let many = format!(r#"{{"model":"m",{}}}"#, members.join(","));
    for (tool, arguments, size) in [
        (WRITER, document.clone(), MAX_TEXT + 1),
        (WRITER, format!(r#"{{"document":{document}}}"#), MAX_TEXT + 1),
        (WRITER, many.clone(), many.len()),
        (READER, many.clone(), many.len()),
    ] {
        for (accept, length) in [(JSON, true), (EVENTS, true), (JSON, false)] {
            let message = client.message("tools/call", &format!(r#""name":"{tool}","arguments":{arguments}"#));
            let body = match length {
                true => Body::from(message),
                false => Body::from_stream(stream::iter([Ok::<_, std::io::Error>(message)])),
            };
            let answer = client.post(body, &[("accept", accept)]).await;
            refused(&answer, 413, -32600, "at most 4194304 are allowed");
            let json = answer.json();
            assert_eq!((&json["id"], &json["error"]["data"]["size"]), (&7.into(), &size.into()));
        }
    }
    for (tool, arguments) in [
        (WRITER, format!(r#"{{"document":{text}}}"#)),
        (WRITER, format!(r#"{{"document":{text},"version":"1"}}"#)),
        (WRITER, text),
    ] {
        let result = client.call(tool, &arguments).await;
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(
            result["isError"] == true && text.contains("at most 4194304 are allowed"),
            "{text}"
        );
    }
}

/// Time is paused: it goes on only when nothing else can.
#[tokio::test(start_paused = true)]
async fn the_head_of_an_event_leaves_before_a_slow_answer_is_there() {
    let slow = Client::of(service(Faulty::Stuck), Config::default(), Era::Handshake);
    let ask = async |accept: &str| {
        let request = http::Request::post("/mcp")
            .header("host", "localhost")
            .header("content-type", JSON)
            .header("accept", accept);
        let call = slow.message("tools/call", &format!(r#""name":"{READER}","arguments":{{}}"#));
        let begun = tokio::time::Instant::now();
        let answer = slow
            .router
            .clone()
            .oneshot(request.body(Body::from(call)).unwrap())
            .await;
        let (parts, body) = answer.unwrap().into_parts();
        let head_after = begun.elapsed();
        let body = body.collect().await.unwrap().to_bytes();
        (
            parts,
            head_after,
            begun.elapsed(),
            String::from_utf8(body.into()).unwrap(),
        )
    };
    let (parts, head_after, body_after, body) = ask(EVENTS).await;
    assert_eq!(
        (parts.status.as_u16(), &parts.headers["content-type"]),
        (200, &HeaderValue::from_static(EVENTS))
    );
    assert_eq!(parts.headers["x-accel-buffering"], "no");
    assert!(
        head_after < Duration::from_secs(1) && body_after >= Duration::from_secs(18),
        "{head_after:?}"
    );
    let event = body
        .strip_prefix("event: message\ndata: ")
        .expect("one event and nothing before it");
    let json: Value = serde_json::from_str(event.strip_suffix("\n\n").expect("its end")).unwrap();
    assert_eq!(
        (&json["id"], &json["result"]["isError"]),
        (&7.into(), &true.into()),
        "{json}"
    );
    // JSON comes whole.
    let (parts, head_after, ..) = ask(JSON).await;
    assert_eq!(parts.headers["content-type"], JSON);
    assert!(head_after >= Duration::from_secs(18));
}

#[tokio::test]
async fn the_caller_in_the_request_decides_whose_models_are_seen() {
    let team = |name: &str| Caller::local(Workspace::new(name).unwrap());
    let service = service(MemoryStore::new());
    let of = |caller: Option<Caller>| {
        let mut client = Client::of(service.clone(), Config::default(), Era::Handshake);
        if let Some(caller) = caller {
            client.router = client.router.layer(axum::Extension(caller));
        }
        client
    };
    of(Some(team("a"))).call(WRITER, r#"{"system_name":"Secret"}"#).await;
    for (caller, status) in [
        (Some(team("a")), "ok"),
        (Some(team("b")), "not_found"),
        (None, "not_found"),
    ] {
        let result = of(caller.clone()).call(READER, "{}").await;
        assert_eq!(result["structuredContent"]["status"], status, "{caller:?}");
        let listed = of(caller).ask("resources/list", None, "").await;
        assert_eq!(listed.to_string().contains("model://secret"), status == "ok");
    }
}

#[tokio::test]
async fn one_endpoint_serves_both_eras_at_once() {
    let handshake = client();
    let stateless = Client {
        era: Era::Stateless,
        ..handshake.clone()
    };
    for name in EXAMPLES {
        let text = handshake.text(&format!("example://{name}")).await;
        assert_eq!(
            stateless.call(WRITER, &text).await["structuredContent"]["status"],
            "stored"
        );
        assert_eq!(
            handshake.call(WRITER, &text).await["structuredContent"]["status"],
            "unchanged"
        );
    }
    let discovered = stateless.ask("server/discover", None, "").await;
    assert!(
        discovered["result"]["supportedVersions"]
            .as_array()
            .unwrap()
            .contains(&"2024-11-05".into())
    );
    // A client of the first version: a handshake, then calls without any header.
    let opened = handshake.post(initialize("2024-11-05"), &[]).await;
    assert_eq!(opened.json()["result"]["protocolVersion"], "2024-11-05");
    let told = handshake
        .post(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, &[])
        .await;
    assert_eq!(told.status, StatusCode::ACCEPTED);
    let read = handshake
        .post(
            handshake.message("tools/call", &format!(r#""name":"{READER}","arguments":{{}}"#)),
            &[],
        )
        .await;
    assert_eq!(read.json()["result"]["structuredContent"]["status"], "ok");
    // `_meta` before the arguments, and params before the method.
    let body = format!(
        r#"{{"params":{{{META},"arguments":{{"system_name":"Z"}},"name":"{WRITER}"}},"method":"tools/call","id":7,"jsonrpc":"2.0"}}"#
    );
    let headers = [
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "tools/call"),
        ("mcp-name", WRITER),
    ];
    let answer = stateless.post(body, &headers).await;
    assert_eq!(answer.json()["result"]["structuredContent"]["model"], "z");
}
