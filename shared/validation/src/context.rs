//! The document as rules see it: the index of its names, the references that lead nowhere, and what repairs need.

use crate::leverage;
use crate::names::{Kinds, Names};
use crate::near::Near;
use crate::report::Operation;
use foldhash::fast::RandomState;
use meadow_model::{Document, Loop, Pointer, chain};
use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};

/// A member that refers to a name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reference<'d> {
    /// The index of the item that has the member.
    pub(crate) index: usize,
    /// The member.
    pub(crate) member: &'static str,
    /// The name.
    pub(crate) name: &'d str,
}

/// A member of a loop.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LoopMember<'d> {
    /// `balancing` or `reinforcing`.
    pub(crate) list: &'static str,
    /// The loop's index there.
    pub(crate) index: usize,
    /// The index in the loop's `elements`, or the byte in its description.
    pub(crate) at: usize,
    /// The name.
    pub(crate) name: &'d str,
}

/// References to names that are not declared, each list in the order of the document.
#[derive(Debug, Default)]
pub(crate) struct Unresolved<'d> {
    /// Ends of interconnections that are no element, stock, flow or variable.
    pub(crate) link_ends: Vec<Reference<'d>>,
    /// Named ends of flows that are no stock.
    pub(crate) flow_ends: Vec<Reference<'d>>,
    /// Members of loops that are no element, stock, flow or variable.
    pub(crate) loop_members: Vec<LoopMember<'d>>,
    /// Changes, as indexes of intervention and change, that name no variable.
    pub(crate) changes: Vec<(usize, usize, &'d str)>,
}

/// The document as rules see it.
pub(crate) struct Context<'d> {
    /// The document.
    pub(crate) document: &'d Document<'d>,
    /// Its names.
    pub(crate) names: Names<'d>,
    /// References to names that it does not declare.
    pub(crate) unresolved: Unresolved<'d>,
    /// True where the list of elements has something in it.
    pub(crate) has_elements: bool,
    /// Bit `id` is set where an intervention targets that leverage point.
    targets: u16,
    near_stocks: OnceCell<Near<'d>>,
    near_variables: OnceCell<Near<'d>>,
    near_any: OnceCell<Near<'d>>,
    /// Names that a patch of this check declares as elements.
    declared: RefCell<HashSet<&'d str, RandomState>>,
    /// The last number that made a repeated name a new one.
    numbers: RefCell<HashMap<&'d str, usize, RandomState>>,
}

impl<'d> Context<'d> {
    /// Looks through the document once.
    pub(crate) fn new(document: &'d Document<'d>) -> Self {
        let mut names = declared(document);
        let unresolved = resolve(document, &mut names);
        let targets = document.interventions.iter().filter_map(|i| i.target_leverage_id.0);
        Self {
            document,
            names,
            unresolved,
            has_elements: document.elements.iter().any(|name| !name.trim().is_empty()),
            targets: targets.fold(0, |bits, id| bits | 1 << id),
            near_stocks: OnceCell::new(),
            near_variables: OnceCell::new(),
            near_any: OnceCell::new(),
            declared: RefCell::default(),
            numbers: RefCell::default(),
        }
    }

    /// True when an intervention targets leverage point `id`.
    pub(crate) fn targets(&self, id: u8) -> bool {
        self.targets >> id & 1 == 1
    }

    /// The twelve leverage points, applicable where an intervention targets them.
    pub(crate) fn twelve(&self) -> serde_json::Value {
        leverage::all()
            .map(|(id, label)| serde_json::json!({"id": id, "label": label, "is_applicable": self.targets(id)}))
            .collect()
    }

