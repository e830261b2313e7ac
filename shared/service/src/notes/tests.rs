use super::*;
use crate::clock::Timestamp;
use std::sync::atomic::{AtomicU64, Ordering};

/// A second later with every look.
#[derive(Debug, Default)]
struct Ticks(AtomicU64);

impl Clock for Ticks {
    fn now(&self) -> Timestamp {
        Timestamp(1_764_500_000_000 + 1000 * self.0.fetch_add(1, Ordering::SeqCst))
    }
}

struct Vault {
    notes: Notes,
    store: Arc<MemoryNotes>,
    workspace: Workspace,
}

fn vault() -> Vault {
    let store = Arc::new(MemoryNotes::new());
    Vault {
        notes: Notes::new(store.clone(), Arc::new(Ticks::default())),
        store,
        workspace: Workspace::default(),
    }
}

impl Vault {
    async fn save(&self, filename: &str, content: &str, mode: Mode, if_match: Option<&str>) -> Saved {
        let save = Save {
            filename,
            content,
            mode,
            if_match,
        };
        self.notes.save(&self.workspace, save).await.unwrap()
    }

    async fn created(&self, filename: &str, content: &str) -> Saved {
        let saved = self.save(filename, content, Mode::Create, None).await;
        assert_eq!(saved.status, SaveStatus::Saved, "{saved:?}");
        saved
    }

    async fn text(&self, path: &str) -> String {
        let path = NotePath::parse(path).unwrap();
        let note = self
            .store
            .read(&self.workspace, &path, MAX_READ)
            .await
            .unwrap()
            .unwrap();
        String::from_utf8(note.bytes).unwrap()
    }

    async fn list(&self, list: List<'_>) -> Listing {
        self.notes.list(&self.workspace, list).await.unwrap()
    }

    async fn read(&self, path: &str) -> Found {
        self.read_part(Read {
            paths: &[path],
            ..Read::default()
        })
        .await
    }

    async fn read_part(&self, read: Read<'_>) -> Found {
        self.notes.read(&self.workspace, read).await.unwrap().remove(0)
    }
}

fn names(listing: &Listing) -> Vec<&str> {
    listing.notes.iter().map(|note| note.path.as_str()).collect()
}

#[track_caller]
fn note(found: Found) -> ReadNote {
    match found {
        Found::Note(note) => *note,
        other => panic!("no note: {other:?}"),
    }
}

#[tokio::test]
async fn a_name_that_is_taken_is_kept() {
    let v = vault();
    let first = v.created("a/x", "one\n").await;
    assert_eq!(
        (first.path.as_str(), first.created, first.bytes_after),
        ("a/x.md", true, 4)
    );
    assert_eq!(first.sha256, sha256(b"one\n"));
    v.created("a/x 2.md", "two").await;

    let again = v.save("a/x.md", "other", Mode::Create, None).await;
    assert_eq!(
        (again.status, &again.sha256, again.bytes_after),
        (SaveStatus::Exists, &first.sha256, 4)
    );
    let existing = again.existing.unwrap();
    assert_eq!(existing.beginning, "one");
    assert_eq!(existing.free.unwrap().as_str(), "a/x 3.md");
    assert_eq!(v.text("a/x.md").await, "one\n");

    let repeated = v.save("a/x.md", "one\n", Mode::Create, None).await;
    assert_eq!((repeated.status, repeated.created), (SaveStatus::Unchanged, false));
}

#[tokio::test]
async fn overwriting_is_said_and_may_be_held_to_a_hash() {
    let v = vault();
    let first = v.created("x", "one").await;
    let wrong = v.save("x", "two", Mode::Overwrite, Some(&"0".repeat(64))).await;
    assert_eq!((wrong.status, &wrong.sha256), (SaveStatus::Conflict, &first.sha256));
    assert_eq!(wrong.existing.unwrap().beginning, "one");
    let right = v
        .save(
            "x",
            "two!",
            Mode::Overwrite,
            Some(&format!(" \"{}\"", first.sha256.to_uppercase())),
        )
        .await;
    assert_eq!(
        (right.status, right.bytes_before, right.bytes_after),
        (SaveStatus::Saved, 3, 4)
    );
    // The answer was lost, and the same is sent again.
    let again = v.save("x", "two!", Mode::Overwrite, Some(&first.sha256)).await;
    assert_eq!(again.status, SaveStatus::Unchanged);
    let anyway = v.save("x", "three", Mode::Overwrite, None).await;
    assert_eq!((anyway.status, anyway.created), (SaveStatus::Saved, false));
    let new = v.save("y", "new", Mode::Overwrite, None).await;
    assert_eq!((new.status, new.created), (SaveStatus::Saved, true));
    let gone = v.save("z", "new", Mode::Overwrite, Some(&first.sha256)).await;
    assert_eq!((gone.status, gone.sha256.as_str()), (SaveStatus::Conflict, ""));
}

