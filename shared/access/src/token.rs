//! An access token: `mdw_` + id (10 of `a-z2-7`, public) + `_` + 43 base62 digits of 32 random bytes + 6 base62 digits
//! of the CRC-32 of all before them. 64 characters, of which a double click selects all.
//!
//! Secret scanners find it by `\bmdw_[a-z2-7]{10}_[0-9A-Za-z]{49}\b`. The checksum tells a token that was cut off or
//! mistyped before anything is hashed or looked up; it is no secret. One SHA-256 over the whole token is kept: 256 bits
//! of randomness need no slow hash.

use crate::refusal::Refusal;
use crate::secret::Secret;
use sha2::{Digest, Sha256};
use std::fmt;
use std::str::FromStr;
use subtle::ConstantTimeEq;

/// How every token begins.
pub const PREFIX: &str = "mdw_";

/// Bytes of randomness that a token is made from: 7 for its id, of which 50 bits are used, and 32 for its secret.
pub const RANDOM: usize = 39;

/// SHA-256 of a whole token.
pub type Hash = [u8; 32];

const ID: usize = 10;
const SECRET: usize = 43;
const CHECKSUM: usize = 6;
const LENGTH: usize = PREFIX.len() + ID + 1 + SECRET + CHECKSUM;

const BASE32: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The public name of a token: what lists, logs and `meadow token revoke` call it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenId([u8; ID]);

/// A text that is no id of a token.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no id of a token: it has 10 characters of a to z and 2 to 7, as `meadow token list` shows")]
pub struct BadTokenId(pub String);

impl TokenId {
    /// The id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        // ASCII by construction.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl FromStr for TokenId {
    type Err = BadTokenId;

    fn from_str(text: &str) -> Result<Self, BadTokenId> {
        let bytes: Option<[u8; ID]> = text.as_bytes().try_into().ok();
        bytes
            .filter(|bytes| bytes.iter().all(|byte| BASE32.contains(byte)))
            .map(Self)
            // Never whole: somebody may have given a token in its place.
            .ok_or_else(|| BadTokenId(text.chars().take(PREFIX.len() + ID).collect()))
    }
}

impl fmt::Display for TokenId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for TokenId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A token that was just made.
#[derive(Debug, Clone)]
pub struct NewToken {
    /// Its public name.
    pub id: TokenId,
    /// What is kept of it.
    pub hash: Hash,
    /// The token itself, to be shown once.
    pub text: Secret,
}

/// Makes a token of random bytes.
#[must_use]
pub fn make(random: &[u8; RANDOM]) -> NewToken {
    let (name, secret) = random.split_at(RANDOM - 32);
    let bits = name.iter().fold(0_u64, |bits, byte| bits << 8 | u64::from(*byte));
    let id = TokenId(std::array::from_fn(|place| BASE32[(bits >> (5 * place) & 31) as usize]));
    let mut text = format!("{PREFIX}{id}_{}", base62::<SECRET>(secret));
    text += &checksum(&text);
    NewToken {
        id,
        hash: hash(&text),
        text: Secret::new(text),
    }
}

/// The id in a token that was presented.
///
/// # Errors
/// [`Refusal::Mistyped`] where the form or the checksum is wrong, [`Refusal::Unknown`] of a text that is no token of
/// ours.
pub fn read(text: &str) -> Result<TokenId, Refusal> {
    let rest = text.strip_prefix(PREFIX).ok_or(Refusal::Unknown)?;
    let whole = text.len() == LENGTH && text.is_ascii();
    let (id, digits) = rest.split_once('_').filter(|_| whole).ok_or(Refusal::Mistyped)?;
    let id = id.parse().map_err(|_| Refusal::Mistyped)?;
    let (body, sum) = text.split_at(LENGTH - CHECKSUM);
    if !digits.bytes().all(|byte| byte.is_ascii_alphanumeric()) || checksum(body) != sum {
        return Err(Refusal::Mistyped);
    }
    Ok(id)
}

/// What is kept of a token.
#[must_use]
pub fn hash(text: &str) -> Hash {
    Sha256::digest(text).into()
}

/// Whether two hashes are equal, in the same time whether they are or not.
#[must_use]
pub fn same(a: &Hash, b: &Hash) -> bool {
    a.ct_eq(b).into()
}

