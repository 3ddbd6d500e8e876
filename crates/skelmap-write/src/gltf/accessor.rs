//! Accessors: numbers in the buffers of a file, as floats or indices.

use skelmap::shared::{to_u64, to_usize};

use super::error::{GltfError, GltfErrorKind};
use super::json::Fields;
use super::{Buffer, Gltf};

/// The most elements of an accessor without a view, which are zeros that no byte of the file stands for.
const MAX_ZEROS: u64 = 1 << 20;

/// The types of numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ComponentType {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl ComponentType {
    fn of(fields: &Fields<'_>) -> Result<Self, GltfError> {
        Ok(match fields.size("componentType")? {
            Some(5120) => Self::I8,
            Some(5121) => Self::U8,
            Some(5122) => Self::I16,
            Some(5123) => Self::U16,
            Some(5125) => Self::U32,
            Some(5126) => Self::F32,
            _ => return Err(fields.fault("componentType", UNKNOWN)),
        })
    }
}

/// What is said of a value of a list that glTF does not have.
const UNKNOWN: &str = "is a value that glTF does not have";

/// An accessor with its bytes.
pub(super) struct Numbers<'a> {
    /// None for zeros.
    bytes: Option<&'a [u8]>,
    stride: usize,
    pub(super) count: usize,
    component: ComponentType,
    /// Numbers of an element.
    width: usize,
    is_normalized: bool,
    sparse: Option<Sparse<'a>>,
    path: String,
}

/// The elements that differ from those of the view.
struct Sparse<'a> {
    count: usize,
    indices: &'a [u8],
    index_size: usize,
    values: &'a [u8],
}

const fn size_of_component(component: ComponentType) -> usize {
    match component {
        ComponentType::I8 | ComponentType::U8 => 1,
        ComponentType::I16 | ComponentType::U16 => 2,
        ComponentType::U32 | ComponentType::F32 => 4,
    }
}

impl<'a> Gltf<'a> {
    /// An accessor. `from`: the element that names it.
    pub(super) fn numbers(&'a self, index: u32, from: &str) -> Result<Numbers<'a>, GltfError> {
        let accessor = self.root.element((&self.root.accessors, "accessors"), index, from)?;
        let fields = accessor.fields()?;
        let path = format!("accessors[{index}]");
        let component = ComponentType::of(&fields)?;
        let width = match fields.text("type") {
            Some("SCALAR") => 1,
            Some("VEC2") => 2,
            Some("VEC3") => 3,
            Some("VEC4" | "MAT2") => 4,
            Some("MAT3") => 9,
            Some("MAT4") => 16,
            _ => return Err(fields.fault("type", UNKNOWN)),
        };
        let (size, count) = (size_of_component(component).saturating_mul(width), fields.needed("count")?);
        let mut numbers = Numbers {
            bytes: None,
            stride: size,
            count: to_usize(count),
            component,
            width,
            is_normalized: fields.is("normalized"),
            sparse: None,
            path,
        };
        self.spend(count.saturating_mul(to_u64(width)), &numbers.path)?;
        match fields.index("bufferView")? {
            Some(view) => {
                let at = format!("{}.bufferView", numbers.path);
                let (bytes, stride) = self.view(view, &at)?;
                numbers.stride = stride.unwrap_or(size);
                if numbers.stride < size {
                    return Err(
                        GltfErrorKind::Invalid("has a stride that is smaller than its elements").at(&numbers.path)
                    );
                }
                let offset = fields.size("byteOffset")?.unwrap_or(0);
                let before_last = count.saturating_sub(1).saturating_mul(to_u64(numbers.stride));
                let length = if count == 0 { 0 } else { before_last.saturating_add(to_u64(size)) };
                numbers.bytes = Some(part(bytes, offset, length, &numbers.path)?);
            }
            None if count > MAX_ZEROS => {
                return Err(GltfErrorKind::Limit { limit: MAX_ZEROS, what: "zeros without a view" }.at(&numbers.path));
            }
            None => {}
        }
        if let Some(sparse) = fields.object("sparse")? {
            let path = format!("{}.sparse", numbers.path);
            let missing = |name| GltfErrorKind::Invalid("is missing").at(format_args!("{path}.{name}"));
            let count = sparse.needed("count")?;
            let own = sparse.object("indices")?.ok_or_else(|| missing("indices"))?;
            let index_size = size_of_component(ComponentType::of(&own)?);
            let bytes = |own: &Fields<'_>, size: usize, name: &str| {
                let path = format!("{path}.{name}");
                let view = own.index("bufferView")?.ok_or_else(|| own.fault("bufferView", "is missing"))?;
                let (bytes, _) = self.view(view, &path)?;
                part(bytes, own.size("byteOffset")?.unwrap_or(0), count.saturating_mul(to_u64(size)), &path)
            };
            let indices = bytes(&own, index_size, "indices")?;
            let values = sparse.object("values")?.ok_or_else(|| missing("values"))?;
            let values = bytes(&values, size, "values")?;
            numbers.sparse = Some(Sparse { count: to_usize(count), indices, index_size, values });
        }
        Ok(numbers)
    }

