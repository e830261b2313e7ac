//! Reads that wait until there is something newer.

use crate::extract::Wait;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use meadow_service::{Caller, Error, Head, Service};
use std::convert::Infallible;
use std::fmt;
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::FromRequestParts;
use http::Extensions;
use http::request::Parts;

/// How often the store is asked: several processes write, and none tells the others.
const EVERY: Duration = Duration::from_millis(250);

/// Something that happens to the whole server, for whoever waits for it.
type Notice = Arc<dyn Fn() -> BoxFuture<'static, ()> + Send + Sync>;

/// Tells of the server's end. A main puts it into the extensions of every request.
#[derive(Clone)]
pub struct Stopping {
    asked: Notice,
    given_up: Notice,
}

impl fmt::Debug for Stopping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stopping")
    }
}

impl Stopping {
    /// The server is about to end when the future is ready that `asked` gives: reads that wait are answered.
    pub fn when<F: Future<Output = ()> + Send + 'static>(asked: impl Fn() -> F + Send + Sync + 'static) -> Self {
        Self {
            asked: Arc::new(move || asked().boxed()),
            given_up: Arc::new(|| pending().boxed()),
        }
    }

    /// With the time at which requests that still run are given up: they are answered that the server is ending.
    #[must_use]
    pub fn giving_up<F: Future<Output = ()> + Send + 'static>(
        mut self,
        given_up: impl Fn() -> F + Send + Sync + 'static,
    ) -> Self {
        self.given_up = Arc::new(move || given_up().boxed());
        self
    }

    /// What a request is told of the server's end; without a notice of it, nothing.
    pub(crate) fn of(extensions: &Extensions) -> Self {
        let given = extensions.get().cloned();
        given.unwrap_or_else(|| Self::when(pending))
    }

    /// Returns once requests that still run are given up.
    pub(crate) async fn given_up(&self) {
        (self.given_up)().await;
    }
}

/// The server's end; without [`Stopping`] it gives no notice of that.
impl<S: Sync> FromRequestParts<S> for Stopping {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::of(&parts.extensions))
    }
}

/// Waits until a model stands otherwise than `seen`: the one of this id, or the workspace's latest. False where the time
/// was up, or the server is about to end.
pub(crate) async fn newer(
    service: &Service,
    caller: &Caller,
    id: Option<&str>,
    seen: &Head,
    wait: Wait,
    stopping: &Stopping,
) -> Result<bool, Error> {
    let mut over = std::pin::pin!(tokio::time::sleep(wait.time()));
    let mut stop = (stopping.asked)();
    loop {
        tokio::select! {
            biased;
            () = &mut stop => return Ok(false),
            () = tokio::time::sleep(EVERY) => {}
            () = &mut over => return Ok(false),
        }
        let now = service.head(caller, id).await?;
        if now.is_none_or(|now| now.id != seen.id || now.revision != seen.revision) {
            return Ok(true);
        }
    }
}
