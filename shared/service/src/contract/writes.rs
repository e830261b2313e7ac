//! Puts and deletes, one after the other.

use super::trial::{NOON, Trial, conflict, model, source, stored, unchanged, write};
use crate::clock::Timestamp;
use crate::ports::{Ack, Deleted, Expected, Head};
use crate::source::packed_size;
use meadow_model::limits::MAX_PACKED;

pub(super) async fn what_was_put_is_read_back(t: Trial) {
    let text = "Tub, complete\r\n {\"a\": 1.0e0, \"a\": 01}\t ";
    let head = t.stored("tub", text).await;
    let expected = Head {
        id: model("tub"),
        revision: 1,
        name: "Tub, complete".into(),
        complete: true,
        deleted: false,
        size: text.len() as u64,
        sha256: source(text).sha256,
        updated_at: NOON,
    };
    assert_eq!(head, expected);
    assert_eq!(t.head("tub").await.as_ref(), Some(&expected));
    for got in [t.get("tub").await, t.revision("tub", 1).await, t.latest().await] {
        let got = got.expect("the model that was put");
        assert_eq!((&got.head, &*got.text), (&expected, text));
    }
    assert_eq!(t.revisions("tub").await, [expected]);
}

pub(super) async fn any_text_comes_back_byte_for_byte(t: Trial) {
    // Characters of every length and plane; no more of them than a document may have after zstd.
    let every: String = "every\n".chars().chain(('\0'..=char::MAX).step_by(17)).collect();
    let texts = [
        "",
        " ",
        "\n",
        "\u{feff}mark",
        "nul \0 within",
        "e\u{301} is not \u{e9}",
        "'); DROP TABLE models; --",
        "line\r\nline\rline\u{2028}line",
        "水池 𠜎 👩‍👩‍👧 \u{202e}rtl",
        &every,
    ];
    for text in texts {
        t.stored("any", text).await;
        let got = t.get("any").await.expect("the model that was put");
        let shown: String = text.chars().take(20).collect();
        assert!(&*got.text == text, "{shown:?} came back changed");
        assert_eq!(got.head.size, text.len() as u64, "{shown:?}");
        assert_eq!(got.head.name, text.lines().next().unwrap_or_default(), "{shown:?}");
    }
}

pub(super) async fn a_text_of_a_megabyte_comes_back(t: Trial) {
    // Lines that differ, so that it does not come back by luck, and shrink to what a document may have after zstd.
    let text: String = (0..30_000u64)
        .map(|n| {
            format!(
                "stock {:04x} is filled by its inflow\n",
                n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48
            )
        })
        .collect();
    assert!(
        packed_size(&text)
            .expect("memory")
            .is_some_and(|packed| packed <= MAX_PACKED)
    );
    assert!(text.len() > 1 << 20);
    t.stored("large", &text).await;
    assert!(t.text("large").await == text, "a megabyte came back changed");
    assert!(t.latest().await.is_some_and(|latest| *latest.text == *text));
}

pub(super) async fn ids_of_any_script_are_kept_apart(t: Trial) {
    let longest = "水".repeat(66);
    let ids = [
        "城市交通",
        "हिन्दी",
        "e\u{301}",
        "\u{e9}",
        "E\u{301}",
        "a",
        "A",
        "a.b",
        "a-b",
        "a_b",
        "𠜎",
        "1",
        "01",
        &longest,
    ];
    for id in &ids {
        t.stored(id, &format!("text of {id}")).await;
    }
    for id in &ids {
        let got = t.get(id).await.expect("the model of this id");
        assert_eq!(
            (got.head.id.as_str(), &*got.text, got.head.revision),
            (*id, &*format!("text of {id}"), 1)
        );
    }
}

pub(super) async fn any_is_always_as_expected(t: Trial) {
    assert_eq!(t.stored("m", "1").await.revision, 1);
    assert_eq!(t.stored("m", "2").await.revision, 2);
    t.deleted("m").await;
    assert_eq!(t.stored("m", "4").await.revision, 4);
}

pub(super) async fn absent_means_no_model_or_a_tombstone(t: Trial) {
    stored(t.put("m", "1", Expected::Absent).await);
    let current = conflict(t.put("m", "2", Expected::Absent).await);
    assert_eq!(current, t.head("m").await);
    t.deleted("m").await;
    assert_eq!(stored(t.put("m", "3", Expected::Absent).await).head.revision, 3);
}

pub(super) async fn a_revision_means_this_one_alive(t: Trial) {
    assert_eq!(conflict(t.put("m", "x", Expected::Revision(1)).await), None);
    assert_eq!(conflict(t.put("m", "x", Expected::Revision(0)).await), None);
    t.stored("m", "1").await;
    for wrong in [0, 2, u64::MAX] {
        assert_eq!(
            conflict(t.put("m", "x", Expected::Revision(wrong)).await),
            t.head("m").await
        );
    }
    stored(t.put("m", "2", Expected::Revision(1)).await);
    assert_eq!(
        conflict(t.put("m", "x", Expected::Revision(1)).await),
        t.head("m").await
    );
    let tombstone = t.deleted("m").await;
    for wrong in [2, 3] {
        let current = conflict(t.put("m", "x", Expected::Revision(wrong)).await);
        assert_eq!(current.as_ref(), Some(&tombstone), "the conflict carries the tombstone");
    }
}

