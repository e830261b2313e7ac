//! The structure of a model as one value: graph, loops, what was declared about them, and what is wrong.

use crate::declared::{Declared, Outcome, declared, steps};
use crate::graph::{Edge, Graph, NodeKind, Sampled, Sign, Source};
use crate::independent::{Independent, independent};
use crate::influence::{Reading, influences};
use crate::loops::{AtMost, Class, Counts, Limits, Loops, loops};
use crate::model::Model;
use crate::polarity::Basis;
use crate::problem::Problem;
use crate::run::Run;
use foldhash::fast::RandomState;
use serde::Serialize;
use std::collections::HashMap;

/// The structure of a model.
#[derive(Debug, Clone)]
pub struct Analysis {
    /// Who acts on whom.
    pub graph: Graph,
    /// How each declared link was read, in order.
    pub links: Vec<Reading>,
    /// Its loops, shortest first.
    pub loops: Loops,
    /// The shortest independent loop set.
    pub independent: Independent,
    /// What each declared loop is, in order.
    pub declared: Vec<Declared>,
    /// What is wrong with links and declared loops.
    pub problems: Vec<Problem>,
}

/// Analyses the structure of a model; a run of it, where there is one, tells more signs.
pub fn analyze(model: &Model, run: Option<&Run<'_>>, limits: &Limits) -> Analysis {
    let influences = influences(model, run);
    let mut problems = influences.problems;
    let graph = influences.graph;
    let (declared, wrong) = declared(&graph, &model.loops);
    problems.extend(wrong);
    Analysis {
        loops: loops(&graph, limits),
        independent: independent(&graph),
        links: influences.links,
        declared,
        problems,
        graph,
    }
}

impl Analysis {
    /// What surfaces show: everything by name, with at most so many nodes, edges, loops and declared loops each.
    ///
    /// Loops are the shortest ones, then those of the independent set that are longer.
    pub fn shown(&self, model: &Model, most: usize) -> Shown {
        let mut listed: Vec<&[u32]> = self.loops.iter().take(most).map(|one| one.nodes).collect();
        let mut places: HashMap<&[u32], usize, RandomState> =
            listed.iter().enumerate().map(|(at, nodes)| (*nodes, at)).collect();
        for nodes in self.independent.loops.iter().take(most) {
            places.entry(nodes).or_insert_with(|| {
                listed.push(nodes);
                listed.len() - 1
            });
        }
        let mut loops: Vec<ShownLoop> = Vec::with_capacity(listed.len());
        let mut numbers: HashMap<Class, usize, RandomState> = HashMap::default();
        for nodes in &listed {
            let mut shown = self.loop_of(nodes);
            let number = numbers.entry(shown.class).or_default();
            *number += 1;
            shown.id = format!("{}{number}", shown.class.letter());
            loops.push(shown);
        }
        for nodes in self.independent.loops.iter().take(most) {
            loops[places[nodes.as_slice()]].independent = true;
        }
        let mut declared = Vec::new();
        for (one, model) in self.declared.iter().zip(&model.loops).take(most) {
            let same = places.get(rotated(&one.nodes).as_slice()).copied();
            if let Some(place) = same {
                loops[place].declared_as.push(model.name.clone());
            }
            declared.push(ShownDeclared {
                name: model.name.clone(),
                declared: if model.reinforcing {
                    Class::Reinforcing
                } else {
                    Class::Balancing
                },
                outcome: one.outcome.clone(),
                computed: one.class,
                is: same.map(|place| loops[place].id.clone()),
                path: self.names(&one.nodes),
                left_out: self.names(&one.left_out),
                passed_twice: self.names(&one.twice),
            });
        }
        let undeclared = loops
            .iter()
            .filter(|one| one.independent && one.declared_as.is_empty())
            .map(|one| one.id.clone())
            .collect();
        Shown {
            node_count: self.graph.nodes().len(),
            edge_count: self.graph.edges().len(),
            nodes: (self.graph.nodes().iter().take(most))
                .map(|node| ShownNode {
                    name: node.name.clone(),
                    kind: node.kind,
                })
                .collect(),
            edges: (self.graph.edges().iter().take(most))
                .map(|edge| self.edge(edge))
                .collect(),
            components: self.loops.components,
            total: self.loops.total,
            at_least: self.loops.at_least,
            complete: self.loops.total.is_some(),
            complete_to_length: self.complete_to_length(loops.len()),
            next: self.loops.next,
            counts: self.loops.counts,
            loops,
            independent_complete: self.independent.complete && self.independent.loops.len() <= most,
            independent_count: self.independent.loops.len(),
            undeclared,
            declared,
            problems: self.problems.clone(),
        }
    }

    /// The length up to which the first so many loops are all loops.
    fn complete_to_length(&self, shown: usize) -> usize {
        match self.loops.get(shown) {
            Some(first_left_out) => self.loops.complete_to_length.min(first_left_out.nodes.len() - 1),
            None => self.loops.complete_to_length,
        }
    }

    fn names(&self, nodes: &[u32]) -> Vec<String> {
        nodes.iter().map(|&node| self.graph.name(node).to_owned()).collect()
    }

