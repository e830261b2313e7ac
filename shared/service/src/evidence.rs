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
    /// Gives the papers and notes in `evidence` their titles, where one is known: in the caller's saved notes, or in what
    /// was fetched before. Nobody is asked over the network for papers.
    pub async fn entitle(&self, caller: &Caller, evidence: &mut [Evidence]) {
        let titles = self.titles(caller, evidence).await;
        for link in evidence {
            let known = |uri: &String| Some((uri.clone(), titles.get(uri)?.clone()));
            link.titles = link.uris.iter().filter_map(known).collect();
        }
    }

    async fn titles(&self, caller: &Caller, evidence: &[Evidence]) -> BTreeMap<String, String> {
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
            // Cheap, and true of every spelling that JSON has.
            if !stored.text.contains("literature") {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::SystemClock;
    use crate::dynamics::evidence;
    use crate::memory::MemoryStore;
    use crate::notes::{MemoryNotes, Mode, Save};
    use crate::service::Expectation;
    use std::sync::Arc;

    const MODEL: &str = r#"{"system_name":"Talent","interconnections":[
        {"from":"a","to":"b","evidence":["literature://arxiv/2101.00001v2","note:///papers/%E7%AC%94%E8%AE%B0.md","https://example.org"]},
        {"from":"b","to":"a","evidence":["literature://doi/10.1000/x","note:///gone.md","Smith 2020"]}]}"#;

    async fn service() -> Service {
        let service = Service::new(Arc::new(MemoryStore::new()), Arc::new(SystemClock));
        let service = service.with_notes(Arc::new(MemoryNotes::new()));
        for (filename, content) in [
            (
                "papers/a.md",
                "---\ntitle: \"Stocks of talent\"\narxiv_id: \"2101.00001\"\ntype: \"literature\"\n---\n",
            ),
            ("papers/笔记.md", "read"),
        ] {
            let save = Save {
                filename,
                content,
                mode: Mode::Create,
                if_match: None,
            };
            let caller = Caller::default();
            service.notes().save(&caller.workspace, save).await.expect("a note");
        }
        service
    }

    #[tokio::test]
    async fn saved_papers_and_notes_have_titles() {
        let service = service().await;
        let document = meadow_model::parse(MODEL).expect("a document");
        let mut found = evidence(&document);
        service.entitle(&Caller::default(), &mut found).await;
        let titles: Vec<_> = found.iter().flat_map(|link| &link.titles).collect();
        let expected = [
            ("literature://arxiv/2101.00001v2", "Stocks of talent"),
            ("note:///papers/%E7%AC%94%E8%AE%B0.md", "笔记"),
        ];
        assert_eq!(
            titles
                .iter()
                .map(|(uri, title)| (uri.as_str(), title.as_str()))
                .collect::<Vec<_>>(),
            expected
        );
        let stranger = Caller {
            scopes: Scope::ModelRead.into(),
            ..Caller::default()
        };
        service.entitle(&stranger, &mut found).await;
        assert!(
            found.iter().all(|link| link.titles.is_empty()),
            "whoever may not read notes sees no titles of them"
        );
    }

    #[tokio::test]
    async fn the_models_that_cite_a_paper_are_found() {
        let service = service().await;
        let me = Caller::default();
        for text in [
            MODEL,
            r#"{"system_name":"Other","interconnections":[{"evidence":["literature:\/\/arxiv\/2101.00001"]}]}"#,
            r#"{"system_name":"None","x":"literature://arxiv/2101.00001"}"#,
        ] {
            service
                .write_model(&me, text, None, Expectation::Any)
                .await
                .expect("written");
        }
        let ids = |texts: &[&str]| {
            texts
                .iter()
                .map(|text| text.parse().expect("an id"))
                .collect::<Vec<PaperId>>()
        };
        let papers = [
            ids(&["2101.00001v1", "10.1000/other"]),
            ids(&["10.1000/X"]),
            ids(&["2101.99999"]),
        ];
        let found = service.citing(&me, &papers).await.expect("the store answers");
        let names: Vec<Vec<&str>> = found
            .iter()
            .map(|models| models.iter().map(|citing| &*citing.name).collect())
            .collect();
        assert_eq!(names, [vec!["Other", "Talent"], vec!["Talent"], vec![]]);
    }
}
