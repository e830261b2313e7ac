//! Names that differ by a letter or two: what was probably meant by a name that is not there.

/// The longest name, in characters, that is compared letter by letter. Longer ones are phrases, and the time of a
/// comparison grows with the length.
const LONGEST: usize = 40;

/// How many different names are to be compared letter by letter with all others. A text of nothing but unknown names
/// would else take quadratic time.
pub const TRIES: usize = 20;

/// How many names each of those is to be compared with.
pub const COMPARED: usize = 20_000;

/// How near two names are: 0 when they are equal, else the letters to insert, remove, replace or swap with the next;
/// none where they are too far apart to be a misspelling. `allowed` says how many edits that is, given both names.
///
/// Names whose digits differ are no misspellings of each other. Fold the names first.
pub fn distance(a: &str, b: &str, allowed: impl Fn(&[char], &[char]) -> usize) -> Option<usize> {
    if a == b {
        return Some(0);
    }
    let (mut x, mut y) = (['\0'; LONGEST], ['\0'; LONGEST]);
    let (x, y) = (letters(a, &mut x)?, letters(b, &mut y)?);
    let most = allowed(x, y);
    let digits = |name: &'_ [char]| -> Vec<char> { name.iter().copied().filter(|c| c.is_numeric()).collect() };
    if most == 0 || digits(x) != digits(y) {
        return None;
    }
    edits(x, y, most)
}

/// The one of `others` (folded, as written) that is nearest to `folded`; none where none is near or two are equally.
pub fn nearest<'n>(
    folded: &str,
    others: impl IntoIterator<Item = (impl AsRef<str>, &'n str)>,
    allowed: impl Fn(&[char], &[char]) -> usize,
) -> Option<&'n str> {
    let mut best = usize::MAX;
    let mut found = None;
    for (other, name) in others {
        let other = other.as_ref();
        // Two edits change at most eight bytes.
        if folded.len().abs_diff(other.len()) <= 8
            && let Some(edits) = distance(folded, other, &allowed)
        {
            if edits < best {
                best = edits;
                found = Some(name);
            } else if edits == best {
                found = None;
            }
        }
    }
    found
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(a: &str, b: &str, expected: Option<usize>) {
        assert_eq!(distance(a, b, |_, _| 2), expected, "{a} {b}");
        assert_eq!(distance(b, a, |_, _| 2), expected, "{b} {a}");
    }

    #[test]
    fn distances() {
        check("tub", "tub", Some(0));
        check("tub_watre", "tub_water", Some(1));
        check("tob_watar", "tub_water", Some(2));
        check("tob_wotar", "tub_water", None);
        check("stock_1", "stock_2", None);
        check("stock_1", "stock1", Some(1));
        check("潜在用户数", "潜在用户书", Some(1));
        check(&"a".repeat(40), &"a".repeat(39), Some(1));
        check(&"a".repeat(41), &"a".repeat(40), None);
        assert_eq!(distance("tub", "tube", |_, _| 0), None);
    }

    #[test]
    fn the_one_nearest_is_found() {
        let names = ["tub_water", "tub_wader", "car_one"].map(|name| (name, name));
        let find = |name| nearest(name, names, |_, _| 2);
        assert_eq!(find("tub_watr"), Some("tub_water"));
        assert_eq!(find("tub_waer"), None);
        assert_eq!(find("moon"), None);
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
    }
}
