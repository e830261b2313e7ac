//! What a run shows, in few words: extremes, mode of behaviour, a short series and a sparkline for each variable.

use crate::numbers::rounded;
use crate::program::{ColumnKind, Program};
use crate::run::{Extreme, Run};
use serde::Serialize;

/// Swings smaller than this part of the range do not count: the band within which a response is commonly called
/// settled in control engineering.
const SETTLED: f64 = 0.05;

/// How far from a straight line, in parts of the range, a series still is one.
const STRAIGHT: f64 = 0.02;

/// How steep the ends of an S are at most, beside its steepest part.
const FLAT_ENDS: f64 = 0.8;

/// The windows over which the slope of a monotone series is judged: tenths of the run.
const WINDOWS: usize = 10;

/// How a variable behaves over time.
///
/// The modes are those of Sterman, *Business Dynamics* (2000), chapter 4. Between two turns a curve is told by
/// whether it gets steeper or flatter, as in Ford, "A behavioral approach to feedback loop dominance analysis",
/// *System Dynamics Review* 15(1), 1999. The thresholds are ours. In this order:
///
/// 1. a value that is not finite: [`NotFinite`](Self::NotFinite); no range to speak of (1e-9 of the greatest
///    absolute value): [`Constant`](Self::Constant);
/// 2. turning points are counted, leaving out swings of less than 5 % of the range;
/// 3. one, a peak: [`OvershootAndCollapse`](Self::OvershootAndCollapse) when at least half of the rise is lost
///    again, else [`Overshoot`](Self::Overshoot); a trough: [`DipAndRecovery`](Self::DipAndRecovery) when at
///    least half of the fall is made good, else [`Undershoot`](Self::Undershoot);
/// 4. two, the swing between them less than half of the way to the first: also [`Overshoot`](Self::Overshoot) or
///    [`Undershoot`](Self::Undershoot);
/// 5. more: [`Oscillation`](Self::Oscillation), by the last swing between two turning points beside the first:
///    damped below 0.9, growing above 1.1, sustained else (and where there is only one such swing);
/// 6. none: within 2 % of the range of a straight line: [`Linear`](Self::Linear); steepest in the middle and at
///    most four fifths as steep in the first and the last tenth: [`SShape`](Self::SShape); steeper at the end than
///    at the start: [`Growth`](Self::Growth) or [`Collapse`](Self::Collapse); else flatter: [`Decay`](Self::Decay)
///    when it falls and the exponential through start, middle and end heads for within 5 % of the range of zero,
///    else [`GoalSeeking`](Self::GoalSeeking).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Behaviour {
    /// It does not change.
    Constant,
    /// It rises or falls in a straight line.
    Linear,
    /// It rises, ever steeper: a reinforcing loop rules.
    Growth,
    /// It falls, ever steeper.
    Collapse,
    /// It falls, ever flatter, toward zero.
    Decay,
    /// It approaches a value, ever flatter: a balancing loop rules.
    GoalSeeking,
    /// It goes from one level to another, first steeper, then flatter.
    SShape,
    /// It rises, and loses less than half of the rise again.
    Overshoot,
    /// It rises, and loses at least half of the rise again.
    OvershootAndCollapse,
    /// It falls, and makes good less than half of the fall.
    Undershoot,
    /// It falls, and makes good at least half of the fall.
    DipAndRecovery,
    /// It swings to and fro.
    Oscillation(Swing),
    /// It became infinite or no number.
    NotFinite,
}

/// How the swings of an oscillation change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Swing {
    /// They get smaller.
    Damped,
    /// They stay.
    Sustained,
    /// They get larger.
    Growing,
}

impl Behaviour {
    /// The mode in words, such as `overshoot and collapse`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Constant => "constant",
            Self::Linear => "linear",
            Self::Growth => "growth",
            Self::Collapse => "collapse",
            Self::Decay => "decay",
            Self::GoalSeeking => "goal-seeking",
            Self::SShape => "S-shape",
            Self::Overshoot => "overshoot",
            Self::OvershootAndCollapse => "overshoot and collapse",
            Self::Undershoot => "undershoot",
            Self::DipAndRecovery => "dip and recovery",
            Self::Oscillation(Swing::Damped) => "damped oscillation",
            Self::Oscillation(Swing::Sustained) => "oscillation",
            Self::Oscillation(Swing::Growing) => "growing oscillation",
            Self::NotFinite => "not finite",
        }
    }
}

