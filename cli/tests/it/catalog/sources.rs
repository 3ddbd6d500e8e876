//! What is looked at and what is passed over, and what a row says of something that cannot be opened.

use std::path::PathBuf;

use skelmap::mapping::Opener;
use skelmap_batch::items::{Item, Options, Row};

use crate::run::{Folder, corpus, find, rows_of, stored};
use test_support::build_zip::{ENCRYPTED, Entry, Zip, deflate};

fn rows(paths: &[PathBuf]) -> Vec<Row> {
    rows_of(&find(paths), &Options::default())
}

/// The last part of the path, the entry, and the kind of fault.
fn outlined(rows: &[Row]) -> Vec<(&str, Option<&str>, Option<&'static str>)> {
    let outline = rows.iter().map(|row| {
        let file = row.path.rsplit(['/', '\\']).next().expect("a name");
        (file, row.entry.as_deref(), row.error.as_ref().map(|error| error.kind))
    });
    outline.collect()
}

#[test]
fn a_folder_gives_files_with_a_known_extension_or_known_first_bytes() {
    let folder = Folder::new();
    let asset = corpus("actorx/mesh/classic.psk");
    folder.put("broken.PsA", b"nothing");
    folder.put("mesh.bin", &asset);
    folder.put("mod.dat", stored(&[("in.psk", &asset)]));
    folder.put("mod.ZIP", stored(&[("in.psk", &asset)]));
    folder.put("notes.txt", b"nothing");
    folder.put(".skelmap-1234.part", &asset);
    folder.put("void", b"");
    let sources = find(&[folder.at("")]);
    assert!(sources.items().iter().all(|item| !item.is_named()));
    let are_assets: Vec<bool> = sources.items().iter().map(Item::is_asset).collect();
    // broken.PsA, mesh.bin, mod.ZIP, mod.dat, notes.txt, void: an archive without the name of one is none here.
    assert_eq!(are_assets.iter().filter(|is_asset| **is_asset).count(), 3, "{are_assets:?}");
    for (item, is_asset) in sources.items().iter().zip(are_assets) {
        assert_eq!(item.open(&Opener::reading()).is_some(), is_asset, "{}", item.address());
    }
    let found = rows_of(&sources, &Options::default());
    let expected =
        [("broken.PsA", None, Some("unknown-format")), ("mesh.bin", None, None), ("mod.ZIP", Some("in.psk"), None)];
    assert_eq!(outlined(&found), expected);
}

#[test]
fn an_archive_gives_entries_with_known_extensions_in_the_order_of_its_directory() {
    let folder = Folder::new();
    let asset = corpus("pyrogenesis/pmd/one_bone.pmd");
    let zip = Zip::of([
        Entry::stored("z.PMD", &asset),
        Entry::stored("mesh.bin", &asset),
        Entry::folder("folder.psk/"),
        Entry::deflated("a.psk", b"nothing"),
        Entry::stored("psk", &asset),
        Entry::stored("m.psk.txt", &asset),
        Entry::stored("a.b/noextension", &asset),
    ]);
    let path = folder.put("some.name", zip.build().bytes);
    let sources = find(&[path]);
    assert_eq!(sources.items().iter().map(Item::size_hint).collect::<Vec<_>>(), [asset.len() as u64, 7]);
    let found = rows_of(&sources, &Options::default());
    let expected = [("some.name", Some("z.PMD"), None), ("some.name", Some("a.psk"), Some("unknown-format"))];
    assert_eq!(outlined(&found), expected);
}

#[test]
fn every_named_path_gets_a_row() {
    let folder = Folder::new();
    let notes = folder.put("notes.txt", b"nothing");
    let zip = folder.put("mod.zip", stored(&[("notes.txt", b"nothing")]));
    let entry = |name: &str| PathBuf::from(format!("{}!/{name}", zip.display()));
    let sources = find(&[notes, folder.at("none.psk"), entry("notes.txt"), entry("none.psk"), zip.clone()]);
    assert!(sources.items().iter().all(Item::is_named));
    let found = rows_of(&sources, &Options::default());
    let expected = [
        ("notes.txt", None, Some("unknown-format")),
        ("none.psk", None, Some("not-found")),
        ("mod.zip", Some("notes.txt"), Some("unknown-format")),
        ("mod.zip", Some("none.psk"), Some("zip-no-such-entry")),
    ];
    assert_eq!(outlined(&found), expected);
    let unreadable: Vec<bool> = found.iter().map(Row::is_unreadable).collect();
    assert_eq!(unreadable, [false, true, false, true]);
}

