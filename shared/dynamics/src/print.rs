//! Expressions back to text in XMILE's spelling, with no more parentheses than needed.

use crate::ast::{Binary, Dialect, Expr, ExprKind, Name, Span, Unary};
use crate::builtins::{self, Builtin, Entry};
use crate::lexer::is_bare;
use crate::parse::{ErrorKind, ExprError, LONGEST, UNARY, parse, power, right_power, shown};
use std::fmt::Write;

/// The text of `expr`: parsed as XMILE it is `expr` again, spans apart.
pub fn print(expr: &Expr) -> String {
    let mut printer = Printer::default();
    printer.expr(expr, None, 0);
    printer.out
}

/// A name as an equation has it: in quotes where it needs them.
pub fn quoted(name: &str) -> String {
    let mut printer = Printer::default();
    printer.name(name);
    printer.out
}

/// An operator as written.
pub fn symbol(operator: Binary) -> &'static str {
    match operator {
        Binary::Power => "^",
        Binary::Multiply => "*",
        Binary::Divide => "/",
        Binary::Modulo => "MOD",
        Binary::Add => "+",
        Binary::Subtract => "-",
        Binary::Less => "<",
        Binary::LessEqual => "<=",
        Binary::Greater => ">",
        Binary::GreaterEqual => ">=",
        Binary::Equal => "=",
        Binary::NotEqual => "<>",
        Binary::And => "AND",
        Binary::Or => "OR",
    }
}

/// An equation in XMILE's spelling.
#[derive(Debug, Clone, PartialEq)]
pub struct Translation {
    /// The equation.
    pub text: String,
    /// What is not quite the same as before.
    pub losses: Vec<Loss>,
}

/// What is not quite the same after a translation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// Where, in the equation before.
    pub span: Span,
    /// What.
    pub message: String,
}

/// Writes an equation in Vensim's spelling as XMILE. `is_variable` tells the model's own names, which win over names
/// such as FINAL TIME. Functions that XMILE cannot express are kept as `vensim.NAME(...)`, and listed.
///
/// # Errors
/// [`ErrorKind::TooLarge`] where the translation, which repeats arguments, would be longer than an equation may be.
pub fn from_vensim(expr: &Expr, is_variable: &dyn Fn(&Name) -> bool) -> Result<Translation, ExprError> {
    let mut printer = Printer {
        is_variable: Some(is_variable),
        ..Printer::default()
    };
    match &expr.kind {
        // Only a whole equation can keep its own value.
        ExprKind::Call(name, arguments) if arguments.len() == 3 && is(name, Builtin::SampleIfTrue) => {
            printer.template(SAMPLE, arguments, 0);
        }
        _ => printer.expr(expr, None, 0),
    }
    if printer.out.len() > LONGEST {
        return Err(ExprError {
            kind: ErrorKind::TooLarge,
            span: expr.span.clone(),
            message: "in XMILE this would be too long: split the equation into several variables".to_owned(),
        });
    }
    parse(&printer.out, Dialect::Xmile)?;
    Ok(Translation {
        text: printer.out,
        losses: losses(expr),
    })
}

/// How Vensim's own functions are written in XMILE: `_1`, `_2`, ... are the arguments.
fn template(builtin: Builtin) -> Option<&'static str> {
    Some(match builtin {
        Builtin::Truncate => "IF _1 < 0 THEN -INT(-_1) ELSE INT(_1)",
        Builtin::Remainder => "_1 - _2 * (IF _1 / _2 < 0 THEN -INT(-(_1 / _2)) ELSE INT(_1 / _2))",
        Builtin::Quantum => "IF _2 <= 0 THEN _1 ELSE _2 * (IF _1 / _2 < 0 THEN -INT(-(_1 / _2)) ELSE INT(_1 / _2))",
        Builtin::Zidz => "IF ABS(_2) < 1e-6 THEN 0 ELSE _1 / _2",
        Builtin::Xidz => "IF ABS(_2) < 1e-6 THEN _3 ELSE _1 / _2",
        Builtin::Power => "_1^_2",
        Builtin::LogBase => "LN(_1) / LN(_2)",
        Builtin::SmoothNInitialFirst => "SMTHN(_1, _2, _4, _3)",
        Builtin::DelayNInitialFirst => "DELAYN(_1, _2, _4, _3)",
        Builtin::Game => "_1",
        Builtin::PulseWidth => "IF TIME + DT / 2 > _1 AND TIME + DT / 2 < _1 + MAX(_2, DT) THEN 1 ELSE 0",
        Builtin::PulseTrain => {
            "IF TIME + DT / 2 > _1 AND TIME + DT / 2 < _4 AND ((TIME + DT / 2 - _1) MOD _3 > 0 \
             AND (TIME + DT / 2 - _1) MOD _3 < MAX(_2, DT) OR MAX(_2, DT) > _3) THEN 1 ELSE 0"
        }
        _ => return None,
    })
}

