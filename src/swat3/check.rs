//! The semantic checks: they read all the data and report what is wrong with it, or odd.

use alloc::format;
use alloc::vec::Vec;
use std::collections::HashSet;

use super::event::EventKind;
use super::gsa::{EVENTS, FRAMES, Gsa, HEADER, PLAYBACK_FPS};
use super::infer::NotInferred;
use super::record::Quat;
use super::search::SKELETON;
use crate::cursor::to_u64;
use crate::finding::{Finding, FindingCode, Place, Report, Severity, Short, Tally, all_finite, is_unit};

const IDENTITY: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

impl Gsa<'_> {
    /// Reads all frames and reports what is wrong or odd about them: floats that are no numbers, rotations that are zero or not
    /// of unit length, frames away from the origin, a frame rate that the game ignores, events of unknown kinds.
    ///
    /// Findings are the gravest first; their codes are listed at [`FindingCode`]. The index of a finding in `frames` and
    /// `events` is the frame's. O(file); memory for the bones' names.
    pub fn check(&self) -> Vec<Finding> {
        let mut report = Report::default();
        self.check_header(&mut report);
        self.check_frames(&mut report);
        self.check_events(&mut report);
        self.check_names(&mut report);
        report.into_findings()
    }

    fn check_header(&self, report: &mut Report) {
        let place = Place { section: HEADER, offset: to_u64(self.header_offset()) };
        let rate = self.frame_rate_field();
        if f64::from(rate) != PLAYBACK_FPS {
            let message = format!("the file states {rate} frames per second, the game plays {PLAYBACK_FPS}");
            report.add_whole(Severity::Note, FindingCode::FrameRate, place, message);
        }
    }

    fn check_frames(&self, report: &mut Report) {
        let place = Place { section: FRAMES, offset: self.frames_offset() };
        let [mut broken, mut zero, mut off, mut moved, mut root] = <[Tally; 5]>::default();
        for (index, frame) in self.frames().enumerate() {
            let (origin, rotation, root_offset) = (frame.origin(), frame.rotation(), frame.root_offset());
            let rotations = || core::iter::once(rotation).chain(frame.rotations().iter().map(Quat::get));
            let is_broken = !(all_finite(origin) && all_finite(root_offset) && rotations().all(all_finite));
            broken.hit_if(is_broken, index, || format!("frame {index} holds a value that is no number"));
            zero.hit_if(rotations().any(|rotation| rotation == [0.0; 4]), index, || {
                format!("frame {index} has a rotation of 0, 0, 0, 0")
            });
            if let Some(rotation) = rotations().find(|rotation| !is_unit(*rotation) && *rotation != [0.0; 4]) {
                off.hit(index, || format!("frame {index} has the rotation {rotation:?}, which is not of unit length"));
            }
            moved.hit_if(origin != [0.0; 3] || rotation != IDENTITY, index, || {
                format!("frame {index} is at {origin:?}, turned by {rotation:?}; none is in the game's files")
            });
            root.hit_if(index == 0 && root_offset != [0.0; 3], index, || {
                format!("the root is {root_offset:?} away from its start in the first frame, which is that start")
            });
        }
        report.add(Severity::Error, FindingCode::NotFinite, place, broken);
        report.add(Severity::Warning, FindingCode::RotationZero, place, zero);
        report.add(Severity::Warning, FindingCode::RotationUnit, place, off);
        report.add(Severity::Note, FindingCode::FrameOrigin, place, moved);
        report.add(Severity::Note, FindingCode::RootOffset, place, root);
        let count = self.frame_count();
        if i16::try_from(count).is_err() {
            let message = format!("there are {count} frames, which is negative for whoever reads a signed short");
            report.add_whole(Severity::Warning, FindingCode::FrameCount, place, message);
        }
    }

    fn check_events(&self, report: &mut Report) {
        let place = Place { section: EVENTS, offset: self.frames_offset() };
        let [mut kinds, mut empty, mut encoding] = <[Tally; 3]>::default();
        for (frame, event) in self.events() {
            let (kind, text) = (event.kind(), Short(event.text()));
            if kind.value().as_bytes().is_empty() {
                empty.hit(frame, || format!("the event {text:?} of frame {frame} names nothing"));
            } else {
                kinds.hit_if(matches!(kind, EventKind::Other(_)), frame, || {
                    format!("the event {text:?} of frame {frame} is neither a sound nor an item's sound")
                });
            }
            encoding.hit_if(text.0.as_str().is_none(), frame, || {
                format!("the event {text:?} of frame {frame} is not UTF-8; shown as Windows-1252")
            });
        }
        report.add(Severity::Note, FindingCode::EventKind, place, kinds);
        report.add(Severity::Note, FindingCode::NameEmpty, place, empty);
        report.add(Severity::Note, FindingCode::NameEncoding, place, encoding);
    }

    fn check_names(&self, report: &mut Report) {
        let place = Place { section: SKELETON, offset: self.skeleton_offset() };
        let skeleton = match self.skeleton() {
            Ok(skeleton) => skeleton,
            Err(reason) => {
                if matches!(reason, NotInferred::BoneCount { .. }) {
                    report.add_whole(Severity::Warning, FindingCode::BoneCount, place, format!("{reason}"));
                }
                return;
            }
        };
        let mut repeated = Tally::default();
        let mut seen = HashSet::new();
        for bone in skeleton.bones() {
            let (index, name) = (bone.index(), bone.name());
            repeated.hit_if(!seen.insert(name.as_bytes().to_ascii_lowercase()), index, || {
                format!("bone {index}: the name {name:?} is the name of an earlier one")
            });
        }
        report.add(Severity::Note, FindingCode::NameDuplicate, place, repeated);
    }
}
