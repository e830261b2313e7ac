//! `systems_thinking_writer`: checks a whole document and stores it.
//!
//! The document stays text from the wire to the store; no value is made of it.

use super::{Call, MAX_ANSWER, Run, Tool, answer, failed, output_schema, refused, schema};
use crate::arguments::{Arguments, is_blank, is_nothing, unwrapped};
use crate::raw::MAX_AROUND;
use futures_util::future::BoxFuture;
use meadow_access::Scope;
use meadow_model::fields::Fielded;
use meadow_model::json::{Member, members, without};
use meadow_model::limits::MAX_TEXT;
use meadow_model::texts::{Within, taken_out};
use meadow_model::{Document, Refusal};
use meadow_service::{Error, Expectation, Head, Written};
use meadow_validation::Advice;
use rmcp::model::{CallToolResult, ToolAnnotations};
use serde::{Deserialize, Serialize};
use serde_json::json;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt::Write as _;

const NAME: &str = "systems_thinking_writer";
const DESCRIPTION: &str = include_str!("../../texts/writer.md");

/// Arguments that are the tool's own and no part of the document.
const OWN: [&str; 2] = ["model", "expected_revision"];
/// The argument that holds the whole document.
const DOCUMENT: &str = "document";

const NOTHING: &str = "nothing was sent, so nothing was stored; send the document's members as arguments, or the whole \
     document under `document`; a document that is still empty is {}";

pub(super) fn tool() -> Tool {
    let mut properties = meadow_model::schema::input_properties();
    for (name, property) in [
        (
            DOCUMENT,
            json!({"type": "string", "description": "Instead of the members: the whole document, as JSON text or as an object. Needed only where the document has members called model, expected_revision or document"}),
        ),
        (
            "model",
            json!({"type": "string", "description": "Id of the model to write (optional; else made from system_name)"}),
        ),
        (
            "expected_revision",
            json!({"type": "integer", "description": "Write only if the model still stands at this revision; 0: only if there is no such model (optional)"}),
        ),
    ] {
        properties.insert(name.to_owned(), property);
    }
    let input = schema(json!({"type": "object", "properties": properties}));
    let annotations = ToolAnnotations::new()
        .read_only(false)
        .destructive(false)
        .idempotent(true)
        .open_world(false);
    Tool {
        definition: rmcp::model::Tool::new(NAME, DESCRIPTION.trim_end(), input)
            .with_title("Write a systems-thinking model")
            .with_raw_output_schema(schema(output()))
            .with_annotations(annotations),
        scope: Scope::ModelWrite,
        run: Run::Raw(run),
        after_timeout: "whether the document was stored is not known: look with systems_thinking_reader, then write again",
    }
}

fn output() -> serde_json::Value {
    output_schema(
        &["stored", "unchanged", "conflict"],
        json!({
            "complete": {"type": "boolean", "description": "Both lists are empty"},
            "missing_fields": {"type": "array", "items": {"type": "string"}, "description": "Paths of members without content"},
            "inconsistency_warnings": {"type": "array", "items": {"type": "string"}, "description": "Contradictions, each with its repair"},
            "advice": {"type": "array", "items": {"type": "object"}, "description": "What could be better: code, level, pointer, message, fix; never blocks complete"},
            "current_revision": {"type": "integer", "description": "On a conflict: where the model stands"}
        }),
    )
}

/// What was sent, taken apart.
#[derive(Debug)]
struct Sent<'a> {
    document: Cow<'a, str>,
    model: Option<String>,
    expected_revision: Option<u64>,
    ignored: Vec<String>,
}

impl<'a> Sent<'a> {
    fn document(document: impl Into<Cow<'a, str>>) -> Self {
        Self {
            document: document.into(),
            model: None,
            expected_revision: None,
            ignored: Vec::new(),
        }
    }
}

fn run<'a>(call: Call<'a>, sent: Option<&'a str>) -> BoxFuture<'a, CallToolResult> {
    Box::pin(async move {
        let text = match unwrapped(sent.unwrap_or_default()) {
            Ok(text) => text,
            Err(error) => return refused(format!("`arguments`: {error}; nothing was stored")),
        };
        let mut sent = match take_apart(&text) {
            Ok(sent) => sent,
            Err(error) => return refused(error),
        };
        let expectation = match sent.expected_revision {
            None => Expectation::Any,
            Some(0) => Expectation::Absent,
            Some(revision) => Expectation::OneOf(vec![revision]),
        };
        match write(call, &mut sent, &expectation).await {
            Ok(written) => report(call, &written, &[], sent.ignored),
            Err(Error::Refused(refusal)) => refused(explain(&refusal) + &unread_texts(&sent.document, &refusal)),
            Err(Error::Conflict(current)) => conflict(&sent, current.as_ref()),
            Err(error @ (Error::TooLarge(_) | Error::BadId(_))) => refused(format!("{error}; nothing was stored")),
            Err(error) => failed(&error),
        }
    })
}

