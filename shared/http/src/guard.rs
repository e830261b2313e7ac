//! Which hosts and origins may ask: keeps web pages away from a server that trusts whoever reaches it
//! (DNS rebinding, cross-site requests).

use crate::problem::Problem;
use http::header::{HOST, ORIGIN};
use http::uri::{Authority, Scheme};
use http::{Request, StatusCode};

/// Hosts that a server on one machine goes by, with any port.
pub(crate) const LOOPBACK_HOSTS: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Origins of pages that such a server itself, or another program of the same machine, has given out.
pub(crate) const LOOPBACK_ORIGINS: [&str; 3] = ["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"];

/// How the refusal of a host or origin says what allows it: words that the name of that host or origin ends.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Such as `start it with --allow-host`.
    pub hosts: &'static str,
    /// Such as `start it with --allow-origin`.
    pub origins: &'static str,
}

impl Default for Settings {
    /// Those of `meadow serve`.
    fn default() -> Self {
        Self {
            hosts: "start it with --allow-host",
            origins: "start it with --allow-origin",
        }
    }
}

/// Refuses a request that names a host or an origin which is not allowed (403), or no host at all (400).
pub(crate) fn check<B>(
    request: &Request<B>,
    hosts: &[String],
    origins: &[String],
    settings: Settings,
) -> Result<(), Problem> {
    let named: Vec<_> = request.headers().get_all(HOST).iter().collect();
    if named.len() > 1 {
        return Err(Problem::bad_request(
            "the request has more than one Host header; send one",
        ));
    }
    let named = named
        .first()
        .map(|host| String::from_utf8_lossy(host.as_bytes()).into_owned());
    // The target of the request may name a host too (HTTP/2, or the absolute form); then both must be allowed.
    let target = request.uri().authority().map(|authority| authority.as_str().to_owned());
    let own = hosts
        .iter()
        .find(|host| *host != "*")
        .map_or("localhost", String::as_str);
    if named.is_none() && target.is_none() {
        return Err(Problem::bad_request(format!(
            "the request names no Host; send that header, such as Host: {own}"
        )));
    }
    for host in named.into_iter().chain(target) {
        if !hosts.iter().any(|allowed| host_matches(allowed, &host)) {
            let repair = match is_host(&host) {
                true => format!("{} {host}", settings.hosts),
                false => format!("send Host: {own}"),
            };
            return Err(refused("Host", &host, &repair));
        }
    }
    for origin in request.headers().get_all(ORIGIN) {
        let origin = String::from_utf8_lossy(origin.as_bytes());
        if !is_allowed(origins, &origin) {
            let repair = match is_origin(&origin) {
                true => format!("{} {origin}", settings.origins),
                false => "leave Origin out".to_owned(),
            };
            return Err(refused("Origin", &origin, &repair));
        }
    }
    Ok(())
}

/// True where a page of this origin may ask.
pub(crate) fn is_allowed(origins: &[String], origin: &str) -> bool {
    origins.iter().any(|allowed| origin_matches(allowed, origin))
}

fn refused(header: &str, value: &str, repair: &str) -> Problem {
    let value: String = value.chars().take(200).collect();
    Problem::new(
        StatusCode::FORBIDDEN,
        format!("the {header} {value:?} is not allowed here; if the request is meant for this server, {repair}"),
    )
}

/// Reads a host that is to be allowed: `name` for every port, `name:port` for that one, `*` for all.
///
/// # Errors
/// Says what was found and what a host looks like.
pub fn read_host(text: &str) -> Result<String, String> {
    if text == "*" || is_host(text) {
        return Ok(text.to_owned());
    }
    Err(format!(
        "{text:?} is no host; write it as the header Host has it, such as models.example.org, models.example.org:8443 or [::1], or * for all"
    ))
}

/// Reads an origin that is to be allowed: `scheme://host:*` for every port, `scheme://host` or `scheme://host:port` for
/// that one, `null` for pages without an origin, `*` for all.
///
/// # Errors
/// Says what was found and what an origin looks like.
pub fn read_origin(text: &str) -> Result<String, String> {
    if text == "*" || is_origin(text.strip_suffix(":*").unwrap_or(text)) {
        return Ok(text.to_owned());
    }
    Err(format!(
        "{text:?} is no origin; write it as the header Origin has it, such as https://app.example.org or http://localhost:5173, http://localhost:* for every port, or * for all"
    ))
}

