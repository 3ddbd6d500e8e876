//! Images as glTF has them: PNG and JPEG as they are, others decoded and written as PNG.

use std::borrow::Cow;

use skelmap_export::{Image, MediaType};

/// The largest file of an image.
pub(super) const MAX_IMAGE_BYTES: u64 = 64 << 20;

/// The most bytes of all images of a mesh.
pub(super) const MAX_OF_ALL: usize = 512 << 20;

/// The extensions of images, the preferred ones first.
pub(super) const EXTENSIONS: [&str; 6] = ["png", "jpg", "jpeg", "tga", "dds", "bmp"];

/// The extensions of images that this build cannot decode.
pub(super) const NOT_DECODED: &[&str] = if cfg!(feature = "textures") { &[] } else { &["tga", "dds", "bmp"] };

/// Why an image cannot be used.
pub(super) type ImageError = Box<dyn std::error::Error + Send + Sync>;

/// An image of a file. The extension counts only where the first bytes do not tell the format.
pub(super) fn image(name: String, extension: &str, bytes: Vec<u8>) -> Result<Image<'static>, ImageError> {
    if let Some(media_type) = MediaType::of(&bytes) {
        let is_whole = if media_type == MediaType::Png { is_whole_png(&bytes) } else { is_whole_jpeg(&bytes) };
        if is_whole != Some(true) {
            return Err("is cut off, or has no pixels".into());
        }
        return Ok(Image { name, media_type, bytes: Cow::Owned(bytes) });
    }
    let png = to_png(extension, &bytes)?;
    Ok(Image { name, media_type: MediaType::Png, bytes: Cow::Owned(png) })
}

/// Whether a PNG has pixels and goes on to its end.
fn is_whole_png(bytes: &[u8]) -> Option<bool> {
    let mut chunks = bytes.get(8..)?;
    let size = chunks.get(8..16)?;
    let has_pixels = chunks.get(4..8)? == b"IHDR" && size.chunks(4).all(|edge| edge != [0; 4]);
    loop {
        let (length, rest) = chunks.split_first_chunk()?;
        let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
        if rest.starts_with(b"IEND") {
            return Some(has_pixels);
        }
        chunks = rest.get(length.checked_add(8)?..)?;
    }
}

/// Whether a JPEG has pixels and goes on to its end.
fn is_whole_jpeg(bytes: &[u8]) -> Option<bool> {
    let mut segments = bytes.get(2..)?;
    loop {
        let (&[0xFF, kind], rest) = segments.split_first_chunk()? else { return None };
        if kind == 0xFF {
            segments = segments.get(1..)?;
            continue;
        }
        let (length, body) = rest.split_first_chunk()?;
        // Frames: all of C0 to CF but the tables of Huffman and arithmetic coding.
        if (0xC0..=0xCF).contains(&kind) && ![0xC4, 0xC8, 0xCC].contains(&kind) {
            let has_pixels = body.get(1..5)?.chunks(2).all(|edge| edge != [0; 2]);
            return Some(has_pixels && bytes.windows(2).rev().take(1 << 16).any(|end| end == [0xFF, 0xD9]));
        }
        segments = rest.get(usize::from(u16::from_be_bytes(*length))..)?;
    }
}

#[cfg(not(feature = "textures"))]
fn to_png(extension: &str, _: &[u8]) -> Result<Vec<u8>, ImageError> {
    Err(format!("a .{extension} is neither PNG nor JPEG, and needs a build with textures").into())
}

/// The largest edge of an image that is decoded.
#[cfg(feature = "textures")]
const MAX_IMAGE_EDGE: u32 = 16_384;

/// The most bytes of the pixels of an image that is decoded: 8192 x 8192 pixels of four bytes.
#[cfg(feature = "textures")]
const MAX_DECODED: u64 = 256 << 20;

/// The most pixels of one byte of a TGA or BMP: two bytes of a BMP repeat a pixel 255 times.
#[cfg(feature = "textures")]
const MAX_OF_A_BYTE: u64 = 128;

