//! Floats as bytes: plain, or with the header of `NumPy`.

use std::io::{self, Write};

use crate::arguments::NumberFormat;
use crate::outcome::Failure;
use crate::output::{Output, stdout};
use crate::report::npy_header;
use crate::sink::Sink;

/// Standard output for floats of this shape. A terminal is refused.
pub(super) fn float_output(format: NumberFormat, shape: &[usize]) -> Result<Output, Failure> {
    Sink::Stdout.check_binary("> FILE")?;
    let mut out = stdout();
    if format == NumberFormat::Npy {
        let shape: Vec<u64> = shape.iter().map(|length| u64::try_from(*length).unwrap_or(u64::MAX)).collect();
        out.write_all(&npy_header("'<f4'", &shape))?;
    }
    Ok(out)
}

pub(super) fn write_floats<'a>(out: &mut impl Write, mut floats: impl Iterator<Item = &'a f32>) -> io::Result<()> {
    floats.try_for_each(|float| out.write_all(&float.to_le_bytes()))
}
