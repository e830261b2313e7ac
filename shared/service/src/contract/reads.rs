//! Lists, revisions, workspaces.

use super::trial::{Trial, model};
use crate::ports::{Deleted, Expected, Head, KEPT_REVISIONS};

pub(super) async fn list_is_by_code_point_and_without_tombstones(t: Trial) {
    // Upper case before lower case, U+FFxx before what UTF-16 would write with surrogates.
    let sorted = ["0", "A", "a", "a-b", "a.b", "aa", "é", "水", "ａ", "𠜎"];
    for id in sorted.iter().rev() {
        t.stored(id, id).await;
    }
    t.stored("gone", "1").await;
    t.deleted("gone").await;
    assert_eq!(ids(&list(&t, 1000).await), sorted);
    t.stored("gone", "2").await;
    assert_eq!(list(&t, 1000).await.len(), sorted.len() + 1);
}

pub(super) async fn list_is_read_in_parts(t: Trial) {
    assert_eq!(list(&t, 1).await, []);
    for n in 0..10 {
        t.stored(&format!("m{n}"), "1").await;
    }
    t.deleted("m4").await;
    let whole = list(&t, 1000).await;
    assert_eq!(whole.len(), 9);
    for limit in [1, 2, 3, 8, 9, 10] {
        assert_eq!(list(&t, limit).await, whole, "in parts of {limit}");
    }
    // A cursor need not be a model that is there.
    let after = t
        .store
        .list(&t.workspace, Some(&model("m40")), 2)
        .await
        .expect("the store lists");
    assert_eq!(ids(&after.items), ["m5", "m6"]);
    assert_eq!(after.next, Some(model("m6")));
}

/// The whole list, read in parts of `limit`.
async fn list(t: &Trial, limit: usize) -> Vec<Head> {
    let (mut all, mut after) = (Vec::new(), None);
    loop {
        let page = t
            .store
            .list(&t.workspace, after.as_ref(), limit)
            .await
            .expect("the store lists");
        assert!(page.items.len() <= limit, "more than asked for");
        assert!(
            page.next.is_none() || !page.items.is_empty(),
            "an empty part that goes on"
        );
        all.extend(page.items);
        after = page.next;
        if after.is_none() {
            return all;
        }
    }
}

fn ids(heads: &[Head]) -> Vec<&str> {
    heads.iter().map(|head| head.id.as_str()).collect()
}

pub(super) async fn revisions_are_the_newest_first(t: Trial) {
    let mut made = vec![t.stored("m", "1").await, t.stored("m", "2").await, t.deleted("m").await];
    made.push(t.stored("m", "4").await);
    made.reverse();
    assert_eq!(t.revisions("m").await, made);
    assert_eq!(t.revision("m", 1).await.expect("revision 1").text.as_ref(), "1");
    assert_eq!(t.revision("m", 2).await.expect("revision 2").text.as_ref(), "2");
    assert_eq!(t.revision("m", 4).await.expect("revision 4").text.as_ref(), "4");
}

pub(super) async fn revisions_are_read_in_parts(t: Trial) {
    for n in 0..7 {
        t.stored("m", &n.to_string()).await;
    }
    let whole = t.revisions("m").await;
    for limit in [1, 2, 3, 6, 7, 8] {
        let (mut all, mut before) = (Vec::new(), None);
        loop {
            let page = t.store.revisions(&t.workspace, &model("m"), before, limit).await;
            let page = page.expect("the store gives revisions");
            assert!(page.items.len() <= limit, "more than asked for");
            all.extend(page.items);
            before = page.next;
            if before.is_none() {
                break;
            }
        }
        assert_eq!(all, whole, "in parts of {limit}");
    }
    let far = t.store.revisions(&t.workspace, &model("m"), Some(u64::MAX), 1000).await;
    assert_eq!(far.expect("the store gives revisions").items, whole);
}

pub(super) async fn the_last_fifty_revisions_are_kept(t: Trial) {
    let last = KEPT_REVISIONS + 10;
    for n in 1..=last {
        t.stored("m", &format!("text {n}")).await;
    }
    let kept = t.revisions("m").await;
    let numbers: Vec<u64> = kept.iter().map(|head| head.revision).collect();
    assert!(kept.len() as u64 >= KEPT_REVISIONS, "{} are kept", kept.len());
    let newest_first: Vec<u64> = (1..=last).rev().take(kept.len()).collect();
    assert_eq!(numbers, newest_first);
    for head in kept.iter().take(usize::try_from(KEPT_REVISIONS).unwrap_or(usize::MAX)) {
        let stored = t.revision("m", head.revision).await.expect("a kept revision");
        assert_eq!(
            (&stored.head, &*stored.text),
            (head, &*format!("text {}", head.revision))
        );
    }
}

pub(super) async fn what_was_never_written_is_not_there(t: Trial) {
    assert_eq!(
        (t.head("m").await, t.get("m").await, t.revision("m", 1).await),
        (None, None, None)
    );
    assert_eq!(t.revisions("m").await, []);
    t.stored("m", "1").await;
    for none in [0, 2, u64::MAX] {
        assert_eq!(t.revision("m", none).await, None, "revision {none}");
    }
}

pub(super) async fn workspaces_see_nothing_of_each_other(t: Trial) {
    let (a, b) = (t.in_workspace("a"), t.in_workspace("a.b"));
    a.stored("m", "of a").await;
    a.stored("only", "of a").await;
    assert_eq!(
        (b.head("m").await, b.get("m").await, b.latest().await),
        (None, None, None)
    );
    assert_eq!((b.revisions("m").await, list(&b, 10).await), (vec![], vec![]));
    assert_eq!(b.delete("m", Expected::Any).await, Deleted::Absent);
    assert_eq!(b.stored("m", "of b").await.revision, 1, "each counts for itself");
    assert_eq!((a.text("m").await, b.text("m").await), ("of a".into(), "of b".into()));
    assert_eq!((a.latest_id().await, b.latest_id().await), ("only".into(), "m".into()));
    b.deleted("m").await;
    assert_eq!(
        (a.text("m").await, ids(&list(&a, 10).await)),
        ("of a".into(), vec!["m", "only"])
    );
}

pub(super) async fn the_store_answers(t: Trial) {
    t.store.ping().await.expect("the store answers");
}
