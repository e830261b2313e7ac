//! The cases that every vault must pass: what [`NoteStore`] promises, held against a real one.
//!
//! A vault's test calls [`assert_keeps_the_contract`] with a function that makes a new, empty vault for the workspace
//! `default`. Hidden files and links cannot be planted from here; the vaults' own tests do it.

use super::{Failure, races::together, text_of};
use crate::clock::Timestamp;
use crate::ids::Workspace;
use crate::notes::{Expect, Note, NoteHead, NoteStore, NoteVersion, VaultError, WriteOutcome};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use meadow_notes::NotePath;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::task::yield_now;

/// How many tasks race.
const TASKS: usize = 16;

/// Bytes that a read takes where its limit does not matter.
const MOST: u64 = 16 << 20;

/// A promise: its name, and what holds it against a vault.
type Case = (&'static str, fn(Trial) -> BoxFuture<'static, ()>);

macro_rules! cases {
    ($($name:ident,)*) => {
        &[$((stringify!($name), |trial| $name(trial).boxed())),*]
    };
}

/// All cases.
const CASES: &[Case] = cases![
    an_empty_vault_has_no_notes,
    what_is_written_is_read_back,
    a_note_of_four_megabytes_comes_back,
    names_of_any_script_come_back,
    absent_means_that_there_is_none,
    a_version_means_this_content,
    any_is_always_true,
    a_head_is_the_same_everywhere,
    a_read_keeps_its_limit,
    a_list_is_by_path,
    workspaces_see_nothing_of_each_other,
    of_racing_writers_exactly_one_wins,
    no_increment_is_lost,
    no_text_is_torn,
];

/// Runs every case on a vault of its own. `rounds` says for how long the races go on.
pub async fn run(make: impl Fn() -> Arc<dyn NoteStore>, rounds: usize) -> Vec<Failure> {
    let mut failures = Vec::new();
    for (case, run) in CASES {
        let trial = Trial {
            store: make(),
            workspace: Workspace::default(),
            rounds,
        };
        if let Err(panic) = AssertUnwindSafe(run(trial)).catch_unwind().await {
            failures.push(Failure {
                case,
                found: text_of(panic.as_ref()),
            });
        }
    }
    failures
}

/// Runs every case.
///
/// # Panics
/// When a case fails; names all that did.
pub async fn assert_keeps_the_contract(make: impl Fn() -> Arc<dyn NoteStore>, rounds: usize) {
    let failures = run(make, rounds).await;
    let list: Vec<String> = failures.iter().map(|failure| format!("\n- {failure}")).collect();
    assert!(
        list.is_empty(),
        "{} of {} cases failed:{}",
        list.len(),
        CASES.len(),
        list.concat()
    );
}

/// A workspace of the vault under test.
#[derive(Debug, Clone)]
struct Trial {
    store: Arc<dyn NoteStore>,
    workspace: Workspace,
    rounds: usize,
}

fn path(text: &str) -> NotePath {
    NotePath::parse(text).expect("a path of a note")
}

impl Trial {
    async fn write(&self, name: &str, bytes: &[u8], expected: &Expect) -> WriteOutcome {
        let at = Timestamp(1_764_500_000_000);
        let path = path(name);
        let written = self.store.write(&self.workspace, &path, bytes, expected, at);
        written.await.expect("the vault writes")
    }

    async fn written(&self, name: &str, bytes: &[u8]) -> NoteHead {
        match self.write(name, bytes, &Expect::Any).await {
            WriteOutcome::Written(head) => head,
            WriteOutcome::Conflict(head) => panic!("{name} was not written: {head:?}"),
        }
    }

    async fn note(&self, name: &str) -> Option<Note> {
        let read = self.store.read(&self.workspace, &path(name), MOST).await;
        read.expect("the vault reads")
    }

    async fn bytes(&self, name: &str) -> Vec<u8> {
        self.note(name).await.map(|note| note.bytes).unwrap_or_default()
    }

    async fn list(&self) -> Vec<NoteHead> {
        self.store.list(&self.workspace).await.expect("the vault lists")
    }
}

#[track_caller]
fn conflict(outcome: WriteOutcome) -> Option<NoteHead> {
    match outcome {
        WriteOutcome::Conflict(head) => head,
        WriteOutcome::Written(head) => panic!("it was written: {head:?}"),
    }
}

async fn an_empty_vault_has_no_notes(t: Trial) {
    assert_eq!(t.list().await, []);
    assert_eq!(t.note("a.md").await, None);
    assert_eq!(t.note("folder/a.md").await, None);
    let version = Expect::Version(NoteVersion("1-2-3".to_owned()));
    assert_eq!(conflict(t.write("a.md", b"x", &version).await), None);
    assert_eq!(t.list().await, [], "what is refused leaves nothing behind");
}

