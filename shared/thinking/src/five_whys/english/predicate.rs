//! What an English predicate says, and the predicate as a participle.

use super::super::tables::{
    ADOPTING_EN, ADVERBS_EN, AUXILIARIES_EN, BEFORE_VERB_EN, COST_WORDS_EN, COSTLY_EN, DETERMINERS_EN, DOUBLING_EN,
    FALLING_EN, FUNCTION_EN, HAD_EN, KEEPING_EN, NOT_MINE_EN, PARTICIPLES_EN, PEOPLE_EN, PREPOSITIONS_EN, RISING_EN,
    VERBS_EN,
};
use super::super::{Class, class};
use super::clause::{Parts, base, is_adverb, is_in, key, singular};
use super::noun::kind;

pub(super) fn words_of(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

impl Parts {
    /// Is it that somebody cannot do something?
    pub(super) fn cannot(&self) -> bool {
        self.auxiliary
            .as_deref()
            .is_some_and(|word| matches!(key(word).as_str(), "can't" | "cannot" | "couldn't"))
    }

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
    pub(super) fn is_mine(&self) -> bool {
        let mine = self.subject.first().is_some_and(|word| key(word) == "my") && self.happened().name == "event";
        mine && !self.subject.iter().any(|word| is_in(word, NOT_MINE_EN))
    }

    /// "is not getting meetings"
    fn is_doing(&self) -> bool {
        let said = self
            .predicate
            .iter()
            .filter(|word| !is_in(word, ADVERBS_EN) && !is_in(word, AUXILIARIES_EN));
        said.map(|word| key(word))
            .next()
            .is_some_and(|word| word.ends_with("ing") && VERBS_EN.iter().any(|verb| gerund(verb) == word))
    }

    /// Is it said what something is, rather than what it does?
    pub(super) fn is_state(&self) -> bool {
        let verb = self
            .auxiliary
            .as_ref()
            .or_else(|| self.predicate.iter().find(|word| !is_in(word, ADVERBS_EN)));
        let verb = verb.map(|word| key(word)).unwrap_or_default();
        ["is", "are", "was", "were", "isn't", "aren't", "wasn't", "weren't"].contains(&verb.as_str())
            && !self.is_doing()
    }

    /// Has it done something to something else?
    pub(super) fn has_done(&self) -> bool {
        let has = |word: &str| matches!(key(word).as_str(), "has" | "have");
        let said = match &self.auxiliary {
            Some(auxiliary) if has(auxiliary) => &self.predicate[..],
            None if has(&self.predicate[0]) => &self.predicate[1..],
            _ => return false,
        };
        let [done, next, ..] = said else {
            return false;
        };
        let object = !is_in(next, PREPOSITIONS_EN) && (!is_in(next, FUNCTION_EN) || is_in(next, DETERMINERS_EN));
        object && !is_in(next, ADVERBS_EN) && (key(done).ends_with("ed") || is_in(done, PARTICIPLES_EN))
    }

    /// The kind of what happens, or happened once.
    pub(super) fn happened(&self) -> &'static Class {
        let auxiliary = self.auxiliary.clone().or_else(|| self.predicate.first().cloned());
        let auxiliary = auxiliary.map(|word| key(&word)).unwrap_or_default();
        let past =
            ["did", "was", "were", "had"].contains(&auxiliary.trim_end_matches("n't")) || base(&auxiliary).is_some();
        class(if past { "past" } else { "event" })
    }

    /// The head of the subject.
    fn head(&self) -> Option<&String> {
        let end = self.subject.iter().position(|word| is_in(word, PREPOSITIONS_EN));
        self.subject[..end.unwrap_or(self.subject.len())].last()
    }

    /// Is it said that it grows?
    pub(super) fn is_rising(&self) -> bool {
        self.predicate.iter().any(|word| is_in(word, RISING_EN))
    }

    /// Are they people?
    pub(super) fn is_people(&self) -> bool {
        self.head().is_some_and(|word| is_in(word, PEOPLE_EN))
    }

    /// Is the matter what happens rather than the subject? It is where nothing else is known of it, or its subject is
    /// people.
    pub(super) fn is_event(&self, class: &Class) -> bool {
        let (head, people) = (self.head(), self.is_people());
        let keeping = self.predicate.iter().any(|word| is_in(word, KEEPING_EN));
        match class.name {
            "default" => true,
            "success" => true,
            "quality" => people || self.happened().name == "past",
            // Its sentences are about what is lost.
            "market" if self.is_rising() => true,
            "nature" => true,
            _ if self.has_done() => true,
            // What a team does is not what it is.
            "organisation" | "education" | "health" if !self.is_state() => true,
            "problem" => self.happened().name == "past" || self.said().first().is_some_and(|word| word == "not"),
            "personal" => !self.is_mine(),
            // Only the predicate speaks of this field.
            _ if class.said <= 15 && kind(&self.subject, &[]).name != class.name => true,
            // Its sentences are about what is too high.
            "cost" if self.predicate.iter().any(|word| is_in(word, FALLING_EN)) => true,
            "cost" => {
                !head.is_some_and(|word| is_in(word, COST_WORDS_EN))
                    && !self.predicate.iter().any(|word| is_in(word, COSTLY_EN))
            }
            "talent" => !keeping,
            "technology" => !self.predicate.iter().any(|word| is_in(word, ADOPTING_EN)),
            _ => people,
        }
    }

    /// The predicate as a participle: "not trust vaccines" -> "not trusting vaccines".
    pub(super) fn happening(&self) -> Vec<String> {
        let mut rest = self.predicate.clone();
        let adverbs = rest
            .iter()
            .take_while(|word| self.auxiliary.is_none() && is_adverb(word))
            .count();
        let adverbs: Vec<String> = if adverbs < rest.len() {
            rest.drain(..adverbs).collect()
        } else {
            Vec::new()
        };
        let auxiliary = match &self.auxiliary {
            Some(auxiliary) => key(auxiliary),
            None if self.is_verb() => {
                let verb = key(&rest[0]);
                rest[0] = if verb.starts_with('h') { "have" } else { "do" }.to_owned();
                "do".to_owned()
            }
            None if is_in(&rest[0], AUXILIARIES_EN) && rest.len() > 1 => key(&rest.remove(0)),
            None if base(&rest[0]).is_some() => {
                rest[0] = base(&rest[0]).unwrap_or_default().to_owned();
                "did".to_owned()
            }
            None if key(&rest[0]).ends_with("ed") => "have".to_owned(),
            None => {
                rest[0] = singular(&rest[0]);
                "do".to_owned()
            }
        };
        let mut happening = adverbs;
        let positive = auxiliary.trim_end_matches("n't").to_owned();
        if positive != auxiliary || auxiliary == "cannot" {
            happening.push("not".to_owned());
        }
        while rest.len() > 1
            && is_in(&rest[0], BEFORE_VERB_EN)
            && (key(&rest[0]) != "keep" || rest[1].ends_with("ing"))
            && !(matches!(key(&rest[0]).as_str(), "so" | "too") && positive.starts_with(['i', 'a', 'w']))
        {
            let adverb = rest.remove(0);
            if key(&adverb) != "keep" {
                happening.push(adverb);
            }
        }
        match positive.as_str() {
            "is" | "are" | "was" | "were" => {
                if !rest[0].ends_with("ing") {
                    happening.push("being".to_owned());
                }
            }
            "has" | "have" | "had" | "ha" => happening.push("having".to_owned()),
            "ca" | "can" | "cannot" | "could" => happening.extend(["being", "able", "to"].map(str::to_owned)),
            _ => rest[0] = gerund(&rest[0]),
        }
        happening.extend(rest);
        happening
    }
}

