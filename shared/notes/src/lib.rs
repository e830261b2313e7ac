//! What a note is: its path, its front matter, its headings and links.
//!
//! # Layout, in reading order
//! - [`path`]: where a note stands in its vault.

pub mod path;

pub use path::{BadPath, Cleaned, NotePath, clean_name, fold};
