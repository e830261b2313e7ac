//! A server that plays what goes wrong, over real sockets; durations are short so that nobody waits.

use crate::http::Limits;
use crate::{Config, sources_within};
use meadow_papers::{Asked, PaperId, Search, SourceKind, Status};
use meadow_service::clock::{Clock, SystemClock, Timestamp};
use meadow_service::ids::WriteId;
use meadow_service::{Literature, MemoryCache, Slots, StoreError, Turn};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What the server does with a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// It answers with this status line, type and body.
    Answers(&'static str, &'static str, &'static str),
    /// It sends invalid UTF-8 as a feed.
    Garbage,
    /// It never answers.
    Silent,
    /// It sends a byte now and then.
    Drips,
    /// It sends 10 MB.
    Large,
    /// It promises more than it sends.
    Half,
    /// It closes at once.
    Closes,
    /// It sends the client around in a circle.
    Redirects,
    /// It sends the client to a file.
    ToFile,
}

const ATOM: &str = "application/atom+xml";
const JSON: &str = "application/json";
const ENTRY: &str = "<feed xmlns:o='http://a9.com/-/spec/opensearch/1.1/'><o:totalResults>1</o:totalResults><entry>\
<id>http://arxiv.org/abs/2301.00010v1</id><title>Found</title></entry></feed>";
const EMPTY: &str = "<feed xmlns:o='http://a9.com/-/spec/opensearch/1.1/'><o:totalResults>0</o:totalResults></feed>";
const ERROR: &str = "<feed><entry><id>https://arxiv.org/api/errors#x</id><title>Error</title><summary>incorrect id format for \
abc</summary></entry></feed>";
const BOMB: &str = "<!DOCTYPE f [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">]><feed><title>&b;&b;</title></feed>";
const RECORDS: &str = r#"{"total":1,"data":[{"paperId":"2d5673caa9e6af3a7b82a43f19ee920992db07ad","title":"Found"}]}"#;
const BATCH: &str = r#"[{"paperId":"2d5673caa9e6af3a7b82a43f19ee920992db07ad","title":"Found"},null]"#;

const OK: &str = "200 OK";

/// A server that plays faults one after the other, the last for ever, and remembers the requests.
struct Server {
    url: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    async fn start(faults: &[Fault]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (seen, faults) = (Arc::clone(&requests), faults.to_vec());
        tokio::spawn(async move {
            for n in 0.. {
                let Ok((socket, _)) = listener.accept().await else { return };
                let fault = faults[n.min(faults.len() - 1)];
                tokio::spawn(play(socket, fault, Arc::clone(&seen)));
            }
        });
        Self { url, requests }
    }

