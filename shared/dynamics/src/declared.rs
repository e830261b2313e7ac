//! Declared loops against the computed graph: are they closed, and of the declared class?
//!
//! A declared chain may leave out what lies between two of its names. Such a step stands for the shortest path from one
//! to the other that avoids the other names of the chain; where only a path through them closes it, the loop passes
//! them twice, which is said. Of equally short paths that one counts with which the declaration is right.

use crate::graph::{Adjacency, Graph, NodeKind, Sampled, Sign, Source};
use crate::loops::Class;
use crate::model::DeclaredLoop;
use crate::names::{self, Names, Suggestions};
use crate::problem::{Level, Problem};
use crate::routes::{Route, Router};
use serde::Serialize;
use std::fmt::Write;

/// What the graph says about a declared loop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "status", rename_all = "kebab-case")]
pub enum Outcome {
    /// It is closed and has the declared class.
    Agrees,
    /// It is closed and has the other class.
    Contradicts,
    /// It is closed, and its class cannot be told: a link has no known sign.
    Undetermined,
    /// No path leads from one name to the next.
    NotClosed {
        /// The steps without a path.
        missing: Vec<(String, String)>,
    },
    /// Names on it stand in no equation and no link.
    UnknownMembers {
        /// These names.
        names: Vec<String>,
    },
    /// It names nothing: only prose was given.
    NoMembers,
    /// The model is so large that it was not looked at.
    NotChecked,
}

/// A declared loop and what it is in the graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declared {
    /// What the graph says.
    pub outcome: Outcome,
    /// All nodes on the way, also those that the declaration leaves out; empty when it is not closed.
    pub nodes: Vec<u32>,
    /// The computed class; none when it is not closed.
    pub class: Option<Class>,
    /// Nodes on the way that the declaration leaves out.
    pub left_out: Vec<u32>,
    /// Nodes that it passes twice: then it is made of loops that share them, and not one itself.
    pub twice: Vec<u32>,
}

impl Declared {
    fn open(outcome: Outcome) -> Self {
        Self {
            outcome,
            nodes: Vec::new(),
            class: None,
            left_out: Vec::new(),
            twice: Vec::new(),
        }
    }
}

/// Edges looked at for all declared loops together; about 0.1 s.
const STEPS: u64 = 2_000_000;

/// Links named in a message.
const NAMED: usize = 12;

/// Matches each declared loop, in order, and tells what is wrong with it.
pub fn declared(graph: &Graph, loops: &[DeclaredLoop]) -> (Vec<Declared>, Vec<Problem>) {
    let names = Names::new(graph.nodes().iter().map(|node| node.name.as_str()));
    let mut matcher = Matcher {
        graph,
        router: Router::new(graph, STEPS),
        into: graph.incoming(),
        suggestions: names.suggestions(),
        names,
        avoided: vec![false; graph.nodes().len()],
    };
    let mut problems = Vec::new();
    let found = loops.iter().map(|one| matcher.check(one, &mut problems)).collect();
    (found, problems)
}

struct Matcher<'g> {
    graph: &'g Graph,
    router: Router<'g>,
    into: Adjacency,
    names: Names<'g>,
    suggestions: Suggestions<'g>,
    avoided: Vec<bool>,
}

