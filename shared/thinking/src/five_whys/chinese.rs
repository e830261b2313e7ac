//! What a Chinese query is about. Its noun phrases end in their head, its predicates begin with an adverb or a modal,
//! and hardly anything is inflected: tables of words part the one from the other well enough.

use super::tables::{
    ADOPTING_ZH, BAD_RATES_ZH, BUSINESS_ZH, CASE_ZH, COST_OF_ZH, COST_WORDS_ZH, ENDS_ZH, KEEPING_ZH, MATTER_ZH,
    NOT_PREDICATE_ZH, OPENINGS_ZH, PEOPLE_ZH, PREDICATE_ZH, PREDICATE_ZH_AFTER_WHY, PRONOUNS_ZH, RATES_ZH, TROUBLE_ZH,
    WHY_ZH,
};
use super::text::{Text, paired};
use super::{Matter, best, class, stripped, without_method};
use crate::language;

/// The longest subject, in characters.
const SUBJECT: usize = 24;

/// The longest symptom that is asked about in the user's own words, in characters.
const SYMPTOM: usize = 24;

pub(super) fn matter(text: &Text) -> Matter {
    let clause = clause(text);
    if !clause.has_words() {
        return Matter {
            subject: own(text, MATTER_ZH),
            first: None,
            class: class("default"),
        };
    }
    let parts = parts(&clause);
    let pronoun = PRONOUNS_ZH.iter().find(|(word, _)| parts.subject.folded() == *word);
    let mut class = kind(&parts);
    let mut subject = paired(&cut(&shed(&parts.subject, class)).shown());
    if let Some((word, stands_for)) = pronoun {
        subject = own(
            text,
            if class.name == "market" {
                BUSINESS_ZH
            } else {
                stands_for
            },
        );
        let core = parts.core();
        if *word == "我"
            && matches!(class.name, "default" | "personal" | "delay" | "health" | "education")
            && core.has_words()
        {
            class = super::class("personal");
            subject = paired(&cut(&core).shown());
        }
    } else if let Some(event) = event(&parts, class) {
        class = super::class("event");
        subject = format!("{}{}", event.shown(), own(text, CASE_ZH));
    }
    if class.name == "cost" && !COST_WORDS_ZH.iter().any(|word| parts.subject.folded().contains(word)) {
        subject = own(text, COST_OF_ZH).replace("{s}", &subject);
    }
    Matter {
        subject,
        first: parts.question(text),
        class,
    }
}

/// A subject, and what is said about it.
struct Parts {
    subject: Text,
    predicate: Text,
    /// The predicate is a bare verb, and 会 makes a sentence of it.
    bare: bool,
}

/// The clause that tells the matter: the one with a why in it, else the first with a predicate, else the first.
fn clause(text: &Text) -> Text {
    let text = without_method(text);
    let mut clauses: Vec<Text> = Vec::new();
    let mut chosen = None;
    let mut after_bare_why = false;
    for sentence in text.clauses("。！？!?；;\n") {
        for raw in sentence.clauses("，,") {
            let clause = stripped(&raw);
            let why = clause.find(WHY_ZH);
            let bare = why.as_ref().is_some_and(|why| clause.len() == why.len());
            if after_bare_why && clause.has_words() && !bare {
                chosen.get_or_insert(clause.clone());
            }
            if bare {
                match clauses.last() {
                    Some(before) => chosen = chosen.or_else(|| Some(before.clone())),
                    None => after_bare_why = true,
                }
            } else if clause.has_words() {
                if why.is_some() {
                    chosen.get_or_insert(clause.clone());
                }
                clauses.push(clause);
            }
        }
    }
    let says = |clause: &&Text| split(clause, false).is_some_and(|(at, _)| at > 1);
    let found = chosen.or_else(|| clauses.iter().find(says).cloned());
    let found = found.or_else(|| clauses.into_iter().next()).unwrap_or_default();
    stripped(&found.paired())
}

fn parts(clause: &Text) -> Parts {
    let (mut subject, mut predicate, mut bare) = (clause.clone(), Text::default(), false);
    let mut asked = false;
    if let Some(why) = clause.find(WHY_ZH) {
        asked = true;
        let before = stripped(&clause.slice(0..why.start));
        let after = clause.slice(why.end..clause.len()).trim();
        if before.has_words() && after.has_words() {
            return rate(Parts {
                subject: begun(before),
                predicate: after,
                bare: false,
            });
        }
        subject = if after.has_words() { after } else { before };
    }
    subject = begun(subject);
    if let Some((at, verb)) = split(&subject, asked) {
        predicate = subject.slice(at..subject.len()).trim();
        subject = stripped(&subject.slice(0..at));
        bare = verb;
    } else if asked {
        // Whatever the clause is, the user has put a why before it.
        let whole = subject;
        subject = stripped(&whole);
        predicate = whole.slice(subject.len().min(whole.len())..whole.len()).trim();
    }
    rate(Parts {
        subject,
        predicate,
        bare,
    })
}

