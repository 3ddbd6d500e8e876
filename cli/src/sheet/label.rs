//! A strip of a sheet: some rows of pixels, with pictures and letters in it.

use skelmap_preview::Picture;

/// The font "Fixed" of X11, which is in the public domain: sixteen letters of Latin-1 in a row, a bit for each pixel.
const FONT: &[u8; 1728] = include_bytes!("font_6x12.raw");

/// The width of a letter and the height of a line, in pixels.
pub(super) const LETTER: u32 = 6;
pub(super) const LINE: u32 = 14;

/// The height of a letter, in pixels.
const HEIGHT: u32 = 12;

/// Red, green and blue.
pub(super) type Color = [u8; 3];

/// Some rows of pixels, each red, green and blue.
pub(super) struct Strip {
    width: u32,
    height: u32,
    background: Color,
    rgb: Vec<u8>,
}

impl Strip {
    pub(super) fn new(width: u32, height: u32, background: Color) -> Self {
        let pixels = width as usize * height as usize;
        Self { width, height, background, rgb: background.repeat(pixels) }
    }

    pub(super) fn rgb(&self) -> &[u8] {
        &self.rgb
    }

    /// Removes everything.
    pub(super) fn clear(&mut self) {
        let background = self.background;
        self.rgb.chunks_exact_mut(3).for_each(|pixel| pixel.copy_from_slice(&background));
    }

    fn at(&mut self, x: u32, y: u32) -> Option<&mut [u8]> {
        let start = (y as usize * self.width as usize + x as usize) * 3;
        (x < self.width && y < self.height).then(|| self.rgb.get_mut(start..start + 3)).flatten()
    }

    /// Lays a picture onto the strip.
    pub(super) fn picture(&mut self, picture: &Picture, left: u32, top: u32) {
        let mut pixels = picture.rgba().chunks_exact(4);
        for y in 0..picture.height() {
            for x in 0..picture.width() {
                let Some(&[red, green, blue, alpha]) = pixels.next() else { return };
                let Some(below) = self.at(left + x, top + y).filter(|_| alpha > 0) else { continue };
                for (below, above) in below.iter_mut().zip([red, green, blue]) {
                    let mixed = u16::from(above) * u16::from(alpha) + u16::from(*below) * (255 - u16::from(alpha));
                    *below = u8::try_from(mixed / 255).unwrap_or(u8::MAX);
                }
            }
        }
    }

    /// Writes a line of at most so many pixels.
    pub(super) fn text(&mut self, text: &str, left: u32, top: u32, width: u32, color: Color) {
        let text = crate::text::shortened(text, (width / LETTER) as usize);
        for (letter, left) in text.chars().zip((left..).step_by(LETTER as usize)) {
            for (x, y) in (0..HEIGHT).flat_map(|y| (0..LETTER).map(move |x| (x, y))) {
                if let Some(pixel) = self.at(left + x, top + y).filter(|_| is_inked(letter, x, y)) {
                    pixel.copy_from_slice(&color);
                }
            }
        }
    }
}

/// Whether a letter has a pixel. The font has the letters of Western Europe; others are a question mark.
fn is_inked(letter: char, x: u32, y: u32) -> bool {
    let index = match u32::from(letter) {
        code @ 0x20..=0x7F => code - 0x20,
        code @ 0xA0..=0xFF => code - 0x40,
        _ if letter == '…' => u32::from('~') - 0x20,
        _ => u32::from('?') - 0x20,
    };
    let bit = (index / 16 * HEIGHT + y) * 16 * LETTER + index % 16 * LETTER + x;
    FONT.get((bit / 8) as usize).is_some_and(|byte| byte >> (7 - bit % 8) & 1 == 1)
}
