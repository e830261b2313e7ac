//! Access tokens: making, verifying, listing and revoking them, and where they are kept.

mod cache;
mod memory;

use crate::clock::{Clock, Timestamp};
use crate::ids::Workspace;
use crate::ports::StoreError;
use crate::service::{Caller, Subject};
use async_trait::async_trait;
use cache::Cache;
use meadow_access::{Hash, Refusal, Scopes, Secret, TokenId, token};
pub use memory::MemoryTokens;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// How long a new token lasts where nobody says otherwise.
pub const DEFAULT_LIFE: Duration = Duration::from_secs(90 * 24 * 60 * 60);

/// The longest name of a token, in characters.
pub const MAX_NAME: usize = 100;

/// What is kept of a token: never the token itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenRecord {
    /// Its public name.
    pub id: TokenId,
    /// What people call it.
    pub name: String,
    /// Whose models it opens.
    pub workspace: Workspace,
    /// What it allows.
    pub scopes: Scopes,
    /// SHA-256 of the whole token.
    pub hash: Hash,
    /// When it was made.
    pub created: Timestamp,
    /// From when on it is no longer taken; none: it lasts until it is revoked.
    pub expires: Option<Timestamp>,
    /// From when on it is revoked, which may lie ahead: the grace of a token that was replaced.
    pub revoked: Option<Timestamp>,
}

impl TokenRecord {
    /// Whether it is revoked by now.
    #[must_use]
    pub fn is_revoked(&self, now: Timestamp) -> bool {
        self.revoked.is_some_and(|at| at <= now)
    }

    /// Whether its time is over by now.
    #[must_use]
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires.is_some_and(|at| at <= now)
    }

    /// The same, revoked from `at` on; from an earlier time on where that was said before.
    #[must_use]
    pub fn revoked_at(mut self, at: Timestamp) -> Self {
        self.revoked = Some(self.revoked.map_or(at, |before| before.min(at)));
        self
    }
}

/// Where tokens are kept.
///
/// Promises, which `contract::tokens` holds against every store:
/// - A record is made once and never changes afterwards, but for `revoked`. Of N racing puts with one id exactly one
///   makes it.
/// - A revocation is never taken back nor put off: of several the earliest time counts.
/// - Who reads after an answer sees what was answered.
#[async_trait]
pub trait TokenStore: Send + Sync + fmt::Debug {
    /// The record of a token, revoked or expired ones too.
    async fn get(&self, id: TokenId) -> Result<Option<TokenRecord>, StoreError>;

    /// Makes a record. False where there is one with this id and another hash, which stays as it is; the same record
    /// again, because the reply was lost, is answered as the first time.
    async fn put(&self, record: &TokenRecord) -> Result<bool, StoreError>;

    /// Revokes a token from `at` on; gives its record as it stands now, none where there is no such token.
    async fn revoke(&self, id: TokenId, at: Timestamp) -> Result<Option<TokenRecord>, StoreError>;

    /// All records, by the time when they were made, then by id.
    async fn list(&self) -> Result<Vec<TokenRecord>, StoreError>;
}

/// What a new token should be.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// What people call it.
    pub name: String,
    /// Whose models it opens.
    pub workspace: Workspace,
    /// What it allows.
    pub scopes: Scopes,
    /// How long it lasts; none: until it is revoked.
    pub life: Option<Duration>,
    /// The token that it takes the place of, and for how long both are taken.
    pub replaces: Option<(TokenId, Duration)>,
}

/// A new token: the only time that its text is known.
#[derive(Debug, Clone)]
pub struct Made {
    /// What was kept of it.
    pub record: TokenRecord,
    /// The token.
    pub text: Secret,
    /// The record of the token that it takes the place of.
    pub replaced: Option<TokenRecord>,
}

/// Why no token was made or revoked.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// Something that was asked for cannot be.
    #[error("{0}")]
    Refused(String),
    /// There is no token of this id.
    #[error("there is no token {0}; `meadow token list` shows those there are")]
    NotFound(TokenId),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The system gave no randomness.
    #[error("the system gave no randomness: {0}")]
    Randomness(#[from] getrandom::Error),
}

/// Why a token does not let in.
#[derive(Debug, thiserror::Error)]
pub enum Denied {
    /// The token itself.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The store could not be asked: it may be a good token.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The use cases of tokens.
#[derive(Debug)]
pub struct Tokens {
    store: Arc<dyn TokenStore>,
    clock: Arc<dyn Clock>,
    verified: Cache,
}

impl Tokens {
    /// Use cases over these ports.
    #[must_use]
    pub fn new(store: Arc<dyn TokenStore>, clock: Arc<dyn Clock>) -> Self {
        Self {
            store,
            clock,
            verified: Cache::default(),
        }
    }

