//! What stands in a document as JSON text where JSON itself is demanded: some clients send lists, objects, numbers and
//! flags so. It is looked at only when a document was refused for it; HTTP is strict.

use crate::json::members;
use crate::parse::{Fault, Faults};
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet};

/// Which values are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Within {
    /// Members; of the items of lists only numbers and flags: a list of texts was meant so.
    Members,
    /// Items of lists, too: whoever puts one in sends it by itself.
    Everything,
}

/// The document with each value taken out of its text where that is of the kind that was demanded there; none where
/// nothing is. A refusal names few faults: a place that it names stands for the same member of every item, so that one
/// walk reads them all.
#[must_use]
pub fn taken_out(document: &str, faults: &Faults, within: Within) -> Option<String> {
    let named = faults.named().iter();
    let wanted: BTreeSet<_> = named
        .filter(|fault| fault.found.starts_with("the text "))
        .filter_map(Wanted::of)
        .collect();
    let mut made = Made {
        document,
        text: String::new(),
        from: 0,
    };
    walk(
        document,
        wanted.iter().map(|wanted| (wanted, 0)).collect(),
        within,
        &mut made,
    );
    made.whole()
}

/// A document in the making: written as its places are met, in their order.
struct Made<'d> {
    document: &'d str,
    text: String,
    /// Where what was not yet copied begins.
    from: usize,
}

impl<'d> Made<'d> {
    /// Puts JSON in the place of a part of the document.
    fn put(&mut self, part: &'d str, json: &str) {
        // Both are slices of the same text, so the difference of their addresses is the place.
        let start = part.as_ptr() as usize - self.document.as_ptr() as usize;
        if self.text.is_empty() {
            self.text.reserve(self.document.len());
        }
        self.text.push_str(&self.document[self.from..start]);
        self.text.push_str(json);
        self.from = start + part.len();
    }

    fn whole(mut self) -> Option<String> {
        if self.from == 0 {
            return None;
        }
        self.text.push_str(&self.document[self.from..]);
        Some(self.text)
    }
}

/// Places, and what is demanded there.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Wanted {
    steps: Vec<Step>,
    kind: Kind,
}

/// One level down.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Member(String),
    EveryItem,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    List,
    Object,
    Number,
    Flag,
}

impl Wanted {
    fn of(fault: &Fault) -> Option<Self> {
        let kind = match &*fault.expected {
            "a list" => Kind::List,
            "true or false" => Kind::Flag,
            text if text.starts_with("an object") => Kind::Object,
            "a number" | "a number from 0 to 1" | "a whole number from 1 to 12" => Kind::Number,
            _ => return None,
        };
        // No member of ours has a name of digits only.
        let steps =
            fault
                .pointer
                .as_str()
                .split('/')
                .skip(1)
                .map(|step| match step.bytes().all(|b| b.is_ascii_digit()) {
                    true => Step::EveryItem,
                    false => Step::Member(step.replace("~1", "/").replace("~0", "~")),
                });
        let steps = steps.collect();
        Some(Self { steps, kind })
    }
}

/// Goes down to all places at once, in the order of the document, so that each part of it is walked through once a level.
fn walk<'d>(json: &'d str, wanted: Vec<(&Wanted, usize)>, within: Within, made: &mut Made<'d>) {
    let mut in_items = Vec::new();
    let mut in_members: BTreeMap<&str, Vec<(&Wanted, usize)>> = BTreeMap::new();
    for (one, level) in wanted {
        match one.steps.get(level) {
            Some(Step::EveryItem) => in_items.push((one, level + 1)),
            Some(Step::Member(name)) => in_members.entry(name).or_default().push((one, level + 1)),
            None => {
                let is_item = one.steps.last() == Some(&Step::EveryItem);
                if let Some(read) = read(json, one.kind, is_item && within == Within::Members) {
                    return made.put(json, &read);
                }
            }
        }
    }
    if json.starts_with('[') && !in_items.is_empty() {
        let items: Vec<&RawValue> = serde_json::from_str(json).unwrap_or_default();
        for item in items {
            walk(item.get(), in_items.clone(), within, made);
        }
    } else if json.starts_with('{')
        && !in_members.is_empty()
        && let Ok(Some(members)) = members(json)
    {
        for member in &members {
            if let Some(wanted) = in_members.remove(&*member.name) {
                walk(member.value, wanted, within, made);
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
        // Far more than are named.
        assert_eq!(made.matches(r#""confidence":0.5"#).count(), 100_000);
        assert!(parse(&made).is_ok());
    }
}
