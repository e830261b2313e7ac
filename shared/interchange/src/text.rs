//! Bytes to text.

use crate::{Format, MAX_BYTES, ReadError};
use std::borrow::Cow;

/// A file's text, without a byte order mark.
#[derive(Debug)]
pub(crate) struct Decoded<'a> {
    pub(crate) text: Cow<'a, str>,
    /// What was remarkable about its encoding.
    pub(crate) note: Option<String>,
}

/// The text in `bytes`: UTF-8, UTF-16, or Windows-1252, which old tools write without saying so.
pub(crate) fn decode(bytes: &[u8]) -> Result<Decoded<'_>, ReadError> {
    if bytes.len() > MAX_BYTES {
        return Err(ReadError::new(
            None,
            format!(
                "the file has {} bytes, {MAX_BYTES} are the most that is read; leave out drawings and data, or split the model",
                bytes.len()
            ),
        ));
    }
    let plain = |text| Decoded { text, note: None };
    match bytes {
        [0xff, 0xfe, rest @ ..] => return utf16(rest, u16::from_le_bytes).map(plain),
        [0xfe, 0xff, rest @ ..] => return utf16(rest, u16::from_be_bytes).map(plain),
        [b'<' | b'{', 0, ..] => return utf16(bytes, u16::from_le_bytes).map(plain),
        [0, b'<' | b'{', ..] => return utf16(bytes, u16::from_be_bytes).map(plain),
        [b'P', b'K', 3, 4, ..] => {
            return Err(ReadError::new(
                None,
                "the file is a zip archive: unpack it and give the model inside",
            ));
        }
        _ => {}
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if let Some(at) = bytes.iter().position(|b| *b == 0) {
        return Err(ReadError::new(
            None,
            format!(
                "byte {} is NUL: this is no text; save the model as XMILE, .mdl or JSON",
                at + 1
            ),
        ));
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(plain(Cow::Borrowed(text))),
        Err(error) => windows_1252(bytes, error.valid_up_to()),
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<Cow<'_, str>, ReadError> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let text = char::decode_utf16(pairs.iter().map(|pair| unit(*pair))).collect::<Result<String, _>>();
    match text {
        Ok(text) if rest.is_empty() && !text.contains('\0') => Ok(Cow::Owned(text)),
        _ => Err(ReadError::new(
            None,
            "the file begins as UTF-16 but does not go on so; save it as UTF-8",
        )),
    }
}

/// What Windows-1252 has at 0x80 to 0x9f; the five bytes that it leaves open stand for themselves.
const HIGH: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘', '’',
    '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Reads bytes that are no UTF-8 as Windows-1252; parts that are UTF-8 stay so, for files that mix the two.
fn windows_1252(bytes: &[u8], first: usize) -> Result<Decoded<'_>, ReadError> {
    let byte = bytes.get(first).copied().unwrap_or_default();
    let line = bytes[..first].iter().filter(|b| **b == b'\n').count() + 1;
    let is_json = matches!(bytes.trim_ascii_start(), [b'[', ..])
        || matches!(bytes.trim_ascii_start(), [b'{', rest @ ..] if rest.trim_ascii_start().starts_with(b"\""));
    if is_json {
        return Err(ReadError::new(
            Format::Document,
            format!("line {line}: byte 0x{byte:02x} is no UTF-8, as JSON must be; save the file as UTF-8"),
        ));
    }
    if let Some(name) = declared(bytes)
        && ![
            "utf-8",
            "utf8",
            "us-ascii",
            "ascii",
            "iso-8859-1",
            "latin1",
            "latin-1",
            "windows-1252",
            "cp1252",
        ]
        .contains(&&*name)
    {
        return Err(ReadError::new(
            None,
            format!("line {line}: the file is encoded as {name}, which is not read; save it as UTF-8"),
        ));
    }
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|byte| match byte {
            0x80..=0x9f => HIGH[usize::from(byte - 0x80)],
            _ => char::from(*byte),
        }));
    }
    Ok(Decoded {
        text: Cow::Owned(text),
        note: Some(format!(
            "Line {line}: byte 0x{byte:02x} is no UTF-8; such bytes were read as Windows-1252. Save the file as UTF-8 \
             where names look wrong."
        )),
    })
}

/// The encoding that a file names: in its XML declaration, or in braces on its first line as Vensim does.
fn declared(bytes: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]);
    let head = head.trim_start();
    let name = if let Some(rest) = head.strip_prefix('{') {
        rest.split('}').next()?
    } else {
        let rest = head
            .split_once("encoding")?
            .1
            .trim_start()
            .strip_prefix('=')?
            .trim_start();
        let quote = rest.chars().next().filter(|c| ['"', '\''].contains(c))?;
        rest[1..].split(quote).next()?
    };
    Some(name.trim().to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], expected: &str) {
        match decode(bytes) {
            Ok(decoded) => assert_eq!(decoded.text, expected),
            Err(error) => assert_eq!(error.to_string(), expected),
        }
    }

    #[test]
    fn utf_8_and_utf_16_with_and_without_a_mark_are_text() {
        check(b"\xef\xbb\xbf<a/>", "<a/>");
        check(b"\xff\xfe<\0a\0/\0>\0", "<a/>");
        check(b"\xfe\xff\0<\0a\0/\0>", "<a/>");
        check(b"<\0a\0/\0>\0", "<a/>");
        check(
            b"\xff\xfe<\0a",
            "the file begins as UTF-16 but does not go on so; save it as UTF-8",
        );
        check(
            b"\xff\xfe\0\xd8",
            "the file begins as UTF-16 but does not go on so; save it as UTF-8",
        );
    }

    #[test]
    fn other_bytes_are_windows_1252_unless_the_file_says_otherwise() {
        check(b"{UTF-8}\nZ\xfcge caf\xc3\xa9 \x80", "{UTF-8}\nZüge café €");
        check(
            b"<?xml version='1.0' encoding='ISO-8859-1'?><a n='\xe9'/>",
            "<?xml version='1.0' encoding='ISO-8859-1'?><a n='é'/>",
        );
        check(
            b"<?xml version=\"1.0\" encoding=\"GBK\"?>\n<a n='\xc8\xcb'/>",
            "line 2: the file is encoded as gbk, which is not read; save it as UTF-8",
        );
        check(
            b"{\n\"a\":\"\xff\"}",
            "Meadow document: line 2: byte 0xff is no UTF-8, as JSON must be; save the file as UTF-8",
        );
        assert!(decode(b"x\xfc").is_ok_and(|d| d.note.is_some_and(|n| n.contains("byte 0xfc"))));
    }

    #[test]
    fn what_is_no_text_is_refused() {
        check(
            b"a\0b",
            "byte 2 is NUL: this is no text; save the model as XMILE, .mdl or JSON",
        );
        check(
            b"PK\x03\x04...",
            "the file is a zip archive: unpack it and give the model inside",
        );
        assert!(decode(&vec![b' '; MAX_BYTES + 1]).is_err_and(|e| e.message.contains("16777217 bytes")));
    }
}
