//! The command with addresses of objects: what it prints is what it prints of the files, whatever the server does.

use std::process::Command;
use std::thread;
use std::time::Duration;

use crate::run::{Folder, Ran, corpus, stored};
use skelmap_batch::text::size;
use test_support::build_zip::{Entry, Zip};
use test_support::corpus::folder;
use test_support::server::{Fault, Server};

/// What must never be printed or written.
const SECRET: &str = "s3cr3t";

/// A file of the public corpus.
fn fox(name: &str) -> Vec<u8> {
    std::fs::read(folder().parent().and_then(|tests| tests.parent()).unwrap().join("corpus").join(name)).unwrap()
}

/// An archive with a mesh, animations, a side-car, a bad file and what lies between.
fn archive() -> Vec<u8> {
    let noise: Vec<u8> = (0..200_000_u32).map(|at| at.wrapping_mul(2_654_435_761).to_le_bytes()[3]).collect();
    Zip::of([
        Entry::stored("art/fox.psk", fox("fox.psk")),
        Entry::stored("art/fox.dds", noise),
        Entry::deflated("art/fox.psa", fox("fox.psa")),
        Entry::stored("art/fox.config", fox("fox.config")),
        Entry::stored("art/fox_walk.psa", fox("fox_walk.psa")),
        Entry::stored("art/fox.pmd", fox("fox.pmd")),
        Entry::stored("art/bad.psk", b"no mesh"),
    ])
    .build()
    .bytes
}

/// The command in a folder, without the credentials of the user.
fn command(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = folder.command(arguments);
    for (name, _) in std::env::vars_os() {
        if ["AWS_", "GOOGLE_", "AZURE_"].iter().any(|start| name.to_string_lossy().starts_with(start)) {
            command.env_remove(name);
        }
    }
    command
}

fn run(folder: &Folder, arguments: &[&str]) -> Ran {
    Ran::of(&mut command(folder, arguments))
}

/// The commands, for a place of the archive.
fn commands(place: &str) -> Vec<Vec<String>> {
    let entry = |name: &str| format!("{place}!/art/{name}");
    let line = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<String>>();
    vec![
        line(&["ls", place]),
        line(&["ls", "--format", "jsonl", place, &entry("bad.psk"), &entry("none.psk")]),
        line(&["info", &entry("fox.psa")]),
        line(&["info", "--format", "json", &entry("fox.psk")]),
        line(&["info", &entry("bad.psk")]),
        line(&["check", "--level", "note", place]),
        line(&["check", "--format", "jsonl", place]),
        line(&["dump", &entry("fox_walk.psa"), "--what", "keys"]),
        line(&["match", &entry("fox.psk"), place]),
        line(&["match", "--format", "csv", &entry("fox.psk"), &entry("fox_walk.psa")]),
        line(&["skin", &entry("fox.pmd"), "--anim", &entry("fox_walk.psa"), "--at", "100ms", "--format", "json"]),
    ]
}

#[test]
fn commands_say_of_an_archive_in_a_store_what_they_say_of_the_file() {
    let (folder, bytes) = (Folder::new(), archive());
    folder.put("mod.zip", &bytes);
    let server = Server::new(&[("/mod.zip", &bytes)], &[], Duration::ZERO);
    let address = server.address("/mod.zip");
    for (local, remote) in commands("mod.zip").iter().zip(commands(&address)) {
        let expected = folder.run(local);
        let ran = run(&folder, &remote.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(ran.status, expected.status, "{remote:?}: {}", ran.complaints);
        // A table is as wide as its paths.
        let words =
            |text: &str| text.replace(&address, "mod.zip").split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(ran.text()), words(expected.text()), "{remote:?}");
        assert_eq!(words(&ran.complaints), words(&expected.complaints), "{remote:?}");
        assert!(!expected.out.is_empty() || expected.status != 0, "{local:?}");
    }
}