/// How much of a run is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Detail {
    /// Points of the short series, and characters of the sparkline; at least 4.
    pub points: usize,
    /// Significant digits of every number.
    pub digits: usize,
}

impl Default for Detail {
    /// 24 points of 4 digits.
    fn default() -> Self {
        Self { points: 24, digits: 4 }
    }
}

/// What one variable did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: ColumnKind,
    /// Its unit; empty where unknown.
    pub unit: String,
    /// Where it stands in our document; empty for other sources.
    pub pointer: String,
    /// The value at the start.
    pub start: f64,
    /// The value at the end.
    pub end: f64,
    /// The least value over every step; none where it never was a number.
    pub min: Option<f64>,
    /// The greatest value over every step.
    pub max: Option<f64>,
    /// When it was least first.
    pub min_time: Option<f64>,
    /// When it was greatest first.
    pub peak_time: Option<f64>,
    /// How long it took to become twice what it was at the start.
    pub doubling_time: Option<f64>,
    /// How long it took to become half of what it was at the start.
    pub half_life: Option<f64>,
    /// How it behaved.
    pub behaviour: Behaviour,
    /// Times and values, among them the start, the end, the least and the greatest saved.
    pub series: Vec<[f64; 2]>,
    /// The course at a glance: `▁` for the least, `█` for the greatest, `·` where there is no finite number.
    pub sparkline: String,
}

/// The columns of a program in the order in which a reader wants them: stocks, then flows, then the others.
#[must_use]
pub fn reading_order(program: &Program) -> Vec<usize> {
    let mut order: Vec<usize> = (0..program.columns.len()).collect();
    order.sort_by_key(|column| program.columns[*column].kind);
    order
}

/// What the variable at this place of the program's columns did.
#[must_use]
pub fn summarize(run: &Run<'_>, column: usize, detail: Detail) -> Summary {
    let about = &run.program.columns[column];
    let values: Vec<f64> = run.series(column).collect();
    let extreme = run.extreme(column);
    let round = |value: f64| rounded(value, detail.digits);
    let time = |time: f64| rounded(time, detail.digits.max(6));
    let since_start = |at: Option<f64>| at.zip(run.times.first()).map(|(at, start)| round(at - start));
    let first = values.first().copied().unwrap_or(f64::NAN);
    Summary {
        name: about.name.clone(),
        kind: about.kind,
        unit: about.unit.clone(),
        pointer: about.pointer.clone(),
        start: round(first),
        end: round(values.last().copied().unwrap_or(f64::NAN)),
        min: extreme.map(|extreme| round(extreme.min.0)),
        max: extreme.map(|extreme| round(extreme.max.0)),
        min_time: extreme.map(|extreme| time(extreme.min.1)),
        peak_time: extreme.map(|extreme| time(extreme.max.1)),
        doubling_time: since_start(reached(&run.times, &values, 2.0 * first)),
        half_life: since_start(reached(&run.times, &values, 0.5 * first)),
        behaviour: behaviour(&run.times, &values, extreme),
        series: chosen(&values, detail.points)
            .into_iter()
            .map(|at| [time(run.times[at]), round(values[at])])
            .collect(),
        sparkline: sparkline(&values, detail.points),
    }
}

/// When a series that starts on one side of `goal` reaches it first, by interpolation on the exponential (else the
/// straight line) through the two rows around it. A series that starts at 0 doubles never.
fn reached(times: &[f64], values: &[f64], goal: f64) -> Option<f64> {
    let first = *values.first()?;
    if first == 0.0 || !first.is_finite() {
        return None;
    }
    // Upward means away from zero.
    let is_there = |value: f64| {
        if goal.abs() > first.abs() {
            value / goal >= 1.0
        } else {
            value / goal <= 1.0
        }
    };
    let at = values.iter().position(|value| is_there(*value))?;
    let (before, after) = (*values.get(at.checked_sub(1)?)?, values[at]);
    let part = if before / goal > 0.0 && after / goal > 0.0 && before != after {
        (goal / before).ln() / (after / before).ln()
    } else {
        (goal - before) / (after - before)
    };
    Some(times[at - 1] + (times[at] - times[at - 1]) * if part.is_finite() { part.clamp(0.0, 1.0) } else { 1.0 })
}

