//! `unknown-loop-member`: a loop leads over a name that is no element, stock, flow or variable.
//!
//! A name counts once for each loop, however often the loop comes by.

use super::Rule;
use crate::context::{Context, LoopMember};
use crate::found::{Found, Note, quote};
use crate::report::Operation;
use foldhash::fast::RandomState;
use meadow_model::{Loop, Pointer, chain};
use std::collections::HashMap;

pub(super) const RULE: Rule = Rule {
    code: "unknown-loop-member",
    about: "a loop's member is no element, stock, flow or variable",
    check,
};

/// An unknown name of one loop: all its places, and the name that it probably means.
struct Unknown<'d> {
    name: &'d str,
    places: Vec<usize>,
    near: Option<&'d str>,
}

fn check(cx: &Context<'_>, found: &mut Found) {
    for members in cx
        .unresolved
        .loop_members
        .chunk_by(|a, b| (a.list, a.index) == (b.list, b.index))
    {
        let (list, index) = (members[0].list, members[0].index);
        let loops = &cx.document.loops;
        let one = match list {
            "balancing" => &loops.balancing[index],
            _ => &loops.reinforcing[index],
        };
        let place = || Pointer::root().key("loops").key(list).index(index);
        let unknown = distinct(cx, members);
        if !one.elements.is_empty() {
            for name in unknown {
                found.warning(|| in_list(cx, &place().key("elements"), &name));
            }
            continue;
        }
        // All names of a description are replaced by one patch, which the first such finding carries.
        let mut patch = cx.has_elements.then(|| rewritten(one, &unknown)).flatten();
        for name in unknown {
            found.warning(|| {
                let pointer = place().key("description");
                let patch = match name.near {
                    Some(_) => patch
                        .take()
                        .map(|text| vec![Operation::replace(pointer.clone(), text.into())]),
                    None => cx.declare(name.name),
                };
                note(pointer, &name, patch)
            });
        }
    }
}

/// The unknown names of one loop, each once.
fn distinct<'d>(cx: &Context<'d>, members: &[LoopMember<'d>]) -> Vec<Unknown<'d>> {
    let mut at: HashMap<&str, usize, RandomState> = HashMap::default();
    let mut all: Vec<Unknown<'d>> = Vec::new();
    for member in members {
        let at = *at.entry(member.name).or_insert(all.len());
        if at == all.len() {
            all.push(Unknown {
                name: member.name,
                places: Vec::new(),
                near: cx.near_any(member.name),
            });
        }
        all[at].places.push(member.at);
    }
    all
}

/// The warning about a name in a loop's list of elements.
fn in_list<'d>(cx: &Context<'d>, list: &Pointer, name: &Unknown<'d>) -> Note {
    let place = |at: &usize| list.clone().index(*at);
    let patch = match name.near {
        _ if !cx.has_elements => None,
        Some(near) => {
            let replace = |at| Operation::replace(place(at), near.into());
            Some(name.places.iter().map(replace).collect())
        }
        None => cx.declare(name.name),
    };
    note(place(&name.places[0]), name, patch)
}

fn note(pointer: Pointer, unknown: &Unknown<'_>, patch: Option<Vec<Operation>>) -> Note {
    let repair = match unknown.near {
        Some(near) => format!("did you mean {}?", quote(near)),
        None => "add it to elements or correct it".to_owned(),
    };
    Note {
        pointer,
        text: format!(
            "{} is no element, stock, flow or variable; {repair}",
            quote(unknown.name)
        ),
        patch,
    }
}

/// The loop's description with the names of its chain replaced by those that they probably mean; none where there is
/// nothing to replace.
fn rewritten(one: &Loop<'_>, unknown: &[Unknown<'_>]) -> Option<String> {
    let mut edits: Vec<_> = unknown
        .iter()
        .filter_map(|u| Some((u, u.near.filter(|near| stands_in_chain(near))?)))
        .flat_map(|(u, near)| u.places.iter().map(move |at| (*at, u.name.len(), near)))
        .collect();
    if edits.is_empty() {
        return None;
    }
    edits.sort_unstable();
    let description = one.description.as_str();
    let mut text = String::with_capacity(description.len());
    let mut from = 0;
    for (at, length, near) in edits {
        text.push_str(&description[from..at]);
        text.push_str(near);
        from = at + length;
    }
    text.push_str(&description[from..]);
    Some(text)
}

