//! A text that no log shows.

use crate::token::PREFIX;
use std::fmt;

/// How much of a token's id is shown: enough to find it in a list.
const SHOWN: usize = PREFIX.len() + 5;

/// A text that may let somebody in. It has no `Display`; its `Debug` shows `mdw_abcde..[redacted]`, of anything but a
/// token of ours nothing.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Hides a text.
    #[must_use]
    pub fn new(text: String) -> Self {
        Self(text)
    }

    /// The text itself, for the one who is meant to have it.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.get(..SHOWN).filter(|start| start.starts_with(PREFIX)) {
            Some(start) => write!(f, "{start}..[redacted]"),
            None => f.write_str("[redacted]"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_hides_it() {
        for (text, shown) in [
            ("mdw_abcdefghij_secret", "mdw_abcde..[redacted]"),
            ("mdw_abc", "[redacted]"),
            ("", "[redacted]"),
            ("eyJhbGciOiJub25lIn0", "[redacted]"),
            ("mdw_abcdé", "[redacted]"),
        ] {
            assert_eq!(format!("{:?}", Secret::new(text.into())), shown, "{text}");
        }
    }
}
