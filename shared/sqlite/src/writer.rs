//! The thread that writes: it commits what has queued up together, and acknowledges afterwards.
//!
//! SQLite has one writer at a time, and the price of a commit is one wait for the disk; writes that share it share the
//! price. A conflict is an answer and leaves the others of its group alone; a commit that fails fails all of them.
//! A write that nobody waits for any more is left out: whoever asked was told, or has to suppose, that it failed.

use crate::connection::File;
use meadow_service::StoreError;
use rusqlite::{Connection, ErrorCode, TransactionBehavior};
use std::thread::{self, JoinHandle};
use tokio::sync::{mpsc, oneshot};

/// How many writes are committed together at most.
const GROUP: usize = 16;

/// How many writes may wait; whoever comes next waits to get into the queue.
const QUEUE: usize = 64;

/// The thread's handle.
pub(crate) struct Writer {
    file: File,
    jobs: Option<mpsc::Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

/// One write, whatever it is.
type Job = Box<dyn Work>;

trait Work: Send {
    /// Whether somebody waits for it.
    fn is_awaited(&self) -> bool;

    /// Does it within a transaction.
    fn run(&mut self, transaction: &Connection) -> rusqlite::Result<()>;

    /// Says what came of it.
    fn answer(self: Box<Self>, committed: Result<(), StoreError>);
}

/// What is asked, how it is done, what came of it, and where the answer goes.
struct Asked<Q, A> {
    what: Q,
    run: fn(&Connection, &Q) -> rusqlite::Result<A>,
    outcome: Option<A>,
    answer: oneshot::Sender<Result<A, StoreError>>,
}

impl Writer {
    /// Starts the thread.
    pub(crate) fn start(file: File, connection: Connection) -> Result<Self, StoreError> {
        let (jobs, queue) = mpsc::channel(QUEUE);
        let of_thread = file.clone();
        let thread = thread::Builder::new()
            .name("meadow-sqlite".into())
            .spawn(move || work(connection, &of_thread, queue))
            .map_err(|error| StoreError::Unavailable(format!("{file}: no thread can be started: {error}")))?;
        Ok(Self {
            file,
            jobs: Some(jobs),
            thread: Some(thread),
        })
    }

    /// Has `what` written by `run`, within a transaction that others share; answers after its commit.
    pub(crate) async fn ask<Q: Send + 'static, A: Send + 'static>(
        &self,
        what: Q,
        run: fn(&Connection, &Q) -> rusqlite::Result<A>,
    ) -> Result<A, StoreError> {
        let stopped = || StoreError::Unavailable(format!("{}: the writing thread has ended; start again", self.file));
        let (answer, answered) = oneshot::channel();
        let job = Box::new(Asked {
            what,
            run,
            outcome: None,
            answer,
        });
        let jobs = self.jobs.as_ref().ok_or_else(stopped)?;
        jobs.send(job).await.map_err(|_| stopped())?;
        answered.await.map_err(|_| stopped())?
    }

    /// Lets the writes that somebody waits for finish and closes the connection.
    pub(crate) fn stop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!(file = %self.file, "the writing thread had panicked");
        }
    }
}

fn work(mut connection: Connection, file: &File, mut queue: mpsc::Receiver<Job>) {
    let mut group = Vec::with_capacity(GROUP);
    while queue.blocking_recv_many(&mut group, GROUP) > 0 {
        group.retain(|job| job.is_awaited());
        if group.is_empty() {
            continue;
        }
        let committed = file.takes_writes().and_then(|()| {
            commit(&mut connection, &mut group).map_err(|error| {
                if is_locked(&error) {
                    // Those that came meanwhile would wait as long again, one group after the other.
                    group.extend((0..queue.len()).map_while(|_| queue.try_recv().ok()));
                }
                file.failure(&error)
            })
        });
        for job in group.drain(..) {
            job.answer(committed.as_ref().map_err(again).copied());
        }
    }
}

fn commit(connection: &mut Connection, group: &mut [Job]) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Again: to get here can take a while.
    for job in group.iter_mut().filter(|job| job.is_awaited()) {
        job.run(&transaction)?;
    }
    transaction.commit()
}

fn is_locked(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
    )
}

/// The same error once more, for another of its group.
fn again(error: &StoreError) -> StoreError {
    match error {
        StoreError::Full(text) => StoreError::Full(text.clone()),
        StoreError::ReadOnly(text) => StoreError::ReadOnly(text.clone()),
        StoreError::Unavailable(text) => StoreError::Unavailable(text.clone()),
        StoreError::Damaged(text) => StoreError::Damaged(text.clone()),
    }
}

impl<Q: Send, A: Send> Work for Asked<Q, A> {
    fn is_awaited(&self) -> bool {
        !self.answer.is_closed()
    }

    fn run(&mut self, transaction: &Connection) -> rusqlite::Result<()> {
        self.outcome = Some((self.run)(transaction, &self.what)?);
        Ok(())
    }

