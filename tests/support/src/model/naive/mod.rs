//! A naive evaluation of meshes and animations, in 4x4 matrices of `f64`, that shares nothing with the crate's model.
//!
//! Each family says in its folder, in `model.rs`, what its files hold. All values are in the space of the file.

pub mod math;
pub mod pose;
pub mod rows;

use skelmap::model::Relative;

use super::compare::Target;
use crate::FAMILIES;
use math::{M4, Trs, V3};

/// What holds for all files of a family.
#[derive(Debug)]
pub struct Rules {
    /// What the transforms of bones are relative to.
    pub relative: Relative,
    /// Whether bones have names.
    pub has_names: bool,
    /// Whether animations have side-cars.
    pub has_side_car: bool,
    /// Whether the bone after the last is the model.
    pub model_is_bone: bool,
    /// The axis that points up in the file.
    pub up: usize,
    /// The spaces that files are tried in; the first is that of the file.
    pub targets: fn() -> Vec<Target>,
    /// Of families whose spaces are that of Unreal or its mirror image, and whose clips move meshes of each other: whether it is the image.
    pub is_mirrored: Option<bool>,
}

impl Rules {
    /// Whether clips have translations, in a space that is known.
    pub fn has_places(&self) -> bool {
        self.relative != Relative::Unknown
    }
}

/// The mesh of a file; `None` for a file that is no mesh, or not readable.
pub fn mesh(bytes: &[u8]) -> Option<Mesh> {
    FAMILIES.iter().find_map(|family| (family.mesh)(bytes))
}

/// The clips of a file; `None` for a file that is no animation, or not readable.
pub fn motions(bytes: &[u8]) -> Option<Vec<Motion>> {
    FAMILIES.iter().find_map(|family| (family.motions)(bytes))
}

/// A mesh.
#[derive(Clone, Debug)]
pub struct Mesh {
    pub rules: &'static Rules,
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
    /// The length of each UV set, in a format where it need not be the number of vertices.
    pub uvs: Option<Vec<usize>>,
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
    pub rules: &'static Rules,
    pub name: Option<Vec<u8>>,
    /// The name of each track's bone, to compare by; `None` in a format without names.
    pub names: Option<Vec<Vec<u8>>>,
    /// The bone of each track.
    pub bones: Vec<usize>,
    pub frames: Vec<Vec<Trs>>,
    pub rate: Option<f64>,
    pub has_scale: bool,
    /// For each track, whether it has no scale where others have one.
    pub unscaled: Vec<bool>,
    /// Where tracks have parts of their own: for each track what it takes from the mesh.
    pub missing: Option<pose::FromMesh>,
    /// Whether frames lie between sparse keys, so that values are computed and not stored.
    pub is_computed: bool,
}

impl Motion {
    /// The motion as it moves a mesh: of families that share names of bones, in the space of the mesh.
    #[must_use]
    pub fn in_space_of(self, mesh: &Mesh) -> Self {
        match (mesh.rules.is_mirrored, self.rules.is_mirrored) {
            (Some(of_mesh), Some(own)) if of_mesh != own => crate::ueformat::mirrored(&self, mesh.rules),
            (Some(_), Some(_)) => Self { rules: mesh.rules, ..self },
            _ => self,
        }
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
