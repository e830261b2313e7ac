//! Tokens over a store in memory, with a clock that is set.

use super::*;
use crate::contract;
use meadow_access::Scope;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

const DAY: u64 = 24 * 60 * 60 * 1000;
const HOUR: Duration = Duration::from_secs(60 * 60);

#[derive(Debug, Default)]
struct SetClock(AtomicU64);

impl Clock for SetClock {
    fn now(&self) -> Timestamp {
        Timestamp(self.0.load(Ordering::SeqCst))
    }
}

/// Counts look-ups, and fails on demand.
#[derive(Debug, Default)]
struct Watched {
    inner: MemoryTokens,
    gets: AtomicU64,
    away: AtomicBool,
}

#[async_trait]
impl TokenStore for Watched {
    async fn get(&self, id: TokenId) -> Result<Option<TokenRecord>, StoreError> {
        self.gets.fetch_add(1, Ordering::SeqCst);
        if self.away.load(Ordering::SeqCst) {
            return Err(StoreError::Unavailable("away".into()));
        }
        self.inner.get(id).await
    }

    async fn put(&self, record: &TokenRecord) -> Result<bool, StoreError> {
        self.inner.put(record).await
    }

    async fn revoke(&self, id: TokenId, at: Timestamp) -> Result<Option<TokenRecord>, StoreError> {
        self.inner.revoke(id, at).await
    }

    async fn list(&self) -> Result<Vec<TokenRecord>, StoreError> {
        self.inner.list().await
    }
}

struct Desk {
    tokens: Tokens,
    clock: Arc<SetClock>,
    store: Arc<Watched>,
}

impl Desk {
    fn new() -> Self {
        let (clock, store) = (Arc::new(SetClock::default()), Arc::new(Watched::default()));
        Self {
            tokens: Tokens::new(store.clone(), clock.clone()),
            clock,
            store,
        }
    }

    fn set(&self, millis: u64) {
        self.clock.0.store(millis, Ordering::SeqCst);
    }

    fn gets(&self) -> u64 {
        self.store.gets.load(Ordering::SeqCst)
    }

    async fn made(&self, wanted: Wanted) -> Made {
        self.tokens.create(wanted).await.expect("a token")
    }

    /// Who sends this token; the refusal else.
    async fn verify(&self, text: &str) -> Result<Caller, Refusal> {
        self.tokens.verify(text).await.map_err(|denied| match denied {
            Denied::Refused(refusal) => refusal,
            Denied::Store(error) => panic!("{error}"),
        })
    }
}

