//! Names that are nearly equal: equal after folding, or a letter or two apart.

use foldhash::fast::RandomState;
use meadow_model::near::{self, COMPARED, TRIES};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

/// True for what a fold makes one underscore of.
fn is_joint(c: char) -> bool {
    matches!(c, '_' | '-' | ' ' | '\u{a0}' | '\n' | '\r' | '\t')
}

/// True for scripts without upper and lower case: CJK, kana and Hangul, without asking the tables of Unicode.
fn is_caseless(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}')
}

/// True when folding changes nothing.
pub(crate) fn is_folded(name: &str) -> bool {
    // A joint at the start or after another joint would go.
    let mut joint = true;
    for b in name.bytes() {
        match b {
            b'_' if joint => return false,
            b'_' => joint = true,
            b'A'..=b'Z' | b'-' | b' ' | b'\n' | b'\r' | b'\t' => return false,
            0x80.. => return is_folded_slowly(name),
            _ => joint = false,
        }
    }
    !joint
}

fn is_folded_slowly(name: &str) -> bool {
    let mut joint = true;
    for c in name.chars() {
        match c {
            '_' if joint => return false,
            '_' => joint = true,
            c if is_caseless(c) => joint = false,
            c if is_joint(c) || !c.to_lowercase().eq([c]) => return false,
            _ => joint = false,
        }
    }
    !joint
}

/// Appends `name`, folded, to `out`: lower case, each run of blanks, underscores and hyphens one underscore, none at
/// the ends.
pub(crate) fn fold_into(name: &str, out: &mut String) {
    let start = out.len();
    let mut joint = false;
    for c in name.chars() {
        if is_joint(c) {
            joint = true;
            continue;
        }
        if joint && out.len() > start {
            out.push('_');
        }
        joint = false;
        if c.is_ascii() {
            out.push(c.to_ascii_lowercase());
        } else if is_caseless(c) {
            out.push(c);
        } else {
            out.extend(c.to_lowercase());
        }
    }
}

/// `name`, folded.
pub(crate) fn fold(name: &str) -> Cow<'_, str> {
    if is_folded(name) {
        return Cow::Borrowed(name);
    }
    let mut out = String::with_capacity(name.len());
    fold_into(name, &mut out);
    Cow::Owned(out)
}

/// How many edits make a misspelling of one of these names into the other.
fn allowed(a: &[char], b: &[char]) -> usize {
    let sorted = |name: &[char]| {
        let mut letters = name.to_vec();
        letters.sort_unstable();
        letters
    };
    match a.len().min(b.len()) {
        0..=3 => 0,
        // Short words with one letter replaced are other words: stop and step, boat and goat.
        4 if a.len() == b.len() && sorted(a) != sorted(b) => 0,
        4..=6 => 1,
        _ => 2,
    }
}

/// True when `name` is probably meant as the member `member`.
pub(crate) fn is_misspelling(name: &str, member: &str) -> bool {
    // A fold may be shorter by the joints at its ends, but then the names differ in more than a letter.
    name.len().abs_diff(member.len()) <= 4 && near::distance(&fold(name), member, allowed).is_some()
}

/// The first of `names` that is probably meant as `member`. Only the first hundred are looked at.
pub(crate) fn misspelt<'n>(names: &'n [Cow<'_, str>], member: &str) -> Option<&'n str> {
    let mut names = names.iter().take(100).map(|name| &**name);
    names.find(|name| is_misspelling(name, member))
}

/// The names in which a near miss is looked for.
pub(crate) struct Near<'d> {
    /// By fold; none where two names fold alike.
    folded: HashMap<Cow<'d, str>, Option<&'d str>, RandomState>,
    /// The first names with their folds.
    names: Vec<(Cow<'d, str>, &'d str)>,
    /// What was found before.
    known: RefCell<HashMap<&'d str, Option<&'d str>, RandomState>>,
    /// Names that may still be compared letter by letter.
    tries: Cell<usize>,
}

impl<'d> Near<'d> {
    /// Looks in `names`, each of which comes once.
    pub(crate) fn new(names: impl Iterator<Item = &'d str>) -> Self {
        let mut near = Self {
            folded: HashMap::default(),
            names: Vec::new(),
            known: RefCell::default(),
            tries: Cell::new(TRIES),
        };
        for name in names {
            let fold = fold(name);
            if near.names.len() < COMPARED {
                near.names.push((fold.clone(), name));
            }
            near.folded
                .entry(fold)
                .and_modify(|one| *one = None)
                .or_insert(Some(name));
        }
        near
    }