async fn what_is_written_is_read_back(t: Trial) {
    let contents: [&[u8]; 6] = [
        b"",
        b"text",
        b"\xef\xbb\xbfa\r\nb\r\n",
        b"\xff\xfe\x00\x80",
        "水\n".as_bytes(),
        b"\n\n",
    ];
    for (n, bytes) in contents.iter().enumerate() {
        t.written(&format!("folder {n}/below/note.md"), bytes).await;
    }
    for (n, bytes) in contents.iter().enumerate() {
        assert_eq!(t.bytes(&format!("folder {n}/below/note.md")).await, *bytes);
        t.written("same.md", bytes).await;
        assert_eq!(
            t.bytes("same.md").await,
            *bytes,
            "a shorter one in place of a longer one"
        );
    }
}

async fn a_note_of_four_megabytes_comes_back(t: Trial) {
    let bytes: Vec<u8> = (0..4_u32 << 20)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    t.written("large.md", &bytes).await;
    assert!(t.bytes("large.md").await == bytes);
}

async fn names_of_any_script_come_back(t: Trial) {
    let long = format!("{}.md", "水".repeat(84));
    let deep = format!("{}note.md", "f/".repeat(100));
    let mut names = [
        "论文/量子 计算.md",
        "caf\u{e9}.md",
        "👩\u{200d}💻 ❤\u{fe0f}.md",
        "What is C#? [100%] & 'more' + ~.md",
        "a%2fb.md",
        "a=b;c,d@e!.md",
        "שלום.md",
        "UPPER.MD",
        "_frameworks/x.md",
        &long,
        &deep,
    ];
    for name in names {
        t.written(name, name.as_bytes()).await;
    }
    names.sort_unstable();
    let listed: Vec<String> = t.list().await.into_iter().map(|head| head.path.to_string()).collect();
    assert_eq!(listed, names);
    for name in names {
        assert_eq!(t.bytes(name).await, name.as_bytes());
    }
}

async fn absent_means_that_there_is_none(t: Trial) {
    assert!(matches!(
        t.write("a.md", b"first", &Expect::Absent).await,
        WriteOutcome::Written(_)
    ));
    let found = conflict(t.write("a.md", b"second", &Expect::Absent).await).expect("the note that is there");
    assert_eq!(Some(found), t.note("a.md").await.map(|note| note.head));
    assert_eq!(t.bytes("a.md").await, b"first");
    assert_eq!(t.list().await.len(), 1);
}

async fn a_version_means_this_content(t: Trial) {
    // Equal lengths and one time: a version is not made of those alone.
    let first = t.written("a.md", b"first!").await;
    let second = t.written("a.md", b"second").await;
    let third = t.written("a.md", b"third!").await;
    for old in [&first, &second] {
        let found = conflict(t.write("a.md", b"late!!", &Expect::Version(old.version.clone())).await);
        assert_eq!(found.as_ref(), Some(&third));
    }
    assert_eq!(t.bytes("a.md").await, b"third!");
    let fourth = t.write("a.md", b"fourth", &Expect::Version(third.version)).await;
    assert!(matches!(fourth, WriteOutcome::Written(_)), "{fourth:?}");
    assert_eq!(t.bytes("a.md").await, b"fourth");
}

async fn any_is_always_true(t: Trial) {
    for bytes in [b"one".as_slice(), b"two"] {
        t.written("a.md", bytes).await;
        assert_eq!(t.bytes("a.md").await, bytes);
    }
}

async fn a_head_is_the_same_everywhere(t: Trial) {
    for name in ["a.md", "b/c.md"] {
        let head = t.written(name, b"12345").await;
        assert_eq!((head.size, head.path.as_str()), (5, name));
        assert_eq!(t.note(name).await.map(|note| note.head), Some(head.clone()));
        assert!(
            t.list().await.contains(&head),
            "{head:?} is not in {:?}",
            t.list().await
        );
    }
}

async fn a_read_keeps_its_limit(t: Trial) {
    t.written("a.md", b"12345").await;
    let read = async |most| t.store.read(&t.workspace, &path("a.md"), most).await;
    assert!(matches!(read(4).await, Err(VaultError::Full(_))));
    assert_eq!(read(5).await.expect("it fits").expect("the note").bytes, b"12345");
}

async fn a_list_is_by_path(t: Trial) {
    for name in ["b.md", "a/z.md", "a.md", "水.md", "a b.md", "B.md", "a/b/c.md"] {
        t.written(name, b"x").await;
    }
    let listed: Vec<NotePath> = t.list().await.into_iter().map(|head| head.path).collect();
    let mut sorted = listed.clone();
    sorted.sort();
    assert_eq!((listed.len(), &listed), (7, &sorted));
}

