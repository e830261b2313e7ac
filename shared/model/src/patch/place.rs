//! From paths to places: which member, which item.

use super::text::{Body, Id, List, Slot};
use super::{Address, Numbers, shown};
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
    /// The id of the item that this is or is in.
    pub(super) id: Option<Id>,
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

    /// The place as it is told.
    pub(super) fn written(&self) -> String {
        written(&self.pointer, self.id.as_ref())
    }
}

/// A place with the id of the item that it is or is in: numbers alone are easily mistaken.
pub(super) fn written(pointer: &Pointer, id: Option<&Id>) -> String {
    match id {
        Some(id) => format!("{pointer} (id {})", shown(id.as_str())),
        None => pointer.to_string(),
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
            id: None,
        });
    };
    let mut parent = Way::new();
    let mut pointer = Pointer::root();
    let mut id = None;
    let mut slot = root;
    for segment in before {
        let spot = spot(slot, segment, &pointer, path.numbers())?;
        let (Spot::Member(n) | Spot::Item(n)) = spot else {
            return Err(missing(slot, segment, &spot, &pointer));
        };
        pointer = grown(pointer, segment, &spot);
        id = id_at(slot, &spot).or(id);
        parent.push(n);
        slot = child(slot, n).ok_or("the document is damaged")?;
    }
    let spot = spot(slot, last, &pointer, path.numbers())?;
    Ok(Place {
        parent,
        pointer: grown(pointer, last, &spot),
        id: id_at(slot, &spot).or(id),
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

/// The id of the item that stands there.
fn id_at(slot: &mut Slot, spot: &Spot) -> Option<Id> {
    match (slot.body(), spot) {
        (Body::List(list), Spot::Item(n)) => list.id(*n),
        _ => None,
    }
}

/// What a segment is in an object or list.
fn spot(slot: &mut Slot, segment: &str, pointer: &Pointer, numbers: Numbers) -> Result<Spot, String> {
    match slot.body() {
        Body::Object(object) => Ok(object.find(segment).map_or(Spot::NoMember, Spot::Member)),
        Body::List(list) => Ok(item(list, segment, pointer, numbers)),
        Body::Text(text) => Err(format!(
            "{} is {}, which has no parts, so that there is no {segment:?} in it",
            named(pointer),
            shown(text)
        )),
    }
}

/// An item by its number (RFC 6901 section 4: no leading zeros), else by its id, else by either as the segment says.
fn item(list: &mut List, segment: &str, pointer: &Pointer, numbers: Numbers) -> Spot {
    if segment == "-" {
        return Spot::End;
    }
    if is_number(segment) {
        let spot = by_number(list, segment);
        let mistaken = (numbers == Numbers::Unmistakable).then(|| mistaken(list, segment, &spot, pointer));
        return mistaken.flatten().map_or(spot, Spot::NoItem);
    }
    let with_it = items_of(list, |id| matches!(id, Id::Text(text) if &**text == segment));
    match (with_it.as_slice(), index(segment), segment.strip_prefix(ID)) {
        ([only], ..) => Spot::Item(*only),
        ([], Some(number), _) => by_number(list, number),
        ([], None, Some(id)) => match items_of(list, |other| other.reads(id)).as_slice() {
            [only] => Spot::Item(*only),
            [] => Spot::NoItem(no_item(list, id, pointer)),
            several => Spot::NoItem(ambiguous(id, several, pointer)),
        },
        ([], None, None) => Spot::NoItem(no_item(list, segment, pointer)),
        (several, ..) => Spot::NoItem(ambiguous(segment, several, pointer)),
    }
}

/// What stands before an id, and before an index, where the number alone could be either.
pub(super) const ID: &str = "id=";
const INDEX: &str = "index=";

fn by_number(list: &List, number: &str) -> Spot {
    match number.parse() {
        Ok(n) if n < list.len() => Spot::Item(n),
        Ok(n) if n == list.len() => Spot::End,
        n => Spot::Beyond(n.unwrap_or(usize::MAX)),
    }
}

/// Why a number cannot be read: it is an index, and the id of another item.
fn mistaken(list: &mut List, number: &str, spot: &Spot, pointer: &Pointer) -> Option<String> {
    let (index, of_index) = match spot {
        Spot::Item(n) => match list.id(*n) {
            Some(id) if id.reads(number) => return None,
            Some(id) => (*n, format!("an item with the id {}", shown(id.as_str()))),
            None => (*n, "an item without an id".to_owned()),
        },
        Spot::End => (list.len(), "the end of the list".to_owned()),
        _ => return None,
    };
    let others = items_of(list, |id| id.reads(number));
    let other = others.first()?;
    Some(format!(
        "{number} can be read in two ways in {}: the index {index} is {of_index}, and the item with the id {number} has \
         the index {other}; write {ID}{number} or {INDEX}{index} instead",
        named(pointer)
    ))
}

/// The number of a segment that says an index: alone, or after `index=`.
pub(super) fn index(segment: &str) -> Option<&str> {
    let number = segment.strip_prefix(INDEX).unwrap_or(segment);
    is_number(number).then_some(number)
}

fn is_number(segment: &str) -> bool {
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
            let by_id = items_of(list, |id| id.reads(segment));
            let by_id = match by_id.first() {
                Some(n) => format!("; the item with the id {segment} is number {n}: write {ID}{segment}"),
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
