//! A naive evaluation of meshes and animations, in 4x4 matrices of `f64`, that shares nothing with the crate's model.
//!
//! Records come from the families' second readers; rotations of SWAT 3 from its frames, since its second reader is slow on
//! purpose. All values are in the space of the file.

mod files;
pub mod math;
pub mod pose;
pub mod rows;

pub use files::{mesh, motions};

use math::{M4, Trs, V3};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    ActorX,
    Pyrogenesis,
    Swat3,
}

/// A mesh.
#[derive(Clone, Debug)]
pub struct Mesh {
    pub family: Family,
    pub bones: Vec<Bone>,
    /// The lowest bone of each cycle.
    pub cut: Vec<usize>,
    /// Bones whose stored parent is no bone.
    pub orphans: Vec<usize>,
    pub points: Vec<[f32; 3]>,
    pub normals: Option<Vec<[f32; 3]>>,
    /// Position and normal of each point in model space; `None` if a point names a bone that does not exist.
    pub rest: Option<Vec<(V3, V3)>>,
    /// The largest number that the sums of `rest` go through.
    pub rest_size: f64,
    /// Point, bone, weight, as stored.
    pub influences: Vec<(i64, i64, f32)>,
    /// The point of each vertex.
    pub vertices: Vec<u64>,
    /// Vertices and material.
    pub triangles: Vec<([u32; 3], u32)>,
    /// Name, and for each delta the point, the offset and the offset of the normal.
    pub morphs: Vec<(Vec<u8>, Vec<Delta>)>,
    /// Name, bone and place.
    pub attachments: Vec<(Vec<u8>, Option<usize>, M4)>,
}

pub type Delta = (i32, V3, V3);

#[derive(Clone, Debug)]
pub struct Bone {
    /// To compare by: in lower case, without trailing blanks. Empty in a format without names.
    pub name: Vec<u8>,
    /// As stored, where it is a bone.
    pub stored_parent: Option<usize>,
    /// Without those that close a cycle.
    pub parent: Option<usize>,
    /// Relative to the parent, for column vectors.
    pub bind: Trs,
}

/// A clip.
#[derive(Clone, Debug)]
pub struct Motion {
    pub family: Family,
    pub name: Option<Vec<u8>>,
    /// The name of each track's bone, to compare by; `None` in a format without names.
    pub names: Option<Vec<Vec<u8>>>,
    /// The bone of each track.
    pub bones: Vec<usize>,
    pub frames: Vec<Vec<Trs>>,
    pub rate: Option<f64>,
    pub has_scale: bool,
}

impl Mesh {
    pub fn has_names(&self) -> bool {
        self.family == Family::ActorX
    }
}

/// The parents without those that close a cycle, and the lowest bone of each cycle. What is left after every bone without
/// children is taken away, again and again, is the cycles.
pub fn cut_cycles(parents: &[Option<usize>]) -> (Vec<Option<usize>>, Vec<usize>) {
    let mut children = vec![0_usize; parents.len()];
    for parent in parents.iter().flatten() {
        children[*parent] += 1;
    }
    let mut leaves: Vec<usize> = (0..parents.len()).filter(|bone| children[*bone] == 0).collect();
    let mut in_cycle = vec![true; parents.len()];
    while let Some(leaf) = leaves.pop() {
        in_cycle[leaf] = false;
        if let Some(parent) = parents[leaf] {
            children[parent] -= 1;
            if children[parent] == 0 {
                leaves.push(parent);
            }
        }
    }
    let (mut cut, mut forest) = (Vec::new(), parents.to_vec());
    for bone in 0..parents.len() {
        if !in_cycle[bone] {
            continue;
        }
        // The first one met of a cycle is its lowest.
        cut.push(bone);
        forest[bone] = None;
        let mut at = bone;
        while in_cycle[at] {
            in_cycle[at] = false;
            at = parents[at].expect("a bone of a cycle has a parent");
        }
    }
    (forest, cut)
}
