//! Words of several scripts: what is Chinese, Japanese or Korean, what cannot be seen, how text is cut.

use unicode_normalization::UnicodeNormalization;

/// Whether a character belongs to Chinese, Japanese or Korean writing.
#[must_use]
pub fn is_cjk(c: char) -> bool {
    matches!(c,
        '\u{1100}'..='\u{11ff}' | '\u{2e80}'..='\u{303f}' | '\u{3040}'..='\u{30ff}' | '\u{3100}'..='\u{312f}'
        | '\u{3130}'..='\u{318f}' | '\u{31a0}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{a960}'..='\u{a97f}'
        | '\u{ac00}'..='\u{d7ff}' | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe4f}' | '\u{ff00}'..='\u{ffef}'
        | '\u{20000}'..='\u{3ffff}')
}

/// Whether a text has words of those scripts.
#[must_use]
pub fn has_cjk(text: &str) -> bool {
    text.chars().any(|c| is_cjk(c) && c.is_alphanumeric())
}

/// Whether a character changes how text is shown without being seen itself: controls, marks of direction, joiners of
/// no width, line separators.
#[must_use]
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// A text on one line: runs of white space are one space, hidden characters are gone.
#[must_use]
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_whitespace() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{85}') {
            if !line.is_empty() && !line.ends_with(' ') {
                line.push(' ');
            }
        } else if !is_hidden(c) {
            line.push(c);
        }
    }
    line.truncate(line.trim_end().len());
    line
}

/// The first `limit` characters, at the end of a word where one ends nearby; `…` shows that there was more.
#[must_use]
pub fn cut(text: &str, limit: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(limit) else {
        return text.to_owned();
    };
    let head = &text[..end];
    let at_word = head.rfind(' ').filter(|at| end - at <= 24);
    format!("{}…", head[..at_word.unwrap_or(end)].trim_end())
}

/// Letters and digits as they compare: NFKC, lower case.
#[must_use]
pub fn folded(text: &str) -> String {
    text.nfkc().flat_map(char::to_lowercase).nfkc().collect()
}

/// How many changes of one character make `b` of `a`.
pub(crate) fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut corner = i;
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let cost = corner + usize::from(x != *y);
            corner = row[j + 1];
            row[j + 1] = cost.min(row[j] + 1).min(corner + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_single_and_show_what_they_hold() {
        assert_eq!(one_line(" a\n\n  b\u{2028}c\u{202e}d\t\u{200b} "), "a b cd");
        assert_eq!(one_line("量子\u{3000}计算"), "量子 计算");
        assert_eq!(cut("one two three", 20), "one two three");
        assert_eq!(cut("one two three", 9), "one two…");
        assert_eq!(cut("量子计算的现状", 4), "量子计算…");
    }

    #[test]
    fn scripts_are_told_apart() {
        for text in ["量子", "quantum 计算", "かな", "한국어", "ﾊﾝｶｸ"] {
            assert!(has_cjk(text), "{text}");
        }
        for text in ["quantum", "Schrödinger", "Ω", "。", "…", ""] {
            assert!(!has_cjk(text), "{text}");
        }
    }

    #[test]
    fn near_is_near() {
        assert_eq!(distance("cs.AL", "cs.AI"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
