//! XMILE 1.0, and what Stella, xmutil and others write under that name.

use crate::notes::Notes;
use crate::values::{number, set_dt};
use crate::{Format, MAX_VARIABLES, ReadError};
use meadow_dynamics::model::{Graphical, GraphicalKind, Kind, Link, Model, Specs, Variable};
use meadow_dynamics::names::{fold, identifier};
use roxmltree::{Document, Error, Node, ParsingOptions};
use std::borrow::Cow;
use std::collections::HashSet;

/// Prefixes that a file may use without declaring them. Files in circulation do so with one, `isee`.
const MAX_UNDECLARED: usize = 8;

/// Elements, texts and comments of a file: a million take 70 MB. A Stella file has about one for each 25 bytes.
const MAX_NODES: u32 = 1_000_000;

/// Namespace declarations of a file. Each may copy all that are in force, so many of them cost their square.
const MAX_DECLARATIONS: usize = 1_000;

/// Comparisons that telling equal attributes apart may cost: each with each, within an element.
const MAX_COMPARISONS: usize = 50_000_000;

/// Reads a model from the text of an XMILE file.
///
/// # Errors
/// Where the text is no well-formed XML, has a document type, is no XMILE, or is too large to be held.
pub fn read(text: &str) -> Result<Model, ReadError> {
    bounded(text)?;
    let mut text = Cow::Borrowed(text);
    let mut undeclared: Vec<String> = Vec::new();
    loop {
        let options = ParsingOptions {
            allow_dtd: false,
            nodes_limit: MAX_NODES,
            ..ParsingOptions::default()
        };
        let prefix = match Document::parse_with_options(&text, options) {
            Ok(document) => return model(&document),
            Err(Error::UnknownNamespace(prefix, _)) if undeclared.len() < MAX_UNDECLARED => prefix,
            Err(error) => return Err(malformed(&text, &error)),
        };
        text = Cow::Owned(declare(&text, &prefix));
        undeclared.push(prefix);
    }
}

fn refused(message: impl Into<String>) -> ReadError {
    ReadError::new(Format::Xmile, message)
}

/// Refuses texts that would take the XML parser the square of their length.
fn bounded(text: &str) -> Result<(), ReadError> {
    if text.matches("xmlns").nth(MAX_DECLARATIONS).is_some() {
        return Err(refused(format!(
            "more than {MAX_DECLARATIONS} namespaces are declared; declare each once, at the root"
        )));
    }
    // An attribute has `=` and a quotation mark; no value holds a `<`, so a tag lies between two of them.
    let comparisons = text
        .split('<')
        .map(|tag| tag.matches(['"', '\'']).count() / 2)
        .fold(0_usize, |sum, attributes| {
            sum.saturating_add(attributes.saturating_mul(attributes))
        });
    if comparisons > MAX_COMPARISONS {
        return Err(refused(
            "an element has thousands of attributes; no XMILE element has more than thirty",
        ));
    }
    Ok(())
}

/// `text` with `prefix` declared at the root element.
fn declare(text: &str, prefix: &str) -> String {
    let mut at = 0;
    while let Some(found) = text[at..].find('<') {
        at += found;
        let rest = &text[at..];
        let end = if rest.starts_with("<?") {
            "?>"
        } else if rest.starts_with("<!--") {
            "-->"
        } else {
            break;
        };
        at += rest.find(end).map_or(rest.len(), |found| found + end.len());
    }
    let name = text[at..]
        .find(|c: char| c.is_ascii_whitespace() || c == '/' || c == '>')
        .unwrap_or(text.len() - at);
    let (head, tail) = text.split_at(at + name);
    format!("{head} xmlns:{prefix}=\"urn:undeclared:{prefix}\"{tail}")
}

