//! Equations with every name resolved: to a variable, a builtin, a graphical function, or a problem.

use crate::ast::{Binary, Dialect, Expr, ExprKind, Name, Span, Unary};
use crate::builtins::{self, Builtin, Entry};
use crate::model::{Graphical, GraphicalKind, Kind, Model, Variable};
use crate::names::{Names, Suggestions};
use crate::parse::{ErrorKind, caret, parse};
use crate::problem::{Level, Problem};
use crate::program::{Distribution, Held, Many, One};
use foldhash::fast::RandomState;
use std::collections::HashSet;

/// How many problems of one equation are named.
const NAMED: usize = 20;

/// A resolved expression.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Ir {
    Number(f64),
    /// A variable, by its index.
    Variable(u32),
    /// The time, also in the stages of RK4.
    Time,
    Unary(Unary, Box<Ir>),
    Binary(Binary, Box<Ir>, Box<Ir>),
    Min(Box<Ir>, Box<Ir>),
    Max(Box<Ir>, Box<Ir>),
    If(Box<[Ir; 3]>),
    One(One, Box<Ir>),
    Many(Many, Vec<Ir>),
    /// A graphical function, by its index among the tables.
    Lookup(u32, Box<Ir>),
    /// A call that remembers something, by its index among the sites.
    Site(u32),
    /// The first during the run, the second in the initial pass.
    ActiveInitial(Box<[Ir; 2]>),
}

/// A call that remembers something from step to step.
#[derive(Debug, Clone)]
pub(super) struct Site {
    pub(super) kind: SiteKind,
    /// What it works on; see [`SiteKind`].
    pub(super) arguments: Vec<Ir>,
    /// What it starts from, where that is given; the seed of a draw.
    pub(super) initial: Option<Ir>,
    /// The number of stages, where the call gives it.
    pub(super) order: Option<Ir>,
    pub(super) phase: Phase,
    /// The variable in whose equation it stands.
    pub(super) owner: u32,
    pub(super) span: Span,
    /// The function's name as its usage spells it.
    pub(super) spelling: &'static str,
}

/// What a call remembers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SiteKind {
    /// x: its value in the initial pass.
    Init,
    /// x: its value one step ago.
    Previous,
    /// x, time: its value so long ago.
    Delay,
    /// x, time: material under way.
    Material(u32),
    /// x, time: an average.
    Smooth(u32),
    /// x, time: the growth of an average.
    Trend,
    /// x, time, horizon: x extrapolated by that.
    Forecast,
    /// condition, x: x when the condition held last.
    Sample,
    /// The distribution's arguments.
    Draw(Distribution),
    /// The function's arguments.
    Held(Held),
}

/// When the value of a call is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// With the equation it stands in.
    Now,
    /// After all equations: only the state of another call needs it.
    Late,
    /// In the initial pass only.
    Initial,
}

impl Site {
    /// The arguments whose values are needed at once, when the call's value is.
    pub(super) fn needed_now(&self) -> &[Ir] {
        match self.kind {
            SiteKind::Init | SiteKind::Previous | SiteKind::Delay | SiteKind::Smooth(_) => &[],
            SiteKind::Material(_) => self.arguments.get(1..).unwrap_or_default(),
            _ => &self.arguments,
        }
    }

    /// The arguments whose values are needed in the initial pass.
    pub(super) fn needed_initially(&self) -> impl Iterator<Item = &Ir> {
        let given = self.initial.is_some();
        let arguments: &[Ir] = match self.kind {
            SiteKind::Previous => &[],
            SiteKind::Delay | SiteKind::Smooth(_) if given => &[],
            SiteKind::Delay | SiteKind::Smooth(_) => self.arguments.get(..1).unwrap_or_default(),
            SiteKind::Material(_) if given => self.arguments.get(1..).unwrap_or_default(),
            _ => &self.arguments,
        };
        arguments.iter().chain(&self.initial)
    }
}

