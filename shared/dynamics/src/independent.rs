//! The shortest independent loop set: few short loops that use every link of a component.
//!
//! Oliva 2004 (System Dynamics Review 20(4)), Huang, Howley and Duggan 2012 (28(3):276-280). Loops are taken shortest
//! first while they bring a link that no loop before had, so no loop of the set is a combination of others. A set has
//! at most `edges - nodes + 1` loops a component. It can miss a loop that decides behaviour (Eberlein and Schoenberg
//! 2020): it is the shortest set, not all loops.
//!
//! Candidates are, for every link, the shortest loop through it. Oliva also closes the shortest paths between nodes
//! that no link joins; such a loop is at least as long as the candidate of each of its links, so it could only take the
//! place of one equally long.

use crate::components::Cyclic;
use crate::graph::Graph;

/// The shortest independent loop set of each component.
#[derive(Debug, Clone, Default)]
pub struct Independent {
    /// Its loops by length, then by their nodes; each starts at its first node in the order of the graph.
    pub loops: Vec<Vec<u32>>,
    /// True when every link inside a component is on one of these loops; false when the graph is so large that the
    /// budget was spent before.
    pub complete: bool,
}

/// Arcs looked at before the search for candidates ends; 0.1 to 0.4 s.
const STEPS: u64 = 5_000_000;

/// Nodes kept for all candidates together, four bytes each, and eight for each candidate.
const KEPT: usize = 2_000_000;

/// The shortest independent loop set of a graph.
pub fn independent(graph: &Graph) -> Independent {
    within(graph, STEPS, KEPT)
}

fn within(graph: &Graph, steps: u64, kept: usize) -> Independent {
    let cyclic = Cyclic::new(graph);
    let mut candidates = candidates(&cyclic, steps, kept);
    candidates.sort_unstable_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    let mut covered = vec![false; cyclic.arcs.len()];
    candidates.retain(|nodes| {
        let mut new = false;
        for (at, &from) in nodes.iter().enumerate() {
            let to = nodes[(at + 1) % nodes.len()];
            if let Some(arc) = cyclic.arc_between(from, to) {
                new |= !std::mem::replace(&mut covered[arc as usize], true);
            }
        }
        new
    });
    for node in candidates.iter_mut().flatten() {
        *node = cyclic.nodes[*node as usize];
    }
    Independent {
        loops: candidates,
        complete: covered.iter().all(|&is| is),
    }
}

