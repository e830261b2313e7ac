//! `meadow search`: processes that take turns at one server.

use crate::client::{meadow, run};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

const FEED: &str = "<feed xmlns:o='http://a9.com/-/spec/opensearch/1.1/'><o:totalResults>1</o:totalResults><entry>\
<id>http://arxiv.org/abs/2301.00010v1</id><title>Found</title></entry></feed>";

/// arXiv, as far as it matters here: it answers after a while, and notes when a request came and when it ended.
#[derive(Default)]
struct Seen {
    times: Mutex<Vec<(Instant, Instant)>>,
    open: AtomicUsize,
    most: AtomicUsize,
}

fn server() -> (String, Arc<Seen>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/api/query", listener.local_addr().expect("an address"));
    let seen = Arc::new(Seen::default());
    let noted = Arc::clone(&seen);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (stream, seen) = (stream.expect("a connection"), Arc::clone(&noted));
            thread::spawn(move || answer(stream, &seen));
        }
    });
    (url, seen)
}

fn answer(mut stream: TcpStream, seen: &Seen) {
    let came = Instant::now();
    let open = seen.open.fetch_add(1, Ordering::SeqCst) + 1;
    seen.most.fetch_max(open, Ordering::SeqCst);
    let mut request = Vec::new();
    let mut buffer = [0; 4096];
    while !request.windows(4).any(|end| end == b"\r\n\r\n") {
        let read = stream.read(&mut buffer).expect("a request");
        assert!(read > 0, "the request broke off");
        request.extend_from_slice(&buffer[..read]);
    }
    // As long as a request takes.
    thread::sleep(Duration::from_millis(200));
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/atom+xml\r\nconnection: close\r\ncontent-length: ";
    // Ended before the client can know that it did.
    seen.times.lock().expect("a lock").push((came, Instant::now()));
    seen.open.fetch_sub(1, Ordering::SeqCst);
    let _ = write!(stream, "{head}{}\r\n\r\n{FEED}", FEED.len());
}

#[test]
fn processes_on_one_store_take_turns_at_arxiv() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = format!("sqlite:{}", folder.path().join("meadow.db").display());
    let (url, seen) = server();
    let started: Vec<_> = (0..4)
        .map(|n| {
            let query = format!("query{n}");
            let mut command = meadow(&["search", &query, "--store", &store]);
            command.env("MEADOW_ARXIV_URL", &url).env("MEADOW_S2_URL", "");
            command
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
            command.spawn().expect("it starts")
        })
        .collect();
    let mut answered = 0;
    for process in started {
        let output = process.wait_with_output().expect("it ends");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        match output.status.code() {
            Some(0) => {
                assert!(text.starts_with("status: ok") && text.contains("**Found**"), "{text}");
                answered += 1;
            }
            // On a slow machine the last ones find no turn in time, and say so.
            Some(3) => assert!(
                text.starts_with("status: unavailable") && text.contains("one request at a time"),
                "{text}"
            ),
            other => panic!("{other:?}: {text} {}", String::from_utf8_lossy(&output.stderr)),
        }
    }
    assert!(answered >= 2, "{answered} of 4");
    assert_eq!(seen.most.load(Ordering::SeqCst), 1, "two requests at once");
    let mut times = seen.times.lock().expect("a lock").clone();
    times.sort();
    assert_eq!(times.len(), answered);
    for pair in times.windows(2) {
        let gap = pair[1].0 - pair[0].1;
        assert!(gap >= Duration::from_secs(3), "{gap:?}");
    }

    // What was found is kept: nobody is asked again.
    let (url, asked) = (url, times.len());
    let mut again = meadow(&["search", "query0", "--json", "--store", &store]);
    again.env("MEADOW_ARXIV_URL", url).env("MEADOW_S2_URL", "");
    let output = again.output().expect("it ends");
    if output.status.success() && seen.times.lock().expect("a lock").len() == asked {
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(answer["papers"][0]["title"], "Found");
    }
}

#[test]
fn wrong_use_is_named_and_silence_is_a_failure() {
    let (code, out, said) = run(&[
        "search",
        "x",
        "--max",
        "99",
        "--from",
        "soon",
        "--categories",
        "cs.ZZ",
        "--store",
        "memory:",
    ]);
    assert_eq!((code, out.as_str()), (2, ""));
    for part in ["--max: found 99", "come with --start", "--from: ", "--categories: "] {
        assert!(said.contains(part), "{said}");
    }
    let (code, _, said) = run(&[
        "search",
        "?",
        "--from",
        "2024",
        "--to",
        "2023",
        "--sort",
        "x",
        "--sources",
        "x",
        "--start",
        "9999999",
    ]);
    assert_eq!(code, 2);
    for part in [
        "QUERY: ",
        "--to: 2023-12-31 is before --from",
        "--sort: ",
        "--sources: ",
        "--start: ",
    ] {
        assert!(said.contains(part), "{said}");
    }
    assert!(!said.contains('`'), "{said}");
    let search = |url: &str| {
        let mut command = meadow(&["search", "x", "--store", "memory:"]);
        command.env("MEADOW_ARXIV_URL", url).env("MEADOW_S2_URL", "");
        command.output().expect("it ends")
    };
    let output = search("");
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("status: unavailable"));
    assert_eq!(search("nowhere").status.code(), Some(2));
}
