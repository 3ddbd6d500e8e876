//! The joints that vertices name: all bones, or several palettes of a limited size with the triangles that they move.

use alloc::{vec, vec::Vec};

use super::faces::{Draft, DraftPart};
use super::{VertexOptions, to_u32, to_usize};
use crate::model::influences::Influences;
use crate::model::maths::{inverse, product};
use crate::model::skinning::rest_matrices;
use crate::model::{IDENTITY, Matrix, Mesh};
use crate::report::{Error, ErrorKind, Section};

/// The most palettes of a mesh. Real meshes have a few.
const MAX_PALETTES: usize = 256;

/// The number of latest palettes that still take triangles.
const OPEN: usize = 64;

/// The joints of a skin: each a bone of the mesh.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Palette {
    /// The bone of each joint, in ascending order. The number of bones stands for the model itself, which Pyrogenesis meshes may be bound to.
    pub joints: Vec<u16>,
    /// For each joint, the matrix from points in the space of the mesh to the space of its bone at rest; the identity for the model.
    pub inverse_bind: Vec<Matrix>,
    /// The number of bones of the mesh.
    bone_count: usize,
}

impl Palette {
    /// The matrices that a shader moves vertices with: for each joint, the model matrix of its bone times
    /// [`inverse_bind`](Palette::inverse_bind). `models` has the model matrix of each bone, in the space of the mesh that the vertices are of:
    /// [`Skin::model_matrices`](crate::model::Skin::model_matrices). O(joints), no allocation.
    ///
    /// [`Skin::matrices`](crate::model::Skin::matrices) are others: they move the points of the file, before any change of space.
    ///
    /// ```
    /// use skelmap::{Asset, model::{Binding, IDENTITY, Skin, Space, VertexOptions, Wrap}};
    ///
    /// let (mesh, animation) = (std::fs::read("corpus/fox.psk")?, std::fs::read("corpus/fox.psa")?);
    /// let mesh = Asset::parse(&mesh)?.mesh().ok_or("no mesh")?.with_metres(0.01).in_space(Space::GLTF);
    /// let clip = Asset::parse(&animation)?.clips().next().ok_or("no clip")?;
    /// let (skin, vertices) = (Skin::new(&mesh, 4)?, mesh.to_vertices(&VertexOptions::default())?);
    /// let mut pose = skin.bind_pose().to_vec();
    /// Binding::new(&mesh, &clip).sample(&clip, 0.5, Wrap::Loop, &mut pose)?;
    /// let mut models = vec![IDENTITY; mesh.bone_count()];
    /// skin.model_matrices(&pose, &mut models)?;
    ///
    /// let mut matrices = vec![IDENTITY; vertices.palettes[0].joints.len()];
    /// vertices.palettes[0].matrices(&models, &mut matrices)?;
    /// // What a shader does with a vertex:
    /// let (joints, weights) = (vertices.joints[0][7], vertices.weights[0][7]);
    /// let ([x, y, z], mut moved) = (vertices.positions[7], [0.0; 3]);
    /// for (joint, weight) in joints.into_iter().zip(weights) {
    ///     let m = &matrices[usize::from(joint)];
    ///     for (axis, moved) in moved.iter_mut().enumerate() {
    ///         *moved += weight * (m[axis] * x + m[4 + axis] * y + m[8 + axis] * z + m[12 + axis]);
    ///     }
    /// }
    /// # let mut stored = vec![IDENTITY; skin.matrix_count()];
    /// # let mut points = vec![[0.0; 3]; mesh.point_count()];
    /// # skin.matrices(&pose, &mut stored)?;
    /// # skin.positions(&mesh, &stored, &mut points)?;
    /// # let point = mesh.point_of(vertices.sources[7] as usize).ok_or("no point")?;
    /// # assert!(moved.iter().zip(points[point]).all(|(own, other)| (own - other).abs() < 1e-5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BufferSize`](ErrorKind::BufferSize) if `models` does not have a matrix for each bone, or `out` not one for each joint.
    pub fn matrices(&self, models: &[Matrix], out: &mut [Matrix]) -> Result<(), Error> {
        ErrorKind::check_buffer(models.len(), self.bone_count)
            .and_then(|()| ErrorKind::check_buffer(out.len(), self.joints.len()))
            .map_err(|kind| Error::new(kind, Section::named("skinning"), 0))?;
        for ((out, joint), inverse_bind) in out.iter_mut().zip(&self.joints).zip(&self.inverse_bind) {
            // The model itself, which follows the bones, does not move.
            *out = models.get(usize::from(*joint)).map_or(*inverse_bind, |model| product(model, inverse_bind));
        }
        Ok(())
    }

