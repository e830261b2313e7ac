//! What clients bring about, well meant or not: requests, the status, and the code of JSON-RPC. `../main.rs` sends each to
//! the local server and, as the events of two kinds of API, to the functions.

use http::{Method, Request};
use serde_json::{Value, json};

/// The host that both sides go by.
pub(crate) const HOST: &str = "abc123.execute-api.eu-west-1.amazonaws.com";

/// The page that may ask.
pub(crate) const PAGE: &str = "https://app.example.org";

/// One request, and what is answered.
#[derive(Debug, Clone)]
pub(crate) struct Situation {
    pub(crate) name: String,
    pub(crate) method: &'static str,
    pub(crate) target: &'static str,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Vec<u8>,
    pub(crate) status: u16,
    /// Of the JSON-RPC error, where there is one.
    pub(crate) code: Option<i64>,
    /// What the body says, among other things.
    pub(crate) part: &'static str,
}

/// How an event tells of a request.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Form {
    /// HTTP API, or the URL of a function.
    V2,
    /// The same behind a stage that has a name.
    Staged,
    /// REST API, with each header as a list only, in the case of the client.
    V1,
}

pub(crate) const FORMS: [Form; 3] = [Form::V2, Form::Staged, Form::V1];

impl Situation {
    fn over_mcp(name: &str, body: impl Into<Vec<u8>>, status: u16, code: Option<i64>, part: &'static str) -> Self {
        Self {
            name: name.to_owned(),
            method: "POST",
            target: "/mcp",
            headers: vec![
                ("content-type", "application/json".into()),
                ("accept", "application/json, text/event-stream".into()),
            ],
            body: body.into(),
            status,
            code,
            part,
        }
    }

    fn over_http(
        name: &str,
        method: &'static str,
        target: &'static str,
        body: impl Into<Vec<u8>>,
        status: u16,
        part: &'static str,
    ) -> Self {
        Self {
            method,
            target,
            headers: vec![("content-type", "application/json".into())],
            ..Self::over_mcp(name, body, status, None, part)
        }
    }

    /// With another header, in place of one of the same name; none where the value is `-`.
    fn with(mut self, name: &'static str, value: &str) -> Self {
        self.headers.retain(|(one, _)| *one != name);
        if value != "-" {
            self.headers.push((name, value.to_owned()));
        }
        self
    }

    fn by(mut self, method: &'static str) -> Self {
        self.method = method;
        self
    }

    fn at(mut self, target: &'static str) -> Self {
        self.target = target;
        self
    }

    /// Which function answers it.
    pub(crate) fn function(&self) -> &'static str {
        match self.target.split('?').next().unwrap_or_default() {
            "/mcp" | "/mcp/" => "mcp",
            "/healthz" => "health",
            _ => "model",
        }
    }

    /// As the client sends it.
    pub(crate) fn request(&self) -> Request<Vec<u8>> {
        let method: Method = self.method.parse().expect("a method");
        let mut request = Request::builder().method(method).uri(self.target);
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        request.body(self.body.clone()).expect("a request")
    }

    /// As a function meets it.
    pub(crate) fn event(&self, form: Form) -> String {
        let (path, query) = self.target.split_once('?').unwrap_or((self.target, ""));
        let (body, is_base64) = match String::from_utf8(self.body.clone()) {
            Ok(text) => (text, false),
            Err(_) => (base64(&self.body), true),
        };
        let headers = || {
            self.headers
                .iter()
                .map(|(name, value)| (name.to_string(), value.clone()))
        };
        let event = match form {
            Form::V2 | Form::Staged => {
                let (stage, before) = match form {
                    Form::Staged => ("prod", "/prod"),
                    _ => ("$default", ""),
                };
                let headers: serde_json::Map<_, _> = headers().map(|(name, value)| (name, value.into())).collect();
                json!({"version": "2.0", "routeKey": "$default", "rawPath": format!("{before}{path}"),
                    "rawQueryString": query, "headers": headers, "body": body, "isBase64Encoded": is_base64,
                    "requestContext": {"stage": stage, "http": {"method": self.method, "path": path}}})
            }
            Form::V1 => {
                let capital = |name: String| {
                    let words = name.split('-').map(|word| word[..1].to_uppercase() + &word[1..]);
                    words.collect::<Vec<_>>().join("-")
                };
                let headers: serde_json::Map<_, _> =
                    headers().map(|(name, value)| (capital(name), json!([value]))).collect();
                let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
                let query: serde_json::Map<_, _> = pairs.map(|(name, value)| (name.to_owned(), value.into())).collect();
                json!({"resource": "/{proxy+}", "path": path, "httpMethod": self.method, "headers": {},
                    "multiValueHeaders": headers, "queryStringParameters": query, "multiValueQueryStringParameters": {},
                    "body": body, "isBase64Encoded": is_base64,
                    "requestContext": {"stage": "prod", "httpMethod": self.method, "identity": {}, "resourceId": "1"}})
            }
        };
        event.to_string()
    }
}

fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for part in bytes.chunks(3) {
        let bits = part.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - part.len()));
        for digit in 0..4 {
            let known = digit <= part.len();
            let index = bits >> (18 - 6 * digit) & 63;
            text.push(if known {
                char::from(ALPHABET[index as usize])
            } else {
                '='
            });
        }
    }
    text
}

const VERSION: &str = "mcp-protocol-version";
const METHOD: &str = "mcp-method";
const NAME: &str = "mcp-name";
const WRITER: &str = "systems_thinking_writer";
const READER: &str = "systems_thinking_reader";

/// A document of more than a million bytes.
fn megabyte() -> Value {
    json!({"system_name": "Large", "elements": vec!["An element of the system, as long as those of people"; 20_000]})
}

/// A message of 2025-11-25 and before.
fn legacy(method: &str, params: Value) -> String {
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string()
}

/// A message of 2026-07-28.
fn modern(method: &str, mut params: Value) -> String {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    legacy(method, params)
}

fn handshake(version: &str) -> String {
    let params = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    legacy("initialize", params)
}

/// All of them, in the order in which they are sent.
pub(crate) fn all(token: &str) -> Vec<Situation> {
    let mut all = of_the_stateless_era();
    all.extend(of_the_handshake_era());
    all.extend(of_the_transport());
    all.extend(of_pages());
    all.extend(over_http());
    for situation in &mut all {
        let mut add = |name: &'static str, value: String| {
            if !situation.headers.iter().any(|(one, _)| *one == name) {
                situation.headers.push((name, value));
            }
        };
        add("host", HOST.to_owned());
        add("authorization", format!("Bearer {token}"));
        add("x-request-id", situation.name.replace(' ', "-"));
        // Left out on purpose.
        situation.headers.retain(|(_, value)| value != "none");
    }
    all
}

