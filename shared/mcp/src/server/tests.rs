//! What is logged, and what methods answer to wrong params.

use crate::Config;
use crate::testing::{Client, Era, Faulty, Log, META, READER, WRITER, service};
use meadow_service::{MemoryStore, Trace};

#[tokio::test]
async fn each_call_is_one_line_without_what_was_sent() {
    let log = Log::kept();
    let client = Client::of(service(MemoryStore::new()), Config::default(), Era::Handshake);
    client
        .call(WRITER, r#"{"system_name":"Secret","expected_revision":0}"#)
        .await;
    client.call(WRITER, r#"{"system_name":"Secret"}"#).await;
    client
        .call(WRITER, r#"{"system_name":"Secret","expected_revision":7}"#)
        .await;
    client.call(WRITER, r#"{"system_name":["Secret"]}"#).await;
    client.call(READER, "{}").await;
    client.read("model://secret").await;
    client.read("guide://systems-thinking").await;
    client.read("Secret://secret").await;
    client
        .ask("tools/call", None, r#""name":"Secret","arguments":{"a":"Secret"}"#)
        .await;
    client.ask("tools/list", None, "").await;
    let call =
        |method, what, outcome| format!("INFO id=7 message=mcp.call method={method} outcome={outcome} what={what}");
    let failed = |method, what, code| {
        format!("INFO code={code} id=7 message=mcp.call method={method} outcome=error what={what}")
    };
    assert_eq!(
        log.of_ours(),
        [
            call("tools/call", WRITER, "stored"),
            call("tools/call", WRITER, "unchanged"),
            call("tools/call", WRITER, "conflict"),
            call("tools/call", WRITER, "refused"),
            call("tools/call", READER, "ok"),
            call("resources/read", "model", "ok"),
            call("resources/read", "guide", "ok"),
            failed("resources/read", "unknown", -32002),
            failed("tools/call", "unknown", -32602),
        ]
    );
}

#[tokio::test]
async fn a_failure_is_logged_once_beside_its_call() {
    let log = Log::kept();
    let client = Client::of(service(Faulty::Full), Config::default(), Era::Stateless);
    client.call(WRITER, "{}").await;
    client.read("model://latest").await;
    let lines = log.of_ours();
    let errors: Vec<_> = lines.iter().filter(|line| line.starts_with("ERROR")).collect();
    assert_eq!((lines.len(), errors.len()), (4, 2), "{lines:?}");
    assert!(
        errors[0].contains("mcp.store_failed") && errors[1].contains("mcp.resource_failed"),
        "{lines:?}"
    );
    assert!(
        lines[1].contains("outcome=refused") && lines[3].contains("code=-32603"),
        "{lines:?}"
    );
}

#[tokio::test]
async fn a_method_that_is_not_there_is_told_in_a_sentence() {
    let old = Client::new(Era::Handshake);
    for method in [
        "prompts/list",
        "prompts/get",
        "logging/setLevel",
        "resources/subscribe",
        "resources/unsubscribe",
        "subscriptions/listen",
        "tasks/get",
        "tasks/list",
        "sampling/createMessage",
        "foo/bar",
    ] {
        let params = r#""name":"x","level":"info","uri":"x://y","taskId":"x","notifications":{}"#;
        let sentence = format!("this server has no method {method:?}; it has tools");
        for (params, headers) in [
            (params.to_owned(), vec![]),
            (
                format!("{params},{META}"),
                vec![
                    ("mcp-protocol-version", "2026-07-28"),
                    ("mcp-method", method),
                    ("mcp-name", "x"),
                ],
            ),
        ] {
            // Of a resource the name is its URI.
            let headers: Vec<_> = headers
                .into_iter()
                .map(|(name, value)| match (name, method.starts_with("resources/")) {
                    ("mcp-name", true) => (name, "x://y"),
                    _ => (name, value),
                })
                .collect();
            let body = format!(r#"{{"jsonrpc":"2.0","id":7,"method":"{method}","params":{{{params}}}}}"#);
            let error = old.post(body, &headers).await.json();
            assert_eq!(
                (&error["error"]["code"], &error["id"]),
                (&(-32601).into(), &7.into()),
                "{method}: {error}"
            );
            let message = error["error"]["message"].as_str().unwrap();
            assert!(message.starts_with(&sentence), "{message}");
        }
    }
}

#[tokio::test]
async fn wrong_params_are_named() {
    let client = Client::new(Era::Handshake);
    for (message, parts) in [
        (
            r#"{"jsonrpc":"2.0","id":7,"method":"initialize"}"#,
            &[
                "`protocolVersion` is missing",
                "`capabilities` is missing",
                "`clientInfo.name` is missing",
            ][..],
        ),
        (
            r#"{"jsonrpc":"2.0","id":7,"method":"initialize","params":{}}"#,
            &["`protocolVersion` is missing", "`clientInfo.version` is missing"],
        ),
        (
            r#"{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"2025-06-18","clientInfo":{"name":"a","version":"1"}}}"#,
            &["read: `capabilities` is missing, an object"],
        ),
        (
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/call"}"#,
            &["`name` is missing"],
        ),
        (
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":5,"arguments":{}}}"#,
            &["`name`: found the number 5"],
        ),
        (
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x","arguments":{},"arguments":{"a":1}}}"#,
            &["duplicate field `arguments`"],
        ),
    ] {
        let error = client.post(message, &[]).await.json();
        assert_eq!(
            (&error["error"]["code"], &error["id"]),
            (&(-32602).into(), &7.into()),
            "{error}"
        );
        for part in parts {
            assert!(
                error["error"]["message"].as_str().unwrap().contains(part),
                "{part}: {error}"
            );
        }
    }
}

#[tokio::test]
async fn a_call_is_logged_under_its_trace() {
    const ID: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
    let log = Log::kept();
    let parent = |span: u8| format!("00-{ID}-00000000000000{span:02x}-01");
    let client = Client::of(service(MemoryStore::new()), Config::default(), Era::Handshake);
    let traced = |meta: &str| {
        client.message(
            "tools/call",
            &format!(r#""name":"{READER}","arguments":{{}},"_meta":{meta}"#),
        )
    };
    let of_message = format!(r#"{{"traceparent":"{}","tracestate":"a=1"}}"#, parent(1));
    client.post(traced(&of_message), &[]).await;
    // What is no trace counts as none, and hinders nothing.
    for odd in [
        r#"{"traceparent":"nonsense"}"#,
        r#"{"traceparent":7,"tracestate":[]}"#,
        r#"{"tracestate":"a=1"}"#,
    ] {
        let answer = client.post(traced(odd), &[]).await;
        assert_eq!(answer.status, 200, "{odd}");
    }
    // The HTTP layer has read the headers.
    let mut layered = client.clone();
    layered.router = layered
        .router
        .layer(axum::Extension(Trace::read(&parent(2), None).unwrap()));
    layered.post(traced("{}"), &[]).await;
    layered.post(traced(&of_message), &[]).await;
    let told: Vec<_> = log.of_ours();
    let spans: Vec<_> = told
        .iter()
        .map(|line| {
            let field = |name: &str| {
                line.split(' ')
                    .find_map(|part| part.strip_prefix(name))
                    .unwrap_or("-")
                    .to_owned()
            };
            (field("trace_id="), field("parent_id="), field("trace_state="))
        })
        .collect();
    let is = |id: &str, parent: &str, state: &str| (id.to_owned(), parent.to_owned(), state.to_owned());
    let none = is("-", "-", "-");
    assert_eq!(
        spans,
        [
            is(ID, "0000000000000001", "a=1"),
            none.clone(),
            none.clone(),
            none,
            is(ID, "0000000000000002", "-"),
            is(ID, "0000000000000001", "a=1"),
        ],
        "{told:?}"
    );
}
