//! Shortest paths between two nodes, one for each sign that such a path has.

use crate::graph::{Adjacency, Graph, Sign};

/// A path: its sign and the nodes between its ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Route {
    /// The product of its signs.
    pub(crate) sign: Sign,
    /// The nodes between its ends, in order.
    pub(crate) between: Vec<u32>,
}

/// Finds paths in a graph until a budget of edges looked at is spent.
#[derive(Debug)]
pub(crate) struct Router<'g> {
    graph: &'g Graph,
    out: Adjacency,
    /// For each node and sign of the path to it, whether it was met.
    seen: Vec<bool>,
    /// The nodes and signs that were met, in order, with the place of what comes before; the start has none.
    met: Vec<(u32, Sign, Option<u32>)>,
    steps: u64,
}

impl<'g> Router<'g> {
    /// A router that looks at so many edges.
    pub(crate) fn new(graph: &'g Graph, steps: u64) -> Self {
        Self {
            graph,
            out: graph.outgoing(),
            seen: vec![false; graph.nodes().len() * 3],
            met: Vec::new(),
            steps,
        }
    }

    /// True when the budget is spent: answers are no longer complete.
    pub(crate) fn is_spent(&self) -> bool {
        self.steps == 0
    }

    /// Takes from the budget.
    pub(crate) fn spend(&mut self, steps: u64) {
        self.steps = self.steps.saturating_sub(steps);
    }

    /// The shortest paths, all of one length and each with another sign; none where nothing leads there. No node
    /// between the ends is avoided, or an end.
    pub(crate) fn shortest(&mut self, from: u32, to: u32, avoided: impl Fn(u32) -> bool) -> Vec<Route> {
        self.search(from, to, avoided, true)
    }

    /// Paths of any length, one for each sign.
    pub(crate) fn any(&mut self, from: u32, to: u32, avoided: impl Fn(u32) -> bool) -> Vec<Route> {
        self.search(from, to, avoided, false)
    }

    /// Breadth first over nodes and signs.
    fn search(&mut self, from: u32, to: u32, avoided: impl Fn(u32) -> bool, shortest: bool) -> Vec<Route> {
        let mut found: Vec<Route> = Vec::new();
        self.met.push((from, Sign::Plus, None));
        let (mut at, mut level_end) = (0, 1);
        while at < self.met.len() && !self.is_spent() {
            if at == level_end {
                if shortest && !found.is_empty() {
                    break;
                }
                level_end = self.met.len();
            }
            let (node, so_far, _) = self.met[at];
            for &edge in self.out.of(node) {
                self.steps = self.steps.saturating_sub(1);
                let edge = &self.graph.edges()[edge as usize];
                let sign = so_far.then(edge.sign);
                if edge.to == to {
                    if found.iter().all(|route| route.sign != sign) {
                        found.push(Route {
                            sign,
                            between: self.way_to(at),
                        });
                    }
                } else if edge.to != from && !avoided(edge.to) {
                    let seen = &mut self.seen[edge.to as usize * 3 + sign as usize];
                    if !std::mem::replace(seen, true) {
                        self.met.push((edge.to, sign, Some(at as u32)));
                    }
                }
            }
            at += 1;
        }
        for (node, sign, _) in self.met.drain(..) {
            self.seen[node as usize * 3 + sign as usize] = false;
        }
        found
    }

    /// The nodes after the start up to this place of `met`.
    fn way_to(&self, mut at: usize) -> Vec<u32> {
        let mut nodes = Vec::new();
        while let (node, _, Some(before)) = self.met[at] {
            nodes.push(node);
            at = before as usize;
        }
        nodes.reverse();
        nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Sign::{Minus, Plus, Unknown};

    #[track_caller]
    fn check(edges: &[(u32, u32, Sign)], shortest: &[(Sign, &[u32])], any: &[(Sign, &[u32])]) {
        let graph = Graph::bare(8, edges.iter().copied());
        let mut router = Router::new(&graph, 1_000);
        let pairs = |routes: Vec<Route>| -> Vec<(Sign, Vec<u32>)> {
            routes.into_iter().map(|route| (route.sign, route.between)).collect()
        };
        let owned = |routes: &[(Sign, &[u32])]| -> Vec<(Sign, Vec<u32>)> {
            routes.iter().map(|&(sign, between)| (sign, between.to_vec())).collect()
        };
        assert_eq!(pairs(router.shortest(0, 1, |node| node == 7)), owned(shortest));
        assert_eq!(pairs(router.any(0, 1, |node| node == 7)), owned(any));
    }

    #[test]
    fn there_is_one_path_for_each_sign() {
        check(&[], &[], &[]);
        check(&[(0, 1, Minus)], &[(Minus, &[])], &[(Minus, &[])]);
        check(
            &[
                (0, 2, Plus),
                (0, 3, Minus),
                (2, 1, Plus),
                (3, 1, Plus),
                (3, 4, Plus),
                (4, 1, Minus),
            ],
            &[(Plus, &[2]), (Minus, &[3])],
            &[(Plus, &[2]), (Minus, &[3])],
        );
        check(
            &[
                (0, 2, Plus),
                (2, 1, Plus),
                (2, 3, Minus),
                (3, 1, Plus),
                (3, 4, Unknown),
                (4, 1, Plus),
            ],
            &[(Plus, &[2])],
            &[(Plus, &[2]), (Minus, &[2, 3]), (Unknown, &[2, 3, 4])],
        );
    }

    #[test]
    fn what_is_avoided_is_not_passed() {
        check(&[(0, 7, Plus), (7, 1, Plus)], &[], &[]);
    }

    #[test]
    fn a_path_may_lead_back_to_its_start() {
        let graph = Graph::bare(3, [(0, 1, Minus), (1, 2, Plus), (2, 0, Plus)]);
        let routes = Router::new(&graph, 1_000).shortest(0, 0, |_| false);
        assert_eq!(
            (routes[0].sign, routes[0].between.as_slice()),
            (Minus, [1, 2].as_slice())
        );
        let mut tired = Router::new(&graph, 1);
        assert_eq!(tired.shortest(0, 0, |_| false), []);
        assert!(tired.is_spent());
    }
}
