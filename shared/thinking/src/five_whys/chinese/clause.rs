//! A Chinese query to the clause that tells the matter, and the clause to subject and predicate.

use super::super::tables::*;
use super::super::text::Text;
use super::super::{READ, stripped, without_method};
use super::SUBJECT;
use std::ops::Range;

/// A subject, and what is said about it.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) subject: Text,
    pub(super) predicate: Text,
    /// The predicate is a bare verb, and 会 makes a sentence of it.
    pub(super) bare: bool,
    /// A clause that nobody has told where to part: only the two together mean something.
    pub(super) whole: bool,
}

/// The clause that tells the matter: the one with a why in it, else the first with a predicate, else the first.
pub(super) fn clause(text: &Text) -> Text {
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
pub(super) fn find_why(clause: &Text) -> Option<Range<usize>> {
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

pub(super) fn parts(clause: &Text) -> Parts {
    let (mut subject, mut predicate, mut bare) = (clause.clone(), Text::default(), false);
    let mut asked = false;
    if let Some(why) = find_why(clause) {
        asked = true;
        let before = bared(&clause.slice(0..why.start));
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
    let adverbs: &[&str] = if asked {
        &["会", "总", "老", "还", "又"]
    } else {
        &[]
    };
    let says = subject.head(PREDICATE_ZH).or(subject.head(adverbs));
    if says.is_some_and(|end| end < subject.len() && !inside_noun(&subject, 0, end)) && subject.find(&["的"]).is_none()
    {
        return Parts {
            predicate: subject,
            whole: true,
            ..Parts::default()
        };
    }
    if !asked && subject.tail(DURATIONS_ZH.iter().copied()).is_some() {
        return Parts {
            predicate: Text::new(TOO_LONG_ZH, READ),
            subject,
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
        subject = bared(&subject.slice(0..at));
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

/// Stripped, but for the 了 of what has been done: 建了没人用.
fn bared(subject: &Text) -> Text {
    let bare = stripped(subject);
    if subject.folded().ends_with('了') && bare.has_words() && !bare.folded().ends_with('了') {
        Text::new(&format!("{}了", bare.shown()), READ)
    } else {
        bare
    }
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
    // 现在的年轻人 are people.
    while let Some(opening) = opening(&clause).filter(|&end| end + 1 < clause.len() && clause.folded_at(end) != '的') {
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
    // 这天气, 本年度
    let end = end.unwrap_or(at);
    (told && !"度气头轻会子".contains(clause.folded_at(end))).then_some(end)
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
        && (rest.tail(NOUNS_AFTER_NOT_ZH.iter().copied()).is_none()
            || rest.tail(WHOLE_NOUNS_ZH.iter().copied()).is_some())
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
pub(super) fn inside_noun(clause: &Text, at: usize, length: usize) -> bool {
    NOT_PREDICATE_ZH.iter().any(|noun| {
        let whole = noun.chars().count();
        whole > length
            && (at.saturating_sub(whole - 1)..=at)
                .any(|start| start + whole >= at + length && clause.stands_at(start, noun).is_some())
    })
}
