//! MCP over a pair of streams: one JSON-RPC message a line.
//!
//! rmcp's own transport drops what it cannot read without a word; this one answers it, bounds the length of a line,
//! and takes the text of `params.arguments` out of each message as the HTTP endpoint does.

use crate::Config;
use crate::raw::{self, MAX_MESSAGE, RawArguments};
use crate::rpc::{self, Kind, Refusal};
use crate::server::Server;
use meadow_model::limits::MAX_TEXT;
use meadow_service::{Caller, Service};
use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, GetExtensions, RequestId, ServerJsonRpcMessage,
};
use rmcp::service::{QuitReason, RxJsonRpcMessage, TxJsonRpcMessage, serve_directly};
use rmcp::transport::Transport;
use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};
use tokio::task::JoinHandle;

/// Requests whose answers are not written yet. While there are so many no more is read, so that a client which writes
/// without reading waits instead of filling the memory.
const UNANSWERED: usize = 512;

/// Answers that may wait for a client which does not read.
const WAITING_ANSWERS: usize = 64;

/// How long a refusal waits for its place among them, before refusals are dropped while there is none.
const PATIENCE: Duration = Duration::from_millis(250);

/// How long calls may go on after the end of the input: longer than any may take.
const PARTING: Duration = Duration::from_secs(25);

/// How long answers may still be written after that.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// Bytes that are kept of a line that is too long: its id stands there, or nowhere that is worth the search.
const HEAD: usize = 4 << 10;

/// Serves one client until its input ends.
///
/// # Errors
/// Where the streams fail.
pub async fn serve(
    service: Service,
    caller: Caller,
    reader: impl AsyncRead + Send + Unpin + 'static,
    writer: impl AsyncWrite + Send + Unpin + 'static,
    config: Config,
) -> io::Result<()> {
    let lines = Lines::new(reader, writer);
    // rmcp would refuse whatever comes before a handshake; over HTTP it is served, so here it is too.
    let running = serve_directly(Server::new(service, caller, config), lines, None);
    match running.waiting().await {
        Ok(QuitReason::JoinError(error)) | Err(error) => Err(io::Error::other(error)),
        Ok(_) => Ok(()),
    }
}

/// A line for the client, and whom to tell how its writing went.
type Outgoing = (Vec<u8>, Option<oneshot::Sender<io::Result<()>>>);

/// The transport. rmcp drops the future of [`Transport::receive`] at will, so whatever must survive that stands here.
struct Lines<R> {
    reader: BufReader<R>,
    /// The line so far; its beginning when it is too long.
    line: Vec<u8>,
    /// Bytes of the line so far.
    bytes: usize,
    ended: bool,
    places: Arc<Semaphore>,
    /// The place of the next request.
    place: Option<OwnedSemaphorePermit>,
    unanswered: Unanswered,
    /// The `initialize` whose answer must come before those to later lines, as clients expect it.
    opening: Option<Opening>,
    refusal: Option<Vec<u8>>,
    /// The client does not read: refusals no longer wait for it.
    deaf: bool,
    outgoing: Option<mpsc::Sender<Outgoing>>,
    writing: Option<JoinHandle<()>>,
}

impl<R: AsyncRead + Send + Unpin> Lines<R> {
    fn new(reader: R, writer: impl AsyncWrite + Send + Unpin + 'static) -> Self {
        let (outgoing, waiting) = mpsc::channel(WAITING_ANSWERS);
        Self {
            reader: BufReader::with_capacity(64 << 10, reader),
            line: Vec::new(),
            bytes: 0,
            ended: false,
            places: Arc::new(Semaphore::new(UNANSWERED)),
            place: None,
            unanswered: Unanswered::default(),
            opening: None,
            refusal: None,
            deaf: false,
            outgoing: Some(outgoing),
            writing: Some(tokio::spawn(write(writer, waiting))),
        }
    }

    /// The next line without its end, `Err` for one that is too long, `None` after the last. May be dropped and
    /// called again.
    async fn next_line(&mut self) -> io::Result<Option<Result<Vec<u8>, TooLong>>> {
        while !self.ended {
            let read = self.reader.fill_buf().await?;
            let newline = memchr::memchr(b'\n', read);
            let part = &read[..newline.unwrap_or(read.len())];
            self.bytes = self.bytes.saturating_add(part.len());
            if self.bytes <= MAX_MESSAGE {
                self.line.extend_from_slice(part);
            } else {
                self.line.truncate(HEAD);
                self.line.shrink_to_fit();
            }
            self.ended = read.is_empty();
            let used = part.len() + usize::from(newline.is_some());
            self.reader.consume(used);
            if newline.is_some() || self.ended {
                let line = std::mem::take(&mut self.line);
                return Ok(Some(match std::mem::take(&mut self.bytes) {
                    bytes if bytes > MAX_MESSAGE => Err(TooLong { head: line, bytes }),
                    _ => Ok(line),
                }));
            }
        }
        Ok(None)
    }