/// The shortest loop through each arc, from its first node on, as far as the budget goes.
fn candidates(cyclic: &Cyclic, mut steps: u64, kept: usize) -> Vec<Vec<u32>> {
    const FAR: u32 = u32::MAX;
    let mut candidates = Vec::new();
    let mut nodes = 0;
    let mut before = vec![FAR; cyclic.nodes.len()];
    let mut met = Vec::new();
    for start in 0..cyclic.nodes.len() as u32 {
        // Breadth first from `start`, until all nodes with an arc to it are met.
        before[start as usize] = start;
        met.push(start);
        let ends = cyclic.into.of(start).iter().map(|&arc| cyclic.arcs[arc as usize].from);
        let mut missing = ends.clone().filter(|&end| end != start).count();
        let mut at = 0;
        while let Some(&node) = met.get(at).filter(|_| missing > 0) {
            at += 1;
            for &arc in cyclic.out.of(node) {
                steps = steps.saturating_sub(1);
                let to = cyclic.arcs[arc as usize].to;
                if before[to as usize] == FAR {
                    before[to as usize] = node;
                    met.push(to);
                    missing -= usize::from(cyclic.arc_between(to, start).is_some());
                }
            }
        }
        for end in ends {
            let mut path = vec![end];
            while let Some(&node) = path.last().filter(|&&node| node != start) {
                path.push(before[node as usize]);
            }
            path.reverse();
            let first = (0..path.len()).min_by_key(|&at| path[at]).unwrap_or(0);
            path.rotate_left(first);
            // A short path costs more than its nodes.
            nodes += path.len() + 8;
            candidates.push(path);
        }
        for node in met.drain(..) {
            before[node as usize] = FAR;
        }
        if steps == 0 || nodes > kept {
            break;
        }
    }
    candidates
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Sign;
    use proptest::prelude::*;

    fn graph(nodes: u32, edges: &[(u32, u32)]) -> Graph {
        Graph::bare(nodes, edges.iter().map(|&(a, b)| (a, b, Sign::Plus)))
    }

    #[track_caller]
    fn check(edges: &[(u32, u32)], expected: &[&[u32]]) {
        let set = independent(&graph(8, edges));
        assert!(set.complete);
        assert_eq!(set.loops, expected);
    }

    #[test]
    fn each_loop_brings_a_link_of_its_own() {
        check(&[], &[]);
        check(&[(3, 3)], &[&[3]]);
        check(&[(2, 0), (0, 1), (1, 2), (1, 0)], &[&[0, 1], &[0, 1, 2]]);
        // Two components; what only joins them is on no loop.
        check(&[(0, 1), (1, 0), (1, 2), (2, 3), (3, 2)], &[&[0, 1], &[2, 3]]);
    }

    #[test]
    fn three_rivals_hide_the_loop_through_all() {
        // The arms race of Eberlein and Schoenberg: every pair is coupled both ways, so that 0 -> 1 -> 2 -> 0 and its
        // reverse are combinations of nothing shorter and yet bring no new link.
        check(
            &[(0, 1), (1, 0), (1, 2), (2, 1), (2, 0), (0, 2)],
            &[&[0, 1], &[0, 2], &[1, 2]],
        );
    }

    #[test]
    fn a_spent_budget_is_told() {
        let n = 60_u32;
        let pairs = (0..n).flat_map(|a| (0..n).map(move |b| (a, b))).filter(|(a, b)| a != b);
        let complete = graph(n, &pairs.collect::<Vec<_>>());
        let cut = within(&complete, 100, KEPT);
        assert!(!cut.complete && !cut.loops.is_empty());
        assert!(!within(&complete, STEPS, 10).complete);
        assert_eq!(independent(&complete).loops.len() as u32, n * (n - 1) / 2);
        let long = (0..3_000).map(|i| (i, (i + 1) % 3_000)).collect::<Vec<_>>();
        let cut = within(&graph(3_000, &long), 5, KEPT);
        assert!(cut.complete, "one loop covers a ring");
    }

    proptest! {
        #[test]
        fn the_set_covers_all_links_and_is_not_larger_than_the_cycle_space(
            edges in prop::collection::vec((0_u32..9, 0_u32..9), 0..30),
        ) {
            let graph = graph(9, &edges);
            let cyclic = Cyclic::new(&graph);
            let set = independent(&graph);
            prop_assert!(set.complete);
            let all = crate::loops::loops(&graph, &crate::loops::Limits::default());
            let mut covered = std::collections::BTreeSet::new();
            for one in &set.loops {
                prop_assert!(all.iter().any(|loop_| loop_.nodes == one), "{one:?} is a loop");
                let before = covered.len();
                covered.extend((0..one.len()).map(|at| (one[at], one[(at + 1) % one.len()])));
                prop_assert!(covered.len() > before, "{one:?} brings a link");
            }
            prop_assert_eq!(covered.len(), cyclic.arcs.len());
            prop_assert!(set.loops.len() <= cyclic.arcs.len() + cyclic.components - cyclic.nodes.len());
            // No link has a shorter loop than the shortest of the set that holds it.
            for &(from, to) in &covered {
                let holds = |nodes: &[u32]| (0..nodes.len()).any(|at| (nodes[at], nodes[(at + 1) % nodes.len()]) == (from, to));
                let shortest = all.iter().find(|one| holds(one.nodes)).map(|one| one.nodes.len());
                prop_assert_eq!(set.loops.iter().find(|one| holds(one)).map(Vec::len), shortest);
            }
        }
    }
}
