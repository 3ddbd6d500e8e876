//! Images as glTF has them: PNG and JPEG as they are, others decoded and written as PNG.

use std::borrow::Cow;

#[cfg(feature = "textures")]
use skelmap::shared::to_usize;
use skelmap_export::{Image, MediaType};
use skelmap_preview::Texture;

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

/// An image of a file, and the pixels that were decoded for it. The extension counts only where the first bytes do not tell the format.
pub(super) fn image(name: String, extension: &str, bytes: Vec<u8>) -> Result<(Image<'static>, u64), ImageError> {
    if let Some(media_type) = MediaType::of(&bytes) {
        check_claim(media_type, &bytes)?;
        return Ok((Image { name, media_type, bytes: Cow::Owned(bytes) }, 0));
    }
    let (png, pixels) = to_png(extension, &bytes)?;
    Ok((png_of(name, png), pixels))
}

/// Whether a PNG or JPEG is as long as its header says.
fn check_claim(media_type: MediaType, bytes: &[u8]) -> Result<(), ImageError> {
    let claim = if media_type == MediaType::Png { claim_of_png(bytes) } else { claim_of_jpeg(bytes) };
    let Some(Claim { width, height, max_pixels }) = claim.filter(|claim| claim.width > 0 && claim.height > 0) else {
        return Err("is damaged, cut off, or has no pixels".into());
    };
    if u64::from(width) * u64::from(height) > max_pixels {
        return Err(too_few_bytes(width, height, bytes.len() as u64));
    }
    Ok(())
}

/// An image that was decoded.
pub(super) const fn png_of(name: String, png: Vec<u8>) -> Image<'static> {
    Image { name, media_type: MediaType::Png, bytes: Cow::Owned(png) }
}

/// The size that the header of an image states, and the most pixels that its data can have.
struct Claim {
    width: u32,
    height: u32,
    max_pixels: u64,
}

/// The most bytes that deflate makes of one byte.
const MAX_INFLATED: u64 = 1032;

/// The most pixels of one byte of a JPEG: a block of 8 x 8 pixels takes a bit at least.
const MAX_OF_A_JPEG_BYTE: u64 = 8 * 64;

/// The claim of a PNG whose chunks go on to its end.
fn claim_of_png(bytes: &[u8]) -> Option<Claim> {
    let (mut chunks, mut header, mut data) = (bytes.get(8..)?, None, 0_u64);
    loop {
        let (length, rest) = chunks.split_first_chunk()?;
        let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
        let (kind, rest) = rest.split_first_chunk()?;
        let body = rest.get(..length)?;
        match (kind, header) {
            (b"IHDR", None) => header = Some(header_of_png(body)?),
            (_, None) => return None,
            (b"IDAT", _) => data = data.saturating_add(length as u64),
            (b"IEND", Some((width, height, bits))) => {
                let max_pixels = data.saturating_mul(MAX_INFLATED * 8).checked_div(bits)?;
                return Some(Claim { width, height, max_pixels });
            }
            _ => {}
        }
        chunks = rest.get(length.checked_add(4)?..)?;
    }
}

/// The size of a PNG, and the bits of a pixel.
fn header_of_png(body: &[u8]) -> Option<(u32, u32, u64)> {
    let (width, rest) = body.split_first_chunk()?;
    let (height, rest) = rest.split_first_chunk()?;
    // The numbers behind the kind of colours are those of the compression, of filters and of interlacing.
    let &[depth, kind, 0, 0, 0 | 1] = rest else { return None };
    let channels = match (kind, depth) {
        (0, 1 | 2 | 4 | 8 | 16) | (3, 1 | 2 | 4 | 8) => 1,
        (2, 8 | 16) => 3,
        (4, 8 | 16) => 2,
        (6, 8 | 16) => 4,
        _ => return None,
    };
    Some((u32::from_be_bytes(*width), u32::from_be_bytes(*height), channels * u64::from(depth)))
}

/// The claim of a JPEG that goes on to its end.
fn claim_of_jpeg(bytes: &[u8]) -> Option<Claim> {
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
            let &[_, a, b, c, d, ..] = body else { return None };
            let (height, width) = (u16::from_be_bytes([a, b]).into(), u16::from_be_bytes([c, d]).into());
            let has_end = bytes.windows(2).rev().take(1 << 16).any(|end| end == [0xFF, 0xD9]);
            let max_pixels = (body.len() as u64).saturating_mul(MAX_OF_A_JPEG_BYTE);
            return has_end.then_some(Claim { width, height, max_pixels });
        }
        segments = rest.get(usize::from(u16::from_be_bytes(*length))..)?;
    }
}

