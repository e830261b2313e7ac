//! The names that a paper goes by, in all the forms in which people and programs write them.

use crate::text::{cut, is_hidden};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// A name of a paper.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PaperId {
    /// On arXiv: `2301.00010`, `hep-th/9901001`; without a version it is the newest.
    Arxiv {
        /// The id without its version. Old ones keep their slash; a subject class (`math.GT/0309136`) is left out, as
        /// arXiv does.
        base: String,
        /// `2` of `2301.00010v2`.
        version: Option<u32>,
    },
    /// A DOI in lower case; never one that arXiv gives to its own papers, which are [`PaperId::Arxiv`].
    Doi(String),
    /// Semantic Scholar's own: 40 hexadecimal digits.
    S2(String),
    /// Semantic Scholar's number.
    Corpus(u64),
}

/// A text that names no paper.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} names no paper; use an arXiv id (2301.00010, hep-th/9901001v2), a DOI (10.1093/mind/lix.236.433), a Semantic Scholar id (40 hexadecimal digits or CorpusId:14636783), or a link to one of them"
)]
pub struct BadPaperId(String);

/// The longest DOI that is taken, in bytes: with its prefix it is a key of a cache.
const MAX_DOI: usize = 300;

/// What stands before an id in a link, without `https://` and `www.`; ids of these sites are what follows.
const SITES: [(&str, Kind); 13] = [
    ("arxiv.org/abs/", Kind::Arxiv),
    ("arxiv.org/pdf/", Kind::Arxiv),
    ("arxiv.org/html/", Kind::Arxiv),
    ("arxiv.org/format/", Kind::Arxiv),
    ("arxiv.org/src/", Kind::Arxiv),
    ("arxiv.org/e-print/", Kind::Arxiv),
    ("export.arxiv.org/abs/", Kind::Arxiv),
    ("export.arxiv.org/pdf/", Kind::Arxiv),
    ("export.arxiv.org/html/", Kind::Arxiv),
    ("doi.org/", Kind::Doi),
    ("dx.doi.org/", Kind::Doi),
    ("api.semanticscholar.org/", Kind::S2),
    ("semanticscholar.org/", Kind::S2),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Arxiv,
    Doi,
    S2,
}

impl PaperId {
    /// An arXiv id, `base` with or without its version.
    #[must_use]
    pub fn arxiv(text: &str) -> Option<Self> {
        let text = text.strip_suffix(".pdf").unwrap_or(text);
        let (base, version) = match text
            .rfind('v')
            .filter(|at| text[at + 1..].bytes().all(|b| b.is_ascii_digit()))
        {
            Some(at) if at + 1 < text.len() => (&text[..at], Some(text[at + 1..].parse().ok().filter(|v| *v > 0)?)),
            _ => (text, None),
        };
        let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
        if let Some((archive, number)) = base.split_once('/') {
            let (archive, class) = archive.split_once('.').map_or((archive, None), |(a, c)| (a, Some(c)));
            let archive = archive.to_ascii_lowercase();
            let named = !archive.is_empty() && archive.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
            let classed = class.is_none_or(|c| c.len() >= 2 && c.bytes().all(|b| b.is_ascii_alphabetic() || b == b'-'));
            return (named && classed && archive.len() <= 20 && number.len() == 7 && digits(number)).then(|| {
                Self::Arxiv {
                    base: format!("{archive}/{number}"),
                    version,
                }
            });
        }
        let (month, number) = base.split_once('.')?;
        let formed = month.len() == 4 && digits(month) && (4..=5).contains(&number.len()) && digits(number);
        formed.then(|| Self::Arxiv {
            base: base.to_owned(),
            version,
        })
    }

