//! A JSON text that is taken apart only where something changes, and written out again with every other byte as it was.
//!
//! The text is known to be JSON, since it was read before. To take a value apart is one walk over it; to change one of
//! its parts is none.

use crate::tree::quoted;
use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// What may stand between tokens.
pub(super) const BLANKS: [char; 4] = [' ', '\n', '\r', '\t'];

/// A part of a text, without a copy.
#[derive(Clone)]
pub(super) struct Piece {
    whole: Arc<str>,
    range: Range<usize>,
}

impl Piece {
    pub(super) fn whole(text: Arc<str>) -> Self {
        let range = 0..text.len();
        Self { whole: text, range }
    }

    fn new(text: &str) -> Self {
        Self::whole(text.into())
    }

    /// A part of this part.
    fn part(&self, range: Range<usize>) -> Self {
        Self {
            whole: Arc::clone(&self.whole),
            range: self.range.start + range.start..self.range.start + range.end,
        }
    }

    /// The blanks at its beginning, what stands between, the blanks at its end.
    fn trimmed(&self) -> (Self, Self, Self) {
        let start = self.len() - self.trim_start_matches(BLANKS).len();
        let end = start + self.trim_matches(BLANKS).len();
        (self.part(0..start), self.part(start..end), self.part(end..self.len()))
    }
}

impl Deref for Piece {
    type Target = str;

    fn deref(&self) -> &str {
        &self.whole[self.range.clone()]
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

/// Where a value stands, the blanks around it included.
#[derive(Debug, Clone)]
pub(super) struct Slot {
    /// As it was given.
    text: Piece,
    /// Taken apart; then the text counts no more.
    open: Option<Box<Open>>,
}

#[derive(Debug, Clone)]
pub(super) struct Open {
    before: Piece,
    body: Body,
    after: Piece,
}

/// A value without the blanks around it.
#[derive(Debug, Clone)]
pub(super) enum Body {
    Text(Piece),
    Object(Object),
    List(List),
}

/// An object in parts.
#[derive(Debug, Clone)]
pub(super) struct Object {
    members: Vec<Member>,
    /// What stands between the braces where there is no member.
    blank: Piece,
}

#[derive(Debug, Clone)]
struct Member {
    name: Piece,
    /// Blanks, the name in quotation marks, blanks, the colon.
    key: Piece,
    value: Slot,
}

/// A list in parts.
#[derive(Debug, Clone)]
pub(super) struct List {
    items: Vec<Slot>,
    /// What the items' ids are; empty until somebody asks.
    ids: Vec<Known>,
    blank: Piece,
}

/// What is known of an item's id.
#[derive(Debug, Clone)]
enum Known {
    NotYet,
    Id(Option<Id>),
}

/// The member `id` of an item.
#[derive(Debug, Clone)]
pub(super) enum Id {
    /// What a text says.
    Text(Piece),
    /// A number as it is written.
    Number(Piece),
}

impl Id {
    pub(super) fn as_str(&self) -> &str {
        match self {
            Self::Text(text) | Self::Number(text) => text,
        }
    }

    /// True for the same text, or a number of the same worth.
    pub(super) fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Text(a), Self::Text(b)) => **a == **b,
            (Self::Number(a), Self::Number(b)) => {
                **a == **b || worth(a).is_some_and(|worth_of_a| Some(worth_of_a) == worth(b))
            }
            _ => false,
        }
    }

    /// True where a path that says `segment` may mean this id.
    pub(super) fn reads(&self, segment: &str) -> bool {
        match self {
            Self::Text(text) => **text == *segment,
            Self::Number(number) => {
                **number == *segment || worth(number).is_some_and(|worth_of_it| Some(worth_of_it) == worth(segment))
            }
        }
    }
}

fn worth(number: &str) -> Option<f64> {
    number.parse().ok().filter(|worth: &f64| worth.is_finite())
}

impl Slot {
    pub(super) fn new(text: &str) -> Self {
        Self::of(Piece::new(text))
    }

    /// What stands in `text`.
    pub(super) fn of(text: Piece) -> Self {
        Self { text, open: None }
    }

    /// A value with blanks around it.
    fn framed(before: Piece, body: Body, after: Piece) -> Self {
        Self {
            text: before.part(0..0),
            open: Some(Box::new(Open { before, body, after })),
        }
    }

    pub(super) fn to_text(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        match &self.open {
            None => out.push_str(&self.text),
            Some(open) => {
                out.push_str(&open.before);
                open.body.write(out);
                out.push_str(&open.after);
            }
        }
    }

