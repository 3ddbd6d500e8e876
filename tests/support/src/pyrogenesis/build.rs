//! Writes Pyrogenesis PSA and PMD files field by field, with a name for every offset a test may want to damage.
//!
//! Shared by corpus, property tests and benchmarks, and independent of the crate: a layout error here and the same
//! one there would have to be made twice.

// Each user needs a different part.
#![allow(dead_code, unreachable_pub)]
// Counts in these files are unsigned 32-bit; nothing built here comes near the limit.
#![allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)]

use std::collections::BTreeMap;

pub use crate::built::Built;

/// Milliseconds per frame of the converter: a 30th of a second in single precision.
pub const CONVERTER_MS: f32 = 1000.0 / 30.0;

pub const IDENTITY: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

/// A bone index that names nothing.
pub const NONE: u8 = 0xFF;

// Frames after which the motion of `Psa::walk` repeats.
const CYCLE: u32 = 8;

const AXES: [[f32; 3]; 4] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.6, 0.0, 0.8], [0.0, 0.28, 0.96]];

// The first of three bones stands still, the second turns so little that the engine blends linearly, the third far.
const REACHES: [f32; 3] = [0.0, 0.004, 0.25];

/// Where a bone is, in model space; the rotation is x, y, z, w.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    pub t: [f32; 3],
    pub q: [f32; 4],
}

impl State {
    pub const SIZE: usize = 28;
    pub const REST: Self = Self { t: [0.0; 3], q: IDENTITY };

    pub fn new(t: [f32; 3], q: [f32; 4]) -> Self {
        Self { t, q }
    }
}

/// The contents of an animation; counts are those written, whatever `states` holds.
#[derive(Clone, Debug)]
pub struct Psa {
    pub version: u32,
    pub name: Vec<u8>,
    pub frame_length: f32,
    pub bones: u32,
    pub frames: u32,
    /// Frame by frame, a state per bone.
    pub states: Vec<State>,
}

impl Psa {
    /// As the converter writes them.
    pub fn new(bones: u32, frames: u32, states: Vec<State>) -> Self {
        Self { version: 1, name: Vec::new(), frame_length: CONVERTER_MS, bones, frames, states }
    }

    /// Bones above one another that rock about an axis each, and change the sign of their rotation now and then.
    ///
    /// Only arithmetic that is exact to the last bit on every machine.
    pub fn walk(bones: u32, frames: u32) -> Self {
        let states = (0..frames).flat_map(|frame| (0..bones).map(move |bone| step(bone, frame))).collect();
        Self::new(bones, frames, states)
    }

    /// Offsets: `magic`, `version`, `data_size`, `name.length`, `name`, `frame_length`, `bones`, `frames`, `states`, `end`.
    pub fn build(&self) -> Built {
        let mut out = Writer::new(*b"PSSA", self.version);
        out.bytes.reserve(self.name.len() + self.states.len() * State::SIZE);
        out.string("name", &self.name);
        out.mark("frame_length").f32s(&[self.frame_length]);
        out.mark("bones").u32(self.bones);
        out.mark("frames").u32(self.frames);
        out.mark("states").states(&self.states);
        out.finish()
    }
}

#[derive(Clone, Debug)]
pub struct Vertex {
    pub position: [f32; 3],
    pub normal: [f32; 3],
    pub uvs: Vec<[f32; 2]>,
    pub bones: [u8; 4],
    pub weights: [f32; 4],
}

#[derive(Clone, Debug)]
pub struct Prop {
    pub name: Vec<u8>,
    pub at: State,
    pub bone: u8,
}

impl Prop {
    pub fn new(name: impl AsRef<[u8]>, at: State, bone: u8) -> Self {
        Self { name: name.as_ref().to_vec(), at, bone }
    }

    /// What every writer puts first.
    pub fn root() -> Self {
        Self::new("root", State::REST, NONE)
    }
}

/// The contents of a mesh, written as far as its version has room for them.
#[derive(Clone, Debug)]
pub struct Pmd {
    pub version: u32,
    /// What the file says; every vertex should have as many.
    pub uv_sets: u32,
    pub vertices: Vec<Vertex>,
    pub faces: Vec<[u16; 3]>,
    pub bind: Vec<State>,
    pub props: Vec<Prop>,
}

impl Pmd {
    /// A rippled sheet: two faces per cell, two influences per vertex, a prop per bone; the bones are those of
    /// [`Psa::walk`].
    ///
    /// # Panics
    /// If faces could not reach every vertex, or a vertex not every bone.
    pub fn grid(columns: u32, rows: u32, bones: u32, uv_sets: u32) -> Self {
        assert!(columns * rows <= 65_536, "vertices are named by 16 bits");
        assert!(bones < 255, "bones are named by 8 bits");
        let vertices = (0..columns * rows).map(|index| {
            let (x, z) = (index % columns, index / columns);
            let slope = turn([1.0, 0.0, 0.0], 0.1 * wave(x));
            let uv = [x as f32 / columns as f32, z as f32 / rows as f32];
            let (bones, weights) = grid_blend(index, bones);
            Vertex {
                position: [x as f32, 0.25 * wave(x + 2 * z), z as f32],
                normal: [slope[0], slope[3], 0.0],
                uvs: vec![uv; uv_sets as usize],
                bones,
                weights,
            }
        });
        let cells = (1..rows).flat_map(|row| (1..columns).map(move |column| row * columns + column));
        let faces = cells.flat_map(|corner| {
            let (left, above) = (corner - 1, corner - columns);
            [[corner, left, above - 1], [corner, above - 1, above]].map(|face| face.map(|vertex| vertex as u16))
        });
        let hooks = (0..bones).map(|bone| Prop::new(format!("hook_{bone:03}"), State::REST, bone as u8));
        Self {
            version: 4,
            uv_sets,
            vertices: vertices.collect(),
            faces: faces.collect(),
            bind: (0..bones).map(|bone| step(bone, 0)).collect(),
            props: std::iter::once(Prop::root()).chain(hooks).collect(),
        }
    }

