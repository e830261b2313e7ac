//! `missing-fields`: members that need content and have none, found by walking the table of members.

mod derived;

use super::Rule;
use crate::context::Context;
use crate::found::{Found, Note};
use crate::near;
use crate::report::Operation;
use derived::Derived;
use meadow_model::fields::Fielded;
use meadow_model::{Boundary, Pointer};
use serde_json::Value;
use std::borrow::Cow;

pub(super) const RULE: Rule = Rule {
    code: "missing-fields",
    about: "a member is absent, null, blank or an empty list where content is needed",
    check,
};

fn check(cx: &Context<'_>, found: &mut Found) {
    let d = cx.document;
    let derived = Derived::new(cx);
    let root = Pointer::root;
    record(found, d, root, |member| derived.of_document(member));
    if d.loops.balancing.is_empty() && d.loops.reinforcing.is_empty() {
        found.missing(|| note(d, &root(), "loops", || None));
    }
    boundary(cx, found);
    let item = |list: &'static str, i| move || Pointer::root().key(list).index(i);
    for (i, link) in d.interconnections.iter().enumerate() {
        record(found, link, item("interconnections", i), |m| derived.of_link(link, m));
    }
    for (i, stock) in d.stocks.iter().enumerate() {
        record(found, stock, item("stocks", i), |m| derived.of_stock(stock, m));
    }
    for (i, flow) in d.flows.iter().enumerate() {
        record(found, flow, item("flows", i), |m| derived.of_flow(flow, m));
    }
    for (i, variable) in d.variables.iter().enumerate() {
        record(found, variable, item("variables", i), |_| None);
    }
    for (list, i, one) in d.loops.all() {
        record(found, one, || root().key("loops").key(list).index(i), |_| None);
    }
    for (i, point) in d.leverage_points.iter().enumerate() {
        record(found, point, item("leverage_points", i), |m| {
            derived.of_leverage(point, m)
        });
    }
    for (i, intervention) in d.interventions.iter().enumerate() {
        record(found, intervention, item("interventions", i), |_| None);
        for (j, change) in intervention.changes.iter().enumerate() {
            let place = || root().key("interventions").index(i).key("changes").index(j);
            record(found, change, place, |_| None);
        }
    }
}

/// The members of a boundary. One that stands under a misspelt name is moved as a whole.
fn boundary(cx: &Context<'_>, found: &mut Found) {
    let d = cx.document;
    let mut moved = (d.boundary == Boundary::default()).then(|| renamed(&Pointer::root(), &d.unknown, "boundary"));
    d.boundary.missing(|member| {
        let place = Pointer::root().key("boundary");
        found.missing(|| {
            let mut note = note(&d.boundary, &place, member, || None);
            if let Some(patch) = moved.take().flatten() {
                note.patch = Some(patch);
            }
            note
        });
    });
}

