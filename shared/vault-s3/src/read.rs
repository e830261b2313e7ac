//! What a look, a read and a list do.

use crate::client::{Failure, Object};
use crate::encrypted::{Names, RCLONE, Verdict};
use crate::keys;
use crate::xml::Page;
use crate::{S3Vault, failure};
use aws_smithy_types::byte_stream::ByteStream;
use meadow_notes::NotePath;
use meadow_service::notes::{Note, NoteHead, NoteVersion, VaultError};
use meadow_service::{Timestamp, Workspace};
use percent_encoding::percent_decode_str;

/// Metadata: when the note was written and made, in seconds, as Remotely Save has it; and by which write of ours.
pub(crate) const MTIME: &str = "x-amz-meta-mtime";
pub(crate) const CTIME: &str = "x-amz-meta-ctime";
pub(crate) const WRITE: &str = "x-amz-meta-meadow-write";

/// An object as it stands, without its bytes.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) head: NoteHead,
    object: Object,
}

impl Found {
    /// A piece of its metadata.
    pub(crate) fn said(&self, name: &str) -> Option<&str> {
        self.object.metadata(name)
    }
}

/// A note by what S3 says of its object. A list may say more of a time than whole seconds; a head is the same everywhere.
fn head(path: &NotePath, size: Option<u64>, seconds: Option<i64>, etag: Option<&str>) -> NoteHead {
    let seconds = u64::try_from(seconds.unwrap_or_default()).unwrap_or_default();
    NoteHead {
        path: path.clone(),
        size: size.unwrap_or_default(),
        modified: Timestamp(seconds.saturating_mul(1000)),
        version: NoteVersion(etag.unwrap_or_default().trim_matches('"').to_owned()),
    }
}

impl S3Vault {
    /// A note without its text.
    pub(crate) async fn look(&self, key: &str, path: &NotePath) -> Result<Option<Found>, VaultError> {
        match self.client.head_object(key).await {
            Ok(object) => Ok(Some(Found {
                head: head(path, object.size(), object.modified(), object.etag()),
                object,
            })),
            Err(error) => self.missing(key, error).await.map(|()| None),
        }
    }

    /// A note with its text.
    pub(crate) async fn note(
        &self,
        workspace: &Workspace,
        path: &NotePath,
        most: u64,
    ) -> Result<Option<Note>, VaultError> {
        let key = self.key(workspace, path)?;
        let found = match self.client.get_object(&key).await {
            Ok(found) => found,
            Err(error) => {
                self.missing(&key, error).await?;
                // In an encrypted vault no name is found: say why.
                self.refuse_encrypted(workspace).await?;
                return Ok(None);
            }
        };
        let mut head = head(path, found.size(), found.modified(), found.etag());
        let bytes = self.bytes(path, found.into_body(), head.size, most).await?;
        head.size = bytes.len() as u64;
        Ok(Some(Note { head, bytes }))
    }

    /// The bytes of an object, unless they are more than `most`, whatever S3 announced.
    async fn bytes(
        &self,
        path: &NotePath,
        mut body: ByteStream,
        announced: u64,
        most: u64,
    ) -> Result<Vec<u8>, VaultError> {
        let mut bytes = Vec::new();
        let mut size = announced;
        while size <= most {
            match body.next().await {
                None => return Ok(bytes),
                Some(Ok(part)) => bytes.extend_from_slice(&part),
                Some(Err(_)) => return Err(self.broke_off(path)),
            }
            size = announced.max(bytes.len() as u64);
        }
        Err(VaultError::Full(format!(
            "the note {:?} has {size} bytes; at most {most} are read, split it",
            path.as_str()
        )))
    }

