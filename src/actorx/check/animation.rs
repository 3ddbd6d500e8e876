//! The semantic check of animations and of their side-cars.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    format,
    string::String,
    vec::Vec,
};
use core::cell::OnceCell;

use super::bones::{bone_at, check_bones};
use super::owners::Owners;
use super::{NameRules, check_names, check_unread};
use crate::actorx::codes;
use crate::actorx::config::{Config, Entry, folded};
use crate::actorx::curve::id_name;
use crate::actorx::layout::PsaLayout;
use crate::actorx::psa::Psa;
use crate::actorx::record::{AnimInfo, AnimKey, ScaleKey};
use crate::actorx::sequence::Sequence;
use crate::bytes::to_u64;
use crate::model::check_motion;
use crate::report::codes as shared;
use crate::report::{
    Finding, RecordTally, Report, Section, SectionStart, Severity, Short, check_finite, check_transforms, named,
};

/// The maximum number of characters of a line in a message.
const MAX_QUOTE: usize = 80;

/// The words for keys in messages. The owners of frames are computed for the first message only.
struct KeyWords<'a> {
    kind: &'static str,
    animation: &'a Psa<'a>,
    owners: OnceCell<Owners>,
}

impl KeyWords<'_> {
    /// A key in a message. `owners` computes which sequence has which frames.
    fn of(&self, index: usize, owners: impl FnOnce() -> Owners) -> String {
        let Self { kind, animation, .. } = self;
        let bones = animation.bones();
        let place = index.checked_div(bones.len()).zip(index.checked_rem(bones.len()));
        let Some((frame, bone)) = place else { return format!("{kind} {index}") };
        let bone = bone_at(bones, bone);
        let owner = self.owners.get_or_init(owners).of_record(to_u64(frame));
        match owner.and_then(|(owner, frame)| Some((owner, frame, animation.infos().get(owner)?.name().text()))) {
            Some((owner, frame, name)) if name.as_bytes().is_empty() => {
                format!("{kind} {index} (sequence {owner}, frame {frame}, {bone})")
            }
            Some((_, frame, name)) => format!("{kind} {index} (sequence {:?}, frame {frame}, {bone})", Short(name)),
            None => format!("{kind} {index} (outside of all sequences)"),
        }
    }
}

