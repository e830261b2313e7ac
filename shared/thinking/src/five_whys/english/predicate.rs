//! What an English predicate says, and the predicate as a participle.

use super::super::tables::*;
use super::super::{Class, told};
use super::clause::{Parts, base, is_adverb, is_in, key};
use super::noun::{kind, lowered};

pub(super) fn words_of(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

impl Parts {
    /// The predicate with the denial that stands in the auxiliary.
    pub(super) fn said(&self) -> Vec<String> {
        let denied = self
            .auxiliary
            .as_deref()
            .is_some_and(|word| key(word).ends_with("n't") || key(word) == "cannot");
        let mut said = self.predicate.clone();
        if denied {
            said.insert(0, "not".to_owned());
        }
        said
    }

    /// Are "have" and "do" the verb itself, rather than an auxiliary?
    pub(super) fn is_verb(&self) -> bool {
        let adverbs = self.predicate.iter().take_while(|word| is_adverb(word)).count();
        let [verb, next, ..] = &self.predicate[adverbs..] else {
            return false;
        };
        let noun = is_in(next, DETERMINERS_EN) || is_in(next, HAD_EN) || next.starts_with(|c: char| c.is_ascii_digit());
        self.auxiliary.is_none() && is_in(verb, &["has", "have", "had", "does", "do", "did"]) && noun
    }

    /// Is it about my own affairs, outside of work?
    fn is_mine(&self) -> bool {
        let mine = self
            .subject
            .first()
            .is_some_and(|word| matches!(key(word).as_str(), "my" | "i" | "me"));
        mine && !self.subject.iter().any(|word| is_in(word, NOT_MINE_EN))
    }

    /// Is it over?
    fn is_past(&self) -> bool {
        let verb = self.auxiliary.as_ref().or_else(|| self.order_verb());
        let verb = verb.map(|word| key(word)).unwrap_or_default();
        let ed = self.auxiliary.is_none() && verb.ends_with("ed") && !is_in(&verb, VERBS_EN);
        ed || ["did", "was", "were", "had"].contains(&verb.trim_end_matches("n't")) || base(&verb).is_some()
    }

    fn order_verb(&self) -> Option<&String> {
        self.predicate.iter().find(|word| !is_adverb(word))
    }

    /// The head of the subject.
    pub(super) fn head(&self) -> Option<&String> {
        let end = self.subject.iter().position(|word| is_in(word, PREPOSITIONS_EN));
        self.subject[..end.unwrap_or(self.subject.len())].last()
    }

    /// Is it said that it grows?
    fn is_rising(&self) -> bool {
        self.predicate.iter().any(|word| is_in(word, RISING_EN))
    }

    /// Are they people?
    fn is_people(&self) -> bool {
        self.head().is_some_and(|word| is_in(word, PEOPLE_EN))
    }

    /// Has its kind sentences that ask about the subject alone, and say all that the predicate says?
    pub(super) fn asks_noun(&self, class: &Class) -> bool {
        let says = |table: &[&str]| self.predicate.iter().any(|word| is_in(word, table));
        let head = |table: &[&str]| self.head().is_some_and(|word| is_in(word, table));
        let alone = kind(&self.subject, &[]).name == class.name;
        let over = self.is_past() && (self.auxiliary.is_some() || !matches!(class.name, "cost" | "market"));
        match class.name {
            _ if over => false,
            "cost" => !says(FALLING_EN) && head(COST_WORDS_EN),
            "talent" => alone && says(KEEPING_EN) && !self.is_ours(),
            "market" => head(FIGURES_EN) && !self.is_rising(),
            "technology" => alone && says(ADOPTING_EN),
            _ => false,
        }
    }

    /// The kind of clause.
    pub(super) fn flavour(&self, class: &Class) -> &'static Class {
        let one = |word: &String| key(word).trim_end_matches('s').to_owned();
        let thing = |word: &String| is_in(word, TECHNICAL_EN) || is_in(&one(word), TECHNICAL_EN);
        // "build a culture": in a predicate it may be a verb.
        let noun = |word: &String| thing(word) && !is_in(&one(word), VERBS_EN);
        let pronoun = self.subject.len() == 1 && PRONOUNS_EN.contains(&key(&self.subject[0]).as_str());
        let technical = self.head().is_some_and(thing) || pronoun && self.predicate.iter().any(noun);
        let social = matches!(class.name, "health" | "education" | "policy");
        let said = |table: &[&str]| {
            self.predicate
                .iter()
                .any(|word| is_in(word, table) || is_in(&one(word), table))
        };
        let (people, mine) = (self.is_people(), self.is_mine());
        let alone = kind(&self.subject, &[]).name;
        told(match class.name {
            _ if self.is_past() => "past",
            "nature" if !mine && !said(LOST_EN) => "nature",
            "success" => "success",
            "market" if self.is_rising() => "success",
            "delay" if !mine => "delay",
            _ if alone == "organisation" && !mine && !people => "organisation",
            _ if !people && !social && technical && !said(SPREADING_EN) => "fault",
            "cost" if said(COSTLY_EN) && !said(FALLING_EN) => "cost",
            "default" | "personal" | "delay" | "speed" | "health" | "education" | "nature" if mine => "personal",
            "speed" if !people && self.is_name() => "fault",
            "speed" if matches!(alone, "organisation" | "delay") => "delay",
            "quality" | "security" if !people && alone == class.name => "fault",
            _ if people && said(OPINION_EN) => "opinion",
            "personal" if mine || alone == "personal" => "personal",
            "organisation" if !people => "organisation",
            _ if self.is_ours() => "organisation",
            _ => "event",
        })
    }

    /// Is it a name: Python?
    fn is_name(&self) -> bool {
        let upper = lowered(&self.subject)
            .iter()
            .all(|word| word.starts_with(char::is_uppercase));
        upper && self.subject.len() < 3
    }

    /// Is it about us at work?
    fn is_ours(&self) -> bool {
        let outside = self
            .subject
            .iter()
            .any(|word| is_in(word.trim_end_matches("'s"), OUTSIDERS_EN));
        !outside && self.subject.first().is_some_and(|word| is_in(word, &["our", "we"]))
    }
}

