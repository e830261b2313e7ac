//! Names as people write them: folded for comparison, cleaned for showing, and how near two of them are.

use crate::language;
use unicode_normalization::UnicodeNormalization;

/// As much of a name as is compared, in characters. The longest of ours has 50.
const COMPARED: usize = 60;

/// Words that say no more than that a framework is meant, as they stand at the end of a folded name.
const GENERIC: [&str; 13] = [
    "analysis",
    "framework",
    "template",
    "model",
    "method",
    "technique",
    "模板",
    "框架",
    "模型",
    "方法",
    "理论",
    "图",
    "法",
];

/// `name` without what people write in different ways: width, case, space, hyphens and other punctuation, traditional
/// characters, 分析, and closing words such as "framework". May be empty.
#[must_use]
pub fn fold(name: &str) -> String {
    let letters = name.nfkc().map(language::fold).filter(|c| c.is_alphanumeric());
    let mut folded: String = letters.take(COMPARED).collect();
    folded = folded.replace("分析", "");
    while let Some(shorter) = GENERIC
        .iter()
        .find_map(|word| folded.strip_suffix(word))
        .filter(|rest| !rest.is_empty())
    {
        folded = shorter.to_owned();
    }
    folded
}

/// `text` on one line and fit to be shown: no control characters, no marks of direction, at most `most` characters.
#[must_use]
pub fn shown(text: &str, most: usize) -> String {
    let visible = |c: &char| {
        !c.is_control()
            && !matches!(c, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
    };
    let spaced = text
        .chars()
        .map(|c| if c.is_whitespace() { ' ' } else { c })
        .filter(visible);
    let mut line = String::new();
    let mut length = 0;
    for c in spaced {
        if c == ' ' && (line.is_empty() || line.ends_with(' ')) {
            continue;
        }
        if length == most {
            return format!("{}…", line.trim_end());
        }
        line.push(c);
        length += 1;
    }
    line.trim_end().to_owned()
}

/// How alike two folded names are, in thousandths: by the letters to change, or by one standing inside the other.
#[must_use]
pub fn likeness(a: &str, b: &str) -> usize {
    let (x, y): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let (short, long) = (x.len().min(y.len()), x.len().max(y.len()));
    if short == 0 {
        return 0;
    }
    let inside = short > 1 && (a.contains(b) || b.contains(a));
    let by_letters = 1000 * (long - edits(&x, &y)) / long;
    let by_place = if inside { 500 + 500 * short / long } else { 0 };
    by_letters.max(by_place)
}

/// Letters to insert, remove or replace (Levenshtein).
fn edits(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, expected: &str) {
        assert_eq!(fold(name), expected);
    }

    #[test]
    fn one_name_has_one_form() {
        for name in [
            "SWOT",
            "swot 分析",
            "ＳＷＯＴ",
            "S-W-O-T",
            " swot_analysis ",
            "SWOT分析法",
            "Swot Analysis Framework",
            "SWOT 分析模板",
        ] {
            check(name, "swot");
        }
        check("魚骨圖", "鱼骨");
        check("模型", "模型");
        check("🙂\0", "");
    }

    #[test]
    fn likeness_prefers_few_edits_and_parts() {
        assert_eq!(likeness("swot", "swot"), 1000);
        assert!(likeness("swto", "swot") > likeness("swto", "scqa"));
        assert!(likeness("五力竞争", "五力") > likeness("五力竞争", "五问"));
        assert_eq!(likeness("", "swot"), 0);
    }

    #[test]
    fn what_is_shown_is_one_short_line() {
        assert_eq!(shown(" a\n\tb\u{202E}\0 c ", 10), "a b c");
        assert_eq!(shown("abcdef", 3), "abc…");
    }
}
