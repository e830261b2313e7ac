//! Expressions, simulation, the signed graph and its loops.
//!
//! # Layout, in reading order
//! - [`model`]: a model that can be computed, in XMILE's own terms. [`document`]: our document as such a model.
//! - [`names`], [`lexer`], [`parse`](mod@parse), [`ast`], [`builtins`], [`print`](mod@print): the `rate_expr` language.
//! - [`polarity`]: the sign of an input's effect on an expression.
//! - [`grid`], [`compile`](mod@compile), [`program`], [`run`](mod@run): simulation on an exact time grid.
//! - [`summary`], [`csv`]: what a run shows. [`numbers`]: in which digits.
//! - [`graph`], [`influence`]: who acts on whom. [`loops`], [`independent`], [`declared`]: the loops that this makes.
//!   [`analysis`]: all of it as one value.
//! - [`problem`]: what is wrong, or could be better.
//!
//! This crate is pure.

pub mod analysis;
pub mod ast;
pub mod bounds;
pub mod builtins;
pub mod compile;
mod components;
pub mod csv;
pub mod declared;
pub mod document;
pub mod graph;
pub mod grid;
pub mod independent;
pub mod influence;
pub mod lexer;
pub mod loops;
pub mod model;
pub mod names;
pub mod numbers;
pub mod parse;
pub mod polarity;
pub mod print;
pub mod problem;
pub mod program;
mod ranges;
mod routes;
pub mod run;
mod sample;
pub mod summary;
#[cfg(test)]
mod testing;
mod uses;
