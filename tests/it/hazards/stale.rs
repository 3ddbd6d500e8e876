//! Views over bytes that changed after they were parsed: they may say anything, but they come back.

use std::fmt::{self, Debug, Write};
use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::Path;

use skelmap::mapping::Mapping;
use skelmap::pyrogenesis::{IDENTITY, Playback, SkinnedVertex};
use skelmap::{Asset, Match, ParseOptions, pyrogenesis::Strictness};
use tempfile::TempDir;

use super::child::Child;
use crate::support::corpus::cases;

#[test]
fn views_over_changed_bytes_come_back_with_something_or_nothing() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("any");
    fs::write(&path, b"any").unwrap();
    let mut child = Child::open("map", &[&path]);
    let looked = child.ask("views of changed bytes");
    assert!(child.end().success());
    let looked: Vec<u32> = looked.split(' ').map(|number| number.parse().unwrap()).collect();
    assert!(looked.iter().all(|count| *count > 200), "{looked:?} of each format");
}

/// Maps every sound file of the corpus, changes it under its view in many ways, and looks at everything that there is in the view.
/// Gives how often, by format.
pub(super) fn look_at_changed_bytes() -> String {
    let folder = TempDir::new().unwrap();
    let mut looked = [0_u32; 6];
    let cases = cases();
    for case in &cases {
        let place = match Asset::parse_with(&case.bytes, &options()) {
            Ok(Asset::ActorxPsk(_)) => 0,
            Ok(Asset::ActorxPsa(_)) => 1,
            Ok(Asset::PyrogenesisPmd(_)) => 2,
            Ok(Asset::PyrogenesisPsa(_)) => 3,
            Ok(Asset::Swat3Gsa(_)) => 4,
            _ => continue,
        };
        // The largest would take all the time and have nothing that the others have not.
        if case.bytes.len() > 200_000 {
            continue;
        }
        looked[place] += look_while_changing(folder.path(), &case.bytes, |bytes| {
            let asset = Asset::parse_with(bytes, &options()).unwrap();
            Box::new(move || look_at(&asset))
        });
    }
    for bytes in archives() {
        looked[5] += look_while_changing(folder.path(), &bytes, |bytes| {
            let archive = skelmap::archive::Archive::parse(bytes).unwrap();
            Box::new(move || look_at_archive(&archive))
        });
    }
    let counted = &looked[..];
    counted.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
}

