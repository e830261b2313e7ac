//! What each route does when nothing is wrong.

use super::{Client, TUB};
use crate::routes::ROUTES;
use axum::body::Body;
use http::HeaderMap;
use serde_json::{Value, json};

#[tokio::test]
async fn a_document_is_stored_and_given_back_byte_for_byte() {
    let client = Client::new();
    let posted = client.post(TUB).await;
    assert_eq!(posted.status, 200);
    let answer = posted.json();
    let members: Vec<_> = answer
        .as_object()
        .expect("an object")
        .keys()
        .map(String::as_str)
        .collect();
    let mut wanted = [
        "complete",
        "missing_fields",
        "inconsistency_warnings",
        "advice",
        "model",
        "revision",
        "document",
    ];
    wanted.sort_unstable();
    assert_eq!(members, wanted);
    assert_eq!((&answer["model"], &answer["revision"]), (&json!("tub"), &json!(1)));
    assert_eq!(posted.header("etag"), "\"tub@1\"");
    assert_eq!(posted.header("content-location"), "/models/tub");
    assert_eq!(posted.header("content-length"), posted.body.len().to_string());
    let text = std::str::from_utf8(&posted.body).expect("UTF-8");
    assert!(text.ends_with(&format!(",\"document\":{TUB}}}")), "{text}");

    for target in ["/model", "/model/", "/models/tub", "/models/tub/revisions/1"] {
        let read = client.get(target).await;
        assert_eq!((read.status, &read.body[..]), (200, TUB.as_bytes()), "{target}");
        assert_eq!(read.header("etag"), "\"tub@1\"");
        let place = if target.contains("revisions") {
            target
        } else {
            "/models/tub"
        };
        assert_eq!(read.header("content-location"), place);
        assert_eq!(read.header("content-length"), TUB.len().to_string());
        let dated = httpdate::parse_http_date(read.header("last-modified")).is_ok();
        assert_eq!(dated, target.starts_with("/models"), "{target}");
    }
}

#[tokio::test]
async fn a_byte_order_mark_is_left_out_and_everything_else_kept() {
    let client = Client::new();
    let text = " {\"system_name\":\"Tub\",\"n\":1.10e+2,\"\\u6c34\":\"\\/\"}\r\n";
    let posted = client.send("POST", "/model", &[], format!("\u{feff}{text}")).await;
    assert!(
        posted.body.ends_with(format!("\"document\":{text}}}").as_bytes()),
        "{posted:?}"
    );
    assert_eq!(posted.json()["document"]["n"], 110.0);
    assert_eq!(client.get("/model").await.body, text);
}

#[tokio::test]
async fn put_creates_then_replaces_and_delete_leaves_revisions() {
    let client = Client::new();
    let put = |body: &'static str| client.send("PUT", "/models/bath", &[("content-type", "application/json")], body);
    let made = put(TUB).await;
    assert_eq!((made.status, made.header("location")), (201, "/models/bath"));
    assert_eq!(made.json()["model"], "bath");
    let again = put(TUB).await;
    assert_eq!((again.status, again.header("etag")), (200, "\"bath@1\""));
    assert_eq!(put("{}").await.header("etag"), "\"bath@2\"");
    assert_eq!(client.get("/models/bath/revisions/1").await.body, TUB);

    let gone = client.send("DELETE", "/models/bath", &[], Body::empty()).await;
    assert_eq!(
        (gone.status, gone.body.len(), gone.header("content-length")),
        (204, 0, "")
    );
    client.get("/models/bath").await.problem(404);
    client.get("/model").await.problem(404);
    let gone = client.get("/models/bath/revisions/3").await.problem(404);
    assert_eq!(
        gone["detail"],
        "model \"bath\" was deleted at revision 3, which has no document; read one before it"
    );
    let never = client.get("/models/bath/revisions/4").await.problem(404);
    assert_eq!(
        never["detail"],
        "model \"bath\" has no revision 4 that is kept; list its revisions"
    );
    assert_eq!(client.get("/models/bath/revisions/2").await.body, "{}");
    let revisions = client.get("/models/bath/revisions").await.json();
    let shown: Vec<_> = revisions["revisions"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|r| (&r["revision"], &r["deleted"]))
        .collect();
    assert_eq!(
        format!("{shown:?}"),
        "[(Number(3), Bool(true)), (Number(2), Bool(false)), (Number(1), Bool(false))]"
    );
    let made = put(TUB).await;
    assert_eq!((made.status, made.header("etag")), (201, "\"bath@4\""));
}

