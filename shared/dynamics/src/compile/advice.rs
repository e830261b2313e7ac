//! What the equations alone show: outflows that do not stop, steps that are too long, equality of computed numbers.

use super::resolve::{Equality, Ir, Resolved, SiteKind};
use crate::ast::{Binary, Unary};
use crate::model::{GraphicalKind, Kind};
use crate::numbers::{few_digits, shortest};
use crate::parse::caret;
use crate::problem::{Level, Problem};
use crate::program::{Many, One, Place, Program};
use foldhash::fast::RandomState;
use std::collections::HashMap;

/// How many nodes of expressions are looked at for all stocks together: a model in which everything hangs on
/// everything would else take quadratic time.
const WORK: usize = 2_000_000;

/// How many variables are followed into each other.
const DEPTH: usize = 32;

/// Adds the advice.
pub(super) fn advise(resolved: &Resolved<'_>, program: &Program, problems: &mut Vec<Problem>) {
    let mut judge = Judge {
        resolved,
        program,
        stock: 0,
        ranges: HashMap::default(),
        lines: HashMap::default(),
        work: WORK,
    };
    // The first of each equation.
    let mut told = None;
    for equality in &resolved.equalities {
        if told != Some(equality.owner)
            && let Some(problem) = judge.equality(equality)
        {
            told = Some(equality.owner);
            problems.push(problem);
        }
    }
    let mut is_read = vec![false; resolved.variables.len()];
    let expressions = resolved
        .sites
        .iter()
        .flat_map(|site| site.arguments.iter().chain(&site.initial));
    let flows = resolved.variables.iter().zip(&resolved.equations);
    let flows = flows
        .filter(|(variable, _)| !matches!(variable.kind, Kind::Stock { .. }))
        .map(|(_, equation)| equation);
    for expression in flows.chain(expressions) {
        super::order::walk(expression, true, &mut |leaf| {
            if let Ir::Variable(u) = leaf {
                is_read[*u as usize] = true;
            }
        });
    }
    unconnected(resolved, program, problems);
    for stock in 0..resolved.variables.len() as u32 {
        if !resolved.ends[stock as usize].outflows.is_empty() {
            judge.stock = stock;
            judge.ranges.clear();
            judge.lines.clear();
            problems.extend(judge.step(stock));
            problems.extend(judge.control(stock, is_read[stock as usize]));
        }
    }
}

/// Advice on what nothing flows into, out of, or depends on.
fn unconnected(resolved: &Resolved<'_>, program: &Program, problems: &mut Vec<Problem>) {
    let mut is_read = vec![false; resolved.variables.len()];
    let sites = resolved.sites.iter();
    let of_sites = sites.flat_map(|site| site.arguments.iter().chain(&site.initial).chain(&site.order));
    for expression in resolved.equations.iter().chain(of_sites) {
        for running in [true, false] {
            super::order::walk(expression, running, &mut |leaf| {
                if let Ir::Variable(u) = leaf {
                    is_read[*u as usize] = true;
                }
            });
        }
    }
    let mut is_listed = vec![false; resolved.variables.len()];
    for flow in resolved
        .ends
        .iter()
        .flat_map(|ends| ends.inflows.iter().chain(&ends.outflows))
    {
        is_listed[*flow as usize] = true;
    }
    for (v, variable) in resolved.variables.iter().enumerate() {
        let ends = &resolved.ends[v];
        let name = &variable.name;
        let (code, level, message, fix) = match variable.kind {
            // The validation says the first two of our own documents.
            Kind::Stock { .. } | Kind::Flow { .. } if !variable.pointer.is_empty() => continue,
            Kind::Stock { .. } if ends.inflows.is_empty() && ends.outflows.is_empty() => (
                "inert-stock",
                Level::Warning,
                format!("no flow fills or drains `{name}`"),
                "add a flow from or to it, or make it a variable",
            ),
            Kind::Flow { .. } if !is_listed[v] => (
                "orphan-flow",
                Level::Warning,
                format!("`{name}` fills and drains no stock"),
                "list it with a stock, or make it a variable",
            ),
            // What is computed may be there to be looked at; a constant is not.
            Kind::Auxiliary if !is_read[v] && !is_listed[v] && is_constant(program, v) && !is_setting(name) => (
                "unused-variable",
                Level::Info,
                format!("nothing depends on `{name}`"),
                "use it in an expression, or remove it",
            ),
            _ => continue,
        };
        problems.push(Problem::of(variable, code, level, message, fix));
    }
}

fn is_constant(program: &Program, v: usize) -> bool {
    matches!(program.columns[v].place, Place::Constant(_))
}

