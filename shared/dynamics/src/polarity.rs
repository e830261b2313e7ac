//! The sign of an input's effect on an expression, proven by interval differentiation.
//!
//! Every name has a range. One walk computes for each part an interval of its values and one of its slopes: what the
//! part changes by for each unit that the input changes by. Where the slopes of the whole lie on one side of 0 the
//! sign is proven for these ranges; else it is unknown, and nothing is claimed. Where a part jumps its slope is
//! infinite, where it lags it is anything up to its final value.

use crate::ast::{Binary, Dialect, Expr, ExprKind, Name, Unary};
use crate::builtins::{self, Builtin};
use crate::model::{Graphical, GraphicalKind};
use serde::Serialize;

/// What a sign rests on, the firmest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// The equation and the values of constants alone.
    #[default]
    Constants,
    /// The ranges that a run showed: it may be otherwise elsewhere.
    Run,
    /// Values that cannot be negative by declaration or convention.
    AssumedNonNegative,
}

/// The values that a name may have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    low: f64,
    high: f64,
    basis: Basis,
}

impl Range {
    /// Any value.
    pub const ANY: Self = Self {
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
        basis: Basis::Constants,
    };

    /// From 0 on, by declaration or convention.
    pub const NON_NEGATIVE: Self = Self {
        low: 0.0,
        high: f64::INFINITY,
        basis: Basis::AssumedNonNegative,
    };

    /// One value.
    pub fn constant(value: f64) -> Self {
        Self::new(value, value, Basis::Constants)
    }

    /// What a run showed, each end 10 % farther out.
    pub fn run(least: f64, greatest: f64) -> Self {
        Self::new(least - 0.1 * least.abs(), greatest + 0.1 * greatest.abs(), Basis::Run)
    }

    /// True when there is only one value, and no run or convention is needed to know it.
    pub fn is_constant(&self) -> bool {
        self.low == self.high && self.basis == Basis::Constants
    }

    /// True when 0 is the only value.
    pub fn is_zero(&self) -> bool {
        self.low == 0.0 && self.high == 0.0
    }

    fn new(low: f64, high: f64, basis: Basis) -> Self {
        if low <= high {
            Self { low, high, basis }
        } else {
            // Not a number, or no range at all.
            Self::ANY
        }
    }
}

/// What is known about the names of a model.
pub trait Surroundings {
    /// The values that a variable may have; none where there is no such variable.
    fn range(&self, name: &Name) -> Option<Range>;

    /// The graphical function of this name.
    fn graphical(&self, name: &Name) -> Option<&Graphical>;
}

/// The sign of an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Polarity {
    /// More of the input makes more of the result, or leaves it.
    Positive,
    /// More of the input makes less of the result, or leaves it.
    Negative,
    /// The input does not act.
    None,
    /// Neither is proven.
    Unknown,
}

/// The effect of an input on an expression, other inputs fixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effect {
    /// Its sign.
    pub polarity: Polarity,
    /// What the sign rests on.
    pub basis: Basis,
    /// True where FORCST counts as increasing with its input, which holds by convention only.
    pub by_convention: bool,
}

/// The effect of `input`, a folded name, on `equation`, passed through the variable's own graphical function if it
/// has one.
pub fn effect(
    equation: &Expr,
    own: Option<&Graphical>,
    input: &str,
    dialect: Dialect,
    surroundings: &dyn Surroundings,
) -> Effect {
    let mut walker = Walker {
        input,
        dialect,
        surroundings,
        by_convention: false,
    };
    let mut whole = walker.walk(equation);
    if let Some(graphical) = own {
        whole = through(graphical, whole);
    }
    let Interval { low, high } = whole.slope;
    let polarity = if low == 0.0 && high == 0.0 {
        Polarity::None
    } else if low >= 0.0 {
        Polarity::Positive
    } else if high <= 0.0 {
        Polarity::Negative
    } else {
        Polarity::Unknown
    };
    Effect {
        polarity,
        basis: whole.slope_basis,
        by_convention: walker.by_convention,
    }
}

/// The values that `equation` may have, passed through the variable's own graphical function if it has one.
pub fn range(equation: &Expr, own: Option<&Graphical>, dialect: Dialect, surroundings: &dyn Surroundings) -> Range {
    let mut walker = Walker {
        // No name is empty.
        input: "",
        dialect,
        surroundings,
        by_convention: false,
    };
    let mut whole = walker.walk(equation);
    if let Some(graphical) = own {
        whole = through(graphical, whole);
    }
    Range::new(whole.value.low, whole.value.high, whole.value_basis)
}

/// Numbers from `low` to `high`.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Interval {
    low: f64,
    high: f64,
}

/// 0 times anything is 0: an infinite end is a bound that is never reached.
fn times(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 { 0.0 } else { a * b }
}

impl Interval {
    const ANY: Self = Self::new(f64::NEG_INFINITY, f64::INFINITY);
    const ZERO: Self = Self::new(0.0, 0.0);
    const ONE: Self = Self::new(1.0, 1.0);
    const UNIT: Self = Self::new(0.0, 1.0);
    const NON_NEGATIVE: Self = Self::new(0.0, f64::INFINITY);

    const fn new(low: f64, high: f64) -> Self {
        Self { low, high }
    }

    fn point(value: f64) -> Self {
        if value.is_nan() {
            Self::ANY
        } else {
            Self::new(value, value)
        }
    }

    /// From the least to the greatest of `ends`.
    fn of(ends: [f64; 4]) -> Self {
        if ends.iter().any(|end| end.is_nan()) {
            return Self::ANY;
        }
        ends.iter()
            .fold(Self::new(ends[0], ends[0]), |all, end| all.hull(Self::point(*end)))
    }

    /// Ends that are infinities of both signs added up tell nothing.
    fn checked(low: f64, high: f64) -> Self {
        let low = if low.is_nan() { f64::NEG_INFINITY } else { low };
        Self::new(low, if high.is_nan() { f64::INFINITY } else { high })
    }

    fn plus(self, other: Self) -> Self {
        Self::checked(self.low + other.low, self.high + other.high)
    }

    fn minus(self, other: Self) -> Self {
        self.plus(other.negated())
    }

    fn negated(self) -> Self {
        Self::new(-self.high, -self.low)
    }

    fn times(self, other: Self) -> Self {
        Self::of([
            times(self.low, other.low),
            times(self.low, other.high),
            times(self.high, other.low),
            times(self.high, other.high),
        ])
    }

    /// 1 divided by it; anything where 0 lies inside.
    fn inverted(self) -> Self {
        if self.low < 0.0 && self.high > 0.0 || self == Self::ZERO {
            return Self::ANY;
        }
        let high = if self.low == 0.0 { f64::INFINITY } else { 1.0 / self.low };
        let low = if self.high == 0.0 {
            f64::NEG_INFINITY
        } else {
            1.0 / self.high
        };
        Self::new(low, high)
    }

    fn squared(self) -> Self {
        let Self { low, high } = self.absolute();
        Self::new(low * low, high * high)
    }

    fn absolute(self) -> Self {
        if self.low >= 0.0 {
            self
        } else if self.high <= 0.0 {
            self.negated()
        } else {
            Self::new(0.0, self.high.max(-self.low))
        }
    }