#[test]
fn a_catalogue_of_an_archive_in_a_store_is_that_of_the_file_byte_for_byte_but_for_the_path() {
    let (folder, bytes) = (Folder::new(), archive());
    folder.put("mod.zip", &bytes);
    let server = Server::new(&[("/mod.zip", &bytes)], &[], Duration::ZERO);
    let address = server.address("/mod.zip");
    for (number, options) in [&[][..], &["--content-hash"], &["--per", "sequence", "--extent"]].iter().enumerate() {
        for format in ["jsonl", "csv"] {
            let names = [format!("local{number}.{format}"), format!("remote{number}.{format}")];
            for (place, name) in ["mod.zip", &address].into_iter().zip(&names) {
                let ran = run(&folder, &[&["catalog", place, "-o", name], *options].concat());
                assert_eq!(ran.status, 1, "the bad file: {}", ran.complaints);
            }
            let [local, remote] = names.map(|name| folder.text(name));
            assert_eq!(remote.replace(&address, "mod.zip"), local);
            assert!(local.lines().count() >= 5, "{local}");
        }
    }
}

#[test]
fn a_dump_of_several_entries_opens_their_archive_once() {
    let (folder, body) = (Folder::new(), corpus("actorx/anim/classic.psa"));
    let names: Vec<String> = (0..20).map(|index| format!("{index}.psa")).collect();
    let mut entries: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), body.as_slice())).collect();
    // What is read of the end of an archive has no entry in it.
    let noise = vec![7; 1 << 20];
    entries.push(("noise.bin", &noise));
    let bytes = stored(&entries);
    folder.put("mod.zip", &bytes);
    let server = Server::new(&[("/mod.zip", &bytes)], &[], Duration::ZERO);
    let address = server.address("/mod.zip");
    let place = |archive: &str, name: &str| format!("{archive}!/{name}");
    assert_eq!(run(&folder, &["dump", "--what", "keys", &place(&address, "0.psa")]).status, 0);
    let alone = server.requests();
    assert!(alone > 1);
    let of = |archive: &str| -> Vec<String> {
        let words = ["dump", "--what", "keys"].map(str::to_owned);
        words.into_iter().chain(names.iter().map(|name| place(archive, name))).collect()
    };
    let ran = run(&folder, &of(&address).iter().map(String::as_str).collect::<Vec<_>>());
    // The directory once, and at most two requests for each entry: for its format, which decides about the columns, and for its keys.
    assert!(server.requests() - alone < alone + 2 * names.len(), "{} after {alone}", server.requests());
    let local = run(&folder, &of("mod.zip").iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!((ran.status, local.status), (0, 0), "{}", ran.complaints);
    assert_eq!(ran.text().replace(&address, "mod.zip"), local.text());
    assert!(local.text().lines().any(|line| line.starts_with("mod.zip,19.psa,")));
}

#[test]
fn entries_of_an_archive_in_a_store_are_extracted_as_those_of_the_file() {
    let (folder, bytes) = (Folder::new(), archive());
    folder.put("mod.zip", &bytes);
    let server = Server::new(&[("/mod.zip", &bytes)], &[], Duration::ZERO);
    folder.ends(0, &["extract", "mod.zip", "-o", "local"]);
    assert_eq!(run(&folder, &["extract", &server.address("/mod.zip"), "-o", "remote"]).status, 0);
    let names: Vec<String> = folder.files().into_iter().filter(|name| name.starts_with("local/")).collect();
    assert_eq!(names.len(), 7);
    for name in names {
        assert_eq!(folder.read(name.replace("local/", "remote/")), folder.read(&name), "{name}");
    }
}

#[test]
fn verbose_prints_the_requests_and_bytes_that_the_server_counted() {
    let (folder, bytes) = (Folder::new(), archive());
    for words in
        [&["ls"][..], &["check"], &["catalog", "-o", "rows.jsonl", "--force"], &["extract", "-o", "out", "--force"]]
    {
        let server = Server::new(&[("/mod.zip", &bytes)], &[], Duration::ZERO);
        let ran = run(&folder, &[words, &[&server.address("/mod.zip"), "-v"]].concat());
        let plural = if server.requests() == 1 { "" } else { "s" };
        let line = format!("{} request{plural} and {} from stores", server.requests(), size(server.sent()));
        assert!(ran.complaints.contains(&line), "{line}: {}", ran.complaints);
    }
}

