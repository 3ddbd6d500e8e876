//! A naive PMD and PSA reader of the Pyrogenesis engine, and what the engine makes of what it read.
//!
//! Every field is copied on its own; what a value means (ranges, sums, names) is not judged here.

use crate::family;

/// Whose rules a file is held to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// What the writers write.
    Strict,
    /// Whatever the engine loads.
    Engine,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bad {
    pub kind: &'static str,
    pub section: &'static str,
    pub offset: u64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct State {
    pub t: [f32; 3],
    /// x, y, z, w.
    pub q: [f32; 4],
}

#[derive(Debug, Clone)]
pub struct Psa {
    pub version: u32,
    pub name: Vec<u8>,
    /// In milliseconds.
    pub frame_length: f32,
    pub bones: u32,
    pub frames: u32,
    /// Frame by frame, a state per bone.
    pub states: Vec<State>,
    /// Bytes left unread.
    pub trailing: u64,
    pub quirks: Vec<&'static str>,
}

#[derive(Debug, Clone)]
pub struct Pmd {
    pub version: u32,
    pub uv_sets: u32,
    pub vertices: Vec<Vertex>,
    pub faces: Vec<[u16; 3]>,
    pub bind: Vec<State>,
    /// Those of the file; the "root" that the engine adds to versions 1 and 2 is not among them.
    pub props: Vec<Prop>,
    /// Bytes left unread.
    pub trailing: u64,
    pub quirks: Vec<&'static str>,
}

#[derive(Debug, Clone)]
pub struct Vertex {
    pub position: [f32; 3],
    pub normal: [f32; 3],
    pub uvs: Vec<[f32; 2]>,
    pub bones: [u8; 4],
    pub weights: [f32; 4],
}

#[derive(Debug, Clone)]
pub struct Prop {
    pub name: Vec<u8>,
    pub position: [f32; 3],
    pub rotation: [f32; 4],
    pub bone: u8,
}

/// A bone index that names nothing.
const NONE: u8 = 0xFF;

/// Reads an animation; the first broken rule in file order is the one reported.
pub fn read_psa(bytes: &[u8], mode: Mode) -> Result<Psa, Bad> {
    let (mut file, version) = open(bytes, *b"PSSA", 1, mode)?;
    let name_length = file.u32("name")?;
    let name = file.take(u64::from(name_length), "name")?.to_vec();
    let frame_length_at = file.at;
    let frame_length = f32::from_bits(file.u32("frame length")?);
    let counts_at = file.at;
    let bones = file.u32("counts")?;
    let frames = file.u32("counts")?;

    let mut quirks = unknown_version(version, 1);
    if !(frame_length.is_finite() && frame_length > 0.0) {
        if mode == Mode::Strict {
            return Err(bad("frame-length", "frame length", frame_length_at));
        }
        quirks.push("frame-length");
    }
    if frames == 0 {
        if mode == Mode::Strict {
            return Err(bad("no-frames", "counts", counts_at));
        }
        quirks.push("no-frames");
    } else if bones == 0 {
        quirks.push("no-bones");
    }

    let mut states = Vec::new();
    for record in file.records(28, u128::from(bones) * u128::from(frames), "bone states")? {
        states.push(state(record));
    }
    let trailing = file.end(mode, &mut quirks)?;
    Ok(Psa { version, name, frame_length, bones, frames, states, trailing, quirks })
}

/// Reads a mesh; the first broken rule in file order is the one reported.
pub fn read_pmd(bytes: &[u8], mode: Mode) -> Result<Pmd, Bad> {
    let (mut file, version) = open(bytes, *b"PSMD", 4, mode)?;
    let vertex_count = file.u32("counts")?;
    let uv_sets = if version >= 4 { file.u32("counts")? } else { 1 };
    let vertex_size = 44 + 8 * u64::from(uv_sets);
    let mut vertices = Vec::new();
    for record in file.records(vertex_size, u128::from(vertex_count), "vertices")? {
        vertices.push(vertex(record));
    }

    let face_count = file.u32("faces")?;
    let mut faces = Vec::new();
    for r in file.records(6, u128::from(face_count), "faces")? {
        faces.push([u16_at(r, 0), u16_at(r, 2), u16_at(r, 4)]);
    }

    let bone_count = file.u32("bind pose")?;
    let mut bind = Vec::new();
    for record in file.records(28, u128::from(bone_count), "bind pose")? {
        bind.push(state(record));
    }

    let prop_count = if version >= 2 { file.u32("prop points")? } else { 0 };
    let mut props = Vec::new();
    for _ in 0..prop_count {
        props.push(prop(&mut file)?);
    }
    let mut quirks = unknown_version(version, 4);
    let trailing = file.end(mode, &mut quirks)?;
    Ok(Pmd { version, uv_sets, vertices, faces, bind, props, trailing, quirks })
}

/// Whether a file begins as a mesh or an animation does.
pub fn begins(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PSMD") || bytes.starts_with(b"PSSA")
}

/// Checks the twelve bytes that both formats start with, and yields what follows and the version.
fn open(bytes: &[u8], magic: [u8; 4], newest: u32, mode: Mode) -> Result<(Reader<'_>, u32), Bad> {
    if bytes.is_empty() {
        return Err(bad("empty", "file", 0));
    }
    if !bytes.starts_with(&magic) {
        return Err(bad(family::stranger(bytes), "file", 0));
    }
    if bytes.len() < 12 {
        return Err(bad("truncated", "header", 0));
    }
    if u64::from(u32_at(bytes, 8)) != bytes.len() as u64 - 12 {
        return Err(bad("data-size", "header", 0));
    }
    let version = u32_at(bytes, 4);
    if version == 0 || (mode == Mode::Strict && version > newest) {
        return Err(bad("version", "header", 0));
    }
    Ok((Reader { bytes, at: 12 }, version))
}

fn unknown_version(version: u32, newest: u32) -> Vec<&'static str> {
    if version > newest { vec!["unknown-version"] } else { Vec::new() }
}

