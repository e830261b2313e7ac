//! The item of one revision's text: written once, never changed.

use crate::failure::damaged;
use crate::head::number;
use crate::hex::Hex128;
use crate::keys::{self, Item};
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use meadow_model::limits::MAX_TEXT;
use meadow_service::source::sha256;
use meadow_service::{Head, Put, StoreError, Stored};
use std::sync::Arc;

const PACKED: &str = "zstd";
const BYTES: &str = "bytes";

/// Packs a text as the limit of a document measures it ([`meadow_service::source::packed_size`]).
fn pack(text: &str) -> Result<Blob, StoreError> {
    let packed = zstd::bulk::compress(text.as_bytes(), 1);
    packed
        .map(Blob::new)
        .map_err(|error| StoreError::Unavailable(format!("the text cannot be packed: {error}")))
}

/// The item of what is put.
pub(crate) fn item(put: &Put, body: Hex128) -> Result<Item, StoreError> {
    let mut item = keys::body(&put.workspace, &put.id, body);
    item.extend(keys::orphan(&put.workspace, &put.id, body, put.at));
    item.insert(PACKED.to_owned(), AttributeValue::B(pack(&put.source.text)?));
    item.insert(BYTES.to_owned(), number(put.source.text.len() as u64));
    Ok(item)
}

/// The text of the revision `head`, which must be the one that was put.
pub(crate) fn read(head: Head, item: &Item) -> Result<Stored, StoreError> {
    let wrong = |what: &str| {
        damaged(format!(
            "the text of model {} at revision {} {what}",
            head.id, head.revision
        ))
    };
    let packed = item.get(PACKED).and_then(|value| value.as_b().ok());
    let packed = packed.ok_or_else(|| wrong("is not there"))?;
    // Never unpacked beyond what a document may have: an item that somebody else wrote may grow without end.
    let most = usize::try_from(head.size).map_or(MAX_TEXT, |size| size.min(MAX_TEXT));
    let text = zstd::bulk::decompress(packed.as_ref(), most)
        .map_err(|error| wrong(&format!("cannot be unpacked: {error}")))?;
    let text = String::from_utf8(text).map_err(|_| wrong("is not UTF-8"))?;
    if sha256(&text) != head.sha256 {
        return Err(wrong("is not the one that was put"));
    }
    Ok(Stored {
        head,
        text: Arc::from(text),
    })
}