    fn hull(self, other: Self) -> Self {
        Self::new(self.low.min(other.low), self.high.max(other.high))
    }

    /// What of it is not negative; none where all is.
    fn clipped(self) -> Option<Self> {
        (self.high >= 0.0).then(|| Self::new(self.low.max(0.0), self.high))
    }

    /// Through a function that never falls.
    fn map(self, rising: impl Fn(f64) -> f64) -> Self {
        Self::checked(rising(self.low), rising(self.high))
    }

    /// To a whole power from 1 on.
    fn to_power(self, exponent: f64) -> Self {
        if exponent % 2.0 == 0.0 {
            self.absolute().map(|x| x.powf(exponent))
        } else {
            self.map(|x| x.powf(exponent))
        }
    }

    fn has_inside(self, value: f64) -> bool {
        self.low < value && value < self.high
    }

    fn has(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    fn is_point(self) -> bool {
        self.low == self.high
    }
}

/// What is known about a part of the expression.
#[derive(Debug, Clone, Copy)]
struct Part {
    value: Interval,
    /// By how much it changes for each unit of the input.
    slope: Interval,
    value_basis: Basis,
    slope_basis: Basis,
    /// True when the input is in it.
    input: bool,
}

impl Part {
    fn known(value: Interval) -> Self {
        Self {
            value,
            slope: Interval::ZERO,
            value_basis: Basis::Constants,
            slope_basis: Basis::Constants,
            input: false,
        }
    }

    /// Any value, and any slope where one of `parts` has one.
    fn unknown(parts: &[Self]) -> Self {
        let acts = parts.iter().any(Self::acts);
        Self {
            slope: if acts { Interval::ANY } else { Interval::ZERO },
            input: parts.iter().any(|part| part.input),
            ..Self::known(Interval::ANY)
        }
    }

    fn acts(&self) -> bool {
        self.slope != Interval::ZERO
    }

    /// This part with another value; its slope is `factor` times as great.
    fn scaled(self, value: Interval, factor: Interval) -> Self {
        Self {
            value,
            slope: self.slope.times(factor),
            ..self
        }
    }

    /// As [`Part::scaled`], where `factor` was found from the value.
    fn scaled_by_value(self, value: Interval, factor: Interval) -> Self {
        let slope_basis = if self.acts() {
            self.slope_basis.max(self.value_basis)
        } else {
            Basis::Constants
        };
        Self {
            slope_basis,
            ..self.scaled(value, factor)
        }
    }

    fn negated(self) -> Self {
        self.scaled(self.value.negated(), Interval::point(-1.0))
    }

    fn plus(self, other: Self) -> Self {
        Self {
            value: self.value.plus(other.value),
            slope: self.slope.plus(other.slope),
            value_basis: self.value_basis.max(other.value_basis),
            slope_basis: self.slope_basis.max(other.slope_basis),
            input: self.input || other.input,
        }
    }

    fn minus(self, other: Self) -> Self {
        self.plus(other.negated())
    }

    fn times(self, other: Self) -> Self {
        let here = self.scaled_of(other);
        let there = other.scaled_of(self);
        Self {
            value: self.value.times(other.value),
            value_basis: self.value_basis.max(other.value_basis),
            ..here.plus(there)
        }
    }

    /// The slope of this part times the value of the other.
    fn scaled_of(self, other: Self) -> Self {
        let mut scaled = self.scaled(self.value, other.value);
        scaled.slope_basis = if self.acts() {
            self.slope_basis.max(other.value_basis)
        } else {
            Basis::Constants
        };
        scaled
    }

    fn inverted(self) -> Self {
        let value = self.value.inverted();
        if self.input && self.value.has_inside(0.0) {
            // The sign flips across the pole.
            return Self {
                slope_basis: self.value_basis,
                ..Self::unknown(&[self])
            };
        }
        let mut inverted = self.scaled(value, self.value.squared().inverted().negated());
        // The square is positive whatever the range, but one that crosses 0 was refused above.
        if self.acts() {
            inverted.slope_basis = self.slope_basis.max(self.value_basis);
        }
        inverted
    }

    /// Any of the two.
    fn hull(self, other: Self) -> Self {
        Self {
            value: self.value.hull(other.value),
            slope: self.slope.hull(other.slope),
            ..self.plus(other)
        }
    }

    /// 1 where it is not 0, else 0.
    fn truth(self) -> Self {
        let Interval { low, high } = self.value;
        let value = if low > 0.0 || high < 0.0 {
            Interval::ONE
        } else if self.value == Interval::ZERO {
            Interval::ZERO
        } else {
            Interval::UNIT
        };
        let factor = if low >= 0.0 {
            Interval::NON_NEGATIVE
        } else if high <= 0.0 {
            Interval::NON_NEGATIVE.negated()
        } else {
            Interval::ANY
        };
        self.scaled_by_value(value, factor)
    }

    fn not(self) -> Self {
        Self::known(Interval::ONE).minus(self.truth())
    }

    /// The greater.
    fn max(self, other: Self) -> Self {
        let sure = if self.value.low >= other.value.high {
            Some(self)
        } else if other.value.low >= self.value.high {
            Some(other)
        } else {
            None
        };
        let mut either = self.hull(other);
        let (a, b) = (self.value, other.value);
        either.value = Interval::new(a.low.max(b.low), a.high.max(b.high));
        match sure {
            // A branch that acts is preferred to one that hides the effect of the other in these ranges only.
            Some(sure) if sure.acts() || !either.acts() => Self {
                slope_basis: either.slope_basis.max(either.value_basis),
                value_basis: either.value_basis,
                input: either.input,
                ..sure
            },
            _ => either,
        }
    }

    fn min(self, other: Self) -> Self {
        self.negated().max(other.negated()).negated()
    }
}

struct Walker<'w> {
    input: &'w str,
    dialect: Dialect,
    surroundings: &'w dyn Surroundings,
    by_convention: bool,
}

