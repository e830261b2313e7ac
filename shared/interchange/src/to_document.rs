//! A model as our document: JSON text in the order of the document's members, and what the document cannot hold.
//!
//! What no model file says (purpose, scope, leverage points, the words of a loop) stays empty; the validation names it.

use crate::fresh::Fresh;
use crate::mdl::is_control;
use crate::notes::Notes;
use crate::values::number;
use crate::{MAX_BYTES, MAX_NAME};
use foldhash::HashSet;
use meadow_dynamics::ast::{Dialect, Expr, ExprKind, Name};
use meadow_dynamics::model::{Graphical, GraphicalKind, Kind, Model, Specs, Variable};
use meadow_dynamics::names::{Names, fold};
use meadow_dynamics::parse::parse;
use meadow_dynamics::print::{from_vensim, quoted};
use serde::Serialize;
use serde_json::value::RawValue;

/// Links of equations that are written: 50,000, about what the largest document holds.
const MAX_LINKS: usize = 50_000;

/// A document made of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Derived {
    /// The document's JSON text, two blanks a level; [`meadow_model::parse()`] reads it.
    pub text: String,
    /// What of the model the document does not hold, or holds in other words, one sentence each, the weightiest first.
    pub not_held: Vec<String>,
}

/// Writes `model` as a document of ours. What its reader already noted ([`Model::notes`]) is not repeated.
#[must_use]
pub fn to_document(model: &Model) -> Derived {
    let names = (model.variables.iter().map(|variable| variable.name.as_str()))
        .chain(model.functions.iter().map(|(name, _)| name.as_str()));
    let index = Names::new(names);
    let mut writer = Writer {
        model,
        fresh: Fresh::new(index.all().iter().copied()),
        index,
        left_out: Vec::new(),
        made: Vec::new(),
        room: MAX_BYTES,
        notes: Notes::default(),
    };
    let document = writer.document();
    Derived {
        // Texts and tokens that were read as numbers: nothing here can fail.
        text: serde_json::to_string_pretty(&document).unwrap_or_default(),
        not_held: writer.notes.finish(),
    }
}

/// A number as it stands in the text.
type Token = Box<RawValue>;

#[derive(Debug, Serialize)]
struct Document {
    version: &'static str,
    system_name: String,
    boundary: Boundary,
    elements: Vec<String>,
    interconnections: Vec<Interconnection>,
    stocks: Vec<Stock>,
    flows: Vec<Flow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    variables: Vec<Auxiliary>,
    loops: Loops,
    leverage_points: [(); 0],
    simulation: Simulation,
}

#[derive(Debug, Default, Serialize)]
struct Boundary {
    purpose: &'static str,
    scope_in: [(); 0],
    scope_out: [(); 0],
}

#[derive(Debug, Serialize)]
struct Interconnection {
    from: String,
    to: String,
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    polarity: Option<&'static str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    delay: bool,
    #[serde(skip_serializing_if = "String::is_empty")]
    description: String,
}

#[derive(Debug, Serialize)]
struct Stock {
    id: String,
    unit: String,
    description: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    initial: Option<Initial>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    non_negative: bool,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Initial {
    Number(Token),
    Expression(String),
}

#[derive(Debug, Serialize)]
struct Flow {
    id: String,
    from_stock: Option<String>,
    to_stock: Option<String>,
    rate_expr: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    unit: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    description: String,
}

#[derive(Debug, Serialize)]
struct Auxiliary {
    id: String,
    expr: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    unit: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    description: String,
    /// All of them in one line.
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<Token>,
}

#[derive(Debug, Default, Serialize)]
struct Loops {
    balancing: Vec<Loop>,
    reinforcing: Vec<Loop>,
}

#[derive(Debug, Serialize)]
struct Loop {
    id: String,
    description: &'static str,
    elements: Vec<String>,
}

#[derive(Debug, Default, Serialize)]
struct Simulation {
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<Token>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stop: Option<Token>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dt: Option<Token>,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<&'static str>,
    #[serde(skip_serializing_if = "String::is_empty")]
    time_unit: String,
}

/// The stocks that a flow drains and fills, by their places.
#[derive(Debug, Clone, Default)]
struct Ends {
    from: Vec<usize>,
    to: Vec<usize>,
}

struct Writer<'m> {
    model: &'m Model,
    /// The variables, behind them the functions that stand alone.
    index: Names<'m>,
    /// For each of these whether it only repeats the time grid, which stands in `simulation`.
    left_out: Vec<bool>,
    fresh: Fresh,
    /// Links to and from what the model does not have under that name.
    made: Vec<(String, String)>,
    /// Bytes of translated equations that may still be written: a translation may be a thousand times as long.
    room: usize,
    notes: Notes,
}

