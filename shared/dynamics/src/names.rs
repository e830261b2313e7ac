//! Names: how they are compared, found, and what was probably meant by one that is not there.

use crate::ast::{Dialect, Name};
use crate::builtins;
use foldhash::fast::RandomState;
use meadow_model::near::{self, COMPARED, TRIES};
use std::borrow::Cow;
use std::collections::HashMap;

/// True for what counts as a blank inside a name: space, no-break space, underscore, control characters.
fn is_joint(c: char) -> bool {
    matches!(c, '_' | ' ' | '\u{a0}') || c.is_control()
}

/// The form in which names are compared: each run of blanks, underscores, no-break spaces and control characters is
/// one `_`, none at the ends, in lower case (all of Unicode, no locale). Other spaces and full-width letters stay.
pub fn fold(name: &str) -> Cow<'_, str> {
    // A joint at the start or after another joint goes.
    let mut joint = true;
    let folded = name.bytes().all(|b| match b {
        b'_' => !std::mem::replace(&mut joint, true),
        b'A'..=b'Z' | b' ' | 0x00..0x20 | 0x7f.. => false,
        _ => {
            joint = false;
            true
        }
    });
    if folded && !joint {
        return Cow::Borrowed(name);
    }
    let mut out = String::with_capacity(name.len());
    for word in name.split(is_joint).filter(|word| !word.is_empty()) {
        if !out.is_empty() {
            out.push('_');
        }
        out.push_str(word);
    }
    if out.is_ascii() {
        out.make_ascii_lowercase();
        Cow::Owned(out)
    } else {
        Cow::Owned(out.to_lowercase())
    }
}

/// `text` as a name.
pub fn name(text: String) -> Name {
    let folded = fold(&text).into_owned();
    Name { text, folded }
}

/// Resolves the escapes `\n`, `\"` and `\\`; other backslashes stay.
pub fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, chars.as_str().bytes().next()) {
            ('\\', Some(b'n')) => out.push('\n'),
            ('\\', Some(b'"')) => out.push('"'),
            ('\\', Some(b'\\')) => out.push('\\'),
            _ => {
                out.push(c);
                continue;
            }
        }
        chars.next();
    }
    Cow::Owned(out)
}

/// A name as files write it outside equations (`name="..."`, `<inflow>...</inflow>`): blanks around it, quotes around
/// it, and escapes, are resolved. A line end within it, which only says how its label is drawn, is a blank.
pub fn identifier(text: &str) -> String {
    let text = text.trim_matches(|c: char| c != '_' && is_joint(c));
    let inner = text.strip_prefix('"').and_then(|t| t.strip_suffix('"'));
    unescape(inner.unwrap_or(text))
        .replace(char::is_control, " ")
        .trim_matches(' ')
        .to_owned()
}

/// What XMILE has against a declared name; none where it is a good one.
pub fn objection(name: &str, dialect: Dialect) -> Option<String> {
    let folded = fold(name);
    if folded.is_empty() {
        return Some("the name is empty: give it one".to_owned());
    }
    if dialect == Dialect::Xmile {
        if name.starts_with('_') || name.ends_with('_') {
            return Some("a name must not begin or end with `_` in XMILE: remove it".to_owned());
        }
        if KEYWORDS.contains(&&*folded) {
            return Some(
                "the name is a keyword of XMILE: choose another, or write it in quotes in equations".to_owned(),
            );
        }
    }
    let entry = builtins::lookup(&folded, dialect)?;
    Some(format!(
        "the name is also that of a builtin, {}: choose another; without parentheses it is read as this variable",
        entry.usage
    ))
}

/// Words that are operators.
const KEYWORDS: [&str; 7] = ["and", "or", "not", "mod", "if", "then", "else"];

/// Declared names by their place, found exactly as written or, failing that, by their fold.
#[derive(Debug, Default)]
pub struct Names<'m> {
    all: Vec<&'m str>,
    exact: HashMap<&'m str, usize, RandomState>,
    folded: HashMap<Cow<'m, str>, usize, RandomState>,
}

impl<'m> Names<'m> {
    /// The index of `names`; a name's place is its position.
    pub fn new(names: impl IntoIterator<Item = &'m str>) -> Self {
        let names = names.into_iter();
        let (least, most) = names.size_hint();
        let count = most.unwrap_or(least);
        let mut index = Self {
            all: Vec::with_capacity(count),
            exact: HashMap::with_capacity_and_hasher(count, RandomState::default()),
            folded: HashMap::with_capacity_and_hasher(count, RandomState::default()),
        };
        for name in names {
            index.insert(name);
        }
        index
    }

    /// Adds a name at the next place. Answers the place of the first earlier name that folds alike: a duplicate.
    pub fn insert(&mut self, name: &'m str) -> Option<usize> {
        let place = self.all.len();
        self.all.push(name);
        self.exact.entry(name).or_insert(place);
        let first = *self.folded.entry(fold(name)).or_insert(place);
        (first != place).then_some(first)
    }

    /// The place of `name`: of the first that is written exactly so, else of the first that folds alike.
    pub fn find(&self, name: &Name) -> Option<usize> {
        let exact = self.exact.get(name.text.as_str());
        exact.or_else(|| self.folded.get(name.folded.as_str())).copied()
    }

    /// The place of the name written as `text`: see [`Names::find`].
    pub fn find_text(&self, text: &str) -> Option<usize> {
        let exact = self.exact.get(text);
        exact.or_else(|| self.folded.get(&*fold(text))).copied()
    }

    /// The names in the order of their places.
    pub fn all(&self) -> &[&'m str] {
        &self.all
    }

