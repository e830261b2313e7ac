//! Tokens that are forgotten at exit: for tests, and for a process that serves itself.

use super::{TokenRecord, TokenStore};
use crate::clock::Timestamp;
use crate::ports::StoreError;
use async_trait::async_trait;
use meadow_access::TokenId;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The store. Everything happens under one lock, so every promise of [`TokenStore`] holds by construction.
#[derive(Debug, Default)]
pub struct MemoryTokens {
    records: Mutex<BTreeMap<TokenId, TokenRecord>>,
}

impl MemoryTokens {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<TokenId, TokenRecord>> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl TokenStore for MemoryTokens {
    async fn get(&self, id: TokenId) -> Result<Option<TokenRecord>, StoreError> {
        Ok(self.lock().get(&id).cloned())
    }

    async fn put(&self, record: &TokenRecord) -> Result<bool, StoreError> {
        Ok(match self.lock().entry(record.id) {
            Entry::Vacant(place) => {
                place.insert(record.clone());
                true
            }
            Entry::Occupied(kept) => kept.get().hash == record.hash,
        })
    }

    async fn revoke(&self, id: TokenId, at: Timestamp) -> Result<Option<TokenRecord>, StoreError> {
        let mut records = self.lock();
        let Some(kept) = records.get_mut(&id) else {
            return Ok(None);
        };
        *kept = kept.clone().revoked_at(at);
        Ok(Some(kept.clone()))
    }

    async fn list(&self) -> Result<Vec<TokenRecord>, StoreError> {
        let mut list: Vec<_> = self.lock().values().cloned().collect();
        list.sort_by_key(|record| (record.created, record.id));
        Ok(list)
    }
}