pub(super) async fn a_conflict_writes_nothing(t: Trial) {
    let before = t.stored("m", "1").await;
    conflict(t.put("m", "x", Expected::Absent).await);
    conflict(t.put("m", "x", Expected::Revision(7)).await);
    conflict(t.put("other", "x", Expected::Revision(1)).await);
    assert!(matches!(
        t.delete("m", Expected::Revision(7)).await,
        Deleted::Conflict(_)
    ));
    assert_eq!(t.head("m").await.as_ref(), Some(&before));
    assert_eq!(t.text("m").await, "1");
    assert_eq!(t.revisions("m").await, [before]);
    assert_eq!(t.head("other").await, None);
}

pub(super) async fn revisions_only_grow(t: Trial) {
    let mut seen = Vec::new();
    for round in 0..3 {
        seen.push(t.stored("m", &format!("{round}a")).await.revision);
        seen.push(t.stored("m", &format!("{round}b")).await.revision);
        let before = t.head("m").await.expect("the model");
        let tombstone = t.deleted("m").await;
        assert_eq!(tombstone, before.tombstone(NOON));
        assert_eq!(t.head("m").await, Some(tombstone.clone()));
        assert_eq!(t.get("m").await, None);
        assert_eq!(
            t.revision("m", tombstone.revision).await,
            None,
            "a tombstone has no text"
        );
        seen.push(tombstone.revision);
    }
    assert_eq!(seen, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
}

pub(super) async fn a_delete_holds_its_expectation(t: Trial) {
    let first = t.stored("m", "1").await;
    for wrong in [Expected::Absent, Expected::Revision(2)] {
        assert_eq!(t.delete("m", wrong).await, Deleted::Conflict(first.clone()));
    }
    let tombstone = match t.delete("m", Expected::Revision(1)).await {
        Deleted::Done(head) => head,
        other => panic!("not deleted: {other:?}"),
    };
    assert_eq!(tombstone, first.tombstone(NOON));
}

pub(super) async fn deleting_what_is_not_there_is_absent(t: Trial) {
    for expected in [Expected::Any, Expected::Absent, Expected::Revision(1)] {
        assert_eq!(t.delete("m", expected).await, Deleted::Absent);
    }
    t.stored("m", "1").await;
    let tombstone = t.deleted("m").await;
    for expected in [Expected::Any, Expected::Absent, Expected::Revision(2)] {
        assert_eq!(t.delete("m", expected).await, Deleted::Absent);
    }
    assert_eq!(
        t.head("m").await,
        Some(tombstone),
        "a second delete makes no second tombstone"
    );
}

pub(super) async fn equal_bytes_make_no_revision(t: Trial) {
    let first = t.stored_at("m", "A", 1000).await;
    for expected in [Expected::Any, Expected::Revision(1)] {
        let ack = unchanged(t.put_as(write(), "m", "A", expected, Timestamp(9000)).await);
        assert_eq!(ack.head, first, "revision and updated_at stay");
    }
    assert_eq!(t.head("m").await, Some(first.clone()));
    assert_eq!(t.revisions("m").await, [first]);
    assert_eq!(t.stored("m", "B").await.revision, 2);
    assert_eq!(
        t.stored("m", "A").await.revision,
        3,
        "equal to an older revision is a change"
    );
}

pub(super) async fn equal_bytes_with_a_wrong_expectation_are_a_conflict(t: Trial) {
    let head = t.stored("m", "A").await;
    for wrong in [Expected::Absent, Expected::Revision(2)] {
        assert_eq!(conflict(t.put("m", "A", wrong).await), Some(head.clone()));
    }
}

pub(super) async fn equal_bytes_after_a_delete_are_a_new_revision(t: Trial) {
    t.stored("m", "A").await;
    t.deleted("m").await;
    assert_eq!(t.stored("m", "A").await.revision, 3);
    assert_eq!(t.text("m").await, "A");
}

pub(super) async fn a_put_tells_what_was_there_before(t: Trial) {
    let before = |ack: Ack| (ack.previous_name, ack.previous_latest.map(|id| id.as_str().to_owned()));
    let any = Expected::Any;
    assert_eq!(before(stored(t.put("a", "Tub", any).await)), (None, None));
    assert_eq!(
        before(stored(t.put("b", "Market", any).await)),
        (None, Some("a".into()))
    );
    assert_eq!(
        before(stored(t.put("a", "Bath", any).await)),
        (Some("Tub".into()), Some("b".into()))
    );
    assert_eq!(
        before(unchanged(t.put("b", "Market", any).await)),
        (Some("Market".into()), Some("a".into()))
    );
    t.deleted("b").await;
    assert_eq!(
        before(stored(t.put("b", "Market", any).await)),
        (None, None),
        "a deleted model was no latest"
    );
}
