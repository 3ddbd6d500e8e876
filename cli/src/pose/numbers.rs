//! Floats as bytes: plain, or with the header of `NumPy`.

use std::io::{self, IsTerminal, Write};

use crate::arguments::NumberFormat;
use crate::outcome::Failure;
use crate::output::{Output, stdout};

/// Standard output for floats of this shape. A terminal is refused.
pub(super) fn float_output(format: NumberFormat, shape: &[usize]) -> Result<Output, Failure> {
    if io::stdout().is_terminal() {
        return Err(Failure::usage("this format is binary: redirect it to a file or a program"));
    }
    let mut out = stdout();
    if format == NumberFormat::Npy {
        out.write_all(&npy_header(shape))?;
    }
    Ok(out)
}

pub(super) fn write_floats<'a>(out: &mut impl Write, mut floats: impl Iterator<Item = &'a f32>) -> io::Result<()> {
    floats.try_for_each(|float| out.write_all(&float.to_le_bytes()))
}

/// The header of an array of floats, in C order: version 1.0, padded to a multiple of 64 bytes.
fn npy_header(shape: &[usize]) -> Vec<u8> {
    let shape: Vec<String> = shape.iter().map(ToString::to_string).collect();
    let mut text = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({},), }}", shape.join(", "));
    // Ten bytes come before the text, and a line feed ends it.
    let padding = (64 - (text.len() + 11) % 64) % 64;
    text.push_str(&" ".repeat(padding));
    text.push('\n');
    let length = u16::try_from(text.len()).unwrap_or(u16::MAX).to_le_bytes();
    [b"\x93NUMPY\x01\x00".as_slice(), &length, text.as_bytes()].concat()
}
