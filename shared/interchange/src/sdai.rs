//! The JSON that sd-ai and Simlin's agents exchange: variables with equations, and relationships with reasons.
//!
//! Models write it, so texts come as numbers, numbers as texts, and members under either of two names. What has the
//! wrong kind is read as it was probably meant, or noted; only text that is no such JSON at all is refused.

use crate::notes::Notes;
use crate::values::{number, set_dt};
use crate::{Format, MAX_VARIABLES, ReadError};
use meadow_dynamics::model::{DeclaredLoop, Graphical, GraphicalKind, Kind, Link, Model, Specs, Variable};
use meadow_dynamics::names::identifier;
use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// Reads a model from the text of an SD-AI file.
///
/// # Errors
/// Where the text is no JSON object, or has more variables or relationships than are read.
pub(crate) fn read(text: &str) -> Result<Model, ReadError> {
    let file: File = serde_json::from_str(text).map_err(|error| ReadError::new(Format::SdAi, error.to_string()))?;
    Ok(file.model())
}

/// A text, number or truth value, whichever stands there.
#[derive(Debug, Default)]
enum Scalar {
    /// Null, or not there.
    #[default]
    Absent,
    Text(String),
    /// A number or truth value as JSON text.
    Plain(String),
    /// A list or object, where neither has a meaning, and whether it holds anything.
    Nested(bool),
}

impl Scalar {
    /// Its text, trimmed; none where it is blank.
    fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) | Self::Plain(text) => Some(text.trim()).filter(|text| !text.is_empty()),
            Self::Absent | Self::Nested(_) => None,
        }
    }

    /// True when anything is there.
    fn is_given(&self) -> bool {
        self.text().is_some() || matches!(self, Self::Nested(true))
    }

    fn is_true(&self) -> bool {
        self.text()
            .is_some_and(|text| ["true", "yes", "1"].contains(&&*text.to_lowercase()))
    }
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Scalar;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text or a number")
            }
            fn visit_str<E>(self, value: &str) -> Result<Scalar, E> {
                Ok(Scalar::Text(value.to_owned()))
            }
            fn visit_string<E>(self, value: String) -> Result<Scalar, E> {
                Ok(Scalar::Text(value))
            }
            fn visit_bool<E>(self, value: bool) -> Result<Scalar, E> {
                Ok(Scalar::Plain(value.to_string()))
            }
            fn visit_i64<E>(self, value: i64) -> Result<Scalar, E> {
                Ok(Scalar::Plain(value.to_string()))
            }
            fn visit_u64<E>(self, value: u64) -> Result<Scalar, E> {
                Ok(Scalar::Plain(value.to_string()))
            }
            fn visit_f64<E>(self, value: f64) -> Result<Scalar, E> {
                // Debug keeps exponents: Display would write 1e300 as 301 digits.
                Ok(Scalar::Plain(format!("{value:?}")))
            }
            fn visit_unit<E>(self) -> Result<Scalar, E> {
                Ok(Scalar::Absent)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Scalar, A::Error> {
                let mut any = false;
                while seq.next_element::<IgnoredAny>()?.is_some() {
                    any = true;
                }
                Ok(Scalar::Nested(any))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Scalar, A::Error> {
                let mut any = false;
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {
                    any = true;
                }
                Ok(Scalar::Nested(any))
            }
        }
        deserializer.deserialize_any(Any)
    }
}

/// A list of at most [`MAX_VARIABLES`] items; a text is a list of one.
#[derive(Debug)]
struct List<T>(Vec<T>);

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Items<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Items<T> {
            type Value = List<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a list of at most {MAX_VARIABLES} items")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<List<T>, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = seq.next_element()? {
                    if items.len() == MAX_VARIABLES {
                        return Err(A::Error::invalid_length(MAX_VARIABLES + 1, &self));
                    }
                    items.push(item);
                }
                Ok(List(items))
            }
            fn visit_str<E: Error>(self, value: &str) -> Result<List<T>, E> {
                let item = T::deserialize(value.into_deserializer())?;
                Ok(List(vec![item]))
            }
            fn visit_unit<E>(self) -> Result<List<T>, E> {
                Ok(List::default())
            }
        }
        deserializer.deserialize_any(Items(PhantomData))
    }
}

