//! What went wrong, in words that name the bucket and the repair. None shows a byte of a note.

use crate::S3Vault;
use crate::client::Failure;
use aws_smithy_runtime_api::client::result::SdkError;
use aws_smithy_types::error::metadata::ProvideErrorMetadata;
use meadow_notes::NotePath;
use meadow_service::notes::VaultError;
use std::error::Error;

/// The status of an answer; none where there was no answer.
pub(crate) fn status(error: &Failure) -> Option<u16> {
    error.raw_response().map(|answer| answer.status().as_u16())
}

/// The code that S3 gives its errors; an answer to a look has none.
pub(crate) fn code(error: &Failure) -> Option<&str> {
    error.as_service_error().and_then(|error| error.meta().code())
}

impl S3Vault {
    /// What an error means.
    pub(crate) fn failed(&self, error: &Failure) -> VaultError {
        let bucket = &self.bucket;
        match (code(error), status(error)) {
            (Some("NoSuchBucket"), _) => {
                VaultError::NoVault(format!("there is no bucket {bucket:?}; make it, or name another"))
            }
            (Some("KeyTooLongError" | "EntityTooLarge"), _) => VaultError::Full(format!(
                "the bucket {bucket:?} takes neither a key nor an object of this size"
            )),
            (Some("InvalidObjectState"), _) => VaultError::Unusable(format!(
                "the object is archived in the bucket {bucket:?}; restore it first"
            )),
            (Some("PermanentRedirect" | "AuthorizationHeaderMalformed" | "IllegalLocationConstraintException"), _)
            | (_, Some(301)) => VaultError::Unavailable(format!(
                "the bucket {bucket:?} is in another region; set AWS_REGION to its own"
            )),
            (Some("RequestTimeTooSkewed"), _) => VaultError::Denied(format!(
                "the clock of this machine is not that of the bucket {bucket:?}; set it"
            )),
            (code, Some(401 | 403)) => VaultError::Denied(format!(
                "S3 refuses access to the bucket {bucket:?} ({}); see to the role or the credentials",
                code.unwrap_or("403")
            )),
            (Some("SlowDown" | "ThrottlingException" | "RequestLimitExceeded"), _) | (_, Some(429)) => {
                VaultError::Unavailable(format!(
                    "S3 throttles the bucket {bucket:?}; try again in a few seconds"
                ))
            }
            _ => VaultError::Unavailable(format!(
                "the bucket {bucket:?} did not answer as it should ({})",
                why(error)
            )),
        }
    }

    /// The same of a write, which may have happened where no answer came.
    pub(crate) fn unsure(&self, error: &Failure) -> VaultError {
        match (self.failed(error), status(error)) {
            (VaultError::Unavailable(text), None | Some(500..)) => VaultError::Unavailable(format!(
                "{text}; the note may have been written all the same: read it before you write again"
            )),
            (other, _) => other,
        }
    }

    /// No answer in time.
    pub(crate) fn too_slow(&self) -> VaultError {
        VaultError::Unavailable(format!(
            "the bucket {:?} did not answer in time; what was to be written may be there all the same: read it first",
            self.bucket
        ))
    }

    /// An answer that ended too early.
    pub(crate) fn broke_off(&self, path: &NotePath) -> VaultError {
        VaultError::Unavailable(format!(
            "the bucket {:?} broke off while it gave {:?}; try again",
            self.bucket,
            path.as_str()
        ))
    }

    /// Others write the same note without end.
    pub(crate) fn crowded(&self, path: &NotePath) -> VaultError {
        VaultError::Unavailable(format!(
            "too many write {:?} at once; it was not written; try again",
            path.as_str()
        ))
    }
}

/// What happened, without a byte of the answer: its own words quote it.
fn why(error: &Failure) -> String {
    match error {
        SdkError::TimeoutError(_) => "no answer came in time".to_owned(),
        SdkError::ResponseError(_) => "its answer broke off or cannot be read".to_owned(),
        SdkError::ServiceError(_) => match (code(error), status(error)) {
            (Some(code), _) => code.to_owned(),
            (None, status) => format!("status {}", status.unwrap_or_default()),
        },
        _ => {
            let mut innermost: &dyn Error = error;
            while let Some(cause) = innermost.source() {
                innermost = cause;
            }
            innermost.to_string()
        }
    }
}
