//! Parts of a stored document, what is found in it, its history, what changed, and the list of models. Each answer is
//! bounded; lists go on at `next_cursor`.

use crate::arguments::Arguments;
use crate::resources::MAX_DOCUMENT;
use crate::tools::systems_thinking_writer::{fitting, texts};
use crate::tools::{Call, MAX_ANSWER, answer, cut, failed, not_found, refused};
use meadow_model::fields::Fielded;
use meadow_model::json::members;
use meadow_model::{Document, parse};
use meadow_service::{Error, Head, Stored, report_of};
use rmcp::model::CallToolResult;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use std::collections::BTreeMap;

/// Parts that are no members of a document.
const OTHERS: [&str; 3] = ["report", "history", "models"];

/// Models or revisions of one answer.
const PAGE: usize = 50;

/// Bytes that stand around a part in an answer.
const AROUND: usize = 1_000;

/// What clients are told of the argument `part`.
pub(super) fn about() -> &'static str {
    "Only boundary, stocks, flows, variables, loops, leverage_points, interventions, interconnections, report, history, \
     or models: the list of all"
}

/// What is wanted instead of the whole document.
#[derive(Debug)]
pub(super) enum Wanted {
    /// What changed since this revision.
    Changes(u64),
    /// A part, from where the answer before ended.
    Part(&'static str, Option<String>),
}

impl Wanted {
    /// Reads the arguments; none where the whole document is wanted.
    pub(super) fn read(arguments: &mut Arguments) -> Result<Option<Self>, String> {
        let fields = Document::RECORD.fields.iter().map(|field| field.name);
        let names: Vec<&'static str> = fields.chain(OTHERS).collect();
        let changes = arguments.whole_number("compare_with")?;
        if let Some(revision) = changes {
            return Ok(Some(Self::Changes(revision)));
        }
        let Some(part) = arguments.choice("part", &names)? else {
            return Ok(None);
        };
        Ok(Some(Self::Part(part, arguments.text("cursor")?)))
    }
}

#[derive(Serialize, Default)]
struct Answer {
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    revision: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<&'static str>,
    #[serde(flatten)]
    found: BTreeMap<&'static str, Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ignored_arguments: Vec<String>,
}

impl Answer {
    fn of(head: &Head) -> Self {
        Self {
            status: "ok",
            model: Some(head.id.as_str().to_owned()),
            revision: Some(head.revision),
            ..Self::default()
        }
    }

    fn with(mut self, name: &'static str, value: &impl Serialize) -> Self {
        // Values of ours always have a JSON form.
        if let Ok(value) = to_raw_value(value) {
            self.found.insert(name, value);
        }
        self
    }
}

/// Why there is no answer.
enum Failed {
    /// Of the use case.
    Case(Error),
    /// What was sent cannot be read.
    Sent(String),
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Self::Case(error)
    }
}

pub(super) async fn read(
    call: Call<'_>,
    wanted: Wanted,
    model: Option<&str>,
    revision: Option<u64>,
    ignored_arguments: Vec<String>,
) -> CallToolResult {
    let found = match wanted {
        Wanted::Changes(since) => changes(call, model, since, revision).await,
        Wanted::Part("models", cursor) => models(call, cursor).await,
        Wanted::Part("history", cursor) => history(call, model, cursor).await,
        Wanted::Part(part, cursor) => match call.shared.service.find(call.caller, model, revision).await {
            Ok(stored) if part == "report" => Ok(report(&stored)),
            Ok(stored) => member(&stored, part, cursor.as_deref()),
            Err(error) => Err(error.into()),
        },
    };
    match found {
        Ok(found) => answer(&Answer {
            ignored_arguments,
            ..found
        }),
        Err(Failed::Case(Error::NotFound(message))) => not_found(message, ignored_arguments),
        Err(Failed::Case(error)) => failed(&error),
        Err(Failed::Sent(error)) => refused(error),
    }
}

/// A cursor that was handed out as a number.
fn number(cursor: Option<&str>) -> Result<Option<u64>, Failed> {
    cursor
        .map(|cursor| cursor.trim().parse().map_err(|_| not_ours()))
        .transpose()
}

