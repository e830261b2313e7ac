//! How many calls run: requests whose body has come and whose answer was not sent to its end.

use axum::body::Bytes;
use http_body_util::BodyExt;
use hyper::body::Body;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::watch;

/// Counts them, and tells those who wait when it comes to none.
#[derive(Debug, Clone, Default)]
pub(crate) struct Calls(Arc<watch::Sender<usize>>);

/// One of them; over when it was dropped everywhere.
#[derive(Debug, Clone)]
pub(crate) struct Call(Arc<Counted>);

#[derive(Debug)]
struct Counted {
    calls: Calls,
    /// Whether the body has come.
    runs: AtomicBool,
}

impl Calls {
    /// A request of which the head has come.
    pub(crate) fn begin(&self) -> Call {
        Call(Arc::new(Counted {
            calls: self.clone(),
            runs: AtomicBool::new(false),
        }))
    }

    /// Returns once no call runs.
    pub(crate) async fn none(&self) {
        // Never an error: the sender lives as long as `self`.
        let _ = self.0.subscribe().wait_for(|running| *running == 0).await;
    }
}

impl Call {
    /// The request's body: once it was read or dropped, the call runs.
    pub(crate) fn arriving<B: Body<Data = Bytes>>(
        &self,
        body: B,
    ) -> impl Body<Data = Bytes, Error = B::Error> + use<B> {
        let arrival = Arrival(self.clone());
        body.map_frame(move |frame| {
            let _held = &arrival;
            frame
        })
    }

    /// The answer's body: until it was sent or dropped, the call runs.
    pub(crate) fn answering<B: Body<Data = Bytes>>(self, body: B) -> impl Body<Data = Bytes, Error = B::Error> {
        body.map_frame(move |frame| {
            let _held = &self;
            frame
        })
    }
}

/// Held by a body that is arriving.
struct Arrival(Call);

impl Drop for Arrival {
    fn drop(&mut self) {
        let call = &self.0.0;
        if !call.runs.swap(true, Ordering::Relaxed) {
            call.calls.0.send_if_modified(|running| {
                *running += 1;
                false
            });
        }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        if *self.runs.get_mut() {
            self.calls.0.send_if_modified(|running| {
                *running -= 1;
                *running == 0
            });
        }
    }
}
