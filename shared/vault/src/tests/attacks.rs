//! Names that try to leave the vault. None may read, change or make anything outside.

use super::{Place, SECRET};
use meadow_service::notes::{Found, Mode, Read};
use std::fs;
use std::os::unix::fs::symlink;

/// `{OUT}` stands for the absolute path of the folder outside.
const ATTACKS: [&str; 54] = [
    "../outside/secret.md",
    "../outside/secret",
    "..",
    "../",
    "./../outside/secret.md",
    "own.md/../../outside/secret.md",
    "a/../../outside/secret.md",
    "a/b/c/../../../../outside/secret.md",
    "..\\outside\\secret.md",
    "a\\..\\..\\outside\\secret.md",
    "..\\/outside/secret.md",
    "....//outside/secret.md",
    "..../outside/secret.md",
    "..;/outside/secret.md",
    ".. /outside/secret.md",
    " ../outside/secret.md",
    ". ./outside/secret.md",
    "%2e%2e/outside/secret.md",
    "%2e%2e%2foutside%2fsecret.md",
    "..%2foutside%2fsecret.md",
    "..%5coutside%5csecret.md",
    "%252e%252e%252foutside%252fsecret.md",
    "..%c0%afoutside%c0%afsecret.md",
    "%u002e%u002e/outside/secret.md",
    "\u{ff0e}\u{ff0e}/outside/secret.md",
    "\u{2025}/outside/secret.md",
    "\u{2024}\u{2024}/outside/secret.md",
    "..\u{2215}outside\u{2215}secret.md",
    "..\u{ff0f}outside\u{ff0f}secret.md",
    "..\u{200b}/outside/secret.md",
    "..\u{feff}/outside/secret.md",
    "\u{202e}dm.terces/edistuo/..",
    "a\0/../../outside/secret.md",
    "../outside/secret.md\0.md",
    "..\n/outside/secret.md",
    "{OUT}/secret.md",
    "/{OUT}/secret.md",
    "file://{OUT}/secret.md",
    "note:///../outside/secret.md",
    "note:///%2e%2e/outside/secret.md",
    "note:///..%2foutside%2fsecret.md",
    "/proc/self/cwd/../outside/secret.md",
    "/dev/stdin",
    "C:/outside/secret.md",
    "C:secret.md",
    "\\\\server\\share\\secret.md",
    "\\\\?\\C:\\outside\\secret.md",
    "//server/share/secret.md",
    "~/outside/secret.md",
    "[[../outside/secret]]",
    "link/secret.md",
    "link/new.md",
    "up/outside/secret.md",
    "secret-link.md",
];

#[tokio::test]
async fn no_name_leaves_the_vault() {
    let mut refused = 0;
    for attack in ATTACKS {
        let place = Place::new();
        symlink(place.outside(""), place.vault("link")).unwrap();
        symlink("..", place.vault("up")).unwrap();
        symlink(place.outside("secret.md"), place.vault("secret-link.md")).unwrap();
        let name = attack.replace("{OUT}", place.outside("").to_str().unwrap().trim_end_matches('/'));
        for mode in [Mode::Create, Mode::Overwrite, Mode::Append] {
            match place.save(&name, mode).await {
                Ok(saved) => {
                    // A name that only looks like one: it is a plain file of the vault.
                    let real = fs::canonicalize(place.vault(saved.path.as_str())).unwrap();
                    assert!(
                        real.starts_with(fs::canonicalize(place.vault("")).unwrap()),
                        "{name:?}: {real:?}"
                    );
                }
                Err(_) => refused += 1,
            }
        }
        let read = Read {
            paths: &[&name],
            ..Read::default()
        };
        for found in place.notes.read(&place.workspace, read).await.unwrap() {
            if let Found::Note(note) = found {
                assert!(!note.text.contains(SECRET.trim()), "{name:?} reads outside");
            }
        }
        place.nothing_outside();
    }
    println!(
        "vault: {} names, {refused} of {} writes refused, none outside",
        ATTACKS.len(),
        ATTACKS.len() * 3
    );
    assert!(refused > ATTACKS.len(), "{refused}");
}

#[tokio::test]
async fn hidden_names_are_neither_listed_nor_touched() {
    let place = Place::new();
    for hidden in [
        ".obsidian/app.md",
        ".trash/gone.md",
        ".git/x.md",
        "folder/.hidden.md",
        ".meadow-1-1-0.tmp",
    ] {
        let file = place.vault(hidden);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, "hidden").unwrap();
        assert!(place.save(hidden, Mode::Overwrite).await.is_err());
        assert_eq!(fs::read_to_string(&file).unwrap(), "hidden");
    }
    assert_eq!(place.list().await, ["own.md"]);
}

#[tokio::test]
async fn reserved_and_long_names() {
    let place = Place::new();
    let saved = place.save("con", Mode::Create).await.unwrap();
    assert_eq!(saved.path.as_str(), "_con.md");
    let longest = format!("{}.md", "水".repeat(84));
    assert_eq!(place.save(&longest, Mode::Create).await.unwrap().path.as_str(), longest);
    let cut = place.save(&"木".repeat(300), Mode::Create).await.unwrap();
    assert_eq!((cut.path.as_str().len(), cut.changes.len()), (255, 1));
    let names = place.list().await;
    assert!(
        names.contains(&longest) && names.contains(&cut.path.to_string()),
        "{names:?}"
    );
    assert!(place.save(&"f/".repeat(600), Mode::Create).await.is_err());
    place.nothing_outside();
}
