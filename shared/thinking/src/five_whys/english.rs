//! What an English query is about: what is said of what, or a topic; which noun phrases need an article, and which are the
//! trouble itself, is told by tables.
//!
//! - `clause`: the sentence that tells the matter, parted into subject and predicate.
//! - `predicate`: what a predicate says, which kind of clause that makes, and the forms of verbs.
//! - `noun`: noun phrases, and the kinds of matter.

mod clause;
mod noun;
mod predicate;

use super::tables::*;
use super::text::{Text, paired};
use super::{Matter, class, stripped};
use clause::{Parts, boundary, clause, is_in, is_plural, key, made, parts, words};
use noun::{article, cut, determined, kind, lowered, named, shed};
use predicate::words_of;

/// The longest clause that is asked about as a whole, in words and in characters.
const CLAUSE_WORDS: usize = 20;
const CLAUSE: usize = 100;

pub(super) fn matter(text: &Text) -> Matter {
    let (asked, clause) = clause(text);
    let words = one(reported(nobody(words(&clause))), asked);
    let empty = [DETERMINERS_EN, PREPOSITIONS_EN, AUXILIARIES_EN, EMPTY_EN];
    let says = |word: &String| {
        let pronoun = PRONOUNS_EN.contains(&key(word).as_str());
        !pronoun && !empty.iter().any(|table| is_in(word, table))
    };
    if !words.iter().any(says) {
        return Matter::noun(MATTER_EN.to_owned(), class("default"));
    }
    if let Some(parts) = hindered(&clause) {
        return told(&parts, true);
    }
    if let Some(parts) = made(&clause) {
        return told(&parts, true);
    }
    if clause.head(HOW_EN).or(clause.head(ASKING_HOW_EN)).is_some() {
        return way(&clause);
    }
    match parts(&words, asked) {
        Some(parts) => told(&parts, asked),
        None => topic(&words),
    }
}

/// "no one" as one word.
fn nobody(mut words: Vec<String>) -> Vec<String> {
    while let Some(at) = (1..words.len()).find(|&at| key(&words[at - 1]) == "no" && key(&words[at]) == "one") {
        words.splice(at - 1..=at, ["nobody".to_owned()]);
    }
    words
}

/// What somebody says or sees, without who does: "Our support team says the app crashes".
fn reported(words: Vec<String>) -> Vec<String> {
    let says = |at: usize| {
        let that = words.get(at + 1).is_some_and(|next| key(next) == "that");
        let clause = words
            .get(at + 1)
            .is_some_and(|next| is_in(next, DETERMINERS_EN) || PRONOUNS_EN.contains(&key(next).as_str()));
        is_in(&words[at], REPORTING_EN) && (that || clause && parts(&words[at + 1..], false).is_some())
    };
    match (1..words.len().min(7)).find(|&at| says(at)) {
        Some(at) => {
            let that = usize::from(key(&words[at + 1]) == "that");
            let rest = words[at + 1 + that..].to_vec();
            // "nobody gives them feedback" is about those who say so.
            let of_them = rest
                .iter()
                .any(|word| is_in(word, &["they", "them", "their", "he", "she", "his", "her", "him"]));
            if rest.len() > 2 && !of_them {
                reported(rest)
            } else {
                words
            }
        }
        None => words,
    }
}

/// One clause of several: "Since the merger, nobody answers" -> "nobody answers since the merger"; without a second
/// statement or question behind it.
fn one(words: Vec<String>, asked: bool) -> Vec<String> {
    let question = |at: usize| {
        key(&words[at - 1]) == "and" && is_in(&words[at], &["how", "what", "who", "should", "can", "why", "nobody"])
    };
    if asked && let Some(at) = (3..words.len()).find(|&at| question(at)) {
        let mut first = words[..at - 1].to_vec();
        first[at - 2] = first[at - 2].trim_end_matches(',').to_owned();
        return first;
    }
    let Some(comma) = words
        .iter()
        .position(|word| word.ends_with(','))
        .filter(|&at| !asked && at + 2 < words.len())
    else {
        return words;
    };
    let mut opening = words[..=comma].to_vec();
    if let Some(last) = opening.last_mut() {
        last.pop();
    }
    let rest = &words[comma + 1..];
    if is_in(&words[0], OPENINGS_EN) && parts(rest, false).is_some() {
        let first = opening[0].to_lowercase();
        opening[0] = first;
        return [rest, &opening].concat();
    }
    if parts(&opening, false).is_some() {
        opening
    } else {
        words
    }
}

