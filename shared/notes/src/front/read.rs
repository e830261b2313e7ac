//! What front matter says.

use super::entries::{self, Entry};
use super::split;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::{Options, budget, options};
use std::collections::BTreeSet;
use std::fmt;

/// The longest front matter that is read, in bytes: no person writes more, and reading takes time.
const MOST: usize = 64 * 1024;

/// What front matter says. Where it is no YAML, what can be told line by line, and the reason.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Front {
    /// `title`.
    pub title: Option<String>,
    /// `aliases`, or `alias`.
    pub aliases: Vec<String>,
    /// `tags`, or `tag`: a list, or a text with commas or blanks; without `#`.
    pub tags: Vec<String>,
    /// `type`.
    pub kind: Option<String>,
    /// `arxiv_id`, as it is written.
    pub arxiv_id: Option<String>,
    /// `doi`.
    pub doi: Option<String>,
    /// All that is text, number, yes or no, and lists of them, for showing: the key, and the values as they are written.
    pub fields: Vec<(String, Vec<String>)>,
    /// Why it cannot be read as YAML; the line counts from the beginning of the note.
    pub error: Option<String>,
}

impl Front {
    /// The front matter of a note; empty where it has none.
    #[must_use]
    pub fn of(text: &str) -> Self {
        split(text)
            .front
            .map_or_else(Self::default, |front| Self::read(&text[front.yaml]))
    }

    /// Reads the YAML of front matter.
    #[must_use]
    pub fn read(yaml: &str) -> Self {
        let entries = entries::entries(yaml);
        let (fields, error) = match parse(yaml) {
            Ok(fields) => (as_written(fields, &entries), None),
            Err(error) => (by_line(&entries), Some(error)),
        };
        let find = |names: &[&str]| {
            let is = |key: &str| names.iter().any(|name| key.eq_ignore_ascii_case(name));
            let found = fields.iter().find(|(key, _)| is(key));
            found.map_or_else(Vec::new, |(_, values)| values.clone())
        };
        let one = |name: &str| find(&[name]).into_iter().next().filter(|text| !text.trim().is_empty());
        Self {
            title: one("title"),
            aliases: find(&["aliases", "alias"]),
            tags: tags(&find(&["tags", "tag"])),
            kind: one("type"),
            arxiv_id: one("arxiv_id"),
            doi: one("doi"),
            error,
            fields,
        }
    }
}

/// The tags in what was written: each once, without `#`.
fn tags(values: &[String]) -> Vec<String> {
    let mut tags: Vec<String> = Vec::new();
    let mut known: BTreeSet<&str> = BTreeSet::new();
    for tag in values.iter().flat_map(|value| value.split([',', '，', '、', ' '])) {
        let tag = tag.trim().trim_start_matches('#');
        if !tag.is_empty() && known.insert(tag) {
            tags.push(tag.to_owned());
        }
    }
    tags
}

/// A number as it is written, for the value of YAML is another one: 2301.00010 is 2301.0001.
fn as_written(fields: Vec<(String, Node)>, entries: &[Entry]) -> Vec<(String, Vec<String>)> {
    let mut shown = Vec::new();
    for (key, node) in fields {
        let values = match node {
            Node::Text(text) => vec![text],
            Node::Other(text) => {
                let entry = entries.iter().find(|entry| entry.key == key && !entry.more);
                let written = entry.map(|entry| entries::plain(&entry.value));
                vec![
                    written
                        .filter(|text| !text.starts_with(['&', '*', '!']))
                        .unwrap_or(text),
                ]
            }
            Node::Null => Vec::new(),
            Node::List(items) => {
                let written = entries.iter().find(|entry| entry.key == key).and_then(flow);
                let written = written.filter(|written| written.len() == items.len());
                let scalar = |(n, item): (usize, Node)| match item {
                    Node::Text(text) => Some(text),
                    Node::Other(text) => Some(written.as_ref().map_or(text, |written| written[n].clone())),
                    Node::Null | Node::List(_) | Node::Map => None,
                };
                items.into_iter().enumerate().filter_map(scalar).collect()
            }
            Node::Map => continue,
        };
        shown.push((key, values));
    }
    shown
}

