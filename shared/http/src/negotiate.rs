//! What the client can read and what it sends: Accept, Accept-Encoding, Content-Type, Content-Encoding.

use crate::problem::Problem;
use axum::extract::Request;
use http::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, HeaderName};
use http::{HeaderMap, HeaderValue, StatusCode};

/// Refuses a request whose client could not read the answer (406). That is JSON, unless the query asks for CSV.
pub(crate) fn is_acceptable(request: &Request) -> Result<(), Problem> {
    let query = request.uri().query().unwrap_or_default();
    let is_csv = query.split('&').any(|part| part == "format=csv");
    let kind = if is_csv { "text/csv" } else { "application/json" };
    if accepts(request.headers(), kind) {
        return Ok(());
    }
    Err(Problem::new(
        StatusCode::NOT_ACCEPTABLE,
        format!("the header Accept excludes {kind}, which is all there is; send Accept: {kind}, or leave it out"),
    ))
}

/// True where Accept is absent or allows this media type; the most specific range decides (RFC 9110 12.5.1).
fn accepts(headers: &HeaderMap, kind: &str) -> bool {
    let mut asked = false;
    let mut best = (0, 0.0);
    let group = kind.split('/').next().unwrap_or_default();
    for (range, weight) in weighted(headers, &ACCEPT) {
        asked = true;
        let specific = match range.split_once('/') {
            _ if range.eq_ignore_ascii_case(kind) => 3,
            Some((start, "*")) if start.eq_ignore_ascii_case(group) => 2,
            Some(("*", "*")) => 1,
            None if range == "*" => 1,
            _ => continue,
        };
        if specific > best.0 || (specific == best.0 && weight > best.1) {
            best = (specific, weight);
        }
    }
    !asked || best.1 > 0.0
}

/// The coding of ours that the client likes best; none where it wants the bytes as they are.
pub(crate) fn coding(headers: &HeaderMap) -> Option<&'static str> {
    headers.get(ACCEPT_ENCODING)?;
    let weight = |name: &str| {
        let (mut named, mut any) = (None, None);
        for (coding, weight) in weighted(headers, &ACCEPT_ENCODING) {
            if coding.eq_ignore_ascii_case(name) {
                named = Some(weight);
            } else if coding == "*" {
                any = Some(weight);
            }
        }
        named.or(any)
    };
    let plain = weight("identity").unwrap_or(0.0);
    // Equal weights: zstd packs our JSON better in less time.
    ["gzip", "zstd"]
        .into_iter()
        .filter_map(|name| weight(name).map(|w| (name, w)))
        .filter(|(_, w)| *w > 0.0 && *w >= plain)
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(name, _)| name)
}

/// The items of a list header with their weights, without other parameters: `text/html;q=0.5` is `text/html`, 0.5.
fn weighted<'h>(headers: &'h HeaderMap, name: &HeaderName) -> impl Iterator<Item = (&'h str, f32)> {
    let items = headers.get_all(name).iter().filter_map(|line| line.to_str().ok());
    items.flat_map(|line| line.split(',')).filter_map(|item| {
        let mut parts = item.split(';').map(str::trim);
        let value = parts.next().filter(|value| !value.is_empty())?;
        let weight = parts
            .filter_map(|p| p.strip_prefix("q=").or_else(|| p.strip_prefix("Q=")))
            .next();
        let weight = weight.map_or(1.0, |q| q.trim().parse().unwrap_or(0.0));
        Some((value, weight))
    })
}

/// The kinds of patches that are taken, as the header Accept-Patch lists them (RFC 5789 section 3.1).
pub(crate) const PATCHES: &str = "application/json-patch+json, application/merge-patch+json";

/// The header that lists them.
pub(crate) const ACCEPT_PATCH: HeaderName = HeaderName::from_static("accept-patch");

/// Which kind of patch a body is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PatchKind {
    /// RFC 6902.
    Operations,
    /// RFC 7396.
    Merge,
}

/// Refuses a body that is not plain JSON by its headers (415). Without Content-Type it is taken for JSON.
pub(crate) fn body_is_json(headers: &HeaderMap) -> Result<(), Problem> {
    let hint = |p: Problem| p.header(ACCEPT, HeaderValue::from_static("application/json"));
    let Some(kind) = kind_of_body(headers, hint)? else {
        return Ok(());
    };
    let json = kind == "application/json" || (kind.contains('/') && kind.ends_with("+json"));
    if json {
        return Ok(());
    }
    let given = shown(headers, &CONTENT_TYPE).unwrap_or_default();
    Err(hint(unsupported(format!(
        "the body is {given:?}; send JSON with Content-Type: application/json"
    ))))
}

