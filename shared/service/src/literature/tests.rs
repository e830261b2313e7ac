//! Searches and look-ups over sources that are told what to answer, in time that the tests move.

use super::*;
use crate::cache::MemoryCache;
use crate::clock::Timestamp;
use crate::ids::WriteId;
use crate::ports::StoreError;
use crate::slots::{MemorySlots, Slots, Turn};
use meadow_papers::Asked;
use meadow_papers::query::Level;
use std::collections::VecDeque;
use std::sync::{Mutex as StdMutex, PoisonError};
use tokio::time::sleep;

/// A clock that goes with the time of tokio.
#[derive(Debug)]
struct VirtualClock(Instant);

impl VirtualClock {
    fn new() -> Arc<Self> {
        Arc::new(Self(Instant::now()))
    }
}

/// 2026-12-01T00:00:00Z.
const EPOCH: u64 = 1_796_083_200_000;

impl Clock for VirtualClock {
    fn now(&self) -> Timestamp {
        Timestamp(EPOCH + self.0.elapsed().as_millis() as u64)
    }
}

/// What a source does next.
#[derive(Debug, Clone)]
enum Next {
    Papers(Vec<Paper>),
    Fail(SourceError),
    Hang,
}

/// A source that does as it is told and keeps a record of when it was asked.
#[derive(Debug)]
struct Told {
    kind: SourceKind,
    next: StdMutex<VecDeque<Next>>,
    takes: Duration,
    /// Beginning and end of each request.
    times: StdMutex<Vec<(Instant, Option<Instant>)>>,
    queries: StdMutex<Vec<String>>,
}

impl Told {
    fn new(kind: SourceKind, next: impl IntoIterator<Item = Next>) -> Arc<Self> {
        Arc::new(Self {
            kind,
            next: StdMutex::new(next.into_iter().collect()),
            takes: Duration::from_millis(700),
            times: StdMutex::default(),
            queries: StdMutex::default(),
        })
    }

    async fn answer(&self, query: String) -> Result<Vec<Paper>, SourceError> {
        let at = {
            let mut times = lock(&self.times);
            times.push((Instant::now(), None));
            times.len() - 1
        };
        lock(&self.queries).push(query);
        sleep(self.takes).await;
        let next = {
            let mut next = lock(&self.next);
            // The last answer stays.
            if next.len() > 1 {
                next.pop_front()
            } else {
                next.front().cloned()
            }
        };
        let answered = match next {
            Some(Next::Papers(papers)) => Ok(papers),
            Some(Next::Fail(error)) => Err(error),
            Some(Next::Hang) | None => std::future::pending().await,
        };
        lock(&self.times)[at].1 = Some(Instant::now());
        answered
    }

    fn asked(&self) -> usize {
        lock(&self.times).len()
    }
}