fn malformed(text: &str, error: &Error) -> ReadError {
    let place = error.pos();
    let what = match error {
        Error::DtdDetected => {
            return refused(
                "the file has a DOCTYPE, which is not read because entities can swell without bound; remove it",
            );
        }
        Error::NodesLimitReached => {
            return refused(format!(
                "the file has more than {MAX_NODES} elements; leave out its drawings and data"
            ));
        }
        Error::UnknownNamespace(prefix, _) => {
            format!("more than {MAX_UNDECLARED} prefixes are not declared, such as {prefix:?}")
        }
        Error::UnexpectedCloseTag(expected, actual, _) => {
            format!("the element <{expected}> is closed by </{actual}>; close each element by its own name")
        }
        Error::UnknownEntityReference(name, _) => {
            format!("the entity &{name}; is not known in XML; write the character itself")
        }
        Error::NoRootNode => return refused("the file has no element; expected <xmile>"),
        Error::UnclosedRootNode => "the file ends within an element; is it complete?".to_owned(),
        other => {
            // The parser's text ends with a place, which is off where prefixes were declared before it.
            let text = other.to_string();
            let plain = text.rsplit_once(" at ").map_or(&*text, |(plain, _)| plain);
            format!("no well-formed XML: {plain}")
        }
    };
    let line = text
        .lines()
        .nth(place.row.saturating_sub(1) as usize)
        .unwrap_or_default();
    let column = place.col.saturating_sub(1) as usize;
    let near: String = line.chars().skip(column.saturating_sub(20)).take(60).collect();
    refused(format!("line {}, near {:?}: {what}", place.row, near.trim()))
}

/// What the reading of one file gathers.
#[derive(Debug, Default)]
struct Reader {
    notes: Notes,
    model: Model,
    behavior: Behavior,
}

/// Whether stocks and flows cannot be negative where they do not say so themselves.
#[derive(Debug, Clone, Copy, Default)]
struct Behavior {
    stock: Option<bool>,
    flow: Option<bool>,
}

fn model(document: &Document<'_>) -> Result<Model, ReadError> {
    let root = document.root_element();
    if root.tag_name().name() != "xmile" {
        return Err(refused(format!(
            "the root element is <{}>; expected <xmile>",
            root.tag_name().name()
        )));
    }
    let mut reader = Reader::default();
    reader.header(root);
    let Some(main) = reader.main_model(root) else {
        return Err(refused("the file has no <model>; is it complete?"));
    };
    reader.specs(root, main);
    reader.whole_file(root);
    let (file, own) = (Behavior::of(root), Behavior::of(main));
    reader.behavior = Behavior {
        stock: own.stock.or(file.stock),
        flow: own.flow.or(file.flow),
    };
    for node in children(main)
        .filter(|node| name(*node) == "variables")
        .flat_map(children)
    {
        reader.entity(node);
        if reader.model.variables.len() > MAX_VARIABLES {
            return Err(refused(format!(
                "the model has more than {MAX_VARIABLES} variables; split it"
            )));
        }
    }
    if reader.model.variables.is_empty() {
        reader.notes.remark("The model has no variables.", "");
    }
    reader.links(main);
    reader.model.notes = reader.notes.finish();
    Ok(reader.model)
}

impl Behavior {
    fn of(parent: Node<'_, '_>) -> Self {
        let Some(behavior) = child(parent, "behavior") else {
            return Self::default();
        };
        let all = flag(behavior);
        let each = |kind| child(behavior, kind).and_then(flag).or(all);
        Self {
            stock: each("stock"),
            flow: each("flow"),
        }
    }
}

impl Reader {
    fn header(&mut self, root: Node<'_, '_>) {
        if let Some(header) = child(root, "header") {
            self.model.name = words(&content(header, "name"));
            self.model.vendor = words(&content(header, "vendor"));
            if self.model.vendor.is_empty() {
                self.model.vendor = words(&content(header, "product"));
            }
        }
    }

