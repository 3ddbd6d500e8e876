//! The bytes of a file, from its plan.

use std::io::{Result, Write};

use crate::animations::time;
use crate::motion::Keys;
use crate::number::to_u64;
use crate::plan::{Piece, Plan};
use crate::report::WriteError;
use crate::sink::{Sink, buffered, write_floats, write_numbers};
use skelmap::model::Part;

/// Writes the container, the JSON and the binary buffer.
pub(crate) fn write_glb(plan: &Plan<'_>, mut out: impl Write) -> std::result::Result<(), WriteError> {
    let mut text = serde_json::to_vec(&plan.root).map_err(std::io::Error::other)?;
    while text.len() % 4 != 0 {
        text.push(b' ');
    }
    let binary = if plan.length > 0 { plan.length.saturating_add(8) } else { 0 };
    let bytes = to_u64(text.len()).saturating_add(20).saturating_add(binary);
    let too_large = || WriteError::TooLarge { bytes };
    let total = u32::try_from(bytes).map_err(|_| too_large())?;
    let text_length = u32::try_from(text.len()).map_err(|_| too_large())?;
    let mut out = buffered(&mut out);
    out.write_all(b"glTF")?;
    write_numbers(&mut out, &[2, total, text_length])?;
    out.write_all(b"JSON")?;
    out.write_all(&text)?;
    if plan.length > 0 {
        write_numbers(&mut out, &[u32::try_from(plan.length).map_err(|_| too_large())?])?;
        out.write_all(b"BIN\0")?;
        plan.pieces.iter().try_for_each(|piece| write_piece(plan, piece, &mut out))?;
    }
    Ok(out.flush()?)
}

/// Writes the JSON and the binary buffer to separate outputs.
pub(crate) fn write_separate(
    plan: &Plan<'_>,
    mut json: impl Write,
    mut binary: impl Write,
) -> std::result::Result<(), WriteError> {
    let text = serde_json::to_vec_pretty(&plan.root).map_err(std::io::Error::other)?;
    json.write_all(&text)?;
    json.write_all(b"\n")?;
    json.flush()?;
    let mut out = buffered(&mut binary);
    plan.pieces.iter().try_for_each(|piece| write_piece(plan, piece, &mut out))?;
    Ok(out.flush()?)
}

fn write_piece(plan: &Plan<'_>, piece: &Piece<'_>, out: &mut Sink<'_>) -> Result<()> {
    match piece {
        Piece::Vertices => plan.vertices.iter().try_for_each(|vertices| vertices.write(out))?,
        Piece::Indices => {
            for part in plan.vertices.iter().flat_map(|vertices| &vertices.geometry.parts) {
                let is_short = part.vertices <= 65_535;
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
            let is_short = plan.short_rotations && channel.part == Part::Rotation;
            if channel.keys == Keys::Every {
                let mut values = motion.all_values(channel.bone, channel.part);
                while let Some(block) = values.next_block() {
                    write_values(block, channel.part, is_short, out)?;
                }
            } else {
                let first = motion.first(channel.bone, channel.part);
                (0..motion.key_count(channel.keys))
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
