//! GLB files: another reader accepts them, and their skinned positions are those of the model, evaluated in `f64`.

/// The document of a mesh and all clips of an animation.
macro_rules! document {
    ($document:ident, $mesh:expr, $animation:expr) => {
        let (mesh, animation): (Vec<u8>, Vec<u8>) = ($mesh, $animation);
        let (mesh, animation) = (skelmap::Asset::parse(&mesh).unwrap(), skelmap::Asset::parse(&animation).unwrap());
        let mesh = mesh.mesh().unwrap();
        #[allow(unused_mut)]
        let mut $document = test_support::with(skelmap_export::Document::of_mesh(&mesh), |own| {
            let animated = |clip| skelmap_export::Animation::new(&clip, skelmap::model::Binding::new(&mesh, &clip));
            own.animations = animation.clips().map(animated).collect()
        });
    };
}

mod additive;
mod alone;
mod attached;
mod edges;
mod exact;
mod fewer;
mod forms;
mod held;
mod levels;
mod options;
mod sparse;
mod surfaces;

use std::fs;
use std::path::Path;

use skelmap::Asset;
use skelmap::actorx::Config;
use skelmap::model::{Axis, Binding, Clip, IDENTITY, Mesh, Skin, Space, Winding, Wrap};
use skelmap_export::{Additive, Animation, Colors, Document, ExportOptions, ExportReport, InfluenceCount, WriteError};

use test_support::corpus::{below, folder, samples};
use test_support::glb::File;

/// The GLB of a document, and the report on it.
fn write(document: &Document<'_>, options: &ExportOptions) -> (File, ExportReport) {
    let mut file = Vec::new();
    let report = document.write_glb(options, &mut file).unwrap();
    let file = File::read(&file);
    file.check();
    (file, report)
}

/// The default with a change.
fn options(change: impl FnOnce(&mut ExportOptions)) -> ExportOptions {
    let mut options = ExportOptions::default();
    change(&mut options);
    options
}

/// A file of the small collection of good files.
fn good(name: &str) -> Vec<u8> {
    fs::read(folder().join("../../corpus").join(name)).unwrap()
}

/// The channel of a bone's part in the first animation.
fn channel<'f>(
    file: &'f File,
    bone: &str,
    property: gltf::animation::Property,
) -> Option<gltf::animation::Channel<'f>> {
    let is_own = |own: &gltf::animation::Channel<'_>| {
        own.target().node().name() == Some(bone) && own.target().property() == property
    };
    file.document().animations().next().unwrap().channels().find(is_own)
}

/// The times of a bone's keys in the first animation, in frames of a thirtieth of a second.
fn keys(file: &File, bone: &str, property: gltf::animation::Property) -> Vec<f64> {
    channel(file, bone, property).map_or(Vec::new(), |channel| {
        channel.reader(|_| Some(file.binary())).read_inputs().unwrap().map(|time| f64::from(time) * 30.0).collect()
    })
}

/// The rotations of a bone in the first animation.
fn rotations(file: &File, bone: &str) -> Vec<[f32; 4]> {
    let channel = channel(file, bone, gltf::animation::Property::Rotation).unwrap();
    match channel.reader(|_| Some(file.binary())).read_outputs().unwrap() {
        gltf::animation::util::ReadOutputs::Rotations(values) => values.into_f32().collect(),
        _ => panic!("no rotations"),
    }
}

/// The largest distance between two lists of points.
fn apart(one: &[[f64; 3]], other: &[[f64; 3]]) -> f64 {
    assert_eq!(one.len(), other.len());
    let distance =
        |(one, other): (&[f64; 3], &[f64; 3])| (0..3).map(|axis| (one[axis] - other[axis]).abs()).fold(0.0, f64::max);
    one.iter().zip(other).map(distance).fold(0.0, f64::max)
}

