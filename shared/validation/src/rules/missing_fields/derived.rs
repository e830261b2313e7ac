//! Content of a missing member that follows from the rest of the document.

use crate::context::Context;
use crate::leverage;
use crate::rules::unknown_flow_end::other_is_stock;
use foldhash::fast::RandomState;
use meadow_model::{End, Flow, Interconnection, LeveragePoint, Stock};
use serde_json::Value;
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

/// A unit that follows for a stock.
#[derive(Clone, Copy, PartialEq)]
enum Unit<'d> {
    /// All that joins the stock says this.
    Agreed(&'d str),
    /// What joins it says different things.
    Disputed,
}

/// What follows; the indexes are made when first needed.
pub(super) struct Derived<'c, 'd> {
    cx: &'c Context<'d>,
    joined: OnceCell<HashSet<(&'d str, &'d str), RandomState>>,
    units: OnceCell<HashMap<&'d str, Unit<'d>, RandomState>>,
}

impl<'c, 'd> Derived<'c, 'd> {
    pub(super) fn new(cx: &'c Context<'d>) -> Self {
        Self {
            cx,
            joined: OnceCell::new(),
            units: OnceCell::new(),
        }
    }

    /// The first version, the elements that are named anyway, the twelve leverage points.
    pub(super) fn of_document(&self, member: &str) -> Option<Value> {
        match member {
            "version" => Some("1.0.0".into()),
            "elements" => self.elements(),
            "leverage_points" => Some(self.cx.twelve()),
            _ => None,
        }
    }

    /// The names of stocks, flows, variables and ends of interconnections.
    fn elements(&self) -> Option<Value> {
        let d = self.cx.document;
        let ends = d.interconnections.iter().flat_map(|link| [&link.from, &link.to]);
        let ids = d.stocks.iter().map(|s| &s.id);
        let ids = ids.chain(d.flows.iter().map(|f| &f.id));
        let ids = ids.chain(d.variables.iter().map(|v| &v.id));
        let mut seen: HashSet<&str, RandomState> = HashSet::default();
        let names = ids.chain(ends).filter_map(|name| name.given());
        let names: Vec<Value> = names.filter(|name| seen.insert(name)).map(Value::from).collect();
        (!names.is_empty()).then(|| names.into())
    }

    /// A link is a flow where a flow joins the two stocks, else it is causal.
    pub(super) fn of_link(&self, link: &'d Interconnection<'d>, member: &str) -> Option<Value> {
        let (from, to) = (link.from.given()?, link.to.given()?);
        let flows = &self.cx.document.flows;
        let joined = self.joined.get_or_init(|| {
            let ends = flows
                .iter()
                .filter_map(|f| Some((f.from_stock.stock()?, f.to_stock.stock()?)));
            ends.collect()
        });
        let word = if joined.contains(&(from, to)) { "flow" } else { "causal" };
        (member == "type").then(|| word.into())
    }

    /// The unit of the stocks and rates that flows join with this one, where they agree: a flow changes no unit.
    pub(super) fn of_stock(&self, stock: &Stock<'_>, member: &str) -> Option<Value> {
        let id = stock.id.given().filter(|_| member == "unit")?;
        match self.units.get_or_init(|| self.units()).get(id)? {
            Unit::Agreed(unit) => Some((*unit).into()),
            Unit::Disputed => None,
        }
    }

    fn units(&self) -> HashMap<&'d str, Unit<'d>, RandomState> {
        let d = self.cx.document;
        let given = |s: &'d Stock<'d>| Some((s.id.given()?, s.unit.given()?));
        let of_stock: HashMap<&str, &str, RandomState> = d.stocks.iter().filter_map(given).collect();
        let unit_at = |end: &'d End<'d>| end.stock().and_then(|name| of_stock.get(name).copied());
        let mut units = HashMap::default();
        let mut says = |end: &'d End<'d>, unit: Option<&'d str>| {
            if let (Some(stock), Some(unit)) = (end.stock(), unit) {
                let unit = Unit::Agreed(unit.trim());
                let known = units.entry(stock).or_insert(unit);
                if *known != unit {
                    *known = Unit::Disputed;
                }
            }
        };
        for flow in &d.flows {
            let (from, to) = (&flow.from_stock, &flow.to_stock);
            let rate = flow
                .unit
                .given()
                .and_then(|unit| unit.rsplit_once('/'))
                .map(|(unit, _)| unit);
            for (end, unit) in [(from, unit_at(to)), (to, unit_at(from)), (from, rate), (to, rate)] {
                says(end, unit.filter(|unit| !unit.trim().is_empty()));
            }
        }
        units
    }

    /// A cloud, where the other end is a stock.
    pub(super) fn of_flow(&self, flow: &Flow<'_>, member: &str) -> Option<Value> {
        let is_end = matches!(member, "from_stock" | "to_stock");
        (is_end && other_is_stock(self.cx, flow, member)).then_some(Value::Null)
    }

    /// The id gives the label and the label the id; a point is applicable where an intervention targets it.
    pub(super) fn of_leverage(&self, point: &LeveragePoint<'_>, member: &str) -> Option<Value> {
        match member {
            "id" => leverage::id_of(point.label.as_str()).map(Value::from),
            "label" => leverage::label(point.id.0?).map(Value::from),
            "is_applicable" => Some(self.cx.targets(point.id.0?).into()),
            _ => None,
        }
    }
}
