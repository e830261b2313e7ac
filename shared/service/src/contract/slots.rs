//! What [`Slots`] promises, held against a real store.

use super::together;
use super::trial::NOON;
use crate::clock::Timestamp;
use crate::ids::WriteId;
use crate::slots::{FURTHEST, Slots, Turn};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::task::yield_now;

/// How many holders race.
const TASKS: usize = 32;

/// Two ways to the same turns, as two processes have them.
type Pair = [Arc<dyn Slots>; 2];

/// For how long a turn is taken.
const LEASE: Duration = Duration::from_secs(10);

const A: WriteId = WriteId(1);
const B: WriteId = WriteId(u128::MAX);
const C: WriteId = WriteId(3);

/// Runs every case on turns of their own, to which `make` gives two handles. `rounds` says for how long the races go on.
///
/// # Panics
/// When a case fails.
pub async fn assert_keeps_the_contract(make: impl Fn() -> Pair, rounds: usize) {
    one_holder_until_the_lease_is_over(make()).await;
    the_next_begins_when_the_last_said(make()).await;
    a_repeated_take_is_answered_as_the_first_time(make()).await;
    only_the_holder_gives_back(make()).await;
    names_are_kept_apart(make()).await;
    a_time_of_a_wrong_clock_is_passed_over(make()).await;
    a_lease_has_an_end_that_counts(make()).await;
    of_racing_holders_exactly_one_gets_it(make(), rounds).await;
    never_two_at_once(make(), rounds).await;
}

/// A time so many seconds after noon.
fn at(seconds: u64) -> Timestamp {
    Timestamp(NOON.0 + seconds * 1000)
}

async fn take(slots: &dyn Slots, name: &str, holder: WriteId, now: Timestamp) -> Turn {
    slots.take(name, holder, now, LEASE).await.expect("a turn is asked for")
}

async fn give_back(slots: &dyn Slots, name: &str, holder: WriteId, next: Timestamp) {
    let given = slots.give_back(name, holder, next).await;
    given.expect("a turn is given back");
}

async fn one_holder_until_the_lease_is_over([one, other]: Pair) {
    assert_eq!(take(&*one, "s", A, NOON).await, Turn::Yours);
    for now in [0, 1, 9] {
        assert_eq!(take(&*other, "s", B, at(now)).await, Turn::Wait(at(10)), "{now} s");
        assert_eq!(take(&*one, "s", C, at(now)).await, Turn::Wait(at(10)), "{now} s");
    }
    // Its holder died.
    assert_eq!(take(&*other, "s", B, at(10)).await, Turn::Yours);
    assert_eq!(take(&*one, "s", A, at(10)).await, Turn::Wait(at(20)));
}

async fn the_next_begins_when_the_last_said([one, other]: Pair) {
    assert_eq!(take(&*one, "s", A, NOON).await, Turn::Yours);
    give_back(&*one, "s", A, at(3)).await;
    // Whoever had it waits like the others.
    for (slots, holder) in [(&other, B), (&one, A)] {
        assert_eq!(take(&**slots, "s", holder, at(2)).await, Turn::Wait(at(3)));
    }
    assert_eq!(take(&*other, "s", B, at(3)).await, Turn::Yours);
    // Later than its lease would have ended.
    give_back(&*other, "s", B, at(60)).await;
    assert_eq!(take(&*one, "s", A, at(59)).await, Turn::Wait(at(60)));
    assert_eq!(take(&*one, "s", A, at(60)).await, Turn::Yours);
    give_back(&*one, "s", A, at(61)).await;
    assert_eq!(take(&*one, "s", C, at(61)).await, Turn::Yours, "long after is no fault");
    // Its lease is over, but nobody came: what it says counts.
    give_back(&*one, "s", C, at(90)).await;
    assert_eq!(take(&*other, "s", B, at(80)).await, Turn::Wait(at(90)));
}

async fn a_repeated_take_is_answered_as_the_first_time([one, other]: Pair) {
    assert_eq!(take(&*one, "s", A, NOON).await, Turn::Yours);
    assert_eq!(take(&*one, "s", A, NOON).await, Turn::Yours);
    assert_eq!(take(&*other, "s", A, at(1)).await, Turn::Yours);
    assert!(matches!(take(&*other, "s", B, at(1)).await, Turn::Wait(_)));
    assert!(matches!(take(&*other, "s", B, at(1)).await, Turn::Wait(_)));
    give_back(&*one, "s", A, at(2)).await;
    assert_eq!(take(&*other, "s", B, at(2)).await, Turn::Yours);
    assert!(
        matches!(take(&*one, "s", A, at(2)).await, Turn::Wait(_)),
        "it is B's now"
    );
}

