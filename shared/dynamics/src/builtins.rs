//! The one table of builtin functions: names, dialects, numbers of arguments.

use crate::ast::Dialect;
use crate::names;

/// What a builtin does. Functions of both dialects that do the same with the same order of arguments are one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Builtin {
    /// Absolute value.
    Abs,
    /// e to the power of x.
    Exp,
    /// Natural logarithm.
    Ln,
    /// Decimal logarithm.
    Log10,
    /// LOG(x, base).
    LogBase,
    /// Square root.
    Sqrt,
    /// Sine of radians.
    Sin,
    /// Cosine of radians.
    Cos,
    /// Tangent of radians.
    Tan,
    /// Inverse sine.
    Arcsin,
    /// Inverse cosine.
    Arccos,
    /// Inverse tangent.
    Arctan,
    /// The greatest integer that is not greater.
    Int,
    /// Truncation toward 0 (Vensim INTEGER).
    Truncate,
    /// Remainder with the sign of the first argument (Vensim MODULO).
    Remainder,
    /// QUANTUM(x, q): q * trunc(x / q), x where q is not positive.
    Quantum,
    /// Greatest.
    Max,
    /// Least.
    Min,
    /// POWER(a, b).
    Power,
    /// SAFEDIV(a, b, x): x where b is exactly 0.
    SafeDiv,
    /// ZIDZ(a, b): 0 where b is nearly 0.
    Zidz,
    /// XIDZ(a, b, x): x where b is nearly 0.
    Xidz,
    /// The circle's constant.
    Pi,
    /// Positive infinity.
    Inf,
    /// The time now.
    Time,
    /// The time step.
    Dt,
    /// The first time.
    StartTime,
    /// The last time.
    StopTime,
    /// STEP(height, start).
    Step,
    /// RAMP(slope, start, end).
    Ramp,
    /// XMILE PULSE(magnitude, first, interval), divided by DT.
    Pulse,
    /// Vensim PULSE(start, width), of height 1.
    PulseWidth,
    /// PULSE TRAIN(start, width, between, end).
    PulseTrain,
    /// The value of an expression at the start.
    Init,
    /// PREVIOUS(x, initial): the value one step ago.
    Previous,
    /// The variable being defined, inside PREVIOUS.
    Itself,
    /// DELAY(x, time, initial): the value so long ago (also DELAY FIXED).
    Delay,
    /// DELAY1(x, time, initial).
    Delay1,
    /// DELAY3(x, time, initial).
    Delay3,
    /// DELAYN(x, time, order, initial).
    DelayN,
    /// Vensim DELAY N(x, time, initial, order).
    DelayNInitialFirst,
    /// SMTH1(x, time, initial).
    Smooth1,
    /// SMTH3(x, time, initial).
    Smooth3,
    /// SMTHN(x, time, order, initial).
    SmoothN,
    /// Vensim SMOOTH N(x, time, initial, order).
    SmoothNInitialFirst,
    /// TREND(x, time, initial).
    Trend,
    /// FORCST(x, time, horizon, initial trend).
    Forecast,
    /// SAMPLE IF TRUE(condition, x, initial).
    SampleIfTrue,
    /// ACTIVE INITIAL(x, initial).
    ActiveInitial,
    /// GAME(x): x.
    Game,
    /// EXPRND(mean, seed).
    Exponential,
    /// NORMAL(mean, deviation, seed).
    Normal,
    /// RANDOM NORMAL(low, high, mean, deviation, seed), drawn again outside low..high.
    NormalWithin,
    /// LOGNORMAL(mean, deviation, seed).
    LogNormal,
    /// POISSON(mean, seed).
    Poisson,
    /// RANDOM(low, high, seed).
    Uniform,
    /// LOOKUP(graphical function, x).
    Lookup,
    /// LOOKUP EXTRAPOLATE(graphical function, x).
    LookupExtrapolate,
}

