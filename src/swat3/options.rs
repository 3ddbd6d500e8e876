//! Versions of the format, and options for parsing.

use core::fmt::{self, Display, Formatter};

use super::bones::BoneLayout;

/// The versions of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum GsaVersion {
    /// 4.1: frames without events, all of the same length.
    V4_1,
    /// 4.2: frames with events.
    V4_2,
}

impl GsaVersion {
    /// The major and the minor number.
    pub const fn numbers(self) -> (u8, u8) {
        match self {
            Self::V4_1 => (4, 1),
            Self::V4_2 => (4, 2),
        }
    }

    /// How often a frame stores its number of events: never in 4.1, once in 4.2.
    pub const fn event_count_words(self) -> u8 {
        match self {
            Self::V4_1 => 0,
            Self::V4_2 => 1,
        }
    }
}

impl Display for GsaVersion {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (major, minor) = self.numbers();
        f.pad(&alloc::format!("{major}.{minor}"))
    }
}

/// How to find the end of the skeleton and its bones, whose layout is undocumented.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum SkeletonOption {
    /// Search the end; infer the layout for [`Gsa::bones`](super::Gsa::bones).
    #[default]
    Auto,
    /// Search the end; return no bones.
    Opaque,
    /// Find the end and the bones by this layout. Rotations may have any length, so this option reads files that the search
    /// rejects.
    #[cfg_attr(feature = "serde", serde(serialize_with = "as_text"))]
    Given(BoneLayout),
}

/// A layout as text.
#[cfg(feature = "serde")]
fn as_text<S: serde::Serializer>(layout: &BoneLayout, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(layout)
}

/// How to check the end of the skeleton.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum Uniqueness {
    /// Test every candidate in the file; exactly one must pass. O(file).
    #[default]
    Strict,
    /// Use the first candidate that fits the length of the file. Rotations are only tested if the length is weak evidence (a
    /// single frame of all bones, or frames that differ from the version). In version 4.1, reads little more than the skeleton.
    First,
}

/// The options of [`Gsa::parse_with`](super::Gsa::parse_with); [`Gsa::parse`](super::Gsa::parse) uses the default.
///
/// ```
/// use skelmap::swat3::{BoneLayout, Gsa, NameForm, Options, SkeletonOption};
///
/// let bytes = std::fs::read("tests/corpus/swat3/gsa/plain.gsa")?;
/// let layout = BoneLayout::new(4, NameForm::U16, 28);
/// let mut options = Options::default();
/// options.skeleton = SkeletonOption::Given(layout);
/// let animation = Gsa::parse_with(&bytes, &options)?;
/// assert_eq!(animation.bones()?.layout(), &layout);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Options {
    /// The end of the skeleton, and its bones.
    pub skeleton: SkeletonOption,
    /// How to check that end.
    pub uniqueness: Uniqueness,
    /// Whether up to three zero bytes may follow the last frame, as a quirk. (Two or four zeros after a single frame are always
    /// read as its event counts; that is a quirk too.)
    pub trailing_zeros: bool,
}