#[cfg(not(feature = "textures"))]
fn to_png(extension: &str, _: &[u8]) -> Result<(Vec<u8>, u64), ImageError> {
    Err(format!("a .{extension} needs a build with textures").into())
}

/// An image for pictures, with edges of at most `edge` pixels, and the pixels that were decoded for it.
#[cfg(not(feature = "textures"))]
pub(super) fn texture(_: &str, _: &[u8], _: u32) -> Result<(Texture, u64), ImageError> {
    Err("needs a build with textures".into())
}

/// The largest edge of an image that is decoded.
#[cfg(feature = "textures")]
const MAX_IMAGE_EDGE: u32 = 16_384;

/// The most bytes of the pixels of an image that is decoded: 8192 x 8192 pixels of four bytes.
#[cfg(feature = "textures")]
const MAX_DECODED: u64 = 256 << 20;

/// The same for pictures, which several threads draw: 4096 x 4096 pixels.
#[cfg(feature = "textures")]
const MAX_PAINTED: u64 = 64 << 20;

/// The most pixels of one byte of a TGA or BMP: two bytes of a BMP repeat a pixel 255 times.
#[cfg(feature = "textures")]
const MAX_OF_A_BYTE: u64 = 128;

#[cfg(feature = "textures")]
fn to_png(extension: &str, bytes: &[u8]) -> Result<(Vec<u8>, u64), ImageError> {
    use image::codecs::png::{CompressionType, FilterType, PngEncoder};

    let decoded = decoded(extension, bytes, u32::MAX, MAX_DECODED)?;
    let mut png = Vec::new();
    let encoder = PngEncoder::new_with_quality(&mut png, CompressionType::Fast, FilterType::Adaptive);
    // glTF knows 8 and 16 bits; textures of these games have 8.
    let decoded = if decoded.color().has_alpha() {
        image::DynamicImage::ImageRgba8(decoded.into_rgba8())
    } else {
        image::DynamicImage::ImageRgb8(decoded.into_rgb8())
    };
    decoded.write_with_encoder(encoder)?;
    Ok((png, u64::from(decoded.width()) * u64::from(decoded.height())))
}

/// An image for pictures, with edges of at most `edge` pixels, and the pixels that were decoded for it.
#[cfg(feature = "textures")]
pub(super) fn texture(extension: &str, bytes: &[u8], edge: u32) -> Result<(Texture, u64), ImageError> {
    let mut decoded = decoded(extension, bytes, edge, MAX_PAINTED)?;
    let pixels = u64::from(decoded.width()) * u64::from(decoded.height());
    if decoded.width().max(decoded.height()) > edge {
        decoded = decoded.thumbnail(edge, edge);
    }
    let [width, height] = [decoded.width(), decoded.height()].map(|edge| to_usize(edge.into()));
    let texture = Texture::new(width, height, &decoded.into_rgba8()).ok_or("has no pixels")?;
    Ok((texture, pixels))
}

/// The pixels of an image, at most so many bytes. Of a DDS file, those of the smallest stored size that is not smaller than `edge`.
#[cfg(feature = "textures")]
fn decoded(extension: &str, bytes: &[u8], edge: u32, most: u64) -> Result<image::DynamicImage, ImageError> {
    use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};

    if bytes.starts_with(b"DDS ") {
        return Ok(DynamicImage::ImageRgba8(from_dds(bytes, edge, most)?));
    }
    // The claims of PNG and JPEG are checked already.
    let (format, max_of_a_byte) = match MediaType::of(bytes) {
        Some(media_type) => {
            check_claim(media_type, bytes)?;
            (if media_type == MediaType::Png { ImageFormat::Png } else { ImageFormat::Jpeg }, u64::MAX)
        }
        None if bytes.starts_with(b"BM") => (ImageFormat::Bmp, MAX_OF_A_BYTE),
        None if extension == "tga" => (ImageFormat::Tga, MAX_OF_A_BYTE),
        None => return Err("is neither PNG, JPEG, DDS, TGA nor BMP".into()),
    };
    let mut reader = ImageReader::with_format(std::io::Cursor::new(bytes), format);
    let mut limits = Limits::default();
    (limits.max_image_width, limits.max_image_height) = (Some(MAX_IMAGE_EDGE), Some(MAX_IMAGE_EDGE));
    limits.max_alloc = Some(most);
    reader.limits(limits);
    let decoder = reader.into_decoder()?;
    let ((width, height), size) = (decoder.dimensions(), bytes.len() as u64);
    // What is not in the file is not made room for.
    let is_too_large = u64::from(width) * u64::from(height) > size.saturating_mul(max_of_a_byte);
    if is_too_large || decoder.total_bytes() > most {
        return Err(too_few_bytes(width, height, size));
    }
    Ok(DynamicImage::from_decoder(decoder)?)
}