    /// All notes of a workspace, by path.
    pub(crate) async fn heads(&self, workspace: &Workspace) -> Result<Vec<NoteHead>, VaultError> {
        let folder = self.folder(workspace)?;
        let mut heads = Vec::new();
        let mut names = Names::default();
        let mut from: Option<String> = None;
        loop {
            let page = self.page(&folder, from.as_deref()).await?;
            for object in page.objects {
                let key = decode(&object.key);
                let Some(rest) = key.as_deref().and_then(|key| key.strip_prefix(&folder)) else {
                    continue;
                };
                names.see(rest);
                if let Some(path) = keys::note(rest) {
                    heads.push(head(&path, object.size, object.modified, object.etag.as_deref()));
                }
            }
            from = page.next;
            if from.is_none() {
                break;
            }
        }
        self.refuse(&folder, names).await?;
        heads.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        Ok(heads)
    }

    /// An error where the workspace's vault is encrypted, as far as its first thousand objects tell.
    pub(crate) async fn refuse_encrypted(&self, workspace: &Workspace) -> Result<(), VaultError> {
        let folder = self.folder(workspace)?;
        let page = self.page(&folder, None).await?;
        let mut names = Names::default();
        for object in page.objects {
            let key = decode(&object.key);
            if let Some(rest) = key.as_deref().and_then(|key| key.strip_prefix(&folder)) {
                names.see(rest);
            }
            if names.is_plain() {
                break;
            }
        }
        self.refuse(&folder, names).await
    }

    async fn refuse(&self, folder: &str, names: Names) -> Result<(), VaultError> {
        let encrypted = match names.verdict() {
            Verdict::Plain => false,
            Verdict::Encrypted => true,
            Verdict::Perhaps(name) => self.begins_with(&format!("{folder}{name}"), RCLONE).await?,
        };
        if encrypted {
            return Err(VaultError::Unusable(format!(
                "the vault s3://{}/{folder} is encrypted: Remotely Save has a password for it; take the password away \
                 there, or let Meadow use another prefix",
                self.bucket
            )));
        }
        Ok(())
    }

    /// Whether an object begins with these bytes.
    async fn begins_with(&self, key: &str, bytes: &[u8]) -> Result<bool, VaultError> {
        let asked = self.client.get_object_range(key, ..=bytes.len() - 1).await;
        let mut body = match asked {
            Ok(found) => found.into_body(),
            // An empty object has no such range.
            Err(error) if failure::status(&error) == Some(416) => return Ok(false),
            Err(error) => return self.missing(key, error).await.map(|()| false),
        };
        let mut begin = Vec::new();
        while begin.len() < bytes.len() {
            match body.next().await {
                Some(Ok(part)) => begin.extend_from_slice(&part),
                Some(Err(_)) | None => break,
            }
        }
        Ok(begin.starts_with(bytes))
    }

    /// A page of what stands in a folder and below.
    async fn page(&self, prefix: &str, from: Option<&str>) -> Result<Page, VaultError> {
        let asked = self.client.list_objects_v2(prefix, from).await;
        asked.map_err(|error| self.failed(&error))
    }

    /// Nothing where the object is not there, else what went wrong.
    ///
    /// Who may list only a part of a bucket is told 403 of objects that are not there: a list of this one name tells.
    async fn missing(&self, key: &str, error: Failure) -> Result<(), VaultError> {
        match failure::status(&error) {
            Some(404) if failure::code(&error) != Some("NoSuchBucket") => Ok(()),
            Some(403) => {
                let page = self.page(key, None).await?;
                if page
                    .objects
                    .iter()
                    .any(|object| decode(&object.key).as_deref() == Some(key))
                {
                    return Err(self.failed(&error));
                }
                Ok(())
            }
            _ => Err(self.failed(&error)),
        }
    }
}

/// A key as it is: S3 gives it as forms encode text. None where it is no UTF-8.
fn decode(encoded: &str) -> Option<String> {
    let spaced = encoded.replace('+', " ");
    let key = percent_decode_str(&spaced).decode_utf8().ok()?;
    Some(key.into_owned())
}
