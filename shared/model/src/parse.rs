//! From text to [`Document`], naming every fault at once.

use crate::fields::Document;
use crate::json::{Reader, Stop, SyntaxError, syntax_error};
use crate::limits::MAX_NAMED;
use crate::pointer::{Path, Pointer};
use crate::values::Read;

/// One place where the text is JSON but no document of ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Where.
    pub pointer: Pointer,
    /// What stands there.
    pub found: String,
    /// What may stand there.
    pub expected: String,
}

impl Fault {
    /// The fault without its place: `found the number 1.5, expected a number from 0 to 1`.
    #[must_use]
    pub fn detail(&self) -> String {
        format!("found {}, expected {}", self.found, self.expected)
    }
}

/// All faults of one text: the first [`MAX_NAMED`] in full, the others counted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Faults {
    named: Vec<Fault>,
    total: usize,
}

impl Faults {
    /// The faults that are named in full, in the order of the text.
    #[must_use]
    pub fn named(&self) -> &[Fault] {
        &self.named
    }

    /// How many faults there are, the unnamed ones included.
    #[must_use]
    pub fn total(&self) -> usize {
        self.total
    }

    /// True when there is no fault.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// Counts a fault and, while few are named, describes it.
    pub(crate) fn push(&mut self, describe: impl FnOnce() -> Fault) {
        self.total += 1;
        if self.named.len() < MAX_NAMED {
            self.named.push(describe());
        }
    }
}

/// Why a text was refused. Nothing of it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// Not JSON at all (HTTP 400).
    NotJson(SyntaxError),
    /// JSON, but no document of ours (HTTP 422).
    Schema(Faults),
}

/// The text in `bytes`: UTF-8, without a leading byte order mark.
///
/// # Errors
/// [`Refusal::NotJson`] where the bytes are no UTF-8; they are never replaced.
pub fn text_of(bytes: &[u8]) -> Result<&str, Refusal> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.strip_prefix('\u{feff}').unwrap_or(text)),
        Err(error) => {
            let valid = std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default();
            let byte = bytes.get(error.valid_up_to()).copied().unwrap_or_default();
            let message = format!("byte 0x{byte:02x} is no UTF-8, send the text encoded as UTF-8");
            Err(Refusal::NotJson(syntax_error(valid, valid.len(), message)))
        }
    }
}

