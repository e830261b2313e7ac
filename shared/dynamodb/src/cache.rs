//! What may be forgotten: one item a key, `pk` = `CACHE#key`. DynamoDB deletes expired items when it comes to it, so that
//! who reads looks at the time as well.

use crate::DynamoStore;
use crate::failure::{Doing, damaged};
use crate::head::{WRITE, number, read_number};
use crate::hex::Hex128;
use crate::keys::{self, EXPIRES_AT, Item, text};
use async_trait::async_trait;
use aws_sdk_dynamodb::operation::put_item::PutItemError;
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::{AttributeValue, ReturnValuesOnConditionCheckFailure};
use meadow_service::cache::{Cache, MAX_KEY, MAX_VALUE};
use meadow_service::{StoreError, Timestamp, WriteId};
use std::sync::Arc;

const VALUE: &str = "value";
const EXPIRES: &str = "expires";

fn item(key: &str, value: &[u8], expires: Timestamp) -> Item {
    let mut item = keys::cache(key);
    item.extend([
        (VALUE.to_owned(), AttributeValue::B(Blob::new(value))),
        (EXPIRES.to_owned(), number(expires.0)),
        (EXPIRES_AT.to_owned(), number(keys::second_after(expires))),
    ]);
    item
}

fn read(key: &str, item: &Item, now: Timestamp) -> Result<Option<Arc<[u8]>>, StoreError> {
    let value = item.get(VALUE).and_then(|value| value.as_b().ok());
    match (read_number(item, EXPIRES), value) {
        (Some(expires), _) if expires <= now.0 => Ok(None),
        (Some(_), Some(value)) => Ok(Some(Arc::from(value.as_ref()))),
        _ => Err(damaged(format!("what is cached under {key:?} lacks something"))),
    }
}

#[async_trait]
impl Cache for DynamoStore {
    async fn get(&self, key: &str, now: Timestamp) -> Result<Option<Arc<[u8]>>, StoreError> {
        if key.len() > MAX_KEY {
            return Ok(None);
        }
        match self.item(keys::cache(key)).await? {
            Some(item) => read(key, &item, now),
            None => Ok(None),
        }
    }

    async fn put(&self, key: &str, value: &[u8], _: Timestamp, expires: Timestamp) -> Result<(), StoreError> {
        if key.len() > MAX_KEY || value.len() > MAX_VALUE {
            return Ok(());
        }
        let put = self.client.put_item().table_name(&self.table);
        let put = put.set_item(Some(item(key, value, expires)));
        put.send().await.map_err(|error| self.failed(Doing::Writing, error))?;
        Ok(())
    }

    async fn mark(&self, key: &str, now: Timestamp, expires: Timestamp) -> Result<bool, StoreError> {
        if key.len() > MAX_KEY {
            return Ok(false);
        }
        // Tells this mark from all others: where its reply is lost, the SDK sends it again, and it meets itself.
        let own = WriteId::random().map_err(|error| StoreError::Unavailable(format!("no randomness: {error}")))?;
        let own = text(Hex128::from(own).to_string());
        let mut item = item(key, b"", expires);
        item.insert(WRITE.to_owned(), own.clone());
        let put = self.client.put_item().table_name(&self.table);
        let put = put
            .set_item(Some(item))
            .condition_expression("attribute_not_exists(#expires) OR #expires <= :now")
            .expression_attribute_names("#expires", EXPIRES)
            .expression_attribute_values(":now", number(now.0))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        let Err(error) = put.send().await else {
            return Ok(false);
        };
        match error.as_service_error() {
            Some(PutItemError::ConditionalCheckFailedException(failed)) => {
                let there = failed.item.as_ref().and_then(|item| item.get(WRITE));
                Ok(there != Some(&own))
            }
            _ => Err(self.failed(Doing::Writing, error)),
        }
    }
}
