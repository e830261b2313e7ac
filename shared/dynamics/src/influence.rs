//! The graph of a model: who acts on whom, from equations, flows and declared links.
//!
//! Nodes are the variables in order, then names that only equations mention, then names that only links mention. A
//! declared link that stands for a computed path through flows and auxiliaries, or for the material that a flow moves
//! from one stock to another, makes no edge of its own: it would double every loop through that path.

use crate::ast::{Expr, Name};
use crate::graph::{Adjacency, Edge, Graph, Node, NodeKind, Sampled, Sign, Source};
use crate::model::{Kind, Link, Model, Variable};
use crate::names::{self, Names};
use crate::parse::parse;
use crate::polarity::{self, Effect, Polarity};
use crate::problem::{Level, Problem};
use crate::ranges::Ranges;
use crate::routes::Router;
use crate::run::Run;
use crate::sample::sampled;
use crate::uses::{When, uses};
use foldhash::fast::RandomState;
use serde::Serialize;
use std::collections::HashMap;

/// The graph of a model, and what was met on the way.
#[derive(Debug, Clone, Default)]
pub struct Influences {
    /// The graph.
    pub graph: Graph,
    /// How each declared link was read, in order.
    pub links: Vec<Reading>,
    /// Where declared links contradict equations and flows.
    pub problems: Vec<Problem>,
}

/// How a declared link was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "as", rename_all = "lowercase")]
pub enum Reading {
    /// As an edge of the graph.
    Edge,
    /// As a summary of a computed path.
    Path {
        /// The nodes between its ends.
        through: Vec<u32>,
    },
    /// As what a flow moves from one stock to the other.
    Material {
        /// The flow.
        flow: u32,
    },
}

/// Edges looked at for all declared links together.
const STEPS: u64 = 2_000_000;

/// Bytes of equations walked for signs, about 0.1 s; further signs are not computed.
const WALKED: usize = 3_000_000;

/// Links whose sign is looked for in the run.
const SAMPLED: usize = 50;

/// The graph of a model. Equations that cannot be read give no edges.
///
/// A run of the model tells the ranges of its variables, and with it signs that cannot be proven for all values.
pub fn influences(model: &Model, run: Option<&Run<'_>>) -> Influences {
    let mut builder = Builder::new(model);
    builder.equations();
    builder.flows();
    builder.signs(run);
    builder.links();
    Influences {
        graph: builder.graph,
        links: builder.readings,
        problems: builder.problems,
    }
}

struct Builder<'m> {
    model: &'m Model,
    /// The variables; a variable's place is its node.
    names: Names<'m>,
    functions: Names<'m>,
    /// The nodes of names that no variable has, by their fold.
    mentioned: HashMap<String, u32, RandomState>,
    exprs: Vec<Option<Expr>>,
    graph: Graph,
    readings: Vec<Reading>,
    problems: Vec<Problem>,
}

