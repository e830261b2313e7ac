//! `unknown-member`: a member that looks like a misspelling of one that we know. Other extra members are welcome.

use super::Rule;
use crate::context::Context;
use crate::found::{Found, Hint, quote};
use crate::near;
use crate::report::{Level, Operation};
use meadow_model::fields::{Fielded, Need};
use meadow_model::{Pointer, Simulation};

pub(super) const RULE: Rule = Rule {
    code: "unknown-member",
    about: "a member's name is nearly that of a known member",
    check,
};

/// Unknown members that are compared with the known ones, so that a document full of them is still read quickly.
const COMPARED: usize = 10_000;

fn check(cx: &Context<'_>, found: &mut Found) {
    let d = cx.document;
    let root = Pointer::root;
    let item = |list: &'static str, i| move || Pointer::root().key(list).index(i);
    let mut look = Look { found, left: COMPARED };
    look.at_free(d, root, |member| match member {
        "simulation" => d.simulation == Simulation::default(),
        member => d.lacks(member),
    });
    look.at(&d.boundary, || root().key("boundary"));
    look.at(&d.loops, || root().key("loops"));
    look.at(&d.simulation, || root().key("simulation"));
    for (i, link) in d.interconnections.iter().enumerate() {
        look.at(link, item("interconnections", i));
    }
    for (i, stock) in d.stocks.iter().enumerate() {
        look.at(stock, item("stocks", i));
    }
    for (i, flow) in d.flows.iter().enumerate() {
        look.at(flow, item("flows", i));
    }
    for (i, variable) in d.variables.iter().enumerate() {
        look.at(variable, item("variables", i));
    }
    for (list, i, one) in d.loops.all() {
        look.at(one, || root().key("loops").key(list).index(i));
    }
    for (i, point) in d.leverage_points.iter().enumerate() {
        look.at(point, item("leverage_points", i));
    }
    for (i, intervention) in d.interventions.iter().enumerate() {
        look.at(intervention, item("interventions", i));
        for (j, change) in intervention.changes.iter().enumerate() {
            look.at(change, || root().key("interventions").index(i).key("changes").index(j));
        }
    }
}

/// Looks at one record after another.
struct Look<'f> {
    found: &'f mut Found,
    /// Members that may still be compared.
    left: usize,
}

impl Look<'_> {
    /// Looks at the extra members of `record`, which stands at `place`.
    fn at<R: Fielded>(&mut self, record: &R, place: impl Fn() -> Pointer) {
        self.at_free(record, place, |member| record.lacks(member));
    }

    /// The same; `is_free` says whether a known member may be overwritten.
    fn at_free<R: Fielded>(&mut self, record: &R, place: impl Fn() -> Pointer, is_free: impl Fn(&str) -> bool) {
        for name in record.unknown() {
            let Some(left) = self.left.checked_sub(1) else { return };
            self.left = left;
            let near = R::RECORD
                .fields
                .iter()
                .find(|field| near::is_misspelling(name, field.name));
            let Some(field) = near else { continue };
            let member = field.name;
            self.found.advice(Level::Warning, || {
                // A member that needs content has its patch in the finding that it is missing.
                let is_first = near::misspelt(record.unknown(), member) == Some(&**name);
                let is_free = field.need == Need::Optional && is_free(member);
                let pointer = place().key(name);
                Hint {
                    message: format!("{} is no member of {}", quote(name), R::RECORD.name),
                    fix: format!("did you mean `{member}`? Rename it"),
                    patch: (is_first && is_free).then(|| vec![Operation::moved(pointer.clone(), place().key(member))]),
                    pointer,
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::advice;

    #[test]
    fn cases() {
        let check = |text: &str, expected: &[(&str, &str)]| advice("unknown-member", text, expected);
        check(r#"{"author":"me","notes":1,"stocks":[{"color":"red"}]}"#, &[]);
        check(
            r#"{"stocks":[{"id":"a"},{"unitt":"l","initail":3}]}"#,
            &[
                (
                    "/stocks/1/unitt: `unitt` is no member of a stock; did you mean `unit`? Rename it",
                    "",
                ),
                (
                    "/stocks/1/initail: `initail` is no member of a stock; did you mean `initial`? Rename it",
                    r#"[{"op":"move","path":"/stocks/1/initial","from":"/stocks/1/initail"}]"#,
                ),
            ],
        );
        check(
            r#"{"System Name":"x","simulaton":{},"boundary":{"scopeIn":[]}}"#,
            &[
                (
                    "/boundary/scopeIn: `scopeIn` is no member of a boundary; did you mean `scope_in`? Rename it",
                    "",
                ),
                (
                    "/System Name: `System Name` is no member of a systems-thinking document; did you mean `system_name`? Rename it",
                    "",
                ),
                (
                    "/simulaton: `simulaton` is no member of a systems-thinking document; did you mean `simulation`? Rename it",
                    r#"[{"op":"move","path":"/simulation","from":"/simulaton"}]"#,
                ),
            ],
        );
        check(
            r#"{"simulation":{"stop":1,"method":"rk4"},"simulatio":1,"loops":{"balancing":[{"elements":["a"],"elemets":[],"element":[]}]}}"#,
            &[
                (
                    "/loops/balancing/0/elemets: `elemets` is no member of a loop; did you mean `elements`? Rename it",
                    "",
                ),
                (
                    "/loops/balancing/0/element: `element` is no member of a loop; did you mean `elements`? Rename it",
                    "",
                ),
                (
                    "/simulatio: `simulatio` is no member of a systems-thinking document; did you mean `simulation`? Rename it",
                    "",
                ),
            ],
        );
        check(
            r#"{"flows":[{"units":"l","unitt":"m"}]}"#,
            &[
                (
                    "/flows/0/units: `units` is no member of a flow; did you mean `unit`? Rename it",
                    r#"[{"op":"move","path":"/flows/0/unit","from":"/flows/0/units"}]"#,
                ),
                (
                    "/flows/0/unitt: `unitt` is no member of a flow; did you mean `unit`? Rename it",
                    "",
                ),
            ],
        );
    }
}
