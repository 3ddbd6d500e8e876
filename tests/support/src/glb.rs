//! Another reader of GLB, and a second evaluation: nodes, animations and skins, in 4x4 matrices of `f64`.

use gltf::accessor::DataType;
use gltf::animation::util::ReadOutputs;
use gltf::{Document, Gltf, Semantic};

pub type Matrix = [[f64; 4]; 4];

/// A file that the `gltf` crate has validated.
pub struct File {
    document: Document,
    binary: Vec<u8>,
}

#[derive(Clone, Copy)]
struct Local {
    translation: [f64; 3],
    rotation: [f64; 4],
    scale: [f64; 3],
}

impl File {
    pub fn read(bytes: &[u8]) -> Self {
        // That reader refuses the extension, which only allows other types of components.
        let required = br#""extensionsRequired":["KHR_mesh_quantization"],"#;
        let mut bytes = bytes.to_vec();
        if let Some(place) = bytes.windows(required.len()).take(1 << 12).position(|own| own == required) {
            bytes[place..place + required.len()].fill(b' ');
        }
        let Gltf { document, blob } = Gltf::from_slice(&bytes).expect("a file that another reader accepts");
        Self { document, binary: blob.unwrap_or_default() }
    }

    fn reader<'a>(&'a self) -> impl Fn(gltf::Buffer<'_>) -> Option<&'a [u8]> + Clone {
        |_| Some(self.binary.as_slice())
    }

    /// The vectors of an attribute, of any type of component.
    fn vectors(&self, primitive: &gltf::Primitive<'_>, semantic: &Semantic) -> Vec<[f64; 3]> {
        let accessor = primitive.get(semantic).unwrap();
        let view = accessor.view().unwrap();
        let size = accessor.size() / 3;
        let stride = view.stride().unwrap_or(size * 3);
        let start = view.offset() + accessor.offset();
        let component = |place: usize| {
            let bytes = &self.binary[place..place + size];
            let (value, most) = match accessor.data_type() {
                DataType::F32 => (f64::from(f32::from_le_bytes(bytes.try_into().unwrap())), 1.0),
                DataType::I16 => (f64::from(i16::from_le_bytes(bytes.try_into().unwrap())), 32767.0),
                DataType::I8 => (f64::from(i8::from_le_bytes(bytes.try_into().unwrap())), 127.0),
                other => panic!("{other:?} of {semantic:?}"),
            };
            if accessor.normalized() { (value / most).max(-1.0) } else { value }
        };
        let vector = |index: usize| std::array::from_fn(|axis| component(start + index * stride + axis * size));
        (0..accessor.count()).map(vector).collect()
    }

    /// All values are finite, all indices in range, all weights of a vertex add up to 1, all times ascend.
    pub fn check(&self) {
        for node in self.document.nodes() {
            let (translation, rotation, scale) = node.transform().decomposed();
            assert!(translation.iter().chain(&rotation).chain(&scale).all(|value| value.is_finite()));
            assert!((rotation.iter().map(|part| part * part).sum::<f32>() - 1.0).abs() < 1e-4, "{rotation:?}");
            assert!(rotation.iter().all(|part| part.abs() <= 1.0), "{rotation:?}");
        }
        for skin in self.document.skins() {
            let inverse = skin.reader(self.reader()).read_inverse_bind_matrices().unwrap();
            assert!(inverse.flatten().flatten().all(f32::is_finite));
        }
        let placed = self.document.nodes().filter_map(|node| Some((node.mesh()?, node.skin())));
        let primitives = placed.flat_map(|(mesh, skin)| mesh.primitives().map(move |own| (own, skin.clone())));
        for (primitive, skin) in primitives.collect::<Vec<_>>() {
            let reader = primitive.reader(self.reader());
            let positions = self.vectors(&primitive, &Semantic::Positions);
            assert!(positions.iter().flatten().all(|value| value.is_finite()));
            let normals = self.vectors(&primitive, &Semantic::Normals);
            // As near to 1 as 8 bits allow, in a file with small numbers.
            let near = if self.document.extensions_used().next().is_some() { 2e-2 } else { 1e-4 };
            assert!(normals.iter().all(|[x, y, z]| (x * x + y * y + z * z - 1.0).abs() < near));
            assert!(reader.read_indices().unwrap().into_u32().all(|index| (index as usize) < positions.len()));
            let joints = skin.map_or(0, |skin| skin.joints().count());
            let sets =
                primitive.attributes().filter(|(semantic, _)| matches!(semantic, Semantic::Weights(_))).count() as u32;
            let mut sums = vec![0.0_f32; positions.len()];
            for set in 0..sets {
                assert!(reader.read_joints(set).unwrap().into_u16().flatten().all(|joint| usize::from(joint) < joints));
                let weights = reader.read_weights(set).unwrap().into_f32().flatten();
                let mut rows = reader.read_joints(set).unwrap().into_u16().flatten().zip(weights);
                assert!(rows.all(|(joint, weight)| joint == 0 || weight > 0.0), "a joint without a weight");
                for (sum, weights) in sums.iter_mut().zip(reader.read_weights(set).unwrap().into_f32()) {
                    *sum += weights.iter().sum::<f32>();
                }
            }
            assert!(sets == 0 || sums.iter().all(|sum| (sum - 1.0).abs() < 1e-5));
        }
        for channel in self.document.animations().flat_map(|animation| animation.channels().collect::<Vec<_>>()) {
            let times: Vec<f32> = channel.reader(self.reader()).read_inputs().unwrap().collect();
            assert!(times.is_sorted_by(|one, other| one < other) && times.iter().all(|time| time.is_finite()));
            let mut values: Vec<f32> = Vec::new();
            let is_rotation = channel.target().property() == gltf::animation::Property::Rotation;
            match channel.reader(self.reader()).read_outputs().unwrap() {
                ReadOutputs::Translations(own) => own.for_each(|value| values.extend(value)),
                ReadOutputs::Rotations(own) => own.into_f32().for_each(|value| values.extend(value)),
                ReadOutputs::Scales(own) => own.for_each(|value| values.extend(value)),
                ReadOutputs::MorphTargetWeights(_) => panic!("no clip moves a morph target"),
            }
            assert!(values.iter().all(|value| value.is_finite()));
            let parts = if is_rotation { 4 } else { 3 };
            assert_eq!(values.len(), times.len() * parts);
            let is_unit = |value: &[f32]| (value.iter().map(|part| part * part).sum::<f32>() - 1.0).abs() < 1e-3;
            assert!(!is_rotation || values.chunks(4).all(is_unit));
        }
    }

    /// The transforms of all nodes, at rest or at a time of an animation.
    fn locals(&self, pose: Option<(usize, f64)>) -> Vec<Local> {
        let mut locals: Vec<Local> = self
            .document
            .nodes()
            .map(|node| {
                let (translation, rotation, scale) = node.transform().decomposed();
                Local {
                    translation: translation.map(f64::from),
                    rotation: rotation.map(f64::from),
                    scale: scale.map(f64::from),
                }
            })
            .collect();
        let Some((animation, seconds)) = pose else { return locals };
        for channel in self.document.animations().nth(animation).unwrap().channels() {
            let reader = channel.reader(self.reader());
            let times: Vec<f32> = reader.read_inputs().unwrap().collect();
            let next = times.partition_point(|time| f64::from(*time) <= seconds + 1e-6).min(times.len() - 1);
            let keys = [next.saturating_sub(1), next];
            let [before, after] = keys.map(|key| f64::from(times[key]));
            let between = if after > before { ((seconds - before) / (after - before)).clamp(0.0, 1.0) } else { 1.0 };
            let local = &mut locals[channel.target().node().index()];
            match reader.read_outputs().unwrap() {
                ReadOutputs::Translations(own) => local.translation = mixed(&own.collect::<Vec<_>>(), keys, between),
                ReadOutputs::Scales(own) => local.scale = mixed(&own.collect::<Vec<_>>(), keys, between),
                ReadOutputs::Rotations(own) => {
                    let own: Vec<_> = own.into_f32().collect();
                    local.rotation = on_sphere(keys.map(|key| own[key].map(f64::from)), between);
                }
                ReadOutputs::MorphTargetWeights(_) => panic!("no clip moves a morph target"),
            }
        }
        locals
    }

    /// The document, as the other reader has it.
    pub const fn document(&self) -> &Document {
        &self.document
    }

    /// The bytes of the binary buffer.
    pub fn binary(&self) -> &[u8] {
        &self.binary
    }

    /// The name and the place of each node, at rest or at a key of an animation.
    pub fn places(&self, pose: Option<(usize, f64)>) -> Vec<(String, Matrix)> {
        let world = self.world(pose);
        let named = self.document.nodes().zip(world);
        named.filter_map(|(node, place)| Some((node.name().unwrap_or_default().to_owned(), place?))).collect()
    }

    fn world(&self, pose: Option<(usize, f64)>) -> Vec<Option<Matrix>> {
        let locals = self.locals(pose);
        let mut world = vec![None; locals.len()];
        let mut open: Vec<(gltf::Node<'_>, Matrix)> =
            self.document.scenes().next().unwrap().nodes().map(|node| (node, identity())).collect();
        while let Some((node, parent)) = open.pop() {
            let own = product(&parent, &of_local(&locals[node.index()]));
            world[node.index()] = Some(own);
            open.extend(node.children().map(|child| (child, own)));
        }
        world
    }

    /// The positions of the corners of all triangles, node by node, at rest or at a time of an animation.
    pub fn corners(&self, pose: Option<(usize, f64)>) -> Vec<[f64; 3]> {
        let world = self.world(pose);
        let mut corners = Vec::new();
        for node in self.document.nodes() {
            let Some(mesh) = node.mesh() else { continue };
            let joints: Vec<Matrix> = if let Some(skin) = node.skin() {
                let inverse = skin.reader(self.reader()).read_inverse_bind_matrices().unwrap();
                let joints = skin.joints().zip(inverse).map(|(joint, inverse)| {
                    product(&world[joint.index()].unwrap(), &inverse.map(|column| column.map(f64::from)))
                });
                joints.collect()
            } else {
                // A mesh without a skin is where its node is.
                vec![world[node.index()].unwrap()]
            };
            for primitive in mesh.primitives() {
                self.add_corners(&primitive, &joints, &mut corners);
            }
        }
        corners
    }

    fn add_corners(&self, primitive: &gltf::Primitive<'_>, joints: &[Matrix], corners: &mut Vec<[f64; 3]>) {
        let reader = primitive.reader(self.reader());
        let positions = self.vectors(primitive, &Semantic::Positions);
        let bones = reader.read_joints(0).map(|bones| bones.into_u16().collect());
        let bones = bones.unwrap_or_else(|| vec![[0; 4]; positions.len()]);
        let weights = reader.read_weights(0).map(|weights| weights.into_f32().collect());
        let weights = weights.unwrap_or_else(|| vec![[1.0, 0.0, 0.0, 0.0]; positions.len()]);
        for index in reader.read_indices().unwrap().into_u32() {
            let index = index as usize;
            let mut sum = [0.0; 3];
            for (bone, weight) in bones[index].iter().zip(weights[index]) {
                let moved = transformed(&joints[usize::from(*bone)], positions[index]);
                sum.iter_mut().zip(moved).for_each(|(sum, value)| *sum += value * f64::from(weight));
            }
            corners.push(sum);
        }
    }
}

fn mixed(values: &[[f32; 3]], keys: [usize; 2], between: f64) -> [f64; 3] {
    let [start, end] = keys.map(|key| values[key].map(f64::from));
    std::array::from_fn(|part| start[part] + (end[part] - start[part]) * between)
}

/// The shorter way, as glTF has it.
fn on_sphere([start, end]: [[f64; 4]; 2], between: f64) -> [f64; 4] {
    let cosine: f64 = start.iter().zip(end).map(|(start, end)| start * end).sum();
    let angle = cosine.abs().min(1.0).acos();
    let (a, b) = if angle < 1e-6 {
        (1.0 - between, between)
    } else {
        (((1.0 - between) * angle).sin() / angle.sin(), (between * angle).sin() / angle.sin())
    };
    std::array::from_fn(|part| a * start[part] + b.copysign(cosine) * end[part])
}

fn identity() -> Matrix {
    std::array::from_fn(|column| std::array::from_fn(|row| if row == column { 1.0 } else { 0.0 }))
}

/// In columns, as in the file.
fn of_local(local: &Local) -> Matrix {
    let [x, y, z, w] = local.rotation;
    let rotation = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)],
        [2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w)],
        [2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y)],
    ];
    let mut matrix = identity();
    for column in 0..3 {
        for row in 0..3 {
            matrix[column][row] = rotation[column][row] * local.scale[column];
        }
    }
    matrix[3][..3].copy_from_slice(&local.translation);
    matrix
}

pub fn product(left: &Matrix, right: &Matrix) -> Matrix {
    std::array::from_fn(|column| {
        std::array::from_fn(|row| (0..4).map(|inner| left[inner][row] * right[column][inner]).sum())
    })
}

pub fn transformed(matrix: &Matrix, [x, y, z]: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|row| matrix[0][row] * x + matrix[1][row] * y + matrix[2][row] * z + matrix[3][row])
}
