//! An English sentence to its clause, and the clause to subject and predicate: the subject ends where a verb, an adverb or
//! an auxiliary begins.

use super::super::tables::*;
use super::super::text::Text;
use super::super::{stripped, without_method};
use super::noun::determined;
use super::predicate::{past, third};

/// A subject, and what is said about it.
pub(super) struct Parts {
    /// Of a question: does, is, can't. Stands before the subject.
    pub(super) auxiliary: Option<String>,
    pub(super) subject: Vec<String>,
    /// As in a question: the auxiliary before its adverbs.
    pub(super) predicate: Vec<String>,
    /// As it was typed.
    order: Vec<String>,
}

impl Parts {
    pub(super) fn of(auxiliary: &str, subject: &[String], predicate: &[String]) -> Self {
        Self {
            auxiliary: Some(auxiliary.to_owned()),
            subject: subject.to_vec(),
            predicate: predicate.to_vec(),
            order: predicate.to_vec(),
        }
    }

    /// The words of a statement: "does checkout fail" -> "checkout fails".
    pub(super) fn finite(&self) -> Vec<String> {
        let mut subject = determined(&self.subject);
        let mut order = self.order.clone();
        let mut auxiliary = self.auxiliary.as_ref().map(|word| key(word));
        // "Why didn't anyone notice": nobody noticed.
        if let Some(denied) = auxiliary
            .clone()
            .filter(|word| word.ends_with("n't") || word == "cannot")
            && matches!(key(&subject[0]).as_str(), "anyone" | "anybody" | "more")
        {
            // "Why don't more people cycle": so few people cycle.
            let few = if key(&subject[0]) == "more" { "so few" } else { "nobody" };
            few.clone_into(&mut subject[0]);
            let few = few == "so few";
            auxiliary = Some(match denied.as_str() {
                "can't" | "cannot" => "can".to_owned(),
                "won't" => "will".to_owned(),
                "doesn't" | "don't" if few => "do".to_owned(),
                _ => denied.trim_end_matches("n't").to_owned(),
            });
        }
        let verb = order
            .iter()
            .position(|word| !is_adverb(word) && !is_in(word, BEFORE_VERB_EN))
            .unwrap_or(0);
        let not = order.first().is_some_and(|word| key(word) == "not");
        match auxiliary.as_deref() {
            None => {}
            Some("do") if !not => {}
            Some("does") if !not => order[verb] = third(&order[verb]),
            Some("did") if !not => order[verb] = past(&order[verb]),
            Some(auxiliary) => order.insert(0, auxiliary.to_owned()),
        }
        subject.extend(order);
        subject
    }
}

/// "What makes Finnish schools so good": "are", "Finnish schools", "so good".
pub(super) fn made(clause: &Text) -> Option<Parts> {
    let end = clause.head(MAKES_EN)?;
    let rest = words(&clause.slice(end..clause.len()));
    let at = boundary(&rest, "is").filter(|&at| at < rest.len() && is_in(&rest[at], PREDICATE_EN))?;
    let many = is_plural(&rest[at - 1]) || rest.iter().take(at).any(|word| key(word) == "and");
    let past = clause.head(&["what made"]).is_some();
    let auxiliary = match (past, many) {
        (false, false) => "is",
        (false, true) => "are",
        (true, false) => "was",
        (true, true) => "were",
    };
    Some(Parts::of(auxiliary, &rest[..at], &rest[at..]))
}

/// The clause that tells the matter, and whether a why stood before it, which is cut off.
pub(super) fn clause(text: &Text) -> (bool, Text) {
    let text = without_method(text);
    let mut first = None;
    for sentence in text.clauses("。！？!?；;\n") {
        let mut sentence = sentence;
        if let Some(why) = why(&sentence) {
            let behind = sentence.slice(why.end..sentence.len()).paired().trim();
            if behind.has_words() {
                return (true, behind);
            }
            // "Sales are down. Why?" asks about what stands before it.
            sentence = stripped(&sentence.slice(0..why.start).trim());
        }
        let asks = [HOW_EN, ASKING_HOW_EN, HINDERS_EN, MAKES_EN];
        let clause = if asks.iter().any(|table| sentence.head(table).is_some()) {
            sentence
        } else {
            opened(&sentence)
        };
        if clause.has_words() {
            first.get_or_insert(clause);
        }
    }
    (false, first.unwrap_or_default().paired().trim())
}

