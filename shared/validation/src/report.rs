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
    /// Every missing member, contradiction and advice in the order of the document, with a patch where the repair
    /// is mechanical. Not part of the writer's answer.
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
}

/// One operation of a JSON Patch.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Operation {
    /// What it does.
    pub op: Op,
    /// Where.
    pub path: Pointer,
    /// With what; none for `remove`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<serde_json::Value>,
}
