//! What no well-meaning client sends, over real sockets and pipes. Each time the server answers as HTTP and JSON-RPC
//! have it, or closes the connection; and it lives on.

use crate::client::{Answer, Http, Process, Served, answer, meadow, model, repository};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::Shutdown;
use std::process::ChildStdin;

/// Sends bytes as they stand; gives all that comes back until the connection is closed.
fn raw(http: Http, bytes: &[u8], ends: bool) -> String {
    let mut stream = http.connect();
    // A server that has refused already need not read on.
    let _ = stream.write_all(bytes);
    if ends {
        let _ = stream.shutdown(Shutdown::Write);
    }
    let mut answer = Vec::new();
    if let Err(error) = stream.read_to_end(&mut answer) {
        assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset, "{error}");
    }
    String::from_utf8_lossy(&answer).into_owned()
}

/// The statuses of all answers in a text.
fn statuses(text: &str) -> Vec<u16> {
    let heads = text.split("HTTP/1.").skip(1);
    heads.map(|head| head[2..5].parse().expect("a status")).collect()
}

fn get(target: &str, more: &str) -> String {
    format!("GET {target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n{more}\r\n")
}

#[test]
fn odd_requests_are_answered_and_the_server_lives_on() {
    let served = Served::start(&["--store", "memory:", "--log", "off"]);
    assert_eq!(served.http.post("/model", &model("01-bathtub.json")).status, 200);
    let check = |request: &str, status: u16, part: &str| {
        let text = raw(served.http, request.as_bytes(), false);
        let shown: String = request.chars().take(120).collect();
        assert_eq!(statuses(&text), [status], "{shown:?}: {text}");
        assert!(text.contains(part), "{shown:?}: {text}");
        assert_eq!(served.http.get("/healthz").status, 200, "{shown:?}");
    };
    // Versions and forms of the target.
    check("GET /healthz HTTP/1.0\r\n\r\n", 200, "\"ok\"");
    check("GET /model HTTP/1.0\r\nhost: localhost\r\n\r\n", 200, "Bathtub");
    check("GET /model HTTP/1.0\r\n\r\n", 400, "names no Host");
    check("GET /model HTTP/1.1\r\nconnection: close\r\n\r\n", 400, "names no Host");
    check(&get("http://localhost/model", ""), 200, "Bathtub");
    check(&get("http://evil.example/model", ""), 403, "evil.example");
    check(&get("http://localhost@evil.example/model", ""), 403, "evil.example");
    check(&get("/model", "host: localhost\r\n"), 400, "more than one Host");
    check(&get("/model", "origin: \u{fe}\r\n"), 403, "Origin");
    check(
        "OPTIONS * HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n",
        404,
        "nothing at",
    );
    check(
        "CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n",
        403,
        "evil.example",
    );
    check(
        "get /model HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n",
        405,
        "GET, HEAD",
    );
    check(
        "TRACE /mcp HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n",
        405,
        "allow: POST, OPTIONS",
    );
    // Ids and paths that mean another place elsewhere.
    for id in [
        "%2e%2e",
        "..%2f..%2fetc%2fpasswd",
        "%00",
        "a%00b",
        "a%2Fb",
        "a%5cb",
        ".",
        "%2e",
        "a%0d%0ab",
        "%ff",
        "%",
        "%zz",
        "~",
    ] {
        check(&get(&format!("/models/{id}"), ""), 400, "application/problem+json");
        check(
            &get(&format!("/models/{id}/report"), ""),
            400,
            "application/problem+json",
        );
    }
    for path in [
        "//model",
        "//models/bathtub",
        "/models//bathtub",
        "/models/../model",
        "/%6dodel",
        "/model%00",
        "/model;a=b",
        "/mcp/../model",
        "/model//",
    ] {
        check(&get(path, ""), 404, "nothing at");
    }
    check(&get("/models/bathtub/revisions/%31", ""), 200, "Bathtub");
    check(
        &get("/models/bathtub/revisions/18446744073709551616", ""),
        400,
        "path cannot be read",
    );
    // What is too much.
    check(&get(&format!("/models/{}", "x".repeat(60_000)), ""), 400, "200 bytes");
    check(&get(&format!("/{}", "x".repeat(70_000)), ""), 414, "");
    check(&get("/model", &"x-a: b\r\n".repeat(200)), 431, "");
    check(&get("/model", &format!("x-a: {}\r\n", "b".repeat(300_000))), 431, "");
    // What is no HTTP.
    for bytes in [
        "\r\n\r\n\r\nhello\r\n\r\n",
        "GET /model\r\n\r\n",
        "GET /model HTTP/9.9\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\r\n\r\n",
    ] {
        // hyper closes the connection of a client of HTTP/2 without a word.
        let text = raw(served.http, bytes.as_bytes(), false);
        assert!(matches!(statuses(&text)[..], [] | [400]), "{bytes:?}: {text}");
    }
    check(&get("/model", "x a: b\r\n"), 400, "");
    check(&get("/model", "x-a: b\u{0}c\r\n"), 400, "");
    check(&get("/model", "x-a: b\r\n c: d\r\n"), 400, "");
}

