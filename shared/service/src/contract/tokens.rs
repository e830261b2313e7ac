//! What [`TokenStore`] promises, held against a real store.

use super::together;
use super::trial::NOON;
use crate::clock::Timestamp;
use crate::ids::Workspace;
use crate::tokens::{TokenRecord, TokenStore};
use meadow_access::{Scope, Scopes, TokenId};
use std::sync::Arc;

/// How many tasks race.
const TASKS: usize = 32;

/// Runs every case on a store of its own. `rounds` says for how long the races go on.
///
/// # Panics
/// When a case fails.
pub async fn assert_keeps_the_contract(make: impl Fn() -> Arc<dyn TokenStore>, rounds: usize) {
    what_was_put_is_read_back(&*make()).await;
    a_record_is_made_once(&*make()).await;
    the_same_record_again_is_answered_as_the_first_time(&*make()).await;
    the_earliest_revocation_counts(&*make()).await;
    what_was_never_made_is_not_there(&*make()).await;
    the_list_is_by_time_and_id(&*make()).await;
    of_racing_creators_exactly_one_wins(make(), rounds).await;
    racing_revocations_keep_the_earliest(make(), rounds).await;
}

/// A record whose id is made from `number`, with the secret's hash made from `secret`.
fn record(number: usize, secret: u8) -> TokenRecord {
    TokenRecord {
        id: id(number),
        name: format!("token {number}, \u{201e}Bücher\u{201c} 🌊"),
        workspace: Workspace::new(&format!("team-{}", number % 3)).expect("a workspace"),
        scopes: Scopes::from(Scope::ALL[number % Scope::ALL.len()]),
        hash: [secret; 32],
        created: Timestamp(NOON.0 + number as u64),
        expires: number.is_multiple_of(2).then_some(Timestamp(NOON.0 + 90_000)),
        revoked: None,
    }
}

fn id(number: usize) -> TokenId {
    let digits: String = (0..10)
        .rev()
        .map(|place| char::from(b'a' + (number / 16_usize.pow(place) % 16) as u8))
        .collect();
    digits.parse().expect("an id")
}

async fn made(store: &dyn TokenStore, record: &TokenRecord) {
    assert!(store.put(record).await.expect("the store puts"), "{record:?} is new");
}

async fn found(store: &dyn TokenStore, number: usize) -> Option<TokenRecord> {
    store.get(id(number)).await.expect("the store gets")
}

async fn revoked(store: &dyn TokenStore, number: usize, at: u64) -> Option<Timestamp> {
    let record = store
        .revoke(id(number), Timestamp(at))
        .await
        .expect("the store revokes");
    record.expect("a record").revoked
}

async fn what_was_put_is_read_back(store: &dyn TokenStore) {
    let all = TokenRecord {
        scopes: Scopes::all(),
        expires: None,
        ..record(5, 5)
    };
    for record in [record(1, 1), record(2, 2), all, record(6, 0xff)] {
        made(store, &record).await;
        let read = store.get(record.id).await.expect("the store gets");
        assert_eq!(read, Some(record));
    }
}

async fn a_record_is_made_once(store: &dyn TokenStore) {
    let first = record(1, 1);
    made(store, &first).await;
    let other = TokenRecord {
        name: "another".into(),
        ..record(1, 2)
    };
    assert!(!store.put(&other).await.expect("the store puts"), "the id is taken");
    assert_eq!(found(store, 1).await, Some(first.clone()));
    // Nor is a revoked one made anew.
    revoked(store, 1, NOON.0).await;
    assert!(!store.put(&other).await.expect("the store puts"), "the id is taken");
    assert_eq!(found(store, 1).await, Some(first.revoked_at(NOON)));
}

async fn the_same_record_again_is_answered_as_the_first_time(store: &dyn TokenStore) {
    let first = record(1, 1);
    made(store, &first).await;
    made(store, &first).await;
    revoked(store, 1, NOON.0).await;
    made(store, &first).await;
    let read = found(store, 1).await.and_then(|record| record.revoked);
    assert_eq!(read, Some(NOON), "a repeated put does not take a revocation back");
}

async fn the_earliest_revocation_counts(store: &dyn TokenStore) {
    made(store, &record(1, 1)).await;
    made(store, &record(2, 2)).await;
    for (at, counts) in [(5000, 5000), (6000, 5000), (4000, 4000), (4000, 4000), (9000, 4000)] {
        assert_eq!(revoked(store, 1, at).await, Some(Timestamp(counts)), "{at}");
        assert_eq!(found(store, 1).await, Some(record(1, 1).revoked_at(Timestamp(counts))));
    }
    assert_eq!(found(store, 2).await, Some(record(2, 2)), "others stay as they are");
}

async fn what_was_never_made_is_not_there(store: &dyn TokenStore) {
    assert_eq!(found(store, 1).await, None);
    let revoked = store.revoke(id(1), NOON).await.expect("the store revokes");
    assert_eq!(revoked, None);
    assert_eq!(found(store, 1).await, None, "revoking makes nothing");
    assert_eq!(store.list().await.expect("the store lists"), []);
}

async fn the_list_is_by_time_and_id(store: &dyn TokenStore) {
    let mut expected: Vec<_> = (0..250).map(|number| record(number, number as u8)).collect();
    for at in [3, 5, 8] {
        expected[at].created = expected[7].created;
    }
    for record in expected.iter().rev() {
        made(store, record).await;
    }
    revoked(store, 9, NOON.0).await;
    expected[9].revoked = Some(NOON);
    expected.sort_by_key(|record| (record.created, record.id));
    assert_eq!(store.list().await.expect("the store lists"), expected);
}

async fn of_racing_creators_exactly_one_wins(store: Arc<dyn TokenStore>, rounds: usize) {
    for round in 0..rounds {
        let racers = (0..TASKS).map(|task| {
            let store = Arc::clone(&store);
            async move {
                let record = record(round, task as u8);
                store.put(&record).await.expect("the store puts").then_some(record)
            }
        });
        let won: Vec<_> = together(racers.collect()).await.into_iter().flatten().collect();
        assert_eq!(won.len(), 1, "round {round}: {won:?}");
        assert_eq!(found(&*store, round).await.as_ref(), won.first(), "round {round}");
    }
}

async fn racing_revocations_keep_the_earliest(store: Arc<dyn TokenStore>, rounds: usize) {
    for round in 0..rounds {
        made(&*store, &record(round, 1)).await;
        let racers = (1..=TASKS as u64).map(|task| {
            let store = Arc::clone(&store);
            async move { (task, revoked(&*store, round, task * 7 % 33 + 1).await) }
        });
        for (task, at) in together(racers.collect()).await {
            assert!(
                at <= Some(Timestamp(task * 7 % 33 + 1)),
                "round {round}, task {task}: {at:?}"
            );
        }
        let earliest = (1..=TASKS as u64).map(|task| task * 7 % 33 + 1).min().map(Timestamp);
        let read = found(&*store, round).await.and_then(|record| record.revoked);
        assert_eq!(read, earliest, "round {round}");
    }
}
