//! `meadow token` and `--auth token`.

use crate::client::{Answer, Http, Lines, Served, answer, model, run};
use serde_json::{Value, json};
use std::io::Write;

/// A store of its own, with tokens.
struct Desk {
    _folder: tempfile::TempDir,
    store: String,
}

impl Desk {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let store = format!("sqlite:{}", folder.path().join("meadow.db").display());
        Self { _folder: folder, store }
    }

    /// Runs `meadow token` on this store.
    fn token(&self, arguments: &[&str]) -> (i32, String, String) {
        run(&[&["token"], arguments, &["--store", &self.store]].concat())
    }

    /// A new token, which is all that stands on standard output.
    #[track_caller]
    fn made(&self, more: &[&str]) -> String {
        let (code, out, said) = self.token(&[&["new", "--name", "test"], more].concat());
        assert_eq!(code, 0, "{said}");
        let form = |c: char| c.is_ascii_alphanumeric() || c == '_';
        assert!(
            out.len() == 64 && out.starts_with("mdw_") && out.chars().all(form),
            "{out:?}"
        );
        assert!(said.contains(&out[4..14]) && !said.contains(&out[15..]), "{said}");
        out
    }

    fn listed(&self) -> Vec<Value> {
        let (code, out, said) = self.token(&["list", "--json"]);
        assert_eq!(code, 0, "{said}");
        let list: Value = serde_json::from_str(&out).expect("JSON");
        list["tokens"].as_array().expect("a list").clone()
    }

    fn serve(&self, more: &[&str]) -> Served {
        Served::start(&[&["--auth", "token", "--store", &self.store], more].concat())
    }
}

fn ask(http: Http, method: &str, path: &str, headers: &str, body: &str) -> Answer {
    let mut stream = http.connect();
    let message = http.head(method, path, body.len(), headers) + body;
    stream.write_all(message.as_bytes()).expect("it reads");
    answer(&mut stream)
}

fn bearer(token: &str) -> String {
    format!("authorization: Bearer {token}\r\n")
}

#[test]
fn a_token_lets_in_and_nothing_else_does() {
    let desk = Desk::new();
    let writer = desk.made(&[]);
    let served = desk.serve(&[]);
    let bathtub = model("01-bathtub.json");
    for (method, path, status) in [
        ("POST", "/model", 401),
        ("GET", "/model", 401),
        ("POST", "/mcp", 401),
        ("GET", "/mcp", 401),
        ("DELETE", "/mcp", 401),
        ("GET", "/healthz", 200),
        ("GET", "/healthz?deep=1", 200),
        ("GET", "/openapi.json", 200),
        ("GET", "/.well-known/oauth-protected-resource", 404),
    ] {
        let body = if method == "POST" { &*bathtub } else { "" };
        assert_eq!(
            ask(served.http, method, path, "", body).status,
            status,
            "{method} {path}"
        );
    }
    let pass = bearer(&writer);
    assert_eq!(ask(served.http, "POST", "/model", &pass, &bathtub).status, 200);
    assert_eq!(ask(served.http, "GET", "/model", &pass, "").body, bathtub);
    assert_eq!(ask(served.http, "GET", "/mcp", &pass, "").status, 405);
    let (status, _, said) = served.stop();
    assert!(
        status.success() && said.iter().any(|line| line.contains("access by token")),
        "{said:?}"
    );
}

#[test]
fn a_token_that_may_only_read_cannot_write_over_mcp() {
    let desk = Desk::new();
    let reader = bearer(&desk.made(&["--scopes", "model:read"]));
    let served = desk.serve(&[]);
    let call = |tool: &str| {
        let params = json!({"name": tool, "arguments": {"system_name": "Tub"}});
        let message = json!({"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": params});
        ask(served.http, "POST", "/mcp", &reader, &message.to_string())
    };
    let denied = call("systems_thinking_writer");
    assert_eq!((denied.status, &denied.json()["error"]["code"]), (403, &json!(1403)));
    let read = call("systems_thinking_reader");
    assert_eq!(
        (read.status, &read.json()["result"]["structuredContent"]["status"]),
        (200, &json!("not_found"))
    );
}

