//! What is computed before what: topological orders, and the cycles that have none.

use super::resolve::{Ends, Ir, Resolved, SiteKind};
use crate::model::{Kind, Variable};
use foldhash::fast::RandomState;
use std::collections::{HashSet, VecDeque};

/// A graph as the nodes that each node needs.
pub(super) type Needs = Vec<Vec<u32>>;

/// The strongly connected components, each after those that it needs (Tarjan's algorithm without recursion).
///
/// A component of one node that does not need itself is no cycle; when all are, this is a topological order.
pub(super) fn components(needs: &Needs) -> Vec<Vec<u32>> {
    const NEW: u32 = u32::MAX;
    let n = needs.len();
    let mut met = vec![NEW; n];
    let mut low = vec![0; n];
    let mut done = vec![false; n];
    let mut open: Vec<u32> = Vec::new();
    // A node and how many of its needs were followed.
    let mut path: Vec<(u32, usize)> = Vec::new();
    let mut count = 0;
    let mut found = Vec::new();
    for root in 0..n as u32 {
        if met[root as usize] != NEW {
            continue;
        }
        path.push((root, 0));
        while let Some((node, followed)) = path.last_mut() {
            let v = *node as usize;
            if *followed == 0 {
                met[v] = count;
                low[v] = count;
                count += 1;
                open.push(*node);
            }
            if let Some(&next) = needs[v].get(*followed) {
                *followed += 1;
                let w = next as usize;
                if met[w] == NEW {
                    path.push((next, 0));
                } else if !done[w] {
                    low[v] = low[v].min(met[w]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent as usize] = low[parent as usize].min(low[v]);
            }
            if low[v] == met[v] {
                let from = open.iter().rposition(|&member| member as usize == v).unwrap_or(0);
                let component = open.split_off(from);
                for &member in &component {
                    done[member as usize] = true;
                }
                found.push(component);
            }
        }
    }
    found
}

/// True when the component holds a cycle.
pub(super) fn is_cyclic(component: &[u32], needs: &Needs) -> bool {
    match component {
        [only] => needs[*only as usize].contains(only),
        _ => true,
    }
}

/// A shortest cycle through the least node of a cyclic component: each node affects the next, the last the first.
pub(super) fn cycle(component: &[u32], needs: &Needs) -> Vec<u32> {
    let Some(&start) = component.iter().min() else {
        return Vec::new();
    };
    let mut inside: Vec<u32> = component.to_vec();
    inside.sort_unstable();
    let at = |node: u32| inside.binary_search(&node).ok();
    // Breadth first from the start; `via` is the node that needed each.
    let mut via: Vec<Option<u32>> = vec![None; inside.len()];
    let mut queue = VecDeque::from([start]);
    while let Some(node) = queue.pop_front() {
        for &next in &needs[node as usize] {
            if next == start {
                let mut found = vec![node];
                let mut last = node;
                while last != start {
                    match at(last).and_then(|i| via[i]) {
                        Some(before) => last = before,
                        None => break,
                    }
                    found.push(last);
                }
                // From what is needed to what needs it, beginning with the least.
                found.rotate_right(1);
                return found;
            }
            if let Some(i) = at(next)
                && via[i].is_none()
            {
                via[i] = Some(node);
                queue.push_back(next);
            }
        }
    }
    inside
}

/// One thing that is computed in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Task {
    /// The value of a variable; for a flow, limited by its upstream stock.
    Evaluate(u32),
    /// The limit of a negative inflow by its downstream stock, after that stock's outflows.
    Settle(u32),
}

/// How a non-negative stock limits its flows.
#[derive(Debug, Clone, Default)]
pub(super) struct Limit {
    /// The inflows that are counted as available.
    pub(super) inflows: Vec<u32>,
    /// The outflows in the order in which they are served, with whether they are limited.
    pub(super) outflows: Vec<(u32, bool)>,
    /// The inflows that are limited when they are negative.
    pub(super) settled: Vec<u32>,
    /// True when the limits are not enough to keep the stock from falling below zero.
    pub(super) floor: bool,
}

impl Limit {
    /// Each inflow that is settled, with what must come before: the last outflow, and the inflow settled before.
    fn settling(&self) -> impl Iterator<Item = (u32, u32)> {
        let last = self.outflows.last().map(|&(last, _)| last);
        let first = self.settled.first().copied().zip(last);
        first
            .into_iter()
            .chain(self.settled.windows(2).map(|pair| (pair[1], pair[0])))
    }
}

