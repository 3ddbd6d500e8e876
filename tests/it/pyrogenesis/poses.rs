//! Poses and skinning: bit for bit what the engine and the naive reader compute.

use std::fs;
use std::path::Path;

use skelmap::ErrorKind;
use skelmap::pyrogenesis::{IDENTITY, Matrix, Options, Playback, Pmd, Psa, SkinnedVertex, codes};

use super::corpus;
use test_support::corpus::{below, samples};
use test_support::pyrogenesis::agree::bits;
use test_support::pyrogenesis::build::{self, State};
use test_support::pyrogenesis::corpus::cases;
use test_support::pyrogenesis::naive::{self as naive, Mode};

/// Times that fall on frames, between them, on the last, past it and far past it.
const TIMES: [f32; 10] = [0.0, -0.0, 8.25, 33.333_332, 50.0, 100.0, 233.0, 250.0, 266.6, 12_345.6];

fn posed(animation: &Psa<'_>, time: f32, playback: Playback) -> Vec<Matrix> {
    let mut pose = vec![IDENTITY; animation.bone_count()];
    animation.pose(time, playback, &mut pose).unwrap();
    pose
}

fn skinned(mesh: &Pmd<'_>, pose: &[Matrix]) -> Vec<SkinnedVertex> {
    let mut bind = vec![IDENTITY; mesh.bones().len()];
    let mut matrices = vec![IDENTITY; mesh.skin_matrix_count()];
    let mut rest = vec![SkinnedVertex::default(); mesh.vertices().len()];
    mesh.to_model_space(&mut bind, &mut rest).unwrap();
    mesh.inverse_bind_pose(&mut bind).unwrap();
    mesh.skin_matrices(pose, &bind, &mut matrices).unwrap();
    let mut vertices = rest.clone();
    mesh.skin_rest(&rest, &matrices, &mut vertices).unwrap();
    if !mesh.is_bind_relative() {
        let mut straight = rest.clone();
        mesh.skin(&matrices, &mut straight).unwrap();
        assert_eq!(floats(&straight), floats(&vertices));
    }
    vertices
}

fn floats(vertices: &[SkinnedVertex]) -> Vec<u32> {
    vertices.iter().flat_map(|vertex| vertex.position.into_iter().chain(vertex.normal)).map(f32::to_bits).collect()
}

fn compare_poses(bytes: &[u8]) {
    let Ok(animation) = Psa::parse(bytes) else { return };
    let expected = naive::read_psa(bytes, Mode::Strict).unwrap();
    for time in TIMES {
        for (playback, looping) in [(Playback::Loop, true), (Playback::Once, false)] {
            let expected = naive::pose(&expected, time, looping).unwrap();
            let found = posed(&animation, time, playback);
            assert!(found.iter().map(|m| bits(*m)).eq(expected.iter().map(|m| bits(*m))), "at {time}, loop {looping}");
        }
    }
}

#[test]
fn poses_of_the_corpus_equal_those_of_the_naive_reader_to_the_bit() {
    for case in cases() {
        println!("{}", case.file);
        compare_poses(&case.bytes);
    }
}

#[test]
fn poses_of_many_times_and_of_all_frames_equal_the_single_poses() {
    let bytes = corpus("psa/walk.psa");
    let animation = Psa::parse(&bytes).unwrap();
    let mut many = vec![IDENTITY; TIMES.len() * animation.bone_count()];
    animation.poses(&TIMES, Playback::Loop, &mut many).unwrap();
    let each: Vec<Matrix> = TIMES.iter().flat_map(|time| posed(&animation, *time, Playback::Loop)).collect();
    assert_eq!(many, each);

    let mut frames = vec![IDENTITY; animation.states().len()];
    animation.frame_poses(&mut frames).unwrap();
    for (frame, poses) in frames.chunks(animation.bone_count()).enumerate() {
        // The only frame that is shown by itself is the last of an animation played once.
        let only = naive::Psa { frames: 1, ..naive::read_psa(&bytes, Mode::Strict).unwrap() };
        let states = only.states[frame * animation.bone_count()..][..animation.bone_count()].to_vec();
        let expected = naive::pose(&naive::Psa { states, ..only }, 0.0, false).unwrap();
        assert_eq!(poses, expected);
    }
}

