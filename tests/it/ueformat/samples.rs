//! The samples, found through `SKELMAP_SAMPLES`; without it these tests say so and pass.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use flate2::Crc;
use serde_json::{Value, json};

use skelmap::archive::Limits;
use skelmap::{Asset, ueformat};

use test_support::ueformat::agree::agree;
use test_support::ueformat::asset::{Animation, Content, Hull, Lod, Model, Name, Pose, Skeleton};
use test_support::ueformat::naive::{self, File, Kind};

fn folder() -> Option<PathBuf> {
    test_support::corpus::samples("ueformat").filter(|folder| folder.is_dir())
}

/// The files of a folder with these extensions, without those of its folders.
fn files(folder: &Path) -> Vec<PathBuf> {
    let found = test_support::corpus::below(folder, &["uemodel", "ueanim", "uepose"]);
    found.into_iter().filter(|path| path.parent() == Some(folder)).collect()
}

/// Rows of little-endian numbers: how many, the CRC-32 of their bytes, the first and the last.
fn column<T, const N: usize>(rows: &[[T; N]], bytes: impl Fn(&T) -> Vec<u8>, number: impl Fn(&T) -> Value) -> Value {
    let mut crc = Crc::new();
    rows.as_flattened().iter().for_each(|value| crc.update(&bytes(value)));
    let mut own = json!({ "count": rows.len(), "crc32": crc.sum() });
    if let (Some(first), Some(last)) = (rows.first(), rows.last()) {
        own["first"] = first.iter().map(&number).collect();
        own["last"] = last.iter().map(&number).collect();
    }
    own
}

fn floats<const N: usize>(rows: &[[f32; N]]) -> Value {
    column(rows, |value| value.to_le_bytes().to_vec(), |value| json!(f64::from(*value)))
}

fn unsigned(values: impl IntoIterator<Item = u32>) -> Value {
    let rows: Vec<[u32; 1]> = values.into_iter().map(|value| [value]).collect();
    column(&rows, |value| value.to_le_bytes().to_vec(), |value| json!(*value))
}

fn signed(values: impl IntoIterator<Item = i32>) -> Value {
    let rows: Vec<[i32; 1]> = values.into_iter().map(|value| [value]).collect();
    column(&rows, |value| value.to_le_bytes().to_vec(), |value| json!(*value))
}

fn text(name: &Name) -> Value {
    String::from_utf8_lossy(name).into()
}

fn named(name: Value, mut column: Value) -> Value {
    column["name"] = name;
    column
}

fn facts(file: &File) -> Value {
    let header = &file.header;
    let kind = match header.kind {
        Kind::Model => "UEMODEL",
        Kind::Animation => "UEANIM",
        Kind::Pose => "UEPOSE",
    };
    json!({
        "identifier": kind,
        "version": header.version,
        "object_name": text(&header.name),
        "object_path": header.path.as_ref().map(text),
        "compression": header.compression.as_ref().map_or("".into(), text),
        "content": match &file.content {
            Content::Model(model) => of_model(model, file),
            Content::Animation(animation) => of_animation(animation),
            Content::Pose(pose) => of_pose(pose),
        },
    })
}

fn of_model(model: &Model, file: &File) -> Value {
    json!({
        "lods": model.lods.iter().map(|lod| of_lod(lod, file.header.version)).collect::<Value>(),
        "skeleton": model.skeleton.as_ref().map(|skeleton| of_skeleton(skeleton, file)),
        "collision": model.hulls.iter().map(|Hull { name, vertices, indices }| json!({
            "name": text(name), "vertices": floats(vertices), "indices": signed(indices.iter().copied()),
        })).collect::<Value>(),
    })
}