impl Builtin {
    /// True where the result lags behind the first argument.
    pub fn is_delay(self) -> bool {
        use Builtin as B;
        matches!(
            self,
            B::Delay | B::Delay1 | B::Delay3 | B::DelayN | B::DelayNInitialFirst | B::Previous | B::SampleIfTrue
        ) || matches!(
            self,
            B::Smooth1 | B::Smooth3 | B::SmoothN | B::SmoothNInitialFirst | B::Trend | B::Forecast
        )
    }
}

/// Where a name is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    Both,
    Xmile,
    Vensim,
}

/// A name of a builtin.
#[derive(Debug)]
pub struct Entry {
    /// Folded, as in [`crate::ast::Name::folded`].
    pub name: &'static str,
    known: Known,
    /// What it does.
    pub builtin: Builtin,
    /// The least number of arguments; 0: it is used without parentheses.
    pub least: usize,
    /// The greatest number of arguments.
    pub most: usize,
    /// How it is written, such as `STEP(height, start)`.
    pub usage: &'static str,
}

/// Any number of arguments.
const ANY: usize = usize::MAX;

#[rustfmt::skip]
const fn e(name: &'static str, known: Known, builtin: Builtin, least: usize, most: usize, usage: &'static str) -> Entry {
    Entry { name, known, builtin, least, most, usage }
}