fn bad(kind: &'static str, section: &'static str, offset: usize) -> Bad {
    Bad { kind, section, offset: offset as u64 }
}

struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Reader<'b> {
    fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    fn u32(&mut self, section: &'static str) -> Result<u32, Bad> {
        if self.left() < 4 {
            return Err(bad("truncated", section, self.at));
        }
        let value = u32_at(self.bytes, self.at);
        self.at += 4;
        Ok(value)
    }

    fn take(&mut self, size: u64, section: &'static str) -> Result<&'b [u8], Bad> {
        if size > self.left() as u64 {
            return Err(bad("records-overrun", section, self.at));
        }
        let start = self.at;
        self.at += usize::try_from(size).unwrap();
        Ok(&self.bytes[start..self.at])
    }

    /// The bytes of each of `count` records, once all of them are known to be there.
    fn records(&mut self, size: u64, count: u128, section: &'static str) -> Result<Vec<&'b [u8]>, Bad> {
        if u128::from(size) * count > self.left() as u128 {
            return Err(bad("records-overrun", section, self.at));
        }
        let mut records = Vec::new();
        for _ in 0..count {
            records.push(self.take(size, section)?);
        }
        Ok(records)
    }

    fn end(&self, mode: Mode, quirks: &mut Vec<&'static str>) -> Result<u64, Bad> {
        if self.left() > 0 {
            if mode == Mode::Strict {
                return Err(bad("trailing-bytes", "end", self.at));
            }
            quirks.push("trailing-bytes");
        }
        Ok(self.left() as u64)
    }
}

fn u16_at(b: &[u8], o: usize) -> u16 {
    u16::from_le_bytes([b[o], b[o + 1]])
}

fn u32_at(b: &[u8], o: usize) -> u32 {
    u32::from_le_bytes([b[o], b[o + 1], b[o + 2], b[o + 3]])
}

fn f32_at(b: &[u8], o: usize) -> f32 {
    f32::from_le_bytes([b[o], b[o + 1], b[o + 2], b[o + 3]])
}

fn f32x3(b: &[u8], o: usize) -> [f32; 3] {
    [f32_at(b, o), f32_at(b, o + 4), f32_at(b, o + 8)]
}

fn f32x4(b: &[u8], o: usize) -> [f32; 4] {
    [f32_at(b, o), f32_at(b, o + 4), f32_at(b, o + 8), f32_at(b, o + 12)]
}

fn state(r: &[u8]) -> State {
    State { t: f32x3(r, 0), q: f32x4(r, 12) }
}

fn vertex(r: &[u8]) -> Vertex {
    let blend = r.len() - 20;
    let mut uvs = Vec::new();
    for at in (24..blend).step_by(8) {
        uvs.push([f32_at(r, at), f32_at(r, at + 4)]);
    }
    Vertex {
        position: f32x3(r, 0),
        normal: f32x3(r, 12),
        uvs,
        bones: [r[blend], r[blend + 1], r[blend + 2], r[blend + 3]],
        weights: f32x4(r, blend + 4),
    }
}

fn prop(file: &mut Reader<'_>) -> Result<Prop, Bad> {
    let length = file.u32("prop points")?;
    let name = file.take(u64::from(length), "prop points")?.to_vec();
    let at = file.at;
    let r = file.take(29, "prop points").map_err(|_| bad("truncated", "prop points", at))?;
    Ok(Prop { name, position: f32x3(r, 0), rotation: f32x4(r, 12), bone: r[28] })
}

/// Column-major, for column vectors.
type Matrix = [f32; 16];

const IDENTITY: Matrix = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];

