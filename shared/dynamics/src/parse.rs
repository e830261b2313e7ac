//! Equation text to an expression: operator precedence with an explicit stack, so that no nesting can overflow ours.

use crate::ast::{Binary, Dialect, Expr, ExprKind, Name, Span, Unary};
use crate::builtins;
use crate::lexer::{Lexer, Token};
use crate::names;
use crate::print::symbol;

/// The longest equation, in bytes: several times a sum of a thousand long names.
pub const LONGEST: usize = 256 * 1024;

/// How deep parentheses, calls, signs, powers and IFs may be nested.
pub const NESTING: usize = 256;

/// The greatest height of an expression's tree. Who walks, clones or drops an expression may recurse so deep; a sum
/// of a thousand names is that high.
pub const HEIGHT: u16 = 1024;

/// An expression, and what could be better about its text.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    /// The expression.
    pub expr: Expr,
    /// Advice; the first of each code.
    pub notes: Vec<Note>,
}

/// What could be better about an equation's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// A short, stable code such as `full-width`.
    pub code: &'static str,
    /// Where.
    pub span: Span,
    /// What was read, and what to write.
    pub message: String,
}

/// Why a text is no expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// There is no equation: nothing but blanks and comments, or `???`.
    Missing,
    /// The text breaks the grammar.
    Syntax,
    /// The text is too long, or nested too deeply.
    TooLarge,
}

/// A text that is no expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExprError {
    /// Why.
    pub kind: ErrorKind,
    /// Where; within the text.
    pub span: Span,
    /// What was found and what to write.
    pub message: String,
}

impl std::fmt::Display for ExprError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ExprError {}

impl ExprError {
    /// The message under the line it is about, with carets under the place.
    pub fn render(&self, text: &str) -> String {
        format!("{}\n{}", caret(text, &self.span), self.message)
    }
}

/// The line of `text` in which `span` begins, with carets under it. A long line is cut around the place.
pub fn caret(text: &str, span: &Span) -> String {
    /// How many characters are shown before and after the place.
    const SHOWN: usize = 60;
    let boundary = |at: u32| {
        let mut at = (at as usize).min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let (from, to) = (boundary(span.start), boundary(span.end));
    let start = text[..from].rfind('\n').map_or(0, |at| at + 1);
    let end = text[from..].find('\n').map_or(text.len(), |at| from + at);
    let to = to.clamp(from, end);
    let before: Vec<char> = text[start..from].chars().rev().take(SHOWN + 1).collect();
    let cut = before.len() > SHOWN;
    let mut line = String::new();
    let mut marks = String::new();
    if cut {
        line.push('…');
        marks.push(' ');
    }
    for c in before.iter().take(SHOWN).rev() {
        push(*c, ' ', &mut line, &mut marks);
    }
    for c in text[from..to].chars().take(SHOWN) {
        push(c, '^', &mut line, &mut marks);
    }
    if !marks.ends_with('^') {
        marks.push('^');
    }
    let mut after = text[to..end].chars();
    let mut nothing = String::new();
    if text[from..to].chars().nth(SHOWN).is_none() {
        for c in after.by_ref().take(SHOWN) {
            push(c, ' ', &mut line, &mut nothing);
        }
    }
    if after.next().is_some() {
        line.push('…');
    }
    format!("{line}\n{marks}")
}

/// Adds a character to a line and its marks below; East Asian ones take two columns.
fn push(c: char, mark: char, line: &mut String, marks: &mut String) {
    line.push(if c.is_control() { ' ' } else { c });
    marks.push(mark);
    if matches!(c, '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}' | '\u{ff00}'..='\u{ff60}' | '\u{ffe0}'..='\u{ffe6}' | '\u{1f300}'..='\u{1faff}'
        | '\u{20000}'..='\u{3fffd}')
    {
        marks.push(mark);
    }
}

/// How tightly an operator binds; greater is tighter.
pub(crate) fn power(operator: Binary) -> u8 {
    match operator {
        Binary::Power => 8,
        Binary::Multiply | Binary::Divide | Binary::Modulo => 6,
        Binary::Add | Binary::Subtract => 5,
        Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual => 4,
        Binary::Equal | Binary::NotEqual => 3,
        Binary::And => 2,
        Binary::Or => 1,
    }
}

/// How tightly a sign, and XMILE's NOT, binds.
pub(crate) const UNARY: u8 = 7;

/// What its right operand must bind at least as tightly as.
pub(crate) fn right_power(operator: Binary) -> u8 {
    match operator {
        // To the right, and a sign may follow.
        Binary::Power => UNARY,
        _ => power(operator) + 1,
    }
}

/// An expression in work, with the height of its tree.
struct Operand {
    expr: Expr,
    height: u16,
}

/// What waits for its right end.
enum Open {
    Unary(Unary, u8, u32),
    Binary(Binary, Operand),
    Parenthesis(Span),
    Call(Name, Span, Vec<Operand>),
    If(Span),
    Then(Span, Operand),
    Else(Span, Operand, Operand),
}

/// Reads an equation.
///
/// # Errors
/// [`ErrorKind::Missing`] where there is no equation; else what is wrong, where, and what to write.
pub fn parse(text: &str, dialect: Dialect) -> Result<Parsed, ExprError> {
    if text.len() > LONGEST {
        return Err(ExprError {
            kind: ErrorKind::TooLarge,
            span: 0..0,
            message: format!(
                "the equation has {} bytes, at most {LONGEST} are read: split it into several variables",
                text.len()
            ),
        });
    }
    let mut parser = Parser {
        lexer: Lexer::new(text, dialect),
        text,
        dialect,
        open: Vec::new(),
        nesting: 0,
    };
    let expr = parser.equation()?.expr;
    Ok(Parsed {
        expr,
        notes: parser.lexer.notes,
    })
}

struct Parser<'t> {
    lexer: Lexer<'t>,
    text: &'t str,
    dialect: Dialect,
    open: Vec<Open>,
    /// Entries of `open` that may nest without bound.
    nesting: usize,
}

