//! The report on a run: a row for each output, and the last line.

use crate::items::SCHEMA;
use skelmap_export::ExportReport as Loss;

use super::converter::{Converted, Done, FROM};
use crate::report::{Cell, ERROR, Field, Look, PATH, field, integer, text};
use crate::row::path_and_entry;
use crate::text::counted;

impl Converted {
    fn loss(&self) -> Option<&Loss> {
        match &self.done {
            Ok(Done::Written { report, .. }) => Some(report),
            _ => None,
        }
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
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks: Vec<String> = self.notes.iter().filter(|note| !note.starts_with(FROM)).cloned().collect();
        let Some(loss) = self.loss() else { return remarks };
        let mut add = |count: usize, noun: &str, remark: &str| {
            if count > 0 {
                remarks.push(format!("{} {remark}", counted(count as u64, noun)));
            }
        };
        add(loss.additive_clips, "additive sequence", "left out, or played on a base");
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

/// The columns of the report on a conversion.
pub fn fields() -> Vec<Field<Converted>> {
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
    fields.push(field(text("error").data(), |row| row.done.as_ref().err().map(ToString::to_string).into()));
    fields.push(field(ERROR, |row| row.done.as_ref().err().map(ToString::to_string).into()));
    fields.push(field(text("notes").look(Look::Notes).table(), |row| row.remarks().join("; ").into()));
    fields.push(field(PATH.titled("output"), |row| match &row.output {
        Some(path) => Cell::display(path.display()),
        None => Cell::display(&row.address),
    }));
    fields
}
