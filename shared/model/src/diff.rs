//! What is different between two texts of a model, for people: by ids where items have some.

use crate::tree::{Tree, quoted, tree};
use std::collections::BTreeMap;

/// Characters of a value that a line shows.
const SHOWN: usize = 160;

/// The differences, a line each that begins with the path; ids stand in it for numbers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Diff {
    /// `/stocks/tub: {"id":"tub"}`.
    pub added: Vec<String>,
    /// The same.
    pub removed: Vec<String>,
    /// `/stocks/tub/unit: "l" -> "m3"`.
    pub changed: Vec<String>,
}

/// What makes `after` of `before`; none where one of them is no JSON. Blanks, the order of members and how a number is
/// written make no difference.
#[must_use]
pub fn diff(before: &str, after: &str) -> Option<Diff> {
    let (before, after) = (tree(before)?, tree(after)?);
    let mut diff = Diff::default();
    diff.compare("", &before, &after);
    Some(diff)
}

impl Diff {
    fn compare(&mut self, path: &str, before: &Tree<'_>, after: &Tree<'_>) {
        if before.is(after) {
            return;
        }
        match (before, after) {
            (Tree::Object(_), Tree::Object(_)) => self.objects(path, before, after),
            (Tree::List(a), Tree::List(b)) => match (by_id(a), by_id(b)) {
                (Some(a), Some(b)) => self.named(path, &a, &b),
                _ if a.iter().chain(b).all(|item| matches!(item, Tree::Text(_))) => self.unnamed(path, a, b, false),
                _ if a.iter().chain(b).all(|item| matches!(item, Tree::Object(_))) => self.unnamed(path, a, b, true),
                _ => self.changed(path, before, after),
            },
            _ => self.changed(path, before, after),
        }
    }

    fn changed(&mut self, path: &str, before: &Tree<'_>, after: &Tree<'_>) {
        let place = if path.is_empty() { "the document" } else { path };
        self.changed
            .push(format!("{place}: {} -> {}", shown(before), shown(after)));
    }

    fn objects(&mut self, path: &str, before: &Tree<'_>, after: &Tree<'_>) {
        let (Tree::Object(a), Tree::Object(b)) = (before, after) else {
            return;
        };
        let table = |members: &[(std::borrow::Cow<'_, str>, Tree<'_>)]| -> BTreeMap<String, usize> {
            members
                .iter()
                .enumerate()
                .map(|(n, (name, _))| (name.to_string(), n))
                .collect()
        };
        let (in_a, in_b) = (table(a), table(b));
        for (name, value) in a {
            let path = below(path, name);
            match in_b.get(&**name).and_then(|n| b.get(*n)) {
                Some((_, other)) => self.compare(&path, value, other),
                None => self.removed.push(line(&path, value)),
            }
        }
        for (name, value) in b.iter().filter(|(name, _)| !in_a.contains_key(&**name)) {
            self.added.push(line(&below(path, name), value));
        }
    }

