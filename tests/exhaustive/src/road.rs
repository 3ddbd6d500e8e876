//! glTF of any content, read and written for games: what is written is a file that the reader accepts without a quirk.

use std::sync::OnceLock;

use serde_json::{Value, json};
use skelmap::pyrogenesis::{Pmd, Psa};
use skelmap_write::Gltf;
use skelmap_write::pyrogenesis::{Frames, JointAxes, Rigging, Rules, UnknownBones, write_animation};
use test_support::build_glb::glb;
use test_support::with;

/// The most changes of the template.
const MAX_CHANGES: u8 = 24;

/// The longest list that is doubled: without a limit, a few bytes of input make tens of megabytes of JSON, and the run is slow.
const MAX_DOUBLED: usize = 4096;

/// The longest clip that is written, in seconds: longer ones say nothing new.
const MAX_SECONDS: f64 = 60.0;

/// A file with a skinned mesh of two primitives, prop points and an animation, and the places of all its values.
struct Template {
    json: Value,
    binary: Vec<u8>,
    places: Vec<String>,
}

/// The input is a GLB or JSON; or else changes of a template: their number, for each a place and a value, and then bytes that change the buffer.
pub fn from_gltf(bytes: &[u8]) {
    let is_file = bytes.starts_with(b"glTF") || bytes.first() == Some(&b'{');
    let made;
    let bytes = if is_file {
        bytes
    } else {
        made = changed(bytes);
        made.as_slice()
    };
    let Ok(gltf) = Gltf::parse(bytes) else { return };
    let _ = gltf.to_model(Some("Body"));
    let Ok(model) = gltf.to_model(None) else { return };
    let vertices = model.positions.len();
    for length in [model.normals.len()].into_iter().chain(model.uvs.iter().map(Vec::len)) {
        assert_eq!(length, vertices);
    }
    assert!(model.triangles.iter().flat_map(|triangle| triangle.vertices).all(|vertex| (vertex as usize) < vertices));
    assert!(model.joints.iter().enumerate().all(|(index, joint)| joint.parent != Some(index)));
    let last = bytes.last().copied().unwrap_or_default();
    let rules = with(Rules::default(), |rules| {
        rules.axes = [None, Some(JointAxes::Blender), Some(JointAxes::Game)][usize::from(last % 3)];
        rules.unknown = [UnknownBones::Parent, UnknownBones::Drop, UnknownBones::Refuse][usize::from(last / 3 % 3)];
    });
    let Ok(rigging) = Rigging::new(&model, &rules) else { return };
    let (mut file, mut again) = (Vec::new(), Vec::new());
    if rigging.write_mesh(&model, &mut file).is_ok() {
        let mesh = Pmd::parse(&file).expect("what is written is read");
        assert_eq!((mesh.quirks().count(), mesh.vertices().len()), (0, vertices));
        assert!(rigging.write_mesh(&model, &mut again).is_ok() && file == again, "equal models give equal bytes");
    }
    for index in 0..gltf.clip_count().min(4) {
        let Ok(Some(clip)) = gltf.clip(index, None) else { continue };
        let (start, end) = clip.range();
        if end - start > MAX_SECONDS {
            continue;
        }
        for frames in [Frames::Auto, Frames::All, Frames::Engine] {
            let mut file = Vec::new();
            if let Ok(report) = write_animation(&rigging, &clip, frames, &mut file) {
                let animation = Psa::parse(&file).expect("what is written is read");
                assert_eq!((animation.frame_count(), animation.bone_count()), (report.frames, report.bones));
            }
        }
    }
}

/// The template with changes.
pub fn changed(bytes: &[u8]) -> Vec<u8> {
    static TEMPLATE: OnceLock<Template> = OnceLock::new();
    let template = TEMPLATE.get_or_init(Template::new);
    let (mut json, mut binary) = (template.json.clone(), template.binary.clone());
    let (count, mut rest) = bytes.split_first().map_or((0, bytes), |(count, rest)| (count % MAX_CHANGES, rest));
    for _ in 0..count {
        let [place, value, own @ ..] = rest else { break };
        rest = own;
        let place = &template.places[usize::from(*place) % template.places.len()];
        // An earlier change may have replaced what is around.
        if let Some(old) = json.pointer_mut(place) {
            *old = new_value(old, *value);
        }
    }
    binary.iter_mut().zip(rest).for_each(|(byte, change)| *byte ^= change);
    glb(json.to_string().as_bytes(), &binary)
}

/// Another value for a place.
fn new_value(old: &Value, choice: u8) -> Value {
    let numbers =
        [0_u64, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 255, 256, 65_535, 1 << 20, u64::from(u32::MAX), 1 << 53, u64::MAX];
    match usize::from(choice) {
        choice if choice < numbers.len() => numbers[choice].into(),
        20 => json!(-1),
        21 => json!(0.5),
        22 => json!(1e38),
        23 => json!(-1e-38),
        24 => Value::Null,
        25 => json!([]),
        26 => json!({}),
        27 => json!("VEC3"),
        28 => json!("VEC4"),
        29 => json!("MAT4"),
        30 => json!("SCALAR"),
        31 => json!("STEP"),
        32 => json!("CUBICSPLINE"),
        33 => json!("rotation"),
        34 => json!("scale"),
        35 => json!("prop-a"),
        36 => json!("bone"),
        37 => json!(true),
        38 => json!([0, 1, 2, 3, 4, 5, 6]),
        choice @ 40..=46 => (5120 + choice - 40).into(),
        // Twice in a list.
        50 => match old {
            Value::Array(list) if list.len() > MAX_DOUBLED => old.clone(),
            Value::Array(list) => list.iter().chain(list).cloned().collect(),
            other => json!([other, other]),
        },
        choice => match old.as_u64() {
            Some(number) => number.wrapping_add(choice as u64).wrapping_sub(100).into(),
            None => json!(choice),
        },
    }
}