#[tokio::test]
async fn appending_keeps_lines_apart_and_their_endings() {
    let v = vault();
    for (before, text, after) in [
        ("a", "b", "a\nb"),
        ("a\n", "b\n", "a\nb\n"),
        ("a\r\nb", "c\nd", "a\r\nb\r\nc\r\nd"),
        ("\u{feff}", "b", "\u{feff}b"),
        ("", "b", "b"),
    ] {
        v.save("x", before, Mode::Overwrite, None).await;
        let saved = v.save("x", text, Mode::Append, None).await;
        assert_eq!(
            (saved.status, v.text("x.md").await.as_str()),
            (SaveStatus::Appended, after)
        );
        assert_eq!(
            (saved.bytes_before, saved.bytes_after),
            (before.len() as u64, after.len() as u64)
        );
    }
    let new = v.save("new", "a", Mode::Append, None).await;
    assert_eq!((new.status, new.created), (SaveStatus::Saved, true));
    let late = v.save("new", "b", Mode::Append, Some(&"0".repeat(64))).await;
    assert_eq!(
        (late.status, v.text("new.md").await.as_str()),
        (SaveStatus::Conflict, "a")
    );
}

#[tokio::test]
async fn twins_are_refused() {
    let v = vault();
    v.created("Papers/Über.md", "x").await;
    for (name, twin) in [
        ("Papers/über.md", "Papers/Über.md"),
        ("papers/new.md", "Papers/new.md"),
        ("PAPERS/deep/new.md", "Papers/deep/new.md"),
    ] {
        let saved = v.save(name, "y", Mode::Create, None).await;
        assert_eq!(
            (saved.status, saved.path.as_str()),
            (SaveStatus::Ambiguous, twin),
            "{name}"
        );
    }
    v.created("Papers/deep/New/x.md", "y").await;
    assert_eq!(v.list(List::default()).await.total, 2);
}

#[tokio::test]
async fn names_are_made_fit_and_told() {
    let v = vault();
    let saved = v.created("ADR-1: why?", "x").await;
    assert_eq!(saved.path.as_str(), "ADR-1- why.md");
    assert_eq!(saved.changes.len(), 1, "{:?}", saved.changes);
    for name in ["../x", "/etc/x", ".obsidian/x", "a\0", ""] {
        let save = Save {
            filename: name,
            ..Save::default()
        };
        let error = v.notes.save(&v.workspace, save).await.unwrap_err();
        assert!(matches!(error, NotesError::BadPath(_)), "{name:?}");
    }
    let large = "x".repeat(MAX_WRITE + 1);
    let save = Save {
        filename: "x",
        content: &large,
        ..Save::default()
    };
    assert!(matches!(
        v.notes.save(&v.workspace, save).await,
        Err(NotesError::Refused(_))
    ));
}

