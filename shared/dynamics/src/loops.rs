//! All feedback loops of a graph, or the shortest of them within a budget.
//!
//! Two passes. The first counts loops with Johnson's algorithm (SIAM J. Comput. 4(1), 1975) up to a cap; most graphs
//! end there, and the answer is complete. Where it is cut, or the loops are too many to keep, the second pass lists
//! loops shortest first until it has enough or its budget is spent. Budgets count edges looked at, never time, so that
//! the same graph always gives the same answer.
//!
//! Each loop starts at its first node in the order of the graph; loops are ordered by length, then by their nodes.

use crate::components::{Cyclic, tag};
use crate::graph::Graph;
use serde::Serialize;

/// How far the enumeration goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Loops that the first pass counts before it gives up.
    pub counted: u64,
    /// Nodes that are kept for all loops together, four bytes each; more loops are counted and not kept.
    pub kept: usize,
    /// Edges that each pass looks at before it gives up.
    pub steps: u64,
    /// Loops that the second pass lists.
    pub listed: usize,
}

impl Default for Limits {
    /// 100,000 loops as measured in the field notes; 3 million nodes are 12 MB; 4 million edges take about 60 ms.
    fn default() -> Self {
        Self {
            counted: 100_000,
            kept: 3_000_000,
            steps: 4_000_000,
            listed: 1_000,
        }
    }
}

/// What a loop does to a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// It grows: an even number of minus signs.
    Reinforcing,
    /// It is countered: an odd number of minus signs.
    Balancing,
    /// The sign of a link is not known.
    Undetermined,
}

impl Class {
    /// The class of a loop whose signs have this product.
    pub fn of(product: crate::graph::Sign) -> Self {
        match product {
            crate::graph::Sign::Plus => Self::Reinforcing,
            crate::graph::Sign::Minus => Self::Balancing,
            crate::graph::Sign::Unknown => Self::Undetermined,
        }
    }

    /// `R`, `B` or `U`.
    pub fn letter(self) -> char {
        match self {
            Self::Reinforcing => 'R',
            Self::Balancing => 'B',
            Self::Undetermined => 'U',
        }
    }

    fn tagged(path: u8) -> Self {
        match (path & tag::UNKNOWN, path & tag::MINUS) {
            (0, 0) => Self::Reinforcing,
            (0, _) => Self::Balancing,
            _ => Self::Undetermined,
        }
    }
}

/// How many loops there are of each class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Counts {
    /// Reinforcing loops.
    pub reinforcing: u64,
    /// Balancing loops.
    pub balancing: u64,
    /// Loops with a link of unknown sign.
    pub undetermined: u64,
}

impl Counts {
    fn add(&mut self, class: Class) {
        match class {
            Class::Reinforcing => self.reinforcing += 1,
            Class::Balancing => self.balancing += 1,
            Class::Undetermined => self.undetermined += 1,
        }
    }
}

/// A loop of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Loop<'l> {
    /// Its nodes in order, the first not repeated; indices of the graph.
    pub nodes: &'l [u32],
    /// What it does to a change.
    pub class: Class,
    /// True when a stock lies on it.
    pub stock: bool,
    /// True when a link of it is delayed.
    pub delay: bool,
}

/// How many loops of a length there are at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct AtMost {
    /// The number of links.
    pub length: usize,
    /// An upper bound: closed walks of that length, each counted once.
    pub loops: u64,
}

/// Loops, shortest first, and how many more there are.
#[derive(Debug, Clone)]
pub struct Loops {
    list: List,
    order: Vec<u32>,
    /// True when the list holds every loop of the graph.
    pub complete: bool,
    /// How many loops the graph has, where that is known.
    pub total: Option<u64>,
    /// How many loops the graph has at least.
    pub at_least: u64,
    /// The list holds every loop up to this length.
    pub complete_to_length: usize,
    /// How many loops there are at most of the first length that is not complete, where that is cheap to tell.
    pub next: Option<AtMost>,
    /// Loops of each class: of the whole graph where the total is known, else of those that were counted.
    pub counts: Counts,
    /// How many strongly connected components hold a loop.
    pub components: usize,
}