    fn new(joints: Vec<u16>, inverse_bind: &[Matrix]) -> Self {
        let matrix = |joint: &u16| inverse_bind.get(usize::from(*joint)).copied().unwrap_or(IDENTITY);
        Self { inverse_bind: joints.iter().map(matrix).collect(), joints, bone_count: inverse_bind.len() }
    }

    /// The index of a bone in the palette; 0 for a bone that is not in it. O(log joints).
    pub(super) fn number_of(&self, bone: u16) -> u16 {
        let place = self.joints.binary_search(&bone).ok();
        place.and_then(|place| u16::try_from(place).ok()).unwrap_or_default()
    }
}

/// The palettes of a mesh; splits the triangles of the draft if there are more joints than `most`.
pub(super) fn to_palettes(
    draft: &mut Draft,
    mesh: &Mesh<'_>,
    influences: &Influences,
    most: Option<u16>,
) -> Result<Vec<Palette>, Error> {
    let bones = mesh.bone_count();
    let inverse_bind: Vec<Matrix> = rest_matrices(&mesh.skeleton()).iter().map(inverse).collect();
    let has_model = influences.bones().iter().any(|bone| usize::from(*bone) == bones);
    let all: Vec<u16> = (0..=u16::MAX).take(bones.saturating_add(usize::from(has_model))).collect();
    // A triangle fits.
    let of_triangle = u16::try_from(influences.width().saturating_mul(3)).unwrap_or(VertexOptions::MIN_JOINTS);
    let most = most.map(|most| usize::from(most.max(VertexOptions::MIN_JOINTS).max(of_triangle)));
    match most {
        Some(most) if all.len() > most && !draft.parts.is_empty() => {
            let split = split(draft, mesh, influences, most)?;
            Ok(split.into_iter().map(|joints| Palette::new(joints, &inverse_bind)).collect())
        }
        _ => Ok(vec![Palette::new(all, &inverse_bind)]),
    }
}

/// A palette that triangles are added to.
struct Growing {
    /// For each joint, whether the palette has it, and their number.
    has: Vec<bool>,
    count: usize,
    /// The triangles of each part, as vertices of the draft.
    corners: Vec<(usize, Vec<u32>)>,
}

impl Growing {
    fn lacks(&self, joint: u16) -> bool {
        !self.has.get(usize::from(joint)).copied().unwrap_or(true)
    }

    fn grow(&mut self, joints: &[u16]) {
        for joint in joints {
            if let Some(has) = self.has.get_mut(usize::from(*joint)).filter(|has| !**has) {
                *has = true;
                self.count = self.count.saturating_add(1);
            }
        }
    }

    fn add(&mut self, part: usize, corners: [u32; 3]) {
        match self.corners.last_mut().filter(|(own, _)| *own == part) {
            Some((_, all)) => all.extend(corners),
            None => self.corners.push((part, corners.to_vec())),
        }
    }

    fn to_joints(&self) -> Vec<u16> {
        (0..=u16::MAX).zip(&self.has).filter(|(_, has)| **has).map(|(joint, _)| joint).collect()
    }
}

/// The joints of each triangle, ascending.
#[derive(Default)]
struct Joints {
    /// Of one triangle.
    own: Vec<u16>,
    all: Vec<u16>,
    /// Where those of each triangle end.
    ends: Vec<usize>,
}

impl Joints {
    fn push(&mut self, joints: impl Iterator<Item = u16>) {
        self.own.clear();
        self.own.extend(joints);
        self.own.sort_unstable();
        self.own.dedup();
        self.all.extend(&self.own);
        self.ends.push(self.all.len());
    }

    fn of(&self, triangle: usize) -> &[u16] {
        let end = |index: usize| self.ends.get(index).copied();
        let first = triangle.checked_sub(1).and_then(end).unwrap_or_default();
        self.all.get(first..end(triangle).unwrap_or_default()).unwrap_or_default()
    }
}