#[test]
fn bodies_whose_length_is_a_lie_are_answered_or_closed() {
    let served = Served::start(&["--store", "memory:", "--log", "off"]);
    let post = |path: &str, framing: &str, body: &str| {
        format!("POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n{framing}\r\n{body}")
    };
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let length = format!("content-length: {}\r\n", ping.len());
    for path in ["/mcp", "/model"] {
        for framing in [
            "content-length: -1\r\n",
            "content-length: 1x\r\n",
            "content-length: 99999999999999999999999\r\n",
            "content-length: 4\r\ncontent-length: 5\r\n",
            "content-length: 4, 5\r\n",
            "transfer-encoding: gzip\r\n",
            "transfer-encoding: xchunked\r\n",
        ] {
            let text = raw(served.http, post(path, framing, ping).as_bytes(), false);
            assert_eq!(statuses(&text), [400], "{path} {framing:?}: {text}");
        }
        // The client goes away before its body is whole: nothing is done, and nothing is left to answer.
        let text = raw(
            served.http,
            post(path, "content-length: 1000\r\n", ping).as_bytes(),
            true,
        );
        assert!(matches!(statuses(&text)[..], [] | [400]), "{path}: {text}");
        // Broken chunks: a wrong size, a missing end, more data than was said.
        for chunks in [
            "zz\r\n{}\r\n0\r\n\r\n",
            "-2\r\n{}\r\n0\r\n\r\n",
            "2\r\n{}{}\r\n0\r\n\r\n",
            "ffffffffffffffffff\r\n{}",
        ] {
            let text = raw(
                served.http,
                post(path, "transfer-encoding: chunked\r\n", chunks).as_bytes(),
                true,
            );
            assert!(matches!(statuses(&text)[..], [] | [400]), "{path} {chunks:?}: {text}");
        }
        assert_eq!(served.http.get("/model").status, 404, "nothing was stored");
    }
    // Both framings: what counts is one of them, and what is left is never taken for a request of its own.
    let smuggled = "0\r\n\r\nDELETE /models/bathtub HTTP/1.1\r\nhost: localhost\r\n\r\n";
    let both = format!("content-length: {}\r\ntransfer-encoding: chunked\r\n", smuggled.len());
    let text = raw(served.http, post("/mcp", &both, smuggled).as_bytes(), false);
    assert_eq!(statuses(&text)[0], 400, "{text}");
    assert!(
        text.to_lowercase().contains("connection: close") || statuses(&text).len() == 2,
        "{text}"
    );
    // A body that is longer than it says: the rest is no request.
    let text = raw(
        served.http,
        post("/mcp", &length, &format!("{ping}hello\r\n\r\n")).as_bytes(),
        false,
    );
    assert_eq!(statuses(&text), [200, 400], "{text}");
    assert_eq!(served.http.get("/healthz").status, 200);
}

