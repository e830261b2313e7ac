//! The exact time grid: computed from decimals, never by adding up doubles.
//!
//! With start 0 and dt 0.1 the third step is the double nearest to 0.3, so that `TIME = 0.3` holds there.

use crate::model::Specs;
use crate::numbers::shortest;
use crate::problem::{Level, Problem};

/// Integers up to here, and quotients of two of them, are exact to the last bit as doubles.
const EXACT: i128 = 1 << 53;

/// Powers of ten up to here are exact as doubles.
const EXACT_POWER: u32 = 22;

/// How far past a grid point, in steps, stop may fall short of it and still count as that point.
const TOLERANCE: f64 = 1e-9;

/// How a run is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// Euler's method.
    #[default]
    Euler,
    /// Runge and Kutta's method of fourth order.
    Rk4,
}

impl Method {
    /// Its name, as a document gives it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Euler => "euler",
            Self::Rk4 => "rk4",
        }
    }
}

/// The points of time of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Grid {
    /// Time of the first point.
    pub start: f64,
    /// The stop time that was asked for; the last point is the greatest that is not later.
    pub stop: f64,
    /// Time from one point to the next.
    pub dt: f64,
    /// How many steps lead from the first point to the last.
    pub steps: u64,
    /// Every how many steps a row is saved; the last point is always saved.
    pub save_every: u64,
    /// How a step is computed.
    pub method: Method,
    ticks: Ticks,
}

/// How the time of a step is found.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Ticks {
    /// `(first + k * each) / per`: whole numbers below 2^53, so that the quotient is correctly rounded.
    Exact { first: f64, each: f64, per: f64 },
    /// `start + k * dt`, for numbers with too many digits.
    Nearest,
}

impl Default for Grid {
    /// The one point 0.
    fn default() -> Self {
        Self {
            start: 0.0,
            stop: 0.0,
            dt: 1.0,
            steps: 0,
            save_every: 1,
            method: Method::Euler,
            ticks: Ticks::Nearest,
        }
    }
}

impl Grid {
    /// The grid that `specs` ask for, with advice where something of it had to be read differently.
    ///
    /// # Errors
    /// One [`Problem`] (code `time-grid`, or `simulation-without-stop`) for each text that gives no grid.
    pub fn new(specs: &Specs) -> Result<(Self, Vec<Problem>), Vec<Problem>> {
        let mut faults = Vec::new();
        let mut number = |name: &str, text: &str| match Decimal::parse(text) {
            Some(number) => number,
            None => {
                faults.push(fault(name, format!("{name} is {text:?}, which is no finite number")));
                Decimal::default()
            }
        };
        let start = number("start", &specs.start);
        let dt = number("dt", &specs.dt);
        let stop = specs.stop.as_deref().map(|stop| number("stop", stop));
        if faults.is_empty() && dt.value <= 0.0 {
            faults.push(fault(
                "dt",
                format!("dt is {}, but a step must lead forward", shortest(dt.value)),
            ));
        }
        let Some(stop) = stop else {
            faults.push(
                Problem::of_model(
                    "simulation-without-stop",
                    Level::Error,
                    "no stop time is given, so the model cannot be run",
                    "give a stop time, greater than the start",
                )
                .pointing("/simulation/stop"),
            );
            return Err(faults);
        };
        if faults.is_empty() && stop.value < start.value {
            let found = format!(
                "stop is {}, which is before start, {}",
                shortest(stop.value),
                shortest(start.value)
            );
            faults.push(fault("stop", found));
        }
        if !faults.is_empty() {
            return Err(faults);
        }

        let mut advice = Vec::new();
        let step = if specs.reciprocal { 1.0 / dt.value } else { dt.value };
        let (steps, ticks) = ticks(start, stop, dt, specs.reciprocal);
        let Some(steps) = steps else {
            let found = format!(
                "dt is {}: more than 2^53 steps lead from {} to {}",
                shortest(step),
                shortest(start.value),
                shortest(stop.value)
            );
            return Err(vec![fault("dt", found)]);
        };
        let mut grid = Self {
            start: start.value,
            stop: stop.value,
            dt: step,
            steps,
            save_every: 1,
            method: method(&specs.method, &mut advice),
            ticks,
        };
        grid.save_every = save_every(specs.save.as_deref(), step, &mut advice);
        let last = grid.time(steps);
        if last < stop.value && (stop.value - last) / step > TOLERANCE * 2.0 {
            advice.push(
                Problem::of_model(
                    "stop-off-grid",
                    Level::Info,
                    format!(
                        "stop {} is no whole number of steps of {} after start; the run ends at {}",
                        shortest(stop.value),
                        shortest(step),
                        shortest(last)
                    ),
                    "choose dt so that it divides the time from start to stop",
                )
                .pointing("/simulation/stop"),
            );
        }
        Ok((grid, advice))
    }