impl<'m> Writer<'m> {
    fn document(&mut self) -> Document {
        let model = self.model;
        let ends = self.ends();
        let (mut stocks, mut flows, mut variables) = (Vec::new(), Vec::new(), Vec::new());
        self.left_out = self.controls();
        for (place, variable) in model.variables.iter().enumerate() {
            match &variable.kind {
                Kind::Stock { non_negative, .. } => stocks.push(self.stock(variable, *non_negative)),
                Kind::Auxiliary if self.left_out[place] => {}
                Kind::Auxiliary if ends[place].is_none() => variables.push(self.auxiliary(variable)),
                kind => {
                    if *kind == Kind::Auxiliary {
                        self.notes.remark(
                            "Auxiliaries that fill or drain stocks are written as flows: {}.",
                            &variable.name,
                        );
                    }
                    let ends = ends[place].clone().unwrap_or_default();
                    self.flow(variable, &ends, &mut flows, &mut variables);
                }
            }
        }
        for (name, graphical) in &model.functions {
            variables.push(self.function(name, graphical));
        }
        let interconnections = self.interconnections(&flows);
        let mut seen = HashSet::default();
        let names = (stocks.iter().map(|stock| &stock.id))
            .chain(flows.iter().map(|flow| &flow.id))
            .chain(variables.iter().map(|variable| &variable.id))
            .chain(interconnections.iter().flat_map(|link| [&link.from, &link.to]));
        let elements = names.filter(|name| seen.insert(name.as_str())).cloned().collect();
        Document {
            version: "1.0.0",
            system_name: plain(&model.name),
            boundary: Boundary::default(),
            elements,
            interconnections,
            stocks,
            flows,
            variables,
            loops: self.loops(),
            leverage_points: [],
            simulation: self.simulation(),
        }
    }

    /// For each variable the stocks that list it as a flow; none where no stock does.
    fn ends(&mut self) -> Vec<Option<Ends>> {
        let count = self.model.variables.len();
        let mut ends: Vec<Option<Ends>> = vec![None; count];
        for (stock, variable) in self.model.variables.iter().enumerate() {
            let Kind::Stock { inflows, outflows, .. } = &variable.kind else {
                continue;
            };
            for (flows, fills) in [(outflows, false), (inflows, true)] {
                for flow in flows {
                    let Some(place) = self.index.find_text(flow).filter(|place| *place < count) else {
                        self.notes.unsupported(
                            "Stocks name flows that the model does not have: {}.",
                            &format!("{flow} of {}", variable.name),
                        );
                        continue;
                    };
                    let ends = ends[place].get_or_insert_default();
                    let side = if fills { &mut ends.to } else { &mut ends.from };
                    if side.last() == Some(&stock) {
                        self.notes
                            .repaired("Flows that a stock lists twice are written once: {}.", flow);
                    } else {
                        side.push(stock);
                    }
                }
            }
        }
        ends
    }