/// A model with every name resolved.
#[derive(Debug)]
pub(super) struct Resolved<'m> {
    /// The variables that have a value; those that are only called as functions are left out.
    pub(super) variables: Vec<&'m Variable>,
    /// Their equations, in the same order; for a stock, its initial value.
    pub(super) equations: Vec<Ir>,
    /// The table through which the value of each goes, where there is one.
    pub(super) graphical: Vec<Option<u32>>,
    pub(super) sites: Vec<Site>,
    pub(super) equalities: Vec<Equality>,
    pub(super) tables: Vec<Graphical>,
    /// The flows of each stock; empty for other variables.
    pub(super) ends: Vec<Ends>,
    pub(super) problems: Vec<Problem>,
}

/// The flows of a stock, by index, each once, in order.
#[derive(Debug, Clone, Default)]
pub(super) struct Ends {
    pub(super) inflows: Vec<u32>,
    pub(super) outflows: Vec<u32>,
}

/// A comparison by `=` or `<>`; up to a few of each equation.
#[derive(Debug)]
pub(super) struct Equality {
    /// The variable in whose equation it stands.
    pub(super) owner: u32,
    pub(super) span: Span,
    pub(super) sides: [Ir; 2],
}

/// Fixed numbers that expressions can name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Times {
    pub(super) start: f64,
    pub(super) stop: f64,
    pub(super) dt: f64,
}

/// True for a graphical function without an input: it has no value of its own and can only be called.
fn is_function(variable: &Variable) -> bool {
    variable.graphical.is_some() && variable.equation.is_none() && variable.kind == Kind::Auxiliary
}

/// Resolves every equation of a model. Faults are among the problems; what has one is NaN.
pub(super) fn resolve(model: &Model, times: Times) -> Resolved<'_> {
    let variables: Vec<&Variable> = model.variables.iter().filter(|v| !is_function(v)).collect();
    let mut resolver = Resolver {
        names: Names::default(),
        functions: Vec::new(),
        suggestions: None,
        dialect: model.dialect,
        is_isee: model.vendor.to_ascii_lowercase().contains("isee"),
        times,
        tables: Vec::new(),
        sites: Vec::new(),
        equalities: Vec::new(),
        problems: Vec::new(),
        left: [0; 3],
        variable: 0,
        text: "",
        variables: &variables,
        phase: Phase::Now,
    };
    resolver.declare(model);
    let mut graphical = Vec::with_capacity(variables.len());
    for at in 0..variables.len() {
        graphical.push(resolver.functions[at]);
    }
    let mut equations = Vec::with_capacity(variables.len());
    for (at, variable) in variables.iter().enumerate() {
        resolver.variable = at as u32;
        resolver.phase = match variable.kind {
            Kind::Stock { .. } => Phase::Initial,
            _ => Phase::Now,
        };
        equations.push(resolver.equation(variable));
    }
    let ends = variables.iter().map(|variable| resolver.ends(variable)).collect();
    Resolved {
        equations,
        graphical,
        sites: resolver.sites,
        equalities: resolver.equalities,
        tables: resolver.tables,
        ends,
        problems: resolver.problems,
        variables,
    }
}

struct Resolver<'m, 'v> {
    /// Variables, then what can only be called.
    names: Names<'m>,
    /// The table of each of those names, where it has one.
    functions: Vec<Option<u32>>,
    suggestions: Option<Suggestions<'m>>,
    dialect: Dialect,
    is_isee: bool,
    times: Times,
    tables: Vec<Graphical>,
    sites: Vec<Site>,
    equalities: Vec<Equality>,
    problems: Vec<Problem>,
    /// How many more errors, pieces of advice, and comparisons of this equation are named.
    left: [usize; 3],
    /// The variable whose equation is being resolved, and its text.
    variable: u32,
    text: &'v str,
    variables: &'v [&'m Variable],
    phase: Phase,
}

