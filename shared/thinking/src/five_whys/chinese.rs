//! What a Chinese query is about. Its noun phrases end in their head, its predicates begin with an adverb or a modal,
//! and hardly anything is inflected: tables of words part the one from the other well enough.

mod clause;

use super::tables::*;
use super::text::{Text, paired};
use super::{Class, Matter, READ, best, class, told};
use crate::language;
use clause::{Parts, clause, find_why, inside_noun, parts};

/// The longest subject, in characters.
const SUBJECT: usize = 24;

/// The longest clause that is asked about as a whole, in characters.
const CLAUSE: usize = 28;

/// The longest symptom that is asked about in the user's own words, in characters.
const SYMPTOM: usize = 24;

pub(super) fn matter(text: &Text) -> Matter {
    let clause = clause(text);
    let empty = |c: &char| !c.is_alphanumeric() || EMPTY_ZH.contains(*c);
    if clause.without_all(WHY_ZH).shown.iter().all(empty) {
        return Matter::noun(own(text, MATTER_ZH), class("default"));
    }
    if clause.head(BRINGING_ZH).is_some_and(|end| clause.len() > end + 3) && find_why(&clause).is_none() {
        return hard(text, &clause);
    }
    if let Some(effect) = effect(text, &clause) {
        return effect;
    }
    let parts = parts(&clause);
    // 2008年金融危机
    let year = |at: usize| {
        let digits = (at..at + 4).all(|digit| parts.subject.folded_at(digit).is_ascii_digit());
        digits && parts.subject.folded_at(at + 4) == '年'
    };
    if !parts.predicate.has_words() && (0..parts.subject.len()).any(year) {
        return Matter::noun(paired(&cut(&parts.subject).shown()), class("past"));
    }
    let class = kind(&parts);
    let pronoun = PRONOUNS_ZH.contains(&parts.subject.folded().as_str());
    if (pronoun || !parts.asks_noun(class))
        && let Some(clause) = parts.clause()
    {
        let told = parts.flavour(class);
        // 总是睡不着: it is I.
        let clause = if told.name == "personal" && !parts.subject.has_words() {
            Text::new(&format!("我{}", clause.shown()), READ)
        } else {
            clause
        };
        let whole = pronoun || parts.whole || !parts.subject.has_words();
        let subject = if whole { &clause } else { &parts.subject };
        return Matter {
            subject: paired(&cut(subject).shown()),
            first: parts.question(text),
            class: told,
            clause: Some(paired(&clause.shown())),
        };
    }
    // Nothing is known of it, perhaps not even whether it is a clause.
    if class.name == "default" && parts.is_unknown() {
        let clause = paired(&cut(&parts.subject).shown());
        return Matter {
            subject: clause.clone(),
            clause: Some(clause),
            first: None,
            class: told("default"),
        };
    }
    let subject = match pronoun {
        true => own(text, MATTER_ZH),
        false => paired(&cut(&shed(&parts.subject, class)).shown()),
    };
    Matter {
        first: parts.question(text),
        ..Matter::noun(subject, class)
    }
}

/// 如何让客户愿意续约 asks why it is hard.
fn hard(text: &Text, clause: &Text) -> Matter {
    let subject = cut(clause).shown();
    let clause = format!("{}{subject}", own(text, HARD_ZH));
    let parts = Parts {
        subject: Text::new(&subject, READ),
        ..Parts::default()
    };
    Matter {
        subject,
        clause: Some(clause),
        first: None,
        class: parts.flavour(kind(&parts)),
    }
}

/// What one thing does to another: 少子化對高等教育的影響.
fn effect(text: &Text, clause: &Text) -> Option<Matter> {
    let end = clause.tail(EFFECTS_ZH.iter().copied())?;
    let to = (1..end).find(|&at| clause.folded_at(at) == '对' && !inside_noun(clause, at, 1))?;
    let short = clause.len() <= SUBJECT && find_why(clause).is_none() && to + 1 < end;
    let (cause, upon) = (clause.slice(0..to).shown(), clause.slice(to + 1..end).shown());
    short.then(|| Matter {
        first: Some(format!("{}{cause}{}{upon}？", own(text, "为什么"), own(text, "会影响"))),
        ..Matter::noun(paired(&clause.shown()), class("effect"))
    })
}