impl Matcher<'_> {
    fn check(&mut self, declared: &DeclaredLoop, problems: &mut Vec<Problem>) -> Declared {
        let mut unknown = Vec::new();
        let mut members: Vec<u32> = Vec::new();
        for name in &declared.members {
            match self.names.find_text(name) {
                Some(node) if members.last() == Some(&(node as u32)) => {}
                Some(node) => members.push(node as u32),
                None => unknown.push(name.clone()),
            }
        }
        if !unknown.is_empty() {
            problems.extend(unknown.iter().map(|name| self.unknown_member(declared, name)));
            return Declared::open(Outcome::UnknownMembers { names: unknown });
        }
        if members.len() > 1 && members.first() == members.last() {
            members.pop();
        }
        if members.is_empty() {
            return Declared::open(Outcome::NoMembers);
        }
        let mut routes = Vec::with_capacity(members.len());
        let mut missing = Vec::new();
        for at in 0..members.len() {
            let (from, to) = (members[at], members[(at + 1) % members.len()]);
            let found = self.routes(&members, from, to);
            if self.router.is_spent() {
                return Declared::open(Outcome::NotChecked);
            }
            if found.is_empty() {
                missing.push((from, to));
            }
            routes.push(found);
        }
        if !missing.is_empty() {
            problems.push(self.not_closed(declared, &missing));
            let name = |node| self.graph.name(node).to_owned();
            return Declared::open(Outcome::NotClosed {
                missing: missing.iter().map(|&(from, to)| (name(from), name(to))).collect(),
            });
        }
        let wanted = if declared.reinforcing { Sign::Plus } else { Sign::Minus };
        let (sign, chosen) = choose(&routes, wanted);
        let mut nodes = Vec::new();
        for (&member, route) in members.iter().zip(&chosen) {
            nodes.push(member);
            nodes.extend_from_slice(&route.between);
        }
        self.avoid(&members, true, |_| true);
        let left_out = nodes
            .iter()
            .copied()
            .filter(|&node| !self.avoided[node as usize])
            .collect();
        self.avoid(&members, false, |_| true);
        let mut sorted = nodes.clone();
        sorted.sort_unstable();
        let mut twice: Vec<u32> = sorted
            .windows(2)
            .filter(|pair| pair[0] == pair[1])
            .map(|pair| pair[0])
            .collect();
        twice.dedup();
        let found = Declared {
            outcome: match sign {
                Sign::Unknown => Outcome::Undetermined,
                sign if sign == wanted => Outcome::Agrees,
                _ => Outcome::Contradicts,
            },
            nodes,
            class: Some(Class::of(sign)),
            left_out,
            twice,
        };
        match found.outcome {
            Outcome::Contradicts => problems.push(self.wrong_class(declared, &found)),
            Outcome::Undetermined => problems.push(self.undetermined(declared, &found)),
            _ => {}
        }
        found
    }

    /// The shortest paths between two members, one for each sign that such a path has; none where nothing leads there.
    fn routes(&mut self, members: &[u32], from: u32, to: u32) -> Vec<Route> {
        if let Some(edge) = self.graph.edge_between(from, to) {
            return vec![Route {
                sign: self.graph.edges()[edge as usize].sign,
                between: Vec::new(),
            }];
        }
        self.router.spend(members.len() as u64);
        self.avoid(members, true, |_| true);
        let mut found = self.router.shortest(from, to, |node| self.avoided[node as usize]);
        self.avoid(members, false, |_| true);
        if found.is_empty() {
            // Flows and auxiliaries may be passed twice, stocks may not.
            let graph = self.graph;
            self.avoid(members, true, |node| {
                graph.nodes()[node as usize].kind == NodeKind::Stock
            });
            found = self.router.shortest(from, to, |node| self.avoided[node as usize]);
            self.avoid(members, false, |_| true);
        }
        found
    }

    fn avoid(&mut self, members: &[u32], avoided: bool, which: impl Fn(u32) -> bool) {
        for &node in members.iter().filter(|&&node| which(node)) {
            self.avoided[node as usize] = avoided;
        }
    }

    fn unknown_member(&mut self, declared: &DeclaredLoop, name: &str) -> Problem {
        let fix = match self.suggestions.find(&names::name(name.to_owned())) {
            Some(meant) => format!("Did you mean `{meant}`?"),
            None => format!("Link `{name}` to the other members, or take it out of the loop."),
        };
        let message = format!(
            "{} names `{name}`, but no stock, flow, variable or link has this name.",
            title(declared)
        );
        problem(declared, "loop-member-unknown", Level::Warning, message, fix)
    }

    fn not_closed(&self, declared: &DeclaredLoop, missing: &[(u32, u32)]) -> Problem {
        let mut steps = String::new();
        for (at, &(from, to)) in missing.iter().take(NAMED).enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            let _ = write!(
                steps,
                "{comma}from `{}` to `{}`",
                self.graph.name(from),
                self.graph.name(to)
            );
        }
        if missing.len() > NAMED {
            let _ = write!(steps, " and {} more", missing.len() - NAMED);
        }
        let message = format!("{} is not closed: no path leads {steps}.", title(declared));
        let (from, to) = missing[0];
        let fix = self.closing(from, to);
        problem(declared, "loop-not-closed", Level::Warning, message, fix)
    }

    /// How a path from one node to another would come about.
    fn closing(&self, from: u32, to: u32) -> String {
        let (cause, effect) = (self.graph.name(from), self.graph.name(to));
        let flows = |kind: fn(&Source) -> bool| {
            let edges = self.into.of(to).iter().map(|&edge| &self.graph.edges()[edge as usize]);
            edges
                .filter(move |edge| edge.sources.iter().any(kind))
                .map(|edge| self.graph.name(edge.from))
        };
        let fills = flows(|source| matches!(source, Source::Inflow));
        let drains = flows(|source| matches!(source, Source::Outflow));
        let mut fix = match (self.graph.nodes()[to as usize].kind, fills.chain(drains).next()) {
            (NodeKind::Stock, Some(flow)) => {
                format!("Name `{cause}` in the rate of a flow of `{effect}`, such as `{flow}`")
            }
            (NodeKind::Stock, None) => format!("Give `{effect}` a flow whose rate names `{cause}`"),
            (NodeKind::Flow | NodeKind::Auxiliary, _) => format!("Name `{cause}` in the equation of `{effect}`"),
            (NodeKind::Mentioned, _) => format!("Add an interconnection from `{cause}` to `{effect}`"),
        };
        if self.graph.edge_between(to, from).is_some() {
            let _ = write!(fix, "; there is a link the other way, so the order may be wrong");
        }
        fix.push_str(", or correct the loop's members.");
        fix
    }

    fn wrong_class(&self, declared: &DeclaredLoop, found: &Declared) -> Problem {
        let is = class_name(!declared.reinforcing);
        let other = if declared.reinforcing { "an odd" } else { "an even" };
        let message = format!(
            "{} is declared {}, but has {other} number of minus signs and is {is}: {}.{}",
            title(declared),
            if declared.reinforcing {
                "reinforcing"
            } else {
                "balancing"
            },
            self.signs(&found.nodes),
            self.left_out(found)
        );
        let fix = format!("Declare it {is}, or correct the link whose sign is not meant so.");
        problem(declared, "loop-class-contradiction", Level::Warning, message, fix)
    }

    fn undetermined(&self, declared: &DeclaredLoop, found: &Declared) -> Problem {
        let mut unknown = Vec::new();
        let (mut in_run, mut changing) = (Sign::Plus, false);
        for (from, to) in steps(&found.nodes) {
            let Some(edge) = self.graph.edge_between(from, to) else {
                continue;
            };
            let edge = &self.graph.edges()[edge as usize];
            if edge.sign != Sign::Unknown {
                in_run = in_run.then(edge.sign);
                continue;
            }
            in_run = in_run.then(edge.sampled.map_or(Sign::Unknown, Sampled::always));
            let mut link = format!("`{}` -> `{}`", self.graph.name(from), self.graph.name(to));
            if let Some(seen) = edge.sampled.filter(|seen| seen.share < 1.0) {
                changing = true;
                let _ = write!(
                    link,
                    " (in the run {} at {:.0} % of the steps)",
                    seen.sign.symbol(),
                    100.0 * seen.share
                );
            }
            unknown.push(link);
        }
        let seen = match Class::of(in_run) {
            Class::Reinforcing => " At every step of the run it is reinforcing.",
            Class::Balancing => " At every step of the run it is balancing.",
            Class::Undetermined => "",
        };
        let message = format!(
            "Whether {} is {} cannot be told: the sign of {} {}.{seen}{}",
            title(declared),
            class_name(declared.reinforcing),
            shortened(&unknown),
            if changing { "changes" } else { "is not known" },
            self.left_out(found)
        );
        let fix = if changing {
            "Give each of the two effects a variable of its own, so that each has one sign."
        } else {
            "Declare the polarity of this link, or give the model values and a simulation."
        };
        problem(declared, "loop-undetermined", Level::Info, message, fix.to_owned())
    }

    /// The links of a closed way with their signs.
    fn signs(&self, nodes: &[u32]) -> String {
        let links: Vec<String> = steps(nodes)
            .filter_map(|(from, to)| {
                let edge = &self.graph.edges()[self.graph.edge_between(from, to)? as usize];
                let (from, to) = (self.graph.name(from), self.graph.name(to));
                Some(format!("`{from}` -> `{to}` ({})", edge.sign.symbol()))
            })
            .collect();
        shortened(&links)
    }

    fn left_out(&self, found: &Declared) -> String {
        if found.left_out.is_empty() {
            return String::new();
        }
        let names: Vec<String> = found
            .left_out
            .iter()
            .map(|&node| format!("`{}`", self.graph.name(node)))
            .collect();
        format!(" The declaration leaves out {}.", shortened(&names))
    }
}

