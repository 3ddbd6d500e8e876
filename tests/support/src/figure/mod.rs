//! A figure to look at: a fox of some hundred triangles that walks and stands, from which the families write the files of `corpus/`.
//!
//! It stands in metres, x forward, y to its left, z up (right-handed); triangles run counter-clockwise seen from outside. Each
//! family brings it into the conventions of its format. Nobody's content.

#![allow(clippy::many_single_char_names)]

mod fox;
pub mod math;

pub use fox::{MATERIALS, fox};
use math::{Rotation, Vector, add, conjugate, cosine, cross, product, rotate, sine, subtract, turn, unit};

/// Where a bone is: relative to its parent, or in the model.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub t: Vector,
    pub q: Rotation,
}

impl Place {
    fn then(self, local: Self) -> Self {
        Self { t: add(self.t, rotate(self.q, local.t)), q: product(self.q, local.q) }
    }

    fn seen_from(self, parent: Self) -> Self {
        let back = conjugate(parent.q);
        Self { t: rotate(back, subtract(self.t, parent.t)), q: product(back, self.q) }
    }
}

#[derive(Clone, Debug)]
pub struct Bone {
    pub name: &'static str,
    /// Comes before its children; none for the root.
    pub parent: Option<usize>,
    /// At rest, in the model; its x axis points to the bone's end.
    pub rest: Place,
}

#[derive(Clone, Debug)]
pub struct Point {
    pub position: Vector,
    pub normal: Vector,
    /// One or two bones, heaviest first.
    pub weights: Vec<(usize, f64)>,
}

/// A corner of a triangle; v runs downwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corner {
    pub point: usize,
    pub uv: [f64; 2],
    pub material: u8,
}

#[derive(Clone, Debug, Default)]
pub struct Figure {
    pub bones: Vec<Bone>,
    pub points: Vec<Point>,
    /// Each once.
    pub corners: Vec<Corner>,
    pub triangles: Vec<[usize; 3]>,
}

/// What the figure does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    Walk,
    Idle,
}

impl Motion {
    pub const FRAMES: u32 = 30;

    pub fn name(self) -> &'static str {
        match self {
            Self::Walk => "walk",
            Self::Idle => "idle",
        }
    }

    /// Frames per second: a step takes a second, a breath two.
    pub fn rate(self) -> f32 {
        match self {
            Self::Walk => 30.0,
            Self::Idle => 15.0,
        }
    }
}

impl Figure {
    /// Every bone relative to its parent, at rest.
    pub fn rest(&self) -> Vec<Place> {
        let local = |bone: &Bone| bone.parent.map_or(bone.rest, |parent| bone.rest.seen_from(self.bones[parent].rest));
        self.bones.iter().map(local).collect()
    }

    /// Every bone relative to its parent, in a frame of a motion that begins again after its last.
    pub fn pose(&self, motion: Motion, frame: u32) -> Vec<Place> {
        let at = f64::from(frame) / f64::from(Motion::FRAMES);
        let posed = self.bones.iter().zip(self.rest()).map(|(bone, rest)| {
            let (pitch, yaw, rise) = match motion {
                Motion::Walk => walk(bone.name, at),
                Motion::Idle => idle(bone.name, at),
            };
            let turned = product(turn([0.0, 1.0, 0.0], pitch), turn([0.0, 0.0, 1.0], yaw));
            Place { t: add(rest.t, [0.0, 0.0, rise]), q: product(rest.q, turned) }
        });
        posed.collect()
    }

    /// Every bone in the model.
    pub fn in_model(&self, locals: &[Place]) -> Vec<Place> {
        let mut places: Vec<Place> = Vec::with_capacity(locals.len());
        for (bone, local) in self.bones.iter().zip(locals) {
            places.push(bone.parent.map_or(*local, |parent| places[parent].then(*local)));
        }
        places
    }

    /// Gives every point the mean direction of the triangles about it, by their areas.
    fn smooth(&mut self) {
        for triangle in &self.triangles {
            let points = triangle.map(|corner| self.corners[corner].point);
            let [a, b, c] = points.map(|point| self.points[point].position);
            let area = cross(subtract(b, a), subtract(c, a));
            for point in points {
                self.points[point].normal = add(self.points[point].normal, area);
            }
        }
        self.points.iter_mut().for_each(|point| point.normal = unit(point.normal));
    }
}

/// Which part of a step a leg is in: it swings forward in the first half and carries in the second.
fn step_of(side: &str, is_front: bool, at: f64) -> f64 {
    at + if side == "l" { 0.0 } else { 0.5 } + if is_front { 0.25 } else { 0.0 }
}

/// How far a bone is turned down and to the left, in radians, and raised, in metres.
fn walk(bone: &str, at: f64) -> (f64, f64, f64) {
    let twice = |shift: f64| sine(2.0 * at + shift);
    let (part, side) = bone.rsplit_once('_').unwrap_or((bone, ""));
    let is_front = matches!(part, "shoulder" | "elbow" | "paw");
    let step = step_of(side, is_front, at);
    let (back, lift) = (cosine(step), sine(step).max(0.0) * sine(step));
    match part {
        "pelvis" => (0.02 * twice(0.0), 0.05 * sine(at), 0.012 * twice(0.25)),
        "spine" => (-0.02 * twice(0.0), -0.04 * sine(at), 0.0),
        "chest" => (0.02 * twice(0.3), -0.05 * sine(at), 0.0),
        "neck" => (0.05 * twice(0.4), 0.03 * sine(at), 0.0),
        "head" => (-0.06 * twice(0.4), 0.02 * sine(at), 0.0),
        "ear" => (0.08 * twice(0.6), 0.0, 0.0),
        "tail" => (0.05 * twice(0.2), 0.12 * sine(at - 0.1), 0.0),
        "shoulder" => (0.38 * back - 0.15 * lift, 0.0, 0.0),
        "elbow" => (0.9 * lift, 0.0, 0.0),
        "paw" => (0.7 * lift - 0.2 * back, 0.0, 0.0),
        "thigh" => (0.36 * back - 0.25 * lift, 0.0, 0.0),
        "shin" => (0.5 * lift, 0.0, 0.0),
        "foot" => (0.3 * lift - 0.15 * back, 0.0, 0.0),
        _ => (0.0, 0.0, 0.0),
    }
}

/// As [`walk`], standing: it breathes, looks about and wags its tail.
fn idle(bone: &str, at: f64) -> (f64, f64, f64) {
    let breath = sine(at);
    match bone {
        "chest" => (-0.02 * breath, 0.0, 0.0),
        "neck" => (0.03 * breath, 0.15 * sine(at), 0.0),
        "head" => (-0.02 * breath, 0.2 * sine(at - 0.05), 0.0),
        "ear_l" => (0.15 * sine(3.0 * at).max(0.0), 0.0, 0.0),
        "tail_1" | "tail_2" | "tail_3" => (-0.1, 0.3 * sine(2.0 * at), 0.0),
        _ => (0.0, 0.0, 0.0),
    }
}