#[test]
fn skinned_vertices_of_the_corpus_equal_those_of_the_naive_reader_to_the_bit() {
    let walk = corpus("psa/walk.psa");
    let animation = Psa::parse(&walk).unwrap();
    let mut compared = 0;
    for case in cases() {
        let Ok(mesh) = Pmd::parse(&case.bytes) else { continue };
        // Where the engine reads past its matrices there is nothing to compare with.
        let lost = |bone: u8| usize::from(bone) > mesh.bones().len();
        let sound = mesh.vertices().iter().all(|vertex| vertex.blend().influences().all(|(bone, _)| !lost(bone)));
        let loose = mesh.vertices().iter().any(|vertex| vertex.blend().bones()[0] == 0xFF);
        if !sound || loose || mesh.bones().len() != animation.bone_count() {
            continue;
        }
        println!("{}", case.file);
        let expected = naive::read_pmd(&case.bytes, Mode::Strict).unwrap();
        let mut bind = vec![IDENTITY; mesh.bones().len()];
        let mut rest = vec![SkinnedVertex::default(); mesh.vertices().len()];
        if mesh.to_model_space(&mut bind, &mut rest).is_err() {
            // Relative to the bind pose and bound to the model: the engine reads past its matrices here too.
            assert!(mesh.is_bind_relative());
            continue;
        }
        let same = |found: &[SkinnedVertex], expected: &[([f32; 3], [f32; 3])]| {
            let expected: Vec<u32> =
                expected.iter().flat_map(|(p, n)| p.iter().chain(n).map(|float| float.to_bits())).collect();
            assert_eq!(floats(found), expected);
        };
        same(&rest, &naive::rest(&expected));
        for time in TIMES {
            let pose = posed(&animation, time, Playback::Loop);
            same(&skinned(&mesh, &pose), &naive::skin(&expected, &pose));
        }
        compared += 1;
    }
    assert!(compared > 10, "{compared}");
}

#[test]
fn a_file_that_crashes_the_engine_gives_an_error() {
    let mut pose = [IDENTITY; 3];
    let kind = |file: &str, time: f32, pose: &mut [Matrix]| {
        let bytes = corpus(file);
        let animation = Psa::parse_with(&bytes, &Options::ENGINE).unwrap();
        animation.pose(time, Playback::Loop, pose).unwrap_err().kind()
    };
    for time in [-1.0, -f32::MIN_POSITIVE, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e12] {
        assert_eq!(kind("psa/walk.psa", time, &mut pose), ErrorKind::Time { bits: time.to_bits() });
    }
    assert_eq!(kind("psa/walk.psa", 0.0, &mut pose[..2]), ErrorKind::BufferSize { needed: 3, given: 2 });
    let everything_odd = kind("damaged/everything_odd.psa", 0.0, &mut pose);
    assert_eq!(everything_odd.code(), codes::FRAME_LENGTH, "{everything_odd:?}");
    assert_eq!(kind("damaged/no_frames.psa", 0.0, &mut pose), ErrorKind::NoFrames);
}

#[test]
fn an_animation_of_another_skeleton_is_refused() {
    let bytes = corpus("pmd/skinned.pmd");
    let mesh = Pmd::parse(&bytes).unwrap();
    assert_eq!(mesh.check_bone_count(3), Ok(()));
    let error = mesh.check_bone_count(4).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::BoneCount { mesh: 3, animation: 4 });
    let mut matrices = vec![IDENTITY; mesh.skin_matrix_count()];
    assert_eq!(mesh.skin_matrices(&[IDENTITY; 4], &[IDENTITY; 3], &mut matrices).unwrap_err().kind(), error.kind());
}

