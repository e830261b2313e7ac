//! A paper as a note: front matter, title, abstract.

use crate::bibtex;
use crate::markdown::escaped;
use crate::paper::{Paper, family};
use crate::text::one_line;
use crate::yaml::FrontMatter;
use unicode_normalization::UnicodeNormalization;

/// Bytes of a file name, at most.
const MAX_NAME: usize = 120;

/// What a note has beside the paper.
#[derive(Debug, Clone, Copy, Default)]
pub struct Extras<'a> {
    /// Tags that the user wants.
    pub tags: &'a [String],
    /// The day on which it is written, `YYYY-MM-DD`.
    pub retrieved: &'a str,
    /// Whether it has an entry of a bibliography.
    pub bibtex: bool,
    /// Models that cite the paper: what they are called and their URI.
    pub cited_by: &'a [(String, String)],
}

/// The text of the note.
#[must_use]
pub fn text(paper: &Paper, extras: &Extras<'_>) -> String {
    let title = one_line(&paper.title);
    let title = if title.is_empty() { "(no title)" } else { &title };
    let mut text = front_matter(paper, title, extras);
    text.push_str(&format!("\n# {}\n\n", escaped(title)));
    match &paper.summary {
        Some(summary) => text.push_str(&format!("{}\n", escaped(summary))),
        None => text.push_str("(no abstract)\n"),
    }
    if extras.bibtex {
        text.push_str(&format!("\n## BibTeX\n\n```bibtex\n{}```\n", bibtex::entry(paper)));
    }
    if !extras.cited_by.is_empty() {
        text.push_str("\n## Cited by models\n\n");
        for (name, uri) in extras.cited_by {
            let uri = one_line(uri).replace(['<', '>'], "");
            text.push_str(&format!("- [{}](<{uri}>)\n", escaped(name)));
        }
    }
    text
}

/// The front matter; what is not known is left out.
fn front_matter(paper: &Paper, title: &str, extras: &Extras<'_>) -> String {
    let mut front = FrontMatter::default();
    let maybe = |front: &mut FrontMatter, key, value: Option<String>| {
        if let Some(value) = value {
            front.text(key, &value);
        }
    };
    front.text("title", title);
    let aliases: Vec<_> = paper.id().map(|id| id.to_string()).into_iter().collect();
    front.texts("aliases", &aliases);
    let authors: Vec<_> = paper.authors.iter().map(|author| one_line(&author.name)).collect();
    front.texts("authors", &authors);
    if let Some(year) = paper.year {
        front.number("year", u64::from(year));
    }
    maybe(&mut front, "published", paper.published.map(|date| date.to_string()));
    maybe(&mut front, "updated", paper.updated.map(|date| date.to_string()));
    maybe(&mut front, "arxiv_id", paper.arxiv_id.clone());
    if let Some(version) = paper.arxiv_version {
        front.number("arxiv_version", u64::from(version));
    }
    maybe(&mut front, "doi", paper.doi.clone());
    maybe(&mut front, "url", paper.link());
    maybe(&mut front, "pdf", paper.pdf.clone());
    front.texts("categories", &paper.categories);
    front.texts("tags", &tags(paper, extras.tags));
    maybe(&mut front, "source", paper.id().map(|id| id.uri()));
    let sources: Vec<_> = paper.sources.iter().map(|source| source.as_str()).collect();
    front.texts("sources", &sources);
    if let Some(count) = paper.citation_count {
        front.number("citation_count", count);
    }
    front.text("retrieved", extras.retrieved);
    front.truth("withdrawn", paper.withdrawn);
    front.text("type", "literature");
    front.block()
}

/// The user's tags and those of the paper's categories, each once.
fn tags(paper: &Paper, wanted: &[String]) -> Vec<String> {
    let categories = paper.categories.iter().map(|category| format!("arxiv/{category}"));
    let mut tags: Vec<String> = Vec::new();
    for tag in wanted.iter().cloned().chain(categories).filter_map(|tag| tag_of(&tag)) {
        if !tags.iter().any(|other| other.eq_ignore_ascii_case(&tag)) {
            tags.push(tag);
        }
    }
    tags
}

/// A text as a tag: letters and digits of any script, `-`, `_` and `/`, not digits alone; none where nothing is left.
#[must_use]
pub fn tag_of(text: &str) -> Option<String> {
    let mut tag = String::new();
    for c in text.trim().trim_start_matches('#').nfc() {
        let c = if c.is_alphanumeric() || matches!(c, '_' | '/') {
            c
        } else {
            '-'
        };
        let repeated = matches!(c, '-' | '/') && tag.ends_with(['-', '/']);
        if !repeated {
            tag.push(c);
        }
    }
    let tag = tag.trim_matches(['-', '/']);
    let numeric = tag.chars().all(|c| c.is_numeric() || matches!(c, '/' | '-'));
    match tag {
        "" => None,
        tag if numeric => Some(format!("_{tag}")),
        tag => Some(tag.to_owned()),
    }
}

