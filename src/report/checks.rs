//! The checks that several families share: floats, rotations, weights.

use alloc::{format, string::String};

use super::code::Severity;
use super::codes;
use super::finding::{Report, SectionStart};

/// Records in a block, which is checked without branches.
const BLOCK: usize = 64;

/// Calls `wrong` for every record that is not `sound`. Fast for sound records: a block is checked without branches.
pub(crate) fn scan<T>(records: &[T], sound: impl Fn(&T) -> bool, mut wrong: impl FnMut(usize, &T)) {
    for (index, block) in records.chunks(BLOCK).enumerate() {
        if block.iter().fold(true, |all, record| all & sound(record)) {
            continue;
        }
        let first = index.saturating_mul(BLOCK);
        for (index, record) in block.iter().enumerate().filter(|(_, record)| !sound(record)) {
            wrong(first.saturating_add(index), record);
        }
    }
}

/// The records that exist, with their indices: `only bones 0 to 3`, `only bone 0` or `no bones`.
pub(crate) fn only(count: impl TryInto<u64>, one: &str, many: &str) -> String {
    match count.try_into().unwrap_or(u64::MAX) {
        0 => format!("no {many}"),
        1 => format!("only {one} 0"),
        count => format!("only {many} 0 to {}", count.saturating_sub(1)),
    }
}

/// Whether all floats are finite, without a branch.
#[inline]
pub(crate) fn all_finite<const N: usize>(floats: [f32; N]) -> bool {
    floats.iter().fold(true, |all, float| all & float.is_finite())
}

/// The tolerance of a weight outside of 0 to 1.
const WEIGHT_TOLERANCE: f32 = 1e-3;
/// The tolerance of the sum of a point's weights.
pub const WEIGHT_SUM_TOLERANCE: f32 = 0.01;

/// Whether a weight is from 0 to 1. True for NaN, which another check reports.
#[inline]
pub(crate) fn is_weight(weight: f32) -> bool {
    weight.is_nan() | (-WEIGHT_TOLERANCE..=1.0 + WEIGHT_TOLERANCE).contains(&weight)
}

/// The tolerance of a squared length.
pub const UNIT_TOLERANCE: f32 = 0.01;

/// Whether a vector has unit length. False for a vector that is not finite.
#[inline]
pub(crate) fn has_unit_length<const N: usize>(vector: [f32; N]) -> bool {
    let squared = vector.iter().map(|component| component * component).sum::<f32>();
    (squared - 1.0).abs() <= UNIT_TOLERANCE
}

/// Whether a rotation or normal has unit length. True for a vector that is not finite, which another check reports.
#[inline]
pub(crate) fn is_unit<const N: usize>(vector: [f32; N]) -> bool {
    has_unit_length(vector) || !all_finite(vector)
}

/// Reports floats that are not finite in records of a section. `word` names a record.
pub(crate) fn check_finite<T, const N: usize>(
    report: &mut Report,
    place: SectionStart,
    records: &[T],
    word: impl Fn(usize) -> String,
    floats: impl Fn(&T) -> [f32; N],
) {
    let mut tally = report.tally(codes::NOT_FINITE, place);
    scan(
        records,
        |record| all_finite(floats(record)),
        |index, record| tally.hit(index, || format!("{} holds {:?}", word(index), floats(record))),
    );
    report.add([tally]);
}

/// Reports floats that are not finite, and rotations that are zero or not of unit length, in one pass. `word` names a record;
/// `others` are its floats except the rotation.
pub(crate) fn check_transforms<T, const N: usize>(
    report: &mut Report,
    place: SectionStart,
    zero: Severity,
    records: &[T],
    word: impl Fn(usize) -> String,
    others: impl Fn(&T) -> [f32; N],
    rotation: impl Fn(&T) -> [f32; 4],
) {
    let [mut broken, mut off] = report.tallies(place, [codes::NOT_FINITE, codes::ROTATION_UNIT]);
    let mut zeros = report.tally(codes::ROTATION_ZERO, place).with_severity(zero);
    scan(
        records,
        // A rotation of unit length is finite.
        |record| has_unit_length(rotation(record)) & all_finite(others(record)),
        |index, record| {
            let (others, rotation) = (others(record), rotation(record));
            broken.hit_if(!(all_finite(others) && all_finite(rotation)), index, || {
                format!("{} holds {others:?} and the rotation {rotation:?}", word(index))
            });
            match rotation {
                [0.0, 0.0, 0.0, 0.0] => {
                    zeros.hit(index, || format!("{} has an invalid rotation, the quaternion 0, 0, 0, 0", word(index)));
                }
                other => off.hit_if(!is_unit(other), index, || {
                    format!("{} has the rotation {other:?}, which is not of unit length", word(index))
                }),
            }
        },
    );
    report.add([broken, zeros, off]);
}