/// How often values are taken out of their texts. Each time all are read of at least one kind (such as all
/// `confidence`), mostly of all kinds, and one text may hold others: a document that is not read by then is no
/// document that a client sends.
const ROUNDS: usize = 16;

/// Writes the document; where it was refused for members that are JSON text, with those taken out of it.
async fn write(call: Call<'_>, sent: &mut Sent<'_>, expectation: &Expectation) -> Result<Written, Error> {
    let service = &call.shared.service;
    for _ in 0..ROUNDS {
        let written = service
            .write_model(call.caller, &sent.document, sent.model.as_deref(), expectation.clone())
            .await;
        let Err(Error::Refused(Refusal::Schema(faults))) = &written else {
            return written;
        };
        match taken_out(&sent.document, faults, Within::Members) {
            Some(document) => sent.document = Cow::Owned(document),
            None => return written,
        }
    }
    service
        .write_model(call.caller, &sent.document, sent.model.as_deref(), expectation.clone())
        .await
}

/// That values were left in their texts, where some were: so many kinds of them, or texts within texts, came.
fn unread_texts(document: &str, refusal: &Refusal) -> String {
    let left = match refusal {
        Refusal::Schema(faults) => taken_out(document, faults, Within::Members).is_some(),
        Refusal::NotJson(_) => false,
    };
    match left {
        true => format!(
            ". Values that came as JSON text were read {ROUNDS} times over, and texts were left: send lists, objects, \
             numbers and flags as JSON"
        ),
        false => String::new(),
    }
}

/// Parts the document from the tool's own arguments.
///
/// The members are looked at only where one of their names stands somewhere in the text: to find them is another
/// walk through it.
fn take_apart(text: &str) -> Result<Sent<'_>, String> {
    if is_nothing(text) {
        return Err(NOTHING.to_owned());
    }
    if !may_have_own(text) || is_too_large(text) {
        return Ok(Sent::document(text));
    }
    // What is no JSON, or no object, is refused where documents are read, with the place.
    let Ok(Some(members)) = members(text) else {
        return Ok(Sent::document(text));
    };
    let mut cut_out = OWN.to_vec();
    let wrapper = match Wrapped::of(&members)? {
        Wrapped::Whole(wrapper) => Some(wrapper),
        Wrapped::Not => None,
        Wrapped::Nothing => {
            cut_out.push(DOCUMENT);
            None
        }
    };
    let is_cut_out = |member: &&Member<'_>| cut_out.contains(&&*member.name);
    if wrapper.is_none() && !members.iter().any(|member| is_cut_out(&member)) {
        return Ok(Sent::document(text));
    }
    let own = members.iter().filter(|member| OWN.contains(&&*member.name));
    let mut arguments = Arguments::from_members(own).map_err(unstored)?;
    let model = arguments.text(OWN[0]).map_err(unstored)?;
    let expected_revision = arguments.whole_number(OWN[1]).map_err(unstored)?;
    let mut ignored = Vec::new();
    let document = match wrapper {
        Some(wrapper) => {
            let others = members
                .iter()
                .filter(|m| !OWN.contains(&&*m.name) && m.name != DOCUMENT);
            ignored.extend(others.map(|member| member.name.chars().take(60).collect()).take(20));
            let document = unwrapped(wrapper.value).map_err(|error| unstored(format!("`document`: {error}")))?;
            if is_wrapped_again(&document) {
                return Err(unstored(
                    "`document` holds a `document` again; send the document itself under `document`, not wrapped twice"
                        .to_owned(),
                ));
            }
            document
        }
        None if members.iter().all(|member| is_cut_out(&member)) => return Err(NOTHING.to_owned()),
        None => Cow::Owned(without(text, &members, &cut_out)),
    };
    if is_nothing(&document) {
        return Err(NOTHING.to_owned());
    }
    Ok(Sent {
        document,
        model,
        expected_revision,
        ignored,
    })
}

fn unstored(error: String) -> String {
    format!("{error}; nothing was stored")
}

/// False where no member can be called like an argument of ours. A name may be written with escapes.
fn may_have_own(text: &str) -> bool {
    let names = ["\"model\"", "\"expected_revision\"", "\"document\"", "\\u00"];
    names
        .iter()
        .any(|name| memchr::memmem::find(text.as_bytes(), name.as_bytes()).is_some())
}

