//! What comes over real sockets: answers that break off, are too long, or say that something is wrong elsewhere.

use super::{MOST, path, vault_with, write};
use crate::place::Place;
use crate::{Credentials, S3Vault};
use aws_credential_types::provider::error::CredentialsError;
use aws_credential_types::provider::{ProvideCredentials, SharedCredentialsProvider, future};
use aws_runtime::auth::sigv4::SCHEME_ID;
use meadow_service::Workspace;
use meadow_service::notes::{Expect, NoteStore, VaultError, WriteOutcome};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What a connection gets for its request, before it is closed.
type Answer = Vec<u8>;

type Respond = dyn Fn(&str, usize) -> Answer + Send + Sync;

/// A server that answers each connection by the request's head and how many there were before, and keeps the heads.
#[derive(Debug)]
struct Server {
    place: Place,
    heads: Arc<Mutex<Vec<String>>>,
}

impl Server {
    async fn new(answer: impl Fn(&str, usize) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let heads = Arc::new(Mutex::new(Vec::new()));
        let (kept, answer) = (Arc::clone(&heads), Arc::new(answer));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (kept, answer) = (Arc::clone(&kept), Arc::clone(&answer));
                tokio::spawn(async move { serve(stream, &kept, &*answer).await });
            }
        });
        let place = Place {
            bucket: "notes".to_owned(),
            prefix: String::new(),
            endpoint: Some(url),
        };
        Self { place, heads }
    }

    fn vault(&self) -> S3Vault {
        vault_with(&self.place, |_| {})
    }

    fn heads(&self) -> Vec<String> {
        self.heads.lock().expect("no panic").clone()
    }
}

/// One request; a peer that goes away is no fault of a test.
async fn serve(mut stream: TcpStream, heads: &Mutex<Vec<String>>, answer: &Respond) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => return,
        }
    }
    let head = String::from_utf8(head).expect("ASCII");
    let mut body = vec![0; said(&head, "content-length").map_or(0, |n| n.parse().expect("a number"))];
    if stream.read_exact(&mut body).await.is_err() {
        return;
    }
    let number = {
        let mut heads = heads.lock().expect("no panic");
        heads.push(head.clone());
        heads.len() - 1
    };
    let answer = answer(&head, number);
    let _gone = stream.write_all(&answer).await;
    let _gone = stream.shutdown().await;
}

/// A header of a request.
fn said<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let mut lines = head.lines().filter_map(|line| line.split_once(": "));
    lines
        .find(|(said, _)| said.eq_ignore_ascii_case(name))
        .map(|(_, value)| value)
}

fn answer(status: &str, headers: &str, body: &str) -> Answer {
    let size = body.len();
    format!("HTTP/1.1 {status}\r\ncontent-length: {size}\r\nconnection: close\r\n{headers}\r\n{body}").into_bytes()
}

/// An error as S3 says it.
fn error(status: &str, headers: &str, code: &str) -> Answer {
    answer(status, headers, &format!("<Error><Code>{code}</Code></Error>"))
}

const PAGE: &str = "<ListBucketResult><Contents><Key>default/a.md</Key><Size>4</Size></Contents></ListBucketResult>";

async fn read(vault: &S3Vault) -> Result<String, VaultError> {
    let note = vault.read(&Workspace::default(), &path("a.md"), MOST).await?;
    Ok(String::from_utf8(note.expect("a note").bytes).expect("UTF-8"))
}

async fn list(vault: &S3Vault) -> Result<usize, VaultError> {
    vault.list(&Workspace::default()).await.map(|list| list.len())
}

/// What passes is asked for again, twice; what does not pass is not.
#[tokio::test]
async fn what_passes_is_tried_again() {
    let whole = answer("200 OK", "", PAGE);
    let broken_off = whole[..whole.len() - 40].to_vec();
    let unended = answer("200 OK", "", &PAGE[..PAGE.len() - 40]);
    for (fault, passes) in [
        (Vec::new(), true),
        (b"HTTP/1.1 200".to_vec(), true),
        (broken_off, true),
        (unended, true),
        (error("503 Slow Down", "", "SlowDown"), true),
        (error("500 Internal Server Error", "", "InternalError"), true),
        (error("400 Bad Request", "", "RequestTimeout"), true),
        (answer("429 Too Many Requests", "", ""), true),
        (answer("502 Bad Gateway", "", "<html>"), true),
        (error("400 Bad Request", "", "InvalidArgument"), false),
        (error("403 Forbidden", "", "AccessDenied"), false),
        (answer("501 Not Implemented", "", ""), false),
    ] {
        let shown = String::from_utf8_lossy(&fault).into_owned();
        for times in [2, 3] {
            let (fault, whole) = (fault.clone(), whole.clone());
            let server = Server::new(move |_, n| if n < times { fault.clone() } else { whole.clone() }).await;
            let listed = list(&server.vault()).await;
            assert_eq!(listed.is_ok(), passes && times == 2, "{shown:?}: {listed:?}");
            assert_eq!(server.heads().len(), if passes { 3 } else { 1 }, "{shown:?}");
        }
    }
}

