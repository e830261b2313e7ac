//! Papers: searching several sources as one, politely.
//!
//! # Layout, in reading order
//! - This file: the port [`PaperSource`] and the use cases.
//! - `turns`: the one request at a time that arXiv allows all our machines together.
//! - `asking`: one question to one source, with its cache, its turn, its ladder and its pause.
//! - `kept`: what is kept of answers, and for how long.

mod asking;
mod kept;
mod turns;

use crate::cache::Cache;
use crate::clock::Clock;
use crate::slots::Slots;
use async_trait::async_trait;
use futures_util::future::join_all;
use kept::Kept;
use meadow_papers::answer::{self, Found, PapersAnswer, SearchAnswer, SourceReport, Status};
use meadow_papers::merge::{as_one, merge, newest_first};
use meadow_papers::query::{Step, ladder};
use meadow_papers::search::{MAX_START, Search, Sort};
use meadow_papers::{Paper, PaperId, SourceKind};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Mutex, Semaphore};
use tokio::time::Instant;

/// Ids in one look-up, at most: what an answer of 16 kB holds in abstracts.
pub const MAX_IDS: usize = 20;

/// The sources are done with a question after this time; what the cache takes before and after fits into 18 s with it.
const SOURCES: Duration = Duration::from_secs(14);

/// One attempt at a source.
pub const ATTEMPT: Duration = Duration::from_secs(8);

/// Less time than this is too little for an attempt: who waits for his turn gives up when no more is left.
const USEFUL: Duration = Duration::from_secs(2);

/// How many ask Semantic Scholar at a time, of one process: what comes in thousands must not leave in thousands.
const S2_AT_ONCE: usize = 4;

/// A store that keeps us waiting longer than this is as good as away.
const STORE: Duration = Duration::from_millis(1_200);

/// What is asked of a source at once.
#[derive(Debug, Clone, Copy)]
pub struct Ask<'a> {
    /// The search.
    pub search: &'a Search,
    /// The query of the ladder that is asked now; none for sources that take plain words.
    pub step: Option<&'a Step>,
    /// The place of the first paper.
    pub offset: u32,
    /// How many papers.
    pub count: u32,
}

/// What a source knows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Listed {
    /// How many papers there are in all.
    pub total: u64,
    /// Those that were asked for, the best first.
    pub papers: Vec<Paper>,
}

/// Why a source did not answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// It wants to be left alone for a while.
    #[error("{reason}")]
    RateLimited {
        /// On one line.
        reason: String,
        /// For how long.
        pause: Duration,
    },
    /// It cannot be reached, fails, or sends what cannot be read.
    #[error("{reason}")]
    Unavailable {
        /// On one line.
        reason: String,
        /// For how long it is to be left alone, where it said so or is overloaded.
        pause: Option<Duration>,
    },
    /// It does not take the question.
    #[error("{0}")]
    Refused(String),
}

impl SourceError {
    fn unavailable(reason: impl Into<String>) -> Self {
        Self::Unavailable {
            reason: reason.into(),
            pause: None,
        }
    }

    /// For how long the source is to be left alone.
    fn pause(&self) -> Option<Duration> {
        match self {
            Self::RateLimited { pause, .. } => Some(*pause),
            Self::Unavailable { pause, .. } => *pause,
            Self::Refused(_) => None,
        }
    }

    fn report(&self, source: SourceKind) -> SourceReport {
        let status = match self {
            Self::RateLimited { .. } => Status::RateLimited,
            Self::Unavailable { .. } | Self::Refused(_) => Status::Unavailable,
        };
        SourceReport {
            status,
            reason: Some(self.to_string()),
            retry_after_seconds: self.pause().map(|pause| pause.as_secs().max(1)),
            ..SourceReport::ok(source)
        }
    }
}

/// Somebody who knows papers. One call is one request, which ends within [`ATTEMPT`]; nothing is tried again in it.
#[async_trait]
pub trait PaperSource: Send + Sync + fmt::Debug {
    /// Who it is. What is asked of [`SourceKind::Arxiv`] waits for its turn.
    fn kind(&self) -> SourceKind;

    /// Searches.
    async fn search(&self, ask: Ask<'_>) -> Result<Listed, SourceError>;

    /// Looks papers up; those that it does not know are missing, the order is any.
    async fn papers(&self, ids: &[PaperId]) -> Result<Vec<Paper>, SourceError>;
}

/// The use cases of papers. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Literature {
    sources: Vec<Arc<dyn PaperSource>>,
    cache: Arc<dyn Cache>,
    slots: Arc<dyn Slots>,
    clock: Arc<dyn Clock>,
    /// Callers of this process who wait for a turn do so one behind the other.
    queue: Arc<Mutex<()>>,
    /// Places for those who ask Semantic Scholar.
    places: Arc<Semaphore>,
}

