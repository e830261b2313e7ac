//! `put`: inserts or replaces the item of a list by its id.

use super::apply::{Fault, Work};
use super::place::{self, ID, Place, Spot, items_of, written};
use super::text::{Body, Id, Slot};
use super::{Address, shown};
use crate::fields::{Document, Fielded};
use crate::pointer::Pointer;
use crate::values::Shape;
use std::sync::Arc;

/// What stands at a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum There {
    List,
    Object,
    /// Nothing, or null.
    Nothing,
    Else,
}

impl Work<'_> {
    /// Inserts or replaces the item with the id of the value, in the list that the path names, or that holds what it
    /// names. What is no list is never replaced by an item; other values are set in objects, as add does.
    pub(super) fn put(&mut self, path: &Address, body: Body) -> Result<String, Fault> {
        let place = match place::find(self.root, path) {
            Ok(place) => place,
            Err(reason) => return self.put_into_new(path, body, reason),
        };
        let segments = path.segments();
        let last = segments.last().map(String::as_str).unwrap_or_default();
        let there = self.there(&place)?;
        let in_list = place.spot != Spot::Root && matches!(self.slot(&place.parent)?.body(), Body::List(_));
        let id = body.id();
        match (there, &id, place.way()) {
            // The path of a list itself, where the item says which one it is.
            (There::List, Some(_), Some(way)) => self.put_item(&way, place.pointer, "-", id, body),
            _ if in_list => {
                let list = place.pointer.parent();
                self.put_item(&place.parent, list, last, id, body)
            }
            (There::List, None, Some(way)) if !body.is_list() => self.put_item(&way, place.pointer, "-", None, body),
            (There::Object, ..) => Err(self.no_list(segments)),
            (There::Nothing, Some(_), _) if is_record(segments) => Err(self.no_list(segments)),
            (There::Nothing, Some(id), _) if ends_with_id(segments, id) && !is_list(segments) => {
                Err(self.no_list(&segments[..segments.len() - 1]))
            }
            (There::Nothing, Some(_), _) => self.put_first(place, path, body),
            (There::Else, Some(_), _) => Err(format!(
                "{} is no list, into which put could insert an item; to put another value in its place use replace",
                place::named(&place.pointer)
            )),
            _ => self.add_at(place, path, body),
        }
    }

    fn there(&mut self, place: &Place) -> Result<There, Fault> {
        let Some(way) = place.way() else {
            return Ok(There::Nothing);
        };
        let slot = self.slot(&way)?;
        Ok(match slot.body() {
            Body::List(_) => There::List,
            Body::Object(_) => There::Object,
            Body::Text(text) if &**text == "null" => There::Nothing,
            Body::Text(_) => There::Else,
        })
    }

    fn put_item(
        &mut self,
        list: &[usize],
        at: Pointer,
        last: &str,
        id: Option<Id>,
        body: Body,
    ) -> Result<String, Fault> {
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
        if !names(last, &id) {
            return Err(format!(
                "the path ends with {:?}, but the value's id is {:?}; put goes by the id: end the path with it, or use \
                 replace to change the item that the path names",
                shown(last),
                shown(id.as_str())
            ));
        }
        let mut with_it = items_of(items, |other| other.is(&id));
        if with_it.is_empty() {
            // An agent may send the number of a leverage point as text.
            with_it = items_of(items, |other| other.reads(id.as_str()));
        }
        let n = match with_it.as_slice() {
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
        Ok(written(&at.index(n), Some(&id)))
    }

    /// The first item of a list that is not there yet, or null, where nothing is at the path.
    fn put_into_new(&mut self, path: &Address, body: Body, reason: Fault) -> Result<String, Fault> {
        let segments = path.segments();
        let Some((id, (last, before))) = body.id().zip(segments.split_last()) else {
            return Err(reason);
        };
        let list = match is_list(segments) {
            true => segments,
            false if names(last, &id) => before,
            false => return Err(reason),
        };
        if is_record(list) {
            return Err(self.no_list(list));
        }
        // The object of a list of ours may be new, too: `loops` of /loops/balancing.
        if let Some((_, above)) = list.split_last().filter(|_| is_list(list)) {
            let above = path.with(above);
            let place = place::find(self.root, &above);
            if let Ok(place) = place
                && self.there(&place)? == There::Nothing
            {
                self.add_at(place, &above, Body::of(&Arc::from("{}")))?;
            }
        }
        let list = path.with(list);
        match place::find(self.root, &list) {
            Ok(place) if self.there(&place)? == There::Nothing => self.put_first(place, &list, body),
            _ => Err(reason),
        }
    }

    /// A list with its first item.
    fn put_first(&mut self, place: Place, list: &Address, body: Body) -> Result<String, Fault> {
        let (pointer, id) = (place.pointer.clone().index(0), body.id());
        let mut slot = Slot::new("[]");
        if let Body::List(items) = slot.body() {
            items.insert(0, body);
        }
        let text: Arc<str> = slot.value().into();
        self.add_at(place, list, Body::of(&text))?;
        Ok(written(&pointer, id.as_ref()))
    }

    /// That an item cannot be put there, since it is an object, and where the lists are.
    fn no_list(&mut self, segments: &[String]) -> Fault {
        let address = Address::of(segments);
        let at = match address.as_str() {
            "" => "the document",
            text => text,
        };
        let lists = match shape(segments) {
            Some(shape) => lists(shape, address.as_str()),
            None => self.lists_there(&address),
        };
        let wanted = match lists.is_empty() {
            true => "it has no list whose items have ids".to_owned(),
            false => format!("write {}, then - or the item's id", lists.join(" or ")),
        };
        let whole = match at {
            "/loops" | "the document" => String::new(),
            _ => "; to set the object or its members use add or replace".to_owned(),
        };
        format!(
            "{} is an object, and put inserts into a list: {wanted}{whole}",
            shown(at)
        )
    }

    /// The lists in an object that is none of ours.
    fn lists_there(&mut self, address: &Address) -> Vec<String> {
        const LISTED: usize = 8;
        let way = place::find(self.root, address).ok().and_then(|place| place.way());
        match way.and_then(|way| place::at(self.root, &way)).map(Slot::body) {
            Some(Body::Object(object)) => {
                let lists = object.lists().take(LISTED);
                lists.map(|name| shown(address.to(name).as_str())).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// True where the last segment of a path may stand for the item with this id.
fn names(last: &str, id: &Id) -> bool {
    last == "-" || last == id.as_str() || last.strip_prefix(ID) == Some(id.as_str())
}

fn ends_with_id(segments: &[String], id: &Id) -> bool {
    segments.last().is_some_and(|last| names(last, id))
}

/// What documents have at a place; none where that is not known.
fn shape(segments: &[String]) -> Option<Shape> {
    let root = Shape::Record(&Document::RECORD);
    segments.iter().try_fold(root, |shape, segment| match shape {
        Shape::Record(record) => {
            let field = record.fields.iter().find(|field| field.name == segment);
            field.map(|field| field.shape)
        }
        Shape::List(item) => Some(*item),
        _ => None,
    })
}

fn is_record(segments: &[String]) -> bool {
    matches!(shape(segments), Some(Shape::Record(_)))
}

fn is_list(segments: &[String]) -> bool {
    matches!(shape(segments), Some(Shape::List(_)))
}

/// The lists in an object of ours whose items have ids.
fn lists(shape: Shape, at: &str) -> Vec<String> {
    let Shape::Record(record) = shape else {
        return Vec::new();
    };
    let of_field = |field: &crate::fields::Field| {
        let at = format!("{at}/{}", field.name);
        match field.shape {
            Shape::List(Shape::Record(item)) if item.fields.iter().any(|field| field.name == "id") => vec![at],
            shape @ Shape::Record(_) => lists(shape, &at),
            _ => Vec::new(),
        }
    };
    record.fields.iter().flat_map(of_field).collect()
}
