//! Writers and readers at the same time.

use super::trial::{Trial, model, source};
use crate::clock::SystemClock;
use crate::ids::Revision;
use crate::patch::Values;
use crate::ports::{Deleted, Expected, PutOutcome, Stored};
use crate::service::{Caller, Expectation, Service};
use meadow_model::patch::Patch;
use std::fmt::Write;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::Barrier;
use tokio::task::yield_now;

/// How many tasks race.
const TASKS: usize = 32;

/// How many tasks read meanwhile.
const READERS: usize = 8;

/// How many models the writers of [`during_writes`] share.
const MODELS: usize = 4;

/// Runs the futures at the same time; a panic in one is a panic here.
pub(super) async fn together<T: Send + 'static>(tasks: Vec<impl Future<Output = T> + Send + 'static>) -> Vec<T> {
    let start = Arc::new(Barrier::new(tasks.len()));
    let started = tasks.into_iter().map(|task| {
        let start = Arc::clone(&start);
        tokio::spawn(async move {
            start.wait().await;
            task.await
        })
    });
    let mut results = Vec::new();
    for task in started.collect::<Vec<_>>() {
        results.push(task.await.unwrap_or_else(|error| resume_unwind(error.into_panic())));
    }
    results
}

/// Puts and deletes with one expectation: of a new model, of one that is there, of a deleted one.
pub(super) async fn of_racing_writers_exactly_one_wins(t: Trial) {
    for round in 0..t.rounds {
        let id = format!("m{}", round / 3);
        let expected = match t.head(&id).await {
            Some(head) if !head.deleted => Expected::Revision(head.revision),
            _ => Expected::Absent,
        };
        let racers = (0..TASKS).map(|task| {
            let (t, id) = (t.clone(), id.clone());
            async move {
                // Every third round deletes may win; there is nothing to delete where Absent is expected.
                if round % 3 == 2 && task % 2 == 0 {
                    match t.delete(&id, expected).await {
                        Deleted::Done(head) => Some((head.revision, String::new())),
                        Deleted::Absent | Deleted::Conflict(_) => None,
                    }
                } else {
                    let text = format!("round {round} task {task}");
                    match t.put(&id, &text, expected).await {
                        PutOutcome::Stored(ack) => Some((ack.head.revision, text)),
                        PutOutcome::Unchanged(ack) => panic!("no two texts are equal: {ack:?}"),
                        PutOutcome::Conflict(_) => None,
                    }
                }
            }
        });
        let won: Vec<_> = together(racers.collect()).await.into_iter().flatten().collect();
        let [(revision, text)] = &*won else {
            panic!("round {round}: {} of {TASKS} writers won with {expected:?}", won.len());
        };
        t.raced();
        let head = t.head(&id).await.expect("the model that was written");
        assert_eq!(
            (head.revision, t.text(&id).await),
            (*revision, text.clone()),
            "round {round}"
        );
    }
}

/// Every task reads the number, adds one and writes it back, on condition that nobody else did. It adds its name: equal
/// bytes would not count as a second write.
pub(super) async fn no_increment_is_lost(t: Trial) {
    t.stored("counter", "0 at first").await;
    let each = t.rounds.div_ceil(8);
    let racers = (0..TASKS).map(|task| {
        let t = t.clone();
        async move {
            let mut done = 0;
            while done < each {
                let stored = t.get("counter").await.expect("the counter");
                let text = format!("{} by {task}", counted(&stored.text) + 1);
                yield_now().await;
                let expected = Expected::Revision(stored.head.revision);
                if let PutOutcome::Stored(_) = t.put("counter", &text, expected).await {
                    t.raced();
                    done += 1;
                }
            }
        }
    });
    together(racers.collect()).await;
    let total = TASKS * each;
    assert_eq!(
        counted(&t.text("counter").await),
        total,
        "so many increments were acknowledged"
    );
    assert_eq!(
        t.head("counter").await.map(|head| head.revision),
        Some(total as Revision + 1)
    );
}

