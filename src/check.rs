//! The check of an asset of any family, and of the name of its file.

use alloc::{format, vec::Vec};

use crate::family::{Asset, Format};
use crate::model::{MovedBones, still_tracks};
use crate::report::{Finding, Report, Section, SectionStart, codes};

impl Asset<'_> {
    /// Reads all data and reports faults. O(file). Oddities of the layout are [`quirks`](Asset::quirks).
    pub fn check(&self) -> Vec<Finding> {
        self.check_each(1)
    }

    /// Reports bones of a mesh that move points although no animation of the mesh moves these bones or their ancestors. An
    /// animation belongs to the mesh if the mesh has at least half of its bones (by name), or as many bones (without names).
    /// Nothing is reported if no such animation moves anything, or for other assets. The finding has the index of the first
    /// bone and counts all. O(influences + bones * skeletons).
    pub fn check_still(&self, moved: &MovedBones) -> Vec<Finding> {
        let mut report = Report::new(1);
        if let Some(mesh) = self.mesh() {
            moved.check(self.format().skeletons(), &mesh, &mut report);
        }
        report.into_findings()
    }
}

impl MovedBones {
    /// Adds the bones that an animation moves. Other assets, and animations without a sequence of several frames, add nothing.
    /// O(keys); much less if bones move from the start.
    pub fn add(&mut self, animation: &Asset<'_>) {
        if let (Some(skeleton), Some(still)) = (animation.skeleton(), still_tracks(animation.clips())) {
            self.add_tracks(animation.format().skeletons(), &skeleton, &still);
        }
    }
}

impl Format {
    /// A finding if a file of this format has an extension of another format only. Unknown extensions are accepted. O(1).
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
        report.add_whole(codes::EXTENSION, SectionStart { section: Section::FILE, offset: 0 }, message);
        report.into_findings().pop()
    }
}