/// The matrices of all bones at a time, bit for bit the engine's.
pub fn pose(psa: &Psa, time_ms: f32, looping: bool) -> Result<Vec<Matrix>, &'static str> {
    if !(psa.frame_length.is_finite() && psa.frame_length > 0.0) {
        return Err("frame-length");
    }
    if psa.frames == 0 {
        return Err("no-frames");
    }
    let position = time_ms / psa.frame_length;
    // The engine truncates to an int; anything else is undefined there.
    if time_ms < 0.0 || position.is_nan() || position >= 2_147_483_648.0 {
        return Err("time");
    }
    let whole = position as u32;
    let part = position - whole as f32;
    let start = whole % psa.frames;
    let end = (start + 1) % psa.frames;

    let mut matrices = Vec::new();
    for bone in 0..psa.bones {
        let a = psa.states[state_index(psa, start, bone)];
        if !looping && end == 0 {
            matrices.push(translated(multiply(&rotation(a.q), &IDENTITY), a.t));
            continue;
        }
        let b = psa.states[state_index(psa, end, bone)];
        let t = std::array::from_fn(|axis| a.t[axis] + (b.t[axis] - a.t[axis]) * part);
        matrices.push(translated(rotation(slerp(a.q, b.q, part)), t));
    }
    Ok(matrices)
}

fn state_index(psa: &Psa, frame: u32, bone: u32) -> usize {
    frame as usize * psa.bones as usize + bone as usize
}

/// Positions and normals in model space; versions 1 and 2 store them relative to the bind pose.
pub fn rest(pmd: &Pmd) -> Vec<([f32; 3], [f32; 3])> {
    let bind: Vec<Matrix> =
        pmd.bind.iter().map(|bone| translated(multiply(&rotation(bone.q), &IDENTITY), bone.t)).collect();
    let mut out = Vec::new();
    for vertex in &pmd.vertices {
        if pmd.version > 2 || bind.is_empty() {
            out.push((vertex.position, vertex.normal));
            continue;
        }
        let mut position = [0.0; 3];
        let mut normal = [0.0; 3];
        for (bone, weight) in influences(vertex) {
            let matrix = matrix_of(&bind, bone);
            let moved = transform(matrix, vertex.position);
            let turned = turn(matrix, vertex.normal);
            for axis in 0..3 {
                position[axis] += moved[axis] * weight;
                normal[axis] += turned[axis] * weight;
            }
        }
        if vertex.bones[1] != NONE {
            normal = normalized(normal);
        }
        out.push((position, normal));
    }
    out
}

/// Each bone's bind pose, undone; the rotation is taken to be a unit quaternion.
pub fn inverse_bind(pmd: &Pmd) -> Vec<Matrix> {
    let mut matrices = Vec::new();
    for bone in &pmd.bind {
        let [x, y, z, w] = bone.q;
        let back = translated(IDENTITY, bone.t.map(|component| -component));
        matrices.push(multiply(&rotation([-x, -y, -z, w]), &back));
    }
    matrices
}

/// The matrix of a prop point, relative to its bone.
pub fn prop_matrix(position: [f32; 3], q: [f32; 4]) -> Matrix {
    translated(multiply(&rotation(q), &IDENTITY), position)
}

