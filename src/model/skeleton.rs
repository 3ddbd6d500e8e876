//! The skeleton of an asset: names, parents and bind pose of its bones, in place.

use alloc::vec::Vec;

use zerocopy::little_endian::I32;

use super::maths::conjugated;
use super::space::Change;
use super::transform::Transform;
use crate::bytes::{Column, Marks, Text, Texts, Vec3, Vec4, to_u32};

/// The maximum number of bones whose names are copied for matching. Real files have fewer than 65,536; a sparse file can have
/// many more.
const MAX_NAMED: usize = 1 << 21;

/// The bones of an asset: their number, and their names, parents and bind pose if the format has them.
///
/// In place and `Copy`. The parents that [`parent`](Skeleton::parent) gives may form a cycle in a damaged file;
/// [`to_order`](Skeleton::to_order) makes a forest of every skeleton and names the cycles.
///
/// The meaning of a stored parent index (ActorX reference, section 3.6): bone 0 is a root if its parent is 0 (Epic, UModel,
/// Blender), negative (CUE4Parse) or out of range. Any other bone is another root if its parent is negative, itself or out of
/// range. Parents may come after their children. Pyrogenesis bones have neither names nor parents. If a family can only infer
/// them, its own view returns them.
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
    bone_count: usize,
    relative: Relative,
    source: BoneSource<'a>,
    change: Change,
}

/// Where the bones of a file lie.
#[derive(Clone, Copy, Debug)]
enum BoneSource<'a> {
    /// Each part at a constant distance.
    Columns { bind: Option<Columns<'a>>, names: Option<Names<'a>> },
    /// One after the other, with names of different lengths inside.
    Chain(BoneChain<'a>),
}

/// Bones that lie one after the other, with names of different lengths inside.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoneChain<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) marks: Marks,
    /// Reads the bone at the start of the bytes, and says how many bytes it has: more than 0. The number is the family's.
    pub(crate) read: ReadBone,
    pub(crate) number: u64,
}

type ReadBone = for<'b> fn(&'b [u8], u64) -> Option<(ChainedBone<'b>, usize)>;

/// A bone of a chain. A part that the format does not have is `None`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ChainedBone<'a> {
    pub(crate) name: Text<'a>,
    pub(crate) parent: Option<i32>,
    pub(crate) bind: Option<Transform>,
}

impl<'a> BoneChain<'a> {
    /// A bone by index. O(bones / 16).
    fn get(&self, bone: usize) -> Option<ChainedBone<'a>> {
        let (first, start) = self.marks.before(bone);
        let mut bytes = self.bytes.get(start..)?;
        for _ in first..bone {
            let (_, size) = (self.read)(bytes, self.number)?;
            bytes = bytes.get(size..)?;
        }
        self.first_of(bytes).map(|(bone, _)| bone)
    }

    /// The bone at the start of bytes, and its size. As everywhere, spaces at the end are not part of a name.
    fn first_of<'b>(&self, bytes: &'b [u8]) -> Option<(ChainedBone<'b>, usize)> {
        let (bone, size) = (self.read)(bytes, self.number)?;
        Some((ChainedBone { name: bone.name.trimmed(), ..bone }, size))
    }

    /// The first bone, and the chain of those after it.
    fn split_first(self) -> Option<(ChainedBone<'a>, Self)> {
        let (bone, size) = self.first_of(self.bytes).filter(|(_, size)| *size > 0)?;
        Some((bone, Self { bytes: self.bytes.get(size..)?, ..self }))
    }
}

/// A bone of a [`Skeleton`]. What the format does not have is `None`.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Bone<'a> {
    /// The name without trailing spaces.
    pub name: Option<Text<'a>>,
    /// The index of the parent, as [`Skeleton::parent`] gives it.
    pub parent: Option<usize>,
    /// The transform in the bind pose, as [`Skeleton::bind`] gives it.
    pub bind: Option<Transform>,
}