    /// The value with the blanks around it told apart.
    fn open(&mut self) -> &mut Open {
        let Self { text, open } = self;
        open.get_or_insert_with(|| {
            let (before, text, after) = text.trimmed();
            let body = Body::Text(text);
            Box::new(Open { before, body, after })
        })
    }

    /// The value; objects and lists in parts.
    pub(super) fn body(&mut self) -> &mut Body {
        let body = &mut self.open().body;
        if let Body::Text(text) = body {
            match text.as_bytes().first() {
                Some(b'{') => *body = Body::Object(Object::of(text)),
                Some(b'[') => *body = Body::List(List::of(text)),
                _ => {}
            }
        }
        body
    }

    /// Puts another value in place of this one; the blanks stay.
    pub(super) fn set(&mut self, body: Body) {
        self.open().body = body;
    }

    /// The value alone.
    pub(super) fn into_body(mut self) -> Body {
        let empty = Body::Text(self.text.part(0..0));
        std::mem::replace(&mut self.open().body, empty)
    }

    /// The value's text, without the blanks around it.
    pub(super) fn value(&self) -> String {
        match &self.open {
            None => self.text.trim_matches(BLANKS).to_owned(),
            Some(open) => {
                let mut out = String::new();
                open.body.write(&mut out);
                out
            }
        }
    }

    /// The text of a value that was not taken apart.
    pub(super) fn piece(&self) -> Piece {
        self.text.trimmed().1
    }

    pub(super) fn is_object(&self) -> bool {
        match &self.open {
            None => self.text.trim_start_matches(BLANKS).starts_with('{'),
            Some(open) => open.body.is_object(),
        }
    }

    fn is_list(&self) -> bool {
        match &self.open {
            None => self.text.trim_start_matches(BLANKS).starts_with('['),
            Some(open) => open.body.is_list(),
        }
    }

    pub(super) fn is_null(&self) -> bool {
        match &self.open {
            None => self.text.trim_matches(BLANKS) == "null",
            Some(open) => matches!(&open.body, Body::Text(text) if &**text == "null"),
        }
    }

    /// How many levels of it were taken apart.
    fn opened(&self) -> usize {
        self.open.as_ref().map_or(0, |open| open.body.opened())
    }

    /// What a text or a number says.
    fn token(&self) -> Option<Id> {
        let piece = match &self.open {
            None => self.text.trimmed().1,
            Some(open) => match &open.body {
                Body::Text(text) => text.clone(),
                Body::Object(_) | Body::List(_) => return None,
            },
        };
        match piece.as_bytes().first()? {
            b'"' => Some(Id::Text(said(&piece))),
            b'-' | b'0'..=b'9' => Some(Id::Number(piece)),
            _ => None,
        }
    }

    /// The member `id`, where this is an object that has one.
    fn id(&self) -> Option<Id> {
        match &self.open {
            None => Body::Text(self.text.trimmed().1).id(),
            Some(open) => open.body.id(),
        }
    }
}

impl Body {
    /// A value as it was given.
    pub(super) fn of(json: &Arc<str>) -> Self {
        Self::Text(Piece::whole(Arc::clone(json)).trimmed().1)
    }

    pub(super) fn piece(piece: &Piece) -> Self {
        Self::Text(piece.trimmed().1)
    }

    /// The member `id`, where this is an object that has one.
    pub(super) fn id(&self) -> Option<Id> {
        match self {
            Self::Text(text) if text.starts_with('{') => {
                let mut members = parts(text).into_iter().map(|range| Member::of(&text.part(range)));
                members.find(|member| &*member.name == "id")?.value.token()
            }
            Self::Object(object) => object.members.get(object.find("id")?)?.value.token(),
            Self::Text(_) | Self::List(_) => None,
        }
    }

    pub(super) fn is_list(&self) -> bool {
        match self {
            Self::Text(text) => text.starts_with('['),
            Self::Object(_) => false,
            Self::List(_) => true,
        }
    }

    fn is_object(&self) -> bool {
        match self {
            Self::Text(text) => text.starts_with('{'),
            Self::Object(_) => true,
            Self::List(_) => false,
        }
    }

    /// How many levels of it were taken apart, which recursion follows.
    pub(super) fn opened(&self) -> usize {
        match self {
            Self::Text(_) => 0,
            Self::Object(object) => 1 + object.members.iter().map(|m| m.value.opened()).max().unwrap_or(0),
            Self::List(list) => 1 + list.items.iter().map(Slot::opened).max().unwrap_or(0),
        }
    }

