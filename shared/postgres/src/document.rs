//! Which texts become `jsonb`.
//!
//! A document that Meadow stored is JSON that `jsonb` takes, but for its numbers: `1e-20000` is a number to JSON and
//! more digits than PostgreSQL's `numeric` has, and `jsonb` writes `1e-16000` out as 16,000 characters, so that a text
//! of a few kilobytes could make a table unreadable.

/// Characters that a document may have in `jsonb` beyond its own, because its numbers are written out. Four times
/// the longest text.
const MAX_WRITTEN_OUT: u64 = 16 << 20;

/// Why a text does not become `jsonb`, where it does not. What only the server can know, it says itself.
pub(crate) fn refusal(text: &str) -> Option<String> {
    let written_out = written_out(text);
    (written_out > MAX_WRITTEN_OUT).then(|| {
        format!("its numbers with exponents would take {written_out} characters written out, at most {MAX_WRITTEN_OUT} are kept")
    })
}

/// How many characters the numbers of a JSON text take beyond their own when no exponents are used.
fn written_out(json: &str) -> u64 {
    let bytes = json.as_bytes();
    let mut sum = 0_u64;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => at = after_string(bytes, at + 1),
            // Outside of strings an e after a digit is an exponent; those of true and false follow letters.
            b'e' | b'E' if at > 0 && bytes[at - 1].is_ascii_digit() => {
                at += 1;
                let mut exponent = 0_u64;
                while let Some(&byte @ (b'0'..=b'9' | b'+' | b'-')) = bytes.get(at) {
                    if byte.is_ascii_digit() {
                        exponent = exponent.saturating_mul(10).saturating_add(u64::from(byte - b'0'));
                    }
                    at += 1;
                }
                sum = sum.saturating_add(exponent);
            }
            _ => at += 1,
        }
    }
    sum
}

/// Where a string that begins before `at` is over.
fn after_string(bytes: &[u8], mut at: usize) -> usize {
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(json: &str, expected: u64) {
        assert_eq!(written_out(json), expected, "{json}");
    }

    #[test]
    fn exponents_are_written_out() {
        check("{}", 0);
        check("[1, 1.10, -3, true, false, null]", 0);
        check("[1e5, 1E-7, 2.5e+10]", 22);
        check(r#"{"1e99": "2e99 \" 3e99", "a\\": 1e2}"#, 2);
        check("[1e-99999999999999999999999, 1e1]", u64::MAX);
        check("\"1e9", 0);
        check("\"\\", 0);
        check("1e", 0);
    }

    #[test]
    fn what_would_make_a_table_unreadable_is_refused() {
        assert_eq!(refusal(&format!("[{}1]", "1e-16000,".repeat(1_000))), None);
        assert!(refusal(&format!("[{}1]", "1e-16000,".repeat(2_000))).is_some());
    }
}
