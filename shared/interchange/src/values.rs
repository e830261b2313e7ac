//! Numbers as they stand in model files.

use meadow_dynamics::model::Specs;

/// A finite number: `1`, `.5`, `14.`, `6E5`, with a sign.
pub(crate) fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    // `parse` also takes "inf" and "nan", which are names in models.
    let spelled = text.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
    text.parse().ok().filter(|value: &f64| spelled && value.is_finite())
}

/// Sets the time step from its text, which may be a number or `1/n`.
pub(crate) fn set_dt(specs: &mut Specs, text: &str) {
    match text.split_once('/') {
        Some((one, value)) if number(one) == Some(1.0) && number(value).is_some() => {
            specs.dt = value.trim().to_owned();
            specs.reciprocal = true;
        }
        _ => text.trim().clone_into(&mut specs.dt),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_finite_and_spelled_in_digits() {
        for (text, value) in [(" .5", 0.5), ("14.", 14.0), ("-6E5\n", -6e5), ("+1e-007", 1e-7)] {
            assert_eq!(number(text), Some(value), "{text}");
        }
        for text in ["", "inf", "NaN", "1e999", "0x10", "1,5", "1 2", "e"] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn a_step_may_be_a_fraction_of_one() {
        let mut specs = Specs::default();
        set_dt(&mut specs, "1/8");
        assert_eq!((&*specs.dt, specs.reciprocal), ("8", true));
        let mut specs = Specs::default();
        set_dt(&mut specs, " 3/8 ");
        assert_eq!((&*specs.dt, specs.reciprocal), ("3/8", false));
    }
}
