//! The side-car of an animation, `<name>.config`: which tracks take their translation or rotation from the mesh.
//!
//! Lines as UModel writes them (ActorX reference, section 6.1). Without it some animations tear the mesh apart: their keys hold
//! zeros where the bind pose is meant.

#[cfg(feature = "std")]
use alloc::{string::String, vec::Vec};
#[cfg(feature = "std")]
use std::collections::HashMap;

#[cfg(feature = "std")]
use super::record::Bone;
use crate::text::{Text, trim_spaces};

/// A side-car, in place: its lines are parsed as they are asked for.
///
/// Names match in any ASCII case. Any bytes are a side-car; a line that fits no rule comes out as [`Entry::Unknown`].
///
/// ```
/// use skelmap::actorx::{Config, Entry, KeyParts};
///
/// let config = Config::new(b"[AnimSet]\r\nbAnimRotationOnly=1\r\n[RemoveTracks]\r\nWalk.End.3=trans\r\n");
/// let mut lines = config.entries();
/// assert!(matches!(lines.next(), Some((2, Entry::RotationOnly(true)))));
/// let Some((4, Entry::RemoveTrack { sequence, bone, parts })) = lines.next() else { panic!() };
/// assert!(sequence.matches("walk.end"));
/// assert_eq!((bone, parts), (3, KeyParts::Translation));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Config<'a> {
    bytes: &'a [u8],
}

