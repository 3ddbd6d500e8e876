//! Conversions of any bytes: what is written is sound in the view of another reader.

use skelmap::Asset;
use skelmap::model::{Axis, Binding};
use skelmap_export::{Additive, Animation, Colors, Document, ExportOptions, HierarchyBone, InfluenceCount};

use test_support::glb::File;
use test_support::model::any_bytes::{partner_of_animation, partner_of_mesh, split};
use test_support::with;

/// The most clips of a document: more say nothing new.
const MAX_CLIPS: usize = 4;

/// More bones than this get no hierarchy.
const MAX_BONES: usize = 512;

/// The input is a mesh, an animation, or a mesh with an animation behind it. One that is alone gets a partner with the same
/// bones. The last bytes choose the options.
pub fn gltf(bytes: &[u8]) {
    let options = options(bytes.last_chunk().copied().unwrap_or_default());
    let (mesh, animation) = split(bytes);
    let partner;
    let (mesh, animation) = match (mesh, animation) {
        (mesh, []) => {
            partner = partner_of_mesh(mesh).unwrap_or_default();
            (mesh, partner.as_slice())
        }
        ([], animation) => {
            partner = partner_of_animation(animation).unwrap_or_default();
            (partner.as_slice(), animation)
        }
        both => both,
    };
    let (mesh, animation) = (Asset::parse(mesh), Asset::parse(animation));
    let clips: Vec<_> = animation.iter().flat_map(Asset::clips).take(MAX_CLIPS).collect();
    if let Some(mesh) = mesh.as_ref().ok().and_then(Asset::mesh) {
        let bound = clips.iter().map(|clip| Animation::new(clip, Binding::new(&mesh, clip))).collect();
        let mut document = with(Document::of_mesh(&mesh), |own| own.animations = bound);
        if options.loops && mesh.bone_count() <= MAX_BONES {
            let bone =
                |bone: usize| HierarchyBone { name: bone.to_string(), parent: (bone % 3 > 0).then_some(bone / 2) };
            document.hierarchy = (0..mesh.bone_count()).map(bone).collect();
        }
        check(&document, &options);
        let pose = (!clips.is_empty()).then_some((0, 0.5));
        let _ = document.write_obj(&options, pose, Some("any.mtl"), std::io::sink());
    }
    check(&with(Document::default(), |own| own.animations = clips.iter().map(Animation::of_clip).collect()), &options);
}

/// What is written is read by another reader, and is the same the second time.
fn check(document: &Document<'_>, options: &ExportOptions) {
    let (mut file, mut again) = (Vec::new(), Vec::new());
    if document.write_glb(options, &mut file).is_ok() {
        File::read(&file).check();
        assert!(document.write_glb(options, &mut again).is_ok_and(|_| again == file));
    }
}

fn options([first, second]: [u8; 2]) -> ExportOptions {
    let is = |bit: u8| first >> bit & 1 == 1;
    let axis = [Axis::X, Axis::Y, Axis::Z][usize::from(second % 3)];
    with(ExportOptions::default(), |own| {
        own.metres = if is(0) { 0.01 } else { f32::from(second) * 1e30 };
        own.up = is(1).then_some((axis, second > 127));
        own.yaw = if is(2) { f32::from(second) * 3.0 } else { 0.0 };
        own.influences = if is(3) { InfluenceCount::Eight } else { InfluenceCount::Four };
        own.colors = if is(4) { Colors::Paint } else { Colors::Masks };
        own.loops = is(5);
        own.short_rotations = is(6);
        own.max_joints = (second % 5 == 4).then_some(32);
        own.compact = second % 4 == 3;
        own.additive = if is(7) { Additive::Mesh } else { Additive::Local };
    })
}
