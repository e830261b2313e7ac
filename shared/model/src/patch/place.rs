//! From paths to places: which member, which item.

use super::text::{Body, Id, List, Slot};
use super::{Address, shown};
use crate::near;
use crate::pointer::Pointer;

/// How many names a message lists where none is near.
const LISTED: usize = 8;

/// The way to a value: at each level the number of the member or item.
pub(super) type Way = Vec<usize>;

/// Where the last segment of a path points to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Spot {
    /// The whole document.
    Root,
    /// The member of this number.
    Member(usize),
    /// A member that the object has not.
    NoMember,
    /// The item of this number.
    Item(usize),
    /// The place after the last item.
    End,
    /// A number beyond that.
    Beyond(usize),
    /// A text that is the id of none, or of which item cannot be told.
    NoItem(String),
}

/// A place that was looked for: the container's way, and what its last segment is there.
#[derive(Debug, Clone)]
pub(super) struct Place {
    /// The way to the object or list that holds it.
    pub(super) parent: Way,
    pub(super) spot: Spot,
    /// The place as a pointer, with numbers for ids.
    pub(super) pointer: Pointer,
}

impl Place {
    /// The way to the value, where there is one.
    pub(super) fn way(&self) -> Option<Way> {
        let mut way = self.parent.clone();
        match self.spot {
            Spot::Root => {}
            Spot::Member(n) | Spot::Item(n) => way.push(n),
            _ => return None,
        }
        Some(way)
    }
}

/// Finds the place that `path` names. Everything before its last segment must be there.
///
/// # Errors
/// What is not there, in words.
pub(super) fn find(root: &mut Slot, path: &Address) -> Result<Place, String> {
    let Some((last, before)) = path.segments().split_last() else {
        return Ok(Place {
            parent: Way::new(),
            spot: Spot::Root,
            pointer: Pointer::root(),
        });
    };
    let mut parent = Way::new();
    let mut pointer = Pointer::root();
    let mut slot = root;
    for segment in before {
        let spot = spot(slot, segment, &pointer)?;
        let (Spot::Member(n) | Spot::Item(n)) = spot else {
            return Err(missing(slot, segment, &spot, &pointer));
        };
        pointer = grown(pointer, segment, &spot);
        parent.push(n);
        slot = child(slot, n).ok_or("the document is damaged")?;
    }
    let spot = spot(slot, last, &pointer)?;
    Ok(Place {
        parent,
        pointer: grown(pointer, last, &spot),
        spot,
    })
}

/// The value at the end of a way.
pub(super) fn at<'s>(root: &'s mut Slot, way: &[usize]) -> Option<&'s mut Slot> {
    way.iter().try_fold(root, |slot, n| child(slot, *n))
}

fn child(slot: &mut Slot, n: usize) -> Option<&mut Slot> {
    match slot.body() {
        Body::Object(object) => object.value(n),
        Body::List(list) => list.item(n),
        Body::Text(_) => None,
    }
}

fn grown(pointer: Pointer, segment: &str, spot: &Spot) -> Pointer {
    match spot {
        Spot::Item(n) => pointer.index(*n),
        _ => pointer.key(segment),
    }
}

/// What a segment is in an object or list.
fn spot(slot: &mut Slot, segment: &str, pointer: &Pointer) -> Result<Spot, String> {
    match slot.body() {
        Body::Object(object) => Ok(object.find(segment).map_or(Spot::NoMember, Spot::Member)),
        Body::List(list) => Ok(item(list, segment, pointer)),
        Body::Text(text) => Err(format!(
            "{} is {}, which has no parts, so that there is no {segment:?} in it",
            named(pointer),
            shown(text)
        )),
    }
}

/// An item by its number (RFC 6901 section 4: no leading zeros), else by its id.
fn item(list: &mut List, segment: &str, pointer: &Pointer) -> Spot {
    if segment == "-" {
        return Spot::End;
    }
    if is_number(segment) {
        return match segment.parse() {
            Ok(n) if n < list.len() => Spot::Item(n),
            Ok(n) if n == list.len() => Spot::End,
            n => Spot::Beyond(n.unwrap_or(usize::MAX)),
        };
    }
    let with_it = items_of(list, |id| matches!(id, Id::Text(text) if &**text == segment));
    match with_it.as_slice() {
        [only] => Spot::Item(*only),
        [] => Spot::NoItem(no_item(list, segment, pointer)),
        several => Spot::NoItem(ambiguous(segment, several, pointer)),
    }
}

