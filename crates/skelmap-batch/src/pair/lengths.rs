//! Bones that have another length in an animation than in the mesh, in words.

use crate::LengthChange;

use crate::text::counted;

/// How lengths change, and what is beside the animation.
#[derive(Debug)]
#[non_exhaustive]
pub struct Stretch {
    /// How lengths change.
    pub change: LengthChange,
    /// Whether a side-car lies beside the animation.
    pub has_side_car: bool,
    /// The names of the first bones that have another length.
    pub names: Vec<String>,
}

/// The most bones in a message.
pub(super) const MAX_NAMES: usize = 3;

impl Stretch {
    /// What the lengths mean; `None` where they are the same.
    pub fn meaning(&self) -> Option<String> {
        let LengthChange { compared, bones, ratio, .. } = &self.change;
        if bones.is_empty() {
            return None;
        }
        if self.change.is_scaled() {
            let (times, compared) = if *ratio > 1.0 { (*ratio, "long") } else { (ratio.recip(), "short") };
            return Some(format!(
                "the bones are {times:.0} times as {compared} in the animation: the units differ, and the model is torn"
            ));
        }
        let more = if bones.len() > self.names.len() { ", ..." } else { "" };
        let verb = if bones.len() == 1 { "has" } else { "have" };
        let all = counted(*compared as u64, "bone");
        let names = self.names.join(", ");
        Some(format!(
            "{} of {all} {verb} another length in the animation, which moves points away there: {names}{more}",
            bones.len()
        ))
    }

    /// What people can do about it.
    pub fn next_step(&self) -> Option<&'static str> {
        if self.change.bones.is_empty() {
            return None;
        }
        Some(match (self.change.is_scaled(), self.has_side_car) {
            (true, _) => "export mesh and animation with one unit, or scale one of them in an editor",
            (false, false) => {
                "put the .config that belongs to the animation beside it (it takes lengths from the mesh), or take an animation of this character"
            }
            (false, true) => "take an animation of this character: the .config beside it does not change these bones",
        })
    }
}
