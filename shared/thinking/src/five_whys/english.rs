//! What an English query is about: what is said of what, or a topic; which noun phrases need an article, and which are the
//! trouble itself, is told by tables.
//!
//! - `clause`: the sentence that tells the matter, parted into subject and predicate.
//! - `predicate`: what a predicate says, and its participle.
//! - `noun`: noun phrases, and the kinds of matter.

mod clause;
mod noun;
mod predicate;

use super::tables::{
    ASKING_HOW_EN, AUXILIARIES_EN, COST_OF_EN, COST_WORDS_EN, COUNTABLE_EN, DETERMINERS_EN, EMPTY_EN, HINDERS_EN,
    HOW_EN, IMPACT_EN, IMPROVE_EN, MATTER_EN, NOUNS_IN_ING_EN, ONCE_EN, PREPOSITIONS_EN, PRONOUNS_EN, TROUBLE_EN,
    TROUBLED_EN, VERBS_EN,
};
use super::text::{Text, paired};
use super::{Matter, class, stripped};
use clause::{Parts, base, boundary, clause, is_in, is_plural, key, made, parts, singular, words};
use noun::{article, cut, is_hiring, kind, lowered, named, shed};
use predicate::{doing, gerund, hard_to, words_of};

/// The longest symptom that is asked about in the user's own words.
const SYMPTOM_WORDS: usize = 22;

pub(super) fn matter(text: &Text) -> Matter {
    let (asked, clause) = clause(text);
    let words = words(&clause);
    let empty = [DETERMINERS_EN, PREPOSITIONS_EN, AUXILIARIES_EN, EMPTY_EN];
    let says = |word: &String| {
        let pronoun = PRONOUNS_EN.iter().any(|(pronoun, _)| key(word) == *pronoun);
        !pronoun && !empty.iter().any(|table| is_in(word, table))
    };
    if !words.iter().any(says) {
        return Matter {
            subject: MATTER_EN.to_owned(),
            first: None,
            class: class("default"),
        };
    }
    if let Some(doing) = hindered(&clause) {
        return Matter {
            subject: cut(&doing),
            first: None,
            class: class("event"),
        };
    }
    if let Some(parts) = made(&clause) {
        return told(&parts, true);
    }
    let how = clause.head(HOW_EN).or(clause.head(ASKING_HOW_EN)).is_some();
    if how {
        let words = way(&clause);
        // "stop employees from sharing passwords" is about employees sharing passwords.
        let from = words.iter().position(|word| key(word) == "from").filter(|&at| at > 0);
        if let Some(at) = from.filter(|&at| words.get(at + 1).is_some_and(|doing| doing.ends_with("ing"))) {
            return Matter {
                subject: cut(&[&lowered(&words[..at]), &words[at + 1..]].concat()),
                first: None,
                class: class("event"),
            };
        }
        if clause.head(ASKING_HOW_EN).is_some() && is_event(&words) {
            return Matter {
                subject: cut(&lowered(&words)),
                first: None,
                class: class("default"),
            };
        }
        return topic(&words);
    }
    match parts(&words, asked) {
        Some(parts) => told(&parts, asked),
        None => topic(&words),
    }
}

/// "What's stopping hospitals from sharing data" -> "hospitals not sharing data".
fn hindered(clause: &Text) -> Option<Vec<String>> {
    let end = clause.head(HINDERS_EN)?;
    let rest = words(&clause.slice(end..clause.len()));
    let from = rest.iter().position(|word| key(word) == "from").filter(|&at| at > 0)?;
    let doing = rest.get(from + 1).filter(|word| word.ends_with("ing"))?;
    let mut all = lowered(&rest[..from]);
    all.extend(["not".to_owned(), doing.clone()]);
    all.extend_from_slice(&rest[from + 2..]);
    Some(all)
}

