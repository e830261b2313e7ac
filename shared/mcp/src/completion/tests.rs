//! Completion as clients meet it.

use super::*;
use crate::Config;
use crate::testing::{Client, ERAS, EXAMPLES, Era, Faulty, WRITER, service};
use meadow_access::Scopes;
use meadow_service::MemoryStore;
use meadow_service::notes::{MemoryNotes, Mode, Save};
use serde_json::{Value, json};
use std::sync::Arc;

fn params(template: &str, argument: &str, typed: &str) -> String {
    let params = json!({
        "ref": {"type": "ref/resource", "uri": template},
        "argument": {"name": argument, "value": typed},
    });
    let text = params.to_string();
    text[1..text.len() - 1].to_owned()
}

async fn completed(client: &Client, template: &str, argument: &str, typed: &str) -> Value {
    let answer = client
        .ask("completion/complete", None, &params(template, argument, typed))
        .await;
    assert!(answer["result"]["completion"].is_object(), "{answer}");
    answer["result"]["completion"].clone()
}

#[tokio::test]
async fn every_name_in_every_template_can_be_completed() {
    let mut rows: Vec<_> = ROWS.iter().map(|row| row.template).collect();
    rows.dedup();
    let client = Client::new(Era::Handshake);
    let listed = client.ask("resources/templates/list", None, "").await;
    let templates = listed["result"]["resourceTemplates"].as_array().expect("a list");
    let templates: Vec<_> = templates
        .iter()
        .filter_map(|template| template["uriTemplate"].as_str())
        .collect();
    // The last is listed where the vault is on this machine.
    assert_eq!(rows.split_last(), Some((&"file:///{+path}", templates.as_slice())));
    for row in ROWS {
        assert!(
            row.template.contains(&format!("{}}}", row.argument)) && !row.argument.is_empty(),
            "{}",
            row.template
        );
        assert_eq!(row.scope, resources::scope(row.template), "{}", row.template);
    }
}

#[tokio::test]
async fn examples_are_completed_in_both_eras() {
    for era in ERAS {
        let client = Client::new(era);
        let mut all = EXAMPLES.to_vec();
        all.sort_unstable();
        for (typed, values) in [
            ("", all),
            ("b", vec!["bass-diffusion", "bathtub"]),
            (" BATH", vec!["bathtub"]),
            ("bathtub", vec!["bathtub"]),
            ("x", vec![]),
            ("%00", vec![]),
        ] {
            assert_eq!(
                completed(&client, "example://{name}", "name", typed).await,
                json!({"values": values, "total": values.len(), "hasMore": false}),
                "{typed}"
            );
        }
    }
    let answer = Client::new(Era::Stateless)
        .ask("completion/complete", None, &params("example://{name}", "name", ""))
        .await;
    assert_eq!(answer["result"]["resultType"], "complete");
    assert_eq!(
        answer["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"],
        "meadow"
    );
}