/// "so hard to hire engineers" -> "hiring engineers".
pub(super) fn hard_to(predicate: &[String]) -> Option<Vec<String>> {
    let to = predicate.iter().position(|word| key(word) == "to")?;
    let verb = predicate.get(to + 1)?;
    let mut doing = vec![gerund(verb)];
    doing.extend_from_slice(&predicate[to + 2..]);
    Some(doing)
}

/// "always fall asleep late" -> "falling asleep late".
pub(super) fn doing(predicate: &[String]) -> Option<Vec<String>> {
    let at = predicate.iter().position(|word| !is_in(word, BEFORE_VERB_EN))?;
    let mut doing = vec![gerund(&predicate[at])];
    doing.extend_from_slice(&predicate[at + 1..]);
    Some(doing)
}

/// One vowel between consonants, as in "flop"?
pub(super) fn is_closed(verb: &str) -> bool {
    let letters: Vec<char> = verb.chars().collect();
    let vowel = |c: &char| "aeiouy".contains(*c);
    let [.., before, middle, last] = letters.as_slice() else {
        return false;
    };
    let one = letters.iter().filter(|c| vowel(c)).count() == 1 || verb.starts_with("qu") && verb.len() == 4;
    one && vowel(middle) && (!vowel(before) || verb.starts_with("qu")) && !vowel(last) && !"wxy".contains(*last)
}

pub(super) fn gerund(verb: &str) -> String {
    let base = [
        "bring", "sing", "ring", "swing", "cling", "sting", "spring", "ping", "fling", "string",
    ];
    if base.contains(&verb) {
        format!("{verb}ing")
    } else if verb.ends_with("ing") || !verb.chars().all(|c| c.is_ascii_alphabetic()) {
        verb.to_owned()
    } else if let Some(stem) = verb.strip_suffix("ie") {
        format!("{stem}ying")
    } else if let Some(stem) = verb.strip_suffix('e').filter(|stem| !stem.ends_with(['e', 'o'])) {
        format!("{stem}ing")
    } else if is_in(verb, DOUBLING_EN) || is_closed(verb) {
        let last = verb.chars().last().unwrap_or_default();
        format!("{verb}{last}ing")
    } else {
        format!("{verb}ing")
    }
}
