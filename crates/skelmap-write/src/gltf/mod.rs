//! Reads glTF 2.0: GLB, or JSON with its buffers. The result is a [`Model`](crate::Model) with its clips.
//!
//! ```
//! use skelmap_write::Gltf;
//! # use skelmap::{Asset, model::Binding};
//! # use skelmap_export::{Animation, Document, ExportOptions};
//! # let (mesh, animation) = (std::fs::read("../../corpus/fox.psk")?, std::fs::read("../../corpus/fox.psa")?);
//! # let (mesh, animation) = (Asset::parse(&mesh)?, Asset::parse(&animation)?);
//! # let mesh = mesh.mesh().ok_or("no mesh")?;
//! # let mut document = Document::of_mesh(&mesh);
//! # document.animations = animation.clips().map(|clip| Animation::new(&clip, Binding::new(&mesh, &clip))).collect();
//! # let mut bytes = Vec::new();
//! # document.write_glb(&ExportOptions::default(), &mut bytes)?;
//! let gltf = Gltf::parse(&bytes)?; // `bytes`: a GLB of a fox
//! let model = gltf.to_model(None)?;
//! assert_eq!((model.joints.len(), gltf.clip_count()), (23, 2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod accessor;
mod animation;
pub(crate) mod error;
mod json;
mod mesh;
mod nodes;

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use skelmap::shared::{to_u32, to_u64};

pub use animation::GltfClip;
pub use error::{GltfError, GltfErrorKind, Objects};

use self::error::short;
use self::json::Root;
use self::nodes::Nodes;

const MAGIC: &[u8] = b"glTF";
const JSON_CHUNK: [u8; 4] = *b"JSON";
const BINARY_CHUNK: [u8; 4] = *b"BIN\0";

/// How many numbers are read in all: so many for each byte of the file, and a base. Each number is read once or twice; a hostile file can name the
/// same ones any number of times.
const NUMBERS_OF_BYTE: u64 = 64;
const MIN_NUMBERS: u64 = 1 << 24;

/// The most buffers of a file.
const MAX_BUFFERS: usize = 4096;

/// A glTF file: its JSON, its buffers and its tree of nodes. Borrows the bytes; meshes and animations are read when they are asked for.
#[derive(Debug)]
pub struct Gltf<'a> {
    root: Root<'a>,
    buffers: Vec<Buffer<'a>>,
    nodes: Nodes,
    /// The bytes of the file and its buffers.
    size: u64,
    /// Numbers that may still be read.
    left: AtomicU64,
}

/// The bytes of a buffer.
#[derive(Debug)]
enum Buffer<'a> {
    /// Those of the GLB.
    Borrowed(&'a [u8]),
    /// Those of another file, or of Base64. Buffers of one file share them.
    Shared(Arc<[u8]>),
}

impl Buffer<'_> {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Borrowed(bytes) => bytes,
            Self::Shared(bytes) => bytes,
        }
    }
}

