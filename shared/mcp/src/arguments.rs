//! Reads what clients send as a tool's own arguments. Lenient: many clients send text for everything. `mend` reads what
//! is not quite JSON, `pretty` writes JSON for people.

mod mend;
mod pretty;

use meadow_model::json::{Member, members, members_around};
use meadow_model::limits::MAX_DEPTH;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::num::{IntErrorKind, ParseIntError};

/// JSON that was sent inside a JSON string, taken out of it without a leading byte order mark; other JSON as it
/// stands.
///
/// # Errors
/// Where the string holds what no text can, such as half of a surrogate pair.
pub(crate) fn unwrapped(json: &str) -> Result<Cow<'_, str>, String> {
    if !json.trim_start().starts_with('"') {
        return Ok(Cow::Borrowed(json));
    }
    let mut text: String = serde_json::from_str(json).map_err(|error| {
        format!("the text could not be read ({error}); send the JSON object itself instead of a text")
    })?;
    if text.starts_with('\u{feff}') {
        text.remove(0);
    }
    Ok(Cow::Owned(text))
}

/// True for `null`, `""`, `[]` and a blank text, with which clients say that there is nothing.
pub(crate) fn is_nothing(json: &str) -> bool {
    match json.trim() {
        "" | "null" | "\"\"" => true,
        list => list
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
            .is_some_and(|inner| inner.trim().is_empty()),
    }
}

/// The same for JSON, or the text of it.
pub(crate) fn is_blank(json: &str) -> bool {
    unwrapped(json).is_ok_and(|text| is_nothing(&text))
}

/// Levels around a part of a document: a list of operations, and the operation.
const AROUND: usize = 2;

/// A tool's own arguments, each as the JSON that was sent. Each is taken out as it is read; what is left was not
/// asked for.
#[derive(Debug, Default)]
pub(crate) struct Arguments(BTreeMap<String, String>);

impl Arguments {
    /// The arguments in `sent`, an object or its text; nothing sent is no arguments.
    ///
    /// # Errors
    /// Where it is neither, and where an argument stands twice.
    pub(crate) fn read(sent: Option<&str>) -> Result<Self, String> {
        let sent = unwrapped(sent.unwrap_or_default()).map_err(|error| format!("`arguments`: {error}"))?;
        if is_nothing(&sent) {
            return Ok(Self::default());
        }
        match members(&sent) {
            Ok(Some(members)) => Self::from_members(&members),
            Ok(None) => Err(format!("`arguments`: found {}, expected an object", shown(&sent))),
            // Halves of surrogate pairs, or text inside a JSON text: what a model wrote and its client could not read either.
            Err(error) => match members(&mend::mended(&sent)) {
                Ok(Some(members)) => Self::from_members(&members),
                // It is passed over at any depth here, so that only the depth was wrong.
                _ if serde_json::from_str::<IgnoredAny>(&sent).is_ok() => Err(format!(
                    "`arguments`: found more than {MAX_DEPTH} nested objects and arrays, expected at most {MAX_DEPTH} levels"
                )),
                _ => Err(format!("`arguments` is no JSON ({error}); send an object")),
            },
        }
    }

    /// The same for arguments that hold parts of documents: nothing in them is mended, and values may have the levels
    /// that such parts may have, and [`AROUND`] around them.
    ///
    /// # Errors
    /// As [`Self::read`], and where something is no JSON.
    pub(crate) fn exact(sent: Option<&str>) -> Result<Self, String> {
        let sent = unwrapped(sent.unwrap_or_default()).map_err(|error| format!("`arguments`: {error}"))?;
        if is_nothing(&sent) {
            return Ok(Self::default());
        }
        match members_around(&sent, AROUND) {
            Ok(Some(members)) => Self::from_members(&members),
            Ok(None) => Err(format!("`arguments`: found {}, expected an object", shown(&sent))),
            Err(error) => Err(format!(
                "`arguments` could not be read ({error}); mend it there and send it again"
            )),
        }
    }

    /// Whatever was sent: a text as it says, other JSON as it was written; none where there is nothing.
    pub(crate) fn any(&mut self, name: &str) -> Option<String> {
        let json = self.0.remove(name).filter(|json| !is_nothing(json))?;
        let text = match json.starts_with('"') {
            true => mend::text(&json),
            false => json,
        };
        Some(text).filter(|text| !text.trim().is_empty())
    }

