//! Our document as a model that can be computed.

use crate::ast::Dialect;
use crate::model::{DeclaredLoop, Graphical, GraphicalKind, Kind, Link, Model, Specs, Variable};
use foldhash::fast::RandomState;
use meadow_model::{Document, End, Initial, Pointer, Polarity};
use std::collections::HashMap;

/// The model that a document describes.
///
/// Items without an id are left out, for nothing can refer to them. What the document lacks is lacking in the model,
/// too: a stock without `initial` has no equation and never counts as 0, a simulation without `stop` cannot be run.
/// A flow end that no stock has is a cloud, and a note says so.
#[must_use]
pub fn model(document: &Document<'_>) -> Model {
    let mut model = Model {
        name: document.system_name.as_str().to_owned(),
        dialect: Dialect::Xmile,
        specs: specs(document),
        links: links(document),
        loops: loops(document),
        ..Model::default()
    };
    let mut stocks = HashMap::with_hasher(RandomState::default());
    for (index, stock) in document.stocks.iter().enumerate() {
        let Some(id) = stock.id.given() else { continue };
        stocks.entry(id).or_insert(model.variables.len());
        model.variables.push(Variable {
            name: id.to_owned(),
            kind: Kind::Stock {
                inflows: Vec::new(),
                outflows: Vec::new(),
                non_negative: stock.non_negative == Some(true),
            },
            equation: match &stock.initial {
                Initial::Absent => None,
                Initial::Number(token) => Some((*token).to_owned()),
                Initial::Expression(text) => Some(text.clone().into_owned()),
            },
            graphical: None,
            unit: stock.unit.as_str().to_owned(),
            doc: stock.description.as_str().to_owned(),
            pointer: pointer(&["stocks"], index),
        });
    }
    for (index, flow) in document.flows.iter().enumerate() {
        let Some(id) = flow.id.given() else { continue };
        for (end, fills) in [(&flow.from_stock, false), (&flow.to_stock, true)] {
            attach(&mut model, &stocks, id, end, fills);
        }
        model.variables.push(Variable {
            name: id.to_owned(),
            kind: Kind::Flow { uniflow: false },
            equation: flow.rate_expr.given().map(str::to_owned),
            graphical: None,
            unit: flow.unit.as_str().to_owned(),
            doc: flow.description.as_str().to_owned(),
            pointer: pointer(&["flows"], index),
        });
    }
    for (index, variable) in document.variables.iter().enumerate() {
        let Some(id) = variable.id.given() else { continue };
        model.variables.push(Variable {
            name: id.to_owned(),
            kind: Kind::Auxiliary,
            equation: variable.expr.given().map(str::to_owned),
            graphical: (!variable.points.is_empty()).then(|| Graphical {
                kind: GraphicalKind::Continuous,
                points: variable.points.iter().map(|point| point.0).collect(),
            }),
            unit: variable.unit.as_str().to_owned(),
            doc: variable.description.as_str().to_owned(),
            pointer: pointer(&["variables"], index),
        });
    }
    model
}

/// Adds a flow to the stock at one of its ends.
fn attach(model: &mut Model, stocks: &HashMap<&str, usize, RandomState>, flow: &str, end: &End<'_>, fills: bool) {
    let Some(name) = end.stock() else { return };
    let kind = stocks.get(name).map(|at| &mut model.variables[*at].kind);
    match kind {
        Some(Kind::Stock { inflows, outflows, .. }) => {
            let flows = if fills { inflows } else { outflows };
            flows.push(flow.to_owned());
        }
        _ => model.notes.push(format!(
            "the flow `{flow}` {} `{name}`, which no stock is; that end is taken for a cloud",
            if fills { "fills" } else { "drains" }
        )),
    }
}

fn specs(document: &Document<'_>) -> Specs {
    let simulation = &document.simulation;
    // The shortest decimal that gives the same double: the one that was written, or as good.
    let text = |number: f64| format!("{number}");
    let default = Specs::default();
    Specs {
        start: simulation.start.map_or(default.start, text),
        stop: simulation.stop.map(text),
        dt: simulation.dt.map_or(default.dt, text),
        reciprocal: false,
        save: None,
        method: simulation
            .method
            .map(|method| method.as_str().to_owned())
            .unwrap_or_default(),
        time_unit: simulation.time_unit.as_str().to_owned(),
    }
}

fn links(document: &Document<'_>) -> Vec<Link> {
    let links = document.interconnections.iter().enumerate();
    let links = links.filter_map(|(index, link)| {
        Some(Link {
            from: link.from.given()?.to_owned(),
            to: link.to.given()?.to_owned(),
            polarity: link.polarity.map(|polarity| match polarity {
                Polarity::Positive => 1,
                Polarity::Negative => -1,
            }),
            delay: link.delay == Some(true),
            reason: link.description.as_str().to_owned(),
            pointer: pointer(&["interconnections"], index),
        })
    });
    links.collect()
}