impl Psa<'_> {
    /// Reads the whole animation and reports keys that are not finite or not of unit length, sequences with frames outside of
    /// the file, rates of zero, wrong counts, odd names, and sequences without motion.
    ///
    /// Findings come in order of severity; [`codes`](mod@crate::actorx::codes) explain them. O(file), and O(n log n) in the sequences.
    ///
    /// A finding for each record, as from [`Asset::check_each`](crate::Asset::check_each).
    pub fn check_each(&self, most: usize) -> Vec<Finding> {
        let mut report = Report::new(most);
        check_bones(&mut report, self.place("BONENAMES"), self.bones(), true);
        self.check_sequences(&mut report, self.place("ANIMINFO"));
        self.check_keys(&mut report, self.place("ANIMKEYS"));
        let words = KeyWords { kind: "scale key", animation: self, owners: OnceCell::new() };
        let word = |index| words.of(index, || self.owners_of_scale_frames());
        check_finite(&mut report, self.place("SCALEKEYS"), self.scale_keys(), word, |key: &ScaleKey| {
            let [x, y, z] = key.scale();
            [x, y, z, key.time()]
        });
        self.check_curves(&mut report);
        check_motion(self.clips(), self.keys().len(), &mut report, self.place("ANIMINFO"));
        check_unread::<PsaLayout>(&mut report, self.bytes());
        report.into_findings()
    }

    fn check_keys(&self, report: &mut Report, place: SectionStart) {
        let (keys, bones) = (self.keys(), self.bones().len());
        let others = |key: &AnimKey| {
            let [x, y, z] = key.translation();
            [x, y, z, key.time()]
        };
        let words = KeyWords { kind: "key", animation: self, owners: OnceCell::new() };
        let word = |index| words.of(index, || self.owners_of_frames());
        check_transforms(report, place, Severity::Warning, keys, word, others, AnimKey::rotation);
        let frames: u64 = self.infos().iter().map(|info| u64::from(info.frames())).fold(0, u64::saturating_add);
        let counted = frames.saturating_mul(u64::try_from(bones).unwrap_or(u64::MAX));
        if u64::try_from(keys.len()) != Ok(counted) {
            let message = format!("there are {} keys, expected {frames} frames of {bones} bones", keys.len());
            report.add_whole(codes::KEY_COUNT, place, message);
        }
    }

    fn check_sequences(&self, report: &mut Report, place: SectionStart) {
        let infos = self.infos();
        let rules = NameRules { kind: "sequence", unique: Some((shared::NAME_DUPLICATE, "")), present: true };
        check_names(report, place, infos.iter().map(AnimInfo::name), rules);
        let word = |index| self.sequence_word(index);
        check_finite(report, place, infos, word, |info| [info.key_reduction(), info.track_time()]);
        let [mut range, mut rate] = report.tallies(place, [codes::SEQUENCE_RANGE, codes::SEQUENCE_RATE]);
        let [mut stated_bones, mut quotum] = report.tallies(place, [codes::SEQUENCE_BONES, codes::KEY_QUOTUM]);
        let bones = self.bones().len();
        for sequence in self.sequences() {
            let (index, info) = (sequence.index(), sequence.info());
            let (held, declared) = (sequence.frame_count(), sequence.declared_frame_count());
            let short = info.raw_frame_count() < 0 || to_u64(held) < declared.into();
            range.hit_if(short, index, || {
                let stored = info.raw_frame_count();
                let first = sequence.first_frame();
                format!("{} has {stored} frames from frame {first}; the file holds {held} of them", word(index))
            });
            rate.hit_if(sequence.duration().is_none(), index, || {
                format!("{} has {} frames per second", word(index), info.rate())
            });
            let stated = info.total_bones();
            stated_bones.hit_if(usize::try_from(stated) != Ok(bones), index, || {
                format!("{} states {stated} bones; the file has {bones}", word(index))
            });
            let keys = u64::from(declared).saturating_mul(to_u64(bones));
            let stated = info.key_quotum();
            quotum.hit_if(u64::try_from(stated) != Ok(keys), index, || {
                format!("{} states {stated} keys; {declared} frames of {bones} bones have {keys}", word(index))
            });
        }
        let mut overlaps = report.tally(codes::SEQUENCE_OVERLAP, place);
        self.find_overlaps(&mut overlaps);
        report.add([range, rate, stated_bones, quotum, overlaps]);
    }

    /// A sequence in a message.
    fn sequence_word(&self, index: usize) -> String {
        named("sequence", index, self.infos().get(index).map(|info| info.name().text()).unwrap_or_default())
    }

    /// The frames of each sequence.
    fn owners_of_frames(&self) -> Owners {
        Owners::of(
            self.sequences().map(|sequence| (sequence.index(), sequence.first_frame(), to_u64(sequence.frame_count()))),
        )
    }

    /// The scale-key frames of each sequence: the same frames as the keys, or only the frames of some
    /// sequences, one after the other.
    fn owners_of_scale_frames(&self) -> Owners {
        if self.scale_keys().len() == self.keys().len() {
            return self.owners_of_frames();
        }
        let mut next = 0_u64;
        let scaled = self.sequences().filter(Sequence::has_scale_keys);
        Owners::of(scaled.map(|sequence| {
            let (first, count) = (next, u64::from(sequence.declared_frame_count()));
            next = next.saturating_add(count);
            (sequence.index(), first, count)
        }))
    }

    /// Sequences that begin before the end of an earlier one.
    fn find_overlaps(&self, tally: &mut RecordTally) {
        let mut ranges: Vec<(u64, u64, usize)> = self
            .sequences()
            .filter(|sequence| sequence.declared_frame_count() > 0)
            .map(|sequence| {
                let first = sequence.first_frame();
                (first, first.saturating_add(sequence.declared_frame_count().into()), sequence.index())
            })
            .collect();
        ranges.sort_unstable();
        let mut reached: Option<(u64, usize)> = None;
        for (first, end, index) in ranges {
            if let Some((_, other)) = reached.filter(|(reached, _)| first < *reached) {
                tally.hit(index, || {
                    format!("{} shares frames with {}", self.sequence_word(index), self.sequence_word(other))
                });
            }
            if reached.is_none_or(|(reached, _)| end > reached) {
                reached = Some((end, index));
            }
        }
    }

    fn check_curves(&self, report: &mut Report) {
        // As in `curves_of`, chunks with the same id belong to the sequences in order. Reversed, for `pop`.
        let mut owners: BTreeMap<&[u8], Vec<(usize, &AnimInfo)>> = BTreeMap::new();
        for (index, info) in self.infos().iter().enumerate().rev() {
            owners.entry(id_name(info)).or_default().push((index, info));
        }
        for curves in self.curves() {
            let (id, weights) = (curves.chunk().id, curves.frame_count());
            let place = curves.chunk().place();
            let fault = match owners.get_mut(curves.owner()).and_then(Vec::pop) {
                None => Some(String::from("no sequence without curves has a name that begins like this chunk's id")),
                Some((index, info)) if curves.chunk().count > 0 && weights != info.frames() => {
                    let sequence = self.sequence_word(index);
                    Some(format!("the curves have {weights} weights each, but {sequence} has {} frames", info.frames()))
                }
                Some(_) => None,
            };
            if let Some(message) = fault {
                report.add_whole(codes::CURVE_SIZE, place, message);
            }
            let mut tally = report.tally(shared::NOT_FINITE, place);
            for (index, curve) in curves.curves().enumerate() {
                let sound = curve.weights.iter().all(|weight| weight.get().is_finite());
                tally.hit_if(!sound, index, || {
                    let curve = named("curve", index, curve.name.text());
                    format!("{curve} of {id} holds a weight that is not a number")
                });
            }
            report.add([tally]);
        }
    }
}

