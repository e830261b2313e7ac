//! What an English query is about. The subject ends where a verb, an adverb or an auxiliary begins; which noun phrases
//! need an article, and which are the trouble itself, is told by tables.

use super::tables::{
    ADOPTING_EN, ADVERBS_EN, AUXILIARIES_EN, BEFORE_VERB_EN, BUSINESS_EN, CLASSES, COMMON_EN, COMMON_ENDINGS_EN,
    COST_OF_EN, COST_WORDS_EN, COSTLY_EN, COUNTABLE_EN, DANGLING_EN, DETERMINERS_EN, DOUBLING_EN, FINITE_EN,
    FUNCTION_EN, HIRING_EN, HOW_EN, IMPROVE_EN, KEEPING_EN, MATTER_EN, NAMES_EN, NOT_ADVERBS_EN, NOUN_VERBS_EN,
    NOUNS_IN_ING_EN, PEOPLE_EN, PREDICATE_EN, PREPOSITIONS_EN, PRONOUNS_EN, TROUBLE_EN, TROUBLED_EN, VERBS_EN,
};
use super::text::{Text, paired};
use super::{Class, Matter, best, class, stripped, without_method};

/// The longest subject: in words, and in characters for words without end.
const WORDS: usize = 10;
const CHARACTERS: usize = 80;

/// The longest symptom that is asked about in the user's own words.
const SYMPTOM_WORDS: usize = 22;

pub(super) fn matter(text: &Text) -> Matter {
    let (asked, clause) = clause(text);
    let words = words(&clause);
    if words.is_empty() {
        return Matter {
            subject: MATTER_EN.to_owned(),
            first: None,
            class: class("default"),
        };
    }
    let how = clause.head(HOW_EN).is_some();
    if how {
        return topic(&way(&clause));
    }
    match parts(&words, asked) {
        Some(parts) => told(&parts, asked),
        None => topic(&words),
    }
}

/// A subject, and what is said about it.
struct Parts {
    /// Of a question: does, is, can't. Stands before the subject.
    auxiliary: Option<String>,
    subject: Vec<String>,
    predicate: Vec<String>,
}

