//! `example://...`: finished models to learn from, built into the program.

use super::{JSON, resource};
use rmcp::model::Resource;

macro_rules! examples {
    ($($number:literal $name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!("../../../../models/", $number, "-", $name, ".json")))),+]
    };
}

/// Names and texts. To add an example, add a file in `models/` and a line.
const EXAMPLES: &[(&str, &str)] = examples![
    "01" "bathtub",
    "02" "thermostat",
    "03" "predator-prey",
    "04" "fishery-commons",
    "05" "limits-to-growth",
    "06" "shifting-the-burden",
    "07" "induced-traffic",
    "08" "bass-diffusion",
    "09" "sir-epidemic",
    "10" "carbon-cycle",
    "11" "housing-market",
    "12" "technical-debt",
];

pub(super) fn list() -> impl Iterator<Item = Resource> {
    EXAMPLES.iter().map(|(name, text)| {
        // What an example is about it says itself; a test holds that each is a document.
        let document = meadow_model::parse(text).unwrap_or_default();
        let title = document.system_name.given().unwrap_or(name);
        let purpose = document.boundary.purpose.given().unwrap_or_default();
        let description = format!("A finished model. Its purpose: {purpose}");
        resource(format!("example://{name}"), name, title, description, JSON, text.len())
    })
}

/// The names of the examples.
pub(crate) fn names() -> Vec<&'static str> {
    EXAMPLES.iter().map(|(name, _)| *name).collect()
}

pub(super) fn read(name: &str) -> Option<&'static str> {
    let (_, text) = EXAMPLES.iter().find(|(example, _)| *example == name)?;
    Some(text)
}
