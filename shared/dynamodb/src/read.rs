//! The queries. All reads of the table are consistent; the index cannot be, so what it names is read from the table.

use crate::body;
use crate::failure::{Doing, damaged};
use crate::head::{self, Model, Pointer};
use crate::keys::{self, HEADS, INDEX, Item, PK, SHARD, SK, SORT, text};
use crate::{DynamoStore, table};
use aws_sdk_dynamodb::types::KeysAndAttributes;
use futures_util::future::try_join_all;
use meadow_service::ports::ChangeCursor;
use meadow_service::{Change, Head, ModelId, Page, Revision, StoreError, Stored, Timestamp, Workspace};
use std::collections::HashMap;
use std::time::Duration;

/// How often a model is read again because its body went while its head was read: it must have been written fifty times
/// in between.
const READS: usize = 3;

/// How many items one request for several may name.
const BATCH: usize = 100;

/// How often one that gave nothing is sent again, and how long it waits for that at most: three seconds in all.
const IN_VAIN: usize = 100;
const LONGEST_WAIT_MS: u64 = 32;

impl DynamoStore {
    /// An item, read consistently.
    pub(crate) async fn item(&self, key: Item) -> Result<Option<Item>, StoreError> {
        let get = self.client.get_item().table_name(&self.table).set_key(Some(key));
        let answer = get.consistent_read(true).send().await;
        Ok(answer.map_err(|error| self.failed(Doing::Reading, error))?.item)
    }

    /// A model as it stands, a tombstone included.
    pub(crate) async fn model(&self, workspace: &Workspace, id: &ModelId) -> Result<Option<Model>, StoreError> {
        let item = self.item(keys::head(workspace, id)).await?;
        item.as_ref().map(Model::read).transpose()
    }

    /// Which model is the workspace's latest, whether or not it is deleted by now.
    pub(crate) async fn pointer(&self, workspace: &Workspace) -> Result<Option<Pointer>, StoreError> {
        let item = self.item(keys::latest(workspace)).await?;
        item.as_ref().map(Pointer::read).transpose()
    }

    /// A model with its text, or one of its kept revisions.
    pub(crate) async fn stored(
        &self,
        workspace: &Workspace,
        id: &ModelId,
        revision: Option<Revision>,
    ) -> Result<Option<Stored>, StoreError> {
        let mut missing = None;
        for _ in 0..READS {
            let Some(model) = self.model(workspace, id).await? else {
                return Ok(None);
            };
            let wanted = revision.unwrap_or(model.head.revision);
            let Some((head, body)) = model.history.revision(id, wanted) else {
                return Ok(None);
            };
            if let Some(item) = self.item(keys::body(workspace, id, body)).await? {
                return body::read(head, &item).map(Some);
            }
            if missing.replace(body) == Some(body) {
                break;
            }
        }
        Err(damaged(format!("the text of model {id} is not there")))
    }

    /// The models of a workspace by id, without tombstones.
    pub(crate) async fn heads(
        &self,
        workspace: &Workspace,
        after: Option<&ModelId>,
        limit: usize,
    ) -> Result<Page<Head, ModelId>, StoreError> {
        let mut from = after.map(|id| keys::head(workspace, id));
        let mut items = Vec::new();
        while items.len() <= limit {
            let names = head::HEAD_ATTRIBUTES.map(|name| (format!("#{name}"), name.to_owned()));
            let wanted = names.each_ref().map(|(alias, _)| alias.clone()).join(",");
            let query = self.client.query().table_name(&self.table).consistent_read(true);
            let query = query
                .key_condition_expression("#pk = :pk AND begins_with(#sk, :heads)")
                .filter_expression("#deleted = :false")
                .projection_expression(wanted)
                .set_expression_attribute_names(Some(HashMap::from(names)))
                .expression_attribute_names("#pk", PK)
                .expression_attribute_values(":pk", text(keys::heads(workspace)))
                .expression_attribute_values(":heads", text(HEADS))
                .expression_attribute_values(":false", aws_sdk_dynamodb::types::AttributeValue::Bool(false))
                .limit(table::at_most(limit + 1 - items.len()))
                .set_exclusive_start_key(from.take());
            let answer = query.send().await.map_err(|error| self.failed(Doing::Reading, error))?;
            for item in answer.items() {
                items.push(head::read(item)?);
            }
            from = answer.last_evaluated_key;
            if from.is_none() {
                break;
            }
        }
        let more = items.len() > limit;
        items.truncate(limit);
        let next = items.last().filter(|_| more).map(|head| head.id.clone());
        Ok(Page { items, next })
    }

