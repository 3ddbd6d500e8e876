//! The side-car of an animation, `<name>.config`: the tracks whose translation or rotation comes from the mesh.
//!
//! UModel writes it (ActorX reference, section 6.1). Some animations store zeros instead of the bind pose; without the
//! side-car, they tear the mesh.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use super::record::Bone;
use crate::bytes::{Text, trim_spaces};
use crate::model::Clip;
use crate::model::{Skeleton, Source, TrackSources};

/// A side-car over borrowed bytes. Each method parses the lines again.
///
/// Names match without regard to ASCII case. All bytes are valid; a line that matches no rule is an [`Entry::Unknown`].
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

/// The content of one line of a side-car.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Entry<'a> {
    /// `bAnimRotationOnly`: whether all bones but the root take their translation from the mesh.
    RotationOnly(bool),
    /// A bone whose translation comes from the animation even if `bAnimRotationOnly` is 1.
    UseTranslation(Text<'a>),
    /// A bone whose translation always comes from the mesh.
    ForceMeshTranslation(Text<'a>),
    /// A track without keys of one or both kinds; the keys in the file are placeholders.
    RemoveTrack {
        /// The sequence's name.
        sequence: Text<'a>,
        /// The bone's index in the animation.
        bone: u32,
        /// Which keys are missing.
        parts: KeyParts,
    },
    /// A line that matches no rule.
    Unknown(Text<'a>),
}

/// The parts of a key that a side-car can remove.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyParts {
    /// `trans`: no translation keys.
    Translation,
    /// `rot`: no rotation keys.
    Rotation,
    /// `all`: neither translation nor rotation keys.
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

    fn with(self, other: Self) -> Self {
        if self == other { self } else { Self::Both }
    }
}

impl<'a> Config<'a> {
    /// A side-car over these bytes. O(1), reads nothing.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// The side-car.
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The entries of the lines with their line numbers from 1, without known headings and blank lines. O(bytes).
    pub fn entries(&self) -> impl Iterator<Item = (usize, Entry<'a>)> + use<'a> {
        let mut rule: Option<Rule> = None;
        // Windows editors write a byte order mark before UTF-8.
        let bytes = self.bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(self.bytes);
        (1..).zip(bytes.split(|byte| *byte == b'\n')).filter_map(move |(number, line)| {
            let line = line.trim_ascii();
            let unknown = Entry::Unknown(Text::new(line));
            if let [b'[', name @ .., b']'] = line {
                rule = rule_of(name.trim_ascii());
                return rule.is_none().then_some((number, unknown));
            }
            (!line.is_empty()).then(|| (number, rule.and_then(|rule| rule(line)).unwrap_or(unknown)))
        })
    }

    /// The side-car resolved for an animation's bones. O((bytes + bones) log lines) in time, O(bytes + bones) in memory.
    ///
    /// ```
    /// use skelmap::actorx::{Config, Psa, Source};
    ///
    /// # let bytes = std::fs::read("tests/corpus/actorx/anim/classic.psa")?;
    /// let animation = Psa::parse(&bytes)?;
    /// let sequence = animation.sequence_at(0).ok_or("no sequence")?;
    /// let config = Config::new(b"[AnimSet]\nbAnimRotationOnly=1\n").to_resolved(animation.bones());
    /// let sources = config.to_track_sources(sequence.name());
    /// assert_eq!(sources[0].translation, Source::Animation); // the root always moves
    /// assert_eq!(sources[1].translation, Source::Mesh);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_resolved(&self, bones: &[Bone]) -> ResolvedConfig {
        self.resolve(&Bone::skeleton(bones))
    }

    /// For each track of a clip, the sources of its translation and rotation, for
    /// [`Binding::with_sources`](crate::model::Binding::with_sources). Costs the same as
    /// [`to_resolved`](Config::to_resolved).
    pub fn to_sources(&self, clip: &Clip<'_>) -> Vec<TrackSources> {
        self.resolve(&clip.skeleton()).to_track_sources(clip.name().unwrap_or_default())
    }

    fn resolve(&self, bones: &Skeleton<'_>) -> ResolvedConfig {
        let mut rotation_only = false;
        let mut by_name: BTreeMap<String, Source> = BTreeMap::new();
        let mut sequences: BTreeMap<String, Removed> = BTreeMap::new();
        for (_, entry) in self.entries() {
            match entry {
                Entry::RotationOnly(on) => rotation_only = on,
                Entry::UseTranslation(bone) => {
                    // `ForceMeshTranslation` wins, whatever the order of the two lines.
                    by_name.entry(folded(bone)).or_insert(Source::Animation);
                }
                Entry::ForceMeshTranslation(bone) => {
                    by_name.insert(folded(bone), Source::Mesh);
                }
                Entry::RemoveTrack { sequence, bone, parts } => {
                    // A line about a missing bone has no effect.
                    if let Some(bone) = usize::try_from(bone).ok().filter(|bone| *bone < bones.bone_count()) {
                        let tracks = &mut sequences.entry(folded(sequence)).or_default().tracks;
                        tracks.entry(bone).and_modify(|all| *all = all.with(parts)).or_insert(parts);
                    }
                }
                Entry::Unknown(_) => {}
            }
        }
        let of_bone = |index| {
            let unnamed = if rotation_only && index > 0 { Source::Mesh } else { Source::Animation };
            let named = bones.name(index).and_then(|name| by_name.get(&folded(name)));
            TrackSources { translation: named.copied().unwrap_or(unnamed), ..TrackSources::default() }
        };
        let common: Vec<_> = (0..bones.bone_count()).map(of_bone).collect();
        let from_mesh = common.iter().filter(|track| is_from_mesh(**track)).count();
        for removed in sequences.values_mut() {
            let own = |bone: &&usize| common.get(**bone).is_some_and(|track| !is_from_mesh(*track));
            removed.from_mesh = from_mesh.saturating_add(removed.tracks.keys().filter(own).count());
        }
        ResolvedConfig { common, from_mesh, sequences }
    }
}

/// A side-car resolved for an animation's bones. From [`Config::to_resolved`].
#[derive(Clone, Debug)]
pub struct ResolvedConfig {
    /// The sources of each bone in a sequence without removed tracks.
    common: Vec<TrackSources>,
    /// Number of bones in `common` that take a part from the mesh.
    from_mesh: usize,
    /// The sequences with removed tracks, by their folded names.
    sequences: BTreeMap<String, Removed>,
}

/// The removed tracks of a sequence.
#[derive(Clone, Debug, Default)]
struct Removed {
    /// By the index of the bone.
    tracks: BTreeMap<usize, KeyParts>,
    /// Number of bones that take a part from the mesh.
    from_mesh: usize,
}

impl ResolvedConfig {
    /// For each bone of the animation, the sources of its translation and rotation in a sequence. O(bones).
    pub fn to_track_sources(&self, sequence: Text<'_>) -> Vec<TrackSources> {
        let sources = self.of_sequence(sequence);
        (0..self.common.len()).filter_map(|bone| sources.get(bone)).collect()
    }

    /// The sources of single bones in a sequence, without a copy. O(log sequences).
    pub fn of_sequence(&self, sequence: Text<'_>) -> SequenceSources<'_> {
        SequenceSources { config: self, removed: self.sequences.get(&folded(sequence)) }
    }

    /// Number of tracks of a sequence whose translation or rotation comes from the mesh. O(log sequences).
    pub fn tracks_from_mesh(&self, sequence: Text<'_>) -> usize {
        self.sequences.get(&folded(sequence)).map_or(self.from_mesh, |removed| removed.from_mesh)
    }
}

/// The sources of each bone's pose in one sequence. From [`ResolvedConfig::of_sequence`].
#[derive(Clone, Copy, Debug)]
pub struct SequenceSources<'a> {
    config: &'a ResolvedConfig,
    removed: Option<&'a Removed>,
}

impl SequenceSources<'_> {
    /// The sources of a bone's translation and rotation; `None` if the bone does not exist. O(log lines).
    pub fn get(&self, bone: usize) -> Option<TrackSources> {
        let track = *self.config.common.get(bone)?;
        let Some(parts) = self.removed.and_then(|removed| removed.tracks.get(&bone)) else { return Some(track) };
        let source = |is_removed, own| if is_removed { Source::Mesh } else { own };
        let (translation, rotation) =
            (source(parts.translation(), track.translation), source(parts.rotation(), track.rotation));
        Some(TrackSources { translation, rotation, ..TrackSources::default() })
    }
}

