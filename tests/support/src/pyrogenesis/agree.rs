//! The crate and the naive reader say the same about a file, down to the bits of every float.

use skelmap::pyrogenesis::{BoneState, Options, Pmd, Psa, Strictness, Triangle};
use skelmap::{Error, Quirk};

use super::naive::{self as naive, Mode};

const MODES: [(Strictness, Mode); 2] = [(Strictness::Strict, Mode::Strict), (Strictness::Engine, Mode::Engine)];

/// Everything, by both parsers and in both modes.
pub fn agree(bytes: &[u8]) {
    for (strictness, mode) in MODES {
        match (Psa::parse_with(bytes, &Options::new(strictness)), naive::read_psa(bytes, mode)) {
            (Ok(animation), Ok(expected)) => same_animation(&animation, &expected),
            (Err(error), Err(expected)) => same_error(error, &expected),
            (crate_says, naive_says) => panic!("{strictness:?}: {crate_says:?} and {naive_says:?}"),
        }
        match (Pmd::parse_with(bytes, &Options::new(strictness)), naive::read_pmd(bytes, mode)) {
            (Ok(mesh), Ok(expected)) => same_mesh(&mesh, &expected),
            (Err(error), Err(expected)) => same_error(error, &expected),
            (crate_says, naive_says) => panic!("{strictness:?}: {crate_says:?} and {naive_says:?}"),
        }
    }
}

fn same_error(error: Error, expected: &naive::Bad) {
    let found = (error.code().name(), error.section().to_string(), error.offset());
    assert_eq!(found, (expected.kind, expected.section.to_owned(), expected.offset), "{error}");
}

fn codes(quirks: impl Iterator<Item = Quirk>) -> Vec<&'static str> {
    quirks.map(|quirk| quirk.code.name()).collect()
}

pub fn bits<const N: usize>(floats: [f32; N]) -> [u32; N] {
    floats.map(f32::to_bits)
}

fn same_states<'a>(found: impl IntoIterator<Item = &'a BoneState>, expected: &[naive::State]) {
    let found: Vec<_> = found.into_iter().map(|state| (bits(state.translation()), bits(state.rotation()))).collect();
    let expected: Vec<_> = expected.iter().map(|state| (bits(state.t), bits(state.q))).collect();
    assert_eq!(found, expected);
}

fn same_animation(animation: &Psa<'_>, expected: &naive::Psa) {
    assert_eq!(animation.version(), expected.version);
    assert_eq!(animation.name().as_bytes(), expected.name);
    assert_eq!(animation.frame_length_ms().to_bits(), expected.frame_length.to_bits());
    assert_eq!((animation.declared_bone_count(), animation.declared_frame_count()), (expected.bones, expected.frames));
    // Without a state, neither bones nor frames are in the file.
    let held = if expected.states.is_empty() { (0, 0) } else { (expected.bones as usize, expected.frames as usize) };
    assert_eq!((animation.bone_count(), animation.frame_count()), held);
    assert_eq!(animation.trailing_bytes(), expected.trailing);
    assert_eq!(codes(animation.quirks()), expected.quirks);
    same_states(animation.states(), &expected.states);
    let bones = animation.bone_count();
    if expected.states.is_empty() {
        return;
    }
    for (frame, states) in expected.states.chunks(bones).enumerate() {
        same_states(animation.frame(frame).unwrap(), states);
    }
    assert!(animation.frame(animation.frame_count()).is_err());
    for bone in 0..bones {
        let track: Vec<_> = expected.states.iter().skip(bone).step_by(bones).copied().collect();
        same_states(animation.track(bone).unwrap(), &track);
        same_states(animation.track(bone).unwrap().rev().collect::<Vec<_>>().into_iter().rev(), &track);
    }
    assert!(animation.track(bones).is_err());
}

fn same_mesh(mesh: &Pmd<'_>, expected: &naive::Pmd) {
    assert_eq!((mesh.version(), mesh.declared_uv_set_count()), (expected.version, expected.uv_sets));
    let held = if expected.vertices.is_empty() { 0 } else { expected.uv_sets as usize };
    assert_eq!(mesh.uv_set_count(), held);
    assert_eq!(mesh.trailing_bytes(), expected.trailing);
    assert_eq!(codes(mesh.quirks()), expected.quirks);
    assert_eq!(mesh.vertices().len(), expected.vertices.len());
    for (index, vertex) in expected.vertices.iter().enumerate() {
        let found = mesh.vertices().get(index).unwrap();
        assert_eq!((bits(found.position()), bits(found.normal())), (bits(vertex.position), bits(vertex.normal)));
        let uvs: Vec<_> = found.uvs().iter().map(|uv| bits(uv.get())).collect();
        assert_eq!(uvs, vertex.uvs.iter().map(|uv| bits(*uv)).collect::<Vec<_>>());
        assert_eq!(found.blend().bones(), vertex.bones);
        assert_eq!(bits(found.blend().weights()), bits(vertex.weights));
    }
    assert!(mesh.vertices().get(expected.vertices.len()).is_none());
    let positions = |reversed: bool| -> Vec<_> {
        let iter = mesh.vertices().iter().map(|vertex| bits(vertex.position()));
        if reversed { iter.rev().collect() } else { iter.collect() }
    };
    assert!(positions(true).iter().rev().eq(&positions(false)));
    same_structs::<0>(mesh, expected);
    same_structs::<1>(mesh, expected);
    same_structs::<2>(mesh, expected);
    same_structs::<3>(mesh, expected);
    let faces: Vec<_> = mesh.faces().iter().map(Triangle::vertices).collect();
    assert_eq!(faces, expected.faces);
    same_states(mesh.bones(), &expected.bind);
    assert_eq!(mesh.props().len(), expected.props.len());
    for (found, prop) in mesh.props().zip(&expected.props) {
        assert_eq!(found.name.as_bytes(), prop.name);
        assert_eq!(bits(found.transform.translation()), bits(prop.position));
        assert_eq!(bits(found.transform.rotation()), bits(prop.rotation));
        assert_eq!(found.transform.bone(), (prop.bone != 0xFF).then_some(prop.bone));
    }
}

/// The slice of plain structs is there for one number of UV sets and holds what the strided view does.
fn same_structs<const U: usize>(mesh: &Pmd<'_>, expected: &naive::Pmd) {
    let Some(vertices) = mesh.vertices_with::<U>() else {
        assert_ne!(expected.uv_sets as usize, U);
        return;
    };
    assert_eq!(expected.uv_sets as usize, U);
    assert_eq!(vertices.len(), expected.vertices.len());
    for (found, vertex) in vertices.iter().zip(&expected.vertices) {
        assert_eq!((bits(found.position()), bits(found.normal())), (bits(vertex.position), bits(vertex.normal)));
        assert!(found.uvs().iter().map(|uv| bits(uv.get())).eq(vertex.uvs.iter().map(|uv| bits(*uv))));
        assert_eq!((found.blend().bones(), bits(found.blend().weights())), (vertex.bones, bits(vertex.weights)));
    }
}