/// True where too much stands outside of a document that came as JSON text, whose escapes do not count. To list the
/// members of such a text would cost ten times its size in memory; what it is refused for is its size.
fn is_too_large(text: &str) -> bool {
    #[derive(Deserialize)]
    struct Members<'a> {
        #[serde(borrow)]
        document: &'a RawValue,
    }
    let escaped = |text| {
        let Members { document } = serde_json::from_str(text).ok()?;
        Some(document.get()).filter(|document| document.starts_with('"'))
    };
    text.len() > MAX_TEXT + MAX_AROUND && text.len() - escaped(text).map_or(0, str::len) > MAX_TEXT + MAX_AROUND
}

/// What the member `document` is.
enum Wrapped<'m, 'a> {
    /// The whole document.
    Whole(&'m Member<'a>),
    /// No argument: it is absent, or a member of the document like any other.
    Not,
    /// An argument that was left empty beside the document's members.
    Nothing,
}

impl<'m, 'a> Wrapped<'m, 'a> {
    /// Beside members of documents, `document` is a member of the document itself, unless it holds a document too.
    ///
    /// # Errors
    /// Where it cannot be told which of two documents is meant.
    fn of(members: &'m [Member<'a>]) -> Result<Self, String> {
        let mut named = members.iter().filter(|member| member.name == DOCUMENT);
        let (Some(wrapper), None) = (named.next(), named.next()) else {
            return Ok(Self::Not);
        };
        match members.iter().find(|member| is_field(&member.name)) {
            None => Ok(Self::Whole(wrapper)),
            Some(_) if is_blank(wrapper.value) => Ok(Self::Nothing),
            Some(beside) if is_document(wrapper.value) => Err(unstored(format!(
                "`document` holds a document, and members of a document stand beside it (`{}`); send one or the \
                 other: the whole document under `document`, or all its members as arguments",
                beside.name
            ))),
            Some(_) => Ok(Self::Not),
        }
    }
}

/// True for the names of a document's members.
fn is_field(name: &str) -> bool {
    Document::RECORD.fields.iter().any(|field| field.name == name)
}

/// True where an object, or the text of one, has a member of documents, or wraps one again. A broken text counts where
/// it looks like it; one that is too large does not, since it is refused for that.
fn is_document(json: &str) -> bool {
    let Ok(text) = unwrapped(json) else {
        return false;
    };
    if text.len() > MAX_TEXT {
        return false;
    }
    match members(&text) {
        Ok(members) => members.is_some_and(|members| members.iter().any(|m| is_field(&m.name) || m.name == DOCUMENT)),
        Err(_) => {
            let mut names = Document::RECORD
                .fields
                .iter()
                .map(|field| format!("\"{}\"", field.name));
            text.trim_start().starts_with('{') && names.any(|name| text.contains(&name))
        }
    }
}

/// True where a document is nothing but a wrapper of another one.
fn is_wrapped_again(document: &str) -> bool {
    if document.len() > MAX_TEXT || !may_have_own(document) {
        return false;
    }
    let Ok(Some(members)) = members(document) else {
        return false;
    };
    !members.iter().any(|member| is_field(&member.name))
        && members.iter().any(|m| m.name == DOCUMENT && is_document(m.value))
}

#[derive(Serialize)]
struct Report<'a> {
    status: &'static str,
    complete: bool,
    model: &'a str,
    revision: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    missing_fields: &'a [String],
    inconsistency_warnings: &'a [String],
    advice: &'a [Advice],
    #[serde(skip_serializing_if = "Option::is_none")]
    advice_omitted: Option<usize>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    applied: &'a [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ignored_arguments: Vec<String>,
}

/// What a write is answered; `applied` says what was done where a document was patched.
pub(super) fn report(
    call: Call<'_>,
    written: &Written,
    applied: &[String],
    ignored_arguments: Vec<String>,
) -> CallToolResult {
    let (head, found) = (&written.head, &written.report);
    let told = texts(&found.missing_fields) + texts(&found.inconsistency_warnings) + texts(applied);
    let advice = fitting(&found.advice, MAX_ANSWER.saturating_sub(told + 1_000));
    let omitted = found.advice.len() - advice.len();
    answer(&Report {
        status: if written.unchanged { "unchanged" } else { "stored" },
        complete: found.complete,
        model: head.id.as_str(),
        revision: head.revision,
        url: call.shared.url(head.id.as_str()),
        missing_fields: &found.missing_fields,
        inconsistency_warnings: &found.inconsistency_warnings,
        advice,
        advice_omitted: (omitted > 0).then_some(omitted),
        applied,
        ignored_arguments,
    })
}

