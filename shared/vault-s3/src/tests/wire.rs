//! What goes wrong between the vault and S3, by request.

use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_runtime_api::http::StatusCode;
use std::fmt;
use std::sync::{Arc, Mutex};

/// What becomes of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is done and answered.
    Answered,
    /// It is done, and the answer is lost.
    ReplyLost,
    /// It never arrives.
    Lost,
    /// It is not done: S3 answers with this status and code; a look gets no code.
    Refused(u16, &'static str),
}

/// Decides by the method of a request, and how many of that method came before.
type Decide = dyn FnMut(&str, usize) -> Fate + Send;

/// A client whose requests meet the fate that a function decides.
#[derive(Clone)]
pub(super) struct Wire {
    inner: SharedHttpClient,
    state: Arc<Mutex<(Vec<String>, Box<Decide>)>>,
}

impl Wire {
    pub(super) fn new(decide: impl FnMut(&str, usize) -> Fate + Send + 'static) -> Self {
        Self {
            inner: aws_smithy_http_client::Builder::new().build_http(),
            state: Arc::new(Mutex::new((Vec::new(), Box::new(decide)))),
        }
    }

    /// The first requests of a method, so many of them, meet this fate.
    pub(super) fn first(method: &'static str, times: usize, fate: Fate) -> Self {
        Self::new(move |asked, number| {
            if asked == method && number < times {
                fate
            } else {
                Fate::Answered
            }
        })
    }

    /// How many requests of this method there were.
    pub(super) fn count(&self, method: &str) -> usize {
        let state = self.state.lock().expect("no panic");
        state.0.iter().filter(|seen| *seen == method).count()
    }

    fn next(&self, method: &str) -> Fate {
        let number = self.count(method);
        let mut state = self.state.lock().expect("no panic");
        let (seen, decide) = &mut *state;
        seen.push(method.to_owned());
        decide(method, number)
    }
}

impl fmt::Debug for Wire {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Wire")
    }
}

impl HttpClient for Wire {
    fn http_connector(&self, settings: &HttpConnectorSettings, components: &RuntimeComponents) -> SharedHttpConnector {
        SharedHttpConnector::new(Line {
            wire: self.clone(),
            inner: self.inner.http_connector(settings, components),
        })
    }
}

#[derive(Debug)]
struct Line {
    wire: Wire,
    inner: SharedHttpConnector,
}

fn lost() -> ConnectorError {
    ConnectorError::io("the connection was reset".into())
}

impl HttpConnector for Line {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let fate = self.wire.next(request.method());
        let inner = self.inner.clone();
        HttpConnectorFuture::new(async move {
            match fate {
                Fate::Answered => inner.call(request).await,
                Fate::ReplyLost => {
                    inner.call(request).await?;
                    Err(lost())
                }
                Fate::Lost => Err(lost()),
                Fate::Refused(status, code) => {
                    let status = StatusCode::try_from(status).map_err(|e| ConnectorError::other(e.into(), None))?;
                    let body = match request.method() {
                        "HEAD" => String::new(),
                        _ => format!("<Error><Code>{code}</Code><Message>injected</Message></Error>"),
                    };
                    Ok(HttpResponse::new(status, body.into()))
                }
            }
        })
    }
}
