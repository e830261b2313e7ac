//! What may be asked of a search, checked: every fault is named at once.

use crate::categories::Category;
use crate::date::{Date, Edge};
use crate::paper::SourceKind;
use crate::text::{cut, one_line};
use std::fmt;

/// Papers in one answer, at most.
pub const MAX_RESULTS: u32 = 25;

/// Papers in an answer where nobody says how many.
pub const RESULTS: u32 = 5;

/// Places that a source is asked for at once; pages are cut out of them without asking again.
pub const WINDOW: u32 = 30;

/// The last place at which an answer may begin: arXiv's API goes no further than 10,000 papers, in windows that are
/// twice as long where two sources fill them.
pub const MAX_START: u32 = 10_000;

/// Characters of a query, at most: more is a text, not key words.
const MAX_QUERY: usize = 400;

/// The order of what is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sort {
    /// The best first, as the sources see it.
    #[default]
    Relevance,
    /// The newest first.
    Date,
}

/// Whom to ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sources {
    /// Everybody.
    #[default]
    Auto,
    /// One alone.
    Only(SourceKind),
}

/// A search as somebody asks for it, unchecked. What is not given stands for its default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Asked {
    /// Key words, or a query in arXiv's language.
    pub query: String,
    /// How many papers, 1 to 25.
    pub max_results: Option<u64>,
    /// The place to begin at, from 0.
    pub start: Option<u64>,
    /// Published on this day, in this month or year, or later.
    pub date_from: Option<String>,
    /// Published on this day, in this month or year, or earlier.
    pub date_to: Option<String>,
    /// Categories of arXiv; each text may hold several, separated by commas or spaces.
    pub categories: Vec<String>,
    /// `relevance` or `date`.
    pub sort: Option<String>,
    /// `auto`, `arxiv` or `s2`.
    pub sources: Option<String>,
}

/// What is wrong with an argument, and how to mend it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Its name.
    pub argument: &'static str,
    /// What was found and what should stand there.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}", self.argument, self.message)
    }
}

/// A search that can be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search {
    query: String,
    max_results: u32,
    start: u32,
    from: Option<Date>,
    to: Option<Date>,
    categories: Vec<Category>,
    sort: Sort,
    sources: Sources,
}

impl Search {
    /// Checks what was asked.
    ///
    /// # Errors
    /// Every fault of it.
    pub fn new(asked: Asked) -> Result<Self, Vec<Fault>> {
        let mut faults = Vec::new();
        let mut fault = |argument, message| faults.push(Fault { argument, message });

        let query = one_line(&asked.query);
        let length = query.chars().count();
        if !query.chars().any(char::is_alphanumeric) {
            fault(
                "query",
                "there is no word in it; give a few English key words".to_owned(),
            );
        } else if length > MAX_QUERY {
            fault(
                "query",
                format!("it has {length} characters, at most {MAX_QUERY} are allowed; give a few key words"),
            );
        }
        let max_results = match asked.max_results {
            None => RESULTS,
            Some(n) if (1..=u64::from(MAX_RESULTS)).contains(&n) => n as u32,
            Some(n) => {
                fault(
                    "max_results",
                    format!("found {n}, use 1 to {MAX_RESULTS}; later ones come with `start`"),
                );
                RESULTS
            }
        };
        let start = match asked.start {
            None => 0,
            Some(n) if n <= u64::from(MAX_START) => n as u32,
            Some(n) => {
                fault(
                    "start",
                    format!("found {n}, use 0 to {MAX_START}; narrow the search by words, dates or categories"),
                );
                0
            }
        };
        let mut day = |argument, text: Option<String>, edge| {
            let text = text.filter(|text| !text.trim().is_empty())?;
            match Date::read(&text, edge) {
                Ok(date) => Some(date),
                Err(message) => {
                    fault(argument, message);
                    None
                }
            }
        };
        let from = day("date_from", asked.date_from, Edge::First);
        let to = day("date_to", asked.date_to, Edge::Last);
        if let (Some(from), Some(to)) = (from, to)
            && from > to
        {
            fault("date_to", format!("{to} is before `date_from`, {from}; swap them"));
        }
        let mut categories = Vec::new();
        let names = asked
            .categories
            .iter()
            .flat_map(|text| text.split([',', ';', ' ', '，', '、']));
        for name in names.filter(|name| !name.trim().is_empty()) {
            match Category::read(name) {
                Ok(category) if categories.contains(&category) => {}
                Ok(category) => categories.push(category),
                Err(message) => fault("categories", message),
            }
        }
        categories.sort();
        let sort = match word(asked.sort.as_deref()).as_deref() {
            None | Some("relevance") => Sort::Relevance,
            Some("date") => Sort::Date,
            Some(other) => {
                fault("sort", format!("found {other:?}, use relevance or date"));
                Sort::Relevance
            }
        };
        let sources = match word(asked.sources.as_deref()).as_deref() {
            None | Some("auto") => Sources::Auto,
            Some("arxiv") => Sources::Only(SourceKind::Arxiv),
            Some("s2") => Sources::Only(SourceKind::S2),
            Some(other) => {
                fault("sources", format!("found {other:?}, use auto, arxiv or s2"));
                Sources::Auto
            }
        };
        if !faults.is_empty() {
            return Err(faults);
        }
        Ok(Self {
            query,
            max_results,
            start,
            from,
            to,
            categories,
            sort,
            sources,
        })
    }

