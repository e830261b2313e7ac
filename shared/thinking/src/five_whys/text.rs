//! A text beside its folded form, character by character: words are looked for in the one and cut out of the other.

use crate::language;
use std::ops::Range;

/// A stretch of the query.
#[derive(Clone, Debug, Default)]
pub(super) struct Text {
    pub(super) shown: Vec<char>,
    folded: Vec<char>,
}

impl Text {
    /// The first `most` characters of `query` without control characters, marks of direction, emoji and doubled space.
    pub(super) fn new(query: &str, most: usize) -> Self {
        let mut shown: Vec<char> = Vec::new();
        for c in untagged(query)
            .map(narrow)
            .filter(|&c| c == '\n' || c == '\t' || c == '\r' || is_text(c))
        {
            let c = if c == '\r' || (c.is_whitespace() && c != '\n') {
                ' '
            } else {
                c
            };
            match shown.last() {
                None | Some(' ' | '\n') if c == ' ' => {}
                _ if shown.len() == most => break,
                _ => shown.push(c),
            }
        }
        Self::of(shown)
    }

    fn of(shown: Vec<char>) -> Self {
        let folded = shown.iter().copied().map(language::fold).collect();
        Self { shown, folded }
    }

    pub(super) fn len(&self) -> usize {
        self.shown.len()
    }

    pub(super) fn slice(&self, range: Range<usize>) -> Self {
        Self {
            shown: self.shown[range.clone()].to_vec(),
            folded: self.folded[range].to_vec(),
        }
    }

    /// Without the stretch.
    pub(super) fn without(&self, range: Range<usize>) -> Self {
        let mut shown = self.shown.clone();
        shown.splice(range, [' ']);
        Self::of(shown)
    }

    /// Without space and punctuation at both ends; a bracket or quotation mark stays.
    pub(super) fn trim(&self) -> Self {
        let loose = |c: &char| {
            !c.is_alphanumeric()
                && !matches!(
                    c,
                    '"' | '“'
                        | '”'
                        | '「'
                        | '」'
                        | '『'
                        | '』'
                        | '《'
                        | '》'
                        | '('
                        | ')'
                        | '（'
                        | '）'
                        | '\''
                        | '%'
                        | '+'
                        | '#'
                )
        };
        let start = self.shown.iter().take_while(|c| loose(c) || **c == '#').count();
        let end = self.len() - self.shown[start..].iter().rev().take_while(|c| loose(c)).count();
        self.slice(start..end)
    }

    /// Without each of `words`, wherever it stands.
    pub(super) fn without_all(&self, words: &[&str]) -> Self {
        let mut text = self.clone();
        while let Some(found) = text.find(words) {
            text = text.without(found);
        }
        text
    }

    /// Does `word` stand at `at`? An ASCII word must not end or begin inside a longer one.
    pub(super) fn stands_at(&self, at: usize, word: &str) -> Option<usize> {
        let mut end = at;
        for c in word.chars() {
            if self.folded.get(end) != Some(&c) {
                return None;
            }
            end += 1;
        }
        let joined = |a: Option<&char>, b: Option<&char>| matches!((a, b), (Some(a), Some(b)) if a.is_ascii_alphanumeric() && (b.is_ascii_alphanumeric() || *b == '\''));
        let before = at.checked_sub(1).and_then(|i| self.folded.get(i));
        let inside =
            joined(before, self.folded.get(at)) || joined(self.folded.get(end.saturating_sub(1)), self.folded.get(end));
        (end > at && !inside).then_some(end)
    }

    /// Without quotation marks and brackets that have lost their partners.
    pub(super) fn paired(&self) -> Self {
        Self::new(&paired(&self.shown()), self.len())
    }

    /// Where one of `words` stands first, the longest there.
    pub(super) fn find(&self, words: &[&str]) -> Option<Range<usize>> {
        (0..self.len()).find_map(|at| {
            let end = words.iter().filter_map(|word| self.stands_at(at, word)).max()?;
            Some(at..end)
        })
    }

    /// The length of the longest of `words` at the start.
    pub(super) fn head(&self, words: &[&str]) -> Option<usize> {
        words.iter().filter_map(|word| self.stands_at(0, word)).max()
    }

