//! A model as a mesh: points, wedges and faces.

use std::collections::HashMap;
use std::hash::Hash;
use std::io::Write;

use skelmap::Vec3;
use skelmap::actorx::{Color, Face16, Face32, Influence, Material, Uv, Wedge};
use skelmap::model::Alpha;
use skelmap::shared::{to_u32, to_usize};

use super::bones::{Armature, to_actorx};
use super::chunks::{write_chunk, write_head, write_header};
use super::smooth::groups;
use super::text::Names;
use super::{ActorxError, ActorxOptions, MAX_MATERIALS, MAX_WEDGES};
use crate::affine::{dot, narrowed};
use crate::model::Model;

/// The most points: their indices in influences have a sign, and the first 16-bit readers end far before.
const MAX_POINTS: usize = 1 << 24;

/// The smallest product of two normals of one side: between the two sides of a leaf, games that have a normal for each point would see none.
const MIN_DOT_OF_SIDE: f64 = -0.5;

/// The name of a material without one, as Epic's exporters write it.
const NO_MATERIAL: &str = "None";

/// The type of a material in the low bits of its flags.
const TWO_SIDED: u32 = 1;
const TRANSLUCENT: u32 = 2;
const MASKED: u32 = 3;

/// What writing a mesh cut, merged, renamed and dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct MeshReport {
    /// Points.
    pub points: usize,
    /// Wedges.
    pub wedges: usize,
    /// Faces.
    pub faces: usize,
    /// Bones.
    pub bones: usize,
    /// Materials.
    pub materials: usize,
    /// Points with more influences than are written, of which the strongest are kept.
    pub cut_points: usize,
    /// Points without influences, which follow the root.
    pub unweighted_points: usize,
    /// Names of bones and materials that were cut, numbered, or have characters that the old code page lacks.
    pub changed_names: usize,
    /// Whether a root bone was added above several.
    pub has_new_root: bool,
    /// Surfaces with hard edges to a neighbour of the same smoothing group, because there are only 32.
    pub shared_groups: usize,
    /// UV sets and colours that are left out, because games do not read them.
    pub dropped_sets: usize,
    /// Attachments, which the classic chunks do not have.
    pub dropped_attachments: usize,
}

/// Elements that are numbered by what they are.
struct Unique<K> {
    known: HashMap<K, u32>,
}

impl<K: Eq + Hash> Unique<K> {
    fn new() -> Self {
        Self { known: HashMap::new() }
    }

    /// The number of an element, and whether it is new.
    fn number(&mut self, key: K) -> (u32, bool) {
        let next = to_u32(self.known.len());
        let number = *self.known.entry(key).or_insert(next);
        (number, number == next)
    }
}

/// A mesh in the parts of the file.
#[derive(Default)]
struct Parts {
    points: Vec<Vec3>,
    normals: Vec<Vec3>,
    wedges: Vec<Wedge>,
    uvs: Vec<Vec<Uv>>,
    colors: Vec<Color>,
    influences: Vec<Influence>,
    /// For each vertex, its point.
    point_of: Vec<u32>,
}

