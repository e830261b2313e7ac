//! Replies that are lost, writes that meet, servers that fail or refuse.

use super::wire::{Fate, Wire};
use super::{Bucket, MOST, path, server, text, vault_with, write, written};
use crate::S3Vault;
use crate::place::Place;
use meadow_service::Workspace;
use meadow_service::notes::{Expect, NoteStore, VaultError, WriteOutcome};
use tokio::runtime::Handle;
use tokio::task::block_in_place;

/// A bucket with the note `old.md`.
async fn bucket(url: &str) -> Bucket {
    let bucket = Bucket::new(url).await;
    written(&bucket.vault(), "old.md", "old").await;
    bucket
}

/// A vault whose requests meet a fate.
fn faulty(bucket: &Bucket, wire: &Wire) -> S3Vault {
    bucket.vault_with(|setup| {
        setup.components.set_http_client(Some(wire.clone()));
    })
}

/// Whatever becomes of the first attempt, the write is done once and told as done: its repetition meets the write
/// itself, and S3 says 412 of it as of anybody's.
#[tokio::test(flavor = "multi_thread")]
async fn one_fault_in_a_write_changes_nothing() {
    let Some(url) = server() else {
        return;
    };
    for fault in [
        Fate::ReplyLost,
        Fate::Lost,
        Fate::Refused(503, "SlowDown"),
        Fate::Refused(500, "InternalError"),
        Fate::Refused(409, "ConditionalRequestConflict"),
    ] {
        let bucket = bucket(&url).await;
        let vault = bucket.vault();
        let wire = Wire::first("PUT", 1, fault);
        let outcome = write(&faulty(&bucket, &wire), "new.md", "new", &Expect::Absent).await;
        let Ok(WriteOutcome::Written(head)) = outcome else {
            panic!("{fault:?}: {outcome:?}");
        };
        assert_eq!(wire.count("PUT"), 2, "{fault:?}");
        assert_eq!(text(&vault, "new.md").await.as_deref(), Some("new"));

        let wire = Wire::first("PUT", 1, fault);
        let expected = Expect::Version(head.version);
        let outcome = write(&faulty(&bucket, &wire), "new.md", "newer", &expected).await;
        assert!(
            matches!(outcome, Ok(WriteOutcome::Written(_))),
            "{fault:?}: {outcome:?}"
        );
        assert_eq!(wire.count("PUT"), 2, "{fault:?}");
        let outcome = write(&vault, "new.md", "late", &expected).await;
        assert!(
            matches!(outcome, Ok(WriteOutcome::Conflict(Some(_)))),
            "{fault:?}: {outcome:?}"
        );
        assert_eq!(text(&vault, "new.md").await.as_deref(), Some("newer"));
    }
}

/// A write that comes between the look and the put is not lost: S3 itself says no.
#[tokio::test(flavor = "multi_thread")]
async fn who_comes_in_between_wins() {
    let Some(url) = server() else {
        return;
    };
    for name in ["new.md", "old.md"] {
        let bucket = bucket(&url).await;
        let vault = bucket.vault();
        let expected = match text(&vault, name).await {
            None => Expect::Absent,
            Some(_) => Expect::Version(written(&vault, name, "before").await.version),
        };
        let (other, runtime) = (vault.clone(), Handle::current());
        let wire = Wire::new(move |method, _| {
            if method == "PUT" {
                block_in_place(|| runtime.block_on(written(&other, name, "in between")));
            }
            Fate::Answered
        });
        let outcome = write(&faulty(&bucket, &wire), name, "mine", &expected).await;
        assert!(matches!(outcome, Ok(WriteOutcome::Conflict(Some(_)))), "{outcome:?}");
        assert_eq!(wire.count("PUT"), 1);
        assert_eq!(text(&vault, name).await.as_deref(), Some("in between"));
    }
}

