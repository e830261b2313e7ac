//! What [`Cache`] promises, held against a real store.

use super::together;
use super::trial::NOON;
use crate::cache::{Cache, MAX_KEY, MAX_VALUE};
use crate::clock::Timestamp;
use std::sync::Arc;

/// How many tasks race.
const TASKS: usize = 32;

/// Bytes of a value that is written while it is read: more than one write or one reply of a network brings.
const LARGE: usize = 100_000;

/// Two ways to one cache, as two processes have them.
type Pair = [Arc<dyn Cache>; 2];

/// Runs every case on a cache of its own, of which `make` gives two handles. `rounds` says for how long the races go on.
///
/// # Panics
/// When a case fails.
pub async fn assert_keeps_the_contract(make: impl Fn() -> Pair, rounds: usize) {
    a_value_is_seen_until_it_expires(make()).await;
    any_bytes_and_keys_are_kept_apart(make()).await;
    a_later_put_replaces_an_earlier_one(make()).await;
    what_is_too_large_is_not_kept(make()).await;
    a_mark_is_found_until_it_expires(make()).await;
    a_mark_that_is_there_stays_as_it_was(make()).await;
    of_racing_marks_exactly_one_is_the_first(make(), rounds).await;
    no_value_is_torn(make(), rounds).await;
}

/// A time so many milliseconds after noon.
fn at(milliseconds: u64) -> Timestamp {
    Timestamp(NOON.0 + milliseconds)
}

async fn found(cache: &dyn Cache, key: &str, now: Timestamp) -> Option<Vec<u8>> {
    let value = cache.get(key, now).await.expect("the cache gives");
    value.map(|value| value.to_vec())
}

async fn put(cache: &dyn Cache, key: &str, value: &[u8], now: Timestamp, expires: Timestamp) {
    cache.put(key, value, now, expires).await.expect("the cache keeps");
}

async fn marked(cache: &dyn Cache, key: &str, now: Timestamp, expires: Timestamp) -> bool {
    cache.mark(key, now, expires).await.expect("the cache marks")
}

async fn a_value_is_seen_until_it_expires([one, other]: Pair) {
    assert_eq!(found(&*one, "k", NOON).await, None, "never put");
    put(&*one, "k", b"value", NOON, at(1500)).await;
    for cache in [&one, &other] {
        for (now, seen) in [(0, true), (1, true), (1499, true), (1500, false), (1501, false)] {
            let value = found(&**cache, "k", at(now)).await;
            assert_eq!(value.is_some(), seen, "{now} ms after it was put for 1500");
        }
    }
    put(&*one, "late", b"value", NOON, NOON).await;
    assert_eq!(found(&*other, "late", NOON).await, None, "expired as it was put");
}

async fn any_bytes_and_keys_are_kept_apart([one, other]: Pair) {
    let long = "k".repeat(MAX_KEY);
    let keys = [
        "",
        " ",
        "a",
        "A",
        "a/b",
        "a#b",
        "水循环",
        "水循環",
        "e\u{301}",
        "é",
        &long,
    ];
    let value = |number: usize| -> Vec<u8> { (0..=255).map(|byte: u8| byte ^ number as u8).collect() };
    for (number, key) in keys.iter().enumerate() {
        put(&*one, key, &value(number), NOON, at(1000)).await;
    }
    for (number, key) in keys.iter().enumerate() {
        assert_eq!(found(&*other, key, NOON).await, Some(value(number)), "{key:?}");
    }
    put(&*one, "empty", b"", NOON, at(1000)).await;
    assert_eq!(found(&*other, "empty", NOON).await, Some(Vec::new()));
}

async fn a_later_put_replaces_an_earlier_one([one, other]: Pair) {
    put(&*one, "k", b"first", NOON, at(9000)).await;
    put(&*other, "k", b"second", at(1), at(1000)).await;
    assert_eq!(found(&*one, "k", at(2)).await.as_deref(), Some(&b"second"[..]));
    assert_eq!(found(&*one, "k", at(1000)).await, None, "its own time counts");
    put(&*one, "k", b"third", at(1000), at(9000)).await;
    assert_eq!(found(&*other, "k", at(8999)).await.as_deref(), Some(&b"third"[..]));
}

async fn what_is_too_large_is_not_kept([one, other]: Pair) {
    let largest: Vec<u8> = (0..MAX_VALUE).map(|at| (at % 251) as u8).collect();
    put(&*one, "largest", &largest, NOON, at(1000)).await;
    assert!(found(&*other, "largest", NOON).await == Some(largest), "all of it");
    put(&*one, "larger", &vec![7; MAX_VALUE + 1], NOON, at(1000)).await;
    assert_eq!(found(&*other, "larger", NOON).await, None);
    let longer = "k".repeat(MAX_KEY + 1);
    put(&*one, &longer, b"value", NOON, at(1000)).await;
    assert_eq!(found(&*other, &longer, NOON).await, None);
    for _ in 0..2 {
        assert!(!marked(&*one, &longer, NOON, at(1000)).await, "no mark of such a key");
    }
    assert_eq!(found(&*other, &longer, NOON).await, None);
}

