//! The kinds of value that a member can hold: how each is read, and its shape for the schemas.

use crate::fields::Record;
use crate::json::{Kind, Reader, Stop};
use crate::pointer::Path;
use std::borrow::Cow;

/// What may stand at a place, for the schemas.
#[derive(Debug, Clone, Copy)]
pub enum Shape {
    /// A text.
    Text,
    /// True or false.
    Bool,
    /// A number; with bounds where there are some, both included.
    Number(Option<(f64, f64)>),
    /// A whole number within bounds, both included.
    Integer(i64, i64),
    /// One of a few words.
    Choice(&'static [&'static str]),
    /// A text, or null for a cloud.
    End,
    /// An expression as text, or a number.
    Initial,
    /// Two numbers.
    Point,
    /// A list of such values.
    List(&'static Shape),
    /// An object.
    Record(&'static Record),
}

/// A value that a member or an item can hold.
pub(crate) trait Read<'a>: Sized + Default {
    /// Its shape.
    const SHAPE: Shape;

    /// Reads it. A value of another kind is noted as a fault and read as the default.
    fn read(reader: &mut Reader<'a>, path: &Path<'_>) -> Result<Self, Stop>;

    /// What a member is that is null.
    fn null() -> Self {
        Self::default()
    }

    /// True when a member that needs content has none.
    fn is_blank(&self) -> bool;
}

/// Reads a member: null is allowed everywhere and means the same as absence, but for the end of a flow.
pub(crate) fn member<'a, T: Read<'a>>(reader: &mut Reader<'a>, path: &Path<'_>) -> Result<T, Stop> {
    if reader.peek()? == Kind::Null {
        reader.null()?;
        return Ok(T::null());
    }
    T::read(reader, path)
}

/// A text that may be absent or null.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Text<'a>(Option<Cow<'a, str>>);

impl Text<'_> {
    /// The text, or none where the member is absent, null or blank.
    #[must_use]
    pub fn given(&self) -> Option<&str> {
        self.0.as_deref().filter(|text| !text.trim().is_empty())
    }

    /// The text as it stands; empty where the member is absent or null.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_deref().unwrap_or_default()
    }
}

impl<'a> Read<'a> for Text<'a> {
    const SHAPE: Shape = Shape::Text;

    fn read(reader: &mut Reader<'a>, path: &Path<'_>) -> Result<Self, Stop> {
        if reader.peek()? == Kind::String {
            return Ok(Self(Some(reader.string(path)?)));
        }
        reader.wrong(path, "a text")?;
        Ok(Self(None))
    }

    fn is_blank(&self) -> bool {
        self.given().is_none()
    }
}

/// An item of a list of texts.
impl<'a> Read<'a> for Cow<'a, str> {
    const SHAPE: Shape = Shape::Text;

    fn read(reader: &mut Reader<'a>, path: &Path<'_>) -> Result<Self, Stop> {
        if reader.peek()? == Kind::String {
            return reader.string(path);
        }
        reader.wrong(path, "a text")?;
        Ok(Cow::Borrowed(""))
    }

    fn is_blank(&self) -> bool {
        self.trim().is_empty()
    }
}

impl<'a, T: Read<'a>> Read<'a> for Vec<T> {
    const SHAPE: Shape = Shape::List(&T::SHAPE);

    fn read(reader: &mut Reader<'a>, path: &Path<'_>) -> Result<Self, Stop> {
        let mut items = Vec::new();
        if reader.peek()? == Kind::Array {
            reader.array(path, |reader, path| {
                items.push(T::read(reader, path)?);
                Ok(())
            })?;
        } else {
            reader.wrong(path, "a list")?;
        }
        Ok(items)
    }

    /// A list is blank when it is empty, or holds nothing but blank texts.
    fn is_blank(&self) -> bool {
        match T::SHAPE {
            Shape::Text => self.iter().all(Read::is_blank),
            _ => self.is_empty(),
        }
    }
}

impl<'a> Read<'a> for Option<bool> {
    const SHAPE: Shape = Shape::Bool;

    fn read(reader: &mut Reader<'a>, path: &Path<'_>) -> Result<Self, Stop> {
        if reader.peek()? == Kind::Bool {
            return reader.bool().map(Some);
        }
        reader.wrong(path, "true or false")?;
        Ok(None)
    }

    fn is_blank(&self) -> bool {
        self.is_none()
    }
}

/// A number that may be absent.
impl<'a> Read<'a> for Option<f64> {
    const SHAPE: Shape = Shape::Number(None);

    fn read(reader: &mut Reader<'a>, path: &Path<'_>) -> Result<Self, Stop> {
        if reader.peek()? == Kind::Number {
            return Ok(Some(reader.number(path)?.1));
        }
        reader.wrong(path, "a number")?;
        Ok(None)
    }

    fn is_blank(&self) -> bool {
        self.is_none()
    }
}

/// How sure somebody is, from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Confidence(pub Option<f64>);

impl<'a> Read<'a> for Confidence {
    const SHAPE: Shape = Shape::Number(Some((0.0, 1.0)));

    fn read(reader: &mut Reader<'a>, path: &Path<'_>) -> Result<Self, Stop> {
        const EXPECTED: &str = "a number from 0 to 1";
        if reader.peek()? != Kind::Number {
            reader.wrong(path, EXPECTED)?;
            return Ok(Self(None));
        }
        let before = reader.faults.total();
        let (token, value) = reader.number(path)?;
        if !(0.0..=1.0).contains(&value) && reader.faults.total() == before {
            reader.fault(path, format!("the number {token}"), EXPECTED);
        }
        Ok(Self(Some(value)))
    }

    fn is_blank(&self) -> bool {
        self.0.is_none()
    }
}

