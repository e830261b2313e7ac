//! Queries in arXiv's own language: read, checked, and written so that they mean what they say.

/// The fields of arXiv's language.
const FIELDS: [&str; 12] = [
    "ti",
    "au",
    "abs",
    "cat",
    "co",
    "jr",
    "rn",
    "id",
    "doi",
    "all",
    "submittedDate",
    "lastUpdatedDate",
];

/// Brackets within brackets, at most.
const MAX_DEPTH: usize = 20;

/// The field that `text` begins with, and what follows its colon.
fn field(text: &str) -> Option<(&'static str, &str)> {
    FIELDS.iter().find_map(|name| {
        let head = text.get(..name.len())?;
        let rest = text[name.len()..].strip_prefix(':')?;
        head.eq_ignore_ascii_case(name).then_some((*name, rest))
    })
}

/// The places at which a word begins.
fn starts(text: &str) -> impl Iterator<Item = usize> {
    let mut before = ' ';
    text.char_indices().filter_map(move |(at, c)| {
        let start = matches!(before, ' ' | '(' | '"' | '-' | '+') && c.is_ascii_alphabetic();
        before = c;
        start.then_some(at)
    })
}

/// Whether a field occurs in a query.
pub(super) fn is_fielded(query: &str) -> bool {
    starts(query).any(|at| field(&query[at..]).is_some_and(|(_, rest)| !rest.is_empty() && !rest.starts_with(' ')))
}

/// The query without the names of its fields, and days that no word says.
pub(super) fn without_fields(query: &str) -> String {
    let mut out = String::with_capacity(query.len());
    let mut rest = query;
    let mut fresh = true;
    while let Some(c) = rest.chars().next() {
        if fresh && let Some((name, after)) = field(rest) {
            rest = after;
            if name.ends_with("Date") && rest.starts_with('[') {
                rest = rest.split_once(']').map_or("", |(_, after)| after);
            }
            fresh = false;
            continue;
        }
        fresh = matches!(c, ' ' | '(' | '"' | '-' | '+');
        out.push(c);
        rest = &rest[c.len_utf8()..];
    }
    out
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Open,
    Close,
    And,
    Or,
    AndNot,
    Not,
    Term(String),
}

/// A query in arXiv's language with AND between its neighbours and parentheses around everything.
///
/// # Errors
/// Why it is none, as half a sentence.
pub(super) fn read(query: &str) -> Result<String, String> {
    let tokens = tokens(query)?;
    let mut reader = Reader {
        tokens: &tokens,
        depth: 0,
    };
    let text = reader.any()?;
    match reader.tokens {
        [] if text.starts_with('(') => Ok(text),
        [] => Ok(format!("({text})")),
        [Token::Close, ..] => Err("a `)` closes nothing".to_owned()),
        _ => Err("an operator stands where none can".to_owned()),
    }
}

fn tokens(query: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut rest = query.trim_start();
    while let Some(c) = rest.chars().next() {
        if c == '\\' {
            return Err("a `\\` has no meaning in it".to_owned());
        }
        if c == '(' || c == ')' {
            tokens.push(if c == '(' { Token::Open } else { Token::Close });
            rest = rest[1..].trim_start();
            continue;
        }
        let (name, value) = field(rest).map_or((None, rest), |(name, value)| (Some(name), value));
        let end = match value.chars().next() {
            Some('"') => value[1..].find('"').map(|end| end + 2).ok_or("a quote is not closed")?,
            Some('[') => value.find(']').map(|end| end + 1).ok_or("a `[` is not closed")?,
            // `ti:(a OR b)`: arXiv knows no field of a group.
            Some('(') if name.is_some() => {
                return Err("a field stands before a `(`; give each word its field".to_owned());
            }
            _ => value.find([' ', '(', ')', '"']).unwrap_or(value.len()),
        };
        let (value, after) = value.split_at(end);
        rest = after.trim_start();
        tokens.push(match (name, value) {
            (None, "AND") => Token::And,
            (None, "OR") => Token::Or,
            (None, "ANDNOT") => Token::AndNot,
            (None, "NOT") => Token::Not,
            _ => Token::Term(term(name, value)?),
        });
    }
    Ok(tokens)
}

