//! Resolved equations to instructions over registers; constants are folded.

mod layout;
mod sites;

use super::order::{Limit, Schedule, Task};
use super::resolve::{Ir, Phase, Resolved, Site};
use crate::ast::{Binary, Unary};
use crate::grid::Grid;
use crate::model::{Kind, Variable};
use crate::problem::Problem;
use crate::program::{Code, Draw, Many, Op, Program, Register, Ring};
use crate::run::functions as f;
use foldhash::fast::RandomState;
use std::collections::HashMap;

/// The most stages that a delay or an average can have.
const MOST_STAGES: f64 = 100.0;

/// What a register is for. Registers are numbered within their class first, and laid out in this order at the end:
/// what is integrated comes first, the stocks and variables of a row lie side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Stage,
    Stock,
    Variable,
    StageRate,
    StockRate,
    Held,
    Constant,
    Scratch,
}

/// How many classes there are.
const CLASSES: usize = 8;

/// The bits of a register's number within its class.
const BITS: u32 = 29;

/// A register before the layout.
const fn register(class: Class, index: u32) -> Register {
    (class as u32) << BITS | index
}

/// Where a value is.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Operand {
    Constant(f64),
    Register(Register),
}

/// What a call site owns.
#[derive(Debug, Clone, Copy, Default)]
struct Owned {
    /// The register of its value.
    value: Register,
    /// The first of its stages, within its class, and how many there are.
    stages: (u32, u32),
    /// The first of the registers of its arguments.
    arguments: Register,
    /// Its index among rings or draws.
    index: u32,
}

struct Emitter<'r, 'm> {
    resolved: &'r Resolved<'m>,
    limits: &'r [Option<Limit>],
    code: Code,
    /// How many registers of each class are in use, and the most that were.
    used: [u32; CLASSES],
    most_scratch: u32,
    constants: HashMap<u64, u32, RandomState>,
    /// Where the value of each variable is.
    values: Vec<Operand>,
    owned: Vec<Owned>,
    /// The non-negative stocks that each flow drains, with whether they limit it.
    drained_by: Vec<Vec<(u32, bool)>>,
    /// The stock that limits each inflow when it is negative.
    settled_by: Vec<Option<u32>>,
    /// What is left for the outflows of each non-negative stock, once the first needs it.
    available: Vec<Option<Register>>,
    rings: Vec<Ring>,
    draws: Vec<Draw>,
    nets: Vec<[Register; 3]>,
    problems: Vec<Problem>,
    dt: f64,
    time: Register,
    /// False in the initial pass.
    running: bool,
}

/// The program of a model, and what stands against it.
pub(super) fn emit(
    resolved: &Resolved<'_>,
    schedule: &Schedule,
    initial_order: &[u32],
    grid: Grid,
) -> (Program, Vec<Problem>) {
    let n = resolved.variables.len();
    let mut emitter = Emitter {
        resolved,
        limits: &schedule.limits,
        code: Code::default(),
        used: [0; CLASSES],
        most_scratch: 0,
        constants: HashMap::default(),
        values: vec![Operand::Constant(f64::NAN); n],
        owned: vec![Owned::default(); resolved.sites.len()],
        drained_by: vec![Vec::new(); n],
        settled_by: vec![None; n],
        available: vec![None; n],
        rings: Vec::new(),
        draws: Vec::new(),
        nets: Vec::new(),
        problems: Vec::new(),
        dt: grid.dt,
        time: register(Class::Held, 0),
        running: true,
    };
    emitter.used[Class::Held as usize] = 1;
    for (stock, limit) in schedule.limits.iter().enumerate() {
        for &(flow, limited) in limit.iter().flat_map(|limit| &limit.outflows) {
            emitter.drained_by[flow as usize].push((stock as u32, limited));
        }
        for &flow in limit.iter().flat_map(|limit| &limit.settled) {
            emitter.settled_by[flow as usize] = Some(stock as u32);
        }
    }
    for (v, variable) in resolved.variables.iter().enumerate() {
        if matches!(variable.kind, Kind::Stock { .. }) {
            emitter.values[v] = Operand::Register(emitter.new_register(Class::Stock));
            // Of the same index.
            emitter.new_register(Class::StockRate);
        }
    }

    let mut sites = vec![Vec::new(); n];
    for (index, site) in resolved.sites.iter().enumerate() {
        sites[site.owner as usize].push(index as u32);
    }
    for task in &schedule.tasks {
        match *task {
            Task::Evaluate(v) => emitter.evaluate(v, &sites[v as usize]),
            Task::Settle(v) => emitter.settle(v),
        }
    }
    let values = emitter.code.ops.len();
    for v in 0..n as u32 {
        emitter.changes(v, &sites[v as usize]);
    }
    let step = emitter.take_code();
    emitter.running = false;
    for &node in initial_order {
        if (node as usize) < n {
            emitter.start_variable(node);
        } else {
            emitter.start_site(node - n as u32);
        }
    }
    emitter.start_delay_times();
    let initial = emitter.take_code();
    emitter.finish(schedule, grid, [initial, step], values)
}

