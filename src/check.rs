//! The check of an asset of any family, and of the name of its file.

use alloc::{format, vec::Vec};

use crate::family::{Asset, Format};
use crate::model::{MovedBones, still_tracks};
use crate::report::{Finding, Place, Report, Section, codes};

impl Asset<'_> {
    /// Reads all data and reports faults. O(file). Oddities of the layout are [`quirks`](Asset::quirks).
    pub fn check(&self) -> Vec<Finding> {
        self.check_each(1)
    }

    /// Reads all data and reports every faulty record: a finding for each, in the order of the records.
    ///
    /// At most `most` findings for each code and section (0 means 1). The last of them [counts](Finding::count) the remaining
    /// records, so the counts add up to the number of faulty records. With 1, this is [`check`](Asset::check). O(file) in time,
    /// O(findings) in memory.
    ///
    /// ```
    /// use skelmap::Asset;
    ///
    /// // All four bones have the rotation 0, 0, 0, 0.
    /// let bytes = std::fs::read("tests/corpus/actorx/anim/zero_pose.psa")?;
    /// let records = |most| {
    ///     let findings = Asset::parse(&bytes)?.check_each(most);
    ///     Ok::<Vec<_>, skelmap::Error>(findings.iter().map(|finding| (finding.index, finding.count)).collect())
    /// };
    /// assert_eq!(records(100)?, [(Some(0), 1), (Some(1), 1), (Some(2), 1), (Some(3), 1)]);
    /// assert_eq!(records(2)?, [(Some(0), 1), (Some(1), 3)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check_each(&self, most: usize) -> Vec<Finding> {
        self.findings(most)
    }
}

impl Asset<'_> {
    /// Reports bones of a mesh that move points although no animation of the mesh moves these bones or their ancestors. An
    /// animation belongs to the mesh if the mesh has at least half of its bones (by name), or as many bones (without names).
    /// Nothing is reported if no such animation moves anything, or for other assets. The finding has the index of the first
    /// bone and counts all. O(influences + bones * skeletons).
    pub fn check_still(&self, moved: &MovedBones) -> Vec<Finding> {
        let mut report = Report::new(1);
        if let Some(mesh) = self.mesh() {
            moved.check(self.format().family(), &mesh, &mut report);
        }
        report.into_findings()
    }
}

impl MovedBones {
    /// Adds the bones that an animation moves. Other assets, and animations without a sequence of several frames, add nothing.
    /// O(keys); much less if bones move from the start.
    pub fn add(&mut self, animation: &Asset<'_>) {
        if let (Some(skeleton), Some(still)) = (animation.skeleton(), still_tracks(animation.clips())) {
            self.add_tracks(animation.format().family(), &skeleton, &still);
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
        report.add_whole(codes::EXTENSION, Place { section: Section::FILE, offset: 0 }, message);
        report.into_findings().pop()
    }
}
