//! Processes that are killed while they write: a note is the old one or the new one, and what was acknowledged stays.

use super::child;
use crate::Vault;
use meadow_notes::NotePath;
use meadow_service::notes::Expect;
use meadow_service::{NoteStore, Timestamp, Workspace};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;

const NOTES: usize = 4;

/// A text that tells its number in every line, of sizes from one line to some hundred kilobytes.
fn text(task: usize, number: usize) -> String {
    format!("note {task} number {number}\n").repeat([1, 40, 3000, 20_000][(task + number) % 4])
}

#[test]
fn a_killed_process_leaves_the_old_note_or_the_new_one() {
    const ROUNDS: usize = 12;
    if let Some(folder) = child::folder() {
        return child::runtime().block_on(write_for_ever(&folder));
    }
    let folder = tempfile::tempdir().unwrap();
    let (mut acknowledged, mut last) = (0, [0; NOTES]);
    for round in 0..ROUNDS {
        let name = "a_killed_process_leaves_the_old_note_or_the_new_one";
        let mut command = child::command(&[], module_path!(), name, folder.path());
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        let (mut line, mut acks) = (String::new(), 0);
        while lines.read_line(&mut line).unwrap() > 0 {
            if let Some((task, number)) = line
                .strip_suffix('\n')
                .and_then(|l| l.strip_prefix("ack ")?.split_once(' '))
            {
                let task: usize = task.parse().unwrap();
                last[task] = last[task].max(number.parse().unwrap());
                acks += 1;
            }
            line.clear();
            if acks == 5 + round * 7 {
                child.kill().unwrap();
            }
        }
        assert!(
            !child.wait().unwrap().success(),
            "the child ended by itself in round {round}"
        );
        acknowledged += acks;
        child::runtime().block_on(all_whole(folder.path(), &last));
    }
    println!("vault: {ROUNDS} kills, {acknowledged} acknowledged writes, none lost or torn");
}

async fn write_for_ever(folder: &Path) {
    let vault = Arc::new(Vault::new(folder, Workspace::default()));
    println!();
    for task in 0..NOTES {
        let vault = Arc::clone(&vault);
        tokio::spawn(async move {
            let path = NotePath::parse(&format!("folder/n{task}")).unwrap();
            let from = number_of(&vault, &path).await.unwrap_or_default();
            for number in from + 1.. {
                let bytes = text(task, number).into_bytes();
                vault
                    .write(&Workspace::default(), &path, &bytes, &Expect::Any, Timestamp(0))
                    .await
                    .unwrap();
                println!("ack {task} {number}");
            }
        });
    }
    std::future::pending().await
}

/// The number of the text that stands there, which must be whole.
async fn number_of(vault: &Vault, path: &NotePath) -> Option<usize> {
    let note = vault.read(&Workspace::default(), path, 16 << 20).await.unwrap()?;
    let found = String::from_utf8(note.bytes).unwrap();
    let numbers: Vec<usize> = found
        .lines()
        .next()
        .unwrap()
        .split(' ')
        .filter_map(|word| word.parse().ok())
        .collect();
    assert!(
        found == text(numbers[0], numbers[1]),
        "{path} is torn: {} bytes",
        found.len()
    );
    Some(numbers[1])
}

async fn all_whole(folder: &Path, last: &[usize; NOTES]) {
    let vault = Vault::new(folder, Workspace::default());
    let listed = vault.list(&Workspace::default()).await.unwrap();
    assert!(listed.len() <= NOTES, "unfinished files are no notes: {listed:?}");
    for (task, last) in last.iter().enumerate() {
        let path = NotePath::parse(&format!("folder/n{task}")).unwrap();
        let number = number_of(&vault, &path).await.unwrap_or_default();
        assert!(number >= *last, "{path}: {last} was acknowledged, {number} is there");
    }
}
