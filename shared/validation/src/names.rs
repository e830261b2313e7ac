//! The index of declared names: which kinds of thing a name is declared as, found in one look.

use foldhash::fast::RandomState;
use std::collections::HashMap;

/// Kinds of declaration, and who mentions a name, as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Kinds(u8);

impl Kinds {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const ELEMENT: Self = Self(1);
    pub(crate) const STOCK: Self = Self(2);
    pub(crate) const FLOW: Self = Self(4);
    pub(crate) const VARIABLE: Self = Self(8);
    /// An interconnection or a loop mentions it.
    pub(crate) const LINKED: Self = Self(16);
    /// A flow begins or ends there.
    pub(crate) const FLOWING: Self = Self(32);
    /// Every kind of declaration.
    pub(crate) const ANY: Self = Self(15);

    /// True when the two have a bit in common.
    pub(crate) fn has(self, any: Self) -> bool {
        self.0 & any.0 != 0
    }
}

/// A distinct name.
#[derive(Debug)]
pub(crate) struct Name<'d> {
    pub(crate) name: &'d str,
    pub(crate) kinds: Kinds,
    /// The kind it was declared as first, and its index in that list.
    pub(crate) first: (Kinds, usize),
}

/// Every name that is declared as an element, stock, flow or variable.
#[derive(Debug)]
pub(crate) struct Names<'d> {
    /// In the order of the document.
    all: Vec<Name<'d>>,
    /// Where in `all`.
    at: HashMap<&'d str, u32, RandomState>,
    /// The kinds as which some name is declared twice.
    repeated: Kinds,
}

impl<'d> Names<'d> {
    /// An index with room for `capacity` names.
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        Self {
            all: Vec::with_capacity(capacity),
            at: HashMap::with_capacity_and_hasher(capacity, RandomState::default()),
            repeated: Kinds::NONE,
        }
    }

    /// Declares `name` as `kind`; it is item `index` of that list. A blank name declares nothing.
    pub(crate) fn declare(&mut self, name: &'d str, kind: Kinds, index: usize) {
        if name.trim().is_empty() {
            return;
        }
        // A document is far too small to declare 2^32 names.
        let next = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        let at = *self.at.entry(name).or_insert(next);
        match self.all.get_mut(at as usize) {
            None => self.all.push(Name {
                name,
                kinds: kind,
                first: (kind, index),
            }),
            Some(known) if known.kinds.has(kind) => self.repeated.0 |= kind.0,
            Some(known) => known.kinds.0 |= kind.0,
        }
    }

    /// The kinds of `name`, which `by` mentions from now on.
    pub(crate) fn mention(&mut self, name: &str, by: Kinds) -> Kinds {
        let known = self.at.get(name).and_then(|at| self.all.get_mut(*at as usize));
        known.map_or(Kinds::NONE, |known| {
            known.kinds.0 |= by.0;
            known.kinds
        })
    }

    /// The kinds of `name`.
    pub(crate) fn kinds(&self, name: &str) -> Kinds {
        self.get(name).map_or(Kinds::NONE, |known| known.kinds)
    }

    /// What is known of `name`.
    pub(crate) fn get(&self, name: &str) -> Option<&Name<'d>> {
        self.all.get(*self.at.get(name)? as usize)
    }

    /// Every name once, in the order of the document.
    pub(crate) fn all(&self) -> &[Name<'d>] {
        &self.all
    }

    /// The kinds as which some name is declared twice.
    pub(crate) fn repeated(&self) -> Kinds {
        self.repeated
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_know_their_kinds() {
        let mut names = Names::with_capacity(4);
        for (i, name) in ["tub", " ", "tub", "sea"].into_iter().enumerate() {
            names.declare(name, Kinds::ELEMENT, i);
        }
        names.declare("tub", Kinds::STOCK, 0);
        names.declare("tap", Kinds::FLOW, 0);
        assert_eq!(names.repeated(), Kinds::ELEMENT);
        assert!(names.kinds("tub").has(Kinds::ELEMENT) && names.kinds("tub").has(Kinds::STOCK));
        assert_eq!(names.kinds("tap"), Kinds::FLOW);
        assert_eq!((names.kinds(" "), names.kinds("moon")), (Kinds::NONE, Kinds::NONE));
        assert!(names.mention("sea", Kinds::LINKED).has(Kinds::ELEMENT));
        assert!(names.kinds("sea").has(Kinds::LINKED) && !names.kinds("tub").has(Kinds::LINKED));
        assert_eq!(names.get("tap").map(|n| n.first), Some((Kinds::FLOW, 0)));
        assert_eq!(
            names.all().iter().map(|n| n.name).collect::<Vec<_>>(),
            ["tub", "sea", "tap"]
        );
    }
}
