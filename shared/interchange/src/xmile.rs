//! XMILE 1.0, and what Stella, xmutil and others write under that name.

use crate::notes::Notes;
use crate::values::{number, set_dt};
use crate::{Format, MAX_VARIABLES, ReadError};
use foldhash::{HashMap, HashSet};
use meadow_dynamics::model::{Graphical, GraphicalKind, Kind, Link, Model, Specs, Variable};
use meadow_dynamics::names::{fold, identifier};
use roxmltree::{Document, Error, Node, ParsingOptions};
use std::borrow::Cow;

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
pub(crate) fn read(text: &str) -> Result<Model, ReadError> {
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
        Error::UnclosedRootNode => return refused("the file ends within an element; is it complete?"),
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
            // Vensim's function says the same.
            (Some(equation), Some(initial)) if !is_stock => {
                Some(format!("vensim.ACTIVE_INITIAL({equation}, {initial})"))
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
        let aliases: HashMap<&str, String> = views()
            .filter(|node| name(*node) == "alias")
            .filter_map(|node| Some((attribute(node, "uid")?, identifier(&content(node, "of")))))
            .collect();
        let end = |node: Node<'_, '_>| match child(node, "alias").and_then(|alias| attribute(alias, "uid")) {
            Some(uid) => aliases.get(uid).cloned().unwrap_or_default(),
            None => identifier(&text(node)),
        };
        let mut seen = HashSet::default();
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

/// The child elements that belong to XMILE: of their parent's namespace or of none. Vendors' own have another.
fn children<'a, 'i: 'a>(node: Node<'a, 'i>) -> impl Iterator<Item = Node<'a, 'i>> {
    let own = node.tag_name().namespace();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model as read_model;

    const SPECS: &str = "<sim_specs><start>0</start><stop>9</stop><dt>0.5</dt></sim_specs>";

    /// A file around these variables.
    fn file(variables: &str) -> String {
        format!(
            "<xmile version=\"1.0\" xmlns=\"http://docs.oasis-open.org/xmile/ns/XMILE/v1.0\">{SPECS}\
             <model><variables>{variables}</variables></model></xmile>"
        )
    }

    fn of(variables: &str) -> Model {
        read_model(file(variables))
    }

    fn variable<'m>(model: &'m Model, name: &str) -> &'m Variable {
        let found = model.variables.iter().find(|variable| variable.name == name);
        found.unwrap_or_else(|| panic!("{name} in {model:#?}"))
    }

    #[track_caller]
    fn refuses(text: &str, expected: &str) {
        let error = crate::read(text.as_bytes()).expect_err("refused");
        assert_eq!(error.to_string(), format!("XMILE: {expected}"));
    }

    #[track_caller]
    fn notes(model: &Model, expected: &[&str]) {
        assert_eq!(model.notes, expected);
    }

    #[test]
    fn reads_stocks_flows_and_auxiliaries_with_their_texts() {
        let model = read_model(
            "\u{feff}<?xml version=\"1.0\"?>\r\n<!-- <not the root> -->\r\n<xmile xmlns=\"urn:x\">\r\n<header><vendor>isee\r\n \
             systems</vendor><name>Tea</name></header>\
             <sim_specs method=\"RK4\" time_units=\"Minute\"><stop>30</stop><dt reciprocal=\"true\"> 8 </dt></sim_specs>\
             <model><variables><stock name=\"Tea Cup\"><eqn>180<!-- hot --> + 1</eqn><outflow>\"Heat Loss\"</outflow>\
             <outflow>to_\\nair</outflow><inflow>heating</inflow><units>degF</units><doc>a &lt;b&gt;\r\nc</doc></stock>\
             <flow name=\"Heat\\nLoss\"><eqn><![CDATA[a < b]]></eqn></flow><aux name=\"Room\"/></variables></model></xmile>",
        );
        assert_eq!((&*model.name, &*model.vendor), ("Tea", "isee systems"));
        let specs = &model.specs;
        assert_eq!(
            (&*specs.start, specs.stop.as_deref(), &*specs.dt),
            ("0", Some("30"), "8")
        );
        assert!(specs.reciprocal);
        assert_eq!((&*specs.method, &*specs.time_unit), ("RK4", "Minute"));
        let stock = variable(&model, "Tea Cup");
        assert_eq!(stock.equation.as_deref(), Some("180 + 1"));
        assert_eq!((&*stock.unit, &*stock.doc), ("degF", "a <b>\nc"));
        assert_eq!(
            stock.kind,
            Kind::Stock {
                inflows: vec!["heating".to_owned()],
                outflows: vec!["Heat Loss".to_owned(), "to_ air".to_owned()],
                non_negative: false
            }
        );
        assert_eq!(variable(&model, "Heat Loss").equation.as_deref(), Some("a < b"));
        assert_eq!(variable(&model, "Room").equation, None);
        notes(&model, &["No start time is given; 0 is used."]);
    }

    #[test]
    fn undeclared_prefixes_are_declared() {
        let model = read_model(
            "<!-- <a> --><?pi <b> ?><xmile><isee:prefs layer='model'/><sim_specs isee:save_interval='1' \
             other:x='2'><start>0</start><stop>9</stop><dt>0.5</dt></sim_specs><model><variables><isee:aux name='no'/>\
             <aux name='a'><eqn>1</eqn><isee:eqn>2</isee:eqn></aux></variables></model></xmile>",
        );
        assert_eq!(model.specs.save.as_deref(), Some("1"));
        assert_eq!(model.variables.len(), 1);
        assert_eq!(variable(&model, "a").equation.as_deref(), Some("1"));
        notes(&model, &[]);
        let many: String = (0..40).map(|i| format!("<p{i}:x/>")).collect();
        let error = crate::read(format!("<xmile>{many}</xmile>").as_bytes()).expect_err("refused");
        let expected = "more than 8 prefixes are not declared, such as \"p8\"";
        assert!(error.message.ends_with(expected), "{error}");
    }

    #[test]
    fn texts_that_are_no_xmile_are_refused_with_their_place() {
        refuses("<html></html>", "the root element is <html>; expected <xmile>");
        refuses("<xmile/>", "the file has no <model>; is it complete?");
        refuses("<xmile>\n<model>\n", "the file ends within an element; is it complete?");
        refuses(
            "<xmile>\n<eqn>a < 3</eqn></xmile>",
            "line 2, near \"<eqn>a < 3</eqn></xmile>\": no well-formed XML: invalid name token",
        );
        refuses(
            "<xmile><a></b></xmile>",
            "line 1, near \"<xmile><a></b></xmile>\": the element <a> is closed by </b>; close each element by its own name",
        );
        refuses(
            "<xmile>&nbsp;</xmile>",
            "line 1, near \"<xmile>&nbsp;</xmile>\": the entity &nbsp; is not known in XML; write the character itself",
        );
        refuses(
            "<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><xmile>&b;</xmile>",
            "the file has a DOCTYPE, which is not read because entities can swell without bound; remove it",
        );
    }

    #[test]
    fn missing_and_odd_specs_are_noted() {
        let model = read_model("<xmile><model><variables><aux name='a'><eqn>1</eqn></aux></variables></model></xmile>");
        notes(
            &model,
            &["The file has no sim_specs: say when to stop before the model is run."],
        );
        assert_eq!(model.specs, Specs::default());
        let model = read_model("<xmile><sim_specs><start>1</start></sim_specs><model/></xmile>");
        notes(
            &model,
            &[
                "No stop time is given: say when to stop before the model is run.",
                "No dt is given; 1 is used, as XMILE says.",
                "The model has no variables.",
            ],
        );
        let specs = |specs: &str| read_model(format!("<xmile>{specs}<model/></xmile>")).specs;
        assert_eq!(specs("<sim_specs method='foo, RK45, Euler'/>").method, "RK45");
        assert_eq!(specs("<sim_specs method='foo'/>").method, "foo");
        assert_eq!(specs("<sim_specs><dt>1/8</dt></sim_specs>").dt, "8");
        assert_eq!(
            specs("<sim_specs><save_step>2</save_step></sim_specs>").save.as_deref(),
            Some("2")
        );
        assert_eq!(specs("<sim_specs save_interval='0'/>").save, None);
    }

    #[test]
    fn the_nearest_flag_decides_what_is_not_negative() {
        let model = read_model(
            "<xmile><behavior><non_negative/></behavior><model><behavior><flow><non_negative>false</non_negative></flow>\
             </behavior><variables><stock name='s'/><stock name='t'><non_negative> False </non_negative></stock>\
             <flow name='f'/><flow name='g'><non_negative/></flow></variables></model></xmile>",
        );
        let flag = |name| match variable(&model, name).kind {
            Kind::Stock { non_negative, .. } => non_negative,
            Kind::Flow { uniflow } => uniflow,
            Kind::Auxiliary => panic!("{name}"),
        };
        assert_eq!(["s", "t", "f", "g"].map(flag), [true, false, false, true]);
        assert_eq!(of("<flow name='f'/>").variables[0].kind, Kind::Flow { uniflow: false });
    }

    #[test]
    fn equations_given_twice_or_for_the_start() {
        let model = of(
            "<aux name='a'><eqn>1</eqn><eqn> 1 </eqn></aux><aux name='b'><eqn>2</eqn><eqn>3</eqn></aux>\
            <aux name='c'><eqn/><eqn>4</eqn></aux><stock name='s'><init>5</init></stock>\
            <aux name='d'><eqn>6</eqn><init_eqn>7</init_eqn></aux>",
        );
        let equations: Vec<_> = model
            .variables
            .iter()
            .map(|v| v.equation.as_deref().unwrap_or(""))
            .collect();
        assert_eq!(equations, ["1", "2", "4", "5", "vensim.ACTIVE_INITIAL(6, 7)"]);
        notes(&model, &["Of several different equations the first is used: b."]);
    }

    #[track_caller]
    fn points(gf: &str, expected: &[[f64; 2]], expected_notes: &[&str]) {
        let model = of(&format!("<aux name='a'><eqn>TIME</eqn>{gf}</aux>"));
        let graphical = variable(&model, "a").graphical.as_ref();
        assert_eq!(graphical.map_or(&[][..], |g| &g.points), expected);
        assert_eq!(variable(&model, "a").equation.is_some(), graphical.is_some());
        notes(&model, expected_notes);
    }

    #[test]
    fn graphical_functions_come_in_many_forms() {
        points(
            "<gf><xscale min='0' max='1.1'/><ypts>1, 2 ,3</ypts></gf>",
            &[[0.0, 1.0], [0.55, 2.0], [1.1, 3.0]],
            &[],
        );
        points(
            "<gf><xpts sep=';'>1;2;</xpts><ypts sep=' '> 3  4 </ypts></gf>",
            &[[1.0, 3.0], [2.0, 4.0]],
            &[],
        );
        points(
            "<gf><xscale min='1' max='2'/><xpts>1,2</xpts><ypts>3,4</ypts><yscale min='9' max='8'/></gf>",
            &[[1.0, 3.0], [2.0, 4.0]],
            &[],
        );
        points(
            "<gf><xscale min='0' max='2'/><xpts>1,2</xpts><ypts>3,4</ypts></gf>",
            &[[1.0, 3.0], [2.0, 4.0]],
            &["Of xpts and xscale, which differ, xpts are used: a."],
        );
        points(
            "<gf><xpts>2,1,1</xpts><ypts>3,4,5</ypts></gf>",
            &[[1.0, 4.0], [1.0, 5.0], [2.0, 3.0]],
            &["Points were put in the order of x: a."],
        );
        points("<gf><xscale min='7' max='8'/><ypts>3</ypts></gf>", &[[7.0, 3.0]], &[]);
        let broken = "Graphical functions that cannot be read leave their variables without an equation: a ";
        for (gf, fault) in [
            ("<gf><ypts>1</ypts></gf>", "(neither xpts nor xscale)."),
            ("<gf><xpts>1</xpts></gf>", "(no ypts)."),
            ("<gf><xpts>1,2</xpts><ypts>1</ypts></gf>", "(2 xpts but 1 ypts)."),
            (
                "<gf><xpts>1,inf</xpts><ypts>1,2</ypts></gf>",
                "(xpts hold \"inf\", not a number).",
            ),
            (
                "<gf><xscale min='x'/><ypts>1,2</ypts></gf>",
                "(xscale min is \"x\", not a number).",
            ),
        ] {
            points(gf, &[], &[&format!("{broken}{fault}")]);
        }
    }

    #[test]
    fn graphical_functions_have_a_kind_and_perhaps_a_name() {
        let model = of(
            "<gf name='rising' type='extrapolate'><xscale min='0' max='1'/><ypts>0,1</ypts></gf>\
            <aux name='a'><eqn>1</eqn><gf name='own' type='discrete'><xscale min='0' max='1'/><ypts>0,1</ypts></gf></aux>\
            <aux name='f'><gf type='odd'><xscale min='0' max='1'/><ypts>0,1</ypts></gf></aux>",
        );
        let functions: Vec<_> = model.functions.iter().map(|(name, g)| (&**name, g.kind)).collect();
        assert_eq!(
            functions,
            [
                ("rising", GraphicalKind::Extrapolate),
                ("own", GraphicalKind::Discrete),
                ("f", GraphicalKind::Continuous)
            ]
        );
        assert_eq!(
            variable(&model, "a").graphical.as_ref().map(|g| g.kind),
            Some(GraphicalKind::Discrete)
        );
        notes(
            &model,
            &[
                "Graphical functions of an unknown type are taken for continuous: f (\"odd\").",
                "Points without an equation were read as functions to be called by name: f.",
            ],
        );
    }

    #[test]
    fn what_is_not_supported_is_named_and_has_no_equation() {
        let model = read_model(
            "<xmile><dimensions><dim name='Region'/></dimensions><macro name='M'><eqn>1</eqn></macro><data><export/></data>\
             <model_units><unit name='u'/></model_units>\
             <model name='part'><variables><aux name='x'/></variables></model>\
             <model><variables><stock name='belt'><eqn>1</eqn><conveyor/></stock><stock name='line'><eqn>1</eqn><queue/></stock>\
             <aux name='array'><dimensions><dim name='Region'/></dimensions><eqn>1</eqn></aux>\
             <aux name='cells'><element subscript='1'><eqn>1</eqn></element></aux><flow name='f'><eqn>1</eqn><leak/></flow>\
             <aux name='scalar'><dimensions/><eqn>1</eqn><odd/></aux><module name='part'><connect to='a' from='b'/></module>\
             <group name='g'><entity name='scalar'/></group><thing name='t'/><aux/></variables></model></xmile>",
        );
        let with: Vec<_> = model
            .variables
            .iter()
            .filter(|v| v.equation.is_some())
            .map(|v| &*v.name)
            .collect();
        assert_eq!(with, ["scalar"]);
        assert_eq!(model.variables.len(), 6);
        notes(
            &model,
            &[
                "Of several models in the file only the main one is read; left out: part.",
                "Dimensions of arrays are not supported: Region.",
                "Macros are not supported: M.",
                "Imported and exported data are not supported.",
                "Conveyors are not supported; these have no equation here: belt.",
                "Queues are not supported; these have no equation here: line.",
                "Arrays are not supported; these have no equation here: array, cells.",
                "Leakage and overflow of conveyors and queues are not supported; these have no equation here: f.",
                "Parts of variables were left out: <odd> of scalar.",
                "Modules are not supported, so that what they compute is not known here: part.",
                "Unknown kinds of variables were left out: t (<thing>).",
                "The file has no sim_specs: say when to stop before the model is run.",
                "What has no name was left out: <aux>.",
                "The file's own definitions of units are not read.",
            ],
        );
    }

    #[test]
    fn connectors_that_say_more_than_equations_are_links() {
        let model = read_model(format!(
            "<xmile>{SPECS}<model><variables><aux name='a'><eqn>1</eqn></aux><aux name='b'><eqn>a</eqn></aux>\
             <aux name='open end'/></variables><views><view><alias uid='7'><of>b</of></alias>\
             <connector><from>a</from><to>b</to></connector><connector polarity='-'><from>a</from><to>b</to></connector>\
             <connector delay_mark='true'><from><alias uid='7'/></from><to>a</to></connector>\
             <connector><from>a</from><to>Open_End</to></connector><connector polarity='+'><from>A</from><to>b</to></connector>\
             <connector polarity='+'><to>b</to></connector></view></views></model></xmile>"
        ));
        let links: Vec<_> = (model.links.iter())
            .map(|link| (&*link.from, &*link.to, link.polarity, link.delay))
            .collect();
        assert_eq!(
            links,
            [
                ("a", "b", Some(-1), false),
                ("b", "a", None, true),
                ("a", "Open_End", None, false)
            ]
        );
    }

    #[test]
    fn sizes_are_bounded() {
        let attributes: String = (0..8_000).map(|i| format!(" a{i}=''")).collect();
        refuses(
            &format!("<xmile{attributes}/>"),
            "an element has thousands of attributes; no XMILE element has more than thirty",
        );
        let nested: String = (0..2_000).map(|i| format!("<a xmlns:p{i}='u{i}'>")).collect();
        refuses(
            &nested,
            "more than 1000 namespaces are declared; declare each once, at the root",
        );
        refuses(
            &file(&"<aux name='a'/>".repeat(MAX_VARIABLES + 1)),
            "the model has more than 100000 variables; split it",
        );
        refuses(
            &file(&"<a/>".repeat(MAX_NODES as usize)),
            "the file has more than 1000000 elements; leave out its drawings and data",
        );
    }
}
