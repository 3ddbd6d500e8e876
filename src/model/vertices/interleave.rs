//! The attributes of vertices, one vertex after the other, in a buffer of the caller.

use core::ops::Range;

use super::Vertices;
use crate::report::{Error, ErrorKind, Section};

/// An attribute in a buffer of [`Vertices::interleave_into`]. Numbers are little-endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VertexAttribute {
    /// The position: three `f32`, 12 bytes.
    Position,
    /// The normal: three `f32`, 12 bytes.
    Normal,
    /// The tangent and the sign of the bitangent: four `f32`, 16 bytes. Zeros without tangents.
    Tangent,
    /// The texture coordinates of a set: two `f32`, 8 bytes. Zeros without the set.
    Uv(usize),
    /// The colour: four `u8`, 4 bytes. White without colours.
    Color,
    /// Four joints of a set: four `u16`, 8 bytes. Zeros without the set.
    Joints(usize),
    /// The weights of four joints of a set: four `f32`, 16 bytes. Zeros without the set.
    Weights(usize),
}

impl VertexAttribute {
    /// Bytes of the attribute.
    pub const fn size(self) -> usize {
        match self {
            Self::Position | Self::Normal => 12,
            Self::Tangent | Self::Weights(_) => 16,
            Self::Uv(_) | Self::Joints(_) => 8,
            Self::Color => 4,
        }
    }
}

impl Vertices {
    /// Writes attributes of a range of vertices into a buffer of the caller, such as the mapped buffer of a GPU: all attributes of a vertex, then those of the
    /// next. O(vertices), no allocation.
    ///
    /// ```
    /// use skelmap::{Asset, model::{VertexAttribute, VertexOptions}};
    ///
    /// const LAYOUT: [VertexAttribute; 3] = [VertexAttribute::Position, VertexAttribute::Normal, VertexAttribute::Uv(0)];
    ///
    /// let bytes = std::fs::read("corpus/fox.psk")?;
    /// let vertices = Asset::parse(&bytes)?.mesh().ok_or("no mesh")?.to_vertices(&VertexOptions::default())?;
    /// let mut buffer = vec![0; vertices.positions.len() * LAYOUT.iter().map(|attribute| attribute.size()).sum::<usize>()];
    /// vertices.interleave_into(0..vertices.positions.len(), &LAYOUT, &mut buffer)?;
    /// assert_eq!(buffer[..4], vertices.positions[0][0].to_le_bytes());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BufferSize`](ErrorKind::BufferSize) if the buffer does not have the bytes of the range. A vertex that does not exist has the defaults of [`VertexAttribute`].
    pub fn interleave_into(
        &self,
        range: Range<usize>,
        attributes: &[VertexAttribute],
        out: &mut [u8],
    ) -> Result<(), Error> {
        let stride = attributes.iter().fold(0_usize, |sum, attribute| sum.saturating_add(attribute.size()));
        let needed = range.len().saturating_mul(stride);
        ErrorKind::check_buffer(out.len(), needed).map_err(|kind| Error::new(kind, Section::named("vertices"), 0))?;
        if stride == 0 {
            return Ok(());
        }
        for (vertex, mut row) in range.zip(out.chunks_exact_mut(stride)) {
            for attribute in attributes {
                let Some((own, rest)) = row.split_at_mut_checked(attribute.size()) else { break };
                self.write(vertex, *attribute, own);
                row = rest;
            }
        }
        Ok(())
    }

    fn write(&self, vertex: usize, attribute: VertexAttribute, out: &mut [u8]) {
        use VertexAttribute as Attribute;
        match attribute {
            Attribute::Position => write(out, &of(&self.positions, vertex).map(f32::to_le_bytes)),
            Attribute::Normal => write(out, &of(&self.normals, vertex).map(f32::to_le_bytes)),
            Attribute::Tangent => write(out, &of(&self.tangents, vertex).map(f32::to_le_bytes)),
            Attribute::Uv(set) => write(out, &of_set(&self.uvs, set, vertex).map(f32::to_le_bytes)),
            Attribute::Color => write(out, &[self.colors.get(vertex).copied().unwrap_or([255; 4])]),
            Attribute::Joints(set) => write(out, &of_set(&self.joints, set, vertex).map(u16::to_le_bytes)),
            Attribute::Weights(set) => write(out, &of_set(&self.weights, set, vertex).map(f32::to_le_bytes)),
        }
    }
}

fn of<T: Copy + Default, const N: usize>(array: &[[T; N]], vertex: usize) -> [T; N] {
    array.get(vertex).copied().unwrap_or([T::default(); N])
}

fn of_set<T: Copy + Default, const N: usize>(sets: &[alloc::vec::Vec<[T; N]>], set: usize, vertex: usize) -> [T; N] {
    of(sets.get(set).map(alloc::vec::Vec::as_slice).unwrap_or_default(), vertex)
}

fn write<const B: usize>(out: &mut [u8], numbers: &[[u8; B]]) {
    out.iter_mut().zip(numbers.as_flattened()).for_each(|(to, from)| *to = *from);
}
