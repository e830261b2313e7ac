//! The sign of a link over a run, for links whose sign cannot be computed: seen, never proven.
//!
//! The effect's equation is run by itself, twice side by side: every input follows the values it had in the run, and
//! the cause is once a little higher and once a little lower.

use crate::ast::Expr;
use crate::compile::compile;
use crate::graph::{Sampled, Sign};
use crate::model::{Graphical, Model, Variable};
use crate::names::Names;
use crate::run::{Limits, Run, run};
use crate::uses::{When, uses};

/// The cause, a little higher and a little lower. No bare name of a model has such brackets.
const HIGHER: &str = "⟦higher⟧";
const LOWER: &str = "⟦lower⟧";

/// How much higher and lower, as a share of the range that the cause has in the run.
const STEP: f64 = 1e-4;

/// Below this share of the effect's size a difference is rounding.
const ROUNDING: f64 = 1e-12;

/// Points that an input's course is made of at most.
const POINTS: usize = 2_000;

/// What one link may take; a model of usual size needs a hundredth of it.
const LIMITS: Limits = Limits {
    values: 1 << 20,
    operations: 20_000_000,
    seed: 1,
};

/// The sign of the effect of the variable `cause` on the variable `effect`, whose equation is `expr`, over a run; none
/// where it has no effect in the run, or the run cannot tell. Variables are given by their places.
pub(crate) fn sampled(
    model: &Model,
    names: &Names<'_>,
    of: &Run<'_>,
    cause: usize,
    effect: usize,
    expr: &Expr,
) -> Option<Sampled> {
    let equation = model.variables[effect].equation.as_deref()?;
    let mut inputs: Vec<usize> = Vec::new();
    let mut places = Vec::new();
    let mut strange = false;
    uses(expr, model.dialect, &|name| names.find(name).is_some(), &mut |one| {
        let Some(input) = one.name.and_then(|name| names.find(name)) else {
            strange = true;
            return;
        };
        if input == cause && one.when != When::Start {
            places.push(one.span);
        }
        if !inputs.contains(&input) {
            inputs.push(input);
        }
    });
    if strange {
        return None;
    }
    let mut apart = Model {
        dialect: model.dialect,
        specs: model.specs.clone(),
        functions: model.functions.clone(),
        ..Model::default()
    };
    for &input in &inputs {
        let course = course(&model.variables[input].name, of, input, 0.0)?;
        apart.variables.push(course);
    }
    let step = STEP * spread(of, cause)?;
    for (name, step) in [(HIGHER, step), (LOWER, -step)] {
        apart.variables.push(course(name, of, cause, step)?);
    }
    let first = apart.variables.len();
    for name in [HIGHER, LOWER] {
        let mut text = equation.to_owned();
        for span in places.iter().rev() {
            let range = span.start as usize..span.end as usize;
            text.get(range.clone())?;
            text.replace_range(range, name);
        }
        apart.variables.push(Variable {
            name: format!("⟦with {name}⟧"),
            equation: Some(text),
            graphical: model.variables[effect].graphical.clone(),
            ..Variable::default()
        });
    }
    let program = compile(&apart).ok()?;
    let both = run(&program, &LIMITS);
    if !both.outcome.complete {
        return None;
    }
    let (mut plus, mut minus) = (0_u64, 0_u64);
    for (higher, lower) in both.series(first).zip(both.series(first + 1)) {
        let difference = higher - lower;
        if difference.abs() > ROUNDING * (higher.abs() + lower.abs()) {
            if difference > 0.0 {
                plus += 1;
            } else {
                minus += 1;
            }
        }
    }
    let most = plus.max(minus);
    (most > 0).then(|| Sampled {
        sign: if plus >= minus { Sign::Plus } else { Sign::Minus },
        share: most as f64 / (plus + minus) as f64,
    })
}

/// The range of a variable in a run, or a measure of its size where it never changes.
fn spread(of: &Run<'_>, variable: usize) -> Option<f64> {
    let extreme = of.extreme(variable)?;
    let (min, max) = (extreme.min.0, extreme.max.0);
    let spread = [max - min, max.abs(), 1.0].into_iter().find(|&size| size > 0.0)?;
    spread.is_finite().then_some(spread)
}

/// A variable that follows what another had in a run, moved by `step`; none where that was not finite.
fn course(name: &str, of: &Run<'_>, variable: usize, step: f64) -> Option<Variable> {
    let every = of.times.len().div_ceil(POINTS).max(1);
    let last = of.times.len().checked_sub(1)?;
    let mut points = Vec::new();
    for (at, (value, &time)) in of.series(variable).zip(&of.times).enumerate() {
        if !value.is_finite() {
            return None;
        }
        if at % every == 0 || at == last {
            points.push([time, value + step]);
        }
    }
    Some(Variable {
        name: name.to_owned(),
        equation: Some("TIME".to_owned()),
        graphical: Some(Graphical {
            points,
            ..Graphical::default()
        }),
        ..Variable::default()
    })
}
