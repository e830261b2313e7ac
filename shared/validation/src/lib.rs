//! Document to [`Report`]: what is missing, what contradicts itself, and what could be better.
//!
//! # Layout, in reading order
//! - [`report`]: what comes out, and the bounded lists that rules write into.
//! - [`rules`]: the table of rules, one file each.
//!
//! This crate is pure: a document in, a report out, in time linear in the document.

pub mod report;
pub mod rules;

pub use report::{Advice, Finding, Level, Op, Operation, Report};
pub use rules::check;
