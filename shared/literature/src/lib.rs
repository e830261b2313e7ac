//! Papers from arXiv and Semantic Scholar.
//!
//! # Layout, in reading order
//! - [`sources`]: both, as [`Config`] says.
//! - `arxiv`, `s2`: one request, one answer each. [`atom`], [`s2_json`]: what they send, as papers.
//! - `http`: requests with a deadline, a cap and few redirects.
//!
//! It neither waits for turns nor keeps answers: `meadow_service::literature` does.

mod arxiv;
pub mod atom;
mod http;
mod s2;
pub mod s2_json;

use arxiv::Arxiv;
use http::{Http, Limits};
use meadow_service::PaperSource;
use reqwest::Url;
use s2::SemanticScholar;
use std::fmt;
use std::sync::Arc;

/// Where arXiv's API is.
pub const ARXIV_URL: &str = "https://export.arxiv.org/api/query";

/// Where Semantic Scholar's Academic Graph API is.
pub const S2_URL: &str = "https://api.semanticscholar.org/graph/v1";

/// Where the sources are, and who asks them.
#[derive(Clone, PartialEq, Eq)]
pub struct Config {
    /// arXiv's API; empty: arXiv is not asked.
    pub arxiv_url: String,
    /// Semantic Scholar's API; empty: it is not asked.
    pub s2_url: String,
    /// Semantic Scholar's key, which not everybody has.
    pub s2_key: Option<String>,
    /// Whom the sources may write to where we ask too much: an e-mail address or a URL.
    pub contact: Option<String>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            arxiv_url: ARXIV_URL.to_owned(),
            s2_url: S2_URL.to_owned(),
            s2_key: None,
            contact: None,
        }
    }
}

/// Without the key.
impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Config")
            .field("arxiv_url", &self.arxiv_url)
            .field("s2_url", &self.s2_url)
            .field("s2_key", &self.s2_key.as_ref().map(|_| ".."))
            .field("contact", &self.contact)
            .finish()
    }
}

/// A setting that cannot be used, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadConfig(String);

/// The sources that are set up. Nothing is opened before the first question.
///
/// # Errors
/// A URL, key or contact that cannot be used.
pub fn sources(config: &Config) -> Result<Vec<Arc<dyn PaperSource>>, BadConfig> {
    sources_within(config, Limits::default())
}

fn sources_within(config: &Config, limits: Limits) -> Result<Vec<Arc<dyn PaperSource>>, BadConfig> {
    let http = Arc::new(Http::new(config.contact.as_deref(), limits).map_err(BadConfig)?);
    let mut sources: Vec<Arc<dyn PaperSource>> = Vec::new();
    if let Some(url) = url("arXiv", &config.arxiv_url)? {
        sources.push(Arc::new(Arxiv::new(url, Arc::clone(&http))));
    }
    if let Some(url) = url("Semantic Scholar", &config.s2_url)? {
        let key = config.s2_key.as_deref().map(str::trim).filter(|key| !key.is_empty());
        let source = SemanticScholar::new(url, key, http).map_err(BadConfig)?;
        sources.push(Arc::new(source));
    }
    Ok(sources)
}

/// A base URL; none where there is nothing.
fn url(name: &str, text: &str) -> Result<Option<Url>, BadConfig> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    let url = Url::parse(text).map_err(|error| BadConfig(format!("the URL of {name}: {error}; use http(s)://host/path")))?;
    let usable = matches!(url.scheme(), "http" | "https") && url.has_host() && url.query().is_none();
    if !usable || !url.username().is_empty() || url.password().is_some() {
        let message = format!("the URL of {name} must be http(s)://host/path, without user, password or query");
        return Err(BadConfig(message));
    }
    Ok(Some(url))
}

#[cfg(test)]
mod tests;