async fn a_mark_is_found_until_it_expires([one, other]: Pair) {
    assert!(!marked(&*one, "k", NOON, at(1500)).await, "the first");
    assert!(!marked(&*one, "another", NOON, at(1500)).await, "of another key");
    for (now, there) in [(0, true), (1499, true), (1500, false), (1501, true)] {
        // At 1500 it is made anew.
        let found = marked(&*other, "k", at(now), at(3000)).await;
        assert_eq!(found, there, "{now} ms after it was made for 1500");
    }
}

async fn a_mark_that_is_there_stays_as_it_was([one, other]: Pair) {
    assert!(!marked(&*one, "k", NOON, at(1000)).await);
    assert!(marked(&*other, "k", at(500), at(9000)).await);
    assert!(!marked(&*one, "k", at(1000), at(2000)).await, "its own time counts");
}

async fn of_racing_marks_exactly_one_is_the_first(pair: Pair, rounds: usize) {
    for round in 0..rounds {
        // Every second round meets the mark of the round before, which has expired.
        let key = format!("k{}", round / 2);
        let now = round as u64 * 10;
        let racers = (0..TASKS).map(|task| {
            let (cache, key) = (Arc::clone(&pair[task % 2]), key.clone());
            async move { marked(&*cache, &key, at(now), at(now + 10)).await }
        });
        let first = together(racers.collect()).await.into_iter().filter(|there| !there);
        assert_eq!(first.count(), 1, "round {round}: how many found it unmarked");
    }
}

async fn no_value_is_torn(pair: Pair, rounds: usize) {
    put(&*pair[0], "k", &vec![0; LARGE], NOON, at(1000)).await;
    for round in 0..rounds {
        let racers = (0..8_u8).map(|task| {
            let cache = Arc::clone(&pair[usize::from(task % 2)]);
            async move {
                if task < 3 {
                    put(&*cache, "k", &vec![task; LARGE], NOON, at(1000)).await;
                    return;
                }
                let value = found(&*cache, "k", NOON).await.unwrap_or_default();
                let whole = value.len() == LARGE && value.iter().all(|byte| *byte == value[0]);
                assert!(whole, "round {round}: a torn value of {} bytes", value.len());
            }
        });
        together(racers.collect()).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::MemoryCache;
    use crate::ports::StoreError;
    use async_trait::async_trait;
    use futures_util::FutureExt;
    use std::panic::AssertUnwindSafe;
    use tokio::task::yield_now;

    /// How a broken cache is broken.
    #[derive(Debug, Clone, Copy)]
    enum Fault {
        CheckThenMark,
        NeverExpires,
        KeepsTheFirst,
        WrittenInParts,
        MarkLasts,
        KeepsAnySize,
    }

    #[derive(Debug)]
    struct Broken {
        fault: Fault,
        inner: MemoryCache,
    }

    #[async_trait]
    impl Cache for Broken {
        async fn get(&self, key: &str, now: Timestamp) -> Result<Option<Arc<[u8]>>, StoreError> {
            let now = if let Fault::NeverExpires = self.fault {
                NOON
            } else {
                now
            };
            self.inner.get(&short(key), now).await
        }

        async fn put(&self, key: &str, value: &[u8], now: Timestamp, expires: Timestamp) -> Result<(), StoreError> {
            match self.fault {
                Fault::KeepsTheFirst if self.inner.get(key, now).await?.is_some() => return Ok(()),
                Fault::WrittenInParts => {
                    let half = &value[..value.len() / 2];
                    self.inner.put(key, half, now, expires).await?;
                    yield_now().await;
                }
                Fault::KeepsAnySize => return self.inner.put(&short(key), value, now, expires).await,
                _ => {}
            }
            self.inner.put(key, value, now, expires).await
        }

        async fn mark(&self, key: &str, now: Timestamp, expires: Timestamp) -> Result<bool, StoreError> {
            match self.fault {
                Fault::CheckThenMark => {
                    let there = self.inner.get(key, now).await?.is_some();
                    if !there {
                        yield_now().await;
                        self.inner.put(key, b"", now, expires).await?;
                    }
                    Ok(there)
                }
                Fault::MarkLasts => {
                    let there = self.inner.mark(key, now, expires).await?;
                    self.inner.put(key, b"", now, expires).await?;
                    Ok(there)
                }
                _ => self.inner.mark(key, now, expires).await,
            }
        }
    }

    /// What a store that cuts keys makes of one.
    fn short(key: &str) -> String {
        key.chars().take(MAX_KEY).collect()
    }

    fn pair(cache: impl Cache + 'static) -> Pair {
        let cache = Arc::new(cache);
        [Arc::clone(&cache) as Arc<dyn Cache>, cache]
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn memory_keeps_the_contract() {
        assert_keeps_the_contract(|| pair(MemoryCache::new()), crate::contract::ROUNDS).await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn broken_caches_fail() {
        for fault in [
            Fault::CheckThenMark,
            Fault::NeverExpires,
            Fault::KeepsTheFirst,
            Fault::WrittenInParts,
            Fault::MarkLasts,
            Fault::KeepsAnySize,
        ] {
            let make = || {
                let inner = MemoryCache::new();
                pair(Broken { fault, inner })
            };
            let run = assert_keeps_the_contract(make, crate::contract::ROUNDS);
            assert!(AssertUnwindSafe(run).catch_unwind().await.is_err(), "{fault:?} passes");
        }
    }
}
