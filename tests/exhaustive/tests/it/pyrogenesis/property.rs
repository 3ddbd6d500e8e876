//! Random files read back as they were built, and random damage is taken alike by both readers.

use proptest::prelude::*;
use skelmap::pyrogenesis::{Pmd, Psa, Triangle};

use test_support::pyrogenesis::agree::{agree, bits};
use test_support::pyrogenesis::build;
use test_support::pyrogenesis::corpus::cases;

fn float() -> impl Strategy<Value = f32> {
    any::<u32>().prop_map(f32::from_bits)
}

fn state() -> impl Strategy<Value = build::State> {
    ([float(), float(), float()], [float(), float(), float(), float()]).prop_map(|(t, q)| build::State::new(t, q))
}

fn animation() -> impl Strategy<Value = build::Psa> {
    (0_u32..5, 1_u32..6, prop::collection::vec(any::<u8>(), 0..12), 0.001_f32..1e6)
        .prop_flat_map(|(bones, frames, name, length)| {
            let states = prop::collection::vec(state(), (bones * frames) as usize);
            (Just((bones, frames, name, length)), states)
        })
        .prop_map(|((bones, frames, name, frame_length), states)| build::Psa {
            name,
            frame_length,
            ..build::Psa::new(bones, frames, states)
        })
}

fn vertex(uv_sets: usize) -> impl Strategy<Value = build::Vertex> {
    let vectors = ([float(), float(), float()], [float(), float(), float()]);
    let uvs = prop::collection::vec([float(), float()], uv_sets);
    (vectors, uvs, any::<[u8; 4]>(), [float(), float(), float(), float()])
        .prop_map(|((position, normal), uvs, bones, weights)| build::Vertex { position, normal, uvs, bones, weights })
}

fn prop_point() -> impl Strategy<Value = build::Prop> {
    (prop::collection::vec(any::<u8>(), 0..20), state(), any::<u8>())
        .prop_map(|(name, at, bone)| build::Prop::new(name, at, bone))
}

fn mesh() -> impl Strategy<Value = build::Pmd> {
    (1_u32..=4, 0_u32..5)
        .prop_flat_map(|(version, uv_sets)| {
            let uv_sets = if version < 4 { 1 } else { uv_sets };
            let props = if version < 2 { 0..1_usize } else { 0..5 };
            (
                Just((version, uv_sets)),
                prop::collection::vec(vertex(uv_sets as usize), 0..7),
                prop::collection::vec(any::<[u16; 3]>(), 0..6),
                prop::collection::vec(state(), 0..5),
                prop::collection::vec(prop_point(), props),
            )
        })
        .prop_map(|((version, uv_sets), vertices, faces, bind, props)| build::Pmd {
            version,
            uv_sets,
            vertices,
            faces,
            bind,
            props,
        })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_random_animation_reads_back_as_it_was_built(built in animation()) {
        let bytes = built.build().bytes;
        let read = Psa::parse(&bytes).unwrap();
        prop_assert_eq!(read.name().as_bytes(), &built.name[..]);
        prop_assert_eq!(read.frame_length_ms(), built.frame_length);
        prop_assert_eq!(read.states().len(), built.states.len());
        for (found, state) in read.states().iter().zip(&built.states) {
            prop_assert_eq!(bits(found.translation()), bits(state.t));
            prop_assert_eq!(bits(found.rotation()), bits(state.q));
        }
        agree(&bytes);
    }

    #[test]
    fn a_random_mesh_reads_back_as_it_was_built(built in mesh()) {
        let bytes = built.build().bytes;
        let read = Pmd::parse(&bytes).unwrap();
        prop_assert_eq!(read.vertices().len(), built.vertices.len());
        for (found, vertex) in read.vertices().iter().zip(&built.vertices) {
            prop_assert_eq!(bits(found.position()), bits(vertex.position));
            prop_assert!(found.uvs().iter().map(|uv| bits(uv.get())).eq(vertex.uvs.iter().map(|uv| bits(*uv))));
            prop_assert_eq!(found.blend().bones(), vertex.bones);
        }
        prop_assert!(read.faces().iter().map(Triangle::vertices).eq(built.faces.iter().copied()));
        prop_assert!(read.props().map(|prop| prop.name.as_bytes()).eq(built.props.iter().map(|prop| &prop.name[..])));
        agree(&bytes);
    }

    #[test]
    fn both_readers_agree_on_random_damage(
        file in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let files = cases();
        let mut bytes = file.get(&files).bytes.clone();
        prop_assume!(!bytes.is_empty());
        for (at, value) in changes {
            *at.get_mut(&mut bytes) = value;
        }
        agree(&bytes);
    }

    #[test]
    fn both_readers_agree_on_random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        agree(&bytes);
        for magic in [b"PSSA", b"PSMD"] {
            let size = u32::try_from(bytes.len() + 4).unwrap();
            let header = magic.iter().copied().chain(1_u32.to_le_bytes()).chain(size.to_le_bytes());
            let file: Vec<u8> = header.chain([0; 4]).chain(bytes.iter().copied()).collect();
            agree(&file);
        }
    }
}