/// A vault of one workspace refuses others.
async fn workspaces_see_nothing_of_each_other(t: Trial) {
    t.written("a.md", b"mine").await;
    let other = Workspace::new("other").expect("a name");
    match t.store.list(&other).await {
        Ok(list) => assert_eq!(list, []),
        Err(error) => assert!(matches!(error, VaultError::NoVault(_)), "{error:?}"),
    }
    match t.store.read(&other, &path("a.md"), MOST).await {
        Ok(note) => assert_eq!(note, None),
        Err(error) => assert!(matches!(error, VaultError::NoVault(_)), "{error:?}"),
    }
    let mine = path("a.md");
    let written = t.store.write(&other, &mine, b"theirs", &Expect::Any, Timestamp(0));
    match written.await {
        Ok(WriteOutcome::Written(_)) => {}
        Err(VaultError::NoVault(_)) => {}
        other => panic!("{other:?}"),
    }
    assert_eq!(t.bytes("a.md").await, b"mine");
    assert_eq!(t.list().await.len(), 1);
}

async fn of_racing_writers_exactly_one_wins(t: Trial) {
    for round in 0..t.rounds {
        let name = format!("folder {}/m{round}.md", round / 4);
        let racers = (0..TASKS).map(|task| {
            let (t, name) = (t.clone(), name.clone());
            async move {
                let text = format!("round {round} task {task}");
                match t.write(&name, text.as_bytes(), &Expect::Absent).await {
                    WriteOutcome::Written(_) => Some(text),
                    WriteOutcome::Conflict(_) => None,
                }
            }
        });
        let won: Vec<String> = together(racers.collect()).await.into_iter().flatten().collect();
        let [text] = &*won else {
            panic!("round {round}: {} of {TASKS} writers won", won.len());
        };
        assert_eq!(t.bytes(&name).await, text.as_bytes(), "round {round}");
    }
}

/// Every task reads the number, adds one and writes it back, on condition that nobody else did.
async fn no_increment_is_lost(t: Trial) {
    t.written("counter.md", b"0").await;
    let each = t.rounds.div_ceil(4);
    let racers = (0..TASKS).map(|_| {
        let t = t.clone();
        async move {
            let mut done = 0;
            while done < each {
                let note = t.note("counter.md").await.expect("the counter");
                let next = (number(&note.bytes) + 1).to_string();
                yield_now().await;
                let expected = Expect::Version(note.head.version);
                if let WriteOutcome::Written(_) = t.write("counter.md", next.as_bytes(), &expected).await {
                    done += 1;
                }
            }
        }
    });
    together(racers.collect()).await;
    assert_eq!(
        number(&t.bytes("counter.md").await),
        TASKS * each,
        "so many increments were acknowledged"
    );
}

fn number(bytes: &[u8]) -> usize {
    let text = std::str::from_utf8(bytes).ok();
    text.and_then(|text| text.parse().ok())
        .unwrap_or_else(|| panic!("no number: {bytes:?}"))
}

/// A text whose every line says whose it is.
fn marked(task: usize, number: usize) -> Vec<u8> {
    format!("writer {task} number {number}\n")
        .repeat(1 + (task * 7 + number * 13) % 90)
        .into_bytes()
}

/// Writers replace two notes while others read them: each read is one text, whole.
async fn no_text_is_torn(t: Trial) {
    let names = ["a.md", "b/c.md"];
    for name in names {
        t.written(name, &marked(0, 0)).await;
    }
    let writing = Arc::new(AtomicUsize::new(TASKS));
    let each = t.rounds;
    let tasks = (0..TASKS * 2).map(|task| {
        let (t, writing) = (t.clone(), Arc::clone(&writing));
        async move {
            if task < TASKS {
                for number in 0..each {
                    t.written(names[(task + number) % 2], &marked(task, number)).await;
                    yield_now().await;
                }
                writing.fetch_sub(1, Ordering::SeqCst);
                return;
            }
            // At the latest when all writers are done; a writer that failed has failed the case already.
            for _ in 0..each * TASKS {
                if writing.load(Ordering::SeqCst) == 0 {
                    break;
                }
                let note = t.note(names[task % 2]).await.expect("the note");
                let text = String::from_utf8_lossy(&note.bytes);
                let first = text.lines().next().unwrap_or_default().to_owned();
                let mut numbers = first.split(' ').filter_map(|word| word.parse().ok());
                let (Some(task), Some(number)) = (numbers.next(), numbers.next()) else {
                    panic!("no text of ours: {first:?}");
                };
                assert!(
                    note.bytes == marked(task, number),
                    "a torn text of {} bytes: {first}",
                    note.bytes.len()
                );
                assert_eq!(
                    note.head.size,
                    note.bytes.len() as u64,
                    "head and text are of one content"
                );
                yield_now().await;
            }
        }
    });
    together(tasks.collect()).await;
}

#[cfg(test)]
mod broken;