/// A clause with subject and predicate.
fn told(parts: &Parts, asked: bool) -> Matter {
    let pronoun = PRONOUNS_EN
        .iter()
        .find(|(word, _)| parts.subject.len() == 1 && key(&parts.subject[0]) == *word);
    let mut class = kind(&parts.subject, &parts.said());
    let end = parts.subject.iter().position(|word| is_in(word, PREPOSITIONS_EN));
    let head = end.unwrap_or(parts.subject.len()).saturating_sub(1);
    if class.name != "cost" && TROUBLE_EN.iter().any(|(word, _)| key(&parts.subject[head]) == *word) {
        class = super::class("problem");
    }
    let mut subject = named(&shed(&parts.subject, class));
    let everybody = [
        "everyone",
        "everybody",
        "nobody",
        "someone",
        "somebody",
        "anyone",
        "anybody",
    ];
    if let Some((word, stands_for)) = pronoun {
        subject = (*stands_for).to_owned();
        if *word == "there" {
            class = super::class("event");
            let adverbs = parts
                .predicate
                .iter()
                .take_while(|word| is_in(word, &["still", "always", "often"]))
                .count();
            subject = cut(&[&["having".to_owned()], &parts.predicate[adverbs..]].concat());
        } else if *word == "we" && parts.cannot() {
            if matches!(class.name, "market" | "cost" | "talent") {
                class = super::class("default");
            }
            subject = cut(&[
                &["our".to_owned(), "efforts".to_owned(), "to".to_owned()],
                parts.predicate.as_slice(),
            ]
            .concat());
        } else if *word == "it"
            && let Some(doing) = hard_to(&parts.predicate)
        {
            let people = class.name == "talent" && is_hiring(&doing) && doing.len() > 1;
            subject = cut(&doing[usize::from(people)..]);
        } else if *word == "i"
            && matches!(class.name, "default" | "personal" | "health" | "education")
            && let Some(doing) = doing(&parts.predicate)
        {
            class = super::class("personal");
            subject = cut(&doing);
        } else if *word == "we" && class.name != "success" {
            class = parts.happened();
            subject = cut(&[&["us".to_owned()], parts.happening().as_slice()].concat());
        } else if everybody.contains(word) {
            class = parts.happened();
            let mut happening = parts.happening();
            let mut who = (*word).to_owned();
            // "Why didn't anyone notice" is about nobody noticing.
            if word.starts_with("any") && happening.first().is_some_and(|word| word == "not") {
                happening.remove(0);
                who = "nobody".to_owned();
            }
            subject = cut(&[&[who], happening.as_slice()].concat());
        }
    } else if parts.is_event(class) {
        class = match class.name {
            "success" if parts.is_people() && parts.happened().name == "event" => super::class("choice"),
            "success" if parts.is_people() => parts.happened(),
            "market" if parts.is_rising() && parts.happened().name == "event" => super::class("choice"),
            "success" => class,
            "nature" if !parts.is_mine() => class,
            "default" | "nature" if parts.is_mine() => super::class("personal"),
            _ => parts.happened(),
        };
        subject = cut(&[words_of(&named(&parts.subject)), parts.happening()].concat());
    }
    if class.name == "cost" && !parts.subject.iter().any(|word| is_in(word, COST_WORDS_EN)) {
        subject = COST_OF_EN.replace("{s}", &subject);
    }
    let first = question(parts, asked);
    Matter { subject, first, class }
}

/// The user's own question.
fn question(parts: &Parts, asked: bool) -> Option<String> {
    if parts.subject.len() + parts.predicate.len() > SYMPTOM_WORDS {
        return None;
    }
    let subject = if asked {
        lowered(&parts.subject).join(" ")
    } else {
        named(&parts.subject)
    };
    let predicate = parts.predicate.join(" ");
    let question = match &parts.auxiliary {
        Some(auxiliary) => format!("Why {auxiliary} {subject} {predicate}"),
        // Do, does and did would have to take the verb's ending over; the others only move.
        None if is_in(&parts.predicate[0], AUXILIARIES_EN) && parts.predicate.len() > 1 && !parts.is_verb() => {
            format!(
                "Why {} {subject} {}",
                parts.predicate[0],
                parts.predicate[1..].join(" ")
            )
        }
        None => format!("Why is it that {subject} {predicate}"),
    };
    Some(format!("{}?", paired(&question)))
}

/// What is to be done, as a noun: "how to learn Rust" -> "learning Rust", "how to improve retention" -> "retention".
fn way(clause: &Text) -> Vec<String> {
    let mut rest = clause.trim();
    while let Some(end) = rest.head(HOW_EN) {
        rest = rest.slice(end..rest.len()).trim();
    }
    if let Some(end) = rest.head(IMPROVE_EN).filter(|&end| end < rest.len()) {
        return words(&stripped(&rest.slice(end..rest.len())));
    }
    let asked = rest.head(ASKING_HOW_EN).filter(|&end| end < rest.len());
    let mut words = words(&rest.slice(asked.unwrap_or(0)..rest.len()));
    if asked.is_some()
        && let Some(at) = boundary(&words, "do")
    {
        let doing = words[at..].join(" ");
        let doing = Text::new(&doing, rest.len());
        let object = doing.head(IMPROVE_EN).filter(|&end| end < doing.len());
        if let Some(end) = object {
            return words_of(&stripped(&doing.slice(end..doing.len())).shown());
        }
        words[at] = gerund(&words[at]);
        let pronoun = at == 1 && PRONOUNS_EN.iter().any(|(word, _)| key(&words[0]) == *word);
        words.drain(..usize::from(pronoun));
        return words;
    }
    if let Some(verb) = words.first_mut() {
        *verb = gerund(verb);
    }
    words
}

