//! The least and greatest values of a run.

use crate::grid::Grid;

/// The least and greatest values of a variable over every step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extreme {
    /// The least value, and the first time it had it.
    pub min: (f64, f64),
    /// The greatest value, and the first time it had it.
    pub max: (f64, f64),
}

impl Extreme {
    /// The extremes of a series of times and values; none where no value is a number.
    pub(super) fn of(series: impl Iterator<Item = (f64, f64)>) -> Option<Self> {
        let mut extreme: Option<Self> = None;
        for (time, value) in series.filter(|(_, value)| !value.is_nan()) {
            let found = extreme.get_or_insert(Self {
                min: (value, time),
                max: (value, time),
            });
            if value < found.min.0 {
                found.min = (value, time);
            }
            if value > found.max.0 {
                found.max = (value, time);
            }
        }
        extreme
    }
}

/// True when all values are finite. Without branches, so that several are looked at at once.
pub(super) fn are_finite(values: &[f64]) -> bool {
    values.iter().fold(true, |all, value| all & value.is_finite())
}

/// The extremes of every value of a row, and the steps at which they were reached first.
#[derive(Debug, Clone)]
pub(crate) struct Extremes {
    min: Vec<f64>,
    max: Vec<f64>,
    min_step: Vec<f64>,
    max_step: Vec<f64>,
}

impl Extremes {
    pub(crate) fn new(width: usize) -> Self {
        Self {
            min: vec![f64::INFINITY; width],
            max: vec![f64::NEG_INFINITY; width],
            min_step: vec![0.0; width],
            max_step: vec![0.0; width],
        }
    }

    /// Takes in a row.
    pub(super) fn observe(&mut self, step: u64, row: &[f64]) {
        let step = step as f64;
        let lows = self.min.iter_mut().zip(&mut self.min_step);
        let highs = self.max.iter_mut().zip(&mut self.max_step);
        for ((&x, (min, min_step)), (max, max_step)) in row.iter().zip(lows).zip(highs) {
            // Without branches, so that several are done at once.
            *min_step = if x < *min { step } else { *min_step };
            *min = if x < *min { x } else { *min };
            *max_step = if x > *max { step } else { *max_step };
            *max = if x > *max { x } else { *max };
        }
    }

    pub(super) fn of(&self, at: usize, grid: &Grid) -> Option<Extreme> {
        let time = |step: f64| grid.time(step as u64);
        (self.min[at] <= self.max[at]).then(|| Extreme {
            min: (self.min[at], time(self.min_step[at])),
            max: (self.max[at], time(self.max_step[at])),
        })
    }
}