/// Without words of time and conjunctions in front.
fn begun(mut clause: Text) -> Text {
    while let Some(opening) = clause.head(OPENINGS_ZH).filter(|&end| end + 1 < clause.len()) {
        clause = clause.slice(opening..clause.len()).trim();
    }
    clause
}

/// Moves the rate of a trouble from the people to the trouble: 员工离职率|上升 is 员工|离职率上升.
fn rate(parts: Parts) -> Parts {
    let at = parts.subject.tail(RATES_ZH.iter().copied()).filter(|&at| at > 1);
    let Some(at) = at else { return parts };
    let rate = parts.subject.slice(at..parts.subject.len());
    let mut words = rate.shown();
    if parts.predicate.has_words() {
        words.push_str(&parts.predicate.shown());
    } else if rate.folded().ends_with('率') {
        words.push_str("会是这个水平");
    }
    Parts {
        subject: stripped(&parts.subject.slice(0..at)),
        predicate: Text::new(&words, words.len()),
        bare: !rate.folded().ends_with('率') && !parts.predicate.has_words(),
    }
}

/// Where the predicate begins, and whether it is a bare verb. Behind a why more words are taken for adverbs.
fn split(clause: &Text, asked: bool) -> Option<(usize, bool)> {
    let alone = |c: &char| !"国校司院军省市的队部家公团们妈爸".contains(*c);
    if asked && clause.stands_at(0, "我").is_some() && clause.shown.get(1).is_some_and(alone) {
        return Some((1, false));
    }
    for at in 1..clause.len() {
        let stands =
            |word: &&&str| clause.stands_at(at, word).is_some() && !inside_noun(clause, at, word.chars().count());
        let short: &[&str] = if asked { PREDICATE_ZH_AFTER_WHY } else { &[] };
        if PREDICATE_ZH.iter().chain(short).any(|word| stands(&word)) {
            return Some((at, false));
        }
    }
    let ends = ENDS_ZH
        .iter()
        .filter(|(word, _)| asked || word.chars().count() > 1 || clause.len() > 4);
    let ends = ends.filter_map(|(word, verb)| {
        let at = clause.tail([*word]).filter(|&at| at > 1)?;
        (!inside_noun(clause, at, word.chars().count())).then_some((at, *verb))
    });
    let actor = clause.head(&["我们", "咱们"]).filter(|_| asked);
    ends.min().or(actor.map(|at| (at, false)))
}

/// Do the `length` characters at `at` belong to a longer word that is no predicate?
fn inside_noun(clause: &Text, at: usize, length: usize) -> bool {
    NOT_PREDICATE_ZH.iter().any(|noun| {
        let whole = noun.chars().count();
        whole > length
            && (at.saturating_sub(whole - 1)..=at)
                .any(|start| start + whole >= at + length && clause.stands_at(start, noun).is_some())
    })
}

impl Parts {
    /// The subject without anything said about it.
    fn alone(&self) -> Self {
        Self {
            subject: self.subject.clone(),
            predicate: Text::default(),
            bare: false,
        }
    }

    /// The user's own question, where the query names a symptom of bearable length.
    fn question(&self, text: &Text) -> Option<String> {
        if self.predicate.len() == 0 || self.predicate.len() > SYMPTOM || !self.subject.has_words() {
            return None;
        }
        let why = own(text, "为什么");
        let will = if self.bare { own(text, "会") } else { String::new() };
        let subject = if self.subject.len() > SUBJECT {
            cut(&self.subject)
        } else {
            self.subject.clone()
        };
        let gap = |a: char, b: char| a.is_ascii_alphanumeric() && b.is_ascii_alphanumeric();
        let subject = subject.shown();
        let predicate = self.predicate.shown();
        let space = match (subject.chars().last(), predicate.chars().next()) {
            (Some(a), Some(b)) if gap(a, b) => " ",
            _ => "",
        };
        Some(format!(
            "{}？",
            paired(&format!("{why}{subject}{space}{will}{predicate}"))
        ))
    }

    /// The predicate without the adverbs in front.
    fn core(&self) -> Text {
        const ADVERBS: [&str; 24] = [
            "总是",
            "老是",
            "一直",
            "经常",
            "常常",
            "往往",
            "始终",
            "还是",
            "会",
            "又",
            "总",
            "老",
            "都",
            "很",
            "越来越",
            "反复",
            "容易",
            "这么",
            "那么",
            "太",
            "每天",
            "每次",
            "频繁",
            "特别",
        ];
        let mut core = self.predicate.clone();
        while let Some(end) = core.head(&ADVERBS) {
            core = core.slice(end..core.len());
        }
        core
    }
}