/// Reads a document.
///
/// Members that are absent or null are no fault here; the validation names them as missing. Members unknown to us
/// are passed over, but judged as JSON: equal keys, NUL, numbers and depth.
///
/// # Errors
/// [`Refusal::NotJson`] names the first place where the text is no JSON, [`Refusal::Schema`] every place where it
/// is no document.
pub fn parse(text: &str) -> Result<Document<'_>, Refusal> {
    let mut reader = Reader::new(text);
    let read = Document::read(&mut reader, &Path::Root).and_then(|document| {
        reader.end()?;
        Ok(document)
    });
    match read {
        Err(Stop::Syntax(error)) => Err(Refusal::NotJson(error)),
        Ok(document) if reader.faults.is_empty() => Ok(document),
        Ok(_) | Err(Stop::Limit) => Err(Refusal::Schema(reader.faults)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn faults(text: &str) -> Vec<String> {
        match parse(text) {
            Err(Refusal::Schema(faults)) => {
                assert_eq!(faults.total(), faults.named().len());
                faults
                    .named()
                    .iter()
                    .map(|f| format!("{}: {}", f.pointer, f.detail()))
                    .collect()
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn names_every_fault_at_once() {
        let text = r#"{"version":1,"elements":["a",1,null],"stocks":{"id":"x"},"boundary":[],
            "flows":[{"from_stock":3,"to_stock":null},7],"interconnections":[{"type":"magic","confidence":2,"polarity":"~"}],
            "leverage_points":[{"id":0},{"id":3.5},{"id":12.0},{"id":"1"},{"is_applicable":"yes"}],
            "variables":[{"points":[[1,2],[1],[1,"2"],3]}],"interventions":[{"confidence":-0.1,"target_leverage_id":13}],
            "loops":{"balancing":{}},"simulation":{"method":"heun","dt":"1"},"extra":{"a":1,"a":2},"version":"2"}"#;
        assert_eq!(
            faults(text),
            [
                "/version: found the number 1, expected a text",
                "/elements/1: found the number 1, expected a text",
                "/elements/2: found null, expected a text",
                "/stocks: found an object, expected a list",
                "/boundary: found an array, expected an object: a boundary",
                "/flows/0/from_stock: found the number 3, expected the id of a stock, or null for a cloud (a source or sink outside the boundary)",
                "/flows/1: found the number 7, expected an object: a flow",
                "/interconnections/0/type: found the text \"magic\", expected one of \"causal\", \"flow\", \"info\"",
                "/interconnections/0/confidence: found the number 2, expected a number from 0 to 1",
                "/interconnections/0/polarity: found the text \"~\", expected \"+\" or \"-\"",
                "/leverage_points/0/id: found the number 0, expected a whole number from 1 to 12",
                "/leverage_points/1/id: found the number 3.5, expected a whole number from 1 to 12",
                "/leverage_points/3/id: found the text \"1\", expected a whole number from 1 to 12",
                "/leverage_points/4/is_applicable: found the text \"yes\", expected true or false",
                "/variables/0/points/1: found a list of 1, expected a point [x, y] of two numbers",
                "/variables/0/points/2/1: found the text \"2\", expected a number",
                "/variables/0/points/3: found the number 3, expected a point [x, y] of two numbers",
                "/interventions/0/confidence: found the number -0.1, expected a number from 0 to 1",
                "/interventions/0/target_leverage_id: found the number 13, expected a whole number from 1 to 12",
                "/loops/balancing: found an object, expected a list",
                "/simulation/method: found the text \"heun\", expected one of \"euler\", \"rk4\"",
                "/simulation/dt: found the text \"1\", expected a number",
                "/extra/a: found the same member name a second time, expected each name once; keep one of the two",
                "/version: found the same member name a second time, expected each name once; keep one of the two",
            ]
        );
    }

    #[test]
    fn a_document_is_an_object() {
        assert_eq!(
            faults("null"),
            [": found null, expected an object: a systems-thinking document"]
        );
        assert_eq!(
            faults("[1]"),
            [": found an array, expected an object: a systems-thinking document"]
        );
        assert!(matches!(parse(""), Err(Refusal::NotJson(_))));
        assert!(parse("{}").is_ok());
    }

    #[test]
    fn a_fault_too_deep_is_named_beside_what_led_there() {
        let deep = format!(r#"{{"stocks":{{"a":{}{}}}}}"#, "[".repeat(99), "]".repeat(99));
        let named = faults(&deep);
        assert_eq!(named[0], "/stocks: found an object, expected a list");
        assert!(named[1].ends_with("found more than 100 nested objects and arrays, expected at most 100 levels"));
        assert_eq!(named.len(), 2);
        assert_eq!(
            faults(&"[".repeat(101))[0],
            ": found an array, expected an object: a systems-thinking document"
        );
    }

    #[test]
    fn null_and_unknown_members_are_no_faults() {
        let text = r#"{"version":null,"elements":null,"boundary":null,"loops":{"balancing":null},"author":{"x":[1.10]},
            "flows":[{"from_stock":null,"to_stock":" "}],"stocks":[{"initial":1.50,"unitt":"l"}]}"#;
        let document = parse(text).expect("a document");
        assert_eq!(document.unknown, ["author"]);
        assert_eq!(document.flows[0].from_stock, crate::End::Cloud);
        assert_eq!(document.flows[0].to_stock.stock(), None);
        assert_eq!(document.stocks[0].initial, crate::Initial::Number("1.50"));
        assert_eq!(document.stocks[0].unknown, ["unitt"]);
    }

    #[test]
    fn bytes_become_text() {
        assert_eq!(text_of(b"\xef\xbb\xbf{}"), Ok("{}"));
        let Err(Refusal::NotJson(error)) = text_of(b"{\n\"a\":\"\xff\"}") else {
            panic!("refused")
        };
        assert_eq!((error.line, error.column), (2, 6));
    }

    #[test]
    fn more_records_than_memory_should_hold_are_refused() {
        let text = format!(r#"{{"stocks":[{}]}}"#, vec!["{}"; crate::limits::MAX_RECORDS].join(","));
        assert_eq!(
            faults(&text),
            ["/stocks/249999: found more than 250000 stocks, flows and other items, expected fewer items"]
        );
    }

    #[test]
    fn many_faults_are_counted() {
        let text = format!(r#"{{"elements":[{}]}}"#, vec!["1"; 5000].join(","));
        let Err(Refusal::Schema(faults)) = parse(&text) else {
            panic!("refused")
        };
        assert_eq!((faults.named().len(), faults.total()), (MAX_NAMED, 5000));
    }
}
