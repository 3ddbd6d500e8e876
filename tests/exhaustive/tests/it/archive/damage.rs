//! Archives that end too early or have a byte changed: an error, or data that is inside.

use skelmap::archive::{Archive, Inflater};

use test_support::any_bytes::archive::survey;
use test_support::build_zip::{Built, Descriptor, END, End, Entry, Zip, extra, noise, text};

/// Small archives with every kind of record.
fn archives() -> Vec<Zip> {
    let entries = || {
        [
            Entry::folder("d/"),
            Entry::stored("d/a.psk", noise(20, 1)).with(|entry| {
                entry.local_extra = extra(0x5455, &[1, 2, 3, 4, 5]);
                entry.comment = b"comment".to_vec();
            }),
            Entry::deflated(b"d/\x82", text(3)).with(|entry| entry.descriptor = Descriptor::Signed),
        ]
    };
    let zip64 = || entries().map(|entry| entry.with(|entry| entry.zip64 = true));
    vec![
        Zip::of([]),
        Zip::of(entries()),
        Zip::of(entries()).with(|zip| zip.order = Some(vec![2, 1, 0])),
        Zip::of(entries()).with(|zip| zip.comment = vec![0; 9]),
        Zip::of(entries()).with(|zip| (zip.prefix, zip.prefix_counts) = (noise(11, 2), false)),
        Zip::of(zip64()).with(|zip| zip.end = End::Zip64),
        Zip::of(zip64()).with(|zip| (zip.end, zip.order) = (End::Both, Some(vec![1, 0, 2]))),
    ]
}

/// Every byte that is not data.
fn headers(zip: &Zip, built: &Built) -> Vec<usize> {
    let data: Vec<_> = (0..zip.entries.len()).map(|entry| built.data(entry)).collect();
    (0..built.bytes.len()).filter(|at| !data.iter().any(|data| data.contains(at))).collect()
}

#[test]
fn an_archive_cut_at_any_byte_is_refused() {
    for zip in archives() {
        let bytes = zip.build().bytes;
        assert!(survey(&bytes, &mut Inflater::new()));
        for length in 0..bytes.len() {
            let error = Archive::parse(&bytes[..length]).expect_err("it is cut short");
            assert_eq!((error.code().name(), error.entry()), ("zip-no-directory", None), "{length}");
        }
    }
}

#[test]
fn an_archive_without_its_first_bytes_is_refused_or_has_its_entries_inside() {
    let mut inflater = Inflater::new();
    for zip in archives() {
        let bytes = zip.build().bytes;
        for start in 0..bytes.len() {
            survey(&bytes[start..], &mut inflater);
        }
    }
}

#[test]
fn no_value_of_a_header_byte_leads_out_of_the_archive() {
    let mut inflater = Inflater::new();
    for zip in archives() {
        let built = zip.build();
        let mut bytes = built.bytes.clone();
        for at in headers(&zip, &built) {
            let sound = bytes[at];
            for value in 0..=255 {
                bytes[at] = value;
                survey(&bytes, &mut inflater);
            }
            bytes[at] = sound;
        }
    }
}

#[test]
fn no_change_of_two_directory_bytes_leads_out_of_the_archive() {
    let mut inflater = Inflater::new();
    let zip = &archives()[1];
    let built = zip.build();
    let directory = built.offset("directory");
    let mut bytes = built.bytes.clone();
    for at in directory..bytes.len() - 1 {
        for value in [0, 1, 0x7F, 0x80, 0xFE, 0xFF] {
            for other in (at + 1)..(at + 12).min(bytes.len()) {
                let sound = (bytes[at], bytes[other]);
                (bytes[at], bytes[other]) = (value, value);
                survey(&bytes, &mut inflater);
                (bytes[at], bytes[other]) = sound;
            }
        }
    }
}

/// Each field of each header at its limits.
#[test]
fn no_field_at_its_limits_leads_out_of_the_archive() {
    let mut inflater = Inflater::new();
    for zip in archives() {
        let built = zip.build();
        let mut bytes = built.bytes.clone();
        let length = bytes.len() as u64;
        for at in headers(&zip, &built) {
            for width in [2, 4, 8] {
                let Some(sound) = bytes.get(at..at + width).map(<[u8]>::to_vec) else { continue };
                let half = 1_u64 << (8 * width as u32 - 1);
                for value in [0, 1, length - 1, length, length + 1, half - 1, half, u64::MAX - 1, u64::MAX] {
                    bytes[at..at + width].copy_from_slice(&value.to_le_bytes()[..width]);
                    survey(&bytes, &mut inflater);
                }
                bytes[at..at + width].copy_from_slice(&sound);
            }
        }
    }
}

#[test]
fn repeated_end_records_do_not_lead_out_of_the_archive() {
    let mut inflater = Inflater::new();
    for count in [1, 2, 5, 1000] {
        let mut bytes = END.repeat(count);
        survey(&bytes, &mut inflater);
        bytes.extend([0; 22]);
        survey(&bytes, &mut inflater);
        let mut zip = archives().remove(1);
        zip.comment = END.repeat(count);
        survey(&zip.build().bytes, &mut inflater);
    }
}