/// A file, or the `model` within the answer of the sd-ai service.
#[derive(Debug, Default, Deserialize)]
#[serde(
    default,
    rename_all = "camelCase",
    expecting = "an object with variables, relationships and specs"
)]
struct File {
    name: Scalar,
    title: Scalar,
    variables: List<Item>,
    relationships: List<Relationship>,
    specs: Option<Times>,
    model: Option<Box<File>>,
    supporting_info: Option<Info>,
    feedback_loops: List<Feedback>,
    feedback: Option<FeedbackList>,
    modules: Scalar,
    dimensions: Scalar,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Info {
    title: Scalar,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct FeedbackList {
    feedback_loops: List<Feedback>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(
    default,
    rename_all = "camelCase",
    expecting = "an object: a variable with name, type and equation"
)]
struct Item {
    name: Scalar,
    r#type: Scalar,
    equation: Scalar,
    inflows: List<Scalar>,
    outflows: List<Scalar>,
    units: Scalar,
    documentation: Scalar,
    uniflow: Scalar,
    non_negative: Scalar,
    graphical_function: Points,
    dimensions: Scalar,
    array_equations: Scalar,
    sub_type: Scalar,
}

/// A graphical function: `{"points": [...]}`, or the list alone.
#[derive(Debug, Default)]
struct Points(Vec<Point>);

impl<'de> Deserialize<'de> for Points {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Points;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with points")
            }
            fn visit_unit<E>(self) -> Result<Points, E> {
                Ok(Points::default())
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Points, A::Error> {
                let mut points = Vec::new();
                while let Some(point) = seq.next_element()? {
                    points.push(point);
                }
                Ok(Points(points))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Points, A::Error> {
                let mut points = Points::default();
                while let Some(key) = map.next_key::<String>()? {
                    if key == "points" {
                        points = map.next_value()?;
                    } else {
                        map.next_value::<IgnoredAny>()?;
                    }
                }
                Ok(points)
            }
        }
        deserializer.deserialize_any(Any)
    }
}

/// `{"x": 0, "y": 1}` or `[0, 1]`; none where a number is lacking.
#[derive(Debug)]
struct Point(Option<[f64; 2]>);

impl<'de> Deserialize<'de> for Point {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        fn value(scalar: &Scalar) -> Option<f64> {
            scalar.text().and_then(number)
        }
        impl<'de> Visitor<'de> for Any {
            type Value = Point;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a point: an object with x and y")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Point, A::Error> {
                let (x, y) = (seq.next_element::<Scalar>()?, seq.next_element::<Scalar>()?);
                let more = seq.next_element::<IgnoredAny>()?.is_some();
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                let pair = x.zip(y).filter(|_| !more);
                Ok(Point(pair.and_then(|(x, y)| Some([value(&x)?, value(&y)?]))))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Point, A::Error> {
                let (mut x, mut y) = (None, None);
                while let Some(key) = map.next_key::<String>()? {
                    match key.as_str() {
                        "x" => x = value(&map.next_value()?),
                        "y" => y = value(&map.next_value()?),
                        _ => drop(map.next_value::<IgnoredAny>()?),
                    }
                }
                Ok(Point(x.zip(y).map(|(x, y)| [x, y])))
            }
        }
        deserializer.deserialize_any(Any)
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(
    default,
    rename_all = "camelCase",
    expecting = "an object: a relationship with from, to and polarity"
)]
struct Relationship {
    from: Scalar,
    to: Scalar,
    polarity: Scalar,
    reasoning: Scalar,
    polarity_reasoning: Scalar,
    delay: Scalar,
}

#[derive(Debug, Default, Deserialize)]
#[serde(
    default,
    rename_all = "camelCase",
    expecting = "an object with startTime, stopTime and dt"
)]
struct Times {
    start_time: Scalar,
    stop_time: Scalar,
    end_time: Scalar,
    dt: Scalar,
    save_step: Scalar,
    time_units: Scalar,
    integration_method: Scalar,
    method: Scalar,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, expecting = "an object: a loop with name, links and polarity")]
