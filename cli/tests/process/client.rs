//! Starts the binary and talks to it, with nothing but the standard library.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

/// When a test gives up on a process. Never reached by one that works.
const PATIENCE: Duration = Duration::from_secs(60);

/// A folder or file of the repository.
pub(crate) fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// The text of one of the example models.
pub(crate) fn model(name: &str) -> String {
    std::fs::read_to_string(repository("models").join(name)).expect("a model")
}

/// The binary, without settings of whoever runs the tests.
pub(crate) fn meadow(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_meadow"));
    command.args(arguments);
    for variable in [
        "MEADOW_STORE",
        "MEADOW_DATA",
        "MEADOW_WORKSPACE",
        "MEADOW_LOG",
        "MEADOW_LISTEN",
        "MEADOW_AUTH",
        "MEADOW_MAX_REQUESTS",
        "MEADOW_POSTGRES",
        "MEADOW_POSTGRES_CA",
        "MEADOW_ARXIV_URL",
        "MEADOW_S2_URL",
        "MEADOW_S2_KEY",
        "MEADOW_CONTACT",
        "PGPASSWORD",
    ] {
        command.env_remove(variable);
    }
    command
}

/// Runs the binary to its end: exit code, standard output, standard error.
pub(crate) fn run(arguments: &[&str]) -> (i32, String, String) {
    run_with(arguments, "")
}

/// The same with something on standard input.
pub(crate) fn run_with(arguments: &[&str], input: &str) -> (i32, String, String) {
    let (process, mut stdin) = Process::start(meadow(arguments));
    // A process that reads nothing may have ended before.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    let (status, stdout, stderr) = process.ended();
    (status.code().expect("no signal"), stdout.join("\n"), stderr.join("\n"))
}

/// A running process; killed when a test leaves it.
pub(crate) struct Process {
    child: Child,
    pub(crate) stdout: Receiver<String>,
    pub(crate) stderr: Receiver<String>,
}

impl Process {
    pub(crate) fn start(mut command: Command) -> (Self, ChildStdin) {
        let command = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        let stdin = child.stdin.take().expect("piped");
        let stdout = lines(child.stdout.take().expect("piped"));
        let stderr = lines(child.stderr.take().expect("piped"));
        (Self { child, stdout, stderr }, stdin)
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// The next line on stderr that holds `part`.
    #[track_caller]
    pub(crate) fn says(&self, part: &str) -> String {
        loop {
            let line = self.stderr.recv_timeout(PATIENCE);
            let line = line.unwrap_or_else(|error| panic!("{part:?} is never said: {error}"));
            if line.contains(part) {
                return line;
            }
        }
    }

    /// Sends SIGTERM. The shell's own `kill`: no other program is needed.
    pub(crate) fn terminate(&self) {
        let sent = Command::new("sh")
            .args(["-c", &format!("kill -TERM {}", self.id())])
            .status();
        assert!(sent.expect("sh").success());
    }

    /// Returns once it has closed its standard output, as it does at its end.
    pub(crate) fn closes(&self) {
        rest(&self.stdout);
    }

    /// How it ended, and what else it wrote to stdout and stderr.
    pub(crate) fn ended(mut self) -> (ExitStatus, Vec<String>, Vec<String>) {
        // Both streams end with the process, so that to read them is to wait for it.
        let (stdout, stderr) = (rest(&self.stdout), rest(&self.stderr));
        (self.child.wait().expect("it ended"), stdout, stderr)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // An error means that it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// All lines up to the end of the stream.
fn rest(lines: &Receiver<String>) -> Vec<String> {
    let mut rest = Vec::new();
    loop {
        match lines.recv_timeout(PATIENCE) {
            Ok(line) => rest.push(line),
            Err(mpsc::RecvTimeoutError::Disconnected) => return rest,
            Err(mpsc::RecvTimeoutError::Timeout) => panic!("it does not end; so far {rest:?}"),
        }
    }
}

/// The lines of a stream, read on a thread so that a full pipe never blocks the process.
fn lines(stream: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stream).split(b'\n') {
            let Ok(line) = line else { return };
            if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                return;
            }
        }
    });
    receiver
}

/// An answer over HTTP.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: String,
}

impl Answer {
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// An HTTP server at an address.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Http(pub(crate) SocketAddr);

impl Http {
    /// The server of this URL.
    #[track_caller]
    pub(crate) fn at(url: &str) -> Self {
        Self(
            url.strip_prefix("http://")
                .and_then(|a| a.parse().ok())
                .unwrap_or_else(|| panic!("{url:?}")),
        )
    }

    pub(crate) fn connect(self) -> TcpStream {
        let stream = TcpStream::connect(self.0).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        stream
    }

