//! Which model is the latest.

use super::trial::{Trial, conflict, unchanged};
use crate::ports::Expected;

pub(super) async fn there_is_none_at_first(t: Trial) {
    assert_eq!(t.quiet_latest().await, None);
}

pub(super) async fn is_the_model_of_the_last_put(t: Trial) {
    for (id, text) in [("a", "1"), ("b", "1"), ("a", "2"), ("c", "1"), ("b", "2")] {
        let head = t.stored(id, text).await;
        let latest = t.quiet_latest().await.expect("a latest model");
        assert_eq!((latest.head, &*latest.text), (head, text));
    }
}

/// A, B, A again with equal bytes.
pub(super) async fn equal_bytes_move_it(t: Trial) {
    let a = t.stored("a", "A").await;
    t.stored("b", "B").await;
    assert_eq!(unchanged(t.put("a", "A", Expected::Any).await).head, a);
    let latest = t.quiet_latest().await.expect("a latest model");
    assert_eq!((latest.head, &*latest.text), (a, "A"));
}

pub(super) async fn is_none_after_its_delete_until_the_next_put(t: Trial) {
    t.stored("a", "1").await;
    t.stored("b", "1").await;
    t.deleted("b").await;
    assert_eq!(t.quiet_latest().await, None, "not the one before");
    unchanged(t.put("a", "1", Expected::Any).await);
    assert_eq!(t.latest_id().await, "a");
    t.deleted("a").await;
    t.stored("b", "2").await;
    assert_eq!(t.latest_id().await, "b");
}

pub(super) async fn stays_when_another_model_is_deleted(t: Trial) {
    t.stored("a", "1").await;
    t.stored("b", "1").await;
    t.deleted("a").await;
    assert_eq!(t.latest_id().await, "b");
}

pub(super) async fn a_conflict_does_not_move_it(t: Trial) {
    t.stored("a", "1").await;
    t.stored("b", "1").await;
    conflict(t.put("a", "1", Expected::Absent).await);
    conflict(t.put("a", "2", Expected::Revision(5)).await);
    assert_eq!(t.latest_id().await, "b");
}