fn wanted() -> Wanted {
    Wanted {
        name: "laptop".into(),
        workspace: Workspace::new("team-a").expect("a workspace"),
        scopes: Scope::ModelRead.into(),
        life: Some(DEFAULT_LIFE),
        replaces: None,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_store_in_memory_keeps_the_contract() {
    contract::tokens::assert_keeps_the_contract(|| Arc::new(MemoryTokens::new()), contract::ROUNDS).await;
}

#[tokio::test]
async fn a_token_opens_its_workspace_with_its_scopes() {
    let desk = Desk::new();
    let made = desk.made(wanted()).await;
    let caller = desk.verify(made.text.reveal()).await.expect("lets in");
    let expected = Caller {
        workspace: Workspace::new("team-a").expect("a workspace"),
        scopes: Scope::ModelRead.into(),
        subject: Subject::Token(made.record.id),
    };
    assert_eq!(caller, expected);
    assert_eq!(caller.subject.to_string(), format!("token:{}", made.record.id));
    assert_eq!(
        desk.tokens.list().await.expect("a list"),
        std::slice::from_ref(&made.record)
    );
    assert!(!format!("{:?}", desk.tokens).contains(&made.text.reveal()[15..]));
}

#[tokio::test]
async fn a_token_ends() {
    let desk = Desk::new();
    let (made, lasting) = (
        desk.made(wanted()).await,
        desk.made(Wanted { life: None, ..wanted() }).await,
    );
    let text = made.text.reveal();
    desk.set(90 * DAY - 1);
    assert!(desk.verify(text).await.is_ok());
    desk.set(90 * DAY);
    assert_eq!(
        desk.verify(text).await,
        Err(Refusal::Expired),
        "not even from the cache"
    );
    desk.set(5000 * DAY);
    assert!(desk.verify(lasting.text.reveal()).await.is_ok());
    // Who revoked it does not tell that it would have expired.
    desk.tokens.revoke(made.record.id).await.expect("revoked");
    assert_eq!(desk.verify(text).await, Err(Refusal::Unknown));
}

#[tokio::test]
async fn a_revocation_is_seen_within_a_minute() {
    let desk = Desk::new();
    let made = desk.made(wanted()).await;
    let text = made.text.reveal();
    desk.set(1000);
    assert!(desk.verify(text).await.is_ok());
    // By another process.
    desk.set(1001);
    let other = Tokens::new(desk.store.clone(), desk.clock.clone());
    other.revoke(made.record.id).await.expect("revoked");
    desk.set(60_999);
    assert!(desk.verify(text).await.is_ok(), "taken from the cache");
    desk.set(61_000);
    assert_eq!(desk.verify(text).await, Err(Refusal::Unknown));
    assert_eq!(desk.gets(), 2);
    let again = desk.tokens.revoke(made.record.id).await.expect("revoked again");
    assert_eq!(again.revoked, Some(Timestamp(1001)));
}

#[tokio::test]
async fn what_is_not_known_is_answered_alike() {
    let desk = Desk::new();
    let (made, revoked) = (desk.made(wanted()).await, desk.made(wanted()).await);
    desk.tokens.revoke(revoked.record.id).await.expect("revoked");
    // Another secret under a known id, as somebody who knows the form would make it.
    let mut random = [7; token::RANDOM];
    let never_made = token::make(&random);
    desk.store
        .inner
        .put(&TokenRecord {
            id: never_made.id,
            ..made.record.clone()
        })
        .await
        .expect("put");
    random[38] = 8;
    let wrong = token::make(&random);
    assert_eq!(wrong.id, never_made.id);
    let unknown = token::make(&[9; token::RANDOM]);
    for text in [&revoked.text, &never_made.text, &wrong.text, &unknown.text] {
        let gets = desk.gets();
        assert_eq!(desk.verify(text.reveal()).await, Err(Refusal::Unknown));
        assert_eq!(desk.gets(), gets + 1, "the same work");
    }
    let gets = desk.gets();
    assert_eq!(desk.verify(&made.text.reveal()[..63]).await, Err(Refusal::Mistyped));
    assert_eq!(desk.verify("eyJ").await, Err(Refusal::Unknown));
    assert_eq!(desk.gets(), gets, "nobody is asked about these");
}

#[tokio::test]
async fn a_good_token_costs_one_look_up_a_minute() {
    let desk = Desk::new();
    let made = desk.made(wanted()).await;
    for now in [0, 1, 59_999] {
        desk.set(now);
        assert!(desk.verify(made.text.reveal()).await.is_ok());
    }
    assert_eq!(desk.gets(), 1);
    desk.set(60_000);
    assert!(desk.verify(made.text.reveal()).await.is_ok());
    assert_eq!(desk.gets(), 2);
}

#[tokio::test]
async fn a_store_that_is_away_is_no_refusal() {
    let desk = Desk::new();
    let made = desk.made(wanted()).await;
    desk.store.away.store(true, Ordering::SeqCst);
    let denied = desk.tokens.verify(made.text.reveal()).await.expect_err("nobody knows");
    assert!(matches!(denied, Denied::Store(_)), "{denied}");
    desk.store.away.store(false, Ordering::SeqCst);
    assert!(desk.verify(made.text.reveal()).await.is_ok());
    desk.store.away.store(true, Ordering::SeqCst);
    assert!(desk.verify(made.text.reveal()).await.is_ok(), "taken from the cache");
}

#[tokio::test]
async fn a_replaced_token_is_taken_for_its_grace() {
    let desk = Desk::new();
    let old = desk.made(wanted()).await;
    let replacing = Wanted {
        replaces: Some((old.record.id, HOUR)),
        ..wanted()
    };
    let new = desk.made(replacing.clone()).await;
    let replaced = new.replaced.expect("a replaced token");
    assert_eq!(
        (replaced.id, replaced.revoked),
        (old.record.id, Some(Timestamp(3_600_000)))
    );
    desk.set(3_599_999);
    assert!(desk.verify(old.text.reveal()).await.is_ok());
    desk.set(3_600_000);
    assert_eq!(
        desk.verify(old.text.reveal()).await,
        Err(Refusal::Unknown),
        "not even from the cache"
    );
    assert!(desk.verify(new.text.reveal()).await.is_ok());
    let error = desk.tokens.create(replacing).await.expect_err("it is no longer taken");
    assert!(error.to_string().contains("without --replaces"), "{error}");
    let unknown = Wanted {
        replaces: Some(("aaaaaaaaaa".parse().expect("an id"), HOUR)),
        ..wanted()
    };
    let error = desk.tokens.create(unknown).await.expect_err("there is none");
    assert!(matches!(error, TokenError::NotFound(_)), "{error}");
    assert_eq!(
        desk.tokens.list().await.expect("a list").len(),
        2,
        "refusals make no token"
    );
}

#[tokio::test]
async fn what_makes_no_sense_is_refused() {
    let desk = Desk::new();
    let check = async |wanted: Wanted, part: &str| {
        let error = desk.tokens.create(wanted).await.expect_err(part).to_string();
        assert!(error.contains(part), "{error}");
    };
    for name in ["", "  ", "a\nb", &"x".repeat(101)] {
        check(
            Wanted {
                name: name.into(),
                ..wanted()
            },
            "1 to 100 characters",
        )
        .await;
    }
    check(
        Wanted {
            scopes: Scopes::default(),
            ..wanted()
        },
        "choose among model:read",
    )
    .await;
    check(
        Wanted {
            life: Some(Duration::ZERO),
            ..wanted()
        },
        "such as 90d",
    )
    .await;
    assert_eq!(desk.tokens.list().await.expect("a list"), []);
    let ages = desk
        .made(Wanted {
            life: Some(Duration::MAX),
            ..wanted()
        })
        .await;
    assert_eq!(ages.record.expires, Some(LAST));
    assert_eq!(LAST.to_string(), "9999-12-31T23:59:59.999Z");
}
