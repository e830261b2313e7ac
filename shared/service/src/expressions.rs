//! Advice about a document's expressions, as far as a write can afford it.
//!
//! A document that says how it is run is compiled, and everything that keeps it from running is named. Of any other
//! the expressions are read one by one: prose is legal there, so what is found is only worth a look. No model is run.

use foldhash::fast::RandomState;
use meadow_dynamics::ast::{Dialect, Expr, ExprKind, Name};
use meadow_dynamics::builtins;
use meadow_dynamics::compile::compile;
use meadow_dynamics::document;
use meadow_dynamics::names::{Names, Suggestions};
use meadow_dynamics::parse::{ErrorKind, caret, parse};
use meadow_dynamics::problem::{self, Problem};
use meadow_model::{Document, Initial, Pointer};
use meadow_validation::{Advice, Level};
use std::collections::HashSet;

/// Expressions that are looked at: to compile so many takes 0.4 ms, to read them 0.07 ms. A document of so many has
/// some 15 kB, which a write takes 0.1 ms to judge otherwise.
const LOOKED_AT: usize = 100;

/// Bytes of expressions that are looked at: 100 of usual length have 3 kB.
const BYTES: usize = 16 << 10;

/// Advice of one code, as of one rule of the validation.
const OF_A_CODE: usize = 3;

/// Codes that the validation has rules for.
const KNOWN_ALREADY: [&str; 2] = ["duplicate-name", "simulation-without-stop"];

/// What is wrong with the expressions, or could be better, errors first.
pub(crate) fn advise(document: &Document<'_>) -> Vec<Advice> {
    let count = document.stocks.len() + document.flows.len() + document.variables.len();
    if count == 0 {
        return Vec::new();
    }
    let is_small = || count <= LOOKED_AT && expressions(document).map(|(.., text)| text.len()).sum::<usize>() <= BYTES;
    let problems = if document.simulation.stop.is_some() && is_small() {
        match compile(&document::model(document)) {
            Ok(program) => program.advice,
            Err(problems) => problems,
        }
    } else {
        read(document)
    };
    shown(problems)
}

/// The first problems of each code as advice; the last of a code says how many more there are.
fn shown(mut problems: Vec<Problem>) -> Vec<Advice> {
    problems.retain(|problem| !KNOWN_ALREADY.contains(&problem.code));
    problems.sort_by_key(|problem| problem.level);
    let mut advice: Vec<Advice> = Vec::new();
    let mut codes: Vec<(&str, usize, usize)> = Vec::new();
    for problem in problems {
        let at = match codes.iter().position(|(code, ..)| *code == problem.code) {
            Some(at) => at,
            None => {
                codes.push((problem.code, 0, 0));
                codes.len() - 1
            }
        };
        let (_, count, last) = &mut codes[at];
        *count += 1;
        if *count <= OF_A_CODE {
            *last = advice.len();
            advice.push(as_advice(problem));
        }
    }
    for (_, count, last) in codes {
        if let more @ 1.. = count.saturating_sub(OF_A_CODE) {
            let text = format!(" (and {more} more like it; systems_thinking_simulate names them)");
            advice[last].message.push_str(&text);
        }
    }
    advice
}

fn as_advice(problem: Problem) -> Advice {
    let steps = problem.pointer.split('/').skip(1);
    Advice {
        code: problem.code,
        level: match problem.level {
            problem::Level::Error => Level::Error,
            problem::Level::Warning => Level::Warning,
            problem::Level::Info => Level::Info,
        },
        pointer: steps.fold(Pointer::root(), Pointer::key),
        message: problem.message,
        fix: problem.fix,
    }
}