#[cfg(feature = "textures")]
fn to_png(extension: &str, bytes: &[u8]) -> Result<Vec<u8>, ImageError> {
    use image::codecs::png::{CompressionType, FilterType, PngEncoder};
    use image::{ImageDecoder, ImageFormat, ImageReader, Limits};

    let decoded = if bytes.starts_with(b"DDS ") {
        image::DynamicImage::ImageRgba8(from_dds(bytes)?)
    } else {
        let format = match extension {
            _ if bytes.starts_with(b"BM") => ImageFormat::Bmp,
            "tga" => ImageFormat::Tga,
            _ => return Err("is neither PNG, JPEG, DDS, TGA nor BMP".into()),
        };
        let mut reader = ImageReader::with_format(std::io::Cursor::new(bytes), format);
        let mut limits = Limits::default();
        (limits.max_image_width, limits.max_image_height) = (Some(MAX_IMAGE_EDGE), Some(MAX_IMAGE_EDGE));
        limits.max_alloc = Some(MAX_DECODED);
        reader.limits(limits);
        let decoder = reader.into_decoder()?;
        let ((width, height), size) = (decoder.dimensions(), bytes.len() as u64);
        // What is not in the file is not made room for.
        if u64::from(width) * u64::from(height) > size * MAX_OF_A_BYTE || decoder.total_bytes() > MAX_DECODED {
            return Err(too_few_bytes(width, height, size));
        }
        image::DynamicImage::from_decoder(decoder)?
    };
    let mut png = Vec::new();
    let encoder = PngEncoder::new_with_quality(&mut png, CompressionType::Fast, FilterType::Adaptive);
    // glTF knows 8 and 16 bits; textures of these games have 8.
    let decoded = if decoded.color().has_alpha() {
        image::DynamicImage::ImageRgba8(decoded.into_rgba8())
    } else {
        image::DynamicImage::ImageRgb8(decoded.into_rgb8())
    };
    decoded.write_with_encoder(encoder)?;
    Ok(png)
}

#[cfg(feature = "textures")]
fn too_few_bytes(width: u32, height: u32, size: u64) -> ImageError {
    format!("{width} x {height} pixels do not fit into {size} bytes").into()
}

/// The picture of a DDS file, in its largest size.
#[cfg(feature = "textures")]
fn from_dds(bytes: &[u8]) -> Result<image::RgbaImage, ImageError> {
    let dds = image_dds::ddsfile::Dds::read(bytes)?;
    let (width, height) = (dds.get_width(), dds.get_height());
    // A block of 4 x 4 pixels takes 8 bytes at least: what is not in the file is not made room for.
    let blocks = u64::from(width.div_ceil(4)) * u64::from(height.div_ceil(4));
    if width.max(height) > MAX_IMAGE_EDGE || blocks * 8 > bytes.len() as u64 {
        return Err(too_few_bytes(width, height, bytes.len() as u64));
    }
    let picture = image_dds::image_from_dds(&dds, 0)?;
    if (picture.width(), picture.height()) != (width, height) {
        return Err("holds several pictures: a cube or an array".into());
    }
    Ok(picture)
}

#[cfg(all(test, feature = "textures"))]
mod textures {
    use super::*;

    /// A BMP of 8 bits in runs, with a palette of 256 colours.
    fn bmp(width: u32, height: u32, runs: &[u8]) -> Vec<u8> {
        let length = 54 + 1024 + u32::try_from(runs.len()).unwrap();
        let mut bytes = b"BM".to_vec();
        for number in [length, 0, 54 + 1024, 40, width, height, 8 << 16 | 1, 1, 0, 0, 0, 256, 0] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend([0; 1024]);
        bytes.extend(runs);
        bytes
    }

    #[test]
    fn an_image_has_no_more_pixels_than_its_bytes_can_make() {
        let whole = image("a".to_owned(), "bmp", bmp(255, 1, &[255, 7, 0, 1])).unwrap();
        assert_eq!(whole.bytes[16..24], [0, 0, 0, 255, 0, 0, 0, 1], "the size in the PNG");
        for (width, height) in [(16_000, 11_000), (1000, 1000)] {
            let error = image("a".to_owned(), "bmp", bmp(width, height, &[0, 1])).unwrap_err();
            assert_eq!(error.to_string(), format!("{width} x {height} pixels do not fit into 1080 bytes"));
        }
        // The header of a TGA whose pixels, in runs, all have one colour.
        let mut tga = vec![0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 4, 32, 0];
        tga.extend([255, 1, 2, 3, 4].repeat(1024 * 1024 / 128));
        let picture = image("a".to_owned(), "tga", tga.clone()).unwrap();
        assert_eq!(picture.bytes[16..24], [0, 0, 4, 0, 0, 0, 4, 0]);
        tga.truncate(18 + 5 * 1000);
        assert!(image("a".to_owned(), "tga", tga).is_err());
    }
}