#[test]
fn a_token_opens_its_own_workspace() {
    let desk = Desk::new();
    let (a, b) = (
        bearer(&desk.made(&["--workspace", "team-a"])),
        bearer(&desk.made(&["--workspace", "team-b"])),
    );
    // The server's own workspace is nobody's.
    let served = desk.serve(&["--workspace", "team-b"]);
    assert_eq!(
        ask(served.http, "POST", "/model", &a, &model("01-bathtub.json")).status,
        200
    );
    assert_eq!(ask(served.http, "GET", "/models/bathtub", &a, "").status, 200);
    assert_eq!(ask(served.http, "GET", "/models/bathtub", &b, "").status, 404);
}

#[test]
fn tokens_are_listed_replaced_and_revoked() {
    let desk = Desk::new();
    assert!(desk.token(&["list"]).1.contains("meadow token new"));
    let old = desk.made(&["--never", "--scopes", "research model:read"]);
    let new = desk.made(&["--replaces", &old[4..14], "--grace", "2h", "--expires", "30d"]);
    let list = desk.listed();
    let facts: Vec<_> = list
        .iter()
        .map(|row| {
            (
                row["id"].as_str().expect("an id"),
                row["state"].as_str().expect("a state"),
            )
        })
        .collect();
    let mut expected = [(&old[4..14], "replaced"), (&new[4..14], "active")];
    // Both may be of the same millisecond.
    if facts[0].1 == "active" {
        expected.reverse();
    }
    assert_eq!(facts, expected);
    let row = list.iter().find(|row| row["id"] == old[4..14]).expect("the old one");
    assert_eq!(
        (&row["scopes"], &row["workspace"], &row["name"], &row["expires"]),
        (
            &json!("model:read research"),
            &json!("default"),
            &json!("test"),
            &Value::Null
        )
    );
    assert!(row["revoked"].is_string(), "{row}");

    let served = desk.serve(&[]);
    let status = |token: &str| ask(served.http, "GET", "/models", &bearer(token), "").status;
    assert_eq!((status(&old), status(&new)), (200, 200));
    let (code, out, _) = desk.token(&["revoke", &new[4..14]]);
    assert!(code == 0 && out.contains("is revoked"), "{out}");
    assert_eq!(desk.listed().iter().filter(|row| row["state"] == "revoked").count(), 1);
    drop(served);
    let served = desk.serve(&[]);
    let fresh = |token: &str| ask(served.http, "GET", "/models", &bearer(token), "").status;
    assert_eq!((fresh(&old), fresh(&new)), (200, 401));

    let (code, out, _) = desk.token(&["list"]);
    assert_eq!(code, 0);
    assert!(
        out.contains(&new[4..14]) && out.contains("revoked") && !out.contains(&new[15..]),
        "{out}"
    );
}

#[test]
fn what_cannot_be_is_refused() {
    let desk = Desk::new();
    let check = |arguments: &[&str], part: &str| {
        let (code, out, said) = desk.token(arguments);
        assert!(
            code == 2 && out.is_empty() && said.contains(part),
            "{code}: {out}: {said}"
        );
    };
    check(&["new"], "--name");
    check(&["new", "--name", ""], "1 to 100 characters");
    check(&["new", "--name", "x", "--scopes", "model:*"], "is no scope");
    check(&["new", "--name", "x", "--scopes", ""], "allows nothing");
    check(&["new", "--name", "x", "--expires", "soon"], "--expires");
    check(&["new", "--name", "x", "--expires", "0s"], "no time");
    check(
        &["new", "--name", "x", "--expires", "1d", "--never"],
        "cannot be used with",
    );
    check(&["new", "--name", "x", "--grace", "1h"], "--replaces");
    check(
        &["new", "--name", "x", "--replaces", "aaaaaaaaaa"],
        "there is no token aaaaaaaaaa",
    );
    check(&["new", "--name", "x", "--workspace", "a/b"], "workspace");
    check(&["revoke", "aaaaaaaaaa"], "there is no token aaaaaaaaaa");
    check(&["revoke", "nobody"], "is no id of a token");
    check(&["revoke"], "<ID>");
    assert_eq!(desk.listed(), Vec::<Value>::new());
    for arguments in [&["list"][..], &["new", "--name", "x"]] {
        let (code, out, said) = run(&[&["token"], arguments, &["--store", "memory:"]].concat());
        assert!(code == 2 && out.is_empty() && said.contains("sqlite:PATH"), "{said}");
    }
}

