//! Entity tags and conditional requests (RFC 9110 section 13).
//!
//! A tag is `"<id, percent-encoded as in the URL>@<revision>"`: strong, since a revision's bytes never change. It is the
//! same for a packed answer, though RFC 9110 (8.8.3.3) wants another tag for each coding: most clients ask for packed
//! answers unasked and copy the tag into If-Match, which a weak one would never match. Nothing between can mix up the
//! codings: answers are private, and no part of one can be asked for.
//!
//! Dates count whole seconds and are heard only for a model of its own: `/model` has none, since another model that is
//! older can become the latest.

use crate::extract::Wait;
use crate::problem::Problem;
use axum::extract::FromRequestParts;
use http::header::{HeaderName, IF_MATCH, IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_UNMODIFIED_SINCE};
use http::request::Parts;
use http::{HeaderMap, HeaderValue};
use meadow_service::{Caller, Error, Expectation, Head, LatestIs, ModelId, Revision, Service};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use std::time::{Duration, SystemTime};

/// What an id may hold and a URL shows as it is (RFC 3986 section 2.3).
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.');

/// Where a model is found.
pub(crate) fn url(id: &ModelId) -> String {
    format!("/models/{}", encoded(id))
}

/// An id as URLs have it.
pub(crate) fn encoded(id: &ModelId) -> String {
    utf8_percent_encode(id.as_str(), ESCAPED).to_string()
}

/// A revision's tag, with its quotes.
pub(crate) fn tag_text(head: &Head) -> String {
    format!("\"{}\"", opaque(&head.id, head.revision))
}

/// A revision's tag as a header.
pub(crate) fn tag(head: &Head) -> HeaderValue {
    ascii(&tag_text(head))
}

/// A header of text that is known to be printable ASCII.
pub(crate) fn ascii(text: &str) -> HeaderValue {
    HeaderValue::from_str(text).unwrap_or(const { HeaderValue::from_static("") })
}

fn opaque(id: &ModelId, revision: Revision) -> String {
    format!("{}@{revision}", encoded(id))
}

/// Which model a precondition speaks of.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Target<'a> {
    /// The workspace's latest, whichever it is.
    Latest,
    /// The one of this id.
    Model(&'a str),
}

/// The preconditions of a request.
#[derive(Debug, Default)]
pub(crate) struct Conditions {
    matches: Option<Tags>,
    none_match: Option<Tags>,
    unmodified_since: Option<SystemTime>,
    modified_since: Option<SystemTime>,
}

/// The value of If-Match or If-None-Match.
#[derive(Debug, PartialEq, Eq)]
enum Tags {
    /// `*`.
    Any,
    /// A list.
    These(Vec<Tag>),
}

#[derive(Debug, PartialEq, Eq)]
struct Tag {
    weak: bool,
    opaque: String,
}

impl<S: Sync> FromRequestParts<S> for Conditions {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let headers = &parts.headers;
        Ok(Self {
            matches: tags(headers, &IF_MATCH)?,
            none_match: tags(headers, &IF_NONE_MATCH)?,
            unmodified_since: date(headers, &IF_UNMODIFIED_SINCE),
            modified_since: date(headers, &IF_MODIFIED_SINCE),
        })
    }
}

impl Conditions {
    /// For a read: true when the client has this revision already (304). Without a time of change no date is heard.
    pub(crate) fn not_modified(&self, head: &Head, changed: Option<SystemTime>) -> Result<bool, Problem> {
        if !self.may_go_on(Some(head), changed) {
            return Err(Error::Conflict(Some(head.clone())).into());
        }
        Ok(match (&self.none_match, self.modified_since, changed) {
            (Some(tags), ..) => tags.hold(head, true),
            (None, Some(date), Some(changed)) => changed <= date,
            (None, ..) => false,
        })
    }

    /// Whether a read is to wait for something newer: it names what the client has, and that is what there is.
    pub(crate) fn waits(&self, head: &Head, wait: Wait) -> Result<bool, Problem> {
        let asked = !wait.time().is_zero() && matches!(self.none_match, Some(Tags::These(_)));
        Ok(asked && self.not_modified(head, None)?)
    }