/// Which of Meadows's twelve leverage points: 12 parameters to 1 transcending paradigms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct LeverageId(pub Option<u8>);

impl<'a> Read<'a> for LeverageId {
    const SHAPE: Shape = Shape::Integer(1, 12);

    fn read(reader: &mut Reader<'a>, path: &Path<'_>) -> Result<Self, Stop> {
        const EXPECTED: &str = "a whole number from 1 to 12";
        if reader.peek()? != Kind::Number {
            reader.wrong(path, EXPECTED)?;
            return Ok(Self(None));
        }
        let before = reader.faults.total();
        let (token, value) = reader.number(path)?;
        let id = (1..=12).find(|id| f64::from(*id) == value);
        if id.is_none() && reader.faults.total() == before {
            reader.fault(path, format!("the number {token}"), EXPECTED);
        }
        Ok(Self(id))
    }

    fn is_blank(&self) -> bool {
        self.0.is_none()
    }
}

/// Where a flow begins or ends.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum End<'a> {
    /// Not said: missing.
    #[default]
    Absent,
    /// An explicit null: a source or sink outside the boundary.
    Cloud,
    /// The stock of this id; blank counts as missing.
    Stock(Cow<'a, str>),
}

impl End<'_> {
    /// The name of the stock, where one is given that is not blank.
    #[must_use]
    pub fn stock(&self) -> Option<&str> {
        match self {
            End::Stock(name) if !name.trim().is_empty() => Some(name),
            _ => None,
        }
    }
}

impl<'a> Read<'a> for End<'a> {
    const SHAPE: Shape = Shape::End;

    fn read(reader: &mut Reader<'a>, path: &Path<'_>) -> Result<Self, Stop> {
        if reader.peek()? == Kind::String {
            return Ok(End::Stock(reader.string(path)?));
        }
        reader.wrong(
            path,
            "the id of a stock, or null for a cloud (a source or sink outside the boundary)",
        )?;
        Ok(End::Absent)
    }

    fn null() -> Self {
        End::Cloud
    }

    fn is_blank(&self) -> bool {
        *self != End::Cloud && self.stock().is_none()
    }
}

/// What a stock holds at the start.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Initial<'a> {
    /// Not said: the model cannot be run. Never 0.
    #[default]
    Absent,
    /// A number: its token, as it stands in the text.
    Number(&'a str),
    /// An expression.
    Expression(Cow<'a, str>),
}

impl<'a> Read<'a> for Initial<'a> {
    const SHAPE: Shape = Shape::Initial;

    fn read(reader: &mut Reader<'a>, path: &Path<'_>) -> Result<Self, Stop> {
        match reader.peek()? {
            Kind::Number => Ok(Initial::Number(reader.number(path)?.0)),
            Kind::String => Ok(Initial::Expression(reader.string(path)?)),
            _ => {
                reader.wrong(path, "a number or an expression as text")?;
                Ok(Initial::Absent)
            }
        }
    }

    fn is_blank(&self) -> bool {
        *self == Initial::Absent
    }
}

/// A point `[x, y]` of a graphical function.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Point(pub [f64; 2]);

impl<'a> Read<'a> for Point {
    const SHAPE: Shape = Shape::Point;

    fn read(reader: &mut Reader<'a>, path: &Path<'_>) -> Result<Self, Stop> {
        const EXPECTED: &str = "a point [x, y] of two numbers";
        if reader.peek()? != Kind::Array {
            reader.wrong(path, EXPECTED)?;
            return Ok(Self::default());
        }
        let mut values = [0.0; 2];
        let mut length = 0;
        reader.array(path, |reader, path| {
            if reader.peek()? == Kind::Number {
                let (_, value) = reader.number(path)?;
                if let Some(slot) = values.get_mut(length) {
                    *slot = value;
                }
            } else {
                reader.wrong(path, "a number")?;
            }
            length += 1;
            Ok(())
        })?;
        if length != 2 {
            reader.fault(path, format!("a list of {length}"), EXPECTED);
        }
        Ok(Self(values))
    }

    fn is_blank(&self) -> bool {
        false
    }
}

/// An enum of a few words.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident, $expected:literal { $($(#[$word_doc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name {
            $($(#[$word_doc])* $variant),+
        }

        impl $name {
            /// The word as it stands in a document.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }

        impl<'a> Read<'a> for Option<$name> {
            const SHAPE: Shape = Shape::Choice(&[$($word),+]);

            fn read(reader: &mut Reader<'a>, path: &Path<'_>) -> Result<Self, Stop> {
                if reader.peek()? != Kind::String {
                    reader.wrong(path, $expected)?;
                    return Ok(None);
                }
                let word = reader.string(path)?;
                Ok(match &*word {
                    $($word => Some($name::$variant),)+
                    _ => {
                        let found: String = word.chars().take(40).collect();
                        reader.fault(path, format!("the text {found:?}"), $expected);
                        None
                    }
                })
            }

            fn is_blank(&self) -> bool {
                self.is_none()
            }
        }
    };
}

choice! {
    /// What an interconnection carries.
    LinkType, "one of \"causal\", \"flow\", \"info\"" {
        /// A change of the one changes the other.
        Causal = "causal",
        /// Something flows from the one to the other.
        Flow = "flow",
        /// The one knows of the other.
        Info = "info",
    }
}

choice! {
    /// Whether effect and cause move the same way.
    Polarity, "\"+\" or \"-\"" {
        /// The same way: more makes more.
        Positive = "+",
        /// The opposite way: more makes less.
        Negative = "-",
    }
}

choice! {
    /// How a run is computed.
    Method, "one of \"euler\", \"rk4\"" {
        /// Euler's method, the default.
        Euler = "euler",
        /// Runge and Kutta's method of fourth order.
        Rk4 = "rk4",
    }
}
