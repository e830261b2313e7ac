//! Resolved equations to instructions over registers; constants are folded.

use super::order::{Limit, Schedule, Task};
use super::resolve::{Ir, Phase, Resolved, Site, SiteKind};
use crate::ast::{Binary, Unary};
use crate::grid::{Grid, Method};
use crate::model::{Kind, Variable};
use crate::problem::{Level, Problem};
use crate::program::{Basin, Code, Column, ColumnKind, Draw, Held, Keeps, Many, Op, Place, Program, Register, Ring};
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

    // ---- Call sites ----

    /// Gives a call site its registers.
    fn own(&mut self, s: u32) {
        let (kind, has_initial) = (self.site(s).kind, self.site(s).initial.is_some());
        let arguments = self.site(s).arguments.len() as u32;
        let mut owned = Owned::default();
        match kind {
            SiteKind::Material(_) | SiteKind::Smooth(_) => {
                let count = self.stages(s);
                owned.stages = self.new_stages(count);
            }
            SiteKind::Trend | SiteKind::Forecast => owned.stages = self.new_stages(1),
            _ => {}
        }
        owned.value = match kind {
            SiteKind::Smooth(_) => register(Class::Stage, owned.stages.0 + owned.stages.1 - 1),
            _ => self.new_register(Class::Held),
        };
        match kind {
            // The time of one stage.
            SiteKind::Material(_) => owned.arguments = self.new_register(Class::Held),
            // The arguments, then the average.
            SiteKind::Trend | SiteKind::Forecast => {
                owned.arguments = self.new_registers(Class::Held, arguments + 1);
            }
            SiteKind::Draw(distribution) => {
                owned.arguments = self.new_registers(Class::Held, arguments);
                owned.index = self.draws.len() as u32;
                let seed = has_initial.then(|| self.new_register(Class::Held));
                self.draws.push(Draw {
                    distribution,
                    arguments: owned.arguments,
                    count: arguments,
                    seed,
                });
            }
            SiteKind::Previous | SiteKind::Delay => {
                owned.index = self.rings.len() as u32;
                let initial = self.new_register(Class::Held);
                let time = (kind == SiteKind::Delay).then(|| self.new_register(Class::Held));
                self.rings.push(Ring {
                    input: initial,
                    initial,
                    time,
                    owner: self.site(s).owner,
                });
            }
            _ => {}
        }
        self.owned[s as usize] = owned;
    }

    fn new_stages(&mut self, count: u32) -> (u32, u32) {
        let first = self.used[Class::Stage as usize];
        self.new_registers(Class::Stage, count);
        self.new_registers(Class::StageRate, count);
        (first, count)
    }

    /// How many stages a delay or an average has.
    fn stages(&mut self, s: u32) -> u32 {
        let resolved = self.resolved;
        let site = &resolved.sites[s as usize];
        if let SiteKind::Material(fixed @ 1..) | SiteKind::Smooth(fixed @ 1..) = site.kind {
            return fixed;
        }
        let order = site.order.as_ref().map(|order| self.expression(order, None));
        match order {
            Some(Operand::Constant(n)) if (1.0..=MOST_STAGES).contains(&n.round()) => n.round() as u32,
            _ => {
                let found = match order {
                    Some(Operand::Constant(n)) => format!("is {n}"),
                    _ => "is no constant".to_owned(),
                };
                let message = format!("the order of {} {found}", site.spelling);
                let fix = format!("give a whole number from 1 to {MOST_STAGES}");
                self.problems.push(
                    Problem::of(self.variable(site.owner), "wrong-arguments", Level::Error, message, fix)
                        .at(site.span.clone()),
                );
                1
            }
        }
    }

    /// The time that one stage of a call takes, into `d`.
    fn stage_time(&mut self, s: u32, d: Register) {
        let resolved = self.resolved;
        let site = &resolved.sites[s as usize];
        let stages = f64::from(self.owned[s as usize].stages.1);
        let time = self.expression(&site.arguments[1], Some(d));
        if let Operand::Constant(time) = time
            && self.running
            && time > 0.0
            && time / stages < self.dt
        {
            let per = if stages > 1.0 { " for each of its stages" } else { "" };
            let message = format!(
                "{} takes {}{per}, less than one step of {}: its value swings or grows without bound",
                site.spelling,
                time / stages,
                self.dt
            );
            let fix = format!("choose dt at most {}", time / stages / 2.0);
            self.problems.push(
                Problem::of(self.variable(site.owner), "dt-too-large", Level::Warning, message, fix)
                    .at(site.span.clone()),
            );
        }
        let a = self.load(time);
        let b = self.constant(stages);
        self.push(Op::StageTime { d, a, b });
    }

    /// The value of a call now, from its state and what it needs at once.
    fn site_value(&mut self, s: u32) {
        let resolved = self.resolved;
        let site = &resolved.sites[s as usize];
        let owned = self.owned[s as usize];
        let d = owned.value;
        match site.kind {
            SiteKind::Init | SiteKind::Smooth(_) => {}
            SiteKind::Previous | SiteKind::Delay => self.push(if self.running {
                Op::Ring { d, ring: owned.index }
            } else {
                Op::Copy {
                    d,
                    a: self.rings[owned.index as usize].initial,
                }
            }),
            SiteKind::Material(_) => {
                if self.running {
                    self.stage_time(s, owned.arguments);
                }
                self.push(Op::Divide {
                    d,
                    a: register(Class::Stage, owned.stages.0 + owned.stages.1 - 1),
                    b: owned.arguments,
                });
            }
            SiteKind::Trend | SiteKind::Forecast => {
                if self.running {
                    self.averaged(s);
                }
                let average = owned.arguments + site.arguments.len() as u32;
                self.copy(Operand::Register(register(Class::Stage, owned.stages.0)), average);
                let function = match site.kind {
                    SiteKind::Trend => Many::Trend,
                    _ => Many::Forecast,
                };
                self.push(Op::Many {
                    function,
                    d,
                    a: owned.arguments,
                });
            }
            SiteKind::Sample => {
                let condition = self.expression(&site.arguments[0], None);
                let a = self.expression(&site.arguments[1], None);
                let (condition, a) = (self.load(condition), self.load(a));
                self.push(Op::Sample { d, condition, a });
            }
            SiteKind::Draw(_) => {
                for (at, argument) in (owned.arguments..).zip(&site.arguments) {
                    self.expression_to(argument, at);
                }
                self.push(Op::Draw { d, site: owned.index });
            }
            SiteKind::Held(function) => self.held(function, &site.arguments, d),
        }
    }

    fn held(&mut self, function: Held, arguments: &[Ir], d: Register) {
        let a = self.new_registers(Class::Scratch, arguments.len() as u32);
        for (at, argument) in (a..).zip(arguments) {
            self.expression_to(argument, at);
        }
        self.push(Op::Held { function, d, a });
    }

    /// The arguments of TREND and FORCST: x, the averaging time, the horizon.
    fn averaged(&mut self, s: u32) {
        let resolved = self.resolved;
        let first = self.owned[s as usize].arguments;
        for (at, argument) in resolved.sites[s as usize].arguments.iter().enumerate() {
            let d = first + at as u32;
            match at {
                1 => self.stage_time(s, d),
                _ => self.expression_to(argument, d),
            }
        }
    }

    /// The rates of change of a call's stages, and what goes into its ring.
    fn site_change(&mut self, s: u32) {
        let resolved = self.resolved;
        let site = &resolved.sites[s as usize];
        let owned = self.owned[s as usize];
        let (first, count) = owned.stages;
        let stages = (first..first + count).map(|i| (register(Class::Stage, i), register(Class::StageRate, i)));
        match site.kind {
            SiteKind::Material(_) => {
                let input = self.expression(&site.arguments[0], None);
                let mut before = self.load(input);
                for (stage, rate) in stages {
                    let after = if stage == register(Class::Stage, first + count - 1) {
                        owned.value
                    } else {
                        let d = self.new_register(Class::Scratch);
                        self.push(Op::Divide {
                            d,
                            a: stage,
                            b: owned.arguments,
                        });
                        d
                    };
                    self.push(Op::Subtract {
                        d: rate,
                        a: before,
                        b: after,
                    });
                    before = after;
                }
            }
            SiteKind::Smooth(_) => {
                let time = self.new_register(Class::Scratch);
                self.stage_time(s, time);
                let input = self.expression(&site.arguments[0], None);
                let mut before = self.load(input);
                for (stage, rate) in stages {
                    self.approach(before, stage, time, rate);
                    before = stage;
                }
            }
            SiteKind::Trend | SiteKind::Forecast => {
                let (x, time) = (owned.arguments, owned.arguments + 1);
                for (stage, rate) in stages {
                    self.approach(x, stage, time, rate);
                }
            }
            SiteKind::Previous | SiteKind::Delay => {
                let input = match self.expression(&site.arguments[0], None) {
                    // Scratch is used again before the rings are filled.
                    Operand::Register(r) if r >> BITS == Class::Scratch as u32 => {
                        let d = self.new_register(Class::Held);
                        self.copy(Operand::Register(r), d);
                        d
                    }
                    operand => self.load(operand),
                };
                self.rings[owned.index as usize].input = input;
            }
            SiteKind::Init | SiteKind::Sample | SiteKind::Draw(_) | SiteKind::Held(_) => {}
        }
    }

    /// `rate = (goal - level) / time`
    fn approach(&mut self, goal: Register, level: Register, time: Register, rate: Register) {
        self.push(Op::Subtract {
            d: rate,
            a: goal,
            b: level,
        });
        self.push(Op::Divide {
            d: rate,
            a: rate,
            b: time,
        });
    }

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

    /// What a call remembers at the start.
    fn start_site(&mut self, s: u32) {
        let resolved = self.resolved;
        let site = &resolved.sites[s as usize];
        let owned = self.owned[s as usize];
        let (first, count) = owned.stages;
        // What it starts from: what is given, else the input.
        let start = site.initial.as_ref().or(site.arguments.first());
        match site.kind {
            SiteKind::Init => self.expression_to(&site.arguments[0], owned.value),
            SiteKind::Previous | SiteKind::Delay => {
                let initial = self.rings[owned.index as usize].initial;
                if let Some(start) = start {
                    self.expression_to(start, initial);
                }
            }
            SiteKind::Material(_) => {
                self.stage_time(s, owned.arguments);
                let start = start.map_or(Operand::Constant(f64::NAN), |start| self.expression(start, None));
                let a = self.load(start);
                for stage in first..first + count {
                    self.push(Op::Multiply {
                        d: register(Class::Stage, stage),
                        a,
                        b: owned.arguments,
                    });
                }
            }
            SiteKind::Smooth(_) => {
                let start = start.map_or(Operand::Constant(f64::NAN), |start| self.expression(start, None));
                for stage in first..first + count {
                    self.copy(start, register(Class::Stage, stage));
                }
            }
            SiteKind::Trend | SiteKind::Forecast => {
                self.averaged(s);
                let average = register(Class::Stage, first);
                let trend = site
                    .initial
                    .as_ref()
                    .map_or(Operand::Constant(0.0), |trend| self.expression(trend, None));
                // x / (1 + trend * time)
                let (a, one) = (self.load(trend), self.constant(1.0));
                let d = self.new_register(Class::Scratch);
                self.push(Op::Multiply {
                    d,
                    a,
                    b: owned.arguments + 1,
                });
                self.push(Op::Add { d, a: d, b: one });
                self.push(Op::Divide {
                    d: average,
                    a: owned.arguments,
                    b: d,
                });
            }
            SiteKind::Sample => {
                if let Some(initial) = &site.initial {
                    self.expression_to(initial, owned.value);
                }
            }
            SiteKind::Draw(_) => {
                if let (Some(initial), Some(seed)) = (&site.initial, self.draws[owned.index as usize].seed) {
                    self.expression_to(initial, seed);
                }
            }
            SiteKind::Held(_) => {}
        }
        self.site_value(s);
        self.end_of(site.owner);
    }

    /// The times of all DELAYs, which are read once.
    fn start_delay_times(&mut self) {
        let resolved = self.resolved;
        for (s, site) in resolved.sites.iter().enumerate() {
            if site.kind != SiteKind::Delay {
                continue;
            }
            let Some(time) = self.rings[self.owned[s].index as usize].time else {
                continue;
            };
            let operand = self.expression(&site.arguments[1], Some(time));
            if let Operand::Register(r) = operand
                && r >> BITS != Class::Held as u32
            {
                let message = format!(
                    "the time of {} can change, but only its value at the start counts",
                    site.spelling
                );
                let fix = "use DELAY1, DELAY3 or DELAYN where the delay time changes";
                self.problems.push(
                    Problem::of(
                        self.variable(site.owner),
                        "delay-time-changes",
                        Level::Info,
                        message,
                        fix,
                    )
                    .at(site.span.clone()),
                );
            }
            self.copy(operand, time);
            self.end_of(site.owner);
        }
    }

    // ---- Layout ----

    /// Lays the registers out and makes the program.
    fn finish(mut self, schedule: &Schedule, grid: Grid, codes: [Code; 2], values: usize) -> (Program, Vec<Problem>) {
        self.used[Class::Constant as usize] = self.constants.len() as u32;
        self.used[Class::Scratch as usize] = self.most_scratch;
        let mut first = [0; CLASSES];
        let mut size = 0;
        for (first, used) in first.iter_mut().zip(self.used) {
            *first = size;
            size += used;
        }
        let place = |r: Register| first[(r >> BITS) as usize] + (r & ((1 << BITS) - 1));
        let start_of = |class: Class| first[class as usize] as usize;

        let mut memory = vec![0.0; size as usize];
        for (&bits, &index) in &self.constants {
            memory[place(register(Class::Constant, index)) as usize] = f64::from_bits(bits);
        }
        let [initial, step] = codes.map(|mut code| {
            for op in &mut code.ops {
                *op = op.with_registers(place);
            }
            code
        });
        for ring in &mut self.rings {
            ring.input = place(ring.input);
            ring.initial = place(ring.initial);
            ring.time = ring.time.map(place);
        }
        for draw in &mut self.draws {
            draw.arguments = place(draw.arguments);
            draw.seed = draw.seed.map(place);
        }

        let row = start_of(Class::Stock)..start_of(Class::StageRate);
        let columns: Vec<Column> = self
            .resolved
            .variables
            .iter()
            .zip(&self.values)
            .map(|(variable, value)| Column {
                name: variable.name.clone(),
                kind: match variable.kind {
                    Kind::Stock { .. } => ColumnKind::Stock,
                    Kind::Flow { .. } => ColumnKind::Flow,
                    Kind::Auxiliary => ColumnKind::Auxiliary,
                },
                unit: variable.unit.clone(),
                pointer: variable.pointer.clone(),
                place: match *value {
                    Operand::Constant(value) => Place::Constant(value),
                    Operand::Register(r) => Place::Row(place(r) - row.start as u32),
                },
            })
            .collect();
        let basins = (0..columns.len())
            .filter_map(|v| self.basin(v, schedule.limits[v].as_ref(), &grid, place))
            .collect();
        for net in &mut self.nets {
            *net = net.map(place);
        }
        let stocks = (0..columns.len() as u32).filter(|v| columns[*v as usize].kind == ColumnKind::Stock);
        let others = schedule.tasks.iter().filter_map(|task| match task {
            Task::Evaluate(v) => Some(*v),
            Task::Settle(_) => None,
        });
        let order = stocks
            .chain(others)
            .filter(|v| matches!(columns[*v as usize].place, Place::Row(_)))
            .collect();
        let program = Program {
            nets: self.nets,
            basins,
            grid,
            order,
            columns,
            advice: Vec::new(),
            memory,
            states: start_of(Class::Variable),
            row,
            rates: start_of(Class::StageRate),
            time: place(self.time),
            initial,
            step,
            values,
            tables: self.resolved.tables.clone(),
            rings: self.rings,
            draws: self.draws,
        };
        (program, self.problems)
    }
}

impl Emitter<'_, '_> {
    /// What is to be known of a stock that may fall below zero.
    fn basin(
        &self,
        v: usize,
        limit: Option<&Limit>,
        grid: &Grid,
        place: impl Fn(Register) -> Register,
    ) -> Option<Basin> {
        let ends = &self.resolved.ends[v];
        if limit.is_none() && ends.outflows.is_empty() {
            return None;
        }
        let value = |v: u32| match self.values[v as usize] {
            Operand::Register(r) => Some(place(r)),
            // A rate of change has needed it.
            Operand::Constant(x) => {
                let index = *self.constants.get(&x.to_bits())?;
                Some(place(register(Class::Constant, index)))
            }
        };
        Some(Basin {
            state: value(v as u32)?,
            column: v as u32,
            inflows: ends.inflows.iter().filter_map(|flow| value(*flow)).collect(),
            outflows: ends.outflows.iter().filter_map(|flow| value(*flow)).collect(),
            keeps: match limit {
                None => Keeps::Nothing,
                Some(limit) if limit.floor || grid.method == Method::Rk4 => Keeps::Zero,
                Some(_) => Keeps::Dust,
            },
        })
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
