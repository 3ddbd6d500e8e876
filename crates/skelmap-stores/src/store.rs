//! Stores: connecting and listing.

use core::time::Duration;
use std::collections::HashSet;
use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::sync::{Arc, PoisonError};

use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use http::HeaderValue;
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::{GoogleCloudStorageBuilder, GoogleConfigKey};
use object_store::http::HttpBuilder;
use object_store::{BackoffConfig, ClientOptions, GetRange, ObjectMeta, ObjectStore, RetryConfig};
use skelmap::mapping::{Listed, Object, Store, Target};
use tokio::time::timeout;
use url::Url;

use super::address::{Parts, Scheme, listed, scheme};
use super::error::{RemoteError, begins, reason};
use super::meter::Metered;
use super::object::{END, HEAD, RemoteObject};
use super::session::{Options, Remote};

/// The most objects of a list: as many as an archive has entries.
const MAX_LISTED: usize = 1 << 20;

/// The longest wait for the next object of a list. A request has a limit of its own; some pages of a list may be empty.
const MAX_LIST_WAIT: Duration = Duration::from_secs(300);

/// The objects of a list, which a server may never end: at most so many, each once, after at most such a wait.
async fn all_listed(
    mut list: impl Stream<Item = object_store::Result<ObjectMeta>> + Unpin,
    most: usize,
    wait: Duration,
) -> Result<Vec<ObjectMeta>, RemoteError> {
    let (mut found, mut seen, keys) = (Vec::new(), HashSet::new(), RandomState::new());
    // Pages may be empty, one after the other.
    let endless = |_| RemoteError::unavailable("its list has no end");
    while let Some(meta) = timeout(wait, list.next()).await.map_err(endless)?.transpose()? {
        if !seen.insert(keys.hash_one(meta.location.as_ref())) {
            return Err(RemoteError::unavailable("its list has an object twice"));
        }
        if found.len() >= most {
            return Err(RemoteError::unavailable(format!(
                "its list has more than {most} objects: name a longer prefix"
            )));
        }
        found.push(meta);
    }
    Ok(found)
}

impl Remote {
    /// The object at an address. One request, for its first 4 KiB, size and version.
    ///
    /// # Errors
    /// [`RemoteError`].
    pub fn object(&self, address: &str) -> Result<RemoteObject, RemoteError> {
        self.begin(address, HEAD)
    }

    /// The archive at an address: as [`object`](Remote::object), but the request is for the last 128 KiB, at the end of the
    /// archive's directory.
    ///
    /// # Errors
    /// [`RemoteError`].
    pub fn archive(&self, address: &str) -> Result<RemoteObject, RemoteError> {
        self.begin(address, END)
    }

    fn begin(&self, address: &str, first: GetRange) -> Result<RemoteObject, RemoteError> {
        let parts = Parts::parse(address)?;
        RemoteObject::begin(self, self.store(&parts)?, parts.path, first)
    }

    /// The objects below a prefix, sorted by name. One request per thousand.
    ///
    /// # Errors
    /// [`RemoteError`]; [`NoList`](RemoteError::NoList) for a web server without lists.
    pub fn list(&self, address: &str) -> Result<Vec<Listed>, RemoteError> {
        let parts = Parts::parse(address)?;
        let store = self.store(&parts)?;
        let (asked, prefix) = (Arc::clone(&store), parts.path.clone());
        let is_whole = parts.path.as_ref().is_empty();
        let metas = self.wait(async move {
            let stream = asked.list((!is_whole).then_some(&prefix));
            all_listed(stream, MAX_LISTED, MAX_LIST_WAIT).await
        })?;
        let mut metas = metas.map_err(|error| match error {
            error if parts.scheme == Scheme::Http && !matches!(error, RemoteError::Limit { .. }) => RemoteError::NoList,
            error => error,
        })?;
        metas.sort_by(|first, other| first.location.cmp(&other.location));
        let listed = metas.into_iter().map(|meta| Listed {
            address: listed(&parts, &meta.location),
            object: Arc::new(RemoteObject::new(self, Arc::clone(&store), meta, (0, Bytes::new()))),
        });
        Ok(listed.collect())
    }

