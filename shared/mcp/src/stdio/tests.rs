//! One client over a pair of streams.

use super::*;
use crate::raw::MAX_MESSAGE;
use crate::testing::{Client, Era, Faulty, Log, META, READER, WRITER, service};
use meadow_service::MemoryStore;
use serde_json::Value;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::io::{AsyncReadExt, DuplexStream, ReadHalf, WriteHalf, split};

/// A client at the other end.
pub(crate) struct Peer {
    to: WriteHalf<DuplexStream>,
    from: BufReader<ReadHalf<DuplexStream>>,
    serving: JoinHandle<io::Result<()>>,
}

impl Peer {
    pub(crate) fn new(service: Service, room: usize) -> Self {
        let (ours, theirs) = tokio::io::duplex(room);
        let (reader, writer) = split(theirs);
        let serving = tokio::spawn(serve(service, Caller::default(), reader, writer, Config::default()));
        let (from, to) = split(ours);
        Self {
            to,
            from: BufReader::new(from),
            serving,
        }
    }

    pub(crate) fn fresh() -> Self {
        Self::new(service(MemoryStore::new()), 1 << 20)
    }

    async fn opened() -> Self {
        let mut peer = Self::fresh();
        peer.line(INITIALIZE).await;
        assert_eq!(peer.answer().await["result"]["serverInfo"]["name"], "meadow");
        peer.line(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
            .await;
        peer
    }

    pub(crate) async fn bytes(&mut self, bytes: &[u8]) {
        self.to.write_all(bytes).await.unwrap();
    }

    pub(crate) async fn line(&mut self, line: &str) {
        self.bytes(format!("{line}\n").as_bytes()).await;
    }

    pub(crate) async fn answer(&mut self) -> Value {
        let mut line = String::new();
        assert!(self.from.read_line(&mut line).await.unwrap() > 0, "an answer");
        serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line}"))
    }

    /// Ends the input; gives what was still answered.
    pub(crate) async fn end(mut self) -> Vec<Value> {
        self.to.shutdown().await.unwrap();
        let mut rest = String::new();
        self.from.read_to_string(&mut rest).await.unwrap();
        self.serving.await.unwrap().unwrap();
        rest.lines().map(|line| crate::testing::read(line).unwrap()).collect()
    }
}

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
const PING: &str = r#"{"jsonrpc":"2.0","id":5,"method":"ping"}"#;

fn call(id: u32, tool: &str, arguments: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}}}}}"#
    )
}

#[tokio::test]
async fn lines_that_are_no_messages_are_answered_and_the_next_is_served() {
    let mut peer = Peer::opened().await;
    for (line, code, id) in [
        (&b"hello"[..], -32700, "null"),
        (b"{\"jsonrpc\":\"2.0\",\"id\":4,", -32700, "null"),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"ping\",\"params\":{\"x\":\"\xff\"}}",
            -32700,
            "null",
        ),
        (b"[]", -32600, "null"),
        (b"{}", -32600, "null"),
        (
            b"{\"jsonrpc\":\"1.0\",\"id\":\"a\",\"method\":\"ping\"}",
            -32600,
            "\"a\"",
        ),
        (b"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", -32600, "null"),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":9007199254740993,\"method\":7}",
            -32600,
            "9007199254740993",
        ),
    ] {
        peer.bytes(&[line, b"\n"].concat()).await;
        peer.line(PING).await;
        let (refusal, pong) = (peer.answer().await, peer.answer().await);
        assert_eq!(refusal["error"]["code"], code, "{refusal}");
        assert_eq!(refusal["id"].to_string(), id, "{refusal}");
        assert_eq!((&pong["id"], pong["result"].is_object()), (&Value::from(5), true));
    }
    // Never answered: blank lines, notifications, answers.
    for line in [
        "",
        "  ",
        "\r",
        r#"{"jsonrpc":"2.0","method":"notifications/foo"}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":5}"#,
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}"#,
    ] {
        peer.line(line).await;
    }
    peer.bytes(format!("{PING}\r\n").as_bytes()).await;
    assert_eq!(peer.answer().await["id"], 5);
    peer.bytes(format!("\u{feff}{PING}\n").as_bytes()).await;
    assert_eq!(peer.answer().await["id"], 5);
    assert!(peer.end().await.is_empty());
}