struct Feedback {
    identifier: Scalar,
    name: Scalar,
    links: List<Relationship>,
    polarity: Scalar,
}

impl File {
    fn model(mut self) -> Model {
        let title = |file: &File| {
            let info = file.supporting_info.as_ref().and_then(|info| info.title.text());
            file.name.text().or(file.title.text()).or(info).map(str::to_owned)
        };
        let mut name = title(&self);
        let mut feedback = std::mem::take(&mut self.feedback_loops.0);
        feedback.extend(self.feedback.take().into_iter().flat_map(|list| list.feedback_loops.0));
        // An answer of the service holds one model; what nests deeper is no model.
        if let Some(inner) = self.model.take() {
            name = name.or(title(&inner));
            self = *inner;
            feedback.append(&mut self.feedback_loops.0);
        }
        let mut notes = Notes::default();
        let specs = specs(self.specs.as_ref(), &mut notes);
        if self.modules.is_given() {
            notes.unsupported(
                "Modules are not supported; their variables stand here side by side.",
                "",
            );
        }
        if self.dimensions.is_given() {
            notes.unsupported("Dimensions of arrays are not supported.", "");
        }
        let mut functions = Vec::new();
        let variables = (self.variables.0.into_iter())
            .filter_map(|item| item.variable(&mut functions, &mut notes))
            .collect();
        let links = (self.relationships.0.iter())
            .filter_map(|relationship| relationship.link(&mut notes))
            .collect();
        let loops = feedback
            .iter()
            .filter_map(|feedback| feedback.declared(&mut notes))
            .collect();
        Model {
            name: name.unwrap_or_default(),
            specs,
            variables,
            functions,
            links,
            loops,
            notes: notes.finish(),
            ..Model::default()
        }
    }
}

fn specs(times: Option<&Times>, notes: &mut Notes) -> Specs {
    let mut specs = Specs::default();
    let Some(times) = times else {
        notes.remark("The file has no specs: say when to stop before the model is run.", "");
        return specs;
    };
    if let Some(start) = times.start_time.text() {
        start.clone_into(&mut specs.start);
    }
    specs.stop = times.stop_time.text().or(times.end_time.text()).map(str::to_owned);
    if specs.stop.is_none() {
        notes.repaired("No stop time is given: say when to stop before the model is run.", "");
    }
    if let Some(dt) = times.dt.text() {
        set_dt(&mut specs, dt);
    }
    let save = times.save_step.text();
    specs.save = save
        .filter(|text| number(text).is_some_and(|value| value > 0.0))
        .map(str::to_owned);
    let method = times.integration_method.text().or(times.method.text());
    specs.method = method.unwrap_or_default().to_owned();
    specs.time_unit = times.time_units.text().unwrap_or_default().to_owned();
    specs
}

