//! What the operators and builtins compute. Constants are folded with the same functions that a run uses.

use crate::model::{Graphical, GraphicalKind};
use crate::program::One;

/// How far past a rule's boundary, in steps, a time still counts as on it.
pub(crate) const TOLERANCE: f64 = 1e-9;

/// A function of one number.
pub(crate) fn one(function: One, x: f64) -> f64 {
    match function {
        One::Abs => x.abs(),
        One::ArcCos => x.acos(),
        One::ArcSin => x.asin(),
        One::ArcTan => x.atan(),
        One::Cos => x.cos(),
        One::Exp => x.exp(),
        One::Floor => x.floor(),
        One::Ln => x.ln(),
        One::Log10 => x.log10(),
        One::Sin => x.sin(),
        One::Sqrt => x.sqrt(),
        One::Tan => x.tan(),
        One::Truncate => x.trunc(),
    }
}

/// True for functions that are not defined for every finite number.
pub(crate) fn has_domain(function: One) -> bool {
    matches!(function, One::ArcCos | One::ArcSin | One::Ln | One::Log10 | One::Sqrt)
}

/// 1 for true, 0 for false.
pub(crate) fn truth(is: bool) -> f64 {
    f64::from(u8::from(is))
}

/// NOT: NaN stays NaN.
pub(crate) fn not(a: f64) -> f64 {
    if a.is_nan() { a } else { truth(a == 0.0) }
}

/// AND: false where either is false, even beside NaN.
pub(crate) fn and(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 {
        0.0
    } else if a.is_nan() || b.is_nan() {
        f64::NAN
    } else {
        1.0
    }
}

/// OR: true where either is true, even beside NaN.
pub(crate) fn or(a: f64, b: f64) -> f64 {
    let is_true = |x: f64| x != 0.0 && !x.is_nan();
    if is_true(a) || is_true(b) {
        1.0
    } else if a.is_nan() || b.is_nan() {
        f64::NAN
    } else {
        0.0
    }
}

/// The lesser; NaN where either is (`f64::min` would drop it).
pub(crate) fn min(a: f64, b: f64) -> f64 {
    if a < b || a.is_nan() { a } else { b }
}

/// The greater; NaN where either is (`f64::max` would drop it).
pub(crate) fn max(a: f64, b: f64) -> f64 {
    if a > b || a.is_nan() { a } else { b }
}

/// Knuth's x MOD y, with the sign of y; NaN where y is 0.
pub(crate) fn modulo(x: f64, y: f64) -> f64 {
    x - y * (x / y).floor()
}

pub(crate) fn quantum(x: f64, q: f64) -> f64 {
    if q <= 0.0 { x } else { q * (x / q).trunc() }
}

pub(crate) fn trend(x: f64, tau: f64, average: f64) -> f64 {
    if average == 0.0 {
        0.0
    } else {
        (x - average) / (tau * average.abs())
    }
}

pub(crate) fn forecast(x: f64, tau: f64, horizon: f64, average: f64) -> f64 {
    if average == 0.0 {
        x
    } else {
        x * (1.0 + horizon * (x - average) / (tau * average))
    }
}

pub(crate) fn ramp(time: f64, slope: f64, start: f64, end: f64) -> f64 {
    if time <= start {
        0.0
    } else {
        slope * (min(time, end) - start)
    }
}

pub(crate) fn step_input(now: f64, dt: f64, height: f64, start: f64) -> f64 {
    if (start - now) / dt < 0.5 - TOLERANCE {
        height
    } else if start.is_nan() {
        f64::NAN
    } else {
        0.0
    }
}

/// XMILE's PULSE: each instant fires in exactly one step.
pub(crate) fn pulse(now: f64, dt: f64, magnitude: f64, first: f64, interval: f64) -> f64 {
    let since = (now - first) / dt;
    let (from, to) = (since - 0.5 - TOLERANCE, since + 0.5 - TOLERANCE);
    let between = interval / dt;
    let hit = if between > 0.0 {
        let instant = (from / between).ceil().max(0.0) * between;
        instant >= from && instant < to
    } else {
        from <= 0.0 && 0.0 < to
    };
    if hit { magnitude / dt } else { 0.0 }
}

/// Vensim's PULSE: 1 while it lasts, at least for one step.
pub(crate) fn vensim_pulse(now: f64, dt: f64, start: f64, width: f64) -> f64 {
    let middle = now + dt / 2.0;
    let width = if width == 0.0 { dt } else { width };
    truth(middle > start && middle < start + width)
}

pub(crate) fn pulse_train(now: f64, dt: f64, [start, width, between, end]: [f64; 4]) -> f64 {
    let middle = now + dt / 2.0;
    // The last pulse that began before: no earlier one lasts longer.
    let begun = if between > 0.0 {
        ((middle - start) / between).ceil() - 1.0
    } else {
        0.0
    };
    let begin = start + begun.max(0.0) * between.max(0.0);
    truth(middle > begin && middle < begin + width.max(dt) && middle < end)
}

/// True where `x` lies beyond the points of a graphical function that stays constant there.
pub(crate) fn is_beyond(graphical: &Graphical, x: f64) -> bool {
    match (graphical.kind, graphical.points.first(), graphical.points.last()) {
        (GraphicalKind::Continuous, Some(first), Some(last)) => x < first[0] || x > last[0],
        _ => false,
    }
}

/// The value of a graphical function at `x`: of the first point there, else as its kind says. NaN where there is no
/// point.
pub(crate) fn graphical(graphical: &Graphical, x: f64) -> f64 {
    let points = graphical.points.as_slice();
    if x.is_nan() {
        return x;
    }
    let next = points.partition_point(|point| point[0] < x);
    match (points.get(next), graphical.kind) {
        (Some(&[at, y]), _) if at == x => y,
        (_, GraphicalKind::Extrapolate) if points.len() > 1 && (next == 0 || next == points.len()) => {
            let first = next.saturating_sub(2);
            along(points[first], points[first + 1], x)
        }
        (None, _) => points.last().map_or(f64::NAN, |point| point[1]),
        (Some(&[_, y]), _) if next == 0 => y,
        (Some(_), GraphicalKind::Discrete) => points[next - 1][1],
        (Some(&point), _) => along(points[next - 1], point, x),
    }
}

/// The value at `x` of the line through two points.
fn along([x1, y1]: [f64; 2], [x2, y2]: [f64; 2], x: f64) -> f64 {
    if x1 == x2 {
        return y1;
    }
    y1 + (y2 - y1) * ((x - x1) / (x2 - x1))
}