pub(super) fn is_number(segment: &str) -> bool {
    segment == "0" || (!segment.starts_with('0') && !segment.is_empty() && segment.bytes().all(|b| b.is_ascii_digit()))
}

/// The numbers of the items whose id is as wanted.
pub(super) fn items_of(list: &mut List, wanted: impl Fn(&Id) -> bool) -> Vec<usize> {
    let ids = list.ids().enumerate();
    ids.filter(|(_, id)| id.is_some_and(&wanted)).map(|(n, _)| n).collect()
}

pub(super) fn ambiguous(id: &str, several: &[usize], pointer: &Pointer) -> String {
    let places: Vec<_> = several.iter().take(LISTED).map(usize::to_string).collect();
    let more = if several.len() > LISTED { ", ..." } else { "" };
    format!(
        "{} items of {} have the id {:?}, at {}{more}; name the one that is meant by its number",
        several.len(),
        named(pointer),
        shown(id),
        places.join(", ")
    )
}

fn no_item(list: &mut List, segment: &str, pointer: &Pointer) -> String {
    let length = list.len();
    let ids: Vec<String> = list.ids().flatten().map(|id| id.as_str().to_owned()).collect();
    let there = match ids.len() {
        0 => format!("its {length} items have no ids; name them by number, from 0, or - for the end"),
        _ => hint(segment, ids.iter().map(String::as_str), "its ids are"),
    };
    format!(
        "{} has no item with the id {:?}; {there}",
        named(pointer),
        shown(segment)
    )
}

/// What is said of a place that is needed and not there.
pub(super) fn missing(slot: &mut Slot, segment: &str, spot: &Spot, pointer: &Pointer) -> String {
    match (spot, slot.body()) {
        (Spot::NoItem(reason), _) => reason.clone(),
        (Spot::NoMember, Body::Object(object)) => format!(
            "{} has no member {:?}; {}",
            named(pointer),
            shown(segment),
            hint(segment, object.names(), "its members are")
        ),
        (_, Body::List(list)) => {
            let by_id = items_of(list, |id| id.as_str() == segment);
            let by_id = match by_id.first() {
                Some(n) => format!("; the item with the id {segment} is number {n}"),
                None => String::new(),
            };
            format!(
                "{} has {} items, counted from 0, so that there is none at {:?}{by_id}",
                named(pointer),
                list.len(),
                shown(segment)
            )
        }
        _ => format!("there is no {:?} in {}", shown(segment), named(pointer)),
    }
}

/// A name that is near to the one given, else some of those that there are.
fn hint<'n>(given: &str, names: impl Iterator<Item = &'n str> + Clone, are: &str) -> String {
    let folded = |name: &str| name.to_lowercase();
    let (others, given) = (names.clone().take(near::COMPARED), folded(given));
    // A third of the letters, and two at most, as where ids are mistyped in a document.
    let allowed = |a: &[char], b: &[char]| (a.len().min(b.len()) / 3).min(2);
    if let Some(name) = near::nearest(&given, others.map(|name| (folded(name), name)), allowed) {
        return format!("did you mean {name:?}?");
    }
    let listed: Vec<_> = names
        .clone()
        .take(LISTED)
        .map(|name| format!("{:?}", shown(name)))
        .collect();
    match (listed.is_empty(), names.count() > LISTED) {
        (true, _) => "it is empty".to_owned(),
        (_, more) => format!("{are} {}{}", listed.join(", "), if more { ", ..." } else { "" }),
    }
}

/// A place in a message.
pub(super) fn named(pointer: &Pointer) -> String {
    match pointer.as_str() {
        "" => "the document".to_owned(),
        pointer => pointer.to_owned(),
    }
}
