//! What the operations of a JSON Patch do.

use super::place::{self, Place, Spot, Way, at, items_of};
use super::text::{Body, Id, Slot};
use super::{Address, Kind, MAX_COPIED, Operation, PatchError, shown};
use crate::limits::MAX_DEPTH;
use crate::pointer::Pointer;
use crate::tree::tree;
use std::sync::Arc;

/// Why an operation cannot be done: what was found and what repairs it.
type Fault = String;

/// Applies all operations; each with the place where it worked.
pub(super) fn all(root: &mut Slot, operations: &[Operation]) -> Result<Vec<String>, PatchError> {
    let mut work = Work { root, copied: 0 };
    let mut applied = Vec::with_capacity(operations.len());
    for (n, operation) in operations.iter().enumerate() {
        let pointer = || operation.path.to_string();
        let done = match operation.kind {
            Kind::Test => written(work.test(n, operation)?),
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

fn written(pointer: Pointer) -> String {
    pointer.to_string()
}

struct Work<'r> {
    root: &'r mut Slot,
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
            Kind::Add => self.add(path, value()?).map(written),
            Kind::Remove => {
                let (place, way) = self.existing(path)?;
                self.remove(&way)?;
                Ok(written(place.pointer))
            }
            Kind::Replace => {
                let (place, way) = self.existing(path)?;
                self.slot(&way)?.set(value()?);
                Ok(written(place.pointer))
            }
            Kind::Move => self.shift(from()?, path),
            Kind::Copy => self.copy(from()?, path),
            Kind::Put => self.put(path, value()?).map(written),
            Kind::Test => Err("a test changes nothing".to_owned()),
        }
    }

    fn slot(&mut self, way: &[usize]) -> Result<&mut Slot, Fault> {
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

    fn add(&mut self, path: &Address, body: Body) -> Result<Pointer, Fault> {
        let place = place::find(self.root, path)?;
        self.add_at(place, path, body)
    }

    fn add_at(&mut self, place: Place, path: &Address, body: Body) -> Result<Pointer, Fault> {
        let last = path.segments().last().map(String::as_str).unwrap_or_default();
        let mut pointer = place.pointer;
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
                if !place::is_number(last) {
                    return Err(format!(
                        "there is an item with the id {:?} already, and add would insert another one before it; use put to \
                         replace it, or end the path with - to append an item",
                        shown(last)
                    ));
                }
                list.insert(n, body);
            }
            (Spot::End, Body::List(list)) => {
                pointer = pointer.parent().index(list.len());
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
        Ok(pointer)
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
            return Ok(written(source.pointer));
        }
        if target.parent.starts_with(&way) {
            return Err(format!(
                "{from} cannot be moved into itself; copy it, or move its parts"
            ));
        }
        let body = self.remove(&way)?;
        if body.opened() + path.segments().len() > MAX_DEPTH {
            return Err(format!(
                "there would be more than {MAX_DEPTH} nested objects and arrays"
            ));
        }
        let pointer = self.add(path, body)?;
        Ok(format!("{} to {pointer}", source.pointer))
    }

    fn copy(&mut self, from: &Address, path: &Address) -> Result<String, Fault> {
        let (source, way) = self.existing(from)?;
        let text: Arc<str> = self.slot(&way)?.value().into();
        self.copied += text.len();
        if self.copied > MAX_COPIED {
            return Err(format!("the copies of this patch have more than {MAX_COPIED} bytes"));
        }
        let pointer = self.add(path, Body::of(&text))?;
        Ok(format!("{} to {pointer}", source.pointer))
    }

    fn test(&mut self, n: usize, operation: &Operation) -> Result<Pointer, PatchError> {
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
            return Ok(place.pointer);
        }
        Err(failed(shown(&found)))
    }

    /// Inserts or replaces the item with the id of the value. On an object it sets a member, as add does.
    fn put(&mut self, path: &Address, body: Body) -> Result<Pointer, Fault> {
        let place = match place::find(self.root, path) {
            Ok(place) => place,
            Err(reason) => return self.put_into_new(path, body, reason),
        };
        let last = path.segments().last().map(String::as_str).unwrap_or_default();
        // The path of a list itself, where the item says which one it is.
        if let (Some(way), Some(id)) = (place.way(), body.id())
            && let Body::List(_) = self.slot(&way)?.body()
        {
            return self.put_item(&way, place.pointer, "-", Some(id), body);
        }
        match self.slot(&place.parent)?.body() {
            Body::List(_) if place.spot != Spot::Root => {
                let (list, id) = (place.pointer.parent(), body.id());
                self.put_item(&place.parent, list, last, id, body)
            }
            _ => self.add_at(place, path, body),
        }
    }

    fn put_item(
        &mut self,
        list: &[usize],
        at: Pointer,
        last: &str,
        id: Option<Id>,
        body: Body,
    ) -> Result<Pointer, Fault> {
        let Body::List(items) = self.slot(list)?.body() else {
            return Err("the document is damaged".to_owned());
        };
        let Some(id) = id else {
            let any = items.ids().any(|id| id.is_some());
            return Err(match any || items.len() == 0 {
                true => format!(
                    "the value has no id, by which put finds the item to replace; give it \"id\": {:?}",
                    if last == "-" { "..." } else { last }
                ),
                false => format!(
                    "the items of {0} have no ids; use add with {0}/- to append one, replace with its number to replace one",
                    place::named(&at)
                ),
            });
        };
        if last != "-" && last != id.as_str() {
            return Err(format!(
                "the path ends with {:?}, but the value's id is {:?}; put goes by the id: end the path with it, or use \
                 replace to change the item that the path names",
                shown(last),
                shown(id.as_str())
            ));
        }
        let same = |other: &Id| match (other, &id) {
            (Id::Text(a), Id::Text(b)) | (Id::Number(a), Id::Number(b)) => **a == **b,
            _ => false,
        };
        let n = match items_of(items, same).as_slice() {
            [] => {
                items.insert(items.len(), body);
                items.len() - 1
            }
            [only] => {
                if let Some(slot) = items.item(*only) {
                    slot.set(body);
                }
                *only
            }
            several => return Err(place::ambiguous(id.as_str(), several, &at)),
        };
        Ok(at.index(n))
    }

    /// The first item of a list that is not there yet, or null.
    fn put_into_new(&mut self, path: &Address, body: Body, reason: String) -> Result<Pointer, Fault> {
        let Some(((last, list), id)) = path.segments().split_last().zip(body.id()) else {
            return Err(reason);
        };
        let list = Address::of(list);
        let Ok(place) = place::find(self.root, &list) else {
            return Err(reason);
        };
        let is_new = match (&place.spot, place.way()) {
            (Spot::NoMember, _) => true,
            (Spot::Member(_), Some(way)) => self.slot(&way)?.is_null(),
            _ => false,
        };
        if !is_new || (last != "-" && last != id.as_str()) {
            return Err(reason);
        }
        let mut slot = Slot::new("[]");
        if let Body::List(items) = slot.body() {
            items.insert(0, body);
        }
        let text: Arc<str> = slot.value().into();
        Ok(self.add_at(place, &list, Body::of(&text))?.index(0))
    }
}