    /// The model that the others are modules of: the one without a name, else the first.
    fn main_model<'a, 'i>(&mut self, root: Node<'a, 'i>) -> Option<Node<'a, 'i>> {
        let models = || children(root).filter(|node| name(*node) == "model");
        let main = models()
            .find(|node| attribute(*node, "name").is_none())
            .or_else(|| models().next())?;
        for other in models().filter(|node| *node != main) {
            self.notes.unsupported(
                "Of several models in the file only the main one is read; left out: {}.",
                attribute(other, "name").unwrap_or("one without a name"),
            );
        }
        if let Some(resource) = attribute(main, "resource") {
            self.notes
                .unsupported("The model stands in another file, which is not read: {}.", resource);
        }
        if self.model.name.is_empty() {
            self.model.name = words(attribute(main, "name").unwrap_or_default());
        }
        Some(main)
    }

    fn specs(&mut self, root: Node<'_, '_>, main: Node<'_, '_>) {
        let Some(node) = child(main, "sim_specs").or_else(|| child(root, "sim_specs")) else {
            self.notes.repaired(
                "The file has no sim_specs: say when to stop before the model is run.",
                "",
            );
            return;
        };
        let mut specs = Specs::default();
        let given = |name| Some(content(node, name)).filter(|text| !text.is_empty());
        match given("start") {
            Some(start) => specs.start = start,
            None => self.notes.remark("No start time is given; 0 is used.", ""),
        }
        specs.stop = given("stop");
        if specs.stop.is_none() {
            self.notes
                .repaired("No stop time is given: say when to stop before the model is run.", "");
        }
        match given("dt") {
            Some(dt) => set_dt(&mut specs, &dt),
            None => self.notes.remark("No dt is given; 1 is used, as XMILE says.", ""),
        }
        if child(node, "dt")
            .and_then(|dt| attribute(dt, "reciprocal"))
            .is_some_and(is_true)
        {
            specs.reciprocal = true;
        }
        // Stella writes the attribute under its own prefix, Simlin and xmutil an element.
        let interval = node
            .attributes()
            .find(|a| a.name() == "save_interval")
            .map(|a| a.value());
        let save = given("save_step")
            .or_else(|| given("savestep"))
            .or(interval.map(str::to_owned));
        specs.save = save.filter(|text| number(text).is_some_and(|value| value > 0.0));
        specs.method = method(attribute(node, "method").unwrap_or_default());
        specs.time_unit = words(attribute(node, "time_units").unwrap_or_default());
        self.model.specs = specs;
    }

    /// What stands beside the models and is not held.
    fn whole_file(&mut self, root: Node<'_, '_>) {
        for node in children(root) {
            let label = attribute(node, "name").unwrap_or("one without a name");
            match name(node) {
                "macro" => self.notes.unsupported("Macros are not supported: {}.", label),
                "dimensions" => {
                    for dimension in children(node) {
                        let label = attribute(dimension, "name").unwrap_or("one without a name");
                        self.notes
                            .unsupported("Dimensions of arrays are not supported: {}.", label);
                    }
                }
                "data" if children(node).next().is_some() => {
                    self.notes
                        .unsupported("Imported and exported data are not supported.", "");
                }
                "model_units" if children(node).next().is_some() => {
                    self.notes
                        .remark("The file's own definitions of units are not read.", "");
                }
                _ => {}
            }
        }
    }

    fn entity(&mut self, node: Node<'_, '_>) {
        let Some(label) = attribute(node, "name")
            .map(identifier)
            .filter(|label| !label.is_empty())
        else {
            self.notes.repaired("What has no name was left out: <{}>.", name(node));
            return;
        };
        match name(node) {
            "stock" => self.stock(node, label),
            "flow" => {
                let uniflow = flag(node).or(self.behavior.flow).unwrap_or(false);
                self.variable(node, label, Kind::Flow { uniflow });
            }
            "aux" => self.variable(node, label, Kind::Auxiliary),
            "gf" => match graphical(node, &mut self.notes, &label) {
                Ok(graphical) => self.model.functions.push((label, graphical)),
                Err(fault) => self.broken_function(&label, &fault),
            },
            "module" => self.notes.unsupported(
                "Modules are not supported, so that what they compute is not known here: {}.",
                &label,
            ),
            // A group only says what is drawn together.
            "group" => {}
            other => self.notes.unsupported(
                "Unknown kinds of variables were left out: {}.",
                &format!("{label} (<{other}>)"),
            ),
        }
    }

