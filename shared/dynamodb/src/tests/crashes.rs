//! Writers that end between two steps.

use super::wire::{Fate, Wire};
use super::{LATER, NOON, Table, bodies, latest, model, put_of, server, stored};
use crate::DynamoStore;
use meadow_service::ports::KEPT_REVISIONS;
use meadow_service::{Expected, ModelStore, Put, PutOutcome, Workspace};

/// How a writer ends: with request `at`, which is lost, or done without anybody hearing of it.
#[derive(Debug, Clone, Copy)]
#[expect(dead_code, reason = "said where a test fails")]
struct End {
    at: usize,
    last: Fate,
}

/// Runs a put that ends at each of its requests in turn. After each, readers and writers must find a right state, and
/// the sweep must leave no garbage.
async fn end_everywhere(url: &str, revisions: u64, text: &str) {
    for last in [Fate::Lost, Fate::ReplyLost] {
        for at in 0.. {
            let end = End { at, last };
            let wire = Wire::new(move |request| match request {
                request if request < at => Fate::Answered,
                request if request == at => last,
                _ => Fate::Lost,
            });
            let table = Table::new(url).await;
            let store = table.store().await;
            for revision in 1..=revisions {
                stored(&store, "m", &format!("text {revision}")).await;
            }
            stored(&store, "other", "other").await;
            let put = put_of("m", text, Expected::Any);
            let crashing = table.store_with(|config| config.http_client(wire.clone())).await;
            let whole = crashing.put(put.clone()).await.is_ok();
            if wire.count() <= at {
                assert!(whole && at >= 4, "a put takes more requests: {end:?}");
                break;
            }
            is_right(&store, &put, revisions, whole, end).await;
        }
    }
}

async fn is_right(store: &DynamoStore, put: &Put, revisions: u64, acknowledged: bool, end: End) {
    let workspace = Workspace::default();
    let text: &str = &put.source.text;
    // Readers see the model before or after the put, and the latest model of somebody who was told so.
    let found = store.get(&workspace, &model("m"), None).await.expect("read");
    let committed = found.as_ref().is_some_and(|found| &*found.text == text);
    let before = found.as_ref().map(|found| found.text.to_string());
    let expected = (revisions > 0).then(|| format!("text {revisions}"));
    assert!(committed || before == expected, "{end:?}: {before:?}");
    let seen = latest(store).await.expect("read");
    assert!(seen == "other" || committed && seen == text, "{end:?}: {seen}");
    assert!(
        !acknowledged || committed && seen == text,
        "{end:?}: an acknowledged put is there"
    );
    // Its writer tries again: it is done once, and now acknowledged.
    let again = store.put(put.clone()).await.expect("put");
    let head = match again {
        PutOutcome::Stored(ack) | PutOutcome::Unchanged(ack) => ack.head,
        PutOutcome::Conflict(current) => panic!("{end:?}: {current:?}"),
    };
    let unchanged = expected.as_deref() == Some(text);
    assert_eq!(
        head.revision,
        if unchanged { revisions } else { revisions + 1 },
        "{end:?}"
    );
    assert_eq!(latest(store).await.expect("read"), text, "{end:?}");
    // The next writer is as any other.
    let next = stored(store, "m", "next").await.head;
    assert_eq!(next.revision, head.revision + 1, "{end:?}");
    // Nothing is left but what heads name.
    store.sweep(LATER, || false).await.expect("sweep");
    let kept = usize::try_from(next.revision.min(KEPT_REVISIONS)).expect("small");
    assert_eq!(
        bodies(store).await,
        kept + 1,
        "{end:?}: one body for each kept revision, and that of the other model"
    );
    let heads = store
        .revisions(&workspace, &model("m"), None, 100)
        .await
        .expect("read")
        .items;
    assert_eq!(heads.len(), kept, "{end:?}");
    for head in heads {
        let found = store
            .get(&workspace, &model("m"), Some(head.revision))
            .await
            .expect("read");
        assert!(found.is_some(), "{end:?}: revision {}", head.revision);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_first_put() {
    if let Some(url) = server("MEADOW_DYNAMODB") {
        end_everywhere(&url, 0, "new").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_further_put() {
    if let Some(url) = server("MEADOW_DYNAMODB") {
        end_everywhere(&url, 2, "new").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_put_of_equal_bytes() {
    if let Some(url) = server("MEADOW_DYNAMODB") {
        end_everywhere(&url, 2, "text 2").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_put_that_pushes_a_revision_out() {
    if let Some(url) = server("MEADOW_DYNAMODB") {
        end_everywhere(&url, KEPT_REVISIONS, "new").await;
    }
}

/// A body that may still be committed is not swept.
#[tokio::test(flavor = "multi_thread")]
async fn young_bodies_are_left_alone() {
    let Some(url) = server("MEADOW_DYNAMODB") else {
        return;
    };
    let table = Table::new(&url).await;
    let store = table.store().await;
    // Two reads and the body; the head is lost.
    let wire = Wire::new(|request| if request < 3 { Fate::Answered } else { Fate::Lost });
    let crashing = table.store_with(|config| config.http_client(wire.clone())).await;
    crashing
        .put(put_of("m", "new", Expected::Any))
        .await
        .expect_err("no head");
    assert_eq!(bodies(&store).await, 1);
    let swept = store.sweep(NOON, || false).await.expect("sweep");
    assert_eq!((swept.seen, swept.removed), (1, 0));
    let swept = store.sweep(LATER, || true).await.expect("sweep");
    assert_eq!(swept.removed, 0, "it was told to stop");
    let swept = store.sweep(LATER, || false).await.expect("sweep");
    assert_eq!((swept.seen, swept.removed), (1, 1));
    assert_eq!(bodies(&store).await, 0);
}
