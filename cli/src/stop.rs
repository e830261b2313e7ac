//! When Meadow is to end, and how long calls may go on then.

use crate::failure::Failure;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tracing::warn;

/// How long calls may go on after the process was asked to end. Container managers kill after 10 s, and those that are
/// given up are answered in between.
const DRAIN: Duration = Duration::from_secs(8);

/// How long calls that are given up may take to say so themselves, before they are answered by what surrounds them.
pub(crate) const GRACE: Duration = Duration::from_millis(500);

/// How long the answers to these may take.
pub(crate) const LAST_WORDS: Duration = Duration::from_secs(1);

/// Tells everybody who holds one that the process is to end.
#[derive(Debug, Clone)]
pub(crate) struct Stop {
    /// How often it was asked for.
    asked: Arc<watch::Sender<u32>>,
    /// Whether calls that still run are given up.
    overdue: Arc<watch::Sender<bool>>,
}

impl Stop {
    /// Listens for SIGTERM and SIGINT (Ctrl-C) from now on; must be called inside the runtime.
    pub(crate) fn on_signals() -> Result<Self, Failure> {
        let mut signals =
            Signals::new().map_err(|error| Failure::World(format!("signals cannot be listened for: {error}")))?;
        let stop = Self {
            asked: Arc::new(watch::Sender::new(0)),
            overdue: Arc::new(watch::Sender::new(false)),
        };
        let asker = stop.clone();
        tokio::spawn(async move {
            loop {
                signals.next().await;
                asker.asked.send_modify(|times| *times += 1);
            }
        });
        let giver_up = stop.clone();
        tokio::spawn(async move {
            giver_up.drained().await;
            giver_up.overdue.send_replace(true);
        });
        Ok(stop)
    }

    /// Asks to end, unless that was done before.
    pub(crate) fn now(&self) {
        self.asked.send_modify(|times| *times = (*times).max(1));
    }

    /// Returns once the process is asked to end: no new call begins, those that run may finish.
    pub(crate) async fn asked(&self) {
        self.asked_times(1).await;
    }

    /// Returns once calls have had their time to finish, or the process is asked to end a second time.
    pub(crate) async fn overdue(&self) {
        // Never an error: the sender lives as long as `self`.
        let _ = self.giving_up().wait_for(|overdue| *overdue).await;
    }

    /// True once calls that still run are given up.
    pub(crate) fn giving_up(&self) -> watch::Receiver<bool> {
        self.overdue.subscribe()
    }

    async fn drained(&self) {
        self.asked().await;
        tokio::select! {
            () = self.asked_times(2) => warn!("asked to end a second time, calls are given up"),
            () = tokio::time::sleep(DRAIN) => warn!(seconds = DRAIN.as_secs(), "calls did not finish in time and are given up"),
        }
    }

    async fn asked_times(&self, wanted: u32) {
        // Never an error: the sender lives as long as `self`.
        let _ = self.asked.subscribe().wait_for(|times| *times >= wanted).await;
    }
}

#[cfg(unix)]
struct Signals {
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn new() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

#[cfg(windows)]
struct Signals {
    interrupt: tokio::signal::windows::CtrlC,
}

#[cfg(windows)]
impl Signals {
    fn new() -> std::io::Result<Self> {
        Ok(Self {
            interrupt: tokio::signal::windows::ctrl_c()?,
        })
    }

    async fn next(&mut self) {
        self.interrupt.recv().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::Instant;

    #[tokio::test(start_paused = true)]
    async fn calls_have_their_time_to_finish() {
        let stop = Stop::on_signals().unwrap();
        assert!(
            tokio::time::timeout(DRAIN * 2, stop.overdue()).await.is_err(),
            "nobody asked"
        );
        let asked = Instant::now();
        stop.now();
        stop.asked().await;
        assert_eq!(asked.elapsed(), Duration::ZERO);
        stop.overdue().await;
        assert!(asked.elapsed() >= DRAIN);
    }

    #[tokio::test(start_paused = true)]
    async fn asked_twice_nothing_is_waited_for() {
        let stop = Stop::on_signals().unwrap();
        stop.now();
        stop.asked.send_modify(|times| *times += 1);
        let asked = Instant::now();
        stop.overdue().await;
        assert_eq!(asked.elapsed(), Duration::ZERO);
    }
}
