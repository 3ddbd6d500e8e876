//! The skins of a mesh whose skeleton has more joints than a program takes: the joints of each, and the triangles that they move.

use std::ops::Range;

use skelmap::model::Mesh;
use skelmap::shared::to_usize;

use crate::geometry::{Geometry, small};
use crate::report::WriteError;

/// The most skins of a mesh. Real ones have a few.
const MAX_SKINS: usize = 256;

/// The last skins, of which a triangle may take one.
const OPEN: usize = 8;

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

    fn add(&mut self, part: usize, corners: [u32; 3], joints: &[u16]) {
        for joint in joints {
            if let Some(has) = self.has.get_mut(usize::from(*joint)).filter(|has| !**has) {
                *has = true;
                self.count = self.count.saturating_add(1);
            }
        }
        match self.corners.last_mut().filter(|(own, _)| *own == part) {
            Some((_, all)) => all.extend(corners),
            None => self.corners.push((part, corners.to_vec())),
        }
    }

    fn to_joints(&self) -> Vec<u16> {
        (0..=u16::MAX).zip(&self.has).filter(|(_, has)| **has).map(|(joint, _)| joint).collect()
    }
}

/// Puts each triangle into a skin of at most `most` joints: of the last skins into that which lacks the fewest of its joints. Vertices of several
/// skins are repeated. O(triangles). `count`: the joints of the mesh; `joints_of`: those of a vertex of the mesh.
pub(crate) fn split<J: IntoIterator<Item = u16>>(
    geometry: &mut Geometry,
    mesh: &Mesh<'_>,
    (count, most): (usize, usize),
    joints_of: impl Fn(u32) -> J,
) -> Result<Vec<Palette>, WriteError> {
    let mut all: Vec<Growing> = Vec::new();
    let mut joints = Vec::new();
    for (number, part) in geometry.parts.iter().enumerate() {
        for corners in part.indices.chunks_exact(3) {
            let Ok(corners) = <[u32; 3]>::try_from(corners) else { continue };
            let corners = corners.map(|corner| corner.saturating_add(small(part.first)));
            let vertices = corners.iter().filter_map(|corner| geometry.vertices.get(to_usize((*corner).into())));
            joints.clear();
            joints.extend(vertices.flat_map(|vertex| joints_of(*vertex)));
            joints.sort_unstable();
            joints.dedup();
            let missing = |own: &Growing| joints.iter().filter(|joint| own.lacks(**joint)).count();
            let last = all.iter().enumerate().skip(all.len().saturating_sub(OPEN));
            let fitting = last
                .map(|(index, own)| (missing(own), index, own.count))
                .filter(|(missing, _, count)| count.saturating_add(*missing) <= most);
            let index = fitting.min().map_or(all.len(), |(_, index, _)| index);
            if index == MAX_SKINS {
                return Err(WriteError::TooManySkins);
            }
            if index == all.len() {
                all.push(Growing { has: vec![false; count], count: 0, corners: Vec::new() });
            }
            if let Some(own) = all.get_mut(index) {
                own.add(number, corners, &joints);
            }
        }
    }
    Ok(rebuilt(geometry, mesh, &all))
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