#[tokio::test]
async fn lists_come_in_parts() {
    let client = Client::new();
    for id in ["c", "a", "水", "b"] {
        let target = format!(
            "/models/{}",
            crate::conditions::url(&meadow_service::ModelId::new(id).expect("an id"))
                .rsplit('/')
                .next()
                .expect("an id")
        );
        assert_eq!(client.send("PUT", &target, &[], TUB).await.status, 201);
    }
    let ids = |page: &Value| {
        page["models"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|m| m["model"].clone())
            .collect::<Vec<_>>()
    };
    let all = client.get("/models").await.json();
    assert_eq!(
        (ids(&all), &all["next_cursor"]),
        (vec![json!("a"), json!("b"), json!("c"), json!("水")], &Value::Null)
    );
    let first = client.get("/models?limit=2").await.json();
    assert_eq!(
        (ids(&first), &first["next_cursor"]),
        (vec![json!("a"), json!("b")], &json!("b"))
    );
    let rest = client.get("/models?cursor=b&limit=2").await.json();
    assert_eq!(
        (ids(&rest), &rest["next_cursor"]),
        (vec![json!("c"), json!("水")], &Value::Null)
    );
    assert_eq!(
        ids(&client.get("/models/?cursor=%E6%B0%B4").await.json()),
        Vec::<Value>::new()
    );
    let head = &all["models"][0];
    assert_eq!(
        (&head["bytes"], &head["complete"], &head["revision"]),
        (&json!(TUB.len()), &json!(false), &json!(1))
    );

    for n in 2..6 {
        client
            .send("PUT", "/models/a", &[], format!("{{\"version\":\"{n}\"}}"))
            .await;
    }
    let numbers = |page: &Value| {
        page["revisions"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|m| m["revision"].clone())
            .collect::<Vec<_>>()
    };
    let first = client.get("/models/a/revisions?limit=3").await.json();
    assert_eq!(
        (numbers(&first), &first["next_cursor"]),
        (vec![json!(5), json!(4), json!(3)], &json!(3))
    );
    let rest = client.get("/models/a/revisions?limit=3&cursor=3").await.json();
    assert_eq!(
        (numbers(&rest), &rest["next_cursor"]),
        (vec![json!(2), json!(1)], &Value::Null)
    );
}

