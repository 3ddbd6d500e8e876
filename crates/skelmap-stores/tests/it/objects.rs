//! One object as a source of bytes.

use std::sync::Arc;
use std::time::Duration;

use skelmap::mapping::{Object, Store};
use skelmap::{Headers, ParseOptions, ReadAt};
use skelmap_stores::object_store::memory::InMemory;
use skelmap_stores::object_store::{ObjectStoreExt, PutPayload, path::Path};
use skelmap_stores::{ObjectParts, Remote, RemoteObject};

use super::{Fault, Server, noise, read, remote};
use test_support::corpus::file;

#[test]
fn ranges_are_those_of_the_object() {
    let bytes = noise(300_000);
    let server = Server::new(&[("/x.psa", &bytes)], &[], Duration::ZERO);
    let remote = remote();
    let object = remote.object(&server.address("/x.psa")).unwrap();
    assert_eq!(object.size(), 300_000);
    for range in [0..0, 0..1, 0..4096, 4095..4097, 100_000..200_000, 299_999..300_000, 0..300_000] {
        let expected = &bytes[range.start as usize..range.end as usize];
        assert_eq!(object.read(range.clone()).unwrap(), expected, "{range:?}");
    }
    assert_eq!(object.read(299_999..400_000).unwrap(), &bytes[299_999..]);
    assert_eq!(object.read(300_000..u64::MAX).unwrap(), [0_u8; 0].as_slice());
    let mut into = [0; 10];
    assert_eq!(ReadAt::read_at(&object, 299_995, &mut into).unwrap(), 5);
    assert_eq!(into[..5], bytes[299_995..]);
    assert_eq!(ReadAt::read_at(&object, 300_000, &mut into).unwrap(), 0);
    assert_eq!(ReadAt::read_at(&object, u64::MAX, &mut into).unwrap(), 0);
}

#[test]
fn an_object_without_bytes_is_empty() {
    let server = Server::new(&[("/x.psa", &[])], &[], Duration::ZERO);
    assert_eq!(read(&remote(), &server.address("/x.psa")).unwrap(), [0_u8; 0]);
}

#[test]
fn a_large_object_comes_in_requests_of_8_mib_at_the_same_time() {
    let bytes = noise(20 << 20);
    let server = Server::new(&[("/x.psa", &bytes)], &[], Duration::from_millis(50));
    assert!(read(&remote(), &server.address("/x.psa")).unwrap() == bytes);
    assert_eq!(server.requests(), 4);
    assert_eq!(server.most_at_once(), 3);
}

#[test]
fn small_reads_that_lie_close_together_are_one_request() {
    let bytes = noise(100_000);
    let server = Server::new(&[("/x.psa", &bytes)], &[], Duration::ZERO);
    let remote = remote();
    let object = remote.object(&server.address("/x.psa")).unwrap();
    let parts = ObjectParts::new(&object);
    let mut byte = [0];
    for at in (0..4096).step_by(7).chain((50_000..51_000).step_by(7)) {
        assert_eq!(parts.read_at(at, &mut byte).unwrap(), 1);
        assert_eq!(byte[0], bytes[at as usize]);
    }
    assert_eq!(server.requests(), 2);
}

#[test]
fn ranges_asked_for_ahead_are_joined_over_64_kib_and_cost_no_request_later() {
    let bytes = noise(1 << 20);
    let server = Server::new(&[("/x.psa", &bytes)], &[], Duration::ZERO);
    let remote = remote();
    let object = remote.object(&server.address("/x.psa")).unwrap();
    // The second begins 64 KiB after the first, the third one byte more after the second.
    let near = 200_000 + 100 + (64 << 10);
    let far = near + 100 + (64 << 10) + 1;
    let ranges = vec![near..near + 100, 200_000..200_100, far..far + 100];
    object.prefetch(ranges.clone());
    object.advance();
    assert_eq!(server.requests(), 3);
    for range in ranges {
        assert_eq!(object.read(range.clone()).unwrap(), &bytes[range.start as usize..range.end as usize]);
    }
    assert_eq!(server.requests(), 3);
    object.advance();
    object.read(near..near + 100).unwrap();
    assert_eq!(server.requests(), 4, "what was asked for ahead is forgotten");
}

