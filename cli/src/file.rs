//! The file that a command reads: a model of ours, XMILE, SD-AI JSON or Vensim .mdl, told by its content.

use crate::failure::Failure;
use meadow_dynamics::document;
use meadow_dynamics::model::Model;
use meadow_interchange::{MAX_BYTES, Source};
use meadow_model::Refusal;
use meadow_service::dynamics::{Evidence, evidence};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read};

/// What a file is called in answers: its path, or `standard input`.
pub(crate) fn name(path: &str) -> &str {
    if path == "-" { "standard input" } else { path }
}

/// The bytes of a file, or of standard input where the path is `-`; of what is too large only as many as show it.
pub(crate) fn bytes(path: &str) -> Result<Vec<u8>, Failure> {
    let limit = MAX_BYTES as u64 + 1;
    let mut bytes = Vec::new();
    let read = if path == "-" {
        io::stdin().lock().take(limit).read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes))
    };
    read.map_err(|error| Failure::World(format!("{} cannot be read: {error}", name(path))))?;
    Ok(bytes)
}

/// A model that can be computed.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) model: Model,
    /// What supports its links, where it is a document of ours.
    pub(crate) evidence: Vec<Evidence>,
}

/// The model in a file.
pub(crate) fn load(path: &str) -> Result<Loaded, Failure> {
    match source(path)? {
        Source::Model { model, .. } => Ok(Loaded {
            model: *model,
            evidence: Vec::new(),
        }),
        Source::Document(text) => {
            let document = meadow_model::parse(&text).map_err(|refusal| Failure::Fault(explain(path, &refusal)))?;
            Ok(Loaded {
                model: document::model(&document),
                evidence: evidence(&document),
            })
        }
    }
}

/// What is in a file.
pub(crate) fn source(path: &str) -> Result<Source, Failure> {
    meadow_interchange::read(&bytes(path)?).map_err(|error| Failure::Fault(format!("{}: {error}", name(path))))
}

/// Every fault of a document with its place.
pub(crate) fn explain(path: &str, refusal: &Refusal) -> String {
    let name = name(path);
    match refusal {
        Refusal::NotJson(error) => format!("{name}: not JSON: {error}"),
        Refusal::Schema(faults) => {
            let mut out = format!("{name}: no document, faults: {}", faults.total());
            for fault in faults.named() {
                // Writing to a string cannot fail.
                let _ = write!(out, "\n  {} {}", fault.pointer, fault.detail());
            }
            out
        }
    }
}