impl Item {
    fn variable(self, functions: &mut Vec<(String, Graphical)>, notes: &mut Notes) -> Option<Variable> {
        let Some(name) = self.name.text().map(identifier).filter(|name| !name.is_empty()) else {
            notes.repaired("Variables without a name were left out.", "");
            return None;
        };
        let kind = match self.r#type.text().unwrap_or_default().to_lowercase().as_str() {
            "stock" | "level" => Kind::Stock {
                inflows: names(&self.inflows),
                outflows: names(&self.outflows),
                non_negative: self.non_negative.is_true(),
            },
            "flow" | "rate" => Kind::Flow {
                uniflow: self.uniflow.is_true(),
            },
            kind => {
                if !["", "variable", "aux", "auxiliary", "constant", "parameter", "converter"].contains(&kind) {
                    notes.repaired(
                        "Variables of an unknown type are taken for auxiliaries: {}.",
                        &format!("{name} ({kind:?})"),
                    );
                }
                // A stock without its type is still told by its flows.
                if self.inflows.0.is_empty() && self.outflows.0.is_empty() {
                    Kind::Auxiliary
                } else {
                    notes.repaired("What has inflows or outflows is taken for a stock: {}.", &name);
                    Kind::Stock {
                        inflows: names(&self.inflows),
                        outflows: names(&self.outflows),
                        non_negative: self.non_negative.is_true(),
                    }
                }
            }
        };
        let mut equation = self.equation.text().map(str::to_owned);
        if matches!(self.equation, Scalar::Nested(_)) {
            notes.unsupported("Equations that are lists or objects were left out: {}.", &name);
        }
        if let Some(sub_type) = self.sub_type.text() {
            notes.unsupported(
                "Subtypes of variables are not supported: {}.",
                &format!("{name} ({sub_type})"),
            );
        }
        let mut graphical = None;
        match points(self.graphical_function) {
            Some(points) if points.is_empty() => {}
            Some(points) => {
                graphical = Some(Graphical {
                    kind: GraphicalKind::Continuous,
                    points,
                });
            }
            None => {
                notes.unsupported(
                    "Graphical functions with points that are no numbers leave their variables without an equation: {}.",
                    &name,
                );
                equation = None;
            }
        }
        if self.array_equations.is_given() || self.dimensions.is_given() {
            notes.unsupported("Arrays are not supported; these have no equation here: {}.", &name);
            equation = None;
            graphical = None;
        }
        if equation.is_none()
            && kind == Kind::Auxiliary
            && let Some(graphical) = graphical
        {
            notes.remark(
                "Points without an equation were read as functions to be called by name: {}.",
                &name,
            );
            functions.push((name, graphical));
            return None;
        }
        Some(Variable {
            name,
            kind,
            equation,
            graphical,
            unit: self.units.text().unwrap_or_default().to_owned(),
            doc: self.documentation.text().unwrap_or_default().to_owned(),
            pointer: String::new(),
        })
    }
}

fn names(list: &List<Scalar>) -> Vec<String> {
    list.0.iter().filter_map(Scalar::text).map(identifier).collect()
}

/// The points in the order of x; none where one of them is no pair of numbers.
fn points(points: Points) -> Option<Vec<[f64; 2]>> {
    let mut points = points.0.into_iter().map(|point| point.0).collect::<Option<Vec<_>>>()?;
    points.sort_by(|a, b| a[0].total_cmp(&b[0]));
    Some(points)
}

fn polarity(text: &Scalar) -> Result<Option<i8>, &str> {
    match text.text().unwrap_or_default() {
        "" | "?" => Ok(None),
        "+" => Ok(Some(1)),
        "-" | "−" | "–" => Ok(Some(-1)),
        word => match word.to_lowercase().as_str() {
            "positive" | "reinforcing" | "s" | "1" => Ok(Some(1)),
            "negative" | "balancing" | "o" | "-1" => Ok(Some(-1)),
            "unknown" | "undetermined" => Ok(None),
            _ => Err(word),
        },
    }
}

impl Relationship {
    fn link(&self, notes: &mut Notes) -> Option<Link> {
        let end = |end: &Scalar| end.text().map(identifier).filter(|name| !name.is_empty());
        let (Some(from), Some(to)) = (end(&self.from), end(&self.to)) else {
            notes.repaired("Relationships without both ends were left out: {}.", &self.ends());
            return None;
        };
        let polarity = polarity(&self.polarity).unwrap_or_else(|word| {
            notes.repaired(
                "Unknown polarities were left out: {}.",
                &format!("{word:?} of {}", self.ends()),
            );
            None
        });
        let reasons: Vec<&str> = [&self.reasoning, &self.polarity_reasoning]
            .into_iter()
            .filter_map(Scalar::text)
            .collect();
        Some(Link {
            from,
            to,
            polarity,
            delay: self.delay.is_true(),
            reason: reasons.join("\n"),
            pointer: String::new(),
        })
    }