    /// The query, on one line.
    #[must_use]
    pub fn query(&self) -> &str {
        &self.query
    }

    /// How many papers, at most.
    #[must_use]
    pub fn max_results(&self) -> u32 {
        self.max_results
    }

    /// The place to begin at.
    #[must_use]
    pub fn start(&self) -> u32 {
        self.start
    }

    /// The first day.
    #[must_use]
    pub fn from(&self) -> Option<Date> {
        self.from
    }

    /// The last day.
    #[must_use]
    pub fn to(&self) -> Option<Date> {
        self.to
    }

    /// Categories, in order; none: all.
    #[must_use]
    pub fn categories(&self) -> &[Category] {
        &self.categories
    }

    /// The order.
    #[must_use]
    pub fn sort(&self) -> Sort {
        self.sort
    }

    /// Whether this source is asked.
    #[must_use]
    pub fn asks(&self, source: SourceKind) -> bool {
        match self.sources {
            Sources::Auto => true,
            Sources::Only(only) => only == source,
        }
    }

    /// How many places a window of answers takes: [`WINDOW`] for each source.
    #[must_use]
    pub fn span(&self) -> u32 {
        match self.sources {
            Sources::Auto => 2 * WINDOW,
            Sources::Only(_) => WINDOW,
        }
    }

    /// The place of the first paper that a source is asked for.
    #[must_use]
    pub fn offset(&self) -> u32 {
        self.start / self.span() * WINDOW
    }

    /// What makes two searches the same to a source, page aside.
    #[must_use]
    pub fn canonical(&self, source: SourceKind) -> String {
        let day = |date: Option<Date>| date.map(Date::compact).unwrap_or_default();
        let categories: Vec<_> = self.categories.iter().map(Category::as_str).collect();
        format!(
            "{}\n{}\n{}-{}\n{}\n{:?}\n{}",
            source.as_str(),
            self.query,
            day(self.from),
            day(self.to),
            categories.join(","),
            self.sort,
            self.offset()
        )
    }
}

/// A word in lower case; none where there is nothing.
fn word(text: Option<&str>) -> Option<String> {
    let text = text?.trim();
    (!text.is_empty()).then(|| cut(&text.to_lowercase(), 40))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(query: &str) -> Asked {
        Asked {
            query: query.to_owned(),
            ..Asked::default()
        }
    }

    #[test]
    fn what_is_not_given_has_its_default() {
        let search = Search::new(asked("  graph\nneural networks ")).unwrap();
        assert_eq!(search.query(), "graph neural networks");
        assert_eq!(
            (search.max_results(), search.start(), search.sort()),
            (5, 0, Sort::Relevance)
        );
        assert!(search.asks(SourceKind::Arxiv) && search.asks(SourceKind::S2));
        let blank = Asked {
            date_from: Some(" ".into()),
            categories: vec![String::new()],
            sort: Some(String::new()),
            sources: Some(" ".into()),
            ..asked("graph neural networks")
        };
        assert_eq!(Search::new(blank).unwrap(), search);
    }

    #[test]
    fn every_fault_is_named() {
        let faults = Search::new(Asked {
            query: " ?! ".into(),
            max_results: Some(26),
            start: Some(10_001),
            date_from: Some("2023-13".into()),
            date_to: Some("yesterday".into()),
            categories: vec!["cs.AI, cs.ZZ; quant".into()],
            sort: Some("citations".into()),
            sources: Some("google".into()),
        })
        .unwrap_err();
        let names: Vec<_> = faults.iter().map(|fault| fault.argument).collect();
        assert_eq!(
            names,
            [
                "query",
                "max_results",
                "start",
                "date_from",
                "date_to",
                "categories",
                "categories",
                "sort",
                "sources"
            ]
        );
        let order = Asked {
            date_from: Some("2024".into()),
            date_to: Some("2023".into()),
            max_results: Some(0),
            ..asked(&"x".repeat(401))
        };
        let said: Vec<_> = Search::new(order).unwrap_err().iter().map(Fault::to_string).collect();
        assert_eq!(said.len(), 3);
        assert!(said[2].starts_with("`date_to`: 2023-12-31 is before"), "{said:?}");
    }

    #[test]
    fn pages_are_cut_from_windows() {
        let at = |start, sources: &str| {
            let search = Search::new(Asked {
                start: Some(start),
                sources: Some(sources.into()),
                ..asked("x")
            });
            search.map(|search| search.offset()).unwrap()
        };
        assert_eq!(
            [at(0, "arxiv"), at(29, "arxiv"), at(30, "arxiv"), at(95, "arxiv")],
            [0, 0, 30, 90]
        );
        assert_eq!([at(0, "auto"), at(59, "auto"), at(60, "auto")], [0, 0, 30]);
    }

    #[test]
    fn the_same_search_is_the_same() {
        let search = |categories: &str, start, max_results| {
            Search::new(Asked {
                categories: vec![categories.into()],
                start: Some(start),
                max_results: Some(max_results),
                ..asked("x")
            })
            .unwrap()
            .canonical(SourceKind::Arxiv)
        };
        assert_eq!(search("cs.LG,CS.AI", 0, 5), search("cs.AI cs.LG cs.AI", 5, 25));
        assert_ne!(search("cs.LG", 0, 5), search("cs.AI", 0, 5));
        assert_ne!(search("cs.LG", 0, 5), search("cs.LG", 60, 5));
    }
}