/// About the bytes that texts take in an answer.
pub(super) fn texts(texts: &[String]) -> usize {
    texts.iter().map(|text| text.len() + 3).sum()
}

/// As many of the first advice as fit into `room` bytes: the most useful stands first.
pub(super) fn fitting(advice: &[Advice], room: usize) -> &[Advice] {
    let mut used = 0;
    let fit = advice.iter().take_while(|a| {
        used += a.code.len() + a.pointer.as_str().len() + a.message.len() + a.fix.len() + 70;
        used <= room
    });
    &advice[..fit.count()]
}

/// Every fault with its place and, at the end, what to do.
pub(super) fn explain(refusal: &Refusal) -> String {
    match refusal {
        Refusal::NotJson(error) => format!(
            "the document is not JSON, so nothing was stored: {error}. Mend it there and send the whole document again"
        ),
        Refusal::Schema(faults) => {
            let mut out = format!(
                "the document was refused and nothing was stored; faults: {}\n",
                faults.total()
            );
            let mut named = 0;
            for fault in faults.named() {
                let pointer = match fault.pointer.as_str() {
                    "" => "the whole document",
                    pointer => pointer,
                };
                let line = format!("{pointer}: {}\n", fault.detail());
                if out.len() + line.len() > MAX_ANSWER - 200 {
                    break;
                }
                out.push_str(&line);
                named += 1;
            }
            if named < faults.total() {
                let _ = writeln!(out, "... and {} more", faults.total() - named);
            }
            out.push_str("Mend these places (JSON Pointers) and send the whole document again");
            out
        }
    }
}

#[derive(Serialize)]
struct Conflict<'a> {
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'a str>,
    expected_revision: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    current_revision: Option<u64>,
    message: String,
}