    /// For each variable whether it is one of Vensim's control group and need not be written.
    fn controls(&self) -> Vec<bool> {
        let variables = &self.model.variables;
        let specs = &self.model.specs;
        let repeats = |variable: &Variable| {
            let equation = variable.equation.as_deref().unwrap_or_default();
            let same = |text: &str| number(equation).is_some() && number(equation) == number(text);
            variable.kind == Kind::Auxiliary
                && match &*fold(&variable.name) {
                    "initial_time" => same(&specs.start),
                    "final_time" => specs.stop.as_deref().is_some_and(same),
                    "time_step" => same(&specs.dt) || specs.reciprocal,
                    "saveper" => fold(equation) == "time_step" || specs.save.is_some() || same(&specs.dt),
                    _ => false,
                }
        };
        let mut left_out: Vec<bool> = variables.iter().map(repeats).collect();
        left_out.resize(self.index.all().len(), false);
        if !left_out.contains(&true) {
            return left_out;
        }
        for (place, variable) in variables.iter().enumerate() {
            if left_out[place] || is_control(&variable.name) {
                continue;
            }
            // In Vensim's spelling those but SAVEPER are builtins too, and are translated.
            self.uses(variable, |used| {
                if self.model.dialect == Dialect::Xmile || *fold(self.index.all()[used]) == *"saveper" {
                    left_out[used] = false;
                }
            });
        }
        left_out
    }

    /// Calls `f` with the place of each variable or function that the equation of `variable` names, besides those that only its
    /// initial value needs.
    fn uses(&self, variable: &Variable, mut f: impl FnMut(usize)) {
        let Some(equation) = &variable.equation else { return };
        let Ok(parsed) = parse(equation, self.model.dialect) else {
            return;
        };
        let mut open = vec![&parsed.expr];
        while let Some(Expr { kind, .. }) = open.pop() {
            let mut name = |name: &Name| {
                if let Some(place) = self.index.find(name) {
                    f(place);
                }
            };
            match kind {
                ExprKind::Number(_) => {}
                ExprKind::Name(found) => name(found),
                ExprKind::Unary(_, inner) => open.push(inner),
                ExprKind::Binary(_, left, right) => open.extend([&**right, &**left]),
                ExprKind::If(condition, then, otherwise) => open.extend([&**otherwise, &**then, &**condition]),
                ExprKind::Call(function, _) if ["init", "initial"].contains(&function.folded.as_str()) => {}
                ExprKind::Call(function, arguments) => {
                    name(function);
                    open.extend(arguments.iter().rev());
                }
            }
        }
    }

    fn stock(&mut self, variable: &Variable, non_negative: bool) -> Stock {
        let initial = variable.equation.as_deref().map(|equation| match token(equation) {
            Some(token) => Initial::Number(token),
            None => Initial::Expression(self.expression(variable, equation)),
        });
        Stock {
            id: plain(&variable.name),
            unit: clean(&variable.unit),
            description: clean(&variable.doc),
            initial,
            non_negative,
        }
    }

    fn auxiliary(&mut self, variable: &Variable) -> Auxiliary {
        Auxiliary {
            id: plain(&variable.name),
            expr: self.equation(variable),
            unit: clean(&variable.unit),
            description: clean(&variable.doc),
            points: self.points(&variable.name, variable.graphical.as_ref()),
        }
    }

    fn function(&mut self, name: &str, graphical: &Graphical) -> Auxiliary {
        self.notes.remark(
            "Functions that are only called by name are written as variables with points, whose own value (at 0) means \
             nothing: {}.",
            name,
        );
        Auxiliary {
            id: plain(name),
            expr: "0".to_owned(),
            unit: String::new(),
            description: String::new(),
            points: self.points(name, Some(graphical)),
        }
    }

