//! `model://...`: the workspace's models as they stand.

use super::{JSON, MAX_DOCUMENT, PLAIN, encoded, resource};
use crate::completion::Values;
use crate::server::Shared;
use crate::tools::too_large;
use meadow_service::{Caller, Error, Head, ModelId, Page};
use rmcp::model::Resource;

/// Models on a page: with the guides and examples about 20 kB.
const PAGE: usize = 50;

/// What stands for the latest model.
const LATEST: &str = "latest";

/// The URI of a model.
pub(crate) fn uri(id: &str) -> String {
    format!("model://{}", encoded(id))
}

/// The latest model, which need not exist.
pub(super) fn latest() -> Resource {
    Resource::new("model://latest", "latest")
        .with_title("Latest model")
        .with_description("The model of this workspace that was written last, as it was given")
        .with_mime_type(JSON)
}

/// How a cursor of ours begins: no other text is one. Behind it stands the id of the last model of a page.
const AFTER: &str = "after:";

/// The id in a cursor; none where it is none of ours.
pub(super) fn after(cursor: &str) -> Option<&str> {
    cursor.strip_prefix(AFTER)
}

/// A page of models, those behind an id, and the cursor of the next one.
pub(super) async fn page(
    shared: &Shared,
    caller: &Caller,
    after: Option<&str>,
) -> Result<Page<Resource, String>, Error> {
    let page = shared.service.list(caller, after, PAGE).await?;
    Ok(Page {
        items: page.items.iter().map(listed).collect(),
        next: page.next.map(|id| format!("{AFTER}{}", id.as_str())),
    })
}

/// Ids that begin with what was typed or, where none does, with the id that it would make as a name.
pub(crate) async fn ids(shared: &Shared, caller: &Caller, typed: &str) -> Result<Values, Error> {
    let found = beginning(shared, caller, typed).await?;
    if !found.values.is_empty() || typed.chars().all(|c| !c.is_alphanumeric()) {
        return Ok(found);
    }
    beginning(shared, caller, ModelId::from_name(typed).as_str()).await
}

async fn beginning(shared: &Shared, caller: &Caller, typed: &str) -> Result<Values, Error> {
    let mut values = Vec::new();
    if LATEST.starts_with(typed) {
        values.push(LATEST.to_owned());
    }
    // The list goes on behind an id, so that the id itself is asked for.
    if !typed.is_empty() {
        match shared.service.model(caller, typed, None).await {
            Ok(stored) => values.push(stored.head.id.as_str().to_owned()),
            Err(Error::NotFound(_) | Error::BadId(_)) => {}
            Err(error) => return Err(error),
        }
    }
    let after = Some(typed).filter(|typed| !typed.is_empty());
    let mut more = false;
    match shared.service.list(caller, after, Values::MOST).await {
        Ok(page) => {
            let ids = page.items.iter().map(|head| head.id.as_str().to_owned());
            let before = values.len();
            values.extend(ids.take_while(|id| id.starts_with(typed)));
            more = page.next.is_some() && values.len() - before == page.items.len();
        }
        // No id begins with what is none.
        Err(Error::BadId(_)) => {}
        Err(error) => return Err(error),
    }
    more |= values.len() > Values::MOST;
    values.truncate(Values::MOST);
    let total = (!more).then_some(values.len());
    Ok(Values { values, more, total })
}

fn listed(head: &Head) -> Resource {
    let id = head.id.as_str();
    let title = if head.name.trim().is_empty() { id } else { &head.name };
    let state = if head.complete { "complete" } else { "not complete" };
    let description = format!("Revision {} of {}, {state}", head.revision, head.updated_at);
    let size = usize::try_from(head.size).unwrap_or(usize::MAX);
    resource(uri(id), id, title, description, JSON, size)
}

/// The text of a model with its media type; in place of one that is too large, where to get it.
pub(super) async fn read(shared: &Shared, caller: &Caller, name: &str) -> Result<(String, &'static str), Error> {
    let stored = match name {
        LATEST => shared.service.latest(caller).await?,
        id => shared.service.model(caller, id, None).await?,
    };
    if stored.text.len() > MAX_DOCUMENT {
        let id = stored.head.id.as_str();
        let text = too_large(stored.text.len(), id, shared.url(id).as_deref());
        return Ok((text, PLAIN));
    }
    Ok((stored.text.to_string(), JSON))
}
