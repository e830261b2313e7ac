//! `literature://...`: papers by their ids.

use crate::server::Shared;
use meadow_papers::{PaperId, Status};

/// Why there is no text.
#[derive(Debug)]
pub(super) enum Missing {
    /// Nobody knows such a paper.
    Unknown(String),
    /// The sources do not answer.
    Unreached(String),
}

/// A paper as Markdown.
pub(super) async fn read(shared: &Shared, uri: &str) -> Result<String, Missing> {
    let id: PaperId = uri.parse().map_err(|_| {
        Missing::Unknown("use literature://arxiv/{id}, literature://doi/{doi} or literature://s2/{id}".to_owned())
    })?;
    let answer = shared.service.literature().papers(std::slice::from_ref(&id)).await;
    if !answer.papers.is_empty() {
        return Ok(answer.markdown());
    }
    let reason = answer.reason.clone().unwrap_or_default();
    Err(match answer.status {
        Status::RateLimited | Status::Unavailable => {
            let wait = answer
                .retry_after_seconds
                .map(|wait| format!("; try again in {wait} s"));
            Missing::Unreached(format!("{}: {reason}{}", answer.status, wait.unwrap_or_default()))
        }
        Status::Ok | Status::Partial => Missing::Unknown(format!("no source knows {id}")),
    })
}
