//! A strict reader of JSON text (RFC 8259) that pulls one value after another.
//!
//! It exists because the general parsers stop at the first fault, let the last of two equal keys win, and turn a
//! number that no double holds into a syntax error or infinity (docs/decisions/0002). What is no JSON at all ends
//! the reading (`Stop::Syntax`); what is JSON but no document of ours is noted in [`Faults`] and the reading goes
//! on, so that one answer names everything.
//!
//! Strings without escapes are borrowed from the text.

mod parts;

pub use parts::{Member, members, members_around, without};
pub(crate) use parts::{items, judged};

use crate::limits::{MAX_DEPTH, MAX_RECORDS};
use crate::parse::{Fault, Faults};
use crate::pointer::Path;
use std::borrow::Cow;
use std::collections::HashSet;

/// Why reading ended early.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The text is not JSON.
    Syntax(SyntaxError),
    /// Too deep or too much to go on; the fault is noted already.
    Limit,
}

/// The text is not JSON: where and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    /// Line, counted from 1.
    pub line: usize,
    /// Column in characters, counted from 1.
    pub column: usize,
    /// What was found there and what would repair it.
    pub message: String,
}

impl std::fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for SyntaxError {}

/// The kind of the next value, told by its first byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Object,
    Array,
    String,
    Number,
    Bool,
    Null,
}

/// Keys of one object kept in a list until there are so many that a hash set is quicker.
const FEW_KEYS: usize = 12;

/// The reader: a text, a place in it, and what was found wrong so far.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    /// Levels that may stand around what counts.
    around: usize,
    records: usize,
    /// Everything that is JSON but no document of ours.
    pub(crate) faults: Faults,
}