    /// The first of these arguments that holds anything, as [`Self::any`] reads it; the others count as read.
    pub(crate) fn any_of(&mut self, names: &[&str]) -> Option<String> {
        let found: Vec<_> = names.iter().map(|name| self.any(name)).collect();
        found.into_iter().flatten().next()
    }

    /// The first of these arguments that holds anything: a text, broken escapes and all, a number as it is written, or
    /// the one text of a list; the others count as read. None where there is nothing.
    ///
    /// # Errors
    /// Where it is something else, which is not `expected`.
    pub(crate) fn name_of(&mut self, names: &[&str], expected: &str) -> Result<Option<String>, String> {
        let sent: Vec<_> = (names.iter())
            .map(|name| (name, self.0.remove(*name).filter(|json| !is_nothing(json))))
            .collect();
        for (name, json) in sent {
            let Some(json) = json else { continue };
            let Some(text) = single(&json) else {
                let found = shown(&json);
                return Err(format!("argument `{name}`: found {found}, expected {expected}"));
            };
            if !text.trim().is_empty() {
                return Ok(Some(text));
            }
        }
        Ok(None)
    }

    /// What is to be kept: a text to the last byte, even an empty one; an object or a list as JSON with two spaces, its
    /// members in their order and its numbers as they were sent; anything else as it was written. None where it was not
    /// sent, or is null.
    pub(crate) fn kept(&mut self, name: &str) -> Option<String> {
        let json = self.json(name)?;
        match json.trim().as_bytes().first()? {
            b'"' => Some(mend::text(&json)),
            b'{' | b'[' => Some(pretty::pretty(&json)),
            _ => Some(json.trim().to_owned()).filter(|json| json != "null"),
        }
    }

    /// The JSON of an argument as it was sent, even where it says that there is nothing; none where it was not sent.
    pub(crate) fn json(&mut self, name: &str) -> Option<String> {
        self.0.remove(name)
    }

    /// Yes or no, which may come as text; none where there is nothing.
    ///
    /// # Errors
    /// Where it is something else.
    pub(crate) fn flag(&mut self, name: &str) -> Result<Option<bool>, String> {
        let Some(json) = self.0.remove(name).filter(|json| !is_nothing(json)) else {
            return Ok(None);
        };
        let said = token(&json).map_or_else(|| json.clone(), Cow::into_owned);
        match said.trim().to_ascii_lowercase().as_str() {
            "" => Ok(None),
            "true" | "1" | "yes" => Ok(Some(true)),
            "false" | "0" | "no" => Ok(Some(false)),
            _ => Err(format!(
                "argument `{name}`: found {}, expected true or false",
                shown(&json)
            )),
        }
    }

