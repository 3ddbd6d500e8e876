//! Headers from sources that state any size, and that have fewer bytes than they state.

use std::convert::Infallible;

use skelmap::{Code, Headers, ParseOptions, ReadAt, ReadError, Windowed};

use test_support::corpus::file;

/// Bytes at a few places of a source of any size; all other bytes are 0.
struct Sparse {
    parts: Vec<(u64, Vec<u8>)>,
    size: u64,
}

impl Sparse {
    /// An animation whose chunks have so many records, all 0.
    fn animation(bones: u32, infos: u32) -> Self {
        let (mut parts, mut at) = (Vec::new(), 0);
        for (id, size, count) in
            [("ANIMHEAD", 0, 0), ("BONENAMES", 120, bones), ("ANIMINFO", 168, infos), ("ANIMKEYS", 32, 1)]
        {
            let mut header = vec![0; 32];
            header[..id.len()].copy_from_slice(id.as_bytes());
            header[24..28].copy_from_slice(&u32::to_le_bytes(size));
            header[28..].copy_from_slice(&count.to_le_bytes());
            parts.push((at, header));
            at += 32 + u64::from(size) * u64::from(count);
        }
        Self { parts, size: at }
    }
}

impl ReadAt for Sparse {
    type Error = Infallible;

    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<usize, Infallible> {
        let count = usize::try_from(self.size.saturating_sub(offset)).unwrap().min(into.len());
        into[..count].fill(0);
        for (start, bytes) in &self.parts {
            for (at, byte) in (*start..).zip(bytes) {
                if let Some(slot) = at.checked_sub(offset).and_then(|at| into[..count].get_mut(at as usize)) {
                    *slot = *byte;
                }
            }
        }
        Ok(count)
    }
}

/// A source that states more bytes than it gives, as a file that another program shortens.
struct Shortened<'a> {
    bytes: &'a [u8],
    stated: u64,
}

impl ReadAt for Shortened<'_> {
    type Error = Infallible;

    fn size(&self) -> u64 {
        self.stated
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<usize, Infallible> {
        self.bytes.read_at(offset, into)
    }
}

fn code<R: ReadAt<Error = Infallible> + ?Sized>(source: &R) -> Result<u64, Code> {
    match Headers::read(source, &ParseOptions::default()) {
        Ok(headers) => Ok(headers.summary.sequences.unwrap_or(0)),
        Err(ReadError::Format(error)) => Err(error.code()),
        Err(ReadError::Source(never)) => match never {},
    }
}

#[test]
fn a_reference_to_a_source_is_that_source() {
    fn read(source: impl ReadAt<Error = Infallible>) -> (u64, usize, [u8; 4], Option<Vec<u8>>) {
        let mut into = [0; 4];
        let Ok(count) = source.read_at(1, &mut into);
        (source.size(), count, into, source.as_slice().map(<[u8]>::to_vec))
    }
    assert_eq!(read([1_u8, 2, 3].as_slice()), (3, 2, [2, 3, 0, 0], Some(vec![1, 2, 3])));
    assert_eq!(read(&Shortened { bytes: &[1, 2, 3], stated: 9 }), (9, 2, [2, 3, 0, 0], None));
}

#[test]
fn sequences_larger_than_memory_are_refused_before_they_are_read() {
    assert_eq!(code(&Sparse::animation(1, 1000)), Ok(1000));
    let most = i32::MAX as u32;
    assert_eq!(code(&Sparse::animation(1, most)), Err(skelmap::codes::OUT_OF_MEMORY));
    assert_eq!(code(&Sparse::animation(most, 1)), Ok(1), "names of bones are not asked for");
    let plain = file("swat3/gsa/plain.gsa");
    let huge = Sparse { parts: vec![(0, plain)], size: 400 << 30 };
    assert_eq!(code(&huge), Err(skelmap::codes::OUT_OF_MEMORY));
}

#[test]
fn a_source_that_is_shortened_while_it_is_read_is_truncated_or_has_the_same_counts() {
    for path in
        ["actorx/anim/sequences.psa", "actorx/mesh/classic.psk", "pyrogenesis/pmd/skinned.pmd", "swat3/gsa/plain.gsa"]
    {
        let bytes = file(path);
        let stated = bytes.len() as u64;
        let whole = code(bytes.as_slice());
        assert!(whole.is_ok(), "{path}");
        for length in 32..bytes.len() {
            let found = code(&Shortened { bytes: &bytes[..length], stated });
            assert!(found == whole || found == Err(skelmap::codes::TRUNCATED), "{path} at {length}: {found:?}");
        }
    }
}

#[test]
fn a_damaged_source_without_an_end_is_not_read_to_its_end() {
    struct Endless<'a>(&'a [u8]);
    impl ReadAt for Endless<'_> {
        type Error = &'static str;

        fn size(&self) -> u64 {
            u64::MAX
        }

        fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<usize, &'static str> {
            if offset > 1 << 30 {
                return Err("read a gigabyte");
            }
            into.fill(0);
            let rest = self.0.get(usize::try_from(offset).unwrap()..).unwrap_or_default();
            into.iter_mut().zip(rest).for_each(|(into, from)| *into = *from);
            Ok(into.len())
        }
    }
    let damaged = file("actorx/damaged/negative_count.psk");
    let lines = b"ACTRHEAD\0\0\0\0\0\0\0\0\0\0\0\0\r\n\r\n\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF".to_vec();
    for bytes in [damaged, lines] {
        match Headers::read(&Endless(&bytes), &ParseOptions::default()) {
            Err(ReadError::Format(_)) => {}
            other => panic!("{other:?}"),
        }
    }
    // Zeros are chunks without records.
    match Headers::read(&Windowed::new(Endless(b"ACTRHEAD")), &ParseOptions::default()) {
        Err(ReadError::Format(error)) => assert_eq!(error.code(), skelmap::codes::OUT_OF_MEMORY),
        other => panic!("{other:?}"),
    }
}
