//! 5 Whys without a model of language: a query becomes five questions about its subject, each on another layer.
//!
//! # Layout, in reading order
//! - `tables`: the words and sentences; all that an editor would change.
//! - `text`: a text beside its folded form.
//! - `chinese`, `english`: what a query is about: its subject, and the symptom that it names.
//!
//! A query that says something is asked about with its whole clause; only a few kinds (costs, talent, markets) have
//! sentences that ask about the subject of a clause alone.
//!
//! By default the five are facets of one matter, not a ladder: nobody has answered the first when the second is asked.

mod chinese;
mod english;
// Word lists stand packed in lines; rustfmt would give each word its own.
#[rustfmt::skip]
mod tables;
mod text;

use crate::language::{self, Language};
use serde::{Deserialize, Serialize};
use tables::{CLASSES, CLAUSES, Class};
use text::Text;

/// As much of a query as is read, in characters.
const READ: usize = 200;

/// The longest question in Chinese, in characters.
pub const LONGEST_CHINESE: usize = 60;

/// The longest question in English, in characters: about as much to read as 60 Chinese ones.
pub const LONGEST_ENGLISH: usize = 200;

/// How the five questions hang together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Style {
    /// Five sides of one matter.
    #[default]
    Facets,
    /// Each builds on the answer before it.
    Ladder,
}

/// What a question digs into, from the surface down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Layer {
    /// What is seen.
    Symptom,
    /// The process that brings it about.
    Mechanism,
    /// What is lacking to do better.
    Capability,
    /// Who gains from it as it is.
    Structure,
    /// The rules and beliefs behind it.
    Governance,
}

impl Layer {
    /// All five, in the order of the questions.
    pub const ALL: [Self; 5] = [
        Self::Symptom,
        Self::Mechanism,
        Self::Capability,
        Self::Structure,
        Self::Governance,
    ];
}

/// Five questions about one matter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FiveWhys {
    /// The questions, each ending in a question mark.
    pub questions: [String; 5],
    /// The layer of each question.
    pub layers: [Layer; 5],
    /// The language of the questions.
    pub language: Language,
    /// What the questions take the query to be about.
    pub subject: String,
    /// The kind of matter that it was taken for, such as `talent` or `delay`.
    pub class: &'static str,
}

impl FiveWhys {
    /// The questions as a JSON array and nothing else.
    #[must_use]
    pub fn text(&self) -> String {
        // Strings alone always become JSON.
        serde_json::to_string_pretty(&self.questions).unwrap_or_default()
    }
}

/// What a query is about.
struct Matter {
    subject: String,
    /// What stands in the questions in place of the subject: a whole clause.
    clause: Option<String>,
    /// The first question, where the query itself tells the symptom.
    first: Option<String>,
    class: &'static Class,
}

impl Matter {
    /// A noun, asked about as its kind is.
    fn noun(subject: String, class: &'static Class) -> Self {
        Self {
            subject,
            clause: None,
            first: None,
            class,
        }
    }
}

/// Five questions that dig into the matter of `query`. Any text will do; one without words is asked about as the matter
/// at hand, in Chinese unless its punctuation is plain ASCII.
#[must_use]
pub fn five_whys(query: &str, style: Style) -> FiveWhys {
    let text = Text::new(query, READ);
    let shown = text.shown();
    let language = Language::of(&shown).unwrap_or_else(|| {
        let ascii = text.has_words() || shown.chars().any(|c| c.is_ascii_punctuation());
        if ascii { Language::English } else { Language::Chinese }
    });
    let matter = match language {
        Language::Chinese => chinese::matter(&text),
        Language::English => english::matter(&text),
    };
    let traditional = language == Language::Chinese && language::is_traditional(&shown);
    let sentences = match language {
        Language::Chinese => &matter.class.zh,
        Language::English => &matter.class.en,
    };
    let own = |words: &str| {
        if traditional {
            language::to_traditional(words)
        } else {
            words.to_owned()
        }
    };
    let longest = match language {
        Language::Chinese => LONGEST_CHINESE,
        Language::English => LONGEST_ENGLISH,
    };
    let first = matter.first.filter(|first| first.chars().count() <= longest);
    let about = matter.clause.as_ref().unwrap_or(&matter.subject);
    let mut questions = sentences.map(|sentence| own(sentence).replace("{s}", about));
    if let Some(first) = first {
        questions[0] = first;
    }
    let mut subject = matter.subject;
    if language == Language::Chinese {
        questions = questions.map(|question| text::tight(&question));
        subject = text::tight(&subject);
    }
    if style == Style::Ladder {
        for question in &mut questions[1..] {
            *question = match language {
                Language::Chinese => format!("{}{question}", own(tables::LADDER_ZH)),
                Language::English => format!("{}{}", tables::LADDER_EN, question.replacen("Why", "why", 1)),
            };
        }
    }
    FiveWhys {
        questions,
        layers: Layer::ALL,
        language,
        subject,
        class: matter.class.name,
    }
}

/// The class called `name`, else the last, which is for everything.
fn class(name: &str) -> &'static Class {
    let found = CLASSES.iter().find(|class| class.name == name);
    found.unwrap_or(&CLASSES[CLASSES.len() - 1])
}

/// The kind of clauses called `name`, else the first, which is for all.
fn told(name: &str) -> &'static Class {
    CLAUSES.iter().find(|class| class.name == name).unwrap_or(&CLAUSES[0])
}

/// The class with the highest points, the earlier among equals; the last where none has any.
fn best(points: impl Fn(&Class) -> usize) -> &'static Class {
    let mut best = (0, class("default"));
    for class in CLASSES {
        let points = points(class);
        if points > best.0 {
            best = (points, class);
        }
    }
    best.1
}

/// `text` without the name of the method and the words that only introduce it.
fn without_method(text: &Text) -> Text {
    let mut text = text.clone();
    while let Some(found) = text.find(tables::METHOD) {
        text = without_naming(&text, found);
    }
    text
}

/// `text` without the name of the method at `found` and the words around it.
fn without_naming(text: &Text, found: std::ops::Range<usize>) -> Text {
    let mut start = found.start;
    let spaces = |at: usize| text.shown[..at].iter().rev().take_while(|c| **c == ' ').count();
    loop {
        let end = start - spaces(start);
        match text.slice(0..end).tail(tables::BEFORE_METHOD.iter().copied()) {
            Some(before) => start = before,
            None => break,
        }
    }
    let mut end = found.end;
    loop {
        let space = text.shown[end..].iter().take_while(|c| **c == ' ').count();
        match text.slice(end + space..text.len()).head(tables::AFTER_METHOD) {
            Some(after) => end += space + after,
            None => break,
        }
    }
    text.without(start..end)
}

/// `text` without the polite and analytic words around the matter; whole where nothing else would be left.
fn stripped(text: &Text) -> Text {
    let mut text = text.trim();
    loop {
        let head = match text.head(tables::NOT_HEADS) {
            Some(_) => None,
            None => text.head(tables::HEADS),
        };
        let tail = match text.tail(tables::NOT_TAILS.iter().copied()) {
            Some(_) => None,
            None => text.tail(tables::TAILS.iter().copied()),
        };
        let next = match (head, tail) {
            (Some(head), _) => text.slice(head..text.len()).trim(),
            (None, Some(tail)) => text.slice(0..tail).trim(),
            (None, None) => return text,
        };
        text = next;
    }
}

#[cfg(test)]
mod tests;
