//! The road back, against what the game's own converter made of the same scenes, found through `SKELMAP_SAMPLES`.

mod compare;
mod release;
mod scenes;

/// Each value of the template of the fuzz target is replaced by each of 60 values, alone and with its neighbour.
#[test]
fn each_lie_in_a_gltf_is_a_value_or_an_error() {
    // As it is, the template has a mesh of two materials with all that a mesh can have, and an animation.
    let template = exhaustive::road::changed(&[]);
    let gltf = skelmap_write::Gltf::parse(&template).unwrap();
    let model = gltf.to_model(None).unwrap();
    // In a file of this project, its extras tell attachments: `prop-head` has them, `prop-hand` has not.
    assert_eq!((model.joints.len(), model.materials.len(), model.attachments.len()), (3, 2, 1));
    assert!(gltf.clip(0, None).unwrap().is_some());
    // In a file of another program, names tell them.
    let mut foreign = template;
    let at = foreign.windows(13).position(|text| text == b"skelmap 0.1.0").unwrap();
    foreign[at..at + 7].copy_from_slice(b"another");
    assert_eq!(skelmap_write::Gltf::parse(&foreign).unwrap().to_model(None).unwrap().attachments.len(), 2);
    for place in 0..=u8::MAX {
        for value in 0..60 {
            exhaustive::road::from_gltf(&[1, place, value]);
            exhaustive::road::from_gltf(&[2, place, value, place.wrapping_add(1), value]);
        }
    }
}
