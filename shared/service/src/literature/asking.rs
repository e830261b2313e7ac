//! One question to one source: what is kept comes first, arXiv in turn and by its ladder, Semantic Scholar once and by
//! few at a time. Whoever asks may go away at any point: the future is dropped, and with it the request, the turn and the
//! place.

use super::kept::{KeptList, search_key};
use super::{ATTEMPT, Ask, Listed, Literature, PaperSource, S2_AT_ONCE, SourceError, USEFUL};
use crate::clock::Timestamp;
use meadow_papers::answer::{SourceReport, Status};
use meadow_papers::query::{Ladder, Step};
use meadow_papers::search::{Search, WINDOW};
use meadow_papers::{Paper, PaperId, SourceKind};
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::SemaphorePermit;
use tokio::time::{Instant, timeout_at};

/// How long Semantic Scholar is left alone after it was too busy or failed.
const S2_PAUSE: Duration = Duration::from_secs(60);

/// What came of a question to one source.
#[derive(Debug)]
pub(super) struct Told {
    /// What it found; none where it was not asked or did not answer.
    pub(super) list: Option<Listed>,
    /// How it went.
    pub(super) report: SourceReport,
    /// The time that the list is of.
    pub(super) at: Timestamp,
}

/// A list, and what kept the source from looking further.
type Answered = Result<(KeptList, Option<SourceError>), SourceError>;

impl Literature {
    /// What a source finds, and how it went.
    pub(super) async fn ask_search(
        &self,
        source: &Arc<dyn PaperSource>,
        search: &Search,
        ladder: &Ladder,
        deadline: Instant,
    ) -> Told {
        let kind = source.kind();
        if kind == SourceKind::Arxiv && ladder.steps.is_empty() {
            let report = SourceReport {
                reason: Some("not asked, for want of English words".to_owned()),
                ..SourceReport::ok(kind)
            };
            return Told {
                list: None,
                report,
                at: self.clock.now(),
            };
        }
        let key = search_key(&search.canonical(kind));
        let old = self.kept_list(&key).await;
        let told = |list: &KeptList| SourceReport {
            total: Some(list.total),
            level: list.level,
            ..SourceReport::ok(kind)
        };
        if let Some(fresh) = old.as_ref().filter(|old| old.is_fresh(self.clock.now())) {
            return Told {
                report: told(&fresh.value),
                at: fresh.at(),
                list: Some(fresh.value.clone().listed()),
            };
        }
        let answered = match kind {
            SourceKind::Arxiv => self.climb(source, search, ladder, deadline).await,
            SourceKind::S2 => self.ask_s2(source, search, deadline).await,
        };
        let (list, report) = match (answered, old) {
            (Ok((list, None)), _) => {
                self.keep_list(&key, &list).await;
                let report = told(&list);
                (Some(list.listed()), report)
            }
            // Nothing was found, and looser queries could not be tried: no answer to keep.
            (Ok((list, Some(error))), None) => {
                let report = SourceReport {
                    status: Status::Partial,
                    reason: Some(format!("nothing yet, and looser queries were not tried: {error}")),
                    total: Some(list.total),
                    level: list.level,
                    ..error.report(kind)
                };
                (Some(list.listed()), report)
            }
            (Ok((_, Some(error))) | Err(error), Some(old)) => {
                let report = SourceReport {
                    status: Status::Partial,
                    copy_of: Some(old.day()),
                    total: Some(old.value.total),
                    level: old.value.level,
                    ..error.report(kind)
                };
                (Some(old.value.listed()), report)
            }
            (Err(error), None) => {
                tracing::info!(source = kind.as_str(), %error, "literature.source_failed");
                (None, error.report(kind))
            }
        };
        Told {
            list,
            report,
            at: self.clock.now(),
        }
    }

