//! Whether the extension of a file is that of its format.

use alloc::format;

use crate::family::Format;
use crate::report::{Finding, Place, Report, Section, codes};

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
