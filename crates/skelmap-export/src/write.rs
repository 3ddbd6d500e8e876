//! Writing a document to files: the bytes of its plan.

use std::io::{BufWriter, Result, Write};

use skelmap::model::Part;
use skelmap::shared::to_u64;

use crate::document::Document;
use crate::motion::{Keys, time};
use crate::options::ExportOptions;
use crate::plan::{Piece, Plan};
use crate::report::{ExportReport, Sink, WriteError, write_floats};

/// Size of the buffer in bytes.
const BUFFER: usize = 1 << 16;

impl Document<'_> {
    /// Writes one binary file. O(mesh + frames * bones) in time; memory for the mesh and the JSON.
    ///
    /// # Errors
    /// [`WriteError`].
    pub fn write_glb(
        &self,
        options: &ExportOptions,
        mut out: impl Write,
    ) -> std::result::Result<ExportReport, WriteError> {
        let plan = Plan::new(self, options, None)?;
        let mut text = serde_json::to_vec(&plan.root).map_err(std::io::Error::other)?;
        while text.len() % 4 != 0 {
            text.push(b' ');
        }
        let binary = if plan.length > 0 { plan.length.saturating_add(8) } else { 0 };
        let bytes = to_u64(text.len()).saturating_add(20).saturating_add(binary);
        let too_large = || WriteError::TooLarge { bytes };
        let total = u32::try_from(bytes).map_err(|_| too_large())?;
        let text_length = u32::try_from(text.len()).map_err(|_| too_large())?;
        let mut out: Sink<'_> = BufWriter::with_capacity(BUFFER, &mut out);
        out.write_all(b"glTF")?;
        write_numbers(&mut out, &[2, total, text_length])?;
        out.write_all(b"JSON")?;
        out.write_all(&text)?;
        if plan.length > 0 {
            write_numbers(&mut out, &[u32::try_from(plan.length).map_err(|_| too_large())?])?;
            out.write_all(b"BIN\0")?;
            write_pieces(&plan, &mut out)?;
        }
        out.flush()?;
        Ok(plan.report)
    }

    /// Writes the JSON to one output and the binary data to another. `uri` is the file name of the other output, in the same
    /// folder. Costs the same as [`write_glb`](Document::write_glb).
    ///
    /// # Errors
    /// [`WriteError`].
    pub fn write_gltf(
        &self,
        options: &ExportOptions,
        mut json: impl Write,
        uri: &str,
        mut binary: impl Write,
    ) -> std::result::Result<ExportReport, WriteError> {
        let plan = Plan::new(self, options, Some(uri))?;
        let text = serde_json::to_vec_pretty(&plan.root).map_err(std::io::Error::other)?;
        json.write_all(&text)?;
        json.write_all(b"\n")?;
        json.flush()?;
        let mut out: Sink<'_> = BufWriter::with_capacity(BUFFER, &mut binary);
        write_pieces(&plan, &mut out)?;
        out.flush()?;
        Ok(plan.report)
    }
}

fn write_numbers(out: &mut Sink<'_>, values: &[u32]) -> Result<()> {
    values.iter().try_for_each(|value| out.write_all(&value.to_le_bytes()))
}

/// Writes the pieces of a plan, and those of what is attached.
fn write_pieces(plan: &Plan<'_>, out: &mut Sink<'_>) -> Result<()> {
    plan.pieces.iter().try_for_each(|piece| write_piece(plan, piece, out))?;
    plan.attached.iter().try_for_each(|attached| write_pieces(attached, out))
}

fn write_piece(plan: &Plan<'_>, piece: &Piece<'_>, out: &mut Sink<'_>) -> Result<()> {
    match piece {
        Piece::Vertices => plan.vertices.iter().try_for_each(|vertices| vertices.write(out))?,
        Piece::Indices => {
            for part in plan.vertices.iter().flat_map(|vertices| &vertices.geometry.parts) {
                let is_short = part.is_short();
                for index in &part.indices {
                    let [a, b, c, d] = index.to_le_bytes();
                    if is_short { out.write_all(&[a, b])? } else { out.write_all(&[a, b, c, d])? }
                }
                if is_short && part.indices.len() % 2 == 1 {
                    out.write_all(&[0; 2])?;
                }
            }
        }
        Piece::InverseBind(matrices) => matrices.iter().try_for_each(|matrix| write_floats(out, matrix))?,
        Piece::Morph(moved) => {
            moved.iter().try_for_each(|(index, _)| write_numbers(out, &[*index]))?;
            moved.iter().try_for_each(|(_, offset)| write_floats(out, offset))?;
        }
        Piece::Image(bytes) => {
            out.write_all(bytes)?;
            let padding = bytes.len().next_multiple_of(4).saturating_sub(bytes.len());
            out.write_all([0; 3].get(..padding).unwrap_or_default())?;
        }
        Piece::Times { keys, count, rate } => {
            let end = time(count.saturating_sub(1), *rate);
            match keys {
                Keys::Every => (0..*count).try_for_each(|frame| write_floats(out, &[time(frame, *rate)]))?,
                Keys::First => write_floats(out, &[0.0])?,
                Keys::Ends => write_floats(out, &[0.0, end])?,
            }
        }
        Piece::Values { clip, channel } => {
            let Some(written) = plan.clips.get(*clip) else { return Ok(()) };
            let motion = plan.motion_of(written);
            let is_short = plan.options.short_rotations && channel.part == Part::Rotation;
            if channel.keys == Keys::Every {
                let mut values = motion.all_values(channel.bone, channel.part);
                while let Some(block) = values.next_block() {
                    write_values(block, channel.part, is_short, out)?;
                }
            } else {
                let first = motion.first(channel.bone, channel.part);
                (0..channel.keys.count(motion.frame_count()))
                    .try_for_each(|_| write_values(&[first], channel.part, is_short, out))?;
            }
        }
    }
    Ok(())
}

fn write_values(values: &[[f32; 4]], part: Part, is_short: bool, out: &mut Sink<'_>) -> Result<()> {
    let rows = values.iter();
    match part {
        Part::Rotation if is_short => {
            rows.copied().try_for_each(|row| out.write_all(row.map(|x| to_short(x).to_le_bytes()).as_flattened()))
        }
        Part::Rotation => rows.copied().try_for_each(|row| out.write_all(row.map(f32::to_le_bytes).as_flattened())),
        Part::Translation | Part::Scale => {
            rows.copied().try_for_each(|[x, y, z, _]| out.write_all([x, y, z].map(f32::to_le_bytes).as_flattened()))
        }
    }
}

/// A number between -1 and 1 in 16 bits, as glTF normalises them.
#[expect(clippy::cast_possible_truncation, clippy::as_conversions, reason = "the range is that of an `i16`")]
fn to_short(value: f32) -> i16 {
    (value.clamp(-1.0, 1.0) * 32767.0).round() as i16
}