#[tokio::test]
async fn ids_of_every_script_are_found() {
    let client = Client::new();
    let posted = client
        .send("POST", "/model", &[], r#"{"system_name":"城市 交通"}"#)
        .await;
    assert_eq!(posted.json()["model"], "城市-交通");
    let place = "/models/%E5%9F%8E%E5%B8%82-%E4%BA%A4%E9%80%9A";
    assert_eq!(posted.header("content-location"), place);
    let tag = "\"%E5%9F%8E%E5%B8%82-%E4%BA%A4%E9%80%9A@1\"";
    assert_eq!(posted.header("etag"), tag);
    assert_eq!(client.get(place).await.status, 200);
    assert_eq!(client.get(&place.to_lowercase()).await.status, 200);
    assert_eq!(
        client.send("GET", place, &[("if-none-match", tag)], "").await.status,
        304
    );
    let put = client.send("PUT", place, &[("if-match", tag)], "{}").await;
    assert_eq!(put.header("etag"), tag.replace("@1", "@2"));
    assert_eq!(
        client.get(&format!("{place}/report")).await.json()["model"],
        "城市-交通"
    );
}

#[tokio::test]
async fn a_report_has_findings() {
    let client = Client::new();
    client.post(TUB).await;
    let report = client.get("/models/tub/report").await.json();
    let posted = client.post(TUB).await.json();
    for member in [
        "complete",
        "missing_fields",
        "inconsistency_warnings",
        "advice",
        "model",
        "revision",
    ] {
        assert_eq!(report[member], posted[member], "{member}");
    }
    assert!(report["findings"].is_array() && report.get("document").is_none());
}

#[tokio::test]
async fn head_answers_like_get_without_the_body() {
    let client = Client::new();
    let long = format!(r#"{{"system_name":"Long","version":"{}"}}"#, "x".repeat(5000));
    assert_eq!(client.send("POST", "/model", &[], long).await.status, 200);
    for route in ROUTES
        .iter()
        .filter(|route| route.operations.iter().any(|o| o.method == "GET"))
    {
        let path = route.path.replace("{id}", "long").replace("{revision}", "1");
        let missing = path.replace("long", "short");
        for target in [&path, &missing, &format!("{path}?unknown=1")] {
            for coding in ["identity", "gzip"] {
                let headers = [("accept-encoding", coding), ("x-request-id", "same")];
                let get = client.send("GET", target, &headers, "").await;
                let head = client.send("HEAD", target, &headers, "").await;
                assert_eq!(
                    (head.status, sorted(&head.headers)),
                    (get.status, sorted(&get.headers)),
                    "{target}"
                );
                assert!(head.body.is_empty() && !get.body.is_empty(), "{target}");
            }
        }
    }
}

fn sorted(headers: &HeaderMap) -> Vec<String> {
    let mut lines: Vec<_> = headers
        .iter()
        .map(|(name, value)| format!("{name}: {value:?}"))
        .collect();
    lines.sort_unstable();
    lines
}

#[tokio::test]
async fn every_path_says_what_it_allows() {
    let client = Client::new();
    for route in ROUTES {
        let path = route.path.replace("{id}", "tub").replace("{revision}", "1");
        let options = client.send("OPTIONS", &path, &[], "").await;
        assert_eq!(
            (options.status, options.body.len(), options.header("allow")),
            (204, 0, &*route.allow())
        );
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"] {
            if !route.operations.iter().any(|o| o.method == method) {
                let refused = client.send(method, &path, &[], "").await;
                assert_eq!(refused.header("allow"), route.allow());
                assert!(
                    refused.problem(405)["detail"]
                        .as_str()
                        .is_some_and(|d| d.contains(&route.allow()))
                );
            }
        }
    }
    assert_eq!(
        client.send("OPTIONS", "/models/tub", &[], "").await.header("allow"),
        "DELETE, GET, HEAD, OPTIONS, PATCH, PUT"
    );
}

/// Both come from one table; what the table says of parameters and bodies is asked of the handlers here.
#[tokio::test]
async fn the_description_tells_what_the_routes_do() {
    let client = Client::new();
    let description = client.get("/openapi.json").await.json();
    assert_eq!(description["openapi"], "3.1.0");
    assert_eq!(
        description["components"]["schemas"]["Document"],
        meadow_model::schema::json_schema()
    );
    let mut references = 0;
    each_reference(&description, &mut |name| {
        references += 1;
        assert!(description["components"]["schemas"][name].is_object(), "{name}");
    });
    assert!(references > 30, "{references}");
    let paths = description["paths"].as_object().expect("paths");
    assert_eq!(paths.len(), ROUTES.len());
    for (template, operations) in paths {
        let path = template.replace("{id}", "tub").replace("{revision}", "1");
        for (method, operation) in operations.as_object().expect("operations") {
            let method = method.to_uppercase();
            client.send("PUT", "/models/tub", &[], TUB).await;
            let with = |query: &str| client.send(&method, &format!("{path}{query}"), &[], TUB);
            let query: Vec<_> = operation["parameters"]
                .as_array()
                .expect("a list")
                .iter()
                .filter(|p| p["in"] == "query")
                .collect();
            for parameter in &query {
                let name = parameter["name"].as_str().expect("a name");
                let value = if name == "format" { "json" } else { "1" };
                let reply = with(&format!("?{name}={value}")).await;
                assert_eq!(reply.status, 200, "{method} {path} {name}");
            }
            let refused = with("?bogus=1").await.problem(400);
            assert!(
                refused["detail"].as_str().is_some_and(|d| d.contains("`bogus`")),
                "{refused}"
            );
            let gives = operation["requestBody"].is_object();
            let plain = client
                .send(&method, &path, &[("content-type", "text/plain")], TUB)
                .await;
            assert_eq!(plain.status == 415, gives, "{method} {path}");
        }
    }
}

fn each_reference<'v>(value: &'v Value, f: &mut impl FnMut(&'v str)) {
    match value {
        Value::Object(members) => members.iter().for_each(|(name, value)| match value.as_str() {
            Some(target) if name == "$ref" => f(target.strip_prefix("#/components/schemas/").expect("a schema")),
            _ => each_reference(value, f),
        }),
        Value::Array(items) => items.iter().for_each(|item| each_reference(item, f)),
        _ => {}
    }
}

#[tokio::test]
async fn health_is_told() {
    let client = Client::new();
    let health = client.get("/healthz").await;
    assert_eq!(
        health.json(),
        json!({"status": "ok", "version": env!("CARGO_PKG_VERSION")})
    );
    assert_eq!(client.get("/healthz?deep=1").await.json()["store"], "ok");
    assert_eq!(client.get("/healthz?deep=0").await.json().get("store"), None);
    client.get("/healthz?deep=maybe").await.problem(400);
}
