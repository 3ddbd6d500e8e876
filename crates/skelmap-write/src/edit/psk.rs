//! Edits of a mesh.

use std::io::{BufWriter, Write};

use skelmap::actorx::{Bone, Chunk, ChunkHeader, MorphDelta, Point, Psk, Socket};
use skelmap::shared::to_u64;
use skelmap::{Name, Text};
use zerocopy::IntoBytes;

use super::error::{EditError, KnownNames};
use super::names::{Index, check_unique, folded, renamed};
use super::source::header;

/// Counts of what an edit of a mesh changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct PskEditReport {
    /// Bytes written.
    pub bytes: u64,
    /// Bones with a new name.
    pub renamed_bones: usize,
    /// Sockets whose bone has a new name.
    pub moved_sockets: usize,
    /// Materials with a new name.
    pub renamed_materials: usize,
    /// Positions that are scaled: points, bones, sockets and deltas of morph targets.
    pub scaled: usize,
    /// Chunks left out.
    pub dropped_chunks: usize,
    /// Chunk headers whose wrong size or count is corrected, because the chunk after them may be gone: readers look at it to notice
    /// such a header.
    pub mended_headers: usize,
}

/// Edits of a mesh, written as a new file.
///
/// **Every byte that is not asked about stays.** An edit that asks for nothing gives the file. Names are those of the file, whatever
/// else is asked; they match without regard to ASCII case.
///
/// ```
/// use skelmap::actorx::Psk;
/// use skelmap_write::edit::PskEdit;
///
/// let bytes = std::fs::read("../../tests/corpus/actorx/mesh/everything.pskx")?;
/// let mesh = Psk::parse(&bytes)?;
/// let mut edit = PskEdit::new(&mesh);
/// edit.scale(2.0)?.drop_chunk("VTXNORMS")?;
/// let mut edited = Vec::new();
/// edit.write(&mut edited)?;
/// assert!(Psk::parse(&edited)?.normals().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PskEdit<'a> {
    psk: Psk<'a>,
    bone_names: Index,
    /// The new name of each bone.
    bones: Vec<Option<Name<64>>>,
    /// The new name of each material.
    materials: Vec<Option<Name<64>>>,
    scale: Option<f32>,
    /// The ids of chunks to leave out, or their beginnings.
    dropped: Vec<(Vec<u8>, bool)>,
    drops_extras: bool,
}

/// The chunks that each mesh has.
const REQUIRED: [&[u8]; 10] = [
    b"ACTRHEAD",
    b"PNTS0000",
    b"VTXW0000",
    b"VTXW3200",
    b"FACE0000",
    b"FACE3200",
    b"MATT0000",
    b"REFSKELT",
    b"REFSKEL0",
    b"RAWWEIGHTS",
];

fn is_required(id: &[u8]) -> bool {
    REQUIRED.contains(&id) || id == b"RAWW0000"
}

impl<'a> PskEdit<'a> {
    /// An edit that asks for nothing. O(bones + materials).
    pub fn new(mesh: &Psk<'a>) -> Self {
        Self {
            psk: *mesh,
            bone_names: Index::new("bone", bone_names(mesh)),
            bones: vec![None; mesh.bone_count()],
            materials: vec![None; mesh.materials().len()],
            scale: None,
            dropped: Vec::new(),
            drops_extras: false,
        }
    }

    /// Gives a bone a new name; sockets on it follow. Of several bones with one name, the first is meant. Spaces that pad the old
    /// name pad the new one. O(1).
    ///
    /// # Errors
    /// [`EditError::Unknown`]; [`EditError::Name`] for a name that cannot be stored.
    pub fn rename_bone(&mut self, old: &str, new: &str) -> Result<&mut Self, EditError> {
        let index = self.bone_names.find(old, || bone_names(&self.psk))?;
        if let (Some(name), Some(bone)) = (self.bones.get_mut(index), self.psk.bones().get(index)) {
            *name = Some(renamed(bone.name(), new)?);
        }
        Ok(self)
    }

    /// Gives all materials of a name a new one. Several materials may have one name. O(materials).
    ///
    /// # Errors
    /// [`EditError::Unknown`]; [`EditError::Name`] for a name that cannot be stored.
    pub fn rename_material(&mut self, old: &str, new: &str) -> Result<&mut Self, EditError> {
        let mut is_known = false;
        for (name, material) in self.materials.iter_mut().zip(self.psk.materials()) {
            if material.name().matches(old) {
                *name = Some(renamed(material.name(), new)?);
                is_known = true;
            }
        }
        if !is_known {
            let known = KnownNames::of(self.psk.materials().iter().map(|material| material.name().text()));
            return Err(EditError::Unknown { kind: "material", name: old.to_owned(), known });
        }
        Ok(self)
    }