    fn seen(&self) -> Vec<String> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

async fn play(mut socket: TcpStream, fault: Fault, seen: Arc<Mutex<Vec<String>>>) -> Option<()> {
    let mut request = Vec::new();
    let mut buffer = [0; 4096];
    while !request.windows(4).any(|end| end == b"\r\n\r\n") {
        let read = socket.read(&mut buffer).await.ok()?;
        if read == 0 {
            return None;
        }
        request.extend_from_slice(&buffer[..read]);
    }
    seen.lock().unwrap_or_else(PoisonError::into_inner).push(String::from_utf8_lossy(&request).into_owned());
    let head = |status: &str, kind: &str, length: usize| {
        format!("HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n")
    };
    match fault {
        Fault::Answers(status, kind, body) => {
            socket.write_all(format!("{}{body}", head(status, kind, body.len())).as_bytes()).await.ok()?;
        }
        Fault::Garbage => {
            socket.write_all(head(OK, ATOM, 8).as_bytes()).await.ok()?;
            socket.write_all(b"<feed>\xff\xfe").await.ok()?;
        }
        Fault::Silent => std::future::pending().await,
        Fault::Drips => {
            socket.write_all(head(OK, ATOM, 1_000_000).as_bytes()).await.ok()?;
            loop {
                socket.write_all(b" ").await.ok()?;
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
        Fault::Large => {
            socket.write_all(head(OK, ATOM, 10 << 20).as_bytes()).await.ok()?;
            let chunk = vec![b' '; 1 << 16];
            for _ in 0..160 {
                socket.write_all(&chunk).await.ok()?;
            }
        }
        Fault::Half => {
            socket.write_all(format!("{}{}", head(OK, ATOM, ENTRY.len()), &ENTRY[..80]).as_bytes()).await.ok()?;
        }
        Fault::Closes => {}
        Fault::Redirects => {
            let text = "HTTP/1.1 302 Found\r\nlocation: /again\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
            socket.write_all(text.as_bytes()).await.ok()?;
        }
        Fault::ToFile => {
            let text = "HTTP/1.1 302 Found\r\nlocation: file:///etc/passwd\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
            socket.write_all(text.as_bytes()).await.ok()?;
        }
    }
    socket.shutdown().await.ok()
}

/// Turns that come at once: spacing has tests of its own, in time that moves.
#[derive(Debug, Default)]
struct AtOnce(Mutex<Vec<Duration>>);

#[async_trait::async_trait]
impl Slots for AtOnce {
    async fn take(&self, _: &str, _: WriteId, _: Timestamp, _: Duration) -> Result<Turn, StoreError> {
        Ok(Turn::Yours)
    }

    async fn give_back(&self, _: &str, _: WriteId, next: Timestamp) -> Result<(), StoreError> {
        let pause = Duration::from_millis(next.0.saturating_sub(SystemClock.now().0));
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(pause);
        Ok(())
    }
}

const LIMITS: Limits = Limits {
    connect: Duration::from_millis(400),
    attempt: Duration::from_millis(600),
    body: 8 << 20,
};

struct Desk {
    literature: Literature,
    slots: Arc<AtOnce>,
}

fn desk(arxiv: &str, s2: &str, key: Option<&str>) -> Desk {
    let config = Config {
        arxiv_url: if arxiv.is_empty() { String::new() } else { format!("{arxiv}/api/query") },
        s2_url: if s2.is_empty() { String::new() } else { format!("{s2}/graph/v1/") },
        s2_key: key.map(str::to_owned),
        contact: Some("mailto:me@example.org".into()),
    };
    let sources = sources_within(&config, LIMITS).expect("sources");
    let slots = Arc::new(AtOnce::default());
    let cache = Arc::new(MemoryCache::new());
    let literature = Literature::new(sources, cache, slots.clone(), Arc::new(SystemClock));
    Desk { literature, slots }
}

fn search() -> Search {
    Search::new(Asked {
        query: "graph".into(),
        date_from: Some("2023".into()),
        categories: vec!["cs.LG".into()],
        ..Asked::default()
    })
    .expect("a search")
}

#[track_caller]
fn check_pause(slots: &AtOnce, expected: u64) {
    let pauses = slots.0.lock().unwrap_or_else(PoisonError::into_inner);
    let last = pauses.last().expect("a turn was given back").as_millis() as u64;
    assert!(last <= expected * 1_000 && last > expected * 1_000 - 2_000, "{last} ms, expected {expected} s");
}

#[tokio::test]
async fn what_arxiv_does_wrong_stands_in_the_answer() {
    use Fault::Answers;
    use Status::{RateLimited, Unavailable};
    for (fault, status, part, pause) in [
        (Answers("429 Too Many Requests", "text/plain", "Rate exceeded."), RateLimited, "429", 60),
        (Answers(OK, "text/plain", "Rate exceeded."), RateLimited, "fewer requests", 60),
        (Answers("406 Not Acceptable", "text/html", "<html>"), RateLimited, "406", 600),
        (Answers("503 Service Unavailable", "text/plain", "no"), Unavailable, "503", 60),
        (Answers("500 Internal Server Error", "text/plain", "no"), Unavailable, "status 500", 3),
        (Answers(OK, "text/html", "<!DOCTYPE html><html><p>Hi</html>"), Unavailable, "web page", 3),
        (Answers(OK, ATOM, BOMB), Unavailable, "document type", 3),
        (Answers(OK, ATOM, ERROR), Unavailable, "incorrect id format", 3),
        (Answers("400 Bad Request", ATOM, ERROR), Unavailable, "incorrect id format", 3),
        (Answers(OK, ATOM, "<feed>"), Unavailable, "breaks off", 3),
        (Answers(OK, ATOM, ""), Unavailable, "no feed", 3),
        (Fault::Garbage, Unavailable, "UTF-8", 3),
        (Fault::Silent, Unavailable, "did not answer", 3),
        (Fault::Drips, Unavailable, "did not answer", 3),
        (Fault::Large, Unavailable, "larger than", 3),
        (Fault::Half, Unavailable, "broke off", 3),
        (Fault::Closes, Unavailable, "", 3),
        (Fault::Redirects, Unavailable, "redirects", 3),
        (Fault::ToFile, Unavailable, "", 3),
    ] {
        let server = Server::start(&[fault]).await;
        let desk = desk(&server.url, "", None);
        let answer = desk.literature.search(&search()).await;
        let reason = answer.reason.clone().unwrap_or_default();
        assert_eq!(answer.status, status, "{fault:?}: {reason}");
        assert!(reason.starts_with("arXiv: ") && reason.contains(part), "{fault:?}: {reason}");
        assert!(!reason.contains("127.0.0.1") || reason.len() < 200, "{reason}");
        check_pause(&desk.slots, pause);
        let expected = if fault == Fault::Redirects { 4 } else { 1 };
        assert_eq!(server.seen().len(), expected, "{fault:?}");
    }
}

#[tokio::test]
async fn nobody_there_is_unavailable() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    drop(listener);
    let answer = desk(&url, &url, None).literature.search(&search()).await;
    assert_eq!(answer.status, Status::Unavailable);
    assert!(answer.reason.as_deref().is_some_and(|reason| reason.contains("no connection")), "{answer:?}");
}

#[tokio::test]
async fn what_semantic_scholar_does_wrong_stands_beside_what_arxiv_found() {
    use Fault::Answers;
    for (fault, status, part) in [
        (Answers("429 Too Many Requests", JSON, "{}"), Status::RateLimited, "429"),
        (Answers("403 Forbidden", JSON, r#"{"message":"Forbidden"}"#), Status::Unavailable, "key (403: Forbidden)"),
        (Answers("400 Bad Request", JSON, r#"{"error":"Bad fields"}"#), Status::Unavailable, "Bad fields"),
        (Answers("404 Not Found", JSON, r#"{"error":"gone"}"#), Status::Unavailable, "gone"),
        (Answers("502 Bad Gateway", "text/html", "<html>"), Status::Unavailable, "fails (502)"),
        (Answers(OK, "text/html", "<html>"), Status::Unavailable, "web page"),
        (Answers(OK, JSON, "{\"total\":1"), Status::Unavailable, "cannot be read"),
        (Fault::Silent, Status::Unavailable, "did not answer"),
        (Fault::Large, Status::Unavailable, "larger than"),
    ] {
        let (arxiv, s2) = (Server::start(&[Answers(OK, ATOM, ENTRY)]).await, Server::start(&[fault]).await);
        let answer = desk(&arxiv.url, &s2.url, Some("hush")).literature.search(&search()).await;
        assert_eq!((answer.status, answer.papers.len()), (Status::Partial, 1), "{fault:?}: {answer:?}");
        let report = answer.sources.iter().find(|report| report.source == SourceKind::S2).expect("a report");
        assert_eq!(report.status, status, "{fault:?}");
        assert!(report.reason.as_deref().is_some_and(|reason| reason.contains(part)), "{report:?}");
        assert!(!answer.markdown().contains("hush"));
    }
}

#[tokio::test]
async fn empty_then_full_is_full() {
    let server = Server::start(&[Fault::Answers(OK, ATOM, EMPTY), Fault::Answers(OK, ATOM, ENTRY)]).await;
    let answer = desk(&server.url, "", None).literature.search(&search()).await;
    assert_eq!((answer.status, answer.papers.len(), server.seen().len()), (Status::Ok, 1, 2), "{answer:?}");
}

#[tokio::test]
async fn requests_say_what_they_must() {
    let arxiv = Server::start(&[Fault::Answers(OK, ATOM, ENTRY)]).await;
    let s2 = Server::start(&[Fault::Answers(OK, JSON, RECORDS), Fault::Answers(OK, JSON, BATCH)]).await;
    let desk = desk(&arxiv.url, &s2.url, Some("hush"));
    let answer = desk.literature.search(&search()).await;
    assert_eq!((answer.status, answer.papers.len()), (Status::Ok, 2));
    let ids = ["2301.00020v2", "2d5673caa9e6af3a7b82a43f19ee920992db07ae"].map(|id| id.parse::<PaperId>().expect("an id"));
    let answer = desk.literature.papers(&ids).await;
    assert_eq!(answer.unknown, ids[1..], "{answer:?}");

    let seen = arxiv.seen();
    let first = seen[0].to_lowercase();
    assert!(
        first.starts_with(
            "get /api/query?search_query=%28all%3agraph%29+and+%28cat%3acs.lg%29+and+submitteddate%3a%5b202301010000+to+299912312359%5d&start=0&max_results=30&sortby=relevance&sortorder=descending http/1.1"
        ),
        "{first}"
    );
    let agent = concat!("user-agent: meadow/", env!("CARGO_PKG_VERSION"), " (+mailto:me@example.org)\r\n");
    for part in [agent, "accept: application/atom+xml, text/xml, */*\r\n"] {
        assert!(first.contains(part), "{first}");
    }
    assert!(!first.contains("cookie") && !first.contains("hush"));
    assert!(seen[1].starts_with("GET /api/query?id_list=2301.00020v2&max_results=1 "), "{}", seen[1]);

    let seen = s2.seen();
    assert!(seen[0].starts_with("GET /graph/v1/paper/search?query=graph&fields=paperId"), "{}", seen[0]);
    for part in ["offset=0&limit=30", "publicationDateOrYear=2023-01-01%3A&", "fieldsOfStudy=Computer+Science", "x-api-key: hush"] {
        assert!(seen[0].contains(part), "{part}: {}", seen[0]);
    }
    assert!(seen[1].starts_with("POST /graph/v1/paper/batch?fields=paperId"), "{}", seen[1]);
}
