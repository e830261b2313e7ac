//! What stands in the tables: equal to what was stored, by value and byte for byte.

use super::*;

#[tokio::test]
async fn documents_are_equal_to_their_sources() {
    let Some(database) = database().await else { return };
    let store = MemoryStore::new();
    let texts = [
        r#"{"a":1}"#,
        " {\"n\" : 1.10, \"big\": 123456789012345678901234567890, \"small\":-0.000000000000000000012,\n\t\"e\": 1.5E+3}\n",
        r#"{"水":"🌊 \u00e9 \ud83d\ude00 \\ \" \/ \b","":[],"nested":[[{"x":[null,true,false]}]]}"#,
        r#"{"large":1.7976931348623157e308,"tiny":5e-324}"#,
    ];
    for (n, text) in texts.iter().enumerate() {
        put(&store, "team.b-1", &format!("模型-{n}"), text).await;
    }
    let run = database.export(&store).await;
    assert_eq!((run.written, run.is_whole()), (4, true));
    for (n, text) in texts.iter().enumerate() {
        let row = format!("from meadow.models where workspace = 'team.b-1' and id = '模型-{n}'");
        assert_eq!(database.one::<String>(&format!("select source {row}")).await, **text);
        let equal = format!(
            "select document = source::jsonb and sha256 = encode(sha256(convert_to(source, 'UTF8')), 'hex') \
             and revision = 1 and not deleted and exported_at >= updated_at {row}"
        );
        assert!(database.one::<bool>(&equal).await, "{text}");
    }
    let text = |path: &str| {
        format!("select document #>> '{{{path}}}' from meadow.models where document #> '{{{path}}}' is not null")
    };
    assert_eq!(database.one::<String>(&text("n")).await, "1.10");
    assert_eq!(
        database.one::<String>(&text("big")).await,
        "123456789012345678901234567890"
    );
    assert_eq!(database.one::<String>(&text("small")).await, "-0.000000000000000000012");
    assert_eq!(database.one::<String>(&text("e")).await, "1500");
    assert_eq!(database.one::<String>(&text("水")).await, "🌊 é 😀 \\ \" / \u{8}");
    assert_eq!(
        database
            .one::<f64>("select (document ->> 'tiny')::float8 from meadow.models where document ? 'tiny'")
            .await,
        5e-324
    );
}

#[tokio::test]
async fn a_delete_keeps_its_row_and_a_new_model_takes_it() {
    let Some(database) = database().await else { return };
    let store = MemoryStore::new();
    put(&store, "default", "tub", "{\"a\":1}").await;
    database.export(&store).await;
    delete(&store, "tub").await;
    let run = database.export(&store).await;
    assert_eq!((run.written, run.tombstones), (1, 1));
    let gone = "select deleted and document is null and source is null and revision = 2 and length(sha256) = 64 from meadow.models";
    assert!(database.one::<bool>(gone).await);
    put(&store, "default", "tub", "{\"a\":2}").await;
    database.export(&store).await;
    let back =
        "select not deleted and document = '{\"a\": 2}' and source = '{\"a\":2}' and revision = 3 from meadow.models";
    assert!(database.one::<bool>(back).await);
    assert_eq!(
        database
            .one::<i64>("select count(*) from meadow.exports where finished and error is null")
            .await,
        3
    );
}

#[tokio::test]
async fn a_document_that_jsonb_cannot_hold_keeps_no_other_out() {
    let Some(database) = database().await else { return };
    let store = MemoryStore::new();
    let bomb = format!("{{\"x\":[{}1]}}", "1e-16000,".repeat(2_000));
    put(&store, "default", "a", "{\"x\":1}").await;
    put(&store, "default", "bomb", &bomb).await;
    put(&store, "default", "digits", "{\"x\":1e-20000}").await;
    put(&store, "default", "b", "{\"x\":2}").await;
    let run = database.export(&store).await;
    assert_eq!((run.written, run.without_document.count), (4, 2));
    let held = "select string_agg(id, ' ' order by id) from meadow.models where document is not null";
    assert_eq!(database.one::<String>(held).await, "a b");
    assert_eq!(
        database
            .one::<String>("select source from meadow.models where id = 'bomb'")
            .await,
        bomb
    );
    assert_eq!(
        database
            .one::<String>("select source from meadow.models where id = 'digits'")
            .await,
        "{\"x\":1e-20000}"
    );
    let problems: Vec<String> = database
        .one("select problems from meadow.exports where without_document = 2")
        .await;
    assert_eq!(problems.len(), 2);
    assert!(
        problems[0].starts_with("no document: default/bomb: its numbers"),
        "{problems:?}"
    );
    assert!(
        problems[1].starts_with("no document: default/digits: PostgreSQL: value overflows"),
        "{problems:?}"
    );
    let again = database.export(&store).await;
    assert_eq!(
        (again.written, again.without_document.count),
        (0, 0),
        "they are there as they can be"
    );
}
