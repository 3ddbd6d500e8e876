//! Buffered output.

use std::io::{BufWriter, Result, Write};

/// Size of the buffer in bytes.
const BLOCK: usize = 1 << 16;

/// A buffered output, so that a number does not cost a call.
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
