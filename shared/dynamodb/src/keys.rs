//! Every key of the table. Nowhere else is one put together.
//!
//! | item | `pk` | `sk` |
//! |---|---|---|
//! | head of a model | `W#workspace` | `H#id` |
//! | pointer to the latest model | `W#workspace` | `LATEST` |
//! | body of a revision | `W#workspace#D#id` | a random number |
//! | something cached, or a mark | `CACHE#key` | `CACHE` |
//! | a turn | `SLOT#name` | `SLOT` |
//!
//! Those of access tokens stand in `tokens`.
//!
//! A workspace has no `#`, so that none is the beginning of another. Ids are compared by their bytes, which is by code
//! point.
//!
//! Heads and bodies also stand in the index `changes` (keys only), in 16 shards each so that no partition of it is hot:
//! `C#n` by the time of the change, `B#n` by model. Only the export's role may read it.

use crate::hex::Hex128;
use aws_sdk_dynamodb::types::AttributeValue;
use meadow_service::ports::ChangeCursor;
use meadow_service::{ModelId, Timestamp, Workspace};
use sha2::{Digest, Sha256};
use std::collections::HashMap;

/// The table's partition key.
pub(crate) const PK: &str = "pk";
/// The table's sort key.
pub(crate) const SK: &str = "sk";
/// The index.
pub(crate) const INDEX: &str = "changes";
/// The index's partition key.
pub(crate) const SHARD: &str = "shard";
/// The index's sort key.
pub(crate) const SORT: &str = "sort";
/// When DynamoDB takes an item away by itself: seconds, as its TTL wants them.
pub(crate) const EXPIRES_AT: &str = "expires_at";
/// Begins the sort key of each head.
pub(crate) const HEADS: &str = "H#";

/// Over how many partitions of the index each kind is spread.
const SHARDS: u8 = 16;

/// An item, or the key of one.
pub(crate) type Item = HashMap<String, AttributeValue>;

/// A text as an attribute.
pub(crate) fn text(text: impl Into<String>) -> AttributeValue {
    AttributeValue::S(text.into())
}

fn key(pk: String, sk: String) -> Item {
    Item::from([(PK.to_owned(), text(pk)), (SK.to_owned(), text(sk))])
}

/// The partition of a workspace's heads.
pub(crate) fn heads(workspace: &Workspace) -> String {
    format!("W#{workspace}")
}

/// The key of a model's head.
pub(crate) fn head(workspace: &Workspace, id: &ModelId) -> Item {
    key(heads(workspace), format!("{HEADS}{id}"))
}

/// The key of a workspace's pointer to its latest model.
pub(crate) fn latest(workspace: &Workspace) -> Item {
    key(heads(workspace), "LATEST".to_owned())
}

/// The key of a body.
pub(crate) fn body(workspace: &Workspace, id: &ModelId, body: Hex128) -> Item {
    key(format!("{}#D#{id}", heads(workspace)), body.to_string())
}

/// The key of what is cached.
pub(crate) fn cache(name: &str) -> Item {
    key(format!("CACHE#{name}"), "CACHE".to_owned())
}

/// The key of a turn.
pub(crate) fn slot(name: &str) -> Item {
    key(format!("SLOT#{name}"), "SLOT".to_owned())
}

/// The first full second after a time, for [`EXPIRES_AT`].
pub(crate) fn second_after(Timestamp(at): Timestamp) -> u64 {
    at / 1000 + 1
}

/// Where a head stands in the index.
pub(crate) fn change(workspace: &Workspace, id: &ModelId, at: Timestamp) -> Item {
    indexed(
        shard_of('C', workspace, id),
        format!("{}#{workspace}#{id}", change_sort(at)),
    )
}

/// Where a body stands in the index: beside the others of its model, and since when.
pub(crate) fn orphan(workspace: &Workspace, id: &ModelId, body: Hex128, at: Timestamp) -> Item {
    indexed(
        shard_of('B', workspace, id),
        format!("{workspace}#{id}#{body}#{}", change_sort(at)),
    )
}

