//! Access tokens, in one partition of the table: `pk` = `TOKEN#all`, `sk` = the token's id. One partition, because
//! requests look at it once a minute and instance, and the list must show what was just made.

use crate::DynamoStore;
use crate::failure::{Doing, damaged};
use crate::head::number;
use crate::hex::Hex256;
use crate::keys::{EXPIRES_AT, Item, PK, SK, text};
use async_trait::async_trait;
use aws_sdk_dynamodb::error::SdkError;
use aws_sdk_dynamodb::operation::put_item::PutItemError;
use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::types::{ReturnValue, ReturnValuesOnConditionCheckFailure};
use meadow_access::{Scopes, TokenId};
use meadow_service::{StoreError, Timestamp, TokenRecord, TokenStore, Workspace};

const TOKENS: &str = "TOKEN#all";
const NAME: &str = "name";
const WORKSPACE: &str = "workspace";
const SCOPES: &str = "scopes";
const HASH: &str = "hash";
const CREATED: &str = "created";
const EXPIRES: &str = "expires";
const REVOKED: &str = "revoked";

/// For how long a token that expired is still listed, and told from one that never was.
const KEPT_AFTER_S: u64 = 30 * 24 * 60 * 60;

fn key(id: TokenId) -> Item {
    Item::from([(PK.to_owned(), text(TOKENS)), (SK.to_owned(), text(id.as_str()))])
}

fn item(record: &TokenRecord) -> Item {
    let mut item = key(record.id);
    let mut set = |name: &str, value| {
        item.insert(name.to_owned(), value);
    };
    set(NAME, text(&record.name));
    set(WORKSPACE, text(record.workspace.as_str()));
    set(SCOPES, text(record.scopes.to_string()));
    set(HASH, text(Hex256(record.hash).to_string()));
    set(CREATED, number(record.created.0));
    if let Some(Timestamp(at)) = record.expires {
        set(EXPIRES, number(at));
        set(EXPIRES_AT, number(at / 1000 + KEPT_AFTER_S));
    }
    if let Some(Timestamp(at)) = record.revoked {
        set(REVOKED, number(at));
    }
    item
}

fn read(item: &Item) -> Result<TokenRecord, StoreError> {
    let said = |name: &str| item.get(name).and_then(|value| value.as_s().ok());
    let time = |name: &str| -> Option<Option<Timestamp>> {
        let Some(value) = item.get(name) else {
            return Some(None);
        };
        Some(Some(Timestamp(value.as_n().ok()?.parse().ok()?)))
    };
    let found = || -> Option<TokenRecord> {
        Some(TokenRecord {
            id: said(SK)?.parse().ok()?,
            name: said(NAME)?.clone(),
            workspace: Workspace::new(said(WORKSPACE)?).ok()?,
            scopes: Scopes::known(said(SCOPES)?),
            hash: said(HASH)?.parse::<Hex256>().ok()?.0,
            created: time(CREATED)??,
            expires: time(EXPIRES)?,
            revoked: time(REVOKED)?,
        })
    };
    let id = said(SK).map_or("", String::as_str);
    found().ok_or_else(|| damaged(format!("the record of token {id:?} lacks something")))
}

#[async_trait]
impl TokenStore for DynamoStore {
    async fn get(&self, id: TokenId) -> Result<Option<TokenRecord>, StoreError> {
        let item = self.item(key(id)).await?;
        item.as_ref().map(read).transpose()
    }

    async fn put(&self, record: &TokenRecord) -> Result<bool, StoreError> {
        let put = self.client.put_item().table_name(&self.table);
        let put = put
            .set_item(Some(item(record)))
            .condition_expression("attribute_not_exists(#pk)")
            .expression_attribute_names("#pk", PK)
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        let Err(error) = put.send().await else {
            return Ok(true);
        };
        match error.as_service_error() {
            Some(PutItemError::ConditionalCheckFailedException(failed)) => {
                let there = failed.item.as_ref().map(read).transpose()?;
                Ok(there.is_some_and(|there| there.hash == record.hash))
            }
            _ => Err(self.failed(Doing::Writing, error)),
        }
    }

    async fn revoke(&self, id: TokenId, Timestamp(at): Timestamp) -> Result<Option<TokenRecord>, StoreError> {
        let update = self.client.update_item().table_name(&self.table);
        let update = update
            .set_key(Some(key(id)))
            .update_expression("SET #revoked = :at")
            .condition_expression("attribute_exists(#pk) AND (attribute_not_exists(#revoked) OR #revoked > :at)")
            .expression_attribute_names("#pk", PK)
            .expression_attribute_names("#revoked", REVOKED)
            .expression_attribute_values(":at", number(at))
            .return_values(ReturnValue::AllNew)
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        let record = match update.send().await {
            Ok(answer) => answer.attributes,
            Err(SdkError::ServiceError(error)) if error.err().is_conditional_check_failed_exception() => {
                match error.into_err() {
                    UpdateItemError::ConditionalCheckFailedException(failed) => failed.item,
                    _ => None,
                }
            }
            Err(error) => return Err(self.failed(Doing::Writing, error)),
        };
        record.as_ref().map(read).transpose()
    }

    async fn list(&self) -> Result<Vec<TokenRecord>, StoreError> {
        let mut records = Vec::new();
        let mut from = None;
        loop {
            let query = self.client.query().table_name(&self.table).consistent_read(true);
            let query = query
                .key_condition_expression("#pk = :pk")
                .expression_attribute_names("#pk", PK)
                .expression_attribute_values(":pk", text(TOKENS))
                .set_exclusive_start_key(from.take());
            let answer = query.send().await.map_err(|error| self.failed(Doing::Reading, error))?;
            for item in answer.items() {
                records.push(read(item)?);
            }
            from = answer.last_evaluated_key;
            if from.is_none() {
                records.sort_by_key(|record| (record.created, record.id));
                return Ok(records);
            }
        }
    }
}