impl Armature {
    /// Writes a model as a mesh (`.psk`, or `.pskx` with the extra chunks). Equal models give equal bytes. O(vertices log vertices).
    ///
    /// # Errors
    /// [`ActorxError`]: limits, numbers that are not finite, errors of the output. Limits are checked before a byte is written.
    pub fn write_mesh(
        &self,
        model: &Model,
        options: &ActorxOptions,
        out: &mut impl Write,
    ) -> Result<MeshReport, ActorxError> {
        let mut report = MeshReport {
            bones: self.bones.len(),
            changed_names: self.changed_names,
            has_new_root: self.has_new_root,
            dropped_attachments: model.attachments.len(),
            ..MeshReport::default()
        };
        let mut names = Names::default();
        let materials = materials(model, &mut names)?;
        report.changed_names = report.changed_names.saturating_add(names.changed);
        report.materials = materials.len();
        let mut parts = Parts::default();
        self.add_points(model, options, &mut parts, &mut report)?;
        let corner = |vertex: u32| {
            let vertex = to_usize(vertex.into());
            (parts.point_of.get(vertex).copied().unwrap_or(0), model.normals.get(vertex).copied().unwrap_or_default())
        };
        let corners: Vec<_> = model.triangles.iter().map(|triangle| triangle.vertices.map(corner)).collect();
        let (smoothing, shared) = groups(&corners);
        report.shared_groups = shared;
        let faces = add_wedges(model, &smoothing, options, &mut parts)?;
        (report.points, report.wedges, report.faces) = (parts.points.len(), parts.wedges.len(), faces.len());
        if !options.extras {
            report.dropped_sets = model.uvs.len().saturating_sub(1).saturating_add((!model.colors.is_empty()).into());
        }
        write_head("ACTRHEAD", out)?;
        write_chunk("PNTS0000", &parts.points, out)?;
        write_chunk("VTXW0000", &parts.wedges, out)?;
        let faces = faces.iter().zip(&smoothing).zip(&model.triangles);
        // The file has the other order of corners, seen from outside.
        let turned = |[a, b, c]: [u32; 3]| [c, b, a];
        let material = |material: u32| u8::try_from(material).unwrap_or(0);
        if parts.wedges.len() <= MAX_WEDGES {
            let short = |index: u32| u16::try_from(index).unwrap_or(0);
            let face = |((wedges, groups), triangle): ((&[u32; 3], &u32), &crate::model::Triangle)| {
                let face = Face16::default().with_wedges(turned(*wedges).map(short));
                face.with_material(material(triangle.material)).with_smoothing_groups(*groups)
            };
            write_chunk("FACE0000", &faces.map(face).collect::<Vec<_>>(), out)?;
        } else {
            let face = |((wedges, groups), triangle): ((&[u32; 3], &u32), &crate::model::Triangle)| {
                let face = Face32::default().with_wedges(turned(*wedges));
                face.with_material(material(triangle.material)).with_smoothing_groups(*groups)
            };
            write_chunk("FACE3200", &faces.map(face).collect::<Vec<_>>(), out)?;
        }
        write_chunk("MATT0000", &materials, out)?;
        write_chunk("REFSKELT", &self.bones, out)?;
        write_chunk("RAWWEIGHTS", &parts.influences, out)?;
        for (set, uvs) in (0_u32..).zip(&parts.uvs) {
            write_chunk(&format!("EXTRAUVS{set}"), uvs, out)?;
        }
        if options.extras {
            write_chunk("VTXNORMS", &parts.normals, out)?;
            if !parts.colors.is_empty() {
                write_header::<Color>("VERTEXCOLOR", parts.colors.len(), out)?;
                parts.colors.iter().try_for_each(|color| out.write_all(&color.rgba()))?;
            }
        }
        Ok(report)
    }

    /// Adds points: places with influences, for each side of a surface once. (With normals in the file, for each normal.)
    fn add_points(
        &self,
        model: &Model,
        options: &ActorxOptions,
        parts: &mut Parts,
        report: &mut MeshReport,
    ) -> Result<(), ActorxError> {
        let metres = f64::from(options.metres);
        let mut unique = Unique::new();
        // For each place with its influences, the normal and the point of each side.
        let mut sides: Vec<Vec<([f32; 3], u32)>> = Vec::new();
        for (index, position) in model.positions.iter().enumerate() {
            let place = narrowed(to_actorx(position.map(f64::from)).map(|value| value / metres));
            let normal = model.normals.get(index).copied().unwrap_or_default();
            let normal = narrowed(to_actorx(normal.map(f64::from)));
            if !place.iter().chain(&normal).all(|value| value.is_finite()) {
                return Err(ActorxError::NotFinite { what: "vertex", index });
            }
            let influences = self.reduced(model.influences.of(index), options.influences.max(1));
            let bits = |values: [f32; 3]| values.map(f32::to_bits);
            let weights: Vec<(usize, u32)> =
                influences.0.iter().map(|(bone, weight)| (*bone, weight.to_bits())).collect();
            let (number, is_new) = unique.number((bits(place), options.extras.then(|| bits(normal)), weights));
            if is_new {
                sides.push(Vec::new());
            }
            let Some(sides) = sides.get_mut(to_usize(number.into())) else { continue };
            let is_near = |own: [f32; 3]| dot(own.map(f64::from), normal.map(f64::from)) >= MIN_DOT_OF_SIDE;
            if let Some((_, point)) = sides.iter().find(|(own, _)| is_near(*own)) {
                parts.point_of.push(*point);
                continue;
            }
            let point = to_u32(parts.points.len());
            sides.push((normal, point));
            parts.point_of.push(point);
            report.cut_points = report.cut_points.saturating_add(influences.1.into());
            report.unweighted_points = report.unweighted_points.saturating_add(influences.2.into());
            parts.points.push(Vec3::new(place));
            parts.normals.push(Vec3::new(normal));
            let number = |index: usize| i32::try_from(index).unwrap_or(0);
            parts.influences.extend(influences.0.iter().map(|(bone, weight)| {
                let influence = Influence::default().with_weight(*weight).with_bone_index(number(*bone));
                influence.with_point_index(i32::try_from(point).unwrap_or(0))
            }));
            if parts.points.len() > MAX_POINTS {
                return Err(ActorxError::TooMany { count: parts.points.len(), what: "points", limit: MAX_POINTS });
            }
        }
        Ok(())
    }

