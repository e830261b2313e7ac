//! Panics, deadlines and the server's end: whatever a tool or a resource does, its client is answered. And the end of
//! work that nobody waits for any more.

use crate::Config;
use futures_util::FutureExt;
use std::fmt;
use std::future::pending;
use std::panic::AssertUnwindSafe;
use std::time::Duration;
use tokio::sync::watch;

/// Why there is no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Failed {
    /// The work panicked: a fault of ours.
    Panicked,
    /// The work took longer than this.
    TooSlow(Duration),
    /// The server ends.
    Ending,
    /// Its client cancelled it, or went away.
    Left,
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Panicked => f.write_str("internal error; the server goes on, and its log says more"),
            Self::Ending => f.write_str("the server is ending; send the call again in some seconds"),
            Self::Left => f.write_str("it was cancelled"),
            Self::TooSlow(deadline) => write!(f, "no answer within {} s", deadline.as_secs_f64()),
        }
    }
}

/// Does `work`, called `what` in the log, until its client has `left`: then it is dropped, with what it waits for. What
/// it panicked with is not logged here: it may hold text of a document.
pub(crate) async fn guarded<T>(
    what: &str,
    config: &Config,
    left: impl Future<Output = ()>,
    work: impl Future<Output = T>,
) -> Result<T, Failed> {
    let deadline = config.deadline;
    tokio::select! {
        biased;
        // First, so that work whose turn comes in the same moment is not begun.
        () = left => Err(Failed::Left),
        // Nothing that `work` shares is left half changed: stores commit or do not, and their locks survive poisoning.
        done = AssertUnwindSafe(work).catch_unwind() => done.map_err(|_| {
            tracing::error!(what, "mcp.panicked");
            Failed::Panicked
        }),
        () = tokio::time::sleep(deadline) => {
            tracing::error!(what, deadline_ms = deadline.as_millis(), "mcp.too_slow");
            Err(Failed::TooSlow(deadline))
        }
        () = ending(config.ending.clone()) => {
            tracing::warn!(what, "mcp.given_up");
            Err(Failed::Ending)
        }
    }
}

/// Returns once the server gives up what still runs.
async fn ending(notice: Option<watch::Receiver<bool>>) {
    if let Some(mut notice) = notice
        && notice.wait_for(|ending| *ending).await.is_ok()
    {
        return;
    }
    // Nobody tells, or will tell any more.
    pending().await
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::ready;

    #[tokio::test(start_paused = true)]
    async fn answers_in_every_case() {
        let deadline = Duration::from_secs(20);
        let config = Config {
            deadline,
            ..Config::default()
        };
        assert_eq!(guarded("x", &config, pending(), async { 1 }).await, Ok(1));
        let stuck = guarded("x", &config, pending(), pending::<()>()).await;
        assert_eq!(stuck, Err(Failed::TooSlow(deadline)));
        assert_eq!(Failed::TooSlow(deadline).to_string(), "no answer within 20 s");
        let panicked = guarded("x", &config, pending(), async {
            tokio::task::yield_now().await;
            panic!("boom")
        });
        assert_eq!(panicked.await, Err::<(), _>(Failed::Panicked));
        let left = guarded("x", &config, ready(()), async { panic!("work for nobody") });
        assert_eq!(left.await, Err::<(), _>(Failed::Left));
        let (end, notice) = watch::channel(false);
        let config = Config {
            ending: Some(notice),
            ..config
        };
        assert_eq!(guarded("x", &config, pending(), async { 1 }).await, Ok(1));
        end.send_replace(true);
        assert_eq!(guarded("x", &config, pending(), async { 1 }).await, Ok(1));
        let given_up = guarded("x", &config, pending(), pending::<()>()).await;
        assert_eq!(given_up, Err(Failed::Ending));
        // One that went away without a word is no end.
        end.send_replace(false);
        drop(end);
        let stuck = guarded("x", &config, pending(), pending::<()>()).await;
        assert_eq!(stuck, Err(Failed::TooSlow(deadline)));
    }
}
