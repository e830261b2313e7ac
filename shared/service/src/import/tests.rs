//! What comes back, and what stays as it is.

use super::*;
use crate::{MemoryStore, SystemClock};

/// Copies in memory.
struct Copies<'a>(std::slice::Iter<'a, Saved>);

#[async_trait]
impl ImportSource for Copies<'_> {
    async fn next(&mut self) -> Result<Option<Saved>, TargetError> {
        Ok(self.0.next().cloned())
    }
}

fn saved(workspace: &str, id: &str, text: &str) -> Saved {
    Saved {
        workspace: workspace.into(),
        id: id.into(),
        text: Some(text.into()),
        sha256: hex(&sha256(text)),
    }
}

async fn import_all(store: &MemoryStore, copies: &[Saved]) -> ImportRun {
    let mut source = Copies(copies.iter());
    let mut last = ImportRun::default();
    let run = import(store, &mut source, &SystemClock, &mut |run| last = run.clone()).await;
    let run = run.unwrap();
    assert_eq!(run, last);
    assert_eq!(run.seen(), copies.len() as u64);
    run
}

async fn text(store: &MemoryStore, workspace: &str, id: &str) -> Option<String> {
    let (workspace, id) = (Workspace::new(workspace).unwrap(), ModelId::new(id).unwrap());
    let stored = store.get(&workspace, &id, None).await.unwrap();
    stored.map(|stored| stored.text.to_string())
}

#[tokio::test]
async fn every_model_comes_back_byte_for_byte() {
    let store = MemoryStore::new();
    let odd = " {\"system_name\" : \"水\\u0041\", \"x\": 1.10, \"big\": 12345678901234567890 }\n";
    let copies = [saved("default", "tub", "{}"), saved("team-b", "水", odd)];
    let run = import_all(&store, &copies).await;
    assert_eq!((run.stored, run.unchanged), (2, 0));
    assert_eq!(text(&store, "team-b", "水").await.as_deref(), Some(odd));
    let again = import_all(&store, &copies).await;
    assert_eq!((again.stored, again.unchanged, again.kept.count), (0, 2, 0));
}

#[tokio::test]
async fn what_the_store_has_stays() {
    let store = MemoryStore::new();
    import_all(&store, &[saved("default", "tub", "{\"mine\":1}")]).await;
    let run = import_all(&store, &[saved("default", "tub", "{}"), saved("default", "new", "{}")]).await;
    assert_eq!((run.stored, run.kept.count), (1, 1));
    assert_eq!(run.kept.first, ["default/tub: the store has another text, which stays"]);
    assert_eq!(text(&store, "default", "tub").await.as_deref(), Some("{\"mine\":1}"));
}

#[tokio::test]
async fn what_is_no_copy_of_a_model_is_named() {
    let store = MemoryStore::new();
    let changed = Saved {
        text: Some("{\"changed\":1}".into()),
        ..saved("default", "changed", "{}")
    };
    let copies = [
        saved("no such/workspace", "a", "{}"),
        saved("default", "a b", "{}"),
        changed,
        saved("default", "list", "[]"),
        saved("default", "none", "hello"),
        Saved {
            text: None,
            ..saved("default", "empty", "{}")
        },
        saved("default", "good", "{}"),
    ];
    let run = import_all(&store, &copies).await;
    assert_eq!((run.stored, run.refused.count), (1, 6));
    for (place, part) in [
        "workspace",
        "model id",
        "SHA-256",
        "no document",
        "not JSON",
        "was taken out",
    ]
    .iter()
    .enumerate()
    {
        assert!(run.refused.first[place].contains(part), "{:?}", run.refused.first);
    }
}
