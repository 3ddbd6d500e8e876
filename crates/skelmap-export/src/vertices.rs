//! The vertices of a mesh: their attributes, interleaved, and the bytes of each.

use std::io::Write;

use skelmap::model::maths::{NO_TURN, Rotation, turned};
use skelmap::model::{Influences, Mesh};
use skelmap::shared::to_usize;
use skelmap::{Column, Vec2};

use crate::compact::{Cube, UvForm, to_byte, to_shares};
use crate::geometry::{Geometry, MaterialRange, Shape, small, uv};
use crate::json;
use crate::options::{Colors, ExportOptions, InfluenceCount};
use crate::palettes::{Palette, split};
use crate::report::{ExportReport, WriteError, write_floats};

/// The maximum number of UV sets: the stride of a vertex is at most 252 bytes.
const MAX_UV_SETS: usize = 8;

/// The most influences of a point.
const MAX_WIDTH: usize = 8;

/// A mesh and the attributes of its vertices.
pub(crate) struct Vertices<'p> {
    pub(crate) mesh: Mesh<'p>,
    pub(crate) geometry: Geometry,
    influences: Option<Influences>,
    /// The joints of each skin. A mesh has one, but for [`ExportOptions::max_joints`].
    palettes: Vec<Palette>,
    /// Bytes of the index of a joint.
    joint_size: u32,
    /// Sets of four influences.
    sets: usize,
    uvs: Vec<Column<'p, Vec2>>,
    /// The numbers of each UV set.
    uv_forms: Vec<UvForm>,
    /// The cube around the vertices, if they are stored in small numbers.
    cube: Option<Cube>,
    colors: Option<Column<'p, [u8; 4]>>,
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

impl<'p> Vertices<'p> {
    pub(crate) fn new(
        mesh: &Mesh<'p>,
        turn: Rotation,
        options: &ExportOptions,
        has_textures: bool,
        report: &mut ExportReport,
    ) -> Result<Self, WriteError> {
        let geometry = Geometry::new(mesh, Shape::at_rest(mesh)?.turned(turn), report);
        let width = if options.influences == InfluenceCount::Eight { 8 } else { 4 };
        let influences = (mesh.bone_count() > 0).then(|| Influences::new(mesh, width));
        if let Some(dropped) = influences.as_ref().map(Influences::dropped) {
            report.weaker_influences = dropped.weaker;
            report.dropped_influences = dropped.out_of_range.saturating_add(dropped.weightless);
            report.unweighted_points = dropped.unweighted_points;
        }
        // Textures use the first set.
        let used = if options.keep_unused { MAX_UV_SETS } else { usize::from(has_textures) };
        let uv_sets = mesh.uv_set_count().min(options.uv_sets).min(used);
        let mut vertices = Self {
            sets: influences.as_ref().map_or(0, |influences| influences.width().div_ceil(4)),
            uvs: (0..uv_sets).filter_map(|set| mesh.uvs(set)).collect(),
            colors: if options.colors == Colors::None { None } else { mesh.colors() },
            colors_name: if options.colors == Colors::Paint { "COLOR_0" } else { "_COLOR_0" },
            mesh: *mesh,
            cube: options.compact.then(|| Cube::around(&geometry)).flatten(),
            uv_forms: Vec::new(),
            geometry,
            influences,
            palettes: Vec::new(),
            joint_size: if mesh.bone_count() < 256 { 1 } else { 2 },
            turn,
        };
        vertices.weld(report);
        vertices.palettes = vec![Palette { joints: None, parts: 0..vertices.geometry.parts.len() }];
        vertices.uv_forms = vertices.uvs.iter().map(|column| vertices.uv_form(column)).collect();
        if let Some(cube) = &vertices.cube {
            report.skin_error = report.skin_error.max(cube.error());
        }
        Ok(vertices)
    }

    pub(crate) const fn cube(&self) -> Option<Cube> {
        self.cube
    }

    pub(crate) const fn influences(&self) -> Option<&Influences> {
        self.influences.as_ref()
    }

    fn uv_form(&self, column: &Column<'_, Vec2>) -> UvForm {
        let all = self.geometry.vertices.iter().map(|vertex| uv(&self.mesh, column, to_usize((*vertex).into())));
        if self.cube.is_some() { UvForm::of(all) } else { UvForm::Float }
    }