    /// arXiv's ladder: a looser query where a stricter one found nothing, as long as there is time; what ended it where
    /// it was not climbed to its end.
    async fn climb(
        &self,
        source: &Arc<dyn PaperSource>,
        search: &Search,
        ladder: &Ladder,
        deadline: Instant,
    ) -> Answered {
        let mut found: Option<(&Step, Listed)> = None;
        let mut cut = None;
        let first = ladder.steps.first();
        // An empty first page may be a mistake of arXiv's: it is asked for once more.
        let again = first.filter(|_| search.offset() == 0);
        for step in first.into_iter().chain(again).chain(ladder.steps.iter().skip(1)) {
            let ask = Ask {
                search,
                step: Some(step),
                offset: search.offset(),
                count: WINDOW,
            };
            match self.in_turn(deadline, source.search(ask)).await {
                Ok(listed) => {
                    let nothing = listed.total == 0 && listed.papers.is_empty();
                    found = Some((step, listed));
                    if !nothing {
                        break;
                    }
                }
                Err(error) if found.is_none() => return Err(error),
                Err(error) => {
                    cut = Some(error);
                    break;
                }
            }
        }
        let (step, listed) = found.ok_or_else(|| SourceError::Refused("there is nothing to ask for".to_owned()))?;
        let list = KeptList {
            total: listed.total,
            papers: listed.papers,
            level: Some(step.level),
        };
        Ok((list, cut))
    }

    async fn ask_s2(&self, source: &Arc<dyn PaperSource>, search: &Search, deadline: Instant) -> Answered {
        let ask = Ask {
            search,
            step: None,
            offset: search.offset(),
            count: WINDOW,
        };
        let listed = self.in_place(source.kind(), deadline, source.search(ask)).await?;
        let list = KeptList {
            total: listed.total,
            papers: listed.papers,
            level: None,
        };
        Ok((list, None))
    }

    /// Looks ids up at one source.
    pub(super) async fn ask_papers(
        &self,
        source: &Arc<dyn PaperSource>,
        ids: &[PaperId],
        deadline: Instant,
    ) -> Result<Vec<Paper>, SourceError> {
        match source.kind() {
            SourceKind::Arxiv => self.in_turn(deadline, source.papers(ids)).await,
            SourceKind::S2 => self.in_place(SourceKind::S2, deadline, source.papers(ids)).await,
        }
    }

    /// One request to arXiv when it is our turn.
    async fn in_turn<T>(
        &self,
        deadline: Instant,
        request: impl Future<Output = Result<T, SourceError>>,
    ) -> Result<T, SourceError> {
        let mut held = self.turn(deadline).await?;
        let answered = within(deadline, request).await;
        let error = answered.as_ref().err();
        let pause = error.and_then(SourceError::pause);
        held.ended(pause);
        // The turn that comes late keeps others away; why it does is told to them from here.
        if let (Some(error), Some(pause)) = (error, pause) {
            self.pause(SourceKind::Arxiv, error, pause).await;
        }
        held.give_back().await;
        answered
    }

    /// One request to a source that is not being left alone, when there is a place for it.
    async fn in_place<T>(
        &self,
        source: SourceKind,
        deadline: Instant,
        request: impl Future<Output = Result<T, SourceError>>,
    ) -> Result<T, SourceError> {
        let _place = self.place(source, deadline).await?;
        let answered = within(deadline, request).await;
        if let Err(error) = &answered
            && let Some(pause) = error.pause()
        {
            self.pause(source, error, pause.max(S2_PAUSE)).await;
        }
        answered
    }

    /// Waits for a place among those who ask the source, as long as it is not being left alone.
    async fn place(&self, source: SourceKind, deadline: Instant) -> Result<SemaphorePermit<'_>, SourceError> {
        if let Some(left_alone) = self.paused(source).await {
            return Err(left_alone);
        }
        if let Ok(place) = self.places.try_acquire() {
            return Ok(place);
        }
        let Ok(Ok(place)) = timeout_at(deadline - USEFUL, self.places.acquire()).await else {
            return Err(SourceError::Unavailable {
                reason: format!("too many searches run here: {S2_AT_ONCE} at a time ask it, and none was done in time"),
                pause: Some(ATTEMPT),
            });
        };
        // Those who asked meanwhile may have been told to leave it alone.
        match self.paused(source).await {
            Some(left_alone) => Err(left_alone),
            None => Ok(place),
        }
    }
}

/// One attempt.
async fn within<T>(deadline: Instant, request: impl Future<Output = Result<T, SourceError>>) -> Result<T, SourceError> {
    let end = deadline.min(Instant::now() + ATTEMPT);
    match timeout_at(end, request).await {
        Ok(answered) => answered,
        Err(_) => Err(SourceError::unavailable("it did not answer in time")),
    }
}
