//! The largest root translation of every animation of a mod, in parallel: `cargo run --example bulk -- corpus`
//!
//! Folders, archives and files; the archive is never unpacked.

use skelmap::{ParseOptions, archive::Limits, mapping::Opener, model::Clip};
use skelmap_batch::items::Sources;

fn main() {
    let paths: Vec<_> = std::env::args_os().skip(1).map(Into::into).collect();
    let sources = Sources::find(&paths, &Opener::reading(), &Limits::default());
    let options = ParseOptions::default();
    let found = sources.each(&options, |item, opened| {
        let loaded = opened.ok()?;
        let largest =
            loaded.asset().ok()?.clips().map(|clip| largest_root_translation(&clip)).max_by(f32::total_cmp)?;
        Some((item.address(), largest))
    });
    for (address, largest) in found {
        println!("{largest:10.3}  {address}");
    }
}

fn largest_root_translation(clip: &Clip<'_>) -> f32 {
    let roots = (0..clip.frame_count()).filter_map(|frame| clip.transform(frame, 0));
    let lengths = roots.map(|root| root.translation.iter().map(|value| value * value).sum::<f32>().sqrt());
    lengths.fold(0.0, f32::max)
}
