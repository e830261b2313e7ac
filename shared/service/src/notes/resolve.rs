//! Which note a name or a link means.

use super::index::{Known, name_of};
use meadow_notes::body::Link;
use meadow_notes::{NotePath, fold};
use std::collections::{BTreeSet, HashMap};

/// Notes by their folded names, to follow links.
pub(super) struct Names<'k>(HashMap<&'k str, Vec<&'k NotePath>>);

impl<'k> Names<'k> {
    pub(super) fn of(notes: &'k [Known]) -> Self {
        let mut names: HashMap<&str, Vec<&NotePath>> = HashMap::new();
        for note in notes {
            names.entry(&*note.name).or_default().push(&note.head.path);
        }
        Self(names)
    }

    /// The note that a link in `from` leads to: by its way from there, else by its name; the nearest of several.
    pub(super) fn follow(&self, from: &NotePath, name: &str, link: &Link) -> Option<&'k NotePath> {
        let named = self.0.get(name)?;
        let at = |path: &str| {
            named
                .iter()
                .copied()
                .find(|note| note.as_str() == path || note.fold() == fold(path))
        };
        if link.target.starts_with("note:///") {
            return at(NotePath::from_uri(&link.target).ok()?.as_str());
        }
        if !link.wiki {
            let found = joined(from.folder(), &link.target).and_then(|path| at(&with_extension(&path)));
            if found.is_some() || link.target.contains("../") {
                return found;
            }
        }
        let target = with_extension(link.target.trim_start_matches(['.', '/']));
        if let Some(found) = at(&target) {
            return Some(found);
        }
        let end = fold(&format!("/{target}"));
        let fits = named.iter().copied().filter(|note| note.fold().ends_with(&end));
        fits.min_by_key(|note| (note.folder() != from.folder(), note.as_str().len(), note.as_str()))
    }
}

fn with_extension(path: &str) -> String {
    let md =
        path.len() >= 3 && path.is_char_boundary(path.len() - 3) && path[path.len() - 3..].eq_ignore_ascii_case(".md");
    if md { path.to_owned() } else { format!("{path}.md") }
}

/// A way from a folder of the vault; none where it leads out.
fn joined(folder: &str, way: &str) -> Option<String> {
    let mut segments: Vec<&str> = match way.starts_with('/') {
        true => Vec::new(),
        false => folder.split('/').filter(|segment| !segment.is_empty()).collect(),
    };
    for segment in way.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                segments.pop()?;
            }
            segment => segments.push(segment),
        }
    }
    Some(segments.join("/"))
}

/// What a name means.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Meant {
    One(NotePath),
    /// Several, at most ten of them.
    Several(Vec<NotePath>),
    /// None; the nearest three.
    None(Vec<NotePath>),
}

/// The note that is meant by a path that is not exactly there: the same in another case, else the only one with this
/// file name, else the only one with this title or alias.
pub(super) fn meant(notes: &[Known], path: &NotePath) -> Meant {
    let folded = path.fold();
    let pick = |fits: &dyn Fn(&Known) -> bool| {
        let found: Vec<NotePath> = notes
            .iter()
            .filter(|note| fits(note))
            .map(|note| note.head.path.clone())
            .collect();
        match found.len() {
            0 => None,
            1 => found.into_iter().next().map(Meant::One),
            _ => Some(Meant::Several(found.into_iter().take(10).collect())),
        }
    };
    let end = format!("/{folded}");
    let title = fold(path.as_str().strip_suffix(".md").unwrap_or(path.as_str()));
    pick(&|note| note.head.path.fold() == folded)
        .or_else(|| pick(&|note| note.head.path.fold().ends_with(&end)))
        .or_else(|| {
            let name = name_of(path.as_str());
            pick(&|note| *note.name == *name)
        })
        .or_else(|| {
            let is = |name: &String| fold(name) == title;
            pick(&|note| note.entry.title.as_ref().is_some_and(is) || note.entry.aliases.iter().any(is))
        })
        .unwrap_or_else(|| Meant::None(nearest(notes, path)))
}

/// The three notes whose names share most pairs of letters with this one.
fn nearest(notes: &[Known], path: &NotePath) -> Vec<NotePath> {
    let pairs = |text: &str| {
        let letters: Vec<char> = fold(text).chars().filter(|c| c.is_alphanumeric()).collect();
        let single = letters.iter().map(|c| (*c, ' '));
        let pairs = letters.windows(2).map(|pair| (pair[0], pair[1]));
        single.chain(pairs).collect::<BTreeSet<_>>()
    };
    let wanted = pairs(path.stem());
    let mut scored: Vec<(usize, &NotePath)> = Vec::new();
    for note in notes {
        let named = |name: &str| {
            let other = pairs(name);
            let shared = wanted.intersection(&other).count();
            200 * shared / (wanted.len() + other.len()).max(1)
        };
        let score = named(note.head.path.stem()).max(note.entry.title.as_deref().map_or(0, named));
        if score >= 40 {
            scored.push((score, &note.head.path));
        }
    }
    scored.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
    scored.into_iter().take(3).map(|(_, path)| path.clone()).collect()
}
