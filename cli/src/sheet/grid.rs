//! The picture of a sheet: thumbnails in rows, written row by row.

use std::io::{self, Write};

use skelmap::Severity;
use skelmap_preview::Picture;

use super::thumb::{Look, Thumb};
use crate::output::Output;
use crate::text::{shortened, wrapped};

/// Pixels between thumbnails.
const GAP: u32 = 8;

/// The lines below each thumbnail.
const LINES: u32 = 3;

/// The colours of a sheet.
struct Theme {
    background: Color,
    text: Color,
    dim: Color,
    error: Color,
    warning: Color,
}

const LIGHT: Theme = Theme {
    background: [250, 250, 251],
    text: [28, 30, 34],
    dim: [104, 108, 116],
    error: [190, 24, 32],
    warning: [156, 92, 0],
};

const DARK: Theme = Theme {
    background: [24, 26, 30],
    text: [236, 237, 240],
    dim: [150, 154, 162],
    error: [255, 120, 116],
    warning: [240, 176, 72],
};

/// Where thumbnails lie.
pub(super) struct Grid {
    look: Look,
    columns: u32,
    rows: u32,
    theme: &'static Theme,
}

impl Grid {
    /// A grid for so many thumbnails, a little wider than high.
    pub(super) fn new(count: u32, look: Look, columns: Option<u32>, is_dark: bool) -> Self {
        let theme = if is_dark { &DARK } else { &LIGHT };
        let mut grid = Self { look, columns: 1, rows: count, theme };
        let is_wide = |columns: &u32| {
            let rows = count.div_ceil(*columns);
            u64::from(*columns) * u64::from(grid.cell_width()) * 3
                >= u64::from(rows) * u64::from(grid.cell_height()) * 4
        };
        grid.columns = columns.or_else(|| (1..=count).find(is_wide)).unwrap_or(count).clamp(1, count.max(1));
        grid.rows = count.div_ceil(grid.columns);
        grid
    }

    fn cell_width(&self) -> u32 {
        self.look.size * self.look.frames.unwrap_or(1) + GAP
    }

    fn cell_height(&self) -> u32 {
        self.look.size + LINES * LINE + GAP
    }

    pub(super) fn size(&self) -> (u32, u32) {
        (self.columns * self.cell_width() + GAP, self.rows * self.cell_height() + GAP)
    }

    /// Writes a PNG file with the thumbnails that a function adds.
    pub(super) fn write(
        self,
        mut out: Output,
        fill: impl FnOnce(&mut Sheet<'_, &mut Output>) -> io::Result<()>,
    ) -> io::Result<()> {
        let (width, height) = self.size();
        let mut encoder = png::Encoder::new(&mut out, width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fast);
        encoder.add_text_chunk("Software".to_owned(), "skelmap".to_owned())?;
        let mut writer = encoder.write_header()?;
        let mut pixels = writer.stream_writer()?;
        pixels.write_all(Strip::new(width, GAP, self.theme.background).rgb())?;
        let strip = Strip::new(width, self.cell_height(), self.theme.background);
        let mut sheet = Sheet { grid: self, column: 0, strip, pixels };
        fill(&mut sheet)?;
        sheet.finish()?;
        writer.finish()?;
        out.flush()
    }
}

/// A sheet that is being written. Memory is that of one row.
pub(super) struct Sheet<'w, W: Write> {
    grid: Grid,
    column: u32,
    strip: Strip,
    pixels: png::StreamWriter<'w, W>,
}

impl<W: Write> Sheet<'_, W> {
    pub(super) fn add(&mut self, thumb: &Thumb) -> io::Result<()> {
        let Grid { look, theme, .. } = self.grid;
        let (left, width) = (GAP + self.column * self.grid.cell_width(), self.grid.cell_width() - GAP);
        for (index, picture) in (0..).zip(&thumb.pictures) {
            self.strip.picture(picture, left + index * look.size, 0);
        }
        let mut top = look.size;
        self.strip.text(&thumb.name, left, top, width, theme.text);
        if thumb.pictures.is_empty() {
            if let Some((_, message)) = &thumb.faults {
                top = 0;
                let columns = (width / LETTER) as usize;
                for line in wrapped(message, columns).iter().take((look.size / LINE) as usize) {
                    self.strip.text(line, left, top, width, theme.error);
                    top += LINE;
                }
            }
        } else {
            self.strip.text(&thumb.counts, left, top + LINE, width, theme.dim);
            if let Some((severity, message)) = &thumb.faults {
                let color = if *severity == Severity::Error { theme.error } else { theme.warning };
                self.strip.text(message, left, top + 2 * LINE, width, color);
            }
        }
        self.column += 1;
        if self.column == self.grid.columns { self.end_row() } else { Ok(()) }
    }

    fn end_row(&mut self) -> io::Result<()> {
        self.pixels.write_all(self.strip.rgb())?;
        self.strip.clear();
        self.column = 0;
        Ok(())
    }

    fn finish(mut self) -> io::Result<()> {
        if self.column > 0 {
            self.end_row()?;
        }
        self.pixels.finish().map_err(io::Error::from)
    }
}

/// The font "Fixed" of X11, which is in the public domain: sixteen letters of Latin-1 in a row, a bit for each pixel.
const FONT: &[u8; 1728] = include_bytes!("font_6x12.raw");

/// The width of a letter and the height of a line, in pixels.
const LETTER: u32 = 6;
const LINE: u32 = 14;

/// The height of a letter, in pixels.
const HEIGHT: u32 = 12;

/// Red, green and blue.
type Color = [u8; 3];

/// Some rows of pixels, each red, green and blue.
struct Strip {
    width: u32,
    height: u32,
    background: Color,
    rgb: Vec<u8>,
}

impl Strip {
    fn new(width: u32, height: u32, background: Color) -> Self {
        let pixels = width as usize * height as usize;
        Self { width, height, background, rgb: background.repeat(pixels) }
    }

    fn rgb(&self) -> &[u8] {
        &self.rgb
    }

    /// Removes everything.
    fn clear(&mut self) {
        let background = self.background;
        self.rgb.chunks_exact_mut(3).for_each(|pixel| pixel.copy_from_slice(&background));
    }

    fn at(&mut self, x: u32, y: u32) -> Option<&mut [u8]> {
        let start = (y as usize * self.width as usize + x as usize) * 3;
        (x < self.width && y < self.height).then(|| self.rgb.get_mut(start..start + 3)).flatten()
    }

    /// Lays a picture onto the strip.
    fn picture(&mut self, picture: &Picture, left: u32, top: u32) {
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
    fn text(&mut self, text: &str, left: u32, top: u32, width: u32, color: Color) {
        let text = shortened(text, (width / LETTER) as usize);
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