    fn store(&self, parts: &Parts) -> Result<Arc<dyn ObjectStore>, RemoteError> {
        let mut stores = self.shared.stores.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(store) = stores.get(&parts.store) {
            return Ok(Arc::clone(store));
        }
        let store = self.connect(parts)?;
        stores.insert(parts.store.clone(), Arc::clone(&store));
        Ok(store)
    }

    fn connect(&self, parts: &Parts) -> Result<Arc<dyn ObjectStore>, RemoteError> {
        // An error means that the program has already chosen a provider.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let Options { retries, timeout, redirect_queries, .. } = self.shared.options;
        let backoff = BackoffConfig { max_backoff: Duration::from_secs(5), ..BackoffConfig::default() };
        let retry = RetryConfig { backoff, max_retries: retries, retry_timeout: Duration::from_secs(60) };
        let metered = Metered { meter: Arc::clone(&self.shared.meter), timeout, redirect_queries };
        let url = parts.store.as_str();
        Ok(match parts.scheme {
            Scheme::S3 => {
                let builder = AmazonS3Builder::from_env().with_url(url).with_retry(retry).with_http_connector(metered);
                check_usable(&builder)?;
                Arc::new(builder.build()?)
            }
            Scheme::Google => {
                let builder = GoogleCloudStorageBuilder::from_env().with_url(url).with_retry(retry);
                let builder = builder.with_http_connector(metered);
                let place = google_credentials(&builder);
                Arc::new(builder.build().map_err(|error| google_error(error, place))?)
            }
            Scheme::Azure => {
                let builder = MicrosoftAzureBuilder::from_env().with_url(url).with_retry(retry);
                let builder = builder.with_http_connector(metered);
                Arc::new(builder.build().map_err(azure_error)?)
            }
            Scheme::Http => {
                let options = ClientOptions::new().with_allow_http(url.starts_with("http://"));
                let builder = HttpBuilder::new().with_url(url).with_retry(retry).with_client_options(options);
                Arc::new(builder.with_http_connector(metered).build()?)
            }
        })
    }
}

impl Store for Remote {
    fn owns(&self, address: &str) -> bool {
        scheme(address).is_some()
    }

    fn open(&self, address: &str) -> io::Result<Arc<dyn Object>> {
        Ok(Arc::new(self.object(address)?))
    }

    fn open_archive(&self, address: &str) -> io::Result<Arc<dyn Object>> {
        Ok(Arc::new(self.archive(address)?))
    }

    /// An address that ends with `/` or with the name of a bucket is a prefix. A plain web server has no lists, so its other
    /// addresses are objects.
    fn target(&self, address: &str) -> Target {
        match Parts::parse(address) {
            Ok(parts) if parts.is_prefix => Target::Prefix,
            _ if matches!(scheme(address), Some((Scheme::Http, _))) => Target::Object,
            _ => Target::Either,
        }
    }

    fn list(&self, prefix: &str) -> io::Result<Vec<Listed>> {
        Ok(self.list(prefix)?)
    }
}

/// The source of the credentials for Google, in the order of `object_store`.
fn google_credentials(builder: &GoogleCloudStorageBuilder) -> &'static str {
    let places = [
        (GoogleConfigKey::ServiceAccount, "the file of GOOGLE_SERVICE_ACCOUNT"),
        (GoogleConfigKey::ServiceAccountKey, "GOOGLE_SERVICE_ACCOUNT_KEY"),
        (GoogleConfigKey::ApplicationCredentials, "the file of GOOGLE_APPLICATION_CREDENTIALS"),
    ];
    let place = places.into_iter().find(|(key, _)| builder.get_config_value(key).is_some());
    place.map_or("gcloud/application_default_credentials.json", |(_, place)| place)
}

/// The error of a Google store that cannot be connected. An error about credentials names their source.
fn google_error(error: object_store::Error, place: &str) -> RemoteError {
    if begins(&error, "Unable to open service account file") {
        return RemoteError::unavailable(format!("{place} cannot be opened: {}", reason(&error)));
    }
    if begins(&error, "Unable to decode service account file") {
        return RemoteError::unavailable(format!("{place} does not contain credentials in JSON: {}", reason(&error)));
    }
    error.into()
}

