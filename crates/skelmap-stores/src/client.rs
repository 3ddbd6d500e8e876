//! The client of a store: which redirects it follows, what another server is told, and which servers it reaches.
//!
//! The rules (the client of `object_store` has none of them): no request has a `Referer`, because it would contain the query of a
//! signed address. Another origin gets no credential. A public server leads to no private one.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use http::header::{self, HeaderName, LOCATION};
use http::{HeaderMap, StatusCode};
use object_store::client::{ClientConfigKey, ClientOptions, HttpClient, HttpResponse};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::redirect::Policy;
use reqwest::{NoProxy, Proxy};
use url::{Host, Url};

use super::error::RemoteError;

/// The maximum number of redirects of one request.
pub(super) const MAX_REDIRECTS: usize = 10;

/// The headers that another origin gets: those that choose the bytes, and no credential.
const PLAIN: [HeaderName; 6] = [
    header::ACCEPT,
    header::IF_MATCH,
    header::IF_MODIFIED_SINCE,
    header::IF_UNMODIFIED_SINCE,
    header::RANGE,
    header::USER_AGENT,
];

/// The clients for requests: one for the addresses of the caller, and one for servers that a public server leads to.
#[derive(Debug)]
pub(super) struct Clients {
    direct: HttpClient,
    public: HttpClient,
    names: Names,
}

impl Clients {
    /// The clients with the options of a store.
    pub(super) fn new(options: &ClientOptions, timeout: Duration) -> object_store::Result<Self> {
        let names = Names::default();
        let direct = client(options, timeout, Resolver { names: Arc::clone(&names), only_public: false })?;
        let public = client(options, timeout, Resolver { names: Arc::clone(&names), only_public: true })?;
        Ok(Self { direct, public, names })
    }

    /// The client for an address; `is_guarded` if a public server led to it.
    pub(super) const fn of(&self, is_guarded: bool) -> &HttpClient {
        if is_guarded { &self.public } else { &self.direct }
    }

    /// Whether the server of an address is public. A name that was never resolved here (a proxy resolves it) counts as public.
    pub(super) fn is_public(&self, address: &Url) -> bool {
        match address.host() {
            Some(Host::Domain(name)) => {
                self.names.lock().unwrap_or_else(PoisonError::into_inner).get(name).copied().unwrap_or(true)
            }
            Some(Host::Ipv4(ip)) => is_public(ip.into()),
            Some(Host::Ipv6(ip)) => is_public(ip.into()),
            None => false,
        }
    }
}

fn client(options: &ClientOptions, timeout: Duration, resolver: Resolver) -> object_store::Result<HttpClient> {
    let failed = |error: reqwest::Error| object_store::Error::Generic { store: "HTTP client", source: Box::new(error) };
    let value = |key| options.get_config_value(&key);
    let is_on = |key| value(key).is_some_and(|text| text == "true");
    let mut builder = reqwest::Client::builder()
        .user_agent(concat!("skelmap/", env!("CARGO_PKG_VERSION")))
        .referer(false)
        .redirect(Policy::none())
        .timeout(timeout)
        .connect_timeout(Duration::from_secs(10))
        .read_timeout(Duration::from_secs(20))
        .https_only(!is_on(ClientConfigKey::AllowHttp))
        .dns_resolver(Arc::new(resolver));
    if is_on(ClientConfigKey::AllowInvalidCertificates) {
        builder = builder.danger_accept_invalid_certs(true);
    }
    if let Some(address) = value(ClientConfigKey::ProxyUrl) {
        let mut proxy = Proxy::all(address).map_err(failed)?;
        if let Some(excluded) = value(ClientConfigKey::ProxyExcludes) {
            proxy = proxy.no_proxy(NoProxy::from_string(&excluded));
        }
        builder = builder.proxy(proxy);
    }
    Ok(HttpClient::new(builder.build().map_err(failed)?))
}

/// Whether the servers of names are public, by their last resolution.
type Names = Arc<Mutex<HashMap<String, bool>>>;