    /// The stock that `name` probably means.
    pub(crate) fn near_stock(&self, name: &'d str) -> Option<&'d str> {
        self.near(&self.near_stocks, Kinds::STOCK, name)
    }

    /// The variable that `name` probably means.
    pub(crate) fn near_variable(&self, name: &'d str) -> Option<&'d str> {
        self.near(&self.near_variables, Kinds::VARIABLE, name)
    }

    /// The element, stock, flow or variable that `name` probably means.
    pub(crate) fn near_any(&self, name: &'d str) -> Option<&'d str> {
        self.near(&self.near_any, Kinds::ANY, name)
    }

    fn near(&self, near: &OnceCell<Near<'d>>, kinds: Kinds, name: &'d str) -> Option<&'d str> {
        let names = || self.names.all().iter().filter(|n| n.kinds.has(kinds)).map(|n| n.name);
        near.get_or_init(|| Near::new(names())).find(name)
    }

    /// The patch that declares `name` as an element. None where it would disturb another patch: one that declares
    /// the name already, or the one that makes the list of elements.
    pub(crate) fn declare(&self, name: &'d str) -> Option<Vec<Operation>> {
        if !self.has_elements || !self.declared.borrow_mut().insert(name) {
            return None;
        }
        let end = Pointer::root().key("elements").key("-");
        Some(vec![Operation::add(end, name.into())])
    }

    /// A name that is not used yet, made from one that is repeated.
    pub(crate) fn fresh(&self, name: &'d str, is_used: impl Fn(&str) -> bool) -> String {
        let joint = if name.contains(' ') { ' ' } else { '_' };
        let mut numbers = self.numbers.borrow_mut();
        let number = numbers.entry(name).or_insert(1);
        loop {
            *number += 1;
            let fresh = format!("{name}{joint}{number}");
            if !is_used(&fresh) {
                return fresh;
            }
        }
    }
}

/// Every name that the document declares.
fn declared<'d>(document: &'d Document<'d>) -> Names<'d> {
    let Document {
        elements,
        stocks,
        flows,
        variables,
        ..
    } = document;
    // Stocks, flows and variables mostly stand among the elements too.
    let declared = stocks.len() + flows.len() + variables.len();
    let mut names = Names::with_capacity(elements.len().max(declared));
    for (i, name) in elements.iter().enumerate() {
        names.declare(name, Kinds::ELEMENT, i);
    }
    for (i, stock) in stocks.iter().enumerate() {
        names.declare(stock.id.as_str(), Kinds::STOCK, i);
    }
    for (i, flow) in flows.iter().enumerate() {
        names.declare(flow.id.as_str(), Kinds::FLOW, i);
    }
    for (i, variable) in variables.iter().enumerate() {
        names.declare(variable.id.as_str(), Kinds::VARIABLE, i);
    }
    names
}

/// Looks every reference up, once: marks what is mentioned and gives back what leads nowhere.
fn resolve<'d>(document: &'d Document<'d>, names: &mut Names<'d>) -> Unresolved<'d> {
    let mut unresolved = Unresolved::default();
    for (index, link) in document.interconnections.iter().enumerate() {
        for (member, end) in [("from", &link.from), ("to", &link.to)] {
            let Some(name) = end.given() else { continue };
            if !names.mention(name, Kinds::LINKED).has(Kinds::ANY) {
                unresolved.link_ends.push(Reference { index, member, name });
            }
        }
    }
    for (index, flow) in document.flows.iter().enumerate() {
        for (member, end) in [("from_stock", &flow.from_stock), ("to_stock", &flow.to_stock)] {
            let Some(name) = end.stock() else { continue };
            if !names.mention(name, Kinds::FLOWING).has(Kinds::STOCK) {
                unresolved.flow_ends.push(Reference { index, member, name });
            }
        }
    }
    for (list, index, one) in document.loops.all() {
        // A loop of that name is a mention, but no reference.
        names.mention(one.id.as_str(), Kinds::LINKED);
        for (at, name) in members(one) {
            if !names.mention(name, Kinds::LINKED).has(Kinds::ANY) {
                unresolved.loop_members.push(LoopMember { list, index, at, name });
            }
        }
    }
    for (i, intervention) in document.interventions.iter().enumerate() {
        for (j, change) in intervention.changes.iter().enumerate() {
            let Some(name) = change.variable.given() else { continue };
            if !names.kinds(name).has(Kinds::VARIABLE) {
                unresolved.changes.push((i, j, name));
            }
        }
    }
    unresolved
}

/// The members of a loop, with the index in its list or the byte in its description. Blank ones name nothing.
fn members<'d>(one: &'d Loop<'d>) -> impl Iterator<Item = (usize, &'d str)> {
    let listed = one.elements.iter().map(|name| &**name).enumerate();
    let chain = one.elements.is_empty().then(|| chain::links(one.description.as_str()));
    listed
        .filter(|(_, name)| !name.trim().is_empty())
        .chain(chain.into_iter().flatten().map(|link| (link.at, link.name)))
}
