//! Whose values an expression uses, where, and when they count.

use crate::ast::{Dialect, Expr, ExprKind, Name, Span};
use crate::builtins::{self, Builtin};

/// A name in an expression, or SELF.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Use<'e> {
    /// The name; none for SELF, the variable whose equation this is.
    pub(crate) name: Option<&'e Name>,
    /// Where it stands.
    pub(crate) span: Span,
    /// When its value counts.
    pub(crate) when: When,
}

/// When a value counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    /// At once.
    Now,
    /// Later: it is in the input of a delay.
    Late,
    /// At the start only, as in INIT(x) and for the initial value of a delay.
    Start,
}

/// Gives `found` all uses in the order in which they are written.
///
/// `is_variable` says which names are variables even where a builtin has the same.
pub(crate) fn uses<'e>(
    expr: &'e Expr,
    dialect: Dialect,
    is_variable: &dyn Fn(&Name) -> bool,
    found: &mut dyn FnMut(Use<'e>),
) {
    Walk {
        dialect,
        is_variable,
        found,
    }
    .expr(expr, When::Now);
}

struct Walk<'w, 'e> {
    dialect: Dialect,
    is_variable: &'w dyn Fn(&Name) -> bool,
    found: &'w mut dyn FnMut(Use<'e>),
}

impl<'e> Walk<'_, 'e> {
    fn expr(&mut self, expr: &'e Expr, when: When) {
        let (name, span) = match &expr.kind {
            ExprKind::Number(_) => return,
            ExprKind::Unary(_, a) => return self.expr(a, when),
            ExprKind::Binary(_, a, b) => {
                self.expr(a, when);
                return self.expr(b, when);
            }
            ExprKind::If(condition, then, otherwise) => {
                self.expr(condition, when);
                self.expr(then, when);
                return self.expr(otherwise, when);
            }
            ExprKind::Call(name, arguments) => {
                let builtin = builtins::lookup(&name.folded, self.dialect).map(|entry| entry.builtin);
                for (at, argument) in arguments.iter().enumerate() {
                    let when = match (when, builtin.map(|builtin| role(builtin, at))) {
                        (When::Start, _) | (_, Some(Role::Start)) => When::Start,
                        (_, Some(Role::Table)) => continue,
                        (_, Some(Role::Late)) => When::Late,
                        (when, Some(Role::Now) | None) => when,
                    };
                    self.expr(argument, when);
                }
                return;
            }
            ExprKind::Name(name) => (name, expr.span.clone()),
        };
        let value = builtins::lookup(&name.folded, self.dialect).filter(|entry| entry.least == 0);
        let name = match value {
            Some(entry) if !(self.is_variable)(name) => {
                if entry.builtin != Builtin::Itself {
                    return;
                }
                None
            }
            _ => Some(name),
        };
        (self.found)(Use { name, span, when });
    }
}

/// What an argument is for.
enum Role {
    Now,
    Late,
    Start,
    /// The graphical function of a variable, not its value.
    Table,
}

fn role(builtin: Builtin, argument: usize) -> Role {
    use Builtin as B;
    match (builtin, argument) {
        (B::Init, _) | (B::ActiveInitial, 1) => Role::Start,
        (B::Lookup | B::LookupExtrapolate, 0) => Role::Table,
        (B::Delay | B::Previous, 0) => Role::Late,
        // A fixed delay keeps the delay time of the start.
        (B::Delay | B::Previous, _) => Role::Start,
        (
            B::Delay1
            | B::Delay3
            | B::DelayN
            | B::DelayNInitialFirst
            | B::Smooth1
            | B::Smooth3
            | B::SmoothN
            | B::SmoothNInitialFirst,
            at,
        ) => match at {
            0 => Role::Late,
            1 => Role::Now,
            _ => Role::Start,
        },
        (B::Trend | B::SampleIfTrue, 2) | (B::Forecast, 3) => Role::Start,
        _ => Role::Now,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::parse;

    #[track_caller]
    fn check(text: &str, dialect: Dialect, expected: &str) {
        let parsed = parse(text, dialect).unwrap();
        let mut told = Vec::new();
        uses(&parsed.expr, dialect, &|name| name.folded == "pi", &mut |found| {
            let name = found.name.map_or("SELF", |name| name.text.as_str());
            assert!(!found.span.is_empty());
            told.push(match found.when {
                When::Now => name.to_owned(),
                When::Late => format!("{name} late"),
                When::Start => format!("({name})"),
            });
        });
        assert_eq!(told.join(", "), expected, "{text}");
    }

    #[test]
    fn each_use_says_when_it_counts() {
        use Dialect::{Vensim, Xmile};
        check("a * (b - 3) / MAX(c, -d)", Xmile, "a, b, c, d");
        check("IF a > TIME THEN b ELSE DT", Xmile, "a, b");
        check("INIT(a) + b", Xmile, "(a), b");
        check("DELAY3(a + b, t, i) + a", Xmile, "a late, b late, t, (i), a");
        check("DELAY(a, t, i)", Xmile, "a late, (t), (i)");
        check("DELAYN(a, t, n, i)", Xmile, "a late, t, (n), (i)");
        check("DELAY N(a, t, i, n)", Vensim, "a late, t, (i), (n)");
        check("SMTH1(SMTH1(a, t), u)", Xmile, "a late, t late, u");
        check("PREVIOUS(SELF, i) + a", Xmile, "SELF late, (i), a");
        check("TREND(a, t, i)", Xmile, "a, t, (i)");
        check("curve(a) + LOOKUP(curve, b)", Xmile, "a, b");
        check("ACTIVE INITIAL(a, b)", Vensim, "a, (b)");
        check("pi * inf", Xmile, "pi");
    }
}