/// What the limits of a model could not do as the rule says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exception {
    /// The flow drains (or fills) several stocks and is not limited by this one.
    Shared { stock: u32, flow: u32 },
    /// The outflows are served in another order, since the first needs a later one.
    Reordered { stock: u32 },
    /// The inflow needs an outflow of the stock, so it is not counted as available.
    NotCounted { stock: u32, flow: u32 },
}

/// The order of a step.
#[derive(Debug)]
pub(super) struct Schedule {
    pub(super) tasks: Vec<Task>,
    /// The limits of each variable that is a non-negative stock.
    pub(super) limits: Vec<Option<Limit>>,
    pub(super) exceptions: Vec<Exception>,
}

/// The variables that the run-time value of each variable needs at once. Stocks are known.
pub(super) fn run_needs(resolved: &Resolved<'_>) -> Needs {
    let is_stock = |v: u32| matches!(resolved.variables[v as usize].kind, Kind::Stock { .. });
    let mut needs = vec![Vec::new(); resolved.variables.len()];
    for (v, equation) in resolved
        .equations
        .iter()
        .enumerate()
        .filter(|(v, _)| !is_stock(*v as u32))
    {
        walk(equation, true, &mut |leaf| {
            visit_run(leaf, resolved, &mut |u| needs[v].push(u))
        });
    }
    // The number of stages is a constant that has to be known before.
    for site in &resolved.sites {
        if let Some(order) = &site.order
            && !is_stock(site.owner)
        {
            walk(order, true, &mut |leaf| {
                visit_run(leaf, resolved, &mut |u| needs[site.owner as usize].push(u))
            });
        }
    }
    for found in &mut needs {
        found.retain(|u| !is_stock(*u));
        found.sort_unstable();
        found.dedup();
    }
    needs
}

fn visit_run(leaf: &Ir, resolved: &Resolved<'_>, visit: &mut impl FnMut(u32)) {
    // Sites stand inside arguments of sites; a stack instead of recursion.
    let mut sites = Vec::new();
    match leaf {
        Ir::Variable(u) => visit(*u),
        Ir::Site(site) => sites.push(*site),
        _ => {}
    }
    while let Some(site) = sites.pop() {
        for argument in resolved.sites[site as usize].needed_now() {
            walk(argument, true, &mut |leaf| match leaf {
                Ir::Variable(u) => visit(*u),
                Ir::Site(inner) => sites.push(*inner),
                _ => {}
            });
        }
    }
}

/// What the initial pass needs: the variables first, then the sites.
pub(super) fn initial_needs(resolved: &Resolved<'_>) -> Needs {
    let n = resolved.variables.len() as u32;
    let of = |expressions: &mut dyn Iterator<Item = &Ir>| {
        let mut found = Vec::new();
        for expression in expressions {
            walk(expression, false, &mut |leaf| match leaf {
                Ir::Variable(u) => found.push(*u),
                Ir::Site(site) => found.push(n + site),
                _ => {}
            });
        }
        found.sort_unstable();
        found.dedup();
        found
    };
    let equations = resolved
        .equations
        .iter()
        .map(|equation| of(&mut std::iter::once(equation)));
    let sites = resolved.sites.iter().map(|site| of(&mut site.needed_initially()));
    equations.chain(sites).collect()
}

/// Calls `visit` with every variable and site of an expression; sites are not entered.
pub(super) fn walk(ir: &Ir, running: bool, visit: &mut impl FnMut(&Ir)) {
    match ir {
        Ir::Number(_) | Ir::Time => {}
        Ir::Variable(_) | Ir::Site(_) => visit(ir),
        Ir::Unary(_, a) | Ir::One(_, a) | Ir::Lookup(_, a) => walk(a, running, visit),
        Ir::Binary(_, a, b) | Ir::Min(a, b) | Ir::Max(a, b) => {
            walk(a, running, visit);
            walk(b, running, visit);
        }
        Ir::If(parts) => parts.iter().for_each(|part| walk(part, running, visit)),
        Ir::Many(_, arguments) => arguments.iter().for_each(|argument| walk(argument, running, visit)),
        Ir::ActiveInitial(parts) => walk(&parts[usize::from(!running)], running, visit),
    }
}

