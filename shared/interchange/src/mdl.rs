//! Vensim's text format .mdl: its scalar part. Equations stay in Vensim's spelling.
//!
//! A file is a row of blocks `name = equation ~ unit ~ comment |`, then a drawing and settings, which are not read.

use crate::fresh::Fresh;
use crate::notes::Notes;
use crate::values::{number, set_dt};
use crate::{Format, MAX_VARIABLES, ReadError};
use foldhash::HashSet;
use meadow_dynamics::ast::{Binary, Dialect, Expr, ExprKind, Name, Unary};
use meadow_dynamics::model::{Graphical, GraphicalKind, Kind, Link, Model, Specs, Variable};
use meadow_dynamics::names::{Names, fold, identifier};
use meadow_dynamics::parse::parse;
use std::borrow::Cow;

const ARRAYS: &str = "Subscripts are not supported; these have no equation here: {}.";

/// Parts of expressions that are looked at to find the value of a constant such as FINAL TIME.
const MAX_WORK: usize = 500;

/// Reads a model from the text of a .mdl file.
///
/// # Errors
/// Where the model has more variables than are read.
pub(crate) fn read(text: &str) -> Result<Model, ReadError> {
    let text = if text.contains('\r') {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Cow::Borrowed(text)
    };
    let mut reader = Reader::default();
    let (equations, rest) = split_drawing(&text);
    let equations = reader.without_macros(equations);
    let mut rest_of_blocks = &*equations;
    while let Some((block, rest)) = next_block(rest_of_blocks) {
        rest_of_blocks = rest;
        reader.statement(&block);
        if reader.model.variables.len() + reader.model.functions.len() > MAX_VARIABLES {
            let message = format!("the model has more than {MAX_VARIABLES} variables; split it");
            return Err(ReadError::new(Format::Mdl, message));
        }
    }
    reader.flows();
    reader.specs(rest);
    if reader.model.variables.is_empty() {
        reader.notes.remark("The model has no variables.", "");
    }
    Ok(Model {
        vendor: "Ventana Systems".to_owned(),
        dialect: Dialect::Vensim,
        notes: reader.notes.finish(),
        ..reader.model
    })
}

/// One `equation ~ unit ~ comment |`.
#[derive(Debug)]
struct Block<'t> {
    equation: &'t str,
    unit: &'t str,
    comment: &'t str,
}

/// The equations, and the drawing with the settings.
fn split_drawing(text: &str) -> (&str, &str) {
    const MARK: &str = "\\\\\\---///";
    let at = if text.starts_with(MARK) {
        Some(0)
    } else {
        text.find("\n\\\\\\---///").map(|at| at + 1)
    };
    at.map_or((text, ""), |at| text.split_at(at))
}

/// The first block of `text`, and what follows it; none where only blanks are left.
fn next_block(text: &str) -> Option<(Block<'_>, &str)> {
    if text.trim_start().is_empty() {
        return None;
    }
    let end = Scan::new(text)
        .find(|(_, c)| ['~', '|'].contains(c))
        .map_or(text.len(), |(at, _)| at);
    let mut rest = &text[end..];
    let mut parts = [""; 3];
    let mut count = 0;
    // Behind the comment there may be a fourth part, `:SUPPLEMENTARY`, which changes nothing.
    while let Some(tail) = rest.strip_prefix('~') {
        let end = tail.find(['~', '|']).unwrap_or(tail.len());
        if let Some(part) = parts.get_mut(count) {
            *part = &tail[..end];
        }
        count += 1;
        rest = &tail[end..];
    }
    let block = Block {
        equation: &text[..end],
        unit: parts[0],
        comment: parts[1],
    };
    Some((block, rest.strip_prefix('|').unwrap_or(rest)))
}

/// The characters of an equation with their places, without what stands in quotation marks (on one line) or braces.
struct Scan<'t> {
    text: &'t str,
    at: usize,
    /// True once no brace closes any more, so that it is not looked for again.
    open: bool,
}

impl<'t> Scan<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            open: false,
        }
    }

    /// Bytes from the quotation mark at the front of `rest` to the one that closes it.
    fn quoted(rest: &str) -> Option<usize> {
        let bytes = rest.as_bytes();
        let mut at = 1;
        loop {
            match bytes.get(at)? {
                b'"' => return Some(at + 1),
                b'\n' => return None,
                b'\\' if bytes.get(at + 1) == Some(&b'"') => at += 2,
                _ => at += 1,
            }
        }
    }
}

