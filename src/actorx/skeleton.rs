//! The hierarchy of bones, as robust as real files need: parents after children, several roots, roots 0 and -1, cycles.

#[cfg(feature = "std")]
use alloc::vec::Vec;

use super::record::Bone;

/// The hierarchy of a file's bones, in place.
///
/// What a stored parent index means (ActorX reference, section 3.6): bone 0 is a root if its parent is 0 (Epic, UModel,
/// Blender), negative (CUE4Parse) or out of range; any other bone whose parent is negative, itself or out of range is a further
/// root. Parents may come after their children.
///
/// ```
/// use skelmap::actorx::Psk;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let bytes = std::fs::read("corpus/actorx/mesh/parent_after_child.psk")?;
/// let mesh = Psk::parse(&bytes)?;
/// let order = mesh.skeleton().to_order();
/// assert!(order.cut.is_empty(), "no cycle");
/// for &bone in &order.parents_first {
///     println!("{bone} under {:?}", mesh.skeleton().parent(bone as usize));
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Skeleton<'a> {
    bones: &'a [Bone],
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

    /// A bone's parent; `None` for a root and for a bone that does not exist. Following parents may run in a circle in a damaged
    /// file: [`ancestors`](Skeleton::ancestors) ends. O(1).
    pub fn parent(&self, bone: usize) -> Option<usize> {
        let parent = usize::try_from(self.bones.get(bone)?.parent_index()).ok()?;
        let is_root = parent == bone || parent >= self.bones.len();
        (!is_root).then_some(parent)
    }

    /// The roots in index order. O(bones) to run through.
    pub fn roots(&self) -> impl Iterator<Item = usize> + use<'a> {
        let skeleton = *self;
        (0..self.bones.len()).filter(move |bone| skeleton.parent(*bone).is_none())
    }

    /// A bone's children in index order. O(bones) to run through.
    pub fn children(&self, bone: usize) -> impl Iterator<Item = usize> + use<'a> {
        let skeleton = *self;
        (0..self.bones.len()).filter(move |child| skeleton.parent(*child) == Some(bone))
    }

    /// A bone's parent, its parent's parent and so on to the root. Ends after as many steps as there are bones, even in a cycle.
    pub fn ancestors(&self, bone: usize) -> impl Iterator<Item = usize> + use<'a> {
        let skeleton = *self;
        core::iter::successors(self.parent(bone), move |bone| skeleton.parent(*bone)).take(self.bones.len())
    }

    /// The first bone of this name, in any ASCII case and without trailing spaces. O(bones).
    pub fn find(&self, name: &str) -> Option<usize> {
        self.bones.iter().position(|bone| bone.name().matches(name))
    }

    /// An order in which every bone comes after its parent, for anything computed down the hierarchy. O(bones) in time and
    /// memory; no recursion. Cycles are cut and said.
    #[cfg(feature = "std")]
    pub fn to_order(&self) -> BoneOrder {
        let mut order = BoneOrder { parents_first: Vec::with_capacity(self.bones.len()), cut: Vec::new() };
        let mut seen = alloc::vec![Seen::No; self.bones.len()];
        let mut path = Vec::new();
        for bone in 0..self.bones.len() {
            path.clear();
            let mut next = Some(bone);
            // Climb until a root, a bone that is placed already, or a bone of this very climb: a cycle.
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

/// What [`Skeleton::to_order`] gives.
#[cfg(feature = "std")]
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BoneOrder {
    /// Every bone once, each after its parent (but for the cut ones).
    pub parents_first: Vec<u32>,
    /// Of each cycle its lowest bone, in ascending order: to be treated as roots. Empty in a sound file.
    pub cut: Vec<u32>,
}

#[cfg(feature = "std")]
#[derive(Clone, Copy)]
enum Seen {
    No,
    OnPath,
    Placed,
}

/// Turns the cycle at the end of a climb so that its lowest bone stands last, as the one to be placed first, and returns it.
/// `again` is the bone at which the climb came back on itself.
#[cfg(feature = "std")]
fn cut_cycle(path: &mut [usize], again: usize) -> usize {
    let start = path.iter().position(|bone| *bone == again).unwrap_or(0);
    let cycle = path.get_mut(start..).unwrap_or_default();
    let Some((lowest, _)) = cycle.iter().enumerate().min_by_key(|(_, bone)| **bone) else { return again };
    let turn = lowest.saturating_add(1);
    cycle.rotate_left(if turn < cycle.len() { turn } else { 0 });
    cycle.last().copied().unwrap_or(again)
}

/// Bone indices fit: a file holds at most `i32::MAX` records.
#[cfg(feature = "std")]
fn to_u32(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
