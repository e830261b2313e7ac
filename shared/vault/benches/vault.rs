//! A vault of 10,000 notes (or so many as the first number says): how long the first list takes, the next ones, a search
//! that finds something, one that finds nothing, a note with what links to it, and a save.
//!
//! `cargo bench -p meadow-vault`, or with `--profile dev` as tests are built.

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark")]

use meadow_service::notes::{List, Mode, Notes, Read, Save};
use meadow_service::{NoteStore, SystemClock, Workspace};
use meadow_vault::Vault;
use std::fmt::Write;
use std::fs;
use std::sync::Arc;
use std::time::Instant;

/// Does something so many times, and prints the median.
macro_rules! timed {
    ($name:literal, $tries:literal, $work:expr) => {
        let mut times = Vec::new();
        for _ in 0..$tries {
            let start = Instant::now();
            $work;
            times.push(start.elapsed().as_secs_f64() * 1000.0);
        }
        times.sort_by(f64::total_cmp);
        println!("{:<34} {:>9.1} ms (median of {})", $name, times[$tries / 2], $tries);
    };
}

fn text(n: usize, notes: usize) -> String {
    let mut text = format!(
        "---\ntitle: \"Note {n}\"\ntags: [t{}, 系统]\ntype: literature\n---\n\n# Note {n}\n",
        n % 50
    );
    for line in 0..40 {
        let to = (n * 7 + line * 131) % notes;
        let _ = writeln!(
            text,
            "Line {line} about stocks and flows, 存量与流量, of [[note {to}]]."
        );
    }
    text
}

#[tokio::main]
async fn main() {
    let mut numbers = std::env::args().filter_map(|argument| argument.parse().ok());
    let count: usize = numbers.next().unwrap_or(10_000);
    let folder = tempfile::tempdir().unwrap();
    for n in 0..count {
        let place = folder.path().join(format!("folder {}/{}", n % 20, n % 7));
        fs::create_dir_all(&place).unwrap();
        fs::write(place.join(format!("note {n}.md")), text(n, count)).unwrap();
    }
    let workspace = Workspace::default();
    let store = Arc::new(Vault::new(folder.path(), workspace.clone()));
    let notes = Notes::new(store.clone(), Arc::new(SystemClock));

    println!("{count} notes of {} bytes", text(1, count).len());
    let list = |text: &'static str| List {
        text,
        ..List::default()
    };
    timed!(
        "list, the first",
        1,
        drop(notes.list(&workspace, list("")).await.unwrap())
    );
    timed!(
        "list, the next",
        9,
        drop(notes.list(&workspace, list("")).await.unwrap())
    );
    timed!(
        "of that the folder itself",
        9,
        drop(store.list(&workspace).await.unwrap())
    );
    timed!(
        "search, found in the first ones",
        3,
        drop(notes.list(&workspace, list("存量")).await.unwrap())
    );
    timed!(
        "search, found nowhere",
        1,
        drop(notes.list(&workspace, list("nowhere")).await.unwrap())
    );
    let read = Read {
        paths: &["note 77"],
        ..Read::default()
    };
    timed!(
        "read by name, with backlinks",
        9,
        drop(notes.read(&workspace, read).await.unwrap())
    );
    let mut number = 0;
    timed!("save a new one", 9, {
        number += 1;
        let filename = format!("new {number}");
        let save = Save {
            filename: &filename,
            content: "text",
            mode: Mode::Create,
            if_match: None,
        };
        drop(notes.save(&workspace, save).await.unwrap());
    });
}
