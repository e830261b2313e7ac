//! What stands in the bucket, as Remotely Save and other programs see it.

use super::{Bucket, MOST, NOON, listed, path, server, text, write, written};
use crate::connect;
use futures_util::future::join_all;
use meadow_service::notes::{Expect, NoteStore, NoteVersion, WriteOutcome};
use meadow_service::{Timestamp, Workspace};

#[tokio::test(flavor = "multi_thread")]
async fn a_note_is_an_object_under_its_own_name() {
    let Some(url) = server() else {
        return;
    };
    let bucket = Bucket::new(&url).await;
    let vault = bucket.vault();
    let name = path("文献/量子 计算 (a+b) 100%.md");
    written(&vault, name.as_str(), "文").await;
    let key = format!("team/notes/default/{name}");
    assert_eq!(bucket.everything().await, [(key.clone(), "文".into())]);
    let location = vault.location(&Workspace::default(), &name);
    assert_eq!(location, Some(format!("s3://{}/{key}", bucket.place.bucket)));

    let look = || {
        let look = bucket.client.head_object().bucket(&bucket.place.bucket);
        look.key(&key).send()
    };
    let object = look().await.expect("it is there");
    assert_eq!(object.content_type(), Some("text/markdown; charset=utf-8"));
    let metadata = object.metadata.expect("metadata");
    assert_eq!(
        (&*metadata["mtime"], &*metadata["ctime"]),
        ("1764500000.123", "1764500000.123")
    );

    // Written again, it is the same note still.
    let (workspace, later) = (Workspace::default(), Timestamp(NOON.0 + 60_000));
    let again = vault.write(&workspace, &name, b"again", &Expect::Any, later).await;
    assert!(matches!(again, Ok(WriteOutcome::Written(_))), "{again:?}");
    let metadata = look().await.expect("it is there").metadata.expect("metadata");
    assert_eq!(
        (&*metadata["mtime"], &*metadata["ctime"]),
        ("1764500060.123", "1764500000.123")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_others_put_here_is_no_note_or_one_like_ours() {
    let Some(url) = server() else {
        return;
    };
    let bucket = Bucket::new(&url).await;
    let vault = bucket.vault();
    let folder = "team/notes/default/";
    for key in [
        "from a phone.md",
        "a/",
        "a/b/c.md",
        "a/b/",
        "picture.png",
        ".obsidian/app.json",
        ".trash/x.md",
        "a/.x.md",
    ] {
        bucket.plant(&format!("{folder}{key}"), b"theirs").await;
    }
    bucket.plant(folder, b"").await;
    bucket.plant("team/notes/default", b"").await;
    bucket.plant("team/notes/stray.md", b"").await;
    assert_eq!(listed(&vault).await, ["a/b/c.md", "from a phone.md"]);
    assert_eq!(text(&vault, "from a phone.md").await.as_deref(), Some("theirs"));
    let list = vault.list(&Workspace::default()).await.expect("lists");
    let version = Expect::Version(list[1].version.clone());
    let ours = write(&vault, "from a phone.md", "ours", &version).await;
    assert!(matches!(ours, Ok(WriteOutcome::Written(_))), "{ours:?}");
    let late = write(&vault, "from a phone.md", "late", &version).await;
    assert!(matches!(late, Ok(WriteOutcome::Conflict(Some(_)))), "{late:?}");
    // What no ETag can be gets into no header.
    for odd in ["", "*", "\"", "a\r\nx-amz-acl: public-read", "水"] {
        let expected = Expect::Version(NoteVersion(odd.to_owned()));
        let outcome = write(&vault, "from a phone.md", "odd", &expected).await;
        assert!(
            matches!(outcome, Ok(WriteOutcome::Conflict(Some(_)))),
            "{odd:?}: {outcome:?}"
        );
    }
    assert_eq!(text(&vault, "from a phone.md").await.as_deref(), Some("ours"));
}

/// More than one page of a list.
#[tokio::test(flavor = "multi_thread")]
async fn a_large_vault_is_listed_whole() {
    let Some(url) = server() else {
        return;
    };
    let bucket = Bucket::new(&url).await;
    let names: Vec<String> = (0..1234).map(|n| format!("笔记 {n:04}.md")).collect();
    for part in names.chunks(50) {
        let keys: Vec<String> = part.iter().map(|name| format!("team/notes/default/{name}")).collect();
        join_all(keys.iter().map(|key| bucket.plant(key, b"text"))).await;
    }
    assert_eq!(listed(&bucket.vault()).await, names);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_place_without_a_prefix_and_the_client_of_laptops() {
    let Some(url) = server() else {
        return;
    };
    let mut bucket = Bucket::new(&url).await;
    bucket.place.prefix.clear();
    let vault = connect(&bucket.place).await;
    written(&vault, "a.md", "text").await;
    let everything = bucket.everything().await;
    assert_eq!(everything, [("default/a.md".to_owned(), b"text".to_vec())]);
    let read = vault.read(&Workspace::default(), &path("a.md"), MOST).await;
    assert!(read.expect("reads").is_some());
}
