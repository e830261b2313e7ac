//! What is kept of answers: a day as an answer, a month as a copy for when nobody answers.

use super::{Listed, Literature, STORE, SourceError};
use crate::clock::Timestamp;
use crate::source::{hex, sha256};
use futures_util::future::join_all;
use meadow_papers::query::Level;
use meadow_papers::{Paper, PaperId, SourceKind};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use tokio::time::timeout;

const HOUR: Duration = Duration::from_secs(60 * 60);

/// arXiv's answers change once a day (its API manual, 3.3.1.1).
const FRESH: Duration = Duration::from_secs(24 * HOUR.as_secs());

/// How long a copy is kept.
const COPY: Duration = Duration::from_secs(30 * 24 * HOUR.as_secs());

/// How long "nothing" is kept: arXiv sometimes says so though there is something.
const NOTHING: Duration = Duration::from_secs(5 * 60);

/// A value with the time it is of.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Kept<T> {
    /// Milliseconds since 1970.
    at: u64,
    /// Sources that were asked, though they may not have known it.
    #[serde(default)]
    pub(super) asked: Vec<SourceKind>,
    pub(super) value: T,
}

impl<T> Kept<T> {
    pub(super) fn is_fresh(&self, now: Timestamp) -> bool {
        now.0.saturating_sub(self.at) < FRESH.as_millis() as u64
    }

    /// The time it is of.
    pub(super) fn at(&self) -> Timestamp {
        Timestamp(self.at)
    }

    /// The day it is of.
    pub(super) fn day(&self) -> String {
        Timestamp(self.at).to_string().chars().take(10).collect()
    }
}

/// What is kept of a search at one source.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct KeptList {
    pub(super) total: u64,
    pub(super) papers: Vec<Paper>,
    pub(super) level: Option<Level>,
}

impl KeptList {
    pub(super) fn listed(self) -> Listed {
        Listed {
            total: self.total,
            papers: self.papers,
        }
    }
}

/// A source that is left alone.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Pause {
    /// Milliseconds since 1970.
    until: u64,
    /// True where it asked for fewer requests, false where it failed.
    limited: bool,
}

/// What is told of a source that is left alone: what it was when it was asked.
fn left_alone(limited: bool, pause: Duration) -> SourceError {
    if limited {
        SourceError::RateLimited {
            reason: "it is left alone for a while, after it asked for fewer requests".to_owned(),
            pause,
        }
    } else {
        SourceError::Unavailable {
            reason: "it is left alone for a while, after it failed".to_owned(),
            pause: Some(pause),
        }
    }
}

/// The key of a search. Hashed: queries are long, and nobody else's business.
pub(super) fn search_key(canonical: &str) -> String {
    format!("literature:search:{}", hex(&sha256(canonical)))
}

/// The key of a paper by one of its names.
fn paper_key(id: &PaperId) -> String {
    format!("literature:paper:{id}")
}

impl Literature {
    /// A value that was kept; none where the cache fails or has something else there.
    async fn kept<T: DeserializeOwned>(&self, key: &str) -> Option<Kept<T>> {
        let got = timeout(STORE, self.cache.get(key, self.clock.now())).await;
        let bytes = match got {
            Ok(Ok(bytes)) => bytes?,
            Ok(Err(error)) => {
                tracing::warn!(%error, "literature.cache_failed");
                return None;
            }
            Err(_) => {
                tracing::warn!("literature.cache_slow");
                return None;
            }
        };
        serde_json::from_slice(&bytes)
            .inspect_err(|error| tracing::warn!(%error, "literature.cache_unreadable"))
            .ok()
    }

    /// Keeps a value that is of `at` for so long.
    async fn keep<T: Serialize>(&self, key: &str, value: T, asked: Vec<SourceKind>, at: Timestamp, time: Duration) {
        let now = self.clock.now();
        let kept = Kept { at: at.0, asked, value };
        let Ok(bytes) = serde_json::to_vec(&kept) else {
            return;
        };
        let expires = Timestamp(at.0.saturating_add(time.as_millis() as u64));
        match timeout(STORE, self.cache.put(key, &bytes, now, expires)).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(%error, "literature.cache_failed"),
            Err(_) => tracing::warn!("literature.cache_slow"),
        }
    }

    pub(super) async fn kept_list(&self, key: &str) -> Option<Kept<KeptList>> {
        self.kept(key).await
    }

    pub(super) async fn keep_list(&self, key: &str, list: &KeptList) {
        let time = if list.papers.is_empty() { NOTHING } else { COPY };
        self.keep(key, list, Vec::new(), self.clock.now(), time).await;
    }

    pub(super) async fn kept_paper(&self, id: &PaperId) -> Option<Kept<Paper>> {
        self.kept(&paper_key(id)).await
    }

    /// Keeps papers that a search found at this time, under each of their names.
    pub(super) async fn keep_papers(&self, papers: &[Paper], at: Timestamp) {
        let keys = papers
            .iter()
            .flat_map(|paper| paper.ids().into_iter().map(move |id| (id, paper)));
        let puts = keys.map(|(id, paper)| async move { self.keep(&paper_key(&id), paper, Vec::new(), at, COPY).await });
        join_all(puts).await;
    }

    /// Keeps papers that were looked up, under the name that was asked for; under their others, too, unless that name
    /// is of one version.
    pub(super) async fn keep_looked_up(&self, papers: &[(PaperId, Paper, Vec<SourceKind>)]) {
        let keys = papers.iter().flat_map(|(id, paper, asked)| {
            let mut names = vec![id.clone()];
            if !matches!(id, PaperId::Arxiv { version: Some(_), .. }) {
                names.extend(paper.ids());
                names.sort();
                names.dedup();
            }
            names.into_iter().map(move |name| (name, paper, asked))
        });
        let puts = keys.map(|(name, paper, asked)| async move {
            self.keep(&paper_key(&name), paper, asked.clone(), self.clock.now(), COPY)
                .await;
        });
        join_all(puts).await;
    }

    /// Why a source is left alone, and for how long; none where it is not.
    pub(super) async fn paused(&self, source: SourceKind) -> Option<SourceError> {
        let Pause { until, limited } = self.kept(&pause_key(source)).await?.value;
        let left = until.saturating_sub(self.clock.now().0);
        (left > 0).then(|| left_alone(limited, Duration::from_millis(left)))
    }

    /// Leaves a source alone for a while after it failed so.
    pub(super) async fn pause(&self, source: SourceKind, error: &SourceError, pause: Duration) {
        let now = self.clock.now();
        let until = now.0.saturating_add(pause.as_millis() as u64);
        let limited = matches!(error, SourceError::RateLimited { .. });
        let value = Pause { until, limited };
        self.keep(&pause_key(source), value, Vec::new(), now, pause).await;
    }
}

fn pause_key(source: SourceKind) -> String {
    format!("literature:pause:{}", source.as_str())
}