/// Resolves names with the system, and remembers which servers are public.
struct Resolver {
    names: Names,
    /// Whether a name with a private address is an error.
    only_public: bool,
}

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let (names, only_public) = (Arc::clone(&self.names), self.only_public);
        Box::pin(async move {
            let found: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            let all_public = found.iter().all(|address| is_public(address.ip()));
            names.lock().unwrap_or_else(PoisonError::into_inner).insert(name.as_str().to_owned(), all_public);
            if only_public && !all_public {
                return Err(PRIVATE.into());
            }
            let found: Addrs = Box::new(found.into_iter());
            Ok(found)
        })
    }
}

/// Whether an IP address belongs to the public network: not to this machine, a local network, a carrier, or the documentation.
/// Source: the special-purpose registries of IANA (RFC 6890).
fn is_public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => is_public_v4(ip),
        IpAddr::V6(ip) => is_public_v6(ip),
    }
}

fn is_public_v4(ip: Ipv4Addr) -> bool {
    let [first, second, third, _] = ip.octets();
    !(ip.is_private()
        || ip.is_loopback()
        || ip.is_link_local()
        || ip.is_broadcast()
        || ip.is_multicast()
        || ip.is_documentation()
        || first == 0
        || first >= 240
        || first == 100 && (64..128).contains(&second)
        || (first, second, third) == (192, 0, 0)
        || first == 198 && (second == 18 || second == 19))
}

fn is_public_v6(ip: Ipv6Addr) -> bool {
    // Addresses that contain one of version 4: mapped, compatible, NAT64, 6to4.
    let [a, b, c, d, e, f, g, h] = ip.segments();
    let inner = |high: u16, low: u16| {
        let ([first, second], [third, fourth]) = (high.to_be_bytes(), low.to_be_bytes());
        is_public_v4(Ipv4Addr::new(first, second, third, fourth))
    };
    match [a, b, c, d, e, f] {
        [0, 0, 0, 0, 0, 0 | 0xFFFF] | [0x64, 0xFF9B, 0, 0, 0, 0] => inner(g, h),
        [0x2002, high, low, ..] => inner(high, low),
        // Only 2000::/3 is assigned; 2001:db8::/32 is documentation.
        _ => a & 0xE000 == 0x2000 && !(a == 0x2001 && b == 0xDB8),
    }
}

/// The address that an answer leads to; `None` if the answer is no redirect.
pub(super) fn redirect(answer: &HttpResponse, from: &Url) -> Result<Option<Url>, RemoteError> {
    let is_redirect = matches!(
        answer.status(),
        StatusCode::MOVED_PERMANENTLY
            | StatusCode::FOUND
            | StatusCode::SEE_OTHER
            | StatusCode::TEMPORARY_REDIRECT
            | StatusCode::PERMANENT_REDIRECT
    );
    // An answer without an address is an error of the store, which `object_store` explains.
    let Some(location) = answer.headers().get(LOCATION).filter(|_| is_redirect) else { return Ok(None) };
    let to = location.to_str().ok().and_then(|text| from.join(text).ok()).ok_or(NO_ADDRESS)?;
    Ok(Some(to))
}

const NO_ADDRESS: RemoteError = RemoteError::Redirect { reason: "it redirects to something that is not a web address" };
const PRIVATE: RemoteError = RemoteError::Redirect { reason: "a public server redirects to a private address" };

/// Checks that a redirect may be followed. `secret` if the original address has a query, which may be a credential, and
/// redirects of such addresses to another server are not allowed.
pub(super) fn check_redirect(from: &Url, to: &Url, from_public: bool, secret: bool) -> Result<(), RemoteError> {
    let is_web = matches!(to.scheme(), "http" | "https") && to.has_host();
    let to_private = match to.host() {
        Some(Host::Ipv4(ip)) => !is_public(ip.into()),
        Some(Host::Ipv6(ip)) => !is_public(ip.into()),
        // The resolver answers for a name.
        _ => false,
    };
    let is_same = from.origin() == to.origin();
    let reason = if !is_web {
        return Err(NO_ADDRESS);
    } else if !to.username().is_empty() || to.password().is_some() {
        "it redirects to an address with a user name or a password"
    } else if from.scheme() == "https" && to.scheme() == "http" {
        "it redirects from https to http"
    } else if from_public && to_private {
        return Err(PRIVATE);
    } else if !is_same && secret {
        "it redirects an address with a query to another server; the query may be a credential"
    } else {
        return Ok(());
    };
    Err(RemoteError::Redirect { reason })
}