/// The expressions of a document: the list and the item and the member where each stands, and its text.
fn expressions<'d>(document: &'d Document<'_>) -> impl Iterator<Item = (&'static str, usize, &'static str, &'d str)> {
    let initial = document
        .stocks
        .iter()
        .enumerate()
        .filter_map(|(at, stock)| match &stock.initial {
            Initial::Expression(text) => Some(("stocks", at, "initial", &**text)),
            _ => None,
        });
    let rates = document.flows.iter().enumerate();
    let rates = rates.filter_map(|(at, flow)| Some(("flows", at, "rate_expr", flow.rate_expr.given()?)));
    let variables = document.variables.iter().enumerate();
    let variables = variables.filter_map(|(at, variable)| Some(("variables", at, "expr", variable.expr.given()?)));
    initial.chain(rates).chain(variables)
}

/// Reads the first expressions of a document that does not say how it is run.
fn read(document: &Document<'_>) -> Vec<Problem> {
    let mut reader = Reader {
        document,
        declared: None,
        names: None,
        suggestions: None,
        problems: Vec::new(),
    };
    let mut room = BYTES;
    for (list, at, member, text) in expressions(document).take(LOOKED_AT) {
        let Some(rest) = room.checked_sub(text.len()) else {
            break;
        };
        room = rest;
        reader.expression(text, &|| format!("/{list}/{at}/{member}"));
    }
    reader.problems
}

struct Reader<'d> {
    document: &'d Document<'d>,
    /// Everything that the document declares, as it is written there; made when it is first needed.
    declared: Option<HashSet<&'d str, RandomState>>,
    /// The same for names that are written otherwise: it takes ten times as long to make.
    names: Option<Names<'d>>,
    suggestions: Option<Suggestions<'d>>,
    problems: Vec<Problem>,
}

impl<'d> Reader<'d> {
    /// Reads an expression; `pointer` says where it stands.
    fn expression(&mut self, text: &str, pointer: &dyn Fn() -> String) {
        match parse(text, Dialect::Xmile) {
            Ok(parsed) => self.names_in(&parsed.expr, &mut |reader, name, span| {
                reader.name(name, |message, fix| {
                    let found = format!("{}\n{message}", caret(text, span));
                    Problem::of_model("undefined-name", problem::Level::Info, found, fix).pointing(pointer())
                });
            }),
            Err(error) if error.kind == ErrorKind::Missing => {}
            Err(error) => {
                let problem = Problem::of_model(
                    "unparsable-expression",
                    problem::Level::Info,
                    error.render(text),
                    "prose is kept as it is; write an expression to let the model be run and its signs be computed",
                );
                self.problems.push(problem.pointing(pointer()));
            }
        }
    }

    /// Calls `found` with each name that is used, but not those of functions.
    fn names_in(&mut self, expr: &Expr, found: &mut dyn FnMut(&mut Self, &Name, &meadow_dynamics::ast::Span)) {
        match &expr.kind {
            ExprKind::Number(_) => {}
            ExprKind::Name(name) => found(self, name, &expr.span),
            ExprKind::Unary(_, a) => self.names_in(a, found),
            ExprKind::Binary(_, a, b) => {
                self.names_in(a, found);
                self.names_in(b, found);
            }
            ExprKind::If(c, a, b) => {
                for part in [c, a, b] {
                    self.names_in(part, found);
                }
            }
            ExprKind::Call(name, arguments) => {
                if builtins::lookup(&name.folded, Dialect::Xmile).is_none() {
                    found(self, name, &expr.span);
                }
                for argument in arguments {
                    self.names_in(argument, found);
                }
            }
        }
    }

    /// Notes a name that nothing declares.
    fn name(&mut self, name: &Name, problem: impl FnOnce(String, String) -> Problem) {
        let document = self.document;
        let declared_so = self.declared.get_or_insert_with(|| declared(document).collect());
        if declared_so.contains(&*name.text) {
            return;
        }
        let names = self.names.get_or_insert_with(|| Names::new(declared(document)));
        let is_known = names.find(name).is_some()
            || name.folded == "self"
            || builtins::lookup(&name.folded, Dialect::Xmile).is_some();
        if is_known {
            return;
        }
        let suggestions = self.suggestions.get_or_insert_with(|| names.suggestions());
        let fix = match suggestions.find(name) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => "add it to variables, with its value or expression".to_owned(),
        };
        let message = format!("`{}` is no stock, flow, variable or element", name.text);
        self.problems.push(problem(message, fix));
    }
}