/// Positions and normals under a pose, bit for bit those of the engine's CPU path with an identity model transform.
///
/// Where the engine would read out of bounds (a first bone of 0xFF, an index above the bone count), the model transform
/// is used, as it is for an index equal to the bone count.
pub fn skin(pmd: &Pmd, pose: &[Matrix]) -> Vec<([f32; 3], [f32; 3])> {
    assert_eq!(pose.len(), pmd.bind.len(), "a pose fits the meshes of as many bones");
    let mut matrices = Vec::new();
    for (bone, inverse) in pose.iter().zip(&inverse_bind(pmd)) {
        matrices.push(multiply(bone, inverse));
    }
    let mut out = Vec::new();
    for (vertex, (position, normal)) in pmd.vertices.iter().zip(rest(pmd)) {
        if matrices.is_empty() {
            out.push((position, normal));
        } else if vertex.bones[1] == NONE || vertex.bones[0] == NONE {
            let matrix = matrix_of(&matrices, vertex.bones[0]);
            out.push((transform(matrix, position), turn(matrix, normal)));
        } else {
            let blended = blend(&matrices, vertex);
            out.push((transform(&blended, position), normalized(turn(&blended, normal))));
        }
    }
    out
}

/// Bones and weights up to the first 0xFF.
fn influences(vertex: &Vertex) -> impl Iterator<Item = (u8, f32)> + '_ {
    vertex.bones.into_iter().zip(vertex.weights).take_while(|&(bone, _)| bone != NONE)
}

fn matrix_of(matrices: &[Matrix], bone: u8) -> &Matrix {
    matrices.get(usize::from(bone)).unwrap_or(&IDENTITY)
}

fn blend(matrices: &[Matrix], vertex: &Vertex) -> Matrix {
    let mut blended = matrix_of(matrices, vertex.bones[0]).map(|element| element * vertex.weights[0]);
    for (bone, weight) in influences(vertex).skip(1) {
        let matrix = matrix_of(matrices, bone);
        for (sum, element) in blended.iter_mut().zip(matrix) {
            *sum += element * weight;
        }
    }
    blended
}

fn slerp(a: [f32; 4], b: [f32; 4], part: f32) -> [f32; 4] {
    let mut b = b;
    let mut cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    if cosine < 0.0 {
        cosine = -cosine;
        b = b.map(|component| -component);
    }
    let (scale_a, scale_b) = if 1.0 - cosine > 0.0001 {
        let angle = cosine.acos();
        let sine = angle.sin();
        (((1.0 - part) * angle).sin() / sine, (part * angle).sin() / sine)
    } else {
        (1.0 - part, part)
    };
    std::array::from_fn(|component| scale_a * a[component] + scale_b * b[component])
}

fn rotation([x, y, z, w]: [f32; 4]) -> Matrix {
    let (xx, xy, xz) = (x * x * 2.0, x * y * 2.0, x * z * 2.0);
    let (yy, yz, zz) = (y * y * 2.0, y * z * 2.0, z * z * 2.0);
    let (wx, wy, wz) = (w * x * 2.0, w * y * 2.0, w * z * 2.0);
    [
        1.0 - (yy + zz),
        xy + wz,
        xz - wy,
        0.0,
        xy - wz,
        1.0 - (xx + zz),
        yz + wx,
        0.0,
        xz + wy,
        yz - wx,
        1.0 - (xx + yy),
        0.0,
        0.0,
        0.0,
        0.0,
        1.0,
    ]
}

/// Adds to the translation: 0 + -0 is +0, so writing it would differ.
fn translated(mut matrix: Matrix, t: [f32; 3]) -> Matrix {
    for axis in 0..3 {
        matrix[12 + axis] += t[axis];
    }
    matrix
}

/// All four terms of every sum, the zeros too: they decide the signs of zeros.
fn multiply(a: &Matrix, b: &Matrix) -> Matrix {
    let mut product = [0.0; 16];
    for column in 0..4 {
        for row in 0..4 {
            product[4 * column + row] = a[row] * b[4 * column]
                + a[4 + row] * b[4 * column + 1]
                + a[8 + row] * b[4 * column + 2]
                + a[12 + row] * b[4 * column + 3];
        }
    }
    product
}

fn transform(m: &Matrix, [x, y, z]: [f32; 3]) -> [f32; 3] {
    [
        m[0] * x + m[4] * y + m[8] * z + m[12],
        m[1] * x + m[5] * y + m[9] * z + m[13],
        m[2] * x + m[6] * y + m[10] * z + m[14],
    ]
}

fn turn(m: &Matrix, [x, y, z]: [f32; 3]) -> [f32; 3] {
    [m[0] * x + m[4] * y + m[8] * z, m[1] * x + m[5] * y + m[9] * z, m[2] * x + m[6] * y + m[10] * z]
}

fn normalized([x, y, z]: [f32; 3]) -> [f32; 3] {
    let scale = 1.0 / (x * x + y * y + z * z).sqrt();
    [x * scale, y * scale, z * scale]
}