#[tokio::test]
async fn lists_are_filtered_and_read_in_parts() {
    let v = vault();
    v.created(
        "a.md",
        "---\ntitle: Alpha\ntags: [ml/deep, x]\ntype: literature\n---\n系统思考 and Loops",
    )
    .await;
    v.created("f/b.md", "body #ml\nsecond line: STOCKS").await;
    v.created("f/g/c.md", "---\ntitle: A: broken\n---\nstocks and 思考")
        .await;
    let all = v.list(List::default()).await;
    assert_eq!(
        (names(&all), all.total, all.partial),
        (vec!["f/g/c.md", "f/b.md", "a.md"], 3, false)
    );
    assert_eq!(all.notes[2].title, "Alpha");
    assert_eq!(all.notes[2].kind.as_deref(), Some("literature"));
    assert_eq!(all.notes[0].title, "A: broken");

    let by = async |folder, tag, text| {
        let listing = v
            .list(List {
                folder,
                tag,
                text,
                ..List::default()
            })
            .await;
        listing
            .notes
            .into_iter()
            .map(|note| note.path.to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(by("F/", "", "").await, ["f/g/c.md", "f/b.md"]);
    assert_eq!(by("", "#ML", "").await, ["f/b.md", "a.md"]);
    assert_eq!(by("", "ml/deep", "").await, ["a.md"]);
    assert_eq!(by("", "", "思考").await, ["f/g/c.md", "a.md"]);
    assert_eq!(by("", "", "Stocks").await, ["f/g/c.md", "f/b.md"]);
    assert_eq!(by("", "", "alpha LOOPS").await, ["a.md"]);
    assert_eq!(by("", "", "nothing").await, [""; 0]);
    let hit = v
        .list(List {
            text: "stocks",
            folder: "f",
            ..List::default()
        })
        .await
        .notes
        .remove(1)
        .hit;
    assert_eq!(hit, Some((2, "second line: STOCKS".to_owned())));

    let first = v
        .list(List {
            limit: 2,
            ..List::default()
        })
        .await;
    let cursor = first.next.unwrap();
    // The place stays when what stood there is gone to the front, and something new came.
    v.save("f/b.md", "newer", Mode::Overwrite, None).await;
    v.created("new.md", "x").await;
    let second = v
        .list(List {
            cursor: Some(&cursor),
            ..List::default()
        })
        .await;
    assert_eq!((names(&second), second.next.as_deref()), (vec!["a.md"], None));
    let first = v
        .list(List {
            text: "x",
            limit: 1,
            ..List::default()
        })
        .await;
    assert_eq!(names(&first), ["new.md"]);
    let rest = v
        .list(List {
            text: "x",
            cursor: first.next.as_deref(),
            limit: 5,
            ..List::default()
        })
        .await;
    assert_eq!(names(&rest), ["a.md"]);
    for bad in ["x", "x:y"] {
        let list = List {
            cursor: Some(bad),
            ..List::default()
        };
        assert!(v.notes.list(&v.workspace, list).await.is_err());
    }
}

#[tokio::test]
async fn notes_are_read_with_their_links() {
    let v = vault();
    v.created("a.md", "# A\n[[b]] and [c](f/c.md), ![[gone]]\n## Part\none\ntwo\n")
        .await;
    v.created("b.md", "see note:///a.md and [[A]]").await;
    v.created(
        "f/c.md",
        "---\ntitle: Sea\naliases: [Ocean]\n---\n[up](../a.md) [[f/c]]",
    )
    .await;
    v.created("f/a2.md", "[self](a2.md)\n\n[[c|x]]").await;

    let a = note(v.read("a").await);
    assert_eq!(a.sha256, sha256(v.text("a.md").await.as_bytes()));
    assert_eq!((a.first_line, a.lines, a.next_line), (1, 5, None));
    let path = |text: &str| NotePath::parse(text).unwrap();
    assert_eq!(
        a.links,
        [
            ("b".to_owned(), 2, Some(path("b.md"))),
            ("f/c.md".to_owned(), 2, Some(path("f/c.md"))),
            ("gone".to_owned(), 2, None)
        ]
    );
    assert_eq!(a.backlinks, [(path("b.md"), 1), (path("f/c.md"), 5)]);
    assert_eq!(
        note(v.read("Ocean").await).backlinks,
        [(path("a.md"), 2), (path("f/a2.md"), 3)]
    );
    assert_eq!(note(v.read("sea").await).title, "Sea");
    for name in ["F/C.MD", "c", "note:///f/c.md", "[[c#x|y]]", "./f/c"] {
        assert_eq!(note(v.read(name).await).path, path("f/c.md"), "{name}");
    }

    let part = Read {
        paths: &["a"],
        heading: Some("part"),
        ..Read::default()
    };
    let part = note(v.read_part(part).await);
    assert_eq!((part.text.as_str(), part.first_line), ("## Part\none\ntwo\n", 3));
    let lines = Read {
        paths: &["a"],
        heading: Some("part"),
        from: Some(2),
        to: Some(2),
        ..Read::default()
    };
    let lines = note(v.read_part(lines).await);
    assert_eq!((lines.text.as_str(), lines.first_line), ("one\n", 4));
    let beyond = Read {
        paths: &["a"],
        from: Some(99),
        ..Read::default()
    };
    assert_eq!(note(v.read_part(beyond).await).text, "");
    let none = Read {
        paths: &["a"],
        heading: Some("Nope"),
        ..Read::default()
    };
    assert_eq!(
        v.read_part(none).await,
        Found::NoSection(path("a.md"), vec!["A".into(), "Part".into()])
    );
}

#[tokio::test]
async fn names_that_mean_several_or_none() {
    let v = vault();
    v.created("x/same.md", "1").await;
    v.created("y/same.md", "2").await;
    v.created("量子计算.md", "3").await;
    let path = |text: &str| NotePath::parse(text).unwrap();
    assert_eq!(
        v.read("same").await,
        Found::Ambiguous(vec![path("x/same.md"), path("y/same.md")])
    );
    assert_eq!(v.read("量子计算机").await, Found::NotFound(vec![path("量子计算.md")]));
    assert_eq!(v.read("zzz").await, Found::NotFound(vec![]));
    assert!(matches!(v.read("../x").await, Found::Bad(_)));
    let none = v.notes.read(&v.workspace, Read::default()).await;
    assert!(matches!(none, Err(NotesError::Refused(_))));
}

#[tokio::test]
async fn long_notes_are_cut_at_lines() {
    let v = vault();
    let line = "0123456789\n";
    v.created("long.md", &line.repeat(20_000)).await;
    v.created("short.md", "short").await;
    v.created("wide.md", &"水".repeat(50_000)).await;
    let read = Read {
        paths: &["long", "short", "wide"],
        ..Read::default()
    };
    let found = v.notes.read(&v.workspace, read).await.unwrap();
    let [long, short, wide] = found.try_into().map(|found: [Found; 3]| found.map(note)).unwrap();
    assert_eq!(
        (long.text.len() % 11, long.next_line),
        (0, Some(long.text.len() / 11 + 1))
    );
    assert_eq!((short.text.as_str(), short.next_line), ("short", None));
    assert_eq!(
        (wide.next_line, wide.rest_left_out, long.rest_left_out),
        (None, true, false)
    );
    assert!(!wide.text.is_empty());
    assert!(long.text.len() + short.text.len() + wide.text.len() <= read::MAX_TEXT);
    let next = Read {
        paths: &["long"],
        from: long.next_line,
        most: 22,
        ..Read::default()
    };
    let next = note(v.read_part(next).await);
    assert_eq!(
        (next.text.as_str(), Some(next.first_line)),
        (&*line.repeat(2), long.next_line)
    );
}

#[tokio::test]
async fn a_line_without_room_is_begun_and_left_behind() {
    let v = vault();
    v.created("wide.md", &format!("a\n{}\r\nb\n", "水".repeat(50_000)))
        .await;
    let mut from = Some(1);
    let mut told = Vec::new();
    while let Some(line) = from {
        let read = Read {
            paths: &["wide"],
            from: Some(line),
            ..Read::default()
        };
        let read = note(v.read_part(read).await);
        told.push((read.first_line, read.text.chars().next(), read.rest_left_out));
        from = read.next_line;
    }
    // One that fits alone is read alone.
    v.created("line.md", &"a".repeat(50_000)).await;
    let read = Read {
        paths: &["line", "wide"],
        ..Read::default()
    };
    let line = note(v.read_part(read).await);
    assert_eq!((line.next_line, line.rest_left_out), (Some(1), false));
    assert_eq!(
        told,
        [(1, Some('a'), false), (2, Some('水'), true), (3, Some('b'), false)]
    );
}

#[tokio::test]
async fn lines_that_are_none_are_refused_or_empty() {
    let v = vault();
    v.created("x", "# A\n1\n2\n3\n4\n").await;
    let read = |heading, from, to| Read {
        paths: &["x"],
        heading,
        from: Some(from),
        to,
        most: 0,
    };
    let refused = v.notes.read(&v.workspace, read(None, 4, Some(2))).await;
    assert!(
        matches!(&refused, Err(NotesError::Refused(why)) if why.contains("4 to 2")),
        "{refused:?}"
    );
    for (heading, to) in [(None, None), (Some("A"), None), (Some("A"), Some(usize::MAX))] {
        let found = note(v.read_part(read(heading, usize::MAX, to)).await);
        assert_eq!((found.text.as_str(), found.next_line), ("", None));
    }
    let found = note(v.read_part(read(Some("A"), 2, Some(3))).await);
    assert_eq!((found.text.as_str(), found.first_line), ("1\n2\n", 2));
}

/// Lets others come between look and write, and shows a note to lists before reads.
#[derive(Debug, Default)]
struct Slow(MemoryNotes, AtomicU64);

#[async_trait::async_trait]
impl NoteStore for Slow {
    async fn list(&self, workspace: &Workspace) -> Result<Vec<NoteHead>, VaultError> {
        tokio::task::yield_now().await;
        self.0.list(workspace).await
    }

    async fn read(&self, workspace: &Workspace, path: &NotePath, most: u64) -> Result<Option<Note>, VaultError> {
        if self.1.load(Ordering::SeqCst) > 0 {
            self.1.fetch_sub(1, Ordering::SeqCst);
            return Ok(None);
        }
        let read = self.0.read(workspace, path, most).await;
        tokio::task::yield_now().await;
        read
    }

    async fn write(
        &self,
        workspace: &Workspace,
        path: &NotePath,
        bytes: &[u8],
        expected: &Expect,
        at: Timestamp,
    ) -> Result<WriteOutcome, VaultError> {
        self.0.write(workspace, path, bytes, expected, at).await
    }

    fn location(&self, _: &Workspace, _: &NotePath) -> Option<String> {
        None
    }
}

#[tokio::test(start_paused = true)]
async fn appends_at_the_same_moment_are_all_there() {
    let store = Arc::new(Slow::default());
    // As two processes have it.
    let both = [0, 1].map(|_| Notes::new(store.clone(), Arc::new(Ticks::default())));
    let append = async |n: usize| {
        let save = Save {
            filename: "x",
            content: &format!("{n}\n"),
            mode: Mode::Append,
            if_match: None,
        };
        let saved = both[n % 2].save(&Workspace::default(), save).await.unwrap();
        (saved.status, saved.created)
    };
    let saved = futures_util::future::join_all((0..60).map(append)).await;
    let appended = saved
        .iter()
        .filter(|saved| **saved == (SaveStatus::Appended, false))
        .count();
    assert_eq!((appended, saved.len()), (59, 60), "{saved:?}");
    let text = both[0]
        .text(&Workspace::default(), &NotePath::parse("x").unwrap())
        .await;
    let mut lines: Vec<usize> = text
        .unwrap()
        .unwrap()
        .lines()
        .map(|line| line.parse().unwrap())
        .collect();
    lines.sort_unstable();
    assert_eq!(lines, Vec::from_iter(0..60));
}

#[tokio::test(start_paused = true)]
async fn a_note_that_appears_between_look_and_list_is_no_twin() {
    for (mode, status) in [
        (Mode::Create, SaveStatus::Exists),
        (Mode::Append, SaveStatus::Appended),
        (Mode::Overwrite, SaveStatus::Saved),
    ] {
        let store = Arc::new(Slow::default());
        let notes = Notes::new(store.clone(), Arc::new(Ticks::default()));
        let save = |content| Save {
            filename: "x",
            content,
            mode,
            if_match: None,
        };
        notes.save(&Workspace::default(), save("a")).await.unwrap();
        store.1.store(1, Ordering::SeqCst);
        let saved = notes.save(&Workspace::default(), save("b")).await.unwrap();
        assert_eq!((saved.status, saved.path.as_str()), (status, "x.md"));
    }
}

#[tokio::test]
async fn what_is_no_text_is_still_read() {
    let v = vault();
    let path = NotePath::parse("x.md").unwrap();
    v.store
        .write(&v.workspace, &path, b"a\xffb", &Expect::Any, Timestamp(1))
        .await
        .unwrap();
    let found = note(v.read("x").await);
    assert_eq!(
        (found.text.as_str(), found.not_utf8, found.size),
        ("a\u{fffd}b", true, 3)
    );
    v.created("bad.md", "---\ntitle: A: b\n---\nbody").await;
    let found = note(v.read("bad").await);
    assert!(found.front.error.is_some());
    assert_eq!(found.text, "---\ntitle: A: b\n---\nbody");
}

#[tokio::test]
async fn papers_are_found_by_their_ids() {
    let v = vault();
    v.created(
        "p.md",
        "---\ntitle: P\narxiv_id: \"2301.00010v2\"\ndoi: 10.1/ABC\n---\n",
    )
    .await;
    v.created("old.md", "---\narxiv_id: solv-int/9901001\n---\n").await;
    let found = async |id: &str| {
        let found = v.notes.find_by_id(&v.workspace, id).await.unwrap();
        found.map(|(path, title)| format!("{path}: {title}"))
    };
    for id in [
        "2301.00010",
        "arXiv:2301.00010v1",
        "https://doi.org/10.1/abc",
        "10.48550/arXiv.2301.00010",
    ] {
        assert_eq!(found(id).await.as_deref(), Some("p.md: P"), "{id}");
    }
    assert_eq!(found("solv-int/9901001v1").await.as_deref(), Some("old.md: old"));
    assert_eq!(found("2301.0001").await, None);
}

#[tokio::test]
async fn templates_are_read_from_their_folder() {
    let v = vault();
    v.created(
        "_frameworks/mine.md",
        "---\ntitle: Mine\naliases: [my own]\n---\n## Part",
    )
    .await;
    v.created("other.md", "x").await;
    let found = v.notes.folder(&v.workspace, FRAMEWORKS).await.unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].title.as_str(), found[0].body.as_str()), ("Mine", "## Part"));
    assert_eq!(found[0].aliases, ["my own"]);
}

