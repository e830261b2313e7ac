//! The one table of records and members.
//!
//! Each line of a record gives the JSON name, the Rust field, its type, whether content is needed, and what it
//! means. The types, the parser, JSON Schema, the MCP inputSchema and the list of missing members all come from
//! these lines; to add a member, add a line.

use crate::chain;
use crate::json::{Keys, Kind, Reader, Stop};
use crate::pointer::Path;
use crate::values::{
    Confidence, End, Initial, LeverageId, LinkType, Method, Point, Polarity, Read, Shape, Text, member,
};
use std::borrow::Cow;

/// Whether a member needs content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// A member that is absent, null, blank or an empty list is named in `missing_fields`.
    Content,
    /// A member that may be left out.
    Optional,
}

/// One line of the table.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// The name in JSON.
    pub name: &'static str,
    /// Whether content is needed.
    pub need: Need,
    /// What it means.
    pub doc: &'static str,
    /// What may stand there.
    pub shape: Shape,
}

/// One kind of object.
#[derive(Debug, Clone, Copy)]
pub struct Record {
    /// What one is called in messages.
    pub name: &'static str,
    /// Its members.
    pub fields: &'static [Field],
}

/// A record of the table, as a type.
pub trait Fielded {
    /// Its lines.
    const RECORD: Record;

