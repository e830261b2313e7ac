//! JSON Schema and the MCP inputSchema of the document, walked from the table in [`crate::fields`].

use crate::fields::{Document, Fielded, Need, Record};
use crate::values::Shape;
use serde_json::{Map, Value, json};

/// The published JSON Schema (2020-12). It accepts what the parser accepts: a member that needs content may be
/// absent or null; the validation then names it as missing.
#[must_use]
pub fn json_schema() -> Value {
    let mut schema = object(&Document::RECORD, &|shape, doc| published(*shape, doc, true));
    schema.insert("$schema".into(), "https://json-schema.org/draft/2020-12/schema".into());
    schema.insert("title".into(), "Systems-thinking document".into());
    Value::Object(schema)
}

/// The document's members as properties of an MCP inputSchema, in the profile that every client accepts: one type
/// as a string on each property, `items` on arrays, nothing required, no `$ref`, `anyOf`, `format`, `const` or
/// `default`.
#[must_use]
pub fn input_properties() -> Map<String, Value> {
    properties(&Document::RECORD, &|shape, doc| plain(*shape, doc))
}

/// How a shape with its meaning becomes a schema.
type Schema<'s> = &'s dyn Fn(&Shape, &str) -> Value;

fn properties(record: &Record, schema: Schema<'_>) -> Map<String, Value> {
    record
        .fields
        .iter()
        .map(|field| {
            (
                field.name.to_owned(),
                schema(&field.shape, &about(field.doc, field.need)),
            )
        })
        .collect()
}

fn object(record: &Record, schema: Schema<'_>) -> Map<String, Value> {
    let mut out = Map::new();
    out.insert("type".into(), "object".into());
    out.insert("properties".into(), Value::Object(properties(record, schema)));
    out
}

fn about(doc: &str, need: Need) -> String {
    match need {
        Need::Content => doc.to_owned(),
        Need::Optional => format!("{doc} (optional)"),
    }
}

/// A shape in the published schema. `null` says whether null may stand there: in members, but not in lists.
fn published(shape: Shape, doc: &str, null: bool) -> Value {
    let mut out = match shape {
        Shape::Text | Shape::End => json!({"type": "string"}),
        Shape::Bool => json!({"type": "boolean"}),
        Shape::Number(None) => json!({"type": "number"}),
        Shape::Number(Some((low, high))) => json!({"type": "number", "minimum": low, "maximum": high}),
        Shape::Integer(low, high) => json!({"type": "integer", "minimum": low, "maximum": high}),
        Shape::Choice(words) => json!({"type": "string", "enum": words}),
        Shape::Initial => json!({"type": ["number", "string"]}),
        Shape::Point => json!({"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}),
        Shape::List(item) => json!({"type": "array", "items": published(*item, "", false)}),
        Shape::Record(record) => Value::Object(object(record, &|shape, doc| published(*shape, doc, true))),
    };
    if null {
        if let Value::Array(words) = &mut out["enum"] {
            words.push(Value::Null);
        } else if let Value::Object(map) = &mut out {
            map.remove("enum");
        }
        out["type"] = match out["type"].take() {
            Value::Array(mut types) => {
                types.push("null".into());
                Value::Array(types)
            }
            one => json!([one, "null"]),
        };
    }
    described(out, doc)
}

/// A shape in the inputSchema.
fn plain(shape: Shape, doc: &str) -> Value {
    let out = match shape {
        Shape::Text | Shape::End | Shape::Initial => json!({"type": "string"}),
        Shape::Bool => json!({"type": "boolean"}),
        Shape::Number(_) => json!({"type": "number"}),
        Shape::Integer(..) => json!({"type": "integer"}),
        Shape::Choice(words) => json!({"type": "string", "enum": words}),
        Shape::Point => json!({"type": "array", "items": {"type": "number"}}),
        Shape::List(item) => json!({"type": "array", "items": plain(*item, "")}),
        Shape::Record(record) => Value::Object(object(record, &|shape, doc| plain(*shape, doc))),
    };
    described(out, doc)
}

fn described(mut schema: Value, doc: &str) -> Value {
    if !doc.is_empty() {
        schema["description"] = doc.into();
    }
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every property of the inputSchema keeps the profile of field/research-and-notes.md section 5.4.
    #[test]
    fn the_input_schema_keeps_the_profile() {
        fn walk(value: &Value, count: &mut usize) {
            *count += 1;
            let map = value.as_object().expect("a schema is an object");
            for key in map.keys() {
                assert!(
                    ["type", "description", "properties", "items", "enum"].contains(&key.as_str()),
                    "{key}"
                );
            }
            match map["type"].as_str().expect("one type, as a string") {
                "array" => walk(&map["items"], count),
                "object" => {
                    let properties = map["properties"].as_object().expect("properties");
                    assert!(!properties.is_empty());
                    properties.values().for_each(|p| walk(p, count));
                }
                "string" => {}
                other => assert!(["boolean", "number", "integer"].contains(&other) && !map.contains_key("enum")),
            }
        }
        let mut count = 0;
        input_properties().values().for_each(|p| walk(p, &mut count));
        assert!(count > 60, "{count}");
    }

    #[test]
    fn every_member_of_the_table_stands_in_both_schemas() {
        fn walk(record: &Record, published: &Value, plain: &Value) {
            for field in record.fields {
                let (p, q) = (&published[field.name], &plain[field.name]);
                assert!(p.is_object() && q.is_object(), "{}.{}", record.name, field.name);
                let (item, p, q) = match field.shape {
                    Shape::List(item) => (*item, &p["items"], &q["items"]),
                    shape => (shape, p, q),
                };
                if let Shape::Record(inner) = item {
                    walk(inner, &p["properties"], &q["properties"]);
                }
            }
        }
        walk(
            &Document::RECORD,
            &json_schema()["properties"],
            &Value::Object(input_properties()),
        );
    }
}