fn too_few_bytes(width: u32, height: u32, size: u64) -> ImageError {
    format!("{width} x {height} pixels do not fit into {size} bytes").into()
}

/// The picture of a DDS file, in the smallest stored size that is not smaller than `edge`.
#[cfg(feature = "textures")]
fn from_dds(bytes: &[u8], edge: u32, most: u64) -> Result<image::RgbaImage, ImageError> {
    let dds = image_dds::ddsfile::Dds::read(bytes)?;
    let (width, height) = (dds.get_width(), dds.get_height());
    // A block of 4 x 4 pixels takes 8 bytes at least: what is not in the file is not made room for.
    let blocks = u64::from(width.div_ceil(4)) * u64::from(height.div_ceil(4));
    if width.max(height) > MAX_IMAGE_EDGE || blocks * 8 > bytes.len() as u64 {
        return Err(too_few_bytes(width, height, bytes.len() as u64));
    }
    let levels = (0..dds.get_num_mipmap_levels()).take_while(|level| width.max(height) >> level.min(&31) >= edge);
    let level = levels.last().unwrap_or(0);
    let [width, height] = [width, height].map(|edge| (edge >> level.min(31)).max(1));
    if u64::from(width) * u64::from(height) * 4 > most {
        return Err(format!("{width} x {height} pixels are too many").into());
    }
    let picture = image_dds::image_from_dds(&dds, level)?;
    if (picture.width(), picture.height()) != (width, height) {
        return Err("holds several pictures: a cube or an array".into());
    }
    Ok(picture)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A PNG of gray pixels, with so many bytes of data.
    pub(in crate::convert) fn png(width: u32, height: u32, data: u32) -> Vec<u8> {
        let chunk = |kind: &[u8], body: Vec<u8>| {
            let length = u32::try_from(body.len()).unwrap().to_be_bytes();
            [length.as_slice(), kind, &body, &[0; 4]].concat()
        };
        let header = [width.to_be_bytes().as_slice(), &height.to_be_bytes(), &[8, 0, 0, 0, 0]].concat();
        let data = chunk(b"IDAT", vec![0; data as usize]);
        [b"\x89PNG\r\n\x1a\n".to_vec(), chunk(b"IHDR", header), data, chunk(b"IEND", Vec::new())].concat()
    }

    /// The start of a JPEG, with so many bytes behind the size.
    fn jpeg(width: u16, height: u16, data: usize) -> Vec<u8> {
        let frame = [&[0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8], &height.to_be_bytes()[..], &width.to_be_bytes()].concat();
        [frame, vec![0; data - 2], vec![0xFF, 0xD9]].concat()
    }

    /// RFC 1951: a code of at least two bits repeats 258 bytes. ITU-T T.81: a block of 64 pixels has a code of at least one bit.
    #[test]
    fn an_image_that_is_embedded_states_no_more_pixels_than_its_bytes_can_hold() {
        let fault = |bytes: Vec<u8>| image("a".to_owned(), "png", bytes).map(drop).map_err(|error| error.to_string());
        assert_eq!(fault(png(4 * 258, 100, 100)), Ok(()));
        assert_eq!(fault(png(4 * 258, 101, 100)), Err("1032 x 101 pixels do not fit into 157 bytes".to_owned()));
        let huge = 2_147_483_647;
        assert_eq!(fault(png(huge, huge, 12)), Err(format!("{huge} x {huge} pixels do not fit into 69 bytes")));
        assert_eq!(fault(jpeg(512, 1000 + 5, 1000)), Ok(()));
        assert_eq!(fault(jpeg(512, 1000 + 6, 1000)), Err("512 x 1006 pixels do not fit into 1011 bytes".to_owned()));
        assert_eq!(
            fault(jpeg(65_535, 65_535, 1000)),
            Err("65535 x 65535 pixels do not fit into 1011 bytes".to_owned())
        );
    }

    #[test]
    fn an_image_with_a_header_that_no_reader_takes_is_not_embedded() {
        let is_fault = |bytes: Vec<u8>| image("a".to_owned(), "png", bytes).is_err();
        for (at, value) in [(24, 3), (25, 5), (26, 1), (27, 1), (28, 2), (12, b'J'), (19, 0), (23, 0)] {
            let mut bytes = png(1, 1, 10);
            assert!(!is_fault(bytes.clone()));
            bytes[at] = value;
            assert!(is_fault(bytes), "{at}");
        }
        let whole = png(1, 1, 10);
        assert!((8..whole.len() - 4).all(|length| is_fault(whole[..length].to_vec())));
        assert!(is_fault(jpeg(0, 1, 10)) && is_fault(jpeg(1, 0, 10)));
        // PNG, 5.6: the header is the first chunk.
        let mut late = whole;
        late.splice(8..8, *b"\0\0\0\0tEXt....");
        assert!(is_fault(late));
    }

    /// PNG, 11.2.1: the depths of each kind of colours, and its channels.
    #[test]
    fn a_pixel_of_a_png_has_the_bits_of_its_channels() {
        let kinds: [(u8, u64, &[u8]); 5] =
            [(0, 1, &[1, 2, 4, 8, 16]), (2, 3, &[8, 16]), (3, 1, &[1, 2, 4, 8]), (4, 2, &[8, 16]), (6, 4, &[8, 16])];
        for (kind, depth) in (0..8).flat_map(|kind| (0..=32).map(move |depth| (kind, depth))) {
            let known = kinds.iter().find(|(own, _, depths)| *own == kind && depths.contains(&depth));
            let expected = known.map(|(_, channels, _)| (3, 2, channels * u64::from(depth)));
            let found = header_of_png(&[0, 0, 0, 3, 0, 0, 0, 2, depth, kind, 0, 0, 0]);
            assert_eq!(found, expected, "kind {kind}, depth {depth}");
        }
    }
}