    /// One of these words, in any case; none where there is nothing.
    ///
    /// # Errors
    /// Where it is something else.
    pub(crate) fn choice<'w>(&mut self, name: &str, words: &[&'w str]) -> Result<Option<&'w str>, String> {
        let expected = || format!("one of {}", words.join(", "));
        let Some((said, json)) = self.token(name, &expected())? else {
            return Ok(None);
        };
        let word = words.iter().find(|word| word.eq_ignore_ascii_case(said.trim()));
        let wrong = || format!("argument `{name}`: found {}, expected {}", shown(&json), expected());
        word.copied().map(Some).ok_or_else(wrong)
    }

    /// These members as arguments.
    ///
    /// # Errors
    /// Where two have the same name.
    pub(crate) fn from_members<'m, 'a: 'm>(members: impl IntoIterator<Item = &'m Member<'a>>) -> Result<Self, String> {
        let mut arguments = BTreeMap::new();
        for Member { name, value, .. } in members {
            if arguments.insert(name.to_string(), (*value).to_owned()).is_some() {
                return Err(format!("the argument `{}` was given twice; send it once", cut(name)));
            }
        }
        Ok(Self(arguments))
    }

    /// A text, or a number as it is written; none where there is nothing.
    ///
    /// # Errors
    /// Where it is something else.
    pub(crate) fn text(&mut self, name: &str) -> Result<Option<String>, String> {
        self.token(name, "a text").map(|sent| sent.map(|(token, _)| token))
    }

    /// A whole number from 0, which may come as text; none where there is nothing.
    ///
    /// # Errors
    /// Where it is something else.
    pub(crate) fn whole_number(&mut self, name: &str) -> Result<Option<u64>, String> {
        const EXPECTED: &str = "a whole number from 0";
        let Some((token, json)) = self.token(name, EXPECTED)? else {
            return Ok(None);
        };
        // Clients without integers write 3.0.
        let token = token.trim();
        let digits = token.strip_suffix(".0").unwrap_or(token);
        digits.parse().map(Some).map_err(|error: ParseIntError| {
            let bound = match error.kind() {
                IntErrorKind::PosOverflow => format!(" to {}", u64::MAX),
                _ => String::new(),
            };
            format!("argument `{name}`: found {}, expected {EXPECTED}{bound}", shown(&json))
        })
    }

    /// A list of texts, which may come as JSON text, or as one text that stands for itself; empty where there is nothing.
    ///
    /// # Errors
    /// Where it, or an item of it, is something else.
    pub(crate) fn texts(&mut self, name: &str) -> Result<Vec<String>, String> {
        let json = self.0.get(name).and_then(|json| unwrapped(json).ok());
        let Some(items) = json.and_then(|json| serde_json::from_str::<Vec<Box<RawValue>>>(&json).ok()) else {
            let Some((text, _)) = self.token(name, "a list of texts")? else {
                return Ok(Vec::new());
            };
            return Ok(vec![text]);
        };
        self.0.remove(name);
        let mut texts = Vec::with_capacity(items.len());
        for item in items {
            match token(item.get()) {
                Some(text) if text.trim().is_empty() => {}
                Some(text) => texts.push(text.into_owned()),
                None => {
                    let found = shown(item.get());
                    return Err(format!("argument `{name}`: found {found} in it, expected texts"));
                }
            }
        }
        Ok(texts)
    }

    /// The text or the number of an argument, with its JSON; none where there is nothing.
    fn token(&mut self, name: &str, expected: &str) -> Result<Option<(String, String)>, String> {
        let Some(json) = self.0.remove(name).filter(|json| !is_nothing(json)) else {
            return Ok(None);
        };
        match token(&json) {
            // Some clients write what they leave out.
            Some(token) if token.trim().is_empty() || token.trim() == "null" => Ok(None),
            Some(token) => Ok(Some((token.into_owned(), json))),
            None => Err(format!(
                "argument `{name}`: found {}, expected {expected}",
                shown(&json)
            )),
        }
    }

    /// The names of the arguments that nobody read, but of those that were left empty.
    pub(crate) fn unread(self) -> Vec<String> {
        let unread = self.0.into_iter().filter(|(_, json)| !is_blank(json));
        unread.map(|(name, _)| cut(&name)).collect()
    }
}

/// What a string says, even one that holds what no text can, a number as it is written, or the only item of a list of
/// those; none for other JSON.
fn single(json: &str) -> Option<String> {
    match json.as_bytes().first()? {
        b'"' => Some(mend::text(json)),
        b'[' => match serde_json::from_str::<Vec<&RawValue>>(json).ok()?.as_slice() {
            [only] if !only.get().starts_with('[') => single(only.get()),
            _ => None,
        },
        _ => token(json).map(Cow::into_owned),
    }
}

/// What a string says, or a number as it is written; none for other JSON.
fn token(json: &str) -> Option<Cow<'_, str>> {
    match json.as_bytes().first()? {
        b'"' => serde_json::from_str(json).ok().map(Cow::Owned),
        b'-' | b'0'..=b'9' => Some(Cow::Borrowed(json)),
        _ => None,
    }
}

/// JSON as a message names it, in a few words.
pub(crate) fn shown(json: &str) -> String {
    let json = json.trim();
    match (json.as_bytes().first(), token(json)) {
        (Some(b'"'), Some(text)) => format!("{:?}", cut(&text)),
        (_, Some(number)) => format!("the number {}", cut(&number)),
        (Some(b'{'), None) => "an object".to_owned(),
        (Some(b'['), None) => "a list".to_owned(),
        _ => cut(json),
    }
}

