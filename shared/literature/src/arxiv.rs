//! arXiv: one request to its API.

use crate::atom::{self, Feed};
use crate::http::{Answer, Http, pause, unavailable};
use async_trait::async_trait;
use meadow_papers::search::Sort;
use meadow_papers::query::Level;
use meadow_papers::{Paper, PaperId, SourceKind};
use meadow_service::{Ask, Listed, PaperSource, SourceError};
use reqwest::header::ACCEPT;
use reqwest::{StatusCode, Url};
use std::sync::Arc;
use std::time::Duration;

/// Without it arXiv's edge answers 406.
const ACCEPTED: &str = "application/atom+xml, text/xml, */*";

/// How long arXiv is left alone whose edge throttles us.
const THROTTLED: Duration = Duration::from_secs(600);

/// Papers beyond this place are out of the API's reach.
const REACH: u32 = 10_000;

/// arXiv.
#[derive(Debug)]
pub(crate) struct Arxiv {
    url: Url,
    http: Arc<Http>,
}

impl Arxiv {
    pub(crate) fn new(url: Url, http: Arc<Http>) -> Self {
        Self { url, http }
    }

    async fn ask(&self, parameters: &[(&str, &str)]) -> Result<Feed, SourceError> {
        let mut url = self.url.clone();
        url.query_pairs_mut().extend_pairs(parameters);
        let request = self.http.client()?.get(url).header(ACCEPT, ACCEPTED).build();
        let request = request.map_err(|error| unavailable(error.to_string()))?;
        let answer = self.http.send(request).await?;
        read(&answer)
    }
}

/// What an answer says.
fn read(answer: &Answer) -> Result<Feed, SourceError> {
    match answer.status {
        StatusCode::TOO_MANY_REQUESTS => {
            return Err(SourceError::RateLimited {
                reason: "it asks for fewer requests (429)".to_owned(),
                pause: pause(answer.retry_after),
            });
        }
        StatusCode::NOT_ACCEPTABLE => {
            return Err(SourceError::RateLimited {
                reason: "its edge throttles us (406)".to_owned(),
                pause: pause(answer.retry_after).max(THROTTLED),
            });
        }
        StatusCode::SERVICE_UNAVAILABLE => {
            return Err(SourceError::Unavailable {
                reason: "it is overloaded (503)".to_owned(),
                pause: Some(pause(answer.retry_after)),
            });
        }
        _ => {}
    }
    let status = answer.status.as_u16();
    match atom::read(&answer.body) {
        Ok(Feed { error: Some(said), .. }) => Err(SourceError::Refused(format!("it refused the question: {said}"))),
        Ok(feed) if answer.status.is_success() => Ok(feed),
        Ok(_) | Err(_) if !answer.status.is_success() => Err(unavailable(format!("it answered with status {status}"))),
        Ok(_) => Err(unavailable("it sent no feed")),
        Err(_) if answer.kind.starts_with("text/html") => Err(unavailable("it sent a web page instead of a feed")),
        // At full load arXiv says so in plain text, whatever the status.
        Err(_) if answer.body.starts_with(b"Rate exceeded") => Err(SourceError::RateLimited {
            reason: "it asks for fewer requests".to_owned(),
            pause: pause(answer.retry_after),
        }),
        Err(why) => Err(unavailable(format!("it sent what is no feed ({why})"))),
    }
}

#[async_trait]
impl PaperSource for Arxiv {
    fn kind(&self) -> SourceKind {
        SourceKind::Arxiv
    }

    async fn search(&self, ask: Ask<'_>) -> Result<Listed, SourceError> {
        let Some(step) = ask.step else {
            return Err(SourceError::Refused("there is no query".to_owned()));
        };
        let count = ask.count.min(REACH.saturating_sub(ask.offset));
        if count == 0 {
            return Ok(Listed::default());
        }
        let by_date = ask.search.sort() == Sort::Date && step.level != Level::Relaxed;
        let feed = self.ask(&[
            ("search_query", &step.text),
            ("start", &ask.offset.to_string()),
            ("max_results", &count.to_string()),
            ("sortBy", if by_date { "submittedDate" } else { "relevance" }),
            ("sortOrder", "descending"),
        ]);
        let feed = feed.await?;
        Ok(Listed {
            total: feed.total.unwrap_or(feed.papers.len() as u64),
            papers: feed.papers,
        })
    }

    async fn papers(&self, ids: &[PaperId]) -> Result<Vec<Paper>, SourceError> {
        let ids: Vec<_> = ids
            .iter()
            .filter(|id| matches!(id, PaperId::Arxiv { .. }))
            .map(PaperId::bare)
            .collect();
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let feed = self.ask(&[("id_list", &ids.join(",")), ("max_results", &ids.len().to_string())]);
        Ok(feed.await?.papers)
    }
}