fn options() -> ParseOptions {
    ParseOptions { pyrogenesis: Strictness::Engine, ..ParseOptions::default() }
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

/// Where things are printed to be looked at.
struct Nowhere;

impl Write for Nowhere {
    fn write_str(&mut self, _: &str) -> fmt::Result {
        Ok(())
    }
}

/// Reads every field of something.
fn see(thing: impl Debug) {
    write!(Nowhere, "{thing:?}").unwrap();
}

/// So many places, some of them past the end.
fn places(count: usize) -> impl Iterator<Item = usize> {
    (0..count.min(40)).chain([count.saturating_sub(1), count, count + 1, usize::MAX])
}

fn look_at(asset: &Asset<'_>) {
    see(asset.summary());
    see(asset.quirks().collect::<Vec<_>>());
    see(asset.check());
    see(Match::of(asset, asset));
    match asset {
        Asset::ActorxPsk(mesh) => look_at_mesh(mesh),
        Asset::ActorxPsa(animation) => look_at_animation(animation),
        Asset::PyrogenesisPmd(mesh) => look_at_pmd(mesh),
        Asset::PyrogenesisPsa(animation) => look_at_states(animation),
        Asset::Swat3Gsa(animation) => look_at_gsa(animation),
        _ => panic!("a format without a look"),
    }
}

fn look_at_skeleton(skeleton: &skelmap::actorx::Skeleton<'_>) {
    see(skeleton.to_order());
    see(skeleton.roots().collect::<Vec<_>>());
    see((skeleton.find("b"), skeleton.find("")));
    for bone in places(skeleton.bones().len()) {
        see((skeleton.parent(bone), skeleton.children(bone).collect::<Vec<_>>()));
        see(skeleton.ancestors(bone).collect::<Vec<_>>());
    }
}

fn look_at_mesh(mesh: &skelmap::actorx::Psk<'_>) {
    see(mesh.chunks().collect::<Vec<_>>());
    see((mesh.points(), mesh.wedges(), mesh.materials(), mesh.bones(), mesh.influences()));
    see((mesh.colors(), mesh.normals(), mesh.tangents(), mesh.sockets(), mesh.uv_set_count()));
    see((mesh.morph_infos(), mesh.morph_deltas(), mesh.morphs().collect::<Vec<_>>()));
    see(mesh.extra_uv_sets().collect::<Vec<_>>());
    see(mesh.wedges().iter().map(|wedge| (mesh.point_index(wedge), mesh.point_of(wedge))).collect::<Vec<_>>());
    see((mesh.faces().iter().collect::<Vec<_>>(), mesh.faces().iter().rev().collect::<Vec<_>>()));
    places(mesh.faces().len()).for_each(|face| see(mesh.faces().get(face)));
    look_at_skeleton(&mesh.skeleton());
    see(skelmap::actorx::to_narrow(mesh.bytes()).map(|narrow| narrow.bytes.len()));
}

fn look_at_animation(animation: &skelmap::actorx::Psa<'_>) {
    see(animation.chunks().collect::<Vec<_>>());
    see((animation.bones(), animation.infos(), animation.keys(), animation.scale_keys()));
    look_at_skeleton(&animation.skeleton());
    see(animation.curves().map(|chunk| (chunk, chunk.curves().collect::<Vec<_>>())).collect::<Vec<_>>());
    see(animation.sequence("Walk"));
    places(animation.infos().len()).for_each(|index| see(animation.sequence_at(index)));
    for sequence in animation.sequences().collect::<Vec<_>>() {
        see((sequence.name(), sequence.first_frame(), sequence.duration(), sequence.rate(), sequence.info()));
        see((sequence.keys().len(), sequence.scale_keys().len(), sequence.stored_frame_count()));
        see(animation.curves_of(&sequence));
        for frame in places(sequence.frame_count()) {
            see(sequence.frame(frame));
            see((sequence.key(frame, 1), sequence.scale_key(frame, 1), animation.key(sequence.index(), frame, 0)));
        }
        for bone in places(sequence.bone_count()) {
            see(sequence.track(bone).map(|track| (track.get(1), track.rev().count())));
            see(sequence.track(bone).map(Iterator::collect::<Vec<_>>));
            see(sequence.scale_track(bone).map(Iterator::collect::<Vec<_>>));
        }
    }
    see(skelmap::actorx::to_narrow(animation.bytes()).map(|narrow| narrow.bytes.len()));
}

fn look_at_pmd(mesh: &skelmap::pyrogenesis::Pmd<'_>) {
    see((mesh.version(), mesh.uv_set_count(), mesh.faces(), mesh.bind_pose(), mesh.sections()));
    see(mesh.vertices_with::<1>().map(<[_]>::len));
    for vertex in mesh.vertices().iter().collect::<Vec<_>>() {
        see((vertex.position(), vertex.normal(), vertex.uvs(), vertex.blend()));
    }
    see(mesh.vertices().iter().rev().count());
    places(mesh.vertices().len()).for_each(|vertex| see(mesh.vertices().get(vertex)));
    see((mesh.props().collect::<Vec<_>>(), mesh.engine_props().collect::<Vec<_>>(), mesh.prop("root")));
    let bones = mesh.bind_pose().len();
    let (pose, mut inverse) = (vec![IDENTITY; bones], vec![IDENTITY; bones]);
    let mut matrices = vec![IDENTITY; mesh.skin_matrix_count()];
    let mut rest = vec![SkinnedVertex::default(); mesh.vertices().len()];
    let mut moved = rest.clone();
    see(mesh.inverse_bind_pose(&mut inverse));
    see(mesh.skin_matrices(&pose, &inverse, &mut matrices));
    see(mesh.skin(&matrices, &mut moved));
    see(mesh.to_model_space(&mut inverse, &mut rest));
    see(mesh.skin_rest(&rest, &matrices, &mut moved));
}

fn look_at_states(animation: &skelmap::pyrogenesis::Psa<'_>) {
    see((animation.name(), animation.frame_length_ms(), animation.duration_ms(), animation.states()));
    see((animation.sections(), animation.prove_playable()));
    places(animation.frame_count()).for_each(|frame| see(animation.frame(frame)));
    places(animation.bone_count()).for_each(|bone| see(animation.track(bone).map(Iterator::collect::<Vec<_>>)));
    // Without frames there may be any number of bones, and no bytes for them.
    if animation.frame_count() == 0 {
        return;
    }
    let mut pose = vec![IDENTITY; animation.bone_count()];
    for time in [0.0, 1.0, 33.4, 250.0, 1e9, -1.0, f32::NAN] {
        for playback in [Playback::Loop, Playback::Once] {
            see((animation.pose(time, playback, &mut pose), animation.play_time(time, playback)));
        }
    }
    let mut frames = vec![IDENTITY; animation.bone_count() * animation.frame_count()];
    see(animation.frame_poses(&mut frames));
}

fn look_at_gsa(animation: &skelmap::swat3::Gsa<'_>) {
    see((animation.version(), animation.unknown(), animation.frame_rate_field(), animation.skeleton_bytes()));
    see((animation.animated_ids(), animation.bone_count(), animation.rotation_of(3), animation.sections()));
    see(animation.infer_layout());
    see(animation.skeleton().map(|skeleton| (skeleton.bones().collect::<Vec<_>>(), skeleton.layout().to_string())));
    see(animation.frames().map(|frame| (frame, frame.events().collect::<Vec<_>>())).collect::<Vec<_>>());
    see(animation.events().map(|(frame, event)| (frame, event.kind(), event.text())).collect::<Vec<_>>());
    let index = animation.to_index();
    let indexed = index.as_ref().map(|index| animation.with_index(index));
    for animation in [Some(*animation), indexed].into_iter().flatten() {
        places(animation.frame_count()).for_each(|frame| see(animation.frame(frame)));
        for rotation in places(animation.rotation_count()) {
            see(animation
                .track(rotation)
                .map(|track| (track.get(1), track.get(usize::MAX), track.collect::<Vec<_>>())));
        }
    }
    let mut out = Vec::new();
    see(skelmap::swat3::edit::add_events(animation, &[(0, b"sound=x")], &mut out));
    see(skelmap::swat3::edit::trim(animation, 0..1, &mut out));
}

fn archives() -> Vec<Vec<u8>> {
    use crate::support::build_zip::{Entry, Zip};
    let entries = || {
        let stored = (0..4).map(|index| Entry::stored(format!("art/{index}.psa"), vec![index; 300]));
        let deflated = (4..8).map(|index| Entry::deflated(format!("art/{index}.psa"), vec![index; 3000]));
        stored.chain(deflated).chain([Entry::folder("art/")])
    };
    (1..=9).map(|count| Zip::of(entries().take(count)).build().bytes).collect()
}

fn look_at_archive(archive: &skelmap::archive::Archive<'_>) {
    let mut inflater = skelmap::archive::Inflater::new();
    see(archive.entry("art/0.psa"));
    for entry in archive.entries().rev().collect::<Vec<_>>() {
        see((entry, entry.name().to_string(), entry.name().to_safe_path()));
        see((archive.raw(&entry), archive.stored(&entry)));
        see(archive.read(&entry, &mut inflater).map(|data| archive.check(&entry, data)));
    }
}