/// The steps of a closed way.
pub(crate) fn steps(nodes: &[u32]) -> impl Iterator<Item = (u32, u32)> {
    (0..nodes.len()).map(|at| (nodes[at], nodes[(at + 1) % nodes.len()]))
}

/// One route for each step, so that the product of signs is the one wanted, else not known, else the other.
fn choose(steps: &[Vec<Route>], wanted: Sign) -> (Sign, Vec<&Route>) {
    // For each product of the signs so far, the route taken last and the product before it.
    let mut ways: Vec<[Option<(usize, Sign)>; 3]> = Vec::with_capacity(steps.len());
    for routes in steps {
        let before: Vec<Sign> = match ways.last() {
            None => vec![Sign::Plus],
            Some(last) => [Sign::Plus, Sign::Minus, Sign::Unknown]
                .into_iter()
                .filter(|&sign| last[sign as usize].is_some())
                .collect(),
        };
        let mut next = [None; 3];
        for sign in before {
            for (at, route) in routes.iter().enumerate() {
                next[sign.then(route.sign) as usize].get_or_insert((at, sign));
            }
        }
        ways.push(next);
    }
    let product = [wanted, Sign::Unknown, wanted.flipped()]
        .into_iter()
        .find(|&sign| ways.last().is_some_and(|last| last[sign as usize].is_some()))
        .unwrap_or_default();
    let mut chosen = Vec::with_capacity(steps.len());
    let mut sign = product;
    for (routes, way) in steps.iter().zip(&ways).rev() {
        if let Some((at, before)) = way[sign as usize] {
            chosen.push(&routes[at]);
            sign = before;
        }
    }
    chosen.reverse();
    (product, chosen)
}

