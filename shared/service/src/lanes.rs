//! Turns at the processor. Small runs and analyses pass beside large ones; of large ones a few wait, and those beyond
//! are refused at once instead of waiting until nobody listens any more.

use crate::service::Error;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Large works that may wait for each core: those that come behind would begin when their request is over.
const WAITING: usize = 2;

/// How much of the processor a work may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Share {
    /// About a tenth of a second.
    Small,
    /// As much as any request may.
    Whole,
}

impl Share {
    /// Whether it has room for a run of so many operations.
    pub(crate) fn holds(self, operations: u64) -> bool {
        self == Self::Whole || operations <= 25_000_000
    }
}

/// A turn, until it is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    _core: OwnedSemaphorePermit,
    _place: Option<OwnedSemaphorePermit>,
}

/// The turns of a process.
#[derive(Debug)]
pub(crate) struct Lanes {
    small: Arc<Semaphore>,
    large: Arc<Semaphore>,
    /// For large works, at work or waiting.
    places: Arc<Semaphore>,
}

impl Lanes {
    /// As many works at once in each lane as there are cores.
    pub(crate) fn new(cores: usize) -> Self {
        Self {
            small: Arc::new(Semaphore::new(cores)),
            large: Arc::new(Semaphore::new(cores)),
            places: Arc::new(Semaphore::new(cores * (1 + WAITING))),
        }
    }

    /// A turn for a work of this share.
    ///
    /// # Errors
    /// [`Error::Busy`] where too many large works wait already.
    pub(crate) async fn turn(&self, share: Share) -> Result<Turn, Error> {
        let (lane, place) = match share {
            Share::Small => (&self.small, None),
            Share::Whole => {
                let place = Arc::clone(&self.places).try_acquire_owned();
                (&self.large, Some(place.map_err(|_| Error::Busy)?))
            }
        };
        let core = Arc::clone(lane).acquire_owned().await;
        Ok(Turn {
            _core: core.map_err(|error| Error::Internal(error.to_string()))?,
            _place: place,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    #[tokio::test]
    async fn large_works_wait_in_few_places_and_small_ones_beside_them() {
        let lanes = Lanes::new(2);
        let mut at_work = Vec::new();
        for _ in 0..2 {
            at_work.push(lanes.turn(Share::Whole).await.expect("a core"));
        }
        let mut waiting: Vec<_> = (0..4).map(|_| Box::pin(lanes.turn(Share::Whole))).collect();
        for turn in &mut waiting {
            assert!(turn.now_or_never().is_none());
        }
        for _ in 0..3 {
            assert!(matches!(
                lanes.turn(Share::Whole).now_or_never(),
                Some(Err(Error::Busy))
            ));
        }
        let small = [lanes.turn(Share::Small).await, lanes.turn(Share::Small).await];
        assert!(small.iter().all(Result::is_ok));
        // Small ones wait for each other only.
        assert!(lanes.turn(Share::Small).now_or_never().is_none());
        // Who goes away leaves its place.
        drop(waiting.pop());
        let mut last = Box::pin(lanes.turn(Share::Whole));
        assert!((&mut last).now_or_never().is_none());
        drop(at_work.pop());
        waiting.remove(0).await.expect("the core that became free");
    }
}