    /// A DOI without its resolver; arXiv's own (`10.48550/arXiv.2301.00010`) is an arXiv id.
    #[must_use]
    pub fn doi(text: &str) -> Option<Self> {
        let text = text.trim_end_matches(['.', ',', ';']);
        let (prefix, suffix) = text.split_once('/')?;
        let registrant = prefix.strip_prefix("10.")?;
        let formed = registrant
            .split('.')
            .all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()));
        let plain = !suffix.is_empty() && !suffix.chars().any(|c| c.is_whitespace() || is_hidden(c));
        if !formed || !plain || text.len() > MAX_DOI || registrant.len() < 4 {
            return None;
        }
        let doi = text.to_lowercase();
        if let Some(rest) = doi.strip_prefix("10.48550/arxiv.") {
            return Self::arxiv(rest);
        }
        (doi.len() <= MAX_DOI).then_some(Self::Doi(doi))
    }

    /// An id of Semantic Scholar: 40 hexadecimal digits, or `CorpusId:` and a number.
    #[must_use]
    pub fn s2(text: &str) -> Option<Self> {
        if text.len() == 40 && text.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Some(Self::S2(text.to_ascii_lowercase()));
        }
        let number = prefixed(text, "corpusid:")?.trim();
        let digits = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
        digits.then(|| number.parse().ok().map(Self::Corpus))?
    }

    /// The address of the paper as a resource: `literature://arxiv/2301.00010`.
    #[must_use]
    pub fn uri(&self) -> String {
        match self {
            Self::Arxiv { .. } => format!("literature://arxiv/{}", self.bare()),
            Self::Doi(doi) => format!("literature://doi/{}", encoded(doi)),
            Self::S2(_) | Self::Corpus(_) => format!("literature://s2/{}", self.bare()),
        }
    }

    /// The id as Semantic Scholar's API takes it.
    #[must_use]
    pub fn for_s2(&self) -> String {
        match self {
            Self::Arxiv { base, .. } => format!("ARXIV:{base}"),
            Self::Doi(doi) => format!("DOI:{doi}"),
            Self::S2(_) | Self::Corpus(_) => self.bare(),
        }
    }

    /// The id without the name of its kind; [`PaperId::Corpus`] keeps `CorpusId:`.
    #[must_use]
    pub fn bare(&self) -> String {
        match self {
            Self::Arxiv {
                base,
                version: Some(version),
            } => format!("{base}v{version}"),
            Self::Arxiv { base, version: None } => base.clone(),
            Self::Doi(id) | Self::S2(id) => id.clone(),
            Self::Corpus(number) => format!("CorpusId:{number}"),
        }
    }

    /// The same paper, whichever version is newest.
    #[must_use]
    pub fn newest(&self) -> Self {
        match self {
            Self::Arxiv { base, .. } => Self::Arxiv {
                base: base.clone(),
                version: None,
            },
            other => other.clone(),
        }
    }
}

/// What follows `prefix`, in whatever case it is written.
fn prefixed<'t>(text: &'t str, prefix: &str) -> Option<&'t str> {
    let head = text.get(..prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then(|| &text[prefix.len()..])
}

/// A DOI as a part of a URI: what may not stand there is percent-encoded.
fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/:;()+,=@!$&'*".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// A text with its percent-encoding undone, once.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        if first != b'%' {
            bytes.push(first);
            rest = tail;
            continue;
        }
        let hex = tail.get(..2).filter(|hex| hex.iter().all(u8::is_ascii_hexdigit))?;
        bytes.push(u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok()?);
        rest = &tail[2..];
    }
    String::from_utf8(bytes).ok()
}

/// What a link or a text with the name of its kind holds.
fn labelled(text: &str) -> Option<PaperId> {
    if let Some(rest) = prefixed(text, "literature://") {
        let (source, id) = rest.split_once('/')?;
        let id = decoded(id)?;
        return match source.to_ascii_lowercase().as_str() {
            "arxiv" => PaperId::arxiv(&id),
            "doi" => PaperId::doi(&id),
            "s2" => PaperId::s2(&id),
            _ => None,
        };
    }
    if let Some(rest) = prefixed(text, "arxiv:") {
        return PaperId::arxiv(rest.trim());
    }
    if let Some(rest) = prefixed(text, "doi:") {
        let rest = rest.trim();
        return link(rest).or_else(|| PaperId::doi(rest));
    }
    for label in ["url:", "s2:"] {
        if let Some(rest) = prefixed(text, label) {
            return link(rest.trim()).or_else(|| PaperId::s2(rest.trim()));
        }
    }
    link(text)
}

