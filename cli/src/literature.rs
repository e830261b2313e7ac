//! Who is asked for papers, as four environment variables say. An empty URL turns its source off.

use crate::failure::Failure;
use meadow_literature::{ARXIV_URL, Config, S2_URL};
use meadow_service::PaperSource;
use std::env::{VarError, var};
use std::sync::Arc;

/// arXiv and Semantic Scholar. Nothing is opened before the first question.
///
/// # Errors
/// A variable that cannot be used.
pub(crate) fn sources() -> Result<Vec<Arc<dyn PaperSource>>, Failure> {
    let config = Config {
        arxiv_url: setting("MEADOW_ARXIV_URL")?.unwrap_or_else(|| ARXIV_URL.to_owned()),
        s2_url: setting("MEADOW_S2_URL")?.unwrap_or_else(|| S2_URL.to_owned()),
        s2_key: setting("MEADOW_S2_KEY")?,
        contact: setting("MEADOW_CONTACT")?,
    };
    meadow_literature::sources(&config).map_err(|error| {
        Failure::Usage(format!(
            "{error}; see MEADOW_ARXIV_URL, MEADOW_S2_URL, MEADOW_S2_KEY, MEADOW_CONTACT"
        ))
    })
}

fn setting(name: &str) -> Result<Option<String>, Failure> {
    match var(name) {
        Ok(value) => Ok(Some(value)),
        Err(VarError::NotPresent) => Ok(None),
        Err(VarError::NotUnicode(_)) => Err(Failure::Usage(format!("{name} is no text"))),
    }
}