/// "What's stopping hospitals from sharing data": hospitals are not sharing data.
fn hindered(clause: &Text) -> Option<Parts> {
    let end = clause.head(HINDERS_EN)?;
    let rest = words(&clause.slice(end..clause.len()));
    let from = rest.iter().position(|word| key(word) == "from").filter(|&at| at > 0)?;
    rest.get(from + 1).filter(|word| word.ends_with("ing"))?;
    let predicate = [&["not".to_owned()], &rest[from + 1..]].concat();
    Some(Parts::of(be(&rest[from - 1]), &rest[..from], &predicate))
}

/// The form of "be" behind a noun that ends in `word`.
fn be(word: &str) -> &'static str {
    if is_plural(word) { "are" } else { "is" }
}

/// A clause with subject and predicate.
fn told(parts: &Parts, asked: bool) -> Matter {
    let pronoun = parts.subject.len() == 1 && PRONOUNS_EN.contains(&key(&parts.subject[0]).as_str());
    let mut class = kind(&parts.subject, &parts.said());
    let trouble = parts
        .head()
        .is_some_and(|head| TROUBLE_EN.iter().any(|(word, _)| key(head) == *word));
    if class.name != "cost" && trouble {
        class = super::class("problem");
    }
    let clause = shortened(&parts.finite());
    let first = question(parts, asked).or_else(|| Some(format!("Why is it that {}?", clause.clone()?)));
    if (pronoun || !parts.asks_noun(class))
        && let Some(clause) = clause
    {
        let subject = named(&parts.subject);
        let whole = pronoun || !clause.contains(&subject);
        return Matter {
            subject: if whole { cut(&words_of(&clause)) } else { subject },
            first,
            clause: Some(clause),
            class: parts.flavour(class),
        };
    }
    let subject = match pronoun {
        true => MATTER_EN.to_owned(),
        false => named(&shed(&parts.subject, class)),
    };
    Matter {
        first,
        ..Matter::noun(subject, class)
    }
}

/// The clause up to a word at which it may end, where it is too long; none where there is no such word.
fn shortened(words: &[String]) -> Option<String> {
    let length = |end: usize| words[..end].iter().map(|word| word.chars().count() + 1).sum::<usize>();
    let fits = |end: usize| end <= CLAUSE_WORDS && length(end) <= CLAUSE;
    let ends = |end: usize| is_in(&words[end], JOINING_EN) || words[end - 1].ends_with([',', ';', ':']);
    let end = if fits(words.len()) {
        words.len()
    } else {
        (5..words.len()).rev().find(|&end| fits(end) && ends(end))?
    };
    Some(paired(
        words[..end].join(" ").trim_end_matches([',', ';', ':', '.', ' ']),
    ))
}

/// The user's own question.
fn question(parts: &Parts, asked: bool) -> Option<String> {
    let joined = |words: &[String]| {
        words
            .iter()
            .any(|word| is_in(word, &["and", "but", "or"]) || word.ends_with(','))
    };
    let predicate = parts.predicate.join(" ");
    let short = parts.subject.len() < 6 && !joined(&parts.predicate);
    let question = match &parts.auxiliary {
        Some(auxiliary) if asked => format!("Why {auxiliary} {} {predicate}", lowered(&parts.subject).join(" ")),
        // Do, does and did would have to take the verb's ending over; the others only move.
        None if is_in(&parts.predicate[0], AUXILIARIES_EN)
            && parts.predicate.len() > 1
            && !parts.is_verb()
            && (asked || short) =>
        {
            format!(
                "Why {} {} {}",
                parts.predicate[0],
                determined(&parts.subject).join(" "),
                parts.predicate[1..].join(" ")
            )
        }
        _ => return None,
    };
    (question.split(' ').count() <= CLAUSE_WORDS + 3).then(|| format!("{}?", paired(&question)))
}

