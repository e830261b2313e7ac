//! An agent that only applies patches: it must bring damaged models back to `complete: true` where every damage has
//! a mechanical repair, and come to an end on any document.

use super::{MODELS, report};
use crate::rules::ALL;
use crate::{Finding, Report};
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Applies all patches of a report, from the last finding to the first; true where there was one.
fn apply(document: &mut Value, report: &Report) -> bool {
    let mut any = false;
    for Finding { patch, message, .. } in report.findings.iter().rev() {
        let Some(patch) = patch else { continue };
        let patch: json_patch::Patch = serde_json::from_value(json!(patch)).expect("a JSON Patch");
        json_patch::patch(document, &patch).unwrap_or_else(|e| panic!("{message}: {e}"));
        any = true;
    }
    any
}

/// Checks and repairs until no patch is left; gives the rounds and the last report.
fn repair(document: &mut Value) -> (usize, Report) {
    let mut rounds = 0;
    loop {
        let report = report(&document.to_string());
        if !apply(document, &report) {
            return (rounds, report);
        }
        rounds += 1;
        assert!(rounds < 100, "no end: {:?}", report.findings);
    }
}

/// A model that is being damaged.
struct Damaged {
    document: Value,
    /// Places that have their damage; a second one could hide the first.
    touched: BTreeSet<String>,
    /// Code and pointer of the finding that each damage must cause.
    expected: Vec<(&'static str, String)>,
}

/// What can be done to a model so that the repair is mechanical.
#[derive(Debug, Clone, Copy)]
enum Damage {
    Version,
    LeveragePoints,
    LeverageMember(&'static str),
    Elements,
    FlowEnd(&'static str),
    FlowEndName(&'static str, Spelling),
    FlowEndCloud(&'static str),
    StockName(Spelling),
    LoopName(Spelling),
    LoopGhost,
    Copy(&'static str),
    ChangedCopy(&'static str, &'static str),
    Contradiction,
    LinkType,
    Unit,
    MemberName(&'static str, &'static str, &'static str),
    Boundary,
    Change,
}

/// How a name is misspelt.
#[derive(Debug, Clone, Copy)]
enum Spelling {
    UpperCase,
    Hyphens,
    DoubleLetter,
    LostLetter,
}

impl Spelling {
    /// `name`, misspelt.
    fn of(self, name: &str) -> String {
        let middle = name.len() / 2;
        match self {
            Self::UpperCase => name.to_uppercase(),
            Self::Hyphens => format!(" {} ", name.replace('_', "-")).trim_end().to_uppercase(),
            Self::DoubleLetter => format!("{}{}", &name[..=middle], &name[middle..]),
            Self::LostLetter => format!("{}{}", &name[..middle], &name[middle + 1..]),
        }
        .trim()
        .to_owned()
    }
}

/// How a member comes to have no content.
fn emptied(how: &Index) -> Option<Value> {
    [None, Some(Value::Null), Some(json!(" "))][how.index(3)].clone()
}

impl Damaged {
    fn new(model: &str) -> Self {
        Self {
            document: serde_json::from_str(model).expect("JSON"),
            touched: BTreeSet::new(),
            expected: Vec::new(),
        }
    }

    /// True, once, where `place` has no damage yet.
    fn touch(&mut self, place: &str) -> bool {
        let inside = format!("{place}/");
        let taken = |t: &String| t == place || t.starts_with(&inside) || place.starts_with(&format!("{t}/"));
        !self.touched.iter().any(taken) && self.touched.insert(place.to_owned())
    }

    fn at(&mut self, pointer: &str) -> &mut Value {
        self.document
            .pointer_mut(pointer)
            .unwrap_or_else(|| panic!("{pointer}"))
    }

    /// The text at `pointer`, where there is one.
    fn text(&self, pointer: &str) -> Option<String> {
        Some(self.document.pointer(pointer)?.as_str()?.to_owned())
    }

    /// The pointer of one item of a list.
    fn item(&mut self, list: &str, which: &Index) -> Option<String> {
        let length = self.document.pointer(list)?.as_array()?.len();
        (length > 0).then(|| format!("{list}/{}", which.index(length)))
    }

    /// Takes the content of a member away.
    fn empty(&mut self, record: &str, member: &str, with: Option<Value>) {
        let record = self.at(record).as_object_mut().expect("an object");
        match with {
            Some(value) => record.insert(member.to_owned(), value),
            None => record.remove(member),
        };
    }

    fn expect(&mut self, code: &'static str, pointer: String) -> Option<()> {
        self.expected.push((code, pointer));
        Some(())
    }

    /// Puts a copy of an item at the end of its list; gives the copy's pointer.
    fn copy(&mut self, list: &str, item: &str) -> String {
        let copy = self.at(item).clone();
        let items = self.at(list).as_array_mut().expect("a list");
        items.push(copy);
        let pointer = format!("{list}/{}", items.len() - 1);
        assert!(self.touch(&pointer));
        pointer
    }

    /// Does the damage, where it can be done here.
    fn damage(&mut self, damage: Damage, which: &Index, how: &Index) -> Option<()> {
        match damage {
            Damage::Version => {
                self.touch("/version").then_some(())?;
                self.empty("", "version", emptied(how));
                self.expect("missing-fields", "/version".into())
            }
            Damage::LeveragePoints => {
                self.touch("/leverage_points").then_some(())?;
                self.empty("", "leverage_points", emptied(how).map(|_| json!([])));
                self.expect("missing-fields", "/leverage_points".into())
            }
            Damage::LeverageMember(member) => {
                let item = self.item("/leverage_points", which)?;
                self.touch(&item).then_some(())?;
                self.empty(&item, member, emptied(how).filter(|_| member == "label"));
                self.expect("missing-fields", format!("{item}/{member}"))
            }
            Damage::Elements => {
                self.touch("/elements").then_some(())?;
                self.empty(
                    "",
                    "elements",
                    emptied(how).map(|v| json!([v.as_str().unwrap_or_default()])),
                );
                self.expect("missing-fields", "/elements".into())
            }
            Damage::FlowEnd(end) => {
                let item = self.item("/flows", which)?;
                self.touch(&item).then_some(())?;
                self.empty(&item, end, emptied(how).filter(|v| !v.is_null()));
                self.expect("missing-fields", format!("{item}/{end}"))
            }
            Damage::FlowEndName(end, spelling) => {
                let item = self.item("/flows", which)?;
                let place = format!("{item}/{end}");
                let name = self.text(&place)?;
                (name.len() > 6 && self.touch(&item)).then_some(())?;
                *self.at(&place) = spelling.of(&name).into();
                self.touched.insert(format!("name of {name}"));
                self.expect("unknown-flow-end", place)
            }
            Damage::FlowEndCloud(end) => {
                let item = self.item("/flows", which)?;
                self.touch(&item).then_some(())?;
                *self.at(&format!("{item}/{end}")) = ["cloud", "Source", "SINK"][how.index(3)].into();
                self.expect("unknown-flow-end", format!("{item}/{end}"))
            }
            Damage::StockName(spelling) => {
                let item = self.item("/stocks", which)?;
                let name = self.text(&format!("{item}/id"))?;
                let ends = self.ends_at(&name);
                let places: Vec<_> = ends.iter().map(|(flow, _)| flow.clone()).collect();
                let free = |this: &mut Self| places.iter().all(|p| this.touched.contains(p) || this.touch(p));
                let clean = self.touch(&format!("name of {name}")) && !places.iter().any(|p| self.touched.contains(p));
                (name.len() > 6 && clean && self.touch(&item) && free(self)).then_some(())?;
                self.touched.insert(format!("stock {name}"));
                *self.at(&format!("{item}/id")) = spelling.of(&name).into();
                ends.into_iter()
                    .try_for_each(|(flow, end)| self.expect("unknown-flow-end", format!("{flow}/{end}")))
            }
            Damage::LoopName(spelling) => {
                let (item, description, name) = self.chain(which, how)?;
                let renamed = self.touched.contains(&format!("stock {name}"));
                (name.len() > 6 && !renamed && self.touch(&item)).then_some(())?;
                self.touched.insert(format!("name of {name}"));
                self.rename_in_chain(&item, &description, &name, &spelling.of(&name));
                self.expect("unknown-loop-member", format!("{item}/description"))
            }
            Damage::LoopGhost => {
                let (item, description, name) = self.chain(which, how)?;
                self.touch(&item).then_some(())?;
                self.rename_in_chain(&item, &description, &name, "some thing else entirely");
                self.expect("unknown-loop-member", format!("{item}/description"))
            }
            Damage::Copy(list) => {
                let item = self.item(list, which)?;
                self.touch(&item).then_some(())?;
                let copy = self.copy(list, &item);
                let member = if list == "/elements" { "" } else { "/id" };
                self.expect("duplicate-ids", format!("{copy}{member}"))
            }
            Damage::ChangedCopy(list, member) => {
                let item = self.item(list, which)?;
                self.touch(&item).then_some(())?;
                let copy = self.copy(list, &item);
                *self.at(&format!("{copy}/{member}")) = "something else".into();
                self.expect("duplicate-ids", format!("{copy}/id"))
            }
            Damage::Contradiction => {
                let list = "/leverage_points";
                let item = self.item(list, which)?;
                self.touch(&item).then_some(())?;
                let copy = self.copy(list, &item);
                let applicable = self.at(&format!("{copy}/is_applicable"));
                *applicable = json!(!applicable.as_bool()?);
                self.expect("contradicting-leverage", copy)
            }
            Damage::LinkType => {
                let item = self.item("/interconnections", which)?;
                self.touch(&item).then_some(())?;
                self.empty(&item, "type", None);
                self.expect("missing-fields", format!("{item}/type"))
            }
            Damage::Unit => self.unit(which, how),
            Damage::MemberName(list, right, wrong) => {
                let item = if list.is_empty() {
                    String::new()
                } else {
                    self.item(list, which)?
                };
                let place = if list.is_empty() {
                    format!("/{right}")
                } else {
                    item.clone()
                };
                self.touch(&place).then_some(())?;
                let record = self.at(&item).as_object_mut()?;
                let value = record.remove(right)?;
                record.insert(wrong.to_owned(), value);
                self.expect("missing-fields", format!("{item}/{right}"))
            }
            Damage::Boundary => {
                self.touch("/boundary").then_some(())?;
                let document = self.document.as_object_mut()?;
                let value = document.remove("boundary")?;
                document.insert(["Boundary", "boundry", "boundaries"][how.index(2)].to_owned(), value);
                self.expect("missing-fields", "/boundary/purpose".into())
            }
            Damage::Change => {
                self.touch("/variables").then_some(())?;
                let item = self.item("/interventions", which)?;
                self.touch(&item).then_some(())?;
                self.document["variables"] = json!([{"id": "tax_rate", "expr": "0.1"}]);
                let wrong = ["tax rate", "TAX_RATE", "tax_rte"][how.index(3)];
                self.at(&item)["changes"] = json!([{"variable": wrong, "expr": "0.2"}]);
                self.expect("unknown-change", format!("{item}/changes/0/variable"))
            }
        }
    }

    /// Flows, and which of their ends, that are at the stock `name`.
    fn ends_at(&self, name: &str) -> Vec<(String, &'static str)> {
        let flows = self.document["flows"].as_array().into_iter().flatten().enumerate();
        let ends = flows.flat_map(|(i, flow)| ["from_stock", "to_stock"].map(|end| (i, end, flow)));
        ends.filter(|(_, end, flow)| flow[*end] == name)
            .map(|(i, end, _)| (format!("/flows/{i}"), end))
            .collect()
    }

    /// One loop, its description, and one name of its chain.
    fn chain(&mut self, which: &Index, how: &Index) -> Option<(String, String, String)> {
        let list = ["/loops/balancing", "/loops/reinforcing"][how.index(2)];
        let item = self.item(list, which)?;
        let description = self.text(&format!("{item}/description"))?;
        let names: Vec<_> = meadow_model::chain::links(&description).map(|link| link.name).collect();
        let name = (!names.is_empty()).then(|| names[how.index(names.len())].to_owned())?;
        Some((item, description, name))
    }

    fn rename_in_chain(&mut self, item: &str, description: &str, name: &str, new: &str) {
        let (chain, prose) = description.split_once(':').expect("a chain and prose");
        let chain: Vec<_> = chain
            .split("->")
            .map(|part| if part.trim() == name { new } else { part })
            .collect();
        *self.at(&format!("{item}/description")) = format!("{}:{prose}", chain.join(" -> ")).into();
    }

    /// Takes the unit of a stock away, where its neighbours have one unit and stay as they are.
    fn unit(&mut self, which: &Index, how: &Index) -> Option<()> {
        let item = self.item("/stocks", which)?;
        let name = self.text(&format!("{item}/id"))?;
        let mut places = vec![item.clone()];
        let mut units = BTreeSet::new();
        for (flow, end) in self.ends_at(&name) {
            let other = if end == "from_stock" { "to_stock" } else { "from_stock" };
            let other = self.text(&format!("{flow}/{other}"))?;
            let stocks = self.document["stocks"].as_array()?.iter();
            let at = stocks.clone().position(|stock| stock["id"] == *other)?;
            units.insert(stocks.clone().nth(at)?["unit"].as_str()?.to_owned());
            places.extend([flow, format!("/stocks/{at}")]);
        }
        let clean = !places.iter().any(|p| self.touched.contains(p));
        (units.len() == 1 && clean).then(|| self.touched.extend(places))?;
        self.empty(&item, "unit", emptied(how));
        self.expect("missing-fields", format!("{item}/unit"))
    }
}

fn spelling() -> impl Strategy<Value = Spelling> {
    prop_oneof![
        Just(Spelling::UpperCase),
        Just(Spelling::Hyphens),
        Just(Spelling::DoubleLetter),
        Just(Spelling::LostLetter),
    ]
}

fn damage() -> impl Strategy<Value = Damage> {
    let end = || prop_oneof![Just("from_stock"), Just("to_stock")];
    let list = prop_oneof![
        Just("/elements"),
        Just("/stocks"),
        Just("/flows"),
        Just("/loops/balancing"),
        Just("/loops/reinforcing"),
    ];
    let changed = prop_oneof![
        Just(("/stocks", "unit")),
        Just(("/flows", "rate_expr")),
        Just(("/loops/balancing", "description")),
    ];
    let misspelt = prop_oneof![
        Just(("", "system_name", "systemName")),
        Just(("", "interconnections", "interconections")),
        Just(("", "stocks", "stock")),
        Just(("", "flows", "Flows")),
        Just(("", "loops", "lops")),
        Just(("", "elements", "element")),
        Just(("/stocks", "unit", "unitt")),
        Just(("/stocks", "description", "Description")),
        Just(("/flows", "rate_expr", "rate-expr")),
        Just(("/flows", "id", "ID")),
        Just(("/loops/balancing", "description", "desription")),
        Just(("/leverage_points", "is_applicable", "is_aplicable")),
        Just(("/interventions", "proposal", "propsal")),
        Just(("/interconnections", "from", "form")),
    ];
    prop_oneof![
        Just(Damage::Version),
        Just(Damage::LeveragePoints),
        prop_oneof![Just("id"), Just("label"), Just("is_applicable")].prop_map(Damage::LeverageMember),
        Just(Damage::Elements),
        end().prop_map(Damage::FlowEnd),
        (end(), spelling()).prop_map(|(e, s)| Damage::FlowEndName(e, s)),
        end().prop_map(Damage::FlowEndCloud),
        spelling().prop_map(Damage::StockName),
        spelling().prop_map(Damage::LoopName),
        Just(Damage::LoopGhost),
        list.prop_map(Damage::Copy),
        changed.prop_map(|(l, m)| Damage::ChangedCopy(l, m)),
        Just(Damage::Contradiction),
        Just(Damage::LinkType),
        Just(Damage::Unit),
        misspelt.prop_map(|(l, r, w)| Damage::MemberName(l, r, w)),
        Just(Damage::Boundary),
        Just(Damage::Change),
    ]
}

type Chosen = (Damage, Index, Index);

fn damages(most: usize) -> impl Strategy<Value = Vec<Chosen>> {
    prop::collection::vec((damage(), any::<Index>(), any::<Index>()), 1..=most)
}

/// Does something to a place of a document that need not have a repair. The type of a link stays one of its words,
/// even under a wrong name: nobody can tell whether the value of a misspelt member fits.
fn spoil(document: &mut Value, which: &Index, how: &Index) {
    let mut pointers = Vec::new();
    collect(document, String::new(), &mut pointers);
    let pointer = pointers[which.index(pointers.len())].clone();
    let names: Vec<String> = pointers
        .iter()
        .filter_map(|p| Some(document.pointer(p)?.as_str()?.to_owned()))
        .collect();
    let (parent, key) = pointer.rsplit_once('/').unwrap_or_default();
    let value = document.pointer(&pointer).cloned().unwrap_or_default();
    match document.pointer_mut(parent) {
        Some(Value::Array(items)) => match how.index(2) {
            0 => items.push(value),
            _ => drop(items.pop()),
        },
        Some(Value::Object(members)) => match (how.index(4), value) {
            (0, Value::String(_)) if !key.starts_with("type") && !names.is_empty() => {
                members.insert(key.to_owned(), names[which.index(names.len())].clone().into());
            }
            (1, value) => {
                members.remove(key);
                members.insert(format!("{key}s"), value);
            }
            (2, Value::String(_)) if !key.starts_with("type") => {
                members.insert(key.to_owned(), " ".into());
            }
            _ => drop(members.remove(key)),
        },
        _ => {}
    }
}

/// The pointers of everything inside `value`.
fn collect(value: &Value, at: String, out: &mut Vec<String>) {
    match value {
        Value::Object(members) => members
            .iter()
            .for_each(|(key, v)| collect(v, format!("{at}/{key}"), out)),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .for_each(|(i, v)| collect(v, format!("{at}/{i}"), out)),
        _ => {}
    }
    if !at.is_empty() {
        out.push(at);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn patches_alone_complete_what_was_damaged_mechanically(model in 0..MODELS.len(), damages in damages(8)) {
        let mut damaged = Damaged::new(MODELS[model].1);
        for (damage, which, how) in &damages {
            damaged.damage(*damage, which, how);
        }
        let Damaged { mut document, expected, .. } = damaged;
        let first = report(&document.to_string());
        for (code, pointer) in &expected {
            let noticed = first.findings.iter().any(|f| f.code == *code && f.pointer.as_str() == pointer);
            prop_assert!(noticed, "{code} at {pointer} is not in {:#?}", first.findings);
        }
        prop_assert_eq!(first.complete, expected.is_empty());
        let (rounds, last) = repair(&mut document);
        prop_assert!(last.complete, "{:#?}", last.findings);
        prop_assert!(rounds <= ALL.len(), "{rounds} rounds");
    }

    #[test]
    fn patches_come_to_an_end_on_any_document(
        model in 0..MODELS.len(),
        damages in damages(6),
        spoilt in prop::collection::vec((any::<Index>(), any::<Index>()), 0..12),
    ) {
        let mut damaged = Damaged::new(MODELS[model].1);
        for (damage, which, how) in &damages {
            damaged.damage(*damage, which, how);
        }
        let mut document = damaged.document;
        for (which, how) in &spoilt {
            let before = document.clone();
            spoil(&mut document, which, how);
            if meadow_model::parse(&document.to_string()).is_err() {
                document = before;
            }
        }
        let (rounds, _) = repair(&mut document);
        prop_assert!(rounds <= ALL.len(), "{rounds} rounds");
    }
}

#[test]
fn every_damage_can_be_done_to_some_model() {
    // Else the property above would hold for nothing.
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let mut done = BTreeSet::new();
    let mut tried = BTreeSet::new();
    for _ in 0..2_000 {
        let chosen = (damage(), any::<Index>(), any::<Index>())
            .new_tree(&mut runner)
            .expect("a damage");
        let (damage, which, how) = chosen.current();
        let (_, model) = MODELS[which.index(MODELS.len())];
        let name = format!("{damage:?}");
        if Damaged::new(model).damage(damage, &which, &how).is_some() {
            done.insert(name.clone());
        }
        tried.insert(name);
    }
    assert!(tried.len() > 40, "{tried:?}");
    assert_eq!(done, tried);
}
