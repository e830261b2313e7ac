//! The part of a graph that can lie on a loop: its strongly connected components.

use crate::graph::{Adjacency, Graph, NodeKind, Sign};

/// What an arc adds to the tag of a path: bit 0 turns with each minus, the others stay once set.
pub(crate) mod tag {
    /// An odd number of minus signs.
    pub(crate) const MINUS: u8 = 1;
    /// A sign that is not known.
    pub(crate) const UNKNOWN: u8 = 2;
    /// A delayed link.
    pub(crate) const DELAY: u8 = 4;
    /// A stock.
    pub(crate) const STOCK: u8 = 8;

    /// The tag of a path and one arc more.
    pub(crate) fn join(path: u8, arc: u8) -> u8 {
        (path | (arc & !MINUS)) ^ (arc & MINUS)
    }
}

/// An edge inside a component.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arc {
    /// The node it leaves.
    pub(crate) from: u32,
    /// The node it reaches.
    pub(crate) to: u32,
    /// Its sign and delay, and whether it leaves a stock; see [`tag`].
    pub(crate) tag: u8,
}

/// The components that hold a loop, with the edges inside them. Nodes are renumbered without gaps, order kept.
#[derive(Debug)]
pub(crate) struct Cyclic {
    /// The index that each node has in the graph, ascending.
    pub(crate) nodes: Vec<u32>,
    /// How many components there are.
    pub(crate) components: usize,
    /// All arcs by (from, to).
    pub(crate) arcs: Vec<Arc>,
    /// The arcs that leave each node, ascending by the node they reach.
    pub(crate) out: Adjacency,
    /// The arcs that reach each node.
    pub(crate) into: Adjacency,
}

impl Cyclic {
    /// The cyclic part of a graph, in linear time (and that of sorting the arcs).
    pub(crate) fn new(graph: &Graph) -> Self {
        let component = strong_components(graph);
        let mut sizes = vec![0_u32; graph.nodes().len()];
        for &of in &component {
            sizes[of as usize] += 1;
        }
        let mut holds_loop: Vec<bool> = sizes.iter().map(|&size| size > 1).collect();
        for edge in graph.edges().iter().filter(|edge| edge.from == edge.to) {
            holds_loop[component[edge.from as usize] as usize] = true;
        }
        let nodes: Vec<u32> = (0..graph.nodes().len() as u32)
            .filter(|&node| holds_loop[component[node as usize] as usize])
            .collect();
        let mut number = vec![0; graph.nodes().len()];
        for (at, &node) in nodes.iter().enumerate() {
            number[node as usize] = at as u32;
        }
        let mut arcs: Vec<Arc> = graph
            .edges()
            .iter()
            .filter(|edge| component[edge.from as usize] == component[edge.to as usize])
            .map(|edge| Arc {
                from: number[edge.from as usize],
                to: number[edge.to as usize],
                tag: match edge.sign {
                    Sign::Plus => 0,
                    Sign::Minus => tag::MINUS,
                    Sign::Unknown => tag::UNKNOWN,
                } | if edge.delay { tag::DELAY } else { 0 }
                    | if graph.nodes()[edge.from as usize].kind == NodeKind::Stock {
                        tag::STOCK
                    } else {
                        0
                    },
            })
            .collect();
        arcs.sort_unstable_by_key(|arc| (arc.from, arc.to));
        Self {
            components: holds_loop.iter().filter(|&&holds| holds).count(),
            out: Adjacency::new(nodes.len(), arcs.iter().map(|arc| arc.from)),
            into: Adjacency::new(nodes.len(), arcs.iter().map(|arc| arc.to)),
            nodes,
            arcs,
        }
    }

    /// The arc between two nodes.
    pub(crate) fn arc_between(&self, from: u32, to: u32) -> Option<u32> {
        let leaving = self.out.of(from);
        let at = leaving.binary_search_by_key(&to, |&arc| self.arcs[arc as usize].to);
        at.ok().map(|at| leaving[at])
    }
}

/// The strongly connected component of each node, by Tarjan's algorithm without recursion.
fn strong_components(graph: &Graph) -> Vec<u32> {
    const NEW: u32 = u32::MAX;
    let out = graph.outgoing();
    let n = graph.nodes().len();
    let mut component = vec![NEW; n];
    let mut order = vec![NEW; n];
    let mut low = vec![0; n];
    let mut open: Vec<u32> = Vec::new();
    // A node and how many of its edges were followed.
    let mut path: Vec<(u32, usize)> = Vec::new();
    let (mut met, mut components) = (0, 0);
    for root in 0..n as u32 {
        if order[root as usize] != NEW {
            continue;
        }
        path.push((root, 0));
        while let Some((node, followed)) = path.last_mut() {
            let v = *node as usize;
            if *followed == 0 {
                order[v] = met;
                low[v] = met;
                met += 1;
                open.push(*node);
            }
            if let Some(&edge) = out.of(*node).get(*followed) {
                *followed += 1;
                let next = graph.edges()[edge as usize].to;
                let w = next as usize;
                if order[w] == NEW {
                    path.push((next, 0));
                } else if component[w] == NEW {
                    low[v] = low[v].min(order[w]);
                }
                continue;
            }
            if low[v] == order[v] {
                while let Some(member) = open.pop() {
                    component[member as usize] = components;
                    if member as usize == v {
                        break;
                    }
                }
                components += 1;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent as usize] = low[parent as usize].min(low[v]);
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cyclic(nodes: u32, edges: &[(u32, u32)]) -> Cyclic {
        Cyclic::new(&Graph::bare(nodes, edges.iter().map(|&(a, b)| (a, b, Sign::Plus))))
    }

    #[test]
    fn only_components_with_a_loop_stay() {
        let part = cyclic(
            7,
            &[(0, 1), (1, 2), (2, 1), (2, 3), (3, 3), (4, 5), (5, 6), (6, 4), (0, 6)],
        );
        assert_eq!(part.nodes, [1, 2, 3, 4, 5, 6]);
        assert_eq!(part.components, 3);
        let arcs: Vec<_> = part.arcs.iter().map(|arc| (arc.from, arc.to)).collect();
        assert_eq!(arcs, [(0, 1), (1, 0), (2, 2), (3, 4), (4, 5), (5, 3)]);
    }

    #[test]
    fn a_long_chain_overflows_no_stack() {
        let n = 200_000;
        let chain: Vec<_> = (0..n - 1).map(|i| (i, i + 1)).collect();
        assert_eq!(cyclic(n, &chain).components, 0);
        let ring: Vec<_> = (0..n).map(|i| (i, (i + 1) % n)).collect();
        assert_eq!(cyclic(n, &ring).components, 1);
    }

    proptest! {
        #[test]
        fn nodes_share_a_component_when_each_reaches_the_other(
            edges in prop::collection::vec((0_u32..8, 0_u32..8), 0..24),
        ) {
            let graph = Graph::bare(8, edges.iter().map(|&(a, b)| (a, b, Sign::Plus)));
            let mut reach = [[false; 8]; 8];
            for (v, row) in reach.iter_mut().enumerate() {
                row[v] = true;
            }
            for &(a, b) in &edges {
                reach[a as usize][b as usize] = true;
            }
            for k in 0..8 {
                for a in 0..8 {
                    for b in 0..8 {
                        reach[a][b] |= reach[a][k] && reach[k][b];
                    }
                }
            }
            let component = strong_components(&graph);
            for a in 0..8 {
                for b in 0..8 {
                    prop_assert_eq!(component[a] == component[b], reach[a][b] && reach[b][a]);
                }
            }
        }
    }
}