/// Every name, sorted.
#[rustfmt::skip]
static TABLE: &[Entry] = {
    use Builtin as B;
    use Known::{Both, Vensim, Xmile};
    &[
        e("abs", Both, B::Abs, 1, 1, "ABS(x)"),
        e("active_initial", Vensim, B::ActiveInitial, 2, 2, "ACTIVE INITIAL(x, initial)"),
        e("arccos", Both, B::Arccos, 1, 1, "ARCCOS(x)"),
        e("arcsin", Both, B::Arcsin, 1, 1, "ARCSIN(x)"),
        e("arctan", Both, B::Arctan, 1, 1, "ARCTAN(x)"),
        e("cos", Both, B::Cos, 1, 1, "COS(radians)"),
        e("delay", Xmile, B::Delay, 2, 3, "DELAY(input, delay time[, initial])"),
        e("delay1", Xmile, B::Delay1, 2, 3, "DELAY1(input, delay time[, initial])"),
        e("delay1", Vensim, B::Delay1, 2, 2, "DELAY1(input, delay time)"),
        e("delay1i", Vensim, B::Delay1, 3, 3, "DELAY1I(input, delay time, initial)"),
        e("delay3", Xmile, B::Delay3, 2, 3, "DELAY3(input, delay time[, initial])"),
        e("delay3", Vensim, B::Delay3, 2, 2, "DELAY3(input, delay time)"),
        e("delay3i", Vensim, B::Delay3, 3, 3, "DELAY3I(input, delay time, initial)"),
        e("delay_fixed", Vensim, B::Delay, 3, 3, "DELAY FIXED(input, delay time, initial)"),
        e("delay_n", Vensim, B::DelayNInitialFirst, 4, 4, "DELAY N(input, delay time, initial, order)"),
        e("delayn", Xmile, B::DelayN, 3, 4, "DELAYN(input, delay time, order[, initial])"),
        e("dt", Xmile, B::Dt, 0, 0, "DT"),
        e("exp", Both, B::Exp, 1, 1, "EXP(x)"),
        e("exprnd", Xmile, B::Exponential, 1, 2, "EXPRND(mean[, seed])"),
        e("final_time", Vensim, B::StopTime, 0, 0, "FINAL TIME"),
        e("forcst", Xmile, B::Forecast, 3, 4, "FORCST(input, averaging time, horizon[, initial trend])"),
        e("forecast", Vensim, B::Forecast, 3, 3, "FORECAST(input, averaging time, horizon)"),
        e("game", Vensim, B::Game, 1, 1, "GAME(x)"),
        e("inf", Xmile, B::Inf, 0, 0, "INF"),
        e("init", Xmile, B::Init, 1, 1, "INIT(x)"),
        e("initial", Vensim, B::Init, 1, 1, "INITIAL(x)"),
        e("initial_time", Vensim, B::StartTime, 0, 0, "INITIAL TIME"),
        e("int", Xmile, B::Int, 1, 1, "INT(x)"),
        e("integer", Vensim, B::Truncate, 1, 1, "INTEGER(x)"),
        e("ln", Both, B::Ln, 1, 1, "LN(x)"),
        e("log", Vensim, B::LogBase, 2, 2, "LOG(x, base)"),
        e("log10", Xmile, B::Log10, 1, 1, "LOG10(x)"),
        e("lognormal", Xmile, B::LogNormal, 2, 3, "LOGNORMAL(mean, deviation[, seed])"),
        e("lookup", Xmile, B::Lookup, 2, 2, "LOOKUP(graphical function, x)"),
        e("lookup_extrapolate", Vensim, B::LookupExtrapolate, 2, 2, "LOOKUP EXTRAPOLATE(lookup, x)"),
        e("max", Both, B::Max, 1, ANY, "MAX(a, b, ...)"),
        e("min", Both, B::Min, 1, ANY, "MIN(a, b, ...)"),
        e("modulo", Vensim, B::Remainder, 2, 2, "MODULO(x, base)"),
        e("normal", Xmile, B::Normal, 2, 3, "NORMAL(mean, deviation[, seed])"),
        e("pi", Xmile, B::Pi, 0, 0, "PI"),
        e("poisson", Xmile, B::Poisson, 1, 2, "POISSON(mean[, seed])"),
        e("power", Vensim, B::Power, 2, 2, "POWER(base, exponent)"),
        e("previous", Xmile, B::Previous, 1, 2, "PREVIOUS(x, initial)"),
        e("pulse", Xmile, B::Pulse, 2, 3, "PULSE(magnitude, first time[, interval])"),
        e("pulse", Vensim, B::PulseWidth, 2, 2, "PULSE(start, width)"),
        e("pulse_train", Vensim, B::PulseTrain, 4, 4, "PULSE TRAIN(start, width, time between, end)"),
        e("quantum", Vensim, B::Quantum, 2, 2, "QUANTUM(x, quantum)"),
        e("ramp", Both, B::Ramp, 2, 3, "RAMP(slope, start[, end])"),
        e("random", Xmile, B::Uniform, 2, 3, "RANDOM(low, high[, seed])"),
        e("random_normal", Vensim, B::NormalWithin, 5, 5, "RANDOM NORMAL(low, high, mean, deviation, seed)"),
        e("random_uniform", Vensim, B::Uniform, 3, 3, "RANDOM UNIFORM(low, high, seed)"),
        e("reinitial", Vensim, B::Init, 1, 1, "REINITIAL(x)"),
        e("safediv", Xmile, B::SafeDiv, 2, 3, "SAFEDIV(a, b[, value where b is 0])"),
        e("sample_if_true", Vensim, B::SampleIfTrue, 3, 3, "SAMPLE IF TRUE(condition, x, initial)"),
        e("self", Xmile, B::Itself, 0, 0, "SELF"),
        e("sin", Both, B::Sin, 1, 1, "SIN(radians)"),
        e("smooth", Vensim, B::Smooth1, 2, 2, "SMOOTH(input, averaging time)"),
        e("smooth3", Vensim, B::Smooth3, 2, 2, "SMOOTH3(input, averaging time)"),
        e("smooth3i", Vensim, B::Smooth3, 3, 3, "SMOOTH3I(input, averaging time, initial)"),
        e("smooth_n", Vensim, B::SmoothNInitialFirst, 4, 4, "SMOOTH N(input, averaging time, initial, order)"),
        e("smoothi", Vensim, B::Smooth1, 3, 3, "SMOOTHI(input, averaging time, initial)"),
        e("smth1", Xmile, B::Smooth1, 2, 3, "SMTH1(input, averaging time[, initial])"),
        e("smth3", Xmile, B::Smooth3, 2, 3, "SMTH3(input, averaging time[, initial])"),
        e("smthn", Xmile, B::SmoothN, 3, 4, "SMTHN(input, averaging time, order[, initial])"),
        e("sqrt", Both, B::Sqrt, 1, 1, "SQRT(x)"),
        e("starttime", Xmile, B::StartTime, 0, 0, "STARTTIME"),
        e("step", Both, B::Step, 2, 2, "STEP(height, start)"),
        e("stoptime", Xmile, B::StopTime, 0, 0, "STOPTIME"),
        e("tan", Both, B::Tan, 1, 1, "TAN(radians)"),
        e("time", Both, B::Time, 0, 0, "TIME"),
        e("time_step", Vensim, B::Dt, 0, 0, "TIME STEP"),
        e("trend", Both, B::Trend, 2, 3, "TREND(input, averaging time[, initial trend])"),
        e("xidz", Vensim, B::Xidz, 3, 3, "XIDZ(a, b, value where b is 0)"),
        e("zidz", Vensim, B::Zidz, 2, 2, "ZIDZ(a, b)"),
    ]
};