    /// The time of point `step`.
    #[must_use]
    pub fn time(&self, step: u64) -> f64 {
        let k = step as f64;
        match self.ticks {
            Ticks::Exact { first, each, per } => (first + k * each) / per,
            Ticks::Nearest => self.start + k * self.dt,
        }
    }

    /// How many rows are saved of a run that ends after so many steps: those at the save interval, and the last.
    #[must_use]
    pub fn rows(&self, steps: u64) -> u64 {
        steps / self.save_every + 1 + u64::from(!steps.is_multiple_of(self.save_every))
    }
}

/// A text of the grid that cannot be used.
fn fault(name: &str, found: String) -> Problem {
    let fix = match name {
        "dt" => "give dt as a number greater than 0, such as 0.25",
        "stop" => "give stop as a number not less than start",
        _ => "give start as a number, such as 0",
    };
    Problem::of_model("time-grid", Level::Error, found, fix).pointing(format!("/simulation/{name}"))
}

/// A decimal number, exactly: `digits * 10^exponent`, where there are not too many digits for that.
#[derive(Debug, Clone, Copy, Default)]
struct Decimal {
    exact: Option<(i128, i32)>,
    value: f64,
}

impl Decimal {
    /// Reads a finite number; none where the text is none.
    fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let value: f64 = text.parse().ok().filter(|value: &f64| value.is_finite())?;
        Some(Self {
            exact: Self::digits(text),
            value,
        })
    }

    /// The digits and the exponent of a text that is a number; none where a digit does not fit.
    fn digits(text: &str) -> Option<(i128, i32)> {
        let (mantissa, exponent) = match text.find(['e', 'E']) {
            Some(at) => (&text[..at], text[at + 1..].parse::<i32>().ok()?),
            None => (text, 0),
        };
        let negative = mantissa.starts_with('-');
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let fraction = fraction.trim_end_matches('0');
        let mut digits: i128 = 0;
        for digit in whole.bytes().chain(fraction.bytes()).filter(u8::is_ascii_digit) {
            digits = digits * 10 + i128::from(digit - b'0');
            if digits > EXACT {
                return None;
            }
        }
        let mut exponent = exponent.checked_sub(i32::try_from(fraction.len()).ok()?)?;
        if digits == 0 {
            exponent = 0;
        }
        Some((if negative { -digits } else { digits }, exponent))
    }

    /// The number times `10^decimals`, where that is a whole number.
    fn scaled(self, decimals: u32) -> Option<i128> {
        let (digits, exponent) = self.exact?;
        let power = u32::try_from(exponent.checked_add(i32::try_from(decimals).ok()?)?).ok()?;
        digits.checked_mul(power_of_ten(power)?)
    }

    /// How many decimals the number has.
    fn decimals(self) -> Option<u32> {
        let (_, exponent) = self.exact?;
        Some(if exponent < 0 { exponent.unsigned_abs() } else { 0 })
    }
}

/// A power of ten that is exact as a double.
fn power_of_ten(power: u32) -> Option<i128> {
    (power <= EXACT_POWER).then(|| 10_i128.pow(power))
}

/// The number, where it is exact as a double.
fn exact(number: i128) -> Option<i128> {
    (number.abs() < EXACT).then_some(number)
}

/// How many steps there are (none: too many to count), and how their times are found.
fn ticks(start: Decimal, stop: Decimal, dt: Decimal, reciprocal: bool) -> (Option<u64>, Ticks) {
    let steps = exact_steps(start, stop, dt, reciprocal).unwrap_or_else(|| {
        let step = if reciprocal { 1.0 / dt.value } else { dt.value };
        // `as` keeps within the bounds of i128.
        ((stop.value - start.value) / step + TOLERANCE).floor() as i128
    });
    let ticks = exact_ticks(start, dt, reciprocal, steps).unwrap_or(Ticks::Nearest);
    (exact(steps).and_then(|steps| u64::try_from(steps).ok()), ticks)
}

/// floor((stop - start) / dt + 1e-9), in whole numbers.
fn exact_steps(start: Decimal, stop: Decimal, dt: Decimal, reciprocal: bool) -> Option<i128> {
    let (decimals, of_dt) = (start.decimals()?.max(stop.decimals()?), dt.decimals()?);
    // The time from start to stop, and a step, in the same small unit.
    let (way, each) = if reciprocal {
        let way = stop.scaled(decimals)?.checked_sub(start.scaled(decimals)?)?;
        let unit = power_of_ten(decimals.checked_add(of_dt)?)?;
        (way.checked_mul(dt.scaled(of_dt)?)?, unit)
    } else {
        let decimals = decimals.max(of_dt);
        let way = stop.scaled(decimals)?.checked_sub(start.scaled(decimals)?)?;
        (way, dt.scaled(decimals)?)
    };
    let billion = 1_000_000_000;
    Some(way.checked_mul(billion)?.checked_add(each)? / each.checked_mul(billion)?)
}