    /// Writes a flow: its points as a variable of their own, and where several stocks share it a flow for each.
    fn flow(&mut self, variable: &Variable, ends: &Ends, flows: &mut Vec<Flow>, variables: &mut Vec<Auxiliary>) {
        let mut rate = self.equation(variable);
        if variable.graphical.is_some() {
            let name = self.fresh.name(format!("{} table", variable.name));
            self.notes
                .remark("The points of flows are written as variables of their own: {}.", &name);
            variables.push(Auxiliary {
                id: plain(&name),
                expr: rate,
                unit: clean(&variable.unit),
                description: String::new(),
                points: self.points(&variable.name, variable.graphical.as_ref()),
            });
            rate = quoted(&plain(&name));
            self.made.push((plain(&name), plain(&variable.name)));
        }
        if variable.kind == (Kind::Flow { uniflow: true }) && !rate.is_empty() {
            self.notes.remark(
                "Uniflows, which cannot be negative, are written as MAX(0, ...): {}.",
                &variable.name,
            );
            rate = format!("MAX(0, {rate})");
        }
        let id = plain(&variable.name);
        let stock = |place: &usize| plain(&self.model.variables[*place].name);
        if ends.from.len() < 2 && ends.to.len() < 2 {
            flows.push(Flow {
                id,
                from_stock: ends.from.first().map(stock),
                to_stock: ends.to.first().map(stock),
                rate_expr: rate,
                unit: clean(&variable.unit),
                description: clean(&variable.doc),
            });
            return;
        }
        // One flow of several stocks is never limited by one of them; a flow for each is.
        self.notes.unsupported(
            "Flows that several stocks share are written as a variable, and a flow for each stock: {}.",
            &variable.name,
        );
        let drains = ends.from.iter().map(|place| (place, true));
        for (place, drains) in drains.chain(ends.to.iter().map(|place| (place, false))) {
            let stock = stock(place);
            let name = format!("{id} {} {stock}", if drains { "from" } else { "to" });
            let name = plain(&self.fresh.name(name));
            self.made.push((id.clone(), name.clone()));
            let (from_stock, to_stock) = if drains {
                (Some(stock), None)
            } else {
                (None, Some(stock))
            };
            flows.push(Flow {
                id: name,
                from_stock,
                to_stock,
                rate_expr: quoted(&id),
                unit: clean(&variable.unit).chars().take(MAX_NAME).collect(),
                description: String::new(),
            });
        }
        variables.push(Auxiliary {
            id,
            expr: rate,
            unit: clean(&variable.unit),
            description: clean(&variable.doc),
            points: None,
        });
    }

    fn equation(&mut self, variable: &Variable) -> String {
        match &variable.equation {
            Some(equation) => self.expression(variable, equation),
            None => String::new(),
        }
    }

    /// An equation in XMILE's spelling; as it stands where it cannot be parsed.
    fn expression(&mut self, variable: &Variable, equation: &str) -> String {
        if self.model.dialect == Dialect::Xmile {
            return clean(equation);
        }
        let known = |name: &Name| self.index.find(name).is_some_and(|place| !self.left_out[place]);
        let parsed = parse(equation, Dialect::Vensim).ok().filter(|_| self.room > 0);
        let translated = parsed.map(|parsed| from_vensim(&parsed.expr, &known));
        let cost = match &translated {
            Some(Ok(translation)) => translation.text.len(),
            // One that grew without bound took long to fail.
            Some(Err(_)) => MAX_BYTES / 8,
            None => 0,
        };
        self.room = self.room.saturating_sub(cost);
        let Some(Ok(translation)) = translated else {
            self.notes.unsupported(
                "Equations that cannot be read or translated stay in Vensim's spelling: {}.",
                &variable.name,
            );
            return clean(equation);
        };
        for loss in &translation.losses {
            self.notes.repaired(
                "In XMILE's spelling some functions are not quite the same: {}.",
                &format!("{} ({})", variable.name, loss.message),
            );
        }
        clean(&translation.text)
    }

