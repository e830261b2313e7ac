//! Paths that want to leave a workspace, and keys that other programs put there.

use super::{Bucket, MOST, NOON, listed, server};
use crate::S3Vault;
use crate::keys;
use meadow_notes::NotePath;
use meadow_service::Workspace;
use meadow_service::notes::{Expect, NoteStore};

/// What is tried as the path of a note; `other/victim.md` is a note of another workspace, `secret.md` stands above both.
const PATHS: [&str; 48] = [
    "../other/victim.md",
    "../../secret.md",
    "../../../outside.md",
    "a/../../other/victim.md",
    "a/../../../notes/other/victim.md",
    "./../other/victim.md",
    "..",
    "../",
    "../.md",
    "....//other/victim.md",
    "..;/other/victim.md",
    "a/..",
    "a/../b.md",
    "./a.md",
    "a/./b.md",
    "/other/victim.md",
    "//other/victim.md",
    "/team/notes/other/victim.md",
    "a//b.md",
    "a/",
    "",
    ".",
    ".md",
    "a/.md",
    ".obsidian/app.md",
    ".trash/a.md",
    "a/.hidden.md",
    "..\\other\\victim.md",
    "a\\..\\..\\other\\victim.md",
    "%2e%2e/other/victim.md",
    "%2e%2e%2fother%2fvictim.md",
    "..%2fother%2fvictim.md",
    "..%2Fother%2Fvictim.md",
    "%252e%252e%252fother%252fvictim.md",
    "..%c0%afother/victim.md",
    "..%5cother%5cvictim.md",
    "．．/other/victim.md",
    "\u{2025}/other/victim.md",
    "..\u{2215}other\u{2215}victim.md",
    "a\0/../../other/victim.md",
    "a.md\0.png",
    "a\r\nx-amz-acl: public-read.md",
    "a\u{202e}dm.exe.md",
    "\u{feff}../other/victim.md",
    "s3://bucket/team/notes/other/victim.md",
    "a.md?versionId=1",
    "-a/other/victim.md",
    "default-a/../other/victim.md",
];

/// What other programs may have put into the workspace's folder, and is no note.
const PLANTED: [&str; 24] = [
    "../other/planted.md",
    "a/../b.md",
    "./a.md",
    "/a.md",
    "a//b.md",
    "..",
    ".md",
    "a/.md",
    ".obsidian/x.md",
    "x/.trash/y.md",
    "a\\b.md",
    "a\u{1}b.md",
    "a\nb.md",
    "a\u{202e}b.md",
    "a\u{feff}.md",
    "e\u{301}.md",
    "trailing .md ",
    "trailing./a.md",
    "con.md",
    "a/aux/b.md",
    "note.txt",
    "note.md/",
    "note.md.enc",
    "a.md\u{2028}.md",
];

/// A bucket with notes beside and above the workspace's folder.
async fn with_neighbours(url: &str) -> Bucket {
    let bucket = Bucket::new(url).await;
    for key in [
        "outside.md",
        "team/secret.md",
        "team/notes/secret.md",
        "team/notes/other/victim.md",
        "team/notes/default-a/victim.md",
        "team/notes/defaul/victim.md",
    ] {
        bucket.plant(key, b"secret").await;
    }
    bucket
}

#[tokio::test(flavor = "multi_thread")]
async fn no_path_leaves_its_workspace() {
    const FOLDER: &str = "team/notes/default/";
    let Some(url) = server() else {
        return;
    };
    let bucket = with_neighbours(&url).await;
    let before = bucket.everything().await;
    let vault = bucket.vault();
    let workspace = Workspace::default();
    let (mut refused, mut inside) = (0, 0);
    let long = format!("{}x.md", "../".repeat(400));
    let longer = format!("{}.md", "x/".repeat(600));
    for attack in PATHS.into_iter().chain([&*long, &*longer]) {
        let Ok(path) = NotePath::parse(attack) else {
            refused += 1;
            continue;
        };
        // What may be a note's name is one within the folder.
        let read = vault.read(&workspace, &path, MOST).await;
        assert!(matches!(read, Ok(None) | Err(_)), "{attack:?} reads {read:?}");
        let written = vault.write(&workspace, &path, b"attack", &Expect::Any, NOON).await;
        inside += usize::from(written.is_ok());
        let location = vault.location(&workspace, &path).unwrap_or_default();
        let start = format!("s3://{}/{FOLDER}", bucket.place.bucket);
        assert!(
            written.is_err() || location.starts_with(&start),
            "{attack:?} is {location}"
        );
    }
    println!("{refused} paths are none, {inside} name a note in the folder");
    assert!(refused > 30, "{refused}");
    let after = bucket.everything().await;
    let (own, others): (Vec<_>, Vec<_>) = after.into_iter().partition(|(key, _)| key.starts_with(FOLDER));
    assert_eq!(others, before, "beside the folder all is as it was");
    assert_eq!(own.len(), inside);
    for (key, _) in &own {
        let mut segments = key[FOLDER.len()..].split('/');
        assert!(segments.all(|s| !s.is_empty() && !s.starts_with('.')), "{key}");
    }
}

/// The same, where no `NotePath` has looked before.
#[test]
fn no_key_leaves_its_workspace() {
    for attack in PATHS {
        let away = attack.split('/').any(|s| s.is_empty() || s.starts_with('.'));
        let away = away || attack.contains(['\\', '\0', '\r']);
        assert_eq!(keys::fault(attack).is_some(), away, "{attack:?}");
        assert!(!away || keys::note(attack).is_none(), "{attack:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_of_other_programs_are_no_notes_and_harm_nothing() {
    let Some(url) = server() else {
        return;
    };
    let bucket = with_neighbours(&url).await;
    let (mut planted, mut impossible) = (0, Vec::new());
    for key in PLANTED {
        assert_eq!(keys::note(key), None, "{key:?} is no note");
        // As raw as the wire takes it. S3 takes nearly all.
        let put = bucket.client.put_object().bucket(&bucket.place.bucket);
        let put = put.key(format!("team/notes/default/{key}"));
        match put.body(b"planted".to_vec().into()).send().await {
            Ok(_) => planted += 1,
            Err(_) => impossible.push(key),
        }
    }
    println!("{planted} keys planted; refused by the server: {impossible:?}");
    assert!(planted >= 18, "{planted}");
    bucket.plant("team/notes/default/good.md", b"good").await;
    assert_eq!(listed(&bucket.vault()).await, ["good.md"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn workspaces_that_are_no_folder_are_refused() {
    let Some(url) = server() else {
        return;
    };
    let bucket = with_neighbours(&url).await;
    let vault = bucket.vault();
    let path = NotePath::parse("victim.md").expect("a path");
    for name in [".", "..", "...", ".hidden", "..a"] {
        let workspace = Workspace::new(name).expect("a workspace may be called so");
        assert!(vault.list(&workspace).await.is_err(), "{name}");
        assert!(vault.read(&workspace, &path, MOST).await.is_err(), "{name}");
        let written = vault.write(&workspace, &path, b"x", &Expect::Any, NOON).await;
        assert!(written.is_err(), "{name}");
        assert_eq!(vault.location(&workspace, &path), None);
    }
    // None is the beginning of another.
    let count = async |vault: &S3Vault, name: &str| {
        let list = vault.list(&Workspace::new(name).expect("a name")).await;
        list.expect("lists").len()
    };
    for (name, notes) in [
        ("default", 0),
        ("default-a", 1),
        ("defaul", 1),
        ("def", 0),
        ("other", 1),
    ] {
        assert_eq!(count(&vault, name).await, notes, "{name}");
    }
}