#[tokio::test]
async fn ids_of_models_are_completed() {
    let client = Client::new(Era::Handshake);
    let empty = completed(&client, "model://{id}", "id", "").await;
    assert_eq!(empty, json!({"values": ["latest"], "total": 1, "hasMore": false}));
    for n in 0..105 {
        client
            .call(WRITER, &format!(r#"{{"model":"m-{n:03}","system_name":"M"}}"#))
            .await;
    }
    for id in ["Tub", "tub", "tub-2", "lat", "水-1"] {
        client
            .call(WRITER, &format!(r#"{{"model":"{id}","system_name":"M"}}"#))
            .await;
    }
    let check = async |typed: &str, values: &[&str]| {
        assert_eq!(
            completed(&client, "model://{id}", "id", typed).await,
            json!({"values": values, "total": values.len(), "hasMore": false}),
            "{typed}"
        );
    };
    check("t", &["tub", "tub-2"]).await;
    check("tub", &["tub", "tub-2"]).await;
    check("tub-2", &["tub-2"]).await;
    check("T", &["Tub"]).await;
    // As a system is called, not its id.
    check("TUB 2", &["tub-2"]).await;
    check("lat", &["latest", "lat"]).await;
    check("latest", &["latest"]).await;
    check("水", &["水-1"]).await;
    check("m-10", &["m-100", "m-101", "m-102", "m-103", "m-104"]).await;
    for none in ["x", "../x", "x/0", ".", "\u{0}", "%2e%2e", "tub-22", &"m".repeat(300)] {
        check(none, &[]).await;
    }
    for typed in ["m", ""] {
        let many = completed(&client, "model://{id}", "id", typed).await;
        assert_eq!(
            (many["values"].as_array().unwrap().len(), &many["hasMore"]),
            (100, &json!(true))
        );
        assert_eq!(many.get("total"), None);
    }
}

#[tokio::test]
async fn what_cannot_be_completed_is_told() {
    let client = Client::new(Era::Handshake);
    for (params, part) in [
        (
            params("model://{name}", "name", ""),
            "the templates are: example://{name}, model://{id}",
        ),
        (
            params("model://{id}", "name", ""),
            "model://{id} has no \"name\"; it has \"id\"",
        ),
        (
            r#""ref":{"type":"ref/prompt","name":"x"},"argument":{"name":"a","value":""}"#.to_owned(),
            "there are no prompts",
        ),
        (
            r#""ref":{"type":"ref/resource"}"#.to_owned(),
            "`argument.name` is missing",
        ),
        (
            r#""ref":5,"argument":{"name":"a","value":7}"#.to_owned(),
            "`argument.value`: found the number 7",
        ),
    ] {
        let answer = client.ask("completion/complete", None, &params).await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        assert!(answer["error"]["message"].as_str().unwrap().contains(part), "{answer}");
    }
    let broken = Client::of(service(Faulty::Full), crate::Config::default(), Era::Handshake);
    let answer = broken
        .ask("completion/complete", None, &params("model://{id}", "id", ""))
        .await;
    assert_eq!(answer["error"]["code"], -32603, "{answer}");
    assert!(
        answer["error"]["message"]
            .as_str()
            .unwrap()
            .contains("no room on the disk"),
        "{answer}"
    );
}

#[tokio::test]
async fn ids_are_told_only_to_those_who_may_read_models() {
    let service = service(MemoryStore::new());
    let of = |scopes: Scopes| {
        let mut client = Client::of(service.clone(), crate::Config::default(), Era::Stateless);
        let caller = Caller {
            scopes,
            ..Caller::default()
        };
        client.router = client.router.layer(axum::Extension(caller));
        client
    };
    of(Scopes::all()).call(WRITER, r#"{"system_name":"Tub"}"#).await;
    let reader = completed(&of(Scope::ModelRead.into()), "model://{id}", "id", "t").await;
    assert_eq!(reader["values"], json!(["tub"]));
    let other = of(Scope::Research.into());
    let answer = other
        .request("completion/complete", None, &params("model://{id}", "id", "t"))
        .await;
    assert_eq!(
        (answer.status.as_u16(), &answer.json()["error"]["code"]),
        (403, &json!(1403))
    );
    assert!(!answer.body.contains("tub"), "{answer:?}");
    assert_eq!(
        completed(&other, "example://{name}", "name", "bat").await["values"],
        json!(["bathtub"])
    );
}

#[tokio::test]
async fn paths_of_notes_and_ids_of_saved_papers_are_completed() {
    let service = service(MemoryStore::new()).with_notes(Arc::new(MemoryNotes::new()));
    let me = Caller::default();
    for (filename, content) in [
        (
            "papers/a.md",
            "---\narxiv_id: \"2101.00001\"\ndoi: \"10.1000/x\"\n---\n",
        ),
        ("论文/量子 计算.md", "x"),
    ] {
        let save = Save {
            filename,
            content,
            mode: Mode::Create,
            if_match: None,
        };
        service.notes().save(&me.workspace, save).await.expect("a note");
    }
    let of = |scopes: Scopes| {
        let mut client = Client::of(service.clone(), Config::default(), Era::Handshake);
        let caller = Caller {
            scopes,
            ..Caller::default()
        };
        client.router = client.router.layer(axum::Extension(caller));
        client
    };
    let all = of(Scopes::all());
    let check = async |client: &Client, template: &str, argument: &str, typed: &str, values: &[&str]| {
        assert_eq!(
            completed(client, template, argument, typed).await,
            json!({"values": values, "total": values.len(), "hasMore": false}),
            "{template} {typed}"
        );
    };
    let (note, paper) = ("note:///{+path}", "literature://{source}/{+id}");
    check(&all, note, "path", "", &["papers/a.md", "论文/量子 计算.md"]).await;
    check(&all, note, "path", "论", &["论文/量子 计算.md"]).await;
    check(&all, note, "path", "../", &[]).await;
    check(&all, paper, "source", "", &["arxiv", "doi", "s2"]).await;
    check(&all, paper, "id", "", &["10.1000/x", "2101.00001"]).await;
    check(&all, paper, "id", "21", &["2101.00001"]).await;
    check(&of(Scope::Research.into()), paper, "id", "", &[]).await;
    check(&Client::new(Era::Handshake), note, "path", "", &[]).await;
    // A vault that is in no folder of this machine.
    check(&all, "file:///{+path}", "path", "", &[]).await;
}