    /// Makes a token. One that replaces another is made first: should the rest fail, both are taken.
    ///
    /// # Errors
    /// [`TokenError`]; no token was made then, unless the store failed when the replaced one was to be revoked.
    pub async fn create(&self, wanted: Wanted) -> Result<Made, TokenError> {
        check(&wanted)?;
        let now = self.clock.now();
        let old = match wanted.replaces {
            None => None,
            Some((id, grace)) => {
                let old = self.store.get(id).await?.ok_or(TokenError::NotFound(id))?;
                if old.is_revoked(now) || old.is_expired(now) {
                    return Err(TokenError::Refused(format!(
                        "token {id} is no longer taken, so there is nothing to replace; make a new one without --replaces"
                    )));
                }
                Some((id, after(now, grace)))
            }
        };
        let mut random = [0; token::RANDOM];
        let (record, text) = loop {
            getrandom::fill(&mut random)?;
            let new = token::make(&random);
            let record = TokenRecord {
                id: new.id,
                name: wanted.name.trim().to_owned(),
                workspace: wanted.workspace.clone(),
                scopes: wanted.scopes,
                hash: new.hash,
                created: now,
                expires: wanted.life.map(|life| after(now, life)),
                revoked: None,
            };
            // Another token has this id: one try in 2^50.
            if self.store.put(&record).await? {
                break (record, new.text);
            }
        };
        let replaced = match old {
            None => None,
            Some((id, at)) => self.store.revoke(id, at).await?,
        };
        Ok(Made { record, text, replaced })
    }

    /// Who sends this token.
    ///
    /// # Errors
    /// [`Denied`]. A token that was never made, one with another's secret and a revoked one are answered alike, after
    /// the same work.
    pub async fn verify(&self, text: &str) -> Result<Caller, Denied> {
        let id = token::read(text)?;
        let hash = token::hash(text);
        // Before the store is asked: what it says may be old by the time it arrives.
        let now = self.clock.now();
        if let Some(caller) = self.verified.get(&hash, now) {
            return Ok(caller);
        }
        let record = self.store.get(id).await?;
        let kept = record.as_ref().map_or([0; 32], |record| record.hash);
        let matches = token::same(&kept, &hash);
        let Some(record) = record.filter(|record| matches && !record.is_revoked(now)) else {
            return Err(Refusal::Unknown.into());
        };
        if record.is_expired(now) {
            return Err(Refusal::Expired.into());
        }
        let caller = Caller {
            workspace: record.workspace,
            scopes: record.scopes,
            subject: Subject::Token(id),
        };
        let ends = record.expires.into_iter().chain(record.revoked).min();
        self.verified.keep(hash, caller.clone(), now, ends);
        Ok(caller)
    }

    /// All tokens, by the time when they were made.
    ///
    /// # Errors
    /// Of the store.
    pub async fn list(&self) -> Result<Vec<TokenRecord>, StoreError> {
        self.store.list().await
    }

    /// Revokes a token at once. Servers that took it a moment ago take it for at most 60 s more.
    ///
    /// # Errors
    /// [`TokenError::NotFound`], [`TokenError::Store`].
    pub async fn revoke(&self, id: TokenId) -> Result<TokenRecord, TokenError> {
        let record = self.store.revoke(id, self.clock.now()).await?;
        record.ok_or(TokenError::NotFound(id))
    }

    /// Now, as tokens are judged by.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }
}

fn check(wanted: &Wanted) -> Result<(), TokenError> {
    let name = wanted.name.trim();
    let refused = |text: String| Err(TokenError::Refused(text));
    if name.is_empty() || name.chars().count() > MAX_NAME || name.chars().any(char::is_control) {
        return refused(format!(
            "the name of a token has 1 to {MAX_NAME} characters without line breaks; say who or what uses it, such as \"claude on my laptop\""
        ));
    }
    if wanted.scopes.is_empty() {
        return refused(format!(
            "a token without scopes allows nothing; choose among {}",
            Scopes::all()
        ));
    }
    if wanted.life.is_some_and(|life| life.is_zero()) {
        return refused("a token that lasts no time lets nobody in; say for how long, such as 90d".into());
    }
    Ok(())
}

/// The latest time that people and databases can write: the end of the year 9999.
const LAST: Timestamp = Timestamp(253_402_300_799_999);

fn after(now: Timestamp, time: Duration) -> Timestamp {
    let millis = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    Timestamp(now.0.saturating_add(millis).min(LAST.0))
}

#[cfg(test)]
mod tests;