/// What comes after an operand.
enum After {
    Operand(Operand),
    /// An operator or a comma: another operand must follow.
    Wanted,
}

impl Parser<'_> {
    fn equation(&mut self) -> Result<Operand, ExprError> {
        let first = self.lexer.token()?;
        self.refuse_missing(&first)?;
        let mut token = first;
        loop {
            let Some(mut operand) = self.operand(token)? else {
                token = self.lexer.token()?;
                continue;
            };
            loop {
                let (next, span) = self.lexer.token()?;
                if next == Token::End {
                    return self.end(operand);
                }
                match self.after(operand, next, span)? {
                    After::Operand(whole) => operand = whole,
                    After::Wanted => break,
                }
            }
            token = self.lexer.token()?;
        }
    }

    /// Nothing but blanks and comments, or `???`, is no equation.
    fn refuse_missing(&self, first: &(Token, Span)) -> Result<(), ExprError> {
        let missing = match first.0 {
            Token::End => true,
            Token::Question => {
                let mut rest = Lexer::new(&self.text[first.1.end as usize..], self.dialect);
                loop {
                    match rest.token() {
                        Ok((Token::Question, _)) => {}
                        Ok((Token::End, _)) => break true,
                        _ => break false,
                    }
                }
            }
            _ => false,
        };
        if missing {
            return Err(ExprError {
                kind: ErrorKind::Missing,
                span: first.1.clone(),
                message: "there is no equation yet: write a number or an expression".to_owned(),
            });
        }
        Ok(())
    }

    /// Reads what may stand where an operand begins; none where it is still to come.
    fn operand(&mut self, (token, span): (Token, Span)) -> Result<Option<Operand>, ExprError> {
        match token {
            Token::Number(number) => Ok(Some(leaf(ExprKind::Number(number), span))),
            Token::Name(name) => self.name(name, span),
            Token::Open => self.push(Open::Parenthesis(span)),
            Token::Binary(Binary::Add) => self.push(Open::Unary(Unary::Plus, UNARY, span.start)),
            Token::Binary(Binary::Subtract) => self.push(Open::Unary(Unary::Minus, UNARY, span.start)),
            Token::Not => {
                // Vensim's covers the whole comparison to its right.
                let power = match self.dialect {
                    Dialect::Xmile => UNARY,
                    Dialect::Vensim => power(Binary::Equal),
                };
                self.push(Open::Unary(Unary::Not, power, span.start))
            }
            Token::If => self.push(Open::If(span)),
            // Files in circulation have variables of these names; no operator can begin an operand.
            Token::Binary(Binary::Modulo | Binary::And | Binary::Or) => self.keyword_as_name(token, span),
            Token::Close if matches!(self.open.last(), Some(Open::Call(_, _, arguments)) if arguments.is_empty()) => {
                match self.open.pop() {
                    Some(Open::Call(name, start, _)) => {
                        self.nesting -= 1;
                        self.call(name, Vec::new(), start.start..span.end).map(Some)
                    }
                    _ => Ok(None),
                }
            }
            token => Err(self.no_operand(&token, span)),
        }
    }

    /// A variable that has an operator's name.
    fn keyword_as_name(&mut self, token: Token, span: Span) -> Result<Option<Operand>, ExprError> {
        let word = &self.text[span.start as usize..span.end as usize];
        let next = Lexer::new(&self.text[span.end as usize..], self.dialect).token();
        let ends = matches!(
            next,
            Ok((
                Token::End | Token::Close | Token::Comma | Token::Then | Token::Else | Token::Binary(_),
                _
            ))
        );
        if !ends || !word.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Err(self.no_operand(&token, span));
        }
        self.lexer.note("reserved-name", span.clone(), || {
            format!("`{word}` is read as a variable, but is an operator's name: choose another, or write \"{word}\"")
        });
        Ok(Some(leaf(ExprKind::Name(names::name(word.to_owned())), span)))
    }

    fn push(&mut self, open: Open) -> Result<Option<Operand>, ExprError> {
        let (nests, at) = match &open {
            Open::Binary(operator, left) => (*operator == Binary::Power, left.expr.span.end),
            Open::Unary(_, _, at) => (true, *at),
            Open::Parenthesis(span) | Open::Call(_, span, _) | Open::If(span) => (true, span.start),
            Open::Then(span, _) | Open::Else(span, _, _) => (true, span.start),
        };
        if nests {
            self.nesting += 1;
            if self.nesting > NESTING {
                return Err(ExprError {
                    kind: ErrorKind::TooLarge,
                    span: at..at + 1,
                    message: format!(
                        "this is nested deeper than {NESTING} levels: split the equation into several variables"
                    ),
                });
            }
        }
        self.open.push(open);
        Ok(None)
    }

    /// A name: a call where `(` follows.
    fn name(&mut self, name: Name, span: Span) -> Result<Option<Operand>, ExprError> {
        let word = &self.text[span.start as usize..span.end as usize];
        if word.starts_with('_') || word.ends_with('_') {
            self.lexer.note("edge-underscore", span.clone(), || {
                let word = shown(word);
                format!("`{word}` begins or ends with `_`, which XMILE forbids; remove it")
            });
        }
        if self.lexer.open_follows()? {
            if self.dialect == Dialect::Vensim && name.folded == "with_lookup" {
                return Err(syntax(
                    span,
                    "WITH LOOKUP can only be the whole equation: give its points to a lookup of its own and call that",
                ));
            }
            let (_, open) = self.lexer.token()?;
            return self.push(Open::Call(name, span.start..open.end, Vec::new()));
        }
        if let Some(entry) = builtins::lookup(&name.folded, self.dialect)
            && entry.least > 0
        {
            self.lexer.note("reserved-name", span.clone(), || {
                format!(
                    "`{}` is read as a variable, but is a function's name: choose another, or write {}",
                    name.text, entry.usage
                )
            });
        }
        Ok(Some(leaf(ExprKind::Name(name), span)))
    }

    /// Goes on after an operand.
    fn after(&mut self, operand: Operand, token: Token, span: Span) -> Result<After, ExprError> {
        match token {
            Token::Binary(operator) => {
                let (left, chained) = self.reduce(operand, power(operator))?;
                if chained && matches!(power(operator), 3 | 4) {
                    self.lexer.note("chained-comparison", span, || {
                        "a < b < c compares the result of a < b, 0 or 1, with c; write a < b AND b < c".to_owned()
                    });
                }
                self.push(Open::Binary(operator, left))?;
                Ok(After::Wanted)
            }
            Token::Close => {
                let (inner, _) = self.reduce(operand, 0)?;
                match self.open.pop() {
                    Some(Open::Parenthesis(start)) => {
                        self.nesting -= 1;
                        let mut inner = inner;
                        inner.expr.span = start.start..span.end;
                        Ok(After::Operand(inner))
                    }
                    Some(Open::Call(name, start, mut arguments)) => {
                        self.nesting -= 1;
                        arguments.push(inner);
                        self.call(name, arguments, start.start..span.end).map(After::Operand)
                    }
                    Some(open) => Err(unfinished(&open)),
                    None => Err(syntax(span, "this `)` closes nothing: remove it, or open it with `(`")),
                }
            }
            Token::Comma => {
                let (argument, _) = self.reduce(operand, 0)?;
                match self.open.as_mut_slice() {
                    [.., Open::Call(_, _, arguments)] => {
                        arguments.push(argument);
                        Ok(After::Wanted)
                    }
                    [.., open @ (Open::If(_) | Open::Then(..))] => Err(unfinished(open)),
                    [.., Open::If(_), Open::Parenthesis(_)] => {
                        Err(syntax(span, "IF is no function: write IF c THEN a ELSE b"))
                    }
                    _ => Err(syntax(
                        span,
                        "a `,` separates the arguments of a function, but none is called here",
                    )),
                }
            }
            Token::Then => {
                let (condition, _) = self.reduce(operand, 0)?;
                match self.open.pop() {
                    Some(Open::If(start)) => {
                        self.open.push(Open::Then(start, condition));
                        Ok(After::Wanted)
                    }
                    _ => Err(syntax(
                        span,
                        "there is no IF before this THEN: write IF c THEN a ELSE b",
                    )),
                }
            }
            Token::Else => {
                let (then, _) = self.reduce(operand, 0)?;
                match self.open.pop() {
                    Some(Open::Then(start, condition)) => {
                        self.open.push(Open::Else(start, condition, then));
                        Ok(After::Wanted)
                    }
                    _ => Err(syntax(
                        span,
                        "there is no IF ... THEN before this ELSE: write IF c THEN a ELSE b",
                    )),
                }
            }
            token => {
                let what = describe(&token, &self.text[span.start as usize..span.end as usize]);
                Err(syntax(
                    span,
                    format!(
                        "an operator is missing before {what}: write one, such as *; a name of several words goes in quotes"
                    ),
                ))
            }
        }
    }

    /// Finishes what binds at least as tightly as `power`; 0 also finishes ELSE. True when the last thing finished
    /// was a comparison of this very power.
    fn reduce(&mut self, mut operand: Operand, power_of_next: u8) -> Result<(Operand, bool), ExprError> {
        let mut chained = false;
        loop {
            let finished = match self.open.last() {
                Some(Open::Unary(_, power, _)) => power_of_next < *power,
                Some(Open::Binary(operator, _)) => power_of_next < right_power(*operator),
                Some(Open::Else(..)) => power_of_next == 0,
                _ => false,
            };
            if !finished {
                return Ok((operand, chained));
            }
            chained = false;
            operand = match self.open.pop() {
                Some(Open::Unary(operator, _, start)) => {
                    self.nesting -= 1;
                    let span = start..operand.expr.span.end;
                    node(span, operand.height, || {
                        ExprKind::Unary(operator, Box::new(operand.expr))
                    })?
                }
                Some(Open::Binary(operator, left)) => {
                    self.nesting -= usize::from(operator == Binary::Power);
                    chained = power(operator) == power_of_next;
                    let span = left.expr.span.start..operand.expr.span.end;
                    node(span, left.height.max(operand.height), || {
                        ExprKind::Binary(operator, Box::new(left.expr), Box::new(operand.expr))
                    })?
                }
                Some(Open::Else(start, condition, then)) => {
                    self.nesting -= 1;
                    let span = start.start..operand.expr.span.end;
                    let height = condition.height.max(then.height).max(operand.height);
                    node(span, height, || {
                        ExprKind::If(Box::new(condition.expr), Box::new(then.expr), Box::new(operand.expr))
                    })?
                }
                _ => operand,
            };
        }
    }

    /// A call with all its arguments.
    fn call(&self, name: Name, arguments: Vec<Operand>, span: Span) -> Result<Operand, ExprError> {
        let height = arguments.iter().map(|argument| argument.height).max().unwrap_or(0);
        let arguments: Vec<Expr> = arguments.into_iter().map(|argument| argument.expr).collect();
        if self.dialect == Dialect::Vensim && name.folded == "if_then_else" {
            let count = arguments.len();
            let Ok([condition, then, otherwise]) = <[Expr; 3]>::try_from(arguments) else {
                return Err(syntax(
                    span,
                    format!("IF THEN ELSE takes 3 arguments, not {count}: write IF THEN ELSE(condition, a, b)"),
                ));
            };
            return node(span, height, || {
                ExprKind::If(Box::new(condition), Box::new(then), Box::new(otherwise))
            });
        }
        node(span, height, || ExprKind::Call(name, arguments))
    }

    /// The end of the text.
    fn end(&mut self, operand: Operand) -> Result<Operand, ExprError> {
        let (whole, _) = self.reduce(operand, 0)?;
        match self.open.pop() {
            Some(open) => Err(unfinished(&open)),
            None => Ok(whole),
        }
    }

    /// Why no operand begins here.
    fn no_operand(&self, token: &Token, span: Span) -> ExprError {
        let found = describe(token, &self.text[span.start as usize..span.end as usize]);
        let after = match self.open.last() {
            None => "at the start".to_owned(),
            Some(Open::Binary(operator, _)) => {
                format!("after `{}`", symbol(*operator))
            }
            Some(Open::Unary(..)) => "after a sign or NOT".to_owned(),
            Some(Open::Parenthesis(_)) => "after `(`".to_owned(),
            Some(Open::Call(name, ..)) => format!("as an argument of {}", shown(&name.text)),
            Some(Open::If(_)) if *token == Token::Then => {
                return syntax(span, "IF has no condition: XMILE writes IF c THEN a ELSE b");
            }
            Some(Open::If(_)) => "after IF".to_owned(),
            Some(Open::Then(..)) => "after THEN".to_owned(),
            Some(Open::Else(..)) => "after ELSE".to_owned(),
        };
        syntax(
            span,
            format!("a number, a name or `(` is expected {after}, but {found} was found"),
        )
    }
}