fn of_the_stateless_era() -> Vec<Situation> {
    let document = json!({"system_name": "S", "stocks": [{"id": "s", "unit": "u"}]});
    let call = |arguments: &Value| modern("tools/call", json!({"name": WRITER, "arguments": arguments}));
    let of = |name: &str, body: String, method: &str, status, code, part| {
        Situation::over_mcp(&format!("modern {name}"), body, status, code, part)
            .with(VERSION, "2026-07-28")
            .with(METHOD, method)
    };
    let missing = Some(-32602);
    let differs = Some(-32020);
    let plain = |method: &str| modern(method, json!({}));
    vec![
        of(
            "discover",
            plain("server/discover"),
            "server/discover",
            200,
            None,
            "supportedVersions",
        ),
        of(
            "discover without headers",
            plain("server/discover"),
            "-",
            400,
            differs,
            "",
        )
        .with(VERSION, "-"),
        of(
            "discover without meta",
            legacy("server/discover", json!({})),
            "server/discover",
            400,
            missing,
            "",
        ),
        of("list", plain("tools/list"), "tools/list", 200, None, "\"ttlMs\""),
        of("call", call(&document), "tools/call", 200, None, "serverInfo").with(NAME, WRITER),
        of(
            "call with a wrong type",
            call(&json!({"version": 1})),
            "tools/call",
            200,
            None,
            "\"isError\":true",
        )
        .with(NAME, WRITER),
        of(
            "call without arguments",
            modern("tools/call", json!({"name": READER})),
            "tools/call",
            200,
            None,
            "\"ok\"",
        )
        .with(NAME, READER),
        of(
            "call of no tool",
            modern("tools/call", json!({"name": "nope"})),
            "tools/call",
            200,
            missing,
            READER,
        )
        .with(NAME, "nope"),
        of("no method header", plain("tools/list"), "-", 400, differs, ""),
        of("no name header", call(&document), "tools/call", 400, differs, ""),
        of("another name header", call(&document), "tools/call", 400, differs, "").with(NAME, "x"),
        of("another method header", call(&document), "tools/list", 400, differs, "").with(NAME, WRITER),
        of(
            "another version header",
            plain("tools/list"),
            "tools/list",
            400,
            differs,
            "",
        )
        .with(VERSION, "2025-11-25"),
        of(
            "version nobody knows",
            plain("tools/list").replace("2026-07-28", "2099-01-01"),
            "tools/list",
            400,
            Some(-32022),
            "\"supported\":[",
        )
        .with(VERSION, "2099-01-01"),
        of(
            "no capabilities",
            plain("tools/list").replace("clientCapabilities", "x"),
            "tools/list",
            400,
            missing,
            "",
        ),
        of("ping", plain("ping"), "ping", 404, Some(-32601), "no method"),
        of(
            "no such method",
            plain("foo/bar"),
            "foo/bar",
            404,
            Some(-32601),
            "tools/list",
        ),
        of(
            "set level",
            modern("logging/setLevel", json!({"level": "info"})),
            "logging/setLevel",
            404,
            Some(-32601),
            "",
        ),
        of(
            "resources",
            plain("resources/list"),
            "resources/list",
            200,
            None,
            "model://s",
        ),
        of(
            "templates",
            plain("resources/templates/list"),
            "resources/templates/list",
            200,
            None,
            "model://{id}",
        ),
        of(
            "read",
            modern("resources/read", json!({"uri": "model://latest"})),
            "resources/read",
            200,
            None,
            "stocks",
        )
        .with(NAME, "model://latest"),
        of(
            "read nothing",
            modern("resources/read", json!({"uri": "model://zzz"})),
            "resources/read",
            200,
            missing,
            "zzz",
        )
        .with(NAME, "model://zzz"),
        of(
            "complete",
            modern(
                "completion/complete",
                json!({"ref": {"type": "ref/resource", "uri": "model://{id}"},
                "argument": {"name": "id", "value": "s"}}),
            ),
            "completion/complete",
            200,
            None,
            "\"values\":[\"s\"]",
        ),
        of(
            "listen",
            modern("subscriptions/listen", json!({"notifications": {}})),
            "subscriptions/listen",
            404,
            Some(-32601),
            "",
        ),
        of(
            "call with a trace",
            call(&document),
            "tools/call",
            200,
            None,
            "unchanged",
        )
        .with(NAME, WRITER)
        .with("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
    ]
}

fn of_the_handshake_era() -> Vec<Situation> {
    let of = |name: &str, body: String, status, code, part| {
        Situation::over_mcp(&format!("legacy {name}"), body, status, code, part).with(VERSION, "2025-11-25")
    };
    let document = json!({"system_name": "L", "flows": [{"id": "f", "from_stock": "s1", "to_stock": "nope"}]});
    let call = |arguments: &Value| legacy("tools/call", json!({"name": WRITER, "arguments": arguments}));
    let text = Value::from(document.to_string());
    let mut parts = document.clone();
    parts["flows"] = document["flows"].to_string().into();
    let list = || legacy("tools/list", json!({}));
    let mut all = vec![
        of("call", call(&document), 200, None, "nope"),
        of("the same as text", call(&text), 200, None, "unchanged"),
        of(
            "call with a megabyte",
            call(&megabyte()),
            200,
            None,
            "\"model\":\"large\"",
        ),
        of("its lists as text", call(&parts), 200, None, "unchanged"),
        of(
            "call before any handshake",
            legacy("tools/call", json!({"name": READER})),
            200,
            None,
            "\"ok\"",
        )
        .with(VERSION, "-"),
        of(
            "call of no tool",
            legacy("tools/call", json!({"name": "nope"})),
            200,
            Some(-32602),
            READER,
        ),
        of(
            "call with a wrong type",
            call(&json!({"version": 1})),
            200,
            None,
            "\"isError\":true",
        ),
        of(
            "read nothing",
            legacy("resources/read", json!({"uri": "x://y"})),
            200,
            Some(-32002),
            "x://y",
        ),
        of(
            "no such method",
            legacy("foo/bar", json!({})),
            200,
            Some(-32601),
            "no method",
        ),
        of(
            "set level",
            legacy("logging/setLevel", json!({"level": "info"})),
            200,
            Some(-32601),
            "",
        ),
        of("ping", legacy("ping", json!({})), 200, None, "\"result\":{}"),
        of(
            "version nobody knows",
            list(),
            400,
            Some(-32022),
            "\"requested\":\"1900-01-01\"",
        )
        .with(VERSION, "1900-01-01"),
        of("session of another server", list(), 200, None, "tools").with("mcp-session-id", "00000000000000000000"),
        of(
            "handshake with such a session",
            handshake("2025-11-25"),
            200,
            None,
            "2025-11-25",
        )
        .with("mcp-session-id", "0000"),
        of("event to go on from", list(), 200, None, "tools").with("last-event-id", "7"),
        of(
            "notification",
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.into(),
            202,
            None,
            "",
        ),
        of(
            "notification nobody knows",
            r#"{"jsonrpc":"2.0","method":"notifications/foo"}"#.into(),
            202,
            None,
            "",
        ),
    ];
    for (asked, answered) in [
        ("2024-11-05", "\"protocolVersion\":\"2024-11-05\""),
        ("2025-03-26", "\"protocolVersion\":\"2025-03-26\""),
        ("2025-11-25", "\"protocolVersion\":\"2025-11-25\""),
        ("2026-07-28", "\"protocolVersion\":\"2025-11-25\""),
        ("2099-01-01", "\"protocolVersion\":\"2025-11-25\""),
        ("nonsense", "\"protocolVersion\":\"2025-11-25\""),
    ] {
        let name = format!("handshake {asked}");
        all.push(of(&name, handshake(asked), 200, None, answered).with(VERSION, asked));
        all.push(of(&format!("{name} alone"), handshake(asked), 200, None, answered).with(VERSION, "-"));
    }
    all
}

fn of_the_transport() -> Vec<Situation> {
    let ping = || legacy("ping", json!({}));
    let of = |name: &str, body: &[u8], status, code, part| {
        Situation::over_mcp(&format!("transport {name}"), body, status, code, part)
    };
    let pong = |name: &str, status, code, part| of(name, ping().as_bytes(), status, code, part);
    let raw = |name: &str, body: &str, code, part| of(name, body.as_bytes(), 400, Some(code), part);
    let nested = |depth: usize| {
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{WRITER}","arguments":{{"a":{}{}}}}}}}"#,
            "[".repeat(depth),
            "]".repeat(depth)
        )
    };
    let bad = Some(-32600);
    let mut all = vec![
        pong("accept json", 200, None, "{}").with("accept", "application/json"),
        pong("accept events", 200, None, "event: message\ndata: {").with("accept", "text/event-stream"),
        pong("accept anything", 200, None, "{}").with("accept", "*/*"),
        pong("accept unsaid", 200, None, "{}").with("accept", "-"),
        pong("accept neither", 406, bad, "Accept").with("accept", "text/html"),
        pong("accept neither by weight", 406, bad, "Accept").with("accept", "*/*;q=0"),
        pong("text", 415, bad, "Content-Type").with("content-type", "text/plain"),
        pong("charset", 200, None, "{}").with("content-type", "application/json; charset=utf-8"),
        pong("another charset", 415, bad, "UTF-8").with("content-type", "application/json; charset=utf-16"),
        pong("packed", 415, bad, "Content-Encoding").with("content-encoding", "gzip"),
        pong("slash", 200, None, "{}").at("/mcp/"),
        pong("query", 200, None, "{}").at("/mcp?x=1"),
        pong(
            "foreign host",
            403,
            bad,
            "let MEADOW_ALLOWED_HOSTS (the template's DomainName) name evil.example",
        )
        .with("host", "evil.example"),
        pong(
            "foreign origin",
            403,
            bad,
            "let MEADOW_ALLOWED_ORIGINS (the template's AllowedOrigins) name https://evil.example",
        )
        .with("origin", "https://evil.example"),
        pong("null origin", 403, bad, "null").with("origin", "null"),
        pong("no token", 401, Some(1401), "token").with("authorization", "none"),
        pong("wrong token", 401, Some(1401), "token").with("authorization", "Bearer mdw_none"),
        pong("below", 404, bad, "nothing at").at("/mcp/x"),
        raw("broken", r#"{"jsonrpc":"2.0","#, -32700, "line 1"),
        raw("empty", "", -32700, "Parse error"),
        raw("no message", r#"{"a":1}"#, -32600, "jsonrpc"),
        raw("null", "null", -32600, "object"),
        raw("batch", &format!("[{},{}]", ping(), ping()), -32600, "batch"),
        raw("empty batch", "[]", -32600, "batch"),
        raw("jsonrpc 1.0", r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600, "\"id\":1"),
        raw("id null", r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600, "`id`"),
        raw("id 1.5", r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600, "\"id\":1.5,"),
        raw(
            "id of 30 digits",
            r#"{"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"ping"}"#,
            -32600,
            "\"id\":123456789012345678901234567890,",
        ),
        raw("response", r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, -32600, "an answer"),
        raw("id twice", r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#, -32600, "duplicate"),
        raw("NUL", "\u{0}", -32700, "Parse error"),
        of("invalid UTF-8", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\xff\"}", 400, Some(-32700), "0xff"),
        of("id text", r#"{"jsonrpc":"2.0","id":"ü-1","method":"ping"}"#.as_bytes(), 200, None, "\"id\":\"ü-1\""),
        of(
            "id beyond doubles",
            br#"{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}"#,
            200,
            None,
            "\"id\":9007199254740993",
        ),
        of("levels", nested(5000).as_bytes(), 200, None, "\"isError\":true"),
        of("levels of 129", nested(129).as_bytes(), 200, None, "levels"),
        of(
            "NUL in a document",
            legacy("tools/call", json!({"name": WRITER, "arguments": {"version": "\u{0}"}})).as_bytes(),
            200,
            None,
            "NUL",
        ),
        of(
            "half of a pair",
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{WRITER}","arguments":{{"version":"\ud800"}}}}}}"#)
                .as_bytes(),
            200,
            None,
            "\"isError\":true",
        ),
        of(
            "document beyond the limit",
            legacy("tools/call", json!({"name": WRITER, "arguments": {"version": "x".repeat(4 << 20)}})).as_bytes(),
            413,
            bad,
            "at most 4194304 are allowed",
        ),
        of("envelope beyond the limit", legacy("ping", json!({"x": "x".repeat(70_000)})).as_bytes(), 400, bad, "65536"),
    ];
    for method in ["GET", "DELETE", "PUT", "PATCH", "HEAD"] {
        let part = if method == "HEAD" { "" } else { "by POST" };
        let code = if method == "HEAD" { None } else { bad };
        let other = of(method, b"", 405, code, part).by(method);
        all.push(other.clone().with("accept", "text/event-stream"));
        all.push(other.with("accept", "text/html,*/*").with("content-type", "-"));
    }
    all.push(of("OPTIONS", b"", 204, None, "").by("OPTIONS"));
    all
}

fn of_pages() -> Vec<Situation> {
    let ask = |name: &str, target: &'static str, status| {
        Situation::over_http(&format!("page {name}"), "OPTIONS", target, "", status, "")
            .with("origin", PAGE)
            .with("authorization", "none")
    };
    let preflight = |name: &str, target: &'static str, status| {
        ask(name, target, status)
            .with("access-control-request-method", "POST")
            .with(
                "access-control-request-headers",
                "content-type,mcp-session-id,mcp-protocol-version,authorization",
            )
    };
    let ping = || legacy("ping", json!({}));
    vec![
        preflight("preflight", "/mcp", 204),
        preflight("preflight of models", "/models/l", 204),
        preflight("preflight of nothing", "/nothing", 404),
        Situation {
            code: Some(-32600),
            ..preflight("preflight of another page", "/mcp", 403).with("origin", "https://evil.example")
        },
        ask("no preflight", "/model", 401),
        Situation::over_mcp("page call", ping(), 200, None, "{}").with("origin", PAGE),
        Situation::over_mcp("page broken", "{", 400, Some(-32700), "").with("origin", PAGE),
        Situation::over_mcp("page without token", ping(), 401, Some(1401), "")
            .with("origin", PAGE)
            .with("authorization", "none"),
        Situation::over_mcp("page GET", "", 405, Some(-32600), "")
            .by("GET")
            .with("origin", PAGE),
        Situation::over_http("page read", "GET", "/model", "", 200, "").with("origin", PAGE),
    ]
}

fn over_http() -> Vec<Situation> {
    let of = |name: &str, method, target, body: &str, status, part| {
        Situation::over_http(&format!("http {name}"), method, target, body, status, part)
    };
    let get = |target: &'static str, status, part| {
        of(
            &format!("GET {}", target.replace('%', "~")),
            "GET",
            target,
            "",
            status,
            part,
        )
    };
    let mut all = vec![
        of("slash", "GET", "/models/", "", 200, "next_cursor"),
        of(
            "half of a pair",
            "POST",
            "/model",
            r#"{"version":"\ud800"}"#,
            400,
            "surrogate",
        ),
        of("NUL", "POST", "/model", r#"{"version":"\u0000"}"#, 422, "NUL"),
        of(
            "keys twice",
            "POST",
            "/model",
            r#"{"version":"1","version":"2"}"#,
            422,
            "version",
        ),
        of(
            "levels",
            "POST",
            "/model",
            &format!("{{\"a\":{}{}}}", "[".repeat(200), "]".repeat(200)),
            422,
            "levels",
        ),
        of("number of no double", "POST", "/model", r#"{"a":1e400}"#, 422, "1e400"),
        of(
            "numbers as text",
            "POST",
            "/model",
            r#"{"interventions":[{"confidence":"0.7"}]}"#,
            422,
            "/interventions/0/confidence",
        ),
        // Over MCP these are read: `leniency.rs` of the tools' tests.
        of(
            "flags as text",
            "POST",
            "/model",
            r#"{"leverage_points":[{"is_applicable":"false"}]}"#,
            422,
            "/leverage_points/0/is_applicable",
        ),
        of(
            "lists as text",
            "POST",
            "/model",
            r#"{"stocks":"[{\"id\":\"a\"}]"}"#,
            422,
            "/stocks",
        ),
        of(
            "objects as text",
            "POST",
            "/model",
            r#"{"boundary":"{}"}"#,
            422,
            "/boundary",
        ),
        of(
            "a document as text",
            "POST",
            "/model",
            r#""{\"version\":\"1\"}""#,
            422,
            "an object",
        ),
        of(
            "beyond the limit",
            "POST",
            "/model",
            &" ".repeat((4 << 20) + 1),
            413,
            "4194304",
        ),
        of(
            "a megabyte",
            "POST",
            "/model",
            &megabyte().to_string(),
            200,
            "\"complete\"",
        ),
        of("another method", "POST", "/models", "{}", 405, "GET, HEAD, OPTIONS"),
        of("latest", "PUT", "/models/latest", "{}", 400, "latest"),
        of("health", "GET", "/healthz", "", 200, "ok").with("authorization", "none"),
        of("health of any host", "GET", "/healthz", "", 200, "ok")
            .with("host", "10.0.0.1")
            .with("authorization", "none"),
    ];
    all.extend([
        get("/models/.", 400, "letters"),
        get("/models/..", 400, "letters"),
        get("/models/~", 400, "letters"),
        get("//model", 404, "nothing at"),
        get("/model//", 404, "nothing at"),
        get("/models//l", 404, "nothing at"),
        get("/nothing", 404, "/models/{id}"),
    ]);
    all
}
