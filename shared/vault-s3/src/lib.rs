//! Notes in a bucket, where Remotely Save finds them: the plug-in that syncs a vault of Obsidian with S3.
//!
//! # Layout, in reading order
//! - [`S3Vault`]: the vault. `write`: what a write does, `read`: what a look, a read and a list do.
//! - `keys`: how a note is called in the bucket, and which keys are notes.
//! - `encrypted`: tells a vault that Remotely Save encrypted, which is refused.
//! - `client`: the four requests that are sent, and what their answers say; `xml`: those that are XML.
//! - `place`: how the bucket is reached ([`Place`], [`connect`], [`connect_with`]).
//! - `failure`: what went wrong, in words that name the bucket and the repair.
//!
//! # In the bucket
//! Each workspace has a folder: a note is the object `prefix/workspace/path`, its path verbatim, its bytes as they are.
//! That is what Remotely Save has where its remote prefix is `prefix/workspace`. As it does, objects carry the metadata
//! `mtime` and `ctime`, in seconds; ours also `meadow-write`, by which a write whose reply was lost knows itself.
//!
//! S3 itself decides who wins: a write says what must stand there (`If-None-Match: *`, `If-Match: ETag`).

mod client;
mod encrypted;
mod failure;
mod keys;
mod place;
mod read;
mod write;
mod xml;

#[cfg(test)]
mod tests;

pub use aws_credential_types::Credentials;
pub use aws_types::region::Region;
pub use place::{Place, connect, connect_with};

use crate::client::{Client, Setup};
use async_trait::async_trait;
use meadow_notes::NotePath;
use meadow_service::notes::{Expect, Note, NoteHead, NoteStore, VaultError, WriteOutcome};
use meadow_service::{Timestamp, Workspace};
use std::time::Duration;

/// For how long one of the vault's answers may take, below the 18 s of a tool, so that what went wrong can still be said.
const WHOLE: Duration = Duration::from_secs(15);

/// A vault in a bucket. Cheap to clone; holds no state but the client's connections.
#[derive(Debug, Clone)]
pub struct S3Vault {
    client: Client,
    bucket: String,
    prefix: String,
}

impl S3Vault {
    /// The vault at a place, through a client that is set up like this.
    fn new(setup: &Setup, place: &Place) -> Self {
        Self {
            client: Client::new(setup),
            bucket: place.bucket.clone(),
            prefix: place.prefix.clone(),
        }
    }

    /// What `work` gives, unless it takes too long.
    async fn within<T>(&self, work: impl Future<Output = Result<T, VaultError>>) -> Result<T, VaultError> {
        let ended = tokio::time::timeout(WHOLE, work).await;
        ended.unwrap_or_else(|_| Err(self.too_slow()))
    }
}

#[async_trait]
impl NoteStore for S3Vault {
    async fn list(&self, workspace: &Workspace) -> Result<Vec<NoteHead>, VaultError> {
        self.within(self.heads(workspace)).await
    }

    async fn read(&self, workspace: &Workspace, path: &NotePath, most: u64) -> Result<Option<Note>, VaultError> {
        self.within(self.note(workspace, path, most)).await
    }

    async fn write(
        &self,
        workspace: &Workspace,
        path: &NotePath,
        bytes: &[u8],
        expected: &Expect,
        at: Timestamp,
    ) -> Result<WriteOutcome, VaultError> {
        self.within(self.put(workspace, path, bytes, expected, at)).await
    }

    fn location(&self, workspace: &Workspace, path: &NotePath) -> Option<String> {
        let key = self.key(workspace, path).ok()?;
        Some(format!("s3://{}/{key}", self.bucket))
    }
}
