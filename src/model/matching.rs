//! The match of an animation with a mesh: bones matched, missing and extra, and a verdict.

use alloc::{collections::BTreeMap, format, vec::Vec};
use core::fmt::{self, Display, Formatter};

use super::distances::Distances;
use super::skeleton::Skeleton;
use crate::bytes::to_u64;

/// The result of a comparison of the bones of a mesh and an animation.
///
/// ```
/// use skelmap::{Asset, Match, Verdict};
///
/// let (mesh, animation) = (std::fs::read("tests/corpus/actorx/mesh/classic.psk")?, std::fs::read("tests/corpus/actorx/anim/classic.psa")?);
/// let found = Match::of(&Asset::parse(&mesh)?, &Asset::parse(&animation)?).ok_or("not a mesh and an animation")?;
/// assert_eq!(found.verdict(), Verdict::Exact);
/// println!("{found}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Match {
    /// Bones in both.
    pub matched: u64,
    /// Bones of the mesh that the animation does not have.
    pub missing: u64,
    /// Bones of the animation that the mesh does not have.
    pub extra: u64,
    /// Matched bones with different parents in mesh and animation. Only known by names; 0 if the animation is flat or has no parents.
    pub reparented: u64,
    /// Whether the animation has no hierarchy although the mesh has one: some exporters attach every bone to the first one. Its
    /// tracks still move the bones of the mesh.
    pub is_flat: bool,
    /// Whether bones were matched by name. Otherwise their numbers were compared: all match or none.
    pub by_name: bool,
    /// For bones without names, the change of their distances as a fraction of the size of the skeleton; `None` if not
    /// measured. See [`Distances::change`](super::Distances::change) and, with known parents,
    /// [`Distances::change_along`](super::Distances::change_along).
    pub length_change: Option<f64>,
    /// For each bone of the animation, the index of its bone in the mesh; `None` for an extra bone. Empty for bones without
    /// names, whose indices are equal in both.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub bones: Vec<Option<u32>>,
}

/// The meaning of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Verdict {
    /// `exact`: both have the same bones by name.
    Exact,
    /// `fits`: the mesh has all bones of the animation, or the animation all bones of the mesh; without names: equal numbers of
    /// bones, and constant distances.
    Fits,
    /// `in-part`: the mesh has at least half of the animation's bones.
    InPart,
    /// `same-count`: equal numbers of bones without names, which is all that the game compares. Distances were not compared, or
    /// they change so much that the animation probably has another skeleton.
    SameCount,
    /// `hardly`: the mesh has fewer than half of the animation's bones.
    Hardly,
    /// `not`: no bone in common; for bones without names, a different number of bones.
    Not,
}

impl Verdict {
    /// All verdicts, from the best to the worst.
    pub const ALL: [Self; 6] = [Self::Exact, Self::Fits, Self::InPart, Self::SameCount, Self::Hardly, Self::Not];

    /// The stable name, as the command line prints it.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Fits => "fits",
            Self::InPart => "in-part",
            Self::SameCount => "same-count",
            Self::Hardly => "hardly",
            Self::Not => "not",
        }
    }
}

impl Match {
    /// The maximum change of distances within one skeleton, for bones without names.
    pub const RIGID: f64 = 0.005;

    /// Compares numbers of bones, as for bones without names.
    pub fn by_count(mesh: usize, animation: usize) -> Self {
        if mesh == animation {
            return Self { matched: to_u64(mesh), ..Self::default() };
        }
        Self::unrelated(mesh, animation)
    }

    /// A match of two families: no bone matches.
    pub(crate) fn unrelated(mesh: usize, animation: usize) -> Self {
        Self { missing: to_u64(mesh), extra: to_u64(animation), ..Self::default() }
    }

    /// A match by name, from the numbers of bones in a mesh, in an animation, and in both.
    pub(crate) fn of_names(mesh: usize, animation: usize, both: usize) -> Self {
        let rest = |all: usize| to_u64(all.saturating_sub(both));
        Self { matched: to_u64(both), missing: rest(mesh), extra: rest(animation), by_name: true, ..Self::default() }
    }

    /// The default for the minimum percentage of the animation's bones that the mesh must have, if both have bones that the
    /// other does not have.
    pub const MIN_PERCENT: f64 = 90.0;

