//! Answers are bounded in bytes, too: names may be of any length, and loops and links repeat them.

use serde::Serialize;
use std::io::{self, Write};

/// The first items that take at most `room` bytes together as JSON. No item beyond them is made but the next.
pub fn fitting<T: Serialize>(items: impl IntoIterator<Item = T>, room: usize) -> Vec<T> {
    let mut left = room;
    let fits = |item: T| {
        left = left.checked_sub(size(&item) + 1)?;
        Some(item)
    };
    items.into_iter().map_while(fits).collect()
}

/// Bytes of a value as JSON.
pub fn size(value: &impl Serialize) -> usize {
    let mut count = Count(0);
    // What cannot be written fits nowhere.
    serde_json::to_writer(&mut count, value).map_or(usize::MAX / 2, |()| count.0)
}

/// The first `most` characters of a text, with a mark where there are more.
#[must_use]
pub fn short(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Counts what is written.
struct Count(usize);

impl Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_items_as_fit_are_taken() {
        #[track_caller]
        fn check(items: &[&str], room: usize, expected: usize) {
            assert_eq!(fitting(items.iter().copied(), room), &items[..expected], "{room}");
        }
        // Each has two quotes and a comma.
        check(&["ab", "cd"], 10, 2);
        check(&["ab", "cd"], 9, 1);
        check(&["\n", "cd"], 5, 1);
        check(&["\n", "cd"], 4, 0);
        check(&["much too long", "a"], 5, 0);
        check(&[], 0, 0);
        let mut made = 0;
        let endless = std::iter::repeat_with(|| {
            made += 1;
            made
        });
        assert_eq!(fitting(endless, 6), [1, 2, 3]);
        assert_eq!(made, 4);
    }

    #[test]
    fn a_long_text_is_cut_with_a_mark() {
        assert_eq!(short("水水水", 3), "水水水");
        assert_eq!(short("水水水", 2), "水水…");
        assert_eq!(short("", 0), "");
    }
}