    fn ends(&self) -> String {
        format!(
            "{} -> {}",
            self.from.text().unwrap_or("?"),
            self.to.text().unwrap_or("?")
        )
    }
}

impl Feedback {
    fn declared(&self, notes: &mut Notes) -> Option<DeclaredLoop> {
        let name = self
            .name
            .text()
            .or(self.identifier.text())
            .unwrap_or_default()
            .to_owned();
        let Ok(Some(sign)) = polarity(&self.polarity) else {
            notes.unsupported(
                "Loops that are neither reinforcing nor balancing were left out: {}.",
                &name,
            );
            return None;
        };
        Some(DeclaredLoop {
            name,
            reinforcing: sign > 0,
            members: (self.links.0.iter())
                .filter_map(|link| link.from.text().map(identifier))
                .collect(),
            pointer: String::new(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model as read_model;

    #[test]
    fn reads_variables_relationships_and_specs() {
        let model = read_model(
            r#"{"variables":[
              {"name":"population","type":"stock","equation":100,"inflows":["births"],"outflows":null,"units":"people"},
              {"name":"births","type":"flow","equation":"population*birth_rate","uniflow":true,"documentation":"new"},
              {"name":"birth_rate","type":"variable","equation":0.03,"graphicalFunction":{"points":[{"x":1,"y":"2"},{"x":0,"y":1}]}}],
             "relationships":[
              {"from":"birth_rate","to":"births","polarity":"+","reasoning":"more","polarityReasoning":"births"},
              {"from":"births","to":"population","polarity":"?"},{"from":"population","to":"births","polarity":"negative"}],
             "specs":{"startTime":"0","stopTime":100,"dt":0.25,"timeUnits":"year","integrationMethod":"RK4","saveStep":1},
             "errors":[],"unitWarnings":[{"x":[1]}],"title":"Growth"}"#,
        );
        assert_eq!(model.name, "Growth");
        let specs = &model.specs;
        assert_eq!(
            (&*specs.start, specs.stop.as_deref(), &*specs.dt),
            ("0", Some("100"), "0.25")
        );
        assert_eq!(
            (&*specs.method, &*specs.time_unit, specs.save.as_deref()),
            ("RK4", "year", Some("1"))
        );
        let [stock, flow, rate] = &model.variables[..] else {
            panic!("{model:?}")
        };
        assert_eq!(
            stock.kind,
            Kind::Stock {
                inflows: vec!["births".to_owned()],
                outflows: vec![],
                non_negative: false
            }
        );
        assert_eq!((stock.equation.as_deref(), &*stock.unit), (Some("100"), "people"));
        assert_eq!((&flow.kind, &*flow.doc), (&Kind::Flow { uniflow: true }, "new"));
        assert_eq!(rate.equation.as_deref(), Some("0.03"));
        assert_eq!(
            rate.graphical.as_ref().map(|g| &*g.points),
            Some(&[[0.0, 1.0], [1.0, 2.0]][..])
        );
        let polarities: Vec<_> = model.links.iter().map(|link| link.polarity).collect();
        assert_eq!(polarities, [Some(1), None, Some(-1)]);
        assert_eq!(model.links[0].reason, "more\nbirths");
        assert_eq!(model.notes, [""; 0]);
    }

    #[test]
    fn an_answer_of_the_service_holds_the_model() {
        let model = read_model(
            r#"{"success":true,"model":{"relationships":[{"from":"a","to":"b","polarity":"-"}],"specs":{"endTime":5,"method":"euler","dt":"1/8"}},
             "supportingInfo":{"title":"Loops","explanation":"x"},
             "feedback":{"feedbackLoops":[{"identifier":"R1","name":"Grow","polarity":"+","links":[{"from":"a","to":"b"},{"from":"b","to":"a"}]},
              {"identifier":"B1","polarity":"-","links":[]},{"identifier":"U1","polarity":"?"}]}}"#,
        );
        assert_eq!(model.name, "Loops");
        assert_eq!((model.links.len(), model.specs.stop.as_deref()), (1, Some("5")));
        assert_eq!((&*model.specs.dt, model.specs.reciprocal), ("8", true));
        let loops: Vec<_> = (model.loops.iter())
            .map(|found| (&*found.name, found.reinforcing, found.members.join(" ")))
            .collect();
        assert_eq!(loops, [("Grow", true, "a b".to_owned()), ("B1", false, String::new())]);
        assert_eq!(
            model.notes,
            ["Loops that are neither reinforcing nor balancing were left out: U1."]
        );
    }

    #[test]
    fn what_is_not_as_it_should_be_is_read_as_it_was_meant_or_noted() {
        let model = read_model(
            r#"{"variables":[{"name":" ","type":"flow"},{"name":"s","inflows":"f"},{"name":"t","type":"thing","equation":""},
              {"name":"list","equation":[1]},{"name":"array","type":"variable","equation":"1","arrayEquations":[{"equation":"1"}]},
              {"name":"dims","equation":"1","dimensions":["Region"]},{"name":"sub","equation":"1","subType":"conveyor"},
              {"name":"bad","type":"flow","equation":"1","graphicalFunction":{"points":[{"x":1}]}},
              {"name":"table","graphicalFunction":[[0,1],[1,2]]},{"name":"empty","equation":"1","graphicalFunction":{},"dimensions":[]}],
             "relationships":[{"from":"a"},{"from":"a","to":"b","polarity":"odd"}],"modules":[{}],"dimensions":[{"name":"Region"}]}"#,
        );
        let without: Vec<_> = (model.variables.iter())
            .filter(|variable| variable.equation.is_none())
            .map(|variable| &*variable.name)
            .collect();
        assert_eq!(without, ["s", "t", "list", "array", "dims", "bad"]);
        assert_eq!(model.functions.len(), 1);
        assert_eq!(
            model.notes,
            [
                "Modules are not supported; their variables stand here side by side.",
                "Dimensions of arrays are not supported.",
                "Equations that are lists or objects were left out: list.",
                "Arrays are not supported; these have no equation here: array, dims.",
                "Subtypes of variables are not supported: sub (conveyor).",
                "Graphical functions with points that are no numbers leave their variables without an equation: bad.",
                "Variables without a name were left out.",
                "What has inflows or outflows is taken for a stock: s.",
                "Variables of an unknown type are taken for auxiliaries: t (\"thing\").",
                "Relationships without both ends were left out: a -> ?.",
                "Unknown polarities were left out: \"odd\" of a -> b.",
                "The file has no specs: say when to stop before the model is run.",
                "Points without an equation were read as functions to be called by name: table.",
            ]
        );
    }

    #[track_caller]
    fn refuses(text: &str, expected: &str) {
        let error = crate::read(text.as_bytes()).expect_err("refused");
        assert_eq!(error.to_string(), format!("SD-AI JSON: {expected}"));
    }

    #[test]
    fn what_is_no_such_json_is_refused_with_its_place() {
        refuses(
            r#"{"variables":[],"relationships":{"a":1}}"#,
            "invalid type: map, expected a list of at most 100000 items at line 1 column 33",
        );
        refuses(
            r#"{"variables":["a"]}"#,
            "invalid type: string \"a\", expected an object: a variable with name, type and equation at line 1 column 17",
        );
        refuses(
            &format!(r#"{{"variables":[{}]}}"#, vec!["{}"; MAX_VARIABLES + 1].join(",")),
            "invalid length 100001, expected a list of at most 100000 items at line 1 column 300017",
        );
    }
}