#[cfg(all(test, feature = "textures"))]
pub(super) mod textures {
    use super::*;

    /// A TGA of pixels that are red, green and blue by 1, 2 and 3, in three bytes each.
    pub(in crate::convert) fn tga(width: u8, height: u8) -> Vec<u8> {
        let header = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, width, 0, height, 0, 24, 0];
        [&header[..], &[3, 2, 1].repeat(usize::from(width) * usize::from(height))].concat()
    }

    /// A DDS in DXT1: blocks of 4 x 4 pixels, in 8 bytes each. `levels`: the colour of each size, as RGB565.
    fn dds(width: u32, height: u32, levels: &[u16]) -> Vec<u8> {
        let mut header = [0_u32; 32];
        let count = u32::try_from(levels.len()).unwrap();
        let [magic, dxt1] = [*b"DDS ", *b"DXT1"].map(u32::from_le_bytes);
        for (at, value) in [(0, magic), (1, 124), (2, 0xA1007), (3, height), (4, width), (7, count)] {
            header[at] = value;
        }
        for (at, value) in [(19, 32), (20, 4), (21, dxt1), (27, 0x0040_1008)] {
            header[at] = value;
        }
        let mut bytes: Vec<u8> = header.iter().flat_map(|word| word.to_le_bytes()).collect();
        for (level, color) in (0..).zip(levels) {
            let [columns, rows] = [width, height].map(|edge| to_usize((edge >> level).div_ceil(4).max(1).into()));
            let [low, high] = color.to_le_bytes();
            bytes.extend([low, high, low, high, 0, 0, 0, 0].repeat(columns * rows));
        }
        bytes
    }

    #[test]
    fn of_a_dds_the_smallest_size_that_is_large_enough_is_decoded() {
        // Red, green, blue, white.
        let sizes = dds(8, 8, &[0xF800, 0x07E0, 0x001F, 0xFFFF]);
        let decode = |edge, most| {
            let picture = from_dds(&sizes, edge, most).map_err(|error| error.to_string())?;
            Ok::<_, String>((picture.dimensions(), picture.get_pixel(0, 0).0))
        };
        for edge in [5, 8, 9, u32::MAX] {
            assert_eq!(decode(edge, 256), Ok(((8, 8), [255, 0, 0, 255])), "{edge}");
        }
        for edge in [3, 4] {
            assert_eq!(decode(edge, 64), Ok(((4, 4), [0, 255, 0, 255])), "{edge}");
        }
        assert_eq!(decode(1, 4), Ok(((1, 1), [255; 4])));
        assert_eq!(decode(4, 63), Err("4 x 4 pixels are too many".to_owned()));
        assert_eq!(decode(8, 255), Err("8 x 8 pixels are too many".to_owned()));
    }

    #[test]
    fn a_dds_has_its_blocks_and_edges_of_16384_pixels_at_most() {
        let decode = |bytes: &[u8]| {
            let picture = from_dds(bytes, u32::MAX, 1 << 20).map_err(|error| error.to_string())?;
            Ok::<_, String>(picture.dimensions())
        };
        assert_eq!(decode(&dds(16_384, 4, &[0])), Ok((16_384, 4)));
        let bytes = 128 + 8 * (16_388 / 4);
        assert_eq!(decode(&dds(16_388, 4, &[0])), Err(format!("16388 x 4 pixels do not fit into {bytes} bytes")));
        // One block of 6 x 6.
        let cut = &dds(24, 24, &[0])[..128 + 8];
        assert_eq!(decode(cut), Err("24 x 24 pixels do not fit into 136 bytes".to_owned()));
    }

    #[test]
    fn an_image_is_decoded_if_its_pixels_have_no_more_bytes_than_are_asked_for() {
        let fault = |bytes: &[u8], most| decoded("tga", bytes, 0, most).map(drop).map_err(|error| error.to_string());
        assert_eq!(fault(&tga(3, 2), 3 * 2 * 3), Ok(()));
        assert_eq!(fault(&tga(3, 2), 3 * 2 * 3 - 1), Err("3 x 2 pixels do not fit into 36 bytes".to_owned()));
        // 128 pixels for each of 1080 bytes.
        assert_eq!(fault(&bmp(128, 1080, &[0, 1]), MAX_DECODED), Ok(()));
        let error = "128 x 1081 pixels do not fit into 1080 bytes".to_owned();
        assert_eq!(fault(&bmp(128, 1081, &[0, 1]), MAX_DECODED), Err(error));
    }

    #[test]
    fn the_extension_alone_tells_a_tga() {
        let (png, pixels) = image("a".to_owned(), "tga", tga(3, 2)).unwrap();
        assert_eq!((pixels, &png.bytes[16..24]), (6, &[0, 0, 0, 3, 0, 0, 0, 2][..]));
        let error = image("a".to_owned(), "png", tga(3, 2)).unwrap_err();
        assert_eq!(error.to_string(), "is neither PNG, JPEG, DDS, TGA nor BMP");
    }

    #[test]
    fn a_texture_of_a_picture_has_no_longer_edges_than_the_picture() {
        let of_size = |width: usize, height: usize| Texture::new(width, height, &[1, 2, 3, 255].repeat(width * height));
        let made = |bytes: &[u8], edge| texture("tga", bytes, edge).map(|(texture, pixels)| (Some(texture), pixels));
        for (edge, (width, height)) in [(2, (2, 1)), (4, (4, 2)), (7, (7, 4)), (8, (8, 4)), (16, (8, 4))] {
            assert_eq!(made(&tga(8, 4), edge).unwrap(), (of_size(width, height), 32), "{edge}");
        }
        let (png, _) = image("a".to_owned(), "tga", tga(3, 2)).unwrap();
        assert_eq!(made(&png.bytes, 16).unwrap(), (of_size(3, 2), 6), "what the first bytes tell counts");
    }

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
        assert_eq!(whole.0.bytes[16..24], [0, 0, 0, 255, 0, 0, 0, 1], "the size in the PNG");
        for (width, height) in [(16_000, 11_000), (1000, 1000)] {
            let error = image("a".to_owned(), "bmp", bmp(width, height, &[0, 1])).unwrap_err();
            assert_eq!(error.to_string(), format!("{width} x {height} pixels do not fit into 1080 bytes"));
        }
        // The header of a TGA whose pixels, in runs, all have one colour.
        let mut tga = vec![0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 4, 32, 0];
        tga.extend([255, 1, 2, 3, 4].repeat(1024 * 1024 / 128));
        let picture = image("a".to_owned(), "tga", tga.clone()).unwrap();
        assert_eq!(picture.0.bytes[16..24], [0, 0, 4, 0, 0, 0, 4, 0]);
        tga.truncate(18 + 5 * 1000);
        assert!(image("a".to_owned(), "tga", tga).is_err());
    }
}
