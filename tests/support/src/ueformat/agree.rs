//! The library and the naive reader say the same about a file, down to the bits of every float.

use std::collections::BTreeSet;

use skelmap::archive::Limits;
use skelmap::ueformat::{self, Animation, Level, Model, Pose, VectorKey};
use skelmap::{Asset, Error};

use super::asset::{self, Content, Lod, Name, Skeleton};
use super::codes::{QUIRKS, of_error, of_file, text, trimmed};
use super::naive::{self, File};
use crate::with;

/// The largest body that is unpacked, so that no input takes long.
const MAX_UNPACKED: usize = 4 << 20;

/// The limits for any bytes.
pub fn limits() -> Limits {
    with(Limits::default(), |limits| limits.inflated = MAX_UNPACKED as u64)
}

/// The bytes that views read: those of a compressed file unpacked.
pub fn unpacked(bytes: &[u8]) -> Result<std::borrow::Cow<'_, [u8]>, Error> {
    Ok(ueformat::unpack(bytes, &limits())?.map_or(bytes.into(), Into::into))
}

/// Whatever the bytes are: what the library reads is what the naive reader reads.
pub fn agree(bytes: &[u8]) {
    let naive = naive::read_with(bytes, naive::Options { max_unpacked: MAX_UNPACKED, ..naive::Options::default() });
    if !naive::begins(bytes) {
        let Err(error) = naive else { panic!("the naive reader reads any beginning") };
        return match skelmap::Format::sniff(bytes) {
            Err(found) => same_error(bytes, found, &error),
            // A file of another family.
            Ok(format) => assert!(!format.code().starts_with("ueformat"), "{format}"),
        };
    }
    match (ueformat::unpack(bytes, &limits()), &naive) {
        (Ok(None), _) => same(bytes, naive),
        (Ok(Some(plain)), _) => {
            let own = naive::read(&plain);
            if let (Ok(packed), Ok(own)) = (&naive, &own) {
                assert!(flat(&packed.content, text) == flat(&own.content, text), "the unpacked file has other values");
            }
            let code = Asset::parse(bytes).map(|_| ()).unwrap_err().code();
            assert_eq!(code.name(), "compressed");
            assert!(ueformat::is_compressed(bytes) && !ueformat::is_compressed(&plain));
            same(&plain, own);
        }
        (Err(error), Err(expected)) => {
            let (found, expected) = (error.code().name(), of_error(bytes, expected));
            // Of compressed data, the two may meet different faults first; and of a header, an unknown compression or the sizes behind it.
            let packed = ["compressed-data", "unpacked-size", "unpacked-limit"];
            let is_same = found == expected.code
                || packed.contains(&found) && packed.contains(&expected.code)
                // A checksum, which the naive reader of zstd skips: what it meets then is in the body.
                || found == "compressed-data" && expected.section != "header"
                || packed.contains(&found) && expected.code == "compression"
                || [found, expected.code].contains(&"compression") && error.section().to_string() == "header";
            assert!(is_same, "{error}, {expected:?}");
        }
        (Err(error), Ok(_)) => {
            // A ratio of sizes that no real file has, and a checksum, which the naive reader of zstd skips.
            let code = error.code().name();
            assert!(["unpacked-limit", "compressed-data"].contains(&code), "{error}");
        }
    }
}

/// Errors of the first bytes and of the header come in the same order; those of a body do not, where it has several.
fn same_error(bytes: &[u8], error: Error, expected: &str) {
    let expected = of_error(bytes, expected);
    if matches!(expected.section.as_str(), "header" | "file") {
        let found = (error.code().name(), error.section().to_string(), error.offset());
        assert_eq!(found, (expected.code, expected.section, expected.offset), "{error}");
    }
    assert!(error.offset() <= bytes.len() as u64);
}

fn same(bytes: &[u8], naive: Result<File, String>) {
    match (Asset::parse(bytes), naive) {
        (Ok(found), Ok(expected)) => same_file(&found, &expected),
        (Err(error), Err(expected)) => same_error(bytes, error, &expected),
        (Err(error), Ok(expected)) => {
            // A name that is too long in the layout of bones that fits leaves none.
            let is_over = match error.code().name() {
                "too-many-records" => has_too_many(&expected.content),
                "name-length" | "bone-size" => longest_name(&expected) > 4096,
                _ => false,
            };
            assert!(is_over, "{error}");
        }
        (Ok(found), Err(expected)) => panic!("{:?} is read, but {expected}", found.format()),
    }
}

