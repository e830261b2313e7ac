//! Links: those that lead out are refused, those within lead there, and no swap of a folder for one leads out.

use super::{Place, SECRET, left_over, outside};
use meadow_service::notes::{Expect, WriteOutcome};
use std::fs;
use std::os::unix::fs::symlink;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

#[tokio::test]
async fn links_that_lead_out_are_refused() {
    let place = Place::new();
    symlink(place.outside("secret.md"), place.vault("absolute.md")).unwrap();
    symlink("../outside/secret.md", place.vault("relative.md")).unwrap();
    symlink(place.outside(""), place.vault("folder")).unwrap();
    symlink("absolute.md", place.vault("chain.md")).unwrap();
    symlink("/proc/self/root", place.vault("root")).unwrap();
    symlink(place.outside("new.md"), place.vault("dangling.md")).unwrap();
    for name in [
        "absolute.md",
        "relative.md",
        "folder/secret.md",
        "folder/new.md",
        "folder/below/new.md",
        "chain.md",
        "root/tmp/new.md",
        "dangling.md",
    ] {
        outside(place.read(name).await);
        for expected in [Expect::Any, Expect::Absent] {
            outside(place.write_if(name, "attack", expected).await);
        }
    }
    assert_eq!(place.list().await, ["own.md"]);
    place.nothing_outside();
    assert_eq!(left_over(&place.vault("")), 0);
}

#[tokio::test]
async fn loops_and_links_to_nothing_are_refused() {
    let place = Place::new();
    symlink("loop.md", place.vault("loop.md")).unwrap();
    symlink("b", place.vault("a")).unwrap();
    symlink("a", place.vault("b")).unwrap();
    symlink("missing.md", place.vault("nothing.md")).unwrap();
    symlink(".", place.vault("here")).unwrap();
    for name in ["loop.md", "a/x.md", "nothing.md"] {
        outside(place.read(name).await);
        outside(place.write(name, "x").await);
    }
    // Around and around, and still in the vault.
    let around = format!("{}own.md", "here/".repeat(30));
    assert_eq!(place.read(&around).await.unwrap().as_deref(), Some("own"));
    assert_eq!(place.list().await, ["own.md"]);
}

#[tokio::test]
async fn links_within_the_vault_lead_there() {
    let place = Place::new();
    fs::create_dir(place.vault("real")).unwrap();
    symlink("real", place.vault("link")).unwrap();
    symlink("../own.md", place.vault("real/other.md")).unwrap();
    place.write("link/new.md", "text").await.unwrap();
    assert_eq!(fs::read_to_string(place.vault("real/new.md")).unwrap(), "text");
    assert_eq!(place.read("link/new.md").await.unwrap().as_deref(), Some("text"));
    assert_eq!(place.read("real/other.md").await.unwrap().as_deref(), Some("own"));
    assert_eq!(place.list().await, ["own.md", "real/new.md", "real/other.md"]);
    // A write puts a note in place of the link, and leaves what it led to.
    place.write("real/other.md", "changed").await.unwrap();
    assert_eq!(fs::read_to_string(place.vault("own.md")).unwrap(), "own");
    assert_eq!(place.read("real/other.md").await.unwrap().as_deref(), Some("changed"));
}

#[tokio::test]
async fn a_vault_may_itself_stand_behind_a_link() {
    let place = Place::new();
    let behind = place.folder.path().join("vault/behind");
    symlink(place.outside(""), &behind).unwrap();
    let vault = crate::Vault::new(&behind, place.workspace.clone());
    let list = meadow_service::NoteStore::list(&vault, &place.workspace).await.unwrap();
    assert_eq!(
        list.len(),
        1,
        "the folder that was named is the vault, wherever it stands"
    );
}

#[tokio::test]
async fn a_hard_link_is_not_written_through() {
    let place = Place::new();
    fs::hard_link(place.outside("secret.md"), place.vault("hard.md")).unwrap();
    place.write("hard.md", "mine").await.unwrap();
    assert_eq!(place.read("hard.md").await.unwrap().as_deref(), Some("mine"));
    place.nothing_outside();
}

