//! Equation text to tokens, one at a time.

use crate::ast::{Binary, Dialect, Name, Span};
use crate::names;
use crate::parse::{ErrorKind, ExprError, Note, shown};

/// A token.
#[derive(Debug, Clone, PartialEq)]
pub enum Token {
    /// A number, without sign.
    Number(f64),
    /// A name; words that stand side by side are one name.
    Name(Name),
    /// An operator that may stand between two operands.
    Binary(Binary),
    /// `NOT`
    Not,
    /// `IF`
    If,
    /// `THEN`
    Then,
    /// `ELSE`
    Else,
    /// `(`
    Open,
    /// `)`
    Close,
    /// `,`
    Comma,
    /// `?`: equations not yet written are `???`.
    Question,
    /// The end of the text.
    End,
}

/// Vensim's `:NA:`.
const NOT_AVAILABLE: f64 = -((1_u128 << 109) as f64);

/// The most words that are joined to one name in XMILE, which has no such names.
const WORDS: usize = 12;

/// Reads tokens from a text.
#[derive(Debug)]
pub struct Lexer<'t> {
    text: &'t str,
    at: usize,
    dialect: Dialect,
    /// What could be better; the first of each code.
    pub(crate) notes: Vec<Note>,
}

/// True for what separates tokens without further ado.
fn is_blank(c: char) -> bool {
    c == ' ' || c == '\u{a0}' || c.is_control()
}

/// True for other spaces. XMILE makes them part of names; at the ends of a name that would help nobody.
fn is_wide_blank(c: char) -> bool {
    !c.is_ascii() && !is_blank(c) && (c.is_whitespace() || matches!(c, '\u{200b}' | '\u{feff}'))
}

/// The ASCII operator that a character stands for. XMILE has no such operators; they are read with a note.
fn plain(c: char) -> char {
    match c {
        '×' => '*',
        '÷' => '/',
        '−' => '-',
        '“' | '”' => '"',
        '＄' | '＿' | '＇' => c,
        '\u{ff01}'..='\u{ff5e}' => match u8::try_from(u32::from(c) - 0xfee0) {
            Ok(b) if b.is_ascii_punctuation() => char::from(b),
            _ => c,
        },
        _ => c,
    }
}

/// The ASCII digit that a character is, full width or not.
fn digit(c: char) -> Option<char> {
    match c {
        '0'..='9' => Some(c),
        '０'..='９' => char::from_u32(u32::from(c) - 0xfee0),
        _ => None,
    }
}

/// True for the characters of a name, its first apart.
fn continues(c: char, dialect: Dialect) -> bool {
    match c {
        '_' | '$' => true,
        '\'' => dialect == Dialect::Vensim,
        '≤' | '≥' | '≠' => false,
        _ if c.is_ascii() => c.is_ascii_alphanumeric(),
        _ => !is_blank(c) && plain(c) == c,
    }
}

/// True for the first character of a name.
fn starts(c: char) -> bool {
    continues(c, Dialect::Xmile) && c != '$' && digit(c).is_none() && !is_wide_blank(c)
}

/// The keyword that a word is.
fn keyword(word: &str, dialect: Dialect) -> Option<Token> {
    if dialect == Dialect::Vensim || !(2..=4).contains(&word.len()) {
        return None;
    }
    let is = |keyword: &str| word.eq_ignore_ascii_case(keyword);
    Some(match word {
        _ if is("and") => Token::Binary(Binary::And),
        _ if is("or") => Token::Binary(Binary::Or),
        _ if is("mod") => Token::Binary(Binary::Modulo),
        _ if is("not") => Token::Not,
        _ if is("if") => Token::If,
        _ if is("then") => Token::Then,
        _ if is("else") => Token::Else,
        _ => return None,
    })
}

/// True when `text` is a single bare name, or several joined by points: it needs no quotes.
pub(crate) fn is_bare(text: &str) -> bool {
    text.split('.').all(|part| {
        let mut lexer = Lexer::new(part, Dialect::Xmile);
        part.starts_with(starts) && lexer.word() == part && keyword(part, Dialect::Xmile).is_none()
    })
}

