//! The walk through what changed, over all workspaces.

use super::trial::{NOON, Trial, unchanged, write};
use crate::clock::Timestamp;
use crate::ports::{ChangeCursor, Expected};

/// A change, short: workspace, id, revision, deleted.
type Seen = (String, String, u64, bool);

/// One part of the walk.
async fn part(t: &Trial, since: u64, after: Option<&ChangeCursor>, limit: usize) -> (Vec<Seen>, Option<ChangeCursor>) {
    let page = t.store.changed_since(Timestamp(since), after, limit).await;
    let page = page.expect("the store gives changes");
    assert!(page.items.len() <= limit, "more than asked for");
    let heads = page.items.iter().map(|change| change.head.clone());
    let heads: Vec<_> = heads.map(|head| head.expect("the store can read its models")).collect();
    let times: Vec<_> = heads.iter().map(|head| head.updated_at).collect();
    assert!(times.is_sorted(), "not the oldest first: {times:?}");
    let seen = page.items.into_iter().zip(heads).map(|(change, head)| {
        assert_eq!(change.id, head.id);
        (
            change.workspace.as_str().to_owned(),
            head.id.as_str().to_owned(),
            head.revision,
            head.deleted,
        )
    });
    (seen.collect(), page.next)
}

/// The whole walk in parts of `limit`.
async fn walk(t: &Trial, since: u64, limit: usize) -> Vec<Seen> {
    let (mut all, mut after) = (Vec::new(), None);
    loop {
        let (seen, next) = part(t, since, after.as_ref(), limit).await;
        all.extend(seen);
        after = next;
        if after.is_none() {
            return all;
        }
    }
}

fn seen(workspace: &str, id: &str, revision: u64, deleted: bool) -> Seen {
    (workspace.into(), id.into(), revision, deleted)
}

pub(super) async fn all_workspaces_oldest_first(t: Trial) {
    assert_eq!(walk(&t, 0, 10).await, []);
    let (a, b) = (t.in_workspace("a"), t.in_workspace("b"));
    b.stored_at("m", "1", 3000).await;
    a.stored_at("m", "1", 1000).await;
    a.stored_at("n", "1", 2000).await;
    let expected = [
        seen("a", "m", 1, false),
        seen("a", "n", 1, false),
        seen("b", "m", 1, false),
    ];
    assert_eq!(walk(&t, 0, 10).await, expected);
    a.stored_at("m", "2", 4000).await;
    let expected = [
        seen("a", "n", 1, false),
        seen("b", "m", 1, false),
        seen("a", "m", 2, false),
    ];
    assert_eq!(walk(&t, 0, 10).await, expected);
}

pub(super) async fn since_includes_its_own_time(t: Trial) {
    t.stored_at("m", "1", 1000).await;
    t.stored_at("n", "1", 2000).await;
    let found = [
        walk(&t, 999, 10).await.len(),
        walk(&t, 1000, 10).await.len(),
        walk(&t, 1001, 10).await.len(),
    ];
    assert_eq!(found, [2, 2, 1]);
    assert_eq!(walk(&t, 2001, 10).await, []);
    assert_eq!(walk(&t, u64::MAX, 10).await, []);
}

pub(super) async fn equal_times_are_read_in_parts(t: Trial) {
    let mut expected = Vec::new();
    for workspace in ["a", "b", "c"] {
        for id in ["k", "l", "m", "水"] {
            t.in_workspace(workspace).stored_at(id, "1", 1000).await;
            expected.push(seen(workspace, id, 1, false));
        }
    }
    for limit in [1, 2, 5, 11, 12, 13] {
        let mut walked = walk(&t, 1000, limit).await;
        walked.sort();
        assert_eq!(walked, expected, "each once, in parts of {limit}");
    }
}

pub(super) async fn a_change_during_the_walk_is_given(t: Trial) {
    for (id, at) in [("a", 1000), ("b", 2000), ("c", 3000)] {
        t.stored_at(id, "1", at).await;
    }
    let (first, cursor) = part(&t, 0, None, 2).await;
    assert_eq!(first, [seen("default", "a", 1, false), seen("default", "b", 1, false)]);
    t.stored_at("a", "2", 4000).await;
    t.stored_at("d", "1", 5000).await;
    let (rest, end) = part(&t, 0, cursor.as_ref(), 10).await;
    let expected = [
        seen("default", "c", 1, false),
        seen("default", "a", 2, false),
        seen("default", "d", 1, false),
    ];
    assert_eq!((&*rest, end), (&expected[..], None));
}

pub(super) async fn a_delete_is_a_change_and_equal_bytes_are_none(t: Trial) {
    t.stored_at("a", "1", 1000).await;
    t.stored_at("b", "1", 1000).await;
    t.delete_as(write(), "a", Expected::Any, Timestamp(2000)).await;
    assert_eq!(walk(&t, 2000, 10).await, [seen("default", "a", 2, true)]);
    unchanged(t.put_as(write(), "b", "1", Expected::Any, NOON).await);
    assert_eq!(walk(&t, 2000, 10).await, [seen("default", "a", 2, true)]);
}

pub(super) async fn a_clock_that_is_set_back_hides_no_change(t: Trial) {
    t.stored_at("a", "1", 2000).await;
    let changed = t.stored_at("a", "2", 1000).await;
    assert_eq!(changed.updated_at, Timestamp(2000));
    assert_eq!(walk(&t, 2000, 10).await, [seen("default", "a", 2, false)]);
    t.delete_as(write(), "a", Expected::Any, Timestamp(500)).await;
    assert_eq!(walk(&t, 2000, 10).await, [seen("default", "a", 3, true)]);
}