#[test]
fn pipelined_requests_are_answered_in_order() {
    let served = Served::start(&["--store", "memory:", "--log", "off"]);
    let mut all = String::new();
    for id in 0..50 {
        let ping = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
        let close = if id == 49 { "connection: close\r\n" } else { "" };
        all += &format!(
            "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n{close}content-length: {}\r\n\r\n{ping}",
            ping.len()
        );
    }
    let text = raw(served.http, all.as_bytes(), false);
    assert_eq!(statuses(&text), [200; 50]);
    let ids: Vec<_> = text
        .split("\"id\":")
        .skip(1)
        .map(|rest| rest.split([',', '}']).next().expect("an id").to_owned())
        .collect();
    assert_eq!(ids, (0..50).map(|id| id.to_string()).collect::<Vec<_>>());
}

/// What comes beyond the limit is told to come again; here the places are held by requests whose bodies never end, which
/// hold none.
#[test]
fn many_slow_bodies_keep_nobody_out() {
    let served = Served::start(&["--store", "memory:", "--max-requests", "1", "--log", "off"]);
    let head = served.http.head("POST", "/mcp", 1000, "");
    let slow: Vec<_> = (0..50)
        .map(|_| {
            let mut stream = served.http.connect();
            stream.write_all(head.as_bytes()).expect("it reads");
            stream
        })
        .collect();
    for _ in 0..20 {
        assert_eq!(served.http.get("/model").status, 404);
    }
    drop(slow);
}

#[test]
fn pages_of_allowed_origins_get_their_headers_from_the_process() {
    let served = Served::start(&["--store", "memory:", "--allow-origin", "https://app.example"]);
    let preflight = "OPTIONS /mcp HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\norigin: https://app.example\r\n\
                     access-control-request-method: POST\r\naccess-control-request-headers: mcp-method\r\n\r\n";
    let text = raw(served.http, preflight.as_bytes(), false);
    assert_eq!(statuses(&text), [204]);
    for part in [
        "access-control-allow-origin: https://app.example\r\n",
        "access-control-allow-methods: POST, OPTIONS\r\n",
        "mcp-method",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    for method in ["GET", "DELETE", "PUT", "HEAD"] {
        let request = get("/mcp", "origin: https://app.example\r\n").replacen("GET", method, 1);
        let text = raw(served.http, request.as_bytes(), false);
        assert_eq!(statuses(&text), [405], "{method}");
        for part in [
            "access-control-allow-origin: https://app.example\r\n",
            "allow: POST, OPTIONS\r\n",
        ] {
            assert!(text.contains(part), "{method} {part}: {text}");
        }
    }
}

#[test]
fn a_plain_answer_says_its_length() {
    let served = Served::start(&["--store", "memory:", "--log", "off"]);
    for message in [
        r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"no/such"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"systems_thinking_reader"}}"#,
        "no message",
    ] {
        let request = served.http.head("POST", "/mcp", message.len(), "") + message;
        let text = raw(served.http, request.as_bytes(), false);
        let (head, body) = text.split_once("\r\n\r\n").expect("a head");
        assert!(head.contains("content-type: application/json"), "{text}");
        assert!(head.contains(&format!("content-length: {}", body.len())), "{text}");
        assert!(!head.contains("transfer-encoding"), "{text}");
    }
}

/// What the process takes of memory, in bytes, by a name of `/proc/PID/status`.
#[cfg(target_os = "linux")]
fn memory(process: &Process, name: &str) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.id())).expect("its status");
    let line = status.lines().find_map(|line| line.strip_prefix(name)).expect("a line");
    let kilobytes = line.trim_matches([':', ' ', '\t']).split(' ').next().expect("a number");
    kilobytes.parse::<usize>().expect("a number") << 10
}

