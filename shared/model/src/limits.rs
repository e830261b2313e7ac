//! How large and how deep a document may be.

/// Bytes of a document's text: 4 MiB.
///
/// Under the 6,291,556 bytes that AWS Lambda passes in and out, so that the answer to `POST /model`, which
/// carries the document, stays deliverable too.
pub const MAX_TEXT: usize = 4 << 20;

/// Bytes of a document's text after zstd: 390 KiB.
///
/// A DynamoDB item holds 400 KiB with the names and values of its other attributes; 10 KiB are left for those.
/// The limit is the same on every store, so that a model can move between them.
pub const MAX_PACKED: usize = 390 << 10;

/// Nested objects and arrays, the document itself being the first level.
///
/// A model needs six. PostgreSQL's jsonb, `serde_json` (128) and common clients all go deeper than 100.
pub const MAX_DEPTH: usize = 100;

/// Faults that are named in full; those beyond are counted.
///
/// A hundred lines are about 10 kB, the most that an agent's client shows whole.
pub const MAX_NAMED: usize = 100;

/// Objects of the table (stocks, flows, links ...) in one document.
///
/// An empty one takes two bytes of text but up to 200 of memory; a real one takes more than 40 bytes of text, so
/// that 4 MiB hold at most 100,000. The limit keeps a document of empty objects within 50 MB of memory.
pub const MAX_RECORDS: usize = 250_000;
