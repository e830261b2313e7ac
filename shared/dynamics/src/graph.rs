//! One signed, delayed digraph: who acts on whom, with which sign, and how that is known.
//!
//! This file holds the graph itself; [`crate::influence`] makes it from a model. Order is the order in which nodes and
//! edges were added, which for a model is the order of the document, so that every answer is repeatable.

use crate::ast::Span;
use crate::polarity::Basis;
use foldhash::fast::RandomState;
use serde::{Serialize, Serializer};
use std::collections::HashMap;

/// The sign of an effect, other things equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Sign {
    /// More of the cause makes more of the effect.
    Plus,
    /// More of the cause makes less of the effect.
    Minus,
    /// Not known, or not always the same.
    #[default]
    Unknown,
}

impl Sign {
    /// The sign of a declared polarity, `+1` or `-1`.
    pub fn declared(polarity: i8) -> Self {
        match polarity.signum() {
            1 => Self::Plus,
            -1 => Self::Minus,
            _ => Self::Unknown,
        }
    }

    /// `+`, `-` or `?`.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Plus => "+",
            Self::Minus => "-",
            Self::Unknown => "?",
        }
    }

    /// The sign of an effect of an effect.
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        match (self, next) {
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            (a, b) if a == b => Self::Plus,
            _ => Self::Minus,
        }
    }

    /// The other sign.
    #[must_use]
    pub fn flipped(self) -> Self {
        Self::Minus.then(self)
    }
}

impl Serialize for Sign {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.symbol())
    }
}

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum NodeKind {
    /// An accumulation.
    Stock,
    /// A rate that fills or drains stocks.
    Flow,
    /// Computed from others, or a constant.
    Auxiliary,
    /// Known by its name only, from an equation or a declared link.
    #[default]
    Mentioned,
}

/// Something that acts or is acted upon.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: NodeKind,
    /// Where it stands in our document; empty where it stands in none.
    pub pointer: String,
}

/// How an edge is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The effect's equation names the cause at this place.
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
        /// Its place in the model's list of links.
        link: u32,
    },
}

/// The sign of an effect at the steps of one run: seen, not proven.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Sampled {
    /// The sign that it mostly has.
    pub sign: Sign,
    /// The share of the steps with any effect that had this sign: 1 when all had.
    pub share: f64,
}

impl Sampled {
    /// The sign where it was the same at all steps.
    pub fn always(self) -> Sign {
        if self.share < 1.0 { Sign::Unknown } else { self.sign }
    }
}

/// The effect of one node on another. There is at most one edge from a node to another.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Edge {
    /// Index of the cause.
    pub from: u32,
    /// Index of the effect.
    pub to: u32,
    /// The sign that loops are made of: the computed one where it is known, else the declared one.
    pub sign: Sign,
    /// True when the effect comes late: declared so, or the cause stands in the input of a delay only.
    pub delay: bool,
    /// The sign computed from equations and flows; none where only declared.
    pub computed: Option<Sign>,
    /// What the computed sign rests on; none where it is not known or needs nothing.
    pub basis: Option<Basis>,
    /// The sign of the equation in a run, where it could not be computed.
    pub sampled: Option<Sampled>,
    /// The declared sign; none where none was declared.
    pub declared: Option<Sign>,
    /// How the edge is known, in the order of the document.
    pub sources: Vec<Source>,
}

impl Edge {
    /// False when a declared sign contradicts the computed one.
    pub fn agrees(&self) -> bool {
        match (self.computed, self.declared) {
            (Some(Sign::Unknown) | None, _) | (_, Some(Sign::Unknown) | None) => true,
            (computed, declared) => computed == declared,
        }
    }
}

/// One signed, delayed digraph.
#[derive(Debug, Clone, Default)]
pub struct Graph {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    by_ends: HashMap<(u32, u32), u32, RandomState>,
}