impl Literature {
    /// Use cases over these sources. Without any, every search is answered as unavailable.
    #[must_use]
    pub fn new(
        sources: Vec<Arc<dyn PaperSource>>,
        cache: Arc<dyn Cache>,
        slots: Arc<dyn Slots>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self {
            sources,
            cache,
            slots,
            clock,
            queue: Arc::default(),
            places: Arc::new(Semaphore::new(S2_AT_ONCE)),
        }
    }

    /// The same over other sources.
    #[must_use]
    pub fn with_sources(self, sources: Vec<Arc<dyn PaperSource>>) -> Self {
        Self { sources, ..self }
    }

    /// Searches all sources that the search names. Never fails, and answers within 18 s: what failed stands in the
    /// answer. It may be dropped at any point, which ends its requests.
    pub async fn search(&self, search: &Search) -> SearchAnswer {
        let deadline = Instant::now() + SOURCES;
        let ladder = ladder(search);
        let asked: Vec<_> = self
            .sources
            .iter()
            .filter(|source| search.asks(source.kind()))
            .collect();
        let answers = join_all(
            asked
                .iter()
                .map(|source| self.ask_search(source, search, &ladder, deadline)),
        );
        let answers = answers.await;

        let mut reports = Vec::new();
        let mut lists = Vec::new();
        let mut reached = false;
        let mut at = self.clock.now();
        for (source, told) in asked.iter().zip(answers) {
            at = at.min(told.at);
            let more = |list: &Listed| {
                let seen = u64::from(search.offset()) + list.papers.len() as u64;
                !list.papers.is_empty() && seen < list.total
            };
            reached |= told.list.as_ref().is_some_and(more);
            // arXiv comes first, where both place a paper alike.
            let place = usize::from(source.kind() != SourceKind::Arxiv);
            lists.push((place, told.list.map(|list| list.papers).unwrap_or_default()));
            reports.push(told.report);
        }
        lists.sort_by_key(|(place, _)| *place);
        let mut found = merge(lists.into_iter().map(|(_, list)| list).collect());
        if search.sort() == Sort::Date {
            newest_first(&mut found);
        }
        let first = search.start() % search.span();
        let window_start = search.start() - first;
        let all = found.len() as u32;
        let end = first.saturating_add(search.max_results()).min(all);
        let papers: Vec<_> = found
            .into_iter()
            .skip(first as usize)
            .take(search.max_results() as usize)
            .collect();
        let next = if end < all {
            Some(window_start + end.max(first))
        } else {
            Some(window_start + search.span()).filter(|next| reached && *next <= MAX_START)
        };
        // Copies that stood in are kept already, as the copies that they are.
        if reports.iter().all(|report| report.copy_of.is_none()) {
            self.keep_papers(&papers, at).await;
        }
        let status = if asked.is_empty() {
            Status::Unavailable
        } else {
            answer::overall(&reports)
        };
        let (reason, wait) = answer::reasons(&reports);
        SearchAnswer {
            status,
            reason: if asked.is_empty() {
                Some("no source of papers is set up".to_owned())
            } else {
                reason
            },
            retry_after_seconds: wait.filter(|_| status != Status::Ok),
            start: search.start(),
            next_start: next,
            papers,
            sources: reports,
            notes: if search.asks(SourceKind::Arxiv) {
                ladder.notes
            } else {
                Vec::new()
            },
        }
    }

