//! Bodies that nobody reads to their end. A client that is still sending would meet a reset connection instead of the
//! answer, so that the rest is read and thrown away behind it, within bounds.

use axum::body::{Body, HttpBody};
use axum::extract::Request;
use bytes::Bytes;
use http::header::EXPECT;
use http_body::{Frame, SizeHint};
use http_body_util::BodyExt;
use std::mem;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

/// How many bytes of one body are read at most, those that are thrown away included.
pub(crate) const MOST: u64 = 64 << 20;

/// What is left of a request's body when its route is done with it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rest(Arc<Mutex<Option<Unread>>>);

/// A body that was dropped before its end.
#[derive(Debug)]
struct Unread {
    body: Body,
    /// Bytes that were read of it.
    read: u64,
    /// False while the client waits for "100 Continue" and has not begun to send.
    is_coming: bool,
}

impl Rest {
    /// Watches over the request's body.
    pub(crate) fn of(&self, request: Request) -> Request {
        let is_coming = !request.headers().contains_key(EXPECT);
        request.map(|body| {
            if body.is_end_stream() {
                return body;
            }
            Body::new(Watched {
                unread: Unread {
                    body,
                    read: 0,
                    is_coming,
                },
                ended: false,
                rest: self.clone(),
            })
        })
    }

    /// True while the route still holds the body.
    pub(crate) fn is_arriving(&self) -> bool {
        Arc::strong_count(&self.0) > 1
    }

    /// Goes on reading behind the answer, for some time. False where that would be too much, or would invite a client to
    /// send that has not begun to: then the connection must be closed.
    pub(crate) fn drain(&self, time: Duration) -> bool {
        let Some(unread) = self.0.lock().unwrap_or_else(PoisonError::into_inner).take() else {
            return true;
        };
        let drained = unread.is_coming && unread.read.saturating_add(unread.body.size_hint().lower()) <= MOST;
        if drained {
            tokio::spawn(tokio::time::timeout(time, unread.drain()));
        }
        drained
    }
}

impl Unread {
    async fn drain(mut self) {
        while self.read <= MOST
            && let Some(Ok(frame)) = self.body.frame().await
        {
            self.read += length(&frame);
        }
    }
}

fn length(frame: &Frame<Bytes>) -> u64 {
    frame.data_ref().map_or(0, |data| data.len() as u64)
}

/// A body that leaves its rest behind when it is dropped.
struct Watched {
    unread: Unread,
    ended: bool,
    rest: Rest,
}

impl HttpBody for Watched {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let unread = &mut self.unread;
        unread.is_coming = true;
        let polled = Pin::new(&mut unread.body).poll_frame(context);
        match &polled {
            Poll::Ready(Some(Ok(frame))) => unread.read += length(frame),
            Poll::Ready(_) => self.ended = true,
            Poll::Pending => {}
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.unread.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.unread.body.size_hint()
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        if self.ended || self.unread.body.is_end_stream() {
            return;
        }
        let unread = Unread {
            body: mem::take(&mut self.unread.body),
            ..self.unread
        };
        *self.rest.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(unread);
    }
}
