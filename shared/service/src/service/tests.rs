//! Runs and analyses in their turns.

use super::*;
use crate::clock::SystemClock;
use crate::memory::MemoryStore;
use futures_util::FutureExt;

/// So many elements that all act on all others.
fn linked(elements: usize) -> String {
    let pairs = (0..elements).flat_map(|a| (0..elements).filter(move |b| a != *b).map(move |b| (a, b)));
    let links: Vec<_> = pairs
        .map(|(a, b)| format!(r#"{{"from":"n{a}","to":"n{b}","type":"causal","polarity":"+"}}"#))
        .collect();
    format!(r#"{{"interconnections":[{}]}}"#, links.join(","))
}

#[tokio::test]
async fn small_work_is_done_while_large_work_waits_and_one_too_many_is_refused() {
    let service = Service::new(Arc::new(MemoryStore::new()), Arc::new(SystemClock));
    let caller = Caller::default();
    let run =
        |stop: &str| format!(r#"{{"stocks":[{{"id":"s","initial":1}}],"simulation":{{"stop":{stop},"dt":0.000001}}}}"#);
    for (id, text) in [
        ("small", run("0.00001")),
        ("large", run("1e9")),
        ("few-loops", linked(4)),
        ("many-loops", linked(9)),
    ] {
        let written = service.write_model(&caller, &text, Some(id), Expectation::Any).await;
        written.expect("a document");
    }
    // Large works at work and waiting, as many as may.
    let (mut at_work, mut waiting) = (Vec::new(), Vec::new());
    loop {
        let mut turn = Box::pin(service.0.lanes.turn(Share::Whole));
        match (&mut turn).now_or_never() {
            Some(Ok(turn)) => at_work.push(turn),
            None => waiting.push(turn),
            Some(Err(_)) => break,
        }
    }
    assert_eq!(waiting.len(), 2 * at_work.len());

    let simulated = |id| service.simulate(&caller, Some(id), None, Wanted::default());
    let analysed = |id| service.analyze(&caller, Some(id), None, 10);
    let (_, small) = simulated("small").await.expect("a turn");
    assert_eq!(small.grid.expect("a run").steps, 10);
    let (_, table) = service.simulate_csv(&caller, "small", 10_000).await.expect("a turn");
    assert!(table.is_ok(), "{table:?}");
    let (_, few) = analysed("few-loops").await.expect("a turn");
    assert_eq!(few.shown.total, Some(20));

    assert!(matches!(simulated("large").await, Err(Error::Busy)));
    assert!(matches!(
        service.simulate_csv(&caller, "large", 10_000).await,
        Err(Error::Busy)
    ));
    assert!(matches!(analysed("many-loops").await, Err(Error::Busy)));
    drop((at_work, waiting));
    let (_, many) = analysed("many-loops").await.expect("a turn");
    assert_eq!((many.shown.total, many.shown.at_least), (None, 100_000));
}
