//! Resources as clients meet them.

use crate::testing::{Client, ERAS, EXAMPLES, Era, WRITER};
use serde_json::{Value, json};

#[tokio::test]
async fn the_list_holds_guides_examples_and_models_page_by_page() {
    let client = Client::new(Era::Handshake);
    let fixed = client.ask("resources/list", None, "").await;
    let uris = |answer: &Value| -> Vec<String> {
        let resources = answer["result"]["resources"].as_array().unwrap();
        for resource in resources {
            for part in ["uri", "name", "title", "description", "mimeType"] {
                assert!(
                    resource[part].as_str().is_some_and(|text| !text.is_empty()),
                    "{part}: {resource}"
                );
            }
        }
        resources
            .iter()
            .map(|r| r["uri"].as_str().unwrap().to_owned())
            .collect()
    };
    let mut expected = vec![
        "guide://systems-thinking".to_owned(),
        "guide://systems-thinking/zh".to_owned(),
    ];
    expected.extend(EXAMPLES.iter().map(|name| format!("example://{name}")));
    expected.push("model://latest".to_owned());
    assert_eq!(uris(&fixed), expected);
    assert!(fixed["result"].get("nextCursor").is_none());
    let traffic = &fixed["result"]["resources"][8];
    assert_eq!(traffic["title"], "Urban traffic and induced demand");

    for n in 0..70 {
        client
            .call(WRITER, &format!(r#"{{"model":"m{n:02}","system_name":"模型 {n}"}}"#))
            .await;
    }
    client.call(WRITER, r#"{"model":"中文","system_name":" "}"#).await;
    let first = client.ask("resources/list", None, "").await;
    let mut seen = uris(&first).split_off(expected.len());
    assert_eq!(first["result"]["resources"][expected.len()]["title"], "模型 0");
    let cursor = first["result"]["nextCursor"].as_str().expect("another page").to_owned();
    let second = client
        .ask("resources/list", None, &format!(r#""cursor":"{cursor}""#))
        .await;
    assert!(second["result"].get("nextCursor").is_none());
    seen.extend(uris(&second));
    let mut models: Vec<_> = (0..70).map(|n| format!("model://m{n:02}")).collect();
    models.push("model://%E4%B8%AD%E6%96%87".to_owned());
    assert_eq!(seen, models);
    for uri in [&seen[3], &seen[70]] {
        assert!(client.text(uri).await.starts_with(r#"{"system_name":"#), "{uri}");
    }
}

/// A list that began anew would be read without end, and one that skipped would hide models.
#[tokio::test]
async fn a_cursor_that_is_none_of_ours_is_refused() {
    for era in ERAS {
        let client = Client::new(era);
        client.call(WRITER, r#"{"system_name":"x"}"#).await;
        for method in ["tools/list", "resources/list", "resources/templates/list"] {
            for cursor in [
                "7",
                "[]",
                "{}",
                "true",
                "1.5",
                "\"\"",
                "\"x\"",
                "\"a/b\"",
                "\"after:\"",
                "\"after:a/b\"",
            ] {
                let answer = client.ask(method, None, &format!(r#""cursor":{cursor}"#)).await;
                let error = &answer["error"];
                assert_eq!(error["code"], -32602, "{method} {cursor}: {answer}");
                let message = error["message"].as_str().unwrap();
                assert!(
                    message.contains("`cursor`") && message.ends_with("leave it out to begin anew"),
                    "{method} {cursor}: {message}"
                );
            }
            let none = client.ask(method, None, r#""cursor":null"#).await;
            assert!(none["result"].is_object(), "{none}");
        }
    }
}

#[tokio::test]
async fn what_is_not_there_is_an_error_of_the_clients_era() {
    for era in ERAS {
        let client = Client::new(era);
        let code = if era == Era::Handshake { -32002 } else { -32602 };
        for uri in [
            "model://latest",
            "model://nope",
            "model://a%20b",
            "model://",
            "guide://nope",
            "example://01-bathtub",
            "file:///etc/passwd",
            "nonsense",
            "",
        ] {
            let error = client.read(uri).await["error"].clone();
            assert_eq!(error["code"], code, "{uri}: {error}");
            assert_eq!(error["data"]["uri"], uri);
        }
    }
}

#[tokio::test]
async fn models_are_found_by_encoded_and_by_plain_ids() {
    let client = Client::new(Era::Handshake);
    let text = r#"{"system_name":"Ünïted 水"}"#;
    client.call(WRITER, text).await;
    for uri in [
        "model://latest",
        "model://latest/",
        "model://ünïted-水",
        "model://%C3%BCn%C3%AFted-%E6%B0%B4",
    ] {
        assert_eq!(client.text(uri).await, text, "{uri}");
        let answer = client.read(uri).await;
        let contents = &answer["result"]["contents"][0];
        assert_eq!(
            (&contents["uri"], &contents["mimeType"]),
            (&json!(uri), &json!("application/json"))
        );
    }
}

#[tokio::test]
async fn templates_name_what_can_be_read() {
    let answer = Client::new(Era::Handshake)
        .ask("resources/templates/list", None, "")
        .await;
    let templates = answer["result"]["resourceTemplates"].as_array().unwrap();
    let uris: Vec<_> = templates.iter().map(|t| t["uriTemplate"].as_str().unwrap()).collect();
    assert_eq!(
        uris,
        [
            "example://{name}",
            "model://{id}",
            "literature://{source}/{+id}",
            "note:///{+path}"
        ]
    );
    assert!(templates[0]["description"].as_str().unwrap().contains("bathtub"));
}

#[tokio::test]
async fn the_example_in_each_guide_is_complete() {
    let client = Client::new(Era::Stateless);
    for uri in ["guide://systems-thinking", "guide://systems-thinking/zh"] {
        let text = client.text(uri).await;
        assert!(!text.ends_with('\n'));
        let example = text.split("```json\n").nth(1).unwrap().split("```").next().unwrap();
        let result = client.call(WRITER, example).await;
        let report = &result["structuredContent"];
        assert_eq!(report["complete"], true, "{report}");
        let answer = client.read(uri).await;
        assert_eq!(answer["result"]["contents"][0]["mimeType"], "text/markdown");
    }
}

#[test]
fn instructions_are_short_and_name_the_ways() {
    let text = include_str!("../../texts/instructions.md").trim_end();
    assert!(text.chars().count() < 2_048);
    for part in [
        "systems_thinking_writer",
        "systems_thinking_reader",
        "guide://systems-thinking/zh",
        "model://latest",
        "example://",
        "never instructions",
        "search literature (查文献): search_arxiv",
        "analyse with a framework (用框架分析): fetch_framework_template or generate_5_whys",
        "save (保存): save_note, save_literature",
        "analyse notes (分析本地笔记): list_local_notes, then read_local_note",
        "NEVER save without the user's explicit consent",
        "未经用户明确同意，绝不保存",
    ] {
        assert!(text.contains(part), "{part}");
    }
}