/// S3 refuses a write whose length is not said (411), that of an empty note too.
#[tokio::test]
async fn a_write_says_its_length() {
    for (text, length) in [("", "0"), ("# A\n", "4")] {
        let server = Server::new(|head, _| match head.split(' ').next() {
            Some("PUT") => answer("200 OK", "etag: \"e\"\r\n", ""),
            Some("GET") => answer("200 OK", "", PAGE),
            _ => answer("404 Not Found", "", ""),
        })
        .await;
        let done = write(&server.vault(), "a.md", text, &Expect::Any).await;
        assert!(matches!(done, Ok(WriteOutcome::Written(_))), "{done:?}");
        let heads = server.heads();
        let put = heads.iter().find(|head| head.starts_with("PUT ")).expect("a write");
        assert_eq!(said(put, "content-length"), Some(length), "{put}");
    }
}

/// No answer at all: the attempt ends, and the next one is answered.
#[tokio::test]
async fn an_attempt_that_hangs_is_given_up() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let place = format!("s3:notes?endpoint={url}").parse::<Place>().expect("a place");
    let served = tokio::spawn(async move {
        let (_held, _) = listener.accept().await.expect("the first");
        let (second, _) = listener.accept().await.expect("the second");
        serve(second, &Mutex::default(), &|_, _| answer("200 OK", "", PAGE)).await;
    });
    assert_eq!(list(&vault_with(&place, |_| {})).await, Ok(1));
    served.await.expect("both came");
}

/// A client that hangs up in the middle of a note does not take the part for the whole.
#[tokio::test]
async fn a_note_that_breaks_off_is_told() {
    let server = Server::new(|_, _| {
        let whole = answer("200 OK", "etag: \"e\"\r\n", "the text of a note");
        whole[..whole.len() - 4].to_vec()
    })
    .await;
    let error = read(&server.vault()).await.expect_err("it broke off").to_string();
    assert!(error.contains("broke off") && !error.contains("text"), "{error}");
}

/// Nothing that is read has no end.
#[tokio::test]
async fn what_is_too_long_is_not_read_whole() {
    const LONG: usize = 32 << 20;
    for status in ["200 OK", "404 Not Found", "400 Bad Request"] {
        let server = Server::new(move |head, _| {
            if head.starts_with("GET /notes/?") {
                answer(status, "", &" ".repeat(LONG))
            } else {
                answer("404 Not Found", "", "")
            }
        })
        .await;
        let error = list(&server.vault()).await.expect_err("too long").to_string();
        assert!(error.contains("cannot be read"), "{status}: {error}");
    }
    // One that is announced is not even begun; one that is not, ends where it is too much.
    for head in [
        format!("HTTP/1.1 200 OK\r\ncontent-length: {LONG}\r\nconnection: close\r\n\r\n"),
        "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n".to_owned(),
    ] {
        let server = Server::new(move |_, _| [head.as_bytes(), &vec![b'x'; LONG]].concat()).await;
        let error = read(&server.vault()).await.expect_err("too long");
        assert!(matches!(error, VaultError::Full(_)), "{error}");
    }
}

#[tokio::test]
async fn what_is_wrong_elsewhere_is_told_with_its_repair() {
    for (refused, said) in [
        (
            error("301 Moved", "location: http://127.0.0.1:1/\r\n", "PermanentRedirect"),
            "another region",
        ),
        (
            answer("301 Moved", "x-amz-bucket-region: eu-west-1\r\n", ""),
            "another region",
        ),
        (
            error("400 Bad Request", "", "AuthorizationHeaderMalformed"),
            "another region",
        ),
        (
            error("403 Forbidden", "", "RequestTimeTooSkewed"),
            "the clock of this machine",
        ),
        (
            error("403 Forbidden", "", "SignatureDoesNotMatch"),
            "(SignatureDoesNotMatch)",
        ),
        (error("404 Not Found", "", "NoSuchBucket"), "there is no bucket"),
        (error("400 Bad Request", "", "secret words"), "status 400"),
    ] {
        let server = Server::new(move |_, _| refused.clone()).await;
        let error = list(&server.vault()).await.expect_err(said).to_string();
        assert!(error.contains(said) && !error.contains("secret"), "{error}");
    }
}

