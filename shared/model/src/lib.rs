//! The systems-thinking document: what it is made of, how its text is read, and how large it may be.
//!
//! # Layout, in reading order
//! - [`fields`]: the one table of records and members; the types, the schemas and the parser come from it.
//! - [`schema`]: JSON Schema and the MCP inputSchema, walked from that table.
//! - [`parse`](mod@parse): text to [`Document`], naming every fault at once.
//! - [`json`]: the strict reader of JSON text underneath.
//! - [`pointer`](mod@pointer): JSON Pointers (RFC 6901), built only when a fault is named.
//! - [`patch`]: changes to a document's text that leave every other byte as it was.
//! - [`diff`](mod@diff): what is different between two texts of a model.
//! - [`texts`]: values that came as JSON text, for clients that send everything so.
//! - `tree`: a text as values, for comparisons.
//! - [`values`]: the kinds of value that a member can hold.
//! - [`chain`]: the names in a loop's arrow chain.
//! - [`limits`]: sizes and depths, with their reasons.
//! - [`near`]: names that differ by a letter or two.
//!
//! This crate is pure: text in, values out. It knows nothing of rules, stores or protocols.

pub mod chain;
pub mod diff;
pub mod fields;
#[cfg(test)]
mod hostile;
pub mod json;
pub mod limits;
pub mod near;
pub mod parse;
pub mod patch;
pub mod pointer;
pub mod schema;
pub mod texts;
mod tree;
pub mod values;

pub use fields::{
    Boundary, Change, Document, Flow, Interconnection, Intervention, LeveragePoint, Loop, Loops, Simulation, Stock,
    Variable,
};
pub use parse::{Fault, Faults, Refusal, parse, text_of};
pub use pointer::Pointer;
pub use values::{End, Initial, LinkType, Method, Polarity, Text};