impl Emitter<'_, '_> {
    fn new_register(&mut self, class: Class) -> Register {
        self.new_registers(class, 1)
    }

    /// The first of several registers side by side.
    fn new_registers(&mut self, class: Class, count: u32) -> Register {
        let used = &mut self.used[class as usize];
        let first = *used;
        *used += count;
        if class == Class::Scratch {
            self.most_scratch = self.most_scratch.max(*used);
        }
        register(class, first)
    }

    fn constant(&mut self, value: f64) -> Register {
        let next = self.constants.len() as u32;
        register(Class::Constant, *self.constants.entry(value.to_bits()).or_insert(next))
    }

    fn load(&mut self, operand: Operand) -> Register {
        match operand {
            Operand::Constant(value) => self.constant(value),
            Operand::Register(register) => register,
        }
    }

    fn push(&mut self, op: Op) {
        self.code.ops.push(op);
    }

    /// Ends the instructions that come from the equation of `v`.
    fn end_of(&mut self, v: u32) {
        let end = self.code.ops.len() as u32;
        if self.code.owners.last().is_none_or(|&(before, _)| before < end) {
            self.code.owners.push((end, v));
        }
        self.used[Class::Scratch as usize] = 0;
    }

    fn take_code(&mut self) -> Code {
        std::mem::take(&mut self.code)
    }

    fn variable(&self, v: u32) -> &Variable {
        self.resolved.variables[v as usize]
    }

    fn site(&self, s: u32) -> &Site {
        &self.resolved.sites[s as usize]
    }

    // ---- Expressions ----

    /// Computes an expression, into the register `into` where an instruction is needed and one is given.
    fn expression(&mut self, ir: &Ir, into: Option<Register>) -> Operand {
        match ir {
            Ir::Number(number) => Operand::Constant(*number),
            Ir::Variable(u) => self.values[*u as usize],
            Ir::Time => Operand::Register(self.time),
            Ir::Site(s) => Operand::Register(self.owned[*s as usize].value),
            Ir::ActiveInitial(parts) => self.expression(&parts[usize::from(!self.running)], into),
            Ir::Unary(operator, a) => self.unary(*operator, a, into),
            Ir::Binary(operator, a, b) => {
                // Only two of the four orders have an instruction.
                match operator {
                    Binary::Greater => self.binary(Binary::Less, b, a, into),
                    Binary::GreaterEqual => self.binary(Binary::LessEqual, b, a, into),
                    _ => self.binary(*operator, a, b, into),
                }
            }
            Ir::Min(a, b) => self.two(a, b, into, f::min, |d, a, b| Op::Min { d, a, b }),
            Ir::Max(a, b) => self.two(a, b, into, f::max, |d, a, b| Op::Max { d, a, b }),
            Ir::If(parts) => self.branch(parts, into),
            Ir::One(function, a) => {
                let function = *function;
                self.single(a, into, |x| f::one(function, x), |d, a| Op::One { function, d, a })
            }
            Ir::Many(function, arguments) => self.many(*function, arguments, into),
            Ir::Lookup(table, a) => {
                let operand = self.expression(a, None);
                self.lookup(*table, operand, into)
            }
        }
    }

