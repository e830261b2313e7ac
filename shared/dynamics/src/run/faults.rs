//! What went wrong during a run: the first time for each variable, and how often.

use std::collections::BTreeMap;

/// What can go wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FaultKind {
    /// A division by zero, or MOD zero.
    DivisionByZero,
    /// A logarithm, root or inverse sine of a number that has none.
    Domain,
    /// A delay or averaging time that is not positive.
    DelayTime,
    /// An input beyond the points of a graphical function.
    OutsideTable,
}

/// When something went wrong first, and how often.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Seen {
    pub(crate) step: u64,
    pub(crate) time: f64,
    pub(crate) count: u64,
}

/// All faults of a run, by column.
#[derive(Debug, Default)]
pub(crate) struct Faults(BTreeMap<(u32, FaultKind), Seen>);

impl Faults {
    /// Notes a fault in the equation of a column.
    #[cold]
    pub(crate) fn note(&mut self, kind: FaultKind, column: u32, step: u64, time: f64) {
        let first = Seen { step, time, count: 0 };
        self.0.entry((column, kind)).or_insert(first).count += 1;
    }

    /// Forgets the faults of other columns.
    pub(crate) fn keep(&mut self, is_kept: impl Fn(u32) -> bool) {
        self.0.retain(|(column, _), _| is_kept(*column));
    }

    /// All of them, the earliest first.
    pub(crate) fn in_order(&self) -> Vec<(u32, FaultKind, Seen)> {
        let mut all: Vec<_> = self
            .0
            .iter()
            .map(|(&(column, kind), &seen)| (column, kind, seen))
            .collect();
        all.sort_by_key(|(_, _, seen)| seen.step);
        all
    }
}
