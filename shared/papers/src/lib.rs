//! What a paper is: its ids, a search for it, what several sources say of it as one, and how it is written down.
//!
//! # Layout, in reading order
//! - [`paper`]: a paper; [`id`]: the names it goes by; [`date`]: days of the calendar.
//! - [`search`]: what may be asked, checked; [`categories`]: arXiv's list.
//! - [`query`]: a search in arXiv's language, as a ladder of ever looser queries.
//! - [`merge`]: what several sources say of the same paper as one; [`withdrawn`]: papers that were taken back.
//! - [`answer`]: what came of a search or a look-up; [`markdown`]: how a model reads it.
//! - [`bibtex`], [`note`]: a paper as an entry of a bibliography and as a note; [`yaml`]: a note's front matter.
//! - [`text`]: words of several scripts.
//!
//! It knows no network, no clock and no store.

pub mod answer;
pub mod bibtex;
pub mod categories;
pub mod date;
pub mod id;
pub mod markdown;
pub mod merge;
pub mod note;
pub mod paper;
pub mod query;
pub mod search;
pub mod text;
pub mod withdrawn;
pub mod yaml;

pub use answer::{PapersAnswer, SearchAnswer, SourceReport, Status};
pub use date::Date;
pub use id::{BadPaperId, PaperId};
pub use paper::{Author, Paper, SourceKind};
pub use search::{Asked, Fault, Search};
