//! What Meadow does, whoever asks: use cases over ports.
//!
//! # Layout, in reading order
//! - [`service`]: the use cases; start with [`Service::write_model`], the spine.
//! - [`patch`]: changes to a stored model, and what is different between two revisions.
//! - [`ports`]: what the use cases need from the world ([`ModelStore`], [`Clock`]), with what each promises.
//! - [`ids`]: workspaces, ids of models, revisions, write ids.
//! - [`source`]: a document as it is stored.
//! - [`tokens`]: access tokens, and where they are kept.
//! - [`export`]: copies of models elsewhere; [`import`]: the way back.
//! - [`notes`]: notes, and where they are kept. [`literature`]: papers, and who knows them.
//! - [`saving`]: papers as notes. [`evidence`]: the titles of what models cite, and who cites it.
//! - [`thinking`]: templates of frameworks.
//! - [`cache`], [`slots`]: what processes share for a while: answers of others, and turns at asking them.
//! - [`trace`]: under which trace of others a request is found in the log.
//! - [`memory`]: a store that forgets everything at exit.
//! - [`dynamics`]: simulation and analysis as answers. `expressions`: advice about expressions at a write.
//! - `contract` (feature `contract`): the cases that every store must pass.
//!
//! This crate knows no protocol and no database.

pub mod cache;
pub mod clock;
#[cfg(feature = "contract")]
#[expect(
    clippy::panic,
    clippy::expect_used,
    reason = "a contract case fails by panicking, as tests do"
)]
pub mod contract;
pub mod dynamics;
pub mod evidence;
pub mod export;
mod expressions;
pub mod ids;
pub mod import;
mod lanes;
pub mod literature;
pub mod memory;
pub mod notes;
pub mod patch;
pub mod ports;
pub mod saving;
pub mod service;
pub mod slots;
pub mod source;
pub mod thinking;
pub mod tokens;
pub mod trace;

pub use cache::{Cache, MemoryCache};
pub use clock::{Clock, SystemClock, Timestamp};
pub use ids::{BadId, ModelId, Revision, Workspace, WriteId};
pub use literature::{Ask, Listed, Literature, PaperSource, SourceError};
pub use memory::MemoryStore;
pub use notes::{NoteStore, Notes, NotesError};
pub use patch::{Changed, Values};
pub use ports::{Ack, Change, Deleted, Expected, Head, ModelStore, Page, Put, PutOutcome, StoreError, Stored};
pub use service::{
    BUSY_SECONDS, Caller, Error, Expectation, LatestIs, NoTable, Service, Subject, TooLarge, Written, judge, report_of,
};
pub use slots::{MemorySlots, Slot, Slots, Turn};
pub use source::Source;
pub use thinking::Wanted;
pub use tokens::{MemoryTokens, TokenRecord, TokenStore, Tokens};
pub use trace::Trace;