#[test]
fn skin_refuses_vertices_that_are_relative_to_the_bind_pose() {
    for case in cases() {
        let Ok(mesh) = Pmd::parse(&case.bytes) else { continue };
        let mut out = vec![SkinnedVertex::default(); mesh.vertices().len()];
        let result = mesh.skin(&vec![IDENTITY; mesh.skin_matrix_count()], &mut out);
        let relative = mesh.version() <= 2 && !mesh.bones().is_empty();
        assert_eq!(relative, result.is_err_and(|error| error.code() == codes::BIND_RELATIVE), "{}", case.file);
    }
}

#[test]
fn a_vertex_of_a_bone_that_does_not_exist_is_an_error() {
    let bytes = corpus("pmd/weight_bone.pmd");
    let mesh = Pmd::parse(&bytes).unwrap();
    let mut out = vec![SkinnedVertex::default(); mesh.vertices().len()];
    let error = mesh.skin(&vec![IDENTITY; mesh.skin_matrix_count()], &mut out).unwrap_err();
    assert_eq!(error.code(), codes::VERTEX_BONE);
    let ErrorKind::Family { values: [vertex, bone, 3, ..], .. } = error.kind() else { panic!("{error}") };
    assert!(bone > 3);
    let first = mesh.vertices().iter().position(|vertex| vertex.blend().influences().any(|(bone, _)| bone > 3));
    assert_eq!(first, usize::try_from(vertex).ok());
    assert_eq!(error.offset(), 20 + u64::from(vertex) * 52);
}

#[test]
fn a_vertex_of_no_bone_is_an_error_in_a_mesh_with_bones() {
    let bytes = corpus("pmd/vertex_unweighted.pmd");
    let mesh = Pmd::parse(&bytes).unwrap();
    let mut out = vec![SkinnedVertex::default(); mesh.vertices().len()];
    let error = mesh.skin(&vec![IDENTITY; mesh.skin_matrix_count()], &mut out).unwrap_err();
    assert_eq!(error.code(), codes::VERTEX_UNWEIGHTED, "{error}");
}

#[test]
fn the_play_time_equals_the_time_that_the_engine_passes_to_its_poses() {
    let bytes = corpus("psa/walk.psa");
    let animation = Psa::parse(&bytes).unwrap();
    // Eight frames of 33.333332 ms.
    let duration = 8.0_f32 * 33.333_332;
    assert_eq!(animation.play_time(100.0, Playback::Loop), 100.0);
    assert_eq!(animation.play_time(1000.0, Playback::Loop), 1000.0 % duration);
    assert_eq!(animation.play_time(100.0, Playback::Once), 100.0);
    assert_eq!(animation.play_time(1000.0, Playback::Once), duration - 1.0);
}

/// The floats of an oracle file, as bits.
fn oracle(folder: &Path, name: &str) -> Vec<u32> {
    let bytes = fs::read(folder.join("oracle").join(name)).unwrap();
    bytes.chunks_exact(4).map(|float| u32::from_le_bytes(float.try_into().unwrap())).collect()
}