    /// Sends the refusal that waits. It is dropped where the client does not read: to wait on would mean that a
    /// client which writes without reading is never seen to leave.
    async fn refuse(&mut self) {
        let (Some(outgoing), Some(refusal)) = (&self.outgoing, &self.refusal) else {
            return;
        };
        let place = match outgoing.try_reserve() {
            Ok(place) => Some(place),
            Err(_) if self.deaf => None,
            Err(_) => match tokio::time::timeout(PATIENCE, outgoing.reserve()).await {
                Ok(place) => place.ok(),
                Err(_) => None,
            },
        };
        self.deaf = place.is_none();
        if let Some(place) = place {
            place.send((refusal.clone(), None));
        }
        self.refusal = None;
    }
}

/// The requests that wait for their answers, each with its place.
#[derive(Default)]
struct Unanswered {
    /// By the id under which it is worked on: the id that the client gave it.
    requests: HashMap<RequestId, (RequestId, Option<OwnedSemaphorePermit>)>,
    /// How many came under an id that was still in use.
    again: u64,
}

impl Unanswered {
    /// Notes what was read. rmcp answers one request of those that have an id in common, so the second gets another.
    fn note(&mut self, message: &mut ClientJsonRpcMessage, place: &mut Option<OwnedSemaphorePermit>) {
        match message {
            ClientJsonRpcMessage::Request(request) => {
                let theirs = request.id.clone();
                while self.requests.contains_key(&request.id) {
                    self.again += 1;
                    request.id = RequestId::String(format!("{theirs}, again ({})", self.again).into());
                }
                self.requests.insert(request.id.clone(), (theirs, place.take()));
            }
            ClientJsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) = &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    // It is not answered any more.
                    if self.requests.get(id).is_some_and(|(theirs, _)| theirs == id) {
                        self.requests.remove(id);
                    }
                }
            }
            _ => {}
        }
    }

    /// The place of the request that this is the answer to, which gets the client's id.
    fn answered(&mut self, answer: &mut ServerJsonRpcMessage) -> Option<OwnedSemaphorePermit> {
        let id = match answer {
            ServerJsonRpcMessage::Response(answer) => Some(&mut answer.id),
            ServerJsonRpcMessage::Error(error) => error.id.as_mut(),
            _ => None,
        }?;
        let (theirs, place) = self.requests.remove(id)?;
        *id = theirs;
        place
    }
}

/// The beginning of a line that is too long, and the bytes of the whole.
struct TooLong {
    head: Vec<u8>,
    bytes: usize,
}

impl TooLong {
    fn refusal(self) -> Refusal {
        let text = format!(
            "Invalid Request: the message has {} bytes; at most {MAX_MESSAGE} are allowed, {MAX_TEXT} for a document",
            self.bytes
        );
        let id = rpc::id_in(&raw::unmarked(self.head));
        Refusal::new(rpc::INVALID_REQUEST, text).to(id.as_deref())
    }
}

/// An `initialize` that is being answered.
struct Opening {
    id: RequestId,
    /// Taken by the sender of the answer, and dropped once that is on its way.
    answering: Option<oneshot::Sender<()>>,
    answered: oneshot::Receiver<()>,
}

impl Opening {
    /// Where the message is an `initialize`.
    fn of(message: &ClientJsonRpcMessage) -> Option<Self> {
        let ClientJsonRpcMessage::Request(request) = message else {
            return None;
        };
        if !matches!(request.request, ClientRequest::InitializeRequest(_)) {
            return None;
        }
        let (answering, answered) = oneshot::channel();
        Some(Self {
            id: request.id.clone(),
            answering: Some(answering),
            answered,
        })
    }
}

/// What to do with a line.
enum Read {
    Message(Box<ClientJsonRpcMessage>),
    Refuse(Refusal),
    Nothing,
}

