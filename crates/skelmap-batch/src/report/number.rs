//! Numbers as text, many at a time: the texts of `Display`, made without its machinery.

use std::fmt::Display;
use std::io::Write as _;

/// From this number on, the floats of 32 bits have no fraction.
const WHOLE: f64 = 8_388_608.0;

/// From this number on, no float has an exponent that is negative. To search for one takes longer than to compare.
const SMALL: f64 = 1e-3;

/// Writes a float with the fewest digits that give it back, and without an exponent.
pub(super) fn push_float<F: zmij::Float + Into<f64> + Display + Copy>(out: &mut Vec<u8>, number: F) {
    let (start, wide) = (out.len(), number.into());
    if wide.abs() < WHOLE {
        let mut buffer = zmij::Buffer::new();
        let text = buffer.format_finite(number);
        let exponent = if wide.abs() < SMALL { text.split_once('e') } else { None };
        let decimals = match exponent {
            None => push_plain(out, text),
            Some((digits, exponent)) => push_small(out, digits, exponent.parse().unwrap_or(0)),
        };
        if !is_halfway(wide, decimals) {
            return;
        }
        // Of two texts that are as near, `Display` has the one that is farther from zero.
        out.truncate(start);
    }
    // A `Vec` takes everything.
    let _ = write!(out, "{number}");
}

/// Writes `-1.25`, or `2` for `2.0`, and returns the number of decimals.
fn push_plain(out: &mut Vec<u8>, text: &str) -> usize {
    let text = text.strip_suffix(".0").unwrap_or(text);
    out.extend_from_slice(text.as_bytes());
    // Not `find`: the text is short.
    text.bytes().rev().position(|byte| byte == b'.').unwrap_or(0)
}

/// Writes `-1.25` and a negative exponent as one number, and returns the number of decimals.
fn push_small(out: &mut Vec<u8>, digits: &str, exponent: i32) -> usize {
    let magnitude = digits.strip_prefix('-').unwrap_or(digits);
    if magnitude.len() < digits.len() {
        out.push(b'-');
    }
    let (whole, fraction) = magnitude.split_once('.').unwrap_or((magnitude, ""));
    let fraction = if fraction == "0" { "" } else { fraction };
    let places = usize::try_from(exponent.unsigned_abs()).unwrap_or(0);
    out.extend_from_slice(b"0.");
    out.resize(out.len() + places.saturating_sub(whole.len()), b'0');
    out.extend_from_slice(whole.as_bytes());
    out.extend_from_slice(fraction.as_bytes());
    places + fraction.len()
}

/// Whether a number lies halfway between two numbers with so many decimals. A fraction of so many bits has as many decimals, of which the
/// last is 5.
fn is_halfway(number: f64, decimals: usize) -> bool {
    const BITS: u32 = f64::MANTISSA_DIGITS - 1;
    let (exponent, mantissa) = ((number.to_bits() >> BITS) & 0x7FF, number.to_bits() | 1 << BITS);
    let bits = u64::from(1023 + BITS - mantissa.trailing_zeros().min(BITS)).checked_sub(exponent);
    bits.and_then(|bits| usize::try_from(bits).ok()) == Some(decimals + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<F: zmij::Float + Into<f64> + Display + Copy>(number: F) {
        let mut out = Vec::new();
        push_float(&mut out, number);
        assert_eq!(std::str::from_utf8(&out), Ok(number.to_string().as_str()));
    }

    #[test]
    fn floats_have_the_text_of_the_standard_library() {
        let extremes = [f32::MIN, f32::MAX, f32::MIN_POSITIVE, f32::EPSILON, f32::INFINITY, f32::NAN, 0.0, 1.0, 0.1];
        for float in extremes.into_iter().flat_map(|float| [float, -float, float / 3.0]) {
            check(float);
            check(f64::from(float));
        }
        for exponent in -50..40 {
            for digits in ["1", "9.5", "1.2345678", "8388608.5"] {
                check(format!("{digits}e{exponent}").parse::<f32>().unwrap());
                check(format!("{digits}e{}", 8 * exponent).parse::<f64>().unwrap());
            }
        }
        // Halfway between two texts: those of 27.757812 and 27.757813.
        for bits in 0..=u16::MAX {
            check(f32::from(bits) / 128.0);
            check(f64::from(bits) / 65_536.0);
            check(f64::from(bits) / 65_536.0 + 68_719_476_736.0);
        }
        // Every exponent and sign, with mantissas all over.
        for bits in (0..u32::MAX).step_by(65_521).chain(1..100) {
            check(f32::from_bits(bits));
            check(f64::from_bits(u64::from(bits) << 32 | u64::from(bits.reverse_bits())));
        }
    }
}