#[test]
fn the_limit_of_bytes_is_a_number_with_a_unit() {
    let (folder, bytes) = (Folder::new(), archive());
    let server = Server::new(&[("/mod.zip", &bytes)], &[], Duration::ZERO);
    let address = server.address("/mod.zip");
    let ls = |limit: &str| run(&folder, &["ls", &address, "--format", "csv", "--max-bytes", limit]);
    let whole = run(&folder, &["ls", &address, "--format", "csv"]);
    for enough in ["100000000", "9M", "900k", "900K", "1G", "1g", "5m"] {
        assert_eq!(ls(enough).out, whole.out, "{enough}");
    }
    for (little, limit) in [("1K", 1 << 10), ("100", 100), ("100k", 100 << 10), ("0", 0)] {
        let ran = ls(little);
        assert_eq!(ran.status, 3, "{little}: {}", ran.complaints);
        assert!(ran.text().contains(&format!("the download limit of {limit} bytes is reached")), "{}", ran.text());
    }
    let requests = server.requests();
    for wrong in ["", "K", "-1", "1.5M", "1KK", "1T", "1 K", "0x10", "99999999999999999999", "17179869184G", "ü"] {
        assert_eq!(ls(wrong).status, 2, "{wrong:?}");
    }
    assert_eq!(server.requests(), requests);
}

#[test]
fn a_run_ends_at_its_limit_with_every_row_and_what_came_before_complete() {
    let psk = fox("fox.psk");
    let names: Vec<String> = (0..200).map(|number| format!("/{number:03}.psk")).collect();
    let objects: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), psk.as_slice())).collect();
    let server = Server::new(&objects, &[], Duration::ZERO);
    let addresses: Vec<String> = names.iter().map(|name| server.address(name)).collect();
    let mut arguments = vec!["ls", "--format", "jsonl", "--max-bytes", "700K"];
    arguments.extend(addresses.iter().map(String::as_str));
    let ran = run(&Folder::new(), &arguments);
    assert_eq!(ran.status, 1, "{}", ran.complaints);
    let rows = ran.lines();
    assert_eq!(rows.len(), 200);
    let (good, bad): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row["error"].is_null());
    assert!(!good.is_empty() && good.iter().all(|row| row["bones"].as_u64() > Some(0)));
    assert!(bad.iter().all(|row| row["error"]["kind"] == "remote-limit"), "{bad:?}");
    // At most 64 bodies are under way when the limit is reached: less than 700 KiB for 64 objects, more for all. None is read on.
    assert!(server.sent() <= (700 << 10) + 64 * (4 << 10), "{}", server.sent());
}

