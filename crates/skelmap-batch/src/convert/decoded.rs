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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::convert::images::tests::png;

    #[test]
    fn each_input_counts_once_with_its_bytes() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        fs::write(path("a.png"), [0; 10]).expect("written");
        fs::write(path("b.zip"), [0; 5]).expect("written");
        let decoded = Decoded::default();
        let sums = ["none", "a.png", "a.png", "b.zip", "a.png"].map(|name| decoded.bytes_of_inputs(&path(name)));
        assert_eq!(sums, [0, 10, 10, 15, 15]);
    }

    /// The docs of the limits: 2^30 pixels and 64 for each byte of the inputs; 16 GiB, or 64 bytes for each.
    #[test]
    fn images_beyond_the_limits_of_a_run_are_left_out() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = Address::of_file(folder.path().join("a.png"));
        fs::write(place.path(), [0; 10]).expect("written");
        let decoded = Decoded::default();
        decoded.pixels.store((1 << 30) + 64 * 10, Ordering::Relaxed);
        let read = || decoded.read(&place, || Ok(Vec::new()), |extension, _| Ok((extension.to_owned(), 1)));
        assert_eq!(read().expect("within the limit"), ("png".to_owned(), 1));
        let error = read().expect_err("beyond it");
        assert_eq!(error.to_string(), "is left out: the images of the run have far more pixels than bytes");

        let decoded = Decoded::default();
        let png = png(1, 1, 10);
        decoded.embedded.store((16 << 30) - png.len() as u64, Ordering::Relaxed);
        let embed = || decoded.image(place.clone(), "a".to_owned(), || Ok(png.clone()));
        assert_eq!(embed().expect("within the limit").bytes, png);
        let error = embed().expect_err("beyond it");
        assert_eq!(error.to_string(), "is left out: the images of the outputs have far more bytes than the inputs");
    }

    #[test]
    fn images_of_eight_mebibytes_are_decoded_one_after_the_other() {
        let decoded = Decoded::default();
        let is_alone = |length: usize| {
            let make = |_: &str, _| Ok((decoded.large.try_lock().is_err(), 0));
            decoded.read(&Address::of_file("a.png"), || Ok(vec![0; length]), make).expect("made").0
        };
        assert!(!is_alone((8 << 20) - 1) && is_alone(8 << 20) && is_alone((8 << 20) + 1));
    }

    #[cfg(feature = "textures")]
    #[test]
    fn what_was_decoded_is_kept_as_long_as_there_is_room() {
        use std::cell::Cell;

        use crate::convert::images::textures::tga;

        let place = || Address::of_file("a.tga");
        let reads = Cell::new(0);
        let read = || {
            reads.set(reads.get() + 1);
            Ok(tga(3, 2))
        };
        for (kept, times) in [(0, 1), ((256 << 20) - 1, 1), (256 << 20, 2), ((256 << 20) + 1, 2)] {
            let decoded = Decoded::default();
            decoded.kept.store(kept, Ordering::Relaxed);
            let image = || decoded.image(place(), "a".to_owned(), read).expect("an image").bytes;
            assert_eq!(image(), image());
            assert_eq!(reads.replace(0), times, "an image after {kept} bytes");
        }
        for (kept, times) in [(0, 1), ((64 << 20) - 1, 1), (64 << 20, 2), ((64 << 20) + 1, 2)] {
            let decoded = Decoded::default();
            decoded.kept.store(kept, Ordering::Relaxed);
            let texture = || decoded.texture(place(), 16, false, read).expect("a texture");
            assert_eq!(texture(), texture());
            assert_eq!(reads.replace(0), times, "a texture after {kept} bytes");
        }
    }
}
