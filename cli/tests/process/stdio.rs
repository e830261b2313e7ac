//! `meadow stdio`.

use crate::client::{Http, Lines, Served, model, written};
use serde_json::{Value, json};
use std::net::TcpListener;
use std::process::{Command, Stdio};

const MEMORY: [&str; 2] = ["--store", "memory:"];

#[test]
fn what_is_written_over_stdio_is_read_over_http() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = ["--data", folder.path().to_str().expect("a path")];
    let bathtub = model("01-bathtub.json");
    let mut lines = Lines::start(&data);
    assert_eq!(lines.initialize()["serverInfo"]["name"], "meadow");
    let result = lines.rpc("tools/call", &written(&bathtub));
    assert_eq!(result["structuredContent"]["complete"], true, "{result}");

    let served = Served::start(&data);
    let stored = served.http.get("/model").json();
    assert_eq!(stored, serde_json::from_str::<Value>(&bathtub).expect("JSON"));

    let (status, rest, _) = lines.end().ended();
    assert!(status.success());
    assert!(rest.is_empty(), "{rest:?}");
}

#[test]
fn files_of_the_vault_are_completed_and_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let vault = folder.path().canonicalize().expect("a path").join("My Vault");
    let path = format!("{}/papers/量子.md", vault.to_str().expect("UTF-8"));
    let mut lines = Lines::start(&["--store", "memory:", "--vault", vault.to_str().expect("UTF-8")]);
    lines.initialize();
    let save =
        json!({"name": "save_note", "arguments": {"filename": "papers/量子.md", "content": "x", "mode": "create"}});
    lines.rpc("tools/call", &save);
    let templates = lines.rpc("resources/templates/list", &json!({}))["resourceTemplates"].take();
    let uris: Vec<_> = templates
        .as_array()
        .expect("a list")
        .iter()
        .map(|t| t["uriTemplate"].clone())
        .collect();
    assert!(uris.contains(&json!("file:///{+path}")), "{uris:?}");
    let mut completed = |typed: &str| {
        let params = json!({
            "ref": {"type": "ref/resource", "uri": "file:///{+path}"},
            "argument": {"name": "path", "value": typed},
        });
        lines.rpc("completion/complete", &params)["completion"]["values"].take()
    };
    let bare = path.trim_start_matches('/');
    assert_eq!(completed(""), json!([bare]));
    assert_eq!(completed(path.trim_end_matches("子.md")), json!([bare]));
    assert_eq!(completed("etc/"), json!([]));
    let read = lines.rpc(
        "resources/read",
        &json!({"uri": format!("file:///{}", bare.replace(' ', "%20"))}),
    );
    assert_eq!(read["contents"][0]["text"], "x", "{read}");
}

#[test]
fn a_call_right_before_the_end_is_answered() {
    let mut lines = Lines::start(&MEMORY);
    lines.initialize();
    let call =
        json!({"jsonrpc": "2.0", "id": "last", "method": "tools/call", "params": written(&model("01-bathtub.json"))});
    lines.send(&call.to_string());
    let (status, rest, _) = lines.end().ended();
    assert!(status.success());
    assert_eq!(rest.len(), 1, "{rest:?}");
    let answer: Value = serde_json::from_str(&rest[0]).expect("JSON");
    assert_eq!(
        (&answer["id"], &answer["result"]["structuredContent"]["complete"]),
        (&json!("last"), &json!(true))
    );
}

#[test]
fn input_that_ends_at_once_is_no_failure() {
    let (status, rest, said) = Lines::start(&MEMORY).end().ended();
    assert!(status.success(), "{said:?}");
    assert!(rest.is_empty() && said.is_empty(), "{rest:?} {said:?}");
}

#[test]
fn a_signal_ends_it_though_the_input_stays_open() {
    let mut lines = Lines::start(&MEMORY);
    lines.initialize();
    lines.process.terminate();
    // The client's end of standard input is still open here.
    lines.process.closes();
    let (status, _, said) = lines.end().ended();
    assert!(status.success(), "{said:?}");
}