    fn write(&self, out: &mut String) {
        match self {
            Self::Text(text) => out.push_str(text),
            Self::Object(object) => {
                out.push('{');
                out.push_str(if object.members.is_empty() { &object.blank } else { "" });
                for (n, member) in object.members.iter().enumerate() {
                    out.push_str(if n > 0 { "," } else { "" });
                    out.push_str(&member.key);
                    member.value.write(out);
                }
                out.push('}');
            }
            Self::List(list) => {
                out.push('[');
                out.push_str(if list.items.is_empty() { &list.blank } else { "" });
                for (n, item) in list.items.iter().enumerate() {
                    out.push_str(if n > 0 { "," } else { "" });
                    item.write(out);
                }
                out.push(']');
            }
        }
    }
}

impl Member {
    /// The member that stands in `text`.
    fn of(text: &Piece) -> Self {
        let start = text.find('"').unwrap_or(0);
        let end = end_of_string(text, start);
        let colon = text[end..].find(':').map_or(text.len(), |n| end + n + 1);
        Self {
            name: said(&text.part(start..end)),
            key: text.part(0..colon),
            value: Slot::of(text.part(colon..text.len())),
        }
    }

    /// The blanks before the name.
    fn before(&self) -> Piece {
        let blanks = self.key.len() - self.key.trim_start_matches(BLANKS).len();
        self.key.part(0..blanks)
    }

    /// Puts other blanks before the name.
    fn set_before(&mut self, blanks: &str) {
        if *self.before() != *blanks {
            self.key = Piece::new(&format!("{blanks}{}", self.key.trim_start_matches(BLANKS)));
        }
    }
}

impl Object {
    fn of(text: &Piece) -> Self {
        let parts = parts(text);
        Self {
            members: parts.into_iter().map(|range| Member::of(&text.part(range))).collect(),
            blank: text.part(1..text.len().saturating_sub(1).max(1)),
        }
    }

    /// The place of the member of this name.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.members.iter().position(|member| &*member.name == name)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.members.iter().map(|member| &*member.name)
    }

    pub(super) fn value(&mut self, n: usize) -> Option<&mut Slot> {
        self.members.get_mut(n).map(|member| &mut member.value)
    }

    /// The names of the members that are lists.
    pub(super) fn lists(&self) -> impl Iterator<Item = &str> {
        let lists = self.members.iter().filter(|member| member.value.is_list());
        lists.map(|member| &*member.name)
    }

    /// The names with their values.
    pub(super) fn take(&mut self) -> Vec<(String, Slot)> {
        let members = self.members.drain(..);
        members.map(|member| (member.name.to_string(), member.value)).collect()
    }

    /// Adds a member at the end, in the style of the one before it.
    pub(super) fn push(&mut self, name: &str, body: Body) {
        let name_json = quoted(name);
        let (key, before, after) = match self.members.last_mut() {
            None => (format!("{name_json}:"), Piece::new(""), Piece::new("")),
            Some(last) => {
                let lead = last.before();
                let written = end_of_string(&last.key, lead.len());
                let key = format!("{}{name_json}{}", &*lead, &last.key[written..]);
                let open = last.value.open();
                (
                    key,
                    open.before.clone(),
                    std::mem::replace(&mut open.after, Piece::new("")),
                )
            }
        };
        // Of two members on one line the first begins at the brace.
        let key = match self.members.as_slice() {
            [only] if only.before().is_empty() && before.starts_with(' ') => format!(" {key}"),
            _ => key,
        };
        self.members.push(Member {
            name: Piece::new(name),
            key: Piece::new(&key),
            value: Slot::framed(before, body, after),
        });
    }

    /// Removes a member.
    pub(super) fn remove(&mut self, n: usize) -> Body {
        let (first, last) = self.edges();
        let gone = self.members.remove(n);
        self.close_up(n == 0, n == self.members.len(), &first, last);
        gone.value.into_body()
    }

    /// Removes all members that are marked.
    pub(super) fn remove_all(&mut self, marked: &[bool]) {
        if !marked.contains(&true) {
            return;
        }
        let is_marked = |n: usize| marked.get(n).copied().unwrap_or(false);
        let (from_start, from_end) = (is_marked(0), is_marked(self.members.len() - 1));
        let (first, last) = self.edges();
        let mut n = 0;
        self.members.retain(|_| {
            n += 1;
            !is_marked(n - 1)
        });
        self.close_up(from_start, from_end, &first, last);
    }

    /// The blanks after the opening brace and before the closing one.
    fn edges(&mut self) -> (Piece, Piece) {
        let first = self.members.first().map_or_else(|| Piece::new(""), Member::before);
        let last = self.members.last_mut();
        (
            first,
            last.map_or_else(|| Piece::new(""), |last| last.value.open().after.clone()),
        )
    }

    fn close_up(&mut self, from_start: bool, from_end: bool, first: &str, last: Piece) {
        self.blank = Piece::new("");
        if let Some(member) = self.members.first_mut().filter(|_| from_start) {
            member.set_before(first);
        }
        if let Some(member) = self.members.last_mut().filter(|_| from_end) {
            member.value.open().after = last;
        }
    }
}

