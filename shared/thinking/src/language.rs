//! In which language a text is, told by the share of its scripts, and the two scripts of Chinese.

use crate::han::{PAIRS, SAME};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A language in which we answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Language {
    /// Chinese, in simplified characters where nothing asks for traditional ones.
    #[serde(rename = "zh")]
    Chinese,
    /// English; also for texts in any third language.
    #[serde(rename = "en")]
    English,
}

impl Language {
    /// The language of `text`; none where it has no letters.
    ///
    /// A Chinese word has about two characters, so two of them weigh as much as one word of another script: a Chinese
    /// sentence with an English name in it stays Chinese, an English one with a Chinese name stays English. Kana and
    /// Hangul speak for neither, hence for English.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        let (mut han, mut kana, mut words) = (0_usize, 0_usize, 0_usize);
        let mut inside = false;
        for c in text.chars() {
            let letter = c.is_alphabetic() && !is_han(c) && !is_kana(c);
            words += usize::from(letter && !inside);
            inside = letter || (inside && (c.is_alphanumeric() && !is_han(c) || c == '\'' || c == '’'));
            han += usize::from(is_han(c));
            kana += usize::from(is_kana(c));
        }
        let marked = CHINESE_MARKS.iter().any(|mark| text.contains(mark));
        if han + kana + words == 0 {
            None
        } else if han > 2 * kana && (han >= 2 * words || (words <= 3 && marked)) {
            Some(Self::Chinese)
        } else {
            Some(Self::English)
        }
    }
}

/// Words that no English sentence has: with one of them a short query is Chinese though its names are not.
const CHINESE_MARKS: [&str; 7] = ["为什么", "為什麼", "为何", "為何", "的", "如何", "怎么"];

/// Is this one of the characters that Chinese is written in?
#[must_use]
pub fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}' | '〇' | '々')
}

/// A character of Japanese kana or Korean Hangul.
fn is_kana(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{30FF}' | '\u{AC00}'..='\u{D7AF}' | '\u{1100}'..='\u{11FF}')
}

/// Traditional to simplified.
static SIMPLE: LazyLock<BTreeMap<char, char>> = LazyLock::new(|| pairs().collect());

/// Simplified to the traditional character that our sentences need.
static TRADITIONAL: LazyLock<BTreeMap<char, char>> = LazyLock::new(|| {
    let mut map = BTreeMap::new();
    for (traditional, simple) in pairs() {
        if !SAME.contains(simple) {
            map.entry(simple).or_insert(traditional);
        }
    }
    map
});

fn pairs() -> impl Iterator<Item = (char, char)> {
    PAIRS.chars().step_by(2).zip(PAIRS.chars().skip(1).step_by(2))
}

/// Is `text` in traditional characters? Some of them stand in simplified texts too (著名), so the majority decides.
#[must_use]
pub fn is_traditional(text: &str) -> bool {
    let (mut traditional, mut simple) = (0_usize, 0_usize);
    for c in text.chars() {
        traditional += usize::from(SIMPLE.contains_key(&c));
        simple += usize::from(TRADITIONAL.contains_key(&c));
    }
    traditional > simple
}

/// One of our own Chinese sentences in traditional characters.
#[must_use]
pub fn to_traditional(sentence: &str) -> String {
    sentence
        .chars()
        .map(|c| TRADITIONAL.get(&c).copied().unwrap_or(c))
        .collect()
}

/// The character that stands for `c` when words are compared: simplified, half-width, lower case. Always one for one,
/// so that positions in a folded text are positions in the text.
#[must_use]
pub fn fold(c: char) -> char {
    let c = match c {
        '\u{FF01}'..='\u{FF5E}' => narrow(c),
        '’' | '‘' => '\'',
        _ => SIMPLE.get(&c).copied().unwrap_or(c),
    };
    let mut lower = c.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(one), None) => one,
        _ => c,
    }
}

/// The half-width form of a full-width ASCII character.
pub(crate) fn narrow(c: char) -> char {
    char::from_u32(u32::from(c).wrapping_sub(0xFEE0)).unwrap_or(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<Language>) {
        assert_eq!(Language::of(text), expected, "{text}");
    }

    #[test]
    fn the_greater_share_decides() {
        use Language::{Chinese, English};
        check("中国开源人才的现状分析", Some(Chinese));
        check("分析LLM在医疗中的应用瓶颈", Some(Chinese));
        check("Kubernetes集群为什么总是重启", Some(Chinese));
        check("OpenTelemetry和Prometheus的区别", Some(Chinese));
        check("Why does 微信支付 fail at peak?", Some(English));
        check("AI", Some(English));
        check("なぜ日本の人材は不足しているのか", Some(English));
        check("なぜ日本の人材不足", Some(English));
        check("日本の品质管理", Some(Chinese));
        check("почему падают продажи", Some(English));
        check("", None);
        check("🙂 42 ？！", None);
    }

    #[test]
    fn both_scripts_of_chinese_are_told_and_written() {
        assert!(is_traditional("台灣開源人才培育的困境"));
        assert!(!is_traditional("中国开源人才"));
        assert!(!is_traditional("著名大学的排名"));
        assert_eq!(
            to_traditional("为什么现有的规则和利益格局会让它难以改变？"),
            "為什麼現有的規則和利益格局會讓它難以改變？"
        );
        assert_eq!(
            to_traditional("机制、干预、周围、准时、方面、导致"),
            "機制、干預、周圍、準時、方面、導致"
        );
        assert_eq!("為什麼ＡＩ".chars().map(fold).collect::<String>(), "为什么ai");
    }

    #[test]
    fn the_table_is_whole() {
        assert!(PAIRS.chars().count().is_multiple_of(2));
        assert!(pairs().all(|(a, b)| a != b && is_han(a) && is_han(b)));
    }
}
