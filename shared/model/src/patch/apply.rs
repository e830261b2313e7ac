//! What the operations of a JSON Patch do.

use super::place::{self, Place, Spot, Way, at, written};
use super::text::{Body, Slot};
use super::{Address, Kind, MAX_COPIED, Operation, PatchError, shown};
use crate::limits::MAX_DEPTH;
use crate::pointer::Pointer;
use crate::tree::tree;
use std::sync::Arc;

/// Why an operation cannot be done: what was found and what repairs it.
pub(super) type Fault = String;

/// Applies all operations; each with the place where it worked.
pub(super) fn all(root: &mut Slot, operations: &[Operation]) -> Result<Vec<String>, PatchError> {
    let mut work = Work { root, copied: 0 };
    let mut applied = Vec::with_capacity(operations.len());
    for (n, operation) in operations.iter().enumerate() {
        let pointer = || operation.path.to_string();
        let done = match operation.kind {
            Kind::Test => work.test(n, operation)?,
            _ => work.apply(operation).map_err(|detail| PatchError::Inapplicable {
                operation: n,
                pointer: pointer(),
                detail,
            })?,
        };
        applied.push(format!("{} {done}", operation.kind.name()));
    }
    Ok(applied)
}

/// A document that is worked on.
pub(super) struct Work<'r> {
    pub(super) root: &'r mut Slot,
    /// Bytes that were copied so far.
    copied: usize,
}

impl Work<'_> {
    /// Does one operation; the place where it worked.
    fn apply(&mut self, operation: &Operation) -> Result<String, Fault> {
        let path = &operation.path;
        let value = || {
            operation
                .value
                .as_ref()
                .map(Body::of)
                .ok_or_else(|| "`value` is missing".to_owned())
        };
        let from = || operation.from.as_ref().ok_or_else(|| "`from` is missing".to_owned());
        match operation.kind {
            Kind::Add => self.add(path, value()?),
            Kind::Remove => {
                let (place, way) = self.existing(path)?;
                self.remove(&way)?;
                Ok(place.written())
            }
            Kind::Replace => {
                let (place, way) = self.existing(path)?;
                self.slot(&way)?.set(value()?);
                Ok(place.written())
            }
            Kind::Move => self.shift(from()?, path),
            Kind::Copy => self.copy(from()?, path),
            Kind::Put => self.put(path, value()?),
            Kind::Test => Err("a test changes nothing".to_owned()),
        }
    }

    pub(super) fn slot(&mut self, way: &[usize]) -> Result<&mut Slot, Fault> {
        at(self.root, way).ok_or_else(|| "the document is damaged".to_owned())
    }

    /// A place with the way to its value, which must be there.
    fn existing(&mut self, path: &Address) -> Result<(Place, Way), Fault> {
        let found = place::find(self.root, path)?;
        if let Some(way) = found.way() {
            return Ok((found, way));
        }
        let (last, before) = path.segments().split_last().ok_or("there is nothing")?;
        let mut parent = Pointer::root();
        for segment in before {
            parent = parent.key(segment);
        }
        let slot = self.slot(&found.parent)?;
        Err(place::missing(slot, last, &found.spot, &parent))
    }

    /// Adds a value; the place as it is told.
    pub(super) fn add(&mut self, path: &Address, body: Body) -> Result<String, Fault> {
        let place = place::find(self.root, path)?;
        self.add_at(place, path, body)
    }

    pub(super) fn add_at(&mut self, place: Place, path: &Address, body: Body) -> Result<String, Fault> {
        let last = path.segments().last().map(String::as_str).unwrap_or_default();
        let (mut pointer, mut id) = (place.pointer, place.id);
        let parent = self.slot(&place.parent)?;
        match (place.spot, parent.body()) {
            (Spot::Root, _) => parent.set(body),
            (Spot::Member(n), Body::Object(object)) => {
                if let Some(slot) = object.value(n) {
                    slot.set(body);
                }
            }
            (Spot::NoMember, Body::Object(object)) => object.push(last, body),
            (Spot::Item(n), Body::List(list)) => {
                if place::index(last).is_none() {
                    return Err(format!(
                        "there is an item with the id {:?} already, and add would insert another one before it; use put to \
                         replace it, or end the path with - to append an item",
                        shown(last)
                    ));
                }
                id = body.id();
                list.insert(n, body);
            }
            (Spot::End, Body::List(list)) => {
                pointer = pointer.parent().index(list.len());
                id = body.id().or(id);
                list.insert(list.len(), body);
            }
            (Spot::NoItem(reason), _) => {
                return Err(format!(
                    "{reason}; to append an item end the path with -, to insert or replace one by its id use put"
                ));
            }
            (spot, _) => {
                let above = pointer.parent();
                return Err(place::missing(parent, last, &spot, &above));
            }
        }
        Ok(written(&pointer, id.as_ref()))
    }

    fn remove(&mut self, way: &[usize]) -> Result<Body, Fault> {
        let Some((last, parent)) = way.split_last() else {
            return Err("the whole document cannot be removed; delete the model instead".to_owned());
        };
        match self.slot(parent)?.body() {
            Body::Object(object) => Ok(object.remove(*last)),
            Body::List(list) => Ok(list.remove(*last)),
            Body::Text(_) => Err("the document is damaged".to_owned()),
        }
    }

    fn shift(&mut self, from: &Address, path: &Address) -> Result<String, Fault> {
        let (source, way) = self.existing(from)?;
        let target = place::find(self.root, path)?;
        if target.way().as_ref() == Some(&way) {
            return Ok(source.written());
        }
        if let Spot::NoItem(reason) = target.spot {
            return Err(reason);
        }
        if target.parent.starts_with(&way) {
            return Err(format!(
                "{} cannot be moved into itself; copy it, or move its parts",
                place::named(&source.pointer)
            ));
        }
        let body = self.remove(&way)?;
        if body.opened() + path.segments().len() > MAX_DEPTH {
            return Err(format!(
                "there would be more than {MAX_DEPTH} nested objects and arrays"
            ));
        }
        let target = self.add(path, body)?;
        Ok(format!("{} to {target}", source.written()))
    }

    fn copy(&mut self, from: &Address, path: &Address) -> Result<String, Fault> {
        let (source, way) = self.existing(from)?;
        let text: Arc<str> = self.slot(&way)?.value().into();
        self.copied += text.len();
        if self.copied > MAX_COPIED {
            return Err(format!("the copies of this patch have more than {MAX_COPIED} bytes"));
        }
        let target = self.add(path, Body::of(&text))?;
        Ok(format!("{} to {target}", source.written()))
    }

    fn test(&mut self, n: usize, operation: &Operation) -> Result<String, PatchError> {
        let expected = operation.value.as_deref().unwrap_or("null");
        let failed = |found: String| PatchError::TestFailed {
            operation: n,
            pointer: operation.path.to_string(),
            found,
            expected: shown(expected),
        };
        let (place, way) = self
            .existing(&operation.path)
            .map_err(|reason| failed(format!("nothing ({reason})")))?;
        let found = self.slot(&way).map_err(failed)?.value();
        let same = matches!((tree(&found), tree(expected)), (Some(a), Some(b)) if a.is(&b));
        if same {
            return Ok(place.written());
        }
        Err(failed(shown(&found)))
    }
}
