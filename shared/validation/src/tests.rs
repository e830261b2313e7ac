//! Tests of the whole check: the example models, the documents that pin the readings, repairs, and hostile shapes.

mod documents;
mod hostile;
mod repairs;

use crate::Report;

/// The example models, by name.
const MODELS: [(&str, &str); 12] = [
    ("01-bathtub", include_str!("../../../models/01-bathtub.json")),
    ("02-thermostat", include_str!("../../../models/02-thermostat.json")),
    (
        "03-predator-prey",
        include_str!("../../../models/03-predator-prey.json"),
    ),
    (
        "04-fishery-commons",
        include_str!("../../../models/04-fishery-commons.json"),
    ),
    (
        "05-limits-to-growth",
        include_str!("../../../models/05-limits-to-growth.json"),
    ),
    (
        "06-shifting-the-burden",
        include_str!("../../../models/06-shifting-the-burden.json"),
    ),
    (
        "07-induced-traffic",
        include_str!("../../../models/07-induced-traffic.json"),
    ),
    (
        "08-bass-diffusion",
        include_str!("../../../models/08-bass-diffusion.json"),
    ),
    ("09-sir-epidemic", include_str!("../../../models/09-sir-epidemic.json")),
    ("10-carbon-cycle", include_str!("../../../models/10-carbon-cycle.json")),
    (
        "11-housing-market",
        include_str!("../../../models/11-housing-market.json"),
    ),
    (
        "12-technical-debt",
        include_str!("../../../models/12-technical-debt.json"),
    ),
];

/// The report on the document `text`.
#[track_caller]
fn report(text: &str) -> Report {
    crate::check(&meadow_model::parse(text).expect("a document"))
}

#[test]
fn the_models_are_complete() {
    for (name, text) in MODELS {
        let report = report(text);
        assert!(report.complete, "{name}: {report:?}");
        assert!(report.missing_fields.is_empty() && report.inconsistency_warnings.is_empty());
        let grave = report.advice.iter().find(|a| a.level != crate::Level::Info);
        assert_eq!(grave, None, "{name}");
    }
}
