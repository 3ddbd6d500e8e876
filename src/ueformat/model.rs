//! The view of a model: `.uemodel`, versions 0 to 10.

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

use super::codes;
use super::extent::{Extent, Items};
use super::header::{Header, MODEL};
use super::items;
use super::level::LevelLayout;
use super::part::{BONE, Found, HULL, Part, SCALED_BONE, SOCKET, SOCKETS, VIRTUAL_BONE};
use super::quirks::{Notes, Oddity, quirks};
use super::record::{Bone, ColorSet, Hull, Index, Influence, Material, Morph, Socket, UvSet, VirtualBone};
use crate::bytes::{Column, Float, Marks, ReadAt, Text, Vec3, to_usize};
use crate::model::{Description, Head, Info, Mesh, Skeleton, Summary, read_part};
use crate::report::{Error, Quirk, ReadError, ReadResult, Section};

const BODY: Section = Section::named("body");
const LEVELS: Section = Section::named("LODS");
const SKELETON: Section = Section::named("SKELETON");
const COLLISION: Section = Section::named("COLLISION");
const METADATA: Section = Section::named("METADATA");
pub(super) const BONES: Section = Section::named("BONES");
pub(super) const VIRTUAL_BONES: Section = Section::named("VIRTUALBONES");

/// The maximum number of bones, of tracks, and of bones of a pose. The largest known file has 547. A bone is found by a walk from one of 16
/// marks.
pub(super) const MAX_BONES: u32 = 8192;
/// Of each other list: morph targets, sockets, curves, poses and so on. Programs make something of each, which takes more than its bytes.
pub(super) const MAX_ITEMS: u32 = 1 << 14;
/// The engine has at most 8 levels of detail.
const MAX_LEVELS: u32 = 64;

/// Options for parsing. There is none so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Options {}

/// A model, read in place: levels of detail, bones, sockets, morph targets, materials, hulls. A static mesh has no bones, a skeleton no
/// levels.
///
/// `Copy`; every slice borrows the file, at any alignment. Parsing allocates nothing. Bones and materials have names of different lengths
/// inside, so that access by index walks at most a sixteenth of them. A compressed file is unpacked first: see
/// [`Mapping::unpacked`](crate::mapping::Mapping::unpacked). [`ModelBuf`](super::ModelBuf) is the owned form.
///
/// ```
/// use skelmap::ueformat::Model;
///
/// let bytes = std::fs::read("tests/corpus/ueformat/model/two_levels.uemodel")?;
/// let model = Model::parse(&bytes)?;
/// for level in model.levels() {
///     println!("{:?}: {} vertices, {} triangles", level.name(), level.positions().len(), level.indices().len() / 3);
/// }
/// for bone in model.bones() {
///     println!("{:?} under {}", bone.name, bone.parent);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Model<'a> {
    bytes: &'a [u8],
    pub(super) layout: ModelLayout,
}

/// The layout of a model, without a lifetime: [`ModelBuf`](super::ModelBuf) stores it beside the bytes.
#[derive(Clone, Copy, Debug, Default, FromBytes, Immutable, IntoBytes, KnownLayout)]
#[repr(C)]
pub struct ModelLayout {
    version: u32,
    oddities: u32,
    name: Extent,
    path: Extent,
    skeleton_path: Extent,
    /// The levels behind the current one.
    further: Items,
    level_count: u32,
    pub(super) level: LevelLayout,
    bones: Items,
    bone_marks: Marks,
    /// Whether bones have a scale.
    is_scaled: u32,
    sockets: Items,
    virtual_bones: Items,
    hulls: Items,
    /// A bit for each section that was there.
    seen: u32,
}

impl Description for ModelLayout {
    type View<'a> = Model<'a>;
    type Options = Options;

    const INFO: Info = Info {
        code: "ueformat.uemodel",
        title: "a UEFormat model (`UEMODEL`)",
        extensions: &["uemodel"],
        skeletons: "unreal",
    };

    fn is_format(first: &[u8]) -> bool {
        first.starts_with(MODEL)
    }

    fn find<R: ReadAt + ?Sized>(source: &R, _: &Options) -> ReadResult<Self, R> {
        let header = Header::read(source, MODEL)?;
        header.check_unpacked()?;
        Self::read(source, &header, &mut Notes::default())
    }