impl<'m, 'v> Resolver<'m, 'v>
where
    'm: 'v,
{
    /// Gives every name its place, and every graphical function its table.
    fn declare(&mut self, model: &'m Model) {
        for variable in self.variables {
            if let Some(first) = self.names.insert(&variable.name) {
                let first = self.names.all()[first];
                let same = first == variable.name;
                let level = if same { Level::Error } else { Level::Warning };
                let found = format!(
                    "there is another variable `{first}`; blanks, underscores and case do not tell names apart"
                );
                self.problems.push(Problem::of(
                    variable,
                    "duplicate-name",
                    level,
                    found,
                    "rename one of the two",
                ));
            }
            let table = variable
                .graphical
                .as_ref()
                .map(|g| self.table(&variable.name, &variable.pointer, g));
            self.functions.push(table);
        }
        let called = model.variables.iter().filter(|v| is_function(v));
        let called = called.filter_map(|v| Some((v.name.as_str(), v.pointer.as_str(), v.graphical.as_ref()?)));
        let alone = model
            .functions
            .iter()
            .map(|(name, graphical)| (name.as_str(), "", graphical));
        for (name, pointer, graphical) in called.chain(alone) {
            self.names.insert(name);
            let table = self.table(name, pointer, graphical);
            self.functions.push(Some(table));
        }
    }

    fn table(&mut self, name: &str, pointer: &str, graphical: &Graphical) -> u32 {
        if let Some((level, found, fix)) = table_problem(graphical) {
            let message = format!("the graphical function `{name}` {found}");
            self.problems.push(Problem {
                variable: name.to_owned(),
                pointer: pointer.to_owned(),
                ..Problem::of_model("graphical-function", level, message, fix)
            });
        }
        self.tables.push(graphical.clone());
        self.tables.len() as u32 - 1
    }

    fn here(&self) -> &'v Variable {
        self.variables[self.variable as usize]
    }

    /// The resolved equation of a variable.
    fn equation(&mut self, variable: &'v Variable) -> Ir {
        let text = variable.equation.as_deref().unwrap_or_default();
        self.text = text;
        self.left = [NAMED; 3];
        let parsed = match parse(text, self.dialect) {
            Ok(parsed) => parsed,
            Err(error) if error.kind == ErrorKind::Missing => {
                let (what, fix) = match variable.kind {
                    Kind::Stock { .. } => (
                        "has no initial value, so the model cannot be run",
                        "say what it holds at the start: a number or an expression (absent never means 0)",
                    ),
                    _ => ("has no equation", "write a number or an expression"),
                };
                let found = format!("`{}` {what}", variable.name);
                self.problems.push(Problem::in_equation(
                    variable,
                    "missing-equation",
                    Level::Error,
                    found,
                    fix,
                ));
                return Ir::Number(f64::NAN);
            }
            Err(error) => {
                let found = error.render(text);
                let fix = "correct the expression, or keep prose in the description";
                self.problems.push(
                    Problem::in_equation(variable, "unparsable-expression", Level::Error, found, fix).at(error.span),
                );
                return Ir::Number(f64::NAN);
            }
        };
        for note in parsed.notes {
            self.advise(
                note.code,
                &note.span,
                &note.message,
                "write it so that it cannot be misread",
            );
        }
        self.expression(&parsed.expr)
    }

    fn expression(&mut self, expr: &Expr) -> Ir {
        match &expr.kind {
            ExprKind::Number(number) => Ir::Number(*number),
            ExprKind::Name(name) => self.name(name, &expr.span),
            ExprKind::Unary(operator, a) => Ir::Unary(*operator, self.boxed(a)),
            ExprKind::Binary(operator, a, b) => {
                let (a, b) = (self.boxed(a), self.boxed(b));
                if matches!(operator, Binary::Equal | Binary::NotEqual) && self.may_name(2) {
                    self.equalities.push(Equality {
                        owner: self.variable,
                        span: expr.span.clone(),
                        sides: [(*a).clone(), (*b).clone()],
                    });
                }
                Ir::Binary(*operator, a, b)
            }
            ExprKind::If(condition, then, otherwise) => {
                let condition = self.expression(condition);
                let then = self.expression(then);
                Ir::If(Box::new([condition, then, self.expression(otherwise)]))
            }
            ExprKind::Call(name, arguments) => self.call(name, arguments, &expr.span),
        }
    }

    fn boxed(&mut self, expr: &Expr) -> Box<Ir> {
        Box::new(self.expression(expr))
    }

    /// A name without parentheses: a variable before a builtin.
    fn name(&mut self, name: &Name, span: &Span) -> Ir {
        let found = self.names.find(name);
        match found {
            Some(place) if place < self.variables.len() => Ir::Variable(place as u32),
            Some(_) => {
                let text = &name.text;
                self.undefined(
                    span,
                    format!("`{text}` is a graphical function, which has a value only where it is called"),
                    format!("write {text}(x)"),
                )
            }
            None => match builtins::lookup(&name.folded, self.dialect).filter(|entry| entry.least == 0) {
                Some(entry) => self.value(entry),
                None => {
                    let names = &self.names;
                    let suggestions = self.suggestions.get_or_insert_with(|| names.suggestions());
                    let fix = match (suggestions.find(name), builtins::lookup(&name.folded, self.dialect)) {
                        (_, Some(entry)) => format!("call the function: {}", entry.usage),
                        (Some(near), None) => format!("did you mean `{near}`?"),
                        (None, None) => format!("add a variable `{}`, or correct the name", name.text),
                    };
                    self.undefined(span, format!("there is no variable `{}`", name.text), fix)
                }
            },
        }
    }

    /// Notes a problem at a place of this equation; only the first few, for each repeats a part of the text.
    fn note(&mut self, code: &'static str, level: Level, span: &Span, message: &str, fix: &str) {
        if self.may_name(usize::from(level != Level::Error)) {
            let found = format!("{}\n{message}", caret(self.text, span));
            self.problems
                .push(Problem::in_equation(self.here(), code, level, found, fix).at(span.clone()));
        }
    }

    fn may_name(&mut self, kind: usize) -> bool {
        let left = self.left[kind].checked_sub(1);
        self.left[kind] = left.unwrap_or(0);
        left.is_some()
    }

    /// Notes a name that means nothing here.
    fn undefined(&mut self, span: &Span, message: String, fix: String) -> Ir {
        self.note("undefined-name", Level::Error, span, &message, &fix);
        Ir::Number(f64::NAN)
    }

    /// Notes a call that cannot be computed.
    fn refuse(&mut self, span: &Span, message: &str, fix: &str) -> Ir {
        self.note("wrong-arguments", Level::Error, span, message, fix);
        Ir::Number(f64::NAN)
    }

    /// Notes something that could be better.
    fn advise(&mut self, code: &'static str, span: &Span, message: &str, fix: &str) {
        self.note(code, Level::Info, span, message, fix);
    }

    /// A builtin without parentheses.
    fn value(&self, entry: &Entry) -> Ir {
        match entry.builtin {
            Builtin::Pi => Ir::Number(std::f64::consts::PI),
            Builtin::Inf => Ir::Number(f64::INFINITY),
            Builtin::Time => Ir::Time,
            Builtin::Dt => Ir::Number(self.times.dt),
            Builtin::StartTime => Ir::Number(self.times.start),
            Builtin::StopTime => Ir::Number(self.times.stop),
            // SELF; outside PREVIOUS it is an algebraic loop.
            _ => Ir::Variable(self.variable),
        }
    }

    /// A name with arguments: a builtin before a graphical function.
    fn call(&mut self, name: &Name, arguments: &[Expr], span: &Span) -> Ir {
        if let Some(entry) = builtins::lookup(&name.folded, self.dialect) {
            return match entry.wrong_count(arguments.len()) {
                Some(message) => self.refuse(span, &message, &format!("write {}", entry.usage)),
                None => self.builtin(entry, arguments, span),
            };
        }
        match (
            self.names.find(name).map(|place| (place, self.functions[place])),
            arguments,
        ) {
            (Some((_, Some(table))), [x]) => Ir::Lookup(table, self.boxed(x)),
            (Some((_, Some(_))), _) => {
                let fix = format!("write {}(x)", name.text);
                self.refuse(span, "a graphical function takes one argument", &fix)
            }
            (Some((place, None)), _) => {
                let variable = self.names.all()[place];
                self.undefined(
                    span,
                    format!("`{variable}` is a variable without a graphical function, so it cannot be called"),
                    format!("write {variable} without parentheses, or * before them to multiply"),
                )
            }
            (None, _) => {
                let message = builtins::unknown_function(&name.folded, &name.text, self.dialect);
                self.undefined(span, message, "call a function that exists".to_owned())
            }
        }
    }

    /// The table that an argument names.
    fn function(&self, argument: &Expr) -> Option<u32> {
        match &argument.kind {
            ExprKind::Name(name) => self.functions[self.names.find(name)?],
            _ => None,
        }
    }

    fn builtin(&mut self, entry: &Entry, arguments: &[Expr], span: &Span) -> Ir {
        use Builtin as B;
        match (entry.builtin, arguments) {
            (B::Pi | B::Inf | B::Time | B::Dt | B::StartTime | B::StopTime | B::Itself, _) => self.value(entry),
            (B::Abs, [x]) => self.one(One::Abs, x),
            (B::Exp, [x]) => self.one(One::Exp, x),
            (B::Ln, [x]) => self.one(One::Ln, x),
            (B::Log10, [x]) => self.one(One::Log10, x),
            (B::Sqrt, [x]) => self.one(One::Sqrt, x),
            (B::Sin, [x]) => self.one(One::Sin, x),
            (B::Cos, [x]) => self.one(One::Cos, x),
            (B::Tan, [x]) => self.one(One::Tan, x),
            (B::Arcsin, [x]) => self.one(One::ArcSin, x),
            (B::Arccos, [x]) => self.one(One::ArcCos, x),
            (B::Arctan, [x]) => self.one(One::ArcTan, x),
            (B::Int, [x]) => self.one(One::Floor, x),
            (B::Truncate, [x]) => self.one(One::Truncate, x),
            (B::Game, [x]) => self.expression(x),
            (B::LogBase, _) => self.many(Many::Logarithm, arguments),
            (B::Remainder, _) => self.many(Many::Remainder, arguments),
            (B::Quantum, _) => self.many(Many::Quantum, arguments),
            (B::Power, [a, b]) => {
                let a = self.boxed(a);
                Ir::Binary(Binary::Power, a, self.boxed(b))
            }
            (B::SafeDiv, _) => self.padded(Many::SafeDivide, arguments, 0.0),
            (B::Zidz | B::Xidz, _) => self.padded(Many::NearSafeDivide, arguments, 0.0),
            (B::Ramp, _) => self.padded(Many::Ramp, arguments, f64::INFINITY),
            (B::Max | B::Min, [first, rest @ ..]) => self.extreme(entry.builtin, first, rest),
            (B::Lookup | B::LookupExtrapolate, [function, x]) => {
                let Some(mut table) = self.function(function) else {
                    return self.refuse(
                        &function.span,
                        "the first argument is the name of a graphical function",
                        &format!("write {}", entry.usage),
                    );
                };
                if entry.builtin == B::LookupExtrapolate {
                    let mut extrapolated = self.tables[table as usize].clone();
                    extrapolated.kind = GraphicalKind::Extrapolate;
                    self.tables.push(extrapolated);
                    table = self.tables.len() as u32 - 1;
                }
                Ir::Lookup(table, self.boxed(x))
            }
            (B::ActiveInitial, [active, initial]) => {
                let active = self.expression(active);
                Ir::ActiveInitial(Box::new([active, self.during(Phase::Initial, initial)]))
            }
            _ => self.site(entry, arguments, span),
        }
    }

    fn one(&mut self, function: One, x: &Expr) -> Ir {
        Ir::One(function, self.boxed(x))
    }

    fn many(&mut self, function: Many, arguments: &[Expr]) -> Ir {
        Ir::Many(function, arguments.iter().map(|x| self.expression(x)).collect())
    }

    /// A function of three numbers, the last of which may be left out.
    fn padded(&mut self, function: Many, arguments: &[Expr], last: f64) -> Ir {
        let mut values: Vec<Ir> = arguments.iter().map(|x| self.expression(x)).collect();
        values.resize(3, Ir::Number(last));
        Ir::Many(function, values)
    }

    /// MAX or MIN; of one graphical function's y, where it is the only argument.
    fn extreme(&mut self, which: Builtin, first: &Expr, rest: &[Expr]) -> Ir {
        if rest.is_empty()
            && let Some(table) = self.function(first)
        {
            let ys = self.tables[table as usize].points.iter().map(|point| point[1]);
            return Ir::Number(match which {
                Builtin::Max => ys.fold(f64::NEG_INFINITY, f64::max),
                _ => ys.fold(f64::INFINITY, f64::min),
            });
        }
        let mut all: Vec<Ir> = std::iter::once(first).chain(rest).map(|x| self.expression(x)).collect();
        // In pairs, so that a thousand arguments make ten levels and not a thousand.
        while all.len() > 1 {
            let mut pairs = Vec::with_capacity(all.len().div_ceil(2));
            let mut rest = all.into_iter();
            while let Some(a) = rest.next() {
                pairs.push(match rest.next() {
                    Some(b) if which == Builtin::Max => Ir::Max(Box::new(a), Box::new(b)),
                    Some(b) => Ir::Min(Box::new(a), Box::new(b)),
                    None => a,
                });
            }
            all = pairs;
        }
        all.pop().unwrap_or(Ir::Number(f64::NAN))
    }

    /// An expression that is computed in another phase.
    fn during(&mut self, phase: Phase, expr: &Expr) -> Ir {
        let before = self.phase;
        // What stands inside something initial is initial, and so on.
        self.phase = match (before, phase) {
            (Phase::Initial, _) | (_, Phase::Initial) => Phase::Initial,
            (Phase::Late, _) | (_, Phase::Late) => Phase::Late,
            (Phase::Now, Phase::Now) => Phase::Now,
        };
        let ir = self.expression(expr);
        self.phase = before;
        ir
    }

    /// A call that remembers something.
    fn site(&mut self, entry: &Entry, arguments: &[Expr], span: &Span) -> Ir {
        use Builtin as B;
        use Phase::{Initial, Late, Now};
        // How the call's arguments are spread: those it works on with their phases, the initial one, the order.
        let (kind, phases, initial, order): (_, &[Phase], _, _) = match entry.builtin {
            B::Init => (SiteKind::Init, &[Initial], None, None),
            B::Previous => (SiteKind::Previous, &[Late], Some(1), None),
            B::Delay => (SiteKind::Delay, &[Late, Initial], Some(2), None),
            B::Delay1 => (SiteKind::Material(1), &[Late, Now], Some(2), None),
            B::Delay3 => (SiteKind::Material(3), &[Late, Now], Some(2), None),
            B::DelayN => (SiteKind::Material(0), &[Late, Now], Some(3), Some(2)),
            B::DelayNInitialFirst => (SiteKind::Material(0), &[Late, Now], Some(2), Some(3)),
            B::Smooth1 => (SiteKind::Smooth(1), &[Late, Late], Some(2), None),
            B::Smooth3 => (SiteKind::Smooth(3), &[Late, Late], Some(2), None),
            B::SmoothN => (SiteKind::Smooth(0), &[Late, Late], Some(3), Some(2)),
            B::SmoothNInitialFirst => (SiteKind::Smooth(0), &[Late, Late], Some(2), Some(3)),
            B::Trend => (SiteKind::Trend, &[Now, Now], Some(2), None),
            B::Forecast => (SiteKind::Forecast, &[Now, Now, Now], Some(3), None),
            B::SampleIfTrue => (SiteKind::Sample, &[Now, Now], Some(2), None),
            B::Exponential => (SiteKind::Draw(Distribution::Exponential), &[Now], Some(1), None),
            B::Poisson => (SiteKind::Draw(Distribution::Poisson), &[Now], Some(1), None),
            B::Uniform => (SiteKind::Draw(Distribution::Uniform), &[Now, Now], Some(2), None),
            B::Normal => (SiteKind::Draw(Distribution::Normal), &[Now, Now], Some(2), None),
            B::LogNormal => (SiteKind::Draw(Distribution::LogNormal), &[Now, Now], Some(2), None),
            B::NormalWithin => (SiteKind::Draw(Distribution::TruncatedNormal), &[Now; 4], Some(4), None),
            B::Step => (SiteKind::Held(Held::Step), &[Now, Now], None, None),
            B::Pulse => (SiteKind::Held(Held::Pulse), &[Now; 3], None, None),
            B::PulseWidth => (SiteKind::Held(Held::VensimPulse), &[Now, Now], None, None),
            B::PulseTrain => (SiteKind::Held(Held::PulseTrain), &[Now; 4], None, None),
            _ => {
                return self.refuse(span, "this function cannot be computed here", "use another function");
            }
        };
        let mut values: Vec<Ir> = arguments
            .iter()
            .zip(phases)
            .map(|(argument, phase)| self.during(*phase, argument))
            .collect();
        // Only PULSE's interval can be left out of these.
        values.resize(phases.len(), Ir::Number(0.0));
        let at = |i: Option<usize>| i.and_then(|i| arguments.get(i));
        let mut initial = at(initial).map(|argument| self.during(Initial, argument));
        let order = at(order).map(|argument| self.during(Initial, argument));
        if entry.builtin == B::Previous && initial.is_none() {
            self.advise(
                "previous-without-initial",
                span,
                "PREVIOUS without an initial value gives 0 in the first step",
                "write PREVIOUS(x, initial)",
            );
            initial = Some(Ir::Number(0.0));
        }
        if entry.builtin == B::Pulse && arguments.len() == 2 && self.is_isee {
            self.advise(
                "pulse-without-interval",
                span,
                "Stella pulses in every step from the first time on when no interval is given; here, as in XMILE, once",
                "give the interval: 0 for once, DT for every step",
            );
        }
        self.sites.push(Site {
            kind,
            arguments: values,
            initial,
            order,
            phase: self.phase,
            owner: self.variable,
            span: span.clone(),
            spelling: entry.spelling(),
        });
        Ir::Site(self.sites.len() as u32 - 1)
    }

    /// The flows of a stock.
    fn ends(&mut self, variable: &'v Variable) -> Ends {
        let Kind::Stock { inflows, outflows, .. } = &variable.kind else {
            return Ends::default();
        };
        Ends {
            inflows: self.flows(variable, inflows, "inflow"),
            outflows: self.flows(variable, outflows, "outflow"),
        }
    }

    fn flows(&mut self, stock: &'v Variable, names: &[String], side: &str) -> Vec<u32> {
        let mut flows = Vec::with_capacity(names.len());
        let mut seen = HashSet::with_hasher(RandomState::default());
        for name in names {
            let place = self.names.find_text(name).filter(|place| *place < self.variables.len());
            let Some(place) = place else {
                let found = format!("the {side} `{name}` of `{}` is no flow of the model", stock.name);
                let fix = "add the flow, or correct the name";
                self.problems
                    .push(Problem::of(stock, "undefined-name", Level::Error, found, fix));
                continue;
            };
            if matches!(self.variables[place].kind, Kind::Stock { .. }) {
                let found = format!("the {side} `{name}` of `{}` is a stock, not a flow", stock.name);
                let fix = "put a flow between the two stocks";
                self.problems
                    .push(Problem::of(stock, "undefined-name", Level::Error, found, fix));
                continue;
            }
            let place = place as u32;
            if !seen.insert(place) {
                let found = format!("`{name}` is an {side} of `{}` twice; it counts once", stock.name);
                self.problems.push(Problem::of(
                    stock,
                    "flow-listed-twice",
                    Level::Info,
                    found,
                    "list it once",
                ));
                continue;
            }
            flows.push(place);
        }
        flows
    }
}

/// What is wrong with the points of a graphical function, and what to do.
fn table_problem(graphical: &Graphical) -> Option<(Level, &'static str, &'static str)> {
    let points = &graphical.points;
    let is_number = |point: &[f64; 2]| point[0].is_finite() && point[1].is_finite();
    let fix = "give points [x, y] of finite numbers, x ascending";
    if points.is_empty() {
        Some((Level::Error, "has no points", fix))
    } else if !points.iter().all(is_number) {
        Some((Level::Error, "has a point that is no pair of finite numbers", fix))
    } else if !points.is_sorted_by(|a, b| a[0] <= b[0]) {
        Some((Level::Error, "has points whose x does not ascend", fix))
    } else if points.windows(2).any(|pair| pair[0][0] == pair[1][0]) {
        Some((
            Level::Info,
            "has an x twice; the first counts there",
            "give each x once",
        ))
    } else if graphical.kind == GraphicalKind::Discrete && points.last_chunk().is_some_and(|[a, b]| a[1] != b[1]) {
        Some((
            Level::Info,
            "is discrete and its last two y differ, so the last step has no width",
            "repeat the last y",
        ))
    } else {
        None
    }
}
