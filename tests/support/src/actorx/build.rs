//! Writes `ActorX` files record by record, with a name for every offset a test may want to damage.
//!
//! Shared by corpus, property tests and benchmarks, and independent of the crate: a layout error here and the same
//! one there would have to be made twice.

// Each user needs a different part.
#![allow(dead_code, unreachable_pub)]
// Fields are called what the reference calls them.
#![allow(clippy::struct_field_names)]
// Sizes and counts in these files are signed 32-bit; nothing built here comes near the limit.
#![allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_precision_loss)]

use std::collections::BTreeMap;

pub use crate::built::Built;

/// `TypeFlag` of Epic's exporters and everything that copied them, in every chunk.
pub const CLASSIC: u32 = 1_999_801;
/// `TypeFlag` of the first chunk since 2020; the others are 0.
pub const MODERN: u32 = 20_100_422;
/// `TypeFlag` of the first chunk of a mesh with morphs.
pub const MORPHS: u32 = 20_220_723;

pub const IDENTITY: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

pub type Name = [u8; 64];

/// A name field, NUL-padded; 64 bytes leave no NUL.
pub fn name(text: impl AsRef<[u8]>) -> Name {
    let text = text.as_ref();
    let mut field = [0; 64];
    field[..text.len()].copy_from_slice(text);
    field
}

/// A field or a whole record, written without padding.
pub trait Record {
    const SIZE: usize;
    fn put(&self, out: &mut Vec<u8>);
}

impl<T: Record, const N: usize> Record for [T; N] {
    const SIZE: usize = N * T::SIZE;
    fn put(&self, out: &mut Vec<u8>) {
        for item in self {
            item.put(out);
        }
    }
}