/// "employees reusing passwords" is what happens.
fn is_event(words: &[String]) -> bool {
    (1..words.len()).any(|at| {
        is_plural(&words[at - 1])
            && (words[at].ends_with("ing") && !is_in(&words[at], NOUNS_IN_ING_EN) || key(&words[at]) == "not")
    })
}

/// A noun phrase without a predicate.
fn topic(words: &[String]) -> Matter {
    let words = lowered(words);
    if words.is_empty() {
        return Matter {
            subject: MATTER_EN.to_owned(),
            first: None,
            class: class("default"),
        };
    }
    if is_event(&words) {
        return Matter {
            subject: cut(&words),
            first: None,
            class: class("event"),
        };
    }
    let determined = usize::from(is_in(&words[0], DETERMINERS_EN));
    let preposition = (determined + 1..words.len()).find(|&at| is_in(&words[at], PREPOSITIONS_EN));
    let head = preposition.unwrap_or(words.len()) - 1;
    let trouble = TROUBLE_EN.iter().find(|(word, _)| key(&words[head]) == *word);
    // "the 2008 financial crisis"
    let year = |word: &String| word.len() == 4 && word.parse::<u16>().is_ok_and(|year| (1000..2100).contains(&year));
    if words.iter().any(year) {
        return Matter {
            subject: named(&words),
            first: None,
            class: class("past"),
        };
    }
    let measured =
        words.len() > 2 && (key(&words[0]) == "too" || (key(&words[0]) == "not" && key(&words[1]) == "enough"));
    let troubled = words.len() > determined + 1 && is_in(&words[determined], TROUBLED_EN) || measured;
    let of = words.get(head + 1).is_some_and(|word| key(word) == "of");
    if of && is_in(&words[head], ONCE_EN) {
        let once = if determined == 0 {
            [&["the".to_owned()], words.as_slice()].concat()
        } else {
            words
        };
        return Matter {
            subject: cut(&once),
            first: None,
            class: class("past"),
        };
    }
    if trouble.is_none() && !troubled {
        let class = kind(&words, &[]);
        let mut subject = named(&shed(&words, class));
        if class.name == "cost" && !words.iter().any(|word| is_in(word, COST_WORDS_EN)) {
            subject = COST_OF_EN.replace("{s}", &subject);
        }
        // Nothing is known of it, perhaps not even its verb: the user's own words, as such.
        let verb = |word: &String| is_in(&singular(word), VERBS_EN) || base(word).is_some();
        let prepositions = || (1..words.len()).filter(|&at| is_in(&words[at], PREPOSITIONS_EN));
        let phrase = preposition.is_some() && !prepositions().any(|at| verb(&words[at - 1]));
        if class.name == "default" && words.len() > 4 && !phrase && !subject.contains('"') {
            subject = format!("\"{}\"", cut(&words));
        }
        return Matter {
            subject,
            first: None,
            class,
        };
    }
    let countable = trouble.map_or_else(|| is_in(&words[head], COUNTABLE_EN), |(_, article)| !article.is_empty());
    let come = is_in(&words[head], IMPACT_EN);
    let seen = if determined == 0 && of && (come || troubled && trouble.is_none()) {
        format!("the {}", words.join(" "))
    } else if determined == 0 && countable {
        format!("{} {}", article(&words[0]), words.join(" "))
    } else {
        words.join(" ")
    };
    // "delays in delivery" are trouble of delivery, which has its own questions; "inflation in Turkey" is a matter itself.
    let relation = [
        "shortage",
        "shortages",
        "lack",
        "delay",
        "delays",
        "decline",
        "drop",
        "increase",
        "rise",
        "fall",
        "failure",
        "failures",
    ];
    if let (Some((word, _)), Some(at)) = (trouble, preposition)
        && (key(&words[at]) == "of" || relation.contains(word))
        && head == determined
        && at + 1 < words.len()
    {
        let of = &words[at + 1..];
        let class = kind(of, &words[..at]);
        let subject = match class.name {
            "cost" if !of.iter().any(|word| is_in(word, COST_WORDS_EN)) => COST_OF_EN.replace("{s}", &named(of)),
            _ => named(of),
        };
        // Of a thing that nothing else is known of, the trouble is the better subject.
        if !matches!(class.name, "default" | "nature") {
            return Matter {
                subject,
                first: Some(format!("Why are we seeing {}?", paired(&seen))),
                class,
            };
        }
    }
    let seen: Vec<String> = seen.split(' ').map(str::to_owned).collect();
    Matter {
        subject: cut(&seen),
        first: None,
        class: class("problem"),
    }
}