/// The clause that tells the matter, and whether a why stood before it, which is cut off.
fn clause(text: &Text) -> (bool, Text) {
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
            sentence = sentence.slice(0..why.start).trim();
        }
        let clause = if sentence.head(HOW_EN).is_some() {
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
fn opened(sentence: &Text) -> Text {
    if let Some(how) = sentence.find(HOW_EN)
        && !stripped(&sentence.slice(0..how.start)).has_words()
    {
        return sentence.slice(how.start..sentence.len());
    }
    stripped(sentence)
}

/// Where a why stands.
fn why(sentence: &Text) -> Option<std::ops::Range<usize>> {
    sentence.find(&["why is it that", "why", "how come", "为什么", "为何"])
}

fn words(text: &Text) -> Vec<String> {
    text.shown().split_whitespace().map(str::to_owned).collect()
}

/// A word as the tables have it.
fn key(word: &str) -> String {
    let word: String = word.chars().map(crate::language::fold).collect();
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned()
}

fn is_in(word: &str, table: &[&str]) -> bool {
    table.contains(&key(word).as_str())
}

/// Subject and predicate, where the words are a clause.
fn parts(words: &[String], asked: bool) -> Option<Parts> {
    let inverted = asked && is_in(&words[0], AUXILIARIES_EN);
    if inverted {
        let rest = &words[1..];
        let at = boundary(rest, &key(&words[0]))?;
        return Some(Parts {
            auxiliary: Some(words[0].to_lowercase()),
            subject: rest[..at].to_vec(),
            predicate: rest[at..].to_vec(),
        });
    }
    let finite = |word: &String| {
        is_in(word, AUXILIARIES_EN) || is_in(word, FINITE_EN) || (asked && is_in(&singular(word), VERBS_EN))
    };
    // "The board rejected our proposal": a past tense before an object that is determined.
    let did = |at: usize| {
        let object = words.get(at + 1).is_some_and(|next| is_in(next, DETERMINERS_EN));
        at > 1 && object && is_in(&words[0], DETERMINERS_EN) && key(&words[at]).ends_with("ed")
    };
    // "Our API returns 500 errors": a third person before an object that is counted or determined.
    let does = |at: usize| {
        let object = |next: &String| is_in(next, DETERMINERS_EN) || next.starts_with(|c: char| c.is_ascii_digit());
        is_in(&singular(&words[at]), VERBS_EN) && !is_in(&words[at], VERBS_EN) && words.get(at + 1).is_some_and(object)
    };
    let acts = |at: usize| is_in(&words[at - 1], PEOPLE_EN) && is_in(&words[at], VERBS_EN);
    let at = (1..words.len()).find(|&at| finite(&words[at]) || acts(at) || did(at) || does(at))?;
    // A verb that only belongs to "that ..." says nothing about the subject.
    if words[..at].iter().any(|word| {
        matches!(
            key(word).as_str(),
            "that" | "which" | "who" | "how" | "what" | "whether"
        )
    }) {
        return None;
    }
    Some(Parts {
        auxiliary: None,
        subject: words[..at].to_vec(),
        predicate: words[at..].to_vec(),
    })
}

/// Fails -> fail, misses -> miss: near enough to look a verb up.
fn singular(word: &str) -> String {
    let word = key(word);
    let es = word.strip_suffix("es").filter(|stem| is_in(stem, VERBS_EN));
    es.or_else(|| word.strip_suffix('s'))
        .map_or(word.clone(), str::to_owned)
}

/// Where the predicate begins behind `auxiliary`.
fn boundary(rest: &[String], auxiliary: &str) -> Option<usize> {
    if rest.len() < 2 {
        return None;
    }
    let pronoun = PRONOUNS_EN.iter().any(|(word, _)| key(&rest[0]) == *word);
    // "that", "this" and "these" may stand before a noun.
    if pronoun && !(is_in(&rest[0], DETERMINERS_EN) && rest.len() > 2) {
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
        let adverb =
            is_in(&word, ADVERBS_EN) || (word.len() > 4 && word.ends_with("ly") && !is_in(&word, NOT_ADVERBS_EN));
        if adverb {
            return Some(at);
        }
        let says = if be {
            is_in(&word, PREDICATE_EN) && (!articles.contains(&word.as_str()) || at > start)
                || word.ends_with("ing") && !is_in(&word, NOUNS_IN_ING_EN)
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
        // "is X <something>": the last word says it, unless a phrase follows the noun.
        let phrase = (1..rest.len()).find(|&at| is_in(&rest[at], PREPOSITIONS_EN));
        return Some(phrase.filter(|&at| at >= 2).map_or(rest.len() - 1, |at| at - 1)).filter(|&at| at >= 1);
    }
    if uncertain.is_some() {
        return uncertain;
    }
    let follows = (start + 1..rest.len()).find(|&at| is_in(&rest[at], FUNCTION_EN) || key(&rest[at]).ends_with("ly"));
    Some(follows.map_or(rest.len() - 1, |at| at - 1))
}

/// A clause with subject and predicate.
fn told(parts: &Parts, asked: bool) -> Matter {
    let pronoun = PRONOUNS_EN
        .iter()
        .find(|(word, _)| parts.subject.len() == 1 && key(&parts.subject[0]) == *word);
    let mut class = kind(&parts.subject, &parts.predicate);
    let end = parts.subject.iter().position(|word| is_in(word, PREPOSITIONS_EN));
    let head = end.unwrap_or(parts.subject.len()).saturating_sub(1);
    if class.name != "cost" && TROUBLE_EN.iter().any(|(word, _)| key(&parts.subject[head]) == *word) {
        class = super::class("problem");
    }
    let mut subject = named(&shed(&parts.subject, class));
    if let Some((word, stands_for)) = pronoun {
        subject = match (*word, class.name) {
            ("we" | "us", "market") => BUSINESS_EN.to_owned(),
            _ => (*stands_for).to_owned(),
        };
        if *word == "there" {
            class = super::class("event");
            let adverbs = parts
                .predicate
                .iter()
                .take_while(|word| is_in(word, &["still", "always", "often"]))
                .count();
            subject = cut(&[&["having".to_owned()], &parts.predicate[adverbs..]].concat());
        } else if *word == "we" && parts.cannot() {
            subject = cut(&[
                &["our".to_owned(), "efforts".to_owned(), "to".to_owned()],
                parts.predicate.as_slice(),
            ]
            .concat());
        } else if *word == "it"
            && let Some(doing) = hard_to(&parts.predicate)
        {
            subject = cut(&doing);
        } else if *word == "i"
            && matches!(class.name, "default" | "personal" | "health" | "education")
            && let Some(doing) = doing(&parts.predicate)
        {
            class = super::class("personal");
            subject = cut(&doing);
        } else if *word == "we" && class.name == "default" {
            class = super::class("event");
            subject = cut(&[&[subject], parts.happening().as_slice()].concat());
        }
    } else if parts.is_event(class) {
        class = super::class("event");
        subject = cut(&[words_of(&named(&parts.subject)), parts.happening()].concat());
    }
    if class.name == "cost" && !parts.subject.iter().any(|word| is_in(word, COST_WORDS_EN)) {
        subject = COST_OF_EN.replace("{s}", &subject);
    }
    let first = question(parts, asked);
    Matter { subject, first, class }
}

fn words_of(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

impl Parts {
    /// Is it that somebody cannot do something?
    fn cannot(&self) -> bool {
        self.auxiliary
            .as_deref()
            .is_some_and(|word| matches!(key(word).as_str(), "can't" | "cannot" | "couldn't"))
    }

    /// Is the matter what happens rather than the subject? It is where nothing else is known of it, or its subject is
    /// people.
    fn is_event(&self, class: &Class) -> bool {
        let people = self.subject.last().is_some_and(|word| is_in(word, PEOPLE_EN));
        let keeping = self.predicate.iter().any(|word| is_in(word, KEEPING_EN));
        match class.name {
            "default" => true,
            "success" | "personal" | "problem" | "nature" => false,
            // Only the predicate speaks of this field.
            _ if class.said <= 15 && kind(&self.subject, &[]).name != class.name => true,
            "cost" => {
                !self.subject.iter().any(|word| is_in(word, COST_WORDS_EN))
                    && !self.predicate.iter().any(|word| is_in(word, COSTLY_EN))
            }
            "talent" => people && !keeping,
            "technology" => !self.predicate.iter().any(|word| is_in(word, ADOPTING_EN)),
            _ => people,
        }
    }

    /// The predicate as a participle: "not trust vaccines" -> "not trusting vaccines".
    fn happening(&self) -> Vec<String> {
        let mut rest = self.predicate.clone();
        let auxiliary = match &self.auxiliary {
            Some(auxiliary) => key(auxiliary),
            None if is_in(&rest[0], AUXILIARIES_EN) && rest.len() > 1 => key(&rest.remove(0)),
            None if key(&rest[0]).ends_with("ed") => "have".to_owned(),
            None => {
                rest[0] = singular(&rest[0]);
                "do".to_owned()
            }
        };
        let mut happening = Vec::new();
        let positive = auxiliary.trim_end_matches("n't").to_owned();
        if positive != auxiliary || auxiliary == "cannot" {
            happening.push("not".to_owned());
        }
        while rest.len() > 1
            && is_in(&rest[0], BEFORE_VERB_EN)
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
fn hard_to(predicate: &[String]) -> Option<Vec<String>> {
    let to = predicate.iter().position(|word| key(word) == "to")?;
    let verb = predicate.get(to + 1)?;
    let mut doing = vec![gerund(verb)];
    doing.extend_from_slice(&predicate[to + 2..]);
    Some(doing)
}

/// "always fall asleep late" -> "falling asleep late".
fn doing(predicate: &[String]) -> Option<Vec<String>> {
    let at = predicate.iter().position(|word| !is_in(word, BEFORE_VERB_EN))?;
    let mut doing = vec![gerund(&predicate[at])];
    doing.extend_from_slice(&predicate[at + 1..]);
    Some(doing)
}

fn gerund(verb: &str) -> String {
    if verb.ends_with("ing") || !verb.chars().all(|c| c.is_ascii_alphabetic()) {
        verb.to_owned()
    } else if let Some(stem) = verb.strip_suffix("ie") {
        format!("{stem}ying")
    } else if let Some(stem) = verb.strip_suffix('e').filter(|stem| !stem.ends_with(['e', 'o'])) {
        format!("{stem}ing")
    } else if is_in(verb, DOUBLING_EN) {
        let last = verb.chars().last().unwrap_or_default();
        format!("{verb}{last}ing")
    } else {
        format!("{verb}ing")
    }
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
        None if is_in(&parts.predicate[0], AUXILIARIES_EN) && parts.predicate.len() > 1 => {
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
    let mut words = words(&rest);
    if let Some(verb) = words.first_mut() {
        *verb = gerund(verb);
    }
    words
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
    let determined = usize::from(is_in(&words[0], DETERMINERS_EN));
    let preposition = (determined + 1..words.len()).find(|&at| is_in(&words[at], PREPOSITIONS_EN));
    let head = preposition.unwrap_or(words.len()) - 1;
    let trouble = TROUBLE_EN.iter().find(|(word, _)| key(&words[head]) == *word);
    let troubled = words.len() > determined + 1 && is_in(&words[determined], TROUBLED_EN);
    if trouble.is_none() && !troubled {
        let class = kind(&words, &[]);
        let mut subject = named(&shed(&words, class));
        if class.name == "cost" && !words.iter().any(|word| is_in(word, COST_WORDS_EN)) {
            subject = COST_OF_EN.replace("{s}", &subject);
        }
        return Matter {
            subject,
            first: None,
            class,
        };
    }
    let countable = trouble.map_or_else(|| is_in(&words[head], COUNTABLE_EN), |(_, article)| !article.is_empty());
    let of = words.get(head + 1).is_some_and(|word| key(word) == "of");
    let seen = if determined == 0 && troubled && trouble.is_none() && of {
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
        if class.name != "default" {
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

/// The subject without an ending of its head that its kind is better without: what stands before it, or else behind
/// the next preposition.
fn shed(subject: &[String], class: &Class) -> Vec<String> {
    let end = subject
        .iter()
        .position(|word| is_in(word, PREPOSITIONS_EN))
        .unwrap_or(subject.len());
    let head: Vec<String> = subject[..end].iter().map(|word| key(word)).collect();
    if class.name == "talent" && subject.len() > 1 && is_in(&subject[0], HIRING_EN) {
        return subject[1..].to_vec();
    }
    let Some(ending) = class.sheds.iter().find(|ending| head.join(" ").ends_with(*ending)) else {
        return subject.to_vec();
    };
    let left = end.saturating_sub(ending.split(' ').count());
    if end + 1 < subject.len() {
        subject[end + 1..].to_vec()
    } else if left > 0 && !is_in(&subject[left - 1], DETERMINERS_EN) {
        subject[..left].to_vec()
    } else {
        subject.to_vec()
    }
}

fn article(word: &str) -> &'static str {
    let vowel = key(word).starts_with(['a', 'e', 'i', 'o', 'u'])
        && !key(word).starts_with("us")
        && !key(word).starts_with("uni");
    if vowel { "an" } else { "a" }
}

/// A noun phrase as it stands inside a sentence: lower case where only its place made it upper, with an article where
/// its noun needs one, cut to length.
fn named(words: &[String]) -> String {
    let mut words = lowered(words);
    if words.len() > 2 && key(&words[0]) == "so" && is_in(&words[1], &["many", "much", "few", "little"]) {
        words.drain(..2);
    }
    let preposition = words.iter().position(|word| is_in(word, PREPOSITIONS_EN));
    let bare = !words
        .iter()
        .any(|word| is_in(word, DETERMINERS_EN) || word.ends_with("'s") || word.ends_with("’s"));
    if let Some(head) = preposition.unwrap_or(words.len()).checked_sub(1)
        && bare
        && (is_in(&words[head], COUNTABLE_EN)
            || words.get(head + 1).is_some_and(|word| key(word) == "of")
                && !words[head].ends_with('s')
                && !words[head].ends_with("ing"))
    {
        words.insert(0, "the".to_owned());
    }
    cut(&words)
}

/// The words with the first in lower case, where it is no name.
fn lowered(words: &[String]) -> Vec<String> {
    let mut words = words.to_vec();
    if let Some(first) = words.first_mut() {
        let titled =
            first.chars().next().is_some_and(char::is_uppercase) && first.chars().skip(1).all(|c| !c.is_uppercase());
        let lower = key(first);
        let plural = lower.strip_suffix('s').unwrap_or(&lower);
        let common = is_in(&lower, DETERMINERS_EN)
            || is_in(&lower, TROUBLED_EN)
            || is_in(&lower, COUNTABLE_EN)
            || is_in(plural, COUNTABLE_EN)
            || TROUBLE_EN.iter().any(|(word, _)| *word == lower)
            || CLASSES
                .iter()
                .any(|class| class.words_en.iter().any(|word| *word == lower || *word == plural))
            || (COMMON_ENDINGS_EN.iter().any(|ending| lower.ends_with(ending)) && !NAMES_EN.contains(&lower.as_str()))
            || is_in(&lower, COMMON_EN)
            || PRONOUNS_EN.iter().any(|(word, _)| *word == lower && lower != "i");
        if titled && common && first != "I" && first != "Rust" && first != "Kubernetes" {
            *first = first.to_lowercase();
        }
    }
    words
}

/// At most ten words and 80 characters, not ending in a word that wants another.
fn cut(words: &[String]) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut length = 0;
    for word in words.iter().take(WORDS) {
        length += word.chars().count() + 1;
        if length > CHARACTERS && !kept.is_empty() {
            break;
        }
        kept.push(word);
    }
    if kept.len() < words.len() {
        while kept.len() > 1 && kept.last().is_some_and(|word| is_in(word, DANGLING_EN)) {
            kept.pop();
        }
    }
    let text: String = kept.join(" ").chars().take(CHARACTERS).collect();
    paired(text.trim_end_matches([',', ':', ' ']))
}

/// The kind of matter: words of the predicate count most, then those of the subject before its first preposition.
fn kind(subject: &[String], predicate: &[String]) -> &'static Class {
    let line = |words: &[String]| {
        let words: Vec<String> = words.iter().map(|word| key(word)).collect();
        format!(" {} ", words.join(" "))
    };
    let at = subject
        .iter()
        .position(|word| is_in(word, PREPOSITIONS_EN))
        .unwrap_or(subject.len());
    let (head, rest, predicate) = (line(&subject[..at]), line(&subject[at..]), line(predicate));
    let denied = ["not", "never", "no", "hard", "unable", "fail", "n't"]
        .iter()
        .any(|word| predicate.contains(&format!(" {word} ")));
    best(|class| {
        if class.name == "success" && denied {
            return 0;
        }
        let points = |word: &str| {
            let has = |line: &str| {
                let stem = word
                    .strip_suffix('y')
                    .map_or(String::new(), |stem| format!(" {stem}ies "));
                line.contains(&format!(" {word} "))
                    || line.contains(&format!(" {word}s "))
                    || line.contains(&format!(" {word}es "))
                    || (!stem.is_empty() && line.contains(&stem))
            };
            let last = [format!(" {word} "), format!(" {word}s ")]
                .iter()
                .any(|end| head.ends_with(end));
            // "machine learning" is more telling than "learning".
            let long = 10 * (word.split(' ').count() - 1);
            let points = class.said * usize::from(has(&predicate))
                + class.head.min(20) * usize::from(has(&head))
                + class.head.saturating_sub(20) * usize::from(last)
                + class.head.min(15) * usize::from(has(&rest));
            if points == 0 { 0 } else { points + long }
        };
        class.words_en.iter().map(|word| points(word)).sum()
    })
}
