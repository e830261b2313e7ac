//! Numbers as text.

/// The shortest digits that give the number back: `0.1`, `3`, `1e-7`, `1e300`, `inf`, `NaN`.
#[must_use]
pub fn shortest(number: f64) -> String {
    let mut text = String::new();
    push_shortest(&mut text, number);
    text
}

/// Four significant digits of a number: as many as advice needs.
pub(crate) fn few_digits(number: f64) -> String {
    shortest(rounded(number, 4))
}

/// A number of so many significant digits.
#[must_use]
pub fn rounded(value: f64, digits: usize) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    format!("{value:.*e}", digits.max(1) - 1).parse().unwrap_or(value)
}

/// Adds [`shortest`] to a text.
pub(crate) fn push_shortest(text: &mut String, number: f64) {
    use std::fmt::Write as _;
    let start = text.len();
    // Writing to a text cannot fail.
    let _ = write!(text, "{number:?}");
    if text[start..].ends_with(".0") {
        text.truncate(text.len() - 2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(number: f64, expected: &str) {
        assert_eq!(shortest(number), expected);
    }

    #[test]
    fn few_digits_whatever_the_size() {
        check(0.1, "0.1");
        check(-0.0, "-0");
        check(3.0, "3");
        check(1e15, "1000000000000000");
        check(1e300, "1e300");
        check(-1.5e-300, "-1.5e-300");
        check(f64::NEG_INFINITY, "-inf");
        check(f64::NAN, "NaN");
    }

    #[test]
    fn numbers_are_rounded_to_significant_digits() {
        for (value, expected) in [
            (1234.567, 1235.0),
            (0.000_123_456, 0.000_123_5),
            (-99.999, -100.0),
            (0.0, 0.0),
            (1e300, 1e300),
            (0.1 + 0.2, 0.3),
        ] {
            assert_eq!(rounded(value, 4), expected);
        }
        assert!(rounded(f64::NAN, 4).is_nan());
        assert_eq!(rounded(f64::INFINITY, 4), f64::INFINITY);
    }
}
