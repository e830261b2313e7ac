//! What may be forgotten: answers of others that are kept for a while, and marks of what just happened.

use crate::clock::Timestamp;
use crate::ports::StoreError;
use async_trait::async_trait;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

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

    /// Marks a key until `expires`; whether it was marked already, which leaves the mark as it was.
    async fn mark(&self, key: &str, now: Timestamp, expires: Timestamp) -> Result<bool, StoreError>;
}

/// What is held, by key: until when, and the value.
type Held = BTreeMap<String, (Timestamp, Arc<[u8]>)>;

/// A cache that is gone at exit.
#[derive(Debug, Default)]
pub struct MemoryCache(Mutex<Held>);

/// How many values are held in memory.
const HELD: usize = 2_000;

impl MemoryCache {
    /// An empty one.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn with<T>(&self, now: Timestamp, work: impl FnOnce(&mut Held) -> T) -> T {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if held.len() >= HELD {
            held.retain(|_, (expires, _)| *expires > now);
        }
        if held.len() >= HELD {
            held.clear();
        }
        work(&mut held)
    }
}

#[async_trait]
impl Cache for MemoryCache {
    async fn get(&self, key: &str, now: Timestamp) -> Result<Option<Arc<[u8]>>, StoreError> {
        let held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(held
            .get(key)
            .filter(|(expires, _)| *expires > now)
            .map(|(_, value)| Arc::clone(value)))
    }

    async fn put(&self, key: &str, value: &[u8], now: Timestamp, expires: Timestamp) -> Result<(), StoreError> {
        if key.len() <= MAX_KEY && value.len() <= MAX_VALUE {
            self.with(now, |held| held.insert(key.to_owned(), (expires, value.into())));
        }
        Ok(())
    }

    async fn mark(&self, key: &str, now: Timestamp, expires: Timestamp) -> Result<bool, StoreError> {
        Ok(self.with(now, |held| {
            let marked = held.get(key).is_some_and(|(until, _)| *until > now);
            if !marked {
                held.insert(key.to_owned(), (expires, Arc::default()));
            }
            marked
        }))
    }
}