    /// The one name that `name` most probably means; none where there is none, or two are equally near.
    pub(crate) fn find(&self, name: &'d str) -> Option<&'d str> {
        if let Some(found) = self.known.borrow().get(name) {
            return *found;
        }
        let fold = fold(name);
        let found = match self.folded.get(&fold) {
            Some(found) => *found,
            None => self.nearest(&fold),
        };
        self.known.borrow_mut().insert(name, found);
        found
    }

    fn nearest(&self, fold: &str) -> Option<&'d str> {
        self.tries.set(self.tries.get().checked_sub(1)?);
        let names = self.names.iter().map(|(fold, name)| (fold, *name));
        near::nearest(fold, names, allowed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn folds(name: &str, expected: &str) {
        assert_eq!(fold(name), expected);
        assert_eq!(is_folded(name), name == expected, "{name}");
    }

    #[test]
    fn folding() {
        folds("tub_water", "tub_water");
        folds(" Tub--Water\u{a0}", "tub_water");
        folds("tub__water", "tub_water");
        folds("_tub", "tub");
        folds("水_位", "水_位");
        folds("水 位", "水_位");
        folds("ÜBER Maß", "über_maß");
        folds("über", "über");
        folds("--", "");
        folds("１", "１");
    }

    #[track_caller]
    fn apart(a: &str, b: &str, expected: Option<usize>) {
        assert_eq!(near::distance(a, b, allowed), expected, "{a} {b}");
        assert_eq!(near::distance(b, a, allowed), expected, "{b} {a}");
    }

    #[test]
    fn distances() {
        apart("tub_water", "tub_water", Some(0));
        apart("tub_watre", "tub_water", Some(1));
        apart("tub_wter", "tub_water", Some(1));
        apart("tub_watter", "tub_water", Some(1));
        apart("tob_watar", "tub_water", Some(2));
        apart("tob_wotar", "tub_water", None);
        apart("unit", "unitt", Some(1));
        apart("form", "from", Some(1));
        apart("to", "too", None);
        apart("stop", "step", None);
        apart("潜在用户", "潜在客户", None);
        apart("cat", "car", None);
        apart("stock_1", "stock_2", None);
        apart("stock_1", "stock1", Some(1));
        apart(&"a".repeat(40), &"a".repeat(39), Some(1));
        apart(&"a".repeat(41), &"a".repeat(40), None);
        apart("潜在用户数", "潜在用户书", Some(1));
    }

    #[test]
    fn misspelt_members() {
        let names = ["colour", "step", "fromStock", "from_stok", "ID"].map(Cow::Borrowed);
        assert_eq!(misspelt(&names, "from_stock"), Some("fromStock"));
        assert_eq!(misspelt(&names, "id"), Some("ID"));
        assert_eq!(misspelt(&names, "stop"), None);
    }

    #[test]
    fn the_one_nearest_name_is_found() {
        let near = Near::new(["tub_water", "Tub Wader", "car_one", "car_two", "A b", "a_b"].into_iter());
        for (name, expected) in [
            ("TUB WATER", Some("tub_water")),
            ("tub_watr", Some("tub_water")),
            ("tub_wader", Some("Tub Wader")),
            ("tub_waer", None),
            ("a-b", None),
            ("moon", None),
        ] {
            assert_eq!(near.find(name), expected, "{name}");
            assert_eq!(near.find(name), expected, "{name} again");
        }
    }

    #[test]
    fn only_the_first_are_compared_letter_by_letter() {
        let names: Vec<_> = (b'a'..=b'z')
            .map(|c| format!("tub_water_{}", char::from(c).to_string().repeat(8)))
            .collect();
        let near = Near::new(names.iter().map(String::as_str));
        let asked: Vec<_> = names.iter().map(|n| n.replace("water", "watr")).collect();
        let found: Vec<_> = asked.iter().map(|n| near.find(n).is_some()).collect();
        assert_eq!(found, (0..26).map(|i| i < TRIES).collect::<Vec<_>>());
        assert_eq!(near.find("TUB WATER ZZZZZZZZ"), Some("tub_water_zzzzzzzz"));
    }

    proptest! {
        #[test]
        fn a_fold_stays(name in "\\PC{0,12}") {
            let folded = fold(&name).into_owned();
            let again = fold(&folded);
            prop_assert_eq!(&*again, &folded);
        }
    }
}