impl Bone<'_> {
    /// The transform at rest, as [`Skeleton::rest`] gives it.
    pub fn rest(&self) -> Transform {
        self.bind.unwrap_or_default().with_unit_rotation()
    }
}

/// The reference of the transforms of bones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relative {
    /// The parent bone; for a root, the model.
    Parent,
    /// The model.
    Model,
    /// Not known.
    Unknown,
}

impl Relative {
    /// The stable name, as the command line prints it.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Parent => "parent",
            Self::Model => "model",
            Self::Unknown => "unknown",
        }
    }
}

/// The bind pose.
#[derive(Clone, Copy, Debug)]
struct Columns<'a> {
    translations: Column<'a, Vec3>,
    rotations: Column<'a, Vec4>,
    rule: RotationRule,
}

/// How a format stores rotations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RotationRule {
    /// As they are.
    AsStored,
    /// From the bone or track of this index on, as their conjugates; before it, as they are.
    ConjugatedFrom(usize),
}

impl RotationRule {
    /// The rotation of a column-vector chain, from the stored rotation of a bone.
    #[inline]
    pub(crate) const fn apply(self, bone: usize, rotation: [f32; 4]) -> [f32; 4] {
        match self {
            Self::ConjugatedFrom(first) if bone >= first => conjugated(rotation),
            _ => rotation,
        }
    }
}

/// Names and parents.
#[derive(Clone, Copy, Debug)]
struct Names<'a> {
    names: Texts<'a>,
    parents: Column<'a, I32>,
}

impl<'a> Skeleton<'a> {
    /// Bones with a known number, and nothing else.
    pub(crate) const fn of_count(bone_count: usize, relative: Relative) -> Self {
        Self { bone_count, relative, source: BoneSource::Columns { bind: None, names: None }, change: Change::NONE }
    }

    /// Bones of a chain, relative to their parents.
    pub(crate) const fn of_chain(bone_count: usize, chain: BoneChain<'a>) -> Self {
        Self { bone_count, relative: Relative::Parent, source: BoneSource::Chain(chain), change: Change::NONE }
    }

