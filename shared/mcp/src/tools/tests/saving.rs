//! `save_literature` as clients meet it, over a source that is told what to answer.

use crate::Config;
use crate::testing::{Client, Era, WRITER, plain as text, service};
use meadow_papers::{Paper, PaperId, SourceKind};
use meadow_service::literature::{Ask, Listed, SourceError};
use meadow_service::notes::MemoryNotes;
use meadow_service::{Caller, MemoryCache, MemorySlots, MemoryStore, PaperSource, Service};
use std::sync::Arc;
use std::time::Duration;

const SAVE: &str = "save_literature";

/// arXiv with two papers, or out of order.
#[derive(Debug)]
struct Two {
    fails: Option<SourceError>,
}

fn limited() -> SourceError {
    SourceError::RateLimited {
        reason: "Rate exceeded.".into(),
        pause: Duration::from_secs(60),
    }
}

fn down() -> SourceError {
    SourceError::Unavailable {
        reason: "no connection to it".into(),
        pause: None,
    }
}

fn paper(id: &str, title: &str) -> Paper {
    Paper {
        title: title.into(),
        summary: Some("What was found.".into()),
        arxiv_id: Some(id.into()),
        arxiv_version: Some(1),
        categories: vec!["cs.SE".into()],
        sources: vec![SourceKind::Arxiv],
        ..Paper::default()
    }
}

#[async_trait::async_trait]
impl PaperSource for Two {
    fn kind(&self) -> SourceKind {
        SourceKind::Arxiv
    }

    async fn search(&self, _: Ask<'_>) -> Result<Listed, SourceError> {
        Err(SourceError::Unavailable {
            reason: "not asked here".into(),
            pause: None,
        })
    }

    async fn papers(&self, ids: &[PaperId]) -> Result<Vec<Paper>, SourceError> {
        if let Some(error) = &self.fails {
            return Err(error.clone());
        }
        let all = [
            paper("2101.00001", "Stocks: \"of\" talent"),
            paper("2101.00002", "Stocks: \"of\" talent"),
        ];
        let wanted = |paper: &Paper| ids.iter().any(|id| paper.ids().contains(&id.newest()));
        Ok(all.into_iter().filter(wanted).collect())
    }
}

fn all(fails: Option<SourceError>) -> (Service, Client) {
    let (cache, slots) = (Arc::new(MemoryCache::new()), Arc::new(MemorySlots::new()));
    let service = service(MemoryStore::new())
        .with_notes(Arc::new(MemoryNotes::new()))
        .with_literature(vec![Arc::new(Two { fails })], cache, slots);
    (service.clone(), Client::of(service, Config::default(), Era::Handshake))
}

/// The text of a note, read as a resource.
async fn note(client: &Client, path: &str) -> String {
    client.text(&format!("note:///{}", path.replace(' ', "%20"))).await
}

#[tokio::test]
async fn papers_become_notes_that_link_back_to_the_models_citing_them() {
    let (_, client) = all(None);
    let model = r#"{"system_name":"Talent","interconnections":[{"from":"a","to":"b","evidence":["literature://arxiv/2101.00001"]}]}"#;
    client.call(WRITER, model).await;
    let sent = r#"{"ids":["2101.00001v1","2101.00002","2101.99999","nonsense"],"tags":"open source, 2024","folder":"papers","bibtex":"true"}"#;
    let answer = client.call(SAVE, sent).await;
    let said = text(&answer);
    for part in [
        "Saved 2 of 4 papers (status: partial)",
        "papers/2101.00001 Stocks of talent.md",
        "cited by the models talent",
        "not found: arXiv:2101.99999",
        "\"nonsense\" names no paper",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let first = note(&client, "papers/2101.00001 Stocks of talent.md").await;
    for part in [
        "title: \"Stocks: \\\"of\\\" talent\"",
        "arxiv_id: \"2101.00001\"",
        "  - \"open-source\"",
        "  - \"_2024\"",
        "  - \"arxiv/cs-SE\"",
        "type: \"literature\"",
        "What was found.",
        "```bibtex",
        "[Talent](<model://talent>)",
    ] {
        assert!(first.contains(part), "{part}: {first}");
    }
    let second = note(&client, "papers/2101.00002 Stocks of talent.md").await;
    assert!(!second.contains("Cited by"), "{second}");
    // The reader shows the title from then on.
    let read = client.call("systems_thinking_reader", "{}").await;
    let titles = &read["structuredContent"]["evidence"][0]["titles"];
    assert_eq!(titles["literature://arxiv/2101.00001"], "Stocks: \"of\" talent");

    let again = client.call(SAVE, r#"{"ids":"2101.00001 2101.00002"}"#).await;
    assert_eq!(text(&again).matches("already saved").count(), 2, "{again}");
    assert!(
        text(&again).starts_with("Saved 0 of 2 papers, 2 were there already (status: saved)"),
        "{again}"
    );
    assert_eq!(note(&client, "papers/2101.00001 Stocks of talent.md").await, first);
}

#[tokio::test]
async fn where_no_source_answers_the_status_says_so_as_get_paper_does() {
    for (error, ids, status, count) in [
        (down(), r#"["2101.00001"]"#, "unavailable", 1),
        (limited(), r#"["2101.00001"]"#, "rate_limited", 1),
        (down(), r#"["2101.00001","nonsense"]"#, "unavailable", 2),
    ] {
        let (_, client) = all(Some(error.clone()));
        let sent = format!(r#"{{"ids":{ids}}}"#);
        let answer = client.call(SAVE, &sent).await;
        let said = text(&answer);
        assert!(
            said.starts_with(&format!("Saved 0 of {count} papers (status: {status})"))
                && said.contains("not fetched: arXiv:2101.00001"),
            "{said}"
        );
        assert_eq!(answer["_meta"]["meadow/status"], status, "{said}");
        // With a turn of its own: arXiv's next one comes after three seconds.
        let (_, client) = all(Some(error));
        let looked_up = client.call("get_paper", r#"{"ids":["2101.00001"]}"#).await;
        assert_eq!(looked_up["_meta"]["meadow/status"], status, "{looked_up}");
    }
}

#[tokio::test]
async fn nothing_is_saved_where_there_is_nothing_to_save() {
    let (service, client) = all(Some(limited()));
    for (sent, part) in [
        ("{}", "there is none"),
        (r#"{"ids":"x"}"#, "names no paper"),
        (r#"{"ids":["2101.00001"],"folder":"../up"}"#, ".."),
        (r#"{"ids":["2101.00001"],"bibtex":"maybe"}"#, "true or false"),
        (r#"{"ids":{"a":1}}"#, "an object"),
    ] {
        let answer = client.call(SAVE, sent).await;
        assert_eq!(answer["isError"], true, "{sent}: {answer}");
        let said = answer["content"][0]["text"].as_str().expect("a text");
        assert!(
            said.contains(part) && said.contains("nothing was saved"),
            "{sent}: {said}"
        );
    }
    let paths = service
        .notes()
        .paths(&Caller::default().workspace)
        .await
        .expect("the vault answers");
    assert!(paths.is_empty(), "{paths:?}");
    let no_vault = Client::new(Era::Handshake);
    let answer = no_vault.call(SAVE, r#"{"ids":["2101.00001"]}"#).await;
    assert!(
        answer["content"][0]["text"]
            .as_str()
            .expect("a text")
            .contains("--vault"),
        "{answer}"
    );
}
