//! `unreadable-evidence`: evidence that is no URI, or one of ours without what it must name.

use super::Rule;
use crate::context::Context;
use crate::found::{Found, Hint, quote};
use crate::report::Level;
use meadow_model::Pointer;

pub(super) const RULE: Rule = Rule {
    code: "unreadable-evidence",
    about: "evidence of an interconnection cannot be followed",
    check,
};

/// Whose papers `literature://` names.
const SOURCES: [&str; 3] = ["arxiv", "doi", "s2"];

fn check(cx: &Context<'_>, found: &mut Found) {
    for (at, link) in cx.document.interconnections.iter().enumerate() {
        for (index, uri) in link.evidence.iter().enumerate() {
            if is_readable(uri) {
                continue;
            }
            found.advice(Level::Info, || Hint {
                pointer: Pointer::root()
                    .key("interconnections")
                    .index(at)
                    .key("evidence")
                    .index(index),
                message: format!("the evidence {} cannot be followed", quote(uri)),
                fix: "give a URI: literature://arxiv/2101.00001, literature://doi/10.1000/x, note:///folder/x.md or https://…"
                    .to_owned(),
                patch: None,
            });
        }
    }
}

fn is_readable(uri: &str) -> bool {
    let uri = uri.trim();
    let Some((scheme, rest)) = uri.split_once(':') else {
        return false;
    };
    let named = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && (scheme.bytes()).all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'));
    let whole = !rest.is_empty() && !uri.chars().any(|c| c.is_whitespace() || c.is_control());
    let climbs = rest.split('/').any(|segment| matches!(segment, "." | ".."));
    let ours = match scheme {
        "literature" | "note" if climbs => false,
        "literature" => (rest.strip_prefix("//"))
            .and_then(|path| path.split_once('/'))
            .is_some_and(|(source, id)| SOURCES.contains(&source) && !id.is_empty()),
        "note" => (rest.strip_prefix("///")).is_some_and(|path| !path.is_empty()),
        // Nobody who reads the model elsewhere can follow these, or should.
        "file" | "javascript" | "data" | "vbscript" => false,
        _ => true,
    };
    named && whole && ours
}

#[cfg(test)]
mod tests {
    use super::is_readable;
    use crate::rules::tests::advice;

    #[test]
    fn cases() {
        let fix =
            "give a URI: literature://arxiv/2101.00001, literature://doi/10.1000/x, note:///folder/x.md or https://…";
        let text =
            |at: &str, uri: &str| format!("/interconnections/{at}: the evidence `{uri}` cannot be followed; {fix}");
        advice(
            "unreadable-evidence",
            r#"{"interconnections":[{"evidence":["Smith 2020","https://example.org/a"]},{"evidence":[]},{"evidence":["literature://arxiv/"]}]}"#,
            &[
                (&text("0/evidence/0", "Smith 2020"), ""),
                (&text("2/evidence/0", "literature://arxiv/"), ""),
            ],
        );
    }

    #[test]
    fn uris() {
        for good in [
            "literature://arxiv/2101.00001",
            "literature://arxiv/solv-int/9901001v1",
            "literature://doi/10.1000/xyz",
            "literature://s2/649def34f8be52c8b66281af98ae884c09aef38b",
            "note:///x.md",
            "note:///%E8%AE%BA%E6%96%87/a%20b.md",
            "https://example.org",
            "doi:10.1000/x",
        ] {
            assert!(is_readable(good), "{good}");
        }
        for bad in [
            "",
            "Smith (2020)",
            "example.org",
            "https:",
            "note://x.md",
            "note:///",
            "note:///a b.md",
            "literature://pubmed/1",
            "literature://arxiv",
            "1:x",
            "file:///home/me/x.md",
            "javascript:alert(1)",
            "literature://arxiv/../../x",
            "note:///../../x",
            "see: this",
        ] {
            assert!(!is_readable(bad), "{bad}");
        }
    }
}
