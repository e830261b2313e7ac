//! The server that `meadow serve` starts, on a free port.

use axum::Router;
use http::{Request, Response};
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use std::net::SocketAddr;
use tokio::net::{TcpListener, TcpStream};

/// The server.
pub(crate) struct Local(SocketAddr);

impl Local {
    /// Serves `router` as long as the runtime lives.
    pub(crate) async fn start(router: Router) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("its address");
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self(address)
    }

    /// Sends what a client sends.
    pub(crate) async fn answer(&self, request: Request<Vec<u8>>) -> Response<Vec<u8>> {
        let stream = TcpStream::connect(self.0).await.expect("a connection");
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.expect("HTTP");
        tokio::spawn(connection);
        let request = request.map(|body| Full::new(axum::body::Bytes::from(body)));
        let (parts, body) = sender.send_request(request).await.expect("an answer").into_parts();
        let body = body.collect().await.expect("a body").to_bytes();
        Response::from_parts(parts, body.into())
    }
}