    fn edge(&self, edge: &Edge) -> ShownEdge {
        ShownEdge {
            from: self.graph.name(edge.from).to_owned(),
            to: self.graph.name(edge.to).to_owned(),
            sign: edge.sign,
            delay: edge.delay,
            computed: edge.computed,
            basis: edge.basis,
            sampled: edge.sampled,
            declared: edge.declared,
            agrees: edge.agrees(),
            sources: edge.sources.clone(),
        }
    }

    fn loop_of(&self, nodes: &[u32]) -> ShownLoop {
        let mut shown = ShownLoop {
            members: self.names(nodes),
            stock: nodes
                .iter()
                .any(|&node| self.graph.nodes()[node as usize].kind == NodeKind::Stock),
            ..ShownLoop::default()
        };
        let (mut sign, mut sampled) = (Sign::Plus, Sign::Plus);
        for (from, to) in steps(nodes) {
            let Some(edge) = self.graph.edge_between(from, to) else {
                continue;
            };
            let edge = &self.graph.edges()[edge as usize];
            sign = sign.then(edge.sign);
            shown.signs.push_str(edge.sign.symbol());
            shown.delay |= edge.delay;
            if edge.sign == Sign::Unknown {
                sampled = sampled.then(edge.sampled.map_or(Sign::Unknown, Sampled::always));
                let link = format!("{} -> {}", self.graph.name(from), self.graph.name(to));
                shown.unknown.push(link);
            } else {
                sampled = sampled.then(edge.sign);
            }
        }
        shown.class = Class::of(sign);
        if sign == Sign::Unknown && sampled != Sign::Unknown {
            shown.in_run = Some(Class::of(sampled));
        }
        shown
    }
}

/// A closed way from its smallest node on.
fn rotated(nodes: &[u32]) -> Vec<u32> {
    let mut nodes = nodes.to_vec();
    if let Some(first) = (0..nodes.len()).min_by_key(|&at| nodes[at]) {
        nodes.rotate_left(first);
    }
    nodes
}

/// The structure of a model by names, bounded.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Shown {
    /// How many nodes there are.
    pub node_count: usize,
    /// How many edges there are.
    pub edge_count: usize,
    /// The first nodes.
    pub nodes: Vec<ShownNode>,
    /// The first edges.
    pub edges: Vec<ShownEdge>,
    /// How many strongly connected components hold a loop.
    pub components: usize,
    /// How many loops there are; null where there are too many to count.
    pub total: Option<u64>,
    /// How many loops there are at least.
    pub at_least: u64,
    /// True when all loops were counted.
    pub complete: bool,
    /// All loops up to this length are shown.
    pub complete_to_length: usize,
    /// How many loops there are at most of the first length that could not be completed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<AtMost>,
    /// Loops of each class, of those that were counted.
    pub counts: Counts,
    /// The shortest loops, then longer ones of the independent set.
    pub loops: Vec<ShownLoop>,
    /// How many loops the shortest independent set has.
    pub independent_count: usize,
    /// True when that set is whole and shown.
    pub independent_complete: bool,
    /// Loops of that set which were not declared, by id.
    pub undeclared: Vec<String>,
    /// The declared loops.
    pub declared: Vec<ShownDeclared>,
    /// What is wrong with links and declared loops.
    pub problems: Vec<Problem>,
}

/// A node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ShownNode {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: NodeKind,
}

/// An edge.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ShownEdge {
    /// The cause.
    pub from: String,
    /// The effect.
    pub to: String,
    /// The sign that counts.
    pub sign: Sign,
    /// True when the effect comes late.
    pub delay: bool,
    /// The computed sign.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub computed: Option<Sign>,
    /// What it rests on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub basis: Option<Basis>,
    /// The sign seen in a run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sampled: Option<Sampled>,
    /// The declared sign.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub declared: Option<Sign>,
    /// False when the declared sign contradicts the computed one.
    pub agrees: bool,
    /// How the edge is known.
    pub sources: Vec<Source>,
}

/// A loop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ShownLoop {
    /// Its class and number, such as `R1`; shorter loops have smaller numbers.
    pub id: String,
    /// What it does to a change.
    pub class: Class,
    /// What it does at all steps of the run, where its class is not determined: seen, not proven.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_run: Option<Class>,
    /// Its members in order.
    pub members: Vec<String>,
    /// For each member the sign of the link to the next, and for the last that to the first.
    pub signs: String,
    /// The links whose sign is not known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<String>,
    /// True when a stock lies on it.
    pub stock: bool,
    /// True when a link of it is delayed.
    pub delay: bool,
    /// True when it belongs to the shortest independent set.
    pub independent: bool,
    /// The declared loops that are this one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub declared_as: Vec<String>,
}

impl Default for ShownLoop {
    fn default() -> Self {
        Self {
            id: String::new(),
            class: Class::Undetermined,
            in_run: None,
            members: Vec::new(),
            signs: String::new(),
            unknown: Vec::new(),
            stock: false,
            delay: false,
            independent: false,
            declared_as: Vec::new(),
        }
    }
}

/// A declared loop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ShownDeclared {
    /// Its name.
    pub name: String,
    /// The class that was declared.
    pub declared: Class,
    /// What the graph says.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// The computed class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub computed: Option<Class>,
    /// The id of the loop that it is, where that is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is: Option<String>,
    /// All members, also those that the declaration leaves out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<String>,
    /// Members that the declaration leaves out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// Members that it passes twice.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub passed_twice: Vec<String>,
}
