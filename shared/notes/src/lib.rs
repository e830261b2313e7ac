//! What a note is: its path, its front matter, its headings and links.
//!
//! # Layout, in reading order
//! - [`path`]: where a note stands in its vault; names made fit, URIs.
//! - [`front`]: the one splitter of front matter, what it says, and one key of it changed.
//! - [`body`]: headings, sections, lines, links, tags.

pub mod body;
pub mod front;
pub mod path;

pub use front::Front;
pub use path::{BadPath, Cleaned, NotePath, clean_name, fold};