/// The items of a list that is written on one line, `[a, b]`, where none has a quote or a bracket.
fn flow(entry: &Entry) -> Option<Vec<String>> {
    let inner = entry.value.strip_prefix('[')?.split_once(']')?.0;
    let simple = !entry.more && !inner.contains(['"', '\'', '[', '{']);
    simple.then(|| inner.split(',').map(|item| item.trim().to_owned()).collect())
}

/// What lines tell where YAML tells nothing.
fn by_line(entries: &[Entry]) -> Vec<(String, Vec<String>)> {
    let shown = entries.iter().filter(|entry| !entry.value.is_empty()).map(|entry| {
        let values = flow(entry).unwrap_or_else(|| vec![entries::plain(&entry.value)]);
        (entry.key.clone(), values)
    });
    shown.collect()
}

/// A value as far as it is shown.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    Text(String),
    /// A number, or true or false.
    Other(String),
    Null,
    List(Vec<Node>),
    /// Is not shown.
    Map,
}

/// The members of the YAML text, in order; none where it is empty.
pub(super) fn parse(yaml: &str) -> Result<Vec<(String, Node)>, String> {
    if yaml.len() > MOST {
        return Err(format!(
            "the front matter has {} bytes; at most {MOST} are read",
            yaml.len()
        ));
    }
    match serde_saphyr::from_str_with_options::<Option<Members>>(yaml, limits()) {
        Ok(members) => Ok(members.map_or_else(Vec::new, |members| members.0)),
        Err(error) => {
            // The line of hyphens comes before.
            let line = error.location().map_or(0, |place| place.line()) + 1;
            let text = error.without_snippet().to_string();
            let text = text
                .lines()
                .next()
                .unwrap_or_default()
                .chars()
                .take(200)
                .collect::<String>();
            let hint = "; put quotes around values with ': ', '#', '@' or a tab in front";
            Err(format!("line {line} of the note: {text}{hint}"))
        }
    }
}

/// Against texts that are small and mean much.
fn limits() -> Options {
    options! {
        budget: budget! {
            max_events: 20_000,
            max_aliases: 100,
            max_anchors: 100,
            max_depth: 32,
            max_nodes: 20_000,
            max_documents: 1,
        },
        strict_booleans: true,
        with_snippet: false,
    }
}

struct Members(Vec<(String, Node)>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visit;
        impl<'de> Visitor<'de> for Visit {
            type Value = Members;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("lines of `key: value`")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    members.push(entry);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Visit)
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visit;
        impl<'de> Visitor<'de> for Visit {
            type Value = Node;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value")
            }

            fn visit_str<E>(self, text: &str) -> Result<Node, E> {
                Ok(Node::Text(text.to_owned()))
            }

            fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
                Ok(Node::Other(value.to_string()))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
                Ok(Node::Other(value.to_string()))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
                Ok(Node::Other(value.to_string()))
            }

            fn visit_i128<E>(self, value: i128) -> Result<Node, E> {
                Ok(Node::Other(value.to_string()))
            }

            fn visit_u128<E>(self, value: u128) -> Result<Node, E> {
                Ok(Node::Other(value.to_string()))
            }

            fn visit_f64<E>(self, value: f64) -> Result<Node, E> {
                Ok(Node::Other(value.to_string()))
            }

            fn visit_unit<E>(self) -> Result<Node, E> {
                Ok(Node::Null)
            }

            fn visit_none<E>(self) -> Result<Node, E> {
                Ok(Node::Null)
            }

            fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
                Node::deserialize(deserializer)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Node, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = seq.next_element()? {
                    items.push(item);
                }
                Ok(Node::List(items))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
                while map.next_entry::<Node, Node>()?.is_some() {}
                Ok(Node::Map)
            }
        }
        deserializer.deserialize_any(Visit)
    }
}
