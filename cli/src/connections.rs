//! HTTP on a socket, with limits for clients that are slow, many or silent.
//!
//! `axum::serve` has no timeout for headers: 1,500 connections with half a header stayed open and cost 21 kB each.
//! The deadline of a whole request, its body included, is a layer of `meadow_http`.

mod patient;

use self::patient::Patient;
use crate::calls::Calls;
use crate::failure::Failure;
use crate::stop::{GRACE, LAST_WORDS, Stop};
use axum::Router;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use meadow_http::Stopping;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tracing::{debug, warn};

/// The whole header must have come after this; a connection without a request is closed then, too.
const HEADER_TIMEOUT: Duration = Duration::from_secs(5);

/// How long a client may take nothing of its answer.
const READER_PATIENCE: Duration = Duration::from_secs(30);

/// Bytes that are read ahead for one connection. Headers must fit; bodies pass through it.
const READ_AHEAD: usize = 64 << 10;

/// Connections at a time; others wait to be accepted.
const MAX_CONNECTIONS: usize = 1024;

/// How long to wait when the system has no file or memory for another connection.
const PAUSE: Duration = Duration::from_millis(100);

/// Listens on `address`.
pub(crate) async fn bind(address: SocketAddr) -> Result<TcpListener, Failure> {
    TcpListener::bind(address).await.map_err(|error| {
        Failure::World(match error.kind() {
            io::ErrorKind::AddrInUse => format!(
                "port {} of {} is taken, perhaps by another meadow; choose another with --listen, or port 0 for any",
                address.port(),
                address.ip()
            ),
            _ => format!("{address} cannot be listened on: {error}"),
        })
    })
}

/// Where a listener is reached; with the port that it really has.
pub(crate) fn url(listener: &TcpListener) -> Result<String, Failure> {
    let address = listener.local_addr();
    let address = address.map_err(|error| Failure::World(format!("the address listened on is not known: {error}")))?;
    Ok(format!("http://{address}"))
}

/// How long requests may go on to arrive after the process was asked to end.
const ARRIVAL: Duration = Duration::from_secs(3);

/// Answers connections until `stop` asks to end; then those that are in a call may finish it. Calls that do not are
/// answered that the server is ending, before their connections are closed.
pub(crate) async fn serve(listener: TcpListener, router: Router, stop: Stop) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT)
        .max_buf_size(READ_AHEAD);
    let calls = Calls::default();
    let given_up = Arc::new(watch::Sender::new(false));
    let (end, giving_up) = (stop.clone(), Arc::clone(&given_up));
    let stopping = Stopping::when(move || {
        let end = end.clone();
        async move { end.asked().await }
    })
    .giving_up(move || {
        let mut given_up = giving_up.subscribe();
        async move {
            // An error where nobody serves any more, nor waits for this.
            let _ = given_up.wait_for(|given_up| *given_up).await;
        }
    });
    let routes = TowerToHyperService::new(router);
    let counted = calls.clone();
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(stopping.clone());
        let call = counted.begin();
        let answer = routes.call(request.map(|body| call.arriving(body)));
        async move { answer.await.map(|answer| answer.map(|body| call.answering(body))) }
    });
    let permits = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let connections = GracefulShutdown::new();
    loop {
        let (stream, permit) = tokio::select! {
            accepted = accept(&listener, &permits) => accepted,
            () = stop.asked() => break,
        };
        let connection = http.serve_connection(TokioIo::new(Patient::new(stream, READER_PATIENCE)), service.clone());
        let connection = connections.watch(connection);
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                debug!(%error, "a connection broke");
            }
            drop(permit);
        });
    }
    drop(listener);
    let mut closed = std::pin::pin!(connections.shutdown());
    tokio::select! {
        () = &mut closed => return,
        () = overdue(&stop) => {}
        () = late(&calls) => warn!(seconds = ARRIVAL.as_secs(), "requests did not arrive in time and are given up"),
    }
    given_up.send_replace(true);
    // An error where a connection stays open all the same, such as one that waits for the rest of a head.
    let _ = tokio::time::timeout(LAST_WORDS, closed).await;
}

/// Returns once calls that were given up have had their time to say so.
async fn overdue(stop: &Stop) {
    stop.overdue().await;
    tokio::time::sleep(GRACE).await;
}

/// Returns once only requests that do not arrive are waited for.
async fn late(calls: &Calls) {
    tokio::time::sleep(ARRIVAL).await;
    calls.none().await;
}

/// The next connection, once there is room for it.
async fn accept(listener: &TcpListener, permits: &Arc<Semaphore>) -> (TcpStream, Option<OwnedSemaphorePermit>) {
    // The semaphore is never closed, so there always is a permit.
    let permit = Arc::clone(permits).acquire_owned().await.ok();
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                // An answer is written as a whole; waiting for more to send would only delay it.
                if let Err(error) = stream.set_nodelay(true) {
                    debug!(%error, "a connection broke");
                }
                return (stream, permit);
            }
            Err(error) if is_the_clients(&error) => debug!(%error, "a connection broke"),
            Err(error) => {
                warn!(%error, "no connection can be accepted");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

fn is_the_clients(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}