#[test]
fn other_addresses_are_listened_on_by_token_only() {
    let desk = Desk::new();
    let check = |arguments: &[&str], part: &str| {
        for command in ["serve", "stdio"] {
            let (code, out, said) = run(&[&[command], arguments].concat());
            assert!(
                code == 2 && out.is_empty() && said.contains(part),
                "{command}: {code}: {said}"
            );
        }
    };
    let store = ["--store", &desk.store];
    check(&[&["--listen", "0.0.0.0:0"], &store[..]].concat(), "--auth token");
    check(
        &[&["--listen", "0.0.0.0:0", "--auth", "token"], &store[..]].concat(),
        "--allow-host",
    );
    check(
        &["--listen", "127.0.0.1:0", "--auth", "token", "--store", "memory:"],
        "gone at exit",
    );
    check(&["--listen", "127.0.0.1:0", "--auth", "open"], "--auth");

    let token = bearer(&desk.made(&[]));
    let arguments = [
        "serve",
        "--listen",
        "0.0.0.0:0",
        "--auth",
        "token",
        "--allow-host",
        "meadow.example",
    ];
    let mut command = crate::client::meadow(&[&arguments[..], &store].concat());
    command.env("MEADOW_AUTH", "none");
    let served = Served::of(command);
    let here = Http(([127, 0, 0, 1], served.http.0.port()).into());
    let mut stream = here.connect();
    let head = format!("GET /models HTTP/1.1\r\nhost: meadow.example\r\nconnection: close\r\n{token}\r\n");
    stream.write_all(head.as_bytes()).expect("it reads");
    assert_eq!(answer(&mut stream).status, 200);
}

#[test]
fn beside_stdio_http_asks_for_tokens_and_stdio_does_not() {
    let desk = Desk::new();
    let token = bearer(&desk.made(&[]));
    let mut lines = Lines::start(&[
        "--auth",
        "token",
        "--log",
        "info",
        "--listen",
        "127.0.0.1:0",
        "--store",
        &desk.store,
    ]);
    let said: Value = serde_json::from_str(&lines.process.says("listening")).expect("JSON");
    let http = Http::at(said["url"].as_str().expect("a URL"));
    lines.initialize();
    let params = json!({"name": "systems_thinking_writer", "arguments": {"system_name": "Tub"}});
    let result = lines.rpc("tools/call", &params);
    assert_eq!(result["structuredContent"]["status"], "stored", "{result}");
    assert_eq!(ask(http, "GET", "/model", "", "").status, 401);
    assert_eq!(ask(http, "GET", "/model", &token, "").status, 200);
}

#[test]
fn no_log_shows_a_token() {
    let desk = Desk::new();
    let token = desk.made(&[]);
    let served = desk.serve(&["--log", "trace"]);
    let pass = bearer(&token);
    let secret = &token[15..];
    for path in ["/model", "/models", "/mcp", "/nowhere", "/healthz"] {
        for headers in [
            pass.clone(),
            pass.repeat(2),
            format!("authorization: Basic {token}\r\n"),
            format!("authorization: {token}\r\n"),
            bearer(&token[..63]),
            format!("{pass}origin: https://evil.example\r\n"),
        ] {
            let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
            for (method, body) in [("GET", ""), ("POST", body)] {
                let answer = ask(served.http, method, path, &headers, body);
                assert!(!answer.body.contains(&secret[..40]), "{answer:?}");
            }
        }
    }
    let (_, out, said) = served.stop();
    let all = [out, said].concat().join("\n");
    assert!(all.contains(&format!("token:{}", &token[4..14])), "{all}");
    assert!(!all.contains(&secret[..40]), "the token is in the log");
}
