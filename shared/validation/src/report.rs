//! What the rules find.

use meadow_model::Pointer;
use serde::Serialize;

/// What was found in a document.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Report {
    /// True only when `missing_fields` and `inconsistency_warnings` are both empty.
    pub complete: bool,
    /// Members without content, as paths such as `stocks[0].unit`; at most 100, then one line "... and N more".
    pub missing_fields: Vec<String>,
    /// Contradictions, each naming the place, the value and the repair; at most 100, then one line "... and N more".
    pub inconsistency_warnings: Vec<String>,
    /// What could be better, most useful first; bounded. Never touches `complete`.
    pub advice: Vec<Advice>,
    /// Every missing member, contradiction and shown advice in the order of the document, with a patch where the
    /// repair is mechanical; of each rule the first 1,000. An id that repeats is one contradiction, but has a finding
    /// at each repetition. Not part of the writer's answer.
    #[serde(skip)]
    pub findings: Vec<Finding>,
}

/// How much an advice weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// The model cannot work like this.
    Error,
    /// Probably not meant like this.
    Warning,
    /// Worth a look.
    Info,
}

/// Something that could be better.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Advice {
    /// The rule; docs/rules says more.
    pub code: &'static str,
    /// How much it weighs.
    pub level: Level,
    /// Where, as a JSON Pointer.
    pub pointer: Pointer,
    /// What was found.
    pub message: String,
    /// What to do.
    pub fix: String,
}

/// One fault with its place and, where the repair is mechanical, a JSON Patch (RFC 6902).
///
/// Patches are made for the document as it was checked. To apply several, go from the last finding to the first:
/// an edit then never moves a place that is still to be edited.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// The rule.
    pub code: &'static str,
    /// Where, as a JSON Pointer.
    pub pointer: Pointer,
    /// What was found and what repairs it.
    pub message: String,
    /// The repair, where it is mechanical.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patch: Option<Vec<Operation>>,
}

/// What an operation does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Op {
    /// Inserts, or replaces a member.
    Add,
    /// Takes away.
    Remove,
    /// Replaces what is there.
    Replace,
    /// Takes away from `from` and inserts at `path`, where it replaces a member.
    Move,
}

/// One operation of a JSON Patch.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Operation {
    /// What it does.
    pub op: Op,
    /// Where.
    pub path: Pointer,
    /// From where; only for `move`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<Pointer>,
    /// With what; only for `add` and `replace`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<serde_json::Value>,
}

impl Operation {
    /// Inserts `value` at `path`, or replaces the member there.
    #[must_use]
    pub fn add(path: Pointer, value: serde_json::Value) -> Self {
        Self {
            op: Op::Add,
            path,
            from: None,
            value: Some(value),
        }
    }

    /// Takes away what is at `path`.
    #[must_use]
    pub fn remove(path: Pointer) -> Self {
        Self {
            op: Op::Remove,
            path,
            from: None,
            value: None,
        }
    }

    /// Replaces what is at `path` by `value`.
    #[must_use]
    pub fn replace(path: Pointer, value: serde_json::Value) -> Self {
        Self {
            op: Op::Replace,
            path,
            from: None,
            value: Some(value),
        }
    }

    /// Takes what is at `from` to `path`.
    #[must_use]
    pub fn moved(from: Pointer, path: Pointer) -> Self {
        Self {
            op: Op::Move,
            path,
            from: Some(from),
            value: None,
        }
    }
}
