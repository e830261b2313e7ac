//! JSON Merge Patch (RFC 7396 section 2).

use super::text::{Body, Piece, Slot};
use std::collections::HashMap;

/// Members from which names are looked up in a table.
const FEW: usize = 8;

/// Merges a patch into what stands at `target`. Recursion is as deep as the patch, which was judged.
pub(super) fn merge(target: &mut Slot, patch: &Piece) {
    if !patch.starts_with('{') {
        return target.set(Body::piece(patch));
    }
    if !matches!(target.body(), Body::Object(_)) {
        target.set(Body::piece(patch));
        return strip(target);
    }
    let (Body::Object(object), Some(changes)) = (target.body(), members(patch)) else {
        return;
    };
    type Table = HashMap<Box<str>, usize, foldhash::fast::RandomState>;
    let table: Option<Table> =
        (changes.len() > FEW).then(|| object.names().enumerate().map(|(n, name)| (name.into(), n)).collect());
    let before = object.names().count();
    let mut removed = vec![false; before];
    for (name, change) in changes {
        // A patch has each name once, so that what it adds is not looked for again.
        let found = match &table {
            Some(table) => table.get(&*name).copied(),
            None => object.find(&name),
        };
        match (found, change.is_null()) {
            (Some(n), true) => removed[n] = true,
            (Some(n), false) => {
                if let Some(slot) = object.value(n) {
                    merge(slot, &change.piece());
                }
            }
            (None, true) => {}
            (None, false) => {
                let mut slot = Slot::new("");
                slot.set(Body::piece(&change.piece()));
                strip(&mut slot);
                object.push(&name, slot.into_body());
            }
        }
    }
    object.remove_all(&removed);
}

/// Removes the members that are null, at every level that is reached through objects alone.
fn strip(slot: &mut Slot) {
    let Body::Object(object) = slot.body() else {
        return;
    };
    let mut removed = Vec::new();
    for n in 0.. {
        let Some(value) = object.value(n) else {
            break;
        };
        removed.push(value.is_null());
        if value.is_object() {
            strip(value);
        }
    }
    object.remove_all(&removed);
}

/// The members of an object with their values.
fn members(patch: &Piece) -> Option<Vec<(String, Slot)>> {
    let mut slot = Slot::of(patch.clone());
    match slot.body() {
        Body::Object(object) => Some(object.take()),
        _ => None,
    }
}