/// The subject without an ending that its kind is better without, where two characters are left.
fn shed(subject: &Text, class: &super::Class) -> Text {
    match subject.tail(class.sheds.iter().copied()) {
        Some(at) if at > 1 => subject.slice(0..at).trim(),
        _ => subject.clone(),
    }
}

/// The whole clause, where the matter is what happens rather than the subject: nothing else is known of it, its subject
/// is people, or a rate that is better low.
fn event(parts: &Parts, class: &super::Class) -> Option<Text> {
    let (subject, predicate) = (parts.subject.folded(), parts.predicate.folded());
    let ends = |table: &[&str]| table.iter().any(|word| subject.ends_with(word));
    let keeping = KEEPING_ZH.iter().any(|word| predicate.contains(word));
    let happens = match class.name {
        "default" => true,
        // Only the predicate speaks of this field.
        _ if class.said <= 15 && kind(&parts.alone()).name != class.name => true,
        "talent" => !keeping && ends(PEOPLE_ZH),
        "success" | "personal" | "problem" => false,
        // Whoever loses customers is still there to be asked about.
        "market" if keeping && shed(&parts.subject, class).len() < parts.subject.len() => false,
        "technology" => !ADOPTING_ZH.iter().any(|word| predicate.contains(word)),
        _ => ends(PEOPLE_ZH) || ends(BAD_RATES_ZH),
    };
    let whole = format!("{}{}", parts.subject.shown(), parts.predicate.shown());
    let whole = Text::new(&whole, whole.len());
    let short = whole.len() + CASE_ZH.chars().count() <= SUBJECT;
    (happens && short && parts.predicate.has_words() && !subject.is_empty()).then_some(whole)
}

/// The kind of matter: words of the predicate count most, then the head of the subject, which stands last.
fn kind(parts: &Parts) -> &'static super::Class {
    let (subject, predicate) = (parts.subject.folded(), parts.predicate.folded());
    if TROUBLE_ZH.iter().any(|word| subject.ends_with(word)) {
        return class("problem");
    }
    let success = class("success").words_zh.iter().find(|word| predicate.contains(**word));
    let rest = success.map_or(predicate.clone(), |word| predicate.replace(word, ""));
    let denied = ["不", "没", "难", "无法", "未", "失败"]
        .iter()
        .any(|word| rest.contains(word));
    best(|class| {
        if class.name == "success" && denied {
            return 0;
        }
        let (mut said, mut head, mut beside) = (0, 0, 0);
        for word in class.words_zh.iter().chain(class.words_en) {
            let length = word.chars().filter(|c| language::is_han(*c)).count();
            if last(&parts.predicate, word).is_some() {
                said = said.max(class.said + length);
            }
            match last(&parts.subject, word) {
                Some(end) if end == parts.subject.len() => head = head.max(class.head + 2 * length),
                Some(end) => beside += class.head.min(12) + length + 8 * end / parts.subject.len().max(1),
                None => {}
            }
        }
        said + head + beside.min(20)
    })
}

/// Where `word` ends for the last time.
fn last(text: &Text, word: &str) -> Option<usize> {
    (0..text.len()).rev().find_map(|at| text.stands_at(at, word))
}

/// At most 24 characters. The head of a Chinese noun phrase stands last, so a long one loses its front up to a 的;
/// without one it is cut behind.
fn cut(subject: &Text) -> Text {
    let cut = within(subject);
    match cut.tail(["的"]) {
        Some(at) if at > 0 => cut.slice(0..at).trim(),
        _ => cut,
    }
}

fn within(subject: &Text) -> Text {
    let length = subject.len();
    if length <= SUBJECT {
        return subject.clone();
    }
    let window = length - SUBJECT - 1;
    let behind = (window..length - 2).find(|&at| subject.stands_at(at, "的").is_some());
    if let Some(at) = behind {
        return subject.slice(at + 1..length).trim();
    }
    let mut end = SUBJECT;
    let latin = |at: usize| subject.shown.get(at).is_some_and(char::is_ascii_alphanumeric);
    while end > SUBJECT / 2 && latin(end) && latin(end - 1) {
        end -= 1;
    }
    if latin(end) && latin(end - 1) {
        end = SUBJECT;
    }
    subject.slice(0..end).trim()
}

/// Words of ours in the script of `text`.
fn own(text: &Text, words: &str) -> String {
    if language::is_traditional(&text.shown()) {
        language::to_traditional(words)
    } else {
        words.to_owned()
    }
}