    /// Whether the animation can play on the mesh, by bones, parents and lengths alone. Every command and binding that joins
    /// meshes and animations uses this rule; the fields of the match are the evidence.
    ///
    /// By name: the mesh has all bones of the animation or at least `min_percent` of them ([`MIN_PERCENT`](Self::MIN_PERCENT)),
    /// or the animation has all bones of the mesh. Without names: the numbers of bones are equal, and the distances between
    /// bones stay ([`RIGID`](Self::RIGID)) or were not measured. An animation without any bone of the mesh never plays.
    ///
    /// A [`Binding`](crate::model::Binding) measures nothing. Many models of 0 A.D. have equal numbers of bones, so measure there:
    /// `Match::measured` with the [`Distances`](crate::model::Distances) of both.
    ///
    /// ```
    /// use skelmap::Match;
    ///
    /// let mut found = Match::by_count(23, 23);
    /// assert!(found.can_play(Match::MIN_PERCENT));
    /// found.length_change = Some(0.054);
    /// assert!(!found.can_play(Match::MIN_PERCENT), "an animation of another skeleton");
    /// ```
    pub fn can_play(&self, min_percent: f64) -> bool {
        match self.verdict() {
            Verdict::Exact | Verdict::Fits => true,
            Verdict::SameCount => self.length_change.is_none(),
            Verdict::InPart | Verdict::Hardly => self.percent_of_animation() >= min_percent,
            Verdict::Not => false,
        }
    }

    /// Adds the evidence of distances, for bones without names: whether they stay constant. `rest`: the distances of the mesh;
    /// `moved`: those of the animation, usually of its first clip.
    ///
    /// ```
    /// use skelmap::{Asset, Match, Verdict, model::Distances};
    ///
    /// let (mesh, animation) = (std::fs::read("corpus/fox.pmd")?, std::fs::read("corpus/fox_walk.psa")?);
    /// let (mesh, animation) = (Asset::parse(&mesh)?, Asset::parse(&animation)?);
    /// let found = Match::of(&mesh, &animation).ok_or("not a mesh and an animation")?;
    /// assert_eq!(found.verdict(), Verdict::SameCount);
    /// let rest = mesh.mesh().and_then(|mesh| Distances::of_mesh(&mesh));
    /// let moved = animation.clips().next().and_then(|clip| Distances::of_clip(&clip));
    /// assert_eq!(found.measured(rest.as_ref(), moved.as_ref()).verdict(), Verdict::Fits);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn measured(mut self, rest: Option<&Distances>, moved: Option<&Distances>) -> Self {
        if self.is_counted() {
            self.length_change = rest.zip(moved).and_then(|(rest, moved)| rest.change(moved));
        }
        self
    }

    /// Whether the bones have no names and their numbers are equal, so that distances are evidence.
    pub const fn is_counted(&self) -> bool {
        !self.by_name && self.matched > 0
    }

    /// Matched bones in percent of the mesh's; 100 for a mesh without bones.
    pub fn percent_of_mesh(&self) -> f64 {
        percent(self.matched, self.missing)
    }

    /// Matched bones in percent of the animation's; 100 for an animation without bones.
    pub fn percent_of_animation(&self) -> f64 {
        percent(self.matched, self.extra)
    }

    /// The meaning of the match.
    pub const fn verdict(&self) -> Verdict {
        match *self {
            Self { matched: 0, .. } => Verdict::Not,
            Self { by_name: false, length_change: Some(change), .. } if change <= Self::RIGID => Verdict::Fits,
            Self { by_name: false, .. } => Verdict::SameCount,
            Self { missing: 0, extra: 0, .. } => Verdict::Exact,
            Self { missing: 0, .. } | Self { extra: 0, .. } => Verdict::Fits,
            Self { matched, extra, .. } if matched >= extra => Verdict::InPart,
            _ => Verdict::Hardly,
        }
    }
}

/// The bones of a mesh, prepared for comparison with many animations. See [`Match::of`].
#[derive(Clone, Debug)]
pub struct Matcher {
    pub(crate) family: &'static str,
    count: usize,
    /// The names of the bones, in the form for comparison.
    names: Option<Vec<Vec<u8>>>,
    /// For each bone, the index of the parent.
    parents: Vec<Option<usize>>,
    /// The bones of each name, in their order.
    by_name: BTreeMap<Vec<u8>, Vec<usize>>,
}

impl Matcher {
    /// Prepares the bones of a mesh. O(bones * log bones).
    pub(crate) fn of_skeleton(family: &'static str, skeleton: &Skeleton<'_>) -> Self {
        let names = skeleton.to_names();
        let parents = if names.is_some() { skeleton.parents().collect() } else { Vec::new() };
        let mut by_name: BTreeMap<Vec<u8>, Vec<usize>> = BTreeMap::new();
        for (index, name) in names.iter().flatten().enumerate() {
            by_name.entry(name.clone()).or_default().push(index);
        }
        Self { family, count: skeleton.bone_count(), names, parents, by_name }
    }

    /// Compares the bones of an animation.
    pub(crate) fn match_skeleton(&self, animation: &Skeleton<'_>) -> Match {
        match (&self.names, animation.to_names()) {
            (Some(mesh), Some(names)) => self.match_names(mesh, &names, animation),
            _ => Match::by_count(self.count, animation.bone_count()),
        }
    }