    fn into_view(self, bytes: &[u8]) -> Model<'_> {
        Model { bytes, layout: self }
    }

    fn head<R: ReadAt + ?Sized>(source: &R, options: &Options, with_names: bool) -> ReadResult<Head, R> {
        let header = Header::read(source, MODEL)?;
        if header.packed.is_some() {
            return Ok(Head::of_packed(codes::COMPRESSED, with_names));
        }
        let layout = Self::find(source, options)?;
        let bits = layout.oddities;
        let walk = |notes: &mut Notes| {
            let _: Result<_, _> = Self::read(source, &header, notes);
        };
        let mut head = Head::of(layout.summary(), quirks(bits, &walk), with_names);
        if let Some(names) = &mut head.names {
            names.skeleton = layout.skeleton_in(&read_part(source, layout.bones.extent.span())?).to_key();
        }
        Ok(head)
    }
}

impl ModelLayout {
    fn read<R: ReadAt + ?Sized>(source: &R, header: &Header, notes: &mut Notes) -> ReadResult<Self, R> {
        let version = header.version;
        let mut layout = Self { version: version.into(), name: header.name, path: header.path, ..Self::default() };
        let mut body = Part::new(source, header.body, source.size(), BODY, version);
        body.sections(|found, body| layout.take(body, &found, version, notes))?;
        if version < 4 {
            layout.level_count = u32::from(layout.level.has_sections());
        }
        if body.left() > 0 {
            notes.add(Oddity::Trailing, BODY, body.position());
        }
        layout.oddities = notes.bits;
        Ok(layout)
    }

    /// Whether a section was there before; it is now.
    fn is_again(&mut self, bit: u32, found: &Found, notes: &mut Notes) -> bool {
        let is_again = self.seen & bit != 0;
        self.seen |= bit;
        if is_again {
            notes.add(Oddity::DuplicateSection, found.section, found.at);
        }
        is_again
    }

    /// Takes a section of the body.
    fn take<R: ReadAt + Copy>(
        &mut self,
        body: &Part<R>,
        found: &Found,
        version: u8,
        notes: &mut Notes,
    ) -> ReadResult<(), R> {
        match found.section {
            LEVELS if version >= 4 => {
                if !self.is_again(1, found, notes) {
                    self.take_levels(body, found, version, notes)?;
                }
            }
            SKELETON if version >= 4 => {
                if !self.is_again(1 << 1, found, notes) {
                    let mut part = body.inside(found);
                    part.sections(|found, part| self.take_of_skeleton(part, &found, version, notes))?;
                    notes.rest(found, part.left());
                }
            }
            COLLISION if version >= 3 => {
                if !self.is_again(1 << 2, found, notes) {
                    self.hulls = body.items(found, HULL, MAX_ITEMS, notes, None)?;
                }
            }
            // A fault of CUE4Parse (reference, section 3.4).
            METADATA if version == 7 || version == 8 || version == 9 => {
                if !self.is_again(1 << 7, found, notes) {
                    notes.add(Oddity::RootMetadata, found.section, found.at);
                    let mut own = body.inside(found);
                    let path = own.name()?;
                    notes.rest(found, own.left());
                    // That of the skeleton itself counts, in whatever order the two come.
                    if self.seen & (1 << 6) == 0 {
                        self.skeleton_path = path;
                    }
                }
            }
            BONES | SOCKETS if version < 4 => self.take_of_skeleton(body, found, version, notes)?,
            _ if version < 4 && self.level.take(body, found, version, notes)? => {}
            _ => notes.add(Oddity::UnknownSection, found.section, found.at),
        }
        Ok(())
    }

    fn take_levels<R: ReadAt + Copy>(
        &mut self,
        body: &Part<R>,
        found: &Found,
        version: u8,
        notes: &mut Notes,
    ) -> ReadResult<(), R> {
        let (mut part, count) = body.elements(found)?;
        // A level has a name and the number or the size of its sections.
        let fit = part.left().checked_div(8).unwrap_or(0);
        if u64::from(count) > fit {
            return Err(part.overrun(8, count).into());
        }
        if count > MAX_LEVELS {
            return Err(Error::new(codes::TOO_MANY.with([count, MAX_LEVELS]), found.section, found.at).into());
        }
        self.level_count = count;
        for index in 0..count {
            let level = LevelLayout::read(&mut part, version, notes)?;
            if index == 0 {
                self.level = level;
                self.further =
                    Items { extent: Extent::new(part.position(), part.end()), count: count.saturating_sub(1) };
            }
        }
        notes.rest(found, part.left());
        Ok(())
    }