/// Reports lines of a side-car that match no rule, or that name a missing bone or sequence. The index of a finding is the line,
/// counted from 1. O(side-car + names of the animation).
///
/// ```
/// use skelmap::actorx::{Config, Psa, check_config};
///
/// # let bytes = std::fs::read("tests/corpus/actorx/anim/classic.psa")?;
/// let animation = Psa::parse(&bytes)?;
/// let findings = check_config(&animation, &Config::new(b"[RemoveTracks]\nNo such sequence.0=all\n"));
/// assert_eq!(findings[0].code.name(), "config-sequence");
/// assert_eq!(findings[0].index, Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check_config(animation: &Psa<'_>, config: &Config<'_>) -> Vec<Finding> {
    check_config_each(animation, config, 1)
}

/// [`check_config`] with a finding for each line: see [`Asset::check_each`](crate::Asset::check_each).
pub fn check_config_each(animation: &Psa<'_>, config: &Config<'_>, most: usize) -> Vec<Finding> {
    let mut report = Report::new(most);
    let place = SectionStart { section: Section::named("side-car"), offset: 0 };
    let sequences: BTreeSet<String> = animation.infos().iter().map(|info| folded(info.name().text())).collect();
    let bones: BTreeSet<String> = animation.bones().iter().map(|bone| folded(bone.name().text())).collect();
    let bone_count = animation.bones().len();
    let [mut lines, mut lost_sequences, mut lost_bones] =
        report.tallies(place, [codes::CONFIG_LINE, codes::CONFIG_SEQUENCE, codes::CONFIG_BONE]);
    for (line, entry) in config.entries() {
        match entry {
            Entry::RotationOnly(_) => {}
            Entry::UseTranslation(name) | Entry::ForceMeshTranslation(name) => {
                lost_bones.hit_if(!bones.contains(&folded(name)), line, || {
                    format!("line {line} names the bone {:?}, which does not exist", Short(name))
                });
            }
            Entry::RemoveTrack { sequence, bone, .. } => {
                lost_sequences.hit_if(!sequences.contains(&folded(sequence)), line, || {
                    format!("line {line} names the sequence {:?}, which does not exist", Short(sequence))
                });
                let exists = usize::try_from(bone).is_ok_and(|bone| bone < bone_count);
                lost_bones
                    .hit_if(!exists, line, || format!("line {line} names bone {bone}; the animation has {bone_count}"));
            }
            Entry::Unknown(text) => lines.hit(line, || {
                format!("line {line} matches no rule: {:?}", text.chars().take(MAX_QUOTE).collect::<String>())
            }),
        }
    }
    report.add([lines, lost_sequences, lost_bones]);
    report.into_findings()
}
