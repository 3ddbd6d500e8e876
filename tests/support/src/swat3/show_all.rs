//! Every field of an animation as text, whatever the bytes behind a view have become.

use skelmap::Asset;
use skelmap::swat3::Gsa;

use crate::show::{Out, places, show};

pub(super) fn show_all(asset: &Asset<'_>, out: Out<'_>) {
    if let Asset::Swat3Gsa(animation) = asset {
        show_gsa(out, animation);
    }
}

fn show_gsa(out: Out<'_>, animation: &Gsa<'_>) {
    show(out, (animation.version(), animation.unknown(), animation.frame_rate_field(), animation.skeleton_bytes()));
    show(out, (animation.animated_ids(), animation.bone_count(), animation.rotation_of(3), animation.sections()));
    show(out, animation.infer_layout());
    show(out, animation.bones().map(|bones| (bones.layout().to_string(), bones.collect::<Vec<_>>())));
    show(out, animation.frames().map(|frame| (frame, frame.events().collect::<Vec<_>>())).collect::<Vec<_>>());
    show(out, animation.events().map(|(frame, event)| (frame, event.kind(), event.text())).collect::<Vec<_>>());
    let index = animation.to_index();
    let indexed = index.as_ref().map(|index| animation.with_index(index));
    for animation in [Some(*animation), indexed].into_iter().flatten() {
        places(animation.frame_count()).for_each(|frame| show(out, animation.frame(frame)));
        for rotation in places(animation.rotation_count()) {
            show(
                out,
                animation.track(rotation).map(|track| (track.get(1), track.get(usize::MAX), track.collect::<Vec<_>>())),
            );
        }
    }
}
