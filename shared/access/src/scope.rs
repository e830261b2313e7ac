//! What a caller may do.

use std::fmt;
use std::str::FromStr;

/// One permission. A route or a tool needs one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// See models: read, run, analyse, convert them.
    ModelRead,
    /// Write, change and delete models.
    ModelWrite,
    /// See notes and saved papers.
    NotesRead,
    /// Save notes and papers.
    NotesWrite,
    /// Search the literature.
    Research,
}

impl Scope {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 5] = [
        Self::ModelRead,
        Self::ModelWrite,
        Self::NotesRead,
        Self::NotesWrite,
        Self::Research,
    ];

    /// Its name in tokens, challenges and options.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ModelRead => "model:read",
            Self::ModelWrite => "model:write",
            Self::NotesRead => "notes:read",
            Self::NotesWrite => "notes:write",
            Self::Research => "research",
        }
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A text that is no scope.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no scope; there are {all}", all = Scopes::all())]
pub struct UnknownScope(pub String);

impl FromStr for Scope {
    type Err = UnknownScope;

    /// Exact: scopes have no wildcards, and case matters.
    fn from_str(text: &str) -> Result<Self, UnknownScope> {
        let known = Self::ALL.into_iter().find(|scope| scope.as_str() == text);
        known.ok_or_else(|| UnknownScope(text.chars().take(60).collect()))
    }
}

/// A set of scopes. Its text is their names with a space between, in the order of [`Scope::ALL`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Scopes(u8);

impl Scopes {
    /// Every scope there is.
    #[must_use]
    pub fn all() -> Self {
        Scope::ALL.into_iter().collect()
    }

    /// The scopes in a text that somebody else made, as a newer version may have: what is not known allows nothing.
    #[must_use]
    pub fn known(text: &str) -> Self {
        text.split_whitespace().filter_map(|name| name.parse().ok()).collect()
    }

    /// Whether `scope` is one of them.
    #[must_use]
    pub const fn has(self, scope: Scope) -> bool {
        self.0 & scope.bit() != 0
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// They in the order of [`Scope::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Scope> {
        Scope::ALL.into_iter().filter(move |scope| self.has(*scope))
    }
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        Self(scopes.into_iter().fold(0, |bits, scope| bits | scope.bit()))
    }
}

impl From<Scope> for Scopes {
    fn from(scope: Scope) -> Self {
        Self(scope.bit())
    }
}

impl FromStr for Scopes {
    type Err = UnknownScope;

    /// Names with white space between them; none at all is the empty set.
    fn from_str(text: &str) -> Result<Self, UnknownScope> {
        text.split_whitespace().map(str::parse).collect()
    }
}

impl fmt::Display for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, scope) in self.iter().enumerate() {
            let between = if place == 0 { "" } else { " " };
            write!(f, "{between}{scope}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Result<&str, &str>) {
        let read = text.parse::<Scopes>();
        assert_eq!(
            read.map(|scopes| scopes.to_string()).map_err(|unknown| unknown.0),
            expected.map(str::to_owned).map_err(str::to_owned)
        );
    }

    #[test]
    fn scopes_are_read_exactly() {
        check("", Ok(""));
        check("  model:read ", Ok("model:read"));
        check(
            "research model:write  model:read model:write",
            Ok("model:read model:write research"),
        );
        check(
            "model:read model:write notes:read notes:write research",
            Ok("model:read model:write notes:read notes:write research"),
        );
        for other in [
            "MODEL:READ",
            "model:*",
            "model:read,model:write",
            "admin",
            "model:",
            "*",
        ] {
            check(other, Err(other));
            check(&format!("model:read {other}"), Err(other));
            assert_eq!(Scopes::known(&format!("{other} model:read")), Scope::ModelRead.into());
        }
        assert_eq!(
            UnknownScope("admin".into()).to_string(),
            "\"admin\" is no scope; there are model:read model:write notes:read notes:write research"
        );
    }

    #[test]
    fn a_set_has_what_was_put_in() {
        for scope in Scope::ALL {
            let alone = Scopes::from(scope);
            assert_eq!(alone.to_string().parse(), Ok(alone));
            assert!(Scopes::all().has(scope) && !Scopes::default().has(scope));
            for other in Scope::ALL {
                assert_eq!(alone.has(other), scope == other);
            }
        }
        assert!(Scopes::default().is_empty() && !Scopes::all().is_empty());
    }
}
