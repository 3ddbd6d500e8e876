//! Numbers as text, many at a time: the texts of `Display`, made without its machinery.

use std::io::Write as _;

/// Writes an integer.
pub(super) fn push_integer(out: &mut Vec<u8>, number: u64) {
    let (mut digits, mut start, mut rest) = ([0; 20], 20, number);
    for digit in digits.iter_mut().rev() {
        *digit = b'0' + u8::try_from(rest % 10).unwrap_or(0);
        (start, rest) = (start - 1, rest / 10);
        if rest == 0 {
            break;
        }
    }
    out.extend_from_slice(digits.get(start..).unwrap_or_default());
}

/// Writes a negative or positive integer.
pub(super) fn push_signed(out: &mut Vec<u8>, number: i64) {
    if number < 0 {
        out.push(b'-');
    }
    push_integer(out, number.unsigned_abs());
}

/// Writes a float with the fewest digits that give it back, and without an exponent.
pub(super) fn push_float<F: zmij::Float + Into<f64> + Copy>(out: &mut Vec<u8>, number: F) {
    let wide: f64 = number.into();
    if !wide.is_finite() {
        // A `Vec` takes everything.
        let _ = write!(out, "{wide}");
        return;
    }
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format_finite(number);
    match text.split_once('e') {
        None => out.extend_from_slice(text.strip_suffix(".0").unwrap_or(text).as_bytes()),
        Some((digits, exponent)) => push_expanded(out, digits, exponent.parse().unwrap_or(0)),
    }
}

/// Writes `1.25` and an exponent as one number.
fn push_expanded(out: &mut Vec<u8>, digits: &str, exponent: i32) {
    let magnitude = digits.strip_prefix('-').unwrap_or(digits);
    if magnitude.len() < digits.len() {
        out.push(b'-');
    }
    let (whole, fraction) = magnitude.split_once('.').unwrap_or((magnitude, ""));
    let fraction = if fraction == "0" { "" } else { fraction };
    let zeros = |out: &mut Vec<u8>, count: usize| out.resize(out.len() + count, b'0');
    let places = usize::try_from(exponent.unsigned_abs()).unwrap_or(0);
    if exponent < 0 {
        out.extend_from_slice(b"0.");
        zeros(out, places.saturating_sub(whole.len()));
        out.extend_from_slice(whole.as_bytes());
        out.extend_from_slice(fraction.as_bytes());
        return;
    }
    out.extend_from_slice(whole.as_bytes());
    let (moved, left) = fraction.split_at_checked(places).unwrap_or((fraction, ""));
    out.extend_from_slice(moved.as_bytes());
    zeros(out, places.saturating_sub(moved.len()));
    if !left.is_empty() {
        out.push(b'.');
        out.extend_from_slice(left.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prove<F: zmij::Float + Into<f64> + Copy + std::fmt::Display>(number: F) {
        let mut out = Vec::new();
        push_float(&mut out, number);
        assert_eq!(std::str::from_utf8(&out), Ok(number.to_string().as_str()));
    }

    #[test]
    fn floats_have_the_text_of_the_standard_library() {
        let extremes = [f32::MIN, f32::MAX, f32::MIN_POSITIVE, f32::EPSILON, f32::INFINITY, f32::NAN, 0.0, 1.0, 0.1];
        for float in extremes.into_iter().flat_map(|float| [float, -float, float / 3.0]) {
            prove(float);
            prove(f64::from(float));
        }
        for exponent in -50..40 {
            for digits in ["1", "9.5", "1.2345678", "8388608.5"] {
                prove(format!("{digits}e{exponent}").parse::<f32>().unwrap());
                prove(format!("{digits}e{}", 8 * exponent).parse::<f64>().unwrap());
            }
        }
        // Every exponent and sign, with mantissas all over.
        for bits in (0..u32::MAX).step_by(65_521).chain(1..100) {
            prove(f32::from_bits(bits));
            prove(f64::from_bits(u64::from(bits) << 32 | u64::from(bits.reverse_bits())));
        }
    }

    #[test]
    fn integers_have_the_text_of_the_standard_library() {
        for number in [0, 1, -1, 9, 10, -10, 99, 100, 12_345_678_901, i64::MIN, i64::MAX] {
            let mut out = Vec::new();
            push_signed(&mut out, number);
            assert_eq!(out, number.to_string().into_bytes());
        }
        let mut out = Vec::new();
        push_integer(&mut out, u64::MAX);
        assert_eq!(out, u64::MAX.to_string().into_bytes());
    }
}
