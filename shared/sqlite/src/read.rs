//! The queries. Every one of them begins with the workspace, but for the walk through all changes.

use crate::recent::Recent;
use crate::texts::Texts;
use meadow_service::memory::page;
use meadow_service::ports::ChangeCursor;
use meadow_service::source::sha256;
use meadow_service::{Change, Head, ModelId, Page, Revision, Stored, Timestamp, Workspace};
use rusqlite::types::{FromSqlError, Type, ValueRef};
use rusqlite::{Connection, OptionalExtension, Params, Row, params};
use std::sync::Arc;

/// The columns of a [`Head`], which `models` and `revisions` share.
macro_rules! columns {
    () => {
        "id, revision, name, complete, deleted, size, sha256, updated_at"
    };
}

fn to_head(row: &Row<'_>) -> rusqlite::Result<Head> {
    Ok(Head {
        id: ModelId::from_stored(row.get(0)?),
        revision: row.get(1)?,
        name: row.get(2)?,
        complete: row.get(3)?,
        deleted: row.get(4)?,
        size: row.get(5)?,
        sha256: row.get(6)?,
        updated_at: Timestamp(row.get(7)?),
    })
}

/// A number as SQLite holds it; what is larger stands beyond everything stored.
pub(crate) fn int(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// One row more than asked for tells whether there are more.
fn rows(limit: usize) -> i64 {
    i64::try_from(limit).map_or(i64::MAX, |limit| limit.saturating_add(1))
}

/// A model as it stands.
pub(crate) fn head(connection: &Connection, workspace: &Workspace, id: &ModelId) -> rusqlite::Result<Option<Head>> {
    const SQL: &str = concat!("SELECT ", columns!(), " FROM models WHERE workspace = ?1 AND id = ?2");
    let mut query = connection.prepare_cached(SQL)?;
    query
        .query_row(params![workspace.as_str(), id.as_str()], to_head)
        .optional()
}

/// A model as it stands, with its last acknowledged writes.
pub(crate) fn with_recent(
    connection: &Connection,
    workspace: &Workspace,
    id: &ModelId,
) -> rusqlite::Result<Option<(Head, Recent)>> {
    const SQL: &str = concat!(
        "SELECT ",
        columns!(),
        ", recent FROM models WHERE workspace = ?1 AND id = ?2"
    );
    let mut query = connection.prepare_cached(SQL)?;
    let at = params![workspace.as_str(), id.as_str()];
    query.query_row(at, |row| Ok((to_head(row)?, row.get(8)?))).optional()
}

/// A kept revision.
pub(crate) fn revision(
    connection: &Connection,
    workspace: &Workspace,
    id: &ModelId,
    revision: Revision,
) -> rusqlite::Result<Option<Head>> {
    const SQL: &str = concat!(
        "SELECT ",
        columns!(),
        " FROM revisions WHERE workspace = ?1 AND id = ?2 AND revision = ?3"
    );
    let mut query = connection.prepare_cached(SQL)?;
    let at = params![workspace.as_str(), id.as_str(), int(revision)];
    query.query_row(at, to_head).optional()
}

const LATEST: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM latest JOIN models USING (workspace, id) WHERE workspace = ?1 AND NOT deleted"
);

/// The latest model, unless it is deleted.
pub(crate) fn latest(connection: &Connection, workspace: &Workspace) -> rusqlite::Result<Option<Head>> {
    let mut query = connection.prepare_cached(LATEST)?;
    query.query_row([workspace.as_str()], to_head).optional()
}

/// The revision that `find` finds, with its text from the file; none for a tombstone.
pub(crate) fn with_text(
    connection: &Connection,
    texts: &Texts,
    workspace: &Workspace,
    find: impl FnOnce(&Connection) -> rusqlite::Result<Option<Head>>,
) -> rusqlite::Result<Option<Stored>> {
    // One snapshot: between two queries the revision could go.
    let snapshot = connection.unchecked_transaction()?;
    let Some(head) = find(&snapshot)?.filter(|head| !head.deleted) else {
        return Ok(None);
    };
    let text = text(&snapshot, workspace, &head)?;
    texts.keep(head.sha256, &text);
    Ok(Some(Stored { head, text }))
}

