//! `model-forked`: a write made a new model, or went to another system's model, probably unintended.
//!
//! The only rule that looks at where a document was stored instead of what it says.

use crate::report::{Advice, Level};
use meadow_model::Pointer;

/// Where a document was stored.
#[derive(Debug, Clone, Copy)]
pub struct Placed<'p> {
    /// The id it was stored under.
    pub id: &'p str,
    /// Its `system_name`.
    pub name: &'p str,
    /// The name of the model that stood there before; none where the write created the model.
    pub previous_name: Option<&'p str>,
    /// The workspace's latest model before the write.
    pub previous_latest: Option<&'p str>,
}

/// The advice, where there is reason for one.
#[must_use]
pub fn advise(placed: &Placed<'_>) -> Option<Advice> {
    let Placed {
        id,
        name,
        previous_name,
        previous_latest,
    } = *placed;
    let (message, fix) = match (previous_name, previous_latest) {
        (Some(before), _) if before != name => (
            format!("model {id:?} held another system, {before:?}; this write replaced it by {name:?}"),
            format!(
                "to keep both, write this one again with `model` set to another id, and restore {id:?} from its revisions"
            ),
        ),
        (None, Some(latest)) if latest != id => (
            format!("this write created the new model {id:?}, while the latest was {latest:?}"),
            format!("to go on with the other one, pass `model`: {latest:?}"),
        ),
        _ => return None,
    };
    Some(Advice {
        code: "model-forked",
        level: Level::Info,
        pointer: Pointer::root().key("system_name"),
        message,
        fix,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, previous_name: Option<&str>, previous_latest: Option<&str>, expected: Option<&str>) {
        let advice = advise(&Placed {
            id: "tub",
            name,
            previous_name,
            previous_latest,
        });
        match (advice, expected) {
            (Some(advice), Some(part)) => assert!(advice.fix.contains(part), "{advice:?}"),
            (advice, expected) => assert_eq!(advice.is_some(), expected.is_some(), "{advice:?}"),
        }
    }

    #[test]
    fn cases() {
        check("Tub", None, None, None);
        check("Tub", Some("Tub"), Some("tub"), None);
        check("Tub", Some("Tub"), Some("sea"), None);
        check("Tub", None, Some("sea"), Some("`model`: \"sea\""));
        check("Tub", None, Some("tub"), None);
        check("TUB", Some("Tub"), Some("tub"), Some("another id"));
    }
}