#[test]
fn no_more_requests_than_allowed_run_at_the_same_time() {
    let bytes = noise(30 << 20);
    let server = Server::new(&[("/x.psa", &bytes)], &[], Duration::from_millis(20));
    let mut options = skelmap_stores::Options::default();
    options.requests = 5;
    let object = Remote::new(options).object(&server.address("/x.psa")).unwrap();
    let ranges = (0..100).map(|part| part * 300_000..part * 300_000 + 10).collect();
    object.prefetch(ranges);
    object.advance();
    assert_eq!(server.requests(), 101);
    assert_eq!(server.most_at_once(), 5);
}

#[test]
fn headers_of_an_object_are_those_of_the_file() {
    for name in ["actorx/anim/classic.psa", "actorx/mesh/classic.psk"] {
        let bytes = file(name);
        let store = Arc::new(InMemory::new());
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(store.put(&Path::from("a/b"), PutPayload::from(bytes.clone()))).unwrap();
        let object = RemoteObject::open(&remote(), store, "a/b").unwrap();
        let options = ParseOptions::default();
        let expected = Headers::read(bytes.as_slice(), &options).unwrap();
        assert_eq!(Headers::read(&ObjectParts::new(&object), &options).unwrap().summary, expected.summary);
        assert_eq!(Headers::read(&object, &options).unwrap().summary, expected.summary);
    }
}

#[test]
fn an_object_can_be_read_on_a_thread_of_an_asynchronous_runtime() {
    let bytes = noise(10_000);
    let server = Server::new(&[("/x.psa", &bytes)], &[("/x", Fault::None)], Duration::ZERO);
    let address = server.address("/x.psa");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let got = runtime.block_on(async move {
        let remote = remote();
        let got = read(&remote, &address);
        drop(remote);
        got
    });
    assert_eq!(got.unwrap(), bytes);
}

/// What waits for answers is at its end; the threads for requests end with their owner, wherever that is.
#[test]
fn connections_end_on_a_thread_of_an_asynchronous_runtime() {
    let server = Server::new(&[("/x.psa", &[7; 100])], &[], Duration::ZERO);
    let address = server.address("/x.psa");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let size = runtime.block_on(async move {
        let remote = remote();
        let object = remote.object(&address).unwrap();
        let size = object.size();
        drop((object, remote));
        size
    });
    assert_eq!(size, 100);
}

#[test]
fn an_object_may_have_as_many_bytes_as_the_limit() {
    let bytes = noise(10_001);
    let server = Server::new(&[("/x.psa", &bytes)], &[], Duration::ZERO);
    let mut options = skelmap_stores::Options::default();
    options.max_object = 10_000;
    let object = Remote::new(options).object(&server.address("/x.psa")).unwrap();
    assert_eq!(object.read(0..10_000).unwrap(), &bytes[..10_000]);
    assert_eq!(object.read(1..10_001).unwrap(), &bytes[1..]);
    assert_eq!(object.read(0..10_001).unwrap_err().code().name(), "remote-too-large");
}

/// A tag tells versions apart.
#[test]
fn an_object_with_a_tag_has_a_version() {
    let faults = [("/tagged", Fault::None), ("/bare", Fault::NoTag)];
    let server = Server::new(&[("/tagged/x.psa", &[7; 100]), ("/bare/x.psa", &[7; 100])], &faults, Duration::ZERO);
    for (path, expected) in [("/tagged/x.psa", true), ("/bare/x.psa", false)] {
        assert_eq!(remote().object(&server.address(path)).unwrap().is_versioned(), expected, "{path}");
    }
}

