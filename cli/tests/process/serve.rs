//! `meadow serve`.

use crate::client::{Answer, Http, Lines, Process, Served, answer, hello, meadow, model, run, written};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;

const MEMORY: [&str; 2] = ["--store", "memory:"];

/// A request that is being answered: its head is read, and half of its body is not sent yet.
fn half_sent(served: &Served, body: &str) -> TcpStream {
    let mut stream = served.http.connect();
    let head = served
        .http
        .head("POST", "/model", body.len(), "expect: 100-continue\r\n");
    stream.write_all(head.as_bytes()).expect("it reads");
    // Sent when the handler begins to read the body.
    let mut proceed = [0; 25];
    stream.read_exact(&mut proceed).expect("it goes on");
    assert_eq!(&proceed, b"HTTP/1.1 100 Continue\r\n\r\n");
    stream.write_all(&body.as_bytes()[..body.len() / 2]).expect("it reads");
    stream
}

#[test]
fn an_agent_writes_a_model_and_everybody_reads_it() {
    let served = Served::start(&MEMORY);
    let bathtub = model("01-bathtub.json");
    let welcome = served.http.rpc("initialize", &hello());
    assert_eq!(welcome["serverInfo"]["name"], "meadow", "{welcome}");
    let tools = served.http.rpc("tools/list", &json!({}));
    let names: Vec<_> = tools["tools"]
        .as_array()
        .expect("tools")
        .iter()
        .map(|tool| &tool["name"])
        .collect();
    assert!(names.iter().any(|name| *name == "systems_thinking_writer"), "{names:?}");

    let result = served.http.rpc("tools/call", &written(&bathtub));
    assert_eq!(result["structuredContent"]["complete"], true, "{result}");
    assert_eq!(result["structuredContent"]["model"], "bathtub", "{result}");

    let stored = served.http.get("/model");
    assert_eq!(stored.status, 200);
    assert_eq!(stored.json(), serde_json::from_str::<Value>(&bathtub).expect("JSON"));
    let read = served.http.rpc(
        "tools/call",
        &json!({"name": "systems_thinking_reader", "arguments": {}}),
    );
    assert_eq!(read["structuredContent"]["revision"], 1, "{read}");
    let health = served.http.get("/healthz");
    assert_eq!(
        (health.status, &health.json()["status"]),
        (200, &json!("ok")),
        "{health:?}"
    );
}

#[test]
fn a_session_id_that_nobody_gave_is_ignored_before_and_after_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = ["--data", folder.path().to_str().expect("a path")];
    let check = |served: Served| {
        let reader = json!({"name": "systems_thinking_reader", "arguments": {}});
        for (method, params) in [
            ("tools/list", json!({})),
            ("initialize", hello()),
            ("tools/call", reader),
        ] {
            let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
            let session = "mcp-session-id: 6f2c1b1e-3f0e-4a55-9d0c-1f5f0f7c2a11\r\n";
            let mut stream = served.http.connect();
            let request = served.http.head("POST", "/mcp", message.len(), session) + &message;
            stream.write_all(request.as_bytes()).expect("it reads");
            let answered = answer(&mut stream);
            assert_eq!(answered.status, 200, "{method}: {answered:?}");
            assert!(answered.json()["result"].is_object(), "{method}: {answered:?}");
        }
        assert!(served.stop().0.success());
    };
    check(Served::start(&data));
    check(Served::start(&data));
}

#[test]
fn a_restart_keeps_every_byte() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = ["--data", folder.path().to_str().expect("a path")];
    let bathtub = model("01-bathtub.json");
    let first = Served::start(&data);
    assert_eq!(first.http.post("/model", &bathtub).status, 200);
    assert!(first.stop().0.success());
    let second = Served::start(&data);
    assert_eq!(second.http.get("/model").body, bathtub);
    assert_eq!(second.http.get("/models/bathtub").body, bathtub);
}

#[test]
fn a_workspace_sees_its_own_models_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().to_str().expect("a path");
    let ours = Served::start(&["--data", data, "--workspace", "ours"]);
    assert_eq!(ours.http.post("/model", &model("01-bathtub.json")).status, 200);
    let theirs = Served::start(&["--data", data, "--workspace", "theirs"]);
    assert_eq!(theirs.http.get("/model").status, 404);
    assert_eq!(theirs.http.get("/models/bathtub").status, 404);
    assert_eq!(ours.http.get("/models/bathtub").status, 200);
}

