//! A search in arXiv's language, as a ladder of ever looser queries.
//!
//! arXiv joins bare words with OR and knows no precedence (`a AND b OR c` is `a AND (b OR c)`). So every word gets its
//! field, words are joined with AND, and everything stands in parentheses.

mod fielded;

use crate::search::Search;
use crate::text::{has_cjk, is_cjk};
use std::fmt;
use unicode_normalization::UnicodeNormalization;

/// How strict a query is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// The caller's own query in arXiv's language.
    Fielded,
    /// All words, or the words as a phrase.
    AllWords,
    /// All words but those that mean little.
    KeyWords,
    /// Any of the words.
    Relaxed,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Fielded => "fielded query",
            Self::AllWords => "all words",
            Self::KeyWords => "all words without stop words",
            Self::Relaxed => "relaxed (any of the words)",
        })
    }
}

/// One query of the ladder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// How strict it is.
    pub level: Level,
    /// The value of arXiv's `search_query`.
    pub text: String,
}

/// A search as a ladder.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ladder {
    /// The queries, the strictest first. None: there is no word in it that arXiv could know.
    pub steps: Vec<Step>,
    /// What was changed about the query that the caller should know.
    pub notes: Vec<String>,
}

/// Words, at most: a query of more is read, the rest is left out.
const MAX_WORDS: usize = 24;

/// Words that mean little in a search: articles, prepositions, forms of to be, and what people ask with.
const STOP_WORDS: &str = " a about across after against all also among an and any are as at based be been being between but \
by can could did do does during each find for from further had has have how i if in into is it its may me more most my no not \
of off on or other our over paper papers please research should show so some such than that the their them then there these \
they this those through to toward towards under up upon us use used using via was we were what when where whether which while \
who why will with within without would you your ";

/// The words of arXiv's own language.
const OPERATORS: [&str; 4] = ["AND", "OR", "NOT", "ANDNOT"];

/// A word or a quoted phrase.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Term {
    Word(String),
    Phrase(String),
}

impl Term {
    fn written(&self) -> String {
        match self {
            Self::Word(word) => format!("all:{word}"),
            Self::Phrase(phrase) => format!("all:\"{phrase}\""),
        }
    }

    fn text(&self) -> &str {
        match self {
            Self::Word(text) | Self::Phrase(text) => text,
        }
    }

    /// Whether it is an operator of arXiv's, which stands astray where there are no fields.
    fn is_stray(&self) -> bool {
        matches!(self, Self::Word(word) if OPERATORS.iter().any(|operator| operator.eq_ignore_ascii_case(word)))
    }

    fn is_stop(&self) -> bool {
        matches!(self, Self::Word(word) if STOP_WORDS.contains(&format!(" {} ", word.to_lowercase())))
    }
}

/// The ladder of a search.
#[must_use]
pub fn ladder(search: &Search) -> Ladder {
    let query: String = search.query().nfkc().collect();
    let mut notes = Vec::new();
    if fielded::is_fielded(&query) {
        match fielded::read(&query) {
            Ok(text) => {
                let steps = vec![Step {
                    level: Level::Fielded,
                    text: filtered(&text, search),
                }];
                if has_cjk(&query) {
                    notes.push(CJK.to_owned());
                }
                return Ladder { steps, notes };
            }
            Err(why) => notes.push(format!(
                "The query looks like arXiv's language, but {why}; its words were searched instead."
            )),
        }
    }
    if has_cjk(&query) {
        notes.push(CJK.to_owned());
    }
    let found = terms(&fielded::without_fields(&query));
    let (found, rest) = found.split_at(found.len().min(MAX_WORDS));
    if !rest.is_empty() {
        notes.push(format!("Only the first {MAX_WORDS} words were searched on arXiv."));
    }
    let steps = words(found)
        .into_iter()
        .map(|(level, text)| Step {
            level,
            text: filtered(&text, search),
        })
        .collect();
    Ladder { steps, notes }
}

/// What a model is told whose query is Chinese, Japanese or Korean.
const CJK: &str = "arXiv's index is English: call again with English key words for good results. \
arXiv 只收录英文索引，请改用英文关键词再搜索一次。";