fn leaf(kind: ExprKind, span: Span) -> Operand {
    Operand {
        expr: Expr { kind, span },
        height: 1,
    }
}

/// A node above nodes of this height.
fn node(span: Span, height: u16, kind: impl FnOnce() -> ExprKind) -> Result<Operand, ExprError> {
    if height >= HEIGHT {
        return Err(ExprError {
            kind: ErrorKind::TooLarge,
            span,
            message: format!("this has more than {HEIGHT} operations in a row: split it into several variables"),
        });
    }
    Ok(Operand {
        expr: Expr { kind: kind(), span },
        height: height + 1,
    })
}

fn syntax(span: Span, message: impl Into<String>) -> ExprError {
    ExprError {
        kind: ErrorKind::Syntax,
        span,
        message: message.into(),
    }
}

/// What never came to its end.
fn unfinished(open: &Open) -> ExprError {
    match open {
        Open::Parenthesis(span) => syntax(span.clone(), "this `(` is never closed: add `)`"),
        Open::Call(name, span, _) => syntax(
            span.clone(),
            format!("the arguments of {} are never closed: add `)`", shown(&name.text)),
        ),
        Open::If(span) => syntax(span.clone(), "this IF has no THEN: write IF c THEN a ELSE b"),
        Open::Then(span, _) => syntax(span.clone(), "this IF has no ELSE: write IF c THEN a ELSE b"),
        Open::Unary(_, _, at) => syntax(*at..*at + 1, "this operator has no operand"),
        Open::Binary(_, left) => syntax(left.expr.span.clone(), "the operator after this has no operand"),
        Open::Else(span, ..) => syntax(span.clone(), "this IF has no end"),
    }
}