/// The nodes that the initial pass computes, in order: those that stocks, sites and delay times need, with theirs.
/// Variables first, then sites, as in [`initial_needs`].
pub(super) fn initial_order(resolved: &Resolved<'_>, needs: &Needs, components: &[Vec<u32>]) -> Vec<u32> {
    let n = resolved.variables.len();
    let mut wanted: Vec<u32> = (0..n as u32)
        .filter(|v| matches!(resolved.variables[*v as usize].kind, Kind::Stock { .. }))
        .chain(n as u32..needs.len() as u32)
        .collect();
    // The time of a DELAY is read when the pass is over.
    for site in resolved.sites.iter().filter(|site| site.kind == SiteKind::Delay) {
        walk(&site.arguments[1], false, &mut |leaf| match leaf {
            Ir::Variable(u) => wanted.push(*u),
            Ir::Site(inner) => wanted.push(n as u32 + inner),
            _ => {}
        });
    }
    let mut is_wanted = vec![false; needs.len()];
    while let Some(node) = wanted.pop() {
        if !std::mem::replace(&mut is_wanted[node as usize], true) {
            wanted.extend(&needs[node as usize]);
        }
    }
    components
        .iter()
        .flatten()
        .copied()
        .filter(|node| is_wanted[*node as usize])
        .collect()
}

/// How much work is spent on finding out which inflows depend on the outflows of their stock.
const REACH: usize = 20_000_000;

/// The order of a step, with the limits of non-negative stocks. `needs` has no cycle.
pub(super) fn schedule(resolved: &Resolved<'_>, mut needs: Needs) -> Schedule {
    let n = resolved.variables.len();
    let base = components(&needs);
    let mut limits = limits(resolved);
    let mut exceptions = Vec::new();
    for (stock, limit) in limits.iter().enumerate() {
        let shared = limit
            .iter()
            .flat_map(|limit| &limit.outflows)
            .filter(|(_, limited)| !limited);
        exceptions.extend(shared.map(|&(flow, _)| Exception::Shared {
            stock: stock as u32,
            flow,
        }));
    }

    // Stocks whose first outflows need later ones serve them in topological order.
    let mut position = vec![0; n];
    for (at, &node) in base.iter().flatten().enumerate() {
        position[node as usize] = at;
    }
    let with_order = |limits: &[Option<Limit>]| {
        let mut needs = needs.clone();
        for limit in limits.iter().flatten() {
            for pair in limit.outflows.windows(2) {
                needs[pair[1].0 as usize].push(pair[0].0);
            }
        }
        needs
    };
    let ordered = with_order(&limits);
    let of = component_of(&components(&ordered), n);
    for (stock, limit) in limits.iter_mut().enumerate() {
        if let Some(limit) = limit
            && limit
                .outflows
                .windows(2)
                .any(|pair| of[pair[0].0 as usize] == of[pair[1].0 as usize])
        {
            let listed = limit.outflows.clone();
            limit.outflows.sort_by_key(|(flow, _)| position[*flow as usize]);
            if limit.outflows != listed {
                exceptions.push(Exception::Reordered { stock: stock as u32 });
            }
        }
    }
    needs = with_order(&limits);

    // A negative inflow is settled after the outflows: node `n + i` is its value before.
    let mut raw = vec![None; n];
    for (stock, limit) in limits.iter_mut().enumerate() {
        let Some(limit) = limit else { continue };
        for &flow in &limit.settled {
            raw[flow as usize] = Some((needs.len() as u32, stock as u32));
            let inner = std::mem::take(&mut needs[flow as usize]);
            needs.push(inner);
            needs[flow as usize] = vec![needs.len() as u32 - 1];
        }
    }

    // Inflows are counted where that makes no cycle. The outflows stand in a chain, so that its head is enough.
    let head = |flow: u32| raw[flow as usize].map_or(flow, |(node, _)| node);
    let mut all = needs.clone();
    for limit in limits.iter().flatten() {
        if let Some(&(first, _)) = limit.outflows.first() {
            all[head(first) as usize].extend(limit.inflows.iter().map(|inflow| head(*inflow)));
        }
    }
    let of = component_of(&components(&all), all.len());
    let mut reach = Reach {
        met: vec![0; all.len()],
        search: 0,
        budget: REACH,
    };
    for (stock, limit) in limits.iter_mut().enumerate() {
        let Some(limit) = limit else { continue };
        let Some(&(first, _)) = limit.outflows.first() else {
            continue;
        };
        let first = head(first);
        limit.inflows.retain(|&inflow| {
            let from = head(inflow);
            let is_free = of[first as usize] != of[from as usize] || !reach.needs(&needs, from, first, &of);
            if is_free {
                needs[first as usize].push(from);
            } else {
                exceptions.push(Exception::NotCounted {
                    stock: stock as u32,
                    flow: inflow,
                });
            }
            is_free
        });
    }

    // Negative inflows are settled, one after the other, where that makes no cycle.
    let mut all = needs.clone();
    for limit in limits.iter().flatten() {
        for (flow, need) in limit.settling() {
            all[flow as usize].push(need);
        }
    }
    let of = component_of(&components(&all), all.len());
    for limit in limits.iter_mut().flatten() {
        let in_cycle: Vec<bool> = limit
            .settling()
            .map(|(flow, need)| of[flow as usize] == of[need as usize])
            .collect();
        if in_cycle.contains(&true) {
            limit.settled.clear();
            limit.floor = true;
        }
        for (flow, need) in limit.settling() {
            needs[flow as usize].push(need);
        }
    }

    let is_stock = |v: usize| matches!(resolved.variables[v].kind, Kind::Stock { .. });
    let mut flow_of = vec![0; needs.len()];
    for (flow, raw) in raw.iter().enumerate() {
        if let Some((node, _)) = raw {
            flow_of[*node as usize] = flow as u32;
        }
    }
    let mut tasks = Vec::with_capacity(n);
    for node in components(&needs).into_iter().flatten() {
        let v = node as usize;
        if v >= n {
            tasks.push(Task::Evaluate(flow_of[v]));
        } else if let Some((_, stock)) = raw[v] {
            if limits[stock as usize]
                .as_ref()
                .is_some_and(|limit| !limit.settled.is_empty())
            {
                tasks.push(Task::Settle(node));
            }
        } else if !is_stock(v) {
            tasks.push(Task::Evaluate(node));
        }
    }
    Schedule {
        tasks,
        limits,
        exceptions,
    }
}

