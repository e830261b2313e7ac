//! The index of declared names: which kinds of thing a name is declared as, found in one look.

use crate::near::is_folded;
use foldhash::fast::RandomState;
use hashbrown::hash_table::{Entry, HashTable};
use std::hash::BuildHasher;

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
    /// The index in the list of `first_kind`. A document is too small for 2^32 items.
    index: u32,
    /// The kind it was declared as first.
    pub(crate) first_kind: Kinds,
    pub(crate) kinds: Kinds,
    /// True when folding changes nothing.
    pub(crate) is_folded: bool,
}

impl Name<'_> {
    /// The index in the list of `first_kind`.
    pub(crate) fn index(&self) -> usize {
        self.index as usize
    }
}

/// Every name that is declared as an element, stock, flow or variable.
#[derive(Debug)]
pub(crate) struct Names<'d> {
    /// In the order of the document.
    all: Vec<Name<'d>>,
    /// Where in `all`. A table of numbers stays in the processor's cache where one of texts would not.
    at: HashTable<u32>,
    hasher: RandomState,
    /// The kinds as which some name is declared twice.
    repeated: Kinds,
}

impl<'d> Names<'d> {
    /// An index with room for `capacity` names.
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        Self {
            all: Vec::with_capacity(capacity),
            at: HashTable::with_capacity(capacity),
            hasher: RandomState::default(),
            repeated: Kinds::NONE,
        }
    }

    /// Declares `name` as `kind`; it is item `index` of that list. A blank name declares nothing.
    pub(crate) fn declare(&mut self, name: &'d str, kind: Kinds, index: usize) {
        if name.chars().all(char::is_whitespace) {
            return;
        }
        let Self {
            all,
            at,
            hasher,
            repeated,
        } = self;
        let hash = |at: &u32| hasher.hash_one(all[*at as usize].name);
        match at.entry(hasher.hash_one(name), |at| all[*at as usize].name == name, hash) {
            Entry::Occupied(known) => {
                let known = &mut all[*known.get() as usize];
                if known.kinds.has(kind) {
                    repeated.0 |= kind.0;
                }
                known.kinds.0 |= kind.0;
            }
            Entry::Vacant(place) => {
                place.insert(all.len() as u32);
                all.push(Name {
                    name,
                    index: index as u32,
                    first_kind: kind,
                    kinds: kind,
                    is_folded: is_folded(name),
                });
            }
        }
    }

    /// Where `name` is in [`all`](Self::all).
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        let is_name = |at: &u32| self.all[*at as usize].name == name;
        self.at.find(self.hasher.hash_one(name), is_name).map(|at| *at as usize)
    }

    /// What is known of `name`.
    pub(crate) fn get(&self, name: &str) -> Option<&Name<'d>> {
        Some(&self.all[self.find(name)?])
    }

    /// The kinds of `name`.
    pub(crate) fn kinds(&self, name: &str) -> Kinds {
        self.get(name).map_or(Kinds::NONE, |known| known.kinds)
    }

    /// The kinds of `name`, which `by` mentions from now on.
    pub(crate) fn mention(&mut self, name: &str, by: Kinds) -> Kinds {
        let Some(at) = self.find(name) else { return Kinds::NONE };
        let known = &mut self.all[at];
        known.kinds.0 |= by.0;
        known.kinds
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
        assert_eq!(
            names.get("tap").map(|n| (n.first_kind, n.index())),
            Some((Kinds::FLOW, 0))
        );
        assert_eq!(
            names.all().iter().map(|n| n.name).collect::<Vec<_>>(),
            ["tub", "sea", "tap"]
        );
    }
}