    /// Scales the mesh: points, translations of bones, locations of sockets and deltas of morph targets. O(1).
    ///
    /// # Errors
    /// [`EditError::NotPositive`].
    pub fn scale(&mut self, factor: f32) -> Result<&mut Self, EditError> {
        if !(factor.is_finite() && factor > 0.0) {
            return Err(EditError::NotPositive { what: "scale", value: factor });
        }
        self.scale = Some(factor);
        Ok(self)
    }

    /// Leaves out all chunks with an id, or all whose id begins with what stands before a `*`: `EXTRAUVS*`. O(chunks).
    ///
    /// # Errors
    /// [`EditError::RequiredChunk`] for a chunk that each mesh has; [`EditError::Unknown`] if the file has no such chunk.
    pub fn drop_chunk(&mut self, id: &str) -> Result<&mut Self, EditError> {
        let (stem, is_stem) = id.strip_suffix('*').map_or((id, false), |stem| (stem, true));
        let pattern = (stem.as_bytes().to_vec(), is_stem);
        if !is_stem && is_required(stem.as_bytes()) {
            return Err(EditError::RequiredChunk { id: id.to_owned() });
        }
        let has = |chunk: &Chunk<'_>| !is_required(chunk.id.as_bytes()) && matches(&pattern, chunk.id.as_bytes());
        if !self.psk.chunks().any(|chunk| has(&chunk)) {
            let extras = self.psk.chunks().filter(|chunk| !is_required(chunk.id.as_bytes()));
            let known = KnownNames::of(extras.map(|chunk| Text::new(chunk.id.as_bytes())));
            return Err(EditError::Unknown { kind: "chunk", name: id.to_owned(), known });
        }
        self.dropped.push(pattern);
        Ok(self)
    }

    /// Leaves out all chunks but those that each mesh has. O(1).
    pub fn drop_extras(&mut self) -> &mut Self {
        self.drops_extras = true;
        self
    }

    /// Writes the edited file. O(file) in time, memory for the names.
    ///
    /// # Errors
    /// [`EditError::Taken`] for two bones of one name; [`EditError::Overflow`] if a number is too large when scaled;
    /// [`EditError::Write`]. Nothing is written before the checks.
    pub fn write(&self, out: &mut impl Write) -> Result<PskEditReport, EditError> {
        let bones = self.psk.bones().iter().zip(&self.bones);
        check_unique(
            "bones",
            bones.map(|(bone, new)| match new {
                Some(name) => (name.text(), true),
                None => (bone.name().text(), false),
            }),
        )?;
        self.check_scale()?;
        let mut report = PskEditReport::default();
        let is_dropped = |chunk: &Chunk<'_>| self.is_dropped(chunk.id.as_bytes());
        let mends = self.psk.chunks().any(|chunk| is_dropped(&chunk));
        let mut writer = Writer { out: BufWriter::with_capacity(1 << 16, out), bytes: 0 };
        for chunk in self.psk.chunks() {
            if is_dropped(&chunk) {
                report.dropped_chunks = report.dropped_chunks.saturating_add(1);
                continue;
            }
            let size = i32::try_from(chunk.record_size).unwrap_or(chunk.declared_size);
            let count = i32::try_from(chunk.count).unwrap_or(chunk.declared_count);
            let is_wrong = count != chunk.declared_count || count > 0 && size != chunk.declared_size;
            if mends && is_wrong {
                report.mended_headers = report.mended_headers.saturating_add(1);
                writer.write(ChunkHeader::new(*chunk.id, chunk.type_flag, size, count).as_bytes())?;
            } else {
                writer.write(header(self.psk.bytes(), &chunk))?;
            }
            self.write_body(&chunk, &mut writer, &mut report)?;
        }
        writer.out.flush()?;
        report.bytes = writer.bytes;
        Ok(report)
    }

    fn is_dropped(&self, id: &[u8]) -> bool {
        let is_asked = self.drops_extras || self.dropped.iter().any(|pattern| matches(pattern, id));
        is_asked && !is_required(id)
    }

