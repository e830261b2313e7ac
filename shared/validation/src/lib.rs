//! Document to [`Report`]: what is missing, what contradicts itself, and what could be better.
//!
//! # Layout, in reading order
//! - [`report`]: what comes out.
//! - [`rules`]: the table of rules, one file each.
//! - `found`: the bounded lists that rules write into, and how they become a report.
//! - `context`: the document as rules see it: its names, and which references lead nowhere.
//! - `names`: the index of declared names.
//! - `near`: folding of names, and near misses.
//! - `leverage`: Meadows's twelve leverage points.
//!
//! This crate is pure: a document in, a report out, in time linear in the document.

mod context;
mod found;
mod leverage;
mod names;
mod near;
pub mod report;
pub mod rules;

pub use report::{Advice, Finding, Level, Op, Operation, Report};
pub use rules::{check, check_with};

#[cfg(test)]
mod tests;