impl<'m> Builder<'m> {
    fn new(model: &'m Model) -> Self {
        let mut graph = Graph::default();
        for variable in &model.variables {
            graph.add_node(Node {
                name: variable.name.clone(),
                kind: match variable.kind {
                    Kind::Auxiliary => NodeKind::Auxiliary,
                    Kind::Flow { .. } => NodeKind::Flow,
                    Kind::Stock { .. } => NodeKind::Stock,
                },
                pointer: variable.pointer.clone(),
            });
        }
        let parsed = |variable: &Variable| Some(parse(variable.equation.as_deref()?, model.dialect).ok()?.expr);
        Self {
            model,
            names: Names::new(model.variables.iter().map(|variable| variable.name.as_str())),
            functions: Names::new(model.functions.iter().map(|(name, _)| name.as_str())),
            mentioned: HashMap::default(),
            exprs: model.variables.iter().map(parsed).collect(),
            graph,
            readings: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// The node of a name, made when no variable has it; none for a graphical function.
    fn node(&mut self, name: &Name) -> Option<u32> {
        if let Some(place) = self.names.find(name) {
            return Some(place as u32);
        }
        if self.functions.find(name).is_some() {
            return None;
        }
        Some(match self.mentioned.get(&name.folded) {
            Some(&node) => node,
            None => {
                let node = self.graph.add_node(Node {
                    name: name.text.clone(),
                    ..Node::default()
                });
                self.mentioned.insert(name.folded.clone(), node);
                node
            }
        })
    }

    /// Edges from what an equation names to its variable. A stock's equation is its initial value and gives none.
    fn equations(&mut self) {
        let exprs = std::mem::take(&mut self.exprs);
        for (place, (variable, expr)) in self.model.variables.iter().zip(&exprs).enumerate() {
            let (Some(expr), Kind::Auxiliary | Kind::Flow { .. }) = (expr, &variable.kind) else {
                continue;
            };
            let mut found = Vec::new();
            let is_variable = |name: &Name| self.names.find(name).is_some();
            uses(expr, self.model.dialect, &is_variable, &mut |one| {
                if one.when != When::Start {
                    found.push(one);
                }
            });
            for one in found {
                let to = place as u32;
                let Some(from) = one.name.map_or(Some(to), |name| self.node(name)) else {
                    continue;
                };
                let edge = self.graph.edge_or_new(from, to);
                // Late only where every use is.
                edge.delay = one.when == When::Late && (edge.delay || edge.sources.is_empty());
                edge.sources.push(Source::Equation { span: one.span });
            }
        }
        self.exprs = exprs;
    }

    /// Edges from flows to the stocks that they fill or drain.
    fn flows(&mut self) {
        for (place, variable) in self.model.variables.iter().enumerate() {
            let Kind::Stock { inflows, outflows, .. } = &variable.kind else {
                continue;
            };
            for (flows, sign, source) in [
                (inflows, Sign::Plus, Source::Inflow),
                (outflows, Sign::Minus, Source::Outflow),
            ] {
                for flow in flows {
                    let Some(from) = self.node(&names::name(flow.clone())) else {
                        continue;
                    };
                    let edge = self.graph.edge_or_new(from, place as u32);
                    if edge.sources.contains(&source) {
                        continue;
                    }
                    // A flow from a stock into itself moves nothing.
                    edge.sign = if edge.sources.is_empty() { sign } else { Sign::Unknown };
                    edge.computed = Some(edge.sign);
                    edge.sources.push(source.clone());
                }
            }
        }
    }

    /// The signs of edges from equations.
    fn signs(&mut self, run: Option<&Run<'_>>) {
        let variables = self.model.variables.len();
        let mut causes = vec![Vec::new(); variables];
        for edge in self.graph.edges() {
            if edge.computed.is_none() && (edge.from as usize) < variables {
                causes[edge.to as usize].push(edge.from);
            }
        }
        let ranges = Ranges::new(self.model, &self.names, &self.functions, &self.exprs, &causes, run);
        let (mut walked, mut looked_at, mut left_out) = (0, 0, 0);
        let tell = |edge: &Edge| {
            let effect = edge.to as usize;
            let expr = self.exprs[effect].as_ref().filter(|_| edge.computed.is_none())?;
            walked += self.model.variables[effect].equation.as_ref().map_or(0, String::len);
            if walked > WALKED {
                left_out += 1;
                return None;
            }
            let found = self.sign(&ranges, expr, edge);
            let unknown = matches!(found.polarity, Polarity::None | Polarity::Unknown);
            let run = run.filter(|_| unknown && edge.from != edge.to && (edge.from as usize) < variables);
            let seen = run.filter(|_| looked_at < SAMPLED).and_then(|run| {
                looked_at += 1;
                sampled(self.model, &self.names, run, edge.from as usize, effect, expr)
            });
            Some((found, seen))
        };
        let told: Vec<Option<(Effect, Option<Sampled>)>> = self.graph.edges().iter().map(tell).collect();
        for (at, told) in told.into_iter().enumerate() {
            let Some((found, seen)) = told else { continue };
            if found.by_convention {
                let problem = self.by_convention(&self.graph.edges()[at]);
                self.problems.push(problem);
            }
            let edge = &mut self.graph.edges_mut()[at];
            edge.sign = match found.polarity {
                Polarity::Positive => Sign::Plus,
                Polarity::Negative => Sign::Minus,
                Polarity::None | Polarity::Unknown => Sign::Unknown,
            };
            edge.computed = Some(edge.sign);
            edge.basis = (edge.sign != Sign::Unknown).then_some(found.basis);
            edge.sampled = seen;
        }
        if left_out > 0 {
            self.problems.push(Problem::of_model(
                "signs-left-out",
                Level::Info,
                format!("The equations are so long that the signs of {left_out} links were not computed."),
                "Split long equations into several variables.",
            ));
        }
    }

    /// The effect of the edge's cause on the edge's effect.
    fn sign(&self, ranges: &Ranges<'_>, expr: &Expr, edge: &Edge) -> Effect {
        let effect = edge.to as usize;
        let own = self.model.variables[effect].graphical.as_ref();
        let cause = names::fold(self.graph.name(edge.from));
        // In its own equation a variable is called SELF.
        let cause = if edge.from == edge.to { "self" } else { &*cause };
        let found = |switched_on| {
            let around = ranges.around(effect, switched_on);
            polarity::effect(expr, own, cause, self.model.dialect, &around)
        };
        match found(false) {
            Effect {
                polarity: Polarity::None,
                ..
            } => found(true),
            found => found,
        }
    }

    fn by_convention(&self, edge: &Edge) -> Problem {
        let (cause, effect) = (self.graph.name(edge.from), self.graph.name(edge.to));
        let variable = &self.model.variables[edge.to as usize];
        let message = format!("`{effect}` is taken to rise with `{cause}`, as a forecast mostly does; it need not.");
        let fix = "Declare the polarity of this link where that is not meant.";
        Problem::of(variable, "sign-by-convention", Level::Info, message, fix)
    }

    /// Adds what declared links say.
    fn links(&mut self) {
        let model = self.model;
        let ends: Vec<Option<(u32, u32)>> = model
            .links
            .iter()
            .map(|link| {
                let from = self.node(&names::name(link.from.clone()))?;
                Some((from, self.node(&names::name(link.to.clone()))?))
            })
            .collect();
        let graph = std::mem::take(&mut self.graph);
        let into = graph.incoming();
        let mut router = Router::new(&graph, STEPS);
        let computed: Vec<Computed> = ends
            .iter()
            .map(|ends| {
                ends.map_or(Computed::None, |(from, to)| {
                    Computed::of(&graph, &into, &mut router, from, to)
                })
            })
            .collect();
        self.graph = graph;
        let unchecked = computed.iter().filter(|one| matches!(one, Computed::Unchecked)).count();
        for (at, ((link, ends), computed)) in model.links.iter().zip(ends).zip(computed).enumerate() {
            let Some((from, to)) = ends else {
                self.readings.push(Reading::Edge);
                continue;
            };
            let source = Source::Declared { link: at as u32 };
            let reading = match computed {
                Computed::Path { through, signs } => {
                    self.add_to_path(link, &source, [&[from], through.as_slice(), &[to]].concat(), &signs);
                    Reading::Path { through }
                }
                Computed::Material { flow } => Reading::Material { flow },
                computed @ (Computed::None | Computed::Unchecked) => {
                    let foreign = matches!(computed, Computed::None) && self.is_foreign(from, to);
                    self.add_edge(link, source, from, to, foreign);
                    Reading::Edge
                }
            };
            self.readings.push(reading);
        }
        if unchecked > 0 {
            self.problems.push(Problem::of_model(
                "links-not-checked",
                Level::Info,
                format!(
                    "The model is so large that {unchecked} declared links were not held against the equations; each counts as a link of its own."
                ),
                "Take out links that equations already show.",
            ));
        }
    }

    /// A declared link between two nodes, whether or not an equation says the same. It is foreign where an equation
    /// could have said it and does not.
    fn add_edge(&mut self, link: &Link, source: Source, from: u32, to: u32, foreign: bool) {
        let edge = self.graph.edge_or_new(from, to);
        let before = edge.declared;
        edge.sources.push(source);
        edge.delay |= link.delay;
        if let Some(polarity) = link.polarity {
            let sign = Sign::declared(polarity);
            edge.declared = Some(match before {
                Some(other) if other != sign => Sign::Unknown,
                _ => sign,
            });
        }
        if edge.sign == Sign::Unknown || edge.computed.is_none() {
            edge.sign = edge.declared.unwrap_or_default();
        }
        let edge = edge.clone();
        if link.polarity.is_none() {
            // Nothing to compare.
        } else if edge.declared == Some(Sign::Unknown) {
            self.problems.push(self.two_signs(link, &edge));
        } else if !edge.agrees() {
            self.problems.push(self.contradiction(link, &edge));
        }
        if let Some(problem) = foreign.then(|| self.not_in_equation(link, to)) {
            self.problems.push(problem);
        }
    }

    /// A declared link that stands for a path.
    fn add_to_path(&mut self, link: &Link, source: &Source, nodes: Vec<u32>, signs: &[Sign]) {
        for (at, step) in nodes.windows(2).enumerate() {
            let edge = self.graph.edge_or_new(step[0], step[1]);
            edge.sources.push(source.clone());
            // The delay of the whole is one delay, and it is over when the effect shows.
            edge.delay |= link.delay && at + 2 == nodes.len();
        }
        let declared = link.polarity.map(Sign::declared);
        if let (Some(declared), [sign]) = (declared, signs)
            && *sign != Sign::Unknown
            && *sign != declared
        {
            let path: Vec<String> = nodes
                .iter()
                .map(|&node| format!("`{}`", self.graph.name(node)))
                .collect();
            let message = format!(
                "The link from `{}` to `{}` is declared {}, but the path {} gives {}.",
                link.from,
                link.to,
                declared.symbol(),
                path.join(" -> "),
                sign.symbol()
            );
            self.problems.push(contradicts(link, *sign, message));
        }
    }

    /// True for a link into something whose equation is known and does not name the cause, nor did a link before.
    fn is_foreign(&self, from: u32, to: u32) -> bool {
        let Some(variable) = self.model.variables.get(to as usize) else {
            return false;
        };
        let has_equation = match &variable.kind {
            Kind::Stock { inflows, outflows, .. } => !inflows.is_empty() || !outflows.is_empty(),
            _ => self.exprs[to as usize].is_some(),
        };
        has_equation && self.graph.edge_between(from, to).is_none()
    }

    fn contradiction(&self, link: &Link, edge: &Edge) -> Problem {
        let computed = edge.computed.unwrap_or_default();
        let why = match self.model.variables.get(edge.to as usize) {
            Some(Variable {
                kind: Kind::Stock { .. },
                ..
            }) => format!(
                "it {} this stock",
                if computed == Sign::Plus { "fills" } else { "drains" }
            ),
            Some(Variable {
                equation: Some(equation),
                ..
            }) => format!("the equation `{}` makes it {}", excerpt(equation), computed.symbol()),
            _ => format!("it is {}", computed.symbol()),
        };
        let declared = edge.declared.unwrap_or_default().symbol();
        let message = format!(
            "The link from `{}` to `{}` is declared {declared}, but {why}.",
            link.from, link.to
        );
        contradicts(link, computed, message)
    }

    fn two_signs(&self, link: &Link, edge: &Edge) -> Problem {
        let (from, to) = (self.graph.name(edge.from), self.graph.name(edge.to));
        let message = format!("The link from `{from}` to `{to}` is declared both + and -.");
        let fix = "Keep one, or put what makes the difference between them as a variable of its own.";
        Problem::of_model(CONTRADICTION, Level::Warning, message, fix).pointing(&link.pointer)
    }

    fn not_in_equation(&self, link: &Link, to: u32) -> Problem {
        let (cause, effect) = (&link.from, &link.to);
        let (message, fix) = if self.graph.nodes()[to as usize].kind == NodeKind::Stock {
            (
                format!(
                    "A link from `{cause}` to the stock `{effect}` is declared, but no flow of it depends on that."
                ),
                format!("Name `{cause}` in the rate of a flow of `{effect}`, or take the link out."),
            )
        } else {
            (
                format!("A link from `{cause}` to `{effect}` is declared, but the equation does not name it."),
                format!("Name `{cause}` in the equation of `{effect}`, or take the link out."),
            )
        };
        Problem::of_model("link-not-in-equation", Level::Info, message, fix).pointing(&link.pointer)
    }
}

/// The code of a declared sign that is not the computed one.
const CONTRADICTION: &str = "link-polarity-contradiction";

fn contradicts(link: &Link, computed: Sign, message: String) -> Problem {
    let fix = format!(
        "Declare the polarity {}, or correct the equation or the flow's direction.",
        computed.symbol()
    );
    Problem::of_model(CONTRADICTION, Level::Warning, message, fix).pointing(&link.pointer)
}

/// An equation, cut where it is long.
fn excerpt(equation: &str) -> String {
    const SHOWN: usize = 80;
    match equation.trim().char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &equation.trim()[..end]),
        None => equation.trim().to_owned(),
    }
}

