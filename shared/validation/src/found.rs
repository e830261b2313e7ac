//! The bounded lists that rules write into, and how they become a [`Report`].

use crate::report::{Advice, Finding, Level, Operation, Report};
use meadow_model::fields::{Fielded, Record};
use meadow_model::limits::MAX_NAMED;
use meadow_model::values::Shape;
use meadow_model::{Document, Pointer};

/// Findings of one rule that are described; those beyond are counted. Room for 14 rules in an answer of 5.5 MB.
const DESCRIBED: usize = 1000;

/// Advice of one rule that is shown, so that one habit of the author does not push all else out.
const ADVICE_OF_A_RULE: usize = 3;

/// Advice that is shown: what an agent can act upon in one round.
const ADVICE: usize = 8;

/// Bytes of a report as JSON, findings aside: about the 4,000 tokens that an agent reads without loss. The writer's
/// own members come on top.
const REPORT_BYTES: usize = 15_000;

/// A missing member or contradiction.
pub(crate) struct Note {
    /// Where.
    pub(crate) pointer: Pointer,
    /// What is wrong and what repairs it, without the place.
    pub(crate) text: String,
    /// The mechanical repair.
    pub(crate) patch: Option<Vec<Operation>>,
}

/// An advice.
pub(crate) struct Hint {
    /// Where.
    pub(crate) pointer: Pointer,
    /// What was found.
    pub(crate) message: String,
    /// What to do.
    pub(crate) fix: String,
    /// The mechanical repair.
    pub(crate) patch: Option<Vec<Operation>>,
}

/// What a finding is for the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Missing,
    Warning,
    /// A further place of a contradiction that has its warning elsewhere.
    Repetition,
    Advice,
}

/// What the rules found so far.
#[derive(Default)]
pub(crate) struct Found {
    code: &'static str,
    findings: Vec<(Class, Finding)>,
    missing: usize,
    warnings: usize,
    advice: Vec<(Advice, Option<Vec<Operation>>)>,
    /// Findings that the rule at work may still describe.
    room: usize,
    /// Advice of the rule at work, shown or not.
    hints: usize,
}

impl Found {
    /// Begins with the rule `code`.
    pub(crate) fn begin(&mut self, code: &'static str) {
        self.code = code;
        self.room = DESCRIBED;
        self.hints = 0;
    }

    /// A member without content.
    pub(crate) fn missing(&mut self, describe: impl FnOnce() -> Note) {
        self.missing += 1;
        self.note(Class::Missing, describe);
    }

    /// A contradiction.
    pub(crate) fn warning(&mut self, describe: impl FnOnce() -> Note) {
        self.warnings += 1;
        self.note(Class::Warning, describe);
    }

    /// One of several places of a contradiction; the first has the warning, the others only a finding.
    pub(crate) fn repetition(&mut self, is_first: bool, describe: impl FnOnce() -> Note) {
        if is_first {
            self.warning(describe);
        } else {
            self.note(Class::Repetition, describe);
        }
    }

    /// Something that could be better. A rule gives the most useful first.
    pub(crate) fn advice(&mut self, level: Level, describe: impl FnOnce() -> Hint) {
        self.hints += 1;
        if self.hints > ADVICE_OF_A_RULE {
            return;
        }
        let Hint {
            pointer,
            message,
            fix,
            patch,
        } = describe();
        let advice = Advice {
            code: self.code,
            level,
            pointer,
            message,
            fix,
        };
        self.advice.push((advice, patch));
    }

    /// Ends the rule that began last: its last advice says how many more there are.
    pub(crate) fn end(&mut self) {
        if let Some((last, _)) = self.advice.last_mut()
            && let more @ 1.. = self.hints.saturating_sub(ADVICE_OF_A_RULE)
        {
            last.message.push_str(&format!(" (and {more} more like it)"));
        }
    }

    /// Advice that was given elsewhere, most useful first.
    pub(crate) fn take(&mut self, more: Vec<Advice>) {
        self.advice.extend(more.into_iter().map(|advice| (advice, None)));
    }

    fn note(&mut self, class: Class, describe: impl FnOnce() -> Note) {
        let Some(room) = self.room.checked_sub(1) else { return };
        self.room = room;
        let Note { pointer, text, patch } = describe();
        let message = match pointer.dotted() {
            place if place.is_empty() => text,
            place => format!("{place}: {text}"),
        };
        let finding = Finding {
            code: self.code,
            pointer,
            message,
            patch,
        };
        self.findings.push((class, finding));
    }

    /// Everything as a report.
    pub(crate) fn report(mut self) -> Report {
        // Stable: what is equally grave stays in the order of the rules.
        self.advice.sort_by_key(|(advice, _)| advice.level);
        self.advice.truncate(ADVICE);
        for (advice, patch) in &self.advice {
            let finding = Finding {
                code: advice.code,
                pointer: advice.pointer.clone(),
                message: format!("{}; {}", advice.message, advice.fix),
                patch: patch.clone(),
            };
            self.findings.push((Class::Advice, finding));
        }
        self.findings.sort_by_cached_key(|(_, finding)| order(&finding.pointer));

        let of = |class| self.findings.iter().filter(move |(c, _)| *c == class).map(|(_, f)| f);
        let mut room = REPORT_BYTES;
        let advice: Vec<_> = self.advice.into_iter().map(|(advice, _)| advice).collect();
        room = room.saturating_sub(json_bytes(&advice));
        let missing = of(Class::Missing).map(|f| f.pointer.dotted());
        let missing_fields = bounded(missing, self.missing, &mut room);
        let warnings = of(Class::Warning).map(|f| f.message.clone());
        let inconsistency_warnings = bounded(warnings, self.warnings, &mut room);
        Report {
            complete: self.missing == 0 && self.warnings == 0,
            missing_fields,
            inconsistency_warnings,
            advice,
            findings: self.findings.into_iter().map(|(_, finding)| finding).collect(),
        }
    }
}