/// A name or an address, with or without a port.
fn is_host(text: &str) -> bool {
    let Ok(authority) = text.parse::<Authority>() else {
        return false;
    };
    let (name, port) = text.split_at_checked(authority.host().len()).unwrap_or_default();
    (1..=253).contains(&name.len()) && !text.contains(['*', '@']) && (port.is_empty() || authority.port_u16().is_some())
}

/// A scheme and a host, as browsers send them.
fn is_origin(text: &str) -> bool {
    let is_scheme = |scheme: &str| !scheme.is_empty() && scheme.parse::<Scheme>().is_ok();
    text == "null"
        || text
            .split_once("://")
            .is_some_and(|(scheme, host)| is_scheme(scheme) && is_host(host))
}

/// `name` allows every port, `name:port` that one, `*` everything.
fn host_matches(allowed: &str, host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if is_port(port) => name,
        _ => host,
    };
    allowed == "*" || allowed.eq_ignore_ascii_case(host) || allowed.eq_ignore_ascii_case(name)
}

/// `scheme://host:*` allows every port, `scheme://host[:port]` that one, `*` everything.
fn origin_matches(allowed: &str, origin: &str) -> bool {
    if allowed == "*" || allowed.eq_ignore_ascii_case(origin) {
        return true;
    }
    let Some(allowed) = allowed.strip_suffix(":*") else {
        return false;
    };
    let name = match origin.rsplit_once(':') {
        Some((name, port)) if is_port(port) => name,
        _ => origin,
    };
    allowed.eq_ignore_ascii_case(name)
}

fn is_port(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts() {
        #[track_caller]
        fn check(host: &str, expected: bool) {
            assert_eq!(
                LOOPBACK_HOSTS.iter().any(|allowed| host_matches(allowed, host)),
                expected,
                "{host}"
            );
        }
        for own in ["localhost", "LOCALHOST:8787", "127.0.0.1:1", "[::1]", "[::1]:80"] {
            check(own, true);
        }
        for other in [
            "",
            "evil.example",
            "localhost.evil.example",
            "evil.example:80",
            "127.0.0.1.nip.io:80",
            "localhost:80:80",
            "localhost:x",
            "localhost:",
            "[::1",
            "::1",
            "[::2]:80",
        ] {
            check(other, false);
        }
        assert!(host_matches("meadow.example:443", "meadow.example:443"));
        assert!(!host_matches("meadow.example:443", "meadow.example:444"));
        assert!(host_matches("*", "anything"));
    }

    #[test]
    fn what_is_allowed_has_the_form_of_its_header() {
        #[track_caller]
        fn check(read: fn(&str) -> Result<String, String>, text: &str, expected: bool) {
            match read(text) {
                Ok(kept) => assert!(expected && kept == text, "{text}"),
                Err(said) => assert!(!expected && said.contains("example.org"), "{text}: {said}"),
            }
        }
        for host in [
            "*",
            "models.example.org",
            "a:8443",
            "LOCALHOST",
            "127.0.0.1:80",
            "[::1]",
            "[::1]:80",
        ] {
            check(read_host, host, true);
        }
        for other in [
            "",
            " ",
            "http://x/y",
            "http://x",
            "x/y",
            "x:",
            "x:y",
            "x:70000",
            "x:80:80",
            "::1",
            "[::1",
            "a b",
            "u@x",
            ":80",
            "*.example.org",
            "x:*",
        ] {
            check(read_host, other, false);
        }
        for origin in [
            "*",
            "null",
            "https://app.example.org",
            "http://x:*",
            "http://[::1]:5173",
            "vscode-webview://abc",
        ] {
            check(read_origin, origin, true);
        }
        for other in [
            "",
            "x",
            "x:80",
            "https://",
            "https://x/",
            "https://x/y",
            "://x",
            "https:x",
            "https://*.x",
            "https://*",
            "https://u@x",
            "null:*:*",
        ] {
            check(read_origin, other, false);
        }
    }

    #[test]
    fn origins() {
        #[track_caller]
        fn check(origin: &str, expected: bool) {
            let found = LOOPBACK_ORIGINS.iter().any(|allowed| origin_matches(allowed, origin));
            assert_eq!(found, expected, "{origin}");
        }
        for own in [
            "http://localhost",
            "http://localhost:5173",
            "http://127.0.0.1:80",
            "http://[::1]:80",
            "http://[::1]",
        ] {
            check(own, true);
        }
        for other in [
            "null",
            "",
            "https://evil.example",
            "http://localhost.evil.example",
            "http://evil.example:80",
            "file://",
        ] {
            check(other, false);
        }
        assert!(origin_matches("https://app.example", "https://app.example"));
        assert!(!origin_matches("https://app.example", "https://app.example:8443"));
    }
}