    const fn names(&self) -> Option<&Names<'a>> {
        match &self.source {
            BoneSource::Columns { names, .. } => names.as_ref(),
            BoneSource::Chain(_) => None,
        }
    }

    const fn bind_columns(&self) -> Option<Columns<'a>> {
        match self.source {
            BoneSource::Columns { bind, .. } => bind,
            BoneSource::Chain(_) => None,
        }
    }

    /// These bones with a bind pose: one translation and rotation for each.
    pub(crate) const fn with_bind(
        self,
        translations: Column<'a, Vec3>,
        rotations: Column<'a, Vec4>,
        rule: RotationRule,
    ) -> Self {
        let names = self.names().copied();
        Self { source: BoneSource::Columns { bind: Some(Columns { translations, rotations, rule }), names }, ..self }
    }

    /// These bones with names and parents.
    pub(crate) const fn with_names(self, names: Texts<'a>, parents: Column<'a, I32>) -> Self {
        let bind = self.bind_columns();
        Self { source: BoneSource::Columns { bind, names: Some(Names { names, parents }) }, ..self }
    }

    pub(crate) const fn with_change(self, change: Change) -> Self {
        Self { change, ..self }
    }

    /// Number of bones.
    pub const fn bone_count(&self) -> usize {
        self.bone_count
    }

    /// Whether the bones have names. Otherwise the index identifies them.
    pub const fn has_names(&self) -> bool {
        matches!(self.source, BoneSource::Chain(_) | BoneSource::Columns { names: Some(_), .. })
    }

    /// The reference of bind transforms, and of the transforms of clips for this skeleton.
    pub const fn relative(&self) -> Relative {
        self.relative
    }

    /// A bone's name without trailing spaces; `None` for a format without names or a bone that does not exist. O(1); in UEFormat
    /// files O(bones / 16).
    pub fn name(&self, bone: usize) -> Option<Text<'a>> {
        match &self.source {
            BoneSource::Columns { names, .. } => names.as_ref()?.names.get(bone),
            BoneSource::Chain(chain) if bone < self.bone_count => chain.get(bone).map(|own| own.name),
            BoneSource::Chain(_) => None,
        }
    }

    /// The stored index of a bone's parent, whatever it means.
    pub(crate) fn stored_parent(&self, bone: usize) -> Option<i32> {
        match &self.source {
            BoneSource::Columns { names, .. } => names.as_ref()?.parents.get(bone).map(|parent| parent.get()),
            BoneSource::Chain(chain) if bone < self.bone_count => chain.get(bone)?.parent,
            BoneSource::Chain(_) => None,
        }
    }

    /// A bone's transform in the bind pose, relative to [`relative`](Skeleton::relative); `None` if the
    /// format has none. O(1); in UEFormat files O(bones / 16).
    ///
    /// The quaternion is that of a column-vector chain: of ActorX bones, all but bone 0 are stored as the conjugate
    /// (ActorX reference, section 5).
    pub fn bind(&self, bone: usize) -> Option<Transform> {
        let stored = match &self.source {
            BoneSource::Columns { bind, .. } => {
                let columns = bind.as_ref()?;
                let (translation, stored) = (columns.translations.get(bone)?.get(), columns.rotations.get(bone)?.get());
                Transform::new(translation, columns.rule.apply(bone, stored))
            }
            BoneSource::Chain(chain) if bone < self.bone_count => chain.get(bone)?.bind?,
            BoneSource::Chain(_) => return None,
        };
        Some(self.change.transform(&stored))
    }

    /// A bone's transform at rest: as [`bind`](Skeleton::bind), with a rotation of unit length; the identity if the format has
    /// none. O(1).
    pub fn rest(&self, bone: usize) -> Transform {
        self.bind(bone).unwrap_or_default().with_unit_rotation()
    }

    /// A bone's parent; `None` for a root, for a format without parents or a bone that does not exist. Parents may form a cycle
    /// in a damaged file; [`ancestors`](Skeleton::ancestors) ends even then. O(1); in UEFormat files O(bones / 16).
    pub fn parent(&self, bone: usize) -> Option<usize> {
        self.meant(bone, self.stored_parent(bone)?)
    }

    /// The parent that a stored index of a bone means; `None` for a root.
    fn meant(&self, bone: usize, stored: i32) -> Option<usize> {
        let parent = usize::try_from(stored).ok()?;
        let is_root = parent == bone || parent >= self.bone_count;
        (!is_root).then_some(parent)
    }

    /// All bones in index order. O(1) each, in every family: faster than by index where the names have different lengths inside of the bones.
    ///
    /// ```
    /// use skelmap::Asset;
    ///
    /// let bytes = std::fs::read("corpus/fox.psk")?;
    /// let mesh = Asset::parse(&bytes)?.mesh().ok_or("no mesh")?;
    /// for (index, bone) in mesh.skeleton().bones().enumerate() {
    ///     println!("{index}: {:?} under {:?}, {:?}", bone.name, bone.parent, bone.rest());
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bones(&self) -> impl Iterator<Item = Bone<'a>> + use<'a> {
        let own = *self;
        let bone = move |index, (name, stored, bind): (_, Option<i32>, _)| Bone {
            name,
            parent: stored.and_then(|stored| own.meant(index, stored)),
            bind,
        };
        self.each(
            move |index| bone(index, (own.name(index), own.stored_parent(index), own.bind(index))),
            move |index, next| {
                let bind = next.bind.map(|stored| own.change.transform(&stored));
                bone(index, (Some(next.name), next.parent, bind))
            },
        )
    }

    /// What functions make of all bones, in index order: of one by its index, or of the next one of a chain.
    fn each<T, I, C>(self, by_index: I, of_chain: C) -> impl Iterator<Item = T> + use<'a, T, I, C>
    where
        I: Fn(usize) -> T,
        C: Fn(usize, ChainedBone<'a>) -> T,
    {
        let mut left = match self.source {
            BoneSource::Columns { .. } => None,
            BoneSource::Chain(chain) => Some(chain),
        };
        (0..self.bone_count).map_while(move |index| match &mut left {
            None => Some(by_index(index)),
            Some(chain) => {
                let (bone, rest) = chain.split_first()?;
                *chain = rest;
                Some(of_chain(index, bone))
            }
        })
    }

    /// The names of all bones, without their places. O(1) each.
    fn all_names(&self) -> impl Iterator<Item = Option<Text<'a>>> {
        self.each(|index| self.name(index), |_, bone| Some(bone.name))
    }

    /// The stored indices of the parents of all bones, whatever they mean. O(1) each.
    pub(crate) fn stored_parents(self) -> impl Iterator<Item = Option<i32>> + use<'a> {
        self.each(move |index| self.stored_parent(index), |_, bone| bone.parent)
    }

    /// The parents of all bones. O(1) each.
    pub(crate) fn parents(self) -> impl Iterator<Item = Option<usize>> + use<'a> {
        (0..).zip(self.stored_parents()).map(move |(index, stored)| self.meant(index, stored?))
    }

    /// The roots in index order. O(bones) for all.
    pub fn roots(&self) -> impl Iterator<Item = usize> + use<'a> {
        (0..).zip(self.parents()).filter(|(_, parent)| parent.is_none()).map(|(bone, _): (usize, _)| bone)
    }

    /// A bone's children in index order. O(bones) for all.
    pub fn children(&self, bone: usize) -> impl Iterator<Item = usize> + use<'a> {
        (0..).zip(self.parents()).filter(move |(_, parent)| *parent == Some(bone)).map(|(child, _): (usize, _)| child)
    }

    /// A bone's parent, grandparent and so on to the root. At most the number of bones, even in a cycle.
    pub fn ancestors(&self, bone: usize) -> impl Iterator<Item = usize> + use<'a> {
        let skeleton = *self;
        core::iter::successors(self.parent(bone), move |bone| skeleton.parent(*bone)).take(self.bone_count)
    }

    /// The first bone with this name. Ignores ASCII case and trailing spaces. O(bones).
    pub fn find(&self, name: &str) -> Option<usize> {
        self.all_names().position(|own| own.is_some_and(|own| own.matches(name)))
    }

    /// Names and parents of the bones as bytes for comparison: equal for equal skeletons, without regard to ASCII case. Empty
    /// without names, and for more bones than [`MAX_NAMED`].
    pub(crate) fn to_key(self) -> Vec<u8> {
        let mut key = Vec::new();
        for (parent, name) in self.parents().zip(self.to_names().unwrap_or_default()) {
            let parent = parent.and_then(|parent| i32::try_from(parent).ok()).unwrap_or(-1);
            key.extend(name);
            key.push(0);
            key.extend(parent.to_le_bytes());
        }
        key
    }

    /// The names in the form for comparison; `None` without names, and for more than 2,097,152 bones. O(bones).
    pub fn to_names(self) -> Option<Vec<Vec<u8>>> {
        if self.bone_count > MAX_NAMED || !self.has_names() {
            return None;
        }
        Some(self.all_names().map_while(|name| Some(name?.as_bytes().to_ascii_lowercase())).collect())
    }

    /// An order with every bone after its parent. O(bones) in time and memory; no recursion. Cycles are cut and reported.
    pub fn to_order(&self) -> BoneOrder {
        let mut order = BoneOrder { parents_first: Vec::with_capacity(self.bone_count), ..BoneOrder::default() };
        let parents: Vec<Option<usize>> = self.parents().collect();
        let mut seen = alloc::vec![Seen::No; self.bone_count];
        let mut path = Vec::new();
        for bone in 0..self.bone_count {
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
                next = parents.get(climbed).copied().flatten();
            }
            for placed in path.drain(..).rev() {
                if let Some(state) = seen.get_mut(placed) {
                    *state = Seen::Placed;
                }
                order.parents_first.push(to_u32(placed));
            }
        }
        order.cut.sort_unstable();
        let is_orphan = |stored: Option<i32>| {
            stored.and_then(|stored| usize::try_from(stored).ok()).is_some_and(|stored| stored >= self.bone_count)
        };
        let orphans = (0..).zip(self.stored_parents()).skip(1).filter(|(_, stored)| is_orphan(*stored));
        order.orphans = orphans.map(|(index, _): (usize, _)| to_u32(index)).collect();
        order
    }
}

