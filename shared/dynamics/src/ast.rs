//! What an expression is made of.

use std::ops::Range;

/// Bytes of the equation's text.
pub type Span = Range<u32>;

/// An expression with the place it has in the equation.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// What an expression is.
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    /// A number.
    Number(f64),
    /// A name without parentheses: a variable, or a builtin such as TIME.
    Name(Name),
    /// A sign or NOT before an operand.
    Unary(Unary, Box<Expr>),
    /// An operator between two operands.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// IF condition THEN then ELSE otherwise; only the chosen branch is evaluated.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A name with arguments: a builtin, or a graphical function.
    Call(Name, Vec<Expr>),
}

/// A name as it stands and as it is compared.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Name {
    /// As written, escapes resolved.
    pub text: String,
    /// Folded: runs of blanks and underscores to one `_`, trimmed, in lower case.
    pub folded: String,
}

/// Operators with one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unary {
    /// `+x`
    Plus,
    /// `-x`
    Minus,
    /// `NOT x`
    Not,
}

/// Operators with two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binary {
    /// `^`
    Power,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `MOD`
    Modulo,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `=`
    Equal,
    /// `<>`
    NotEqual,
    /// `AND`
    And,
    /// `OR`
    Or,
}

/// Whose spelling an equation has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dialect {
    /// XMILE 1.0; also every `rate_expr` of our document.
    #[default]
    Xmile,
    /// Vensim: `:AND:`, `IF THEN ELSE(c, a, b)`, builtins with blanks in their names.
    Vensim,
}
