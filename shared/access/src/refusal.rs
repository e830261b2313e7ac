//! Why a request is not let in, and the challenge that says so (RFC 6750, section 3).
//!
//! Clients split a challenge at spaces and search it by patterns: the scheme stands first, `error_description` last,
//! in ASCII, without `=` and quotes, and never with anything that the client sent.

use crate::scope::{Scope, Scopes};
use std::fmt;

/// The code of a JSON-RPC error where HTTP answers 401: outside of the codes that JSON-RPC reserves.
pub const NO_ACCESS: i32 = 1401;

/// The same for 403 because of a scope.
pub const NO_SCOPE: i32 = 1403;

/// Why a request is not let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// No access token came with it.
    #[error(
        "this needs an access token; send it as Authorization: Bearer TOKEN (whoever runs this server makes one with `meadow token new`)"
    )]
    Missing,
    /// A header `Authorization` that cannot be read.
    #[error("the Authorization header cannot be read: {0}; send it once, as Authorization: Bearer TOKEN")]
    Unreadable(Unreadable),
    /// A token that was cut off or mistyped.
    #[error("this token is cut off or mistyped; copy it again, all 64 characters")]
    Mistyped,
    /// No token that lets in: never made, another's secret, or revoked. They are not told apart.
    #[error("this token is not known here; ask whoever runs this server for another")]
    Unknown,
    /// A token whose time is over.
    #[error("this token has expired; ask whoever runs this server for another")]
    Expired,
    /// A token that does not have this scope.
    #[error(
        "this needs the scope {0}, which the token does not have; ask whoever runs this server for one that has it"
    )]
    Scope(Scope),
}

/// What is wrong with a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unreadable {
    /// It came more than once.
    Repeated,
    /// It is longer than any token.
    TooLong,
    /// It has another scheme than `Bearer`.
    Scheme,
    /// There is no token after the scheme.
    Empty,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Repeated => "it came more than once",
            Self::TooLong => "it is longer than 8 KiB",
            Self::Scheme => "its scheme is not Bearer",
            Self::Empty => "there is no token in it",
        })
    }
}

impl Refusal {
    /// The name of the error in RFC 6750; none where no credentials came.
    #[must_use]
    pub const fn error(self) -> Option<&'static str> {
        match self {
            Self::Missing => None,
            Self::Unreadable(_) | Self::Mistyped | Self::Unknown | Self::Expired => Some("invalid_token"),
            Self::Scope(_) => Some("insufficient_scope"),
        }
    }

    /// The scopes that a token should have: all there are, since clients seldom come back for more; of a token that
    /// lacks one, this one.
    #[must_use]
    pub fn scopes(self) -> Scopes {
        match self {
            Self::Scope(scope) => scope.into(),
            _ => Scopes::all(),
        }
    }

    const fn description(self) -> &'static str {
        match self {
            Self::Missing => "",
            Self::Unreadable(Unreadable::Repeated) => "more than one Authorization header",
            Self::Unreadable(Unreadable::TooLong) => "Authorization header too long",
            Self::Unreadable(Unreadable::Scheme) => "scheme is not Bearer",
            Self::Unreadable(Unreadable::Empty) => "no token after Bearer",
            Self::Mistyped => "token cut off or mistyped",
            Self::Unknown => "unknown token",
            Self::Expired => "token expired",
            Self::Scope(_) => "token lacks the scope",
        }
    }

    /// The value of `WWW-Authenticate`.
    #[must_use]
    pub fn challenge(self) -> String {
        let scopes = self.scopes();
        match self.error() {
            None => format!("Bearer scope=\"{scopes}\""),
            Some(error) => format!(
                "Bearer error=\"{error}\", scope=\"{scopes}\", error_description=\"{}\"",
                self.description()
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: &str = "model:read model:write notes:read notes:write research";

    #[test]
    fn challenges_are_exact() {
        let check = |refusal: Refusal, expected: &str| assert_eq!(refusal.challenge(), expected);
        check(Refusal::Missing, &format!("Bearer scope=\"{ALL}\""));
        for (refusal, said) in [
            (Refusal::Expired, "token expired"),
            (Refusal::Unknown, "unknown token"),
            (Refusal::Mistyped, "token cut off or mistyped"),
            (
                Refusal::Unreadable(Unreadable::Repeated),
                "more than one Authorization header",
            ),
            (
                Refusal::Unreadable(Unreadable::TooLong),
                "Authorization header too long",
            ),
            (Refusal::Unreadable(Unreadable::Scheme), "scheme is not Bearer"),
            (Refusal::Unreadable(Unreadable::Empty), "no token after Bearer"),
        ] {
            check(
                refusal,
                &format!("Bearer error=\"invalid_token\", scope=\"{ALL}\", error_description=\"{said}\""),
            );
            // What the patterns of clients would trip over.
            assert!(said.is_ascii() && !said.contains(['=', '"', ',', '\\']), "{said}");
        }
        check(
            Refusal::Scope(Scope::ModelWrite),
            "Bearer error=\"insufficient_scope\", scope=\"model:write\", error_description=\"token lacks the scope\"",
        );
    }
}
