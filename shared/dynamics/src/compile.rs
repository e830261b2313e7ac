//! A model to a program: names resolved, equations ordered, constants folded, everything wrong named at once.

mod advice;
mod emit;
mod order;
mod resolve;
#[cfg(test)]
mod tests;

use crate::grid::{Grid, Method};
use crate::model::{Model, Specs};
use crate::problem::{Level, Problem, sorted};
use crate::program::Program;
use order::{Exception, Needs};
use resolve::{Resolved, Times};

/// Compiles a model.
///
/// # Errors
/// Every [`Problem`] of the model, errors first, at least one of them of level error.
pub fn compile(model: &Model) -> Result<Program, Vec<Problem>> {
    let (grid, mut problems) = match Grid::new(&model.specs) {
        Ok(found) => found,
        // The equations are judged even where nothing can be run.
        Err(faults) => (without_stop(&model.specs), faults),
    };
    let times = Times {
        start: grid.start,
        stop: grid.stop,
        dt: grid.dt,
    };
    let mut resolved = resolve::resolve(model, times);
    let is_error = |problem: &Problem| problem.level == Level::Error;
    let is_broken = resolved.problems.iter().any(is_error);
    problems.append(&mut resolved.problems);

    let run_needs = order::run_needs(&resolved);
    let in_cycle = cycles(&resolved, &run_needs, &mut problems);
    let initial_needs = order::initial_needs(&resolved);
    let initial_components = order::components(&initial_needs);
    let cannot_start = initial_cycles(&resolved, &initial_needs, &initial_components, &in_cycle, &mut problems);
    if cannot_start || in_cycle.contains(&true) {
        return Err(sorted(problems));
    }

    let initial_order = order::initial_order(&resolved, &initial_needs, &initial_components);
    let schedule = order::schedule(&resolved, run_needs);
    let (mut program, found) = emit::emit(&resolved, &schedule, &initial_order, grid);
    problems.extend(found);
    problems.extend(exceptions(&resolved, &schedule.exceptions));
    if program.grid.method == Method::Rk4 && schedule.limits.iter().flatten().next().is_some() {
        problems.push(Problem::of_model(
            "limits-with-rk4",
            Level::Info,
            "the outflows of non-negative stocks are limited at each stage of RK4, so that what leaves one stock and reaches another is only nearly equal",
            "use euler where exact conservation counts",
        ));
    }
    if !is_broken {
        advice::advise(&resolved, &program, &mut problems);
    }
    let problems = sorted(problems);
    if problems.first().is_some_and(is_error) {
        return Err(problems);
    }
    program.advice = problems;
    Ok(program)
}

/// The grid up to its first point; where even that cannot be told, the point 0.
fn without_stop(specs: &Specs) -> Grid {
    let at_start = Specs {
        stop: Some(specs.start.clone()),
        ..specs.clone()
    };
    Grid::new(&at_start).map_or_else(|_| Grid::default(), |(grid, _)| grid)
}

/// Names each cycle of the run; says which variables lie in one.
fn cycles(resolved: &Resolved<'_>, needs: &Needs, problems: &mut Vec<Problem>) -> Vec<bool> {
    let mut in_cycle = vec![false; needs.len()];
    let mut found = Vec::new();
    for component in order::components(needs) {
        if order::is_cyclic(&component, needs) {
            found.push(order::cycle(&component, needs));
            component.iter().for_each(|v| in_cycle[*v as usize] = true);
        }
    }
    found.sort();
    for cycle in found {
        problems.push(algebraic_loop(
            resolved,
            &cycle,
            "each needs the value of the one before in the same step",
            "put a stock, a delay or SMTH1 into the cycle, or solve the equations for one of them",
        ));
    }
    in_cycle
}

/// Names each cycle of the initial pass that is none of the run; true when there is one.
fn initial_cycles(
    resolved: &Resolved<'_>,
    needs: &Needs,
    components: &[Vec<u32>],
    in_run_cycle: &[bool],
    problems: &mut Vec<Problem>,
) -> bool {
    // A call stands for the variable in whose equation it is.
    let variable = |node: u32| match (node as usize).checked_sub(resolved.variables.len()) {
        Some(site) => resolved.sites[site].owner,
        None => node,
    };
    let mut found = Vec::new();
    for component in components.iter().filter(|component| order::is_cyclic(component, needs)) {
        if !component.iter().any(|node| in_run_cycle[variable(*node) as usize]) {
            let mut cycle: Vec<u32> = order::cycle(component, needs).into_iter().map(variable).collect();
            cycle.dedup();
            if cycle.len() > 1 && cycle.first() == cycle.last() {
                cycle.pop();
            }
            found.push(cycle);
        }
    }
    found.sort();
    for cycle in &found {
        problems.push(algebraic_loop(
            resolved,
            cycle,
            "at the start each needs the initial value of the one before",
            "give one of them an initial value that does not depend on the others",
        ));
    }
    !found.is_empty()
}

fn algebraic_loop(resolved: &Resolved<'_>, cycle: &[u32], why: &str, fix: &str) -> Problem {
    let names: Vec<&str> = cycle
        .iter()
        .map(|v| resolved.variables[*v as usize].name.as_str())
        .collect();
    let message = format!("{}: {why}", chain(&names));
    Problem::of(
        resolved.variables[cycle[0] as usize],
        "algebraic-loop",
        Level::Error,
        message,
        fix,
    )
}

/// `a -> b -> a`; the middle of a long cycle is left out.
fn chain(names: &[&str]) -> String {
    /// How many names are shown.
    const SHOWN: usize = 30;
    let mut text = String::new();
    for (at, name) in names.iter().enumerate() {
        if names.len() > SHOWN && at == SHOWN - 1 {
            text.push_str(&format!("... {} more ... -> ", names.len() - SHOWN + 1));
            break;
        }
        text.push_str(name);
        text.push_str(" -> ");
    }
    text.push_str(names.first().copied().unwrap_or_default());
    text
}

/// What the limits of non-negative stocks could not do as the rule says.
fn exceptions(resolved: &Resolved<'_>, exceptions: &[Exception]) -> Vec<Problem> {
    let name = |v: u32| &resolved.variables[v as usize].name;
    let problem = |exception: &Exception| {
        let (stock, message, fix) = match *exception {
            Exception::Shared { stock, flow } => (
                stock,
                format!(
                    "`{}` drains several stocks, so `{}` does not limit it and is kept at 0 instead: what flows on may come from nothing",
                    name(flow),
                    name(stock)
                ),
                "give each stock a flow of its own",
            ),
            Exception::Reordered { stock } => (
                stock,
                format!(
                    "outflows of `{}` need the value of later ones, so those are served first",
                    name(stock)
                ),
                "list the outflows in the order in which they depend on each other",
            ),
            Exception::NotCounted { stock, flow } => (
                stock,
                format!(
                    "`{}` depends on the outflows of `{}` in the same step, so it does not add to what they can take",
                    name(flow),
                    name(stock)
                ),
                "let the inflow depend on a stock instead",
            ),
        };
        Problem::of(
            resolved.variables[stock as usize],
            "limits-not-exact",
            Level::Info,
            message,
            fix,
        )
    };
    exceptions.iter().map(problem).collect()
}
