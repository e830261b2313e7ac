//! What is cached, and turns: lost replies, what stands in the items, and items that are damaged.

use super::wire::{Fate, Wire};
use super::{NOON, Table, server};
use crate::DynamoStore;
use crate::keys::{self, EXPIRES_AT, Item, text};
use meadow_service::{Cache, Slots, StoreError, Timestamp, Turn, WriteId};
use std::time::Duration;

const LEASE: Duration = Duration::from_secs(10);
const A: WriteId = WriteId(1);
const B: WriteId = WriteId(2);

fn at(seconds: u64) -> Timestamp {
    Timestamp(NOON.0 + seconds * 1000)
}

/// A store, and one of whose requests the first meets a fate.
async fn with_fault(url: &str, fault: Fate) -> (DynamoStore, DynamoStore, Wire) {
    let table = Table::new(url).await;
    let wire = Wire::new(move |request| if request == 0 { fault } else { Fate::Answered });
    let faulty = table.store_with(|config| config.http_client(wire.clone())).await;
    (table.store().await, faulty, wire)
}

const FAULTS: [Fate; 3] = [
    Fate::ReplyLost,
    Fate::Lost,
    Fate::Refused(400, "ProvisionedThroughputExceededException"),
];

/// The SDK sends a request again whose reply was lost. It meets what it did itself, and is answered as the first time.
#[tokio::test(flavor = "multi_thread")]
async fn a_lost_reply_changes_no_answer() {
    let Some(url) = server("MEADOW_DYNAMODB") else {
        return;
    };
    for fault in FAULTS {
        let (store, faulty, wire) = with_fault(&url, fault).await;
        assert!(
            !faulty.mark("k", NOON, at(10)).await.expect("marks"),
            "{fault:?}: the first"
        );
        assert_eq!(wire.count(), 2, "{fault:?}: it was sent again");
        assert!(
            store.mark("k", NOON, at(10)).await.expect("marks"),
            "{fault:?}: it is there"
        );
        assert!(
            faulty.mark("k", NOON, at(10)).await.expect("marks"),
            "{fault:?}: another one's"
        );

        let (store, faulty, wire) = with_fault(&url, fault).await;
        assert_eq!(
            faulty.take("s", A, NOON, LEASE).await.expect("takes"),
            Turn::Yours,
            "{fault:?}"
        );
        assert_eq!(wire.count(), 2, "{fault:?}: it was sent again");
        assert_eq!(
            store.take("s", B, NOON, LEASE).await.expect("takes"),
            Turn::Wait(at(10))
        );

        let (store, faulty, wire) = with_fault(&url, fault).await;
        assert_eq!(store.take("s", A, NOON, LEASE).await.expect("takes"), Turn::Yours);
        faulty.give_back("s", A, at(3)).await.expect("gives back");
        assert_eq!(wire.count(), 2, "{fault:?}: it was sent again");
        assert_eq!(
            store.take("s", B, NOON, LEASE).await.expect("takes"),
            Turn::Wait(at(3)),
            "{fault:?}"
        );
        assert_eq!(
            store.take("s", B, at(3), LEASE).await.expect("takes"),
            Turn::Yours,
            "{fault:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn faults_that_stay_are_told() {
    let Some(url) = server("MEADOW_DYNAMODB") else {
        return;
    };
    let table = Table::new(&url).await;
    let wire = Wire::new(|_| Fate::Refused(400, "AccessDeniedException"));
    let store = table.store_with(|config| config.http_client(wire.clone())).await;
    let errors = [
        store.get("k", NOON).await.map(drop),
        store.put("k", b"v", NOON, at(1)).await,
        store.mark("k", NOON, at(1)).await.map(drop),
        store.take("s", A, NOON, LEASE).await.map(drop),
        store.give_back("s", A, NOON).await,
    ];
    for error in errors {
        assert!(
            matches!(&error, Err(StoreError::Unavailable(text)) if text.contains("refuses access")),
            "{error:?}"
        );
    }
}

/// An attribute of an item, as text.
async fn number_of(store: &DynamoStore, key: Item, name: &str) -> Option<String> {
    let item = store.item(key).await.expect("the table").expect("an item");
    item.get(name)?.as_n().ok().cloned()
}

/// DynamoDB takes an item away when its `expires_at`, in seconds, has passed: never while it still counts.
#[tokio::test(flavor = "multi_thread")]
async fn items_say_when_they_may_go() {
    let Some(url) = server("MEADOW_DYNAMODB") else {
        return;
    };
    let store = Table::new(&url).await.store().await;
    let ends = Timestamp(NOON.0 + 1500);
    let second = Some((NOON.0 / 1000 + 2).to_string());
    store.put("value", b"v", NOON, ends).await.expect("keeps");
    store.mark("mark", NOON, ends).await.expect("marks");
    store
        .take("s", A, NOON, Duration::from_millis(1500))
        .await
        .expect("takes");
    for key in [keys::cache("value"), keys::cache("mark"), keys::slot("s")] {
        assert_eq!(number_of(&store, key.clone(), EXPIRES_AT).await, second, "{key:?}");
    }
    store.give_back("s", A, at(60)).await.expect("gives back");
    let later = Some((NOON.0 / 1000 + 61).to_string());
    assert_eq!(number_of(&store, keys::slot("s"), EXPIRES_AT).await, later);
    // Expired, and still there.
    assert_eq!(store.get("value", ends).await.expect("gives"), None);
    assert_eq!(number_of(&store, keys::cache("value"), EXPIRES_AT).await, second);
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_items_are_told_and_can_be_replaced() {
    let Some(url) = server("MEADOW_DYNAMODB") else {
        return;
    };
    let store = Table::new(&url).await.store().await;
    let put = async |mut item: Item, name: &str, value: &str| {
        item.insert(name.to_owned(), text(value));
        let put = store.client.put_item().table_name(&store.table);
        put.set_item(Some(item)).send().await.expect("puts");
    };
    put(keys::cache("k"), "value", "text").await;
    let error = store.get("k", NOON).await.expect_err("damaged");
    assert!(error.to_string().contains("lacks something"), "{error}");
    assert!(!store.mark("k", NOON, at(1)).await.expect("marks"), "nobody's mark");
    put(keys::cache("k"), "expires", "soon").await;
    store.put("k", b"v", NOON, at(1)).await.expect("keeps");
    assert!(store.get("k", NOON).await.expect("gives").is_some());

    put(keys::slot("s"), "holder", "somebody").await;
    assert_eq!(store.take("s", A, NOON, LEASE).await.expect("takes"), Turn::Yours);
    put(keys::slot("s"), "until", "soon").await;
    let error = store.take("s", A, NOON, LEASE).await.expect_err("damaged");
    assert!(error.to_string().contains("delete its item (SLOT#s)"), "{error}");
}
