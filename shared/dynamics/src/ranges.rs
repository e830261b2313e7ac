//! The values that each variable may have, for telling signs.
//!
//! The first that applies: the value of a constant; the range in a run; from 0 on for stocks and uniflows; the range
//! that the equation gives; from 0 on, by convention, for a name without an equation.

use crate::ast::{Dialect, Expr, Name};
use crate::builtins::{self, Builtin};
use crate::model::{Graphical, Kind, Model};
use crate::names::Names;
use crate::polarity::{self, Range, Surroundings};
use crate::run::Run;

/// The ranges of a model's variables.
pub(crate) struct Ranges<'m> {
    model: &'m Model,
    names: &'m Names<'m>,
    functions: &'m Names<'m>,
    /// For each variable.
    ranges: Vec<Range>,
}

impl<'m> Ranges<'m> {
    /// The ranges of a model whose variables and equations are `names` and `exprs`. `causes` gives for each variable
    /// the variables that its equation names.
    pub(crate) fn new(
        model: &'m Model,
        names: &'m Names<'m>,
        functions: &'m Names<'m>,
        exprs: &[Option<Expr>],
        causes: &[Vec<u32>],
        run: Option<&Run<'_>>,
    ) -> Self {
        let mut ranges = Self {
            model,
            names,
            functions,
            ranges: vec![Range::ANY; model.variables.len()],
        };
        let assumed = |place: usize| {
            let variable = &model.variables[place];
            let assumed = match variable.kind {
                Kind::Stock { .. } | Kind::Flow { uniflow: true } => true,
                _ => exprs[place].is_none(),
            };
            assumed.then_some(Range::NON_NEGATIVE)
        };
        let seen = |place: usize| {
            let extreme = run?.extreme(place)?;
            Some(Range::run(extreme.min.0, extreme.max.0))
        };
        // What is known without an equation comes first, so that variables on a cycle know at least that.
        for place in 0..ranges.ranges.len() {
            ranges.ranges[place] = seen(place).or_else(|| assumed(place)).unwrap_or(Range::ANY);
        }
        for place in in_order(causes) {
            let (Some(expr), Kind::Auxiliary | Kind::Flow { .. }) = (&exprs[place], &model.variables[place].kind)
            else {
                continue;
            };
            let own = model.variables[place].graphical.as_ref();
            let computed = polarity::range(expr, own, model.dialect, &ranges.around(place, false));
            if computed.is_constant() || (seen(place).is_none() && assumed(place).is_none()) {
                ranges.ranges[place] = computed;
            }
        }
        ranges
    }

    /// What the equation of a variable sees. With `switched_on`, constants of 0 count as not negative: a model with a
    /// policy switched off is to be judged as if it were on.
    pub(crate) fn around(&self, variable: usize, switched_on: bool) -> Around<'_, 'm> {
        Around {
            all: self,
            variable,
            switched_on,
        }
    }
}

/// What one equation sees.
pub(crate) struct Around<'r, 'm> {
    all: &'r Ranges<'m>,
    variable: usize,
    switched_on: bool,
}

impl Surroundings for Around<'_, '_> {
    fn range(&self, name: &Name) -> Option<Range> {
        let range = match self.all.names.find(name) {
            Some(place) => self.all.ranges[place],
            None if is_itself(name, self.all.model.dialect) => self.all.ranges[self.variable],
            None if self.all.functions.find(name).is_some() => return None,
            None => match builtins::lookup(&name.folded, self.all.model.dialect) {
                Some(entry) if entry.least == 0 => return None,
                _ => Range::NON_NEGATIVE,
            },
        };
        Some(if self.switched_on && range.is_zero() {
            Range::NON_NEGATIVE
        } else {
            range
        })
    }

    fn graphical(&self, name: &Name) -> Option<&Graphical> {
        let model = self.all.model;
        if let Some(place) = self.all.functions.find(name) {
            return Some(&model.functions[place].1);
        }
        model.variables[self.all.names.find(name)?].graphical.as_ref()
    }
}

fn is_itself(name: &Name, dialect: Dialect) -> bool {
    builtins::lookup(&name.folded, dialect).is_some_and(|entry| entry.builtin == Builtin::Itself)
}

/// All places, causes before effects; those on a cycle, and behind one, are left out.
fn in_order(causes: &[Vec<u32>]) -> Vec<usize> {
    let mut missing: Vec<usize> = causes.iter().map(Vec::len).collect();
    let mut effects: Vec<Vec<usize>> = vec![Vec::new(); causes.len()];
    for (effect, causes) in causes.iter().enumerate() {
        for &cause in causes {
            effects[cause as usize].push(effect);
        }
    }
    let mut order: Vec<usize> = (0..causes.len()).filter(|&place| missing[place] == 0).collect();
    let mut at = 0;
    while let Some(&place) = order.get(at) {
        at += 1;
        for &effect in &effects[place] {
            missing[effect] -= 1;
            if missing[effect] == 0 {
                order.push(effect);
            }
        }
    }
    order
}
