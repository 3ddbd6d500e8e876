//! The headers of a loose file, read without the rest of it.
//!
//! What a row needs lies at a few places of a file. These are read to where they lie in an image of the file, and the ordinary
//! parsers run over that: they touch nothing else in a sound file. Whatever is odd about a file is no business of this module: it
//! says so, and the caller reads all of it.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Seek};
use std::path::Path;

use zerocopy::little_endian::U32;

use crate::actorx;
use crate::asset::{Asset, ParseOptions};
use crate::cursor::Cursor;
use crate::format::Format;
use crate::mapping::MAP_FROM;

/// How much is read of every file: most headers are in it.
const FIRST: usize = 1024;

/// The most that is read of one place besides.
const MOST: usize = 64 << 10;

/// The most chunks that are walked over one by one.
const CHUNKS: usize = 64;

/// What came of a file.
pub(super) enum Read<T> {
    /// Its headers, and what was made of them.
    Headers(T),
    /// Some other file in a folder: no business of ours.
    PassedOver,
    /// All of it is to be read.
    Whole,
}

thread_local! {
    /// The image, which is used again for every file: what another file left in it lies where no parser looks.
    static IMAGE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Reads the headers of a file and hands the view over them to `make`, with the file's length. `promised`: the name promises an
/// asset.
pub(super) fn read<T>(
    path: &Path,
    promised: bool,
    options: &ParseOptions,
    make: impl FnOnce(&Asset<'_>, u64) -> T,
) -> io::Result<Read<T>> {
    let mut file = File::open(path)?;
    // Half the price of asking for all that is known about the file. What is none is empty by this, or endless, or fails.
    let size = file.seek(io::SeekFrom::End(0))?;
    let length = match usize::try_from(size) {
        Ok(length @ 1..) if size < MAP_FROM => length,
        _ => return Ok(Read::Whole),
    };
    IMAGE.with_borrow_mut(|image| {
        if image.is_empty() {
            // Zeroed pages cost nothing until they are touched.
            *image = vec![0; usize::try_from(MAP_FROM).unwrap_or(0)];
        }
        let Some(bytes) = image.get_mut(..length) else { return Ok(Read::Whole) };
        let mut image = Image { file: &file, bytes };
        if image.load(0, length.min(FIRST)).is_none() {
            return Ok(Read::Whole);
        }
        let first = image.bytes.get(..length.min(Format::SNIFF_LEN)).unwrap_or_default();
        let Ok(format) = Format::sniff(first) else {
            return Ok(if promised { Read::Whole } else { Read::PassedOver });
        };
        if length > FIRST && image.load_headers(format).is_none() {
            return Ok(Read::Whole);
        }
        match Asset::parse_with(image.bytes, options) {
            Ok(asset) if asset.quirks().next().is_none() => Ok(Read::Headers(make(&asset, size))),
            _ => Ok(Read::Whole),
        }
    })
}

/// A file and an image of it, of which parts are loaded.
struct Image<'a> {
    file: &'a File,
    bytes: &'a mut [u8],
}

impl Image<'_> {
    /// Loads a part; `None` where it is not inside or cannot be read.
    fn load(&mut self, start: usize, length: usize) -> Option<()> {
        let part = self.bytes.get_mut(start..start.checked_add(length)?)?;
        read_at(self.file, part, u64::try_from(start).ok()?).ok()
    }

    /// Loads a part, if it is not among the first bytes, which are there.
    fn need(&mut self, start: usize, length: usize) -> Option<()> {
        match start.checked_add(length)? {
            end if end <= FIRST => Some(()),
            _ if length > MOST => None,
            _ => self.load(start, length),
        }
    }

    /// A number that is needed.
    fn number(&mut self, at: usize) -> Option<usize> {
        self.need(at, size_of::<U32>())?;
        let number = Cursor::new(self.bytes.get(at..)?).read::<U32>()?.get();
        usize::try_from(number).ok()
    }

    /// Loads what a row needs besides the first bytes.
    fn load_headers(&mut self, format: Format) -> Option<()> {
        match format {
            // All in the first bytes, unless the name is long.
            Format::PyrogenesisPsa => (self.number(12)? < FIRST / 2).then_some(()),
            Format::PyrogenesisPmd => self.load_mesh(),
            Format::ActorxPsk | Format::ActorxPsa => self.load_chunks(),
            Format::Swat3Gsa => None,
        }
    }

    /// The counts of a Pyrogenesis mesh, and all that follows the faces: bind pose and prop points, which are small.
    fn load_mesh(&mut self) -> Option<()> {
        let (version, vertices) = (self.number(4)?, self.number(12)?);
        let (uv_sets, begin) = if version >= 4 { (self.number(16)?, 20) } else { (1, 16) };
        // Position, normal and influences are 44 bytes, a texture coordinate 8, a face 6 (Pyrogenesis reference, section 3).
        let vertex = uv_sets.checked_mul(8)?.checked_add(44)?;
        let at_faces = vertices.checked_mul(vertex)?.checked_add(begin)?;
        let faces = self.number(at_faces)?;
        let at_bones = faces.checked_mul(6)?.checked_add(at_faces)?.checked_add(4)?;
        self.need(at_bones, self.bytes.len().checked_sub(at_bones)?)
    }

    /// The headers of all chunks, and the records of those that hold names: told by the size of their records, for the chunks go
    /// by several names.
    fn load_chunks(&mut self) -> Option<()> {
        const NAMED: [usize; 2] = [size_of::<actorx::Bone>(), size_of::<actorx::AnimInfo>()];
        let mut at = 0_usize;
        for _ in 0..CHUNKS {
            if at == self.bytes.len() {
                return Some(());
            }
            self.need(at, 32)?;
            // Where no header follows, the walk would look into bodies, which are not here, for what is wrong.
            if !actorx::looks_like_header(self.bytes.get(at..)?) {
                return None;
            }
            let (size, count) = (self.number(at.checked_add(24)?)?, self.number(at.checked_add(28)?)?);
            let (body, length) = (at.checked_add(32)?, size.checked_mul(count)?);
            if NAMED.contains(&size) {
                self.need(body, length)?;
            }
            at = body.checked_add(length).filter(|end| *end <= self.bytes.len())?;
        }
        None
    }
}

#[cfg(unix)]
fn read_at(file: &File, part: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, part, at)
}

#[cfg(not(unix))]
fn read_at(mut file: &File, part: &mut [u8], at: u64) -> io::Result<()> {
    use std::io::Read as _;
    file.seek(io::SeekFrom::Start(at))?;
    file.read_exact(part)
}