/// Counts how many notes are read.
#[derive(Debug)]
struct Counting(MemoryNotes, AtomicU64);

#[async_trait::async_trait]
impl NoteStore for Counting {
    async fn list(&self, workspace: &Workspace) -> Result<Vec<NoteHead>, VaultError> {
        self.0.list(workspace).await
    }

    async fn read(&self, workspace: &Workspace, path: &NotePath, most: u64) -> Result<Option<Note>, VaultError> {
        self.1.fetch_add(1, Ordering::SeqCst);
        self.0.read(workspace, path, most).await
    }

    async fn write(
        &self,
        workspace: &Workspace,
        path: &NotePath,
        bytes: &[u8],
        expected: &Expect,
        at: Timestamp,
    ) -> Result<WriteOutcome, VaultError> {
        self.0.write(workspace, path, bytes, expected, at).await
    }

    fn location(&self, _: &Workspace, path: &NotePath) -> Option<String> {
        Some(format!("/home/me/vault/{path}"))
    }
}

#[tokio::test]
async fn a_note_is_read_once_for_the_list_until_it_changes() {
    let store = Arc::new(Counting(MemoryNotes::new(), AtomicU64::new(0)));
    let notes = Notes::new(store.clone(), Arc::new(Ticks::default()));
    let workspace = Workspace::default();
    for n in 0..50 {
        let path = NotePath::parse(&format!("n{n}")).unwrap();
        store
            .write(&workspace, &path, b"x", &Expect::Any, Timestamp(n))
            .await
            .unwrap();
    }
    let reads = async || {
        let before = store.1.load(Ordering::SeqCst);
        notes.list(&workspace, List::default()).await.unwrap();
        store.1.load(Ordering::SeqCst) - before
    };
    assert_eq!((reads().await, reads().await), (50, 0));
    let path = NotePath::parse("n7").unwrap();
    store
        .write(&workspace, &path, b"y", &Expect::Any, Timestamp(99))
        .await
        .unwrap();
    assert_eq!((reads().await, reads().await), (1, 0));
}

