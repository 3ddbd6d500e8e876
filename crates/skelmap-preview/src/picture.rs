//! A picture: pixels with red, green, blue and alpha.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// A picture with a transparent background.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    width: u32,
    height: u32,
    rgba: Vec<u8>,
    is_partial: bool,
}

impl Picture {
    pub(crate) const fn new(width: u32, height: u32, rgba: Vec<u8>, is_partial: bool) -> Self {
        Self { width, height, rgba, is_partial }
    }

    /// Number of pixels in a row.
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Number of rows.
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// The pixels, row by row from the top: red, green, blue and alpha, a byte each; alpha is not premultiplied.
    pub fn rgba(&self) -> &[u8] {
        &self.rgba
    }

    /// Whether triangles were left out because the picture was already covered some hundred times, as by a hostile file.
    pub const fn is_partial(&self) -> bool {
        self.is_partial
    }

    /// The picture as a PNG file. O(pixels).
    pub fn to_png(&self) -> Vec<u8> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.width, self.height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fast);
        // Later runs know by it what they may replace. The text is right: no error.
        let _ = encoder.add_text_chunk("Software".to_owned(), "skelmap".to_owned());
        // Writing to memory only fails if the number of pixels is wrong.
        let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(&self.rgba));
        written.map(|()| file).unwrap_or_default()
    }

    /// The picture as a data URL: `data:image/png;base64,` and so on. O(pixels).
    ///
    /// ```
    /// use skelmap::Asset;
    /// use skelmap_preview::{Camera, Figure, Renderer};
    ///
    /// let bytes = std::fs::read("../../corpus/fox.psk")?;
    /// let figure = Figure::of_mesh(&Asset::parse(&bytes)?.mesh().ok_or("no mesh")?)?;
    /// let picture = Renderer::new(64, 64).draw(&figure, &Camera::around(&figure));
    /// assert!(picture.to_data_url().starts_with("data:image/png;base64,iVBORw0KGgo"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_data_url(&self) -> String {
        format!("data:image/png;base64,{}", STANDARD.encode(self.to_png()))
    }
}
