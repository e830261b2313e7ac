//! The same as the crate json-patch says, on documents without ids.

use super::value;
use crate::patch::Patch;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Map, Value, json};

/// JSON whose objects have few names, so that paths often meet.
fn document() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (0..3i64).prop_map(Value::from),
        "[a-c~/\"\\\\é]{0,3}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[abc~/\"]{0,1}", inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// All pointers into a value, and some beside it.
fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Object(members) => {
            found.push(format!("{at}/new"));
            for (name, value) in members {
                let name = name.replace('~', "~0").replace('/', "~1");
                pointers(value, &format!("{at}/{name}"), found);
            }
        }
        Value::Array(items) => {
            found.push(format!("{at}/-"));
            found.push(format!("{at}/{}", items.len()));
            found.push(format!("{at}/{}", items.len() + 1));
            found.push(format!("{at}/01"));
            for (n, value) in items.iter().enumerate() {
                pointers(value, &format!("{at}/{n}"), found);
            }
        }
        _ => found.push(format!("{at}/below")),
    }
}

fn operation(document: &Value, (kind, path, from, other): &(usize, Index, Index, Value)) -> Value {
    let mut all = Vec::new();
    pointers(document, "", &mut all);
    let (path, from) = (path.get(&all), from.get(&all));
    match kind {
        0 => json!({"op": "add", "path": path, "value": other}),
        1 => json!({"op": "remove", "path": path}),
        2 => json!({"op": "replace", "path": path, "value": other}),
        3 => json!({"op": "move", "path": path, "from": from}),
        4 => json!({"op": "copy", "path": path, "from": from}),
        5 => json!({"op": "test", "path": path, "value": other}),
        _ => json!({"op": "test", "path": path, "value": document.pointer(path)}),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn operations_do_what_the_crate_json_patch_does(
        document in document(),
        wanted in prop::collection::vec((0..7usize, any::<Index>(), any::<Index>(), document()), 1..4),
        pretty in any::<bool>(),
    ) {
        // Each is made for the document as it stands by then, so that most can be applied.
        let mut theirs = document.clone();
        let mut operations = Vec::new();
        let mut applied = true;
        for one in &wanted {
            let operation = operation(&theirs, one);
            operations.push(operation.clone());
            // The root cannot be removed here, and what moves to where it is stays (RFC 6902 section 4.4 forbids proper
            // prefixes only); json-patch leaves null and refuses.
            let of = |name: &str| operation[name].as_str().unwrap_or_default().to_owned();
            let done = match (of("op").as_str(), of("path"), of("from")) {
                ("remove", path, _) if path.is_empty() => false,
                ("move", path, from) if path == from => theirs.pointer(&from).is_some(),
                _ => {
                    let patch: json_patch::Patch = serde_json::from_value(json!([operation])).unwrap();
                    json_patch::patch(&mut theirs, &patch).is_ok()
                }
            };
            if !done {
                applied = false;
                break;
            }
        }
        let text = if pretty { serde_json::to_string_pretty(&document) } else { serde_json::to_string(&document) }.unwrap();
        let ours = Patch::operations(&Value::from(operations.clone()).to_string()).unwrap().apply(&text);
        prop_assert_eq!(ours.is_ok(), applied, "{} {:?} {:?}", text, operations, ours);
        if let Ok(ours) = ours {
            prop_assert_eq!(value(&ours.text), theirs, "{} {:?}", text, operations);
        }
    }

    #[test]
    fn merges_do_what_the_crate_json_patch_does(document in document(), patch in document(), pretty in any::<bool>()) {
        let text = if pretty { serde_json::to_string_pretty(&document) } else { serde_json::to_string(&document) }.unwrap();
        let ours = Patch::merge(&patch.to_string()).unwrap().apply(&text).unwrap();
        let mut theirs = document;
        json_patch::merge(&mut theirs, &patch);
        prop_assert_eq!(value(&ours.text), theirs);
    }

    #[test]
    fn any_text_at_all_is_answered(patch in "\\PC{0,60}", document in document()) {
        let document = document.to_string();
        for patch in [Patch::operations(&patch), Patch::merge(&patch)].into_iter().flatten() {
            let _ = patch.apply(&document);
        }
    }
}
