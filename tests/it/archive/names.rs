//! Names: which are the same, what follows their dot, and which are paths that can be written to.
#![expect(clippy::redundant_closure_for_method_calls, reason = "a method's path is not general enough in its lifetime")]

use skelmap::archive::{Archive, ArchiveErrorKind, EntryName};

use test_support::build_zip::{Entry, Zip};

/// What the name of an entry says of itself.
fn of<T>(name: impl AsRef<[u8]>, ask: impl FnOnce(EntryName<'_>) -> T) -> T {
    let bytes = Zip::of([Entry::stored(name, b"data")]).build().bytes;
    ask(Archive::parse(&bytes).unwrap().get(0).unwrap().name())
}

fn safe_path(name: impl AsRef<[u8]>) -> Result<String, ArchiveErrorKind> {
    of(name, |name| name.to_safe_path())
}

/// The characters from 0x80 on, as Python's codec `cp437` has them, which is generated from Unicode's CP437.TXT:
/// `bytes(range(128, 256)).decode("cp437")`, Python 3.11.2.
const CODE_PAGE_437: [u16; 128] = [
    0x00C7, 0x00FC, 0x00E9, 0x00E2, 0x00E4, 0x00E0, 0x00E5, 0x00E7, 0x00EA, 0x00EB, 0x00E8, 0x00EF, 0x00EE, 0x00EC,
    0x00C4, 0x00C5, 0x00C9, 0x00E6, 0x00C6, 0x00F4, 0x00F6, 0x00F2, 0x00FB, 0x00F9, 0x00FF, 0x00D6, 0x00DC, 0x00A2,
    0x00A3, 0x00A5, 0x20A7, 0x0192, 0x00E1, 0x00ED, 0x00F3, 0x00FA, 0x00F1, 0x00D1, 0x00AA, 0x00BA, 0x00BF, 0x2310,
    0x00AC, 0x00BD, 0x00BC, 0x00A1, 0x00AB, 0x00BB, 0x2591, 0x2592, 0x2593, 0x2502, 0x2524, 0x2561, 0x2562, 0x2556,
    0x2555, 0x2563, 0x2551, 0x2557, 0x255D, 0x255C, 0x255B, 0x2510, 0x2514, 0x2534, 0x252C, 0x251C, 0x2500, 0x253C,
    0x255E, 0x255F, 0x255A, 0x2554, 0x2569, 0x2566, 0x2560, 0x2550, 0x256C, 0x2567, 0x2568, 0x2564, 0x2565, 0x2559,
    0x2558, 0x2552, 0x2553, 0x256B, 0x256A, 0x2518, 0x250C, 0x2588, 0x2584, 0x258C, 0x2590, 0x2580, 0x03B1, 0x00DF,
    0x0393, 0x03C0, 0x03A3, 0x03C3, 0x00B5, 0x03C4, 0x03A6, 0x0398, 0x03A9, 0x03B4, 0x221E, 0x03C6, 0x03B5, 0x2229,
    0x2261, 0x00B1, 0x2265, 0x2264, 0x2320, 0x2321, 0x00F7, 0x2248, 0x00B0, 0x2219, 0x00B7, 0x221A, 0x207F, 0x00B2,
    0x25A0, 0x00A0,
];

fn code_page_437(byte: u8) -> char {
    let high = byte.checked_sub(128).map(|at| char::from_u32(CODE_PAGE_437[usize::from(at)].into()).unwrap());
    high.unwrap_or(char::from(byte))
}

#[test]
fn every_byte_of_code_page_437_is_the_right_character() {
    let all: Vec<u8> = (0..=255).collect();
    let shown: String = all.iter().map(|byte| code_page_437(*byte)).collect();
    of(&all, |name| {
        assert_eq!((name.to_string(), name.as_bytes()), (shown.clone(), all.as_slice()));
        assert!(name.matches(&shown));
        assert_eq!(format!("{name:?}"), format!("{shown:?}"));
    });
    for byte in all {
        let shown = code_page_437(byte).to_string();
        of([byte], |name| assert!(name.to_string() == shown && name.matches(&shown), "{byte:#X}"));
    }
}

#[test]
fn a_name_matches_its_text_and_nothing_else() {
    of("art/Grunt.psk", |name| {
        assert!(name.matches("art/Grunt.psk"));
        for other in ["", "art/grunt.psk", "art/Grunt.ps", "art/Grunt.psk ", "/art/Grunt.psk", "art\\Grunt.psk"] {
            assert!(!name.matches(other), "{other}");
        }
    });
    // Valid UTF-8 is not taken for code page 437, and the other way round.
    of("é", |name| assert!(name.matches("é") && !name.matches("├⌐")));
    of([0x82], |name| assert!(name.matches("é") && !name.matches("\u{82}") && !name.matches("éé")));
    of([0x82, b'a'], |name| assert!(name.matches("éa") && !name.matches("é")));
    of("", |name| assert!(name.matches("") && !name.matches("a")));
}

#[test]
fn names_are_padded_on_request() {
    of("é.psk", |name| assert_eq!(format!("[{name:>8}]"), "[   é.psk]"));
    of(b"\x82.psk", |name| assert_eq!(format!("[{name:>8}]"), "[   é.psk]"));
}

#[test]
fn folders_end_in_a_slash_or_a_backslash() {
    for (name, folder) in [("art/", true), ("/", true), ("art", false), ("", false), ("art\\", true), ("a/b", false)] {
        assert_eq!(of(name, |name| name.is_folder()), folder, "{name}");
    }
}

#[test]
fn an_extension_follows_the_last_dot_of_the_last_part() {
    let cases = [
        ("a.psk", "psk"),
        ("a.b.PSA", "PSA"),
        ("a.b/c", ""),
        ("a.b/c.d", "d"),
        ("a", ""),
        ("a.", ""),
        (".psk", "psk"),
        ("a.psk/", ""),
        ("", ""),
        ("a.é", "é"),
    ];
    for (name, extension) in cases {
        assert_eq!(of(name, |name| name.extension().to_vec()), extension.as_bytes(), "{name}");
    }
}

#[test]
fn safe_paths_are_relative_and_have_no_empty_parts() {
    let cases = [
        ("a", "a"),
        ("art/Grunt.psk", "art/Grunt.psk"),
        ("art/", "art"),
        ("a//b", "a/b"),
        ("./a/./b", "a/b"),
        ("a/.hidden", "a/.hidden"),
        ("..a/b..c", "..a/b..c"),
        ("a b/c d", "a b/c d"),
        ("art\\mesh\\Grunt.psk", "art/mesh/Grunt.psk"),
        ("art\\", "art"),
        (".\\a\\/b", "a/b"),
        ("héros/モデル.psk", "héros/モデル.psk"),
    ];
    for (name, path) in cases {
        assert_eq!(safe_path(name).unwrap(), path);
    }
    assert_eq!(safe_path(b"h\x82ros").unwrap(), "héros");
}

/// Every name that is refused, and a word of the reason.
const REFUSED: [(&[u8], &str); 31] = [
    (b"", "empty"),
    (b".", "empty"),
    (b"./", "empty"),
    (b"././/.", "empty"),
    (b"/", "absolute"),
    (b"//", "absolute"),
    (b"/etc/passwd", "absolute"),
    (b"//server/share", "absolute"),
    (b"..", ".."),
    (b"../", ".."),
    (b"../a", ".."),
    (b"a/..", ".."),
    (b"a/../b", ".."),
    (b"a/b/../../../c", ".."),
    (b"./../a", ".."),
    (b"\\", "absolute"),
    (b"..\\a", ".."),
    (b"a\\..\\..\\b", ".."),
    (b"a/..\\b", ".."),
    (b"\\a", "absolute"),
    (b"\\\\server\\share", "absolute"),
    (b"a\\nul.txt", "Windows"),
    (b"C:", "colon"),
    (b"C:/a", "colon"),
    (b"C:a", "colon"),
    (b"a:stream", "colon"),
    (b"a\0b", "control"),
    (b"a\nb", "control"),
    (b"a\x7F", "control"),
    // A control character beyond ASCII, in UTF-8.
    (b"a\xC2\x85", "control"),
    (b"\x1B[2J\x82", "control"),
];

#[test]
fn every_name_that_may_lead_out_of_a_folder_is_refused_as_a_path() {
    for (name, reason) in REFUSED {
        let error = safe_path(name).unwrap_err();
        assert_eq!(error.code().name(), "zip-unsafe-name");
        assert!(error.to_string().contains(reason), "{name:?}: {error}");
        // It is an entry like any other.
        let bytes = Zip::of([Entry::stored(name, b"data")]).build().bytes;
        assert_eq!(super::read_all(&bytes).unwrap()[0].1, b"data");
    }
}

#[test]
fn names_of_too_many_folders_are_refused_as_paths() {
    let parts = |count: usize| vec!["p"; count].join("/");
    assert!(safe_path(parts(64)).is_ok());
    for deep in [parts(65), "p/".repeat(30_000) + "x"] {
        let error = safe_path(&deep).unwrap_err();
        assert!(error.to_string().contains("more than 64 parts"), "{error}");
    }
    assert!(safe_path("x".repeat(255)).is_ok());
    let error = safe_path("x".repeat(256)).unwrap_err();
    assert!(error.to_string().contains("longer than 255 bytes"), "{error}");
}

/// What Windows takes for a device, or for a name without its end.
#[test]
fn names_that_mean_another_file_or_a_device_on_windows_are_refused_as_paths() {
    let names = [
        "NUL",
        "art/con",
        "aux.psk",
        "COM1",
        "lpt9.txt",
        "COM¹.psk",
        "art/lpt²",
        "Com³",
        "CONIN$",
        "conout$.txt",
        "a./b",
        "a /b",
        "a/.. ",
        "...",
        "a/...",
    ];
    let taken: Vec<&str> = names.into_iter().filter(|name| safe_path(name).is_ok()).collect();
    assert!(taken.is_empty(), "{taken:?}");
}
