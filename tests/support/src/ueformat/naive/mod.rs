//! A naive UEFormat reader: every field is copied on its own, by the tables of the reference.
//!
//! An error ends with its offset, and the offset at which the part around it ends; behind a compressed header, both are those of the file with
//! an unpacked body. It begins with the section that it is in: `header`, `body` (what is compressed), `root`, or a path such as `LODS/0/INDICES` or
//! `TRACKS#3`. Structure that is odd but readable is a [`Odd`]; [`findings`](fn@findings) judges values.

mod animation;
mod cursor;
mod findings;
mod model;
mod sections;
mod unpack;

pub use super::asset::{Animation, Content, Model, Name, Pose};
pub use findings::{findings, words};
pub use unpack::{Unpack, zstd_without_compression};

use super::asset::NEWEST;
use cursor::Cursor;

pub const MAGIC: [u8; 8] = *b"UEFORMAT";

/// How compressed bodies are unpacked.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub zstd: Unpack,
    /// The largest body that is unpacked.
    pub max_unpacked: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { zstd: zstd_without_compression, max_unpacked: 64 << 20 }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Model,
    Animation,
    Pose,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    pub kind: Kind,
    pub version: u8,
    pub name: Name,
    /// Since version 10.
    pub path: Option<Name>,
    /// `GZIP` or `ZSTD`.
    pub compression: Option<Name>,
    /// As the file says them; 0 without compression.
    pub unpacked_size: usize,
    pub packed_size: usize,
    /// The offset of the flag that says whether the body is compressed.
    pub flag: usize,
}

/// Something odd: a word for it and the section.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Odd {
    pub word: &'static str,
    pub section: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct File {
    pub header: Header,
    /// As stored: versions before 8 are mirrored (see [`Content::mirrored`]).
    pub content: Content,
    /// The bytes of a bone without those of its name, 36 or 48; `None` without bones.
    pub bone_size: Option<usize>,
    /// Odd structure, in the order of the file.
    pub odd: Vec<Odd>,
}

impl File {
    /// The values in Unreal's own space.
    #[must_use]
    pub fn unreal(&self) -> Content {
        let own = self.content.clone();
        if self.header.version < super::asset::FIRST_UNMIRRORED { own.mirrored() } else { own }
    }
}

/// Whether a file begins as one of the family does: with the magic and one of the three kinds.
pub fn begins(bytes: &[u8]) -> bool {
    let kind = |kind: &[u8]| {
        let identifier =
            bytes.get(MAGIC.len()..).and_then(|rest| rest.strip_prefix(&(kind.len() as u32).to_le_bytes()));
        bytes.starts_with(&MAGIC) && identifier.is_some_and(|rest| rest.starts_with(kind))
    };
    [b"UEMODEL".as_slice(), b"UEANIM", b"UEPOSE"].into_iter().any(kind)
}

/// Reads a file. Of zstd, only frames without compression are unpacked.
pub fn read(bytes: &[u8]) -> Result<File, String> {
    read_with(bytes, Options::default())
}

/// Reads a `.uemodel`.
pub fn read_model(bytes: &[u8]) -> Result<Model, String> {
    match read(bytes)?.content {
        Content::Model(model) => Ok(model),
        _ => Err("header: not a model".into()),
    }
}

/// Reads a `.ueanim`.
pub fn read_animation(bytes: &[u8]) -> Result<Animation, String> {
    match read(bytes)?.content {
        Content::Animation(animation) => Ok(animation),
        _ => Err("header: not an animation".into()),
    }
}

/// Reads a `.uepose`.
pub fn read_pose(bytes: &[u8]) -> Result<Pose, String> {
    match read(bytes)?.content {
        Content::Pose(pose) => Ok(pose),
        _ => Err("header: not a pose asset".into()),
    }
}

/// Reads the header.
pub fn header(bytes: &[u8]) -> Result<Header, String> {
    header_at(&mut Cursor::new("header", bytes, 0))
}

fn header_at(cursor: &mut Cursor<'_>) -> Result<Header, String> {
    if cursor.left() == 0 {
        return Err(cursor.error("the file is empty"));
    }
    if !cursor.rest().starts_with(&MAGIC) {
        return Err(cursor.error("the first bytes are no magic"));
    }
    cursor.take(MAGIC.len())?;
    let kind = match cursor.name()?.as_slice() {
        b"UEMODEL" => Kind::Model,
        b"UEANIM" => Kind::Animation,
        b"UEPOSE" => Kind::Pose,
        other => return Err(cursor.error(format!("unsupported kind {}", String::from_utf8_lossy(other)))),
    };
    let at = cursor.position();
    let version = cursor.u8()?;
    if version > NEWEST {
        return Err(cursor.error_at(at, format!("version {version} is newer than {NEWEST}")));
    }
    let name = cursor.name()?;
    let path = if version >= NEWEST { Some(cursor.name()?) } else { None };
    let flag = cursor.position();
    let mut header = Header { kind, version, name, path, compression: None, unpacked_size: 0, packed_size: 0, flag };
    if cursor.u8()? != 0 {
        header.compression = Some(cursor.name()?);
        header.unpacked_size = cursor.size("unpacked size")?;
        header.packed_size = cursor.size("packed size")?;
    }
    Ok(header)
}

/// Reads a file, with a way to unpack zstd.
pub fn read_with(bytes: &[u8], options: Options) -> Result<File, String> {
    let mut cursor = Cursor::new("header", bytes, 0);
    let header = header_at(&mut cursor)?;
    let (mut odd, base) = (Vec::new(), header.flag + 1);
    let unpacked;
    let body = match &header.compression {
        None => cursor.rest(),
        Some(compression) => {
            cursor.path = "body".into();
            let unpack: Unpack = match compression.as_slice() {
                b"GZIP" => unpack::gzip,
                b"ZSTD" => options.zstd,
                other => {
                    return Err(
                        cursor.error_at(base, format!("unsupported compression {}", String::from_utf8_lossy(other)))
                    );
                }
            };
            let at = cursor.position();
            let packed = cursor.take(header.packed_size)?;
            let size = header.unpacked_size;
            if size > options.max_unpacked {
                return Err(
                    cursor.error_at(at, format!("{size} unpacked bytes are more than {}", options.max_unpacked))
                );
            }
            let (found, used) = unpack(packed, size).map_err(|error| cursor.error_at(at, error))?;
            if found.len() != size {
                return Err(cursor.error_at(at, format!("{size} unpacked bytes are stated, not {}", found.len())));
            }
            if used < packed.len() || cursor.left() > 0 {
                odd.push(Odd { word: "trailing-bytes", section: "body".into() });
            }
            unpacked = found;
            &unpacked
        }
    };
    let mut reader = sections::Reader { version: header.version, bone_size: None, odd };
    let root = Cursor::new("root", body, base);
    let content = match header.kind {
        Kind::Model => Content::Model(reader.model(root)?),
        Kind::Animation => Content::Animation(reader.animation(root)?),
        Kind::Pose => Content::Pose(reader.pose(root)?),
    };
    Ok(File { header, content, bone_size: reader.bone_size, odd: reader.odd })
}
