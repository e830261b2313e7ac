//! Replies that are lost, throttling, servers that fail.

use super::wire::{Fate, Wire};
use super::{Table, bodies, latest, put_of, server, stored};
use crate::DynamoStore;
use meadow_service::{Expected, ModelStore, PutOutcome, StoreError, Timestamp};

/// A store with two models, of which `b` is the latest, and one whose requests meet a fate.
async fn with_faults(url: &str, wire: &Wire) -> (DynamoStore, DynamoStore) {
    let table = Table::new(url).await;
    let store = table.store().await;
    stored(&store, "a", "first").await;
    stored(&store, "b", "other").await;
    (store, table.store_with(|config| config.http_client(wire.clone())).await)
}

const THROTTLED: Fate = Fate::Refused(400, "ProvisionedThroughputExceededException");

/// Whatever becomes of one request of a put, the SDK's own repetition of it makes the put as if nothing had been.
#[tokio::test(flavor = "multi_thread")]
async fn one_fault_in_a_put_changes_nothing() {
    let Some(url) = server("MEADOW_DYNAMODB") else {
        return;
    };
    for fault in [
        Fate::ReplyLost,
        Fate::Lost,
        THROTTLED,
        Fate::Refused(500, "InternalServerError"),
    ] {
        let mut at = 0;
        loop {
            let wire = Wire::new(move |request| if request == at { fault } else { Fate::Answered });
            let (store, faulty) = with_faults(&url, &wire).await;
            let outcome = faulty.put(put_of("a", "second", Expected::Revision(1))).await;
            let Ok(PutOutcome::Stored(ack)) = outcome else {
                panic!("{fault:?} at request {at}: {outcome:?}");
            };
            assert_eq!(ack.head.revision, 2, "{fault:?} at {at}");
            assert_eq!(ack.previous_name.as_deref(), Some("first"));
            assert_eq!(ack.previous_latest.as_ref().map(|id| id.as_str()), Some("b"));
            assert_eq!(latest(&store).await.expect("read"), "second");
            assert_eq!(bodies(&store).await, 3, "{fault:?} at {at}: one for each revision");
            if wire.count() <= at {
                break;
            }
            at += 1;
        }
        assert!(at >= 5, "two reads, a body, the head, the pointer: {at}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn faults_that_stay_are_told() {
    let Some(url) = server("MEADOW_DYNAMODB") else {
        return;
    };
    for (fault, said) in [
        (THROTTLED, "throttles table"),
        (Fate::Refused(500, "InternalServerError"), "did not answer as it should"),
        (Fate::Lost, "the connection was reset"),
        (Fate::ReplyCut, "its answer cannot be read"),
        (
            Fate::Refused(400, "ResourceNotFoundException"),
            "there is no DynamoDB table",
        ),
        (Fate::Refused(400, "AccessDeniedException"), "refuses access"),
    ] {
        let wire = Wire::new(move |_| fault);
        let (_, faulty) = with_faults(&url, &wire).await;
        match faulty.put(put_of("a", "second", Expected::Any)).await {
            Err(StoreError::Unavailable(text)) => {
                assert!(text.contains(said), "{fault:?}: {text}");
                // What the client reads and the log keeps has nothing of an item.
                assert!(!text.contains('{') && !text.contains("first"), "{fault:?}: {text}");
            }
            other => panic!("{fault:?}: {other:?}"),
        }
        assert!(latest(&faulty).await.is_err() && faulty.ping().await.is_err());
    }
}

/// DynamoDB may answer only a part of a request for several items, or none.
#[tokio::test(flavor = "multi_thread")]
async fn items_that_are_put_off_are_asked_for_again() {
    let Some(url) = server("MEADOW_DYNAMODB") else {
        return;
    };
    // The 16 shards of the index, then the heads.
    for (put_off, comes) in [(1, true), (7, true), (usize::MAX, false)] {
        let wire = Wire::new(move |request| {
            if (16..16_usize.saturating_add(put_off)).contains(&request) {
                Fate::PutOff
            } else {
                Fate::Answered
            }
        });
        let (_, faulty) = with_faults(&url, &wire).await;
        match faulty.changed_since(Timestamp(0), None, 10).await {
            Ok(page) if comes => assert_eq!(page.items.len(), 2),
            Err(StoreError::Unavailable(text)) if !comes => assert!(text.contains("throttles"), "{text}"),
            other => panic!("{other:?}"),
        }
    }
}
