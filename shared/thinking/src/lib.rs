//! Ways to think, without a model of language: five deepening questions about any matter, and templates of frameworks.
//!
//! # Layout, in reading order
//! - [`five_whys`](mod@five_whys): a query to five questions, by tables of words and sentences.
//! - [`frameworks`]: the templates, one data file each, found by any of their names; a user's own among them.
//! - [`names`]: the folding of names, and the nearest of them.
//! - [`language`]: Chinese or English, traditional or simplified.
//!
//! This crate is pure: text in, text out, the same for the same. It knows nothing of protocols, notes or clocks.

pub mod five_whys;
pub mod frameworks;
mod han;
pub mod language;
pub mod names;

pub use five_whys::{FiveWhys, Layer, Style, five_whys};
pub use frameworks::{Answer, Framework, Library, template};
pub use language::Language;