fn read(line: Result<Vec<u8>, TooLong>) -> Read {
    let line = match line {
        Ok(line) => raw::unmarked(line),
        Err(too_long) => return Read::Refuse(too_long.refusal()),
    };
    if line.trim_ascii().is_empty() {
        return Read::Nothing;
    }
    let (message, arguments) = raw::take_out(line);
    let kind = match rpc::judge(&message) {
        Ok(kind) => kind,
        Err(refusal) => return Read::Refuse(refusal),
    };
    match (serde_json::from_slice::<ClientJsonRpcMessage>(&message), kind) {
        (Ok(mut message), kind) => {
            if let (Some(bytes), Kind::Request(id) | Kind::Handshake(id)) =
                (arguments.as_ref().and_then(RawArguments::excess), kind)
            {
                return Read::Refuse(rpc::too_large(bytes).to(Some(id)));
            }
            if let (ClientJsonRpcMessage::Request(request), Some(arguments)) = (&mut message, arguments) {
                request.request.extensions_mut().insert(arguments);
            }
            Read::Message(Box::new(message))
        }
        (Err(error), Kind::Request(id) | Kind::Handshake(id)) => {
            Read::Refuse(Refusal::new(rpc::INVALID_REQUEST, format!("Invalid Request: {error}")).to(Some(id)))
        }
        // Notifications and answers are never answered.
        (Err(_), Kind::Notification | Kind::Response) => Read::Nothing,
    }
}

/// Writes lines as they come, until nobody sends any more or the writer fails.
async fn write(mut writer: impl AsyncWrite + Unpin, mut waiting: mpsc::Receiver<Outgoing>) {
    while let Some((mut line, told)) = waiting.recv().await {
        line.push(b'\n');
        let written = async {
            writer.write_all(&line).await?;
            writer.flush().await
        };
        let written = written.await;
        let failed = written.is_err();
        if let Err(error) = &written {
            tracing::debug!(%error, "mcp.stdio_unwritable");
        }
        if let Some(told) = told {
            // Whoever asked may be gone.
            let _ = told.send(written);
        }
        if failed {
            break;
        }
    }
}

fn closed() -> io::Error {
    io::Error::new(io::ErrorKind::BrokenPipe, "the client reads no more")
}

impl<R: AsyncRead + Send + Unpin + 'static> Transport<RoleServer> for Lines<R> {
    type Error = io::Error;

    fn send(
        &mut self,
        mut item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let outgoing = self.outgoing.clone();
        let id = match &item {
            ServerJsonRpcMessage::Response(answer) => Some(&answer.id),
            ServerJsonRpcMessage::Error(error) => error.id.as_ref(),
            _ => None,
        };
        let opening = self.opening.as_mut().filter(|opening| Some(&opening.id) == id);
        let answering = opening.and_then(|opening| opening.answering.take());
        let place = self.unanswered.answered(&mut item);
        async move {
            let mut line = serde_json::to_vec(&item).map_err(io::Error::other)?;
            if matches!(item, ServerJsonRpcMessage::Error(_)) {
                line = rpc::told(line);
            }
            drop(item);
            let (told, written) = oneshot::channel();
            let outgoing = outgoing.ok_or_else(closed)?;
            outgoing.send((line, Some(told))).await.map_err(|_| closed())?;
            drop((outgoing, answering));
            let written = written.await.map_err(|_| closed())?;
            drop(place);
            written
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            self.refuse().await;
            if let Some(opening) = &mut self.opening {
                // Told by the drop of the sender. A client that does not read is not waited for.
                let _ = tokio::time::timeout(PATIENCE, &mut opening.answered).await;
                self.opening = None;
            }
            let outgoing = self.outgoing.clone()?;
            if self.place.is_none() {
                let places = Arc::clone(&self.places);
                self.place = tokio::select! {
                    place = places.acquire_owned() => place.ok(),
                    () = outgoing.closed() => return None,
                };
            }
            let line = tokio::select! {
                line = self.next_line() => line,
                () = outgoing.closed() => return None,
            };
            let line = line.inspect_err(|error| tracing::warn!(%error, "mcp.stdio_unreadable"));
            let Ok(Some(line)) = line else {
                // rmcp gives calls 5 s once it knows of the end.
                self.place = None;
                tokio::select! {
                    _ = self.places.acquire_many(UNANSWERED as u32) => {}
                    () = outgoing.closed() => {}
                    () = tokio::time::sleep(PARTING) => {}
                }
                return None;
            };
            match read(line) {
                Read::Message(mut message) => {
                    self.unanswered.note(&mut message, &mut self.place);
                    self.opening = Opening::of(&message);
                    return Some(*message);
                }
                Read::Refuse(refusal) => {
                    tracing::info!(code = refusal.code(), "mcp.refused");
                    self.refusal = Some(refusal.body());
                }
                Read::Nothing => {}
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.refuse().await;
        self.outgoing = None;
        if let Some(mut writing) = self.writing.take()
            && tokio::time::timeout(LAST_WORDS, &mut writing).await.is_err()
        {
            writing.abort();
        }
        Ok(())
    }
}

#[cfg(test)]
pub(crate) mod tests;
