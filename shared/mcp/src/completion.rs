//! `completion/complete`: what may stand for the name in a template of resources, while a client types it.

use crate::denial::need;
use crate::resources;
use crate::server::Shared;
use futures_util::future::BoxFuture;
use meadow_access::Scope;
use meadow_service::notes::{NotesError, VaultError};
use meadow_service::{Caller, Error};
use rmcp::model::{ArgumentInfo, CompletionInfo, Reference};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};

/// The name in a template, and what knows its values.
struct Row {
    template: &'static str,
    argument: &'static str,
    /// What a caller must be allowed: the same as to read what the values lead to.
    scope: Option<Scope>,
    values: for<'a> fn(&'a Shared, &'a Caller, &'a str) -> BoxFuture<'a, Result<Values, Error>>,
}

/// To complete the name in another template, add a line.
const ROWS: [Row; 6] = [
    Row {
        template: "example://{name}",
        argument: "name",
        scope: None,
        values: |_, _, typed| {
            let names = resources::example_names();
            Box::pin(async move { Ok(Values::among(names, typed)) })
        },
    },
    Row {
        template: "model://{id}",
        argument: "id",
        scope: Some(Scope::ModelRead),
        values: |shared, caller, typed| Box::pin(resources::model_ids(shared, caller, typed)),
    },
    Row {
        template: "literature://{source}/{+id}",
        argument: "source",
        scope: Some(Scope::Research),
        values: |_, _, typed| Box::pin(async move { Ok(Values::among(["arxiv", "doi", "s2"], typed)) }),
    },
    Row {
        template: "literature://{source}/{+id}",
        argument: "id",
        scope: Some(Scope::Research),
        values: |shared, caller, typed| {
            Box::pin(async move { of_notes(shared.service.notes().paper_ids(&caller.workspace).await, caller, typed) })
        },
    },
    Row {
        template: "note:///{+path}",
        argument: "path",
        scope: Some(Scope::NotesRead),
        values: |shared, caller, typed| {
            Box::pin(async move { of_notes(shared.service.notes().paths(&caller.workspace).await, caller, typed) })
        },
    },
    Row {
        template: "file:///{+path}",
        argument: "path",
        scope: Some(Scope::NotesRead),
        values: |shared, caller, typed| Box::pin(files(shared, caller, typed)),
    },
];

/// The absolute paths of the notes, as they stand behind `file:///`: without the first slash.
async fn files(shared: &Shared, caller: &Caller, typed: &str) -> Result<Values, Error> {
    let notes = shared.service.notes();
    let Some(folder) = notes.folder_of(&caller.workspace) else {
        return Ok(Values::among([""; 0], typed));
    };
    let folder = folder.trim_start_matches('/');
    let paths = notes.paths(&caller.workspace).await;
    let files = paths.map(|paths| paths.iter().map(|path| format!("{folder}{path}")).collect());
    of_notes(files, caller, typed.trim_start().trim_start_matches('/'))
}

/// What the caller's notes know; nothing where there is no vault, or the caller may not see it.
fn of_notes(found: Result<Vec<String>, NotesError>, caller: &Caller, typed: &str) -> Result<Values, Error> {
    match found {
        _ if caller.need(Scope::NotesRead).is_err() => Ok(Values::among([""; 0], typed)),
        Ok(names) => Ok(Values::among(names, typed)),
        Err(NotesError::Vault(VaultError::NoVault(_))) => Ok(Values::among([""; 0], typed)),
        Err(error) => Err(Error::Internal(error.to_string())),
    }
}

/// Values that begin with what was typed.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Values {
    /// The first of them, in order.
    pub(crate) values: Vec<String>,
    /// Whether there are others.
    pub(crate) more: bool,
    /// How many there are, where that is known.
    pub(crate) total: Option<usize>,
}

impl Values {
    /// The most that an answer holds, as the protocol has it.
    pub(crate) const MOST: usize = CompletionInfo::MAX_VALUES;

    /// Those of all names that begin with what was typed, in any case.
    pub(crate) fn among<N: AsRef<str>>(names: impl IntoIterator<Item = N>, typed: &str) -> Self {
        let typed = typed.trim().to_lowercase();
        let names = names.into_iter().map(|name| name.as_ref().to_owned());
        let mut values: Vec<_> = names.filter(|name| name.to_lowercase().starts_with(&typed)).collect();
        values.sort_unstable();
        let total = values.len();
        values.truncate(Self::MOST);
        Self {
            more: total > Self::MOST,
            total: Some(total),
            values,
        }
    }
}

/// The values for the name that is being typed.
pub(crate) async fn complete(
    shared: &Shared,
    caller: &Caller,
    reference: &Reference,
    argument: &ArgumentInfo,
    context: &RequestContext<RoleServer>,
) -> Result<CompletionInfo, ErrorData> {
    let row = find(reference, &argument.name)?;
    if let Some(scope) = row.scope {
        need(scope, caller, context)?;
    }
    let found = (row.values)(shared, caller, &argument.value).await;
    let found = found.map_err(|error| resources::internal(&error))?;
    let total = found.total.and_then(|total| u32::try_from(total).ok());
    CompletionInfo::with_pagination(found.values, total, found.more)
        .map_err(|error| ErrorData::internal_error(error, None))
}

fn find(reference: &Reference, argument: &str) -> Result<&'static Row, ErrorData> {
    let shown = |text: &str| text.chars().take(200).collect::<String>();
    let wrong = |text: String| Err(ErrorData::invalid_params(text, None));
    let Some(uri) = reference.as_resource_uri() else {
        return wrong("`ref`: there are no prompts here; templates of resources can be completed".to_owned());
    };
    let rows: Vec<_> = ROWS.iter().filter(|row| row.template == uri).collect();
    if rows.is_empty() {
        let mut templates: Vec<_> = ROWS.iter().map(|row| row.template).collect();
        templates.dedup();
        return wrong(format!(
            "`ref.uri`: there is no template {:?}; the templates are: {}",
            shown(uri),
            templates.join(", ")
        ));
    }
    match rows.iter().find(|row| row.argument == argument) {
        Some(row) => Ok(row),
        None => wrong(format!(
            "`argument.name`: {uri} has no {:?}; it has {}",
            shown(argument),
            rows.iter()
                .map(|row| format!("{:?}", row.argument))
                .collect::<Vec<_>>()
                .join(", ")
        )),
    }
}

#[cfg(test)]
mod tests;