/// The component of each node, as its index.
fn component_of(components: &[Vec<u32>], nodes: usize) -> Vec<u32> {
    let mut of = vec![0; nodes];
    for (index, component) in components.iter().enumerate() {
        for &node in component {
            of[node as usize] = index as u32;
        }
    }
    of
}

/// Finds out what needs what, within a component and a budget.
struct Reach {
    /// In which search each node was met last.
    met: Vec<u32>,
    search: u32,
    budget: usize,
}

impl Reach {
    /// True when `from` needs `goal`, directly or not; also when the budget is spent.
    fn needs(&mut self, needs: &Needs, from: u32, goal: u32, of: &[u32]) -> bool {
        self.search += 1;
        let mut stack = vec![from];
        while let Some(node) = stack.pop() {
            if node == goal {
                return true;
            }
            if std::mem::replace(&mut self.met[node as usize], self.search) == self.search {
                continue;
            }
            let Some(left) = self.budget.checked_sub(needs[node as usize].len() + 1) else {
                return true;
            };
            self.budget = left;
            stack.extend(
                needs[node as usize]
                    .iter()
                    .filter(|next| of[**next as usize] == of[from as usize]),
            );
        }
        false
    }
}

/// The limits that the rule gives to every non-negative stock, dependencies aside.
fn limits(resolved: &Resolved<'_>) -> Vec<Option<Limit>> {
    let n = resolved.variables.len();
    let mut drains = vec![0_u32; n];
    let mut fills = vec![0_u32; n];
    for ends in &resolved.ends {
        for &flow in &ends.outflows {
            drains[flow as usize] += 1;
        }
        for &flow in &ends.inflows {
            fills[flow as usize] += 1;
        }
    }
    let limit = |(variable, ends): (&&Variable, &Ends)| {
        let Kind::Stock { non_negative: true, .. } = variable.kind else {
            return None;
        };
        let is_uniflow = |flow: u32| resolved.variables[flow as usize].kind == Kind::Flow { uniflow: true };
        let outflows: Vec<_> = ends
            .outflows
            .iter()
            .map(|&flow| (flow, drains[flow as usize] == 1))
            .collect();
        let own: HashSet<u32, RandomState> = ends.outflows.iter().copied().collect();
        let settled: Vec<u32> = ends
            .inflows
            .iter()
            .copied()
            .filter(|&flow| fills[flow as usize] == 1 && !is_uniflow(flow) && !own.contains(&flow))
            .collect();
        let shared_inflow = ends
            .inflows
            .iter()
            .any(|&flow| fills[flow as usize] > 1 && !is_uniflow(flow));
        Some(Limit {
            floor: shared_inflow || outflows.iter().any(|(_, limited)| !limited),
            inflows: ends.inflows.clone(),
            outflows,
            settled,
        })
    };
    resolved.variables.iter().zip(&resolved.ends).map(limit).collect()
}
