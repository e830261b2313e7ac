//! Reading XMILE, SD-AI JSON and Vensim .mdl into a model that can be computed, and deriving our document from it.
//!
//! # Layout, in reading order
//! - [`read`]: bytes of any kind to a [`Source`]. `text`: bytes to text.
//! - [`detect`](mod@detect): which kind a text is, told by its content.
//! - `xmile`, `sdai`, `mdl`: one reader each, text to [`Model`].
//! - [`to_document`](mod@to_document): a [`Model`] as our document's JSON text, with what that cannot hold.
//! - `notes`: what a reader could not hold or had to repair. `values`: numbers in files. `fresh`: new names.
//!
//! Nothing that a file says is dropped in silence: what a reader cannot hold stands in [`Model::notes`], and a
//! variable whose meaning was lost has no equation, so that no run can pretend to have it.
//!
//! This crate is pure.

#[cfg(test)]
mod corpus;
pub mod detect;
mod fresh;
#[cfg(test)]
mod hostile;
mod mdl;
mod notes;
mod sdai;
mod text;
pub mod to_document;
mod values;
mod xmile;

pub use detect::{Format, detect};
use meadow_dynamics::model::Model;
pub use to_document::{Derived, to_document};

/// Bytes of a file: 16 MiB.
///
/// World3, among the largest models in circulation, has 0.15 MB as .mdl; Stella files with drawings reach a few MB.
pub const MAX_BYTES: usize = 16 << 20;

/// Variables of a model: 100,000.
///
/// An empty one takes six bytes of text and 250 of memory; the limit keeps a file of empty ones within 25 MB. The
/// largest models in use have some ten thousand.
pub const MAX_VARIABLES: usize = 100_000;

/// Characters of a variable's name: 300. A document repeats names in links and equations, so that long ones multiply.
pub const MAX_NAME: usize = 300;

/// What a file was.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// A document of ours: its text, without a byte order mark, for [`meadow_model::parse()`].
    Document(String),
    /// A model in another format.
    Model {
        /// Which format.
        format: Format,
        /// What it says.
        model: Box<Model>,
    },
}

/// Why a file could not be read. Nothing of it is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadError {
    /// What it was taken for; none where that could not be told.
    pub format: Option<Format>,
    /// The place, what was found there and what to do.
    pub message: String,
}

impl ReadError {
    fn new(format: impl Into<Option<Format>>, message: impl Into<String>) -> Self {
        Self {
            format: format.into(),
            message: message.into(),
        }
    }
}

impl std::fmt::Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.format {
            Some(format) => write!(f, "{}: {}", format.name(), self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for ReadError {}

/// Reads a file of any kind that Meadow knows; its content tells which.
///
/// # Errors
/// Where the file is too large, no text, of no known kind, or so broken that nothing can be told of the model.
/// Faults within a model (a missing equation, an unknown name) are no error here: the model is read as it stands.
pub fn read(bytes: &[u8]) -> Result<Source, ReadError> {
    let decoded = text::decode(bytes)?;
    let format = detect(&decoded.text)?;
    let mut model = match format {
        Format::Document => return Ok(Source::Document(decoded.text.into_owned())),
        Format::SdAi => sdai::read(&decoded.text)?,
        Format::Xmile => xmile::read(&decoded.text)?,
        Format::Mdl => mdl::read(&decoded.text)?,
    };
    let names =
        (model.variables.iter().map(|variable| &variable.name)).chain(model.functions.iter().map(|(name, _)| name));
    for name in names {
        if name.len() > MAX_NAME && name.chars().count() > MAX_NAME {
            let start: String = name.chars().take(40).collect();
            let message = format!("the name {start:?}... has more than {MAX_NAME} characters; shorten it");
            return Err(ReadError::new(format, message));
        }
    }
    model.notes.extend(decoded.note);
    Ok(Source::Model {
        format,
        model: Box::new(model),
    })
}

/// The model in a file that is known to be no document of ours.
#[cfg(test)]
#[track_caller]
fn model(bytes: impl AsRef<[u8]>) -> Model {
    match read(bytes.as_ref()) {
        Ok(Source::Model { model, .. }) => *model,
        other => panic!("{other:?}"),
    }
}
