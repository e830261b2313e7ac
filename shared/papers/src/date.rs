//! Days of the calendar, as far as searches and papers need them.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

/// Which day of a year or month stands for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    /// Its first.
    First,
    /// Its last.
    Last,
}

/// Years that may be asked for: no journal is older, and what is beyond is a slip of the finger.
const YEARS: std::ops::RangeInclusive<u16> = 1600..=2100;

impl Date {
    /// A day of the Gregorian calendar between 1600 and 2100.
    #[must_use]
    pub fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        let known = YEARS.contains(&year) && (1..=12).contains(&month) && day >= 1 && day <= days(year, month);
        known.then_some(Self { year, month, day })
    }

    /// `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; of a year or month the day at its edge.
    ///
    /// # Errors
    /// What is wrong with it and how it should be.
    pub fn read(text: &str, edge: Edge) -> Result<Self, String> {
        let text = text.trim();
        let fault = || {
            format!(
                "{:?} is no date; write YYYY, YYYY-MM or YYYY-MM-DD",
                crate::text::cut(text, 40)
            )
        };
        let mut parts = text.split('-');
        let mut part = |digits: usize| match parts.next() {
            None => Ok(None),
            Some(part) if part.len() == digits && part.bytes().all(|b| b.is_ascii_digit()) => {
                part.parse::<u16>().map(Some).map_err(|_| fault())
            }
            Some(_) => Err(fault()),
        };
        let year = part(4)?.ok_or_else(fault)?;
        let month = part(2)?;
        let day = part(2)?;
        if parts.next().is_some() {
            return Err(fault());
        }
        let month = month.unwrap_or(if edge == Edge::First { 1 } else { 12 }) as u8;
        let last = days(year, month);
        let day = day.map_or(if edge == Edge::First { 1 } else { last }, |day| day as u8);
        Self::new(year, month, day).ok_or_else(|| {
            let (from, to) = (YEARS.start(), YEARS.end());
            format!("{text:?} is no day of the calendar between {from} and {to}")
        })
    }

    /// The day at the beginning of a time stamp such as `2022-02-24T15:05:19Z`, in its own time zone.
    #[must_use]
    pub fn of_stamp(stamp: &str) -> Option<Self> {
        let day = stamp.trim().get(..10)?;
        let rest = stamp.trim().get(10..)?;
        if !(rest.is_empty() || rest.starts_with(['T', 't', ' '])) {
            return None;
        }
        Self::read(day, Edge::First).ok()
    }

    /// The year.
    #[must_use]
    pub fn year(self) -> u16 {
        self.year
    }

    /// `YYYYMMDD`, as arXiv's queries have it.
    #[must_use]
    pub fn compact(self) -> String {
        format!("{:04}{:02}{:02}", self.year, self.month, self.day)
    }
}

/// How many days a month has.
fn days(year: u16, month: u8) -> u8 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        _ => 31,
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl Serialize for Date {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Date {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::read(&text, Edge::First).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, first: &str, last: &str) {
        let read = |edge| Date::read(text, edge).map(|date| date.to_string());
        assert_eq!(read(Edge::First).as_deref(), Ok(first));
        assert_eq!(read(Edge::Last).as_deref(), Ok(last));
    }

    #[test]
    fn years_and_months_have_edges() {
        check("2023", "2023-01-01", "2023-12-31");
        check("2024-02", "2024-02-01", "2024-02-29");
        check("2023-02", "2023-02-01", "2023-02-28");
        check("1900-02", "1900-02-01", "1900-02-28");
        check(" 2023-04-05 ", "2023-04-05", "2023-04-05");
    }

    #[test]
    fn what_is_no_day_is_refused() {
        for text in [
            "",
            "23",
            "2023-",
            "2023-1",
            "2023-13",
            "2023-00",
            "2023-02-30",
            "2023-02-29",
            "2023-01-01-01",
            "20230101",
            "2023/01/01",
            "last year",
            "٢٠٢٣",
            "0000",
            "9999",
            "-2023",
            "2023-04-31",
            "+202",
        ] {
            assert!(Date::read(text, Edge::Last).is_err(), "{text}");
        }
        assert!(Date::read("x", Edge::First).unwrap_err().contains("YYYY-MM-DD"));
    }

    #[test]
    fn stamps_begin_with_a_day() {
        let day = |stamp| Date::of_stamp(stamp).map(|date| date.to_string());
        assert_eq!(day("2003-07-07T13:46:39-04:00").as_deref(), Some("2003-07-07"));
        assert_eq!(day(" 2001-10-01").as_deref(), Some("2001-10-01"));
        assert_eq!(day("2001-10"), None);
        assert_eq!(day("2001-10-011"), None);
        assert_eq!(day("２００１-10-01"), None);
    }
}