/// The GLB of a mesh and all clips of an animation.
fn convert(
    mesh: &Mesh<'_>,
    clips: &[(Clip<'_>, Binding)],
    options: &ExportOptions,
) -> Result<(Vec<u8>, ExportReport), WriteError> {
    let (mut file, mut again) = (Vec::new(), Vec::new());
    let animations = clips.iter().map(|(clip, binding)| Animation::new(clip, binding.clone())).collect();
    let mut document = Document::of_mesh(mesh);
    document.animations = animations;
    let report = document.write_glb(options, &mut file)?;
    assert_eq!(document.write_glb(options, &mut again)?, report);
    assert_eq!(file, again, "the same input gives the same bytes");
    Ok((file, report))
}

/// Every option, with a mesh alone and with every animation of the corpus: damaged files and quirks included.
#[test]
fn another_reader_accepts_every_file_that_the_corpus_can_give() {
    let mut all = ExportOptions::default();
    all.influences = InfluenceCount::Eight;
    all.colors = Colors::Paint;
    all.loops = true;
    all.up = Some((Axis::X, true));
    all.yaw = 33.0;
    all.short_rotations = true;
    all.additive = Additive::Mesh;
    let animations: Vec<Vec<u8>> = below(&folder(), &["psa"]).iter().map(|path| fs::read(path).unwrap()).collect();
    let mut written = 0;
    for path in below(&folder(), &["psk", "pskx", "pmd"]) {
        let bytes = fs::read(&path).unwrap();
        let asset = Asset::parse(&bytes);
        let Some(mesh) = asset.as_ref().ok().and_then(Asset::mesh) else { continue };
        for options in [&ExportOptions::default(), &all] {
            let parsed: Vec<Asset<'_>> = animations.iter().filter_map(|bytes| Asset::parse(bytes).ok()).collect();
            let clips: Vec<_> = parsed.iter().flat_map(Asset::clips).collect();
            let bound: Vec<_> = clips.iter().map(|clip| (*clip, Binding::new(&mesh, clip))).collect();
            for clips in [&[], bound.as_slice()] {
                match convert(&mesh, clips, options) {
                    Ok((file, _)) => {
                        File::read(&file).check();
                        written += 1;
                    }
                    Err(WriteError::Mesh(_)) => {}
                    Err(error) => panic!("{}: {error}", path.display()),
                }
            }
        }
    }
    assert!(written > 100, "{written}");
}

/// The largest distance between the GLB and the model at the frames of a clip.
fn deviation(mesh: &[u8], animation: &[u8], side_car: Option<&[u8]>) -> f64 {
    let (mesh, animation) = (Asset::parse(mesh).unwrap(), Asset::parse(animation).unwrap());
    let mesh = mesh.mesh().unwrap().with_metres(0.01);
    let bind = |clip: &Clip<'_>| match side_car {
        Some(side_car) => Binding::new(&mesh, clip).with_sources(&Config::new(side_car).to_sources(clip)),
        None => Binding::new(&mesh, clip),
    };
    let clips: Vec<_> = animation.clips().map(|clip| (clip, bind(&clip))).collect();
    let (file, report) = convert(&mesh, &clips, &ExportOptions::default()).unwrap();
    assert_eq!((report.dropped_triangles, report.additive_clips), (0, 0));
    let file = File::read(&file);

    let mesh = mesh.in_space(Space::GLTF);
    let skin = Skin::new(&mesh, 4).unwrap();
    let (mut matrices, mut positions) = (vec![IDENTITY; skin.matrix_count()], vec![[0.0; 3]; mesh.point_count()]);
    let mut worst = 0.0_f64;
    for (number, (clip, binding)) in clips.iter().enumerate() {
        let binding = Binding::new(&mesh, clip).with_sources(&sources(binding, clip));
        let mut pose = skin.bind_pose().to_vec();
        for frame in [0, clip.frame_count() / 2, clip.frame_count() - 1] {
            binding.sample_frame(clip, frame as f64, Wrap::Clamp, &mut pose).unwrap();
            skin.matrices(&pose, &mut matrices).unwrap();
            skin.positions(&mesh, &matrices, &mut positions).unwrap();
            let seconds = frame as f64 / clip.rate().unwrap();
            let (expected, found) = (corners(&mesh, &positions), file.corners(Some((number, seconds))));
            assert_eq!(found.len(), expected.len());
            let apart = expected.iter().zip(&found).flat_map(|(one, other)| one.iter().zip(other));
            worst = apart.map(|(one, other)| (f64::from(*one) - other).abs()).fold(worst, f64::max);
        }
    }
    worst
}

/// Metres.
const TOLERANCE: f64 = 2e-5;

fn sources(binding: &Binding, clip: &Clip<'_>) -> Vec<skelmap::actorx::TrackSources> {
    let mut sources = vec![skelmap::actorx::TrackSources::default(); clip.track_count()];
    for (bone, track) in (0..).map_while(|bone| Some((bone, binding.sources_of(bone)?))) {
        if let Some(own) = binding.track_of(bone).and_then(|own| sources.get_mut(own)) {
            *own = track;
        }
    }
    sources
}

/// The positions of the corners of all triangles: material by material, counter-clockwise.
fn corners(mesh: &Mesh<'_>, positions: &[[f32; 3]]) -> Vec<[f32; 3]> {
    let mut triangles: Vec<_> = (0..mesh.triangle_count()).filter_map(|index| mesh.triangle(index)).collect();
    triangles.sort_by_key(|triangle| triangle.material);
    let vertices = triangles.iter().flat_map(|triangle| {
        let [a, b, c] = triangle.vertices;
        if mesh.winding() == Winding::Clockwise { [c, b, a] } else { [a, b, c] }
    });
    vertices.map(|vertex| positions[mesh.point_of(vertex as usize).unwrap()]).collect()
}

#[test]
fn skinned_vertices_equal_those_of_the_model() {
    let corpus = folder().join("../../corpus");
    let read = |path: &Path| fs::read(path).unwrap();
    let fox = read(&corpus.join("fox.psk"));
    let config = read(&corpus.join("fox.config"));
    assert!(deviation(&fox, &read(&corpus.join("fox.psa")), Some(&config)) <= TOLERANCE);
    assert!(deviation(&read(&corpus.join("fox.pmd")), &read(&corpus.join("fox_walk.psa")), None) <= TOLERANCE);
    let Some(samples) = samples("actorx") else { return };
    let (mesh, clips) = (samples.join("hp2/skBeaterMesh.psk"), samples.join("hp2/skBeaterAnims.psa"));
    assert!(deviation(&read(&mesh), &read(&clips), None) <= TOLERANCE);
}