    /// Items that have ids, each its own.
    fn named(&mut self, path: &str, before: &[(&str, &Tree<'_>)], after: &[(&str, &Tree<'_>)]) {
        let (in_a, in_b): (BTreeMap<_, _>, BTreeMap<_, _>) =
            (before.iter().copied().collect(), after.iter().copied().collect());
        for (id, item) in before {
            match in_b.get(id) {
                Some(other) => self.compare(&below(path, id), item, other),
                None => self.removed.push(line(&below(path, id), item)),
            }
        }
        for (id, item) in after.iter().filter(|(id, _)| !in_a.contains_key(id)) {
            self.added.push(line(&below(path, id), item));
        }
        let stayed = |all: &[(&str, &Tree<'_>)], others: &BTreeMap<&str, &Tree<'_>>| -> Vec<String> {
            all.iter()
                .map(|(id, _)| (*id).to_owned())
                .filter(|id| others.contains_key(&**id))
                .collect()
        };
        if stayed(before, &in_b) != stayed(after, &in_a) {
            self.changed.push(format!("{path}: the order of its items"));
        }
    }

    /// Items without ids. Equal ones cancel out; of the others those are the same that link the same parts or, among
    /// objects, stand at the same place of the rest.
    fn unnamed(&mut self, path: &str, before: &[Tree<'_>], after: &[Tree<'_>], objects: bool) {
        let mut there: BTreeMap<String, usize> = BTreeMap::new();
        for item in before {
            *there.entry(item.canonical()).or_default() += 1;
        }
        let mut new: Vec<(usize, &Tree<'_>)> = Vec::new();
        for (n, item) in after.iter().enumerate() {
            match there.get_mut(&item.canonical()) {
                Some(count) if *count > 0 => *count -= 1,
                _ => new.push((n, item)),
            }
        }
        let mut gone: Vec<(usize, &Tree<'_>)> = Vec::new();
        for (n, item) in before.iter().enumerate().rev() {
            if let Some(count) = there.get_mut(&item.canonical()).filter(|count| **count > 0) {
                *count -= 1;
                gone.push((n, item));
            }
        }
        gone.reverse();
        if new.is_empty() && gone.is_empty() {
            self.changed.push(format!("{path}: the order of its items"));
            return;
        }
        if objects {
            pair(&mut gone, &mut new, link, |n, old, item| {
                self.compare(&format!("{path}/{n}"), old, item)
            });
            if gone.iter().chain(&new).all(|(_, item)| link(item).is_none()) {
                let pairs = gone.len().min(new.len());
                for ((_, old), (n, item)) in gone.drain(..pairs).zip(new.drain(..pairs)) {
                    self.compare(&format!("{path}/{n}"), old, item);
                }
            }
        }
        let number = |n: usize| {
            if objects {
                format!("{path}/{n}")
            } else {
                path.to_owned()
            }
        };
        self.removed
            .extend(gone.into_iter().map(|(n, item)| line(&number(n), item)));
        self.added
            .extend(new.into_iter().map(|(n, item)| line(&number(n), item)));
    }
}

/// Takes out of both lists what has the same key, in order.
fn pair<'t, 'a>(
    gone: &mut Vec<(usize, &'t Tree<'a>)>,
    new: &mut Vec<(usize, &'t Tree<'a>)>,
    key: impl Fn(&Tree<'_>) -> Option<String>,
    mut found: impl FnMut(usize, &Tree<'_>, &Tree<'_>),
) {
    let mut by_key: BTreeMap<String, Vec<(usize, &Tree<'_>)>> = BTreeMap::new();
    for (n, item) in new.iter().rev() {
        if let Some(key) = key(item) {
            by_key.entry(key).or_default().push((*n, item));
        }
    }
    let mut paired = Vec::new();
    gone.retain(|(_, old)| {
        let other = key(old).and_then(|key| by_key.get_mut(&key)?.pop());
        if let Some((n, item)) = other {
            found(n, old, item);
            paired.push(n);
        }
        other.is_none()
    });
    paired.sort_unstable();
    new.retain(|(n, _)| paired.binary_search(n).is_err());
}

/// The parts that an interconnection links.
fn link(item: &Tree<'_>) -> Option<String> {
    let (from, to) = (item.member("from")?.token()?, item.member("to")?.token()?);
    Some(format!("{}{}", quoted(from), quoted(to)))
}

/// The items with their ids, where each has one of its own.
fn by_id<'t>(items: &'t [Tree<'_>]) -> Option<Vec<(&'t str, &'t Tree<'t>)>> {
    let named: Option<Vec<_>> = items
        .iter()
        .map(|item| Some((item.member("id")?.token()?, item)))
        .collect();
    let named = named?;
    let mut ids: Vec<_> = named.iter().map(|(id, _)| *id).collect();
    ids.sort_unstable();
    ids.windows(2).all(|two| two[0] != two[1]).then_some(named)
}

fn below(path: &str, segment: &str) -> String {
    format!("{path}/{}", segment.replace('~', "~0").replace('/', "~1"))
}

fn line(path: &str, value: &Tree<'_>) -> String {
    format!("{path}: {}", shown(value))
}

fn shown(value: &Tree<'_>) -> String {
    let text = value.compact();
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(before: &str, after: &str, removed: &[&str], added: &[&str], changed: &[&str]) {
        let diff = diff(before, after).expect("JSON");
        assert_eq!(diff.removed, removed, "{before} {after}");
        assert_eq!(diff.added, added, "{before} {after}");
        assert_eq!(diff.changed, changed, "{before} {after}");
    }

    #[test]
    fn how_it_is_written_makes_no_difference() {
        check(
            r#"{"a":1,"b":[{"id":"x","n":10}]}"#,
            r#"{ "b":[{"n":1e1,"id":"\u0078"}],"a":1.0 }"#,
            &[],
            &[],
            &[],
        );
    }

    #[test]
    fn items_go_by_their_ids() {
        check(
            r#"{"version":"1","stocks":[{"id":"a","unit":"l"},{"id":"b/c"},{"id":"d"}]}"#,
            r#"{"stocks":[{"id":"d"},{"id":"a","unit":"m3","initial":5},{"id":"e"}],"x":null}"#,
            &[r#"/version: "1""#, r#"/stocks/b~1c: {"id":"b/c"}"#],
            &["/stocks/a/initial: 5", r#"/stocks/e: {"id":"e"}"#, "/x: null"],
            &[r#"/stocks/a/unit: "l" -> "m3""#, "/stocks: the order of its items"],
        );
        // One id twice is none to go by.
        check(
            r#"{"s":[{"id":"a"},{"id":"a"}]}"#,
            r#"{"s":[{"id":"a"},{"id":"b"}]}"#,
            &[],
            &[],
            &[r#"/s/1/id: "a" -> "b""#],
        );
    }

    #[test]
    fn items_without_ids_go_by_what_they_are() {
        check(
            r#"{"e":["a","b","b"]}"#,
            r#"{"e":["b","c"]}"#,
            &[r#"/e: "a""#, r#"/e: "b""#],
            &[r#"/e: "c""#],
            &[],
        );
        check(
            r#"{"e":["a","b"]}"#,
            r#"{"e":["b","a"]}"#,
            &[],
            &[],
            &["/e: the order of its items"],
        );
        check(
            r#"{"i":[{"from":"a","to":"b","type":"info"},{"from":"b","to":"c"},{"from":"x","to":"y"}]}"#,
            r#"{"i":[{"from":"n","to":"m"},{"from":"b","to":"c"},{"from":"a","to":"b","type":"flow"}]}"#,
            &[r#"/i/2: {"from":"x","to":"y"}"#],
            &[r#"/i/0: {"from":"n","to":"m"}"#],
            &[r#"/i/2/type: "info" -> "flow""#],
        );
        check(
            r#"{"i":[{"proposal":"p","confidence":1},{"proposal":"q"}]}"#,
            r#"{"i":[{"proposal":"p","confidence":0.5}]}"#,
            &[r#"/i/1: {"proposal":"q"}"#],
            &[],
            &["/i/0/confidence: 1 -> 0.5"],
        );
        check(
            r#"{"p":[[1,2]]}"#,
            r#"{"p":[[1,3]]}"#,
            &[],
            &[],
            &["/p: [[1,2]] -> [[1,3]]"],
        );
        check("1", "{}", &[], &[], &["the document: 1 -> {}"]);
        assert_eq!(diff("{", "{}"), None);
        let long = diff("{}", &format!("{{\"a\":\"{}\"}}", "水".repeat(1_000))).unwrap();
        assert!(long.added[0].chars().count() < 200, "{long:?}");
    }
}