    /// Computes an expression into a register of its own.
    fn expression_to(&mut self, ir: &Ir, d: Register) {
        let operand = self.expression(ir, Some(d));
        self.copy(operand, d);
    }

    fn copy(&mut self, operand: Operand, d: Register) {
        if operand != Operand::Register(d) {
            let a = self.load(operand);
            self.push(Op::Copy { d, a });
        }
    }

    /// Where a result goes; scratch registers from `mark` on are free again.
    fn result(&mut self, into: Option<Register>, mark: u32) -> Register {
        self.used[Class::Scratch as usize] = mark;
        into.unwrap_or_else(|| self.new_register(Class::Scratch))
    }

    fn mark(&self) -> u32 {
        self.used[Class::Scratch as usize]
    }

    fn unary(&mut self, operator: Unary, a: &Ir, into: Option<Register>) -> Operand {
        match operator {
            Unary::Plus => self.expression(a, into),
            Unary::Minus => self.single(a, into, |x| -x, |d, a| Op::Negate { d, a }),
            Unary::Not => self.single(a, into, f::not, |d, a| Op::Not { d, a }),
        }
    }

    fn single(
        &mut self,
        a: &Ir,
        into: Option<Register>,
        fold: impl Fn(f64) -> f64,
        op: impl Fn(Register, Register) -> Op,
    ) -> Operand {
        let mark = self.mark();
        let a = self.expression(a, None);
        if let Operand::Constant(x) = a
            && let Some(y) = folded(fold(x), &[x])
        {
            return Operand::Constant(y);
        }
        let a = self.load(a);
        let d = self.result(into, mark);
        self.push(op(d, a));
        Operand::Register(d)
    }

    fn two(
        &mut self,
        a: &Ir,
        b: &Ir,
        into: Option<Register>,
        fold: impl Fn(f64, f64) -> f64,
        op: impl Fn(Register, Register, Register) -> Op,
    ) -> Operand {
        let mark = self.mark();
        let a = self.expression(a, None);
        let b = self.expression(b, None);
        if let (Operand::Constant(x), Operand::Constant(y)) = (a, b)
            && let Some(z) = folded(fold(x, y), &[x, y])
        {
            return Operand::Constant(z);
        }
        let (a, b) = (self.load(a), self.load(b));
        let d = self.result(into, mark);
        self.push(op(d, a, b));
        Operand::Register(d)
    }

    fn binary(&mut self, operator: Binary, a: &Ir, b: &Ir, into: Option<Register>) -> Operand {
        match operator {
            Binary::Power => self.two(a, b, into, f64::powf, |d, a, b| Op::Power { d, a, b }),
            Binary::Multiply => self.two(a, b, into, |x, y| x * y, |d, a, b| Op::Multiply { d, a, b }),
            Binary::Divide => self.two(a, b, into, |x, y| x / y, |d, a, b| Op::Divide { d, a, b }),
            Binary::Modulo => self.two(a, b, into, f::modulo, |d, a, b| Op::Modulo { d, a, b }),
            Binary::Add => self.two(a, b, into, |x, y| x + y, |d, a, b| Op::Add { d, a, b }),
            Binary::Subtract => self.two(a, b, into, |x, y| x - y, |d, a, b| Op::Subtract { d, a, b }),
            Binary::Less | Binary::Greater => {
                self.two(a, b, into, |x, y| f::truth(x < y), |d, a, b| Op::Less { d, a, b })
            }
            Binary::LessEqual | Binary::GreaterEqual => {
                self.two(a, b, into, |x, y| f::truth(x <= y), |d, a, b| Op::LessEqual { d, a, b })
            }
            Binary::Equal => self.two(a, b, into, |x, y| f::truth(x == y), |d, a, b| Op::Equal { d, a, b }),
            Binary::NotEqual => self.two(a, b, into, |x, y| f::truth(x != y), |d, a, b| Op::NotEqual { d, a, b }),
            Binary::And => self.two(a, b, into, f::and, |d, a, b| Op::And { d, a, b }),
            Binary::Or => self.two(a, b, into, f::or, |d, a, b| Op::Or { d, a, b }),
        }
    }