    fn points(&mut self, name: &str, graphical: Option<&Graphical>) -> Option<Token> {
        let graphical = graphical?;
        let kind = match graphical.kind {
            GraphicalKind::Continuous => None,
            GraphicalKind::Extrapolate => Some("extrapolate"),
            GraphicalKind::Discrete => Some("discrete"),
        };
        if let Some(kind) = kind {
            self.notes.unsupported(
                "Points of a document are joined by lines and constant beyond the ends; other kinds are lost, and the \
                 values with them: {}.",
                &format!("{name} ({kind})"),
            );
        }
        let points: Vec<String> = (graphical.points.iter())
            .map(|[x, y]| format!("[{}, {}]", digits(*x), digits(*y)))
            .collect();
        RawValue::from_string(format!("[{}]", points.join(", "))).ok()
    }

    /// Declared links, then those of equations, then those of flows.
    fn interconnections(&mut self, flows: &[Flow]) -> Vec<Interconnection> {
        let variables = &self.model.variables;
        let resolved = |name: &str| match self.index.find_text(name) {
            Some(place) => plain(self.index.all()[place]),
            None => plain(name),
        };
        let mut seen: HashSet<(String, String)> = HashSet::default();
        let mut links = Vec::new();
        let mut cut = false;
        for link in &self.model.links {
            let (from, to) = (resolved(&link.from), resolved(&link.to));
            if seen.insert((from.clone(), to.clone())) {
                links.push(Interconnection {
                    from,
                    to,
                    kind: "causal",
                    polarity: match link.polarity {
                        Some(sign) if sign > 0 => Some("+"),
                        Some(sign) if sign < 0 => Some("-"),
                        _ => None,
                    },
                    delay: link.delay,
                    description: clean(&link.reason),
                });
            }
        }
        let mut add = |from: String, to: String, kind, polarity| {
            cut |= links.len() >= MAX_LINKS;
            if !cut && seen.insert((from.clone(), to.clone())) {
                links.push(Interconnection {
                    from,
                    to,
                    kind,
                    polarity,
                    delay: false,
                    description: String::new(),
                });
            }
        };
        let name = |place: usize| plain(self.index.all()[place]);
        for (place, variable) in variables.iter().enumerate() {
            if !self.left_out[place] && !matches!(variable.kind, Kind::Stock { .. }) {
                self.uses(variable, |used| {
                    if !self.left_out[used] {
                        add(name(used), name(place), "info", None);
                    }
                });
            }
        }
        for (from, to) in &self.made {
            add(from.clone(), to.clone(), "info", None);
        }
        for flow in flows {
            match (&flow.from_stock, &flow.to_stock) {
                (Some(from), Some(to)) => add(from.clone(), to.clone(), "flow", None),
                (None, Some(to)) => add(flow.id.clone(), to.clone(), "flow", None),
                // The stock has less of what flows out of the boundary.
                (Some(from), None) => add(flow.id.clone(), from.clone(), "causal", Some("-")),
                (None, None) => {}
            }
        }
        if cut {
            self.notes
                .unsupported("Only the first links of equations are written; there are more.", "");
        }
        links
    }

    fn loops(&self) -> Loops {
        let mut loops = Loops::default();
        for declared in &self.model.loops {
            let side = if declared.reinforcing {
                &mut loops.reinforcing
            } else {
                &mut loops.balancing
            };
            side.push(Loop {
                id: plain(&declared.name),
                description: "",
                elements: declared.members.iter().map(|name| plain(name)).collect(),
            });
        }
        loops
    }