    fn stock(&mut self, node: Node<'_, '_>, label: String) {
        let flows = |side| {
            children(node)
                .filter(|child| name(*child) == side)
                .map(|child| identifier(&text(child)))
                .filter(|flow| !flow.is_empty())
                .collect()
        };
        let kind = Kind::Stock {
            inflows: flows("inflow"),
            outflows: flows("outflow"),
            non_negative: flag(node).or(self.behavior.stock).unwrap_or(false),
        };
        self.variable(node, label, kind);
    }

    fn variable(&mut self, node: Node<'_, '_>, label: String, kind: Kind) {
        let is_stock = matches!(kind, Kind::Stock { .. });
        let mut variable = Variable {
            kind,
            equation: self.equation(node, &label, is_stock),
            unit: words(&content(node, "units")),
            doc: content(node, "doc"),
            ..Variable::default()
        };
        for gf in child(node, "gf").into_iter() {
            match graphical(gf, &mut self.notes, &label) {
                Ok(graphical) => {
                    if let Some(own) = attribute(gf, "name").map(identifier).filter(|own| !own.is_empty()) {
                        self.model.functions.push((own, graphical.clone()));
                    }
                    variable.graphical = Some(graphical);
                }
                Err(fault) => {
                    self.broken_function(&label, &fault);
                    variable.equation = None;
                }
            }
        }
        if self.is_unsupported(node, &label) {
            variable.equation = None;
            variable.graphical = None;
        }
        // xmutil writes Vensim's lookups like this.
        if variable.equation.is_none()
            && variable.kind == Kind::Auxiliary
            && let Some(graphical) = variable.graphical.take()
        {
            self.notes.remark(
                "Points without an equation were read as functions to be called by name: {}.",
                &label,
            );
            self.model.functions.push((label, graphical));
            return;
        }
        variable.name = label;
        self.model.variables.push(variable);
    }

    fn equation(&mut self, node: Node<'_, '_>, label: &str, is_stock: bool) -> Option<String> {
        let equations: Vec<String> = children(node)
            .filter(|child| name(*child) == "eqn")
            .map(text)
            .filter(|text| !text.is_empty())
            .collect();
        let initial = [content(node, "init"), content(node, "init_eqn")]
            .into_iter()
            .find(|text| !text.is_empty());
        if equations.iter().any(|equation| *equation != equations[0]) {
            self.notes
                .repaired("Of several different equations the first is used: {}.", label);
        }
        match (equations.into_iter().next(), initial) {
            (None, Some(initial)) if is_stock => Some(initial),
            (Some(equation), Some(initial)) if !is_stock => {
                self.notes.unsupported(
                    "An equation of its own for the start is not supported; the usual one is used there: {}.",
                    &format!("{label} ({initial})"),
                );
                Some(equation)
            }
            (equation, _) => equation,
        }
    }

    /// Names what in a variable is not supported and changes its meaning; false where there is nothing.
    fn is_unsupported(&mut self, node: Node<'_, '_>, label: &str) -> bool {
        let mut found = false;
        for part in children(node) {
            let sentence = match name(part) {
                "conveyor" => "Conveyors are not supported; these have no equation here: {}.",
                "queue" => "Queues are not supported; these have no equation here: {}.",
                "oven" => "Ovens are not supported; these have no equation here: {}.",
                "element" => "Arrays are not supported; these have no equation here: {}.",
                "dimensions" if children(part).next().is_some() => {
                    "Arrays are not supported; these have no equation here: {}."
                }
                "multiplier" => "Multipliers of flows are not supported; these have no equation here: {}.",
                "leak" | "leak_integers" | "leak_start" | "leak_end" | "overflow" => {
                    "Leakage and overflow of conveyors and queues are not supported; these have no equation here: {}."
                }
                "eqn" | "inflow" | "outflow" | "non_negative" | "units" | "doc" | "gf" | "init" | "init_eqn"
                | "dimensions" | "range" | "scale" | "format" | "mathml" | "event_poster" | "delay_aux" => continue,
                other => {
                    self.notes.unsupported(
                        "Parts of variables were left out: {}.",
                        &format!("<{other}> of {label}"),
                    );
                    continue;
                }
            };
            self.notes.unsupported(sentence, label);
            found = true;
        }
        found
    }

