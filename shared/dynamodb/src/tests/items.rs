//! What stands in the table.

use super::{NOON, Table, model, put_of, server, stored};
use crate::keys::{INDEX, Item, PK, SK};
use meadow_service::{Expected, ModelStore, PutOutcome, Source, Workspace, WriteId};
use std::sync::Arc;

/// TTL takes items away by `expires_at`; no model may have it.
#[tokio::test(flavor = "multi_thread")]
async fn no_model_expires() {
    let Some(url) = server("MEADOW_DYNAMODB") else {
        return;
    };
    let store = Table::new(&url).await.store().await;
    stored(&store, "a", "1").await;
    stored(&store, "a", "2").await;
    let put = put_of("a", "2", Expected::Any);
    assert!(matches!(store.put(put).await, Ok(PutOutcome::Unchanged(_))));
    let write = WriteId::random().expect("randomness");
    let (workspace, id) = (Workspace::default(), model("a"));
    let deleted = store.delete(&workspace, &id, Expected::Any, write, NOON).await;
    deleted.expect("deleted");
    let all = store
        .client
        .scan()
        .table_name(&store.table)
        .send()
        .await
        .expect("the server gives all items");
    let items: &[Item] = all.items();
    assert_eq!(items.len(), 4, "a head, two bodies, the pointer: {items:?}");
    for item in items {
        assert!(!item.contains_key("expires_at"), "{item:?}");
        let pk = item[PK].as_s().expect("text");
        assert!(
            pk == "W#default" || pk.starts_with("W#default#"),
            "every key begins with the workspace: {item:?}"
        );
    }
}

/// The largest text that a document may have, which no zstd makes smaller, fits an item together with a full history.
#[tokio::test(flavor = "multi_thread")]
async fn the_largest_text_and_the_longest_history_fit() {
    let Some(url) = server("MEADOW_DYNAMODB") else {
        return;
    };
    let store = Table::new(&url).await.store().await;
    for n in 0..55 {
        let name = format!("{n}{}", "\u{1}".repeat(199));
        let put = meadow_service::Put {
            source: Arc::new(Source::new(format!("text {n}"), &name, true)),
            ..put_of("m", "", Expected::Any)
        };
        assert!(matches!(store.put(put).await, Ok(PutOutcome::Stored(_))), "{n}");
    }
    let mut noise = vec![0; meadow_model::limits::MAX_PACKED / 2];
    getrandom::fill(&mut noise).expect("randomness");
    let text: String = noise.iter().map(|byte| format!("{byte:02x}")).collect();
    let ack = stored(&store, "m", &text).await;
    assert_eq!(ack.head.revision, 56);
    let read = store
        .get(&Workspace::default(), &model("m"), None)
        .await
        .expect("read")
        .expect("a model");
    assert_eq!(&*read.text, text);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_index_holds_keys_only() {
    let Some(url) = server("MEADOW_DYNAMODB") else {
        return;
    };
    let store = Table::new(&url).await.store().await;
    stored(&store, "a", "1").await;
    let index = store
        .client
        .scan()
        .table_name(&store.table)
        .index_name(INDEX)
        .send()
        .await
        .expect("the index");
    assert_eq!(index.items().len(), 2, "a head and a body");
    for item in index.items() {
        let mut names: Vec<_> = item.keys().map(String::as_str).collect();
        names.sort_unstable();
        assert_eq!(names, [PK, "shard", SK, "sort"]);
    }
}