/// How something may be done asks why it is hard: "how can a bakery compete" is about it being hard for a bakery to
/// compete; "how to improve retention" is about retention.
fn way(clause: &Text) -> Matter {
    let mut rest = clause.trim();
    while let Some(end) = rest.head(HOW_EN) {
        rest = rest.slice(end..rest.len()).trim();
    }
    let asked = rest.head(ASKING_HOW_EN).filter(|&end| end < rest.len());
    let mut all = words(&rest.slice(asked.unwrap_or(0)..rest.len()));
    let mut subject = all.join(" ");
    if let Some(asked) = asked
        && let Some(at) = boundary(&all, "do")
    {
        let auxiliary = words(&rest.slice(0..asked)).pop().unwrap_or_default();
        if ["do", "does", "did"].contains(&auxiliary.as_str()) {
            return told(&Parts::of(&auxiliary, &all[..at], &all[at..]), true);
        }
        let who = lowered(&all[..at]);
        let doing = Text::new(&all[at..].join(" "), rest.len());
        if let Some(object) = improved(&doing) {
            return object;
        }
        let pronoun = at == 1 && PRONOUNS_EN.contains(&key(&all[0]).as_str());
        let whom = if pronoun {
            String::new()
        } else {
            format!("for {} ", who.join(" "))
        };
        subject = if pronoun { doing.shown() } else { who.join(" ") };
        all = words_of(&format!("{whom}to {}", doing.shown()));
    } else {
        if let Some(object) = improved(&rest) {
            return object;
        }
        all.insert(0, "to".to_owned());
    }
    Matter {
        subject: cut(&words_of(&subject)),
        ..told(
            &Parts::of("is", &["it".to_owned()], &[words_of("so hard"), all].concat()),
            true,
        )
    }
}

/// The matter of "improve retention", and of "stop employees from sharing passwords".
fn improved(doing: &Text) -> Option<Matter> {
    let end = doing.head(IMPROVE_EN).filter(|&end| end < doing.len())?;
    let object = words(&stripped(&doing.slice(end..doing.len())));
    let from = object.iter().position(|word| key(word) == "from").filter(|&at| at > 0);
    if let Some(from) = from.filter(|&at| object.get(at + 1).is_some_and(|doing| doing.ends_with("ing"))) {
        let parts = Parts::of(be(&object[from - 1]), &object[..from], &object[from + 1..]);
        return Some(told(&parts, true));
    }
    Some(topic(&object))
}

/// "employees reusing passwords" is what happens; so is "newsletter open rate dropping".
fn happening(words: &[String]) -> Option<Parts> {
    let doing = |word: &String| word.ends_with("ing") && word.len() > 4 && !is_in(word, NOUNS_IN_ING_EN);
    let at = (1..words.len()).find(|&at| {
        let noun = !is_in(&words[at - 1], PREPOSITIONS_EN) && !is_in(&words[at - 1], DETERMINERS_EN);
        let ends = words
            .get(at + 1)
            .is_none_or(|next| is_in(next, FUNCTION_EN) || is_in(next, ADVERBS_EN));
        let named = at > 1 && ends && !is_in(&words[at - 1], EMPTY_EN);
        let not = key(&words[at]) == "not" && words.get(at + 1).is_some_and(doing);
        let state = at + 1 < words.len() && is_in(&words[at], STATES_EN);
        noun && (not || state || doing(&words[at]) && (is_plural(&words[at - 1]) || named))
    })?;
    let head = (0..at)
        .find(|&at| is_in(&words[at], PREPOSITIONS_EN))
        .unwrap_or(at)
        .max(1)
        - 1;
    let mut subject = determined(&words[..at]);
    let bare = !subject.iter().any(|word| is_in(word, DETERMINERS_EN));
    if bare && !is_plural(&words[head]) && be(&words[head]) == "is" && is_in(&words[head], COUNTABLE_EN) {
        subject.insert(0, "the".to_owned());
    }
    Some(Parts::of(be(&words[head]), &subject, &words[at..]))
}

/// "the effects of rent control on housing supply": nobody has said that they are bad.
fn effect(words: &[String]) -> Option<Matter> {
    let start = usize::from(is_in(&words[0], DETERMINERS_EN));
    let of = words
        .iter()
        .position(|word| key(word) == "of")
        .filter(|&at| at == start + 1)?;
    let on = words
        .iter()
        .position(|word| key(word) == "on")
        .filter(|&at| at > of + 1 && at + 1 < words.len())?;
    is_in(&words[start], EFFECTS_EN).then_some(())?;
    let the: &[String] = if start == 0 { &["the".to_owned()] } else { &[] };
    Some(Matter {
        first: Some(format!(
            "Why would {} affect {}?",
            words[of + 1..on].join(" "),
            words[on + 1..].join(" ")
        )),
        ..Matter::noun(cut(&[the, words].concat()), class("effect"))
    })
}

