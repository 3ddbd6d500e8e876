//! The images of a run: each is read and decoded once.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use skelmap::archive::Address;
use skelmap_export::Image;
use skelmap_preview::Texture;

use super::images::{ImageError, image, png_of, texture};

/// Images that were decoded and written as PNG, for all meshes of a run.
#[derive(Debug, Default)]
pub(super) struct Decoded {
    known: Mutex<HashMap<Address, Known>>,
    /// Those of pictures, by their address and whether they have holes.
    textures: Mutex<HashMap<(Address, bool), Painted>>,
    kept: AtomicU64,
    /// The pixels that were decoded, and the bytes of images that outputs have.
    pixels: AtomicU64,
    embedded: AtomicU64,
    /// The files and archives that images came from, and their bytes: a large input has many images.
    inputs: Mutex<(HashSet<PathBuf>, u64)>,
    /// Large images are decoded one after the other.
    large: Mutex<()>,
}

/// A texture; `None` for an image that cannot be used.
type Painted = Option<Arc<Texture>>;

/// What is known of an image.
#[derive(Clone, Debug)]
enum Known {
    Png(Arc<Vec<u8>>),
    /// The image is not kept.
    Large,
    Failed(Arc<str>),
}

/// The most bytes of images that are kept.
const MAX_KEPT: u64 = 256 << 20;

/// The most bytes of textures of pictures that are kept.
const MAX_TEXTURES: u64 = 64 << 20;

/// The most pixels that a run decodes: those of 64 images of 4096 x 4096, and 64 for each byte of the files and archives with images. DXT1
/// has two for each byte before it is deflated.
const MAX_PIXELS: u64 = 1 << 30;
const MAX_OF_INPUTS: u64 = 64;

/// The most bytes of images in the outputs of a run: these, and 64 for each byte of the files and archives with images.
const MAX_EMBEDDED: u64 = 16 << 30;

/// A file of an image that is decoded while no other large one is.
const LARGE: usize = 8 << 20;

impl Decoded {
    /// The image of a file, for an output.
    pub(super) fn image(
        &self,
        place: Address,
        name: String,
        read: impl FnOnce() -> Result<Vec<u8>, ImageError>,
    ) -> Result<Image<'static>, ImageError> {
        let most = MAX_EMBEDDED.max(self.bytes_of_inputs(place.path()).saturating_mul(MAX_OF_INPUTS));
        let image = self.known_or_read(place, name, read)?;
        let size = image.bytes.len() as u64;
        if self.embedded.fetch_add(size, Ordering::Relaxed).saturating_add(size) > most {
            return Err("is left out: the images of the outputs have far more bytes than the inputs".into());
        }
        Ok(image)
    }

    /// The bytes of all files and archives with images, with this one.
    fn bytes_of_inputs(&self, input: &Path) -> u64 {
        let mut inputs = self.inputs.lock().unwrap_or_else(PoisonError::into_inner);
        if !inputs.0.contains(input) {
            inputs.0.insert(input.to_owned());
            inputs.1 = inputs.1.saturating_add(input.metadata().map_or(0, |metadata| metadata.len()));
        }
        inputs.1
    }

    /// What was decoded is kept for further meshes, and so is a failure.
    fn known_or_read(
        &self,
        place: Address,
        name: String,
        read: impl FnOnce() -> Result<Vec<u8>, ImageError>,
    ) -> Result<Image<'static>, ImageError> {
        let lock = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let known = lock().get(&place).cloned();
        match known {
            Some(Known::Png(png)) => return Ok(png_of(name, png.to_vec())),
            Some(Known::Failed(message)) => return Err((*message).into()),
            Some(Known::Large) | None => {}
        }
        let loaded = self.read(&place, read, |extension, bytes| image(name, extension, bytes));
        let known = match &loaded {
            // The bytes of the file.
            Ok((_, 0)) => return loaded.map(|(image, _)| image),
            Ok((image, _)) => {
                let size = image.bytes.len() as u64;
                if self.kept.fetch_add(size, Ordering::Relaxed) < MAX_KEPT {
                    Known::Png(Arc::new(image.bytes.to_vec()))
                } else {
                    Known::Large
                }
            }
            Err(error) => Known::Failed(error.to_string().into()),
        };
        lock().insert(place, known);
        loaded.map(|(image, _)| image)
    }

    /// The image of a file as a texture for pictures, with edges of at most `edge` pixels; `None` for one that cannot be used. It is kept for
    /// further meshes.
    pub(super) fn texture(
        &self,
        place: Address,
        edge: u32,
        is_cut: bool,
        read: impl FnOnce() -> Result<Vec<u8>, ImageError>,
    ) -> Painted {
        let lock = || self.textures.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (place, is_cut);
        if let Some(known) = lock().get(&key) {
            return known.clone();
        }
        let made = self.read(&key.0, read, |extension, bytes| texture(extension, &bytes, edge)).ok();
        let made = made.map(|(texture, _)| Arc::new(if is_cut { texture.cut_out() } else { texture }));
        let size = made.as_ref().map_or(0, |texture| texture.size() as u64);
        if self.kept.fetch_add(size, Ordering::Relaxed) < MAX_TEXTURES {
            lock().insert(key, made.clone());
        }
        made
    }

    /// Reads an image. `make` is given its extension in lower case and its bytes, and returns the number of decoded pixels too.
    pub(super) fn read<T>(
        &self,
        place: &Address,
        read: impl FnOnce() -> Result<Vec<u8>, ImageError>,
        make: impl FnOnce(&str, Vec<u8>) -> Result<(T, u64), ImageError>,
    ) -> Result<(T, u64), ImageError> {
        let of_inputs = self.bytes_of_inputs(place.path()).saturating_mul(MAX_OF_INPUTS);
        if self.pixels.load(Ordering::Relaxed) > MAX_PIXELS.saturating_add(of_inputs) {
            return Err("is left out: the images of the run have far more pixels than bytes".into());
        }
        let content = read()?;
        let _alone = (content.len() >= LARGE).then(|| self.large.lock().unwrap_or_else(PoisonError::into_inner));
        let extension = place.entry().map_or_else(|| place.path(), Path::new).extension().unwrap_or_default();
        let extension = extension.to_string_lossy().to_lowercase();
        let loaded = make(&extension, content)?;
        self.pixels.fetch_add(loaded.1, Ordering::Relaxed);
        Ok(loaded)
    }
}