    /// Only the chosen branch is computed.
    fn branch(&mut self, [condition, then, otherwise]: &[Ir; 3], into: Option<Register>) -> Operand {
        let mark = self.mark();
        let condition = match self.expression(condition, None) {
            Operand::Constant(x) if x.is_nan() => return Operand::Constant(x),
            Operand::Constant(x) => return self.expression(if x == 0.0 { otherwise } else { then }, into),
            Operand::Register(register) => register,
        };
        let d = self.result(into, mark);
        let fork = self.code.ops.len();
        self.push(Op::Jump { to: 0 });
        self.expression_to(then, d);
        let join = self.code.ops.len();
        self.push(Op::Jump { to: 0 });
        self.code.ops[fork] = Op::Branch {
            d,
            condition,
            otherwise: join as u32 + 1,
        };
        self.expression_to(otherwise, d);
        self.code.ops[join] = Op::Jump {
            to: self.code.ops.len() as u32,
        };
        Operand::Register(d)
    }

    fn many(&mut self, function: Many, arguments: &[Ir], into: Option<Register>) -> Operand {
        let mark = self.mark();
        let a = self.new_registers(Class::Scratch, arguments.len() as u32);
        for (at, argument) in (a..).zip(arguments) {
            self.expression_to(argument, at);
        }
        let d = self.result(into, mark);
        self.push(Op::Many { function, d, a });
        Operand::Register(d)
    }

    fn lookup(&mut self, table: u32, x: Operand, into: Option<Register>) -> Operand {
        if let Operand::Constant(x) = x {
            return Operand::Constant(f::graphical(&self.resolved.tables[table as usize], x));
        }
        let a = self.load(x);
        let d = into.unwrap_or_else(|| self.new_register(Class::Scratch));
        self.push(Op::Lookup { d, table, a });
        Operand::Register(d)
    }

    // ---- Values ----

    /// The value of a variable that is no stock.
    fn evaluate(&mut self, v: u32, sites: &[u32]) {
        for &s in sites {
            self.own(s);
            if self.site(s).phase == Phase::Now {
                self.site_value(s);
            }
        }
        let resolved = self.resolved;
        let equation = &resolved.equations[v as usize];
        let limits = std::mem::take(&mut self.drained_by[v as usize]);
        // Else its own register may come to hold another value than the expression's.
        let is_fixed = limits.is_empty() && self.settled_by[v as usize].is_none() && !has_initial(equation);
        let d = register(Class::Variable, self.used[Class::Variable as usize]);
        let value = self.raw_value(v, d);
        match value {
            Operand::Constant(_) if is_fixed => self.values[v as usize] = value,
            Operand::Register(r) if is_fixed && matches!(equation, Ir::Variable(_)) && r != d => {
                self.values[v as usize] = value;
            }
            _ => {
                self.new_register(Class::Variable);
                self.copy(value, d);
                self.values[v as usize] = Operand::Register(d);
            }
        }
        for (stock, limited) in limits {
            self.limit_outflow(v, stock, limited);
        }
        self.end_of(v);
    }

    /// The value of an equation, through its graphical function and, for a uniflow, not below zero.
    fn raw_value(&mut self, v: u32, d: Register) -> Operand {
        let resolved = self.resolved;
        let mut value = self.expression(&resolved.equations[v as usize], Some(d));
        if let Some(table) = resolved.graphical[v as usize] {
            value = self.lookup(table, value, Some(d));
        }
        if self.variable(v).kind == (Kind::Flow { uniflow: true }) {
            value = match value {
                Operand::Constant(x) => Operand::Constant(f::max(0.0, x)),
                Operand::Register(b) => {
                    let a = self.constant(0.0);
                    self.push(Op::Max { d, a, b });
                    Operand::Register(d)
                }
            };
        }
        value
    }

    /// Limits a flow, as an outflow of a non-negative stock, to what the outflows before it left.
    fn limit_outflow(&mut self, v: u32, stock: u32, limited: bool) {
        let flow = self.load(self.values[v as usize]);
        let available = self.available(stock);
        self.push(if limited {
            Op::LimitOutflow { flow, available }
        } else {
            Op::Subtract {
                d: available,
                a: available,
                b: flow,
            }
        });
    }

