//! The skins of a mesh whose skeleton has more joints than a program takes: the joints of each, and the triangles that they move.

use std::ops::Range;

use skelmap::model::Mesh;
use skelmap::shared::to_usize;

use crate::geometry::{Geometry, small};
use crate::report::WriteError;

/// The fewest joints that a skin may have room for: eight influences of each corner of a triangle are 24.
pub(crate) const MIN_JOINTS: u16 = 32;

/// The most skins of a mesh. Real ones have a few.
const MAX_SKINS: usize = 256;

/// The last skins, of which a triangle may take one.
const OPEN: usize = 64;

/// The joints of a skin, and the parts of the geometry that they move.
pub(crate) struct Palette {
    /// Numbers of bones, ascending; the number after the last bone is the model. `None`: all of them.
    pub(crate) joints: Option<Vec<u16>>,
    pub(crate) parts: Range<usize>,
}

impl Palette {
    /// The number of a joint in the skin.
    pub(crate) fn number_of(&self, joint: u16) -> u16 {
        let Some(joints) = &self.joints else { return joint };
        joints.binary_search(&joint).ok().and_then(|number| u16::try_from(number).ok()).unwrap_or_default()
    }
}

/// A skin that triangles are added to.
struct Growing {
    /// For each joint, whether the skin has it, and their number.
    has: Vec<bool>,
    count: usize,
    /// The triangles of each part, as vertices of the whole geometry.
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
    all: Vec<u16>,
    /// Where those of each triangle end.
    ends: Vec<usize>,
}

impl Joints {
    fn push(&mut self, joints: impl Iterator<Item = u16>) {
        let mut own: Vec<u16> = joints.collect();
        own.sort_unstable();
        own.dedup();
        self.all.extend(own);
        self.ends.push(self.all.len());
    }

    fn of(&self, triangle: usize) -> &[u16] {
        let end = |index: usize| self.ends.get(index).copied();
        let first = triangle.checked_sub(1).and_then(end).unwrap_or_default();
        self.all.get(first..end(triangle).unwrap_or_default()).unwrap_or_default()
    }
}

/// Puts each triangle into a skin of at most `most` joints. Triangles of the same joints go together, in the order of the joints, so that the order
/// of the file does not matter: into that of the last skins with room that lacks the fewest. Vertices of several skins are repeated.
/// O(triangles * log triangles). `count`: the joints of the mesh; `joints_of`: those of a vertex of the mesh.
pub(crate) fn split<J: IntoIterator<Item = u16>>(
    geometry: &mut Geometry,
    mesh: &Mesh<'_>,
    (count, most): (usize, usize),
    joints_of: impl Fn(u32) -> J,
) -> Result<Vec<Palette>, WriteError> {
    let mut joints = Joints::default();
    for corners in triangles(geometry).map(|(_, corners)| corners) {
        let vertices = corners.iter().filter_map(|corner| geometry.vertices.get(to_usize((*corner).into())));
        joints.push(vertices.flat_map(|vertex| joints_of(*vertex)));
    }
    let mut order: Vec<usize> = (0..joints.ends.len()).collect();
    order.sort_by(|one, other| joints.of(*one).cmp(joints.of(*other)));
    let (mut all, mut skins): (Vec<Growing>, _) = (Vec::new(), vec![0; order.len()]);
    for alike in order.chunk_by(|one, other| joints.of(*one) == joints.of(*other)) {
        let own = alike.first().map(|triangle| joints.of(*triangle)).unwrap_or_default();
        let missing = |skin: &Growing| own.iter().filter(|joint| skin.lacks(**joint)).count();
        let last = all.iter().enumerate().skip(all.len().saturating_sub(OPEN));
        let with_room = last
            .map(|(index, skin)| (missing(skin), index, skin.count))
            .filter(|(missing, _, count)| count.saturating_add(*missing) <= most);
        let index = with_room.min().map_or(all.len(), |(_, index, _)| index);
        if index == MAX_SKINS {
            return Err(WriteError::TooManySkins);
        }
        if index == all.len() {
            all.push(Growing { has: vec![false; count], count: 0, corners: Vec::new() });
        }
        if let Some(skin) = all.get_mut(index) {
            skin.grow(own);
        }
        for triangle in alike {
            if let Some(skin) = skins.get_mut(*triangle) {
                *skin = index;
            }
        }
    }
    for ((part, corners), skin) in triangles(geometry).zip(skins) {
        if let Some(skin) = all.get_mut(skin) {
            skin.add(part, corners);
        }
    }
    Ok(rebuilt(geometry, mesh, &all))
}

/// The triangles of all parts: the part, and the vertices.
fn triangles(geometry: &Geometry) -> impl Iterator<Item = (usize, [u32; 3])> + '_ {
    geometry.parts.iter().enumerate().flat_map(|(number, part)| {
        let corners = part.indices.chunks_exact(3).filter_map(|corners| <[u32; 3]>::try_from(corners).ok());
        corners.map(move |own| (number, own.map(|corner| corner.saturating_add(small(part.first)))))
    })
}

/// Orders the geometry by skins.
fn rebuilt(geometry: &mut Geometry, mesh: &Mesh<'_>, all: &[Growing]) -> Vec<Palette> {
    let old = std::mem::take(geometry);
    geometry.positions = old.positions;
    // For each vertex, its last part, counted from 1, and its index there.
    let mut places = vec![(0_u32, 0_u32); old.vertices.len()];
    let mut palettes = Vec::new();
    for own in all {
        let start = geometry.parts.len();
        for (part, corners) in &own.corners {
            let Some(material) = old.parts.get(*part).map(|part| part.material) else { continue };
            let (number, first) = (small(geometry.parts.len()).saturating_add(1), geometry.vertices.len());
            let mut indices = Vec::with_capacity(corners.len());
            for corner in corners.iter().map(|corner| to_usize((*corner).into())) {
                let (Some(place), Some(vertex), Some(normal)) =
                    (places.get_mut(corner), old.vertices.get(corner), old.normals.get(corner))
                else {
                    continue;
                };
                if place.0 != number {
                    *place = (number, small(geometry.vertices.len().saturating_sub(first)));
                    geometry.vertices.push(*vertex);
                    geometry.normals.push(*normal);
                }
                indices.push(place.1);
            }
            geometry.close_part(mesh, material, first, indices);
        }
        palettes.push(Palette { joints: Some(own.to_joints()), parts: start..geometry.parts.len() });
    }
    palettes
}