fn of_lod(lod: &Lod, version: u8) -> Value {
    // A level before version 4 has no name of its own.
    let name = if version < 4 { "LOD0".into() } else { text(&lod.name) };
    let normals = if version == 0 {
        let rows: Vec<[f32; 3]> = lod.normals.iter().map(|[_, x, y, z]| [*x, *y, *z]).collect();
        floats(&rows)
    } else {
        floats(&lod.normals)
    };
    let uv_name = |name: &Name| if version < 10 { Value::Null } else { text(name) };
    let colour_name = |name: &Name| if version < 2 { Value::Null } else { text(name) };
    let uvs = lod.uvs.iter().map(|set| named(uv_name(&set.name), floats(&set.uvs)));
    let colours = lod
        .colours
        .iter()
        .map(|set| named(colour_name(&set.name), column(&set.colours, |value| vec![*value], |value| json!(*value))));
    let materials = lod.materials.iter().map(|material| {
        json!({
            "name": text(&material.name),
            "path": if version < 6 { Value::Null } else { text(&material.path) },
            "first_index": material.first_index,
            "num_faces": material.face_count,
        })
    });
    let mut per_vertex: BTreeMap<i32, usize> = BTreeMap::new();
    lod.weights.iter().for_each(|weight| *per_vertex.entry(weight.vertex).or_default() += 1);
    let bones: Vec<[u16; 1]> = lod.weights.iter().map(|weight| [weight.bone]).collect();
    let weights: Vec<[f32; 1]> = lod.weights.iter().map(|weight| [weight.weight]).collect();
    let morphs = lod.morphs.iter().map(|morph| {
        let positions: Vec<[f32; 3]> = morph.deltas.iter().map(|delta| delta.position).collect();
        let normals: Vec<[f32; 3]> = morph.deltas.iter().map(|delta| delta.normal).collect();
        json!({
            "name": text(&morph.name),
            "positions": floats(&positions),
            "normals": floats(&normals),
            "vertices": unsigned(morph.deltas.iter().map(|delta| delta.vertex)),
        })
    });
    json!({
        "name": name,
        "vertices": floats(&lod.vertices),
        "normals": normals,
        "tangents": floats(&lod.tangents),
        "uvs": uvs.collect::<Value>(),
        "indices": unsigned(lod.indices.iter().copied()),
        "colors": colours.collect::<Value>(),
        "materials": materials.collect::<Value>(),
        "weights": {
            "bones": column(&bones, |value| value.to_le_bytes().to_vec(), |value| json!(*value)),
            "vertices": signed(lod.weights.iter().map(|weight| weight.vertex)),
            "weights": floats(&weights),
            "most_per_vertex": per_vertex.values().max().copied().unwrap_or_default(),
        },
        "morphs": morphs.collect::<Value>(),
    })
}

fn of_skeleton(skeleton: &Skeleton, file: &File) -> Value {
    let has_path = file.header.version >= 7;
    let positions: Vec<[f32; 3]> = skeleton.bones.iter().map(|bone| bone.position).collect();
    let rotations: Vec<[f32; 4]> = skeleton.bones.iter().map(|bone| bone.rotation).collect();
    let sockets = skeleton.sockets.iter().map(|socket| {
        let values = [socket.position.as_slice(), &socket.rotation, &socket.scale].concat();
        let values: Value = values.into_iter().map(f64::from).collect();
        json!({ "name": text(&socket.name), "bone": text(&socket.bone), "values": values })
    });
    let mut own = json!({
        "path": has_path.then(|| text(&skeleton.path)),
        "names": skeleton.bones.iter().map(|bone| text(&bone.name)).collect::<Value>(),
        "parents": skeleton.bones.iter().map(|bone| bone.parent).collect::<Value>(),
        "positions": floats(&positions),
        "rotations": floats(&rotations),
        "sockets": sockets.collect::<Value>(),
        "virtual_bones": skeleton.virtual_bones.iter().map(|names| names.iter().map(text).collect::<Value>()).collect::<Value>(),
    });
    if file.bone_size == Some(48) {
        let scales: Vec<[f32; 3]> = skeleton.bones.iter().map(|bone| bone.scale).collect();
        own["scales"] = floats(&scales);
    }
    own
}

fn keys<const N: usize>(keys: &[(i32, [f32; N])]) -> Value {
    let values: Vec<[f32; N]> = keys.iter().map(|(_, value)| *value).collect();
    json!({ "frames": signed(keys.iter().map(|(frame, _)| *frame)), "values": floats(&values) })
}

fn of_animation(animation: &Animation) -> Value {
    let metadata = animation.metadata.clone().unwrap();
    let tracks = animation.tracks.iter().map(|track| {
        json!({
            "name": text(&track.name),
            "positions": keys(&track.positions),
            "rotations": keys(&track.rotations),
            "scales": keys(&track.scales),
        })
    });
    let curves = animation.curves.iter().map(|curve| {
        let values: Vec<(i32, [f32; 1])> = curve.keys.iter().map(|(frame, value)| (*frame, [*value])).collect();
        named(text(&curve.name), keys(&values))
    });
    json!({
        "num_frames": metadata.frame_count,
        "fps": f64::from(metadata.rate),
        "ref_pose_path": text(&metadata.path),
        "additive": metadata.additive,
        "ref_pose_type": metadata.base,
        "ref_frame": metadata.base_frame,
        "tracks": tracks.collect::<Value>(),
        "curves": curves.collect::<Value>(),
    })
}

fn of_pose(pose: &Pose) -> Value {
    let poses = pose.poses.iter().map(|pose| {
        let rows = pose.keys.iter().map(|key| {
            let mut row = [0.0; 10];
            row[..3].copy_from_slice(&key.position);
            row[3..7].copy_from_slice(&key.rotation);
            row[7..].copy_from_slice(&key.scale);
            row
        });
        let rows: Vec<[f32; 10]> = rows.collect();
        let influences: Vec<[f32; 1]> = pose.influences.iter().map(|(_, influence)| [*influence]).collect();
        json!({
            "name": text(&pose.name),
            "bones": pose.keys.iter().map(|key| text(&key.bone)).collect::<Value>(),
            "values": floats(&rows),
            "curve_indices": signed(pose.influences.iter().map(|(curve, _)| *curve)),
            "influences": floats(&influences),
        })
    });
    json!({ "poses": poses.collect::<Value>(), "curves": pose.curves.iter().map(text).collect::<Value>() })
}