async fn only_the_holder_gives_back([one, other]: Pair) {
    give_back(&*one, "s", A, at(50)).await;
    assert_eq!(take(&*one, "s", A, NOON).await, Turn::Yours, "nobody had it");
    for next in [NOON, at(50)] {
        give_back(&*other, "s", B, next).await;
        assert_eq!(take(&*other, "s", B, at(1)).await, Turn::Wait(at(10)));
    }
    assert_eq!(take(&*other, "s", B, at(10)).await, Turn::Yours);
    // A comes back after its lease.
    for next in [NOON, at(50)] {
        give_back(&*one, "s", A, next).await;
        assert_eq!(take(&*one, "s", C, at(11)).await, Turn::Wait(at(20)));
    }
    give_back(&*other, "s", B, at(12)).await;
    // Given back once, it is nobody's.
    give_back(&*other, "s", B, at(40)).await;
    assert_eq!(take(&*one, "s", C, at(12)).await, Turn::Yours);
}

async fn names_are_kept_apart([one, other]: Pair) {
    for (name, holder) in [("a", A), ("A", B), ("a#b", C), ("论文", A)] {
        assert_eq!(take(&*one, name, holder, NOON).await, Turn::Yours, "{name}");
    }
    give_back(&*one, "a", A, NOON).await;
    assert_eq!(take(&*other, "A", A, at(1)).await, Turn::Wait(at(10)));
    assert_eq!(take(&*other, "论文", B, at(1)).await, Turn::Wait(at(10)));
    assert_eq!(take(&*other, "a", B, at(1)).await, Turn::Yours);
}

async fn a_time_of_a_wrong_clock_is_passed_over([one, other]: Pair) {
    let year = at(365 * 24 * 60 * 60);
    assert_eq!(take(&*one, "s", A, year).await, Turn::Yours);
    assert_eq!(take(&*other, "s", B, NOON).await, Turn::Yours, "as if nobody had it");
    give_back(&*other, "s", B, year).await;
    assert_eq!(take(&*one, "s", A, NOON).await, Turn::Yours);
    // The furthest is no fault.
    let furthest = Timestamp(NOON.0 + FURTHEST.as_millis() as u64);
    give_back(&*one, "s", A, furthest).await;
    assert_eq!(take(&*other, "s", B, NOON).await, Turn::Wait(furthest));
}

async fn a_lease_has_an_end_that_counts([one, other]: Pair) {
    let furthest = Timestamp(NOON.0 + FURTHEST.as_millis() as u64);
    for (name, lease) in [("twice", FURTHEST * 2), ("endless", Duration::MAX)] {
        let turn = one.take(name, A, NOON, lease).await.expect("a turn is asked for");
        assert_eq!(turn, Turn::Yours, "{name}");
        assert_eq!(take(&*other, name, B, NOON).await, Turn::Wait(furthest), "{name}");
        assert_eq!(take(&*other, name, B, furthest).await, Turn::Yours, "{name}");
    }
}

async fn of_racing_holders_exactly_one_gets_it(pair: Pair, rounds: usize) {
    for round in 0..rounds {
        // Every third round the lease of the one before is over; else it was given back, or is another name.
        let (name, now) = (format!("s{}", round / 3), at(round as u64 * 10));
        let racers = (0..TASKS).map(|task| {
            let (slots, name) = (Arc::clone(&pair[task % 2]), name.clone());
            let holder = WriteId((round * TASKS + task) as u128);
            async move { (holder, take(&*slots, &name, holder, now).await) }
        });
        let turns = together(racers.collect()).await;
        let won: Vec<WriteId> = turns
            .iter()
            .filter(|(_, turn)| *turn == Turn::Yours)
            .map(|(holder, _)| *holder)
            .collect();
        let [holder] = won[..] else {
            panic!("round {round}: {won:?} got it");
        };
        let end = Timestamp(now.0 + LEASE.as_millis() as u64);
        for (_, turn) in turns.iter().filter(|(_, turn)| *turn != Turn::Yours) {
            assert_eq!(*turn, Turn::Wait(end), "round {round}");
        }
        if round % 3 == 0 {
            give_back(&*pair[round % 2], &name, holder, now).await;
        }
    }
}

