//! Time and memory: linear in the input whatever it holds, and never by what it merely claims.
//!
//! No test here looks at a clock. Those of a million records end within seconds where everything is linear; what took the square
//! of a million would not end at all. Memory is counted, and so are allocations.

mod archive;
mod claims;
mod deep;
mod growth;
mod millions;
mod side_car;

use std::hint::black_box;
use std::io::sink;

use skelmap::actorx::{AnimKey, Psa, Psk, to_narrow};
use skelmap::pyrogenesis::{self, IDENTITY, Playback, Pmd, SkinnedVertex};
use skelmap::swat3::{Gsa, GsaVersion, edit};
use skelmap::{Asset, Format, Match, ParseOptions};

/// All that can be done with the bytes of one asset; each step is to be linear in them.
fn everything(bytes: &[u8], options: &ParseOptions) {
    black_box(Format::sniff(bytes)).ok();
    black_box(to_narrow(bytes)).ok();
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
    match &asset {
        Asset::ActorxPsk(mesh) => read_mesh(mesh),
        Asset::ActorxPsa(animation) => read_animation(animation),
        Asset::PyrogenesisPmd(mesh) => read_pmd(mesh),
        Asset::PyrogenesisPsa(animation) => read_states(animation),
        Asset::Swat3Gsa(animation) => read_gsa(animation),
        other => panic!("{other:?}"),
    }
    {
        use skelmap::catalog::{Loaded, Row};
        let loaded = Loaded::new(bytes.to_vec().into(), options);
        black_box(Row::of(String::from("path"), None, &loaded).joined(&loaded, true));
    }
}

fn read_mesh(mesh: &Psk<'_>) {
    black_box(mesh.chunks().count());
    black_box(mesh.wedges().iter().filter_map(|wedge| mesh.point_of(wedge)).count());
    black_box(mesh.faces().iter().map(|face| face.wedges[0]).max());
    black_box(mesh.morphs().map(|morph| morph.deltas.len()).sum::<usize>());
    black_box(mesh.extra_uv_sets().map(<[_]>::len).sum::<usize>());
    read_skeleton(mesh.skeleton());
    black_box(skelmap::PskBuf::parse(mesh.bytes())).ok();
}

fn read_skeleton(skeleton: skelmap::actorx::Skeleton<'_>) {
    let order = skeleton.to_order();
    assert_eq!(order.parents_first.len(), skeleton.bones().len());
    let last = skeleton.bones().len().saturating_sub(1);
    black_box((skeleton.roots().count(), skeleton.children(0).count(), skeleton.find("no such bone")));
    black_box((skeleton.ancestors(0).count(), skeleton.ancestors(last).count()));
}

fn read_animation(animation: &Psa<'_>) {
    let mut last = None;
    for sequence in animation.sequences() {
        black_box((sequence.name().chars().count(), sequence.duration(), sequence.keys().len()));
        black_box((sequence.frame(0).map(<[_]>::len).ok(), sequence.track(0).map(|track| track.len()).ok()));
        last = Some(sequence);
    }
    if let Some(last) = last {
        black_box(last.keys().iter().map(AnimKey::time).sum::<f32>());
        black_box(animation.curves_of(&last).map(|curves| curves.curves().count()));
        black_box(animation.key(last.index(), 0, 0));
    }
    black_box((animation.sequence("no such sequence").is_none(), animation.curves().count()));
    read_skeleton(animation.skeleton());
    black_box(skelmap::PsaBuf::parse(animation.bytes())).ok();
}

fn read_pmd(mesh: &Pmd<'_>) {
    black_box(mesh.vertices().iter().map(|vertex| vertex.uvs().len()).sum::<usize>());
    black_box((mesh.engine_props().count(), mesh.prop("no such point").is_none(), mesh.sections()));
    let bones = mesh.bind_pose().len();
    let (mut bind, mut matrices) = (vec![IDENTITY; bones], vec![IDENTITY; mesh.skin_matrix_count()]);
    let mut vertices = vec![SkinnedVertex::default(); mesh.vertices().len()];
    black_box(mesh.to_model_space(&mut bind, &mut vertices)).ok();
    black_box(mesh.inverse_bind_pose(&mut bind)).ok();
    let pose = bind.clone();
    black_box(mesh.skin_matrices(&pose, &bind, &mut matrices)).ok();
    black_box(mesh.skin(&matrices, &mut vertices)).ok();
    black_box(skelmap::PmdBuf::parse(mesh.bytes())).ok();
}

fn read_states(animation: &pyrogenesis::Psa<'_>) {
    black_box((animation.name().chars().count(), animation.sections(), animation.play_time(1e30, Playback::Loop)));
    black_box(animation.track(0).map(Iterator::count)).ok();
    // As many matrices as there are states: a file without frames may state any number of bones.
    let mut poses = vec![IDENTITY; animation.states().len()];
    black_box(animation.frame_poses(&mut poses)).ok();
    let bones = animation.frame(0).map_or(0, <[_]>::len);
    poses.resize(bones, IDENTITY);
    for time in [0.0, 40.0, 1e9] {
        black_box(animation.pose(time, Playback::Loop, &mut poses)).ok();
    }
    black_box(skelmap::PyrogenesisPsaBuf::parse(animation.bytes())).ok();
}

fn read_gsa(animation: &Gsa<'_>) {
    black_box((animation.events().count(), animation.sections(), animation.bone_count()));
    black_box(animation.frames().map(|frame| frame.rotations().len()).sum::<usize>());
    black_box(animation.skeleton().map(|skeleton| skeleton.bones().count())).ok();
    black_box(animation.track(0).map(Iterator::count)).ok();
    let index = animation.to_index();
    let indexed = index.as_ref().map_or(*animation, |index| animation.with_index(index));
    for frame in 0..indexed.frame_count() {
        black_box(indexed.frame(frame).map(|frame| frame.events().len())).ok();
    }
    let out = &mut sink();
    black_box(edit::add_events(animation, &[(0, b"sound=cuff")], out)).ok();
    black_box(edit::remove_events(animation, |_, _| true, out)).ok();
    black_box(edit::rename_events(animation, |_, _| Some(b"b".to_vec()), out)).ok();
    black_box(edit::to_version(animation, GsaVersion::V4_1, out)).ok();
    black_box(edit::trim(animation, 0..1, out)).ok();
    black_box(skelmap::GsaBuf::parse(animation.bytes())).ok();
}
