//! The vertices of a mesh in the output: their attributes, interleaved, and the bytes of each.

use std::io::Write;

use skelmap::model::maths::{NO_TURN, Rotation, turned};
use skelmap::model::{Bounds, MaterialRange, Mesh, PosedPoints, VertexOptions, Vertices};

use crate::compact::{Cube, UvForm, to_byte, to_shares};
use crate::json;
use crate::options::{Colors, ExportOptions, InfluenceCount};
use crate::report::{ExportReport, WriteError, write_floats};

/// The maximum number of UV sets: the stride of a vertex is at most 252 bytes.
const MAX_UV_SETS: usize = 8;

/// The most influences of a vertex.
const MAX_WIDTH: usize = 8;

/// A mesh and the attributes of its vertices.
pub(crate) struct VertexTable<'p> {
    pub(crate) mesh: Mesh<'p>,
    pub(crate) vertices: Vertices,
    /// Bytes of the index of a joint.
    joint_size: u32,
    /// Sets of four influences.
    sets: usize,
    /// The numbers of each UV set.
    uv_forms: Vec<UvForm>,
    /// The cube around the vertices, if they are stored in small numbers.
    cube: Option<Cube>,
    colors_name: &'static str,
    /// The rotation of the model.
    turn: Rotation,
}

/// An attribute: its name, the type of its components, their number and its bytes.
pub(crate) struct Attribute {
    pub(crate) name: String,
    pub(crate) component: u32,
    pub(crate) kind: &'static str,
    pub(crate) bytes: u32,
    pub(crate) is_normalized: bool,
}

impl<'p> VertexTable<'p> {
    pub(crate) fn new(
        mesh: &Mesh<'p>,
        turn: Rotation,
        options: &ExportOptions,
        has_textures: bool,
        report: &mut ExportReport,
    ) -> Result<Self, WriteError> {
        let mut asked = VertexOptions::default();
        asked.influences = if options.influences == InfluenceCount::Eight { MAX_WIDTH } else { 4 };
        asked.max_joints = options.max_joints;
        asked.colors = options.colors != Colors::None;
        // The vertices stay as well: a welded triangle may use one twice.
        let keeps_all = options.keep_degenerate || options.exact;
        (asked.keep_degenerate, asked.weld, asked.keep_order) = (keeps_all, !keeps_all, options.exact);
        // Textures use the first set.
        asked.uv_sets = options.uv_sets.min(if options.keep_unused || options.exact {
            MAX_UV_SETS
        } else {
            usize::from(has_textures)
        });
        let unused = mesh.uv_set_count().min(options.uv_sets).saturating_sub(asked.uv_sets);
        report.unused_uv_sets = report.unused_uv_sets.saturating_add(unused);
        let vertices = Vertices::of_points(mesh, &PosedPoints::at_rest(mesh)?.rotated(turn), &asked)?;
        report.count(&vertices);
        let cube = options.compact.then(|| Cube::around(&vertices)).flatten();
        let form = |uvs: &Vec<[f32; 2]>| if cube.is_some() { UvForm::of(uvs.iter().copied()) } else { UvForm::Float };
        let is_used = |weights: &&Vec<[f32; 4]>| weights.iter().any(|[first, ..]| *first > 0.0);
        let joints = vertices.palettes.iter().map(|palette| palette.joints.len()).max();
        let table = Self {
            sets: vertices.weights.iter().take_while(is_used).count(),
            uv_forms: vertices.uvs.iter().map(form).collect(),
            colors_name: if options.colors == Colors::Paint { "COLOR_0" } else { "_COLOR_0" },
            joint_size: if joints <= Some(256) { 1 } else { 2 },
            mesh: *mesh,
            vertices,
            cube,
            turn,
        };
        if let Some(cube) = &table.cube {
            report.skin_error = report.skin_error.max(cube.error());
        }
        Ok(table)
    }

    pub(crate) const fn cube(&self) -> Option<Cube> {
        self.cube
    }

    /// Whether a vertex is bound to the model itself.
    pub(crate) fn has_model_joint(&self) -> bool {
        let bones = self.mesh.bone_count();
        self.vertices.palettes.iter().any(|own| own.joints.last().is_some_and(|last| usize::from(*last) == bones))
    }

    /// The parts of each skin: of one without influences, too.
    pub(crate) fn skins(&self) -> impl Iterator<Item = &[MaterialRange]> {
        self.vertices.parts.chunk_by(|one, other| one.palette == other.palette)
    }

