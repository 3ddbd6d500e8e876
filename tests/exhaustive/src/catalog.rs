//! A catalogue of an archive that is in memory: the rows of its entries read one by one.

use skelmap::archive::{Archive, Inflater};
use skelmap::mapping::{Mapping, Opener};
use skelmap_batch::items::{Options, Row, Sources};

use test_support::any_bytes::archive::limits;

fn rows(bytes: &[u8], options: &Options) -> Vec<Row> {
    let Ok(sources) = Sources::of_archive("mod.zip", Mapping::from(bytes.to_vec()), &limits()) else {
        return Vec::new();
    };
    sources.rows(options).collect()
}

/// The rows of an archive in memory: those of its entries read one by one, in their order.
pub fn catalog(bytes: &[u8]) {
    let options = Options { joins: true, content_hash: true, ..Options::default() };
    let found = rows(bytes, &options);
    let Ok(archive) = Archive::parse_with(bytes, &limits()) else {
        assert!(found.is_empty());
        return;
    };
    let promised = |extension: &[u8]| {
        ["psk", "pskx", "psa", "pmd", "gsa"].iter().any(|known| extension.eq_ignore_ascii_case(known.as_bytes()))
    };
    let entries: Vec<_> = archive.entries().filter(|entry| promised(entry.name().extension())).collect();
    assert_eq!(found.len(), entries.len());
    let mut inflater = Inflater::new();
    for (row, entry) in found.iter().zip(entries) {
        assert_eq!((row.path.as_str(), row.entry.as_deref()), ("mod.zip", Some(entry.name().to_string().as_str())));
        match archive.read(&entry, &mut inflater) {
            Ok(data) => {
                assert_eq!(row.bytes, Some(data.len() as u64));
                match skelmap::Asset::parse(data) {
                    Ok(asset) => {
                        assert_eq!((row.format, row.error.as_ref()), (Some(asset.format().code()), None));
                        assert_eq!(row.summary.bones, asset.summary().bones);
                    }
                    Err(error) => assert_eq!(row.error.as_ref().map(|fault| fault.kind), Some(error.code().name())),
                }
                let joins = row.joins.as_ref().unwrap();
                assert!(joins.content_hash.as_ref().is_some_and(|hash| hash.len() == 32));
            }
            Err(error) => {
                let fault = row.error.as_ref().unwrap();
                assert_eq!((fault.kind, row.bytes), (error.code().name(), None));
            }
        }
    }
}

/// The row of a loose file is the same from its headers alone as from all of it.
pub fn loose(bytes: &[u8]) {
    thread_local!(static FOLDER: tempfile::TempDir = tempfile::tempdir().unwrap());
    let path = FOLDER.with(|folder| folder.path().join("file.psa"));
    std::fs::write(&path, bytes).unwrap();
    let sources = Sources::find(&[path], &Opener::reading(), &limits());
    // By its content it may be an archive.
    let Some(item) = sources.items().first().filter(|item| item.address().entry().is_none()) else { return };
    let row = |content_hash| {
        let options = Options { joins: true, content_hash, extent: content_hash, ..Options::default() };
        let mut row = item.row(&Opener::reading(), &options).unwrap();
        if let Some(joins) = &mut row.joins {
            joins.content_hash = None;
        }
        row.extent = None;
        row
    };
    // The hash of the content and the extent take the whole file.
    assert_eq!(row(false), row(true));
}
