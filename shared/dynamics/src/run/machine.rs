//! The machine that carries out a program's instructions.

use super::faults::{FaultKind, Faults};
use super::functions::{
    TOLERANCE, and, forecast, graphical, has_domain, is_beyond, max, min, modulo, not, one, or, pulse, pulse_train,
    quantum, ramp, step_input, trend, truth, vensim_pulse,
};
use super::random::Generator;
use crate::program::{Code, Draw, Held, Many, Op, Program, Register, Ring};

/// Values of Vensim's ZIDZ and XIDZ that count as zero.
const NEARLY_ZERO: f64 = 1e-6;

/// The state of a run.
#[derive(Debug)]
pub(super) struct Machine<'p> {
    pub(super) memory: Vec<f64>,
    pub(super) faults: Faults,
    /// The step being computed.
    pub(super) step: u64,
    /// Its time; in the stages of RK4 the register of TIME runs ahead of it.
    pub(super) now: f64,
    rings: Vec<Lag>,
    generators: Vec<Option<(Generator, u64)>>,
    program: &'p Program,
    seed: u64,
}

/// The values that are under way in a ring.
#[derive(Debug)]
struct Lag {
    /// How many steps they take.
    steps: u64,
    /// One for each of those steps, where the run is long enough for any to arrive.
    values: Vec<f64>,
}

impl<'p> Machine<'p> {
    pub(super) fn new(program: &'p Program, seed: u64) -> Self {
        let ring = |_: &Ring| Lag {
            steps: 1,
            values: Vec::new(),
        };
        Self {
            memory: program.memory.clone(),
            faults: Faults::default(),
            step: 0,
            now: program.grid.start,
            rings: program.rings.iter().map(ring).collect(),
            generators: vec![None; program.draws.len()],
            program,
            seed,
        }
    }

    /// The value in a register.
    pub(super) fn at(&self, register: Register) -> f64 {
        self.memory[register as usize]
    }

    /// Fixes how long each ring is; answers how many values they hold together in a run of `steps` steps.
    pub(super) fn measure_rings(&mut self, steps: u64) -> u64 {
        let mut total = 0_u64;
        for at in 0..self.rings.len() {
            let ring = self.program.rings[at];
            let Some(time) = ring.time.map(|register| self.at(register)) else {
                total = total.saturating_add(1);
                continue;
            };
            if time.is_nan() {
                self.faults.note(FaultKind::DelayTime, ring.owner, 0, self.now);
            }
            // `as` takes NaN and negative numbers for 0.
            let lag = ((time / self.program.grid.dt + 0.5 + TOLERANCE).floor() as u64).max(1);
            self.rings[at].steps = lag;
            if lag <= steps {
                total = total.saturating_add(lag);
            }
        }
        total
    }

    /// Makes room in the rings for a run of `steps` steps.
    pub(super) fn fill_rings(&mut self, steps: u64) {
        for ring in self.rings.iter_mut().filter(|ring| ring.steps <= steps) {
            ring.values = vec![0.0; ring.steps as usize];
        }
    }

    /// Pushes the inputs of this step into the rings.
    pub(super) fn push_rings(&mut self) {
        for (lag, ring) in self.rings.iter_mut().zip(&self.program.rings) {
            if !lag.values.is_empty() {
                lag.values[(self.step % lag.steps) as usize] = self.memory[ring.input as usize];
            }
        }
    }

    /// Computes the rates of change of the stocks.
    pub(super) fn add_up_flows(&mut self) {
        let m = self.memory.as_mut_slice();
        for &[rate, inflow, outflow] in &self.program.nets {
            m[rate as usize] = m[inflow as usize] - m[outflow as usize];
        }
    }

