//! Panics and deadlines: whatever a tool or a resource does, its client is answered and the server lives on.

use futures_util::FutureExt;
use std::fmt;
use std::panic::AssertUnwindSafe;
use std::time::Duration;

/// Why there is no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Failed {
    /// The work panicked: a fault of ours.
    Panicked,
    /// The work took longer than this.
    TooSlow(Duration),
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Panicked => f.write_str("internal error; the server goes on, and its log says more"),
            Self::TooSlow(deadline) => write!(f, "no answer within {} s", deadline.as_secs_f64()),
        }
    }
}

/// Does `work`, called `what` in the log. What it panicked with is not logged here: it may hold text of a document.
pub(crate) async fn guarded<T>(what: &str, deadline: Duration, work: impl Future<Output = T>) -> Result<T, Failed> {
    // Nothing that `work` shares is left half changed: stores commit or do not, and their locks survive poisoning.
    match tokio::time::timeout(deadline, AssertUnwindSafe(work).catch_unwind()).await {
        Ok(Ok(result)) => Ok(result),
        Ok(Err(_)) => {
            tracing::error!(what, "mcp.panicked");
            Err(Failed::Panicked)
        }
        Err(_) => {
            tracing::error!(what, deadline_ms = deadline.as_millis(), "mcp.too_slow");
            Err(Failed::TooSlow(deadline))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn answers_in_every_case() {
        let deadline = Duration::from_secs(20);
        assert_eq!(guarded("x", deadline, async { 1 }).await, Ok(1));
        let stuck = guarded("x", deadline, std::future::pending::<()>()).await;
        assert_eq!(stuck, Err(Failed::TooSlow(deadline)));
        assert_eq!(Failed::TooSlow(deadline).to_string(), "no answer within 20 s");
        let panicked = guarded("x", deadline, async {
            tokio::task::yield_now().await;
            panic!("boom")
        });
        assert_eq!(panicked.await, Err::<(), _>(Failed::Panicked));
    }
}
