//! The output of binary data.

use std::io::{BufWriter, Result, Write};

/// A buffered output, so that a number does not cost a call.
pub(crate) type Sink<'o> = BufWriter<&'o mut dyn Write>;

#[inline]
pub(crate) fn write_floats(out: &mut Sink<'_>, values: &[f32]) -> Result<()> {
    values.iter().try_for_each(|value| out.write_all(&value.to_le_bytes()))
}
