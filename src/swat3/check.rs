//! The semantic checks.

use alloc::{collections::BTreeMap, format, string::String, vec::Vec};
use core::cell::OnceCell;

use super::codes;
use super::event::EventKind;
use super::frame::Frame;
use super::gsa::{EVENTS, FRAMES, Gsa, PLAYBACK_FPS};
use super::header::HEADER;
use super::infer::NotInferred;
use super::record::Quat;
use super::search::SKELETON;
use crate::bytes::Text;
use crate::model::maths::NO_TURN;
use crate::report::codes as shared;
use crate::report::{Finding, Report, SectionStart, Short, all_finite, is_unit, named};

/// The names of the bones, computed for the first message about a rotation.
struct BoneNames<'a> {
    animation: &'a Gsa<'a>,
    names: OnceCell<Vec<Text<'a>>>,
}

impl BoneNames<'_> {
    /// The owner of the rotation at an index: first the frame, then the animated bones.
    fn whose(&self, at: usize) -> String {
        let Some(rotation) = at.checked_sub(1) else { return String::new() };
        let ids = self.animation.animated_ids();
        let bone = ids.get(rotation).map_or(rotation, |id| usize::from(id.get()));
        let all = || self.animation.bones().into_iter().flatten().map(|bone| bone.name()).collect();
        let name = self.names.get_or_init(all).get(bone).copied().unwrap_or_default();
        format!(" of {}", named("bone", bone, name))
    }
}

