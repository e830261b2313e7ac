//! Clients that cancel what they asked for, or go away: what only reads ends, what writes does not.

use crate::stdio::tests::Peer;
use crate::testing::{Client, ERAS, Era, Faulty, META, READER, SIMULATE, Silent, WRITER, service, with_source};
use crate::{Config, tools};
use axum::body::Body;
use http::Request;
use meadow_service::{NoteStore, Workspace};
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use tower::ServiceExt;

/// How many ask a source at a time.
const AT_ONCE: usize = 4;

const SEARCH: &str = "search_arxiv";

fn request(era: Era, id: usize, method: &str, params: &str) -> String {
    let meta = match era {
        Era::Handshake => String::new(),
        Era::Stateless => format!(",{META}"),
    };
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{params}{meta}}}}}"#)
}

fn call(era: Era, id: usize, tool: &str, arguments: &str) -> String {
    request(
        era,
        id,
        "tools/call",
        &format!(r#""name":"{tool}","arguments":{arguments}"#),
    )
}

fn cancel(id: usize) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#)
}

#[tokio::test]
async fn searches_that_are_cancelled_over_stdio_end() {
    for era in ERAS {
        let source = Silent::new();
        let mut peer = Peer::new(with_source(source.clone()), 1 << 20);
        for id in 0..50 {
            peer.line(&call(era, id, SEARCH, &format!(r#"{{"query":"query{id}"}}"#)))
                .await;
        }
        source.kept_waiting(AT_ONCE).await;
        // Those that wait for their place first: the others would leave it to them.
        for id in (0..50).rev() {
            peer.line(&cancel(id)).await;
        }
        source.kept_waiting(0).await;
        // They never ask: the next to do is the next that comes.
        peer.line(&call(era, 50, SEARCH, r#"{"query":"last"}"#)).await;
        source.kept_waiting(1).await;
        let asked = source.asked.lock().expect("a lock").clone();
        assert_eq!((asked.len(), asked[AT_ONCE].as_str()), (AT_ONCE + 1, "last"));
        // One that was cancelled is not answered.
        peer.line(&cancel(50)).await;
        source.kept_waiting(0).await;
        assert_eq!(peer.end().await, Vec::<Value>::new());
    }
}

/// A client that sends this over HTTP, and is gone when it is dropped.
fn waiting(client: &Client, accept: &str, tool: &str, arguments: &str) -> tokio::task::JoinHandle<()> {
    let mut request = Request::post("/mcp")
        .header("host", "localhost")
        .header("content-type", "application/json")
        .header("accept", accept);
    if client.era == Era::Stateless {
        request = request
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", "tools/call")
            .header("mcp-name", tool);
    }
    let message = call(client.era, 1, tool, arguments);
    let answer = client
        .router
        .clone()
        .oneshot(request.body(Body::from(message)).expect("a request"));
    tokio::spawn(async move {
        // The head of an event comes at once, so that it is the body that is waited for.
        let answer = answer.await.expect("an answer");
        let _ = axum::body::to_bytes(answer.into_body(), usize::MAX).await;
    })
}

#[tokio::test(start_paused = true)]
async fn searches_whose_clients_leave_over_http_end() {
    for era in ERAS {
        for accept in ["application/json", "text/event-stream"] {
            let source = Silent::new();
            let client = Client::of(with_source(source.clone()), Config::default(), era);
            let searches: Vec<_> = (0..50)
                .map(|n| waiting(&client, accept, SEARCH, &format!(r#"{{"query":"query{n}"}}"#)))
                .collect();
            source.kept_waiting(AT_ONCE).await;
            // Longer than a head is waited for.
            tokio::time::sleep(Duration::from_secs(1)).await;
            for search in searches.iter().rev() {
                search.abort();
            }
            source.kept_waiting(0).await;
            let last = waiting(&client, accept, SEARCH, r#"{"query":"last"}"#);
            source.kept_waiting(1).await;
            let asked = source.asked.lock().expect("a lock").clone();
            assert_eq!(
                (asked.len(), asked[AT_ONCE].as_str()),
                (AT_ONCE + 1, "last"),
                "{era:?} {accept}"
            );
            last.abort();
            source.kept_waiting(0).await;
        }
    }
}

#[tokio::test]
async fn look_ups_that_are_cancelled_end_and_nothing_is_saved() {
    for tool in ["get_paper", "save_literature"] {
        let source = Silent::new();
        let notes = Arc::new(meadow_service::notes::MemoryNotes::new());
        let service = with_source(source.clone()).with_notes(notes.clone());
        let mut peer = Peer::new(service.clone(), 1 << 20);
        let client = Client::of(service, Config::default(), Era::Handshake);
        let ids = r#"{"ids":["2301.00010"]}"#;
        peer.line(&call(Era::Handshake, 1, tool, ids)).await;
        source.kept_waiting(1).await;
        peer.line(&cancel(1)).await;
        source.kept_waiting(0).await;
        let gone = waiting(&client, "application/json", tool, ids);
        source.kept_waiting(1).await;
        gone.abort();
        source.kept_waiting(0).await;
        assert_eq!(peer.end().await, Vec::<Value>::new());
        assert!(
            notes.list(&Workspace::default()).await.expect("a list").is_empty(),
            "{tool}"
        );
    }
}

/// Time is paused: it goes on only when nothing else can.
#[tokio::test(start_paused = true)]
async fn what_only_reads_ends_and_a_write_goes_on() {
    let store = Silent::new();
    let mut peer = Peer::new(service(Faulty::Silent(store.clone())), 1 << 20);
    let model = r#"{"system_name":"A"}"#;
    let lines = [
        call(Era::Handshake, 0, READER, "{}"),
        call(Era::Handshake, 1, SIMULATE, "{}"),
        call(Era::Handshake, 2, WRITER, model),
        request(Era::Handshake, 3, "resources/read", r#""uri":"model://a""#),
        request(Era::Handshake, 4, "resources/list", ""),
    ];
    for line in &lines {
        peer.line(line).await;
    }
    store.kept_waiting(lines.len()).await;
    for id in 0..lines.len() {
        peer.line(&cancel(id)).await;
    }
    store.kept_waiting(1).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    store.kept_waiting(1).await;

    let client = Client::of(
        service(Faulty::Silent(store.clone())),
        Config::default(),
        Era::Handshake,
    );
    let calls = [
        waiting(&client, "application/json", READER, "{}"),
        waiting(&client, "application/json", WRITER, model),
    ];
    store.kept_waiting(3).await;
    for call in &calls {
        call.abort();
    }
    store.kept_waiting(2).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    store.kept_waiting(2).await;
    // Both writes are at work until their own time is up.
    store.kept_waiting(0).await;
    assert_eq!(peer.end().await, Vec::<Value>::new());
}

#[test]
fn what_writes_is_known() {
    let writes = tools::names()
        .into_iter()
        .filter(|name| !tools::find(name).expect("a tool").only_reads());
    let writes: Vec<_> = writes.collect();
    assert_eq!(
        writes,
        ["save_literature", "save_note", "systems_thinking_patch", WRITER]
    );
}