/// First parts of qualified names that XMILE knows.
pub const NAMESPACES: [&str; 11] = [
    "std",
    "user",
    "vensim",
    "isee",
    "anylogic",
    "forio",
    "insightmaker",
    "powersim",
    "simanticssd",
    "simile",
    "sysdea",
];

/// The namespace of a qualified folded name such as `isee.safediv`, and the rest.
pub fn qualified(folded: &str) -> Option<(&str, &str)> {
    folded.split_once('.').filter(|(space, _)| NAMESPACES.contains(space))
}

/// The builtin of this folded name, which may be qualified: `std.` and `isee.` are XMILE's own, `vensim.` reaches
/// Vensim's functions from XMILE.
pub fn lookup(folded: &str, dialect: Dialect) -> Option<&'static Entry> {
    let (name, dialect) = match qualified(folded) {
        None => (folded, dialect),
        Some(("std" | "isee", name)) => (name, Dialect::Xmile),
        Some(("vensim", name)) => (name, Dialect::Vensim),
        Some(_) => return None,
    };
    let first = TABLE.partition_point(|entry| entry.name < name);
    let same = TABLE[first..].iter().take_while(|entry| entry.name == name);
    same.into_iter().find(|entry| entry.is_of(dialect))
}

impl Entry {
    fn is_of(&self, dialect: Dialect) -> bool {
        match self.known {
            Known::Both => true,
            Known::Xmile => dialect == Dialect::Xmile,
            Known::Vensim => dialect == Dialect::Vensim,
        }
    }

    /// The name as written, such as `PULSE TRAIN`.
    pub fn spelling(&self) -> &'static str {
        self.usage.split('(').next().unwrap_or(self.usage)
    }

    /// What is wrong with this number of arguments; none where it fits.
    pub fn wrong_count(&self, count: usize) -> Option<String> {
        if (self.least..=self.most).contains(&count) {
            return None;
        }
        let spelling = self.spelling();
        let takes = match (self.least, self.most) {
            (0, 0) => "no arguments".to_owned(),
            (1, 1) => "1 argument".to_owned(),
            (least, ANY) => format!("{least} or more arguments"),
            (least, most) if least == most => format!("{least} arguments"),
            (least, most) => format!("{least} to {most} arguments"),
        };
        Some(format!("{spelling} takes {takes}, not {count}"))
    }
}

/// How a dialect writes a builtin; none where it has none.
pub fn spelling(builtin: Builtin, dialect: Dialect) -> Option<&'static str> {
    let mut entries = TABLE.iter();
    let entry = entries.find(|entry| entry.builtin == builtin && entry.is_of(dialect))?;
    Some(entry.spelling())
}