    /// The bytes of a view, and its stride.
    pub(super) fn view(&'a self, index: u32, from: &str) -> Result<(&'a [u8], Option<usize>), GltfError> {
        let view = self.root.element((&self.root.buffer_views, "bufferViews"), index, from)?;
        let fields = view.fields()?;
        let path = format!("bufferViews[{index}]");
        let buffer = fields.index("buffer")?.ok_or_else(|| fields.fault("buffer", "is missing"))?;
        let Some(bytes) = self.buffers.get(to_usize(buffer.into())).map(Buffer::bytes) else {
            let count = self.buffers.len();
            let kind = GltfErrorKind::Missing { index: buffer.into(), list: "buffers", count };
            return Err(kind.at(format_args!("{path}.buffer")));
        };
        let offset = fields.size("byteOffset")?.unwrap_or(0);
        let bytes = part(bytes, offset, fields.needed("byteLength")?, &path)?;
        Ok((bytes, fields.size("byteStride")?.map(to_usize).filter(|stride| *stride > 0)))
    }
}

/// A range of bytes.
fn part<'b>(bytes: &'b [u8], offset: u64, length: u64, path: &str) -> Result<&'b [u8], GltfError> {
    let end = offset.saturating_add(length);
    let found = bytes.get(to_usize(offset)..to_usize(end));
    found.ok_or_else(|| GltfErrorKind::Range { end, length: to_u64(bytes.len()) }.at(path))
}

impl Numbers<'_> {
    pub(super) fn fault(&self, text: &'static str) -> GltfError {
        GltfErrorKind::Invalid(text).at(&self.path)
    }

    /// All elements as floats, with `N` numbers each.
    pub(super) fn to_floats<const N: usize>(&self) -> Result<Vec<[f32; N]>, GltfError> {
        if self.width != N {
            return Err(self.fault("has elements of another type than glTF allows there"));
        }
        let mut found: Vec<[f32; N]> = match self.bytes {
            Some(bytes) => {
                (0..self.count).map(|index| self.element(bytes, index.saturating_mul(self.stride))).collect()
            }
            None => vec![[0.0; N]; self.count],
        };
        if let Some(sparse) = &self.sparse {
            let size = size_of_component(self.component).saturating_mul(self.width);
            for number in 0..sparse.count {
                let value = self.element(sparse.values, number.saturating_mul(size));
                let place = found.get_mut(sparse.index(number));
                *place.ok_or_else(|| self.fault("has a sparse index that no element has"))? = value;
            }
        }
        Ok(found)
    }

    /// The element at an offset, as floats.
    fn element<const N: usize>(&self, bytes: &[u8], offset: usize) -> [f32; N] {
        let size = size_of_component(self.component);
        let mut at = offset;
        [(); N].map(|()| {
            let own = bytes.get(at..).unwrap_or_default();
            at = at.saturating_add(size);
            self.number(own)
        })
    }

    /// The first number, as glTF defines it for normalized integers.
    fn number(&self, bytes: &[u8]) -> f32 {
        let first = |bytes: &[u8]| bytes.first_chunk().copied().unwrap_or_default();
        let (value, most) = match self.component {
            ComponentType::F32 => return f32::from_le_bytes(first4(bytes)),
            #[expect(clippy::cast_precision_loss, clippy::as_conversions, reason = "to the nearest float")]
            ComponentType::U32 => return u32::from_le_bytes(first4(bytes)) as f32,
            ComponentType::I8 => (f32::from(i8::from_le_bytes(first(bytes))), 127.0),
            ComponentType::U8 => (f32::from(u8::from_le_bytes(first(bytes))), 255.0),
            ComponentType::I16 => (f32::from(i16::from_le_bytes(first2(bytes))), 32767.0),
            ComponentType::U16 => (f32::from(u16::from_le_bytes(first2(bytes))), 65535.0),
        };
        if self.is_normalized { (value / most).max(-1.0) } else { value }
    }

    /// All elements as numbers without a sign, with `N` numbers each.
    pub(super) fn to_integers<const N: usize>(&self) -> Result<Vec<[u32; N]>, GltfError> {
        let size = match self.component {
            ComponentType::U8 => 1,
            ComponentType::U16 => 2,
            ComponentType::U32 => 4,
            _ => return Err(self.fault("has no indices: expected integers without a sign")),
        };
        if self.width != N || self.sparse.is_some() {
            return Err(self.fault("has elements of another type than glTF allows there"));
        }
        let Some(bytes) = self.bytes else { return Ok(vec![[0; N]; self.count]) };
        let integer = |at: usize| integer(bytes.get(at..).unwrap_or_default(), size);
        let element = |index: usize| {
            let mut at = index.saturating_mul(self.stride);
            [(); N].map(|()| {
                let found = integer(at);
                at = at.saturating_add(size);
                found
            })
        };
        Ok((0..self.count).map(element).collect())
    }
}

impl Sparse<'_> {
    fn index(&self, number: usize) -> usize {
        let at = number.saturating_mul(self.index_size);
        to_usize(integer(self.indices.get(at..).unwrap_or_default(), self.index_size).into())
    }
}

/// An integer of 1, 2 or 4 bytes.
fn integer(bytes: &[u8], size: usize) -> u32 {
    match size {
        1 => bytes.first().copied().unwrap_or_default().into(),
        2 => u16::from_le_bytes(first2(bytes)).into(),
        _ => u32::from_le_bytes(first4(bytes)),
    }
}

fn first2(bytes: &[u8]) -> [u8; 2] {
    bytes.first_chunk().copied().unwrap_or_default()
}

fn first4(bytes: &[u8]) -> [u8; 4] {
    bytes.first_chunk().copied().unwrap_or_default()
}