impl<'a> Reader<'a> {
    /// A reader at the start of `text`.
    pub(crate) fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            depth: 0,
            around: 0,
            records: 0,
            faults: Faults::default(),
        }
    }

    fn bytes(&self) -> &'a [u8] {
        self.text.as_bytes()
    }

    fn byte(&self) -> Option<u8> {
        self.bytes().get(self.at).copied()
    }

    fn blanks(&mut self) {
        while matches!(self.byte(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    /// A syntax error here.
    fn error<T>(&self, message: impl Into<String>) -> Result<T, Stop> {
        Err(Stop::Syntax(syntax_error(self.text, self.at, message)))
    }

    /// What stands here, for a message.
    fn here(&self) -> String {
        match self.text.get(self.at..).and_then(|rest| rest.chars().next()) {
            None => "the end of the text".to_owned(),
            Some(c) => format!("{c:?}"),
        }
    }

    /// The kind of the next value. Blanks before it are passed over.
    pub(crate) fn peek(&mut self) -> Result<Kind, Stop> {
        self.blanks();
        Ok(match self.byte() {
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::Array,
            Some(b'"') => Kind::String,
            Some(b'-' | b'0'..=b'9') => Kind::Number,
            Some(b't' | b'f') => Kind::Bool,
            Some(b'n') => Kind::Null,
            _ => return self.error(format!("found {}, expected a JSON value", self.here())),
        })
    }

    /// Nothing but blanks may follow the document.
    pub(crate) fn end(&mut self) -> Result<(), Stop> {
        self.blanks();
        if self.at < self.text.len() {
            return self.error(format!(
                "found {} after the document, expected the end of the text",
                self.here()
            ));
        }
        Ok(())
    }

    /// `null`.
    pub(crate) fn null(&mut self) -> Result<(), Stop> {
        self.word("null")
    }

    /// `true` or `false`.
    pub(crate) fn bool(&mut self) -> Result<bool, Stop> {
        let value = self.byte() == Some(b't');
        self.word(if value { "true" } else { "false" })?;
        Ok(value)
    }

    fn word(&mut self, word: &str) -> Result<(), Stop> {
        if !self.bytes()[self.at..].starts_with(word.as_bytes()) {
            return self.error(format!("found an unknown word, expected {word}"));
        }
        self.at += word.len();
        Ok(())
    }

    /// A number: its exact token and its value. A value that no double holds is a fault; it reads as 0.
    pub(crate) fn number(&mut self, path: &Path<'_>) -> Result<(&'a str, f64), Stop> {
        let from = self.at;
        if self.byte() == Some(b'-') {
            self.at += 1;
        }
        match self.byte() {
            Some(b'0') => {
                self.at += 1;
                if matches!(self.byte(), Some(b'0'..=b'9')) {
                    return self.error("a number with a leading zero, remove the zero");
                }
            }
            Some(b'1'..=b'9') => self.digits(),
            _ => return self.error(format!("found {}, expected a digit", self.here())),
        }
        if self.byte() == Some(b'.') {
            self.at += 1;
            self.some_digits()?;
        }
        if matches!(self.byte(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.byte(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.some_digits()?;
        }
        let token = &self.text[from..self.at];
        let value = token.parse::<f64>().unwrap_or(f64::INFINITY);
        if value.is_finite() {
            return Ok((token, value));
        }
        self.fault(
            path,
            format!("the number {}", cut(token)),
            "a number within ±1.797e308 (a double)",
        );
        Ok((token, 0.0))
    }

    fn digits(&mut self) {
        while matches!(self.byte(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
    }

    fn some_digits(&mut self) -> Result<(), Stop> {
        if !matches!(self.byte(), Some(b'0'..=b'9')) {
            return self.error(format!("found {}, expected a digit", self.here()));
        }
        self.digits();
        Ok(())
    }

    /// A string. NUL in it is a fault.
    pub(crate) fn string(&mut self, path: &Path<'_>) -> Result<Cow<'a, str>, Stop> {
        let (text, nul) = self.raw_string()?;
        if nul {
            self.fault(
                path,
                "a text with NUL (\\u0000)".to_owned(),
                "a text without NUL, which PostgreSQL cannot hold",
            );
        }
        Ok(text)
    }

    /// A string and whether it holds NUL.
    fn raw_string(&mut self) -> Result<(Cow<'a, str>, bool), Stop> {
        self.at += 1;
        let from = self.at;
        self.plain();
        if self.byte() == Some(b'"') {
            self.at += 1;
            return Ok((Cow::Borrowed(&self.text[from..self.at - 1]), false));
        }
        let mut out = self.text[from..self.at].to_owned();
        let mut nul = false;
        loop {
            match self.byte() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok((Cow::Owned(out), nul));
                }
                Some(b'\\') => {
                    let c = self.escape()?;
                    nul |= c == '\0';
                    out.push(c);
                }
                None => return self.error("the text ends inside a string, expected a closing quotation mark"),
                Some(_) => {
                    return self.error(format!(
                        "a raw control character {} in a string, write it as an escape",
                        self.here()
                    ));
                }
            }
            let part = self.at;
            self.plain();
            out.push_str(&self.text[part..self.at]);
        }
    }

    /// Passes over characters that mean themselves: all but `"`, `\` and control characters.
    fn plain(&mut self) {
        let bytes = self.bytes();
        // Eight bytes at a time: a byte is special when, after the exclusive or with the pattern (or, for control
        // characters, as it is), subtracting borrows through its top bit. See "Determine if a word has a byte less
        // than n", Sean Eron Anderson, Bit Twiddling Hacks.
        const ONES: u64 = u64::from_ne_bytes([1; 8]);
        const TOPS: u64 = u64::from_ne_bytes([0x80; 8]);
        while let Some(word) = bytes
            .get(self.at..self.at + 8)
            .and_then(|b| <[u8; 8]>::try_from(b).ok())
        {
            let word = u64::from_ne_bytes(word);
            let (quote, slash) = (word ^ (ONES * u64::from(b'"')), word ^ (ONES * u64::from(b'\\')));
            let special = (quote.wrapping_sub(ONES) & !quote)
                | (slash.wrapping_sub(ONES) & !slash)
                | (word.wrapping_sub(ONES * 0x20) & !word);
            if special & TOPS != 0 {
                break;
            }
            self.at += 8;
        }
        while self.byte().is_some_and(|b| b >= 0x20 && b != b'"' && b != b'\\') {
            self.at += 1;
        }
    }

    /// One escape sequence.
    fn escape(&mut self) -> Result<char, Stop> {
        let start = self.at;
        self.at += 1;
        let c = match self.byte() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                let high = self.hex()?;
                if let Some(c) = char::from_u32(high) {
                    return Ok(c);
                }
                let low_follows = self.bytes()[self.at..].starts_with(b"\\u");
                if (0xD800..0xDC00).contains(&high) && low_follows {
                    self.at += 2;
                    let low = self.hex()?;
                    if (0xDC00..0xE000).contains(&low)
                        && let Some(c) = char::from_u32(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
                    {
                        return Ok(c);
                    }
                }
                self.at = start;
                return self.error("half of a surrogate pair, write both halves or the character itself");
            }
            _ => {
                self.at = start;
                return self.error("an unknown escape, expected one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX");
            }
        };
        self.at += 1;
        Ok(c)
    }

    fn hex(&mut self) -> Result<u32, Stop> {
        let digits = self.bytes().get(self.at..self.at + 4).unwrap_or_default();
        let mut value = 0;
        for digit in digits {
            let Some(d) = char::from(*digit).to_digit(16) else {
                return self.error("expected four hexadecimal digits after \\u");
            };
            value = value * 16 + d;
        }
        if digits.len() < 4 {
            return self.error("expected four hexadecimal digits after \\u");
        }
        self.at += 4;
        Ok(value)
    }

    fn enter(&mut self, path: &Path<'_>) -> Result<(), Stop> {
        self.at += 1;
        self.depth += 1;
        if self.depth > MAX_DEPTH + self.around {
            self.fault(
                path,
                format!("more than {MAX_DEPTH} nested objects and arrays"),
                "at most 100 levels",
            );
            return Err(Stop::Limit);
        }
        Ok(())
    }

    /// The items of an array, one call of `item` each.
    pub(crate) fn array(
        &mut self,
        path: &Path<'_>,
        mut item: impl FnMut(&mut Self, &Path<'_>) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        self.enter(path)?;
        self.blanks();
        if self.byte() == Some(b']') {
            return self.leave();
        }
        for index in 0.. {
            item(self, &Path::Index(path, index))?;
            if self.more(b']', "an array")? {
                break;
            }
        }
        self.leave()
    }

    /// The members of an object, one call of `member` each; the call reads the value. Equal keys are left to it.
    pub(crate) fn object(
        &mut self,
        path: &Path<'_>,
        mut member: impl FnMut(&mut Self, Cow<'a, str>) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        self.enter(path)?;
        self.blanks();
        if self.byte() == Some(b'}') {
            return self.leave();
        }
        loop {
            self.blanks();
            if self.byte() != Some(b'"') {
                return self.error(format!(
                    "found {}, expected a member name in quotation marks",
                    self.here()
                ));
            }
            let (key, nul) = self.raw_string()?;
            if nul {
                let key = key.replace('\0', "\u{fffd}");
                self.fault(
                    &Path::Key(path, &key),
                    "a member name with NUL (\\u0000)".to_owned(),
                    "a name without NUL",
                );
            }
            self.blanks();
            if self.byte() != Some(b':') {
                return self.error(format!("found {}, expected a colon after the member name", self.here()));
            }
            self.at += 1;
            member(self, key)?;
            if self.more(b'}', "an object")? {
                break;
            }
        }
        self.leave()
    }

    /// After an item or member: true at the closing bracket, false after a comma.
    fn more(&mut self, close: u8, what: &str) -> Result<bool, Stop> {
        self.blanks();
        match self.byte() {
            Some(b) if b == close => Ok(true),
            Some(b',') => {
                self.at += 1;
                self.blanks();
                if self.byte() == Some(close) {
                    return self.error(format!("a comma before the end of {what}, remove it"));
                }
                Ok(false)
            }
            _ => self.error(format!(
                "found {} in {what}, expected a comma or {:?}",
                self.here(),
                char::from(close)
            )),
        }
    }

    fn leave(&mut self) -> Result<(), Stop> {
        self.at += 1;
        self.depth -= 1;
        Ok(())
    }

    /// Counts one record of the table.
    pub(crate) fn record(&mut self, path: &Path<'_>) -> Result<(), Stop> {
        self.records += 1;
        if self.records > MAX_RECORDS {
            self.fault(
                path,
                format!("more than {MAX_RECORDS} stocks, flows and other items"),
                "fewer items",
            );
            return Err(Stop::Limit);
        }
        Ok(())
    }

    /// Passes over any value, still judging keys, numbers, NUL and depth.
    pub(crate) fn any(&mut self, path: &Path<'_>) -> Result<(), Stop> {
        match self.peek()? {
            Kind::Null => self.null(),
            Kind::Bool => self.bool().map(drop),
            Kind::Number => self.number(path).map(drop),
            Kind::String => self.string(path).map(drop),
            Kind::Array => self.array(path, Self::any),
            Kind::Object => {
                let mut keys = Keys::default();
                self.object(path, |reader, key| {
                    let path = Path::Key(path, &key);
                    if keys.is_new(&key) {
                        reader.any(&path)
                    } else {
                        reader.duplicate(&path)
                    }
                })
            }
        }
    }

    /// A key that the object had before: a fault. The value is passed over.
    pub(crate) fn duplicate(&mut self, path: &Path<'_>) -> Result<(), Stop> {
        self.fault(
            path,
            "the same member name a second time".to_owned(),
            "each name once; keep one of the two",
        );
        self.any(path)
    }

    /// A value of another kind than wanted: a fault. The value is passed over.
    pub(crate) fn wrong(&mut self, path: &Path<'_>, expected: &str) -> Result<(), Stop> {
        let kind = self.peek()?;
        if let Kind::Object | Kind::Array = kind {
            let found = if kind == Kind::Object { "an object" } else { "an array" };
            self.fault(path, found.to_owned(), expected);
            return self.any(path);
        }
        let from = self.at;
        self.any(path)?;
        let token = cut(&self.text[from..self.at]);
        let found = match kind {
            Kind::Bool => format!("the boolean {token}"),
            Kind::Number => format!("the number {token}"),
            Kind::String => format!("the text {token}"),
            _ => token.into_owned(),
        };
        self.fault(path, found, expected);
        Ok(())
    }

    /// Notes a fault.
    pub(crate) fn fault(&mut self, path: &Path<'_>, found: String, expected: &str) {
        self.faults.push(|| Fault {
            pointer: path.pointer(),
            found,
            expected: expected.to_owned(),
        });
    }
}

/// The keys that an object had so far.
#[derive(Default)]
pub(crate) struct Keys {
    few: Vec<String>,
    many: HashSet<String, foldhash::fast::RandomState>,
}

impl Keys {
    /// Notes `key`; false when it was there before.
    pub(crate) fn is_new(&mut self, key: &str) -> bool {
        if self.many.is_empty() {
            if self.few.iter().any(|k| k == key) {
                return false;
            }
            self.few.push(key.to_owned());
            if self.few.len() > FEW_KEYS {
                self.many.extend(self.few.drain(..));
            }
            return true;
        }
        self.many.insert(key.to_owned())
    }
}

/// A token shortened for a message.
fn cut(token: &str) -> Cow<'_, str> {
    match token.char_indices().nth(40) {
        Some((at, _)) => Cow::Owned(format!("{}…", &token[..at])),
        None => Cow::Borrowed(token),
    }
}

/// A syntax error at byte `at` of `text`.
pub(crate) fn syntax_error(text: &str, at: usize, message: impl Into<String>) -> SyntaxError {
    let before = &text[..at.min(text.len())];
    let line_start = before.rfind('\n').map_or(0, |n| n + 1);
    SyntaxError {
        line: memchr::memchr_iter(b'\n', before.as_bytes()).count() + 1,
        column: before[line_start..].chars().count() + 1,
        message: message.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn judge(text: &str) -> Result<Faults, SyntaxError> {
        let mut reader = Reader::new(text);
        match reader.any(&Path::Root).and_then(|()| reader.end()) {
            Ok(()) | Err(Stop::Limit) => Ok(reader.faults),
            Err(Stop::Syntax(e)) => Err(e),
        }
    }

    #[track_caller]
    fn syntax(text: &str, line: usize, column: usize, part: &str) {
        let e = judge(text).expect_err("no JSON");
        assert_eq!((e.line, e.column), (line, column), "{e}");
        assert!(e.message.contains(part), "{e}");
    }

    #[test]
    fn names_the_place_of_what_is_no_json() {
        syntax("", 1, 1, "end of the text");
        syntax("{\n \"é\" 1}", 2, 6, "colon");
        syntax("[1,]", 1, 4, "comma before the end of an array");
        syntax("{\"a\":1,}", 1, 8, "comma before the end of an object");
        syntax("[01]", 1, 3, "leading zero");
        syntax("[NaN]", 1, 2, "JSON value");
        syntax("[nil]", 1, 2, "null");
        syntax("[1.]", 1, 4, "digit");
        syntax("[-]", 1, 3, "digit");
        syntax("\"a", 1, 3, "inside a string");
        syntax("\"a\nb\"", 1, 3, "control character");
        syntax("\"\\ud800\"", 1, 2, "surrogate");
        syntax("\"\\ud800\\u0041\"", 1, 2, "surrogate");
        syntax("\"\\udc00\"", 1, 2, "surrogate");
        syntax("\"\\x\"", 1, 2, "unknown escape");
        syntax("\"\\u12g4\"", 1, 4, "hexadecimal");
        syntax("1 2", 1, 3, "after the document");
        syntax("{1:2}", 1, 2, "member name");
    }

    #[test]
    fn notes_what_is_json_but_no_document() {
        let faults = judge(r#"{"a":1e400,"b":"\u0000","c":{"x":1,"\u0078":2},"d":[-1e999]}"#).expect("JSON");
        let named: Vec<_> = faults.named().iter().map(|f| f.pointer.as_str().to_owned()).collect();
        assert_eq!(named, ["/a", "/b", "/c/x", "/d/0"]);
    }

    #[test]
    fn counts_levels() {
        let nested = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
        assert!(judge(&nested(MAX_DEPTH)).expect("JSON").is_empty());
        assert_eq!(judge(&nested(MAX_DEPTH + 1)).expect("JSON").total(), 1);
        assert_eq!(judge(&nested(100_000)).expect("JSON").total(), 1);
    }

    #[test]
    fn finds_one_of_many_equal_keys() {
        let text = format!(
            "{{{},\"k7\":1}}",
            (0..5000).map(|i| format!("\"k{i}\":0")).collect::<Vec<_>>().join(",")
        );
        let faults = judge(&text).expect("JSON");
        assert_eq!(faults.total(), 1);
        assert_eq!(faults.named()[0].pointer.as_str(), "/k7");
    }

    fn json() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<bool>().prop_map(serde_json::Value::from),
            any::<i64>().prop_map(serde_json::Value::from),
            any::<f64>()
                .prop_filter("finite", |f| f.is_finite())
                .prop_map(serde_json::Value::from),
            "[^\0]{0,20}".prop_map(serde_json::Value::from),
        ];
        leaf.prop_recursive(5, 60, 8, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..8).prop_map(serde_json::Value::from),
                prop::collection::btree_map("[^\0]{0,6}", inner, 0..8)
                    .prop_map(|m| serde_json::Value::Object(m.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn accepts_what_serde_json_writes(value in json(), pretty in any::<bool>()) {
            let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
            prop_assert!(judge(&text).unwrap().is_empty());
        }

        #[test]
        fn judges_damaged_text_as_serde_json_does(value in json(), at in any::<prop::sample::Index>(), with in "[ \"\\\\{}\\[\\],:0-9eE.+-a\u{1}é]{0,2}") {
            let mut text = value.to_string();
            let mut place = at.index(text.len() + 1);
            while !text.is_char_boundary(place) { place -= 1; }
            let end = (place + 1..=text.len()).find(|e| text.is_char_boundary(*e)).unwrap_or(place);
            text.replace_range(place..end, &with);
            let theirs = serde_json::from_str::<serde_json::Value>(&text);
            let ours = judge(&text);
            // serde_json calls a number beyond a double a syntax error; for us it is JSON with a fault.
            if theirs.as_ref().is_err_and(|e| e.to_string().contains("number out of range")) { return Ok(()); }
            prop_assert_eq!(ours.is_ok(), theirs.is_ok(), "{} {:?} {:?}", text, ours, theirs);
        }

        #[test]
        fn strings_read_as_serde_json_reads_them(s in "[^\0]{0,80}", escape in any::<bool>()) {
            let text = if escape { s.encode_utf16().fold(String::from("\""), |a, u| a + &format!("\\u{u:04x}")) + "\"" } else { serde_json::to_string(&s).unwrap() };
            let mut reader = Reader::new(&text);
            prop_assert_eq!(reader.string(&Path::Root).unwrap(), s);
        }

        #[test]
        fn any_text_at_all_is_answered(text in "\\PC{0,200}") {
            let _ = judge(&text);
            let _ = members(&text);
        }
    }
}