    /// The head of a request for a body of `length` bytes.
    pub(crate) fn head(self, method: &str, path: &str, length: usize, more: &str) -> String {
        format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncontent-type: application/json\r\n\
             accept: application/json, text/event-stream\r\n{more}content-length: {length}\r\n\r\n",
            self.0
        )
    }

    /// Returns once no more connections are taken.
    pub(crate) fn closes(self) {
        let started = Instant::now();
        while TcpStream::connect(self.0).is_ok() {
            assert!(started.elapsed() < PATIENCE, "it goes on to listen");
            std::thread::yield_now();
        }
    }

    pub(crate) fn get(self, path: &str) -> Answer {
        self.request("GET", path, "")
    }

    pub(crate) fn post(self, path: &str, body: &str) -> Answer {
        self.request("POST", path, body)
    }

    fn request(self, method: &str, path: &str, body: &str) -> Answer {
        let mut stream = self.connect();
        let message = self.head(method, path, body.len(), "") + body;
        stream.write_all(message.as_bytes()).expect("it reads");
        answer(&mut stream)
    }

    /// The result of a JSON-RPC request.
    #[track_caller]
    pub(crate) fn rpc(self, method: &str, params: &Value) -> Value {
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let answer = self.post("/mcp", &message.to_string());
        assert_eq!(answer.status, 200, "{answer:?}");
        result(&answer.json())
    }
}

/// Reads to the end of the connection.
pub(crate) fn answer(stream: &mut TcpStream) -> Answer {
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("an answer");
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{text:?}"));
    assert!(!head.contains("transfer-encoding"), "{head}");
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    Answer {
        status: status.unwrap_or_else(|| panic!("{head:?}")),
        body: body.to_owned(),
    }
}

#[track_caller]
fn result(message: &Value) -> Value {
    assert_eq!(message["jsonrpc"], "2.0", "{message}");
    assert!(message["result"].is_object(), "{message}");
    message["result"].clone()
}

/// What a client says first.
pub(crate) fn hello() -> Value {
    json!({
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "process test", "version": "1"}
    })
}

/// `meadow serve` on a free port.
pub(crate) struct Served {
    pub(crate) process: Process,
    pub(crate) http: Http,
}

impl Served {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut command = meadow(&["serve", "--listen", "127.0.0.1:0"]);
        command.args(arguments);
        Self::of(command)
    }

    /// What `command` starts.
    pub(crate) fn of(command: Command) -> Self {
        let (process, _) = Process::start(command);
        let url = process.stdout.recv_timeout(PATIENCE).unwrap_or_else(|_| {
            panic!(
                "no URL on stdout; stderr: {:?}",
                process.stderr.iter().collect::<Vec<_>>()
            );
        });
        let http = Http::at(&url);
        Self { process, http }
    }

    pub(crate) fn stop(self) -> (ExitStatus, Vec<String>, Vec<String>) {
        self.process.terminate();
        self.process.ended()
    }
}

/// `meadow stdio`.
pub(crate) struct Lines {
    pub(crate) process: Process,
    stdin: Option<ChildStdin>,
    next: u64,
}

impl Lines {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut command = meadow(&["stdio"]);
        command.args(arguments);
        Self::of(command)
    }

    /// What `command` starts.
    pub(crate) fn of(command: Command) -> Self {
        let (process, stdin) = Process::start(command);
        Self {
            process,
            stdin: Some(stdin),
            next: 0,
        }
    }

    /// Begins as clients do.
    #[track_caller]
    pub(crate) fn initialize(&mut self) -> Value {
        let result = self.rpc("initialize", &hello());
        self.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        result
    }

    pub(crate) fn send(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().expect("still open");
        stdin.write_all(format!("{line}\n").as_bytes()).expect("it reads");
    }

    pub(crate) fn next_line(&self) -> String {
        self.process.stdout.recv_timeout(PATIENCE).expect("a line")
    }

    /// The result of a request.
    #[track_caller]
    pub(crate) fn rpc(&mut self, method: &str, params: &Value) -> Value {
        self.next += 1;
        let message = json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params});
        self.send(&message.to_string());
        let answer: Value = serde_json::from_str(&self.next_line()).expect("JSON");
        assert_eq!(answer["id"], self.next, "{answer}");
        result(&answer)
    }

    /// Ends standard input.
    pub(crate) fn end(mut self) -> Process {
        drop(self.stdin.take());
        self.process
    }
}

/// The parameters of a call of the writer with this document.
pub(crate) fn written(document: &str) -> Value {
    let document: Value = serde_json::from_str(document).expect("JSON");
    json!({"name": "systems_thinking_writer", "arguments": document})
}
