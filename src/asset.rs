//! Any file of a known format, and what all formats have in common.

use crate::actorx::{Psa, Psk};
use crate::error::Error;
#[cfg(feature = "std")]
use crate::finding::Finding;
use crate::format::Format;
use crate::pyrogenesis::{self, Pmd, Strictness};
use crate::quirk::Quirk;
use crate::swat3::{self, Gsa};

/// What is accepted, where a format has a choice. The default is what the parsers of the formats do by themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "made by struct update from its default")]
pub struct ParseOptions {
    /// How odd a Pyrogenesis file may be.
    pub pyrogenesis: Strictness,
    /// How SWAT 3 animations are taken.
    pub swat3: swat3::Options,
}

/// A file of any format that this crate reads, told apart by its first bytes.
///
/// ```
/// use skelmap::Asset;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let bytes = std::fs::read("corpus/actorx/anim/classic.psa")?;
/// let asset = Asset::parse(&bytes)?;
/// println!("{}: {:?} bones", asset.format(), asset.summary().bones);
/// if let Asset::ActorxPsa(animation) = asset {
///     println!("{} sequences", animation.infos().len());
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Asset<'a> {
    /// An ActorX mesh.
    ActorxPsk(Psk<'a>),
    /// An ActorX animation.
    ActorxPsa(Psa<'a>),
    /// A Pyrogenesis mesh.
    PyrogenesisPmd(Pmd<'a>),
    /// A Pyrogenesis animation.
    PyrogenesisPsa(pyrogenesis::Psa<'a>),
    /// A SWAT 3 animation.
    Swat3Gsa(Gsa<'a>),
}

impl<'a> Asset<'a> {
    /// Tells the format and parses the file with the parser of that format.
    ///
    /// # Errors
    /// Those of [`Format::sniff`] and of the format's parser.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        Self::parse_with(bytes, &ParseOptions::default())
    }

    /// [`parse`](Asset::parse) with a choice of what to accept, where a format has one.
    ///
    /// # Errors
    /// Those of [`parse`](Asset::parse), as far as the options have them.
    pub fn parse_with(bytes: &'a [u8], options: &ParseOptions) -> Result<Self, Error> {
        let strictness = options.pyrogenesis;
        match Format::sniff(bytes)? {
            Format::ActorxPsk => Psk::parse(bytes).map(Self::ActorxPsk),
            Format::ActorxPsa => Psa::parse(bytes).map(Self::ActorxPsa),
            Format::PyrogenesisPmd => Pmd::parse_as(bytes, strictness).map(Self::PyrogenesisPmd),
            Format::PyrogenesisPsa => pyrogenesis::Psa::parse_as(bytes, strictness).map(Self::PyrogenesisPsa),
            Format::Swat3Gsa => Gsa::parse_with(bytes, &options.swat3).map(Self::Swat3Gsa),
        }
    }

    /// The format.
    pub const fn format(&self) -> Format {
        match self {
            Self::ActorxPsk(_) => Format::ActorxPsk,
            Self::ActorxPsa(_) => Format::ActorxPsa,
            Self::PyrogenesisPmd(_) => Format::PyrogenesisPmd,
            Self::PyrogenesisPsa(_) => Format::PyrogenesisPsa,
            Self::Swat3Gsa(_) => Format::Swat3Gsa,
        }
    }

    /// What can be counted: from headers alone, but for the sequences' records (and the names in a SWAT 3 skeleton).
    /// O(chunks + sequences), no allocation.
    pub fn summary(&self) -> Summary {
        match self {
            Self::ActorxPsk(mesh) => Summary::of_mesh(mesh),
            Self::ActorxPsa(animation) => Summary::of_animation(animation),
            Self::PyrogenesisPmd(mesh) => Summary::of_pmd(mesh),
            Self::PyrogenesisPsa(animation) => Summary::of_states(animation),
            Self::Swat3Gsa(animation) => Summary::of_frames(animation),
        }
    }

    /// What was odd and how it was read, in file order. No allocation.
    pub fn quirks(&self) -> impl Iterator<Item = Quirk> + use<'a> {
        let (mut psk, mut psa, mut pmd, mut states, mut gsa) = (None, None, None, None, None);
        match self {
            Self::ActorxPsk(mesh) => psk = Some(mesh.quirks()),
            Self::ActorxPsa(animation) => psa = Some(animation.quirks()),
            Self::PyrogenesisPmd(mesh) => pmd = Some(mesh.quirks()),
            Self::PyrogenesisPsa(animation) => states = Some(animation.quirks()),
            Self::Swat3Gsa(animation) => gsa = Some(animation.quirks()),
        }
        let of_actorx = psk.into_iter().flatten().chain(psa.into_iter().flatten());
        let of_pyrogenesis = pmd.into_iter().flatten().chain(states.into_iter().flatten());
        of_actorx.chain(of_pyrogenesis).chain(gsa.into_iter().flatten())
    }

    /// Reads all the data and reports what is wrong with it. O(file).
    #[cfg(feature = "std")]
    pub fn check(&self) -> alloc::vec::Vec<Finding> {
        match self {
            Self::ActorxPsk(mesh) => mesh.check(),
            Self::ActorxPsa(animation) => animation.check(),
            Self::PyrogenesisPmd(mesh) => mesh.check(),
            Self::PyrogenesisPsa(animation) => animation.check(),
            Self::Swat3Gsa(animation) => animation.check(),
        }
    }
}

/// The counts of a file. `None` where a count does not apply to the format.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Summary {
    /// Bones. Not known for a SWAT 3 animation of some bones, unless the layout of its skeleton is.
    pub bones: Option<u64>,
    /// Points: positions that wedges share; in Pyrogenesis meshes, which have no wedges, the vertices.
    pub points: Option<u64>,
    /// Wedges: corners of faces, each with its texture coordinate.
    pub wedges: Option<u64>,
    /// Triangles.
    pub faces: Option<u64>,
    /// Material slots.
    pub materials: Option<u64>,
    /// UV sets, the first one included.
    pub uv_sets: Option<u64>,
    /// Sequences; 1 in Pyrogenesis and SWAT 3 animations, which are one each.
    pub sequences: Option<u64>,
    /// Frames of all sequences together.
    pub frames: Option<u64>,
    /// Seconds of all sequences together, leaving out those whose rate is not a positive number.
    pub duration_s: Option<f64>,
}

impl Summary {
    fn of_mesh(mesh: &Psk<'_>) -> Self {
        Self {
            bones: count(mesh.bones().len()),
            points: count(mesh.points().len()),
            wedges: count(mesh.wedges().len()),
            faces: count(mesh.faces().len()),
            materials: count(mesh.materials().len()),
            uv_sets: count(mesh.uv_set_count()),
            ..Self::default()
        }
    }

    fn of_animation(animation: &Psa<'_>) -> Self {
        let frames = animation.sequences().map(|sequence| u64::from(sequence.info().frames()));
        let seconds = animation.sequences().filter_map(|sequence| sequence.duration());
        Self {
            bones: count(animation.bones().len()),
            sequences: count(animation.infos().len()),
            frames: Some(frames.fold(0, u64::saturating_add)),
            duration_s: Some(seconds.fold(0.0, |sum, duration| sum + duration)),
            ..Self::default()
        }
    }
}

impl Summary {
    fn of_pmd(mesh: &Pmd<'_>) -> Self {
        Self {
            bones: count(mesh.bind_pose().len()),
            points: count(mesh.vertices().len()),
            faces: count(mesh.faces().len()),
            uv_sets: count(mesh.uv_set_count()),
            ..Self::default()
        }
    }

    fn of_states(animation: &pyrogenesis::Psa<'_>) -> Self {
        Self {
            bones: count(animation.bone_count()),
            sequences: Some(1),
            frames: count(animation.frame_count()),
            duration_s: animation.duration_ms().map(|duration| duration / 1000.0),
            ..Self::default()
        }
    }

    fn of_frames(animation: &Gsa<'_>) -> Self {
        Self {
            bones: animation.bone_count().and_then(count),
            sequences: Some(1),
            frames: count(animation.frame_count()),
            duration_s: Some(animation.duration()),
            ..Self::default()
        }
    }
}

fn count(length: usize) -> Option<u64> {
    u64::try_from(length).ok()
}