impl Walker<'_> {
    fn walk(&mut self, expr: &Expr) -> Part {
        match &expr.kind {
            ExprKind::Number(number) => Part::known(Interval::point(*number)),
            ExprKind::Name(name) => self.name(name),
            ExprKind::Unary(operator, operand) => {
                let operand = self.walk(operand);
                match operator {
                    Unary::Plus => operand,
                    Unary::Minus => operand.negated(),
                    Unary::Not => operand.not(),
                }
            }
            ExprKind::Binary(Binary::Multiply | Binary::Divide, ..) => {
                let (mut above, mut below) = (Vec::new(), Vec::new());
                factors(expr, &mut above, &mut below);
                self.quotient(above, below, false)
            }
            ExprKind::Binary(operator, left, right) => {
                let left = self.walk(left);
                let right = self.walk(right);
                binary(*operator, left, right)
            }
            ExprKind::If(condition, then, otherwise) => {
                let condition = self.walk(condition);
                let then = self.walk(then);
                let otherwise = self.walk(otherwise);
                choice(condition, then, otherwise)
            }
            ExprKind::Call(name, arguments) => self.call(name, arguments),
        }
    }

    fn name(&self, name: &Name) -> Part {
        if let Some(range) = self.surroundings.range(name) {
            let mut part = Part::known(Interval::new(range.low, range.high));
            part.value_basis = range.basis;
            if name.folded == self.input {
                part.slope = Interval::ONE;
                part.input = true;
            }
            return part;
        }
        Part::known(match self.builtin(name) {
            Some(Builtin::Pi) => Interval::point(std::f64::consts::PI),
            Some(Builtin::Inf) => Interval::point(f64::INFINITY),
            Some(Builtin::Dt) => Interval::NON_NEGATIVE,
            _ => Interval::ANY,
        })
    }

    fn builtin(&self, name: &Name) -> Option<Builtin> {
        builtins::lookup(&name.folded, self.dialect).map(|entry| entry.builtin)
    }

    /// A product of factors over another. Pairs such as a / (a + b) are seen as one, for they rise with a although
    /// numerator and denominator, taken apart, do not tell.
    ///
    /// A safe quotient jumps where a divisor that rested at 0 leaves it.
    fn quotient<'e>(&mut self, mut above: Vec<&'e Expr>, below: Vec<&'e Expr>, is_safe: bool) -> Part {
        let mut product = Part::known(Interval::ONE);
        for divisor in below {
            let mut addends = Vec::new();
            addends_of(divisor, false, &mut addends);
            let Some((same, rest)) = pair(&above, &addends) else {
                let part = self.walk(divisor);
                let rests = is_safe && part.acts() && part.value.has(0.0) && self.can_rest(divisor);
                product = product.times(if rests { Part::unknown(&[part]) } else { part.inverted() });
                continue;
            };
            above = rest;
            let share = self.walk(addends[same].0);
            let mut others = Part::known(Interval::ZERO);
            for (i, (addend, negative)) in addends.iter().enumerate() {
                if i != same {
                    let addend = self.walk(addend);
                    others = others.plus(if *negative { addend.negated() } else { addend });
                }
            }
            product = product.times(part_of_whole(share, others));
        }
        for factor in above {
            product = product.times(self.walk(factor));
        }
        product
    }

    /// True for what can stay at one value while the input changes, as MAX(0, x - 3) does at 0.
    fn can_rest(&self, expr: &Expr) -> bool {
        use Binary::{And, Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual, Or};
        match &expr.kind {
            ExprKind::Unary(Unary::Not, _) | ExprKind::If(..) => true,
            ExprKind::Binary(operator, ..) => matches!(
                operator,
                Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual | And | Or
            ),
            ExprKind::Call(name, _) => {
                matches!(self.builtin(name), Some(Builtin::Max | Builtin::Min | Builtin::Int))
            }
            _ => false,
        }
    }

    /// A quotient with a value of its own where the divisor is 0. By convention that value does not count where the
    /// divisor only touches 0.
    fn safe_quotient(&mut self, a: &Expr, b: &Expr, default: Option<&Expr>) -> Part {
        let default = default.map_or(Part::known(Interval::ZERO), |default| self.walk(default));
        let (mut above, mut below) = (Vec::new(), Vec::new());
        factors(a, &mut above, &mut below);
        factors(b, &mut below, &mut above);
        let quotient = self.quotient(above, below, true);
        if default.acts() {
            return Part::unknown(&[quotient, default]);
        }
        Part {
            value: quotient.value.hull(default.value),
            value_basis: quotient.value_basis.max(default.value_basis),
            ..quotient
        }
    }

    fn call(&mut self, name: &Name, arguments: &[Expr]) -> Part {
        let Some(builtin) = self.builtin(name) else {
            return match (self.surroundings.graphical(name), arguments) {
                (Some(graphical), [argument]) => through(graphical, self.walk(argument)),
                _ => Part::unknown(&self.all(arguments)),
            };
        };
        if let (Builtin::Lookup | Builtin::LookupExtrapolate, [table, argument]) = (builtin, arguments) {
            let ExprKind::Name(table) = &table.kind else {
                return Part::unknown(&self.all(arguments));
            };
            let argument = self.walk(argument);
            return match self.surroundings.graphical(table) {
                None => Part::unknown(&[argument]),
                Some(graphical) if builtin == Builtin::Lookup => through(graphical, argument),
                Some(graphical) => {
                    let kind = GraphicalKind::Extrapolate;
                    let points = graphical.points.clone();
                    through(&Graphical { kind, points }, argument)
                }
            };
        }
        if let (
            Builtin::Max | Builtin::Min,
            [
                Expr {
                    kind: ExprKind::Name(table),
                    ..
                },
            ],
        ) = (builtin, arguments)
            && self.surroundings.range(table).is_none()
            && self.surroundings.graphical(table).is_some()
        {
            return Part::known(Interval::ANY);
        }
        if let (Builtin::SafeDiv | Builtin::Zidz | Builtin::Xidz, [a, b, default @ ..]) = (builtin, arguments) {
            return self.safe_quotient(a, b, default.first());
        }
        let parts = self.all(arguments);
        if builtin == Builtin::Forecast {
            self.by_convention |= parts.first().is_some_and(Part::acts);
        }
        function(builtin, &parts)
    }

    fn all(&mut self, arguments: &[Expr]) -> Vec<Part> {
        arguments.iter().map(|argument| self.walk(argument)).collect()
    }
}

/// The factors of a product, and those it is divided by.
fn factors<'e>(expr: &'e Expr, above: &mut Vec<&'e Expr>, below: &mut Vec<&'e Expr>) {
    match &expr.kind {
        ExprKind::Binary(Binary::Multiply, a, b) => {
            factors(a, above, below);
            factors(b, above, below);
        }
        ExprKind::Binary(Binary::Divide, a, b) => {
            factors(a, above, below);
            factors(b, below, above);
        }
        _ => above.push(expr),
    }
}

/// The addends of a sum; true for those that are subtracted.
fn addends_of<'e>(expr: &'e Expr, negative: bool, addends: &mut Vec<(&'e Expr, bool)>) {
    match &expr.kind {
        ExprKind::Binary(Binary::Add, a, b) => {
            addends_of(a, negative, addends);
            addends_of(b, negative, addends);
        }
        ExprKind::Binary(Binary::Subtract, a, b) => {
            addends_of(a, negative, addends);
            addends_of(b, !negative, addends);
        }
        _ => addends.push((expr, negative)),
    }
}

/// The addend of a divisor whose factors are all among `above`, and the rest of `above`.
fn pair<'e>(above: &[&'e Expr], addends: &[(&'e Expr, bool)]) -> Option<(usize, Vec<&'e Expr>)> {
    /// The most factors and addends among which pairs are looked for.
    const COMPARED: usize = 16;
    if above.len() > COMPARED || !(2..=COMPARED).contains(&addends.len()) {
        return None;
    }
    let mut all = addends.iter().enumerate().filter(|(_, (_, negative))| !negative);
    all.find_map(|(i, (addend, _))| Some((i, taken(above, addend)?)))
}

/// `above` without the factors of `product`; none where it does not have them all.
fn taken<'e>(above: &[&'e Expr], product: &Expr) -> Option<Vec<&'e Expr>> {
    let (mut wanted, mut below) = (Vec::new(), Vec::new());
    factors(product, &mut wanted, &mut below);
    if !below.is_empty() || wanted.len() > above.len() {
        return None;
    }
    let mut rest = above.to_vec();
    for factor in wanted {
        let at = rest.iter().position(|other| same(other, factor))?;
        rest.swap_remove(at);
    }
    Some(rest)
}

