//! Parsing and reading through the views allocates nothing, whether the file is sound or not.

use std::hint::black_box;

use allocation_counter::measure;
use skelmap::actorx::{AnimKey, CurveChunk, Psa, Psk};
use skelmap::{Asset, Float, Format};

use test_support::actorx::agree::{View, parse};
use test_support::actorx::corpus::cases;

fn allocates_nothing(what: &str, run: impl FnOnce()) {
    let info = measure(run);
    assert_eq!((info.count_total, info.bytes_total), (0, 0), "{what}");
}

#[test]
fn the_counter_counts_allocations() {
    assert_eq!(measure(|| drop(black_box(vec![1_u8]))).count_total, 1);
}

#[test]
fn parsing_allocates_nothing_even_where_it_fails() {
    for case in cases() {
        allocates_nothing(case.file, || {
            let _ = black_box(Format::sniff(&case.bytes));
            let _ = black_box(Asset::parse(&case.bytes));
            let _ = black_box(Psk::parse(&case.bytes));
            let _ = black_box(Psa::parse(&case.bytes));
        });
    }
}

#[test]
fn parsing_allocates_nothing_wherever_the_file_is_cut() {
    for case in cases().iter().filter(|case| case.bytes.len() < 100_000) {
        allocates_nothing(case.file, || {
            for length in 0..case.bytes.len() {
                let _ = black_box(Asset::parse(&case.bytes[..length]));
            }
        });
    }
}

#[test]
fn reading_through_the_views_allocates_nothing() {
    for case in cases() {
        match parse(&case.bytes) {
            Ok(View::Psk(mesh)) => allocates_nothing(case.file, || read_mesh(&mesh)),
            Ok(View::Psa(animation)) => {
                let name = animation.infos().last().map(|info| info.name().text().to_string());
                allocates_nothing(case.file, || read_animation(&animation, name.as_deref()));
            }
            Err(_) => {}
        }
    }
}

fn read_mesh(mesh: &Psk<'_>) {
    black_box(mesh.chunks().count());
    black_box(mesh.quirks().count());
    Asset::ActorxPsk(*mesh).quirks().for_each(|quirk| {
        black_box(quirk);
    });
    black_box(Asset::ActorxPsk(*mesh).summary());
    for wedge in mesh.wedges() {
        black_box((mesh.point_index(wedge), mesh.point_of(wedge)));
    }
    black_box(mesh.faces().iter().rev().map(|face| face.wedges).max());
    black_box((mesh.uv_set_count(), mesh.extra_uv_sets().flatten().count()));
    black_box(mesh.morphs().map(|morph| morph.deltas.len()).sum::<usize>());
    black_box((mesh.colors(), mesh.normals(), mesh.tangents(), mesh.sockets(), mesh.influences()));
    let skeleton = mesh.skeleton();
    for (bone, record) in mesh.bones().iter().enumerate() {
        black_box((skeleton.parent(bone), skeleton.ancestors(bone).count(), skeleton.children(bone).count()));
        black_box(record.name().text().chars().count());
    }
    black_box((skeleton.roots().count(), skeleton.find("Head")));
}

fn read_animation(animation: &Psa<'_>, name: Option<&str>) {
    black_box(animation.chunks().count());
    black_box(animation.quirks().count());
    black_box(Asset::ActorxPsa(*animation).summary());
    black_box(name.and_then(|name| animation.sequence(name)));
    black_box((animation.sequence("no such sequence"), animation.key(0, 0, 0)));
    for sequence in animation.sequences() {
        let y = |key: &AnimKey| key.rotation()[1];
        for frame in 0..sequence.frame_count().min(100) {
            black_box(sequence.frame(frame).map(|keys| keys.iter().map(y).sum::<f32>())).ok();
        }
        for bone in 0..=sequence.bone_count() {
            black_box(sequence.track(bone).map(|track| track.rev().map(y).sum::<f32>())).ok();
            black_box(sequence.scale_track(bone).map(Iterator::count)).ok();
            black_box((sequence.key(0, bone), sequence.scale_key(0, bone), sequence.duration()));
        }
        for curve in animation.curves_of(&sequence).iter().flat_map(CurveChunk::curves) {
            black_box(curve.weights.iter().map(Float::get).sum::<f32>());
        }
    }
    black_box(animation.skeleton().ancestors(0).count());
}

#[test]
fn a_side_car_is_read_without_allocation() {
    for case in cases() {
        for (file, text) in &case.extra {
            allocates_nothing(file, || {
                black_box(skelmap::actorx::Config::new(text).entries().count());
            });
        }
    }
}