/// The name of the note's file: `2301.00010 Title words.md`; without an arXiv id, the first author and the year lead.
#[must_use]
pub fn file_name(paper: &Paper) -> String {
    let lead = paper.arxiv_id.as_ref().map(|base| base.replace('/', "-"));
    let lead = lead.unwrap_or_else(|| {
        let name = paper
            .authors
            .first()
            .map(|author| family(&author.name))
            .unwrap_or_default();
        let year = paper.year.map(|year| year.to_string()).unwrap_or_default();
        format!("{name} {year}")
    });
    let mut name = String::new();
    for c in format!("{lead} {}", paper.title).nfc() {
        let c = if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') {
            c
        } else {
            ' '
        };
        let repeated = c == ' ' && (name.is_empty() || name.ends_with(' '));
        let hides = name.is_empty() && c == '.';
        if !repeated && !hides {
            name.push(c);
        }
    }
    let room = MAX_NAME - ".md".len();
    if name.len() > room {
        let mut end = room;
        while !name.is_char_boundary(end) {
            end -= 1;
        }
        let at_word = name[..end].rfind(' ').filter(|at| end - at <= 30);
        name.truncate(at_word.unwrap_or(end));
    }
    let name = name.trim_end_matches([' ', '.', '-', '_']);
    let name = if name.is_empty() { "paper" } else { name };
    format!("{name}.md")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper::{Author, SourceKind};
    use crate::{Date, PaperId};

    fn paper() -> Paper {
        Paper {
            title: "Attention: is \"all\" you\nneed".into(),
            authors: vec![Author {
                name: "A. One".into(),
                ..Author::default()
            }],
            summary: Some("We show\n# that.".into()),
            year: Some(2023),
            published: Date::new(2023, 1, 2),
            updated: Date::new(2024, 3, 4),
            arxiv_id: Some("2301.00010".into()),
            arxiv_version: Some(2),
            doi: Some("10.1000/x".into()),
            pdf: Some("https://arxiv.org/pdf/2301.00010v2".into()),
            categories: vec!["cs.AI".into(), "math.GT".into()],
            citation_count: Some(7),
            sources: vec![SourceKind::Arxiv, SourceKind::S2],
            ..Paper::default()
        }
    }

    #[test]
    fn a_note_reads_like_this() {
        let tags = [
            "to read".to_owned(),
            "2024".to_owned(),
            "#机器学习".to_owned(),
            "TO-READ".to_owned(),
            " # ".to_owned(),
        ];
        let cited_by = [("My [model]".to_owned(), "model://my-model".to_owned())];
        let extras = Extras {
            tags: &tags,
            retrieved: "2026-12-01",
            bibtex: true,
            cited_by: &cited_by,
        };
        let expected = r##"---
title: "Attention: is \"all\" you need"
aliases:
  - "arXiv:2301.00010"
authors:
  - "A. One"
year: 2023
published: "2023-01-02"
updated: "2024-03-04"
arxiv_id: "2301.00010"
arxiv_version: 2
doi: "10.1000/x"
url: "https://arxiv.org/abs/2301.00010"
pdf: "https://arxiv.org/pdf/2301.00010v2"
categories:
  - "cs.AI"
  - "math.GT"
tags:
  - "to-read"
  - "_2024"
  - "机器学习"
  - "arxiv/cs-AI"
  - "arxiv/math-GT"
source: "literature://arxiv/2301.00010"
sources:
  - "arxiv"
  - "s2"
citation_count: 7
retrieved: "2026-12-01"
withdrawn: false
type: "literature"
---

# Attention: is "all" you need

We show \# that.

## BibTeX

```bibtex
@misc{one2023attention,
  author = {A. One},
  title = {{Attention: is "all" you need}},
  year = {2023},
  eprint = {2301.00010},
  archivePrefix = {arXiv},
  doi = {10.1000/x},
  url = {https://arxiv.org/abs/2301.00010},
}
```

## Cited by models

- [My \[model\]](<model://my-model>)
"##;
        assert_eq!(text(&paper(), &extras), expected);
        let bare = text(
            &Paper::default(),
            &Extras {
                retrieved: "2026-12-01",
                ..Extras::default()
            },
        );
        assert!(
            bare.contains("# (no title)") && bare.contains("tags: []") && !bare.contains("doi"),
            "{bare}"
        );
    }

    #[test]
    fn file_names_are_safe_and_short() {
        let named = |title: &str| {
            file_name(&Paper {
                title: title.into(),
                ..paper()
            })
        };
        assert_eq!(named("Title words"), "2301.00010 Title words.md");
        assert_eq!(
            named("A/B: \\C* \"D\" <E>|F? #G^[H]..."),
            "2301.00010 A B C D E F G H.md"
        );
        assert_eq!(named("../../etc/passwd\0\u{202e}"), "2301.00010 .. .. etc passwd.md");
        for title in ["量".repeat(90), "word ".repeat(60), "x".repeat(300), "🛑".repeat(50)] {
            let name = named(&title);
            assert!(
                name.len() <= 120 && name.starts_with("2301.00010") && name.ends_with(".md"),
                "{name}"
            );
            assert!(!name.contains(" .md"), "{name}");
        }
        let old = Paper {
            arxiv_id: Some("solv-int/9901001".into()),
            ..paper()
        };
        assert!(file_name(&old).starts_with("solv-int-9901001 Attention"));
        let turing = Paper {
            arxiv_id: None,
            year: Some(1950),
            ..paper()
        };
        assert_eq!(file_name(&turing), "one 1950 Attention is all you need.md");
        assert_eq!(file_name(&Paper::default()), "paper.md");
    }

    #[test]
    fn ids_of_a_paper_are_its_names() {
        assert_eq!(
            paper().ids(),
            ["2301.00010", "10.1000/x"].map(|id| id.parse::<PaperId>().expect("an id"))
        );
    }
}
