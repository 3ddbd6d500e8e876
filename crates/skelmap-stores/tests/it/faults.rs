//! What servers do wrong, and what is said about it.

use std::time::Duration;

use skelmap::ReadAt;
use skelmap_stores::{ObjectParts, Options, Remote, RemoteError};

use super::{Fault, Server, noise, read, remote};
use test_support::with;

/// An object that needs a second request, below each fault.
fn server(faults: &[(&'static str, Fault)]) -> (Server, Vec<u8>) {
    let bytes = noise(50_000);
    let paths: Vec<String> = faults.iter().map(|(folder, _)| format!("{folder}/walk.psa")).collect();
    let objects: Vec<(&str, &[u8])> = paths.iter().map(|path| (path.as_str(), bytes.as_slice())).collect();
    (Server::new(&objects, faults, Duration::ZERO), bytes)
}

/// The error of reading the one object of a server with a fault.
fn error(fault: Fault) -> (String, &'static str, Server) {
    let (server, _) = server(&[("/f", fault)]);
    let error = read(&remote(), &server.address("/f/walk.psa")).unwrap_err();
    (error.to_string(), error.code().name(), server)
}

#[test]
fn faults_that_pass_are_not_seen() {
    for fault in [Fault::Status(500, 2), Fault::Status(503, 1), Fault::Status(429, 2), Fault::Cut(1)] {
        let (server, bytes) = server(&[("/f", fault)]);
        assert_eq!(read(&remote(), &server.address("/f/walk.psa")).unwrap(), bytes, "{fault:?}");
    }
}

#[test]
fn a_server_that_stays_out_of_order_is_named_with_its_status_and_nothing_else() {
    let (text, code, server) = error(Fault::Status(503, usize::MAX));
    assert_eq!(text, "no data from the server: it answers 503 Service Unavailable");
    assert_eq!(code, "remote-unavailable");
    // One request for the bytes and two repetitions, and as many for the size.
    assert_eq!(server.requests(), 6);
}

#[test]
fn a_refusal_is_told_at_once() {
    for status in [401, 403] {
        let (text, code, server) = error(Fault::Status(status, usize::MAX));
        assert!(text.starts_with("the server refuses access: it answers 40"), "{text}");
        assert_eq!(code, "remote-denied");
        assert_eq!(server.requests(), 1);
    }
}

#[test]
fn the_status_of_an_error_answer_is_named_whatever_its_body_is() {
    let cases = [
        (403, "the server refuses access: it answers 403 Forbidden", "remote-denied"),
        (404, "there is no such object", "remote-not-found"),
        (418, "no data from the server: it answers 418 I'm a teapot", "remote-unavailable"),
        (500, "no data from the server: it answers 500 Internal Server Error", "remote-unavailable"),
    ];
    for (status, expected, expected_code) in cases {
        for fault in [Fault::BinaryStatus(status), Fault::CutStatus(status), Fault::Status(status, usize::MAX)] {
            let (text, code, _) = error(fault);
            assert_eq!((text.as_str(), code), (expected, expected_code), "{fault:?}");
        }
    }
}

#[test]
fn a_body_of_another_length_than_its_range_is_an_error() {
    let (text, code, _) = error(Fault::Short);
    assert_eq!(text, "requested 4096 bytes, but the server sent 2048");
    assert_eq!(code, "remote-length");
    let (text, code, _) = error(Fault::Long);
    assert_eq!(text, "requested 4096 bytes, but the server sent more");
    assert_eq!(code, "remote-length");
}

#[test]
fn no_more_than_a_few_buffers_are_taken_from_a_body_without_end() {
    let (text, code, server) = error(Fault::Endless);
    assert_eq!(text, "requested 4096 bytes, but the server sent more");
    assert_eq!(code, "remote-length");
    assert!(server.sent() < 32 << 20, "{} bytes were sent", server.sent());
    let (text, code, server) = error(Fault::EndlessError);
    assert_eq!(text, "no data from the server: it answers 500 Internal Server Error");
    assert_eq!(code, "remote-unavailable");
    assert!(server.sent() < 32 << 20, "{} bytes were sent", server.sent());
}

#[test]
fn a_server_without_ranges_is_told_from_one_that_is_away() {
    let (text, code, _) = error(Fault::NoRanges);
    assert_eq!(
        text,
        "the server does not support range requests: it answers with the whole file; download the file first"
    );
    assert_eq!(code, "remote-no-ranges");
    let cases: [(&[u8], &str); 3] = [
        (b"bytes 0-4095/*", "its Content-Range is `bytes 0-4095/*`, expected `bytes FIRST-LAST/SIZE`"),
        (b"s3cr3t", "its Content-Range is other text, expected `bytes FIRST-LAST/SIZE`"),
        (b"bytes \xff", "its Content-Range is other text, expected `bytes FIRST-LAST/SIZE`"),
    ];
    for (content_range, expected) in cases {
        let (text, code, _) = error(Fault::ContentRange(content_range));
        assert_eq!(text, format!("the server does not support range requests: {expected}; download the file first"));
        assert_eq!(code, "remote-no-ranges");
    }
    let (text, code, _) = error(Fault::OtherRange);
    assert!(text.starts_with("the server does not support range requests: "), "{text}");
    assert_eq!(code, "remote-no-ranges");
}

#[test]
fn an_object_that_says_it_is_huge_is_refused_before_its_bytes_are_asked_for() {
    let (text, code, server) = error(Fault::Huge);
    assert_eq!(text, "the object has 5497558138880 bytes, more than the limit of 1073741824");
    assert_eq!(code, "remote-too-large");
    assert_eq!(server.requests(), 1);
}

#[test]
fn headers_without_an_end_are_left_after_16_mib() {
    let (server, _) = server(&[("/f", Fault::Huge)]);
    let object = remote().object(&server.address("/f/walk.psa")).unwrap();
    let parts = ObjectParts::new(&object);
    let mut header = [0; 32];
    let read = (1..).find_map(|at| parts.read_at(at * 32, &mut header).err()).unwrap();
    assert_eq!(read.to_string(), "no data from the server: its headers do not end within 16 MiB");
    assert!(server.sent() < 17 << 20, "{} bytes were sent", server.sent());
}

#[test]
fn an_object_that_is_replaced_meanwhile_is_an_error_and_never_a_mixture() {
    for fault in [Fault::NewTags, Fault::Replaced(1)] {
        let (text, code, _) = error(fault);
        assert_eq!(text, "the file on the server changed while it was read; read it again");
        assert_eq!(code, "remote-changed");
    }
}

#[test]
fn every_request_after_the_first_is_pinned_to_the_tag() {
    let (server, bytes) = server(&[("/f", Fault::None)]);
    assert_eq!(read(&remote(), &server.address("/f/walk.psa")).unwrap(), bytes);
    let lines = server.lines();
    assert_eq!(lines[0], "GET /f/walk.psa Some(\"bytes=0-4095\") None");
    assert!(lines.len() > 1);
    assert!(lines[1..].iter().all(|line| line.ends_with(" Some(\"\\\"tag\\\"\")")), "{lines:?}");
}

#[test]
fn an_object_without_tag_and_date_is_read() {
    let (server, bytes) = server(&[("/f", Fault::NoTag)]);
    assert_eq!(read(&remote(), &server.address("/f/walk.psa")).unwrap(), bytes);
}

#[test]
fn a_circle_of_redirects_is_an_error() {
    let (text, code, server) = error(Fault::Redirect);
    assert_eq!(text, "the redirect is refused: it redirects more than ten times");
    assert_eq!(code, "remote-redirect");
    assert!(server.requests() < 100, "{}", server.requests());
}

/// The second server sees no `Referer`, no query and no credential.
#[test]
fn a_server_that_another_one_leads_to_gets_nothing_of_the_address() {
    let (second, bytes) = server(&[("/f", Fault::None)]);
    let (first, _) = server(&[("/f", Fault::RedirectTo(second.port))]);
    let signed = first.address("/f/walk.psa?sig=s3cr3t");
    let error = read(&remote(), &signed).unwrap_err();
    assert_eq!(error.code().name(), "remote-redirect");
    assert_eq!(second.requests(), 0, "{:?}", second.heads());
    assert!(!error.to_string().contains("s3cr3t"), "{error}");

    let allowed = Remote::new(with(Options::default(), |own| own.redirect_queries = true));
    assert_eq!(read(&allowed, &signed).unwrap(), bytes);
    assert_eq!(read(&remote(), &first.address("/f/walk.psa")).unwrap(), bytes);
    let heads = second.heads().join("").to_lowercase();
    assert!(heads.contains("range: bytes="), "{heads}");
    for secret in ["referer", "s3cr3t", "authorization", "cookie"] {
        assert!(!heads.contains(secret), "{secret}: {heads}");
    }
}

#[test]
fn a_server_that_stops_sending_its_tag_is_not_believed() {
    let (text, code, _) = error(Fault::TagLost(1));
    assert_eq!(text, "the file on the server changed while it was read; read it again");
    assert_eq!(code, "remote-changed");
}

/// Without a tag, the date and the size tell versions apart. The date stays.
#[test]
fn an_object_of_another_size_is_another_version() {
    let (text, code, _) = error(Fault::Grown(1));
    assert_eq!(text, "the file on the server changed while it was read; read it again");
    assert_eq!(code, "remote-changed");
}

#[test]
fn a_server_that_sends_a_byte_a_second_is_given_up() {
    let (server, _) = server(&[("/f", Fault::Slow)]);
    let remote = Remote::new(with(Options::default(), |own| {
        own.retries = 0;
        own.timeout = Duration::from_secs(2);
    }));
    let error = read(&remote, &server.address("/f/walk.psa")).unwrap_err();
    assert_eq!(error.code().name(), "remote-unavailable");
}

#[test]
fn the_limit_of_bytes_holds_for_everything_together() {
    let (server, bytes) = server(&[("/f", Fault::None)]);
    let limited = |limit| Remote::new(with(Options::default(), |own| own.max_bytes = Some(limit)));
    let whole = bytes.len() as u64 + 4096;
    let enough = limited(whole);
    assert_eq!(read(&enough, &server.address("/f/walk.psa")).unwrap(), bytes);
    assert_eq!(enough.usage().bytes, whole);
    assert_eq!(enough.usage().requests, 2);
    let error = read(&limited(whole - 1), &server.address("/f/walk.psa")).unwrap_err();
    assert_eq!(error, RemoteError::Limit { limit: whole - 1 });
    // Bodies that never end count, and so do those of errors.
    let (server, _) = self::server(&[("/f", Fault::EndlessError)]);
    let error = read(&limited(100), &server.address("/f/walk.psa")).unwrap_err();
    assert_eq!(error.to_string(), "the download limit of 100 bytes is reached");
}

#[test]
fn an_object_that_failed_once_fails_at_once() {
    let (server, _) = server(&[("/f", Fault::Replaced(1))]);
    let remote = remote();
    let object = remote.object(&server.address("/f/walk.psa")).unwrap();
    assert!(object.read(10_000..20_000).is_err());
    let requests = server.requests();
    assert_eq!(object.read(30_000..40_000).unwrap_err().code().name(), "remote-changed");
    assert_eq!(server.requests(), requests);
}

#[test]
fn nothing_of_an_address_that_may_be_secret_is_in_an_error() {
    let (server, _) = server(&[("/f", Fault::Status(500, usize::MAX))]);
    let error = read(&remote(), &server.address("/f/walk.psa?sig=s3cr3t")).unwrap_err();
    assert!(!format!("{error} {error:?}").contains("s3cr3t"), "{error:?}");
    let error = remote().object("https://user:s3cr3t@127.0.0.1/x.psa").unwrap_err();
    assert!(!format!("{error} {error:?}").contains("s3cr3t"), "{error:?}");
    assert_eq!(error.code().name(), "remote-address");
}
