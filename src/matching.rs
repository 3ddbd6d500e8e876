//! Which animations fit a mesh: bones matched, missing and extra, and a verdict in words.

use std::collections::HashMap;
use std::fmt::{self, Display, Formatter};

use crate::actorx::Skeleton;
use crate::asset::Asset;

/// How the bones of an animation and of a mesh go together.
///
/// ```
/// use skelmap::{Asset, Match, Verdict};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let (mesh, animation) = (std::fs::read("corpus/actorx/mesh/classic.psk")?, std::fs::read("corpus/actorx/anim/classic.psa")?);
/// let found = Match::of(&Asset::parse(&mesh)?, &Asset::parse(&animation)?).ok_or("not a mesh and an animation")?;
/// assert_eq!(found.verdict(), Verdict::Exact);
/// println!("{found}");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Match {
    /// Bones that both have.
    pub matched: u64,
    /// Bones of the mesh that the animation does not move.
    pub missing: u64,
    /// Bones of the animation that the mesh does not have.
    pub extra: u64,
    /// Matched bones that have another parent in the animation than in the mesh. Only known by names.
    pub reparented: u64,
    /// Whether bones were matched by their names; otherwise their numbers alone were compared, and all match or none.
    pub by_name: bool,
}

/// What a match means, in one of few words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Verdict {
    /// `exact`: the same bones.
    Exact,
    /// `fits`: all bones of the animation are in the mesh, or all of the mesh in the animation.
    Fits,
    /// `in-part`: at least half of the animation's bones are in the mesh.
    InPart,
    /// `hardly`: fewer than half of the animation's bones are in the mesh.
    Hardly,
    /// `not`: no bone in common, or another number of bones where bones have no names.
    Not,
}

impl Verdict {
    /// The stable name, as the command line prints it.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Fits => "fits",
            Self::InPart => "in-part",
            Self::Hardly => "hardly",
            Self::Not => "not",
        }
    }
}

impl Match {
    /// Compares a mesh with an animation of its family; `None` for anything else.
    ///
    /// ActorX bones are matched by name, in any ASCII case and without blanks at the end, as Unreal does; bones of
    /// the same name one by one in their order. Pyrogenesis bones have no names: the engine asks for their number only. SWAT 3 asks for the number too; its meshes
    /// are not read, so that an animation that is known to fit stands in for one, and there is no answer where the number of
    /// bones is not known. O(bones).
    pub fn of(mesh: &Asset<'_>, animation: &Asset<'_>) -> Option<Self> {
        match (mesh, animation) {
            (Asset::ActorxPsk(mesh), Asset::ActorxPsa(animation)) => {
                Some(Self::by_name(mesh.skeleton(), animation.skeleton()))
            }
            (Asset::PyrogenesisPmd(mesh), Asset::PyrogenesisPsa(animation)) => {
                Some(Self::by_count(mesh.bind_pose().len(), animation.bone_count()))
            }
            // Meshes of SWAT 3 are not read; an animation that is known to fit stands in for one.
            (Asset::Swat3Gsa(known), Asset::Swat3Gsa(animation)) => {
                Some(Self::by_count(known.bone_count()?, animation.bone_count()?))
            }
            _ => None,
        }
    }

    /// Compares a number of bones with that of an animation, as where bones have no names.
    pub fn by_count(mesh: usize, animation: usize) -> Self {
        let count = |bones: usize| u64::try_from(bones).unwrap_or(u64::MAX);
        let fits = mesh == animation;
        Self {
            matched: if fits { count(mesh) } else { 0 },
            missing: if fits { 0 } else { count(mesh) },
            extra: if fits { 0 } else { count(animation) },
            reparented: 0,
            by_name: false,
        }
    }

    fn by_name(mesh: Skeleton<'_>, animation: Skeleton<'_>) -> Self {
        let key = |skeleton: Skeleton<'_>, bone: usize| {
            skeleton.bones().get(bone).map(|bone| bone.name().key().to_ascii_lowercase())
        };
        let parent = |skeleton: Skeleton<'_>, bone: usize| key(skeleton, skeleton.parent(bone)?);
        // The bones of a name, the last one first.
        let mut bones: HashMap<_, Vec<usize>> = HashMap::new();
        for bone in (0..mesh.bones().len()).rev() {
            bones.entry(key(mesh, bone)).or_default().push(bone);
        }
        let mut found = Self { matched: 0, missing: 0, extra: 0, reparented: 0, by_name: true };
        for bone in 0..animation.bones().len() {
            match bones.get_mut(&key(animation, bone)).and_then(Vec::pop) {
                Some(in_mesh) => {
                    found.matched = found.matched.saturating_add(1);
                    let reparented = parent(mesh, in_mesh) != parent(animation, bone);
                    found.reparented = found.reparented.saturating_add(reparented.into());
                }
                None => found.extra = found.extra.saturating_add(1),
            }
        }
        let all = u64::try_from(mesh.bones().len()).unwrap_or(u64::MAX);
        Self { missing: all.saturating_sub(found.matched), ..found }
    }

    /// Matched bones in percent of the mesh's; 100 for a mesh without bones.
    pub fn percent_of_mesh(&self) -> f64 {
        percent(self.matched, self.missing)
    }

    /// Matched bones in percent of the animation's; 100 for an animation without bones.
    pub fn percent_of_animation(&self) -> f64 {
        percent(self.matched, self.extra)
    }

    /// What it means.
    pub const fn verdict(&self) -> Verdict {
        match *self {
            Self { missing: 0, extra: 0, matched: 1.., .. } => Verdict::Exact,
            Self { matched: 0, .. } => Verdict::Not,
            Self { missing: 0, .. } | Self { extra: 0, .. } => Verdict::Fits,
            Self { matched, extra, .. } if matched >= extra => Verdict::InPart,
            _ => Verdict::Hardly,
        }
    }
}

#[expect(clippy::cast_precision_loss, clippy::as_conversions, reason = "no skeleton has so many bones")]
fn percent(part: u64, rest: u64) -> f64 {
    match part.saturating_add(rest) {
        0 => 100.0,
        all => part as f64 * 100.0 / all as f64,
    }
}

impl Display for Match {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { matched, missing, extra, reparented, by_name } = *self;
        match (self.verdict(), by_name) {
            (Verdict::Exact, true) => write!(f, "fits exactly: all {matched} bones are the same")?,
            (Verdict::Exact, false) => write!(f, "fits: both have {matched} bones, which is all that the game asks")?,
            (Verdict::Not, false) => write!(f, "does not fit: the mesh has {missing} bones, the animation {extra}")?,
            (Verdict::Not, true) => write!(f, "does not fit: no bone in common")?,
            (Verdict::Fits, _) if extra == 0 => {
                write!(f, "fits: {missing} bones of the mesh are not in it and keep their bind pose")?;
            }
            (Verdict::Fits, _) => write!(f, "fits: {extra} of its bones are not in the mesh and move nothing")?,
            (Verdict::InPart, _) => {
                write!(
                    f,
                    "fits in part: {extra} of its bones are not in the mesh, {missing} of the mesh are not in it"
                )?;
            }
            (Verdict::Hardly, _) => {
                write!(
                    f,
                    "hardly fits: only {matched} of its {} bones are in the mesh",
                    matched.saturating_add(extra)
                )?;
            }
        }
        match reparented {
            0 => Ok(()),
            1 => f.write_str("; 1 bone has another parent"),
            count => write!(f, "; {count} bones have other parents"),
        }
    }
}
