//! What a put and a delete do.

use crate::DynamoStore;
use crate::body;
use crate::failure::Doing;
use crate::head::{Model, Pointer, Step, WRITE};
use crate::hex::Hex128;
use crate::history::Did;
use crate::keys::{self, PK, text};
use aws_sdk_dynamodb::operation::put_item::PutItemError;
use aws_sdk_dynamodb::types::ReturnValuesOnConditionCheckFailure;
use futures_util::future::{join, join_all, try_join};
use meadow_service::{
    Ack, Deleted, Expected, Head, ModelId, Put, PutOutcome, StoreError, Timestamp, Workspace, WriteId,
};

/// How often a write is tried again because another one of the same model came first. At once, with the head that the
/// refusal brought: who waits finds it outdated. Each time one of the crowd is done, so that of 32 writers none comes
/// near this; a request's deadline comes earlier.
const ATTEMPTS: usize = 1000;

/// What came of the write that commits.
enum Committed {
    /// The model stands as wanted.
    Done,
    /// Another write came first; the model as it stands.
    Late(Option<Model>),
}

impl DynamoStore {
    pub(crate) async fn write(&self, put: &Put) -> Result<PutOutcome, StoreError> {
        let read = try_join(self.model(&put.workspace, &put.id), self.pointer(&put.workspace));
        let (mut current, pointer) = read.await?;
        if let Some(outcome) = self.repeated(put, current.as_ref(), pointer.as_ref()).await? {
            return Ok(outcome);
        }
        let previous_latest = self.alive(&put.workspace, pointer.as_ref(), current.as_ref()).await?;
        let seen = pointer.map(|pointer| pointer.write);
        let mut body = None;
        for _ in 0..ATTEMPTS {
            let head = current.as_ref().map(|model| &model.head);
            if !put.expected.holds(head) {
                let conflict = PutOutcome::Conflict(head.cloned());
                self.remove(&put.workspace, &put.id, body).await;
                return Ok(conflict);
            }
            let (did, head) = match head.filter(|head| head.is(&put.source)) {
                Some(same) => (Did::Unchanged, same.clone()),
                None => (Did::Stored(self.body(put, &mut body).await?), Head::after(head, put)),
            };
            let step = Step::new(current.as_ref(), did, put.write, head.clone(), seen);
            match self.commit(&put.workspace, current.as_ref(), &step.after).await? {
                Committed::Done => {
                    let unnamed = step.unnamed.into_iter().chain(body.filter(|_| did == Did::Unchanged));
                    let gone = self.remove(&put.workspace, &put.id, unnamed);
                    let (moved, ()) = join(self.point(put), gone).await;
                    moved?;
                    let alive = current.map(|model| model.head).filter(|head| !head.deleted);
                    let ack = Ack {
                        head,
                        previous_name: alive.map(|head| head.name),
                        previous_latest,
                    };
                    return Ok(outcome(did, ack));
                }
                Committed::Late(model) => current = model,
            }
        }
        self.remove(&put.workspace, &put.id, body).await;
        Err(crowded(&put.id))
    }

    /// The answer to a put that was committed before; none where it was not.
    ///
    /// Where it committed and its caller ended before the pointer moved, the pointer moves now. That is so when nobody
    /// wrote the model since, and the pointer is still where this write found it.
    async fn repeated(
        &self,
        put: &Put,
        current: Option<&Model>,
        pointer: Option<&Pointer>,
    ) -> Result<Option<PutOutcome>, StoreError> {
        let Some(own) = current.and_then(|model| model.history.find(&put.id, put.write)) else {
            return Ok(None);
        };
        if own.did == Did::Deleted {
            return Ok(None);
        }
        if own.newest && own.pointer == pointer.map(|pointer| pointer.write) {
            self.point(put).await?;
        }
        Ok(Some(outcome(own.did, Ack::repeated(own.head))))
    }

    pub(crate) async fn mark_deleted(
        &self,
        workspace: &Workspace,
        id: &ModelId,
        expected: Expected,
        write: WriteId,
        at: Timestamp,
    ) -> Result<Deleted, StoreError> {
        let mut current = self.model(workspace, id).await?;
        for _ in 0..ATTEMPTS {
            let Some(model) = current else {
                return Ok(Deleted::Absent);
            };
            if let Some(own) = model.history.find(id, write).filter(|own| own.did == Did::Deleted) {
                return Ok(Deleted::Done(own.head));
            }
            if model.head.deleted {
                return Ok(Deleted::Absent);
            }
            if !expected.holds(Some(&model.head)) {
                return Ok(Deleted::Conflict(model.head));
            }
            let step = Step::new(Some(&model), Did::Deleted, write, model.head.tombstone(at), None);
            match self.commit(workspace, Some(&model), &step.after).await? {
                Committed::Done => {
                    self.remove(workspace, id, step.unnamed).await;
                    return Ok(Deleted::Done(step.after.head));
                }
                Committed::Late(model) => current = model,
            }
        }
        Err(crowded(id))
    }