    /// Calls `f` with the name of each member that needs content and has none, in the order of the table.
    fn missing(&self, f: impl FnMut(&'static str));

    /// True when the member `name` of the table has no content. A member that is an object, and a name that is not in
    /// the table, is never lacking.
    fn lacks(&self, name: &str) -> bool;

    /// The names of members that are not in the table, in the order of the text.
    fn unknown(&self) -> &[Cow<'_, str>];
}

macro_rules! record {
    ($(#[$doc:meta])* $type:ident, $what:literal { $($json:literal $field:ident: $kind:ty, $need:ident, $about:literal;)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Default)]
        pub struct $type<'a> {
            $(#[doc = $about] pub $field: $kind,)+
            /// The names of members that are not in the table, in the order of the text.
            pub unknown: Vec<Cow<'a, str>>,
        }

        impl<'a> Fielded for $type<'a> {
            const RECORD: Record = Record {
                name: $what,
                fields: &[$(Field { name: $json, need: Need::$need, doc: $about, shape: <$kind as Read>::SHAPE }),+],
            };

            fn missing(&self, mut f: impl FnMut(&'static str)) {
                $(if matches!(Need::$need, Need::Content) && self.$field.is_blank() {
                    f($json);
                })+
            }

            fn lacks(&self, name: &str) -> bool {
                match name {
                    $($json => self.$field.is_blank(),)+
                    _ => false,
                }
            }

            fn unknown(&self) -> &[Cow<'_, str>] {
                &self.unknown
            }
        }

        impl<'a> Read<'a> for $type<'a> {
            const SHAPE: Shape = Shape::Record(&Self::RECORD);

            fn read(reader: &mut Reader<'a>, path: &Path<'_>) -> Result<Self, Stop> {
                #[derive(Clone, Copy)]
                #[expect(non_camel_case_types, reason = "one variant for each field, named like it")]
                enum At { $($field),+ }

                let mut value = Self::default();
                if reader.peek()? != Kind::Object {
                    reader.wrong(path, concat!("an object: ", $what))?;
                    return Ok(value);
                }
                reader.record(path)?;
                let mut seen = 0u32;
                let mut others = Keys::default();
                reader.object(path, |reader, key| {
                    let at = match &*key {
                        $($json => At::$field,)+
                        _ => {
                            let path = Path::Key(path, &key);
                            if !others.is_new(&key) {
                                return reader.duplicate(&path);
                            }
                            reader.any(&path)?;
                            value.unknown.push(key);
                            return Ok(());
                        }
                    };
                    let path = Path::Key(path, &key);
                    let bit = 1u32 << at as u32;
                    if seen & bit != 0 {
                        return reader.duplicate(&path);
                    }
                    seen |= bit;
                    match at {
                        $(At::$field => value.$field = member(reader, &path)?,)+
                    }
                    Ok(())
                })?;
                Ok(value)
            }

            fn is_blank(&self) -> bool {
                false
            }
        }
    };
}

record! {
    /// A systems-thinking model.
    Document, "a systems-thinking document" {
        "version" version: Text<'a>, Content, "Version of the document, such as 1.0.0";
        "system_name" system_name: Text<'a>, Content, "Name of the system; the id of the model is made from it";
        "boundary" boundary: Boundary<'a>, Content, "What the system is for, what belongs to it and what does not";
        "elements" elements: Vec<Cow<'a, str>>, Content, "The parts of the system: nouns. May repeat ids of stocks, flows and variables";
        "interconnections" interconnections: Vec<Interconnection<'a>>, Content, "Which part affects which, and how";
        "stocks" stocks: Vec<Stock<'a>>, Content, "What accumulates: measurable stores";
        "flows" flows: Vec<Flow<'a>>, Content, "What fills and drains the stocks: rates";
        "variables" variables: Vec<Variable<'a>>, Optional, "Auxiliaries, constants and graphical functions that expressions name";
        "loops" loops: Loops<'a>, Content, "Feedback loops; at least one in either list";
        "leverage_points" leverage_points: Vec<LeveragePoint<'a>>, Content, "Meadows's twelve places to intervene; those that were considered";
        "interventions" interventions: Vec<Intervention<'a>>, Optional, "Proposals, each at a leverage point";
        "simulation" simulation: Simulation<'a>, Optional, "How the model is run";
    }
}

record! {
    /// What the system is for and where it ends.
    Boundary, "a boundary" {
        "purpose" purpose: Text<'a>, Content, "The system's purpose, deduced from its behaviour, in one sentence";
        "scope_in" scope_in: Vec<Cow<'a, str>>, Content, "What belongs to the system";
        "scope_out" scope_out: Vec<Cow<'a, str>>, Content, "What was left out on purpose";
    }
}

record! {
    /// A link from one part to another.
    Interconnection, "an interconnection" {
        "from" from: Text<'a>, Content, "The part that affects";
        "to" to: Text<'a>, Content, "The part that is affected";
        "type" link_type: Option<LinkType>, Content, "causal, flow (material) or info (knowledge)";
        "polarity" polarity: Option<Polarity>, Optional, "+ when both move the same way, - when they move opposite ways";
        "delay" delay: Option<bool>, Optional, "True when the effect comes noticeably later";
        "description" description: Text<'a>, Optional, "The link in words";
        "evidence" evidence: Vec<Cow<'a, str>>, Optional, "URIs: `literature://arxiv/ID`, `note:///x.md`, https";
        "confidence" confidence: Confidence, Optional, "How sure the link is, 0 to 1";
    }
}

record! {
    /// An accumulation: units that add up over time.
    Stock, "a stock" {
        "id" id: Text<'a>, Content, "Its name; flows and expressions refer to it";
        "unit" unit: Text<'a>, Content, "Unit in which it is counted";
        "description" description: Text<'a>, Content, "What it holds";
        "initial" initial: Initial<'a>, Optional, "What it holds at the start: a number or an expression; needed to run";
        "non_negative" non_negative: Option<bool>, Optional, "It cannot fall below zero";
    }
}

record! {
    /// A rate that fills one stock, drains another, or both: units per time.
    Flow, "a flow" {
        "id" id: Text<'a>, Content, "Name of the flow";
        "from_stock" from_stock: End<'a>, Content, "Stock it drains; null: a cloud, a source outside the boundary";
        "to_stock" to_stock: End<'a>, Content, "Stock it fills; null: a cloud, a sink outside the boundary";
        "rate_expr" rate_expr: Text<'a>, Content, "Units per time, such as 0.1 * demand";
        "unit" unit: Text<'a>, Optional, "Unit of the rate, such as litre/minute";
        "description" description: Text<'a>, Optional, "The flow in words";
    }
}

record! {
    /// An auxiliary, a constant or a graphical function.
    Variable, "a variable" {
        "id" id: Text<'a>, Content, "Name of the variable";
        "expr" expr: Text<'a>, Content, "Its expression; with points, their input";
        "unit" unit: Text<'a>, Optional, "Its unit";
        "description" description: Text<'a>, Optional, "The variable in words";
        "points" points: Vec<Point>, Optional, "A graphical function: [x, y] points";
    }
}

record! {
    /// The feedback loops of a model.
    Loops, "loops" {
        "balancing" balancing: Vec<Loop<'a>>, Optional, "Loops that dampen change (B)";
        "reinforcing" reinforcing: Vec<Loop<'a>>, Optional, "Loops that amplify change (R)";
    }
}

record! {
    /// A feedback loop.
    Loop, "a loop" {
        "id" id: Text<'a>, Content, "Verb phrase and polarity, such as Sales Reinvest R";
        "description" description: Text<'a>, Content, "Chain and words: demand -> sales -> demand: the more is sold ...";
        "elements" elements: Vec<Cow<'a, str>>, Optional, "The parts in order; else read from the description's arrows";
    }
}

record! {
    /// One of Meadows's twelve places to intervene in a system.
    LeveragePoint, "a leverage point" {
        "id" id: LeverageId, Content, "12 (parameters, easy to tweak) to 1 (transcending paradigms, powerful)";
        "label" label: Text<'a>, Content, "Its name in your words; the id decides";
        "is_applicable" is_applicable: Option<bool>, Content, "True when worth trying here; then an intervention should target it";
    }
}

record! {
    /// A proposal at a leverage point.
    Intervention, "an intervention" {
        "target_leverage_id" target_leverage_id: LeverageId, Content, "Id of the leverage point, 1 to 12";
        "proposal" proposal: Text<'a>, Content, "What to do";
        "expected_effect" expected_effect: Text<'a>, Content, "What it should change";
        "confidence" confidence: Confidence, Content, "How sure the effect is, 0 to 1";
        "changes" changes: Vec<Change<'a>>, Optional, "Variables with new expressions: a scenario to run";
    }
}

record! {
    /// A variable that an intervention changes.
    Change, "a change" {
        "variable" variable: Text<'a>, Content, "Id of the variable";
        "expr" expr: Text<'a>, Content, "Its new expression";
    }
}

record! {
    /// How a model is run.
    Simulation, "a simulation" {
        "start" start: Option<f64>, Optional, "Start time; 0 when absent";
        "stop" stop: Option<f64>, Optional, "Stop time; needed to run";
        "dt" dt: Option<f64>, Optional, "Time step; 1 when absent";
        "method" method: Option<Method>, Optional, "euler (when absent) or rk4";
        "time_unit" time_unit: Text<'a>, Optional, "Unit of time, such as month";
    }
}

impl<'a> Loops<'a> {
    /// All loops, the balancing ones first, each with its list's name and its index there.
    pub fn all(&self) -> impl Iterator<Item = (&'static str, usize, &Loop<'a>)> {
        let balancing = self.balancing.iter().enumerate().map(|(i, l)| ("balancing", i, l));
        balancing.chain(self.reinforcing.iter().enumerate().map(|(i, l)| ("reinforcing", i, l)))
    }
}

impl Loop<'_> {
    /// The names on the loop: the list `elements` where it has items, else the description's arrow chain.
    pub fn members(&self) -> impl Iterator<Item = &str> {
        let listed = self.elements.iter().map(|name| &**name);
        let description = if self.elements.is_empty() {
            self.description.as_str()
        } else {
            ""
        };
        listed.chain(chain::links(description).map(|link| link.name))
    }
}
