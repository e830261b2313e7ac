//! What supports the links of models: its titles, and which models cite a paper.

use crate::dynamics::Evidence;
use crate::notes::NotesError;
use crate::service::{Caller, Service};
use meadow_access::Scope;
use meadow_notes::NotePath;
use meadow_papers::PaperId;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// How long the titles of one answer may take: it is worth more than they are.
const PATIENCE: Duration = Duration::from_secs(3);

/// Models that are looked through for those that cite a paper.
const MODELS: usize = 500;

/// Bytes of models that are looked through.
const BYTES: u64 = 32 << 20;

/// A model that cites a paper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Citing {
    /// Its id.
    pub model: String,
    /// What it is called.
    pub name: String,
}

impl Service {
    /// The titles of those papers and notes among `evidence` of which one is known: in the caller's saved notes, or in
    /// what was fetched before. Nobody is asked over the network for papers.
    pub async fn titles(&self, caller: &Caller, evidence: &[Evidence]) -> BTreeMap<String, String> {
        let uris: BTreeSet<&str> = evidence
            .iter()
            .flat_map(|link| &link.uris)
            .map(String::as_str)
            .collect();
        let mut papers: Vec<(&str, PaperId)> = Vec::new();
        let mut notes: Vec<(&str, NotePath)> = Vec::new();
        for uri in uris {
            if uri.starts_with("literature:") {
                papers.extend(uri.parse().map(|id| (uri, id)));
            } else if uri.starts_with("note:") {
                notes.extend(NotePath::from_uri(uri).map(|path| (uri, path)));
            }
        }
        let mut titles = BTreeMap::new();
        if papers.is_empty() && notes.is_empty() {
            return titles;
        }
        let looking = async {
            if caller.need(Scope::NotesRead).is_ok() {
                match self.saved_titles(caller, &papers, &notes).await {
                    Ok(saved) => titles.extend(saved),
                    Err(NotesError::Vault(crate::notes::VaultError::NoVault(_))) => {}
                    Err(error) => tracing::warn!(%error, "evidence.titles_unknown"),
                }
            }
            for (uri, id) in &papers {
                if !titles.contains_key(*uri)
                    && let Some(title) = self.literature().title_of(id).await
                {
                    titles.insert((*uri).to_owned(), title);
                }
            }
        };
        // What was found until then is shown.
        let _ = tokio::time::timeout(PATIENCE, looking).await;
        titles
    }

    /// The titles that the caller's notes have.
    async fn saved_titles(
        &self,
        caller: &Caller,
        papers: &[(&str, PaperId)],
        notes: &[(&str, NotePath)],
    ) -> Result<Vec<(String, String)>, NotesError> {
        let ids: Vec<String> = papers.iter().map(|(_, id)| id.newest().bare()).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let paths: Vec<&NotePath> = notes.iter().map(|(_, path)| path).collect();
        let of_papers = self.notes().find_by_ids(&caller.workspace, &ids).await?;
        let of_notes = self.notes().titles(&caller.workspace, &paths).await?;
        let papers = papers.iter().zip(of_papers);
        let papers = papers.filter_map(|((uri, _), found)| Some(((*uri).to_owned(), found?.1)));
        let notes = notes.iter().zip(of_notes);
        let notes = notes.filter_map(|((uri, _), title)| Some(((*uri).to_owned(), title?)));
        Ok(papers.chain(notes).collect())
    }

    /// For each of these papers the models of the caller's workspace that cite it as evidence, by id. Looks through the
    /// first 500 models; a paper is told by any of its `ids`, whichever version.
    ///
    /// # Errors
    /// Where the store fails.
    pub async fn citing(&self, caller: &Caller, papers: &[Vec<PaperId>]) -> Result<Vec<Vec<Citing>>, crate::Error> {
        let mut citing: Vec<Vec<Citing>> = vec![Vec::new(); papers.len()];
        let heads = self.list(caller, None, MODELS).await?.items;
        let mut read = 0;
        for head in heads {
            read += head.size;
            if read > BYTES {
                break;
            }
            let Ok(stored) = self.model(caller, head.id.as_str(), None).await else {
                continue;
            };
            if !stored.text.contains("literature:") {
                continue;
            }
            let Ok(document) = meadow_model::parse(&stored.text) else {
                continue;
            };
            let cited: BTreeSet<PaperId> = (document.interconnections.iter())
                .flat_map(|link| &link.evidence)
                .filter_map(|uri| uri.parse::<PaperId>().ok())
                .map(|id| id.newest())
                .collect();
            for (ids, models) in papers.iter().zip(&mut citing) {
                if ids.iter().any(|id| cited.contains(&id.newest())) {
                    models.push(Citing {
                        model: head.id.as_str().to_owned(),
                        name: head.name.clone(),
                    });
                }
            }
        }
        Ok(citing)
    }
}