fn conflict(sent: &Sent<'_>, current: Option<&Head>) -> CallToolResult {
    let model = current.map(|head| head.id.as_str()).or(sent.model.as_deref());
    let alive = current.filter(|head| !head.deleted).map(|head| head.revision);
    let expected_revision = sent.expected_revision.unwrap_or_default();
    let message = match alive {
        Some(revision) => format!(
            "nothing was written: the model stands at revision {revision}. Read it with systems_thinking_reader, merge \
             your change into it, and send that with expected_revision {revision}"
        ),
        None => "nothing was written: there is no such model now. To create it, send the document with \
             expected_revision 0 or without"
            .to_owned(),
    };
    answer(&Conflict {
        status: "conflict",
        model,
        expected_revision,
        current_revision: alive,
        message,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn apart(text: &str, document: &str, model: Option<&str>, expected: Option<u64>, ignored: &[&str]) {
        let sent = take_apart(text).expect("a document");
        assert_eq!(sent.document, document);
        assert_eq!((sent.model.as_deref(), sent.expected_revision), (model, expected));
        assert_eq!(sent.ignored, ignored);
    }

    #[test]
    fn the_document_stays_as_it_was_sent_but_for_the_own_arguments() {
        apart(r#"{ "b":1.10, "a":[ ] }"#, r#"{ "b":1.10, "a":[ ] }"#, None, None, &[]);
        apart(
            r#"{"elements":["model","document"]}"#,
            r#"{"elements":["model","document"]}"#,
            None,
            None,
            &[],
        );
        apart(
            r#"{ "model":"tub", "version":"1" , "expected_revision" : "3","x":1.10}"#,
            r#"{ "version":"1","x":1.10}"#,
            Some("tub"),
            Some(3),
            &[],
        );
        apart(
            r#"{"\u006dodel":"tub","version":"1"}"#,
            r#"{"version":"1"}"#,
            Some("tub"),
            None,
            &[],
        );
        apart(
            r#"{"model":null,"expected_revision":"","version":"1"}"#,
            r#"{"version":"1"}"#,
            None,
            None,
            &[],
        );
        apart("{}", "{}", None, None, &[]);
        apart("5", "5", None, None, &[]);
        apart(r#"["model"]"#, r#"["model"]"#, None, None, &[]);
        apart(r#"{"model":"#, r#"{"model":"#, None, None, &[]);
    }

    #[test]
    fn a_document_comes_under_document_as_object_or_text() {
        apart(
            r#"{"document":{ "a":1.10 },"model":"m"}"#,
            r#"{ "a":1.10 }"#,
            Some("m"),
            None,
            &[],
        );
        apart(r#"{"document":"{\"a\": 1.10}"}"#, r#"{"a": 1.10}"#, None, None, &[]);
        apart(
            r#"{"document":{"model":"T"},"note":1}"#,
            r#"{"model":"T"}"#,
            None,
            None,
            &["note"],
        );
        apart(r#"{"document":{}}"#, "{}", None, None, &[]);
        apart(r#"{"document":"\ufeff{\"a\":1}"}"#, r#"{"a":1}"#, None, None, &[]);
        // Beside a member of documents it is a member of the document itself, unless it holds a document too.
        for whole in [
            r#"{"document":"see the wiki","version":"1"}"#,
            r#"{"document":{"url":"https://x"},"version":"1"}"#,
            r#"{"document":"{draft}","version":"1"}"#,
            r#"{"document":["stocks"],"version":"1"}"#,
            r#"{"document":{},"version":"1"}"#,
            r#"{"document":7,"version":"1"}"#,
        ] {
            apart(whole, whole, None, None, &[]);
            // As it is when the whole comes wrapped.
            apart(&format!(r#"{{"document":{whole}}}"#), whole, None, None, &[]);
        }
        let own = r#"{"version":"1","document":{"version":"2"}}"#;
        apart(&format!(r#"{{"document":{own}}}"#), own, None, None, &[]);
        let other = r#"{"document":{"url":"https://x"}}"#;
        apart(&format!(r#"{{"document":{other}}}"#), other, None, None, &[]);
        // Left empty it is no argument.
        for nothing in ["null", "\"\"", "[]", "\" \"", "\"null\""] {
            let sent = format!(r#"{{"document":{nothing},"version":"1","model":"m"}}"#);
            apart(&sent, r#"{"version":"1"}"#, Some("m"), None, &[]);
        }
        let deepest = format!("{}{}", "[".repeat(99), "]".repeat(99));
        let deepest = format!(r#"{{"x":{deepest}}}"#);
        apart(&format!(r#"{{"document":{deepest}}}"#), &deepest, None, None, &[]);
    }

    #[test]
    fn texts_that_were_left_are_told() {
        for (document, is_told) in [
            (r#"{"stocks":"[]"}"#, true),
            (r#"{"interventions":[{"confidence":"0.5"}]}"#, true),
            (r#"{"stocks":"a, b"}"#, false),
            (r#"{"stocks":7}"#, false),
            ("{", false),
        ] {
            let refusal = meadow_model::parse(document).expect_err("refused");
            let told = unread_texts(document, &refusal);
            assert_eq!(
                told.contains("texts were left: send lists"),
                is_told,
                "{document}: {told}"
            );
            assert_eq!(told.is_empty(), !is_told, "{document}");
        }
    }

    #[test]
    fn nothing_and_wrong_arguments_are_refused() {
        #[track_caller]
        fn check(text: &str, part: &str) {
            let error = take_apart(text).expect_err("refused");
            assert!(error.contains(part), "{error}");
        }
        for nothing in [
            "",
            " ",
            "null",
            "[]",
            "[ ]",
            r#"{"document":null}"#,
            r#"{"document":""}"#,
            r#"{"document":[],"model":"m"}"#,
            r#"{"model":"m"}"#,
        ] {
            check(nothing, "nothing was sent");
        }
        for two in [
            r#"{"document":{"version":"1"},"version":"9"}"#,
            r#"{"version":"9","document":"{\"system_name\":\"A\"}"}"#,
            r#"{"version":"9","document":"{\"system_name\":\"A"}"#,
            r#"{"document":{"document":{"version":"1"}},"version":"9","model":"m"}"#,
            r#"{"\u0064ocument":{"version":"1"},"version":"9"}"#,
        ] {
            check(two, "one or the other");
        }
        for twice in [
            r#"{"document":{"document":{"version":"1"}}}"#,
            r#"{"document":{"document":{"version":"1"},"model":"m"}}"#,
            r#"{"document":"{\"document\":{\"version\":\"1\"}}","model":"m"}"#,
            r#"{"document":{"document":"{\"version\":\"1\"}"}}"#,
            r#"{"document":{"document":{"document":{"version":"1"}}}}"#,
        ] {
            check(twice, "not wrapped twice; nothing was stored");
        }
        check(r#"{"model":"a","model":"b","version":"1"}"#, "`model` was given twice");
        check(
            r#"{"model":true,"version":"1"}"#,
            "argument `model`: found true, expected a text",
        );
        check(
            r#"{"expected_revision":"x","version":"1"}"#,
            "argument `expected_revision`: found \"x\"",
        );
        check(
            r#"{"expected_revision":{},"version":"1"}"#,
            "argument `expected_revision`: found an object, expected a whole number from 0; nothing was stored",
        );
    }
}
