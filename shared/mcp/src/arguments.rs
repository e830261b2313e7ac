//! Reads what clients send as a tool's own arguments. Lenient: many clients send text for everything.

use serde_json::{Map, Value};
use std::borrow::Cow;

/// JSON that was sent inside a JSON string, taken out of it; other JSON as it stands.
///
/// # Errors
/// Where the string holds what no text can, such as half of a surrogate pair.
pub(crate) fn unwrapped(json: &str) -> Result<Cow<'_, str>, String> {
    if !json.trim_start().starts_with('"') {
        return Ok(Cow::Borrowed(json));
    }
    serde_json::from_str(json)
        .map(Cow::Owned)
        .map_err(|error| format!("the text could not be read ({error}); send the JSON object itself instead of a text"))
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

/// A tool's own arguments. Each is taken out as it is read; what is left was not asked for.
#[derive(Debug, Default)]
pub(crate) struct Arguments(Map<String, Value>);

impl Arguments {
    /// The arguments in `sent`, an object or its text; nothing sent is no arguments.
    ///
    /// # Errors
    /// Where it is neither.
    pub(crate) fn read(sent: Option<&str>) -> Result<Self, String> {
        let sent = unwrapped(sent.unwrap_or_default()).map_err(|error| format!("`arguments`: {error}"))?;
        if is_nothing(&sent) {
            return Ok(Self::default());
        }
        match serde_json::from_str(&sent) {
            Ok(Value::Object(members)) => Ok(Self(members)),
            Ok(other) => Err(format!("`arguments`: found {}, expected an object", shown(&other))),
            Err(error) => Err(format!("`arguments` is no JSON ({error}); send an object")),
        }
    }

    /// Arguments by name, each as JSON text that is known to be JSON.
    pub(crate) fn from_members<'a>(members: impl Iterator<Item = (&'a str, &'a str)>) -> Result<Self, String> {
        let read = members.map(|(name, json)| {
            let value = serde_json::from_str(json).map_err(|error| format!("argument `{name}`: {error}"))?;
            Ok((name.to_owned(), value))
        });
        read.collect::<Result<_, String>>().map(Self)
    }

    /// A text, or a number as it is written; none where there is nothing.
    ///
    /// # Errors
    /// Where it is something else.
    pub(crate) fn text(&mut self, name: &str) -> Result<Option<String>, String> {
        match self.0.remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text).filter(|text| !text.trim().is_empty())),
            Some(Value::Array(items)) if items.is_empty() => Ok(None),
            Some(Value::Number(number)) => Ok(Some(number.to_string())),
            Some(other) => Err(format!("argument `{name}`: found {}, expected a text", shown(&other))),
        }
    }

    /// A whole number from 0, which may come as text; none where there is nothing.
    ///
    /// # Errors
    /// Where it is something else.
    pub(crate) fn whole_number(&mut self, name: &str) -> Result<Option<u64>, String> {
        let Some(token) = self.text(name)? else {
            return Ok(None);
        };
        // Clients without integers write 3.0.
        let token = token.trim();
        let digits = token.strip_suffix(".0").unwrap_or(token);
        digits.parse().map(Some).map_err(|_| {
            let token: String = token.chars().take(40).collect();
            format!("argument `{name}`: found {token:?}, expected a whole number from 0")
        })
    }

    /// A list of texts, which may come as JSON text, or as one text that stands for itself; empty where there is nothing.
    ///
    /// # Errors
    /// Where it, or an item of it, is something else.
    pub(crate) fn texts(&mut self, name: &str) -> Result<Vec<String>, String> {
        if let Some(Value::String(text)) = self.0.get(name)
            && text.trim_start().starts_with('[')
            && let Ok(list @ Value::Array(_)) = serde_json::from_str(text)
        {
            self.0.insert(name.to_owned(), list);
        }
        let Some(Value::Array(items)) = self.0.get_mut(name) else {
            return Ok(self.text(name)?.into_iter().collect());
        };
        let items = std::mem::take(items);
        self.0.remove(name);
        let mut texts = Vec::with_capacity(items.len());
        for item in items {
            match item {
                Value::String(text) if text.trim().is_empty() => {}
                Value::String(text) => texts.push(text),
                Value::Number(number) => texts.push(number.to_string()),
                other => return Err(format!("argument `{name}`: found {} in it, expected texts", shown(&other))),
            }
        }
        Ok(texts)
    }

    /// The names of the arguments that nobody read.
    pub(crate) fn unread(self) -> Vec<String> {
        self.0
            .into_iter()
            .map(|(name, _)| name.chars().take(60).collect())
            .collect()
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => format!("the number {number}"),
        Value::String(_) => "a text".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
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
        check("{}", Err("found an object, expected a text"));
    }
}
