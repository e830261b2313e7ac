//! Who may do what: scopes, access tokens, and the words of a refusal.
//!
//! # Layout, in reading order
//! - [`scope`]: what a caller may do.
//! - [`token`]: an access token, made from randomness that comes in as an argument and read strictly.
//! - [`bearer`](mod@bearer): the token in the header `Authorization`.
//! - [`refusal`]: why a request is not let in, and the challenge that says so.
//! - [`secret`]: a text that no log shows.
//!
//! This crate knows neither HTTP's types nor where tokens are kept. Today's tokens are Meadow's own; those of an
//! identity provider would be read beside [`token`] and end in the same refusals.

pub mod bearer;
pub mod refusal;
pub mod scope;
pub mod secret;
pub mod token;

pub use bearer::bearer;
pub use refusal::Refusal;
pub use scope::{Scope, Scopes, UnknownScope};
pub use secret::Secret;
pub use token::{BadTokenId, Hash, NewToken, TokenId};
