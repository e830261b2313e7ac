//! A paper as an entry of a bibliography.

use crate::paper::{Author, Paper, family};
use crate::text::one_line;
use unicode_normalization::UnicodeNormalization;

/// The entry: `@article` where a journal or conference is known, else `@misc`.
#[must_use]
pub fn entry(paper: &Paper) -> String {
    let venue = paper
        .venue
        .as_deref()
        .filter(|venue| !venue.to_lowercase().starts_with("arxiv"));
    let journal = venue.or(paper.journal_ref.as_deref());
    let kind = if journal.is_some() { "article" } else { "misc" };
    let mut fields: Vec<(&str, String)> = Vec::new();
    let authors: Vec<_> = paper.authors.iter().map(author).collect();
    if !authors.is_empty() {
        fields.push(("author", authors.join(" and ")));
    }
    fields.push(("title", format!("{{{}}}", latex(&paper.title))));
    fields.extend(journal.map(|journal| ("journal", latex(journal))));
    fields.extend(paper.year.map(|year| ("year", year.to_string())));
    if let Some(base) = &paper.arxiv_id {
        fields.push(("eprint", base.clone()));
        fields.push(("archivePrefix", "arXiv".to_owned()));
        fields.extend(
            paper
                .primary_category
                .as_deref()
                .map(|class| ("primaryClass", latex(class))),
        );
    }
    fields.extend(paper.doi.as_deref().map(|doi| ("doi", verbatim(doi))));
    fields.extend(paper.link().as_deref().map(|url| ("url", verbatim(url))));
    let mut text = format!("@{kind}{{{},\n", key(paper));
    for (name, value) in fields {
        text.push_str(&format!("  {name} = {{{value}}},\n"));
    }
    text.push_str("}\n");
    text
}

/// The key: family name, year and first word of the title, in letters and digits of ASCII; where there are none, the
/// arXiv id or `paper`. The same paper always has the same.
#[must_use]
pub fn key(paper: &Paper) -> String {
    let ascii = |text: &str| -> String {
        let plain = text.nfkd().filter(char::is_ascii_alphanumeric);
        plain.map(|c| c.to_ascii_lowercase()).take(30).collect()
    };
    let name = paper
        .authors
        .first()
        .map(|author| ascii(&family(&author.name)))
        .unwrap_or_default();
    let year = paper.year.map(|year| year.to_string()).unwrap_or_default();
    let small = ["a", "an", "the", "on", "of", "in", "and", "for", "to", "from", "with"];
    let mut words = paper.title.split(|c: char| !c.is_alphanumeric()).map(ascii);
    let word = words
        .find(|word| !word.is_empty() && !small.contains(&word.as_str()))
        .unwrap_or_default();
    if name.is_empty() && word.is_empty() {
        let id = paper
            .id()
            .map(|id| id.bare().replace(|c: char| !c.is_ascii_alphanumeric(), "-"));
        return id.unwrap_or_else(|| format!("paper{year}"));
    }
    format!("{name}{year}{word}")
}

/// A name; one that BibTeX would take apart stands in braces.
fn author(author: &Author) -> String {
    let name = latex(&author.name);
    let lower = name.to_lowercase();
    let whole =
        lower.contains(" and ") || lower.contains("collaboration") || lower.contains(" team") || lower == "others";
    if whole { format!("{{{name}}}") } else { name }
}

/// Text in which nothing is a command.
fn latex(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in one_line(text).chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                out.push('\\');
                out.push(c);
            }
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            c => out.push(c),
        }
    }
    out
}

/// A DOI or a link, which is typeset as it stands.
fn verbatim(text: &str) -> String {
    let mut out = String::new();
    for c in one_line(text).chars() {
        match c {
            '{' | '}' | '\\' | ' ' => out.push_str(&format!("%{:02X}", c as u32)),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paper() -> Paper {
        Paper {
            title: "The $ω$-Test: 100% of C_1 & {more} \\input{x}".into(),
            authors: ["Jürgen Müller", "H1 Collaboration", "Wu, Z. and X. Li"]
                .map(|name| Author {
                    name: name.into(),
                    ..Author::default()
                })
                .to_vec(),
            year: Some(2023),
            arxiv_id: Some("2301.00010".into()),
            primary_category: Some("cs.SE".into()),
            doi: Some("10.1000/a_b".into()),
            ..Paper::default()
        }
    }

    #[test]
    fn an_entry_reads_like_this() {
        assert_eq!(
            entry(&paper()),
            "@misc{muller2023test,\n  author = {Jürgen Müller and {H1 Collaboration} and {Wu, Z. and X. Li}},\n  \
             title = {{The \\$ω\\$-Test: 100\\% of C\\_1 \\& \\{more\\} \\textbackslash{}input\\{x\\}}},\n  year = {2023},\n  \
             eprint = {2301.00010},\n  archivePrefix = {arXiv},\n  primaryClass = {cs.SE},\n  doi = {10.1000/a_b},\n  \
             url = {https://arxiv.org/abs/2301.00010},\n}\n"
        );
        let published = Paper {
            venue: Some("Mind".into()),
            ..paper()
        };
        assert!(entry(&published).starts_with("@article{") && entry(&published).contains("journal = {Mind}"));
        let preprint = Paper {
            venue: Some("arXiv.org".into()),
            ..paper()
        };
        assert!(entry(&preprint).starts_with("@misc{"));
    }

    #[test]
    fn keys_are_plain_and_never_empty() {
        let chinese = Paper {
            title: "量子计算".into(),
            authors: vec![Author {
                name: "王 伟".into(),
                ..Author::default()
            }],
            ..paper()
        };
        assert_eq!(key(&chinese), "2301-00010");
        assert_eq!(key(&Paper::default()), "paper");
        let turing = Paper {
            title: "Computing Machinery".into(),
            authors: vec![Author {
                name: "A. Turing".into(),
                ..Author::default()
            }],
            year: Some(1950),
            ..Paper::default()
        };
        assert_eq!(key(&turing), "turing1950computing");
    }
}
