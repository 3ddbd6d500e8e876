//! Limits, counters, and one runtime for all requests.

use core::fmt::{self, Debug, Formatter};
use core::future::Future;
use core::time::Duration;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

use object_store::ObjectStore;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{Semaphore, SemaphorePermit};

use super::error::RemoteError;
use super::meter::{Meter, Usage};

/// The limits of a [`Remote`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The maximum number of bytes of all reads; `None` for no limit.
    pub max_bytes: Option<u64>,
    /// The maximum size of one object, or of one entry of an archive, that is read as a whole. Default: 1 GiB.
    pub max_object: u64,
    /// The maximum number of concurrent requests. Default: 64.
    pub requests: usize,
    /// The timeout of one request. Default: two minutes; ten seconds to connect, and twenty without a byte.
    pub timeout: Duration,
    /// The number of retries after an error of the server or the network. Default: 5, with growing pauses from a tenth of a
    /// second, for at most a minute.
    pub retries: usize,
    /// Whether an address with a query, which may be a credential, may be redirected to another server. Default: no. The other
    /// server gets neither the query nor a credential in a header.
    pub redirect_queries: bool,
}

impl Default for Options {
    fn default() -> Self {
        let timeout = Duration::from_secs(120);
        Self { max_bytes: None, max_object: 1 << 30, requests: 64, timeout, retries: 5, redirect_queries: false }
    }
}

/// Connections to stores. A clone shares the connections, the limits and the counters.
///
/// Credentials come from the environment, in the variables that the tools of the stores use: `AWS_ACCESS_KEY_ID`,
/// `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`, `AWS_REGION`, `AWS_ENDPOINT`, `AWS_ALLOW_HTTP`,
/// `AWS_SKIP_SIGNATURE`; `GOOGLE_SERVICE_ACCOUNT`, `GOOGLE_APPLICATION_CREDENTIALS`; `AZURE_STORAGE_ACCOUNT_NAME`,
/// `AZURE_STORAGE_ACCOUNT_KEY`, `AZURE_STORAGE_SAS_TOKEN`. They are never part of an error.
///
/// The requests run on two threads of this connection, which do not exist in a forked process.
#[derive(Clone)]
pub struct Remote {
    pub(super) shared: Arc<Shared>,
}

pub(super) struct Shared {
    /// Made by the first request; `None` if the system cannot start threads.
    runtime: OnceLock<Option<Runtime>>,
    pub(super) options: Options,
    pub(super) meter: Arc<Meter>,
    permits: Semaphore,
    pub(super) stores: Mutex<HashMap<String, Arc<dyn ObjectStore>>>,
}

impl Remote {
    /// Connections with these limits. Does not connect and starts no thread.
    pub fn new(options: Options) -> Self {
        let shared = Shared {
            runtime: OnceLock::new(),
            options,
            meter: Arc::new(Meter::new(options.max_bytes)),
            permits: Semaphore::new(options.requests.max(1)),
            stores: Mutex::default(),
        };
        Self { shared: Arc::new(shared) }
    }

    /// The limits.
    pub fn options(&self) -> &Options {
        &self.shared.options
    }

    /// The requests and bytes so far.
    pub fn usage(&self) -> Usage {
        self.shared.meter.usage()
    }

    pub(super) async fn permit(&self) -> Option<SemaphorePermit<'_>> {
        self.shared.permits.acquire().await.ok()
    }

    pub(super) fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        let runtime = self.shared.runtime.get_or_init(|| {
            let mut builder = Builder::new_multi_thread();
            builder.worker_threads(2).thread_name("skelmap-remote").enable_all().build().ok()
        });
        // Without threads, the caller gets an error.
        if let Some(runtime) = runtime {
            runtime.spawn(work);
        }
    }

    /// Runs work on the threads for requests, and waits for it.
    pub(super) fn wait<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, RemoteError> {
        let (sender, receiver) = std::sync::mpsc::sync_channel(1);
        self.spawn(async move {
            let _ = sender.send(work.await);
        });
        receiver.recv().map_err(|_| RemoteError::unavailable("the system cannot start threads for requests"))
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // Dropping a runtime waits, which is not allowed on the threads of another runtime.
        if let Some(Some(runtime)) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Debug for Remote {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remote").field("options", &self.shared.options).field("usage", &self.usage()).finish()
    }
}