/// Holders who come again and again, and give back.
async fn never_two_at_once(pair: Pair, rounds: usize) {
    let (inside, done) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let wanted = rounds.div_ceil(2);
    let workers = (0..6_usize).map(|task| {
        let slots = Arc::clone(&pair[task % 2]);
        let (inside, done) = (Arc::clone(&inside), Arc::clone(&done));
        async move {
            let mut number = task as u128;
            while done.load(Ordering::SeqCst) < wanted {
                number += 100;
                let holder = WriteId(number);
                // The clock stands still: no lease ends.
                if take(&*slots, "s", holder, NOON).await == Turn::Yours {
                    assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0, "two have it at once");
                    yield_now().await;
                    inside.fetch_sub(1, Ordering::SeqCst);
                    done.fetch_add(1, Ordering::SeqCst);
                    give_back(&*slots, "s", holder, NOON).await;
                }
                yield_now().await;
            }
        }
    });
    together(workers.collect()).await;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ports::StoreError;
    use crate::slots::{MemorySlots, Slot};
    use async_trait::async_trait;
    use futures_util::FutureExt;
    use std::collections::BTreeMap;
    use std::panic::AssertUnwindSafe;
    use std::sync::Mutex;

    /// How broken turns are broken.
    #[derive(Debug, Clone, Copy)]
    enum Fault {
        /// A turn lasts until it is given back.
        LeaseNeverEnds,
        /// A turn lasts for no time at all.
        NoLease,
        AnyoneGivesBack,
        ForgetsTheNext,
        CheckThenTake,
        OwnTakeForgotten,
        BelievesAnyClock,
    }

    #[derive(Debug)]
    struct Broken {
        fault: Fault,
        slots: Mutex<BTreeMap<String, Slot>>,
    }

    #[async_trait]
    impl Slots for Broken {
        async fn take(&self, name: &str, holder: WriteId, now: Timestamp, lease: Duration) -> Result<Turn, StoreError> {
            let slot = self.slots.lock().unwrap().get(name).copied();
            if let Fault::CheckThenTake = self.fault {
                yield_now().await;
            }
            let slot = slot.map(|slot| match self.fault {
                Fault::LeaseNeverEnds if slot.holder.is_some() => Slot {
                    until: Timestamp(now.0 + 1),
                    ..slot
                },
                Fault::OwnTakeForgotten => Slot { holder: None, ..slot },
                _ => slot,
            });
            let turn = slot.map_or(Turn::Yours, |slot| match (slot.turn(holder, now), self.fault) {
                (Turn::Yours, Fault::BelievesAnyClock) if slot.until > now => Turn::Wait(slot.until),
                (turn, _) => turn,
            });
            if turn == Turn::Yours {
                let lease = if let Fault::NoLease = self.fault {
                    Duration::ZERO
                } else {
                    lease
                };
                let mut slots = self.slots.lock().unwrap();
                slots.insert(name.to_owned(), Slot::taken(holder, now, lease));
            }
            Ok(turn)
        }

        async fn give_back(&self, name: &str, holder: WriteId, next: Timestamp) -> Result<(), StoreError> {
            let mut slots = self.slots.lock().unwrap();
            let Some(slot) = slots.get_mut(name) else {
                return Ok(());
            };
            if slot.holder == Some(holder) || matches!(self.fault, Fault::AnyoneGivesBack) {
                let until = if let Fault::ForgetsTheNext = self.fault {
                    NOON
                } else {
                    next
                };
                *slot = Slot { holder: None, until };
            }
            Ok(())
        }
    }

    fn pair(slots: impl Slots + 'static) -> Pair {
        let slots = Arc::new(slots);
        [Arc::clone(&slots) as Arc<dyn Slots>, slots]
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn memory_keeps_the_contract() {
        assert_keeps_the_contract(|| pair(MemorySlots::new()), crate::contract::ROUNDS).await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn broken_turns_fail() {
        for fault in [
            Fault::LeaseNeverEnds,
            Fault::NoLease,
            Fault::AnyoneGivesBack,
            Fault::ForgetsTheNext,
            Fault::CheckThenTake,
            Fault::OwnTakeForgotten,
            Fault::BelievesAnyClock,
        ] {
            let make = || {
                let slots = Mutex::default();
                pair(Broken { fault, slots })
            };
            let run = assert_keeps_the_contract(make, crate::contract::ROUNDS);
            assert!(AssertUnwindSafe(run).catch_unwind().await.is_err(), "{fault:?} passes");
        }
    }
}