    fn simulation(&mut self) -> Simulation {
        let Specs {
            start,
            stop,
            dt,
            reciprocal,
            save,
            method,
            time_unit,
        } = &self.model.specs;
        let mut bound = |name: &str, text: &str| {
            let token = token(text);
            if token.is_none() {
                self.notes
                    .unsupported("Times that are no numbers are lost: {}.", &format!("{name} {text:?}"));
            }
            token
        };
        let start = bound("start", start);
        let stop = stop.as_deref().and_then(|stop| bound("stop", stop));
        let mut step = bound("dt", dt);
        if *reciprocal && step.is_some() {
            step = number(dt).and_then(|value| token(&digits(1.0 / value)));
            if !is_decimal(dt) {
                self.notes.unsupported(
                    "A time step of one part in so many is rounded to a decimal number: {}.",
                    &format!("1/{dt}"),
                );
            }
        }
        if let Some(save) = save {
            self.notes.unsupported(
                "A document has no save step; every step is saved instead of one at: {}.",
                save,
            );
        }
        let method = match method.trim().to_lowercase().as_str() {
            "" => None,
            "euler" => Some("euler"),
            "rk4" => Some("rk4"),
            "rk2" | "rk45" | "gear" | "auto" => {
                self.notes.repaired("The method becomes rk4: {}.", method);
                Some("rk4")
            }
            _ => {
                self.notes
                    .repaired("The method is not known and becomes euler: {}.", method);
                Some("euler")
            }
        };
        Simulation {
            start,
            stop,
            dt: step,
            method,
            time_unit: clean(time_unit),
        }
    }
}

/// A number's text as JSON writes it; none where it is no number.
fn token(text: &str) -> Option<Token> {
    let value = number(text)?;
    RawValue::from_string(text.trim().to_owned())
        .ok()
        .or_else(|| RawValue::from_string(digits(value)).ok())
}

/// A finite number in the shortest digits that read as the same.
fn digits(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 || (1e-6..1e15).contains(&size) {
        value.to_string()
    } else {
        format!("{value:e}")
    }
}

/// True where one part in `text` is a decimal number of at most 15 digits: where it divides 10^15.
fn is_decimal(text: &str) -> bool {
    text.trim()
        .parse()
        .is_ok_and(|value: u64| value > 0 && 10_u64.pow(15).is_multiple_of(value))
}

/// A name in one line. In comparisons control characters count as blanks, so it stays the same name.
fn plain(name: &str) -> String {
    name.replace(char::is_control, " ").trim().to_owned()
}