/// True for Vensim's settings of a run, which files of other formats carry as variables.
fn is_setting(name: &str) -> bool {
    matches!(
        &*crate::names::fold(name),
        "initial_time" | "final_time" | "time_step" | "saveper"
    )
}

/// All values that an expression may have.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Range {
    low: f64,
    high: f64,
}

impl Range {
    const ALL: Self = Self {
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
    };

    /// What is assumed of a quantity that is not known.
    const COUNT: Self = Self {
        low: 0.0,
        high: f64::INFINITY,
    };

    fn point(x: f64) -> Self {
        if x.is_nan() {
            Self::ALL
        } else {
            Self { low: x, high: x }
        }
    }

    /// The least range with all of `values`; everything where one is not a number.
    fn of(values: &[f64]) -> Self {
        let range = Self {
            low: values.iter().copied().fold(f64::INFINITY, f64::min),
            high: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        };
        if values.iter().any(|x| x.is_nan()) {
            Self::ALL
        } else {
            range
        }
    }

    fn hull(self, other: Self) -> Self {
        Self::of(&[self.low, self.high, other.low, other.high])
    }

    fn negative(self) -> Self {
        Self {
            low: -self.high,
            high: -self.low,
        }
    }

    fn times(self, other: Self) -> Self {
        // 0 times anything is 0, also where that has no bound.
        let product = |a: f64, b: f64| if a == 0.0 || b == 0.0 { 0.0 } else { a * b };
        Self::of(&[
            product(self.low, other.low),
            product(self.low, other.high),
            product(self.high, other.low),
            product(self.high, other.high),
        ])
    }

    fn inverse(self) -> Self {
        if self.low > 0.0 || self.high < 0.0 {
            return Self::of(&[1.0 / self.low, 1.0 / self.high]);
        }
        // A divisor that reaches zero from one side is taken to stay on that side.
        match (self.low == 0.0, self.high == 0.0) {
            (true, false) => Self::COUNT,
            (false, true) => Self::COUNT.negative(),
            _ => Self::ALL,
        }
    }

    fn is_point(self) -> bool {
        self.low == self.high
    }
}

/// A value that depends on the stock in a straight line: `slope * stock + offset`.
#[derive(Debug, Clone, Copy)]
struct Line {
    slope: f64,
    offset: f64,
}

struct Judge<'r, 'm> {
    resolved: &'r Resolved<'m>,
    program: &'r Program,
    /// The stock that is looked at.
    stock: u32,
    ranges: HashMap<u32, Range, RandomState>,
    lines: HashMap<u32, Option<Line>, RandomState>,
    work: usize,
}

impl Judge<'_, '_> {
    fn spend(&mut self) -> bool {
        self.work = self.work.saturating_sub(1);
        self.work > 0
    }

    fn constant(&self, v: u32) -> Option<f64> {
        match self.program.columns[v as usize].place {
            Place::Constant(value) => Some(value),
            Place::Row(_) => None,
        }
    }

    /// Advice where the outflows of a stock do not go to zero with it.
    fn control(&mut self, stock: u32, is_read: bool) -> Option<Problem> {
        let resolved = self.resolved;
        let variable = resolved.variables[stock as usize];
        if matches!(variable.kind, Kind::Stock { non_negative: true, .. }) {
            return None;
        }
        let ends = &resolved.ends[stock as usize];
        let flow = ends
            .outflows
            .iter()
            .copied()
            .find(|flow| self.variable(*flow, DEPTH).high > 0.0)?;
        let name = &resolved.variables[flow as usize].name;
        // A stock that is only drawn from stands for what lies beyond the boundary.
        let is_source = ends.inflows.is_empty() && !is_read;
        let runs_out = || {
            let initial = match &resolved.equations[stock as usize] {
                Ir::Number(initial) => *initial,
                _ => return false,
            };
            let time = self.program.grid.stop - self.program.grid.start;
            self.constant(flow).is_some_and(|rate| rate * time > initial)
        };
        let level = if is_source && !runs_out() {
            Level::Info
        } else {
            Level::Warning
        };
        Some(Problem::of(
            variable,
            "no-first-order-control",
            level,
            format!(
                "the outflow `{name}` does not go to zero when `{}` does, so `{}` can fall below zero",
                variable.name, variable.name
            ),
            format!(
                "let `{name}` depend on `{}`, as in MIN(wanted, {} / DT), or make the stock non-negative",
                variable.name,
                quoted(&variable.name)
            ),
        ))
    }

