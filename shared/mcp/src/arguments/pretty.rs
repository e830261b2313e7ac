//! JSON for people: two spaces a level, members in their order, numbers as they were sent, texts readable.

use super::mend;

/// `json`, which must be JSON, written anew.
pub(super) fn pretty(json: &str) -> String {
    let mut out = String::with_capacity(json.len() * 2);
    let mut depth = 0_usize;
    let mut rest = json.trim_start();
    let line = |out: &mut String, depth: usize| {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", depth));
    };
    while let Some(c) = rest.chars().next() {
        let mut read = c.len_utf8();
        match c {
            '{' | '[' => {
                out.push(c);
                let inner = rest[1..].trim_start();
                if let Some(after) = inner.strip_prefix(if c == '{' { '}' } else { ']' }) {
                    out.push(if c == '{' { '}' } else { ']' });
                    read = rest.len() - after.len();
                } else {
                    depth += 1;
                    line(&mut out, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                line(&mut out, depth);
                out.push(c);
            }
            ',' => {
                out.push(',');
                line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            '"' => {
                read = string(rest);
                let text = mend::text(&rest[..read]);
                // A text can always be written.
                out.push_str(&serde_json::to_string(&text).unwrap_or_default());
            }
            c if c.is_ascii_whitespace() => {}
            c => out.push(c),
        }
        rest = &rest[read..];
    }
    out
}

/// How many bytes the string takes that stands at the beginning.
fn string(json: &str) -> usize {
    let mut escaped = false;
    let end = json.bytes().skip(1).position(|b| {
        let ends = b == b'"' && !escaped;
        escaped = b == b'\\' && !escaped;
        ends
    });
    end.map_or(json.len(), |end| end + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_numbers_and_texts_stay() {
        for (json, expected) in [
            ("{}", "{}"),
            ("[ ]", "[]"),
            (
                r#"{"b":1.10,"a":[{"x":null},[],{ },1E+2,-0.0],"b":true}"#,
                "{\n  \"b\": 1.10,\n  \"a\": [\n    {\n      \"x\": null\n    },\n    [],\n    {},\n    1E+2,\n    -0.0\n  ],\n  \"b\": true\n}",
            ),
            (
                r#"["\u4e2d, \"{\" \\","\ud83d"]"#,
                "[\n  \"中, \\\"{\\\" \\\\\",\n  \"\u{fffd}\"\n]",
            ),
        ] {
            assert_eq!(pretty(json), expected, "{json}");
        }
    }

    #[test]
    fn it_is_the_same_value_and_what_serde_writes() {
        let json = r#" {"a" : [1, {"b":"x: y, z"}, ""], "c":{"d":[[2]]}} "#;
        let value: serde_json::Value = serde_json::from_str(json).unwrap();
        assert_eq!(pretty(json), serde_json::to_string_pretty(&value).unwrap());
    }
}
