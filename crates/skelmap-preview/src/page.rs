//! The HTML of a page: one self-contained file.

use std::io::{self, Write};

use base64::engine::general_purpose::STANDARD;
use base64::write::EncoderStringWriter;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::content::Page;
use crate::info::Info;
use crate::markup::escaped;
use skelmap_export::{Document, ExportReport, WriteError};

const STYLE: &str = include_str!("viewer/viewer.css");
/// The parts of the script, each a file, in order of dependency.
const SCRIPT: &str = concat!(
    include_str!("viewer/maths.js"),
    include_str!("viewer/model.js"),
    include_str!("viewer/pose.js"),
    include_str!("viewer/shaders.js"),
    include_str!("viewer/camera.js"),
    include_str!("viewer/overlay.js"),
    include_str!("viewer/labels.js"),
    include_str!("viewer/draw.js"),
    include_str!("viewer/panel.js"),
    include_str!("viewer/main.js"),
);

/// The content security policy: the only script and style sheet are those with these hashes. A test computes them.
const POLICY: &str = concat!(
    "default-src 'none'; ",
    "script-src 'sha256-epfby7RsMJ/E+yFx9KyyKmsIUA6B/8+KQahyj0z16o0='; ",
    "style-src 'sha256-09U2KndoEx5dOddP2kpgjd6EaLR/rRHe7fftp0sNa98='; ",
    "img-src data: blob:"
);

/// The maximum size of the document relative to the page: repeated keys compress to nearly nothing, but a browser unpacks them.
const MAX_UNPACKED: usize = 8;

/// Why a page could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PageError {
    /// The document cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The page would exceed the limit.
    #[error(
        "the page would have more than {most} bytes, or its model more than eight times as many; choose fewer animations, or raise the limit"
    )]
    TooLarge {
        /// The maximum number of bytes.
        most: usize,
    },
}

impl Page<'_> {
    /// Returns the page, and the losses of its document. The page makes no requests; its content security policy blocks scripts
    /// injected through names.
    ///
    /// The page contains the document as a compressed GLB. O(file); memory for the page.
    ///
    /// # Errors
    /// [`PageError::TooLarge`] as soon as the page exceeds [`max_bytes`](Page::max_bytes), and those of
    /// [`Document::write_glb`].
    pub fn to_html(&self) -> Result<(String, ExportReport), PageError> {
        let (model, report) = self.document.map(|document| self.packed(document)).transpose()?.unwrap_or_default();
        let html = format!(
            include_str!("viewer/page.html"),
            csp = POLICY,
            title = escaped(&self.title),
            style = STYLE,
            script = without_comments(SCRIPT),
            info = escaped_json(&Info::of(self)),
            model = model,
        );
        if html.len() > self.max_bytes {
            return Err(PageError::TooLarge { most: self.max_bytes });
        }
        Ok((html, report))
    }

    /// The document as a compressed GLB in base64.
    fn packed(&self, document: &Document<'_>) -> Result<(String, ExportReport), PageError> {
        let letters = EncoderStringWriter::new(&STANDARD);
        let packer = GzEncoder::new(Limited::new(letters, self.max_bytes), Compression::new(4));
        let mut limited = Limited::new(packer, self.max_bytes.saturating_mul(MAX_UNPACKED));
        // The script knows one skin, and floats.
        let mut options = self.options.clone();
        options.max_joints = None;
        options.compact = false;
        let written = document.write_glb(&options, &mut limited);
        let is_full = limited.is_full || limited.inner.get_ref().is_full;
        let too_large = || PageError::TooLarge { most: self.max_bytes };
        if is_full {
            return Err(too_large());
        }
        let report = written?;
        let done = limited.inner.finish().map_err(|_| too_large())?;
        Ok((done.inner.into_inner(), report))
    }
}

/// A writer with a limit of bytes.
struct Limited<W> {
    inner: W,
    left: usize,
    is_full: bool,
}

impl<W> Limited<W> {
    const fn new(inner: W, left: usize) -> Self {
        Self { inner, left, is_full: false }
    }
}

impl<W: Write> Write for Limited<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(left) = self.left.checked_sub(bytes.len()) else {
            self.is_full = true;
            return Err(io::Error::other("the page is full"));
        };
        self.left = left;
        self.inner.write_all(bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// A script without comment lines and indentation, which a page does not need.
fn without_comments(script: &str) -> String {
    let (mut lines, mut is_comment) = (String::new(), false);
    for line in script.lines().map(str::trim) {
        let begins = line.starts_with("/**") && !line.contains("*/ ");
        is_comment |= begins;
        if !is_comment && !line.is_empty() && !line.starts_with("//") {
            lines.push_str(line);
            lines.push('\n');
        }
        is_comment &= !line.ends_with("*/");
    }
    lines
}

/// JSON that cannot end a script element: special characters of HTML are escaped.
fn escaped_json(info: &Info) -> String {
    let json = serde_json::to_string(info).unwrap_or_default();
    let mut escaped = String::with_capacity(json.len());
    for letter in json.chars() {
        match letter {
            '<' => escaped.push_str("\\u003c"),
            '>' => escaped.push_str("\\u003e"),
            '&' => escaped.push_str("\\u0026"),
            '\u{2028}' => escaped.push_str("\\u2028"),
            '\u{2029}' => escaped.push_str("\\u2029"),
            letter => escaped.push(letter),
        }
    }
    escaped
}
