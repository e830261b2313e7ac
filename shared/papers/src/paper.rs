//! A paper, as far as a source knows it.

use crate::date::Date;
use crate::id::PaperId;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Somebody who knows papers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SourceKind {
    /// arXiv's API.
    Arxiv,
    /// Semantic Scholar's Academic Graph API.
    S2,
}

impl SourceKind {
    /// The short name, as arguments and keys have it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Arxiv => "arxiv",
            Self::S2 => "s2",
        }
    }
}

/// The name that people know.
impl fmt::Display for SourceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Arxiv => "arXiv",
            Self::S2 => "Semantic Scholar",
        })
    }
}

/// Somebody who wrote a paper.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Author {
    /// The name as the source has it, on one line.
    pub name: String,
    /// Where they worked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub affiliations: Vec<String>,
}

/// What is known of a paper. Texts are on one line, without characters that cannot be seen.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Paper {
    /// Title.
    pub title: String,
    /// Authors, in order.
    pub authors: Vec<Author>,
    /// Abstract.
    #[serde(rename = "abstract", skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// Year of publication.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub year: Option<u16>,
    /// When it was published; on arXiv, its first version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<Date>,
    /// When this version came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated: Option<Date>,
    /// The arXiv id without version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arxiv_id: Option<String>,
    /// The version that this is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arxiv_version: Option<u32>,
    /// The publisher's DOI, in lower case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doi: Option<String>,
    /// Semantic Scholar's id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub s2_id: Option<String>,
    /// Semantic Scholar's number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corpus_id: Option<u64>,
    /// A page about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The text itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pdf: Option<String>,
    /// arXiv's first category.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub primary_category: Option<String>,
    /// arXiv's categories.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<String>,
    /// The authors' comment on arXiv.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// Where it was published, in the authors' words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journal_ref: Option<String>,
    /// Journal or conference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub venue: Option<String>,
    /// How many papers cite it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub citation_count: Option<u64>,
    /// A sentence about it, written by a machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tldr: Option<String>,
    /// Whether it was likely taken back; no source says so outright.
    pub withdrawn: bool,
    /// Who knows it.
    pub sources: Vec<SourceKind>,
}

impl Paper {
    /// All names of the paper, the best one first.
    #[must_use]
    pub fn ids(&self) -> Vec<PaperId> {
        let mut ids = Vec::new();
        if let Some(base) = &self.arxiv_id {
            ids.push(PaperId::Arxiv {
                base: base.clone(),
                version: None,
            });
        }
        ids.extend(self.doi.clone().map(PaperId::Doi));
        ids.extend(self.s2_id.clone().map(PaperId::S2));
        ids.extend(self.corpus_id.map(PaperId::Corpus));
        ids
    }

    /// The best name of the paper.
    #[must_use]
    pub fn id(&self) -> Option<PaperId> {
        self.ids().into_iter().next()
    }

    /// A page about it, made from its ids where no source gave one.
    #[must_use]
    pub fn link(&self) -> Option<String> {
        match (&self.arxiv_id, &self.url, &self.doi) {
            (Some(base), ..) => Some(format!("https://arxiv.org/abs/{base}")),
            (None, Some(url), _) => Some(url.clone()),
            (None, None, Some(doi)) => Some(format!("https://doi.org/{doi}")),
            _ => None,
        }
    }
}

/// The word of a name that sorts and compares: the last one, or the one before a comma; in lower case.
pub(crate) fn family(name: &str) -> String {
    let folded = crate::text::folded(name);
    let family = match folded.split_once(',') {
        Some((family, _)) => family,
        None => folded
            .split_whitespace()
            .rev()
            .find(|word| !matches!(word.trim_end_matches('.'), "jr" | "sr" | "ii" | "iii" | "iv"))
            .unwrap_or_default(),
    };
    family.chars().filter(|c| c.is_alphanumeric()).collect()
}