/// Sends so many spaces as a body.
#[cfg(target_os = "linux")]
fn send(http: Http, path: &str, bytes: usize, chunked: bool) -> Answer {
    let mut stream = http.connect();
    let mut head = http.head("POST", path, bytes, "");
    if chunked {
        head = head.replace(&format!("content-length: {bytes}"), "transfer-encoding: chunked");
    }
    stream.write_all(head.as_bytes()).expect("it reads");
    let part = vec![b' '; 64 << 10];
    for at in (0..bytes).step_by(part.len()) {
        let part = &part[..part.len().min(bytes - at)];
        if chunked {
            write!(stream, "{:x}\r\n", part.len()).expect("it reads");
        }
        stream.write_all(part).expect("it reads");
        if chunked {
            stream.write_all(b"\r\n").expect("it reads");
        }
    }
    if chunked {
        stream.write_all(b"0\r\n\r\n").expect("it reads");
    }
    answer(&mut stream)
}

/// Whatever is sent, the most that the process ever took grows by less than twice the limit.
#[cfg(target_os = "linux")]
#[test]
fn what_is_too_large_takes_little_memory() {
    let start = || Served::start(&["--store", "memory:", "--log", "off"]);
    let check = |path: &str, limit: usize, bytes: usize, chunked: bool| {
        let served = start();
        // What a first refusal brings into memory is the program itself.
        assert_eq!(send(served.http, path, 10, chunked).status, 400);
        let before = memory(&served.process, "VmHWM");
        let refused = send(served.http, path, bytes, chunked);
        let grown = memory(&served.process, "VmHWM") - before;
        assert_eq!(refused.status, 413, "{path} {bytes} {chunked}");
        assert!(refused.body.contains(&limit.to_string()), "{refused:?}");
        assert!(grown < 2 * limit, "{path} {bytes} {chunked}: {grown} bytes");
    };
    for path in ["/model", "/mcp"] {
        // Each surface says how much it takes.
        let refused = send(start().http, path, 40 << 20, false);
        let at_most = refused
            .body
            .split("at most ")
            .nth(1)
            .and_then(|rest| rest.split(' ').next());
        let limit = at_most.and_then(|limit| limit.parse().ok()).expect("a limit");
        for chunked in [false, true] {
            check(path, limit, limit + 1, chunked);
            check(path, limit, 40 << 20, chunked);
        }
    }
}

/// `meadow stdio` and its standard input as bytes.
fn stdio(arguments: &[&str], language: &str) -> (Process, ChildStdin) {
    let mut command = meadow(&["stdio", "--store", "memory:"]);
    command.args(arguments).env("LANG", language).env("LC_ALL", language);
    Process::start(command)
}

/// Sends lines from a thread of its own, since both pipes may be full; gives all answers by id, each of which must come
/// once.
fn answers(arguments: &[&str], lines: Vec<Vec<u8>>) -> BTreeMap<String, Value> {
    let (process, mut stdin) = stdio(arguments, "C");
    let writing = std::thread::spawn(move || {
        for line in lines {
            stdin.write_all(&line).expect("it reads");
            stdin.write_all(b"\n").expect("it reads");
        }
    });
    let (status, stdout, stderr) = process.ended();
    writing.join().expect("all is sent");
    assert!(status.success(), "{stderr:?}");
    let mut answers = BTreeMap::new();
    for line in stdout {
        let answer: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"));
        assert_eq!(answer["jsonrpc"], "2.0", "{line}");
        assert!(answer["result"].is_object() != answer["error"].is_object(), "{line}");
        let id = answer["id"].to_string();
        if id != "null" {
            assert!(answers.insert(id, answer).is_none(), "answered twice: {line}");
        }
    }
    answers
}

