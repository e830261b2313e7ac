//! Write ids and hashes as the text that stands in items.

use meadow_service::WriteId;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A write id: 32 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub(crate) struct Hex128(u128);

/// A SHA-256: 64 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub(crate) struct Hex256(pub(crate) [u8; 32]);

/// Text that holds no such number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("hexadecimal digits are expected, {0} of them")]
pub(crate) struct NoHex(usize);

impl From<WriteId> for Hex128 {
    fn from(WriteId(write): WriteId) -> Self {
        Self(write)
    }
}

impl From<Hex128> for WriteId {
    fn from(Hex128(write): Hex128) -> Self {
        Self(write)
    }
}

impl fmt::Display for Hex128 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl fmt::Display for Hex256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The digits of `text`, where it has exactly `digits` and nothing else.
fn digits(text: &str, digits: usize) -> Result<&str, NoHex> {
    let plain = text.len() == digits && text.bytes().all(|b| b.is_ascii_hexdigit());
    plain.then_some(text).ok_or(NoHex(digits))
}

impl FromStr for Hex128 {
    type Err = NoHex;

    fn from_str(text: &str) -> Result<Self, NoHex> {
        u128::from_str_radix(digits(text, 32)?, 16)
            .map(Self)
            .map_err(|_| NoHex(32))
    }
}

impl FromStr for Hex256 {
    type Err = NoHex;

    fn from_str(text: &str) -> Result<Self, NoHex> {
        let (high, low) = digits(text, 64)?.split_at(32);
        let mut bytes = [0; 32];
        for (half, place) in [high, low].into_iter().zip(bytes.chunks_exact_mut(16)) {
            place.copy_from_slice(&half.parse::<Hex128>()?.0.to_be_bytes());
        }
        Ok(Self(bytes))
    }
}

impl From<Hex128> for String {
    fn from(hex: Hex128) -> Self {
        hex.to_string()
    }
}

impl From<Hex256> for String {
    fn from(hex: Hex256) -> Self {
        hex.to_string()
    }
}

impl TryFrom<String> for Hex128 {
    type Error = NoHex;

    fn try_from(text: String) -> Result<Self, NoHex> {
        text.parse()
    }
}

impl TryFrom<String> for Hex256 {
    type Error = NoHex;

    fn try_from(text: String) -> Result<Self, NoHex> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        for write in [0, 1, u128::MAX, 0x0123_4567_89ab_cdef] {
            assert_eq!(Hex128(write).to_string().parse(), Ok(Hex128(write)));
        }
        let hash = Hex256(std::array::from_fn(|n| n as u8));
        assert_eq!(hash.to_string().parse(), Ok(hash));
        for wrong in [
            "",
            "0",
            "+0000000000000000000000000000000",
            &"g".repeat(32),
            &"é".repeat(16),
        ] {
            assert_eq!(wrong.parse::<Hex128>(), Err(NoHex(32)), "{wrong}");
            assert_eq!(wrong.repeat(2).parse::<Hex256>(), Err(NoHex(64)), "{wrong}");
        }
    }
}
