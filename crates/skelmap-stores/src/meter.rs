//! The connection to the network: counts requests and bytes, follows redirects, and reads no body beyond the requested range.

use core::pin::Pin;
use core::sync::atomic::{AtomicU64, Ordering};
use core::task::{Context, Poll};
use core::time::Duration;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use http::header::RANGE;
use http_body::{Body, Frame};
use object_store::client::{
    ClientOptions, HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpRequestBody, HttpResponse,
    HttpResponseBody, HttpService,
};
use skelmap::shared::to_u64;
use url::Url;

use super::client::{Clients, MAX_REDIRECTS, check_redirect, redirect, without_credentials};
use super::error::RemoteError;

/// The maximum size of an answer to a request without a range: a page of a list.
const MAX_LIST_BYTES: u64 = 64 << 20;

/// The maximum size of an error response.
const MAX_FAULT_BYTES: u64 = 16 << 10;

/// The requests and bytes so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Usage {
    /// Requests, including retries.
    pub requests: u64,
    /// Bytes of received bodies.
    pub bytes: u64,
}

/// Counts requests and bytes, and enforces the limit.
#[derive(Debug)]
pub(super) struct Meter {
    requests: AtomicU64,
    bytes: AtomicU64,
    limit: Option<u64>,
}

impl Meter {
    pub(super) const fn new(limit: Option<u64>) -> Self {
        Self { requests: AtomicU64::new(0), bytes: AtomicU64::new(0), limit }
    }

    pub(super) fn usage(&self) -> Usage {
        Usage { requests: self.requests.load(Ordering::Relaxed), bytes: self.bytes.load(Ordering::Relaxed) }
    }

    /// Counts received bytes. An error if they exceed the limit.
    fn count(&self, bytes: u64) -> Result<(), HttpError> {
        self.check_limit(self.bytes.fetch_add(bytes, Ordering::Relaxed), bytes)
    }

    /// Counts a request for at least `least` bytes. An error if the limit is reached.
    fn request(&self, least: u64) -> Result<(), HttpError> {
        self.requests.fetch_add(1, Ordering::Relaxed);
        self.check_limit(self.bytes.load(Ordering::Relaxed), least)
    }

    fn check_limit(&self, before: u64, more: u64) -> Result<(), HttpError> {
        match self.limit {
            Some(limit) if before.saturating_add(more) > limit => Err(stopped(RemoteError::Limit { limit })),
            _ => Ok(()),
        }
    }
}

/// The error of a request that is not made, or of a body that is not read to its end. Errors of this kind are not retried.
fn stopped(error: RemoteError) -> HttpError {
    HttpError::new(HttpErrorKind::Unknown, error)
}

fn refused(reason: &'static str) -> HttpError {
    stopped(RemoteError::Redirect { reason })
}

/// Makes clients that are metered.
#[derive(Clone, Debug)]
pub(super) struct Metered {
    pub(super) meter: Arc<Meter>,
    pub(super) timeout: Duration,
    /// Whether an address with a query may be redirected to another server.
    pub(super) redirect_queries: bool,
}

impl HttpConnector for Metered {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(Service { clients: Clients::new(options, self.timeout)?, metered: self.clone() }))
    }
}

#[derive(Debug)]
struct Service {
    clients: Clients,
    metered: Metered,
}

impl Service {
    /// The answer to a request, behind the redirects that are allowed.
    async fn follow(&self, mut request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let least = range_length(&request).unwrap_or(0);
        let mut from = Url::parse(&request.uri().to_string()).map_err(|_| refused("its address is no URL"))?;
        let is_secret = from.query().is_some() && !self.metered.redirect_queries;
        let mut is_guarded = false;
        for _ in 0..=MAX_REDIRECTS {
            self.metered.meter.request(least)?;
            let (method, mut headers) = (request.method().clone(), request.headers().clone());
            let answer = self.clients.of(is_guarded).execute(request).await?;
            let Some(to) = redirect(&answer, &from).map_err(stopped)?.filter(|_| method.is_safe()) else {
                return Ok(answer);
            };
            is_guarded |= self.clients.is_public(&from);
            check_redirect(&from, &to, is_guarded, is_secret).map_err(stopped)?;
            if from.origin() != to.origin() {
                headers = without_credentials(&headers);
            }
            let mut next = HttpRequest::new(HttpRequestBody::empty());
            *next.method_mut() = method;
            *next.uri_mut() = to.as_str().parse().map_err(|_| refused("it redirects to no URL"))?;
            *next.headers_mut() = headers;
            (request, from) = (next, to);
        }
        Err(refused("it redirects more than ten times"))
    }
}

#[async_trait]
impl HttpService for Service {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let asked = range_length(&request);
        let (parts, body) = self.follow(request).await?.into_parts();
        let meter = Arc::clone(&self.metered.meter);
        let (asked, is_fault) = (asked.unwrap_or(MAX_LIST_BYTES), !parts.status.is_success());
        let left = if is_fault { MAX_FAULT_BYTES } else { asked };
        Ok(HttpResponse::from_parts(parts, HttpResponseBody::new(Metering { body, meter, left, asked, is_fault })))
    }
}

/// The number of bytes in the range of a request.
fn range_length(request: &HttpRequest) -> Option<u64> {
    let (start, end) = request.headers().get(RANGE)?.to_str().ok()?.strip_prefix("bytes=")?.split_once('-')?;
    let end: u64 = end.parse().ok()?;
    if start.is_empty() {
        return Some(end);
    }
    end.checked_sub(start.parse().ok()?)?.checked_add(1)
}

/// A counted body, which ends with an error if it exceeds the requested range.
struct Metering {
    body: HttpResponseBody,
    meter: Arc<Meter>,
    left: u64,
    asked: u64,
    /// The body of an error response: its bytes are counted and dropped, and an error in it ends it. Only the status is
    /// reported.
    is_fault: bool,
}

// The default size hint is 0: no allocation depends on the length in a header.
impl Body for Metering {
    type Data = Bytes;
    type Error = HttpError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, HttpError>>> {
        if self.is_fault && self.left == 0 {
            return Poll::Ready(None);
        }
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if self.is_fault && matches!(polled, Poll::Ready(Some(Err(_)))) {
            return Poll::Ready(None);
        }
        let Poll::Ready(Some(Ok(frame))) = polled else { return polled };
        let length = frame.data_ref().map_or(0, |data| to_u64(data.len()));
        if let Err(stopped) = self.meter.count(length) {
            return Poll::Ready(Some(Err(stopped)));
        }
        match self.left.checked_sub(length) {
            Some(left) => self.left = left,
            None if self.is_fault => self.left = 0,
            None => {
                let longer = RemoteError::Length { asked: self.asked, sent: "more".into() };
                return Poll::Ready(Some(Err(stopped(longer))));
            }
        }
        // `object_store` reads the body of an error response as text, and fails if it is not text.
        Poll::Ready(Some(Ok(if self.is_fault { Frame::data(Bytes::new()) } else { frame })))
    }
}
