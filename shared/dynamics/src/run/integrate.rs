//! From one step to the next: Euler or RK4, and stocks that fall below zero.

use super::machine::Machine;
use crate::grid::Method;
use crate::program::{Basin, Keeps, Program};

/// How a stock fell below zero by its flows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Low {
    /// When first.
    pub(super) time: f64,
    /// How often, where it was kept at zero.
    pub(super) count: u64,
}

/// Takes the states from step to step.
pub(super) struct Integrator<'p> {
    program: &'p Program,
    /// What RK4 keeps between its stages: the states at the start of the step, and the weighted sum of the rates.
    start: Vec<f64>,
    sum: Vec<f64>,
    /// The lows of the program's basins.
    lows: Vec<Option<Low>>,
}

impl<'p> Integrator<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        let size = match program.grid.method {
            Method::Euler => 0,
            Method::Rk4 => program.states,
        };
        Self {
            program,
            start: vec![0.0; size],
            sum: vec![0.0; size],
            lows: vec![None; program.basins.len()],
        }
    }

    /// How the stocks of the program's basins fell below zero.
    pub(super) fn lows(&self) -> &[Option<Low>] {
        &self.lows
    }

    /// Takes the states to the next step, whose time is `next`.
    pub(super) fn advance(&mut self, machine: &mut Machine<'_>, next: f64) {
        let program = self.program;
        machine.add_up_flows();
        match program.grid.method {
            Method::Euler => {
                let (states, rates) = states_and_rates(machine, program);
                for (state, rate) in states.iter_mut().zip(rates) {
                    *state += program.grid.dt * rate;
                }
            }
            Method::Rk4 => self.rk4(machine, next),
        }
        let stocks = &machine.memory[program.row.start..program.states];
        // Without branches, so that several are looked at at once.
        if stocks.iter().fold(false, |any, stock| any | (*stock < 0.0)) {
            for (basin, low) in program.basins.iter().zip(&mut self.lows) {
                if machine.at(basin.state) < 0.0 {
                    below_zero(machine, basin, low, program.grid.dt, next);
                }
            }
        }
    }

    fn rk4(&mut self, machine: &mut Machine<'_>, next: f64) {
        let program = self.program;
        let dt = program.grid.dt;
        let (states, rates) = states_and_rates(machine, program);
        self.start.copy_from_slice(states);
        self.sum.copy_from_slice(rates);
        let middle = machine.now + dt / 2.0;
        // Stages 2 to 4: how far each goes along the rates of the one before, its time and its weight.
        for (part, time, weight) in [(dt / 2.0, middle, 2.0), (dt / 2.0, middle, 2.0), (dt, next, 1.0)] {
            let (states, rates) = states_and_rates(machine, program);
            for ((state, start), rate) in states.iter_mut().zip(&self.start).zip(rates) {
                *state = start + part * rate;
            }
            machine.memory[program.time as usize] = time;
            machine.execute::<true>(&program.step, program.step.ops.len());
            machine.add_up_flows();
            let (_, rates) = states_and_rates(machine, program);
            for (sum, rate) in self.sum.iter_mut().zip(rates) {
                *sum += weight * rate;
            }
        }
        let (states, _) = states_and_rates(machine, program);
        for ((state, start), sum) in states.iter_mut().zip(&self.start).zip(&self.sum) {
            *state = start + dt / 6.0 * sum;
        }
    }
}

/// The states and, beside them, their rates of change.
fn states_and_rates<'m>(machine: &'m mut Machine<'_>, program: &Program) -> (&'m mut [f64], &'m [f64]) {
    let (states, rest) = machine.memory.split_at_mut(program.rates);
    let states = &mut states[..program.states];
    let rates = &rest[..states.len()];
    (states, rates)
}

/// Judges a stock that is negative after a step, and makes it zero where it is kept there.
fn below_zero(machine: &mut Machine<'_>, basin: &Basin, low: &mut Option<Low>, dt: f64, time: f64) {
    /// What rounding can leave, in parts of what moved.
    const DUST: f64 = 1e-9;
    let state = machine.at(basin.state);
    let moved = |flows: &[u32]| flows.iter().map(|flow| machine.at(*flow).abs() * dt).sum::<f64>();
    match basin.keeps {
        Keeps::Nothing => {
            // Only where its outflows alone took more than there was; other stocks may well be negative.
            let sum = |flows: &[u32]| flows.iter().map(|flow| machine.at(*flow) * dt).sum::<f64>();
            if low.is_none() {
                let (inflow, outflow) = (sum(&basin.inflows), sum(&basin.outflows));
                let before = state - inflow + outflow;
                if before >= 0.0 && inflow >= 0.0 && outflow > 0.0 {
                    *low = Some(Low { time, count: 1 });
                }
            }
        }
        // The stock before was at most what moved, and the little that is negative now.
        _ if state >= -DUST * (moved(&basin.inflows) + moved(&basin.outflows)) => {
            machine.memory[basin.state as usize] = 0.0;
        }
        Keeps::Dust => {}
        Keeps::Zero => {
            machine.memory[basin.state as usize] = 0.0;
            low.get_or_insert(Low { time, count: 0 }).count += 1;
        }
    }
}