#[test]
fn the_status_tells_good_from_bad_and_from_nothing_read() {
    let (folder, bytes) = (Folder::new(), fox("fox.psk"));
    let objects =
        [("/good.psk", bytes.as_slice()), ("/bad.psk", b"no mesh".as_slice()), ("/empty.psk", b"".as_slice())];
    let server = Server::new(&objects, &[("/denied", Fault::Status(403, usize::MAX))], Duration::ZERO);
    let [good, bad, empty] = ["/good.psk", "/bad.psk", "/empty.psk"].map(|path| server.address(path));
    let (none, denied) = (server.address("/none.psk"), server.address("/denied.psk"));
    let status = |paths: &[&str]| run(&folder, &[&["ls"], paths].concat()).status;
    assert_eq!(status(&[&good]), 0);
    assert_eq!(status(&[&good, &bad]), 1);
    assert_eq!(status(&[&good, &none, &denied]), 1);
    assert_eq!(status(&[&bad]), 1);
    assert_eq!(status(&[&none, &denied]), 3);
    let said = run(&folder, &["ls", "--format", "jsonl", &empty, &none, &denied, &server.address("/folder/")]).lines();
    let kinds: Vec<_> = said.iter().map(|row| row["error"]["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["empty", "remote-not-found", "remote-denied", "remote-not-found"]);
    assert_eq!(run(&folder, &["info", &none]).status, 3);
    assert_eq!(run(&folder, &["dump", &none, "--what", "points"]).status, 3);
    assert_eq!(run(&folder, &["match", &none, &good]).status, 3);
    assert_eq!(run(&folder, &["extract", &server.address("/none.zip"), "-o", "out"]).status, 3);
    assert_eq!(run(&folder, &["catalog", &none, "-o", "none.jsonl"]).status, 3);
    assert!(folder.files() == ["none.jsonl"], "{:?}", folder.files());
}

#[test]
fn an_archive_that_is_replaced_while_it_is_read_loses_no_row() {
    let psk = fox("fox.psk");
    let noise = vec![7; 100_000];
    let names: Vec<String> = (0..60).map(|number| format!("art/{number}")).collect();
    let entries: Vec<(String, &[u8])> = names
        .iter()
        .flat_map(|name| [(format!("{name}.psk"), psk.as_slice()), (format!("{name}.dds"), noise.as_slice())])
        .collect();
    let bytes = stored(&entries.iter().map(|(name, data)| (name.as_str(), *data)).collect::<Vec<_>>());
    let (folder, faults) = (Folder::new(), [("/", Fault::Replaced(2))]);
    for words in [&["ls", "--format", "jsonl"][..], &["check", "--format", "jsonl"], &["catalog", "-o", "rows.jsonl"]] {
        let server = Server::new(&[("/mod.zip", &bytes)], &faults, Duration::ZERO);
        let ran = run(&folder, &[words, &[&server.address("/mod.zip")]].concat());
        let rows = if words[0] == "catalog" { folder.lines("rows.jsonl") } else { ran.lines() };
        let found: Vec<_> = rows.iter().map(|row| row["entry"].as_str().unwrap().to_owned()).collect();
        assert_eq!(found, names.iter().map(|name| format!("{name}.psk")).collect::<Vec<_>>(), "{words:?}");
        let changed = rows.iter().filter(|row| row["error"]["kind"] == "remote-changed").count();
        let good = rows.iter().filter(|row| row["error"].is_null()).count();
        assert!(changed > 0 && changed + good == 60, "{words:?}: {changed} changed, {good} good");
        assert_eq!(ran.status, if good > 0 { 1 } else { 3 }, "{words:?}: {}", ran.complaints);
    }
}

/// Whatever the command printed and wrote has no secret in it.
fn check_silent(folder: &Folder, ran: &Ran, what: &str) {
    let written = folder.files().into_iter().map(|name| (folder.read(&name), name));
    for (bytes, name) in
        written.chain([(ran.out.clone(), "stdout".to_owned()), (ran.complaints.clone().into(), "stderr".to_owned())])
    {
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains(SECRET) && !name.contains(SECRET), "{what}: {name}: {text}");
    }
}

/// Faults of a server that come at once.
const FAULTS: [Fault; 7] = [
    Fault::None,
    Fault::Status(403, usize::MAX),
    Fault::Short,
    Fault::Long,
    Fault::NoRanges,
    Fault::OtherRange,
    Fault::Replaced(1),
];

/// The commands for a fault are divided into so many parts.
const PARTS: usize = 4;

/// Proves something of every fault and every part of the commands, all at the same time: most of the time, commands wait
/// before they try again.
fn for_each_fault(check: impl Fn(Fault, usize) + Sync) {
    thread::scope(|scope| {
        for fault in FAULTS {
            for part in 0..PARTS {
                let check = &check;
                scope.spawn(move || check(fault, part));
            }
        }
    });
}

/// Every command with the place of an archive, and of a bad and a good object.
fn all_commands(archive: &str, bad: &str, good: &str) -> Vec<Vec<String>> {
    let line = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<String>>();
    let mut all = commands(archive);
    all.extend([
        line(&["ls", archive, bad, good, "-v"]),
        line(&["check", bad]),
        line(&["info", bad]),
        line(&["info", "--layout", good]),
        line(&["dump", bad, "--what", "points"]),
        line(&["dump", good, "--what", "keys"]),
        line(&["match", bad, good]),
        line(&["match", good, bad]),
        line(&["skin", good, "--anim", bad, "--at", "1ms"]),
        line(&["pose", good, "--mesh", bad, "--at", "1ms"]),
        line(&["catalog", archive, bad, "-o", "rows.jsonl", "--force"]),
        line(&["catalog", archive, bad, "-o", "rows.csv", "--resume", "--force"]),
        line(&["catalog", good, "--report", "report.html", "--force"]),
        line(&["view", archive, "-o", "pages", "--force"]),
        line(&["extract", archive, "-o", "out", "--force"]),
        line(&["extract", bad, "-o", "out"]),
        line(&["convert", archive, good, "-o", "gltf", "--force"]),
    ]);
    all
}

#[test]
fn an_entry_of_an_archive_with_a_signature_in_its_address_is_extracted() {
    let bytes = archive();
    let server = Server::new(&[("/f/mod.zip", bytes.as_slice())], &[], Duration::ZERO);
    let folder = Folder::new();
    let place = format!("{}?sig={SECRET}", server.address("/f/mod.zip"));
    for (address, names) in [("art/fox.psk", vec!["out/art/fox.psk"]), ("art/", vec![])] {
        let ran = run(&folder, &["extract", &format!("{place}!/{address}"), "-o", "out", "--resume"]);
        assert_eq!(ran.status, 0, "{}", ran.complaints);
        assert!(names.iter().all(|name| folder.read(name) == fox("fox.psk")));
    }
    assert_eq!(folder.files().len(), 7);
    assert!(server.lines().iter().all(|line| line.contains(SECRET)), "{:?}", server.lines());
}

#[test]
fn a_secret_in_an_address_is_printed_by_no_command_whatever_the_server_does() {
    let (bytes, psk) = (archive(), fox("fox.psk"));
    let objects = [("/f/mod.zip", bytes.as_slice()), ("/f/bad.psk", b"no mesh"), ("/f/good.psk", &psk)];
    for_each_fault(|fault, part| {
        let server = Server::new(&objects, &[("/f", fault)], Duration::ZERO);
        let folder = Folder::new();
        let place = |path: &str| format!("{}?sig={SECRET}", server.address(path));
        let all = all_commands(&place("/f/mod.zip"), &place("/f/bad.psk"), &place("/f/good.psk"));
        for arguments in all.iter().skip(part).step_by(PARTS) {
            let ran = run(&folder, &arguments.iter().map(String::as_str).collect::<Vec<_>>());
            check_silent(&folder, &ran, &format!("{fault:?} {arguments:?}"));
        }
        assert!(server.lines().iter().all(|line| line.contains(SECRET)), "{fault:?}: {:?}", server.lines());
    });
}

#[test]
fn a_name_and_a_password_in_an_address_are_refused_and_not_printed() {
    let folder = Folder::new();
    for host in ["http://user:s3cr3t@127.0.0.1:9", "https://s3cr3t@127.0.0.1", "s3://key:s3cr3t@bucket"] {
        let place = |name: &str| format!("{host}/{name}");
        for arguments in all_commands(&place("mod.zip"), &place("bad.psk"), &place("good.psk")) {
            let ran = run(&folder, &arguments.iter().map(String::as_str).collect::<Vec<_>>());
            check_silent(&folder, &ran, &format!("{arguments:?}"));
            assert_ne!(ran.status, 0, "{arguments:?}");
        }
        let row = &run(&folder, &["ls", "--format", "jsonl", &place("bad.psk")]).lines()[0];
        assert_eq!(row["error"]["kind"], "remote-address");
    }
}

/// Runs the command with the credentials of a bucket in the environment.
fn run_with_credentials(folder: &Folder, server: &Server, arguments: &[&str]) -> Ran {
    let mut command = command(folder, arguments);
    command.envs([
        ("AWS_ACCESS_KEY_ID", "AKIDs3cr3t"),
        ("AWS_SECRET_ACCESS_KEY", "s3cr3t"),
        ("AWS_SESSION_TOKEN", "s3cr3t"),
        ("AWS_ENDPOINT", &server.address("")),
        ("AWS_ALLOW_HTTP", "true"),
    ]);
    Ran::of(&mut command)
}

#[test]
fn credentials_of_the_environment_are_printed_by_no_command_whatever_the_store_does() {
    let (bytes, psk) = (archive(), fox("fox.psk"));
    let objects = [("/b/f/mod.zip", bytes.as_slice()), ("/b/f/bad.psk", b"no mesh"), ("/b/f/good.psk", &psk)];
    for_each_fault(|fault, part| {
        let server = Server::new(&objects, &[("/b/f", fault)], Duration::ZERO);
        let folder = Folder::new();
        let all = all_commands("s3://b/f/mod.zip", "s3://b/f/bad.psk", "s3://b/f/good.psk");
        for arguments in all.iter().skip(part).step_by(PARTS) {
            let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
            let ran = run_with_credentials(&folder, &server, &arguments);
            check_silent(&folder, &ran, &format!("{fault:?} {arguments:?}"));
        }
        assert!(server.requests() > 0);
    });
}

/// A signed request of S3 has the key, the token of the session and a signature in its headers.
#[test]
fn headers_with_credentials_stay_with_their_server() {
    let psk = fox("fox.psk");
    let second = Server::new(&[("/b/fox.psk", psk.as_slice())], &[], Duration::ZERO);
    let first = Server::new(&[], &[("/b", Fault::RedirectTo(second.port))], Duration::ZERO);
    let folder = Folder::new();
    let ran = run_with_credentials(&folder, &first, &["info", "s3://b/fox.psk"]);
    assert_eq!(ran.status, 0, "{}", ran.complaints);
    assert!(first.heads().join("").contains("AKIDs3cr3t"), "{:?}", first.heads());
    let heads = second.heads().join("").to_lowercase();
    assert!(heads.contains("range: bytes="), "{heads}");
    for secret in ["s3cr3t", "authorization", "x-amz", "referer"] {
        assert!(!heads.contains(secret), "{secret}: {heads}");
    }
}

#[test]
fn an_error_of_credentials_names_their_variable() {
    let folder = Folder::new();
    let file = folder.put("key.json", "s3cr3t");
    let (file, missing) = (file.to_str().unwrap(), "/missing/key.json");
    let azure = ("AZURE_STORAGE_ACCOUNT_NAME", "a");
    let json = "does not contain credentials in JSON: expected value at line 1 column 1";
    let cases = [
        (
            "az://b/x.psk",
            ("AZURE_STORAGE_ACCOUNT_KEY", "s3cr3t!"),
            "AZURE_STORAGE_ACCOUNT_KEY is not base64\n".to_owned(),
        ),
        ("gs://b/x.psk", ("GOOGLE_SERVICE_ACCOUNT", file), format!("the file of GOOGLE_SERVICE_ACCOUNT {json}\n")),
        ("gs://b/x.psk", ("GOOGLE_SERVICE_ACCOUNT_KEY", "s3cr3t"), format!("GOOGLE_SERVICE_ACCOUNT_KEY {json}\n")),
        (
            "gs://b/x.psk",
            ("GOOGLE_APPLICATION_CREDENTIALS", file),
            format!("the file of GOOGLE_APPLICATION_CREDENTIALS {json}\n"),
        ),
        (
            "gs://b/x.psk",
            ("GOOGLE_SERVICE_ACCOUNT", missing),
            "the file of GOOGLE_SERVICE_ACCOUNT cannot be opened: ".to_owned(),
        ),
    ];
    for (place, variable, expected) in cases {
        let ran = Ran::of(command(&folder, &["info", place]).envs([azure, variable]));
        let expected = format!("no data from the server: {expected}");
        assert!(ran.complaints.contains(&expected), "{variable:?}: {}", ran.complaints);
    }
}

#[test]
fn credentials_with_a_fault_are_an_error_that_does_not_repeat_them() {
    let folder = Folder::new();
    let cases = [
        ("s3://b/x.psk", &[("AWS_ACCESS_KEY_ID", "s3cr3t\n"), ("AWS_SECRET_ACCESS_KEY", "s3cr3t")][..]),
        (
            "s3://b/x.psk",
            &[("AWS_ACCESS_KEY_ID", "a"), ("AWS_SECRET_ACCESS_KEY", "b"), ("AWS_SESSION_TOKEN", "s3cr3t\n")],
        ),
        ("s3://b/x.psk", &[("AWS_ENDPOINT", "http://user:s3cr3t@127.0.0.1:9"), ("AWS_SKIP_SIGNATURE", "true")]),
        ("gs://b/x.psk", &[("GOOGLE_SERVICE_ACCOUNT_KEY", "\"s3cr3t\"")]),
        ("gs://b/x.psk", &[("GOOGLE_SERVICE_ACCOUNT_KEY", "{\"private_key\": \"s3cr3t\"")]),
        ("az://b/x.psk", &[("AZURE_STORAGE_ACCOUNT_NAME", "a"), ("AZURE_STORAGE_ACCOUNT_KEY", "s3cr3t")]),
        ("az://b/x.psk", &[("AZURE_STORAGE_ACCOUNT_NAME", "a"), ("AZURE_STORAGE_SAS_TOKEN", "s3cr3t")]),
    ];
    for (place, variables) in cases {
        let mut command = command(&folder, &["ls", "--format", "jsonl", place]);
        command.envs(variables.iter().copied()).env("AWS_ALLOW_HTTP", "true").env("AWS_REGION", "us-east-1");
        if !variables.iter().any(|(name, _)| *name == "AWS_ENDPOINT") {
            command.env("AWS_ENDPOINT", "http://127.0.0.1:9");
        }
        let ran = Ran::of(&mut command);
        check_silent(&folder, &ran, &format!("{place} {variables:?}"));
        assert_eq!(ran.status, 3, "{place} {variables:?}: {}", ran.complaints);
        assert!(!ran.complaints.contains("panicked"), "{variables:?}: {}", ran.complaints);
    }
}

/// An object may change without a sign that the record of a conversion could hold.
#[test]
fn a_resumed_conversion_reads_objects_of_stores_again() {
    let folder = Folder::new();
    let mesh = corpus("../../corpus/fox.psk");
    let server = Server::new(&[("/fox.psk", &mesh)], &[], Duration::ZERO);
    for _ in 0..2 {
        let ran = run(&folder, &["convert", &server.address("/fox.psk"), "-o", "out", "--resume", "--format", "jsonl"]);
        assert_eq!((ran.status, ran.lines()[0]["status"].as_str()), (0, Some("written")), "{}", ran.complaints);
    }
}

/// Where an address is no address, its password and its signature are as secret.
#[test]
fn no_message_repeats_the_secrets_of_an_address() {
    let folder = Folder::new();
    folder.put("fox.psk", corpus("../../corpus/fox.psk"));
    for scheme in ["http", "HTTP", "ftp", "s3"] {
        let address = format!("{scheme}://user:SECRET@127.0.0.1:9/x.png?SECRET#SECRET");
        for (status, line) in [
            (2, vec!["pack", &address, "-o", "h.zip"]),
            (3, vec!["convert", "fox.psk", "-o", "x.glb", "--texture", &address]),
            (2, vec!["ls", "--gsa-layout", &address, "."]),
            (2, vec!["ls", "--jobs", &address, "."]),
            (3, vec!["ls", &address]),
            (3, vec!["info", &address]),
        ] {
            let ran = run(&folder, &line);
            assert_eq!(ran.status, status, "{line:?}: {}", ran.complaints);
            assert!(!ran.complaints.contains("SECRET"), "{line:?}: {}", ran.complaints);
            // A key of a bucket may have such characters.
            assert!(["ftp", "s3"].contains(&scheme) || !ran.text().contains("SECRET"), "{line:?}: {}", ran.text());
        }
    }
}

#[test]
fn control_characters_of_arguments_do_not_reach_a_terminal() {
    let folder = Folder::new();
    for line in [["ls", "--\u{1b}]0;owned\u{7}"], ["--jobs", "a\u{1b}[2J"]] {
        let ran = run(&folder, &line);
        assert_eq!(ran.status, 2);
        assert!(!ran.complaints.contains(['\u{1b}', '\u{7}']), "{:?}", ran.complaints);
        assert!(ran.complaints.starts_with("error: ") && ran.complaints.lines().count() > 1, "{}", ran.complaints);
    }
}
