//! Views over bytes that changed after they were parsed: they may say anything, but they come back.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::Path;

use skelmap::mapping::Mapping;
use skelmap::{Asset, ParseOptions, pyrogenesis};
use tempfile::TempDir;

use super::child::Child;
use test_support::corpus::{Expect, cases};
use test_support::show::{Nowhere, show, show_asset};
use test_support::with;

#[test]
fn views_over_changed_bytes_give_values_or_none() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("any");
    fs::write(&path, b"any").unwrap();
    let mut child = Child::open("map", &[&path]);
    let looked = child.ask("views of changed bytes");
    assert!(child.end().success());
    let looked: Vec<u32> = looked.split(' ').map(|number| number.parse().unwrap()).collect();
    assert!(looked.iter().all(|count| *count > 200), "{looked:?} of each format");
    let cases = cases();
    let formats =
        cases.iter().filter_map(|case| if let Expect::Ok(good) = &case.expect { Some(good.format) } else { None });
    assert_eq!(looked.len(), formats.collect::<BTreeSet<_>>().len() + 1, "every format, and archives");
}

/// Maps every sound file of the corpus, changes it under its view in many ways, and looks at everything that there is in the view.
/// Gives how often, by format, and last for archives.
pub(super) fn look_at_changed_bytes() -> String {
    let folder = TempDir::new().unwrap();
    let mut looked = BTreeMap::new();
    for case in &cases() {
        let Ok(asset) = Asset::parse_with(&case.bytes, &options()) else { continue };
        // The largest would take all the time and have nothing that the others have not.
        if case.bytes.len() > 200_000 {
            continue;
        }
        *looked.entry(asset.format().code()).or_default() += look_while_changing(folder.path(), &case.bytes, |bytes| {
            let asset = Asset::parse_with(bytes, &options()).unwrap();
            Box::new(move || show_asset(&mut Nowhere, &asset))
        });
    }
    let mut counted: Vec<u32> = looked.into_values().collect();
    let of_archives = archives().into_iter().map(|bytes| {
        look_while_changing(folder.path(), &bytes, |bytes| {
            let archive = skelmap::archive::Archive::parse(bytes).unwrap();
            Box::new(move || look_at_archive(&archive))
        })
    });
    counted.push(of_archives.sum());
    counted.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
}

fn options() -> ParseOptions {
    with(ParseOptions::default(), |own| own.pyrogenesis = pyrogenesis::Options::ENGINE)
}

/// Looks at the sound bytes, and again after every change.
fn look_while_changing(folder: &Path, sound: &[u8], parse: impl FnOnce(&[u8]) -> Box<dyn Fn() + '_>) -> u32 {
    let path = folder.join("changing");
    fs::write(&path, sound).unwrap();
    // SAFETY: not kept, on purpose: the file is written to below. It is never truncated, and what reads it has no care which bytes
    // they are.
    let map = unsafe { Mapping::map(&path) }.unwrap();
    let look = parse(&map);
    look();
    let file = OpenOptions::new().write(true).open(&path).unwrap();
    let mut looked = 0;
    for changed in changes(sound) {
        assert_eq!(changed.len(), sound.len());
        file.write_all_at(&changed, 0).unwrap();
        assert_eq!(map[..], changed, "the map sees it");
        look();
        looked += 1;
    }
    drop(file);
    fs::remove_file(path).unwrap();
    looked
}

/// The same number of other bytes.
fn changes(sound: &[u8]) -> Vec<Vec<u8>> {
    let mut changes: Vec<Vec<u8>> =
        [0, 1, 0x7F, 0x80, 0xFF, b'A'].iter().map(|byte| vec![*byte; sound.len()]).collect();
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    for _ in 0..6 {
        changes.push(sound.iter().map(|_| random() as u8).collect());
        // Little of it, so that much of what was proven seems to hold.
        let mut few = sound.to_vec();
        for _ in 0..=few.len() / 50 {
            let at = random() % few.len();
            few[at] = random() as u8;
        }
        changes.push(few);
    }
    // All numbers one more or as large as can be, the same bytes a little further on, and backwards.
    changes.push(sound.iter().map(|byte| byte.wrapping_add(1)).collect());
    changes.push(
        sound
            .chunks(4)
            .flat_map(|word| if word == [0; 4] { &[0xFF; 4][..word.len()] } else { word })
            .copied()
            .collect(),
    );
    for turn in [1, 4, 32] {
        let mut turned = sound.to_vec();
        turned.rotate_right(turn.min(sound.len()));
        changes.push(turned);
    }
    changes.push(sound.iter().rev().copied().collect());
    changes
}

fn archives() -> Vec<Vec<u8>> {
    use test_support::build_zip::{Entry, Zip};
    let entries = || {
        let stored = (0..4).map(|index| Entry::stored(format!("art/{index}.psa"), vec![index; 300]));
        let deflated = (4..8).map(|index| Entry::deflated(format!("art/{index}.psa"), vec![index; 3000]));
        stored.chain(deflated).chain([Entry::folder("art/")])
    };
    (1..=9).map(|count| Zip::of(entries().take(count)).build().bytes).collect()
}

fn look_at_archive(archive: &skelmap::archive::Archive<&[u8]>) {
    let mut inflater = skelmap::archive::Inflater::new();
    show(&mut Nowhere, archive.entry("art/0.psa"));
    for entry in archive.entries().rev().collect::<Vec<_>>() {
        show(&mut Nowhere, (entry, entry.name().to_string(), entry.name().to_safe_path()));
        show(&mut Nowhere, (archive.raw(&entry), archive.stored(&entry)));
        show(&mut Nowhere, archive.read(&entry, &mut inflater).map(|data| archive.check(&entry, data)));
    }
}