impl Loops {
    /// How many loops are listed.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// True when no loop is listed, which means that the graph has none.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// A loop by its place in the order.
    pub fn get(&self, at: usize) -> Option<Loop<'_>> {
        self.order.get(at).map(|&place| self.list.get(place as usize))
    }

    /// All listed loops in order.
    pub fn iter(&self) -> impl Iterator<Item = Loop<'_>> {
        self.order.iter().map(|&place| self.list.get(place as usize))
    }
}

/// The loops of a graph, as far as the limits go.
pub fn loops(graph: &Graph, limits: &Limits) -> Loops {
    let cyclic = Cyclic::new(graph);
    let all = Johnson::new(&cyclic, limits).run();
    let total = all.finished.then_some(all.count);
    let mut found = Loops {
        order: Vec::new(),
        complete: all.finished && all.list.len() as u64 == all.count,
        total,
        at_least: all.count,
        complete_to_length: cyclic.nodes.len(),
        next: None,
        counts: all.counts,
        components: cyclic.components,
        list: all.list,
    };
    if !found.complete {
        let shortest = shortest_first(&cyclic, limits, total.unwrap_or(u64::MAX));
        found.complete_to_length = shortest.complete_to_length;
        found.at_least = found.at_least.max(shortest.list.len() as u64);
        let next = shortest.complete_to_length + 1;
        found.next = closed_walks(&cyclic, next).map(|walks| AtMost {
            length: next,
            loops: walks / next as u64,
        });
        found.list = shortest.list.followed_by(&found.list, next, limits.listed);
    }
    found.order = found.list.by_length();
    for node in &mut found.list.members {
        *node = cyclic.nodes[*node as usize];
    }
    found
}

/// Loops in one piece of memory.
#[derive(Debug, Clone, Default)]
struct List {
    /// The nodes of all loops, one after the other.
    members: Vec<u32>,
    /// Where each ends in `members`.
    ends: Vec<u32>,
    /// The tag of each.
    tags: Vec<u8>,
}

impl List {
    fn len(&self) -> usize {
        self.ends.len()
    }

    fn push(&mut self, nodes: &[u32], tag: u8) {
        self.members.extend_from_slice(nodes);
        self.ends.push(self.members.len() as u32);
        self.tags.push(tag);
    }

    fn length(&self, at: usize) -> usize {
        self.ends[at] as usize - self.start(at)
    }

    fn start(&self, at: usize) -> usize {
        if at == 0 { 0 } else { self.ends[at - 1] as usize }
    }

    fn get(&self, at: usize) -> Loop<'_> {
        Loop {
            nodes: &self.members[self.start(at)..self.ends[at] as usize],
            class: Class::tagged(self.tags[at]),
            stock: self.tags[at] & tag::STOCK != 0,
            delay: self.tags[at] & tag::DELAY != 0,
        }
    }

    /// The places of all loops by length; those of one length stay in order, which is that of their nodes.
    fn by_length(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        let longest = (0..self.len()).map(|at| self.length(at)).max().unwrap_or(0);
        let mut next = vec![0_u32; longest + 2];
        for at in 0..self.len() {
            next[self.length(at) + 1] += 1;
        }
        for length in 0..=longest {
            next[length + 1] += next[length];
        }
        for at in 0..self.len() {
            let place = &mut next[self.length(at)];
            order[*place as usize] = at as u32;
            *place += 1;
        }
        order
    }

    /// This list, filled up to `listed` loops with those of another that are longer than `length`, shortest first.
    fn followed_by(mut self, other: &Self, length: usize, listed: usize) -> Self {
        let longer = other.by_length().into_iter().map(|at| at as usize);
        for at in longer.filter(|&at| other.length(at) > length) {
            if self.len() >= listed {
                break;
            }
            self.push(&other.members[other.start(at)..other.ends[at] as usize], other.tags[at]);
        }
        self
    }
}

/// No arc closes a loop here.
const OPEN: u8 = u8::MAX;

/// An arc between nodes that lie on loops through the root.
#[derive(Clone, Copy)]
struct Link {
    to: u32,
    /// Its place among the arcs that reach `to`.
    place: u32,
    tag: u8,
}

/// A node of the path that is being extended.
#[derive(Clone, Copy)]
struct Step {
    /// The next link to follow, and the end of the node's links.
    next: u32,
    end: u32,
    /// The tag of the path up to this node.
    tag: u8,
    /// True when a loop was closed from here.
    closed: bool,
}