/// Words that we cannot part: perhaps a clause.
fn unparted(words: &[String]) -> Matter {
    let clause = shortened(words).unwrap_or_else(|| cut(words));
    Matter {
        subject: cut(&words_of(&clause)),
        clause: Some(clause),
        first: None,
        class: super::told("default"),
    }
}

/// A noun phrase without a predicate.
fn topic(words: &[String]) -> Matter {
    let mut words = lowered(words);
    if words.is_empty() {
        return Matter::noun(MATTER_EN.to_owned(), class("default"));
    }
    if let Some(parts) = happening(&words) {
        return told(&parts, true);
    }
    // "wait times in emergency rooms" are asked about as too long.
    let times = (1..words.len())
        .find(|&at| is_in(&words[at], PREPOSITIONS_EN))
        .unwrap_or(words.len());
    if times > 1 && is_in(&words[times - 1], &["time", "times"]) && is_in(&words[times - 2], DURATIONS_EN) {
        let long = ["so".to_owned(), "long".to_owned()];
        return told(&Parts::of(be(&words[times - 1]), &words, &long), true);
    }
    if let Some(effect) = effect(&words) {
        return effect;
    }
    let determined = usize::from(is_in(&words[0], DETERMINERS_EN));
    // "the high cost of insulin" is a cost, which has its own questions.
    if words.len() > determined + 1
        && is_in(&words[determined], TROUBLED_EN)
        && is_in(&words[determined + 1], COST_WORDS_EN)
        && !is_in(&words[determined], &["low", "falling", "declining"])
    {
        words.remove(determined);
    }
    let preposition = (determined + 1..words.len()).find(|&at| is_in(&words[at], PREPOSITIONS_EN));
    let head = preposition.unwrap_or(words.len()) - 1;
    let trouble = TROUBLE_EN.iter().find(|(word, _)| key(&words[head]) == *word);
    // "the 2008 financial crisis"
    let year = |word: &String| word.len() == 4 && word.parse::<u16>().is_ok_and(|year| (1000..2100).contains(&year));
    if words.iter().any(year) {
        return Matter::noun(named(&words), class("past"));
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
        return Matter::noun(cut(&once), class("past"));
    }
    if trouble.is_none() && !troubled {
        let mut class = kind(&words, &[]);
        if class.name == "cost" && !words.iter().any(|word| is_in(word, COST_WORDS_EN)) {
            class = super::class("default");
        }
        let acts =
            words.len() > 3 && is_in(&words[0], PEOPLE_EN) && words[1..].iter().any(|word| is_in(word, VERBS_EN));
        if class.name == "default" && acts {
            return unparted(&words);
        }
        let clause =
            words.len() > 4 && (is_in(&words[0], DETERMINERS_EN) || words.iter().any(|word| word.ends_with(',')));
        if class.name == "default" && clause && preposition.is_none() || words.iter().any(|word| word.ends_with(',')) {
            return unparted(&words);
        }
        return Matter::noun(named(&shed(&words, class)), class);
    }
    let countable = trouble.map_or_else(|| is_in(&words[head], COUNTABLE_EN), |(_, article)| !article.is_empty());
    // "the decline of newspapers", but "a lack of sleep" and "delays of trains".
    let the = match trouble {
        Some((word, _)) => !["lack", "shortage", "gap"].contains(word) && !is_plural(&words[head]),
        None => true,
    };
    let seen = if determined == 0 && of && the {
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
        // Of a thing that nothing else is known of, the trouble is the better subject.
        if !matches!(class.name, "default" | "nature") {
            return Matter {
                first: Some(format!("Why are we seeing {}?", paired(&seen))),
                ..Matter::noun(named(of), class)
            };
        }
    }
    let seen: Vec<String> = seen.split(' ').map(str::to_owned).collect();
    Matter::noun(cut(&seen), class("problem"))
}