/// True when `name` has nothing in it that would cut a chain.
fn stands_in_chain(name: &str) -> bool {
    chain::links(&format!("{name}->")).map(|link| link.name).eq([name])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::tests::{Expected, check};

    #[test]
    fn cases() {
        let doc = |one: &str| {
            format!(
                r#"{{"elements":["bather","a: b"],"stocks":[{{"id":"tub_water"}}],"flows":[{{"id":"inflow"}}],
                "variables":[{{"id":"target"}}],"loops":{{"balancing":[{{}}],"reinforcing":[{{{one}}}]}}}}"#
            )
        };
        let check = |one: &str, expected: &[Expected<'_>]| check("unknown-loop-member", &doc(one), expected);
        check(r#""id":"ghost","description":"no ghost in prose""#, &[]);
        check(
            r#""description":"bather -> tub_water → inflow => target: ghost -> x""#,
            &[],
        );
        check(r#""description":"ghost -> ghost","elements":["bather"," "]"#, &[]);
        check(
            r#""description":"ghost -> bather -> ghost -> moon""#,
            &[
                (
                    "loops.reinforcing[0].description: `ghost` is no element, stock, flow or variable; add it to elements or correct it",
                    r#"[{"op":"add","path":"/elements/-","value":"ghost"}]"#,
                ),
                (
                    "loops.reinforcing[0].description: `moon` is no element, stock, flow or variable; add it to elements or correct it",
                    r#"[{"op":"add","path":"/elements/-","value":"moon"}]"#,
                ),
            ],
        );
        check(
            r#""description":"Bather -> tub_watr ->Bather : as Bather says""#,
            &[
                (
                    "loops.reinforcing[0].description: `Bather` is no element, stock, flow or variable; did you mean `bather`?",
                    r#"[{"op":"replace","path":"/loops/reinforcing/0/description","value":"bather -> tub_water ->bather : as Bather says"}]"#,
                ),
                (
                    "loops.reinforcing[0].description: `tub_watr` is no element, stock, flow or variable; did you mean `tub_water`?",
                    "",
                ),
            ],
        );
        check(
            r#""elements":["Inflow","bather","Inflow","ghost"]"#,
            &[
                (
                    "loops.reinforcing[0].elements[0]: `Inflow` is no element, stock, flow or variable; did you mean `inflow`?",
                    r#"[{"op":"replace","path":"/loops/reinforcing/0/elements/0","value":"inflow"},{"op":"replace","path":"/loops/reinforcing/0/elements/2","value":"inflow"}]"#,
                ),
                (
                    "loops.reinforcing[0].elements[3]: `ghost` is no element, stock, flow or variable; add it to elements or correct it",
                    r#"[{"op":"add","path":"/elements/-","value":"ghost"}]"#,
                ),
            ],
        );
    }

    #[test]
    fn a_name_is_declared_by_one_patch_only_and_never_into_a_missing_list() {
        let elsewhere =
            r#"{"loops":{"balancing":[{"description":"a -> b -> a"},{"description":"a -> a"}]},"elements":["x"]}"#;
        let text = |place: &str| {
            format!(
                "{place}: `{}` is no element, stock, flow or variable; add it to elements or correct it",
                "NAME"
            )
        };
        let (a, b) = (
            text("loops.balancing[0].description"),
            text("loops.balancing[1].description"),
        );
        let (first, second, again) = (a.replace("NAME", "a"), a.replace("NAME", "b"), b.replace("NAME", "a"));
        check(
            "unknown-loop-member",
            elsewhere,
            &[
                (&first, r#"[{"op":"add","path":"/elements/-","value":"a"}]"#),
                (&second, r#"[{"op":"add","path":"/elements/-","value":"b"}]"#),
                (&again, ""),
            ],
        );
        let without = elsewhere.replace(r#","elements":["x"]"#, "");
        check(
            "unknown-loop-member",
            &without,
            &[(&first, ""), (&second, ""), (&again, "")],
        );
    }

    #[test]
    fn a_name_that_would_cut_the_chain_is_not_put_in() {
        assert!(stands_in_chain("first part") && stands_in_chain("水位"));
        assert!(!stands_in_chain("a: b") && !stands_in_chain("a->b") && !stands_in_chain(" a"));
    }
}
