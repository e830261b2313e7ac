//! CORS (the Fetch standard): pages of allowed origins may read every answer, refusals and failures included.
//!
//! The origin is named back as it came, never as `*`, and no cookies are heard of: a page that has no token gets no
//! further than anybody else. A preflight is answered before access is checked, since browsers send none of the page's
//! headers with it; which methods there are tells the route itself, in `Allow`.

use crate::guard::is_allowed;
use axum::extract::Request;
use axum::response::Response;
use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, ALLOW, ORIGIN,
};
use http::{HeaderValue, Method};

/// What pages may send.
const SENT: &str = "accept, authorization, content-type, if-match, if-modified-since, if-none-match, \
     if-unmodified-since, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id, traceparent, \
     tracestate, x-request-id";

/// What pages may read, beside what they always may.
const READ: &str = "accept-patch, allow, content-location, etag, link, location, mcp-protocol-version, \
     mcp-session-id, retry-after, www-authenticate, x-request-id";

/// Seconds for which browsers may keep a preflight's answer: two hours, the most that Chromium takes.
const KEPT: HeaderValue = HeaderValue::from_static("7200");

/// Marks a preflight of an allowed origin, which is let through to its route without a token.
#[derive(Debug, Clone)]
pub(crate) struct Preflight;

/// What one request means for CORS.
#[derive(Debug)]
pub(crate) struct Cors {
    /// The page's origin, where it is allowed.
    origin: Option<HeaderValue>,
    is_preflight: bool,
}

impl Cors {
    /// Looks at a request, and marks it where it is a preflight.
    pub(crate) fn of(request: &mut Request, origins: &[String]) -> Self {
        let mut named = request.headers().get_all(ORIGIN).iter();
        let origin = match (named.next(), named.next()) {
            (Some(origin), None) => origin
                .to_str()
                .ok()
                .filter(|text| is_allowed(origins, text))
                .map(|_| origin.clone()),
            _ => None,
        };
        let is_preflight = origin.is_some()
            && request.method() == Method::OPTIONS
            && request.headers().contains_key(ACCESS_CONTROL_REQUEST_METHOD);
        if is_preflight {
            request.extensions_mut().insert(Preflight);
        }
        Self { origin, is_preflight }
    }

    /// Lets the page read the answer.
    pub(crate) fn shown(self, response: &mut Response) {
        let Some(origin) = self.origin else { return };
        let status = response.status();
        let headers = response.headers_mut();
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(READ));
        if self.is_preflight
            && status.is_success()
            && let Some(methods) = headers.get(ALLOW).cloned()
        {
            headers.insert(ACCESS_CONTROL_ALLOW_METHODS, methods);
            headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(SENT));
            headers.insert(ACCESS_CONTROL_MAX_AGE, KEPT);
        }
    }
}