/// One vowel between consonants, as in "flop"?
fn is_closed(verb: &str) -> bool {
    let letters: Vec<char> = verb.chars().collect();
    let vowel = |c: &char| "aeiouy".contains(*c);
    let [.., before, middle, last] = letters.as_slice() else {
        return false;
    };
    let one = letters.iter().filter(|c| vowel(c)).count() == 1 || verb.starts_with("qu") && verb.len() == 4;
    one && vowel(middle) && (!vowel(before) || verb.starts_with("qu")) && !vowel(last) && !"wxy".contains(*last)
}

/// The third person: fail -> fails.
pub(super) fn third(verb: &str) -> String {
    let consonant_y = verb
        .strip_suffix('y')
        .filter(|stem| !stem.ends_with(['a', 'e', 'i', 'o', 'u']));
    match (verb, consonant_y) {
        ("have", _) => "has".to_owned(),
        ("be", _) => "is".to_owned(),
        (_, Some(stem)) => format!("{stem}ies"),
        _ if ["s", "x", "z", "ch", "sh", "o"].iter().any(|end| verb.ends_with(end)) => format!("{verb}es"),
        _ => format!("{verb}s"),
    }
}

/// The past tense: fail -> failed, lose -> lost.
pub(super) fn past(verb: &str) -> String {
    if let Some((past, _)) = PAST_EN.iter().chain(IRREGULAR_EN).find(|(_, base)| *base == verb) {
        return (*past).to_owned();
    }
    let consonant_y = verb
        .strip_suffix('y')
        .filter(|stem| !stem.ends_with(['a', 'e', 'i', 'o', 'u']));
    match (verb.strip_suffix('e'), consonant_y) {
        (Some(_), _) => format!("{verb}d"),
        (_, Some(stem)) => format!("{stem}ied"),
        _ if is_in(verb, DOUBLING_EN) || is_closed(verb) => {
            format!("{verb}{}ed", verb.chars().last().unwrap_or_default())
        }
        _ => format!("{verb}ed"),
    }
}