/// True when two expressions are the same, places apart.
fn same(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Number(a), ExprKind::Number(b)) => a == b,
        (ExprKind::Name(a), ExprKind::Name(b)) => a.folded == b.folded,
        (ExprKind::Unary(f, a), ExprKind::Unary(g, b)) => f == g && same(a, b),
        (ExprKind::Binary(f, a, c), ExprKind::Binary(g, b, d)) => f == g && same(a, b) && same(c, d),
        // Calls may hold draws and stages of their own.
        _ => false,
    }
}

/// a / (a + b).
fn part_of_whole(a: Part, b: Part) -> Part {
    let whole = a.plus(b);
    let natural = a.times(whole.inverted());
    if whole.input && whole.value.has_inside(0.0) {
        return natural;
    }
    // (a / (a + b))' = (a' b - a b') / (a + b)^2
    let rise = a.scaled_of(b);
    let fall = b.scaled_of(a).negated();
    let mut share = rise.plus(fall);
    share.slope = share.slope.times(whole.value.squared().inverted());
    share.value = natural.value;
    share.value_basis = natural.value_basis;
    if a.value.low >= 0.0 && b.value.low >= 0.0 {
        share.value = Interval::new(natural.value.low.max(0.0), natural.value.high.min(1.0));
    }
    if share.acts() {
        share.slope_basis = share.slope_basis.max(whole.value_basis);
    }
    share
}

fn binary(operator: Binary, a: Part, b: Part) -> Part {
    match operator {
        Binary::Add => a.plus(b),
        Binary::Subtract => a.minus(b),
        Binary::Multiply => a.times(b),
        Binary::Divide => a.times(b.inverted()),
        Binary::Power => to_power(a, b),
        Binary::Modulo => {
            let value = b.value.hull(Interval::ZERO);
            Part {
                value,
                value_basis: b.value_basis,
                ..Part::unknown(&[a, b])
            }
        }
        Binary::Greater | Binary::GreaterEqual => greater(a, b),
        Binary::Less | Binary::LessEqual => greater(b, a),
        Binary::Equal | Binary::NotEqual => Part {
            value: Interval::UNIT,
            ..Part::unknown(&[a, b])
        },
        Binary::And => a.truth().times(b.truth()),
        Binary::Or => a.not().times(b.not()).not(),
    }
}

/// 1 where a is greater than b: it can only switch on as a - b grows.
fn greater(a: Part, b: Part) -> Part {
    let mut part = a.minus(b).scaled(Interval::UNIT, Interval::NON_NEGATIVE);
    part.value_basis = Basis::Constants;
    part
}

/// IF: one of the branches; where the condition switches, the difference between them is added.
fn choice(condition: Part, then: Part, otherwise: Part) -> Part {
    let truth = condition.truth();
    let mut either = then.hull(otherwise);
    let chosen = if truth.value == Interval::ONE {
        Some(then)
    } else if truth.value == Interval::ZERO {
        Some(otherwise)
    } else {
        None
    };
    let branch = match chosen {
        Some(chosen) if chosen.acts() || !either.acts() => Part {
            value_basis: chosen.value_basis.max(condition.value_basis),
            slope_basis: chosen.slope_basis.max(condition.value_basis),
            ..chosen
        },
        _ => either,
    };
    if !truth.acts() {
        return branch;
    }
    let mut jump = then;
    jump.value = then.value.minus(otherwise.value);
    jump.value_basis = then.value_basis.max(otherwise.value_basis);
    let switched = truth.scaled_of(jump);
    either.slope = either.slope.plus(switched.slope);
    either.slope_basis = either.slope_basis.max(switched.slope_basis);
    either.input = true;
    either
}

fn to_power(a: Part, b: Part) -> Part {
    let exponent = b.value.low;
    if b.value.is_point() && !b.input {
        if exponent == 0.0 {
            return Part::known(Interval::ONE);
        }
        if exponent.fract() == 0.0 && exponent.abs() <= 1e6 {
            let raised = to_whole_power(a, exponent.abs());
            return if exponent < 0.0 { raised.inverted() } else { raised };
        }
        let Some(base) = a.value.clipped() else {
            return Part::unknown(&[a]);
        };
        // Only bases from 0 on have such powers, so the sign of the slope rests on no range.
        let ends = |exponent: f64| {
            Interval::of([
                base.low.powf(exponent),
                base.high.powf(exponent),
                base.low.powf(exponent),
                base.high.powf(exponent),
            ])
        };
        let factor = ends(exponent - 1.0).times(Interval::point(exponent));
        return a.scaled(ends(exponent), factor);
    }
    if a.value.low < 0.0 {
        return Part::unknown(&[a, b]);
    }
    let corners = |less: f64| {
        let (low, high) = (b.value.low - less, b.value.high - less);
        Interval::of([
            a.value.low.powf(low),
            a.value.low.powf(high),
            a.value.high.powf(low),
            a.value.high.powf(high),
        ])
    };
    // (a^b)' = b a^(b-1) a' + ln(a) a^b b'
    let value = corners(0.0);
    let base = Part {
        value: b.value.times(corners(1.0)),
        value_basis: a.value_basis.max(b.value_basis),
        ..Part::known(Interval::ZERO)
    };
    let exponent = Part {
        value: a.value.map(f64::ln).times(value),
        value_basis: a.value_basis,
        ..Part::known(Interval::ZERO)
    };
    let slope = a.scaled_of(base).plus(b.scaled_of(exponent));
    Part { value, ..slope }
}

/// To a whole power from 1 on.
fn to_whole_power(a: Part, exponent: f64) -> Part {
    let value = a.value.to_power(exponent);
    if exponent == 1.0 {
        return a;
    }
    let factor = a.value.to_power(exponent - 1.0).times(Interval::point(exponent));
    if exponent % 2.0 == 0.0 {
        a.scaled_by_value(value, factor)
    } else {
        a.scaled(value, factor)
    }
}

/// Through a graphical function.
fn through(graphical: &Graphical, x: Part) -> Part {
    if graphical.points.is_empty() {
        return Part::unknown(&[x]);
    }
    // What holds for the whole function rests on no range.
    let values = values(graphical, Interval::ANY);
    let (value, value_basis) = if values.low >= 0.0 || values.high <= 0.0 {
        (values, Basis::Constants)
    } else {
        (self::values(graphical, x.value), x.value_basis)
    };
    let all = slopes(graphical, Interval::ANY);
    let part = if all.low >= 0.0 || all.high <= 0.0 {
        x.scaled(value, all)
    } else {
        x.scaled_by_value(value, slopes(graphical, x.value))
    };
    Part { value_basis, ..part }
}