/// A text without the one character that no document may hold.
fn clean(text: &str) -> String {
    text.replace('\0', " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model as read_model;
    use meadow_model::Document as Parsed;

    #[track_caller]
    fn check(file: &str, expected: &str, not_held: &[&str]) {
        let derived = to_document(&read_model(file));
        assert_eq!(derived.text, expected);
        assert_eq!(derived.not_held, not_held);
    }

    /// Derives a document, parses it and looks at it.
    #[track_caller]
    fn with(file: &str, look: impl FnOnce(&Parsed<'_>, &[String])) {
        let derived = to_document(&read_model(file));
        let document = meadow_model::parse(&derived.text).expect("a document");
        look(&document, &derived.not_held);
    }

    fn xmile(specs: &str, variables: &str) -> String {
        format!(
            "<xmile><header><name>N</name></header><sim_specs {specs}</sim_specs><model><variables>{variables}</variables>\
             </model></xmile>"
        )
    }

    #[test]
    fn a_plain_model_is_held_in_full() {
        check(
            &xmile(
                "method='RK4' time_units='Year'><start>0</start><stop>1e1</stop><dt reciprocal='true'>8</dt>",
                "<stock name='Water\\nLevel'><eqn>2.50</eqn><inflow>fill</inflow><outflow>leak</outflow><non_negative/><units>l</units>\
                 <doc>In the tub</doc></stock><stock name='floor'><eqn>start</eqn><inflow>leak</inflow></stock>\
                 <flow name='fill'><eqn>tap * effect</eqn></flow><flow name='leak'><eqn>Water_Level / 5</eqn></flow>\
                 <aux name='tap'><eqn>3</eqn><units>l/Year</units></aux><aux name='start'><eqn>INIT(tap)</eqn></aux>\
                 <aux name='effect'><eqn>TIME</eqn><gf><xpts>0,1.5</xpts><ypts>1,.5</ypts></gf></aux>",
            ),
            r#"{
  "version": "1.0.0",
  "system_name": "N",
  "boundary": {
    "purpose": "",
    "scope_in": [],
    "scope_out": []
  },
  "elements": [
    "Water Level",
    "floor",
    "fill",
    "leak",
    "tap",
    "start",
    "effect"
  ],
  "interconnections": [
    {
      "from": "tap",
      "to": "fill",
      "type": "info"
    },
    {
      "from": "effect",
      "to": "fill",
      "type": "info"
    },
    {
      "from": "Water Level",
      "to": "leak",
      "type": "info"
    },
    {
      "from": "fill",
      "to": "Water Level",
      "type": "flow"
    },
    {
      "from": "Water Level",
      "to": "floor",
      "type": "flow"
    }
  ],
  "stocks": [
    {
      "id": "Water Level",
      "unit": "l",
      "description": "In the tub",
      "initial": 2.50,
      "non_negative": true
    },
    {
      "id": "floor",
      "unit": "",
      "description": "",
      "initial": "start"
    }
  ],
  "flows": [
    {
      "id": "fill",
      "from_stock": null,
      "to_stock": "Water Level",
      "rate_expr": "tap * effect"
    },
    {
      "id": "leak",
      "from_stock": "Water Level",
      "to_stock": "floor",
      "rate_expr": "Water_Level / 5"
    }
  ],
  "variables": [
    {
      "id": "tap",
      "expr": "3",
      "unit": "l/Year"
    },
    {
      "id": "start",
      "expr": "INIT(tap)"
    },
    {
      "id": "effect",
      "expr": "TIME",
      "points": [[0, 1], [1.5, 0.5]]
    }
  ],
  "loops": {
    "balancing": [],
    "reinforcing": []
  },
  "leverage_points": [],
  "simulation": {
    "start": 0,
    "stop": 1e1,
    "dt": 0.125,
    "method": "rk4",
    "time_unit": "Year"
  }
}"#,
            &[],
        );
    }

    #[test]
    fn what_is_not_held_is_listed() {
        let points = "<xscale min='0' max='1'/><ypts>0,1</ypts>";
        let file = xmile(
            "method='gear' save_interval='2'><start>soon</start><stop>9</stop><dt reciprocal='true'>3</dt>",
            &format!(
                "<stock name='A'><eqn>1</eqn><outflow>f</outflow><outflow>f</outflow><outflow>gone</outflow></stock>\
                 <stock name='B'><eqn>1</eqn><outflow>F</outflow><inflow>a</inflow></stock>\
                 <flow name='f'><eqn>2</eqn><non_negative/></flow><flow name='my flow'><eqn>3</eqn><gf type='discrete'>{points}</gf></flow>\
                 <aux name='a'><eqn>4</eqn></aux><aux name='my flow table'><eqn>5</eqn></aux><gf name='g' type='extrapolate'>{points}</gf>"
            ),
        );
        with(&file, |document, not_held| {
            let flows: Vec<_> = (document.flows.iter())
                .map(|flow| {
                    (
                        flow.id.as_str(),
                        flow.from_stock.stock(),
                        flow.to_stock.stock(),
                        flow.rate_expr.as_str(),
                    )
                })
                .collect();
            assert_eq!(
                flows,
                [
                    ("f from A", Some("A"), None, "f"),
                    ("f from B", Some("B"), None, "f"),
                    ("my flow", None, None, "\"my flow table 2\""),
                    ("a", None, Some("B"), "4"),
                ]
            );
            let variables: Vec<_> = document
                .variables
                .iter()
                .map(|v| (v.id.as_str(), v.expr.as_str(), v.points.len()))
                .collect();
            assert_eq!(
                variables,
                [
                    ("f", "MAX(0, 2)", 0),
                    ("my flow table 2", "3", 2),
                    ("my flow table", "5", 0),
                    ("g", "0", 2)
                ]
            );
            assert_eq!(document.simulation.dt, Some(1.0 / 3.0));
            assert_eq!(document.simulation.start, None);
            assert_eq!(
                not_held,
                [
                    "Stocks name flows that the model does not have: gone of A.",
                    "Flows that several stocks share are written as a variable, and a flow for each stock: f.",
                    "Points of a document are joined by lines and constant beyond the ends; other kinds are lost, and the values \
                     with them: my flow (discrete), g (extrapolate).",
                    "Times that are no numbers are lost: start \"soon\".",
                    "A time step of one part in so many is rounded to a decimal number: 1/3.",
                    "A document has no save step; every step is saved instead of one at: 2.",
                    "Flows that a stock lists twice are written once: f.",
                    "The method becomes rk4: gear.",
                    "Uniflows, which cannot be negative, are written as MAX(0, ...): f.",
                    "The points of flows are written as variables of their own: my flow table 2.",
                    "Auxiliaries that fill or drain stocks are written as flows: a.",
                    "Functions that are only called by name are written as variables with points, whose own value (at 0) means \
                     nothing: g.",
                ]
            );
        });
    }

    #[test]
    fn declared_links_and_loops_come_first_and_gaps_stay_gaps() {
        let file = r#"{"variables":[{"name":"S","type":"stock"},{"name":"f","type":"flow","equation":"S*k"}],
            "relationships":[{"from":"s","to":"F","polarity":"-","reasoning":"why\u0000"},{"from":"x","to":"S","polarity":"+"}],
            "feedbackLoops":[{"name":"L","polarity":"-","links":[{"from":"S","to":"f"},{"from":"f","to":"S"}]}]}"#;
        with(file, |document, not_held| {
            let links: Vec<_> = (document.interconnections.iter())
                .map(|link| {
                    (
                        link.from.as_str(),
                        link.to.as_str(),
                        link.polarity.map(|p| p.as_str()),
                        link.description.as_str(),
                    )
                })
                .collect();
            assert_eq!(links, [("S", "f", Some("-"), "why "), ("x", "S", Some("+"), "")]);
            assert_eq!(document.elements, ["S", "f", "x"]);
            assert_eq!(document.stocks[0].initial, meadow_model::Initial::Absent);
            assert_eq!(document.loops.balancing[0].elements, ["S", "f"]);
            assert_eq!(document.simulation.stop, None);
            assert_eq!(not_held, [""; 0]);
        });
    }

    #[test]
    fn vensim_is_translated_and_the_control_group_goes_into_the_simulation() {
        let file = "S = INTEG(in, FINAL TIME) ~~|\nin = INTEGER(x) + 0 * SAVEPER ~~|\nx = PULSE(1, 2) / TIME STEP ~~|\nbad = a[b] ~~|\n\
            FINAL TIME = 9 ~~|\nINITIAL TIME = 0 ~~|\nSAVEPER = TIME STEP ~~|\nTIME STEP = 0.5 ~~|";
        with(file, |document, not_held| {
            let variables: Vec<_> = document
                .variables
                .iter()
                .map(|v| (v.id.as_str(), v.expr.as_str()))
                .collect();
            let pulse = "(IF TIME + DT / 2 > 1 AND TIME + DT / 2 < 1 + MAX(2, DT) THEN 1 ELSE 0) / DT";
            assert_eq!(variables, [("x", pulse), ("bad", "a[b]"), ("SAVEPER", "DT")]);
            assert_eq!(
                document.stocks[0].initial,
                meadow_model::Initial::Expression("STOPTIME".into())
            );
            assert_eq!(
                document.flows[0].rate_expr.as_str(),
                "(IF x < 0 THEN -INT(-x) ELSE INT(x)) + 0 * SAVEPER"
            );
            assert_eq!(document.simulation.stop, Some(9.0));
            assert_eq!(
                not_held[0],
                "Equations that cannot be read or translated stay in Vensim's spelling: bad."
            );
            assert!(not_held[1].contains("x (PULSE"), "{not_held:?}");
            assert_eq!(not_held.len(), 2);
        });
    }
}