const fn is_from_mesh(sources: TrackSources) -> bool {
    matches!(sources, TrackSources { translation: Source::Mesh, .. } | TrackSources { rotation: Source::Mesh, .. })
}

/// A name in the form for comparison: decoded, so that a UTF-8 side-car matches an animation in Windows-1252.
pub(super) fn folded(name: Text<'_>) -> String {
    name.chars().map(|c| c.to_ascii_lowercase()).collect()
}

/// Parses a line below one heading; `None` for a line that does not match.
type Rule = fn(&[u8]) -> Option<Entry<'_>>;

fn rule_of(heading: &[u8]) -> Option<Rule> {
    let rules: [(&[u8], Rule); 4] = [
        (b"AnimSet", rotation_only),
        (b"UseTranslationBoneNames", |line| Some(Entry::UseTranslation(Text::new(line)))),
        (b"ForceMeshTranslationBoneNames", |line| Some(Entry::ForceMeshTranslation(Text::new(line)))),
        (b"RemoveTracks", remove_track),
    ];
    rules.into_iter().find(|(name, _)| heading.eq_ignore_ascii_case(name)).map(|(_, rule)| rule)
}

fn rotation_only(line: &[u8]) -> Option<Entry<'_>> {
    let (key, value) = split_last(line, b'=')?;
    let is_on = value == b"1";
    let fits = key.eq_ignore_ascii_case(b"bAnimRotationOnly") && (is_on || value == b"0");
    fits.then_some(Entry::RotationOnly(is_on))
}

/// `Sequence.Bone=parts`. Names may contain both separators, so the last of each is used.
fn remove_track(line: &[u8]) -> Option<Entry<'_>> {
    let (track, value) = split_last(line, b'=')?;
    let (sequence, bone) = split_last(track, b'.')?;
    let values: [(&[u8], _); 3] =
        [(b"trans", KeyParts::Translation), (b"rot", KeyParts::Rotation), (b"all", KeyParts::Both)];
    let (_, parts) = values.into_iter().find(|(name, _)| value.eq_ignore_ascii_case(name))?;
    if sequence.is_empty() || !bone.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let bone = core::str::from_utf8(bone).ok()?.parse().ok()?;
    Some(Entry::RemoveTrack { sequence: Text::new(trim_spaces(sequence)), bone, parts })
}

/// The trimmed parts before and after the last `separator`.
fn split_last(line: &[u8], separator: u8) -> Option<(&[u8], &[u8])> {
    let mut parts = line.rsplitn(2, |byte| *byte == separator);
    let after = parts.next()?;
    let before = parts.next()?;
    Some((before.trim_ascii(), after.trim_ascii()))
}
