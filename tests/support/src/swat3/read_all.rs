//! Everything that an animation can be asked; each step is to be linear in the file.

use std::hint::black_box;

use skelmap::Asset;
use skelmap::swat3::Gsa;

pub(super) fn read_all(asset: &Asset<'_>) {
    if let Asset::Swat3Gsa(animation) = asset {
        read_gsa(animation);
    }
}

fn read_gsa(animation: &Gsa<'_>) {
    black_box((animation.events().count(), animation.sections(), animation.bone_count()));
    black_box(animation.frames().map(|frame| frame.rotations().len()).sum::<usize>());
    black_box(animation.bones().map(Iterator::count)).ok();
    black_box(animation.track(0).map(Iterator::count)).ok();
    let index = animation.to_index();
    let indexed = index.as_ref().map_or(*animation, |index| animation.with_index(index));
    for frame in 0..indexed.frame_count() {
        black_box(indexed.frame(frame).map(|frame| frame.events().len())).ok();
    }
    black_box(skelmap::swat3::GsaBuf::parse(animation.bytes())).ok();
}