    /// Looks for what was meant by names that are not there.
    pub fn suggestions(&self) -> Suggestions<'m> {
        let names = self.all.iter().take(COMPARED);
        Suggestions {
            names: names.map(|name| (fold(name), *name)).collect(),
            tries: TRIES,
        }
    }
}

/// Finds what was meant by a name that is not there. Only the first 20 questions are answered.
#[derive(Debug)]
pub struct Suggestions<'m> {
    names: Vec<(Cow<'m, str>, &'m str)>,
    tries: usize,
}

impl<'m> Suggestions<'m> {
    /// The one declared name that differs from `name` by a letter or two; none where there is none, or two are
    /// equally near.
    pub fn find(&mut self, name: &Name) -> Option<&'m str> {
        self.tries = self.tries.checked_sub(1)?;
        let names = self.names.iter();
        nearest(&name.folded, names.map(|(fold, name)| (fold, *name)))
    }
}

/// The one of `others` (folded, as written) that is nearest to `folded`; none where none is near or two are equally.
pub fn nearest<'n>(folded: &str, others: impl Iterator<Item = (impl AsRef<str>, &'n str)>) -> Option<&'n str> {
    near::nearest(folded, others, |a, b| match a.len().min(b.len()) {
        0..=2 => 0,
        3..=6 => 1,
        _ => 2,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn folds(name: &str, expected: &str) {
        assert_eq!(fold(name), expected);
    }

    #[test]
    fn blanks_underscores_and_case_do_not_matter() {
        folds("birth_rate", "birth_rate");
        folds("Birth  Rate", "birth_rate");
        folds("Total\nDemand", "total_demand");
        folds(" _a\u{a0}\r\n\t_b_ ", "a_b");
        folds("in__flow", "in_flow");
        folds("人口 率", "人口_率");
        folds("ÉTÉ", "été");
        folds("ΛΟΓΟΣ", "λογος");
        folds("İ", "i\u{307}");
        folds("a-b", "a-b");
        folds("__", "");
        folds("", "");
    }

    #[test]
    fn other_spaces_and_full_width_letters_are_not_the_plain_ones() {
        folds("a\u{2002}b", "a\u{2002}b");
        folds("a\u{2003}b", "a\u{2003}b");
        folds("Ａ", "ａ");
        folds("１", "１");
    }

    #[test]
    fn escapes_and_quotes_of_files() {
        for (text, expected) in [
            ("Total\\nDemand", "Total Demand"),
            ("\\na \\n", "a"),
            ("a \\\"quoted\\\" name", "a \"quoted\" name"),
            ("\"in flow\"", "in flow"),
            ("  in_flow\n", "in_flow"),
            ("_a", "_a"),
            ("c:\\dir\\\\x", "c:\\dir\\x"),
            ("\\", "\\"),
            ("\"", "\""),
        ] {
            assert_eq!(identifier(text), expected);
        }
    }

    #[test]
    fn exactly_written_names_win_over_folded_ones() {
        let mut names = Names::new(["Birth Rate", "birth_rate", "水 位"]);
        let find = |names: &Names<'_>, text: &str| names.find(&name(text.to_owned()));
        assert_eq!(find(&names, "birth_rate"), Some(1));
        assert_eq!(find(&names, "BIRTH RATE"), Some(0));
        assert_eq!(find(&names, "水_位"), Some(2));
        assert_eq!(find(&names, "deaths"), None);
        assert_eq!(names.find_text("Birth\nRate"), Some(0));
        assert_eq!(names.insert("BIRTH__RATE"), Some(0));
        assert_eq!(names.insert("deaths"), None);
        assert_eq!(names.all().len(), 5);
    }

    #[test]
    fn the_one_nearest_name_is_suggested() {
        let names = Names::new([
            "Tub Water",
            "tub_level",
            "car_one",
            "car_two",
            "sale_in",
            "sale_on",
            "rate_1",
            "rate_2",
        ]);
        for (wanted, expected) in [
            ("tub_watr", Some("Tub Water")),
            ("tub wtaer", Some("Tub Water")),
            ("tub_levle", Some("tub_level")),
            ("moon", None),
            ("rate_3", None),
            ("car_owo", Some("car_two")),
            ("sale_n", None),
        ] {
            let found = names.suggestions().find(&name(wanted.to_owned()));
            assert_eq!(found, expected, "{wanted}");
        }
    }

    #[test]
    fn suggestions_are_bounded() {
        let all: Vec<_> = (0..100).map(|i| format!("name_{}", "x".repeat(i))).collect();
        let names = Names::new(all.iter().map(String::as_str));
        let mut suggestions = names.suggestions();
        let wanted = name("nam_xxxxxxxxxx".to_owned());
        let found: Vec<_> = (0..30).map(|_| suggestions.find(&wanted).is_some()).collect();
        assert_eq!(found, (0..30).map(|i| i < TRIES).collect::<Vec<_>>());
        let long = name("y".repeat(100_000));
        assert_eq!(names.suggestions().find(&long), None);
    }

    #[test]
    fn bad_names_are_told() {
        for (name, expected) in [
            ("births", None),
            ("_births", Some("must not begin or end")),
            ("AND", Some("keyword")),
            ("max", Some("MAX(a, b, ...)")),
            ("std.pi", Some("PI")),
            (" ", Some("empty")),
        ] {
            let found = objection(name, Dialect::Xmile);
            match expected {
                None => assert_eq!(found, None, "{name}"),
                Some(part) => assert!(found.as_ref().is_some_and(|text| text.contains(part)), "{found:?}"),
            }
        }
    }

    proptest! {
        #[test]
        fn a_fold_stays(name in "[ _A-zÀ-ÿΑ-ω\u{a0}\u{2003}水\n]{0,12}") {
            let folded = fold(&name).into_owned();
            let again = fold(&folded).into_owned();
            prop_assert_eq!(again, folded);
        }
    }
}