/// Says that the swaps are over, whatever ended them.
struct Done(Arc<AtomicBool>);

impl Drop for Done {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// A thread swaps a folder for a link to outside and back, and a note for a link, as fast as it can.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn no_swap_leads_out() {
    const SWAPS: usize = 20_000;
    let place = Arc::new(Place::new());
    fs::create_dir(place.vault("folder")).unwrap();
    fs::write(place.vault("folder/secret.md"), "inside").unwrap();
    symlink(place.outside(""), place.vault("evil")).unwrap();
    symlink(place.outside("secret.md"), place.vault("evil-note")).unwrap();
    let done = Arc::new(AtomicBool::new(false));
    let swapper = {
        let (place, done) = (Arc::clone(&place), Arc::clone(&done));
        std::thread::spawn(move || {
            let _done = Done(done);
            let swap = |a: &str, b: &str| {
                let (a, b) = (place.vault(a), place.vault(b));
                rustix::fs::renameat_with(
                    rustix::fs::CWD,
                    &a,
                    rustix::fs::CWD,
                    &b,
                    rustix::fs::RenameFlags::EXCHANGE,
                )
            };
            for _ in 0..SWAPS {
                swap("folder", "evil").unwrap();
                swap("own.md", "evil-note").unwrap();
                std::thread::yield_now();
                swap("folder", "evil").unwrap();
                swap("own.md", "evil-note").unwrap();
                std::thread::yield_now();
            }
        })
    };
    let (worked, refused) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let tasks = (0..4).map(|task| {
        let (place, done) = (Arc::clone(&place), Arc::clone(&done));
        let (worked, refused) = (Arc::clone(&worked), Arc::clone(&refused));
        tokio::spawn(async move {
            let mut number = 0;
            while !done.load(Ordering::SeqCst) {
                number += 1;
                let name = format!("folder/new-{task}-{}.md", number % 50);
                let results = [
                    place.write(&name, "attack").await.map(|_| None),
                    place.write("folder/secret.md", "attack").await.map(|_| None),
                    place.write("own.md", "attack").await.map(|_| None),
                    place.read("folder/secret.md").await,
                    place.read("own.md").await,
                    place.read(&name).await,
                ];
                for result in results {
                    match result {
                        Ok(text) => {
                            assert!(
                                !text.is_some_and(|text| text.contains(SECRET.trim())),
                                "outside was read"
                            );
                            worked.fetch_add(1, Ordering::SeqCst);
                        }
                        Err(_) => {
                            refused.fetch_add(1, Ordering::SeqCst);
                        }
                    }
                }
                for head in meadow_service::NoteStore::list(&*place.store, &place.workspace)
                    .await
                    .unwrap_or_default()
                {
                    assert_ne!(head.size, SECRET.len() as u64, "outside was listed: {head:?}");
                }
            }
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.unwrap();
    }
    swapper.join().unwrap();
    let (worked, refused) = (worked.load(Ordering::SeqCst), refused.load(Ordering::SeqCst));
    println!("vault: {SWAPS} swaps of a folder and a note, {worked} calls worked, {refused} refused, none outside");
    assert!(worked > 10 && refused > 10, "{worked} {refused}: nothing raced");
    assert_eq!(super::names(&place.outside("")), ["secret.md"]);
    assert_eq!(fs::read_to_string(place.outside("secret.md")).unwrap(), SECRET);
}

#[tokio::test]
async fn a_note_that_another_program_changed_is_kept() {
    let place = Place::new();
    let WriteOutcome::Written(first) = place.write("a.md", "first").await.unwrap() else {
        panic!("not written");
    };
    fs::write(place.vault("a.md"), "other").unwrap();
    let late = place
        .write_if("a.md", "late", Expect::Version(first.version))
        .await
        .unwrap();
    assert!(matches!(late, WriteOutcome::Conflict(Some(_))), "{late:?}");
    assert_eq!(place.read("a.md").await.unwrap().as_deref(), Some("other"));
}