    /// When a model that stands like this was changed, as far as a date can tell, and where one was sent. A second in
    /// which it changed twice counts as changed until it is over: whoever names that second may have seen the first of
    /// both (RFC 9110 8.8.2.2).
    pub(crate) async fn changed(
        &self,
        service: &Service,
        caller: &Caller,
        head: &Head,
    ) -> Result<Option<SystemTime>, Error> {
        if self.modified_since.is_none() && self.unmodified_since.is_none() {
            return Ok(None);
        }
        let before = service.revisions(caller, head.id.as_str(), Some(head.revision), 1);
        let before = before.await?.items.first().map(second);
        let changed = second(head);
        let twice = before == Some(changed);
        Ok(Some(if twice {
            changed + Duration::from_secs(1)
        } else {
            changed
        }))
    }

    /// For a write: what the store must hold it against.
    ///
    /// The common forms become an expectation as they stand. The others are judged against the model as it is now,
    /// and the write is then held to exactly that state.
    pub(crate) async fn expectation(
        &self,
        service: &Service,
        caller: &Caller,
        target: Target<'_>,
    ) -> Result<Expectation, Error> {
        let unmodified_since = match target {
            Target::Latest => None,
            Target::Model(_) => self.unmodified_since,
        };
        match (&self.matches, &self.none_match, unmodified_since) {
            (None, None, None) => return Ok(Expectation::Any),
            (Some(tags), None, _) => return Ok(tags.expectation(target)),
            (None, Some(Tags::Any), None) => {
                return Ok(match target {
                    Target::Latest => Expectation::Latest(LatestIs::Absent),
                    Target::Model(_) => Expectation::Absent,
                });
            }
            _ => {}
        }
        let current = match target {
            Target::Latest => service.latest(caller).await,
            Target::Model(id) => service.model(caller, id, None).await,
        };
        let current = match current {
            Ok(stored) => Some(stored.head),
            Err(Error::NotFound(_)) => None,
            Err(error) => return Err(error),
        };
        let changed = match (target, &current) {
            (Target::Model(_), Some(head)) => self.changed(service, caller, head).await?,
            _ => None,
        };
        let unlike = |head| self.none_match.as_ref().is_none_or(|tags| !tags.hold(head, true));
        if !self.may_go_on(current.as_ref(), changed) || !current.as_ref().is_none_or(unlike) {
            return Err(Error::Conflict(current));
        }
        Ok(match (target, current) {
            (Target::Latest, None) => Expectation::Latest(LatestIs::Absent),
            (Target::Latest, Some(head)) => Expectation::Latest(LatestIs::OneOf(vec![(head.id, head.revision)])),
            (Target::Model(_), None) => Expectation::Absent,
            (Target::Model(_), Some(head)) => Expectation::OneOf(vec![head.revision]),
        })
    }

    /// If-Match, or without it If-Unmodified-Since, which nothing fails that has no date.
    fn may_go_on(&self, current: Option<&Head>, changed: Option<SystemTime>) -> bool {
        match (&self.matches, self.unmodified_since, changed) {
            (Some(tags), ..) => current.is_some_and(|head| tags.hold(head, false)),
            (None, Some(date), Some(changed)) => changed <= date,
            (None, ..) => true,
        }
    }
}

impl Tags {
    /// True when one of them is this revision's. A weak tag counts only where weak comparison is asked for.
    fn hold(&self, head: &Head, weak: bool) -> bool {
        match self {
            Self::Any => true,
            Self::These(tags) => {
                let current = opaque(&head.id, head.revision);
                tags.iter().any(|tag| (weak || !tag.weak) && tag.opaque == current)
            }
        }
    }

    fn expectation(&self, target: Target<'_>) -> Expectation {
        let Self::These(tags) = self else {
            return match target {
                Target::Latest => Expectation::Latest(LatestIs::Present),
                Target::Model(_) => Expectation::Present,
            };
        };
        let revisions = tags.iter().filter_map(Tag::revision);
        match target {
            Target::Latest => Expectation::Latest(LatestIs::OneOf(revisions.collect())),
            Target::Model(id) => {
                Expectation::OneOf(revisions.filter(|(of, _)| of.as_str() == id).map(|(_, n)| n).collect())
            }
        }
    }
}

impl Tag {
    /// The revision that this tag names, where it is a strong one of ours.
    fn revision(&self) -> Option<(ModelId, Revision)> {
        let (id, revision) = self.opaque.rsplit_once('@')?;
        let id = percent_decode_str(id).decode_utf8().ok()?;
        let found = (ModelId::new(&id).ok()?, revision.parse().ok()?);
        (!self.weak && opaque(&found.0, found.1) == self.opaque).then_some(found)
    }
}

