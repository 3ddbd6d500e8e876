//! Owned forms: stored, shared, sent to other threads, and safe over bytes that change behind them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use skelmap::Asset;
use skelmap::actorx::{Psa, Psk};
use skelmap::actorx::{PsaBuf, PskBuf};

use test_support::actorx::agree::key_bits;
use test_support::actorx::corpus::cases;
use test_support::actorx::corpus::sample::walk_and_run;

fn corpus(file: &str) -> Vec<u8> {
    cases().into_iter().find(|case| case.file == file).unwrap().bytes
}

#[test]
fn an_owned_form_reads_like_the_view_and_gives_its_bytes_back() {
    let bytes = corpus("actorx/mesh/everything.pskx");
    let mesh: PskBuf<Vec<u8>> = PskBuf::parse(bytes.clone()).unwrap();
    assert_eq!(mesh.view().points().len(), 8);
    assert_eq!(mesh.clone().view().uv_set_count(), 3);
    assert!(format!("{mesh:?}").contains(&bytes.len().to_string()));
    assert_eq!(mesh.into_bytes(), bytes);
}

#[test]
fn any_owner_of_bytes_is_accepted() {
    let bytes = walk_and_run().chunks().build().bytes;
    assert_eq!(PsaBuf::parse(bytes.as_slice()).unwrap().view().keys().len(), 32);
    assert_eq!(PsaBuf::parse(Arc::<[u8]>::from(bytes.clone())).unwrap().view().keys().len(), 32);
    assert_eq!(PsaBuf::parse(bytes.clone().into_boxed_slice()).unwrap().view().keys().len(), 32);
    let mapping = skelmap::mapping::Mapping::from(bytes);
    assert_eq!(PsaBuf::parse(mapping).unwrap().view().keys().len(), 32);
}

#[test]
fn an_owned_form_has_the_errors_of_its_view() {
    for case in cases() {
        let (mesh, animation) = (PskBuf::parse(&case.bytes), PsaBuf::parse(&case.bytes));
        assert_eq!(mesh.err().map(|failed| failed.error), Psk::parse(&case.bytes).err(), "{}", case.file);
        assert_eq!(animation.err().map(|failed| failed.error), Psa::parse(&case.bytes).err(), "{}", case.file);
    }
}

#[test]
fn an_arc_of_an_owned_form_is_read_from_many_threads() {
    let bytes = walk_and_run().chunks().build().bytes;
    let animation = Arc::new(PsaBuf::parse(bytes).unwrap());
    let sum = |animation: &Psa<'_>| animation.keys().iter().map(|key| u64::from(key_bits(key).1[0])).sum::<u64>();
    let expected = sum(&animation.view());
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let animation = Arc::clone(&animation);
            thread::spawn(move || sum(&animation.view()))
        })
        .collect();
    for thread in threads {
        assert_eq!(thread.join().unwrap(), expected);
    }
}

#[test]
fn views_and_owned_forms_are_send_and_sync_and_views_are_copy() {
    fn anywhere<T: Send + Sync + 'static>() {}
    fn copied<T: Copy + Send + Sync>() {}
    anywhere::<PskBuf<skelmap::mapping::Mapping>>();
    anywhere::<PsaBuf<skelmap::mapping::Mapping>>();
    anywhere::<PsaBuf<Arc<[u8]>>>();
    anywhere::<skelmap::Error>();
    copied::<Psk<'_>>();
    copied::<Psa<'_>>();
    copied::<Asset<'_>>();
    copied::<skelmap::actorx::Sequence<'_>>();
}

/// Gives its first answer once and the second from then on.
struct Liar {
    answers: [Vec<u8>; 2],
    asked: AtomicUsize,
}

impl Liar {
    fn new(first: &[u8], then: &[u8]) -> Self {
        Self { answers: [first.to_vec(), then.to_vec()], asked: AtomicUsize::new(0) }
    }
}

impl AsRef<[u8]> for Liar {
    fn as_ref(&self) -> &[u8] {
        let asked = self.asked.fetch_add(1, Ordering::Relaxed);
        &self.answers[asked.min(1)]
    }
}

/// Everything a mesh can be asked.
fn read_mesh(mesh: &Psk<'_>) {
    Asset::ActorxPsk(*mesh).summary();
    mesh.check();
    mesh.quirks().count();
    mesh.morphs().count();
    mesh.extra_uv_sets().flatten().count();
    mesh.faces().iter().count();
    mesh.wedges().iter().filter_map(|wedge| mesh.point_of(wedge)).count();
    mesh.skeleton().to_order();
}

/// Everything an animation can be asked.
fn read_animation(animation: &Psa<'_>) {
    Asset::ActorxPsa(*animation).summary();
    animation.check();
    animation.quirks().count();
    for sequence in animation.sequences() {
        for frame in 0..=sequence.frame_count().min(64) {
            let _ = sequence.frame(frame);
        }
        for bone in 0..=sequence.bone_count() {
            sequence.track(bone).map(Iterator::count).ok();
            sequence.scale_track(bone).map(Iterator::count).ok();
        }
        animation.curves_of(&sequence).map(|curves| curves.curves().count());
    }
}

#[test]
fn slices_of_bytes_that_become_shorter_are_whole_or_empty() {
    let bytes = corpus("actorx/mesh/everything.pskx");
    for length in 0..bytes.len() {
        let mesh = PskBuf::parse(Liar::new(&bytes, &bytes[..length])).unwrap();
        let view = mesh.view();
        assert!([0, 8].contains(&view.points().len()));
        assert!([0, 24].contains(&view.wedges().len()));
        assert!([0, 4].contains(&view.bones().len()));
        read_mesh(&view);
    }
    let bytes = corpus("actorx/anim/scale_keys.psa");
    for length in 0..bytes.len() {
        let animation = PsaBuf::parse(Liar::new(&bytes, &bytes[..length])).unwrap();
        let view = animation.view();
        assert!([0, 32].contains(&view.keys().len()));
        assert!([0, 32].contains(&view.scale_keys().len()));
        read_animation(&view);
    }
}

#[test]
fn bytes_of_another_file_give_other_records_and_no_panic() {
    let readable: Vec<_> = cases().into_iter().filter(|case| case.bytes.len() < 10_000).collect();
    for first in &readable {
        for then in &readable {
            if let Ok(mesh) = PskBuf::parse(Liar::new(&first.bytes, &then.bytes)) {
                read_mesh(&mesh.view());
            }
            if let Ok(animation) = PsaBuf::parse(Liar::new(&first.bytes, &then.bytes)) {
                read_animation(&animation.view());
            }
        }
    }
}
