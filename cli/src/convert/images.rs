//! Images as glTF has them: PNG and JPEG as they are, others decoded and written as PNG.

use std::borrow::Cow;

use skelmap::gltf::{Image, MediaType};

/// The largest file of an image.
pub(super) const LARGEST: u64 = 256 << 20;

/// The extensions of images, the preferred ones first.
pub(super) const EXTENSIONS: &[&str] =
    if cfg!(feature = "textures") { &["png", "jpg", "jpeg", "tga", "dds", "bmp"] } else { &["png", "jpg", "jpeg"] };

/// An image of a file. The extension counts only where the first bytes do not tell the format.
pub(super) fn image(name: String, extension: &str, bytes: Vec<u8>) -> Result<Image<'static>, String> {
    if let Some(media_type) = MediaType::of(&bytes) {
        return Ok(Image { name, media_type, bytes: Cow::Owned(bytes) });
    }
    let png = to_png(extension, &bytes)?;
    Ok(Image { name, media_type: MediaType::Png, bytes: Cow::Owned(png) })
}

#[cfg(not(feature = "textures"))]
fn to_png(extension: &str, _: &[u8]) -> Result<Vec<u8>, String> {
    Err(format!("a .{extension} is neither PNG nor JPEG, and this skelmap was built without the feature `textures`"))
}

/// The largest edge of an image that is decoded.
#[cfg(feature = "textures")]
const LONGEST: u32 = 16_384;

#[cfg(feature = "textures")]
fn to_png(extension: &str, bytes: &[u8]) -> Result<Vec<u8>, String> {
    use image::codecs::png::{CompressionType, FilterType, PngEncoder};
    use image::{ImageFormat, ImageReader, Limits};

    let decoded = if bytes.starts_with(b"DDS ") {
        image::DynamicImage::ImageRgba8(from_dds(bytes)?)
    } else {
        let format = match extension {
            _ if bytes.starts_with(b"BM") => ImageFormat::Bmp,
            "tga" => ImageFormat::Tga,
            _ => return Err("is neither PNG, JPEG, DDS, TGA nor BMP".to_owned()),
        };
        let mut reader = ImageReader::with_format(std::io::Cursor::new(bytes), format);
        let mut limits = Limits::default();
        (limits.max_image_width, limits.max_image_height) = (Some(LONGEST), Some(LONGEST));
        reader.limits(limits);
        reader.decode().map_err(|error| error.to_string())?
    };
    let mut png = Vec::new();
    let encoder = PngEncoder::new_with_quality(&mut png, CompressionType::Fast, FilterType::Adaptive);
    // glTF knows 8 and 16 bits; textures of these games have 8.
    let decoded = if decoded.color().has_alpha() {
        image::DynamicImage::ImageRgba8(decoded.into_rgba8())
    } else {
        image::DynamicImage::ImageRgb8(decoded.into_rgb8())
    };
    decoded.write_with_encoder(encoder).map_err(|error| error.to_string())?;
    Ok(png)
}

/// The first picture of a DDS file, its largest size.
#[cfg(feature = "textures")]
fn from_dds(bytes: &[u8]) -> Result<image::RgbaImage, String> {
    let dds = image_dds::ddsfile::Dds::read(bytes).map_err(|error| error.to_string())?;
    let (width, height) = (dds.get_width(), dds.get_height());
    // A block of 4 x 4 pixels takes 8 bytes at least: what is not in the file is not made room for.
    let blocks = u64::from(width.div_ceil(4)) * u64::from(height.div_ceil(4));
    if width.max(height) > LONGEST || blocks * 8 > bytes.len() as u64 {
        return Err(format!("{width} x {height} pixels do not fit into {} bytes", bytes.len()));
    }
    image_dds::image_from_dds(&dds, 0).map_err(|error| error.to_string())
}