/// The result of [`Skeleton::to_order`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BoneOrder {
    /// Every bone once, after its parent unless it is cut.
    pub parents_first: Vec<u32>,
    /// The bone with the lowest index of each cycle, in ascending order: roots. Empty in a sound file.
    pub cut: Vec<u32>,
    /// The bones whose stored parent does not exist, in ascending order: roots. Empty in a sound file.
    pub orphans: Vec<u32>,
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
    cycle.rotate_left(turn.min(cycle.len()));
    cycle.last().copied().unwrap_or(again)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bone of a fictitious family: a letter for its name, and its parent, which is also its place on x.
    fn read(bytes: &[u8], _: u64) -> Option<(ChainedBone<'_>, usize)> {
        let [_, parent] = *bytes.get(..2)? else { return None };
        let bind = Some(Transform { translation: [parent.into(), 0.0, 0.0], ..Transform::IDENTITY });
        Some((ChainedBone { name: Text::new(bytes.get(..1)?), parent: Some(parent.into()), bind }, 2))
    }

    fn chain(bone_count: usize, bytes: &[u8], read: ReadBone) -> Skeleton<'_> {
        Skeleton::of_chain(bone_count, BoneChain { bytes, marks: Marks::default(), read, number: 0 })
    }

    /// What follows the last bone may look like another one.
    #[test]
    fn of_bones_that_lie_one_after_the_other_none_is_read_behind_the_last() {
        let skeleton = chain(3, b"a\0b\x00c\x01d\x02e\x02", read);
        for (bone, (name, parent)) in [("a", 0_u8), ("b", 0), ("c", 1)].into_iter().enumerate() {
            assert!(skeleton.name(bone).is_some_and(|own| own.as_bytes() == name.as_bytes()), "{name}");
            assert_eq!(skeleton.stored_parent(bone), Some(parent.into()), "{name}");
            assert_eq!(skeleton.bind(bone).map(|own| own.translation), Some([parent.into(), 0.0, 0.0]), "{name}");
        }
        for bone in [3, 4, 5, usize::MAX] {
            assert!(skeleton.name(bone).is_none() && skeleton.bind(bone).is_none(), "{bone}");
            assert_eq!((skeleton.stored_parent(bone), skeleton.parent(bone)), (None, None), "{bone}");
        }
        assert_eq!((skeleton.bones().count(), skeleton.find("d")), (3, None));
    }

    #[test]
    fn a_bone_without_bytes_is_no_bone_of_a_chain() {
        let empty: ReadBone = |_, _| Some((ChainedBone::default(), 0));
        assert_eq!(chain(3, b"abc", empty).bones().count(), 0);
        assert_eq!(chain(3, b"a\0b\0c\0", read).bones().count(), 3);
    }

    /// The file has fewer bones than it says, so that the test need not have so many.
    #[test]
    fn names_are_copied_for_2097152_bones_and_for_no_more() {
        let names = |count| chain(count, b"A\0", read).to_names();
        assert_eq!(names(1 << 21), Some(alloc::vec![b"a".to_vec()]));
        assert_eq!(names((1 << 21) + 1), None);
    }
}