/// What one line of a side-car says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Entry<'a> {
    /// `bAnimRotationOnly`: whether all bones but the root take their translation from the mesh.
    RotationOnly(bool),
    /// A bone whose translation is animated even so.
    UseTranslation(Text<'a>),
    /// A bone whose translation always comes from the mesh.
    ForceMeshTranslation(Text<'a>),
    /// A track without keys of one kind or both; what the file holds there are dummies.
    RemoveTrack {
        /// The sequence's name.
        sequence: Text<'a>,
        /// The bone's index in the animation.
        bone: u32,
        /// Which keys are missing.
        parts: KeyParts,
    },
    /// A line that fits no rule.
    Unknown(Text<'a>),
}

/// The parts of a key that a side-car can take away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyParts {
    /// `trans`: no translation keys.
    Translation,
    /// `rot`: no rotation keys.
    Rotation,
    /// `all`: neither.
    Both,
}

impl KeyParts {
    /// Whether translation keys are missing.
    pub const fn translation(self) -> bool {
        matches!(self, Self::Translation | Self::Both)
    }

    /// Whether rotation keys are missing.
    pub const fn rotation(self) -> bool {
        matches!(self, Self::Rotation | Self::Both)
    }
}

#[derive(Clone, Copy)]
enum SectionKind {
    None,
    AnimSet,
    UseTranslation,
    ForceMeshTranslation,
    RemoveTracks,
    Unknown,
}

impl<'a> Config<'a> {
    /// A side-car over these bytes. O(1), reads nothing.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// What the lines say, each with its line number from 1. Known section headings and blank lines are left out. O(bytes).
    pub fn entries(&self) -> impl Iterator<Item = (usize, Entry<'a>)> + use<'a> {
        let mut section = SectionKind::None;
        // The mark that Windows editors put in front of UTF-8.
        let bytes = self.bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(self.bytes);
        bytes.split(|byte| *byte == b'\n').enumerate().filter_map(move |(index, line)| {
            let line = line.trim_ascii();
            if let [b'[', name @ .., b']'] = line {
                section = section_kind(name.trim_ascii());
                let unknown = matches!(section, SectionKind::Unknown);
                return unknown.then(|| (index.saturating_add(1), Entry::Unknown(Text::new(line))));
            }
            (!line.is_empty()).then(|| (index.saturating_add(1), entry(section, line)))
        })
    }

    /// The side-car's effect on one sequence: for each bone of the animation, where its translation and rotation come from.
    /// O(bytes + bones) in time and memory.
    ///
    /// ```
    /// use skelmap::actorx::{Config, Psa, Source};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let bytes = std::fs::read("corpus/actorx/anim/classic.psa")?;
    /// let animation = Psa::parse(&bytes)?;
    /// let sequence = animation.sequence_at(0).ok_or("no sequence")?;
    /// let config = Config::new(b"[AnimSet]\nbAnimRotationOnly=1\n");
    /// let sources = config.to_track_sources(sequence.name(), animation.bones());
    /// assert_eq!(sources[0].translation, Source::Animation); // the root always moves
    /// assert_eq!(sources[1].translation, Source::Mesh);
    /// # Ok(())
    /// # }
    /// ```
    #[cfg(feature = "std")]
    pub fn to_track_sources(&self, sequence: Text<'_>, bones: &[Bone]) -> Vec<TrackSources> {
        self.to_resolved(bones).to_track_sources(sequence)
    }

    /// The side-car joined with an animation's bones, for the effects on many sequences: its lines are not read again.
    /// O(bytes + bones) in memory, and in time but for sorting the removed tracks.
    #[cfg(feature = "std")]
    pub fn to_resolved(&self, bones: &[Bone]) -> ResolvedConfig {
        let mut rotation_only = false;
        let mut by_name: HashMap<String, Source> = HashMap::new();
        let mut sequences: HashMap<String, usize> = HashMap::new();
        let mut removed: Vec<(usize, usize, KeyParts)> = Vec::new();
        for (_, entry) in self.entries() {
            match entry {
                Entry::RotationOnly(on) => rotation_only = on,
                Entry::UseTranslation(bone) => {
                    // "Always the mesh" stands against an exception, in whichever order they come.
                    by_name.entry(folded(bone)).or_insert(Source::Animation);
                }
                Entry::ForceMeshTranslation(bone) => {
                    by_name.insert(folded(bone), Source::Mesh);
                }
                Entry::RemoveTrack { sequence, bone, parts } => {
                    // What is said of bones that do not exist has no effect.
                    if let Some(bone) = usize::try_from(bone).ok().filter(|bone| *bone < bones.len()) {
                        let next = sequences.len();
                        removed.push((*sequences.entry(folded(sequence)).or_insert(next), bone, parts));
                    }
                }
                Entry::Unknown(_) => {}
            }
        }
        let translations = bones.iter().enumerate().map(|(index, bone)| {
            let unnamed = if rotation_only && index > 0 { Source::Mesh } else { Source::Animation };
            let translation = by_name.get(&folded(bone.name().text())).copied().unwrap_or(unnamed);
            TrackSources { translation, ..TrackSources::default() }
        });
        ResolvedConfig::new(translations.collect(), sequences, removed)
    }
}

/// A side-car joined with an animation's bones. From [`Config::to_resolved`].
#[cfg(feature = "std")]
#[derive(Clone, Debug)]
pub struct ResolvedConfig {
    /// Of each bone, in a sequence that no line is about.
    common: Vec<TrackSources>,
    /// How many of those take anything from the mesh.
    from_mesh: usize,
    /// The sequences that lines are about, by their folded names.
    sequences: HashMap<String, OwnTracks>,
    /// Bones that are otherwise in such a sequence, by their index: the sequences one after the other, in each the bones in order.
    own: Vec<(usize, TrackSources)>,
}

/// What is otherwise in one sequence than in those that no line is about.
#[cfg(feature = "std")]
#[derive(Clone, Debug, Default)]
struct OwnTracks {
    /// Which of the bones that are otherwise.
    range: core::ops::Range<usize>,
    /// Tracks that take anything from the mesh, all of them.
    from_mesh: usize,
}

#[cfg(feature = "std")]
impl ResolvedConfig {
    /// From what holds everywhere, the number of each sequence, and the tracks removed: sequence, bone, parts.
    fn new(
        common: Vec<TrackSources>,
        sequences: HashMap<String, usize>,
        mut removed: Vec<(usize, usize, KeyParts)>,
    ) -> Self {
        let from_mesh = common.iter().filter(|track| track.is_from_mesh()).count();
        removed.sort_unstable_by_key(|(sequence, bone, _)| (*sequence, *bone));
        let mut by_number = alloc::vec![OwnTracks { range: 0..0, from_mesh }; sequences.len()];
        let mut own: Vec<(usize, TrackSources)> = Vec::with_capacity(removed.len());
        for (sequence, bone, parts) in removed {
            let (Some(place), Some(shared)) = (by_number.get_mut(sequence), common.get(bone)) else { continue };
            if place.range.is_empty() {
                place.range = own.len()..own.len();
            }
            if own.get(place.range.clone()).and_then(<[_]>::last).is_none_or(|(last, _)| *last != bone) {
                own.push((bone, *shared));
                place.range.end = own.len();
                // Whatever the parts, something of it comes from the mesh now.
                place.from_mesh = place.from_mesh.saturating_add(usize::from(!shared.is_from_mesh()));
            }
            if let Some((_, track)) = own.last_mut() {
                track.remove(parts);
            }
        }
        let take = |(name, number): (String, usize)| Some((name, by_number.get_mut(number).map(core::mem::take)?));
        Self { common, from_mesh, sequences: sequences.into_iter().filter_map(take).collect(), own }
    }

    /// For each bone of the animation, where its translation and rotation come from in a sequence. O(bones).
    pub fn to_track_sources(&self, sequence: Text<'_>) -> Vec<TrackSources> {
        let mut tracks = self.common.clone();
        for (bone, own) in self.of_sequence(sequence).own {
            if let Some(track) = tracks.get_mut(*bone) {
                *track = *own;
            }
        }
        tracks
    }

    /// The same without a copy, to look at single bones. O(1).
    pub fn of_sequence(&self, sequence: Text<'_>) -> SequenceSources<'_> {
        let range = self.sequences.get(&folded(sequence)).map(|own| own.range.clone()).unwrap_or_default();
        SequenceSources { common: &self.common, own: self.own.get(range).unwrap_or_default() }
    }

    /// Number of tracks of a sequence whose translation or rotation comes from the mesh. O(1).
    pub fn tracks_from_mesh(&self, sequence: Text<'_>) -> usize {
        self.sequences.get(&folded(sequence)).map_or(self.from_mesh, |own| own.from_mesh)
    }
}

/// Where each bone's pose comes from in one sequence. From [`ResolvedConfig::of_sequence`].
#[cfg(feature = "std")]
#[derive(Clone, Copy, Debug)]
pub struct SequenceSources<'a> {
    common: &'a [TrackSources],
    own: &'a [(usize, TrackSources)],
}

#[cfg(feature = "std")]
impl SequenceSources<'_> {
    /// Where a bone's translation and rotation come from; `None` if there is no such bone. O(log lines about the sequence).
    pub fn get(&self, bone: usize) -> Option<TrackSources> {
        let own = self.own.binary_search_by_key(&bone, |(bone, _)| *bone).ok().and_then(|at| self.own.get(at));
        own.map(|(_, track)| *track).or_else(|| self.common.get(bone).copied())
    }
}

/// Where one part of a bone's pose comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg(feature = "std")]
pub enum Source {
    /// The animation's keys.
    #[default]
    Animation,
    /// The bind pose of the mesh; the animation's keys are not to be used.
    Mesh,
}

/// Where a bone's pose comes from in one sequence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg(feature = "std")]
pub struct TrackSources {
    /// Where its translation comes from.
    pub translation: Source,
    /// Where its rotation comes from.
    pub rotation: Source,
}

#[cfg(feature = "std")]
impl TrackSources {
    const fn is_from_mesh(self) -> bool {
        matches!(self, Self { translation: Source::Mesh, .. } | Self { rotation: Source::Mesh, .. })
    }

    fn remove(&mut self, parts: KeyParts) {
        if parts.translation() {
            self.translation = Source::Mesh;
        }
        if parts.rotation() {
            self.rotation = Source::Mesh;
        }
    }
}

/// A name in the form to compare by. Decoded, so that a UTF-8 side-car matches an animation of the local code page.
#[cfg(feature = "std")]
pub(super) fn folded(name: Text<'_>) -> String {
    name.chars().map(|c| c.to_ascii_lowercase()).collect()
}

fn section_kind(name: &[u8]) -> SectionKind {
    let is = |other: &[u8]| name.eq_ignore_ascii_case(other);
    match () {
        () if is(b"AnimSet") => SectionKind::AnimSet,
        () if is(b"UseTranslationBoneNames") => SectionKind::UseTranslation,
        () if is(b"ForceMeshTranslationBoneNames") => SectionKind::ForceMeshTranslation,
        () if is(b"RemoveTracks") => SectionKind::RemoveTracks,
        () => SectionKind::Unknown,
    }
}

fn entry(section: SectionKind, line: &[u8]) -> Entry<'_> {
    let known = match section {
        SectionKind::AnimSet => rotation_only(line),
        SectionKind::UseTranslation => Some(Entry::UseTranslation(Text::new(line))),
        SectionKind::ForceMeshTranslation => Some(Entry::ForceMeshTranslation(Text::new(line))),
        SectionKind::RemoveTracks => remove_track(line),
        SectionKind::None | SectionKind::Unknown => None,
    };
    known.unwrap_or(Entry::Unknown(Text::new(line)))
}

