//! JSON Pointers (RFC 6901).
//!
//! While a text is read, a place is a chain of `Path` links on the stack; it becomes a string only when a fault
//! is named.

use std::fmt;

/// A place in a document, such as `/stocks/0/unit`. The whole document is the empty pointer.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Pointer(String);

impl Pointer {
    /// The whole document.
    #[must_use]
    pub fn root() -> Self {
        Self::default()
    }

    /// What holds this place.
    #[must_use]
    pub(crate) fn parent(&self) -> Self {
        Self(self.0.rsplit_once('/').map_or("", |(parent, _)| parent).to_owned())
    }

    /// This place's member `key`.
    #[must_use]
    pub fn key(mut self, key: &str) -> Self {
        push_key(&mut self.0, key);
        self
    }

    /// This place's item `index`.
    #[must_use]
    pub fn index(mut self, index: usize) -> Self {
        self.0.push('/');
        self.0.push_str(&index.to_string());
        self
    }

    /// The pointer as RFC 6901 writes it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The same place as people write it: `stocks[0].unit`. The whole document is the empty text.
    #[must_use]
    pub fn dotted(&self) -> String {
        let mut out = String::with_capacity(self.0.len());
        for segment in self.0.split('/').skip(1) {
            if !segment.is_empty() && segment.bytes().all(|b| b.is_ascii_digit()) {
                out.push('[');
                out.push_str(segment);
                out.push(']');
            } else {
                if !out.is_empty() {
                    out.push('.');
                }
                out.push_str(&segment.replace("~1", "/").replace("~0", "~"));
            }
        }
        out
    }
}

impl serde::Serialize for Pointer {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Appends `/key`, escaping `~` and `/` (RFC 6901 section 3). A long key is cut: a pointer is for reading.
fn push_key(out: &mut String, key: &str) {
    out.push('/');
    let mut chars = key.chars();
    for c in chars.by_ref().take(80) {
        match c {
            '~' => out.push_str("~0"),
            '/' => out.push_str("~1"),
            c => out.push(c),
        }
    }
    if chars.next().is_some() {
        out.push('…');
    }
}

/// One step of the way to a value that is being read.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Path<'p> {
    /// The document itself.
    Root,
    /// A member of an object.
    Key(&'p Path<'p>, &'p str),
    /// An item of an array.
    Index(&'p Path<'p>, usize),
}

impl Path<'_> {
    /// The place as a pointer.
    pub(crate) fn pointer(&self) -> Pointer {
        match self {
            Path::Root => Pointer::root(),
            Path::Key(parent, key) => parent.pointer().key(key),
            Path::Index(parent, index) => parent.pointer().index(*index),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_and_dots() {
        let p = Pointer::root().key("stocks").index(0).key("a/b~c");
        assert_eq!(p.as_str(), "/stocks/0/a~1b~0c");
        assert_eq!(p.dotted(), "stocks[0].a/b~c");
        assert_eq!(Path::Index(&Path::Key(&Path::Root, "x"), 3).pointer().as_str(), "/x/3");
    }
}
