//! Clients that cancel their searches or go away, and many that search at once: what Semantic Scholar and arXiv see.

use crate::client::{Lines, Served, meadow};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// When a test gives up waiting. Never reached by what works.
const PATIENCE: Duration = Duration::from_secs(60);

/// How many a process has ask Semantic Scholar at a time.
const AT_ONCE: usize = 4;

/// What a source sees.
enum Seen {
    /// Somebody asks; whoever drops this answers.
    Asked(String, Sender<()>),
    /// A request was ended by whoever asked.
    Left,
}

/// A source whose answers are in the hands of the test.
struct Source {
    url: String,
    seen: Receiver<Seen>,
    /// Connections that were not answered yet, at most; one that was left counts on.
    most: Arc<AtomicUsize>,
}

impl Source {
    fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}/api", listener.local_addr().expect("an address"));
        let (events, seen) = channel();
        let (open, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let noted = Arc::clone(&most);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (stream, events) = (stream.expect("a connection"), events.clone());
                let (open, most) = (Arc::clone(&open), Arc::clone(&noted));
                thread::spawn(move || ask(stream, &events, &open, &most));
            }
        });
        Self { url, seen, most }
    }

    #[track_caller]
    fn next(&self) -> Seen {
        self.seen.recv_timeout(PATIENCE).expect("it is asked, or left")
    }

    /// The next request, and what lets it be answered.
    #[track_caller]
    fn asked(&self) -> (String, Sender<()>) {
        match self.next() {
            Seen::Asked(request, answer) => (request, answer),
            Seen::Left => panic!("a request was ended"),
        }
    }

    #[track_caller]
    fn left(&self) {
        if let Seen::Asked(request, _) = self.next() {
            panic!("somebody asks: {request}");
        }
    }

    /// So many searches, and which of them ask.
    #[track_caller]
    fn asking(&self, count: usize) -> (Vec<usize>, Vec<Sender<()>>) {
        let asked = (0..count).map(|_| self.asked());
        asked.map(|(request, answer)| (number(&request), answer)).unzip()
    }

    /// With this as Semantic Scholar, and no arXiv.
    fn as_s2(&self, mut command: Command) -> Command {
        command.env("MEADOW_S2_URL", &self.url).env("MEADOW_ARXIV_URL", "");
        command
    }
}

/// The number in the query of a request.
fn number(request: &str) -> usize {
    let digits = request.split("query").nth(2).unwrap_or_default();
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    digits[..end].parse().unwrap_or_else(|_| panic!("{request}"))
}

fn ask(mut stream: TcpStream, events: &Sender<Seen>, open: &AtomicUsize, most: &AtomicUsize) {
    most.fetch_max(open.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
    let mut request = Vec::new();
    let mut buffer = [0; 4096];
    while !request.windows(4).any(|end| end == b"\r\n\r\n") {
        match stream.read(&mut buffer) {
            Ok(read) if read > 0 => request.extend_from_slice(&buffer[..read]),
            _ => return,
        }
    }
    let line = String::from_utf8_lossy(&request)
        .lines()
        .next()
        .unwrap_or_default()
        .to_owned();
    let (answer, answered) = channel();
    // An error where the test is over.
    let _ = events.send(Seen::Asked(line, answer));
    let mut watched = stream.try_clone().expect("the same");
    let (left, done) = (events.clone(), Arc::new(AtomicBool::new(false)));
    let is_done = Arc::clone(&done);
    thread::spawn(move || {
        if matches!(watched.read(&mut [0]), Ok(0) | Err(_)) && !is_done.load(Ordering::SeqCst) {
            let _ = left.send(Seen::Left);
        }
    });
    // Told by the drop of the other end.
    let _ = answered.recv();
    // Before the client can know that it is answered.
    open.fetch_sub(1, Ordering::SeqCst);
    done.store(true, Ordering::SeqCst);
    let body = r#"{"total":1,"data":[{"paperId":"0123456789012345678901234567890123456789","title":"Found"}]}"#;
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ";
    let _ = write!(stream, "{head}{}\r\n\r\n{body}", body.len());
}

fn call(id: usize, sources: &str) -> String {
    let arguments = json!({"query": format!("query{id}"), "sources": sources});
    let params = json!({"name": "search_arxiv", "arguments": arguments});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}).to_string()
}

fn cancel(id: usize) -> String {
    json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}).to_string()
}

/// A client over stdio that has asked for fifty searches.
fn fifty_searches(source: &Source) -> Lines {
    let mut lines = Lines::of(source.as_s2(meadow(&["stdio", "--store", "memory:"])));
    for id in 0..50 {
        lines.send(&call(id, "s2"));
    }
    lines
}

