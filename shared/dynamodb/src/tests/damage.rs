//! Items that are not as they were written.

use super::{LATER, Table, latest, model, put_of, server, stored};
use crate::body;
use crate::keys::{self, Item};
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use meadow_service::{Expected, ModelStore, StoreError, Timestamp, Workspace};

/// What the store says of model `m` after `change` was made to its body or, with `of_head`, to its head.
async fn said_after(url: &str, of_head: bool, change: impl FnOnce(&mut Item)) -> String {
    let store = Table::new(url).await.store().await;
    let workspace = Workspace::default();
    stored(&store, "m", &"a text ".repeat(10)).await;
    let current = store
        .model(&workspace, &model("m"))
        .await
        .expect("read")
        .expect("a model");
    let (_, body) = current.history.revision(&model("m"), 1).expect("a revision");
    let key = if of_head {
        keys::head(&workspace, &model("m"))
    } else {
        keys::body(&workspace, &model("m"), body)
    };
    let mut item = store.item(key).await.expect("read").expect("an item");
    change(&mut item);
    let put = store.client.put_item().table_name(&store.table).set_item(Some(item));
    put.send().await.expect("the server writes");
    match store.get(&workspace, &model("m"), None).await {
        Err(StoreError::Damaged(text)) => text,
        other => panic!("{other:?}"),
    }
}

fn set(name: &str, value: AttributeValue) -> impl FnOnce(&mut Item) {
    move |item| {
        item.insert(name.to_owned(), value).expect("there is such an attribute");
    }
}

fn packed(bytes: &[u8]) -> AttributeValue {
    AttributeValue::B(Blob::new(zstd::bulk::compress(bytes, 1).expect("zstd")))
}

#[tokio::test(flavor = "multi_thread")]
async fn is_told_and_never_given_out() {
    let Some(url) = server("MEADOW_DYNAMODB") else {
        return;
    };
    let body = [
        (
            packed("another text ".repeat(5).as_bytes()),
            "is not the one that was put",
        ),
        // 100 MB of zeros in some kilobytes: not unpacked.
        (packed(&vec![0; 100_000_000]), "cannot be unpacked"),
        (packed(&[0xff; 9]), "is not UTF-8"),
        (AttributeValue::B(Blob::new(*b"no zstd")), "cannot be unpacked"),
        (AttributeValue::S("text".into()), "is not there"),
    ];
    for (value, expected) in body {
        let said = said_after(&url, false, set("zstd", value)).await;
        assert!(said.contains(expected), "{said}");
    }
    let head = [
        ("history", packed(&vec![b' '; 100_000_000]), "cannot be read"),
        ("history", AttributeValue::S("text".into()), "has no history"),
        ("sha256", AttributeValue::S("zz".into()), "lacks something"),
        ("revision", AttributeValue::N("-1".into()), "lacks something"),
        (
            "revision",
            AttributeValue::N("99".into()),
            "does not end with its revision 99",
        ),
    ];
    for (name, value, expected) in head {
        let said = said_after(&url, true, set(name, value)).await;
        assert!(said.contains(expected), "{name}: {said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_is_gone_is_told() {
    let Some(url) = server("MEADOW_DYNAMODB") else {
        return;
    };
    let store = Table::new(&url).await.store().await;
    let workspace = Workspace::default();
    stored(&store, "m", "a text").await;
    let current = store
        .model(&workspace, &model("m"))
        .await
        .expect("read")
        .expect("a model");
    let (_, body) = current.history.revision(&model("m"), 1).expect("a revision");
    let delete = store.client.delete_item().table_name(&store.table);
    let delete = delete.set_key(Some(keys::body(&workspace, &model("m"), body)));
    delete.send().await.expect("the server deletes");
    let said = store.get(&workspace, &model("m"), None).await.expect_err("no text");
    assert!(said.to_string().contains("the text of model m is not there"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bad_pointer_tells_its_repair() {
    let Some(url) = server("MEADOW_DYNAMODB") else {
        return;
    };
    let store = Table::new(&url).await.store().await;
    stored(&store, "m", "a text").await;
    let pointer = keys::latest(&Workspace::default());
    let put = store.client.put_item().table_name(&store.table);
    let put = put.set_item(Some(pointer.clone())).send().await;
    put.expect("the server writes");
    store.ping().await.expect("the store is there");
    let said = latest(&store).await.expect_err("no latest model").to_string();
    assert!(
        said.contains("(LATEST of W#default) lacks something; delete that item"),
        "{said}"
    );
    let delete = store.client.delete_item().table_name(&store.table);
    let delete = delete.set_key(Some(pointer)).send().await;
    delete.expect("the server deletes");
    stored(&store, "m", "another text").await;
    assert_eq!(latest(&store).await.expect("read"), "another text");
}

/// The export and the sweep, which walk through all workspaces, do their work on everything else.
#[tokio::test(flavor = "multi_thread")]
async fn one_bad_item_keeps_no_other_out() {
    let Some(url) = server("MEADOW_DYNAMODB") else {
        return;
    };
    let store = Table::new(&url).await.store().await;
    for id in ["a", "b", "c"] {
        stored(&store, id, "a text").await;
    }
    let write = async |item| {
        let put = store.client.put_item().table_name(&store.table).set_item(Some(item));
        put.send().await.expect("the server writes");
    };
    let head = keys::head(&Workspace::default(), &model("b"));
    let mut head = store.item(head).await.expect("read").expect("an item");
    head.remove("history");
    write(head).await;
    for shard in keys::change_shards().chain(keys::body_shards()) {
        let mut foreign = keys::head(&Workspace::default(), &model("foreign"));
        foreign.insert(keys::SK.to_owned(), keys::text(format!("foreign {shard}")));
        foreign.insert(keys::SHARD.to_owned(), keys::text(shard));
        // It sorts after ours, so that a part of the walk that ends with it has begun after them.
        foreign.insert(keys::SORT.to_owned(), keys::text("~"));
        write(foreign).await;
    }
    // One that no head names, beside the damaged one and a sound one.
    let left = put_of("c", "left behind", Expected::Any);
    write(body::item(&left, left.write.into()).expect("an item")).await;
    let left = put_of("b", "unknown", Expected::Any);
    write(body::item(&left, left.write.into()).expect("an item")).await;

    let (mut seen, mut after) = (Vec::new(), None);
    loop {
        let page = store
            .changed_since(Timestamp(0), after.as_ref(), 1)
            .await
            .expect("read");
        seen.extend(page.items.into_iter().map(|change| (change.id, change.head)));
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    seen.sort_by(|(one, _), (other, _)| one.cmp(other));
    let ids: Vec<_> = seen.iter().map(|(id, _)| id.as_str()).collect();
    assert_eq!(ids, ["a", "b", "c"]);
    assert!(seen[0].1.is_ok() && seen[2].1.is_ok(), "{seen:?}");
    assert_eq!(seen[1].1, Err("the head of model b has no history".to_owned()));

    let swept = store.sweep(LATER, || false).await.expect("sweep");
    assert_eq!((swept.seen, swept.removed), (5, 1), "nothing of the damaged model goes");
}
