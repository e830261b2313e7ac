//! What may be forgotten: answers of others that are kept for a while, and marks of what just happened.

use crate::clock::Timestamp;
use crate::ports::StoreError;
use async_trait::async_trait;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The longest key, in bytes.
pub const MAX_KEY: usize = 512;

/// The longest value, in bytes: what an item of DynamoDB (400 KB) holds.
pub const MAX_VALUE: usize = 380_000;

/// Small values that several processes share for a while.
///
/// Promises, which `contract::cache` holds against every store:
/// - A value is seen until it expires, by the time that the caller gives, and never afterwards. A store may forget it
///   before.
/// - A later put replaces an earlier one; a reader never sees half a value.
/// - Of N racing [`Cache::mark`]s of one key exactly one finds it unmarked.
#[async_trait]
pub trait Cache: Send + Sync + fmt::Debug {
    /// The value under a key.
    async fn get(&self, key: &str, now: Timestamp) -> Result<Option<Arc<[u8]>>, StoreError>;

    /// Keeps a value. One that is larger than [`MAX_VALUE`], or whose key is longer than [`MAX_KEY`], is not kept.
    async fn put(&self, key: &str, value: &[u8], now: Timestamp, expires: Timestamp) -> Result<(), StoreError>;

    /// Marks a key until `expires`; whether it was marked already, which leaves the mark as it was. One that is longer
    /// than [`MAX_KEY`] is not marked.
    async fn mark(&self, key: &str, now: Timestamp, expires: Timestamp) -> Result<bool, StoreError>;
}

/// A cache that is gone at exit.
#[derive(Debug, Default)]
pub struct MemoryCache(Mutex<Held>);

/// How many values are held in memory, and how many bytes of them.
const HELD: usize = 2_000;
const HELD_BYTES: usize = 32_000_000;

#[derive(Default)]
struct Held {
    values: BTreeMap<String, (Timestamp, Arc<[u8]>)>,
    bytes: usize,
}

impl MemoryCache {
    /// An empty one.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Held {
    fn get(&self, key: &str, now: Timestamp) -> Option<&Arc<[u8]>> {
        let (expires, value) = self.values.get(key)?;
        (*expires > now).then_some(value)
    }

    /// Puts a value. Where there is no room, what has expired goes, then what would expire first.
    fn put(&mut self, key: &str, value: &[u8], now: Timestamp, expires: Timestamp) {
        self.remove(key);
        if !self.has_room(value) {
            self.values.retain(|_, (expires, _)| *expires > now);
            self.bytes = self.values.values().map(|(_, value)| value.len()).sum();
        }
        while !self.has_room(value) {
            let first = self.values.iter().min_by_key(|(_, (expires, _))| *expires);
            let Some(first) = first.map(|(key, _)| key.clone()) else {
                break;
            };
            self.remove(&first);
        }
        self.bytes += value.len();
        self.values.insert(key.to_owned(), (expires, value.into()));
    }

    fn has_room(&self, value: &[u8]) -> bool {
        self.values.len() < HELD && self.bytes + value.len() <= HELD_BYTES
    }

    fn remove(&mut self, key: &str) {
        if let Some((_, value)) = self.values.remove(key) {
            self.bytes -= value.len();
        }
    }
}

/// Without the values.
impl fmt::Debug for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} values, {} bytes", self.values.len(), self.bytes)
    }
}

#[async_trait]
impl Cache for MemoryCache {
    async fn get(&self, key: &str, now: Timestamp) -> Result<Option<Arc<[u8]>>, StoreError> {
        Ok(self.lock().get(key, now).map(Arc::clone))
    }

    async fn put(&self, key: &str, value: &[u8], now: Timestamp, expires: Timestamp) -> Result<(), StoreError> {
        if key.len() <= MAX_KEY && value.len() <= MAX_VALUE {
            self.lock().put(key, value, now, expires);
        }
        Ok(())
    }

    async fn mark(&self, key: &str, now: Timestamp, expires: Timestamp) -> Result<bool, StoreError> {
        let mut held = self.lock();
        let marked = held.get(key, now).is_some();
        if !marked && key.len() <= MAX_KEY {
            held.put(key, b"", now, expires);
        }
        Ok(marked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn memory_is_bounded_and_what_expires_first_goes_first() {
        let cache = MemoryCache::new();
        let value = vec![7; MAX_VALUE];
        let now = Timestamp(1000);
        for n in 0..200_u64 {
            let expires = Timestamp(10_000 - n);
            cache.put(&n.to_string(), &value, now, expires).await.unwrap();
        }
        let kept = HELD_BYTES / MAX_VALUE;
        assert_eq!(cache.lock().values.len(), kept);
        assert_eq!(cache.lock().bytes, kept * MAX_VALUE);
        for (key, there) in [("0", true), ("80", true), ("199", true), ("198", false)] {
            assert_eq!(cache.get(key, now).await.unwrap().is_some(), there, "{key}");
        }
        for n in 0..3 * HELD {
            assert!(!cache.mark(&format!("m{n}"), now, Timestamp(20_000)).await.unwrap());
        }
        assert_eq!(cache.lock().values.len(), HELD);
        // What has expired goes before anything that has not.
        cache
            .put("late", &value, Timestamp(20_000), Timestamp(30_000))
            .await
            .unwrap();
        assert_eq!(cache.lock().values.len(), 1);
        assert_eq!(cache.lock().bytes, MAX_VALUE);
    }
}
