//! Patches: the examples of both RFCs, our own additions, bytes that stay, and what is meant to break it.

mod additions;
mod bytes;
mod hostile;
mod oracle;
mod rfc;

use super::{Patch, PatchError, Patched};
use serde_json::Value;

/// What a JSON Patch makes of a document.
pub(super) fn patched(document: &str, operations: &str) -> Result<Patched, PatchError> {
    Patch::operations(operations)?.apply(document)
}

pub(super) fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The text that comes of it, byte for byte.
#[track_caller]
pub(super) fn becomes(document: &str, operations: &str, expected: &str) {
    match patched(document, operations) {
        Ok(patched) => assert_eq!(patched.text, expected, "{operations}"),
        Err(error) => panic!("{operations}: {error}"),
    }
}

/// What is said of a patch that cannot be applied.
#[track_caller]
pub(super) fn refused(document: &str, operations: &str, part: &str) -> PatchError {
    match patched(document, operations) {
        Ok(patched) => panic!("{operations}: {patched:?}"),
        Err(error) => {
            assert!(error.to_string().contains(part), "{operations}: {error}");
            error
        }
    }
}