/// Compares part by part, so that a difference is not shown as two long texts.
fn same(path: &str, found: &Value, expected: &Value) {
    match (found, expected) {
        (Value::Object(found), Value::Object(expected)) => {
            let names = |map: &serde_json::Map<String, Value>| map.keys().cloned().collect::<Vec<_>>();
            assert_eq!(names(found), names(expected), "{path}");
            found.iter().for_each(|(name, found)| same(&format!("{path}/{name}"), found, &expected[name]));
        }
        (Value::Array(found), Value::Array(expected)) => {
            assert_eq!(found.len(), expected.len(), "{path}");
            for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
                same(&format!("{path}#{at}"), found, expected);
            }
        }
        (Value::Number(found), Value::Number(expected)) => {
            let is_float = found.is_f64() || expected.is_f64();
            let (found, expected) = (found.as_f64().unwrap(), expected.as_f64().unwrap());
            // The last bit of a decimal fraction may be lost where it is parsed.
            assert!(found == expected || is_float && found as f32 == expected as f32, "{path}: {found}, {expected}");
        }
        _ => assert_eq!(found, expected, "{path}"),
    }
}

#[test]
fn both_readers_find_what_every_sample_was_made_of() {
    let Some(folder) = folder() else { return };
    let mut read = 0;
    for path in files(&folder) {
        let bytes = fs::read(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let expected = fs::read_to_string(folder.join(format!("{name}.expected.json"))).unwrap();
        let expected: Value = serde_json::from_str(&expected).unwrap();
        // The library reads what both readers agree on; of zstd, it unpacks what the naive reader cannot.
        agree(&bytes);
        let plain = ueformat::unpack(&bytes, &Limits::default()).unwrap().unwrap_or_else(|| bytes.clone());
        let mut file = naive::read(&plain).unwrap_or_else(|error| panic!("{name}: {error}"));
        file.header = naive::header(&bytes).unwrap();
        let mut facts = facts(&file);
        // The expected values have no path; the reference (3.4) says that the path in the root is that of the skeleton.
        if name == "slurp_v8_root_metadata.uemodel" {
            let path = facts["content"]["skeleton"]["path"].take();
            assert_eq!(path, "/Game/Skeletons/Slurp_Monster_Axe_LOD0");
            assert!(naive::words(&file).contains("metadata-in-root"));
        }
        for part in facts.as_object().unwrap().keys() {
            same(&format!("{name}: {part}"), &facts[part], &expected[part]);
        }
        println!("{name}: {:?}", naive::findings(&file));
        read += 1;
    }
    assert!(read >= 40, "{read} samples");
}

/// The table of the reference, section 12: the code of the error and the section in the naive reader, or codes and words of what is odd in it
/// and not in the sound file.
type Verdict = Result<(&'static [&'static str], &'static [&'static str]), (&'static [&'static str], &'static str)>;