/// The length of the longest name of a file, which the library limits.
fn longest_name(file: &File) -> usize {
    let mut names = vec![&file.header.name];
    names.extend(&file.header.path);
    match &file.content {
        Content::Model(model) => {
            for lod in &model.lods {
                names.push(&lod.name);
                names.extend(lod.uvs.iter().map(|own| &own.name).chain(lod.colours.iter().map(|own| &own.name)));
                names.extend(lod.morphs.iter().map(|own| &own.name));
                names.extend(lod.materials.iter().flat_map(|own| [&own.name, &own.path]));
            }
            if let Some(skeleton) = &model.skeleton {
                names.push(&skeleton.path);
                names.extend(skeleton.bones.iter().map(|own| &own.name));
                names.extend(skeleton.sockets.iter().flat_map(|own| [&own.name, &own.bone]));
                names.extend(skeleton.virtual_bones.iter().flatten());
            }
            names.extend(model.hulls.iter().map(|own| &own.name));
        }
        Content::Animation(animation) => {
            names.extend(animation.metadata.iter().map(|own| &own.path));
            names.extend(animation.tracks.iter().map(|own| &own.name));
            names.extend(animation.curves.iter().map(|own| &own.name));
        }
        Content::Pose(pose) => {
            for own in &pose.poses {
                names.push(&own.name);
                names.extend(own.keys.iter().map(|own| &own.bone));
            }
            names.extend(&pose.curves);
        }
    }
    names.into_iter().map(Vec::len).max().unwrap_or(0)
}

/// Whether a file has more records than the library reads: 8,192 bones or tracks, 64 levels, 256 materials, 64 sets of UVs or colours, 16,384 of all else.
pub(super) fn has_too_many(content: &Content) -> bool {
    match content {
        Content::Model(model) => {
            let of_skeleton = |own: &Skeleton| {
                own.bones.len() > 8192 || own.sockets.len() > 16_384 || own.virtual_bones.len() > 16_384
            };
            let of_level = |own: &Lod| {
                own.materials.len() > 256 || own.uvs.len() > 64 || own.colours.len() > 64 || own.morphs.len() > 16_384
            };
            model.skeleton.as_ref().is_some_and(of_skeleton)
                || model.lods.len() > 64
                || model.lods.iter().any(of_level)
                || model.hulls.len() > 16_384
        }
        Content::Animation(animation) => animation.tracks.len() > 8192 || animation.curves.len() > 16_384,
        Content::Pose(pose) => {
            pose.poses.len() > 16_384
                || pose.curves.len() > 16_384
                || pose.poses.iter().any(|pose| pose.keys.len() > 8192)
        }
    }
}

fn same_file(found: &Asset<'_>, expected: &File) {
    let header = &expected.header;
    let path = header.path.clone().unwrap_or_default();
    let own = match found {
        Asset::UeformatModel(model) => {
            same_model(model, expected);
            (model.version(), model.name(), model.path(), Content::Model(of_model(model, expected)))
        }
        Asset::UeformatAnimation(own) => {
            same_animation(own, expected);
            (own.version(), own.name(), own.path(), Content::Animation(of_animation(own, expected)))
        }
        Asset::UeformatPose(pose) => {
            same_pose(pose, expected);
            (pose.version(), pose.name(), pose.path(), Content::Pose(of_pose(pose)))
        }
        other => panic!("{:?} is no UEFormat", other.format()),
    };
    let (version, name, own_path, content) = own;
    assert_eq!((version, name.as_bytes(), own_path.as_bytes()), (header.version, text(&header.name), text(&path)));
    assert!(
        flat(&content, |name| name) == flat(&expected.content, text),
        "{content:?}\nis not\n{:?}",
        expected.content
    );
    let mut codes: BTreeSet<&str> = found.quirks().map(|quirk| quirk.code.name()).collect();
    assert!(codes.iter().all(|code| QUIRKS.contains(code)), "{codes:?}");
    assert_eq!(codes.len(), found.quirks().count(), "each kind once");
    codes.extend(found.check().iter().map(|finding| finding.code.name()));
    let opinion = of_file(expected);
    assert_eq!(opinion.judged(&codes), opinion.must, "{:?}, {:#?}", naive::findings(expected), found.check());
}

#[expect(clippy::unnecessary_wraps, reason = "as the summary has it")]
fn count(length: usize) -> Option<u64> {
    Some(length as u64)
}