#[tokio::test]
async fn absolute_paths_lead_to_notes_of_the_vault_alone() {
    let store = Arc::new(Counting(MemoryNotes::new(), AtomicU64::new(0)));
    let notes = Notes::new(store, Arc::new(Ticks::default()));
    let at = |text: &str| notes.at(&Workspace::default(), text).map(String::from);
    assert_eq!(at("/home/me/vault/f/a.md").as_deref(), Some("f/a.md"));
    for outside in [
        "/home/me/vault",
        "/home/me/vault2/a.md",
        "/home/me/vault/../a.md",
        "/etc/passwd",
        "/home/me/vault/.git/a.md",
    ] {
        assert_eq!(at(outside), None, "{outside}");
    }
}

#[tokio::test]
async fn uris_and_absolute_paths_are_names() {
    let store = Arc::new(Counting(MemoryNotes::new(), AtomicU64::new(0)));
    let notes = Notes::new(store, Arc::new(Ticks::default()));
    let workspace = Workspace::default();
    let save = async |filename: &str| {
        let save = Save {
            filename,
            content: "x",
            ..Save::default()
        };
        let saved = notes.save(&workspace, save).await;
        saved.map(|saved| String::from(saved.path))
    };
    let names = [
        "note:///f/a%20b.md",
        "/home/me/vault/f/a b.md",
        "file:///home/me/vault/f/a%20b.md",
    ];
    for name in names {
        assert_eq!(save(name).await.as_deref(), Ok("f/a b.md"), "{name}");
    }
    let read = Read {
        paths: &names,
        ..Read::default()
    };
    for found in notes.read(&workspace, read).await.unwrap() {
        assert_eq!(note(found).path.as_str(), "f/a b.md");
    }
    for outside in ["/etc/a.md", "file:///etc/a.md", "note:///../a.md"] {
        assert!(save(outside).await.is_err(), "{outside}");
    }
}