/// Puts each triangle into a palette of at most `most` joints. Triangles of the same joints go together, in the order of the joints, so that the order
/// of the file does not matter: into that of the last palettes with room that lacks the fewest. Vertices of several palettes are repeated.
/// O(triangles * log triangles). Returns the joints of each palette.
fn split(draft: &mut Draft, mesh: &Mesh<'_>, influences: &Influences, most: usize) -> Result<Vec<Vec<u16>>, Error> {
    // Joints are 16-bit numbers.
    let count = mesh.bone_count().saturating_add(1).min(1 << 16);
    let joints_of = |vertex: u32| {
        let point = draft.source_of(vertex).and_then(|source| mesh.point_of(to_usize(source)));
        influences.of_point(point.unwrap_or(usize::MAX)).map(|(bone, _)| bone)
    };
    let mut joints = Joints::default();
    for corners in draft.parts.iter().flat_map(DraftPart::triangles) {
        joints.push(corners.into_iter().flat_map(joints_of));
    }
    let mut order: Vec<usize> = (0..joints.ends.len()).collect();
    order.sort_by(|one, other| joints.of(*one).cmp(joints.of(*other)));
    let (mut all, mut palettes): (Vec<Growing>, _) = (Vec::new(), vec![0; order.len()]);
    for alike in order.chunk_by(|one, other| joints.of(*one) == joints.of(*other)) {
        let own = alike.first().map(|triangle| joints.of(*triangle)).unwrap_or_default();
        let missing = |palette: &Growing| own.iter().filter(|joint| palette.lacks(**joint)).count();
        let last = all.iter().enumerate().skip(all.len().saturating_sub(OPEN));
        let with_room = last
            .map(|(index, palette)| (missing(palette), index, palette.count))
            .filter(|(missing, _, count)| count.saturating_add(*missing) <= most);
        let index = with_room.min().map_or(all.len(), |(_, index, _)| index);
        if index == MAX_PALETTES {
            return Err(Error::new(ErrorKind::TooManyPalettes, Section::named("skinning"), 0));
        }
        if index == all.len() {
            all.push(Growing { has: vec![false; count], count: 0, corners: Vec::new() });
        }
        if let Some(palette) = all.get_mut(index) {
            palette.grow(own);
        }
        for triangle in alike {
            palettes.get_mut(*triangle).into_iter().for_each(|palette| *palette = index);
        }
    }
    let parts = draft.parts.iter().enumerate();
    let triangles = parts.flat_map(|(number, part)| part.triangles().map(move |corners| (number, corners)));
    for ((part, corners), palette) in triangles.zip(palettes) {
        all.get_mut(palette).into_iter().for_each(|palette| palette.add(part, corners));
    }
    draft.rebuild(&all);
    Ok(all.iter().map(Growing::to_joints).collect())
}

impl Draft {
    /// The vertex of the mesh of a vertex.
    fn source_of(&self, vertex: u32) -> Option<u32> {
        self.sources.get(to_usize(*self.numbers.get(to_usize(vertex))?)).copied()
    }

    /// Orders vertices and triangles by palettes.
    fn rebuild(&mut self, all: &[Growing]) {
        let (old, numbers) = (core::mem::take(&mut self.parts), core::mem::take(&mut self.numbers));
        self.welded.clear();
        // For each vertex, its last part, counted from 1, and its index there.
        let mut places = vec![(0_u32, 0_u32); numbers.len()];
        for (palette, own) in all.iter().enumerate() {
            for (part, corners) in &own.corners {
                let Some(material) = old.get(*part).map(|part| part.material) else { continue };
                let (number, first) = (to_u32(self.parts.len()).saturating_add(1), self.numbers.len());
                let mut indices = Vec::with_capacity(corners.len());
                for corner in corners {
                    let (Some(place), Some(of_draft)) =
                        (places.get_mut(to_usize(*corner)), numbers.get(to_usize(*corner)))
                    else {
                        continue;
                    };
                    if place.0 != number {
                        *place = (number, to_u32(self.numbers.len().saturating_sub(first)));
                        self.numbers.push(*of_draft);
                        self.welded.push(*corner);
                    }
                    indices.push(place.1);
                }
                let count = self.numbers.len().saturating_sub(first);
                self.parts.push(DraftPart { material, first, count, indices, palette });
            }
        }
    }
}
