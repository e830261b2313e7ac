//! Which hosts and origins may ask: keeps web pages away from a server that trusts whoever reaches it
//! (DNS rebinding, cross-site requests).

use crate::problem::Problem;
use http::header::{HOST, ORIGIN};
use http::{Request, StatusCode};

/// Hosts that a server on one machine goes by, with any port.
pub(crate) const LOOPBACK_HOSTS: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Origins of pages that such a server itself, or another program of the same machine, has given out.
pub(crate) const LOOPBACK_ORIGINS: [&str; 3] = ["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"];

/// Refuses a request that names a host or an origin which is not allowed (403), or no host at all (400).
pub(crate) fn check<B>(request: &Request<B>, hosts: &[String], origins: &[String]) -> Result<(), Problem> {
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
    if named.is_none() && target.is_none() {
        return Err(Problem::bad_request(
            "the request names no Host; send that header, such as Host: localhost",
        ));
    }
    for host in named.into_iter().chain(target) {
        if !hosts.iter().any(|allowed| host_matches(allowed, &host)) {
            return Err(refused("Host", &host, "--allow-host"));
        }
    }
    for origin in request.headers().get_all(ORIGIN) {
        let origin = String::from_utf8_lossy(origin.as_bytes());
        if !origins.iter().any(|allowed| origin_matches(allowed, &origin)) {
            return Err(refused("Origin", &origin, "--allow-origin"));
        }
    }
    Ok(())
}

fn refused(header: &str, value: &str, setting: &str) -> Problem {
    let value: String = value.chars().take(200).collect();
    Problem::new(
        StatusCode::FORBIDDEN,
        format!(
            "the {header} {value:?} is not allowed here; if the request is meant for this server, start it with {setting} {value}"
        ),
    )
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
