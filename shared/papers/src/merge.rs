//! What several sources say of the same paper, as one paper.
//!
//! Two records are one paper where they share an arXiv id (K1) or a DOI (K2), or (K3) a title of four words, or of
//! twelve Chinese, Japanese or Korean characters, with the first author's family name or years at most two apart.
//! Titles never join records of two arXiv ids, and titles that many papers have join nothing.

use crate::id::PaperId;
use crate::paper::{Paper, SourceKind, family};
use crate::text::is_cjk;
use std::collections::{BTreeMap, BTreeSet};
use unicode_normalization::UnicodeNormalization;

/// Titles of four words and more that say nothing about a paper.
const GENERIC: [&str; 14] = [
    "letter to the editor",
    "letters to the editor",
    "reply to the editor",
    "in this issue of",
    "from the editor in chief",
    "message from the editor",
    "message from the editor in chief",
    "message from the general chair",
    "message from the program chairs",
    "introduction to the special issue",
    "introduction to this special issue",
    "guest editors introduction to the special issue",
    "table of contents and preface",
    "title page and table of contents",
];

/// Weight of a place in a list: 1 / (60 + place), by which lists of different judges are joined (Cormack, Clarke,
/// Büttcher: Reciprocal Rank Fusion, 2009).
const RANK: f64 = 60.0;

/// The papers of all lists, each once; the best placed first, at the same place in the order of the lists.
#[must_use]
pub fn merge(lists: Vec<Vec<Paper>>) -> Vec<Paper> {
    let mut records = Vec::new();
    let mut weights = Vec::new();
    for list in lists {
        for (place, paper) in list.into_iter().enumerate() {
            weights.push(1.0 / (RANK + place as f64));
            records.push(paper);
        }
    }
    let mut groups: Vec<(f64, Vec<usize>)> = groups(&records)
        .into_iter()
        .map(|members| (members.iter().map(|n| weights[*n]).sum(), members))
        .collect();
    groups.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let mut records: Vec<Option<Paper>> = records.into_iter().map(Some).collect();
    groups
        .into_iter()
        .filter_map(|(_, members)| members.into_iter().filter_map(|n| records[n].take()).reduce(joined))
        .collect()
}

/// Records of which it is known that they are one paper, as one.
#[must_use]
pub fn as_one(records: Vec<Paper>) -> Paper {
    records.into_iter().reduce(joined).unwrap_or_default()
}

/// Puts the newest first; papers without a date last.
pub fn newest_first(papers: &mut [Paper]) {
    papers.sort_by_key(|paper| {
        let day = paper.published.map(|date| date.to_string());
        std::cmp::Reverse(day.or_else(|| paper.year.map(|year| format!("{year:04}"))))
    });
}

/// The records that are one paper, by their places.
fn groups(records: &[Paper]) -> Vec<Vec<usize>> {
    let mut sets = Sets::new(records.len());
    let arxiv: Vec<Option<String>> = records.iter().map(arxiv_base).collect();
    let dois: Vec<Option<String>> = records.iter().map(doi).collect();
    let s2: Vec<Option<String>> = records.iter().map(|paper| paper.s2_id.clone()).collect();
    for keys in [&arxiv, &dois, &s2] {
        let mut first = BTreeMap::new();
        for (n, key) in keys.iter().enumerate().filter_map(|(n, key)| Some((n, key.as_ref()?))) {
            sets.join(*first.entry(key).or_insert(n), n);
        }
    }
    let mut titles: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (n, paper) in records.iter().enumerate() {
        if let Some(key) = title_key(&paper.title) {
            titles.entry(key).or_default().push(n);
        }
    }
    for members in titles.values() {
        for (at, &a) in members.iter().enumerate() {
            for &b in &members[at + 1..] {
                if sets.root(a) != sets.root(b) && agree(&records[a], &records[b]) {
                    let (a_root, b_root) = (sets.root(a), sets.root(b));
                    let ids: BTreeSet<_> = (0..records.len())
                        .filter(|n| [a_root, b_root].contains(&sets.root(*n)))
                        .filter_map(|n| arxiv[n].as_ref())
                        .collect();
                    if ids.len() < 2 {
                        sets.join(a, b);
                    }
                }
            }
        }
    }
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for n in 0..records.len() {
        groups.entry(sets.root(n)).or_default().push(n);
    }
    groups.into_values().collect()
}

/// Sets that grow together.
struct Sets(Vec<usize>);

impl Sets {
    fn new(size: usize) -> Self {
        Self((0..size).collect())
    }

    fn root(&mut self, mut n: usize) -> usize {
        while self.0[n] != n {
            self.0[n] = self.0[self.0[n]];
            n = self.0[n];
        }
        n
    }

    /// The lowest place is the root of both.
    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = a.min(b);
    }
}

