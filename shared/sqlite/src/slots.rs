//! Turns at something that is used one at a time.

use crate::SqliteStore;
use crate::read::int;
use async_trait::async_trait;
use meadow_service::slots::{Slot, Slots, Turn};
use meadow_service::{StoreError, Timestamp, WriteId};
use rusqlite::{Connection, OptionalExtension, params};
use std::time::Duration;

/// One attempt to take a turn.
struct Take {
    name: String,
    holder: WriteId,
    now: Timestamp,
    lease: Duration,
}

/// A turn that is given back.
struct GiveBack {
    name: String,
    holder: WriteId,
    next: Timestamp,
}

fn slot(connection: &Connection, name: &str) -> rusqlite::Result<Option<Slot>> {
    const SQL: &str = "SELECT holder, until FROM slots WHERE name = ?1";
    let mut query = connection.prepare_cached(SQL)?;
    let slot = query.query_row([name], |row| {
        let holder: Option<[u8; 16]> = row.get(0)?;
        Ok(Slot {
            holder: holder.map(|holder| WriteId(u128::from_be_bytes(holder))),
            until: Timestamp(row.get(1)?),
        })
    });
    slot.optional()
}

fn write(connection: &Connection, name: &str, Slot { holder, until }: Slot) -> rusqlite::Result<()> {
    const SQL: &str = "INSERT OR REPLACE INTO slots (name, holder, until) VALUES (?1, ?2, ?3)";
    let holder = holder.map(|holder| holder.0.to_be_bytes());
    connection
        .prepare_cached(SQL)?
        .execute(params![name, holder, int(until.0)])?;
    Ok(())
}

fn take(connection: &Connection, take: &Take) -> rusqlite::Result<Turn> {
    let slot = slot(connection, &take.name)?;
    let turn = slot.map_or(Turn::Yours, |slot| slot.turn(take.holder, take.now));
    if turn == Turn::Yours {
        write(connection, &take.name, Slot::taken(take.holder, take.now, take.lease))?;
    }
    Ok(turn)
}

fn give_back(connection: &Connection, given: &GiveBack) -> rusqlite::Result<()> {
    match slot(connection, &given.name)? {
        Some(slot) if slot.holder == Some(given.holder) => {
            let (holder, until) = (None, given.next);
            write(connection, &given.name, Slot { holder, until })
        }
        _ => Ok(()),
    }
}

#[async_trait]
impl Slots for SqliteStore {
    async fn take(&self, name: &str, holder: WriteId, now: Timestamp, lease: Duration) -> Result<Turn, StoreError> {
        let name = name.to_owned();
        let asked = Take {
            name,
            holder,
            now,
            lease,
        };
        self.writer.ask(asked, take).await
    }

    async fn give_back(&self, name: &str, holder: WriteId, next: Timestamp) -> Result<(), StoreError> {
        let name = name.to_owned();
        self.writer.ask(GiveBack { name, holder, next }, give_back).await
    }
}