impl Parts {
    /// The subject without anything said about it.
    fn alone(&self) -> Self {
        Self {
            subject: self.subject.clone(),
            predicate: Text::default(),
            bare: false,
            whole: false,
        }
    }

    /// The user's own question, where the query names a symptom of bearable length.
    fn question(&self, text: &Text) -> Option<String> {
        if self.predicate.len() == 0 || self.predicate.len() > SYMPTOM || self.whole {
            return None;
        }
        let why = own(text, "为什么");
        let will = if self.bare { own(text, "会") } else { String::new() };
        let subject = if self.subject.len() > SUBJECT {
            cut(&self.subject)
        } else {
            self.subject.clone()
        };
        let subject = subject.shown();
        let predicate = self.predicate.shown();
        let space = if self.latin() { " " } else { "" };
        Some(format!(
            "{}？",
            paired(&format!("{why}{subject}{space}{will}{predicate}"))
        ))
    }

    /// Subject and predicate as they were typed, where there is something said and it is of bearable length.
    fn clause(&self) -> Option<Text> {
        let space = if self.latin() { " " } else { "" };
        // 会 only asks: 诺基亚为什么会失败.
        let will = usize::from(self.predicate.folded_at(0) == '会' && self.predicate.len() > 1);
        let predicate = self.predicate.slice(will..self.predicate.len());
        let clause = format!("{}{space}{}", self.subject.shown(), predicate.shown());
        let clause = Text::new(&clause, READ);
        let end = if clause.len() <= CLAUSE {
            Some(clause.len())
        } else {
            let from = self.subject.len() + 2;
            (from..=CLAUSE.min(clause.len()))
                .rev()
                .find(|&at| clause.slice(at..clause.len()).head(JOINING_ZH).is_some())
        };
        let clause = clause.slice(0..end?).trim();
        self.predicate.has_words().then_some(clause)
    }

    /// Is it long, without a 的 or another sign of a noun?
    fn is_unknown(&self) -> bool {
        let noun = NEUTRAL_ZH
            .iter()
            .chain(NOUNS_AFTER_NOT_ZH)
            .chain(NOUN_ENDS_ZH)
            .any(|end| self.subject.folded().ends_with(end));
        !self.predicate.has_words() && self.subject.len() > 6 && !noun && self.subject.find(&["的"]).is_none()
    }

    /// Do subject and predicate meet in two words of Latin letters?
    fn latin(&self) -> bool {
        let ascii = |c: Option<&char>| c.is_some_and(char::is_ascii_alphanumeric);
        ascii(self.subject.shown.last()) && ascii(self.predicate.shown.first()) && !self.whole
    }

    /// Has its kind sentences that ask about the subject alone, and say all that the predicate says?
    fn asks_noun(&self, class: &Class) -> bool {
        let (subject, predicate) = (self.subject.folded(), self.predicate.folded());
        let says = |table: &[&str]| table.iter().any(|word| predicate.contains(word));
        let ends = |table: &[&str]| table.iter().any(|word| subject.ends_with(word));
        if self.whole || predicate.contains('、') || subject.contains('但') || acts(&self.subject) {
            return false;
        }
        let alone = kind(&self.alone()).name == class.name;
        let rising = self.is_rising();
        match class.name {
            "cost" => !says(FALLING_ZH) && COST_WORDS_ZH.iter().any(|word| subject.contains(word)),
            "talent" => alone && says(KEEPING_ZH) && !is_ours(&self.subject),
            "market" if rising || subject.ends_with('率') || !alone => false,
            "market" if PEOPLE_ZH.iter().any(|word| subject.contains(word)) && !says(KEEPING_ZH) => false,
            // Whoever loses customers is still there to be asked about.
            "market" => !ends(PEOPLE_ZH) || says(KEEPING_ZH) && shed(&self.subject, class).len() < self.subject.len(),
            "policy" => alone && !ends(FIGURES_ZH) && !rising,
            "technology" => alone && (says(ADOPTING_ZH) || ends(ADOPTING_ZH)),
            "success" => {
                !ends(PEOPLE_ZH) && !ends(FIGURES_ZH) && !is_everybody(&self.subject) && self.subject.len() < 12
            }
            _ => false,
        }
    }