impl<'t> Lexer<'t> {
    /// Reads `text`.
    pub fn new(text: &'t str, dialect: Dialect) -> Self {
        Self {
            text,
            at: 0,
            dialect,
            notes: Vec::new(),
        }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn span(&self, from: usize) -> Span {
        // Texts are at most 256 KiB long.
        from as u32..self.at as u32
    }

    pub(crate) fn note(&mut self, code: &'static str, span: Span, message: impl FnOnce() -> String) {
        if self.notes.iter().all(|note| note.code != code) {
            self.notes.push(Note {
                code,
                span,
                message: message(),
            });
        }
    }

    fn error<T>(&self, from: usize, message: impl Into<String>) -> Result<T, ExprError> {
        Err(ExprError {
            kind: ErrorKind::Syntax,
            span: self.span(from),
            message: message.into(),
        })
    }

    /// The next character as ASCII, taken; a full-width one is noted.
    fn take(&mut self) -> Option<char> {
        let from = self.at;
        let c = self.peek()?;
        self.at += c.len_utf8();
        let ascii = plain(c);
        if ascii != c {
            self.note("full-width", self.span(from), || {
                format!("`{c}` is read as `{ascii}`; write `{ascii}`, other tools refuse the other form")
            });
        }
        Some(ascii)
    }

    /// Skips blanks and comments.
    fn skip(&mut self) -> Result<(), ExprError> {
        while let Some(c) = self.peek() {
            let from = self.at;
            if is_blank(c) {
                self.at += c.len_utf8();
            } else if is_wide_blank(c) {
                self.at += c.len_utf8();
                self.note("wide-blank", self.span(from), || {
                    format!("U+{:04X} is read as a blank here; write a plain one", u32::from(c))
                });
            } else if plain(c) == '{' {
                match self.rest().find(['}', '｝']) {
                    Some(end) => {
                        self.take();
                        self.at = from + end;
                        self.take();
                    }
                    None => {
                        self.at += c.len_utf8();
                        return self.error(from, "this comment has no end: close it with `}`");
                    }
                }
            } else if self.continues_on_next_line() {
                self.at += 1;
            } else {
                break;
            }
        }
        Ok(())
    }

    /// Vensim breaks lines with a backslash.
    fn continues_on_next_line(&self) -> bool {
        self.dialect == Dialect::Vensim
            && self
                .rest()
                .strip_prefix('\\')
                .is_some_and(|rest| rest.trim_start_matches([' ', '\t', '\r']).starts_with('\n'))
    }

    /// The next token and its place.
    pub fn token(&mut self) -> Result<(Token, Span), ExprError> {
        self.skip()?;
        let from = self.at;
        let Some(c) = self.peek() else {
            return Ok((Token::End, self.span(from)));
        };
        let after = self.rest().chars().nth(1);
        let token = if digit(c).is_some() || (plain(c) == '.' && after.and_then(digit).is_some()) {
            self.number()?
        } else if starts(c) {
            self.words()?
        } else if plain(c) == '"' {
            let name = self.quoted()?;
            self.parts(name)?
        } else {
            self.operator()?
        };
        Ok((token, self.span(from)))
    }

    /// True when the next token is `(`.
    pub(crate) fn open_follows(&mut self) -> Result<bool, ExprError> {
        self.skip()?;
        Ok(self.peek().map(plain) == Some('('))
    }

    fn number(&mut self) -> Result<Token, ExprError> {
        let from = self.at;
        let mut ascii = String::new();
        self.digits(&mut ascii);
        if self.peek().map(plain) == Some('.') {
            self.take();
            ascii.push('.');
            self.digits(&mut ascii);
        }
        let mut exponent = self.rest().strip_prefix(['e', 'E']).unwrap_or_default().chars();
        let sign = exponent.clone().next().filter(|c| matches!(c, '+' | '-'));
        if sign.is_some() {
            exponent.next();
        }
        if exponent.next().and_then(digit).is_some() {
            self.at += 1 + sign.map_or(0, char::len_utf8);
            ascii.push('e');
            ascii.extend(sign);
            self.digits(&mut ascii);
        }
        match ascii.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Token::Number(number)),
            _ => self.error(from, "this number is too great: the greatest is 1.7976931348623157e308"),
        }
    }

    fn digits(&mut self, ascii: &mut String) {
        while let Some(d) = self.peek().and_then(digit) {
            let from = self.at;
            let c = self.peek().unwrap_or(d);
            self.at += c.len_utf8();
            if c != d {
                self.note("full-width", self.span(from), || {
                    format!("`{c}` is read as `{d}`; write `{d}`, other tools refuse the other form")
                });
            }
            ascii.push(d);
        }
    }

    /// Characters of a name without blanks.
    fn chunk(&self) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|c| !continues(c, self.dialect) || is_wide_blank(c));
        &rest[..end.unwrap_or(rest.len())]
    }

    /// Takes a word. Spaces beyond ASCII and U+00A0 inside it are part of it, for XMILE has it so.
    fn word(&mut self) -> &'t str {
        let from = self.at;
        self.at += self.chunk().len();
        loop {
            let end = self.at;
            self.at += end_of(self.rest(), is_wide_blank);
            let chunk = self.chunk();
            if self.at == end || chunk.is_empty() || keyword(chunk, self.dialect).is_some() {
                self.at = end;
                return &self.text[from..end];
            }
            self.at += chunk.len();
        }
    }

    /// A keyword, or a name of one or more words.
    fn words(&mut self) -> Result<Token, ExprError> {
        let from = self.at;
        let word = self.word();
        if let Some(token) = keyword(word, self.dialect) {
            return Ok(token);
        }
        let mut text = word.to_owned();
        let mut joined = false;
        let mut words = 1;
        loop {
            let end = self.at;
            self.skip()?;
            let between = &self.text[end..self.at];
            // A no-break space is part of a name also before a digit; Vensim's names have blanks there, too.
            let digits = self.dialect == Dialect::Vensim || between.chars().all(|c| c == '\u{a0}');
            let next = self.peek().filter(|c| starts(*c) || (digits && digit(*c).is_some()));
            if next.is_none() || keyword(self.chunk(), self.dialect).is_some() || between.is_empty() {
                self.at = end;
                break;
            }
            words += 1;
            if words > WORDS && self.dialect == Dialect::Xmile {
                return self.error(
                    from,
                    "this reads as prose, not as an equation: put words in {comments}, or a name in quotes",
                );
            }
            text.push(' ');
            text.push_str(self.word());
            joined |= between != "\u{a0}";
        }
        if joined && self.dialect == Dialect::Xmile {
            self.note("joined-words", self.span(from), || {
                let text = shown(&text);
                format!("`{text}` is read as one name; write `{}`", text.replace(' ', "_"))
            });
        }
        self.parts(text)
    }

    /// A name in quotes.
    fn quoted(&mut self) -> Result<String, ExprError> {
        let from = self.at;
        let open = self.peek();
        self.take();
        let ends: &[char] = if open == Some('"') {
            &['"']
        } else {
            &['”', '＂', '"']
        };
        let mut text = String::new();
        loop {
            let at = self.at;
            let Some(c) = self.peek() else {
                self.at = from + open.map_or(1, char::len_utf8);
                return self.error(from, "this name has no end: close it with `\"`");
            };
            self.at += c.len_utf8();
            if ends.contains(&c) {
                break;
            }
            if c != '\\' {
                text.push(c);
                continue;
            }
            match self.peek() {
                Some('n') => text.push('\n'),
                Some(c @ ('"' | '\\')) => text.push(c),
                _ => {
                    text.push('\\');
                    self.note("unknown-escape", self.span(at), || {
                        "only \\n, \\\" and \\\\ are escapes: the backslash is kept; write `\\\\`".to_owned()
                    });
                    continue;
                }
            }
            self.at += 1;
        }
        if names::fold(&text).is_empty() {
            return self.error(from, "this name is empty: write a name between the quotes");
        }
        Ok(text)
    }

    /// The further parts of a qualified name such as `isee.SAFEDIV`, then the whole.
    fn parts(&mut self, mut text: String) -> Result<Token, ExprError> {
        while self.peek().map(plain) == Some('.') {
            let from = self.at;
            let next = self.rest().chars().nth(1);
            let quoted = next.map(plain) == Some('"');
            if !quoted && !next.is_some_and(starts) {
                self.take();
                return self.error(
                    from,
                    "a point after a name begins its next part, as in `isee.SAFEDIV`; remove it",
                );
            }
            self.take();
            text.push('.');
            if quoted {
                text.push_str(&self.quoted()?);
            } else {
                text.push_str(self.word());
            }
        }
        Ok(Token::Name(names::name(text)))
    }

    fn operator(&mut self) -> Result<Token, ExprError> {
        let from = self.at;
        let unicode = match self.peek() {
            Some('≤') => Some((Binary::LessEqual, "<=")),
            Some('≥') => Some((Binary::GreaterEqual, ">=")),
            Some('≠') => Some((Binary::NotEqual, "<>")),
            _ => None,
        };
        if let Some((operator, ascii)) = unicode {
            let c = self.peek().unwrap_or_default();
            self.at += c.len_utf8();
            self.note("full-width", self.span(from), || {
                format!("`{c}` is read as `{ascii}`; write `{ascii}`, other tools refuse the other form")
            });
            return Ok(Token::Binary(operator));
        }
        let c = self.take().unwrap_or_default();
        let next = self.peek().map(plain);
        let mut second = |operator| {
            self.take();
            Token::Binary(operator)
        };
        Ok(match (c, next) {
            ('<', Some('=')) => second(Binary::LessEqual),
            ('<', Some('>')) => second(Binary::NotEqual),
            ('>', Some('=')) => second(Binary::GreaterEqual),
            ('=', Some('=')) => {
                self.take();
                return self.error(from, "`==` is no operator: write `=`");
            }
            ('*', Some('*')) => {
                self.take();
                return self.error(from, "`**` is no operator: write `^` for a power");
            }
            ('<', _) => Token::Binary(Binary::Less),
            ('>', _) => Token::Binary(Binary::Greater),
            ('=', _) => Token::Binary(Binary::Equal),
            ('+', _) => Token::Binary(Binary::Add),
            ('-', _) => Token::Binary(Binary::Subtract),
            ('*', _) => Token::Binary(Binary::Multiply),
            ('/', _) => Token::Binary(Binary::Divide),
            ('^', _) => Token::Binary(Binary::Power),
            ('(', _) => Token::Open,
            (')', _) => Token::Close,
            (',', _) => Token::Comma,
            ('?', _) => Token::Question,
            (':', _) => return self.colon(from),
            _ => {
                let fix = match c {
                    '%' => "write 5 % as 0.05",
                    '[' | ']' => "arrays are not supported: give each element a variable",
                    '&' => "write AND",
                    '|' => "write OR",
                    '!' => "write NOT x, or a <> b",
                    '\'' | '`' => "write names in double quotes",
                    '}' => "no comment begins before it",
                    '.' => "a number needs a digit beside its point; end no equation with one",
                    ';' => "separate arguments by `,`",
                    '$' => "no name begins with it",
                    _ => "an equation has numbers, names, operators and parentheses; words go in {comments}",
                };
                return self.error(from, format!("`{c}` is no part of an equation: {fix}"));
            }
        })
    }

    /// Vensim's words between colons.
    fn colon(&mut self, from: usize) -> Result<Token, ExprError> {
        let word = self.rest().split_once(':').map_or("", |(word, _)| word);
        let is = |keyword: &str| word.eq_ignore_ascii_case(keyword);
        let token = match word {
            _ if is("and") => Token::Binary(Binary::And),
            _ if is("or") => Token::Binary(Binary::Or),
            _ if is("not") => Token::Not,
            _ if is("na") => Token::Number(NOT_AVAILABLE),
            _ => {
                let fix = "an equation has numbers, names, operators and parentheses; words go in {comments}";
                return self.error(from, format!("`:` is no part of an equation: {fix}"));
            }
        };
        self.at += word.len() + 1;
        if self.dialect == Dialect::Xmile {
            let word = word.to_ascii_uppercase();
            return self.error(from, format!("`:{word}:` is Vensim's: write {word} without colons"));
        }
        Ok(token)
    }
}

/// The bytes at the start of `text` whose characters are all `wanted`.
fn end_of(text: &str, wanted: fn(char) -> bool) -> usize {
    text.find(|c| !wanted(c)).unwrap_or(text.len())
}
