//! Paths as text.

use skelmap_batch::{path_of, path_text};

/// RFC 8089, with the escapes of RFC 3986.
#[test]
fn a_path_that_is_no_text_is_an_address_and_back() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::path::Path;

    let path = Path::new(OsStr::from_bytes(b"/mods/\xff%\x0a+a b/\xc3\xa9.psk"));
    let text = path_text(path);
    assert_eq!(text, "file:///mods/%FF%25%0A%2Ba%20b/%C3%A9.psk");
    assert_eq!(path_of(OsStr::new(&*text)), path);
    // Text is itself, and what is no address is a path.
    for plain in ["/mods/\u{e9} b.psk", "file://mods/a.psk", "file:///mods/%F", "file:///mods/%G0"] {
        assert_eq!(path_text(Path::new(plain)), plain);
        assert_eq!(path_of(OsStr::new(plain)), Path::new(plain));
    }
}
