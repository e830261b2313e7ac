//! `simulation-without-stop`: it is said how to run the model, but not until when.

use super::Rule;
use crate::context::Context;
use crate::found::{Found, Hint};
use crate::report::Level;
use meadow_model::{Pointer, Simulation};

pub(super) const RULE: Rule = Rule {
    code: "simulation-without-stop",
    about: "a simulation has no stop time",
    check,
};

fn check(cx: &Context<'_>, found: &mut Found) {
    let simulation = &cx.document.simulation;
    if simulation.stop.is_none() && *simulation != Simulation::default() {
        found.advice(Level::Warning, || Hint {
            pointer: Pointer::root().key("simulation").key("stop"),
            message: "the simulation has no stop time, so it cannot be run".to_owned(),
            fix: "give stop, a number greater than start".to_owned(),
            patch: None,
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::advice;

    #[test]
    fn cases() {
        let code = "simulation-without-stop";
        advice(code, "{}", &[]);
        advice(code, r#"{"simulation":null}"#, &[]);
        advice(code, r#"{"simulation":{"stop":0}}"#, &[]);
        let text = "/simulation/stop: the simulation has no stop time, so it cannot be run; give stop, a number greater than start";
        for simulation in [
            r#"{"dt":0.1}"#,
            r#"{"stop":null,"time_unit":"month"}"#,
            r#"{"stopp":1}"#,
        ] {
            advice(code, &format!(r#"{{"simulation":{simulation}}}"#), &[(text, "")]);
        }
    }
}
