//! Writes repeated because their reply was lost.

use super::trial::{NOON, Trial, conflict, stored, unchanged, write};
use crate::ports::{Deleted, Expected, KEPT_WRITES};

pub(super) async fn a_repeated_put_is_not_applied_again(t: Trial) {
    for (id, expected) in [("a", Expected::Any), ("b", Expected::Absent)] {
        let own = write();
        let first = stored(t.put_as(own, id, "1", expected, NOON).await).head;
        let again = stored(t.put_as(own, id, "1", expected, NOON).await).head;
        assert_eq!(again, first);
        assert_eq!(t.revisions(id).await, [first]);
    }
    let own = write();
    let first = stored(t.put_as(own, "a", "2", Expected::Revision(1), NOON).await).head;
    let again = stored(t.put_as(own, "a", "2", Expected::Revision(1), NOON).await).head;
    assert_eq!(again, first);
    assert_eq!(t.head("a").await, Some(first));
}

pub(super) async fn a_repeated_put_leaves_later_writes_alone(t: Trial) {
    for expected in [Expected::Absent, Expected::Any] {
        let id = if expected == Expected::Any { "any" } else { "absent" };
        let own = write();
        let first = stored(t.put_as(own, id, "mine", expected, NOON).await).head;
        let theirs = t.stored(id, "theirs").await;
        let again = stored(t.put_as(own, id, "mine", expected, NOON).await).head;
        assert_eq!(again, first, "answered as the first time");
        assert_eq!(t.head(id).await, Some(theirs));
        assert_eq!(t.text(id).await, "theirs");
        assert!(conflict(t.put(id, "next", Expected::Revision(again.revision)).await).is_some());
    }
}

pub(super) async fn a_repeated_put_leaves_a_later_delete_alone(t: Trial) {
    let own = write();
    let first = stored(t.put_as(own, "m", "mine", Expected::Any, NOON).await).head;
    let tombstone = t.deleted("m").await;
    assert_eq!(
        stored(t.put_as(own, "m", "mine", Expected::Any, NOON).await).head,
        first
    );
    assert_eq!(t.head("m").await, Some(tombstone), "it stays deleted");
    assert_eq!(t.latest_id().await, "");
}

pub(super) async fn a_repeated_unchanged_put_leaves_later_writes_alone(t: Trial) {
    let first = t.stored("m", "mine").await;
    let own = write();
    assert_eq!(
        unchanged(t.put_as(own, "m", "mine", Expected::Any, NOON).await).head,
        first
    );
    let theirs = t.stored("m", "theirs").await;
    assert_eq!(
        unchanged(t.put_as(own, "m", "mine", Expected::Any, NOON).await).head,
        first
    );
    assert_eq!(t.head("m").await, Some(theirs));
}

pub(super) async fn a_repeated_delete_is_not_applied_again(t: Trial) {
    t.stored("m", "1").await;
    let own = write();
    let first = t.delete_as(own, "m", Expected::Revision(1), NOON).await;
    assert!(matches!(first, Deleted::Done(_)), "{first:?}");
    assert_eq!(t.delete_as(own, "m", Expected::Revision(1), NOON).await, first);
    assert_eq!(t.revisions("m").await.len(), 2);
}

pub(super) async fn a_repeated_delete_leaves_a_later_put_alone(t: Trial) {
    t.stored("m", "1").await;
    let own = write();
    let first = t.delete_as(own, "m", Expected::Any, NOON).await;
    let theirs = t.stored("m", "theirs").await;
    assert_eq!(t.delete_as(own, "m", Expected::Any, NOON).await, first);
    assert_eq!(t.head("m").await, Some(theirs));
    assert_eq!(t.latest_id().await, "m");
}

pub(super) async fn a_repeated_put_leaves_latest_alone(t: Trial) {
    let own = write();
    stored(t.put_as(own, "a", "1", Expected::Any, NOON).await);
    t.stored("b", "1").await;
    stored(t.put_as(own, "a", "1", Expected::Any, NOON).await);
    assert_eq!(t.latest_id().await, "b");
}

pub(super) async fn writes_are_remembered_for_long(t: Trial) {
    let own = write();
    let first = stored(t.put_as(own, "m", "mine", Expected::Any, NOON).await).head;
    for n in 1..KEPT_WRITES {
        t.stored("m", &n.to_string()).await;
        t.stored("other", &n.to_string()).await;
    }
    let current = t.head("m").await;
    assert_eq!(
        stored(t.put_as(own, "m", "mine", Expected::Any, NOON).await).head,
        first
    );
    assert_eq!(t.head("m").await, current);
}

pub(super) async fn a_conflict_is_not_remembered(t: Trial) {
    let own = write();
    conflict(t.put_as(own, "m", "mine", Expected::Revision(1), NOON).await);
    t.stored("m", "theirs").await;
    assert_eq!(
        stored(t.put_as(own, "m", "mine", Expected::Revision(1), NOON).await)
            .head
            .revision,
        2
    );
}