/// A text from the file, if it is the one that was written.
fn text(connection: &Connection, workspace: &Workspace, head: &Head) -> rusqlite::Result<Arc<str>> {
    const SQL: &str = "SELECT text FROM revisions WHERE workspace = ?1 AND id = ?2 AND revision = ?3";
    let mut query = connection.prepare_cached(SQL)?;
    let at = params![workspace.as_str(), head.id.as_str(), int(head.revision)];
    let damaged = || {
        let what = format!(
            "revision {} of model {:?} is not what was written",
            head.revision,
            head.id.as_str()
        );
        rusqlite::Error::FromSqlConversionFailure(0, Type::Text, what.into())
    };
    let text = query.query_row(at, |row| match row.get_ref(0)? {
        ValueRef::Text(text) => str::from_utf8(text).map(Arc::from).map_err(|_| damaged()),
        _ => Err(damaged()),
    });
    match text.optional()? {
        Some(text) if sha256(&text) == head.sha256 => Ok(text),
        _ => Err(damaged()),
    }
}

/// The models of a workspace by id, without tombstones.
pub(crate) fn list(
    connection: &Connection,
    workspace: &Workspace,
    after: Option<&ModelId>,
    limit: usize,
) -> rusqlite::Result<Page<Head, ModelId>> {
    const SQL: &str = concat!(
        "SELECT ",
        columns!(),
        " FROM models WHERE workspace = ?1 AND id > ?2 AND NOT deleted ORDER BY id LIMIT ?3"
    );
    // No id is empty.
    let after = after.map_or("", ModelId::as_str);
    let heads = all(
        connection,
        SQL,
        params![workspace.as_str(), after, rows(limit)],
        to_head,
    )?;
    Ok(page(heads, limit, |head| head.id.clone()))
}

/// The kept revisions of a model, the newest first.
pub(crate) fn revisions(
    connection: &Connection,
    workspace: &Workspace,
    id: &ModelId,
    before: Option<Revision>,
    limit: usize,
) -> rusqlite::Result<Page<Head, Revision>> {
    const SQL: &str = concat!(
        "SELECT ",
        columns!(),
        " FROM revisions WHERE workspace = ?1 AND id = ?2 AND revision < ?3 ORDER BY revision DESC LIMIT ?4"
    );
    let before = before.map_or(i64::MAX, int);
    let at = params![workspace.as_str(), id.as_str(), before, rows(limit)];
    Ok(page(all(connection, SQL, at, to_head)?, limit, |head| head.revision))
}

/// The models of all workspaces that changed at or after `since`, oldest change first.
pub(crate) fn changed_since(
    connection: &Connection,
    since: Timestamp,
    after: Option<&ChangeCursor>,
    limit: usize,
) -> rusqlite::Result<Page<Change, ChangeCursor>> {
    const SQL: &str = concat!(
        "SELECT ",
        columns!(),
        ", workspace FROM models WHERE updated_at >= ?1 AND (updated_at, workspace, id) > (?2, ?3, ?4)
         ORDER BY updated_at, workspace, id LIMIT ?5"
    );
    // Before everything: no time is negative.
    let (at, workspace, id) = after.map_or((-1, "", ""), |after| {
        (int(after.at.0), after.workspace.as_str(), after.id.as_str())
    });
    let after = params![int(since.0), at, workspace, id, rows(limit)];
    let heads = all(connection, SQL, after, |row| {
        let workspace: String = row.get(8)?;
        Ok((Workspace::new(&workspace).map_err(FromSqlError::other)?, to_head(row)?))
    })?;
    let Page { items, next } = page(heads, limit, |(workspace, head)| ChangeCursor {
        at: head.updated_at,
        workspace: workspace.clone(),
        id: head.id.clone(),
    });
    let change = |(workspace, head): (Workspace, Head)| Change {
        workspace,
        id: head.id.clone(),
        head: Ok(head),
    };
    Ok(Page {
        items: items.into_iter().map(change).collect(),
        next,
    })
}

pub(crate) fn all<T>(
    connection: &Connection,
    sql: &str,
    values: impl Params,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<Vec<T>> {
    connection.prepare_cached(sql)?.query_map(values, read)?.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connection::File;
    use rusqlite::StatementStatus;

    /// SQLite compiles this one again for each value that it is given, unless it is told not to.
    #[test]
    fn a_statement_is_compiled_once() {
        let folder = tempfile::tempdir().unwrap();
        let (_, connection) = File::open(&folder.path().join("meadow.db")).unwrap();
        for _ in 0..10 {
            assert_eq!(latest(&connection, &Workspace::default()).unwrap(), None);
        }
        let query = connection.prepare_cached(LATEST).unwrap();
        assert_eq!(query.get_status(StatementStatus::Run), 10);
        assert_eq!(query.get_status(StatementStatus::RePrepare), 0);
    }
}
