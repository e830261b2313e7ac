//! Which kind of file a text is, told by its content.

use crate::ReadError;
use meadow_model::{json, limits::MAX_TEXT};

/// A kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Our own document.
    Document,
    /// The JSON that sd-ai and Simlin's agents exchange.
    SdAi,
    /// XMILE 1.0, also as .stmx and .itmx.
    Xmile,
    /// Vensim's text format.
    Mdl,
}

impl Format {
    /// What it is called in messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Document => "Meadow document",
            Self::SdAi => "SD-AI JSON",
            Self::Xmile => "XMILE",
            Self::Mdl => "Vensim .mdl",
        }
    }
}

const KNOWN: &str = "expected a Meadow document, SD-AI JSON, XMILE (.xmile, .stmx) or Vensim .mdl";

/// Tells which kind of file `text` is.
///
/// JSON of neither kind counts as a document of ours, whose parser then says what is wrong with it.
///
/// # Errors
/// Where it is none of them; the message says what it looks like.
pub fn detect(text: &str) -> Result<Format, ReadError> {
    let start = text.trim_start();
    let unknown = |message: String| Err(ReadError::new(None, format!("{message}; {KNOWN}")));
    match start.as_bytes() {
        [] => unknown("the file is empty".to_owned()),
        [b'<', ..] => Ok(Format::Xmile),
        // A .mdl begins with `{UTF-8}`, which is a comment there.
        [b'{', ..] if !is_mdl(start) => json_kind(start),
        [b'[', ..] if !is_mdl(start) => unknown("the file holds a JSON list (Loopy's links do)".to_owned()),
        _ if is_mdl(start) => Ok(Format::Mdl),
        _ => {
            let line: String = start.lines().next().unwrap_or_default().chars().take(60).collect();
            unknown(format!("the file begins with {line:?}"))
        }
    }
}

/// True for equations that end with `|`, each part behind a `~`, as in no JSON.
fn is_mdl(start: &str) -> bool {
    let is_object = start
        .strip_prefix('{')
        .is_some_and(|rest| rest.trim_start().starts_with(['"', '}']));
    !is_object && start.contains('~') && start.contains('|') && start.contains(['=', '('])
}

fn json_kind(text: &str) -> Result<Format, ReadError> {
    if text.len() > MAX_TEXT {
        let message = format!(
            "the JSON has {} bytes, {MAX_TEXT} are the most that is read",
            text.len()
        );
        return Err(ReadError::new(None, message));
    }
    // Where the text is no JSON, our own parser says so, with the place.
    let Ok(Some(members)) = json::members(text) else {
        return Ok(Format::Document);
    };
    let has = |name: &str| members.iter().any(|member| member.name == name);
    let ours = [
        "system_name",
        "boundary",
        "elements",
        "interconnections",
        "stocks",
        "flows",
        "loops",
        "leverage_points",
        "interventions",
        "simulation",
    ];
    let foreign = [
        ("simSpecs", "Simlin's own JSON: export it as XMILE"),
        (
            "connections",
            "a Kumu blueprint: write its elements and connections as a Meadow document",
        ),
        (
            "engine",
            "ModelJSON: export the model as XMILE, or write it as a Meadow document",
        ),
    ];
    if has("relationships") || has("specs") || has("model") || has("feedbackLoops") || has("feedback") {
        let is_ours = ours.iter().any(|name| has(name)) && !has("relationships");
        return Ok(if is_ours { Format::Document } else { Format::SdAi });
    }
    if has("variables") && !ours.iter().any(|name| has(name)) && !has("version") {
        return Ok(Format::SdAi);
    }
    match foreign
        .iter()
        .find(|(name, _)| has(name) && !has("system_name") && !has("stocks"))
    {
        Some((name, advice)) => Err(ReadError::new(
            None,
            format!("the file has the member {name:?} and looks like {advice}; {KNOWN}"),
        )),
        None => Ok(Format::Document),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Format) {
        assert_eq!(detect(text), Ok(expected), "{text}");
    }

    #[track_caller]
    fn refused(text: &str, expected: &str) {
        let error = detect(text).expect_err(text);
        assert!(error.message.starts_with(expected), "{error}");
        assert!(error.message.ends_with(KNOWN), "{error}");
    }

    #[test]
    fn the_content_tells_the_kind() {
        check(r#"{"version":"1","system_name":"x"}"#, Format::Document);
        check(r#"{"variables":[],"stocks":[]}"#, Format::Document);
        check(r#"{"system_name":"x","specs":{}}"#, Format::Document);
        check(r#"{"description":"a | b ~ c = d"}"#, Format::Document);
        check(r#"{"variables":[],"simulation":{}}"#, Format::Document);
        check("{}", Format::Document);
        check("{not json", Format::Document);
        check(r#"{"variables":[{"name":"a"}]}"#, Format::SdAi);
        check(r#" {"relationships":[]}"#, Format::SdAi);
        check(r#"{"model":{"variables":[]},"success":true}"#, Format::SdAi);
        check("\n<xmile/>", Format::Xmile);
        check("<?xml version='1.0'?><xmile/>", Format::Xmile);
        check("{UTF-8}\na = 1 ~ ~ |", Format::Mdl);
        check("a = 1 ~ ~ |", Format::Mdl);
        check("table( (0,0),(1,1) ) ~ ~ |", Format::Mdl);
        check("{a comment}\r\nb=2~~|", Format::Mdl);
    }

    #[test]
    fn what_is_none_of_them_is_named() {
        refused("", "the file is empty");
        refused("hello\nworld", "the file begins with \"hello\"");
        refused("[[[1,2]]]", "the file holds a JSON list");
        refused(
            r#"{"simSpecs":{},"models":[]}"#,
            "the file has the member \"simSpecs\" and looks like Simlin",
        );
        refused(
            r#"{"elements":[],"connections":[]}"#,
            "the file has the member \"connections\" and looks like a Kumu",
        );
    }
}