/// SAMPLE IF TRUE as a whole equation.
const SAMPLE: &str = "IF _1 THEN _2 ELSE PREVIOUS(SELF, _3)";

fn is(name: &Name, builtin: Builtin) -> bool {
    vensim(name).is_some_and(|entry| entry.builtin == builtin)
}

fn vensim(name: &Name) -> Option<&'static Entry> {
    builtins::lookup(&name.folded, Dialect::Vensim)
}

/// XMILE's name for a builtin of Vensim; none where the name is the same in both, or XMILE has no such builtin.
fn other_name(name: &Name, entry: &Entry) -> Option<&'static str> {
    match builtins::lookup(&name.folded, Dialect::Xmile) {
        Some(same) if same.builtin == entry.builtin => None,
        _ => builtins::spelling(entry.builtin, Dialect::Xmile),
    }
}

/// What the translation of `expr` is not quite.
fn losses(expr: &Expr) -> Vec<Loss> {
    let mut losses = Vec::new();
    let mut open = vec![expr];
    while let Some(part) = open.pop() {
        match &part.kind {
            ExprKind::Number(_) | ExprKind::Name(_) => {}
            ExprKind::Unary(_, a) => open.push(a),
            ExprKind::Binary(_, a, b) => open.extend([b, a].map(|expr| &**expr)),
            ExprKind::If(c, a, b) => open.extend([b, a, c].map(|expr| &**expr)),
            ExprKind::Call(name, arguments) => {
                open.extend(arguments.iter().rev());
                let Some(entry) = vensim(name) else { continue };
                let held = matches!(entry.builtin, Builtin::PulseWidth | Builtin::PulseTrain)
                    || (entry.builtin == Builtin::SampleIfTrue && std::ptr::eq(part, expr));
                let message = if held {
                    "is not held within a step of RK4, so RK4 runs differ near its edges; Euler runs do not"
                } else if template(entry.builtin).is_none()
                    && builtins::spelling(entry.builtin, Dialect::Xmile).is_none()
                {
                    "has no form in XMILE: it is kept as Vensim's, which other tools may not know"
                } else {
                    continue;
                };
                losses.push(Loss {
                    span: part.span.clone(),
                    message: format!("{} {message}", shown(&name.text)),
                });
            }
        }
    }
    losses
}

/// How tightly an expression binds as a whole; names, numbers and calls bind tightest.
fn tightness(expr: &Expr) -> u8 {
    match &expr.kind {
        ExprKind::Binary(operator, ..) => power(*operator),
        ExprKind::Unary(..) => UNARY,
        ExprKind::Number(number) if number.is_sign_negative() => UNARY,
        ExprKind::If(..) => 0,
        _ => u8::MAX,
    }
}

/// Writes expressions; as XMILE where `is_variable` is given.
#[derive(Default)]
struct Printer<'m> {
    out: String,
    is_variable: Option<&'m dyn Fn(&Name) -> bool>,
}