/// The beginning of a text, enough to know it by.
fn cut(text: &str) -> String {
    text.chars().take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_objects_and_their_text() {
        for sent in [
            None,
            Some("null"),
            Some("{}"),
            Some("\"\""),
            Some("[ ]"),
            Some("\"null\""),
            Some("\" {} \""),
        ] {
            assert!(
                Arguments::read(sent).expect("no arguments").unread().is_empty(),
                "{sent:?}"
            );
        }
        for sent in [r#"{"a":"x","b":1}"#, r#""{\"a\":\"x\",\"b\":1}""#] {
            let mut arguments = Arguments::read(Some(sent)).expect("arguments");
            assert_eq!(arguments.text("a"), Ok(Some("x".into())));
            assert_eq!(arguments.unread(), ["b"]);
        }
        for (sent, part) in [
            ("5", "the number 5"),
            ("[1]", "a list"),
            ("\"x\"", "no JSON"),
            ("\"\\ud800\"", "hex escape"),
            (r#"{"a":1,"a":2}"#, "`a` was given twice"),
        ] {
            let error = Arguments::read(Some(sent)).expect_err(sent);
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn reads_numbers_and_texts_in_every_form_that_clients_send() {
        #[track_caller]
        fn check(json: &str, text: Result<Option<&str>, ()>, number: Result<Option<u64>, ()>) {
            let arguments = || Arguments::read(Some(&format!(r#"{{"a":{json}}}"#))).expect("arguments");
            assert_eq!(
                arguments().text("a").map_err(drop),
                text.map(|t| t.map(str::to_owned)),
                "{json}"
            );
            assert_eq!(arguments().whole_number("a").map_err(drop), number, "{json}");
        }
        check("null", Ok(None), Ok(None));
        check("\" \"", Ok(None), Ok(None));
        check("\"null\"", Ok(None), Ok(None));
        check("[]", Ok(None), Ok(None));
        check("3", Ok(Some("3")), Ok(Some(3)));
        check("3.0", Ok(Some("3.0")), Ok(Some(3)));
        check("\" 3 \"", Ok(Some(" 3 ")), Ok(Some(3)));
        check(
            "18446744073709551615",
            Ok(Some("18446744073709551615")),
            Ok(Some(u64::MAX)),
        );
        check("-1", Ok(Some("-1")), Err(()));
        check("1.5", Ok(Some("1.5")), Err(()));
        check("\"x\"", Ok(Some("x")), Err(()));
        check("true", Err(()), Err(()));
        check("{}", Err(()), Err(()));
        check("[1]", Err(()), Err(()));
        check("1.10", Ok(Some("1.10")), Err(()));
    }

    #[test]
    fn a_wrong_number_is_told_as_it_was_sent() {
        #[track_caller]
        fn check(json: &str, told: &str) {
            let mut arguments = Arguments::read(Some(&format!(r#"{{"a":{json}}}"#))).expect("arguments");
            let error = arguments.whole_number("a").expect_err(json);
            assert_eq!(error, format!("argument `a`: found {told}"));
        }
        check("{}", "an object, expected a whole number from 0");
        check("[1]", "a list, expected a whole number from 0");
        check("true", "true, expected a whole number from 0");
        check("-1", "the number -1, expected a whole number from 0");
        check("1.50", "the number 1.50, expected a whole number from 0");
        check("1e2", "the number 1e2, expected a whole number from 0");
        check("\"x\"", "\"x\", expected a whole number from 0");
        check("\"-1\"", "\"-1\", expected a whole number from 0");
        check(
            "99999999999999999999",
            "the number 99999999999999999999, expected a whole number from 0 to 18446744073709551615",
        );
    }

    #[test]
    fn reads_lists_in_every_form_that_clients_send() {
        #[track_caller]
        fn check(json: &str, expected: Result<&[&str], &str>) {
            let mut arguments = Arguments::read(Some(&format!(r#"{{"a":{json}}}"#))).expect("arguments");
            match (arguments.texts("a"), expected) {
                (Ok(texts), Ok(expected)) => assert_eq!(texts, expected, "{json}"),
                (Err(error), Err(part)) => assert!(error.contains(part), "{error}"),
                other => panic!("{json}: {other:?}"),
            }
            assert!(arguments.unread().is_empty(), "{json}");
        }
        for nothing in ["null", "\"\"", "[]", "\" \"", "[\"\"]", "\"[]\""] {
            check(nothing, Ok(&[]));
        }
        check("[\"x\",\"y z\",7]", Ok(&["x", "y z", "7"]));
        check("\"[\\\"x\\\"]\"", Ok(&["x"]));
        check("\"a, b\"", Ok(&["a, b"]));
        check("\"[a]\"", Ok(&["[a]"]));
        check("[[]]", Err("found a list in it, expected texts"));
        check("{}", Err("found an object, expected a list of texts"));
    }

    #[test]
    fn reads_anything_as_text() {
        #[track_caller]
        fn check(json: &str, expected: Option<&str>) {
            let mut arguments = Arguments::read(Some(&format!(r#"{{"a":{json}}}"#))).expect("arguments");
            assert_eq!(arguments.any("a").as_deref(), expected, "{json}");
            assert!(arguments.unread().is_empty(), "{json}");
        }
        for nothing in ["null", "\"\"", "[]", "\" \\n\""] {
            check(nothing, None);
        }
        check("\"x\\ny\"", Some("x\ny"));
        check("\"[1]\"", Some("[1]"));
        check("{\"k\": 1.10}", Some("{\"k\": 1.10}"));
        check("7", Some("7"));
        check("false", Some("false"));
        check("\"half \\ud83d of a pair\"", Some("half \u{fffd} of a pair"));
    }

    #[test]
    fn the_first_name_that_holds_anything_counts() {
        let mut arguments = Arguments::read(Some(r#"{"b":"y","c":"z","a":""}"#)).expect("arguments");
        assert_eq!(arguments.any_of(&["a", "b", "c"]).as_deref(), Some("y"));
        assert!(arguments.unread().is_empty());
    }

    #[test]
    fn a_name_is_a_text_a_number_or_the_one_text_of_a_list() {
        #[track_caller]
        fn check(json: &str, expected: Result<Option<&str>, &str>) {
            let mut arguments = Arguments::read(Some(&format!(r#"{{"b":{json},"c":"z"}}"#))).expect("arguments");
            let read = arguments.name_of(&["a", "b", "c"], "a name");
            let error = |found: &str| format!("argument `b`: found {found}, expected a name");
            assert_eq!(
                read,
                expected.map(|text| text.map(str::to_owned)).map_err(error),
                "{json}"
            );
            assert!(arguments.unread().is_empty(), "{json}");
        }
        for nothing in ["null", "\"\"", "[]", "\" \\n\""] {
            check(nothing, Ok(Some("z")));
        }
        check("\"x y\"", Ok(Some("x y")));
        check("\"{}\"", Ok(Some("{}")));
        check("\"half \\ud83d of a pair\"", Ok(Some("half \u{fffd} of a pair")));
        check("2024", Ok(Some("2024")));
        check("1.10", Ok(Some("1.10")));
        check("[\"x\"]", Ok(Some("x")));
        check("[7]", Ok(Some("7")));
        check("{}", Err("an object"));
        check("{\"path\":\"x\"}", Err("an object"));
        check("true", Err("true"));
        check("[1,\"a\",null]", Err("a list"));
        check("[[\"x\"]]", Err("a list"));
        check("[{}]", Err("a list"));
        check("[null]", Err("a list"));
    }

    #[test]
    fn reads_flags_and_choices_in_every_form_that_clients_send() {
        #[track_caller]
        fn check(json: &str, flag: Result<Option<bool>, ()>, choice: Result<Option<&str>, ()>) {
            let arguments = || Arguments::read(Some(&format!(r#"{{"a":{json}}}"#))).expect("arguments");
            assert_eq!(arguments().flag("a").map_err(drop), flag, "{json}");
            assert_eq!(
                arguments().choice("a", &["yes", "later"]).map_err(drop),
                choice,
                "{json}"
            );
        }
        for nothing in ["null", "\"\"", "[]", "\" \""] {
            check(nothing, Ok(None), Ok(None));
        }
        check("true", Ok(Some(true)), Err(()));
        check("\"False\"", Ok(Some(false)), Err(()));
        check("1", Ok(Some(true)), Err(()));
        check("\"YES \"", Ok(Some(true)), Ok(Some("yes")));
        check("\"later\"", Err(()), Ok(Some("later")));
        check("{}", Err(()), Err(()));
        let mut arguments = Arguments::read(Some(r#"{"a":"soon"}"#)).expect("arguments");
        assert_eq!(
            arguments.choice("a", &["yes", "later"]),
            Err("argument `a`: found \"soon\", expected one of yes, later".into())
        );
    }
}