/// A field and its value as arXiv understands them.
fn term(name: Option<&str>, value: &str) -> Result<String, String> {
    let name = name.unwrap_or("all");
    if name.ends_with("Date") {
        let range = value.strip_prefix('[').and_then(|range| range.strip_suffix(']'));
        let days = range.and_then(|range| range.split_once(" TO "));
        let is_day = |day: &str| (4..=14).contains(&day.len()) && day.bytes().all(|b| b.is_ascii_digit());
        return match days {
            Some((from, to)) if is_day(from) && is_day(to) => Ok(format!("{name}:{value}")),
            _ => Err(format!("`{name}` needs a range such as [202301010000 TO 202312312359]")),
        };
    }
    if value.starts_with('[') {
        return Err(format!("`{name}` takes no range"));
    }
    let quoted = value.starts_with('"');
    let inner = value.trim_matches('"').replace(['(', ')'], " ");
    let inner = inner.trim();
    let bad = |c: char| "[]{}\\".contains(c) || c.is_control() || (c == ':' && !quoted);
    if let Some(found) = inner.chars().find(|c| bad(*c)) {
        return Err(format!("`{found}` stands within a word"));
    }
    if !inner.chars().any(char::is_alphanumeric) {
        return Err(format!("`{name}:` has no value"));
    }
    if inner.starts_with(['*', '?']) {
        return Err("a word begins with a wildcard".to_owned());
    }
    // arXiv takes the wrong part of `au:del_maestro` wherever it is not the first.
    if name == "au" && inner.contains('_') {
        return Ok(format!("au:\"{}\"", inner.replace('_', " ").trim()));
    }
    let words = inner.split_whitespace().collect::<Vec<_>>().join(" ");
    Ok(if quoted {
        format!("{name}:\"{words}\"")
    } else {
        format!("{name}:{words}")
    })
}

struct Reader<'t> {
    tokens: &'t [Token],
    depth: usize,
}

impl Reader<'_> {
    fn next_is(&mut self, token: &Token) -> bool {
        let found = self.tokens.first() == Some(token);
        if found {
            self.tokens = &self.tokens[1..];
        }
        found
    }

    /// Terms joined with OR.
    fn any(&mut self) -> Result<String, String> {
        let mut parts = vec![self.all()?];
        while self.next_is(&Token::Or) {
            parts.push(self.all()?);
        }
        Ok(match parts.len() {
            1 => parts.swap_remove(0),
            _ => format!("({})", parts.join(" OR ")),
        })
    }

    /// Terms joined with AND, with AND NOT, or just following each other.
    fn all(&mut self) -> Result<String, String> {
        let mut left = vec![self.one()?];
        let done = |left: &mut Vec<String>| match left.len() {
            1 => left.swap_remove(0),
            _ => format!("({})", left.join(" AND ")),
        };
        loop {
            let joined = self.next_is(&Token::And);
            if self.next_is(&Token::AndNot) && !joined || self.next_is(&Token::Not) {
                let kept = done(&mut left);
                left = vec![format!("({kept} ANDNOT {})", self.one()?)];
            } else if joined || matches!(self.tokens.first(), Some(Token::Term(_) | Token::Open)) {
                left.push(self.one()?);
            } else {
                return Ok(done(&mut left));
            }
        }
    }

    fn one(&mut self) -> Result<String, String> {
        let Some((first, rest)) = self.tokens.split_first() else {
            return Err("something is missing at its end".to_owned());
        };
        self.tokens = rest;
        match first {
            Token::Term(term) => Ok(term.clone()),
            Token::Open if self.depth == MAX_DEPTH => {
                Err(format!("there are more than {MAX_DEPTH} brackets in each other"))
            }
            Token::Open => {
                self.depth += 1;
                let inner = self.any()?;
                self.depth -= 1;
                if self.next_is(&Token::Close) {
                    Ok(inner)
                } else {
                    Err("a `(` is not closed".to_owned())
                }
            }
            Token::Close => Err("a `)` stands where a word should".to_owned()),
            _ => Err("an operator stands where a word should".to_owned()),
        }
    }
}