fn checksum(body: &str) -> String {
    base62::<CHECKSUM>(&crc32fast::hash(body.as_bytes()).to_be_bytes())
}

/// A number of big-endian bytes as so many digits, the most significant first.
fn base62<const DIGITS: usize>(number: &[u8]) -> String {
    let mut number = number.to_vec();
    let mut digits = [BASE62[0]; DIGITS];
    for digit in digits.iter_mut().rev() {
        let mut rest = 0_u32;
        for byte in &mut number {
            let value = rest << 8 | u32::from(*byte);
            // A quotient of a value below 62 * 256.
            *byte = (value / 62) as u8;
            rest = value % 62;
        }
        *digit = BASE62[rest as usize];
    }
    digits.map(char::from).iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(seed: u8) -> NewToken {
        make(&std::array::from_fn(|place| {
            seed.wrapping_add((place as u8).wrapping_mul(37))
        }))
    }

    #[test]
    fn has_its_form() {
        for seed in 0..=255 {
            let token = token(seed);
            let text = token.text.reveal();
            assert_eq!(text.len(), 64, "{text}");
            assert_eq!(read(text), Ok(token.id), "{text}");
            assert_eq!(token.hash, hash(text));
            assert_eq!(format!("{token:?}").matches(&text[15..]).count(), 0);
        }
    }

    #[test]
    fn every_random_bit_that_is_used_counts() {
        let random = [0; RANDOM];
        let base = make(&random);
        assert_eq!(base.id.as_str(), "aaaaaaaaaa");
        for bit in 6..RANDOM * 8 {
            let mut changed = random;
            changed[bit / 8] ^= 0x80 >> (bit % 8);
            let other = make(&changed);
            assert_ne!(other.text, base.text, "bit {bit}");
            assert_eq!(other.id == base.id, bit >= 56, "bit {bit}");
        }
        let full = make(&[0xff; RANDOM]);
        assert_eq!(full.id.as_str(), "7777777777");
        // 2^256 - 1 in base 62, by another program.
        assert!(full.text.reveal().contains(FULL), "{:?}", full.text.reveal());
    }

    const FULL: &str = "_yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp1";

    #[test]
    fn a_changed_character_is_noticed() {
        let token = token(7);
        let text = token.text.reveal();
        for place in 0..text.len() {
            for other in ['0', 'A', 'z', 'q', '2', '_', '-', ' ', 'é'] {
                let changed: String = text
                    .chars()
                    .enumerate()
                    .map(|(at, c)| if at == place { other } else { c })
                    .collect();
                if changed != text {
                    let expected = if place < PREFIX.len() {
                        Refusal::Unknown
                    } else {
                        Refusal::Mistyped
                    };
                    assert_eq!(read(&changed), Err(expected), "{changed}");
                }
            }
        }
    }

    #[test]
    fn what_was_cut_off_or_is_no_token_is_told() {
        let token = token(1);
        let text = token.text.reveal();
        for end in PREFIX.len()..text.len() {
            assert_eq!(read(&text[..end]), Err(Refusal::Mistyped), "{end}");
        }
        for more in [format!("{text}0"), format!("{text}{text}"), format!("{text} ")] {
            assert_eq!(read(&more), Err(Refusal::Mistyped), "{more}");
        }
        for other in ["", "mdw", "mdw-", "MDW_abc", "eyJhbGciOiJSUzI1NiJ9.e30.x", "\u{fffd}"] {
            assert_eq!(read(other), Err(Refusal::Unknown), "{other}");
        }
    }

    #[test]
    fn ids_are_read_exactly() {
        assert_eq!(
            "abcdefg234".parse::<TokenId>().map(|id| id.to_string()),
            Ok("abcdefg234".into())
        );
        for other in ["", "abcdefg23", "abcdefg2345", "abcdefg231", "ABCDEFG234", "abcdefg23é"] {
            assert!(other.parse::<TokenId>().is_err(), "{other}");
        }
        let token = token(3);
        let error = token
            .text
            .reveal()
            .parse::<TokenId>()
            .expect_err("a whole token")
            .to_string();
        assert!(!error.contains(&token.text.reveal()[15..]), "{error}");
    }

    #[test]
    fn equal_hashes_are_the_same() {
        let a = hash("a");
        assert!(same(&a, &a) && !same(&a, &hash("b")) && !same(&a, &[0; 32]));
    }
}