/// A token in words.
fn describe(token: &Token, text: &str) -> String {
    match token {
        Token::End => "the end".to_owned(),
        _ => format!("`{}`", shown(text)),
    }
}

/// As much of a name as a message shows.
pub(crate) fn shown(text: &str) -> std::borrow::Cow<'_, str> {
    /// In characters.
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        None => text.into(),
        Some((end, _)) => format!("{}…", &text[..end]).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// An expression with all its parentheses, in prefix form.
    fn shape(expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Number(number) => format!("{number}"),
            ExprKind::Name(name) => name.text.clone(),
            ExprKind::Unary(operator, a) => format!("({operator:?} {})", shape(a)),
            ExprKind::Binary(operator, a, b) => format!("({operator:?} {} {})", shape(a), shape(b)),
            ExprKind::If(c, a, b) => format!("(If {} {} {})", shape(c), shape(a), shape(b)),
            ExprKind::Call(name, arguments) => {
                let arguments: Vec<_> = arguments.iter().map(shape).collect();
                format!("{}[{}]", name.text, arguments.join("; "))
            }
        }
    }

    #[track_caller]
    fn parsed(text: &str, dialect: Dialect) -> Parsed {
        parse(text, dialect).unwrap_or_else(|e| panic!("{}", e.render(text)))
    }

    #[track_caller]
    fn reads(text: &str, expected: &str) {
        assert_eq!(shape(&parsed(text, Dialect::Xmile).expr), expected, "{text}");
    }

    #[track_caller]
    fn reads_vensim(text: &str, expected: &str) {
        assert_eq!(shape(&parsed(text, Dialect::Vensim).expr), expected, "{text}");
    }

    /// The part of `text` that the error is about, and its message.
    #[track_caller]
    fn fails(text: &str, place: &str, message: &str) {
        fails_as(text, Dialect::Xmile, place, message);
    }

    #[track_caller]
    fn fails_as(text: &str, dialect: Dialect, place: &str, message: &str) {
        match parse(text, dialect) {
            Ok(parsed) => panic!("{text} is read as {}", shape(&parsed.expr)),
            Err(error) => {
                let found = &text[error.span.start as usize..error.span.end as usize];
                assert_eq!(found, place, "{text}: {error}");
                assert!(error.message.contains(message), "{text}: {error}");
                assert_eq!(error.kind, ErrorKind::Syntax, "{text}");
            }
        }
    }

    /// Reads with exactly these notes.
    #[track_caller]
    fn notes(text: &str, expected: &str, codes: &[&str]) {
        let parsed = parsed(text, Dialect::Xmile);
        assert_eq!(shape(&parsed.expr), expected, "{text}");
        let found: Vec<_> = parsed.notes.iter().map(|note| note.code).collect();
        assert_eq!(found, codes, "{text}");
    }

    #[test]
    fn precedence_is_that_of_xmile() {
        reads("-a^2", "(Minus (Power a 2))");
        reads("2^b^2", "(Power 2 (Power b 2))");
        reads("2^-b^2", "(Power 2 (Minus (Power b 2)))");
        reads("a-b-c", "(Subtract (Subtract a b) c)");
        reads("a+b*c", "(Add a (Multiply b c))");
        reads("a*b MOD c", "(Modulo (Multiply a b) c)");
        reads("NOT 0 = 1", "(Equal (Not 0) 1)");
        reads("1 OR 0 AND 0", "(Or 1 (And 0 0))");
        reads("a<b<c", "(Less (Less a b) c)");
        reads("a<b = b>a", "(Equal (Less a b) (Greater b a))");
        reads(
            "IF a>b THEN 1 ELSE IF b>c THEN 2 ELSE 3",
            "(If (Greater a b) 1 (If (Greater b c) 2 3))",
        );
        reads(
            "1+(IF a>0 THEN 10 ELSE 20)*2",
            "(Add 1 (Multiply (If (Greater a 0) 10 20) 2))",
        );
        reads("2*IF a THEN 1 ELSE b+3", "(Multiply 2 (If a 1 (Add b 3)))");
        reads("IF a THEN IF b THEN 1 ELSE 2 ELSE 3", "(If a (If b 1 2) 3)");
        reads("a {first} * b {then; c ignored}", "(Multiply a b)");
        reads("1.5E2+.5e-1+3.", "(Add (Add 150 0.05) 3)");
        reads("a - -b", "(Subtract a (Minus b))");
        reads("-a*b", "(Multiply (Minus a) b)");
        reads("MAX(a, b+1, c) / TIME()", "(Divide MAX[a; (Add b 1); c] TIME[])");
    }

    #[test]
    fn vensim_spellings() {
        reads_vensim(
            "IF THEN ELSE(9.9>3.0 :AND: :NOT: 3.0>9.9,10,20)",
            "(If (And (Greater 9.9 3) (Not (Greater 3 9.9))) 10 20)",
        );
        reads_vensim("if then else ( a :or: b = c , 1, 0)", "(If (Or a (Equal b c)) 1 0)");
        reads_vensim(":NOT: a + 1 = b :AND: c", "(And (Not (Equal (Add a 1) b)) c)");
        reads_vensim("-3.0^2", "(Minus (Power 3 2))");
        reads_vensim(
            "PULSE TRAIN(1, 0.5, 2, FINAL TIME)",
            "PULSE TRAIN[1; 0.5; 2; FINAL TIME]",
        );
        reads_vensim(
            "SMOOTH3I(Stock 1 level, 4, Sales and Returns)",
            "SMOOTH3I[Stock 1 level; 4; Sales and Returns]",
        );
        reads_vensim("x = :NA:", "(Equal x -649037107316853500000000000000000)");
        reads_vensim("customer's demand * \\\n\t\t2", "(Multiply customer's demand 2)");
        reads_vensim("\"a-b\" + table name(Time/4)", "(Add a-b table name[(Divide Time 4)])");
        fails_as(
            "IF THEN ELSE(a, b)",
            Dialect::Vensim,
            "IF THEN ELSE(a, b)",
            "takes 3 arguments, not 2",
        );
        fails_as(
            "WITH LOOKUP(Time, ([(0,0)-(1,1)],(0,0)))",
            Dialect::Vensim,
            "WITH LOOKUP",
            "whole equation",
        );
        fails_as("a :XOR: b", Dialect::Vensim, ":", "`:` is no part of an equation");
    }

    #[test]
    fn names_are_read_as_xmile_has_them() {
        reads(
            "(\"Total Demand\"+TIME)*人口_率",
            "(Multiply (Add Total Demand TIME) 人口_率)",
        );
        reads("\"birth\\nrate\"", "birth\nrate");
        reads(
            "\"A \\\"Quoted\\\" Name\"+{note}birth__rate",
            "(Add A \"Quoted\" Name birth__rate)",
        );
        reads("\"a\\\\b\"", "a\\b");
        reads("birth\u{a0}rate\u{a0}2 +\u{a0}3", "(Add birth rate 2 3)");
        reads("isee.SAFEDIV(a, b)", "isee.SAFEDIV[a; b]");
        reads("std.\"a b\" + x1.y$", "(Add std.a b x1.y$)");
        reads("Größe / ÉTÉ", "(Divide Größe ÉTÉ)");
        reads("\"and\" and android", "(And and android)");
        reads("a\u{2003}b", "a\u{2003}b");
        reads("人口１", "人口１");
        let wide = parsed("a\u{2003}b", Dialect::Xmile).expr;
        assert!(matches!(wide.kind, ExprKind::Name(name) if name.folded != "a_b"));
    }

    #[test]
    fn leniency_is_noted() {
        notes("１＋２．５", "(Add 1 2.5)", &["full-width"]);
        notes(
            "MAX（a，b）×２ ≤ 3",
            "(LessEqual (Multiply MAX[a; b] 2) 3)",
            &["full-width"],
        );
        notes("a − “b c”", "(Subtract a b c)", &["full-width"]);
        notes(
            "人口　＊　出生率",
            "(Multiply 人口 出生率)",
            &["wide-blank", "full-width"],
        );
        notes("\u{feff}a ", "a", &["wide-blank"]);
        notes("a ｛注｝ + 1", "(Add a 1)", &["full-width"]);
        notes("birth rate * 2", "(Multiply birth rate 2)", &["joined-words"]);
        notes("a < b < c", "(Less (Less a b) c)", &["chained-comparison"]);
        notes("a = b <> c", "(NotEqual (Equal a b) c)", &["chained-comparison"]);
        notes("(a < b) < c", "(Less (Less a b) c)", &[]);
        notes("a < b = c < d", "(Equal (Less a b) (Less c d))", &[]);
        notes("_a + b_", "(Add _a b_)", &["edge-underscore"]);
        notes("max + 1", "(Add max 1)", &["reserved-name"]);
        notes("mod", "mod", &["reserved-name"]);
        notes(
            "(Mod MOD 3) * and AND OR",
            "(And (Multiply (Modulo Mod 3) and) OR)",
            &["reserved-name"],
        );
        notes("\"a\\b\"", "a\\b", &["unknown-escape"]);
        notes("pi * TIME", "(Multiply pi TIME)", &[]);
    }

    #[test]
    fn no_equation_is_its_own_outcome() {
        for text in [
            "",
            " \n\t",
            "{later}",
            " {a} {b} ",
            "???",
            " ??? {why}",
            "？？？",
            "\u{a0}",
        ] {
            for dialect in [Dialect::Xmile, Dialect::Vensim] {
                let error = parse(text, dialect).unwrap_err();
                assert_eq!(error.kind, ErrorKind::Missing, "{text}");
            }
        }
        fails("??? + a", "?", "`?` was found");
        fails("{never closed", "{", "close it with `}`");
    }

    #[test]
    fn errors_name_the_place_and_the_repair() {
        fails("Population * * 2", "*", "expected after `*`, but `*` was found");
        fails("a +", "", "expected after `+`, but the end was found");
        fails("(a + b", "(", "never closed");
        fails("MAX(a, b", "MAX(", "arguments of MAX are never closed");
        fails("MAX(a,,b)", ",", "as an argument of MAX");
        fails("a AND OR b", "OR", "after `AND`, but `OR` was found");
        fails("MOD(a, b)", "MOD", "`MOD` was found");
        fails("MAX(a,)", ")", "as an argument of MAX");
        fails("a + b)", ")", "closes nothing");
        fails("a, b", ",", "none is called here");
        fails("()", ")", "after `(`");
        fails("2 x", "x", "an operator is missing before `x`");
        fails("2(x)", "(", "an operator is missing before `(`");
        fails("Stock 1 + 2", "1", "an operator is missing before `1`");
        fails("1.2.3", ".3", "an operator is missing");
        fails("1e400", "1e400", "too great");
        fails("IF a > b", "IF", "no THEN");
        fails("IF a THEN b", "IF", "no ELSE");
        fails("IF THEN ELSE(a, b, c)", "THEN", "IF c THEN a ELSE b");
        fails("IF(a, b, c)", ",", "IF is no function");
        fails("(IF a THEN b) ELSE c", "IF", "no ELSE");
        fails("a THEN b", "THEN", "no IF");
        fails("IF a ELSE b", "ELSE", "no IF ... THEN");
        fails("a == b", "==", "write `=`");
        fails("a ** b", "**", "write `^`");
        fails("a != b", "!", "write NOT x, or a <> b");
        fails("a && b", "&", "write AND");
        fails("5 %", "%", "write 5 % as 0.05");
        fails("a[1]", "[", "arrays are not supported");
        fails("a :AND: b", ":AND:", "write AND without colons");
        fails("\"never closed", "\"", "close it with");
        fails("\" \"", "\" \"", "empty");
        fails("a. b", ".", "a point after a name");
    }

    #[test]
    fn prose_fails_where_it_stops_being_an_equation() {
        fails("grows by 5% each year", "5", "an operator is missing before `5`");
        fails("Water drains through the hole.", ".", "a point after a name");
        fails("depends on demand, and on price", ",", "none is called here");
        fails("水位：每天增加", "：", "`:` is no part of an equation");
        let long = "the more people know about it the more people want to tell others of it";
        fails(long, &long[..59], "reads as prose");
    }

    #[test]
    fn spans_are_the_text_of_the_part() {
        let text = "人口 * (a + \"b c\") ^ MAX( x , 2 )";
        let parsed = parsed(text, Dialect::Xmile).expr;
        let of = |expr: &Expr| &text[expr.span.start as usize..expr.span.end as usize];
        assert_eq!(of(&parsed), text);
        let ExprKind::Binary(_, left, right) = &parsed.kind else {
            panic!("{parsed:?}")
        };
        assert_eq!((of(left), of(right)), ("人口", &text[9..]));
        let ExprKind::Binary(_, sum, call) = &right.kind else {
            panic!("{right:?}")
        };
        assert_eq!((of(sum), of(call)), ("(a + \"b c\")", "MAX( x , 2 )"));
    }

    #[test]
    fn carets_stand_under_the_place() {
        let text = "人口 *\n出生 * * 2";
        let error = parse(text, Dialect::Xmile).unwrap_err();
        let lines: Vec<_> = error.render(text).lines().map(str::to_owned).collect();
        assert_eq!(lines[..2], ["出生 * * 2", "       ^"]);
        let long = format!("{} * * {}", "a + ".repeat(100) + "b", "c".repeat(200));
        let error = parse(&long, Dialect::Xmile).unwrap_err();
        let lines: Vec<_> = error.render(&long).lines().map(str::to_owned).collect();
        assert!(lines[0].chars().count() <= 123 && lines[0].starts_with('…') && lines[0].ends_with('…'));
        assert_eq!(lines[0].chars().nth(lines[1].find('^').unwrap()), Some('*'));
        assert_eq!(caret("a +", &(3..3)), "a +\n   ^");
        assert_eq!(caret("", &(7..9)), "\n^");
    }

    #[track_caller]
    fn too_large(text: &str) {
        let error = parse(text, Dialect::Xmile).unwrap_err();
        assert_eq!(error.kind, ErrorKind::TooLarge, "{error}");
    }

    #[test]
    fn nesting_and_length_are_bounded() {
        for (open, close) in [
            ("(", ")"),
            ("ABS(", ")"),
            ("-", ""),
            ("NOT ", ""),
            ("2^", ""),
            ("1-(", ")"),
        ] {
            let nested = |n: usize| format!("{}a{}", open.repeat(n), close.repeat(n));
            let deep = parsed(&nested(NESTING), Dialect::Xmile).expr;
            assert_eq!(deep.clone(), deep);
            too_large(&nested(NESTING + 1));
            too_large(&nested(LONGEST / 8));
        }
        let ifs = |n: usize| format!("{}c", "IF a THEN b ELSE ".repeat(n));
        parsed(&ifs(NESTING), Dialect::Xmile);
        too_large(&ifs(NESTING + 1));
        let sum = |n: usize| format!("a{}", "+a".repeat(n - 1));
        let high = parsed(&sum(usize::from(HEIGHT)), Dialect::Xmile).expr;
        assert_eq!(high.clone(), high);
        assert!(!format!("{high:?}").is_empty());
        too_large(&sum(usize::from(HEIGHT) + 1));
        too_large(&sum(LONGEST));
        let wide = format!("MAX({}1)", "1,".repeat(100_000));
        parsed(&wide, Dialect::Xmile);
    }

    #[test]
    fn long_hostile_texts_end() {
        for part in [
            "(",
            ")",
            "a ",
            "a\u{2003}",
            "{",
            "{}",
            "\"",
            "\\",
            "1.",
            ":",
            ":and:",
            "?",
            "<",
            "IF ",
            "a.",
            "１",
            "=",
            "a\u{a0}1",
        ] {
            let text = part.repeat(LONGEST / part.len());
            for dialect in [Dialect::Xmile, Dialect::Vensim] {
                if let Err(error) = parse(&text, dialect) {
                    assert!(error.render(&text).len() < 2_000, "{part}");
                }
            }
            too_large(&part.repeat(1_000_000));
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,40}", vensim: bool) {
            any(&text, vensim);
        }

        #[test]
        fn any_tokens_are_read_or_refused(
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    "a", "b c", " ", "1", "2.5e3", "+", "-", "*", "/", "^", "(", ")", ",", "IF ", " THEN ", " ELSE ", "NOT ",
                    " AND ", " MOD ", "<", "<=", "=", "\"x y\"", "{c}", "MAX(", "std.", "\u{a0}", "水", "＋", "?", ":AND:",
                ]),
                0..24,
            ),
            vensim: bool,
        ) {
            any(&parts.concat(), vensim);
        }
    }

    /// Reads or refuses with a place inside the text; every span is one of the text.
    fn any(text: &str, vensim: bool) {
        let dialect = if vensim { Dialect::Vensim } else { Dialect::Xmile };
        match parse(text, dialect) {
            Ok(parsed) => {
                for span in parsed.notes.iter().map(|note| &note.span).chain([&parsed.expr.span]) {
                    assert!(text.get(span.start as usize..span.end as usize).is_some());
                }
            }
            Err(error) => {
                assert!(text.get(error.span.start as usize..error.span.end as usize).is_some());
                assert!(error.render(text).contains(&error.message));
            }
        }
    }
}