/// The values of a graphical function for arguments in `range`.
fn values(graphical: &Graphical, range: Interval) -> Interval {
    let points = &graphical.points;
    let inside = points
        .iter()
        .filter(|point| range.low <= point[0] && point[0] <= range.high);
    let ends = Interval::point(at(graphical, range.low)).hull(Interval::point(at(graphical, range.high)));
    inside.fold(ends, |all, point| all.hull(Interval::point(point[1])))
}

/// The value of a graphical function.
fn at(graphical: &Graphical, x: f64) -> f64 {
    let points = &graphical.points;
    let last = points.len() - 1;
    let next = points.partition_point(|point| point[0] < x);
    if next <= last && points[next][0] == x {
        return points[next][1];
    }
    let outside = next == 0 || next > last;
    if last == 0 || (outside && graphical.kind != GraphicalKind::Extrapolate) {
        return points[next.min(last)][1];
    }
    let [from, to] = [points[next.clamp(1, last) - 1], points[next.clamp(1, last)]];
    if graphical.kind == GraphicalKind::Discrete {
        return from[1];
    }
    from[1] + times((to[1] - from[1]) / (to[0] - from[0]), x - from[0])
}

/// The slopes of a graphical function for arguments in `range`.
fn slopes(graphical: &Graphical, range: Interval) -> Interval {
    let extends = graphical.kind == GraphicalKind::Extrapolate;
    let points = &graphical.points;
    let mut all: Option<Interval> = None;
    let mut add = |slope: Interval| all = Some(all.map_or(slope, |all| all.hull(slope)));
    let count = points.len();
    for (i, pair) in points.windows(2).enumerate() {
        let [[x, y], [next_x, next_y]] = [pair[0], pair[1]];
        let from = if extends && i == 0 { f64::NEG_INFINITY } else { x };
        let to = if extends && i + 2 == count {
            f64::INFINITY
        } else {
            next_x
        };
        let jumps = graphical.kind == GraphicalKind::Discrete || next_x == x;
        let met = if jumps {
            range.low <= next_x && next_x <= range.high
        } else if range.is_point() {
            from <= range.low && range.low <= to
        } else {
            from < range.high && range.low < to
        };
        if !met {
            continue;
        }
        add(if next_x < x || (next_y - y).is_nan() {
            Interval::ANY
        } else if jumps {
            Interval::ZERO.hull(Interval::point(times(next_y - y, f64::INFINITY)))
        } else {
            Interval::point((next_y - y) / (next_x - x))
        });
    }
    let beyond = points.first().is_none_or(|p| range.low < p[0]) || points.last().is_none_or(|p| range.high > p[0]);
    if beyond && !extends {
        add(Interval::ZERO);
    }
    all.unwrap_or(Interval::ZERO)
}

/// A builtin with these arguments.
fn function(builtin: Builtin, parts: &[Part]) -> Part {
    use Builtin as B;
    let unknown = || Part::unknown(parts);
    let [x, rest @ ..] = parts else {
        return match builtin {
            B::Pi => Part::known(Interval::point(std::f64::consts::PI)),
            B::Inf => Part::known(Interval::point(f64::INFINITY)),
            B::Dt => Part::known(Interval::NON_NEGATIVE),
            _ => Part::known(Interval::ANY),
        };
    };
    let x = *x;
    match (builtin, rest) {
        (B::Abs, []) => {
            let factor = if x.value.low >= 0.0 {
                Interval::ONE
            } else if x.value.high <= 0.0 {
                Interval::point(-1.0)
            } else {
                Interval::new(-1.0, 1.0)
            };
            x.scaled_by_value(x.value.absolute(), factor)
        }
        (B::Exp, []) => {
            let value = x.value.map(f64::exp);
            x.scaled(value, Interval::new(value.low, value.high.max(f64::MIN_POSITIVE)))
        }
        (B::Ln, []) => logarithm(x, 1.0),
        (B::Log10, []) => logarithm(x, std::f64::consts::LN_10),
        (B::LogBase, [base]) => binary(Binary::Divide, logarithm(x, 1.0), logarithm(*base, 1.0)),
        (B::Sqrt, []) => to_power(x, Part::known(Interval::point(0.5))),
        (B::Sin | B::Cos, []) => Part {
            value: Interval::new(-1.0, 1.0),
            ..unknown()
        },
        (B::Arcsin, []) => arc(x, Interval::new(1.0, f64::INFINITY), -std::f64::consts::FRAC_PI_2),
        (B::Arccos, []) => arc(x, Interval::new(f64::NEG_INFINITY, -1.0), 0.0),
        (B::Arctan, []) => {
            let squares = x.value.squared();
            let factor = Interval::new(1.0 / (1.0 + squares.high), 1.0 / (1.0 + squares.low));
            let factor = Interval::new(factor.low, factor.high.max(f64::MIN_POSITIVE));
            x.scaled(x.value.map(f64::atan), factor)
        }
        (B::Int, []) => x.scaled(x.value.map(f64::floor), Interval::NON_NEGATIVE),
        (B::Truncate, []) => x.scaled(x.value.map(f64::trunc), Interval::NON_NEGATIVE),
        (B::Quantum, [q]) if !q.acts() => x.scaled(
            Interval::new(x.value.low.min(0.0), x.value.high.max(0.0)),
            Interval::NON_NEGATIVE,
        ),
        (B::Max, _) => rest.iter().fold(x, |greatest, other| greatest.max(*other)),
        (B::Min, _) => rest.iter().fold(x, |least, other| least.min(*other)),
        (B::Power, [exponent]) => to_power(x, *exponent),
        (B::Step, [start]) if !start.acts() => x.scaled(x.value.hull(Interval::ZERO), Interval::UNIT),
        (B::Ramp, times) | (B::Pulse, times) if times.iter().all(|time| !time.acts()) => {
            x.scaled(x.value.times(Interval::NON_NEGATIVE), Interval::NON_NEGATIVE)
        }
        (B::PulseWidth | B::PulseTrain, _) => Part {
            value: Interval::UNIT,
            ..unknown()
        },
        // Its value is that of the start: no link at run time.
        (B::Init, []) => Part {
            value_basis: x.value_basis,
            ..Part::known(x.value)
        },
        (B::Previous, []) => lagged(x, Part::known(Interval::ZERO)),
        (B::Previous, [initial]) => lagged(x, *initial),
        (B::Delay | B::Smooth1 | B::Smooth3, [time]) if !time.acts() => lagged(x, x),
        (B::Delay | B::Smooth1 | B::Smooth3, [time, initial]) if !time.acts() => lagged(x, *initial),
        (B::SmoothN, [time, order, initial @ ..]) if !time.acts() && !order.acts() => {
            lagged(x, initial.first().copied().unwrap_or(x))
        }
        (B::SmoothNInitialFirst, [time, initial, order]) if !time.acts() && !order.acts() => lagged(x, *initial),
        (B::Delay1 | B::Delay3, [time, initial @ ..]) if !time.acts() => {
            conveyed(x, *time, initial.first().copied().unwrap_or(x))
        }
        (B::DelayN, [time, order, initial @ ..]) if !time.acts() && !order.acts() => {
            conveyed(x, *time, initial.first().copied().unwrap_or(x))
        }
        (B::DelayNInitialFirst, [time, initial, order]) if !time.acts() && !order.acts() => {
            conveyed(x, *time, *initial)
        }
        (B::Forecast, [time, horizon, ..]) if !time.acts() && !horizon.acts() => {
            x.scaled(Interval::ANY, Interval::NON_NEGATIVE)
        }
        (B::SampleIfTrue, [sampled, initial]) if !x.acts() => lagged(*sampled, *initial),
        (B::ActiveInitial, [_]) | (B::Game, []) => x,
        (B::Exponential | B::LogNormal | B::Poisson, _) => Part {
            value: Interval::NON_NEGATIVE,
            ..unknown()
        },
        (B::Uniform, [high, ..]) | (B::NormalWithin, [high, ..]) => Part {
            value: x.value.hull(high.value),
            value_basis: x.value_basis.max(high.value_basis),
            ..unknown()
        },
        _ => unknown(),
    }
}

