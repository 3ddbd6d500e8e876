//! What the first bytes and the name of a file say of each other: files of other programs, and wrong extensions.

use alloc::format;

use crate::family::Format;
use crate::report::{Finding, Place, Report, Section, codes};

/// Files of other programs that stand beside models, by their first bytes.
const FOREIGN: [(&[u8], &str); 13] = [
    (b"\x89PNG\r\n", "an image (PNG)"),
    (b"\xFF\xD8\xFF", "an image (JPEG)"),
    (b"DDS ", "an image (DDS)"),
    (b"BM", "an image (BMP)"),
    (b"glTF", "a glTF binary (.glb), which skelmap writes and does not read"),
    (b"Kaydara FBX Binary", "an FBX file: export it as PSK or PSA"),
    (b"BLENDER", "a Blender file: export it as PSK or PSA"),
    (b"<?xml", "XML text, such as a COLLADA source (.dae): the engine's converter makes models of it"),
    (b"\xC1\x83\x2A\x9E", "an Unreal package: export its meshes and animations as PSK and PSA"),
    (b"7z\xBC\xAF\x27\x1C", "an archive (7z): unpack it"),
    (b"Rar!", "an archive (RAR): unpack it"),
    (b"\x1F\x8B", "compressed (gzip): unpack it"),
    (b"%PDF", "a PDF document"),
];

/// What a file of another program is, with its article.
pub(crate) fn title(bytes: &[u8]) -> Option<&'static str> {
    FOREIGN.iter().find(|(first, _)| bytes.starts_with(first)).map(|(_, what)| *what)
}

impl Format {
    /// A finding if a file of this format has the extension of another format and not one of its own. Other extensions say nothing. O(1).
    ///
    /// ```
    /// use skelmap::Format;
    ///
    /// let finding = Format::ActorxPsa.check_extension("art/walk.psk").ok_or("a good name")?;
    /// assert_eq!(finding.code.name(), "extension");
    /// assert_eq!(Format::PyrogenesisPsa.check_extension("art/walk.PSA"), None);
    /// # Ok::<(), &str>(())
    /// ```
    pub fn check_extension(self, path: &str) -> Option<Finding> {
        let (_, extension) = path.rsplit_once('.')?;
        let is_of = |format: &Self| format.extensions().iter().any(|own| own.eq_ignore_ascii_case(extension));
        let other = Self::ALL.iter().find(|format| is_of(format)).filter(|_| !is_of(&self))?;
        let mut report = Report::new(1);
        let message = format!("the file is {}, and its extension is that of {}", self.info().title, other.info().title);
        report.add_whole(codes::EXTENSION, Place { section: Section::FILE, offset: 0 }, message);
        report.into_findings().pop()
    }
}
