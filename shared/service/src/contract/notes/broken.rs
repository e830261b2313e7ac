//! A vault that breaks one promise, in ways that are easy to write. The suite must fail it.

use super::*;
use crate::notes::MemoryNotes;
use async_trait::async_trait;
use std::sync::Mutex;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// The expectation is looked at, then the write is done whatever happened in between.
    CheckThenWrite,
    /// Who reads during a write gets the beginning of the new text and the rest of the old one.
    Torn,
    /// A version is the number of bytes.
    VersionOfSize,
    /// Every workspace is the same.
    OneForAll,
    /// Text is kept, not bytes.
    Lossy,
}

async fn check(fault: Fault, expected: &[&str]) {
    let make = || {
        Arc::new(Broken {
            fault,
            inner: MemoryNotes::new(),
            before: Mutex::default(),
        }) as Arc<dyn NoteStore>
    };
    let failures = run(make, 10).await;
    let failed: Vec<&str> = failures.iter().map(|failure| failure.case).collect();
    assert_eq!(failed, expected, "{failures:#?}");
}

#[tokio::test]
async fn memory_keeps_the_contract() {
    assert_keeps_the_contract(|| Arc::new(MemoryNotes::new()), 50).await;
}

#[tokio::test]
async fn check_then_write_is_caught() {
    let cases = ["of_racing_writers_exactly_one_wins", "no_increment_is_lost"];
    check(Fault::CheckThenWrite, &cases).await;
}

#[tokio::test]
async fn torn_texts_are_caught() {
    check(Fault::Torn, &["no_text_is_torn"]).await;
}

#[tokio::test]
async fn weak_versions_are_caught() {
    check(
        Fault::VersionOfSize,
        &["a_version_means_this_content", "no_increment_is_lost"],
    )
    .await;
}

#[tokio::test]
async fn shared_workspaces_are_caught() {
    check(Fault::OneForAll, &["workspaces_see_nothing_of_each_other"]).await;
}

#[tokio::test]
async fn bytes_that_are_changed_are_caught() {
    let cases = ["what_is_written_is_read_back", "a_note_of_four_megabytes_comes_back"];
    check(Fault::Lossy, &cases).await;
}

#[derive(Debug)]
struct Broken {
    fault: Fault,
    inner: MemoryNotes,
    /// Of [`Fault::Torn`]: what stood there before the write that is under way.
    before: Mutex<Option<Note>>,
}

impl Broken {
    fn workspace(&self, workspace: &Workspace) -> Workspace {
        match self.fault {
            Fault::OneForAll => Workspace::default(),
            _ => workspace.clone(),
        }
    }

    fn seen(&self, mut head: NoteHead) -> NoteHead {
        if self.fault == Fault::VersionOfSize {
            head.version = NoteVersion(head.size.to_string());
        }
        head
    }
}

#[async_trait]
impl NoteStore for Broken {
    async fn list(&self, workspace: &Workspace) -> Result<Vec<NoteHead>, VaultError> {
        let heads = self.inner.list(&self.workspace(workspace)).await?;
        Ok(heads.into_iter().map(|head| self.seen(head)).collect())
    }

    async fn read(&self, workspace: &Workspace, path: &NotePath, most: u64) -> Result<Option<Note>, VaultError> {
        let note = self.inner.read(&self.workspace(workspace), path, most).await?;
        let before = self
            .before
            .lock()
            .unwrap()
            .clone()
            .filter(|before| before.head.path == *path);
        Ok(note.map(|mut note| {
            if let Some(before) = before {
                let half = note.bytes.len().min(before.bytes.len()) / 2;
                note.bytes.truncate(half);
                note.bytes.extend(&before.bytes[half..]);
            }
            note.head = self.seen(note.head);
            note
        }))
    }

    async fn write(
        &self,
        workspace: &Workspace,
        path: &NotePath,
        bytes: &[u8],
        expected: &Expect,
        at: Timestamp,
    ) -> Result<WriteOutcome, VaultError> {
        let workspace = &self.workspace(workspace);
        let current = self.inner.read(workspace, path, u64::MAX).await?;
        let head = current.as_ref().map(|note| self.seen(note.head.clone()));
        let lossy = String::from_utf8_lossy(bytes).into_owned();
        let bytes = if self.fault == Fault::Lossy {
            lossy.as_bytes()
        } else {
            bytes
        };
        let outcome = match self.fault {
            Fault::CheckThenWrite | Fault::VersionOfSize => {
                if !expected.holds(head.as_ref()) {
                    return Ok(WriteOutcome::Conflict(head));
                }
                let raced = self.fault == Fault::CheckThenWrite;
                if raced {
                    yield_now().await;
                }
                let weak = raced || matches!(expected, Expect::Version(_));
                let expected = if weak { &Expect::Any } else { expected };
                self.inner.write(workspace, path, bytes, expected, at).await?
            }
            Fault::Torn => {
                let outcome = self.inner.write(workspace, path, bytes, expected, at).await?;
                *self.before.lock().unwrap() = current;
                yield_now().await;
                *self.before.lock().unwrap() = None;
                outcome
            }
            _ => self.inner.write(workspace, path, bytes, expected, at).await?,
        };
        Ok(match outcome {
            WriteOutcome::Written(head) => WriteOutcome::Written(self.seen(head)),
            WriteOutcome::Conflict(head) => WriteOutcome::Conflict(head.map(|head| self.seen(head))),
        })
    }

    fn location(&self, _: &Workspace, _: &NotePath) -> Option<String> {
        None
    }
}
