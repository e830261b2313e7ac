//! Turns at arXiv: "make no more than one request every three seconds, and limit requests to a single connection at a
//! time", for all machines together (arXiv's terms of use of its API).

use super::{ATTEMPT, Literature, STORE, SourceError, USEFUL};
use crate::clock::{Clock, Timestamp};
use crate::ids::WriteId;
use crate::slots::{Slots, Turn};
use meadow_papers::SourceKind;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout, timeout_at};

/// What the turns are at.
const NAME: &str = "arxiv";

/// From the end of one request to the beginning of the next.
const SPACING: Duration = Duration::from_secs(3);

/// A turn whose holder died ends by itself: when its request must have ended, and the spacing is over.
const LEASE: Duration = Duration::from_secs(ATTEMPT.as_secs() + SPACING.as_secs() + 1);

/// How far the clocks of our machines may be apart: a turn that ends so much later than a lease may still be a lease.
const CLOCKS: Duration = Duration::from_secs(3);

/// How often a turn is asked for that somebody holds: he may give it back long before his lease ends.
const POLL: Duration = Duration::from_millis(400);

/// A turn at arXiv. Dropping it gives it back, also where the caller has gone away.
#[derive(Debug)]
pub(super) struct Held {
    slots: Arc<dyn Slots>,
    clock: Arc<dyn Clock>,
    holder: WriteId,
    pause: Duration,
    done: bool,
}

impl Held {
    /// Notes how its request ended. However the turn is given back, the next begins when the spacing is over, or the
    /// pause that arXiv asked for.
    pub(super) fn ended(&mut self, pause: Option<Duration>) {
        self.pause = pause.unwrap_or_default().max(SPACING);
    }

    /// Gives it back.
    pub(super) async fn give_back(mut self) {
        let next = later(self.clock.now(), self.pause);
        // Where this takes too long or the caller goes away meanwhile, it is done once more, apart from the answer: it
        // may never have arrived.
        let Ok(given_back) = timeout(STORE, self.slots.give_back(NAME, self.holder, next)).await else {
            return;
        };
        self.done = true;
        if let Err(error) = given_back {
            tracing::warn!(%error, "literature.turn_not_given_back");
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if self.done {
            return;
        }
        // Without a runtime the lease ends it.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        let (slots, holder) = (Arc::clone(&self.slots), self.holder);
        let next = later(self.clock.now(), self.pause);
        runtime.spawn(async move {
            if let Err(error) = slots.give_back(NAME, holder, next).await {
                tracing::warn!(%error, "literature.turn_not_given_back");
            }
        });
    }
}

fn later(now: Timestamp, by: Duration) -> Timestamp {
    Timestamp(now.0.saturating_add(by.as_millis() as u64))
}

impl Literature {
    /// Waits for a turn at arXiv of which a whole attempt is left before `deadline`.
    ///
    /// # Errors
    /// Where the turn comes too late, and where the turns cannot be asked for: being polite is a promise.
    pub(super) async fn turn(&self, deadline: Instant) -> Result<Held, SourceError> {
        let busy = || SourceError::unavailable("others are asking arXiv, which takes one request at a time");
        let last = deadline - USEFUL;
        let _queue = timeout_at(last, self.queue.lock()).await.map_err(|_| busy())?;
        let holder = WriteId::random().map_err(|error| SourceError::unavailable(error.to_string()))?;
        // Made before the turn is asked for: where the answer is lost, it is given back.
        let mut held = Held {
            slots: Arc::clone(&self.slots),
            clock: Arc::clone(&self.clock),
            holder,
            pause: SPACING,
            done: false,
        };
        loop {
            let until = match timeout(STORE, self.slots.take(NAME, holder, self.clock.now(), LEASE)).await {
                Ok(Ok(Turn::Yours)) => return Ok(held),
                Ok(Ok(Turn::Wait(until))) => {
                    // Not ours: there is nothing to give back.
                    held.done = true;
                    until
                }
                Ok(Err(error)) => {
                    tracing::warn!(%error, "literature.no_turns");
                    return Err(SourceError::unavailable(
                        "its turns could not be asked for, so it was not asked",
                    ));
                }
                Err(_) => {
                    tracing::warn!("literature.no_turns_in_time");
                    return Err(SourceError::unavailable(
                        "its turns could not be asked for, so it was not asked",
                    ));
                }
            };
            // By the clock of now: whoever holds it may have taken it while this question was on its way.
            let wait = Duration::from_millis(until.0.saturating_sub(self.clock.now().0));
            if wait > LEASE + CLOCKS {
                let why = self.paused(SourceKind::Arxiv).await;
                return Err(why.unwrap_or(SourceError::RateLimited {
                    reason: "arXiv asked for a pause".to_owned(),
                    pause: wait,
                }));
            }
            // A turn that was given back is open at that time; never at once, whatever the clock says.
            let wait = if wait <= SPACING { wait } else { POLL }.max(Duration::from_millis(20));
            if Instant::now() + wait > last {
                return Err(busy());
            }
            sleep(wait).await;
            held.done = false;
        }
    }
}