    fn take_of_skeleton<R: ReadAt + Copy>(
        &mut self,
        part: &Part<R>,
        found: &Found,
        version: u8,
        notes: &mut Notes,
    ) -> ReadResult<(), R> {
        match found.section {
            BONES => {
                if !self.is_again(1 << 3, found, notes) {
                    self.take_bones(part, found, version, notes)?;
                }
            }
            SOCKETS => {
                if !self.is_again(1 << 4, found, notes) {
                    self.sockets = part.items(found, SOCKET, MAX_ITEMS, notes, None)?;
                }
            }
            VIRTUAL_BONES if version >= 5 => {
                if !self.is_again(1 << 5, found, notes) {
                    self.virtual_bones = part.items(found, VIRTUAL_BONE, MAX_ITEMS, notes, None)?;
                }
            }
            METADATA if version >= 7 => {
                if !self.is_again(1 << 6, found, notes) {
                    let mut own = part.inside(found);
                    self.skeleton_path = own.name()?;
                    notes.rest(found, own.left());
                }
            }
            _ => notes.add(Oddity::UnknownSection, found.section, found.at),
        }
        Ok(())
    }

    /// In version 10, bones have 36 bytes and their name, or 48: the walk that ends at the end of the section says which.
    fn take_bones<R: ReadAt + Copy>(
        &mut self,
        part: &Part<R>,
        found: &Found,
        version: u8,
        notes: &mut Notes,
    ) -> ReadResult<(), R> {
        if version < 10 {
            self.bones = part.items(found, BONE, MAX_BONES, notes, Some(&mut self.bone_marks))?;
            return Ok(());
        }
        let (mut marks, mut own) = (Marks::default(), Notes::default());
        let plain = part.items(found, BONE, MAX_BONES, &mut own, Some(&mut marks));
        let plain = plain.map(|bones| (bones, own.bits == 0));
        let mut own = Notes::default();
        let scaled = part.items(found, SCALED_BONE, MAX_BONES, &mut own, Some(&mut self.bone_marks));
        let is_scaled = scaled.as_ref().is_ok_and(|_| own.bits == 0);
        match (plain, scaled) {
            (Ok((bones, true)), Ok(scaled)) if is_scaled && bones.count > 0 => {
                notes.add(Oddity::BonesUnclear, found.section, found.at);
                (self.bones, self.is_scaled) = (scaled, 1);
            }
            (Ok((bones, true)), _) => (self.bones, self.bone_marks) = (bones, marks),
            (_, Ok(scaled)) if is_scaled => (self.bones, self.is_scaled) = (scaled, 1),
            (Err(ReadError::Source(error)), _) | (_, Err(ReadError::Source(error))) => {
                return Err(ReadError::Source(error));
            }
            // The number is over the limit, whatever their size.
            (Err(ReadError::Format(error)), _) | (_, Err(ReadError::Format(error)))
                if error.code() == codes::TOO_MANY =>
            {
                return Err(error.into());
            }
            // The number of bones is wrong in both layouts.
            (Err(ReadError::Format(error)), Err(ReadError::Format(other))) if error.kind() == other.kind() => {
                return Err(error.into());
            }
            _ => return Err(Error::new(codes::BONE_SIZE.with([]), found.section, found.at).into()),
        }
        Ok(())
    }

    pub(super) fn version(&self) -> u8 {
        u8::try_from(self.version).unwrap_or(u8::MAX)
    }

    fn summary(&self) -> Summary {
        let LevelLayout { vertices, indices, materials, uvs, .. } = self.level;
        Summary {
            bones: Some(self.bones.count.into()),
            points: Some(vertices.span().count::<Vec3>()),
            faces: indices.span().count::<Index>().checked_div(3),
            materials: Some(materials.count.into()),
            uv_sets: Some(uvs.count.into()),
            ..Summary::default()
        }
    }