#[cfg(target_os = "linux")]
#[test]
fn models_are_kept_in_the_data_folder_of_the_platform() {
    let home = tempfile::tempdir().expect("a folder");
    let mut command = meadow(&["serve", "--listen", "127.0.0.1:0"]);
    command.env("XDG_DATA_HOME", home.path());
    let served = Served::of(command);
    assert_eq!(served.http.post("/model", "{}").status, 200);
    assert!(served.stop().0.success());
    assert!(home.path().join("meadow/meadow.db").is_file());
}

#[test]
fn settings_come_from_the_environment_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = meadow(&["serve", "--listen", "127.0.0.1:0"]);
    command.env(
        "MEADOW_STORE",
        format!("sqlite:{}", folder.path().join("own.db").display()),
    );
    command.env("MEADOW_WORKSPACE", "ours").env("MEADOW_LOG", "off");
    let (status, _, said) = Served::of(command).stop();
    assert!(status.success());
    assert!(
        said.iter().any(|line| line.ends_with("own.db, workspace ours")),
        "{said:?}"
    );
    assert!(!said.iter().any(|line| line.starts_with('{')), "{said:?}");
}

#[test]
fn an_empty_setting_is_none() {
    let home = tempfile::tempdir().expect("a folder");
    let mut command = meadow(&["serve", "--listen", "127.0.0.1:0"]);
    command.env("XDG_DATA_HOME", home.path());
    for variable in ["MEADOW_STORE", "MEADOW_DATA", "MEADOW_WORKSPACE", "MEADOW_LOG"] {
        command.env(variable, "");
    }
    let (status, _, said) = Served::of(command).stop();
    assert!(status.success());
    assert!(
        said.iter().any(|line| line.ends_with("meadow.db, workspace default")),
        "{said:?}"
    );
}

#[test]
fn what_would_not_do_what_it_says_is_refused() {
    let check = |arguments: &[&str], part: &str| {
        let (code, out, said) = run(&[&["serve", "--listen", "127.0.0.1:0"], arguments].concat());
        assert_eq!((code, out.as_str()), (2, ""), "{said}");
        assert!(said.contains(part), "{said}");
    };
    check(&["--allow-host", "http://x/y"], "such as models.example.org");
    check(&["--allow-host", ""], "such as models.example.org");
    check(&["--allow-origin", "x"], "such as https://app.example.org");
    check(&["--store", "sqlite::memory:"], "with memory:");
    check(&["--max-requests", "0"], "1..=65535");
    check(&["--max-requests", "many"], "invalid digit");
    check(
        &["--auth", "token", "--store", "sqlite:m.db", "--allow-origin", "*"],
        "by name only",
    );
}

/// As clients do that look at the answer only when all is sent.
#[test]
fn the_refusal_of_a_large_body_is_read() {
    let served = Served::start(&MEMORY);
    let body = vec![b' '; 20 << 20];
    let check = |method: &str, path: &str, more: &str, status: u16| {
        let mut stream = served.http.connect();
        let head = served.http.head(method, path, body.len(), more);
        stream.write_all(head.as_bytes()).expect("it reads");
        stream.write_all(&body).expect("it reads");
        let refused = answer(&mut stream);
        assert_eq!(refused.status, status, "{method} {path}");
        assert!(refused.body.starts_with('{'), "{refused:?}");
    };
    check("POST", "/model", "", 413);
    check("PUT", "/models/tub", "", 413);
    check("POST", "/mcp", "", 413);
    check("POST", "/model", "content-encoding: gzip\r\n", 415);
    check("POST", "/model", "origin: https://evil.example\r\n", 403);
    check("POST", "/models", "", 405);
}

#[test]
fn a_taken_port_is_named() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("its address");
    let (code, out, said) = run(&["serve", "--store", "memory:", "--listen", &address.to_string()]);
    assert_eq!((code, out.as_str()), (3, ""));
    assert!(
        said.contains(&format!("port {} of 127.0.0.1 is taken", address.port())),
        "{said}"
    );
    assert!(said.contains("--listen"), "{said}");
}