    fn broken_function(&mut self, label: &str, fault: &str) {
        self.notes.unsupported(
            "Graphical functions that cannot be read leave their variables without an equation: {}.",
            &format!("{label} ({fault})"),
        );
    }

    /// Links of the drawings that say more than equations do: a polarity, a delay, or an input of what has no equation.
    fn links(&mut self, main: Node<'_, '_>) {
        let without: HashSet<String> = self
            .model
            .variables
            .iter()
            .filter(|variable| variable.equation.is_none())
            .map(|variable| key(&variable.name))
            .collect();
        let views = || {
            children(main)
                .filter(|node| name(*node) == "views")
                .flat_map(children)
                .flat_map(children)
        };
        let end = |node: Node<'_, '_>| match child(node, "alias").and_then(|alias| attribute(alias, "uid")) {
            Some(uid) => views()
                .find(|alias| name(*alias) == "alias" && attribute(*alias, "uid") == Some(uid))
                .map(|alias| identifier(&content(alias, "of")))
                .unwrap_or_default(),
            None => identifier(&text(node)),
        };
        let mut seen = HashSet::new();
        let mut links = Vec::new();
        for node in views().filter(|node| name(*node) == "connector") {
            let (Some(from), Some(to)) = (child(node, "from"), child(node, "to")) else {
                continue;
            };
            let polarity = match attribute(node, "polarity").unwrap_or_default() {
                "+" => Some(1),
                "-" => Some(-1),
                _ => None,
            };
            let delay = attribute(node, "delay_mark").is_some_and(is_true);
            let to = end(to);
            if polarity.is_none() && !delay && !without.contains(&key(&to)) {
                continue;
            }
            let from = end(from);
            if from.is_empty() || to.is_empty() || !seen.insert((key(&from), key(&to))) {
                continue;
            }
            links.push(Link {
                from,
                to,
                polarity,
                delay,
                ..Link::default()
            });
        }
        self.model.links = links;
    }
}

/// The points of a `<gf>`, or what is wrong with them.
fn graphical(node: Node<'_, '_>, notes: &mut Notes, label: &str) -> Result<Graphical, String> {
    let kind = match attribute(node, "type").unwrap_or_default().trim() {
        "" | "continuous" if attribute(node, "discrete").is_some_and(is_true) => GraphicalKind::Discrete,
        "" | "continuous" => GraphicalKind::Continuous,
        "extrapolate" => GraphicalKind::Extrapolate,
        "discrete" => GraphicalKind::Discrete,
        other => {
            notes.repaired(
                "Graphical functions of an unknown type are taken for continuous: {}.",
                &format!("{label} ({other:?})"),
            );
            GraphicalKind::Continuous
        }
    };
    let ys = numbers(node, "ypts")?.filter(|ys| !ys.is_empty()).ok_or("no ypts")?;
    let given = numbers(node, "xpts")?.filter(|xs| !xs.is_empty());
    let scaled = match child(node, "xscale") {
        Some(scale) => {
            let end = |side| {
                let text = attribute(scale, side).unwrap_or_default();
                number(text).ok_or_else(|| format!("xscale {side} is {text:?}, not a number"))
            };
            Some(spread(end("min")?, end("max")?, ys.len()))
        }
        None => None,
    };
    let xs = match (given, scaled) {
        (Some(given), Some(scaled)) if given != scaled => {
            notes.repaired("Of xpts and xscale, which differ, xpts are used: {}.", label);
            given
        }
        (Some(xs), _) | (None, Some(xs)) => xs,
        (None, None) => return Err("neither xpts nor xscale".to_owned()),
    };
    if xs.len() != ys.len() {
        return Err(format!("{} xpts but {} ypts", xs.len(), ys.len()));
    }
    let mut points: Vec<[f64; 2]> = xs.into_iter().zip(ys).map(|(x, y)| [x, y]).collect();
    if !points.is_sorted_by(|a, b| a[0] <= b[0]) {
        notes.repaired("Points were put in the order of x: {}.", label);
        points.sort_by(|a, b| a[0].total_cmp(&b[0]));
    }
    Ok(Graphical { kind, points })
}