/// The sentence without its analytic words, up to a "how to".
pub(super) fn opened(sentence: &Text) -> Text {
    if let Some(how) = sentence.find(HOW_EN)
        && !stripped(&sentence.slice(0..how.start)).has_words()
    {
        return sentence.slice(how.start..sentence.len());
    }
    stripped(sentence)
}

/// Where a why stands.
pub(super) fn why(sentence: &Text) -> Option<std::ops::Range<usize>> {
    sentence.find(&["why is it that", "why", "how come", "为什么", "为何"])
}

pub(super) fn words(text: &Text) -> Vec<String> {
    let whole = |word: &str| {
        let typed = CONTRACTIONS_EN
            .iter()
            .find(|(typed, _)| key(word) == *typed && word.len() == typed.len());
        typed.map_or(word, |(_, whole)| whole).to_owned()
    };
    text.shown().split_whitespace().map(whole).collect()
}

/// A word as the tables have it.
pub(super) fn key(word: &str) -> String {
    let word: String = word.chars().map(crate::language::fold).collect();
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned()
}

pub(super) fn is_in(word: &str, table: &[&str]) -> bool {
    table.contains(&key(word).as_str())
}

/// Subject and predicate, where the words are a clause.
pub(super) fn parts(words: &[String], asked: bool) -> Option<Parts> {
    let inverted = asked && is_in(&words[0], AUXILIARIES_EN);
    if inverted {
        let rest = &words[1..];
        let at = boundary(rest, &key(&words[0]))?;
        return Some(Parts::of(&words[0].to_lowercase(), &rest[..at], &rest[at..]));
    }
    let verb = |word: &String| asked && is_in(&singular(word), VERBS_EN) && !is_in(word, PEOPLE_EN);
    let finite = |word: &String| {
        let certain = verb(word) && !is_in(&singular(word), NOUN_VERBS_EN);
        is_in(word, AUXILIARIES_EN) || is_in(word, FINITE_EN) || certain
    };
    // "The board rejected our proposal": a past tense before an object that is determined.
    let did = |at: usize| {
        let object = words.get(at + 1).is_some_and(|next| is_in(next, DETERMINERS_EN));
        at > 1 && object && is_in(&words[0], DETERMINERS_EN) && key(&words[at]).ends_with("ed")
    };
    // "Our API returns 500 errors": a third person before an object that is counted or determined.
    let does = |at: usize| {
        let object = |next: &String| {
            is_in(
                next,
                &[
                    "too",
                    "so",
                    "such",
                    "almost",
                    "nearly",
                    "nothing",
                    "everything",
                    "out",
                    "off",
                    "up",
                    "down",
                    "away",
                ],
            ) || is_in(next, DETERMINERS_EN)
                || next.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '"' | '“'))
        };
        is_in(&singular(&words[at]), VERBS_EN) && !is_in(&words[at], VERBS_EN) && words.get(at + 1).is_some_and(object)
    };
    let acts = |at: usize| is_in(&words[at - 1], PEOPLE_EN) && is_in(&words[at], VERBS_EN);
    // "Cloud costs doubled in six months": a past tense that no object has to follow.
    let went = |at: usize| {
        let on = |next: &String| {
            is_in(
                next,
                &[
                    "in", "to", "from", "last", "over", "after", "since", "this", "during", "again", "within", "when",
                ],
            ) || key(next).ends_with("ly")
                || next.starts_with(|c: char| c.is_ascii_digit())
                || key(next) == "by"
                || key(next).ends_with("ing")
        };
        let plain = is_in(&words[at], PLAIN_PAST_EN) && !is_in(&words[at - 1], DETERMINERS_EN);
        // "Investors pulled out"
        let out = |next: &String| is_in(next, &["out", "off", "up", "down", "away", "back"]);
        let ed = key(&words[at]).ends_with("ed") && is_plural(&words[at - 1]) && words.get(at + 1).is_some_and(out);
        plain || ed || base(&words[at]).is_some() && words.get(at + 1).is_none_or(on)
    };
    // "Pull requests take forever": a verb in the plural behind a noun in the plural.
    let they = |at: usize| {
        let object = words.get(at + 1).is_some_and(|next| is_in(next, DETERMINERS_EN));
        is_plural(&words[at - 1]) && is_in(&words[at], VERBS_EN) && (object || !is_in(&words[at], NOUN_VERBS_EN))
    };
    // "The login page throws 502 every Monday".
    let it_does = |at: usize| {
        let verb = singular(&words[at]);
        verb != key(&words[at])
            && is_in(&verb, VERBS_EN)
            && !is_in(&verb, NOUN_VERBS_EN)
            && !is_in(&words[at], PEOPLE_EN)
            && !TROUBLE_EN.iter().any(|(trouble, _)| key(&words[at]) == *trouble)
            && !is_in(&words[at - 1], &["of", "in", "for", "and", "or", "the", "a"])
            && at + 1 < words.len()
            && !is_in(&words[at + 1], &["of", "and", "or"])
            && !words[at + 1].ends_with("ing")
    };
    // "The pressure in our building drops at night": behind a phrase a noun would have been its end.
    let then_does = |at: usize| {
        let verb = singular(&words[at]);
        let phrase = words[1..at - 1].iter().any(|word| is_in(word, PREPOSITIONS_EN));
        let on = |next: &String| {
            is_in(next, PREPOSITIONS_EN) || key(next).ends_with("ly") || next.starts_with(|c: char| c.is_ascii_digit())
        };
        phrase
            && verb != key(&words[at])
            && is_in(&verb, VERBS_EN)
            && !is_plural(&words[at - 1])
            && !is_in(&words[at - 1], PREPOSITIONS_EN)
            && !is_in(&words[at - 1], DETERMINERS_EN)
            && key(&words[at - 1]) != "and"
            && words.get(at + 1).is_some_and(on)
    };
    // "Code reviews turn into arguments", "the lights in the corridor flicker".
    let then_they = |at: usize| {
        let phrase = (1..at).find(|&at| is_in(&words[at], PREPOSITIONS_EN));
        let many = is_plural(&words[phrase.unwrap_or(at) - 1]);
        let particle = [
            "into", "up", "out", "down", "off", "away", "back", "over", "too", "in", "on", "at", "before", "after",
            "when",
        ];
        let on = words
            .get(at + 1)
            .is_some_and(|next| is_in(next, &particle) || key(next).ends_with("ly"));
        let certain = phrase.is_some_and(|phrase| at > phrase + 1)
            && !is_in(&words[at], NOUN_VERBS_EN)
            && !is_in(&words[at - 1], DETERMINERS_EN);
        let trouble = TROUBLE_EN.iter().any(|(trouble, _)| key(&words[at]) == *trouble);
        many && !trouble && is_in(&words[at], VERBS_EN) && (certain || phrase.is_none() && on)
    };
    // "The heating in room 12 never works"
    let never_does = |at: usize| at > 1 && is_adverb(&words[at - 1]) && is_in(&singular(&words[at]), VERBS_EN);
    // "The printer jams constantly": whatever it is, it has an adverb.
    let how_it_does = |at: usize| {
        let ends = key(&words[at]).ends_with('s')
            && !key(&words[at]).ends_with("ss")
            && !is_plural(&words[at - 1])
            && !is_in(&words[at], PEOPLE_EN)
            && !is_in(&words[at - 1], DETERMINERS_EN);
        ends && words.get(at + 1).is_some_and(|next| {
            key(next).ends_with("ly") && !is_in(next, NOT_ADVERBS_EN) || is_in(next, &["every", "again", "whenever"])
        })
    };
    // "Nobody answers": behind a pronoun comes its verb.
    let somebody = |at: usize| {
        at == 1 + words[1..].iter().take_while(|word| is_adverb(word)).count()
            && at + 1 < words.len()
            && PRONOUNS_EN.contains(&key(&words[0]).as_str())
            && !is_in(&words[0], DETERMINERS_EN)
            && !is_in(&words[at], PREPOSITIONS_EN)
    };
    let certain = (1..words.len()).find(|&at| {
        somebody(at)
            || finite(&words[at])
            || acts(at)
            || did(at)
            || does(at)
            || went(at)
            || they(at)
            || it_does(at)
            || how_it_does(at)
            || never_does(at)
            || then_they(at)
            || at > 2 && then_does(at)
    });
    // "Our search returns irrelevant results": nothing else can be the verb between two nouns.
    let between = |at: usize| {
        let verb = singular(&words[at]);
        let object = words[at + 1..].len() > 1 && words.last().is_some_and(|last| is_plural(last));
        let bare = !words
            .iter()
            .any(|word| is_in(word, PREPOSITIONS_EN) || matches!(key(word).as_str(), "and" | "or"));
        let noun = is_in(&words[0], DETERMINERS_EN) && !is_plural(&words[at - 1]);
        verb != key(&words[at]) && is_in(&verb, VERBS_EN) && noun && object && bare
    };
    let asked_for = || (1..words.len()).find(|&at| verb(&words[at]));
    let at = certain
        .or_else(asked_for)
        .or_else(|| (2..words.len()).find(|&at| between(at)))?;
    // A verb that only belongs to "that ..." says nothing about the subject.
    if words[..at].iter().any(|word| {
        matches!(
            key(word).as_str(),
            "that" | "which" | "who" | "how" | "what" | "whether" | "than"
        )
    }) {
        return None;
    }
    // "The team still does": the adverb is no part of the subject; behind an auxiliary it stands as in a question.
    let start = (1..at)
        .rev()
        .take_while(|&before| is_adverb(&words[before]))
        .last()
        .unwrap_or(at);
    let mut predicate = words[start..].to_vec();
    let mut parts = Parts {
        auxiliary: None,
        subject: words[..start].to_vec(),
        predicate: words[at..].to_vec(),
        order: words[start..].to_vec(),
    };
    if is_in(&words[at], AUXILIARIES_EN) && !parts.is_verb() {
        predicate[..=at - start].rotate_right(1);
    }
    parts.predicate = predicate;
    Some(parts)
}

