//! Meadows's twelve leverage points, from 1, the most powerful, to 12.

/// The standard label of each, in the order of the ids.
const LABELS: [&str; 12] = [
    "The power to transcend paradigms",
    "The mindset or paradigm out of which the system arises",
    "The goals of the system",
    "The power to add, change, evolve, or self-organize system structure",
    "The rules of the system (incentives, punishments, constraints)",
    "The structure of information flows (who does and does not have access to information)",
    "The gain around driving positive feedback loops",
    "The strength of negative feedback loops, relative to the impacts they are trying to correct against",
    "The lengths of delays, relative to the rate of system changes",
    "The structure of material stocks and flows and nodes of intersection",
    "The sizes of buffers and other stabilizing stocks, relative to their flows",
    "Constants, parameters, numbers (subsidies, taxes, standards)",
];

/// All ids with their standard labels.
pub(crate) fn all() -> impl Iterator<Item = (u8, &'static str)> {
    (1..).zip(LABELS)
}

/// The standard label of `id`.
pub(crate) fn label(id: u8) -> Option<&'static str> {
    all().find(|(other, _)| *other == id).map(|(_, label)| label)
}

/// The id whose standard label is `label`, case and blanks around it aside.
pub(crate) fn id_of(label: &str) -> Option<u8> {
    all()
        .find(|(_, standard)| standard.eq_ignore_ascii_case(label.trim()))
        .map(|(id, _)| id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_and_ids_find_each_other() {
        assert_eq!(all().count(), 12);
        for (id, standard) in all() {
            assert_eq!(label(id), Some(standard));
            assert_eq!(id_of(&format!(" {} ", standard.to_uppercase())), Some(id));
        }
        assert_eq!((label(0), label(13), id_of("goals")), (None, None, None));
    }
}