    /// The attributes in the order of their bytes.
    pub(crate) fn attributes(&self) -> Vec<Attribute> {
        let attribute = |name: &str, component, kind, bytes| Attribute {
            name: name.to_owned(),
            component,
            kind,
            bytes,
            is_normalized: component != json::FLOAT && !name.starts_with("JOINTS"),
        };
        // Each attribute begins at a multiple of four bytes.
        let is_small = self.cube.is_some();
        let [position, normal, weights] = if is_small {
            [(json::SHORT, 8), (json::BYTE, 4), (json::UNSIGNED_SHORT, 8)]
        } else {
            [(json::FLOAT, 12), (json::FLOAT, 12), (json::FLOAT, 16)]
        };
        let mut list = vec![
            attribute("POSITION", position.0, "VEC3", position.1),
            attribute("NORMAL", normal.0, "VEC3", normal.1),
        ];
        list.extend(self.uv_forms.iter().enumerate().map(|(set, form)| {
            let (component, bytes) = form.component();
            attribute(&format!("TEXCOORD_{set}"), component, "VEC2", bytes)
        }));
        let joint = if self.joint_size == 1 { json::UNSIGNED_BYTE } else { json::UNSIGNED_SHORT };
        let joint_bytes = self.joint_size.saturating_mul(4);
        for set in 0..self.sets {
            list.push(attribute(&format!("JOINTS_{set}"), joint, "VEC4", joint_bytes));
            list.push(attribute(&format!("WEIGHTS_{set}"), weights.0, "VEC4", weights.1));
        }
        let has_colors = !self.vertices.colors.is_empty();
        list.extend(has_colors.then(|| attribute(self.colors_name, json::UNSIGNED_BYTE, "VEC4", 4)));
        list
    }

    /// Bytes of a vertex.
    pub(crate) fn stride(&self) -> u32 {
        self.attributes().iter().fold(0, |sum, attribute| sum.saturating_add(attribute.bytes))
    }

    /// The bytes of all vertices, one after the other.
    pub(crate) fn to_bytes(&self) -> std::io::Result<Vec<u8>> {
        let own = &self.vertices;
        let stride = skelmap::shared::to_usize(self.stride().into());
        let mut bytes = Vec::with_capacity(stride.saturating_mul(own.positions.len()));
        let out = &mut bytes;
        for (vertex, (position, normal)) in own.positions.iter().zip(&own.normals).enumerate() {
            if let Some(cube) = &self.cube {
                let [x, y, z] = cube.to_short(*position);
                out.write_all([x, y, z, 0].map(i16::to_le_bytes).as_flattened())?;
                let [x, y, z] = normal.map(to_byte);
                out.write_all([x, y, z, 0].map(i8::to_le_bytes).as_flattened())?;
            } else {
                write_floats(out, position)?;
                write_floats(out, normal)?;
            }
            for (uvs, form) in own.uvs.iter().zip(&self.uv_forms) {
                form.write(uvs.get(vertex).copied().unwrap_or_default(), out)?;
            }
            self.write_influences(vertex, out)?;
            if let Some(color) = own.colors.get(vertex) {
                out.write_all(color)?;
            }
        }
        Ok(bytes)
    }

    /// Writes the joints and the weights of a vertex, four at a time.
    fn write_influences(&self, vertex: usize, out: &mut Vec<u8>) -> std::io::Result<()> {
        let mut weights = [0.0_f32; MAX_WIDTH];
        let rows = self.vertices.weights.iter().take(self.sets).filter_map(|set| set.get(vertex)).flatten();
        weights.iter_mut().zip(rows).for_each(|(weight, own)| *weight = *own);
        let shares = if self.cube.is_some() { to_shares(weights) } else { [0; MAX_WIDTH] };
        let joints = self.vertices.joints.iter().filter_map(|set| set.get(vertex));
        for (joints, (weights, shares)) in joints.zip(weights.chunks(4).zip(shares.chunks(4))).take(self.sets) {
            for (joint, share) in joints.iter().zip(shares) {
                // A joint whose weight rounds to 0 is none.
                let joint = if self.cube.is_some() && *share == 0 { 0 } else { *joint };
                let [low, high] = joint.to_le_bytes();
                if self.joint_size == 1 { out.write_all(&[low])? } else { out.write_all(&[low, high])? }
            }
            if self.cube.is_some() {
                shares.iter().try_for_each(|share| out.write_all(&share.to_le_bytes()))?;
            } else {
                write_floats(out, weights)?;
            }
        }
        Ok(())
    }

    /// An offset of the mesh, rotated with the model.
    pub(crate) fn turned(&self, offset: [f32; 3]) -> [f32; 3] {
        if self.turn == NO_TURN { offset } else { turned(self.turn, offset) }
    }

    /// The box of the vertices that each bone moves, in the space of the bone. `to_bones`: the matrices to the spaces of the bones.
    pub(crate) fn to_boxes(&self, to_bones: &[skelmap::model::Matrix]) -> Vec<Option<Bounds>> {
        let own = &self.vertices;
        let mut boxes: Vec<Option<Bounds>> = vec![None; to_bones.len()];
        for part in &own.parts {
            let Some(palette) = own.palettes.get(part.palette) else { continue };
            for (joints, weights) in own.joints.iter().zip(&own.weights) {
                for vertex in part.vertices.clone() {
                    let (Some(joints), Some(weights), Some(position)) =
                        (joints.get(vertex), weights.get(vertex), own.positions.get(vertex))
                    else {
                        continue;
                    };
                    for (joint, _) in joints.iter().zip(weights).filter(|(_, weight)| **weight > 0.0) {
                        let bone = palette.joints.get(usize::from(*joint)).map(|bone| usize::from(*bone));
                        let Some((known, matrix)) = bone.and_then(|bone| boxes.get_mut(bone).zip(to_bones.get(bone)))
                        else {
                            continue;
                        };
                        let place = skelmap::model::maths::transformed(matrix, *position);
                        *known = Bounds::of(known.iter().flat_map(|own| [own.min, own.max]).chain([place]));
                    }
                }
            }
        }
        boxes
    }
}