/// How the times of so many steps are found where each is a fraction of whole numbers below 2^53.
fn exact_ticks(start: Decimal, dt: Decimal, reciprocal: bool, steps: i128) -> Option<Ticks> {
    let (of_start, of_dt) = (start.decimals()?, dt.decimals()?);
    // Point k is at (first + k * each) / per.
    let (first, each, per) = if reciprocal {
        let rate = dt.scaled(of_dt)?;
        (
            start.scaled(of_start)?.checked_mul(rate)?,
            power_of_ten(of_start.checked_add(of_dt)?)?,
            exact(power_of_ten(of_start)?.checked_mul(rate)?)?,
        )
    } else {
        let decimals = of_start.max(of_dt);
        (start.scaled(decimals)?, dt.scaled(decimals)?, power_of_ten(decimals)?)
    };
    exact(steps.checked_mul(each)?.checked_add(first)?)?;
    Some(Ticks::Exact {
        first: exact(first)? as f64,
        each: exact(each)? as f64,
        per: per as f64,
    })
}

/// The method of that name, with advice where it is another one.
fn method(name: &str, advice: &mut Vec<Problem>) -> Method {
    let known = |name: &str| match name.trim().to_ascii_lowercase().as_str() {
        "" | "euler" => Some((Method::Euler, true)),
        "rk4" | "runge-kutta 4" | "rungekutta4" => Some((Method::Rk4, true)),
        "rk2" | "rk45" | "gear" | "auto" | "rk4 auto" | "rk2 auto" => Some((Method::Rk4, false)),
        _ => None,
    };
    let (method, same) = name.split(',').find_map(known).unwrap_or((Method::Euler, false));
    if !same {
        let shown: String = name.chars().take(40).collect();
        advice.push(
            Problem::of_model(
                "method-fallback",
                Level::Info,
                format!(
                    "the method {shown:?} is not one of ours; the run uses {}",
                    method.as_str()
                ),
                "choose euler or rk4",
            )
            .pointing("/simulation/method"),
        );
    }
    method
}