/// A clock that is an hour late: S3 says what time it is, and the request is signed anew.
#[tokio::test]
async fn a_wrong_clock_is_made_up_for() {
    const THEN: &str = "date: Sat, 01 Jan 2028 12:00:00 GMT\r\n";
    let server = Server::new(|head, _| {
        let at = said(head, "x-amz-date").expect("it is signed");
        if at.starts_with("20280101T1") {
            answer("200 OK", THEN, PAGE)
        } else {
            error("403 Forbidden", THEN, "RequestTimeTooSkewed")
        }
    })
    .await;
    let vault = server.vault();
    assert_eq!(list(&vault).await, Ok(1));
    assert_eq!(list(&vault).await, Ok(1));
    assert_eq!(server.heads().len(), 3, "what was learnt is kept");
}

/// Credentials that expire; the last of them do not.
#[derive(Debug, Clone)]
struct Expiring {
    asked: Arc<AtomicUsize>,
    lasts: Vec<Duration>,
}

impl ProvideCredentials for Expiring {
    fn provide_credentials<'a>(&'a self) -> future::ProvideCredentials<'a>
    where
        Self: 'a,
    {
        let asked = self.asked.fetch_add(1, Ordering::SeqCst);
        let made = self.lasts.get(asked).map(|lasts| {
            let token = Some(format!("token-{asked}"));
            let until = Some(SystemTime::now() + *lasts);
            Credentials::new(format!("ID{asked}"), "secret", token, until, "test")
        });
        future::ProvideCredentials::ready(made.ok_or_else(|| CredentialsError::provider_error("none is left")))
    }
}

#[tokio::test]
async fn credentials_are_renewed_when_they_expire_and_not_before() {
    let server = Server::new(|_, _| answer("200 OK", "", PAGE)).await;
    let provider = Expiring {
        asked: Arc::default(),
        lasts: vec![Duration::ZERO, Duration::from_secs(3600)],
    };
    let vault = vault_with(&server.place, |setup| {
        let provider = SharedCredentialsProvider::new(provider.clone());
        setup.components.set_identity_resolver(SCHEME_ID, provider);
    });
    for _ in 0..4 {
        assert_eq!(list(&vault).await, Ok(1));
        // Another kind of request has the same credentials.
        assert_eq!(read(&vault).await.as_deref(), Ok(PAGE));
    }
    let heads = server.heads();
    let signed = |head: &str| {
        let by = said(head, "authorization").expect("it is signed");
        let id = by.split(['=', '/']).nth(1).expect("an id").to_owned();
        (id, said(head, "x-amz-security-token").expect("a session").to_owned())
    };
    let pair = |n: usize| (format!("ID{n}"), format!("token-{n}"));
    let expected: Vec<_> = [pair(0)].into_iter().chain(std::iter::repeat_n(pair(1), 7)).collect();
    assert_eq!(heads.iter().map(|head| signed(head)).collect::<Vec<_>>(), expected);
    assert_eq!(provider.asked.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn without_credentials_or_a_region_nothing_is_sent() {
    let server = Server::new(|_, _| answer("200 OK", "", PAGE)).await;
    let without = vault_with(&server.place, |setup| {
        let provider = SharedCredentialsProvider::new(Expiring {
            asked: Arc::default(),
            lasts: Vec::new(),
        });
        setup.components.set_identity_resolver(SCHEME_ID, provider);
    });
    let error = list(&without).await.expect_err("no credentials").to_string();
    assert!(error.contains("none is left"), "{error}");
    let nowhere = vault_with(&server.place, |setup| setup.region = None);
    let error = write(&nowhere, "a.md", "text", &Expect::Any).await;
    let error = error.expect_err("no region").to_string();
    assert!(error.contains("set AWS_REGION"), "{error}");
    assert_eq!(server.heads(), [""; 0]);
}
