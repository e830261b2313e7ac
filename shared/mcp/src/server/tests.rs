//! What is logged, and what methods answer to wrong params.

use crate::Config;
use crate::testing::{
    ANALYZE, Client, ERAS, Era, Faulty, Log, META, PATCH, READER, SIMULATE, WRITER, service, with_everything,
};
use meadow_service::{MemoryStore, Trace};
use serde_json::Value;
use std::sync::Arc;

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
async fn there_are_no_prompts() {
    for era in crate::testing::ERAS {
        let client = Client::new(era);
        let listed = client.ask("prompts/list", None, "").await;
        assert_eq!(listed["result"]["prompts"], serde_json::json!([]), "{listed}");
        if era == Era::Stateless {
            assert_eq!(listed["result"]["cacheScope"], "public", "{listed}");
        }
        for cursor in ["7", "[]", "\"x\""] {
            let refused = client.ask("prompts/list", None, &format!("\"cursor\":{cursor}")).await;
            assert_eq!(refused["error"]["code"], -32602, "{refused}");
        }
        let unnamed = client.ask("prompts/get", None, "").await;
        assert_eq!(unnamed["error"]["code"], -32602, "{unnamed}");
        let got = client.ask("prompts/get", Some("x"), r#""name":"x""#).await;
        assert_eq!(got["error"]["code"], -32602, "{got}");
        assert!(
            got["error"]["message"].as_str().unwrap().contains("no prompts here"),
            "{got}"
        );
    }
}

#[tokio::test]
async fn a_method_that_is_not_there_is_told_in_a_sentence() {
    let old = Client::new(Era::Handshake);
    for method in [
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

/// In 2026-07-28 who answers stands in every result, refusals of tools among them; of lists and texts stands there how
/// long they may be kept, and by whom, in every era.
#[tokio::test]
async fn every_result_says_who_answers_and_every_list_and_text_how_long_it_holds() {
    let calls = [
        ("fetch_framework_template", r#"{"framework_name":"SWOT"}"#),
        ("generate_5_whys", r#"{"query":"x"}"#),
        ("get_paper", r#"{"ids":["2301.00010"]}"#),
        ("list_local_notes", "{}"),
        ("read_local_note", r#"{"paths":["a"]}"#),
        ("save_literature", r#"{"ids":["2301.00010"]}"#),
        ("save_note", r#"{"filename":"a","content":"x"}"#),
        ("search_arxiv", r#"{"query":"graph"}"#),
        (ANALYZE, "{}"),
        (PATCH, r#"{"operations":[{"op":"add","path":"/version","value":"2"}]}"#),
        (READER, "{}"),
        (SIMULATE, "{}"),
        (WRITER, r#"{"version":"1"}"#),
    ];
    assert_eq!(calls.map(|(tool, _)| tool), *crate::tools::names());
    for era in ERAS {
        let client = Client::of(with_everything(Arc::default()), Config::default(), era);
        let check = |what: &str, result: &Value, scope: Option<&str>| {
            assert!(result.is_object(), "{what}");
            let server = &result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"];
            match era {
                Era::Stateless => assert_eq!(
                    (server, &result["resultType"]),
                    (&"meadow".into(), &"complete".into()),
                    "{what}"
                ),
                Era::Handshake => assert!(server.is_null(), "{what}"),
            }
            assert_eq!(result["cacheScope"].as_str(), scope, "{what}");
            assert_eq!(result["ttlMs"].as_u64().is_some(), scope.is_some(), "{what}");
            if scope == Some("private") {
                assert_eq!(result["ttlMs"], 0, "{what}");
            }
        };
        for n in 0..60 {
            client
                .call(WRITER, &format!(r#"{{"model":"m{n:02}","version":"1"}}"#))
                .await;
        }
        for (tool, arguments) in calls {
            let result = client.call(tool, arguments).await;
            assert_eq!(result["isError"], false, "{tool}: {result}");
            check(tool, &result, None);
            let refused = client.call(tool, "5").await;
            assert_eq!(refused["isError"], true, "{tool}: {refused}");
            check(tool, &refused, None);
        }
        if era == Era::Stateless {
            let discovered = client.ask("server/discover", None, "").await;
            check("server/discover", &discovered["result"], Some("public"));
        }
        for (list, scope) in [
            ("tools/list", "public"),
            ("resources/list", "private"),
            ("resources/templates/list", "public"),
        ] {
            let mut params = String::new();
            let mut pages = 0;
            loop {
                let page = client.ask(list, None, &params).await["result"].clone();
                check(list, &page, Some(scope));
                pages += 1;
                let Some(next) = page["nextCursor"].as_str() else {
                    break;
                };
                params = format!(r#""cursor":"{next}""#);
            }
            assert_eq!(pages, if list == "resources/list" { 2 } else { 1 }, "{list}");
        }
        for (uri, scope) in [
            ("guide://systems-thinking", "public"),
            ("guide://systems-thinking/zh", "public"),
            ("example://bathtub", "public"),
            ("model://latest", "private"),
            ("model://m07", "private"),
            ("literature://arxiv/2301.00010", "private"),
            ("note:///a.md", "private"),
        ] {
            check(uri, &client.read(uri).await["result"], Some(scope));
        }
        let completed = r#""ref":{"type":"ref/resource","uri":"model://{id}"},"argument":{"name":"id","value":"m"}"#;
        let completed = client.ask("completion/complete", None, completed).await;
        check("completion/complete", &completed["result"], None);
    }
}

#[tokio::test]
async fn wrong_params_are_named() {
    const DISCOVER: &[&str] = &[
        "_meta",
        "io.modelcontextprotocol/protocolVersion",
        "io.modelcontextprotocol/clientCapabilities",
    ];
    let client = Client::new(Era::Handshake);
    for message in [
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{}}"#,
    ] {
        let headers = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/list")];
        let error = client.post(message, &headers).await.json();
        for part in DISCOVER {
            assert!(
                error["error"]["message"].as_str().unwrap().contains(part),
                "{part}: {error}"
            );
        }
    }
    for (message, parts) in [
        (r#"{"jsonrpc":"2.0","id":7,"method":"server/discover"}"#, DISCOVER),
        (
            r#"{"jsonrpc":"2.0","id":7,"method":"server/discover","params":null}"#,
            DISCOVER,
        ),
        (
            r#"{"jsonrpc":"2.0","id":7,"method":"server/discover","params":{}}"#,
            DISCOVER,
        ),
        (
            r#"{"jsonrpc":"2.0","id":7,"method":"server/discover","params":{"_meta":{}}}"#,
            DISCOVER,
        ),
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