fn class_name(reinforcing: bool) -> &'static str {
    if reinforcing { "reinforcing" } else { "balancing" }
}

fn title(declared: &DeclaredLoop) -> String {
    match declared.name.trim() {
        "" => "the loop without a name".to_owned(),
        name => format!("the loop `{name}`"),
    }
}

fn shortened(list: &[String]) -> String {
    let mut text = list[..list.len().min(NAMED)].join(", ");
    if list.len() > NAMED {
        let _ = write!(text, " and {} more", list.len() - NAMED);
    }
    text
}

fn problem(declared: &DeclaredLoop, code: &'static str, level: Level, message: String, fix: String) -> Problem {
    let mut letters = message.chars();
    let message = letters
        .next()
        .map_or(String::new(), |first| first.to_uppercase().chain(letters).collect());
    Problem::of_model(code, level, message, fix).pointing(&declared.pointer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Node;
    use proptest::prelude::*;

    /// Nodes from the links `from sign to`, such as `a + b`; names that begin with a capital are stocks.
    fn graph(links: &[&str]) -> Graph {
        let mut graph = Graph::default();
        for link in links {
            let parts: Vec<&str> = link.split(' ').collect();
            let ends = [parts[0], parts[2]].map(|name| {
                let known = graph.nodes().iter().position(|node| node.name == name);
                known.map_or_else(
                    || {
                        graph.add_node(Node {
                            name: name.to_owned(),
                            kind: if name.starts_with(char::is_uppercase) {
                                NodeKind::Stock
                            } else {
                                NodeKind::Auxiliary
                            },
                            pointer: String::new(),
                        })
                    },
                    |at| at as u32,
                )
            });
            let edge = graph.edge_or_new(ends[0], ends[1]);
            edge.sign = match parts[1] {
                "+" => Sign::Plus,
                "-" => Sign::Minus,
                _ => Sign::Unknown,
            };
        }
        graph
    }

    fn chain(reinforcing: bool, members: &str) -> DeclaredLoop {
        DeclaredLoop {
            name: "Test".to_owned(),
            reinforcing,
            members: members.split_whitespace().map(str::to_owned).collect(),
            pointer: "/loops/balancing/0".to_owned(),
        }
    }

    #[track_caller]
    fn check(links: &[&str], reinforcing: bool, members: &str) -> (Declared, Vec<Problem>, String) {
        let graph = graph(links);
        let (mut found, problems) = declared(&graph, &[chain(reinforcing, members)]);
        let found = found.pop().unwrap();
        let way: Vec<&str> = found.nodes.iter().map(|&node| graph.name(node)).collect();
        let way = way.join(" ");
        assert!(problems.iter().all(|problem| problem.pointer == "/loops/balancing/0"));
        (found, problems, way)
    }

    const TUB: [&str; 4] = ["Tub - inflow", "inflow + Tub", "Tub + outflow", "outflow - Tub"];

    #[test]
    fn a_loop_of_the_declared_class_agrees() {
        for members in ["Tub inflow", "Tub inflow Tub", "inflow Tub", "tub INFLOW tub"] {
            let (found, problems, _) = check(&TUB, false, members);
            assert_eq!(found.outcome, Outcome::Agrees, "{members}");
            assert_eq!(found.class, Some(Class::Balancing));
            assert_eq!(problems, []);
        }
    }

    #[test]
    fn a_loop_of_the_other_class_contradicts_and_its_signs_are_named() {
        let (found, problems, _) = check(&TUB, true, "Tub inflow");
        assert_eq!(found.outcome, Outcome::Contradicts);
        assert_eq!(problems[0].code, "loop-class-contradiction");
        assert_eq!(
            problems[0].message,
            "The loop `Test` is declared reinforcing, but has an odd number of minus signs and is balancing: \
             `Tub` -> `inflow` (-), `inflow` -> `Tub` (+)."
        );
    }

    #[test]
    fn a_step_may_leave_out_what_lies_between() {
        let links = ["A + fraction", "fraction + rate", "rate + B", "B + back", "back - A"];
        let (found, problems, way) = check(&links, false, "A B");
        assert_eq!(found.outcome, Outcome::Agrees);
        assert_eq!(way, "A fraction rate B back");
        assert_eq!(found.left_out.len(), 3);
        assert_eq!((found.twice.len(), problems.len()), (0, 0));
    }

    #[test]
    fn of_equally_short_ways_the_declared_one_counts() {
        let links = ["A + up", "A - down", "up + B", "down + B", "B + A"];
        for (reinforcing, way) in [(true, "A up B"), (false, "A down B")] {
            let (found, _, told) = check(&links, reinforcing, "A B");
            assert_eq!((found.outcome, told.as_str()), (Outcome::Agrees, way));
        }
    }

    #[test]
    fn the_way_avoids_the_other_members_where_it_can() {
        let links = ["A + x", "x + B", "B + A", "A + y", "y + z", "z + B", "x + C", "C + A"];
        let (found, _, way) = check(&links, true, "A B A x C");
        assert_eq!((found.outcome, way.as_str()), (Outcome::Agrees, "A y z B A x C"));
    }

    #[test]
    fn a_loop_that_passes_a_flow_twice_says_so() {
        // Hares and lynx meet in one flow, which is on the way there and on the way back.
        let links = [
            "Hares + eaten",
            "eaten - Hares",
            "eaten + births",
            "births + Lynx",
            "Lynx + eaten",
        ];
        let (found, problems, way) = check(&links, false, "Hares births Lynx eaten Hares");
        assert_eq!((found.outcome, problems.len()), (Outcome::Agrees, 0));
        assert_eq!(way, "Hares eaten births Lynx eaten");
        assert_eq!((found.twice, found.left_out), (vec![1], vec![]));
    }

    #[test]
    fn a_missing_link_is_named_with_what_would_close_it() {
        let (found, problems, _) = check(&["A + rate", "rate + B"], true, "A rate B");
        let missing = vec![("B".to_owned(), "A".to_owned())];
        assert_eq!(found.outcome, Outcome::NotClosed { missing });
        assert_eq!(problems[0].code, "loop-not-closed");
        assert_eq!(
            problems[0].message,
            "The loop `Test` is not closed: no path leads from `B` to `A`."
        );
        assert_eq!(
            problems[0].fix,
            "Give `A` a flow whose rate names `B`, or correct the loop's members."
        );
        let (_, problems, _) = check(&["A + rate", "rate + A", "A + other"], true, "other rate A");
        assert!(problems[0].message.contains("from `other` to `rate`"));
        assert!(problems[0].fix.contains("Name `other` in the equation of `rate`"));
        let (_, problems, _) = check(&["A + rate", "rate + A", "rate + b", "b + c"], true, "c b");
        assert!(problems[0].fix.contains("the other way"), "{}", problems[0].fix);
    }

    #[test]
    fn a_flow_of_the_stock_is_proposed() {
        let mut graph = graph(&["B + x", "flow + A"]);
        graph.edge_or_new(2, 3).sources.push(Source::Inflow);
        let (_, problems) = declared(&graph, &[chain(true, "B A")]);
        assert!(
            problems[0]
                .fix
                .starts_with("Name `B` in the rate of a flow of `A`, such as `flow`")
        );
    }

    #[test]
    fn a_name_that_nothing_has_is_told_with_what_was_meant() {
        let (found, problems, _) = check(&TUB, true, "Tub inflwo");
        assert_eq!(
            found.outcome,
            Outcome::UnknownMembers {
                names: vec!["inflwo".to_owned()]
            }
        );
        assert_eq!(problems[0].fix, "Did you mean `inflow`?");
        assert_eq!(check(&TUB, true, "").0.outcome, Outcome::NoMembers);
    }

    #[test]
    fn a_link_of_unknown_sign_is_blamed() {
        let (found, problems, _) = check(&["A ? rate", "rate + A"], true, "A rate");
        assert_eq!(
            (found.outcome, found.class),
            (Outcome::Undetermined, Some(Class::Undetermined))
        );
        assert_eq!(
            (problems[0].code, problems[0].level),
            ("loop-undetermined", Level::Info)
        );
        assert!(problems[0].message.contains("the sign of `A` -> `rate` is not known."));
    }

    #[test]
    fn a_single_name_is_a_loop_through_it() {
        let (found, _, way) = check(&TUB, false, "Tub");
        assert_eq!((found.outcome, way.as_str()), (Outcome::Agrees, "Tub inflow"));
        let (found, _, _) = check(&["A + b"], false, "A");
        assert!(matches!(found.outcome, Outcome::NotClosed { .. }));
    }

    proptest! {
        #[test]
        fn every_computed_loop_is_matched_with_its_class(
            edges in prop::collection::vec((0_u32..6, 0_u32..6, 0_u8..3), 0..18),
        ) {
            let sign = |code| [Sign::Plus, Sign::Minus, Sign::Unknown][usize::from(code)];
            let graph = Graph::bare(6, edges.iter().map(|&(a, b, code)| (a, b, sign(code))));
            let all = crate::loops::loops(&graph, &crate::loops::Limits::default());
            for one in all.iter() {
                for reinforcing in [true, false] {
                    let members: Vec<&str> = one.nodes.iter().map(|&node| graph.name(node)).collect();
                    let (found, problems) = declared(&graph, &[chain(reinforcing, &members.join(" "))]);
                    let outcome = match one.class {
                        Class::Undetermined => Outcome::Undetermined,
                        class if (class == Class::Reinforcing) == reinforcing => Outcome::Agrees,
                        _ => Outcome::Contradicts,
                    };
                    prop_assert_eq!(&found[0].outcome, &outcome);
                    prop_assert_eq!(found[0].class, Some(one.class));
                    prop_assert_eq!(&found[0].nodes, one.nodes);
                    prop_assert_eq!(problems.is_empty(), outcome == Outcome::Agrees);
                }
            }
        }

        #[test]
        fn a_loop_is_open_only_where_nothing_leads_on(
            edges in prop::collection::vec((0_u32..6, 0_u32..6), 0..14),
            members in prop::collection::vec(0_u32..6, 2..4),
        ) {
            let graph = Graph::bare(6, edges.iter().map(|&(a, b)| (a, b, Sign::Plus)));
            let names: Vec<String> = members.iter().map(u32::to_string).collect();
            let (found, _) = declared(&graph, &[chain(true, &names.join(" "))]);
            match &found[0].outcome {
                Outcome::NotClosed { missing } => {
                    let mut router = Router::new(&graph, 1_000);
                    for (from, to) in missing {
                        // No node is a stock here, so that all may be passed.
                        let (from, to) = (from.parse().unwrap(), to.parse().unwrap());
                        prop_assert_eq!(router.any(from, to, |_| false), []);
                    }
                }
                outcome => {
                    prop_assert_eq!(outcome, &Outcome::Agrees);
                    for (from, to) in steps(&found[0].nodes) {
                        prop_assert!(graph.edge_between(from, to).is_some());
                    }
                }
            }
        }
    }

    #[test]
    fn very_many_loops_end_within_the_budget() {
        let n = 3_000;
        let links: Vec<_> = (0..n - 1).map(|i| (i, i + 1, Sign::Plus)).collect();
        let graph = Graph::bare(n, links);
        let loops = vec![chain(true, "0 2999"); 5_000];
        let (found, problems) = declared(&graph, &loops);
        assert!(matches!(found[0].outcome, Outcome::NotClosed { .. }));
        assert_eq!(found[4_999].outcome, Outcome::NotChecked);
        assert!(problems.len() < 5_000);
    }
}
