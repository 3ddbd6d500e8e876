//! Time and memory: linear in the input whatever it holds, and never by what it merely claims.
//!
//! No test here looks at a clock. Those of a million records end within seconds where everything is linear; what took the square
//! of a million would not end at all. Memory is counted, and so are allocations.

mod archive;
mod claims;
mod deep;
mod growth;

use std::hint::black_box;

use skelmap::model::{IDENTITY, Skin};
use skelmap::swat3::{Gsa, GsaVersion};
use skelmap::{Asset, Format, Match, ParseOptions};
use skelmap_export::{Animation, Document, ExportOptions};
use skelmap_write::edit::GsaEdit;

use test_support::FAMILIES;
use test_support::worst::Worst;

/// All that can be done with the bytes of one asset; each step is to be linear in them.
pub(crate) fn everything(bytes: &[u8], options: &ParseOptions) {
    black_box(Format::sniff(bytes)).ok();
    let asset = match Asset::parse_with(bytes, options) {
        Ok(asset) => asset,
        Err(error) => {
            black_box(error.to_string());
            return;
        }
    };
    black_box((asset.summary(), asset.quirks().count()));
    for finding in asset.check() {
        black_box(finding.to_string());
    }
    black_box(Match::of(&asset, &asset));
    for family in FAMILIES {
        (family.read_all)(&asset);
    }
    if let Asset::Swat3Gsa(animation) = &asset {
        edit(animation);
    }
    {
        use skelmap_batch::items::{Options, Row};
        let options = Options { parse: *options, joins: true, content_hash: true, extent: true };
        black_box(Row::of(String::from("path"), None, bytes, &options));
    }
}

/// All edits of an animation.
fn edit(animation: &Gsa<'_>) {
    let write = |edit: &GsaEdit<'_>| black_box(edit.write(&mut std::io::sink())).ok();
    let name = animation.events().last().map_or(b"none".as_slice(), |(_, event)| event.as_bytes());
    let mut asked = GsaEdit::new(animation);
    _ = black_box(asked.remove_events(name).is_ok());
    _ = black_box(asked.remove_events_at(0, name).is_ok());
    _ = black_box(asked.rename_events(name, "b").is_ok());
    _ = black_box(asked.add_event(0, "sound=cuff").is_ok());
    write(&asked);
    write(GsaEdit::new(animation).clear_events().set_version(GsaVersion::V4_1));
    if let Ok(asked) = GsaEdit::new(animation).trim(0..1) {
        write(asked);
    }
}

/// A mesh in its bind pose and as glTF, or clips alone.
pub(crate) fn convert(bytes: &[u8]) {
    let Ok(asset) = Asset::parse(bytes) else { return };
    let options = ExportOptions::default();
    if let Some(mesh) = asset.mesh() {
        if let Ok(skin) = Skin::new(&mesh, 4) {
            let (mut matrices, mut points) = (vec![IDENTITY; skin.matrix_count()], vec![[0.0; 3]; mesh.point_count()]);
            let moved = skin.matrices(skin.bind_pose(), &mut matrices);
            black_box(moved.and_then(|()| skin.positions(&mesh, &matrices, &mut points))).ok();
        }
        black_box(Document::of_mesh(&mesh).write_glb(&options, std::io::sink())).ok();
    }
    let animations = asset.clips().map(|clip| Animation::of_clip(&clip)).collect();
    let mut document = Document::default();
    document.animations = animations;
    black_box(document.write_glb(&options, std::io::sink())).ok();
}

/// Everything that can be done with the files of so many records whose names begin so.
pub(crate) fn ends(records: usize, list: &[Worst], start: &str) {
    let mut met = 0;
    for worst in list.iter().filter(|worst| worst.name.starts_with(start)) {
        everything(&(worst.of)(records), &ParseOptions::default());
        met += 1;
    }
    assert!(met > 0, "{start}");
}
