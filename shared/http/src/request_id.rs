//! The name under which one request is found in answers and logs.

use http::{HeaderMap, HeaderName, HeaderValue};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The header that carries it, both ways.
pub(crate) const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The longest that is taken from a client: room for a UUID, a trace context or an API Gateway id.
const MAX: usize = 128;

/// A request's id.
#[derive(Debug)]
pub(crate) struct RequestId(HeaderValue);

impl RequestId {
    /// The client's, where it is sane, else a new one.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let given = headers.get(X_REQUEST_ID).filter(|id| is_sane(id.as_bytes()));
        Self(given.cloned().unwrap_or_else(made))
    }

    /// The id.
    pub(crate) fn as_str(&self) -> &str {
        self.0.to_str().unwrap_or_default()
    }

    pub(crate) fn header(&self) -> HeaderValue {
        self.0.clone()
    }
}

/// What common tracers send, and nothing that could break a log line apart.
fn is_sane(id: &[u8]) -> bool {
    (1..=MAX).contains(&id.len()) && id.iter().all(|b| b.is_ascii_alphanumeric() || b"-_.:/+=@~".contains(b))
}

/// Random for this process, counted within it.
fn made() -> HeaderValue {
    static PROCESS: LazyLock<u64> = LazyLock::new(|| RandomState::new().build_hasher().finish());
    static COUNT: AtomicU64 = AtomicU64::new(1);
    let id = format!("{:016x}-{:08x}", *PROCESS, COUNT.fetch_add(1, Ordering::Relaxed));
    crate::conditions::ascii(&id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sane_ids_are_kept_and_others_made() {
        #[track_caller]
        fn check(given: &[u8], kept: bool) {
            let value = HeaderValue::from_bytes(given).expect("a header");
            let id = RequestId::of(&HeaderMap::from_iter([(X_REQUEST_ID, value)]));
            assert_eq!(id.as_str().as_bytes() == given, kept, "{id:?}");
            assert!(is_sane(id.as_str().as_bytes()));
        }
        check(b"7b3c-1", true);
        check(b"1-65a1b2c3-abc/def:01+=", true);
        check(&[b'a'; 128], true);
        check(&[b'a'; 129], false);
        check(b"", false);
        check(b"a b", false);
        check(b"\"x\"", false);
        check(b"\xe6", false);
        assert_ne!(made(), made());
    }
}
