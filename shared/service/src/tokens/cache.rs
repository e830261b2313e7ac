//! Tokens that were verified a moment ago, so that a call costs no look-up. A revocation is seen when an entry ends.

use crate::clock::Timestamp;
use crate::service::Caller;
use meadow_access::Hash;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long a token is taken without asking the store again.
pub(super) const LIFE: Duration = Duration::from_secs(60);

/// Entries, at most: a few hundred bytes each.
const MOST: usize = 1024;

/// The cache. Its key is the hash of a whole token: nobody finds an entry without the token.
#[derive(Debug, Default)]
pub(super) struct Cache {
    entries: Mutex<HashMap<Hash, Entry>>,
}

#[derive(Debug)]
struct Entry {
    caller: Caller,
    since: Timestamp,
    ends: Timestamp,
}

impl Entry {
    /// A clock that was set back does not make an entry last longer.
    fn holds(&self, now: Timestamp) -> bool {
        self.since <= now && now < self.ends
    }
}

impl Cache {
    pub(super) fn get(&self, hash: &Hash, now: Timestamp) -> Option<Caller> {
        let entries = self.lock();
        let entry = entries.get(hash).filter(|entry| entry.holds(now))?;
        Some(entry.caller.clone())
    }

    /// Keeps what was found at `now`, until `ends` or [`LIFE`] later.
    pub(super) fn keep(&self, hash: Hash, caller: Caller, now: Timestamp, ends: Option<Timestamp>) {
        let longest = Timestamp(now.0 + LIFE.as_millis() as u64);
        let entry = Entry {
            caller,
            since: now,
            ends: ends.map_or(longest, |ends| ends.min(longest)),
        };
        let mut entries = self.lock();
        if entries.len() >= MOST && !entries.contains_key(&hash) {
            entries.retain(|_, entry| entry.holds(now));
        }
        if entries.len() >= MOST && !entries.contains_key(&hash) {
            let oldest = entries
                .iter()
                .min_by_key(|(_, entry)| entry.ends)
                .map(|(hash, _)| *hash);
            oldest.map(|hash| entries.remove(&hash));
        }
        entries.insert(hash, entry);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Hash, Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meadow_access::token;

    #[test]
    fn entries_end_and_are_bounded() {
        let cache = Cache::default();
        let hash = token::hash("a");
        cache.keep(hash, Caller::default(), Timestamp(1000), None);
        for (now, held) in [(999, false), (1000, true), (60_999, true), (61_000, false)] {
            assert_eq!(cache.get(&hash, Timestamp(now)).is_some(), held, "{now}");
        }
        cache.keep(hash, Caller::default(), Timestamp(1000), Some(Timestamp(1500)));
        for (now, held) in [(1499, true), (1500, false)] {
            assert_eq!(cache.get(&hash, Timestamp(now)).is_some(), held, "{now}");
        }
        for n in 0..3 * MOST as u64 {
            cache.keep(token::hash(&n.to_string()), Caller::default(), Timestamp(n), None);
            assert!(cache.lock().len() <= MOST);
        }
        let last = 3 * MOST as u64 - 1;
        assert!(cache.get(&token::hash(&last.to_string()), Timestamp(last)).is_some());
        assert!(
            cache.get(&token::hash("2047"), Timestamp(last)).is_none(),
            "the oldest went"
        );
    }
}