/// The ladder over words.
fn words(found: &[Term]) -> Vec<(Level, String)> {
    let mut kept: Vec<&Term> = Vec::new();
    for term in found.iter().filter(|term| !term.is_stray()) {
        if !kept.iter().any(|other| other.text().eq_ignore_ascii_case(term.text())) {
            kept.push(term);
        }
    }
    if kept.is_empty() {
        kept.extend(found.first());
    }
    if kept.is_empty() {
        return Vec::new();
    }
    let joined = |terms: &[&Term], operator: &str| {
        let written: Vec<_> = terms.iter().map(|term| term.written()).collect();
        format!("({})", written.join(operator))
    };
    let all = joined(&kept, " AND ");
    let plain = found.iter().all(|term| matches!(term, Term::Word(_)));
    let first = if plain && kept.len() > 1 {
        let phrase: Vec<_> = found
            .iter()
            .map(|term| {
                if term.is_stray() {
                    term.text().to_lowercase()
                } else {
                    term.text().to_owned()
                }
            })
            .collect();
        format!("(all:\"{}\" OR {all})", phrase.join(" "))
    } else {
        all.clone()
    };
    let mut keys: Vec<&Term> = kept.iter().copied().filter(|term| !term.is_stop()).collect();
    if keys.is_empty() {
        keys = kept.clone();
    }
    let mut steps = vec![(Level::AllWords, first)];
    if keys.len() < kept.len() {
        steps.push((Level::KeyWords, joined(&keys, " AND ")));
    }
    if keys.len() > 1 {
        steps.push((Level::Relaxed, joined(&keys, " OR ")));
    }
    steps
}

/// A query with the search's categories and days.
fn filtered(query: &str, search: &Search) -> String {
    let mut text = query.to_owned();
    if !search.categories().is_empty() {
        let categories: Vec<_> = search
            .categories()
            .iter()
            .map(|category| format!("cat:{}", category.as_str()))
            .collect();
        text.push_str(&format!(" AND ({})", categories.join(" OR ")));
    }
    if search.from().is_some() || search.to().is_some() {
        // arXiv takes days only as a range of this form; its first paper is of 1991.
        let from = search
            .from()
            .map_or_else(|| "19910101".to_owned(), |date| date.compact());
        let to = search.to().map_or_else(|| "29991231".to_owned(), |date| date.compact());
        text.push_str(&format!(" AND submittedDate:[{from}0000 TO {to}2359]"));
    }
    text
}

/// The words and quoted phrases of a text, without what means something in arXiv's language; what is Chinese, Japanese
/// or Korean is left out.
fn terms(text: &str) -> Vec<Term> {
    let mut terms = Vec::new();
    let pieces: Vec<&str> = text.split(['"', '“', '”', '„', '«', '»']).collect();
    for (n, piece) in pieces.iter().enumerate() {
        // Every other piece stands in quotes; a quote that nothing closes is none.
        let quoted = n % 2 == 1 && n + 1 < pieces.len();
        let words: Vec<String> = plain(piece).split_whitespace().filter_map(trimmed).collect();
        if quoted && words.len() > 1 {
            terms.push(Term::Phrase(words.join(" ")));
        } else {
            terms.extend(words.into_iter().map(Term::Word));
        }
    }
    terms
}

/// A text without brackets, backslashes, colons, controls, and scripts that arXiv does not know.
fn plain(text: &str) -> String {
    let unknown = |c: char| is_cjk(c) || c.is_control() || "()[]{}\\:\"".contains(c);
    text.chars().map(|c| if unknown(c) { ' ' } else { c }).collect()
}

/// A word without the marks around it; none where no letter or digit is left.
fn trimmed(word: &str) -> Option<String> {
    let word = word.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '$');
    let word = word.trim_end_matches(|c: char| !c.is_alphanumeric() && !"+#*$".contains(c));
    // A hyphen or a star before it would mean "not" or "anything"; within a word both are plain.
    word.chars().any(char::is_alphanumeric).then(|| word.to_owned())
}

/// The search as Semantic Scholar takes it: plain words. It finds nothing for words with hyphens.
#[must_use]
pub fn plain_words(search: &Search) -> String {
    let query: String = search.query().nfkc().collect();
    let fielded = fielded::is_fielded(&query);
    let text = if fielded {
        fielded::without_fields(&query)
    } else {
        query
    };
    let mut words = Vec::new();
    for word in text.split(|c: char| c.is_whitespace() || c.is_control() || "()[]{}\\\"“”„«»-:".contains(c)) {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric() && !"+#".contains(c));
        let is_operator = OPERATORS.contains(&word);
        if !is_operator && word.chars().any(char::is_alphanumeric) {
            words.push(word);
        }
    }
    words.join(" ")
}

#[cfg(test)]
mod tests;