/// What a link to one of the known sites holds, with or without its scheme.
fn link(text: &str) -> Option<PaperId> {
    let rest = ["https://", "http://"]
        .iter()
        .find_map(|scheme| prefixed(text, scheme))
        .unwrap_or(text);
    let rest = prefixed(rest, "www.").unwrap_or(rest);
    let (rest, kind) = SITES
        .iter()
        .find_map(|(site, kind)| Some((prefixed(rest, site)?, *kind)))?;
    let path = rest.split(['?', '#']).next().unwrap_or_default();
    let path = decoded(path.trim_end_matches('/'))?;
    match kind {
        Kind::Arxiv => PaperId::arxiv(&path),
        Kind::Doi => PaperId::doi(&path),
        // `/paper/Some-Title/{sha}`, `/paper/{sha}`, `/CorpusID:{number}`.
        Kind::S2 => PaperId::s2(path.rsplit('/').next().unwrap_or_default()),
    }
}

impl FromStr for PaperId {
    type Err = BadPaperId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bad = || BadPaperId(cut(&crate::text::one_line(text), 80));
        let mut plain = text.trim().trim_matches(['<', '>', '"', '\'', '`']).trim();
        // "arXiv:2301.00010v2 [cs.LG]", as arXiv's pages have it.
        if let Some((id, rest)) = plain
            .split_once(' ')
            .filter(|(_, rest)| rest.starts_with('[') && rest.ends_with(']'))
        {
            if rest.len() > 20 {
                return Err(bad());
            }
            plain = id;
        }
        let bare = || {
            let path = plain.split(['?', '#']).next().unwrap_or_default();
            PaperId::arxiv(path)
                .or_else(|| PaperId::doi(plain))
                .or_else(|| PaperId::s2(plain))
        };
        labelled(plain).or_else(bare).ok_or_else(bad)
    }
}

/// `arXiv:2301.00010v2`, `doi:10.1093/mind/lix.236.433`, `s2:…`, `CorpusId:14636783`: each is read back as the same.
impl fmt::Display for PaperId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let label = match self {
            Self::Arxiv { .. } => "arXiv:",
            Self::Doi(_) => "doi:",
            Self::S2(_) => "s2:",
            Self::Corpus(_) => "",
        };
        write!(f, "{label}{}", self.bare())
    }
}

