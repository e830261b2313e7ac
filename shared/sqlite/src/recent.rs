//! The last acknowledged writes of a model, as its row keeps them: a write that comes again is answered what it did, and
//! does nothing.
//!
//! They stand in the row, and not in a table of their own, because every put reads and writes that row anyway: each
//! table more is another page that a commit writes.

use meadow_service::ports::KEPT_WRITES;
use meadow_service::{Revision, WriteId};
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};

/// Bytes of one write: its id, what it did, and the revision at which the model stood after it, numbers big-endian.
const ENTRY: usize = 16 + 1 + 8;

/// What an acknowledged write did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Did {
    Store = 0,
    /// The model was so already.
    Nothing = 1,
    Delete = 2,
}

/// The writes, the oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Recent(Vec<u8>);

impl Recent {
    /// What this write did, and where the model stood after it; none where it is not among them.
    pub(crate) fn find(&self, write: WriteId) -> Option<(Did, Revision)> {
        let id = write.0.to_be_bytes();
        let entry = self.0.rchunks_exact(ENTRY).find(|entry| entry.starts_with(&id))?;
        let did = match entry[16] {
            0 => Did::Store,
            1 => Did::Nothing,
            2 => Did::Delete,
            _ => return None,
        };
        let revision = entry[17..].try_into().ok()?;
        Some((did, Revision::from_be_bytes(revision)))
    }

    /// With one more, in place of the oldest where there are enough.
    #[must_use]
    pub(crate) fn with(mut self, write: WriteId, did: Did, revision: Revision) -> Self {
        let most = ENTRY * (KEPT_WRITES as usize - 1);
        self.0.drain(..self.0.len().saturating_sub(most));
        self.0.extend_from_slice(&write.0.to_be_bytes());
        self.0.push(did as u8);
        self.0.extend_from_slice(&revision.to_be_bytes());
        self
    }
}

impl FromSql for Recent {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let bytes = value.as_blob()?;
        match bytes.len() % ENTRY {
            0 => Ok(Self(bytes.to_vec())),
            _ => Err(FromSqlError::InvalidBlobSize {
                expected_size: bytes.len().next_multiple_of(ENTRY),
                blob_size: bytes.len(),
            }),
        }
    }
}

impl ToSql for Recent {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        self.0.to_sql()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_writes_are_found() {
        let number = |n: u64| WriteId(u128::from(n) << 64 | 7);
        let mut recent = Recent::default();
        assert_eq!(recent.find(number(0)), None);
        for n in 0..KEPT_WRITES + 3 {
            let did = [Did::Store, Did::Nothing, Did::Delete][n as usize % 3];
            recent = recent.with(number(n), did, n + 1);
            assert_eq!(recent.find(number(n)), Some((did, n + 1)));
        }
        assert_eq!(recent.0.len(), ENTRY * KEPT_WRITES as usize);
        for n in 0..KEPT_WRITES + 3 {
            assert_eq!(recent.find(number(n)).is_some(), n >= 3, "{n}");
        }
    }

    #[test]
    fn a_torn_list_is_refused() {
        let whole = Recent::default().with(WriteId(1), Did::Store, 1).0;
        assert!(Recent::column_result(ValueRef::Blob(&whole)).is_ok());
        assert!(Recent::column_result(ValueRef::Blob(&whole[1..])).is_err());
        assert!(Recent::column_result(ValueRef::Null).is_err());
    }
}