    /// The skeleton over the bytes of the bones.
    fn skeleton_in<'b>(&self, bones: &'b [u8]) -> Skeleton<'b> {
        items::skeleton(bones, self.bones.count, self.bone_marks, self.is_scaled != 0)
    }

    /// The layout with the level behind this one as its level.
    pub(super) fn at_next_level(&self, bytes: &[u8]) -> Option<Self> {
        let count = self.further.count.checked_sub(1)?;
        let (start, end) = (self.further.extent.start(), self.further.extent.end());
        let mut part = Part::new(bytes, start, end, LEVELS, self.version());
        let level = LevelLayout::read(&mut part, self.version(), &mut Notes::default()).ok()?;
        Some(Self { level, further: Items { extent: Extent::new(part.position(), end), count }, ..*self })
    }
}

impl<'a> Model<'a> {
    /// The file.
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The version of the file: 0 to 10.
    pub fn version(&self) -> u8 {
        self.layout.version()
    }

    /// The name of the object.
    pub fn name(&self) -> Text<'a> {
        items::text(self.layout.name.bytes_of(self.bytes))
    }

    /// The path of the asset, such as `/Game/Fox`; empty before version 10.
    pub fn path(&self) -> Text<'a> {
        items::text(self.layout.path.bytes_of(self.bytes))
    }

    /// The path of the skeleton asset; empty before version 7 and where it is not known.
    pub fn skeleton_path(&self) -> Text<'a> {
        items::text(self.layout.skeleton_path.bytes_of(self.bytes))
    }

    /// The number of levels of detail. O(1).
    pub fn level_count(&self) -> usize {
        to_usize(self.layout.level_count.into())
    }

    /// The levels of detail in file order. Usually the first is the finest. Names are not unique. O(headers) each.
    pub fn levels(&self) -> impl Iterator<Item = Level<'a>> + use<'a> {
        let (bytes, first) = (self.bytes, (self.layout.level_count > 0).then_some(self.layout));
        let all = core::iter::successors(first, move |layout| layout.at_next_level(bytes));
        all.map(move |layout| Level { bytes, layout: layout.level, version: layout.version() })
    }

    /// The first level; `None` in a file without levels. O(1).
    pub fn first_level(&self) -> Option<Level<'a>> {
        let level = Level { bytes: self.bytes, layout: self.layout.level, version: self.version() };
        (self.layout.level_count > 0).then_some(level)
    }

    /// The bones in file order; none in a static mesh. O(1) each.
    pub fn bones(&self) -> impl ExactSizeIterator<Item = Bone<'a>> + use<'a> {
        items::bones(self.layout.bones.extent.bytes_of(self.bytes), self.layout.bones.count, self.layout.is_scaled != 0)
    }

    /// The number of bones. O(1).
    pub fn bone_count(&self) -> usize {
        to_usize(self.layout.bones.count.into())
    }

    /// Whether bones have a scale: in some files of version 10.
    pub const fn has_bone_scales(&self) -> bool {
        self.layout.is_scaled != 0
    }

    /// The sockets in file order. O(1) each.
    pub fn sockets(&self) -> impl ExactSizeIterator<Item = Socket<'a>> + use<'a> {
        items::Iter::new(self.layout.sockets, self.bytes, items::socket)
    }

    /// The virtual bones in file order. O(1) each.
    pub fn virtual_bones(&self) -> impl ExactSizeIterator<Item = VirtualBone<'a>> + use<'a> {
        items::Iter::new(self.layout.virtual_bones, self.bytes, items::virtual_bone)
    }

    /// The convex hulls for collisions, in file order. O(1) each.
    pub fn hulls(&self) -> impl ExactSizeIterator<Item = Hull<'a>> + use<'a> {
        items::Iter::new(self.layout.hulls, self.bytes, items::hull)
    }

    /// The quirks of the file: each kind once, at its first place. O(headers), no allocation.
    pub fn quirks(&self) -> impl Iterator<Item = Quirk> + use<> {
        let bytes = self.bytes;
        quirks(self.layout.oddities, &|notes| {
            if let Ok(header) = Header::read(bytes, MODEL) {
                let _: Result<_, _> = ModelLayout::read(bytes, &header, notes);
            }
        })
    }

    /// The counts of the file, those of the first level. O(1).
    pub fn summary(&self) -> Summary {
        self.layout.summary()
    }

    /// The first level as a mesh of the common model; a mesh without points in a file without levels. O(1).
    pub fn mesh(&self) -> Mesh<'a> {
        Mesh::new(self.bytes, &self.layout)
    }

    /// The skeleton. O(1).
    pub fn skeleton(&self) -> Skeleton<'a> {
        self.layout.skeleton_in(self.layout.bones.extent.bytes_of(self.bytes))
    }

    /// The byte at which a section of the skeleton begins, for findings.
    pub(super) fn bones_offset(&self) -> u64 {
        self.layout.bones.extent.start()
    }

    pub(super) const fn items_of(&self) -> [Items; 3] {
        [self.layout.sockets, self.layout.virtual_bones, self.layout.hulls]
    }
}