fn rotation_only(line: &[u8]) -> Option<Entry<'_>> {
    let (key, value) = split_last(line, b'=')?;
    if !key.eq_ignore_ascii_case(b"bAnimRotationOnly") {
        return None;
    }
    match value {
        b"0" => Some(Entry::RotationOnly(false)),
        b"1" => Some(Entry::RotationOnly(true)),
        _ => None,
    }
}

/// `Sequence.Bone=parts`: the value after the last `=`, the bone after the last `.`, since names may hold both.
fn remove_track(line: &[u8]) -> Option<Entry<'_>> {
    let (track, value) = split_last(line, b'=')?;
    let (sequence, bone) = split_last(track, b'.')?;
    let parts = match () {
        () if value.eq_ignore_ascii_case(b"trans") => KeyParts::Translation,
        () if value.eq_ignore_ascii_case(b"rot") => KeyParts::Rotation,
        () if value.eq_ignore_ascii_case(b"all") => KeyParts::Both,
        () => return None,
    };
    if sequence.is_empty() || bone.is_empty() || !bone.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let bone = core::str::from_utf8(bone).ok()?.parse().ok()?;
    Some(Entry::RemoveTrack { sequence: Text::new(trim_spaces(sequence)), bone, parts })
}

/// The parts before and after the last `separator`, without the white space around them.
fn split_last(line: &[u8], separator: u8) -> Option<(&[u8], &[u8])> {
    let mut parts = line.rsplitn(2, |byte| *byte == separator);
    let after = parts.next()?;
    let before = parts.next()?;
    Some((before.trim_ascii(), after.trim_ascii()))
}