/// The first pass: for each root all loops of which it is the first node.
struct Johnson<'c> {
    cyclic: &'c Cyclic,
    limits: &'c Limits,
    /// The root for which a node was last reached, plus one.
    reached: Vec<u32>,
    /// The nodes that reach the root without passing a node before it.
    alive: Vec<u32>,
    /// The tag of the arc from each node to the root, or [`OPEN`].
    closing: Vec<u8>,
    /// Arcs between alive nodes that do not reach the root, by the node they leave.
    links: Vec<Link>,
    /// Where the links of each node are.
    ranges: Vec<(u32, u32)>,
    /// For each arc, in order of leaving, its place in order of reaching.
    places: Vec<u32>,
    /// For each node, the places of the arcs that reach it.
    reaching: Vec<(u32, u32)>,
    /// For each place, the node that the arc leaves, and whether that is to be unblocked with the node it reaches.
    waiting: Vec<(u32, bool)>,
    /// True for nodes on the path, and for those from which the root cannot be reached without touching it.
    blocked: Vec<bool>,
    unblocking: Vec<u32>,
    path: Vec<u32>,
    steps: u64,
    all: All,
}

/// What the first pass found.
#[derive(Default)]
struct All {
    list: List,
    count: u64,
    counts: Counts,
    /// True when it was not cut.
    finished: bool,
}

impl<'c> Johnson<'c> {
    fn new(cyclic: &'c Cyclic, limits: &'c Limits) -> Self {
        let nodes = cyclic.nodes.len();
        let mut places = vec![0; cyclic.arcs.len()];
        let mut reaching = Vec::with_capacity(nodes);
        let mut waiting = Vec::with_capacity(cyclic.arcs.len());
        for node in 0..nodes as u32 {
            let start = waiting.len() as u32;
            for &arc in cyclic.into.of(node) {
                places[arc as usize] = waiting.len() as u32;
                waiting.push((cyclic.arcs[arc as usize].from, false));
            }
            reaching.push((start, waiting.len() as u32));
        }
        Self {
            cyclic,
            limits,
            reached: vec![0; nodes],
            alive: Vec::with_capacity(nodes),
            closing: vec![OPEN; nodes],
            links: Vec::with_capacity(cyclic.arcs.len()),
            ranges: vec![(0, 0); nodes],
            places,
            reaching,
            waiting,
            blocked: vec![false; nodes],
            unblocking: Vec::new(),
            path: Vec::with_capacity(nodes),
            steps: 0,
            all: All::default(),
        }
    }

    fn run(mut self) -> All {
        self.all.finished = (0..self.cyclic.nodes.len() as u32).all(|root| {
            self.prepare(root);
            self.search(root)
        });
        self.all
    }

    /// Finds what lies on loops through `root` and later nodes.
    fn prepare(&mut self, root: u32) {
        let Self { cyclic, .. } = *self;
        self.alive.clear();
        self.alive.push(root);
        self.reached[root as usize] = root + 1;
        self.closing[root as usize] = OPEN;
        let mut at = 0;
        while let Some(&node) = self.alive.get(at) {
            at += 1;
            for &index in cyclic.into.of(node) {
                self.steps += 1;
                let arc = cyclic.arcs[index as usize];
                let from = arc.from as usize;
                if arc.from < root {
                    continue;
                }
                if self.reached[from] != root + 1 {
                    self.reached[from] = root + 1;
                    self.closing[from] = OPEN;
                    self.alive.push(arc.from);
                }
                if node == root {
                    self.closing[from] = arc.tag;
                }
            }
        }
        self.links.clear();
        for &node in &self.alive {
            self.blocked[node as usize] = false;
            let start = self.links.len() as u32;
            for &index in cyclic.out.of(node) {
                self.steps += 1;
                let arc = cyclic.arcs[index as usize];
                let place = self.places[index as usize];
                // No arc waits any more, also none to a node that is no longer alive.
                self.waiting[place as usize].1 = false;
                if arc.to > root && self.reached[arc.to as usize] == root + 1 {
                    self.links.push(Link {
                        to: arc.to,
                        place,
                        tag: arc.tag,
                    });
                }
            }
            self.ranges[node as usize] = (start, self.links.len() as u32);
        }
    }