    /// Advice where the outflows of a stock take more than all of it in one step.
    fn step(&mut self, stock: u32) -> Option<Problem> {
        let resolved = self.resolved;
        let variable = resolved.variables[stock as usize];
        let dt = self.program.grid.dt;
        let slopes: Vec<(u32, f64)> = resolved.ends[stock as usize]
            .outflows
            .iter()
            .filter_map(|flow| Some((*flow, self.line_of(*flow, DEPTH)?.slope)))
            .filter(|(_, slope)| *slope > 0.0)
            .collect();
        let sum: f64 = slopes.iter().map(|(_, slope)| slope).sum();
        if !sum.is_finite() || sum * dt <= 1.0 {
            return None;
        }
        let names: Vec<String> = slopes
            .iter()
            .take(3)
            .map(|(flow, _)| format!("`{}`", resolved.variables[*flow as usize].name))
            .collect();
        Some(Problem::of(
            variable,
            "dt-too-large",
            Level::Warning,
            format!(
                "{} would empty `{}` in {}, but one step takes {}: the result swings or grows without bound",
                names.join(" and "),
                variable.name,
                few_digits(1.0 / sum),
                shortest(dt)
            ),
            format!("choose dt at most {}", few_digits(1.0 / sum / 2.0)),
        ))
    }

    // ---- Ranges when the stock is empty ----

    fn variable(&mut self, v: u32, depth: usize) -> Range {
        if v == self.stock {
            return Range::point(0.0);
        }
        if let Some(value) = self.constant(v) {
            return Range::point(value);
        }
        let resolved = self.resolved;
        if depth == 0 || matches!(resolved.variables[v as usize].kind, Kind::Stock { .. }) {
            return Range::COUNT;
        }
        if let Some(range) = self.ranges.get(&v) {
            return *range;
        }
        let mut range = self.range(&resolved.equations[v as usize], depth - 1);
        if let Some(table) = resolved.graphical[v as usize] {
            range = self.table(table, range);
        }
        if resolved.variables[v as usize].kind == (Kind::Flow { uniflow: true }) {
            range.low = range.low.max(0.0);
            range.high = range.high.max(0.0);
        }
        self.ranges.insert(v, range);
        range
    }

    fn table(&self, table: u32, x: Range) -> Range {
        let table = &self.resolved.tables[table as usize];
        if x.is_point() {
            return Range::point(crate::run::functions::graphical(table, x.low));
        }
        if table.kind == GraphicalKind::Extrapolate {
            return Range::ALL;
        }
        let ys: Vec<f64> = table.points.iter().map(|point| point[1]).collect();
        Range::of(&ys)
    }

    fn range(&mut self, ir: &Ir, depth: usize) -> Range {
        if !self.spend() {
            return Range::COUNT;
        }
        match ir {
            Ir::Number(x) => Range::point(*x),
            Ir::Variable(v) => self.variable(*v, depth),
            Ir::Time => Range {
                low: self.program.grid.start,
                high: self.program.grid.stop,
            },
            Ir::Unary(Unary::Plus, a) => self.range(a, depth),
            Ir::Unary(Unary::Minus, a) => self.range(a, depth).negative(),
            Ir::Unary(Unary::Not, a) => match self.truth(a, depth) {
                Some(is) => Range::point(f64::from(u8::from(!is))),
                None => Range { low: 0.0, high: 1.0 },
            },
            Ir::Binary(operator, a, b) => {
                let a = self.range(a, depth);
                let b = self.range(b, depth);
                binary(*operator, a, b)
            }
            Ir::Min(a, b) => {
                let (a, b) = (self.range(a, depth), self.range(b, depth));
                Range {
                    low: a.low.min(b.low),
                    high: a.high.min(b.high),
                }
            }
            Ir::Max(a, b) => {
                let (a, b) = (self.range(a, depth), self.range(b, depth));
                Range {
                    low: a.low.max(b.low),
                    high: a.high.max(b.high),
                }
            }
            Ir::If(parts) => {
                let [condition, then, otherwise] = &**parts;
                match self.truth(condition, depth) {
                    Some(true) => self.range(then, depth),
                    Some(false) => self.range(otherwise, depth),
                    None => {
                        let then = self.range(then, depth);
                        then.hull(self.range(otherwise, depth))
                    }
                }
            }
            Ir::One(function, a) => {
                let a = self.range(a, depth);
                match function {
                    One::Abs if a.is_point() => Range::point(a.low.abs()),
                    One::Abs | One::Exp => Range::COUNT,
                    One::Sqrt | One::ArcTan | One::Floor | One::Truncate | One::Ln | One::Log10 => {
                        let f = |x| crate::run::functions::one(*function, x);
                        Range::of(&[f(a.low), f(a.high)])
                    }
                    _ => Range::ALL,
                }
            }
            Ir::Many(Many::SafeDivide | Many::NearSafeDivide, parts) => match parts.as_slice() {
                [a, b, otherwise] => {
                    let (a, b) = (self.range(a, depth), self.range(b, depth));
                    let quotient = a.times(b.inverse());
                    quotient.hull(self.range(otherwise, depth))
                }
                _ => Range::ALL,
            },
            Ir::Many(..) => Range::ALL,
            Ir::Lookup(table, a) => {
                let x = self.range(a, depth);
                self.table(*table, x)
            }
            Ir::Site(_) => Range::COUNT,
            Ir::ActiveInitial(parts) => self.range(&parts[0], depth),
        }
    }

