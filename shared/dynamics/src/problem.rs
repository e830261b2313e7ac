//! What is wrong with a model, or could be better.

use crate::ast::Span;
use crate::model::{Kind, Variable};
use serde::Serialize;

/// How much a problem weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// The model cannot be computed like this.
    Error,
    /// The result is probably not what is meant.
    Warning,
    /// Worth a look.
    Info,
}

/// Something that is wrong with a model, or could be better.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Problem {
    /// The rule; docs/rules says more.
    pub code: &'static str,
    /// How much it weighs.
    pub level: Level,
    /// The variable it is about, by its name; empty where it is about the model.
    pub variable: String,
    /// Where it stands in our document, as a JSON Pointer; empty for other sources.
    pub pointer: String,
    /// What was found; with the equation and a caret below the place where there is one.
    pub message: String,
    /// What to do.
    pub fix: String,
    /// The place in the variable's equation.
    #[serde(skip)]
    pub span: Option<Span>,
}

impl Problem {
    /// A problem of the model as a whole.
    #[must_use]
    pub fn of_model(code: &'static str, level: Level, message: impl Into<String>, fix: impl Into<String>) -> Self {
        Self {
            code,
            level,
            variable: String::new(),
            pointer: String::new(),
            message: message.into(),
            fix: fix.into(),
            span: None,
        }
    }

    /// A problem of one variable.
    #[must_use]
    pub fn of(
        variable: &Variable,
        code: &'static str,
        level: Level,
        message: impl Into<String>,
        fix: impl Into<String>,
    ) -> Self {
        Self {
            variable: variable.name.clone(),
            pointer: variable.pointer.clone(),
            ..Self::of_model(code, level, message, fix)
        }
    }

    /// A problem of one variable's equation.
    #[must_use]
    pub fn in_equation(
        variable: &Variable,
        code: &'static str,
        level: Level,
        message: impl Into<String>,
        fix: impl Into<String>,
    ) -> Self {
        let mut problem = Self::of(variable, code, level, message, fix);
        if !problem.pointer.is_empty() {
            problem.pointer.push_str(match variable.kind {
                Kind::Stock { .. } => "/initial",
                Kind::Flow { .. } => "/rate_expr",
                Kind::Auxiliary => "/expr",
            });
        }
        problem
    }

    /// The same problem at a place of the variable's equation.
    #[must_use]
    pub fn at(mut self, span: Span) -> Self {
        self.span = Some(span);
        self
    }

    /// The same problem at a place of our document.
    #[must_use]
    pub fn pointing(mut self, pointer: impl Into<String>) -> Self {
        self.pointer = pointer.into();
        self
    }
}

/// How many problems are named; a model that is wrong everywhere would else answer with megabytes.
const NAMED: usize = 1_000;

/// Problems by level, errors first, else in the order in which they are; those beyond a thousand are only counted.
pub(crate) fn sorted(mut problems: Vec<Problem>) -> Vec<Problem> {
    problems.sort_by_key(|problem| problem.level);
    if let Some(more) = problems.len().checked_sub(NAMED).filter(|more| *more > 0) {
        problems.truncate(NAMED);
        problems.push(Problem::of_model(
            "more-problems",
            Level::Info,
            format!("there are {more} more problems"),
            "solve those that are named first",
        ));
    }
    problems
}