impl List {
    fn of(text: &Piece) -> Self {
        let parts = parts(text);
        Self {
            items: parts.into_iter().map(|range| Slot::of(text.part(range))).collect(),
            ids: Vec::new(),
            blank: text.part(1..text.len().saturating_sub(1).max(1)),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    /// An item, which may be changed.
    pub(super) fn item(&mut self, n: usize) -> Option<&mut Slot> {
        if let Some(known) = self.ids.get_mut(n) {
            *known = Known::NotYet;
        }
        self.items.get_mut(n)
    }

    /// The id of one item.
    pub(super) fn id(&self, n: usize) -> Option<Id> {
        self.items.get(n)?.id()
    }

    /// The ids of all items, in order.
    pub(super) fn ids(&mut self) -> impl Iterator<Item = Option<&Id>> {
        self.ids.resize(self.items.len(), Known::NotYet);
        for (known, item) in self.ids.iter_mut().zip(&self.items) {
            if matches!(known, Known::NotYet) {
                *known = Known::Id(item.id());
            }
        }
        self.ids.iter().map(|known| match known {
            Known::Id(id) => id.as_ref(),
            Known::NotYet => None,
        })
    }

    /// Inserts an item before the one at `n`, in the style of its neighbours.
    pub(super) fn insert(&mut self, n: usize, body: Body) {
        let none = || Piece::new("");
        let between = match self.items.len() {
            0 | 1 => None,
            _ => Some(self.items[1].open().before.clone()),
        };
        let (before, after) = match self.items.len() {
            0 => (none(), none()),
            length if n < length => {
                let next = self.items[n].open();
                let before = next.before.clone();
                if let Some(between) = between.filter(|_| n == 0) {
                    next.before = between;
                }
                (before, none())
            }
            length => {
                let last = self.items[length - 1].open();
                let before = between.unwrap_or_else(|| last.before.clone());
                (before, std::mem::replace(&mut last.after, none()))
            }
        };
        self.items.insert(n, Slot::framed(before, body, after));
        if !self.ids.is_empty() {
            self.ids.insert(n, Known::NotYet);
        }
    }

    /// Removes an item.
    pub(super) fn remove(&mut self, n: usize) -> Body {
        let first = self.items[0].open().before.clone();
        let length = self.items.len();
        let last = self.items[length - 1].open().after.clone();
        let gone = self.items.remove(n);
        if !self.ids.is_empty() {
            self.ids.remove(n);
        }
        self.blank = Piece::new("");
        if let Some(item) = self.items.first_mut().filter(|_| n == 0) {
            item.open().before = first;
        }
        if let Some(item) = self.items.last_mut().filter(|_| n + 1 == length) {
            item.open().after = last;
        }
        gone.into_body()
    }
}

/// What a string says.
fn said(json: &Piece) -> Piece {
    if json.contains('\\') {
        return Piece::new(&serde_json::from_str::<String>(json).unwrap_or_default());
    }
    json.part(1.min(json.len())..json.len().saturating_sub(1).max(1.min(json.len())))
}

/// The place after the string that begins at `start`.
fn end_of_string(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = start + 1;
    while let Some(n) = bytes.get(at..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)) {
        at += n;
        if bytes[at] == b'"' {
            return at + 1;
        }
        at += 2;
    }
    text.len()
}

/// The ranges between the brackets and commas of an object or list.
fn parts(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let (mut at, mut start, mut depth) = (1, 1, 0usize);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                at = end_of_string(text, at);
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth > 0 => depth -= 1,
            b'}' | b']' => break,
            b',' if depth == 0 => {
                found.push(start..at);
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    let end = at.min(bytes.len());
    if !found.is_empty() || !text[start.min(end)..end].trim_matches(BLANKS).is_empty() {
        found.push(start.min(end)..end);
    }
    found
}
