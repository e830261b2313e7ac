//! Saving papers as notes, by their ids: what is written comes from the sources, not from the model that asks.

use crate::evidence::Citing;
use crate::notes::{Mode, NotesError, Save, SaveStatus, Saved};
use crate::service::{Caller, Service};
use meadow_access::Scope;
use meadow_notes::NotePath;
use meadow_papers::PaperId;
use meadow_papers::answer::{Found, PapersAnswer};
use meadow_papers::note::{self, Extras};

/// What is to be saved.
#[derive(Debug, Clone, Copy, Default)]
pub struct SaveLiterature<'a> {
    /// The papers.
    pub ids: &'a [PaperId],
    /// Tags that each note gets beside those of its categories.
    pub tags: &'a [String],
    /// The folder; empty: the vault itself.
    pub folder: &'a str,
    /// Whether each note gets an entry of a bibliography.
    pub bibtex: bool,
}

/// What became of one paper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedPaper {
    /// Which.
    pub id: PaperId,
    /// Its title.
    pub title: String,
    /// Where it is now.
    pub outcome: Outcome,
    /// The models that cite it, to which its note links.
    pub cited_by: Vec<Citing>,
}

/// Whether a note was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It was, or its name is taken.
    Saved(Saved),
    /// There is a note about this paper already, which stays as it is.
    AlreadySaved(NotePath, Option<String>),
    /// It could not be.
    Failed(String),
}

impl Service {
    /// Fetches papers and saves each as a note with front matter and abstract, which links back to the models that cite
    /// it. Each paper stands for itself: one that fails keeps no other from being saved.
    ///
    /// None where the caller has `left` before all papers were fetched: nothing was saved. From then on all of it is.
    ///
    /// # Errors
    /// Where the folder is none, or there is no vault; nothing was fetched then.
    pub async fn save_literature(
        &self,
        caller: &Caller,
        wanted: SaveLiterature<'_>,
        left: impl Future<Output = ()>,
    ) -> Result<Option<(PapersAnswer, Vec<SavedPaper>)>, NotesError> {
        let folder = NotePath::parse_folder(wanted.folder)?;
        // What is saved already need not be fetched; and a vault that cannot be read is told before anybody is asked.
        let bare: Vec<String> = wanted.ids.iter().map(|id| id.newest().bare()).collect();
        let bare: Vec<&str> = bare.iter().map(String::as_str).collect();
        let there = self.notes().find_by_ids(&caller.workspace, &bare).await?;
        let mut saved = Vec::with_capacity(wanted.ids.len());
        let mut missing = Vec::new();
        for (id, there) in wanted.ids.iter().zip(there) {
            match there {
                Some((path, title)) => saved.push(SavedPaper {
                    id: id.clone(),
                    title,
                    outcome: self.already(caller, path),
                    cited_by: Vec::new(),
                }),
                None => missing.push(id.clone()),
            }
        }
        let answer = tokio::select! {
            biased;
            () = left => return Ok(None),
            answer = self.literature().papers(&missing) => answer,
        };
        let ids: Vec<Vec<PaperId>> = answer.papers.iter().map(|found| found.paper.ids()).collect();
        let mut citing = match caller.need(Scope::ModelRead) {
            Ok(()) => self.citing(caller, &ids).await.unwrap_or_else(|error| {
                tracing::warn!(%error, "literature.citing_unknown");
                Vec::new()
            }),
            Err(_) => Vec::new(),
        };
        citing.resize(answer.papers.len(), Vec::new());
        for (found, cited_by) in answer.papers.iter().zip(citing) {
            let outcome = self
                .save_paper(caller, &wanted, folder.as_deref(), found, &cited_by)
                .await;
            saved.push(SavedPaper {
                id: found.id.clone(),
                title: found.paper.title.clone(),
                outcome: outcome.unwrap_or_else(|error| Outcome::Failed(error.to_string())),
                cited_by,
            });
        }
        Ok(Some((answer, saved)))
    }

    fn already(&self, caller: &Caller, path: NotePath) -> Outcome {
        let location = self.notes().location(&caller.workspace, &path);
        Outcome::AlreadySaved(path, location)
    }

    async fn save_paper(
        &self,
        caller: &Caller,
        wanted: &SaveLiterature<'_>,
        folder: Option<&str>,
        Found { paper, .. }: &Found,
        cited_by: &[Citing],
    ) -> Result<Outcome, NotesError> {
        let (notes, workspace) = (self.notes(), &caller.workspace);
        let ids: Vec<String> = paper.ids().iter().map(|id| id.newest().bare()).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        if let Some((path, _)) = notes.find_by_ids(workspace, &ids).await?.into_iter().flatten().next() {
            return Ok(self.already(caller, path));
        }
        let links: Vec<(String, String)> = cited_by
            .iter()
            .map(|citing| (citing.name.clone(), format!("model://{}", citing.model)))
            .collect();
        let now = self.clock().now().to_string();
        let extras = Extras {
            tags: wanted.tags,
            retrieved: now.get(..10).unwrap_or_default(),
            bibtex: wanted.bibtex,
            cited_by: &links,
        };
        let text = note::text(paper, &extras);
        let name = note::file_name(paper);
        let path = folder.map_or_else(|| name.clone(), |folder| format!("{folder}/{name}"));
        let save = |filename: &str| {
            let (filename, content) = (filename.to_owned(), text.clone());
            async move {
                let save = Save {
                    filename: &filename,
                    content: &content,
                    mode: Mode::Create,
                    if_match: None,
                };
                notes.save(workspace, save).await
            }
        };
        let mut saved = save(&path).await?;
        // A note about something else has this name; or somebody saved the same paper meanwhile.
        if saved.status == SaveStatus::Exists
            && let Some(free) = saved.existing.as_ref().and_then(|existing| existing.free.clone())
        {
            if let Some((path, _)) = notes.find_by_ids(workspace, &ids).await?.into_iter().flatten().next() {
                return Ok(self.already(caller, path));
            }
            saved = save(free.as_str()).await?;
        }
        Ok(Outcome::Saved(saved))
    }
}
