//! The structure of a model as one value: graph, loops, what was declared about them, and what is wrong.

use crate::ast::Span;
use crate::bounds::fitting;
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

/// Members, links and names that are given of a loop.
const MEMBERS: usize = 100;

/// Bytes that parts of an answer may take, whatever the names are. With what surfaces add they stay under what a
/// function on AWS can send in Base64: 4.7 MB.
const LOOPS: usize = 1_600_000;
const EDGES: usize = 700_000;
const NODES: usize = 400_000;
const DECLARED: usize = 400_000;
const PROBLEMS: usize = 400_000;

impl Analysis {
    /// What surfaces show: everything by name, with at most so many nodes, edges, loops, declared loops and problems
    /// each, and fewer where names are long.
    ///
    /// Loops are the shortest ones, then those of the independent set that are longer. Of a long loop the first
    /// members are given.
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
        let mut numbers: HashMap<Class, usize, RandomState> = HashMap::default();
        let numbered = listed.iter().map(|nodes| {
            let mut shown = self.loop_of(nodes);
            let number = numbers.entry(shown.class).or_default();
            *number += 1;
            shown.id = format!("{}{number}", shown.class.letter());
            shown
        });
        let mut loops = fitting(numbered, LOOPS);
        places.retain(|_, place| *place < loops.len());
        let mut independent = 0;
        for nodes in self.independent.loops.iter().take(most) {
            if let Some(&place) = places.get(nodes.as_slice()) {
                loops[place].independent = true;
                independent += 1;
            }
        }
        let place_of = |one: &Declared| places.get(rotated(&one.nodes).as_slice()).copied();
        let known = self.declared.iter().zip(&model.loops).take(most).map(|(one, model)| {
            let same = place_of(one);
            ShownDeclared {
                name: model.name.clone(),
                declared: if model.reinforcing {
                    Class::Reinforcing
                } else {
                    Class::Balancing
                },
                outcome: bounded(&one.outcome),
                length: one.nodes.len(),
                computed: one.class,
                is: same.map(|place| loops[place].id.clone()),
                path: self.names(&one.nodes),
                left_out: self.names(&one.left_out),
                passed_twice: self.names(&one.twice),
            }
        });
        let declared = fitting(known, DECLARED);
        for (one, shown) in self.declared.iter().zip(&declared) {
            if let Some(place) = place_of(one) {
                loops[place].declared_as.push(shown.name.clone());
            }
        }
        let undeclared = loops
            .iter()
            .filter(|one| one.independent && one.declared_as.is_empty())
            .map(|one| one.id.clone())
            .collect();
        Shown {
            node_count: self.graph.nodes().len(),
            edge_count: self.graph.edges().len(),
            nodes: fitting(
                self.graph.nodes().iter().take(most).map(|node| ShownNode {
                    name: node.name.clone(),
                    kind: node.kind,
                }),
                NODES,
            ),
            edges: fitting(
                self.graph.edges().iter().take(most).map(|edge| self.edge(edge, model)),
                EDGES,
            ),
            components: self.loops.components,
            total: self.loops.total,
            at_least: self.loops.at_least,
            complete: self.loops.total.is_some(),
            complete_to_length: self.complete_to_length(loops.len().min(most)),
            next: self.loops.next,
            counts: self.loops.counts,
            loops,
            independent_complete: self.independent.complete && self.independent.loops.len() == independent,
            independent_count: self.independent.loops.len(),
            undeclared,
            declared,
            problem_count: self.problems.len(),
            problems: fitting(self.problems.iter().take(most).cloned(), PROBLEMS),
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
        nodes
            .iter()
            .take(MEMBERS)
            .map(|&node| self.graph.name(node).to_owned())
            .collect()
    }