    /// The strongest influences of a vertex by bone, of sum 1; whether some were cut, and whether there were none.
    fn reduced(&self, all: &[(u32, f32)], most: usize) -> (Vec<(usize, f32)>, bool, bool) {
        let mut found: Vec<(usize, f32)> = Vec::with_capacity(all.len());
        for (joint, weight) in all {
            let bone = self.bone_of(to_usize((*joint).into()));
            match found.iter_mut().find(|(other, _)| *other == bone) {
                Some((_, sum)) => *sum += weight,
                None => found.push((bone, *weight)),
            }
        }
        if found.is_empty() {
            return (vec![(0, 1.0)], false, true);
        }
        found.sort_by(|(bone, one), (other_bone, other)| other.total_cmp(one).then(bone.cmp(other_bone)));
        let is_cut = found.len() > most;
        found.truncate(most);
        let sum: f32 = found.iter().map(|(_, weight)| weight).sum();
        for (_, weight) in &mut found {
            *weight /= sum;
        }
        (found, is_cut, false)
    }
}

/// Adds wedges: points with texture coordinates and a material, for each surface once, so that programs with a normal for each wedge keep hard edges. Returns those of each
/// triangle.
fn add_wedges(
    model: &Model,
    smoothing: &[u32],
    options: &ActorxOptions,
    parts: &mut Parts,
) -> Result<Vec<[u32; 3]>, ActorxError> {
    let sets = if options.extras { model.uvs.len() } else { model.uvs.len().min(1) };
    parts.uvs = vec![Vec::new(); sets.saturating_sub(1)];
    let mut unique = Unique::new();
    let mut faces = Vec::with_capacity(model.triangles.len());
    for (triangle, groups) in model.triangles.iter().zip(smoothing) {
        let mut wedges = [0; 3];
        for (wedge, vertex) in wedges.iter_mut().zip(triangle.vertices) {
            let index = to_usize(vertex.into());
            let point = parts.point_of.get(index).copied().unwrap_or(0);
            let uv = |set: &Vec<[f32; 2]>| set.get(index).copied().unwrap_or_default();
            let uvs: Vec<[f32; 2]> = model.uvs.iter().take(sets).map(uv).collect();
            let color = model.colors.get(index).copied().filter(|_| options.extras);
            let bits: Vec<[u32; 2]> = uvs.iter().map(|uv| uv.map(f32::to_bits)).collect();
            let (number, is_new) = unique.number((point, bits, color, triangle.material, *groups));
            *wedge = number;
            if !is_new {
                continue;
            }
            let first = uvs.first().copied().unwrap_or_default();
            let material = u8::try_from(triangle.material).unwrap_or(0);
            parts.wedges.push(Wedge::default().with_point_index_32(point).with_uv(first).with_material(material));
            for (set, uv) in parts.uvs.iter_mut().zip(uvs.iter().skip(1)) {
                set.push(Uv::new(*uv));
            }
            parts.colors.extend(color.map(Color::new));
        }
        faces.push(wedges);
    }
    let limit = if options.extras { to_usize(u32::MAX.into()) } else { MAX_WEDGES };
    if parts.wedges.len() > limit {
        return Err(ActorxError::TooMany { count: parts.wedges.len(), what: "wedges", limit });
    }
    Ok(faces)
}

/// The materials: at least one.
fn materials(model: &Model, names: &mut Names) -> Result<Vec<Material>, ActorxError> {
    if model.materials.len() > MAX_MATERIALS {
        let count = model.materials.len();
        return Err(ActorxError::TooMany { count, what: "materials", limit: MAX_MATERIALS });
    }
    let mut found = Vec::new();
    for (index, own) in (0_i32..).zip(&model.materials) {
        let flags = match own.alpha {
            Some(Alpha::Masked) => MASKED,
            Some(Alpha::Blended) => TRANSLUCENT,
            _ if own.is_two_sided => TWO_SIDED,
            _ => 0,
        };
        let name = names.add(&own.name, &if index == 0 { NO_MATERIAL.to_owned() } else { format!("material_{index}") });
        found.push(Material::default().with_name(&name).with_texture_index(index).with_poly_flags(flags));
    }
    if found.is_empty() {
        found.push(Material::default().with_name(&names.add(NO_MATERIAL, NO_MATERIAL)));
    }
    Ok(found)
}