/// K1: the arXiv id, or the one in a DOI or a link of the paper.
fn arxiv_base(paper: &Paper) -> Option<String> {
    let of = |text: &str| match text.parse() {
        Ok(PaperId::Arxiv { base, .. }) => Some(base),
        _ => None,
    };
    let base = paper.arxiv_id.clone();
    let base = base.or_else(|| {
        paper
            .doi
            .as_deref()
            .and_then(PaperId::doi)
            .and_then(|id| of(&id.to_string()))
    });
    base.or_else(|| paper.pdf.as_deref().and_then(of))
        .or_else(|| paper.url.as_deref().and_then(of))
}

/// K2: the DOI, unless it is arXiv's.
fn doi(paper: &Paper) -> Option<String> {
    match PaperId::doi(paper.doi.as_deref()?)? {
        PaperId::Doi(doi) => Some(doi),
        _ => None,
    }
}

/// Whether papers of the same title have an author or a time in common.
fn agree(a: &Paper, b: &Paper) -> bool {
    let first = |paper: &Paper| paper.authors.first().map(|author| family(&author.name));
    let same_author = first(a).is_some_and(|name| !name.is_empty() && Some(name) == first(b));
    let same_time = matches!((a.year, b.year), (Some(a), Some(b)) if a.abs_diff(b) <= 2);
    same_author || same_time
}

/// Greek letters by the names of their commands.
const GREEK: &str = "alpha α beta β gamma γ delta δ epsilon ε varepsilon ε zeta ζ eta η theta θ iota ι kappa κ lambda λ mu μ nu ν \
xi ξ pi π rho ρ sigma σ tau τ upsilon υ phi φ varphi φ chi χ psi ψ omega ω";

/// K3: the title as it compares; none where it is short or says nothing. Numbers, also Roman ones, stay in it, so that
/// parts I and II are two papers.
fn title_key(title: &str) -> Option<String> {
    let title = title.strip_prefix("[PDF]").unwrap_or(title);
    let mut plain = String::with_capacity(title.len());
    let mut rest = title;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        if c != '\\' {
            if !matches!(c, '$' | '{' | '}') {
                plain.push(c);
            }
            continue;
        }
        let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let command = &rest[..end];
        if let Some(letter) = greek(&command.to_ascii_lowercase()) {
            plain.push_str(letter);
        }
        // `\"o` is a letter with its accent; `\textit{..}` keeps what it holds.
        let skip = if end == 0 {
            rest.chars().next().map_or(0, char::len_utf8)
        } else {
            end
        };
        rest = &rest[skip..];
    }
    let letters: String = plain
        .nfkd()
        .filter(|c| !('\u{300}'..='\u{36f}').contains(c))
        .nfkc()
        .flat_map(char::to_lowercase)
        .map(|c| if c.is_alphanumeric() { c } else { ' ' })
        .collect();
    let words: Vec<_> = letters.split_whitespace().collect();
    let key = words.join(" ");
    let cjk = key.chars().filter(|c| is_cjk(*c)).count();
    let says_something = words.len() >= 4 || cjk >= 12;
    (says_something && !GENERIC.contains(&key.as_str())).then_some(key)
}

fn greek(command: &str) -> Option<&'static str> {
    let mut words = GREEK.split_whitespace();
    while let (Some(name), Some(letter)) = (words.next(), words.next()) {
        if name == command {
            return Some(letter);
        }
    }
    None
}

/// Two records of one paper as one: text, version and categories from arXiv, citations, venue and summary from
/// Semantic Scholar.
fn joined(a: Paper, b: Paper) -> Paper {
    let from_arxiv = |paper: &Paper| paper.sources.contains(&SourceKind::Arxiv);
    let (first, other) = if from_arxiv(&b) && !from_arxiv(&a) {
        (b, a)
    } else {
        (a, b)
    };
    let mut sources: Vec<_> = first.sources.iter().chain(&other.sources).copied().collect();
    sources.sort_unstable();
    sources.dedup();
    let (title, authors) = if first.title.is_empty() {
        (other.title, other.authors)
    } else if first.authors.is_empty() {
        (first.title, other.authors)
    } else {
        (first.title, first.authors)
    };
    Paper {
        title,
        authors,
        summary: first.summary.or(other.summary),
        year: first.year.or(other.year),
        published: first.published.or(other.published),
        updated: first.updated.or(other.updated),
        arxiv_version: first
            .arxiv_version
            .or(other.arxiv_version.filter(|_| first.arxiv_id.is_none())),
        arxiv_id: first.arxiv_id.or(other.arxiv_id),
        doi: first.doi.or(other.doi),
        s2_id: first.s2_id.or(other.s2_id),
        corpus_id: first.corpus_id.or(other.corpus_id),
        url: first.url.or(other.url),
        pdf: first.pdf.or(other.pdf),
        primary_category: first.primary_category.or(other.primary_category),
        categories: if first.categories.is_empty() {
            other.categories
        } else {
            first.categories
        },
        comment: first.comment.or(other.comment),
        journal_ref: first.journal_ref.or(other.journal_ref),
        venue: first.venue.or(other.venue),
        citation_count: first.citation_count.max(other.citation_count),
        tldr: first.tldr.or(other.tldr),
        withdrawn: first.withdrawn || other.withdrawn,
        sources,
    }
}

#[cfg(test)]
mod tests;
