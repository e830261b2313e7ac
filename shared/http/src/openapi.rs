//! `/openapi.json`: the description of all routes, made from their table.

use crate::answer;
use crate::extract::{Nothing, Query};
use crate::problem::Problem;
use crate::routes::{Operation, ROUTES};
use axum::response::Response;
use meadow_model::patch::{Kind, MAX_OPERATIONS};
use serde_json::{Map, Value, json};
use std::sync::LazyLock;

/// What an answer holds.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Schema {
    Document,
    Written,
    Report,
    Models,
    Revisions,
    Health,
    Simulation,
    Analysis,
}

impl Schema {
    fn name(self) -> &'static str {
        match self {
            Self::Document => "Document",
            Self::Written => "Written",
            Self::Report => "Report",
            Self::Models => "Models",
            Self::Revisions => "Revisions",
            Self::Health => "Health",
            Self::Simulation => "Simulation",
            Self::Analysis => "Analysis",
        }
    }
}

/// What can be wrong with every request: the status, and what it means.
const FAULTS: &[(u16, &str)] = &[
    (400, "The request cannot be read"),
    (401, "There is no access token, or none that lets in"),
    (403, "Host or Origin is not allowed, or the token lacks the scope"),
    (404, "There is no such thing"),
    (406, "Accept excludes what is answered"),
    (408, "The request's body did not arrive in time"),
    (
        409,
        "The document has not what the patch needs, or a test of it failed; nothing was changed",
    ),
    (412, "A precondition does not hold; nothing was changed"),
    (413, "The document is too large"),
    (415, "The body is no plain JSON"),
    (
        422,
        "The body is JSON, but no document; or what was asked for cannot be made of the model",
    ),
    (500, "Something failed in the server"),
    (
        503,
        "The store cannot be reached or did not answer in time, or the server is busy",
    ),
];

/// Of these, what every route can answer.
const ANYWHERE: &[u16] = &[400, 403, 406, 408, 500, 503];

/// The name of the way to show who one is.
const SCHEME: &str = "token";

/// The description. It is open to everybody: it says nothing of a workspace, and how to get in.
pub(crate) async fn read(Query(Nothing {}): Query<Nothing>) -> Result<Response, Problem> {
    answer::json(&*DESCRIPTION)
}

pub(crate) static DESCRIPTION: LazyLock<Value> = LazyLock::new(|| {
    let paths: Map<String, Value> = ROUTES
        .iter()
        .map(|route| {
            let operations: Map<String, Value> = route
                .operations
                .iter()
                .map(|o| (o.method.to_ascii_lowercase(), operation(route.path, o)))
                .collect();
            (route.path.to_owned(), Value::Object(operations))
        })
        .collect();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Meadow",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Systems-thinking models: written, checked, kept and given back. Every GET also answers HEAD, every path OPTIONS. Agents use /mcp."
        },
        "paths": paths,
        "components": {
            "schemas": schemas(),
            "securitySchemes": {SCHEME: {
                "type": "http",
                "scheme": "bearer",
                "description": "An access token (mdw_...) with the scope that is named, where the server asks for one; `meadow token new` makes it"
            }},
        },
    })
});

fn operation(path: &str, operation: &Operation) -> Value {
    let mut out = json!({
        "operationId": operation.name,
        "summary": operation.summary,
        "parameters": parameters(path, operation),
        "responses": responses(operation),
        "security": operation.scope.map_or(json!([]), |scope| json!([{SCHEME: [scope.as_str()]}])),
    });
    if operation.takes_document {
        out["requestBody"] = json!({"required": true, "content": content(Schema::Document)});
    }
    if operation.method == "PATCH" {
        let operation = json!({
            "type": "object",
            "properties": {
                "op": {"enum": Kind::ALL.map(Kind::name)},
                "path": {"type": "string", "description": "A JSON Pointer; after a list its segment may be an item's id"},
                "from": {"type": "string"},
                "value": {"description": "Any JSON"},
            },
            "required": ["op", "path"],
        });
        let operations = json!({"type": "array", "maxItems": MAX_OPERATIONS, "items": operation});
        out["requestBody"] = json!({"required": true, "content": {
            "application/json-patch+json": {"schema": operations},
            "application/merge-patch+json": {"schema": {"type": "object"}},
        }});
    }
    out
}