#[test]
fn a_call_that_runs_is_finished_before_the_end() {
    let served = Served::start(&MEMORY);
    let body = model("01-bathtub.json");
    let mut stream = half_sent(&served, &body);
    served.process.terminate();
    served.http.closes();
    stream.write_all(&body.as_bytes()[body.len() / 2..]).expect("it reads");
    let Answer { status, body } = answer(&mut stream);
    assert_eq!(status, 200, "{body}");
    assert!(body.starts_with(r#"{"complete":true"#), "{body}");
    assert!(served.process.ended().0.success());
}

/// Has been answered on this connection, and now waits for a model newer than the first revision of `tub`.
fn waiting(served: &Served) -> TcpStream {
    let mut stream = served.http.connect();
    let wait = served
        .http
        .head("GET", "/models/tub?wait=15", 0, "if-none-match: \"tub@1\"\r\n");
    let both = format!("GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n{wait}");
    stream.write_all(both.as_bytes()).expect("it reads");
    let mut answered = [0; "HTTP/1.1 200".len()];
    stream.read_exact(&mut answered).expect("an answer");
    assert_eq!(&answered, b"HTTP/1.1 200");
    stream
}

const TUB: &str = r#"{"system_name":"Tub"}"#;

#[test]
fn who_waits_is_told_of_what_another_process_wrote() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = ["--data", folder.path().to_str().expect("a path")];
    let (one, other) = (Served::start(&data), Served::start(&data));
    assert_eq!(one.http.post("/model", TUB).status, 200);
    let mut stream = waiting(&one);
    let second = r#"{"system_name":"Tub","version":"2"}"#;
    assert_eq!(other.http.post("/model", second).status, 200);
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("an answer");
    assert!(text.contains("etag: \"tub@2\"") && text.ends_with(second), "{text}");
}

#[test]
fn who_waits_is_answered_before_the_end() {
    let served = Served::start(&MEMORY);
    assert_eq!(served.http.post("/model", TUB).status, 200);
    let mut stream = waiting(&served);
    served.process.terminate();
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("an answer");
    assert!(text.contains("HTTP/1.1 304"), "{text}");
    assert!(served.process.ended().0.success());
}

const FEED: &str = "<feed xmlns:o='http://a9.com/-/spec/opensearch/1.1/'><o:totalResults>1</o:totalResults><entry>\
<id>http://arxiv.org/abs/2301.00010v1</id><title>Found</title></entry></feed>";

/// A call that waits for an arXiv that is in the hands of the test.
fn search() -> String {
    let params = json!({"name": "search_arxiv", "arguments": {"query": "graph", "sources": "arxiv"}});
    json!({"jsonrpc": "2.0", "id": "mine", "method": "tools/call", "params": params}).to_string()
}

/// The connections of somebody who searches, and takes such answers, and of arXiv, which is asked.
fn searching(served: &Served, arxiv: &TcpListener, accept: &str) -> (TcpStream, TcpStream) {
    let message = search();
    let mut searcher = served.http.connect();
    let head = served.http.head("POST", "/mcp", message.len(), "");
    let request = head.replace("application/json, text/event-stream", accept) + &message;
    searcher.write_all(request.as_bytes()).expect("it reads");
    let (asked, _) = arxiv.accept().expect("it asks arXiv");
    (searcher, asked)
}

/// Asks a process twice to end: else it would wait as long as a tool may take, or the process may.
fn give_up(process: &Process, http: Http) {
    process.terminate();
    http.closes();
    process.terminate();
}

/// What a call is answered that was given up.
#[track_caller]
fn is_given_up(answered: &Value) {
    assert_eq!(
        (&answered["id"], &answered["error"]["code"]),
        (&json!("mine"), &json!(-32603)),
        "{answered}"
    );
    let said = answered["error"]["message"].as_str().expect("a text");
    assert!(said.contains("the server is ending; send the call again"), "{said}");
}

/// With this arXiv, and no other source.
fn asking(mut command: Command, arxiv: &TcpListener) -> Command {
    let url = format!("http://{}/api/query", arxiv.local_addr().expect("an address"));
    command.env("MEADOW_ARXIV_URL", url).env("MEADOW_S2_URL", "");
    command
}

fn with_arxiv(arxiv: &TcpListener) -> Served {
    let command = meadow(&["serve", "--listen", "127.0.0.1:0", "--store", "memory:"]);
    Served::of(asking(command, arxiv))
}

#[test]
fn a_tool_that_works_may_finish_before_the_end() {
    let arxiv = TcpListener::bind("127.0.0.1:0").expect("a port");
    let served = with_arxiv(&arxiv);
    let (mut searcher, mut asked) = searching(&served, &arxiv, "application/json");
    served.process.terminate();
    served.http.closes();
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/atom+xml\r\nconnection: close\r\ncontent-length: ";
    write!(asked, "{head}{}\r\n\r\n{FEED}", FEED.len()).expect("it reads");
    let answered = answer(&mut searcher);
    assert_eq!(answered.status, 200, "{answered:?}");
    let text = answered.json()["result"]["content"][0]["text"].to_string();
    assert!(text.contains("status: ok") && text.contains("Found"), "{text}");
    assert!(served.process.ended().0.success());
}

#[test]
fn a_tool_that_never_finishes_is_answered_before_the_end() {
    let arxiv = TcpListener::bind("127.0.0.1:0").expect("a port");
    let served = with_arxiv(&arxiv);
    let (mut searcher, _asked) = searching(&served, &arxiv, "application/json");
    give_up(&served.process, served.http);
    let answered = answer(&mut searcher);
    assert_eq!(answered.status, 200, "{answered:?}");
    is_given_up(&answered.json());
    let (status, _, said) = served.process.ended();
    assert!(status.success());
    assert!(said.iter().any(|line| line.contains("calls are given up")), "{said:?}");
}

#[test]
fn an_event_that_is_waited_for_is_sent_before_the_end() {
    let arxiv = TcpListener::bind("127.0.0.1:0").expect("a port");
    let served = with_arxiv(&arxiv);
    let (mut searcher, _asked) = searching(&served, &arxiv, "text/event-stream");
    // The head leaves first, and then nothing but the event.
    let mut text = [0; "HTTP/1.1 200".len()];
    searcher.read_exact(&mut text).expect("a head");
    assert_eq!(&text, b"HTTP/1.1 200");
    give_up(&served.process, served.http);
    let mut rest = String::new();
    searcher.read_to_string(&mut rest).expect("an answer");
    let event = rest
        .lines()
        .find_map(|line| line.strip_prefix("data: "))
        .expect("an event");
    is_given_up(&serde_json::from_str(event).expect("JSON"));
    assert!(served.process.ended().0.success());
}

#[test]
fn over_stdio_a_tool_that_never_finishes_is_answered_before_the_end() {
    let arxiv = TcpListener::bind("127.0.0.1:0").expect("a port");
    let arguments = [
        "stdio",
        "--store",
        "memory:",
        "--log",
        "info",
        "--listen",
        "127.0.0.1:0",
    ];
    let mut lines = Lines::of(asking(meadow(&arguments), &arxiv));
    let said: Value = serde_json::from_str(&lines.process.says("listening")).expect("JSON");
    let http = Http::at(said["url"].as_str().expect("a URL"));
    lines.send(&search());
    let (_asked, _) = arxiv.accept().expect("it asks arXiv");
    give_up(&lines.process, http);
    is_given_up(&serde_json::from_str(&lines.next_line()).expect("JSON"));
    // The client's end of standard input is still open here.
    lines.process.closes();
    let (status, rest, said) = lines.end().ended();
    assert!(status.success(), "{said:?}");
    assert!(rest.is_empty(), "{rest:?}");
}

#[test]
fn over_stdio_one_signal_lets_a_call_be_answered() {
    let arxiv = TcpListener::bind("127.0.0.1:0").expect("a port");
    let mut lines = Lines::of(asking(meadow(&["stdio", "--store", "memory:"]), &arxiv));
    lines.send(&search());
    let (_asked, _) = arxiv.accept().expect("it asks arXiv");
    lines.process.terminate();
    // What it found, or that the server ends: whichever time is over first.
    let answer: Value = serde_json::from_str(&lines.next_line()).expect("JSON");
    assert_eq!(answer["id"], "mine", "{answer}");
    lines.process.closes();
    assert!(lines.end().ended().0.success());
}

#[test]
fn a_request_that_does_not_arrive_is_not_waited_for() {
    let served = Served::start(&MEMORY);
    let mut body = half_sent(&served, &model("01-bathtub.json"));
    let mut head = served.http.connect();
    head.write_all(b"GET /model HTTP/1.1\r\nhost: loc").expect("it reads");
    let (status, _, said) = served.stop();
    assert!(status.success());
    assert!(
        said.iter().any(|line| line.contains("requests did not arrive in time")),
        "{said:?}"
    );
    let answered = answer(&mut body);
    assert_eq!(answered.status, 503, "{answered:?}");
    let detail = answered.json()["detail"].to_string();
    assert!(
        detail.contains("the server is ending") && detail.contains("Nothing was changed"),
        "{detail}"
    );
}

#[test]
fn asked_twice_it_ends_at_once() {
    let served = Served::start(&MEMORY);
    let _stream = half_sent(&served, &model("01-bathtub.json"));
    served.process.terminate();
    served.http.closes();
    served.process.terminate();
    let (status, _, said) = served.process.ended();
    assert!(status.success());
    assert!(said.iter().any(|line| line.contains("a second time")), "{said:?}");
}

#[test]
fn slow_and_silent_connections_are_closed() {
    let served = Served::start(&MEMORY);
    let beginnings = [
        "",
        "G",
        "GET /model HTTP/1.1\r\n",
        "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-le",
    ];
    let streams = beginnings.map(|beginning| {
        let mut stream = served.http.connect();
        stream.write_all(beginning.as_bytes()).expect("it reads");
        stream
    });
    assert_eq!(served.http.get("/healthz").status, 200);
    for (mut stream, beginning) in streams.into_iter().zip(beginnings) {
        let mut rest = Vec::new();
        // The end of the stream, or a reset; never the timeout of the reader.
        if let Err(error) = stream.read_to_end(&mut rest) {
            assert_eq!(
                error.kind(),
                std::io::ErrorKind::ConnectionReset,
                "{beginning:?}: {error}"
            );
        }
    }
    assert_eq!(served.http.get("/healthz").status, 200);
}

#[test]
fn other_hosts_are_refused_unless_allowed() {
    let host = |served: &Served, host: &str| {
        let mut stream = served.http.connect();
        let request = format!("GET /model HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("it reads");
        answer(&mut stream).status
    };
    let plain = Served::start(&MEMORY);
    assert_eq!(host(&plain, "localhost"), 404);
    assert_eq!(host(&plain, "models.example.org"), 403);
    let wider = Served::start(&["--store", "memory:", "--allow-host", "models.example.org"]);
    assert_eq!(host(&wider, "models.example.org"), 404);
    assert_eq!(host(&wider, "localhost"), 404);
    assert_eq!(host(&wider, "example.org"), 403);
}

#[test]
fn no_document_is_logged() {
    let served = Served::start(&["--store", "memory:", "--log", "trace"]);
    let secret = r#"{"version":"1","system_name":"s","elements":["quite-a-secret"],"stocks":1}"#;
    assert_eq!(served.http.post("/model", secret).status, 422);
    let secret = secret.replace(r#","stocks":1"#, "");
    assert_eq!(served.http.post("/model", &secret).status, 200);
    served.http.rpc("tools/call", &written(&secret));
    let read = served.http.rpc(
        "tools/call",
        &json!({"name": "systems_thinking_reader", "arguments": {}}),
    );
    assert!(read.to_string().contains("quite-a-secret"), "{read}");
    let latest = served.http.rpc("resources/read", &json!({"uri": "model://latest"}));
    assert!(latest.to_string().contains("quite-a-secret"), "{latest}");
    let (_, _, said) = served.stop();
    assert!(said.iter().any(|line| line.contains("/mcp")), "{said:?}");
    let leaks: Vec<_> = said.iter().filter(|line| line.contains("quite-a-secret")).collect();
    assert!(leaks.is_empty(), "{leaks:#?}");
}