fn call(id: usize, note: &str) -> Vec<u8> {
    let arguments = json!({"system_name": format!("M{}", id % 10), "note": note});
    let params = json!({"name": "systems_thinking_writer", "arguments": arguments});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
        .to_string()
        .into_bytes()
}

#[test]
fn a_thousand_calls_are_each_answered_once_at_every_level_of_the_log() {
    for (level, calls) in [
        ("trace", 1000),
        ("debug", 200),
        ("info", 200),
        ("warn", 200),
        ("error", 200),
        ("off", 200),
    ] {
        let mut lines: Vec<_> = (0..calls).map(|id| call(id, "note")).collect();
        // Large ones among them: a log line in the midst of one would break it.
        for id in 0..10 {
            lines.insert(id * 20, call(calls + id, &"水".repeat(300_000)));
            lines.insert(id * 20, b"hello \xff".to_vec());
        }
        let answers = answers(&["--log", level], lines);
        assert_eq!(answers.len(), calls + 10, "{level}");
        let status = |answer: &Value| answer["result"]["structuredContent"]["status"].clone();
        assert!(answers.values().all(|answer| status(answer).is_string()), "{level}");
    }
}

#[test]
fn lines_that_are_too_long_and_bytes_that_are_no_text_are_answered() {
    let mut long = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{"x":""#.to_vec();
    long.resize(20 << 20, b'x');
    let lines = vec![
        long,
        b"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\",\"params\":{\"x\":\"\xff\"}}".to_vec(),
        b"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\xed\xa0\x80\"}".to_vec(),
        br#"{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"systems_thinking_writer","arguments":{"a":"\ud800"}}}"#
            .to_vec(),
        br#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"systems_thinking_writer","arguments":{"a":"\u0000"}}}"#
            .to_vec(),
        br#"{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}"#.to_vec(),
        br#"{"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"ping"}"#.to_vec(),
        [br#"{"jsonrpc":"2.0","id":6,"method":"ping","params":{"a":"#.to_vec(), b"[".repeat(5000), b"]".repeat(5000), b"}}".to_vec()].concat(),
        vec![0; 1000],
        b"\r".to_vec(),
        [b"\xef\xbb\xbf".to_vec(), br#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#.to_vec()].concat(),
    ];
    let answers = answers(&["--log", "trace"], lines);
    let error = |id: &str, part: &str| {
        let answer = &answers[id];
        let message = answer["error"]["message"]
            .as_str()
            .or(answer["result"]["content"][0]["text"].as_str());
        assert!(message.is_some_and(|message| message.contains(part)), "{id}: {answer}");
    };
    error("1", "the message has 20971520 bytes");
    error("4", "surrogate");
    error("5", "NUL");
    assert!(answers["9007199254740993"]["result"].is_object());
    assert_eq!(answers["7"]["result"], json!({}));
    assert!(answers["6"]["error"].is_object(), "{}", answers["6"]);
}

/// Whatever the locale: texts are UTF-8.
#[test]
fn chinese_texts_come_back_byte_for_byte() {
    let text = std::fs::read_to_string(repository("tests/documents/25-valid-cjk.json")).expect("a document");
    let line: String = text.lines().collect();
    for language in ["C", "POSIX", "zh_CN.GBK"] {
        let (process, mut stdin) = stdio(&["--listen", "127.0.0.1:0", "--log", "info"], language);
        let said: Value = serde_json::from_str(&process.says("listening")).expect("JSON");
        let http = Http::at(said["url"].as_str().expect("a URL"));
        let call = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"systems_thinking_writer","arguments":{line}}}}}"#
        );
        stdin.write_all(format!("{call}\n").as_bytes()).expect("it reads");
        let answer = process.stdout.recv().expect("a line");
        assert!(answer.contains("\"stored\""), "{answer}");
        assert_eq!(http.get("/model").body, line);
        assert_eq!(http.post("/model", &text).status, 200);
        assert_eq!(http.get("/model").body, text);
        drop(stdin);
        assert!(process.ended().0.success());
    }
}
