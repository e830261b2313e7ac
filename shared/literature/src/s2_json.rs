//! Semantic Scholar's JSON as papers. Nearly everything in it may be null or missing.

use meadow_papers::text::one_line;
use meadow_papers::{Author, Date, Paper, PaperId, SourceKind, withdrawn};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// The fields that are asked for.
pub const FIELDS: &str = "paperId,corpusId,externalIds,url,title,abstract,venue,journal,year,publicationDate,\
citationCount,openAccessPdf,tldr,authors.name";

/// A page of a search; `data` is missing where nothing was found.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Page {
    total: Option<u64>,
    data: Option<Vec<Option<Record>>>,
    error: Option<String>,
    message: Option<String>,
}

/// What it says where it does not answer: mostly `error`, at the gate `message`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Complaint {
    error: Option<String>,
    message: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Record {
    paper_id: Option<String>,
    corpus_id: Option<u64>,
    external_ids: Option<ExternalIds>,
    url: Option<String>,
    title: Option<String>,
    r#abstract: Option<String>,
    venue: Option<String>,
    journal: Option<Journal>,
    year: Option<u16>,
    publication_date: Option<String>,
    citation_count: Option<u64>,
    open_access_pdf: Option<Pdf>,
    tldr: Option<Tldr>,
    authors: Option<Vec<Option<Writer>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ExternalIds {
    #[serde(rename = "ArXiv")]
    arxiv: Option<String>,
    #[serde(rename = "DOI")]
    doi: Option<String>,
    #[serde(rename = "CorpusId")]
    corpus: Option<u64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Journal {
    name: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Pdf {
    url: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Tldr {
    text: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Writer {
    name: Option<String>,
}

/// Papers with how many there are in all.
///
/// # Errors
/// Why it is no page of a search.
pub fn search(bytes: &[u8]) -> Result<(u64, Vec<Paper>), String> {
    let page: Page = parsed(bytes)?;
    if let Some(said) = page.error.or(page.message) {
        return Err(one_line(&said));
    }
    if page.total.is_none() && page.data.is_none() {
        return Err("it has neither `total` nor `data`".to_owned());
    }
    let papers: Vec<_> = page.data.unwrap_or_default().into_iter().flatten().filter_map(paper).collect();
    Ok((page.total.unwrap_or(papers.len() as u64), papers))
}

/// Papers in the order in which they were asked for; none for those that are not known.
///
/// # Errors
/// Why it is no list of papers.
pub fn batch(bytes: &[u8]) -> Result<Vec<Option<Paper>>, String> {
    let records: Vec<Option<Record>> = parsed(bytes)?;
    Ok(records.into_iter().map(|record| record.and_then(paper)).collect())
}

/// One paper.
///
/// # Errors
/// Why it is none.
pub fn one(bytes: &[u8]) -> Result<Option<Paper>, String> {
    parsed(bytes).map(paper)
}

/// What it complains of; none where the answer is no complaint.
#[must_use]
pub fn complaint(bytes: &[u8]) -> Option<String> {
    let complaint: Complaint = parsed(bytes).ok()?;
    let said = complaint.error.or(complaint.message)?;
    Some(meadow_papers::text::cut(&one_line(&said), 160))
}

fn parsed<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    serde_json::from_slice(bytes).map_err(|error| one_line(&error.to_string()))
}

/// A text on one line; none where there is nothing.
fn line(text: Option<String>) -> Option<String> {
    text.map(|text| one_line(&text)).filter(|text| !text.is_empty())
}

/// A record as a paper; none where it has neither a title nor an id, as references to books have.
fn paper(record: Record) -> Option<Paper> {
    let ids = record.external_ids.unwrap_or_default();
    let pdf = line(record.open_access_pdf.and_then(|pdf| pdf.url));
    let doi = ids.doi.as_deref().and_then(|doi| doi.parse().ok());
    let arxiv = |text: &str| match text.parse() {
        Ok(PaperId::Arxiv { base, .. }) => Some(base),
        _ => None,
    };
    let in_doi = match &doi {
        Some(PaperId::Arxiv { base, .. }) => Some(base.clone()),
        _ => None,
    };
    let arxiv_id = ids.arxiv.as_deref().and_then(arxiv).or(in_doi);
    let arxiv_id = arxiv_id.or_else(|| arxiv(pdf.as_deref()?));
    let s2_id = match record.paper_id.as_deref().and_then(PaperId::s2) {
        Some(PaperId::S2(id)) => Some(id),
        _ => None,
    };
    let title = line(record.title);
    if title.is_none() && s2_id.is_none() {
        return None;
    }
    let summary = line(record.r#abstract);
    let published = record.publication_date.as_deref().and_then(Date::of_stamp);
    let venue = line(record.venue).or_else(|| line(record.journal.and_then(|journal| journal.name)));
    let names = record.authors.into_iter().flatten().flatten();
    Some(Paper {
        title: title.unwrap_or_default(),
        authors: names
            .filter_map(|author| line(author.name))
            .map(|name| Author {
                name,
                affiliations: Vec::new(),
            })
            .collect(),
        withdrawn: withdrawn::likely(None, summary.as_deref()),
        summary,
        year: record.year.or(published.map(Date::year)),
        published,
        arxiv_id,
        doi: match doi {
            Some(PaperId::Doi(doi)) => Some(doi),
            _ => None,
        },
        s2_id,
        corpus_id: record.corpus_id.or(ids.corpus),
        url: line(record.url),
        pdf,
        venue,
        citation_count: record.citation_count,
        tldr: line(record.tldr.and_then(|tldr| tldr.text)),
        sources: vec![SourceKind::S2],
        ..Paper::default()
    })
}

#[cfg(test)]
mod tests;
