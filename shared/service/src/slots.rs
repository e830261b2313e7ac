//! Turns at something that all our processes and machines together may use only now and then, one at a time.

use crate::clock::Timestamp;
use crate::ids::WriteId;
use crate::ports::StoreError;
use async_trait::async_trait;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// No turn is further away than this: a time beyond it was written by a clock that is wrong, and is passed over.
pub const FURTHEST: Duration = Duration::from_secs(60 * 60);

/// The furthest time that is believed at `now`.
#[must_use]
pub fn furthest(now: Timestamp) -> Timestamp {
    Timestamp(now.0.saturating_add(FURTHEST.as_millis() as u64))
}

/// What came of asking for a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// It is the caller's, until it is given back or the lease ends.
    Yours,
    /// Not before this time.
    Wait(Timestamp),
}

/// Turns, by the name of what is used.
///
/// Promises, which `contract::slots` holds against every store:
/// - At most one holder has the turn: the next gets it when it was given back, or its lease is over.
/// - A turn begins no earlier than the time that the last holder gave at [`Slots::give_back`]. Where one never gave it
///   back, because its process died, the end of its lease counts.
/// - A take repeated by the same holder, because its reply was lost, is answered as the first time.
/// - Whoever does not hold the turn cannot give it back.
#[async_trait]
pub trait Slots: Send + Sync + fmt::Debug {
    /// Asks for the turn at `name`, for as long as `lease`, [`FURTHEST`] at most.
    async fn take(&self, name: &str, holder: WriteId, now: Timestamp, lease: Duration) -> Result<Turn, StoreError>;

    /// Gives the turn back; the next begins at `next` at the earliest.
    async fn give_back(&self, name: &str, holder: WriteId, next: Timestamp) -> Result<(), StoreError>;
}

/// Who holds a turn, and until when nobody else may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// Who has it; none: it was given back.
    pub holder: Option<WriteId>,
    /// Before this time nobody else gets it: the end of the lease, or what the last holder said.
    pub until: Timestamp,
}

impl Slot {
    /// How a slot stands that `holder` takes at `now`.
    #[must_use]
    pub fn taken(holder: WriteId, now: Timestamp, lease: Duration) -> Self {
        // What is further away would be passed over, and there would be two holders.
        let lease = lease.min(FURTHEST).as_millis() as u64;
        Self {
            holder: Some(holder),
            until: Timestamp(now.0.saturating_add(lease)),
        }
    }

    /// What `holder` gets who asks at `now`, where a slot stands like this.
    #[must_use]
    pub fn turn(self, holder: WriteId, now: Timestamp) -> Turn {
        if self.holder == Some(holder) || self.until <= now || self.until > furthest(now) {
            Turn::Yours
        } else {
            Turn::Wait(self.until)
        }
    }
}

/// Turns of one process.
#[derive(Debug, Default)]
pub struct MemorySlots(Mutex<BTreeMap<String, Slot>>);

impl MemorySlots {
    /// Nobody has a turn.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

#[async_trait]
impl Slots for MemorySlots {
    async fn take(&self, name: &str, holder: WriteId, now: Timestamp, lease: Duration) -> Result<Turn, StoreError> {
        let mut slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let turn = slots.get(name).map_or(Turn::Yours, |slot| slot.turn(holder, now));
        if turn == Turn::Yours {
            slots.insert(name.to_owned(), Slot::taken(holder, now, lease));
        }
        Ok(turn)
    }

    async fn give_back(&self, name: &str, holder: WriteId, next: Timestamp) -> Result<(), StoreError> {
        let mut slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(slot) = slots.get_mut(name).filter(|slot| slot.holder == Some(holder)) {
            *slot = Slot {
                holder: None,
                until: next,
            };
        }
        Ok(())
    }
}