/// See [`Behaviour`]. The extremes are those of every step, so that a swing between two saved rows is no surprise.
fn behaviour(times: &[f64], values: &[f64], extreme: Option<Extreme>) -> Behaviour {
    let (Some(&first), Some(&last)) = (values.first(), values.last()) else {
        return Behaviour::NotFinite;
    };
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let is_finite = |extreme: Extreme| extreme.min.0.is_finite() && extreme.max.0.is_finite();
    if !values.iter().all(|value| value.is_finite()) || !extreme.is_some_and(is_finite) {
        return Behaviour::NotFinite;
    }
    let range = high - low;
    if !range.is_finite() {
        return Behaviour::NotFinite;
    }
    if range <= 1e-9 * high.abs().max(low.abs()) {
        return Behaviour::Constant;
    }
    let turns = turning_points(values, SETTLED * range);
    match turns.as_slice() {
        [] => monotone(times, values, range),
        [turn] if *turn > first => match turn - last >= 0.5 * (turn - first) {
            true => Behaviour::OvershootAndCollapse,
            false => Behaviour::Overshoot,
        },
        [turn] => match last - turn >= 0.5 * (first - turn) {
            true => Behaviour::DipAndRecovery,
            false => Behaviour::Undershoot,
        },
        [turn, back] if (turn - back).abs() < 0.5 * (turn - first).abs() => match turn > back {
            true => Behaviour::Overshoot,
            false => Behaviour::Undershoot,
        },
        turns => {
            let swings: Vec<f64> = turns.windows(2).map(|pair| (pair[1] - pair[0]).abs()).collect();
            let growth = match swings.as_slice() {
                [first, .., last] => last / first,
                _ => 1.0,
            };
            Behaviour::Oscillation(if growth < 0.9 {
                Swing::Damped
            } else if growth > 1.1 {
                Swing::Growing
            } else {
                Swing::Sustained
            })
        }
    }
}

/// The values at which a series turns, leaving out swings of at most `least`.
fn turning_points(values: &[f64], least: f64) -> Vec<f64> {
    let mut turns = Vec::new();
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    // Which way the series goes, once that is certain, and the extreme since the last turn.
    let mut rising: Option<bool> = None;
    for &value in values {
        low = low.min(value);
        high = high.max(value);
        match rising {
            None if value - low > least => (rising, high) = (Some(true), value),
            None if high - value > least => (rising, low) = (Some(false), value),
            Some(true) if high - value > least => {
                turns.push(high);
                (rising, low) = (Some(false), value);
            }
            Some(false) if value - low > least => {
                turns.push(low);
                (rising, high) = (Some(true), value);
            }
            _ => {}
        }
    }
    turns
}

/// The mode of a series that does not turn.
fn monotone(times: &[f64], values: &[f64], range: f64) -> Behaviour {
    let (start, end) = (times[0], times[times.len() - 1]);
    let (first, last) = (values[0], values[values.len() - 1]);
    // The value at a part of the run, on the straight line between the rows around it.
    let at = |part: f64| {
        let time = start + (end - start) * part;
        let next = times.partition_point(|t| *t < time).clamp(1, times.len() - 1);
        let (t1, t2) = (times[next - 1], times[next]);
        let (v1, v2) = (values[next - 1], values[next]);
        if t1 == t2 {
            v2
        } else {
            v1 + (v2 - v1) * (time - t1) / (t2 - t1)
        }
    };
    let line = |time: f64| first + (last - first) * (time - start) / (end - start);
    let off = times
        .iter()
        .zip(values)
        .map(|(time, value)| (value - line(*time)).abs());
    if off.fold(0.0, f64::max) <= STRAIGHT * range {
        return Behaviour::Linear;
    }
    let part = |window: usize| window as f64 / WINDOWS as f64;
    let slopes: Vec<f64> = (0..WINDOWS)
        .map(|window| (at(part(window + 1)) - at(part(window))) / (last - first))
        .collect();
    let steepest = slopes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let (begin, finish) = (slopes[0], slopes[WINDOWS - 1]);
    let rises = last > first;
    if begin <= FLAT_ENDS * steepest && finish <= FLAT_ENDS * steepest {
        return Behaviour::SShape;
    }
    if finish > begin {
        return if rises { Behaviour::Growth } else { Behaviour::Collapse };
    }
    // Where an exponential through start, middle and end heads for (Aitken), in ranges, so that no size overflows.
    let middle = at(0.5);
    let (from, to) = ((first - middle) / range, (last - middle) / range);
    let goal = last / range - to * to / (from + to);
    if !rises && goal.abs() <= SETTLED {
        Behaviour::Decay
    } else {
        Behaviour::GoalSeeking
    }
}