fn parameters(path: &str, operation: &Operation) -> Vec<Value> {
    let names = path
        .split('/')
        .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let path = names.map(|name| {
        let schema = if name == "revision" {
            json!({"type": "integer", "minimum": 1})
        } else {
            json!({"type": "string"})
        };
        json!({"name": name, "in": "path", "required": true, "schema": schema})
    });
    let others = |place: &'static str, given: &'static [(&str, &str)]| {
        given.iter().map(
            move |(name, about)| json!({"name": name, "in": place, "description": about, "schema": {"type": "string"}}),
        )
    };
    path.chain(others("query", operation.query))
        .chain(others("header", operation.conditions))
        .collect()
}

fn responses(operation: &Operation) -> Map<String, Value> {
    let mut out = Map::new();
    for (status, about, schema) in operation.answers {
        let mut answer = json!({"description": about});
        if let Some(schema) = schema {
            answer["content"] = content(*schema);
        }
        out.insert(status.to_string(), answer);
    }
    for (status, about) in FAULTS {
        let guarded = *status == 401 && operation.scope.is_some();
        if guarded || ANYWHERE.contains(status) || operation.faults.contains(status) {
            let problem = json!({"application/problem+json": {"schema": reference("Problem")}});
            out.insert(status.to_string(), json!({"description": about, "content": problem}));
        }
    }
    out
}