/// Every how many steps a row is saved.
fn save_every(save: Option<&str>, dt: f64, advice: &mut Vec<Problem>) -> u64 {
    let Some(text) = save else { return 1 };
    match Decimal::parse(text) {
        // `as` keeps within the bounds of u64.
        Some(save) if save.value > 0.0 => ((save.value / dt).round() as u64).max(1),
        _ => {
            advice.push(Problem::of_model(
                "save-interval",
                Level::Info,
                format!("the save interval {text:?} is no number greater than 0; every step is saved"),
                "give the save interval as a multiple of dt, or leave it out",
            ));
            1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn specs(start: &str, stop: &str, dt: &str) -> Specs {
        Specs {
            start: start.to_owned(),
            stop: Some(stop.to_owned()),
            dt: dt.to_owned(),
            ..Specs::default()
        }
    }

    #[track_caller]
    fn check(start: &str, stop: &str, dt: &str, reciprocal: bool, expected: &[f64]) {
        let specs = Specs {
            reciprocal,
            ..specs(start, stop, dt)
        };
        let (grid, _) = Grid::new(&specs).unwrap();
        let times: Vec<f64> = (0..=grid.steps).map(|k| grid.time(k)).collect();
        assert_eq!(times, expected);
    }

    #[test]
    fn times_are_the_nearest_doubles() {
        check("0", "0.5", "0.1", false, &[0.0, 0.1, 0.2, 0.3, 0.4, 0.5]);
        check("0", "0.5", "10", true, &[0.0, 0.1, 0.2, 0.3, 0.4, 0.5]);
        check("1e-1", "+.4", "1E-1", false, &[0.1, 0.2, 0.3, 0.4]);
        check("-0.1", "0.2", "0.1", false, &[-0.1, 0.0, 0.1, 0.2]);
        check("0", "1", "3", true, &[0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0]);
        check("0.5", "1.5", "2.5", true, &[0.5, 0.9, 1.3]);
        check("1900", "1902", "1", false, &[1900.0, 1901.0, 1902.0]);
    }

    #[test]
    fn the_last_point_is_not_after_stop() {
        check("0", "1", "0.3", false, &[0.0, 0.3, 0.6, 0.9]);
        check("2", "2", "1", false, &[2.0]);
        check("0", "0.5", "1", false, &[0.0]);
        // However many digits stop has, the points before it are exact.
        check("-1", "-0.66666666666666667", "0.1", false, &[-1.0, -0.9, -0.8, -0.7]);
        check("-1", "-0.66666666666666667", "10", true, &[-1.0, -0.9, -0.8, -0.7]);
        let (grid, advice) = Grid::new(&specs("0", "1", "0.3")).unwrap();
        assert_eq!((grid.steps, advice.len(), advice[0].code), (3, 1, "stop-off-grid"));
        assert_eq!(Grid::new(&specs("0", "100", "0.1")).unwrap().1, []);
    }

    #[test]
    fn numbers_with_too_many_digits_still_give_a_grid() {
        let (grid, _) = Grid::new(&specs("0", "1", "0.33333333333333333333")).unwrap();
        assert_eq!((grid.steps, grid.time(3)), (3, 1.0));
        let (grid, _) = Grid::new(&specs("0", "1e300", "1e299")).unwrap();
        assert_eq!(grid.steps, 10);
        let (grid, _) = Grid::new(&specs("0", "1e-300", "1e-301")).unwrap();
        assert_eq!(grid.steps, 10);
    }

    #[track_caller]
    fn refused(specs: &Specs, expected: &[&str]) {
        let problems = Grid::new(specs).unwrap_err();
        let found: Vec<_> = problems.iter().map(|p| format!("{} {}", p.code, p.pointer)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn texts_that_give_no_grid_are_refused() {
        refused(&specs("0", "1", "0"), &["time-grid /simulation/dt"]);
        refused(&specs("0", "1", "-1"), &["time-grid /simulation/dt"]);
        refused(&specs("0", "1", "NaN"), &["time-grid /simulation/dt"]);
        refused(&specs("0", "inf", "1"), &["time-grid /simulation/stop"]);
        refused(
            &specs("x", "1", ""),
            &["time-grid /simulation/start", "time-grid /simulation/dt"],
        );
        refused(&specs("2", "1", "1"), &["time-grid /simulation/stop"]);
        refused(&specs("0", "1e20", "1e-9"), &["time-grid /simulation/dt"]);
        refused(&Specs::default(), &["simulation-without-stop /simulation/stop"]);
    }

    #[track_caller]
    fn is_method(name: &str, expected: Method, advised: bool) {
        let specs = Specs {
            method: name.to_owned(),
            ..specs("0", "1", "1")
        };
        let (grid, advice) = Grid::new(&specs).unwrap();
        assert_eq!(
            (grid.method, advice.iter().any(|p| p.code == "method-fallback")),
            (expected, advised)
        );
    }

    #[test]
    fn methods() {
        is_method("", Method::Euler, false);
        is_method("Euler", Method::Euler, false);
        is_method("RK4", Method::Rk4, false);
        is_method("rk2", Method::Rk4, true);
        is_method("gear", Method::Rk4, true);
        is_method("adams, rk4, euler", Method::Rk4, false);
        is_method("adams", Method::Euler, true);
    }

    #[test]
    fn rows_are_saved_at_the_interval_and_at_the_end() {
        let specs = Specs {
            save: Some("0.3".to_owned()),
            ..specs("0", "1", "0.1")
        };
        let (grid, _) = Grid::new(&specs).unwrap();
        assert_eq!(grid.save_every, 3);
        // 0 3 6 9 10
        assert_eq!(grid.rows(10), 5);
        assert_eq!(grid.rows(9), 4);
        assert_eq!(grid.rows(0), 1);
    }

    proptest! {
        /// Every point is the double that the decimal text of its time gives.
        #[test]
        fn each_time_is_its_decimal(start in -1_000_000_i64..1_000_000, dt in 1_i64..100_000, decimals in 0_usize..9, k in 0_u64..1_000_000) {
            let text = |n: i64| format!("{n}e-{decimals}");
            let k_times = start + dt * k as i64;
            let (grid, _) = Grid::new(&specs(&text(start), &text(k_times), &text(dt))).unwrap();
            prop_assert_eq!(grid.steps, k);
            prop_assert_eq!(grid.time(k), text(k_times).parse::<f64>().unwrap());
        }

        /// Any texts give a grid or problems, never a panic.
        #[test]
        fn any_texts(start in "[0-9eE.+-]{0,12}", stop in "[0-9eE.+-]{0,12}", dt in "[0-9eE.+-]{0,12}", reciprocal: bool) {
            let specs = Specs { reciprocal, ..specs(&start, &stop, &dt) };
            if let Ok((grid, _)) = Grid::new(&specs) {
                prop_assert!(grid.time(grid.steps) <= grid.stop + grid.dt * 1e-6 + grid.stop.abs() * 1e-9);
            }
        }
    }
}
