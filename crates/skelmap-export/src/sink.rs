//! Numbers in the output of a writer.

use std::io::{BufWriter, Result, Write};

/// Bytes that are collected before they are written.
const BLOCK: usize = 1 << 16;

/// An output with a buffer, so that each number does not cost a call.
pub(crate) type Sink<'o> = BufWriter<&'o mut dyn Write>;

pub(crate) fn buffered(out: &mut dyn Write) -> Sink<'_> {
    BufWriter::with_capacity(BLOCK, out)
}

#[inline]
pub(crate) fn write_floats(out: &mut Sink<'_>, values: &[f32]) -> Result<()> {
    values.iter().try_for_each(|value| out.write_all(&value.to_le_bytes()))
}

pub(crate) fn write_numbers(out: &mut Sink<'_>, values: &[u32]) -> Result<()> {
    values.iter().try_for_each(|value| out.write_all(&value.to_le_bytes()))
}