/// The names of all stocks, flows, variables and elements.
fn declared<'d>(document: &'d Document<'_>) -> impl Iterator<Item = &'d str> {
    let stocks = document.stocks.iter().filter_map(|stock| stock.id.given());
    let flows = document.flows.iter().filter_map(|flow| flow.id.given());
    let variables = document.variables.iter().filter_map(|variable| variable.id.given());
    let elements = document.elements.iter().map(|element| &**element);
    stocks.chain(flows).chain(variables).chain(elements)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Codes, levels and places of the advice about a document.
    #[track_caller]
    fn check(text: &str, expected: &[(&str, Level, &str)]) {
        let document = meadow_model::parse(text).unwrap();
        let advice = advise(&document);
        let found: Vec<_> = advice.iter().map(|a| (a.code, a.level, a.pointer.as_str())).collect();
        assert_eq!(found, expected, "{advice:#?}");
    }

    #[test]
    fn a_document_without_a_simulation_may_be_prose_and_need_not_run() {
        check(
            r#"{"elements":["demand"],"stocks":[{"id":"a"}],"flows":[{"id":"f","rate_expr":"0.1 * demand * TIME + MAX(a, 2)"}]}"#,
            &[],
        );
        check(
            r#"{"flows":[{"id":"f","rate_expr":"depends on the weather, mostly"},{"id":"g","rate_expr":"0.1 * demnd"}],
                "elements":["demand"]}"#,
            &[
                ("unparsable-expression", Level::Info, "/flows/0/rate_expr"),
                ("undefined-name", Level::Info, "/flows/1/rate_expr"),
            ],
        );
        let document = meadow_model::parse(r#"{"flows":[{"rate_expr":"2 * demnd"}],"elements":["demand"]}"#).unwrap();
        let advice = advise(&document).remove(0);
        assert_eq!(
            advice.message,
            "2 * demnd\n    ^^^^^\n`demnd` is no stock, flow, variable or element"
        );
        assert_eq!(advice.fix, "did you mean `demand`?");
    }

    #[test]
    fn a_document_that_says_how_it_is_run_is_compiled() {
        check(
            r#"{"stocks":[{"id":"a"}],"flows":[{"id":"f","from_stock":"a","to_stock":null,"rate_expr":"g + h"},
                {"id":"g","from_stock":"a","to_stock":null,"rate_expr":"f"}],"simulation":{"stop":10}}"#,
            &[
                ("missing-equation", Level::Error, "/stocks/0/initial"),
                ("undefined-name", Level::Error, "/flows/0/rate_expr"),
                ("algebraic-loop", Level::Error, "/flows/0"),
            ],
        );
    }

    #[test]
    fn many_problems_of_one_kind_are_counted() {
        let flows: Vec<String> = (0..1_000)
            .map(|n| format!(r#"{{"id":"f{n}","rate_expr":"2 * nothing{n}"}}"#))
            .collect();
        let text = format!(r#"{{"flows":[{}]}}"#, flows.join(","));
        let document = meadow_model::parse(&text).unwrap();
        let advice = advise(&document);
        assert_eq!(advice.len(), OF_A_CODE);
        assert!(
            advice[2]
                .message
                .ends_with("(and 97 more like it; systems_thinking_simulate names them)"),
            "{}",
            advice[2].message
        );
    }

    #[test]
    fn long_expressions_are_left_to_the_run() {
        let long = format!("nothing + {}1", "1 + ".repeat(BYTES / 4));
        for simulation in ["", r#","simulation":{"stop":1}"#] {
            let text = format!(
                r#"{{"flows":[{{"id":"a","rate_expr":"nothing"}},{{"id":"b","rate_expr":"{long}"}}]{simulation}}}"#
            );
            check(&text, &[("undefined-name", Level::Info, "/flows/0/rate_expr")]);
        }
    }
}