impl Gsa<'_> {
    /// Reads all frames and reports floats that are not finite, rotations that are zero or not of unit length, frames away from
    /// the origin, a frame rate that the game ignores, and events of unknown kinds.
    ///
    /// Findings are ordered by severity; [`codes`](mod@crate::swat3::codes) and [`codes` of all families](mod@crate::codes)
    /// explain them. In `frames` and `events`, the index of a finding is that of the frame. O(file); in memory, the names of
    /// the bones.
    ///
    /// A finding for each record, as from [`Asset::check_each`](crate::Asset::check_each).
    pub fn check_each(&self, most: usize) -> Vec<Finding> {
        let mut report = Report::new(most);
        self.check_header(&mut report);
        self.check_frames(&mut report);
        self.check_events(&mut report);
        self.check_names(&mut report);
        report.into_findings()
    }

    fn check_header(&self, report: &mut Report) {
        let place = SectionStart { section: HEADER, offset: self.header_offset() };
        let rate = self.frame_rate_field();
        if f64::from(rate) != PLAYBACK_FPS {
            let message = format!("the file states {rate} frames per second, but the game plays {PLAYBACK_FPS}");
            report.add_whole(codes::FRAME_RATE, place, message);
        }
    }

    fn check_frames(&self, report: &mut Report) {
        let place = SectionStart { section: FRAMES, offset: self.frames_offset() };
        let [mut broken, mut zero, mut off] =
            report.tallies(place, [shared::NOT_FINITE, shared::ROTATION_ZERO, shared::ROTATION_UNIT]);
        let [mut moved, mut root] = report.tallies(place, [codes::FRAME_ORIGIN, codes::ROOT_OFFSET]);
        let names = BoneNames { animation: self, names: OnceCell::new() };
        let (first, mut is_still) = (self.frames().next(), self.frame_count() > 1);
        for (index, frame) in self.frames().enumerate() {
            is_still &= first.as_ref().is_some_and(|first| is_like(first, &frame));
            let (origin, rotation, root_offset) = (frame.origin(), frame.rotation(), frame.root_offset());
            let rotations = || core::iter::once(rotation).chain(frame.rotations().iter().map(Quat::get));
            let is_broken = !(all_finite(origin) && all_finite(root_offset) && rotations().all(all_finite));
            broken.hit_if(is_broken, index, || {
                let whose = match rotations().position(|rotation| !all_finite(rotation)) {
                    Some(at) => format!("the rotation{}", names.whose(at)),
                    None if all_finite(origin) => String::from("the offset of the root"),
                    None => String::from("the origin"),
                };
                format!("frame {index} holds a value that is not a number in {whose}")
            });
            if let Some(at) = rotations().position(|rotation| rotation == [0.0; 4]) {
                zero.hit(index, || {
                    format!("frame {index} has an invalid rotation{}, the quaternion 0, 0, 0, 0", names.whose(at))
                });
            }
            let is_off = |(_, rotation): &(_, [f32; 4])| !is_unit(*rotation) && *rotation != [0.0; 4];
            if let Some((at, rotation)) = rotations().enumerate().find(is_off) {
                off.hit(index, || {
                    let whose = names.whose(at);
                    format!("frame {index} has the rotation {rotation:?}{whose}, which is not of unit length")
                });
            }
            moved.hit_if(origin != [0.0; 3] || rotation != NO_TURN, index, || {
                format!("frame {index} is at {origin:?} with rotation {rotation:?}; in the game's files, every frame is at the origin without rotation")
            });
            root.hit_if(index == 0 && root_offset != [0.0; 3], index, || {
                format!("the root offset of the first frame is {root_offset:?}, expected 0")
            });
        }
        report.add([broken, zero, off, moved, root]);
        let count = self.frame_count();
        if is_still {
            report.add_whole(shared::NO_MOTION, place, format!("the animation moves no bone in its {count} frames"));
        }
        if i16::try_from(count).is_err() {
            let message = format!(
                "the file has {count} frames; a program that reads a signed 16-bit number gets a negative count"
            );
            report.add_whole(codes::FRAME_COUNT, place, message);
        }
    }

    fn check_events(&self, report: &mut Report) {
        let place = SectionStart { section: EVENTS, offset: self.frames_offset() };
        let [mut kinds, mut empty, mut encoding] =
            report.tallies(place, [codes::EVENT_KIND, shared::NAME_EMPTY, shared::NAME_ENCODING]);
        for (frame, event) in self.events() {
            let (kind, text) = (event.kind(), Short(event.text()));
            if kind.value().as_bytes().is_empty() {
                empty.hit(frame, || format!("the event {text:?} of frame {frame} has no name after its prefix"));
            } else {
                kinds.hit_if(matches!(kind, EventKind::Other(_)), frame, || {
                    format!("the event {text:?} of frame {frame} is neither a sound nor an item's sound")
                });
            }
            encoding.hit_if(text.0.as_str().is_none(), frame, || {
                format!("the event {text:?} of frame {frame} is not UTF-8; shown as Windows-1252")
            });
        }
        report.add([kinds, empty, encoding]);
    }

    fn check_names(&self, report: &mut Report) {
        let place = SectionStart { section: SKELETON, offset: self.skeleton_offset() };
        let bones = match self.bones() {
            Ok(bones) => bones,
            Err(reason) => {
                if matches!(reason, NotInferred::BoneCount { .. }) {
                    report.add_whole(codes::BONE_NAMES, place, format!("{reason}"));
                }
                return;
            }
        };
        let mut repeated = report.tally(shared::NAME_DUPLICATE, place);
        let mut seen = BTreeMap::new();
        for bone in bones {
            let (index, name) = (bone.index(), bone.name());
            let (first, other) = *seen.entry(name.as_bytes().to_ascii_lowercase()).or_insert((index, name));
            repeated.hit_if(first != index, index, || {
                format!("{} has the name of {}", named("bone", index, name), named("bone", first, other))
            });
        }
        report.add([repeated]);
    }
}

/// Whether two frames hold equal poses.
fn is_like(first: &Frame<'_>, other: &Frame<'_>) -> bool {
    first.root_offset() == other.root_offset()
        && (first.origin(), first.rotation()) == (other.origin(), other.rotation())
        && first.rotations().iter().map(Quat::get).eq(other.rotations().iter().map(Quat::get))
}