    /// Joins the corners of one point that are equal.
    fn weld(&mut self, report: &mut ExportReport) {
        let Self { mesh, uvs, colors, geometry, .. } = self;
        let (mesh, uvs): (&Mesh<'_>, &[Column<'_, Vec2>]) = (mesh, uvs);
        let color = |vertex: usize| colors.as_ref().map(|colors| *colors.get(vertex).unwrap_or(&[255; 4]));
        let uvs = |vertex: usize| uvs.iter().map(move |column| uv(mesh, column, vertex).map(f32::to_bits));
        let key = |vertex: u32| {
            let vertex = to_usize(vertex.into());
            let [u, v] = uvs(vertex).next().unwrap_or_default();
            let point = mesh.point_of(vertex).map_or(u32::MAX, small);
            [point, u, v, color(vertex).map_or(0, u32::from_le_bytes)]
        };
        let is_equal = |one: u32, other: u32| {
            let [one, other] = [one, other].map(|vertex| to_usize(vertex.into()));
            uvs(one).eq(uvs(other))
        };
        geometry.weld(key, is_equal, report);
    }

    /// Makes several skins of one with more than so many joints.
    pub(crate) fn split(&mut self, most: u16) -> Result<(), WriteError> {
        let Self { mesh, geometry, influences: Some(influences), .. } = self else { return Ok(()) };
        let count = mesh.bone_count().saturating_add(1);
        let mesh = *mesh;
        let joints_of = |vertex: u32| {
            let point = mesh.point_of(to_usize(vertex.into())).unwrap_or(usize::MAX);
            influences_of(influences, point).filter(|(_, weight)| *weight > 0.0).map(|(bone, _)| bone)
        };
        self.palettes = split(geometry, &mesh, (count, most.into()), joints_of)?;
        let counts = self.palettes.iter().filter_map(|palette| Some(palette.joints.as_ref()?.len()));
        self.joint_size = if counts.max() <= Some(256) { 1 } else { 2 };
        Ok(())
    }

    pub(crate) fn palettes(&self) -> &[Palette] {
        &self.palettes
    }

    /// Whether a vertex is bound to the model itself.
    pub(crate) fn has_model_joint(&self) -> bool {
        let bones = self.mesh.bone_count();
        self.influences
            .as_ref()
            .is_some_and(|influences| influences.bones().iter().any(|bone| usize::from(*bone) == bones))
    }

    /// The parts of a skin.
    pub(crate) fn parts(&self, palette: &Palette) -> &[MaterialRange] {
        self.geometry.parts.get(palette.parts.clone()).unwrap_or_default()
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
        list.extend(self.colors.is_some().then(|| attribute(self.colors_name, json::UNSIGNED_BYTE, "VEC4", 4)));
        list
    }

    /// Bytes of a vertex.
    pub(crate) fn stride(&self) -> u32 {
        self.attributes().iter().fold(0, |sum, attribute| sum.saturating_add(attribute.bytes))
    }

    /// The bytes of all vertices, one after the other.
    pub(crate) fn to_bytes(&self) -> std::io::Result<Vec<u8>> {
        let size = to_usize(self.stride().into()).saturating_mul(self.geometry.vertices.len());
        let mut bytes = Vec::with_capacity(size);
        let out = &mut bytes;
        let parts = |palette| self.parts(palette).iter().map(move |part| (palette, part.vertices));
        let palettes = self.palettes.iter().flat_map(parts).flat_map(|(own, count)| std::iter::repeat_n(own, count));
        for ((vertex, normal), palette) in self.geometry.vertices.iter().zip(&self.geometry.normals).zip(palettes) {
            let position = self.geometry.position(&self.mesh, *vertex);
            if let Some(cube) = &self.cube {
                let [x, y, z] = cube.to_short(position);
                out.write_all([x, y, z, 0].map(i16::to_le_bytes).as_flattened())?;
                let [x, y, z] = normal.map(to_byte);
                out.write_all([x, y, z, 0].map(i8::to_le_bytes).as_flattened())?;
            } else {
                write_floats(out, &position)?;
                write_floats(out, normal)?;
            }
            let index = to_usize((*vertex).into());
            for (column, form) in self.uvs.iter().zip(&self.uv_forms) {
                form.write(uv(&self.mesh, column, index), out)?;
            }
            let point = self.mesh.point_of(index).unwrap_or(usize::MAX);
            self.write_influences(point, palette, out)?;
            if let Some(colors) = &self.colors {
                out.write_all(colors.get(index).unwrap_or(&[255; 4]))?;
            }
        }
        Ok(bytes)
    }

    /// Writes the bones and the weights of a point, four at a time.
    fn write_influences(&self, point: usize, palette: &Palette, out: &mut Vec<u8>) -> std::io::Result<()> {
        let Some(influences) = &self.influences else { return Ok(()) };
        let (mut bones, mut weights) = ([0_u16; MAX_WIDTH], [0.0_f32; MAX_WIDTH]);
        for ((bone, weight), found) in bones.iter_mut().zip(&mut weights).zip(influences_of(influences, point)) {
            (*bone, *weight) = Some(found).filter(|(_, weight)| *weight > 0.0).unwrap_or_default();
        }
        let shares = to_shares(weights);
        if self.cube.is_some() {
            weights = shares.map(f32::from);
        }
        for ((bones, weights), shares) in bones.chunks(4).zip(weights.chunks(4)).zip(shares.chunks(4)).take(self.sets) {
            for (bone, weight) in bones.iter().zip(weights) {
                // Joints without a weight have index 0.
                let [low, high] = if *weight > 0.0 { palette.number_of(*bone).to_le_bytes() } else { [0; 2] };
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
}

/// The bones and weights of a point; none for a point that does not exist.
fn influences_of(influences: &Influences, point: usize) -> impl Iterator<Item = (u16, f32)> + '_ {
    let first = point.saturating_mul(influences.width());
    let row = first..first.saturating_add(influences.width());
    let bones = influences.bones().get(row.clone()).unwrap_or_default();
    bones.iter().copied().zip(influences.weights().get(row).unwrap_or_default().iter().copied())
}
