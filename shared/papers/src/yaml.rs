//! Front matter, written so that every reader of YAML takes a text for that text: each string in double quotes on one
//! line, lists with one item a line.

/// Lines of front matter.
#[derive(Debug, Default)]
pub struct FrontMatter(String);

impl FrontMatter {
    /// A text.
    pub fn text(&mut self, key: &str, value: &str) {
        self.0.push_str(&format!("{key}: {}\n", quoted(value)));
    }

    /// A number.
    pub fn number(&mut self, key: &str, value: u64) {
        self.0.push_str(&format!("{key}: {value}\n"));
    }

    /// Yes or no.
    pub fn truth(&mut self, key: &str, value: bool) {
        self.0.push_str(&format!("{key}: {value}\n"));
    }

    /// Texts.
    pub fn texts<T: AsRef<str>>(&mut self, key: &str, values: &[T]) {
        if values.is_empty() {
            self.0.push_str(&format!("{key}: []\n"));
            return;
        }
        self.0.push_str(&format!("{key}:\n"));
        for value in values {
            self.0.push_str(&format!("  - {}\n", quoted(value.as_ref())));
        }
    }

    /// The block between its `---` lines.
    #[must_use]
    pub fn block(self) -> String {
        format!("---\n{}---\n", self.0)
    }
}

/// A text as a scalar in double quotes, on one line. What cannot be seen is written as an escape.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0' => out.push_str("\\0"),
            '\u{85}' => out.push_str("\\N"),
            '\u{2028}' => out.push_str("\\L"),
            '\u{2029}' => out.push_str("\\P"),
            c if (c as u32) < 0x100 && crate::text::is_hidden(c) => out.push_str(&format!("\\x{:02X}", c as u32)),
            c if crate::text::is_hidden(c) || is_nothing(c) => {
                let code = c as u32;
                out.push_str(&if code > 0xffff {
                    format!("\\U{code:08X}")
                } else {
                    format!("\\u{code:04X}")
                });
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Code points that are no characters, which YAML does not take as they stand.
fn is_nothing(c: char) -> bool {
    (c as u32) & 0xfffe == 0xfffe || ('\u{fdd0}'..='\u{fdef}').contains(&c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// Titles that YAML readers take for something else, or that break its lines.
    pub(crate) const HOSTILE: [&str; 42] = [
        "",
        " ",
        "yes",
        "no",
        "on",
        "null",
        "~",
        "true",
        "2024-01-02",
        "12:30:45",
        "NaN",
        ".inf",
        "1_000",
        "0123",
        "0x1F",
        "1e3",
        "2301.00010",
        "ADR-1: Files",
        "a: b",
        "a #b",
        "# a",
        "- a",
        "? a",
        "[a",
        "{a}",
        "@me",
        "`x`",
        "&a",
        "*a",
        "!tag",
        "%dir",
        "| a",
        "> a",
        "\"q\" 'q'",
        "back\\slash",
        "---",
        "...",
        "a\nb\r\nc\td",
        "x\u{85}\u{2028}\u{2029}y",
        "\u{feff}bom\u{0}\u{7}\u{7f}\u{9f}",
        "量子：计算 \u{202e}abc 🛑\u{200d}\u{fffe}",
        " lead and trail ",
    ];

    fn read(text: &str) -> String {
        let mut front = FrontMatter::default();
        front.text("title", text);
        front.texts("list", &[text, text]);
        let block = front.block();
        assert_eq!(block.lines().count(), 6, "{block}");
        let inner = block.trim_start_matches("---\n").trim_end_matches("---\n");
        #[derive(serde::Deserialize)]
        struct Front {
            title: String,
            list: Vec<String>,
        }
        let front: Front = serde_saphyr::from_str(inner).unwrap_or_else(|error| panic!("{text:?}: {error}"));
        assert_eq!(front.list, [front.title.as_str(); 2]);
        let untyped: BTreeMap<String, serde_json::Value> = serde_saphyr::from_str(inner).expect("untyped");
        assert_eq!(untyped["title"], serde_json::Value::String(front.title.clone()));
        front.title
    }

    #[test]
    fn hostile_titles_come_back() {
        for title in HOSTILE {
            assert_eq!(read(title), title);
        }
    }

    proptest! {
        #[test]
        fn any_text_comes_back(text in any::<String>(), odd in "[\\x00-\\x20\\x7f-\\xa0\u{2028}\u{2029}\u{feff}\"\\\\:#-]{0,20}") {
            prop_assert_eq!(&read(&text), &text);
            prop_assert_eq!(&read(&odd), &odd);
        }
    }
}
