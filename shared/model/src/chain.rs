//! The names in a loop's arrow chain, as in `demand -> sales -> demand: the more is sold ...`.

/// What may stand between two names.
const ARROWS: [&str; 4] = ["->", "=>", "→", "⟶"];

/// What ends the chain and begins the prose.
const ENDS: [char; 5] = [':', '：', ';', '；', '\n'];

/// A name of a chain, with the byte range it has in the description.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link<'d> {
    /// The name, without the blanks around it.
    pub name: &'d str,
    /// Where the name begins in the description, in bytes.
    pub at: usize,
}

/// The names of the arrow chain at the start of `description`, in order; none where no arrow stands there.
///
/// The chain goes up to the first colon, semicolon (ASCII or full width) or newline, else to the end.
pub fn links(description: &str) -> impl Iterator<Item = Link<'_>> {
    let chain = &description[..description.find(ENDS).unwrap_or(description.len())];
    let mut rest = first_arrow(chain, 0).is_some().then_some(0);
    std::iter::from_fn(move || {
        loop {
            let from = rest?;
            let (to, next) = match first_arrow(chain, from) {
                Some((at, len)) => (at, Some(at + len)),
                None => (chain.len(), None),
            };
            rest = next;
            let part = &chain[from..to];
            let name = part.trim();
            if !name.is_empty() {
                return Some(Link {
                    name,
                    at: from + (part.len() - part.trim_start().len()),
                });
            }
        }
    })
}

/// Place and length of the first arrow at or after `from`; stops there, so that a whole chain is read once.
fn first_arrow(chain: &str, from: usize) -> Option<(usize, usize)> {
    chain[from..]
        .char_indices()
        .filter(|(_, c)| matches!(c, '-' | '=' | '→' | '⟶'))
        .find_map(|(at, _)| {
            let at = from + at;
            ARROWS
                .iter()
                .find(|arrow| chain[at..].starts_with(**arrow))
                .map(|arrow| (at, arrow.len()))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(description: &str, expected: &[&str]) {
        let found: Vec<_> = links(description).map(|l| l.name).collect();
        assert_eq!(found, expected);
        assert!(links(description).all(|l| description[l.at..].starts_with(l.name)));
    }

    #[test]
    fn chains() {
        check("a -> b -> a: words -> not these", &["a", "b", "a"]);
        check("a → b ⟶ c => a", &["a", "b", "c", "a"]);
        check("水->盆->水：说明", &["水", "盆", "水"]);
        check("plain prose: a -> b", &[]);
        check("plain prose", &[]);
        check("", &[]);
        check("-> a ->", &["a"]);
        check("a ->\nb", &["a"]);
        check("first part -> second part; rest", &["first part", "second part"]);
    }
}
