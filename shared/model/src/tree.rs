//! A JSON text as values, for comparisons. Numbers keep their tokens.

use crate::json::{Kind, Reader, Stop};
use crate::pointer::Path;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A JSON value.
#[derive(Debug, Clone)]
pub(crate) enum Tree<'a> {
    Null,
    Bool(bool),
    /// A number as it is written.
    Number(&'a str),
    Text(Cow<'a, str>),
    List(Vec<Tree<'a>>),
    Object(Vec<(Cow<'a, str>, Tree<'a>)>),
}

/// The values of a text; none where it is no JSON, or nested deeper than a document may be.
pub(crate) fn tree(text: &str) -> Option<Tree<'_>> {
    let mut reader = Reader::new(text);
    let tree = read(&mut reader, &Path::Root).ok()?;
    reader.end().ok().map(|()| tree)
}

fn read<'a>(reader: &mut Reader<'a>, path: &Path<'_>) -> Result<Tree<'a>, Stop> {
    Ok(match reader.peek()? {
        Kind::Null => {
            reader.null()?;
            Tree::Null
        }
        Kind::Bool => Tree::Bool(reader.bool()?),
        Kind::Number => Tree::Number(reader.number(path)?.0),
        Kind::String => Tree::Text(reader.string(path)?),
        Kind::Array => {
            let mut items = Vec::new();
            reader.array(path, |reader, path| {
                items.push(read(reader, path)?);
                Ok(())
            })?;
            Tree::List(items)
        }
        Kind::Object => {
            let mut members = Vec::new();
            reader.object(path, |reader, name| {
                let value = read(reader, path)?;
                members.push((name, value));
                Ok(())
            })?;
            Tree::Object(members)
        }
    })
}

impl<'a> Tree<'a> {
    /// The member of this name.
    pub(crate) fn member(&self, name: &str) -> Option<&Self> {
        let Self::Object(members) = self else {
            return None;
        };
        members.iter().find(|(own, _)| own == name).map(|(_, value)| value)
    }

    /// What a text says, or a number as it is written.
    pub(crate) fn token(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Number(token) => Some(token),
            _ => None,
        }
    }

    /// Whether both are the same value (RFC 6902 section 4.6): numbers by what they are worth, members in any order.
    pub(crate) fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Number(a), Self::Number(b)) => a == b || Decimal::of(a) == Decimal::of(b),
            (Self::Text(a), Self::Text(b)) => a == b,
            (Self::List(a), Self::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is(b)),
            (Self::Object(a), Self::Object(b)) => {
                a.len() == b.len() && {
                    let others: BTreeMap<&str, &Tree<'_>> = b.iter().map(|(name, value)| (&**name, value)).collect();
                    a.iter()
                        .all(|(name, value)| others.get(&**name).is_some_and(|other| value.is(other)))
                }
            }
            _ => false,
        }
    }

    /// The value as a text that is the same for all that are [`Self::is`] the same.
    pub(crate) fn canonical(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, true);
        out
    }

    /// The value on one line.
    pub(crate) fn compact(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, false);
        out
    }

    fn write(&self, out: &mut String, canonical: bool) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Self::Number(token) if canonical => {
                let Decimal { negative, digits, tens } = Decimal::of(token);
                let sign = if negative { "-" } else { "" };
                out.push_str(&format!("{sign}{digits}e{tens}"));
            }
            Self::Number(token) => out.push_str(token),
            Self::Text(text) => out.push_str(&quoted(text)),
            Self::List(items) => {
                out.push('[');
                for (n, item) in items.iter().enumerate() {
                    if n > 0 {
                        out.push(',');
                    }
                    item.write(out, canonical);
                }
                out.push(']');
            }
            Self::Object(members) => {
                let mut sorted: Vec<_> = members.iter().collect();
                if canonical {
                    sorted.sort_by(|a, b| a.0.cmp(&b.0));
                }
                out.push('{');
                for (n, (name, value)) in sorted.into_iter().enumerate() {
                    if n > 0 {
                        out.push(',');
                    }
                    out.push_str(&quoted(name));
                    out.push(':');
                    value.write(out, canonical);
                }
                out.push('}');
            }
        }
    }
}

/// A text as JSON has it.
pub(crate) fn quoted(text: &str) -> String {
    // Texts always have a JSON form.
    serde_json::to_string(text).unwrap_or_default()
}

/// What a number token is worth, exactly: these digits times ten to this power.
#[derive(Debug, PartialEq, Eq)]
struct Decimal {
    negative: bool,
    /// Without zeros at either end; empty for zero.
    digits: String,
    tens: i64,
}

impl Decimal {
    fn of(token: &str) -> Self {
        let (negative, token) = match token.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, token),
        };
        let (mantissa, power) = token.split_once(['e', 'E']).unwrap_or((token, "0"));
        let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let power: i64 = power
            .parse()
            .unwrap_or(if power.starts_with('-') { i64::MIN } else { i64::MAX });
        let digits = format!("{whole}{part}");
        let digits = digits.trim_start_matches('0');
        let short = digits.trim_end_matches('0');
        if short.is_empty() {
            return Self {
                negative: false,
                digits: String::new(),
                tens: 0,
            };
        }
        let length = |text: &str| i64::try_from(text.len()).unwrap_or(i64::MAX);
        Self {
            negative,
            digits: short.to_owned(),
            tens: power
                .saturating_sub(length(part))
                .saturating_add(length(digits) - length(short)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_compared_by_what_they_mean() {
        #[track_caller]
        fn check(a: &str, b: &str, same: bool) {
            let (x, y) = (tree(a).unwrap(), tree(b).unwrap());
            assert_eq!((x.is(&y), y.is(&x)), (same, same), "{a} {b}");
            assert_eq!(x.canonical() == y.canonical(), same, "{a} {b}");
        }
        check("1", "1.0", true);
        check("100", "1E+2", true);
        check("-0", "0.00e7", true);
        check("0.010", "1e-2", true);
        check("9007199254740993", "9007199254740992", false);
        check("1", "-1", false);
        check("1", "\"1\"", false);
        check("1e99999999999999999999", "1e-99999999999999999999", false);
        check("\"\\u00e9\"", "\"é\"", true);
        check("\"e\\u0301\"", "\"é\"", false);
        check(r#"{"a":1,"b":[true,null]}"#, r#"{ "b":[true, null], "a":1.0 }"#, true);
        check(r#"{"a":1}"#, r#"{"a":1,"b":null}"#, false);
        check("[1,2]", "[2,1]", false);
        check("null", "false", false);
        check("[]", "{}", false);
    }
}