fn indexed(shard: String, sort: String) -> Item {
    Item::from([(SHARD.to_owned(), text(shard)), (SORT.to_owned(), text(sort))])
}

/// A time as text that sorts like it.
pub(crate) fn change_sort(Timestamp(at): Timestamp) -> String {
    format!("{at:020}")
}

/// The place of a cursor among the changes.
pub(crate) fn after_change(cursor: &ChangeCursor) -> String {
    format!("{}#{}#{}", change_sort(cursor.at), cursor.workspace, cursor.id)
}

fn shard_of(kind: char, workspace: &Workspace, id: &ModelId) -> String {
    let hash = Sha256::digest(format!("{workspace}#{id}"));
    shard(kind, hash[0] % SHARDS)
}

fn shard(kind: char, n: u8) -> String {
    format!("{kind}#{n:02}")
}

/// The shards of changed heads.
pub(crate) fn change_shards() -> impl Iterator<Item = String> {
    (0..SHARDS).map(|n| shard('C', n))
}

/// The shards of bodies.
pub(crate) fn body_shards() -> impl Iterator<Item = String> {
    (0..SHARDS).map(|n| shard('B', n))
}

/// What a changed head's sort key in the index says.
pub(crate) fn read_change(sort: &str) -> Option<ChangeCursor> {
    let mut parts = sort.splitn(3, '#');
    Some(ChangeCursor {
        at: Timestamp(parts.next()?.parse().ok()?),
        workspace: Workspace::new(parts.next()?).ok()?,
        id: ModelId::from_stored(parts.next()?.to_owned()),
    })
}

/// What a body's sort key in the index says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BodyKey {
    pub(crate) workspace: Workspace,
    pub(crate) id: ModelId,
    pub(crate) body: Hex128,
    /// When the body was written.
    pub(crate) at: Timestamp,
}

/// Reads a body's sort key in the index. An id may hold `#`; what follows it does not.
pub(crate) fn read_body(sort: &str) -> Option<BodyKey> {
    let (workspace, rest) = sort.split_once('#')?;
    let mut parts = rest.rsplitn(3, '#');
    let at = parts.next()?.parse().ok()?;
    let body = parts.next()?.parse().ok()?;
    Some(BodyKey {
        workspace: Workspace::new(workspace).ok()?,
        id: ModelId::from_stored(parts.next()?.to_owned()),
        body,
        at: Timestamp(at),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use meadow_service::WriteId;

    #[test]
    fn what_the_index_says_is_read_back() {
        let workspace = Workspace::new("team-a").expect("a name");
        for id in ["a", "a#b", "##", "水循环"] {
            let id = ModelId::from_stored(id.to_owned());
            let (body, at) = (Hex128::from(WriteId(7)), Timestamp(1_764_500_000_000));
            let item = orphan(&workspace, &id, body, at);
            let expected = BodyKey {
                workspace: workspace.clone(),
                id: id.clone(),
                body,
                at,
            };
            assert_eq!(read_body(item[SORT].as_s().expect("text")), Some(expected));
            let item = change(&workspace, &id, at);
            let cursor = read_change(item[SORT].as_s().expect("text")).expect("a change");
            assert_eq!((cursor.at, &cursor.workspace, &cursor.id), (at, &workspace, &id));
            assert_eq!(after_change(&cursor), *item[SORT].as_s().expect("text"));
        }
    }

    #[test]
    fn no_key_of_one_workspace_is_in_another() {
        let (team, longer) = (
            Workspace::new("team").expect("a name"),
            Workspace::new("team-a").expect("a name"),
        );
        let id = ModelId::from_stored("x".to_owned());
        assert_ne!(head(&team, &id)[PK], head(&longer, &id)[PK]);
        let body_of = |workspace| {
            body(workspace, &id, WriteId(1).into())[PK]
                .as_s()
                .expect("text")
                .clone()
        };
        assert_eq!(body_of(&team), "W#team#D#x");
        assert!(!body_of(&longer).starts_with("W#team#"));
    }
}