impl<'a> Gltf<'a> {
    /// Reads a file without others: a GLB, or JSON whose buffers are in it. O(bytes).
    ///
    /// # Errors
    /// [`GltfError`], also for a buffer in another file.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, GltfError> {
        Self::parse_with(bytes, |_, _| Err(io::Error::other("buffers in other files are not read here")))
    }

    /// [`parse`](Self::parse) of a file of a folder: buffers are regular files of this folder, or of one in it. No link is followed, and no more is read than the JSON
    /// states.
    ///
    /// # Errors
    /// [`GltfError`].
    pub fn parse_in(bytes: &'a [u8], folder: &Path) -> Result<Self, GltfError> {
        Self::parse_with(bytes, |uri, length| {
            let name = decoded(uri);
            let is_safe = !name.is_empty()
                && !name.contains([':', '\\', '\0'])
                && name.split('/').all(|part| !matches!(part, "" | "." | ".."));
            if !is_safe {
                return Err(io::Error::other("only files of the folder, and of those in it, are read"));
            }
            let mut path = folder.to_owned();
            for part in name.split('/') {
                path.push(part);
                if path.symlink_metadata()?.is_symlink() {
                    return Err(io::Error::other("is a link, or in one"));
                }
            }
            if !path.metadata()?.is_file() {
                return Err(io::Error::other("is no regular file"));
            }
            let mut own = Vec::new();
            File::open(path)?.take(length).read_to_end(&mut own)?;
            Ok(own)
        })
    }

    /// [`parse`](Self::parse), with a function that reads the buffers in other files: it gets the name, and the bytes that are needed.
    ///
    /// # Errors
    /// [`GltfError`], with the errors of the function.
    pub fn parse_with(
        bytes: &'a [u8],
        mut read: impl FnMut(&str, u64) -> io::Result<Vec<u8>>,
    ) -> Result<Self, GltfError> {
        let (json, binary) = chunks(bytes)?;
        let root = Root::parse(json)?;
        if root.buffers.len() > MAX_BUFFERS {
            return Err(GltfErrorKind::Limit { limit: to_u64(MAX_BUFFERS), what: "buffers" }.at("buffers"));
        }
        // A file that several buffers name is read once, as far as the longest of them needs it.
        let mut longest: HashMap<String, u64> = HashMap::new();
        for index in 0..root.buffers.len() {
            let buffer = root.element((&root.buffers, "buffers"), to_u32(index), "")?;
            let fields = buffer.fields()?;
            if let Some(uri) = fields.text("uri").filter(|uri| !uri.starts_with("data:")) {
                let most = longest.entry(decoded(uri)).or_insert(0);
                *most = (*most).max(fields.size("byteLength")?.unwrap_or(0));
            }
        }
        let mut files: HashMap<String, Arc<[u8]>> = HashMap::new();
        let (mut buffers, mut size) = (Vec::new(), to_u64(bytes.len()));
        for index in 0..root.buffers.len() {
            let path = format!("buffers[{index}]");
            let buffer = root.element((&root.buffers, "buffers"), to_u32(index), "")?;
            let fields = buffer.fields()?;
            let length = fields.size("byteLength")?.unwrap_or(0);
            let own: Buffer<'a> = match (fields.text("uri"), binary) {
                (None, Some(binary)) if index == 0 => Buffer::Borrowed(binary),
                (None, _) => return Err(GltfErrorKind::Invalid("has no bytes").at(&path)),
                (Some(uri), _) => {
                    let encoded = uri.strip_prefix("data:").and_then(|data| data.split_once(";base64,"));
                    Buffer::Shared(if let Some((_, data)) = encoded {
                        let bytes = STANDARD.decode(data);
                        let fault = |_| GltfErrorKind::Invalid("is no Base64").at(format_args!("{path}.uri"));
                        let bytes = bytes.map_err(fault)?;
                        size = size.saturating_add(to_u64(bytes.len()));
                        bytes.into()
                    } else if let Some(known) = files.get(&decoded(uri)) {
                        Arc::clone(known)
                    } else {
                        let bytes = read(uri, longest.get(&decoded(uri)).copied().unwrap_or(length));
                        let fault = |error| GltfErrorKind::Buffer { uri: short(uri), error }.at(&path);
                        let bytes: Arc<[u8]> = bytes.map_err(fault)?.into();
                        size = size.saturating_add(to_u64(bytes.len()));
                        files.insert(decoded(uri), Arc::clone(&bytes));
                        bytes
                    })
                }
            };
            let left = to_u64(own.bytes().len());
            if left < length {
                return Err(GltfErrorKind::Truncated { stated: length, left }.at(&path));
            }
            buffers.push(own);
        }
        let nodes = Nodes::new(&root)?;
        let left = AtomicU64::new(size.saturating_mul(NUMBERS_OF_BYTE).saturating_add(MIN_NUMBERS));
        Ok(Self { root, buffers, nodes, size, left })
    }

    /// The program that wrote the file, if it says so.
    pub fn generator(&self) -> Option<&str> {
        self.root.asset.generator.as_deref()
    }

    /// Whether this project wrote the file, and no other program after it.
    fn is_ours(&self) -> bool {
        self.generator().is_some_and(crate::model::is_ours)
    }

    /// Counts numbers that are read.
    fn spend(&self, numbers: u64, path: &str) -> Result<(), GltfError> {
        let spent = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(numbers));
        let limit = GltfErrorKind::Limit { limit: NUMBERS_OF_BYTE, what: "numbers for each byte of the file" };
        spent.map(|_| ()).map_err(|_| limit.at(path))
    }
}

/// The JSON and the binary chunk.
fn chunks(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), GltfError> {
    let word = |at: usize| -> Option<[u8; 4]> { bytes.get(at..)?.first_chunk().copied() };
    if !bytes.starts_with(MAGIC) {
        let start = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        return match start.trim_ascii_start().first() {
            Some(b'{') => Ok((start, None)),
            _ => Err(GltfErrorKind::NoGltf.at("")),
        };
    }
    let truncated = |stated: u64, left: u64| GltfErrorKind::Truncated { stated, left }.at("GLB");
    let header = || truncated(20, to_u64(bytes.len()));
    match word(4).map(u32::from_le_bytes).ok_or_else(header)? {
        2 => {}
        version => return Err(GltfErrorKind::Version(version.to_string()).at("GLB")),
    }
    let stated = u64::from(word(8).map(u32::from_le_bytes).ok_or_else(header)?);
    if stated > to_u64(bytes.len()) {
        return Err(truncated(stated, to_u64(bytes.len())));
    }
    let chunk = |at: usize, kind: [u8; 4]| -> Result<&[u8], GltfError> {
        let length = word(at).map(u32::from_le_bytes).ok_or_else(header)?;
        if word(at.saturating_add(4)) != Some(kind) {
            return Err(GltfErrorKind::Invalid("has no JSON").at("GLB"));
        }
        let body = bytes.get(at.saturating_add(8)..).unwrap_or_default();
        let own = body.get(..skelmap::shared::to_usize(length.into()));
        own.ok_or_else(|| truncated(length.into(), to_u64(body.len())))
    };
    let json = chunk(12, JSON_CHUNK)?;
    let next = json.len().next_multiple_of(4).saturating_add(20);
    let binary =
        if word(next.saturating_add(4)) == Some(BINARY_CHUNK) { Some(chunk(next, BINARY_CHUNK)?) } else { None };
    Ok((json, binary))
}

/// A URI without `%` codes.
fn decoded(uri: &str) -> String {
    let mut found = Vec::new();
    let mut rest = uri.as_bytes();
    while let [first, after @ ..] = rest {
        let code = match (first, after) {
            (b'%', [high, low, ..]) => Option::zip(char::from(*high).to_digit(16), char::from(*low).to_digit(16)),
            _ => None,
        };
        let byte = code.and_then(|(high, low)| u8::try_from((high << 4) | low).ok());
        found.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { after.get(2..).unwrap_or_default() } else { after };
    }
    String::from_utf8_lossy(&found).into_owned()
}

#[cfg(test)]
mod tests {
    #[test]
    fn codes_of_a_uri_are_characters() {
        assert_eq!(super::decoded("a%20b%C3%89%zz%2"), "a bÉ%zz%2");
    }
}