    /// Whether a condition holds, where that is certain.
    fn truth(&mut self, ir: &Ir, depth: usize) -> Option<bool> {
        let range = self.range(ir, depth);
        if range.is_point() {
            Some(range.low != 0.0)
        } else {
            (range.low > 0.0 || range.high < 0.0).then_some(true)
        }
    }

    // ---- Straight lines in the stock ----

    fn line_of(&mut self, v: u32, depth: usize) -> Option<Line> {
        if v == self.stock {
            return Some(Line {
                slope: 1.0,
                offset: 0.0,
            });
        }
        if let Some(offset) = self.constant(v) {
            return Some(Line { slope: 0.0, offset });
        }
        let resolved = self.resolved;
        let is_stock = matches!(resolved.variables[v as usize].kind, Kind::Stock { .. });
        if depth == 0 || is_stock || resolved.graphical[v as usize].is_some() {
            return None;
        }
        if let Some(line) = self.lines.get(&v) {
            return *line;
        }
        let line = self.line(&resolved.equations[v as usize], depth - 1);
        self.lines.insert(v, line);
        line
    }

    fn line(&mut self, ir: &Ir, depth: usize) -> Option<Line> {
        if !self.spend() {
            return None;
        }
        match ir {
            Ir::Number(x) => Some(Line { slope: 0.0, offset: *x }),
            Ir::Variable(v) => self.line_of(*v, depth),
            Ir::Unary(Unary::Plus, a) => self.line(a, depth),
            Ir::Unary(Unary::Minus, a) => self.line(a, depth).map(|a| a.scaled(-1.0)),
            Ir::Binary(operator, a, b) => {
                let a = self.line(a, depth)?;
                let b = self.line(b, depth)?;
                match operator {
                    Binary::Add => Some(a.plus(b)),
                    Binary::Subtract => Some(a.plus(b.scaled(-1.0))),
                    Binary::Multiply if a.slope == 0.0 => Some(b.scaled(a.offset)),
                    Binary::Multiply if b.slope == 0.0 => Some(a.scaled(b.offset)),
                    Binary::Divide if b.slope == 0.0 => Some(a.scaled(1.0 / b.offset)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    // ---- Equality ----

    /// Advice where numbers are compared that computing may have changed in the last digit.
    fn equality(&mut self, equality: &Equality) -> Option<Problem> {
        let [a, b] = &equality.sides;
        if (self.is_whole(a, DEPTH) && self.is_whole(b, DEPTH)) || self.is_on_grid(a, b) || self.is_on_grid(b, a) {
            return None;
        }
        let variable = self.resolved.variables[equality.owner as usize];
        let text = variable.equation.as_deref().unwrap_or_default();
        Some(
            Problem::in_equation(
                variable,
                "exact-equality",
                Level::Info,
                format!(
                    "{}\ncomputed numbers are compared to the last digit, so this may never be true",
                    caret(text, &equality.span)
                ),
                "compare with a tolerance, as in ABS(a - b) < 0.001, or use <= and >=",
            )
            .at(equality.span.clone()),
        )
    }

    /// True for TIME beside a time that a step reaches.
    fn is_on_grid(&self, time: &Ir, number: &Ir) -> bool {
        let grid = &self.program.grid;
        let number = match number {
            Ir::Number(number) => Some(*number),
            Ir::Variable(v) => self.constant(*v),
            _ => None,
        };
        *time == Ir::Time && number.is_some_and(|x| grid.time(((x - grid.start) / grid.dt).round() as u64) == x)
    }

    /// True where the value is a whole number, and exactly so.
    fn is_whole(&mut self, ir: &Ir, depth: usize) -> bool {
        if depth == 0 || !self.spend() {
            return false;
        }
        match ir {
            Ir::Number(x) => x.fract() == 0.0 || x.is_infinite(),
            Ir::Variable(v) => {
                let resolved = self.resolved;
                match self.constant(*v) {
                    Some(x) => x.fract() == 0.0,
                    None if matches!(resolved.variables[*v as usize].kind, Kind::Stock { .. }) => false,
                    None => match resolved.graphical[*v as usize] {
                        Some(table) => self.is_whole_table(table),
                        None => self.is_whole(&resolved.equations[*v as usize], depth - 1),
                    },
                }
            }
            Ir::Time => [self.program.grid.start, self.program.grid.dt]
                .iter()
                .all(|x| x.fract() == 0.0),
            Ir::Unary(Unary::Not, _) => true,
            Ir::Unary(_, a) => self.is_whole(a, depth - 1),
            Ir::Binary(operator, a, b) => match operator {
                Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Modulo => {
                    self.is_whole(a, depth - 1) && self.is_whole(b, depth - 1)
                }
                Binary::Power | Binary::Divide => false,
                _ => true,
            },
            Ir::Min(a, b) | Ir::Max(a, b) => self.is_whole(a, depth - 1) && self.is_whole(b, depth - 1),
            Ir::If(parts) => self.is_whole(&parts[1], depth - 1) && self.is_whole(&parts[2], depth - 1),
            Ir::One(One::Floor | One::Truncate, _) => true,
            Ir::One(One::Abs, a) => self.is_whole(a, depth - 1),
            Ir::Many(Many::Remainder, parts) => parts.iter().all(|part| self.is_whole(part, depth - 1)),
            Ir::Lookup(table, _) => self.is_whole_table(*table),
            Ir::Site(s) => {
                let site = &self.resolved.sites[*s as usize];
                match site.kind {
                    SiteKind::Held(crate::program::Held::VensimPulse | crate::program::Held::PulseTrain) => true,
                    SiteKind::Held(crate::program::Held::Step) => self.is_whole(&site.arguments[0], depth - 1),
                    SiteKind::Draw(crate::program::Distribution::Poisson) => true,
                    _ => false,
                }
            }
            _ => false,
        }
    }

    fn is_whole_table(&self, table: u32) -> bool {
        let graphical = &self.resolved.tables[table as usize];
        graphical.kind == GraphicalKind::Discrete && graphical.points.iter().all(|point| point[1].fract() == 0.0)
    }
}

impl Line {
    fn scaled(self, by: f64) -> Self {
        Self {
            slope: self.slope * by,
            offset: self.offset * by,
        }
    }

    fn plus(self, other: Self) -> Self {
        Self {
            slope: self.slope + other.slope,
            offset: self.offset + other.offset,
        }
    }
}

fn binary(operator: Binary, a: Range, b: Range) -> Range {
    let certain = |is: bool, is_not: bool| match (is, is_not) {
        (true, _) => Range::point(1.0),
        (_, true) => Range::point(0.0),
        _ => Range { low: 0.0, high: 1.0 },
    };
    match operator {
        Binary::Add => Range::of(&[a.low + b.low, a.high + b.high]),
        Binary::Subtract => Range::of(&[a.low - b.high, a.high - b.low]),
        Binary::Multiply => a.times(b),
        Binary::Divide => a.times(b.inverse()),
        Binary::Power if a.is_point() && b.is_point() => Range::point(a.low.powf(b.low)),
        Binary::Power if a.low >= 0.0 && b.low > 0.0 && a.high == 0.0 => Range::point(0.0),
        Binary::Power if a.low >= 0.0 => Range::COUNT,
        Binary::Less => certain(a.high < b.low, a.low >= b.high),
        Binary::LessEqual => certain(a.high <= b.low, a.low > b.high),
        Binary::Greater => certain(a.low > b.high, a.high <= b.low),
        Binary::GreaterEqual => certain(a.low >= b.high, a.high < b.low),
        Binary::Equal => certain(a.is_point() && a == b, a.high < b.low || a.low > b.high),
        Binary::NotEqual => certain(a.high < b.low || a.low > b.high, a.is_point() && a == b),
        Binary::And | Binary::Or => Range { low: 0.0, high: 1.0 },
        Binary::Power | Binary::Modulo => Range::ALL,
    }
}

/// A name as an expression spells it.
fn quoted(name: &str) -> String {
    let is_bare = name.chars().all(|c| c == '_' || c.is_alphanumeric()) && !name.starts_with(|c: char| c.is_numeric());
    if is_bare { name.to_owned() } else { format!("{name:?}") }
}
