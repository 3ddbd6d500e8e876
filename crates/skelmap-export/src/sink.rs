//! The output of a writer.

use std::io::{Result, Write};

/// Bytes that are collected before they are written.
const BLOCK: usize = 1 << 16;

/// An output with a buffer, so that each number does not cost a call.
pub(crate) struct Sink<'o> {
    out: &'o mut dyn Write,
    buffer: Vec<u8>,
}

impl<'o> Sink<'o> {
    pub(crate) fn new(out: &'o mut dyn Write) -> Self {
        Self { out, buffer: Vec::with_capacity(BLOCK) }
    }

    /// Writes what was collected.
    pub(crate) fn finish(mut self) -> Result<()> {
        self.out.write_all(&self.buffer)?;
        self.buffer.clear();
        self.out.flush()
    }

    #[inline]
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        if self.buffer.len().saturating_add(bytes.len()) > BLOCK {
            self.out.write_all(&self.buffer)?;
            self.buffer.clear();
            if bytes.len() >= BLOCK {
                return self.out.write_all(bytes);
            }
        }
        self.buffer.extend_from_slice(bytes);
        Ok(())
    }

    #[inline]
    pub(crate) fn floats(&mut self, values: &[f32]) -> Result<()> {
        values.iter().try_for_each(|value| self.bytes(&value.to_le_bytes()))
    }

    pub(crate) fn numbers(&mut self, values: &[u32]) -> Result<()> {
        values.iter().try_for_each(|value| self.bytes(&value.to_le_bytes()))
    }
}