/// A client that learns first whom it speaks to must not wait for ever.
#[tokio::test]
async fn discover_may_be_the_very_first_line() {
    for (first, part) in [
        (
            format!(r#"{{"jsonrpc":"2.0","id":5,"method":"server/discover","params":{{{META}}}}}"#),
            "result",
        ),
        (
            r#"{"jsonrpc":"2.0","id":5,"method":"server/discover"}"#.to_owned(),
            "error",
        ),
        (
            r#"{"jsonrpc":"2.0","id":5,"method":"server/discover","params":{}}"#.to_owned(),
            "error",
        ),
    ] {
        let mut peer = Peer::fresh();
        peer.line(&first).await;
        let answer = peer.answer().await;
        assert!(answer["id"] == 5 && answer[part].is_object(), "{first}: {answer}");
        match part {
            "result" => assert!(answer["result"]["supportedVersions"].is_array(), "{answer}"),
            _ => assert!(
                answer["error"]["message"]
                    .as_str()
                    .unwrap()
                    .contains("io.modelcontextprotocol/protocolVersion"),
                "{answer}"
            ),
        }
        peer.line(INITIALIZE).await;
        assert_eq!(peer.answer().await["result"]["protocolVersion"], "2025-06-18");
        assert!(peer.end().await.is_empty());
    }
}

#[tokio::test]
async fn either_era_may_speak_first() {
    let discover = format!(r#"{{"jsonrpc":"2.0","id":5,"method":"server/discover","params":{{{META}}}}}"#);
    let list = format!(r#"{{"jsonrpc":"2.0","id":6,"method":"tools/list","params":{{{META}}}}}"#);
    let mut peer = Peer::fresh();
    // What comes before the first request must not end the server.
    peer.line(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
        .await;
    peer.line(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#).await;
    peer.line("junk").await;
    assert_eq!(peer.answer().await["error"]["code"], -32700);
    peer.line(r#"{"jsonrpc":"2.0","id":5,"method":"server/discover"}"#)
        .await;
    assert_eq!(peer.answer().await["error"]["code"], -32602);
    peer.line(&discover).await;
    assert!(peer.answer().await["result"]["supportedVersions"].is_array());
    peer.line(&list).await;
    let listed = peer.answer().await;
    assert_eq!(
        listed["result"]["tools"].as_array().unwrap().len(),
        crate::tools::names().len(),
        "{listed}"
    );
    assert!(peer.end().await.is_empty());
    assert!(Peer::fresh().end().await.is_empty());
}

/// As over HTTP, where there is no handshake.
#[tokio::test]
async fn calls_without_a_handshake_are_served() {
    for first in [
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#.to_owned(),
        call(1, WRITER, r#"{"system_name":"A"}"#),
        call(1, READER, "{}"),
        r#"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#.to_owned(),
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#.to_owned(),
        r#"{"jsonrpc":"2.0","id":1,"method":"logging/setLevel"}"#.to_owned(),
    ] {
        let mut peer = Peer::fresh();
        peer.line(PING).await;
        assert_eq!(peer.answer().await["id"], 5);
        peer.line(&first).await;
        let over_http = Client::new(Era::Handshake).post(first, &[]).await.json();
        assert_eq!(peer.answer().await, over_http);
        peer.line(INITIALIZE).await;
        assert_eq!(peer.answer().await["result"]["protocolVersion"], "2025-06-18");
        peer.line(&call(2, READER, "{}")).await;
        assert!(peer.answer().await["result"].get("_meta").is_none());
        assert!(peer.end().await.is_empty());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn initialize_is_answered_before_what_comes_behind_it() {
    for _ in 0..100 {
        let mut peer = Peer::fresh();
        let list = r#"{"jsonrpc":"2.0","id":6,"method":"tools/list"}"#;
        peer.line(&format!("{INITIALIZE}\n{PING}\n{list}")).await;
        assert_eq!(peer.answer().await["id"], 0);
        assert_eq!(peer.end().await.len(), 2);
    }
}

/// A version without a handshake is not spoken after one.
#[tokio::test]
async fn after_a_handshake_the_version_that_was_answered_is_spoken() {
    let mut peer = Peer::fresh();
    peer.line(&INITIALIZE.replace("2025-06-18", "2026-07-28")).await;
    assert_eq!(peer.answer().await["result"]["protocolVersion"], "2025-11-25");
    peer.line(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#).await;
    let listed = peer.answer().await;
    assert!(
        listed["result"]["tools"].is_array() && listed["result"].get("resultType").is_none(),
        "{listed}"
    );
    peer.line(r#"{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"x://y"}}"#)
        .await;
    assert_eq!(peer.answer().await["error"]["code"], -32002);
}

#[tokio::test]
async fn calls_and_refused_lines_are_logged() {
    let log = Log::kept();
    let mut peer = Peer::opened().await;
    peer.line(&call(1, WRITER, r#"{"system_name":"Secret"}"#)).await;
    peer.answer().await;
    peer.line(r#"{"jsonrpc":"2.0","id":"a","method":"resources/read","params":{"uri":"model://secret"}}"#)
        .await;
    peer.answer().await;
    peer.line("Secret").await;
    peer.answer().await;
    assert_eq!(
        log.of_ours(),
        [
            format!("INFO id=1 message=mcp.call method=tools/call outcome=stored what={WRITER}"),
            "INFO id=a message=mcp.call method=resources/read outcome=ok what=model".to_owned(),
            "INFO code=-32700 message=mcp.refused".to_owned(),
        ]
    );
}

#[tokio::test]
async fn documents_arrive_byte_for_byte_in_pieces_of_any_size() {
    let document = r#"{ "system_name":"水", "n":1.10, "x":123456789012345678901234567890 }"#;
    let mut peer = Peer::opened().await;
    for byte in format!("{}\n", call(1, WRITER, document)).into_bytes() {
        peer.bytes(&[byte]).await;
        tokio::task::yield_now().await;
    }
    assert_eq!(peer.answer().await["result"]["structuredContent"]["model"], "水");
    peer.line(&call(2, WRITER, &serde_json::to_string(document).unwrap()))
        .await;
    assert_eq!(
        peer.answer().await["result"]["structuredContent"]["status"],
        "unchanged"
    );
    peer.line(&call(3, READER, "{}")).await;
    let read = peer.answer().await;
    assert!(
        read["result"]["content"][0]["text"]
            .as_str()
            .unwrap()
            .contains(document)
    );
    // The last line needs no end.
    peer.bytes(call(4, WRITER, "{}").as_bytes()).await;
    let last = peer.end().await;
    assert_eq!((last.len(), &last[0]["id"]), (1, &Value::from(4)));
}

#[tokio::test]
async fn a_line_that_is_too_long_is_refused_and_passed_over() {
    let mut peer = Peer::opened().await;
    let part = vec![b'x'; 1 << 20];
    for _ in 0..20 {
        peer.bytes(&part).await;
    }
    peer.line("").await;
    let refusal = peer.answer().await;
    assert_eq!(
        (&refusal["error"]["code"], &refusal["id"]),
        (&(-32600).into(), &Value::Null)
    );
    let text = format!("the message has {} bytes; at most {MAX_MESSAGE} are allowed", 20 << 20);
    assert!(
        refusal["error"]["message"].as_str().unwrap().contains(&text),
        "{refusal}"
    );
    // Whoever waits for an answer gets it.
    let large = "x".repeat(MAX_MESSAGE);
    for (line, id) in [
        (call(31, WRITER, &format!(r#"{{"id":1,"note":"{large}"}}"#)), "31"),
        (
            format!(r#"{{"id":"ü","params":{{"x":"{large}"}},"method":"tools/list","jsonrpc":"2.0"}}"#),
            "\"ü\"",
        ),
        (
            format!(r#"{{"jsonrpc":"2.0","params":{{"id":1,"x":"{large}"}},"id":3}}"#),
            "null",
        ),
    ] {
        peer.line(&line).await;
        let refusal = peer.answer().await;
        assert_eq!(
            (&refusal["error"]["code"], refusal["id"].to_string().as_str()),
            (&(-32600).into(), id)
        );
        let text = format!("the message has {} bytes", line.len());
        assert!(
            refusal["error"]["message"].as_str().unwrap().contains(&text),
            "{refusal}"
        );
    }
    // As over HTTP, what counts is the document.
    let large = format!(r#"{{"note":"{}"}}"#, "x".repeat(MAX_TEXT));
    peer.line(&call(32, WRITER, &large)).await;
    let refusal = peer.answer().await;
    assert_eq!(
        (&refusal["error"]["code"], &refusal["id"]),
        (&(-32600).into(), &32.into())
    );
    let told = refusal["error"]["message"].as_str().unwrap();
    assert!(told.contains("at most 4194304 are allowed"), "{refusal}");
    let large = format!(r#"{{"system_name":"Large","note":"{}"}}"#, "x".repeat(3 << 20));
    peer.line(&call(1, WRITER, &large)).await;
    assert_eq!(peer.answer().await["result"]["structuredContent"]["model"], "large");
    assert!(peer.end().await.is_empty());
}

#[tokio::test]
async fn all_of_many_calls_at_once_are_answered_once() {
    let mut peer = Peer::opened().await;
    for id in 1..=200 {
        peer.line(&call(id, WRITER, &format!(r#"{{"system_name":"M{id}"}}"#)))
            .await;
    }
    let mut ids: Vec<_> = peer
        .end()
        .await
        .iter()
        .map(|answer| answer["id"].as_u64().unwrap())
        .collect();
    ids.sort_unstable();
    assert_eq!(ids, (1..=200).collect::<Vec<_>>());
}

#[tokio::test]
async fn requests_that_share_an_id_are_all_answered() {
    let mut peer = Peer::opened().await;
    for name in ["A", "B", "C"] {
        peer.line(&call(7, WRITER, &format!(r#"{{"system_name":"{name}"}}"#)))
            .await;
    }
    let mut models = Vec::new();
    for _ in 0..3 {
        let answer = peer.answer().await;
        assert_eq!(answer["id"], 7, "{answer}");
        models.push(
            answer["result"]["structuredContent"]["model"]
                .as_str()
                .unwrap()
                .to_owned(),
        );
    }
    models.sort_unstable();
    assert_eq!(models, ["a", "b", "c"]);
    // Their id is free again.
    peer.line(&call(7, READER, r#"{"model":"a"}"#)).await;
    assert_eq!(peer.answer().await["id"], 7);
    assert!(peer.end().await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn calls_that_run_are_answered_after_the_end_of_the_input() {
    let mut peer = Peer::new(service(Faulty::Stuck), 1 << 20);
    // The first is named as the second of two would be.
    let named = call(7, READER, "{}").replacen("\"id\":7", "\"id\":\"7, again (1)\"", 1);
    for line in [named, call(7, READER, "{}"), call(7, READER, "{}")] {
        peer.line(&line).await;
    }
    let mut answers = peer.end().await;
    answers.sort_by_key(|answer| answer["id"].to_string());
    let ids: Vec<_> = answers.iter().map(|answer| answer["id"].clone()).collect();
    assert_eq!(ids, ["7, again (1)".into(), Value::from(7), 7.into()]);
    for answer in answers {
        assert!(answer.to_string().contains("no answer within 20 s"), "{answer}");
    }
}

/// What a client may write that does not read is bounded; once it reads it is served as any other.
#[tokio::test]
async fn a_client_that_does_not_read_is_not_read_from() {
    let Peer { mut to, mut from, .. } = Peer::new(service(MemoryStore::new()), 4096);
    let sent = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&sent);
    let writing = tokio::spawn(async move {
        for id in 1..=5_000 {
            let line = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"ping\"}}\n");
            to.write_all(line.as_bytes()).await.unwrap();
            counted.store(id, Ordering::SeqCst);
        }
        to
    });
    // Nothing is left to do but to wait for the client.
    let mut before = usize::MAX;
    while before != sent.load(Ordering::SeqCst) {
        before = sent.load(Ordering::SeqCst);
        for _ in 0..1_000 {
            tokio::task::yield_now().await;
        }
    }
    // The buffers on both sides hold some lines more than are worked on.
    assert!((UNANSWERED..5 * UNANSWERED).contains(&before), "{before}");
    let mut seen = std::collections::BTreeSet::new();
    while seen.len() < 5_000 {
        let mut line = String::new();
        assert!(from.read_line(&mut line).await.unwrap() > 0);
        let answer: Value = serde_json::from_str(&line).unwrap();
        assert!(
            answer["result"].is_object() && seen.insert(answer["id"].as_u64()),
            "{line}"
        );
    }
    drop(writing.await.unwrap());
}

#[tokio::test]
async fn a_cancelled_call_gives_its_place_back() {
    let Peer { mut to, mut from, .. } = Peer::new(service(Faulty::Stuck), 1 << 20);
    for id in 1..=2 * UNANSWERED {
        let call = call(id as u32, READER, "{}");
        let cancel = format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#);
        to.write_all(format!("{call}\n{cancel}\n").as_bytes()).await.unwrap();
    }
    to.write_all(format!("{PING}\n").as_bytes()).await.unwrap();
    let mut line = String::new();
    from.read_line(&mut line).await.unwrap();
    assert!(line.contains("\"result\""), "{line}");
}

/// A client that writes junk and never reads fills every buffer; the server must still see it leave.
#[tokio::test(start_paused = true)]
async fn a_client_that_never_reads_is_seen_to_leave() {
    let mut peer = Peer::new(service(MemoryStore::new()), 4096);
    for _ in 0..20_000 {
        peer.line("junk").await;
    }
    peer.to.shutdown().await.unwrap();
    peer.serving.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_client_that_closed_its_end_is_left() {
    let Peer { mut to, from, serving } = Peer::opened().await;
    drop(from);
    // Both halves of the stream are one: nobody reads any more once the other is gone too.
    to.write_all(format!("{PING}\n").as_bytes()).await.unwrap();
    drop(to);
    serving.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_panic_is_answered_and_the_next_line_is_served() {
    let mut peer = Peer::new(service(Faulty::Broken), 1 << 20);
    peer.line(INITIALIZE).await;
    peer.answer().await;
    for id in 1..4 {
        peer.line(&call(id, WRITER, "{}")).await;
        assert_eq!(peer.answer().await["result"]["isError"], true);
    }
    peer.line(PING).await;
    assert_eq!(peer.answer().await["id"], 5);
}

/// The same message gives the same answer over both transports.
#[tokio::test]
async fn stdio_and_http_answer_alike() {
    let client = Client::new(Era::Handshake);
    let mut peer = Peer::opened().await;
    for message in [
        call(1, WRITER, r#"{"system_name":"A","version":1}"#),
        call(2, WRITER, r#"{"system_name":"A"}"#),
        call(3, READER, r#"{"odd":1}"#),
        call(4, "nope", "{}"),
        r#"{"jsonrpc":"2.0","id":5,"method":"tools/list"}"#.to_owned(),
        r#"{"jsonrpc":"2.0","id":6,"method":"resources/read","params":{"uri":"x://y"}}"#.to_owned(),
        r#"{"jsonrpc":"2.0","id":7,"method":"foo/bar"}"#.to_owned(),
        r#"{"jsonrpc":"2.0","id":8,"method":5}"#.to_owned(),
        r#"{"jsonrpc":"2.0","id":9,"method":"logging/setLevel"}"#.to_owned(),
        r#"{"jsonrpc":"2.0","id":10,"method":"initialize","params":{}}"#.to_owned(),
        r#"{"jsonrpc":"2.0","id":11,"method":"tools/call","params":{"name":"x","arguments":{},"arguments":1}}"#
            .to_owned(),
    ] {
        let over_http = client
            .post(message.clone(), &[("mcp-protocol-version", "2025-06-18")])
            .await
            .json();
        peer.line(&message).await;
        assert_eq!(peer.answer().await, over_http, "{message}");
    }
}
