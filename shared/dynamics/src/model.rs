//! A model that can be computed, in XMILE's own terms.
//!
//! Readers of file formats (crate `interchange`) and our document ([`crate::document`]) become this; simulation,
//! graph and loops start from it.

use crate::ast::Dialect;

/// A whole model.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Model {
    /// Its name; empty where none is given.
    pub name: String,
    /// Who wrote the file, such as `isee systems`; empty where unknown.
    pub vendor: String,
    /// The spelling of every equation.
    pub dialect: Dialect,
    /// Time grid and method.
    pub specs: Specs,
    /// Stocks, flows and auxiliaries in the order of the file.
    pub variables: Vec<Variable>,
    /// Graphical functions that stand alone and are called by name.
    pub functions: Vec<(String, Graphical)>,
    /// Links that were declared, besides those that equations imply.
    pub links: Vec<Link>,
    /// Loops that were declared.
    pub loops: Vec<DeclaredLoop>,
    /// What the reader met and could not hold or had to repair, one sentence each, most important first.
    pub notes: Vec<String>,
}

/// Time grid and method, as texts: the grid is computed from decimals, never by adding up doubles.
#[derive(Debug, Clone, PartialEq)]
pub struct Specs {
    /// Start time.
    pub start: String,
    /// Stop time; none where the source does not say: the model cannot be run.
    pub stop: Option<String>,
    /// Time step.
    pub dt: String,
    /// True when the step is 1 / `dt`.
    pub reciprocal: bool,
    /// Interval at which rows are saved; none: every step.
    pub save: Option<String>,
    /// The method's name as given, such as `Euler`, `RK4`; empty: Euler.
    pub method: String,
    /// Unit of time; empty where unknown.
    pub time_unit: String,
}

impl Default for Specs {
    fn default() -> Self {
        Self {
            start: "0".to_owned(),
            stop: None,
            dt: "1".to_owned(),
            reciprocal: false,
            save: None,
            method: String::new(),
            time_unit: String::new(),
        }
    }
}

/// A stock, flow or auxiliary.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Variable {
    /// Its name as given, XML and file escapes resolved (a newline in a name is a newline).
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// Its equation; for a stock, its initial value. None where the source has none.
    pub equation: Option<String>,
    /// A graphical function: the value is the function of the equation.
    pub graphical: Option<Graphical>,
    /// Its unit; empty where unknown.
    pub unit: String,
    /// What it is, in words; may be empty.
    pub doc: String,
    /// Where it stands in our document, as a JSON Pointer such as `/flows/0`; empty for other sources.
    pub pointer: String,
}

/// What a variable is.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Kind {
    /// Computed from others at each step.
    #[default]
    Auxiliary,
    /// A rate between stocks.
    Flow {
        /// True when it cannot be negative.
        uniflow: bool,
    },
    /// An accumulation.
    Stock {
        /// Names of the flows that fill it, in order.
        inflows: Vec<String>,
        /// Names of the flows that drain it, in order: the first is served first.
        outflows: Vec<String>,
        /// True when its outflows are limited to what it holds.
        non_negative: bool,
    },
}

/// A graphical function.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Graphical {
    /// How it goes between and beyond its points.
    pub kind: GraphicalKind,
    /// Its points, x ascending.
    pub points: Vec<[f64; 2]>,
}

/// How a graphical function goes between and beyond its points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GraphicalKind {
    /// Linear between, constant beyond.
    #[default]
    Continuous,
    /// Linear between, along the outer segments beyond.
    Extrapolate,
    /// The value of the greatest x that is not greater.
    Discrete,
}

/// A link that was declared.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Link {
    /// The name of the cause.
    pub from: String,
    /// The name of the effect.
    pub to: String,
    /// The declared polarity: `+1`, `-1`, or none.
    pub polarity: Option<i8>,
    /// True when a delay was declared.
    pub delay: bool,
    /// Why, in words; may be empty.
    pub reason: String,
    /// Where it stands in our document; empty for other sources.
    pub pointer: String,
}

/// A loop that was declared.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DeclaredLoop {
    /// Its name.
    pub name: String,
    /// True when declared reinforcing, false when balancing.
    pub reinforcing: bool,
    /// The names on it, in order; the first may be repeated at the end. Empty where only prose was given.
    pub members: Vec<String>,
    /// Where it stands in our document; empty for other sources.
    pub pointer: String,
}