macro_rules! scalars {
    ($($scalar:ty)*) => {$(
        impl Record for $scalar {
            const SIZE: usize = size_of::<$scalar>();
            fn put(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
        }
    )*};
}

scalars!(u8 u16 u32 i32 f32);

macro_rules! records {
    ($($(#[$doc:meta])* $record:ident[$size:literal] { $($field:ident: $kind:ty),* $(,)? })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $record { $(pub $field: $kind),* }

        impl Record for $record {
            const SIZE: usize = 0 $(+ <$kind as Record>::SIZE)*;
            fn put(&self, out: &mut Vec<u8>) {
                $(self.$field.put(out);)*
            }
        }

        const _: () = assert!(<$record as Record>::SIZE == $size);
    )*};
}

records! {
    /// `point` is written as 32 bits; old writers left garbage in its high half.
    Wedge[16] { point: u32, u: f32, v: f32, material: u8, reserved: u8, padding: u16 }
    /// `FACE3200`.
    Face[18] { wedges: [u32; 3], material: u8, aux_material: u8, smoothing_groups: u32 }
    /// `FACE0000`.
    NarrowFace[12] { wedges: [u16; 3], material: u8, aux_material: u8, smoothing_groups: u32 }
    Material[88] {
        name: Name, texture_index: i32, poly_flags: u32, aux_material: i32, aux_flags: u32, lod_bias: i32,
        lod_style: i32,
    }
    Bone[120] {
        name: Name, flags: u32, children: i32, parent: i32, rotation: [f32; 4], position: [f32; 3], length: f32,
        size: [f32; 3],
    }
    Weight[12] { weight: f32, point: i32, bone: i32 }
    Morph[68] { name: Name, count: i32 }
    Delta[28] { position: [f32; 3], normal: [f32; 3], point: i32 }
    Socket[164] { name: Name, bone: Name, location: [f32; 3], rotation: [f32; 3], scale: [f32; 3] }
    Info[168] {
        name: Name, group: Name, total_bones: i32, root_include: i32, key_compression_style: i32, key_quotum: i32,
        key_reduction: f32, track_time: f32, rate: f32, start_bone: i32, first_raw_frame: i32, num_raw_frames: i32,
    }
    Key[32] { position: [f32; 3], rotation: [f32; 4], time: f32 }
    ScaleKey[16] { scale: [f32; 3], time: f32 }
}

impl Wedge {
    pub fn new(point: u32, uv: [f32; 2], material: u8) -> Self {
        Self { point, u: uv[0], v: uv[1], material, reserved: 0, padding: 0 }
    }
}

impl Face {
    pub fn new(wedges: [u32; 3], material: u8) -> Self {
        Self { wedges, material, aux_material: 0, smoothing_groups: 1 }
    }

    pub fn narrow(&self) -> NarrowFace {
        NarrowFace {
            wedges: self.wedges.map(|wedge| wedge as u16),
            material: self.material,
            aux_material: self.aux_material,
            smoothing_groups: self.smoothing_groups,
        }
    }
}

impl Material {
    pub fn new(text: &str, index: i32) -> Self {
        Self {
            name: name(text),
            texture_index: index,
            poly_flags: 0,
            aux_material: 0,
            aux_flags: 0,
            lod_bias: 0,
            lod_style: 0,
        }
    }
}

impl Bone {
    pub fn new(text: &str, parent: i32, position: [f32; 3], rotation: [f32; 4]) -> Self {
        Self { name: name(text), flags: 0, children: 0, parent, rotation, position, length: 1.0, size: [1.0; 3] }
    }
}

impl Socket {
    pub fn new(text: &str, bone: &str, location: [f32; 3]) -> Self {
        Self { name: name(text), bone: name(bone), location, rotation: [0.0, 90.0, 0.0], scale: [1.0; 3] }
    }
}

impl Info {
    /// A sequence that says only what is so.
    pub fn new(text: impl AsRef<[u8]>, bones: usize, first: i32, frames: i32, rate: f32) -> Self {
        Self {
            name: name(text),
            group: name("None"),
            total_bones: bones as i32,
            root_include: 0,
            key_compression_style: 0,
            key_quotum: frames * bones as i32,
            key_reduction: 0.0,
            track_time: frames as f32,
            rate,
            start_bone: 0,
            first_raw_frame: first,
            num_raw_frames: frames,
        }
    }
}

/// A file in the making: chunks in the order they are added.
#[derive(Clone, Debug)]
pub struct Chunks {
    bytes: Vec<u8>,
    offsets: BTreeMap<String, usize>,
    type_flags: (u32, u32),
    id_garbage: [u8; 19],
}

impl From<Chunks> for Vec<u8> {
    fn from(chunks: Chunks) -> Self {
        chunks.build().bytes
    }
}

impl Default for Chunks {
    fn default() -> Self {
        Self::new()
    }
}

impl Chunks {
    /// With the type flags of today's writers.
    pub fn new() -> Self {
        Self::flagged(MODERN, 0)
    }

    /// With `first` as the type flag of the first chunk and `rest` in the others.
    pub fn flagged(first: u32, rest: u32) -> Self {
        Self { bytes: Vec::new(), offsets: BTreeMap::new(), type_flags: (first, rest), id_garbage: [0; 19] }
    }

    /// Fills what follows the NUL of every later id.
    #[must_use]
    pub fn id_garbage(mut self, garbage: &[u8]) -> Self {
        self.id_garbage[..garbage.len()].copy_from_slice(garbage);
        self
    }

    /// A chunk of as many records as the body holds.
    #[must_use]
    pub fn chunk(self, id: &str, size: usize, body: &[u8]) -> Self {
        self.declare(id, size as i32, (body.len() / size) as i32, body)
    }

    #[must_use]
    pub fn records<R: Record>(mut self, id: &str, records: &[R]) -> Self {
        self.header(id, R::SIZE as i32, records.len() as i32);
        self.bytes.reserve(records.len() * R::SIZE);
        for record in records {
            record.put(&mut self.bytes);
        }
        self.end(id)
    }

    /// A chunk without records; writers disagree on what its record size is.
    #[must_use]
    pub fn empty(self, id: &str, size: i32) -> Self {
        self.declare(id, size, 0, &[])
    }

    /// A chunk whose header says whatever it likes.
    #[must_use]
    pub fn declare(mut self, id: &str, size: i32, count: i32, body: &[u8]) -> Self {
        self.header(id, size, count);
        self.bytes.extend_from_slice(body);
        self.end(id)
    }

    /// Records under a header that claims another size or count.
    #[must_use]
    pub fn declare_records<R: Record>(self, id: &str, size: i32, count: i32, records: &[R]) -> Self {
        self.declare(id, size, count, &to_bytes(records))
    }

    /// A chunk whose 20 id bytes are given raw; its offsets go by `label`.
    #[must_use]
    pub fn raw(mut self, label: &str, id: [u8; 20], type_flag: u32, size: i32, count: i32, body: &[u8]) -> Self {
        self.raw_header(label, id, type_flag, size, count);
        self.bytes.extend_from_slice(body);
        self.end(label)
    }

    /// A `:CUR` chunk: named weights, one per frame.
    #[must_use]
    pub fn curves(self, id: &str, frames: usize, curves: &[(&str, Vec<f32>)]) -> Self {
        let mut body = Vec::new();
        for (text, weights) in curves {
            assert_eq!(weights.len(), frames);
            name(text).put(&mut body);
            [0_u8; 64].put(&mut body);
            body.extend(to_bytes(weights));
        }
        self.declare(id, (128 + 4 * frames) as i32, curves.len() as i32, &body)
    }

    /// Bytes that belong to no chunk.
    #[must_use]
    pub fn stray(mut self, bytes: &[u8]) -> Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    /// The file, with offsets named `ID.header`, `.type_flag`, `.size`, `.count`, `.body`, `.end`.
    pub fn build(self) -> Built {
        Built::new(self.bytes, self.offsets)
    }

    fn header(&mut self, id: &str, size: i32, count: i32) {
        let mut raw = [0; 20];
        raw[..id.len()].copy_from_slice(id.as_bytes());
        if let Some(after) = raw.get_mut(id.len() + 1..) {
            after.copy_from_slice(&self.id_garbage[..after.len()]);
        }
        let flag = if self.bytes.is_empty() { self.type_flags.0 } else { self.type_flags.1 };
        self.raw_header(id, raw, flag, size, count);
    }

    fn raw_header(&mut self, label: &str, id: [u8; 20], type_flag: u32, size: i32, count: i32) {
        let start = self.bytes.len();
        let label = self.next_label(label);
        for (part, at) in [("header", 0), ("type_flag", 20), ("size", 24), ("count", 28), ("body", 32)] {
            self.offsets.insert(format!("{label}.{part}"), start + at);
        }
        id.put(&mut self.bytes);
        type_flag.put(&mut self.bytes);
        size.put(&mut self.bytes);
        count.put(&mut self.bytes);
    }

    /// The second chunk of an id is labelled `ID#2`, and so on.
    fn next_label(&self, id: &str) -> String {
        let mut label = id.to_owned();
        let mut nth = 1;
        while self.offsets.contains_key(&format!("{label}.header")) {
            nth += 1;
            label = format!("{id}#{nth}");
        }
        label
    }

    fn end(mut self, id: &str) -> Self {
        let mut label = id.to_owned();
        let mut nth = 1;
        while self.offsets.contains_key(&format!("{label}.end")) {
            nth += 1;
            label = format!("{id}#{nth}");
        }
        self.offsets.insert(format!("{label}.end"), self.bytes.len());
        self
    }
}

pub fn to_bytes<R: Record>(records: &[R]) -> Vec<u8> {
    let mut out = Vec::with_capacity(records.len() * R::SIZE);
    for record in records {
        record.put(&mut out);
    }
    out
}

/// The contents of a mesh, writable in the classic chunk order.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    pub points: Vec<[f32; 3]>,
    pub wedges: Vec<Wedge>,
    pub faces: Vec<Face>,
    pub materials: Vec<Material>,
    pub bones: Vec<Bone>,
    pub weights: Vec<Weight>,
    /// `FACE3200` whatever the number of wedges.
    pub wide_faces: bool,
}

impl Mesh {
    /// Head and the six classic chunks, onto which others may be added.
    pub fn onto(&self, chunks: Chunks) -> Chunks {
        let chunks = chunks.empty("ACTRHEAD", 0).records("PNTS0000", &self.points).records("VTXW0000", &self.wedges);
        self.faces_onto(chunks)
            .records("MATT0000", &self.materials)
            .records("REFSKELT", &self.bones)
            .records("RAWWEIGHTS", &self.weights)
    }

    pub fn faces_onto(&self, chunks: Chunks) -> Chunks {
        if self.wide_faces {
            return chunks.records("FACE3200", &self.faces);
        }
        let narrow: Vec<_> = self.faces.iter().map(Face::narrow).collect();
        chunks.records("FACE0000", &narrow)
    }

    pub fn chunks(&self) -> Chunks {
        self.onto(Chunks::new())
    }

    /// A rippled sheet of any size: a wedge per point, two faces per cell, two influences per point.
    pub fn sheet(columns: u32, rows: u32, bones: u32) -> Self {
        let mut mesh = Self { wide_faces: columns * rows > 65_536, ..Self::default() };
        for index in 0..columns * rows {
            let (x, y) = ((index % columns) as f32, (index / columns) as f32);
            mesh.points.push([x, y, (0.1 * x).sin() + (0.1 * y).cos()]);
            mesh.wedges.push(Wedge::new(index, [x / columns as f32, y / rows as f32], 0));
            let bone = (index % bones) as i32;
            mesh.weights.push(Weight { weight: 0.75, point: index as i32, bone });
            mesh.weights.push(Weight { weight: 0.25, point: index as i32, bone: bone / 2 });
        }
        for row in 1..rows {
            for column in 1..columns {
                let corner = row * columns + column;
                let (left, above) = (corner - 1, corner - columns);
                mesh.faces.push(Face::new([corner, left, above - 1], 0));
                mesh.faces.push(Face::new([corner, above - 1, above], 0));
            }
        }
        mesh.materials.push(Material::new("Sheet", 0));
        mesh.bones = chain(bones);
        mesh
    }
}

/// Bones hanging from one another, the first the root.
pub fn chain(bones: u32) -> Vec<Bone> {
    (0..bones as i32)
        .map(|index| Bone::new(&format!("Bone_{index:04}"), (index - 1).max(0), [0.0, 0.0, 5.0], IDENTITY))
        .collect()
}

/// The contents of an animation, writable in the one order ever seen.
#[derive(Clone, Debug, Default)]
pub struct Anim {
    pub bones: Vec<Bone>,
    pub infos: Vec<Info>,
    pub keys: Vec<Key>,
    pub scale_keys: Vec<ScaleKey>,
}

impl Anim {
    /// Head and the four other chunks, onto which others may be added.
    pub fn onto(&self, chunks: Chunks) -> Chunks {
        chunks
            .empty("ANIMHEAD", 0)
            .records("BONENAMES", &self.bones)
            .records("ANIMINFO", &self.infos)
            .records("ANIMKEYS", &self.keys)
            .records("SCALEKEYS", &self.scale_keys)
    }

    pub fn chunks(&self) -> Chunks {
        self.onto(Chunks::new())
    }

    /// Every bone sways about its x axis; `(name, frames, rate)` per sequence.
    pub fn sway(bones: Vec<Bone>, sequences: &[(&str, i32, f32)]) -> Self {
        let mut anim = Self { bones, ..Self::default() };
        let mut first = 0;
        for &(text, frames, rate) in sequences {
            anim.infos.push(Info::new(text, anim.bones.len(), first, frames, rate));
            first += frames;
            for frame in 0..frames {
                for bone in &anim.bones {
                    let half = 0.25 * (0.2 * frame as f32).sin();
                    let rotation = [half.sin(), 0.0, 0.0, half.cos()];
                    anim.keys.push(Key { position: bone.position, rotation, time: 1.0 });
                }
            }
        }
        anim
    }
}