#[test]
fn searches_that_are_cancelled_over_stdio_leave_semantic_scholar() {
    let source = Source::new();
    let mut lines = fifty_searches(&source);
    let (asking, _answers) = source.asking(AT_ONCE);
    // Those that wait first: the others would leave their places to them.
    for id in (0..50).filter(|id| !asking.contains(id)) {
        lines.send(&cancel(id));
    }
    for id in asking {
        lines.send(&cancel(id));
    }
    for _ in 0..AT_ONCE {
        source.left();
    }
    // Nobody waits any more: the next to ask is the next that comes.
    lines.send(&call(50, "s2"));
    let (request, _answer) = source.asked();
    assert_eq!(number(&request), 50);
    lines.send(&cancel(50));
    source.left();
    assert_eq!(source.most.load(Ordering::SeqCst), AT_ONCE + 1, "each was asked once");
    let (status, rest, said) = lines.end().ended();
    assert!(status.success() && rest.is_empty(), "{rest:?} {said:?}");
}

#[test]
fn searches_whose_clients_leave_over_http_leave_semantic_scholar() {
    for accept in ["application/json", "text/event-stream"] {
        let source = Source::new();
        let arguments = [
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--store",
            "memory:",
            "--log",
            "info",
        ];
        let served = Served::of(source.as_s2(meadow(&arguments)));
        let search = |id: usize| {
            let message = call(id, "s2");
            let head = served.http.head("POST", "/mcp", message.len(), "");
            let request = head.replace("application/json, text/event-stream", accept) + &message;
            let mut stream = served.http.connect();
            stream.write_all(request.as_bytes()).expect("it reads");
            stream
        };
        let searching: Vec<(usize, TcpStream)> = (0..20).map(|id| (id, search(id))).collect();
        let (asking, _answers) = source.asking(AT_ONCE);
        let (asking, mut waiting): (Vec<_>, Vec<_>) = searching.into_iter().partition(|(id, _)| asking.contains(id));
        if accept == "text/event-stream" {
            // The head leaves first, so that it is the body that they wait for.
            for (_, stream) in &mut waiting {
                let mut head = [0; "HTTP/1.1 200".len()];
                stream.read_exact(&mut head).expect("a head");
                assert_eq!(&head, b"HTTP/1.1 200");
            }
        }
        let leaving = waiting.len();
        drop(waiting);
        for _ in 0..leaving {
            served.process.says(r#""outcome":"cancelled""#);
        }
        drop(asking);
        for _ in 0..AT_ONCE {
            source.left();
        }
        let last = search(20);
        let (request, _answer) = source.asked();
        assert_eq!(number(&request), 20, "{accept}");
        drop(last);
        source.left();
        let (status, _, said) = served.stop();
        assert!(status.success());
        // Clients may leave: nothing is wrong.
        let wrong: Vec<_> = said.iter().filter(|line| line.contains(r#""level":"ERROR""#)).collect();
        assert!(wrong.is_empty(), "{wrong:?}");
    }
}

#[test]
fn of_many_searches_few_ask_semantic_scholar_at_a_time() {
    let source = Source::new();
    let lines = fifty_searches(&source);
    let (mut asked, answers) = source.asking(AT_ONCE);
    let mut answers = std::collections::VecDeque::from(answers);
    // Each that is answered lets one pass.
    while let Some(answer) = answers.pop_front() {
        drop(answer);
        let answered: Value = serde_json::from_str(&lines.next_line()).expect("JSON");
        let text = answered["result"]["content"][0]["text"].to_string();
        assert!(text.contains("status: ok") && text.contains("Found"), "{text}");
        if asked.len() < 50 {
            let (request, answer) = source.asked();
            asked.push(number(&request));
            answers.push_back(answer);
        }
    }
    asked.sort_unstable();
    assert_eq!(asked, (0..50).collect::<Vec<_>>());
    assert_eq!(source.most.load(Ordering::SeqCst), AT_ONCE);
}

#[test]
fn a_search_that_is_cancelled_gives_the_turn_at_arxiv_back() {
    let source = Source::new();
    let folder = tempfile::tempdir().expect("a folder");
    let store = format!("sqlite:{}", folder.path().join("meadow.db").display());
    let mut command = meadow(&["stdio", "--store", &store, "--log", "info"]);
    command.env("MEADOW_ARXIV_URL", &source.url).env("MEADOW_S2_URL", "");
    let mut lines = Lines::of(command);
    lines.send(&call(0, "arxiv"));
    let (_request, _answer) = source.asked();
    let before = Instant::now();
    lines.send(&cancel(0));
    lines.process.says(r#""outcome":"cancelled""#);
    source.left();
    lines.send(&call(1, "arxiv"));
    let (_request, _answer) = source.asked();
    // Clocks of turns count milliseconds.
    let gap = before.elapsed() + Duration::from_millis(1);
    assert!(gap >= Duration::from_secs(3), "{gap:?}");
    assert_eq!(source.most.load(Ordering::SeqCst), 2);
}
