//! A strip of a sheet: some rows of pixels, with pictures and letters in it.

use std::convert::Infallible;

use embedded_graphics::Drawable;
use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{OriginDimensions, Point, Size};
use embedded_graphics::mono_font::iso_8859_1::FONT_6X12;
use embedded_graphics::mono_font::{MonoFont, MonoTextStyle};
use embedded_graphics::pixelcolor::{Rgb888, RgbColor};
use embedded_graphics::text::{Baseline, Text};
use skelmap_preview::Picture;

const FONT: &MonoFont<'_> = &FONT_6X12;

/// The width of a letter and the height of a line, in pixels.
pub(super) const LETTER: u32 = 6;
pub(super) const LINE: u32 = 14;

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
        // The font has the letters of Western Europe.
        let text: String = text.chars().map(|letter| if letter == '…' { '~' } else { letter }).collect();
        let [red, green, blue] = color;
        let style = MonoTextStyle::new(FONT, Rgb888::new(red, green, blue));
        let place = Point::new(i32::try_from(left).unwrap_or(0), i32::try_from(top).unwrap_or(0));
        let Ok(_) = Text::with_baseline(&text, place, style, Baseline::Top).draw(self);
    }
}

impl OriginDimensions for Strip {
    fn size(&self) -> Size {
        Size::new(self.width, self.height)
    }
}

impl DrawTarget for Strip {
    type Color = Rgb888;
    type Error = Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<Rgb888>>>(&mut self, pixels: I) -> Result<(), Infallible> {
        for Pixel(Point { x, y }, color) in pixels {
            let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y)) else { continue };
            if let Some(pixel) = self.at(x, y) {
                pixel.copy_from_slice(&[color.r(), color.g(), color.b()]);
            }
        }
        Ok(())
    }
}
