//! What came of a search or a look-up. An answer always comes; what failed stands in it.

use crate::id::PaperId;
use crate::paper::{Paper, SourceKind};
use crate::query::Level;
use serde::Serialize;
use std::fmt;

/// How it went on the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Everybody answered who was asked.
    Ok,
    /// Somebody did not answer, or an old copy was used.
    Partial,
    /// Nobody answered; somebody wants to be left alone for a while.
    RateLimited,
    /// Nobody answered.
    Unavailable,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ok => "ok",
            Self::Partial => "partial",
            Self::RateLimited => "rate_limited",
            Self::Unavailable => "unavailable",
        })
    }
}

/// How it went with one source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SourceReport {
    /// Who.
    pub source: SourceKind,
    /// [`Status::Ok`], or how it failed; [`Status::Partial`] where a copy stood in.
    pub status: Status,
    /// Why it failed, on one line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// When to try again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after_seconds: Option<u64>,
    /// How many papers it found in all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<u64>,
    /// How strict the query was that found them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
    /// The day of our copy, where it stood in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copy_of: Option<String>,
}

impl SourceReport {
    /// A source that answered.
    #[must_use]
    pub fn ok(source: SourceKind) -> Self {
        Self {
            source,
            status: Status::Ok,
            reason: None,
            retry_after_seconds: None,
            total: None,
            level: None,
            copy_of: None,
        }
    }
}

/// The status of an answer, from those of its sources.
#[must_use]
pub fn overall(sources: &[SourceReport]) -> Status {
    let any = |status: &[Status]| sources.iter().any(|report| status.contains(&report.status));
    if !any(&[Status::Ok, Status::Partial]) {
        return if any(&[Status::RateLimited]) {
            Status::RateLimited
        } else {
            Status::Unavailable
        };
    }
    if any(&[Status::Partial, Status::RateLimited, Status::Unavailable]) {
        Status::Partial
    } else {
        Status::Ok
    }
}

/// What came of a search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SearchAnswer {
    /// How it went.
    pub status: Status,
    /// Why not all is well, on one line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// When to try again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after_seconds: Option<u64>,
    /// The place of the first paper.
    pub start: u32,
    /// Where the next page begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_start: Option<u32>,
    /// What was found.
    pub papers: Vec<Paper>,
    /// Who was asked.
    pub sources: Vec<SourceReport>,
    /// What the caller should know about the query.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// What came of looking papers up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PapersAnswer {
    /// How it went.
    pub status: Status,
    /// Why not all is well, on one line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// When to try again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after_seconds: Option<u64>,
    /// What was found, in the order in which it was asked for.
    pub papers: Vec<Found>,
    /// Ids that the sources do not know.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<PaperId>,
    /// Ids of which nothing is known because a source did not answer, or because they were too many.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missed: Vec<PaperId>,
    /// Who was asked.
    pub sources: Vec<SourceReport>,
}

/// A paper that was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Found {
    /// By this name.
    pub id: PaperId,
    /// The paper.
    pub paper: Paper,
    /// The day of our copy, where no source answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copy_of: Option<String>,
}

/// The reasons of all sources that have one, on one line, and the shortest wait of those that name one.
#[must_use]
pub fn reasons(sources: &[SourceReport]) -> (Option<String>, Option<u64>) {
    let said: Vec<_> = sources
        .iter()
        .filter_map(|report| Some(format!("{}: {}", report.source, report.reason.as_ref()?)))
        .collect();
    let wait = sources.iter().filter_map(|report| report.retry_after_seconds).min();
    ((!said.is_empty()).then(|| said.join("; ")), wait)
}
