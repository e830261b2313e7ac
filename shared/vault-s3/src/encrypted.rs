//! Tells a vault that Remotely Save encrypted. Its notes cannot be read without the password, and one that is written
//! plainly stops the sync on every device.
//!
//! Remotely Save has two methods, and both hide the names:
//! - openssl: the whole path becomes one name, the Base64 (URL alphabet; Base32 in old versions) of `Salted__` and more,
//!   so that it begins with `U2FsdGVkX` or `KNQWY5DFMRPV`.
//! - rclone-base64: each segment becomes Base64 of at least 16 bytes, which a plain name could be too; but the object
//!   begins with `RCLONE` and two NULs.
//!
//! A vault is taken for an encrypted one where it holds such an object and not a single plain note.

use crate::keys;

/// What the names in a folder say, one after the other.
#[derive(Debug, Default)]
pub(crate) struct Names {
    plain: bool,
    openssl: bool,
    /// The first name that rclone could have made.
    rclone: Option<String>,
}

/// What a folder's names say of it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Plain, or empty.
    Plain,
    /// Encrypted.
    Encrypted,
    /// Encrypted, where the object of this name begins with [`RCLONE`].
    Perhaps(String),
}

/// What an object begins with that rclone encrypted.
pub(crate) const RCLONE: &[u8] = b"RCLONE\0\0";

/// The shortest name that rclone makes.
const SHORTEST: usize = 22;

impl Names {
    /// Looks at what follows the workspace's folder in a key.
    pub(crate) fn see(&mut self, rest: &str) {
        let name = rest.trim_end_matches('/');
        if keys::is_note(name) && keys::fault(name).is_none() {
            self.plain = true;
        } else if name.starts_with("U2FsdGVkX") && of_base64(name)
            || name.starts_with("KNQWY5DFMRPV") && of_base32(name)
        {
            self.openssl = true;
        } else if self.rclone.is_none() && !rest.ends_with('/') && name.split('/').all(of_rclone) {
            self.rclone = Some(name.to_owned());
        }
    }

    /// Whether nothing that follows can make the folder an encrypted one.
    pub(crate) fn is_plain(&self) -> bool {
        self.plain
    }

    pub(crate) fn verdict(self) -> Verdict {
        match self {
            Self { plain: true, .. } => Verdict::Plain,
            Self { openssl: true, .. } => Verdict::Encrypted,
            Self { rclone: Some(name), .. } => Verdict::Perhaps(name),
            Self { rclone: None, .. } => Verdict::Plain,
        }
    }
}

fn of_base64(name: &str) -> bool {
    name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_=".contains(&b))
}

fn of_base32(name: &str) -> bool {
    name.bytes().all(|b| b.is_ascii_uppercase() || b"234567=".contains(&b))
}

fn of_rclone(part: &str) -> bool {
    part.len() >= SHORTEST && of_base64(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(names: &[&str], expected: Verdict) {
        let mut seen = Names::default();
        names.iter().for_each(|name| seen.see(name));
        assert_eq!(seen.verdict(), expected, "{names:?}");
    }

    #[test]
    fn names_tell() {
        const RCLONE_NAME: &str = "p0e52nreeaj0a5ea7s64m4j72s";
        const OPENSSL: &str = "U2FsdGVkX18KiJhzXSZ4b5bKvDqdYe5hJXvT1v6m0rM";
        check(&[], Verdict::Plain);
        check(&["a/", "picture.png", ".obsidian/app.json"], Verdict::Plain);
        check(&[OPENSSL], Verdict::Encrypted);
        check(&["KNQWY5DFMRPV7GHNQ2VLPKVK6A======"], Verdict::Encrypted);
        check(&[&format!("{OPENSSL}/")], Verdict::Encrypted);
        check(&[RCLONE_NAME], Verdict::Perhaps(RCLONE_NAME.into()));
        let deep = format!("{RCLONE_NAME}/{RCLONE_NAME}");
        check(&[&format!("{RCLONE_NAME}/"), &deep], Verdict::Perhaps(deep.clone()));
        // One that strayed here harms no plain vault; and notes may be called like this.
        check(&[OPENSSL, "a.md"], Verdict::Plain);
        check(&["U2FsdGVkX18.md"], Verdict::Plain);
        check(&["U2FsdGVkX18 is no secret"], Verdict::Plain);
        check(&["short", "folder/p0e52nreeaj0a5ea7s64m4j72s"], Verdict::Plain);
        // A hidden note is none.
        check(&[".trash/a.md", OPENSSL], Verdict::Encrypted);
    }
}
