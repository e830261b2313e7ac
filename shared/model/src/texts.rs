//! What stands in a document as JSON text where JSON itself is demanded: some clients send lists, objects, numbers and
//! flags so. It is looked at only when a document was refused for it; HTTP is strict.

use crate::json::members;
use crate::parse::{Fault, Faults};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::ops::Range;

/// Which values are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Within {
    /// Members; of the items of lists only numbers and flags: a list of texts was meant so.
    Members,
    /// Items of lists, too: whoever puts one in sends it by itself.
    Everything,
}

/// The document with each value taken out of its text where that is of the kind that was demanded there; none where
/// nothing is.
#[must_use]
pub fn taken_out(document: &str, faults: &Faults, within: Within) -> Option<String> {
    let at: Vec<_> = faults
        .named()
        .iter()
        .filter(|fault| fault.found.starts_with("the text "))
        .collect();
    let pointers: Vec<_> = at.iter().map(|fault| Wanted::of(fault)).collect();
    let mut edits = Vec::new();
    walk(
        document,
        document,
        pointers.iter().map(|wanted| (wanted, 0)).collect(),
        within,
        &mut edits,
    );
    if edits.is_empty() {
        return None;
    }
    edits.sort_by_key(|(range, _)| range.start);
    let mut out = String::with_capacity(document.len());
    let mut from = 0;
    for (range, json) in edits {
        out.push_str(&document[from..range.start]);
        out.push_str(&json);
        from = range.end;
    }
    out.push_str(&document[from..]);
    Some(out)
}

/// A place, and what is demanded there.
struct Wanted {
    names: Vec<String>,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    List,
    Object,
    Number,
    Flag,
    Other,
}

impl Wanted {
    fn of(fault: &Fault) -> Self {
        let names = fault.pointer.as_str().split('/').skip(1);
        Self {
            names: names.map(|name| name.replace("~1", "/").replace("~0", "~")).collect(),
            kind: match &*fault.expected {
                "a list" => Kind::List,
                "true or false" => Kind::Flag,
                text if text.starts_with("an object") => Kind::Object,
                "a number" | "a number from 0 to 1" | "a whole number from 1 to 12" => Kind::Number,
                _ => Kind::Other,
            },
        }
    }
}

/// Goes down to all places at once, so that each part of the document is walked through once a level.
fn walk<'d>(
    document: &'d str,
    json: &'d str,
    wanted: Vec<(&Wanted, usize)>,
    within: Within,
    edits: &mut Vec<(Range<usize>, String)>,
) {
    let mut below: BTreeMap<&str, Vec<(&Wanted, usize)>> = BTreeMap::new();
    for (one, level) in wanted {
        match one.names.get(level) {
            Some(name) => below.entry(name).or_default().push((one, level + 1)),
            None => {
                // Both are slices of the same text, so the difference of their addresses is the place.
                let start = json.as_ptr() as usize - document.as_ptr() as usize;
                let is_item = one
                    .names
                    .last()
                    .is_some_and(|name| name.bytes().all(|b| b.is_ascii_digit()));
                let made = read(json, one.kind, is_item && within == Within::Members);
                edits.extend(made.map(|made| (start..start + json.len(), made)));
                return;
            }
        }
    }
    if below.is_empty() {
        return;
    }
    if json.starts_with('[') {
        let items: Vec<&RawValue> = serde_json::from_str(json).unwrap_or_default();
        for (name, wanted) in below {
            if let Some(item) = name.parse().ok().and_then(|at: usize| items.get(at)) {
                walk(document, item.get(), wanted, within, edits);
            }
        }
    } else if let Ok(Some(members)) = members(json) {
        for member in &members {
            if let Some(wanted) = below.remove(&*member.name) {
                walk(document, member.value, wanted, within, edits);
            }
        }
    }
}