/// A level of detail, read in place: one list of vertices, which all other lists count in.
#[derive(Clone, Copy, Debug)]
pub struct Level<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) layout: LevelLayout,
    pub(super) version: u8,
}

impl<'a> Level<'a> {
    /// The name, such as `LOD0`; empty before version 4.
    pub fn name(&self) -> Text<'a> {
        items::text(self.layout.name.bytes_of(self.bytes))
    }

    /// The positions of the vertices.
    pub fn positions(&self) -> &'a [Vec3] {
        self.layout.vertices.of(self.bytes)
    }

    /// The normals of the vertices. Not checked against their number.
    pub fn normals(&self) -> Column<'a, Vec3> {
        let (offset, stride) = if self.version == 0 { (0, 12) } else { (4, 16) };
        Column::new(self.layout.normals.bytes_of(self.bytes), offset, stride)
    }

    /// The signs of the binormals, one beside each normal; none in version 0.
    pub fn binormal_signs(&self) -> Column<'a, Float> {
        let bytes = if self.version == 0 { &[] } else { self.layout.normals.bytes_of(self.bytes) };
        Column::new(bytes, 0, 16)
    }

    /// The tangents of the vertices.
    pub fn tangents(&self) -> &'a [Vec3] {
        self.layout.tangents.of(self.bytes)
    }

    /// Three vertices for each triangle. Not checked against the vertices.
    pub fn indices(&self) -> &'a [Index] {
        self.layout.indices.of(self.bytes)
    }

    /// The influences of bones, in file order.
    pub fn influences(&self) -> &'a [Influence] {
        self.layout.weights.of(self.bytes)
    }

    /// The UV sets. O(1) each.
    pub fn uv_sets(&self) -> impl ExactSizeIterator<Item = UvSet<'a>> + use<'a> {
        let read = if self.version >= 10 { items::named_uv_set } else { items::uv_set };
        items::Iter::new(self.layout.uvs, self.bytes, read)
    }

    /// The sets of colours. O(1) each.
    pub fn color_sets(&self) -> impl ExactSizeIterator<Item = ColorSet<'a>> + use<'a> {
        let read = if self.version >= 2 { items::named_colors } else { items::all_colors };
        items::Iter::new(self.layout.colors, self.bytes, read)
    }

    /// The materials with their triangles. O(1) each.
    pub fn materials(&self) -> impl ExactSizeIterator<Item = Material<'a>> + use<'a> {
        let read = if self.version >= 6 { items::material_with_path } else { items::material };
        items::Iter::new(self.layout.materials, self.bytes, read)
    }

    /// The morph targets. O(1) each.
    pub fn morphs(&self) -> impl ExactSizeIterator<Item = Morph<'a>> + use<'a> {
        items::Iter::new(self.layout.morphs, self.bytes, items::morph)
    }

    /// The material of a triangle: the first whose indices contain those of the triangle. O(materials), of which there are at most 256.
    pub(super) fn material_of(&self, triangle: usize) -> Option<usize> {
        let index = i64::try_from(triangle).ok()?.checked_mul(3)?;
        self.materials().position(|own| {
            let first = i64::from(own.first_index);
            index >= first && index < first.saturating_add(i64::from(own.face_count).saturating_mul(3))
        })
    }
}