/// A cursor that no answer gave, or that leads nowhere any more.
fn not_ours() -> Failed {
    Failed::Sent("argument `cursor` is none of ours; leave it out to begin anew".to_owned())
}

async fn changes(call: Call<'_>, model: Option<&str>, since: u64, until: Option<u64>) -> Result<Answer, Failed> {
    let (head, mut diff) = call.shared.service.compare(call.caller, model, since, until).await?;
    let mut omitted = 0;
    for list in [&mut diff.changed, &mut diff.added, &mut diff.removed] {
        omitted += cut(list, (MAX_ANSWER - AROUND) / 3);
    }
    let mut found = Answer::of(&head).with("compare_with", &since);
    for (name, list) in [
        ("changed", &diff.changed),
        ("added", &diff.added),
        ("removed", &diff.removed),
    ] {
        found = found.with(name, list);
    }
    if omitted > 0 {
        found = found.with("omitted", &omitted);
    }
    let nothing = diff.changed.is_empty() && diff.added.is_empty() && diff.removed.is_empty();
    found.message = nothing.then(|| "nothing changed, but perhaps how it is written".to_owned());
    Ok(found)
}

/// A model or a revision in a list.
#[derive(Serialize)]
struct Listed<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'a str>,
    revision: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    system_name: Option<&'a str>,
    complete: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    deleted: bool,
    bytes: u64,
    updated_at: meadow_service::Timestamp,
}

impl<'a> Listed<'a> {
    fn of(head: &'a Head, named: bool) -> Self {
        Self {
            model: named.then(|| head.id.as_str()),
            revision: head.revision,
            system_name: named.then_some(&*head.name),
            complete: head.complete,
            deleted: head.deleted,
            bytes: head.size,
            updated_at: head.updated_at,
        }
    }
}

async fn models(call: Call<'_>, cursor: Option<String>) -> Result<Answer, Failed> {
    let service = &call.shared.service;
    if let Some(cursor) = &cursor {
        // It is the id of a model, which may have been deleted since.
        match service.revisions(call.caller, cursor, None, 1).await {
            Err(Error::NotFound(_) | Error::BadId(_)) => return Err(not_ours()),
            known => known?,
        };
    }
    let page = service.list(call.caller, cursor.as_deref(), PAGE).await?;
    let mut listed: Vec<_> = page.items.iter().map(|head| Listed::of(head, true)).collect();
    let next = match cut(&mut listed, MAX_ANSWER - AROUND) {
        0 => page.next.map(|id| id.as_str().to_owned()),
        _ => listed.last().and_then(|last| last.model).map(str::to_owned),
    };
    let found = Answer {
        status: "ok",
        part: Some("models"),
        next_cursor: next,
        ..Answer::default()
    };
    Ok(found.with("models", &listed))
}

async fn history(call: Call<'_>, model: Option<&str>, cursor: Option<String>) -> Result<Answer, Failed> {
    let before = number(cursor.as_deref())?;
    let (service, caller) = (&call.shared.service, call.caller);
    let latest;
    let id = match model {
        Some(id) => id,
        None => {
            latest = service.latest(caller).await?.head;
            latest.id.as_str()
        }
    };
    let page = service.revisions(caller, id, before, PAGE).await?;
    if before.is_some() && page.items.is_empty() {
        return Err(not_ours());
    }
    let listed: Vec<_> = page.items.iter().map(|head| Listed::of(head, false)).collect();
    let found = Answer {
        status: "ok",
        model: Some(id.to_owned()),
        part: Some("history"),
        next_cursor: page.next.map(|revision| revision.to_string()),
        ..Answer::default()
    };
    Ok(found.with("history", &listed))
}