    /// The models of all workspaces by the time of their change.
    ///
    /// A model that changes while it is read is given as it stands by then, and once more at its new place.
    pub(crate) async fn changes(
        &self,
        since: Timestamp,
        after: Option<&ChangeCursor>,
        limit: usize,
    ) -> Result<Page<Change, ChangeCursor>, StoreError> {
        let from = keys::change_sort(since);
        let from = after
            .map(keys::after_change)
            .filter(|after| *after > from)
            .unwrap_or(from);
        let shards = keys::change_shards().map(|shard| self.sorted(shard, from.clone(), limit + 1, keys::read_change));
        let mut sorted: Vec<(String, ChangeCursor)> = try_join_all(shards).await?.concat();
        sorted.sort_unstable();
        let more = sorted.len() > limit;
        sorted.truncate(limit);
        let cursors: Vec<ChangeCursor> = sorted.into_iter().map(|(_, cursor)| cursor).collect();
        let mut items = Vec::with_capacity(cursors.len());
        for part in cursors.chunks(BATCH) {
            let keys: Vec<Item> = part.iter().map(|at| keys::head(&at.workspace, &at.id)).collect();
            let found = self.batch(keys).await?;
            for at in part {
                // What the index still names and the table has no more was taken out by hand.
                let Some(item) = found.get(&place(&keys::head(&at.workspace, &at.id))) else {
                    continue;
                };
                items.push(Change {
                    workspace: at.workspace.clone(),
                    id: at.id.clone(),
                    head: match Model::read(item) {
                        Ok(model) => Ok(model.head),
                        Err(StoreError::Damaged(why)) => Err(why),
                        Err(error) => return Err(error),
                    },
                });
            }
        }
        let next = cursors.last().filter(|_| more).cloned();
        Ok(Page { items, next })
    }

    /// The sort keys of a shard of the index after `from`, at most `limit`, with what `read` makes of them. Those that it
    /// cannot read are none of ours.
    pub(crate) async fn sorted<T>(
        &self,
        shard: String,
        from: String,
        limit: usize,
        read: fn(&str) -> Option<T>,
    ) -> Result<Vec<(String, T)>, StoreError> {
        let mut sorts = Vec::new();
        let mut start = None;
        while sorts.len() < limit {
            let query = self.client.query().table_name(&self.table).index_name(INDEX);
            let query = query
                .key_condition_expression("#shard = :shard AND #sort > :from")
                .projection_expression("#sort")
                .expression_attribute_names("#shard", SHARD)
                .expression_attribute_names("#sort", SORT)
                .expression_attribute_values(":shard", text(&shard))
                .expression_attribute_values(":from", text(&from))
                .limit(table::at_most(limit - sorts.len()))
                .set_exclusive_start_key(start.take());
            let answer = query.send().await.map_err(|error| self.failed(Doing::Reading, error))?;
            let found = answer.items().iter().filter_map(|item| item.get(SORT)?.as_s().ok());
            sorts.extend(found.filter_map(|sort| Some((sort.clone(), read(sort)?))));
            start = answer.last_evaluated_key;
            if start.is_none() {
                break;
            }
        }
        Ok(sorts)
    }

    /// Several items, read consistently, by their places. DynamoDB gives fewer than it was asked for when it throttles.
    async fn batch(&self, mut wanted: Vec<Item>) -> Result<HashMap<(String, String), Item>, StoreError> {
        let mut found = HashMap::new();
        let mut in_vain = 0;
        while !wanted.is_empty() {
            let asked = wanted.len();
            let keys = KeysAndAttributes::builder()
                .consistent_read(true)
                .set_keys(Some(wanted));
            let keys = keys.build().map_err(|error| damaged(error.to_string()))?;
            let get = self.client.batch_get_item().request_items(&self.table, keys);
            let answer = get.send().await.map_err(|error| self.failed(Doing::Reading, error))?;
            let given = answer.responses.unwrap_or_default().into_values().flatten();
            found.extend(given.map(|item| (place(&item), item)));
            let left = answer.unprocessed_keys.unwrap_or_default();
            wanted = left.into_values().flat_map(|keys| keys.keys).collect();
            in_vain = if wanted.len() < asked { 0 } else { in_vain + 1 };
            if in_vain == IN_VAIN {
                return Err(self.throttled());
            }
            if !wanted.is_empty() {
                tokio::time::sleep(Duration::from_millis(LONGEST_WAIT_MS.min(1 << in_vain.min(6)))).await;
            }
        }
        Ok(found)
    }
}

/// Where an item stands.
fn place(item: &Item) -> (String, String) {
    let part = |name| {
        item.get(name)
            .and_then(|value| value.as_s().ok())
            .cloned()
            .unwrap_or_default()
    };
    (part(PK), part(SK))
}
