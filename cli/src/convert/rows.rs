//! The report on a run: a row for each output, and the last line.

use std::path::Path;

use skelmap::catalog::SCHEMA;
use skelmap_export::ExportReport as Loss;

use super::converter::{Converted, Done, FROM};
use super::jobs::Unread;
use crate::files::NO_ASSET;
use crate::messages::summarize;
use crate::outcome::Outcome;
use crate::output::complain;
use crate::report::{Cell, ERROR, Field, Look, PATH, field, integer, text};
use crate::row::path_and_entry;
use crate::save::EXISTS;
use crate::text::counted;

impl Converted {
    fn loss(&self) -> Option<&Loss> {
        match &self.done {
            Ok(Done::Written { report, .. }) => Some(report),
            _ => None,
        }
    }

    /// The file that was written, or that was there.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.output.as_deref()
    }

    const fn status(&self) -> &'static str {
        match &self.done {
            Ok(Done::Kept) => "kept",
            Ok(Done::Skipped) => "skipped",
            Ok(Done::Written { .. }) => "written",
            Err(_) => "failed",
        }
    }

    fn bytes(&self) -> Option<u64> {
        match &self.done {
            Ok(Done::Written { bytes, .. }) => *bytes,
            _ => None,
        }
    }

    fn textures(&self) -> Option<usize> {
        match &self.done {
            Ok(Done::Written { textures, .. }) => Some(*textures),
            _ => None,
        }
    }

    /// What became of an output that was not written.
    fn unwritten(&self) -> Option<&'static str> {
        matches!(self.done, Ok(Done::Kept | Done::Skipped)).then(|| self.status())
    }

    /// What people should know: what was left out and found.
    fn remarks(&self) -> Vec<String> {
        let mut remarks: Vec<String> = self.notes.iter().filter(|note| !note.starts_with(FROM)).cloned().collect();
        let Some(loss) = self.loss() else { return remarks };
        let mut add = |count: usize, noun: &str, remark: &str| {
            if count > 0 {
                remarks.push(format!("{} {remark}", counted(count as u64, noun)));
            }
        };
        add(loss.additive_clips, "additive sequence", "left out, or played as --additive says");
        add(loss.clips_without_frames, "sequence", "without frames");
        add(loss.clips_without_rate, "sequence", "without a rate: 30 frames per second");
        add(loss.clips_beyond_limits, "sequence", "beyond the limits");
        add(loss.dropped_morphs, "morph target", "beyond the limits");
        add(loss.unmatched_tracks, "track", "without a bone");
        add(loss.unmoved_bones, "bone", "without a track");
        add(loss.dropped_triangles, "triangle", "left out");
        add(usize::try_from(loss.dropped_influences).unwrap_or(usize::MAX), "influence", "without effect");
        add(loss.misplaced_bones, "bone", "without a place");
        add(loss.misplaced_attachments, "attachment", "without a place");
        add(loss.cut_bones, "bone", "in a circle of parents");
        remarks
    }
}

/// A column for a number of the report.
macro_rules! losses {
    ($($name:ident),+ $(,)?) => {
        [$(field(integer(stringify!($name)).data(), |row: &Converted| row.loss().map(|loss| loss.$name).into())),+]
    };
}

