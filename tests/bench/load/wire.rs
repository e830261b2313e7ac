//! How one agent talks with a server: over a connection of its own, or over a pipe that all share.

use crate::{Result, result};
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::{Method, Request};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::{OnceCell, oneshot};

/// The newest protocol that all of the servers speak.
const PROTOCOL: &str = "2025-06-18";

pub(crate) enum Wire {
    Http(Http),
    Pipe(Arc<Pipe>),
}

pub(crate) struct Http {
    sender: SendRequest<Full<Bytes>>,
    host: String,
    session: Option<String>,
}

pub(crate) struct Pipe {
    stdin: tokio::sync::Mutex<ChildStdin>,
    waiting: Arc<Mutex<HashMap<u64, oneshot::Sender<Value>>>>,
    opened: OnceCell<()>,
}

/// No two requests have the same id: servers with sessions lose answers else.
fn id() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}

fn initialize(id: u64) -> String {
    let client = json!({"name": "load", "version": "1"});
    let params = json!({"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": client});
    json!({"jsonrpc": "2.0", "id": id, "method": "initialize", "params": params}).to_string()
}

const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

impl Wire {
    /// A new connection, on which the server has been greeted.
    pub(crate) async fn over(stream: TcpStream, port: u16) -> Result<Self> {
        stream.set_nodelay(true)?;
        let (sender, connection) = handshake(TokioIo::new(stream)).await?;
        tokio::spawn(connection);
        let host = format!("127.0.0.1:{port}");
        let mut http = Http {
            sender,
            host,
            session: None,
        };
        let (head, text) = http.send(Method::POST, "/mcp", initialize(id())).await?;
        result(message(&text)?)?;
        http.session = head
            .headers
            .get("mcp-session-id")
            .and_then(|id| Some(id.to_str().ok()?.to_owned()));
        http.send(Method::POST, "/mcp", INITIALIZED.to_owned()).await?;
        Ok(Self::Http(http))
    }

    /// Calls a tool with arguments that are JSON already.
    pub(crate) async fn call(&mut self, tool: &str, arguments: &str) -> Result<Value> {
        let id = id();
        let body = format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}}}}}"#
        );
        let answer = match self {
            Self::Http(http) => {
                let (head, text) = http.send(Method::POST, "/mcp", body).await?;
                message(&text).map_err(|_| format!("{} {text}", head.status))?
            }
            Self::Pipe(pipe) => pipe.ask(id, &body).await?,
        };
        if answer["id"] != id {
            return Err(format!("asked as {id}, answered as {}", answer["id"]).into());
        }
        result(answer)
    }

    /// What is at a path: status, the revision that its `ETag` names, text.
    pub(crate) async fn get(&mut self, path: &str) -> Result<(u16, Option<u64>, String)> {
        let Self::Http(http) = self else {
            return Err("a pipe has no paths".into());
        };
        let (head, text) = http.send(Method::GET, path, String::new()).await?;
        let etag = head.headers.get("etag").and_then(|etag| etag.to_str().ok());
        // Such as "tub@3".
        let revision = etag.and_then(|etag| etag.trim_matches('"').rsplit('@').next()?.parse().ok());
        Ok((head.status.as_u16(), revision, text))
    }
}

impl Http {
    async fn send(
        &mut self,
        method: Method,
        path: &str,
        body: String,
    ) -> Result<(hyper::http::response::Parts, String)> {
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header("host", &self.host)
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", PROTOCOL);
        if let Some(session) = &self.session {
            request = request.header("mcp-session-id", session);
        }
        self.sender.ready().await?;
        let answer = self.sender.send_request(request.body(Full::new(body.into()))?).await?;
        let (head, body) = answer.into_parts();
        Ok((head, String::from_utf8(body.collect().await?.to_bytes().into())?))
    }
}

/// The message in a body that is JSON, or events of which the last has it.
fn message(body: &str) -> Result<Value> {
    let text = body
        .lines()
        .rev()
        .find_map(|line| line.strip_prefix("data:"))
        .unwrap_or(body);
    Ok(serde_json::from_str(text)?)
}

impl Pipe {
    pub(crate) fn new(stdin: ChildStdin, stdout: ChildStdout) -> Arc<Self> {
        let waiting: Arc<Mutex<HashMap<u64, oneshot::Sender<Value>>>> = Arc::default();
        let answered = waiting.clone();
        tokio::spawn(async move {
            let mut lines = BufReader::new(stdout).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                let Ok(message) = serde_json::from_str::<Value>(&line) else {
                    continue;
                };
                let asker = message["id"]
                    .as_u64()
                    .and_then(|id| answered.lock().unwrap().remove(&id));
                if let Some(asker) = asker {
                    let _ = asker.send(message);
                }
            }
            // Whoever still waits is told that nothing comes.
            answered.lock().unwrap().clear();
        });
        Arc::new(Self {
            stdin: stdin.into(),
            waiting,
            opened: OnceCell::new(),
        })
    }

    pub(crate) async fn open(&self) -> Result<()> {
        let greeted = async {
            let id = id();
            result(self.ask(id, &initialize(id)).await?)?;
            self.write(INITIALIZED).await
        };
        self.opened.get_or_try_init(|| greeted).await.copied()
    }

    async fn ask(&self, id: u64, body: &str) -> Result<Value> {
        let (asker, answer) = oneshot::channel();
        self.waiting.lock().unwrap().insert(id, asker);
        self.write(body).await?;
        Ok(answer.await?)
    }

    async fn write(&self, line: &str) -> Result<()> {
        Ok(self
            .stdin
            .lock()
            .await
            .write_all(format!("{line}\n").as_bytes())
            .await?)
    }
}