    /// Is it said that it grows?
    fn is_rising(&self) -> bool {
        let predicate = self.predicate.folded();
        let denied = predicate.contains(['低', '负', '停', '缓', '乏', '不', '没', '难']);
        !denied && RISING_ZH.iter().any(|word| predicate.contains(word))
    }

    /// The kind of clause.
    fn flavour(&self, class: &Class) -> &'static Class {
        let (subject, predicate) = (self.subject.folded(), self.predicate.folded());
        let whole = format!("{subject}{predicate}");
        let says = |table: &[&str]| table.iter().any(|word| whole.contains(word));
        let ends = |table: &[&str]| table.iter().any(|word| subject.ends_with(word));
        let who = |word: &str| {
            // 大家对预制菜, but not 用户数据.
            let rest = subject.strip_prefix(word);
            subject.ends_with(word) || rest.is_some_and(|rest| rest.starts_with(FOLLOWING_PEOPLE_ZH))
        };
        let people = PEOPLE_ZH.iter().any(|word| who(word)) || is_everybody(&self.subject);
        let figure = FIGURES_ZH.iter().any(|end| subject.ends_with(end));
        let mine = !figure && (is_mine(&self.subject) || subject.is_empty());
        let alone = kind(&self.alone()).name;
        let social = match class.name {
            "health" | "education" | "policy" => true,
            "market" | "talent" | "cost" => alone == class.name,
            _ => false,
        };
        let i = subject.starts_with('我') && !is_ours(&self.subject);
        let technical = !people
            && !social
            && (!figure || BAD_RATES_ZH.iter().any(|end| subject.ends_with(end)))
            && is_technical(&Text::new(&format!("{subject} {predicate}"), READ));
        let over = OVER_ZH.contains(&predicate.trim_start_matches('会'));
        let name = !subject.is_empty() && subject.is_ascii();
        told(match class.name {
            "nature" if !mine && !says(LOST_ZH) => "nature",
            "success" => "success",
            "market" if self.is_rising() => "success",
            _ if says(PAST_ZH) || over => "past",
            "delay" if !mine => "delay",
            _ if alone == "organisation" && !mine => "organisation",
            _ if technical => "fault",
            "cost" if !RISING_ZH.iter().chain(FALLING_ZH).any(|word| predicate.contains(word)) => "cost",
            "speed" if name => "fault",
            "speed" if alone == "organisation" || alone == "delay" || ends(PROCESS_ZH) => "delay",
            "default" | "personal" | "delay" | "speed" | "health" | "education" | "nature" | "cost" if mine => {
                "personal"
            }
            "organisation" if mine && i => "personal",
            _ if people && says(OPINION_ZH) => "opinion",
            "personal" if mine || alone == "personal" => "personal",
            "security" if !people => "fault",
            "organisation" => "organisation",
            _ if is_ours(&self.subject) => "organisation",
            _ => "event",
        })
    }
}

/// The subject without an ending that its kind is better without, where two characters are left.
fn shed(subject: &Text, class: &Class) -> Text {
    let mut subject = subject.clone();
    while let Some(at) = subject.tail(class.sheds.iter().copied()).filter(|&at| at > 1) {
        subject = subject.slice(0..at).trim();
    }
    subject
}