    /// Walks all loops through `root`; false when a limit was met.
    fn search(&mut self, root: u32) -> bool {
        self.path.clear();
        let mut before: Vec<Step> = Vec::with_capacity(self.alive.len());
        let Some(mut step) = self.enter(root, 0) else {
            return false;
        };
        loop {
            if step.next < step.end {
                let link = self.links[step.next as usize];
                step.next += 1;
                self.steps += 1;
                if !self.blocked[link.to as usize] {
                    before.push(step);
                    let Some(next) = self.enter(link.to, tag::join(step.tag, link.tag)) else {
                        return false;
                    };
                    step = next;
                }
                continue;
            }
            let Some(node) = self.path.pop() else { break };
            if step.closed {
                self.unblock(node);
            } else {
                let (start, end) = self.ranges[node as usize];
                for link in &self.links[start as usize..end as usize] {
                    self.waiting[link.place as usize].1 = true;
                }
            }
            let Some(mut parent) = before.pop() else { break };
            parent.closed |= step.closed;
            step = parent;
        }
        // Later roots must not find arcs of this one waiting.
        for &arc in self.cyclic.out.of(root) {
            self.waiting[self.places[arc as usize] as usize].1 = false;
        }
        self.steps <= self.limits.steps
    }

    /// Puts a node on the path, and keeps the loop when it closes one; none when a limit was met.
    fn enter(&mut self, node: u32, tag: u8) -> Option<Step> {
        self.blocked[node as usize] = true;
        self.path.push(node);
        let closing = self.closing[node as usize];
        let closed = closing != OPEN;
        if closed {
            if self.all.count == self.limits.counted {
                return None;
            }
            let tag = tag::join(tag, closing);
            self.all.count += 1;
            self.all.counts.add(Class::tagged(tag));
            if self.all.list.members.len() + self.path.len() <= self.limits.kept {
                self.all.list.push(&self.path, tag);
            }
        }
        let (next, end) = self.ranges[node as usize];
        // The first loop is always found: then the list is never empty where there is a loop.
        (self.steps <= self.limits.steps || self.all.count == 0).then_some(Step { next, end, tag, closed })
    }

    /// Unblocks a node and all that wait for it.
    fn unblock(&mut self, node: u32) {
        self.blocked[node as usize] = false;
        let mut node = node;
        loop {
            let (start, end) = self.reaching[node as usize];
            for (from, waits) in &mut self.waiting[start as usize..end as usize] {
                if std::mem::take(waits) && std::mem::take(&mut self.blocked[*from as usize]) {
                    self.unblocking.push(*from);
                }
            }
            match self.unblocking.pop() {
                Some(next) => node = next,
                None => break,
            }
        }
    }
}

/// What the second pass found.
struct Shortest {
    list: List,
    complete_to_length: usize,
}

/// The second pass: loops by length until `limits.listed` or `total` are found, or the budget is spent.
fn shortest_first(cyclic: &Cyclic, limits: &Limits, total: u64) -> Shortest {
    let nodes = cyclic.nodes.len();
    let enough = (limits.listed as u64).min(total) as usize;
    let mut pass = Shorter {
        cyclic,
        links_back: vec![u32::MAX; nodes],
        near: Vec::new(),
        on_path: vec![false; nodes],
        list: List::default(),
        steps: limits.steps,
        enough,
    };
    let complete_to_length = (1..=nodes)
        .find(|&length| !(0..nodes as u32).all(|root| pass.of_length(length, root)))
        .map_or(nodes, |cut| cut - 1);
    Shortest {
        list: pass.list,
        complete_to_length,
    }
}

struct Shorter<'c> {
    cyclic: &'c Cyclic,
    /// The fewest links from each node back to the root, or `u32::MAX` where that is too many.
    links_back: Vec<u32>,
    /// The nodes that have an entry there.
    near: Vec<u32>,
    on_path: Vec<bool>,
    list: List,
    /// How many edges may still be looked at.
    steps: u64,
    enough: usize,
}