const DAMAGED: &[(&str, Verdict)] = &[
    ("01_magic.uemodel", Err((&["unknown-format"], "header"))),
    ("02_empty.uemodel", Err((&["empty"], "header"))),
    ("03_header_cut.uemodel", Err((&["truncated"], "header"))),
    ("04_identifier.uemodel", Err((&["unsupported-format"], "header"))),
    ("05_version_11.uemodel", Err((&["version"], "header"))),
    ("06_name_length_negative.uemodel", Err((&["negative-size"], "header"))),
    ("07_name_length_huge.uemodel", Err((&["truncated"], "header"))),
    ("08_body_cut.uemodel", Err((&["truncated"], "LODS"))),
    ("09_set_count_negative.uemodel", Err((&["negative-count"], "root"))),
    ("10_set_count_huge.uemodel", Err((&["truncated"], "root"))),
    ("11_byte_size_short.uemodel", Err((&["section-end"], "LODS/0"))),
    // The rest is read as a header, whatever it is.
    ("12_byte_size_long.uemodel", Err((&["section-end", "negative-size"], "LODS/0"))),
    ("13_byte_size_negative.uemodel", Err((&["negative-size"], "LODS/0/VERTICES"))),
    ("14_array_count_negative.uemodel", Err((&["negative-count"], "LODS/0/INDICES"))),
    ("15_array_count_overflow.uemodel", Err((&["section-end"], "LODS/0/NORMALS"))),
    ("16_index_out_of_range.uemodel", Ok((&["face-vertex"], &["face-vertex"]))),
    ("17_weight_out_of_range.uemodel", Ok((&["weight-bone", "weight-vertex"], &["weight-bone", "weight-vertex"]))),
    // Bone 5 is its own parent, which the library reads as a root.
    ("18_parent_cycle.uemodel", Ok((&["bone-parent"], &["parent-cycle"]))),
    ("19_material_range.uemodel", Ok((&["material-range"], &["material-range"]))),
    ("20_key_count_negative.ueanim", Err((&["negative-count"], "TRACKS#0"))),
    ("21_key_count_huge.ueanim", Err((&["section-end"], "TRACKS#0"))),
    ("22_num_frames_negative.ueanim", Ok((&["frames-negative"], &["frame-count"]))),
    ("23_num_frames_huge.ueanim", Ok((&["frames-unlikely"], &["frame-count"]))),
    ("24_fps_nan.ueanim", Ok((&["additive-type", "sequence-rate"], &["additive", "base-pose", "frame-rate"]))),
    ("25_zstd_cut.uemodel", Err((&["truncated"], "body"))),
    ("26_zstd_size_lie.uemodel", Err((&["unpacked-size"], "body"))),
    ("27_zstd_bomb.uemodel", Err((&["unpacked-limit"], "body"))),
    ("28_zstd_hidden_bomb.uemodel", Err((&["unpacked-size"], "body"))),
    ("29_gzip_crc.uemodel", Err((&["compressed-data"], "body"))),
    ("30_gzip_as_zstd.uemodel", Err((&["compressed-data"], "body"))),
    ("31_oodle.uemodel", Err((&["compression"], "body"))),
    ("32_uncompressed_size_negative.uemodel", Err((&["negative-size"], "header"))),
    ("33_trailing.uemodel", Ok((&["trailing-bytes"], &["trailing-bytes"]))),
    ("34_trailing_zstd.uemodel", Ok((&["trailing-bytes"], &["trailing-bytes"]))),
    ("35_v4_lod_size.uemodel", Err((&["section-end"], "LODS"))),
    ("36_v9_tail.uemodel", Err((&["truncated"], "root"))),
    ("37_name_not_utf8.uemodel", Ok((&["name-encoding"], &["name-encoding"]))),
    ("38_duplicate_attribute.uemodel", Ok((&["duplicate-section"], &["section-twice"]))),
    ("39_nested.uemodel", Ok((&["unknown-section"], &["section-unknown"]))),
    ("40_pose_curve_index.uepose", Ok((&["pose-curve"], &["pose-curve"]))),
    ("41_skip_back.uemodel", Err((&["negative-size"], ""))),
    ("42_amplify.uemodel", Err((&["section-end", "records-overrun"], "LODS"))),
];

/// What the library says: an error, or the codes of quirks and findings.
fn told(bytes: &[u8]) -> Result<Vec<&'static str>, &'static str> {
    let code = |error: skelmap::Error| error.code().name();
    let plain = ueformat::unpack(bytes, &Limits::default()).map_err(code)?;
    let asset = Asset::parse(plain.as_deref().unwrap_or(bytes)).map_err(code)?;
    let quirks = asset.quirks().map(|quirk| quirk.code.name());
    Ok(quirks.chain(asset.check().iter().map(|finding| finding.code.name())).collect())
}

#[test]
fn both_readers_judge_damaged_samples_as_the_reference_does() {
    let Some(folder) = folder() else { return };
    let damaged = folder.join("damaged");
    let mut judged = 0;
    for path in files(&damaged) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let (_, expected) = DAMAGED.iter().find(|(file, _)| *file == name).unwrap_or_else(|| panic!("{name} is new"));
        let bytes = fs::read(&path).unwrap();
        agree(&bytes);
        match (told(&bytes), expected) {
            (Ok(found), Ok((codes, _))) => {
                assert!(codes.iter().all(|code| found.contains(code)), "{name}: {codes:?} and {found:?}");
            }
            (Err(found), Err((codes, _))) => assert!(codes.contains(&found), "{name}: {found}"),
            (found, _) => panic!("{name}: {found:?}"),
        }
        judged += 1;
        match (naive::read(&bytes), expected) {
            (Ok(file), Ok((_, words))) => {
                let found = naive::words(&file);
                assert!(words.iter().all(|word| found.contains(word)), "{name}: {words:?} and {found:?}");
            }
            (Err(error), Err((_, section))) => assert!(error.starts_with(section), "{name}: {error}"),
            // The naive reader unpacks frames without compression only.
            (Err(error), Ok(_)) => assert!(error.contains("cannot unpack"), "{name}: {error}"),
            (found, _) => panic!("{name}: {:?}", found.map(|file| file.odd)),
        }
    }
    assert!(judged >= 36, "{judged} damaged samples");
}