fn counted(text: &str) -> usize {
    let number = text.split(' ').next().and_then(|number| number.parse().ok());
    number.unwrap_or_else(|| panic!("no number: {text:?}"))
}

/// A text whose every line says whose it is, of a size of its own.
fn marked(task: usize, number: usize) -> String {
    let lines = 40 + (task * 7 + number * 13) % 90;
    (0..lines).fold(String::new(), |mut text, _| {
        let _ = writeln!(text, "writer {task} number {number}: {}", "pad ".repeat(12));
        text
    })
}

/// Tasks write as fast as they can while others run `read`, which gets the number of the model to look at, its lowest
/// revision that may be seen, and gives the revision that it saw.
async fn during_writes<R: Future<Output = Revision> + Send>(
    t: &Trial,
    read: impl Fn(Trial, String, Revision) -> R + Clone + Send + Sync + 'static,
) {
    let acknowledged: Arc<[AtomicU64; MODELS]> = Arc::default();
    let writing = Arc::new(AtomicU64::new(TASKS as u64));
    let each = t.rounds * 2;
    for number in 0..MODELS {
        let head = t.stored(&format!("m{number}"), &marked(TASKS, number)).await;
        acknowledged[number].store(head.revision, Ordering::SeqCst);
    }
    let tasks = (0..TASKS + READERS).map(|task| {
        let (t, read) = (t.clone(), read.clone());
        let (acknowledged, writing) = (Arc::clone(&acknowledged), Arc::clone(&writing));
        async move {
            if task < TASKS {
                let _done = Decrement(&writing);
                for number in 0..each {
                    let which = (task + number) % MODELS;
                    let head = t.stored(&format!("m{which}"), &marked(task, number)).await;
                    acknowledged[which].fetch_max(head.revision, Ordering::SeqCst);
                    t.raced();
                    yield_now().await;
                }
            } else {
                let mut seen = [0; MODELS];
                for which in (0..MODELS).cycle().skip(task) {
                    if writing.load(Ordering::SeqCst) == 0 {
                        break;
                    }
                    // Nor may a reader see time go backwards.
                    let lowest = acknowledged[which].load(Ordering::SeqCst).max(seen[which]);
                    seen[which] = read(t.clone(), format!("m{which}"), lowest).await;
                    yield_now().await;
                }
            }
        }
    });
    together(tasks.collect()).await;
    let made: u64 = acknowledged
        .iter()
        .map(|revision| revision.load(Ordering::SeqCst))
        .sum();
    assert_eq!(
        made,
        (TASKS * each + MODELS) as u64,
        "each acknowledged put made one revision"
    );
}

/// Counts a writer down when it ends, by a panic too, so that readers do not wait for it.
struct Decrement<'a>(&'a AtomicU64);

impl Drop for Decrement<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

pub(super) async fn no_text_is_torn(t: Trial) {
    during_writes(&t, |t, id, _| async move {
        let current = t.get(&id).await.expect("the model");
        whole(&current);
        if let Some(same) = t.revision(&id, current.head.revision).await {
            assert_eq!(same, current, "a revision never changes");
        }
        whole(&t.latest().await.expect("a latest model"));
        current.head.revision
    })
    .await;
}

/// Panics unless the text is one that was put, and its head the one that belongs to it.
fn whole(stored: &Stored) {
    let text = &*stored.text;
    let first = text.lines().next().unwrap_or_default();
    assert!(
        text.ends_with('\n') && text.lines().all(|line| line == first),
        "a torn text: {text}"
    );
    let (task, number) = (|| {
        let (task, rest) = first.strip_prefix("writer ")?.split_once(" number ")?;
        Some((task.parse().ok()?, rest.split_once(':')?.0.parse().ok()?))
    })()
    .unwrap_or_else(|| panic!("an unknown text: {first}"));
    assert!(text == marked(task, number), "part of a text: {first}");
    let (head, source) = (&stored.head, source(text));
    assert_eq!(
        (head.sha256, head.size, &head.name, head.deleted),
        (source.sha256, text.len() as u64, &source.name, false),
        "the head of another text"
    );
}

