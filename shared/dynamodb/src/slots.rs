//! Turns: one item a name, `pk` = `SLOT#name`, which says who has the turn and until when.

use crate::DynamoStore;
use crate::failure::{Doing, damaged};
use crate::head::{number, read_number};
use crate::hex::Hex128;
use crate::keys::{self, EXPIRES_AT, text};
use async_trait::async_trait;
use aws_sdk_dynamodb::operation::put_item::PutItemError;
use aws_sdk_dynamodb::types::ReturnValuesOnConditionCheckFailure;
use meadow_service::slots::{Slot, Slots, Turn, furthest};
use meadow_service::{StoreError, Timestamp, WriteId};
use std::time::Duration;

const HOLDER: &str = "holder";
const UNTIL: &str = "until";

fn holder_of(id: WriteId) -> String {
    Hex128::from(id).to_string()
}

#[async_trait]
impl Slots for DynamoStore {
    /// The condition is [`Slot::turn`] in DynamoDB's words: one request decides, and one that is sent again because its
    /// reply was lost finds its holder there.
    async fn take(&self, name: &str, holder: WriteId, now: Timestamp, lease: Duration) -> Result<Turn, StoreError> {
        let Slot { until, .. } = Slot::taken(holder, now, lease);
        let mut item = keys::slot(name);
        item.extend([
            (HOLDER.to_owned(), text(holder_of(holder))),
            (UNTIL.to_owned(), number(until.0)),
            (EXPIRES_AT.to_owned(), number(keys::second_after(until))),
        ]);
        let put = self.client.put_item().table_name(&self.table);
        let put = put
            .set_item(Some(item))
            .condition_expression(
                "attribute_not_exists(#until) OR #holder = :holder OR #until <= :now OR #until > :furthest",
            )
            .expression_attribute_names("#until", UNTIL)
            .expression_attribute_names("#holder", HOLDER)
            .expression_attribute_values(":holder", text(holder_of(holder)))
            .expression_attribute_values(":now", number(now.0))
            .expression_attribute_values(":furthest", number(furthest(now).0))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        let Err(error) = put.send().await else {
            return Ok(Turn::Yours);
        };
        let Some(PutItemError::ConditionalCheckFailedException(failed)) = error.as_service_error() else {
            return Err(self.failed(Doing::Writing, error));
        };
        let until = failed.item.as_ref().and_then(|item| read_number(item, UNTIL));
        until.map(|until| Turn::Wait(Timestamp(until))).ok_or_else(|| {
            damaged(format!(
                "the turn at {name:?} does not say until when it is taken; delete its item (SLOT#{name})"
            ))
        })
    }

    async fn give_back(&self, name: &str, holder: WriteId, next: Timestamp) -> Result<(), StoreError> {
        let update = self.client.update_item().table_name(&self.table);
        let update = update
            .set_key(Some(keys::slot(name)))
            .update_expression("SET #until = :next, #expires_at = :expires_at REMOVE #holder")
            .condition_expression("#holder = :holder")
            .expression_attribute_names("#until", UNTIL)
            .expression_attribute_names("#expires_at", EXPIRES_AT)
            .expression_attribute_names("#holder", HOLDER)
            .expression_attribute_values(":next", number(next.0))
            .expression_attribute_values(":expires_at", number(keys::second_after(next)))
            .expression_attribute_values(":holder", text(holder_of(holder)));
        match update.send().await {
            Ok(_) => Ok(()),
            // Somebody else's, or given back before a reply was lost.
            Err(error)
                if error
                    .as_service_error()
                    .is_some_and(|error| error.is_conditional_check_failed_exception()) =>
            {
                Ok(())
            }
            Err(error) => Err(self.failed(Doing::Writing, error)),
        }
    }
}
