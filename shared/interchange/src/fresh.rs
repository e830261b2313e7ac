//! Names for what a file did not name.

use foldhash::{HashMap, HashSet};
use meadow_dynamics::names::fold;

/// Makes names that no other has.
#[derive(Debug, Default)]
pub(crate) struct Fresh {
    taken: HashSet<String>,
    /// How often each name was asked for, so that a thousand equal ones do not try a thousand numbers each.
    asked: HashMap<String, usize>,
}

impl Fresh {
    /// Names beside `taken`.
    pub(crate) fn new<'n>(taken: impl IntoIterator<Item = &'n str>) -> Self {
        Self {
            taken: taken.into_iter().map(|name| fold(name).into_owned()).collect(),
            asked: HashMap::default(),
        }
    }

    /// `name`, or `name 2`, `name 3` ... where that is taken.
    pub(crate) fn name(&mut self, name: String) -> String {
        let asked = self.asked.entry(fold(&name).into_owned()).or_insert(0);
        loop {
            *asked += 1;
            let fresh = match *asked {
                1 => name.clone(),
                number => format!("{name} {number}"),
            };
            if self.taken.insert(fold(&fresh).into_owned()) {
                return fresh;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_given_twice() {
        let mut fresh = Fresh::new(["S Net_flow", "s net flow 3"]);
        let names: Vec<_> = (0..3).map(|_| fresh.name("s net flow".to_owned())).collect();
        assert_eq!(names, ["s net flow 2", "s net flow 4", "s net flow 5"]);
        assert_eq!(fresh.name("other".to_owned()), "other");
    }
}
