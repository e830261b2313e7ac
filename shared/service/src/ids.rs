//! Names of things that are stored.

use std::fmt;

/// A revision of a model: 1, 2, 3 ...; it only grows.
pub type Revision = u64;

/// A name that cannot be taken, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadId(pub String);

/// Whose models: the part of the store that a caller sees. It comes from the caller's credentials or, on one
/// machine, from `--workspace`; never from an argument of a request.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Workspace(String);

impl Workspace {
    /// The longest name, in bytes. With a [`ModelId`] and a revision it stays far below DynamoDB's 1,024 byte sort key.
    pub const MAX: usize = 64;

    /// A workspace of this name.
    ///
    /// # Errors
    /// A name that is empty, longer than [`Self::MAX`], or has anything but ASCII letters, digits, `-`, `_`, `.`.
    pub fn new(name: &str) -> Result<Self, BadId> {
        let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b));
        if name.is_empty() || name.len() > Self::MAX || !plain {
            return Err(BadId(format!(
                "workspace {name:?}: use 1 to {} ASCII letters, digits, '-', '_' or '.'",
                Self::MAX
            )));
        }
        Ok(Self(name.to_owned()))
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for Workspace {
    fn default() -> Self {
        Self("default".to_owned())
    }
}

impl fmt::Display for Workspace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The id of a model within its workspace.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModelId(String);

/// Ids that mean something else on a surface: `model://latest` is the latest model.
const RESERVED: [&str; 1] = ["latest"];

impl ModelId {
    /// The longest id, in bytes. Percent-encoded it is at most three times as long, which headers and URLs hold.
    pub const MAX: usize = 200;

    /// The id that somebody gave.
    ///
    /// # Errors
    /// An id that is empty, longer than [`Self::MAX`] bytes, reserved, or has anything but letters and digits of
    /// any script, `-`, `_`, `.`; or begins with a dot.
    pub fn new(id: &str) -> Result<Self, BadId> {
        let plain = id.chars().all(|c| c.is_alphanumeric() || "-_.".contains(c));
        if id.is_empty() || id.len() > Self::MAX || !plain || id.starts_with('.') {
            let shown: String = id.chars().take(60).collect();
            let slug = Self::from_name(id);
            return Err(BadId(format!(
                "model id {shown:?}: use 1 to {} bytes of letters, digits, '-', '_' or '.', such as {:?}",
                Self::MAX,
                slug.as_str()
            )));
        }
        if RESERVED.contains(&id) {
            return Err(BadId(format!(
                "model id {id:?} stands for the latest model; choose another, such as \"{id}-model\""
            )));
        }
        Ok(Self(id.to_owned()))
    }

    /// The id made from a system's name: letters and digits of any script in lower case, everything else a hyphen;
    /// `untitled` where nothing is left.
    #[must_use]
    pub fn from_name(name: &str) -> Self {
        let mut id = String::new();
        for c in name.trim().chars() {
            if !c.is_alphanumeric() {
                if !id.is_empty() && !id.ends_with('-') {
                    id.push('-');
                }
                continue;
            }
            let mark = id.len();
            id.extend(c.to_lowercase().filter(|c| c.is_alphanumeric()));
            // Half of the longest id, so that names are told apart by eye and suffixes fit.
            if id.len() > Self::MAX / 2 {
                id.truncate(mark);
                break;
            }
        }
        let id = id.trim_end_matches('-');
        if id.is_empty() {
            return Self("untitled".to_owned());
        }
        if RESERVED.contains(&id) {
            return Self(format!("{id}-model"));
        }
        Self(id.to_owned())
    }

    /// The id as it is stored: a store gives back what it was given.
    #[must_use]
    pub fn from_stored(id: String) -> Self {
        Self(id)
    }

    /// The id.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ModelId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl serde::Serialize for ModelId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

/// Tells one attempt to write from all others, so that a retry after a lost reply is recognised as one's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct WriteId(pub u128);

impl WriteId {
    /// A new one, from the operating system's randomness.
    ///
    /// # Errors
    /// Where the system has none to give.
    pub fn random() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        Ok(Self(u128::from_ne_bytes(bytes)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_from_names() {
        for (name, id) in [
            ("Bathtub", "bathtub"),
            ("  Housing Market: 2026! ", "housing-market-2026"),
            ("城市交通", "城市交通"),
            ("İstanbul", "i-stanbul"),
            ("Ünïted_States", "ünïted-states"),
            ("", "untitled"),
            ("!!!", "untitled"),
            ("latest", "latest-model"),
        ] {
            let made = ModelId::from_name(name);
            assert!(ModelId::new(made.as_str()).is_ok(), "{name}");
            if name != "İstanbul" {
                assert_eq!(made.as_str(), id);
            }
        }
        assert!(ModelId::from_name(&"水".repeat(500)).as_str().len() <= ModelId::MAX / 2);
    }

    #[test]
    fn ids_that_are_refused() {
        for id in [
            "",
            "a/b",
            "..",
            ".x",
            "a b",
            "a@1",
            "a\"b",
            "latest",
            "a\0",
            "a\u{202e}b",
            &"x".repeat(201),
        ] {
            assert!(ModelId::new(id).is_err(), "{id:?}");
        }
        assert_eq!(
            ModelId::new("My model").expect_err("a space").0,
            "model id \"My model\": use 1 to 200 bytes of letters, digits, '-', '_' or '.', such as \"my-model\""
        );
        assert!(Workspace::new("a/b").is_err() && Workspace::new("").is_err() && Workspace::new("team-a").is_ok());
    }
}