pub(crate) fn fields() -> Vec<Field<Converted>> {
    let mut fields = vec![
        field(integer("schema").json(), |_| SCHEMA.into()),
        field(text("path").data(), |row: &Converted| path_and_entry(&row.address).0.into()),
        field(text("entry").data(), |row| path_and_entry(&row.address).1.into()),
        field(text("status").data(), |row| row.status().into()),
        field(text("status").table(), |row| row.unwritten().into()),
        field(integer("bytes").titled("size").look(Look::Size), |row| row.bytes().into()),
        field(integer("bones").minor(2), |row| row.loss().map(|loss| loss.bones).into()),
        field(integer("triangles"), |row| row.loss().map(|loss| loss.triangles).into()),
        field(integer("animations").minor(1), |row| row.loss().map(|loss| loss.animations).into()),
        field(integer("textures").minor(3), |row| row.textures().into()),
    ];
    fields.extend(losses![
        dropped_triangles,
        unused_vertices,
        computed_normals,
        weaker_influences,
        dropped_influences,
        unweighted_points,
        clips_without_frames,
        clips_without_rate,
        clips_beyond_limits,
        dropped_morphs,
        additive_clips,
        unmatched_tracks,
        unmoved_bones,
        misplaced_bones,
        misplaced_attachments,
        cut_bones,
    ]);
    fields.push(field(text("output").data(), |row| row.output.as_ref().map(|path| path.display().to_string()).into()));
    fields.push(field(text("notes").json(), |row| Cell::list(|| row.notes.iter())));
    fields.push(field(text("notes").flat(), |row| row.notes.join("; ").into()));
    fields.push(field(text("error").data(), |row| row.done.as_ref().err().into()));
    fields.push(field(ERROR, |row| row.done.as_ref().err().into()));
    fields.push(field(text("notes").look(Look::Notes).table(), |row| row.remarks().join("; ").into()));
    fields.push(field(PATH.titled("output"), |row| match &row.output {
        Some(path) => Cell::display(path.display()),
        None => Cell::display(&row.address),
    }));
    fields
}

/// The numbers of files, for the last line and the exit status.
#[derive(Default)]
pub(super) struct Tally {
    written: u64,
    kept: u64,
    failed: u64,
    unreadable: u64,
    is_unwritable: bool,
    /// The outputs that were there and must not be replaced.
    existing: u64,
    /// Whether people see the rows, which have the errors.
    is_seen: bool,
}

/// The most outputs that exist and are named.
const MAX_EXISTING: u64 = 3;

impl Tally {
    /// `is_seen`: people see the rows, which have the errors.
    pub(super) fn new(is_seen: bool) -> Self {
        Self { is_seen, ..Self::default() }
    }

    /// Remembers that an output could not be written.
    pub(super) const fn refuse(&mut self) {
        self.is_unwritable = true;
    }

    /// Counts something that the arguments ask for and that is not there.
    pub(super) const fn fail(&mut self) {
        self.failed += 1;
    }

    pub(super) fn count_unread(&mut self, unread: &Unread) {
        complain(format!("{}: {}", unread.address, unread.message));
        self.failed += 1;
        self.unreadable += u64::from(unread.is_unreadable);
    }

    /// `is_silent`: there is no report.
    pub(super) fn count(&mut self, row: &Converted, is_silent: bool) {
        match &row.done {
            Ok(Done::Written { .. }) => self.written += 1,
            Ok(Done::Kept | Done::Skipped) => self.kept += 1,
            Err(message) => {
                self.failed += 1;
                self.existing += u64::from(message.ends_with(EXISTS));
                let is_told = self.is_seen || (self.existing > MAX_EXISTING && message.ends_with(EXISTS));
                if !is_told {
                    complain(format!("{}: {message}", row.address));
                }
            }
        }
        if is_silent && row.done.is_ok() {
            row.remarks().iter().for_each(|remark| complain(format!("{}: {remark}", row.address)));
        }
    }

    /// `unused`: animations that fit no mesh. `is_asked`: the arguments name them.
    pub(super) fn outcome(&self, unused: usize, is_asked: bool) -> Outcome {
        let Self { written, kept, failed, unreadable, is_unwritable, existing, .. } = *self;
        let kept_text = if kept > 0 { format!(", {kept} kept or skipped") } else { String::new() };
        summarize(format!("{} written{kept_text}, {failed} failed", counted(written, "file")));
        if existing > 0 {
            let outputs = counted(existing, "output");
            complain(format!(
                "{outputs} there already: --resume keeps what is made of the same files, --force replaces all"
            ));
        }
        if unused > 0 {
            let verb = if unused == 1 { "fits" } else { "fit" };
            summarize(format!(
                "{} {verb} no mesh by bones and name (--anim gives animations to all meshes with their bones)",
                counted(unused as u64, "animation")
            ));
        }
        match (written + kept, failed) {
            (0, failed) if failed == unreadable => {
                if failed == 0 {
                    complain(NO_ASSET);
                }
                Outcome::NothingRead
            }
            (0, _) => Outcome::NotWritten,
            _ if is_unwritable || existing > 0 => Outcome::NotWritten,
            (_, 0) if !is_asked || unused == 0 => Outcome::Clean,
            _ => Outcome::Findings,
        }
    }
}