/// The headers that another origin gets.
pub(super) fn without_credentials(headers: &HeaderMap) -> HeaderMap {
    headers.iter().filter(|(name, _)| PLAIN.contains(name)).map(|(name, value)| (name.clone(), value.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_this_machine_and_of_local_networks_are_not_public() {
        for text in [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "192.0.0.8",
            "192.168.1.1",
            "100.127.255.255",
            "198.18.0.1",
            "198.19.255.255",
            "192.0.2.1",
            "224.0.0.1",
            "240.0.0.1",
            "250.1.2.3",
            "255.255.255.255",
            "::",
            "::1",
            "fe80::1",
            "fd00::1",
            "ff02::1",
            "::ffff:10.0.0.1",
            "64:ff9b::a9fe:a9fe",
            "2002:7f00:1::",
            "2001:db8::1",
            "4000::1",
            "1fff::1",
        ] {
            assert!(!is_public(text.parse().unwrap()), "{text}");
        }
        for text in [
            "2001:db9::1",
            "2001:0:0:1::",
            "3fff:db8::1",
            "198.17.0.1",
            "198.20.0.1",
            "197.18.0.1",
            "100.128.0.1",
            "1.1.1.1",
            "100.63.0.1",
            "172.32.0.1",
            "192.0.1.1",
            "2606:4700::1111",
            "::ffff:1.1.1.1",
        ] {
            assert!(is_public(text.parse().unwrap()), "{text}");
        }
    }

    #[test]
    fn a_public_server_does_not_lead_to_a_private_one() {
        let url = |text: &str| Url::parse(text).unwrap();
        let check =
            |from: &str, to: &str, from_public| check_redirect(&url(from), &url(to), from_public, false).is_ok();
        let public = "https://example.org/x";
        assert!(check(public, "https://1.1.1.1/x", true));
        for to in ["https://169.254.169.254/latest", "https://[::1]/", "https://0x7f.1/", "https://2130706433/"] {
            assert!(!check(public, to, true), "{to}");
        }
        assert!(check("http://127.0.0.1:1/x", "http://127.0.0.1:2/x", false));
        for to in ["http://example.org/x", "file:///etc/passwd", "ftp://example.org/x", "https://user@example.org/x"] {
            assert!(!check(public, to, true), "{to}");
        }
    }

    #[test]
    fn an_address_with_a_query_stays_with_its_server() {
        let url = |text: &str| Url::parse(text).unwrap();
        let check = |to: &str, secret| check_redirect(&url("https://a.org/x?sig=1"), &url(to), true, secret).is_ok();
        assert!(check("https://a.org/y?sig=1", true));
        assert!(!check("https://b.org/y", true));
        assert!(!check("https://a.org:444/y", true));
        assert!(check("https://b.org/y", false));
    }

    fn clients() -> Clients {
        let _ = rustls::crypto::ring::default_provider().install_default();
        Clients::new(&ClientOptions::new(), Duration::from_secs(1)).unwrap()
    }

    #[test]
    fn a_server_is_public_by_its_number_or_by_what_its_name_was_found_to_be() {
        let clients = clients();
        let is_public = |text: &str| clients.is_public(&Url::parse(text).unwrap());
        clients.names.lock().unwrap().extend([("local.org".to_owned(), false), ("public.org".to_owned(), true)]);
        for text in
            ["https://1.1.1.1/x", "https://[2606:4700::1111]/x", "https://public.org/x", "https://unknown.org/x"]
        {
            assert!(is_public(text), "{text}");
        }
        for text in ["http://127.0.0.1:81/x", "http://[::1]/x", "http://local.org/x", "file:///x"] {
            assert!(!is_public(text), "{text}");
        }
    }

    /// A number is resolved without a network.
    #[test]
    fn names_of_this_machine_are_resolved_for_addresses_of_the_caller_only() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        for (name, only_public, is_found) in
            [("127.0.0.1", false, true), ("127.0.0.1", true, false), ("1.1.1.1", false, true), ("1.1.1.1", true, true)]
        {
            let names = Names::default();
            let resolver = Resolver { names: Arc::clone(&names), only_public };
            let found = runtime.block_on(resolver.resolve(name.parse().unwrap()));
            assert_eq!(found.is_ok(), is_found, "{name} {only_public}");
            assert_eq!(names.lock().unwrap().get(name), Some(&(name == "1.1.1.1")));
        }
    }
}