    /// Limits a negative inflow to what the outflows of its stock left.
    fn settle(&mut self, v: u32) {
        if let Some(stock) = self.settled_by[v as usize] {
            let flow = self.load(self.values[v as usize]);
            let available = self.available(stock);
            self.push(Op::LimitInflow { flow, available });
            self.end_of(v);
        }
    }

    /// The register of what is left in a non-negative stock for this step.
    fn available(&mut self, stock: u32) -> Register {
        if let Some(available) = self.available[stock as usize] {
            return available;
        }
        let d = self.new_register(Class::Held);
        self.available[stock as usize] = Some(d);
        let a = self.load(self.values[stock as usize]);
        let b = self.constant(self.dt);
        self.push(Op::Divide { d, a, b });
        let zero = self.constant(0.0);
        let inflows = self.limits[stock as usize].iter().flat_map(|limit| &limit.inflows);
        for &inflow in inflows {
            let a = self.load(self.values[inflow as usize]);
            let positive = self.new_register(Class::Scratch);
            self.push(Op::Max {
                d: positive,
                a,
                b: zero,
            });
            self.push(Op::Add { d, a: d, b: positive });
        }
        d
    }

    // ---- Rates of change ----

    /// Rates of change: of a stock, and of what the call sites of another variable remember.
    fn changes(&mut self, v: u32, sites: &[u32]) {
        if let Operand::Register(stock) = self.values[v as usize]
            && let Kind::Stock { .. } = self.variable(v).kind
        {
            for &s in sites {
                self.own(s);
            }
            let rate = register(Class::StockRate, stock & ((1 << BITS) - 1));
            self.net_flow(v, rate);
        } else {
            for &s in sites {
                if self.site(s).phase == Phase::Late {
                    self.site_value(s);
                }
                if self.site(s).phase != Phase::Initial {
                    self.site_change(s);
                }
            }
        }
        self.end_of(v);
    }

    /// The sum of a stock's inflows less that of its outflows.
    fn net_flow(&mut self, v: u32, d: Register) {
        let resolved = self.resolved;
        let ends = &resolved.ends[v as usize];
        if !(ends.inflows.is_empty() && ends.outflows.is_empty()) {
            let inflow = self.sum(&ends.inflows);
            let outflow = self.sum(&ends.outflows);
            self.nets.push([d, inflow, outflow]);
        }
    }

    /// The register of the sum of some flows.
    fn sum(&mut self, flows: &[u32]) -> Register {
        let Some((first, others)) = flows.split_first() else {
            return self.constant(0.0);
        };
        let mut sum = self.load(self.values[*first as usize]);
        if !others.is_empty() {
            let d = self.new_register(Class::Held);
            for flow in others {
                let b = self.load(self.values[*flow as usize]);
                self.push(Op::Add { d, a: sum, b });
                sum = d;
            }
        }
        sum
    }

    // ---- The initial pass ----

    /// What a variable is at the start.
    fn start_variable(&mut self, v: u32) {
        if let Operand::Register(d) = self.values[v as usize] {
            let value = self.raw_value(v, d);
            self.copy(value, d);
            self.end_of(v);
        }
    }
}

/// The value of an operation on constants; none where it has to be computed, and reported, during the run.
fn folded(value: f64, operands: &[f64]) -> Option<f64> {
    let is_fault = !value.is_finite() && operands.iter().all(|x| x.is_finite());
    (!is_fault).then_some(value)
}

/// True when the value in the initial pass may be another one.
fn has_initial(ir: &Ir) -> bool {
    match ir {
        Ir::Number(_) | Ir::Variable(_) | Ir::Time | Ir::Site(_) => false,
        Ir::ActiveInitial(_) => true,
        Ir::Unary(_, a) | Ir::One(_, a) | Ir::Lookup(_, a) => has_initial(a),
        Ir::Binary(_, a, b) | Ir::Min(a, b) | Ir::Max(a, b) => has_initial(a) || has_initial(b),
        Ir::If(parts) => parts.iter().any(has_initial),
        Ir::Many(_, arguments) => arguments.iter().any(has_initial),
    }
}