fn same_model(found: &Model<'_>, expected: &File) {
    let Content::Model(model) = &expected.content else { panic!("a model") };
    let bones = model.skeleton.as_ref().map_or(0, |skeleton| skeleton.bones.len());
    let lod = model.lods.first().cloned().unwrap_or_default();
    let summary = found.summary();
    let counts = (summary.bones, summary.points, summary.faces, summary.materials, summary.uv_sets);
    let faces = count(lod.indices.len() / 3);
    assert_eq!(
        counts,
        (count(bones), count(lod.vertices.len()), faces, count(lod.materials.len()), count(lod.uvs.len()))
    );
    assert_eq!((summary.wedges, summary.sequences, summary.frames, summary.duration_s), (None, None, None, None));
    assert_eq!((found.level_count(), found.levels().count()), (model.lods.len(), model.lods.len()));
    assert_eq!(found.first_level().is_some(), !model.lods.is_empty());
    assert_eq!((found.bone_count(), found.bones().len()), (bones, bones));
    if bones > 0 {
        assert_eq!(found.has_bone_scales(), expected.bone_size == Some(48));
    }
    // Where there is no skeleton, a path has nothing to lead to.
    if let Some(skeleton) = &model.skeleton {
        assert_eq!(found.skeleton_path().as_bytes(), text(&skeleton.path));
    }
}

/// The model as an asset.
fn of_model(found: &Model<'_>, expected: &File) -> asset::Model {
    let bones = found.bones().map(|bone| asset::Bone {
        name: bone.name.as_bytes().to_vec(),
        parent: bone.parent,
        position: bone.position,
        rotation: bone.rotation,
        scale: bone.scale.unwrap_or(asset::ONE),
    });
    let sockets = found.sockets().map(|socket| asset::Socket {
        name: socket.name.as_bytes().to_vec(),
        bone: socket.bone.as_bytes().to_vec(),
        position: socket.position,
        rotation: socket.rotation,
        scale: socket.scale,
    });
    let virtual_bones =
        found.virtual_bones().map(|own| [own.source, own.target, own.name].map(|name| name.as_bytes().to_vec()));
    let hulls = found.hulls().map(|hull| asset::Hull {
        name: hull.name.as_bytes().to_vec(),
        vertices: hull.vertices.iter().map(skelmap::Vec3::get).collect(),
        indices: hull.indices.iter().map(|own| own.get() as i32).collect(),
    });
    let Content::Model(model) = &expected.content else { panic!("a model") };
    let mut skeleton = asset::Skeleton { bones: bones.collect(), sockets: sockets.collect(), ..Default::default() };
    skeleton.virtual_bones = virtual_bones.collect();
    let has_skeleton = skeleton != asset::Skeleton::default() || model.skeleton.is_some();
    // Compared before.
    skeleton.path = model.skeleton.as_ref().map(|own| text(&own.path).to_vec()).unwrap_or_default();
    asset::Model {
        lods: found.levels().map(|level| of_level(&level, expected.header.version)).collect(),
        skeleton: has_skeleton.then_some(skeleton),
        hulls: hulls.collect(),
    }
}

fn of_level(level: &Level<'_>, version: u8) -> Lod {
    let name = |name: Option<skelmap::Text<'_>>| name.map(|name| name.as_bytes().to_vec()).unwrap_or_default();
    let signs = level.binormal_signs();
    assert_eq!(signs.len(), if version == 0 { 0 } else { level.normals().len() });
    let normals = level.normals().iter().enumerate().map(|(at, normal)| {
        let [x, y, z] = normal.get();
        [signs.get(at).map_or(0.0, skelmap::Float::get), x, y, z]
    });
    let uvs = level.uv_sets().map(|set| {
        assert_eq!(set.name.is_some(), version >= 10);
        asset::UvSet { name: name(set.name), uvs: set.uvs.iter().map(skelmap::Vec2::get).collect() }
    });
    let colours = level.color_sets().map(|set| {
        assert_eq!(set.name.is_some(), version >= 2);
        asset::ColourSet { name: name(set.name), colours: set.colors.to_vec() }
    });
    let materials = level.materials().map(|own| {
        assert_eq!(own.path.is_some(), version >= 6);
        asset::Material::new(own.name.as_bytes(), name(own.path), own.first_index, own.face_count)
    });
    let weights = level.influences().iter();
    let morphs = level.morphs().map(|morph| asset::Morph {
        name: name(Some(morph.name)),
        deltas: morph
            .deltas
            .iter()
            .map(|own| asset::Delta { position: own.position(), normal: own.normal(), vertex: own.vertex() })
            .collect(),
    });
    assert_eq!(
        (level.uv_sets().len(), level.color_sets().len()),
        (level.uv_sets().count(), level.color_sets().count())
    );
    assert_eq!((level.materials().len(), level.morphs().len()), (level.materials().count(), level.morphs().count()));
    Lod {
        name: name(Some(level.name())),
        vertices: level.positions().iter().map(skelmap::Vec3::get).collect(),
        normals: normals.collect(),
        tangents: level.tangents().iter().map(skelmap::Vec3::get).collect(),
        uvs: uvs.collect(),
        indices: level.indices().iter().map(skelmap::ueformat::Index::get).collect(),
        colours: colours.collect(),
        materials: materials.collect(),
        weights: weights
            .map(|own| asset::Weight { bone: own.bone(), vertex: own.vertex(), weight: own.weight() })
            .collect(),
        morphs: morphs.collect(),
    }
}

