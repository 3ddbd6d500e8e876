//! The hierarchy of bones: parents after children, several roots, roots with parent 0 or -1, cycles.

use alloc::vec::Vec;

use super::record::Bone;
use crate::model::{Rig, RigBone, RigRole};

/// The most bones whose names are copied for matching. Real files have fewer than 65,536; a sparse file has any number.
const MOST_NAMED: usize = 1 << 21;

/// The hierarchy of a file's bones, in place.
///
/// The meaning of a stored parent index (ActorX reference, section 3.6): bone 0 is a root if its parent is 0 (Epic,
/// UModel, Blender), negative (CUE4Parse) or out of range. Any other bone is a further root if its parent is negative,
/// itself or out of range. Parents may come after their children.
///
/// ```
/// use skelmap::actorx::Psk;
///
/// let bytes = std::fs::read("tests/corpus/actorx/mesh/parent_after_child.psk")?;
/// let mesh = Psk::parse(&bytes)?;
/// let order = mesh.skeleton().to_order();
/// assert!(order.cut.is_empty(), "no cycle");
/// for &bone in &order.parents_first {
///     println!("{bone} under {:?}", mesh.skeleton().parent(bone as usize));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Skeleton<'a> {
    bones: &'a [Bone],
}

impl Skeleton<'_> {
    pub(super) fn to_rig(self, role: RigRole) -> Rig {
        let bone = |(index, bone): (usize, &Bone)| RigBone {
            key: bone.name().key().to_ascii_lowercase(),
            parent: self.parent(index),
        };
        let is_known = self.bones.len() <= MOST_NAMED;
        let bones = is_known.then(|| self.bones.iter().enumerate().map(bone).collect());
        Rig { family: "actorx", role, count: Some(self.bones.len()), bones }
    }
}

impl<'a> Skeleton<'a> {
    /// The hierarchy of these bones. O(1).
    pub const fn new(bones: &'a [Bone]) -> Self {
        Self { bones }
    }

    /// The bones.
    pub const fn bones(&self) -> &'a [Bone] {
        self.bones
    }

    /// A bone's parent; `None` for a root or for an index without a bone. Parents may form a cycle in a damaged file;
    /// [`ancestors`](Skeleton::ancestors) ends even then. O(1).
    pub fn parent(&self, bone: usize) -> Option<usize> {
        let parent = usize::try_from(self.bones.get(bone)?.parent_index()).ok()?;
        let is_root = parent == bone || parent >= self.bones.len();
        (!is_root).then_some(parent)
    }

    /// The roots in index order. O(bones) for all.
    pub fn roots(&self) -> impl Iterator<Item = usize> + use<'a> {
        let skeleton = *self;
        (0..self.bones.len()).filter(move |bone| skeleton.parent(*bone).is_none())
    }

    /// A bone's children in index order. O(bones) for all.
    pub fn children(&self, bone: usize) -> impl Iterator<Item = usize> + use<'a> {
        let skeleton = *self;
        (0..self.bones.len()).filter(move |child| skeleton.parent(*child) == Some(bone))
    }

    /// A bone's parent, the parent of the parent, and so on to the root. At most as many as there are bones, even in a
    /// cycle.
    pub fn ancestors(&self, bone: usize) -> impl Iterator<Item = usize> + use<'a> {
        let skeleton = *self;
        core::iter::successors(self.parent(bone), move |bone| skeleton.parent(*bone)).take(self.bones.len())
    }

    /// The first bone of this name, in any ASCII case and without trailing spaces. O(bones).
    pub fn find(&self, name: &str) -> Option<usize> {
        self.bones.iter().position(|bone| bone.name().matches(name))
    }

    /// An order with every bone after its parent. O(bones) in time and memory; no recursion. Cycles are cut and
    /// reported.
    pub fn to_order(&self) -> BoneOrder {
        let mut order = BoneOrder { parents_first: Vec::with_capacity(self.bones.len()), cut: Vec::new() };
        let mut seen = alloc::vec![Seen::No; self.bones.len()];
        let mut path = Vec::new();
        for bone in 0..self.bones.len() {
            path.clear();
            let mut next = Some(bone);
            // Climb to a root, to a placed bone, or to a bone of this climb, which closes a cycle.
            while let Some((climbed, state)) = next.and_then(|climbed| Some((climbed, seen.get_mut(climbed)?))) {
                match state {
                    Seen::No => *state = Seen::OnPath,
                    Seen::Placed => break,
                    Seen::OnPath => {
                        order.cut.push(to_u32(cut_cycle(&mut path, climbed)));
                        break;
                    }
                }
                path.push(climbed);
                next = self.parent(climbed);
            }
            for placed in path.drain(..).rev() {
                if let Some(state) = seen.get_mut(placed) {
                    *state = Seen::Placed;
                }
                order.parents_first.push(to_u32(placed));
            }
        }
        order.cut.sort_unstable();
        order
    }
}

/// The result of [`Skeleton::to_order`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BoneOrder {
    /// Every bone once, after its parent unless it is cut.
    pub parents_first: Vec<u32>,
    /// The bone with the lowest index of each cycle, in ascending order: roots. Empty in a sound file.
    pub cut: Vec<u32>,
}

#[derive(Clone, Copy)]
enum Seen {
    No,
    OnPath,
    Placed,
}

/// Rotates the cycle at the end of a climb until its lowest bone, which is placed first, is last. Returns that bone.
/// `again` is the bone that closed the cycle.
fn cut_cycle(path: &mut [usize], again: usize) -> usize {
    let start = path.iter().position(|bone| *bone == again).unwrap_or(0);
    let cycle = path.get_mut(start..).unwrap_or_default();
    let Some((lowest, _)) = cycle.iter().enumerate().min_by_key(|(_, bone)| **bone) else { return again };
    let turn = lowest.saturating_add(1);
    cycle.rotate_left(if turn < cycle.len() { turn } else { 0 });
    cycle.last().copied().unwrap_or(again)
}

/// A file has at most `i32::MAX` records, so indices fit.
fn to_u32(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
