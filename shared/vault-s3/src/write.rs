//! What a write does.

use crate::S3Vault;
use crate::failure;
use crate::read::{CTIME, MTIME, WRITE};
use meadow_notes::NotePath;
use meadow_service::notes::{Expect, NoteHead, NoteVersion, VaultError, WriteOutcome};
use meadow_service::{Timestamp, Workspace, WriteId};
use std::time::Duration;

/// How often a write is sent where S3 says that another one of the same key is under way, and how long it waits after
/// the first time.
const ATTEMPTS: u32 = 6;
const PAUSE: Duration = Duration::from_millis(40);

impl S3Vault {
    /// Writes a note.
    pub(crate) async fn put(
        &self,
        workspace: &Workspace,
        path: &NotePath,
        bytes: &[u8],
        expected: &Expect,
        at: Timestamp,
    ) -> Result<WriteOutcome, VaultError> {
        let key = self.key(workspace, path)?;
        let (before, ()) = tokio::try_join!(self.look(&key, path), self.refuse_encrypted(workspace))?;
        let holds = match (expected, &before) {
            (Expect::Any, _) | (Expect::Absent, None) => true,
            (Expect::Version(version), Some(before)) => before.head.version == *version,
            (Expect::Absent, Some(_)) | (Expect::Version(_), None) => false,
        };
        if !holds {
            return Ok(WriteOutcome::Conflict(before.map(|before| before.head)));
        }
        let own = WriteId::random().map_err(|error| VaultError::Unavailable(format!("no randomness: {error}")))?;
        let own = format!("{:032x}", own.0);
        // When the note was made stays as it was.
        let made = before.as_ref().and_then(|before| before.said(CTIME));
        let made = made.map_or_else(|| seconds(at), str::to_owned);
        let mut headers = vec![
            ("content-type", "text/markdown; charset=utf-8".to_owned()),
            (MTIME, seconds(at)),
            (CTIME, made),
            (WRITE, own.clone()),
        ];
        match expected {
            Expect::Any => {}
            Expect::Absent => headers.push(("if-none-match", "*".to_owned())),
            Expect::Version(NoteVersion(version)) => headers.push(("if-match", format!("\"{version}\""))),
        }
        for attempt in 0..ATTEMPTS {
            let sent = self.client.put_object(&key, &headers, bytes).await;
            let error = match sent {
                Ok(done) => {
                    // When it was written, only S3 knows. Where it does not say, or somebody has written since, this
                    // write is done all the same.
                    let found = self.look(&key, path).await.ok().flatten();
                    let found = found.filter(|found| found.said(WRITE) == Some(own.as_str()));
                    let head = found.map_or_else(|| written(path, bytes, at, done.etag()), |found| found.head);
                    return Ok(WriteOutcome::Written(head));
                }
                Err(error) => error,
            };
            match failure::status(&error) {
                // Writes of one key met. Nobody knows yet which of them is done.
                Some(409) => tokio::time::sleep(PAUSE * 2_u32.pow(attempt)).await,
                // Something else stands there, or (404) nothing. Or an answer was lost, the write was sent again,
                // and it met itself.
                Some(412 | 404) if failure::code(&error) != Some("NoSuchBucket") => {
                    let found = self.look(&key, path).await?;
                    let is_own = found
                        .as_ref()
                        .is_some_and(|found| found.said(WRITE) == Some(own.as_str()));
                    return Ok(match found.map(|found| found.head) {
                        Some(head) if is_own => WriteOutcome::Written(head),
                        head => WriteOutcome::Conflict(head),
                    });
                }
                _ => return Err(self.unsure(&error)),
            }
        }
        Err(self.crowded(path))
    }
}

/// A note that was just written.
fn written(path: &NotePath, bytes: &[u8], Timestamp(at): Timestamp, etag: Option<&str>) -> NoteHead {
    NoteHead {
        path: path.clone(),
        size: bytes.len() as u64,
        modified: Timestamp(at / 1000 * 1000),
        version: NoteVersion(etag.unwrap_or_default().trim_matches('"').to_owned()),
    }
}

/// A time as Remotely Save writes it: seconds with a fraction.
fn seconds(Timestamp(at): Timestamp) -> String {
    format!("{}.{:03}", at / 1000, at % 1000)
}