/// `count` numbers from `min` to `max`, evenly spread; the last is exactly `max`.
fn spread(min: f64, max: f64, count: usize) -> Vec<f64> {
    let last = count.saturating_sub(1);
    (0..count)
        .map(|i| {
            if i == last && last > 0 {
                max
            } else if i == 0 {
                min
            } else {
                min + (max - min) * i as f64 / last as f64
            }
        })
        .collect()
}

fn numbers(node: Node<'_, '_>, part: &str) -> Result<Option<Vec<f64>>, String> {
    let Some(list) = child(node, part) else {
        return Ok(None);
    };
    let separator = attribute(list, "sep").filter(|sep| !sep.is_empty()).unwrap_or(",");
    let text = text(list);
    let items = text.trim_end_matches(|c: char| c.is_whitespace() || separator.contains(c));
    if items.is_empty() {
        return Ok(Some(Vec::new()));
    }
    let values: Result<Vec<f64>, &str> = if separator.trim().is_empty() {
        items.split_whitespace().map(read_number).collect()
    } else {
        items.split(separator).map(read_number).collect()
    };
    values.map(Some).map_err(|item: &str| {
        let item: String = item.trim().chars().take(40).collect();
        format!("{part} hold {item:?}, not a number")
    })
}

fn read_number(item: &str) -> Result<f64, &str> {
    number(item).ok_or(item)
}

/// The first method of a list that Meadow knows, else the text as it stands.
fn method(text: &str) -> String {
    let known = ["euler", "rk4", "rk2", "rk45", "gear", "auto"];
    let mut items = text.split(',').map(str::trim);
    let first = items.find(|item| known.contains(&&*item.to_lowercase()));
    first.unwrap_or(text.trim()).to_owned()
}

/// The child elements that belong to XMILE: of the root's namespace or of none.
fn children<'a, 'i: 'a>(node: Node<'a, 'i>) -> impl Iterator<Item = Node<'a, 'i>> {
    let own = node.document().root_element().tag_name().namespace();
    node.children().filter(move |child| {
        let namespace = child.tag_name().namespace();
        child.is_element() && (namespace == own || namespace.is_none())
    })
}

fn child<'a, 'i>(node: Node<'a, 'i>, wanted: &str) -> Option<Node<'a, 'i>> {
    children(node).find(|child| name(*child) == wanted)
}

fn name<'a>(node: Node<'a, '_>) -> &'a str {
    node.tag_name().name()
}

fn attribute<'a>(node: Node<'a, '_>, wanted: &str) -> Option<&'a str> {
    node.attribute(wanted)
}

/// All text within an element, comments and markup left out.
fn text(node: Node<'_, '_>) -> String {
    let mut text = String::new();
    for part in node.descendants().filter(Node::is_text) {
        text.push_str(part.text().unwrap_or_default());
    }
    text.trim().to_owned()
}

/// The text of the first child of that name; empty where there is none.
fn content(node: Node<'_, '_>, wanted: &str) -> String {
    child(node, wanted).map(text).unwrap_or_default()
}

/// `<non_negative/>` or `<non_negative>false</non_negative>`, where one is given.
fn flag(node: Node<'_, '_>) -> Option<bool> {
    child(node, "non_negative").map(|flag| {
        let text = text(flag);
        text.is_empty() || is_true(&text)
    })
}

fn is_true(text: &str) -> bool {
    ["true", "1"].contains(&&*text.trim().to_lowercase())
}

/// `text` in one line, single blanks between its words.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A name as it is compared.
fn key(name: &str) -> String {
    fold(name).into_owned()
}
