//! The crate's model and the naive evaluation say the same: about a mesh, about clips, and about the two together.

mod clips;
mod meshes;
mod skins;

use skelmap::Asset;
use skelmap::model::{Clip, Mesh};

use super::naive::{self, Motion};

/// Clips of more values are not compared: sparse keys do not limit the number of frames.
pub const MAX_VALUES: usize = 1 << 18;

fn is_too_long(clips: &[Clip<'_>]) -> bool {
    clips.iter().any(|clip| clip.frame_count() * clip.track_count() > MAX_VALUES)
}

/// What to compare, for the time that it takes.
#[derive(Clone, Debug)]
pub struct Effort {
    /// Positions in frames to sample at, beside those that depend on the clip.
    pub positions: Vec<f64>,
    /// Frames that are compared one by one, evenly spread.
    pub frames: usize,
    /// Clips of a file, evenly spread.
    pub clips: usize,
    /// Influences for each point.
    pub widths: Vec<usize>,
    /// Whether the points are skinned in all spaces, or in two.
    pub all_spaces: bool,
}

impl Effort {
    /// Everything.
    pub fn whole() -> Self {
        let positions = vec![0.0, 0.25, 0.5, 1.0, 1.999, 2.75, -0.5, -1e-20, -7.25, 1e9, f64::INFINITY, f64::NAN];
        Self { positions, frames: 64, clips: 16, widths: vec![0, 1, 2, 4, 8], all_spaces: true }
    }

    /// What a large file has time for.
    pub fn brief() -> Self {
        Self { positions: vec![0.3, 5.5], frames: 4, clips: 2, widths: vec![4], all_spaces: false }
    }
}

/// Some of so many things, evenly spread: the first and the last among them.
fn spread(count: usize, most: usize) -> impl Iterator<Item = usize> {
    let step = count.saturating_sub(1).checked_div(most.saturating_sub(1)).unwrap_or(0).max(1);
    (0..count).step_by(step).chain(count.checked_sub(1))
}

/// A mesh and an animation, by themselves and together. Bytes that are neither are passed over: others compare parsing.
pub fn agree(mesh: &[u8], animation: &[u8], side_car: Option<&[u8]>, effort: &Effort) {
    agree_about_mesh(mesh, effort);
    agree_about_clips(animation, effort);
    agree_about_both(mesh, animation, side_car, effort);
}

/// A mesh by itself.
pub fn agree_about_mesh(bytes: &[u8], effort: &Effort) {
    let asset = Asset::parse(bytes);
    let asset = asset.as_ref().ok();
    match (asset.and_then(Asset::mesh), naive::mesh(bytes)) {
        (Some(mesh), Some(model)) => {
            meshes::same_mesh(&mesh, &model);
            skins::same_skins(&mesh, &model, effort);
        }
        (None, None) => {}
        (found, expected) => panic!("{found:?} and {}", if expected.is_some() { "a mesh" } else { "no mesh" }),
    }
}

/// The clips of an animation by themselves.
pub fn agree_about_clips(bytes: &[u8], effort: &Effort) {
    let Ok(asset) = Asset::parse(bytes) else { return };
    let clips: Vec<Clip<'_>> = asset.clips().collect();
    if is_too_long(&clips) {
        return;
    }
    let motions = naive::motions(bytes).unwrap_or_default();
    assert_eq!(clips.len(), motions.len());
    for at in spread(clips.len(), effort.clips) {
        clips::same_clip(&clips[at], &motions[at], effort);
    }
}

fn agree_about_both(mesh: &[u8], animation: &[u8], side_car: Option<&[u8]>, effort: &Effort) {
    let (Ok(mesh_asset), Ok(asset)) = (Asset::parse(mesh), Asset::parse(animation)) else { return };
    let (Some(own), Some(model)) = (mesh_asset.mesh(), naive::mesh(mesh)) else { return };
    let clips: Vec<Clip<'_>> = asset.clips().collect();
    if is_too_long(&clips) {
        return;
    }
    let motions = naive::motions(animation).unwrap_or_default();
    for at in spread(clips.len(), effort.clips) {
        let motion = motions[at].clone().in_space_of(&model);
        let both = Both { mesh: own, model: &model, clip: &clips[at], motion: &motion };
        clips::same_binding(&both, None, effort);
        if let Some(side_car) = side_car.filter(|_| motions[at].rules.has_side_car) {
            clips::same_binding(&both, Some(side_car), effort);
        }
    }
}

/// A mesh and a clip, by the crate and by the naive evaluation.
struct Both<'a> {
    mesh: Mesh<'a>,
    model: &'a naive::Mesh,
    clip: &'a Clip<'a>,
    motion: &'a Motion,
}