    fn match_names(&self, mesh: &[Vec<u8>], animation: &[Vec<u8>], skeleton: &Skeleton<'_>) -> Match {
        // The number of matched bones of each name.
        let mut taken: BTreeMap<&[u8], usize> = BTreeMap::new();
        let mut bones = Vec::with_capacity(animation.len());
        let (mut matched, mut extra, mut reparented) = (0_u64, 0_u64, 0_u64);
        let parents: Vec<_> = skeleton.parents().collect();
        // Tracks of UEFormat have no parents, so that none differs.
        let has_parents = skeleton.stored_parents().any(|stored| stored.is_some());
        for (bone, name) in animation.iter().enumerate() {
            let in_mesh = self.by_name.get(name).and_then(|same| {
                let next = taken.entry(name).or_default();
                let in_mesh = *same.get(*next)?;
                *next = next.saturating_add(1);
                Some(in_mesh)
            });
            if let Some(other) = in_mesh {
                matched = matched.saturating_add(1);
                let parent = self.parents.get(other).copied().flatten().and_then(|parent| mesh.get(parent));
                let moved = has_parents
                    && parent != parents.get(bone).copied().flatten().and_then(|parent| animation.get(parent));
                reparented = reparented.saturating_add(moved.into());
            } else {
                extra = extra.saturating_add(1);
            }
            bones.push(in_mesh.and_then(|index| u32::try_from(index).ok()));
        }
        let missing = to_u64(mesh.len()).saturating_sub(matched);
        let is_flat = reparented > 1 && is_flat(&parents) && !is_flat(&self.parents);
        let reparented = if is_flat { 0 } else { reparented };
        Match { matched, missing, extra, reparented, is_flat, by_name: true, length_change: None, bones }
    }
}

/// Whether at least three bones are all children of the first one, or all roots.
fn is_flat(parents: &[Option<usize>]) -> bool {
    parents.len() > 2 && parents.iter().skip(1).all(|parent| parent.is_none_or(|parent| parent == 0))
}

#[expect(clippy::cast_precision_loss, clippy::as_conversions, reason = "no skeleton has 2^53 bones")]
fn percent(part: u64, rest: u64) -> f64 {
    match part.saturating_add(rest) {
        0 => 100.0,
        all => part as f64 * 100.0 / all as f64,
    }
}

impl Display for Match {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { matched, missing, extra, reparented, by_name, .. } = *self;
        let exactly = if reparented == 0 && !self.is_flat { " exactly" } else { "" };
        let bones = |count: u64| format!("{count} {}", if count == 1 { "bone" } else { "bones" });
        match (self.verdict(), by_name) {
            (Verdict::Exact, _) => write!(f, "fits{exactly}: all {matched} bone names are the same"),
            (Verdict::SameCount, _) => {
                let may = if self.length_change.is_none() { "may fit" } else { "probably does not fit" };
                write!(f, "{may}: both have {}, which is all that the game compares, ", bones(matched))?;
                match self.length_change.map(|change| change * 100.0) {
                    None => f.write_str("but the distances between the bones are not known"),
                    Some(percent) => write!(
                        f,
                        "but the distances between them differ by {percent:.1} % of the skeleton's size: another skeleton, or another order of bones"
                    ),
                }
            }
            (Verdict::Fits, false) => write!(f, "fits: both have {}, at the same distances", bones(matched)),
            (Verdict::Not, false) if missing == extra => {
                f.write_str("does not fit: the files are of different families")
            }
            (Verdict::Not, false) => write!(f, "does not fit: the mesh has {}, the animation {extra}", bones(missing)),
            (Verdict::Not, true) => f.write_str("does not fit: no bone in common"),
            (Verdict::Fits, _) if extra == 0 => {
                write!(f, "fits: the animation leaves {} of the mesh in the bind pose", bones(missing))
            }
            (Verdict::Fits, _) => write!(f, "fits: the mesh does not have {} of the animation", bones(extra)),
            (Verdict::InPart, _) => {
                let [extra, missing] = [extra, missing].map(bones);
                write!(f, "fits in part: the mesh does not have {extra} of the animation, ")?;
                write!(f, "which leaves {missing} of the mesh in the bind pose")
            }
            (Verdict::Hardly, _) => {
                let all = bones(matched.saturating_add(extra));
                write!(f, "hardly fits: the mesh has only {matched} of the {all} of the animation")
            }
        }?;
        match reparented {
            0 if self.is_flat => {
                f.write_str("; the animation has no hierarchy: all bones are children of the first one")
            }
            0 => Ok(()),
            1 => f.write_str(", and 1 bone has another parent"),
            count => write!(f, ", and {count} of the bones have other parents"),
        }
    }
}
