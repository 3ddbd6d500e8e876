//! The report on a run: a row for each output, and the last line.

use crate::items::SCHEMA;

use super::converter::{Converted, Done, FROM, Output};
use crate::columns::{ADDRESS_COLUMN, ENTRY_COLUMN, PATH_COLUMN, SCHEMA_COLUMN, address_cell};
use crate::path_and_entry;
use crate::report::{Cell, ERROR, Field, Look, PATH, Values, field, float, integer, text, texts};
use crate::text::add_remark;

/// The most animations and props of a planned output that people are told in a table.
const MAX_PLANNED: usize = 3;

impl Converted {
    const fn written(&self) -> Option<&Output> {
        match &self.done {
            Ok(Done::Written(output)) => Some(output),
            _ => None,
        }
    }

    const fn planned(&self) -> Option<(u64, usize)> {
        match self.done {
            Ok(Done::Planned { bytes, animations }) => Some((bytes, animations)),
            _ => None,
        }
    }

    const fn status(&self) -> &'static str {
        match &self.done {
            Ok(Done::Kept) => "kept",
            Ok(Done::Skipped) => "skipped",
            Ok(Done::Written(_)) => "written",
            Ok(Done::Planned { .. }) => "planned",
            Err(_) => "failed",
        }
    }

    /// What became of an output that was not written.
    fn unwritten(&self) -> Option<&'static str> {
        matches!(self.done, Ok(Done::Kept | Done::Skipped)).then(|| self.status())
    }

    /// What people should know: what was left out and found.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks: Vec<String> = self.notes.iter().filter(|note| !note.starts_with(FROM)).cloned().collect();
        if self.planned().is_some() && remarks.len() > MAX_PLANNED {
            let more = remarks.len() - MAX_PLANNED;
            remarks.truncate(MAX_PLANNED);
            remarks.push(format!("{more} more"));
        }
        let Some(Output { report: loss, .. }) = self.written() else { return remarks };
        let mut add = |count, noun, remark| add_remark(&mut remarks, count, noun, remark);
        add(loss.skipped_clips, "additive sequence", "left out unless --additive says how to play them");
        add(loss.clips_without_frames, "sequence", "without frames");
        add(loss.clips_without_rate, "sequence", "without a rate: 30 frames per second");
        add(loss.clips_beyond_limits, "sequence", "beyond the limits");
        add(loss.clips_beyond_tolerance, "sequence", "less exact than --tolerance asks: --compact has 16 bits");
        add(loss.broken_keys, "key", "not finite: the one before stands in");
        add(loss.dropped_morphs, "morph target", "beyond the limits");
        add(loss.unmatched_tracks, "track", "without a bone");
        add(loss.unmoved_bones, "bone", "without a track");
        add(loss.dropped_triangles, "triangle", "left out");
        add(usize::try_from(loss.dropped_influences).unwrap_or(usize::MAX), "influence", "without effect");
        add(loss.misplaced_bones, "bone", "without a place");
        add(loss.misplaced_attachments, "attachment", "without a place");
        add(loss.cut_bones, "bone", "in a circle of parents");
        add(loss.added_skins, "skin", "more, as --max-joints asks");
        add(loss.unused_uv_sets, "UV set", "left out, which no texture uses (--keep-unused)");
        add(loss.dropped_levels, "coarser level", "left out: without triangles, of several skins, or beyond 32");
        remarks
    }
}

/// Columns for numbers of the report, with their meanings.
macro_rules! losses {
    ($($name:ident: $meaning:literal),+ $(,)?) => {
        [$(field(integer(stringify!($name)).nullable().data().means($meaning), |row: &Converted| {
            row.written().map(|output| output.report.$name).into()
        })),+]
    };
}