/// The places of at most `points` rows: the first, the last, the least, the greatest, others evenly between.
fn chosen(values: &[f64], points: usize) -> Vec<usize> {
    let points = points.max(4);
    if values.len() <= points {
        return (0..values.len()).collect();
    }
    let even = points - 2;
    let mut places: Vec<usize> = (0..even).map(|i| i * (values.len() - 1) / (even - 1)).collect();
    let finite = || values.iter().enumerate().filter(|(_, value)| value.is_finite());
    places.extend(finite().min_by(|a, b| a.1.total_cmp(b.1)).map(|(at, _)| at));
    // The first of equal ones.
    places.extend(finite().rev().max_by(|a, b| a.1.total_cmp(b.1)).map(|(at, _)| at));
    places.sort_unstable();
    places.dedup();
    places
}

/// The course as so many characters, evenly over the rows.
fn sparkline(values: &[f64], points: usize) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let finite = || values.iter().copied().filter(|value| value.is_finite());
    let low = finite().fold(f64::INFINITY, f64::min);
    let high = finite().fold(f64::NEG_INFINITY, f64::max);
    let width = points.max(4).min(values.len());
    let bar = |i: usize| {
        let value = values[i * (values.len() - 1) / (width - 1).max(1)];
        // Halved, so that no range overflows.
        let part = (value / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0);
        match (value.is_finite(), part.is_finite()) {
            (false, _) => '·',
            (true, false) => BARS[0],
            (true, true) => BARS[((part * BARS.len() as f64) as usize).min(BARS.len() - 1)],
        }
    };
    (0..width).map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The behaviour of a function of the time from 0 to 100.
    #[track_caller]
    fn behaves(f: impl Fn(f64) -> f64, expected: &str) {
        let times: Vec<f64> = (0..=1_000).map(|k| f64::from(k) / 10.0).collect();
        let values: Vec<f64> = times.iter().map(|t| f(*t)).collect();
        assert_eq!(behaviour(&times, &values, extremes(&values)).as_str(), expected);
    }

    fn extremes(values: &[f64]) -> Option<Extreme> {
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Some(Extreme {
            min: (low, 0.0),
            max: (high, 0.0),
        })
    }

    #[test]
    fn modes_of_behaviour() {
        behaves(|_| 5.0, "constant");
        behaves(|_| 0.0, "constant");
        behaves(|t| 1.0 + t * 1e-12, "constant");
        behaves(|t| 3.0 + 2.0 * t, "linear");
        behaves(|t| 3.0 - 2.0 * t, "linear");
        behaves(|t| (0.05 * t).exp(), "growth");
        behaves(|t| t * t, "growth");
        behaves(|t| -(0.05 * t).exp(), "collapse");
        behaves(|t| 100.0 * (-0.05 * t).exp(), "decay");
        behaves(|t| 100.0 * (-0.02 * t).exp(), "decay");
        behaves(|t| 1e300 * (-0.05 * t).exp(), "decay");
        behaves(|t| 1e-300 * (6.0 + 4.0 * (-0.05 * t).exp()), "goal-seeking");
        behaves(|t| 60.0 + 40.0 * (-0.05 * t).exp(), "goal-seeking");
        behaves(|t| 60.0 - 40.0 * (-0.05 * t).exp(), "goal-seeking");
        behaves(|t| 1000.0 / (1.0 + 99.0 * (-0.1 * t).exp()), "S-shape");
        behaves(|t| 1000.0 - 1000.0 / (1.0 + 99.0 * (-0.1 * t).exp()), "S-shape");
        behaves(|t| (t * 0.5).sin(), "oscillation");
        behaves(|t| (t * 0.5).sin() * (-0.03 * t).exp(), "damped oscillation");
        behaves(|t| (t * 0.5).sin() * (0.03 * t).exp(), "growing oscillation");
        behaves(|t| t * (-0.05 * t).exp(), "overshoot and collapse");
        behaves(
            |t| 1.0 - (-0.05 * t).exp() * (0.06 * t).cos() + 0.3 * (-((t - 40.0) / 15.0).powi(2)).exp(),
            "overshoot",
        );
        behaves(|t| -t * (-0.05 * t).exp(), "dip and recovery");
        behaves(
            |t| -1.0 + (-0.05 * t).exp() - 0.3 * (-((t - 40.0) / 15.0).powi(2)).exp(),
            "undershoot",
        );
        behaves(|t| 1.0 / (t - 50.0), "not finite");
        behaves(|t| if t > 50.0 { f64::NAN } else { t }, "not finite");
        behaves(|t| if t > 50.0 { 1.6e308 } else { -1.6e308 }, "not finite");
        // A step response that swings back a little; one that swings on.
        behaves(|t| 1.0 - (-0.06 * t).exp() * (0.12 * t).cos(), "overshoot");
        behaves(|t| (-0.06 * t).exp() * (0.12 * t).cos(), "undershoot");
        behaves(|t| 1.0 - (-0.02 * t).exp() * (0.2 * t).cos(), "damped oscillation");
        behaves(|t| (-0.025 * t).exp() * (0.15 * t).cos(), "damped oscillation");
        // Bass: growth that does not start flat.
        behaves(|t| (1.0 - (-0.1 * t).exp()) / (1.0 + 9.0 * (-0.1 * t).exp()), "S-shape");
        // Small ripples do not count.
        behaves(|t| 60.0 - 40.0 * (-0.05 * t).exp() + 0.5 * t.sin(), "goal-seeking");
        behaves(|t| if t < 50.0 { 0.0 } else { 1.0 }, "S-shape");
    }

    #[test]
    fn a_single_row_is_constant() {
        assert_eq!(behaviour(&[0.0], &[3.0], extremes(&[3.0])), Behaviour::Constant);
        assert_eq!(behaviour(&[], &[], None), Behaviour::NotFinite);
    }

    #[track_caller]
    fn reaches(f: impl Fn(f64) -> f64, factor: f64, expected: Option<f64>) {
        let times: Vec<f64> = (0..=100).map(|k| 7.0 + f64::from(k)).collect();
        let values: Vec<f64> = times.iter().map(|t| f(*t - 7.0)).collect();
        let found = reached(&times, &values, factor * values[0]).map(|t| t - 7.0);
        let same = match (found, expected) {
            (Some(a), Some(b)) => (a - b).abs() < 1e-9,
            (None, None) => true,
            _ => false,
        };
        assert!(same, "{found:?}");
    }

    #[test]
    fn doubling_times_and_half_lives() {
        let (two, half) = (2.0, 0.5);
        reaches(|t| 3.0 * (0.03 * t).exp(), two, Some(2_f64.ln() / 0.03));
        reaches(|t| 3.0 * (0.03 * t).exp(), half, None);
        reaches(|t| 3.0 * (-0.03 * t).exp(), half, Some(2_f64.ln() / 0.03));
        reaches(|t| -3.0 * (0.03 * t).exp(), two, Some(2_f64.ln() / 0.03));
        reaches(|t| 10.0 - t, half, Some(5.0));
        reaches(|t| if t < 3.0 { 4.0 } else { -4.0 }, half, Some(2.25));
        reaches(|t| t, two, None);
        reaches(|_| 1.0, two, None);
        reaches(|_| f64::NAN, two, None);
    }

    #[test]
    fn the_short_series_keeps_its_ends_and_extremes() {
        let mut values = vec![0.0; 1_000];
        values[501] = 9.0;
        values[777] = -9.0;
        values[900] = f64::NAN;
        let places = chosen(&values, 24);
        assert!(places.len() <= 24 && places.is_sorted());
        for place in [0, 501, 777, 999] {
            assert!(places.contains(&place), "{place} {places:?}");
        }
        assert_eq!(chosen(&values[..5], 24), [0, 1, 2, 3, 4]);
        assert_eq!(chosen(&values, 0).len(), 4);
    }

    #[test]
    fn sparklines() {
        let rising: Vec<f64> = (0..80).map(f64::from).collect();
        assert_eq!(sparkline(&rising, 8), "▁▂▃▄▅▆▇█");
        assert_eq!(sparkline(&[1.0, 1.0], 8), "▁▁");
        assert_eq!(sparkline(&[0.0, f64::NAN, 1.0], 8), "▁·█");
        assert_eq!(sparkline(&[-1.7e308, 1.7e308], 8), "▁█");
        assert_eq!(sparkline(&[], 8), "");
        assert_eq!(sparkline(&[4.0], 8), "▁");
    }
}
