//! Resources: the guides, the examples, the workspace's models and notes, and papers.

mod examples;
mod guides;
mod literature;
mod models;
mod notes;

use crate::params;
use crate::server::Shared;
use meadow_access::Scope;
use meadow_service::{Caller, Error};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use rmcp::ErrorData;
use rmcp::model::{CacheScope, ListResourcesResult, ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use serde_json::json;

pub(crate) use examples::names as example_names;
pub(crate) use models::{ids as model_ids, uri as model_uri};

/// Bytes of a document in an answer: about 20,000 tokens, below the 25,000 that common clients take.
pub(crate) const MAX_DOCUMENT: usize = 60_000;

/// How long clients may keep texts that change only with the program: an hour.
const TEXT_TTL_MS: u64 = 60 * 60 * 1000;

const JSON: &str = "application/json";
const MARKDOWN: &str = "text/markdown";
const PLAIN: &str = "text/plain";

/// All but the unreserved characters of RFC 3986.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// A name as it stands in a URI.
pub(crate) fn encoded(name: &str) -> String {
    utf8_percent_encode(name, ENCODED).to_string()
}

/// The resources: first guides, examples and `model://latest`, then page by page the workspace's models, at last its
/// newest notes.
///
/// `cursor` names the last model of the page before.
pub(crate) async fn list(
    shared: &Shared,
    caller: &Caller,
    cursor: Option<&str>,
) -> Result<ListResourcesResult, ErrorData> {
    let after = match cursor {
        None => None,
        Some(cursor) => Some(models::after(cursor).ok_or_else(|| params::unknown_cursor(cursor))?),
    };
    let mut resources = Vec::new();
    if cursor.is_none() {
        resources.extend(guides::list());
        resources.extend(examples::list());
    }
    // Whoever may not see models still finds the rest: clients list resources before anybody asked for anything.
    if caller.need(Scope::ModelRead).is_err() {
        resources.extend(notes::list(shared, caller).await);
        return Ok(listed(resources, None));
    }
    if cursor.is_none() {
        resources.push(models::latest());
    }
    let page = models::page(shared, caller, after).await.map_err(|error| match error {
        Error::BadId(_) => params::unknown_cursor(cursor.unwrap_or_default()),
        error => internal(&error),
    })?;
    resources.extend(page.items);
    if page.next.is_none() {
        resources.extend(notes::list(shared, caller).await);
    }
    Ok(listed(resources, page.next))
}

fn listed(resources: Vec<Resource>, next_cursor: Option<String>) -> ListResourcesResult {
    let mut result = ListResourcesResult::with_all_items(resources)
        .with_ttl_ms(0)
        .with_cache_scope(CacheScope::Private);
    result.next_cursor = next_cursor;
    result
}

/// The shapes of URIs that can be read.
pub(crate) fn templates(shared: &Shared, caller: &Caller) -> Vec<ResourceTemplate> {
    let mut templates = vec![
        ResourceTemplate::new("example://{name}", "example")
            .with_title("Example model")
            .with_description(format!(
                "A finished model to learn from: {}",
                examples::names().join(", ")
            ))
            .with_mime_type(JSON),
        ResourceTemplate::new("model://{id}", "model")
            .with_title("Stored model")
            .with_description("A model of the workspace as it stands, by its id; `latest` is the one written last")
            .with_mime_type(JSON),
        ResourceTemplate::new("literature://{source}/{+id}", "literature")
            .with_title("Paper")
            .with_description(
                "A paper with its whole abstract: literature://arxiv/2301.00010, literature://doi/{doi}, literature://s2/{id}",
            )
            .with_mime_type(MARKDOWN),
        notes::template(),
    ];
    templates.extend(notes::file_template(shared, caller));
    templates
}

/// The kinds of resources, by the scheme of their URIs, and what a caller must be allowed to read one; none: they are
/// the same for everybody.
const KINDS: [(&str, Option<Scope>); 6] = [
    ("guide", None),
    ("example", None),
    ("model", Some(Scope::ModelRead)),
    ("literature", Some(Scope::Research)),
    ("note", Some(Scope::NotesRead)),
    ("file", Some(Scope::NotesRead)),
];

fn kind_of(uri: &str) -> Option<(&'static str, Option<Scope>)> {
    let scheme = uri.split_once("://")?.0;
    KINDS.into_iter().find(|(kind, _)| *kind == scheme)
}

/// What kind of resource a URI names, for the log.
pub(crate) fn kind(uri: &str) -> &'static str {
    kind_of(uri).map_or("unknown", |(kind, _)| kind)
}

/// What a caller must be allowed to read this.
pub(crate) fn scope(uri: &str) -> Option<Scope> {
    kind_of(uri)?.1
}

/// What stands under a URI.
pub(crate) async fn read(shared: &Shared, caller: &Caller, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    // Some clients end every URI with a slash.
    let (scheme, path) = uri.trim_end_matches('/').split_once("://").unwrap_or_default();
    let name = percent_decode_str(path).decode_utf8_lossy();
    let (text, mime_type, mine) = match scheme {
        "guide" => (guides::read(&name).map(Into::into), MARKDOWN, false),
        "example" => (examples::read(&name).map(Into::into), JSON, false),
        "model" => match models::read(shared, caller, &name).await {
            Ok((text, mime_type)) => (Some(text), mime_type, true),
            Err(Error::NotFound(reason)) => return Err(not_found(uri, &reason)),
            Err(Error::BadId(bad)) => return Err(not_found(uri, &bad.to_string())),
            Err(error) => return Err(internal(&error)),
        },
        "literature" => match literature::read(shared, uri.trim_end_matches('/')).await {
            Ok(text) => (Some(text), MARKDOWN, true),
            Err(literature::Missing::Unknown(reason)) => return Err(not_found(uri, &reason)),
            Err(literature::Missing::Unreached(reason)) => return Err(ErrorData::internal_error(reason, None)),
        },
        "note" | "file" => match notes::read(shared, caller, uri).await {
            Ok((text, mime_type)) => (Some(text), mime_type, true),
            Err(reason) => return Err(not_found(uri, &reason)),
        },
        _ => (None, PLAIN, false),
    };
    let Some(text) = text else {
        return Err(not_found(
            uri,
            "resources/list and resources/templates/list tell what there is",
        ));
    };
    let contents = ResourceContents::text(text, uri).with_mime_type(mime_type);
    let result = ReadResourceResult::new(vec![contents]);
    Ok(match mine {
        true => result.with_ttl_ms(0).with_cache_scope(CacheScope::Private),
        false => result.with_ttl_ms(TEXT_TTL_MS).with_cache_scope(CacheScope::Public),
    })
}

/// rmcp gives it the code of the client's era.
fn not_found(uri: &str, reason: &str) -> ErrorData {
    let uri: String = uri.chars().take(200).collect();
    ErrorData::resource_not_found(
        format!("there is no resource {uri:?}: {reason}"),
        Some(json!({"uri": uri})),
    )
}

/// A failure that is none of the request's.
pub(crate) fn internal(error: &Error) -> ErrorData {
    tracing::error!(%error, "mcp.resource_failed");
    match error {
        Error::Store(error) => ErrorData::internal_error(error.to_string(), None),
        _ => ErrorData::internal_error("internal error; the server's log says more", None),
    }
}

/// A resource with everything that clients show of one.
fn resource(uri: String, name: &str, title: &str, description: String, mime_type: &str, size: usize) -> Resource {
    Resource::new(uri, name)
        .with_title(title)
        .with_description(description)
        .with_mime_type(mime_type)
        .with_size(size as u64)
}

#[cfg(test)]
mod tests;