    /// Looks papers up, at most [`MAX_IDS`]. Never fails, and answers within 18 s. It may be dropped as a search may.
    pub async fn papers(&self, ids: &[PaperId]) -> PapersAnswer {
        let deadline = Instant::now() + SOURCES;
        let mut wanted: Vec<PaperId> = Vec::new();
        for id in ids {
            if !wanted.contains(id) {
                wanted.push(id.clone());
            }
        }
        let beyond = wanted.split_off(wanted.len().min(MAX_IDS));
        let kept = join_all(wanted.iter().map(|id| self.kept_paper(id))).await;
        let mut kept: BTreeMap<&PaperId, Kept<Paper>> = wanted
            .iter()
            .zip(kept)
            .filter_map(|(id, kept)| Some((id, kept?)))
            .collect();
        let now = self.clock.now();
        let fresh = |id: &PaperId, source: SourceKind| {
            let kept = kept.get(id).filter(|kept| kept.is_fresh(now));
            kept.is_some_and(|kept| kept.value.sources.contains(&source) || kept.asked.contains(&source))
        };
        let is_arxiv = |id: &&PaperId| matches!(id, PaperId::Arxiv { .. });
        let for_arxiv: Vec<_> = wanted
            .iter()
            .filter(is_arxiv)
            .filter(|id| !fresh(id, SourceKind::Arxiv))
            .cloned()
            .collect();
        let for_s2: Vec<_> = wanted.iter().filter(|id| !fresh(id, SourceKind::S2)).cloned().collect();

        let questions = self.sources.iter().filter_map(|source| {
            let ids = match source.kind() {
                SourceKind::Arxiv => &for_arxiv,
                SourceKind::S2 => &for_s2,
            };
            (!ids.is_empty()).then_some(async move {
                let answered = self.ask_papers(source, ids, deadline).await;
                (source.kind(), answered)
            })
        });
        let answers = join_all(questions).await;

        let mut reports = Vec::new();
        let mut told: BTreeMap<SourceKind, Vec<Paper>> = BTreeMap::new();
        for (kind, answered) in answers {
            match answered {
                Ok(papers) => {
                    reports.push(SourceReport::ok(kind));
                    told.insert(kind, papers);
                }
                Err(error) => reports.push(error.report(kind)),
            }
        }
        let mut answer = PapersAnswer {
            status: Status::Ok,
            reason: None,
            retry_after_seconds: None,
            papers: Vec::new(),
            unknown: Vec::new(),
            missed: Vec::new(),
            sources: Vec::new(),
        };
        let mut to_keep = Vec::new();
        for id in &wanted {
            let mut records: Vec<Paper> = Vec::new();
            let asked: Vec<SourceKind> = told.keys().copied().collect();
            for papers in told.values() {
                records.extend(named(papers, id).cloned());
            }
            let old = kept.remove(id);
            let home = if is_arxiv(&id) {
                SourceKind::Arxiv
            } else {
                SourceKind::S2
            };
            let home_answered = told.contains_key(&home);
            match old {
                Some(old) if old.is_fresh(now) || !home_answered => {
                    // What was known already, with what is new.
                    let copy_of = (!old.is_fresh(now)).then(|| old.day());
                    let news = !records.is_empty() || !asked.is_empty();
                    records.insert(0, old.value);
                    let paper = as_one(records);
                    if copy_of.is_none() && news {
                        to_keep.push((id.clone(), paper.clone(), asked));
                    }
                    answer.papers.push(Found {
                        id: id.clone(),
                        paper,
                        copy_of,
                    });
                }
                _ if !records.is_empty() => {
                    let paper = as_one(records);
                    // Without the source that knows it best, it is no answer to keep.
                    if home_answered {
                        to_keep.push((id.clone(), paper.clone(), asked));
                    }
                    answer.papers.push(Found {
                        id: id.clone(),
                        paper,
                        copy_of: None,
                    });
                }
                _ if home_answered => answer.unknown.push(id.clone()),
                _ => answer.missed.push(id.clone()),
            }
        }
        self.keep_looked_up(&to_keep).await;

        answer.missed.extend(beyond.iter().cloned());
        answer.status = self.status_of(&answer, &reports);
        (answer.reason, answer.retry_after_seconds) = answer::reasons(&reports);
        if self.sources.is_empty() && answer.status != Status::Ok {
            answer.reason = Some("no source of papers is set up".to_owned());
        } else if !beyond.is_empty() && answer.reason.is_none() {
            answer.reason = Some(format!("at most {MAX_IDS} papers are looked up at once"));
        }
        answer.sources = reports;
        answer
    }

    /// The title of a paper, if it was seen before; nobody is asked.
    pub async fn title_of(&self, id: &PaperId) -> Option<String> {
        let kept = self.kept_paper(id).await?;
        Some(kept.value.title).filter(|title| !title.is_empty())
    }

    /// The status of a look-up: what was found counts, whoever failed.
    fn status_of(&self, answer: &PapersAnswer, reports: &[SourceReport]) -> Status {
        let known = !answer.papers.is_empty() || !answer.unknown.is_empty();
        let all_well = reports.iter().all(|report| report.status == Status::Ok);
        let old = answer.papers.iter().any(|found| found.copy_of.is_some());
        match (known, all_well && answer.missed.is_empty() && !old) {
            (true, true) => Status::Ok,
            (true, false) => Status::Partial,
            (false, _) if answer.missed.is_empty() => Status::Ok,
            (false, _) if reports.is_empty() => Status::Unavailable,
            (false, _) => match answer::overall(reports) {
                // One source answered, though not the one that would know these.
                Status::Ok | Status::Partial => reports
                    .iter()
                    .find(|report| report.status != Status::Ok)
                    .map_or(Status::Unavailable, |report| report.status),
                failed => failed,
            },
        }
    }
}

/// The records in `papers` that `id` names. A version of an arXiv id names that version; without one the newest.
fn named<'p>(papers: &'p [Paper], id: &PaperId) -> impl Iterator<Item = &'p Paper> {
    let mut matching: Vec<&Paper> = papers
        .iter()
        .filter(|paper| {
            let same_version = match id {
                PaperId::Arxiv {
                    version: Some(version), ..
                } => paper.arxiv_version.is_none_or(|found| found == *version),
                _ => true,
            };
            same_version && paper.ids().contains(&id.newest())
        })
        .collect();
    if let Some(newest) = matching.iter().filter_map(|paper| paper.arxiv_version).max() {
        matching.retain(|paper| paper.arxiv_version.is_none_or(|version| version == newest));
    }
    matching.into_iter()
}

#[cfg(test)]
mod tests;
