//! `save_note`, `list_local_notes`, `read_local_note` and the resources of notes as clients meet them.

use crate::Config;
use crate::testing::{Client, ERAS, Era, plain as text, service};
use meadow_service::MemoryStore;
use meadow_service::notes::MemoryNotes;
use serde_json::{Value, json};
use std::sync::Arc;

fn client_of(era: Era) -> Client {
    let service = service(MemoryStore::new()).with_notes(Arc::new(MemoryNotes::new()));
    Client::of(service, Config::default(), era)
}

fn client() -> Client {
    client_of(Era::Handshake)
}

async fn saved(client: &Client, arguments: &str) -> String {
    let result = client.call("save_note", arguments).await;
    assert!(text(&result).starts_with("Status: saved."), "{arguments}: {result}");
    result["_meta"]["meadow/status"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn content_of_any_kind_is_kept() {
    let long = "水".repeat(350_000);
    let long_json = json!(long).to_string();
    let cases: [(&str, &str); 16] = [
        (r##""# A\n\n\"b\" \\d+""##, "# A\n\n\"b\" \\d+"),
        (r#""{\"a\":  1}""#, "{\"a\":  1}"),
        (r#""{\"a\":1}""#, "{\"a\":1}"),
        (r#""[1, 2]""#, "[1, 2]"),
        (r#""null""#, "null"),
        (r#""  \n""#, "  \n"),
        (r#""""#, ""),
        (
            r#"{"b":1.10,"a":["x",{"c":null}]}"#,
            "{\n  \"b\": 1.10,\n  \"a\": [\n    \"x\",\n    {\n      \"c\": null\n    }\n  ]\n}",
        ),
        ("[1,[],{}]", "[\n  1,\n  [],\n  {}\n]"),
        ("[]", "[]"),
        ("1.50", "1.50"),
        ("true", "true"),
        ("false", "false"),
        (r#""half \ud83d of a pair""#, "half \u{fffd} of a pair"),
        (r#"{"t":"\u4e2d\ud83d"}"#, "{\n  \"t\": \"中\u{fffd}\"\n}"),
        (&long_json, &long),
    ];
    for (content, expected) in cases {
        let client = client();
        saved(&client, &format!(r#"{{"filename":"x","content":{content}}}"#)).await;
        let read = client.read("note:///x.md").await;
        let found = read["result"]["contents"][0]["text"].as_str().unwrap();
        match expected.len() {
            0..60_000 => assert_eq!(found, expected),
            size => assert!(found.contains(&format!("has {size} bytes")), "{found}"),
        }
    }
    for nothing in [r#"{"filename":"x"}"#, r#"{"filename":"x","content":null}"#] {
        let result = client().call("save_note", nothing).await;
        assert_eq!(result["isError"], true, "{result}");
        assert!(
            result["content"][0]["text"]
                .as_str()
                .unwrap()
                .contains("nothing was saved"),
            "{result}"
        );
    }
}

/// What Cherry Studio sends where it could not read what the model wrote: the text itself, broken escapes and all.
#[tokio::test]
async fn arguments_that_came_as_text_are_read() {
    let client = client();
    let sent = "{\"filename\":\"a\",\"content\":\"regex \\d+ and\na line, he said \"no\" to it\"}";
    saved(&client, &json!(sent).to_string()).await;
    assert_eq!(
        client.text("note:///a.md").await,
        "regex \\d+ and\na line, he said \"no\" to it"
    );
    saved(
        &client,
        r#"{"filename":"b","content":"x","mode":"","if_match":null,"overwrite":false}"#,
    )
    .await;
}

#[tokio::test]
async fn a_note_is_saved_listed_and_read_in_both_eras() {
    for era in ERAS {
        let client = client_of(era);
        let status = saved(
            &client,
            r##"{"filename":"论文/量子: 计算","content":"# Q\n[[other]] #tag\n"}"##,
        )
        .await;
        assert_eq!(status, "saved");
        saved(&client, r#"{"filename":"other","content":"see [[量子- 计算]]"}"#).await;

        let taken = client
            .call("save_note", r#"{"filename":"other","content":"new"}"#)
            .await;
        let told = text(&taken);
        assert!(
            told.starts_with("Status: exists.") && told.contains("`other 2.md`"),
            "{told}"
        );
        let sha = told
            .split("sha256: ")
            .nth(1)
            .unwrap()
            .split('\n')
            .next()
            .unwrap()
            .to_owned();
        let again = client
            .call("save_note", r#"{"filename":"other","content":"see [[量子- 计算]]"}"#)
            .await;
        assert!(text(&again).starts_with("Status: unchanged."), "{again}");
        let over = format!(
            r#"{{"filename":"other","content":"see [[量子- 计算]] now","overwrite":"true","if_match":"{sha}"}}"#
        );
        saved(&client, &over).await;
        let late = client.call("save_note", &over.replace("now", "then")).await;
        assert!(text(&late).starts_with("Status: conflict."), "{late}");
        let more = client
            .call("save_note", r#"{"filename":"other","content":"more","mode":"Append"}"#)
            .await;
        assert!(text(&more).starts_with("Status: appended."), "{more}");

        let list = client.call("list_local_notes", r#"{"text":"量子","limit":"5"}"#).await;
        assert!(text(&list).contains("`论文/量子- 计算.md` #tag"), "{list}");
        let none = client.call("list_local_notes", r#"{"tag":"nope"}"#).await;
        assert!(text(&none).starts_with("No notes here."), "{none}");
        let read = client.call("read_local_note", r#"{"paths":"量子- 计算, 2"}"#).await;
        assert!(text(&read).contains("Status: not_found."), "{read}");
        let read = client
            .call(
                "read_local_note",
                r#"{"paths":["量子- 计算","note:///other.md"],"from_line":0}"#,
            )
            .await;
        for part in [
            "# Q\n[[other]] #tag\n",
            "Linked from: `other.md`",
            "Links to: `other.md`",
            " now\nmore",
        ] {
            assert!(text(&read).contains(part), "{part}: {read}");
        }
    }
}

#[tokio::test]
async fn what_leaves_the_vault_is_refused() {
    let client = client();
    for name in ["../x", "/etc/passwd", ".git/config", "a\\u0000", "a\\u202eb"] {
        let result = client
            .call("save_note", &format!(r#"{{"filename":"{name}","content":"x"}}"#))
            .await;
        assert_eq!(result["isError"], true, "{name}: {result}");
    }
    for uri in [
        "note:///../x.md",
        "note:///%2e%2e/x.md",
        "file:///etc/passwd",
        "note:///gone.md",
    ] {
        assert!(client.read(uri).await["error"].is_object(), "{uri}");
    }
    let without = Client::new(Era::Handshake);
    let result = without.call("save_note", r#"{"filename":"x","content":"x"}"#).await;
    assert!(
        result["content"][0]["text"].as_str().unwrap().contains("--vault DIR"),
        "{result}"
    );
}

#[tokio::test]
async fn a_path_that_is_no_text_saves_nothing() {
    let client = client();
    for (sent, found) in [
        ("{}", "an object"),
        ("true", "true"),
        (r#"[1,"a",null]"#, "a list"),
        (r#"["../x","y"]"#, "a list"),
    ] {
        let result = client
            .call("save_note", &format!(r#"{{"filename":{sent},"content":"x"}}"#))
            .await;
        assert_eq!(result["isError"], true, "{sent}: {result}");
        assert_eq!(
            result["content"][0]["text"],
            format!("argument `filename`: found {found}, expected the path of the note as a text; nothing was saved")
        );
    }
    // The one text of a list is held against the same rules.
    let result = client.call("save_note", r#"{"filename":["../x"],"content":"x"}"#).await;
    assert_eq!(result["isError"], true, "{result}");
    let listed = client.call("list_local_notes", "{}").await;
    assert!(!text(&listed).contains(".md"), "{listed}");
    for (sent, path) in [(r#"["a/b"]"#, "a/b.md"), ("2024", "2024.md")] {
        let result = client
            .call("save_note", &format!(r#"{{"path":{sent},"content":"x"}}"#))
            .await;
        assert!(text(&result).contains(&format!("`{path}`")), "{sent}: {result}");
    }
}

#[tokio::test]
async fn the_newest_notes_are_resources() {
    let client = client();
    for n in 0..60 {
        saved(&client, &format!(r#"{{"filename":"n{n:02}","content":"x"}}"#)).await;
    }
    let list = client.ask("resources/list", None, "").await;
    let resources = list["result"]["resources"].as_array().unwrap();
    let notes: Vec<&Value> = resources
        .iter()
        .filter(|r| r["uri"].as_str().unwrap().starts_with("note:///"))
        .collect();
    assert_eq!(notes.len(), 50);
    assert!(resources.ends_with(&[notes[49].clone()]), "after everything else");
    for part in ["name", "title", "description"] {
        assert!(notes[0][part].is_string(), "{}", notes[0]);
    }
    assert_eq!(notes[0]["mimeType"], "text/markdown");
}