impl Template {
    fn new() -> Self {
        let mut binary = Vec::new();
        let mut views = Vec::new();
        let mut view = |bytes: Vec<u8>| {
            let offset = binary.len();
            binary.extend(&bytes);
            binary.resize(binary.len().next_multiple_of(4), 0);
            views.push(json!({"buffer": 0, "byteOffset": offset, "byteLength": bytes.len()}));
            views.len() - 1
        };
        let floats = |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
        let corners = floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0]);
        let positions = view(corners);
        let normals = view(floats(&[0.0, 0.0, 1.0].repeat(4)));
        let uvs = view(floats(&[0.0, 0.25, 0.5, 0.75, 1.0, 0.0, 0.5, 0.5]));
        let joints = view([0, 1, 2, 0].repeat(4));
        let weights = view(floats(&[0.5, 0.25, 0.25, 0.0].repeat(4)));
        let indices = view([0_u16, 1, 2, 2, 1, 3].iter().flat_map(|index| index.to_le_bytes()).collect());
        let identity = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        let inverse = view(floats(&identity.repeat(3)));
        let times = view(floats(&[0.0, 0.1, 0.5]));
        let moved = view(floats(&[0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]));
        let turned = view(floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.6, 0.0, 0.8, 0.0, 0.0, 0.0, 1.0]));
        let sparse = view(vec![1, 0, 0, 0]);
        let of = |view: usize, component: u32, count: usize, kind: &str| json!({"bufferView": view, "componentType": component, "count": count, "type": kind});
        let mut other = of(positions, 5126, 4, "VEC3");
        other["sparse"] = json!({"count": 1, "indices": {"bufferView": sparse, "componentType": 5121},
            "values": {"bufferView": normals}});
        let attributes = json!({"POSITION": 0, "NORMAL": 1, "TEXCOORD_0": 2, "JOINTS_0": 3, "WEIGHTS_0": 4});
        let json = json!({
            "asset": {"version": "2.0", "generator": "skelmap 0.1.0"},
            "scene": 0,
            "scenes": [{"nodes": [0, 6]}],
            "nodes": [
                {"name": "armature", "children": [1], "scale": [1.0, 1.0, 1.0]},
                {"name": "hip", "children": [2, 4], "translation": [0.0, 1.0, 0.0]},
                {"name": "spine", "children": [3], "rotation": [0.0, 0.6, 0.0, 0.8], "translation": [0.0, 0.0, -1.0]},
                {"name": "head", "children": [5]},
                {"name": "prop-hand", "scale": [1.0, 2.0, -1.0]},
                {"name": "prop-head", "extras": {"translation": [0.0, 0.0, 0.0], "rotation": [0.0, 0.0, 0.0, 1.0], "scale": [1.0, 1.0, 1.0]}},
                {"name": "Body", "mesh": 0, "skin": 0},
            ],
            "meshes": [{"primitives": [
                {"attributes": attributes, "indices": 5, "material": 0},
                {"attributes": {"POSITION": 9, "JOINTS_0": 3, "WEIGHTS_0": 4}, "indices": 5, "material": 1, "mode": 4},
            ]}],
            "materials": [{"name": "Red"}, {"name": "Blue", "alphaMode": "MASK", "doubleSided": true}],
            "skins": [{"joints": [1, 2, 3], "inverseBindMatrices": 6}],
            "animations": [{"name": "Walk", "channels": [
                {"sampler": 0, "target": {"node": 1, "path": "translation"}},
                {"sampler": 1, "target": {"node": 2, "path": "rotation"}},
            ], "samplers": [{"input": 7, "output": 8}, {"input": 7, "output": 10, "interpolation": "LINEAR"}]}],
            "accessors": [
                of(positions, 5126, 4, "VEC3"), of(normals, 5126, 4, "VEC3"), of(uvs, 5126, 4, "VEC2"), of(joints, 5121, 4, "VEC4"),
                of(weights, 5126, 4, "VEC4"), of(indices, 5123, 6, "SCALAR"), of(inverse, 5126, 3, "MAT4"), of(times, 5126, 3, "SCALAR"),
                of(moved, 5126, 3, "VEC3"), other, of(turned, 5126, 3, "VEC4"),
            ],
            "bufferViews": views,
            "buffers": [{"byteLength": binary.len()}],
        });
        let mut places = Vec::new();
        let mut open = vec![(String::new(), &json)];
        while let Some((place, value)) = open.pop() {
            match value {
                Value::Array(list) => {
                    open.extend(list.iter().enumerate().map(|(index, own)| (format!("{place}/{index}"), own)));
                }
                Value::Object(keys) => open.extend(keys.iter().map(|(key, own)| (format!("{place}/{key}"), own))),
                _ => {}
            }
            places.push(place);
        }
        // The file as a whole is no place.
        places.retain(|place| !place.is_empty());
        places.sort();
        Self { json, binary, places }
    }
}