    fn answer(self: Box<Self>, committed: Result<(), StoreError>) {
        let Self { outcome, answer, .. } = *self;
        // Whoever asked may have gone; what was committed stays. Without an outcome nobody was there before.
        if let Some(outcome) = committed.map(|()| outcome).transpose() {
            let _ = answer.send(outcome);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write;
    use meadow_service::{Expected, ModelId, Put, PutOutcome, Source, Timestamp, Workspace, WriteId};
    use rusqlite::Connection;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    type Answer = oneshot::Receiver<Result<PutOutcome, StoreError>>;

    fn job(id: &str, text: &str, expected: Expected) -> (Job, Answer) {
        let (answer, answered) = oneshot::channel();
        let put = Put {
            workspace: Workspace::default(),
            id: ModelId::new(id).unwrap(),
            source: Arc::new(Source::new(text, id, true)),
            expected,
            write: WriteId::random().unwrap(),
            at: Timestamp(0),
        };
        let asked = Asked {
            what: put,
            run: write::put,
            outcome: None,
            answer,
        };
        (Box::new(asked), answered)
    }

    fn revisions(connection: &Connection) -> i64 {
        connection
            .query_row("SELECT count(*) FROM revisions", [], |row| row.get(0))
            .unwrap()
    }

    #[test]
    fn a_conflict_leaves_its_group_alone() {
        let folder = tempfile::tempdir().unwrap();
        let (_, mut connection) = File::open(&folder.path().join("meadow.db")).unwrap();
        let (jobs, answers): (Vec<_>, Vec<_>) = [
            ("a", "1", Expected::Absent),
            ("a", "2", Expected::Absent),
            ("b", "1", Expected::Revision(4)),
            ("a", "3", Expected::Revision(1)),
            ("c", "1", Expected::Any),
        ]
        .map(|(id, text, expected)| job(id, text, expected))
        .into_iter()
        .unzip();
        let mut group = jobs;
        commit(&mut connection, &mut group).unwrap();
        group.into_iter().for_each(|job| job.answer(Ok(())));
        let answers: Vec<_> = answers
            .into_iter()
            .map(|answer| answer.blocking_recv().unwrap().unwrap())
            .collect();
        let stored: Vec<Option<u64>> = answers
            .iter()
            .map(|outcome| match outcome {
                PutOutcome::Stored(ack) => Some(ack.head.revision),
                _ => None,
            })
            .collect();
        assert_eq!(stored, [Some(1), None, None, Some(2), Some(1)], "{answers:?}");
        assert_eq!(revisions(&connection), 3);
    }

    #[test]
    fn what_nobody_waits_for_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let (file, connection) = File::open(&folder.path().join("meadow.db")).unwrap();
        // In a group with others, in a group of its own, and when it is given up on the way to the transaction.
        let (jobs, queue) = mpsc::channel(QUEUE);
        let mut answers = Vec::new();
        for n in 0..3 * GROUP {
            let (job, answer) = job(&format!("m{n}"), "text", Expected::Any);
            jobs.try_send(job).ok().unwrap();
            if n < GROUP && n % 2 == 0 || n >= 2 * GROUP {
                answers.push(answer);
            }
        }
        drop(jobs);
        work(connection, &file, queue);
        let awaited = answers.len();
        for answer in answers {
            assert!(matches!(answer.blocking_recv(), Ok(Ok(PutOutcome::Stored(_)))));
        }
        let (_, mut connection) = File::open(&folder.path().join("meadow.db")).unwrap();
        assert_eq!(usize::try_from(revisions(&connection)).unwrap(), awaited);
        let (late, answer) = job("late", "text", Expected::Any);
        drop(answer);
        commit(&mut connection, &mut [late]).unwrap();
        assert_eq!(usize::try_from(revisions(&connection)).unwrap(), awaited);
    }

    #[test]
    fn a_lock_that_stays_fails_all_that_wait_at_once() {
        static WAITS: AtomicUsize = AtomicUsize::new(0);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("meadow.db");
        let (file, mut connection) = File::open(&path).unwrap();
        connection
            .busy_handler(Some(|_| {
                WAITS.fetch_add(1, Ordering::SeqCst);
                false
            }))
            .unwrap();
        let other = Connection::open(&path).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        let (jobs, queue) = mpsc::channel(QUEUE);
        let answers: Vec<Answer> = (0..3 * GROUP)
            .map(|n| {
                let (job, answer) = job(&format!("m{n}"), "text", Expected::Any);
                jobs.try_send(job).ok().unwrap();
                answer
            })
            .collect();
        drop(jobs);
        work(connection, &file, queue);
        assert_eq!(WAITS.load(Ordering::SeqCst), 1);
        for answer in answers {
            let error = answer.blocking_recv().unwrap().unwrap_err();
            assert!(
                error.to_string().contains("another process keeps") && matches!(error, StoreError::Unavailable(_)),
                "{error}"
            );
        }
        other.execute_batch("ROLLBACK").unwrap();
        assert_eq!(revisions(&other), 0);
    }

    #[test]
    fn a_failed_commit_fails_its_whole_group_and_shows_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let (file, mut connection) = File::open(&folder.path().join("meadow.db")).unwrap();
        let pages: i64 = connection
            .pragma_query_value(None, "page_count", |row| row.get(0))
            .unwrap();
        connection
            .pragma_update_and_check(None, "max_page_count", pages + 2, |_| Ok(()))
            .unwrap();
        let large = "large ".repeat(10_000);
        let (mut group, _answers): (Vec<_>, Vec<_>) = ["small", &large, "small"]
            .iter()
            .map(|text| job("m", text, Expected::Any))
            .unzip();
        let error = commit(&mut connection, &mut group).unwrap_err();
        assert!(matches!(file.failure(&error), StoreError::Full(_)), "{error}");
        assert_eq!((revisions(&connection), revisions(&file.reader().unwrap())), (0, 0));
        let (next, _answer) = job("m", "small", Expected::Absent);
        commit(&mut connection, &mut [next]).unwrap();
        assert_eq!(revisions(&file.reader().unwrap()), 1);
    }
}