/// Names the missing members of one record at `place`; `derive` finds content that follows from the rest of the
/// document.
fn record<R: Fielded>(
    found: &mut Found,
    record: &R,
    place: impl Fn() -> Pointer,
    derive: impl Fn(&'static str) -> Option<Value>,
) {
    record.missing(|member| found.missing(|| note(record, &place(), member, || derive(member))));
}

fn note<R: Fielded>(record: &R, place: &Pointer, member: &'static str, derive: impl FnOnce() -> Option<Value>) -> Note {
    let pointer = place.clone().key(member);
    let about = R::RECORD.fields.iter().find(|field| field.name == member);
    let derived = || derive().map(|value| vec![Operation::add(pointer.clone(), value)]);
    Note {
        text: format!("missing. {}", about.map_or("", |field| field.doc)),
        patch: renamed(place, record.unknown(), member).or_else(derived),
        pointer,
    }
}

/// The patch that gives a misspelt member its right name.
fn renamed(place: &Pointer, unknown: &[Cow<'_, str>], member: &str) -> Option<Vec<Operation>> {
    let misspelt = near::misspelt(unknown, member)?;
    let place = || place.clone();
    Some(vec![Operation::moved(place().key(misspelt), place().key(member))])
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::{check, report};
    use meadow_model::fields::{Fielded, Need, Record};
    use meadow_model::values::Shape;
    use meadow_model::{Document, Pointer};
    use serde_json::{Value, json};

    /// A document with one empty item in every list of records.
    fn hollow(record: &Record) -> Value {
        let members = record.fields.iter().filter_map(|field| match field.shape {
            Shape::Record(inner) => Some((field.name.to_owned(), hollow(inner))),
            Shape::List(Shape::Record(item)) => Some((field.name.to_owned(), json!([hollow(item)]))),
            _ => None,
        });
        Value::Object(members.collect())
    }

    /// Every member of the table that needs content, in its order.
    fn needed(record: &Record, place: &Pointer, out: &mut Vec<String>) {
        for field in record.fields {
            let at = place.clone().key(field.name);
            match field.shape {
                Shape::Record(inner) => needed(inner, &at, out),
                Shape::List(Shape::Record(item)) => needed(item, &at.index(0), out),
                _ if field.need == Need::Content => out.push(at.dotted()),
                _ => {}
            }
        }
    }

    #[test]
    fn every_member_of_the_table_that_needs_content_is_named() {
        let text = hollow(&Document::RECORD).to_string();
        let mut expected = Vec::new();
        needed(&Document::RECORD, &Pointer::root(), &mut expected);
        assert!(expected.contains(&"interventions[0].changes[0].expr".to_owned()) && expected.len() > 30);
        assert_eq!(report(&text).missing_fields, expected);
    }

    #[test]
    fn an_empty_document_lacks_eleven_members() {
        let expected = [
            "version",
            "system_name",
            "boundary.purpose",
            "boundary.scope_in",
            "boundary.scope_out",
            "elements",
            "interconnections",
            "stocks",
            "flows",
            "loops",
            "leverage_points",
        ];
        assert_eq!(report("{}").missing_fields, expected);
        let nulls = r#"{"version":null,"boundary":null,"elements":null,"loops":{"balancing":null,"reinforcing":[]},"stocks":[]}"#;
        assert_eq!(report(nulls).missing_fields, expected);
        let blanks =
            r#"{"version":" ","boundary":{"purpose":"\n","scope_in":[],"scope_out":["", " "]},"elements":["\u3000"]}"#;
        assert_eq!(report(blanks).missing_fields, expected);
    }

    #[test]
    fn texts_say_what_belongs_there() {
        let found = report(r#"{"stocks":[{"id":"tub"}]}"#).findings;
        let message = |pointer: &str| {
            let finding = found.iter().find(|f| f.pointer.as_str() == pointer);
            finding.expect("a finding").message.clone()
        };
        assert_eq!(
            message("/stocks/0/unit"),
            "stocks[0].unit: missing. Unit in which it is counted"
        );
        assert_eq!(
            message("/loops"),
            "loops: missing. Feedback loops; at least one in either list"
        );
    }

    /// `text` lacks the member at `pointer`, and `patch` gives it.
    #[track_caller]
    fn gives(text: &str, pointer: &str, patch: &str) {
        let finding = report(text)
            .findings
            .into_iter()
            .find(|f| f.pointer.as_str() == pointer);
        let given = finding.expect("a finding").patch;
        assert_eq!(
            given.map_or(String::new(), |p| serde_json::to_string(&p).unwrap()),
            patch
        );
    }

    #[test]
    fn what_follows_from_the_document_is_given() {
        gives("{}", "/version", r#"[{"op":"add","path":"/version","value":"1.0.0"}]"#);
        for judged in ["/system_name", "/boundary/purpose", "/elements", "/stocks", "/loops"] {
            gives("{}", judged, "");
        }
        gives(
            r#"{"stocks":[{"id":"tub"},{"id":" "}],"flows":[{"id":"tap"}],"variables":[{"id":"v"}],"interconnections":[{"from":"tub","to":"cat"}]}"#,
            "/elements",
            r#"[{"op":"add","path":"/elements","value":["tub","tap","v","cat"]}]"#,
        );
        let twelve = &report(r#"{"interventions":[{"target_leverage_id":3}]}"#).findings;
        let twelve = twelve
            .iter()
            .find(|f| f.pointer.as_str() == "/leverage_points")
            .unwrap();
        let value = twelve.patch.as_ref().unwrap()[0].value.as_ref().unwrap();
        assert_eq!(value.as_array().map(Vec::len), Some(12));
        assert_eq!(
            value[2],
            json!({"id":3,"label":"The goals of the system","is_applicable":true})
        );
        assert_eq!(value[3]["is_applicable"], false);
    }

    #[test]
    fn leverage_points_are_given() {
        let text = r#"{"leverage_points":[{"id":3},{"label":"the goals of the system "},{"label":"x"}],"interventions":[{"target_leverage_id":3}]}"#;
        gives(
            text,
            "/leverage_points/0/label",
            r#"[{"op":"add","path":"/leverage_points/0/label","value":"The goals of the system"}]"#,
        );
        gives(
            text,
            "/leverage_points/0/is_applicable",
            r#"[{"op":"add","path":"/leverage_points/0/is_applicable","value":true}]"#,
        );
        gives(
            text,
            "/leverage_points/1/id",
            r#"[{"op":"add","path":"/leverage_points/1/id","value":3}]"#,
        );
        gives(text, "/leverage_points/2/id", "");
        gives(text, "/leverage_points/2/is_applicable", "");
    }

    #[test]
    fn flow_ends_and_link_types_are_given() {
        let text = r#"{"stocks":[{"id":"a"},{"id":"b"}],"flows":[{"from_stock":"a"},{"from_stock":"","to_stock":"b"},{"to_stock":"x"},{},
            {"from_stock":"a","to_stock":"b"}],"interconnections":[{"from":"a","to":"b"},{"from":"b","to":"a"},{"from":"b"}]}"#;
        gives(
            text,
            "/flows/0/to_stock",
            r#"[{"op":"add","path":"/flows/0/to_stock","value":null}]"#,
        );
        gives(
            text,
            "/flows/1/from_stock",
            r#"[{"op":"add","path":"/flows/1/from_stock","value":null}]"#,
        );
        gives(text, "/flows/2/from_stock", "");
        gives(text, "/flows/3/from_stock", "");
        gives(
            text,
            "/interconnections/0/type",
            r#"[{"op":"add","path":"/interconnections/0/type","value":"flow"}]"#,
        );
        gives(
            text,
            "/interconnections/1/type",
            r#"[{"op":"add","path":"/interconnections/1/type","value":"causal"}]"#,
        );
        gives(text, "/interconnections/2/type", "");
    }

    #[test]
    fn a_unit_follows_from_the_stocks_that_flows_join() {
        let text = r#"{"stocks":[{"id":"a","unit":"l"},{"id":"b"},{"id":"c","unit":"kg"},{"id":"d"},{"id":"e"},{"id":"f"}],"flows":[
            {"from_stock":"a","to_stock":"b"},{"from_stock":"c","to_stock":"d"},{"from_stock":"a","to_stock":"d"},
            {"from_stock":"e","to_stock":null},{"from_stock":null,"to_stock":"f","unit":"m3 / day"}]}"#;
        gives(
            text,
            "/stocks/1/unit",
            r#"[{"op":"add","path":"/stocks/1/unit","value":"l"}]"#,
        );
        gives(text, "/stocks/3/unit", "");
        gives(text, "/stocks/4/unit", "");
        gives(
            text,
            "/stocks/5/unit",
            r#"[{"op":"add","path":"/stocks/5/unit","value":"m3"}]"#,
        );
    }

    #[test]
    fn a_misspelt_member_is_renamed() {
        gives(
            r#"{"stocks":[{"unitt":"l"}]}"#,
            "/stocks/0/unit",
            r#"[{"op":"move","path":"/stocks/0/unit","from":"/stocks/0/unitt"}]"#,
        );
        gives(
            r#"{"flows":[{"fromStock":"l","to_stock":"b"}],"stocks":[{"id":"b"}]}"#,
            "/flows/0/from_stock",
            r#"[{"op":"move","path":"/flows/0/from_stock","from":"/flows/0/fromStock"}]"#,
        );
        gives(
            r#"{"loop":{}}"#,
            "/loops",
            r#"[{"op":"move","path":"/loops","from":"/loop"}]"#,
        );
        let boundary = r#"{"boundry":{"purpose":"x"}}"#;
        gives(
            boundary,
            "/boundary/purpose",
            r#"[{"op":"move","path":"/boundary","from":"/boundry"}]"#,
        );
        gives(boundary, "/boundary/scope_in", "");
        gives(
            r#"{"boundary":{"Purpose":"x"},"boundry":{}}"#,
            "/boundary/purpose",
            r#"[{"op":"move","path":"/boundary/purpose","from":"/boundary/Purpose"}]"#,
        );
    }

    #[test]
    fn interventions_and_optional_members_are_never_missing() {
        let text = r#"{"interventions":[],"variables":[],"simulation":{},"interconnections":[{"from":"a","to":"b","type":"info"}]}"#;
        let missing = report(text).missing_fields;
        assert!(
            !missing
                .iter()
                .any(|m| m.starts_with("int") || m.starts_with("var") || m.starts_with("sim"))
        );
        check("unknown-flow-end", text, &[]);
    }
}