#[test]
fn stdout_carries_json_rpc_only() {
    let mut lines = Lines::start(&["--store", "memory:", "--log", "trace"]);
    lines.initialize();
    for line in [
        "no JSON at all",
        "",
        "[]",
        "{}",
        r#"{"jsonrpc":"2.0","id":"a","method":"no/such/method"}"#,
        r#"{"jsonrpc":"2.0","id":"b","method":"tools/call","params":{"name":"no_such_tool","arguments":{}}}"#,
        r#"{"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"systems_thinking_writer","arguments":[1]}}"#,
        r#"{"jsonrpc":"2.0","id":"d","method":"resources/read","params":{"uri":"model://none"}}"#,
        r#"{"jsonrpc":"2.0","id":"e","method":"tools/call","params":{"name":"systems_thinking_writer","arguments":{"version":1,"stocks":7}}}"#,
        r#"{"jsonrpc":"2.0","id":"z","method":"ping"}"#,
    ] {
        lines.send(line);
    }
    let (status, rest, said) = lines.end().ended();
    assert!(status.success(), "{said:?}");
    assert!(!said.is_empty(), "trace says nothing");
    for line in &rest {
        let message: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line:?}"));
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
    }
    for id in ["a", "b", "c", "d", "e", "z"] {
        let answers = rest.iter().filter(|line| line.contains(&format!(r#""id":"{id}""#)));
        assert_eq!(answers.count(), 1, "{id}: {rest:#?}");
    }
}

#[test]
fn http_is_served_beside_it() {
    let mut lines = Lines::start(&["--store", "memory:", "--log", "info", "--listen", "127.0.0.1:0"]);
    let said: Value = serde_json::from_str(&lines.process.says("listening")).expect("JSON");
    let http = Http::at(said["url"].as_str().expect("a URL"));
    assert_eq!(http.get("/model").status, 404);
    lines.initialize();
    lines.rpc("tools/call", &written(&model("02-thermostat.json")));
    assert_eq!(http.get("/model").json()["system_name"], "Thermostat");
    let (status, _, said) = lines.end().ended();
    assert!(status.success(), "{said:?}");
}

#[test]
fn a_taken_port_is_only_a_warning() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("its address").to_string();
    let mut lines = Lines::start(&["--store", "memory:", "--listen", &address]);
    let said: Value = serde_json::from_str(&lines.process.says("is taken")).expect("JSON");
    assert_eq!(said["level"], "WARN", "{said}");
    lines.initialize();
    let result = lines.rpc("tools/call", &written(&model("01-bathtub.json")));
    assert_eq!(result["structuredContent"]["complete"], true, "{result}");
}

/// `strace` is a tracer as a debugger is; `tests/run` installs it.
#[cfg(target_os = "linux")]
#[test]
fn it_waits_for_a_debugger() {
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let pong = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
    let mut lines = Lines::start(&["--store", "memory:", "--wait-for-debugger"]);
    let said: Value = serde_json::from_str(&lines.process.says("waiting for a debugger")).expect("JSON");
    assert_eq!(said["pid"], lines.process.id(), "{said}");
    lines.send(ping);
    // One that does not wait shows how long an answer takes: it is started later, and answers.
    let mut other = Lines::start(&MEMORY);
    other.send(ping);
    assert_eq!(other.next_line(), pong);
    assert!(other.end().ended().0.success());
    assert!(
        lines.process.stdout.try_recv().is_err(),
        "answered before a debugger came"
    );
    let mut tracer = Command::new("strace")
        .args(["-q", "-e", "trace=none", "-p", &lines.process.id().to_string()])
        .stderr(Stdio::null())
        .spawn()
        .expect("strace is installed");
    assert_eq!(lines.next_line(), pong);
    let (status, ..) = lines.end().ended();
    assert!(status.success());
    tracer.wait().expect("it ends with the process");
}