impl Shorter<'_> {
    /// Lists the loops of this length whose first node is `root`; false when that is enough or the budget is spent.
    fn of_length(&mut self, length: usize, root: u32) -> bool {
        // Setting out costs as much as some edges.
        self.steps = self.steps.saturating_sub(4);
        self.measure(length, root);
        let done = self.walk(length, root);
        for node in self.near.drain(..) {
            self.links_back[node as usize] = u32::MAX;
            self.on_path[node as usize] = false;
        }
        done
    }

    /// Counts the links back to `root`, as far as a loop of this length may go.
    fn measure(&mut self, length: usize, root: u32) {
        self.links_back[root as usize] = 0;
        self.near.push(root);
        let mut at = 0;
        while let Some(&node) = self.near.get(at) {
            at += 1;
            let links = self.links_back[node as usize] + 1;
            if links as usize >= length {
                break;
            }
            for &index in self.cyclic.into.of(node) {
                self.steps = self.steps.saturating_sub(1);
                let from = self.cyclic.arcs[index as usize].from;
                if from > root && self.links_back[from as usize] == u32::MAX {
                    self.links_back[from as usize] = links;
                    self.near.push(from);
                }
            }
        }
    }

    fn walk(&mut self, length: usize, root: u32) -> bool {
        let cyclic = self.cyclic;
        let mut path = vec![root];
        // How many arcs of each node of the path were looked at, and the tag up to the node.
        let mut looked = vec![(0, 0)];
        while let (Some(&node), Some((next, so_far))) = (path.last(), looked.last_mut()) {
            let Some(&index) = cyclic.out.of(node).get(*next) else {
                path.pop();
                looked.pop();
                self.on_path[node as usize] = false;
                continue;
            };
            if self.steps == 0 {
                return false;
            }
            self.steps -= 1;
            *next += 1;
            let arc = cyclic.arcs[index as usize];
            let tag = tag::join(*so_far, arc.tag);
            if arc.to == root {
                if path.len() == length {
                    if self.list.len() == self.enough {
                        return false;
                    }
                    self.list.push(&path, tag);
                }
                continue;
            }
            let back = self.links_back[arc.to as usize];
            if back != u32::MAX && !self.on_path[arc.to as usize] && path.len() + back as usize <= length {
                self.on_path[arc.to as usize] = true;
                path.push(arc.to);
                looked.push((0, tag));
            }
        }
        self.steps > 0
    }
}

