//! Semantic Scholar: one request to its Academic Graph API.

use crate::http::{Answer, Http, pause, unavailable};
use crate::s2_json::{self, FIELDS};
use async_trait::async_trait;
use meadow_papers::query::plain_words;
use meadow_papers::{Paper, PaperId, Search, SourceKind};
use meadow_service::{Ask, Listed, PaperSource, SourceError};
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderValue};
use reqwest::{RequestBuilder, StatusCode, Url};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Places beyond this one are out of the reach of a search by relevance.
const REACH: u32 = 1_000;

/// Semantic Scholar.
#[derive(Debug)]
pub(crate) struct SemanticScholar {
    url: Url,
    key: Option<HeaderValue>,
    http: Arc<Http>,
}

impl SemanticScholar {
    /// With a key, where there is one.
    ///
    /// # Errors
    /// A key that no header takes.
    pub(crate) fn new(url: Url, key: Option<&str>, http: Arc<Http>) -> Result<Self, String> {
        let key = key.map(HeaderValue::from_str).transpose();
        let mut key = key.map_err(|_| "the key of Semantic Scholar has characters that no header takes".to_owned())?;
        if let Some(key) = &mut key {
            key.set_sensitive(true);
        }
        Ok(Self { url, key, http })
    }

    /// The address of a call.
    fn at(&self, call: &str) -> Url {
        let mut url = self.url.clone();
        url.set_path(&format!("{}/{call}", self.url.path().trim_end_matches('/')));
        url
    }

    async fn ask(&self, request: RequestBuilder) -> Result<Answer, SourceError> {
        let mut request = request.header(ACCEPT, "application/json");
        if let Some(key) = &self.key {
            request = request.header("x-api-key", key);
        }
        let request = request.build().map_err(|error| unavailable(error.to_string()))?;
        let answer = self.http.send(request).await?;
        let status = answer.status;
        if status.is_success() {
            return Ok(answer);
        }
        let said = s2_json::complaint(&answer.body);
        let said = said.map(|said| format!(": {said}")).unwrap_or_default();
        Err(match status {
            StatusCode::TOO_MANY_REQUESTS => SourceError::RateLimited {
                reason: "it asks for fewer requests (429)".to_owned(),
                pause: pause(answer.retry_after),
            },
            StatusCode::FORBIDDEN | StatusCode::UNAUTHORIZED if self.key.is_some() => {
                unavailable(format!("it does not take the key ({}{said})", status.as_u16()))
            }
            status if status.is_server_error() => SourceError::Unavailable {
                reason: format!("it fails ({}{said})", status.as_u16()),
                pause: Some(pause(answer.retry_after)),
            },
            StatusCode::BAD_REQUEST | StatusCode::NOT_FOUND => {
                SourceError::Refused(format!("it refused the question ({}{said})", status.as_u16()))
            }
            status => unavailable(format!("it answered with status {}{said}", status.as_u16())),
        })
    }
}

/// The days of a search as Semantic Scholar takes them: `2023-01-01:2023-12-31`, open where there is none.
fn days(search: &Search) -> Option<String> {
    let day = |date: Option<meadow_papers::Date>| date.map(|date| date.to_string()).unwrap_or_default();
    let any = search.from().is_some() || search.to().is_some();
    any.then(|| format!("{}:{}", day(search.from()), day(search.to())))
}

/// The fields of the search's categories: it knows no categories of arXiv.
fn fields(search: &Search) -> Option<String> {
    let fields: BTreeSet<_> = search.categories().iter().map(|category| category.field()).collect();
    (!fields.is_empty()).then(|| fields.into_iter().collect::<Vec<_>>().join(","))
}

fn unreadable(answer: &Answer, why: &str) -> SourceError {
    if answer.kind.starts_with("text/html") {
        return unavailable("it sent a web page instead of JSON");
    }
    unavailable(format!("it sent what cannot be read ({})", meadow_papers::text::cut(why, 100)))
}

#[async_trait]
impl PaperSource for SemanticScholar {
    fn kind(&self) -> SourceKind {
        SourceKind::S2
    }

    async fn search(&self, ask: Ask<'_>) -> Result<Listed, SourceError> {
        let count = ask.count.min(REACH.saturating_sub(ask.offset));
        if count == 0 {
            return Ok(Listed::default());
        }
        let mut url = self.at("paper/search");
        {
            let mut pairs = url.query_pairs_mut();
            pairs.append_pair("query", &plain_words(ask.search)).append_pair("fields", FIELDS);
            pairs.append_pair("offset", &ask.offset.to_string()).append_pair("limit", &count.to_string());
            if let Some(days) = days(ask.search) {
                pairs.append_pair("publicationDateOrYear", &days);
            }
            if let Some(fields) = fields(ask.search) {
                pairs.append_pair("fieldsOfStudy", &fields);
            }
        }
        let answer = self.ask(self.http.client()?.get(url)).await?;
        let (total, papers) = s2_json::search(&answer.body).map_err(|why| unreadable(&answer, &why))?;
        Ok(Listed { total, papers })
    }

    async fn papers(&self, ids: &[PaperId]) -> Result<Vec<Paper>, SourceError> {
        let mut url = self.at("paper/batch");
        url.query_pairs_mut().append_pair("fields", FIELDS);
        let asked = serde_json::json!({"ids": ids.iter().map(PaperId::for_s2).collect::<Vec<_>>()});
        let request = self.http.client()?.post(url).header(CONTENT_TYPE, "application/json").body(asked.to_string());
        let answer = match self.ask(request).await {
            Ok(answer) => answer,
            // It knows none of them.
            Err(SourceError::Refused(said)) if said.to_lowercase().contains("no valid paper ids") => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let papers = s2_json::batch(&answer.body).map_err(|why| unreadable(&answer, &why))?;
        if papers.len() != ids.len() {
            return Ok(papers.into_iter().flatten().collect());
        }
        let found = ids.iter().zip(papers).filter_map(|(id, paper)| Some(known_as(paper?, id)));
        Ok(found.collect())
    }
}

/// A paper with the name by which it was found, which Semantic Scholar may have replaced by another.
fn known_as(mut paper: Paper, id: &PaperId) -> Paper {
    if !paper.ids().contains(&id.newest()) {
        match id.clone() {
            PaperId::Arxiv { base, .. } => paper.arxiv_id = Some(base),
            PaperId::Doi(doi) => paper.doi = Some(doi),
            PaperId::S2(sha) => paper.s2_id = Some(sha),
            PaperId::Corpus(number) => paper.corpus_id = Some(number),
        }
    }
    paper
}
