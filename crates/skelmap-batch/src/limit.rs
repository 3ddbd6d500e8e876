//! A limit on the bytes of an output: a small input, such as a file whose sequences share their keys, makes no huge output.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::codes::OUTPUT_LIMIT;

/// The limit for each byte of the inputs, if none is asked for.
pub const MAX_OUTPUT_RATIO: u64 = 64;

/// The least limit, if none is asked for: in small files, names and headings count most.
pub const MIN_OUTPUT_LIMIT: u64 = 64 << 20;

/// The bytes that an output may have. Clones share their counts.
#[derive(Clone, Debug)]
pub struct OutputLimit {
    asked: Option<u64>,
    counts: Arc<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    read: AtomicU64,
    written: AtomicU64,
}

/// An output would have more bytes than its limit.
#[derive(Debug, thiserror::Error)]
#[error("[{OUTPUT_LIMIT}] the output would have more than {most} bytes, the limit{}: see --max-output of convert and dump", of_inputs(*.read))]
#[non_exhaustive]
pub struct TooLarge {
    /// The limit.
    pub most: u64,
    /// The bytes of the inputs, if they set the limit.
    pub read: Option<u64>,
}

fn of_inputs(read: Option<u64>) -> String {
    read.map(|read| format!(" for {read} bytes of inputs")).unwrap_or_default()
}

impl OutputLimit {
    /// `asked`: the limit in bytes; by default a multiple of the inputs.
    pub fn new(asked: Option<u64>) -> Self {
        Self { asked, counts: Arc::default() }
    }

    /// Adds the bytes of an input.
    pub fn add_input(&self, bytes: usize) {
        self.counts.read.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// Counts what is written to an output.
    pub fn to<W: Write>(&self, out: W) -> Limited<W> {
        Limited { limit: self.clone(), out }
    }

    /// Checks that there is something left of the limit, before the work for one more output.
    ///
    /// # Errors
    /// [`TooLarge`], inside of an error of the system.
    pub fn check_left(&self) -> io::Result<()> {
        self.count(0)
    }

    /// Counts bytes that will be written.
    ///
    /// # Errors
    /// [`TooLarge`], inside of an error of the system.
    pub fn count(&self, bytes: usize) -> io::Result<()> {
        self.check(self.counts.written.fetch_add(bytes as u64, Ordering::Relaxed).saturating_add(bytes as u64))
    }

    /// Checks that so many bytes in all would be within the limit, without counting them.
    ///
    /// # Errors
    /// [`TooLarge`], inside of an error of the system.
    pub(crate) fn check(&self, written: u64) -> io::Result<()> {
        let read = self.counts.read.load(Ordering::Relaxed);
        let most = self.asked.unwrap_or_else(|| read.saturating_mul(MAX_OUTPUT_RATIO).max(MIN_OUTPUT_LIMIT));
        let read = self.asked.is_none().then_some(read);
        if written > most { Err(io::Error::other(TooLarge { most, read })) } else { Ok(()) }
    }
}

/// An output with a limit.
#[derive(Debug)]
pub struct Limited<W> {
    limit: OutputLimit,
    out: W,
}

impl<W: Write> Write for Limited<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.limit.count(bytes.len())?;
        self.out.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_above_the_limit_is_told_with_the_bytes_of_the_inputs() {
        let told = |read| TooLarge { most: 7, read }.to_string();
        let start = "[output-limit] the output would have more than 7 bytes, the limit";
        assert_eq!(told(None), format!("{start}: see --max-output of convert and dump"));
        assert_eq!(told(Some(3)), format!("{start} for 3 bytes of inputs: see --max-output of convert and dump"));
    }

    /// 64 bytes for each byte of the inputs, and 64 MiB at least.
    #[test]
    fn inputs_raise_the_limit_of_their_outputs() {
        let limit = OutputLimit::new(None);
        limit.count(64 << 20).expect("as much as the least limit");
        limit.count(1).expect_err("one byte more");
        limit.check_left().expect_err("nothing is left");
        limit.add_input((1 << 20) + 1);
        limit.check_left().expect("64 bytes more than the least limit");
        limit.check((64 << 20) + 64).expect("as much as the limit");
        limit.check((64 << 20) + 65).expect_err("one byte more");
        limit.count(63).expect("as much as the limit");
        limit.count(1).expect_err("one byte more");
    }

    #[test]
    fn nothing_is_left_of_a_limit_that_was_passed() {
        let limit = OutputLimit::new(Some(4));
        limit.count(4).expect("as much as the limit");
        limit.check_left().expect("not passed yet");
        limit.count(1).expect_err("one byte more");
        limit.check_left().expect_err("passed");
    }
}