/// A note that goes between the look and the put: S3 answers 404 to a version of nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_note_that_is_gone_is_a_conflict() {
    let Some(url) = server() else {
        return;
    };
    let bucket = bucket(&url).await;
    let vault = bucket.vault();
    let head = written(&vault, "old.md", "before").await;
    let (other, runtime) = (bucket.clone(), Handle::current());
    let wire = Wire::new(move |method, _| {
        if method == "PUT" {
            let delete = other.client.delete_object().bucket(&other.place.bucket);
            let delete = delete.key("team/notes/default/old.md").send();
            block_in_place(|| runtime.block_on(async { delete.await.map(drop).expect("deletes") }));
        }
        Fate::Answered
    });
    let expected = Expect::Version(head.version);
    let outcome = write(&faulty(&bucket, &wire), "old.md", "mine", &expected).await;
    assert_eq!(outcome, Ok(WriteOutcome::Conflict(None)));
    assert_eq!((wire.count("PUT"), text(&vault, "old.md").await), (1, None));
}

#[tokio::test(flavor = "multi_thread")]
async fn faults_that_stay_are_told() {
    let Some(url) = server() else {
        return;
    };
    let bucket = bucket(&url).await;
    for (fault, said) in [
        (Fate::Refused(503, "SlowDown"), "throttles"),
        (Fate::Refused(500, "InternalError"), "written all the same"),
        (Fate::Refused(409, "ConditionalRequestConflict"), "too many write"),
        (Fate::Lost, "written all the same"),
        (Fate::Refused(404, "NoSuchBucket"), "there is no bucket"),
        (Fate::Refused(403, "AccessDenied"), "refuses access"),
        (Fate::Refused(301, "PermanentRedirect"), "another region"),
        (Fate::Refused(400, "EntityTooLarge"), "of this size"),
    ] {
        let wire = Wire::first("PUT", usize::MAX, fault);
        let outcome = write(&faulty(&bucket, &wire), "new.md", "secret words", &Expect::Any).await;
        let error = outcome.expect_err("a fault").to_string();
        assert!(error.contains(said) && !error.contains("secret"), "{fault:?}: {error}");
        assert_eq!(text(&bucket.vault(), "new.md").await, None);
    }
    let workspace = Workspace::default();
    for fault in [
        Fate::Refused(403, "AccessDenied"),
        Fate::Lost,
        Fate::Refused(500, "InternalError"),
    ] {
        let vault = faulty(&bucket, &Wire::new(move |_, _| fault));
        assert!(vault.list(&workspace).await.is_err(), "{fault:?}");
        assert!(
            vault.read(&workspace, &path("old.md"), MOST).await.is_err(),
            "{fault:?}"
        );
    }
    let place = Place {
        bucket: "meadow-there-is-none".to_owned(),
        ..bucket.place.clone()
    };
    let gone = vault_with(&place, |_| {});
    let errors = [
        gone.list(&workspace).await.map(drop),
        gone.read(&workspace, &path("a.md"), MOST).await.map(drop),
        write(&gone, "a.md", "text", &Expect::Absent).await.map(drop),
    ];
    for error in errors {
        assert!(matches!(error, Err(VaultError::NoVault(_))), "{error:?}");
    }
}

/// Who may list only a part of a bucket is told 403 of an object that is not there.
#[tokio::test(flavor = "multi_thread")]
async fn a_missing_note_is_none_for_who_may_list_only_a_part() {
    let Some(url) = server() else {
        return;
    };
    let bucket = bucket(&url).await;
    let refusing = |method| faulty(&bucket, &Wire::first(method, 1, Fate::Refused(403, "AccessDenied")));
    assert_eq!(text(&refusing("GET"), "new.md").await, None);
    let denied = refusing("GET").read(&Workspace::default(), &path("old.md"), MOST).await;
    assert!(matches!(denied, Err(VaultError::Denied(_))), "{denied:?}");
    let outcome = write(&refusing("HEAD"), "new.md", "new", &Expect::Absent).await;
    assert!(matches!(outcome, Ok(WriteOutcome::Written(_))), "{outcome:?}");
}
