//! English noun phrases: articles, capitals, length, and the kind of matter that they tell.

use super::super::tables::*;
use super::super::text::paired;
use super::super::{Class, best};
use super::clause::{is_in, key};

/// The longest subject: in words, and in characters for words without end.
const WORDS: usize = 10;
const CHARACTERS: usize = 80;

/// The subject without an ending of its head that its kind is better without: what stands before it, or else behind
/// the next preposition.
pub(super) fn shed(subject: &[String], class: &Class) -> Vec<String> {
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
    // "the success of IKEA" is about IKEA, "IKEA's success in China" no less.
    let behind = class.name != "success" || subject.get(end).is_some_and(|word| key(word) == "of");
    if end + 1 < subject.len() && behind {
        subject[end + 1..].to_vec()
    } else if left > 0 && !is_in(&subject[left - 1], DETERMINERS_EN) {
        let mut left = subject[..left].to_vec();
        if let Some(owner) = left
            .last_mut()
            .filter(|word| word.ends_with("'s") || word.ends_with("’s"))
        {
            owner.truncate(owner.trim_end_matches(['s', '\'', '’']).len());
        }
        left
    } else {
        subject.to_vec()
    }
}

pub(super) fn article(word: &str) -> &'static str {
    let vowel = key(word).starts_with(['a', 'e', 'i', 'o', 'u'])
        && !key(word).starts_with("us")
        && !key(word).starts_with("uni");
    if vowel { "an" } else { "a" }
}

/// A noun phrase as it stands inside a sentence: lower case where only its place made it upper, with an article where
/// its noun needs one, cut to length.
pub(super) fn named(words: &[String]) -> String {
    cut(&determined(words))
}

/// The same whole.
pub(super) fn determined(words: &[String]) -> Vec<String> {
    let mut words = lowered(words);
    let preposition = words.iter().position(|word| is_in(word, PREPOSITIONS_EN));
    let bare = !words[..preposition.unwrap_or(words.len())]
        .iter()
        .any(|word| is_in(word, DETERMINERS_EN) || word.ends_with("'s") || word.ends_with("’s"));
    if let Some(head) = preposition.unwrap_or(words.len()).checked_sub(1)
        && bare
        && !words[..head]
            .iter()
            .any(|word| matches!(key(word).as_str(), "and" | "or"))
        && (is_in(&words[head], COUNTABLE_EN)
            || words.get(head + 1).is_some_and(|word| key(word) == "of")
                && !is_in(&words[head], NUMBERS_EN)
                && !words[head].ends_with('s')
                && !words[head].ends_with("ing"))
    {
        words.insert(0, "the".to_owned());
    }
    words
}

/// The words with the first in lower case, where it is no name.
pub(super) fn lowered(words: &[String]) -> Vec<String> {
    let described = words.get(1).is_some_and(|next| is_in(next, &["that", "which", "who"]));
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
            || is_in(&lower, PEOPLE_EN)
            || is_in(&lower, PREPOSITIONS_EN)
            || (PRONOUNS_EN.contains(&lower.as_str()) && lower != "i");
        if titled && (common || described) && first != "I" && first != "Rust" && first != "Kubernetes" {
            *first = first.to_lowercase();
        }
    }
    words
}

/// At most ten words and 80 characters, not ending in a word that wants another.
pub(super) fn cut(words: &[String]) -> String {
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

pub(super) fn is_hiring(subject: &[String]) -> bool {
    subject.first().is_some_and(|word| is_in(word, HIRING_EN))
}

/// The kind of matter: words of the predicate count most, then those of the subject before its first preposition.
pub(super) fn kind(subject: &[String], predicate: &[String]) -> &'static Class {
    let line = |words: &[String]| {
        let words: Vec<String> = words.iter().map(|word| key(word)).collect();
        format!(" {} ", words.join(" "))
    };
    let at = subject
        .iter()
        .position(|word| is_in(word, PREPOSITIONS_EN))
        .unwrap_or(subject.len());
    let (head, predicate) = (line(&subject[..at]), line(predicate));
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
            // By the head alone: "employee engagement" is no talent, "star rating" no star.
            let shed = class.sheds.iter().any(|tail| head.ends_with(&format!(" {tail} ")));
            let beside = last || shed || word.contains("shortage") || is_hiring(&subject[..at]);
            let points = class.said * usize::from(has(&predicate))
                + class.head.min(20) * usize::from(has(&head) && beside)
                + class.head.saturating_sub(20) * usize::from(last);
            if points == 0 { 0 } else { points + long }
        };
        class.words_en.iter().map(|word| points(word)).sum()
    })
}