/// The first lines of `total`, as many as a hundred and `room` bytes of JSON hold, then how many more there are.
fn bounded(lines: impl Iterator<Item = String>, total: usize, room: &mut usize) -> Vec<String> {
    let mut out = Vec::new();
    for line in lines.take(MAX_NAMED) {
        // One for the comma.
        let Some(rest) = room.checked_sub(json_bytes(&line) + 1) else {
            break;
        };
        *room = rest;
        out.push(line);
    }
    if total > out.len() {
        out.push(format!("... and {} more", total - out.len()));
    }
    out
}

/// How long `value` is as JSON.
fn json_bytes(value: &impl serde::Serialize) -> usize {
    serde_json::to_string(value).map_or(0, |text| text.len())
}

/// Where a place stands in the document: each step as the line in the table of members or the index in the list.
/// A member that is not in the table stands behind all that are.
fn order(pointer: &Pointer) -> Vec<usize> {
    let mut shape = Some(Shape::Record(&Document::RECORD));
    let step = |segment: &str| {
        let (at, inner) = match shape {
            Some(Shape::Record(Record { fields, .. })) => {
                let at = fields.iter().position(|field| field.name == segment);
                (at, at.map(|at| fields[at].shape))
            }
            Some(Shape::List(item)) => (segment.parse().ok(), Some(*item)),
            _ => (None, None),
        };
        shape = inner;
        at.unwrap_or(usize::MAX)
    };
    pointer.as_str().split('/').skip(1).map(step).collect()
}

/// Characters of a name that a message shows.
const SHOWN: usize = 40;

/// `name` in backticks; of a long one the beginning and the end.
pub(crate) fn quote(name: &str) -> String {
    if name.char_indices().nth(SHOWN).is_none() {
        return format!("`{name}`");
    }
    let head = name.char_indices().nth(SHOWN - 16).map_or(0, |(at, _)| at);
    let tail = name.char_indices().nth_back(14).map_or(0, |(at, _)| at);
    format!("`{}…{}`", &name[..head], &name[tail..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(list: &str, index: usize) -> Note {
        Note {
            pointer: Pointer::root().key(list).index(index),
            text: "text".into(),
            patch: None,
        }
    }

    #[test]
    fn findings_stand_in_the_order_of_the_document() {
        let mut found = Found::default();
        found.begin("a");
        for note in [at("flows", 10), at("flows", 9), at("zzz", 0), at("stocks", 3)] {
            found.warning(|| note);
        }
        found.missing(|| Note {
            pointer: Pointer::root().key("version"),
            text: "text".into(),
            patch: None,
        });
        let report = found.report();
        let places: Vec<_> = report.findings.iter().map(|f| f.pointer.as_str()).collect();
        assert_eq!(places, ["/version", "/stocks/3", "/flows/9", "/flows/10", "/zzz/0"]);
        assert_eq!(report.inconsistency_warnings[0], "stocks[3]: text");
        assert_eq!(report.missing_fields, ["version"]);
        assert!(!report.complete);
    }

    #[test]
    fn lists_are_bounded_and_say_so() {
        let mut found = Found::default();
        found.begin("a");
        for i in 0..5000 {
            found.warning(|| at("stocks", i));
            found.missing(|| at("flows", i));
            found.advice(Level::Info, || Hint {
                pointer: Pointer::root(),
                message: "message".into(),
                fix: "fix".into(),
                patch: None,
            });
        }
        found.end();
        let report = found.report();
        assert_eq!(report.inconsistency_warnings.len(), 101);
        assert_eq!(report.inconsistency_warnings[100], "... and 4900 more");
        assert_eq!(report.missing_fields[100], "... and 4900 more");
        assert_eq!(report.advice.len(), ADVICE_OF_A_RULE);
        assert_eq!(report.advice[2].message, "message (and 4997 more like it)");
        assert_eq!(report.findings.len(), DESCRIBED + ADVICE_OF_A_RULE);
    }

    #[test]
    fn the_gravest_advice_comes_first() {
        let mut found = Found::default();
        for (code, level) in [
            ("i", Level::Info),
            ("w", Level::Warning),
            ("e", Level::Error),
            ("v", Level::Warning),
        ] {
            found.begin(code);
            for _ in 0..4 {
                found.advice(level, || Hint {
                    pointer: Pointer::root(),
                    message: String::new(),
                    fix: String::new(),
                    patch: None,
                });
            }
            found.end();
        }
        let codes: String = found.report().advice.iter().map(|a| a.code).collect();
        assert_eq!(codes, "eeewwwvv");
    }

    #[test]
    fn names_are_shown_short() {
        assert_eq!(quote("tub"), "`tub`");
        let forty = "水".repeat(40);
        assert_eq!(quote(&forty), format!("`{forty}`"));
        let long = format!("{}{}", "水".repeat(100_000), "b".repeat(15));
        assert_eq!(quote(&long), format!("`{}…{}`", "水".repeat(24), "b".repeat(15)));
    }
}
