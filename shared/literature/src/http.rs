//! Requests with a deadline, a cap on what comes back, and few redirects.

use meadow_service::SourceError;
use reqwest::header::{CONTENT_TYPE, HeaderMap, RETRY_AFTER};
use reqwest::redirect::{Action, Attempt, Policy};
use reqwest::{Client, Request, StatusCode};
use std::sync::OnceLock;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// Redirects that are followed.
const REDIRECTS: usize = 3;

/// Follows where the next address is the same server: a key of the user's goes along with the request.
fn same_origin(attempt: Attempt<'_>) -> Action {
    let next = attempt.url();
    let same = attempt
        .previous()
        .last()
        .is_some_and(|last| last.origin() == next.origin());
    if same && attempt.previous().len() <= REDIRECTS {
        attempt.follow()
    } else {
        attempt.error("it redirects too often, or to another server")
    }
}

/// How long a request may take and how much may come back.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Until there is a connection.
    pub(crate) connect: Duration,
    /// Until the last byte.
    pub(crate) attempt: Duration,
    /// Bytes of a body: 30 records of arXiv are about 150 kB, its largest answers (2,000 records) about 6 MB.
    pub(crate) body: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(3),
            // Shorter than the attempt of the use cases, so that a failure is told by its reason.
            attempt: Duration::from_millis(7_800),
            body: 8 << 20,
        }
    }
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    /// `application/atom+xml; charset=utf-8`, in lower case.
    pub(crate) kind: String,
    /// For how long we are to wait, where it says so in seconds.
    pub(crate) retry_after: Option<Duration>,
    pub(crate) body: Vec<u8>,
}

/// The client. Built with the first request: it reads the system's certificates.
#[derive(Debug)]
pub(crate) struct Http {
    agent: String,
    limits: Limits,
    client: OnceLock<Result<Client, String>>,
}

impl Http {
    /// A client that says who asks.
    ///
    /// # Errors
    /// A contact that no header takes.
    pub(crate) fn new(contact: Option<&str>, limits: Limits) -> Result<Self, String> {
        let contact = contact.map(str::trim).filter(|contact| !contact.is_empty());
        let plain = |c: char| c.is_ascii_graphic() && !"()\\\"".contains(c);
        if let Some(contact) = contact.filter(|contact| contact.len() > 200 || !contact.chars().all(plain)) {
            return Err(format!("the contact {contact:?} must be an e-mail address or a URL"));
        }
        let version = env!("CARGO_PKG_VERSION");
        let agent = match contact {
            Some(contact) => format!("Meadow/{version} (+{contact})"),
            None => format!("Meadow/{version}"),
        };
        Ok(Self {
            agent,
            limits,
            client: OnceLock::new(),
        })
    }

    /// The client.
    ///
    /// # Errors
    /// Where it cannot be built, for want of certificates for instance.
    pub(crate) fn client(&self) -> Result<&Client, SourceError> {
        let built = self.client.get_or_init(|| {
            Client::builder()
                .user_agent(&self.agent)
                .redirect(Policy::custom(same_origin))
                .referer(false)
                .connect_timeout(self.limits.connect)
                .timeout(self.limits.attempt)
                .build()
                .map_err(|error| reason(&error))
        });
        built.as_ref().map_err(|reason| unavailable(reason.clone()))
    }

    /// Sends a request and reads the whole answer.
    ///
    /// # Errors
    /// Where none comes, whole and in time; where it is too large.
    pub(crate) async fn send(&self, request: Request) -> Result<Answer, SourceError> {
        let deadline = Instant::now() + self.limits.attempt;
        let late = || unavailable(format!("it did not answer within {:?}", self.limits.attempt));
        let client = self.client()?;
        let answered = timeout_at(deadline, client.execute(request))
            .await
            .map_err(|_| late())?;
        let mut response = answered.map_err(|error| unavailable(reason(&error)))?;
        let status = response.status();
        let kind = text(response.headers(), CONTENT_TYPE.as_str()).to_ascii_lowercase();
        let retry_after = text(response.headers(), RETRY_AFTER.as_str()).trim().parse().ok();
        let too_large = || unavailable(format!("its answer is larger than {} bytes", self.limits.body));
        let mut body = Vec::new();
        loop {
            let chunk = timeout_at(deadline, response.chunk()).await.map_err(|_| late())?;
            let Some(chunk) = chunk.map_err(|error| unavailable(reason(&error)))? else {
                break;
            };
            if body.len() + chunk.len() > self.limits.body {
                return Err(too_large());
            }
            body.extend_from_slice(&chunk);
        }
        Ok(Answer {
            status,
            kind,
            retry_after: retry_after.map(Duration::from_secs),
            body,
        })
    }
}

fn text<'h>(headers: &'h HeaderMap, name: &str) -> &'h str {
    headers
        .get(name)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
}

pub(crate) fn unavailable(reason: impl Into<String>) -> SourceError {
    SourceError::Unavailable {
        reason: reason.into(),
        pause: None,
    }
}

/// Why a request failed, in a few words without its URL.
fn reason(error: &reqwest::Error) -> String {
    let what = if error.is_timeout() {
        "it did not answer in time"
    } else if error.is_connect() {
        "no connection to it"
    } else if error.is_redirect() {
        "it redirects too often, or to where nobody should follow"
    } else if error.is_body() || error.is_decode() {
        "its answer broke off"
    } else {
        "the request failed"
    };
    let mut cause: &dyn std::error::Error = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    let cause = meadow_papers::text::cut(&meadow_papers::text::one_line(&cause.to_string()), 100);
    if error.is_timeout() {
        what.to_owned()
    } else {
        format!("{what} ({cause})")
    }
}

/// How long a source is to be left alone that is too busy: what it says, at least a minute, at most half an hour.
pub(crate) fn pause(said: Option<Duration>) -> Duration {
    said.unwrap_or_default()
        .clamp(Duration::from_secs(60), Duration::from_secs(30 * 60))
}