/// Why there is no function of this name, and what was probably meant.
pub fn unknown_function(folded: &str, text: &str, dialect: Dialect) -> String {
    if let Some((space, _)) = qualified(folded)
        && !matches!(space, "std" | "isee" | "vensim")
    {
        return format!("`{text}` is a function of `{space}`, which is not supported here");
    }
    if dialect == Dialect::Xmile
        && let Some(entry) = lookup(folded, Dialect::Vensim)
    {
        let name = entry.spelling().replace(' ', "_");
        return format!("`{text}` is a function of Vensim: write `vensim.{name}`, or XMILE's own");
    }
    let known = TABLE.iter().filter(|entry| entry.is_of(dialect));
    match names::nearest(folded, known.map(|entry| (entry.name, entry.usage))) {
        Some(usage) => format!("there is no function `{text}`: did you mean {usage}?"),
        None => format!("there is no function `{text}`: call a builtin or a graphical function by its name"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_folded() {
        assert!(TABLE.is_sorted_by_key(|entry| entry.name));
        for entry in TABLE {
            assert_eq!(names::fold(entry.spelling()), entry.name);
            assert!(entry.least <= entry.most);
            for dialect in [Dialect::Xmile, Dialect::Vensim] {
                let same = TABLE.iter().filter(|e| e.name == entry.name && e.is_of(dialect));
                assert!(same.count() <= 1, "{}", entry.name);
            }
        }
    }

    #[test]
    fn names_are_found_by_dialect_and_namespace() {
        let find = |name, dialect| lookup(name, dialect).map(|entry| entry.builtin);
        assert_eq!(find("pulse", Dialect::Xmile), Some(Builtin::Pulse));
        assert_eq!(find("pulse", Dialect::Vensim), Some(Builtin::PulseWidth));
        assert_eq!(find("vensim.pulse", Dialect::Xmile), Some(Builtin::PulseWidth));
        assert_eq!(find("std.pulse", Dialect::Vensim), Some(Builtin::Pulse));
        assert_eq!(find("isee.safediv", Dialect::Xmile), Some(Builtin::SafeDiv));
        assert_eq!(find("time_step", Dialect::Xmile), None);
        assert_eq!(find("delay_n", Dialect::Vensim), Some(Builtin::DelayNInitialFirst));
        assert_eq!(find("user.f", Dialect::Xmile), None);
        assert_eq!(find("sales.pulse", Dialect::Xmile), None);
    }

    #[track_caller]
    fn unknown(folded: &str, dialect: Dialect, expected: &str) {
        let message = unknown_function(folded, folded, dialect);
        assert!(message.contains(expected), "{message}");
    }

    #[test]
    fn unknown_functions_are_explained() {
        unknown("smht1", Dialect::Xmile, "did you mean SMTH1(");
        unknown("pulse_trian", Dialect::Vensim, "did you mean PULSE TRAIN(");
        unknown("zidz", Dialect::Xmile, "write `vensim.ZIDZ`");
        unknown("forio.f", Dialect::Xmile, "function of `forio`, which is not supported");
        unknown("growth", Dialect::Xmile, "no function `growth`");
    }

    #[test]
    fn wrong_numbers_of_arguments_are_told() {
        let wrong = |name, count| lookup(name, Dialect::Xmile).and_then(|entry| entry.wrong_count(count));
        assert_eq!(wrong("step", 2), None);
        assert_eq!(wrong("max", 9), None);
        assert_eq!(wrong("time", 0), None);
        let message = wrong("step", 1);
        assert_eq!(message.as_deref(), Some("STEP takes 2 arguments, not 1"));
        assert!(wrong("max", 0).is_some_and(|text| text.contains("1 or more arguments")));
        assert!(wrong("smth1", 4).is_some_and(|text| text.contains("2 to 3 arguments")));
        assert!(wrong("pi", 1).is_some_and(|text| text.contains("no arguments")));
    }
}