    /// Bytes of a vertex.
    pub fn vertex_size(&self) -> usize {
        44 + 8 * self.uv_sets as usize
    }

    /// Offsets: `magic`, `version`, `data_size`, `vertices.count`, `uv_sets` (from version 4), `vertices`,
    /// `faces.count`, `faces`, `bind.count`, `bind`, `props.count` (from version 2), `props`, `end`, and for every
    /// prop by number `prop#0.length`, `prop#0`, `prop#0.transform`.
    pub fn build(&self) -> Built {
        let mut out = Writer::new(*b"PSMD", self.version);
        out.bytes.reserve(self.vertices.len() * self.vertex_size() + self.faces.len() * 6);
        out.mark("vertices.count").u32(self.vertices.len() as u32);
        if self.version >= 4 {
            out.mark("uv_sets").u32(self.uv_sets);
        }
        out.mark("vertices");
        for vertex in &self.vertices {
            out.f32s(&vertex.position).f32s(&vertex.normal);
            out.f32s(vertex.uvs.as_flattened());
            out.bytes.extend_from_slice(&vertex.bones);
            out.f32s(&vertex.weights);
        }
        out.mark("faces.count").u32(self.faces.len() as u32);
        out.mark("faces");
        for vertex in self.faces.as_flattened() {
            out.bytes.extend_from_slice(&vertex.to_le_bytes());
        }
        out.mark("bind.count").u32(self.bind.len() as u32);
        out.mark("bind").states(&self.bind);
        if self.version >= 2 {
            out.mark("props.count").u32(self.props.len() as u32);
            out.mark("props");
            for (index, prop) in self.props.iter().enumerate() {
                out.string(&format!("prop#{index}"), &prop.name);
                out.mark(format!("prop#{index}.transform")).states(&[prop.at]);
                out.bytes.push(prop.bone);
            }
        }
        out.finish()
    }
}

impl Built {
    /// Adds bytes that belong to nothing; the header agrees.
    #[must_use]
    pub fn tail(self, bytes: &[u8]) -> Self {
        self.stray(bytes).sealed()
    }

    /// Adds bytes that the header does not know of.
    #[must_use]
    pub fn stray(mut self, bytes: &[u8]) -> Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    /// Makes the header state the size there is.
    #[must_use]
    pub fn sealed(self) -> Self {
        let size = (self.bytes.len() - 12) as u32;
        self.patch_u32("data_size", size)
    }
}

struct Writer {
    bytes: Vec<u8>,
    offsets: BTreeMap<String, usize>,
}

impl Writer {
    fn new(magic: [u8; 4], version: u32) -> Self {
        let mut out = Self { bytes: Vec::new(), offsets: BTreeMap::new() };
        out.mark("magic").bytes.extend_from_slice(&magic);
        out.mark("version").u32(version);
        out.mark("data_size").u32(0);
        out
    }

    fn mark(&mut self, name: impl Into<String>) -> &mut Self {
        self.offsets.insert(name.into(), self.bytes.len());
        self
    }

    fn u32(&mut self, value: u32) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    fn f32s(&mut self, values: &[f32]) -> &mut Self {
        for value in values {
            self.bytes.extend_from_slice(&value.to_le_bytes());
        }
        self
    }

    fn string(&mut self, name: &str, text: &[u8]) {
        self.mark(format!("{name}.length")).u32(text.len() as u32);
        self.mark(name).bytes.extend_from_slice(text);
    }

    fn states(&mut self, states: &[State]) {
        for state in states {
            self.f32s(&state.t).f32s(&state.q);
        }
    }

    fn finish(mut self) -> Built {
        self.mark("end");
        Built::new(self.bytes, self.offsets).sealed()
    }
}

fn step(bone: u32, frame: u32) -> State {
    let swing = REACHES[bone as usize % 3] * wave(frame + bone);
    let q = turn(AXES[bone as usize % 4], swing);
    let flipped = (frame + bone) % 4 == 3;
    State { t: [swing, bone as f32, -swing], q: if flipped { q.map(|component| -component) } else { q } }
}

/// A parabola's idea of a sine, from -1 to 1 and back in a cycle.
fn wave(at: u32) -> f32 {
    let x = (at % CYCLE) as f32 / CYCLE as f32 * 2.0;
    if x < 1.0 { 4.0 * x * (1.0 - x) } else { -4.0 * (x - 1.0) * (2.0 - x) }
}

/// The rotation about an axis by four times the arc tangent of `t`: unit length without roots or sines.
fn turn(axis: [f32; 3], t: f32) -> [f32; 4] {
    let sine = 2.0 * t / (1.0 + t * t);
    [axis[0] * sine, axis[1] * sine, axis[2] * sine, (1.0 - t * t) / (1.0 + t * t)]
}

fn grid_blend(index: u32, bones: u32) -> ([u8; 4], [f32; 4]) {
    let bone = |nth: u32| ((index + nth) % bones) as u8;
    match bones {
        0 => ([NONE; 4], [0.0; 4]),
        1 => ([0, NONE, NONE, NONE], [1.0, 0.0, 0.0, 0.0]),
        _ => ([bone(0), bone(1), NONE, NONE], [0.75, 0.25, 0.0, 0.0]),
    }
}