fn lock<T>(mutex: &StdMutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[async_trait]
impl PaperSource for Told {
    fn kind(&self) -> SourceKind {
        self.kind
    }

    async fn search(&self, ask: Ask<'_>) -> Result<Listed, SourceError> {
        let query = ask
            .step
            .map_or_else(|| ask.search.query().to_owned(), |step| step.text.clone());
        let papers = self.answer(format!("{query} @{}", ask.offset)).await?;
        let total = papers.len() as u64;
        Ok(Listed { total, papers })
    }

    async fn papers(&self, ids: &[PaperId]) -> Result<Vec<Paper>, SourceError> {
        let names: Vec<_> = ids.iter().map(PaperId::to_string).collect();
        self.answer(names.join(",")).await
    }
}

fn on_arxiv(id: &str) -> Paper {
    let Ok(PaperId::Arxiv { base, version }) = id.parse() else {
        panic!("{id}")
    };
    Paper {
        title: format!("The paper of {id}"),
        arxiv_id: Some(base),
        arxiv_version: Some(version.unwrap_or(1)),
        sources: vec![SourceKind::Arxiv],
        ..Paper::default()
    }
}

fn on_s2(id: &str) -> Paper {
    let mut paper = Paper {
        title: format!("S2 on {id}"),
        citation_count: Some(7),
        sources: vec![SourceKind::S2],
        ..Paper::default()
    };
    match id.parse() {
        Ok(PaperId::Arxiv { base, .. }) => paper.arxiv_id = Some(base),
        Ok(PaperId::Doi(doi)) => paper.doi = Some(doi),
        other => panic!("{other:?}"),
    }
    paper
}

fn search(query: &str) -> Search {
    Search::new(Asked {
        query: query.to_owned(),
        ..Asked::default()
    })
    .expect("a search")
}

fn ids(texts: &[&str]) -> Vec<PaperId> {
    texts.iter().map(|text| text.parse().expect("an id")).collect()
}

struct Desk {
    literature: Literature,
    arxiv: Arc<Told>,
    s2: Arc<Told>,
}

fn desk(arxiv: impl IntoIterator<Item = Next>, s2: impl IntoIterator<Item = Next>) -> Desk {
    let arxiv = Told::new(SourceKind::Arxiv, arxiv);
    let s2 = Told::new(SourceKind::S2, s2);
    let literature = Literature::new(
        vec![arxiv.clone(), s2.clone()],
        Arc::new(MemoryCache::new()),
        Arc::new(MemorySlots::new()),
        VirtualClock::new(),
    );
    Desk { literature, arxiv, s2 }
}

fn limited() -> Next {
    Next::Fail(SourceError::RateLimited {
        reason: "it asks for fewer requests (429)".into(),
        pause: Duration::from_secs(60),
    })
}

fn broken() -> Next {
    Next::Fail(SourceError::unavailable("no connection to it"))
}

/// An answer that came in time.
async fn timed<T>(answer: impl Future<Output = T>) -> T {
    let start = Instant::now();
    let answer = answer.await;
    let took = start.elapsed();
    assert!(took <= Duration::from_secs(18), "it took {took:?}");
    answer
}

#[tokio::test(start_paused = true)]
async fn both_sources_make_one_list_which_is_kept_for_a_day() {
    let desk = desk(
        [Next::Papers(vec![on_arxiv("2301.00010v2"), on_arxiv("2301.00011")])],
        [Next::Papers(vec![on_s2("2301.00011"), on_s2("10.1000/x")])],
    );
    let answer = timed(desk.literature.search(&search("graph"))).await;
    assert_eq!(answer.status, Status::Ok, "{answer:?}");
    let titles: Vec<_> = answer.papers.iter().map(|paper| paper.title.as_str()).collect();
    assert_eq!(
        titles,
        [
            "The paper of 2301.00011",
            "The paper of 2301.00010v2",
            "S2 on 10.1000/x"
        ]
    );
    assert_eq!((answer.papers[0].citation_count, answer.next_start), (Some(7), None));
    assert_eq!(answer.sources[0].level, Some(Level::AllWords));

    let again = timed(desk.literature.search(&search("graph"))).await;
    assert_eq!((again, desk.arxiv.asked(), desk.s2.asked()), (answer, 1, 1));
    sleep(Duration::from_secs(25 * 60 * 60)).await;
    timed(desk.literature.search(&search("graph"))).await;
    assert_eq!((desk.arxiv.asked(), desk.s2.asked()), (2, 2));
}

#[tokio::test(start_paused = true)]
async fn pages_follow_each_other_without_loss() {
    let many: Vec<_> = (0..30).map(|n| on_arxiv(&format!("2301.{n:05}"))).collect();
    let others: Vec<_> = (0..30).map(|n| on_s2(&format!("10.1000/{n}"))).collect();
    let desk = desk([Next::Papers(many)], [Next::Papers(others)]);
    let mut start = Some(0);
    let mut seen = Vec::new();
    while let Some(at) = start {
        let page = Search::new(Asked {
            query: "graph".into(),
            start: Some(at.into()),
            max_results: Some(25),
            ..Asked::default()
        });
        let answer = timed(desk.literature.search(&page.expect("a search"))).await;
        seen.extend(answer.papers.into_iter().map(|paper| paper.title));
        start = answer.next_start;
    }
    assert_eq!(seen.len(), 60);
    seen.sort();
    seen.dedup();
    assert_eq!((seen.len(), desk.arxiv.asked()), (60, 1));
}

#[tokio::test(start_paused = true)]
async fn an_empty_first_page_is_asked_for_again() {
    let desk = desk(
        [Next::Papers(vec![]), Next::Papers(vec![on_arxiv("2301.00010")])],
        [Next::Papers(vec![])],
    );
    let answer = timed(desk.literature.search(&search("graph theory"))).await;
    assert_eq!(
        (answer.papers.len(), answer.sources[0].level),
        (1, Some(Level::AllWords))
    );
    let queries = lock(&desk.arxiv.queries).clone();
    assert_eq!((queries.len(), &queries[0]), (2, &queries[1]));
}

#[tokio::test(start_paused = true)]
async fn the_ladder_is_climbed_only_where_nothing_is_found() {
    let nothing = || Next::Papers(vec![]);
    let desk = desk(
        [
            nothing(),
            nothing(),
            nothing(),
            Next::Papers(vec![on_arxiv("2301.00010")]),
        ],
        [nothing()],
    );
    let answer = timed(desk.literature.search(&search("the effect of caffeine"))).await;
    assert_eq!((answer.status, answer.papers.len()), (Status::Ok, 1));
    assert_eq!(answer.sources[0].level, Some(Level::Relaxed));
    let queries = lock(&desk.arxiv.queries).clone();
    assert_eq!(
        queries[2..],
        ["(all:effect AND all:caffeine) @0", "(all:effect OR all:caffeine) @0"]
    );
}

#[tokio::test(start_paused = true)]
async fn nothing_is_kept_for_minutes_only() {
    let desk = desk([Next::Papers(vec![])], [Next::Papers(vec![])]);
    let answer = timed(desk.literature.search(&search("zyzzyva"))).await;
    assert_eq!(
        (answer.status, answer.papers.len(), desk.arxiv.asked()),
        (Status::Ok, 0, 2)
    );
    timed(desk.literature.search(&search("zyzzyva"))).await;
    assert_eq!(desk.arxiv.asked(), 2);
    sleep(Duration::from_secs(301)).await;
    timed(desk.literature.search(&search("zyzzyva"))).await;
    assert_eq!(desk.arxiv.asked(), 4);
}

#[tokio::test(start_paused = true)]
async fn failures_stand_in_the_answer_and_are_not_kept() {
    for (arxiv, s2, status) in [
        (limited(), Next::Papers(vec![on_s2("10.1000/x")]), Status::Partial),
        (Next::Papers(vec![on_arxiv("2301.00010")]), limited(), Status::Partial),
        (limited(), broken(), Status::RateLimited),
        (broken(), limited(), Status::RateLimited),
        (broken(), broken(), Status::Unavailable),
        (Next::Hang, Next::Hang, Status::Unavailable),
        (
            Next::Fail(SourceError::Refused("incorrect id format".into())),
            broken(),
            Status::Unavailable,
        ),
    ] {
        let desk = desk([arxiv.clone()], [s2.clone()]);
        let answer = timed(desk.literature.search(&search("graph theory"))).await;
        assert_eq!(answer.status, status, "{arxiv:?} {s2:?}: {answer:?}");
        assert!(answer.reason.is_some());
        let wants_pause = matches!(status, Status::RateLimited) || matches!(status, Status::Partial);
        assert_eq!(answer.retry_after_seconds, wants_pause.then_some(60), "{answer:?}");
        // arXiv is asked again when its pause is over; at once it is not.
        let asked = desk.arxiv.asked();
        timed(desk.literature.search(&search("graph theory"))).await;
        let paused = matches!(arxiv, Next::Fail(SourceError::RateLimited { .. }));
        let found = matches!(arxiv, Next::Papers(_));
        assert_eq!(
            desk.arxiv.asked(),
            if paused || found { asked } else { asked + 1 },
            "{arxiv:?}"
        );
        sleep(Duration::from_secs(61)).await;
        timed(desk.literature.search(&search("graph theory"))).await;
        assert_eq!(desk.arxiv.asked() > asked, !found, "{arxiv:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn semantic_scholar_is_left_alone_after_it_was_too_busy() {
    let desk = desk([Next::Papers(vec![on_arxiv("2301.00010")])], [limited()]);
    timed(desk.literature.search(&search("one"))).await;
    let answer = timed(desk.literature.search(&search("two"))).await;
    assert_eq!((desk.s2.asked(), answer.status), (1, Status::Partial));
    sleep(Duration::from_secs(60)).await;
    timed(desk.literature.search(&search("three"))).await;
    assert_eq!(desk.s2.asked(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_source_that_is_left_alone_is_told_as_what_it_was() {
    let failed = Next::Fail(SourceError::Unavailable {
        reason: "it fails (500)".into(),
        pause: Some(Duration::from_secs(60)),
    });
    for (arxiv, s2, status) in [
        (broken(), failed.clone(), Status::Unavailable),
        (failed.clone(), failed.clone(), Status::Unavailable),
        (failed.clone(), limited(), Status::RateLimited),
        (limited(), failed, Status::RateLimited),
    ] {
        let desk = desk([arxiv.clone()], [s2.clone()]);
        for question in ["one", "two"] {
            let answer = timed(desk.literature.search(&search(question))).await;
            assert_eq!(answer.status, status, "{question}: {answer:?}");
            let wait = answer.retry_after_seconds;
            assert!(wait.is_some_and(|wait| (50..=60).contains(&wait)), "{answer:?}");
            let looked_up = timed(desk.literature.papers(&ids(&["2301.00010"]))).await;
            assert_eq!(looked_up.status, status, "{question}: {looked_up:?}");
        }
        assert_eq!(desk.s2.asked(), 1, "{s2:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_copy_stands_in_where_the_sources_fail() {
    let desk = desk(
        [Next::Papers(vec![on_arxiv("2301.00010")]), broken()],
        [Next::Papers(vec![on_s2("10.1000/x")]), limited()],
    );
    timed(desk.literature.search(&search("graph"))).await;
    sleep(Duration::from_secs(3 * 24 * 60 * 60)).await;
    let answer = timed(desk.literature.search(&search("graph"))).await;
    assert_eq!((answer.status, answer.papers.len()), (Status::Partial, 2), "{answer:?}");
    assert_eq!(answer.sources[0].copy_of.as_deref(), Some("2026-12-01"));
    assert!(answer.markdown().contains("from our copy of 2026-12-01"));
    let found = timed(desk.literature.papers(&ids(&["2301.00010"]))).await;
    assert_eq!(
        (found.status, found.papers[0].copy_of.as_deref()),
        (Status::Partial, Some("2026-12-01"))
    );
    sleep(Duration::from_secs(28 * 24 * 60 * 60)).await;
    let answer = timed(desk.literature.search(&search("graph"))).await;
    assert_eq!((answer.status, answer.papers.len()), (Status::RateLimited, 0));
}

#[tokio::test(start_paused = true)]
async fn slow_sources_end_in_time() {
    let mut desk = desk([Next::Papers(vec![])], [Next::Papers(vec![])]);
    for takes in [2, 5, 7, 9, 40] {
        let slow = |kind| {
            let told = Told::new(kind, [Next::Papers(vec![])]);
            Arc::new(Told {
                takes: Duration::from_secs(takes),
                ..Arc::into_inner(told).expect("one")
            })
        };
        desk.arxiv = slow(SourceKind::Arxiv);
        desk.literature.sources = vec![desk.arxiv.clone(), slow(SourceKind::S2)];
        let answer = timed(
            desk.literature
                .search(&search(&format!("the effect of caffeine {takes}"))),
        )
        .await;
        let expected = if takes > 8 {
            Status::Unavailable
        } else {
            Status::Partial
        };
        assert_eq!(answer.status, expected, "{takes}: {answer:?}");
        sleep(Duration::from_secs(30)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn arxiv_is_asked_one_at_a_time_with_three_seconds_between() {
    let arxiv = Told::new(SourceKind::Arxiv, [Next::Papers(vec![on_arxiv("2301.00010")])]);
    let slots = Arc::new(MemorySlots::new());
    let clock = VirtualClock::new();
    let desk = || {
        let cache = Arc::new(MemoryCache::new());
        Literature::new(vec![arxiv.clone()], cache, slots.clone(), clock.clone())
    };
    let (one, other) = (desk(), desk());
    let answers = join_all((0..8).map(|n| {
        let literature = if n % 2 == 0 { one.clone() } else { other.clone() };
        async move { timed(literature.search(&search(&format!("query{n}")))).await }
    }));
    let answers = answers.await;
    assert_spaced(&arxiv);
    let done = answers.iter().filter(|answer| answer.status == Status::Ok).count();
    assert!((3..8).contains(&done), "{done} of 8");
    assert_eq!(arxiv.asked(), done);
    for answer in answers.iter().filter(|answer| answer.status != Status::Ok) {
        assert!(
            answer
                .reason
                .as_deref()
                .is_some_and(|reason| reason.contains("one request at a time")),
            "{answer:?}"
        );
    }
}

#[track_caller]
fn assert_spaced(source: &Told) {
    let times = lock(&source.times);
    for pair in times.windows(2) {
        let end = pair[0].1.expect("the request before has ended");
        let gap = pair[1].0.checked_duration_since(end).expect("two at once");
        assert!(gap >= Duration::from_secs(3), "{gap:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn who_goes_away_gives_the_turn_back() {
    let desk = desk(
        [Next::Hang, Next::Papers(vec![on_arxiv("2301.00010")])],
        [Next::Papers(vec![])],
    );
    let gone = tokio::time::timeout(Duration::from_secs(2), desk.literature.search(&search("one"))).await;
    assert!(gone.is_err());
    let start = Instant::now();
    let answer = timed(desk.literature.search(&search("two"))).await;
    assert_eq!(answer.papers.len(), 1);
    // Three seconds, and its own request.
    let waited = start.elapsed() - desk.arxiv.takes;
    assert!(
        waited >= Duration::from_secs(3) && waited < Duration::from_secs(4),
        "{waited:?}"
    );
}

/// How many requests a source had open at once, at most. All of them have ended.
#[track_caller]
fn most_at_once(source: &Told) -> usize {
    let times = lock(&source.times);
    let at = |time: Instant| {
        let open = times
            .iter()
            .filter(|(from, to)| *from <= time && to.expect("it ended") > time);
        open.count()
    };
    times.iter().map(|(from, _)| at(*from)).max().unwrap_or_default()
}

/// Searches of Semantic Scholar alone.
async fn many(literature: &Literature, searches: impl Iterator<Item = u32>) -> Vec<SearchAnswer> {
    join_all(searches.map(|n| async move {
        let search = Search::new(Asked {
            query: format!("query{n}"),
            sources: Some("s2".into()),
            ..Asked::default()
        });
        timed(literature.search(&search.expect("a search"))).await
    }))
    .await
}

#[tokio::test(start_paused = true)]
async fn few_ask_semantic_scholar_at_a_time() {
    let desk = desk([], [Next::Papers(vec![on_s2("10.1000/x")])]);
    // Clones share the places; so do look-ups.
    let other = desk.literature.clone();
    let wanted = ids(&["10.1000/x"]);
    let (some, others, looked_up) = tokio::join!(
        many(&desk.literature, 0..25),
        many(&other, 25..50),
        timed(other.papers(&wanted)),
    );
    for answer in some.iter().chain(&others) {
        assert_eq!((answer.status, answer.papers.len()), (Status::Ok, 1), "{answer:?}");
    }
    assert_eq!(looked_up.status, Status::Ok);
    assert_eq!((desk.s2.asked(), most_at_once(&desk.s2)), (51, S2_AT_ONCE));
}

#[tokio::test(start_paused = true)]
async fn who_gets_no_place_is_told_so_in_time() {
    let desk = desk([], [Next::Hang]);
    let answers = many(&desk.literature, 0..50).await;
    let (refused, asked): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| {
        let reason = answer.reason.as_deref().unwrap_or_default();
        reason.contains("too many searches run here")
    });
    assert_eq!(asked.len(), desk.s2.asked());
    assert!((S2_AT_ONCE..50).contains(&asked.len()), "{}", asked.len());
    for answer in refused {
        assert_eq!(
            (answer.status, answer.retry_after_seconds),
            (Status::Unavailable, Some(8))
        );
    }
    for answer in asked {
        assert!(
            answer
                .reason
                .is_some_and(|reason| reason.contains("did not answer in time"))
        );
    }
    // That is no failure of the source's: it is asked again at once.
    let before = desk.s2.asked();
    many(&desk.literature, 50..51).await;
    assert_eq!(desk.s2.asked(), before + 1);
}

#[tokio::test(start_paused = true)]
async fn who_waited_for_a_place_leaves_alone_what_was_too_busy_meanwhile() {
    let desk = desk([], [limited()]);
    let answers = many(&desk.literature, 0..50).await;
    assert_eq!(desk.s2.asked(), S2_AT_ONCE);
    assert!(answers.iter().all(|answer| answer.status == Status::RateLimited));
}

#[tokio::test(start_paused = true)]
async fn who_goes_away_leaves_the_places_to_others() {
    let desk = desk([], [Next::Hang]);
    let gone = tokio::time::timeout(Duration::from_secs(2), many(&desk.literature, 0..50)).await;
    assert!(gone.is_err());
    assert_eq!(desk.s2.asked(), S2_AT_ONCE);
    // Neither those who asked nor those who waited keep a place.
    *lock(&desk.s2.next) = [Next::Papers(vec![on_s2("10.1000/x")])].into();
    let start = Instant::now();
    let answers = many(&desk.literature, 50..51).await;
    assert_eq!((answers[0].status, start.elapsed()), (Status::Ok, desk.s2.takes));
    assert_eq!(desk.s2.asked(), S2_AT_ONCE + 1);
}

/// What hangs for whoever meets it first.
#[derive(Debug, Default)]
struct Lost<T> {
    inner: T,
    hung: std::sync::atomic::AtomicBool,
}

impl<T> Lost<T> {
    async fn hang_once(&self) {
        if !self.hung.swap(true, std::sync::atomic::Ordering::SeqCst) {
            std::future::pending::<()>().await;
        }
    }
}

/// Turns of which the first that is given back does not arrive.
#[async_trait]
impl Slots for Lost<MemorySlots> {
    async fn take(&self, name: &str, holder: WriteId, now: Timestamp, lease: Duration) -> Result<Turn, StoreError> {
        self.inner.take(name, holder, now, lease).await
    }

    async fn give_back(&self, name: &str, holder: WriteId, next: Timestamp) -> Result<(), StoreError> {
        self.hang_once().await;
        self.inner.give_back(name, holder, next).await
    }
}

/// A cache of which the first value that is put does not arrive.
#[async_trait]
impl Cache for Lost<MemoryCache> {
    async fn get(&self, key: &str, now: Timestamp) -> Result<Option<Arc<[u8]>>, StoreError> {
        self.inner.get(key, now).await
    }

    async fn put(&self, key: &str, value: &[u8], now: Timestamp, expires: Timestamp) -> Result<(), StoreError> {
        self.hang_once().await;
        self.inner.put(key, value, now, expires).await
    }

    async fn mark(&self, key: &str, now: Timestamp, expires: Timestamp) -> Result<bool, StoreError> {
        self.inner.mark(key, now, expires).await
    }
}

/// How long a second search waits for arXiv after the first was dropped, a second after its request ended.
async fn waited_after_a_drop(desk: &Desk) -> Duration {
    let first = desk.arxiv.takes + Duration::from_secs(1);
    let gone = tokio::time::timeout(first, desk.literature.search(&search("one"))).await;
    assert!(gone.is_err());
    let start = Instant::now();
    timed(desk.literature.search(&search("two"))).await;
    let times = lock(&desk.arxiv.times);
    times.get(1).map_or(Duration::MAX, |(second, _)| *second - start)
}

#[tokio::test(start_paused = true)]
async fn who_goes_away_while_the_turn_is_given_back_keeps_nobody_waiting() {
    let mut desk = desk([Next::Papers(vec![on_arxiv("2301.00010")])], [Next::Papers(vec![])]);
    desk.literature.slots = Arc::new(Lost::<MemorySlots>::default());
    let waited = waited_after_a_drop(&desk).await;
    assert!(
        (Duration::from_secs(2)..Duration::from_secs(4)).contains(&waited),
        "{waited:?}"
    );
    assert_spaced(&desk.arxiv);
}

#[tokio::test(start_paused = true)]
async fn who_goes_away_with_arxivs_wish_for_a_pause_leaves_it_to_others() {
    let mut desk = desk([limited()], [Next::Papers(vec![])]);
    desk.literature.cache = Arc::new(Lost::<MemoryCache>::default());
    // Alone, so that the value which does not arrive is its pause.
    desk.literature.sources = vec![desk.arxiv.clone()];
    assert_eq!(waited_after_a_drop(&desk).await, Duration::MAX);
    assert_eq!(desk.arxiv.asked(), 1);
}

#[tokio::test(start_paused = true)]
async fn who_goes_away_from_the_queue_of_arxiv_is_not_waited_for() {
    let desk = desk([Next::Papers(vec![on_arxiv("2301.00010")])], [Next::Papers(vec![])]);
    let searches = (0..50).map(|n| {
        let literature = desk.literature.clone();
        async move { literature.search(&search(&format!("query{n}"))).await }
    });
    let gone = tokio::time::timeout(Duration::from_secs(2), join_all(searches)).await;
    assert!(gone.is_err());
    let start = Instant::now();
    let answer = timed(desk.literature.search(&search("last"))).await;
    assert_eq!((answer.status, desk.arxiv.asked()), (Status::Ok, 2));
    let waited = start.elapsed();
    assert!(waited < Duration::from_secs(4), "{waited:?}");
    assert_spaced(&desk.arxiv);
}

/// Turns that fail, or never answer.
#[derive(Debug)]
struct NoSlots(bool);

#[async_trait]
impl Slots for NoSlots {
    async fn take(&self, _: &str, _: WriteId, _: Timestamp, _: Duration) -> Result<Turn, StoreError> {
        if self.0 {
            std::future::pending::<()>().await;
        }
        Err(StoreError::Unavailable("away".into()))
    }

    async fn give_back(&self, _: &str, _: WriteId, _: Timestamp) -> Result<(), StoreError> {
        Err(StoreError::Unavailable("away".into()))
    }
}

/// Turns that another process always takes while the question for them is on its way; its clock is `ahead`.
#[derive(Debug)]
struct Overtaken {
    slots: MemorySlots,
    clock: Arc<VirtualClock>,
    ahead: u64,
    rival: WriteId,
}

#[async_trait]
impl Slots for Overtaken {
    async fn take(&self, name: &str, holder: WriteId, now: Timestamp, lease: Duration) -> Result<Turn, StoreError> {
        sleep(Duration::from_millis(300)).await;
        let theirs = Timestamp(self.clock.now().0 + self.ahead);
        self.slots.take(name, self.rival, theirs, lease).await?;
        self.slots.take(name, holder, now, lease).await
    }

    async fn give_back(&self, name: &str, holder: WriteId, next: Timestamp) -> Result<(), StoreError> {
        self.slots.give_back(name, holder, next).await
    }
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_somebody_just_took_is_no_pause_of_arxiv() {
    for ahead in [0, 2_000] {
        let mut desk = desk([Next::Papers(vec![on_arxiv("2301.00010")])], [Next::Papers(vec![])]);
        desk.literature.slots = Arc::new(Overtaken {
            slots: MemorySlots::new(),
            clock: VirtualClock::new(),
            ahead,
            rival: WriteId::random().expect("an id"),
        });
        let answer = timed(desk.literature.search(&search("graph"))).await;
        let arxiv = answer.sources.iter().find(|source| source.source == SourceKind::Arxiv);
        let told = format!("{arxiv:?}");
        assert!(
            told.contains("one request at a time") && answer.retry_after_seconds.is_none(),
            "{told}"
        );
    }
}

/// A cache that fails, or never answers.
#[derive(Debug)]
struct NoCache(bool);

impl NoCache {
    async fn fail<T>(&self) -> Result<T, StoreError> {
        if self.0 {
            std::future::pending::<()>().await;
        }
        Err(StoreError::Unavailable("away".into()))
    }
}

#[async_trait]
impl Cache for NoCache {
    async fn get(&self, _: &str, _: Timestamp) -> Result<Option<Arc<[u8]>>, StoreError> {
        self.fail().await
    }

    async fn put(&self, _: &str, _: &[u8], _: Timestamp, _: Timestamp) -> Result<(), StoreError> {
        self.fail().await
    }

    async fn mark(&self, _: &str, _: Timestamp, _: Timestamp) -> Result<bool, StoreError> {
        self.fail().await
    }
}

#[tokio::test(start_paused = true)]
async fn without_turns_arxiv_is_not_asked() {
    for hangs in [false, true] {
        let mut desk = desk(
            [Next::Papers(vec![on_arxiv("2301.00010")])],
            [Next::Papers(vec![on_s2("10.1000/x")])],
        );
        desk.literature.slots = Arc::new(NoSlots(hangs));
        let answer = timed(desk.literature.search(&search("graph"))).await;
        assert_eq!(
            (answer.status, answer.papers.len(), desk.arxiv.asked()),
            (Status::Partial, 1, 0)
        );
        let found = timed(desk.literature.papers(&ids(&["2301.00010"]))).await;
        assert_eq!(
            (found.status, desk.arxiv.asked()),
            (Status::Unavailable, 0),
            "{found:?}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn without_a_cache_everybody_is_asked() {
    for hangs in [false, true] {
        let mut desk = desk(
            [Next::Papers(vec![on_arxiv("2301.00010")])],
            [Next::Papers(vec![on_s2("10.1000/x")])],
        );
        desk.literature.cache = Arc::new(NoCache(hangs));
        for asked in 1..3 {
            let answer = timed(desk.literature.search(&search("graph"))).await;
            assert_eq!(
                (answer.status, answer.papers.len(), desk.arxiv.asked()),
                (Status::Ok, 2, asked)
            );
        }
        desk.literature.sources = vec![
            Told::new(SourceKind::Arxiv, [Next::Hang]),
            Told::new(SourceKind::S2, [Next::Hang]),
        ];
        timed(desk.literature.search(&search("graph"))).await;
        timed(desk.literature.papers(&ids(&["2301.00010"]))).await;
    }
}

/// A clock that stands still, as a wrong one may seem to.
#[derive(Debug)]
struct Still;

impl Clock for Still {
    fn now(&self) -> Timestamp {
        Timestamp(EPOCH)
    }
}

#[tokio::test(start_paused = true)]
async fn a_clock_that_stands_still_keeps_nobody_for_ever() {
    let mut desk = desk([Next::Papers(vec![on_arxiv("2301.00010")])], [Next::Papers(vec![])]);
    desk.literature.clock = Arc::new(Still);
    assert_eq!(timed(desk.literature.search(&search("one"))).await.papers.len(), 1);
    let answer = timed(desk.literature.search(&search("two"))).await;
    assert_eq!((answer.status, desk.arxiv.asked()), (Status::Partial, 1));
}

#[tokio::test(start_paused = true)]
async fn papers_are_looked_up_in_one_request_each() {
    let desk = desk(
        [Next::Papers(vec![on_arxiv("2301.00011v3"), on_arxiv("2301.00010v1")])],
        [Next::Papers(vec![on_s2("2301.00010"), on_s2("10.1000/x")])],
    );
    let wanted = ids(&["2301.00010v1", "10.1000/X", "2301.00011", "0000.0000", "2301.00010v1"]);
    let answer = timed(desk.literature.papers(&wanted)).await;
    assert_eq!(answer.status, Status::Ok, "{answer:?}");
    let found: Vec<_> = answer
        .papers
        .iter()
        .map(|found| (found.id.to_string(), found.paper.citation_count))
        .collect();
    assert_eq!(
        found,
        [
            ("arXiv:2301.00010v1".to_owned(), Some(7)),
            ("doi:10.1000/x".to_owned(), Some(7)),
            ("arXiv:2301.00011".to_owned(), None),
        ]
    );
    assert_eq!(answer.unknown, ids(&["0000.0000"]));
    assert_eq!(
        lock(&desk.arxiv.queries)[0],
        "arXiv:2301.00010v1,arXiv:2301.00011,arXiv:0000.0000"
    );
    assert_eq!((desk.arxiv.asked(), desk.s2.asked()), (1, 1));

    // What was found is kept, also that Semantic Scholar does not know one of them.
    let again = timed(desk.literature.papers(&wanted[..3])).await;
    assert_eq!(
        (again.papers, desk.arxiv.asked(), desk.s2.asked()),
        (answer.papers, 1, 1)
    );
    let title = |id: &'static str| {
        let literature = desk.literature.clone();
        async move { literature.title_of(&id.parse().expect("an id")).await }
    };
    assert_eq!(title("2301.00011").await.as_deref(), Some("The paper of 2301.00011v3"));
    assert_eq!(title("10.1000/x").await.as_deref(), Some("S2 on 10.1000/x"));
    assert_eq!(title("2301.99999").await, None);
    sleep(Duration::from_secs(20 * 24 * 60 * 60)).await;
    assert!(title("2301.00011").await.is_some());
    assert_eq!(desk.arxiv.asked(), 1);
}

#[tokio::test(start_paused = true)]
async fn what_nobody_could_say_is_missed_not_unknown() {
    let desk = desk([broken()], [Next::Papers(vec![on_s2("2301.00010")])]);
    let answer = timed(desk.literature.papers(&ids(&["2301.00010", "2301.00011", "10.1000/x"]))).await;
    assert_eq!(answer.status, Status::Partial);
    assert_eq!(answer.papers[0].paper.title, "S2 on 2301.00010");
    assert_eq!(
        (answer.missed, answer.unknown),
        (ids(&["2301.00011"]), ids(&["10.1000/x"]))
    );
    // Half an answer is none to keep.
    timed(desk.literature.papers(&ids(&["2301.00010"]))).await;
    assert_eq!(desk.arxiv.asked(), 2);

    let many: Vec<String> = (0..25).map(|n| format!("2301.{n:05}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let answer = timed(desk.literature.papers(&ids(&many))).await;
    assert_eq!((answer.papers.len(), answer.missed.len()), (1, 24));
    assert!(lock(&desk.arxiv.queries)[2].matches(',').count() == 19);
}

#[tokio::test(start_paused = true)]
async fn what_a_search_found_is_known() {
    let desk = desk(
        [Next::Papers(vec![on_arxiv("2301.00010")])],
        [Next::Papers(vec![on_s2("2301.00010")])],
    );
    timed(desk.literature.search(&search("graph"))).await;
    let answer = timed(desk.literature.papers(&ids(&["2301.00010"]))).await;
    assert_eq!((answer.status, desk.arxiv.asked(), desk.s2.asked()), (Status::Ok, 1, 1));
}

#[tokio::test(start_paused = true)]
async fn chinese_words_are_not_for_arxiv() {
    let desk = desk([Next::Papers(vec![])], [Next::Papers(vec![on_s2("10.1000/x")])]);
    let answer = timed(desk.literature.search(&search("中国开源人才的现状"))).await;
    assert_eq!(
        (answer.status, answer.papers.len(), desk.arxiv.asked()),
        (Status::Ok, 1, 0)
    );
    assert!(answer.notes[0].contains("English key words"), "{:?}", answer.notes);
}

#[tokio::test(start_paused = true)]
async fn without_sources_nothing_can_be_said() {
    let mut desk = desk([broken()], [broken()]);
    desk.literature.sources.clear();
    let answer = timed(desk.literature.search(&search("graph"))).await;
    assert_eq!(
        (answer.status, answer.reason.as_deref()),
        (Status::Unavailable, Some("no source of papers is set up"))
    );
    let answer = timed(desk.literature.papers(&ids(&["2301.00010"]))).await;
    assert_eq!(
        (answer.status, answer.reason.as_deref()),
        (Status::Unavailable, Some("no source of papers is set up"))
    );
}