/// What equations and flows already say about a declared link.
enum Computed {
    /// A path through flows and auxiliaries, and the signs that such paths have.
    Path { through: Vec<u32>, signs: Vec<Sign> },
    /// A flow from one stock to the other.
    Material { flow: u32 },
    /// Nothing, or an edge between the two.
    None,
    /// There was no budget left to tell.
    Unchecked,
}

impl Computed {
    fn of(graph: &Graph, into: &Adjacency, router: &mut Router<'_>, from: u32, to: u32) -> Self {
        if from == to || graph.edge_between(from, to).is_some() || into.of(to).is_empty() {
            return Self::None;
        }
        let is_stock = |node: u32| graph.nodes()[node as usize].kind == NodeKind::Stock;
        let mut routes = router.any(from, to, is_stock);
        // What was found by then may be a part.
        if router.is_spent() {
            return Self::Unchecked;
        }
        let signs = routes.iter().map(|route| route.sign).collect();
        if !routes.is_empty() {
            let through = routes.swap_remove(0).between;
            return Self::Path { through, signs };
        }
        if is_stock(from) && is_stock(to) {
            let flow = into
                .of(from)
                .iter()
                .map(|&edge| graph.edges()[edge as usize].from)
                .find(|&flow| {
                    let has = |stock, source: &Source| {
                        let edge = graph.edge_between(flow, stock);
                        edge.is_some_and(|edge| graph.edges()[edge as usize].sources.contains(source))
                    };
                    has(from, &Source::Outflow) && has(to, &Source::Inflow)
                });
            if let Some(flow) = flow {
                return Self::Material { flow };
            }
        }
        Self::None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A model from lines: `stock S = 3 + inflow - outflow`, `flow f = ...`, `a = ...`, and links `a -> b`, with `+` or
    /// `-` and `late` behind.
    fn model(lines: &[&str]) -> Model {
        let mut model = Model::default();
        for line in lines {
            if let Some((from, rest)) = line.split_once(" -> ") {
                let words: Vec<&str> = rest.split(' ').collect();
                model.links.push(Link {
                    from: from.to_owned(),
                    to: words[0].to_owned(),
                    polarity: match words.get(1) {
                        Some(&"+") => Some(1),
                        Some(&"-") => Some(-1),
                        _ => None,
                    },
                    delay: words.contains(&"late"),
                    pointer: format!("/interconnections/{}", model.links.len()),
                    ..Link::default()
                });
                continue;
            }
            let (name, equation) = line.split_once(" = ").unwrap();
            let (kind, name) = name.split_once(' ').unwrap_or(("", name));
            let ends = |sign: &str| {
                let words: Vec<&str> = equation.split(' ').collect();
                let found = words
                    .windows(2)
                    .filter(|pair| pair[0] == sign)
                    .map(|pair| pair[1].to_owned());
                found.collect()
            };
            model.variables.push(Variable {
                name: name.to_owned(),
                kind: match kind {
                    "stock" => Kind::Stock {
                        inflows: ends("+"),
                        outflows: ends("-"),
                        non_negative: false,
                    },
                    "flow" => Kind::Flow { uniflow: false },
                    _ => Kind::Auxiliary,
                },
                equation: Some(equation.to_owned()),
                ..Variable::default()
            });
        }
        model
    }

    /// Edges as `a + b`, with `late` behind.
    fn told(found: &Influences) -> Vec<String> {
        let graph = &found.graph;
        let edge = |edge: &Edge| {
            let (from, to) = (graph.name(edge.from), graph.name(edge.to));
            let late = if edge.delay { " late" } else { "" };
            format!("{from} {} {to}{late}", edge.sign.symbol())
        };
        graph.edges().iter().map(edge).collect()
    }

    #[track_caller]
    fn check(lines: &[&str], edges: &[&str], problems: &[&str]) -> Influences {
        let found = influences(&model(lines), None);
        assert_eq!(told(&found), edges);
        let messages: Vec<&str> = found.problems.iter().map(|problem| problem.message.as_str()).collect();
        assert_eq!(messages, problems);
        assert_eq!(
            found.links.len(),
            lines.iter().filter(|line| line.contains(" -> ")).count()
        );
        found
    }

    const TUB: [&str; 3] = [
        "stock Tub = 20 + inflow - outflow",
        "flow inflow = (target - Tub) / 5",
        "flow outflow = fraction * Tub",
    ];

    const TUB_EDGES: [&str; 6] = [
        "target + inflow",
        "Tub - inflow",
        "fraction + outflow",
        "Tub + outflow",
        "inflow + Tub",
        "outflow - Tub",
    ];

    #[test]
    fn equations_and_flows_make_edges() {
        let found = check(&TUB, &TUB_EDGES, &[]);
        let names: Vec<&str> = found.graph.nodes().iter().map(|node| node.name.as_str()).collect();
        assert_eq!(names, ["Tub", "inflow", "outflow", "target", "fraction"]);
        assert_eq!(found.graph.nodes()[0].kind, NodeKind::Stock);
        assert_eq!(found.graph.nodes()[3].kind, NodeKind::Mentioned);
        assert_eq!(found.graph.edges()[1].sources, [Source::Equation { span: 10..13 }]);
    }

    #[test]
    fn a_link_is_late_where_all_uses_are() {
        check(
            &["a = SMTH1(x, 3) + y", "b = DELAY1(x, 3) + x"],
            &["x + a late", "y + a", "x + b"],
            &[],
        );
        check(&["a = b", "b = 1", "b -> a late"], &["b + a late"], &[]);
        check(&["a = PREVIOUS(SELF, 1)"], &["a + a late"], &[]);
    }

    #[test]
    fn initial_values_and_tables_make_no_edges() {
        let mut model = model(&["stock S = start", "a = INIT(S) + LOOKUP(curve, x)"]);
        model
            .functions
            .push(("curve".to_owned(), crate::model::Graphical::default()));
        let found = influences(&model, None);
        assert_eq!(found.graph.edges().len(), 1);
        assert_eq!(found.graph.name(found.graph.edges()[0].from), "x");
    }

    #[test]
    fn prose_makes_no_edges_and_links_do() {
        check(
            &["a = the more the merrier, they say", "b -> a -", "a -> c"],
            &["b - a", "a ? c"],
            &[],
        );
    }

    #[test]
    fn a_declared_sign_that_contradicts_is_told_and_does_not_count() {
        let lines = [
            TUB.as_slice(),
            &["outflow -> Tub +", "Tub -> inflow +", "Tub -> outflow +"],
        ]
        .concat();
        let found = check(
            &lines,
            &TUB_EDGES,
            &[
                "The link from `outflow` to `Tub` is declared +, but it drains this stock.",
                "The link from `Tub` to `inflow` is declared +, but the equation `(target - Tub) / 5` makes it -.",
            ],
        );
        assert!(
            found
                .problems
                .iter()
                .all(|problem| problem.code == "link-polarity-contradiction")
        );
        assert_eq!(found.problems[1].pointer, "/interconnections/1");
        assert_eq!(
            found.problems[1].fix,
            "Declare the polarity -, or correct the equation or the flow's direction."
        );
        assert!(!found.graph.edges()[1].agrees() && found.graph.edges()[3].agrees());
        assert_eq!(found.graph.edges()[3].sources.len(), 2);
    }

    #[test]
    fn two_declared_signs_of_one_link_are_told() {
        check(
            &["a -> b +", "a -> b -"],
            &["a ? b"],
            &["The link from `a` to `b` is declared both + and -."],
        );
    }

    #[test]
    fn a_declared_sign_counts_where_none_can_be_computed() {
        check(&["a = SIN(x)", "x -> a -"], &["x - a"], &[]);
        check(&["a = SIN(x)"], &["x ? a"], &[]);
    }

    #[test]
    fn a_link_that_stands_for_a_path_makes_no_edge() {
        let lines = [
            TUB.as_slice(),
            &[
                "stock Sewer = 0 + outflow",
                "Tub -> Sewer + late",
                "fraction -> Sewer -",
            ],
        ]
        .concat();
        let found = check(
            &lines,
            &[TUB_EDGES.as_slice(), &["outflow + Sewer late"]].concat(),
            &[
                "The link from `fraction` to `Sewer` is declared -, but the path `fraction` -> `outflow` -> `Sewer` gives +.",
            ],
        );
        assert_eq!(found.links[0], Reading::Path { through: vec![2] });
    }

    #[test]
    fn a_link_that_is_a_flow_of_material_makes_no_edge() {
        let found = check(
            &["stock A = 5 - move", "stock B = 0 + move", "flow move = 1", "A -> B"],
            &["move - A", "move + B"],
            &[],
        );
        assert_eq!(found.links, [Reading::Material { flow: 2 }]);
    }

    #[test]
    fn links_that_there_is_no_budget_for_are_told_and_not_accused() {
        // Each aux leads to all before it, so that a search for the stock looks at all of them.
        let lines: Vec<String> = (0..2_000)
            .map(|i| format!("a{i} = a{}", i + 1))
            .chain(["stock S = 0 + f".to_owned(), "flow f = a0".to_owned()])
            .chain((1..2_000).map(|i| format!("a{i} -> S +")))
            .collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let found = influences(&model(&lines), None);
        let codes: Vec<_> = found.problems.iter().map(|problem| problem.code).collect();
        assert_eq!(codes, ["links-not-checked"]);
        let paths = |reading: &&Reading| matches!(reading, Reading::Path { .. });
        let paths = found.links.iter().filter(paths).count();
        assert!((1_000..1_999).contains(&paths), "{paths}");
        let told = format!("{} declared links were not held", 1_999 - paths);
        assert!(
            found.problems[0].message.contains(&told),
            "{}",
            found.problems[0].message
        );
    }

    #[test]
    fn a_link_that_no_equation_has_is_told() {
        let found = check(
            &["stock A = 5 - out", "flow out = A", "x -> out -", "x -> A"],
            &["A + out", "out - A", "x - out", "x ? A"],
            &[
                "A link from `x` to `out` is declared, but the equation does not name it.",
                "A link from `x` to the stock `A` is declared, but no flow of it depends on that.",
            ],
        );
        assert!(found.problems.iter().all(|problem| problem.level == Level::Info));
    }
}