/// When a revision was made, in whole seconds as HTTP counts.
pub(crate) fn second(head: &Head) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(head.updated_at.0 / 1000)
}

/// A date; one that cannot be read is as if it were absent (RFC 9110 section 13.1.3).
fn date(headers: &HeaderMap, name: &HeaderName) -> Option<SystemTime> {
    httpdate::parse_http_date(headers.get(name)?.to_str().ok()?).ok()
}

/// The tags in all headers of this name.
fn tags(headers: &HeaderMap, name: &HeaderName) -> Result<Option<Tags>, Problem> {
    let lines: Vec<_> = headers.get_all(name).iter().collect();
    let mut found = Vec::new();
    for line in &lines {
        let text = line.to_str().unwrap_or_default().trim();
        if text == "*" && lines.len() == 1 {
            return Ok(Some(Tags::Any));
        }
        if !list(text, &mut found) {
            return Err(Problem::bad_request(format!(
                "the header {name} is {:?}; send * or entity tags as they came in ETag, such as \"bathtub@3\" with its quotes",
                String::from_utf8_lossy(line.as_bytes())
            )));
        }
    }
    Ok((!lines.is_empty()).then_some(Tags::These(found)))
}

/// Reads a list of tags; false where it is none. Empty places between commas are passed over (RFC 9110 5.6.1).
fn list(mut text: &str, found: &mut Vec<Tag>) -> bool {
    let before = found.len();
    loop {
        text = text.trim_start_matches([' ', '\t', ',']);
        if text.is_empty() {
            return found.len() > before;
        }
        let weak = text.strip_prefix("W/");
        let Some((opaque, rest)) = weak.unwrap_or(text).strip_prefix('"').and_then(|t| t.split_once('"')) else {
            return false;
        };
        if opaque.contains([' ', '\t']) {
            return false;
        }
        found.push(Tag {
            weak: weak.is_some(),
            opaque: opaque.to_owned(),
        });
        text = rest.trim_start_matches([' ', '\t']);
        if !text.is_empty() && !text.starts_with(',') {
            return false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(lines: &[&str], expected: Option<&[&str]>) {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(IF_MATCH, HeaderValue::from_str(line).expect("a header"));
        }
        let shown = match tags(&headers, &IF_MATCH) {
            Err(_) => None,
            Ok(None) => Some(vec![]),
            Ok(Some(Tags::Any)) => Some(vec!["*".to_owned()]),
            Ok(Some(Tags::These(tags))) => Some(
                tags.iter()
                    .map(|t| format!("{}{}", if t.weak { "W/" } else { "" }, t.opaque))
                    .collect(),
            ),
        };
        assert_eq!(shown, expected.map(|e| e.iter().map(|t| (*t).to_owned()).collect()));
    }

    #[test]
    fn lists_of_tags() {
        check(&[], Some(&[]));
        check(&["*"], Some(&["*"]));
        check(&["\"a@1\""], Some(&["a@1"]));
        check(&["\"a,b\" , W/\"c\",,\"\""], Some(&["a,b", "W/c", ""]));
        check(&["\"a\"", "\"b\""], Some(&["a", "b"]));
        for broken in [
            "",
            ",",
            "a@1",
            "\"a",
            "a\"",
            "\"a\" \"b\"",
            "w/\"a\"",
            "W/ \"a\"",
            "*, \"a\"",
            "\"a b\"",
        ] {
            check(&[broken], None);
        }
        check(&["*", "\"a\""], None);
    }

    #[test]
    fn tags_of_ours() {
        #[track_caller]
        fn check(opaque: &str, expected: Option<(&str, Revision)>) {
            let tag = |weak| Tag {
                weak,
                opaque: opaque.to_owned(),
            };
            let found = tag(false).revision();
            assert_eq!(found.as_ref().map(|(id, n)| (id.as_str(), *n)), expected);
            assert_eq!(tag(true).revision(), None);
        }
        check("bathtub@3", Some(("bathtub", 3)));
        check("%E6%B0%B4@12", Some(("水", 12)));
        check("水@12", None);
        check("b%61thtub@3", None);
        check("bathtub@03", None);
        check("bathtub", None);
        check("@3", None);
    }
}