/// The kind of patch that a body is by its headers; 415 where it is none of ours.
pub(crate) fn patch_kind(headers: &HeaderMap) -> Result<PatchKind, Problem> {
    let hint = |p: Problem| p.header(ACCEPT_PATCH, HeaderValue::from_static(PATCHES));
    match kind_of_body(headers, hint)?.as_deref() {
        Some("application/json-patch+json") => Ok(PatchKind::Operations),
        Some("application/merge-patch+json") => Ok(PatchKind::Merge),
        kind => Err(hint(unsupported(format!(
            "the patch is {}; send a JSON Patch with Content-Type: application/json-patch+json, or a JSON Merge Patch \
             with application/merge-patch+json",
            kind.map_or_else(|| "of no Content-Type".to_owned(), |kind| format!("{kind:?}"))
        )))),
    }
}

fn shown(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    let value = headers.get(name)?;
    Some(String::from_utf8_lossy(value.as_bytes()).into_owned())
}

fn unsupported(detail: String) -> Problem {
    Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail)
}

/// The media type of a body that is UTF-8 and not encoded, in lower case; none where it has none.
fn kind_of_body(headers: &HeaderMap, hint: impl Fn(Problem) -> Problem) -> Result<Option<String>, Problem> {
    if let Some(coding) = shown(headers, &CONTENT_ENCODING).filter(|c| !c.trim().eq_ignore_ascii_case("identity")) {
        let problem = unsupported(format!(
            "the body is encoded ({coding:?}); send it as it is, without Content-Encoding"
        ));
        return Err(problem.header(ACCEPT_ENCODING, HeaderValue::from_static("identity")));
    }
    let Some(given) = shown(headers, &CONTENT_TYPE) else {
        return Ok(None);
    };
    let mut parts = given.split(';').map(str::trim);
    let kind = parts.next().unwrap_or_default().to_ascii_lowercase();
    for parameter in parts {
        let Some((name, value)) = parameter.split_once('=') else {
            continue;
        };
        let charset = value.trim().trim_matches('"');
        if name.trim().eq_ignore_ascii_case("charset")
            && !["utf-8", "utf8"]
                .iter()
                .any(|known| charset.eq_ignore_ascii_case(known))
        {
            return Err(hint(unsupported(format!(
                "the body's charset is {charset:?}; JSON is sent as UTF-8"
            ))));
        }
    }
    Ok(Some(kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: HeaderName, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_str(value).expect("a header"))])
    }

    #[test]
    fn accept() {
        #[track_caller]
        fn check(value: &str, expected: bool) {
            assert_eq!(
                accepts(&headers(ACCEPT, value), "application/json"),
                expected,
                "{value}"
            );
        }
        assert!(accepts(&HeaderMap::new(), "application/json"));
        check("", true);
        check("application/json", true);
        check("Application/JSON;charset=utf-8", true);
        check("application/*", true);
        check("*/*", true);
        check("text/html, */*;q=0.1", true);
        check("application/json, text/event-stream", true);
        check("text/html", false);
        check("text/event-stream", false);
        check("application/json;q=0", false);
        check("application/json; q=0.0, */*", false);
        check("application/json; q=0.1, */*;q=0", true);
        check("application/problem+json", false);
        check("text/*", false);
        for (value, expected) in [
            ("text/csv", true),
            ("text/*", true),
            ("*/*", true),
            ("application/json", false),
        ] {
            assert_eq!(accepts(&headers(ACCEPT, value), "text/csv"), expected, "{value}");
        }
    }

    #[test]
    fn accept_encoding() {
        #[track_caller]
        fn check(value: &str, expected: Option<&str>) {
            assert_eq!(coding(&headers(ACCEPT_ENCODING, value)), expected, "{value}");
        }
        assert_eq!(coding(&HeaderMap::new()), None);
        check("", None);
        check("gzip", Some("gzip"));
        check("GZIP", Some("gzip"));
        check("zstd", Some("zstd"));
        check("deflate, gzip, br, zstd", Some("zstd"));
        check("gzip;q=1.0, zstd;q=0.5", Some("gzip"));
        check("br", None);
        check("identity", None);
        check("identity;q=1, gzip;q=0.5", None);
        check("gzip;q=0", None);
        check("*;q=0", None);
        check("*", Some("zstd"));
        check("br, identity;q=0", None);
    }

    #[test]
    fn content_type() {
        #[track_caller]
        fn check(name: HeaderName, value: &str, expected: bool) {
            assert_eq!(body_is_json(&headers(name, value)).is_ok(), expected, "{value}");
        }
        assert!(body_is_json(&HeaderMap::new()).is_ok());
        check(CONTENT_TYPE, "application/json", true);
        check(CONTENT_TYPE, "Application/JSON; Charset=\"UTF-8\"", true);
        check(CONTENT_TYPE, "application/vnd.meadow+json", true);
        check(CONTENT_TYPE, "application/json; charset=latin1", false);
        check(CONTENT_TYPE, "application/x-www-form-urlencoded", false);
        check(CONTENT_TYPE, "text/plain", false);
        check(CONTENT_TYPE, "text/json", false);
        check(CONTENT_TYPE, "+json", false);
        check(CONTENT_TYPE, "", false);
        check(CONTENT_ENCODING, "identity", true);
        check(CONTENT_ENCODING, "gzip", false);
    }
}
