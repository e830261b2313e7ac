//! How many requests are worked on at a time. What comes beyond is told to come again, which costs next to nothing and
//! keeps the others within their deadlines.
//!
//! A request takes its place when its body has come, so that clients which send slowly take none from others; and gives
//! it back when its answer begins. Long polls, which do nothing but wait, have places of their own.

use crate::problem::Problem;
use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::response::Response;
use bytes::Bytes;
use http::header::RETRY_AFTER;
use http::{HeaderValue, Method, StatusCode};
use http_body::{Frame, SizeHint};
use http_body_util::BodyExt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Places for requests.
#[derive(Debug)]
pub(crate) struct Limit {
    most: usize,
    work: Arc<Semaphore>,
    waits: Arc<Semaphore>,
}

/// The place of one request.
#[derive(Debug, Clone)]
pub(crate) struct Place(Arc<Mutex<State>>);

#[derive(Debug)]
enum State {
    /// It needs none.
    Exempt,
    /// Its body has not come.
    Arriving(Arc<Semaphore>),
    Taken {
        _permit: OwnedSemaphorePermit,
    },
    /// There was none when the body had come.
    Refused,
}

impl Limit {
    /// At most so many at a time, and as many long polls.
    pub(crate) fn new(most: usize) -> Self {
        let places = || Arc::new(Semaphore::new(most.min(Semaphore::MAX_PERMITS)));
        Self {
            most,
            work: places(),
            waits: places(),
        }
    }

    /// The place of this request, whose body now tells when it has come.
    ///
    /// # Errors
    /// Where there is none.
    pub(crate) fn place(&self, request: Request) -> Result<(Request, Place), Problem> {
        // Health checks tell whether the process lives; and what a preflight allows is no work.
        if request.uri().path() == "/healthz" || request.method() == Method::OPTIONS {
            return Ok((request, Place::of(State::Exempt)));
        }
        let places = if waits(&request) { &self.waits } else { &self.work };
        let place = Place::of(State::Arriving(Arc::clone(places)));
        // A body that would have no place in the end is not read.
        let has_place = match request.body().is_end_stream() {
            true => place.take(),
            false => places.available_permits() > 0,
        };
        if !has_place {
            return Err(self.refusal());
        }
        let counted = place.clone();
        let request = request.map(|body| match body.is_end_stream() {
            true => body,
            false => Body::new(Arriving { body, place: counted }),
        });
        Ok((request, place))
    }

    /// What is answered where there is no place.
    pub(crate) fn refusal(&self) -> Problem {
        let detail = format!(
            "{} requests are being answered, which is the most at a time; send this one again in a second. Nothing was changed",
            self.most
        );
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail)
            .member("limit", self.most)
            .header(RETRY_AFTER, HeaderValue::from_static("1"))
    }
}

/// True for a long poll: a read that waits for a newer revision.
fn waits(request: &Request) -> bool {
    let query = request.uri().query().unwrap_or_default();
    request.method() == Method::GET && query.split('&').any(|part| part.starts_with("wait="))
}

impl Place {
    fn of(state: State) -> Self {
        Self(Arc::new(Mutex::new(state)))
    }

    /// True where there is one, or none is needed.
    fn take(&self) -> bool {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let State::Arriving(places) = &*state {
            *state = match Arc::clone(places).try_acquire_owned() {
                Ok(permit) => State::Taken { _permit: permit },
                Err(_) => State::Refused,
            };
        }
        !matches!(*state, State::Refused)
    }

    /// Whether there was none when the body had come: then the route has seen no whole body, and did nothing.
    pub(crate) fn was_refused(&self) -> bool {
        matches!(*self.0.lock().unwrap_or_else(PoisonError::into_inner), State::Refused)
    }

    /// Gives the place back when the answer begins. One that is still being made, such as an event that is waited for,
    /// keeps it until its first bytes.
    pub(crate) fn until(self, response: Response) -> Response {
        if response.body().size_hint().exact().is_some() {
            return response;
        }
        let mut place = Some(self);
        response.map(|body| {
            Body::new(body.map_frame(move |frame| {
                drop(place.take());
                frame
            }))
        })
    }
}

/// A body that takes its request's place at its end.
struct Arriving {
    body: Body,
    place: Place,
}

impl HttpBody for Arriving {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        // The text goes nowhere: the layer writes the answer.
        if matches!(polled, Poll::Ready(None)) && !self.place.take() {
            return Poll::Ready(Some(Err(axum::Error::new(std::io::Error::other("no place")))));
        }
        polled
    }

    // Never at its end by itself: who asked this only would not come to take the place.
    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