impl Iterator for Scan<'_> {
    type Item = (usize, char);

    fn next(&mut self) -> Option<(usize, char)> {
        loop {
            let rest = &self.text[self.at..];
            let c = rest.chars().next()?;
            let passed = match c {
                '"' => Self::quoted(rest),
                '{' if !self.open => {
                    let end = rest.find('}').map(|end| end + 1);
                    self.open = end.is_none();
                    end
                }
                _ => None,
            };
            if let Some(passed) = passed {
                self.at += passed;
                continue;
            }
            let at = self.at;
            self.at += c.len_utf8();
            return Some((at, c));
        }
    }
}

/// `text` without comments in braces.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((_, after)) = after.split_once('}') else { break };
        out.push_str(before);
        out.push(' ');
        rest = after;
    }
    out.push_str(rest);
    out
}

/// An equation in one line: a backslash at a line's end and runs of blanks become one blank, but not within quotes.
fn one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.trim();
    while let Some(c) = rest.chars().next() {
        if c == '"'
            && let Some(end) = Scan::quoted(rest)
        {
            out.push_str(&rest[..end]);
            rest = &rest[end..];
            continue;
        }
        rest = &rest[c.len_utf8()..];
        let continued = c == '\\' && rest.trim_start_matches([' ', '\t']).starts_with('\n');
        if c.is_whitespace() || continued {
            if !out.ends_with(' ') {
                out.push(' ');
            }
        } else {
            out.push(c);
        }
    }
    out.truncate(out.trim_end().len());
    out
}

/// A comment: its lines without the indentation that Vensim adds, those that it broke joined again.
fn comment(text: &str) -> String {
    let lines: Vec<&str> = text.trim().lines().map(str::trim).collect();
    lines.join("\n").replace("\\\n", " ").replace("  ", " ")
}