    /// Where the longest of `words` begins at the end.
    pub(super) fn tail<'w>(&self, words: impl IntoIterator<Item = &'w str>) -> Option<usize> {
        let starts = words.into_iter().filter_map(|word| {
            let start = self.len().checked_sub(word.chars().count())?;
            self.stands_at(start, word).map(|_| start)
        });
        starts.min()
    }

    /// The folded character at `at`, a space behind the end.
    pub(super) fn folded_at(&self, at: usize) -> char {
        self.folded.get(at).copied().unwrap_or(' ')
    }

    pub(super) fn has_words(&self) -> bool {
        self.shown.iter().any(|c| c.is_alphanumeric())
    }

    pub(super) fn shown(&self) -> String {
        self.shown.iter().collect()
    }

    pub(super) fn folded(&self) -> String {
        self.folded.iter().collect()
    }

    /// The clauses between the characters that `ends` names; a full stop ends one only before space.
    pub(super) fn clauses(&self, ends: &str) -> Vec<Self> {
        let mut clauses = Vec::new();
        let mut start = 0;
        for at in 0..=self.len() {
            let end = match self.shown.get(at) {
                None => true,
                Some('.') => self.shown.get(at + 1).is_none_or(|next| next.is_whitespace()),
                Some(&c) => ends.contains(c),
            };
            if end {
                clauses.push(self.slice(start..at).trim());
                start = (at + 1).min(self.len());
            }
        }
        clauses.retain(Self::has_words);
        clauses
    }
}

/// `query` with a space for each tag of a markup language: a `<` with a letter or slash behind it, up to its `>`.
fn untagged(query: &str) -> impl Iterator<Item = char> + '_ {
    let mut rest = query.chars();
    std::iter::from_fn(move || {
        let c = rest.next()?;
        let text = rest.as_str();
        let opens = c == '<' && text.starts_with(|next: char| next == '/' || next == '!' || next.is_ascii_alphabetic());
        // A tag is short; a comparison like a<b has no end near.
        let inner = text
            .find(['<', '>', '\n'])
            .filter(|&end| opens && text[end..].starts_with('>') && end < 300);
        let Some(end) = inner else { return Some(c) };
        rest = text[end + 1..].chars();
        Some(' ')
    })
}

/// A letter or digit of full width as everybody writes it.
fn narrow(c: char) -> char {
    match c {
        '０'..='９' | 'Ａ'..='Ｚ' | 'ａ'..='ｚ' => language::narrow(c),
        '\u{3000}' => ' ',
        _ => c,
    }
}

/// Is this part of what is written, rather than of how it is drawn?
fn is_text(c: char) -> bool {
    !c.is_control()
        && !matches!(c,
            '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{2190}'..='\u{2BFF}'
            | '\u{E000}'..='\u{F8FF}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFF0}'..='\u{FFFF}'
            | '\u{1F000}'..='\u{1FAFF}' | '\u{E0000}'..='\u{10FFFF}')
}

/// `text` without space beside Chinese characters and punctuation.
pub(super) fn tight(text: &str) -> String {
    let wide = |c: &char| language::is_han(*c) || "，。、；：？！“”「」《》（）".contains(*c);
    let shown: Vec<char> = text.chars().collect();
    let loose = |at: usize| {
        let beside = [at.checked_sub(1), Some(at + 1)];
        shown[at] == ' ' && beside.iter().flatten().any(|&at| shown.get(at).is_some_and(wide))
    };
    (0..shown.len()).filter(|&at| !loose(at)).map(|at| shown[at]).collect()
}

/// `text` without the quotation marks and brackets that have lost their partners.
pub(super) fn paired(text: &str) -> String {
    const PAIRS: [(char, char); 8] = [
        ('"', '"'),
        ('“', '”'),
        ('「', '」'),
        ('『', '』'),
        ('《', '》'),
        ('(', ')'),
        ('（', '）'),
        ('【', '】'),
    ];
    let mut text = text.to_owned();
    for (open, close) in PAIRS {
        let count = |c: char| text.chars().filter(|&x| x == c).count();
        let whole = if open == close {
            count(open).is_multiple_of(2)
        } else {
            count(open) == count(close)
        };
        if !whole {
            text.retain(|c| c != open && c != close);
        }
    }
    text.trim().to_owned()
}
