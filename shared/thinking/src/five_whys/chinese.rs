//! What a Chinese query is about. Its noun phrases end in their head, its predicates begin with an adverb or a modal,
//! and hardly anything is inflected: tables of words part the one from the other well enough.

use super::tables::{
    ACTS_ZH, ADOPTING_ZH, BAD_RATES_ZH, BRINGING_ZH, BROUGHT_ZH, BUSINESS_ZH, CASE_ZH, COMPARED_ZH, COST_OF_ZH,
    COST_WORDS_ZH, EMPTY_ZH, ENDS_ZH, FALLING_ZH, FIGURES_ZH, KEEPING_ZH, LEADING_WORDS_ZH, LEADING_ZH, MATTER_ZH,
    MEASURES_ZH, NEUTRAL_ZH, NOT_MINE_ZH, NOT_PREDICATE_ZH, NOUNS_AFTER_NOT_ZH, OPENINGS_ZH, PEOPLE_ZH, PREDICATE_ZH,
    PREDICATE_ZH_AFTER_WHY, PRONOUNS_ZH, RATES_ZH, RISING_ZH, TROUBLE_ZH, TURNS_ZH, WEAK_PREDICATE_ZH, WHY_ZH,
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
    let empty = |c: &char| !c.is_alphanumeric() || EMPTY_ZH.contains(*c);
    if clause.without_all(WHY_ZH).shown.iter().all(empty) {
        return Matter {
            subject: own(text, MATTER_ZH),
            first: None,
            class: class("default"),
        };
    }
    if clause.head(BRINGING_ZH).is_some_and(|end| clause.len() > end + 3) && clause.find(WHY_ZH).is_none() {
        return Matter {
            subject: format!("{}{}", cut(&clause).shown(), own(text, BROUGHT_ZH)),
            first: None,
            class: class("default"),
        };
    }
    let parts = parts(&clause);
    // 2008年金融危机
    let year = |at: usize| {
        let digits = (at..at + 4).all(|digit| clause.folded_at(digit).is_ascii_digit());
        digits && clause.folded_at(at + 4) == '年'
    };
    if !parts.predicate.has_words() && (0..clause.len()).any(year) {
        return Matter {
            subject: paired(&cut(&parts.subject).shown()),
            first: None,
            class: class("past"),
        };
    }
    let mut class = kind(&parts);
    let everybody = is_everybody(&parts.subject);
    let pronoun = PRONOUNS_ZH.iter().find(|(word, _)| parts.subject.folded() == *word);
    let pronoun = pronoun.filter(|_| !everybody || event(&parts, class).is_none());
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
        let core = turned(&parts.core());
        if *word == "我"
            && matches!(class.name, "default" | "personal" | "delay" | "health" | "education")
            && core.has_words()
        {
            class = super::class("personal");
            subject = paired(&cut(&core).shown());
        }
    } else if let Some(event) = event(&parts, class) {
        let grows = |word: &&str| parts.predicate.folded().contains(word) || parts.subject.folded().ends_with(word);
        let rises = class.name == "success" || RISING_ZH.iter().any(grows);
        let mine = class.name != "success" && is_mine(&parts.subject);
        class = super::class(match class.name {
            "success" | "market" if rises => "choice",
            _ if mine => "personal",
            _ => "event",
        });
        subject = event.shown();
        if !mine {
            subject.push_str(&own(text, CASE_ZH));
        }
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
            let clause = stripped(&raw);
            let why = clause.find(WHY_ZH);
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
                    [.., last] => chosen = chosen.or_else(|| Some(last.clone())),
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
    let Some(why) = clause.find(WHY_ZH).filter(|why| why.start == 0) else {
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
    if let Some(why) = clause.find(WHY_ZH) {
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
    let twice = times('越') > 1 && clause.find(&["越来越"]).is_none();
    // 订单多但交付慢: of two sides neither is the subject.
    let turn = (3..clause.len().saturating_sub(2)).any(|at| "但却".contains(clause.folded_at(at)));
    let turn = turn && clause.len() <= SUBJECT && clause.find(&["的"]).is_none();
    turn || (measured || twice) && clause.find(&["的"]).is_none() && split(clause, false).is_none_or(|_| twice)
}

/// What is said behind the last turn: 很累但是什么都没做成 is about 什么都没做成.
fn turned(core: &Text) -> Text {
    let last = (1..core.len()).rev().find_map(|at| {
        let end = TURNS_ZH.iter().filter_map(|word| core.stands_at(at, word)).max()?;
        (end < core.len()).then_some(end)
    });
    last.map_or_else(|| core.clone(), |end| core.slice(end..core.len()))
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
            (Some(a), Some(b)) if gap(a, b) && !self.whole => " ",
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
        _ if ["我们", "咱们"].contains(&subject.as_str()) => true,
        // AI在企业落地: a clause by its place.
        _ if parts.subject.find(&["的"]).is_none()
            && (2..parts.subject.len())
                .any(|at| parts.subject.folded_at(at) == '在' && !inside_noun(&parts.subject, at, 1)) =>
        {
            true
        }
        _ if parts.whole || predicate.contains('、') || subject.contains('但') || acts(&parts.subject) => true,
        "default" => true,
        // Only the predicate speaks of this field.
        _ if class.said <= 15 && kind(&parts.alone()).name != class.name => true,
        "talent" => !keeping,
        // Their sentences are about what is lost, and about what is too high.
        "market"
            if RISING_ZH
                .iter()
                .any(|word| predicate.contains(word) || subject.ends_with(word)) =>
        {
            true
        }
        "cost" if FALLING_ZH.iter().any(|word| predicate.contains(word)) => true,
        "success" => ends(PEOPLE_ZH) || is_everybody(&parts.subject),
        "personal" | "problem" => false,
        // Whoever loses customers is still there to be asked about.
        "market" if keeping && shed(&parts.subject, class).len() < parts.subject.len() => false,
        "technology" => !ADOPTING_ZH.iter().any(|word| predicate.contains(word)),
        _ => ends(PEOPLE_ZH) || ends(BAD_RATES_ZH),
    };
    let whole = format!("{}{}", parts.subject.shown(), parts.predicate.shown());
    let whole = Text::new(&whole, whole.len());
    let short = whole.len() <= SUBJECT;
    (happens && short && parts.predicate.has_words() && !subject.is_empty()).then_some(whole)
}

/// The kind of matter: words of the predicate count most, then the head of the subject, which stands last.
fn kind(parts: &Parts) -> &'static super::Class {
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
        if figure
            && matches!(
                class.name,
                "quality" | "security" | "organisation" | "success" | "education"
            )
        {
            return 0;
        }
        // Somebody else's worries are not mine to be rid of.
        if class.name == "personal" && parts.predicate.has_words() && !is_mine(&parts.subject) {
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