#[test]
fn poses_and_skinned_vertices_equal_the_outputs_of_the_engine_bit_for_bit() {
    let Some(folder) = samples("pyrogenesis") else { return };
    let index = fs::read_to_string(folder.join("oracle/INDEX.tsv")).unwrap();
    let read = |file: &str| fs::read(folder.join(file)).unwrap();
    let mut compared = 0;
    for line in index.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [kind, out, inputs, looped, times, ..] = columns[..] else { panic!("{line}") };
        let playback = if looped == "1" { Playback::Loop } else { Playback::Once };
        let times = || times.split(',').map(|time| time.parse::<f32>().unwrap());
        let found: Vec<u32> = match kind {
            "pose" => {
                let bytes = read(inputs);
                let animation = Psa::parse(&bytes).unwrap();
                times().flat_map(|time| posed(&animation, time, playback)).flatten().map(f32::to_bits).collect()
            }
            "rest" => {
                let bytes = read(inputs);
                let mesh = Pmd::parse(&bytes).unwrap();
                let mut bind = vec![IDENTITY; mesh.bones().len()];
                let mut rest = vec![SkinnedVertex::default(); mesh.vertices().len()];
                mesh.to_model_space(&mut bind, &mut rest).unwrap();
                mesh.inverse_bind_pose(&mut bind).unwrap();
                let props = mesh.engine_props().flat_map(|prop| {
                    let transform = prop.transform;
                    naive::prop_matrix(transform.translation(), transform.rotation())
                });
                floats(&rest).into_iter().chain(bind.into_iter().flatten().chain(props).map(f32::to_bits)).collect()
            }
            "skin" => {
                let (mesh, animation) = inputs.split_once(" + ").unwrap();
                let (mesh, animation) = (read(mesh), read(animation));
                let (mesh, animation) = (Pmd::parse(&mesh).unwrap(), Psa::parse(&animation).unwrap());
                floats(&skinned(&mesh, &posed(&animation, times().next().unwrap(), playback)))
            }
            other => panic!("{other}"),
        };
        let expected = oracle(&folder, out);
        assert_eq!(found.len(), expected.len(), "{out}");
        // The engine's outputs were made with glibc, whose sine and arc cosine others do not have to the last bit.
        let is_equal = |found: u32, expected: u32| {
            let [one, other] = [found, expected].map(f32::from_bits);
            found == expected
                || (cfg!(not(target_env = "gnu")) || cfg!(windows))
                    && (one - other).abs() <= 1e-5 * other.abs().max(1.0)
        };
        let different = found.iter().zip(&expected).filter(|(found, expected)| !is_equal(**found, **expected)).count();
        assert_eq!(different, 0, "{out}: floats that differ");
        compared += 1;
    }
    assert!(compared > 10);
}

#[test]
fn poses_of_the_real_animations_equal_those_of_the_naive_reader_to_the_bit() {
    let Some(folder) = samples("pyrogenesis") else { return };
    // The others are hostile.
    for path in
        below(&folder, &["psa"]).into_iter().filter(|path| !path.components().any(|part| part.as_os_str() == "hostile"))
    {
        println!("{}", path.display());
        compare_poses(&fs::read(path).unwrap());
    }
}

/// The engine blends rotations along the arc where 1 - cosine is above 0.0001, and along the chord below.
#[test]
fn rotations_on_both_sides_of_the_limit_of_the_engine_are_blended_by_its_rule() {
    let mut of_arc = 0;
    for step in 1..=60_u16 {
        // Cosines from 1 - 0.00006 to 1 - 0.00018, the limit among them.
        let cosine = 1.0 - (0.000_06 + 0.000_002 * f64::from(step));
        let turned = [(1.0 - cosine * cosine).sqrt() as f32, 0.0, 0.0, cosine as f32];
        let states = vec![State::REST, State { q: turned, ..State::REST }];
        let bytes = build::Psa::new(1, 2, states).build().bytes;
        let (animation, expected) = (Psa::parse(&bytes).unwrap(), naive::read_psa(&bytes, Mode::Strict).unwrap());
        for time in [3.0, 11.0, 17.0, 29.0] {
            let found = posed(&animation, time, Playback::Loop);
            let expected = naive::pose(&expected, time, true).unwrap();
            assert_eq!(bits(found[0]), bits(expected[0]), "{cosine} at {time} ms");
        }
        of_arc += usize::from(1.0 - turned[3] > 0.0001);
    }
    assert!((20..50).contains(&of_arc), "{of_arc} of 60 lie above the limit");
}