fn loops(document: &Document<'_>) -> Vec<DeclaredLoop> {
    let loops = document.loops.all().map(|(list, index, declared)| DeclaredLoop {
        name: declared.id.as_str().to_owned(),
        reinforcing: list == "reinforcing",
        members: declared.members().map(str::to_owned).collect(),
        pointer: pointer(&["loops", list], index),
    });
    loops.collect()
}

fn pointer(keys: &[&str], index: usize) -> String {
    let list = keys.iter().fold(Pointer::root(), |pointer, key| pointer.key(key));
    list.index(index).as_str().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::compile;
    use crate::run::{Limits, run};

    /// Calls `f` with the model of a document.
    #[track_caller]
    fn of(text: &str) -> Model {
        model(&meadow_model::parse(text).unwrap())
    }

    const TUB: &str = r#"{"system_name":"Tub","stocks":[
        {"id":"tub","unit":"litre","initial":20,"non_negative":true},{"id":"sewer","initial":"tub / 2"}],
        "flows":[{"id":"tap","from_stock":null,"to_stock":"tub","rate_expr":"8 * open"},
        {"id":"drain","from_stock":"tub","to_stock":"sewer","rate_expr":"tub * 0.1"}],
        "variables":[{"id":"open","expr":"TIME","points":[[0,1],[2,0]]}],
        "interconnections":[{"from":"tub","to":"drain","type":"causal","polarity":"-","delay":true,"description":"pressure"}],
        "loops":{"reinforcing":[{"id":"R1","description":"tub -> drain -> tub: wrong class"}]},
        "simulation":{"stop":2,"dt":0.5,"method":"rk4","time_unit":"minute"}}"#;

    #[test]
    fn everything_that_counts_is_taken_over() {
        let model = of(TUB);
        let names: Vec<_> = model
            .variables
            .iter()
            .map(|v| (v.name.as_str(), v.pointer.as_str()))
            .collect();
        assert_eq!(
            names,
            [
                ("tub", "/stocks/0"),
                ("sewer", "/stocks/1"),
                ("tap", "/flows/0"),
                ("drain", "/flows/1"),
                ("open", "/variables/0")
            ]
        );
        assert_eq!(
            model.variables[0].kind,
            Kind::Stock {
                inflows: vec!["tap".to_owned()],
                outflows: vec!["drain".to_owned()],
                non_negative: true
            }
        );
        assert_eq!(
            model.variables[4].graphical.as_ref().unwrap().points,
            [[0.0, 1.0], [2.0, 0.0]]
        );
        let specs = Specs {
            stop: Some("2".to_owned()),
            dt: "0.5".to_owned(),
            method: "rk4".to_owned(),
            time_unit: "minute".to_owned(),
            ..Specs::default()
        };
        assert_eq!(model.specs, specs);
        let link = &model.links[0];
        assert_eq!(
            (link.polarity, link.delay, link.pointer.as_str()),
            (Some(-1), true, "/interconnections/0")
        );
        let declared = &model.loops[0];
        assert_eq!(
            (declared.reinforcing, declared.pointer.as_str()),
            (true, "/loops/reinforcing/0")
        );
        assert_eq!(declared.members, ["tub", "drain", "tub"]);
        assert_eq!(model.notes, Vec::<String>::new());
    }

    #[test]
    fn it_runs() {
        let program = compile(&of(TUB)).unwrap();
        let run = run(&program, &Limits::default());
        assert!(run.outcome.complete);
        let sum: Vec<f64> = run.series(0).zip(run.series(1)).map(|(a, b)| a + b).collect();
        // 30 litres, and 8 from the tap while it closes.
        assert!((sum[4] - 38.0).abs() < 1e-9, "{sum:?}");
    }

    #[test]
    fn what_is_lacking_is_a_problem_and_never_zero() {
        let text = r#"{"stocks":[{"id":"a"},{"id":"b","initial":null},{"unit":"x"}],"flows":[{"id":"f","from_stock":"a","to_stock":"c"}]}"#;
        let model = of(text);
        let problems = compile(&model).unwrap_err();
        let found: Vec<_> = problems.iter().map(|p| (p.code, p.pointer.as_str())).collect();
        assert_eq!(
            found,
            [
                ("simulation-without-stop", "/simulation/stop"),
                ("missing-equation", "/stocks/0/initial"),
                ("missing-equation", "/stocks/1/initial"),
                ("missing-equation", "/flows/0/rate_expr")
            ]
        );
        assert_eq!(
            model.notes,
            ["the flow `f` fills `c`, which no stock is; that end is taken for a cloud"]
        );
    }
}