impl Printer<'_> {
    /// Writes `expr`, in parentheses where it binds less tightly than `least`. In a template, `inside` are the
    /// arguments for which `_1`, `_2`, ... stand.
    fn expr(&mut self, expr: &Expr, inside: Option<&[Expr]>, least: u8) {
        if self.is_variable.is_some() {
            // A translation may grow beyond measure; it is refused in the end.
            if self.out.len() > LONGEST || self.translated(expr, inside, least) {
                return;
            }
        }
        if tightness(expr) < least {
            self.out.push('(');
            self.bare(expr, inside);
            self.out.push(')');
        } else {
            self.bare(expr, inside);
        }
    }

    fn bare(&mut self, expr: &Expr, inside: Option<&[Expr]>) {
        match &expr.kind {
            ExprKind::Number(number) => self.number(*number),
            ExprKind::Name(name) => self.name(&name.text),
            ExprKind::Unary(operator, operand) => {
                self.out.push_str(match operator {
                    Unary::Plus => "+",
                    Unary::Minus => "-",
                    Unary::Not => "NOT ",
                });
                let at = self.out.len();
                self.expr(operand, inside, UNARY);
                if self.out[at..].starts_with(['-', '+']) {
                    self.out.insert(at, ' ');
                }
            }
            ExprKind::Binary(operator, left, right) => {
                let least = power(*operator) + u8::from(*operator == Binary::Power);
                self.expr(left, inside, least);
                let blank = if *operator == Binary::Power { "" } else { " " };
                self.out.extend([blank, symbol(*operator), blank]);
                self.expr(right, inside, right_power(*operator));
            }
            ExprKind::If(condition, then, otherwise) => {
                self.out.push_str("IF ");
                self.expr(condition, inside, 0);
                self.out.push_str(" THEN ");
                self.expr(then, inside, 0);
                self.out.push_str(" ELSE ");
                self.expr(otherwise, inside, 0);
            }
            ExprKind::Call(name, arguments) => {
                self.name(&name.text);
                self.out.push('(');
                self.arguments(arguments, inside);
                self.out.push(')');
            }
        }
    }

    fn arguments(&mut self, arguments: &[Expr], inside: Option<&[Expr]>) {
        for (i, argument) in arguments.iter().enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            self.expr(argument, inside, 0);
        }
    }

    /// The shortest digits that give the number back.
    fn number(&mut self, number: f64) {
        let size = number.abs();
        // Writing to a String cannot fail.
        let _ = if number.is_nan() {
            write!(self.out, "(0 / 0)")
        } else if number.is_infinite() {
            write!(self.out, "{}", if number > 0.0 { "INF" } else { "-INF" })
        } else if size == 0.0 || (1e-5..1e16).contains(&size) {
            write!(self.out, "{number}")
        } else {
            write!(self.out, "{number:e}")
        };
    }

    fn name(&mut self, name: &str) {
        if is_bare(name) {
            self.out.push_str(name);
            return;
        }
        self.out.push('"');
        for c in name.chars() {
            match c {
                '\n' => self.out.push_str("\\n"),
                '"' | '\\' => self.out.extend(['\\', c]),
                _ => self.out.push(c),
            }
        }
        self.out.push('"');
    }

    /// Writes what is not written as it stands: Vensim's names and functions, and a template's arguments.
    fn translated(&mut self, expr: &Expr, inside: Option<&[Expr]>, least: u8) -> bool {
        if let Some(arguments) = inside {
            // Templates are XMILE already, their arguments apart.
            let ExprKind::Name(name) = &expr.kind else { return false };
            let number = name.text.strip_prefix('_').and_then(|n| n.parse::<usize>().ok());
            let Some(argument) = number.and_then(|n| arguments.get(n - 1)) else {
                return false;
            };
            self.expr(argument, None, least);
            return true;
        }
        match &expr.kind {
            ExprKind::Name(name) if !self.is_variable.is_some_and(|is_variable| is_variable(name)) => {
                match vensim(name).and_then(|entry| other_name(name, entry)) {
                    Some(other) => self.out.push_str(other),
                    None => return false,
                }
            }
            ExprKind::Call(name, arguments) => return self.call(name, arguments, least),
            _ => return false,
        }
        true
    }

    fn call(&mut self, name: &Name, arguments: &[Expr], least: u8) -> bool {
        match vensim(name) {
            Some(entry) => match template(entry.builtin).filter(|_| entry.wrong_count(arguments.len()).is_none()) {
                Some(text) => {
                    self.template(text, arguments, least);
                    return true;
                }
                None => match other_name(name, entry) {
                    Some(other) => self.out.push_str(other),
                    None if builtins::spelling(entry.builtin, Dialect::Xmile).is_some() => return false,
                    None => {
                        self.out.push_str("vensim.");
                        self.out.push_str(&entry.spelling().replace(' ', "_"));
                    }
                },
            },
            // A graphical function that has the name of an XMILE function is called by LOOKUP.
            None if builtins::lookup(&name.folded, Dialect::Xmile).is_some() => {
                self.out.push_str("LOOKUP(");
                self.name(&name.text);
                self.out.push_str(", ");
                self.arguments(arguments, None);
                self.out.push(')');
                return true;
            }
            None => return false,
        }
        self.out.push('(');
        self.arguments(arguments, None);
        self.out.push(')');
        true
    }

    fn template(&mut self, text: &str, arguments: &[Expr], least: u8) {
        if let Ok(template) = parse(text, Dialect::Xmile) {
            self.expr(&template.expr, Some(arguments), least);
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::names;
    use crate::polarity::tests::{World, evaluate};
    use proptest::prelude::*;
    use std::collections::HashMap;

    #[track_caller]
    fn prints(text: &str, expected: &str) {
        let expr = parse(text, Dialect::Xmile).unwrap().expr;
        assert_eq!(print(&expr), expected);
    }

    #[test]
    fn parentheses_are_as_few_as_can_be() {
        prints("((a)+(b*c))", "a + b * c");
        prints("(a+b)*c", "(a + b) * c");
        prints("a-(b-c)-d", "a - (b - c) - d");
        prints("(a^b)^(c^d)", "(a^b)^c^d");
        prints("(-a)^2", "(-a)^2");
        prints("-(a^2)", "-a^2");
        prints("2^(-b)", "2^-b");
        prints("-(a*b)", "-(a * b)");
        prints("a*(-b)", "a * -b");
        prints("a---b", "a - - -b");
        prints("not (a = b)", "NOT (a = b)");
        prints("(IF a THEN 1 ELSE 2) + 3", "(IF a THEN 1 ELSE 2) + 3");
        prints(
            "IF a THEN (IF b THEN 1 ELSE 2) ELSE (3+c)",
            "IF a THEN IF b THEN 1 ELSE 2 ELSE 3 + c",
        );
        prints("max(a,(b),-c)", "max(a, b, -c)");
        prints("(a<b)=(c<d) and (e or f)", "a < b = c < d AND (e OR f)");
        prints("a mod (b/c)", "a MOD (b / c)");
    }

    #[test]
    fn numbers_and_names_are_shortest() {
        prints("1.50e2 + .1 + 1e-6 + 1E300 + 0", "150 + 0.1 + 1e-6 + 1e300 + 0");
        prints("\"Birth Rate\" * 水_位", "\"Birth Rate\" * 水_位");
        prints(
            "\"plain\" + \"and\" + \"2x\" + \"a\\nb\" + \"q\\\"\\\\\"",
            "plain + \"and\" + \"2x\" + \"a\\nb\" + \"q\\\"\\\\\"",
        );
        prints("isee.SAFEDIV(a, \"b.c d\")", "isee.SAFEDIV(a, \"b.c d\")");
        assert_eq!(quoted("Birth Rate"), "\"Birth Rate\"");
        assert_eq!(quoted("births"), "births");
    }

    #[test]
    fn high_trees_are_printed_and_translated() {
        for text in [
            "a".to_owned() + &"+b".repeat(1023),
            "-(".repeat(128) + "a" + &")".repeat(128),
        ] {
            let expr = parse(&text, Dialect::Vensim).unwrap().expr;
            let again = from_vensim(&expr, &|_| true).unwrap();
            assert_eq!(
                without_spans(parse(&again.text, Dialect::Xmile).unwrap().expr),
                without_spans(expr)
            );
        }
    }

    #[track_caller]
    fn translates(text: &str, expected: &str, losses: usize) {
        let expr = parse(text, Dialect::Vensim).unwrap().expr;
        let translation = from_vensim(&expr, &|name| name.folded == "final_time").unwrap();
        assert_eq!(translation.text, expected);
        assert_eq!(translation.losses.len(), losses, "{:?}", translation.losses);
    }

    #[test]
    fn vensim_becomes_xmile() {
        translates(
            "IF THEN ELSE(a :AND: :NOT: b = c, 1, 0)",
            "IF a AND NOT (b = c) THEN 1 ELSE 0",
            0,
        );
        translates(
            "2 * INTEGER(a + b)",
            "2 * (IF a + b < 0 THEN -INT(-(a + b)) ELSE INT(a + b))",
            0,
        );
        translates("ZIDZ(a, b-c)", "IF ABS(b - c) < 1e-6 THEN 0 ELSE a / (b - c)", 0);
        translates("POWER(a + 1, 2) + LOG(x, 2)", "(a + 1)^2 + LN(x) / LN(2)", 0);
        translates(
            "SMOOTH N(x, t, i, 4) + DELAY N(x, t, i, 3)",
            "SMTHN(x, t, 4, i) + DELAYN(x, t, 3, i)",
            0,
        );
        translates(
            "SMOOTH(a b, 2) + SMOOTH3I(x, t, 0)",
            "SMTH1(\"a b\", 2) + SMTH3(x, t, 0)",
            0,
        );
        translates(
            "DELAY1I(x, t, 0) + delay3(x, t) + DELAY FIXED(x, 2, 0)",
            "DELAY1(x, t, 0) + delay3(x, t) + DELAY(x, 2, 0)",
            0,
        );
        translates(
            "FORECAST(x, t, h) + INITIAL(x) + Max(a, b)",
            "FORCST(x, t, h) + INIT(x) + Max(a, b)",
            0,
        );
        translates(
            "Time / TIME STEP + INITIAL TIME + FINAL TIME",
            "Time / DT + STARTTIME + \"FINAL TIME\"",
            0,
        );
        translates("RANDOM UNIFORM(0, 1, 7) + GAME(x)", "RANDOM(0, 1, 7) + x", 0);
        translates("my table(x) + init(x)", "\"my table\"(x) + LOOKUP(init, x)", 0);
        translates(
            "PULSE(s, w)",
            "IF TIME + DT / 2 > s AND TIME + DT / 2 < s + MAX(w, DT) THEN 1 ELSE 0",
            1,
        );
        translates("SAMPLE IF TRUE(c, x, i)", "IF c THEN x ELSE PREVIOUS(SELF, i)", 1);
        translates("1 + SAMPLE IF TRUE(c, x, i)", "1 + vensim.SAMPLE_IF_TRUE(c, x, i)", 1);
        translates("ACTIVE INITIAL(a, 3)", "vensim.ACTIVE_INITIAL(a, 3)", 1);
    }

    /// The translation of `text` has these values at the given times, with a step of 0.25.
    #[track_caller]
    fn means(text: &str, values: impl IntoIterator<Item = (f64, f64)>) {
        let expr = parse(text, Dialect::Vensim).unwrap().expr;
        let translation = from_vensim(&expr, &|_| false).unwrap().text;
        let expr = parse(&translation, Dialect::Xmile).unwrap().expr;
        for (time, value) in values {
            let names = HashMap::from([("time", time), ("dt", 0.25)]);
            let found = evaluate(&expr, &names, &World::default(), &mut 0.0).unwrap();
            assert!(
                (found - value).abs() < 1e-12,
                "{text} is {translation}, {found} at {time}, not {value}"
            );
        }
    }

    #[test]
    fn translations_mean_the_same() {
        for (x, integer, modulo, quantum) in [(-9.9, -9.0, -0.9, -9.0), (9.9, 9.0, 0.9, 9.0), (0.0, 0.0, 0.0, 0.0)] {
            means(&format!("INTEGER({x})"), [(0.0, integer)]);
            means(&format!("MODULO({x}, 3)"), [(0.0, modulo)]);
            means(&format!("QUANTUM({x}, 3)"), [(0.0, quantum)]);
            means(&format!("QUANTUM({x}, -3)"), [(0.0, x)]);
        }
        means("MODULO(7, -3)", [(0.0, 1.0)]);
        means("ZIDZ(9.9, 3) + ZIDZ(9.9, 1e-7)", [(0.0, 3.3)]);
        means("XIDZ(9.9, 3, 1) + XIDZ(9.9, 0, 3)", [(0.0, 6.3)]);
        means("POWER(2 - 5, 2) + LOG(8, 2)", [(0.0, 12.0)]);
        let steps = |to: u32| (0..=to).map(|k| f64::from(k) * 0.25);
        for (start, width) in [(1.0, 0.5), (1.0, 0.0), (1.1, 0.6)] {
            let pulse = |time: f64| {
                let now = time + 0.125;
                f64::from(u8::from(now > start && now < start + f64::max(width, 0.25)))
            };
            means(
                &format!("PULSE({start}, {width})"),
                steps(24).map(|time| (time, pulse(time))),
            );
        }
        for (start, width, between, end) in [
            (1.0, 0.5, 2.0, 5.0),
            (1.0, 0.0, 1.0, 9.0),
            (0.6, 0.7, 1.3, 4.9),
            (1.0, 2.0, 1.0, 4.0),
        ] {
            let train = |time: f64| {
                let now = time + 0.125;
                let hit = (0..50)
                    .map(f64::from)
                    .any(|j| now > start + j * between && now < start + j * between + f64::max(width, 0.25));
                f64::from(u8::from(hit && now < end))
            };
            let text = format!("PULSE TRAIN({start}, {width}, {between}, {end})");
            means(&text, steps(40).map(|time| (time, train(time))));
        }
    }

    #[test]
    fn translations_that_grow_without_bound_are_refused() {
        let text = "INTEGER(".repeat(40) + "a" + &")".repeat(40);
        let expr = parse(&text, Dialect::Vensim).unwrap().expr;
        assert_eq!(from_vensim(&expr, &|_| true).unwrap_err().kind, ErrorKind::TooLarge);
    }

    /// The expression with all spans empty.
    pub(crate) fn without_spans(expr: Expr) -> Expr {
        let bare = |expr: Box<Expr>| Box::new(without_spans(*expr));
        let kind = match expr.kind {
            ExprKind::Unary(operator, a) => ExprKind::Unary(operator, bare(a)),
            ExprKind::Binary(operator, a, b) => ExprKind::Binary(operator, bare(a), bare(b)),
            ExprKind::If(c, a, b) => ExprKind::If(bare(c), bare(a), bare(b)),
            ExprKind::Call(name, arguments) => ExprKind::Call(name, arguments.into_iter().map(without_spans).collect()),
            leaf => leaf,
        };
        Expr { kind, span: 0..0 }
    }

    const BINARY: [Binary; 14] = [
        Binary::Power,
        Binary::Multiply,
        Binary::Divide,
        Binary::Modulo,
        Binary::Add,
        Binary::Subtract,
        Binary::Less,
        Binary::LessEqual,
        Binary::Greater,
        Binary::GreaterEqual,
        Binary::Equal,
        Binary::NotEqual,
        Binary::And,
        Binary::Or,
    ];

    fn any_expr() -> impl Strategy<Value = Expr> {
        let bare = |kind| Expr { kind, span: 0..0 };
        let any_name = || {
            prop_oneof![
                "[a-c_]{1,3}",
                "[A-Za-z水é0-9 _.\"\\\\\n\u{a0}\u{2003}＋]{1,6}",
                Just("AND".to_owned()),
                Just("std.x".to_owned()),
            ]
            .prop_filter("a name has letters", |text| !names::fold(text).is_empty())
            .prop_map(names::name)
        };
        let leaf = prop_oneof![
            any_name().prop_map(move |name| bare(ExprKind::Name(name))),
            (0.0f64..1e3).prop_map(move |number| bare(ExprKind::Number(number))),
            any::<f64>()
                .prop_filter("literals are finite", |number| number.is_finite())
                .prop_map(move |number| bare(ExprKind::Number(number.abs()))),
        ];
        leaf.prop_recursive(6, 60, 4, move |inner| {
            let boxed = || inner.clone().prop_map(Box::new);
            prop_oneof![
                (prop::sample::select(BINARY.to_vec()), boxed(), boxed())
                    .prop_map(move |(operator, a, b)| bare(ExprKind::Binary(operator, a, b))),
                (
                    prop::sample::select(vec![Unary::Plus, Unary::Minus, Unary::Not]),
                    boxed()
                )
                    .prop_map(move |(operator, a)| bare(ExprKind::Unary(operator, a))),
                (boxed(), boxed(), boxed()).prop_map(move |(c, a, b)| bare(ExprKind::If(c, a, b))),
                (any_name(), prop::collection::vec(inner.clone(), 0..4))
                    .prop_map(move |(name, arguments)| bare(ExprKind::Call(name, arguments))),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read_as_it_was(expr in any_expr()) {
            let text = print(&expr);
            let again = parse(&text, Dialect::Xmile);
            prop_assert!(again.is_ok(), "{text}: {again:?}");
            prop_assert_eq!(without_spans(again.unwrap().expr), expr, "{}", text);
        }
    }
}