/// The columns of the report on a conversion.
pub fn fields() -> Vec<Field<Converted>> {
    let status = text("status").of(Values::OneOf(|| vec!["written", "kept", "skipped", "planned", "failed"]));
    let status = status.means(
        "the result; kept: an output of the same files exists; skipped: there is nothing to write; planned: --dry-run",
    );
    let count = |key, meaning| integer(key).nullable().means(meaning);
    let error = text("error").nullable().data().means("why the output was not written");
    let notes = texts("notes").means("further notes");
    let output = text("output").nullable().data().means("the file that was written");
    let mut fields = vec![
        field(SCHEMA_COLUMN.json(), |_| SCHEMA.into()),
        field(PATH_COLUMN.data(), |row: &Converted| path_and_entry(&row.address).0.into()),
        field(ENTRY_COLUMN.data(), |row| path_and_entry(&row.address).1.into()),
        field(ADDRESS_COLUMN.data(), |row| address_cell(&row.address)),
        field(status.data(), |row| row.status().into()),
        field(status.table(), |row| row.unwritten().into()),
        field(
            count("bytes", "the size of the output; of a planned one, of its inputs")
                .titled("size")
                .look(Look::Size)
                .unit("bytes"),
            |row| row.planned().map(|(bytes, _)| bytes).or(row.written().and_then(|output| output.bytes)).into(),
        ),
        field(count("bones", "bones in the output").drop_order(2), |row| {
            row.written().map(|output| output.report.bones).into()
        }),
        field(count("triangles", "triangles in the output"), |row| {
            row.written().map(|output| output.report.triangles).into()
        }),
        field(
            count("animations", "animations in the output; of a planned one, the sequences that it would be made of")
                .drop_order(1),
            |row| row.planned().map(|(_, count)| count).or(row.written().map(|output| output.report.animations)).into(),
        ),
        field(count("textures", "textures in the output").drop_order(3), |row| {
            row.written().map(|output| output.textures).into()
        }),
    ];
    fields.extend(losses![
        dropped_triangles: "triangles that name a vertex twice, or one that does not exist or has no finite position",
        unused_vertices: "vertices that no triangle uses",
        computed_normals: "vertices whose normal is not in the file",
        weaker_influences: "influences weaker than those that were kept",
        dropped_influences: "influences without a positive weight, or of a point or bone that does not exist",
        unweighted_points: "points without an influence in a mesh with bones: they follow bone 0",
        clips_without_frames: "sequences that were left out because they have no frames",
        clips_without_rate: "sequences without a rate that gives ascending times: they play at 30 frames per second",
        clips_beyond_limits: "sequences that were left out because the file would have too many keys",
        dropped_morphs: "morph targets that were left out because there would be too many",
        additive_clips: "sequences that look additive: left out, or played on their base (--additive)",
        skipped_clips: "sequences that were left out because they look additive",
        broken_keys: "keys that are not finite: the one before stands in for each, or the rest pose",
        unmatched_tracks: "tracks that move no bone of the mesh, in the sequence that has the most of them",
        unmoved_bones: "bones without a track, in the sequence that has the most of them",
        misplaced_bones: "bones whose bind pose is not finite: they stand at their parent",
        misplaced_attachments: "sockets and prop points without a finite position: they are left out",
        cut_bones: "bones in a circle of parents, cut into roots",
        added_skins: "skins beyond one for a mesh, because --max-joints asks for small ones",
        unused_uv_sets: "UV sets that were left out because no texture uses them (--keep-unused)",
        levels: "coarser levels of detail that were written (--levels)",
        dropped_levels: "coarser levels of detail that --levels left out: without triangles, of several skins, or beyond 32",
        clips_beyond_tolerance: "sequences that --compact moves by more than --tolerance asks, because it has 16 bits",
        clips_not_reduced: "sequences whose keys --compact could not compare, because there are too many",
    ]);
    let skin_error = float("skin_error").nullable().data().unit("m");
    let skin_error = skin_error.means("the most that --compact moves a vertex");
    fields.push(field(skin_error, |row| row.written().map(|output| output.report.skin_error).into()));
    fields.push(field(output, |row| row.output.as_ref().map(|path| path.display().to_string()).into()));
    fields.push(field(notes.json(), |row| Cell::list(|| row.notes.iter())));
    fields.push(field(text("notes").flat(), |row| row.notes.join("; ").into()));
    fields.push(field(error, |row| row.done.as_ref().err().map(ToString::to_string).into()));
    fields.push(field(ERROR, |row| row.done.as_ref().err().map(ToString::to_string).into()));
    fields.push(field(text("notes").look(Look::Notes).table(), |row| row.remarks().join("; ").into()));
    fields.push(field(PATH.titled("output"), |row| match &row.output {
        Some(path) => Cell::display(path.display()),
        None => Cell::display(&row.address),
    }));
    fields
}

#[cfg(test)]
mod tests {
    use super::*;
    use skelmap::archive::Address;
    use skelmap_export::ExportReport;
    use test_support::with;

    use crate::convert::OutputError;

    fn row(done: Result<Done, OutputError>, notes: &[&str]) -> Converted {
        let notes = notes.iter().map(|note| (*note).to_owned()).collect();
        Converted { address: Address::of_file("a.psk"), output: None, done, notes }
    }

    fn written(report: ExportReport) -> Done {
        Done::Written(Box::new(Output { report, bytes: None, textures: 0, animations: Vec::new() }))
    }

    #[test]
    fn people_are_told_what_became_of_an_output_that_was_not_written() {
        let unwritten = |done| row(done, &[]).unwritten();
        assert_eq!(unwritten(Ok(Done::Kept)), Some("kept"));
        assert_eq!(unwritten(Ok(Done::Skipped)), Some("skipped"));
        assert_eq!(unwritten(Ok(Done::Planned { bytes: 1, animations: 1 })), None);
        assert_eq!(unwritten(Ok(written(ExportReport::default()))), None);
        assert_eq!(unwritten(Err(OutputError::new("damaged"))), None);
    }

    #[test]
    fn people_are_told_three_animations_of_a_planned_output_and_all_notes_of_others() {
        let notes = ["a", "b", "from 2 animation files", "c", "d", "e"];
        let planned = || Ok(Done::Planned { bytes: 1, animations: 5 });
        assert_eq!(row(planned(), &notes).remarks(), ["a", "b", "c", "2 more"]);
        assert_eq!(row(planned(), &notes[..4]).remarks(), ["a", "b", "c"]);
        assert_eq!(row(Ok(Done::Kept), &notes).remarks(), ["a", "b", "c", "d", "e"]);
    }

    #[test]
    fn people_are_told_only_of_what_was_lost() {
        let report = with(ExportReport::default(), |own| (own.dropped_triangles, own.broken_keys) = (1, 2));
        let expected = ["a", "2 keys not finite: the one before stands in", "1 triangle left out"];
        assert_eq!(row(Ok(written(report)), &["a"]).remarks(), expected);
        assert!(row(Ok(written(ExportReport::default())), &[]).remarks().is_empty());
    }
}