/// A unit without the range that may follow it.
fn unit(text: &str) -> String {
    let text = text.split('[').next().unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The arguments, where all of `text` is a call of the function.
fn call<'t>(text: &'t str, function: &str) -> Option<Vec<&'t str>> {
    let (head, rest) = text.split_once('(')?;
    if fold(head) != function {
        return None;
    }
    let mut arguments = Vec::new();
    let (mut depth, mut start) = (0_usize, 0);
    for (at, c) in Scan::new(rest) {
        match c {
            '(' | '[' => depth += 1,
            ')' if depth == 0 => {
                arguments.push(rest[start..at].trim());
                return rest[at + 1..].trim().is_empty().then_some(arguments);
            }
            ')' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                arguments.push(rest[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    None
}

/// The points of a lookup, or what is wrong with them: `[(0,0)-(10,10)],(0,0),(10,5)`, or all x, then all y.
fn points(text: &str) -> Result<Vec<[f64; 2]>, String> {
    let mut text = text.trim();
    // The range in brackets is for drawing.
    if text.starts_with('[') {
        let (_, rest) = text.split_once(']').ok_or("a range without its closing bracket")?;
        text = rest.trim_start().trim_start_matches(',').trim_start();
    }
    let value = |item: &str| {
        let shown: String = item.trim().chars().take(40).collect();
        number(item).ok_or_else(|| format!("{shown:?} is no number"))
    };
    if !text.starts_with('(') {
        let values = text.split(',').map(value).collect::<Result<Vec<f64>, _>>()?;
        let (xs, ys) = values.split_at(values.len() / 2);
        if xs.len() != ys.len() {
            return Err(format!("{} numbers, which are no pairs", values.len()));
        }
        return Ok(xs.iter().zip(ys).map(|(x, y)| [*x, *y]).collect());
    }
    let mut points = Vec::new();
    while let Some(rest) = text.strip_prefix('(') {
        let (pair, rest) = rest.split_once(')').ok_or("a point without its closing parenthesis")?;
        let (x, y) = pair
            .split_once(',')
            .ok_or_else(|| format!("the point ({pair}) has no two numbers"))?;
        points.push([value(x)?, value(y)?]);
        text = rest.trim_start().trim_start_matches(',').trim_start();
    }
    if text.is_empty() {
        Ok(points)
    } else {
        let shown: String = text.chars().take(40).collect();
        Err(format!("{shown:?} where a point is expected"))
    }
}

/// What the reading of one file gathers.
#[derive(Debug, Default)]
struct Reader {
    notes: Notes,
    model: Model,
    /// The stocks, by their place among the variables, with their net rates.
    rates: Vec<(usize, String)>,
    /// Names of subscripted variables, which may have many equations.
    subscripted: HashSet<String>,
}

impl Reader {
    /// The equations outside macros.
    fn without_macros<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        if !text.contains(":MACRO:") {
            return Cow::Borrowed(text);
        }
        let mut out = String::with_capacity(text.len());
        let mut inside = false;
        for line in text.split_inclusive('\n') {
            if let Some(head) = line.trim_start().strip_prefix(":MACRO:") {
                let name = head.split('(').next().unwrap_or_default().trim();
                self.notes.unsupported("Macros are not supported: {}.", name);
                inside = true;
            }
            if !inside {
                out.push_str(line);
            }
            if line.trim_start().starts_with(":END OF MACRO:") {
                inside = false;
            }
        }
        Cow::Owned(out)
    }

    fn statement(&mut self, block: &Block<'_>) {
        let text = one_line(block.equation);
        // The head of a group is a name between two lines of stars.
        let start = without_comments(&text[..text.len() - Self::behind_comments(&text).len()]);
        let text = format!("{start}{}", Self::behind_comments(&text));
        let text = text.trim();
        if text.is_empty() || text.starts_with("***") {
            return;
        }
        let stop = Scan::new(text).find(|(_, c)| ['=', '(', '[', ':', '<'].contains(c));
        let end = stop.map_or(text.len(), |(at, _)| at);
        let name = identifier(&without_comments(&text[..end]));
        let mut rest = text[end..].trim_start();
        if name.is_empty() {
            let shown: String = text.chars().take(60).collect();
            let sentence = if text.starts_with(':') {
                "Tests of behaviour are not supported: {}."
            } else {
                "Equations without a name were left out: {}."
            };
            self.notes.unsupported(sentence, &shown);
            return;
        }
        let variable = Variable {
            name,
            unit: unit(block.unit),
            doc: comment(block.comment),
            ..Variable::default()
        };
        let mut subscripted = false;
        while let Some(inner) = rest.strip_prefix('[') {
            subscripted = true;
            rest = inner.split_once(']').map_or("", |(_, rest)| rest).trim_start();
        }
        if let Some(except) = rest.strip_prefix(":EXCEPT:") {
            rest = except.find('=').map_or("", |at| &except[at..]);
        }
        if subscripted {
            self.notes.unsupported(ARRAYS, &variable.name);
            if self.subscripted.insert(fold(&variable.name).into_owned()) {
                self.model.variables.push(variable);
            }
        } else if let Some(rate) = rest
            .strip_prefix("==")
            .or(rest.strip_prefix(":="))
            .or(rest.strip_prefix('='))
        {
            self.equation(variable, rate.trim());
        } else if let Some(inner) = rest.strip_prefix('(') {
            self.lookup(&variable.name, inner);
        } else if rest.starts_with("<->") || (rest.starts_with(':') && !rest[1..].contains(':')) {
            self.notes
                .unsupported("Ranges of subscripts are not supported: {}.", &variable.name);
        } else {
            self.notes.unsupported(
                "Data from outside the file are not supported; these have no equation here: {}.",
                &variable.name,
            );
            self.model.variables.push(variable);
        }
    }

    /// `text` behind the comments at its front.
    fn behind_comments(text: &str) -> &str {
        let mut rest = text.trim_start();
        while let Some(inner) = rest.strip_prefix('{') {
            match inner.split_once('}') {
                Some((_, after)) => rest = after.trim_start(),
                None => break,
            }
        }
        rest
    }

    fn lookup(&mut self, name: &str, inner: &str) {
        let inner = inner.trim_end();
        match points(inner.strip_suffix(')').unwrap_or(inner)) {
            Ok(points) => {
                let graphical = self.graphical(name, points);
                self.model.functions.push((name.to_owned(), graphical));
            }
            Err(fault) => self.notes.unsupported(
                "Lookups that cannot be read were left out: {}.",
                &format!("{name} ({fault})"),
            ),
        }
    }

    fn graphical(&mut self, name: &str, mut points: Vec<[f64; 2]>) -> Graphical {
        if !points.is_sorted_by(|a, b| a[0] <= b[0]) {
            self.notes.repaired("Points were put in the order of x: {}.", name);
            points.sort_by(|a, b| a[0].total_cmp(&b[0]));
        }
        Graphical {
            kind: GraphicalKind::Continuous,
            points,
        }
    }

    fn equation(&mut self, mut variable: Variable, text: &str) {
        if let Some(arguments) = call(text, "integ") {
            variable.kind = Kind::Stock {
                inflows: Vec::new(),
                outflows: Vec::new(),
                non_negative: false,
            };
            if let [rate, initial] = arguments[..] {
                variable.equation = Some(initial.to_owned()).filter(|initial| !initial.is_empty());
                self.rates.push((self.model.variables.len(), rate.to_owned()));
            } else {
                let found = format!("{} ({} arguments)", variable.name, arguments.len());
                self.notes.unsupported(
                    "INTEG has a rate and an initial value; these have no equation here: {}.",
                    &found,
                );
            }
        } else if let Some([input, table]) = call(text, "with_lookup").as_deref()
            && let Some(table) = table.strip_prefix('(').and_then(|table| table.strip_suffix(')'))
        {
            match points(table) {
                Ok(points) => {
                    variable.graphical = Some(self.graphical(&variable.name, points));
                    variable.equation = Some((*input).to_owned());
                }
                Err(fault) => self.notes.unsupported(
                    "Lookups that cannot be read leave their variables without an equation: {}.",
                    &format!("{} ({fault})", variable.name),
                ),
            }
        } else if let Some(inputs) = call(text, "a_function_of") {
            // What Vensim writes for an equation that is still to come; a minus is a polarity.
            self.model.links.extend(inputs.iter().filter_map(|input| {
                let negative = input.strip_prefix('-');
                let from = identifier(negative.unwrap_or(input));
                (!from.is_empty()).then(|| Link {
                    from,
                    to: variable.name.clone(),
                    polarity: negative.map(|_| -1),
                    ..Link::default()
                })
            }));
        } else {
            if Scan::new(text).any(|(_, c)| c == '[') {
                self.notes
                    .unsupported("Subscripts in equations are not supported: {}.", &variable.name);
            }
            variable.equation = Some(text.to_owned()).filter(|text| !text.is_empty());
        }
        self.model.variables.push(variable);
    }

    /// Makes flows of the stocks' net rates: of the names in a plain sum, else one for the whole.
    fn flows(&mut self) {
        let variables = std::mem::take(&mut self.model.variables);
        let mut is_flow = vec![false; variables.len()];
        let mut sides: Vec<Option<[Vec<String>; 2]>> = vec![None; variables.len()];
        let index = Names::new(variables.iter().map(|variable| variable.name.as_str()));
        for (stock, rate) in &self.rates {
            let Ok(parsed) = parse(rate, Dialect::Vensim) else {
                continue;
            };
            let Some(terms) = terms(&parsed.expr) else { continue };
            let mut flows = [Vec::new(), Vec::new()];
            let mut seen = HashSet::default();
            let plain = terms.iter().all(|(negative, name)| {
                let Some(place) = index.find(name) else { return false };
                let variable = &variables[place];
                flows[usize::from(*negative)].push((place, variable.name.clone()));
                variable.kind == Kind::Auxiliary && !is_control(&variable.name) && seen.insert(place)
            });
            if plain {
                sides[*stock] = Some(flows.map(|side| {
                    side.into_iter()
                        .map(|(place, name)| {
                            is_flow[place] = true;
                            name
                        })
                        .collect()
                }));
            }
        }
        let mut rates = self.rates.iter().peekable();
        let mut fresh = Fresh::new(index.all().iter().copied());
        let mut made = Vec::with_capacity(variables.len());
        for (place, mut variable) in variables.into_iter().enumerate() {
            if is_flow[place] {
                variable.kind = Kind::Flow { uniflow: false };
            }
            let rate = rates.next_if(|(stock, _)| *stock == place);
            let (Some((_, rate)), Kind::Stock { inflows, outflows, .. }) = (rate, &mut variable.kind) else {
                made.push(variable);
                continue;
            };
            if let Some([fill, drain]) = sides[place].take() {
                (*inflows, *outflows) = (fill, drain);
                made.push(variable);
                continue;
            }
            let name = fresh.name(format!("{} net flow", variable.name));
            inflows.push(name.clone());
            self.notes.remark(
                "Rates of change that are no plain sum of flows became one net flow each: {}.",
                &name,
            );
            let net = Variable {
                name,
                kind: Kind::Flow { uniflow: false },
                equation: Some(rate.clone()).filter(|rate| !rate.is_empty()),
                doc: format!("Net rate of change of {}", variable.name),
                ..Variable::default()
            };
            made.extend([variable, net]);
        }
        self.model.variables = made;
    }

    fn specs(&mut self, settings: &str) {
        let variables = &self.model.variables;
        let index = Names::new(variables.iter().map(|variable| variable.name.as_str()));
        let find = |name: &str| index.find_text(name).map(|place| &variables[place]);
        let constant = |name: &str| {
            let text = find(name)?.equation.as_deref()?;
            if number(text).is_some() {
                return Some(text.trim().to_owned());
            }
            let parsed = parse(text, Dialect::Vensim).ok()?;
            let value = Constants {
                index: &index,
                variables,
                budget: MAX_WORK,
            }
            .value(&parsed.expr)?;
            value.is_finite().then(|| value.to_string())
        };
        let mut specs = Specs::default();
        let unit = [TIME_STEP, FINAL_TIME, INITIAL_TIME]
            .iter()
            .find_map(|name| find(name).map(|v| &v.unit).filter(|unit| !unit.is_empty()));
        specs.time_unit = unit.cloned().unwrap_or_default();
        for name in [INITIAL_TIME, FINAL_TIME, TIME_STEP] {
            let given = constant(name);
            if given.is_none() {
                let sentence = match (find(name).is_some(), name) {
                    (true, _) => "A time bound must be a constant, and was left out: {}.",
                    (false, INITIAL_TIME) => "INITIAL TIME is not given; 0 is used.",
                    (false, TIME_STEP) => "TIME STEP is not given; 1 is used.",
                    (false, _) => "FINAL TIME is not given: say when to stop before the model is run.",
                };
                self.notes.repaired(sentence, name);
            }
            match (name, given) {
                (INITIAL_TIME, Some(start)) => specs.start = start,
                (FINAL_TIME, stop) => specs.stop = stop,
                (_, Some(step)) => {
                    let written = find(name).and_then(|variable| variable.equation.as_deref());
                    set_dt(
                        &mut specs,
                        written.filter(|text| text.starts_with("1/")).unwrap_or(&step),
                    );
                }
                _ => {}
            }
        }
        let every_step = find(SAVEPER)
            .and_then(|variable| variable.equation.as_deref())
            .is_none_or(|text| fold(text) == "time_step");
        specs.save = constant(SAVEPER)
            .filter(|save| !every_step && *save != specs.dt && number(save).is_some_and(|value| value > 0.0));
        // The settings' line 15 has the method fourth: 0 is Euler, 2 Euler with differences, the rest Runge and Kutta.
        let code = settings
            .lines()
            .filter_map(|line| line.strip_prefix("15:"))
            .find_map(|line| line.split(',').nth(3));
        if let Some(code) = code.map(str::trim)
            && ["1", "3", "4", "5"].contains(&code)
        {
            "rk4".clone_into(&mut specs.method);
            self.notes.remark(
                "The file's settings choose integration method {}, which is taken for RK4.",
                code,
            );
        }
        self.model.specs = specs;
    }
}

const INITIAL_TIME: &str = "INITIAL TIME";
const FINAL_TIME: &str = "FINAL TIME";
const TIME_STEP: &str = "TIME STEP";
const SAVEPER: &str = "SAVEPER";

/// True for the names of Vensim's control group, which give the time grid.
pub(crate) fn is_control(name: &str) -> bool {
    ["initial_time", "final_time", "time_step", "saveper"].contains(&&*fold(name))
}

/// The terms of a sum of names, each with whether it is subtracted; none where another thing stands in the sum.
fn terms(expr: &Expr) -> Option<Vec<(bool, &Name)>> {
    let mut terms = Vec::new();
    let mut open = vec![(false, expr)];
    while let Some((negative, expr)) = open.pop() {
        match &expr.kind {
            ExprKind::Name(name) => terms.push((negative, name)),
            ExprKind::Number(value) if *value == 0.0 => {}
            ExprKind::Unary(Unary::Plus, inner) => open.push((negative, inner)),
            ExprKind::Unary(Unary::Minus, inner) => open.push((!negative, inner)),
            // The right side goes below the left, so that the terms come out in order.
            ExprKind::Binary(Binary::Add, left, right) => open.extend([(negative, &**right), (negative, &**left)]),
            ExprKind::Binary(Binary::Subtract, left, right) => {
                open.extend([(!negative, &**right), (negative, &**left)])
            }
            _ => return None,
        }
    }
    Some(terms)
}

/// The constants of a model.
struct Constants<'m> {
    index: &'m Names<'m>,
    variables: &'m [Variable],
    /// How many more parts of expressions are looked at: names may refer to each other in a circle.
    budget: usize,
}

impl Constants<'_> {
    /// The value of a constant expression: numbers, constants of the model, and arithmetic.
    fn value(&mut self, expr: &Expr) -> Option<f64> {
        self.budget = self.budget.checked_sub(1)?;
        match &expr.kind {
            ExprKind::Number(number) => Some(*number),
            ExprKind::Unary(Unary::Plus, inner) => self.value(inner),
            ExprKind::Unary(Unary::Minus, inner) => Some(-self.value(inner)?),
            ExprKind::Binary(operator, left, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                match operator {
                    Binary::Add => Some(left + right),
                    Binary::Subtract => Some(left - right),
                    Binary::Multiply => Some(left * right),
                    Binary::Divide => Some(left / right),
                    Binary::Power => Some(left.powf(right)),
                    _ => None,
                }
            }
            ExprKind::Name(name) => {
                let variable = &self.variables[self.index.find(name)?];
                if variable.kind != Kind::Auxiliary || variable.graphical.is_some() {
                    return None;
                }
                let parsed = parse(variable.equation.as_deref()?, Dialect::Vensim).ok()?;
                self.value(&parsed.expr)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model as read_model;

    const CONTROL: &str = "\
        ********************************************************\n\t.Control\n\
        ********************************************************~\n\t\tSimulation Control Parameters\n\t|\n\n\
        FINAL TIME  = 100\n\t~\tMonth\n\t~\tThe final time for the simulation.\n\t|\n\n\
        INITIAL TIME  = 0\n\t~\tMonth\n\t~\t|\n\nSAVEPER  = \n        TIME STEP\n\t~\tMonth [0,?]\n\t~\t|\n\n\
        TIME STEP  = 0.125\n\t~\tMonth [0,?]\n\t~\t|\n";

    fn of(equations: &str) -> Model {
        read_model(format!("{{UTF-8}}\n{equations}\n{CONTROL}"))
    }

    fn variable<'m>(model: &'m Model, name: &str) -> &'m Variable {
        let found = model.variables.iter().find(|variable| variable.name == name);
        found.unwrap_or_else(|| panic!("{name} in {model:#?}"))
    }

    #[track_caller]
    fn equation(text: &str, name: &str, expected: Option<&str>, notes: &[&str]) {
        let model = of(text);
        assert_eq!(variable(&model, name).equation.as_deref(), expected);
        assert_eq!(model.notes, notes);
    }

    #[test]
    fn reads_blocks_with_units_and_comments() {
        let model = of(
            "Tea Temperature= INTEG (\r\n\t-Heat Loss to Room,\r\n\t\t180)\r\n\t~\tDegrees \
            Fahrenheit [32,212]\r\n\t~\tHow \\\r\n\t\thot | \r\n\r\nHeat Loss to Room= (Tea Temperature-Room)\\\r\n\t\t/10 ~ ~ a\r\n\t\tb ~ \
            :SUPPLEMENTARY |\nRoom=70~~|",
        );
        let tea = variable(&model, "Tea Temperature");
        assert_eq!(tea.equation.as_deref(), Some("180"));
        assert_eq!((&*tea.unit, &*tea.doc), ("Degrees Fahrenheit", "How hot"));
        assert_eq!(
            tea.kind,
            Kind::Stock {
                inflows: vec![],
                outflows: vec!["Heat Loss to Room".to_owned()],
                non_negative: false
            }
        );
        let loss = variable(&model, "Heat Loss to Room");
        assert_eq!(loss.kind, Kind::Flow { uniflow: false });
        assert_eq!(loss.equation.as_deref(), Some("(Tea Temperature-Room) /10"));
        assert_eq!(loss.doc, "a\nb");
        let specs = &model.specs;
        assert_eq!(
            (&*specs.start, specs.stop.as_deref(), &*specs.dt),
            ("0", Some("100"), "0.125")
        );
        assert_eq!((&specs.save, &*specs.time_unit), (&None, "Month"));
        assert_eq!((model.dialect, &*model.vendor), (Dialect::Vensim, "Ventana Systems"));
        assert_eq!(model.notes, [""; 0]);
    }

    #[test]
    fn names_may_be_quoted_and_hold_what_ends_a_block() {
        equation(
            "\"a|b~c = \\\"d\\\" (e)\" = 1 ~ ~ |",
            "a|b~c = \"d\" (e)",
            Some("1"),
            &[],
        );
        equation(
            "x = \"p|q\" + 1 {not ~ the | end} ~ ~ don\"t |",
            "x",
            Some("\"p|q\" + 1 {not ~ the | end}"),
            &[],
        );
        equation("{first}{second} x {third} = 2 ~ ~ |", "x", Some("2"), &[]);
        equation("x == 3 ~ ~ |", "x", Some("3"), &[]);
        equation("x := y ~ ~ |", "x", Some("y"), &[]);
        equation("人口 率 = 1.5 ~ ~ |", "人口 率", Some("1.5"), &[]);
        equation("x = :NA: ~ ~ |", "x", Some(":NA:"), &[]);
        equation("x = 5 ~ |", "x", Some("5"), &[]);
        equation("x =\t~ ~ |", "x", None, &[]);
        equation("x = a \\\n\t\tb :AND: c ~ ~ |", "x", Some("a b :AND: c"), &[]);
        equation("x = \"left open ~ ~ |\ny = 2 ~ ~ |", "y", Some("2"), &[]);
    }

    #[track_caller]
    fn flows(rate: &str, expected: [&[&str]; 2], notes: &[&str]) {
        let model = of(&format!(
            "S = INTEG({rate}, 1) ~ ~ |\nT = INTEG(0, 1) ~ ~ |\na = 1 ~ ~ |\nb = 2 ~ ~ |\nc c = 3 ~ ~ |\nS net flow = 1 ~ ~ |"
        ));
        let Kind::Stock { inflows, outflows, .. } = &variable(&model, "S").kind else {
            panic!("{model:?}")
        };
        assert_eq!([inflows, outflows], expected);
        assert_eq!(model.notes, notes);
        for flow in inflows.iter().chain(outflows) {
            assert_eq!(variable(&model, flow).kind, Kind::Flow { uniflow: false });
        }
        if !notes.is_empty() {
            assert_eq!(variable(&model, "S net flow 2").equation.as_deref(), Some(rate));
            assert_eq!(variable(&model, "a").kind, Kind::Auxiliary);
        }
    }

    #[test]
    fn a_net_rate_becomes_the_names_in_its_sum_or_one_flow() {
        flows("a", [&["a"], &[]], &[]);
        flows("-a", [&[], &["a"]], &[]);
        flows("A - (B - c_c) + 0", [&["a", "c c"], &["b"]], &[]);
        flows("0", [&[], &[]], &[]);
        flows("+b-\"C C\"-a", [&["b"], &["c c", "a"]], &[]);
        let one = ["Rates of change that are no plain sum of flows became one net flow each: S net flow 2."];
        for rate in [
            "a * 2",
            "a + 1",
            "a + a",
            "a - a",
            "T",
            "a + unknown",
            "MAX(a, b)",
            "TIME STEP",
            "a +",
        ] {
            flows(rate, [&["S net flow 2"], &[]], &one);
        }
    }

    #[test]
    fn broken_stocks_have_no_equation() {
        let note = "INTEG has a rate and an initial value; these have no equation here: S (1 arguments).";
        equation("S = INTEG(a) ~ ~ |", "S", None, &[note]);
        equation(
            "S = INTEG(A FUNCTION OF(a), 5) ~ ~ | a = A FUNCTION OF(b, -c) ~ ~ |",
            "S",
            Some("5"),
            &["Rates of change that are no plain sum of flows became one net flow each: S net flow."],
        );
        let model = of("a = A FUNCTION OF(b, -c) ~ ~ |");
        let links: Vec<_> = model
            .links
            .iter()
            .map(|link| (&*link.from, &*link.to, link.polarity))
            .collect();
        assert_eq!(links, [("b", "a", None), ("c", "a", Some(-1))]);
    }

    #[track_caller]
    fn lookup(text: &str, expected: Result<&[[f64; 2]], &str>) {
        let model = of(&format!("table( {text} ) ~ ~ |"));
        match expected {
            Ok(points) => {
                assert_eq!(model.functions.len(), 1);
                assert_eq!(
                    (&*model.functions[0].0, &*model.functions[0].1.points),
                    ("table", points)
                );
            }
            Err(fault) => assert_eq!(
                model.notes,
                [format!("Lookups that cannot be read were left out: table ({fault}).")]
            ),
        }
    }

    #[test]
    fn lookups_come_with_and_without_a_range() {
        let points = &[[0.0, 1.0], [10.0, -2.5]];
        lookup("(0,1),(10,-2.5)", Ok(points));
        lookup("[(0,0)-(10,10)],(0,1),(10,-2.5)", Ok(points));
        lookup("\n[(0,0)-(10,10),(1,1),(2,2)],\\\n (0,1) ,\n(10, -2.5)", Ok(points));
        lookup("(10,-2.5),(0,1)", Ok(points));
        lookup("0,10,1,-2.5", Ok(points));
        lookup("0,10,1", Err("3 numbers, which are no pairs"));
        lookup("(0,1),(2)", Err("the point (2) has no two numbers"));
        lookup("(0,x)", Err("\"x\" is no number"));
        lookup("[(0,0)", Err("a range without its closing bracket"));
        lookup("(0,1", Err("a point without its closing parenthesis"));
        lookup("(0,1) more", Err("\"more\" where a point is expected"));
        let model = of("x = WITH LOOKUP ( Time,\n\t([(0,0)-(9,9)],(0,1),(10,-2.5) )) ~ ~ |");
        let x = variable(&model, "x");
        assert_eq!(x.equation.as_deref(), Some("Time"));
        assert_eq!(x.graphical.as_ref().map(|g| &*g.points), Some(&points[..]));
    }

    #[test]
    fn what_is_not_supported_is_named() {
        let model = of(
            ":MACRO: EXPRESSION MACRO(a, b)\nEXPRESSION MACRO = a*b ~ ~ |\n:END OF MACRO:\n\
            Region: North, South ~ ~ |\nArea <-> Region ~ ~ |\npeople[North] = 1 ~ ~ |\npeople[South] = 2 ~ ~ |\n\
            most[Region] :EXCEPT: [North] = 3 ~ ~ |\nall = SUM(people[Region!]) ~ ~ |\nseries ~ ~ |\n\
            raw :RAW: := GET XLS DATA('a') ~ ~ |\n:THE CONDITION: x = 1 :IMPLIES: y = 2 ~ ~ |\n= 7 ~ ~ |",
        );
        let names: Vec<_> = model.variables.iter().map(|variable| &*variable.name).take(5).collect();
        assert_eq!(names, ["people", "most", "all", "series", "raw"]);
        assert_eq!(
            model.notes,
            [
                "Macros are not supported: EXPRESSION MACRO.",
                "Ranges of subscripts are not supported: Region, Area.",
                "Subscripts are not supported; these have no equation here: people, most.",
                "Subscripts in equations are not supported: all.",
                "Data from outside the file are not supported; these have no equation here: series, raw.",
                "Tests of behaviour are not supported: :THE CONDITION: x = 1 :IMPLIES: y = 2.",
                "Equations without a name were left out: = 7.",
            ]
        );
    }

    #[test]
    fn time_bounds_may_be_computed_from_constants() {
        let model = read_model(
            "years = 2 ~ ~ |\nINITIAL TIME = 2000 ~ Year ~ |\nFINAL TIME = INITIAL TIME + 12 * years ~ ~ |\nTIME STEP = 1/8 ~ ~ |\n\
             SAVEPER = 1 ~ ~ |\n\\\\\\---/// Sketch information\nV300\n*View 1\n10,1,FINAL TIME = 7 ~ ~ |\n///---\\\\\\\n:L<%^E!@\n15:0,0,0,1,0,0\n",
        );
        let specs = &model.specs;
        assert_eq!((&*specs.start, specs.stop.as_deref()), ("2000", Some("2024")));
        assert_eq!(
            (&*specs.dt, specs.reciprocal, specs.save.as_deref()),
            ("8", true, Some("1"))
        );
        assert_eq!((&*specs.method, &*specs.time_unit), ("rk4", "Year"));
        assert_eq!(
            model.notes,
            ["The file's settings choose integration method 1, which is taken for RK4."]
        );
        let model = read_model("FINAL TIME = FINAL TIME + 1 ~ ~ |\nTIME STEP = Time ~ ~ |");
        assert_eq!(model.specs, Specs::default());
        assert_eq!(
            model.notes,
            [
                "INITIAL TIME is not given; 0 is used.",
                "A time bound must be a constant, and was left out: FINAL TIME, TIME STEP.",
            ]
        );
    }

    #[test]
    fn sizes_are_bounded() {
        let error = crate::read("a=1~~|".repeat(MAX_VARIABLES + 1).as_bytes()).expect_err("refused");
        assert_eq!(
            error.to_string(),
            "Vensim .mdl: the model has more than 100000 variables; split it"
        );
    }
}