    /// Replaces the head, unless somebody did since `seen` was read.
    async fn commit(
        &self,
        workspace: &Workspace,
        seen: Option<&Model>,
        after: &Model,
    ) -> Result<Committed, StoreError> {
        let put = self.client.put_item().table_name(&self.table);
        let put = put
            .set_item(Some(after.item(workspace)?))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        let newest = |model: &Model| {
            model
                .history
                .newest()
                .map_or_else(String::new, |w| Hex128::from(w).to_string())
        };
        let put = match seen {
            None => put
                .condition_expression("attribute_not_exists(#pk)")
                .expression_attribute_names("#pk", PK),
            Some(seen) => put
                .condition_expression("#write = :seen")
                .expression_attribute_names("#write", WRITE)
                .expression_attribute_values(":seen", text(newest(seen))),
        };
        let error = match put.send().await {
            Ok(_) => return Ok(Committed::Done),
            Err(error) => error,
        };
        let Some(PutItemError::ConditionalCheckFailedException(failed)) = error.as_service_error() else {
            return Err(self.failed(Doing::Writing, error));
        };
        let model = match &failed.item {
            Some(item) => Some(Model::read(item)?),
            None => self.model(workspace, &after.head.id).await?,
        };
        // The reply to an attempt before this one was lost, and the SDK tried again: this write met itself.
        let own = after.history.newest();
        if own.is_some_and(|own| {
            model
                .as_ref()
                .is_some_and(|model| model.history.find(&after.head.id, own).is_some())
        }) {
            return Ok(Committed::Done);
        }
        Ok(Committed::Late(model))
    }

    /// Writes the body of a put, once.
    async fn body(&self, put: &Put, written: &mut Option<Hex128>) -> Result<Hex128, StoreError> {
        if let Some(body) = written {
            return Ok(*body);
        }
        // Random, not the write's id: a repeated write must not meet what an attempt before it still takes away.
        let body = WriteId::random().map_err(|error| StoreError::Unavailable(format!("no randomness: {error}")))?;
        let item = body::item(put, body.into())?;
        let put = self.client.put_item().table_name(&self.table).set_item(Some(item));
        put.send().await.map_err(|error| self.failed(Doing::Writing, error))?;
        Ok(*written.insert(body.into()))
    }

    /// The latest model, unless it is deleted.
    async fn alive(
        &self,
        workspace: &Workspace,
        pointer: Option<&Pointer>,
        current: Option<&Model>,
    ) -> Result<Option<ModelId>, StoreError> {
        let Some(pointer) = pointer else {
            return Ok(None);
        };
        let other;
        let model = match current {
            Some(model) if model.head.id == pointer.id => Some(model),
            _ => {
                other = self.model(workspace, &pointer.id).await?;
                other.as_ref()
            }
        };
        Ok(model.filter(|model| !model.head.deleted).map(|_| pointer.id.clone()))
    }

    /// Makes the model of a put the workspace's latest.
    async fn point(&self, put: &Put) -> Result<(), StoreError> {
        let pointer = Pointer {
            id: put.id.clone(),
            write: put.write,
        };
        let item = pointer.item(&put.workspace);
        let put = self.client.put_item().table_name(&self.table).set_item(Some(item));
        put.send().await.map_err(|error| self.failed(Doing::Writing, error))?;
        Ok(())
    }

    /// Removes bodies that nothing names. Where that fails, the sweep does it.
    async fn remove(&self, workspace: &Workspace, id: &ModelId, bodies: impl IntoIterator<Item = Hex128>) {
        let removed = bodies.into_iter().map(|body| async move {
            if let Err(error) = self.delete_body(workspace, id, body).await {
                tracing::warn!(%error, "dynamodb.body_left_for_the_sweep");
            }
        });
        join_all(removed).await;
    }

    /// Deletes a body.
    pub(crate) async fn delete_body(
        &self,
        workspace: &Workspace,
        id: &ModelId,
        body: Hex128,
    ) -> Result<(), StoreError> {
        let delete = self.client.delete_item().table_name(&self.table);
        let delete = delete.set_key(Some(keys::body(workspace, id, body)));
        delete
            .send()
            .await
            .map_err(|error| self.failed(Doing::Writing, error))?;
        Ok(())
    }
}

/// The answer to a put that did this.
fn outcome(did: Did, ack: Ack) -> PutOutcome {
    match did {
        Did::Unchanged => PutOutcome::Unchanged(ack),
        Did::Stored(_) | Did::Deleted => PutOutcome::Stored(ack),
    }
}

fn crowded(id: &ModelId) -> StoreError {
    StoreError::Unavailable(format!(
        "too many write model {id} at once; nothing was written; try again"
    ))
}
