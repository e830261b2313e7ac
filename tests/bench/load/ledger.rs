//! What was acknowledged, held against what is there.

use crate::Result;
use crate::wire::Wire;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Mutex;

/// How many revisions of a model are kept.
const KEPT: u64 = 50;

/// Of each model, which write made which revision: as writers were told, and as readers found it.
pub(crate) struct Ledger(Vec<Mutex<Model>>);

#[derive(Default)]
struct Model {
    written: BTreeMap<u64, u64>,
    read: BTreeMap<u64, u64>,
}

impl Ledger {
    pub(crate) fn new(models: usize) -> Self {
        Self((0..models).map(|_| Mutex::default()).collect())
    }

    /// An acknowledged write. No other may have been told the same revision.
    pub(crate) fn written(&self, model: usize, revision: u64, token: u64) -> Result<()> {
        match self.0[model].lock().unwrap().written.insert(revision, token) {
            None => Ok(()),
            Some(other) => {
                Err(format!("model {model}: writes {other} and {token} were both told revision {revision}").into())
            }
        }
    }

    /// What a reader found. All readers of a revision find the same.
    pub(crate) fn read(&self, model: usize, revision: u64, token: u64) -> Result<()> {
        let found = *self.0[model].lock().unwrap().read.entry(revision).or_insert(token);
        if found == token {
            Ok(())
        } else {
            Err(format!("model {model}, revision {revision}: read {found}, then {token}").into())
        }
    }

    /// The newest revision that was acknowledged.
    pub(crate) fn newest(&self, model: usize) -> u64 {
        self.0[model]
            .lock()
            .unwrap()
            .written
            .last_key_value()
            .map_or(0, |(revision, _)| *revision)
    }

    /// What is not there as it was acknowledged: revisions without a gap, the newest one the last that was acknowledged,
    /// all that are kept with the text of their write, and all reads with the text of the write that was told of it.
    pub(crate) async fn held_against(&self, mut wire: Wire) -> Result<Vec<String>> {
        let mut lost = Vec::new();
        for (model, ledger) in self.0.iter().enumerate() {
            let Model { written, read } = std::mem::take(&mut *ledger.lock().unwrap());
            for (number, revision) in written.keys().enumerate() {
                if *revision != number as u64 + 1 {
                    lost.push(format!("model {model}: revision {} was told nobody", number + 1));
                    break;
                }
            }
            for (revision, token) in &read {
                if written.get(revision) != Some(token) {
                    lost.push(format!(
                        "model {model}, revision {revision}: {token} was read, {:?} written",
                        written.get(revision)
                    ));
                }
            }
            let last = written.last_key_value().map_or(0, |(revision, _)| *revision);
            let (newest, _) = self::read(&mut wire, model, None).await?;
            if newest != last {
                lost.push(format!(
                    "model {model}: revision {newest} is the newest, {last} was acknowledged last"
                ));
            }
            for (revision, token) in written.range(last.saturating_sub(KEPT - 1)..) {
                let (_, found) = self::read(&mut wire, model, Some(*revision)).await?;
                if found != *token {
                    lost.push(format!(
                        "model {model}, revision {revision}: holds {found}, {token} was acknowledged"
                    ));
                }
            }
        }
        Ok(lost)
    }
}

/// The revision of a model, the newest where none is named, and the number of the write that made it.
pub(crate) async fn read(wire: &mut Wire, model: usize, revision: Option<u64>) -> Result<(u64, u64)> {
    let (revision, document) = match wire {
        Wire::Http(_) => {
            let question = revision.map_or_else(String::new, |revision| format!("/revisions/{revision}"));
            let (status, etag, text) = wire.get(&format!("/models/load-{model}{question}")).await?;
            if status == 404 && revision.is_none() {
                return Ok((0, 0));
            }
            if status != 200 {
                return Err(format!("{status} {text}").into());
            }
            (etag.ok_or("no ETag")?, serde_json::from_str(&text)?)
        }
        Wire::Pipe(_) => {
            let mut arguments = json!({"model": format!("load-{model}")});
            if let Some(revision) = revision {
                arguments["revision"] = revision.into();
            }
            let mut answer = wire.call("systems_thinking_reader", &arguments.to_string()).await?;
            let read = answer["structuredContent"].take();
            (
                read["revision"].as_u64().ok_or_else(|| answer.to_string())?,
                read["document"].clone(),
            )
        }
    };
    Ok((revision, token(&document)?))
}

fn token(document: &Value) -> Result<u64> {
    Ok(document["version"]
        .as_str()
        .ok_or_else(|| format!("no version: {document}"))?
        .parse()?)
}
