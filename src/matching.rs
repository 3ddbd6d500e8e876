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
    /// bones is not known. O(bones); for many animations of one mesh, see [`Matcher`].
    pub fn of(mesh: &Asset<'_>, animation: &Asset<'_>) -> Option<Self> {
        Matcher::new(mesh)?.matched(animation)
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

/// A mesh to compare many animations with: its bones are looked at once.
///
/// ```
/// use skelmap::{Asset, Matcher};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mesh = std::fs::read("corpus/actorx/mesh/classic.psk")?;
/// let matcher = Matcher::new(&Asset::parse(&mesh)?).ok_or("not a mesh")?;
/// for path in ["corpus/actorx/anim/classic.psa", "corpus/pyrogenesis/psa/walk.psa"] {
///     let animation = std::fs::read(path)?;
///     println!("{path}: {:?}", matcher.matched(&Asset::parse(&animation)?).map(|found| found.verdict()));
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Matcher<'a> {
    bones: Bones<'a>,
}

/// What is known of a mesh's bones.
#[derive(Clone, Debug)]
enum Bones<'a> {
    /// The bones of each name, which is in lower case, in their order.
    Named(Skeleton<'a>, HashMap<Vec<u8>, Vec<usize>>),
    Pyrogenesis(usize),
    Swat3(usize),
}

impl<'a> Matcher<'a> {
    /// Looks at the bones of a mesh; of an animation, in a family whose meshes are not read. `None` for anything else, and where
    /// the number of bones is not known. O(bones).
    pub fn new(mesh: &Asset<'a>) -> Option<Self> {
        let bones = match mesh {
            Asset::ActorxPsk(mesh) => {
                let mut by_name: HashMap<Vec<u8>, Vec<usize>> = HashMap::new();
                for (index, bone) in mesh.bones().iter().enumerate() {
                    by_name.entry(bone.name().key().to_ascii_lowercase()).or_default().push(index);
                }
                Bones::Named(mesh.skeleton(), by_name)
            }
            Asset::PyrogenesisPmd(mesh) => Bones::Pyrogenesis(mesh.bind_pose().len()),
            // Meshes of SWAT 3 are not read; an animation that is known to fit stands in for one.
            Asset::Swat3Gsa(known) => Bones::Swat3(known.bone_count()?),
            Asset::ActorxPsa(_) | Asset::PyrogenesisPsa(_) => return None,
        };
        Some(Self { bones })
    }

    /// How an animation of the mesh's family goes with it; `None` for anything else. O(bones of the animation).
    pub fn matched(&self, animation: &Asset<'_>) -> Option<Match> {
        match (&self.bones, animation) {
            (Bones::Named(mesh, by_name), Asset::ActorxPsa(animation)) => {
                Some(by_names(*mesh, by_name, animation.skeleton()))
            }
            (Bones::Pyrogenesis(bones), Asset::PyrogenesisPsa(animation)) => {
                Some(Match::by_count(*bones, animation.bone_count()))
            }
            (Bones::Swat3(bones), Asset::Swat3Gsa(animation)) => Some(Match::by_count(*bones, animation.bone_count()?)),
            _ => None,
        }
    }
}

fn by_names(mesh: Skeleton<'_>, by_name: &HashMap<Vec<u8>, Vec<usize>>, animation: Skeleton<'_>) -> Match {
    // How many bones of a name have been matched.
    let mut taken: HashMap<&[u8], usize> = HashMap::new();
    let mut found = Match { matched: 0, missing: 0, extra: 0, reparented: 0, by_name: true };
    for (index, bone) in animation.bones().iter().enumerate() {
        let in_mesh = by_name.get_key_value(&bone.name().key().to_ascii_lowercase()).and_then(|(name, bones)| {
            let next = taken.entry(name).or_default();
            let in_mesh = bones.get(*next)?;
            *next = next.saturating_add(1);
            Some(*in_mesh)
        });
        match in_mesh {
            Some(in_mesh) => {
                let reparented = !have_same_parent(mesh, in_mesh, animation, index);
                found.matched = found.matched.saturating_add(1);
                found.reparented = found.reparented.saturating_add(reparented.into());
            }
            None => found.extra = found.extra.saturating_add(1),
        }
    }
    let all = u64::try_from(mesh.bones().len()).unwrap_or(u64::MAX);
    Match { missing: all.saturating_sub(found.matched), ..found }
}

/// Whether the parents of two bones have the same name, or neither has one.
fn have_same_parent(mesh: Skeleton<'_>, in_mesh: usize, animation: Skeleton<'_>, in_animation: usize) -> bool {
    let parent = |skeleton: Skeleton<'_>, bone: usize| {
        skeleton.parent(bone).and_then(|parent| skeleton.bones().get(parent)).map(crate::actorx::Bone::name).copied()
    };
    match (parent(mesh, in_mesh), parent(animation, in_animation)) {
        (Some(one), Some(other)) => one.same_as(&other),
        (one, other) => one.is_none() && other.is_none(),
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