/// The error of an Azure store that cannot be connected. The original error about a key contains a character of the key.
fn azure_error(error: object_store::Error) -> RemoteError {
    if begins(&error, "Invalid Access Key") {
        return RemoteError::unavailable("AZURE_STORAGE_ACCOUNT_KEY is not base64");
    }
    error.into()
}

/// Checks that the environment variables can be sent. Otherwise, `object_store` panics.
fn check_usable(builder: &AmazonS3Builder) -> Result<(), RemoteError> {
    let sent = [
        (AmazonS3ConfigKey::AccessKeyId, "AWS_ACCESS_KEY_ID"),
        (AmazonS3ConfigKey::Token, "AWS_SESSION_TOKEN"),
        (AmazonS3ConfigKey::Region, "AWS_REGION"),
    ];
    for (key, name) in sent {
        if builder.get_config_value(&key).is_some_and(|value| HeaderValue::from_str(&value).is_err()) {
            return Err(RemoteError::unavailable(format!("{name} has a line break or another control character")));
        }
    }
    let is_server = |text: String| Url::parse(&text).is_ok_and(|url| url.has_host());
    if builder.get_config_value(&AmazonS3ConfigKey::Endpoint).is_some_and(|text| !is_server(text)) {
        return Err(RemoteError::unavailable("AWS_ENDPOINT is not the address of a server"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::stream;

    fn told(list: impl Stream<Item = object_store::Result<ObjectMeta>> + Unpin) -> Result<usize, String> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let all = runtime.block_on(all_listed(list, 3, Duration::from_millis(1)));
        all.map(|all| all.len()).map_err(|error| error.to_string())
    }

    #[expect(clippy::default_trait_access, reason = "the time has a type of a crate that is not used here")]
    fn objects(names: &[&str]) -> impl Stream<Item = object_store::Result<ObjectMeta>> + Unpin + use<> {
        let object = |name: &&str| {
            let location = (*name).into();
            Ok(ObjectMeta { location, last_modified: Default::default(), size: 1, e_tag: None, version: None })
        };
        stream::iter(names.iter().map(object).collect::<Vec<_>>())
    }

    #[test]
    fn a_list_ends_whatever_the_server_says() {
        assert_eq!(told(objects(&["a", "b", "c"])), Ok(3));
        let is_told = |list, part: &str| told(list).is_err_and(|error| error.contains(part));
        assert!(is_told(objects(&["a", "b", "a"]), "an object twice"));
        assert!(is_told(objects(&["a", "b", "c", "d"]), "more than 3 objects"));
        assert!(told(stream::pending()).is_err_and(|error| error.contains("no end")));
    }

    #[test]
    fn the_place_of_the_credentials_for_google_is_named() {
        let builder = GoogleCloudStorageBuilder::new;
        let cases = [
            (builder(), "gcloud/application_default_credentials.json"),
            (builder().with_service_account_path("a"), "the file of GOOGLE_SERVICE_ACCOUNT"),
            (builder().with_service_account_key("a"), "GOOGLE_SERVICE_ACCOUNT_KEY"),
            (builder().with_application_credentials("a"), "the file of GOOGLE_APPLICATION_CREDENTIALS"),
        ];
        for (builder, expected) in cases {
            assert_eq!(google_credentials(&builder), expected);
        }
    }

    #[test]
    fn settings_that_cannot_be_sent_are_named() {
        let builder = AmazonS3Builder::new;
        for sound in [
            builder(),
            builder().with_access_key_id("a").with_token("b").with_region("c"),
            builder().with_endpoint("http://127.0.0.1:9000"),
        ] {
            assert_eq!(check_usable(&sound), Ok(()));
        }
        for (builder, name) in [
            (builder().with_access_key_id("a\nb"), "AWS_ACCESS_KEY_ID has"),
            (builder().with_token("a\nb"), "AWS_SESSION_TOKEN has"),
            (builder().with_region("a\nb"), "AWS_REGION has"),
            (builder().with_endpoint("127.0.0.1"), "AWS_ENDPOINT is not"),
            (builder().with_endpoint("data:x"), "AWS_ENDPOINT is not"),
        ] {
            let error = check_usable(&builder).unwrap_err().to_string();
            assert!(error.contains(name), "{error}");
        }
    }
}
