//! What a Chinese query is about. Its noun phrases end in their head, its predicates begin with an adverb or a modal,
//! and hardly anything is inflected: tables of words part the one from the other well enough.

use super::tables::*;
use super::text::{Text, paired};
use super::{Class, Matter, READ, best, class, stripped, told, without_method};
use crate::language;
use std::ops::Range;

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
        let whole = pronoun || parts.whole || !parts.subject.has_words();
        let subject = if whole { &clause } else { &parts.subject };
        return Matter {
            subject: paired(&cut(subject).shown()),
            first: parts.question(text),
            class: parts.flavour(class),
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

/// A subject, and what is said about it.
#[derive(Default)]
struct Parts {
    subject: Text,
    predicate: Text,
    /// The predicate is a bare verb, and 会 makes a sentence of it.
    bare: bool,
    /// A clause that nobody has told where to part: only the two together mean something.
    whole: bool,
}

/// The clause that tells the matter: the one with a why in it, else the first with a predicate, else the first.
fn clause(text: &Text) -> Text {
    let text = unbroken(&without_method(text));
    let mut clauses: Vec<Text> = Vec::new();
    let mut chosen = None;
    let mut after_bare_why = false;
    for sentence in text.clauses("。！？!?；;\n") {
        for raw in listed(&sentence) {
            let clause = stripped(&unfilled(&raw));
            let why = find_why(&clause);
            let bare = why.as_ref().is_some_and(|why| clause.len() == why.len());
            if after_bare_why && clause.has_words() && !bare {
                chosen.get_or_insert(clause.clone());
            }
            if bare {
                match clauses.as_slice() {
                    [.., before, last] if before.len() + last.len() < SUBJECT => {
                        let both = format!("{}、{}", before.shown(), last.shown());
                        chosen = chosen.or_else(|| Some(Text::new(&both, both.len())));
                    }
                    // Whatever is asked about is a clause.
                    [.., last] => {
                        let asked = format!("为什么{}", last.shown());
                        chosen = chosen.or_else(|| Some(Text::new(&asked, asked.len())));
                    }
                    [] => after_bare_why = true,
                }
            } else if clause.has_words() {
                if why.is_some() {
                    chosen.get_or_insert_with(|| with_subject(clauses.last(), &clause));
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

/// Where a word for why stands: 怎么 and 咋 are such only in front of what is said.
fn find_why(clause: &Text) -> Option<Range<usize>> {
    let how = |at: usize| {
        let end = HOW_COME_ZH.iter().filter_map(|word| clause.stands_at(at, word)).max()?;
        let next = clause.folded_at(end);
        let asks = HOW_COME_GOES_ON_ZH.contains(next) || at == 0 && !HOW_TO_ZH.contains(next);
        asks.then_some(at..end)
    };
    let how = (0..clause.len()).find_map(how);
    clause.find(WHY_ZH).or(how)
}

/// Without 到底 and 究竟, which only insist; at the end of a clause 到底 means another thing.
fn unfilled(clause: &Text) -> Text {
    let filler = |at: usize| {
        let end = FILLERS_ZH.iter().find_map(|word| clause.stands_at(at, word))?;
        (end < clause.len()).then_some(at..end)
    };
    match (0..clause.len()).find_map(filler) {
        Some(found) => {
            let rest = format!(
                "{}{}",
                clause.slice(0..found.start).shown(),
                clause.slice(found.end..clause.len()).shown()
            );
            unfilled(&Text::new(&rest, READ))
        }
        None => clause.clone(),
    }
}

/// Without line ends in front of a predicate, which go on with the line before.
fn unbroken(text: &Text) -> Text {
    let goes_on = |at: usize| at > 1 && text.slice(at + 1..text.len()).trim().head(PREDICATE_ZH).is_some();
    let line = |(at, c): (usize, &char)| if *c == '\n' && goes_on(at) { ' ' } else { *c };
    let joined: String = text.shown.iter().enumerate().map(line).collect();
    Text::new(&joined, text.len())
}

/// The clauses of a sentence; those of a list, too, where the first is a whole one: 加载慢、投诉多.
fn listed(sentence: &Text) -> Vec<Text> {
    let mut clauses = Vec::new();
    for clause in sentence.clauses("，,") {
        let listed = clause.clauses("、");
        if listed.len() > 1 && listed.iter().all(|part| split(part, false).is_some()) {
            clauses.extend(listed);
        } else {
            clauses.push(clause);
        }
    }
    clauses
}

/// The clause with the subject of the one before it, where it has none of its own: 工程师缺口有多大，为什么一直补不上.
fn with_subject(before: Option<&Text>, clause: &Text) -> Text {
    let Some(why) = find_why(clause).filter(|why| why.start == 0) else {
        return clause.clone();
    };
    let rest = clause.slice(why.end..clause.len()).trim();
    let bare = PREDICATE_ZH.iter().chain(["会", "没", "不", "还", "都"].iter());
    let Some(before) = before.filter(|_| rest.head(&bare.copied().collect::<Vec<_>>()).is_some()) else {
        return clause.clone();
    };
    let before = begun(before.clone());
    let end = split(&before, false).map_or(before.len(), |(at, _)| at);
    let joined = format!("{}为什么{}", stripped(&before.slice(0..end)).shown(), rest.shown());
    Text::new(&joined, joined.len())
}

fn parts(clause: &Text) -> Parts {
    let (mut subject, mut predicate, mut bare) = (clause.clone(), Text::default(), false);
    let mut asked = false;
    if let Some(why) = find_why(clause) {
        asked = true;
        let before = stripped(&clause.slice(0..why.start));
        let after = clause.slice(why.end..clause.len()).trim();
        if before.has_words() && after.has_words() {
            // 这个功能为什么用户不喜欢: a topic, and a clause about it.
            let (mut before, mut after) = (before, after);
            let people = after.head(PEOPLE_ZH).filter(|&end| end < after.len());
            if let Some(at) = people {
                let gap = if before.shown.last().is_some_and(char::is_ascii) {
                    "，"
                } else {
                    ""
                };
                let short = before.len() + after.len() <= SUBJECT;
                let topic = if short {
                    format!("{}{gap}", before.shown())
                } else {
                    String::new()
                };
                let topic = format!("{topic}{}", after.slice(0..at).shown());
                before = Text::new(&topic, topic.len());
                after = after.slice(at..after.len());
            }
            return rate(Parts {
                subject: begun(before),
                predicate: after,
                bare: false,
                whole: false,
            });
        }
        subject = if after.has_words() { after } else { before };
    }
    subject = begun(subject);
    // 总是睡不着: nobody is named.
    if subject
        .head(PREDICATE_ZH)
        .is_some_and(|end| end < subject.len() && !inside_noun(&subject, 0, end))
        && subject.find(&["的"]).is_none()
    {
        return Parts {
            predicate: subject,
            whole: true,
            ..Parts::default()
        };
    }
    // Whatever is asked about is a clause.
    if !asked && is_whole(&subject) || asked && subject.len() > 4 && split(&subject, true).is_none() {
        let at = subject.len() / 2;
        return Parts {
            predicate: subject.slice(at..subject.len()),
            subject: subject.slice(0..at),
            bare: false,
            whole: true,
        };
    }
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
        whole: false,
    })
}

/// Without words of time and conjunctions in front, nor the report that tells the matter.
fn begun(mut clause: Text) -> Text {
    let told = |at: usize| {
        let end = clause.slice(at..clause.len()).head(&["显示", "表明", "发现", "指出"])?;
        clause
            .slice(0..at)
            .tail(["报告", "数据", "调查", "研究", "统计", "结果"])?;
        (at + end + 2 < clause.len()).then_some(at + end)
    };
    if let Some(end) = (2..clause.len().min(14)).find_map(told) {
        clause = clause.slice(end..clause.len()).trim();
    }
    let opening = |clause: &Text| clause.head(OPENINGS_ZH).into_iter().chain(time(clause)).max();
    while let Some(opening) = opening(&clause).filter(|&end| end + 1 < clause.len()) {
        clause = clause.slice(opening..clause.len()).trim();
    }
    clause
}

/// The length of a phrase of time in front: 去年第四季度以来, 2023年起, 过去三年.
fn time(clause: &Text) -> Option<usize> {
    let head = |at: usize, words: &[&str]| words.iter().filter_map(|word| clause.stands_at(at, word)).max();
    let mut at = 0;
    let mut units = 0;
    loop {
        let from = at;
        while let Some(end) = head(at, TIME_BEFORE_ZH) {
            at = end;
        }
        while clause.folded_at(at).is_ascii_digit() || "一二三四五六七八九十两半几〇零".contains(clause.folded_at(at))
        {
            at += 1;
        }
        match head(at, TIME_UNITS_ZH).filter(|_| at > from) {
            Some(end) => at = end,
            None => {
                at = from;
                break;
            }
        }
        units += 1;
    }
    let end = head(at, TIME_BEHIND_ZH);
    // 三年级 and 两天一夜 are none.
    let told = units > 0 && (end.is_some() || head(0, TIME_BEFORE_ZH).is_some());
    told.then(|| end.unwrap_or(at))
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
        whole: false,
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
        // 普遍存在的数据孤岛: the adverb belongs to what only describes the noun.
        let describes = |word: &&&str| {
            let end = at + word.chars().count();
            word.chars().count() > 1 && clause.folded_at(end + 2) == '的' && end + 3 < clause.len()
        };
        // 补不上 is said of a thing, 焊接不良率 is one.
        let possible = |word: &&&str| {
            let length = word.chars().count();
            !(length == 2 && word.ends_with('不')) || is_weak(clause, at) && !inside_noun(clause, at + 1, 1)
        };
        // 一写作业就磨蹭
        let as_soon = clause.folded_at(at) == '一' && (at + 2..at + 9).any(|then| clause.folded_at(then) == '就');
        if at > 1 && as_soon && !inside_noun(clause, at, 1) {
            return Some((at, false));
        }
        let compared = clause.folded_at(at) == '比' && COMPARED_ZH.contains(clause.folded_at(clause.len() - 1));
        if at > 1 && compared && !inside_noun(clause, at, 1) {
            return Some((at, false));
        }
        let weak = at > 1 && is_weak(clause, at) && WEAK_PREDICATE_ZH.iter().any(|word| stands(&word));
        let said = PREDICATE_ZH
            .iter()
            .chain(short)
            .any(|word| stands(&word) && possible(&word) && !describes(&word));
        if said || weak {
            return Some((led(clause, at), false));
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
    let ends = ends.min().map(|(at, verb)| {
        let mut from = led(clause, at);
        while let Some(word) = clause
            .slice(0..from)
            .tail(LEADING_WORDS_ZH.iter().copied())
            .filter(|&word| word > 1)
        {
            from = led(clause, word);
        }
        (from, verb && from == at)
    });
    ends.or(actor.map(|at| (at, false)))
}

/// Where the adverbs begin that belong to the predicate at `at`.
fn led(clause: &Text, mut at: usize) -> usize {
    // 卖得|这么好: the verb goes with its degree.
    if at > 3 && clause.folded_at(at - 1) == '得' {
        let long = ["发展得", "增长得", "成长得", "进步得", "表现得", "恢复得"];
        let verb = if clause.slice(0..at).tail(long).is_some() { 3 } else { 2 };
        at -= verb;
    }
    while at > 2 && LEADING_ZH.contains(clause.folded_at(at - 1)) && !inside_noun(clause, at - 1, 1) {
        at -= 1;
    }
    at
}

/// Does a clause go on behind a short word like 不 at `at`, rather than a noun phrase?
fn is_weak(clause: &Text, at: usize) -> bool {
    let rest = clause.slice(at..clause.len());
    let from = clause.folded_at(at) == '从';
    let number = rest.shown.get(1).is_some_and(char::is_ascii_digit);
    rest.len() > 1
        && (!from || number)
        && rest.find(&["的"]).is_none()
        && rest.tail(NOUNS_AFTER_NOT_ZH.iter().copied()).is_none()
}

/// Is this a clause by a sign that does not tell where its predicate begins: a measure at its end, 一拖再拖, 越…越?
fn is_whole(clause: &Text) -> bool {
    let numeral = |c: &char| c.is_ascii_digit() || "一二三四五六七八九十两半几百千万多".contains(*c);
    let measured = clause.tail(MEASURES_ZH.iter().copied());
    let measured = measured.is_some_and(|at| at > 4 && clause.shown.get(at - 1).is_some_and(numeral));
    let times = |c: char| (0..clause.len()).filter(|&at| clause.folded_at(at) == c).count();
    // 越…越, 开一家倒一家
    let pair = |at: usize| {
        let (one, two) = (clause.folded_at(at), clause.folded_at(at + 1));
        one == '一'
            && (at + 2..clause.len()).any(|then| clause.folded_at(then) == one && clause.folded_at(then + 1) == two)
    };
    let twice = times('越') > 1 && clause.find(&["越来越"]).is_none() || (0..clause.len()).any(pair);
    // 订单多但交付慢: of two sides neither is the subject.
    let turn = (3..clause.len().saturating_sub(2)).any(|at| "但却".contains(clause.folded_at(at)));
    let turn = turn && clause.len() <= SUBJECT && clause.find(&["的"]).is_none();
    turn || (measured || twice) && clause.find(&["的"]).is_none() && split(clause, false).is_none_or(|_| twice)
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
            "problem" => true,
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
        let who = |word: &&str| {
            // 大家对预制菜, but not 用户数据.
            let rest = subject.strip_prefix(*word);
            subject.ends_with(word) || rest.is_some_and(|rest| rest.starts_with(FOLLOWING_PEOPLE_ZH))
        };
        let people = PEOPLE_ZH.iter().any(|word| who(&word)) || is_everybody(&self.subject);
        let figure = FIGURES_ZH.iter().any(|end| subject.ends_with(end));
        let mine = !figure && (is_mine(&self.subject) || subject.is_empty());
        let alone = kind(&self.alone()).name;
        let social = match class.name {
            "health" | "education" | "policy" => true,
            "market" | "talent" | "cost" => alone == class.name,
            _ => false,
        };
        let technical = !people
            && !social
            && (!figure || BAD_RATES_ZH.iter().any(|end| subject.ends_with(end)))
            && is_technical(&Text::new(&format!("{subject} {predicate}"), READ));
        let over = OVER_ZH.contains(&predicate.trim_start_matches('会'));
        let name = subject.chars().all(|c| c.is_ascii());
        told(match class.name {
            "nature" if !mine && !says(LOST_ZH) => "nature",
            "success" => "success",
            "market" if self.is_rising() => "success",
            _ if says(PAST_ZH) || over => "past",
            "delay" if !mine => "delay",
            _ if technical => "fault",
            "cost" if !RISING_ZH.iter().chain(FALLING_ZH).any(|word| predicate.contains(word)) => "cost",
            "speed" if !mine && !people => {
                if name {
                    "fault"
                } else {
                    "delay"
                }
            }
            "default" | "personal" | "delay" | "speed" | "health" | "education" | "nature" | "cost" if mine => {
                "personal"
            }
            _ if people && says(OPINION_ZH) => "opinion",
            "personal" if !people => "personal",
            "security" if !people => "fault",
            "quality" if !people && alone == class.name => "fault",
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
    let (subject, predicate) = (parts.subject.folded(), parts.predicate.folded());
    if parts.whole {
        return class("default");
    }
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
            if last(&parts.predicate, word).is_some() {
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