fn same_animation(found: &Animation<'_>, expected: &File) {
    let Content::Animation(animation) = &expected.content else { panic!("an animation") };
    let metadata = animation.metadata.clone().unwrap_or_default();
    let frames = usize::try_from(metadata.frame_count).unwrap_or(0).min(1 << 20);
    assert_eq!((found.declared_frame_count(), found.frame_count()), (metadata.frame_count, frames));
    let rate = Some(f64::from(metadata.rate)).filter(|rate| rate.is_finite() && *rate > 0.0);
    assert_eq!((found.stored_rate().to_bits(), found.rate()), (metadata.rate.to_bits(), rate));
    assert_eq!(found.track_count(), animation.tracks.len());
    let summary = found.summary();
    let counts = (summary.bones, summary.sequences, summary.frames);
    assert_eq!(counts, (count(animation.tracks.len()), Some(1), count(frames)));
    assert_eq!(summary.duration_s, Some(rate.map_or(0.0, |rate| frames as f64 / rate)));
    let skeleton = found.skeleton();
    for (index, track) in animation.tracks.iter().enumerate() {
        assert_eq!(
            skeleton.name(index).map(|name| name.as_bytes().to_vec()),
            Some(trimmed(text(&track.name)).to_vec())
        );
    }
}

fn of_animation(found: &Animation<'_>, expected: &File) -> asset::Animation {
    let vectors = |keys: &[VectorKey]| keys.iter().map(|key| (key.frame(), key.value())).collect();
    let tracks = found.tracks().map(|track| asset::Track {
        name: track.name.as_bytes().to_vec(),
        positions: vectors(track.positions),
        rotations: track.rotations.iter().map(|key| (key.frame(), key.value())).collect(),
        scales: vectors(track.scales),
    });
    let curves = found.curves().map(|curve| asset::Curve {
        name: curve.name.as_bytes().to_vec(),
        keys: curve.keys.iter().map(|key| (key.frame(), key.value())).collect(),
    });
    let metadata = asset::Metadata {
        frame_count: found.declared_frame_count(),
        rate: found.stored_rate(),
        path: found.base_path().as_bytes().to_vec(),
        additive: found.additive_type(),
        base: found.base_type(),
        base_frame: found.base_frame(),
    };
    let is_there = matches!(&expected.content, Content::Animation(own) if own.metadata.is_some());
    assert!(is_there || metadata == asset::Metadata::default());
    asset::Animation { metadata: is_there.then_some(metadata), tracks: tracks.collect(), curves: curves.collect() }
}

fn same_pose(found: &Pose<'_>, expected: &File) {
    let Content::Pose(pose) = &expected.content else { panic!("poses") };
    let most = pose.poses.iter().map(|pose| pose.keys.len()).max().unwrap_or(0);
    let poses = pose.poses.len();
    let summary = found.summary();
    assert_eq!((summary.bones, summary.sequences, summary.frames), (count(most), count(poses), count(poses)));
    assert_eq!((found.pose_count(), found.poses().len(), found.curves().len()), (poses, poses, pose.curves.len()));
    assert_eq!(found.clips().count(), poses);
}

fn of_pose(found: &Pose<'_>) -> asset::Pose {
    let name = |name: skelmap::Text<'_>| -> Name { name.as_bytes().to_vec() };
    let poses = found.poses().map(|pose| asset::NamedPose {
        name: name(pose.name()),
        keys: pose
            .bones()
            .map(|bone| asset::PoseKey {
                bone: name(bone.name),
                position: bone.position,
                rotation: bone.rotation,
                scale: bone.scale,
            })
            .collect(),
        influences: pose.influences().iter().map(|own| (own.curve(), own.influence())).collect(),
    });
    asset::Pose { poses: poses.collect(), curves: found.curves().map(name).collect() }
}