#[test]
fn a_bad_archive_gets_a_row_and_the_others_are_read() {
    let folder = Folder::new();
    let asset = corpus("actorx/mesh/classic.psk");
    let sound = stored(&[("in.psk", &asset)]);
    folder.put("a.zip", &sound[..sound.len() - 1]);
    folder.put("b.zip", &sound);
    let overlapping =
        Zip::of([Entry::stored("a.psk", &asset), Entry::stored("b.psk", &asset).with(|e| e.shares = Some(0))]);
    folder.put("c.zip", overlapping.build().bytes);
    let found = rows(&[folder.at(""), folder.at("a.zip")]);
    let cut = ("a.zip", None, Some("zip-no-directory"));
    let whole = ("b.zip", Some("in.psk"), None);
    assert_eq!(outlined(&found)[..2], [cut, whole]);
    assert_eq!(outlined(&found).last(), Some(&cut));
    assert!(outlined(&found).iter().any(|row| row.2 == Some("zip-overlap")), "{found:?}");
}

#[test]
fn a_bad_entry_gets_a_row_and_the_others_are_read() {
    let folder = Folder::new();
    let asset = corpus("actorx/mesh/classic.psk");
    let mut damaged = deflate(&asset);
    damaged[0] = 0x07;
    let zip = Zip::of([
        Entry::stored("1.psk", &asset).with(|entry| entry.flags = ENCRYPTED),
        Entry::deflated("2.psk", &asset).with(|entry| entry.body = Some(damaged)),
        Entry::stored("3.psk", &asset).with(|entry| entry.method = 14),
        Entry::stored("4.psk", &asset).with(|entry| entry.local_name = Some(b"5.psk".to_vec())),
        Entry::deflated("5.psk", &asset),
    ]);
    let found = rows(&[folder.put("mod.zip", zip.build().bytes)]);
    let kinds: Vec<_> = outlined(&found).into_iter().map(|row| row.2).collect();
    let unsupported = Some("zip-unsupported");
    assert_eq!(kinds, [unsupported, Some("zip-deflate"), unsupported, Some("zip-local-name"), None]);
    for row in &found[..4] {
        let error = row.error.as_ref().expect("a fault");
        assert!(row.is_unreadable() && error.section.is_none() && error.offset.is_none());
        assert!(error.message.contains(row.entry.as_deref().expect("an entry")), "{}", error.message);
    }
}

#[test]
fn a_named_archive_behind_other_bytes_is_opened_if_it_has_the_extension() {
    let folder = Folder::new();
    let asset = corpus("actorx/mesh/classic.psk");
    let zip = Zip::of([Entry::stored("in.psk", &asset)]).with(|zip| zip.prefix = b"#!/bin/sh\nexit 0\n".to_vec());
    let path = folder.put("setup.zip", zip.build().bytes);
    let inside = [("setup.zip", Some("in.psk"), None)];
    let named = PathBuf::from(format!("{}!/in.psk", path.display()));
    assert_eq!(outlined(&rows(&[named])), inside, "by its address");
    assert_eq!(outlined(&rows(&[path])), inside, "named");
}

#[test]
fn retain_keeps_some_items_and_their_order() {
    let folder = Folder::new();
    let (mesh, animation) = (corpus("actorx/mesh/classic.psk"), corpus("actorx/anim/classic.psa"));
    let zip = stored(&[("c.psa", &animation), ("b.psk", &mesh), ("a.psa", &animation)]);
    folder.put("1.zip", zip);
    folder.put("2.psa", &animation);
    folder.put("2.psk", &mesh);
    let mut sources = find(&[folder.at("")]);
    assert_eq!(sources.items().len(), 5);
    sources.retain(|item| item.address().to_string().contains(".psa"));
    assert_eq!(sources.items().len(), 3);
    let found = rows_of(&sources, &Options::default());
    assert_eq!(
        outlined(&found),
        [("1.zip", Some("c.psa"), None), ("1.zip", Some("a.psa"), None), ("2.psa", None, None)]
    );
    sources.retain(|_| false);
    assert!(sources.items().is_empty() && rows_of(&sources, &Options::default()).is_empty());
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_a_link_to_a_parent_folder_is_not() {
    use std::os::unix::fs::symlink;

    let folder = Folder::new();
    folder.put("art/a.psk", corpus("actorx/mesh/classic.psk"));
    folder.put("elsewhere/b.psk", corpus("actorx/mesh/classic.psk"));
    symlink(folder.at("art"), folder.at("art/again")).expect("a link");
    symlink(folder.at("elsewhere"), folder.at("art/linked")).expect("a link");
    symlink("nowhere", folder.at("art/z.psk")).expect("a link");
    let found = rows(&[folder.at("art")]);
    assert_eq!(outlined(&found), [("a.psk", None, None), ("b.psk", None, None), ("z.psk", None, Some("not-found"))]);
}