/// The JSON in a text, where it is one whole value of this kind; no list or object where it `is_item` of a list.
fn read(json: &str, kind: Kind, is_item: bool) -> Option<String> {
    let text: String = serde_json::from_str(json).ok()?;
    let text = text.trim();
    let first = text.bytes().next()?;
    let fits = match kind {
        Kind::List => first == b'[' && !is_item,
        Kind::Object => first == b'{' && !is_item,
        Kind::Number => first == b'-' || first.is_ascii_digit(),
        Kind::Flag => ["true", "false"].iter().any(|flag| text.eq_ignore_ascii_case(flag)),
        Kind::Other => false,
    };
    let text = if kind == Kind::Flag {
        text.to_ascii_lowercase()
    } else {
        text.to_owned()
    };
    let is_whole = || serde_json::from_str::<&RawValue>(&text).is_ok();
    (fits && is_whole()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Refusal, parse};

    /// What is made of a document in one go.
    fn once(document: &str) -> Option<String> {
        match parse(document) {
            Err(Refusal::Schema(faults)) => taken_out(document, &faults, Within::Members),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn members_are_taken_out_of_their_texts() {
        #[track_caller]
        fn check(document: &str, expected: &str) {
            let made = once(document);
            assert_eq!(made.as_deref(), Some(expected), "{document}");
            assert!(parse(expected).is_ok(), "{expected}");
        }
        check(
            r#"{ "stocks":"[{\"id\":\"水\",\"unit\":\"l\"}]" , "version":"1.10"}"#,
            r#"{ "stocks":[{"id":"水","unit":"l"}] , "version":"1.10"}"#,
        );
        check(
            r#"{"loops":"{\"balancing\":[]}","elements":" [\"a\"]\n","boundary":"{}"}"#,
            r#"{"loops":{"balancing":[]},"elements":["a"],"boundary":{}}"#,
        );
        check(
            r#"{"interventions":[{},{"confidence":"0.7","target_leverage_id":" 12 "}],"leverage_points":[{"id":"3","is_applicable":"False"}]}"#,
            r#"{"interventions":[{},{"confidence":0.7,"target_leverage_id":12}],"leverage_points":[{"id":3,"is_applicable":false}]}"#,
        );
        check(
            r#"{"boundary":{"scope_in":"[\"a\"]"},"loops":{"balancing":"[]"},"simulation":{"dt":"1e-1"}}"#,
            r#"{"boundary":{"scope_in":["a"]},"loops":{"balancing":[]},"simulation":{"dt":1e-1}}"#,
        );
        check(
            r#"{"variables":[{"id":"v","points":[["1",2]]}]}"#,
            r#"{"variables":[{"id":"v","points":[[1,2]]}]}"#,
        );
    }

    #[test]
    fn what_is_no_such_text_stays() {
        for document in [
            r#"{"stocks":"a, b"}"#,
            r#"{"stocks":"{\"id\":\"x\"}"}"#,
            r#"{"stocks":"[] x"}"#,
            r#"{"stocks":"[1,"}"#,
            r#"{"stocks":["{\"id\":\"x\"}"]}"#,
            r#"{"stocks":""}"#,
            r#"{"stocks":7}"#,
            r#"{"interventions":[{"confidence":"high"}]}"#,
            r#"{"interventions":[{"confidence":"1,5"}]}"#,
            r#"{"leverage_points":[{"is_applicable":"yes"}]}"#,
            r#"{"version":1}"#,
            r#""[]""#,
        ] {
            assert_eq!(once(document), None, "{document}");
        }
    }

    #[test]
    fn many_places_are_reached_in_one_walk() {
        let items = vec![r#"{"confidence":"0.5"}"#; 100_000].join(",");
        let made = once(&format!(r#"{{"interventions":[{items}]}}"#)).expect("a document");
        // As many as are named.
        assert_eq!(made.matches(r#""confidence":0.5"#).count(), crate::limits::MAX_NAMED);
    }
}