impl Serialize for PaperId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for PaperId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHA: &str = "2d5673caa9e6af3a7b82a43f19ee920992db07ad";

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let id: PaperId = text.parse().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(id.to_string(), expected, "{text}");
        assert_eq!(id.to_string().parse(), Ok(id.clone()));
        assert_eq!(id.uri().parse(), Ok(id), "{text}");
    }

    #[test]
    fn arxiv_ids_of_all_forms() {
        for (text, expected) in [
            ("2301.00010", "arXiv:2301.00010"),
            ("0704.0156v2", "arXiv:0704.0156v2"),
            ("arXiv:2301.00010v12", "arXiv:2301.00010v12"),
            ("ARXIV:2301.00010", "arXiv:2301.00010"),
            ("arxiv: 2301.00010", "arXiv:2301.00010"),
            ("arXiv:2301.00010v2 [cs.LG]", "arXiv:2301.00010v2"),
            ("solv-int/9901001v1", "arXiv:solv-int/9901001v1"),
            ("solv-int/9901001", "arXiv:solv-int/9901001"),
            ("math.GT/0309136", "arXiv:math/0309136"),
            ("cond-mat.str-el/0211159v1", "arXiv:cond-mat/0211159v1"),
            ("https://arxiv.org/abs/2301.00010v1", "arXiv:2301.00010v1"),
            ("http://www.arxiv.org/pdf/2301.00010v1.pdf", "arXiv:2301.00010v1"),
            (
                "https://export.arxiv.org/abs/hep-th/9901001?context=cs#x",
                "arXiv:hep-th/9901001",
            ),
            ("https://arxiv.org/html/2301.00010/", "arXiv:2301.00010"),
            ("arxiv.org/abs/2301.00010", "arXiv:2301.00010"),
            ("10.48550/arXiv.2301.00010", "arXiv:2301.00010"),
            ("doi:10.48550/ARXIV.2301.00010v2", "arXiv:2301.00010v2"),
            ("https://doi.org/10.48550/arXiv.math/0309136", "arXiv:math/0309136"),
            ("2301.00010.pdf", "arXiv:2301.00010"),
            ("literature://arxiv/solv-int/9901001", "arXiv:solv-int/9901001"),
            ("literature://arxiv/solv-int%2F9901001", "arXiv:solv-int/9901001"),
            ("URL:https://arxiv.org/abs/2301.00010", "arXiv:2301.00010"),
            (" <https://arxiv.org/abs/2301.00010> ", "arXiv:2301.00010"),
            ("0000.0000", "arXiv:0000.0000"),
        ] {
            check(text, expected);
        }
    }

    #[test]
    fn dois_and_ids_of_semantic_scholar() {
        for (text, expected) in [
            ("10.1093/MIND/LIX.236.433", "doi:10.1093/mind/lix.236.433"),
            ("DOI:10.1093/mind/lix.236.433", "doi:10.1093/mind/lix.236.433"),
            (
                "doi: https://doi.org/10.1093/mind/lix.236.433",
                "doi:10.1093/mind/lix.236.433",
            ),
            (
                "http://dx.doi.org/10.1002/(SICI)1097%3C1::AID%3E3.0",
                "doi:10.1002/(sici)1097<1::aid>3.0",
            ),
            (
                "10.1002/(SICI)1097<1::AID>3.0#x?y",
                "doi:10.1002/(sici)1097<1::aid>3.0#x?y",
            ),
            ("literature://doi/10.1093/mind%23a", "doi:10.1093/mind#a"),
            ("10.1000.10/182.", "doi:10.1000.10/182"),
            ("CorpusId:14636783", "CorpusId:14636783"),
            ("corpusid: 14636783", "CorpusId:14636783"),
            ("https://api.semanticscholar.org/CorpusID:14636783", "CorpusId:14636783"),
            ("literature://s2/CorpusId:14636783", "CorpusId:14636783"),
        ] {
            check(text, expected);
        }
        for text in [
            SHA.to_owned(),
            SHA.to_uppercase(),
            format!("s2:{SHA}"),
            format!("literature://s2/{SHA}"),
            format!("https://www.semanticscholar.org/paper/Computing-Machinery/{SHA}?x=1"),
            format!("https://www.semanticscholar.org/paper/{SHA}"),
        ] {
            check(&text, &format!("s2:{SHA}"));
        }
    }

    #[test]
    fn what_names_no_paper_is_refused() {
        for text in [
            "",
            " ",
            "abc",
            "sol",
            "2301.000",
            "2301.000100",
            "23011.00010",
            "2301.00010v",
            "2301.00010v0",
            "2301.00010vx",
            "٢٣٠١.٠٠٠١٠",
            "solv-int/990100",
            "solv-int/99010011",
            "/9901001",
            "math.G/0309136",
            "10.1/x",
            "10.1000/",
            "10.1000/a b",
            "10.10a0/x",
            "10.1000/x\u{202e}y",
            "14636783",
            "CorpusId:",
            "CorpusId:x",
            "s2:abc",
            "https://example.org/abs/2301.00010",
            "literature://x/2301.00010",
            "literature://arxiv/%zz",
            "file:///etc/passwd",
            "CorpusId:99999999999999999999",
            "2301.00010v99999999999",
            "2301.00010 2301.00011",
            "2d5673caa9e6",
        ] {
            assert!(text.parse::<PaperId>().is_err(), "{text}");
        }
        let long = format!("10.1000/{}", "x".repeat(400));
        let said = long.parse::<PaperId>().unwrap_err().to_string();
        assert!(said.len() < 500 && said.contains("2301.00010"), "{said}");
    }
}