/// ln x / `base`; only positive x have logarithms.
fn logarithm(x: Part, base: f64) -> Part {
    match x.value.clipped() {
        None => Part::unknown(&[x]),
        Some(positive) => x.scaled(
            positive.map(|x| x.ln() / base),
            positive.inverted_from_zero().times(Interval::point(1.0 / base)),
        ),
    }
}

impl Interval {
    /// 1 divided by numbers that are not negative.
    fn inverted_from_zero(self) -> Self {
        let high = if self.low == 0.0 { f64::INFINITY } else { 1.0 / self.low };
        let low = if self.high == 0.0 { 0.0 } else { 1.0 / self.high };
        Self::new(low, high)
    }
}

/// ARCSIN and ARCCOS.
fn arc(x: Part, factor: Interval, low: f64) -> Part {
    x.scaled(Interval::new(low, low + std::f64::consts::PI), factor)
}

/// What follows `x` and ends where it ends, from `initial` on.
fn lagged(x: Part, initial: Part) -> Part {
    Part {
        value_basis: x.value_basis.max(initial.value_basis),
        ..x.scaled(x.value.hull(initial.value), Interval::UNIT)
    }
}

/// What comes out of a material delay; a time that changes makes it more or less than what went in.
fn conveyed(x: Part, time: Part, initial: Part) -> Part {
    if time.value.is_point() {
        return lagged(x, initial);
    }
    let value = x.value.hull(initial.value).times(Interval::NON_NEGATIVE);
    Part {
        value_basis: x.value_basis.max(initial.value_basis),
        ..x.scaled(value, Interval::NON_NEGATIVE)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::parse::parse;
    use std::collections::HashMap;

    /// Ranges and tables by folded name; other names can be anything.
    #[derive(Default)]
    pub(crate) struct World {
        ranges: HashMap<&'static str, Range>,
        tables: HashMap<&'static str, Graphical>,
    }

    impl Surroundings for World {
        fn range(&self, name: &Name) -> Option<Range> {
            if self.tables.contains_key(&*name.folded) || builtins::lookup(&name.folded, Dialect::Xmile).is_some() {
                return None;
            }
            Some(self.ranges.get(&*name.folded).copied().unwrap_or(Range::ANY))
        }

        fn graphical(&self, name: &Name) -> Option<&Graphical> {
            self.tables.get(&*name.folded)
        }
    }

    /// p, q: not negative; k: 1000; c: a constant below 0; r, s: what a run showed; rising, falling, hill: tables.
    fn world() -> World {
        let table = |ys: [f64; 4]| Graphical {
            kind: GraphicalKind::Continuous,
            points: ys.iter().zip([0.0, 1.0, 2.0, 3.0]).map(|(y, x)| [x, *y]).collect(),
        };
        World {
            ranges: HashMap::from([
                ("p", Range::NON_NEGATIVE),
                ("q", Range::NON_NEGATIVE),
                ("k", Range::constant(1000.0)),
                ("c", Range::constant(-2.0)),
                ("r", Range::run(0.0, 400.0)),
                ("s", Range::run(0.0, 1200.0)),
                ("low", Range::run(0.0, 0.9)),
            ]),
            tables: HashMap::from([
                ("rising", table([0.0, 1.0, 1.0, 5.0])),
                ("falling", table([3.0, 1.0, -1.0, -1.0])),
                ("hill", table([0.0, 1.0, 1.0, 0.0])),
            ]),
        }
    }

    /// The effect on `text` of `input`: `+`, `-`, `0` or `?`.
    #[track_caller]
    fn check(text: &str, input: &str, expected: &str) -> Effect {
        let expr = parse(text, Dialect::Xmile).unwrap().expr;
        let effect = effect(&expr, None, input, Dialect::Xmile, &world());
        let found = match effect.polarity {
            Polarity::Positive => "+",
            Polarity::Negative => "-",
            Polarity::None => "0",
            Polarity::Unknown => "?",
        };
        assert_eq!(found, expected, "{input} in {text}");
        effect
    }

    #[track_caller]
    fn check_basis(text: &str, input: &str, expected: &str, basis: Basis) {
        assert_eq!(check(text, input, expected).basis, basis, "{input} in {text}");
    }

    #[test]
    fn arithmetic() {
        check_basis("x", "x", "+", Basis::Constants);
        check_basis("y + 2", "x", "0", Basis::Constants);
        check_basis("y - x", "x", "-", Basis::Constants);
        check_basis("-(y - 2 * x)", "x", "+", Basis::Constants);
        check_basis("p * x", "x", "+", Basis::AssumedNonNegative);
        check_basis("p * x", "p", "?", Basis::Constants);
        check_basis("c * x", "x", "-", Basis::Constants);
        check_basis("x / k", "x", "+", Basis::Constants);
        check_basis("p / q", "q", "-", Basis::AssumedNonNegative);
        check("p / x", "x", "?");
        check("1 / x", "x", "?");
        check("x * x", "x", "?");
        check_basis("p * p", "p", "+", Basis::AssumedNonNegative);
        check("x MOD 3", "x", "?");
        check("y MOD 3", "x", "0");
        check("x - x", "x", "0");
    }

    #[test]
    fn the_logistic_depends_on_the_range_of_the_run() {
        check_basis("r * (1 - r / k)", "r", "+", Basis::Run);
        check("s * (1 - s / k)", "s", "?");
        check("p * (1 - p / k)", "p", "?");
    }

    #[test]
    fn a_part_rises_in_its_whole() {
        check_basis("p / (p + q)", "p", "+", Basis::AssumedNonNegative);
        check_basis("p / (p + q)", "q", "-", Basis::AssumedNonNegative);
        check("k * p / (q + p) * 3", "p", "+");
        check("k * p / (k * p + q)", "p", "+");
        check("q * (k * p) / (p * k + q)", "p", "+");
        check("p / (1 + p)", "p", "+");
        check("p / (p - q)", "p", "?");
        check("x / (x + q)", "x", "?");
        check("SAFEDIV(p, p + q)", "p", "+");
        check("k / (k + p)", "p", "-");
    }

    #[test]
    fn powers() {
        check_basis("x ^ 3", "x", "+", Basis::Constants);
        check("x ^ 2", "x", "?");
        check_basis("p ^ 2", "p", "+", Basis::AssumedNonNegative);
        check("x ^ 0.5", "x", "+");
        check("x ^ -0.5", "x", "-");
        check("p ^ -2", "p", "-");
        check("x ^ -2", "x", "?");
        check_basis("2 ^ x", "x", "+", Basis::Constants);
        check("0.5 ^ x", "x", "-");
        check("(-2) ^ x", "x", "?");
        check("p ^ q", "q", "?");
        check("p ^ q", "p", "+");
        check("x ^ 0", "x", "0");
    }

    #[test]
    fn functions() {
        check("EXP(-x)", "x", "-");
        check("LN(x) + LOG10(x) + SQRT(x) + ARCTAN(x) + ARCSIN(x) + INT(x)", "x", "+");
        check("ARCCOS(x)", "x", "-");
        check("ABS(x)", "x", "?");
        check_basis("ABS(p)", "p", "+", Basis::AssumedNonNegative);
        check("ABS(c * p)", "p", "+");
        check("SIN(x)", "x", "?");
        check("SIN(y) + x", "x", "+");
        check("MAX(x, y) + MIN(x, 3)", "x", "+");
        check("MAX(x, -x)", "x", "?");
        check("MAX(p, c * p)", "p", "+");
        check("MAX(x)", "x", "+");
        check("p * MAX(0, 1 - q)", "q", "-");
        check("MAX(0, r - 500)", "r", "+");
        check("SAFEDIV(x, k)", "x", "+");
        check("SAFEDIV(p, q, x)", "x", "?");
        check("SAFEDIV(p, q)", "q", "-");
        check("SAFEDIV(p, k * MAX(q, 1))", "q", "-");
        // 0 up to q = 3, then great.
        check("SAFEDIV(p, k * MAX(0, q - 3))", "q", "?");
        check("SAFEDIV(p, q > 3)", "q", "?");
        check("SAFEDIV(p, q > 3)", "p", "+");
        check("unheard_of(x)", "x", "?");
        check("unheard_of(y)", "x", "0");
        check("PI * x", "x", "+");
    }

    #[test]
    fn delays_tests_and_memory() {
        check("SMTH1(x, 5)", "x", "+");
        check("SMTH3(y, x)", "x", "?");
        check("SMTHN(-x, p, 3, y)", "x", "-");
        check("SMTH1(y, 5, x)", "x", "0");
        check("DELAY3(p * x, 5)", "x", "+");
        check("DELAY1(p, q)", "p", "+");
        check("DELAYN(p, 3, x)", "x", "?");
        check("DELAY(x, 2, 0) + PREVIOUS(x, 0)", "x", "+");
        check("INIT(x)", "x", "0");
        check("x - 2 * SMTH1(x, 3)", "x", "?");
        check("TREND(x, 5)", "x", "?");
        assert!(check("FORCST(x, 5, 2)", "x", "+").by_convention);
        assert!(!check("FORCST(y, 5, 2) + x", "x", "+").by_convention);
        check("STEP(x, 5) + RAMP(x, 3) + PULSE(x, 1)", "x", "+");
        check("STEP(y, x)", "x", "?");
        check("NORMAL(x, 1)", "x", "?");
        check("x * EXPRND(2)", "x", "+");
    }

    #[test]
    fn choices_and_logic() {
        check("IF y > 1 THEN x ELSE 2 * x", "x", "+");
        check("IF y > 1 THEN x ELSE -x", "x", "?");
        check("IF x > k THEN 3 ELSE 2", "x", "+");
        check("IF x > k THEN 2 ELSE 3", "x", "-");
        check("IF x < k THEN 3 ELSE 2", "x", "-");
        check("IF x > k THEN y ELSE 3", "x", "?");
        check("IF x > k THEN p + x ELSE x - q", "x", "?");
        check("IF x > k AND y THEN p ELSE -q", "x", "+");
        check("IF 1 THEN x ELSE -x", "x", "+");
        check("x > y", "x", "+");
        check("y >= x", "x", "-");
        check("NOT (x > y)", "x", "-");
        check("x > y OR y > 2", "x", "+");
        check("x AND y", "x", "?");
        check("p AND q", "p", "+");
        check("x = y", "x", "?");
        check("x <> y", "x", "?");
    }

    #[test]
    fn graphical_functions() {
        check_basis("rising(x)", "x", "+", Basis::Constants);
        check_basis("p * falling(x / k)", "x", "-", Basis::AssumedNonNegative);
        check("LOOKUP(rising, -x)", "x", "-");
        check("hill(x)", "x", "?");
        check_basis("hill(low)", "low", "+", Basis::Run);
        check("rising(x) * q", "q", "+");
        check("falling(x) * q", "q", "?");
        check("falling(low) * q", "q", "+");
        let x = parse("x", Dialect::Xmile).unwrap().expr;
        for (kind, ys, expected) in [
            (GraphicalKind::Continuous, [0.0, 1.0, 1.0, 2.0], Polarity::Positive),
            (GraphicalKind::Discrete, [3.0, 2.0, 1.0, 1.0], Polarity::Negative),
            (GraphicalKind::Extrapolate, [0.0, 1.0, 2.0, 1.0], Polarity::Unknown),
            (GraphicalKind::Continuous, [1.0; 4], Polarity::None),
        ] {
            let points = ys.iter().zip([0.0, 1.0, 2.0, 3.0]).map(|(y, x)| [x, *y]).collect();
            let own = Graphical { kind, points };
            let effect = effect(&x, Some(&own), "x", Dialect::Xmile, &world());
            assert_eq!(effect.polarity, expected, "{own:?}");
        }
    }

    #[test]
    fn vensim_functions() {
        for (text, expected) in [
            ("IF THEN ELSE(y > 1, x, 2 * x)", Polarity::Positive),
            ("INTEGER(x) + POWER(x, 3) + SMOOTHI(x, 3, 0)", Polarity::Positive),
            ("DELAY N(x, 3, 0, 2) - GAME(-x)", Polarity::Positive),
            ("XIDZ(x, 3, 0) + LOG(x, 2)", Polarity::Positive),
            ("SAMPLE IF TRUE(y > 1, -x, 0)", Polarity::Negative),
            ("MODULO(x, 2)", Polarity::Unknown),
        ] {
            let expr = parse(text, Dialect::Vensim).unwrap().expr;
            let effect = effect(&expr, None, "x", Dialect::Vensim, &world());
            assert_eq!(effect.polarity, expected, "{text}");
        }
    }

    #[test]
    fn high_expressions_are_walked() {
        let sum = "x".to_owned() + &"+x".repeat(1023);
        check(&sum, "x", "+");
        let product = "p".to_owned() + &"*p".repeat(1023);
        check(&product, "p", "+");
        let deep = "ABS(".repeat(256) + "p" + &")".repeat(256);
        check(&deep, "p", "+");
    }

    /// Repeatable random numbers: `SplitMix64`.
    struct Dice(u64);

    impl Dice {
        fn roll(&mut self) -> u64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = self.0;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        }

        fn below(&mut self, sides: u64) -> u64 {
            self.roll() % sides
        }

        /// A number whose sums are exact: rounding must not carry an INT or a comparison over its edge.
        fn between(&mut self, low: f64, high: f64) -> f64 {
            let steps = ((high - low) * 1024.0) as u64;
            low + self.below(steps + 1) as f64 / 1024.0
        }

        /// The text of a random expression.
        fn expression(&mut self, depth: u32) -> String {
            if depth == 0 || self.below(6) == 0 {
                return match self.below(8) {
                    0..=2 => "x".to_owned(),
                    3 | 4 => "a".to_owned(),
                    5 => "b".to_owned(),
                    _ => format!("{}", self.below(9) as f64 / 2.0),
                };
            }
            let mut next = || self.expression(depth - 1);
            let (e, f, g) = (next(), next(), next());
            match self.below(34) {
                0..=3 => format!("({e} + {f})"),
                4..=6 => format!("({e} - {f})"),
                7..=10 => format!("({e}) * ({f})"),
                11 | 12 => format!("({e}) / ({f})"),
                13 => format!("({e}) / (({e}) + ({f}))"),
                14 => format!("({g}) * ({e}) / (({f}) + ({e}) * ({g}))"),
                15 => format!("({e}) ^ {}", self.below(4)),
                16 => format!("({e}) ^ -{}", self.below(3)),
                17 => format!("({e}) ^ ({f})"),
                18 => format!("{} ^ ({e})", (1 + self.below(4)) as f64 / 2.0),
                19 => format!("MAX({e}, {f}, {g})"),
                20 => format!("MIN({e}, {f})"),
                21 => format!("IF {e} > {f} THEN {g} ELSE {f}"),
                22 => format!("(IF {e} <= {f} THEN {f} ELSE {g})"),
                23 => format!("(IF {e} AND {f} > 1 THEN {} ELSE {})", self.below(5), self.below(5)),
                24 => format!("(IF NOT ({e}) OR {f} < 1 THEN {g} ELSE {})", self.below(5)),
                25 => format!("EXP({e})"),
                26 => format!("ABS({e})"),
                27 => format!("LN({e})"),
                28 => format!("SQRT({e})"),
                29 => format!("ARCTAN({e})"),
                30 => format!("INT({e})"),
                31 => format!("rising({e})"),
                32 => format!("hill({e})"),
                _ => format!("SAFEDIV({e}, {f}, 1)"),
            }
        }
    }

    /// The value of an expression, none where it is not finite; `size` becomes the greatest number met on the way.
    pub(crate) fn evaluate(expr: &Expr, values: &HashMap<&str, f64>, world: &World, size: &mut f64) -> Option<f64> {
        let mut sub = |expr: &Expr| evaluate(expr, values, world, size);
        let truth = |yes: bool| f64::from(u8::from(yes));
        let value = match &expr.kind {
            ExprKind::Number(number) => *number,
            ExprKind::Name(name) => *values.get(&*name.folded)?,
            ExprKind::Unary(Unary::Plus, a) => sub(a)?,
            ExprKind::Unary(Unary::Minus, a) => -sub(a)?,
            ExprKind::Unary(Unary::Not, a) => truth(sub(a)? == 0.0),
            ExprKind::If(c, a, b) => {
                let chosen = if sub(c)? == 0.0 { b } else { a };
                sub(chosen)?
            }
            ExprKind::Binary(operator, a, b) => {
                let (a, b) = (sub(a)?, sub(b)?);
                match operator {
                    Binary::Add => a + b,
                    Binary::Subtract => a - b,
                    Binary::Multiply => a * b,
                    Binary::Divide => a / b,
                    Binary::Power => a.powf(b),
                    Binary::Modulo => a - b * (a / b).floor(),
                    Binary::Less => truth(a < b),
                    Binary::LessEqual => truth(a <= b),
                    Binary::Greater => truth(a > b),
                    Binary::GreaterEqual => truth(a >= b),
                    Binary::And => truth(a != 0.0 && b != 0.0),
                    Binary::Or => truth(a != 0.0 || b != 0.0),
                    _ => panic!("{operator:?} is not among the random ones"),
                }
            }
            ExprKind::Call(name, arguments) => {
                let arguments: Option<Vec<f64>> = arguments.iter().map(sub).collect();
                let arguments = arguments?;
                let x = arguments[0];
                match &*name.folded {
                    "max" => arguments.iter().copied().fold(x, f64::max),
                    "min" => arguments.iter().copied().fold(x, f64::min),
                    "exp" => x.exp(),
                    "abs" => x.abs(),
                    "ln" => x.ln(),
                    "sqrt" => x.sqrt(),
                    "arctan" => x.atan(),
                    "int" => x.floor(),
                    "safediv" if arguments[1] == 0.0 => return None,
                    "safediv" => x / arguments[1],
                    table => at(&world.tables[table], x),
                }
            }
        };
        *size = size.max(value.abs());
        value.is_finite().then_some(value)
    }

    #[test]
    fn proven_signs_hold_wherever_the_ranges_allow() {
        let mut dice = Dice(6);
        let mut proven = [0; 3];
        for _ in 0..8_000 {
            let depth = 1 + dice.below(3) as u32;
            let text = dice.expression(depth);
            let expr = parse(&text, Dialect::Xmile).unwrap().expr;
            let mut ends = || match dice.below(4) {
                0 => (-2.5, 2.5),
                1 => (0.0, 3.0),
                2 => (-4.0, 0.0),
                _ => (0.5, 2.0),
            };
            let ranges = [("x", ends()), ("a", ends()), ("b", ends())];
            let mut world = world();
            world.ranges = ranges
                .map(|(name, (low, high))| (name, Range::new(low, high, Basis::Run)))
                .into();
            let Effect { polarity, .. } = effect(&expr, None, "x", Dialect::Xmile, &world);
            let index = match polarity {
                Polarity::Positive => 0,
                Polarity::Negative => 1,
                Polarity::None => 2,
                Polarity::Unknown => continue,
            };
            for _ in 0..12 {
                let mut values: HashMap<&str, f64> = ranges
                    .iter()
                    .map(|(name, (low, high))| (*name, dice.between(*low, *high)))
                    .collect();
                let (low, high) = ranges[0].1;
                let (one, two) = (dice.between(low, high), dice.between(low, high));
                let mut size = 1.0;
                values.insert("x", one.min(two));
                let before = evaluate(&expr, &values, &world, &mut size);
                values.insert("x", one.max(two));
                let after = evaluate(&expr, &values, &world, &mut size);
                let (Some(before), Some(after)) = (before, after) else {
                    continue;
                };
                proven[index] += 1;
                let rise = (after - before) / size;
                let holds = match polarity {
                    Polarity::Positive => rise >= -1e-9,
                    Polarity::Negative => rise <= 1e-9,
                    _ => rise.abs() <= 1e-9,
                };
                assert!(
                    holds,
                    "{polarity:?}: {text} with {values:?} goes from {before} to {after}; {ranges:?}"
                );
            }
        }
        assert!(proven.iter().all(|count| *count > 2_000), "{proven:?}");
    }
}
