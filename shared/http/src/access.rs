//! Who asks: told by the token of a request, or the same for all.

use crate::cors::Preflight;
use crate::layers::Config;
use crate::problem::Problem;
use crate::routes;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::HeaderMap;
use http::header::AUTHORIZATION;
use meadow_access::bearer;
use meadow_service::{Caller, Tokens};
use std::sync::Arc;

/// How it is told who asks.
#[derive(Debug, Clone)]
pub enum Access {
    /// Whoever reaches the server is this caller.
    Open(Caller),
    /// Each request brings an access token.
    Tokens(Arc<Tokens>),
}

impl Access {
    async fn caller(&self, headers: &HeaderMap) -> Result<Caller, Problem> {
        match self {
            Self::Open(caller) => Ok(caller.clone()),
            Self::Tokens(tokens) => {
                let token = bearer(headers.get_all(AUTHORIZATION).iter().map(AsRef::as_ref))?;
                Ok(tokens.verify(token).await?)
            }
        }
    }

    /// Whether what is answered at this path depends on the token.
    pub(crate) fn guards(&self, path: &str) -> bool {
        matches!(self, Self::Tokens(_)) && !routes::is_open(path)
    }
}

/// Stands around every route, those of other surfaces included, and puts the [`Caller`] into the request's extensions.
/// What no route answers needs no token: clients look for documents about access that are not there, and must see so.
/// Nor does a preflight, which browsers send without one; routes answer it with their methods and nothing else.
///
/// Nothing behind it sees the token, so nothing can log it or pass it on.
pub(crate) async fn identify(State(config): State<Arc<Config>>, mut request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let caller = if routes::is_open(path) || request.extensions().get::<Preflight>().is_some() {
        None
    } else {
        match config.access.caller(request.headers()).await {
            Ok(caller) => Some(caller),
            Err(problem) => return problem.into_response(),
        }
    };
    request.headers_mut().remove(AUTHORIZATION);
    let subject = caller.as_ref().map(|caller| caller.subject);
    if let Some(caller) = caller {
        request.extensions_mut().insert(caller);
    }
    let mut response = next.run(request).await;
    if let Some(subject) = subject {
        response.extensions_mut().insert(subject);
    }
    response
}