/// The verb of a past tense in the table.
pub(super) fn base(past: &str) -> Option<&'static str> {
    PAST_EN
        .iter()
        .find(|(word, _)| key(past) == *word)
        .map(|(_, base)| *base)
}

/// Is it an adverb that may stand in front of a verb?
pub(super) fn is_adverb(word: &str) -> bool {
    let ly = key(word).len() > 4 && key(word).ends_with("ly") && !is_in(word, NOT_ADVERBS_EN);
    is_in(word, ADVERBS_EN) || ly
}

/// Does the word look like a noun in the plural?
pub(super) fn is_plural(word: &str) -> bool {
    let word = key(word);
    word.len() > 3
        && word.ends_with('s')
        && !["ss", "us", "is"].iter().any(|end| word.ends_with(end))
        && !is_in(&word, AUXILIARIES_EN)
        || is_in(&word, PEOPLE_EN)
}

/// Fails -> fail, misses -> miss: near enough to look a verb up.
pub(super) fn singular(word: &str) -> String {
    let word = key(word);
    if let Some(stem) = word.strip_suffix("ies").map(|stem| format!("{stem}y"))
        && is_in(&stem, VERBS_EN)
    {
        return stem;
    }
    let es = word.strip_suffix("es").filter(|stem| is_in(stem, VERBS_EN));
    es.or_else(|| word.strip_suffix('s'))
        .map_or(word.clone(), str::to_owned)
}

