//! Changes to a document's text, by JSON Patch (RFC 6902), by JSON Merge Patch (RFC 7396), and by two additions of our
//! own: a segment of a path after a list may be an item's `id`, and the operation `put` inserts or replaces the item with
//! the id of its value. A number there is an index; `id=5` and `index=5` say which of the two is meant.
//!
//! What is not touched keeps its bytes: the order of members, the tokens of numbers, blanks. The result is a text like
//! any other, to be parsed and judged; only `put` knows which lists a document may hold.
//!
//! # Layout, in reading order
//! - `operations`: from the text of a patch to [`Operation`]s, each judged.
//! - `text`: a JSON text that is taken apart only where something changes.
//! - `place`: paths become places in it; `apply`: what the operations do there; `put`: the one of our own.
//! - `merge`: the other kind of patch.

mod apply;
mod merge;
mod operations;
mod place;
mod put;
mod text;

#[cfg(test)]
mod tests;

use crate::json::{SyntaxError, judged};
use crate::limits::MAX_TEXT;
use std::fmt;
use std::sync::Arc;

/// Operations of one patch. More are a document of their own, which is better written whole.
pub const MAX_OPERATIONS: usize = 1_000;

/// Bytes that `copy` may make in one patch: no document has more.
const MAX_COPIED: usize = MAX_TEXT;

/// What is to be changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Patch {
    /// JSON Patch with our additions: all operations, or none.
    Operations(Vec<Operation>),
    /// JSON Merge Patch.
    Merge(Arc<str>),
}

/// One operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// What it does.
    pub kind: Kind,
    /// Where.
    pub path: Address,
    /// For move and copy: where from.
    pub from: Option<Address>,
    /// For the others but remove: the JSON of the value.
    pub value: Option<Arc<str>>,
}

/// What an operation does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Inserts an item into a list, sets a member of an object.
    Add,
    /// Removes what is there.
    Remove,
    /// Puts another value in the place of what is there.
    Replace,
    /// Removes what is at `from` and adds it.
    Move,
    /// Adds what is at `from`.
    Copy,
    /// Ends the patch unless the value is there.
    Test,
    /// Inserts or replaces the item of a list that has the id of the value; our own.
    Put,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Add,
        Self::Remove,
        Self::Replace,
        Self::Move,
        Self::Copy,
        Self::Test,
        Self::Put,
    ];

    /// Its name in a patch.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Remove => "remove",
            Self::Replace => "replace",
            Self::Move => "move",
            Self::Copy => "copy",
            Self::Test => "test",
            Self::Put => "put",
        }
    }
}

/// A path as it was given: a JSON Pointer (RFC 6901) whose segments after a list may be ids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// As it was given.
    text: String,
    /// Its segments, escapes resolved.
    segments: Vec<String>,
    /// How a number after a list is read.
    numbers: Numbers,
}

/// How a number is read that stands after a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Numbers {
    /// As an index (RFC 6901 section 4).
    Indices,
    /// As an index, unless another item has it for its id.
    Unmistakable,
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown(&self.text))
    }
}

/// What came of a patch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patched {
    /// The text as it is now.
    pub text: String,
    /// The operations in order, each with the place where it worked, and the id of the item that this is or is in:
    /// `replace /stocks/0/unit (id tub)`. Empty for a merge patch.
    pub applied: Vec<String>,
}

/// Why a patch was not applied. Nothing of it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatchError {
    /// The patch is not JSON, or nested too deeply.
    #[error("the patch could not be read: {0}")]
    NotJson(SyntaxError),
    /// It is JSON, but no patch.
    #[error("{}{detail}", of_operation(*operation))]
    Malformed {
        /// Which operation, counted from 0; none: the patch as a whole.
        operation: Option<usize>,
        /// What was found and what repairs it.
        detail: String,
    },
    /// The document has not what an operation needs.
    #[error("{}{detail}", of_operation(Some(*operation)))]
    Inapplicable {
        /// Which operation, counted from 0.
        operation: usize,
        /// The place that it names.
        pointer: String,
        /// What was found and what repairs it.
        detail: String,
    },
    /// A `test` found something else.
    #[error("operation {operation}: the test of {pointer:?} failed: found {found}, expected {expected}")]
    TestFailed {
        /// Which operation, counted from 0.
        operation: usize,
        /// The place that it names.
        pointer: String,
        /// What is there, shortened.
        found: String,
        /// What was to be there, shortened.
        expected: String,
    },
}

fn of_operation(operation: Option<usize>) -> String {
    operation.map(|n| format!("operation {n}: ")).unwrap_or_default()
}

impl Patch {
    /// Reads a JSON Patch: a list of operations.
    ///
    /// # Errors
    /// [`PatchError::NotJson`], [`PatchError::Malformed`].
    pub fn operations(text: &str) -> Result<Self, PatchError> {
        operations::read(text).map(Self::Operations)
    }

    /// The same patch for people who mean ids as often as indices: a number that is the index of one item and the id of
    /// another is refused.
    #[must_use]
    pub fn unmistakable(mut self) -> Self {
        if let Self::Operations(operations) = &mut self {
            for operation in operations {
                for address in std::iter::once(&mut operation.path).chain(&mut operation.from) {
                    address.numbers = Numbers::Unmistakable;
                }
            }
        }
        self
    }

    /// Reads a JSON Merge Patch: any JSON.
    ///
    /// # Errors
    /// [`PatchError::NotJson`]; [`PatchError::Malformed`] where it holds what no document may.
    pub fn merge(text: &str) -> Result<Self, PatchError> {
        let faults = judged(text).map_err(PatchError::NotJson)?;
        match faults.named().first() {
            None => Ok(Self::Merge(text.trim_matches(text::BLANKS).into())),
            Some(fault) => Err(PatchError::Malformed {
                operation: None,
                detail: format!(
                    "the patch has a fault at {:?}: {}",
                    fault.pointer.as_str(),
                    fault.detail()
                ),
            }),
        }
    }

    /// Applies the patch to the text of a document, or of any JSON that was read once.
    ///
    /// # Errors
    /// [`PatchError::Malformed`], [`PatchError::Inapplicable`], [`PatchError::TestFailed`].
    pub fn apply(&self, document: &str) -> Result<Patched, PatchError> {
        let mut root = text::Slot::new(document);
        let applied = match self {
            Self::Operations(operations) => apply::all(&mut root, operations)?,
            Self::Merge(patch) => {
                merge::merge(&mut root, &text::Piece::whole(Arc::clone(patch)));
                Vec::new()
            }
        };
        Ok(Patched {
            text: root.to_text(),
            applied,
        })
    }
}

/// The JSON that a JSON text says, where it is no text again.
#[must_use]
pub fn inside(json: &str) -> Option<String> {
    let text: String = serde_json::from_str(json).ok()?;
    let inner = text.trim_matches(text::BLANKS);
    (!inner.starts_with('"') && judged(inner).is_ok_and(|faults| faults.is_empty())).then(|| inner.to_owned())
}

/// The beginning of a text, for messages.
fn shown(text: &str) -> String {
    match text.char_indices().nth(200) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