pub(super) async fn no_read_is_older_than_acknowledged(t: Trial) {
    during_writes(&t, |t, id, lowest| async move {
        let got = t.get(&id).await.map(|stored| stored.head.revision);
        assert!(
            got >= Some(lowest),
            "{id}: get gave {got:?} after {lowest} was acknowledged"
        );
        let head = t.head(&id).await.map(|head| head.revision);
        assert!(head >= got, "{id}: head gave {head:?} after get had given {got:?}");
        let model = model(&id);
        let page = t
            .store
            .revisions(&t.workspace, &model, None, 1)
            .await
            .expect("the store gives revisions");
        let newest = page.items.first().map(|head| head.revision);
        assert!(
            newest >= head,
            "{id}: revisions gave {newest:?} after head had given {head:?}"
        );
        let list = t.store.list(&t.workspace, None, 10).await.expect("the store lists");
        let listed = list
            .items
            .iter()
            .find(|head| head.id == model)
            .map(|head| head.revision);
        assert!(
            listed >= newest,
            "{id}: list gave {listed:?} after revisions had given {newest:?}"
        );
        listed.unwrap_or_default()
    })
    .await;
}

/// One task writes, others read: who reads after a put was acknowledged gets what it wrote, or newer.
pub(super) async fn latest_follows_its_writer(t: Trial) {
    let writing = Arc::new(AtomicU64::new(1));
    let acknowledged = Arc::new(AtomicU64::new(0));
    let tasks = (0..=READERS).map(|task| {
        let (t, writing, acknowledged) = (t.clone(), Arc::clone(&writing), Arc::clone(&acknowledged));
        async move {
            if task == 0 {
                let _done = Decrement(&writing);
                for number in 1..=t.rounds {
                    t.stored(&format!("m{}", number % 3), &number.to_string()).await;
                    acknowledged.store(number as u64, Ordering::SeqCst);
                    yield_now().await;
                }
            }
            while writing.load(Ordering::SeqCst) > 0 {
                let lowest = acknowledged.load(Ordering::SeqCst);
                let latest = t
                    .latest()
                    .await
                    .map_or(0, |latest| latest.text.parse().expect("a number"));
                assert!(latest >= lowest, "latest gave {latest} after {lowest} was acknowledged");
                yield_now().await;
            }
        }
    });
    together(tasks.collect()).await;
}

/// Several agents each add an element to one model at the same time, and expect nothing of it.
pub(super) async fn no_patch_is_lost(t: Trial) {
    const AGENTS: usize = 4;
    let service = Service::new(Arc::clone(&t.store), Arc::new(SystemClock));
    let caller = Caller::local(t.workspace.clone());
    let first = service.write_model(&caller, r#"{"elements":[]}"#, Some("m"), Expectation::Absent);
    first.await.expect("a model");
    let rounds = t.rounds.min(10);
    for round in 0..rounds {
        let agents = (0..AGENTS).map(|agent| {
            let (service, caller) = (service.clone(), caller.clone());
            async move {
                let add = format!(r#"[{{"op":"add","path":"/elements/-","value":"{round} {agent}"}}]"#);
                let patch = Patch::operations(&add).expect("a patch");
                let patched = service.patch_model(&caller, Some("m"), patch, Values::Strict, Expectation::Any);
                patched.await.map(drop)
            }
        });
        for outcome in together(agents.collect()).await {
            outcome.expect("each gets through");
            t.raced();
        }
    }
    let text = t.text("m").await;
    for (round, agent) in (0..rounds).flat_map(|round| (0..AGENTS).map(move |agent| (round, agent))) {
        assert!(text.contains(&format!("\"{round} {agent}\"")), "{text}");
    }
    assert_eq!(
        t.head("m").await.map(|head| head.revision),
        Some((rounds * AGENTS) as u64 + 1)
    );
}