/// Where the end of an archive cannot be asked for, its size is known all the same, but not beyond the limit of bytes.
#[test]
fn the_size_of_an_archive_is_asked_for_where_its_end_is_not_given() {
    let bytes = noise(1000);
    let server = Server::new(&[("/x.zip", &bytes)], &[("/x", Fault::NoRanges)], Duration::ZERO);
    let address = server.address("/x.zip");
    assert_eq!(remote().archive(&address).unwrap().size(), 1000);
    assert_eq!(remote().object(&address).unwrap_err().code().name(), "remote-no-ranges");
    let server = Server::new(&[("/x.zip", &bytes)], &[], Duration::ZERO);
    let mut options = skelmap_stores::Options::default();
    options.max_bytes = Some(10);
    let refused = Remote::new(options).archive(&server.address("/x.zip")).unwrap_err();
    assert_eq!(refused.code().name(), "remote-limit");
}

/// A window at a new place has 1 KiB, and the one after it 4 KiB.
#[test]
fn reads_that_go_on_from_a_place_are_two_requests_for_5_kib() {
    let bytes = noise(100_000);
    let server = Server::new(&[("/x.psa", &bytes)], &[], Duration::ZERO);
    let remote = remote();
    let object = remote.object(&server.address("/x.psa")).unwrap();
    let parts = ObjectParts::new(&object);
    let mut byte = [0];
    for at in (50_000..55_120).step_by(64) {
        assert_eq!(parts.read_at(at, &mut byte).unwrap(), 1);
        assert_eq!(byte[0], bytes[at as usize]);
    }
    assert_eq!(server.requests(), 3, "with the first bytes");
}

/// The limit of bytes is told as itself, and any other error of a list of a web server as that it has none.
#[test]
fn a_list_of_a_web_server_ends_with_its_reason() {
    let faults = [("/none", Fault::Status(405, usize::MAX)), ("/endless", Fault::EndlessError)];
    let server = Server::new(&[], &faults, Duration::ZERO);
    let code = |path: &str, max_bytes| {
        let mut options = skelmap_stores::Options::default();
        (options.max_bytes, options.retries) = (max_bytes, 0);
        Remote::new(options).list(&server.address(path)).unwrap_err().code().name()
    };
    assert_eq!(code("/none/", None), "remote-no-list");
    assert_eq!(code("/endless/", Some(100)), "remote-limit");
}

#[test]
fn an_address_is_a_prefix_or_an_object_or_either() {
    use skelmap::mapping::Target;
    for (address, expected) in [
        ("s3://b", Target::Prefix),
        ("s3://b/a/", Target::Prefix),
        ("s3://b/a", Target::Either),
        ("http://h/a/", Target::Prefix),
        ("http://h/a", Target::Object),
        // An address that cannot be opened is an error later.
        ("http://h/a//b", Target::Object),
        ("s3://b/a//b", Target::Either),
    ] {
        assert_eq!(remote().target(address), expected, "{address}");
    }
}

#[test]
fn addresses_are_told_from_paths() {
    for address in ["s3://b/k", "gs://b/k", "az://c/b", "https://h/p", "http://h/p", "S3://b/k", "Http://h/p"] {
        assert!(remote().owns(address), "{address}");
    }
    for path in ["", "s3:/b", "s4://b/k", "ftp://h/p", "file:///x", "C:\\x", "/s3://b", "mods/x.psa"] {
        assert!(!remote().owns(path), "{path}");
    }
    let bytes = [7; 5000];
    let server = Server::new(&[("/x.psa", &bytes)], &[], Duration::ZERO);
    let address = server.address("/x.psa").replace("http", "HTTP");
    assert_eq!(read(&remote(), &address).unwrap(), bytes, "in capitals");
    let reason = |address| remote().object(address).unwrap_err().to_string();
    assert!(reason("s3:///x.psa").contains("the name of the bucket is missing"));
    assert!(reason("s3://key:secret@b/x.psa").contains("invalid"));
    assert!(reason("https://h/a//b.psa").contains("empty part"));
    assert!(reason("https://").starts_with("not an address of an object: "));
}