impl Graph {
    /// A graph of `nodes` nodes that are called by their numbers, with these edges; of equal edges the first counts.
    ///
    /// Edges beyond the nodes are left out.
    pub fn bare(nodes: u32, edges: impl IntoIterator<Item = (u32, u32, Sign)>) -> Self {
        let mut graph = Self::default();
        for name in 0..nodes {
            graph.add_node(Node {
                name: name.to_string(),
                ..Node::default()
            });
        }
        for (from, to, sign) in edges {
            if from < nodes && to < nodes && graph.edge_between(from, to).is_none() {
                graph.edge_or_new(from, to).sign = sign;
            }
        }
        graph
    }

    /// Appends a node and gives its index.
    pub fn add_node(&mut self, node: Node) -> u32 {
        self.nodes.push(node);
        (self.nodes.len() - 1) as u32
    }

    /// The edge between two nodes, made when there is none.
    pub fn edge_or_new(&mut self, from: u32, to: u32) -> &mut Edge {
        let next = self.edges.len() as u32;
        let at = *self.by_ends.entry((from, to)).or_insert(next);
        if at == next {
            self.edges.push(Edge {
                from,
                to,
                ..Edge::default()
            });
        }
        &mut self.edges[at as usize]
    }

    /// All nodes.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// All edges.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// All edges, to be changed; their ends must stay.
    pub(crate) fn edges_mut(&mut self) -> &mut [Edge] {
        &mut self.edges
    }

    /// Index of the edge between two nodes.
    pub fn edge_between(&self, from: u32, to: u32) -> Option<u32> {
        self.by_ends.get(&(from, to)).copied()
    }

    /// A node's name.
    pub fn name(&self, node: u32) -> &str {
        &self.nodes[node as usize].name
    }

    /// The indices of the edges that leave each node.
    pub fn outgoing(&self) -> Adjacency {
        Adjacency::new(self.nodes.len(), self.edges.iter().map(|edge| edge.from))
    }

    /// The indices of the edges that reach each node.
    pub fn incoming(&self) -> Adjacency {
        Adjacency::new(self.nodes.len(), self.edges.iter().map(|edge| edge.to))
    }
}

/// For each node the indices of its edges, ascending, in one piece of memory.
#[derive(Debug, Clone)]
pub struct Adjacency {
    starts: Vec<u32>,
    edges: Vec<u32>,
}

impl Adjacency {
    /// Groups the edges by the node that `ends` gives for each.
    pub(crate) fn new(nodes: usize, ends: impl Iterator<Item = u32> + Clone) -> Self {
        let mut starts = vec![0; nodes + 1];
        for end in ends.clone() {
            starts[end as usize + 1] += 1;
        }
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let mut edges = vec![0; starts[nodes] as usize];
        for (edge, end) in ends.enumerate() {
            let place = &mut next[end as usize];
            edges[*place as usize] = edge as u32;
            *place += 1;
        }
        Self { starts, edges }
    }

    /// The edges of a node.
    pub fn of(&self, node: u32) -> &[u32] {
        &self.edges[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_multiply() {
        use Sign::{Minus, Plus, Unknown};
        for (a, b, product) in [
            (Plus, Plus, Plus),
            (Plus, Minus, Minus),
            (Minus, Minus, Plus),
            (Unknown, Plus, Unknown),
            (Minus, Unknown, Unknown),
        ] {
            assert_eq!(a.then(b), product);
            assert_eq!(b.then(a), product);
        }
        assert_eq!(Unknown.flipped(), Unknown);
        assert_eq!(Plus.flipped(), Minus);
    }

    #[test]
    fn a_bare_graph_keeps_order_and_drops_what_cannot_be() {
        let graph = Graph::bare(
            3,
            [
                (2, 0, Sign::Minus),
                (0, 1, Sign::Plus),
                (2, 0, Sign::Plus),
                (0, 9, Sign::Plus),
                (0, 2, Sign::Plus),
            ],
        );
        let ends: Vec<_> = graph.edges().iter().map(|edge| (edge.from, edge.to)).collect();
        assert_eq!(ends, [(2, 0), (0, 1), (0, 2)]);
        assert_eq!(graph.edges()[0].sign, Sign::Minus);
        assert_eq!(graph.outgoing().of(0), [1, 2]);
        assert_eq!(graph.incoming().of(0), [0]);
        assert_eq!(graph.edge_between(0, 2), Some(2));
        assert_eq!(graph.edge_between(1, 2), None);
    }
}
