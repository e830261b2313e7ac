//! The token in the header `Authorization` (RFC 6750, section 2.1). Nowhere else is one looked for: a token in a query
//! would end in logs.

use crate::refusal::{Refusal, Unreadable};

/// Bytes of the header, at most: far more than any token has.
pub const MAX_HEADER: usize = 8 << 10;

/// The token in the values of all `Authorization` headers of a request.
///
/// # Errors
/// [`Refusal::Missing`] without a header, else [`Refusal::Unreadable`], or [`Refusal::Unknown`] where the token is no
/// text.
pub fn bearer<'a>(headers: impl IntoIterator<Item = &'a [u8]>) -> Result<&'a str, Refusal> {
    let mut headers = headers.into_iter();
    let value = headers.next().ok_or(Refusal::Missing)?;
    if headers.next().is_some() {
        return Err(Refusal::Unreadable(Unreadable::Repeated));
    }
    if value.len() > MAX_HEADER {
        return Err(Refusal::Unreadable(Unreadable::TooLong));
    }
    let value = value.trim_ascii();
    let end = value.iter().position(u8::is_ascii_whitespace).unwrap_or(value.len());
    let (scheme, token) = value.split_at(end);
    if scheme.is_empty() {
        return Err(Refusal::Unreadable(Unreadable::Empty));
    }
    if !scheme.eq_ignore_ascii_case(b"bearer") {
        return Err(Refusal::Unreadable(Unreadable::Scheme));
    }
    match token.trim_ascii() {
        b"" => Err(Refusal::Unreadable(Unreadable::Empty)),
        token => std::str::from_utf8(token).map_err(|_| Refusal::Unknown),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(headers: &[&[u8]], expected: Result<&str, Refusal>) {
        assert_eq!(bearer(headers.iter().copied()), expected);
    }

    #[test]
    fn one_header_with_one_token() {
        check(&[], Err(Refusal::Missing));
        check(&[b"Bearer abc"], Ok("abc"));
        check(&[b"bearer abc"], Ok("abc"));
        check(&[b"BEARER   abc  "], Ok("abc"));
        check(&[b"Bearer\tabc"], Ok("abc"));
        let unreadable = |what| Err(Refusal::Unreadable(what));
        check(&[b"Bearer abc", b"Bearer abc"], unreadable(Unreadable::Repeated));
        check(&[b""], unreadable(Unreadable::Empty));
        check(&[b"  "], unreadable(Unreadable::Empty));
        check(&[b"Bearer"], unreadable(Unreadable::Empty));
        check(&[b"Bearer  "], unreadable(Unreadable::Empty));
        check(&[b"Basic dTpw"], unreadable(Unreadable::Scheme));
        check(&[b"mdw_abc"], unreadable(Unreadable::Scheme));
        check(&[b"Bearer:abc"], unreadable(Unreadable::Scheme));
        check(&["Bearer é".as_bytes()], Ok("é"));
        check(&[b"Bearer \xff\xfe"], Err(Refusal::Unknown));
        let long = [b"Bearer ".as_slice(), &[b'a'; MAX_HEADER]].concat();
        check(&[&long], unreadable(Unreadable::TooLong));
        check(&[&long[..MAX_HEADER]], Ok(&"a".repeat(MAX_HEADER - 7)));
    }
}
