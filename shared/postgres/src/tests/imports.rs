//! The way back.

use super::*;
use meadow_service::import::{ImportRun, import};

async fn imported(database: &Database, store: &MemoryStore) -> ImportRun {
    let mut copies = database.target().copies().await.unwrap();
    import(store, &mut *copies, &SystemClock, &mut |_| {}).await.unwrap()
}

#[tokio::test]
async fn every_model_comes_back_byte_for_byte() {
    let Some(database) = database().await else { return };
    let store = store_of(300).await;
    let odd = " {\"system_name\":\"水 \\u00e9\",\"x\":1.10,\"tiny\":1e-20000,\"big\":123456789012345678901}\n";
    put(&store, "team-b", "水", odd).await;
    put(&store, "team-b", "gone", "{}").await;
    put(&store, "default", "gone", "{}").await;
    delete(&store, "gone").await;
    database.export(&store).await;

    let fresh = MemoryStore::new();
    let run = imported(&database, &fresh).await;
    assert_eq!((run.stored, run.seen()), (302, 302), "{run:?}");
    let workspace = |name| Workspace::new(name).unwrap();
    for name in ["default", "team-b"] {
        let workspace = workspace(name);
        let models = store.list(&workspace, None, 1_000).await.unwrap().items;
        let back = fresh.list(&workspace, None, 1_000).await.unwrap().items;
        assert_eq!(models.len(), back.len());
        for (model, back) in models.iter().zip(&back) {
            assert_eq!(
                (&model.id, model.sha256, model.complete),
                (&back.id, back.sha256, back.complete)
            );
            let text = fresh.get(&workspace, &back.id, None).await.unwrap().unwrap().text;
            assert_eq!(
                text,
                store.get(&workspace, &model.id, None).await.unwrap().unwrap().text
            );
        }
    }
    let latest = fresh.latest(&workspace("default")).await.unwrap().unwrap();
    assert_eq!(
        latest.head.id.as_str(),
        "m-0299",
        "the model that changed last is the latest again"
    );
    let gone = ModelId::new("gone").unwrap();
    assert_eq!(
        fresh.head(&workspace("default"), &gone).await.unwrap(),
        None,
        "tombstones stay away"
    );
    let again = imported(&database, &fresh).await;
    assert_eq!((again.stored, again.unchanged), (0, 302));
}

#[tokio::test]
async fn a_copy_that_was_changed_is_named_and_left() {
    let Some(database) = database().await else { return };
    database.export(&store_of(4).await).await;
    database
        .run("update meadow.models set source = null where id = 'm-0003'")
        .await;
    database
        .run("update meadow.models set source = '{\"forged\":1}' where id = 'm-0001'")
        .await;
    let fresh = MemoryStore::new();
    put(&fresh, "default", "m-0002", "{\"mine\":1}").await;
    let run = imported(&database, &fresh).await;
    assert_eq!((run.stored, run.kept.count, run.refused.count), (1, 1, 2));
    assert!(
        run.refused.first[0].starts_with("default/m-0001: the text was changed"),
        "{run:?}"
    );
    assert!(
        run.refused.first[1].starts_with("default/m-0003: its text was taken out"),
        "{run:?}"
    );
    assert!(run.kept.first[0].starts_with("default/m-0002: "), "{run:?}");
}

#[tokio::test]
async fn a_database_without_the_tables_says_so() {
    let Some(database) = database().await else { return };
    let said = database.target().copies().await.err().unwrap().to_string();
    assert!(said.contains("has no table meadow.models"), "{said}");
}