fn report(stored: &Stored) -> Answer {
    let Ok(document) = parse(&stored.text) else {
        return damaged(stored);
    };
    let found = report_of(&document);
    let told = texts(&found.missing_fields) + texts(&found.inconsistency_warnings);
    let advice = fitting(&found.advice, MAX_ANSWER.saturating_sub(told + AROUND));
    let omitted = found.advice.len() - advice.len();
    let mut out = Answer::of(&stored.head)
        .with("complete", &found.complete)
        .with("missing_fields", &found.missing_fields)
        .with("inconsistency_warnings", &found.inconsistency_warnings)
        .with("advice", &advice);
    if omitted > 0 {
        out = out.with("advice_omitted", &omitted);
    }
    out.part = Some("report");
    out
}

fn damaged(stored: &Stored) -> Answer {
    let (model, revision) = (stored.head.id.as_str(), stored.head.revision);
    tracing::error!(model, revision, "mcp.stored_text_damaged");
    let mut out = Answer::of(&stored.head);
    out.status = "not_found";
    out.message = Some(format!(
        "the stored text of model {model:?} is damaged; write the model again"
    ));
    out
}

/// A member of the document, as it was given; lists from `cursor` on, as far as they fit.
fn member(stored: &Stored, part: &'static str, cursor: Option<&str>) -> Result<Answer, Failed> {
    let from = usize::try_from(number(cursor)?.unwrap_or(0)).unwrap_or(usize::MAX);
    let Ok(Some(all)) = members(&stored.text) else {
        return Ok(damaged(stored));
    };
    let mut out = Answer::of(&stored.head);
    out.part = Some(part);
    let Some(value) = all.iter().find(|member| member.name == part).map(|member| member.value) else {
        out.message = Some(format!("the document has no {part}"));
        return Ok(out);
    };
    let lists = lists(value);
    if lists.is_empty() {
        if value.len() > MAX_DOCUMENT {
            out.status = "too_large";
            out.message = Some(format!(
                "{part} has {} bytes; at most {MAX_DOCUMENT} fit into an answer",
                value.len()
            ));
            return Ok(out);
        }
        return Ok(out.with(part, &raw(value)));
    }
    let mut used = 0;
    let mut taken: Vec<(Option<&str>, Vec<&RawValue>)> = lists.iter().map(|(name, _)| (*name, Vec::new())).collect();
    let flat = lists
        .iter()
        .enumerate()
        .flat_map(|(n, (_, items))| items.iter().map(move |item| (n, *item)));
    let count: usize = lists.iter().map(|(_, items)| items.len()).sum();
    if from > 0 && from >= count {
        return Err(not_ours());
    }
    let mut too_large = 0;
    for (place, (n, item)) in flat.enumerate().skip(from) {
        let bytes = item.get().len() + 1;
        if bytes > MAX_DOCUMENT {
            too_large += 1;
            continue;
        }
        if used + bytes > MAX_DOCUMENT {
            out.next_cursor = Some(place.to_string());
            break;
        }
        used += bytes;
        taken[n].1.push(item);
    }
    if too_large > 0 {
        out.message = Some(format!(
            "{too_large} items are left out, each of which has more than {MAX_DOCUMENT} bytes"
        ));
    }
    Ok(match taken.as_slice() {
        [(None, items)] => out.with(part, items),
        _ => {
            let named: BTreeMap<&str, &Vec<&RawValue>> = taken
                .iter()
                .filter_map(|(name, items)| Some(((*name)?, items)))
                .collect();
            out.with(part, &named)
        }
    })
}

/// The lists of a part: its own, or those of `loops`; none of what is no list and small or no list at all.
fn lists(value: &str) -> Vec<(Option<&str>, Vec<&RawValue>)> {
    if let Ok(items) = serde_json::from_str(value) {
        return vec![(None, items)];
    }
    if value.len() <= MAX_DOCUMENT {
        return Vec::new();
    }
    let members = members(value).ok().flatten().unwrap_or_default();
    let lists = members.iter().map(|member| {
        // A name of ours has no escapes.
        let name = value.get(member.range.start + 1..)?.split('"').next()?;
        Some((Some(name), serde_json::from_str(member.value).ok()?))
    });
    lists.collect::<Option<_>>().unwrap_or_default()
}

fn raw(value: &str) -> Option<&RawValue> {
    serde_json::from_str(value).ok()
}
