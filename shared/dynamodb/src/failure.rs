//! What went wrong, in words that name the table and the repair.

use crate::DynamoStore;
use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use meadow_service::StoreError;
use std::error::Error;

/// What was being done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Doing {
    Reading,
    Writing,
}

/// What was read is not what was written.
pub(crate) fn damaged(what: String) -> StoreError {
    StoreError::Damaged(what)
}

impl DynamoStore {
    /// More is asked than the table gives.
    pub(crate) fn throttled(&self) -> StoreError {
        StoreError::Unavailable(format!(
            "DynamoDB throttles table {:?}; try again in a few seconds",
            self.table
        ))
    }

    /// What the SDK's error means.
    pub(crate) fn failed<E, R>(&self, doing: Doing, error: SdkError<E, R>) -> StoreError
    where
        E: ProvideErrorMetadata + Error + Send + Sync + 'static,
        R: std::fmt::Debug + Send + Sync + 'static,
    {
        let table = &self.table;
        let unsure = match doing {
            Doing::Reading => "",
            Doing::Writing => "; the write may have happened all the same: read before you write again",
        };
        let said = error.message().unwrap_or_default().to_owned();
        match error.code() {
            Some("ResourceNotFoundException") => StoreError::Unavailable(format!(
                "there is no DynamoDB table {table:?} in this account and region; deploy it with infra/template.yaml, or name another"
            )),
            Some(
                "AccessDeniedException"
                | "UnrecognizedClientException"
                | "InvalidSignatureException"
                | "ExpiredTokenException",
            ) => StoreError::Unavailable(format!(
                "DynamoDB refuses access to table {table:?}: {said}; see to the role or the credentials"
            )),
            Some(
                "ProvisionedThroughputExceededException"
                | "ThrottlingException"
                | "RequestLimitExceeded"
                | "ThroughputExceeded",
            ) => self.throttled(),
            Some(code) if error.raw_is_refusal() => {
                StoreError::Unavailable(format!("DynamoDB refused ({code}): {said}"))
            }
            _ => StoreError::Unavailable(format!(
                "DynamoDB table {table:?} did not answer as it should ({}){unsure}",
                why(&error)
            )),
        }
    }
}

/// What happened, without a byte of the answer, which may hold a document: the SDK's own words quote it.
fn why<E, R>(error: &SdkError<E, R>) -> String
where
    E: ProvideErrorMetadata + Error + 'static,
    R: std::fmt::Debug + 'static,
{
    match error {
        SdkError::TimeoutError(_) => "no answer came in time".to_owned(),
        SdkError::ResponseError(_) => "its answer broke off".to_owned(),
        SdkError::ServiceError(_) => error
            .code()
            .map_or_else(|| "its answer cannot be read".to_owned(), ToOwned::to_owned),
        _ => {
            let mut innermost: &dyn Error = error;
            while let Some(cause) = innermost.source() {
                innermost = cause;
            }
            innermost.to_string()
        }
    }
}

trait RawIsRefusal {
    fn raw_is_refusal(&self) -> bool;
}

impl<E, R> RawIsRefusal for SdkError<E, R>
where
    E: ProvideErrorMetadata,
{
    /// Whether DynamoDB itself said no, so that nothing happened.
    fn raw_is_refusal(&self) -> bool {
        matches!(self, Self::ServiceError(_)) && self.code() != Some("InternalServerError")
    }
}
