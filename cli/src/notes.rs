//! `meadow notes`: the notes of the vault, as agents have them.

use crate::failure::Failure;
use crate::options::{self, Options};
use clap::{Args, Subcommand, ValueEnum};
use meadow_service::SystemClock;
use meadow_service::notes::{
    Found, List, Listed, Listing, Mode, Notes, NotesError, Read, ReadNote, Save, SaveStatus, Saved, visible,
};
use std::fmt::Write as _;
use std::io::{self, Read as _, Write as _};
use std::process::ExitCode;
use std::sync::Arc;

/// List, read, search and save notes of the vault
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct NotesCommand {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// The notes, the newest first
    List {
        /// Only in this folder
        #[arg(default_value = "")]
        folder: String,
        /// Only with this tag
        #[arg(long, default_value = "")]
        tag: String,
        #[command(flatten)]
        options: Options,
    },
    /// The notes with all these words, and the line that has the first
    Search {
        /// What to look for
        #[arg(required = true)]
        words: Vec<String>,
        #[command(flatten)]
        options: Options,
    },
    /// The text of notes, byte for byte
    Read {
        /// Paths, names or titles
        #[arg(required = true)]
        paths: Vec<String>,
        /// Only the section below this heading
        #[arg(long)]
        heading: Option<String>,
        #[command(flatten)]
        options: Options,
    },
    /// Save what comes on standard input
    Save {
        /// Its path in the vault
        path: String,
        /// What to do where the note is there already
        #[arg(long, value_enum, default_value_t)]
        mode: SaveMode,
        #[command(flatten)]
        options: Options,
    },
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum SaveMode {
    /// Leave it, with exit code 1
    #[default]
    Create,
    /// Replace it
    Overwrite,
    /// Add to it
    Append,
}

const EXAMPLES: &str = "\
Examples:
  meadow notes list papers --tag ml
  meadow notes search stocks flows
  meadow notes read papers/quantum
  meadow notes save ideas/new.md <draft.md";

impl What {
    fn options(&self) -> &Options {
        match self {
            Self::List { options, .. }
            | Self::Search { options, .. }
            | Self::Read { options, .. }
            | Self::Save { options, .. } => options,
        }
    }
}

impl NotesCommand {
    pub(crate) fn run(&self) -> Result<ExitCode, Failure> {
        let Some(vault) = self.what.options().vault()? else {
            return Err(Failure::Usage(
                "no vault is named; name its folder with --vault DIR".to_owned(),
            ));
        };
        let notes = Notes::new(Arc::new(vault), Arc::new(SystemClock));
        let (text, code) = options::runtime()?.block_on(self.answer(&notes))?;
        let written = io::stdout().write_all(text.as_bytes());
        written.map_err(|error| Failure::World(format!("standard output broke: {error}")))?;
        Ok(ExitCode::from(code))
    }

    async fn answer(&self, notes: &Notes) -> Result<(String, u8), Failure> {
        let workspace = &self.what.options().caller().workspace;
        Ok(match &self.what {
            What::List { folder, tag, .. } => (self.all(notes, folder, tag, "").await?, 0),
            What::Search { words, .. } => (self.all(notes, "", "", &words.join(" ")).await?, 0),
            What::Read { paths, heading, .. } => {
                let mut text = String::new();
                for path in paths {
                    text.push_str(&whole(notes, workspace, path, heading.as_deref()).await?);
                }
                (text, 0)
            }
            What::Save { path, mode, .. } => {
                let mut content = String::new();
                let read = io::stdin().read_to_string(&mut content);
                read.map_err(|error| Failure::World(format!("standard input could not be read: {error}")))?;
                let save = Save {
                    filename: path,
                    content: &content,
                    mode: match mode {
                        SaveMode::Create => Mode::Create,
                        SaveMode::Overwrite => Mode::Overwrite,
                        SaveMode::Append => Mode::Append,
                    },
                    if_match: None,
                };
                told(&notes.save(workspace, save).await.map_err(failure)?)
            }
        })
    }

    /// All pages of a list.
    async fn all(&self, notes: &Notes, folder: &str, tag: &str, text: &str) -> Result<String, Failure> {
        let workspace = &self.what.options().caller().workspace;
        let mut told = String::new();
        let mut cursor: Option<String> = None;
        loop {
            let list = List {
                folder,
                tag,
                text,
                cursor: cursor.as_deref(),
                limit: meadow_service::notes::list::MAX_LIMIT,
            };
            let Listing { notes, next, .. } = notes.list(workspace, list).await.map_err(failure)?;
            for note in notes {
                told.push_str(&one(&note));
                told.push('\n');
            }
            if next.is_none() {
                return Ok(told);
            }
            cursor = next;
        }
    }
}

/// A note in a list, as a terminal may have it.
fn one(note: &Listed) -> String {
    let mut told = format!(
        "{}  {}  {}",
        note.modified,
        visible(note.path.as_str()),
        visible(&note.title)
    );
    if let Some((number, line)) = &note.hit {
        let _ = write!(told, "\n  {number}: {}", visible(line));
    }
    told
}

/// A note, or a section of it.
async fn whole(
    notes: &Notes,
    workspace: &meadow_service::Workspace,
    path: &str,
    heading: Option<&str>,
) -> Result<String, Failure> {
    let read = Read {
        paths: &[path],
        heading,
        ..Read::default()
    };
    let found = notes.read(workspace, read).await.map_err(failure)?.into_iter().next();
    let list = |paths: &[_]| {
        paths
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<String>>()
            .join(", ")
    };
    let fault = match found {
        Some(Found::Note(note)) if note.next_line.is_none() && !note.rest_left_out => return Ok(note.text),
        Some(Found::Note(note)) => return beyond(notes, workspace, *note, heading).await,
        Some(Found::Ambiguous(paths)) => format!("{path} can be {}; name one of them", list(&paths)),
        Some(Found::NotFound(near)) if !near.is_empty() => format!("there is no note {path}; near it: {}", list(&near)),
        Some(Found::NoSection(path, headings)) => {
            format!("{path} has no such heading; it has: {}", headings.join(" | "))
        }
        Some(Found::Bad(why) | Found::Unreadable(why)) => why,
        Some(Found::NotFound(_)) | None => format!("there is no note {path}; meadow notes list tells which there are"),
    };
    Err(Failure::Fault(fault))
}

/// A note that is longer than an answer for agents.
async fn beyond(
    notes: &Notes,
    workspace: &meadow_service::Workspace,
    note: ReadNote,
    heading: Option<&str>,
) -> Result<String, Failure> {
    if let Some(heading) = heading {
        let message = format!(
            "the section {heading} of {} is too long; read the whole note",
            note.path
        );
        return Err(Failure::Fault(message));
    }
    let text = notes.text(workspace, &note.path).await.map_err(failure)?;
    text.ok_or_else(|| Failure::Fault(format!("{} is gone", note.path)))
}

/// What came of a save, and the exit code.
fn told(saved: &Saved) -> (String, u8) {
    let place = saved.location.clone().unwrap_or_else(|| saved.path.to_string());
    let mut text = format!("{}  {place}\n", saved.status.as_str());
    for change in &saved.changes {
        let _ = writeln!(text, "  {change}");
    }
    if let Some(free) = saved.existing.as_ref().and_then(|existing| existing.free.as_ref()) {
        let _ = writeln!(
            text,
            "  a free name is {free}; or take --mode append or --mode overwrite"
        );
    }
    let done = matches!(
        saved.status,
        SaveStatus::Saved | SaveStatus::Appended | SaveStatus::Unchanged
    );
    (text, u8::from(!done))
}

fn failure(error: NotesError) -> Failure {
    match error {
        NotesError::BadPath(_) | NotesError::Refused(_) => Failure::Usage(error.to_string()),
        NotesError::Vault(_) => Failure::World(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meadow_service::notes::MemoryNotes;

    #[tokio::test]
    async fn lists_have_nothing_that_a_terminal_obeys() {
        let notes = Notes::new(Arc::new(MemoryNotes::new()), Arc::new(SystemClock));
        let save = Save {
            filename: "x",
            content: "---\ntitle: \"a\\e[2J\\u202Eb\"\n---\nfind\u{1b}]0;me\u{7}\n",
            ..Save::default()
        };
        let workspace = meadow_service::Workspace::default();
        notes.save(&workspace, save).await.unwrap();
        let list = List {
            text: "find",
            ..List::default()
        };
        let found = notes.list(&workspace, list).await.unwrap();
        let told = one(&found.notes[0]);
        assert!(told.ends_with("  x.md  a[2Jb\n  4: find]0;me"), "{told:?}");
    }
}
