//! Models in a few words, for tests.

use crate::ast::Dialect;
use crate::compile::compile;
use crate::model::{Graphical, GraphicalKind, Kind, Model, Specs, Variable};
use crate::problem::Problem;
use crate::program::Program;
use crate::run::{Limits, Run, run};

/// A model from lines such as
///
/// ```text
/// time 0 10 0.5 rk4
/// stock Tank = 10 +fill -drain >=0
/// flow fill = 2            (uniflow fill = 2 for one that cannot be negative)
/// aux a = fill + 1
/// table effect = 0 0, 1 2
/// vensim
/// ```
#[track_caller]
pub(crate) fn model(text: &str) -> Model {
    let mut model = Model::default();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if line == "vensim" {
            model.dialect = Dialect::Vensim;
            continue;
        }
        let (kind, rest) = line.split_once(' ').unwrap();
        if kind == "time" {
            let mut words = rest.split(' ').map(str::to_owned);
            model.specs = Specs {
                start: words.next().unwrap(),
                stop: words.next(),
                dt: words.next().unwrap_or_else(|| "1".to_owned()),
                method: words.next().unwrap_or_default(),
                save: words.next(),
                ..Specs::default()
            };
            continue;
        }
        let (name, mut equation) = rest.split_once(" = ").unwrap();
        let name = name.to_owned();
        let kind = match kind {
            "table" => {
                let point = |pair: &str| {
                    let (x, y) = pair.trim().split_once(' ').unwrap();
                    [x.parse().unwrap(), y.parse().unwrap()]
                };
                let points = equation.split(',').map(point).collect();
                let kind = GraphicalKind::Continuous;
                model.functions.push((name, Graphical { kind, points }));
                continue;
            }
            "stock" => {
                let (mut inflows, mut outflows, mut non_negative) = (Vec::new(), Vec::new(), false);
                while let Some((before, word)) = equation.rsplit_once(' ') {
                    match (word, word.strip_prefix('+'), word.strip_prefix('-')) {
                        (">=0", ..) => non_negative = true,
                        (_, Some(flow), _) if !flow.is_empty() => inflows.insert(0, flow.to_owned()),
                        (_, _, Some(flow)) if !flow.is_empty() => outflows.insert(0, flow.to_owned()),
                        _ => break,
                    }
                    equation = before;
                }
                Kind::Stock {
                    inflows,
                    outflows,
                    non_negative,
                }
            }
            "flow" => Kind::Flow { uniflow: false },
            "uniflow" => Kind::Flow { uniflow: true },
            "aux" => Kind::Auxiliary,
            other => panic!("{other}"),
        };
        model.variables.push(Variable {
            pointer: format!("/{}", model.variables.len()),
            name,
            kind,
            equation: Some(equation.to_owned()).filter(|equation| equation != "-"),
            ..Variable::default()
        });
    }
    model
}

#[track_caller]
pub(crate) fn program(text: &str) -> Program {
    match compile(&model(text)) {
        Ok(program) => program,
        Err(problems) => panic!("{problems:#?}"),
    }
}

/// The problems that keep a model from being run, as `code variable`.
#[track_caller]
pub(crate) fn refusals(text: &str) -> Vec<String> {
    compile(&model(text)).unwrap_err().iter().map(named).collect()
}

/// A problem as `code variable`.
pub(crate) fn named(problem: &Problem) -> String {
    format!("{} {}", problem.code, problem.variable).trim_end().to_owned()
}

/// The column of a variable.
#[track_caller]
pub(crate) fn column(program: &Program, name: &str) -> usize {
    program.columns.iter().position(|column| column.name == name).unwrap()
}

/// The saved values of a variable.
#[track_caller]
pub(crate) fn series(run: &Run<'_>, name: &str) -> Vec<f64> {
    run.series(column(run.program, name)).collect()
}

/// The saved values of a variable in a run of this model.
#[track_caller]
pub(crate) fn computed(text: &str, name: &str) -> Vec<f64> {
    series(&run(&program(text), &Limits::default()), name)
}