    /// The records of a chunk: changed if the view reads this very chunk.
    fn write_body(
        &self,
        chunk: &Chunk<'a>,
        out: &mut Writer<impl Write>,
        report: &mut PskEditReport,
    ) -> Result<(), EditError> {
        let body = chunk.body;
        let is_read = |records: &[u8]| !body.is_empty() && std::ptr::eq(body, records);
        let scaled = |value: [f32; 3]| self.scaled(value);
        let count = |is: bool, number: &mut usize| *number = number.saturating_add(usize::from(is));
        if is_read(self.psk.bones().as_bytes()) {
            for (bone, name) in self.psk.bones().iter().zip(&self.bones) {
                let mut edited = self.scale.map_or(*bone, |_| bone.with_translation(scaled(bone.translation())));
                if let Some(name) = name {
                    edited = edited.with_name(name);
                }
                count(name.is_some_and(|name| name.raw() != bone.name().raw()), &mut report.renamed_bones);
                count(self.scale.is_some(), &mut report.scaled);
                out.write(edited.as_bytes())?;
            }
        } else if is_read(self.psk.materials().as_bytes()) {
            for (material, name) in self.psk.materials().iter().zip(&self.materials) {
                let edited = name.as_ref().map_or(*material, |name| material.with_name(name));
                count(edited.as_bytes() != material.as_bytes(), &mut report.renamed_materials);
                out.write(edited.as_bytes())?;
            }
        } else if is_read(self.psk.sockets().as_bytes()) {
            let names = self.bone_names_after();
            for socket in self.psk.sockets() {
                let mut edited = self.scale.map_or(*socket, |_| socket.with_location(scaled(socket.location())));
                let name = names.get(&folded(socket.bone_name().text()));
                if let Some(name) = name {
                    edited = edited.with_bone_name(name);
                }
                count(name.is_some(), &mut report.moved_sockets);
                count(self.scale.is_some(), &mut report.scaled);
                out.write(edited.as_bytes())?;
            }
        } else if self.scale.is_some() && is_read(self.psk.points().as_bytes()) {
            for point in self.psk.points() {
                out.write(Point::new(scaled(point.get())).as_bytes())?;
            }
            report.scaled = report.scaled.saturating_add(self.psk.points().len());
        } else if self.scale.is_some() && is_read(self.psk.morph_deltas().as_bytes()) {
            for delta in self.psk.morph_deltas() {
                out.write(delta.with_position(scaled(delta.position())).as_bytes())?;
            }
            report.scaled = report.scaled.saturating_add(self.psk.morph_deltas().len());
        } else {
            out.write(body)?;
        }
        Ok(())
    }

    /// The new names by the old ones, folded. A socket is on the first bone of a name, which is the one that is renamed.
    fn bone_names_after(&self) -> std::collections::HashMap<String, Name<64>> {
        let renamed = self.psk.bones().iter().zip(&self.bones).filter_map(|(bone, new)| {
            // Sockets are not padded.
            Some((folded(bone.name().text()), Name::new(new.as_ref()?.key())?))
        });
        renamed.collect()
    }

    fn scaled(&self, value: [f32; 3]) -> [f32; 3] {
        self.scale.map_or(value, |scale| value.map(|number| number * scale))
    }

    /// Checks that all finite numbers stay finite. O(points + bones + sockets + deltas).
    fn check_scale(&self) -> Result<(), EditError> {
        let Some(scale) = self.scale else { return Ok(()) };
        let overflows =
            |value: [f32; 3]| value.iter().any(|number| number.is_finite() && !(number * scale).is_finite());
        let psk = &self.psk;
        let places = [
            ("PNTS0000", psk.points().iter().position(|point| overflows(point.get()))),
            ("REFSKELT", psk.bones().iter().position(|bone: &Bone| overflows(bone.translation()))),
            ("SKELSOCK", psk.sockets().iter().position(|socket: &Socket| overflows(socket.location()))),
            ("MRPHDATA", psk.morph_deltas().iter().position(|delta: &MorphDelta| overflows(delta.position()))),
        ];
        match places.into_iter().find_map(|(section, index)| Some((section, index?))) {
            Some((section, index)) => Err(EditError::Overflow { scale, section, index }),
            None => Ok(()),
        }
    }
}

fn bone_names<'a>(mesh: &Psk<'a>) -> impl Iterator<Item = Text<'a>> + use<'a> {
    mesh.bones().iter().map(|bone| bone.name().text())
}

fn matches((stem, is_stem): &(Vec<u8>, bool), id: &[u8]) -> bool {
    if *is_stem { id.starts_with(stem) } else { id == stem }
}

/// A writer that counts.
struct Writer<W: Write> {
    out: BufWriter<W>,
    bytes: u64,
}

impl<W: Write> Writer<W> {
    fn write(&mut self, bytes: &[u8]) -> Result<(), EditError> {
        self.out.write_all(bytes)?;
        self.bytes = self.bytes.saturating_add(to_u64(bytes.len()));
        Ok(())
    }
}