/// All values of a file one after the other, floats as their bits; and the names as they are, or without the zero bytes at their end.
struct Flat(Vec<u8>, fn(&[u8]) -> &[u8]);

impl Flat {
    fn int(&mut self, value: impl Into<i64>) -> &mut Self {
        self.0.extend(value.into().to_le_bytes());
        self
    }

    fn floats(&mut self, values: &[f32]) -> &mut Self {
        self.0.extend(values.iter().flat_map(|value| value.to_bits().to_le_bytes()));
        self
    }

    fn name(&mut self, name: &[u8]) -> &mut Self {
        let name = self.1(name);
        self.int(name.len() as i64).0.extend(name);
        self
    }

    fn all<T>(&mut self, values: &[T], mut each: impl FnMut(&mut Self, &T)) -> &mut Self {
        self.int(values.len() as i64);
        for value in values {
            each(self, value);
        }
        self
    }
}

fn flat(content: &Content, name: fn(&[u8]) -> &[u8]) -> Vec<u8> {
    let mut out = Flat(Vec::new(), name);
    match content {
        Content::Model(model) => flat_model(&mut out, model),
        Content::Animation(own) => flat_animation(&mut out, own),
        Content::Pose(own) => {
            out.all(&own.poses, |out, pose| {
                out.name(&pose.name).all(&pose.keys, |out, key| {
                    out.name(&key.bone).floats(&key.position).floats(&key.rotation).floats(&key.scale);
                });
                out.all(&pose.influences, |out, (curve, value)| {
                    out.int(*curve).floats(&[*value]);
                });
            });
            out.all(&own.curves, |out, name| {
                out.name(name);
            });
        }
    }
    out.0
}

fn flat_model(out: &mut Flat, model: &asset::Model) {
    out.all(&model.lods, |out, lod| {
        out.name(&lod.name).floats(lod.vertices.as_flattened()).int(lod.vertices.len() as i64);
        out.floats(lod.normals.as_flattened()).int(lod.normals.len() as i64);
        out.floats(lod.tangents.as_flattened()).int(lod.tangents.len() as i64);
        out.all(&lod.uvs, |out, set| {
            out.name(&set.name).floats(set.uvs.as_flattened()).int(set.uvs.len() as i64);
        });
        out.all(&lod.indices, |out, index| {
            out.int(*index);
        });
        out.all(&lod.colours, |out, set| {
            out.name(&set.name).all(&set.colours, |out, own| out.0.extend(own));
        });
        out.all(&lod.materials, |out, own| {
            out.name(&own.name).name(&own.path).int(own.first_index).int(own.face_count);
        });
        out.all(&lod.weights, |out, own| {
            out.int(own.bone).int(own.vertex).floats(&[own.weight]);
        });
        out.all(&lod.morphs, |out, own| {
            out.name(&own.name).all(&own.deltas, |out, own| {
                out.floats(&own.position).floats(&own.normal).int(own.vertex);
            });
        });
    });
    out.int(model.skeleton.is_some());
    if let Some(own) = &model.skeleton {
        out.name(&own.path).all(&own.bones, |out, own| {
            out.name(&own.name).int(own.parent).floats(&own.position).floats(&own.rotation).floats(&own.scale);
        });
        out.all(&own.sockets, |out, own| {
            out.name(&own.name).name(&own.bone).floats(&own.position).floats(&own.rotation).floats(&own.scale);
        });
        out.all(&own.virtual_bones, |out, names| {
            for name in names {
                out.name(name);
            }
        });
    }
    out.all(&model.hulls, |out, own| {
        out.name(&own.name).floats(own.vertices.as_flattened()).int(own.vertices.len() as i64);
        out.all(&own.indices, |out, index| {
            out.int(*index);
        });
    });
}

fn flat_animation(out: &mut Flat, animation: &asset::Animation) {
    out.int(animation.metadata.is_some());
    if let Some(own) = &animation.metadata {
        out.int(own.frame_count).floats(&[own.rate]).name(&own.path);
        out.int(own.additive).int(own.base).int(own.base_frame);
    }
    out.all(&animation.tracks, |out, own| {
        out.name(&own.name).all(&own.positions, |out, (frame, value)| {
            out.int(*frame).floats(value);
        });
        out.all(&own.rotations, |out, (frame, value)| {
            out.int(*frame).floats(value);
        });
        out.all(&own.scales, |out, (frame, value)| {
            out.int(*frame).floats(value);
        });
    });
    out.all(&animation.curves, |out, own| {
        out.name(&own.name).all(&own.keys, |out, (frame, value)| {
            out.int(*frame).floats(&[*value]);
        });
    });
}
