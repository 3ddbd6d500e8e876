//! The worst files that could be thought of, of any size: what a walk, a look-up or a check could take the square of.
//!
//! Written straight, without names for their parts, of which there are millions. Shared by tests and benchmarks.

// Each user needs a different part.
#![allow(dead_code, unreachable_pub)]
#![allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_precision_loss)]

/// A kind of file, of which there is one for every number of records.
#[derive(Clone, Copy)]
pub struct Worst {
    pub name: &'static str,
    /// How many records make about a hundred bytes each.
    pub of: fn(usize) -> Vec<u8>,
}

pub const fn worst(name: &'static str, of: fn(usize) -> Vec<u8>) -> Worst {
    Worst { name, of }
}

/// Sizes at which every kind is large enough for a square to show, in records.
pub const A_MILLION: usize = 1_000_000;

pub fn repeat(count: usize, one: impl Fn() -> Vec<u8>) -> Vec<u8> {
    one().repeat(count)
}

pub fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

pub fn indexed(count: usize, one: impl Fn(usize) -> Vec<u8>) -> Vec<u8> {
    let mut all = Vec::new();
    (0..count).for_each(|at| all.extend_from_slice(&one(at)));
    all
}

/// A name that no other number has.
pub fn numbered(number: usize) -> String {
    format!("Bip01 Finger {number}")
}

/// Archives of entries without data, or of data deflated to nothing.
pub const ARCHIVES: [Worst; 6] = [
    worst("zip/no-names", |count| archive(count, |_| String::new())),
    worst("zip/one-name", |count| archive(count, |_| String::from("a.psa"))),
    worst("zip/distinct-names", |count| archive(count, |at| format!("art/{at}.psa"))),
    worst("zip/deep-names", |count| archive(count / 40, |at| format!("{}{at}.psa", "a/".repeat(2000)))),
    worst("zip/odd-names", |count| archive(count, |at| format!("\x1B[31m{at}.psa"))),
    worst("zip/no-model", |count| archive(count, |at| format!("{at}"))),
];

/// An archive of empty stored entries with these names.
pub fn archive(count: usize, name: impl Fn(usize) -> String) -> Vec<u8> {
    archive_of((0..count).map(|at| Entry { name: name(at), body: Vec::new(), inflated: None }))
}

/// An entry, stored unless it says how many bytes it is inflated to.
pub struct Entry {
    pub name: String,
    pub body: Vec<u8>,
    pub inflated: Option<u32>,
}

/// An archive with a ZIP64 end. Checksums are zero, which that of nothing is.
pub fn archive_of(entries: impl Iterator<Item = Entry>) -> Vec<u8> {
    let (mut file, mut directory, mut count) = (Vec::new(), Vec::new(), 0_u64);
    for Entry { name, body, inflated } in entries {
        let at = file.len() as u32;
        let length = body.len() as u32;
        let mut fields = vec![20, 0, 0, 0];
        fields.extend(if inflated.is_some() { 8_u16 } else { 0 }.to_le_bytes());
        fields.extend([0; 8]);
        fields.extend(length.to_le_bytes());
        fields.extend(inflated.unwrap_or(length).to_le_bytes());
        fields.extend((name.len() as u16).to_le_bytes());
        fields.extend([0, 0]);
        file.extend(b"PK\x03\x04");
        file.extend(&fields);
        file.extend(name.as_bytes());
        file.extend(&body);
        directory.extend(b"PK\x01\x02\x14\0");
        directory.extend(&fields);
        directory.extend([0; 10]);
        directory.extend(at.to_le_bytes());
        directory.extend(name.as_bytes());
        count += 1;
    }
    let start = file.len();
    file.extend(&directory);
    let end64 = file.len() as u64;
    file.extend(b"PK\x06\x06");
    file.extend(44_u64.to_le_bytes());
    file.extend([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    for number in [count, count, directory.len() as u64, start as u64] {
        file.extend(number.to_le_bytes());
    }
    file.extend(b"PK\x06\x07\0\0\0\0");
    file.extend(end64.to_le_bytes());
    file.extend(1_u32.to_le_bytes());
    file.extend(b"PK\x05\x06\0\0\0\0\xFF\xFF\xFF\xFF");
    file.extend((directory.len() as u32).to_le_bytes());
    file.extend((start as u32).to_le_bytes());
    file.extend([0, 0]);
    file
}
