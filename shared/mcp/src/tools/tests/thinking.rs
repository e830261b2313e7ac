//! `generate_5_whys` and `fetch_framework_template` as clients meet them.

use crate::testing::{Client, ERAS, Era, plain as text};
use meadow_thinking::frameworks::BRAKE;
use serde_json::{Value, json};

const WHYS: &str = "generate_5_whys";
const TEMPLATE: &str = "fetch_framework_template";

/// The five questions.
#[track_caller]
fn questions(result: &Value) -> Vec<String> {
    let questions: Vec<String> = serde_json::from_str(text(result)).expect("a list of texts");
    assert_eq!(questions.len(), 5, "{questions:?}");
    questions
}

#[tokio::test]
async fn five_questions_are_a_json_array_and_nothing_else() {
    for era in ERAS {
        let client = Client::new(era);
        let result = client.call(WHYS, r#"{"query":"中国开源人才的现状分析"}"#).await;
        assert!(text(&result).starts_with("[\n  \"为什么"), "{result}");
        for question in questions(&result) {
            assert!(question.contains("开源人才") && question.ends_with('？'), "{question}");
        }
        assert_eq!(result["_meta"]["meadow/status"], "ok");
    }
}

#[tokio::test]
async fn a_query_may_come_in_any_form() {
    let client = Client::new(Era::Handshake);
    let wanted = questions(&client.call(WHYS, r#"{"query":"checkout fails"}"#).await);
    for same in [
        r#"{"topic":"checkout fails"}"#,
        r#"{"query":"checkout fails","style":""}"#,
        r#"{"query":"checkout fails","style":"Facets"}"#,
        r#""{\"query\":\"checkout fails\"}""#,
        r#"{"query":"checkout fails","depth":9}"#,
    ] {
        assert_eq!(questions(&client.call(WHYS, same).await), wanted, "{same}");
    }
    for nothing in [
        "{}",
        "null",
        r#"{"query":null}"#,
        r#"{"query":["a",1]}"#,
        r#"{"query":{"q":"x"}}"#,
        r#"{"query":5}"#,
    ] {
        questions(&client.call(WHYS, nothing).await);
    }
    let ladder = questions(
        &client
            .call(WHYS, r#"{"query":"checkout fails","style":"ladder"}"#)
            .await,
    );
    assert_eq!(ladder[0], wanted[0]);
    assert!(
        ladder[1..]
            .iter()
            .zip(&wanted[1..])
            .all(|(ladder, facet)| ladder != facet),
        "{ladder:?}"
    );
    let unknown = client.call(WHYS, r#"{"query":"x","depth":9}"#).await;
    assert_eq!(unknown["_meta"]["meadow/ignored_arguments"], json!(["depth"]));
    let wrong = client.call(WHYS, r#"{"query":"x","style":"spiral"}"#).await;
    assert_eq!(wrong["isError"], true);
    let said = wrong["content"][0]["text"].as_str().unwrap();
    assert_eq!(
        said,
        "argument `style`: found \"spiral\", expected one of facets, ladder"
    );
}

#[tokio::test]
async fn a_template_begins_with_the_brake_and_its_repetition_ends_with_it() {
    for era in ERAS {
        let client = Client::new(era);
        let first = client.call(TEMPLATE, r#"{"framework_name":"SWOT"}"#).await;
        let first = text(&first);
        assert!(
            first.starts_with(&format!("{BRAKE}\n")) && !first.ends_with(BRAKE),
            "{first}"
        );
        for _ in 0..4 {
            let again = client.call(TEMPLATE, r#"{"framework_name":"SWOT"}"#).await;
            assert_eq!(text(&again), format!("{first}\n{BRAKE}"));
        }
        assert!(!first.contains('{') && !first.contains("://"), "{first}");
    }
}

#[tokio::test]
async fn a_topic_may_be_any_json_under_any_of_its_names() {
    let client = Client::new(Era::Handshake);
    for (argument, shown) in [
        (r#""topic":"tea in China""#, "tea in China"),
        (r#""user_input":"茶""#, "茶"),
        (
            r#""payload":{"company":"Acme","year":2026}"#,
            r#"{"company":"Acme","year":2026}"#,
        ),
        (r#""topic":["a","b"]"#, r#"["a","b"]"#),
        (r#""topic":"","payload":42"#, "42"),
    ] {
        let result = client
            .call(TEMPLATE, &format!(r#"{{"framework_name":"scqa",{argument}}}"#))
            .await;
        let lines: Vec<_> = text(&result).lines().collect();
        assert!(lines[0] == BRAKE && lines[2].ends_with(shown), "{argument}: {lines:?}");
    }
    let chinese = client
        .call(TEMPLATE, r#"{"framework_name":"scqa","language":"ZH"}"#)
        .await;
    assert!(text(&chinese).contains("输出骨架"), "{chinese}");
}

#[tokio::test]
async fn an_unknown_framework_is_answered_with_the_nearest_and_all() {
    let client = Client::new(Era::Handshake);
    for (sent, part) in [
        (r#"{"framework_name":"swto"}"#, "swot"),
        (r#"{"framework_name":"鱼骨刺"}"#, "fishbone"),
        ("{}", "No framework was named"),
        (r#"{"framework_name":{"a":1}}"#, "pyramid"),
    ] {
        let result = client.call(TEMPLATE, sent).await;
        let said = text(&result);
        assert!(said.contains(part) && said.contains("leverage_points"), "{said}");
        assert!(!said.contains(BRAKE), "a call is to follow: {said}");
        assert_eq!(result["_meta"]["meadow/status"], "not_found");
    }
}