fn content(schema: Schema) -> Value {
    let mut content = json!({"application/json": {"schema": reference(schema.name())}});
    if matches!(schema, Schema::Simulation) {
        content["text/csv"] =
            json!({"schema": {"type": "string", "description": "RFC 4180; time first, then every variable"}});
    }
    content
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

fn schemas() -> Value {
    let text = || json!({"type": "string"});
    let texts = || json!({"type": "array", "items": {"type": "string"}});
    let revision = || json!({"type": "integer", "minimum": 1});
    let verdict = |more: &[(&str, Value)]| {
        let mut members = json!({
            "complete": {"type": "boolean", "description": "True only when missing_fields and inconsistency_warnings are both empty"},
            "missing_fields": texts(),
            "inconsistency_warnings": texts(),
            "advice": {"type": "array", "items": reference("Advice")},
            "model": text(),
            "revision": revision(),
        });
        more.iter().for_each(|(name, schema)| members[name] = schema.clone());
        object(&members)
    };
    let head = json!({
        "model": text(), "revision": revision(), "system_name": text(), "complete": {"type": "boolean"},
        "deleted": {"type": "boolean"}, "bytes": {"type": "integer", "minimum": 0}, "sha256": text(),
        "updated_at": {"type": "string", "format": "date-time"},
    });
    let heads = || json!({"type": "array", "items": reference("Head")});
    let patch = json!({"type": "array", "description": "JSON Patch (RFC 6902)", "items": {"type": "object"}});
    let mut finding = object(&json!({"code": text(), "pointer": text(), "message": text()}));
    finding["properties"]["patch"] = patch;
    let mut problem = object(&json!({
        "type": text(), "title": text(), "status": {"type": "integer"}, "detail": text(), "request_id": text(),
    }));
    problem["description"] = "Problem details (RFC 9457)".into();
    problem["properties"]["errors"] =
        json!({"type": "array", "items": object(&json!({"pointer": text(), "detail": text()}))});
    let mut health = object(&json!({"status": text(), "version": text()}));
    health["properties"]["store"] = text();
    json!({
        "Document": meadow_model::schema::json_schema(),
        "Advice": object(&json!({
            "code": text(), "level": {"enum": ["error", "warning", "info"]}, "pointer": text(), "message": text(), "fix": text(),
        })),
        "Finding": finding,
        "Head": object(&head),
        "Written": verdict(&[("document", reference("Document"))]),
        "Report": verdict(&[("findings", json!({"type": "array", "items": reference("Finding")}))]),
        "Models": object(&json!({"models": heads(), "next_cursor": {"type": ["string", "null"]}})),
        "Revisions": object(&json!({"model": text(), "revisions": heads(), "next_cursor": {"type": ["integer", "null"]}})),
        "Health": health,
        "Simulation": simulation(),
        "Analysis": analysis(),
        "ModelProblem": object(&json!({
            "code": text(), "level": {"enum": ["error", "warning", "info"]}, "variable": text(), "pointer": text(), "message": text(), "fix": text(),
        })),
        "Problem": problem,
    })
}

/// What a model does.
fn simulation() -> Value {
    let (text, number, count) = (
        json!({"type": "string"}),
        json!({"type": "number"}),
        json!({"type": "integer"}),
    );
    let mut course = object(&json!({"name": text, "kind": text, "behaviour": text, "sparkline": text}));
    for (name, schema) in [
        ("unit", &text),
        ("start", &number),
        ("end", &number),
        ("min", &number),
        ("min_time", &number),
        ("max", &number),
        ("peak_time", &number),
        ("doubling_time", &number),
        ("half_life", &number),
    ] {
        course["properties"][name] = schema.clone();
    }
    course["properties"]["series"] =
        json!({"type": "array", "items": {"type": "array", "prefixItems": [number, {"type": ["number", "null"]}]}});
    let mut constant = object(&json!({"name": text}));
    constant["properties"]["value"] = number.clone();
    constant["properties"]["unit"] = text.clone();
    let mut simulation = object(&json!({
        "model": text, "revision": count,
        "status": {"enum": ["ok", "partial", "not_runnable"]},
        "summaries": {"type": "array", "items": course},
        "constants": {"type": "array", "items": constant},
        "problems": {"type": "array", "items": reference("ModelProblem")},
    }));
    let properties = &mut simulation["properties"];
    properties["grid"] = object(&json!({
        "start": number, "stop": number, "dt": number, "steps": count, "method": {"enum": ["euler", "rk4"]}, "time_unit": text,
    }));
    properties["not_finite"] = object(&json!({"variable": text, "step": count, "time": number, "value": text}));
    properties["notes"] = json!({"type": "array", "items": text});
    for name in ["omitted", "problems_omitted", "seed"] {
        properties[name] = count.clone();
    }
    simulation
}

/// How a model is built.
fn analysis() -> Value {
    let (text, flag, count) = (
        json!({"type": "string"}),
        json!({"type": "boolean"}),
        json!({"type": "integer"}),
    );
    let texts = json!({"type": "array", "items": text});
    let list = |items: Value| json!({"type": "array", "items": items});
    let mut edge = object(&json!({"from": text, "to": text, "sign": text, "delay": flag, "agrees": flag}));
    for name in ["computed", "declared", "basis"] {
        edge["properties"][name] = text.clone();
    }
    let mut one = object(&json!({
        "id": text, "class": text, "members": texts, "signs": text, "stock": flag, "delay": flag, "independent": flag,
        "length": count,
    }));
    one["properties"]["unknown"] = texts.clone();
    one["properties"]["declared_as"] = texts.clone();
    one["properties"]["in_run"] = text.clone();
    let mut analysis = object(&json!({
        "model": text, "revision": count, "status": {"enum": ["ok", "partial"]},
        "node_count": count, "edge_count": count,
        "nodes": list(object(&json!({"name": text, "kind": text}))),
        "edges": list(edge),
        "components": count,
        "total": {"type": ["integer", "null"], "description": "null: too many to count"},
        "at_least": count, "complete": flag, "complete_to_length": count,
        "counts": object(&json!({"reinforcing": count, "balancing": count, "undetermined": count})),
        "loops": list(one),
        "independent_count": count, "independent_complete": flag, "undeclared": texts,
        "declared": list(object(&json!({"name": text, "declared": text, "status": text}))),
        "problem_count": count, "problems": list(reference("ModelProblem")),
        "ran": flag,
    }));
    let properties = &mut analysis["properties"];
    properties["scc"] = list(texts.clone());
    let mut evidence = object(&json!({"from": text, "to": text, "pointer": text, "uris": texts}));
    evidence["properties"]["titles"] = json!({"type": "object", "additionalProperties": text, "description": "Of papers and notes, by URI, where known"});
    properties["evidence"] = list(evidence);
    properties["notes"] = texts;
    analysis
}

/// An object that has all of these members.
fn object(members: &Value) -> Value {
    let names: Vec<_> = members
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, _)| name)
        .collect();
    json!({"type": "object", "properties": members, "required": names})
}
