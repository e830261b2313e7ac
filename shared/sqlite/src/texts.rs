//! Recently used texts in memory, so that a model that is read again and again is not copied from the file each time.
//!
//! A text is found by its SHA-256, which the store looks up in the file for every read: what is held here can never be
//! out of date, and needs no word from other processes.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes held at most: a few large models, or thousands of small ones.
const ROOM: usize = 8 << 20;

type Sha256 = [u8; 32];

/// Texts, of which the oldest go first.
#[derive(Default)]
pub(crate) struct Texts(Mutex<Held>);

#[derive(Default)]
struct Held {
    texts: HashMap<Sha256, Arc<str>>,
    order: VecDeque<Sha256>,
    bytes: usize,
}

impl Texts {
    /// Holds a text.
    pub(crate) fn keep(&self, sha256: Sha256, text: &Arc<str>) {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if held.texts.insert(sha256, Arc::clone(text)).is_some() {
            return;
        }
        held.order.push_back(sha256);
        held.bytes += text.len();
        while held.bytes > ROOM {
            let Some(oldest) = held.order.pop_front() else { break };
            held.bytes -= held.texts.remove(&oldest).map_or(0, |text| text.len());
        }
    }

    /// The text of this SHA-256, where it is held.
    pub(crate) fn get(&self, sha256: &Sha256) -> Option<Arc<str>> {
        let held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        held.texts.get(sha256).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_go_when_there_is_no_room() {
        let texts = Texts::default();
        let text: Arc<str> = "x".repeat(ROOM / 4).into();
        for n in 0..5 {
            texts.keep([n; 32], &text);
            texts.keep([n; 32], &text);
        }
        let held: Vec<u8> = (0..5).filter(|n| texts.get(&[*n; 32]).is_some()).collect();
        assert_eq!(held, [1, 2, 3, 4]);
        assert_eq!(texts.0.lock().unwrap().bytes, ROOM);
    }

    #[test]
    fn a_text_larger_than_the_room_is_not_held() {
        let texts = Texts::default();
        texts.keep([1; 32], &"x".repeat(ROOM + 1).into());
        assert!(texts.get(&[1; 32]).is_none());
        assert_eq!(texts.0.lock().unwrap().bytes, 0);
    }
}