/// Closed walks of this length, divided by nothing: trace of the adjacency matrix to that power; none where costly.
fn closed_walks(cyclic: &Cyclic, length: usize) -> Option<u64> {
    /// Additions, about a millisecond.
    const CHEAP: usize = 1_000_000;
    let nodes = cyclic.nodes.len();
    let work = nodes.checked_mul(cyclic.arcs.len() + nodes)?.checked_mul(length)?;
    if work > CHEAP {
        return None;
    }
    let mut trace: u64 = 0;
    let mut walks = vec![0_u64; nodes];
    let mut longer = vec![0_u64; nodes];
    for start in 0..nodes {
        walks.fill(0);
        walks[start] = 1;
        for _ in 0..length {
            longer.fill(0);
            for arc in &cyclic.arcs {
                let sum = &mut longer[arc.to as usize];
                *sum = sum.checked_add(walks[arc.from as usize])?;
            }
            std::mem::swap(&mut walks, &mut longer);
        }
        trace = trace.checked_add(walks[start])?;
    }
    Some(trace)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Node, NodeKind, Sign};
    use proptest::prelude::*;

    const EVERYTHING: Limits = Limits {
        counted: u64::MAX,
        kept: usize::MAX,
        steps: u64::MAX,
        listed: usize::MAX,
    };

    fn complete(n: u32) -> Graph {
        let pairs = (0..n).flat_map(|a| (0..n).map(move |b| (a, b)));
        Graph::bare(n, pairs.filter(|(a, b)| a != b).map(|(a, b)| (a, b, Sign::Plus)))
    }

    /// Loops of the complete digraph of n nodes: sum over k of (n choose k) (k - 1)!.
    fn closed_form(n: u64) -> u64 {
        (2..=n).map(|k| (n - k + 1..=n).product::<u64>() / k).sum()
    }

    fn nodes(loops: &Loops) -> Vec<Vec<u32>> {
        loops.iter().map(|found| found.nodes.to_vec()).collect()
    }

    #[test]
    fn complete_digraphs_have_as_many_loops_as_the_closed_form_says() {
        for n in 2..=8 {
            let found = loops(&complete(n), &Limits::default());
            assert!(found.complete);
            assert_eq!(found.total, Some(closed_form(u64::from(n))), "{n} nodes");
            assert_eq!(found.len() as u64, found.at_least);
        }
        assert_eq!(closed_form(8), 16_064);
    }

    #[test]
    fn a_graph_without_loops_has_none() {
        let found = loops(
            &Graph::bare(3, [(0, 1, Sign::Plus), (1, 2, Sign::Plus)]),
            &Limits::default(),
        );
        assert!(found.is_empty() && found.complete);
        assert_eq!((found.total, found.components, found.next), (Some(0), 0, None));
    }

    #[test]
    fn a_link_to_oneself_is_a_loop() {
        let found = loops(&Graph::bare(1, [(0, 0, Sign::Minus)]), &Limits::default());
        assert_eq!(nodes(&found), [[0]]);
        assert_eq!(found.get(0).unwrap().class, Class::Balancing);
        assert_eq!(found.get(1), None);
    }

    #[test]
    fn the_class_comes_from_the_signs_and_marks_come_along() {
        let mut graph = Graph::bare(
            4,
            [
                (0, 1, Sign::Minus),
                (1, 0, Sign::Minus),
                (1, 2, Sign::Plus),
                (2, 0, Sign::Plus),
                (2, 3, Sign::Unknown),
                (3, 2, Sign::Minus),
            ],
        );
        let stock = graph.add_node(Node {
            name: "stock".to_owned(),
            kind: NodeKind::Stock,
            ..Node::default()
        });
        graph.edge_or_new(3, stock).sign = Sign::Plus;
        let back = graph.edge_or_new(stock, 3);
        back.sign = Sign::Minus;
        back.delay = true;
        let found = loops(&graph, &Limits::default());
        let told: Vec<_> = found
            .iter()
            .map(|one| (one.nodes.to_vec(), one.class, one.stock, one.delay))
            .collect();
        assert_eq!(
            told,
            [
                (vec![0, 1], Class::Reinforcing, false, false),
                (vec![2, 3], Class::Undetermined, false, false),
                (vec![3, 4], Class::Balancing, true, true),
                (vec![0, 1, 2], Class::Balancing, false, false),
            ]
        );
        let counts = Counts {
            reinforcing: 1,
            balancing: 2,
            undetermined: 1,
        };
        assert_eq!(found.counts, counts);
        assert_eq!(found.components, 1);
    }

    #[test]
    fn what_is_cut_says_how_far_it_went() {
        // 10 nodes: 1,112,073 loops; 45 of length 2, 240 of length 3, 1,260 of length 4.
        let found = loops(&complete(10), &Limits::default());
        assert!(!found.complete);
        assert_eq!((found.total, found.at_least), (None, 100_000));
        assert_eq!((found.len(), found.complete_to_length), (1_000, 3));
        let next = found.next.unwrap();
        assert_eq!(next.length, 4);
        assert!(next.loops >= 1_260 && next.loops < 2_000, "{next:?}");
        assert!(nodes(&found).iter().take(45).all(|one| one.len() == 2));
        assert_eq!(nodes(&found)[285].len(), 4);
    }

    #[test]
    fn loops_too_many_to_keep_are_counted_all_the_same() {
        let limits = Limits {
            kept: 500,
            listed: 100,
            ..Limits::default()
        };
        let found = loops(&complete(7), &limits);
        assert!(!found.complete);
        assert_eq!(found.total, Some(closed_form(7)));
        assert_eq!(found.counts.reinforcing, closed_form(7));
        assert_eq!(nodes(&found), nodes(&loops(&complete(7), &EVERYTHING))[..100]);
        assert_eq!(found.complete_to_length, 3);
    }

    #[test]
    fn a_tiny_budget_still_finds_a_loop() {
        let n = 5_000;
        let ring = Graph::bare(n, (0..n).map(|i| (i, (i + 1) % n, Sign::Plus)));
        let limits = Limits {
            steps: 10,
            ..Limits::default()
        };
        let found = loops(&ring, &limits);
        assert!(!found.complete);
        assert_eq!((found.len(), found.at_least, found.total), (1, 1, None));
        assert_eq!(found.get(0).unwrap().nodes.len(), n as usize);
        assert!(loops(&ring, &Limits::default()).complete);
    }

    /// All loops, by trying every path.
    fn tried(n: u32, edges: &[(u32, u32)]) -> Vec<Vec<u32>> {
        fn extend(path: &mut Vec<u32>, edges: &[(u32, u32)], found: &mut Vec<Vec<u32>>) {
            let last = path[path.len() - 1];
            for &(_, to) in edges.iter().filter(|edge| edge.0 == last) {
                if to == path[0] {
                    found.push(path.clone());
                } else if to > path[0] && !path.contains(&to) {
                    path.push(to);
                    extend(path, edges, found);
                    path.pop();
                }
            }
        }
        let mut edges = edges.to_vec();
        edges.sort_unstable();
        edges.dedup();
        let mut found = Vec::new();
        for root in 0..n {
            extend(&mut vec![root], &edges, &mut found);
        }
        found.sort_by_key(|one| (one.len(), one.clone()));
        found
    }

    fn some_edges() -> impl Strategy<Value = Vec<(u32, u32)>> {
        prop::collection::vec((0_u32..7, 0_u32..7), 0..26)
    }

    proptest! {
        #[test]
        fn both_passes_find_what_trying_every_path_finds(edges in some_edges()) {
            let expected = tried(7, &edges);
            let graph = Graph::bare(7, edges.iter().map(|&(a, b)| (a, b, Sign::Plus)));
            let found = loops(&graph, &EVERYTHING);
            prop_assert!(found.complete);
            prop_assert_eq!(nodes(&found), expected.clone());
            let by_length = shortest_first(&Cyclic::new(&graph), &EVERYTHING, u64::MAX);
            let listed: Vec<Vec<u32>> = (0..by_length.list.len())
                .map(|at| {
                    let inner = by_length.list.get(at).nodes;
                    inner.iter().map(|&node| Cyclic::new(&graph).nodes[node as usize]).collect()
                })
                .collect();
            prop_assert_eq!(listed, expected);
        }

        #[test]
        fn a_cut_list_is_the_beginning_of_the_whole(edges in some_edges(), listed in 1_usize..9, counted in 0_u64..9) {
            let graph = Graph::bare(7, edges.iter().map(|&(a, b)| (a, b, Sign::Plus)));
            let all = tried(7, &edges);
            let found = loops(&graph, &Limits { counted, listed, ..EVERYTHING });
            if all.len() as u64 <= counted {
                prop_assert!(found.complete);
                prop_assert_eq!(nodes(&found), all);
            } else {
                prop_assert!(!found.complete && found.total.is_none());
                prop_assert_eq!(nodes(&found), all[..listed.min(all.len())].to_vec());
                prop_assert!(found.at_least <= all.len() as u64);
                let to = found.complete_to_length;
                prop_assert!(all.iter().filter(|one| one.len() <= to).count() <= found.len());
                if let Some(next) = found.next {
                    prop_assert!(all.iter().filter(|one| one.len() == next.length).count() as u64 <= next.loops);
                }
            }
        }

        #[test]
        fn the_second_pass_and_the_cap_agree_with_the_first_on_classes(
            edges in prop::collection::vec((0_u32..6, 0_u32..6, 0_u8..3), 0..20),
        ) {
            let sign = |code| [Sign::Plus, Sign::Minus, Sign::Unknown][usize::from(code)];
            let graph = Graph::bare(6, edges.iter().map(|&(a, b, code)| (a, b, sign(code))));
            let first = loops(&graph, &EVERYTHING);
            let second = loops(&graph, &Limits { counted: 0, ..EVERYTHING });
            prop_assert!(first.iter().eq(second.iter()));
            for one in first.iter() {
                let product = (0..one.nodes.len())
                    .map(|at| {
                        let to = one.nodes[(at + 1) % one.nodes.len()];
                        graph.edges()[graph.edge_between(one.nodes[at], to).unwrap() as usize].sign
                    })
                    .fold(Sign::Plus, Sign::then);
                prop_assert_eq!(one.class, Class::of(product));
            }
        }
    }
}
