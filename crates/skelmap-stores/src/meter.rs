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

#[cfg(test)]
mod tests {
    use super::*;
    use object_store::aws::AmazonS3Builder;
    use std::collections::VecDeque;
    use std::io::{Read as _, Write as _};
    use std::net::TcpListener;
    use std::task::Waker;
    use test_support::server::{Fault, Server};

    use crate::{Remote, RemoteObject};

    /// A body of parts, each ready.
    struct Parts(VecDeque<&'static str>);

    impl Body for Parts {
        type Data = Bytes;
        type Error = HttpError;

        fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, HttpError>>> {
            Poll::Ready(self.0.pop_front().map(|part| Ok(Frame::data(Bytes::from(part)))))
        }
    }

    /// The bytes that come out of a body, whether it ends with an error, and the bytes that are counted.
    fn metered(parts: &[&'static str], left: u64, is_fault: bool) -> (String, bool, u64) {
        let meter = Arc::new(Meter::new(None));
        let body = HttpResponseBody::new(Parts(parts.iter().copied().collect()));
        let mut body = Metering { body, meter: Arc::clone(&meter), left, asked: left, is_fault };
        let (mut text, mut context) = (String::new(), Context::from_waker(Waker::noop()));
        let is_error = loop {
            match Pin::new(&mut body).poll_frame(&mut context) {
                Poll::Ready(Some(Ok(frame))) => text.push_str(std::str::from_utf8(frame.data_ref().unwrap()).unwrap()),
                Poll::Ready(Some(Err(_))) => break true,
                Poll::Ready(None) => break false,
                Poll::Pending => panic!("all parts are ready"),
            }
        };
        (text, is_error, meter.usage().bytes)
    }

    #[test]
    fn a_body_ends_with_an_error_after_what_was_asked_for() {
        assert_eq!(metered(&["ab", "cd"], 4, false), ("abcd".to_owned(), false, 4));
        assert_eq!(metered(&["ab", "cd", "e"], 4, false), ("abcd".to_owned(), true, 5));
        assert_eq!(metered(&["ab", "cde"], 4, false), ("ab".to_owned(), true, 5));
        // Of an error response, no byte comes out, and no more are read than it may have.
        assert_eq!(metered(&["ab", "c"], 4, true), (String::new(), false, 3));
        assert_eq!(metered(&["ab", "cd", "ef", "gh"], 4, true), (String::new(), false, 4));
        assert_eq!(metered(&["ab", "cde", "ef", "gh"], 4, true), (String::new(), false, 5));
    }

    fn connector() -> Metered {
        let _ = rustls::crypto::ring::default_provider().install_default();
        Metered { meter: Arc::new(Meter::new(None)), timeout: Duration::from_secs(5), redirect_queries: false }
    }

    /// A redirect to the same server keeps what proves who asks; another server does not get it.
    #[test]
    fn credentials_stay_with_the_server_of_the_address() {
        let bytes = [7; 100];
        let second = Server::new(&[("/b/f/walk.psa", &bytes)], &[], Duration::ZERO);
        let faults = [("/b/f", Fault::RedirectTo(second.port)), ("/b/g", Fault::Redirect)];
        let first = Server::new(&[], &faults, Duration::ZERO);
        let store = AmazonS3Builder::new()
            .with_bucket_name("b")
            .with_endpoint(first.address(""))
            .with_allow_http(true)
            .with_region("r")
            .with_access_key_id("key")
            .with_secret_access_key("secret")
            .with_http_connector(connector())
            .build();
        let (store, remote) = (Arc::new(store.unwrap()), Remote::new(crate::Options::default()));
        let object = RemoteObject::open(&remote, Arc::clone(&store) as _, "f/walk.psa").unwrap();
        assert_eq!(object.read(0..100).unwrap(), bytes.as_slice());
        assert!(RemoteObject::open(&remote, store, "g/walk.psa").is_err());
        let has = |head: &String| head.to_lowercase().contains("authorization");
        assert!(first.requests() > 2 && first.heads().iter().all(has), "{:?}", first.heads());
        assert!(second.requests() > 0 && !second.heads().iter().any(has), "{:?}", second.heads());
    }

    /// The name is resolved by a proxy, and counts as public: its server does not lead to this machine.
    #[test]
    fn a_public_name_does_not_lead_to_a_private_number() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let proxy = format!("http://{}", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let _ = stream.read(&mut [0; 4096]);
                let answer = "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/x\r\nContent-Length: 0\r\n\r\n";
                let _ = stream.write_all(answer.as_bytes());
            }
        });
        let metered = connector();
        let options = ClientOptions::new().with_allow_http(true).with_proxy_url(proxy);
        let service = Service { clients: Clients::new(&options, Duration::from_secs(5)).unwrap(), metered };
        let mut request = HttpRequest::new(HttpRequestBody::empty());
        *request.uri_mut() = "http://example.org/x".parse().unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let error = runtime.block_on(service.follow(request)).unwrap_err();
        let cause = std::error::Error::source(&error).and_then(|cause| cause.downcast_ref::<RemoteError>());
        let reason = "a public server redirects to a private address";
        assert_eq!(cause, Some(&RemoteError::Redirect { reason }), "{error:?}");
    }
}
