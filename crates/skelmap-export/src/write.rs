//! Writing a document to files: the bytes of its plan.

use std::io::{BufWriter, Result, Write};

use skelmap::shared::to_u64;

use crate::content::write_piece;
use crate::document::Document;
use crate::options::ExportOptions;
use crate::plan::{Piece, Plan};
use crate::report::{ExportReport, Sink, WriteError};

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

/// Writes all pieces, each aligned to four bytes.
fn write_pieces(plan: &Plan<'_>, out: &mut Sink<'_>) -> Result<()> {
    for piece in &plan.pieces {
        write_piece(plan, piece, out)?;
        if let Piece::Bytes(bytes) = piece {
            let padding = bytes.len().next_multiple_of(4).saturating_sub(bytes.len());
            out.write_all([0; 3].get(..padding).unwrap_or_default())?;
        }
    }
    Ok(())
}
