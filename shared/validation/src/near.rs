//! Names that are nearly equal: equal after folding, or a letter or two apart.

use foldhash::fast::RandomState;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

/// The longest name, in characters, that is compared letter by letter. Longer ones are phrases, and the time of a
/// comparison grows with the length.
const LONGEST: usize = 40;

/// How many different names are compared letter by letter with all others. A document of nothing but unknown names
/// would else take quadratic time.
const TRIES: usize = 20;

/// How many names each of those is compared with.
const COMPARED: usize = 20_000;

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

/// How near two names are, by their folds: 0 when those are equal, else the letters to insert, remove, replace or
/// swap with the next; none where they are too far apart to be a misspelling. Names whose digits differ are no
/// misspellings of each other.
pub(crate) fn distance(a: &str, b: &str) -> Option<usize> {
    if a == b {
        return Some(0);
    }
    let (mut x, mut y) = (['\0'; LONGEST], ['\0'; LONGEST]);
    let (x, y) = (letters(a, &mut x)?, letters(b, &mut y)?);
    let sorted = |name: &[char]| {
        let mut letters = name.to_vec();
        letters.sort_unstable();
        letters
    };
    let most = match x.len().min(y.len()) {
        0..=3 => return None,
        // Short words with one letter replaced are other words: stop and step, boat and goat.
        4 if x.len() == y.len() && sorted(x) != sorted(y) => return None,
        4..=6 => 1,
        _ => 2,
    };
    let same_digits = x
        .iter()
        .filter(|c| c.is_numeric())
        .eq(y.iter().filter(|c| c.is_numeric()));
    if same_digits { edits(x, y, most) } else { None }
}

/// True when `name` is probably meant as the member `member`.
pub(crate) fn is_misspelling(name: &str, member: &str) -> bool {
    // A fold may be shorter by the joints at its ends, but then the names differ in more than a letter.
    name.len().abs_diff(member.len()) <= 4 && distance(&fold(name), member).is_some()
}

/// The first of `names` that is probably meant as `member`. Only the first hundred are looked at.
pub(crate) fn misspelt<'n>(names: &'n [Cow<'_, str>], member: &str) -> Option<&'n str> {
    let mut names = names.iter().take(100).map(|name| &**name);
    names.find(|name| is_misspelling(name, member))
}

/// The characters of `name`, where they are few enough.
fn letters<'b>(name: &str, buffer: &'b mut [char; LONGEST]) -> Option<&'b [char]> {
    let mut length = 0;
    for c in name.chars() {
        *buffer.get_mut(length)? = c;
        length += 1;
    }
    Some(&buffer[..length])
}

/// The edits that turn `a` into `b`, where they are at most `most`: the optimal string alignment distance.
///
/// What is equal at both ends is passed over; at the first difference each kind of edit is tried. With at most two
/// edits that is 21 short looks, and most names are told apart by the first few.
fn edits(a: &[char], b: &[char], most: usize) -> Option<usize> {
    let same = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[same..], &b[same..]);
    let same = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[..a.len() - same], &b[..b.len() - same]);
    if a.len().abs_diff(b.len()) > most {
        return None;
    }
    if a.is_empty() || b.is_empty() {
        return Some(a.len() + b.len());
    }
    let fewer = most.checked_sub(1)?;
    let swapped = a.len() > 1 && b.len() > 1 && a[0] == b[1] && a[1] == b[0];
    let rests = [(1, 1), (1, 0), (0, 1), (2, 2)];
    let rests = &rests[..if swapped { 4 } else { 3 }];
    rests
        .iter()
        .filter_map(|(i, j)| edits(&a[*i..], &b[*j..], fewer))
        .min()
        .map(|edits| edits + 1)
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
        let mut best = usize::MAX;
        let mut found = None;
        for (other, name) in &self.names {
            // Two edits change at most eight bytes.
            if fold.len().abs_diff(other.len()) <= 8
                && let Some(edits) = distance(fold, other)
            {
                if edits < best {
                    best = edits;
                    found = Some(*name);
                } else if edits == best {
                    found = None;
                }
            }
        }
        found
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
        assert_eq!(distance(a, b), expected, "{a} {b}");
        assert_eq!(distance(b, a), expected, "{b} {a}");
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

    /// The textbook table.
    fn all_edits(a: &[char], b: &[char]) -> usize {
        let mut t = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                t[i][j] = if i == 0 || j == 0 {
                    i + j
                } else {
                    let mut cell = (t[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]))
                        .min(t[i - 1][j] + 1)
                        .min(t[i][j - 1] + 1);
                    if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                        cell = cell.min(t[i - 2][j - 2] + 1);
                    }
                    cell
                };
            }
        }
        t[a.len()][b.len()]
    }

    proptest! {
        #[test]
        fn small_distances_are_those_of_the_textbook(a in "[abc]{0,9}", b in "[abc]{0,9}", most in 0usize..4) {
            let (a, b): (Vec<_>, Vec<_>) = (a.chars().collect(), b.chars().collect());
            let all = all_edits(&a, &b);
            prop_assert_eq!(edits(&a, &b, most), (all <= most).then_some(all));
        }

        #[test]
        fn a_fold_stays(name in "\\PC{0,12}") {
            let folded = fold(&name).into_owned();
            let again = fold(&folded);
            prop_assert_eq!(&*again, &folded);
        }
    }
}