    /// Carries out the instructions of `code` before `end`. In a `STAGE` of RK4, what is held keeps its value.
    pub(super) fn execute<const STAGE: bool>(&mut self, code: &Code, end: usize) {
        let m = self.memory.as_mut_slice();
        let dt = self.program.grid.dt;
        let (step, now) = (self.step, self.now);
        let ops = &code.ops[..end];
        let mut at = 0;
        // The registers of the operands, their value, and where the result goes.
        macro_rules! r {
            ($r:expr) => {
                m[$r as usize]
            };
        }
        macro_rules! fault {
            ($kind:ident) => {
                self.faults.note(FaultKind::$kind, code.owner(at - 1), step, now)
            };
        }
        while let Some(&op) = ops.get(at) {
            at += 1;
            match op {
                Op::Copy { d, a } => r!(d) = r!(a),
                Op::Negate { d, a } => r!(d) = -r!(a),
                Op::Not { d, a } => r!(d) = not(r!(a)),
                Op::Add { d, a, b } => r!(d) = r!(a) + r!(b),
                Op::Subtract { d, a, b } => r!(d) = r!(a) - r!(b),
                Op::Multiply { d, a, b } => r!(d) = r!(a) * r!(b),
                Op::Divide { d, a, b } => {
                    let by = r!(b);
                    if by == 0.0 {
                        fault!(DivisionByZero);
                    }
                    r!(d) = r!(a) / by;
                }
                Op::Modulo { d, a, b } => {
                    let by = r!(b);
                    if by == 0.0 {
                        fault!(DivisionByZero);
                    }
                    r!(d) = modulo(r!(a), by);
                }
                Op::Power { d, a, b } => r!(d) = r!(a).powf(r!(b)),
                Op::Less { d, a, b } => r!(d) = truth(r!(a) < r!(b)),
                Op::LessEqual { d, a, b } => r!(d) = truth(r!(a) <= r!(b)),
                Op::Equal { d, a, b } => r!(d) = truth(r!(a) == r!(b)),
                Op::NotEqual { d, a, b } => r!(d) = truth(r!(a) != r!(b)),
                Op::And { d, a, b } => r!(d) = and(r!(a), r!(b)),
                Op::Or { d, a, b } => r!(d) = or(r!(a), r!(b)),
                Op::Min { d, a, b } => r!(d) = min(r!(a), r!(b)),
                Op::Max { d, a, b } => r!(d) = max(r!(a), r!(b)),
                Op::Branch {
                    d,
                    condition,
                    otherwise,
                } => {
                    let condition = r!(condition);
                    if condition == 0.0 {
                        at = otherwise as usize;
                    } else if condition.is_nan() {
                        r!(d) = f64::NAN;
                        at = otherwise as usize - 1;
                    }
                }
                Op::Jump { to } => at = to as usize,
                Op::One { function, d, a } => {
                    let x = r!(a);
                    let y = one(function, x);
                    if !y.is_finite() && has_domain(function) && x.is_finite() {
                        fault!(Domain);
                    }
                    r!(d) = y;
                }
                Op::Many { function, d, a } => {
                    let first = a as usize;
                    let x = |i: usize| m[first + i];
                    let value = match function {
                        Many::Ramp => ramp(m[self.program.time as usize], x(0), x(1), x(2)),
                        Many::SafeDivide => {
                            if x(1) == 0.0 {
                                x(2)
                            } else {
                                x(0) / x(1)
                            }
                        }
                        Many::NearSafeDivide => {
                            if x(1).abs() < NEARLY_ZERO {
                                x(2)
                            } else {
                                x(0) / x(1)
                            }
                        }
                        Many::Quantum => quantum(x(0), x(1)),
                        Many::Logarithm => {
                            let y = x(0).ln() / x(1).ln();
                            if !y.is_finite() && x(0).is_finite() && x(1).is_finite() {
                                fault!(Domain);
                            }
                            y
                        }
                        Many::Remainder => {
                            if x(1) == 0.0 {
                                fault!(DivisionByZero);
                            }
                            x(0) % x(1)
                        }
                        Many::Trend => trend(x(0), x(1), x(2)),
                        Many::Forecast => forecast(x(0), x(1), x(2), x(3)),
                    };
                    r!(d) = value;
                }
                Op::Held { function, d, a } => {
                    if STAGE {
                        continue;
                    }
                    let first = a as usize;
                    let x = |i: usize| m[first + i];
                    let value = match function {
                        Held::Step => step_input(now, dt, x(0), x(1)),
                        Held::Pulse => pulse(now, dt, x(0), x(1), x(2)),
                        Held::VensimPulse => vensim_pulse(now, dt, x(0), x(1)),
                        Held::PulseTrain => pulse_train(now, dt, [x(0), x(1), x(2), x(3)]),
                    };
                    r!(d) = value;
                }
                Op::Lookup { d, table, a } => {
                    let x = r!(a);
                    let table = &self.program.tables[table as usize];
                    if is_beyond(table, x) {
                        fault!(OutsideTable);
                    }
                    r!(d) = graphical(table, x);
                }
                Op::StageTime { d, a, b } => {
                    let time = r!(a);
                    r!(d) = if time > 0.0 {
                        time / r!(b)
                    } else {
                        fault!(DelayTime);
                        f64::NAN
                    };
                }
                Op::LimitOutflow { flow, available } => {
                    let wanted = r!(flow);
                    let value = if wanted > 0.0 {
                        min(wanted, max(r!(available), 0.0))
                    } else {
                        wanted
                    };
                    r!(flow) = value;
                    r!(available) -= value;
                }
                Op::LimitInflow { flow, available } => {
                    let wanted = r!(flow);
                    if wanted < 0.0 {
                        let value = max(wanted, -max(r!(available), 0.0));
                        r!(flow) = value;
                        r!(available) += value;
                    }
                }
                Op::Ring { d, ring } => {
                    if STAGE {
                        continue;
                    }
                    let lag = &self.rings[ring as usize];
                    r!(d) = if step < lag.steps {
                        r!(self.program.rings[ring as usize].initial)
                    } else {
                        lag.values.get((step % lag.steps) as usize).copied().unwrap_or(f64::NAN)
                    };
                }
                Op::Sample { d, condition, a } => {
                    if STAGE {
                        continue;
                    }
                    let condition = r!(condition);
                    if condition.is_nan() {
                        r!(d) = f64::NAN;
                    } else if condition != 0.0 {
                        r!(d) = r!(a);
                    }
                }
                Op::Draw { d, site } => {
                    if STAGE {
                        continue;
                    }
                    let Draw {
                        distribution,
                        arguments,
                        count,
                        seed,
                    } = self.program.draws[site as usize];
                    let seed = seed.map(|register| r!(register));
                    let (generator, drawn) = self.generators[site as usize]
                        .get_or_insert_with(|| (Generator::new(self.seed, site, seed), u64::MAX));
                    // The initial pass and the first step share one draw.
                    if *drawn != step {
                        *drawn = step;
                        let mut values = [0.0; 4];
                        let first = arguments as usize;
                        values[..count as usize].copy_from_slice(&m[first..first + count as usize]);
                        r!(d) = generator.draw(distribution, values);
                    }
                }
            }
        }
    }
}