    fn edge(&self, edge: &Edge, model: &Model) -> ShownEdge {
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
            sources: edge
                .sources
                .iter()
                .take(MEMBERS)
                .map(|source| match source {
                    Source::Equation { span } => ShownSource::Equation { span: span.clone() },
                    Source::Inflow => ShownSource::Inflow,
                    Source::Outflow => ShownSource::Outflow,
                    Source::Declared { link } => ShownSource::Declared {
                        link: *link,
                        pointer: model.links[*link as usize].pointer.clone(),
                    },
                })
                .collect(),
        }
    }

    fn loop_of(&self, nodes: &[u32]) -> ShownLoop {
        let mut shown = ShownLoop {
            length: nodes.len(),
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
            if shown.signs.len() < MEMBERS {
                shown.signs.push_str(edge.sign.symbol());
            }
            shown.delay |= edge.delay;
            if edge.sign == Sign::Unknown {
                sampled = sampled.then(edge.sampled.map_or(Sign::Unknown, Sampled::always));
                let link = format!("{} -> {}", self.graph.name(from), self.graph.name(to));
                if shown.unknown.len() < MEMBERS {
                    shown.unknown.push(link);
                }
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

/// What is told of an outcome: of long lists the first.
fn bounded(outcome: &Outcome) -> Outcome {
    let mut outcome = outcome.clone();
    match &mut outcome {
        Outcome::NotClosed { missing } => missing.truncate(MEMBERS),
        Outcome::UnknownMembers { names } => names.truncate(MEMBERS),
        _ => {}
    }
    outcome
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
    /// How many problems there are with links and declared loops.
    pub problem_count: usize,
    /// The first of them.
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
    pub sources: Vec<ShownSource>,
}

/// How an edge is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "by", rename_all = "lowercase")]
pub enum ShownSource {
    /// The effect's equation names the cause.
    Equation {
        /// Where, in bytes of the equation.
        span: Span,
    },
    /// The cause is a flow that fills the effect.
    Inflow,
    /// The cause is a flow that drains the effect.
    Outflow,
    /// A declared link says so.
    Declared {
        /// Its place in the model's list of links, where its evidence is.
        link: u32,
        /// Where it stands in our document.
        #[serde(skip_serializing_if = "String::is_empty")]
        pointer: String,
    },
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
    /// How many members it has.
    pub length: usize,
    /// Its members in order; of a long loop the first hundred.
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
            length: 0,
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
    /// How many members it has, also those that the declaration leaves out; 0 when it is not closed.
    pub length: usize,
    /// All members, also those that the declaration leaves out; of a long loop the first hundred.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<String>,
    /// Members that the declaration leaves out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// Members that it passes twice.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub passed_twice: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::compile;
    use crate::run;

    /// The analysis of a document, with a run of it where it can be run, and what is shown of it.
    fn shown(text: &str, most: usize) -> Shown {
        let parsed = meadow_model::parse(text).unwrap();
        let model = crate::document::model(&parsed);
        let program = compile(&model).ok();
        let run = program
            .as_ref()
            .map(|program| run::run(program, &run::Limits::default()));
        analyze(&model, run.as_ref(), &Limits::default()).shown(&model, most)
    }

    /// Fish that grow up to a capacity and are caught; `fish` at the start and the loops are given.
    fn fishery(initial: u32, loops: &str) -> String {
        format!(
            r#"{{"stocks": [{{"id": "fish", "initial": {initial}}}],
            "flows": [
                {{"id": "growth", "from_stock": null, "to_stock": "fish", "rate_expr": "0.4 * fish * (1 - fish / 1000)"}},
                {{"id": "catch", "from_stock": "fish", "to_stock": null, "rate_expr": "share * fish"}}],
            "variables": [{{"id": "share", "expr": "0.01"}}],
            "interconnections": [{{"from": "catch", "to": "fish", "type": "causal", "polarity": "-"}}],
            "loops": {{{loops}}},
            "simulation": {{"stop": 5, "dt": 0.25}}}}"#
        )
    }

    const NO_LOOPS: &str = r#""balancing": [], "reinforcing": []"#;

    #[test]
    fn loops_come_with_class_signs_and_what_was_declared() {
        let loops = r#""balancing": [{"id": "Catch B", "description": "fish -> catch -> fish: the more, the more"}],
            "reinforcing": [{"id": "Wrong R", "description": "catch -> fish -> catch"}]"#;
        let shown = shown(&fishery(10, loops), 50);
        let told: Vec<_> = shown
            .loops
            .iter()
            .map(|one| (one.id.as_str(), one.signs.as_str(), one.stock))
            .collect();
        assert_eq!(told, [("R1", "++", true), ("B1", "+-", true)]);
        assert_eq!(shown.loops[1].members, ["fish", "catch"]);
        assert_eq!(shown.loops[1].declared_as, ["Catch B", "Wrong R"]);
        assert_eq!(shown.undeclared, ["R1"]);
        assert_eq!((shown.total, shown.complete, shown.components), (Some(2), true, 1));
        assert_eq!(shown.declared[0].outcome, Outcome::Agrees);
        assert_eq!(shown.declared[1].outcome, Outcome::Contradicts);
        assert_eq!(shown.declared[1].is.as_deref(), Some("B1"));
        assert_eq!(shown.problems.len(), 1);
        assert_eq!(shown.problems[0].pointer, "/loops/reinforcing/0");
        let catch = shown.edges.iter().find(|edge| edge.from == "catch").unwrap();
        assert!(catch.agrees && catch.declared == Some(Sign::Minus) && catch.sources.len() == 2);
    }

    #[test]
    fn the_sign_of_a_link_rests_on_the_range_of_the_run() {
        // Below half of the capacity more fish grow faster, above slower.
        for (initial, sign, basis, sampled) in [
            (10, Sign::Plus, Some(Basis::Run), None),
            (900, Sign::Minus, Some(Basis::Run), None),
        ] {
            let shown = shown(&fishery(initial, NO_LOOPS), 50);
            let edge = shown
                .edges
                .iter()
                .find(|edge| edge.from == "fish" && edge.to == "growth")
                .unwrap();
            assert_eq!(
                (edge.sign, edge.basis, edge.sampled),
                (sign, basis, sampled),
                "{initial}"
            );
        }
        let loops = r#""balancing": [{"id": "Full B", "description": "fish -> growth -> fish"}], "reinforcing": []"#;
        let shown = shown(&fishery(200, loops), 50);
        let edge = shown
            .edges
            .iter()
            .find(|edge| edge.from == "fish" && edge.to == "growth")
            .unwrap();
        let seen = edge.sampled.unwrap();
        assert_eq!((edge.sign, edge.basis, seen.sign), (Sign::Unknown, None, Sign::Plus));
        assert!(seen.share > 0.5 && seen.share < 1.0, "{seen:?}");
        let growth = &shown.loops[0];
        assert_eq!((growth.class, growth.in_run), (Class::Undetermined, None));
        assert_eq!(growth.unknown, ["fish -> growth"]);
        assert!(
            shown.problems[0].message.contains("changes"),
            "{}",
            shown.problems[0].message
        );
    }

    #[test]
    fn a_sign_that_is_the_same_at_every_step_is_told_apart_from_a_proven_one() {
        // The slope of (a - s) / s is -a / s^2, which intervals do not see.
        let text = r#"{"stocks": [{"id": "s", "initial": 5}],
            "flows": [{"id": "f", "from_stock": null, "to_stock": "s", "rate_expr": "SIN(a - s) + (a - s) / s"}],
            "variables": [{"id": "a", "expr": "6"}], "simulation": {"stop": 3, "dt": 0.125}}"#;
        let shown = shown(text, 10);
        let edge = shown.edges.iter().find(|edge| edge.from == "s").unwrap();
        assert_eq!(
            edge.sampled,
            Some(Sampled {
                sign: Sign::Minus,
                share: 1.0
            })
        );
        assert_eq!((edge.sign, edge.computed), (Sign::Unknown, Some(Sign::Unknown)));
        let one = &shown.loops[0];
        assert_eq!((one.class, one.in_run), (Class::Undetermined, Some(Class::Balancing)));
    }

    #[test]
    fn a_switch_that_is_off_hides_no_loop() {
        let text = r#"{"stocks": [{"id": "s", "initial": 5}],
            "flows": [{"id": "f", "from_stock": "s", "to_stock": null, "rate_expr": "switch * s"}],
            "variables": [{"id": "switch", "expr": "0"}], "simulation": {"stop": 3}}"#;
        let shown = shown(text, 10);
        assert_eq!(
            (shown.loops[0].id.as_str(), shown.loops[0].signs.as_str()),
            ("B1", "+-")
        );
    }

    #[test]
    fn what_is_shown_is_bounded_and_shortest_first() {
        let nodes = 9;
        let links: Vec<String> = (0..nodes)
            .flat_map(|a| (0..nodes).filter(move |b| a != *b).map(move |b| (a, b)))
            .map(|(a, b)| format!(r#"{{"from": "n{a}", "to": "n{b}", "type": "causal", "polarity": "+"}}"#))
            .collect();
        let text = format!(r#"{{"interconnections": [{}]}}"#, links.join(","));
        let shown = shown(&text, 5);
        assert_eq!((shown.node_count, shown.edge_count), (9, 72));
        assert_eq!((shown.nodes.len(), shown.edges.len()), (5, 5));
        // 9 nodes: 125,664 loops, more than are counted.
        assert_eq!((shown.total, shown.at_least, shown.complete), (None, 100_000, false));
        assert_eq!(shown.loops.len(), 5);
        assert!(shown.loops.iter().all(|one| one.members.len() == 2));
        assert_eq!(shown.complete_to_length, 1);
        assert_eq!((shown.independent_count, shown.independent_complete), (36, false));
    }

    #[test]
    fn what_is_shown_of_long_names_is_bounded_in_bytes() {
        let name = |n: usize| format!("n{n}{}", "x".repeat(10_000));
        let links: Vec<String> = (0..10)
            .flat_map(|a| (0..10).filter(move |b| a != *b).map(move |b| (a, b)))
            .map(|(a, b)| format!(r#"{{"from": "{}", "to": "{}", "type": "causal"}}"#, name(a), name(b)))
            .collect();
        let declared: Vec<String> = (0..10)
            .map(|a| {
                format!(
                    r#"{{"id": "{}", "elements": ["{}", "{}"]}}"#,
                    name(a),
                    name(a),
                    name((a + 1) % 10)
                )
            })
            .collect();
        let text = format!(
            r#"{{"interconnections": [{}], "loops": {{"balancing": [{}], "reinforcing": []}}}}"#,
            links.join(","),
            declared.join(",")
        );
        let shown = shown(&text, 1_000);
        let json = serde_json::to_string(&shown).unwrap();
        assert!(json.len() < 4_000_000, "{} bytes", json.len());
        // Two names and a link with unknown sign each way are 60 kB.
        assert_eq!((shown.loops.len(), shown.complete_to_length), (26, 1));
        assert_eq!((shown.node_count, shown.nodes.len()), (10, 10));
        assert_eq!((shown.edge_count, shown.edges.len()), (90, 34));
        assert_eq!((shown.independent_count, shown.independent_complete), (45, false));
        assert!(shown.loops[0].members[0] == name(0), "names stay whole");
    }

    #[test]
    fn of_a_long_loop_the_first_members_are_shown() {
        let links: Vec<String> = (0..3_000)
            .map(|i| format!(r#"{{"from": "n{i}", "to": "n{}", "type": "causal"}}"#, (i + 1) % 3_000))
            .collect();
        let members: Vec<String> = (0..3_000).map(|i| format!(r#""n{}""#, 2_999 - i)).collect();
        let text = format!(
            r#"{{"interconnections": [{}], "loops": {{"balancing": [{{"id": "B", "elements": [{}]}}]}}}}"#,
            links.join(","),
            members.join(",")
        );
        let shown = shown(&text, 5);
        let one = &shown.loops[0];
        assert_eq!(
            (one.length, one.members.len(), one.signs.len(), one.unknown.len()),
            (3_000, 100, 100, 100)
        );
        assert_eq!(one.class, Class::Undetermined);
        let json = serde_json::to_string(&shown).unwrap();
        assert!(json.len() < 20_000, "{} bytes", json.len());
    }

    #[test]
    fn everything_shown_becomes_json() {
        let loops = r#""balancing": [{"id": "B", "description": "fish -> share"}], "reinforcing": []"#;
        let json = serde_json::to_value(shown(&fishery(10, loops), 50)).unwrap();
        assert_eq!(json["loops"][0]["class"], "reinforcing");
        assert_eq!(json["declared"][0]["status"], "not-closed");
        assert_eq!(json["declared"][0]["missing"][0], serde_json::json!(["fish", "share"]));
        assert_eq!(json["edges"][0]["sign"], "+");
        assert_eq!(json["edges"][0]["sources"][0]["by"], "equation");
        assert_eq!(json["edges"][0]["basis"], "run");
    }

    #[test]
    fn the_loops_of_the_sample_models_are_closed_and_of_the_declared_class() {
        let texts = [
            include_str!("../../../models/01-bathtub.json"),
            include_str!("../../../models/02-thermostat.json"),
            include_str!("../../../models/03-predator-prey.json"),
            include_str!("../../../models/04-fishery-commons.json"),
            include_str!("../../../models/05-limits-to-growth.json"),
            include_str!("../../../models/06-shifting-the-burden.json"),
            include_str!("../../../models/07-induced-traffic.json"),
            include_str!("../../../models/08-bass-diffusion.json"),
            include_str!("../../../models/09-sir-epidemic.json"),
            include_str!("../../../models/10-carbon-cycle.json"),
            include_str!("../../../models/11-housing-market.json"),
            include_str!("../../../models/12-technical-debt.json"),
        ];
        for text in texts {
            let shown = shown(text, 100);
            assert!(!shown.declared.is_empty());
            for one in &shown.declared {
                let fits = matches!(one.outcome, Outcome::Agrees | Outcome::Undetermined);
                assert!(fits, "{one:?}");
                assert!(!one.path.is_empty());
            }
            assert!(shown.independent_complete);
            assert!(shown.edges.iter().all(|edge| edge.agrees));
        }
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a test reads the shared files")]
    fn the_signs_of_the_archetypes_give_the_declared_classes() {
        let Ok(shared) = std::env::var("MEADOW_SHARED") else {
            println!("left out: MEADOW_SHARED does not name the folder of shared files");
            return;
        };
        let mut files = 0;
        for entry in std::fs::read_dir(format!("{shared}/corpus/archetypes")).unwrap() {
            let path = entry.unwrap().path();
            let shown = shown(&std::fs::read_to_string(&path).unwrap(), 100);
            files += 1;
            assert!(!shown.loops.is_empty() && shown.complete, "{path:?}");
            for one in &shown.declared {
                assert_eq!(one.outcome, Outcome::Agrees, "{path:?} {one:?}");
            }
        }
        assert!(files > 0);
    }
}