/// Where the predicate begins behind `auxiliary`.
pub(super) fn boundary(rest: &[String], auxiliary: &str) -> Option<usize> {
    if rest.len() < 2 {
        return None;
    }
    let pronoun = PRONOUNS_EN.contains(&key(&rest[0]).as_str());
    // "that", "this" and "these" may stand before a noun.
    if pronoun && !is_in(&rest[1], PREPOSITIONS_EN) && !(is_in(&rest[0], DETERMINERS_EN) && rest.len() > 2) {
        return Some(1);
    }
    let be = matches!(
        auxiliary,
        "is" | "are" | "was" | "were" | "isn't" | "aren't" | "wasn't" | "weren't"
    );
    let perfect = matches!(auxiliary, "has" | "have" | "had" | "hasn't" | "haven't");
    let start = 1 + usize::from(is_in(&rest[0], DETERMINERS_EN));
    // They begin a predicate only behind a whole noun phrase.
    let articles = ["a", "an", "the", "no", "all", "over", "up", "down", "behind"];
    let mut uncertain = None;
    for at in start..rest.len() {
        let word = key(&rest[at]);
        let before = key(&rest[at - 1]);
        // Behind a preposition or an article the noun phrase goes on.
        if is_in(&before, PREPOSITIONS_EN)
            || is_in(&before, DETERMINERS_EN)
            || matches!(before.as_str(), "and" | "or" | "by" | "as")
        {
            continue;
        }
        let all = matches!(word.as_str(), "all" | "both") && is_plural(&before);
        let adverb = all
            || is_in(&word, ADVERBS_EN)
            || (word.len() > 4 && word.ends_with("ly") && !is_in(&word, NOT_ADVERBS_EN));
        if adverb {
            return Some(at);
        }
        let measure = word.starts_with(|c: char| c.is_ascii_digit())
            && rest.get(at + 1).is_some_and(|unit| is_in(unit, UNITS_EN));
        if measure && (be || perfect) {
            return Some(at);
        }
        // "the meeting room booking system | so unreliable"
        let later = |at: usize| {
            let many = |next: &String| is_in(next, &["many", "much", "few", "little", "often", "long"]);
            let so = |at: &usize| is_in(&rest[*at], &["so", "too"]) && !rest.get(at + 1).is_some_and(many);
            // "public speaking | so scary", but "prices | rising so fast"
            let fast = |next: &String| is_in(next, PACES_EN) || key(next).ends_with("ly");
            let noun = |at: usize| so(&at) && rest.get(at + 1).is_some_and(|next| !fast(next));
            (at + 2..rest.len()).any(|at| so(&at)) || at + 1 < rest.len() && noun(at + 1)
        };
        // "slower than C"
        if (be || perfect) && rest.get(at + 1).is_some_and(|next| key(next) == "than") {
            return Some(at);
        }
        // "priced out of the market"
        let passive = be && word.len() > 4 && word.ends_with("ed");
        let on = |next: &String| is_in(next, PREPOSITIONS_EN) || is_in(next, FUNCTION_EN) || is_in(next, ADVERBS_EN);
        if passive && rest.get(at + 1).is_none_or(on) {
            return Some(at);
        }
        let says = if be {
            is_in(&word, PREDICATE_EN) && (!articles.contains(&word.as_str()) || at >= start)
                || word.ends_with("ing") && !is_in(&word, NOUNS_IN_ING_EN) && !later(at)
        } else if perfect {
            is_in(&word, PREDICATE_EN) && !articles.contains(&word.as_str()) || word.ends_with("ed")
        } else {
            let goes_on = rest.get(at + 1).is_none_or(|next| {
                is_in(next, FUNCTION_EN)
                    || is_in(next, DETERMINERS_EN)
                    || is_in(next, ADVERBS_EN)
                    || key(next).ends_with("ly")
            });
            let certain = is_in(&word, VERBS_EN) && (goes_on || !is_in(&word, NOUN_VERBS_EN));
            if is_in(&word, VERBS_EN) && !certain {
                uncertain = uncertain.or(Some(at));
            }
            certain
        };
        if says {
            return Some(at);
        }
    }
    if be || perfect {
        // "is X <something>": what says it stands last, or in front of a phrase that is not about the noun.
        let within = |at: usize| is_in(&rest[at - 1], PREPOSITIONS_EN) || is_in(&rest[at - 1], DETERMINERS_EN);
        let ends = |at: usize| rest.get(at + 1).is_none_or(|next| is_in(next, PREPOSITIONS_EN));
        let adjective = |at: &usize| {
            let word = key(&rest[*at]);
            is_in(&word, PREDICATE_EN) || ADJECTIVE_ENDINGS_EN.iter().any(|end| word.ends_with(end))
        };
        let last = (start..rest.len()).rev().filter(|&at| !within(at) && ends(at));
        // "bridges in the US | in bad condition"
        let phrase = (start..rest.len())
            .rev()
            .find(|&at| at > 1 && is_in(&rest[at], PREPOSITIONS_EN) && key(&rest[at]) != "of");
        let found = last.clone().find(adjective);
        return Some(found.or(phrase).or(last.clone().next()).unwrap_or(rest.len() - 1));
    }
    if uncertain.is_some() {
        return uncertain;
    }
    // No verb that we know: after a plural there must be one.
    if let Some(at) = (start..rest.len()).find(|&at| {
        is_plural(&rest[at - 1])
            && !is_in(&rest[at], PREPOSITIONS_EN)
            && !matches!(key(&rest[at]).as_str(), "and" | "or")
    }) {
        return Some(at);
    }
    let object = |word: &String| {
        is_in(
            word,
            &[
                "everything",
                "everyone",
                "nothing",
                "anything",
                "it",
                "them",
                "us",
                "me",
            ],
        )
    };
    if rest.len() > start + 1 && rest.last().is_some_and(object) {
        return Some(rest.len() - 2);
    }
    let follows = (start + 1..rest.len()).find(|&at| is_in(&rest[at], FUNCTION_EN) || key(&rest[at]).ends_with("ly"));
    Some(follows.map_or(rest.len() - 1, |at| at - 1))
}
