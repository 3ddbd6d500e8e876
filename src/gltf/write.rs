//! The bytes of a file, from its plan.

use std::io::Write;

use super::animations::time;
use super::layout::{Piece, Plan};
use super::motion::{Keys, Motion, Path};
use super::options::WriteError;
use crate::bytes::to_u64;

/// Writes the container, the JSON and the binary buffer.
pub(super) fn write(plan: &Plan<'_>, mut out: impl Write) -> Result<(), WriteError> {
    let mut text = serde_json::to_vec(&plan.root).map_err(std::io::Error::other)?;
    while text.len() % 4 != 0 {
        text.push(b' ');
    }
    let binary = if plan.length > 0 { plan.length.saturating_add(8) } else { 0 };
    let bytes = to_u64(text.len()).saturating_add(20).saturating_add(binary);
    let too_large = || WriteError::TooLarge { bytes };
    let total = u32::try_from(bytes).map_err(|_| too_large())?;
    let text_length = u32::try_from(text.len()).map_err(|_| too_large())?;
    out.write_all(b"glTF")?;
    numbers(&mut out, &[2, total, text_length])?;
    out.write_all(b"JSON")?;
    out.write_all(&text)?;
    if plan.length > 0 {
        numbers(&mut out, &[u32::try_from(plan.length).map_err(|_| too_large())?])?;
        out.write_all(b"BIN\0")?;
        for piece in &plan.pieces {
            write_piece(plan, piece, &mut out)?;
        }
    }
    Ok(out.flush()?)
}

fn write_piece(plan: &Plan<'_>, piece: &Piece, out: &mut impl Write) -> Result<(), WriteError> {
    match piece {
        Piece::Vertices => write_vertices(plan, out)?,
        Piece::Indices => {
            for part in &plan.geometry.parts {
                let is_short = part.vertices <= 65_535;
                for index in &part.indices {
                    let bytes = index.to_le_bytes();
                    out.write_all(if is_short { bytes.get(..2).unwrap_or_default() } else { &bytes })?;
                }
                if is_short && part.indices.len() % 2 == 1 {
                    out.write_all(&[0; 2])?;
                }
            }
        }
        Piece::InverseBind(matrices) => matrices.iter().try_for_each(|matrix| floats(out, matrix))?,
        Piece::Morph(moved) => {
            moved.iter().try_for_each(|(index, _)| numbers(out, &[*index]))?;
            moved.iter().try_for_each(|(_, offset)| floats(out, offset))?;
        }
        Piece::Times { keys, count, rate } => {
            let end = time(count.saturating_sub(1), *rate);
            match keys {
                Keys::Every => (0..*count).try_for_each(|frame| floats(out, &[time(frame, *rate)]))?,
                Keys::First => floats(out, &[0.0])?,
                Keys::Ends => floats(out, &[0.0, end])?,
            }
        }
        Piece::Values { clip, channel } => {
            let (Some((clip, binding)), Some(bind)) = (plan.clips.get(*clip), plan.bind.get(channel.bone)) else {
                return Ok(());
            };
            let motion = Motion { clip, binding, loops: plan.loops };
            let parts = if channel.path == Path::Rotation { 4 } else { 3 };
            for value in motion.values(channel, bind) {
                floats(out, value.get(..parts).unwrap_or_default())?;
            }
        }
    }
    Ok(())
}

fn write_vertices(plan: &Plan<'_>, out: &mut impl Write) -> Result<(), WriteError> {
    for (vertex, normal) in plan.geometry.vertices.iter().zip(&plan.geometry.normals) {
        floats(out, &plan.geometry.position(&plan.mesh, *vertex))?;
        floats(out, normal)?;
        let index = usize::try_from(*vertex).unwrap_or(usize::MAX);
        for column in &plan.uvs {
            floats(out, &plan.uv(column, index))?;
        }
        let point = plan.mesh.point_of(index).unwrap_or(usize::MAX);
        for set in 0..plan.sets {
            write_influences(plan, point, set, out)?;
        }
        if let Some(colors) = &plan.colors {
            out.write_all(colors.get(index).unwrap_or(&[255; 4]))?;
        }
    }
    Ok(())
}

/// Four bones and their weights.
fn write_influences(plan: &Plan<'_>, point: usize, set: usize, out: &mut impl Write) -> Result<(), WriteError> {
    let Some(influences) = &plan.influences else { return Ok(()) };
    let width = influences.width();
    let row = point.saturating_mul(width);
    let place = |part: usize| {
        let column = set.saturating_mul(4).saturating_add(part);
        (column < width).then(|| row.saturating_add(column))
    };
    for part in 0..4 {
        let weight = place(part).and_then(|place| influences.weights().get(place)).copied().unwrap_or(0.0);
        let bone = place(part).and_then(|place| influences.bones().get(place)).copied().unwrap_or(0);
        let bytes = if weight > 0.0 { bone } else { 0 }.to_le_bytes();
        out.write_all(if plan.joint_size() == 1 { bytes.get(..1).unwrap_or_default() } else { &bytes })?;
    }
    for part in 0..4 {
        let weight = place(part).and_then(|place| influences.weights().get(place)).copied().unwrap_or(0.0);
        floats(out, &[weight])?;
    }
    Ok(())
}

fn floats(out: &mut impl Write, values: &[f32]) -> std::io::Result<()> {
    values.iter().try_for_each(|value| out.write_all(&value.to_le_bytes()))
}

fn numbers(out: &mut impl Write, values: &[u32]) -> std::io::Result<()> {
    values.iter().try_for_each(|value| out.write_all(&value.to_le_bytes()))
}
