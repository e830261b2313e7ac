//! Vaults that Remotely Save encrypted.

use super::{Bucket, MOST, listed, path, server, text, write, written};
use crate::encrypted::RCLONE;
use meadow_service::Workspace;
use meadow_service::notes::{Expect, NoteStore, VaultError};

const OPENSSL: &str = "U2FsdGVkX18KiJhzXSZ4b5bKvDqdYe5hJXvT1v6m0rM";
const HIDDEN: &str = "p0e52nreeaj0a5ea7s64m4j72s";

#[tokio::test(flavor = "multi_thread")]
async fn they_are_refused_and_stay_as_they_are() {
    let Some(url) = server() else {
        return;
    };
    let rclone = [RCLONE, b"and the rest"].concat();
    let deep = format!("{HIDDEN}/{HIDDEN}");
    let planted: [(&str, &[u8]); 4] = [
        (OPENSSL, b"Salted__..."),
        ("KNQWY5DFMRPV7GHNQ2VLPKVK6A======", b""),
        (HIDDEN, &rclone),
        (&deep, &rclone),
    ];
    for (name, bytes) in planted {
        let bucket = Bucket::new(&url).await;
        let vault = bucket.vault();
        bucket.plant(&format!("team/notes/default/{name}"), bytes).await;
        let before = bucket.everything().await;
        let workspace = Workspace::default();
        let errors = [
            vault.list(&workspace).await.map(drop),
            vault.read(&workspace, &path("a.md"), MOST).await.map(drop),
            write(&vault, "a.md", "plain", &Expect::Absent).await.map(drop),
        ];
        for error in errors {
            let Err(VaultError::Unusable(text)) = error else {
                panic!("{name}: {error:?}");
            };
            assert!(text.contains("take the password away"), "{text}");
        }
        assert_eq!(bucket.everything().await, before, "{name}");
        // Of one workspace only.
        let other = Workspace::new("other").expect("a name");
        assert_eq!(vault.list(&other).await, Ok(Vec::new()));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn names_that_only_look_like_it_harm_nothing() {
    let Some(url) = server() else {
        return;
    };
    let bucket = Bucket::new(&url).await;
    let vault = bucket.vault();
    // An empty file, and somebody's.
    bucket
        .plant("team/notes/default/0000000000000000000000000000", b"")
        .await;
    assert_eq!(listed(&vault).await, [""; 0]);
    let bucket = Bucket::new(&url).await;
    let vault = bucket.vault();
    bucket
        .plant(&format!("team/notes/default/{HIDDEN}"), b"RCLONE is a program")
        .await;
    assert_eq!(listed(&vault).await, [""; 0]);
    written(&vault, "a.md", "text").await;
    // One that strayed into a vault of plain notes.
    bucket
        .plant(&format!("team/notes/default/{OPENSSL}"), b"Salted__")
        .await;
    assert_eq!(listed(&vault).await, ["a.md"]);
    assert_eq!(text(&vault, "a.md").await.as_deref(), Some("text"));
    assert_eq!(text(&vault, "b.md").await, None);
    written(&vault, "b.md", "text").await;
}