/// The kind of matter: words of the predicate count most, then the head of the subject, which stands last.
fn kind(parts: &Parts) -> &'static Class {
    if parts.whole && parts.subject.has_words() {
        let whole = format!("{}{}", parts.subject.shown(), parts.predicate.shown());
        return kind(&Parts {
            predicate: Text::new(&whole, READ),
            ..Parts::default()
        });
    }
    let (subject, predicate) = (parts.subject.folded(), parts.predicate.folded());
    if TROUBLE_ZH.iter().any(|word| subject.ends_with(word)) {
        return class("problem");
    }
    let success = class("success").words_zh.iter().find(|word| predicate.contains(**word));
    let rest = success.map_or(predicate.clone(), |word| predicate.replace(word, ""));
    let neutral = NEUTRAL_ZH.iter().any(|end| subject.ends_with(end));
    let denied = ["低", "差", "不", "没", "难", "无法", "未", "失败"]
        .iter()
        .any(|word| rest.contains(word));
    best(|class| {
        if class.name == "success" && denied {
            return 0;
        }
        let figure = FIGURES_ZH.iter().any(|end| subject.ends_with(end)) && !subject.ends_with("效率");
        if figure && matches!(class.name, "quality" | "security" | "organisation" | "education") {
            return 0;
        }
        // Somebody else's worries are not mine to be rid of.
        let others = parts.subject.has_words() && parts.subject.len() > 2 && !is_mine(&parts.subject);
        if class.name == "personal" && parts.predicate.has_words() && others {
            return 0;
        }
        let strict = matches!(class.name, "talent" | "cost" | "market");
        let (mut said, mut head, mut beside) = (0, 0, 0);
        for word in class.words_zh.iter().chain(class.words_en) {
            let length = word.chars().filter(|c| language::is_han(*c)).count();
            if class.said > 0 && last(&parts.predicate, word).is_some() {
                said = said.max(class.said + length);
            }
            match last(&parts.subject, word) {
                Some(end) if end == parts.subject.len() => head = head.max(class.head + 2 * length),
                // Talent, cost and markets are told by the head alone: 员工脂肪肝比例 is no talent.
                Some(_) if (strict || !neutral) && !class.sheds.iter().any(|tail| subject.ends_with(tail)) => {}
                Some(end) => beside += class.head.min(12) + length + 8 * end / parts.subject.len().max(1),
                None => {}
            }
        }
        said + head + beside.min(20)
    })
}

/// Is this subject a clause itself: 公司推行OKR半年?
fn acts(subject: &Text) -> bool {
    let measure = subject.tail(MEASURES_ZH.iter().copied()).filter(|&at| at > 2);
    let numeral = |c: char| c.is_ascii_digit() || "一二三四五六七八九十两半几百千万".contains(c);
    let acts = (2..subject.len().saturating_sub(2)).any(|at| {
        ACTS_ZH.iter().any(|word| {
            subject
                .stands_at(at, word)
                .is_some_and(|end| end < subject.len() && subject.folded_at(end) != '率')
        })
    });
    let whole = subject.find(&["的"]).is_none();
    whole && (acts || measure.is_some_and(|at| numeral(subject.folded_at(at - 1))))
}

/// Is it I?
fn is_mine(subject: &Text) -> bool {
    let subject = subject.folded();
    ["家里", "家中", "孩子", "宝宝", "儿子", "女儿", "老公", "老婆", "室友"]
        .iter()
        .any(|word| subject.starts_with(word))
        || subject.contains("自己")
        || subject.starts_with('我') && !NOT_MINE_ZH.iter().any(|word| subject.starts_with(word))
}

/// Is it about us at work?
fn is_ours(subject: &Text) -> bool {
    let subject = subject.folded();
    let outside = OUTSIDERS_ZH.iter().any(|word| subject.ends_with(word));
    !outside && OURS_ZH.iter().any(|word| subject.starts_with(word))
}

/// Is it about a thing that works or fails?
fn is_technical(clause: &Text) -> bool {
    let plural = |word: &&&str| word.is_ascii() && clause.find(&[&format!("{word}s")]).is_some();
    let machine = |at: usize| clause.folded_at(at + 1) == ' ' && "机器仪屏泵阀灯".contains(clause.folded_at(at));
    clause.find(TECHNICAL_ZH).is_some()
        || (1..clause.len()).any(machine)
        || TECHNICAL_ZH.iter().any(|word| plural(&word))
}

/// Is it people at large?
fn is_everybody(subject: &Text) -> bool {
    ["大家", "人", "人们", "有人", "很多人", "没人", "我们", "咱们"].contains(&subject.folded().as_str())
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
