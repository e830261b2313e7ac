//! From the text of a JSON Patch to its operations.

use super::{Address, Kind, MAX_OPERATIONS, Numbers, Operation, PatchError, shown};
use crate::json::{items, members};
use crate::limits::MAX_DEPTH;
use crate::tree::tree;

/// Reads all operations. Members that an operation has no use for are ignored (RFC 6902 section 4).
pub(super) fn read(text: &str) -> Result<Vec<Operation>, PatchError> {
    let whole = |detail: String| PatchError::Malformed {
        operation: None,
        detail,
    };
    let found = items(text).map_err(PatchError::NotJson)?;
    let Some(found) = found else {
        return Err(whole(
            "a patch is a list of operations, such as [{\"op\": \"replace\", \"path\": \"/version\", \"value\": \"2\"}]"
                .to_owned(),
        ));
    };
    if found.len() > MAX_OPERATIONS {
        return Err(whole(format!(
            "the patch has {} operations, at most {MAX_OPERATIONS} are allowed; write the whole document instead",
            found.len()
        )));
    }
    let one = |(n, text): (usize, &str)| {
        operation(text).map_err(|detail| PatchError::Malformed {
            operation: Some(n),
            detail,
        })
    };
    found.into_iter().enumerate().map(one).collect()
}

fn operation(text: &str) -> Result<Operation, String> {
    const EXPECTED: &str = "an operation is an object {\"op\": ..., \"path\": ..., \"value\": ...}";
    let members = members(text).map_err(|error| error.to_string())?;
    let members = members.ok_or_else(|| format!("found {}; {EXPECTED}", shown(text)))?;
    let find = |name: &str| {
        let mut named = members.iter().filter(|member| member.name == name);
        match (named.next(), named.next()) {
            (_, Some(_)) => Err(format!("`{name}` stands there twice; keep one")),
            (found, None) => Ok(found.map(|member| member.value)),
        }
    };
    let text_of = |name: &str| -> Result<Option<String>, String> {
        let Some(json) = find(name)? else {
            return Ok(None);
        };
        match tree(json).as_ref().and_then(|value| value.token()) {
            Some(text) if json.starts_with('"') => Ok(Some(text.to_owned())),
            _ => Err(format!("`{name}` is {}, expected a text", shown(json))),
        }
    };
    let names = Kind::ALL.map(Kind::name).join(", ");
    let op = text_of("op")?.ok_or_else(|| format!("`op` is missing: one of {names}"))?;
    let kind = Kind::ALL.into_iter().find(|kind| kind.name() == op);
    let kind = kind.ok_or_else(|| format!("`op` is {:?}, expected one of {names}", shown(&op)))?;
    let address = |name: &str| -> Result<Address, String> {
        let path = text_of(name)?.ok_or_else(|| format!("`{name}` is missing, which {op} needs"))?;
        Address::read(&path).map_err(|error| format!("`{name}` {error}"))
    };
    let path = address("path")?;
    let from = match kind {
        Kind::Move | Kind::Copy => Some(address("from")?),
        _ => None,
    };
    let value = match kind {
        Kind::Add | Kind::Replace | Kind::Test | Kind::Put => {
            let value =
                find("value")?.ok_or_else(|| format!("`value` is missing, which {op} needs; null is a value"))?;
            Some(value.into())
        }
        Kind::Remove | Kind::Move | Kind::Copy => None,
    };
    Ok(Operation {
        kind,
        path,
        from,
        value,
    })
}

impl Address {
    /// Reads a path.
    ///
    /// # Errors
    /// What is wrong with it, to be told after its name.
    pub fn read(text: &str) -> Result<Self, String> {
        let found = || format!("is {:?}", shown(text));
        let mut segments = text.split('/');
        if segments.next() != Some("") {
            return Err(format!(
                "{}, but a path begins with /; write {:?}",
                found(),
                shown(&from_dotted(text))
            ));
        }
        let segments: Vec<String> = segments
            .map(unescaped)
            .collect::<Option<_>>()
            .ok_or_else(|| format!("{}, in which ~ stands alone; write ~0 for ~ and ~1 for /", found()))?;
        if segments.len() > MAX_DEPTH {
            return Err(format!(
                "has {} segments; no document has more than {MAX_DEPTH} levels",
                segments.len()
            ));
        }
        Ok(Self {
            text: text.to_owned(),
            segments,
            numbers: Numbers::Indices,
        })
    }

    /// The path of these segments.
    pub(super) fn of(segments: &[String]) -> Self {
        let escaped = segments
            .iter()
            .map(|segment| segment.replace('~', "~0").replace('/', "~1"));
        Self {
            text: escaped.fold(String::new(), |path, segment| path + "/" + &segment),
            segments: segments.to_vec(),
            numbers: Numbers::Indices,
        }
    }

    /// The same, read as this one is.
    pub(super) fn with(&self, segments: &[String]) -> Self {
        Self {
            numbers: self.numbers,
            ..Self::of(segments)
        }
    }

    /// The path of a member of what is here.
    pub(super) fn to(&self, name: &str) -> Self {
        let mut segments = self.segments.clone();
        segments.push(name.to_owned());
        self.with(&segments)
    }

    /// As it was given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// How a number after a list is read.
    pub(super) fn numbers(&self) -> Numbers {
        self.numbers
    }

    /// Its segments, escapes resolved.
    pub(super) fn segments(&self) -> &[String] {
        &self.segments
    }
}

/// RFC 6901 section 4: first ~1, then ~0.
fn unescaped(segment: &str) -> Option<String> {
    let lone = segment.split('~').skip(1).any(|rest| !rest.starts_with(['0', '1']));
    (!lone).then(|| segment.replace("~1", "/").replace("~0", "~"))
}

/// The path that somebody meant who wrote it as reports do: `stocks[0].unit`.
fn from_dotted(text: &str) -> String {
    let slashed: String = text
        .chars()
        .filter(|c| *c != ']')
        .map(|c| if matches!(c, '.' | '[') { '/' } else { c })
        .collect();
    format!("/{}", slashed.trim_start_matches(['$', '#', '/']))
}
